//! Judges one command: makes its entry, or says why not.
//!
//! There is no rule here. [`Judge`] decides, as it does for every verifier.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::LedgerOptions;
use crate::core::Core;
use crate::deal::command::{Command, NewLock, NewReveal, NewVoid, commitment_of, is_borne};
use crate::deal::committing::{commit, commit_and_lock, commit_next};
use crate::deal::contribution::{locked, round_of};
use crate::deal::dealing::new_deal;
use crate::entropy::EntropyError;
use crate::error::LedgerError;
use crate::setup::keys::Vault;
use fairdeal::beacon::Chains;
use fairdeal::deal::{Commitment, Digest, Nonce, SeedMac, ServerSeed};
use fairdeal::log::{Hash, VerifierKey};
use fairdeal::record::entry::{Entry, EntryError, Int, Lock, Origin, Reveal, SeenCheckpoint, Void};
use fairdeal::record::life::{Life, View, locked_to};
use fairdeal::record::receipt::SignedBy;
use fairdeal::record::{Code, Finding, Judge};
use fairdeal::utc::utc;

/// The judge's view of this log.
#[derive(Clone, Debug)]
pub(crate) struct OwnLog {
    pub(crate) key: VerifierKey,
    /// The roots at the sizes of the contributors' checkpoints.
    pub(crate) roots: BTreeMap<u64, Hash>,
    /// The chains of beacons that the ledger knows.
    pub(crate) chains: Chains,
}

impl OwnLog {
    pub(crate) fn of(core: &Core) -> Self {
        let chains = core.options.beacons.chains.clone();
        Self { key: core.key().clone(), roots: BTreeMap::new(), chains }
    }
}

/// The ledger's own part of a commitment.
#[derive(Clone, Debug)]
pub(crate) struct Secret {
    /// The server seed, sealed.
    pub(crate) seed: Arc<[u8]>,
    /// The index of the entry that ended it.
    pub(crate) ended_at: Option<u64>,
}

impl Default for Secret {
    fn default() -> Self {
        Self { seed: Arc::from([]), ended_at: None }
    }
}

/// The judge of this log, over the commitments that were loaded.
pub(crate) type OwnJudge = Judge<OwnLog, Secret>;

/// An entry's place in the log.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) origin: &'a Origin,
    pub(crate) log: &'a VerifierKey,
    pub(crate) vault: &'a Vault,
    pub(crate) options: &'a LedgerOptions,
    pub(crate) index: u64,
    pub(crate) time: u64,
}

/// The opened seeds of a batch: each is opened once, and erased at its end.
pub(crate) type Seeds = HashMap<Commitment, SeedMac>;

/// An accepted entry, and the parts of its answer.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) entry: Entry,
    pub(crate) text: String,
    pub(crate) findings: Vec<Finding>,
    pub(crate) dealt: Option<Dealt>,
    /// A new commitment's policy.
    pub(crate) policy: Option<String>,
    /// Whether its round is in play from here on.
    pub(crate) in_play: bool,
}

/// A deal's result, for its caller.
#[derive(Clone, Debug)]
pub(crate) struct Dealt {
    pub(crate) card_seals: Option<Vec<Digest>>,
    pub(crate) items: Option<Vec<u32>>,
}

impl View for OwnLog {
    fn origin(&self) -> &str {
        self.key.name().as_str()
    }

    fn key(&self) -> Option<&VerifierKey> {
        Some(&self.key)
    }

    fn chains(&self) -> Option<&Chains> {
        Some(&self.chains)
    }

    fn is_signed(&self, seen: &SeenCheckpoint) -> bool {
        SignedBy(&self.key).is_signed(seen)
    }

    fn has_another_root(&self, size: u64, root: &Hash) -> bool {
        // This tree had another root at that size, or never had it.
        self.roots.get(&size) != Some(root)
    }
}

impl From<EntryError> for LedgerError {
    fn from(error: EntryError) -> Self {
        Self::Invalid(error.to_string())
    }
}

impl From<EntropyError> for LedgerError {
    fn from(error: EntropyError) -> Self {
        Self::System(error.to_string())
    }
}

/// The entries that a command adds to the log, in this order.
pub(crate) struct Steps {
    /// The void that goes with a lock.
    pub(crate) void: Option<Accepted>,
    /// The command's own entry.
    pub(crate) own: Accepted,
    /// The table's next commitment, if asked for and due; after a commitment its first lock.
    pub(crate) next: Option<Accepted>,
}

