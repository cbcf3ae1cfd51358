//! Questions to a ledger: receipts, openings, and the state of commitments.
//!
//! Receipts and openings are under the newest published checkpoint, and are verified before they are handed out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::command::{Done, Summary, is_borne};
use super::core::{Core, Published};
use super::error::LedgerError;
use super::judging::{Dealt, OwnJudge, mixed};
use super::publisher::read_checkpoint;
use super::rounds::LoggedRound;
use super::tree::Tree;
use crate::deal::{Commitment, Digest, Nonce};
use crate::log::{Checkpoint, EntryBundle, leaf_hash, verify_consistency, verify_inclusion};
use crate::record::Finding;
use crate::record::entry::{Commit, Entry, Int};
use crate::record::life::{Effect, End, Extent, Judge, Life};
use crate::record::receipt::{Included, OpenedCard, Opening, Receipt, Salt, SeenProof, SignedBy};
use crate::record::replay;
use crate::store::{Choice, Fault, Read, Segment, StoreError, StoredLife};

/// The entries of one round with their indices, in log order.
type Entries = Vec<(u64, Entry)>;

pub(super) fn parse(index: u64, bytes: &[u8]) -> Result<Entry, LedgerError> {
    Entry::parse(bytes).map_err(|e| LedgerError::Damaged(format!("entry {index}: {e}")))
}

fn int(value: u64) -> Result<Int, LedgerError> {
    Int::new(value).ok_or_else(|| LedgerError::Damaged(format!("{value} is over {}", Int::MAX)))
}

/// Judges a round again from its entries. Returns the findings and the effect of the last one.
fn judge_again(core: &Core, life: &Life, entries: &Entries) -> (Vec<Finding>, Option<Effect>) {
    let mut judge = Judge::new(SignedBy(core.key()), Extent::Excerpt);
    judge.apply(life.index, &Entry::Commit(life.commit.clone()));
    let mut last = (Vec::new(), None);
    for (index, entry) in entries {
        let judged = judge.apply(*index, entry);
        last = (judged.findings, judged.effect);
    }
    last
}

/// Computes a logged deal again.
fn deal_again(
    core: &Core,
    life: &Life,
    sealed_seed: &[u8],
    effect: Option<Effect>,
) -> Result<replay::RoundResult, LedgerError> {
    let Some(Effect::Dealt(_, Some(waiting))) = effect else {
        return Err(LedgerError::Damaged("a deal of this ledger has no effect".to_owned()));
    };
    let seed = core.keys.vault.open(sealed_seed, &life.commit.commitment)?;
    let result = replay::deal_round(&life.commit, &seed.mac(), waiting.nonce, mixed(&waiting)?);
    let result = result.map_err(|e| LedgerError::Damaged(e.to_string()))?;
    if result.form == waiting.result {
        Ok(result)
    } else {
        Err(LedgerError::Damaged(format!("the deal at entry {} does not replay", waiting.index)))
    }
}

/// The log with the entries that a batch is about to add.
pub(super) struct Known<'a> {
    pub(super) tree: Tree<'a>,
    pub(super) new: &'a [Segment],
}

impl Known<'_> {
    async fn entry(&mut self, index: u64) -> Result<Option<Entry>, LedgerError> {
        let within =
            |segment: &&Segment| (segment.first..segment.first + u64::from(segment.count)).contains(&index);
        if let Some(segment) = self.new.iter().find(within) {
            let place = usize::try_from(index - segment.first).expect("under 256");
            let entries = EntryBundle::split(&segment.bytes, segment.count);
            let entries = entries.map_err(|e| LedgerError::Damaged(e.to_string()))?;
            return entries.get(place).map(|bytes| parse(index, bytes)).transpose();
        }
        if index >= self.tree.size {
            return Ok(None);
        }
        Ok(Some(parse(index, &self.tree.entry(index).await?)?))
    }

    async fn known(&mut self, index: u64) -> Result<Entry, LedgerError> {
        let entry = self.entry(index).await?;
        entry.ok_or_else(|| LedgerError::Damaged(format!("entry {index} is named and not in the log")))
    }

    /// The table's next commitment, if a command wrote one right after its own entry.
    pub(super) async fn next_of(&mut self, done: &Done) -> Result<Option<(u64, Box<Commit>)>, LedgerError> {
        let index = done.index + 1;
        Ok(match self.entry(index).await? {
            Some(Entry::Commit(commit)) if commit.after == Some(done.commitment) => Some((index, commit)),
            _ => None,
        })
    }
}

