//! Checks a round by its scheme: does the commitment open, does the result follow
//! (spec/dialects.md, checks).

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use super::{
    Column, Committed, Dialect, DialectOutcome, GameValue, HashChain, HexForm, Keyed, Play,
    PlayError, Published, Role, Round, Scheme, card, game_value::EITHER, round::read_hex32,
};
use fairdeal::deal::{Card, decode_hex};
use fairdeal::named;
use fairdeal_audit::stats::number::index;

named! {
    /// The verdict on a row: the first that applies, from the last to the first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    RowVerdict {
        /// The result follows from the seeds. The commitment opens, or none is shown.
        Valid = "valid",
        /// The result does not follow from the seeds. The commitment opens, or none is shown.
        ResultMismatch = "result-mismatch",
        /// The game's hash does not lead to the chain's end.
        ChainMismatch = "chain-mismatch",
        /// The server seed does not open the commitment.
        CommitmentMismatch = "commitment-mismatch",
        /// A column that the check needs is missing or malformed.
        Unreadable = "unreadable",
    }
}

/// A verdict with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The verdict.
    pub verdict: RowVerdict,
    /// A sentence: what was expected and what was found, or what was not shown.
    pub says: Cow<'static, str>,
}

/// Whether a commitment opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommitmentOpening {
    /// It opens.
    Opens,
    /// No commitment is shown.
    NotShown,
    /// A commitment is shown, and the scheme's sources give no rule that opens it.
    NoRule,
    /// It does not open, for this reason.
    Mismatch(RowVerdict, String),
}

/// A row of mines without their number shows nothing if it does not fit.
const UNCOUNTED: &str = "mine_count: expected the number of mines, found nothing; the numbers are \
 not the first mines, and may be the tiles that the player opened";

/// Checks rounds of one scheme. Computes once what consecutive rounds share.
#[derive(Clone, Debug)]
pub struct Checker {
    dialect: &'static Dialect,
    scheme: Scheme,
    keyed: Keyed,
    /// The last server seed and its hash.
    hashed: (String, [u8; 32]),
    /// A buffer for the seed's bytes.
    decoded: Vec<u8>,
    /// Shared by clones, so that it is walked once.
    chain: Option<Arc<Mutex<HashChain>>>,
    /// The number of hashes that this checker may still make along the chain.
    walks: u64,
}

impl Checker {
    /// A checker of a dialect's rounds.
    #[must_use]
    pub fn new(dialect: &'static Dialect) -> Self {
        Self::reading(dialect, dialect.scheme)
    }

    /// A checker for another scheme. Its verdicts are not verdicts on the dialect's rounds.
    #[must_use]
    pub fn reading(dialect: &'static Dialect, scheme: Scheme) -> Self {
        let chain = match (dialect.published, scheme.committed) {
            (Some(published), Committed::Chain(form)) => {
                Some(Arc::new(Mutex::new(HashChain::new(published, form))))
            }
            _ => None,
        };
        let hashed = (String::new(), Sha256::digest([]).into());
        Self {
            dialect,
            scheme,
            keyed: Keyed::default(),
            hashed,
            decoded: Vec::new(),
            chain,
            walks: u64::MAX,
        }
    }

    /// The same, but making at most so many hashes along the chain.
    pub(super) fn walking(&self, hashes: u64) -> Self {
        Self { walks: hashes, ..self.clone() }
    }

    /// The dialect.
    #[must_use]
    pub fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// The verdict on a round. A mismatch of a row that has lost its seed shows nothing: the row is
    /// unreadable.
    pub fn check(&mut self, round: &Round<'_>) -> Checked {
        let (verdict, says) = match self.judge(round) {
            Ok(says) => return Checked { verdict: RowVerdict::Valid, says },
            Err(failed) => failed,
        };
        // What opens a commitment is a seed, whatever it looks like.
        let has_opened = verdict == RowVerdict::ResultMismatch
            && round.commitment.is_some()
            && self.scheme.committed != Committed::Unknown;
        if verdict == RowVerdict::ResultMismatch && !self.dialect.counts_mines(round) {
            let says = Cow::Borrowed(UNCOUNTED);
            return Checked { verdict: RowVerdict::Unreadable, says };
        }
        let says = match lost(round).filter(|_| !has_opened) {
            None => return Checked { verdict, says: Cow::Owned(says) },
            Some(found) if verdict == RowVerdict::Unreadable => {
                format!("{says}; the server seed is {found}")
            }
            Some(found) => format!("server_seed: expected the seed, found {found}"),
        };
        Checked { verdict: RowVerdict::Unreadable, says: Cow::Owned(says) }
    }

