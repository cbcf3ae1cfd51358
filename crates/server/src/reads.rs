//! Public reads: commitments, tables, rounds, receipts.

use axum::Json as JsonAnswer;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::body::{self, At, AtRound, Query};
use super::budget;
use super::problem::Problem;
#[allow(clippy::wildcard_imports, reason = "the schemas that the derives name")]
use super::schema::*;
use super::shapes::{
    CommitmentAnswer, CommitmentsAnswer, LogAnswer, ReceiptsAnswer, RoundAnswer, RoundsAnswer,
    TableState, TableTold, TablesAnswer, TablesPage,
};
use super::{App, Shared, openings};
use crate::told::{RoundTold, Standing};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::entry::{Entry, Table};
use fairdeal::record::receipt::Receipt;
use fairdeal_ledger::{Asked, Choice, LedgerError, Named};

/// The most commitments, rounds or receipts of one page.
const PAGE: u32 = 1000;

/// How long an answer that may change is kept.
const SHORT: &str = "public, max-age=1";
/// For one that never changes.
pub(super) const FOR_EVER: &str = "public, max-age=31536000, immutable";

pub(super) fn answer<T: serde::Serialize>(kept: &'static str, answer: T) -> Response {
    let mut response = JsonAnswer(answer).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    response
}

/// The query of the commitments.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct CommitmentsQuery {
    /// Only those of this table
    table: Option<Table>,
    /// Only those that are neither revealed nor voided
    #[serde(default)]
    open: bool,
    /// The index of the first entry to look at
    #[serde(default)]
    #[param(maximum = 9_007_199_254_740_991_u64)]
    from: u64,
    /// How many, at most
    #[serde(default = "hundred")]
    #[param(minimum = 1, maximum = 1000)]
    most: u32,
}

pub(super) fn hundred() -> u32 {
    100
}

pub(super) fn page(most: u32) -> Result<u32, Problem> {
    if (1..=PAGE).contains(&most) {
        Ok(most)
    } else {
        Err(Problem::bad_request(format!("most: expected 1 to {PAGE}, found {most}")))
    }
}

fn place(from: u64) -> Result<u64, Problem> {
    if from <= Nonce::MAX {
        Ok(from)
    } else {
        Err(Problem::bad_request(format!("expected a place of 0 to {}, found {from}", Nonce::MAX)))
    }
}

/// List commitments, in log order
#[utoipa::path(
    get, path = "/v1/commitments", tag = "public", params(CommitmentsQuery),
    responses((status = 200, description = "A page of commitments.", body = CommitmentsAnswer), super::openapi::ListRefusals),
)]
pub(super) async fn commitments(
    State(app): State<Shared>,
    Query(query): Query<CommitmentsQuery>,
) -> Result<Response, Problem> {
    let most = page(query.most)?;
    let choice = Choice { table: query.table, open: query.open, between: None };
    let found = app.ledger.list(&choice, place(query.from)?, most).await?;
    let now = app.now();
    let full = u32::try_from(found.len()).is_ok_and(|found| found == most);
    let next = found.last().filter(|_| full).map(|last| last.index + 1);
    let commitments = found.into_iter().map(|one| Standing::at(one, now)).collect();
    Ok(answer(SHORT, CommitmentsAnswer { commitments, next }))
}

/// Show one commitment
#[utoipa::path(
    get, path = "/v1/commitments/{commitment}", tag = "public", params(super::openapi::OfCommitment),
    responses((status = 200, description = "The commitment's present state.", body = CommitmentAnswer), super::openapi::ReadRefusals),
)]
pub(super) async fn commitment(
    State(app): State<Shared>,
    At(commitment): At,
) -> Result<Response, Problem> {
    Ok(answer(SHORT, app.standing(commitment).await?))
}

/// The query of the tables.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct TablesQuery {
    /// One table, by its name: then the others do not count
    table: Option<Table>,
    /// Only tables after this one, by the bytes of their names
    after: Option<Table>,
    /// How many, at most: 100 where nothing is said
    #[param(minimum = 1, maximum = 1000)]
    most: Option<u32>,
}

/// Show a table's present state, or list the tables, each with its last commitment
///
/// A table's name is in the query, because it may hold `/` and `..`.
#[utoipa::path(
    get, path = "/v1/tables", tag = "public", params(TablesQuery),
    responses((status = 200, description = "The table and its last commitment, or a page of tables.", body = TablesAnswer), super::openapi::ReadRefusals),
)]
pub(super) async fn tables(
    State(app): State<Shared>,
    Query(query): Query<TablesQuery>,
) -> Result<Response, Problem> {
    let TablesQuery { table, after, most } = query;
    if let Some(table) = table {
        let last = app.ledger.find(&Named::LastOf(table.clone())).await?;
        let commitment = app.standing(last).await?;
        return Ok(answer(SHORT, TablesAnswer::One(Box::new(TableState { table, commitment }))));
    }
    let most = page(most.unwrap_or_else(hundred))?;
    let found = app.ledger.tables(after.as_ref(), most).await?;
    let is_full = u32::try_from(found.len()).is_ok_and(|found| found == most);
    let next = found.last().filter(|_| is_full).map(|(table, _)| table.clone());
    let tables =
        found.into_iter().map(|(table, commitment)| TableTold { table, commitment }).collect();
    Ok(answer(SHORT, TablesAnswer::Page(TablesPage { tables, next })))
}

