//! JSON with changes in its structure: types exchanged, arrays for objects, numbers in other
//! spellings, members added, dropped, doubled, reordered, long or deep. serde's and Python's
//! readers accept some of it; the specification may not.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use serde_json::Value;

use crate::dice::Dice;

/// JSON as written: members may occur twice, numbers have any spelling, texts any escapes.
#[derive(Clone, Debug)]
pub enum Json {
    /// A number, null, true, false, or a text with its quotes, as written.
    Word(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Array(items) => Self::Array(items.iter().map(Self::of).collect()),
            Value::Object(members) => Self::Object(
                members.iter().map(|(name, value)| (name.clone(), Self::of(value))).collect(),
            ),
            word => Self::Word(word.to_string()),
        }
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Word(word) => out.push_str(word),
            Self::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    out.push_str(&Value::from(name.as_str()).to_string());
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// Sorts members by their names, as in canonical JSON: without other changes, the result is
    /// canonical.
    pub fn sort(&mut self) {
        match self {
            Self::Word(_) => {}
            Self::Array(items) => items.iter_mut().for_each(Self::sort),
            Self::Object(members) => {
                for (_, value) in members.iter_mut() {
                    value.sort();
                }
                members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            }
        }
    }

    /// Changes one thing at a place of its choice.
    pub fn mutate(&mut self, dice: &mut Dice) {
        match self {
            Self::Object(members) if !members.is_empty() && !dice.one_in(4) => {
                let at = dice.below(members.len());
                if dice.one_in(3) {
                    change_members(members, at, dice);
                } else {
                    members[at].1.mutate(dice);
                }
            }
            Self::Array(items) if !items.is_empty() && !dice.one_in(4) => {
                let at = dice.below(items.len());
                if dice.one_in(3) {
                    change_items(items, at, dice);
                } else {
                    items[at].mutate(dice);
                }
            }
            _ => self.exchange(dice),
        }
    }

    /// Another value in its place: of another type, or the same in another spelling.
    fn exchange(&mut self, dice: &mut Dice) {
        let as_items = match self {
            Self::Object(members) => Some(members.iter().map(|(_, value)| value.clone()).collect()),
            _ => None,
        };
        let as_members = match self {
            Self::Array(items) => Some(
                items.iter().enumerate().map(|(at, item)| (at.to_string(), item.clone())).collect(),
            ),
            _ => None,
        };
        *self = match (self.clone(), as_items, as_members) {
            (_, Some(items), _) if !dice.one_in(3) => Self::Array(items),
            (_, _, Some(members)) if !dice.one_in(3) => Self::Object(members),
            (Self::Word(word), ..) if dice.one_in(3) => {
                Self::Object(vec![(word.replace('"', ""), word_of("null"))])
            }
            (Self::Word(word), ..) if dice.one_in(3) => Self::Array(vec![Self::Word(word)]),
            (Self::Word(word), ..) if !dice.one_in(3) => Self::Word(spelled(&word, dice)),
            (value, ..) if dice.one_in(10) => {
                nested(value, *dice.of(&[2, 60, 120, 124, 125, 126, 127, 128, 200]), dice)
            }
            _ => odd(dice),
        };
    }
}

fn word_of(word: &str) -> Json {
    Json::Word(word.to_owned())
}

fn odd(dice: &mut Dice) -> Json {
    let word = *dice.of(&[
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "1.5",
        "\"\"",
        "\"x\"",
        "9007199254740991",
        "9007199254740992",
        "1048576",
        "65536",
        "\"seeds\"",
        "\"hashes\"",
        "\"commit\"",
        "\"standard-52\"",
        "\"\u{7f}\"",
        "\"\u{10000}\"",
    ]);
    match dice.below(8) {
        0 => Json::Array(Vec::new()),
        1 => Json::Object(Vec::new()),
        2 => Json::Word(format!("\"{}\"", "ab".repeat(32))),
        3 => Json::Word(format!(
            "\"{}\"",
            "x".repeat(*dice.of(&[64, 65, 128, 129, 256, 257, 70_000]))
        )),
        _ => word_of(word),
    }
}

