//! The honest game, and its folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::story::Tale;
use crate::exit::Failure;
use crate::{contribution, files, hints, log_key, note, operator};
use fairdeal::deal::{ClientSeed, Commitment, Deck, Label, Nonce};
use fairdeal::log::{SignedCheckpoint, SignerKey, VerifierKey};
use fairdeal::record::Entry;
use fairdeal::record::entry::{Mixing, Origin, RoundOf, SeenCheckpoint, Table, Terms};
use fairdeal::record::receipt::{Given, Receipt};
use fairdeal_ledger::{
    Done, Ledger, LedgerError, LedgerOptions, NewCommit, NewDeal, NewLock, NewReveal,
};

/// Cards dealt: five to each player.
pub(super) const DRAW: u32 = 10;
/// The players.
pub(super) const PLAYERS: [&str; 2] = ["alice", "bob"];

/// The first line of `about-this-folder.txt`. A folder without it is not touched.
const MARK: &str = "This folder was made by `fairdeal demo`.";
const ABOUT: &str = "\
It may be deleted at any time. Running the demo again replaces what is listed here.

ledger/        the dealer's ledger: ledger/public is for everyone, ledger/private is secret
log.key        the log's verifier key
saved.note     the view of the log that alice and bob saved before they chose their seeds
alice.json     what alice kept: her seed, and the hash of it that she gave to the dealer
bob.json       what bob kept
lock.json      the receipt of the lock, which both kept before they gave their seeds
receipt.json   the game's receipt, verifiable offline
cheats/        what a cheating dealer would show instead; every attempt is caught
";

/// A finished game and its files.
pub(super) struct Stage {
    /// The folder.
    dir: PathBuf,
    /// The log's signing key, which a cheating dealer has too.
    pub(super) signer: SignerKey,
    /// The log's verifier key.
    pub(super) key: VerifierKey,
    pub(super) commitment: Commitment,
    pub(super) nonce: Nonce,
    /// What the players kept.
    pub(super) players: Vec<Given>,
    pub(super) cards: String,
    pub(super) server_seed: String,
    pub(super) receipt: Receipt,
}

impl Stage {
    /// Plays the game, and prints each step.
    pub(super) fn play(dir: &Path, tale: &mut Tale) -> Result<Self, Failure> {
        make_room(dir, ABOUT, &["ledger", "cheats"])?;
        tale.heading("A game between Alice, Bob and a dealer whom nobody has to trust");
        operator::block_on(Self::game(dir, tale))?
    }

    async fn game(dir: &Path, tale: &mut Tale) -> Result<Self, Failure> {
        let ledger = dir.join("ledger");
        let or = |error: LedgerError| hints::failure(error, &ledger.as_path().into());
        let origin =
            Origin::new("demo.example").map_err(|error| Failure::unavailable(error.to_string()))?;
        let key = Ledger::init(&ledger, &origin).await.map_err(or)?;
        files::save(&dir.join("log.key"), &format!("{}\n", key.to_text()))?;
        tale.opened(&key);
        tale.tell()?;

        let dealer =
            Ledger::open(&ledger, LedgerOptions { one_shot: true, ..LedgerOptions::default() })
                .await
                .map_err(or)?;
        let commitment = dealer.commit(terms()?, None).await.map_err(or)?.commitment;
        tale.committed(commitment);
        tale.tell()?;

        let saved = dealer.checkpoint().await.map_err(or)?;
        files::save(&dir.join("saved.note"), &saved)?;
        let round = RoundOf { log: &key, commitment, nonce: Nonce::new(0).expect("a round") };
        let players = players(&saved, &round)?;
        for player in &players {
            let json = serde_json::to_string_pretty(player)
                .map_err(|e| Failure::unavailable(e.to_string()))?;
            files::save(&dir.join(format!("{}.json", player.from)), &format!("{json}\n"))?;
        }
        tale.hashed(&players);
        let hashes = players.iter().map(contribution::public).collect();
        let lock = NewLock { contributions: hashes, ..NewLock::default() };
        dealer.lock(commitment, lock, None).await.map_err(or)?;
        let locked = dealer.receipt(commitment, Some(round.nonce)).await.map_err(or)?;
        files::save(&dir.join("lock.json"), &locked.to_text())?;
        tale.opened_seeds(&players);

        let deal = NewDeal { contributions: players.clone(), ..NewDeal::default() };
        let dealt = dealer.deal(commitment, deal, None).await.map_err(or)?;
        let cards = cards(&dealt);
        tale.dealt(&cards);
        let revealed = dealer.reveal(commitment, NewReveal::default(), None).await;
        let server_seed = server_seed(&revealed.map_err(or)?);
        tale.revealed(&server_seed);
        let receipt = dealer.receipt(commitment, dealt.nonce).await.map_err(or)?;
        files::save(&dir.join("receipt.json"), &receipt.to_text())?;
        dealer.close().await.map_err(or)?;
        let nonce = dealt.nonce.expect("a deal has a round");
        let signer = log_key::signer(&ledger)?;
        Ok(Self {
            dir: dir.to_owned(),
            signer,
            key,
            commitment,
            nonce,
            players,
            cards,
            server_seed,
            receipt,
        })
    }

