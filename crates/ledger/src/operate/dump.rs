//! All rows of a state, as typed pages that are read from one state and written into another.
//!
//! Copying a state, a backup and a restore load every page. A change of the vault key, `fsck` and
//! the verification of a backup read the pages of commitments.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use crate::core::check_signed;
use crate::error::LedgerError;
use crate::publish::right_edge::Edge;
use crate::publish::tree::Tree;
use crate::store::{
    Choice, Growth, Head, Memo, Read, RoundEntry, Sqlite, State as _, StoredLife, Transaction,
};
use fairdeal::log::{Frontier, Node, VerifierKey};
use fairdeal::record::entry::Table;

/// Rows in one page.
const PAGE: u32 = 2000;

/// Entries whose bytes are in one page: some bundles.
const ENTRIES: u64 = 32 * 256;

/// The number of rows of each kind that were copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copied {
    /// Entries of the log.
    pub entries: u64,
    /// Commitments, with their sealed seeds.
    pub commitments: u64,
    /// Places of rounds' entries, and of ends.
    pub rounds: u64,
    /// Answers to idempotency keys.
    pub answers: u64,
    /// Memos.
    pub memos: u64,
}

impl Copied {
    fn add(&mut self, page: &Growth) {
        let count = |rows: usize| u64::try_from(rows).unwrap_or(u64::MAX);
        self.commitments += count(page.commitments.len());
        self.rounds += count(page.rounds.len());
        self.answers += count(page.answers.len());
        self.memos += count(page.memos.len());
    }

    /// The number of entries done: most entries are one row of `round` or of `commitment`.
    fn done(&self) -> u64 {
        self.commitments + self.rounds
    }
}

/// The start of a page, in an order that every store has.
#[derive(Clone, Debug, PartialEq, Eq)]
enum At {
    Entries(u64),
    Commitments(u64),
    Rounds(Option<RoundEntry>),
    Nodes(u32, u64),
    Answers(Option<u64>),
    Memos(Option<Memo>),
    End,
}

/// Reads one page, and says where the next one starts.
async fn page(read: &mut dyn Read, head: &Head, at: At) -> Result<(Growth, At), LedgerError> {
    let size = head.frontier.size();
    let mut page = Growth::of_head(head.clone());
    let next = match at {
        At::Entries(from) if from >= size => At::Commitments(0),
        At::Entries(from) => {
            page.segments = read.segments(from..from + ENTRIES).await?;
            At::Entries(from + ENTRIES)
        }
        At::Commitments(from) => {
            page.commitments = read.lives_from(&Choice::default(), from, PAGE).await?;
            // A table is written with the page that has its last commitment.
            let tables: BTreeSet<Table> =
                page.commitments.iter().map(|stored| stored.life.commit.table.clone()).collect();
            page.tables = read.tables(&tables.into_iter().collect::<Vec<_>>()).await?;
            let last = page.commitments.last();
            last.map_or(At::Rounds(None), |last| At::Commitments(last.life.index + 1))
        }
        At::Rounds(after) => {
            page.rounds = read.rounds_after(after, PAGE).await?;
            page.rounds.last().map_or(At::Nodes(8, 0), |last| At::Rounds(Some(*last)))
        }
        At::Nodes(level, _) if size.unbounded_shr(level) == 0 => At::Answers(None),
        At::Nodes(level, from) if from >= size >> level => At::Nodes(level + 8, 0),
        At::Nodes(level, from) => {
            for (index, hash) in read.nodes(level, from..from + u64::from(PAGE)).await? {
                let node = Node::new(level, index)?;
                page.nodes.push((node, hash));
            }
            At::Nodes(level, from + u64::from(PAGE))
        }
        At::Answers(after) => {
            page.answers = read.answers_after(after, PAGE).await?;
            page.answers.last().map_or(At::Memos(None), |last| At::Answers(Some(last.index)))
        }
        At::Memos(after) => {
            page.memos = read.memos_after(after.as_ref(), PAGE).await?;
            page.memos.last().map_or(At::End, |last| At::Memos(Some(last.clone())))
        }
        At::End => At::End,
    };
    Ok((page, next))
}

/// Writes all rows of one state into another one, which has none, with this head. `progress` gets
/// how many entries are done.
pub(crate) async fn load(
    from: &mut dyn Read,
    to: &mut dyn Transaction,
    head: &Head,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<(), LedgerError> {
    let (mut at, mut copied) = (At::Entries(head.kept), Copied::default());
    while at != At::End {
        let (rows, next) = page(from, head, at).await?;
        to.write(&rows).await?;
        copied.add(&rows);
        progress(copied.done());
        at = next;
    }
    Ok(())
}

/// Reads two states, and compares them row by row. `progress` gets how many entries are done.
pub(crate) async fn compare(
    source: &mut dyn Read,
    target: &mut dyn Read,
    head: &Head,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Copied, LedgerError> {
    let (mut at, size) = (At::Entries(head.kept), head.frontier.size());
    let mut copied = Copied { entries: size, ..Copied::default() };
    while at != At::End {
        let (ours, next) = page(source, head, at.clone()).await?;
        if page(target, head, at.clone()).await?.0 != ours {
            return Err(LedgerError::Damaged(format!("the copy differs: {at:?}")));
        }
        copied.add(&ours);
        progress(copied.done());
        at = next;
    }
    Ok(copied)
}

/// Checks that a state has this head, that the head's checkpoint is signed by the log's key, and
/// that the rows of the last tiles lead to its root.
pub(crate) async fn check(read: &mut dyn Read, head: &Head) -> Result<(), LedgerError> {
    if read.head().await? != *head {
        return Err(LedgerError::Damaged("the copy's head is another one".to_owned()));
    }
    let key = VerifierKey::parse(&head.key)
        .map_err(|e| LedgerError::Damaged(format!("the copied key: {e}")))?;
    check_signed(head, &key)?;
    let (size, kept) = (head.frontier.size(), head.kept);
    // Nothing published is read: a state has all of its last tiles.
    let mut tree = Tree { read, tiles: None, size, kept, memory: None };
    Edge::load(&mut tree, head).await?;
    Ok(())
}

/// The head of a state that is to be filled, closed for a reason or not.
pub(crate) fn empty(head: &Head, closed: Option<String>) -> Head {
    Head { frontier: Frontier::new(), time: None, kept: 0, clock: None, closed, ..head.clone() }
}

/// Makes a state in a new file, and loads it in one transaction. `from` must be of one moment.
pub(crate) async fn load_file(
    from: &mut dyn Read,
    file: &Path,
    wait: Duration,
) -> Result<Sqlite, LedgerError> {
    let head = from.head().await?;
    let state = Sqlite::create(file, wait, &empty(&head, None)).await?;
    let mut to = state.begin().await?;
    load(from, &mut *to, &head, &mut |_| ()).await?;
    check(&mut *to, &head).await?;
    to.commit().await?;
    Ok(state)
}

/// The pages of a state's commitments, in log order.
#[derive(Debug, Default)]
pub(crate) struct Commitments {
    from: u64,
}

impl Commitments {
    /// How many entries are done.
    pub(crate) const fn done(&self) -> u64 {
        self.from
    }

    /// The next page. `None` at the end.
    pub(crate) async fn next(
        &mut self,
        read: &mut dyn Read,
    ) -> Result<Option<Vec<StoredLife>>, LedgerError> {
        let page = read.lives_from(&Choice::default(), self.from, PAGE).await?;
        let Some(last) = page.last() else { return Ok(None) };
        self.from = last.life.index + 1;
        Ok(Some(page))
    }
}
