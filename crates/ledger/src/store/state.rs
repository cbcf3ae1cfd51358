//! A ledger's state: the tree's head, the lives of commitments, and the entries that are not in a
//! full tile yet.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use futures::FutureExt as _;

use super::StoreFuture;
use super::error::{Fault, StoreError};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::{Frontier, Hash, Node};
use fairdeal::record::entry::Table;
use fairdeal::record::life::{End, Life};

/// The tree's head, its keys, and how far it is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The verifier key of its checkpoints.
    pub key: String,
    /// The fingerprint of the vault key.
    pub vault: String,
    /// The tree.
    pub frontier: Frontier,
    /// Its signed checkpoint.
    pub note: String,
    /// The last entry's time. `None` in an empty log.
    pub time: Option<u64>,
    /// The time by which idempotency keys are forgotten, in milliseconds. It follows the log's
    /// time, but no single step of that moves it by more than an hour.
    pub key_time: u64,
    /// The bytes of entries before this index are in full tiles only. A multiple of 256.
    pub kept: u64,
    /// The clock, when this head was written.
    pub clock: Option<Ticked>,
    /// Why nothing is dealt from this state, if nothing is: it was copied elsewhere, or it is a
    /// copy that is not finished.
    pub closed: Option<String>,
}

impl Head {
    /// Refuses to write into a state that is [closed](Self::closed).
    pub(super) fn accepts(&self) -> Result<(), StoreError> {
        match &self.closed {
            Some(why) => Err(StoreError::new(Fault::Denied, "the state", why.clone())),
            None => Ok(()),
        }
    }
}

/// A reading of the clock that another process on the same machine can compare with its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticked {
    /// Names the machine's start.
    pub boot: String,
    /// Milliseconds since then.
    pub passed: u64,
    /// The wall clock in Unix milliseconds.
    pub unix: u64,
}

/// A commitment and its secret.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredLife {
    /// The commitment's life.
    pub life: Life,
    /// The index of the entry that ended it, if it ended.
    pub ended_at: Option<u64>,
    /// The server seed, sealed.
    pub seed: Arc<[u8]>,
}

/// The answer to an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The key.
    pub key: String,
    /// SHA-256 of the request.
    pub request: [u8; 32],
    /// The entry's index.
    pub index: u64,
    /// The head's `key_time` then.
    pub at: u64,
}

/// Entries that follow each other within one bundle, as the bundle has them: each behind two bytes
/// of length (C2SP tlog-tiles, log entries).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The first one's index.
    pub first: u64,
    /// How many: 1 to 256.
    pub count: u16,
    /// Their bytes.
    pub bytes: Vec<u8>,
}

/// The place of a round's entry, or of the entry that ended a commitment. A life that these
/// contradict is an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundEntry {
    /// The index of its commit.
    pub under: u64,
    /// The round. [`Nonce::LAST`], which no round has, for the end.
    pub nonce: Nonce,
    /// Its index.
    pub index: u64,
}

impl RoundEntry {
    /// The entry that ended a commitment: its reveal, or its void.
    #[must_use]
    pub const fn end(under: u64, index: u64) -> Self {
        Self { under, nonce: Nonce::LAST, index }
    }

    /// Whether it ended the commitment.
    #[must_use]
    pub fn is_end(&self) -> bool {
        self.nonce == Nonce::LAST
    }
}

/// A text that the operator keeps, and the log does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memo {
    /// Its kind.
    pub kind: String,
    /// Its name among those of its kind.
    pub key: String,
    /// The text. `None` removes it.
    pub value: Option<String>,
}

impl Memo {
    /// Keeps a text.
    #[must_use]
    pub fn keep(kind: impl Into<String>, key: impl Into<String>, value: impl Into<String>) -> Self {
        Self { kind: kind.into(), key: key.into(), value: Some(value.into()) }
    }

    /// Removes one.
    #[must_use]
    pub fn remove(kind: impl Into<String>, key: impl Into<String>) -> Self {
        Self { kind: kind.into(), key: key.into(), value: None }
    }
}

/// Kind and key in one text. A kind has no `/`.
pub(super) fn memo_name(kind: &str, key: &str) -> String {
    format!("{kind}/{key}")
}

pub(super) fn hashes_to_bytes(hashes: &[Hash]) -> Vec<u8> {
    hashes.iter().flat_map(Hash::as_bytes).copied().collect()
}

/// A commitment's end in the column `ended`.
pub(super) const fn end_to_text(end: End) -> &'static str {
    match end {
        End::Revealed => "revealed",
        End::Voided => "voided",
    }
}

