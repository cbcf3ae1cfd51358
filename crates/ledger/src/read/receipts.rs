//! Receipts: entries of the published log with their proofs, verified before they are handed out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::core::{Core, Published};
use crate::deal::command::{Done, is_borne};
use crate::error::LedgerError;
use crate::publish::publisher::read_checkpoint;
use crate::publish::tree::Tree;
use crate::read::queries::{Entries, int, life, parse};
use crate::read::reader::Reader;
use crate::store::{Fault, Read, StoreError, StoredLife};
use crate::witness::anchors::first_over;
use fairdeal::deal::{Commitment, Digest, Nonce};
use fairdeal::log::{Checkpoint, TlogProof, leaf_hash, verify_consistency, verify_inclusion};
use fairdeal::record::entry::{Commit, Deal, Entry, Int, LoggedContribution};
use fairdeal::record::life::{Extent, Judge, Life};
use fairdeal::record::receipt::{Included, Receipt, SeenProof, SignedBy};

/// A receipt, and the round's entries in it.
pub(crate) struct Shown {
    pub(crate) receipt: Receipt,
    /// Without the commit.
    pub(crate) entries: Entries,
}

/// One look at the published log.
struct Look<'a> {
    note: String,
    checkpoint: Checkpoint,
    tree: Tree<'a>,
    /// Commits with their proofs, by index.
    commits: BTreeMap<u64, Included>,
}

impl<'a> Look<'a> {
    /// At what the world has now.
    async fn at(core: &'a Core, read: &'a mut dyn Read) -> Result<Self, LedgerError> {
        // Checkpoint first: what is published is committed, so the head is at least as large.
        let (note, checkpoint) = read_checkpoint(core).await?;
        let head = read.head().await?;
        Ok(Self::of(core, read, (note, checkpoint), head.kept))
    }

    /// At what this process has published last, from memory.
    fn last(core: &'a Core, read: &'a mut dyn Read, published: &Published) -> Self {
        let seen = (published.note.clone(), published.checkpoint.clone());
        Self::of(core, read, seen, core.kept(0))
    }

    fn of(
        core: &'a Core,
        read: &'a mut dyn Read,
        (note, checkpoint): (String, Checkpoint),
        kept: u64,
    ) -> Self {
        let (size, memory) = (checkpoint.size(), Some(&core.memory));
        let tree = Tree { read, tiles: Some(&*core.tiles), size, kept, memory };
        Self { note, checkpoint, tree, commits: BTreeMap::new() }
    }

    /// An entry with its proof, which holds.
    async fn included(&mut self, index: u64, entry: String) -> Result<Included, LedgerError> {
        let proof = self.tree.inclusion(index).await?;
        let (size, root) = (self.checkpoint.size(), self.checkpoint.root());
        verify_inclusion(&leaf_hash(entry.as_bytes()), index, size, &proof, root)
            .map_err(|e| StoreError::new(Fault::Damaged, "public", e.to_string()))?;
        Ok(Included { index: int(index)?, entry, proof })
    }

    /// The same of a commit, of which one look shows many rounds.
    async fn commit(
        &mut self,
        index: u64,
        commitment: Commitment,
    ) -> Result<Included, LedgerError> {
        if let Some(known) = self.commits.get(&index) {
            return Ok(known.clone());
        }
        let text = self.text(index).await?;
        let included = self.included(index, text).await?;
        match parse(index, included.entry.as_bytes())? {
            Entry::Commit(commit) if commit.commitment == commitment => {}
            _ => {
                let says = format!("entry {index} is not the commit of {commitment}");
                return Err(LedgerError::Damaged(says));
            }
        }
        self.commits.insert(index, included.clone());
        Ok(included)
    }

    async fn text(&mut self, index: u64) -> Result<String, LedgerError> {
        let bytes = self.tree.entry(index).await?;
        String::from_utf8(bytes).map_err(|e| LedgerError::Damaged(format!("entry {index}: {e}")))
    }

