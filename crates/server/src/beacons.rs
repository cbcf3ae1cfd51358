//! Rounds that wait for a beacon: deals them once it is out, and answers with its signatures
//! (spec/http.md, beacons).
//!
//! Every node with a relay does this. The second one is refused, and knows then that it is done.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use tokio::sync::Notify;

use super::body::{self, Path};
use super::feed::{Event, News};
use super::problem::Problem;
use super::shapes::BeaconAnswer;
use super::{App, Shared, metrics, reads};
use crate::told::out;
use fairdeal::deal::{Commitment, Digest, Nonce};
use fairdeal::record::Entry;
use fairdeal::record::entry::BeaconSignature;
use fairdeal::utc::utc;
use fairdeal_ledger::{LedgerError, NewDeal};

/// The pause after the first failure; each further one is as much longer, up to [`LONGEST`].
const AGAIN: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(30);

/// The interval of setting the numbers.
const LOOK: Duration = Duration::from_secs(5);

/// How long after its beacon is out a deal is late, in milliseconds.
const LATE: u64 = 10_000;

/// The signatures that are kept for readers.
const KEPT: usize = 1_024;

/// A round of a chain.
type BeaconRound = (Digest, u64);

#[derive(Debug, Default)]
struct Rounds {
    /// Commitments whose new lock nobody has looked at.
    locked: Vec<Commitment>,
    /// What the open round of a commitment waits for, and when that is out, in Unix milliseconds.
    awaited: HashMap<Commitment, (BeaconRound, u64)>,
    /// Signatures that were verified, the oldest first.
    signatures: VecDeque<(BeaconRound, BeaconSignature)>,
}

/// The rounds that wait for a beacon, as far as this node has seen them.
#[derive(Debug, Default)]
pub(super) struct Beacons {
    /// Held for no longer than a look.
    rounds: Mutex<Rounds>,
    woken: Notify,
}

impl Beacons {
    fn rounds(&self) -> MutexGuard<'_, Rounds> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// These commitments have a round that waits for a beacon.
    pub(super) fn locked(&self, commitments: impl IntoIterator<Item = Commitment>) {
        self.rounds().locked.extend(commitments);
        self.woken.notify_one();
    }

    /// Learns of a new entry.
    pub(super) fn learn(&self, event: &Event) {
        let Some(commitment) = event.commitment else { return };
        match event.news {
            News::Awaits => self.locked([commitment]),
            News::Round(_, signature) => self.ended(&commitment, signature),
            News::Made(_) | News::Ended | News::Nothing => {}
        }
    }

    /// The open round of a commitment has been dealt with this signature, or voided.
    fn ended(&self, commitment: &Commitment, signature: Option<BeaconSignature>) {
        let mut rounds = self.rounds();
        if let Some((round, _)) = rounds.awaited.remove(commitment)
            && let Some(signature) = signature
        {
            rounds.keep(round, signature);
        }
    }

    /// Whether this node deals the open round of a commitment when its beacon is out.
    pub(super) fn is_finishing(&self, commitment: &Commitment) -> bool {
        self.rounds().awaited.contains_key(commitment)
    }

    /// How many rounds are not dealt although their beacon is out.
    pub(super) fn late(&self, now: u64) -> u64 {
        let is_late = |(_, out): &&(BeaconRound, u64)| out.saturating_add(LATE) < now;
        u64::try_from(self.rounds().awaited.values().filter(is_late).count()).unwrap_or(u64::MAX)
    }

    fn signature(&self, round: &BeaconRound) -> Option<BeaconSignature> {
        let rounds = self.rounds();
        let mut found = rounds.signatures.iter().filter(|(one, _)| one == round);
        found.next().map(|(_, signature)| *signature)
    }

    fn is_awaited(&self, round: &BeaconRound) -> bool {
        self.rounds().awaited.values().any(|(one, _)| one == round)
    }
}

impl Rounds {
    /// Keeps the signature of a round for readers.
    fn keep(&mut self, round: BeaconRound, signature: BeaconSignature) {
        if self.signatures.iter().any(|(one, _)| *one == round) {
            return;
        }
        if self.signatures.len() >= KEPT {
            self.signatures.pop_front();
        }
        self.signatures.push_back((round, signature));
    }
}