/// A command's old answer, rebuilt from the log: the same seeds give the same deal.
pub(super) async fn repeated(
    core: &Core,
    log: &mut Known<'_>,
    index: u64,
    judge: &mut OwnJudge,
) -> Result<Done, LedgerError> {
    let entry = log.known(index).await?;
    let mut entries = Vec::new();
    if let Entry::Deal(deal) = &entry
        && let Some(lock) = deal.lock.map(Int::value)
    {
        entries.push((lock, log.known(lock).await?));
    }
    entries.push((index, entry.clone()));
    let mut dealt = None;
    let mut findings = Vec::new();
    if !matches!(entry, Entry::Commit(_)) {
        let commitment = entry.commitment();
        let missing =
            || LedgerError::Damaged(format!("entry {index} is under {commitment}, which is missing"));
        let (life, secret) = judge.noted(&commitment).ok_or_else(missing)?;
        let (found, effect) = judge_again(core, life, &entries);
        findings = found.into_iter().filter(is_borne).collect();
        if matches!(entry, Entry::Deal(_)) {
            dealt = Some(Dealt::of(deal_again(core, life, &secret.seed, effect)?));
        }
    }
    Ok(Done { repeated: true, ..Done::new(index, entry, findings, dealt) })
}

/// A receipt, and the round's entries in it.
struct Shown {
    receipt: Receipt,
    /// Without the commit.
    entries: Entries,
}

/// The newest published checkpoint, as a signed note.
pub(super) async fn checkpoint(core: &Core) -> Result<String, LedgerError> {
    core.is_open()?;
    read_checkpoint(core).await.map(|(note, _)| note)
}

/// One look at the published log.
struct Look<'a> {
    note: String,
    checkpoint: Checkpoint,
    tree: Tree<'a>,
}

impl<'a> Look<'a> {
    /// At what the world has now.
    async fn at(core: &'a Core, read: &'a mut dyn Read) -> Result<Self, LedgerError> {
        // Checkpoint first: what is published is committed, so the head is at least as large.
        let (note, checkpoint) = read_checkpoint(core).await?;
        let head = read.head().await?;
        let (size, recent) = (checkpoint.size(), core.take_recent(checkpoint.size()));
        let published = core.published().filter(|known| known.note == note);
        let tree = Tree { size, published, recent, ..core.tree(read, &head) };
        Ok(Self { note, checkpoint, tree })
    }

    /// At what this process has published last, from memory.
    fn last(core: &'a Core, read: &'a mut dyn Read, published: Arc<Published>) -> Self {
        let (note, checkpoint) = (published.note.clone(), published.checkpoint.clone());
        let (size, kept) = (checkpoint.size(), core.kept(0));
        let recent = core.take_recent(size);
        let tree = Tree { read, tiles: &*core.tiles, size, kept, published: Some(published), recent };
        Self { note, checkpoint, tree }
    }

    /// Leaves what it has read for the next look.
    fn end(self, core: &Core) {
        core.keep_recent(self.tree.recent);
    }
}

/// A receipt of a round, or of a commitment alone.
pub(super) async fn receipt(
    core: &Core,
    commitment: Commitment,
    nonce: Option<Nonce>,
) -> Result<Receipt, LedgerError> {
    core.is_open()?;
    let mut read = core.state.read().await?;
    Ok(shown(core, &mut *read, commitment, nonce).await?.receipt)
}

/// What a receipt is asked for: a round, or a commitment alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The commitment.
    pub commitment: Commitment,
    /// The round.
    pub nonce: Option<Nonce>,
    /// What was just dealt; else it is looked up.
    deal: Option<JustDealt>,
}