    async fn tlog_proof(&mut self, index: u64) -> Result<TlogProof, LedgerError> {
        self.check_published(&[index])?;
        let text = self.text(index).await?;
        let Included { proof, .. } = self.included(index, text).await?;
        Ok(TlogProof { extra: None, index, proof, checkpoint: self.note.clone() })
    }

    fn check_published(&self, indices: &[u64]) -> Result<(), LedgerError> {
        let published = self.checkpoint.size();
        match indices.iter().find(|index| **index >= published) {
            Some(&index) => Err(LedgerError::NotPublished { index, published }),
            None => Ok(()),
        }
    }
}

impl Reader {
    /// A receipt of a round, or of the commitment alone, under the newest published checkpoint.
    pub async fn receipt(
        &self,
        commitment: Commitment,
        nonce: Option<Nonce>,
    ) -> Result<Receipt, LedgerError> {
        self.core.is_open()?;
        let mut read = self.core.state.read().await?;
        Ok(shown(&self.core, &mut *read, commitment, nonce).await?.receipt)
    }

    /// A proof that an entry is in the log, for verifiers of any transparency log.
    ///
    /// # Errors
    /// [`LedgerError::NotPublished`] if the newest published checkpoint does not cover it.
    pub async fn tlog_proof(&self, index: u64) -> Result<TlogProof, LedgerError> {
        self.core.is_open()?;
        let mut read = self.core.state.read().await?;
        let mut look = Look::at(&self.core, &mut *read).await?;
        let proved = look.tlog_proof(index).await;
        proved.inspect_err(|error| self.core.memory.forget_damaged(error))
    }
}

/// The subject of a receipt: a round, or a commitment alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The commitment.
    pub commitment: Commitment,
    /// The round.
    pub nonce: Option<Nonce>,
    /// The deal, if this process has just made it. Otherwise it is looked up.
    deal: Option<Arc<JustDealt>>,
}

/// A deal that this process has made, as it was judged.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JustDealt {
    index: u64,
    nonce: Nonce,
    text: String,
    /// The index of its lock.
    lock: Option<u64>,
    /// The index of its commitment, and the terms.
    under: (u64, Arc<Commit>),
    /// The sizes of the checkpoints that its players name.
    seen: BTreeSet<Int>,
}

impl JustDealt {
    pub(crate) fn new(index: u64, deal: &Deal, text: String, life: &Life) -> Self {
        let lock = deal.lock.map(Int::value);
        let under = (life.index, Arc::clone(&life.commit));
        Self {
            index,
            nonce: deal.nonce,
            text,
            lock,
            under,
            seen: seen(deal.contributions()).collect(),
        }
    }
}

impl Asked {
    /// The subject of a receipt: a round, or a commitment alone.
    #[must_use]
    pub fn of(commitment: Commitment, nonce: Option<Nonce>) -> Self {
        Self { commitment, nonce, deal: None }
    }

    /// The round of an answer.
    #[must_use]
    pub fn after(done: &Done) -> Self {
        Self { deal: done.deal.clone(), ..Self::of(done.commitment, done.nonce) }
    }
}

/// A receipt, and the terms of its commitment.
pub type Proved = Result<(Receipt, Arc<Commit>), LedgerError>;

