//! Shared by the ledger's tests: a ledger in a folder of its own, the usual commands, and an
//! auditor that knows only what is published.

#![allow(dead_code, reason = "two targets share this, and each uses some of it")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::unnecessary_wraps,
    reason = "in a test, a panic is a failure with a place"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fairdeal::deal::{Blind, ClientSeed, Commitment, Contribution, Deck, Digest, Label, Nonce};
use fairdeal::log::{
    EntryBundle, Frontier, Hash, HashTile, Level, TilePath, VerifierKey, leaf_hash, tiles,
    verify_checkpoint,
};
use fairdeal::record::entry::{
    Entry, Int, LoggedContribution, Origin, Reason, RoundOf, Table, Terms,
};
use fairdeal::record::life::{Effect, Extent};
use fairdeal::record::receipt::SignedBy;
use fairdeal::record::{Finding, Judge};
use fairdeal_ledger::clock::{Boot, Clock, ClockReading};
use fairdeal_ledger::{
    Done, IdempotencyKey, Ledger, LedgerError, LedgerOptions, Memo, NewCommit, NewDeal, NewLock,
    NewVoid, Parts,
};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

/// A player's hash for round 0.
pub(crate) fn hash_in_round_0(
    ledger: &Ledger,
    commitment: Commitment,
    one: &Contribution,
    blind: &Blind,
) -> Digest {
    let nonce = Nonce::new(0).unwrap();
    RoundOf { log: ledger.verifier_key(), commitment, nonce }.hash(one, blind)
}

/// A folder of its own, removed when dropped.
pub(crate) struct Home {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) key: VerifierKey,
}

impl Home {
    pub(crate) async fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap()).await
    }

    /// In memory where that can be: for tests that write much, and are not about the disk.
    pub(crate) async fn quick() -> Self {
        Self::at(quick_folder()).await
    }

    async fn at(dir: tempfile::TempDir) -> Self {
        let key = Ledger::init(dir.path(), &origin()).await.unwrap();
        Self { dir, key }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn public(&self) -> PathBuf {
        self.path().join("public")
    }

    pub(crate) fn private(&self) -> PathBuf {
        self.path().join("private")
    }

    pub(crate) async fn open(&self) -> Ledger {
        Ledger::open(self.path(), options()).await.unwrap()
    }

    /// The whole published log.
    pub(crate) fn audit(&self) -> Audit {
        Audit::of(&self.public(), &self.key)
    }
}

/// Opens a ledger on a clock of the test's own.
pub(crate) async fn open_at(
    dir: &Path,
    clock: &Arc<TestClock>,
    options: LedgerOptions,
) -> Result<Ledger, LedgerError> {
    let parts = Parts::of_folder(dir, options).await?;
    Ledger::open_on(Parts { clock: Arc::<TestClock>::clone(clock), ..parts }).await
}

/// A folder in memory where there is one.
pub(crate) fn quick_folder() -> tempfile::TempDir {
    let mut named = tempfile::Builder::new();
    named.prefix("fairdeal-test-");
    named.tempdir_in("/dev/shm").or_else(|_| named.tempdir()).unwrap()
}

pub(crate) fn origin() -> Origin {
    Origin::new("test.example/log").unwrap()
}

pub(crate) fn options() -> LedgerOptions {
    // A test on a busy disk may be slow.
    let publish_wait = Duration::from_mins(1);
    LedgerOptions {
        wait: Duration::from_secs(5),
        publish_wait,
        max_lag: publish_wait,
        ..LedgerOptions::default()
    }
}

pub(crate) fn terms(table: &str) -> NewCommit {
    let terms = Terms::new(Table::new(table).unwrap(), Deck::standard());
    let new = NewCommit::new(Terms { draw: int(5), rounds: int(1_000_000), ..terms });
    NewCommit { reveal_in: Duration::from_hours(1), ..new }
}

/// The same with other terms.
pub(crate) fn with(mut new: NewCommit, change: impl FnOnce(&mut Terms)) -> NewCommit {
    change(&mut new.terms);
    new
}

