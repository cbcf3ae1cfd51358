//! Finds where a JSON value ends, without reading it. Rows are cut out of a stream first and read
//! later.
//!
//! Lenient: the JSON reader judges what was cut out. A line feed in a text ends the value. JSON has
//! none there, so a missing quote is noticed in its own line.

use memchr::{memchr, memchr3};

/// Positions come from these bytes, and go forward.
pub(super) const IN_BYTES: &str = "a position in the bytes that were read";

/// The end of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// It ends before this position.
    Ends(usize),
    /// Its end was not read yet.
    Goes,
    /// No value begins here.
    None,
}

/// The first position from `at` on without JSON white space; else the end.
pub(super) fn blank(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).expect(IN_BYTES);
    at + rest
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
        .unwrap_or(rest.len())
}

/// The position of the line feed and the one after it. In the last line both are the file's end.
/// `None` if the line's end was not read yet.
pub(super) fn line_or_end(bytes: &[u8], at: usize, ended: bool) -> Option<(usize, usize)> {
    let end = memchr(b'\n', bytes.get(at..)?).map(|length| (at + length, at + length + 1));
    end.or_else(|| ended.then_some((bytes.len(), bytes.len())))
}

/// The position of the quote that ends a text, or of a line feed before it. `at` is the position
/// after the first quote.
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

/// The end of the value that begins at `at`.
pub(super) fn value(bytes: &[u8], at: usize) -> Value {
    match bytes.get(at) {
        None => Value::Goes,
        Some(b'{' | b'[') => nested(bytes, at),
        Some(b'"') => match text(bytes, at + 1) {
            Some(end) => Value::Ends(end + 1),
            None => Value::Goes,
        },
        Some(b',' | b':' | b']' | b'}') => Value::None,
        Some(_) => {
            let stops = |byte: &u8| byte.is_ascii_whitespace() || b",:[]{}\"".contains(byte);
            let rest = bytes.get(at..).expect(IN_BYTES);
            rest.iter().position(stops).map_or(Value::Goes, |length| Value::Ends(at + length))
        }
    }
}

/// Both kinds of brackets count alike: the reader finds a wrong one.
fn nested(bytes: &[u8], start: usize) -> Value {
    let mut depth = 0_usize;
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let Some(end) = text(bytes, at + 1) else { return Value::Goes };
                if bytes.get(end) != Some(&b'"') {
                    return Value::Ends(end + 1);
                }
                at = end;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Value::Ends(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    Value::Goes
}

/// The character at a position, for a message. The ones after it may not have been read yet.
pub(super) fn shown(bytes: &[u8], at: usize) -> String {
    match bytes.get(at) {
        None => "the end of the file".to_owned(),
        Some(byte) if byte.is_ascii() => format!("{:?}", char::from(*byte).to_string()),
        Some(byte) => format!("the byte {byte:#04x}"),
    }
}

/// The beginning of a value, for a message.
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
    fn a_text_that_does_not_end_ends_the_value_with_its_line() {
        for broken in ["{\"a\":\"x", "[[\"x", "\"x"] {
            let text = format!("{broken}\n\"}}]");
            assert_eq!(value(text.as_bytes(), 0), Value::Ends(broken.len() + 1), "{text}");
        }
    }
}
