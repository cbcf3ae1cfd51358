//! Cuts rows out of a stream: finds the form of the file, its rows, and the place at which its
//! syntax breaks off.
//!
//! `serde_json` reads each row, but not the file. Its stream reader stops at the first bad row,
//! knows no place of a row, and reads byte by byte on one core; rows that are cut out are read on
//! all cores.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::de::IgnoredAny;

use super::csv::{self, Record};
use super::header::Header;
use super::json::{self, Members, Name};
use super::names::Names;
use super::scan::{self, IN_BYTES, Value, quoted, shown};
use super::{LONGEST, RowsError};

/// The place in a file.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// At the first byte.
    Start,
    /// Before the form is known.
    Blank,
    /// In an array of rows, which may be wrapped in an object.
    Array { wrapped: bool, place: Place },
    /// Between lines of JSON.
    Lines,
    /// Before an only object of several lines.
    One,
    /// Between records.
    Csv(Arc<Header>),
    /// In an object after its rows.
    Tail,
    /// After the last row.
    After,
}

/// The place in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// After `[`.
    First,
    /// After `,`.
    Comma,
    /// After a row.
    Row,
}

/// The next step.
#[derive(Debug)]
pub(super) enum Step {
    /// A row; the next step begins at `next`.
    Row { start: usize, end: usize, next: usize, fault: Option<String> },
    /// No row up to here.
    Skip(usize),
    /// More must be read.
    More,
    /// The file ended in a legal place.
    End,
    /// The syntax breaks off here: what was expected and what came.
    Stop(usize, String),
    /// The file cannot be read.
    Refuse(RowsError),
    /// Something that begins here is too long.
    TooLong(usize),
}

/// Cuts rows out of bytes.
#[derive(Debug)]
pub(super) struct Framer {
    form: Form,
    /// The dialect that an object with rows states.
    pub(super) dialect: Option<String>,
}

impl Framer {
    pub(super) fn new() -> Self {
        Self { form: Form::Start, dialect: None }
    }

    /// The header, where it has one.
    pub(super) fn header(&self) -> Option<&Arc<Header>> {
        match &self.form {
            Form::Csv(header) => Some(header),
            _ => None,
        }
    }

    /// The step from `at` on; `ended` says that these bytes are the last. [`Step::More`] changes
    /// nothing.
    pub(super) fn step(&mut self, bytes: &[u8], at: usize, ended: bool, names: &Names) -> Step {
        match &self.form {
            Form::Start => self.start(bytes, at, ended),
            Form::Blank => self.blank(bytes, at, ended, names),
            Form::Array { wrapped, place } => self.element(bytes, at, ended, *wrapped, *place),
            Form::Lines => line(bytes, at, ended),
            Form::One => self.one(bytes, at, ended),
            Form::Csv(header) => record(bytes, at, ended, header),
            Form::Tail => self.tail(bytes, at, ended, names),
            Form::After => match (scan::blank(bytes, at), ended) {
                (next, true) if next == bytes.len() => Step::End,
                (next, false) if next == bytes.len() => more(at, next),
                (next, _) => {
                    let found = shown(bytes, next);
                    Step::Stop(
                        next,
                        format!("expected the end of the file after the rows, found {found}"),
                    )
                }
            },
        }
    }

    fn start(&mut self, bytes: &[u8], at: usize, ended: bool) -> Step {
        let rest = bytes.get(at..).expect(IN_BYTES);
        if rest.len() < 3 && !ended {
            return Step::More;
        }
        self.form = Form::Blank;
        Step::Skip(if rest.starts_with(b"\xef\xbb\xbf") { at + 3 } else { at })
    }

    fn blank(&mut self, bytes: &[u8], from: usize, ended: bool, names: &Names) -> Step {
        let at = scan::blank(bytes, from);
        match bytes.get(at) {
            None if ended => Step::Refuse(RowsError::Empty),
            // Empty lines are skipped. A tab may be a header's first field.
            None => more(from, empty_lines(bytes, from)),
            Some(b'[') => {
                self.form = Form::Array { wrapped: false, place: Place::First };
                Step::Skip(at + 1)
            }
            Some(b'{') => match head(bytes, at, names) {
                Head::Goes if !ended => Step::More,
                Head::Rows { first, .. } if first - at > LONGEST => Step::TooLong(at),
                Head::Rows { first, dialect } => {
                    self.dialect = dialect;
                    self.form = Form::Array { wrapped: true, place: Place::First };
                    Step::Skip(first)
                }
                Head::Wrong(says) => Step::Stop(at, says),
                Head::Goes | Head::None => self.lines_or_one(bytes, at, ended),
            },
            Some(_) => self.header_line(bytes, from, ended, names),
        }
    }