/// Deals rounds whose beacon is out, until it is dropped.
pub(super) async fn finish(app: &App) {
    let mut under_way = FuturesUnordered::new();
    loop {
        let locked = std::mem::take(&mut app.beacons.rounds().locked);
        if !app.ledger.beacons().relays.is_empty() {
            under_way.extend(locked.into_iter().map(|one| finish_one(app, one)));
        }
        let awaited = app.beacons.rounds().awaited.len();
        metrics::beacons(awaited, app.beacons.late(app.now()));
        tokio::select! {
            Some(()) = under_way.next() => {}
            () = app.beacons.woken.notified() => {}
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

/// Deals the open round of a commitment, however often that fails.
async fn finish_one(app: &App, commitment: Commitment) {
    let mut pause = AGAIN;
    while let Err(error) = try_one(app, commitment).await {
        if app.keeper.is_news(commitment, error.code(), app.now()) {
            tracing::warn!(%commitment, %error, "an automatic deal failed");
        }
        metrics::beacon_failed(error.code());
        tokio::time::sleep(pause).await;
        pause = LONGEST.min(pause + AGAIN);
    }
}

/// Waits for the beacon of a commitment's open round, and deals that round.
async fn try_one(app: &App, commitment: Commitment) -> Result<(), LedgerError> {
    let known = app.known.of(&app.ledger, commitment).await?;
    let awaited = app.ledger.show(commitment).await?.open.and_then(|open| {
        let round = (known.terms.beacon.as_ref()?.chain, open.lock.beacon?.value());
        let out = out(&open.lock, &known.terms, &app.ledger.beacons().chains)?;
        Some((open.lock.nonce, round, out))
    });
    let Some((nonce, round, out)) = awaited else { return Ok(()) };
    app.beacons.rounds().awaited.insert(commitment, (round, out));
    let deal = NewDeal {
        nonce: Some(nonce),
        in_play: known.terms.sealed,
        next: known.policy.next,
        ..NewDeal::default()
    };
    let error = match app.ledger.finish(commitment, deal).await {
        Ok(done) => {
            tracing::info!(%commitment, %nonce, index = done.index, kind = done.entry.kind(), "a round that waited for its beacon is done");
            super::note(&done);
            app.feed.wake();
            return Ok(());
        }
        Err(error) => error,
    };
    if let Some(signature) = end_of(app, commitment, nonce).await? {
        // Somebody else was faster.
        app.beacons.ended(&commitment, signature);
        return Ok(());
    }
    // Readers need no deal for it. An answer that a relay has given is remembered.
    if !matches!(error, LedgerError::AwaitsBeacon { .. })
        && out <= app.now()
        && let Ok(signature) = app.ledger.beacon(&round.0, round.1).await
    {
        app.beacons.rounds().keep(round, signature);
    }
    Err(error)
}

/// The signature that a round was dealt with, if it was; `None` as long as the round is open.
async fn end_of(
    app: &App,
    commitment: Commitment,
    nonce: Nonce,
) -> Result<Option<Option<BeaconSignature>>, LedgerError> {
    let round = app.ledger.round(commitment, nonce).await?;
    Ok(round.entries.into_iter().find_map(|(_, entry)| match entry {
        Entry::Deal(deal) => Some(deal.beacon),
        Entry::Void(_) => Some(None),
        _ => None,
    }))
}

/// The signature of a beacon's round that a round of this log waits for, or was dealt with
///
/// No read makes the service ask a relay.
#[utoipa::path(
    get, path = "/v1/beacons/{chain}/{round}", tag = "public", params(super::openapi::OfBeacon),
    responses((status = 200, description = "The round's signature.", body = BeaconAnswer), super::openapi::ReadRefusals),
)]
pub(super) async fn beacon(
    State(app): State<Shared>,
    Path((chain, round)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let chain: Digest =
        chain.parse().map_err(|error| Problem::bad_request(format!("chain: {error}")))?;
    let round = body::nonce(&round)?.value();
    if round == 0 {
        return Err(Problem::bad_request("round: expected 1 or more, found 0"));
    }
    let Some(known) = app.ledger.beacons().chains.get(&chain) else {
        let says = format!("this service knows no chain {chain}");
        return Err(Problem::not_found("unknown-chain", says));
    };
    let out = known.out(round).saturating_mul(1000);
    if app.now() < out {
        let says = format!("round {round} of the chain is out at {}", utc(out));
        return Err(Problem::not_found("not-out", says));
    }
    let asked = (chain, round);
    if let Some(signature) = app.beacons.signature(&asked) {
        return Ok(reads::answer(reads::FOR_EVER, BeaconAnswer { round, signature }));
    }
    if app.beacons.is_awaited(&asked) {
        let says = "no relay has given the signature yet";
        return Err(Problem::unavailable("awaits-beacon", says, 1));
    }
    let says = format!(
        "no round of this log waits for round {round} of the chain; a deal has the signature that it mixed"
    );
    Err(Problem::not_found("unknown-beacon", says))
}
