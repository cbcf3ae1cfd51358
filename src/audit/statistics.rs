//! What a log's deals look like as numbers: counted beside the judging, never part of it.

use serde::Serialize;

use crate::stats::{Alarm, Counts, Part, Report};

/// The statistics of a log's deals, one group for each deck and draw.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LogStatistics {
    /// By deck, then by how many are drawn.
    pub groups: Vec<DealGroup>,
    /// Deals that are not counted: those whose seed is not out, or that are not what the seeds give; cycles, which are no
    /// uniform order; lists too long to count.
    pub not_counted: u64,
}

/// Deals of one deck and draw.
#[derive(Clone, Debug, Serialize)]
pub struct DealGroup {
    /// The deck, as commits name it.
    pub deck: String,
    /// How many items of it are dealt.
    pub draw: u64,
    /// The battery.
    #[serde(flatten)]
    pub report: Report,
    /// The e-process over the deals in the log's order.
    pub watch: Option<EProcessTrace>,
    /// What the battery was run on.
    #[serde(skip)]
    pub counts: Counts,
}

/// An e-process as it went.
#[derive(Clone, Debug, Serialize)]
pub struct EProcessTrace {
    /// How many deals it took: at most the first 2^20.
    pub deals: u64,
    /// Whether and when it raised its alarm.
    pub alarm: Option<Alarm>,
    /// The logarithm to base 10 of its evidence at the end.
    pub log10: f64,
    /// Evidence of each kind of bet at the end.
    pub parts: Vec<Part>,
    /// After how many deals, and the evidence there (log10): at most a few hundred points.
    pub points: Vec<(u64, f64)>,
}