/// A deal that this process has made and published.
#[derive(Clone, Debug, PartialEq, Eq)]
struct JustDealt {
    /// The indices of the round's entries.
    places: Vec<u64>,
    /// The index of the commitment, and its terms.
    under: (u64, Box<Commit>),
}

impl Asked {
    /// Of a round, or of a commitment alone.
    #[must_use]
    pub fn of(commitment: Commitment, nonce: Option<Nonce>) -> Self {
        Self { commitment, nonce, deal: None }
    }

    /// Of what was just done: nothing follows a deal in its round, so a deal names all entries there.
    #[must_use]
    pub fn after(done: &Done) -> Self {
        let deal = match (&done.entry, &done.under) {
            (Entry::Deal(deal), Some(under)) => Some(JustDealt {
                places: deal.lock.map(Int::value).into_iter().chain([done.index]).collect(),
                under: under.clone(),
            }),
            _ => None,
        };
        Self { deal, ..Self::of(done.commitment, done.nonce) }
    }
}

/// A receipt, and the terms of its commitment.
pub type Proved = Result<(Receipt, Box<Commit>), LedgerError>;

/// Receipts under one checkpoint, in the order in which they are asked for: what they have in common is read once.
pub(super) async fn receipts(core: &Core, asked: &[Asked]) -> Result<Vec<Proved>, LedgerError> {
    core.is_open()?;
    let mut read = core.state.read().await?;
    if let Some(deals) = asked.iter().map(|one| one.deal.as_ref()).collect::<Option<Vec<_>>>()
        && let Some(last) = deals.iter().flat_map(|deal| &deal.places).max()
        && let Some(published) = core.published().filter(|known| known.checkpoint.size() > *last)
    {
        let mut look = Look::last(core, &mut *read, published);
        let mut proved = Vec::with_capacity(asked.len());
        for (one, deal) in asked.iter().zip(deals) {
            let shown = shown_at(core, &mut look, &Stands::after(one, deal), one.nonce, &deal.places).await;
            proved.push(shown.map(|shown| (shown.receipt, deal.under.1.clone())));
        }
        look.end(core);
        return Ok(proved);
    }
    let mut look = Look::at(core, &mut *read).await?;
    let named: BTreeSet<Commitment> = asked.iter().map(|one| one.commitment).collect();
    let named: Vec<Commitment> = named.into_iter().collect();
    let lives = look.tree.read.lives(&named).await?;
    let lives: BTreeMap<Commitment, StoredLife> =
        lives.into_iter().map(|stored| (stored.life.commit.commitment, stored)).collect();
    let mut proved = Vec::with_capacity(asked.len());
    for one in asked {
        proved.push(match lives.get(&one.commitment) {
            Some(stored) => found(core, &mut look, stored, one.nonce)
                .await
                .map(|shown| (shown.receipt, stored.life.commit.clone())),
            None => Err(LedgerError::UnknownCommitment(one.commitment)),
        });
    }
    look.end(core);
    Ok(proved)
}

/// Where a commitment stands, as far as a receipt depends on it.
struct Stands {
    commitment: Commitment,
    /// Its own index.
    index: u64,
    /// The round that is next.
    next: u64,
    ended_at: Option<u64>,
}

impl Stands {
    fn of(stored: &StoredLife) -> Self {
        let (index, next) = (stored.life.index, stored.life.next);
        Self { commitment: stored.life.commit.commitment, index, next, ended_at: stored.ended_at }
    }

    /// Right after a deal.
    fn after(asked: &Asked, deal: &JustDealt) -> Self {
        let next = asked.nonce.map_or(0, |nonce| nonce.value() + 1);
        Self { commitment: asked.commitment, index: deal.under.0, next, ended_at: None }
    }
}

