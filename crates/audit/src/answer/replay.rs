//! A deal derived from its seeds, without a log (spec/shuffle.md): the answer of `fairdeal replay`.

use std::fmt;

use serde::Serialize;

use super::revealed::{NotRevealed, Revealed};
use super::trace::{TraceStep, Tracer};
use fairdeal::deal::{
    Commitment, Contributions, Deck, Digest, List, Method, Nonce, Plan, PlanError, SealKey, Sealed,
    ServerSeed, digest_of_items,
};
use fairdeal::record::entry::MAX_INDICES;
use fairdeal::record::receipt::Document;

/// The maximum of item numbers in a trace: a million, some megabytes of text.
const MOST_TRACED: u64 = 1 << 20;

/// A round that can be dealt.
pub struct Replay {
    pub seed: ServerSeed,
    pub players: Contributions,
    pub nonce: Nonce,
    pub plan: Plan,
    pub shuffled: Shuffled,
    /// The receipt that it is from.
    pub of: Option<Receipted>,
}

/// The receipt that a round is from.
#[derive(Clone, Debug)]
pub struct Receipted {
    pub file: String,
    /// Why the receipt shows another result; `None` if it shows this one.
    pub differs: Option<String>,
}

/// The items that are shuffled: a deck of cards, a list of named items, or numbers.
#[derive(Clone, Debug)]
pub enum Shuffled {
    /// A deck of cards.
    Deck(Deck),
    /// A list of named items.
    List(List),
    /// So many items of a list that the reader does not have.
    Count(u32),
}

/// A deal cannot be derived.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The bytes are no receipt.
    #[error("expected a receipt: {0}")]
    NotAReceipt(String),
    /// The receipt's round cannot be dealt again.
    #[error("{0}")]
    NotRevealed(String),
    /// The receipt's seed is not the promised one.
    #[error("{0}")]
    WrongSeed(String),
    /// Method, items and draw do not fit together.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A trace prints the whole deck after every swap.
    #[error("expected items × draw of at most {MOST_TRACED}, found {0}")]
    LongTrace(u64),
}

impl From<NotRevealed> for ReplayError {
    fn from(error: NotRevealed) -> Self {
        match error {
            NotRevealed::WrongSeed(_) => Self::WrongSeed(error.to_string()),
            error => Self::NotRevealed(error.to_string()),
        }
    }
}

/// The deal.
#[derive(Debug, Serialize)]
pub struct ReplayAnswer {
    /// The round of a receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Whether the seeds give the result that the receipt shows; `None` without a receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<bool>,
    pub commitment: Commitment,
    nonce: Nonce,
    pub key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    indices: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    pub words: Vec<u32>,
    pub rejected: u64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub seals: Option<Sealing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<TraceStep>>,
}

/// The seals of a sealed deal.
#[derive(Debug, Serialize)]
pub struct Sealing {
    pub seal: Digest,
    pub card_seals: Vec<Digest>,
    pub salts: Vec<String>,
}

impl Shuffled {
    fn items(&self) -> u32 {
        match self {
            Self::Deck(deck) => deck.items(),
            Self::List(list) => list.deck().items(),
            Self::Count(count) => *count,
        }
    }

    /// The items as cards, if they are cards.
    fn cards(&self, items: &[u32]) -> Option<String> {
        match self {
            Self::Deck(deck) => deck.text_of(items).ok(),
            Self::List(_) | Self::Count(_) => None,
        }
    }
}

impl From<Deck> for Shuffled {
    /// A list of which only the digest is known is shuffled as numbers.
    fn from(deck: Deck) -> Self {
        match deck {
            Deck::Named(_) => Self::Deck(deck),
            Deck::List { .. } => Self::Count(deck.items()),
        }
    }
}

impl Replay {
    /// A round from its seeds; `draw` is all items if it is not given.
    ///
    /// # Errors
    /// [`PlanError`] if method, items and draw do not fit together.
    pub fn by_hand(
        seed: ServerSeed,
        players: Contributions,
        nonce: Nonce,
        shuffled: Shuffled,
        (method, draw): (Method, Option<u32>),
    ) -> Result<Self, PlanError> {
        let items = shuffled.items();
        let plan = Plan::new(method, items, draw.unwrap_or(items))?;
        Ok(Self { seed, players, nonce, plan, shuffled, of: None })
    }

