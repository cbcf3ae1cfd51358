//! Conversions: counts to floating point, items to indices.

pub use fairdeal::deal::index;

/// A count as f64: exact to 2^53, and within one part in 2^53 above.
#[expect(clippy::cast_precision_loss, reason = "rounding a count over 2^53 moves no p-value")]
#[must_use]
pub const fn real(count: u64) -> f64 {
    count as f64
}

/// A length as f64.
#[must_use]
pub const fn real_len(length: usize) -> f64 {
    real(count(length))
}

/// A length as a count.
#[must_use]
pub const fn count(length: usize) -> u64 {
    length as u64
}

/// An index as an item or position; decks have at most 2^20 items.
#[must_use]
pub fn item(index: usize) -> u32 {
    u32::try_from(index).expect("a deck has at most 2^20 items")
}

/// Adds one to the cell.
#[inline]
pub fn bump(cells: &mut [u64], at: usize) {
    cells[at] = cells[at].saturating_add(1);
}

/// Adds `right` to `left`, cell by cell.
pub fn add_cells(left: &mut [u64], right: &[u64]) {
    for (sum, more) in left.iter_mut().zip(right) {
        *sum = sum.saturating_add(*more);
    }
}
