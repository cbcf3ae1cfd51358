//! Judges one command: makes its entry, or says why not.
//!
//! There is no rule here. [`Judge`] decides, as it does for every verifier.

use std::collections::BTreeMap;

use super::command::{Command, NewCommit, NewDeal, NewLock, NewReveal, NewVoid, is_borne};
use super::error::LedgerError;
use super::keys::Vault;
use crate::deal::{Commitment, Contributions, Digest, Method, Nonce, Plan, ServerSeed};
use crate::entropy::{EntropyError, random};
use crate::log::{Hash, VerifierKey};
use crate::record::entry::{
    Cards, Commit, Deal, Entry, EntryError, Int, Lock, Opened, Origin, ResultForm, ResultKind, Reveal,
    SeenCheckpoint, Table, True, Void,
};
use crate::record::life::{Effect, Life, SeenVerdict, View};
use crate::record::receipt::SignedBy;
use crate::record::replay::{Mixed, Waiting, deal_round};
use crate::record::{Finding, Judge};
use crate::store::StoredLife;

/// What the judge needs to know of this log.
#[derive(Debug)]
pub(super) struct OwnLog {
    pub(super) key: VerifierKey,
    /// The roots at the sizes of the contributors' checkpoints.
    pub(super) roots: BTreeMap<u64, Hash>,
}

/// An entry's place in the log.
pub(super) struct Place<'a> {
    pub(super) log: &'a OwnLog,
    pub(super) origin: &'a Origin,
    pub(super) vault: &'a Vault,
    pub(super) index: u64,
    pub(super) time: u64,
    /// The last entry's time.
    pub(super) last_time: Option<u64>,
}

/// What a batch has loaded, and changed so far.
#[derive(Debug, Default)]
pub(super) struct Working {
    pub(super) lives: BTreeMap<Commitment, StoredLife>,
    pub(super) tables: BTreeMap<Table, Commitment>,
}

/// An accepted entry, and what its caller is told.
#[derive(Debug)]
pub(super) struct Accepted {
    pub(super) entry: Entry,
    pub(super) bytes: Vec<u8>,
    pub(super) findings: Vec<Finding>,
    pub(super) dealt: Option<Dealt>,
}

/// A deal's result, for its caller.
#[derive(Clone, Debug)]
pub(super) struct Dealt {
    pub(super) card_seals: Option<Vec<Digest>>,
    pub(super) items: Option<Vec<u32>>,
}

impl View for &OwnLog {
    fn origin(&self) -> &str {
        self.key.name().as_str()
    }

