//! Comma-separated values (RFC 4180), also with semicolons or tabs: finds the end of a record, and
//! splits its fields.
//!
//! The `csv` crate is not used: it accepts an unclosed quote and text after a quote, so that it
//! reads a file that was cut off, or the rest of a file as one field, without an error.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::scan::IN_BYTES;

/// The characters that may separate fields.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// The end of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// It ends before the first position, and the next one begins at the second.
    Ends(usize, usize),
    /// It ends with the file, without a line feed.
    Last(usize),
    /// Its end was not read yet.
    Goes,
    /// The quote at this position is never closed.
    Unclosed(usize),
}

/// The end of the record that begins at `start`.
pub(super) fn record(bytes: &[u8], start: usize, delimiter: u8, ended: bool) -> Record {
    let mut at = start;
    loop {
        let rest = bytes.get(at..).expect(IN_BYTES);
        let Some(found) = memchr2(b'"', b'\n', rest).map(|length| at + length) else {
            return if ended { Record::Last(bytes.len()) } else { Record::Goes };
        };
        let before = found.checked_sub(1).and_then(|before| bytes.get(before));
        if bytes.get(found) == Some(&b'\n') {
            let end = if found > start && before == Some(&b'\r') { found - 1 } else { found };
            return Record::Ends(end, found + 1);
        }
        at = found + 1;
        // Within a field a quote is a character.
        if found == start || before == Some(&delimiter) {
            at = match closing(bytes, at) {
                Some(end) if end + 1 < bytes.len() || ended => end + 1,
                None if ended => return Record::Unclosed(found),
                // The next byte may be a second quote.
                _ => return Record::Goes,
            };
        }
    }
}

/// The closing quote; `at` is the position after the opening one. A doubled quote is one quote.
fn closing(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let found = at + memchr(b'"', bytes.get(at..)?)?;
        if bytes.get(found + 1) != Some(&b'"') {
            return Some(found);
        }
        at = found + 2;
    }
}

/// The separator that Excel names in a line of its own.
pub(super) fn named_delimiter(line: &[u8]) -> Option<u8> {
    match line.strip_prefix(b"sep=") {
        Some([delimiter]) if DELIMITERS.contains(delimiter) => Some(*delimiter),
        _ => None,
    }
}

/// The separator of a header: the one that it has most of, outside quotes.
pub(super) fn delimiter(header: &[u8]) -> u8 {
    let mut quoted = false;
    let mut counts = [0_usize; 3];
    for byte in header {
        quoted ^= *byte == b'"';
        let counted =
            counts.iter_mut().zip(DELIMITERS).find(|(_, delimiter)| delimiter == byte && !quoted);
        if let Some((count, _)) = counted {
            *count += 1;
        }
    }
    let most = counts.iter().copied().max().expect("there are three");
    let found = counts.iter().zip(DELIMITERS).find(|(count, _)| **count == most);
    found.map_or(b',', |(_, delimiter)| delimiter)
}

/// The fields of a record.
pub(super) struct Fields<'a> {
    rest: Option<&'a str>,
    delimiter: u8,
}

/// A field has a quote in a wrong place, or a CR outside quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Misquoted;

pub(super) fn fields(record: &str, delimiter: u8) -> Fields<'_> {
    Fields { rest: Some(record), delimiter }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Cow<'a, str>, Misquoted>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.take()?;
        let Some(quoted) = rest.strip_prefix('"') else {
            let end = memchr(self.delimiter, rest.as_bytes());
            self.rest = end.and_then(|end| rest.get(end + 1..));
            let field = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
            let is_plain = memchr2(b'"', b'\r', field.as_bytes()).is_none();
            return Some(is_plain.then_some(Cow::Borrowed(field)).ok_or(Misquoted));
        };
        let (field, after) = quoted.split_at_checked(closing(quoted.as_bytes(), 0)?)?;
        match after.as_bytes() {
            [_] => {}
            [_, next, ..] if *next == self.delimiter => self.rest = after.get(2..),
            [..] => {
                // The cell goes on as one without quotes.
                let end = memchr(self.delimiter, after.as_bytes());
                self.rest = end.and_then(|end| after.get(end + 1..));
                return Some(Err(Misquoted));
            }
        }
        Some(Ok(match memchr(b'"', field.as_bytes()) {
            Some(_) => Cow::Owned(field.replace("\"\"", "\"")),
            None => Cow::Borrowed(field),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        fields(text, b',').map(|field| field.unwrap().into_owned()).collect()
    }

    #[test]
    fn fields_are_split_and_quotes_taken_away() {
        assert_eq!(split("a,b"), ["a", "b"]);
        assert_eq!(split(",a,"), ["", "a", ""]);
        assert_eq!(split(""), [""]);
        assert_eq!(split("\"a,b\",\"\",c"), ["a,b", "", "c"]);
        assert_eq!(split("\"say \"\"hi\"\"\"\"\",a"), ["say \"hi\"\"", "a"]);
        assert_eq!(fields("\"a\"b,c", b',').next(), Some(Err(Misquoted)));
        assert_eq!(fields("a\"b,c", b',').next(), Some(Err(Misquoted)));
        assert_eq!(fields("a\rb,c", b',').next(), Some(Err(Misquoted)));
        assert_eq!(split("\"a\rb\",c"), ["a\rb", "c"]);
    }

    #[test]
    fn a_record_ends_outside_quotes() {
        let ends = |text: &str| record(text.as_bytes(), 0, b',', false);
        assert_eq!(ends("a,b\r\nc"), Record::Ends(3, 5));
        assert_eq!(ends("\n"), Record::Ends(0, 1));
        assert_eq!(ends("\"a\nb\",c\n"), Record::Ends(7, 8));
        assert_eq!(ends("a\"b\nc\""), Record::Ends(3, 4));
        assert_eq!(ends("\"a\"\"\n\"\n"), Record::Ends(6, 7));
        assert_eq!(ends("a,\"b\""), Record::Goes);
        assert_eq!(record(b"a,\"b\"", 0, b',', true), Record::Last(5));
        assert_eq!(record(b"a,\"b\n", 0, b',', true), Record::Unclosed(2));
    }

    #[test]
    fn the_header_says_what_is_between() {
        for (header, expected) in
            [("a,b,c", b','), ("a;b;c", b';'), ("a\tb", b'\t'), ("a", b','), ("\"a,b,c\";d", b';')]
        {
            assert_eq!(delimiter(header.as_bytes()), expected, "{header}");
        }
    }
}
