//! The steps of a round: commit, lock, deal, void, reveal, and the end of a hand. Each answers with
//! its receipt.

use axum::Json as JsonAnswer;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::body::{At, AtRound, Json, Key};
use super::known::Known;
use super::policy::Policy;
use super::problem::Problem;
use super::routes::Dealer;
use super::shapes::{
    BeaconRequest, CommitmentRequest, DealRequest, DoneAnswer, Empty, EntryAnswer, LockRequest,
    NextAnswer, RevealRequest, RoundVoid, VoidRequest,
};
use super::{Shared, openings};
use crate::openings::Cards;
use crate::told::{EntryTold, NextTold, hands_of, out};
use fairdeal::deal::{Commitment, Deck, Label, Nonce};
use fairdeal::record::Code;
use fairdeal::record::entry::{
    Entry, GivenLayout, Int, LoggedContribution, Mixing, RoundOf, Terms, verify_contribution,
};
use fairdeal_ledger::tokens::Right;
use fairdeal_ledger::{
    Asked, BeaconOptions, Done, Given, LedgerError, NewCommit, NewDeal, NewLock, NewReveal,
    NewVoid, ToOpen, places,
};

/// Responses to writes may hold opened cards, so they are never cached.
const KEPT: [(HeaderName, &str); 1] = [(header::CACHE_CONTROL, "no-store")];

pub(super) type Made = (StatusCode, [(HeaderName, &'static str); 1], EntryAnswer);

type Answer = Result<Made, Problem>;

/// Room for most answers. A buffer that grows is copied, and erased, at each step.
const ROOM: usize = 4 * 1024;

impl IntoResponse for EntryAnswer {
    fn into_response(self) -> Response {
        let mut bytes = Vec::with_capacity(ROOM);
        serde_json::to_writer(&mut bytes, &self).expect("a plain struct with text for keys");
        ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
    }
}

/// How many rounds a commitment has where nothing is said.
const ROUNDS: u64 = 1000;

/// Publish a commitment to a new server seed
#[utoipa::path(
    post, path = "/v1/commitments", tag = "operator", request_body = CommitmentRequest,
    params(super::openapi::IdempotencyKeyHeader), security(("token" = [])),
    responses(super::openapi::Made<EntryAnswer>, super::openapi::CommitRefusals),
)]
pub(super) async fn commit(
    State(app): State<Shared>,
    caller: Dealer,
    Key(key): Key,
    Json(request): Json<CommitmentRequest>,
) -> Answer {
    caller.may(Right::Write)?;
    caller.at(&request.table)?;
    let table = request.table.clone();
    let new = terms(request)?;
    if new.terms.mixing == Mixing::Beacon {
        has_relay(&app)?;
    }
    match app.ledger.commit(new, caller.key(key)).await {
        Ok(done) => answer(&app, done).await,
        Err(error) => Err(app.placed_at(error.into(), &table).await),
    }
}

/// Refuses to promise rounds of a beacon that the service could not finish.
pub(super) fn has_relay(app: &Shared) -> Result<(), Problem> {
    if !app.ledger.beacons().relays.is_empty() {
        return Ok(());
    }
    let says = "mixing: expected \"seeds\" or \"hashes\": this service has no relay of a beacon \
        (--beacon-relay), and could not finish the rounds";
    Err(Problem::new(StatusCode::BAD_REQUEST, "invalid", says))
}

/// The terms of a request, with the defaults of the command line.
fn terms(request: CommitmentRequest) -> Result<NewCommit, Problem> {
    let (layout, game) = match request.layout {
        Some(GivenLayout { layout, game }) => (Some(layout), game),
        None => (None, None),
    };
    let deck = match game {
        Some(game) => game.deck_or(request.deck).map_err(|found| {
            let expected = game.deck();
            let says =
                format!("deck: expected {expected}, the deck of {game}, or none, found {found}");
            Problem::new(StatusCode::BAD_REQUEST, "invalid", says)
        })?,
        None => request.deck.unwrap_or(Deck::standard()),
    };
    if layout.is_some() && request.sealed.is_none() {
        let says = "sealed: expected true, which hides the seats' cards, or false, which shows them \
            to everybody; found none, with a layout";
        return Err(Problem::bad_request(says));
    }
    let standard = Terms::new(request.table, deck);
    let mixing = request.mixing.unwrap_or(standard.mixing);
    let beacon = match (mixing, request.beacon) {
        (Mixing::Beacon, given) => {
            let BeaconRequest { chain, margin } = given.unwrap_or_default();
            Some(BeaconOptions::terms(chain, margin))
        }
        (_, None) => None,
        (_, Some(_)) => {
            let says = format!("beacon: expected none with mixing {:?}", mixing.as_str());
            return Err(Problem::bad_request(says));
        }
    };
    let terms = Terms {
        beacon,
        draw: request.draw.map_or(standard.draw, Int::from),
        ext: request.ext,
        layout,
        method: request.method.unwrap_or(standard.method),
        mixing,
        rounds: Int::try_from(request.rounds.unwrap_or(ROUNDS))
            .map_err(|error| Problem::bad_request(format!("rounds: {error}")))?,
        rules: request.rules,
        sealed: request.sealed.unwrap_or(false),
        signed: request.signed,
        ..standard
    };
    let mut new = NewCommit::new(terms);
    if let Some(span) = request.reveal_in {
        new.reveal_in = span.to_reveal()?;
    }
    if request.last_deal_before.is_some_and(|before| before.0 >= new.reveal_in) {
        let says = "last_deal_before: expected less than reveal_in, or no round could ever begin";
        return Err(Problem::bad_request(says));
    }
    let policy = Policy {
        reveal: request.reveal.unwrap_or_default(),
        last_deal_before: request.last_deal_before.map(|span| super::milliseconds(span.0)),
        next: request.next.unwrap_or(true),
    };
    Ok(NewCommit { policy: Some(policy.to_text()), ..new })
}

/// Fix a round's contributions before its deal
#[utoipa::path(
    post, path = "/v1/commitments/{commitment}/locks", tag = "operator", request_body = LockRequest,
    params(super::openapi::OfCommitment, super::openapi::IdempotencyKeyHeader), security(("token" = [])),
    responses(super::openapi::Made<EntryAnswer>, super::openapi::Refusals),
)]
pub(super) async fn lock(
    State(app): State<Shared>,
    caller: Dealer,
    At(commitment): At,
    Key(key): Key,
    Json(request): Json<LockRequest>,
) -> Answer {
    let known = app.writable(&caller, commitment).await?;
    let key = caller.key(key);
    let LockRequest { nonce, contributions, seats, void: voided, ext } = request;
    let void = voided.map(|RoundVoid { nonce, reason, blame, ext }| NewVoid {
        nonce: Some(nonce),
        reason,
        blame,
        next: false,
        ext,
    });
    let by = Some(app.last_round_by(&known));
    let given = contributions.clone();
    let round = NewLock { nonce, contributions, seats, late: false, by, void, ext };
    match app.ledger.lock(commitment, round, key).await {
        Ok(done) => answer(&app, done).await,
        Err(error) => Err(refused(&app, error, commitment, &given).await),
    }
}

