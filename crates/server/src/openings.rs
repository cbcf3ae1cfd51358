//! Openings of sealed cards: they need a separate right. Memos keep who opened which card, and
//! when.

use std::collections::HashMap;

use axum::Json as JsonAnswer;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::Shared;
use super::auth::Caller;
use super::body::{self, At, AtRound, Json, Path, Query};
use super::known::Known;
use super::problem::Problem;
use super::routes::Dealer;
#[allow(clippy::wildcard_imports, reason = "the schemas that the derives name")]
use super::schema::*;
use super::shapes::{OpenedBy, OpenedTold, OpeningRequest, OpeningsAnswer};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::entry::MAX_SEALED;
use fairdeal::record::receipt::Opening;
use fairdeal_ledger::tokens::Right;
use fairdeal_ledger::{LedgerError, Memo, Reader, ToOpen, check_drawn, places};

/// The kind of the memos that say who opened which card first: `COMMITMENT/NONCE/T`, the numbers in
/// 16 and 4 digits.
const OPENED: &str = "opened";

/// The kind of the memos that say who opened a card first for everybody. A separate memo, so that
/// neither hides the other.
const OPENED_PUBLIC: &str = "opened-public";

/// A memo's value: the caller who opened a card.
#[derive(Debug, Deserialize, Serialize)]
struct Opened {
    /// The token's name.
    by: String,
    /// The time in Unix milliseconds.
    at: u64,
    /// Whether everybody may see it.
    public: bool,
}

fn round_key(commitment: Commitment, nonce: Nonce) -> String {
    format!("{commitment}/{:016}/", nonce.value())
}

/// Open cards of a sealed round
#[utoipa::path(
    get, path = "/v1/commitments/{commitment}/rounds/{nonce}/openings/{t}", tag = "operator",
    operation_id = "read_opening",
    params(super::openapi::OfCards), security(("token" = [])),
    responses((status = 200, description = "The opening of the cards.", body = Opening), super::openapi::OpeningRefusals),
)]
pub(super) async fn get(
    State(app): State<Shared>,
    caller: Dealer,
    Path((commitment, nonce, cards)): Path<(String, String, String)>,
) -> Result<impl IntoResponse, Problem> {
    let round = (body::commitment(&commitment)?, body::nonce(&nonce)?);
    let place = |word: &str| {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let says =
            || Problem::bad_request(format!("t: expected places as in 0,1,2, found {word:?}"));
        digits.then(|| word.parse().ok()).flatten().ok_or_else(says)
    };
    let cards = cards.split(',').map(|word| place(word).map(ToOpen::Place));
    let cards: Vec<ToOpen> = cards.collect::<Result<_, _>>()?;
    told(&app, &caller, round, Cards { wanted: &cards, force: false, public: false }).await
}

/// Open cards of a sealed round, for its player or for everybody
#[utoipa::path(
    post, path = "/v1/commitments/{commitment}/rounds/{nonce}/openings", tag = "operator",
    operation_id = "open",
    request_body = OpeningRequest, params(super::openapi::OfRound), security(("token" = [])),
    responses((status = 200, description = "The opening of the cards.", body = Opening), super::openapi::UnkeyedRefusals),
)]
pub(super) async fn post(
    State(app): State<Shared>,
    caller: Dealer,
    AtRound(commitment, nonce): AtRound,
    Json(request): Json<OpeningRequest>,
) -> Result<impl IntoResponse, Problem> {
    let OpeningRequest { force, public, .. } = request;
    told(&app, &caller, (commitment, nonce), Cards { wanted: &request.cards(), force, public })
        .await
}

async fn told(
    app: &Shared,
    caller: &Caller,
    round: (Commitment, Nonce),
    cards: Cards<'_>,
) -> Result<impl IntoResponse + use<>, Problem> {
    let opening = open(app, caller, round, cards).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], JsonAnswer(opening)))
}

/// Cards to open.
#[derive(Clone, Copy)]
pub(super) struct Cards<'a> {
    pub(super) wanted: &'a [ToOpen],
    /// Also if they are of several seats, burnt, or nobody's.
    pub(super) force: bool,
    /// Whether everybody may see them.
    pub(super) public: bool,
}

/// Checks the cards that a coming deal shall open, but not their owners: those are known with the
/// seats.
pub(super) fn check(known: &Known, commitment: Commitment, cards: &[u32]) -> Result<(), Problem> {
    if !known.terms.sealed {
        let says = format!("{commitment} has no sealed deals: its cards are in the log");
        return Err(Problem::new(StatusCode::CONFLICT, "not-sealed", says));
    }
    cards.iter().try_for_each(|t| check_drawn(&known.terms, *t))?;
    check_count(cards)
}

fn check_count<T>(cards: &[T]) -> Result<(), Problem> {
    if cards.is_empty() || u64::try_from(cards.len()).is_ok_and(|many| many > MAX_SEALED) {
        let says = format!("t: expected 1 to {MAX_SEALED} places, found {}", cards.len());
        return Err(Problem::bad_request(says));
    }
    Ok(())
}

/// The query of the openings.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OpeningsQuery {
    /// The `next` of the page before
    #[param(pattern = "^(0|[1-9][0-9]{0,6})/(0|[1-9][0-9]{0,3})$", example = "0/12")]
    after: Option<String>,
    /// How many cards, at most
    #[serde(default = "super::reads::hundred")]
    #[param(minimum = 1, maximum = 1000)]
    most: u32,
}

