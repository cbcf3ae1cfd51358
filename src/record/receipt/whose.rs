//! The contributions of a round (spec/receipt.md, 11.8), compared with those that the reader
//! brought and with the keys that the reader has.

use super::given::{Given, ReaderGiven};
use super::round::Round;
use crate::deal::{Commitment, Label, Nonce};
use crate::record::entry::{LoggedContribution, PlayerKey, RoundOf, verify_contribution};
use crate::record::finding::Code;

/// The result of the comparison.
#[derive(Clone, Debug)]
pub(super) struct Whose {
    /// Whether there is a contribution of the reader that was compared, and each such one was
    /// mixed; `None` if the reader brought nothing.
    pub(super) yours: Option<bool>,
    /// Whether there are contributions, each of them the reader's or signed by the key given for
    /// it.
    pub(super) authentic: bool,
    /// Whose contribution protects: it was hashed and dealt, and the reader kept the lock.
    pub(super) protected_by: Option<ProtectedBy>,
    /// Whether `contribution-mismatch` accuses nobody (11.4): it is found only because of a
    /// contribution that names no round, a player's key, or evidence that the reader did not keep.
    pub(super) is_mismatch_claimed: bool,
    /// Each contribution of the reader.
    pub(super) compared: Vec<(Label, Compared)>,
}

/// Whose contribution protects a round from an operator that colludes with contributors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProtectedBy {
    Reader,
    /// A player whose key the reader has.
    Player,
}

/// A contribution that was compared.
struct Held<'a> {
    own: &'a Given,
    /// Whether it is the reader's, and not only in somebody's evidence.
    is_readers: bool,
    how: Compared,
}

impl Held<'_> {
    /// Whether a difference accuses the operator. A contribution that names no round can be
    /// mistyped, or be of another round.
    fn can_accuse(&self) -> bool {
        self.is_readers && self.own.round().is_some()
    }
}

/// The row of the table of 11.8 that applies to a contribution of the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Not compared: it names a round that this file is not about, or another log.
    OfAnotherRound,
    /// Neither a lock nor a deal had effect.
    NotMixedYet,
    /// The round was given up after its lock.
    Voided,
    /// It is hashed, and the round does not have it.
    NotInRound,
    /// The lock has it; there is no deal yet.
    Locked,
    /// The deal mixed it.
    Mixed,
    /// Another contribution, which the player's own key signed.
    SignedOther,
    /// `contribution-mismatch`.
    Differs(String),
}

impl Round {
    /// Finds `contribution-mismatch`, once.
    pub(super) fn hold_against(&mut self, given: &ReaderGiven, is_lock_kept: bool) -> Whose {
        // Evidence says nothing of a contribution that names no round (11.10).
        let in_evidence = given
            .in_evidence
            .iter()
            .filter(|one| one.contribution.round().is_some())
            .map(|one| (&one.contribution, one.is_kept));
        let all: Vec<Held<'_>> = given
            .mine
            .iter()
            .map(|own| (own, true))
            .chain(in_evidence)
            .map(|(own, is_readers)| Held { own, is_readers, how: self.compare(own) })
            .collect();
        let differs = |accuses: bool| {
            all.iter().filter(|held| held.can_accuse() == accuses).find_map(|held| {
                match &held.how {
                    Compared::Differs(says) => {
                        Some(format!("{:?}: {says}", held.own.from.as_str()))
                    }
                    _ => None,
                }
            })
        };
        let (own, claimed) = (differs(true), differs(false));
        let contributions = self.contributions();
        let forged = contributions.iter().flat_map(|(_, each)| *each).find_map(|one| {
            let key = given.players.get(&one.from).filter(|key| !self.is_signed_by(one, key))?;
            Some(format!("{:?}: not signed by the key {}", one.from.as_str(), key.to_text()))
        });
        let index = contributions.map(|(index, _)| index);
        // A player can give the reader another key than the one of the signature.
        let is_mismatch_claimed = own.is_none();
        let whose = Whose { is_mismatch_claimed, ..self.whose(given, all, is_lock_kept) };
        if let Some(says) = own.or(forged).or(claimed) {
            self.find(Code::ContributionMismatch, index, says);
        }
        whose
    }

