//! A running audit: one thread reads ahead, the others parse and hash entries and replay deals, and
//! the rules are applied in the log's order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::prelude::*;

use super::aside::{Aside, Before, put, put_missed};
use super::audit::AuditOptions;
use super::observer::{AuditObserver, StopAudit};
use super::roots::Roots;
use super::stretch::{Prepared, Stretch, WithTiles, stretches};
use super::tiles::{TileReadError, Tiles};
use crate::{Keep, Missed, Partial, Replayed, Replays, Signed, Tallied, TallyWork, Times, Under};
use fairdeal::log::{Checkpoint, Hash, HashTile, TileBuilder, TilePath};
use fairdeal::record::finding::entries;
use fairdeal::record::life::Cosigned;
use fairdeal::record::{Code, Finding};

/// The number of [`Replays`] that run before their results are added: one commitment may have two
/// thousand.
const AT_ONCE: usize = 64;

/// The state of a running audit.
pub(super) struct Run<'a> {
    tiles: &'a Tiles,
    under: Under<'a>,
    audit: Partial,
    builder: TileBuilder,
    roots: Roots<'a>,
    /// The checkpoint's size.
    size: u64,
    /// The number of entries that the resumed audit had judged.
    known: u64,
    /// Whether the log goes on from the saved state, so that a new one may replace it.
    is_kept: bool,
    judged_at: Times,
    /// The checkpoint's size and root; `None` if it promises none.
    promised: Option<Checkpoint>,
    /// Whether the entries read are those of the promised root (spec/audit.md, 13.2).
    has_roots: bool,
    /// Whether rows are collected.
    rows: bool,
    /// Findings on the whole log: on its checkpoint, older checkpoints and missing files. They are
    /// not part of the state.
    today: Vec<Finding>,
}

/// An audit at its end, and its state to resume from.
pub(super) struct Ended {
    pub(super) audit: Partial,
    pub(super) state: Option<String>,
    pub(super) signed: Signed,
}

/// Why an audit ends without a verdict.
#[derive(Debug)]
pub(super) enum Stopped {
    /// A file could not be read.
    Unreadable(String),
    /// The observer stopped it.
    ByObserver(StopAudit),
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    /// Later entries cannot be judged without the missing ones.
    Stop,
}

/// The fault of a wrong tile. A tile that cannot be read ends the audit.
fn fault(error: TileReadError) -> Result<String, Stopped> {
    match error {
        TileReadError::Fault(says) => Ok(says),
        TileReadError::Unreadable(says) => Err(Stopped::Unreadable(says)),
    }
}

impl<'a> Run<'a> {
    /// Starts at the log's first entry, or resumes.
    pub(super) fn new(
        tiles: &'a Tiles,
        options: &AuditOptions<'a>,
        promised: Option<Checkpoint>,
        found: Vec<Finding>,
        aside: Option<Aside>,
        missed: Missed,
    ) -> Self {
        let under = options.judged_under();
        let size = promised.as_ref().map_or(0, Checkpoint::size);
        let mut roots = Roots::new(tiles, size);
        let (mut audit, builder) = if let Some(aside) = aside {
            aside.into_parts(&mut roots)
        } else {
            (Partial::start_under(under), TileBuilder::default())
        };
        if options.statistics {
            audit.count_deals(options.statistics_after);
        }
        audit.expect_late(missed, options.times.clock);
        let known = audit.ends().1;
        let is_kept = true;
        let (today, rows) = (found, false);
        let has_roots = promised.is_some();
        let judged_at = options.times;
        Self {
            tiles,
            under,
            audit,
            builder,
            roots,
            size,
            known,
            is_kept,
            judged_at,
            promised,
            has_roots,
            rows,
            today,
        }
    }

    /// Reads and judges every entry. The next stretch is prepared while one is judged.
    pub(super) fn read_all(&mut self, watch: &mut impl AuditObserver) -> Result<(), Stopped> {
        let (tiles, size, known) = (self.tiles, self.size, self.known);
        let under = self.under;
        // The last bundle is read even if none of its entries is new, unless it is full.
        if known == size && size.is_multiple_of(256) {
            return Ok(());
        }
        let with_tiles = if tiles.files().has_tiles() { WithTiles::Yes } else { WithTiles::No };
        std::thread::scope(|scope| {
            let (send, mut ahead) = sync_channel(1);
            let reader = move || {
                for bundles in stretches(known / 256, size) {
                    if send.send(Stretch::read(tiles, bundles, size, with_tiles)).is_err() {
                        return; // the audit has ended
                    }
                }
            };
            std::thread::Builder::new().spawn_scoped(scope, reader).map_err(|error| {
                Stopped::Unreadable(format!("could not start a thread that reads: {error}"))
            })?;
            let prepare = move |stretch: Stretch| stretch.prepare(under, known);
            let mut now = next(&mut ahead, prepare);
            while let Some(prepared) = now {
                let (after, judged) =
                    rayon::join(|| next(&mut ahead, prepare), || self.judge(prepared, watch));
                let next = judged?;
                watch.progress(self.audit.ends().1, size);
                now = after.filter(|_| next == Next::GoOn);
            }
            Ok(())
        })
    }

