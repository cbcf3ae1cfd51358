//! Canonical JSON (RFC 8785): the only byte form of an entry in the log.
//!
//! Slow and plain on purpose: it decides what is canonical for any JSON text.

use serde_json::{Map, Number, Value};

use super::json_words::json_in_words;

/// Bytes that are not the canonical form of any JSON text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum NotCanonical {
    /// Not UTF-8, or not JSON at all (which includes nesting deeper than 127).
    #[error("not JSON: {0}")]
    Json(String),
    /// JSON in another form.
    #[error(
        "not canonical JSON (RFC 8785): byte {at} differs from the canonical form, which has {expected}"
    )]
    Form { at: usize, expected: String },
}

/// Reads bytes that are JSON in its canonical form.
///
/// # Errors
/// [`NotCanonical`], with the first byte that differs.
pub fn parse_canonical(bytes: &[u8]) -> Result<Value, NotCanonical> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|e| NotCanonical::Json(json_in_words(&e.to_string())))?;
    let canonical = to_canonical(&value);
    if canonical.as_bytes() == bytes {
        return Ok(value);
    }
    let at = canonical.bytes().zip(bytes).take_while(|(a, b)| a == *b).count();
    let rest = canonical.as_bytes().get(at..).unwrap_or_default();
    let shown: String = String::from_utf8_lossy(rest).chars().take(24).collect();
    let expected = if shown.is_empty() { "its end".to_owned() } else { format!("{shown:?}") };
    Err(NotCanonical::Form { at, expected })
}

/// The canonical form of a value.
#[must_use]
pub fn to_canonical(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => write_object(members, out),
    }
}

/// Members sort by the UTF-16 code units of their names, which is not the order of their bytes.
fn write_object(members: &Map<String, Value>, out: &mut String) {
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    out.push('{');
    for (at, (name, value)) in sorted.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_string(name, out);
        out.push(':');
        write_value(value, out);
    }
    out.push('}');
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' => escape(c, out),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The control characters that have no short form.
fn escape(c: char, out: &mut String) {
    out.push_str("\\u00");
    out.push_str(&hex::encode([u8::try_from(c).expect("a control character")]));
}

/// Every number is an IEEE double, printed as ECMAScript does (RFC 8785, section 3.2.2.3).
fn write_number(number: &Number, out: &mut String) {
    const EXACT: u64 = 1 << 53;
    match number.as_u64() {
        Some(integer) if integer <= EXACT => out.push_str(&integer.to_string()),
        // The standard library prints the shortest digits too, but where two are equally near it
        // takes the upper one, and ECMAScript the even one.
        _ => match number.as_f64() {
            Some(value) => out.push_str(ryu_js::Buffer::new().format(value)),
            None => out.push_str("null"),
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_print_as_rfc_8785_lists_them() {
        // RFC 8785, appendix B.
        for (bits, text) in [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            // Halfway between .2 and .3: the even digit.
            (0x4305_0bb4_d0f0_1d62, "740480717292460.2"),
        ] {
            assert_eq!(to_canonical(&Value::from(f64::from_bits(bits))), text);
        }
    }

    #[test]
    fn only_the_canonical_form_is_read() {
        for canonical in [
            "{}",
            "[]",
            "null",
            "5",
            "-1",
            "1.5",
            "1e+21",
            "\"\u{7f}\u{20ac}\"",
            "{\"a\":1,\"b\":[true,false]}",
            "9007199254740992",
            "{\"\u{10000}\":1,\"\u{e000}\":2}",
            "\"\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\"",
        ] {
            assert!(parse_canonical(canonical.as_bytes()).is_ok(), "{canonical}");
        }
        for other in [
            " {}",
            "{} ",
            "{\"b\":1,\"a\":2}",
            "{\"a\":1,\"a\":1}",
            "1.0",
            "-0",
            "1E21",
            "1e21",
            "01",
            "9007199254740993",
            "18446744073709551616",
            "1e400",
            "\"\\u0041\"",
            "\"\\/\"",
            "\"\\u001F\"",
            "\"\\ud800\"",
            "{\"\u{e000}\":2,\"\u{10000}\":1}",
            "",
            "\u{feff}{}",
            "{\"a\":}",
            "{",
            "NaN",
        ] {
            assert!(parse_canonical(other.as_bytes()).is_err(), "{other}");
        }
        assert!(parse_canonical(b"\"\xff\"").is_err());
    }

    #[test]
    fn nesting_ends_at_127() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse_canonical(nested(127).as_bytes()).is_ok());
        assert!(parse_canonical(nested(128).as_bytes()).is_err());
    }

    #[test]
    fn the_first_byte_that_differs_is_named() {
        let error = parse_canonical(b"{\"a\": 1}").unwrap_err();
        assert_eq!(error, NotCanonical::Form { at: 5, expected: "\"1}\"".into() });
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_form_is_that_of_another_implementation(value in any_json()) {
            let oracle = serde_json_canonicalizer::to_string(&value).unwrap();
            prop_assert_eq!(to_canonical(&value), oracle);
        }

        #[test]
        fn what_is_written_reads_back(value in any_json()) {
            let text = to_canonical(&value);
            let again = parse_canonical(text.as_bytes()).unwrap();
            prop_assert_eq!(to_canonical(&again), text);
        }
    }
}
