//! Products of many factors, one for each copy of a bet, without a logarithm for each factor.

use serde::{Deserialize, Serialize};

/// The copies that run side by side: the first, the six rungs, and one that is not used, so that a
/// processor takes two or four at once.
pub(super) const LANES: usize = 8;

/// One number for each copy.
pub(super) type Lanes = [f64; LANES];

/// 2^256, the end of a factor's range. It begins at 2^-256.
const MOST: f64 = power_of_two(256);
const LEAST: f64 = power_of_two(-256);

/// The step by which a factor moves when it leaves its range: 2^512.
const STEP: i32 = 512;

/// A product for each copy: `factor` · 2^`twos`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Wire", into = "Wire")]
pub(super) struct Product {
    factor: Lanes,
    /// Multiples of [`STEP`].
    twos: [i32; LANES],
    /// The factor's weight in a sum: 1, or 0 under its range, or infinite over it.
    weight: Lanes,
}

/// The stored form of a product.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    factor: Lanes,
    twos: [i32; LANES],
}

const fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits((1023 + exponent).cast_unsigned() << 52)
}

impl Product {
    pub(super) const ONE: Self =
        Self { factor: [1.0; LANES], twos: [0; LANES], weight: [1.0; LANES] };

    /// Multiplies each copy's product by a factor from 2^-512 to under 2^512.
    #[inline]
    pub(super) fn times(&mut self, by: &Lanes) {
        let mut is_inside = true;
        for (factor, by) in self.factor.iter_mut().zip(by) {
            *factor *= by;
            is_inside &= *factor >= LEAST;
            is_inside &= *factor < MOST;
        }
        if !is_inside {
            self.rescale();
        }
    }

    #[inline]
    pub(super) fn times_product(&mut self, by: &Self) {
        if by.twos != [0; LANES] {
            self.move_by(&by.twos);
        }
        self.times(&by.factor);
    }

    /// Moves factors back into their range. A power of two rounds nothing.
    #[cold]
    fn rescale(&mut self) {
        let mut moved = [0; LANES];
        for (factor, twos) in self.factor.iter_mut().zip(&mut moved) {
            if *factor < LEAST {
                *factor *= power_of_two(512);
                *twos = -STEP;
            } else if *factor >= MOST {
                *factor *= power_of_two(-512);
                *twos = STEP;
            }
        }
        self.move_by(&moved);
    }

    #[cold]
    fn move_by(&mut self, moved: &[i32; LANES]) {
        for ((twos, weight), more) in self.twos.iter_mut().zip(&mut self.weight).zip(moved) {
            *twos = twos.saturating_add(*more);
            *weight = weight_of(*twos);
        }
    }

    /// Adds the products to `sums`: one under 2^-256 as 0, one over 2^256 as infinite.
    #[inline]
    pub(super) fn add_to(&self, sums: &mut Lanes) {
        for ((sum, factor), weight) in sums.iter_mut().zip(&self.factor).zip(&self.weight) {
            *sum += factor * weight;
        }
    }

    /// Starts a copy again, with 1.
    pub(super) fn restart(&mut self, lane: usize) {
        self.factor[lane] = 1.0;
        self.twos[lane] = 0;
        self.weight[lane] = 1.0;
    }

    /// The logarithm of a copy's product.
    pub(super) fn ln(&self, lane: usize) -> f64 {
        f64::from(self.twos[lane]) * std::f64::consts::LN_2 + self.factor[lane].ln()
    }

    /// Whether every factor is in its range, as it is in every product made here.
    pub(super) fn is_sound(&self) -> bool {
        self.factor.iter().all(|factor| (LEAST..MOST).contains(factor))
            && self.twos.iter().all(|twos| twos % STEP == 0)
    }
}

const fn weight_of(twos: i32) -> f64 {
    match twos {
        0 => 1.0,
        ..0 => 0.0,
        _ => f64::INFINITY,
    }
}

impl From<Wire> for Product {
    fn from(Wire { factor, twos }: Wire) -> Self {
        Self { factor, twos, weight: twos.map(weight_of) }
    }
}

impl From<Product> for Wire {
    fn from(Product { factor, twos, .. }: Product) -> Self {
        Self { factor, twos }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factors of the first three copies; the others stay 1.
    fn three(first: f64, second: f64, third: f64) -> Lanes {
        [first, second, third, 1.0, 1.0, 1.0, 1.0, 1.0]
    }

    #[test]
    fn a_product_that_no_float_holds_keeps_its_logarithm_and_comes_back_exactly() {
        let mut product = Product::ONE;
        for _ in 0..1_000 {
            product.times(&three(3e70, 1.0, 2e-70));
        }
        assert!((product.ln(0) - 1_000.0 * 3e70_f64.ln()).abs() < 1e-6);
        assert!((product.ln(2) - 1_000.0 * 2e-70_f64.ln()).abs() < 1e-6);
        let mut sums = [0.0; LANES];
        product.add_to(&mut sums);
        assert_eq!(sums[..3], [f64::INFINITY, 1.0, 0.0]);
        let text = serde_json::to_string(&product).unwrap();
        assert_eq!(serde_json::from_str::<Product>(&text).unwrap(), product);
        assert!(product.is_sound());
        product.restart(0);
        assert_eq!(product.ln(0).to_bits(), 0.0_f64.to_bits());
        let mut powers = Product::ONE;
        for factor in [8.0, 0.125] {
            for _ in 0..2_000 {
                powers.times(&three(factor, 1.0, 1.0 / factor));
            }
        }
        assert_eq!(powers, Product::ONE);
    }

    #[test]
    fn the_product_of_two_products_is_that_of_all_their_factors() {
        let (mut left, mut right, mut all) = (Product::ONE, Product::ONE, Product::ONE);
        for _ in 0..300 {
            left.times(&three(2e60, 1e-60, 5.0));
            right.times(&three(3e-60, 1e60, 7.0));
            all.times(&three(6.0, 1.0, 35.0));
        }
        left.times_product(&right);
        for lane in 0..LANES {
            assert!((left.ln(lane) - all.ln(lane)).abs() < 1e-6, "{lane}");
        }
    }
}