    /// The round of a receipt whose seed is revealed. Its signatures are not verified: that is
    /// `verify`.
    ///
    /// # Errors
    /// [`ReplayError`] if the bytes are no receipt, or its seed is not revealed or not the promised
    /// one.
    pub fn of_receipt(file: &str, bytes: &[u8]) -> Result<Self, ReplayError> {
        let document =
            Document::parse(bytes).map_err(|error| ReplayError::NotAReceipt(error.to_string()))?;
        Self::of_revealed(file, Revealed::of(document.receipt())?, None).map_err(ReplayError::Plan)
    }

    /// The round of a receipt that was read, and the list that it deals, if the reader has it.
    pub fn of_revealed(
        file: &str,
        revealed: Revealed,
        list: Option<List>,
    ) -> Result<Self, PlanError> {
        let commit = &revealed.commit;
        let shuffled = list.map_or_else(|| commit.deck.into(), Shuffled::List);
        let plan = commit.plan()?;
        Ok(Self {
            players: revealed.mixed().clone(),
            nonce: revealed.nonce(),
            plan,
            shuffled,
            of: Some(Receipted { file: file.to_owned(), differs: revealed.differs() }),
            seed: revealed.seed,
        })
    }

    /// Its server seed.
    #[must_use]
    pub fn seed(&self) -> &ServerSeed {
        &self.seed
    }

    /// Deals, with the seals of a sealed deal and every draw if they are asked for.
    ///
    /// # Errors
    /// [`ReplayError::LongTrace`].
    pub fn answer(&self, sealed: bool, trace: bool) -> Result<ReplayAnswer, ReplayError> {
        self.deal(sealed, trace).map(|(answer, _)| answer)
    }

    /// The answer, and the item numbers in deal order.
    pub fn deal(&self, sealed: bool, trace: bool) -> Result<(ReplayAnswer, Vec<u32>), ReplayError> {
        let Self { seed, players, nonce, plan, shuffled, of } = self;
        let traced = u64::from(shuffled.items()) * u64::from(plan.draw());
        if trace && traced > MOST_TRACED {
            return Err(ReplayError::LongTrace(traced));
        }
        let (commitment, mac, nonce) = (seed.commitment(), seed.mac(), *nonce);
        let key = mac.deal_key(nonce, players);
        let mut stream = key.words();
        let mut words = Vec::new();
        let next = || {
            let word = stream.next_word();
            words.push(word);
            word
        };
        let (dealt, steps) = if trace {
            let mut recorder = Tracer::new(|deck| shuffled.cards(deck));
            let dealt = plan.deal_from(next, &mut recorder);
            (dealt, Some(recorder.steps))
        } else {
            (plan.deal_from(next, &mut ()), None)
        };
        let seals = sealed.then(|| {
            let sealed =
                SealKey::derive(&mac, nonce, players).seal(&commitment, nonce, &dealt.items);
            Sealing::of(&sealed)
        });
        let cards = shuffled.cards(&dealt.items);
        let long = cards.is_none() && plan.draw() > MAX_INDICES;
        let answer = ReplayAnswer {
            file: of.as_ref().map(|of| of.file.clone()),
            follows: of.as_ref().map(|of| of.differs.is_none()),
            commitment,
            nonce,
            key: key.reveal(),
            indices: cards.is_none().then(|| dealt.items.clone()),
            digest: long.then(|| digest_of_items(&dealt.items)),
            cards,
            words,
            rejected: dealt.rejected,
            seals,
            steps,
        };
        Ok((answer, dealt.items))
    }
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay")
            .field("nonce", &self.nonce)
            .field("plan", &self.plan)
            .finish_non_exhaustive()
    }
}

impl Sealing {
    fn of(sealed: &Sealed) -> Self {
        Self {
            seal: sealed.seal(),
            card_seals: sealed.card_seals().to_vec(),
            salts: sealed.salts().iter().map(hex::encode).collect(),
        }
    }
}
