//! Right and wrong shuffles: listed, walked and sampled.

use serde::Serialize;

use crate::lab::{Exact, Kind, Paths, Shuffle};
use fairdeal_audit::stats::{Counts, Report};

#[derive(Debug, Serialize)]
struct ListedShuffle {
    name: &'static str,
    right: bool,
    says: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    divisibility: Option<&'static str>,
}

/// Every shuffle.
#[derive(Debug, Serialize)]
pub struct ShuffleList {
    sources: Vec<ListedShuffle>,
}

/// A shuffle of few items, every path of it.
#[derive(Debug, Serialize)]
pub struct WalkedShuffle {
    #[serde(flatten)]
    source: ListedShuffle,
    items: u32,
    /// `None` where paths have no longest one.
    paths: Option<String>,
    uniform: bool,
    orders: Vec<Order>,
}

#[derive(Debug, Serialize)]
struct Order {
    order: Vec<u32>,
    probability: String,
}

/// A shuffle, sampled.
#[derive(Debug, Serialize)]
pub struct SampledShuffle {
    #[serde(flatten)]
    source: ListedShuffle,
    items: u32,
    #[serde(flatten)]
    pub report: Report,
    /// The number of times that each item (column) was at each position (row).
    pub positions: Vec<Vec<u64>>,
}

fn listed(source: Shuffle) -> ListedShuffle {
    let right = source.kind() == Kind::Right;
    ListedShuffle {
        name: source.as_str(),
        right,
        says: source.says(),
        divisibility: source.divisibility(),
    }
}

impl ShuffleList {
    /// All of them.
    #[must_use]
    pub fn all() -> Self {
        Self { sources: Shuffle::ALL.iter().copied().map(listed).collect() }
    }
}

impl WalkedShuffle {
    /// Every order of a shuffle of so many items.
    #[must_use]
    pub fn of(source: Shuffle, items: u32, exact: &Exact) -> Self {
        let orders = exact.orders.iter();
        let orders = orders.map(|(order, probability)| Order {
            order: order.clone(),
            probability: probability.to_string(),
        });
        let paths = match exact.paths {
            Paths::Counted(paths) => Some(paths.to_string()),
            Paths::Endless => None,
        };
        Self {
            source: listed(source),
            items,
            paths,
            uniform: exact.is_uniform(),
            orders: orders.collect(),
        }
    }
}

impl SampledShuffle {
    /// The tests of counted decks.
    #[must_use]
    pub fn of(source: Shuffle, items: u32, counts: &Counts) -> Self {
        let positions = counts.positions().map(<[u64]>::to_vec).collect();
        Self { source: listed(source), items, report: counts.report(), positions }
    }
}