    fn header_line(&mut self, bytes: &[u8], from: usize, ended: bool, names: &Names) -> Step {
        let mut at = empty_lines(bytes, from);
        let Some((end, next)) = scan::line_or_end(bytes, at, ended) else { return Step::More };
        let line = bytes.get(at..end).expect(IN_BYTES);
        let delimiter = match csv::named_delimiter(line.strip_suffix(b"\r").unwrap_or(line)) {
            Some(delimiter) => {
                at = empty_lines(bytes, next);
                delimiter
            }
            None => csv::delimiter(line),
        };
        let (end, next) = match csv::record(bytes, at, delimiter, ended) {
            Record::Ends(end, next) => (end, next),
            Record::Last(end) => (end, end),
            Record::Goes => return Step::More,
            Record::Unclosed(quote) => return unclosed(quote),
        };
        let line = std::str::from_utf8(bytes.get(at..end).expect(IN_BYTES));
        let line = line.expect("rows are cut out of text");
        match Header::read(line, at, delimiter, names) {
            Ok(header) => {
                self.form = Form::Csv(Arc::new(header));
                Step::Skip(next)
            }
            Err(step) => step,
        }
    }

    /// An object without rows that ends with its line is the first of several lines. Else it is the
    /// only one.
    fn lines_or_one(&mut self, bytes: &[u8], at: usize, ended: bool) -> Step {
        let Some((end, _)) = scan::line_or_end(bytes, at, ended) else { return Step::More };
        let is_json = json::fault(bytes.get(at..end).expect(IN_BYTES)).is_none();
        self.form = if is_json { Form::Lines } else { Form::One };
        Step::Skip(at)
    }

    fn one(&mut self, bytes: &[u8], start: usize, ended: bool) -> Step {
        let end = match scan::value(bytes, start) {
            Value::Ends(end) => end,
            Value::Goes | Value::None if ended => return Step::Stop(start, cut("}")),
            Value::Goes | Value::None => return Step::More,
        };
        if let Some((place, says)) = json::fault(bytes.get(start..end).expect(IN_BYTES)) {
            return Step::Stop(start + place, format!("no JSON: {says}"));
        }
        self.form = Form::After;
        Step::Row { start, end, next: end, fault: None }
    }

    /// After invalid JSON the file breaks off: where the next row begins would be a guess.
    fn element(
        &mut self,
        bytes: &[u8],
        from: usize,
        ended: bool,
        wrapped: bool,
        place: Place,
    ) -> Step {
        let at = scan::blank(bytes, from);
        let expected = match place {
            Place::First => "a row or \"]\"",
            Place::Comma => "a row after \",\"",
            Place::Row => "\",\" or \"]\" after a row",
        };
        let stop = |at| Step::Stop(at, format!("expected {expected}, found {}", shown(bytes, at)));
        match (bytes.get(at), place) {
            (None, _) if ended => stop(at),
            (None, _) => more(from, at),
            (Some(b']'), Place::First | Place::Row) => {
                self.form = if wrapped { Form::Tail } else { Form::After };
                Step::Skip(at + 1)
            }
            (Some(b','), Place::Row) => {
                self.form = Form::Array { wrapped, place: Place::Comma };
                Step::Skip(at + 1)
            }
            (Some(_), Place::Row) => stop(at),
            (Some(_), _) => match scan::value(bytes, at) {
                Value::Goes if ended => Step::Stop(at, cut("}")),
                Value::Goes => Step::More,
                Value::None => stop(at),
                // Too long to be read.
                Value::Ends(end) if end - at > LONGEST => Step::TooLong(at),
                Value::Ends(end) => {
                    let row = bytes.get(at..end).expect(IN_BYTES);
                    if let Some((place, says)) = json::fault(row) {
                        return Step::Stop(at + place, format!("no JSON: {says}"));
                    }
                    self.form = Form::Array { wrapped, place: Place::Row };
                    Step::Row { start: at, end, next: end, fault: no_object(row) }
                }
            },
        }
    }

