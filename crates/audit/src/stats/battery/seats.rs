//! The good cards at the seats that were named in advance: ranks, aces and hands.

use super::{Bench, Outcome, Why, at_least, enough};
use crate::stats::counts::Tally;
use crate::stats::nulls::merged_pearson;
use crate::stats::number::{index, real};
use crate::stats::shape::{ACE, RANKS};
use crate::stats::tail::{binomial_at_least, chi_square_above, normal_either};

pub(super) fn run(tally: &Tally, bench: &mut Bench) {
    if tally.shape.ranks().is_empty() {
        bench.note("seats", Err(Why("a list's items have no ranks".to_owned())));
        return;
    }
    for seat in tally.shape.seats() {
        bench.note(format!("seat {}, rank", seat + 1), rank(tally, *seat));
        bench.note(format!("seat {}, ace", seat + 1), ace(tally, *seat));
    }
    for ((at, _), sum) in tally.shape.hands().enumerate().zip(&tally.hands) {
        bench.note(format!("hand {}, ranks", at + 1), hand(tally, *sum));
    }
}

/// The count of each rank at a seat.
fn ranks(tally: &Tally, seat: u32) -> [u64; RANKS as usize] {
    let width = index(tally.shape.items());
    let row = &tally.positions[index(seat) * width..][..width];
    let mut found = [0; RANKS as usize];
    for (cell, rank) in row.iter().zip(tally.shape.ranks()) {
        found[usize::from(*rank)] += cell;
    }
    found
}

/// X² of the ranks, 12 degrees of freedom for 52 cards; adjacent ranks are merged until each
/// expects 5.
fn rank(tally: &Tally, seat: u32) -> Outcome {
    let items = f64::from(tally.shape.items());
    let shares: Vec<f64> = tally.shape.items_of_rank().iter().map(|n| real(*n) / items).collect();
    let (statistic, df) =
        merged_pearson(ranks(tally, seat), &shares, tally.decks).ok_or_else(|| {
            Why(format!("needs two ranks that expect 5; there are {} deals", tally.decks))
        })?;
    Ok((statistic, chi_square_above(statistic, df)))
}

/// Too many aces: Bin(N, 1/13) exactly, one-sided, for 52 cards.
fn ace(tally: &Tally, seat: u32) -> Outcome {
    at_least(tally, 1)?;
    let found = ranks(tally, seat)[usize::from(ACE)];
    let aces = tally.shape.items_of_rank()[usize::from(ACE)];
    Ok((
        real(found),
        binomial_at_least(found, tally.decks, real(aces) / f64::from(tally.shape.items())),
    ))
}

/// z of the sum of five ranks (two 0 … ace 12, joker 13): mean 30 and variance 5·14·47/51 for 52
/// cards.
fn hand(tally: &Tally, sum: u64) -> Outcome {
    enough(tally, 20)?;
    let (n, decks) = (f64::from(tally.shape.items()), real(tally.decks));
    let (mut mean, mut square) = (0.0, 0.0);
    for rank in tally.shape.ranks() {
        mean += f64::from(*rank) / n;
        square += f64::from(*rank).powi(2) / n;
    }
    let variance = 5.0 * (square - mean * mean) * (n - 5.0) / (n - 1.0);
    let z = (real(sum) - decks * 5.0 * mean) / (decks * variance).sqrt();
    Ok((z, normal_either(z)))
}