/// Everything that one transaction writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The new entries, in order.
    pub segments: Vec<Segment>,
    /// The new entries that are about a round, or end a commitment.
    pub rounds: Vec<RoundEntry>,
    /// The new commitments.
    pub commitments: Vec<StoredLife>,
    /// The older lives that changed.
    pub lives: Vec<StoredLife>,
    /// The last commitments of the tables that changed.
    pub tables: Vec<(Table, Commitment)>,
    /// The new hashes for tiles above level 0.
    pub nodes: Vec<(Node, Hash)>,
    /// The new answers to idempotency keys.
    pub answers: Vec<Answer>,
    /// Answers before this `key_time` are forgotten, some at a time.
    pub forget_before: u64,
    /// The memos that change with this batch.
    pub memos: Vec<Memo>,
    /// The new head. Entries before its `kept` are dropped.
    pub head: Head,
}

impl Growth {
    /// A batch that writes a head alone.
    #[must_use]
    pub fn of_head(head: Head) -> Self {
        Self {
            segments: Vec::new(),
            rounds: Vec::new(),
            commitments: Vec::new(),
            lives: Vec::new(),
            tables: Vec::new(),
            nodes: Vec::new(),
            answers: Vec::new(),
            forget_before: 0,
            memos: Vec::new(),
            head,
        }
    }
}

/// A state that is made again: see [`Transaction::anew`].
pub struct Anew {
    /// The transaction that makes it.
    pub transaction: Box<dyn Transaction>,
    /// The path of the old file, if a new one takes its name.
    pub keeps: Option<PathBuf>,
}

impl fmt::Debug for Anew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Anew").field("keeps", &self.keeps).finish_non_exhaustive()
    }
}

/// A filter of commitments. All its conditions must hold.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Only of this table.
    pub table: Option<Table>,
    /// Only those that have not ended.
    pub open: bool,
    /// Only from the first of these to the last, as numbers.
    pub between: Option<(Commitment, Commitment)>,
}

/// Reading. What is asked for and not there is left out. What is there and damaged is an error.
/// After damage others can be asked.
pub trait Read: Send {
    /// The tree's head.
    fn head(&mut self) -> StoreFuture<'_, Head>;
    /// Commitments. Each life is compared with the last entry of its rounds.
    fn lives<'a>(&'a mut self, of: &'a [Commitment]) -> StoreFuture<'a, Vec<StoredLife>>;
    /// The first of the chosen commitments whose index is at least `from`, in log order.
    fn lives_from<'a>(
        &'a mut self,
        choice: &'a Choice,
        from: u64,
        most: u32,
    ) -> StoreFuture<'a, Vec<StoredLife>>;
    /// Tables' last commitments, in one query.
    fn tables<'a>(&'a mut self, of: &'a [Table]) -> StoreFuture<'a, Vec<(Table, Commitment)>>;
    /// The tables that come after this one, in the order of their names' bytes.
    fn tables_after<'a>(
        &'a mut self,
        after: Option<&'a Table>,
        most: u32,
    ) -> StoreFuture<'a, Vec<Table>>;
    /// The answers to these keys, from this `key_time` on, in one query.
    fn answers<'a>(&'a mut self, keys: &'a [String], since: u64) -> StoreFuture<'a, Vec<Answer>>;
    /// All answers by their index: those after this one.
    fn answers_after(&mut self, after: Option<u64>, most: u32) -> StoreFuture<'_, Vec<Answer>>;
    /// Entries in order, as many as are there of this range. A segment is found by its first one.
    fn segments(&mut self, range: Range<u64>) -> StoreFuture<'_, Vec<Segment>>;
    /// The indices of a round's entries in order, by the index of its commit.
    fn round(&mut self, under: u64, nonce: Nonce) -> StoreFuture<'_, Vec<u64>>;
    /// The entries of all rounds and the ends of commitments, by commit, nonce and index: those
    /// after this one.
    fn rounds_after(
        &mut self,
        after: Option<RoundEntry>,
        most: u32,
    ) -> StoreFuture<'_, Vec<RoundEntry>>;
    /// The hashes of complete nodes, in order. The level is a multiple of 8, and not 0.
    fn nodes(&mut self, level: u32, range: Range<u64>) -> StoreFuture<'_, Vec<(u64, Hash)>>;
    /// The keys and texts of this kind's memos whose key begins with `prefix` and comes after
    /// `after`, in byte order of the key.
    fn memos<'a>(
        &'a mut self,
        kind: &'a str,
        prefix: &'a str,
        after: Option<&'a str>,
        most: u32,
    ) -> StoreFuture<'a, Vec<(String, String)>>;
    /// The same of these keys, in one query.
    fn memos_of<'a>(
        &'a mut self,
        kind: &'a str,
        keys: &'a [String],
    ) -> StoreFuture<'a, Vec<(String, String)>>;
    /// The memos of all kinds, by kind and key: those after this one.
    fn memos_after<'a>(
        &'a mut self,
        after: Option<&'a Memo>,
        most: u32,
    ) -> StoreFuture<'a, Vec<Memo>>;
    /// The store's own faults, a line each: pages, or an index that is not that of its table.
    fn check(&mut self) -> StoreFuture<'_, Vec<String>>;
}

