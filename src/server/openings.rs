//! Openings of sealed cards: a right of their own. Who opened what, and when, is kept.

use axum::Json as JsonAnswer;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Serialize;

use super::Shared;
use super::auth::Caller;
use super::body::{self, AtRound, Json, Path};
use super::known::Known;
use super::problem::Problem;
use super::shapes::OpeningRequest;
use crate::deal::{Commitment, Nonce};
use crate::ledger::tokens::Right;
use crate::ledger::{LedgerError, Memo, Reader};
use crate::record::entry::MAX_SEALED;
use crate::record::receipt::Opening;

/// The kind of the memos that say who opened which card first: `COMMITMENT/NONCE/T`, the numbers in 16 and 4 digits.
const OPENED: &str = "opened";

/// The same of those who opened a card first for everybody. A memo of its own, so that neither hides the other.
const OPENED_PUBLIC: &str = "opened-public";

/// Who opened a card.
#[derive(Debug, Serialize)]
struct Opened {
    /// Who, by the token's name.
    by: String,
    /// When, in Unix milliseconds.
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
    caller: Caller,
    Path((commitment, nonce, cards)): Path<(String, String, String)>,
) -> Result<impl IntoResponse, Problem> {
    let round = (body::commitment(&commitment)?, body::nonce(&nonce)?);
    let place = |word: &str| {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let says = || Problem::bad_request(format!("t: expected places as in 0,1,2, found {word:?}"));
        digits.then(|| word.parse().ok()).flatten().ok_or_else(says)
    };
    let cards: Vec<u32> = cards.split(',').map(place).collect::<Result<_, _>>()?;
    told(&app, &caller, round, &cards, false).await
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
    caller: Caller,
    AtRound(commitment, nonce): AtRound,
    Json(request): Json<OpeningRequest>,
) -> Result<impl IntoResponse, Problem> {
    told(&app, &caller, (commitment, nonce), &request.t, request.public).await
}

async fn told(
    app: &Shared,
    caller: &Caller,
    round: (Commitment, Nonce),
    cards: &[u32],
    public: bool,
) -> Result<impl IntoResponse + use<>, Problem> {
    let opening = open(app, caller, round, cards, public).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], JsonAnswer(opening)))
}

/// Checks what a deal that is to come shall open.
pub(super) fn check(known: &Known, commitment: Commitment, cards: &[u32]) -> Result<(), Problem> {
    if !known.sealed {
        let says = format!("{commitment} has no sealed deals: its cards stand in the log");
        return Err(Problem::new(StatusCode::CONFLICT, "not-sealed", says));
    }
    match cards.iter().find(|t| u64::from(**t) >= known.draw) {
        Some(&t) => {
            let draw = usize::try_from(known.draw).unwrap_or(usize::MAX);
            Err(LedgerError::NoSuchCard { t, draw }.into())
        }
        None => check_count(cards),
    }
}

fn check_count(cards: &[u32]) -> Result<(), Problem> {
    if cards.is_empty() || u64::try_from(cards.len()).is_ok_and(|many| many > MAX_SEALED) {
        let says = format!("t: expected 1 to {MAX_SEALED} places, found {}", cards.len());
        return Err(Problem::bad_request(says));
    }
    Ok(())
}

/// Opens cards, after writing down who did.
pub(super) async fn open(
    app: &Shared,
    caller: &Caller,
    (commitment, nonce): (Commitment, Nonce),
    cards: &[u32],
    public: bool,
) -> Result<Opening, Problem> {
    app.granted(caller, Right::Open, commitment).await?;
    check_count(cards)?;
    let opening = app.ledger.opening(commitment, nonce, cards).await?;
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

/// What was opened of a round, by the memos of a kind.
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
    if cards.is_empty() { Ok(None) } else { reader.opening(commitment, nonce, &cards).await.map(Some) }
}