impl App {
    /// A commitment's present state.
    pub(super) async fn standing(
        &self,
        commitment: Commitment,
    ) -> Result<CommitmentAnswer, LedgerError> {
        let standing = Standing::at(self.ledger.show(commitment).await?, self.now());
        let in_play =
            if standing.sealed { self.ledger.in_play(commitment).await? } else { Vec::new() };
        Ok(CommitmentAnswer { standing, in_play })
    }

    /// Adds the present state of a commitment's table to the problem of a request that did not fit
    /// it.
    pub(super) async fn placed(&self, problem: Problem, commitment: Commitment) -> Problem {
        // The problem itself matters more than what cannot be read.
        match self.known.of(&self.ledger, commitment).await {
            Ok(known) => self.placed_at(problem, &known.terms.table).await,
            Err(_) => problem,
        }
    }

    /// The same for a table.
    pub(super) async fn placed_at(&self, problem: Problem, table: &Table) -> Problem {
        if !problem.is_conflict() {
            return problem;
        }
        let last = self.ledger.find(&Named::LastOf(table.clone())).await;
        let standing = match last {
            Ok(last) => self.standing(last).await.ok(),
            Err(_) => None,
        };
        problem.at(standing.map(|commitment| TableState { table: table.clone(), commitment }))
    }
}

/// The query of the rounds.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct RoundsQuery {
    /// The first round
    #[serde(default)]
    #[param(maximum = 9_007_199_254_740_991_u64)]
    from: u64,
    /// How many, at most
    #[serde(default = "hundred")]
    #[param(minimum = 1, maximum = 1000)]
    most: u32,
}

/// List the rounds of a commitment
#[utoipa::path(
    get, path = "/v1/commitments/{commitment}/rounds", tag = "public",
    params(super::openapi::OfCommitment, RoundsQuery),
    responses((status = 200, description = "A page of rounds.", body = RoundsAnswer), super::openapi::ReadRefusals),
)]
pub(super) async fn rounds(
    State(app): State<Shared>,
    At(commitment): At,
    Query(query): Query<RoundsQuery>,
) -> Result<Response, Problem> {
    let (mut from, most) = (place(query.from)?, page(query.most)?);
    let summary = app.ledger.show(commitment).await?;
    let done = summary.next + u64::from(summary.open.is_some());
    let end = done.min(from.saturating_add(u64::from(most)));
    let (mut rounds, mut bytes) = (Vec::new(), 0);
    let chains = &app.ledger.beacons().chains;
    while from < end && bytes < budget::PAGE {
        let step = u32::try_from(end - from).unwrap_or(most).min(AT_ONCE);
        let found = app.ledger.rounds(commitment, from, step).await?;
        if found.is_empty() {
            break;
        }
        for round in found {
            from = round.nonce.value() + 1;
            let told = RoundTold::of(round, &summary.terms, chains, &[]);
            bytes += size_of(&told);
            rounds.push(told);
        }
    }
    let next = Some(from).filter(|from| *from < done);
    Ok(answer(SHORT, RoundsAnswer { commitment, done, rounds, next }))
}

/// Show one round: who brought what, and what was dealt
#[utoipa::path(
    get, path = "/v1/commitments/{commitment}/rounds/{nonce}", tag = "public",
    params(super::openapi::OfRound),
    responses((status = 200, description = "The round.", body = RoundAnswer), super::openapi::ReadRefusals),
)]
pub(super) async fn round(
    State(app): State<Shared>,
    AtRound(commitment, nonce): AtRound,
) -> Result<Response, Problem> {
    let known = app.known.of(&app.ledger, commitment).await?;
    let round = app.ledger.round(commitment, nonce).await?;
    let (mut in_play, mut card_seals, mut opened) = (false, None, Vec::new());
    if known.terms.sealed && round.is_dealt() {
        in_play = app.ledger.in_play(commitment).await?.contains(&nonce.value());
        if let Some(opening) = openings::public(&app.ledger, commitment, nonce).await? {
            (card_seals, opened) = (Some(opening.card_seals), opening.opened);
        }
    }
    let table = known.terms.table.clone();
    let round = RoundTold::of(round, &known.terms, &app.ledger.beacons().chains, &opened);
    Ok(answer(SHORT, RoundAnswer { commitment, table, round, in_play, card_seals, opened }))
}