    /// A file or folder of the demo.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// `verify receipt.json`, with everything that a player has.
    pub(super) fn verify_receipt(&self) -> Vec<String> {
        self.line("verify /receipt.json --key /log.key --since /saved.note --log /ledger --mine /alice.json --mine /lock.json")
    }

    /// The whole log, judged with Alice's saved view.
    pub(super) fn audit_log(&self) -> Vec<String> {
        self.line("audit /ledger --key /log.key --since /saved.note")
    }

    /// A command line. A word with a leading slash is a file of the demo.
    pub(super) fn line(&self, words: &str) -> Vec<String> {
        line(&self.dir, words)
    }

    /// Commands to try next, and what they do.
    pub(super) fn next(&self) -> [(&'static str, Vec<String>); 5] {
        let by_hand = format!(
            "replay --server-seed {} --contributions /alice.json --contributions /bob.json --nonce 0 --draw {DRAW} --trace",
            self.server_seed
        );
        [
            ("the receipt, checked once more", self.verify_receipt()),
            ("the whole log, audited", self.audit_log()),
            ("the deal by hand, every draw of it", self.line(&by_hand)),
            (
                "a forged receipt, which does not hold",
                self.line("verify /cheats/changed-card.json --key /log.key"),
            ),
            ("a promise of your own", self.line("commit --table evening --ledger /ledger")),
        ]
    }
}

/// A command line. A word with a leading slash is a file in the demo's folder.
pub(super) fn line(dir: &Path, words: &str) -> Vec<String> {
    let in_demo = |given: &str| match given.strip_prefix('/') {
        Some(name) => files::name(&dir.join(name)),
        None => given.to_owned(),
    };
    words.split(' ').map(in_demo).collect()
}

/// The dealer's terms: one round of ten cards, seeds hashed first, a reveal within a day.
fn terms() -> Result<NewCommit, Failure> {
    let table = Table::new("evening").map_err(|error| Failure::unavailable(error.to_string()))?;
    Ok(NewCommit::new(Terms {
        draw: DRAW.into(),
        mixing: Mixing::Hashes,
        ..Terms::new(table, Deck::standard())
    }))
}

/// Makes or empties the folder, and writes what it has. Removes only folders that an earlier demo
/// made.
pub(super) fn make_room(dir: &Path, contents: &str, folders: &[&str]) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| unavailable!("{}: {}", dir.display(), files::reason(&error));
    let about = dir.join("about-this-folder.txt");
    match fs::read_dir(dir) {
        Ok(mut entries) => {
            let earlier = fs::read_to_string(&about).is_ok_and(|text| text.starts_with(MARK));
            if entries.next().is_some() && !earlier {
                return Err(usage!(
                    "{}: expected an earlier demo or an empty folder, found other files",
                    dir.display()
                )
                .hint("Name another folder: fairdeal demo DIR"));
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            fs::create_dir_all(dir).map_err(failed)?;
        }
        Err(error) => return Err(failed(error)),
    }
    files::save(&about, &format!("{MARK}\n{contents}"))?;
    for folder in folders {
        match fs::remove_dir_all(dir.join(folder)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(failed(error));
            }
            _ => {}
        }
    }
    fs::create_dir(dir.join("cheats")).map_err(failed)
}

/// What the players keep: random seeds, the checkpoint that they saved first, and the hashes for
/// this round.
fn players(saved: &str, round: &RoundOf<'_>) -> Result<Vec<Given>, Failure> {
    let wrong = |error: String| unavailable!("saved.note: {error}");
    let note = SignedCheckpoint::parse(saved).map_err(|error| wrong(error.to_string()))?;
    let view: SeenCheckpoint = note::as_seen(&note, round.log).map_err(wrong)?;
    let player = |name: &str| {
        let from = Label::new(name).map_err(|error| wrong(error.to_string()))?;
        let seed = ClientSeed::new(hex::encode(contribution::random()?))
            .map_err(|e| wrong(e.to_string()))?;
        let own = Given {
            seen: Some(view.clone()),
            log: Some(round.log.clone()),
            commitment: Some(round.commitment),
            nonce: Some(round.nonce),
            ..Given::with_seed(from, seed.clone())
        };
        contribution::hashed(own, seed, round)
    };
    PLAYERS.into_iter().map(player).collect()
}

fn cards(dealt: &Done) -> String {
    let Entry::Deal(deal) = &dealt.entry else { unreachable!("a deal's entry is a deal") };
    deal.result.cards.as_ref().expect("a deck's deal has cards").as_str().to_owned()
}

fn server_seed(revealed: &Done) -> String {
    let Entry::Reveal(reveal) = &revealed.entry else {
        unreachable!("a reveal's entry is a reveal")
    };
    reveal.server_seed.to_text()
}
