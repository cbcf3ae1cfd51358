//! The sequencer's state between two batches: the head, the lives that it has loaded, and the
//! tree's right edge.
//!
//! Invariant: it is used only if the head in the database is the one that it was kept with. After
//! another process's entry, or a failed commit, it is loaded again. Its size is at most [`MOST`]
//! commitments.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::Core;
use crate::deal::batch::Waiting;
use crate::deal::command::Command;
use crate::deal::in_play::{self, InPlay};
use crate::deal::judging::{OwnJudge, OwnLog, Secret};
use crate::error::LedgerError;
use crate::operate::memos;
use crate::publish::right_edge::Edge;
use crate::store::{Head, StoredLife, Transaction};
use fairdeal::deal::Commitment;
use fairdeal::record::Judge;
use fairdeal::record::entry::Table;
use fairdeal::record::life::View as _;
use fairdeal::record::receipt::SignedBy;

/// The most commitments that are kept between batches.
const MOST: usize = 10_000;

/// See the module. The sequencer alone has it.
#[derive(Debug)]
pub(crate) struct Working {
    pub(crate) head: Head,
    pub(crate) judge: OwnJudge,
    pub(crate) edge: Edge,
    /// The policies that this batch's new commitments may inherit.
    pub(crate) policies: BTreeMap<Commitment, String>,
    /// The rounds in play of the commitments that this batch may reveal.
    pub(crate) in_play: InPlay,
}

impl Working {
    /// Takes what was kept, if it is of this head, or loads it again.
    pub(crate) async fn of(
        core: &Core,
        transaction: &mut dyn Transaction,
        head: Head,
    ) -> Result<Self, LedgerError> {
        let kept = core.working.lock().await.take();
        if let Some(kept) = kept.filter(|kept| kept.head == head && kept.judge.known() <= MOST) {
            return Ok(kept);
        }
        core.check_signed(&head)?;
        let edge = Edge::load(&mut core.tree(transaction, &head), &head).await?;
        let log = OwnLog::of(core);
        let judge = Judge::resume(log, head.time);
        Ok(Self { head, judge, edge, policies: BTreeMap::new(), in_play: InPlay::new() })
    }

    /// Keeps it for the next batch.
    pub(crate) async fn keep(self, core: &Core) {
        *core.working.lock().await = Some(self);
    }

    /// Loads what a batch needs and what is not loaded yet.
    pub(crate) async fn load(
        &mut self,
        core: &Core,
        transaction: &mut dyn Transaction,
        waiting: &[Waiting],
    ) -> Result<(), LedgerError> {
        let named: BTreeSet<Commitment> =
            waiting.iter().filter_map(|w| w.command.commitment()).collect();
        self.load_lives(transaction, named).await?;
        let table = |w: &Waiting| match (&w.command, w.command.commitment()) {
            (Command::Commit(new), _) => Some(new.terms.table.clone()),
            (command, Some(commitment)) if command.wants_next() => {
                self.judge.life(&commitment).map(|life| life.commit.table.clone())
            }
            _ => None,
        };
        let tables: BTreeSet<Table> = waiting.iter().filter_map(table).collect();
        let tables: Vec<Table> =
            tables.into_iter().filter(|table| self.judge.last_of(table).is_none()).collect();
        let last = transaction.tables(&tables).await?;
        // A commit is judged against its table's last commitment.
        self.load_lives(transaction, last.iter().map(|(_, commitment)| *commitment).collect())
            .await?;
        for (table, commitment) in last {
            if self.judge.life(&commitment).is_none() {
                let says = format!(
                    "table {}: its last commitment {commitment} is missing",
                    table.as_str()
                );
                return Err(LedgerError::Damaged(says));
            }
            self.judge.learn_table(table, commitment);
        }
        self.in_play = in_play::of_batch(transaction, waiting).await?;
        self.policies = memos::policies(transaction, &self.judge, waiting).await?;
        self.load_roots(core, transaction, waiting).await
    }

    async fn load_lives(
        &mut self,
        transaction: &mut dyn Transaction,
        wanted: BTreeSet<Commitment>,
    ) -> Result<(), LedgerError> {
        let missing: Vec<Commitment> =
            wanted.into_iter().filter(|one| self.judge.life(one).is_none()).collect();
        for StoredLife { life, ended_at, seed } in transaction.lives(&missing).await? {
            self.judge.learn(life, Secret { seed, ended_at });
        }
        Ok(())
    }

    /// Loads the roots at the sizes of the contributors' checkpoints, if this log signed these.
    async fn load_roots(
        &mut self,
        core: &Core,
        transaction: &mut dyn Transaction,
        waiting: &[Waiting],
    ) -> Result<(), LedgerError> {
        let size = self.head.frontier.size();
        let signed = SignedBy(core.key());
        let sizes: BTreeSet<u64> = waiting
            .iter()
            .flat_map(|w| w.command.contributions())
            .filter_map(|one| one.seen.as_ref())
            .filter(|seen| seen.size.value() <= size && signed.is_signed(seen))
            .map(|seen| seen.size.value())
            .collect();
        let mut tree = core.tree(transaction, &self.head);
        let mut roots = BTreeMap::new();
        for size in sizes {
            roots.insert(size, tree.root_at(size).await?);
        }
        self.judge.view_mut().roots = roots;
        Ok(())
    }
}