    /// The number of entries that the resumed audit had judged; 0 if none is resumed.
    pub(super) const fn judged_before(&self) -> u64 {
        self.known
    }

    /// From now on, rows are collected and passed to the observer.
    pub(super) fn keep_rows(&mut self, keep: Keep) {
        self.audit.keep_rows(keep);
        self.rows = true;
    }

    fn hand_over(&mut self, watch: &mut impl AuditObserver) -> Result<(), Stopped> {
        if self.rows {
            watch.rows(self.audit.take_rows()).map_err(Stopped::ByObserver)?;
        }
        Ok(())
    }

    fn judge(
        &mut self,
        prepared: Vec<Prepared>,
        watch: &mut impl AuditObserver,
    ) -> Result<Next, Stopped> {
        for one in prepared {
            let first = self.audit.ends().1;
            // The first bundle may begin with entries that the resumed audit has judged.
            let judged = usize::try_from(first % 256).unwrap_or_default();
            let judged = one.leaves.get(..judged);
            let is_same =
                one.entries.is_err() || judged.is_some_and(|same| self.audit.ends_with(same));
            if let Some(error) = one.tile {
                self.today(Code::TreeMismatch, fault(error)?);
            }
            let merged = match one.entries {
                Ok(partial) => self.audit.merge(partial).map_err(|error| error.to_string()),
                Err(error) => Err(fault(error)?),
            };
            if let Err(says) = merged {
                let left = self.size.saturating_sub(first);
                let are = if left == 1 { "is" } else { "are" };
                self.has_no_roots(format!("{says}; {} {are} not shown", entries(left)));
                return Ok(Next::Stop);
            }
            if is_same {
                self.roots.add_leaves(first / 256, one.leaves);
            } else {
                let says = format!("the first {first} are not those that were judged before");
                self.has_no_roots(says);
            }
            for (node, hash) in self.audit.take_nodes() {
                self.roots.add(node, hash);
                if let Some((path, tile)) = self.builder.add(node, hash) {
                    self.compare(path, &tile)?;
                }
            }
            self.settle()?;
        }
        self.hand_over(watch)?;
        let mut replays = self.audit.take_replays().into_iter();
        while replays.len() > 0 {
            let some: Vec<Replays> = replays.by_ref().take(AT_ONCE).collect();
            let replayed: Vec<Replayed> = some.into_par_iter().map(Replays::run).collect();
            for one in replayed {
                self.audit.replayed(one);
            }
            self.hand_over(watch)?;
            let work = self.audit.take_tally_work();
            let tallied: Vec<Tallied> = work.into_par_iter().map(TallyWork::run).collect();
            for one in tallied {
                self.audit.tallied(one);
            }
        }
        Ok(Next::GoOn)
    }

    fn today(&mut self, code: Code, says: String) {
        self.today.push(Finding::about_the_log(code, says));
    }

    /// The entries are not those of the promised root, or the roots at earlier sizes cannot be known.
    fn has_no_roots(&mut self, says: String) {
        self.has_roots = false;
        self.today(Code::TreeMismatch, says);
    }

    /// Files that are published with other bytes than were read are findings.
    pub(super) fn published_otherwise(&mut self, changed: Vec<String>) {
        for says in changed {
            self.today(Code::TreeMismatch, says);
        }
    }

    /// Compares a published tile with the tree of the entries.
    fn compare(&mut self, path: TilePath, tile: &HashTile) -> Result<(), Stopped> {
        if self.tiles.files().has_tiles()
            && let Err(error) = self.tiles.compare(path, tile)
        {
            self.today(Code::TreeMismatch, fault(error)?);
        }
        Ok(())
    }

    /// Compares the roots that players and anchors name with this log's.
    fn settle(&mut self) -> Result<(), Stopped> {
        for claim in self.audit.take_claims() {
            let mut roots = BTreeMap::new();
            for size in claim.sizes() {
                match self.roots.at(size) {
                    Ok(Some(root)) => drop(roots.insert(size, root)),
                    Ok(None) => {}
                    // Files that the resumed audit has judged are not compared otherwise.
                    Err(error) => {
                        let says = fault(error)?;
                        if self.has_roots {
                            self.has_no_roots(says);
                        }
                    }
                }
            }
            self.audit.settle(&claim, &roots);
        }
        Ok(())
    }

    /// Checks that an older checkpoint is of a prefix of this log; returns whether that is shown.
    pub(super) fn older(&mut self, name: &str, old: &Checkpoint) -> Result<bool, Stopped> {
        if old.size() > self.size {
            let says = format!("{name} has {}, the log only {}", entries(old.size()), self.size);
            self.today(Code::RolledBack, says);
            return Ok(false);
        }
        let Some(root) = self.root_at(old.size())? else { return Ok(false) };
        if root != *old.root() {
            let says = format!(
                "at size {} {name} has root {}, the log {}: both are signed, this is a fork",
                old.size(),
                old.root().to_hex(),
                root.to_hex()
            );
            self.today(Code::Inconsistent, says);
        }
        Ok(root == *old.root() && self.has_roots)
    }

