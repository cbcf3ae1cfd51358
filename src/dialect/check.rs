//! A round held against its scheme: does the commitment open, does the result follow (spec/dialects.md, checks).

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use super::chain::{Allowance, Chain, Published};
use super::digests::Keyed;
use super::play::{PlayError, RoundOutcome};
use super::round::{Column, Round, read_hex32};
use super::scheme::{Committed, HexForm, Role, Scheme};
use super::{Dialect, card};
use crate::deal::{Card, decode_hex};

/// What a row comes to. The first that applies, in this order from the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowVerdict {
    /// The result follows from the seeds, and the commitment opens where one is shown.
    Valid,
    /// The commitment opens, or none is shown, and the result does not follow.
    ResultMismatch,
    /// The game hash does not come down to the chain's end.
    ChainMismatch,
    /// The server seed does not open the commitment.
    CommitmentMismatch,
    /// It cannot be checked: something is missing, or is not what it should be.
    Unreadable,
}

impl RowVerdict {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Valid, Self::ResultMismatch, Self::ChainMismatch, Self::CommitmentMismatch, Self::Unreadable];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::ResultMismatch => "result-mismatch",
            Self::ChainMismatch => "chain-mismatch",
            Self::CommitmentMismatch => "commitment-mismatch",
            Self::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for RowVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A verdict and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The verdict.
    pub verdict: RowVerdict,
    /// What was expected and what came, or what was not shown.
    pub says: Cow<'static, str>,
}

/// Whether a commitment opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitmentOpening {
    /// It does.
    Opens,
    /// None is shown.
    NotShown,
    /// One is shown, and the scheme's sources give no rule by which it would open.
    NoRule,
    /// It does not: why.
    Mismatch(RowVerdict, String),
}

/// Checks rounds of one scheme one after the other; what rounds share is computed once.
#[derive(Clone, Debug)]
pub struct Checker {
    dialect: &'static Dialect,
    scheme: Scheme,
    keyed: Keyed,
    /// The last server seed and its hash.
    hashed: (String, [u8; 32]),
    /// Room for its bytes.
    decoded: Vec<u8>,
    /// Shared by clones, so that it is walked once.
    chain: Option<Arc<Mutex<Chain>>>,
}

impl Checker {
    /// A checker of a dialect's rounds.
    #[must_use]
    pub fn new(dialect: &'static Dialect) -> Self {
        Self::reading(dialect, dialect.scheme)
    }

    /// A checker of a dialect's rounds with some of its choices changed: what holds then does not hold of the dialect.
    #[must_use]
    pub fn reading(dialect: &'static Dialect, scheme: Scheme) -> Self {
        let chain = match (dialect.published, scheme.committed) {
            (Some(published), Committed::Chain(form)) => {
                Some(Arc::new(Mutex::new(Chain::new(published, form))))
            }
            _ => None,
        };
        let hashed = (String::new(), Sha256::digest([]).into());
        Self { dialect, scheme, keyed: Keyed::default(), hashed, decoded: Vec::new(), chain }
    }

    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// The choices that are read by.
    #[must_use]
    pub const fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// The verdict on a round.
    pub fn check(&mut self, round: &Round<'_>) -> Checked {
        let (verdict, says) = self.judge(round).unwrap_or_else(|(verdict, says)| (verdict, Cow::Owned(says)));
        Checked { verdict, says }
    }

    fn judge(&mut self, round: &Round<'_>) -> Result<(RowVerdict, Cow<'static, str>), (RowVerdict, String)> {
        let unreadable = |error: PlayError| (RowVerdict::Unreadable, error.to_string());
        let differs = |says| (RowVerdict::ResultMismatch, says);
        let dialect = self.dialect;
        dialect.asks(round).map_err(unreadable)?;
        let want = round.cards.as_ref().map_or(0, Vec::len);
        // What can't be read comes first: it leaves nothing to judge.
        let outcome = match self.outcome(round, want) {
            Err(error @ (PlayError::Missing { .. } | PlayError::Wrong { .. })) => {
                return Err(unreadable(error));
            }
            outcome => outcome,
        };
        let says = match self.opens(round).map_err(unreadable)? {
            CommitmentOpening::Mismatch(verdict, says) => return Err((verdict, says)),
            CommitmentOpening::Opens => "the commitment opens and the result follows from the seeds",
            CommitmentOpening::NotShown => "the result follows from the seeds; no commitment was shown",
            CommitmentOpening::NoRule => {
                "the result follows from the seeds; how a commitment of this scheme opens is not in its sources, so the one \
                 shown was not checked"
            }
        };
        let outcome = outcome.map_err(|error| differs(error.to_string()))?;
        let mut play = |want| self.outcome(round, want);
        settles(dialect, &outcome, round, &mut play).map_err(differs)?;
        Ok((RowVerdict::Valid, Cow::Borrowed(says)))
    }

