//! Bits that change in the state's file: a ledger refuses what it finds changed, or goes on
//! rightly.
//!
//! `FAIRDEAL_BITS=2000` tries so many bits anywhere in the file, and others than usual.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::Entry;
use fairdeal::record::receipt::{Document, Receipt, verify};
use fairdeal_ledger::{
    Choice, Done, IdempotencyKey, Ledger, LedgerError, NewCommit, NewDeal, NewLock, NewReveal,
    NewVoid,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::ledger_support::*;

mod fields;
mod mended;
mod pages;

use fields::{Change, change, changes};

const HOUR: u64 = 3_600_000;
/// Entries whose rounds the state has in one table; those of the later ones are in another.
const MOVED: usize = 200;

/// A command that can be given again.
#[derive(Clone)]
enum Request {
    Commit(NewCommit),
    Lock(Commitment, NewLock),
    Deal(Commitment, NewDeal),
    Void(Commitment, NewVoid),
    Reveal(Commitment, NewReveal),
}

impl Request {
    async fn send(&self, ledger: &Ledger, key: &str) -> Result<Done, LedgerError> {
        let key = Some(IdempotencyKey::new(key).expect("short"));
        match self.clone() {
            Self::Commit(terms) => ledger.commit(terms, key).await,
            Self::Lock(c, lock) => ledger.lock(c, lock, key).await,
            Self::Deal(c, deal) => ledger.deal(c, deal, key).await,
            Self::Void(c, void) => ledger.void(c, void, key).await,
            Self::Reveal(c, reveal) => ledger.reveal(c, reveal, key).await,
        }
    }
}

/// A closed ledger with something of everything, and what was asked of it.
struct World {
    dir: tempfile::TempDir,
    key: VerifierKey,
    clock: Arc<TestClock>,
    commitments: Vec<Commitment>,
    rounds: Vec<(Commitment, Nonce)>,
    /// The requests whose keys are remembered.
    requests: Vec<(String, Request)>,
    entries: Vec<Entry>,
    /// The answers of an undamaged ledger.
    calm: BTreeMap<String, String>,
    /// The state's file as it was before.
    older: Vec<Vec<u8>>,
    /// The answers that may differ.
    free: &'static [&'static str],
}

