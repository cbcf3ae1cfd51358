//! Hashed lines: an entrant's address, salt, line and link (spec/raffle.md, section 36).

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use zeroize::{Zeroize as _, ZeroizeOnDrop};

use crate::deal::from_str;
use crate::record::entry::FormatError;
use crate::record::receipt::Salt;

/// The bytes that are hashed before salt and address.
const TAG: &[u8] = b"fairdeal/raffle/v1/entrant\0";

/// The organiser's 32 secret bytes of one raffle, which give each entrant a salt. Never printed.
#[derive(ZeroizeOnDrop)]
pub struct RaffleSecret(Box<[u8; 32]>);

impl RaffleSecret {
    /// Takes 32 bytes from a source of randomness and clears the caller's copy.
    #[must_use]
    pub fn from_bytes(bytes: &mut [u8; 32]) -> Self {
        let mut secret = Self(Box::new([0; 32]));
        secret.0.copy_from_slice(bytes);
        bytes.zeroize();
        secret
    }
}

impl fmt::Debug for RaffleSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RaffleSecret(…)")
    }
}

/// What an organiser knows an entrant by, such as an e-mail address, in the form that is hashed: 1
/// to 256 bytes, without white space at its ends, and without A to Z.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(String);

/// A text is no address, or no entrant's link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntrantError {
    /// Empty, or too long.
    #[error("an address: expected 1 to {most} bytes, found {0}", most = Address::MOST)]
    Length(usize),
    /// A control character.
    #[error("an address has no control characters, found {0:?}")]
    Control(char),
    /// A link that is too long.
    #[error("a link: expected at most {most} bytes, found {0}", most = Entrant::MOST)]
    LongLink(usize),
    /// A text without a fragment.
    #[error("a link: expected \"#salt=…&address=…\" at its end, found no \"#\"")]
    NoFragment,
    /// A part that is missing, or there twice.
    #[error("a link: expected one part \"{part}\" after its \"#\", found {found}")]
    #[expect(missing_docs, reason = "the message names the fields")]
    Part { part: &'static str, found: usize },
    /// A part that is wrongly escaped.
    #[error("a link: {0}: expected two hex digits after each \"%\", and UTF-8")]
    Escape(&'static str),
    /// A salt that is none.
    #[error("a link: salt: {0}")]
    Salt(#[from] FormatError),
}

impl Address {
    /// The most bytes.
    pub const MOST: usize = 256;

    /// Brings a text into the form that is hashed.
    ///
    /// # Errors
    /// [`EntrantError::Length`], [`EntrantError::Control`].
    pub fn new(text: &str) -> Result<Self, EntrantError> {
        let is_space = |c: char| matches!(c, '\t'..='\r' | ' ');
        let address = text.trim_matches(is_space).to_ascii_lowercase();
        if !(1..=Self::MOST).contains(&address.len()) {
            return Err(EntrantError::Length(address.len()));
        }
        match address.chars().find(|c| c.is_control()) {
            Some(found) => Err(EntrantError::Control(found)),
            None => Ok(Self(address)),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

from_str! { Address, EntrantError, Address::new; Entrant, EntrantError, Entrant::parse_link; }

/// All that an entrant needs to find the line: the content of their link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The entrant's own salt.
    pub salt: Salt,
    /// The entrant's address.
    pub address: Address,
}

impl Entrant {
    /// The most bytes of a link.
    pub const MOST: usize = 4096;

    /// The entrant with this address.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "HMAC takes a key of any length")]
    pub fn new(secret: &RaffleSecret, address: Address) -> Self {
        let mut mac = Hmac::<Sha256>::new_from_slice(&*secret.0).expect("a key of any length");
        mac.update(address.0.as_bytes());
        let tag: [u8; 32] = mac.finalize().into_bytes().into();
        let mut salt = [0; 16];
        salt.iter_mut().zip(tag).for_each(|(to, from)| *to = from);
        Self { salt: Salt(salt), address }
    }

    /// The entrant's line: 64 hex digits.
    #[must_use]
    pub fn line(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(TAG);
        hash.update(self.salt.0);
        hash.update(self.address.0.as_bytes());
        hex::encode(hash.finalize())
    }

    /// The entrant's link to a page.
    #[must_use]
    pub fn link(&self, page: &str) -> String {
        let mut link = format!("{page}#salt={}&address=", self.salt);
        for byte in self.address.0.bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    link.push(char::from(byte));
                }
                _ => {
                    link.push('%');
                    link.push_str(&hex::encode_upper([byte]));
                }
            }
        }
        link
    }

    /// Reads an entrant's link.
    ///
    /// # Errors
    /// [`EntrantError`].
    pub fn parse_link(text: &str) -> Result<Self, EntrantError> {
        if text.len() > Self::MOST {
            return Err(EntrantError::LongLink(text.len()));
        }
        let (_, fragment) = text.split_once('#').ok_or(EntrantError::NoFragment)?;
        let part = |part: &'static str| {
            let parts = fragment.split('&').map(|one| one.split_once('=').unwrap_or((one, "")));
            let mut values = parts.filter(|(name, _)| *name == part);
            let (first, more) = (values.next(), values.count());
            match (first, more) {
                (Some((_, value)), 0) => unescape(value).ok_or(EntrantError::Escape(part)),
                (first, more) => {
                    let found = usize::from(first.is_some()).saturating_add(more);
                    Err(EntrantError::Part { part, found })
                }
            }
        };
        let salt = Salt::parse(&part("salt")?)?;
        Ok(Self { salt, address: Address::new(&part("address")?)? })
    }
}