impl Reader {
    /// Receipts as by [`receipt`](Self::receipt), with the terms of their commitments, all under
    /// one checkpoint: cheaper than one by one.
    ///
    /// # Errors
    /// [`LedgerError`] if the log cannot be read. Each element may be the error of one receipt.
    pub async fn receipts(&self, asked: &[Asked]) -> Result<Vec<Proved>, LedgerError> {
        self.core.is_open()?;
        let mut read = self.core.state.read().await?;
        let newest = asked
            .iter()
            .map(|one| one.deal.as_ref().map(|deal| deal.index))
            .collect::<Option<Vec<_>>>();
        let newest = newest.and_then(|indices| indices.into_iter().max());
        let known = self
            .core
            .published()
            .filter(|known| newest.is_some_and(|index| index < known.checkpoint.size()));
        let mut look = match known {
            Some(published) => Look::last(&self.core, &mut *read, &published),
            None => Look::at(&self.core, &mut *read).await?,
        };
        let named: BTreeSet<Commitment> =
            asked.iter().filter(|one| one.deal.is_none()).map(|one| one.commitment).collect();
        let named: Vec<Commitment> = named.into_iter().collect();
        let lives =
            if named.is_empty() { Vec::new() } else { look.tree.read.lives(&named).await? };
        let lives: BTreeMap<Commitment, StoredLife> =
            lives.into_iter().map(|stored| (stored.life.commit.commitment, stored)).collect();
        let mut proved = Vec::with_capacity(asked.len());
        for one in asked {
            proved.push(match (&one.deal, lives.get(&one.commitment)) {
                (Some(deal), _) => {
                    let receipt = right_after(&self.core, &mut look, deal).await;
                    receipt.map(|receipt| (receipt, Arc::clone(&deal.under.1)))
                }
                (None, Some(stored)) => found(&self.core, &mut look, stored, one.nonce)
                    .await
                    .map(|shown| (shown.receipt, Arc::clone(&stored.life.commit))),
                (None, None) => Err(LedgerError::UnknownCommitment(one.commitment)),
            });
        }
        for error in proved.iter().filter_map(|one| one.as_ref().err()) {
            self.core.memory.forget_damaged(error);
        }
        Ok(proved)
    }
}

/// The receipt of a deal that was just made: nothing follows it in its round. That its text is in
/// the published log, as it was judged, the proof shows.
async fn right_after(
    core: &Core,
    look: &mut Look<'_>,
    deal: &JustDealt,
) -> Result<Receipt, LedgerError> {
    let (first, commitment) = (deal.under.0, deal.under.1.commitment);
    if let Some(lock) = deal.lock {
        let (index, next) = (first, deal.nonce.value() + 1);
        let has_beacon = deal.under.1.beacon.is_some();
        let standing = Standing { commitment, index, next, ended_at: None, has_beacon };
        return Ok(shown_at(core, look, &standing, Some(deal.nonce), &[lock, deal.index])
            .await?
            .receipt);
    }
    look.check_published(&[first, deal.index])?;
    let commit = look.commit(first, commitment).await?;
    let own = look.included(deal.index, deal.text.clone()).await?;
    let seen = seen_proofs(look, &deal.seen).await?;
    Ok(Receipt::new(vec![commit, own], look.note.clone(), seen))
}

/// The state of a commitment, as far as a receipt depends on it.
struct Standing {
    commitment: Commitment,
    /// Its own index.
    index: u64,
    /// The round that is next.
    next: u64,
    ended_at: Option<u64>,
    /// Whether its rounds wait for a beacon.
    has_beacon: bool,
}

impl Standing {
    fn of(stored: &StoredLife) -> Self {
        let Life { index, next, commit, .. } = &stored.life;
        Self {
            commitment: commit.commitment,
            index: *index,
            next: *next,
            ended_at: stored.ended_at,
            has_beacon: commit.beacon.is_some(),
        }
    }
}

pub(crate) async fn shown(
    core: &Core,
    read: &mut dyn Read,
    commitment: Commitment,
    nonce: Option<Nonce>,
) -> Result<Shown, LedgerError> {
    let mut look = Look::at(core, read).await?;
    let stored = life(look.tree.read, commitment).await?;
    let shown = found(core, &mut look, &stored, nonce).await;
    shown.inspect_err(|error| core.memory.forget_damaged(error))
}

/// Looks up a round, and shows it.
async fn found(
    core: &Core,
    look: &mut Look<'_>,
    stored: &StoredLife,
    nonce: Option<Nonce>,
) -> Result<Shown, LedgerError> {
    let commitment = stored.life.commit.commitment;
    let mut round = Vec::new();
    if let Some(nonce) = nonce {
        round = look.tree.read.round(stored.life.index, nonce).await?;
        if round.is_empty() {
            let next = stored.life.next;
            if nonce.value() < next || (nonce.value() == next && stored.life.open.is_some()) {
                let says = format!("round {nonce} of {commitment}: its entries are not found");
                return Err(LedgerError::Damaged(says));
            }
            return Err(LedgerError::UnknownRound { commitment, nonce, next });
        }
    }
    shown_at(core, look, &Standing::of(stored), nonce, &round).await
}

