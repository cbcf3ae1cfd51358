//! Stores that fail on the n-th call, before or after it is done; and published files that are out
//! of reach, or slow.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::entry::Table;
use fairdeal_ledger::Parts;
use fairdeal_ledger::store::{
    Anew, Answer, Choice, Fault, Growth, Head, Lease, Memo, NewFile, Read, RoundEntry, Segment,
    State, Step, StoreError, StoreFuture, StoredLife, Tiles, Transaction,
};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The work that the failing call does before it reports the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Nothing,
    Everything,
}

/// The call that fails, and how. All stores of one ledger count together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    calls: Vec<&'static str>,
    fails: Option<(usize, Truth, Fault)>,
    /// How many transactions after it cannot begin: the server is away.
    away: usize,
    /// Every call on the published files fails.
    cut: Option<Fault>,
    /// How many bytes of memos fit in the state at once.
    room: Option<usize>,
    /// Every call on the published files takes this long.
    slow: Duration,
    /// The store of the published files checks each step.
    conditional: bool,
    /// It says that there is no checkpoint.
    no_checkpoint: bool,
    /// The clock of the state's server.
    server_time: Option<u64>,
    /// Nobody can begin to read the state.
    unread: Option<Fault>,
    /// A function that runs before the next call of a name.
    before: Option<Before>,
    /// The connections that read, and how long each is used at least.
    readers: Option<(usize, Arc<Semaphore>, Duration)>,
}

/// How long who reads waits for a connection.
const READ_WAIT: Duration = Duration::from_millis(300);

/// Something that happens before a call of this name.
struct Before(&'static str, BoxFuture<'static, ()>);

impl std::fmt::Debug for Before {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Before").field(&self.0).finish()
    }
}

impl Plan {
    /// Counts calls from 0 from now on; the n-th fails.
    pub(crate) fn arm(&self, fails: Option<(usize, Truth, Fault)>) {
        let mut inner = self.0.lock().unwrap();
        (inner.calls, inner.fails) = (Vec::new(), fails);
    }

    /// After the call that fails, so many transactions cannot begin.
    pub(crate) fn then_away(&self, transactions: usize) {
        self.0.lock().unwrap().away = transactions;
    }

    /// Whether it still is.
    pub(crate) fn is_away(&self) -> bool {
        self.0.lock().unwrap().away > 0
    }

    /// From now on every call on the published files fails, or none.
    pub(crate) fn cut(&self, fault: Option<Fault>) {
        self.0.lock().unwrap().cut = fault;
    }

    /// From now on no more bytes of memos than this fit in the state at once.
    pub(crate) fn room(&self, room: Option<usize>) {
        self.0.lock().unwrap().room = room;
    }

    /// From now on every call on the published files takes this long.
    pub(crate) fn slow(&self, slow: Duration) {
        self.0.lock().unwrap().slow = slow;
    }

    /// The store of the published files checks each step, as one that speaks S3 does.
    pub(crate) fn conditional(&self) {
        self.0.lock().unwrap().conditional = true;
    }

    /// From now on that store says that there is no checkpoint, or not.
    pub(crate) fn no_checkpoint(&self, lost: bool) {
        self.0.lock().unwrap().no_checkpoint = lost;
    }

    /// The state is on another machine, whose clock says this.
    pub(crate) fn server_time(&self, time: u64) {
        self.0.lock().unwrap().server_time = Some(time);
    }

    /// From now on nobody can begin to read the state, or everybody can.
    pub(crate) fn unread(&self, fault: Option<Fault>) {
        self.0.lock().unwrap().unread = fault;
    }

    /// From now on so many read at once, each for so long at least. The others wait for a while,
    /// and are told that it is busy.
    pub(crate) fn readers(&self, most: usize, each: Duration) {
        self.0.lock().unwrap().readers = Some((most, Arc::new(Semaphore::new(most)), each));
    }

