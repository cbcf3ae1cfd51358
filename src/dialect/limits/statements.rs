//! The fixed list: what a round's row shows of its scheme and what it leaves open, in words.
//!
//! The same codes for every dialect, so that what is not said of one cannot be read as shown. What differs comes from the
//! dialect's own choices: how it commits, when its seeds change, and its own words on who speaks last.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use super::SeedSize;
use crate::dialect::Dialect;
use crate::dialect::about::Rotation;
use crate::dialect::scheme::{Committed, Form};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// What a scheme rests on: of each kind the same things are open.
#[derive(Clone, Copy)]
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
}

pub(super) fn of(dialect: &dyn Dialect, seed: SeedSize) -> Vec<Statement> {
    let (about, scheme) = (dialect.about(), dialect.scheme());
    let kind = match (about.rotation, scheme.committed) {
        (Rotation::AtWill, _) => Kind::Seeds,
        (Rotation::EachRound, _) => Kind::Rounds,
        (Rotation::Chain, Committed::Unknown) => Kind::UnknownChain,
        (Rotation::Chain, _) => Kind::Chain,
        (Rotation::Logged, _) => Kind::Log,
    };
    let property = |code, says| Statement { code, standing: Standing::Property, says };
    let mut all = vec![
        commitment(scheme.committed),
        property("seed", Cow::Owned(seed_in_words(about.seed, seed))),
        rotation(kind),
        committed_first(kind),
        client_seed(kind),
        property("last-speaker", Cow::Borrowed(about.last)),
        Statement {
            code: "secrecy",
            standing: Standing::NotShown,
            says: Cow::Borrowed("that nobody at the table knew the server seed while it was secret"),
        },
        order(kind),
        completeness(kind),
        aborts(kind),
        time(kind),
        same_for_all(kind),
        Statement {
            code: "stakes",
            standing: Standing::NotShown,
            says: Cow::Borrowed(
                "what was shown at the table, what was staked and what was paid: a row holds the result only",
            ),
        },
    ];
    all.extend(about.also.iter().map(|says| property("also", Cow::Borrowed(*says))));
    all
}

fn said(code: &'static str, standing: Standing, says: &'static str) -> Statement {
    Statement { code, standing, says: Cow::Borrowed(says) }
}

