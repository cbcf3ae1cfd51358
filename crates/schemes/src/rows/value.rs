//! A column's value, in the shapes of JSON and CSV, and how a round takes it (spec/dialects.md,
//! rows).

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::names::shown;
use crate::dialect::{
    Cents, CentsError, Column, GameValue, INTEGER, PlayError, Round, read_card, read_cards,
    read_hex32,
};
use fairdeal::deal::{Card, Contribution, Digest, Nonce, Seen};
use fairdeal::record::json_in_words;

/// A column's value, in the shapes of JSON and CSV.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing: the same as a missing column.
    Null,
    /// A text. CSV has no other.
    Text(Cow<'a, str>),
    /// A number as written.
    Number(Cow<'a, str>),
    /// True or false.
    Bool(bool),
    /// A list of texts.
    List(Vec<Cow<'a, str>>),
    /// A list of objects, as JSON.
    Json(Cow<'a, str>),
    /// Another type, by its name.
    Other(&'static str),
}

impl<'a> Value<'a> {
    /// Sets a column of a round.
    ///
    /// # Errors
    /// [`PlayError::Wrong`] if the column cannot have the value.
    pub fn put(self, column: Column, round: &mut Round<'a>) -> Result<(), PlayError> {
        let value = self;
        if value == Value::Null {
            return Ok(());
        }
        let wrong =
            |expected: &str, value: &Value<'_>| PlayError::wrong(column, expected, value.shown());
        let text = |value, expected| match value {
            Value::Text(text) if !text.is_empty() => Ok(Some(text)),
            other => Err(wrong(expected, &other)),
        };
        let whole = |value| integer(value).map(Some).ok_or_else(|| wrong(INTEGER, value));
        let cells = &mut round.cells;
        let mut put_cell = |cell| cells.push((column, cell));
        match column {
            Column::ServerSeed => round.server_seed = text(value, "a text")?,
            Column::ClientSeed => round.client_seed = text(value, "a text")?,
            Column::Deck => round.deck = text(value, "a deck's name")?,
            Column::Method => round.method = text(value, "a method's name")?,
            Column::Commitment => {
                let bytes = if let Value::Text(hex) = &value { read_hex32(hex) } else { None };
                round.commitment = Some(bytes.ok_or_else(|| wrong("64 hex digits", &value))?);
            }
            Column::Nonce => round.nonce = whole(&value)?,
            Column::ChainSteps => round.chain_steps = whole(&value)?,
            Column::GameId => round.game_id = whole(&value)?,
            Column::Result => {
                let (Value::Text(text) | Value::Number(text)) = &value else {
                    return Err(wrong("a multiplier such as 1.83", &value));
                };
                let plain =
                    matches!(value, Value::Number(_)).then(|| without_exponent(text)).flatten();
                match Cents::parse(plain.as_deref().unwrap_or(text)) {
                    Ok(cents) => round.result = Some(cents),
                    Err(CentsError::Finer(_)) => round.finer = Some(text.clone()),
                    Err(CentsError::Other(_)) => return Err(wrong(MULTIPLIER, &value)),
                    Err(CentsError::Ambiguous(text, one, other)) => {
                        let found = format!("{text:?}, which is {one} or {other}");
                        return Err(PlayError::wrong(column, WITH_POINT, found));
                    }
                }
            }
            Column::Cards => round.cards = Some(cards(column, &value)?),
            Column::Held => round.held = Some(cards(column, &value)?),
            Column::Final => round.last = Some(cards(column, &value)?),
            Column::Full => {
                round.full = Some(match &value {
                    Value::Bool(full) => *full,
                    Value::Text(text) if text.eq_ignore_ascii_case("true") => true,
                    Value::Text(text) if text.eq_ignore_ascii_case("false") => false,
                    _ => return Err(wrong("true or false", &value)),
                });
            }
            Column::Numbers | Column::Rolls => {
                let numbers = numbers(&value);
                put_cell(numbers.map(GameValue::Numbers).ok_or_else(|| wrong(NUMBERS, &value))?);
            }
            Column::Slot | Column::Rows | Column::Segments | Column::MineCount => {
                let number = integer(&value);
                put_cell(number.map(GameValue::Number).ok_or_else(|| wrong(INTEGER, &value))?);
            }
            Column::Path => {
                let path = path(&value);
                put_cell(path.map(GameValue::Numbers).ok_or_else(|| wrong(PATH, &value))?);
            }
            Column::Floors => {
                let lists = lists(&value);
                put_cell(lists.map(GameValue::Lists).ok_or_else(|| wrong(LISTS, &value))?);
            }
            Column::Symbols => {
                let names = names(&value);
                put_cell(names.map(GameValue::Names).ok_or_else(|| wrong(SYMBOLS, &value))?);
            }
            Column::Risk | Column::Difficulty => {
                let (Value::Text(name) | Value::Number(name)) = &value else {
                    return Err(wrong("a name", &value));
                };
                put_cell(GameValue::Name(name.to_ascii_lowercase()));
            }
            Column::Contributions => {
                let (Value::Text(json) | Value::Json(json)) = &value else {
                    return Err(wrong(CONTRIBUTIONS, &value));
                };
                let given = contributions(json);
                round.contributions =
                    Some(given.map_err(|found| PlayError::wrong(column, CONTRIBUTIONS, found))?);
            }
        }
        Ok(())
    }

    /// The value in a message.
    fn shown(&self) -> String {
        let cut = |text: &str| text.chars().take(80).collect::<String>();
        match self {
            Self::Null => "nothing".to_owned(),
            Self::Text(text) => format!("{:?}", cut(text)),
            Self::Number(number) => cut(number),
            Self::Bool(value) => value.to_string(),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Json(json) => cut(json),
            Self::Other(what) => (*what).to_owned(),
        }
    }
}

/// A value that is written as text. An empty one is nothing.
#[must_use]
pub fn text_value(text: Cow<'_, str>) -> Value<'_> {
    if text.is_empty() { Value::Null } else { Value::Text(text) }
}

/// Sets the column that a name means.
///
/// # Errors
/// A sentence: the column, what was expected, and what was found.
pub(super) fn put<'a>(
    column: Column,
    name: &str,
    value: Value<'a>,
    round: &mut Round<'a>,
) -> Result<(), String> {
    value.put(column, round).map_err(|error| {
        let alias = if name == column.as_str() { "" } else { &format!("{} as ", shown(name)) };
        format!("{alias}{error}")
    })
}

#[derive(Deserialize)]
struct Item<'a>(#[serde(borrow)] Cow<'a, str>);

/// A column's value, from valid JSON.
pub(super) fn json_value(column: Column, json: &str) -> Value<'_> {
    match json.as_bytes().first() {
        Some(b'n') | None => Value::Null,
        Some(b't') => Value::Bool(true),
        Some(b'f') => Value::Bool(false),
        Some(b'{') => Value::Other("an object"),
        Some(b'[') if takes_json(column) => Value::Json(Cow::Borrowed(json)),
        Some(b'[') => {
            let items: Result<Vec<Item<'_>>, _> = serde_json::from_str(json);
            let items = items.map(|items| items.into_iter().map(|Item(text)| text).collect());
            items.map_or(Value::Other("a list of something else"), Value::List)
        }
        Some(b'"') => match json.strip_prefix('"').and_then(|json| json.strip_suffix('"')) {
            Some(text) if !text.contains('\\') => Value::Text(Cow::Borrowed(text)),
            _ => serde_json::from_str(json)
                .map_or(Value::Other("a text with half a character"), Value::Text),
        },
        Some(_) => Value::Number(Cow::Borrowed(json)),
    }
}

/// Whether a column's lists are of more than texts.
const fn takes_json(column: Column) -> bool {
    matches!(
        column,
        Column::Contributions
            | Column::Numbers
            | Column::Rolls
            | Column::Symbols
            | Column::Floors
            | Column::Path
    )
}

/// The items of a list: of JSON, or of a text with spaces or commas between them.
fn items<'v>(value: &'v Value<'_>) -> Option<Vec<Value<'v>>> {
    let in_json = |json: &'v str| -> Option<Vec<Value<'v>>> {
        let all: Vec<&RawValue> = serde_json::from_str(json).ok()?;
        Some(all.into_iter().map(|one| json_value(Column::Numbers, one.get())).collect())
    };
    let text = |text: &'v str| Value::Text(Cow::Borrowed(text));
    let found: Vec<Value<'v>> = match value {
        Value::Json(json) => in_json(json)?,
        Value::Text(json) if json.starts_with('[') => in_json(json)?,
        Value::Text(all) => {
            all.split([' ', ',']).filter(|part| !part.is_empty()).map(text).collect()
        }
        Value::List(texts) => texts.iter().map(|one| text(one)).collect(),
        Value::Number(number) => vec![Value::Number(Cow::Borrowed(number))],
        _ => return None,
    };
    Some(found).filter(|found| !found.is_empty())
}

fn numbers(value: &Value<'_>) -> Option<Vec<u64>> {
    items(value)?.iter().map(integer).collect()
}

fn names(value: &Value<'_>) -> Option<Vec<String>> {
    let name = |item: Value<'_>| match item {
        Value::Text(text) => Some(text.to_ascii_lowercase()),
        _ => None,
    };
    items(value)?.into_iter().map(name).collect()
}

