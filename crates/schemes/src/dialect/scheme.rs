//! The choices in which schemes differ, as values.

use super::DeckOrder;

/// The form of a hex text that is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HexForm {
    /// The characters themselves.
    Text,
    /// The bytes that the hex digits are.
    Decoded,
}

/// The rule by which a commitment opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Committed {
    /// SHA-256 of the server seed in this form.
    Hash(HexForm),
    /// The end of a hash chain: SHA-256, repeated, of the game's hash in this form.
    Chain(HexForm),
    /// No rule is known.
    Unknown,
}

impl Committed {
    /// The form that is hashed.
    pub(super) fn form(self) -> Option<HexForm> {
        match self {
            Self::Hash(form) | Self::Chain(form) => Some(form),
            Self::Unknown => None,
        }
    }
}

/// The place of the server seed in the HMAC; the client seed is in the other place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It is the key.
    Key,
    /// It is the message.
    Message,
}

/// When a new server seed begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// Whenever the player or the operator wants; nonces then begin at 0.
    AtWill,
    /// In every round.
    EachRound,
    /// Never: all games are links of one chain that was made before the first game.
    Chain,
    /// As the log says.
    Logged,
}

/// The meaning of a message's last number, which is counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CursorCounts {
    /// Digests: the eight words of each are used one after the other.
    Digests,
    /// Draws: each has its own digest, the first one that of this number.
    Draws(u64),
    /// The position that is settled: each draw has its own digest.
    Positions,
    /// Nothing: the message has no such number, and the round one draw.
    Nothing,
}

/// The way from numbers to the order of cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Walk {
    /// Fisher–Yates from the last position down.
    Backward,
    /// Fisher–Yates from the first position up.
    Forward,
    /// Each number takes a card out, and the later cards close the gap.
    Remove,
    /// Each number names a card of a full deck.
    Replace,
}

/// The way from a 32-bit word to a number below a range, with the words that are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mapping {
    /// floor(word × range / 2^32), none refused.
    Multiply,
    /// floor(word × range / 2^32), refused where the product's low half is under 2^32 mod range.
    Exact,
    /// word mod range, none refused.
    Remainder,
    /// word mod range; words from the largest multiple of the range up to this number are refused.
    Modulo(u64),
}

/// The choices of a scheme, each of which its description must fix.
#[expect(missing_docs, reason = "said at the types")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scheme {
    pub committed: Committed,
    /// The form in which the server seed enters the HMAC.
    pub seed: HexForm,
    pub role: Role,
    pub cursor: CursorCounts,
    pub mapping: Mapping,
    pub walk: Walk,
    /// A fresh deck.
    pub deck: DeckOrder,
}

impl Scheme {
    /// A scheme of multipliers. The choices of cards are unused.
    pub(super) const fn of_multiplier(committed: Committed, seed: HexForm, role: Role) -> Self {
        Self {
            committed,
            seed,
            role,
            cursor: CursorCounts::Digests,
            mapping: Mapping::Multiply,
            walk: Walk::Replace,
            deck: super::stake::DECK,
        }
    }
}

impl Mapping {
    /// The number below `range` that a word gives; `None` if the word is refused.
    #[must_use]
    #[inline]
    pub fn settle(self, word: u32, range: u32) -> Option<u32> {
        match self {
            Self::Multiply => Some(word.carrying_mul(range, 0).1),
            // Biased, as the scheme is.
            Self::Remainder => word.checked_rem(range),
            Self::Exact => {
                let (low, high) = word.carrying_mul(range, 0);
                let excess = range.wrapping_neg().checked_rem(range)?;
                (low >= excess).then_some(high)
            }
            // No bias: the number of words that are left is a multiple of the range.
            Self::Modulo(_) => {
                word.checked_rem(range).filter(|_| u64::from(word) < self.limit(range))
            }
        }
    }

    /// The first word that is refused as too great; 2^32 if none is.
    #[must_use]
    #[inline]
    pub fn limit(self, range: u32) -> u64 {
        match self {
            Self::Multiply | Self::Remainder | Self::Exact => 1 << 32,
            Self::Modulo(most) => {
                let limit = most.saturating_sub(most.checked_rem(u64::from(range)).unwrap_or(most));
                limit.min(1 << 32)
            }
        }
    }
}
