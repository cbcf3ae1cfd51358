//! Where a JSON value ends, without reading what is in it: rows are cut out of a stream first and read then.
//!
//! Lenient: what is cut out is judged by the JSON reader. What counts here is that a fault stays where it is, so a
//! line's end ends a text (JSON has none in a text), and an object that begins a line where none may stand begins a row.

use memchr::{memchr, memchr_iter, memchr3};

/// Objects that one fault may be looked for before.
const MANY: usize = 16;

/// What was found from a value's first byte on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// It ends before this position.
    Ends(usize),
    /// It does not end, and another row begins at this position.
    Broken(usize),
    /// There is more of it than was read.
    Goes,
    /// No value begins here.
    None,
}

/// The first position from `at` on that holds no white space; the end where there is none.
pub(super) fn blank(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len())
}

/// As [`blank`], within the line.
pub(super) fn blank_in_line(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).unwrap_or(rest.len())
}

/// The position after the line's end, and that of the end itself; none where it was not read yet.
pub(super) fn line(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    memchr(b'\n', bytes.get(at..)?).map(|length| (at + length, at + length + 1))
}

/// The position of the quote that ends a text, or of the line's end before it; `at` is the position after its first quote.
pub(super) fn text(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let found = at + memchr3(b'"', b'\\', b'\n', bytes.get(at..)?)?;
        if bytes.get(found) != Some(&b'\\') {
            return Some(found);
        }
        at = match bytes.get(found + 1)? {
            b'\n' => return Some(found + 1),
            _ => found + 2,
        };
    }
}

/// Where the value that begins at `at` ends.
pub(super) fn value(bytes: &[u8], at: usize) -> Value {
    match bytes.get(at) {
        None => Value::Goes,
        Some(b'{' | b'[') => nested(bytes, at),
        Some(b'"') => match text(bytes, at + 1) {
            Some(end) if bytes.get(end) == Some(&b'"') => Value::Ends(end + 1),
            Some(end) => Value::Ends(end),
            None => Value::Goes,
        },
        Some(b',' | b':' | b']' | b'}') => Value::None,
        Some(_) => {
            let stops = |byte: &u8| byte.is_ascii_whitespace() || b",:[]{}\"".contains(byte);
            let rest = bytes.get(at..).unwrap_or_default();
            rest.iter().position(stops).map_or(Value::Goes, |length| Value::Ends(at + length))
        }
    }
}

/// Brackets of both kinds are one here: a wrong one is the reader's to find.
fn nested(bytes: &[u8], start: usize) -> Value {
    let mut depth = 0_usize;
    let list = bytes.get(start) == Some(&b'[');
    // The last byte that is no white space.
    let mut before = 0;
    // Where the line begins, as long as nothing but white space is in it.
    let mut line = None;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                line = if byte == b'\n' { Some(at) } else { line };
                continue;
            }
            b'"' => {
                let Some(end) = text(bytes, at + 1) else { return Value::Goes };
                // A line's end is white space again.
                at = if bytes.get(end) == Some(&b'"') { end } else { end - 1 };
            }
            b'{' => {
                let may = before == b':' || ((list || depth > 1) && matches!(before, b',' | b'['));
                if let (Some(line), false) = (line, may || depth == 0) {
                    return Value::Broken(first_like(bytes, start, line, at));
                }
                depth += 1;
            }
            b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Value::Ends(at + 1);
                }
            }
            _ => {}
        }
        before = byte;
        line = None;
        at += 1;
    }
    Value::Goes
}

/// The first line after `from` that begins with an object as far in as the one at `at`, whose line begins at `line`: a
/// fault is noticed where its row can't go on, which may be some rows later.
fn first_like(bytes: &[u8], from: usize, line: usize, at: usize) -> usize {
    let ends = memchr_iter(b'\n', bytes.get(from..line).unwrap_or_default()).map(|end| from + end + 1);
    let objects = ends.filter(|&begin| {
        let object = blank_in_line(bytes, begin);
        bytes.get(object) == Some(&b'{') && object - begin == at - line
    });
    // Each of them may come to the same end, so there must not be many.
    let mut first = objects.take(MANY);
    let found = first.next().map(|begin| blank_in_line(bytes, begin));
    found.filter(|_| first.count() < MANY - 1).unwrap_or(at)
}

/// What stands at a position, for a message: one character, since what is behind it may not have been read yet.
pub(super) fn shown(bytes: &[u8], at: usize) -> String {
    match bytes.get(at) {
        None => "the end of the file".to_owned(),
        Some(byte) if byte.is_ascii() => format!("{:?}", char::from(*byte).to_string()),
        Some(byte) => format!("the byte {byte:#04x}"),
    }
}

/// The beginning of what is there, for a message.
pub(super) fn quoted(bytes: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(bytes).chars().take(40).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_where_they_end() {
        for whole in [
            "{}",
            r#"{"a":1}"#,
            r#"{"a":"}"}"#,
            r#"{"a":"\"}"}"#,
            r#"{"a":"\\"}"#,
            "{\"a\":\n{\n}\n}",
            "[]",
            r#"[{"a":[]},"]"]"#,
            "\"a\"",
            "\"\\\"\"",
            "{\"a\":[\n{},\n{}]}",
        ] {
            for after in ["", " ", "]", ",{", "\n"] {
                let text = format!("{whole}{after}");
                assert_eq!(value(text.as_bytes(), 0), Value::Ends(whole.len()), "{text}");
            }
            for cut in 0..whole.len() {
                assert_eq!(value(&whole.as_bytes()[..cut], 0), Value::Goes, "{whole} cut at {cut}");
            }
        }
        assert_eq!(value(b"12,", 0), Value::Ends(2));
        assert_eq!(value(b"12", 0), Value::Goes);
        assert_eq!(value(b",", 0), Value::None);
    }

    #[test]
    fn a_fault_ends_with_its_line() {
        for broken in [
            "{\"a\":1\n",
            "{\"a\":\"x\n",
            "{\"a\":\"x\\\n",
            "{\"a\":1,\n",
            "{\"a\":[1}\n",
            "{\"a\":[\"x\"\n",
            "{\"a\":{\n",
            "{\n",
        ] {
            let text = format!("{broken}{{\"b\":2}}\n");
            assert_eq!(value(text.as_bytes(), 0), Value::Broken(broken.len()), "{text}");
        }
        // Noticed later only.
        for broken in ["{\"a\":\n", "{\"a\":[\"x\",\n", "{\"a\":[\n", "{\n  \"a\":[\n  {\"b\":1},\n"] {
            let text = format!("{broken}{{\"b\":2}}\n{{\"b\":3}}\n");
            assert_eq!(value(text.as_bytes(), 0), Value::Broken(broken.len()), "{text}");
        }
        // It may stand there.
        assert_eq!(value(b"{\"a\":\n{}}", 0), Value::Ends(9));
        assert_eq!(value(b"[\n{},\n{}\n]", 0), Value::Ends(10));
    }
}