    async fn connection(&self) -> Result<Option<OwnedSemaphorePermit>, StoreError> {
        let Some((_, free, each)) = self.0.lock().unwrap().readers.clone() else { return Ok(None) };
        let busy = |_| StoreError::new(Fault::Busy, "a faulty store", "no connection became free");
        let permit = tokio::time::timeout(READ_WAIT, free.acquire_owned()).await.map_err(busy)?;
        tokio::time::sleep(each).await;
        Ok(Some(permit.unwrap()))
    }

    /// This happens before the next call of a name.
    pub(crate) fn before(
        &self,
        call: &'static str,
        what: impl Future<Output = ()> + Send + 'static,
    ) {
        self.0.lock().unwrap().before = Some(Before(call, what.boxed()));
    }

    /// The calls since then.
    pub(crate) fn calls(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().calls.clone()
    }

    fn next(&self, call: &'static str) -> Option<(Truth, StoreError)> {
        let mut inner = self.0.lock().unwrap();
        let n = inner.calls.len();
        inner.calls.push(call);
        if call == "begin" && inner.away > 0 && inner.fails.is_some_and(|(at, ..)| at < n) {
            inner.away -= 1;
            let error = StoreError::new(Fault::Unreachable, "a faulty store", "it is away");
            return Some((Truth::Nothing, error));
        }
        let (_, truth, fault) = inner.fails.filter(|(at, ..)| *at == n)?;
        Some((
            truth,
            StoreError::new(fault, "a faulty store", format!("call {n}, {call}, was to fail")),
        ))
    }

    async fn call<T>(&self, name: &'static str, call: StoreFuture<'_, T>) -> Result<T, StoreError> {
        let before = self.0.lock().unwrap().before.take_if(|Before(wanted, _)| *wanted == name);
        if let Some(Before(_, what)) = before {
            what.await;
        }
        match self.next(name) {
            None => call.await,
            Some((Truth::Nothing, error)) => Err(error),
            Some((Truth::Everything, error)) => {
                call.await?;
                Err(error)
            }
        }
    }

    async fn tiles_call<T>(
        &self,
        name: &'static str,
        call: StoreFuture<'_, T>,
    ) -> Result<T, StoreError> {
        let (cut, slow) = {
            let inner = self.0.lock().unwrap();
            (inner.cut, inner.slow)
        };
        if !slow.is_zero() {
            tokio::time::sleep(slow).await;
        }
        match cut {
            Some(fault) => Err(StoreError::new(fault, "a faulty store", "it is cut off")),
            None => self.call(name, call).await,
        }
    }

    /// The same state, by this plan.
    pub(crate) fn wrap_state(&self, inner: Arc<dyn State>) -> Arc<dyn State> {
        Arc::new(FaultyState { inner, plan: self.clone() })
    }

    /// The same ledger on stores that follow this plan.
    pub(crate) fn wrap(&self, parts: Parts) -> Parts {
        Parts {
            state: self.wrap_state(parts.state),
            tiles: Arc::new(FaultyTiles { inner: parts.tiles, plan: self.clone() }),
            ..parts
        }
    }
}

#[derive(Debug)]
struct FaultyState {
    inner: Arc<dyn State>,
    plan: Plan,
}

#[derive(Debug)]
struct FaultyTiles {
    inner: Arc<dyn Tiles>,
    plan: Plan,
}

struct Faulty<T: ?Sized> {
    inner: Box<T>,
    plan: Plan,
    _connection: Option<OwnedSemaphorePermit>,
}