/// Deal the next round
#[utoipa::path(
    post, path = "/v1/commitments/{commitment}/deals", tag = "operator", request_body = DealRequest,
    params(super::openapi::OfCommitment, super::openapi::IdempotencyKeyHeader), security(("token" = [])),
    responses(super::openapi::Made<EntryAnswer>, super::openapi::Refusals),
)]
pub(super) async fn deal(
    State(app): State<Shared>,
    caller: Dealer,
    At(commitment): At,
    Key(key): Key,
    Json(request): Json<DealRequest>,
) -> Answer {
    let known = app.writable(&caller, commitment).await?;
    let key = caller.key(key);
    if !request.open.is_empty() {
        caller.may(Right::Open)?;
        // Checked before the deal: after it, a wrong `open` could not undo the deal.
        if let Err(problem) = openings::check(&known, commitment, &request.open) {
            return Err(app.placed(problem, commitment).await);
        }
        check_owners(&app, &known, commitment, &request).await?;
    }
    let with = request.beside();
    let DealRequest { nonce, contributions, beacon, seats, open, public, force, next, ext } =
        request;
    let given = contributions.clone();
    let round = NewDeal {
        nonce,
        contributions,
        beacon,
        seats,
        late: false,
        by: Some(app.last_round_by(&known)),
        in_play: known.terms.sealed,
        next: next.unwrap_or(known.policy.next),
        with,
        ext,
    };
    let done = match app.ledger.deal(commitment, round, key).await {
        Ok(done) => done,
        Err(error) => {
            return Err(refused(&app, error, commitment, &given).await);
        }
    };
    let nonce = done.nonce;
    let (status, kept, mut answer) = answer(&app, done).await?;
    let Some(nonce) = nonce else { return Ok((status, kept, answer)) };
    if !open.is_empty() {
        let cards: Vec<ToOpen> = open.into_iter().map(ToOpen::Place).collect();
        let cards = Cards { wanted: &cards, force, public };
        match openings::open(&app, &caller, (commitment, nonce), cards).await {
            Ok(opening) => answer.opened = Some(opening.opened),
            Err(problem) => tracing::warn!(%commitment, %nonce, ?problem, "dealt, and not opened"),
        }
    }
    let opened = answer.opened.as_deref().unwrap_or_default();
    // If this cannot be read now, the round has it too.
    let hands = hands_of(&app.ledger, &known.terms, (commitment, nonce), opened).await;
    answer.told.hands = hands.unwrap_or_default();
    Ok((status, kept, answer))
}

