//! Making entries: what must be said is an argument, what may be said has a setter or a field.

use super::bounded::{Origin, Reason, Table};
use super::fields::{
    BeaconTerms, CommitWord, DealWord, LockWord, LoggedContribution, Mixing, Opened, ProtocolV1,
    ResultForm, RevealWord, True, VoidWord,
};
use super::forms::{Commit, Deal, Lock, Reveal, RevealedSeed, Void};
use super::layout::Layout;
use super::{Entry, EntryError};
use crate::deal::{Commitment, Deck, Digest, Method, Nonce, ServerSeed};
use crate::record::as_json::Int;
use crate::record::field_error::FieldError;

/// A day, in milliseconds.
const DAY: u64 = 24 * 60 * 60 * 1000;

/// A [`Commit`] in the making; [`Commit::builder`] says what it begins with.
#[derive(Clone, Debug)]
#[must_use]
pub struct CommitBuilder {
    commit: Commit,
    draw: Option<u64>,
    rounds: u64,
    reveal_by: u64,
}

impl Commit {
    /// A commitment at `time`, in Unix milliseconds: unless something else is set, one round under it deals a whole
    /// standard deck by shuffle, mixes clear seeds and is revealed within a day; it is the first of its table.
    pub fn builder(
        commitment: Commitment,
        origin: Origin,
        table: Table,
        time: Int,
    ) -> CommitBuilder {
        let commit = Self {
            after: None,
            beacon: None,
            commitment,
            deck: Deck::standard(),
            draw: Int::ONE,
            entry: CommitWord,
            ext: None,
            layout: None,
            method: Method::Shuffle,
            mixing: Mixing::Seeds,
            origin,
            protocol: ProtocolV1,
            reveal_by: time,
            rounds: Int::ONE,
            rules: None,
            sealed: false,
            signed: None,
            table,
            time,
        };
        CommitBuilder { commit, draw: None, rounds: 1, reveal_by: time.value().saturating_add(DAY) }
    }
}

impl CommitBuilder {
    /// The table's last commitment.
    pub fn after(mut self, last: Commitment) -> Self {
        self.commit.after = Some(last);
        self
    }

    /// The drand chain of its rounds; with [`Mixing::Beacon`].
    pub fn beacon(mut self, terms: BeaconTerms) -> Self {
        self.commit.beacon = Some(terms);
        self
    }

    /// What is shuffled.
    pub fn deck(mut self, deck: Deck) -> Self {
        self.commit.deck = deck;
        self
    }

    /// How many items each round deals; the whole deck unless this is set.
    pub fn draw(mut self, draw: u64) -> Self {
        self.draw = Some(draw);
        self
    }

    /// SHA-256 of anything else that the entry is to bind.
    pub fn ext(mut self, ext: Digest) -> Self {
        self.commit.ext = Some(ext);
        self
    }

    /// Who gets which card.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.commit.layout = Some(layout);
        self
    }

    /// How the items are brought into order.
    pub fn method(mut self, method: Method) -> Self {
        self.commit.method = method;
        self
    }

    /// What every round must mix, at least.
    pub fn mixing(mut self, mixing: Mixing) -> Self {
        self.commit.mixing = mixing;
        self
    }

    /// The latest time of the reveal, in Unix milliseconds.
    pub fn reveal_by(mut self, time: u64) -> Self {
        self.reveal_by = time;
        self
    }

    /// How many rounds there may be.
    pub fn rounds(mut self, rounds: u64) -> Self {
        self.rounds = rounds;
        self
    }

    /// SHA-256 of the game's rules.
    pub fn rules(mut self, rules: Digest) -> Self {
        self.commit.rules = Some(rules);
        self
    }

    /// Every round logs the seal of its cards, not the cards.
    pub fn sealed(mut self) -> Self {
        self.commit.sealed = true;
        self
    }

    /// Every contribution must be signed.
    pub fn signed(mut self) -> Self {
        self.commit.signed = Some(True);
        self
    }

    /// The commit, where its terms go together.
    ///
    /// # Errors
    /// [`EntryError::Invalid`], which says which field was expected to be what.
    pub fn build(self) -> Result<Commit, EntryError> {
        let Self { mut commit, draw, rounds, reveal_by } = self;
        let commitment = Some(commit.commitment);
        let invalid = |error: FieldError| EntryError::Invalid { says: error.into(), commitment };
        let int = |name: &str, value: u64| {
            Int::try_from(value)
                .map_err(|error| invalid(FieldError::new(format!("{name}: {error}"))))
        };
        commit.draw = int("draw", draw.unwrap_or_else(|| u64::from(commit.deck.items())))?;
        commit.rounds = int("rounds", rounds)?;
        commit.reveal_by = int("reveal_by", reveal_by)?;
        commit.check().map_err(invalid)?;
        Ok(commit)
    }
}