    /// Why the row is valid, or what is wrong with it.
    fn judge(&mut self, round: &Round<'_>) -> Result<Cow<'static, str>, (RowVerdict, String)> {
        let unreadable = |error: &PlayError| (RowVerdict::Unreadable, error.to_string());
        let differs = |says| (RowVerdict::ResultMismatch, says);
        let dialect = self.dialect;
        dialect.asks(round).map_err(|error| unreadable(&error))?;
        let outcome = self.outcome(round, round.shown().len());
        // A malformed row is unreadable, whatever else is wrong with it.
        if let Err(error @ (PlayError::Missing { .. } | PlayError::Wrong { .. })) = &outcome {
            return Err(unreadable(error));
        }
        let says = match self.opens(round).map_err(|error| unreadable(&error))? {
            CommitmentOpening::Mismatch(verdict, says) => return Err((verdict, says)),
            CommitmentOpening::Opens => {
                "the commitment opens and the result follows from the seeds"
            }
            CommitmentOpening::NotShown => {
                "the result follows from the seeds; no commitment was shown"
            }
            CommitmentOpening::NoRule => {
                "the result follows from the seeds; the sources of this scheme do not say how a \
                 commitment opens, so the one shown was not checked"
            }
        };
        let outcome = outcome.map_err(|error| differs(error.to_string()))?;
        let mut play = |want| self.outcome(round, want);
        settles(dialect, &outcome, round, &mut play).map_err(differs)?;
        let remarks = [
            (!dialect.counts_mines(round)).then_some("the number of mines was not shown"),
            reading(&outcome, round),
        ];
        let told = remarks.into_iter().flatten();
        Ok(told.fold(Cow::Borrowed(says), |says, remark| Cow::Owned(format!("{says}; {remark}"))))
    }

    /// Whether the round's commitment opens. A chain is walked to the nearest known link.
    ///
    /// # Errors
    /// [`PlayError`] if the server seed is malformed.
    pub fn opens(&mut self, round: &Round<'_>) -> Result<CommitmentOpening, PlayError> {
        let Some(commitment) = round.commitment else { return Ok(CommitmentOpening::NotShown) };
        let form = match self.scheme.committed {
            Committed::Hash(form) => form,
            Committed::Chain(_) => return self.comes_down(round, commitment),
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
        let says = format!(
            "the SHA-256 of the server seed's {of} is {hashed}, the commitment is {expected}"
        );
        Ok(CommitmentOpening::Mismatch(RowVerdict::CommitmentMismatch, says))
    }

    fn comes_down(
        &mut self,
        round: &Round<'_>,
        commitment: [u8; 32],
    ) -> Result<CommitmentOpening, PlayError> {
        let mismatch = |says| Ok(CommitmentOpening::Mismatch(RowVerdict::ChainMismatch, says));
        let hash = round.game_hash()?;
        let (Some(chain), Some(published)) = (&self.chain, self.dialect.published) else {
            return Ok(CommitmentOpening::NoRule);
        };
        let Published { end, end_game, .. } = published;
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
        let mut chain = chain.lock().unwrap_or_else(PoisonError::into_inner);
        let before = chain.hashes();
        let opened = chain.opens(hash, steps, self.walks);
        self.walks -= chain.hashes() - before;
        match opened {
            Ok(steps) => published.covers(end_game + steps).map(|()| CommitmentOpening::Opens),
            Err(error) => mismatch(error.to_string()),
        }
    }

    /// The result of a round's seeds: at least the first `want` cards or all of them, or a
    /// multiplier.
    ///
    /// # Errors
    /// [`PlayError`].
    pub fn outcome(&mut self, round: &Round<'_>, want: usize) -> Result<DialectOutcome, PlayError> {
        match self.scheme.role {
            Role::Key => {
                let seed = round.server_seed()?;
                match self.scheme.seed {
                    HexForm::Text => self.keyed.set(seed.as_bytes()),
                    HexForm::Decoded => self.keyed.set_by(|key| decode(self.dialect, seed, key))?,
                }
            }
            Role::Message => self.keyed.set(self.dialect.client_seed(round)?.as_bytes()),
        }
        self.dialect.play(&self.scheme, &mut self.keyed, round, want)
    }
}

/// What is in the place of the seed, in a row that has lost it (spec/dialects.md 16.3).
pub(super) fn lost(round: &Round<'_>) -> Option<&'static str> {
    let seed = round.server_seed.as_deref()?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_rounded = seed.split_once("E+").or_else(|| seed.split_once("e+")).is_some_and(
        |(number, exponent)| number.splitn(2, ['.', ',']).all(digits) && digits(exponent),
    );
    if round.commitment.is_some() && read_hex32(seed) == round.commitment {
        Some("the commitment itself, not the text that it is the hash of")
    } else if is_rounded {
        Some("a number that a spreadsheet rounded")
    } else if seed.contains(['*', '•', '…'])
        || seed.trim_matches([' ', '\t', '\r', '\n']).contains(' ')
    {
        Some("a text that may be in the place of a seed that is not revealed")
    } else {
        None
    }
}

/// Whether every column of a row agrees with the outcome. `play` plays the round for so many cards.
fn settles(
    dialect: &Dialect,
    outcome: &DialectOutcome,
    round: &Round<'_>,
    play: Play<'_>,
) -> Result<(), String> {
    follows(dialect, outcome, round)?;
    if let (Some(published), Some(salt)) = (dialect.published, &round.client_seed)
        && *salt != published.salt
    {
        let salted = published.salt;
        return Err(format!(
            "the result follows from the salt {salt:?}; the published one is {salted}"
        ));
    }
    let shown = round.shown().len();
    if round.full == Some(true)
        && let Some(items) = dialect.deck_items(round)
        && index(items) != shown
    {
        return Err(format!(
            "the deck has {items} cards, the row that is said to be full shows {shown}"
        ));
    }
    (dialect.agrees)(round, play)
}

/// Decodes a seed's hex digits into `bytes`.
fn decode(dialect: &Dialect, seed: &str, bytes: &mut Vec<u8>) -> Result<(), PlayError> {
    let digits = dialect.seed_digits;
    bytes.resize(seed.len() >> 1, 0);
    let fits = digits.is_none_or(|digits| seed.len() == digits);
    match decode_hex(seed.as_bytes(), bytes) {
        Some(()) if fits => Ok(()),
        _ => Err(PlayError::wrong_hex(Column::ServerSeed, digits.unwrap_or(64), seed)),
    }
}

/// Whether the row shows the outcome.
fn follows(dialect: &Dialect, outcome: &DialectOutcome, round: &Round<'_>) -> Result<(), String> {
    match outcome {
        DialectOutcome::Cards(cards) => begins(cards, round.shown()),
        DialectOutcome::Result(accepted) => {
            if round.result.is_some_and(|result| accepted.has(result)) {
                return Ok(());
            }
            let finer = || round.finer.as_deref().unwrap_or("nothing").to_owned();
            let shown = round.result.map_or_else(finer, |result| result.to_string());
            let or = accepted.other.map_or_else(String::new, |(other, _)| format!(" or {other}"));
            Err(format!("the seeds give {}{or}, the row says {shown}", accepted.first))
        }
        DialectOutcome::Cells(cells) => {
            cells.iter().try_for_each(|(column, dealt)| match round.cell(*column) {
                Some(shown) if !dialect.agrees_in(*column, dealt, shown) => {
                    let shown = dialect.in_words(shown);
                    Err(format!("{column}: the seeds give {dealt}, the row says {shown}"))
                }
                _ => Ok(()),
            })
        }
    }
}

/// Which reading a row took where the sources leave two.
fn reading(outcome: &DialectOutcome, round: &Round<'_>) -> Option<&'static str> {
    match outcome {
        DialectOutcome::Result(accepted) => accepted.reading(round.result?),
        DialectOutcome::Cells(cells) => {
            let is_open = |dealt: &GameValue| matches!(dealt, GameValue::Names(all) if all.iter().any(|one| one == EITHER));
            cells
                .iter()
                .any(|(_, dealt)| is_open(dealt))
                .then_some("one source says heads and another one tails for one of the flips")
        }
        DialectOutcome::Cards(_) => None,
    }
}

/// Whether the deal begins with the cards that are shown.
fn begins(dealt: &[Card], shown: &[Card]) -> Result<(), String> {
    let differs = shown.iter().zip(dealt).position(|(shown, dealt)| shown != dealt);
    let Some(at) = differs.or((shown.len() > dealt.len()).then_some(dealt.len())) else {
        return Ok(());
    };
    let named = |cards: &[Card]| {
        cards.get(at).map_or_else(|| "none".to_owned(), |one| card::Foreign(*one).to_string())
    };
    let (dealt, shown) = (named(dealt), named(shown));
    let at = at.saturating_add(1);
    Err(format!("card {at}, counted from 1: the seeds give {dealt}, the row says {shown}"))
}
