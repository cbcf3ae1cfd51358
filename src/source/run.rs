//! An audit under way: one thread reads ahead, the others read and hash entries and replay deals, and the rules are
//! applied in the log's order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, sync_channel};

use rayon::prelude::*;

use super::aside::{Aside, put};
use super::audit::AuditOptions;
use super::observer::AuditObserver;
use super::roots::Roots;
use super::stretch::{Prepared, Stretch, WithTiles, stretches};
use super::tiles::{TileReadError, Tiles};
use crate::audit::{FindingList, Keep, Partial, Replayed, Replays, SavedError, Signatures, TileBuilder};
use crate::log::{Checkpoint, HashTile, TilePath, VerifierKey};
use crate::record::{Code, Finding};

/// Pieces replayed before what they came to is taken in: a commitment may have two thousand.
const AT_ONCE: usize = 64;

/// What was judged so far, and what is held against the files.
pub(super) struct Run<'a> {
    tiles: &'a Tiles,
    key: &'a VerifierKey,
    signatures: Signatures,
    audit: Partial,
    builder: TileBuilder,
    roots: Roots<'a>,
    /// What the checkpoint promises.
    size: u64,
    /// How many entries were judged another day.
    known: u64,
    /// Whether it is put aside at the end.
    is_kept: bool,
    /// Players' checkpoints that contradict the log, to count once it is known that its files agree.
    forked: FindingList,
    /// Whether nothing was found wrong with the files.
    agree: bool,
    /// Whether rows are collected.
    rows: bool,
    /// What is found anew each day: about the checkpoint, older ones, and what is missing.
    today: Vec<Finding>,
}

/// An audit at its end, and what to put aside of it.
pub(super) struct Ended {
    pub(super) audit: Partial,
    pub(super) state: Option<String>,
}

/// Why an audit ends without a verdict.
#[derive(Debug)]
pub(super) enum Stopped {
    /// Something could not be read.
    Unreadable(String),
    /// Whoever watches does not want to go on.
    Watch(String),
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    /// What comes next can't be judged without what is missing.
    Stop,
}

/// What concerns the log as a whole.
pub(super) fn about_the_log(code: Code, says: impl Into<String>) -> Finding {
    Finding { code, index: None, commitment: None, nonce: None, says: says.into() }
}

/// What the log is at fault with; where nobody could say, that is the end of the audit.
fn fault(error: TileReadError) -> Result<String, Stopped> {
    match error {
        TileReadError::Fault(says) => Ok(says),
        TileReadError::Unreadable(says) => Err(Stopped::Unreadable(says)),
    }
}

impl<'a> Run<'a> {
    /// Starts at the log's first entry, or goes on from what was put aside.
    ///
    /// # Errors
    /// [`SavedError`] where that is not of this log, or cannot be read.
    pub(super) fn new(
        tiles: &'a Tiles,
        options: &AuditOptions<'a>,
        size: u64,
        found: Vec<Finding>,
    ) -> Result<Self, SavedError> {
        let key = options.key;
        let mut roots = Roots::new(tiles, size);
        let (mut audit, builder) = match options.state {
            Some(text) if !text.is_empty() => Aside::take(text, key)?.into_parts(&mut roots),
            _ => (Partial::start(key.clone()), TileBuilder::default()),
        };
        if options.statistics {
            audit.count_deals();
        }
        let known = audit.ends().1;
        let is_kept = options.state.is_some();
        let (forked, today, agree, rows) = (FindingList::default(), found, true, false);
        let signatures = options.signatures;
        Ok(Self {
            tiles,
            key,
            signatures,
            audit,
            builder,
            roots,
            size,
            known,
            is_kept,
            forked,
            agree,
            rows,
            today,
        })
    }