fn lists(value: &Value<'_>) -> Option<Vec<Vec<u64>>> {
    match value {
        Value::Text(text) if !text.starts_with('[') => {
            text.split(';').map(|part| numbers(&Value::Text(Cow::Borrowed(part)))).collect()
        }
        _ => items(value)?.iter().map(numbers).collect(),
    }
}

/// Digits 0 and 1, with or without commas.
fn path(value: &Value<'_>) -> Option<Vec<u64>> {
    let digits = |text: &str| text.bytes().map(|digit| u64::from(digit - b'0')).collect();
    match value {
        Value::Text(text)
            if !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'0' | b'1')) =>
        {
            Some(digits(text))
        }
        Value::Number(_) => None,
        _ => numbers(value).filter(|path| path.iter().all(|one| *one < 2)),
    }
}

const NUMBERS: &str = "whole numbers, such as [5, 12, 19] or \"5, 12, 19\"";
const PATH: &str = "a text of 0 and 1, such as \"01101001\"";
const LISTS: &str = "lists of whole numbers, such as [[0, 2], [1, 3]] or \"0,2; 1,3\"";
const SYMBOLS: &str = "symbols, such as [\"heads\", \"tails\"] or \"heads, tails\"";
const MULTIPLIER: &str = "a multiplier with at most two decimals, such as 1.83";
const WITH_POINT: &str = "a multiplier with a point, or without the comma";
const CONTRIBUTIONS: &str = "a list of objects with \"from\" and \"seed\"";

