//! Questions to a ledger: rounds, and the state of commitments.

use crate::core::Core;
use crate::deal::command::{Done, Summary, commitment_of, is_borne};
use crate::deal::judging::{Dealt, OwnJudge};
use crate::error::LedgerError;
use crate::publish::publisher::read_checkpoint;
use crate::publish::tree::Tree;
use crate::read::reader::Reader;
use crate::read::receipts::{Shown, shown};
use crate::read::rounds::LoggedRound;
use crate::store::{Choice, Read, Segment, StoredLife};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::EntryBundle;
use fairdeal::record::Finding;
use fairdeal::record::entry::{Commit, Entry, Int};
use fairdeal::record::life::{Effect, End, Extent, Judge, Life};
use fairdeal::record::receipt::SignedBy;
use fairdeal::record::replay;

/// The entries of one round with their indices, in log order.
pub(crate) type Entries = Vec<(u64, Entry)>;

pub(crate) fn parse(index: u64, bytes: &[u8]) -> Result<Entry, LedgerError> {
    Entry::parse(bytes).map_err(|e| LedgerError::Damaged(format!("entry {index}: {e}")))
}

pub(crate) fn int(value: u64) -> Result<Int, LedgerError> {
    Int::new(value).ok_or_else(|| LedgerError::Damaged(format!("{value} is over {}", Int::MAX)))
}

/// Judges a round again from its entries. Returns the findings and the effect of the last one.
pub(super) fn judge_again(
    core: &Core,
    life: &Life,
    entries: &Entries,
) -> (Vec<Finding>, Option<Effect>) {
    let mut judge = Judge::new(SignedBy(core.key()), Extent::Excerpt);
    judge.apply(life.index, &Commit::clone(&life.commit).into());
    let mut last = (Vec::new(), None);
    for (index, entry) in entries {
        let judged = judge.apply(*index, entry);
        last = (judged.findings, judged.effect);
    }
    last
}

/// Computes a logged deal again.
pub(super) fn deal_again(
    core: &Core,
    life: &Life,
    sealed_seed: &[u8],
    effect: Option<Effect>,
) -> Result<replay::RoundResult, LedgerError> {
    let Some(Effect::Dealt(_, Some(waiting))) = effect else {
        return Err(LedgerError::Damaged("a deal of this ledger has no effect".to_owned()));
    };
    let seed = core.keys.vault.open(sealed_seed, &life.commit.commitment)?;
    // What is in the log was verified before it was dealt.
    let mixed = waiting.mixed.claimed();
    let result = replay::deal_round(&life.commit, &seed.mac(), waiting.nonce, mixed);
    let result = result.map_err(|e| LedgerError::Damaged(e.to_string()))?;
    if result.form == waiting.result {
        Ok(result)
    } else {
        Err(LedgerError::Damaged(format!("the deal at entry {} does not replay", waiting.index)))
    }
}

/// The log with the entries that a batch is about to add.
pub(crate) struct Known<'a> {
    pub(crate) tree: Tree<'a>,
    pub(crate) new: &'a [Segment],
}

impl Known<'_> {
    async fn entry(&mut self, index: u64) -> Result<Option<Entry>, LedgerError> {
        let within = |segment: &&Segment| {
            (segment.first..segment.first + u64::from(segment.count)).contains(&index)
        };
        if let Some(segment) = self.new.iter().find(within) {
            let place = usize::try_from(index - segment.first).expect("under 256");
            let entries = EntryBundle::split(&segment.bytes, segment.count)?;
            return entries.get(place).map(|bytes| parse(index, bytes)).transpose();
        }
        if index >= self.tree.size {
            return Ok(None);
        }
        Ok(Some(parse(index, &self.tree.entry(index).await?)?))
    }

    async fn known(&mut self, index: u64) -> Result<Entry, LedgerError> {
        let entry = self.entry(index).await?;
        entry.ok_or_else(|| {
            LedgerError::Damaged(format!("entry {index} is named and not in the log"))
        })
    }

    /// The table's next commitment, if a command wrote one right after its own entry.
    pub(crate) async fn next_of(
        &mut self,
        done: &Done,
    ) -> Result<Option<(u64, Box<Commit>)>, LedgerError> {
        let index = done.index + 1;
        Ok(match self.entry(index).await? {
            Some(Entry::Commit(commit)) if commit.after == Some(done.commitment) => {
                Some((index, commit))
            }
            _ => None,
        })
    }
}

/// A command's old answer, rebuilt from the log: the same seeds give the same deal.
pub(crate) async fn repeated(
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
    let commitment = commitment_of(&entry)?;
    if !matches!(entry, Entry::Commit(_)) {
        let missing = || {
            LedgerError::Damaged(format!("entry {index} is under {commitment}, which is missing"))
        };
        let (life, secret) = judge.noted(&commitment).ok_or_else(missing)?;
        let (found, effect) = judge_again(core, life, &entries);
        findings = found.into_iter().filter(is_borne).collect();
        if matches!(entry, Entry::Deal(_)) {
            dealt = Some(Dealt::of(deal_again(core, life, &secret.seed, effect)?));
        }
    }
    Ok(Done { repeated: true, ..Done::new(index, (commitment, entry), findings, dealt) })
}

impl Reader {
    /// The newest published checkpoint, as a signed note.
    pub async fn checkpoint(&self) -> Result<String, LedgerError> {
        self.core.is_open()?;
        read_checkpoint(&self.core).await.map(|(note, _)| note)
    }
}

pub(crate) async fn life(
    read: &mut dyn Read,
    commitment: Commitment,
) -> Result<StoredLife, LedgerError> {
    let stored = read.lives(&[commitment]).await?.pop();
    stored.ok_or(LedgerError::UnknownCommitment(commitment))
}

impl Reader {
    /// One round, proved to be in the published log.
    pub async fn round(
        &self,
        commitment: Commitment,
        nonce: Nonce,
    ) -> Result<LoggedRound, LedgerError> {
        self.core.is_open()?;
        let mut read = self.core.state.read().await?;
        let Shown { mut entries, .. } =
            shown(&self.core, &mut *read, commitment, Some(nonce)).await?;
        entries.retain(|(_, entry)| entry.nonce() == Some(nonce));
        let StoredLife { life, seed, .. } = life(&mut *read, commitment).await?;
        let mut items = None;
        if let Some((_, Entry::Deal(deal))) = entries.last() {
            let result = &deal.result;
            let is_public = result.digest.is_some()
                || (result.seal.is_some() && life.end == Some(End::Revealed));
            if is_public {
                let (_, effect) = judge_again(&self.core, &life, &entries);
                items = Some(deal_again(&self.core, &life, &seed, effect)?.items);
            }
        }
        Ok(LoggedRound { nonce, entries, items })
    }

    /// The state of one commitment.
    pub async fn show(&self, commitment: Commitment) -> Result<Summary, LedgerError> {
        self.core.is_open()?;
        let mut read = self.core.state.read().await?;
        Ok(life(&mut *read, commitment).await?.life.into())
    }

    /// The state of the chosen commitments in log order: the first `most` whose index is at least
    /// `from`.
    pub async fn list(
        &self,
        choice: &Choice,
        from: u64,
        most: u32,
    ) -> Result<Vec<Summary>, LedgerError> {
        self.core.is_open()?;
        let lives = self.core.state.read().await?.lives_from(choice, from, most).await?;
        Ok(lives.into_iter().map(|stored| Summary::from(stored.life)).collect())
    }
}