    /// The root to compare with that of an older checkpoint: at the promised size the promised one,
    /// at a smaller size the log's; `None` if there is none.
    fn root_at(&mut self, size: u64) -> Result<Option<Hash>, Stopped> {
        if let Some(promised) = self.promised.as_ref().filter(|promised| promised.size() == size) {
            return Ok(Some(*promised.root()));
        }
        if !self.has_roots {
            return Ok(None);
        }
        match self.roots.at(size) {
            Ok(root) => Ok(root),
            Err(error) => {
                let says = fault(error)?;
                self.has_no_roots(says);
                Ok(None)
            }
        }
    }

    /// Compares the tree of an earlier audit, from which this one could not go on. What that one
    /// has seen is kept, unless the log goes on from it and only the policy is another one.
    /// `is_signed` is whether the key signed today's checkpoint.
    pub(super) fn departed(
        &mut self,
        before: Before,
        is_signed: bool,
        is_other_policy: bool,
    ) -> Result<(), Stopped> {
        self.is_kept = false;
        let Before { size, root } = before;
        if size > self.size {
            let says = format!(
                "the log has {}, and when it was audited before it had {size}",
                entries(self.size)
            );
            self.today(Code::RolledBack, says);
            return Ok(());
        }
        let now = self.root_at(size)?;
        self.is_kept = is_other_policy && now == Some(root);
        if let Some(now) = now.filter(|now| *now != root) {
            let both = if is_signed {
                ": both are signed, this is a fork, and the saved state has the checkpoint of before"
            } else {
                ""
            };
            let says = format!(
                "at size {size} it has root {}, and when it was audited before {}{both}",
                now.to_hex(),
                root.to_hex()
            );
            self.today(Code::Inconsistent, says);
        }
        Ok(())
    }

    /// Compares the partial tiles and the checkpoint with the entries.
    pub(super) fn compare_rest(&mut self) -> Result<(), Stopped> {
        // If entries are missing, some of these tiles are narrower than the checkpoint's.
        let is_promised =
            |path: TilePath| TilePath::at_size(path.level(), path.index(), self.size) == Ok(path);
        let mut partial = self.builder.partial();
        partial.retain(|(path, _)| is_promised(*path));
        for (path, tile) in &partial {
            self.compare(*path, tile)?;
        }
        if let Some(promised) = &self.promised
            && let Some(tree) = self.audit.tree().filter(|tree| tree.size() == self.size)
            && tree.root() != *promised.root()
        {
            let mut says = format!(
                "the entries give root {}, the checkpoint has {}",
                tree.root().to_hex(),
                promised.root().to_hex()
            );
            if self.known > 0 {
                let known = self.known;
                says = format!(
                    "{says}; the first {known} are those of the audit that this one resumes"
                );
            }
            self.has_no_roots(says);
        }
        Ok(())
    }

    /// Ends the audit. `note`: the log's checkpoint, if nothing is wrong with it; `before`: the text
    /// of the state to resume from, which may be empty; without it no state is made;
    /// `is_promise_signed`: whether the key signed the promised root; `head`: the quorum that has
    /// signed the checkpoint. The new state has the tree
    /// only if the log has roots: a tree that anybody may have made would accuse the honest log in
    /// every later audit.
    pub(super) fn end(
        mut self,
        note: Option<&str>,
        before: Option<&str>,
        is_promise_signed: bool,
        head: Option<Cosigned>,
    ) -> Result<Ended, Stopped> {
        let signed = match (is_promise_signed, self.has_roots) {
            (true, true) => Signed::Entries,
            (true, false) => Signed::Checkpoint,
            (false, _) => Signed::Nothing,
        };
        // In an old copy nothing new is missed.
        let is_old = self.today.iter().any(|found| found.code == Code::RolledBack);
        let since = head.as_ref().filter(|_| self.has_roots).and_then(|head| head.quorum.since);
        let missed =
            self.audit.missed(if is_old { Times::default() } else { self.judged_at }, since);
        let Self { mut audit, roots, today, is_kept, has_roots, size, .. } = self;
        let state = match (note.filter(|_| is_kept && has_roots), before) {
            (Some(note), Some(_)) => put(&audit, &roots, note, missed).map(Some),
            (None, Some(before)) if signed == Signed::Entries => put_missed(before, missed),
            _ => Ok(None),
        };
        let state = state.map_err(|error| Stopped::Unreadable(error.to_string()))?;
        for finding in today {
            audit.find(finding);
        }
        match head {
            _ if !has_roots => audit.without_roots(),
            Some(cosigned) if size > 0 => audit.head_cosigned(size, cosigned),
            _ => {}
        }
        Ok(Ended { audit, state, signed })
    }
}

/// The next stretch, parsed and hashed.
fn next(
    ahead: &mut Receiver<Stretch>,
    prepare: impl Fn(Stretch) -> Vec<Prepared>,
) -> Option<Vec<Prepared>> {
    ahead.recv().ok().map(prepare)
}
