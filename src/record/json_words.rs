//! The JSON reader's errors, in the words of JSON and not of Rust: what was expected, what was
//! found, and where.

use std::fmt::Write as _;

/// Translates an error of the JSON reader. An unknown text is returned unchanged.
#[must_use]
pub fn json_in_words(error: &str) -> String {
    let (told, place) = placed(error);
    let mut says = without_place(told);
    if let Some((line, column)) = place {
        let _ = write!(says, ", at line {line}, column {column}");
    }
    says
}

/// The same after the member that it is about, if that is known.
#[must_use]
pub fn json_located(path: &str, error: &str) -> String {
    let says = json_in_words(error);
    if matches!(path, "." | "?") { says } else { format!("{path}: {says}") }
}

/// Splits ` at line 1 column 2` off.
fn placed(error: &str) -> (&str, Option<(&str, &str)>) {
    let place = error.rsplit_once(" at line ").and_then(|(told, at)| {
        let (line, column) = at.split_once(" column ")?;
        let are_numbers =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        (are_numbers(line) && are_numbers(column)).then_some((told, Some((line, column))))
    });
    place.unwrap_or((error, None))
}

fn without_place(told: &str) -> String {
    by_type(told)
        .or_else(|| by_member(told))
        .or_else(|| by_character(told))
        .unwrap_or_else(|| told.to_owned())
}

