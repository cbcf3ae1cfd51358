//! How the deal's types stand in JSON: as text, read by their own strict parsers.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::deal::{Blind, ClientSeed, Commitment, Deck, DeckName, Digest, Label, Method, Nonce};

/// A type that stands in JSON as a string: what is expected there, how it is read and written.
pub(super) trait AsText: Sized {
    const EXPECTED: &'static str;
    fn read(text: &str) -> Result<Self, String>;
}

pub(super) struct TextVisitor<T>(pub(super) std::marker::PhantomData<T>);

impl<T: AsText> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        T::read(text).map_err(E::custom)
    }
}

macro_rules! as_text {
    ($type:ty, $expected:expr, $read:expr, $write:expr) => {
        impl $crate::record::as_json::AsText for $type {
            const EXPECTED: &'static str = $expected;
            fn read(text: &str) -> Result<Self, String> {
                let read: fn(&str) -> Result<Self, String> = $read;
                read(text)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::record::as_json::TextVisitor(std::marker::PhantomData))
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(AsRef::<str>::as_ref(&($write)(self)))
            }
        }
    };
}
pub(super) use as_text;

/// A deserializer that reads an object where a structure is due, and nothing else: what serde derives takes an array of
/// the fields' values too.
pub(crate) struct Objects<D>(pub(crate) D);

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
pub(crate) use object;

fn said<E: fmt::Display>(error: E) -> String {
    error.to_string()
}

as_text!(Commitment, "64 lowercase hex digits", |t| Self::parse(t).map_err(said), Self::to_text);
as_text!(Digest, "64 lowercase hex digits", |t| Self::parse(t).map_err(said), Self::to_text);
as_text!(Blind, "64 lowercase hex digits", |t| Self::parse(t).map_err(said), Self::to_text);
as_text!(Label, "a text of 1 to 64 bytes", |t: &str| Self::new(t).map_err(said), Self::as_str);
as_text!(ClientSeed, "a text of 1 to 256 bytes", |t: &str| Self::new(t).map_err(said), Self::as_str);
as_text!(
    Method,
    "\"shuffle\" or \"cycle\"",
    |t: &str| Self::parse(t).ok_or_else(|| format!("a method is \"shuffle\" or \"cycle\", not {t:?}")),
    |m: &Self| m.as_str()
);
as_text!(DeckName, "a deck's name", |t: &str| Self::parse(t).map_err(said), |d: &Self| d.as_str());

/// An integer of an entry: 0 to 2^53-1, which every JSON reader keeps exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Int(u64);

impl Int {
    /// The greatest.
    pub const MAX: u64 = (1 << 53) - 1;

    pub(crate) const ONE: Self = Self(1);

    /// The integer, if it is at most [`Int::MAX`].
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

/// Text with a length in bytes and no control characters: a table, a reason, an origin.
pub(super) fn bounded_text(what: &str, text: &str, most: usize) -> Result<(), String> {
    if text.is_empty() || text.len() > most {
        return Err(format!("{what} has 1 to {most} bytes, not {}", text.len()));
    }
    match text.chars().find(|c| c.is_control()) {
        Some(found) => Err(format!("{what} holds no control characters, found {found:?}")),
        None => Ok(()),
    }
}

/// For a field that may be absent but is never null.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