/// Judges a command with what goes before and after it. If one step is refused, nothing has
/// changed.
pub(crate) fn judge_all(
    command: &Command,
    place: &Place<'_>,
    judge: &mut OwnJudge,
    seeds: &mut Seeds,
    policies: &BTreeMap<Commitment, String>,
) -> Result<Steps, LedgerError> {
    if let Command::Commit(new) = command
        && let Some(at) = new.draw_at
    {
        return commit_and_lock(new, at, place, judge);
    }
    let several = command.wants_next() || command.void().is_some();
    let Some(commitment) = command.commitment().filter(|_| several) else {
        return Ok(Steps { void: None, own: judge_one(command, place, judge, seeds)?, next: None });
    };
    let before = judge.noted(&commitment).map(|(life, secret)| (life.clone(), secret.clone()));
    let judged = judge_several(command, commitment, *place, judge, seeds, policies);
    if judged.is_err()
        && let Some((life, secret)) = before
    {
        judge.learn(life, secret);
    }
    judged
}

fn judge_several(
    command: &Command,
    commitment: Commitment,
    mut place: Place<'_>,
    judge: &mut OwnJudge,
    seeds: &mut Seeds,
    policies: &BTreeMap<Commitment, String>,
) -> Result<Steps, LedgerError> {
    let mut void = None;
    if let Some(round) = command.void() {
        void = Some(accept(new_void(commitment, round, &place)?.into(), &place, judge)?);
        place.index += 1;
    }
    let own = judge_one(command, &place, judge, seeds)?;
    let mut next = None;
    if command.wants_next() {
        place.index += 1;
        next = commit_next(&commitment, &place, judge, policies.get(&commitment))?;
    }
    Ok(Steps { void, own, next })
}

/// Judges a command's own entry. If it is refused, nothing has changed.
fn judge_one(
    command: &Command,
    place: &Place<'_>,
    judge: &mut OwnJudge,
    seeds: &mut Seeds,
) -> Result<Accepted, LedgerError> {
    match command {
        Command::Commit(new) => commit(new, place, judge),
        Command::Lock(c, lock) => {
            in_time(c, lock.late, lock.by, place, judge)?;
            let entry = new_lock(*c, lock, place, judge)?;
            beacon_in_time(lock, &entry, place, judge)?;
            accept(entry.into(), place, judge)
        }
        Command::Deal(c, deal) => {
            in_time(c, deal.late, deal.by, place, judge)?;
            new_deal(*c, deal, place, judge, seeds)
        }
        Command::Void(c, void, by) => {
            if let Some(by) = by.filter(|by| place.time > *by) {
                let says = format!(
                    "a void of {c}: expected before {}, found {}",
                    utc(by),
                    utc(place.time)
                );
                return Err(LedgerError::Invalid(says));
            }
            accept(new_void(*c, void, place)?.into(), place, judge)
        }
        Command::Reveal(c, reveal) => {
            accept(new_reveal(*c, reveal, place, judge)?.into(), place, judge)
        }
    }
}

/// The log's rules allow a round after `reveal_by`, but its reveal can only be late. So the caller
/// must ask for it.
fn in_time(
    commitment: &Commitment,
    late: bool,
    by: Option<u64>,
    place: &Place<'_>,
    judge: &OwnJudge,
) -> Result<(), LedgerError> {
    let Some(life) = judge.life(commitment) else { return Ok(()) };
    let (reveal_by, now) = (life.commit.reveal_by.value(), place.time);
    // If the commitment is used up or has ended, the judge says so.
    if life.closed() {
        return Ok(());
    }
    if !late && now > reveal_by {
        return Err(LedgerError::Overdue { commitment: *commitment, reveal_by, now });
    }
    match by.filter(|by| now > *by && life.open.is_none()) {
        Some(by) => {
            Err(LedgerError::TooLate { commitment: *commitment, by, reveal_by, now, out: None })
        }
        None => Ok(()),
    }
}

/// A round whose beacon is out after the last time of a round could only be voided, or dealt late.
fn beacon_in_time(
    lock: &NewLock,
    entry: &Lock,
    place: &Place<'_>,
    judge: &OwnJudge,
) -> Result<(), LedgerError> {
    let (commitment, now) = (entry.commitment, place.time);
    let life = judge.life(&commitment).filter(|life| !life.closed() && life.open.is_none());
    let chains = Some(&place.options.beacons.chains);
    let out = life.and_then(|life| {
        let locked = locked_to(&life.commit, entry, chains)?;
        Some((life.commit.reveal_by.value(), locked.out().saturating_mul(1000)))
    });
    let Some((reveal_by, out)) = out else { return Ok(()) };
    let by = lock.by.unwrap_or(reveal_by);
    if lock.late || out <= by {
        return Ok(());
    }
    Err(LedgerError::TooLate { commitment, by, reveal_by, now, out: Some(out) })
}

pub(crate) fn int(what: &str, value: u64) -> Result<Int, LedgerError> {
    Int::new(value).ok_or_else(|| {
        LedgerError::Invalid(format!(
            "{what}: expected an integer up to {}, found {value}",
            Int::MAX
        ))
    })
}

