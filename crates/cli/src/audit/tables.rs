//! An audit as three CSV tables (RFC 4180).

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use crate::exit::Failure;
use crate::files::{self, NewFile};
use fairdeal::spelled::legible;
use fairdeal_audit::AuditRows;
use fairdeal_audit::answer::{AuditTable, Cell};

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
    /// Exit 3 if it cannot be written to.
    pub(super) fn create(dir: &Path) -> Result<Self, Failure> {
        if dir.exists() && !dir.is_dir() {
            return Err(unavailable!("{}: expected a folder, found a file", dir.display()));
        }
        fs::create_dir_all(dir).map_err(|error| files::unwritable(dir, &error))?;
        Ok(Self {
            entries: Table::create(dir, AuditTable::Entries)?,
            rounds: Table::create(dir, AuditTable::Rounds)?,
            findings: Table::create(dir, AuditTable::Findings)?,
        })
    }

    /// Adds rows.
    /// The error names the file that cannot be written, and the reason.
    pub(super) fn add(&mut self, rows: &AuditRows) -> Result<Written, String> {
        AuditTable::Entries.try_each(rows, |cells| self.entries.add(cells.iter().map(field)))?;
        AuditTable::Rounds.try_each(rows, |cells| self.rounds.add(cells.iter().map(field)))?;
        AuditTable::Findings.try_each(rows, |cells| self.findings.add(cells.iter().map(field)))?;
        Ok(Written {
            entries: rows.entries.len(),
            rounds: rows.rounds.len(),
            findings: rows.findings.len(),
        })
    }

    /// Renames them to their final names.
    pub(super) fn keep(self) -> Result<(), Failure> {
        // Flush all before renaming the first: most failures come here.
        let all = [self.entries, self.rounds, self.findings].map(Table::whole);
        let all = all.into_iter().collect::<Result<Vec<_>, _>>()?;
        all.into_iter().try_for_each(NewFile::keep)
    }
}

impl Table {
    fn create(dir: &Path, table: AuditTable) -> Result<Self, Failure> {
        let path = dir.join(format!("{}.csv", table.as_str()));
        if path.is_dir() {
            return Err(unavailable!("{}: expected a file, found a folder", path.display()));
        }
        let file = NewFile::create(&path)?;
        let writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(file);
        let mut new = Self { writer, path };
        new.add(table.columns().iter().map(|name| Cow::from(*name)))
            .map_err(Failure::unavailable)?;
        Ok(new)
    }

    fn add<'a>(&mut self, mut fields: impl Iterator<Item = Cow<'a, str>>) -> Result<(), String> {
        let written = fields.try_for_each(|field| self.writer.write_field(field.as_bytes()));
        written.and_then(|()| self.writer.write_record(None::<&[u8]>)).map_err(|error| {
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

/// A cell as a field.
fn field<'a>(cell: &'a Cell<'_>) -> Cow<'a, str> {
    match cell {
        Cell::Whole(number) => number.to_string().into(),
        Cell::Bool(is) => if *is { "true" } else { "false" }.into(),
        Cell::Plain(plain) => plain.as_ref().into(),
        Cell::Foreign(foreign) => text(foreign),
        Cell::Nothing => "".into(),
    }
}

/// The starts of formulas in a spreadsheet, quoted or not; the wide ones with Japanese settings.
/// And the apostrophe, so that a leading one is always ours.
const STARTS: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '\''];

/// Text from outside, which must not become a formula on the reader's machine.
fn text(text: &str) -> Cow<'_, str> {
    let text = legible(text);
    if text.starts_with(STARTS) { format!("'{text}").into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn no_text_starts_a_formula_and_every_text_can_be_had_back() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "'"]
        {
            let cell = text(formula);
            assert_eq!(cell.strip_prefix('\''), Some(formula));
        }
        for plain in ["", "table 1", "a=1", " =1", "É", "1-1"] {
            assert_eq!(text(plain), plain);
        }
    }
}