impl World {
    async fn new() -> Self {
        let dir = quick_folder();
        let key = Ledger::init(dir.path(), &origin()).await.expect("made");
        let clock = TestClock::on_boot("first");
        let ledger = open_at(dir.path(), &clock, options()).await.expect("opens");
        let mut requests = Vec::new();
        let mut do_ = async |key: &str, request: Request| {
            let done = request.send(&ledger, key).await.expect("done");
            requests.push((key.to_owned(), request));
            done.commitment
        };
        let long = |table: &str| NewCommit {
            reveal_in: Duration::from_hours(24 * 30),
            policy: Some(format!("policy of {table}")),
            ..terms(table)
        };
        let main = do_("stale commit", Request::Commit(long("main"))).await;
        do_("stale deal", Request::Deal(main, round("stale"))).await;
        let mut commitments = vec![main];
        for (table, sealed) in [
            ("locked", false),
            ("sealed", true),
            ("ended", false),
            ("voided", false),
            ("busy", false),
        ] {
            let terms = with(long(table), |t| t.sealed = sealed);
            commitments.push(ledger.commit(terms, None).await.expect("committed").commitment);
        }
        let tokens = ["one", "two"].map(|key| memo("token", key, &format!("token {key}")));
        ledger.write_memos(tokens.to_vec()).await.expect("written");
        let [_, locked_one, sealed, ended, voided, busy] = commitments[..] else {
            panic!("six tables")
        };
        let deals = |count| {
            futures::future::try_join_all((0..count).map(|_| ledger.deal(busy, round("x"), None)))
        };
        deals(210).await.expect("dealt");
        for _ in 0..23 {
            clock.pass(HOUR);
            deals(1).await.expect("dealt");
        }
        // From here on, keys are remembered to the end.
        let mut older = vec![pages::now(dir.path()).await];
        do_("lock", Request::Lock(main, locked("opened"))).await;
        older.push(pages::now(dir.path()).await);
        do_("deal after the lock", Request::Deal(main, NewDeal::default())).await;
        do_("sealed deal", Request::Deal(sealed, round("sealed"))).await;
        do_("deal before the end", Request::Deal(ended, round("clear"))).await;
        older.push(pages::now(dir.path()).await);
        do_("reveal", Request::Reveal(ended, NewReveal::default())).await;
        do_("void of a table", Request::Void(voided, void(None))).await;
        older.push(pages::now(dir.path()).await);
        deals(10).await.expect("dealt");
        do_("void of a round", Request::Void(main, void(Some(2)))).await;
        do_("commit", Request::Commit(long("young"))).await;
        do_("lock that stays", Request::Lock(locked_one, locked("x"))).await;
        do_("deal in clear", Request::Deal(main, round("clear"))).await;
        do_("busy deal", Request::Deal(busy, round("x"))).await;
        for _ in 0..2 {
            clock.pass(HOUR);
            deals(3).await.expect("dealt");
        }
        requests.retain(|(key, _)| !key.starts_with("stale"));
        older.push(pages::now(dir.path()).await);
        ledger.close().await.expect("closed");
        move_rounds(&Self::state(dir.path()), MOVED).await;
        let audit = Audit::of(&dir.path().join("public"), &key);
        assert_eq!(audit.findings, []);
        assert!(audit.size > 256, "the first {} entries fill no tile", audit.size);
        let named: Vec<_> = audit.entries.iter().filter(|entry| entry.kind() == "commit").collect();
        let commitments = named.iter().filter_map(|entry| entry.commitment()).collect();
        let rounds = rounds(&audit.entries, busy);
        let calm = BTreeMap::new();
        let entries = audit.entries;
        let mut this = Self {
            dir,
            key,
            clock,
            commitments,
            rounds,
            requests,
            entries,
            calm,
            older,
            free: &[],
        };
        let copied = quick_folder();
        copy(this.dir.path(), copied.path());
        let told = use_all(&this, copied.path()).await.expect("opens");
        let asked = this.commitments.len() * 3 + this.rounds.len() + this.requests.len() + 4;
        assert_eq!(told.len(), asked, "an undamaged ledger answers everything");
        this.calm = told;
        let grown = this.audit(copied.path()) - this.entries.len();
        assert!(grown > 12, "an undamaged ledger wrote {grown} entries");
        this
    }

    fn state(dir: &Path) -> PathBuf {
        dir.join("private/state.sqlite")
    }

    /// Holds the published log against the one before. Returns its length.
    fn audit(&self, dir: &Path) -> usize {
        let audit = Audit::of(&dir.join("public"), &self.key);
        assert_eq!(audit.findings, []);
        assert!(
            audit.entries.starts_with(&self.entries),
            "the log does not continue the one before"
        );
        let deals = audit.entries.iter().filter(|entry| entry.kind() == "deal");
        let mut rounds = BTreeSet::new();
        for deal in deals {
            assert!(rounds.insert((deal.commitment(), deal.nonce())), "dealt twice: {deal:?}");
        }
        audit.entries.len()
    }

    /// Uses a damaged ledger, and holds all that it says and publishes against what is right.
    async fn hold(&self, dir: &Path) {
        if let Some(told) = use_all(self, dir).await {
            for (asked, answer) in &told {
                let as_before =
                    Some(answer) == self.calm.get(asked) || self.free.contains(&asked.as_str());
                assert!(as_before, "{asked}: answered otherwise");
            }
        }
        self.audit(dir);
    }
}

/// The rounds that receipts are asked for: all of the small tables, and some of the busy one. Those
/// whose rows are changed below are among them.
fn rounds(entries: &[Entry], busy: Commitment) -> Vec<(Commitment, Nonce)> {
    let commits: Vec<_> = entries
        .iter()
        .filter(|entry| entry.kind() == "commit")
        .filter_map(Entry::commitment)
        .collect();
    let under = |c: Commitment| commits.iter().position(|one| *one == c);
    let of = |entry: &Entry| {
        let commitment = entry.commitment()?;
        Some((under(commitment), entry.nonce()?, commitment))
    };
    let (moved, new) = entries.split_at(MOVED);
    let mut moved: Vec<_> = moved.iter().filter_map(of).collect();
    moved.sort();
    let mut asked: Vec<_> = [moved, new.iter().filter_map(of).collect()]
        .iter()
        .flat_map(|rows| {
            let changed = some_rows(rows.len());
            rows.iter().enumerate().filter(move |(place, (_, nonce, c))| {
                *c != busy || nonce.value() % 64 == 0 || changed.contains(place)
            })
        })
        .map(|(_, row)| *row)
        .collect();
    asked.sort();
    asked.dedup();
    asked.into_iter().map(|(_, nonce, c)| (c, nonce)).collect()
}

