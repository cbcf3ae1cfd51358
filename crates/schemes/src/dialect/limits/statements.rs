//! Statements on what rows of a scheme show and do not show. `statements.json` has the texts.
//!
//! Every dialect has the same codes in the same order, so that nobody takes a missing code for
//! "shown".

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::SeedSize;
use crate::dialect::{Committed, Dialect, HexForm, Rotation};
use fairdeal::named;

/// One thing that is or is not shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// A code that stays: `commitment`, `seed`, `rotation`, `committed-first`, `client-seed`,
    /// `last-speaker`, `secrecy`, `order`, `completeness`, `aborts`, `time`, `same-for-all`,
    /// `stakes`, `also`.
    pub code: &'static str,
    /// Whether it is shown.
    pub standing: Standing,
    /// The statement in words.
    pub says: Cow<'static, str>,
}

named! {
    /// Whether something is shown.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    Standing {
        /// It describes the scheme: there is nothing to show.
        Property = "property",
        /// A row that verifies shows it.
        Shown = "shown",
        /// A row shows some of it.
        InPart = "in part",
        /// The log of the round shows it, a row does not.
        InTheLog = "in the log",
        /// Nothing shows it.
        NotShown = "not shown",
    }
}

/// A line of `statements.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    code: &'static str,
    /// The kinds of schemes that it is true of; without it, all.
    of: Option<Vec<&'static str>>,
    standing: Standing,
    says: &'static str,
}

/// Each code once and in order, then the dialect's further remarks.
pub(super) fn of(dialect: &Dialect, seed: SeedSize) -> Vec<Statement> {
    let rests_on = match (dialect.rotation, dialect.scheme.committed) {
        (Rotation::AtWill, _) => "seeds",
        (Rotation::EachRound, _) => "rounds",
        (Rotation::Chain, Committed::Unknown) => "unknown-chain",
        (Rotation::Chain, _) => "chain",
        (Rotation::Logged, _) => "log",
    };
    let opens = match dialect.scheme.committed {
        Committed::Hash(HexForm::Text) => "hash-text",
        Committed::Hash(HexForm::Decoded) => "hash-decoded",
        Committed::Chain(HexForm::Text) => "link-text",
        Committed::Chain(HexForm::Decoded) => "link-decoded",
        Committed::Unknown => "no-rule",
    };
    let lines: Vec<Line> =
        serde_json::from_str(include_str!("statements.json")).expect("a test parses it");
    let is_true = |line: &Line| {
        line.of.as_ref().is_none_or(|kinds| kinds.contains(&rests_on) || kinds.contains(&opens))
    };
    let statement = |line: Line| Statement {
        code: line.code,
        standing: line.standing,
        says: match line.says {
            "{seed}" => seed_in_words(dialect.seed, seed).into(),
            "{last}" => dialect.last.into(),
            says => says.into(),
        },
    };
    let also = |says: &&'static str| Statement {
        code: "also",
        standing: Standing::Property,
        says: (*says).into(),
    };
    lines.into_iter().filter(is_true).map(statement).chain(dialect.also.iter().map(also)).collect()
}

fn seed_in_words(seed: &str, size: SeedSize) -> String {
    let Some(bits) = size.bits else { return seed.to_owned() };
    let Some(results) = size.result_bits else { return format!("{seed}; at most {bits} bits") };
    let cannot_come = if bits < results {
        ": nearly all orders cannot occur, whatever the client seed"
    } else {
        ""
    };
    format!("{seed}; at most {bits} bits, where some {results} decide a round{cannot_come}")
}
