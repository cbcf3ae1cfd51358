//! The choices of backward Fisher–Yates, recovered from the decks. They are uniform and independent
//! if the decks are uniform.

use super::{Bench, Outcome, Why, at_least, counted, enough, items};
use crate::stats::counts::Tally;
use crate::stats::number::{index, real};
use crate::stats::tail::{Pooled, binomial_either, chi_square_above, normal_above};

/// The counts of each range, with the range.
fn ranges(tally: &Tally) -> impl Iterator<Item = (u32, &[u64])> {
    let mut rest = tally.digits.as_slice();
    tally.shape.ranges().map_while(move |range| {
        let (cells, after) = rest.split_at_checked(index(range))?;
        rest = after;
        Some((range, cells))
    })
}

pub(super) fn run(tally: &Tally, bench: &mut Bench) {
    bench.note("digits", all(tally));
    bench.note("digits, means", means(tally));
    bench.note("digits, worst", worst(tally));
    bench.note("8-bit modulo", matched(tally, |range| modulo(256, range)));
    bench.note("16-bit modulo", matched(tally, |range| modulo(65_536, range)));
    bench.note("16-bit float", matched(tally, |range| float(65_536, range)));
}

/// Σ over ranges s of Σ(C − N/s)²/(N/s), with Σ(s−1) degrees of freedom: 1326 for 52.
fn all(tally: &Tally) -> Outcome {
    items(tally, 3)?;
    counted(&tally.digits, tally)?;
    enough(tally, tally.shape.items())?;
    let form = choices(tally);
    Ok((form.statistic, form.above(tally.decks)))
}

/// The statistic of [`all`] without its limits.
pub(super) fn choices(tally: &Tally) -> Pooled {
    let mut form = Pooled { statistic: 0.0, df: 0.0, pair_third: 0.0 };
    for (range, cells) in ranges(tally) {
        let s = f64::from(range);
        form.statistic += pearson(cells, real(tally.decks) / s);
        form.df += s - 1.0;
        form.pair_third += (s - 1.0) * (s - 2.0);
    }
    form
}

fn pearson(cells: &[u64], expected: f64) -> f64 {
    cells.iter().map(|cell| (real(*cell) - expected).powi(2)).sum::<f64>() / expected
}

/// Σ over ranges of 12(ΣjC − N(s−1)/2)²/(N(s²−1)), with one degree of freedom each: 51 for 52.
fn means(tally: &Tally) -> Outcome {
    items(tally, 3)?;
    counted(&tally.digits, tally)?;
    enough(tally, 20)?;
    let decks = real(tally.decks);
    let (mut statistic, mut df) = (0.0, 0.0);
    for (range, cells) in ranges(tally) {
        let s = f64::from(range);
        let sum: f64 =
            (0_u32..).zip(cells).map(|(digit, cell)| f64::from(digit) * real(*cell)).sum();
        let off = sum - decks * (s - 1.0) / 2.0;
        statistic += 12.0 * off * off / (decks * (s * s - 1.0));
        df += 1.0;
    }
    Ok((statistic, chi_square_above(statistic, df)))
}

/// The worst range by X² where each digit expects 50; with fewer deals, the worst digit by its
/// exact binomial. p is Bonferroni's over the ranges or the digits; the statistic is the range.
fn worst(tally: &Tally) -> Outcome {
    items(tally, 2)?;
    counted(&tally.digits, tally)?;
    at_least(tally, 1)?;
    let roomy = tally.decks >= 50 * u64::from(tally.shape.items());
    let mut smallest = (0.0, 1.0_f64);
    let mut compared = 0.0;
    for (range, cells) in ranges(tally) {
        let s = f64::from(range);
        let p = if roomy {
            compared += 1.0;
            chi_square_above(pearson(cells, real(tally.decks) / s), s - 1.0)
        } else {
            compared += s;
            let each = cells.iter().map(|cell| binomial_either(*cell, tally.decks, 1.0 / s));
            each.fold(1.0, f64::min)
        };
        if p < smallest.1 {
            smallest = (s, p);
        }
    }
    Ok((smallest.0, (smallest.1 * compared).min(1.0)))
}

/// z = Σw(C − N/s)/√(Σw²N/s) with w = s·p − 1 for a source whose digits have the probabilities p.
fn matched(tally: &Tally, biased: impl Fn(u32) -> Vec<f64>) -> Outcome {
    counted(&tally.digits, tally)?;
    enough(tally, 20)?;
    let (mut sum, mut variance) = (0.0, 0.0);
    for (range, cells) in ranges(tally) {
        let s = f64::from(range);
        let expected = real(tally.decks) / s;
        for (p, cell) in biased(range).into_iter().zip(cells) {
            let weight = s * p - 1.0;
            sum += weight * (real(*cell) - expected);
            variance += weight * weight * expected;
        }
    }
    if variance == 0.0 {
        return Err(Why("such a source is not biased for this deck".to_owned()));
    }
    let z = sum / variance.sqrt();
    Ok((z, normal_above(z)))
}

/// The probabilities of the digits of a word of `words` values, modulo the range.
fn modulo(words: u32, range: u32) -> Vec<f64> {
    let (each, more) = (words / range, words % range);
    (0..range).map(|digit| f64::from(each + u32::from(digit < more)) / f64::from(words)).collect()
}

/// The probabilities of the digits of a word as a fraction of `words`, times the range, rounded
/// down.
fn float(words: u32, range: u32) -> Vec<f64> {
    let from = |digit: u32| (u64::from(words) * u64::from(digit)).div_ceil(u64::from(range));
    (0..range).map(|digit| real(from(digit + 1) - from(digit)) / f64::from(words)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_hold_the_words_of_each_digit() {
        for range in 2..=60_u32 {
            let (mut modulo_words, mut float_words) =
                (vec![0_u64; index(range)], vec![0_u64; index(range)]);
            for word in 0..65_536_u32 {
                modulo_words[index(word % range)] += 1;
                float_words[index((word * range) >> 16)] += 1;
            }
            let shares =
                |words: Vec<u64>| words.into_iter().map(|w| real(w) / 65_536.0).collect::<Vec<_>>();
            assert_eq!(modulo(65_536, range), shares(modulo_words));
            assert_eq!(float(65_536, range), shares(float_words));
        }
    }
}
