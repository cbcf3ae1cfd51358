//! Makes a deal's entry: the judge says whether it may stand, and then its cards are dealt.

use std::collections::hash_map::Entry as MapEntry;

use crate::deal::command::{NewDeal, commitment_of, is_borne};
use crate::deal::contribution::{clear_seed, opened, round_of};
use crate::deal::judging::{Accepted, Dealt, OwnJudge, Place, Seeds, int, nonce, refused, some};
use crate::error::LedgerError;
use fairdeal::deal::{Commitment, ContributionError, Contributions, Digest, Method};
use fairdeal::record::Finding;
use fairdeal::record::entry::{
    Cards, Deal, Entry, Int, LoggedContribution, Opened, ResultForm, ResultKind,
};
use fairdeal::record::life::{Effect, Life, Open};
use fairdeal::record::replay::{Mixed, RoundResult, Waiting, deal_round};

/// Clear seeds, or what opens a lock's hashes.
type Brought = (Option<Vec<LoggedContribution>>, Option<Vec<Opened>>);

/// Says first that there is no lock: what a deal without one cannot take, a lock can.
fn unlocked(error: LedgerError) -> LedgerError {
    match error {
        LedgerError::Contribution { from, says } => {
            LedgerError::Contribution { from, says: format!("the round has no lock: {says}") }
        }
        error => error,
    }
}

/// The parts of the given contributions that the deal's entry has. They depend on the lock.
fn brought(round: &NewDeal, open: Option<&Open>) -> Result<Brought, LedgerError> {
    let given = &round.contributions;
    let Some(open) = open else {
        if given.is_empty() {
            let says = ContributionError::Count(0).to_string();
            return Err(LedgerError::Invalid(format!("the round has no lock: {says}")));
        }
        let clear = given
            .iter()
            .map(|one| clear_seed(one).map_err(unlocked))
            .collect::<Result<Vec<_>, _>>()?;
        return Ok((some(clear), None));
    };
    if round.seats.is_some() {
        let says = "seats: expected none: the round is locked, and the lock has its seats";
        return Err(LedgerError::Invalid(says.to_owned()));
    }
    let opened = given.iter().map(|one| opened(one, &open.lock)).collect::<Result<Vec<_>, _>>()?;
    Ok((None, some(opened.into_iter().flatten().collect())))
}

/// The judge says first whether the round may be dealt and what is mixed, and then whether its
/// result may stand.
pub(crate) fn new_deal(
    commitment: Commitment,
    round: &NewDeal,
    place: &Place<'_>,
    judge: &mut OwnJudge,
    seeds: &mut Seeds,
) -> Result<Accepted, LedgerError> {
    let asked = round_of(&round.contributions, place.log, &commitment, round.nonce)?;
    let life = judge.life(&commitment);
    let open = life.and_then(|life| life.open.as_ref());
    let (nonce, time) = (nonce(asked, life)?, int("time", place.time)?);
    // This comes first: what else is wrong, such as its seats, would be the lock's.
    if let Some(finding) = life.and_then(|life| life.lacks_lock(nonce)) {
        return Err(LedgerError::Unlocked(Finding { index: Some(place.index), ..finding }));
    }
    let (contributions, opened) = brought(round, open)?;
    if round.beacon.is_none()
        && let Some((life, open)) = life.zip(open)
        && let Some(round) = open.lock.beacon
    {
        return Err(place.options.beacons.awaited(&life.commit, &open.lock, round));
    }
    let deal = Deal {
        beacon: round.beacon,
        contributions,
        ext: round.ext,
        lock: open.map(|open| int("lock", open.index)).transpose()?,
        opened,
        seats: round.seats.clone(),
        ..Deal::in_clear(commitment, nonce, Vec::new(), ResultForm::EMPTY, time)
    };
    let mut entry = Entry::Deal(Box::new(deal));
    let before = judge.snapshot(&entry);
    let judged = judge.apply_undealt(place.index, &entry);
    let is_borne = judged.findings.iter().all(is_borne);
    let Some(Effect::Dealt(_, Some(waiting))) = judged.effect.filter(|_| is_borne) else {
        judge.restore(before);
        // An error of the entry's form comes first.
        set_result(&mut entry, stand_in(judge.life(&commitment))?);
        entry.to_text()?;
        if is_borne {
            return Err(LedgerError::Damaged("the judge gave a deal no effect".to_owned()));
        }
        return Err(refused(judged.findings, &commitment, judge));
    };
    match dealt(&mut entry, &waiting, place, judge, seeds) {
        Ok((text, result)) => Ok(Accepted {
            entry,
            text,
            findings: judged.findings,
            in_play: round.in_play && result.sealed.is_some(),
            dealt: Some(Dealt::of(result)),
            policy: None,
        }),
        Err(error) => {
            judge.restore(before);
            Err(error)
        }
    }
}

fn set_result(entry: &mut Entry, result: ResultForm) {
    if let Entry::Deal(deal) = entry {
        deal.result = result;
    }
}

/// Deals what the judge has let pass, writes it down, and has its result judged.
fn dealt(
    entry: &mut Entry,
    waiting: &Waiting,
    place: &Place<'_>,
    judge: &mut OwnJudge,
    seeds: &mut Seeds,
) -> Result<(String, RoundResult), LedgerError> {
    let commitment = commitment_of(entry)?;
    let Some((life, secret)) = judge.noted(&commitment) else {
        return Err(LedgerError::Damaged("the judge gave a deal no commitment".to_owned()));
    };
    let mac = match seeds.entry(commitment) {
        MapEntry::Occupied(mac) => mac.into_mut(),
        MapEntry::Vacant(room) => room.insert(place.vault.open(&secret.seed, &commitment)?.mac()),
    };
    let mut result = deal_round(&life.commit, mac, waiting.nonce, mixed(waiting)?)
        .map_err(|e| LedgerError::Damaged(e.to_string()))?;
    set_result(entry, std::mem::replace(&mut result.form, ResultForm::EMPTY));
    let text = entry.to_text()?;
    let findings = match &entry {
        Entry::Deal(deal) => judge.judge_result(place.index, deal),
        _ => Vec::new(),
    };
    if findings.is_empty() { Ok((text, result)) } else { Err(LedgerError::Refused(findings)) }
}

/// The mixed contributions. Nothing is dealt from a beacon's signature that was not verified.
fn mixed(waiting: &Waiting) -> Result<&Contributions, LedgerError> {
    match &waiting.mixed {
        Mixed::Verified(contributions) => Ok(contributions),
        Mixed::UnverifiedBeacon(_) => {
            let says = "beacon: this ledger does not know the chain; its file is given with --beacon-chain";
            Err(LedgerError::Invalid(says.to_owned()))
        }
    }
}

impl Dealt {
    /// Leaves the cards of a sealed deal out.
    pub(crate) fn of(result: RoundResult) -> Self {
        match result.sealed {
            Some(sealed) => Self { card_seals: Some(sealed.card_seals().to_vec()), items: None },
            None => Self { card_seals: None, items: Some(result.items) },
        }
    }
}

/// A placeholder result of the right form, for a deal that is refused before it has one.
fn stand_in(life: Option<&Life>) -> Result<ResultForm, LedgerError> {
    let zeros = Some(Digest::from_bytes([0; 32]));
    let empty = ResultForm::EMPTY;
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
            let text =
                commit.deck.text_of(&order).map_err(|e| LedgerError::Damaged(e.to_string()))?;
            ResultForm {
                cards: Some(Cards::new(text).map_err(|e| LedgerError::Damaged(e.to_string()))?),
                ..empty
            }
        }
    };
    Ok(form)
}
