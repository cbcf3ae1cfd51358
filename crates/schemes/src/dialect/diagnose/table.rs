//! The usual confusions (spec/dialects.md 16.4). If several explain the same rows, the first one is
//! named.

use std::borrow::Cow;

use icu_normalizer::{
    ComposingNormalizerBorrowed as Composing, DecomposingNormalizerBorrowed as Decomposing,
};
use sha2::{Digest as _, Sha256};

use super::failures::{Case, Side};
use crate::dialect::round::read_hex32;
use crate::dialect::{ALL, Column, Dialect, HexForm, Round, Scheme};
use fairdeal::deal::Card;
use fairdeal_audit::stats::number::real_len;

use Change::{Cards, Commitment, Exchanged, Key, Near, Number};
use Column::{ClientSeed, GameId, Nonce, ServerSeed};
use Side::{Next, Previous};

/// A confusion: a row of the table.
pub(super) struct Confusion {
    /// A short name that stays.
    pub(super) code: Cow<'static, str>,
    /// A clause that follows "would if".
    pub(super) says: Cow<'static, str>,
    pub(super) change: Change,
}

/// The change of a confusion.
#[derive(Clone, Copy)]
pub(super) enum Change {
    /// The commitment is the SHA-256 of these bytes, made from the server seed.
    Commitment(fn(&str) -> Option<Vec<u8>>),
    /// The nonce, or the game with its steps, is so much greater.
    Number(Column, i64),
    /// A seed is written in another way.
    Text(Column, Write),
    /// The round is of another dialect.
    Dialect(&'static Dialect),
    /// The form in which the server seed enters the HMAC.
    Key(HexForm),
    /// The row shows the dealt cards in another way, one of at most so many.
    Cards(Fits, fn(usize) -> f64),
    /// A column has the previous or the next value of the file.
    Near(Column, Side),
    /// The server seed and this column change places.
    Exchanged(Column),
}

/// Gives the row the dealt cards, if it shows them in another way.
type Fits = fn(&[Card], &mut Round<'static>) -> Option<()>;

/// Writes a seed in another way.
type Write = fn(&str) -> String;

type Row = (&'static str, &'static str, Change);

#[rustfmt::skip]
const BEFORE: [Row; 7] = [
    ("commitment-of-text",
        "the commitment is the SHA-256 of the server seed's text, not of its decoded bytes",
        Commitment(|seed| Some(seed.into()))),
    ("commitment-of-decoded",
        "the commitment is the SHA-256 of the server seed's decoded bytes, not of its text",
        Commitment(|seed| hex::decode(seed).ok())),
    ("commitment-of-line", "the commitment is the SHA-256 of the server seed's text and a line feed",
        Commitment(|seed| Some(format!("{seed}\n").into()))),
    ("nonce-less", "the nonce is one less", Number(Nonce, -1)),
    ("nonce-more", "the nonce is one more", Number(Nonce, 1)),
    ("game-less", "the game is the one before", Number(GameId, -1)),
    ("game-more", "the game is the one after", Number(GameId, 1)),
];

/// The ways to write a seed: the end of the code, the end of the clause, and the way.
#[rustfmt::skip]
const WRITTEN: [(&str, &str, Write); 9] = [
    ("lower", "is written in lower case", str::to_lowercase),
    ("upper", "is written in upper case", str::to_uppercase),
    ("trimmed", "has no white space around it", |seed| seed.trim().to_owned()),
    ("no-apostrophe", "does not begin with an apostrophe",
        |seed| seed.strip_prefix('\'').unwrap_or(seed).to_owned()),
    ("visible", "has no invisible characters", |seed| seed.replace(is_invisible, "")),
    ("straight-quotes", "has straight quotes, not curly ones",
        |seed| seed.replace(['‘', '’'], "'").replace(['“', '”'], "\"")),
    ("unescaped", "has \"&\" in the place of \"&amp;\", and so on", unescaped),
    ("nfc", "is in the Unicode form NFC", |seed| Composing::new_nfc().normalize(seed).into_owned()),
    ("nfd", "is in the Unicode form NFD", |seed| Decomposing::new_nfd().normalize(seed).into_owned()),
];

#[rustfmt::skip]
const AFTER: [Row; 12] = [
    ("key-text", "the server seed enters the HMAC as its text, not decoded", Key(HexForm::Text)),
    ("key-decoded", "the server seed enters the HMAC decoded, not as its text",
        Key(HexForm::Decoded)),
    ("suits-exchanged", "the suits of a fresh deck have another order", Cards(resuited, |_| 24.0)),
    ("cards-reordered", "the row's cards have another order", Cards(reordered, orders)),
    ("server-seed-previous", "the server seed is the previous one of the file",
        Near(ServerSeed, Previous)),
    ("server-seed-next", "the server seed is the next one of the file", Near(ServerSeed, Next)),
    ("commitment-previous", "the commitment is the previous one of the file",
        Near(Column::Commitment, Previous)),
    ("commitment-next", "the commitment is the next one of the file",
        Near(Column::Commitment, Next)),
    ("client-seed-previous", "the client seed is the previous one of the file",
        Near(ClientSeed, Previous)),
    ("client-seed-next", "the client seed is the next one of the file", Near(ClientSeed, Next)),
    ("columns-exchanged", "server seed and client seed change places", Exchanged(ClientSeed)),
    ("hash-exchanged", "server seed and commitment change places", Exchanged(Column::Commitment)),
];

/// The confusions of a dialect's rows.
pub(super) fn of(dialect: &'static Dialect) -> impl Iterator<Item = Confusion> {
    let row =
        |(code, says, change): Row| Confusion { code: code.into(), says: says.into(), change };
    let is_like =
        |other: &&Dialect| other.name != dialect.name && other.shows[0] == dialect.shows[0];
    let other = |other: &'static Dialect| Confusion {
        code: format!("dialect-{}", other.name).into(),
        says: format!("the round is of the dialect {}", other.name).into(),
        change: Change::Dialect(other),
    };
    let others = ALL.into_iter().filter(is_like).map(other);
    BEFORE.map(row).into_iter().chain(written()).chain(others).chain(AFTER.map(row))
}

/// The confusions of how a seed is written.
fn written() -> impl Iterator<Item = Confusion> {
    [(ServerSeed, "server"), (ClientSeed, "client")].into_iter().flat_map(|(column, name)| {
        WRITTEN.map(|(code, says, write)| Confusion {
            code: format!("{name}-seed-{code}").into(),
            says: format!("the {name} seed {says}").into(),
            change: Change::Text(column, write),
        })
    })
}

/// The round with a seed written in a way that may have been meant, and a clause such as "the
/// server seed is written in lower case". Upper case is not meant, and lower case only of hex.
#[must_use]
pub fn meant(round: &Round<'_>) -> Vec<(Cow<'static, str>, Round<'static>)> {
    let mut found = Vec::new();
    for Confusion { code, says, change } in written().filter(|one| !one.code.ends_with("upper")) {
        let mut round = round.clone().into_owned();
        let Change::Text(column, write) = change else { continue };
        let Some(text) = text_of(&mut round, column) else { continue };
        let is_hex = text.trim().bytes().all(|byte| byte.is_ascii_hexdigit());
        let other = write(text);
        if !other.is_empty() && other != *text && (is_hex || !code.ends_with("lower")) {
            *text = other.into();
            found.push((says, round));
        }
    }
    found
}

/// A row with its scheme, to be changed.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) dialect: &'static Dialect,
    pub(super) scheme: Scheme,
    pub(super) round: Round<'static>,
}

