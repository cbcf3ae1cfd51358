//! The kind of a file that was given in place of another one, for errors.

use serde_json::Value;

use fairdeal::log::{SignedCheckpoint, VerifierKey};
use fairdeal_audit::source::Export;

/// The kind of a file, from its bytes. `None` for an unknown JSON object.
pub(super) fn kind(bytes: &[u8]) -> Option<&'static str> {
    if Export::begins(bytes) {
        return Some("an exported log");
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return Some("bytes that are no text") };
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        let Value::Object(members) = value else { return Some(of_json(&value)) };
        return match members.get("format").and_then(Value::as_str) {
            Some("fairdeal/receipt/v1") => Some("a receipt"),
            Some("fairdeal/opening/v1") => Some("an opening"),
            Some("fairdeal/evidence/v1") => Some("evidence"),
            Some("fairdeal/raffle/v1") => Some("a raffle's document"),
            _ => None,
        };
    }
    Some(match text.trim() {
        "" => "an empty file",
        line if VerifierKey::parse(line).is_ok() => "a verifier key",
        _ if SignedCheckpoint::parse(text).is_ok() => "a checkpoint",
        json if json.starts_with(['{', '[']) => return None,
        _ => "no JSON",
    })
}

fn of_json(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "a JSON array",
        Value::String(_) => "a JSON text",
        Value::Object(_) => "a JSON object",
        Value::Null | Value::Bool(_) | Value::Number(_) => "a JSON value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_file_is_told_and_another_object_is_left_to_its_reader() {
        for (text, expected) in [
            ("{\"format\":\"fairdeal/receipt/v1\"}", Some("a receipt")),
            ("{\"format\":\"fairdeal/evidence/v1\"}", Some("evidence")),
            ("fairdeal/export/v1\n", Some("an exported log")),
            ("[]", Some("a JSON array")),
            ("7", Some("a JSON value")),
            ("\n", Some("an empty file")),
            ("hello", Some("no JSON")),
            ("{\"from\":\"alice\"}", None),
            ("{\"from\":", None),
            ("{\"from\":\"a\"}{\"from\":\"b\"}", None),
        ] {
            assert_eq!(kind(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(kind(&[0xff]), Some("bytes that are no text"));
    }
}