async fn shown(
    core: &Core,
    read: &mut dyn Read,
    commitment: Commitment,
    nonce: Option<Nonce>,
) -> Result<Shown, LedgerError> {
    let mut look = Look::at(core, read).await?;
    let stored = life(look.tree.read, commitment).await?;
    let shown = found(core, &mut look, &stored, nonce).await?;
    look.end(core);
    Ok(shown)
}

/// What the log has of a round that is looked up.
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
    shown_at(core, look, &Stands::of(stored), nonce, &round).await
}

/// What the log has of a round whose entries are at these places.
async fn shown_at(
    core: &Core,
    look: &mut Look<'_>,
    stands: &Stands,
    nonce: Option<Nonce>,
    round: &[u64],
) -> Result<Shown, LedgerError> {
    let Look { note, checkpoint, tree } = look;
    let commitment = stands.commitment;
    let mut places = vec![stands.index];
    places.extend(round);
    // An end that is committed and not published yet is none so far: the round's receipt does not wait for it.
    places.extend(stands.ended_at.filter(|end| *end < checkpoint.size()));
    if let Some(index) = places.iter().find(|index| **index >= checkpoint.size()) {
        return Err(LedgerError::NotPublished { index: *index, published: checkpoint.size() });
    }
    let (mut included, mut entries) = (Vec::new(), Vec::new());
    let mut judge = Judge::new(SignedBy(core.key()), Extent::Excerpt);
    for index in places {
        let bytes = tree.entry(index).await?;
        let proof = tree.inclusion(index).await?;
        let (size, root) = (checkpoint.size(), checkpoint.root());
        verify_inclusion(&leaf_hash(&bytes), index, size, &proof, root)
            .map_err(|e| StoreError::new(Fault::Damaged, "public", e.to_string()))?;
        let entry = parse(index, &bytes)?;
        if entry.commitment() != commitment || entry.nonce().is_some_and(|found| Some(found) != nonce) {
            let says = format!("entry {index} is not about the round that it is kept for");
            return Err(LedgerError::Damaged(says));
        }
        // Nothing vouches for the list of a round's entries: without its lock a deal would look wrong.
        if let Some(finding) = judge.apply(index, &entry).findings.iter().find(|finding| !is_borne(finding)) {
            let says =
                format!("entry {index} does not follow from those kept for its round: {}", finding.says);
            return Err(LedgerError::Damaged(says));
        }
        if !matches!(entry, Entry::Commit(_)) {
            entries.push((index, entry));
        }
        let text = String::from_utf8(bytes).map_err(|e| LedgerError::Damaged(e.to_string()))?;
        included.push(Included { index: int(index)?, entry: text, proof });
    }
    let is_settled = |(_, entry): &(u64, Entry)| matches!(entry, Entry::Deal(_) | Entry::Void(_));
    if let Some(nonce) = nonce.filter(|nonce| nonce.value() < stands.next)
        && !entries.iter().any(is_settled)
    {
        let says = format!("round {nonce} of {commitment}: its deal or void is not found");
        return Err(LedgerError::Damaged(says));
    }
    let seen = seen_proofs(tree, &entries, checkpoint).await?;
    Ok(Shown { receipt: Receipt::new(included, note.clone(), seen), entries })
}

/// Proves each checkpoint that a player names to be of the receipt's tree.
async fn seen_proofs(
    tree: &mut Tree<'_>,
    entries: &Entries,
    checkpoint: &Checkpoint,
) -> Result<Vec<SeenProof>, LedgerError> {
    let seen =
        entries.iter().flat_map(|(_, entry)| entry.contributions()).filter_map(|one| one.seen.as_ref());
    let sizes: BTreeSet<Int> = seen.map(|seen| seen.size).collect();
    let mut proofs = Vec::new();
    for size in sizes.into_iter().filter(|size| size.value() <= checkpoint.size()) {
        let root = tree.root_at(size.value()).await?;
        let proof = tree.consistency(size.value()).await?;
        verify_consistency(size.value(), &root, checkpoint.size(), checkpoint.root(), &proof)
            .map_err(|e| StoreError::new(Fault::Damaged, "public", e.to_string()))?;
        proofs.push(SeenProof { size, root: Digest::from_bytes(*root.as_bytes()), proof });
    }
    Ok(proofs)
}

