//! Fills a round with named values, from JSON or CSV.

use super::names::Target;
use super::value::Value;
use crate::dialect::{Column, PlayError, Round};

/// A round that is being filled.
#[derive(Debug, Default)]
pub(super) struct Filling<'a> {
    round: Round<'a>,
    /// By column: the ranks of the names that were met.
    met: [u8; Column::ALL.len()],
    /// By column: the ranks of the names that had a value.
    filled: [u8; Column::ALL.len()],
    /// Whether `held` was met.
    has_held: bool,
}

/// `"bust" as `, if the name is not the column's own.
fn alias(name: &str, column: Column) -> String {
    if name == column.as_str() { String::new() } else { format!("{} as ", shown(name)) }
}

impl<'a> Filling<'a> {
    /// Takes a value, unless a name of a higher rank had one.
    ///
    /// # Errors
    /// A sentence: the column, what was expected, and what was found.
    pub(super) fn put(
        &mut self,
        target: Target,
        name: &str,
        value: Value<'a>,
    ) -> Result<(), String> {
        let Target { column, slot, rank } = target;
        let met = self.met.get_mut(slot).expect("a slot is one of the columns");
        let filled = self.filled.get_mut(slot).expect("a slot is one of the columns");
        if *met & rank != 0 {
            return Err(format!(
                "{column}: expected one value, found a second one in {}",
                shown(name)
            ));
        }
        *met |= rank;
        self.has_held |= column == Column::Held;
        if value == Value::Null || *filled > rank {
            return Ok(());
        }
        *filled |= rank;
        let wrong = |error: PlayError| format!("{}{error}", alias(name, column));
        value.put(column, &mut self.round).map_err(wrong)
    }

    pub(super) fn done(self) -> Round<'a> {
        self.round
    }

    /// As [`Filling::done`] for CSV, where an empty `held` with a final hand means that no card
    /// was held.
    pub(super) fn done_of_fields(mut self) -> Round<'a> {
        if self.round.last.is_some() && self.round.held.is_none() && self.has_held {
            self.round.held = Some(Vec::new());
        }
        self.round
    }
}

/// A name as in the file, or its beginning.
pub(super) fn shown(name: &str) -> String {
    format!("{:?}", name.chars().take(60).collect::<String>())
}
