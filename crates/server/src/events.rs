//! The log as it grows: server-sent events that resume by index, or pages of JSON.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json as JsonAnswer;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::Stream;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;
use utoipa::IntoParams;

use super::Shared;
use super::body::Query;
use super::budget;
use super::feed::Event;
use super::problem::Problem;
#[allow(clippy::wildcard_imports, reason = "the schemas that the derives name")]
use super::schema::*;
use super::shapes::{EventShape, EventsAnswer};
use fairdeal::deal::Nonce;
use fairdeal::record::entry::Table;
use fairdeal_ledger::LedgerError;

/// The header with which a client resumes.
const LAST_EVENT_ID: &str = "last-event-id";
/// The headers on which an answer depends: one URL has two forms of it, and each begins where the
/// client wants.
const VARY: (HeaderName, &str) = (header::VARY, "Accept, Last-Event-ID");

/// The interval of the comments that keep an idle stream open.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The most events of a page.
const PAGE: usize = 1000;
/// The most entries that one page looks at: a filter by table may skip most of them.
const LOOKED_AT: u64 = 100_000;

/// The query of the events.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EventsQuery {
    /// Only events after this index. Without it, a stream begins with the next entry, a page with
    /// the first entry
    #[serde(default, deserialize_with = "index")]
    #[param(maximum = 9_007_199_254_740_991_u64)]
    after: Option<u64>,
    /// Only those of this table
    table: Option<Table>,
}

/// The error for a text that is no index.
fn no_index(found: &str) -> String {
    format!("expected an index, found {found:?}")
}

/// An index in a query.
fn index<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map(Some).map_err(|_| D::Error::custom(no_index(&text)))
}

/// Follow the log: its entries as server-sent events, or a page of them as JSON
///
/// Each event has the entry's index as `id`, its kind as `event` and its bytes as `data`. A stream
/// that was cut resumes with `Last-Event-ID`. With `Accept: application/json` the answer is a page.
#[utoipa::path(
    get, path = "/v1/events", tag = "public", params(EventsQuery, super::openapi::LastEventId),
    responses(
        (status = 200, description = "A stream of events, or a page of them.", content((String = "text/event-stream"), (EventsAnswer = "application/json"))),
        super::openapi::ListRefusals,
    ),
)]
pub(super) async fn events(
    State(app): State<Shared>,
    headers: HeaderMap,
    Query(query): Query<EventsQuery>,
) -> Result<Response, Problem> {
    let after =
        match headers.get(LAST_EVENT_ID) {
            Some(id) => {
                let id = String::from_utf8_lossy(id.as_bytes());
                Some(id.parse().map_err(|_| {
                    Problem::bad_request(format!("Last-Event-ID: {}", no_index(&id)))
                })?)
            }
            None => query.after,
        };
    // Both are read, also where one is not used.
    if let Some(after) = after.into_iter().chain(query.after).find(|after| *after > Nonce::MAX) {
        let says = format!("after: expected at most {}, found {after}", Nonce::MAX);
        return Err(Problem::bad_request(says));
    }
    let accepts =
        headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if accepts.split(',').any(|one| one.trim().starts_with("application/json")) {
        // A cache that does not know of `Vary` must not answer somebody else with where this one
        // goes on.
        let kept =
            if headers.contains_key(LAST_EVENT_ID) { "no-store" } else { "public, max-age=1" };
        return page(&app, after.map_or(0, |after| after + 1), query.table.as_ref(), kept).await;
    }
    let permit = Arc::clone(&app.streams).try_acquire_owned().map_err(|_| {
        Problem::unavailable(
            "too-many-streams",
            "as many streams are open as this service allows",
            30,
        )
    })?;
    let size = app.feed.size();
    // A stream begins after every entry that this node reported as published, also if the feed has
    // not read it yet.
    let now = app.ledger.health().published.max(*size.borrow());
    let next = after.map_or(now, |after| after + 1);
    let until = Instant::now() + app.options.limits.stream_age;
    let (table, ready) = (query.table, VecDeque::new());
    let follower = Follower { app, until, next, table, ready, size, _permit: permit };
    let stream = Sse::new(stream(follower)).keep_alive(KeepAlive::new().interval(HEARTBEAT));
    // A proxy that collects an answer before it passes it on would hold events back.
    let accelerator = HeaderName::from_static("x-accel-buffering");
    let headers = [VARY, (header::CACHE_CONTROL, "no-store"), (accelerator, "no")];
    Ok((headers, stream).into_response())
}