/// More digits before or after the point than any result has. A number whose first digit, other than
/// 0, is farther from the point is only very large or very small.
const FAR: i64 = 400;

/// A JSON number with an exponent in the digits of its value. `None` for one that has none.
fn without_exponent(number: &str) -> Option<String> {
    let (mantissa, exponent) = number.split_once(['e', 'E'])?;
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{decimals}");
    let digits = all.trim_start_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    let [before, zeros, length] = [whole.len(), all.len() - digits.len(), digits.len()]
        .map(|length| i64::try_from(length).unwrap_or(i64::MAX));
    let shift =
        exponent.parse().unwrap_or(if exponent.starts_with('-') { i64::MIN } else { i64::MAX });
    // The digits before the point. It may be beyond the digits on either side.
    let point = shift.saturating_add(before - zeros).clamp(-FAR, length.saturating_add(FAR));
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    Some(match usize::try_from(point).ok().and_then(|point| digits.split_at_checked(point)) {
        Some(("", after)) => format!("0.{after}"),
        Some((before, "")) => before.to_owned(),
        Some((before, after)) => format!("{before}.{after}"),
        None if point < 0 => format!("0.{}{digits}", zeros(point.saturating_neg())),
        None => format!("{digits}{}", zeros(point.saturating_sub(length))),
    })
}

