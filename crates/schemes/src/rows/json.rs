//! Reads a row from its JSON object, in place.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::count;
use super::names::{Names, Target, shown, two_names};
use super::value::{json_value, put};
use crate::dialect::Round;
use fairdeal::record::json_in_words;

/// The most names that are remembered: the bits of [`Met::known`].
const MOST: usize = 64;

/// Reads rows. Most rows have the same names in the same order, which are looked up once.
pub(super) struct Objects<'n> {
    names: &'n Names,
    layout: Vec<(String, Option<Target>)>,
}

/// The names of one row so far.
#[derive(Default)]
struct Met {
    /// Names of the layout, by their places in it.
    known: u64,
    /// The other names.
    others: BTreeSet<String>,
    /// The columns, by their slots.
    columns: u32,
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

    /// Whether a column is met for the first time.
    fn is_first(&mut self, Target { slot, .. }: Target) -> bool {
        let before = self.columns;
        self.columns |= 1 << slot;
        before != self.columns
    }
}

impl<'n> Objects<'n> {
    pub(super) fn new(names: &'n Names) -> Self {
        Self { names, layout: Vec::new() }
    }

    /// The round of one object, which begins in `line`.
    ///
    /// # Errors
    /// A sentence: what was expected, what was found, and the place.
    pub(super) fn read<'a>(&mut self, json: &'a [u8], line: u64) -> Result<Round<'a>, String> {
        let members: Members<'a> =
            serde_json::from_slice(json).map_err(|error| says(&error, line))?;
        let (mut round, mut met) = (Round::default(), Met::default());
        for (at, (Name(name), json)) in members.0.iter().enumerate() {
            let (target, place) = self.target(at, name);
            if !met.is_new(place, name) {
                let column = target.map_or_else(String::new, |of| format!("{}: ", of.column));
                let name = shown(name);
                return Err(format!("{column}expected one value, found a second one in {name}"));
            }
            let Some(target) = target else { continue };
            if !met.is_first(target) {
                let means =
                    |(Name(name), _): &&(Name<'_>, _)| self.names.target(name) == Some(target);
                let first = members.0.iter().find(means).map_or("", |(Name(name), _)| name);
                return Err(two_names(target.column, first, name));
            }
            put(target.column, name, json_value(target.column, json.get()), &mut round)?;
        }
        Ok(round)
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

/// The JSON reader's message, with the place in the file in the place of that in the row.
pub(super) fn says(error: &serde_json::Error, line: u64) -> String {
    let (down, byte, said) = (error.line(), error.column(), reason(error));
    let down = count(down).saturating_sub(1);
    if down == 0 {
        format!("no JSON at byte {byte} of the row: {said}")
    } else {
        format!("no JSON at line {}, byte {byte}: {said}", line.saturating_add(down))
    }
}

/// The JSON reader's message, without a place.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    json_in_words(said.strip_suffix(&place).unwrap_or(&said))
}

/// The place at which bytes stop being one JSON value, and the reason. `None` if they are one
/// value.
pub(super) fn fault(bytes: &[u8]) -> Option<(usize, String)> {
    serde_json::from_slice::<IgnoredAny>(bytes).err().map(|error| placed(bytes, &error))
}

/// The place of an error in the bytes that it is about, and its reason.
pub(super) fn placed(bytes: &[u8], error: &serde_json::Error) -> (usize, String) {
    let before = error.line().saturating_sub(1);
    let lines = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
    let line =
        before.checked_sub(1).and_then(|last| lines.into_iter().nth(last)).unwrap_or_default();
    ((line + error.column().saturating_sub(1)).min(bytes.len()), reason(error))
}

/// A JSON text, which has its quotes; `None` if it has half of a surrogate pair.
pub(super) fn text(json: &[u8]) -> Option<String> {
    serde_json::from_slice(json).ok()
}

/// Whether a JSON text, with its quotes, is this name.
pub(super) fn is_name(json: &[u8], name: &str) -> bool {
    let plain = json.strip_prefix(b"\"").and_then(|json| json.strip_suffix(b"\""));
    plain == Some(name.as_bytes())
        || (json.contains(&b'\\') && text(json).is_some_and(|read| read == name))
}

/// The members of an object in order, each value as JSON.
pub(super) struct Members<'a>(pub(super) Vec<(Name<'a>, &'a RawValue)>);

/// A name, borrowed if it has no escapes. One with half of a surrogate pair is no text, and no
/// column has it: its bytes in hex tell it from other names.
pub(super) struct Name<'a>(pub(super) Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = <&RawValue>::deserialize(deserializer)?.get();
        let plain = json.strip_prefix('"').and_then(|json| json.strip_suffix('"'));
        if let Some(plain) = plain.filter(|plain| !plain.contains('\\')) {
            return Ok(Self(Cow::Borrowed(plain)));
        }
        let halves = |Halves(bytes)| format!("\u{fffd}{}", hex::encode(bytes));
        let name = serde_json::from_str(json).or_else(|_| serde_json::from_str(json).map(halves));
        Ok(Self(Cow::Owned(name.map_err(D::Error::custom)?)))
    }
}

/// The bytes of a text that may have halves of surrogate pairs.
struct Halves(Vec<u8>);

impl<'de> Deserialize<'de> for Halves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Halves;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Halves, E> {
                Ok(Halves(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AllMembers)
    }
}

struct AllMembers;

impl<'de> Visitor<'de> for AllMembers {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = Vec::with_capacity(16);
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

/// Adds the names of a readable object.
pub(super) fn names(json: &[u8], into: &mut BTreeSet<String>) {
    let members: Result<Members<'_>, _> = serde_json::from_slice(json);
    into.extend(members.into_iter().flat_map(|all| all.0).map(|(Name(name), _)| name.into_owned()));
}