impl Lock {
    /// The lock of a round with these contributions, ascending by the bytes of `from`; further fields by struct update.
    #[must_use]
    pub fn new(
        commitment: Commitment,
        nonce: Nonce,
        contributions: Vec<LoggedContribution>,
        time: Int,
    ) -> Self {
        let contributions = Some(contributions);
        Self {
            beacon: None,
            commitment,
            contributions,
            entry: LockWord,
            ext: None,
            nonce,
            seats: None,
            time,
        }
    }
}

impl Deal {
    /// The deal of a round with clear seeds, ascending by the bytes of `from`; further fields by struct update.
    #[must_use]
    pub fn in_clear(
        commitment: Commitment,
        nonce: Nonce,
        contributions: Vec<LoggedContribution>,
        result: ResultForm,
        time: Int,
    ) -> Self {
        Self {
            beacon: None,
            commitment,
            contributions: Some(contributions),
            entry: DealWord,
            ext: None,
            lock: None,
            nonce,
            opened: None,
            result,
            seats: None,
            time,
        }
    }

    /// The deal of a locked round: the index of its lock, and what opens the lock's hashes.
    #[must_use]
    pub fn of_lock(
        commitment: Commitment,
        nonce: Nonce,
        lock: Int,
        opened: Vec<Opened>,
        result: ResultForm,
        time: Int,
    ) -> Self {
        Self {
            contributions: None,
            lock: Some(lock),
            opened: Some(opened).filter(|opened| !opened.is_empty()),
            ..Self::in_clear(commitment, nonce, Vec::new(), result, time)
        }
    }
}

impl Void {
    /// The void of one round; further fields by struct update.
    #[must_use]
    pub fn round(commitment: Commitment, nonce: Nonce, reason: Reason, time: Int) -> Self {
        Self { nonce: Some(nonce), ..Self::whole(commitment, reason, time) }
    }

    /// The void of a commitment that was never used.
    #[must_use]
    pub fn whole(commitment: Commitment, reason: Reason, time: Int) -> Self {
        Self { blame: None, commitment, entry: VoidWord, ext: None, nonce: None, reason, time }
    }
}

impl Reveal {
    /// Makes a server seed public, under its own commitment.
    #[must_use]
    pub fn new(seed: &ServerSeed, time: Int) -> Self {
        let (commitment, server_seed) = (seed.commitment(), RevealedSeed::of(seed));
        Self { commitment, entry: RevealWord, ext: None, server_seed, time }
    }
}

macro_rules! into_entry {
    ($($kind:ident),+) => {$(
        impl From<$kind> for Entry {
            fn from(entry: $kind) -> Self {
                Self::$kind(Box::new(entry))
            }
        }
    )+};
}

into_entry!(Commit, Lock, Deal, Void, Reveal);

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(change: impl FnOnce(CommitBuilder) -> CommitBuilder) -> Result<Commit, EntryError> {
        let (origin, table) = ("cards.example/log".parse().unwrap(), "table 1".parse().unwrap());
        let time = Int::from(1_000_u32);
        change(Commit::builder(Commitment::from_bytes([7; 32]), origin, table, time)).build()
    }

    #[test]
    fn a_built_commit_is_an_entry_that_reads_back() {
        let commit =
            commit(|commit| commit.draw(5).rounds(10).reveal_by(9_000).sealed().signed()).unwrap();
        let text = Entry::from(commit.clone()).to_text().unwrap();
        assert_eq!(Entry::parse(text.as_bytes()), Ok(Entry::Commit(Box::new(commit))));
    }

    #[test]
    fn it_draws_the_whole_deck_unless_it_is_told_how_many() {
        let deck = Deck::Named(crate::deal::DeckName::Short36);
        assert_eq!(commit(|commit| commit.deck(deck)).unwrap().draw.value(), 36);
    }

    #[test]
    fn terms_that_do_not_go_together_are_refused_by_name() {
        for (field, wrong) in [
            ("rounds", commit(|commit| commit.rounds(0))),
            ("rounds", commit(|commit| commit.rounds(u64::MAX))),
            ("draw", commit(|commit| commit.draw(53))),
            ("reveal_by", commit(|commit| commit.reveal_by(1_000))),
            ("beacon", commit(|commit| commit.mixing(Mixing::Beacon))),
        ] {
            let says = wrong.unwrap_err().to_string();
            assert!(says.starts_with(field), "{says}");
        }
    }
}
