//! Fills a round with named values, from JSON or CSV.

use std::borrow::Cow;

use serde::Deserialize;

use super::names::Target;
use crate::dialect::{Column, PlayError, Round, Value};

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

/// A value that a row cannot have.
#[derive(Debug, thiserror::Error)]
pub(super) enum FillError {
    /// The name was met before.
    #[error("{column}: expected one value, found a second one in {}", shown(name))]
    Twice { column: Column, name: String },
    /// The column cannot have this value.
    #[error("{}{error}", alias(name, *column))]
    Wrong { column: Column, name: String, error: PlayError },
}

/// `"bust" as `, if the name is not the column's own.
fn alias(name: &str, column: Column) -> String {
    if name == column.as_str() { String::new() } else { format!("{} as ", shown(name)) }
}

impl<'a> Filling<'a> {
    /// Takes a value, unless a name of a higher rank had one.
    ///
    /// # Errors
    /// [`FillError`].
    pub(super) fn put(&mut self, target: Target, name: &str, value: Value<'a>) -> Result<(), FillError> {
        let Target { column, slot, rank } = target;
        let met = self.met.get_mut(slot).expect("a slot is one of the columns");
        let filled = self.filled.get_mut(slot).expect("a slot is one of the columns");
        if *met & rank != 0 {
            return Err(FillError::Twice { column, name: name.to_owned() });
        }
        *met |= rank;
        self.has_held |= column == Column::Held;
        if value == Value::Null || *filled > rank {
            return Ok(());
        }
        *filled |= rank;
        let wrong = |error| FillError::Wrong { column, name: name.to_owned(), error };
        self.round.put(column, value).map_err(wrong)
    }

    pub(super) fn done(self) -> Round<'a> {
        self.round
    }

    /// As [`Filling::done`] for CSV, where an empty `held` beside a final hand means that no card was held.
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

/// A value that is written as text. An empty one is nothing.
#[must_use]
pub fn text_value(text: Cow<'_, str>) -> Value<'_> {
    if text.is_empty() { Value::Null } else { Value::Text(text) }
}

#[derive(Deserialize)]
struct Item<'a>(#[serde(borrow)] Cow<'a, str>);

/// A column's value, from valid JSON.
pub(super) fn json_value(column: Column, json: &str) -> Value<'_> {
    match json.as_bytes().first() {
        Some(b'n') | None => Value::Null,
        Some(b't') => Value::Bool(true),
        Some(b'f') => Value::Bool(false),
        Some(b'{') => Value::Other("an object"),
        Some(b'[') if column == Column::Contributions => Value::Json(Cow::Borrowed(json)),
        Some(b'[') => {
            let items: Result<Vec<Item<'_>>, _> = serde_json::from_str(json);
            let items = items.map(|items| items.into_iter().map(|Item(text)| text).collect());
            items.map_or(Value::Other("a list of something else"), Value::List)
        }
        Some(b'"') => match json.strip_prefix('"').and_then(|json| json.strip_suffix('"')) {
            Some(text) if !text.contains('\\') => Value::Text(Cow::Borrowed(text)),
            _ => serde_json::from_str(json).map_or(Value::Other("a text with half a character"), Value::Text),
        },
        Some(_) => Value::Number(Cow::Borrowed(json)),
    }
}
