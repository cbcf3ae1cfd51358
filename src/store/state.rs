//! What a ledger keeps: the tree's head, the lives of commitments, the entries that are not yet in a full tile.

use std::fmt;
use std::ops::Range;

use super::StoreFuture;
use crate::deal::{Commitment, Nonce};
use crate::log::{Frontier, Hash, Node};
use crate::record::entry::Table;
use crate::record::life::Life;

/// Where the tree stands, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The verifier key that its checkpoints are signed for.
    pub key: String,
    /// The fingerprint of the key that the seeds are sealed under.
    pub vault: String,
    /// The tree.
    pub frontier: Frontier,
    /// The checkpoint of that tree, signed.
    pub note: String,
    /// The last entry's time; none in an empty log.
    pub time: Option<u64>,
    /// How many entries are known to be published.
    pub published: u64,
    /// The bytes of the entries before this one are in full tiles alone.
    pub kept: u64,
}

/// A commitment and its secret.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredLife {
    /// As far as it has come.
    pub life: Life,
    /// The server seed, sealed.
    pub seed: Vec<u8>,
}

/// What was done for an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The key.
    pub key: String,
    /// SHA-256 of the request.
    pub request: [u8; 32],
    /// The entry that came of it.
    pub index: u64,
    /// When, in Unix milliseconds.
    pub at: u64,
}

/// An entry as it is looked up: this much stays when its bytes are dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryKey {
    /// Its index in the log.
    pub index: u64,
    /// The commitment that it stands under.
    pub commitment: Commitment,
    /// The round, where it is about one.
    pub nonce: Option<Nonce>,
    /// Its kind: commit, lock, deal, void or reveal.
    pub kind: String,
}

/// An entry to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// How it is looked up.
    pub key: EntryKey,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// All that one transaction writes.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The new entries, in order.
    pub entries: Vec<NewEntry>,
    /// The lives that they changed or began.
    pub lives: Vec<StoredLife>,
    /// The last commitments of the tables that they changed.
    pub tables: Vec<(Table, Commitment)>,
    /// The hashes that the tiles over the lowest gained.
    pub nodes: Vec<(Node, Hash)>,
    /// What was done for which idempotency key.
    pub answers: Vec<Answer>,
    /// Answers from before this time, in Unix milliseconds, are forgotten.
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
    /// The bytes of entries, in order; without those that were dropped.
    fn entries(&mut self, range: Range<u64>) -> StoreFuture<'_, Vec<(u64, Vec<u8>)>>;
    /// What stands under a commitment: of the round, where one is named, and of the commitment as a whole; in order.
    fn rows(&mut self, commitment: Commitment, nonce: Option<Nonce>) -> StoreFuture<'_, Vec<EntryKey>>;
    /// The hashes of complete nodes of one level that is a multiple of 8 and not 0, in order.
    fn nodes(&mut self, level: u32, range: Range<u64>) -> StoreFuture<'_, Vec<(u64, Hash)>>;
}

/// A transaction that holds the tree's head: nobody else grows it meanwhile. Dropped, it is rolled back.
pub trait Transaction: Read {
    /// Writes a batch.
    fn write<'a>(&'a mut self, growth: &'a Growth) -> StoreFuture<'a, ()>;
    /// Makes it durable. An error whose fault is known was not done; any other may have been.
    fn commit(self: Box<Self>) -> StoreFuture<'static, ()>;
    /// Leaves everything as it was.
    fn roll_back(self: Box<Self>) -> StoreFuture<'static, ()>;
}

/// A ledger's state.
pub trait State: fmt::Debug + Send + Sync {
    /// Waits for the tree's head, and holds it.
    fn begin(&self) -> StoreFuture<'_, Box<dyn Transaction>>;
    /// Reads beside whoever writes.
    fn read(&self) -> StoreFuture<'_, Box<dyn Read>>;
    /// Notes how much is published; never less than before.
    fn published(&self, size: u64) -> StoreFuture<'_, ()>;
    /// Drops the bytes of entries before this one; never brings any back.
    fn drop_entries(&self, before: u64) -> StoreFuture<'_, ()>;
    /// The right to publish, if nobody has it now.
    fn lease(&self) -> StoreFuture<'_, Option<Lease>>;
    /// Lets go of everything that is open.
    fn close(&self) -> StoreFuture<'_, ()>;
}

/// The right to publish, until it is dropped or its holder dies: it can't run out under a holder who was only slow.
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