impl State for FaultyState {
    fn begin(&self) -> StoreFuture<'_, Box<dyn Transaction>> {
        async {
            let inner = self.plan.call("begin", self.inner.begin()).await?;
            let faulty: Box<dyn Transaction> =
                Box::new(Faulty { inner, plan: self.plan.clone(), _connection: None });
            Ok(faulty)
        }
        .boxed()
    }
    fn read(&self) -> StoreFuture<'_, Box<dyn Read>> {
        async {
            let unread = self.plan.0.lock().unwrap().unread;
            if let Some(fault) = unread {
                return Err(StoreError::new(fault, "a faulty store", "nobody reads it"));
            }
            let connection = self.plan.connection().await?;
            let inner = self.plan.call("read", self.inner.read()).await?;
            let plan = self.plan.clone();
            let faulty: Box<dyn Read> = Box::new(Faulty { inner, plan, _connection: connection });
            Ok(faulty)
        }
        .boxed()
    }
    fn readers(&self) -> Option<usize> {
        let inner = self.plan.0.lock().unwrap();
        inner.readers.as_ref().map(|(most, ..)| *most).or_else(|| self.inner.readers())
    }
    fn time(&self) -> StoreFuture<'_, Option<u64>> {
        let time = self.plan.0.lock().unwrap().server_time;
        async move { Ok(time) }.boxed()
    }
    fn drop_entries(&self, before: u64) -> StoreFuture<'_, ()> {
        self.plan.call("drop_entries", self.inner.drop_entries(before)).boxed()
    }
    fn write_memos<'a>(&'a self, memos: &'a [Memo]) -> StoreFuture<'a, ()> {
        let bytes: usize =
            memos.iter().filter_map(|memo| memo.value.as_ref()).map(String::len).sum();
        let room = self.plan.0.lock().unwrap().room;
        if room.is_some_and(|room| bytes > room) {
            let full = StoreError::new(
                Fault::NoSpace,
                "a faulty store",
                format!("{bytes} bytes do not fit"),
            );
            return futures::future::ready(Err(full)).boxed();
        }
        self.plan.call("write_memos", self.inner.write_memos(memos)).boxed()
    }
    fn lease(&self) -> StoreFuture<'_, Option<Lease>> {
        self.plan.call("lease", self.inner.lease()).boxed()
    }
    fn scrub(&self) -> StoreFuture<'_, bool> {
        self.plan.call("scrub", self.inner.scrub()).boxed()
    }
    fn close(&self) -> StoreFuture<'_, ()> {
        self.inner.close()
    }
}

macro_rules! faulty_reads {
    ($($inner:ty),*) => {$(
        impl Read for Faulty<$inner> {
            fn head(&mut self) -> StoreFuture<'_, Head> {
                self.plan.call("head", self.inner.head()).boxed()
            }
            fn lives<'a>(&'a mut self, of: &'a [Commitment]) -> StoreFuture<'a, Vec<StoredLife>> {
                self.plan.call("lives", self.inner.lives(of)).boxed()
            }
            fn lives_from<'a>(
                &'a mut self,
                choice: &'a Choice,
                from: u64,
                most: u32,
            ) -> StoreFuture<'a, Vec<StoredLife>> {
                self.plan.call("lives_from", self.inner.lives_from(choice, from, most)).boxed()
            }
            fn tables<'a>(&'a mut self, of: &'a [Table]) -> StoreFuture<'a, Vec<(Table, Commitment)>> {
                self.plan.call("tables", self.inner.tables(of)).boxed()
            }

            fn tables_after<'a>(&'a mut self, after: Option<&'a Table>, most: u32) -> StoreFuture<'a, Vec<Table>> {
                self.plan.call("tables_after", self.inner.tables_after(after, most)).boxed()
            }
            fn answers<'a>(&'a mut self, keys: &'a [String], since: u64) -> StoreFuture<'a, Vec<Answer>> {
                self.plan.call("answers", self.inner.answers(keys, since)).boxed()
            }
            fn answers_after(&mut self, after: Option<u64>, most: u32) -> StoreFuture<'_, Vec<Answer>> {
                self.plan.call("answers_after", self.inner.answers_after(after, most)).boxed()
            }
            fn segments(&mut self, range: Range<u64>) -> StoreFuture<'_, Vec<Segment>> {
                self.plan.call("segments", self.inner.segments(range)).boxed()
            }
            fn round(&mut self, under: u64, nonce: Nonce) -> StoreFuture<'_, Vec<u64>> {
                self.plan.call("round", self.inner.round(under, nonce)).boxed()
            }
            fn rounds_after(
                &mut self,
                after: Option<RoundEntry>,
                most: u32,
            ) -> StoreFuture<'_, Vec<RoundEntry>> {
                self.plan.call("rounds_after", self.inner.rounds_after(after, most)).boxed()
            }
            fn nodes(&mut self, level: u32, range: Range<u64>) -> StoreFuture<'_, Vec<(u64, Hash)>> {
                self.plan.call("nodes", self.inner.nodes(level, range)).boxed()
            }
            fn memos<'a>(
                &'a mut self,
                kind: &'a str,
                prefix: &'a str,
                after: Option<&'a str>,
                most: u32,
            ) -> StoreFuture<'a, Vec<(String, String)>> {
                self.plan.call("memos", self.inner.memos(kind, prefix, after, most)).boxed()
            }
            fn memos_of<'a>(
                &'a mut self,
                kind: &'a str,
                keys: &'a [String],
            ) -> StoreFuture<'a, Vec<(String, String)>> {
                self.plan.call("memos_of", self.inner.memos_of(kind, keys)).boxed()
            }
            fn memos_after<'a>(&'a mut self, after: Option<&'a Memo>, most: u32) -> StoreFuture<'a, Vec<Memo>> {
                self.plan.call("memos_after", self.inner.memos_after(after, most)).boxed()
            }
            fn check(&mut self) -> StoreFuture<'_, Vec<String>> {
                self.plan.call("check", self.inner.check()).boxed()
            }
        }
    )*};
}
faulty_reads!(dyn Read, dyn Transaction);

