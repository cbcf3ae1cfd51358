//! Counts as floating point, and positions as indices: the only conversions of the room, in one place.

/// A count as f64: exact to 2^53, and within one part in 2^53 above.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "std has no other way from u64 to f64, and rounding a count over 2^53 moves no p-value"
)]
pub(crate) const fn real(count: u64) -> f64 {
    count as f64
}

/// A length as f64.
pub(crate) fn real_len(length: usize) -> f64 {
    real(count(length))
}

/// A length as a count.
pub(crate) fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// An item, position or size (at most 2^20) as an index: it fits wherever there is room for the deck.
pub(crate) fn index(item: u32) -> usize {
    usize::try_from(item).unwrap_or(usize::MAX)
}

/// An index as an item or position; decks have at most 2^20 items.
pub(crate) fn item(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Adds one to the cell, where there is one.
#[inline]
pub(crate) fn bump(cells: &mut [u64], at: usize) {
    if let Some(cell) = cells.get_mut(at) {
        *cell = cell.saturating_add(1);
    }
}

/// Adds `right` to `left`, cell by cell.
pub(crate) fn add_cells(left: &mut [u64], right: &[u64]) {
    for (sum, more) in left.iter_mut().zip(right) {
        *sum = sum.saturating_add(*more);
    }
}
