//! The parts of a statement, and the connection that runs it.

use std::borrow::Cow;

use futures::future::BoxFuture;

use super::rows::{Fields, Found};

/// A value that a statement gets as `$1`, `$2` and so on.
#[derive(Clone, Debug)]
pub(super) enum Value<'a> {
    Int(Option<i64>),
    Text(Option<Cow<'a, str>>),
    Bytes(Option<Cow<'a, [u8]>>),
    /// A list, for [`Run::among_texts`].
    Texts(Vec<&'a str>),
    /// A list, for [`Run::among_bytes`].
    BytesList(Vec<&'a [u8]>),
}

/// Rows to write. The statement `then` reads them as `new`, a table with these columns. Some of its
/// rows may be of nulls alone: SQLite fills up a length.
pub(super) struct NewRows<'a> {
    /// The names, with commas between them.
    pub(super) columns: &'static str,
    /// Row after row. In each row a column has the same kind of value, null or not.
    pub(super) values: Vec<Value<'a>>,
    pub(super) then: &'static str,
}

impl NewRows<'_> {
    /// The number of columns.
    pub(super) fn width(&self) -> usize {
        self.columns.split(',').count()
    }
}

/// A connection to a database.
pub(super) trait Run: Send {
    type Row: Fields;

    /// The table that a batch's round entries are written to.
    const NEW_ROUNDS: &'static str;
    /// The entries of one round, by its commit's index and its nonce.
    const ROUND: &'static str;
    /// A page of `round`: what comes after `$1`, `$2`, `$3`, at most `$4`.
    const ROUNDS_AFTER: &'static str;

    /// Commitments `c` with the last entries of their rounds. One question: others may write
    /// between two. If `chosen`, `$1` has the commitments that are asked for.
    fn lives(chosen: bool) -> String;
    /// The newest commitment of each table among the names `$1`.
    fn newest() -> String;
    /// A condition: one of the texts of the list `$n`.
    fn among_texts(n: u8) -> String;
    /// A condition: one of the byte strings of the list `$n`.
    fn among_bytes(n: u8) -> String;
    /// The rows to write after round entries, the last of which is about this entry.
    fn after_rounds(last: u64) -> Vec<NewRows<'static>>;

    /// All rows that a question finds.
    fn all<'a>(
        &'a mut self,
        question: String,
        values: Vec<Value<'a>>,
    ) -> BoxFuture<'a, Found<Vec<Self::Row>>>;
    /// Writes rows, in this order. Returns the number of rows that were changed.
    fn write<'a>(&'a mut self, all: Vec<NewRows<'a>>) -> BoxFuture<'a, Found<u64>>;
    /// The faults that the database finds in its own pages and indexes.
    fn integrity(&mut self) -> BoxFuture<'_, Found<Vec<String>>>;
}

impl<'a> Value<'a> {
    /// A size, an index or a logged time fits. Only a clock may say more than 2^63 − 1.
    pub(super) fn int(value: u64) -> Self {
        Self::Int(Some(i64::try_from(value).unwrap_or(i64::MAX)))
    }

    pub(super) fn optional_int(value: Option<u64>) -> Self {
        value.map_or(Self::Int(None), Self::int)
    }

    pub(super) fn text(value: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(Some(value.into()))
    }

    pub(super) fn optional_text(value: Option<impl Into<Cow<'a, str>>>) -> Self {
        Self::Text(value.map(Into::into))
    }

    pub(super) fn bytes(value: impl Into<Cow<'a, [u8]>>) -> Self {
        Self::Bytes(Some(value.into()))
    }
}
