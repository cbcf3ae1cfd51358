//! Copies a state into another database, for instance from SQLite to PostgreSQL and back.
//!
//! At no moment can both be dealt from: that would be a fork. So the copy is closed until the old state is, and the old state
//! says for ever where it went. A copy that was interrupted goes on when it is asked for again.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;

use crate::LedgerOptions;
use crate::core::check_signed;
use crate::error::LedgerError;
use crate::publish::right_edge::Edge;
use crate::publish::tree::{Recent, Tree};
use crate::setup::folder;
use crate::setup::folder::Layout;
use crate::setup::location::{StateUrl, Use, create_state, open_state};
use crate::store::{
    Choice, Fault, Growth, Head, Lease, Memo, NewFile, Read, RoundEntry, State, Step, StoreError,
    StoreFuture, Tiles,
};
use fairdeal::deal::Commitment;
use fairdeal::log::{Frontier, VerifierKey};
use fairdeal::record::entry::Table;

/// Rows in one page.
const PAGE: u32 = 2000;

/// Entries whose bytes are in one page: some bundles.
const ENTRIES: u64 = 32 * 256;

/// How often to ask for a lease that another process holds.
const RETRY: Duration = Duration::from_millis(20);

/// A state: a ledger's folder, or a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatePlace {
    /// The file in the private part of a ledger's folder.
    Folder(PathBuf),
    /// A database.
    Url(StateUrl),
}

impl FromStr for StatePlace {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.contains("://") {
            return Ok(Self::Url(StateUrl::new(text)));
        }
        // What is said of it must hold in any folder.
        Ok(Self::Folder(std::path::absolute(text).unwrap_or_else(|_| text.into())))
    }
}

/// Without a password.
impl fmt::Display for StatePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(dir) => dir.display().fmt(f),
            Self::Url(url) => url.fmt(f),
        }
    }
}

impl StatePlace {
    fn parts(&self) -> (Option<&StateUrl>, PathBuf) {
        match self {
            Self::Folder(dir) => (None, Layout::of(dir).state()),
            Self::Url(url) => (Some(url), PathBuf::new()),
        }
    }

    /// The state there. Where a database has none, its own words say whether a name is wrong.
    async fn source(&self, options: &LedgerOptions) -> Result<Arc<dyn State>, LedgerError> {
        let (url, file) = self.parts();
        if url.is_none() && !file.exists() {
            return Err(LedgerError::NotALedger {
                path: PathBuf::from(self.to_string()),
                says: "there is no state to copy".to_owned(),
            });
        }
        open_state(url, &file, options, Use::Write).await
    }