/// Refuses a deal that would open cards of several seats, burnt cards, or nobody's.
async fn check_owners(
    app: &Shared,
    known: &Known,
    commitment: Commitment,
    request: &DealRequest,
) -> Result<(), Problem> {
    if known.terms.layout.is_none() {
        return Ok(());
    }
    let locked = app.ledger.show(commitment).await?.open.and_then(|open| open.lock.seats);
    let seats = locked.as_ref().or(request.seats.as_ref()).map_or(&[][..], Vec::as_slice);
    let cards: Vec<ToOpen> = request.open.iter().copied().map(ToOpen::Place).collect();
    places(&known.terms, seats, &cards, request.force)?;
    Ok(())
}

/// A refusal, with the players whom it is about and the table's present state.
async fn refused(
    app: &Shared,
    error: LedgerError,
    commitment: Commitment,
    given: &[Given],
) -> Problem {
    let from = about(app, &error, commitment, given).await;
    if let LedgerError::AwaitsBeacon { out: Some(out), .. } = error {
        return Problem::from(error).awaits(out, app.now());
    }
    app.placed(Problem::from(error).about(from), commitment).await
}

/// The players whose contributions are the reason of a refusal.
async fn about(
    app: &Shared,
    error: &LedgerError,
    commitment: Commitment,
    given: &[Given],
) -> Vec<String> {
    let has = |code| error.findings().iter().any(|one| one.code == code);
    if ![Code::UnopenedHash, Code::WeakMixing, Code::ContributionSignature].into_iter().any(has) {
        return Vec::new();
    }
    let Ok(summary) = app.ledger.show(commitment).await else { return Vec::new() };
    let name = |label: &Label| label.as_str().to_owned();
    if let Some(lock) = summary.open.map(|open| open.lock).filter(|_| has(Code::UnopenedHash)) {
        let opens = |one: &&LoggedContribution| {
            let found = given.iter().find(|found| found.from == one.from);
            found.is_some_and(|found| found.opens(app.ledger.verifier_key(), &lock, one))
        };
        let hashed = lock.contributions().iter().filter(|one| one.hash.is_some());
        return hashed.filter(|one| !opens(one)).map(|one| name(&one.from)).collect();
    }
    if has(Code::ContributionSignature) {
        // The next round, or the one after a round that the same request gives up.
        let rounds = [summary.next, summary.next.saturating_add(1)];
        let rounds = rounds.map(|nonce| {
            let nonce = Nonce::new(nonce).ok()?;
            Some(RoundOf { log: app.ledger.verifier_key(), commitment, nonce })
        });
        let verifies = |one: &Given| {
            let mut rounds = rounds.iter().flatten();
            rounds.any(|round| verify_contribution(round, &one.logged()).is_ok())
        };
        return given.iter().filter(|one| !verifies(one)).map(|one| name(&one.from)).collect();
    }
    let terms = &summary.terms;
    let (signed, hashes) = (terms.signed, terms.mixing == Mixing::Hashes);
    let weak = |one: &&Given| signed && one.signature.is_none() || hashes && one.hash.is_none();
    given.iter().filter(weak).map(|one| name(&one.from)).collect()
}

