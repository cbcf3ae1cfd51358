//! A file of rounds, as a stream: read ahead while what was read is judged.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::path::Path;

use serde::Serialize;

use super::Args;
use super::judge::{Collect, Json, judge};
use super::missing::Missing;
use super::report::{Looked, Looking};
use super::totals::{self, Ended, Invalid, Totals};
use crate::cli::bar::Bar;
use crate::cli::exit::{Beside, Failure};
use crate::cli::files;
use crate::cli::out::{Out, plain};
use crate::dialect::{Checker, Diagnoses, Dialect, HabitsReport, Limits, RowVerdict};
use crate::source::{Batch, Names, Rows, RowsError};

pub(super) fn run(dialect: &'static Dialect, file: &Path, args: &Args, out: &mut Out) -> Result<(), Failure> {
    let mut names = Names::of(dialect);
    for (column, name) in &args.map {
        let mapped = names.map(dialect, *column, name);
        mapped.map_err(|error| Failure::usage(format!("--map: {error}")))?;
    }
    let name = files::name(file);
    let (stream, size) = open(file)?;
    let mut rows = Rows::new(stream, names);
    let first = rows.next_batch();
    let said = rows.dialect().is_some();
    warn(&name, dialect, rows.dialect());
    let (mut totals, mut invalid, mut missing) = (Totals::default(), Invalid::default(), Missing::default());
    let mut looking = (!args.brief).then(|| Looking::new(dialect, args.statistics));
    let checker = Checker::new(dialect);
    let ended = {
        let mut collectors: Vec<&mut dyn Collect> = vec![&mut totals, &mut invalid, &mut missing];
        if let Some(looking) = &mut looking {
            collectors.push(looking);
        }
        all(&checker, first, &mut rows, size, &mut collectors, out)?
    };
    // Of nothing there is nothing to tell.
    let looked = looking.filter(|_| totals.rows() > 0).map(|looking| looking.finish(&checker));
    let failure = match ended {
        Some(RowsError::NoSuchName { .. }) if totals.rows() == 0 => {
            return Err(Failure::usage(format!("--map: {name}: {}", says(ended.as_ref()))));
        }
        Some(error) => Some(Failure::unavailable(format!("{name}: {}", says(Some(&error))))),
        // A file of which no row can be read was not checked.
        None if totals.checked() == 0 => Some(missing.failure(&name, &totals, rows.names(), &checker)),
        None => None,
    };
    if totals.invalid() > 0 {
        out.does_not_hold();
    }
    if out.json() {
        close(dialect, &totals, looked.as_ref(), failure.as_ref(), out);
    } else if totals.checked() > 0 || looked.as_ref().is_some_and(Looked::has_hints) {
        let ended = match &failure {
            Some(_) if totals.checked() == 0 => Ended::Unread,
            Some(_) => Ended::Broken,
            None => Ended::Whole,
        };
        totals::print(&name, &totals, &invalid, ended, out);
        if let Some(looked) = &looked {
            looked.print(out);
        }
    }
    // What is after the rows is known only now, and said when they are out.
    if !said && rows.dialect().is_some() {
        out.flush()?;
        warn(&name, dialect, rows.dialect());
    }
    let Some(failure) = failure else { return Ok(()) };
    if !out.json() {
        return Err(failure);
    }
    // The object has the error; here it is for people, after the rows.
    out.flush()?;
    failure.print();
    out.could_not_be_checked();
    Ok(())
}

fn says(error: Option<&RowsError>) -> String {
    match error {
        Some(RowsError::Io(error)) => files::reason(error),
        Some(error) => error.to_string(),
        None => String::new(),
    }
}

/// The file, and how long it is where that is known.
fn open(file: &Path) -> Result<(Box<dyn Read + Send>, Option<u64>), Failure> {
    if file == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let unreadable =
        |error: io::Error| Failure::unavailable(format!("{}: {}", files::name(file), files::reason(&error)));
    let opened = File::open(file).map_err(unreadable)?;
    let size = opened.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
    Ok((Box::new(opened), size))
}