    /// The rest of the object after its rows, read at the end of the file.
    fn tail(&mut self, bytes: &[u8], at: usize, ended: bool, names: &Names) -> Step {
        if bytes.len() - at > LONGEST {
            return Step::TooLong(at);
        }
        if !ended {
            return Step::More;
        }
        let before = br#"{"rows":[]"#;
        let whole = [before, bytes.get(at..).expect(IN_BYTES)].concat();
        let after = |says: &str| format!("after the rows: {says}");
        // `whole` begins with `before` instead of the rows: its places are later by that length.
        let place = |read: usize| at + read.saturating_sub(before.len());
        let members = match serde_json::from_slice::<Members<'_>>(&whole) {
            Ok(Members(members)) => members,
            Err(error) => {
                let (read, says) = json::placed(&whole, &error);
                return Step::Stop(place(read), after(&says));
            }
        };
        let all = |wanted: &'static str| {
            members.iter().filter(move |(Name(name), _)| name == wanted).map(|(_, json)| json.get())
        };
        if let Some(second) = all("rows").filter(|json| json.starts_with('[')).nth(1) {
            let says = "expected one list of rows, found a second \"rows\"";
            return Step::Stop(place(second.as_ptr().addr() - whole.as_ptr().addr()), after(says));
        }
        let beside = members.iter().find(|(Name(name), _)| names.means_seed(name));
        if let Some((Name(name), _)) = beside {
            return Step::Stop(at, after(&row_and_list(&super::names::shown(name))));
        }
        let dialect = all("dialect").find_map(|json| serde_json::from_str(json).ok());
        self.dialect = self.dialect.take().or(dialect);
        self.form = Form::After;
        Step::Skip(bytes.len())
    }
}

/// The first position from `at` on after empty lines.
fn empty_lines(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at += match bytes.get(at..).expect(IN_BYTES) {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return at,
        };
    }
}

/// Skips white space, then asks for more.
fn more(from: usize, at: usize) -> Step {
    if at > from { Step::Skip(at) } else { Step::More }
}

fn cut(expected: &str) -> String {
    format!("expected the row that begins here to end with {expected:?}, found the end of the file")
}

fn unclosed(quote: usize) -> Step {
    Step::Stop(
        quote,
        "expected the quote that opens here to be closed, found the end of the file".to_owned(),
    )
}

fn no_object(row: &[u8]) -> Option<String> {
    (!row.starts_with(b"{")).then(|| format!("expected an object, found {}", quoted(row)))
}

/// A row is a line, even if it is no JSON. Only in the last line invalid JSON means that the file
/// was cut off.
fn line(bytes: &[u8], from: usize, ended: bool) -> Step {
    let start = scan::blank(bytes, from);
    if start == bytes.len() {
        return if ended { Step::End } else { more(from, start) };
    }
    let Some((end, next)) = scan::line_or_end(bytes, start, ended) else { return Step::More };
    let row = bytes.get(start..end).expect(IN_BYTES);
    let is_last = next == end;
    match json::fault(row).filter(|_| is_last) {
        Some((place, says)) => {
            Step::Stop(start + place, format!("the last line is no JSON: {says}"))
        }
        None => Step::Row { start, end, next, fault: no_object(row) },
    }
}

fn record(bytes: &[u8], start: usize, ended: bool, header: &Header) -> Step {
    if start == bytes.len() {
        return if ended { Step::End } else { Step::More };
    }
    match csv::record(bytes, start, header.delimiter, ended) {
        Record::Ends(end, next) if end == start => Step::Skip(next),
        Record::Ends(end, next) => Step::Row { start, end, next, fault: None },
        Record::Goes => Step::More,
        Record::Unclosed(quote) => unclosed(quote),
        Record::Last(end) => {
            // Too few fields make a bad row. In the last line, without a line feed, they mean that
            // the file was cut off.
            let (row, expected) = (bytes.get(start..end).expect(IN_BYTES), header.fields());
            let row = std::str::from_utf8(row).expect("rows are cut out of text");
            let found = csv::fields(row, header.delimiter).count();
            if found < expected {
                let says =
                    format!("expected {expected} fields, found {found} and the end of the file");
                return Step::Stop(start, says);
            }
            Step::Row { start, end, next: end, fault: None }
        }
    }
}

