//! `fairdeal demo --trust`: a game before three witnesses, and then a dealer with the signing key who
//! forks the log, backdates it, and deals on from yesterday's backup.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use super::forge::{log_of, stuck, write_log};
use super::stage::make_room;
use super::story::Tale;
use super::{Args, Outcome, check, pasted, program};
use crate::exit::{Exit, Failure};
use crate::out::Out;
use crate::{contribution, files, hints, log_key, operator, time};
use fairdeal::deal::{ClientSeed, Commitment, Deck, Label, Nonce};
use fairdeal::log::{AddCheckpoint, MemoryLog, Policy, Signature, SignedCheckpoint, SignerKey};
use fairdeal::record::Entry;
use fairdeal::record::entry::{Anchor, Int, Reason, Table, Terms, Void};
use fairdeal::record::json::to_canonical;
use fairdeal::record::receipt::{Given, Receipt};
use fairdeal_ledger::{
    Ledger, LedgerError, LedgerOptions, NewCommit, NewDeal, NewReveal, Witnessing,
};
use fairdeal_monitor::{
    ComparedWith, EventKind, FollowedLog, Monitor, MonitorEvent, MonitorOptions,
};
use fairdeal_witness::{WitnessOptions, WitnessService, init, serve};

/// The witnesses. Two of them must sign.
const WITNESSES: [&str; 3] = ["north", "south", "east"];

/// By how much the dealer backdates, in milliseconds.
const HALF_AN_HOUR: u64 = 30 * 60 * 1000;

/// The longest wait for an anchor.
const PATIENCE: Duration = Duration::from_secs(20);

const ABOUT: &str = "\
It may be deleted at any time. Running the demo again replaces what is listed here.

ledger/        the dealer's ledger, put back as it was before the game
played/        what the world had seen of it: the log of the game
policy         the witnesses of dealer and players: two of three must sign
log.key        the log's verifier key
receipt.json   the game's receipt, verifiable offline
witnesses/     the three witnesses
monitor/       what a monitor of the log knows
evidence.json  its evidence of a fork, verifiable offline
cheats/        what a cheating dealer would show instead
";

/// The game, and what the dealer keeps of it.
struct Game {
    dir: PathBuf,
    signer: SignerKey,
    policy: Arc<Policy>,
    /// The URLs of the witnesses.
    urls: Vec<String>,
    commitment: Commitment,
    receipt: Receipt,
}

/// The `--json` output.
#[derive(Serialize)]
struct Answer {
    holds: bool,
    dir: String,
    verdict: Value,
    attempts: Vec<Outcome>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let (dir, program) = (&args.dir, program());
    let mut tale = Tale::new(out.json());
    make_room(dir, ABOUT, &["ledger", "played", "witnesses", "monitor", "cheats", "backup"])?;
    tale.heading("A game before three witnesses, whom the dealer does not run");
    // The checks of this command run in this thread; the witnesses have their own.
    let threads = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let threads = threads.map_err(|error| unavailable!("the system: {error}"))?;
    let game = operator::block_on(Game::play(dir, &threads, &mut tale))??;
    tale.tell()?;
    let receipt = game.line("verify /receipt.json --key /log.key --policy /policy");
    let (exit, verdict) = check(&receipt)?;
    let shows =
        |token: &str| verdict["shown"].as_array().is_some_and(|all| all.contains(&json!(token)));
    let sound = exit == Exit::Holds && shows("witnessed") && shows("timed");
    tale.witnessed(&verdict, WITNESSES.len(), sound);
    tale.heading("Now the dealer cheats, with the log's own signing key in hand");
    let mut attempts = Vec::new();
    for (name, told, noticed, attempt) in ALL {
        let outcome = attempt(&game, name, &program)?;
        tale.attempt(name, told, noticed, &outcome);
        tale.tell()?;
        attempts.push(outcome);
    }
    let caught = attempts.iter().filter(|one| one.caught).count();
    let holds = sound && caught == attempts.len();
    let next = [("the receipt, checked once more", pasted(&program, &receipt))];
    tale.end(caught, attempts.len(), dir, &next);
    tale.tell()?;
    if out.json() {
        let answer = Answer { holds, dir: dir.display().to_string(), verdict, attempts };
        out.show(&answer, |_| {});
    }
    if !holds {
        out.does_not_hold();
    }
    Ok(())
}

