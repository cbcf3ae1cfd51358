//! JSON forms of types: texts through `FromStr` and `Display`, integers up to 2^53-1,
//! structures as objects alone.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::field_error::{FieldError, wrong};
use super::json_words::json_located;
use crate::deal::{
    Blind, Card, ClientSeed, Commitment, Deck, DeckName, Digest, Label, Method, Nonce,
};
use crate::log::{
    Checkpoint, Hash, KeyName, Note, Signature, SignedCheckpoint, TilePath, VerifierKey,
};

/// Reads a JSON string with a parser of text.
pub(crate) struct TextVisitor<T, E> {
    pub(crate) expected: &'static str,
    pub(crate) read: fn(&str) -> Result<T, E>,
}

impl<T, E: fmt::Display> Visitor<'_> for TextVisitor<T, E> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<J: de::Error>(self, text: &str) -> Result<T, J> {
        (self.read)(text).map_err(J::custom)
    }
}

/// A type that is a string in JSON: what is expected there, how it is read and how it is made; by
/// default through `FromStr` and `Display`.
macro_rules! as_text {
    ($type:ty, $expected:expr) => {
        $crate::record::as_json::as_text!(
            $type,
            $expected,
            <$type as std::str::FromStr>::from_str,
            std::convert::identity,
            collect_str
        );
    };
    ($type:ty, $expected:expr, $read:expr, $text:expr) => {
        $crate::record::as_json::as_text!($type, $expected, $read, $text, serialize_str);
    };
    ($type:ty, $expected:expr, $read:expr, $text:expr, $write:ident) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visitor =
                    $crate::record::as_json::TextVisitor { expected: $expected, read: $read };
                deserializer.deserialize_str(visitor)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.$write(&$text(self))
            }
        }
    };
}
pub(crate) use as_text;

/// A deserializer that reads a structure from an object alone. The code that serde derives takes an
/// array of the fields' values too.
#[derive(Debug)]
pub struct Objects<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Objects<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Structures with `#[serde(remote = "Self")]`, which are objects in JSON and nothing else.
#[doc(hidden)]
#[macro_export]
macro_rules! object {
    ($($type:ty),+ $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::deserialize($crate::record::as_json::Objects(deserializer))
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }
    )+};
}
pub use object;

as_text!(Commitment, "64 lowercase hex digits", Commitment::parse, Commitment::to_text); // through `Display` it is a text made twice
as_text!(Digest, "64 lowercase hex digits");
as_text!(Blind, "64 lowercase hex digits", Blind::parse, Blind::to_text); // hidden, so it has no `Display`
as_text!(Label, "a text of 1 to 64 bytes", std::str::FromStr::from_str, Label::as_str); // through `Display` it is slower
as_text!(ClientSeed, "a text of 1 to 256 bytes", std::str::FromStr::from_str, ClientSeed::as_str);
as_text!(Method, "\"shuffle\" or \"cycle\"");
as_text!(DeckName, "a deck's name");
as_text!(Card, "a card");
as_text!(Hash, "base64 of 32 bytes", Hash::parse_base64, Hash::to_base64); // it has two text forms
as_text!(KeyName, "a key's name");
as_text!(VerifierKey, "a verifier key");
as_text!(Signature, "a signature line of a note");
as_text!(Note, "a signed note");
as_text!(Checkpoint, "the text of a checkpoint");
as_text!(SignedCheckpoint, "a signed checkpoint");
as_text!(TilePath, "a tile's path");

/// An integer of an entry: 0 to 2^53-1, which every JSON reader keeps exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Int(u64);

impl Int {
    /// The greatest.
    pub const MAX: u64 = Nonce::MAX;

    /// One.
    #[doc(hidden)]
    pub const ONE: Self = Self(1);

    /// The integer; `None` over [`Int::MAX`].
    #[must_use]
    pub const fn new(value: u64) -> Option<Self> {
        if value <= Self::MAX { Some(Self(value)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

/// A number is over 2^53-1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an integer of an entry: expected 0 to {max}, found {0}", max = Int::MAX)]
pub struct IntError(u64);

impl TryFrom<u64> for Int {
    type Error = IntError;

    fn try_from(value: u64) -> Result<Self, IntError> {
        Self::new(value).ok_or(IntError(value))
    }
}

impl From<Int> for u64 {
    fn from(int: Int) -> Self {
        int.0
    }
}

impl From<u32> for Int {
    fn from(value: u32) -> Self {
        Self(u64::from(value))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

struct IntVisitor;

impl Visitor<'_> for IntVisitor {
    type Value = Int;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an integer from 0 to {}", Int::MAX)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Int, E> {
        Int::new(value).ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(value), &self))
    }
}

impl<'de> Deserialize<'de> for Int {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(IntVisitor)
    }
}

impl Serialize for Int {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Nonce {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Int::deserialize(deserializer)?.0).map_err(de::Error::custom)
    }
}

