//! A round from named values, whichever form they came in.

use std::borrow::Cow;

use serde::Deserialize;

use super::names::Target;
use crate::dialect::{Column, Round, Value};

/// A round that is being filled.
#[derive(Debug, Default)]
pub(super) struct Filling<'a> {
    round: Round<'a>,
    /// By column: the ranks of the names that were met.
    met: [u8; Column::ALL.len()],
    /// By column: the ranks of those that had a value.
    filled: [u8; Column::ALL.len()],
    /// The place of `held`, where it was met.
    held: Option<usize>,
}

impl<'a> Filling<'a> {
    /// Takes in a value, unless one came from a name that counts before this one.
    ///
    /// # Errors
    /// Which column it is, what was expected and what came.
    pub(super) fn put(&mut self, target: Target, name: &str, value: Value<'a>) -> Result<(), String> {
        let Target { column, slot, rank } = target;
        let (Some(met), Some(filled)) = (self.met.get_mut(slot), self.filled.get_mut(slot)) else {
            return Ok(());
        };
        if *met & rank != 0 {
            return Err(format!("{column}: expected one value, found a second one in {}", shown(name)));
        }
        *met |= rank;
        if column == Column::Held {
            self.held = Some(slot);
        }
        if value == Value::Null || *filled > rank {
            return Ok(());
        }
        *filled |= rank;
        self.round.put(column, value).map_err(|error| {
            if name == column.as_str() { error.to_string() } else { format!("{} as {error}", shown(name)) }
        })
    }

    pub(super) fn done(self) -> Round<'a> {
        self.round
    }

    /// The same where an empty field can be an empty list: of a hand that became another, nothing was held.
    pub(super) fn done_of_fields(mut self) -> Round<'a> {
        let is_there = |slot: usize| self.met.get(slot).is_some_and(|met| *met != 0);
        if self.round.last.is_some() && self.round.held.is_none() && self.held.is_some_and(is_there) {
            self.round.held = Some(Vec::new());
        }
        self.round
    }
}

/// A name as it is in the file, or its beginning.
pub(super) fn shown(name: &str) -> String {
    format!("{:?}", name.chars().take(60).collect::<String>())
}

/// A value that is written as text: nothing where it is empty.
#[must_use]
pub fn text_value(text: Cow<'_, str>) -> Value<'_> {
    if text.is_empty() { Value::Null } else { Value::Text(text) }
}

#[derive(Deserialize)]
struct Item<'a>(#[serde(borrow)] Cow<'a, str>);

/// A value of a column that is written in JSON, which was found to be legal.
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