/// A number in digits, without leading zeros.
fn integer(value: &Value<'_>) -> Option<u64> {
    let (Value::Text(text) | Value::Number(text)) = value else { return None };
    let plain = text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'));
    plain.then(|| text.parse().ok())?.filter(|&number| number <= Nonce::MAX)
}

/// A contribution as in a log's entry. The signature of its checkpoint is not needed to replay.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    from: String,
    seed: String,
    seen: Option<GivenSeen>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenSeen {
    size: u64,
    root: String,
    #[serde(rename = "signature")]
    _signature: Option<IgnoredAny>,
}

fn contributions(json: &str) -> Result<Vec<Contribution>, String> {
    let given: Vec<Given> =
        serde_json::from_str(json).map_err(|error| json_in_words(&error.to_string()))?;
    given.into_iter().map(contribution).collect()
}

fn contribution(given: Given) -> Result<Contribution, String> {
    let mut one = Contribution::new(given.from, given.seed).map_err(|error| error.to_string())?;
    if let Some(seen) = given.seen {
        let root = Digest::parse(&seen.root).map_err(|error| format!("root: {error}"))?;
        let size = Some(seen.size).filter(|size| *size <= Nonce::MAX);
        let size = size.ok_or_else(|| format!("size: {INTEGER} expected, {} found", seen.size))?;
        one.seen = Some(Seen { size, root: *root.as_bytes() });
    }
    Ok(one)
}

fn cards(column: Column, value: &Value<'_>) -> Result<Vec<Card>, PlayError> {
    let read = match value {
        Value::Text(text) => read_cards(text),
        Value::List(items) => items.iter().map(|item| read_card(item)).collect(),
        _ => {
            return Err(PlayError::wrong(
                column,
                "cards, such as [\"10H\", \"AS\"]",
                value.shown(),
            ));
        }
    };
    read.map_err(|error| PlayError::wrong(column, "cards such as 10H", error.found()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exponent_moves_the_point() {
        let plain = [
            ("774e-2", "7.74"),
            ("7.74e0", "7.74"),
            ("0.0774E+2", "00007.74"),
            ("1e2", "100"),
            ("12e-2", "0.12"),
            ("12e-3", "0.012"),
            ("0e9", "0000000000"),
            ("1.5e1", "15"),
        ];
        for (number, wanted) in plain {
            let found = without_exponent(number).expect(number);
            assert_eq!(Cents::parse(&found).ok(), Cents::parse(wanted).ok(), "{number}: {found}");
        }
        assert_eq!(without_exponent("7.74"), None);
        let zeros = "0".repeat(500);
        for (number, wanted) in [
            (format!("0.{zeros}181e501"), Some("1.81")),
            (format!("181{zeros}e-502"), Some("1.81")),
            ("181e-0000000002".to_owned(), Some("1.81")),
            (format!("0.{zeros}181e700"), None),
            (format!("181{zeros}e-700"), None),
        ] {
            let found = without_exponent(&number).expect("one");
            assert_eq!(Cents::parse(&found).ok(), wanted.and_then(|of| Cents::parse(of).ok()));
        }
        for far in ["1e99999999999999999999", "1e-99999999999999999999", "1e400", "1e-401"] {
            let found = without_exponent(far).expect(far);
            assert!(matches!(Cents::parse(&found), Err(CentsError::Finer(_))), "{far}");
        }
        assert!(matches!(
            Cents::parse(&without_exponent("-1e2").expect("one")),
            Err(CentsError::Other(_))
        ));
    }
}