impl Serialize for Nonce {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.value())
    }
}

/// A list's deck as an object.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct ListForm {
    count: Int,
    sha256: Digest,
}

object!(ListForm);

struct DeckVisitor;

impl<'de> Visitor<'de> for DeckVisitor {
    type Value = Deck;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a deck's name, or a list as {\"count\",\"sha256\"}")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Deck, E> {
        DeckName::parse(text).map(Deck::Named).map_err(E::custom)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Deck, A::Error> {
        let form = ListForm::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Deck::list(form.count.0, form.sha256).map_err(de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Deck {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DeckVisitor)
    }
}

impl Serialize for Deck {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Named(name) => name.serialize(serializer),
            Self::List { count, sha256 } => {
                ListForm { count: Int(u64::from(*count)), sha256: *sha256 }.serialize(serializer)
            }
        }
    }
}

/// Reads a field that may be absent but is never null.
///
/// # Errors
/// As for the value.
pub fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Reads a structure from JSON. An error begins with the path of the wrong member, and ends with
/// its line and column.
pub(crate) fn read<T: de::DeserializeOwned>(bytes: &[u8]) -> Result<T, FieldError> {
    located(serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_slice(bytes)))
}

/// Reads a structure from a parsed value. An error begins with the path of the wrong member.
pub(super) fn read_value<T: de::DeserializeOwned>(value: &Value) -> Result<T, FieldError> {
    located(serde_path_to_error::deserialize(value))
}

fn located<T>(
    read: Result<T, serde_path_to_error::Error<serde_json::Error>>,
) -> Result<T, FieldError> {
    read.or_else(|error| wrong(json_located(&error.path().to_string(), &error.inner().to_string())))
}

#[cfg(test)]
mod tests {
    use std::fmt::{Debug, Display};
    use std::str::FromStr;

    use proptest::prelude::*;

    use super::*;
    use crate::deal::ServerSeed;
    use crate::log::SignerKey;
    use crate::record::entry::{
        BeaconSignature, Cards, CommitWord, DealWord, LockWord, LogSignature, Mixing, Origin,
        PlayerKey, PlayerSignature, ProtocolV1, Reason, RevealWord, RevealedSeed, Table, VoidWord,
    };
    use crate::record::finding::Code;
    use crate::record::receipt::Salt;

    fn reads<T: FromStr<Err: Display + Debug>>(text: &str) -> T {
        text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"))
    }

    /// A value that was read prints back, as text and as a JSON string; no other text is read.
    fn both_ways<T>(texts: &[impl AsRef<str>], wrong: &[&str])
    where
        T: FromStr<Err: Display + Debug> + Display + Serialize + de::DeserializeOwned,
    {
        for text in texts.iter().map(AsRef::as_ref) {
            assert_eq!(reads::<T>(text).to_string(), text);
            let json = Value::from(text);
            let read: T = serde_json::from_value(json.clone()).expect(text);
            assert_eq!(serde_json::to_value(&read).expect(text), json);
        }
        for text in wrong {
            assert!(text.parse::<T>().is_err(), "{text:?}");
            assert!(serde_json::from_value::<T>(Value::from(*text)).is_err(), "{text:?}");
        }
    }

