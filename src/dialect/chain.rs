//! Hash chains: a game's hash, hashed time and again, comes down to a hash that was published before any game.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest as _, Sha256};

use super::play::PlayError;
use super::round::Column;
use super::scheme::HexForm;

/// A chain that was published, and how its links are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// What every link comes down to.
    pub end: [u8; 32],
    /// The game whose hash the end would be.
    pub end_game: u64,
    /// The first game that the scheme was used for.
    pub first_game: u64,
    /// More links than the chain can have.
    pub longest: u64,
    /// What every game's hash is mixed with.
    pub salt: &'static str,
}

impl Published {
    /// Whether a game was dealt by the scheme.
    ///
    /// # Errors
    /// [`PlayError::Wrong`] for an earlier one.
    pub fn covers(&self, game: u64) -> Result<(), PlayError> {
        if game >= self.first_game {
            return Ok(());
        }
        let expected = format!("{} or later, as earlier games were dealt in another way", self.first_game);
        Err(PlayError::wrong(Column::GameId, &expected, game))
    }
}

/// Links between two that are remembered: a walk from anywhere comes to one after so many.
const EVERY: u64 = 1_024;

/// What is known of a chain: links that were shown to come down to its end.
#[derive(Clone, Debug)]
pub struct Chain {
    published: Published,
    form: HexForm,
    /// By the steps that are left to the end.
    known: BTreeMap<u64, [u8; 32]>,
    steps: HashMap<[u8; 32], u64>,
    /// Links, by the steps at which they were said to stand, that were walked from and came out wrong, and how.
    refuted: HashMap<([u8; 32], u64), Refuted>,
}

/// How a walk came out wrong.
#[derive(Clone, Copy, Debug)]
struct Refuted {
    /// Where it ended.
    stop: u64,
    /// What the chain has there.
    expected: [u8; 32],
    /// What came.
    found: [u8; 32],
}

/// Refuted links that are remembered: those of some dozens of walks down to the end.
const MOST_REFUTED: usize = 1 << 17;

/// How many hashes a walk may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// What is left.
    pub(super) hashes: u64,
    /// Whether a walk was not made because it would have taken more.
    pub(super) short: bool,
}

impl Allowance {
    pub(super) const fn of(hashes: u64) -> Self {
        Self { hashes, short: false }
    }

    /// Takes so many, or nothing where fewer are left.
    fn take(&mut self, hashes: u64) -> bool {
        let left = self.hashes.checked_sub(hashes);
        self.short |= left.is_none();
        self.hashes = left.unwrap_or(self.hashes);
        left.is_some()
    }
}

/// A hash is no link of the chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// Hashed so often, it is not what stands there.
    #[error("hashed {walked} times it is {found}, where the chain that ends in {end} has {expected}")]
    Elsewhere {
        /// How often it was hashed.
        walked: u64,
        /// The link that the chain has there, as hex.
        expected: String,
        /// What came, as hex.
        found: String,
        /// The chain's end, as hex.
        end: String,
    },
    /// It would be further from the end than the chain is long.
    #[error("{steps} steps from the chain's end, which is at most {longest} away")]
    TooFar {
        /// How far it would be.
        steps: u64,
        /// The chain's length.
        longest: u64,
    },
    /// Hashed as often as the chain is long, it never came to its end.
    #[error("hashed {longest} times it is never {end}, the end of the chain")]
    Nowhere {
        /// The chain's length.
        longest: u64,
        /// Its end, as hex.
        end: String,
    },
    /// The walk was not made.
    #[error("the chain was not walked: that takes more hashes than are allowed")]
    NotWalked,
}

impl Chain {
    /// A published chain, of which only its end is known yet.
    #[must_use]
    pub fn new(published: Published, form: HexForm) -> Self {
        let (known, steps) = (BTreeMap::from([(0, published.end)]), HashMap::from([(published.end, 0)]));
        Self { published, form, known, steps, refuted: HashMap::new() }
    }

    /// Its end.
    #[must_use]
    pub const fn published(&self) -> &Published {
        &self.published
    }

    /// Shows that a hash comes down to the chain's end: in so many steps where they are known, else in any number. Returns
    /// the steps. Time: one hash a step, at most 1,024 to a place that was passed before, in vain or not: a file whose
    /// hashes are all shifted is walked down once.
    ///
    /// # Errors
    /// [`ChainError`].
    pub fn opens(&mut self, hash: [u8; 32], steps: Option<u64>) -> Result<u64, ChainError> {
        self.opens_within(hash, steps, &mut Allowance::of(u64::MAX))
    }

    /// As [`Chain::opens`], with so many hashes at most.
    ///
    /// # Errors
    /// [`ChainError`].
    pub(super) fn opens_within(
        &mut self,
        hash: [u8; 32],
        steps: Option<u64>,
        allowed: &mut Allowance,
    ) -> Result<u64, ChainError> {
        match steps {
            Some(steps) => self.opens_in(hash, steps, allowed).map(|()| steps),
            None => self.opens_somewhere(hash, allowed),
        }
    }