type Attempt = fn(&Game, &'static str, &str) -> Result<Outcome, Failure>;

/// The attempts: name, the dealer's cheat, who notices and how.
const ALL: [(&str, &str, &str, Attempt); 5] = [
    (
        "forked log",
        "Bob shall see another log, in which his round was voided. Every signature of the dealer in it is right.",
        "The witnesses sign nothing that does not continue what they have signed.",
        unsigned_fork,
    ),
    (
        "forked log, shown all the same",
        "Bob gets the receipt of the other log, without witnesses.",
        "It lacks the quorum of his policy. And next to the checkpoint that Alice has it is proof: two logs, one key.",
        shown_fork,
    ),
    (
        "forked log, before a monitor",
        "Alice and Bob may never meet. The dealer goes on showing each of them a log.",
        "A monitor compares the log with Bob's receipt. What it writes is evidence for anybody.",
        monitored,
    ),
    (
        "backdated game",
        "In a log of half an hour ago, which nobody has seen, the dealer writes a game whose result is known.",
        "The witnesses signed it now: its anchor stands after signatures that are half an hour younger.",
        backdated,
    ),
    (
        "yesterday's backup",
        "The game was expensive. The dealer puts back the backup from before it, and deals it again.",
        "The ledger asks the witnesses first. They have signed more, so that nothing is dealt.",
        restored,
    ),
];

impl Game {
    async fn play(dir: &Path, threads: &Runtime, tale: &mut Tale) -> Result<Self, Failure> {
        let folder = dir.join("ledger");
        let or = |error: LedgerError| hints::failure(error, &folder.as_path().into());
        let key =
            Ledger::init(&folder, &"demo.example".parse().map_err(stuck)?).await.map_err(or)?;
        files::save(&dir.join("log.key"), &format!("{}\n", key.to_text()))?;
        let late = late_dealer().verifier().to_text();
        let (mut text, mut urls) = (String::new(), Vec::new());
        for name in WITNESSES {
            let logs = format!("{}\n{late}\n", key.to_text());
            let (line, url) = witness(&dir.join("witnesses").join(name), name, &logs, threads)?;
            text.push_str(&line);
            urls.push(url);
        }
        let text = format!("{text}group two 2 {}\nquorum two\n", WITNESSES.join(" "));
        files::save(&dir.join("policy"), &text)?;
        let policy = Arc::new(Policy::parse(text.as_bytes()).map_err(stuck)?);
        tale.step(
            1,
            "Three witnesses know the log's key. Dealer and players trust any two of them.",
        );
        tale.detail("policy", crate::out::shown(&dir.join("policy")));

        let ledger = Ledger::open(&folder, options(&policy)).await.map_err(or)?;
        let terms = NewCommit::new(Terms {
            draw: 5.into(),
            ..Terms::new(Table::new("evening").map_err(stuck)?, Deck::standard())
        });
        let commitment = ledger.commit(terms, None).await.map_err(or)?.commitment;
        tale.step(
            2,
            "The dealer promises, and each new state of the log is signed by two of them.",
        );
        tale.detail("promise", commitment);
        ledger.close().await.map_err(or)?;
        copy(&folder, &dir.join("backup"))?;

        let ledger = Ledger::open(&folder, options(&policy)).await.map_err(or)?;
        let seed = ClientSeed::new(hex::encode(contribution::random()?)).map_err(stuck)?;
        let alice = Given::with_seed(Label::new("alice").map_err(stuck)?, seed);
        let deal = NewDeal { contributions: vec![alice], ..NewDeal::default() };
        let dealt = ledger.deal(commitment, deal, None).await.map_err(or)?;
        tale.step(3, "Alice's game is dealt, and their signatures go into the log: an anchor.");
        ledger.reveal(commitment, NewReveal::default(), None).await.map_err(or)?;
        let receipt = async {
            loop {
                let receipt = ledger.receipt(commitment, dealt.nonce).await.map_err(or)?;
                if receipt.entries.iter().any(|one| one.entry.contains("\"entry\":\"anchor\"")) {
                    return Ok(receipt);
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let receipt = tokio::time::timeout(PATIENCE, receipt).await.map_err(stuck)??;
        ledger.close().await.map_err(or)?;
        files::save(&dir.join("receipt.json"), &receipt.to_text())?;
        copy(&folder.join("public"), &dir.join("played"))?;
        let signer = log_key::signer(&folder)?;
        Ok(Self { dir: dir.to_owned(), signer, policy, urls, commitment, receipt })
    }

    /// A command line. A word with a leading slash is a file of the demo.
    fn line(&self, words: &str) -> Vec<String> {
        super::stage::line(&self.dir, words)
    }

    /// Asks the witnesses for their signatures of a log. Returns the lines, and the other answers.
    fn ask(&self, log: &MemoryLog, signer: &SignerKey, old: u64) -> Result<Asked, Failure> {
        let note = log.checkpoint(signer).map_err(stuck)?.to_text();
        let checkpoint = SignedCheckpoint::parse(&note).map_err(stuck)?;
        let proof =
            if old == 0 { Vec::new() } else { log.consistency_proof(old).map_err(stuck)? };
        let request = AddCheckpoint { old_size: old, proof, checkpoint }.to_text();
        let mut asked = Asked { lines: Vec::new(), refusals: Vec::new() };
        for (name, url) in WITNESSES.into_iter().zip(&self.urls) {
            let sent = ureq::post(format!("{url}/add-checkpoint"))
                .config()
                .http_status_as_error(false)
                .build()
                .send(request.as_bytes());
            let mut answer = sent.map_err(stuck)?;
            let body = answer.body_mut().read_to_string().map_err(stuck)?;
            match Signature::parse(body.trim_end()) {
                Ok(line) if answer.status().as_u16() == 200 => asked.lines.push(line),
                _ => asked.refusals.push(format!("{name} {}", answer.status().as_u16())),
            }
        }
        Ok(asked)
    }
}

/// The answers of the witnesses.
struct Asked {
    lines: Vec<Signature>,
    /// Name and status.
    refusals: Vec<String>,
}

/// The dealer of another log, whom the witnesses serve too. Its key is no secret.
fn late_dealer() -> SignerKey {
    SignerKey::from_seed("late.example".parse().expect("a name"), &[1; 32])
}

/// How the dealer opens the ledger.
fn options(policy: &Arc<Policy>) -> LedgerOptions {
    let witnesses = Witnessing {
        every: Duration::ZERO,
        anchor_every: Duration::ZERO,
        ..Witnessing::new(Arc::clone(policy))
    };
    LedgerOptions { witnesses: Some(witnesses), ..LedgerOptions::default() }
}

/// Starts a witness on loopback, which ends with the command. Returns its line in a policy, and its
/// URL.
fn witness(
    dir: &Path,
    name: &str,
    logs: &str,
    threads: &Runtime,
) -> Result<(String, String), Failure> {
    // On a thread of the runtime that goes on: this one is in the runtime of the ledger.
    let (dir, logs, of) = (dir.to_owned(), logs.to_owned(), format!("{name}.example/w"));
    let seed = contribution::random()?;
    let handle = threads.handle().clone();
    let started = std::thread::spawn(move || {
        handle.block_on(async move {
            init(&dir, of.parse().map_err(stuck)?, &seed).await.map_err(stuck)?;
            files::save(&dir.join("logs"), &logs)?;
            let witness =
                WitnessService::open(&dir, WitnessOptions::default()).await.map_err(stuck)?;
            let key = witness.key().to_text();
            let listener = TcpListener::bind("127.0.0.1:0").await.map_err(stuck)?;
            let url = format!("http://{}", listener.local_addr().map_err(stuck)?);
            let router = witness.router();
            tokio::spawn(serve(witness, vec![(listener, router)], std::future::pending()));
            Ok::<_, Failure>((key, url))
        })
    });
    let (key, url) = started.join().map_err(|_| stuck("a witness"))??;
    Ok((format!("witness {name} {key} {url}\n"), url))
}

/// The other log: the same promise, and a void in place of the deal. As long as the first, so that it
/// is no older copy.
fn fork(game: &Game) -> Result<MemoryLog, Failure> {
    let promise = game.receipt.entries.first().ok_or_else(|| stuck("no promise"))?;
    let commit = Entry::parse(promise.entry.as_bytes()).map_err(stuck)?;
    let time = Int::new(commit.time() + 1000).ok_or_else(|| stuck("no time"))?;
    let reason = Reason::new("the cards fell to the floor").map_err(stuck)?;
    let void = Void {
        nonce: Some(Nonce::new(0).map_err(stuck)?),
        ..Void::whole(game.commitment, reason, time)
    };
    let mut entries = vec![promise.entry.clone(), Entry::from(void).to_text().map_err(stuck)?];
    entries.resize(signed_size(game)?, "{}".to_owned());
    Ok(log_of(entries))
}

/// The size that the witnesses have signed.
fn signed_size(game: &Game) -> Result<usize, Failure> {
    let note = files::read_text(&game.dir.join("played").join("checkpoint"))?;
    let size = SignedCheckpoint::parse(&note).map_err(stuck)?.unverified().size();
    usize::try_from(size).map_err(stuck)
}

fn unsigned_fork(game: &Game, name: &'static str, _: &str) -> Result<Outcome, Failure> {
    let old = u64::try_from(signed_size(game)?).map_err(stuck)?;
    let Asked { lines, refusals } = game.ask(&fork(game)?, &game.signer, old)?;
    let says = format!(
        "{} of {} witnesses signed it ({})",
        lines.len(),
        WITNESSES.len(),
        refusals.join(", ")
    );
    Ok(Outcome {
        name,
        caught: lines.is_empty(),
        code: "refused".to_owned(),
        says,
        command: String::new(),
    })
}

fn shown_fork(game: &Game, name: &'static str, program: &str) -> Result<Outcome, Failure> {
    let receipt = Receipt::of(&fork(game)?, 0..2, &game.signer).map_err(stuck)?;
    files::save(&game.dir.join("cheats/forked.json"), &receipt.to_text())?;
    let alone = game.line("verify /cheats/forked.json --key /log.key --policy /policy");
    let (_, verdict) = check(&alone)?;
    let is_witnessed =
        verdict["shown"].as_array().is_some_and(|all| all.contains(&json!("witnessed")));
    let both = game.line(
        "verify /cheats/forked.json --key /log.key --policy /policy --since /played/checkpoint",
    );
    let mut outcome = super::outcome(name, &both, "inconsistent", program)?;
    outcome.caught &= !is_witnessed;
    Ok(outcome)
}

fn monitored(game: &Game, name: &'static str, program: &str) -> Result<Outcome, Failure> {
    let followed = FollowedLog {
        name: game.dir.join("played").display().to_string(),
        key: game.signer.verifier().clone(),
        policy: Some(Arc::clone(&game.policy)),
        compare: vec![ComparedWith::File(game.dir.join("cheats/forked.json"))],
    };
    let state = game.dir.join("monitor");
    let options = MonitorOptions::new(state, time::now);
    let evidence = Mutex::new(None);
    let tell = |event: &MonitorEvent| {
        if let (EventKind::Fork, Some(path)) = (event.event, &event.evidence) {
            *evidence.lock().unwrap_or_else(PoisonError::into_inner) = Some(PathBuf::from(path));
        }
    };
    let logs = [followed];
    let mut monitor = Monitor::open(&logs, &options, None).map_err(stuck)?;
    monitor.once(&tell, &|_| {}).map_err(stuck)?;
    let found = evidence.into_inner().unwrap_or_else(PoisonError::into_inner);
    let found = found.ok_or_else(|| stuck("the monitor found no fork"))?;
    files::save(&game.dir.join("evidence.json"), &files::read_text(&found)?)?;
    let verify = game.line("verify /evidence.json --key /log.key");
    super::outcome(name, &verify, "inconsistent", program)
}

fn backdated(game: &Game, name: &'static str, program: &str) -> Result<Outcome, Failure> {
    let dealer = late_dealer();
    let earlier = |text: &str| {
        let mut entry: Value = serde_json::from_str(text).map_err(stuck)?;
        if entry.get("origin").is_some() {
            entry["origin"] = json!("late.example");
        }
        for time in ["time", "reveal_by"] {
            if let Some(at) = entry.get(time).and_then(Value::as_u64) {
                entry[time] = json!(at.saturating_sub(HALF_AN_HOUR));
            }
        }
        Ok::<_, Failure>(to_canonical(&entry))
    };
    let of_game =
        game.receipt.entries.iter().filter(|one| !one.entry.contains("\"entry\":\"anchor\""));
    let texts = of_game.map(|one| earlier(&one.entry)).collect::<Result<Vec<_>, _>>()?;
    let mut log = log_of(texts.iter().map(String::as_str));
    let Asked { lines, .. } = game.ask(&log, &dealer, 0)?;
    let last = texts.last().ok_or_else(|| stuck("no entry"))?;
    let last = Entry::parse(last.as_bytes()).map_err(stuck)?.time();
    let int = |value| Int::new(value).ok_or_else(|| stuck("no number"));
    let root = fairdeal::deal::Digest::from_bytes(*log.root().as_bytes());
    let anchor = Anchor::new(int(log.size())?, root, lines, int(last)?);
    log.append(Entry::Anchor(Box::new(anchor)).to_text().map_err(stuck)?);
    write_log(&log, &dealer, &game.dir.join("cheats/backdated"))?;
    let key = format!("{}\n", dealer.verifier().to_text());
    files::save(&game.dir.join("cheats/backdated.key"), &key)?;
    let audit = game.line("audit /cheats/backdated --key /cheats/backdated.key --policy /policy");
    super::outcome(name, &audit, "backdated", program)
}

fn restored(game: &Game, name: &'static str, program: &str) -> Result<Outcome, Failure> {
    let folder = game.dir.join("ledger");
    put_back(&game.dir.join("backup"), &folder)?;
    let dealt = operator::block_on(async {
        let ledger = Ledger::open(&folder, options(&game.policy)).await?;
        let seed = ClientSeed::new("again").map_err(|e| LedgerError::Invalid(e.to_string()))?;
        let from = Label::new("alice").map_err(|e| LedgerError::Invalid(e.to_string()))?;
        let deal =
            NewDeal { contributions: vec![Given::with_seed(from, seed)], ..NewDeal::default() };
        ledger.deal(game.commitment, deal, None).await
    })?;
    let (code, says) = match dealt {
        Ok(_) => (String::new(), "it was dealt again".to_owned()),
        // How many of them have answered by now differs from run to run.
        Err(error) => {
            let says = error.to_string();
            (error.code().to_owned(), says.split("; ").next().unwrap_or_default().to_owned())
        }
    };
    let line = game.line("deal --table evening --ledger /ledger --policy /policy");
    Ok(Outcome {
        name,
        caught: code == "witnesses-contradict",
        code,
        says,
        command: pasted(program, &line),
    })
}

/// Copies a folder, with the modes of its files.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fn all(from: &Path, to: &Path) -> io::Result<()> {
        fs::create_dir_all(to)?;
        fs::set_permissions(to, fs::metadata(from)?.permissions())?;
        for entry in fs::read_dir(from)? {
            let (path, name) = entry.map(|one| (one.path(), one.file_name()))?;
            if path.is_dir() {
                all(&path, &to.join(name))?;
            } else {
                fs::copy(path, to.join(name))?;
            }
        }
        Ok(())
    }
    all(from, to).map_err(|error| files::unwritable(to, &error))
}

/// Puts the files of a ledger back into its folders, as the snapshot of a disk does: a ledger
/// refuses to deal in a folder that is itself a copy.
fn put_back(from: &Path, to: &Path) -> Result<(), Failure> {
    let emptied = fs::remove_dir_all(to.join("public")).and_then(|()| {
        let mut files = fs::read_dir(to.join("private"))?;
        files.try_for_each(|file| fs::remove_file(file?.path()))
    });
    emptied.map_err(|error| files::unwritable(to, &error))?;
    copy(from, to)
}