/// The places of the rows that are changed.
fn some_rows(rows: usize) -> BTreeSet<usize> {
    [0, 1, 2, rows / 2, rows.saturating_sub(1)].into_iter().filter(|row| *row < rows).collect()
}

/// An answer's text. An error must be one: a panic in a task of the ledger's answers `Closed`.
fn said<T>(asked: &str, answer: Result<T, LedgerError>) -> Option<T> {
    let error = match answer {
        Ok(answer) => return Some(answer),
        Err(error) => error,
    };
    let panicked = matches!(error, LedgerError::Closed) || error.to_string().contains("panicked");
    assert!(!panicked, "{asked}: {error}");
    None
}

fn told(done: &Done) -> String {
    format!(
        "{} {:?} {:?} {:?} {:?}",
        done.index, done.entry, done.items, done.card_seals, done.next
    )
}

/// Asks everything, asks for everything again, writes, and asks again. Returns what was answered
/// before anything new was written, unless it does not open.
async fn use_all(world: &World, dir: &Path) -> Option<BTreeMap<String, String>> {
    let opened = open_at(dir, &world.clock.copied(), options()).await;
    let ledger = said("open", opened)?;
    let mut answers = BTreeMap::new();
    let mut note = |asked: String, answer: Option<String>| {
        if let Some(answer) = answer {
            answers.insert(asked, answer);
        }
    };
    for c in &world.commitments {
        let shown = said("show", ledger.show(*c).await);
        note(format!("show {c}"), shown.map(|shown| format!("{shown:?}")));
        let receipt = said("receipt", ledger.receipt(*c, None).await);
        note(format!("receipt {c}"), receipt.map(|receipt| receipt.to_text()));
    }
    let list = said("list", ledger.list(&Choice::default(), 0, u32::MAX).await);
    note("list".to_owned(), list.map(|list| format!("{list:?}")));
    for (c, nonce) in &world.rounds {
        let receipt = said("receipt", ledger.receipt(*c, Some(*nonce)).await);
        note(format!("receipt {c} {nonce}"), receipt.map(|receipt| receipt.to_text()));
    }
    for c in &world.commitments {
        let rounds = said("rounds", ledger.rounds(*c, 0, u32::MAX).await);
        note(format!("rounds {c}"), rounds.map(|rounds| format!("{rounds:?}")));
    }
    for (kind, prefix) in [("policy", ""), ("token", ""), ("token", "two")] {
        let memos = said("memos", ledger.memos(kind, prefix, None, 100).await);
        note(format!("memos {kind} {prefix}"), memos.map(|memos| format!("{memos:?}")));
    }
    for (key, request) in &world.requests {
        let done = said(key, request.send(&ledger, key).await);
        note(format!("again {key}"), done.map(|done| told(&done)));
    }
    write(world, &ledger).await;
    // With new keys written, old ones were forgotten. None of these.
    for (key, request) in &world.requests {
        if let (Some(done), Some(before)) =
            (said(key, request.send(&ledger, key).await), world.calm.get(&format!("again {key}")))
        {
            assert!(told(&done) == *before, "{key}: answered otherwise, at {}", done.index);
        }
    }
    for (c, nonce) in world.rounds.iter().take(2) {
        if let Some(receipt) = said("receipt", ledger.receipt(*c, Some(*nonce)).await) {
            check(receipt, &world.key);
        }
    }
    said("close", ledger.close().await);
    Some(answers)
}

fn check(receipt: Receipt, key: &VerifierKey) {
    let verdict = verify(&Document::Receipt(receipt), key);
    assert!(verdict.holds, "{verdict:?}");
}