    fn check_seen(&self, seen: &SeenCheckpoint) -> SeenVerdict {
        match SignedBy(&self.key).check_seen(seen) {
            SeenVerdict::Holds => match self.roots.get(&seen.size.value()) {
                Some(root) if root.as_bytes() == seen.root.as_bytes() => SeenVerdict::Holds,
                // This tree had another root at that size, or never had it.
                _ => SeenVerdict::Contradicted,
            },
            other => other,
        }
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

/// Judges a command. If it is accepted, `working` is updated.
pub(super) fn judge(
    command: &Command,
    place: &Place<'_>,
    working: &mut Working,
) -> Result<Accepted, LedgerError> {
    match command {
        Command::Commit(terms) => commit(terms, place, working),
        Command::Lock(c, lock) => {
            in_time(c, lock.late, place, working)?;
            let entry = new_lock(*c, lock, place, working)?;
            accept(Entry::Lock(Box::new(entry)), place, working)
        }
        Command::Deal(c, deal) => {
            in_time(c, deal.late, place, working)?;
            new_deal(*c, deal, place, working)
        }
        Command::Void(c, void) => accept(Entry::Void(Box::new(new_void(*c, void, place)?)), place, working),
        Command::Reveal(c, reveal) => {
            let entry = new_reveal(*c, reveal, place, working)?;
            accept(Entry::Reveal(Box::new(entry)), place, working)
        }
    }
}

/// The log's rules allow a round after `reveal_by`, but its reveal can only be late. So the caller must ask for it.
fn in_time(
    commitment: &Commitment,
    late: bool,
    place: &Place<'_>,
    working: &Working,
) -> Result<(), LedgerError> {
    let Some(stored) = working.lives.get(commitment) else { return Ok(()) };
    let (reveal_by, now) = (stored.life.commit.reveal_by.value(), place.time);
    // If the commitment is used up or has ended, the judge says so.
    if late || now <= reveal_by || stored.life.closed() {
        return Ok(());
    }
    Err(LedgerError::Overdue { commitment: *commitment, reveal_by, now })
}

fn int(what: &str, value: u64) -> Result<Int, LedgerError> {
    Int::new(value).ok_or_else(|| {
        LedgerError::Invalid(format!("{what}: expected an integer up to {}, found {value}", Int::MAX))
    })
}

/// A judge that knows this entry's commitment; for a commit, also the last one of its table.
fn judge_of<'a>(
    commitment: Commitment,
    table: Option<&Table>,
    place: &Place<'a>,
    working: &Working,
) -> Judge<&'a OwnLog> {
    let table = table.and_then(|table| working.tables.get_key_value(table));
    let known = [Some(&commitment), table.map(|(_, last)| last)];
    let lives = known.into_iter().flatten().filter_map(|one| working.lives.get(one));
    let lives = lives.map(|stored| stored.life.clone());
    let tables = table.map(|(name, last)| (name.clone(), *last));
    Judge::resume(place.log, lives, tables, place.last_time)
}

fn refused(findings: &[Finding]) -> Result<(), LedgerError> {
    if findings.iter().all(is_borne) { Ok(()) } else { Err(LedgerError::Refused(findings.to_vec())) }
}

/// Judges an entry and updates its commitment's life.
fn accept(entry: Entry, place: &Place<'_>, working: &mut Working) -> Result<Accepted, LedgerError> {
    let bytes = entry.to_text()?.into_bytes();
    let commitment = entry.commitment();
    let mut judge = judge_of(commitment, None, place, working);
    let judged = judge.apply(place.index, &entry);
    refused(&judged.findings)?;
    if let (Some(life), Some(stored)) = (judge.life(&commitment), working.lives.get_mut(&commitment)) {
        stored.life = life.clone();
    }
    Ok(Accepted { entry, bytes, findings: judged.findings, dealt: None })
}

fn commit(terms: &NewCommit, place: &Place<'_>, working: &mut Working) -> Result<Accepted, LedgerError> {
    let seed = ServerSeed::from_bytes(&mut *random()?);
    let commitment = seed.commitment();
    let draw = terms.draw.unwrap_or_else(|| terms.deck.items());
    let reveal_in = u64::try_from(terms.reveal_in.as_millis()).unwrap_or(u64::MAX);
    Plan::new(terms.method, terms.deck.items(), draw)
        .map_err(|e| LedgerError::Invalid(format!("draw: {e}")))?;
    let entry = Entry::Commit(Box::new(Commit {
        after: working.tables.get(&terms.table).copied(),
        beacon: None,
        commitment,
        deck: terms.deck,
        draw: int("draw", u64::from(draw))?,
        entry: crate::record::entry::CommitWord,
        ext: terms.ext,
        layout: terms.layout.clone(),
        method: terms.method,
        mixing: terms.mixing,
        origin: place.origin.clone(),
        protocol: crate::record::entry::ProtocolV1,
        reveal_by: int("reveal_by", place.time.saturating_add(reveal_in))?,
        rounds: int("rounds", terms.rounds)?,
        rules: terms.rules,
        sealed: terms.sealed,
        signed: terms.signed.then_some(True),
        table: terms.table.clone(),
        time: int("time", place.time)?,
    }));
    let bytes = entry.to_text()?.into_bytes();
    let mut judge = judge_of(commitment, Some(&terms.table), place, working);
    let judged = judge.apply(place.index, &entry);
    refused(&judged.findings)?;
    let life = judge.life(&commitment).cloned();
    let life = life.ok_or_else(|| LedgerError::Damaged("the judge gave a commit no effect".to_owned()))?;
    working.lives.insert(commitment, StoredLife { life, seed: place.vault.seal(&seed)? });
    working.tables.insert(terms.table.clone(), commitment);
    Ok(Accepted { entry, bytes, findings: judged.findings, dealt: None })
}