    fn words<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> Vec<&'static str> {
        all.iter().map(|one| word(*one)).collect()
    }

    #[test]
    fn every_text_form_reads_what_it_prints() {
        let hex = "00ff".repeat(16);
        let upper = hex.to_uppercase();
        let not_hex: [&str; 4] = ["", "00", &upper, &hex[1..]];
        both_ways::<Commitment>(&[&hex], &not_hex);
        both_ways::<Digest>(&[&hex], &not_hex);
        both_ways::<PlayerKey>(&[&hex], &not_hex);
        both_ways::<RevealedSeed>(&[&hex], &not_hex);
        both_ways::<Salt>(&[&hex[..32]], &not_hex);
        both_ways::<BeaconSignature>(&["ab".repeat(48)], &not_hex);
        both_ways::<LogSignature>(&[format!("{}=", "A".repeat(91))], &["", "AAAA", "é"]);
        both_ways::<PlayerSignature>(&[format!("{}==", "A".repeat(86))], &["", "AAAA", "é"]);

        let long = "x".repeat(257);
        both_ways::<Label>(&["a", "ünal", "a b"], &["", "a\nb", &long]);
        both_ways::<ClientSeed>(&["a", "ünal", "a b"], &["", "a\nb", &long]);
        both_ways::<Table>(&["a", "ünal", "a b"], &["", "a\nb", &long]);
        both_ways::<Reason>(&["a", "ünal", "a b"], &["", "a\nb", &long]);
        both_ways::<Origin>(&["cards.example/log"], &["", "a b", "a+b", &long]);
        both_ways::<KeyName>(&["cards.example/log"], &["", "a b", "a+b", "a\u{80}"]);
        both_ways::<Cards>(&["Td", "X1X2"], &["", "T", "1c"]);

        both_ways::<Card>(&["Td", "X1"], &["", "T", "td", "Tdd"]);
        both_ways::<Method>(&words(&Method::ALL, Method::as_str), &["", "Shuffle"]);
        both_ways::<DeckName>(&words(&DeckName::ALL, DeckName::as_str), &["", "standard-53"]);
        both_ways::<Mixing>(&words(&Mixing::ALL, Mixing::as_str), &["", "Seeds"]);
        both_ways::<Code>(&words(&Code::ALL, Code::as_str), &["", "nothing"]);
        both_ways::<CommitWord>(&["commit"], &["", "deal"]);
        both_ways::<LockWord>(&["lock"], &["", "deal"]);
        both_ways::<DealWord>(&["deal"], &["", "lock"]);
        both_ways::<VoidWord>(&["void"], &["", "deal"]);
        both_ways::<RevealWord>(&["reveal"], &["", "deal"]);
        both_ways::<ProtocolV1>(&["fairdeal/v1"], &["", "fairdeal/v2"]);
    }

    #[test]
    fn the_logs_texts_read_what_they_print() {
        let signer = SignerKey::from_seed(reads("cards.example/log"), &[7; 32]);
        let size = 3;
        let checkpoint =
            Checkpoint::new("cards.example/log", size, Hash::from_bytes([9; 32])).unwrap();
        let note = checkpoint.sign(&signer).unwrap();
        both_ways::<VerifierKey>(&[signer.verifier().to_text()], &["", "cards.example/log"]);
        both_ways::<Checkpoint>(&[checkpoint.to_text()], &["", "cards.example/log\n"]);
        both_ways::<SignedCheckpoint>(&[note.to_text()], &["", &checkpoint.to_text()]);
        both_ways::<Note>(&[note.to_text()], &["", "a\n"]);
        both_ways::<Signature>(&[note.signatures()[0].to_text()], &["", "— a"]);
        both_ways::<TilePath>(&["tile/entries/x001/234.p/5", "tile/0/000"], &["", "tile/64/000"]);
    }

    #[test]
    fn secrets_are_read_and_have_no_display() {
        let hex = "ab".repeat(32);
        assert_eq!(*reads::<ServerSeed>(&hex).reveal(), hex);
        assert_eq!(reads::<Blind>(&hex).to_text(), hex);
        let signer = SignerKey::from_seed(reads("cards.example/log"), &[7; 32]);
        let text = signer.to_secret_text();
        assert_eq!(reads::<SignerKey>(&text).to_secret_text(), text);
    }

    proptest! {
        #[test]
        fn what_any_text_reads_as_prints_back(text in "[ -~é\u{0}-\u{1f}]{0,70}") {
            macro_rules! prints_back {
                ($($type:ty),+) => {$(
                    if let Ok(read) = text.parse::<$type>() {
                        prop_assert_eq!(read.to_string(), text.as_str());
                    }
                )+};
            }
            prints_back!(Label, ClientSeed, Table, Reason, Origin, KeyName, Cards, Card, TilePath);
        }

        #[test]
        fn integers_end_at_two_to_the_53rd_less_one(value: u64) {
            let fits = value < 1 << 53;
            prop_assert_eq!(Int::try_from(value).ok().map(u64::from), fits.then_some(value));
            prop_assert_eq!(Nonce::try_from(value).ok().map(u64::from), fits.then_some(value));
        }
    }
}