/// A value of another type, or another value.
fn by_type(told: &str) -> Option<String> {
    let told = ["invalid type: ", "invalid value: ", "invalid length "]
        .iter()
        .find_map(|kind| told.strip_prefix(kind))?;
    let (found, expected) = told.rsplit_once(", expected ")?;
    let expected = match expected {
        "u8" => "a whole number from 0 to 255",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" => "a whole number from 0 on",
        "a sequence" => "a list",
        "a map" => "an object",
        "a string" => "a text",
        "a boolean" => "true or false",
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    let found = match found {
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        "null" => "null".to_owned(),
        other => {
            let kinds = ["integer ", "floating point ", "boolean ", "string "];
            let value = kinds.iter().find_map(|kind| other.strip_prefix(kind));
            value.map_or_else(|| other.to_owned(), |value| value.trim_matches('`').to_owned())
        }
    };
    Some(format!("expected {expected}, found {found}"))
}

/// A member of an object, or one of some words.
fn by_member(told: &str) -> Option<String> {
    let name = |text: &str| text.trim_matches('`').to_owned();
    if let Some(field) = told.strip_prefix("missing field ") {
        return Some(format!("expected a member {:?}, found none", name(field)));
    }
    if let Some(field) = told.strip_prefix("duplicate field ") {
        return Some(format!("expected {:?} once, found it twice", name(field)));
    }
    if let Some((found, known)) =
        told.strip_prefix("unknown field ").and_then(|told| told.split_once(", "))
    {
        let expected = if known == "there are no fields" {
            "no member".to_owned()
        } else {
            format!("a member {}", alternatives(known))
        };
        return Some(format!("expected {expected}, found {:?}", name(found)));
    }
    let (found, known) = told.strip_prefix("unknown variant ")?.split_once(", ")?;
    Some(format!("expected {}, found {:?}", alternatives(known), name(found)))
}

/// `"a", "b" or "c"`, of "expected one of `a`, `b`, `c`".
fn alternatives(known: &str) -> String {
    let known = known.strip_prefix("expected ").unwrap_or(known);
    let known = known.strip_prefix("one of ").unwrap_or(known).replace(" or ", ", ");
    let names: Vec<String> =
        known.split(", ").map(|name| format!("{:?}", name.trim_matches('`'))).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Text that is no JSON.
fn by_character(told: &str) -> Option<String> {
    if let Some(whole) = told.strip_prefix("EOF while parsing ") {
        let expected = match whole {
            "a list" => "the rest of a list",
            "an object" => "the rest of an object",
            "a string" => "the rest of a text",
            _ => "a value",
        };
        return Some(format!("expected {expected}, found the end"));
    }
    let says = match told {
        "expected value" => "expected a value, found none",
        "expected ident" => "expected true, false or null, found another word",
        "expected `:`" => "expected \":\" after a member's name, found none",
        "expected `,` or `]`" => "expected \",\" or \"]\", found neither",
        "expected `,` or `}`" => "expected \",\" or \"}\", found neither",
        "key must be a string" => "expected a member's name in quotes, found none",
        "trailing comma" => "expected one more value after the comma, found none",
        "trailing characters" => "expected the end, found more",
        "number out of range" | "number too large to fit in target type" => {
            "expected a number that fits, found a larger one"
        }
        "invalid number" => "expected a number as JSON writes it, found another",
        "invalid escape" | "invalid unicode code point" | "unexpected end of hex escape" => {
            "expected a known character after \"\\\", found none"
        }
        "lone leading surrogate in hex escape" => "expected both halves of a character, found one",
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "expected a whole number, found another text"
        }
        "recursion limit exceeded" => {
            "expected at most 127 lists and objects in each other, found more"
        }
        other if other.starts_with("control character ") => {
            "expected no control character in a text, found one"
        }
        _ => return None,
    };
    Some(says.to_owned())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Player {
        name: String,
        age: u32,
        seats: Option<Vec<Seat>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Seat {
        Big,
        Small,
    }

    #[test]
    fn no_word_of_the_json_library_is_left() {
        let mut wrong = Vec::new();
        for (json, says) in [
            ("", "expected a value, found the end, at line 1, column 0"),
            ("{", "expected the rest of an object, found the end, at line 1, column 1"),
            ("{\"name\":\"a", "expected the rest of a text, found the end, at line 1, column 10"),
            ("{\"seats\":[", "expected the rest of a list, found the end, at line 1, column 10"),
            ("7", "expected an object, found 7, at line 1, column 1"),
            ("hello", "expected a value, found none, at line 1, column 1"),
            ("nulx", "expected true, false or null, found another word, at line 1, column 4"),
            ("{\"name\":1}", "expected a text, found 1, at line 1, column 9"),
            ("{\"name\":{}}", "expected a text, found an object, at line 1, column 8"),
            (
                "{\"age\":\"1\"}",
                "expected a whole number from 0 to 4294967295, found \"1\", at line 1, column 10",
            ),
            (
                "{\"age\":-1}",
                "expected a whole number from 0 to 4294967295, found -1, at line 1, column 9",
            ),
            ("{\"seats\":7}", "expected a list, found 7, at line 1, column 10"),
            (
                "{\"seats\":[\"x\"]}",
                "expected \"big\" or \"small\", found \"x\", at line 1, column 13",
            ),
            (
                "{\n\"nam\":1}",
                "expected a member \"name\", \"age\" or \"seats\", found \"nam\", at line 2, column 5",
            ),
            ("{\"age\":1}", "expected a member \"name\", found none, at line 1, column 9"),
            (
                "{\"age\":1,\"age\":1}",
                "expected \"age\" once, found it twice, at line 1, column 14",
            ),
            ("{name:1}", "expected a member's name in quotes, found none, at line 1, column 2"),
            (
                "{\"name\" 1}",
                "expected \":\" after a member's name, found none, at line 1, column 9",
            ),
            ("{\"name\":\"a\" 1}", "expected \",\" or \"}\", found neither, at line 1, column 13"),
            ("{\"name\":\"a\",\"age\":1}x", "expected the end, found more, at line 1, column 21"),
        ] {
            let error = serde_json::from_str::<Player>(json).expect_err(json).to_string();
            if json_in_words(&error) != says {
                wrong.push(format!("{json}: {} of {error}", json_in_words(&error)));
            }
        }
        assert_eq!(wrong, Vec::<String>::new());
    }

    #[test]
    fn what_a_reader_of_ours_says_stays_with_its_place() {
        assert_eq!(
            json_in_words("expected 64 hex digits, found 3 at line 1 column 2"),
            "expected 64 hex digits, found 3, at line 1, column 2"
        );
        assert_eq!(json_in_words("expected 64 hex digits"), "expected 64 hex digits");
        assert_eq!(
            json_located("most", "invalid digit found in string"),
            "most: expected a whole number, found another text"
        );
        assert_eq!(
            json_in_words("EOF while parsing a value at line 1 column 0"),
            "expected a value, found the end, at line 1, column 0"
        );
    }
}