fn nested(value: Json, depth: usize, dice: &mut Dice) -> Json {
    let in_objects = dice.one_in(2);
    let wrap = |inner, _| {
        if in_objects {
            Json::Object(vec![("a".to_owned(), inner)])
        } else {
            Json::Array(vec![inner])
        }
    };
    (0..depth).fold(value, wrap)
}

/// The same number or text in another spelling, or one near it.
fn spelled(word: &str, dice: &mut Dice) -> String {
    if let Some(text) = word.strip_prefix('"').and_then(|word| word.strip_suffix('"')) {
        let cut = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(at, _)| at);
        let at = cut(dice.below(text.chars().count().max(1)));
        let (before, after) = text.split_at(at);
        let rest: String = after.chars().skip(1).collect();
        return match dice.below(9) {
            0 => format!("\"{}\"", text.to_uppercase()),
            1 => format!("\"{before}{rest}\""),
            2 => format!(
                "\"{before}{}{rest}\"",
                *dice.of(&["0", "f", "A", "=", "T", "\\u0041", "\\n", "\\/", "\u{e9}"])
            ),
            3 => format!(
                "\"{text}{}\"",
                *dice.of(&[" ", "0", "=", "\\u0000", "\\ud800", "\\ud83d\\ude00", "\u{200b}"])
            ),
            4 => format!("\" {text}\""),
            5 => text.to_owned(),
            6 => format!("\"{}\"", text.repeat(2)),
            7 => format!(
                "\"{}{after}\"",
                after.chars().next().map_or(String::new(), |c| c.to_string())
            ),
            _ => format!("\"{}\"", text.chars().rev().collect::<String>()),
        };
    }
    let number: u64 = word.parse().unwrap_or(1);
    match dice.below(12) {
        0 => format!("{word}.0"),
        1 => format!("{word}e0"),
        2 => format!("-{word}"),
        3 => format!("0{word}"),
        4 => format!("{word}.5"),
        5 => format!("\"{word}\""),
        6 => number.wrapping_add(1).to_string(),
        7 => number.saturating_sub(1).to_string(),
        8 => format!("{word}000000000000000000000"),
        9 => "1e400".to_owned(),
        10 => number.saturating_mul(1000).to_string(),
        _ => (*dice.of(&["0", "1", "9007199254740991", "9007199254740992", "9007199254740993"]))
            .to_owned(),
    }
}

fn change_members(members: &mut Vec<(String, Json)>, at: usize, dice: &mut Dice) {
    match dice.below(7) {
        0 => drop(members.remove(at)),
        1 => members.push((
            dice.of(&["extra", "signed", "seen", "key", "nonce", "ext", ""]).to_string(),
            odd(dice),
        )),
        2 => {
            let again = members[at].clone();
            members.push(again);
        }
        3 => {
            let name = members[at].0.clone();
            members.push((name, odd(dice)));
        }
        4 => {
            let with = dice.below(members.len());
            members.swap(at, with);
        }
        5 => {
            let with = dice.below(members.len());
            members[at].1 = members[with].1.clone();
        }
        _ => members[at].0 = format!("{}{}", members[at].0, *dice.of(&["zz", "Q", "\u{0}"])),
    }
}

fn change_items(items: &mut Vec<Json>, at: usize, dice: &mut Dice) {
    match dice.below(5) {
        0 => drop(items.remove(at)),
        1 => {
            let again = items[at].clone();
            items.push(again);
        }
        2 => items.swap(0, at),
        3 => items.clear(),
        _ => {
            let again = items[at].clone();
            let times = *dice.of(&[2, 64, 65]);
            items.extend(std::iter::repeat_n(again, times));
        }
    }
}
