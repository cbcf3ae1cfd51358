//! Tails of the distributions that statistics are compared with.
//!
//! The special functions are from statrs: within 1e-8 of the exact value (relative) down to 1e-300.
//! The tests of this room compare them with sums of exact integers.

use statrs::function::{
    beta::checked_beta_reg, erf::erfc, gamma::checked_gamma_lr, gamma::checked_gamma_ur,
};

use super::number::real;

/// P(Z ≥ z) for a standard normal Z.
#[must_use]
pub fn normal_above(z: f64) -> f64 {
    erfc(z / std::f64::consts::SQRT_2) / 2.0
}

/// P(|Z| ≥ |z|) for a standard normal Z.
#[must_use]
pub fn normal_either(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// P(X ≥ x) for X ~ χ² with `df` degrees of freedom (not necessarily whole).
#[must_use]
pub fn chi_square_above(x: f64, df: f64) -> f64 {
    if x <= 0.0 || df <= 0.0 {
        return 1.0;
    }
    checked_gamma_ur(df / 2.0, x / 2.0).unwrap_or(1.0)
}

/// P(X ≥ k) for X ~ Bin(n, p), exact.
#[must_use]
pub fn binomial_at_least(k: u64, n: u64, p: f64) -> f64 {
    if k == 0 {
        1.0
    } else if k > n {
        0.0
    } else {
        checked_beta_reg(real(k), real(n - k) + 1.0, p).unwrap_or(1.0)
    }
}

/// P(X ≤ k) for X ~ Bin(n, p), exact.
#[must_use]
pub fn binomial_at_most(k: u64, n: u64, p: f64) -> f64 {
    if k >= n { 1.0 } else { checked_beta_reg(real(n - k), real(k) + 1.0, 1.0 - p).unwrap_or(1.0) }
}

/// Twice the smaller tail of Bin(n, p) at k, exact and at most 1.
#[must_use]
pub fn binomial_either(k: u64, n: u64, p: f64) -> f64 {
    (2.0 * binomial_at_least(k, n, p).min(binomial_at_most(k, n, p))).min(1.0)
}

/// P(X ≥ k) for X ~ Poisson(mean), exact.
#[must_use]
pub fn poisson_at_least(k: u64, mean: f64) -> f64 {
    if k == 0 {
        1.0
    } else if mean <= 0.0 {
        0.0
    } else {
        checked_gamma_lr(real(k), mean).unwrap_or(1.0)
    }
}

/// A quadratic statistic of pooled counts. Its tail is good for few deals too.
///
/// Such a statistic is (1/N)·Σ over pairs (s, t) of deals of y(s, t), where y is the inner product
/// that makes it χ² with `df` degrees of freedom in the limit. y(s, s) is constant and the y(s, t)
/// are uncorrelated, so at every N the mean is df, the variance 2·df·(1 − 1/N), and the third
/// cumulant 8·(κ·(N−1)/2N² + df·(N−1)(N−2)/N²) with κ = E y(s, t)³. A shifted χ² with these three
/// moments is the tail; as N grows it is χ² with df degrees of freedom itself.
#[derive(Clone, Copy, Debug)]
pub struct Pooled {
    pub statistic: f64,
    pub df: f64,
    /// κ: E y(s, t)³ for two different deals.
    pub pair_third: f64,
}

impl Pooled {
    /// P(a statistic at least as large) over this many deals.
    #[must_use]
    pub fn above(self, deals: u64) -> f64 {
        let n = real(deals);
        if deals < 3 || self.df <= 0.0 {
            return 1.0;
        }
        let variance = 2.0 * self.df * (1.0 - 1.0 / n);
        let pairs = self.pair_third * (n - 1.0) / (2.0 * n * n);
        let third = 8.0 * (pairs + self.df * (n - 1.0) * (n - 2.0) / (n * n));
        let skewness = third / variance.powf(1.5);
        let freedom = 8.0 / (skewness * skewness);
        let scale = (variance / (2.0 * freedom)).sqrt();
        chi_square_above((self.statistic - self.df) / scale + freedom, freedom)
    }
}
