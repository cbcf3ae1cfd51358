//! The header of a CSV file, and its rows.

use super::RowsError;
use super::csv::{self, Misquoted};
use super::frame::Step;
use super::names::{Names, Target, two_names};
use super::value::{put, text_value};
use crate::dialect::{Column, Round};

/// The names of the fields, and which columns they are.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) delimiter: u8,
    fields: Vec<(String, Option<Target>)>,
}

impl Header {
    /// Reads a header, which begins at `at`; `separator` is between its names.
    ///
    /// # Errors
    /// The last step in the file: [`Step::Stop`] or [`Step::Refuse`].
    pub(super) fn read(line: &str, at: usize, delimiter: u8, names: &Names) -> Result<Self, Step> {
        let stop = |says| Step::Stop(at, says);
        let wrong = |expected| stop(found_no_header(line, expected));
        let mut fields: Vec<(String, Option<Target>)> = Vec::new();
        for field in csv::fields(line, delimiter) {
            let unquoted = "JSON objects, or a header with quotes around whole names";
            let name = field.map_err(|Misquoted| wrong(unquoted))?.into_owned();
            let target = names.target(&name);
            if fields.iter().any(|(other, _)| *other == name) {
                return Err(stop(format!("expected each column once, found {name:?} twice")));
            }
            if let Some((other, Some(target))) =
                fields.iter().find(|(_, other)| target.is_some() && *other == target)
            {
                return Err(stop(two_names(target.column, other, &name)));
            }
            fields.push((name, target));
        }
        let there = || fields.iter().map(|(name, _)| name.clone()).collect();
        let has = |name: &str| fields.iter().any(|(field, _)| field == name);
        if let Some((column, name)) = names.mapped().find(|(_, name)| !has(name)) {
            let error = RowsError::NoSuchName { column, name: name.to_owned(), there: there() };
            return Err(Step::Refuse(error));
        }
        if fields.iter().all(|(_, target)| target.is_none()) {
            let expected =
                "JSON objects, or CSV with a header that names columns such as server_seed";
            return Err(wrong(expected));
        }
        Ok(Self { delimiter, fields })
    }

    /// The names, and which columns they are.
    pub(super) fn names(&self) -> impl Iterator<Item = (String, Option<Column>)> {
        self.fields.iter().map(|(name, target)| (name.clone(), target.map(|target| target.column)))
    }

    /// The number of fields of a row.
    pub(super) fn fields(&self) -> usize {
        self.fields.len()
    }

    /// The round of one record.
    ///
    /// # Errors
    /// A sentence: what was expected and what was found.
    pub(super) fn round<'a>(&self, record: &'a [u8]) -> Result<Round<'a>, String> {
        let mut round = Round::default();
        let mut has_held = false;
        let record =
            std::str::from_utf8(record).map_err(|_| "expected UTF-8, found other bytes")?;
        let mut fields = csv::fields(record, self.delimiter);
        let mut found = 0_usize;
        for ((name, target), field) in self.fields.iter().zip(&mut fields) {
            found += 1;
            let field = field.map_err(|Misquoted| {
                let found = "found a quote or a CR elsewhere";
                format!(
                    "{name}: expected quotes around the whole field, two for one inside; {found}"
                )
            })?;
            let Some(Target { column, .. }) = *target else { continue };
            has_held |= column == Column::Held;
            put(column, name, text_value(field), &mut round)?;
        }
        found += fields.count();
        if found != self.fields.len() {
            return Err(format!("expected {} fields, found {found}", self.fields.len()));
        }
        // A player may hold no card. A table has no other way to write that.
        if has_held && round.last.is_some() {
            round.held.get_or_insert_default();
        }
        Ok(round)
    }
}

/// The most characters of a line without columns that are repeated.
const WORD: usize = 16;

fn found_no_header(line: &str, expected: &str) -> String {
    let length = line.chars().count();
    // One long word may be a secret key, given in place of a file of rows.
    if length > WORD && !line.contains([',', ';', '\t', ' ', '{', '[']) {
        return format!("expected {expected}, found one word of {length} characters");
    }
    let shown: String = line.chars().take(80).collect();
    format!("expected {expected}, found {shown:?}")
}
