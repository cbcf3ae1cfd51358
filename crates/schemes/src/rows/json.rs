//! Reads a row from its JSON object, in place.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::count;
use super::fill::{Filling, shown};
use super::names::{Names, Target};
use super::value::json_value;
use crate::dialect::Round;
use fairdeal::record::json_in_words;

/// How many names are remembered: the bits of [`Met::known`].
const MOST: usize = 64;

/// Reads rows. Most have the same names in the same order, which are looked up once.
pub(super) struct Objects<'n> {
    names: &'n Names,
    layout: Vec<(String, Option<Target>)>,
    /// The fault of a column, in valid JSON.
    fault: Option<String>,
}

/// The names that one row had so far.
#[derive(Default)]
struct Met {
    /// By their places in the layout.
    known: u64,
    /// The other names.
    others: BTreeSet<String>,
}

impl Met {
    /// Whether this name is met for the first time.
    fn is_new(&mut self, place: Option<usize>, name: &str) -> bool {
        let bit = place.and_then(|place| 1_u64.checked_shl(u32::try_from(place).ok()?));
        let Some(bit) = bit else { return self.others.insert(name.to_owned()) };
        let is_new = self.known & bit == 0;
        self.known |= bit;
        is_new
    }
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
        let read =
            Row(self).deserialize(&mut reader).and_then(|round| reader.end().map(|()| round));
        read.map_err(|error| self.fault.take().unwrap_or_else(|| says(&error, line)))
    }

    /// A name's target, and its place in the layout if it has one; `at` is its place in the row.
    fn target(&mut self, at: usize, name: &str) -> (Option<Target>, Option<usize>) {
        let is = |(known, _): &(String, _)| known == name;
        let here = self.layout.get(at).filter(|known| is(known)).map(|_| at);
        let place = here.or_else(|| self.layout.iter().position(is));
        if let Some((_, target)) = place.and_then(|place| self.layout.get(place)) {
            return (*target, place);
        }
        let target = self.names.target(name);
        if self.layout.len() >= MOST {
            return (target, None);
        }
        self.layout.push((name.to_owned(), target));
        (target, self.layout.len().checked_sub(1))
    }
}

/// What the JSON reader says, with the place in the file instead of the one in the row.
pub(super) fn says(error: &serde_json::Error, line: u64) -> String {
    let (down, byte, said) = (error.line(), error.column(), reason(error));
    let down = count(down).saturating_sub(1);
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
    json_in_words(said.strip_suffix(&place).unwrap_or(&said))
}

/// Where bytes stop being one JSON value, and why; `None` if they are one.
pub(super) fn fault(bytes: &[u8]) -> Option<(usize, String)> {
    let error = serde_json::from_slice::<IgnoredAny>(bytes).err()?;
    let before = error.line().saturating_sub(1);
    let lines = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
    let line =
        before.checked_sub(1).and_then(|last| lines.into_iter().nth(last)).unwrap_or_default();
    Some(((line + error.column().saturating_sub(1)).min(bytes.len()), reason(&error)))
}

/// Whether a text as it stands in JSON, with its quotes, is this one.
pub(super) fn is_name(json: &[u8], name: &str) -> bool {
    let plain = json.strip_prefix(b"\"").and_then(|json| json.strip_suffix(b"\""));
    plain == Some(name.as_bytes())
        || (json.contains(&b'\\')
            && serde_json::from_slice(json).is_ok_and(|read: String| read == name))
}

/// The members of an object after its rows, read behind `{"rows":[]`.
pub(super) struct Members {
    /// The dialect that it states.
    pub(super) dialect: Option<String>,
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AfterRows)
    }
}

struct AfterRows;

impl<'de> Visitor<'de> for AfterRows {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let (mut dialect, mut rows) = (None, 0_u32);
        while let Some(name) = map.next_key_seed(Key)? {
            if name == "rows" {
                rows += 1;
                if rows > 1 {
                    return Err(A::Error::custom(
                        "expected one list of rows, found a second \"rows\"",
                    ));
                }
            }
            let json = map.next_value::<&'de RawValue>()?.get();
            if name == "dialect" {
                dialect = dialect.or_else(|| serde_json::from_str(json).ok());
            }
        }
        Ok(Members { dialect })
    }
}

struct Row<'o, 'n>(&'o mut Objects<'n>);

impl<'de> DeserializeSeed<'de> for Row<'_, '_> {
    type Value = Round<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
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
        let mut met = Met::default();
        let mut at = 0;
        while let Some(name) = map.next_key_seed(Key)? {
            let (target, place) = objects.target(at, &name);
            at += 1;
            if !met.is_new(place, &name) {
                let fault = format!("expected one value, found a second one in {}", shown(&name));
                objects.fault = Some(
                    target.map_or_else(|| fault.clone(), |of| format!("{}: {fault}", of.column)),
                );
                return Err(A::Error::custom(""));
            }
            let Some(target) = target else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let json = map.next_value::<&'de RawValue>()?.get();
            filling.put(target, &name, json_value(target.column, json)).map_err(|fault| {
                objects.fault = Some(fault.to_string());
                A::Error::custom("")
            })?;
        }
        Ok(filling.done())
    }
}

/// A name, borrowed if it has no escapes.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = std::borrow::Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
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

/// Adds the names of a readable object.
pub(super) fn names(json: &[u8], into: &mut BTreeSet<String>) {
    let object: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_slice(json);
    into.extend(object.into_iter().flatten().map(|(name, _)| name));
}