    async fn open(&self, options: &LedgerOptions) -> Result<Option<Arc<dyn State>>, LedgerError> {
        let (url, file) = self.parts();
        if url.is_none() && !file.exists() {
            return Ok(None);
        }
        match open_state(url, &file, options, Use::Write).await {
            Ok(state) => Ok(Some(state)),
            Err(LedgerError::Store(StoreError { fault: Fault::Missing, .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn create(
        &self,
        options: &LedgerOptions,
        first: &Head,
    ) -> Result<Arc<dyn State>, LedgerError> {
        let (url, file) = self.parts();
        if let (None, Some(private)) = (url, file.parent()) {
            folder::private_folder(private)?;
        }
        create_state(url, &file, options, first).await
    }
}

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copied {
    /// How many entries the log has.
    pub entries: u64,
    /// How many commitments, with their sealed seeds.
    pub commitments: u64,
    /// How many places of rounds' entries, and of ends.
    pub rounds: u64,
    /// How many answers to idempotency keys.
    pub answers: u64,
    /// How many memos.
    pub memos: u64,
}

/// Copies a state, and moves the ledger to the copy. `progress` gets how much is done, of how much.
///
/// # Errors
/// [`LedgerError::Taken`] where the target holds something else; [`LedgerError::Moved`] where the source went elsewhere.
pub async fn copy_state(
    from: &StatePlace,
    to: &StatePlace,
    options: &LedgerOptions,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Copied, LedgerError> {
    if from == to {
        return Err(LedgerError::Invalid("TO: expected another place than FROM".to_owned()));
    }
    if let StatePlace::Folder(dir) = to {
        folder::outside_of_others(dir)?;
    }
    let source = from.source(options).await?;
    let _lease = lease(&*source, options.wait).await?;
    let mut reading = source.begin().await?;
    reading.take_long().await?;
    let head = reading.head().await?;
    let gone = format!("it went to {to}");
    if let Some(why) = head.closed.as_ref().filter(|why| **why != gone) {
        return Err(LedgerError::Moved(why.clone()));
    }
    if head.closed.is_some() && is_finished(to, options, &head).await? {
        return Err(LedgerError::Moved(format!("{gone}, and the copy there is finished")));
    }
    let begun = format!("the copy of {from} into it is not finished");
    let whole = Head {
        closed: Some(format!("it is a copy of {from}, which is not closed yet")),
        ..head.clone()
    };
    let target = target(to, options, &head, &begun).await?;
    let mut writing = target.begin().await?;
    writing.take_long().await?;
    let found = writing.head().await?;
    if found.closed.as_ref() == Some(&begun) {
        let mut pages = Pages::new(&whole);
        while let Some(page) = pages.next(&mut *reading).await? {
            writing.write(&page).await?;
            progress(pages.done(), 2 * pages.all());
        }
        writing.write(&Growth::of_head(whole.clone())).await?;
    } else if found != whole {
        return Err(if found.closed == whole.closed {
            outdated(to, &found, &head)
        } else {
            taken(to)
        });
    }
    let copied = compare(&mut *reading, &mut *writing, &whole, progress).await?;
    check(&mut *writing, &whole).await?;
    writing.commit().await?;
    // From here on nothing is dealt from the source; and only then from the target.
    if head.closed.is_none() {
        reading.write(&Growth::of_head(Head { closed: Some(gone), ..head.clone() })).await?;
        reading.commit().await?;
    } else {
        reading.roll_back().await?;
    }
    let mut opening = target.begin().await?;
    if opening.head().await? != whole {
        return Err(taken(to));
    }
    opening.write(&Growth::of_head(Head { closed: None, ..head })).await?;
    opening.commit().await?;
    target.close().await?;
    source.close().await?;
    Ok(copied)
}

fn taken(to: &StatePlace) -> LedgerError {
    LedgerError::Taken {
        what: to.to_string(),
        says: "it holds another state already, and nothing is copied over it".to_owned(),
    }
}

/// A copy that was written before the state went on.
fn outdated(to: &StatePlace, found: &Head, head: &Head) -> LedgerError {
    let (copied, now) = (found.frontier.size(), head.frontier.size());
    LedgerError::Taken {
        what: to.to_string(),
        says: format!(
            "it holds a copy of this state at {copied} entries, and the state has {now} now: remove that copy, and ask again"
        ),
    }
}

/// Whether the target of a state that has moved is open: it was copied, and the ledger goes on there.
async fn is_finished(
    to: &StatePlace,
    options: &LedgerOptions,
    head: &Head,
) -> Result<bool, LedgerError> {
    let Some(there) = to.open(options).await? else { return Ok(false) };
    let found = there.read().await?.head().await?;
    there.close().await?;
    Ok(found.closed.is_none() && found.key == head.key)
}

/// The right to publish: nobody may be between a batch and its files.
async fn lease(state: &dyn State, wait: Duration) -> Result<Lease, LedgerError> {
    let asking = async {
        loop {
            if let Some(lease) = state.lease().await? {
                return Ok(lease);
            }
            tokio::time::sleep(RETRY).await;
        }
    };
    let busy = |_| StoreError::new(Fault::Busy, "the state", "another process is publishing");
    tokio::time::timeout(wait, asking).await.map_err(busy)?
}

/// The target: made now, or left by a copy of the same state that was interrupted.
async fn target(
    to: &StatePlace,
    options: &LedgerOptions,
    head: &Head,
    begun: &str,
) -> Result<Arc<dyn State>, LedgerError> {
    let Some(there) = to.open(options).await? else {
        let first = Head {
            frontier: Frontier::new(),
            time: None,
            kept: 0,
            clock: None,
            closed: Some(begun.to_owned()),
            ..head.clone()
        };
        return to.create(options, &first).await;
    };
    let found = there.read().await?.head().await?;
    if found.closed.is_none() || found.key != head.key {
        return Err(taken(to));
    }
    Ok(there)
}

/// What a page is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Entries(u64),
    Commitments(u64),
    Tables,
    Rounds,
    Nodes(u32, u64),
    Answers,
    Memos,
}

/// All rows of a state, page by page, in an order that every store has.
struct Pages<'a> {
    head: &'a Head,
    about: About,
    tables: BTreeMap<Table, Commitment>,
    round: Option<RoundEntry>,
    answer: Option<u64>,
    memo: Option<Memo>,
    copied: Copied,
}

impl<'a> Pages<'a> {
    fn new(head: &'a Head) -> Self {
        let copied = Copied { entries: head.frontier.size(), ..Copied::default() };
        let (tables, about) = (BTreeMap::new(), About::Entries(head.kept));
        Self { head, about, tables, round: None, answer: None, memo: None, copied }
    }

    /// Most entries are one row of `round` or of `commitment`.
    fn done(&self) -> u64 {
        self.copied.rounds + self.copied.commitments
    }

    fn all(&self) -> u64 {
        self.head.frontier.size()
    }

    /// The next page with something in it.
    async fn next(&mut self, read: &mut dyn Read) -> Result<Option<Growth>, LedgerError> {
        let size = self.head.frontier.size();
        loop {
            let mut page = Growth::of_head(self.head.clone());
            match self.about {
                About::Entries(from) if from < size => {
                    page.segments = read.segments(from..from + ENTRIES).await?;
                    self.about = About::Entries(from + ENTRIES);
                    return Ok(Some(page));
                }
                About::Entries(_) => self.about = About::Commitments(0),
                About::Commitments(from) => {
                    page.commitments = read.lives_from(&Choice::default(), from, PAGE).await?;
                    let Some(last) = page.commitments.last() else {
                        self.about = About::Tables;
                        continue;
                    };
                    self.about = About::Commitments(last.life.index + 1);
                    for stored in &page.commitments {
                        let commit = &stored.life.commit;
                        self.tables.insert(commit.table.clone(), commit.commitment);
                    }
                    self.copied.commitments += count(page.commitments.len());
                    return Ok(Some(page));
                }
                About::Tables => {
                    let names: Vec<Table> = self.tables.keys().cloned().collect();
                    for some in names.chunks(1000) {
                        page.tables.extend(read.tables(some).await?);
                    }
                    self.about = About::Rounds;
                    return Ok(Some(page));
                }
                About::Rounds => {
                    page.rounds = read.rounds_after(self.round, PAGE).await?;
                    if let Some(last) = page.rounds.last() {
                        self.round = Some(*last);
                        self.copied.rounds += count(page.rounds.len());
                        return Ok(Some(page));
                    }
                    self.about = About::Nodes(8, 0);
                }
                About::Nodes(level, _) if level >= u64::BITS || size >> level == 0 => {
                    self.about = About::Answers;
                }
                About::Nodes(level, from) if from >= size >> level => {
                    self.about = About::Nodes(level + 8, 0)
                }
                About::Nodes(level, from) => {
                    let nodes = read.nodes(level, from..from + u64::from(PAGE)).await?;
                    for (index, hash) in nodes {
                        let node = fairdeal::log::Node::new(level, index);
                        page.nodes
                            .push((node.map_err(|e| LedgerError::Damaged(e.to_string()))?, hash));
                    }
                    self.about = About::Nodes(level, from + u64::from(PAGE));
                    return Ok(Some(page));
                }
                About::Answers => {
                    page.answers = read.answers_after(self.answer, PAGE).await?;
                    if let Some(last) = page.answers.last() {
                        self.answer = Some(last.index);
                        self.copied.answers += count(page.answers.len());
                        return Ok(Some(page));
                    }
                    self.about = About::Memos;
                }
                About::Memos => {
                    page.memos = read.memos_after(self.memo.as_ref(), PAGE).await?;
                    let Some(last) = page.memos.last() else { return Ok(None) };
                    self.memo = Some(last.clone());
                    self.copied.memos += count(page.memos.len());
                    return Ok(Some(page));
                }
            }
        }
    }
}

fn count(rows: usize) -> u64 {
    u64::try_from(rows).unwrap_or(u64::MAX)
}

/// Reads both, and holds them against each other row by row.
async fn compare(
    source: &mut dyn Read,
    target: &mut dyn Read,
    whole: &Head,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Copied, LedgerError> {
    let (mut ours, mut theirs) = (Pages::new(whole), Pages::new(whole));
    loop {
        let about = ours.about;
        let (one, other) = (ours.next(source).await?, theirs.next(target).await?);
        if one != other {
            return Err(LedgerError::Damaged(format!("the copy differs: {about:?}")));
        }
        progress(ours.all() + ours.done(), 2 * ours.all());
        if one.is_none() {
            return Ok(ours.copied);
        }
    }
}

/// The copy's checkpoint is signed by the log's key, over the tree that its entries and nodes lead to.
async fn check(target: &mut dyn Read, whole: &Head) -> Result<(), LedgerError> {
    let head = target.head().await?;
    if head != *whole {
        return Err(LedgerError::Damaged("the copy's head is another one".to_owned()));
    }
    let key = VerifierKey::parse(&head.key)
        .map_err(|e| LedgerError::Damaged(format!("the copied key: {e}")))?;
    check_signed(&head, &key)?;
    let size = head.frontier.size();
    let (kept, recent) = (head.kept, Recent::default());
    let mut tree = Tree { read: target, tiles: &NoTiles, size, kept, published: None, recent };
    Edge::load(&mut tree, &head).await?;
    Ok(())
}

/// The last tiles are read from the database alone.
#[derive(Debug)]
struct NoTiles;

impl NoTiles {
    fn none<T: Send + 'static>() -> StoreFuture<'static, T> {
        let says = "the state lacks what is in no full tile yet";
        async move { Err(StoreError::new(Fault::Missing, "the copy", says)) }.boxed()
    }
}

impl Tiles for NoTiles {
    fn get<'a>(&'a self, _path: &'a str) -> StoreFuture<'a, Option<Vec<u8>>> {
        Self::none()
    }
    fn create(&self, _files: Vec<NewFile>) -> StoreFuture<'_, Option<String>> {
        Self::none()
    }
    fn publish(&self, _files: Vec<NewFile>, _checkpoint: Step) -> StoreFuture<'_, Option<String>> {
        Self::none()
    }
    fn replace<'a>(&'a self, _path: &'a str, _bytes: Vec<u8>) -> StoreFuture<'a, ()> {
        Self::none()
    }
    fn list(&self) -> StoreFuture<'_, BTreeMap<String, u64>> {
        Self::none()
    }
    fn remove_partials(&self, _full: Vec<String>) -> StoreFuture<'_, ()> {
        Self::none()
    }
    fn tidy(&self) -> StoreFuture<'_, ()> {
        Self::none()
    }
}
