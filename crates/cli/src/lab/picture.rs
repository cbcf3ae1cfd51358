//! Heat maps of items and positions as SVG, sampled or exact.

use fairdeal_audit::stats::Counts;
use fairdeal_schemes::lab::{Exact, Shuffle};
use fairdeal_schemes::report::{heat_map, heat_map_exact};

pub(super) fn sampled(source: Shuffle, args: &super::Args, counts: &Counts) -> Option<String> {
    let title = format!(
        "{}: {} decks of {} items, seed {}",
        source.name(),
        args.decks,
        args.items,
        args.seed
    );
    heat_map(&title, counts)
}

pub(super) fn walked(source: Shuffle, items: u32, exact: &Exact) -> Option<String> {
    let dealt = exact.orders.keys().map(Vec::len).max().unwrap_or(0);
    let chance = |position: usize, item: u32| -> f64 {
        let there = exact.orders.iter().filter(|(order, _)| order.get(position) == Some(&item));
        there.map(|(_, probability)| probability.to_f64()).sum()
    };
    let rows: Vec<Vec<f64>> = (0..dealt)
        .map(|position| (0..items).map(|item| chance(position, item)).collect())
        .collect();
    heat_map_exact(&format!("{}: every deck of {items} items, exactly", source.name()), &rows)
        .filter(|_| items > 1)
}
