//! Making entries: required members are arguments, optional ones are set by struct update.

use super::Entry;
use super::anchor::Anchor;
use super::bounded::{Origin, Reason};
use super::fields::{
    CommitWord, DealWord, LockWord, LoggedContribution, Opened, ProtocolV1, ResultForm, RevealWord,
    VoidWord,
};
use super::forms::{Commit, Deal, Lock, Reveal, RevealedSeed, Void};
use super::terms::Terms;
use crate::deal::{Commitment, Nonce, ServerSeed};
use crate::record::as_json::Int;

impl Commit {
    /// The first commitment of its table. [`Entry::to_text`] refuses terms and times that do not go
    /// together.
    #[must_use]
    pub fn new(
        commitment: Commitment,
        origin: Origin,
        terms: Terms,
        time: Int,
        reveal_by: Int,
    ) -> Self {
        let (entry, protocol) = (CommitWord, ProtocolV1);
        Self { after: None, commitment, entry, origin, protocol, reveal_by, terms, time }
    }
}

impl Lock {
    /// The lock of a round with these contributions, ascending by the bytes of `from`; further
    /// fields by struct update.
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
    /// The deal of a round with clear seeds, ascending by the bytes of `from`; further fields by
    /// struct update.
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

into_entry!(Anchor, Commit, Lock, Deal, Void, Reveal);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deck;
    use crate::record::entry::Mixing;

    fn commit(change: impl FnOnce(&mut Terms)) -> Commit {
        let (origin, table) = ("a".parse().unwrap(), "table 1".parse().unwrap());
        let mut terms = Terms::new(table, Deck::standard());
        change(&mut terms);
        let (time, reveal_by) = (Int::from(1_000_u32), Int::from(9_000_u32));
        Commit::new(Commitment::from_bytes([7; 32]), origin, terms, time, reveal_by)
    }

    #[test]
    fn a_built_commit_is_an_entry_that_reads_back() {
        let commit = commit(|terms| {
            (terms.draw, terms.rounds) = (Int::from(5_u32), Int::from(10_u32));
            (terms.sealed, terms.signed) = (true, true);
        });
        let text = Entry::from(commit.clone()).to_text().unwrap();
        assert_eq!(Entry::parse(text.as_bytes()), Ok(Entry::Commit(Box::new(commit))));
    }

    #[test]
    fn it_draws_the_whole_deck_unless_something_else_is_set() {
        let table = "table 1".parse().unwrap();
        let deck = Deck::Named(crate::deal::DeckName::Short36);
        assert_eq!(Terms::new(table, deck).draw.value(), 36);
    }

    #[test]
    fn terms_that_do_not_go_together_are_refused_by_name() {
        let now = |mut commit: Commit| {
            commit.reveal_by = commit.time;
            commit
        };
        for (field, wrong) in [
            ("rounds", commit(|terms| terms.rounds = Int::from(0_u32))),
            ("rounds", commit(|terms| terms.rounds = Int::new(Int::MAX).unwrap())),
            ("draw", commit(|terms| terms.draw = Int::from(53_u32))),
            ("reveal_by", now(commit(|_| {}))),
            ("beacon", commit(|terms| terms.mixing = Mixing::Beacon)),
        ] {
            let says = Entry::from(wrong).to_text().unwrap_err().to_string();
            assert!(says.starts_with(field), "{says}");
        }
    }
}