    /// Whether the round's commitment opens. A chain is walked to its end, or to where another round came by.
    ///
    /// # Errors
    /// [`PlayError`] where the server seed is not what the scheme takes.
    pub fn opens(&mut self, round: &Round<'_>) -> Result<CommitmentOpening, PlayError> {
        self.opens_within(round, &mut Allowance::of(u64::MAX))
    }

    /// As [`Checker::opens`], a chain being walked for so many hashes at most: what would take more does not open.
    ///
    /// # Errors
    /// [`PlayError`].
    pub(super) fn opens_within(
        &mut self,
        round: &Round<'_>,
        allowed: &mut Allowance,
    ) -> Result<CommitmentOpening, PlayError> {
        let Some(commitment) = round.commitment else { return Ok(CommitmentOpening::NotShown) };
        let form = match self.scheme.committed {
            Committed::Hash(form) => form,
            Committed::Chain(_) => return self.comes_down(round, commitment, allowed),
            Committed::Unknown => return Ok(CommitmentOpening::NoRule),
        };
        let seed = round.server_seed()?;
        if self.hashed.0 != seed {
            let hash = match form {
                HexForm::Text => Sha256::digest(seed),
                HexForm::Decoded => {
                    decode(self.dialect, seed, &mut self.decoded)?;
                    Sha256::digest(&self.decoded)
                }
            };
            seed.clone_into(&mut self.hashed.0);
            self.hashed.1 = hash.into();
        }
        if self.hashed.1 == commitment {
            return Ok(CommitmentOpening::Opens);
        }
        let (hashed, expected) = (hex::encode(self.hashed.1), hex::encode(commitment));
        let of = if form == HexForm::Text { "text" } else { "decoded bytes" };
        let says = format!("the SHA-256 of the server seed's {of} is {hashed}, the commitment is {expected}");
        Ok(CommitmentOpening::Mismatch(RowVerdict::CommitmentMismatch, says))
    }

    fn comes_down(
        &self,
        round: &Round<'_>,
        commitment: [u8; 32],
        allowed: &mut Allowance,
    ) -> Result<CommitmentOpening, PlayError> {
        let mismatch = |says| Ok(CommitmentOpening::Mismatch(RowVerdict::ChainMismatch, says));
        let seed = round.server_seed()?;
        let hash = read_hex32(seed).ok_or_else(|| PlayError::wrong_hex(Column::ServerSeed, 64, seed))?;
        let Some(chain) = &self.chain else { return Ok(CommitmentOpening::NoRule) };
        let mut chain = chain.lock().unwrap_or_else(PoisonError::into_inner);
        let Published { end, end_game, .. } = *chain.published();
        if commitment != end {
            let (found, end) = (hex::encode(commitment), hex::encode(end));
            return mismatch(format!(
                "the chain of this scheme was published to end in {end}, the row says {found}"
            ));
        }
        let mut steps = round.chain_steps;
        if let Some(game) = round.game_id {
            let Some(by_game) = game.checked_sub(end_game) else {
                return mismatch(format!(
                    "the chain ends at game {end_game}; the row is of game {game}, before it"
                ));
            };
            if let Some(said) = steps.filter(|said| *said != by_game) {
                return mismatch(format!(
                    "game {game} is {by_game} steps from the chain's end, the row says {said}"
                ));
            }
            steps = Some(by_game);
        }
        match chain.opens_within(hash, steps, allowed) {
            Ok(steps) => chain.published().covers(end_game + steps).map(|()| CommitmentOpening::Opens),
            Err(error) => mismatch(error.to_string()),
        }
    }

