//! Heat maps of items and positions as SVG, sampled or exact.

use fairdeal_audit::stats::Counts;
use fairdeal_schemes::lab::{Exact, Shuffle};
use fairdeal_schemes::report::{heat_map, heat_map_exact};

pub(super) fn sampled(source: Shuffle, args: &super::Args, counts: &Counts) -> Option<String> {
    let title = format!(
        "{}: {} decks of {} items, seed {}",
        source.as_str(),
        args.decks,
        args.items,
        args.seed
    );
    heat_map(&title, counts)
}

pub(super) fn walked(source: Shuffle, items: u32, exact: &Exact) -> Option<String> {
    let title = format!("{}: every deck of {items} items, exactly", source.as_str());
    heat_map_exact(&title, &exact.positions(items)).filter(|_| items > 1)
}
