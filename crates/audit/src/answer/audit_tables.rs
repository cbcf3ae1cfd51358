//! The tables of an audit: entries, rounds and findings, each with its columns. `fairdeal audit
//! --csv` writes them, and the bindings give them as objects.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::{AuditRows, EntryRow, RoundOutcome, RoundRow};
use fairdeal::named;
use fairdeal::record::Finding;

named! {
    /// A table of an audit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    AuditTable {
        /// Every entry.
        Entries = "entries",
        /// Every round that was dealt or voided.
        Rounds = "rounds",
        /// Every finding.
        Findings = "findings",
    }
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Cell<'a> {
    /// A whole number.
    Whole(u64),
    /// Yes or no.
    Bool(bool),
    /// A text in a form of ours, such as hex or cards.
    Plain(Cow<'a, str>),
    /// A text that somebody else chose.
    Foreign(&'a str),
    /// There is none: `null` in JSON, an empty field in CSV.
    Nothing,
}

/// A row of a table, as a JSON object with the columns as names.
struct Row<'a>(AuditTable, &'a [Cell<'a>]);

impl AuditTable {
    /// The names of its columns, in order.
    #[must_use]
    pub const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Entries => &["index", "kind", "time", "commitment", "nonce", "effect"],
            Self::Rounds => &[
                "commitment",
                "table",
                "nonce",
                "index",
                "outcome",
                "time",
                "form",
                "result",
                "contributors",
                "blame",
                "reason",
            ],
            Self::Findings => &["code", "class", "index", "commitment", "nonce", "says"],
        }
    }

    /// Calls `each` with the cells of each of its rows, in order.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn try_each<E>(
        self,
        rows: &AuditRows,
        mut each: impl FnMut(&[Cell<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Entries => rows.entries.iter().try_for_each(|row| each(&entry(row))),
            Self::Rounds => rows.rounds.iter().try_for_each(|row| each(&round(row))),
            Self::Findings => rows.findings.iter().try_for_each(|row| each(&finding(row))),
        }
    }

    /// Its rows as JSON lines: objects with the columns as names.
    ///
    /// # Errors
    /// None is known: every cell has a form in JSON.
    pub fn json_lines(self, rows: &AuditRows) -> serde_json::Result<Vec<u8>> {
        let mut lines = Vec::new();
        self.try_each(rows, |cells| {
            serde_json::to_writer(&mut lines, &Row(self, cells))?;
            lines.push(b'\n');
            Ok(())
        })?;
        Ok(lines)
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(table, cells) = self;
        let mut object = serializer.serialize_map(Some(cells.len()))?;
        for (name, cell) in table.columns().iter().zip(*cells) {
            object.serialize_entry(name, cell)?;
        }
        object.end()
    }
}

fn entry(row: &EntryRow) -> [Cell<'_>; 6] {
    [
        Cell::Whole(row.index),
        row.kind.map_or(Cell::Nothing, plain),
        whole(row.time),
        text(row.commitment),
        whole(row.nonce.map(u64::from)),
        Cell::Bool(row.effect),
    ]
}

fn round(row: &RoundRow) -> [Cell<'_>; 11] {
    let (outcome, form, result, blame, reason) = match &row.outcome {
        RoundOutcome::Dealt { form, result } => {
            ("dealt", plain(form), plain(result), Cell::Nothing, Cell::Nothing)
        }
        RoundOutcome::Voided { blame, reason } => {
            let blame = blame.as_deref().map_or(Cell::Nothing, Cell::Foreign);
            ("voided", Cell::Nothing, Cell::Nothing, blame, Cell::Foreign(reason))
        }
    };
    [
        text(Some(row.commitment)),
        Cell::Foreign(&row.table),
        Cell::Whole(row.nonce.into()),
        Cell::Whole(row.index),
        plain(outcome),
        Cell::Whole(row.time),
        form,
        result,
        Cell::Whole(u64::try_from(row.contributors).expect("a length has at most 64 bits")),
        blame,
        reason,
    ]
}

fn finding(row: &Finding) -> [Cell<'_>; 6] {
    [
        plain(row.code.as_str()),
        plain(row.code.class().as_str()),
        whole(row.index),
        text(row.commitment),
        whole(row.nonce.map(u64::from)),
        Cell::Foreign(&row.says),
    ]
}

fn plain(text: &str) -> Cell<'_> {
    Cell::Plain(text.into())
}

fn whole<'a>(value: Option<u64>) -> Cell<'a> {
    value.map_or(Cell::Nothing, Cell::Whole)
}

fn text<'a>(value: Option<impl ToString>) -> Cell<'a> {
    value.map_or(Cell::Nothing, |value| Cell::Plain(value.to_string().into()))
}
