//! Questions to a ledger: receipts, openings, and the state of commitments.
//!
//! Receipts and openings are under the newest published checkpoint, and are verified before they are handed out.

use std::collections::BTreeSet;

use super::command::{Done, Summary, is_borne};
use super::core::Core;
use super::error::LedgerError;
use super::judging::{Dealt, Working, mixed};
use super::publisher::read_checkpoint;
use super::tree::Tree;
use crate::deal::{Commitment, Digest, Nonce};
use crate::log::{Checkpoint, leaf_hash, verify_consistency, verify_inclusion};
use crate::record::Finding;
use crate::record::entry::{Commit, Entry, Int};
use crate::record::life::{Effect, Extent, Judge, Life};
use crate::record::receipt::{Included, OpenedCard, Opening, Receipt, Salt, SeenProof, SignedBy};
use crate::record::replay;
use crate::store::{EntryKey, Fault, NewEntry, Read, StoreError};

/// The entries of one round with their indices, in log order.
type Entries = Vec<(u64, Entry)>;

fn parse(index: u64, bytes: &[u8]) -> Result<Entry, LedgerError> {
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

/// A command's old answer, rebuilt from the log: the same seeds give the same deal.
pub(super) async fn repeated(
    core: &Core,
    tree: &mut Tree<'_>,
    index: u64,
    new: &[NewEntry],
    working: &Working,
) -> Result<Done, LedgerError> {
    let entry = parse(index, &bytes(tree, index, new).await?)?;
    let mut entries = Vec::new();
    if let Entry::Deal(deal) = &entry
        && let Some(lock) = deal.lock.map(Int::value)
    {
        entries.push((lock, parse(lock, &bytes(tree, lock, new).await?)?));
    }
    entries.push((index, entry.clone()));
    let mut dealt = None;
    let mut findings = Vec::new();
    if !matches!(entry, Entry::Commit(_))
        && let Some(stored) = working.lives.get(&entry.commitment())
    {
        let (found, effect) = judge_again(core, &stored.life, &entries);
        findings = found.into_iter().filter(is_borne).collect();
        if matches!(entry, Entry::Deal(_)) {
            dealt = Some(Dealt::of(deal_again(core, &stored.life, &stored.seed, effect)?));
        }
    }
    Ok(Done { repeated: true, ..Done::new(index, entry, findings, dealt) })
}

/// The table's next commitment, if a command wrote one right after its own entry.
pub(super) async fn next_of(
    tree: &mut Tree<'_>,
    done: &Done,
    new: &[NewEntry],
) -> Result<Option<(u64, Box<Commit>)>, LedgerError> {
    let index = done.index + 1;
    if index >= tree.size && !new.iter().any(|new| new.key.index == index) {
        return Ok(None);
    }
    Ok(match parse(index, &bytes(tree, index, new).await?)? {
        Entry::Commit(commit) if commit.after == Some(done.commitment) => Some((index, commit)),
        _ => None,
    })
}

/// The bytes of an entry, from this batch or an older one.
async fn bytes(tree: &mut Tree<'_>, index: u64, new: &[NewEntry]) -> Result<Vec<u8>, LedgerError> {
    match new.iter().find(|new| new.key.index == index) {
        Some(new) => Ok(new.bytes.clone()),
        None => tree.entry(index).await,
    }
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
    newest(core).await.map(|(note, _)| note)
}

async fn newest(core: &Core) -> Result<(String, Checkpoint), LedgerError> {
    let missing = || StoreError::new(Fault::Missing, "checkpoint", "nothing is published").into();
    read_checkpoint(core).await?.ok_or_else(missing)
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

async fn shown(
    core: &Core,
    read: &mut dyn Read,
    commitment: Commitment,
    nonce: Option<Nonce>,
) -> Result<Shown, LedgerError> {
    // Checkpoint first: what is published is committed, so the head is at least as large.
    let (note, checkpoint) = newest(core).await?;
    let head = read.head().await?;
    let rows = read.rows(commitment, nonce).await?;
    let rows: Vec<EntryKey> = rows.into_iter().filter(|row| row.index < checkpoint.size()).collect();
    if rows.is_empty() {
        return Err(LedgerError::UnknownCommitment(commitment));
    }
    if let Some(nonce) = nonce
        && !rows.iter().any(|row| row.nonce == Some(nonce))
    {
        let next = life(read, commitment).await?.0.next;
        return Err(LedgerError::UnknownRound { commitment, nonce, next });
    }
    let mut tree = Tree { read, tiles: &*core.tiles, size: checkpoint.size(), kept: head.kept };
    let (mut included, mut entries) = (Vec::new(), Vec::new());
    for row in rows {
        let bytes = tree.entry(row.index).await?;
        let proof = tree.inclusion(row.index).await?;
        let (index, size, root) = (row.index, checkpoint.size(), checkpoint.root());
        verify_inclusion(&leaf_hash(&bytes), index, size, &proof, root)
            .map_err(|e| StoreError::new(Fault::Damaged, "public", e.to_string()))?;
        let entry = parse(index, &bytes)?;
        if !matches!(entry, Entry::Commit(_)) {
            entries.push((index, entry));
        }
        let text = String::from_utf8(bytes).map_err(|e| LedgerError::Damaged(e.to_string()))?;
        included.push(Included { index: int(index)?, entry: text, proof });
    }
    let seen = seen_proofs(&mut tree, &entries, &checkpoint).await?;
    Ok(Shown { receipt: Receipt::new(included, note, seen), entries })
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

async fn life(read: &mut dyn Read, commitment: Commitment) -> Result<(Life, Vec<u8>), LedgerError> {
    let stored = read.lives(&[commitment]).await?.pop();
    let stored = stored.ok_or(LedgerError::UnknownCommitment(commitment))?;
    Ok((stored.life, stored.seed))
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
    let (life, seed) = life(&mut *read, commitment).await?;
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

/// The state of one commitment.
pub(super) async fn show(core: &Core, commitment: Commitment) -> Result<Summary, LedgerError> {
    core.is_open()?;
    let mut read = core.state.read().await?;
    Ok(life(&mut *read, commitment).await?.0.into())
}

/// The state of every commitment, in log order.
pub(super) async fn list(core: &Core) -> Result<Vec<Summary>, LedgerError> {
    core.is_open()?;
    let lives = core.state.read().await?.all_lives().await?;
    Ok(lives.into_iter().map(Summary::from).collect())
}