/// The most bytes of entries that a stream keeps ready: a client who does not read keeps no more.
const READY: usize = 64 * 1024;

/// Somebody who follows the log.
struct Follower {
    app: Shared,
    /// When the stream ends, and the client comes back: a connection is not for ever.
    until: Instant,
    /// The next index to look at.
    next: u64,
    table: Option<Table>,
    ready: VecDeque<Arc<Event>>,
    size: watch::Receiver<u64>,
    _permit: OwnedSemaphorePermit,
}

fn stream(follower: Follower) -> impl Stream<Item = Result<Sent, Infallible>> {
    futures::stream::unfold(follower, async |mut follower| {
        let event = follower.event().await?;
        let sent = Sent::default().id(event.index.to_string()).event(event.kind).data(&event.bytes);
        Some((Ok(sent), follower))
    })
}

impl Follower {
    /// The next event. `None` when the service stops, or when the log cannot be read: the client
    /// comes back.
    async fn event(&mut self) -> Option<Arc<Event>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            self.wait().await?;
            match self.app.chosen(self.next, self.table.as_ref()).await {
                Ok((events, next)) => (self.ready, self.next) = first_bytes(events, next),
                Err(error) => {
                    tracing::warn!(%error, "a stream of events ended");
                    return None;
                }
            }
        }
    }

    /// Waits until the log is longer.
    async fn wait(&mut self) -> Option<()> {
        let mut stopping = self.app.stopping();
        let next = self.next;
        tokio::select! {
            () = tokio::time::sleep_until(self.until) => None,
            grown = self.size.wait_for(|size| *size > next) => grown.is_ok().then_some(()),
            _ = stopping.wait_for(|stopping| *stopping) => None,
        }
    }
}

/// As many of these events as a stream keeps ready, and the index to go on at; `next` if it is all
/// of them.
fn first_bytes(events: Vec<Arc<Event>>, next: u64) -> (VecDeque<Arc<Event>>, u64) {
    let mut bytes = 0;
    let mut ready = VecDeque::new();
    for event in events {
        if bytes >= READY {
            return (ready, event.index);
        }
        bytes += event.bytes.len();
        ready.push_back(event);
    }
    (ready, next)
}

impl super::App {
    /// The next entries of a table, and the index after those that were looked at.
    async fn chosen(
        &self,
        from: u64,
        table: Option<&Table>,
    ) -> Result<(Vec<Arc<Event>>, u64), LedgerError> {
        let all = if let Some(all) = self.feed.remembered(from) {
            all
        } else {
            let _turn = self.turns.patient().await;
            self.feed.from(&self.ledger, from).await?
        };
        let next = all.last().map_or(from, |last| last.index + 1);
        let Some(table) = table else { return Ok((all, next)) };
        let mut chosen = Vec::new();
        for event in all {
            let Some(commitment) = event.commitment else { continue };
            let known = if let Some(known) = self.known.find(&commitment) {
                Ok(known)
            } else {
                let _turn = self.turns.patient().await;
                self.known.of(&self.ledger, commitment).await
            };
            match known {
                Ok(known) if known.terms.table == *table => chosen.push(event),
                Ok(_) | Err(LedgerError::UnknownCommitment(_)) => {}
                // It may be of this table. Nobody waits for what was lost for good.
                Err(error) if error.is_damage() => {
                    tracing::error!(%error, index = event.index, "whose event this is cannot be read");
                    chosen.push(event);
                }
                // The client comes back for it.
                Err(error) => return Err(error),
            }
        }
        Ok((chosen, next))
    }
}

async fn page(
    app: &Shared,
    from: u64,
    table: Option<&Table>,
    kept: &'static str,
) -> Result<Response, Problem> {
    let size = *app.feed.size().borrow();
    let (mut events, mut next) = (Vec::new(), from);
    let mut bytes = 0;
    while next < size && events.len() < PAGE && bytes < budget::PAGE && next - from < LOOKED_AT {
        let (chosen, after) = app.chosen(next, table).await?;
        if after == next {
            break;
        }
        next = after;
        for event in chosen {
            if events.len() == PAGE || bytes >= budget::PAGE {
                next = event.index;
                break;
            }
            bytes += event.bytes.len();
            let Event { index, kind, bytes, .. } = &*event;
            events.push(EventShape {
                index: *index,
                event: (*kind).to_owned(),
                entry: bytes.clone(),
            });
        }
    }
    let answer = EventsAnswer { events, last: next.checked_sub(1) };
    Ok(([VARY, (header::CACHE_CONTROL, kept)], JsonAnswer(answer)).into_response())
}
