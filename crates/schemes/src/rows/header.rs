//! The header of a CSV file, and its rows.

use super::RowsError;
use super::csv::{self, Misquoted};
use super::fill::Filling;
use super::names::{Names, Target};
use super::value::text_value;
use crate::dialect::{Column, Round};
use std::borrow::Cow;

/// The names of the fields, and which columns they are.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) delimiter: u8,
    fields: Vec<(String, Option<Target>)>,
}

/// A first line is no header.
#[derive(Debug)]
pub(super) enum HeaderError {
    /// What was expected and what came.
    Wrong(String),
    /// A column was mapped to a name that the header does not have.
    Missing(RowsError),
}

impl Header {
    /// # Errors
    /// [`HeaderError`].
    pub(super) fn read(line: &[u8], delimiter: u8, names: &Names) -> Result<Self, HeaderError> {
        let mut fields = Vec::new();
        for field in csv::fields(line, delimiter) {
            let name = field.ok().and_then(|field| String::from_utf8(field.into_owned()).ok());
            let name = name.ok_or_else(|| {
                wrong(line, "JSON objects, or a header with quotes around whole names")
            })?;
            let target = names.target(&name);
            let same = |other: &Option<Target>| {
                other
                    .as_ref()
                    .zip(target.as_ref())
                    .is_some_and(|(a, b)| (a.slot, a.rank) == (b.slot, b.rank))
            };
            if fields.iter().any(|(other, _)| *other == name) {
                return Err(HeaderError::Wrong(format!(
                    "expected each column once, found {name:?} twice"
                )));
            }
            if let Some((other, Some(target))) = fields.iter().find(|(_, other)| same(other)) {
                let column = target.column;
                let says = format!("expected one name for {column}, found {other:?} and {name:?}");
                return Err(HeaderError::Wrong(says));
            }
            fields.push((name, target));
        }
        let there = || fields.iter().map(|(name, _)| name.clone()).collect();
        let has = |name: &str| fields.iter().any(|(field, _)| field == name);
        if let Some((column, name)) = names.mapped().find(|(_, name)| !has(name)) {
            let error = RowsError::NoSuchName { column, name: name.to_owned(), there: there() };
            return Err(HeaderError::Missing(error));
        }
        if fields.iter().all(|(_, target)| target.is_none()) {
            return Err(wrong(
                line,
                "JSON objects, or CSV with a header that names columns such as server_seed",
            ));
        }
        Ok(Self { delimiter, fields })
    }

    /// The names, and which columns they are.
    pub(super) fn names(&self) -> impl Iterator<Item = (String, Option<Column>)> {
        self.fields.iter().map(|(name, target)| (name.clone(), target.map(|target| target.column)))
    }

    /// How many fields a row has.
    pub(super) fn fields(&self) -> usize {
        self.fields.len()
    }

    /// The round of one record.
    ///
    /// # Errors
    /// What was expected and what came.
    pub(super) fn round<'a>(&self, record: &'a [u8]) -> Result<Round<'a>, String> {
        let mut filling = Filling::default();
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
            let Some(target) = target else { continue };
            let text = match field {
                Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
                Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
            };
            let text = text.ok_or_else(|| format!("{name}: expected UTF-8, found other bytes"))?;
            filling.put(*target, name, text_value(text)).map_err(|error| error.to_string())?;
        }
        found += fields.count();
        if found == self.fields.len() {
            Ok(filling.done_of_fields())
        } else {
            Err(format!("expected {} fields, found {found}", self.fields.len()))
        }
    }
}

/// The most characters of a line without columns that are repeated.
const WORD: usize = 16;

fn wrong(line: &[u8], expected: &str) -> HeaderError {
    let line = String::from_utf8_lossy(line);
    let length = line.chars().count();
    // One long word may be a secret key, given in place of a file of rows.
    if length > WORD && !line.contains([',', ';', '\t', ' ', '{', '[']) {
        return HeaderError::Wrong(format!(
            "expected {expected}, found one word of {length} characters"
        ));
    }
    let shown: String = line.chars().take(80).collect();
    HeaderError::Wrong(format!("expected {expected}, found {shown:?}"))
}
