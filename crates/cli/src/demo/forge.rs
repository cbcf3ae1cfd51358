//! The cheater's tools: rewrite entries, build and sign logs.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::stage::{DRAW, Stage};
use crate::exit::Failure;
use crate::{contribution, files};
use fairdeal::deal::{Commitment, Contributions, Deck, Nonce, Plan, ServerSeed};
use fairdeal::log::{EntryBundle, HashTile, Level, MemoryLog, SignerKey, leaf_hash, tiles};
use fairdeal::record::entry::RoundOf;
use fairdeal::record::json::to_canonical;
use fairdeal::record::receipt::{Given, Included, Receipt};

/// An error of the forger, which ends the demo.
pub(super) fn stuck(error: impl std::fmt::Display) -> Failure {
    unavailable!("the forger is stuck: {error}")
}

/// The log's four entries, each changed by `change`, which gets the kind too.
pub(super) fn rewritten(
    stage: &Stage,
    change: impl Fn(&str, &mut Value),
) -> Result<Vec<String>, Failure> {
    let rewrite = |one: &Included| {
        let mut entry: Value = serde_json::from_str(&one.entry).map_err(stuck)?;
        let kind = entry["entry"].as_str().expect("each entry has its kind").to_owned();
        change(&kind, &mut entry);
        Ok(to_canonical(&entry))
    };
    stage.receipt.entries.iter().map(rewrite).collect()
}

/// The game's entries under another seed: the first that the dealer finds with an ace for bob.
/// The dealer knows what the players opened, and hashes it for the other commitment.
pub(super) fn under_a_better_seed(stage: &Stage) -> Result<Vec<String>, Failure> {
    let players = contributions(stage)?;
    loop {
        let seed = ServerSeed::from_bytes(&mut contribution::random()?);
        let dealt =
            Plan::shuffle(52, DRAW).map_err(stuck)?.deal(&seed.mac(), stage.nonce, &players);
        let cards = Deck::standard().text_of(&dealt.items).map_err(stuck)?;
        if &cards[10..11] != "A" {
            continue;
        }
        let commitment = seed.commitment();
        return rewritten(stage, |kind, entry| {
            entry["commitment"] = json!(commitment.to_text());
            match kind {
                "lock" => hash_again(stage, entry, commitment, stage.nonce),
                "deal" => set(entry, "/result/cards", cards.as_str()),
                "reveal" => set(entry, "/server_seed", seed.reveal().as_str()),
                _ => {}
            }
        });
    }
}

/// The players' hashes in a lock, made for another round.
pub(super) fn hash_again(stage: &Stage, lock: &mut Value, commitment: Commitment, nonce: Nonce) {
    let round = RoundOf { log: &stage.key, commitment, nonce };
    for (at, player) in stage.players.iter().enumerate() {
        let opened = player.seed.clone().zip(player.blind.as_ref());
        let (seed, blind) = opened.expect("each player kept both");
        let hash = round.hash(&player.logged().with_seed(seed), blind);
        set(lock, &format!("/contributions/{at}/hash"), hash.to_string());
    }
}

/// A game's entries with a commit `after` another one of the table, which comes first in the log.
pub(super) fn after_another(entries: &[String], after: &str) -> Result<Vec<String>, Failure> {
    let shift = |text: &String| {
        let mut entry: Value = serde_json::from_str(text).map_err(stuck)?;
        match entry["entry"].as_str() {
            Some("commit") => entry["after"] = json!(after),
            // The index of the lock.
            Some("deal") => entry["lock"] = json!(2),
            _ => {}
        }
        Ok(to_canonical(&entry))
    };
    entries.iter().map(shift).collect()
}

/// Replaces a member of an entry.
pub(super) fn set(entry: &mut Value, at: &str, value: impl Into<Value>) {
    *entry.pointer_mut(at).expect("the entry has this member") = value.into();
}

/// The cards that the committed seed gives in another round.
pub(super) fn dealt_in_round(stage: &Stage, round: u64) -> Result<String, Failure> {
    let seed = ServerSeed::parse(&stage.server_seed).map_err(stuck)?;
    let nonce = Nonce::new(round).map_err(stuck)?;
    let dealt =
        Plan::shuffle(52, DRAW).map_err(stuck)?.deal(&seed.mac(), nonce, &contributions(stage)?);
    Deck::standard().text_of(&dealt.items).map_err(stuck)
}

fn contributions(stage: &Stage) -> Result<Contributions, Failure> {
    let clear = |one: &Given| Some(one.logged().with_seed(one.seed.clone()?));
    Contributions::of_clients(stage.players.iter().filter_map(clear).collect()).map_err(stuck)
}

/// The receipt with other entries, but its old checkpoint.
pub(super) fn with_entries(stage: &Stage, entries: Vec<String>) -> Receipt {
    let mut receipt = stage.receipt.clone();
    for (one, entry) in receipt.entries.iter_mut().zip(entries) {
        one.entry = entry;
    }
    receipt
}

/// A receipt of a new log with these entries, signed with the log's own key.
pub(super) fn signed_again(stage: &Stage, entries: Vec<String>) -> Result<Receipt, Failure> {
    let log = log_of(entries);
    Receipt::of(&log, 0..log.size(), &stage.signer).map_err(stuck)
}

pub(super) fn log_of(entries: impl IntoIterator<Item = impl Into<Vec<u8>>>) -> MemoryLog {
    let mut log = MemoryLog::new();
    for entry in entries {
        log.append(entry);
    }
    log
}

/// Writes a public folder with a new log of these entries, signed with the log's own key.
pub(super) fn signed_log(stage: &Stage, entries: &[String], folder: &Path) -> Result<(), Failure> {
    write_log(&log_of(entries.iter().map(String::as_str)), &stage.signer, folder)
}

/// Writes the public folder of a log.
pub(super) fn write_log(log: &MemoryLog, signer: &SignerKey, folder: &Path) -> Result<(), Failure> {
    write_tiles(folder, log)?;
    let note = log.checkpoint(signer).map_err(stuck)?.to_text();
    files::save(&folder.join("checkpoint"), &note)
}

/// Writes a public folder with the tiles of these entries, but the log's old checkpoint.
pub(super) fn edited_log(stage: &Stage, entries: &[String], folder: &Path) -> Result<(), Failure> {
    write_tiles(folder, &log_of(entries.iter().map(String::as_str)))?;
    files::save(&folder.join("checkpoint"), &stage.receipt.checkpoint)
}

/// Writes the tiles of a log with fewer entries than a tile holds.
fn write_tiles(folder: &Path, log: &MemoryLog) -> Result<(), Failure> {
    let bundle = EntryBundle::new(log.entries().to_vec()).map_err(stuck)?.to_bytes();
    let hashes = log.entries().iter().map(|entry| leaf_hash(entry)).collect();
    let tile = HashTile::new(hashes).map_err(stuck)?.to_bytes();
    for path in tiles(log.size()) {
        let bytes = match path.level() {
            Level::Entries => &bundle,
            Level::Hashes(_) => &tile,
        };
        let file = folder.join(path.to_text());
        let written = fs::create_dir_all(file.parent().unwrap_or(folder))
            .and_then(|()| fs::write(&file, bytes));
        written.map_err(|error| files::unwritable(&file, &error))?;
    }
    Ok(())
}