/// Judges all rows, `next` the first of them, and tells the collectors of each; with `--json` prints them. Returns why there are no more, where that
/// is not because the file ended.
fn all(
    checker: &Checker,
    mut next: Result<Option<Batch>, RowsError>,
    rows: &mut Rows<Box<dyn Read + Send>>,
    size: Option<u64>,
    collectors: &mut [&mut dyn Collect],
    out: &mut Out,
) -> Result<Option<RowsError>, Failure> {
    let json = out.json().then_some(Json);
    // None where lines go to a terminal, which it would be mixed up with.
    let bar = (json.is_none() || !io::stdout().is_terminal()).then(|| Bar::of_rows(size));
    let mut done = 0_u64;
    let ended = loop {
        let batch = match next {
            Ok(Some(batch)) => batch,
            Ok(None) => break None,
            Err(error) => break Some(error),
        };
        let (judged, ahead) = rayon::join(|| judge(&batch, checker, json), || rows.next_batch());
        if done == 0 && json.is_some() {
            out.text(&begin(checker.dialect()));
        }
        for piece in &judged {
            for row in &piece.rows {
                for collector in &mut *collectors {
                    collector.row(row);
                }
            }
            out.text(&piece.json);
        }
        if json.is_some() {
            out.flush()?;
        }
        done = done.saturating_add(u64::try_from(batch.len()).unwrap_or_default());
        if let Some(bar) = &bar {
            bar.at_row(done, rows.read(), size);
        }
        next = ahead;
    };
    bar.into_iter().for_each(Bar::finish);
    Ok(ended)
}

fn begin(dialect: &Dialect) -> String {
    let name = serde_json::to_string(dialect.name).expect("a text is JSON");
    format!("{{\"dialect\":{name},\"rows\":[")
}

/// Ends the JSON object, with what comes after its rows.
fn close(
    dialect: &Dialect,
    totals: &Totals,
    looked: Option<&Looked>,
    failure: Option<&Failure>,
    out: &mut Out,
) {
    if totals.rows() == 0 {
        out.text(&begin(dialect));
    }
    let closing = Closing {
        holds: failure.is_none() && totals.invalid() == 0,
        valid: totals.valid(),
        invalid: totals.invalid(),
        unreadable: totals.of(RowVerdict::Unreadable),
        would_verify: looked.map(|looked| &looked.would_verify),
        rows_show: looked.map(|looked| &looked.rows_show),
        cannot_show: looked.map(|looked| &looked.cannot_show),
        error: failure.map(Beside::from),
    };
    // Plain structs with text for keys always serialise; these members go on after the rows.
    let members = serde_json::to_string(&closing).expect("counts and texts are JSON");
    out.line(format_args!("],{}", members.trim_start_matches('{')));
}

/// What comes after the rows, in the output for a round and for a file.
#[derive(Serialize)]
pub(super) struct Closing<'a> {
    pub(super) holds: bool,
    pub(super) valid: u64,
    pub(super) invalid: u64,
    pub(super) unreadable: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) would_verify: Option<&'a Diagnoses>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rows_show: Option<&'a HabitsReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cannot_show: Option<&'a Limits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// Why there are no more rows, or why none was checked.
    pub(super) error: Option<Beside<'a>>,
}

/// A file of another dialect's rounds is checked as asked, but perhaps nobody meant that.
fn warn(name: &str, dialect: &Dialect, said: Option<&str>) {
    let Some(said) = said.filter(|said| *said != dialect.name) else { return };
    let said: String = said.chars().take(60).collect();
    let line =
        format!("warning: {name}: checked as {}, but it says that its rounds are of {said}", dialect.name);
    let _ = anstream::stderr().lock().write_all(format!("{}\n", plain(&line)).as_bytes());
}