/// Void a round, or a commitment that was never used
#[utoipa::path(
    post, path = "/v1/commitments/{commitment}/voids", tag = "operator", request_body = VoidRequest,
    params(super::openapi::OfCommitment, super::openapi::IdempotencyKeyHeader), security(("token" = [])),
    responses(super::openapi::Made<EntryAnswer>, super::openapi::Refusals),
)]
pub(super) async fn void(
    State(app): State<Shared>,
    caller: Dealer,
    At(commitment): At,
    Key(key): Key,
    Json(request): Json<VoidRequest>,
) -> Answer {
    let known = app.writable(&caller, commitment).await?;
    let key = caller.key(key);
    let next = request.next.unwrap_or(known.policy.next);
    answer_at(&app, commitment, app.ledger.void(commitment, void_of(request, next), key).await)
        .await
}

fn void_of(request: VoidRequest, next: bool) -> NewVoid {
    let VoidRequest { nonce, reason, blame, next: _, ext } = request;
    NewVoid { nonce, reason, blame, next, ext }
}

/// Make a server seed public
#[utoipa::path(
    post, path = "/v1/commitments/{commitment}/reveal", tag = "operator", request_body = RevealRequest,
    params(super::openapi::OfCommitment, super::openapi::IdempotencyKeyHeader), security(("token" = [])),
    responses(super::openapi::Made<EntryAnswer>, super::openapi::Refusals),
)]
pub(super) async fn reveal(
    State(app): State<Shared>,
    caller: Dealer,
    At(commitment): At,
    Key(key): Key,
    Json(request): Json<RevealRequest>,
) -> Answer {
    let known = app.writable(&caller, commitment).await?;
    let key = caller.key(key);
    let RevealRequest { nonce, force, next, ext } = request;
    // The request that used the commitment up has decided whether a next one follows.
    let next = match next {
        Some(next) => next,
        None => known.policy.next && !app.ledger.show(commitment).await?.used_up,
    };
    let reveal = NewReveal { nonce, force, next, ext };
    answer_at(&app, commitment, app.ledger.reveal(commitment, reveal, key).await).await
}

/// Say that a sealed round is over: its commitment may be revealed
#[utoipa::path(
    post, path = "/v1/commitments/{commitment}/rounds/{nonce}/done", tag = "operator", request_body = Empty,
    params(super::openapi::OfRound), security(("token" = [])),
    responses(
        (status = 200, description = "The round is over.", body = DoneAnswer),
        super::openapi::UnkeyedRefusals,
    ),
)]
pub(super) async fn done(
    State(app): State<Shared>,
    caller: Dealer,
    AtRound(commitment, nonce): AtRound,
    Json(Empty {}): Json<Empty>,
) -> Result<impl IntoResponse, Problem> {
    app.writable(&caller, commitment).await?;
    app.ledger.round_done(commitment, nonce).await?;
    app.keeper.look_at(commitment);
    let in_play = app.ledger.in_play(commitment).await?;
    Ok((KEPT, JsonAnswer(DoneAnswer { commitment, nonce, in_play })))
}

/// The answer to a request under a commitment; a refusal has the table's present state.
async fn answer_at(
    app: &Shared,
    commitment: Commitment,
    made: Result<Done, LedgerError>,
) -> Answer {
    match made {
        Ok(done) => answer(app, done).await,
        Err(error) => Err(app.placed(error.into(), commitment).await),
    }
}

/// The answer to a request that made an entry: 201, or 200 for an idempotency key that was used
/// before.
pub(super) async fn answer(app: &Shared, done: Done) -> Answer {
    app.feed.wake();
    let committed = |error: LedgerError| Problem::from(error).committed(done.index);
    let (receipt, terms) = app.receipts.of(Asked::after(&done)).await.map_err(committed)?;
    let next = match &done.next {
        Some((index, commit)) => {
            let of_next = app.receipts.of(Asked::of(commit.commitment, None)).await;
            let (receipt, _) = of_next.map_err(committed)?;
            Some(NextAnswer { told: NextTold::of(*index, commit), receipt })
        }
        None => None,
    };
    let status = if done.repeated { StatusCode::OK } else { StatusCode::CREATED };
    if !done.repeated {
        super::note(&done);
    }
    let mut told = EntryTold::from(&done);
    if let Entry::Lock(lock) = &done.entry {
        told.out = out(lock, &terms, &app.ledger.beacons().chains);
    }
    let answer =
        EntryAnswer { told, reveal_by: terms.reveal_by.value(), next, opened: None, receipt };
    Ok((status, KEPT, answer))
}