/// The state of the log that makes an entry impossible, in place of the rule that it would break.
fn is_done(finding: &Finding, life: &Life, ended_at: Option<u64>) -> Option<String> {
    match (finding.code, finding.nonce) {
        (Code::AfterReveal, _) => Some(format!("it is already revealed (entry {})", ended_at?)),
        (Code::AfterVoid, _) => Some(format!("it is already voided (entry {})", ended_at?)),
        (Code::NonceGap, Some(nonce)) if nonce.value() < life.next => {
            Some(format!("round {nonce} is done; the next is {}", life.next))
        }
        (Code::TooManyRounds, _) if life.next >= life.commit.rounds.value() => Some(format!(
            "all its rounds are dealt or voided: {} of {}",
            life.next, life.commit.rounds
        )),
        _ => None,
    }
}

/// A refusal, in the words of somebody who wants to add an entry.
pub(crate) fn refused(
    mut findings: Vec<Finding>,
    commitment: &Commitment,
    judge: &mut OwnJudge,
) -> LedgerError {
    if let Some((life, secret)) = judge.noted(commitment) {
        for finding in &mut findings {
            // An entry of a round that is done is refused in any case: its other faults do not matter.
            let gap = finding.nonce.filter(|nonce| nonce.value() < life.next);
            if let (Code::InvalidEntry, Some(gap)) =
                (finding.code, gap.and_then(|nonce| life.nonce_gap(nonce)))
            {
                *finding = gap;
            }
            if let Some(says) = is_done(finding, life, secret.ended_at) {
                finding.says = says;
            }
        }
    }
    // A refused commit was never made: nobody can look for its commitment.
    for finding in findings.iter_mut().filter(|finding| finding.code == Code::OutOfTurn) {
        finding.commitment = None;
    }
    LedgerError::Refused(findings)
}

/// Judges an entry. If it is refused, the judge is as it was.
pub(super) fn accept(
    entry: Entry,
    place: &Place<'_>,
    judge: &mut OwnJudge,
) -> Result<Accepted, LedgerError> {
    let (text, commitment) = (entry.to_text()?, commitment_of(&entry)?);
    let before = judge.snapshot(&entry);
    let judged = judge.apply(place.index, &entry);
    if !judged.findings.iter().all(is_borne) {
        judge.restore(before);
        return Err(refused(judged.findings, &commitment, judge));
    }
    if let Some((life, secret)) = judge.noted(&commitment) {
        secret.ended_at = life.end.map(|_| place.index);
    }
    Ok(Accepted {
        entry,
        text,
        findings: judged.findings,
        dealt: None,
        policy: None,
        in_play: false,
    })
}

/// The round asked for, or the next. The judge refuses an unknown commitment.
pub(crate) fn nonce(wanted: Option<Nonce>, life: Option<&Life>) -> Result<Nonce, LedgerError> {
    let next = || Nonce::new(life.map_or(0, |life| life.next));
    wanted.map_or_else(next, Ok).map_err(|e| LedgerError::Invalid(e.to_string()))
}

pub(crate) fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

pub(super) fn new_lock(
    commitment: Commitment,
    lock: &NewLock,
    place: &Place<'_>,
    judge: &OwnJudge,
) -> Result<Lock, LedgerError> {
    let nonce = {
        let named = round_of(&lock.contributions, place.log, &commitment, lock.nonce)?;
        nonce(named, judge.life(&commitment))?
    };
    let life = judge.life(&commitment);
    let beacon =
        life.map_or(Ok(None), |life| place.options.beacons.round(&life.commit, place.time))?;
    let locked = lock.contributions.iter().map(locked);
    let locked = locked.collect::<Result<Vec<_>, _>>()?;
    Ok(Lock {
        beacon,
        contributions: some(locked),
        ext: lock.ext,
        seats: lock.seats.clone(),
        ..Lock::new(commitment, nonce, Vec::new(), int("time", place.time)?)
    })
}

fn new_void(
    commitment: Commitment,
    void: &NewVoid,
    place: &Place<'_>,
) -> Result<Void, LedgerError> {
    Ok(Void {
        blame: void.blame.clone(),
        ext: void.ext,
        nonce: void.nonce,
        ..Void::whole(commitment, void.reason.clone(), int("time", place.time)?)
    })
}

fn new_reveal(
    commitment: Commitment,
    reveal: &NewReveal,
    place: &Place<'_>,
    judge: &mut OwnJudge,
) -> Result<Reveal, LedgerError> {
    let seed = match judge.noted(&commitment) {
        Some((life, secret)) => {
            let wanted = reveal.nonce.filter(|_| life.end.is_none());
            if let Some(gap) = wanted.and_then(|nonce| life.nonce_gap(nonce)) {
                return Err(refused(vec![gap], &commitment, judge));
            }
            place.vault.open(&secret.seed, &commitment)?
        }
        // A placeholder: the judge refuses an unknown commitment before it looks at the seed.
        None => ServerSeed::from_bytes(&mut [0; 32]),
    };
    Ok(Reveal { commitment, ext: reveal.ext, ..Reveal::new(&seed, int("time", place.time)?) })
}