/// List who opened which card, and when
///
/// The openings of each card: the first one, and the first for everybody. No card is shown.
#[utoipa::path(
    get, path = "/v1/commitments/{commitment}/openings", tag = "operator", operation_id = "openings",
    params(super::openapi::OfCommitment, OpeningsQuery), security(("token" = [])),
    responses((status = 200, description = "A page of opened cards, by round and place.", body = OpeningsAnswer), super::openapi::RecordRefusals),
)]
pub(super) async fn list(
    State(app): State<Shared>,
    caller: Caller,
    At(commitment): At,
    Query(query): Query<OpeningsQuery>,
) -> Result<impl IntoResponse, Problem> {
    app.granted(&caller, Right::Open, commitment).await?;
    let most = super::reads::page(query.most)?;
    let prefix = format!("{commitment}/");
    let after = match query.after.as_deref() {
        Some(text) => Some(card_key(commitment, text)?),
        None => None,
    };
    let first = app.ledger.memos(OPENED, &prefix, after.as_deref(), most).await?;
    // Each of these was opened for somebody too, so that those of this page are among as many.
    let public = app.ledger.memos(OPENED_PUBLIC, &prefix, after.as_deref(), most).await?;
    let public: HashMap<String, String> = public.into_iter().collect();
    let openings: Vec<OpenedTold> = first
        .iter()
        .map(|(key, value)| told_of(key, value, public.get(key).map(String::as_str)))
        .collect::<Option<_>>()
        .ok_or_else(|| LedgerError::Damaged(format!("{OPENED} {prefix}: it cannot be read")))?;
    let is_full = u32::try_from(openings.len()).is_ok_and(|found| found == most);
    let next = openings.last().filter(|_| is_full).map(|last| format!("{}/{}", last.nonce, last.t));
    let answer = OpeningsAnswer { commitment, openings, next };
    Ok(([(header::CACHE_CONTROL, "no-store")], JsonAnswer(answer)))
}

/// The key of a card's memo, from a round and a place.
fn card_key(commitment: Commitment, text: &str) -> Result<String, Problem> {
    let expected =
        || Problem::bad_request(format!("after: expected ROUND/PLACE, as in 0/12, found {text:?}"));
    let (nonce, t) = text.split_once('/').ok_or_else(expected)?;
    let t = body::nonce(t).map_err(|_| expected())?;
    Ok(format!(
        "{}{:04}",
        round_key(commitment, body::nonce(nonce).map_err(|_| expected())?),
        t.value()
    ))
}

/// The openings in the memos of a card.
fn told_of(key: &str, first: &str, public: Option<&str>) -> Option<OpenedTold> {
    let mut parts = key.split('/').skip(1).map(|number| number.parse().ok());
    let (nonce, t) = (parts.next()??, parts.next()??);
    let by = |text: &str| {
        let Opened { by, at, .. } = serde_json::from_str(text).ok()?;
        Some(OpenedBy { by, at })
    };
    let public = match public {
        Some(public) => Some(by(public)?),
        None => None,
    };
    Some(OpenedTold { nonce, t, first: by(first)?, public })
}

/// Opens cards, after writing down who did.
pub(super) async fn open(
    app: &Shared,
    caller: &Caller,
    (commitment, nonce): (Commitment, Nonce),
    Cards { wanted: cards, force, public }: Cards<'_>,
) -> Result<Opening, Problem> {
    let known = app.granted(caller, Right::Open, commitment).await?;
    if cards.is_empty() {
        let says = "expected seat, street or t, found none";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "invalid", says));
    }
    check_count(cards)?;
    let seats = match known.terms.layout {
        Some(_) => app.ledger.round(commitment, nonce).await?.seats().to_vec(),
        None => Vec::new(),
    };
    let places = places(&known.terms, &seats, cards, force)?;
    let opening = app.ledger.opening(commitment, nonce, &places).await?;
    let prefix = round_key(commitment, nonce);
    let opened = Opened { by: caller.name().to_owned(), at: app.now(), public };
    let value = serde_json::to_string(&opened).expect("a plain struct");
    let mut memos = Vec::new();
    for kind in if public { &[OPENED, OPENED_PUBLIC][..] } else { &[OPENED] } {
        let before = before(&app.ledger, kind, &prefix).await?;
        let news = opening.opened.iter().map(|card| card.t.value());
        let news = news.filter(|t| !before.contains(t));
        memos.extend(news.map(|t| Memo::keep(*kind, format!("{prefix}{t:04}"), value.as_str())));
    }
    if !memos.is_empty() {
        tracing::info!(%commitment, %nonce, by = opened.by, memos = memos.len(), public, "opened");
        // Somebody else may have been first meanwhile: then theirs stays.
        app.ledger.add_memos(memos).await?;
    }
    Ok(opening)
}

/// The opened places of a round, by the memos of a kind.
async fn before(reader: &Reader, kind: &str, prefix: &str) -> Result<Vec<u64>, LedgerError> {
    let most = u32::try_from(MAX_SEALED).unwrap_or(u32::MAX);
    let kept = reader.memos(kind, prefix, None, most).await?;
    Ok(kept.iter().filter_map(|(key, _)| key.strip_prefix(prefix)?.parse().ok()).collect())
}

/// The cards of a round that everybody may see.
pub(super) async fn public(
    reader: &Reader,
    commitment: Commitment,
    nonce: Nonce,
) -> Result<Option<Opening>, LedgerError> {
    let opened = before(reader, OPENED_PUBLIC, &round_key(commitment, nonce)).await?;
    let cards: Vec<u32> = opened.iter().filter_map(|t| u32::try_from(*t).ok()).collect();
    if cards.is_empty() {
        Ok(None)
    } else {
        reader.opening(commitment, nonce, &cards).await.map(Some)
    }
}
