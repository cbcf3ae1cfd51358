//! Hash chains: a game's hash, hashed repeatedly, becomes a hash that was published before any
//! game.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest as _, Sha256};

use super::{Column, HexForm, PlayError};

/// A chain whose end was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The hash that every link leads to.
    pub end: [u8; 32],
    /// The game whose hash would be the end.
    pub end_game: u64,
    /// The first game that was dealt by the scheme.
    pub first_game: u64,
    /// The last game that was dealt by the scheme.
    pub last_game: u64,
    /// An upper bound of the chain's length, in links.
    pub longest: u64,
    /// The public salt that every game's hash is mixed with.
    pub salt: &'static str,
}

impl Published {
    /// Whether a game was dealt by the scheme.
    pub(super) fn covers(&self, game: u64) -> Result<(), PlayError> {
        let Self { first_game, last_game, .. } = *self;
        if (first_game..=last_game).contains(&game) {
            return Ok(());
        }
        let expected = if game < first_game {
            format!("{first_game} or later, as earlier games were dealt in another way")
        } else {
            format!("{last_game} or earlier, as later games were dealt in another way")
        };
        Err(PlayError::wrong(Column::GameId, &expected, game))
    }
}

/// A walk remembers the links whose distance to the end is a multiple of this.
const EVERY: u64 = 1_024;

/// Refuted links that are remembered: those of some dozens of walks down to the end.
const MOST_REFUTED: usize = 1 << 17;

/// The links of a chain that are known so far.
#[derive(Clone, Debug)]
pub struct HashChain {
    published: Published,
    form: HexForm,
    /// Links that lead to the end, by their steps to it.
    known: BTreeMap<u64, [u8; 32]>,
    /// The steps of each known link.
    steps: HashMap<[u8; 32], u64>,
    /// Hashes that do not lead to the end in the steps that were claimed, and where their walk
    /// failed.
    refuted: HashMap<([u8; 32], u64), Refuted>,
    hashes: u64,
}

/// A failed walk: the steps left to the end, the chain's link there, and the hash that was found.
#[derive(Clone, Copy, Debug)]
struct Refuted {
    left: u64,
    expected: [u8; 32],
    found: [u8; 32],
}

/// Why a hash was not shown to be a link of the chain. Hashes are in hex.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum HashChainError {
    /// The chain has another link in this place.
    #[error(
        "hashed {walked} times it is {found}, where the chain that ends in {end} has {expected}"
    )]
    Elsewhere { walked: u64, expected: String, found: String, end: String },
    /// The place is further from the end than the chain is long.
    #[error("{steps} steps from the chain's end, which is at most {longest} away")]
    TooFar { steps: u64, longest: u64 },
    /// The hash never led to the end.
    #[error("hashed {longest} times it is never {end}, the end of the chain")]
    Nowhere { longest: u64, end: String },
    /// The walk takes more hashes than the caller allows.
    #[error("the chain was not followed: that takes more hashes than are allowed")]
    NotWalked,
}

impl HashChain {
    /// A published chain of which only the end is known.
    #[must_use]
    pub fn new(published: Published, form: HexForm) -> Self {
        let (known, steps) =
            (BTreeMap::from([(0, published.end)]), HashMap::from([(published.end, 0)]));
        Self { published, form, known, steps, refuted: HashMap::new(), hashes: 0 }
    }

    /// Shows that a hash leads to the chain's end, in `steps` if they are given. Returns the steps.
    /// A walk makes one hash for each step, at most `most`, and stops within 1,024 of a link that
    /// an earlier walk passed. So a file whose hashes are all shifted is walked once.
    ///
    /// # Errors
    /// [`HashChainError`].
    pub fn opens(
        &mut self,
        hash: [u8; 32],
        steps: Option<u64>,
        most: u64,
    ) -> Result<u64, HashChainError> {
        match steps {
            Some(steps) => self.opens_in(hash, steps, most).map(|()| steps),
            None => self.opens_somewhere(hash, most),
        }
    }

    fn opens_in(&mut self, hash: [u8; 32], steps: u64, most: u64) -> Result<(), HashChainError> {
        let longest = self.published.longest;
        if steps > longest {
            return Err(HashChainError::TooFar { steps, longest });
        }
        let (&left, &expected) = self.known.range(..=steps).next_back().expect("the end is known");
        if steps - left > most {
            return Err(HashChainError::NotWalked);
        }
        let (mut at, mut link) = (steps, hash);
        let mut passed = vec![(steps, hash)];
        let mut before = self.refuted.get(&(link, at)).copied();
        while at > left && before.is_none() {
            link = self.next(&link);
            at -= 1;
            if at.is_multiple_of(EVERY) {
                before = self.refuted.get(&(link, at)).copied();
                passed.push((at, link));
            }
        }
        if before.is_none() && link == expected {
            self.remember(passed);
            return Ok(());
        }
        let refuted = before.unwrap_or(Refuted { left, expected, found: link });
        if self.refuted.len() + passed.len() > MOST_REFUTED {
            self.refuted.clear();
        }
        self.refuted.extend(passed.into_iter().map(|(at, link)| ((link, at), refuted)));
        Err(HashChainError::Elsewhere {
            walked: steps - refuted.left,
            expected: hex::encode(refuted.expected),
            found: hex::encode(refuted.found),
            end: hex::encode(self.published.end),
        })
    }

    fn opens_somewhere(&mut self, hash: [u8; 32], most: u64) -> Result<u64, HashChainError> {
        let longest = self.published.longest;
        let mut link = hash;
        let mut passed = Vec::new();
        for walked in 0..=longest {
            if let Some(left) = self.steps.get(&link) {
                let steps = walked + left;
                self.remember(passed.into_iter().map(|(at, link)| (steps - at, link)).collect());
                return Ok(steps);
            }
            if walked.is_multiple_of(EVERY) {
                passed.push((walked, link));
            }
            if walked == most {
                return Err(HashChainError::NotWalked);
            }
            link = self.next(&link);
        }
        Err(HashChainError::Nowhere { longest, end: hex::encode(self.published.end) })
    }

    fn remember(&mut self, passed: Vec<(u64, [u8; 32])>) {
        for (steps, link) in passed {
            self.known.insert(steps, link);
            self.steps.insert(link, steps);
        }
    }

    /// Hashes made so far.
    #[must_use]
    pub const fn hashes(&self) -> u64 {
        self.hashes
    }

    fn next(&mut self, link: &[u8; 32]) -> [u8; 32] {
        self.hashes += 1;
        match self.form {
            HexForm::Decoded => Sha256::digest(link).into(),
            HexForm::Text => Sha256::digest(hex::encode(link)).into(),
        }
    }
}
