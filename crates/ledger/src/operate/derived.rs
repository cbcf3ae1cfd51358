//! All that follows from the log's entries, to compare a state with.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::core::Core;
use crate::deal::command::is_borne;
use crate::deal::judging::{OwnJudge, OwnLog};
use crate::error::LedgerError;
use crate::operate::tile_check;
use crate::publish::right_edge::is_stored;
use crate::publish::tree::{Tree, places};
use crate::read::rounds::round_entry;
use crate::store::{RoundEntry, Segment, StoredLife};
use crate::witness::anchors::Place;
use fairdeal::log::{
    Checkpoint, EntryBundle, Frontier, Hash, Level, Node, TILE_WIDTH, TilePath, leaf_hash,
};
use fairdeal::record::entry::Entry;
use fairdeal::record::life::{Effect, Extent};
use fairdeal::record::{Code, Finding, Judge};

/// With fewer entries left, reading ahead is not worth it: the rest is read while others wait.
const WORTH: u64 = 1024;

/// See the module. It covers the entries that were read so far.
pub(crate) struct FromLog {
    pub(crate) judge: OwnJudge,
    /// The index of each commitment, and the sum of its rounds' entries.
    pub(crate) rounds: BTreeMap<u64, RoundSum>,
    pub(crate) nodes: Vec<(Node, Hash)>,
    pub(crate) findings: Vec<Finding>,
    /// The log's anchors.
    pub(crate) anchors: Vec<Place>,
    /// The faults of the state's tail, if the published files have the right entries.
    pub(crate) lost: Vec<String>,
    /// The right tail: the entries from the head's `kept` on.
    pub(crate) tail: Vec<Segment>,
    tree: Frontier,
}

/// The number of a commitment's round entries, and a sum in which no two different lists are likely
/// to agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RoundSum {
    pub(crate) count: u64,
    sum: u64,
}

impl RoundSum {
    pub(crate) fn add(&mut self, one: &RoundEntry) {
        // SplitMix64's finisher: a changed bit of either number changes half of the sum's bits.
        let mix = |mut x: u64| {
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ (x >> 31)
        };
        self.count += 1;
        self.sum = self.sum.wrapping_add(mix(mix(one.nonce.value()).wrapping_add(one.index)));
    }
}

/// A file or a part of the state whose entries are not those of the log, and what is wrong there.
pub(crate) type Wrong = (String, String);

/// Gets the number of entries read, and of all.
pub(crate) type Bar<'a> = &'a mut (dyn FnMut(u64, u64) + Send);

impl FromLog {
    pub(crate) fn new(core: &Core) -> Self {
        let log = OwnLog::of(core);
        Self {
            judge: Judge::noting(log, Extent::Whole),
            rounds: BTreeMap::new(),
            nodes: Vec::new(),
            findings: Vec::new(),
            anchors: Vec::new(),
            lost: Vec::new(),
            tail: Vec::new(),
            tree: Frontier::new(),
        }
    }

    pub(crate) fn root(&self) -> Hash {
        self.tree.root()
    }

    /// Reads the entries that only published files have. They never change, so that nobody must
    /// wait.
    pub(crate) async fn read_ahead(
        &mut self,
        core: &Core,
        progress: Bar<'_>,
    ) -> Result<Option<Wrong>, LedgerError> {
        loop {
            let (mut read, head) = core.read().await?;
            core.check_signed(&head)?;
            Core::check_open(&head)?;
            let full = head.kept - head.kept % u64::from(TILE_WIDTH);
            if full < self.tree.size() + WORTH {
                return Ok(None);
            }
            let wrong = self
                .read(core.tree(&mut *read, &head), &head.frontier, full, None, progress)
                .await?;
            if wrong.is_some() {
                return Ok(wrong);
            }
        }
    }

    /// Reads more entries of this tree, until there are `until`, or until one is not the log's.
    /// `signed` is the tree of the head's checkpoint, `public` the published checkpoint.
    pub(crate) async fn read(
        &mut self,
        mut tree: Tree<'_>,
        signed: &Frontier,
        until: u64,
        public: Option<&Checkpoint>,
        progress: Bar<'_>,
    ) -> Result<Option<Wrong>, LedgerError> {
        let size = tree.size;
        // A checkpoint that went back is compared with the state's own tree.
        if let Some(back) = public.filter(|public| public.size() < self.tree.size()) {
            match tree.root_at(back.size()).await {
                Ok(state) if state == *back.root() => {}
                Ok(state) => return Ok(Some(other_tree(back, state))),
                Err(error) => return Ok(Some(("node".to_owned(), error.to_string()))),
            }
        }
        if let Some(wrong) = self.against(&mut tree, signed, public).await {
            return Ok(Some(wrong));
        }
        let first = self.tree.size() / u64::from(TILE_WIDTH);
        for bundle in first..until.div_ceil(u64::from(TILE_WIDTH)) {
            let path = TilePath::at_size(Level::Entries, bundle, size)?;
            let entries = match self.bundle(&mut tree, signed.root(), path).await {
                Ok(entries) => entries,
                Err(wrong) => return Ok(Some(wrong)),
            };
            for bytes in entries {
                self.take(&bytes)?;
                if let Some(wrong) = self.against(&mut tree, signed, public).await {
                    return Ok(Some(wrong));
                }
            }
            progress(self.tree.size(), size);
        }
        Ok(None)
    }

