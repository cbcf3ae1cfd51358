//! New commitments: with the lock of a draw, or as the table's next one.

use std::sync::Arc;
use std::time::Duration;

use crate::deal::command::{NewCommit, NewLock};
use crate::deal::judging::{Accepted, OwnJudge, Place, Steps, accept, int, new_lock};
use crate::entropy::fill;
use crate::error::LedgerError;
use fairdeal::deal::{Commitment, ServerSeed};
use fairdeal::record::entry::{Commit, Entry};
use fairdeal::utc::utc;

/// The entry of a new commitment, and its server seed, sealed.
fn new_commit(
    new: &NewCommit,
    place: &Place<'_>,
    judge: &OwnJudge,
) -> Result<(Commitment, Entry, Arc<[u8]>), LedgerError> {
    let seed = ServerSeed::filled_by(|bytes| fill(bytes))?;
    let commitment = seed.commitment();
    let reveal_in = u64::try_from(new.reveal_in.as_millis()).unwrap_or(u64::MAX);
    let reveal_by = int("reveal_by", place.time.saturating_add(reveal_in))?;
    let (origin, time) = (place.origin.clone(), int("time", place.time)?);
    let entry = Entry::from(Commit {
        after: judge.last_of(&new.terms.table).copied(),
        ..Commit::new(commitment, origin, new.terms.clone(), time, reveal_by)
    });
    Ok((commitment, entry, place.vault.seal(&seed)?.into()))
}

pub(super) fn commit(
    new: &NewCommit,
    place: &Place<'_>,
    judge: &mut OwnJudge,
) -> Result<Accepted, LedgerError> {
    let made = new_commit(new, place, judge)?;
    committed(new, made, place, judge)
}

fn committed(
    new: &NewCommit,
    (commitment, entry, sealed): (Commitment, Entry, Arc<[u8]>),
    place: &Place<'_>,
    judge: &mut OwnJudge,
) -> Result<Accepted, LedgerError> {
    let accepted = accept(entry, place, judge)?;
    let (_, secret) = judge
        .noted(&commitment)
        .ok_or_else(|| LedgerError::Damaged("the judge gave a commit no effect".to_owned()))?;
    secret.seed = sealed;
    Ok(Accepted { policy: new.policy.clone(), ..accepted })
}

/// A commitment, and the lock of its first round, which the beacon decides at this second.
pub(super) fn commit_and_lock(
    new: &NewCommit,
    at: u64,
    place: &Place<'_>,
    judge: &mut OwnJudge,
) -> Result<Steps, LedgerError> {
    let mut new = new.clone();
    if let Some(terms) = &mut new.terms.beacon {
        let margin = at.saturating_mul(1000).checked_sub(place.time.saturating_add(1));
        let late = || {
            let found = utc(at.saturating_mul(1000));
            LedgerError::Invalid(format!(
                "the time of the draw: expected one to come, found {found}"
            ))
        };
        let margin = margin.ok_or_else(late)?;
        terms.margin = int("beacon.margin", margin)?;
        new.reveal_in = new.reveal_in.saturating_add(Duration::from_millis(margin));
        place.options.beacons.check(terms, place.options.witnesses.as_ref())?;
    }
    let made = new_commit(&new, place, judge)?;
    let (commitment, before) = (made.0, judge.snapshot(&made.1));
    let own = committed(&new, made, place, judge)?;
    let place = Place { index: place.index.saturating_add(1), ..*place };
    let lock = new_lock(commitment, &NewLock::default(), &place, judge);
    match lock.and_then(|lock| accept(lock.into(), &place, judge)) {
        Ok(next) => Ok(Steps { void: None, own, next: Some(next) }),
        Err(error) => {
            // The table's next commitment would follow one that is not in the log.
            judge.restore(before);
            Err(error)
        }
    }
}

/// The table's next commitment, on the same terms and with the same policy. `None` if the current
/// one is still open or has a successor.
pub(super) fn commit_next(
    ended: &Commitment,
    place: &Place<'_>,
    judge: &mut OwnJudge,
    policy: Option<&String>,
) -> Result<Option<Accepted>, LedgerError> {
    let life = judge.life(ended).filter(|life| life.closed());
    let Some(new) = life.map(|life| NewCommit::again(&life.commit, policy.cloned())) else {
        return Ok(None);
    };
    if judge.last_of(&new.terms.table) != Some(ended) {
        return Ok(None);
    }
    commit(&new, place, judge).map(Some)
}