    fn opens_in(&mut self, hash: [u8; 32], steps: u64, allowed: &mut Allowance) -> Result<(), ChainError> {
        let longest = self.published.longest;
        if steps > longest {
            return Err(ChainError::TooFar { steps, longest });
        }
        let (stop, expected) =
            self.known.range(..=steps).next_back().map(|(at, hash)| (*at, *hash)).expect("the end is known");
        if steps - stop > allowed.hashes {
            allowed.short = true;
            return Err(ChainError::NotWalked);
        }
        let (mut at, mut link) = (steps, hash);
        let mut passed = vec![(steps, hash)];
        let mut before = self.refuted.get(&(link, at)).copied();
        while at > stop && before.is_none() {
            link = next(&link, self.form);
            at -= 1;
            if at.is_multiple_of(EVERY) {
                before = self.refuted.get(&(link, at)).copied();
                passed.push((at, link));
            }
        }
        allowed.take(steps - at);
        if before.is_none() && link == expected {
            self.remember(passed);
            return Ok(());
        }
        let refuted = before.unwrap_or(Refuted { stop, expected, found: link });
        if self.refuted.len() + passed.len() > MOST_REFUTED {
            self.refuted.clear();
        }
        self.refuted.extend(passed.into_iter().map(|(at, link)| ((link, at), refuted)));
        Err(ChainError::Elsewhere {
            walked: steps - refuted.stop,
            expected: hex::encode(refuted.expected),
            found: hex::encode(refuted.found),
            end: hex::encode(self.published.end),
        })
    }

    /// Whether any link but the end was shown to come down to it.
    pub(super) fn is_walked(&self) -> bool {
        self.known.len() > 1
    }

    fn opens_somewhere(&mut self, hash: [u8; 32], allowed: &mut Allowance) -> Result<u64, ChainError> {
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
            if !allowed.take(1) {
                return Err(ChainError::NotWalked);
            }
            link = next(&link, self.form);
        }
        Err(ChainError::Nowhere { longest, end: hex::encode(self.published.end) })
    }

    /// Only whole multiples and what was asked for: as many as there are rows, and one in a thousand links.
    fn remember(&mut self, passed: Vec<(u64, [u8; 32])>) {
        for (steps, link) in passed {
            self.known.insert(steps, link);
            self.steps.insert(link, steps);
        }
    }
}

fn next(link: &[u8; 32], form: HexForm) -> [u8; 32] {
    match form {
        HexForm::Decoded => Sha256::digest(link).into(),
        HexForm::Text => Sha256::digest(hex::encode(link)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(length: u64, form: HexForm) -> (Chain, Vec<[u8; 32]>) {
        let mut links = vec![[7; 32]];
        for _ in 0..length {
            links.push(next(links.last().unwrap(), form));
        }
        links.reverse();
        let published = Published { end: links[0], end_game: 0, first_game: 0, longest: length, salt: "" };
        (Chain::new(published, form), links)
    }

    #[test]
    fn links_open_in_any_order_with_or_without_their_place() {
        for form in [HexForm::Decoded, HexForm::Text] {
            for order in [[5_000, 3_000, 4_999, 0, 1], [1, 1_024, 1_025, 5_000, 4_000]] {
                let (mut with, links) = chain(5_000, form);
                let (mut without, _) = chain(5_000, form);
                for steps in order {
                    let link = links[usize::try_from(steps).unwrap()];
                    assert_eq!(with.opens(link, Some(steps)), Ok(steps));
                    assert_eq!(without.opens(link, None), Ok(steps));
                }
            }
        }
    }

    #[test]
    fn what_is_no_link_or_stands_elsewhere_is_told_before_and_after_others_opened() {
        let (mut chain, links) = chain(3_000, HexForm::Decoded);
        for _ in 0..2 {
            let mut other = links[2_000];
            other[31] ^= 1;
            assert!(matches!(chain.opens(other, Some(2_000)), Err(ChainError::Elsewhere { .. })));
            assert!(matches!(chain.opens(other, None), Err(ChainError::Nowhere { longest: 3_000, .. })));
            assert!(matches!(chain.opens(links[2_000], Some(1_999)), Err(ChainError::Elsewhere { .. })));
            assert!(matches!(chain.opens(links[2_000], Some(2_001)), Err(ChainError::Elsewhere { .. })));
            assert!(matches!(chain.opens(links[0], Some(3_001)), Err(ChainError::TooFar { .. })));
            assert_eq!(chain.opens(links[3_000], Some(3_000)), Ok(3_000));
        }
    }

    #[test]
    fn shifted_links_are_walked_down_once() {
        let (mut chain, links) = chain(200_000, HexForm::Decoded);
        let walk = |chain: &mut Chain, steps: u64, most: u64| {
            let mut allowed = Allowance::of(most);
            let link = links[usize::try_from(steps + 1).unwrap()];
            let found = chain.opens_within(link, Some(steps), &mut allowed);
            (found, most - allowed.hashes)
        };
        let (first, walked) = walk(&mut chain, 150_000, 1 << 20);
        assert!(matches!(first, Err(ChainError::Elsewhere { walked: 150_000, .. })), "{first:?}");
        assert_eq!(walked, 150_000);
        for steps in [150_001, 149_000, 150_000, 150_700] {
            let (again, walked) = walk(&mut chain, steps, 1 << 20);
            let Err(ChainError::Elsewhere { walked: said, found, .. }) = again else { panic!("{again:?}") };
            assert_eq!((said, found), (steps, hex::encode(links[1])));
            assert!(walked <= 2 * EVERY, "{walked}");
        }
        assert!(chain.refuted.len() < 200);
        assert_eq!(chain.opens(links[150_000], Some(150_000)), Ok(150_000));
    }

    #[test]
    fn what_is_remembered_is_one_link_in_a_thousand_and_what_was_asked_for() {
        let (mut chain, links) = chain(10_240, HexForm::Decoded);
        chain.opens(links[10_240], Some(10_240)).unwrap();
        assert_eq!(chain.known.len(), 11);
    }
}
