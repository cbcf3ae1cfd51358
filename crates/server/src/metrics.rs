//! Numbers for Prometheus. Names and meanings: docs/operators.md, what to watch.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::StatusCode;
use axum::response::Response;
use metrics::{
    Counter, Histogram, counter, describe_counter, describe_gauge, describe_histogram, gauge,
    histogram,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use super::problem::Told;
use fairdeal_ledger::{BatchEvent, BatchObserver, Health};

/// Upper bounds of the histograms of time, in seconds.
const SECONDS: &[f64] =
    &[0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.125, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Upper bounds of the histogram of a batch's entries.
const ENTRIES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// Counts the batches of a ledger: for
/// [`LedgerOptions::observer`](fairdeal_ledger::LedgerOptions::observer).
#[must_use]
pub fn batch_observer() -> BatchObserver {
    handle();
    BatchObserver::new(|event| match event {
        BatchEvent::Committed { entries, kinds, took, .. } => {
            for (kind, many) in kinds.iter() {
                counter!("fairdeal_entries_total", "kind" => kind).increment(many);
            }
            #[expect(
                clippy::cast_precision_loss,
                clippy::as_conversions,
                reason = "a batch is small"
            )]
            histogram!("fairdeal_batch_entries").record(entries as f64);
            histogram!("fairdeal_commit_seconds").record(took);
        }
        BatchEvent::Published { took, .. } => histogram!("fairdeal_publish_seconds").record(took),
    })
}

/// The numbers of this process as text. The first call begins to count.
pub(super) fn handle() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(install).clone()
}

fn install() -> PrometheusHandle {
    let seconds = Matcher::Suffix("_seconds".to_owned());
    let entries = Matcher::Full("fairdeal_batch_entries".to_owned());
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(seconds, SECONDS)
        .and_then(|builder| builder.set_buckets_for_metric(entries, ENTRIES));
    let recorder = builder.expect("there are buckets").build_recorder();
    let handle = recorder.handle();
    // A program that embeds the service may have its own recorder: then that one has the numbers.
    let _taken = metrics::set_global_recorder(recorder);
    describe_counter!("fairdeal_entries_total", "Entries that this node has committed, by kind.");
    describe_counter!("fairdeal_refusals_total", "Requests that were refused, by code.");
    describe_counter!("fairdeal_requests_total", "Requests, by route, method and status.");
    describe_histogram!("fairdeal_request_seconds", "Time to answer, by route and method.");
    describe_histogram!("fairdeal_batch_entries", "Entries of a batch.");
    describe_histogram!("fairdeal_commit_seconds", "Time to commit a batch.");
    describe_histogram!("fairdeal_publish_seconds", "Time to publish what is committed.");
    describe_gauge!("fairdeal_committed_entries", "Entries of the log.");
    describe_gauge!("fairdeal_published_entries", "Entries under the published checkpoint.");
    describe_gauge!(
        "fairdeal_publishing_lag_seconds",
        "How long the oldest unpublished entry has waited."
    );
    describe_gauge!("fairdeal_stopped", "1: the ledger has stopped and must be opened again.");
    describe_gauge!("fairdeal_ready", "1: /readyz answers 200.");
    describe_gauge!(
        "fairdeal_next_reveal_seconds",
        "Seconds until the next reveal is due; below 0, overdue; inf, none."
    );
    describe_gauge!("fairdeal_overdue_commitments", "Commitments that should have been revealed.");
    describe_gauge!(
        "fairdeal_reveal_late_seconds",
        "How long ago the service should have made a reveal; 0, none is late."
    );
    describe_gauge!(
        "fairdeal_damaged_files",
        "Published files that are damaged or missing, at the last look, one an hour."
    );
    describe_gauge!("fairdeal_streams", "Open streams of events.");
    describe_gauge!(
        "fairdeal_witness_signed_entries",
        "Size that a witness signed last for this node."
    );
    describe_gauge!("fairdeal_witness_claims", "1: a witness contradicts the ledger.");
    describe_gauge!(
        "fairdeal_witness_rolled_back",
        "Times that a witness named a smaller size than before."
    );
    describe_gauge!("fairdeal_unanchored", "1: the last anchor that was due is not in the log.");
    describe_gauge!(
        "fairdeal_awaited_beacons",
        "Rounds that this node deals when their beacon is out."
    );
    describe_gauge!(
        "fairdeal_late_beacons",
        "Rounds whose beacon is out, and whose deal is late: no relay gives the signature."
    );
    describe_counter!(
        "fairdeal_beacons_failed_total",
        "Automatic deals of rounds with a beacon that failed, by code."
    );
    describe_counter!("fairdeal_reveals_failed_total", "Automatic reveals that failed, by code.");
    handle
}

/// The interval of counting samples into their histograms.
const UPKEEP: Duration = Duration::from_secs(5);

/// Counts samples into their histograms until it is dropped. Without it every sample stays in
/// memory until somebody reads the numbers.
pub(super) async fn keep_up(handle: &PrometheusHandle) {
    loop {
        tokio::time::sleep(UPKEEP).await;
        handle.run_upkeep();
    }
}

