//! The parts of a player's contribution that a caller has. The ledger decides inside its
//! transaction which of them an entry has: only there is it known whether the round is locked.

use crate::error::LedgerError;
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::{Lock, LoggedContribution, Opened};
use fairdeal::record::receipt::Given;

/// Its clear seed, for a deal without a lock.
///
/// # Errors
/// [`LedgerError::Contribution`], if there is no seed.
pub fn clear_seed(given: &Given) -> Result<LoggedContribution, LedgerError> {
    let seed = given.seed.clone().ok_or_else(|| lacks_seed(given))?;
    Ok(LoggedContribution { hash: None, seed: Some(seed), ..given.logged() })
}

/// Its part in a lock: the hash if there is one, else the clear seed.
///
/// A hash that comes with its seed or its blind is refused: the operator would know the cards
/// before it locks, and could choose.
pub(crate) fn locked(given: &Given) -> Result<LoggedContribution, LedgerError> {
    match (given.hash, &given.seed) {
        (Some(_), seed) if seed.is_some() || given.blind.is_some() => {
            Err(LedgerError::Secret { from: given.from.clone() })
        }
        // A caller with a blind has hashed the seed, and means to keep it until the lock.
        (None, Some(_)) if given.blind.is_some() => {
            Err(lacks(given, "the \"hash\" to lock (a \"blind\" opens it later)", "none"))
        }
        (None, None) => Err(lacks(given, "a \"seed\" or a \"hash\"", "none")),
        _ => Ok(given.logged()),
    }
}

/// The seed that this opening gives to a lock. `None` if the lock has its seed in clear.
pub(crate) fn opened(given: &Given, lock: &Lock) -> Result<Option<Opened>, LedgerError> {
    let seed = given.seed.clone().ok_or_else(|| lacks_seed(given))?;
    let logged = lock.contributions().iter().find(|logged| logged.from == given.from);
    if logged.is_some_and(|logged| logged.seed.as_ref() == Some(&seed)) {
        return Ok(None);
    }
    match given.blind {
        Some(blind) => Ok(Some(Opened { blind, from: given.from.clone(), seed })),
        None => Err(wrong(
            given,
            "the round is locked, expected the \"seed\" that it has, or the \"seed\" and \"blind\" \
             that open its hash; found another seed",
        )),
    }
}

fn lacks_seed(given: &Given) -> LedgerError {
    lacks(given, "its \"seed\"", if given.hash.is_some() { "a hash alone" } else { "none" })
}

fn lacks(given: &Given, expected: &str, found: &str) -> LedgerError {
    wrong(given, format!("expected {expected}, found {found}"))
}

fn wrong(given: &Given, says: impl Into<String>) -> LedgerError {
    LedgerError::Contribution { from: given.from.clone(), says: says.into() }
}

/// The round that contributions name. They must agree on it, with the round asked for, with the
/// commitment and with the log: a hash for another log could never be opened in this one.
pub(crate) fn round_of(
    all: &[Given],
    log: &VerifierKey,
    commitment: &Commitment,
    wanted: Option<Nonce>,
) -> Result<Option<Nonce>, LedgerError> {
    let mut round = wanted;
    for one in all {
        if let Some(other) = one.log.as_ref().filter(|other| *other != log) {
            let (log, other) = (log.to_text(), other.to_text());
            return Err(wrong(
                one,
                format!("expected one for the log {log}, found one for {other}"),
            ));
        }
        if let Some(other) = one.commitment.filter(|other| other != commitment) {
            return Err(wrong(
                one,
                format!("expected one for commitment {commitment}, found one for {other}"),
            ));
        }
        let Some(nonce) = one.nonce else { continue };
        if let Some(round) = round.filter(|round| *round != nonce) {
            return Err(wrong(
                one,
                format!("expected one for round {round}, found one for {nonce}"),
            ));
        }
        round = Some(nonce);
    }
    Ok(round)
}