/// The beginning of an object that may have a list of rows.
enum Head {
    /// The position after the list's bracket.
    Rows { first: usize, dialect: Option<String> },
    /// It has a list after invalid JSON, or is not clear about its list.
    Wrong(String),
    /// It has no list of rows: it is a row itself.
    None,
    /// Its end was not read yet.
    Goes,
}

/// A list under another name than `rows` is known only at the end of the object, which is then read
/// as a whole.
fn head(bytes: &[u8], start: usize, names: &Names) -> Head {
    let (mut dialect, mut seed) = (None, None);
    let mut lists: Vec<(&[u8], usize)> = Vec::new();
    let mut at = start + 1;
    loop {
        at = scan::blank(bytes, at);
        let name = match (bytes.get(at), scan::value(bytes, at)) {
            (None, _) | (Some(b'"'), Value::Goes) => return Head::Goes,
            (Some(b'"'), Value::Ends(end)) => bytes.get(at..end).expect(IN_BYTES),
            _ => return Head::None,
        };
        let is_seed = || json::text(name).is_some_and(|name| names.means_seed(&name));
        if seed.is_none() && is_seed() {
            seed = Some(name);
        }
        at = scan::blank(bytes, at + name.len());
        match bytes.get(at) {
            None => return Head::Goes,
            Some(b':') => at = scan::blank(bytes, at + 1),
            Some(_) => return Head::None,
        }
        // Rows of pins are a number.
        if json::is_name(name, "rows") && bytes.get(at) == Some(&b'[') {
            return list(bytes, start, at, seed, dialect);
        }
        let end = match scan::value(bytes, at) {
            Value::Ends(end) => end,
            Value::Goes => return Head::Goes,
            Value::None => return Head::None,
        };
        if begins_with_row(bytes, at, names) {
            lists.push((name, at));
        }
        if json::is_name(name, "dialect") {
            dialect = bytes.get(at..end).and_then(|json| serde_json::from_slice(json).ok());
        }
        at = scan::blank(bytes, end);
        match (bytes.get(at), lists.as_slice()) {
            (None, _) => return Head::Goes,
            (Some(b','), _) => at += 1,
            (Some(b'}'), [(_, only)]) => return list(bytes, start, *only, seed, dialect),
            (Some(b'}'), [(one, _), (other, _), ..]) => {
                let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
                return Head::Wrong(format!("expected one list of rows, found {one} and {other}"));
            }
            (Some(_), _) => return Head::None,
        }
    }
}

/// The list of rows at `at`, if what is before it is JSON, and no server seed is beside it.
fn list(
    bytes: &[u8],
    start: usize,
    at: usize,
    seed: Option<&[u8]>,
    dialect: Option<String>,
) -> Head {
    if let Some(seed) = seed {
        return Head::Wrong(row_and_list(&String::from_utf8_lossy(seed)));
    }
    let before = [bytes.get(start..=at).expect(IN_BYTES), b"]}"].concat();
    match serde_json::from_slice::<IgnoredAny>(&before) {
        Ok(_) => Head::Rows { first: at + 1, dialect },
        Err(error) => Head::Wrong(format!("before the rows: {}", json::reason(&error))),
    }
}

/// Whether a value is an array that begins with an object in which a name means `server_seed`.
fn begins_with_row(bytes: &[u8], at: usize, names: &Names) -> bool {
    if bytes.get(at) != Some(&b'[') {
        return false;
    }
    let at = scan::blank(bytes, at + 1);
    let Value::Ends(end) = scan::value(bytes, at) else { return false };
    let mut found = BTreeSet::new();
    json::names(bytes.get(at..end).expect(IN_BYTES), &mut found);
    found.iter().any(|name| names.means_seed(name))
}

/// An object may be a row itself, if a server seed is beside its list.
fn row_and_list(seed: &str) -> String {
    format!("expected a row or a list of rows, found a list and {seed} beside it")
}
