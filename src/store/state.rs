//! A ledger's state: the tree's head, the lives of commitments, and the entries that are not in a full tile yet.

use std::fmt;
use std::ops::Range;

use super::StoreFuture;
use crate::deal::{Commitment, Nonce};
use crate::log::{Frontier, Hash, Node};
use crate::record::entry::Table;
use crate::record::life::Life;

/// The tree's head, and its keys.
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
    /// How many entries are known to be published.
    pub published: u64,
    /// The bytes of entries before this index are in full tiles only.
    pub kept: u64,
}

/// A commitment and its secret.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredLife {
    /// The commitment's life.
    pub life: Life,
    /// The server seed, sealed.
    pub seed: Vec<u8>,
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
    /// When, in Unix milliseconds.
    pub at: u64,
}

/// What an entry is found by. It stays when the entry's bytes are dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryKey {
    /// Its index in the log.
    pub index: u64,
    /// Its commitment.
    pub commitment: Commitment,
    /// Its round, if it has one.
    pub nonce: Option<Nonce>,
    /// Its kind: commit, lock, deal, void or reveal.
    pub kind: String,
}

/// An entry to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// What it is found by.
    pub key: EntryKey,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Everything that one transaction writes.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The new entries, in order.
    pub entries: Vec<NewEntry>,
    /// The lives that changed.
    pub lives: Vec<StoredLife>,
    /// The last commitments of the tables that changed.
    pub tables: Vec<(Table, Commitment)>,
    /// The new hashes for tiles above level 0.
    pub nodes: Vec<(Node, Hash)>,
    /// The new answers to idempotency keys.
    pub answers: Vec<Answer>,
    /// Answers before this time, in Unix milliseconds, are forgotten.
    pub forget_before: u64,
    /// The tree with the new entries.
    pub frontier: Frontier,
    /// Its checkpoint, signed.
    pub note: String,
    /// The last entry's time.
    pub time: u64,
}

/// Reading. What is asked for and not there is left out.
pub trait Read: Send {
    /// Where the tree stands.
    fn head(&mut self) -> StoreFuture<'_, Head>;
    /// Commitments, in one query.
    fn lives<'a>(&'a mut self, of: &'a [Commitment]) -> StoreFuture<'a, Vec<StoredLife>>;
    /// All commitments, in log order.
    fn all_lives(&mut self) -> StoreFuture<'_, Vec<Life>>;
    /// Tables' last commitments, in one query.
    fn tables<'a>(&'a mut self, of: &'a [Table]) -> StoreFuture<'a, Vec<(Table, Commitment)>>;
    /// Answers from this time on, in one query.
    fn answers<'a>(&'a mut self, keys: &'a [String], since: u64) -> StoreFuture<'a, Vec<Answer>>;
    /// The bytes of entries, in order. Dropped ones are left out.
    fn entries(&mut self, range: Range<u64>) -> StoreFuture<'_, Vec<(u64, Vec<u8>)>>;
    /// The entries of a commitment without a round, and those of the round if one is named; in order.
    fn rows(&mut self, commitment: Commitment, nonce: Option<Nonce>) -> StoreFuture<'_, Vec<EntryKey>>;
    /// The hashes of complete nodes, in order. The level is a multiple of 8, and not 0.
    fn nodes(&mut self, level: u32, range: Range<u64>) -> StoreFuture<'_, Vec<(u64, Hash)>>;
}

/// A transaction that locks the tree's head: nobody else can grow the tree. Dropping it rolls it back.
pub trait Transaction: Read {
    /// Writes a batch.
    fn write<'a>(&'a mut self, growth: &'a Growth) -> StoreFuture<'a, ()>;
    /// Makes it durable. After an error whose [`Fault::is_known`](super::Fault::is_known) it was not done; after any other it may have been.
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
    /// Notes how many entries are published; never fewer than before.
    fn published(&self, size: u64) -> StoreFuture<'_, ()>;
    /// Drops the bytes of entries before this index.
    fn drop_entries(&self, before: u64) -> StoreFuture<'_, ()>;
    /// The right to publish, if nobody has it.
    fn lease(&self) -> StoreFuture<'_, Option<Lease>>;
    /// Closes everything.
    fn close(&self) -> StoreFuture<'_, ()>;
}

/// The right to publish, until it is dropped or its process ends. It cannot run out under a slow holder.
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
        f.debug_struct("StoredLife").field("life", &self.life).field("seed", &"…").finish()
    }
}
