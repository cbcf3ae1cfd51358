//! Raffles: promised by who has a token, read by everybody (spec/http.md, raffles).

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::{At, Key, LongJson, Path};
use super::files;
use super::policy::{Policy, RevealWhen};
use super::problem::Problem;
use super::routes::Dealer;
#[allow(clippy::wildcard_imports, reason = "the schemas that the derives name")]
use super::schema::*;
use super::shapes::EntryAnswer;
use super::writes::{self, Made};
use super::{Shared, reads};
use fairdeal::deal::Digest;
use fairdeal::raffle::RaffleRules;
use fairdeal::record::as_json::present;
use fairdeal::record::entry::{Caption, Table};
use fairdeal::record::receipt::Receipt;
use fairdeal_ledger::tokens::Right;
use fairdeal_ledger::{DrawTime, LedgerError, NewRaffle};

/// The most bytes of a request: a list of 64 MiB, with two bytes for each quote and newline.
pub(super) const MOST: usize = 160 * 1024 * 1024;

/// How long a document or a list is kept. A list can be taken down.
const KEPT: &str = "public, max-age=1";

/// A raffle to promise.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"list": "anna\nbob\ncarol\n", "rules": {"winners": 1}, "at": 1_800_000_000}))]
pub(super) struct RaffleRequest {
    /// The list: a line for each ticket, each ended by a newline.
    list: String,
    /// The rules.
    #[schema(value_type = RaffleRulesShape)]
    rules: RaffleRules,
    /// When it is drawn, in seconds since 1970. Either this or `margin`.
    #[serde(default, deserialize_with = "present")]
    #[schema(maximum = 253_402_300_799_u64)]
    at: Option<u64>,
    /// For an open raffle, to whose lock others bring seeds: it is drawn so many milliseconds after
    /// its lock.
    #[serde(default, deserialize_with = "present")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    margin: Option<u64>,
    /// Its own table. Default: a name that nobody has.
    #[serde(default, deserialize_with = "present")]
    table: Option<Table>,
    /// The hash of the beacon's chain. Default: quicknet's.
    #[serde(default, deserialize_with = "present")]
    chain: Option<Digest>,
}

/// A raffle's rules.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct RaffleRulesShape {
    /// The number of winners.
    #[schema(minimum = 1, maximum = 1000)]
    winners: u32,
    /// What the raffle is called.
    title: Option<Caption>,
    /// The prizes of the first winners, in order.
    #[schema(min_items = 1, max_items = 1000)]
    prizes: Option<Vec<Caption>>,
}

/// A raffle's document (spec/raffle.md, section 37).
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RaffleAnswer {
    /// `fairdeal/raffle/v1`
    format: String,
    /// The rules.
    rules: serde_json::Value,
    /// The receipt of its round.
    receipt: Receipt,
    /// The server seed, once the lock is published and signed.
    server_seed: Option<String>,
    /// The operator's policy of witnesses, for information.
    policy: Option<String>,
}

/// Promise a raffle: commit, and lock for its draw
#[utoipa::path(
    post, path = "/v1/raffles", tag = "operator", request_body = RaffleRequest,
    params(super::openapi::IdempotencyKeyHeader), security(("token" = [])),
    responses(super::openapi::Made<EntryAnswer>, super::openapi::CommitRefusals),
)]
pub(super) async fn promise(
    State(app): State<Shared>,
    caller: Dealer,
    Key(key): Key,
    LongJson(request): LongJson<RaffleRequest>,
) -> Result<Made, Problem> {
    caller.may(Right::Write)?;
    let RaffleRequest { list, rules, at, margin, table, chain } = request;
    let key = caller.key(key);
    let table = table.map_or_else(|| NewRaffle::own_table(key.as_ref()), Ok)?;
    caller.at(&table)?;
    writes::has_relay(&app)?;
    let draw = match (at, margin) {
        (Some(at), None) => DrawTime::At(at),
        (None, Some(margin)) => DrawTime::AfterLock(margin),
        _ => {
            let says = "expected \"at\", the second of the draw, or \"margin\", and not both";
            return Err(Problem::bad_request(says));
        }
    };
    let policy = Policy { reveal: RevealWhen::Done, last_deal_before: None, next: false };
    let policy = Some(policy.to_text());
    let new = NewRaffle { table: table.clone(), list: list.into(), rules, chain, draw, policy };
    match app.ledger.raffle(new, key).await {
        Ok(done) => writes::answer(&app, done).await,
        Err(error) => Err(app.placed_at(error.into(), &table).await),
    }
}

/// The document of a raffle: its promise, and after the draw the rest
#[utoipa::path(
    get, path = "/v1/raffles/{commitment}", tag = "public", params(super::openapi::OfCommitment),
    responses((status = 200, description = "The document.", body = RaffleAnswer), super::openapi::ReadRefusals),
)]
pub(super) async fn document(
    State(app): State<Shared>,
    At(commitment): At,
) -> Result<Response, Problem> {
    let mut document = app.ledger.raffle_document(commitment).await?;
    if let Some(policy) = &app.options.policy {
        let with = document.with_policy(policy.clone());
        document = with.map_err(|error| LedgerError::Damaged(error.to_string()))?;
    }
    Ok(reads::answer(KEPT, document))
}

/// The list of a raffle, by its SHA-256
#[utoipa::path(
    get, path = "/v1/lists/{digest}", tag = "log", params(super::openapi::OfList),
    responses(
        (status = 200, description = "The list.", body = String, content_type = "text/plain"),
        super::openapi::Unchanged, super::openapi::ReadRefusals,
    ),
)]
pub(super) async fn list(
    State(app): State<Shared>,
    Path(digest): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let digest: Digest =
        digest.parse().map_err(|error| Problem::bad_request(format!("digest: {error}")))?;
    let Some(bytes) = app.ledger.kept_file(&digest).await? else {
        let says = format!("this service has no list {digest}");
        return Err(Problem::not_found("no-such-list", says));
    };
    let tag = format!("\"{digest}\"");
    let response = files::tagged(&headers, &tag, bytes.into(), "text/plain; charset=utf-8", KEPT);
    // A browser shows no list as a page of this host.
    Ok(([(header::CONTENT_DISPOSITION, "attachment")], response).into_response())
}
