//! Small texts under a kind and a key, which the operator keeps: tokens, policies, openings. They
//! are not in the log, and no entry depends on them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use crate::LedgerOptions;
use crate::Reader;
use crate::core::{Core, Parts};
use crate::deal::batch::Waiting;
use crate::deal::command::Command;
use crate::deal::judging::OwnJudge;
use crate::error::LedgerError;
use crate::setup::location::Location;
use crate::store::{Growth, Head, Memo, Read, Transaction};
use fairdeal::deal::Commitment;

/// The kind of the memos that hold the policies of commitments: see
/// [`NewCommit::policy`](crate::NewCommit::policy).
pub const POLICY: &str = "policy";

/// The longest policy, in bytes.
const POLICY_LENGTH: usize = 1024;

/// The longest kind, key and text of a memo, in bytes.
const LENGTHS: [usize; 3] = [32, 512, 16 * 1024];

/// How many are read at once.
const PAGE: u32 = 1000;

/// A handle that reads a ledger and writes memos. It neither deals nor publishes, so that it can be
/// used while a service runs. It is a [`Reader`] too.
#[derive(Clone, Debug)]
pub struct Memos {
    reader: Reader,
}

impl Memos {
    /// Opens a ledger for its memos.
    ///
    /// # Errors
    /// [`LedgerError`]. If two values differ, it names both.
    pub async fn open(
        at: impl Into<Location>,
        options: LedgerOptions,
    ) -> Result<Self, LedgerError> {
        Self::open_on(Parts::open(at, options).await?).await
    }

    /// The same on the caller's own stores.
    ///
    /// # Errors
    /// [`LedgerError`], as for [`open`](Self::open).
    pub async fn open_on(parts: Parts) -> Result<Self, LedgerError> {
        let core = Arc::new(Core::new(parts)?);
        let (_, head) = core.read().await?;
        Core::check_open(&head)?;
        Ok(Self { reader: Reader { core } })
    }

    /// Writes memos, all or none. Of two with one key the last one counts. Waits for other writers.
    ///
    /// # Errors
    /// [`LedgerError::Invalid`]; [`LedgerError::Store`].
    pub async fn write(&self, memos: Vec<Memo>) -> Result<(), LedgerError> {
        write(&self.reader.core, &memos).await
    }

    /// Closes the ledger.
    pub async fn close(self) -> Result<(), LedgerError> {
        self.reader.close().await
    }
}

impl Deref for Memos {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

pub(crate) async fn write(core: &Core, memos: &[Memo]) -> Result<(), LedgerError> {
    core.accepts()?;
    memos.iter().try_for_each(check)?;
    let written = core.state.write_memos(memos).await.map_err(LedgerError::from);
    note(core, &written);
    written
}

/// Notes a write that failed. A success is not noted: a batch needs more space than memos.
fn note(core: &Core, written: &Result<(), LedgerError>) {
    if let Err(error) = written {
        core.written(Some(error));
    }
}

/// Writes the memos whose keys are free, all or none. If two callers add one key at once, the first
/// one stays.
pub(crate) async fn add(core: &Core, memos: Vec<Memo>) -> Result<(), LedgerError> {
    let mut keys: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for Memo { kind, key, .. } in &memos {
        keys.entry(kind).or_default().push(key.clone());
    }
    let mut chosen = Chosen::begin(core).await?;
    let mut known: BTreeSet<(String, String)> = BTreeSet::new();
    for (kind, keys) in keys {
        let found = chosen.transaction.memos_of(kind, &keys).await?;
        known.extend(found.into_iter().map(|(key, _)| (kind.to_owned(), key)));
    }
    let is_new = |memo: &Memo| known.insert((memo.kind.clone(), memo.key.clone()));
    chosen.write(core, memos.into_iter().filter(is_new).collect()).await.map(drop)
}

/// A transaction in which memos are read and then written.
pub(crate) struct Chosen {
    pub(crate) transaction: Box<dyn Transaction>,
    head: Head,
}

impl Chosen {
    pub(crate) async fn begin(core: &Core) -> Result<Self, LedgerError> {
        core.accepts()?;
        let mut transaction = core.state.begin().await?;
        let head = transaction.head().await?;
        core.check_head(&head)?;
        Core::check_open(&head)?;
        Ok(Self { transaction, head })
    }

