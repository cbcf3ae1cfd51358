//! One number for each whole deck: parity, inversions, descents, and the overlap with the deal
//! before.

use std::collections::BTreeMap;

use super::{Bench, Outcome, Why, enough, items, whole};
use crate::stats::counts::Tally;
use crate::stats::nulls::{LONGEST_EULERIAN, eulerian, matches, merged_pearson};
use crate::stats::number::real;
use crate::stats::tail::{binomial_either, chi_square_above, normal_either};

pub(super) fn run(tally: &Tally, bench: &mut Bench) {
    bench.note("parity", parity(tally));
    bench.note("inversions", inversions(tally));
    let null = if tally.shape.is_whole() && tally.shape.items() <= LONGEST_EULERIAN {
        eulerian(tally.shape.items())
    } else {
        Vec::new()
    };
    bench.note("descents", descents(tally, &tally.descents));
    bench.note("descents, shape", shape(tally, &tally.descents, &null));
    bench.note("rising sequences", descents(tally, &tally.rising));
    bench.note("rising sequences, shape", shape(tally, &tally.rising, &null));
    bench.note("overlap", overlap(tally));
}

/// Odd decks are Bin(N, ½), exactly.
fn parity(tally: &Tally) -> Outcome {
    whole(tally)?;
    items(tally, 2)?;
    Ok((real(tally.odd), binomial_either(tally.odd, tally.decks, 0.5)))
}

/// z of the sum; one deck has mean n(n−1)/4 and variance n(n−1)(2n+5)/72: 663 and 4014.83 for 52.
fn inversions(tally: &Tally) -> Outcome {
    whole(tally)?;
    items(tally, 4)?;
    enough(tally, 20)?;
    let (n, decks) = (f64::from(tally.shape.items()), real(tally.decks));
    let mean = n * (n - 1.0) / 4.0;
    let variance = n * (n - 1.0) * (2.0 * n + 5.0) / 72.0;
    let z = (real(tally.inversions) - decks * mean) / (decks * variance).sqrt();
    Ok((z, normal_either(z)))
}

/// z of the sum; one deck has mean (n−1)/2 and variance (n+1)/12: 25.5 and 53/12 for 52.
fn descents(tally: &Tally, histogram: &BTreeMap<u32, u64>) -> Outcome {
    whole(tally)?;
    items(tally, 4)?;
    enough(tally, 20)?;
    let (n, decks) = (f64::from(tally.shape.items()), real(tally.decks));
    let sum: f64 = histogram.iter().map(|(value, times)| f64::from(*value) * real(*times)).sum();
    let z = (sum - decks * (n - 1.0) / 2.0) / (decks * (n + 1.0) / 12.0).sqrt();
    Ok((z, normal_either(z)))
}

/// X² against the Eulerian numbers.
fn shape(tally: &Tally, histogram: &BTreeMap<u32, u64>, null: &[f64]) -> Outcome {
    whole(tally)?;
    if null.is_empty() {
        return Err(Why(format!("needs a deck of at most {LONGEST_EULERIAN} items")));
    }
    against(histogram, null, tally.decks)
}

/// X² against the rencontres numbers, or their form for prefixes.
fn overlap(tally: &Tally) -> Outcome {
    let null = matches(tally.shape.items(), tally.shape.draw());
    against(&tally.overlap, &null, tally.decks.saturating_sub(1))
}

fn against(histogram: &BTreeMap<u32, u64>, null: &[f64], total: u64) -> Outcome {
    let end = histogram.keys().next_back().map_or(0, |last| last + 1);
    let observed = (0..end).map(|value| histogram.get(&value).copied().unwrap_or(0));
    let (statistic, df) = merged_pearson(observed, null, total)
        .ok_or_else(|| Why(format!("needs two cells that expect 5; there are {total} values")))?;
    Ok((statistic, chi_square_above(statistic, df)))
}