pub(crate) fn int(value: u32) -> Int {
    Int::from(value)
}

pub(crate) fn label(text: &str) -> Label {
    Label::new(text).unwrap()
}

pub(crate) fn clear(from: &str, seed: &str) -> LoggedContribution {
    LoggedContribution::clear(label(from), ClientSeed::new(seed).unwrap(), None)
}

pub(crate) fn round(seed: &str) -> NewDeal {
    NewDeal { contributions: vec![clear("alice", seed).into()], ..NewDeal::default() }
}

pub(crate) fn locked(seed: &str) -> NewLock {
    NewLock { contributions: vec![clear("alice", seed).into()], ..NewLock::default() }
}

/// The void of a round, or of the whole commitment.
pub(crate) fn void(nonce: Option<u64>) -> NewVoid {
    NewVoid {
        nonce: nonce.map(|nonce| Nonce::new(nonce).unwrap()),
        reason: Reason::new("a player left").unwrap(),
        blame: None,
        next: false,
        ext: None,
    }
}

pub(crate) fn key(text: &str) -> Option<IdempotencyKey> {
    Some(IdempotencyKey::new(text).unwrap())
}

pub(crate) async fn commit(ledger: &Ledger) -> Commitment {
    ledger.commit(terms("main"), None).await.unwrap().commitment
}

pub(crate) fn memo(kind: &str, key: &str, value: &str) -> Memo {
    Memo { kind: kind.to_owned(), key: key.to_owned(), value: Some(value.to_owned()) }
}

/// The cards of the deal, as logged.
pub(crate) fn cards(done: &Done) -> String {
    match &done.entry {
        Entry::Deal(deal) => deal.result.cards.as_ref().unwrap().as_str().to_owned(),
        other => panic!("expected a deal, found a {}", other.kind()),
    }
}

/// The result of an audit of a published log, with its public key alone.
pub(crate) struct Audit {
    pub(crate) size: u64,
    pub(crate) root: Hash,
    pub(crate) entries: Vec<Entry>,
    pub(crate) findings: Vec<Finding>,
}

impl Audit {
    /// Reads every file that the checkpoint promises, compares the tree with it, judges every entry
    /// and replays every deal with a revealed seed. Panics if a file is missing or wrong.
    pub(crate) fn of(public: &Path, key: &VerifierKey) -> Self {
        let note = std::fs::read_to_string(public.join("checkpoint")).unwrap();
        let checkpoint = verify_checkpoint(&note, key).unwrap();
        let mut frontier = Frontier::new();
        let mut nodes: BTreeMap<(u8, u64), Hash> = BTreeMap::new();
        let mut bytes = Vec::new();
        for path in tiles(checkpoint.size()) {
            let file = read(public, path);
            match path.level() {
                Level::Entries => {
                    for entry in EntryBundle::parse(&file, path.width()).unwrap().into_entries() {
                        let completed = |node: fairdeal::log::Node, hash| {
                            if node.level().is_multiple_of(8) {
                                nodes.insert(
                                    (u8::try_from(node.level() / 8).unwrap(), node.index()),
                                    hash,
                                );
                            }
                        };
                        frontier.push_with(leaf_hash(&entry), completed).unwrap();
                        bytes.push(entry);
                    }
                }
                Level::Hashes(level) => {
                    let tile = HashTile::parse(&file, path.width()).unwrap();
                    for (place, hash) in (path.index() * 256..).zip(tile.hashes()) {
                        assert_eq!(nodes[&(level, place)], *hash, "{}", path.to_text());
                    }
                }
            }
        }
        assert_eq!(frontier.size(), checkpoint.size());
        assert_eq!(frontier.root(), *checkpoint.root(), "the entries lead to the signed root");
        let (entries, findings) = judge(&bytes, key);
        Self { size: checkpoint.size(), root: *checkpoint.root(), entries, findings }
    }
}