fn commitment(committed: Committed) -> Statement {
    let (standing, says) = match committed {
        Committed::Hash(Form::Text) => (
            Standing::Property,
            "SHA-256 of the server seed's text, the characters as they are written, and not of bytes that they stand for",
        ),
        Committed::Hash(Form::Decoded) => (
            Standing::Property,
            "SHA-256 of the bytes that the server seed's hex digits stand for, and not of its text",
        ),
        Committed::Chain(Form::Decoded) => (
            Standing::Property,
            "one for all games, the end of a chain: SHA-256, time and again, of the bytes of a game's hash",
        ),
        Committed::Chain(Form::Text) => (
            Standing::Property,
            "one for all games, the end of a chain: SHA-256, time and again, of a game's hash as hex text",
        ),
        Committed::Unknown => (
            Standing::NotShown,
            "that the seed was fixed before the round: the sources give no rule by which a commitment would open, and none is \
             checked",
        ),
    };
    said("commitment", standing, says)
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

fn rotation(kind: Kind) -> Statement {
    let (standing, says) = match kind {
        Kind::Seeds => (
            Standing::NotShown,
            "that the server seed was not picked: a new one may begin at any round, at nonce 0 again, so whoever knows or \
             guesses the client seed can try seeds until one pleases and commit to that. Every such round verifies; only many \
             commitments that never pass nonce 0 are a sign",
        ),
        Kind::Rounds => (
            Standing::NotShown,
            "that the server seed was not picked: each round has one of its own, at nonce 0, so whoever knows what else goes in \
             before committing can try seeds until one pleases. Every such round verifies",
        ),
        Kind::Chain => (
            Standing::InPart,
            "the game hashes cannot be exchanged once the end is published; that the chain itself was not picked among many is \
             not shown",
        ),
        Kind::UnknownChain => (
            Standing::NotShown,
            "that the game hash was not picked: it is said to be a link of a chain, and no row shows that it is",
        ),
        Kind::Log => (
            Standing::InTheLog,
            "which commitments a table had, one after the other, and how many rounds each was used for: `audit` counts them. A \
             row does not show it",
        ),
    };
    said("rotation", standing, says)
}

fn committed_first(kind: Kind) -> Statement {
    let (standing, says) = match kind {
        Kind::Seeds => (
            Standing::NotShown,
            "that the commitment was made before the client seed was known: a row holds both and says nothing of when",
        ),
        Kind::Rounds => (
            Standing::NotShown,
            "that the commitment was made before what the client side brings was known: a row holds both and says nothing of \
             when",
        ),
        Kind::Chain => (
            Standing::NotShown,
            "that the chain's end was published before the salt was known and before the games: only who kept it from then on \
             can tell",
        ),
        Kind::UnknownChain => (
            Standing::NotShown,
            "that the game hash was fixed before the salt was known: a row holds both and says nothing of when",
        ),
        Kind::Log => (
            Standing::InTheLog,
            "a contribution may name the commitment, or a checkpoint that holds it; `verify` says whether it does",
        ),
    };
    said("committed-first", standing, says)
}

fn client_seed(kind: Kind) -> Statement {
    let (standing, says) = match kind {
        Kind::Seeds => (
            Standing::NotShown,
            "whose choice the client seed was: one that the operator's page proposed, and the player kept, brings nothing",
        ),
        Kind::Rounds => {
            (Standing::NotShown, "that what the client side brings comes from where it is said to come")
        }
        Kind::Chain | Kind::UnknownChain => {
            (Standing::NotShown, "that the salt was chance, and nothing that somebody chose")
        }
        Kind::Log => (
            Standing::InTheLog,
            "who brought which seed, under a name of their own; that it was their choice, only they can say",
        ),
    };
    said("client-seed", standing, says)
}

fn order(kind: Kind) -> Statement {
    let (standing, says) = match kind {
        Kind::Seeds => (
            Standing::NotShown,
            "which commitment came after which; rounds under one commitment are numbered by their nonces",
        ),
        Kind::Rounds => (Standing::NotShown, "which round came after which"),
        Kind::Chain => {
            (Standing::Shown, "each game has one place on the chain, before the one and after the other")
        }
        Kind::UnknownChain => (Standing::NotShown, "which game came after which: their chain is not known"),
        Kind::Log => (Standing::InTheLog, "rounds and commitments follow each other as the log says"),
    };
    said("order", standing, says)
}

fn completeness(kind: Kind) -> Statement {
    let (standing, says) = match kind {
        Kind::Seeds => (
            Standing::NotShown,
            "that no round is missing: a nonce that is left out can be seen, a commitment that is left out cannot",
        ),
        Kind::Rounds | Kind::UnknownChain => (Standing::NotShown, "that no round is missing"),
        Kind::Chain => (
            Standing::InPart,
            "a game that is left out is a gap in the numbers, and its hash follows from later ones; that a game was played is \
             not shown",
        ),
        Kind::Log => {
            (Standing::InTheLog, "`audit` finds missing rounds; one row knows nothing of the others")
        }
    };
    said("completeness", standing, says)
}

fn aborts(kind: Kind) -> Statement {
    let (standing, says) = match kind {
        Kind::Log => {
            (Standing::InTheLog, "what was called off, and with which reason: voids are entries of the log")
        }
        _ => (
            Standing::NotShown,
            "how many rounds were called off, and which: no column tells a round that was played from one that was not",
        ),
    };
    said("aborts", standing, says)
}

fn time(kind: Kind) -> Statement {
    let (standing, says) = match kind {
        Kind::Log => (
            Standing::InTheLog,
            "by the operator's clock only; checkpoints that others kept say what was there by when",
        ),
        _ => (Standing::NotShown, "when anything happened"),
    };
    said("time", standing, says)
}

fn same_for_all(kind: Kind) -> Statement {
    let (standing, says) = match kind {
        Kind::Seeds | Kind::Rounds => (
            Standing::NotShown,
            "that everybody was shown the same: a row is what one was shown, and only players who compare find that another was \
             shown something else",
        ),
        Kind::Chain => (
            Standing::InPart,
            "one end of the chain holds for everybody who checks against it; that all were shown the same results is not shown",
        ),
        Kind::UnknownChain => {
            (Standing::NotShown, "that everybody was shown the same hash and the same salt")
        }
        Kind::Log => (Standing::InTheLog, "by comparing checkpoints; a row does not show it"),
    };
    said("same-for-all", standing, says)
}
