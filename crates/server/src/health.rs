//! Whether the service lives, whether it is ready, and its numbers.

use std::time::Duration;

use axum::Json as JsonAnswer;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use fairdeal_ledger::WitnessHealth;
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::time::Instant;
use utoipa::ToSchema;

use super::auth::Caller;
use super::problem::Problem;
use super::{App, Shared, metrics};

/// How long an answer about the ledger is reused.
const FRESH: Duration = Duration::from_millis(100);

/// How long to wait for the answer that another one asked for.
const WAIT: Duration = Duration::from_secs(5);

/// When the ledger was asked last whether it takes writes, and why not. Written by the request that
/// asks, under the lock, so that others wait for its answer.
pub(super) type Readiness = Mutex<Option<(Instant, Option<&'static str>)>>;

/// Whether the service is ready to deal.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReadyAnswer {
    /// Whether it is.
    ready: bool,
    /// The obstacles, in a few words each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
    /// Entries that the published checkpoint covers.
    published: u64,
    /// Entries that this node knows to be committed and not published yet.
    unpublished: u64,
    /// The next reveal that is due, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_reveal: Option<u64>,
    /// Commitments whose time is over and that are neither revealed nor voided.
    overdue: u64,
    /// Rounds whose beacon is out and that are not dealt: no relay gives its signature.
    late_beacons: u64,
    /// Published files that are damaged or missing, at the last look, one an hour: `fairdeal fsck`.
    damaged_files: u64,
    /// The witnesses of the operator's policy, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    witnesses: Vec<WitnessAnswer>,
    /// Why the last anchor that was due is not in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    unanchored: Option<String>,
}

/// A witness, as its last answers to this node show it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct WitnessAnswer {
    /// Its name in the operator's policy.
    name: String,
    /// The largest size that it has signed for this node.
    #[serde(skip_serializing_if = "Option::is_none")]
    signed: Option<u64>,
    /// Its last answer, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// What it claims of this log, if the ledger contradicts that.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    /// How often it named a smaller size than before: it was restored from a backup.
    rolled_back: u64,
}

impl WitnessAnswer {
    fn of(health: &WitnessHealth) -> Self {
        let WitnessHealth { name, signed, answer, claim, rolled_back, .. } = health.clone();
        Self { name, signed, answer, claim, rolled_back }
    }
}

/// Whether the process answers
#[utoipa::path(
    get, path = "/healthz", tag = "health",
    responses(
        (status = 200, description = "The process answers.", body = String, content_type = "text/plain"),
        super::openapi::Unreadable,
    ),
)]
pub(super) async fn live() -> &'static str {
    "ok\n"
}

/// Whether the service can deal: its state takes writes, and what is committed is published
///
/// It says how many reveals are overdue and how many published files are damaged, and stays ready:
/// no other node could do better.
#[utoipa::path(
    get, path = "/readyz", tag = "health",
    responses(
        (status = 200, description = "The service can deal.", body = ReadyAnswer),
        (status = 503, description = "It cannot: `problems` says why.", body = ReadyAnswer),
        super::openapi::Unreadable,
    ),
)]
pub(super) async fn ready(State(app): State<Shared>) -> Response {
    let answer = app.ready().await;
    let status = if answer.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, [(header::CACHE_CONTROL, "no-store")], JsonAnswer(answer)).into_response()
}

impl App {
    async fn ready(&self) -> ReadyAnswer {
        let mut problems = Vec::new();
        problems.extend(self.unready().await.map(str::to_owned));
        let health = self.ledger.health();
        if health.behind && problems.is_empty() {
            problems.push("publishing-behind".to_owned());
        }
        let witnesses = &health.witnesses;
        if witnesses.contradict {
            problems.push("witnesses-contradict".to_owned());
        } else if witnesses.waits {
            problems.push("unwitnessed".to_owned());
        }
        if *self.stopping.borrow() {
            problems.push("stopping".to_owned());
        }
        if let Some(why) = self.world.wrong() {
            problems.push(why.to_owned());
        }
        let (next_reveal, overdue) = self.keeper.coming(self.now());
        let (published, unpublished) =
            (health.published, health.head.saturating_sub(health.published));
        // Overdue reveals and damaged files do not make the node unready: no other node could do
        // better.
        ReadyAnswer {
            ready: problems.is_empty(),
            problems,
            published,
            unpublished,
            next_reveal,
            overdue,
            late_beacons: self.beacons.late(self.now()),
            damaged_files: self.published.damaged(),
            witnesses: health.witnesses.each.iter().map(WitnessAnswer::of).collect(),
            unanchored: health.witnesses.unanchored.clone(),
        }
    }

    /// Why the ledger takes nothing, if so. Anybody may ask: those who ask at the same moment share
    /// the answer.
    async fn unready(&self) -> Option<&'static str> {
        let Ok(mut last) = tokio::time::timeout(WAIT, self.readiness.lock()).await else {
            return Some("busy");
        };
        if let Some((at, found)) = *last
            && at.elapsed() < FRESH
        {
            return found;
        }
        let found = self.ledger.ready().await.err().map(|error| {
            // Paths and system messages are for the service's own log.
            tracing::warn!(%error, "not ready");
            error.code()
        });
        *last = Some((Instant::now(), found));
        found
    }
}

/// Numbers for Prometheus
///
/// With `--operator-listen` it needs no token on that address.
#[utoipa::path(
    get, path = "/metrics", tag = "health", security((), ("token" = [])),
    responses(
        (status = 200, description = "The numbers as text.", body = String, content_type = "text/plain"),
        super::openapi::TokenRefusals,
    ),
)]
pub(super) async fn numbers(
    State(app): State<Shared>,
    caller: Result<Caller, Problem>,
) -> Result<Response, Problem> {
    if !app.options.operator_apart {
        caller?;
    }
    // A state that does not answer must not keep the other numbers back: whoever scrapes waits ten
    // seconds at most.
    let ready = tokio::time::timeout(WAIT, app.ready()).await;
    metrics::ready(ready.is_ok_and(|answer| answer.ready));
    // After that look: another node may have published what this one has not seen.
    metrics::publishing(&app.ledger.health());
    metrics::streams(app.options.limits.streams.saturating_sub(app.streams.available_permits()));
    let text = app.metrics.render();
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], text).into_response())
}