    /// Reads and judges every entry: what was read last is prepared while the stretch before it is judged.
    pub(super) fn read_all(&mut self, watch: &mut impl AuditObserver) -> Result<(), Stopped> {
        let (tiles, size, known) = (self.tiles, self.size, self.known);
        let (key, signatures) = (self.key, self.signatures);
        if known > size {
            let says = format!("the log has {size} entries, and when it was audited before it had {known}");
            self.today(Code::Inconsistent, says);
            return Ok(());
        }
        if known == size {
            return Ok(());
        }
        let with_tiles = if tiles.files().has_tiles() { WithTiles::Yes } else { WithTiles::No };
        std::thread::scope(|scope| {
            let (send, mut ahead) = sync_channel(1);
            let reader = move || {
                for bundles in stretches(known >> 8, size) {
                    if send.send(Stretch::read(tiles, bundles, size, with_tiles)).is_err() {
                        return; // nobody waits for more
                    }
                }
            };
            std::thread::Builder::new()
                .spawn_scoped(scope, reader)
                .map_err(|error| Stopped::Unreadable(format!("there is no thread to read with: {error}")))?;
            let prepare = move |stretch: Stretch| stretch.prepare(key, known, signatures);
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

    /// What is met is collected as rows, and handed over before there are many.
    pub(super) fn keep_rows(&mut self, keep: Keep) {
        self.audit.keep_rows(keep);
        self.rows = true;
    }

    fn hand_over(&mut self, watch: &mut impl AuditObserver) -> Result<(), Stopped> {
        if self.rows {
            watch.rows(self.audit.take_rows()).map_err(Stopped::Watch)?;
        }
        Ok(())
    }

    fn judge(&mut self, prepared: Vec<Prepared>, watch: &mut impl AuditObserver) -> Result<Next, Stopped> {
        for one in prepared {
            let first = self.audit.ends().1;
            if let Some(error) = one.tile {
                self.disagree(fault(error)?);
            }
            let merged = match one.entries {
                Ok(partial) => self.audit.merge(partial).map_err(|error| error.to_string()),
                Err(error) => Err(fault(error)?),
            };
            if let Err(says) = merged {
                let left = self.size.saturating_sub(first);
                self.disagree(format!("{says}; {left} entries are not shown"));
                return Ok(Next::Stop);
            }
            self.roots.add_leaves(&one.leaves);
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
        }
        Ok(Next::GoOn)
    }

    fn today(&mut self, code: Code, says: String) {
        self.today.push(about_the_log(code, says));
    }

    /// The files do not agree with one another.
    fn disagree(&mut self, says: String) {
        self.agree = false;
        self.today(Code::TreeMismatch, says);
    }

    /// What was judged fits; what is published in its place is found, and nothing else hangs on it.
    pub(super) fn published_otherwise(&mut self, changed: Vec<String>) {
        for says in changed {
            self.today(Code::TreeMismatch, says);
        }
    }

    /// Holds a published tile against the tree of the entries.
    fn compare(&mut self, path: TilePath, tile: &HashTile) -> Result<(), Stopped> {
        if self.tiles.files().has_tiles()
            && let Err(error) = self.tiles.compare(path, tile)
        {
            self.disagree(fault(error)?);
        }
        Ok(())
    }

    /// Holds what players have seen against the roots that this log had then.
    fn settle(&mut self) -> Result<(), Stopped> {
        for claim in self.audit.take_claims() {
            let mut roots = BTreeMap::new();
            for size in claim.sizes() {
                match self.roots.at(size) {
                    Ok(Some(root)) => drop(roots.insert(size, root)),
                    Ok(None) => {}
                    Err(error) => drop(fault(error)?), // found where the tile is compared
                }
            }
            claim.contradicted_by(&roots).into_iter().for_each(|finding| self.forked.add(finding));
        }
        Ok(())
    }

    /// An older checkpoint must be of a prefix of this log; `unsigned` is what is wrong with its note. Whether it was
    /// shown to be.
    pub(super) fn older(
        &mut self,
        name: &str,
        old: Option<&Checkpoint>,
        unsigned: Option<Finding>,
    ) -> Result<bool, Stopped> {
        let Some(old) = old else {
            self.today(Code::BadSignature, format!("{name}: no checkpoint under this key"));
            return Ok(false);
        };
        if let Some(finding) = unsigned {
            self.today.push(Finding { says: format!("{name}: {}", finding.says), ..finding });
            return Ok(false);
        }
        if old.size() > self.size {
            let says = format!("{name} has {} entries, the log only {}", old.size(), self.size);
            self.today(Code::Inconsistent, says);
            return Ok(false);
        }
        // What somebody forked can't be told from what is damaged, and that is found already.
        if !self.agree {
            return Ok(false);
        }
        match self.roots.at(old.size()) {
            Ok(Some(root)) if root == *old.root() => return Ok(true),
            Ok(Some(root)) => {
                let says = format!(
                    "at size {} {name} has root {}, the log {}: both are signed, this is a fork",
                    old.size(),
                    old.root().to_base64(),
                    root.to_base64()
                );
                self.today(Code::Inconsistent, says);
            }
            Ok(None) => {}
            Err(error) => self.disagree(fault(error)?),
        }
        Ok(false)
    }

    /// Holds the tiles that are not full, and the checkpoint, against the entries.
    pub(super) fn compare_rest(&mut self, promised: Option<&Checkpoint>) -> Result<(), Stopped> {
        // Where entries are missing, not all of these are what the checkpoint promised.
        let is_promised =
            |path: TilePath| TilePath::at_size(path.level(), path.index(), self.size) == Ok(path);
        let mut partial = self.builder.partial();
        partial.retain(|(path, _)| is_promised(*path));
        for (path, tile) in &partial {
            self.compare(*path, tile)?;
        }
        if let Some(promised) = promised
            && let Some(tree) = self.audit.tree().filter(|tree| tree.size() == self.size)
            && tree.root() != *promised.root()
        {
            let mut says = format!(
                "the entries give root {}, the checkpoint has {}",
                tree.root().to_base64(),
                promised.root().to_base64()
            );
            if self.known > 0 {
                let known = self.known;
                says = format!("{says}; the first {known} are those of the audit that this one goes on from");
            }
            self.disagree(says);
        }
        Ok(())
    }

    /// The end; there is something to put aside only where the files agree.
    pub(super) fn end(self) -> Result<Ended, Stopped> {
        let Self { mut audit, roots, forked, today, agree, is_kept, .. } = self;
        if agree {
            audit.find_all(forked);
        }
        let state = (is_kept && agree).then(|| put(&audit, &roots)).transpose();
        let state = state.map_err(|error| Stopped::Unreadable(error.to_string()))?;
        for finding in today {
            audit.find(finding);
        }
        Ok(Ended { audit, state })
    }
}

/// The next stretch, read and hashed.
fn next(ahead: &mut Receiver<Stretch>, prepare: impl Fn(Stretch) -> Vec<Prepared>) -> Option<Vec<Prepared>> {
    ahead.recv().ok().map(prepare)
}
