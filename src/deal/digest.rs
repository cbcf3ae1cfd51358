//! 32 bytes written as 64 lowercase hex digits: the one textual form of every hash, seed and
//! commitment.

/// A SHA-256 digest of something public: a list, a game's rules, a player's hashed contribution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// A text is not 64 lowercase hex digits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum HexError {
    /// Another length.
    #[error("expected 64 lowercase hex digits (32 bytes), found {0} characters")]
    Length(usize),
    /// A character that is no lowercase hex digit, and its position from 0.
    #[error("expected 64 lowercase hex digits, found {found:?} at position {at}")]
    Digit { found: char, at: usize },
}

/// Reads exactly 64 lowercase hex digits.
pub(super) fn parse_hex32(text: &str) -> Result<[u8; 32], HexError> {
    let length = text.chars().count();
    if length != 64 {
        return Err(HexError::Length(length));
    }
    let stray = text.chars().enumerate().find(|(_, c)| !matches!(c, '0'..='9' | 'a'..='f'));
    if let Some((at, found)) = stray {
        return Err(HexError::Digit { found, at });
    }
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).expect("64 hex digits");
    Ok(bytes)
}

/// Writes 64 lowercase hex digits. `hex::encode` takes several times as long: it pushes one
/// character after the other.
pub(super) fn hex32(bytes: &[u8; 32]) -> String {
    let mut text = vec![0; 64];
    hex::encode_to_slice(bytes, &mut text).expect("two digits for each byte");
    String::from_utf8(text).expect("hex digits are ASCII")
}

/// Decodes hex in either case; `None` unless there are two digits for each byte. Without a branch
/// for each digit it takes a quarter of the time of the `hex` crate, which matters where little
/// else is done for a row.
#[inline]
#[must_use]
pub fn decode_hex(text: &[u8], bytes: &mut [u8]) -> Option<()> {
    let (pairs, odd) = text.as_chunks::<2>();
    if !odd.is_empty() || pairs.len() != bytes.len() {
        return None;
    }
    let mut wrong = 0;
    let mut value = |digit: u8| {
        let (number, letter) = (digit.wrapping_sub(b'0'), (digit | 0x20).wrapping_sub(b'a'));
        wrong |= u8::from(number > 9) & u8::from(letter > 5);
        if number <= 9 { number } else { letter.wrapping_add(10) }
    };
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = value(*high) << 4 | value(*low) & 15;
    }
    (wrong == 0).then_some(())
}

/// 32 public bytes that are 64 lowercase hex digits as text.
macro_rules! hex32_text {
    ($type:ident) => {
        impl $type {
            /// From its bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// Its bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// Reads 64 lowercase hex digits.
            ///
            /// # Errors
            /// [`HexError`], with the text found.
            pub fn parse(text: &str) -> Result<Self, HexError> {
                $crate::deal::digest::parse_hex32(text).map(Self)
            }

            /// 64 lowercase hex digits.
            #[must_use]
            pub fn to_text(&self) -> String {
                $crate::deal::digest::hex32(&self.0)
            }
        }

        $crate::deal::from_str! { $type, HexError, $type::parse; }

        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($type), "({})"), self.to_text())
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.to_text())
            }
        }
    };
}
pub(super) use hex32_text;

hex32_text!(Digest);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_in_either_case_is_decoded_as_the_crate_decodes_it() {
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                let text = [first, second, b'5', b'e'];
                let (mut ours, mut theirs) = ([0; 2], [0; 2]);
                let decoded = decode_hex(&text, &mut ours);
                assert_eq!(
                    decoded.is_some(),
                    hex::decode_to_slice(text, &mut theirs).is_ok(),
                    "{text:?}"
                );
                assert!(decoded.is_none() || ours == theirs, "{text:?}");
            }
        }
        assert_eq!(decode_hex(b"123", &mut [0]), None);
        assert_eq!(decode_hex(b"12", &mut [0; 2]), None);
        assert_eq!(decode_hex(b"1234", &mut [0]), None);
        assert_eq!(decode_hex(b"", &mut []), Some(()));
    }

    #[test]
    fn only_64_lowercase_hex_digits_are_read_and_they_print_back() {
        let text = "00ff".repeat(16);
        assert_eq!(Digest::parse(&text).unwrap().to_text(), text);
        assert_eq!(Digest::parse(&text[1..]), Err(HexError::Length(63)));
        assert_eq!(Digest::parse(&text.to_uppercase()), Err(HexError::Digit { found: 'F', at: 2 }));
        assert_eq!(Digest::parse(&"é".repeat(64)), Err(HexError::Digit { found: 'é', at: 0 }));
        assert_eq!(Digest::parse(""), Err(HexError::Length(0)));
    }
}