impl Change {
    /// Changes a row, whose seeds deal the cards `dealt`. `None` if it has nothing to change,
    /// `false` if what it has is not the confusion.
    pub(super) fn apply(self, trial: &mut Trial, case: &Case, dealt: &[Card]) -> Option<bool> {
        let Trial { dialect, scheme, round } = trial;
        match self {
            Commitment(of) => {
                let commitment = round.commitment.take().filter(|_| case.is_shut)?;
                let hash: [u8; 32] = Sha256::digest(of(round.server_seed.as_deref()?)?).into();
                return Some(commitment == hash);
            }
            Number(Nonce, by) => round.nonce = Some(round.nonce?.checked_add_signed(by)?),
            Number(_, by) => {
                for number in [&mut round.game_id, &mut round.chain_steps].into_iter().flatten() {
                    *number = number.checked_add_signed(by)?;
                }
            }
            Self::Text(ClientSeed, write) if round.client_seed.is_none() => {
                for one in round.contributions.as_mut()? {
                    one.seed = fairdeal::deal::ClientSeed::new(write(one.seed.as_str())).ok()?;
                }
            }
            Self::Text(column, write) => {
                let text = text_of(round, column).as_mut()?;
                *text = write(text).into();
            }
            Self::Dialect(other) => (*dialect, *scheme) = (other, other.scheme),
            Key(form) => scheme.seed = form,
            Cards(fits, _) => {
                let dealt = dealt.get(..round.shown().len()).filter(|dealt| !dealt.is_empty())?;
                return Some(fits(dealt, round).is_some());
            }
            Near(Column::Commitment, side) => {
                *round.commitment.as_mut()? =
                    case.near(Column::Commitment, side)?.try_into().ok()?;
            }
            Near(column, side) => {
                let value = case.near(column, side)?.to_vec();
                *text_of(round, column).as_mut()? = String::from_utf8(value).ok()?.into();
            }
            Exchanged(Column::Commitment) => {
                let seed = hex::encode(round.commitment?);
                round.commitment = Some(read_hex32(round.server_seed.as_deref()?)?);
                round.server_seed = Some(seed.into());
            }
            Exchanged(_) => {
                std::mem::swap(round.server_seed.as_mut()?, round.client_seed.as_mut()?);
            }
        }
        Some(true)
    }

