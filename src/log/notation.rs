//! Shared by all text formats of the log: decimals, base64, and texts quoted in errors.

use base64::{Engine as _, prelude::BASE64_STANDARD};

/// A decimal number as the specs write one: ASCII digits, no sign, no leading zero.
pub(super) fn parse_decimal(text: &str) -> Option<u64> {
    let canonical = text == "0" || !text.starts_with('0');
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if canonical && digits { text.parse().ok() } else { None }
}

/// Standard base64 (RFC 4648 section 4), padded, unused bits zero: bytes have one spelling.
pub(super) fn parse_base64(text: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(text).ok()
}

/// Writes what [`parse_base64`] reads.
pub(super) fn to_base64(bytes: impl AsRef<[u8]>) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// The first ASCII control character other than newline: no note may hold one.
pub(super) fn find_control(text: &str) -> Option<(usize, char)> {
    text.char_indices().find(|&(_, character)| character < ' ' && character != '\n')
}

/// `text` as an error quotes it: escaped, and cut after 80 characters.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 80;
    let start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() {
        format!("{start:?}… ({} bytes)", text.len())
    } else {
        format!("{start:?}")
    }
}

/// Items as an error lists them: the first five, each quoted, and how many more there are.
pub(super) fn list(items: impl IntoIterator<Item = String>) -> String {
    const SHOWN: usize = 5;
    let mut items = items.into_iter();
    let shown: Vec<String> = items.by_ref().take(SHOWN).map(|item| quote(&item)).collect();
    match (shown.is_empty(), items.count()) {
        (true, _) => "no key".to_owned(),
        (false, 0) => shown.join(", "),
        (false, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_has_one_spelling() {
        assert_eq!(parse_decimal("0"), Some(0));
        assert_eq!(parse_decimal("18446744073709551615"), Some(u64::MAX));
        for other in
            ["", "00", "01", "+1", "-1", " 1", "1 ", "1_0", "0x1", "٣", "18446744073709551616"]
        {
            assert_eq!(parse_decimal(other), None, "{other:?}");
        }
    }

    #[test]
    fn base64_has_one_spelling() {
        assert_eq!(parse_base64("AAE="), Some(vec![0, 1]));
        for other in ["AAE", "AAF=", "AAE==", "AA E=", "AAE=\n", "A-_="] {
            assert_eq!(parse_base64(other), None, "{other:?}");
        }
    }

    #[test]
    fn an_error_quotes_no_more_than_a_line() {
        assert_eq!(quote("a\nb"), r#""a\nb""#);
        assert_eq!(quote(&"é".repeat(81)), format!("{:?}… (162 bytes)", "é".repeat(80)));
    }

    #[test]
    fn an_error_lists_five_items_and_counts_the_rest() {
        let items = |count| (0..count).map(|item: u32| item.to_string());
        assert_eq!(list(items(0)), "no key");
        assert_eq!(list(items(2)), r#""0", "1""#);
        assert_eq!(list(items(5)), r#""0", "1", "2", "3", "4""#);
        assert_eq!(list(items(7)), r#""0", "1", "2", "3", "4" and 2 more"#);
    }
}