/// Shows a round whose entries are at these places.
async fn shown_at(
    core: &Core,
    look: &mut Look<'_>,
    standing: &Standing,
    nonce: Option<Nonce>,
    round: &[u64],
) -> Result<Shown, LedgerError> {
    let commitment = standing.commitment;
    let mut places = vec![standing.index];
    places.extend(round);
    // An end that is committed and not published yet is none so far: the round's receipt does not
    // wait for it.
    let end = standing.ended_at.filter(|end| *end < look.checkpoint.size());
    let mut sizes = BTreeSet::new();
    // The first anchors over the round and over its end show the earliest times of witnesses; and
    // that over a lock, that it was there before its beacon.
    let locked = round.first().copied().filter(|_| standing.has_beacon);
    for covered in places.last().copied().into_iter().chain(end).chain(locked) {
        if let Some((size, index)) = first_over(look.tree.read, covered).await?
            && index < look.checkpoint.size()
        {
            sizes.insert(int(size)?);
            places.push(index);
        }
    }
    places.extend(end);
    places.sort_unstable();
    places.dedup();
    look.check_published(&places)?;
    let (mut included, mut entries) = (Vec::new(), Vec::new());
    let mut judge = Judge::new(SignedBy(core.key()), Extent::Excerpt);
    for index in places {
        let text = look.text(index).await?;
        let one = look.included(index, text).await?;
        let entry = parse(index, one.entry.as_bytes())?;
        let is_anchor = matches!(entry, Entry::Anchor(_));
        if (entry.commitment() != Some(commitment) && !is_anchor)
            || entry.nonce().is_some_and(|found| Some(found) != nonce)
        {
            let says = format!("entry {index} is not about the round that it is kept for");
            return Err(LedgerError::Damaged(says));
        }
        // Nothing vouches for the list of a round's entries: without its lock a deal would look
        // wrong.
        if let Some(finding) =
            judge.apply(index, &entry).findings.iter().find(|finding| !is_borne(finding))
        {
            let says = format!(
                "entry {index} does not follow from those kept for its round: {}",
                finding.says
            );
            return Err(LedgerError::Damaged(says));
        }
        if !matches!(entry, Entry::Commit(_) | Entry::Anchor(_)) {
            entries.push((index, entry));
        }
        included.push(one);
    }
    let is_settled = |(_, entry): &(u64, Entry)| matches!(entry, Entry::Deal(_) | Entry::Void(_));
    if let Some(nonce) = nonce.filter(|nonce| nonce.value() < standing.next)
        && !entries.iter().any(is_settled)
    {
        let says = format!("round {nonce} of {commitment}: its deal or void is not found");
        return Err(LedgerError::Damaged(says));
    }
    sizes.extend(entries.iter().flat_map(|(_, entry)| seen(entry.contributions())));
    let seen = seen_proofs(look, &sizes).await?;
    Ok(Shown { receipt: Receipt::new(included, look.note.clone(), seen), entries })
}

/// The sizes of the checkpoints that players name.
fn seen(contributions: &[LoggedContribution]) -> impl Iterator<Item = Int> {
    contributions.iter().filter_map(|one| one.seen.as_ref()).map(|seen| seen.size)
}

/// Proves each of these sizes to be of the receipt's tree.
async fn seen_proofs(
    look: &mut Look<'_>,
    sizes: &BTreeSet<Int>,
) -> Result<Vec<SeenProof>, LedgerError> {
    let Look { checkpoint, tree, .. } = look;
    let mut proofs = Vec::new();
    for &size in sizes.iter().filter(|size| size.value() <= checkpoint.size()) {
        let root = tree.root_at(size.value()).await?;
        let proof = tree.consistency(size.value()).await?;
        verify_consistency(size.value(), &root, checkpoint.size(), checkpoint.root(), &proof)
            .map_err(|e| StoreError::new(Fault::Damaged, "public", e.to_string()))?;
        proofs.push(SeenProof { size, root: Digest::from_bytes(*root.as_bytes()), proof });
    }
    Ok(proofs)
}