    /// Whether the dialect's chain was walked to its end from anywhere.
    pub(super) fn is_walked(&self) -> bool {
        let chain = self.chain.as_ref().map(|chain| chain.lock().unwrap_or_else(PoisonError::into_inner));
        chain.is_some_and(|chain| chain.is_walked())
    }

    /// What the round's seeds give: of cards the first `want`, or as many as there are.
    ///
    /// # Errors
    /// [`PlayError`] where something is missing or not what the scheme takes, or the scheme has no answer.
    pub fn outcome(&mut self, round: &Round<'_>, want: usize) -> Result<RoundOutcome, PlayError> {
        outcome(self.dialect, &self.scheme, &mut self.keyed, round, want)
    }
}

/// What a round's seeds give under these choices.
pub(super) fn outcome(
    dialect: &Dialect,
    scheme: &Scheme,
    keyed: &mut Keyed,
    round: &Round<'_>,
    want: usize,
) -> Result<RoundOutcome, PlayError> {
    match scheme.role {
        Role::Key => {
            let seed = round.server_seed()?;
            match scheme.seed {
                HexForm::Text => keyed.set(seed.as_bytes()),
                HexForm::Decoded => keyed.set_by(|key| decode(dialect, seed, key))?,
            }
        }
        Role::Message => keyed.set(dialect.client_seed(round)?.as_bytes()),
    }
    dialect.play(scheme, keyed, round, want)
}

/// Whether a round's row states what came out, in each of its columns; `play` plays the round for so many cards.
pub(super) fn settles(
    dialect: &Dialect,
    outcome: &RoundOutcome,
    round: &Round<'_>,
    play: &mut dyn FnMut(usize) -> Result<RoundOutcome, PlayError>,
) -> Result<(), String> {
    follows(outcome, round)?;
    is_whole(dialect, round)?;
    (dialect.agrees)(round, play)
}

/// Where the row says that it shows the whole deck, whether it does.
fn is_whole(dialect: &Dialect, round: &Round<'_>) -> Result<(), String> {
    let shown = round.cards.as_ref().map_or(0, Vec::len);
    match dialect.deck_items(round) {
        Some(items) if round.full == Some(true) && usize::try_from(items) != Ok(shown) => {
            Err(format!("the deck has {items} cards, the row that is said to be full shows {shown}"))
        }
        _ => Ok(()),
    }
}

/// The bytes that a seed's hex stands for, over what is in `bytes`.
fn decode(dialect: &Dialect, seed: &str, bytes: &mut Vec<u8>) -> Result<(), PlayError> {
    let digits = dialect.seed_digits;
    bytes.resize(seed.len() >> 1, 0);
    let fits = digits.is_none_or(|digits| seed.len() == digits);
    match decode_hex(seed.as_bytes(), bytes) {
        Some(()) if fits => Ok(()),
        _ => Err(PlayError::wrong_hex(Column::ServerSeed, digits.unwrap_or(64), seed)),
    }
}

/// Whether the outcome is what the row shows.
fn follows(outcome: &RoundOutcome, round: &Round<'_>) -> Result<(), String> {
    match outcome {
        RoundOutcome::Cards(cards) => begins(cards, round.cards.as_deref().unwrap_or_default()),
        RoundOutcome::Multiplier(cents) if round.result == Some(*cents) => Ok(()),
        RoundOutcome::Multiplier(cents) => {
            let finer = || round.finer.as_deref().unwrap_or("nothing").to_owned();
            let shown = round.result.map_or_else(finer, |result| result.to_string());
            Err(format!("the seeds give {cents}, the row says {shown}"))
        }
    }
}

/// Whether the deal begins with what is shown.
fn begins(dealt: &[Card], shown: &[Card]) -> Result<(), String> {
    let differs = shown.iter().zip(dealt).position(|(shown, dealt)| shown != dealt);
    let Some(at) = differs.or((shown.len() > dealt.len()).then_some(dealt.len())) else { return Ok(()) };
    let named = |cards: &[Card]| {
        cards.get(at).map_or_else(|| "none".to_owned(), |one| card::Foreign(*one).to_string())
    };
    let (dealt, shown) = (named(dealt), named(shown));
    Err(format!("card {} is {dealt} by the seeds, the row says {shown}", at + 1))
}
