//! What a round's row shows of its scheme and what it leaves open, in words: `statements.json` says them.
//!
//! The same codes for every dialect, so that what is not said of one cannot be read as shown. What differs comes from how
//! the dialect commits, when its seeds change, and its own words on who speaks last.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::SeedSize;
use crate::dialect::Dialect;
use crate::dialect::scheme::{Committed, HexForm, Rotation};

/// Every code but `also`, in the order in which they are told.
const CODES: [&str; 13] = [
    "commitment",
    "seed",
    "rotation",
    "committed-first",
    "client-seed",
    "last-speaker",
    "secrecy",
    "order",
    "completeness",
    "aborts",
    "time",
    "same-for-all",
    "stakes",
];

/// One thing that is or is not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// Its code, which stays: `commitment`, `seed`, `rotation`, `committed-first`, `client-seed`, `last-speaker`, `secrecy`, `order`,
    /// `completeness`, `aborts`, `time`, `same-for-all`, `stakes`, `also`.
    pub code: &'static str,
    /// Whether it is shown.
    pub standing: Standing,
    /// In words.
    pub says: Cow<'static, str>,
}

/// Whether something is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// How the scheme is, which is nothing to show.
    Property,
    /// A row that checks shows it.
    Shown,
    /// Some of it is shown.
    InPart,
    /// Not by a row, but by the log that the round is in.
    InTheLog,
    /// Nothing shows it.
    NotShown,
}

impl Standing {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Property => "property",
            Self::Shown => "shown",
            Self::InPart => "in part",
            Self::InTheLog => "in the log",
            Self::NotShown => "not shown",
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A line of `statements.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    code: &'static str,
    /// Of which schemes it is true; without it, of all.
    of: Option<Vec<Kind>>,
    standing: Standing,
    says: &'static str,
}

/// What a scheme rests on, and how its commitment opens.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// A hash for each seed, which goes on as long as somebody likes.
    Seeds,
    /// A hash for each round.
    Rounds,
    /// The links of a chain that comes down to a published end.
    Chain,
    /// Links of a chain that is not known.
    UnknownChain,
    /// Our own log.
    Log,
    HashText,
    HashDecoded,
    LinkText,
    LinkDecoded,
    NoRule,
}

/// Each code once and in order, and then what else the dialect says of itself.
pub(super) fn of(dialect: &Dialect, seed: SeedSize) -> Vec<Statement> {
    let rests_on = match (dialect.rotation, dialect.scheme.committed) {
        (Rotation::AtWill, _) => Kind::Seeds,
        (Rotation::EachRound, _) => Kind::Rounds,
        (Rotation::Chain, Committed::Unknown) => Kind::UnknownChain,
        (Rotation::Chain, _) => Kind::Chain,
        (Rotation::Logged, _) => Kind::Log,
    };
    let opens = match dialect.scheme.committed {
        Committed::Hash(HexForm::Text) => Kind::HashText,
        Committed::Hash(HexForm::Decoded) => Kind::HashDecoded,
        Committed::Chain(HexForm::Text) => Kind::LinkText,
        Committed::Chain(HexForm::Decoded) => Kind::LinkDecoded,
        Committed::Unknown => Kind::NoRule,
    };
    let lines: Vec<Line> =
        serde_json::from_str(include_str!("statements.json")).expect("a test parses it for every dialect");
    let is_true =
        |of: &Option<Vec<Kind>>| of.as_ref().is_none_or(|of| of.contains(&rests_on) || of.contains(&opens));
    let property = |code, says| Statement { code, standing: Standing::Property, says };
    let statement = |code| match code {
        "seed" => property(code, seed_in_words(dialect.seed, seed).into()),
        "last-speaker" => property(code, dialect.last.into()),
        _ => {
            let line = lines.iter().find(|line| line.code == code && is_true(&line.of));
            let line = line.expect("a test finds each code for every dialect");
            Statement { code, standing: line.standing, says: line.says.into() }
        }
    };
    let also = dialect.also.iter().map(|says| property("also", (*says).into()));
    CODES.into_iter().map(statement).chain(also).collect()
}

fn seed_in_words(is: &str, size: SeedSize) -> String {
    match (size.bits, size.result_bits) {
        (Some(bits), Some(results)) if bits < results => format!(
            "{is}; at most {bits} bits, where some {results} decide a round: whatever the client seed, nearly all orders \
             cannot come"
        ),
        (Some(bits), Some(results)) => {
            format!("{is}; at most {bits} bits, where some {results} decide a round")
        }
        (Some(bits), None) => format!("{is}; at most {bits} bits"),
        (None, _) => is.to_owned(),
    }
}
