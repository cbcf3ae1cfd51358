//! Statistics of decks, and right and wrong shuffles.

use fairdeal::deal::DeckName;
use fairdeal_audit::stats::{DeckLines, count_lines};
use fairdeal_schemes::answer::{SampledShuffle, ShuffleList, WalkedShuffle};
use fairdeal_schemes::lab::{Sampler, Shuffle, enumerate};
use pyo3::prelude::*;

use crate::failure::{Failure, json};
use crate::waiting::detach;

/// Tests decks, one a line. Returns JSON.
#[pyfunction]
pub(crate) fn stats_of_decks(
    py: Python<'_>,
    name: &str,
    decks: &[u8],
    deck: Option<&str>,
) -> PyResult<String> {
    Ok(detach(py, || {
        let deck =
            deck.map(DeckName::parse).transpose().map_err(|error| Failure::usage("deck", error))?;
        let lines = deck.map_or_else(DeckLines::whole, DeckLines::of);
        let counts = count_lines(decks, lines);
        let counts =
            counts.map_err(|error| Failure::unavailable(format_args!("{name}: {error}")))?;
        json(&counts.report())
    })?)
}

/// Every shuffle, as JSON.
#[pyfunction]
pub(crate) fn shuffles() -> PyResult<String> {
    Ok(json(&ShuffleList::all())?)
}

/// A shuffle: every path of a short deck, or many deals of a long one. Returns JSON.
#[pyfunction]
pub(crate) fn lab(
    py: Python<'_>,
    shuffle: &str,
    items: u32,
    decks: u64,
    seed: u64,
) -> PyResult<String> {
    detach(py, || {
        let shuffle: Shuffle = shuffle.parse().map_err(|error| Failure::usage("shuffle", error))?;
        if !(1..=512).contains(&items) {
            return Err(Failure::usage("items", format_args!("expected 1 to 512, found {items}")))?;
        }
        if !(1..=10_000_000).contains(&decks) {
            return Err(Failure::usage(
                "decks",
                format_args!("expected 1 to 10,000,000, found {decks}"),
            ))?;
        }
        if let Ok(exact) = enumerate(shuffle, items) {
            return Ok(json(&WalkedShuffle::of(shuffle, items, &exact))?);
        }
        let sampler =
            Sampler::new(shuffle, items, seed).map_err(|error| Failure::usage("items", error))?;
        let counts = sampler.counted(decks, || Python::attach(|py| py.check_signals()))?;
        Ok(json(&SampledShuffle::of(shuffle, items, &counts))?)
    })
}