/// The receipt of a round
#[utoipa::path(
    get, path = "/v1/commitments/{commitment}/rounds/{nonce}/receipt", tag = "public",
    params(super::openapi::OfRound),
    responses((status = 200, description = "The receipt of the round.", body = Receipt), super::openapi::ReadRefusals),
)]
pub(super) async fn receipt(
    State(app): State<Shared>,
    AtRound(commitment, nonce): AtRound,
) -> Result<Response, Problem> {
    Ok(answer(SHORT, app.ledger.receipt(commitment, Some(nonce)).await?))
}

/// The receipt of a commitment alone
#[utoipa::path(
    get, path = "/v1/commitments/{commitment}/receipt", tag = "public",
    params(super::openapi::OfCommitment),
    responses((status = 200, description = "The receipt of the commitment.", body = Receipt), super::openapi::ReadRefusals),
)]
pub(super) async fn commitment_receipt(
    State(app): State<Shared>,
    At(commitment): At,
) -> Result<Response, Problem> {
    Ok(answer(SHORT, app.ledger.receipt(commitment, None).await?))
}

/// The query of the receipts.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ReceiptsQuery {
    /// A range of rounds, the last included, as in `0-49`
    #[param(pattern = "^(0|[1-9][0-9]{0,6})-(0|[1-9][0-9]{0,6})$", example = "0-49")]
    rounds: String,
}

/// How many rounds or receipts are read at once, before their bytes are counted.
const AT_ONCE: u32 = 16;

/// The most receipts in one answer.
const RECEIPTS: u64 = 100;

/// The receipts of several rounds
///
/// Once each receipt has the end of the commitment, only its checkpoint can change, and the answer
/// may be cached without limit.
#[utoipa::path(
    get, path = "/v1/commitments/{commitment}/receipts", tag = "public",
    params(super::openapi::OfCommitment, ReceiptsQuery),
    responses((status = 200, description = "The receipts, in the order of the rounds.", body = ReceiptsAnswer), super::openapi::ReadRefusals),
)]
pub(super) async fn receipts(
    State(app): State<Shared>,
    At(commitment): At,
    Query(query): Query<ReceiptsQuery>,
) -> Result<Response, Problem> {
    let expected = || {
        Problem::bad_request(format!(
            "rounds: expected FIRST-LAST, as in 0-49, found {:?}",
            query.rounds
        ))
    };
    let (first, last) = query.rounds.split_once('-').ok_or_else(expected)?;
    let (first, last) = (body::nonce(first)?, body::nonce(last)?);
    let many = last.value().checked_sub(first.value()).ok_or_else(expected)? + 1;
    if many > RECEIPTS {
        return Err(Problem::bad_request(format!(
            "rounds: expected at most {RECEIPTS}, found {many}"
        )));
    }
    let nonces = (first.value()..=last.value()).map(Nonce::new).collect::<Result<Vec<_>, _>>();
    let nonces = nonces.map_err(|e| Problem::bad_request(e.to_string()))?;
    let asked: Vec<_> =
        nonces.into_iter().map(|nonce| Asked::of(commitment, Some(nonce))).collect();
    let (mut receipts, mut bytes) = (Vec::new(), 0);
    for some in asked.chunks(usize::try_from(AT_ONCE).unwrap_or(usize::MAX)) {
        if bytes >= budget::PAGE {
            break;
        }
        for proved in app.ledger.receipts(some).await? {
            let (receipt, _) = proved?;
            bytes += size_of(&receipt);
            receipts.push(receipt);
        }
    }
    let next = first.value() + u64::try_from(receipts.len()).unwrap_or(u64::MAX);
    let next = Some(next).filter(|next| *next <= last.value());
    let kept = if receipts.iter().all(has_end) { FOR_EVER } else { SHORT };
    Ok(answer(kept, ReceiptsAnswer { receipts, next }))
}

/// The bytes of an answer's part.
fn size_of(part: &impl serde::Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // It is written again for the answer, where an error is told.
    let _ = serde_json::to_writer(&mut count, part);
    count.0
}

/// The log: its origin and the key that this host shows
///
/// A host can show any key. Compare it with the one that the operator printed.
#[utoipa::path(
    get, path = "/v1/log", tag = "public",
    responses((status = 200, description = "The log.", body = LogAnswer), super::openapi::ListRefusals),
)]
pub(super) async fn log(State(app): State<Shared>) -> Response {
    let key = app.ledger.verifier_key();
    let told = LogAnswer {
        origin: key.name().to_string(),
        key: key.to_text(),
        printed_at: app.options.key_printed_at.clone(),
        policy: app.options.policy.clone(),
    };
    answer("public, max-age=60", told)
}

/// Whether the end of its commitment is in a receipt: a reveal, or a void of the commitment.
/// Nothing can follow it.
fn has_end(receipt: &Receipt) -> bool {
    let last = receipt.entries.last().and_then(|last| Entry::parse(last.entry.as_bytes()).ok());
    last.is_some_and(|last| last.is_end())
}
