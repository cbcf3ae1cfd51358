//! A row from its JSON object, read in place.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fill::{Filling, json_value};
use super::names::{Names, Target};
use crate::dialect::Round;

/// Names that are remembered.
const MOST: usize = 64;

/// Reads rows that mostly have the same names in the same order, which are looked up once.
pub(super) struct Objects<'n> {
    names: &'n Names,
    layout: Vec<(String, Option<Target>)>,
    /// What was wrong with a column, where the JSON was not.
    fault: Option<String>,
}

impl<'n> Objects<'n> {
    pub(super) fn new(names: &'n Names) -> Self {
        Self { names, layout: Vec::new(), fault: None }
    }

    /// The round of one object; `line` is where it begins.
    ///
    /// # Errors
    /// What was expected, what came and where.
    pub(super) fn read<'a>(&mut self, json: &'a [u8], line: u64) -> Result<Round<'a>, String> {
        let mut reader = serde_json::Deserializer::from_slice(json);
        let read = Row(self).deserialize(&mut reader).and_then(|round| reader.end().map(|()| round));
        read.map_err(|error| self.fault.take().unwrap_or_else(|| says(&error, line)))
    }

    fn target(&mut self, at: usize, name: &str) -> Option<Target> {
        let is = |(known, _): &&(String, _)| known == name;
        let known = self.layout.get(at).filter(is).or_else(|| self.layout.iter().find(is));
        if let Some((_, target)) = known {
            return *target;
        }
        let target = self.names.target(name);
        if self.layout.len() < MOST {
            self.layout.push((name.to_owned(), target));
        }
        target
    }
}

/// What the JSON reader says, with the place in the file instead of the one in the row.
pub(super) fn says(error: &serde_json::Error, line: u64) -> String {
    let (down, byte, said) = (error.line(), error.column(), reason(error));
    let down = u64::try_from(down).unwrap_or_default().saturating_sub(1);
    if down == 0 {
        format!("no JSON at byte {byte} of the row: {said}")
    } else {
        format!("no JSON at line {}, byte {byte}: {said}", line.saturating_add(down))
    }
}

/// What the JSON reader says, without the place.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    said.strip_suffix(&place).unwrap_or(&said).to_owned()
}

struct Row<'o, 'n>(&'o mut Objects<'n>);

impl<'de> DeserializeSeed<'de> for Row<'_, '_> {
    type Value = Round<'de>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_, '_> {
    type Value = Round<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Self(objects) = self;
        let mut filling = Filling::default();
        let mut at = 0;
        while let Some(name) = map.next_key_seed(Key)? {
            let target = objects.target(at, &name);
            at += 1;
            let Some(target) = target else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let json = map.next_value::<&'de RawValue>()?.get();
            filling.put(target, &name, json_value(target.column, json)).map_err(|fault| {
                objects.fault = Some(fault);
                A::Error::custom("")
            })?;
        }
        Ok(filling.done())
    }
}

/// A name, not copied where it stands as it is.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = std::borrow::Cow<'de, str>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = std::borrow::Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(name.into())
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(name.to_owned().into())
    }
}

/// Adds the names of an object that can be read.
pub(super) fn names(json: &[u8], into: &mut BTreeSet<String>) {
    let object: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_slice(json);
    into.extend(object.into_iter().flatten().map(|(name, _)| name));
}