pub(super) async fn life(read: &mut dyn Read, commitment: Commitment) -> Result<StoredLife, LedgerError> {
    let stored = read.lives(&[commitment]).await?.pop();
    stored.ok_or(LedgerError::UnknownCommitment(commitment))
}

/// Some cards of a sealed deal.
pub(super) async fn opening(
    core: &Core,
    commitment: Commitment,
    nonce: Nonce,
    cards: &[u32],
) -> Result<Opening, LedgerError> {
    core.is_open()?;
    if cards.is_empty() {
        return Err(LedgerError::Invalid("an opening shows at least one card".to_owned()));
    }
    let not_sealed = |says: &str| LedgerError::NotSealed { commitment, nonce, says: says.to_owned() };
    let mut read = core.state.read().await?;
    let Shown { receipt, mut entries } = shown(core, &mut *read, commitment, Some(nonce)).await?;
    // After the reveal, its entry comes last.
    entries.retain(|(_, entry)| entry.nonce() == Some(nonce));
    match entries.last() {
        Some((_, Entry::Deal(_))) => {}
        Some((_, Entry::Void(_))) => return Err(not_sealed("it was voided")),
        _ => return Err(not_sealed("it is not dealt yet")),
    }
    let StoredLife { life, seed, .. } = life(&mut *read, commitment).await?;
    let (_, effect) = judge_again(core, &life, &entries);
    let result = deal_again(core, &life, &seed, effect)?;
    let sealed = result.sealed.ok_or_else(|| not_sealed("its cards stand in the log"))?;
    let mut places = cards.to_vec();
    places.sort_unstable();
    places.dedup();
    let mut opened = Vec::with_capacity(places.len());
    for t in places {
        let item = usize::try_from(t).ok().and_then(|place| result.items.get(place));
        let (Some(item), Some(salt)) = (item, sealed.salt(t)) else {
            return Err(LedgerError::NoSuchCard { t, draw: result.items.len() });
        };
        opened.push(OpenedCard { t: int(u64::from(t))?, item: int(u64::from(*item))?, salt: Salt(*salt) });
    }
    let card_seals: Vec<Digest> = sealed.card_seals().to_vec();
    Ok(Opening::new(receipt, card_seals, opened))
}

/// One round. Its items too, where the log does not show them and everybody may know them.
pub(super) async fn round(
    core: &Core,
    commitment: Commitment,
    nonce: Nonce,
) -> Result<LoggedRound, LedgerError> {
    core.is_open()?;
    let mut read = core.state.read().await?;
    let Shown { mut entries, .. } = shown(core, &mut *read, commitment, Some(nonce)).await?;
    entries.retain(|(_, entry)| entry.nonce() == Some(nonce));
    let StoredLife { life, seed, .. } = life(&mut *read, commitment).await?;
    let mut items = None;
    if let Some((_, Entry::Deal(deal))) = entries.last() {
        let result = &deal.result;
        let is_public = result.digest.is_some() || (result.seal.is_some() && life.end == Some(End::Revealed));
        if is_public {
            let (_, effect) = judge_again(core, &life, &entries);
            items = Some(deal_again(core, &life, &seed, effect)?.items);
        }
    }
    Ok(LoggedRound { nonce, entries, items })
}

/// The state of one commitment.
pub(super) async fn show(core: &Core, commitment: Commitment) -> Result<Summary, LedgerError> {
    core.is_open()?;
    let mut read = core.state.read().await?;
    Ok(life(&mut *read, commitment).await?.life.into())
}

/// The state of the chosen commitments in log order: the first `most` whose index is at least `from`.
pub(super) async fn list(
    core: &Core,
    choice: &Choice,
    from: u64,
    most: u32,
) -> Result<Vec<Summary>, LedgerError> {
    core.is_open()?;
    let lives = core.state.read().await?.lives_from(choice, from, most).await?;
    Ok(lives.into_iter().map(|stored| Summary::from(stored.life)).collect())
}