/// The table's next commitment, on the same terms. `None` if the current one is still open or has a successor.
pub(super) fn commit_next(
    ended: Commitment,
    place: &Place<'_>,
    working: &mut Working,
) -> Result<Option<Accepted>, LedgerError> {
    let life = working.lives.get(&ended).map(|stored| &stored.life).filter(|life| life.closed());
    let Some(terms) = life.map(|life| NewCommit::again(&life.commit)) else { return Ok(None) };
    if working.tables.get(&terms.table) != Some(&ended) {
        return Ok(None);
    }
    commit(&terms, place, working).map(Some)
}

/// The round asked for, or the next. The judge refuses an unknown commitment.
fn nonce(wanted: Option<Nonce>, life: Option<&Life>) -> Result<Nonce, LedgerError> {
    let next = || Nonce::new(life.map_or(0, |life| life.next));
    wanted.map_or_else(next, Ok).map_err(|e| LedgerError::Invalid(e.to_string()))
}

fn some<T: Clone>(list: &[T]) -> Option<Vec<T>> {
    (!list.is_empty()).then(|| list.to_vec())
}

fn new_lock(
    commitment: Commitment,
    lock: &NewLock,
    place: &Place<'_>,
    working: &Working,
) -> Result<Lock, LedgerError> {
    let life = working.lives.get(&commitment).map(|stored| &stored.life);
    let nonce = nonce(lock.nonce, life)?;
    if life.is_some() {
        lock.openings.iter().try_for_each(|opening| check_opening(opening, lock, &commitment, nonce))?;
    }
    Ok(Lock {
        contributions: some(&lock.contributions),
        ext: lock.ext,
        seats: lock.seats.clone(),
        ..Lock::new(commitment, nonce, Vec::new(), int("time", place.time)?)
    })
}

/// Checks a hash against its own seed and blind: a wrong one could never be opened.
fn check_opening(
    opening: &Opened,
    lock: &NewLock,
    commitment: &Commitment,
    nonce: Nonce,
) -> Result<(), LedgerError> {
    let Opened { blind, from, seed } = opening;
    let promised = lock.contributions.iter().find(|one| one.from == *from);
    let Some((promised, hash)) = promised.and_then(|one| Some((one, one.hash?))) else {
        // Whoever has a blind has hashed the seed, and means to keep it until the lock.
        let expected = "the \"hash\" to lock (a \"blind\" opens it later)";
        let says = format!("contribution of {:?}: expected {expected}, found none", from.as_str());
        return Err(LedgerError::Invalid(says));
    };
    let found = promised.with_seed(seed.clone()).hash(commitment, nonce, blind);
    if found == hash {
        return Ok(());
    }
    Err(LedgerError::Invalid(format!(
        "contribution of {:?}: its \"hash\" is not that of its \"seed\", \"blind\" and \"seen\" for round {nonce} of {commitment}",
        from.as_str()
    )))
}

fn new_void(commitment: Commitment, void: &NewVoid, place: &Place<'_>) -> Result<Void, LedgerError> {
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
    working: &Working,
) -> Result<Reveal, LedgerError> {
    let seed = match working.lives.get(&commitment) {
        Some(stored) => place.vault.open(&stored.seed, &commitment)?,
        // A placeholder: the judge refuses an unknown commitment before it looks at the seed.
        None => ServerSeed::from_bytes(&mut [0; 32]),
    };
    Ok(Reveal { commitment, ext: reveal.ext, ..Reveal::new(&seed, int("time", place.time)?) })
}

