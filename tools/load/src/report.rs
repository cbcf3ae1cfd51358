//! The result of the load.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

use super::LoadPlan;
use super::players::Counts;

/// The result of the load. Its JSON is the output of `fairdeal bench --json`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LoadReport {
    /// The service.
    pub url: String,
    /// How many tables.
    pub tables: u32,
    /// How many players brought a seed to each deal.
    pub players: u32,
    /// How many connections.
    pub connections: u32,
    /// How many deals were to be sent in a second; absent where each connection waited for its
    /// answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_rate: Option<f64>,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Deals that were answered, each with its receipt.
    pub deals: u64,
    /// Deals a second.
    pub rate: f64,
    /// Deals that were refused, by code.
    pub refused: BTreeMap<String, u64>,
    /// Requests that got no answer.
    pub broken: u64,
    /// How one of them broke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
    /// Receipts that were verified.
    pub verified: u64,
    /// Receipts or answers that did not hold.
    pub wrong: u64,
    /// From the moment at which a deal was meant to be sent to its answer.
    pub latency: Latency,
    #[serde(skip)]
    histogram: Histogram<u64>,
}

/// Latencies in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Latency {
    /// Half of all were faster.
    pub p50: f64,
    /// Nine of ten.
    pub p90: f64,
    /// 99 of 100.
    pub p99: f64,
    /// 999 of 1,000.
    pub p99_9: f64,
    /// The slowest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
}

impl LoadReport {
    pub(super) fn new(plan: &LoadPlan) -> Self {
        Self {
            url: plan.url.clone(),
            tables: plan.tables.max(1),
            players: plan.players.max(1),
            connections: plan.connections.max(1),
            asked_rate: plan.rate,
            seconds: 0.0,
            deals: 0,
            rate: 0.0,
            refused: BTreeMap::new(),
            broken: 0,
            how: None,
            verified: 0,
            wrong: 0,
            latency: Latency::default(),
            histogram: Histogram::new_with_max(120_000_000, 3).expect("bounds in order"),
        }
    }

    pub(super) fn add(&mut self, counts: Counts) {
        self.deals += counts.deals;
        self.verified += counts.verified;
        self.wrong += counts.wrong;
        self.broken += counts.broken;
        self.how = self.how.take().or(counts.how);
        for (code, many) in counts.refused {
            *self.refused.entry(code).or_default() += many;
        }
        // Both have the same bounds.
        let _added = self.histogram.add(counts.latency);
    }

    pub(super) fn lost_worker(&mut self) {
        self.broken += 1;
        self.how.get_or_insert_with(|| "a connection's task ended".to_owned());
    }

    #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "figures for people")]
    pub(super) fn took(&mut self, time: Duration) {
        self.seconds = time.as_secs_f64();
        self.rate = self.deals as f64 / self.seconds.max(f64::MIN_POSITIVE);
        let milliseconds = |microseconds: u64| microseconds as f64 / 1000.0;
        let at = |quantile: f64| milliseconds(self.histogram.value_at_quantile(quantile));
        self.latency = Latency {
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            p99_9: at(0.999),
            max: milliseconds(self.histogram.max()),
            mean: self.histogram.mean() / 1000.0,
        };
    }

    /// The distribution for a plot: upper bounds in milliseconds, each twice the one before, and
    /// how many deals are under it and not under the last.
    #[must_use]
    pub fn bars(&self) -> Vec<(f64, u64)> {
        let mut bars = Vec::new();
        let mut low = 0;
        for doubling in 7..27_u32 {
            let high = 1_u64 << doubling;
            let many = self.histogram.count_between(low, high - 1);
            #[expect(
                clippy::cast_precision_loss,
                clippy::as_conversions,
                reason = "figures for people"
            )]
            bars.push((high as f64 / 1000.0, many));
            low = high;
        }
        let first = bars.iter().position(|(_, many)| *many > 0).unwrap_or(0);
        let end = bars.iter().rposition(|(_, many)| *many > 0).map_or(0, |last| last + 1);
        bars.truncate(end);
        bars.drain(..first.min(end));
        bars
    }

    /// Whether all that was answered holds, and nothing broke.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.wrong == 0
    }
}