impl Transaction for Faulty<dyn Transaction> {
    fn write<'a>(&'a mut self, growth: &'a Growth) -> StoreFuture<'a, ()> {
        self.plan.call("write", self.inner.write(growth)).boxed()
    }
    fn reseal<'a>(&'a mut self, lives: &'a [StoredLife]) -> StoreFuture<'a, ()> {
        self.plan.call("reseal", self.inner.reseal(lives)).boxed()
    }
    fn anew(self: Box<Self>) -> StoreFuture<'static, Anew> {
        async move { self.plan.call("anew", self.inner.anew()).await }.boxed()
    }
    fn commit(self: Box<Self>) -> StoreFuture<'static, ()> {
        async move { self.plan.call("COMMIT", self.inner.commit()).await }.boxed()
    }
    fn roll_back(self: Box<Self>) -> StoreFuture<'static, ()> {
        async move { self.plan.call("roll_back", self.inner.roll_back()).await }.boxed()
    }
}

impl Tiles for FaultyTiles {
    fn is_conditional(&self) -> bool {
        self.plan.0.lock().unwrap().conditional
    }
    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Vec<u8>>> {
        if path == "checkpoint" && self.plan.0.lock().unwrap().no_checkpoint {
            return async { Ok(None) }.boxed();
        }
        self.plan.tiles_call("get", self.inner.get(path)).boxed()
    }
    fn create(&self, files: Vec<NewFile>) -> StoreFuture<'_, Option<String>> {
        self.plan.tiles_call("create", self.inner.create(files)).boxed()
    }
    fn publish(&self, files: Vec<NewFile>, checkpoint: Step) -> StoreFuture<'_, Option<String>> {
        self.plan.tiles_call("publish", self.inner.publish(files, checkpoint)).boxed()
    }
    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()> {
        self.plan.tiles_call("replace", self.inner.replace(path, bytes)).boxed()
    }
    fn list<'a>(&'a self, folder: &'a str) -> StoreFuture<'a, BTreeMap<String, u64>> {
        self.plan.tiles_call("list", self.inner.list(folder)).boxed()
    }
    fn is_durable(&self) -> bool {
        self.is_conditional() || self.inner.is_durable()
    }
    fn sync(&self) -> StoreFuture<'_, ()> {
        self.plan.tiles_call("sync", self.inner.sync()).boxed()
    }
    fn remove_partials(&self, full: Vec<String>) -> StoreFuture<'_, ()> {
        self.plan.tiles_call("remove_partials", self.inner.remove_partials(full)).boxed()
    }
    fn tidy(&self) -> StoreFuture<'_, ()> {
        self.plan.tiles_call("tidy", self.inner.tidy()).boxed()
    }
}
