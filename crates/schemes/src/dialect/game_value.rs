//! The columns of games of numbers and symbols (spec/dialects.md 16.2), and the comparison of a
//! row's with the scheme's (16.3).

use std::fmt;

use serde::Serialize;

use super::Column;
use super::board::Board;

/// The value of such a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GameValue {
    /// `slot`, `rows`, `segments`, `mine_count`.
    Number(u64),
    /// `numbers`, `rolls`, `path`.
    Numbers(Vec<u64>),
    /// `floors`.
    Lists(Vec<Vec<u64>>),
    /// `risk`, `difficulty`, in lower case.
    Name(String),
    /// `symbols`, in lower case.
    Names(Vec<String>),
}

/// So many items of a list are shown.
const MOST: usize = 40;

/// As in a row: `5, 12, 19`. A list that is longer than any of a scheme ends with its length.
impl fmt::Display for GameValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Number(number) => number.to_string(),
            Self::Numbers(numbers) => joined(numbers, ", "),
            Self::Lists(lists) => {
                let lists: Vec<String> = lists.iter().map(|list| joined(list, ",")).collect();
                joined(&lists, "; ")
            }
            Self::Name(name) => name.clone(),
            Self::Names(names) => joined(names, ", "),
        };
        f.write_str(&text)
    }
}

fn joined(items: &[impl ToString], between: &str) -> String {
    let mut shown: Vec<String> = items.iter().take(MOST).map(ToString::to_string).collect();
    if items.len() > MOST {
        shown.push(format!("… ({} in all)", items.len()));
    }
    shown.join(between)
}

impl GameValue {
    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Number(_) => 8,
            Self::Numbers(numbers) => 8 * numbers.len(),
            Self::Lists(lists) => lists.iter().map(|list| 8 + 8 * list.len()).sum(),
            Self::Name(name) => name.len(),
            Self::Names(names) => names.iter().map(|name| 8 + name.len()).sum(),
        }
    }
}

/// A symbol that the sources leave open.
pub(super) const EITHER: &str = "heads or tails";

/// The symbol that a row means: its name, or its first letter if no other one has it.
pub(super) fn symbol(symbols: &[&'static str], shown: &str) -> Option<&'static str> {
    let mut with_letter = symbols.iter().filter(|one| shown.len() == 1 && one.starts_with(shown));
    let by_letter = with_letter.next().filter(|_| with_letter.next().is_none());
    symbols.iter().find(|one| **one == shown).or(by_letter).copied()
}

/// Whether the row's value is the scheme's: of a stream, its beginning.
pub(super) fn agrees(board: &Board, column: Column, dealt: &GameValue, shown: &GameValue) -> bool {
    match (dealt, shown) {
        (GameValue::Numbers(dealt), GameValue::Numbers(shown)) if board.is_set() => {
            let sorted = |numbers: &[u64]| {
                let mut numbers = numbers.to_vec();
                numbers.sort_unstable();
                numbers
            };
            sorted(dealt) == sorted(shown)
        }
        (GameValue::Numbers(dealt), GameValue::Numbers(shown)) if column == Column::Rolls => {
            dealt.starts_with(shown)
        }
        (GameValue::Lists(dealt), GameValue::Lists(shown)) => dealt.starts_with(shown),
        (GameValue::Names(dealt), GameValue::Names(shown)) => {
            let is = |(dealt, shown): (&String, &String)| {
                dealt == EITHER || symbol(board.symbols(), shown) == Some(dealt)
            };
            shown.len() <= dealt.len() && dealt.iter().zip(shown).all(is)
        }
        _ => dealt == shown,
    }
}
