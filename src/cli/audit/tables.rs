//! An audit as three CSV tables (RFC 4180).

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use crate::audit::{AuditRows, EntryRow, RoundOutcome, RoundRow};
use crate::cli::exit::Failure;
use crate::cli::files::{self, NewFile};
use crate::record::Finding;

const ENTRIES: &[&str] = &["index", "kind", "time", "commitment", "nonce", "effect"];
const ROUNDS: &[&str] = &[
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
];
const FINDINGS: &[&str] = &["code", "index", "commitment", "nonce", "says"];

/// The tables. [`Tables::keep`] renames all three at the end; otherwise they are removed.
#[derive(Debug)]
pub(super) struct Tables {
    entries: Table,
    rounds: Table,
    findings: Table,
}

#[derive(Debug)]
struct Table {
    writer: csv::Writer<NewFile>,
    path: PathBuf,
}

/// The numbers of rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    pub(super) entries: usize,
    pub(super) rounds: usize,
    pub(super) findings: usize,
}

impl Tables {
    /// Begins the tables in a folder. A missing one is made.
    ///
    /// # Errors
    /// Exit 3 if it cannot be written to.
    pub(super) fn create(dir: &Path) -> Result<Self, Failure> {
        if dir.exists() && !dir.is_dir() {
            let says = format!("{}: expected a folder, found a file", dir.display());
            return Err(Failure::unavailable(says));
        }
        fs::create_dir_all(dir).map_err(|error| files::unwritable(dir, &error))?;
        Ok(Self {
            entries: Table::create(dir.join("entries.csv"), ENTRIES)?,
            rounds: Table::create(dir.join("rounds.csv"), ROUNDS)?,
            findings: Table::create(dir.join("findings.csv"), FINDINGS)?,
        })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// The file that cannot be written, and why.
    pub(super) fn add(&mut self, rows: &AuditRows) -> Result<Written, String> {
        rows.entries.iter().try_for_each(|row| self.entries.add(&entry(row)))?;
        rows.rounds.iter().try_for_each(|row| self.rounds.add(&round(row)))?;
        rows.findings.iter().try_for_each(|row| self.findings.add(&finding(row)))?;
        Ok(Written { entries: rows.entries.len(), rounds: rows.rounds.len(), findings: rows.findings.len() })
    }

    /// Renames them to their final names.
    ///
    /// # Errors
    /// Exit 3.
    pub(super) fn keep(self) -> Result<(), Failure> {
        // Flush all before renaming the first: most failures come here.
        let all = [self.entries, self.rounds, self.findings].map(Table::whole);
        let all = all.into_iter().collect::<Result<Vec<_>, _>>()?;
        all.into_iter().try_for_each(NewFile::keep)
    }
}

impl Table {
    fn create(path: PathBuf, header: &[&str]) -> Result<Self, Failure> {
        if path.is_dir() {
            let says = format!("{}: expected a file, found a folder", path.display());
            return Err(Failure::unavailable(says));
        }
        let file = NewFile::create(&path)?;
        let writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(file);
        let mut table = Self { writer, path };
        let header: Vec<_> = header.iter().map(|name| Cow::from(*name)).collect();
        table.add(&header).map_err(Failure::unavailable)?;
        Ok(table)
    }

    fn add(&mut self, fields: &[Cow<'_, str>]) -> Result<(), String> {
        self.writer.write_record(fields.iter().map(|field| field.as_bytes())).map_err(|error| {
            let says = match error.kind() {
                csv::ErrorKind::Io(error) => files::reason(error),
                _ => error.to_string(),
            };
            format!("{}: can't be written: {says}", self.path.display())
        })
    }

    fn whole(self) -> Result<NewFile, Failure> {
        let Self { writer, path } = self;
        writer.into_inner().map_err(|error| files::unwritable(&path, error.error()))
    }
}

fn entry(row: &EntryRow) -> [Cow<'_, str>; 6] {
    let effect = if row.effect { "true" } else { "false" };
    [
        number(&row.index),
        row.kind.unwrap_or_default().into(),
        optional(row.time),
        optional(row.commitment),
        optional(row.nonce),
        effect.into(),
    ]
}

fn round(row: &RoundRow) -> [Cow<'_, str>; 11] {
    let (outcome, form, result, blame, reason) = match &row.outcome {
        RoundOutcome::Dealt { form, result } => ("dealt", *form, result.as_str(), "", ""),
        RoundOutcome::Voided { blame, reason } => {
            ("voided", "", "", blame.as_deref().unwrap_or_default(), reason.as_str())
        }
    };
    [
        number(&row.commitment),
        text(&row.table),
        number(&row.nonce),
        number(&row.index),
        outcome.into(),
        number(&row.time),
        form.into(),
        result.into(),
        number(&row.contributors),
        text(blame),
        text(reason),
    ]
}

fn finding(row: &Finding) -> [Cow<'_, str>; 5] {
    [
        row.code.as_str().into(),
        optional(row.index),
        optional(row.commitment),
        optional(row.nonce),
        text(&row.says),
    ]
}

fn number(value: &impl ToString) -> Cow<'static, str> {
    value.to_string().into()
}

fn optional(value: Option<impl ToString>) -> Cow<'static, str> {
    value.map_or(Cow::Borrowed(""), |value| number(&value))
}

/// The starts of formulas in a spreadsheet, quoted or not; the wide ones with Japanese settings. And the apostrophe, so
/// that a leading one is always ours.
const STARTS: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '\''];

/// Text from outside, which must not become a formula on the reader's machine.
fn text(text: &str) -> Cow<'_, str> {
    if text.starts_with(STARTS) { format!("'{text}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn no_text_starts_a_formula_and_every_text_can_be_had_back() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "'"] {
            let cell = text(formula);
            assert_eq!(cell.strip_prefix('\''), Some(formula));
        }
        for plain in ["", "table 1", "a=1", " =1", "É", "1-1"] {
            assert_eq!(text(plain), plain);
        }
    }
}
