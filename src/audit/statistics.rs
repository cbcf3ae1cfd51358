//! The statistics of a log's deals: counted while it is judged, and no part of the verdict.

use serde::Serialize;

use crate::stats::{Alarm, Counts, Part, Report};

/// The statistics of a log's deals, one group for each deck and draw.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LogStatistics {
    /// By deck, then by how many are drawn.
    pub groups: Vec<DealGroup>,
    /// Deals that are not counted: their seed is not revealed, or they do not match it; cycles, whose orders are not
    /// uniform; lists that are too long.
    pub not_counted: u64,
}

/// Deals of one deck and draw.
#[derive(Clone, Debug, Serialize)]
pub struct DealGroup {
    /// The deck, as commits name it.
    pub deck: String,
    /// How many of its items are dealt.
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
    /// How many deals it took; at most the first 2^20.
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
