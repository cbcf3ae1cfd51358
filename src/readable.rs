//! JSON of which each member has one value. Pure.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};

/// Any JSON in which no object has two members of one name.
#[derive(Debug)]
pub(crate) struct Readable {
    /// Its text; `None` if it is none.
    text: Option<String>,
    /// The text of its member `format`; `None` without one.
    pub(crate) format: Option<String>,
}

impl Readable {
    const OTHER: Self = Self { text: None, format: None };
}

struct ReadableVisitor;

impl<'de> Deserialize<'de> for Readable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadableVisitor)
    }
}

impl<'de> Visitor<'de> for ReadableVisitor {
    type Value = Readable;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Readable, E> {
        Ok(Readable::OTHER)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Readable, E> {
        Ok(Readable::OTHER)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Readable, E> {
        Ok(Readable::OTHER)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Readable, E> {
        Ok(Readable::OTHER)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Readable, E> {
        Ok(Readable::OTHER)
    }

    fn visit_str<E>(self, text: &str) -> Result<Readable, E> {
        Ok(Readable { text: Some(text.to_owned()), format: None })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Readable, A::Error> {
        while items.next_element::<Readable>()?.is_some() {}
        Ok(Readable::OTHER)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Readable, A::Error> {
        let mut names = BTreeSet::new();
        let mut format = None;
        while let Some(name) = members.next_key::<String>()? {
            let value = members.next_value::<Readable>()?;
            if name == "format" {
                format = value.text;
            }
            if !names.insert(name.clone()) {
                return Err(de::Error::custom(format!("two members are called {name:?}")));
            }
        }
        Ok(Readable { text: None, format })
    }
}
