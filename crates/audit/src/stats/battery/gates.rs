//! Two things that no fair log shows: a deal that is not of the deck, and a deal that comes twice.

use super::{Bench, Outcome, Why};
use crate::stats::counts::Tally;
use crate::stats::number::real;
use crate::stats::tail::poisson_at_least;

pub(super) fn run(tally: &Tally, bench: &mut Bench) {
    let faulty = (real(tally.faulty), if tally.faulty == 0 { 1.0 } else { 0.0 });
    bench.note("permutation", Ok(faulty));
    bench.note("no deal twice", twice(tally));
}

/// Pairs of equal deals. With N deals of M possible ones their number is nearly Poisson of mean
/// N(N−1)/2M while N is well under M; of whole decks of 52 one pair is an alarm.
fn twice(tally: &Tally) -> Outcome {
    /// Deals for each possible deal; above this, repeats are common.
    const CROWDED: f64 = 0.1;
    let decks = real(tally.decks);
    let possible: f64 = // ln M
        (0..tally.shape.draw()).map(|taken| f64::from(tally.shape.items() - taken).ln()).sum();
    if decks.ln() - possible > CROWDED.ln() {
        let possible = possible.exp();
        return Err(Why(format!(
            "{decks} deals of {possible:.0} possible ones: repeats are expected"
        )));
    }
    let (pairs, sampled) = tally.repeats.pairs();
    let expected = decks * (decks - 1.0) / 2.0 * (-possible).exp() * sampled;
    // A mean under the least f64 is 0; then a pair has probability 0, which is right.
    Ok((real(pairs), poisson_at_least(pairs, expected.max(0.0))))
}