    fn whose(&self, given: &ReaderGiven, compared: Vec<Held<'_>>, is_lock_kept: bool) -> Whose {
        let readers = || compared.iter().filter(|held| held.is_readers);
        let is_mine = |one: &LoggedContribution, counts: fn(&Given) -> bool| {
            readers().any(|Held { own, how, .. }| {
                own.from == one.from && *how == Compared::Mixed && counts(own)
            })
        };
        let is_by_player = |one: &LoggedContribution| {
            given.players.get(&one.from).is_some_and(|key| self.is_signed_by(one, key))
        };
        // An operator that knows the seed can make the hash itself: that protects nobody. Without
        // the kept lock it can write another lock around a hash that is open.
        let opened = |one: &LoggedContribution| {
            is_lock_kept && one.hash.is_some() && self.deal.is_some() && self.seed_of(one).is_some()
        };
        let by_reader = |one: &LoggedContribution| {
            opened(one) && is_mine(one, |own| own.hash.is_some() && !own.given)
        };
        let all = self.contributions().map_or([].as_slice(), |(_, all)| all);
        let mut counted = readers().filter(|held| held.how != Compared::OfAnotherRound).peekable();
        let is_any_compared = counted.peek().is_some();
        let protected_by = if all.iter().any(by_reader) {
            Some(ProtectedBy::Reader)
        } else {
            let by_player = all.iter().any(|one| opened(one) && is_by_player(one));
            by_player.then_some(ProtectedBy::Player)
        };
        Whose {
            yours: (!given.mine.is_empty() || !given.in_evidence.is_empty())
                .then(|| is_any_compared && counted.all(|held| held.how == Compared::Mixed)),
            authentic: !all.is_empty()
                && all.iter().all(|one| is_by_player(one) || is_mine(one, |_| true)),
            protected_by,
            is_mismatch_claimed: false,
            compared: compared
                .into_iter()
                .map(|Held { own, how, .. }| (own.from.clone(), how))
                .collect(),
        }
    }

    /// The round that is locked or dealt: a receipt is of one.
    fn locked_or_dealt(&self) -> Option<(Commitment, Nonce)> {
        let lock = self.lock.as_ref().map(|(_, lock)| (lock.commitment, lock.nonce));
        lock.or_else(|| self.deal.as_ref().map(|(_, deal)| (deal.commitment, deal.nonce)))
    }

    /// Whether a contribution is signed by this key, over this round.
    fn is_signed_by(&self, one: &LoggedContribution, key: &PlayerKey) -> bool {
        let Some((commitment, nonce)) = self.locked_or_dealt() else { return false };
        let round = RoundOf { log: &self.log, commitment, nonce };
        one.key == Some(*key) && one.signature.is_some() && verify_contribution(&round, one).is_ok()
    }

    /// The table of 11.8.
    fn compare(&self, own: &Given) -> Compared {
        if let Some((log, commitment, nonce)) = own.round()
            && (*log != self.log || self.named() != Some((commitment, nonce)))
        {
            return Compared::OfAnotherRound;
        }
        let is_dealt = self.deal.is_some();
        // A contribution without its seed cannot be compared: the reader has to add the seed.
        if (self.lock.is_none() && !is_dealt) || own.seed.is_none() {
            return Compared::NotMixedYet;
        }
        if self.void.is_some() {
            return Compared::Voided;
        }
        let all = self.contributions().map_or([].as_slice(), |(_, all)| all);
        let one = all.iter().find(|one| one.from == own.from);
        match one.map(|one| self.difference(own, one)) {
            Some(None) if is_dealt => Compared::Mixed,
            Some(None) => Compared::Locked,
            // The lock fixed the hashes while nobody else knew this seed.
            _ if own.hash.is_some() => Compared::NotInRound,
            Some(Some(says)) => {
                let is_signed = |one| own.key.is_some_and(|key| self.is_signed_by(one, &key));
                if one.is_some_and(is_signed) {
                    Compared::SignedOther
                } else {
                    Compared::Differs(says.to_owned())
                }
            }
            None => {
                let names: Vec<&str> = all.iter().map(|one| one.from.as_str()).collect();
                let names = if names.is_empty() {
                    "it has none".to_owned()
                } else {
                    format!("its names are {}", names.join(", "))
                };
                Compared::Differs(format!("the round has no contribution of this name; {names}"))
            }
        }
    }

    /// The difference between the reader's contribution and the round's; `None` if they agree.
    fn difference(&self, own: &Given, one: &LoggedContribution) -> Option<&'static str> {
        match self.seed_of(one) {
            Some(seed) if Some(&seed) != own.seed.as_ref() => {
                return Some("another seed was mixed");
            }
            None if self.deal.is_some() => return Some("its hash was not opened as it should be"),
            Some(_) | None => {}
        }
        if one.seen != own.seen {
            return Some("it names another view of the log, or none");
        }
        if own.hash.is_some() && one.hash != own.hash {
            return Some("another hash was locked");
        }
        if own.key.is_some_and(|key| !self.is_signed_by(one, &key)) {
            return Some("it is not signed by your key");
        }
        None
    }
}