    /// In how many ways it may change a row of so many cards, at most.
    pub(super) fn ways(self, cards: usize) -> f64 {
        if let Cards(_, ways) = self { ways(cards) } else { 1.0 }
    }
}

fn text_of<'r>(round: &'r mut Round<'static>, column: Column) -> &'r mut Option<Cow<'static, str>> {
    if column == ServerSeed { &mut round.server_seed } else { &mut round.client_seed }
}

/// A soft hyphen, what has no width, and the selectors of variations.
fn is_invisible(one: char) -> bool {
    matches!(one, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe0e}'..='\u{fe0f}' | '\u{feff}')
}

fn unescaped(seed: &str) -> String {
    let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    escapes.iter().fold(seed.to_owned(), |text, (escape, one)| text.replace(escape, one))
}

/// The row's suits are those of the deal under other names, in every column.
fn resuited(dealt: &[Card], round: &mut Round<'static>) -> Option<()> {
    let mut names: Vec<(u8, u8)> = Vec::new();
    for (shown, dealt) in round.shown().iter().zip(dealt) {
        let ([rank, from], [same, to]) = (*shown.as_bytes(), *dealt.as_bytes());
        let is_new = names.iter().all(|(one, other)| *one != from && *other != to);
        if is_new {
            names.push((from, to));
        }
        (rank == same && names.contains(&(from, to))).then_some(())?;
    }
    let renamed = |card: &Card| {
        let [rank, suit] = *card.as_bytes();
        let name = names.iter().find(|(from, _)| *from == suit);
        Card::parse([rank, name.map_or(suit, |(_, to)| *to)])
    };
    for cards in [&mut round.cards, &mut round.held, &mut round.last].into_iter().flatten() {
        *cards = cards.iter().map(renamed).collect::<Option<_>>()?;
    }
    Some(())
}

/// The row's cards are those of the deal in another order.
fn reordered(dealt: &[Card], round: &mut Round<'static>) -> Option<()> {
    let sorted = |cards: &[Card]| {
        let mut cards = cards.to_vec();
        cards.sort_unstable();
        cards
    };
    (sorted(dealt) == sorted(round.shown())).then(|| round.cards = Some(dealt.to_vec()))
}

/// The orders of so many cards.
fn orders(cards: usize) -> f64 {
    (1..=cards).map(real_len).product()
}