/// Writes at every table, old and new: all at once, then each alone, since in a batch one changed
/// row is the end of all.
async fn write(world: &World, ledger: &Ledger) {
    let mut requests: Vec<Request> = Vec::new();
    requests.extend(world.commitments.iter().map(|c| Request::Deal(*c, round("new"))));
    requests.extend(world.commitments.iter().map(|c| Request::Deal(*c, NewDeal::default())));
    let tables = ["main", "locked", "sealed", "ended", "voided", "busy", "young", "new"];
    requests.extend(tables.map(|table| Request::Commit(terms(table))));
    let revealed =
        [world.commitments[0]].into_iter().chain(world.commitments.iter().skip(5).copied());
    requests.extend(revealed.map(|c| Request::Reveal(c, NewReveal::default())));
    let requests: Vec<_> = (0..).map(|n: u8| format!("new {n}")).zip(requests).collect();
    let at_once =
        futures::future::join_all(requests.iter().map(|(key, request)| request.send(ledger, key)))
            .await;
    for ((key, request), first) in requests.iter().zip(at_once) {
        let first = said(key, first).map(|done| done.index);
        if let Some(done) = said(key, request.send(ledger, key).await) {
            assert!(
                first.is_none_or(|first| first == done.index),
                "{key}: at {first:?} and {}",
                done.index
            );
        }
    }
}

/// Damages copies of a world, on two threads, and returns what went wrong with each.
fn damaged<T: Sync + std::fmt::Debug>(
    world: &World,
    all: &[T],
    damage: impl Fn(&Path, &T) -> bool + Sync,
) -> (Vec<bool>, Vec<String>) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let done: Vec<_> = all.iter().map(|_| std::sync::atomic::AtomicBool::new(false)).collect();
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let place =
                all.iter().position(|other| std::ptr::eq(one, other)).expect("it is one of them");
            let copied = quick_folder();
            copy(world.dir.path(), copied.path());
            if !damage(copied.path(), one) {
                continue;
            }
            done[place].store(true, Ordering::Relaxed);
            let held =
                catch_unwind(AssertUnwindSafe(|| runtime().block_on(world.hold(copied.path()))));
            if let Err(why) = held {
                let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
                wrong.lock().expect("not poisoned").push(format!("{one:?}: {why}"));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let done = done.into_iter().map(std::sync::atomic::AtomicBool::into_inner).collect();
    (done, wrong.into_inner().expect("not poisoned"))
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Places in the state's file, each with one of its bits: so many, or `FAIRDEAL_BITS`.
fn anywhere(world: &World, usual: usize) -> Vec<(u64, u32)> {
    let length = fs::metadata(World::state(world.dir.path())).expect("is there").len();
    let bits: Option<u64> =
        std::env::var("FAIRDEAL_BITS").ok().map(|text| text.parse().expect("a number"));
    let mut random = ChaCha8Rng::seed_from_u64(bits.unwrap_or(1));
    (0..bits.map_or(usual, |bits| usize::try_from(bits).expect("small")))
        .map(|_| (random.next_u64() % length, random.next_u32() % 8))
        .collect()
}

fn flip(dir: &Path, (place, bit): (u64, u32)) {
    let path = World::state(dir);
    let mut bytes = fs::read(&path).expect("read");
    bytes[usize::try_from(place).expect("small")] ^= 1 << bit;
    fs::write(&path, bytes).expect("written");
}

#[test]
fn a_bit_that_changes_in_any_column_of_the_state_forks_nothing_and_deals_nothing_twice() {
    let world = runtime().block_on(World::new());
    let mut all = runtime().block_on(changes(world.dir.path()));
    let mut counts = BTreeMap::new();
    all.retain(|one| {
        let count = counts.entry((one.table.clone(), one.column.clone())).or_insert(0);
        *count += 1;
        *count <= tools::cases(3, usize::MAX)
    });
    let (done, wrong) = damaged(&world, &all, |dir, one| runtime().block_on(change(dir, one)));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    let of = |one: &Change| (one.table.clone(), one.column.clone());
    let tried: BTreeSet<_> =
        all.iter().zip(&done).filter(|(_, done)| **done).map(|(one, _)| of(one)).collect();
    assert_eq!(tried, all.iter().map(of).collect(), "each column was changed");
}

#[test]
fn a_bit_that_changes_anywhere_in_the_file_of_the_state_forks_nothing_and_deals_nothing_twice() {
    let world = runtime().block_on(World::new());
    let all = anywhere(&world, tools::cases(50, 200));
    let (_, wrong) = damaged(&world, &all, |dir, bit| {
        flip(dir, *bit);
        true
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}