/// Something was refused.
pub(super) fn refused(code: &'static str) {
    counter!("fairdeal_refusals_total", "code" => code).increment(1);
}

/// An automatic reveal failed.
pub(super) fn reveal_failed(code: &'static str) {
    counter!("fairdeal_reveals_failed_total", "code" => code).increment(1);
}

/// An automatic deal of a round with a beacon failed.
pub(super) fn beacon_failed(code: &'static str) {
    counter!("fairdeal_beacons_failed_total", "code" => code).increment(1);
}

/// Sets how many rounds wait for their beacon, and how many of them are late.
pub(super) fn beacons(awaited: usize, late: u64) {
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "a gauge is a float")]
    gauge!("fairdeal_late_beacons").set(late as f64);
    gauge!("fairdeal_awaited_beacons").set(f64::from(u32::try_from(awaited).unwrap_or(u32::MAX)));
}

/// Sets the numbers of the keeper of reveals.
pub(super) fn reveals(seconds_to_next: Option<f64>, overdue: u64, late: Duration) {
    // Without this, the time of the last reveal would stay as the next one.
    gauge!("fairdeal_next_reveal_seconds").set(seconds_to_next.unwrap_or(f64::INFINITY));
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "a gauge is a float")]
    gauge!("fairdeal_overdue_commitments").set(overdue as f64);
    gauge!("fairdeal_reveal_late_seconds").set(late.as_secs_f64());
}

/// Sets how far the log is committed and published.
pub(super) fn publishing(health: &Health) {
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "a gauge is a float")]
    let float = |entries: u64| entries as f64;
    gauge!("fairdeal_committed_entries").set(float(health.head));
    gauge!("fairdeal_published_entries").set(float(health.published));
    gauge!("fairdeal_publishing_lag_seconds").set(health.lag.as_secs_f64());
    let flag = |is_so: bool| if is_so { 1.0 } else { 0.0 };
    gauge!("fairdeal_stopped").set(flag(health.stopped.is_some()));
    for one in &health.witnesses.each {
        let name = || one.name.clone();
        gauge!("fairdeal_witness_signed_entries", "witness" => name())
            .set(float(one.signed.unwrap_or_default()));
        gauge!("fairdeal_witness_claims", "witness" => name()).set(flag(one.claim.is_some()));
        gauge!("fairdeal_witness_rolled_back", "witness" => name()).set(float(one.rolled_back));
    }
    if !health.witnesses.each.is_empty() {
        gauge!("fairdeal_unanchored").set(flag(health.witnesses.unanchored.is_some()));
    }
}

/// Whether the service is ready, as `/readyz` says it.
pub(super) fn ready(ready: bool) {
    gauge!("fairdeal_ready").set(if ready { 1.0 } else { 0.0 });
}

/// A request that is counted and timed by its route.
pub(super) struct Asked {
    began: Instant,
    route: Option<MatchedPath>,
    method: &'static str,
}

impl Asked {
    #[expect(clippy::disallowed_methods, reason = "how long an answer took is no time of the log")]
    pub(super) fn of(request: &Request) -> Self {
        let method = match request.method().as_str() {
            "GET" => "GET",
            "POST" => "POST",
            _ => "other",
        };
        Self { began: Instant::now(), route: request.extensions().get().cloned(), method }
    }

    pub(super) fn answered(&self, response: &Response) {
        let counters = self.counters(response.status());
        counters.requests.increment(1);
        counters.seconds.record(self.began.elapsed());
        if let Some(Told(code)) = response.extensions().get() {
            refused(code);
        }
    }

    fn counters(&self, status: StatusCode) -> Counters {
        // To look them up by their labels takes longer than to count. There are as many as routes,
        // methods and statuses.
        static KNOWN: LazyLock<RwLock<HashMap<String, OfRoute>>> = LazyLock::new(RwLock::default);
        let route = self.route.as_ref().map_or("none", MatchedPath::as_str);
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        let found = known.get(route).and_then(|of_route| of_route.get(&(self.method, status)));
        if let Some(found) = found {
            return found.clone();
        }
        drop(known);
        let counters = Counters {
            requests: counter!(
                "fairdeal_requests_total",
                "route" => route.to_owned(), "method" => self.method, "status" => status.as_str().to_owned(),
            ),
            seconds: histogram!("fairdeal_request_seconds", "route" => route.to_owned(), "method" => self.method),
        };
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(route.to_owned()).or_default().insert((self.method, status), counters.clone());
        counters
    }
}

/// By method and status.
type OfRoute = HashMap<(&'static str, StatusCode), Counters>;

#[derive(Clone)]
struct Counters {
    requests: Counter,
    seconds: Histogram,
}

/// How many published files are damaged or missing.
pub(super) fn damaged_files(lost: u64) {
    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "a gauge is a float")]
    gauge!("fairdeal_damaged_files").set(lost as f64);
}

/// How many streams of events are open.
pub(super) fn streams(open: usize) {
    gauge!("fairdeal_streams").set(f64::from(u32::try_from(open).unwrap_or(u32::MAX)));
}