    /// The entries of a bundle. If the published file has the entries that the log has signed, and
    /// the state's tail has others, the tail is wrong.
    async fn bundle(
        &mut self,
        tree: &mut Tree<'_>,
        signed: Hash,
        path: TilePath,
    ) -> Result<Vec<Vec<u8>>, Wrong> {
        let public = tree.published_bundle(path).await;
        if places(path).start < tree.kept {
            return public.map_err(|error| (path.to_text(), error.to_string()));
        }
        let says = match tree.stored_bundle(path).await {
            Ok(Some(kept)) => {
                if leads(tree, signed, path, &kept).await {
                    self.keep(path, &kept)?;
                    return Ok(Vec::clone(&kept));
                }
                format!("its entries from {} on are not those of the log", places(path).start)
            }
            Ok(None) => format!("some of its entries from {} on are missing", places(path).start),
            Err(error) => error.to_string(),
        };
        match public {
            Ok(entries) if leads(tree, signed, path, &entries).await => {
                self.keep(path, &entries)?;
                self.lost.push(says);
                Ok(entries)
            }
            _ => Err((TAIL.to_owned(), says)),
        }
    }

    /// Keeps a bundle's entries for the tail, as a row of it has them.
    fn keep(&mut self, path: TilePath, entries: &[Vec<u8>]) -> Result<(), Wrong> {
        let bundle =
            EntryBundle::new(entries.to_vec()).map_err(|e| (TAIL.to_owned(), e.to_string()))?;
        let (first, count) = (places(path).start, path.width());
        self.tail.push(Segment { first, count, bytes: bundle.to_bytes() });
        Ok(())
    }

    /// Compares the published checkpoint with the entries, once there are as many.
    async fn against(
        &self,
        tree: &mut Tree<'_>,
        signed: &Frontier,
        public: Option<&Checkpoint>,
    ) -> Option<Wrong> {
        let public = public.filter(|public| public.size() == self.tree.size())?;
        let (size, found) = (public.size(), self.tree.root());
        if *public.root() == found {
            return None;
        }
        // If the state's own tree has that root, the checkpoint is right, and an entry is wrong.
        // The head's tree is signed, the tail is not.
        let state = if signed.size() == size {
            signed.root()
        } else {
            tree.root_at(size).await.unwrap_or(found)
        };
        if state == *public.root() {
            return Some(not_signed(size, found, state));
        }
        Some(other_tree(public, state))
    }

    /// Judges the next entry.
    fn take(&mut self, bytes: &[u8]) -> Result<(), LedgerError> {
        let (index, nodes) = (self.tree.size(), &mut self.nodes);
        let completed = |node: Node, hash| {
            if is_stored(node) {
                nodes.push((node, hash));
            }
        };
        self.tree.push_with(leaf_hash(bytes), completed)?;
        let judged = self.judge.apply_bytes(index, bytes);
        // A finding that the ledger accepts is no fault of its state. An audit compares the
        // checkpoints that players saw with the tree: it keeps the roots for that.
        let faults = judged
            .findings
            .into_iter()
            .filter(|finding| !is_borne(finding) && finding.code != Code::SplitView);
        self.findings.extend(faults);
        let Ok(entry) = Entry::parse(bytes) else { return Ok(()) };
        if let (Entry::Anchor(anchor), Some(Effect::Anchored)) = (&entry, &judged.effect) {
            self.anchors.push(Place::of(index, anchor));
        }
        let Some(commitment) = entry.commitment() else { return Ok(()) };
        let Some((life, secret)) = self.judge.noted(&commitment) else { return Ok(()) };
        let under = life.index;
        if life.end.is_some() && secret.ended_at.is_none() {
            secret.ended_at = Some(index);
        }
        let sum = self.rounds.entry(under).or_default();
        if let Some(one) = round_entry(under, secret.ended_at, (index, &entry)) {
            sum.add(&one);
        }
        Ok(())
    }

    /// The lives in log order.
    pub(crate) fn lives(&self) -> Vec<StoredLife> {
        let mut lives: Vec<StoredLife> = self
            .judge
            .remembered()
            .lives
            .into_iter()
            .map(|(life, secret)| StoredLife {
                life: life.clone(),
                ended_at: secret.ended_at,
                seed: Arc::clone(&secret.seed),
            })
            .collect();
        lives.sort_by_key(|stored| stored.life.index);
        lives
    }
}

/// The part of the state that has the newest entries.
pub(crate) const TAIL: &str = "tail";

/// Whether these are the bundle's entries, by what the log has signed. If the state cannot say, the
/// root of all entries will.
async fn leads(tree: &mut Tree<'_>, signed: Hash, path: TilePath, entries: &[Vec<u8>]) -> bool {
    let leaves: Vec<Hash> = entries.iter().map(|entry| leaf_hash(entry)).collect();
    tile_check::is_right(tree, signed, path, &leaves).await.unwrap_or(true)
}

fn other_tree(public: &Checkpoint, state: Hash) -> Wrong {
    let error = LedgerError::OtherTree { size: public.size(), state, public: *public.root() };
    ("checkpoint".to_owned(), error.to_string())
}

/// The entries are not those of the log. The check of the files says in which file.
pub(crate) fn not_signed(size: u64, found: Hash, signed: Hash) -> Wrong {
    let says = format!(
        "{size} entries lead to the root {}, the log has signed {}",
        found.to_hex(),
        signed.to_hex()
    );
    ("entries".to_owned(), says)
}
