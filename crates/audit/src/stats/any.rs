//! The probability of several of many independent events, whose probabilities differ.

use super::number::real_len;

/// An upper bound of the probability that at least so many of these independent events happen in
/// any of so many tries.
#[must_use]
pub fn any_at_least(agreeing: usize, probabilities: &[f64], tries: usize) -> f64 {
    if agreeing == 0 {
        return 1.0;
    }
    let expected: f64 = probabilities.iter().sum();
    let n = real_len(agreeing);
    // That all of them happen is their product. In general, the sum over all sets of n rows is at
    // most expected^n / n!; Chernoff's bound is e^(n - expected) × (expected / n)^n.
    let product = if agreeing == probabilities.len() {
        probabilities.iter().map(|probability| probability.ln()).sum()
    } else {
        0.0
    };
    let factorial: f64 = (1..=agreeing).map(|k| real_len(k).ln()).sum();
    let sets = n * expected.ln() - factorial;
    let chernoff = if n > expected { n - expected + n * (expected / n).ln() } else { 0.0 };
    let one = product.min(sets).min(chernoff).min(0.0);
    (one.exp() * real_len(tries.max(1))).clamp(1e-300, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact probability that at least so many of independent events happen.
    fn exact(agreeing: usize, probabilities: &[f64]) -> f64 {
        let mut law = vec![1.0];
        for p in probabilities {
            let mut next = vec![0.0; law.len() + 1];
            for (k, share) in law.iter().enumerate() {
                next[k] += share * (1.0 - p);
                next[k + 1] += share * p;
            }
            law = next;
        }
        law.iter().skip(agreeing).sum()
    }

    #[test]
    fn the_bound_is_never_under_the_exact_probability_and_near_it_where_it_matters() {
        for p in [1e-9, 0.001, 0.01, 0.1, 0.5] {
            for rows in [1, 2, 5, 20, 100] {
                let probabilities: Vec<f64> =
                    (0..rows).map(|row| p / (1.0 + f64::from(row))).collect();
                for agreeing in [1, 2, 3, 5, 10, 50] {
                    let n = usize::try_from(rows).unwrap().min(agreeing);
                    let (exact, bound) =
                        (exact(n, &probabilities), any_at_least(n, &probabilities, 1));
                    assert!(bound >= exact * (1.0 - 1e-9), "{p} {rows} {n}: {bound} < {exact}");
                    assert!(exact > 1e-3 || bound < 0.05, "{p} {rows} {n}: {bound}, {exact}");
                }
            }
        }
        assert!((any_at_least(1, &[0.01], 5) - 0.05).abs() < 1e-12);
        assert!((any_at_least(1, &[0.01], 500) - 1.0).abs() < 1e-12);
        assert!((any_at_least(0, &[0.01], 1) - 1.0).abs() < 1e-12);
    }
}