/// A transaction that locks the tree's head: nobody else can grow the tree. Dropping it rolls it
/// back.
pub trait Transaction: Read {
    /// Writes a batch.
    fn write<'a>(&'a mut self, growth: &'a Growth) -> StoreFuture<'a, ()>;
    /// Says that this will take long: a server ends a transaction in which nothing is asked for a
    /// while, as if its process hung.
    fn take_long(&mut self) -> StoreFuture<'_, ()> {
        async { Ok(()) }.boxed()
    }
    /// Replaces the seeds of these commitments, which must be there. Nothing else of them is
    /// written.
    fn reseal<'a>(&'a mut self, lives: &'a [StoredLife]) -> StoreFuture<'a, ()>;
    /// Ends this transaction, and begins to make the state again: the head, the commitments with
    /// their seeds, the answers to keys and the memos are there, and all tables that follow from
    /// the log are empty. Until the new transaction is committed the state is as it was.
    ///
    /// # Errors
    /// [`Fault::Damaged`] where one of those rows cannot be read, [`Fault::Busy`] where others use
    /// the state. Nothing is changed.
    fn anew(self: Box<Self>) -> StoreFuture<'static, Anew>;
    /// Makes it durable. After an error whose [`Fault::is_known`](super::Fault::is_known) it was
    /// not done; after any other it may have been.
    fn commit(self: Box<Self>) -> StoreFuture<'static, ()>;
    /// Undoes it.
    fn roll_back(self: Box<Self>) -> StoreFuture<'static, ()>;
}

/// A ledger's state.
pub trait State: fmt::Debug + Send + Sync {
    /// Waits for the tree's head, and locks it.
    fn begin(&self) -> StoreFuture<'_, Box<dyn Transaction>>;
    /// Reads, also while another transaction writes.
    fn read(&self) -> StoreFuture<'_, Box<dyn Read>>;
    /// The number of connections that read at once; one more waits. `None`: any number.
    fn readers(&self) -> Option<usize> {
        None
    }
    /// Drops the bytes of entries before this index, a multiple of 256.
    fn drop_entries(&self, before: u64) -> StoreFuture<'_, ()>;
    /// Writes memos, all or none. Of two with one key the last one counts.
    fn write_memos<'a>(&'a self, memos: &'a [Memo]) -> StoreFuture<'a, ()>;
    /// The right to publish, if nobody has it.
    fn lease(&self) -> StoreFuture<'_, Option<Lease>>;
    /// The right to publish, as soon as nobody has it. `None` where the store cannot wait, or has
    /// waited for as long as it may.
    fn next_lease(&self) -> StoreFuture<'_, Option<Lease>> {
        self.lease()
    }
    /// Removes from the files what replaced and deleted rows have left there. `false` if some may
    /// be left: others read at the moment, or the store does not know.
    fn scrub(&self) -> StoreFuture<'_, bool> {
        async { Ok(false) }.boxed()
    }
    /// The clock of the server that has the state, in Unix milliseconds, if it is another
    /// machine's.
    fn time(&self) -> StoreFuture<'_, Option<u64>> {
        async { Ok(None) }.boxed()
    }
    /// Closes everything.
    fn close(&self) -> StoreFuture<'_, ()>;
}

/// The right to publish, until it is dropped or its process ends. It cannot run out under a slow
/// holder; where it is a session of a server, it ends with its connection too.
pub struct Lease {
    _held: Box<dyn Send + Sync>,
}

impl Lease {
    /// A lease that ends when `held` is dropped.
    pub fn new(held: impl Send + Sync + 'static) -> Self {
        Self { _held: Box::new(held) }
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lease")
    }
}

impl fmt::Debug for StoredLife {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("StoredLife");
        shown
            .field("life", &self.life)
            .field("ended_at", &self.ended_at)
            .field("seed", &"…")
            .finish()
    }
}
