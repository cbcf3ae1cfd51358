//! Deals and receipts.

use std::collections::BTreeMap;
use std::sync::Arc;

use fairdeal::deal::{
    ClientSeed, Commitment, Contributions, Deck, DeckName, Label, Method, Nonce, ServerSeed,
};
use fairdeal::log::{Policy, VerifierKey};
use fairdeal::record::entry::{LoggedContribution, PlayerKey};
use fairdeal::record::receipt::{Given, ReaderGiven, is_to_judge};
use fairdeal::record::{Code, Finding};
use fairdeal_audit::answer::{JudgedFiles, Reading, ReceiptsAnswer, Replay, ReplayError, Shuffled};
use pyo3::prelude::*;

use crate::failure::{Failure, json};
use crate::waiting::detach;

/// The verifier key of a log.
pub(crate) fn key(text: &str) -> Result<VerifierKey, Failure> {
    text.parse().map_err(|error| Failure::usage("key", error))
}

/// The reader's policy, which must be for the log of this key.
pub(crate) fn policy(
    bytes: Option<&[u8]>,
    key: &VerifierKey,
) -> Result<Option<Arc<Policy>>, Failure> {
    let Some(bytes) = bytes else { return Ok(None) };
    let policy = Policy::parse(bytes).map_err(|error| Failure::usage("policy", error))?;
    if !policy.is_for(key) {
        let (name, id) = (key.name(), key.id());
        let says = format_args!(
            "expected a policy with a line \"log\" for {name}+{id}, found one for other logs"
        );
        return Err(Failure::usage("policy", says));
    }
    Ok(Some(Arc::new(policy)))
}

/// Clear seeds, as a deal mixes them; a JSON array.
fn mixed(text: &str) -> Result<Contributions, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::usage("contributions", error);
    let logged: Vec<LoggedContribution> =
        serde_json::from_str(text).map_err(|error| wrong(&error))?;
    let clear = |one: LoggedContribution| {
        let seed = one.seed.clone().ok_or_else(|| wrong(&"expected a seed, found none"))?;
        Ok(one.with_seed(seed))
    };
    let all = logged.into_iter().map(clear).collect::<Result<Vec<_>, Failure>>()?;
    Contributions::of_clients(all).map_err(|error| wrong(&error))
}

/// A round by hand, as JSON.
#[pyfunction]
#[pyo3(signature = (server_seed, contributions, nonce, *, deck, items, draw, method, commitment, sealed, trace))]
#[expect(clippy::too_many_arguments, reason = "each is an argument of the Python function")]
pub(crate) fn replay_by_hand(
    py: Python<'_>,
    server_seed: &str,
    contributions: &str,
    nonce: u64,
    deck: &str,
    items: Option<u32>,
    draw: Option<u32>,
    method: &str,
    commitment: Option<&str>,
    sealed: bool,
    trace: bool,
) -> PyResult<String> {
    Ok(detach(py, || {
        let seed: ServerSeed =
            server_seed.parse().map_err(|error| Failure::usage("server_seed", error))?;
        let nonce = Nonce::new(nonce).map_err(|error| Failure::usage("nonce", error))?;
        let shuffled = if let Some(items) = items {
            Shuffled::Count(items)
        } else {
            let name = DeckName::parse(deck).map_err(|error| Failure::usage("deck", error))?;
            Shuffled::Deck(Deck::Named(name))
        };
        let method = Method::parse(method).ok_or_else(|| {
            Failure::usage("method", format_args!("expected shuffle or cycle, found {method:?}"))
        })?;
        let players = mixed(contributions)?;
        let replay = Replay::by_hand(seed, players, nonce, shuffled, (method, draw));
        let replay = replay.map_err(|error| Failure::usage("draw", error))?;
        if let Some(text) = commitment {
            let commitment: Commitment =
                text.parse().map_err(|error| Failure::usage("commitment", error))?;
            if let Err(error) = commitment.verify_opening(replay.seed()) {
                let (code, says) = (Code::SeedMismatch, error.to_string());
                let finding =
                    Finding { code, index: None, commitment: Some(commitment), nonce: None, says };
                return Err(Failure::findings("server_seed", vec![finding]));
            }
        }
        answer(&replay, "", sealed, trace)
    })?)
}