    /// Writes memos, and ends the transaction. Returns whether there are any.
    pub(crate) async fn write(self, core: &Core, memos: Vec<Memo>) -> Result<bool, LedgerError> {
        memos.iter().try_for_each(check)?;
        let Self { mut transaction, head } = self;
        if memos.is_empty() {
            transaction.roll_back().await?;
            return Ok(false);
        }
        let growth = Growth { memos, ..Growth::of_head(head) };
        let written = match transaction.write(&growth).await {
            Ok(()) => transaction.commit().await,
            Err(error) => Err(error),
        };
        let written = written.map_err(LedgerError::from);
        note(core, &written);
        written.map(|()| true)
    }
}

/// The number of memos of the longest text, together 512 KiB, that need as much space as a full
/// batch: 512 deals of some 400 bytes, their rows, and whole pages of a database for both. One
/// small memo may fit on a disk that has no space for a deal.
const PROBE: usize = 32;

/// Checks that the state takes batches again after it had no space: writes as much as a full batch,
/// and removes it.
pub(crate) async fn try_space(core: &Core) -> Result<(), LedgerError> {
    let [.., length] = LENGTHS;
    let keys = || (0..PROBE).map(|n| format!("tried-{n}"));
    let kept: Vec<Memo> = keys().map(|key| Memo::keep("space", key, " ".repeat(length))).collect();
    let removed: Vec<Memo> = keys().map(|key| Memo::remove("space", key)).collect();
    write(core, &kept).await?;
    write(core, &removed).await?;
    core.written(None);
    Ok(())
}

/// The keys and texts of all memos of this kind whose key begins with `prefix`.
pub(crate) async fn all(
    read: &mut dyn Read,
    kind: &str,
    prefix: &str,
) -> Result<Vec<(String, String)>, LedgerError> {
    let mut all: Vec<(String, String)> = Vec::new();
    loop {
        let after = all.last().map(|(key, _)| key.as_str());
        let page = read.memos(kind, prefix, after, PAGE).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

fn check(memo: &Memo) -> Result<(), LedgerError> {
    let Memo { kind, key, value } = memo;
    let says = |says: String| Err(LedgerError::Invalid(format!("memo {kind}/{key}: {says}")));
    let [kind_length, key_length, value_length] = LENGTHS;
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !(1..=kind_length).contains(&kind.len()) || !kind.chars().all(is_name) {
        return says(format!("expected a kind of 1 to {kind_length} characters a-z, 0-9 and -"));
    }
    if !(1..=key_length).contains(&key.len()) || key.chars().any(char::is_control) {
        return says(format!(
            "expected a key of 1 to {key_length} bytes without control characters"
        ));
    }
    let Some(value) = value else { return Ok(()) };
    if value.len() > value_length || value.contains('\0') {
        return says(format!("expected a text of at most {value_length} bytes without NUL"));
    }
    Ok(())
}

/// Refuses a policy that is too long or has a NUL.
pub(crate) fn check_policy(policy: Option<&str>) -> Result<(), LedgerError> {
    match policy.filter(|policy| policy.len() > POLICY_LENGTH || policy.contains('\0')) {
        Some(policy) => Err(LedgerError::Invalid(format!(
            "policy: expected at most {POLICY_LENGTH} bytes without NUL, found {}",
            policy.len()
        ))),
        None => Ok(()),
    }
}

/// The memo of a commitment's policy.
pub(crate) fn policy_memo(commitment: &Commitment, policy: String) -> Memo {
    Memo::keep(POLICY, commitment.to_string(), policy)
}

/// The policies that the new commitments of a batch inherit.
pub(crate) async fn policies(
    transaction: &mut dyn Transaction,
    judge: &OwnJudge,
    waiting: &[Waiting],
) -> Result<BTreeMap<Commitment, String>, LedgerError> {
    let mut rounds: BTreeMap<Commitment, u64> = BTreeMap::new();
    for commitment in waiting.iter().filter_map(|one| one.command.commitment()) {
        *rounds.entry(commitment).or_default() += 1;
    }
    let may_end = |command: &Command, commitment: &Commitment| {
        let Some(life) = judge.life(commitment) else { return false };
        let (Command::Deal(..) | Command::Void(..)) = command else { return true };
        let is_round = !matches!(command, Command::Void(_, void, _) if void.nonce.is_none());
        // Each command of the batch may use up one round.
        !is_round || life.next.saturating_add(rounds[commitment]) >= life.commit.rounds.value()
    };
    let ending = waiting.iter().filter_map(|Waiting { command, .. }| {
        let commitment = command.commitment()?;
        (command.wants_next() && may_end(command, &commitment)).then_some(commitment)
    });
    let keys: BTreeMap<String, Commitment> =
        ending.collect::<BTreeSet<_>>().into_iter().map(|one| (one.to_string(), one)).collect();
    let names: Vec<String> = keys.keys().cloned().collect();
    let found = transaction.memos_of(POLICY, &names).await?;
    Ok(found.into_iter().filter_map(|(key, policy)| Some((*keys.get(&key)?, policy))).collect())
}

/// Reads all memos. Those of anchors alone follow from the log: each other one is only compared with
/// its checksum.
pub(crate) async fn check_all(read: &mut dyn Read) -> Result<(), LedgerError> {
    let mut last = None;
    loop {
        last = read.memos_after(last.as_ref(), PAGE).await?.pop();
        if last.is_none() {
            return Ok(());
        }
    }
}
