//! The statistics of a log's deals: counted while it is judged, and no part of the verdict.

use serde::Serialize;

use crate::stats::number::count;
use crate::stats::{Alarm, Counts, FAMILY, Part, Report, Test, adjust_together};

/// The statistics of a log's deals, one group for each deck and draw.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LogStatistics {
    /// By deck, then by how many are drawn.
    pub groups: Vec<DealGroup>,
    /// Deals that are not counted: their seed is not revealed, or they do not match it; cycles,
    /// whose orders are not uniform; lists that are too long.
    pub not_counted: u64,
}

/// Deals of one deck and draw.
#[derive(Clone, Debug, Serialize)]
pub struct DealGroup {
    /// The deck, as commits name it.
    pub deck: String,
    /// The number of items dealt.
    pub draw: u64,
    /// The battery.
    #[serde(flatten)]
    pub report: Report,
    /// The e-process over the deals in the log's order.
    pub watch: Option<EProcessTrace>,
    /// The counts that the battery ran on.
    #[serde(skip)]
    pub counts: Counts,
}

/// The course of an e-process.
#[derive(Clone, Debug, Serialize)]
pub struct EProcessTrace {
    /// The number of deals that it took; at most the first 2^20.
    pub deals: u64,
    /// When it raised its alarm, if it did.
    pub alarm: Option<Alarm>,
    /// log10 of its evidence at the end.
    pub log10: f64,
    /// The evidence of each kind of bet at the end.
    pub parts: Vec<Part>,
    /// Numbers of deals, and log10 of the evidence after them: at most a few hundred points.
    pub points: Vec<(u64, f64)>,
}

/// The statistics of all groups in a few numbers.
#[derive(Clone, Debug)]
pub struct StatisticsSummary {
    /// Deals that were counted.
    pub deals: u64,
    /// Tests that were run.
    pub tests: u64,
    /// Tests that raise an alarm.
    pub alarms: u64,
    /// The test with the smallest p.
    pub strongest: Option<Test>,
    /// Groups whose e-process raised its alarm.
    pub watches: u64,
}

impl StatisticsSummary {
    /// Whether anything raised an alarm.
    #[must_use]
    pub fn is_alarm(&self) -> bool {
        self.alarms > 0 || self.watches > 0
    }
}

impl LogStatistics {
    /// The reports of all groups, their tests adjusted as one family; adjusting twice changes
    /// nothing.
    #[must_use]
    pub fn adjusted(&self) -> Vec<Report> {
        let mut reports: Vec<Report> =
            self.groups.iter().map(|group| group.report.clone()).collect();
        adjust_together(&mut reports);
        reports
    }

    /// The statistics in a few numbers.
    #[must_use]
    pub fn summary(&self) -> StatisticsSummary {
        let reports = self.adjusted();
        let all: Vec<&Test> = reports.iter().flat_map(|report| &report.tests).collect();
        let strongest = all
            .iter()
            .min_by(|a, b| a.p_adjusted.total_cmp(&b.p_adjusted).then(a.p.total_cmp(&b.p)));
        let is_watched =
            |group: &&DealGroup| group.watch.as_ref().is_some_and(|watch| watch.alarm.is_some());
        StatisticsSummary {
            deals: reports.iter().fold(0, |sum, report| sum.saturating_add(report.decks)),
            tests: count(all.len()),
            alarms: count(all.iter().filter(|test| test.p_adjusted < FAMILY).count()),
            strongest: strongest.map(|test| (*test).clone()),
            watches: count(self.groups.iter().filter(is_watched).count()),
        }
    }
}
