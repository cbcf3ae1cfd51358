//! A file of rounds: the next rows are read while the last ones are judged.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::path::Path;

use super::totals::{self, Ended, Invalid};
use super::{Args, report};
use crate::bar::Bar;
use crate::exit::Failure;
use crate::files;
use crate::out::{Out, plain, shown};
use fairdeal_schemes::answer::{
    CheckContext, Json, Looked, RowsJudge, RowsTotal, begin, check_html,
};
use fairdeal_schemes::dialect::Dialect;
use fairdeal_schemes::report::is_page;
use fairdeal_schemes::rows::{Batch, Names, Rows, RowsError};

pub(super) fn run(
    dialect: &'static Dialect,
    file: &Path,
    args: &Args,
    out: &mut Out,
) -> Result<(), Failure> {
    let mut names = Names::of(dialect);
    for (column, name) in &args.map {
        let mapped = names.map(dialect, *column, name);
        mapped.map_err(|error| Failure::usage(format!("--map: {error}")))?;
    }
    if let Some(page) = &args.html {
        files::check_output("--html", page, out)?;
        files::check_replaces("--html", page, "a page of this program", is_page)?;
        files::check_writable(page)?;
    }
    let name = files::name(file);
    let (stream, size) = open(file)?;
    let mut rows = Rows::new(stream, names);
    let first = rows.next_batch();
    let said = rows.dialect().is_some();
    warn(&name, dialect, rows.dialect());
    let (mut invalid, mut judge) =
        (Invalid::default(), RowsJudge::new(dialect, args.statistics, args.brief));
    let ended = all(dialect, &mut judge, first, &mut rows, size, &mut invalid, out)?;
    let total = judge.finish();
    let RowsTotal { totals, looked, .. } = &total;
    let failure = match ended {
        Some(RowsError::NoSuchName { .. }) if totals.rows() == 0 => {
            return Err(Failure::usage(format!("--map: {name}: {}", says(ended.as_ref()))));
        }
        Some(error) => Some(format!("{name}: {}", says(Some(&error)))),
        None => total.unread(&name, &rows),
    };
    if totals.invalid() > 0 {
        out.does_not_hold();
    }
    if let (Some(page), Some(looked)) = (&args.html, looked) {
        let maps: Vec<String> =
            args.map.iter().map(|(column, name)| format!("{column}={name}")).collect();
        let about = CheckContext {
            dialect,
            file: &name,
            maps: &maps,
            error: failure.as_deref(),
            invalid: &invalid.rows,
            version: env!("CARGO_PKG_VERSION"),
        };
        let html = check_html(totals, looked, &about);
        if files::is_stdout(page) {
            out.text(&html);
            return failure.map_or(Ok(()), |says| Err(Failure::unavailable(says)));
        }
        files::save(page, &html)?;
    }
    if out.json() {
        if totals.rows() == 0 {
            out.text(&begin(dialect));
        }
        out.line(total.end(failure.as_deref()));
    } else if totals.checked() > 0 || looked.as_ref().is_some_and(Looked::has_hints) {
        let ended = match &failure {
            Some(_) if totals.checked() == 0 => Ended::Unread,
            Some(_) => Ended::Broken,
            None => Ended::Whole,
        };
        totals::print(&name, totals, &invalid, ended, out);
        if let Some(looked) = looked {
            report::print(looked, out);
        }
        if let Some(page) = args.html.as_deref().filter(|_| looked.is_some()) {
            out.line("");
            field!(out, "page", "{}: open it in a browser", shown(page));
        }
    }
    // Members after the rows are known only now. The warning comes after the rows are printed.
    if !said && rows.dialect().is_some() {
        out.flush()?;
        warn(&name, dialect, rows.dialect());
    }
    let Some(failure) = failure.map(Failure::unavailable) else { return Ok(()) };
    if !out.json() {
        return Err(failure);
    }
    // The object has the error for programs. This line is for people.
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

/// The file, and its length if that is known.
fn open(file: &Path) -> Result<(Box<dyn Read + Send>, Option<u64>), Failure> {
    if file == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let unreadable = |error: io::Error| {
        Failure::unavailable(format!("{}: {}", files::name(file), files::reason(&error)))
    };
    let opened = File::open(file).map_err(unreadable)?;
    let size =
        opened.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
    Ok((Box::new(opened), size))
}

/// Judges all rows, beginning with `next`; with `--json` prints them. Returns the error at which
/// the file breaks off, if it does.
fn all(
    dialect: &Dialect,
    judge: &mut RowsJudge,
    next: Result<Option<Batch>, RowsError>,
    rows: &mut Rows<Box<dyn Read + Send>>,
    size: Option<u64>,
    invalid: &mut Invalid,
    out: &mut Out,
) -> Result<Option<RowsError>, Failure> {
    let json = out.json().then_some(Json);
    // No bar if lines of JSON go to the same terminal.
    let bar = (json.is_none() || !io::stdout().is_terminal()).then(|| Bar::of_rows(size));
    let mut begun = false;
    let ended = judge.judge_all(next, rows, Some(invalid), json, |pieces, done, read| {
        if json.is_some() {
            if !std::mem::replace(&mut begun, true) {
                out.text(&begin(dialect));
            }
            for piece in pieces {
                out.text(&piece.json);
            }
            out.flush()?;
        }
        if let Some(bar) = &bar {
            bar.at_row(done, read, size);
        }
        Ok(())
    })?;
    bar.into_iter().for_each(Bar::finish);
    Ok(ended)
}

/// Warns of a file that names another dialect. It is checked as asked.
fn warn(name: &str, dialect: &Dialect, said: Option<&str>) {
    let Some(said) = said.filter(|said| *said != dialect.name) else { return };
    let said: String = said.chars().take(60).collect();
    let line = format!(
        "warning: {name}: checked as {}, but it says that its rounds are of {said}",
        dialect.name
    );
    let _ = anstream::stderr().lock().write_all(format!("{}\n", plain(&line)).as_bytes());
}
