//! Reads the files of the command line. Evidence stands for the files in it (spec/receipt.md, 11.10).

use std::path::{Path, PathBuf};

use crate::cli::exit::{Exit, Failure};
use crate::cli::files;
use crate::record::receipt::{Claim, Document, Evidence, Given, ReceiptError};

/// A file as it was read.
pub(super) enum Content {
    Document(Document),
    /// Readable, and no receipt.
    Invalid(String),
    /// Not readable: there is no verdict.
    Unread(Failure),
}

impl From<Result<Document, String>> for Content {
    fn from(read: Result<Document, String>) -> Self {
        read.map_or_else(Self::Invalid, Self::Document)
    }
}

/// All of them.
#[derive(Default)]
pub(super) struct Reading {
    /// By their names, in the order of the command line.
    pub(super) files: Vec<(String, Content)>,
    /// What players' programs say in evidence.
    pub(super) claims: Vec<Claim>,
}

impl Reading {
    /// Reads them. What evidence holds beside its files is added to what is given.
    ///
    /// # Errors
    /// Exit 2 for an empty name.
    pub(super) fn of(paths: &[PathBuf], given: &mut Given) -> Result<Self, Failure> {
        let mut reading = Self::default();
        for path in paths {
            reading.add(path, given)?;
        }
        Ok(reading)
    }

    fn add(&mut self, path: &Path, given: &mut Given) -> Result<(), Failure> {
        let name = files::name(path);
        let bytes = match files::read(path) {
            Ok(bytes) => bytes,
            Err(failure) if failure.exit() == Exit::Unavailable => {
                self.files.push((name, Content::Unread(failure)));
                return Ok(());
            }
            Err(failure) => return Err(failure),
        };
        match Evidence::parse(&bytes) {
            Ok(Some(evidence)) => self.take(&name, evidence, given),
            Ok(None) => {
                let read =
                    Document::parse(&bytes).map_or_else(|error| refused(&name, &error), Content::Document);
                self.files.push((name, read));
            }
            Err(error) => {
                let content = refused(&name, &error);
                self.files.push((name, content));
            }
        }
        Ok(())
    }

    fn take(&mut self, name: &str, evidence: Evidence, given: &mut Given) {
        let Evidence { files, mine, since, findings } = evidence;
        let within = |(inner, file): (String, _)| (format!("{name}: {inner}"), Content::from(file));
        self.files.extend(files.into_iter().map(within));
        given.kept.extend(mine);
        let heads = since.into_iter().enumerate().map(|(at, note)| (format!("{name}: since[{at}]"), note));
        given.heads.extend(heads);
        self.claims.extend(findings);
    }
}

fn refused(name: &str, error: &ReceiptError) -> Content {
    match error {
        ReceiptError::Unreadable(says) => Content::Unread(Failure::unavailable(format!(
            "{name}: expected a receipt, an opening or evidence, found no readable JSON: {says}"
        ))),
        ReceiptError::NoFiles => Content::Unread(Failure::unavailable(format!("{name}: {error}"))),
        _ => Content::Invalid(error.to_string()),
    }
}