fn read(public: &Path, path: TilePath) -> Vec<u8> {
    let file = public.join(path.to_text());
    std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

fn judge(log: &[Vec<u8>], key: &VerifierKey) -> (Vec<Entry>, Vec<Finding>) {
    let mut judge = Judge::new(SignedBy(key), Extent::Whole);
    let (mut entries, mut findings) = (Vec::new(), Vec::new());
    let mut waiting: BTreeMap<Commitment, Vec<_>> = BTreeMap::new();
    for (index, bytes) in (0..).zip(log) {
        let entry = Entry::parse(bytes).unwrap();
        let judged = judge.apply(index, &entry);
        findings.extend(judged.findings);
        let commitment = || entry.commitment().unwrap();
        match judged.effect {
            Some(Effect::Dealt(_, Some(deal))) => {
                waiting.entry(commitment()).or_default().push(deal);
            }
            Some(Effect::Revealed(seed)) => {
                let commitment = commitment();
                let commit = judge.life(&commitment).unwrap().commit.clone();
                let mac = seed.seed().mac();
                let deals = waiting.remove(&commitment).unwrap_or_default();
                findings.extend(deals.iter().filter_map(|deal| deal.replay(&commit, &mac)));
            }
            _ => {}
        }
        entries.push(entry);
    }
    (entries, findings)
}

/// A copy of a closed ledger, so that many tests can start from one. It does not know that it is a
/// copy.
pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() == "place" {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir(&target).unwrap();
            std::fs::set_permissions(&target, entry.metadata().unwrap().permissions()).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Moves the rows of rounds before this entry to the table of older ones, as many batches' are
/// moved at once.
pub(crate) async fn move_rounds(state: &Path, before: usize) {
    let mut connection = SqliteConnectOptions::new().filename(state).connect().await.unwrap();
    for statement in [
        "INSERT INTO round (under, nonce, place, sum)
         SELECT under, nonce, place, sum FROM new_round WHERE place < ?",
        "DELETE FROM new_round WHERE place < ?",
    ] {
        let before = i64::try_from(before).unwrap();
        assert!(
            sqlx::query(statement)
                .bind(before)
                .execute(&mut connection)
                .await
                .unwrap()
                .rows_affected()
                > 0
        );
    }
    sqlx::Connection::close(connection).await.unwrap();
}

/// A clock that stands still until a test moves it.
#[derive(Debug)]
pub(crate) struct TestClock(std::sync::Mutex<ClockReading>);

impl TestClock {
    pub(crate) const START: u64 = 1_800_000_000_000;

    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(std::sync::Mutex::new(ClockReading {
            unix: Self::START,
            passed: Duration::ZERO,
            boot: None,
        })))
    }

    /// The same on a machine that names its starts, so that processes can compare their clocks.
    pub(crate) fn on_boot(name: &str) -> Arc<Self> {
        let clock = Self::new();
        clock.reboot(name);
        clock
    }

    /// The machine starts anew.
    pub(crate) fn reboot(&self, name: &str) {
        self.0.lock().unwrap().boot = Some(Boot { name: name.into(), passed: Duration::ZERO });
    }

    /// Another clock that shows the same.
    pub(crate) fn copied(&self) -> Arc<Self> {
        Arc::new(Self(std::sync::Mutex::new(self.read())))
    }

    /// Advances all clocks.
    pub(crate) fn pass(&self, milliseconds: u64) {
        self.sleep(milliseconds);
        self.0.lock().unwrap().passed += Duration::from_millis(milliseconds);
    }

    /// The same while the machine sleeps: the monotonic clock of a process stands still.
    pub(crate) fn sleep(&self, milliseconds: u64) {
        let mut reading = self.0.lock().unwrap();
        let passed = Duration::from_millis(milliseconds);
        reading.unix += milliseconds;
        if let Some(boot) = &mut reading.boot {
            boot.passed += passed;
        }
    }

    pub(crate) fn now(&self) -> u64 {
        self.0.lock().unwrap().unix
    }

    /// Sets the wall clock alone.
    pub(crate) fn set(&self, unix: u64) {
        self.0.lock().unwrap().unix = unix;
    }
}

impl Clock for TestClock {
    fn read(&self) -> ClockReading {
        self.0.lock().unwrap().clone()
    }
}