/// Two passes: first the judge says what is mixed, then the whole deal is judged with its result.
fn new_deal(
    commitment: Commitment,
    round: &NewDeal,
    place: &Place<'_>,
    working: &mut Working,
) -> Result<Accepted, LedgerError> {
    let stored = working.lives.get(&commitment);
    let life = stored.map(|stored| &stored.life);
    let lock = life.and_then(|life| life.open.as_ref()).map(|open| int("lock", open.index)).transpose()?;
    let (nonce, time) = (nonce(round.nonce, life)?, int("time", place.time)?);
    let mut deal = Deal {
        contributions: some(&round.contributions),
        ext: round.ext,
        lock,
        opened: some(&round.opened),
        seats: round.seats.clone(),
        ..Deal::in_clear(commitment, nonce, Vec::new(), stand_in(life)?, time)
    };
    let probe = Entry::Deal(Box::new(deal.clone()));
    probe.to_text()?;
    let judged = judge_of(commitment, None, place, working).apply(place.index, &probe);
    refused(&judged.findings)?;
    let (Some(stored), Some(Effect::Dealt(_, Some(waiting)))) = (stored, judged.effect) else {
        return Err(LedgerError::Damaged("the judge gave a deal no effect".to_owned()));
    };
    let seed = place.vault.open(&stored.seed, &commitment)?;
    let result = deal_round(&stored.life.commit, &seed.mac(), deal.nonce, mixed(&waiting)?)
        .map_err(|e| LedgerError::Damaged(e.to_string()))?;
    deal.result = result.form.clone();
    let mut accepted = accept(Entry::Deal(Box::new(deal)), place, working)?;
    accepted.dealt = Some(Dealt::of(result));
    Ok(accepted)
}

/// What was mixed. Beacons are not verified in this version, so nothing is dealt from them.
pub(super) fn mixed(waiting: &Waiting) -> Result<&Contributions, LedgerError> {
    match &waiting.mixed {
        Mixed::Verified(contributions) => Ok(contributions),
        Mixed::UnverifiedBeacon(_) => {
            Err(LedgerError::Invalid("beacon: this version deals no beacon rounds".to_owned()))
        }
    }
}

impl Dealt {
    /// Leaves the cards of a sealed deal out.
    pub(super) fn of(result: crate::record::replay::RoundResult) -> Self {
        match result.sealed {
            Some(sealed) => Self { card_seals: Some(sealed.card_seals().to_vec()), items: None },
            None => Self { card_seals: None, items: Some(result.items) },
        }
    }
}

/// A placeholder result of the right form, for the first pass.
fn stand_in(life: Option<&Life>) -> Result<ResultForm, LedgerError> {
    let zeros = Some(Digest::from_bytes([0; 32]));
    let empty = ResultForm { cards: None, digest: None, indices: None, seal: None };
    let Some(life) = life else { return Ok(ResultForm { seal: zeros, ..empty }) };
    let commit = &life.commit;
    // A possible result: the items in order, or for a cycle each one place on.
    let items = commit.deck.items();
    let mut order: Vec<u32> = (0..items).collect();
    if commit.method == Method::Cycle {
        order.rotate_left(1);
    }
    order.truncate(usize::try_from(commit.draw.value()).expect("a draw is at most 2^20"));
    let form = match commit.form() {
        ResultKind::Seal => ResultForm { seal: zeros, ..empty },
        ResultKind::Digest => ResultForm { digest: zeros, ..empty },
        ResultKind::Indices => {
            let indices = order.into_iter().filter_map(|item| Int::new(u64::from(item))).collect();
            ResultForm { indices: Some(indices), ..empty }
        }
        ResultKind::Cards => {
            let text = commit.deck.text_of(&order).map_err(|e| LedgerError::Damaged(e.to_string()))?;
            ResultForm {
                cards: Some(Cards::new(text).map_err(|e| LedgerError::Damaged(e.to_string()))?),
                ..empty
            }
        }
    };
    Ok(form)
}