/// Reads `%` and two hex digits as a byte; `None` for another `%`, and if the result is not UTF-8.
fn unescape(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.extend(hex::decode(digits).ok()?);
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrant(address: &str) -> Entrant {
        let mut secret = std::array::from_fn(|at| u8::try_from(at).unwrap());
        Entrant::new(&RaffleSecret::from_bytes(&mut secret), Address::new(address).unwrap())
    }

    #[test]
    fn the_example_of_the_specification_is_this() {
        let anna = entrant(" Anna@Example.org");
        let spec = include_str!("../../spec/raffle.md");
        let link = anna.link("https://club.example/raffle");
        for value in [anna.salt.to_text(), anna.line(), link.clone()] {
            assert!(spec.contains(&value), "{value}");
        }
        assert_eq!(Entrant::parse_link(&link), Ok(anna));
    }

    #[test]
    fn links_read_back_whatever_the_address_is() {
        for address in ["a b", "ünal@x", "a&address=b", "100%", "a=b#c", "'(!*)'", "a\u{a0}"] {
            let one = entrant(address);
            let link = one.link("https://x.example/#not");
            // The first # begins the fragment, so a page with one of its own has a further part.
            assert_eq!(Entrant::parse_link(&link).ok(), None);
            let link = one.link("raffle.html");
            assert_eq!(Entrant::parse_link(&link), Ok(one), "{link}");
        }
    }

    #[test]
    fn other_links_are_refused() {
        let salt = "00".repeat(16);
        let refused = |text: &str| Entrant::parse_link(text).unwrap_err();
        assert_eq!(refused("salt=00&address=a"), EntrantError::NoFragment);
        let part = |part, found| EntrantError::Part { part, found };
        assert_eq!(refused("#address=a"), part("salt", 0));
        assert_eq!(refused(&format!("#salt={salt}")), part("address", 0));
        assert_eq!(refused(&format!("#salt={salt}&address")), EntrantError::Length(0));
        assert_eq!(refused(&format!("#salt={salt}&salt&address=a")), part("salt", 2));
        assert_eq!(refused(&format!("#salt={salt}&address=a&address=a")), part("address", 2));
        for wrong in ["%", "%4", "%4g", "%+4", "%ff", "a%é"] {
            let link = format!("#salt={salt}&address={wrong}");
            assert_eq!(refused(&link), EntrantError::Escape("address"), "{wrong}");
        }
        let upper = format!("#salt={}&address=a", "AB".repeat(16));
        assert!(matches!(refused(&upper), EntrantError::Salt(_)));
        assert_eq!(refused(&format!("#salt={salt}&address=%20")), EntrantError::Length(0));
        assert_eq!(refused(&format!("#salt={salt}&address=a%00b")), EntrantError::Control('\0'));
        let link = format!("#more&salt={salt}&x=y&address=A%c3%BC%C3%9f+");
        assert_eq!(Entrant::parse_link(&link).unwrap().address.as_str(), "aüß+");
        let padding = |more: usize| {
            let start = format!("#salt={salt}&address=a&x=");
            format!("{start}{}", "y".repeat(Entrant::MOST - start.len() + more))
        };
        assert!(Entrant::parse_link(&padding(0)).is_ok());
        assert_eq!(refused(&padding(1)), EntrantError::LongLink(Entrant::MOST + 1));
    }

    #[test]
    fn an_address_is_trimmed_and_its_letters_of_ascii_are_lowered() {
        let new = |text: &str| Address::new(text).map(|address| address.0);
        assert_eq!(new("\t\n\u{b}\u{c}\r Bo B\r\n"), Ok("bo b".to_owned()));
        // Nothing else is trimmed or folded.
        assert_eq!(new("\u{a0}Ä\u{3000}"), Ok("\u{a0}Ä\u{3000}".to_owned()));
        assert_eq!(new(" \t"), Err(EntrantError::Length(0)));
        assert!(new(&"a".repeat(256)).is_ok());
        assert_eq!(new(&"a".repeat(257)), Err(EntrantError::Length(257)));
        assert_eq!(new("a\nb"), Err(EntrantError::Control('\n')));
        assert_eq!(new("a\u{85}"), Err(EntrantError::Control('\u{85}')));
    }
}