/// The round of a receipt, as JSON.
#[pyfunction]
#[pyo3(signature = (name, receipt, *, sealed, trace))]
pub(crate) fn replay_receipt(
    py: Python<'_>,
    name: &str,
    receipt: &[u8],
    sealed: bool,
    trace: bool,
) -> PyResult<String> {
    Ok(detach(py, || {
        let replay = Replay::of_receipt(name, receipt).map_err(|error| match error {
            ReplayError::WrongSeed(says) => Failure::unsound(format_args!("{name}: {says}")),
            error => Failure::unavailable(format_args!("{name}: {error}")),
        })?;
        answer(&replay, name, sealed, trace)
    })?)
}

fn answer(replay: &Replay, name: &str, sealed: bool, trace: bool) -> Result<String, Failure> {
    let answer = replay.answer(sealed, trace).map_err(|error| match error {
        ReplayError::LongTrace(_) => Failure::usage("trace", error),
        error => Failure::unavailable(format_args!("{name}: {error}")),
    })?;
    json(&answer)
}

/// The reader's own data, given with the receipts; JSON from the Python half.
#[derive(serde::Deserialize)]
struct Beside {
    /// The contributions and the files that the reader kept, each as its name and JSON.
    mine: Vec<(String, String)>,
    /// Seeds that the reader remembers.
    clients: Vec<(String, String)>,
    /// Players' public keys.
    players: BTreeMap<String, String>,
    seat: Option<String>,
}

impl Beside {
    /// The kept files, by their names, and the rest.
    fn given(self) -> Result<(Vec<(String, String)>, ReaderGiven), Failure> {
        let label = |argument: &str, text: &str| {
            text.parse::<Label>().map_err(|error| Failure::usage(argument, error))
        };
        let (kept, own): (Vec<_>, Vec<_>) =
            self.mine.into_iter().partition(|(_, text)| is_to_judge(text.as_bytes()));
        let mut mine = Vec::new();
        for (_, text) in &own {
            mine.push(
                Given::parse_kept(text.as_bytes())
                    .map_err(|error| Failure::usage("mine", error))?,
            );
        }
        for (from, seed) in self.clients {
            let seed = ClientSeed::new(seed).map_err(|error| Failure::usage("clients", error))?;
            mine.push(Given::with_seed(label("clients", &from)?, seed));
        }
        let mut players = BTreeMap::new();
        for (from, key) in self.players {
            let wrong = |error| Failure::usage(&format!("players: {from}"), error);
            let key = PlayerKey::parse_given(&key).map_err(|error| wrong(error.to_string()))?;
            players.insert(label("players", &from)?, key);
        }
        let seat = self.seat.map(|seat| label("seat", &seat)).transpose()?;
        Ok((kept, ReaderGiven { mine, players, seat, ..ReaderGiven::default() }))
    }
}

/// Judges receipts and openings: their names and bytes, or why a file was not read. Returns JSON.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    files: Vec<(String, Option<Vec<u8>>, String)>,
    key: &str,
    policy: Option<&[u8]>,
    beside: &str,
) -> PyResult<String> {
    Ok(detach(py, || {
        let key = self::key(key)?;
        let beside: Beside = serde_json::from_str(beside).map_err(Failure::unavailable)?;
        let (kept, mut given) = beside.given()?;
        given.policy = self::policy(policy, &key)?.map(Arc::unwrap_or_clone);
        let mut reading = Reading::default();
        for (name, bytes, says) in files {
            match bytes {
                Some(bytes) => reading.add(&name, &bytes, false, &mut given),
                None => reading.unread(&name, says),
            }
        }
        for (name, text) in kept {
            reading.add(&name, text.as_bytes(), true, &mut given);
        }
        let judged = JudgedFiles::of(reading, Some(&key), &given);
        if given.seat.is_some() && !judged.may_have_an_opening() {
            return Err(Failure::usage("seat", "expected an opening among the files, found none"));
        }
        json(&ReceiptsAnswer::of(&judged))
    })?)
}
