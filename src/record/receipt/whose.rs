//! The contributions of a round (spec/receipt.md, 11.8), compared with those that the reader
//! brought and with the keys that the reader has.

use super::given::{Given, ReaderGiven};
use super::round::Round;
use crate::deal::{Commitment, Nonce};
use crate::record::entry::{LoggedContribution, RoundOf, verify_contribution};
use crate::record::finding::Code;

/// The result of the comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whose {
    /// Whether all that the reader brought was mixed; `None` if the reader brought nothing.
    pub(super) yours: Option<bool>,
    /// Whether there are contributions, each of them the reader's or signed by the key given for
    /// it.
    pub(super) authentic: bool,
    /// Whether one of those was hashed, and dealt.
    pub(super) hashed: bool,
}

/// The state of the reader's contribution in the round.
enum Standing {
    Mixed,
    /// Locked and not dealt: no difference so far.
    Waits,
    Differs(String),
}

impl Round {
    /// Finds `contribution-mismatch`, once.
    pub(super) fn hold_against(&mut self, given: &ReaderGiven) -> Whose {
        let standings: Vec<(&Given, Standing)> =
            given.mine.iter().map(|own| (own, self.standing(own))).collect();
        let differs = standings.iter().find_map(|(own, standing)| match standing {
            Standing::Differs(says) => Some(format!("{:?}: {says}", own.from.as_str())),
            Standing::Mixed | Standing::Waits => None,
        });
        let contributions = self.contributions();
        // Each with whether the key given for it signed it; `None` if no key was given.
        let signed = |one: &LoggedContribution| {
            given.players.get(&one.from).map(|key| one.key == Some(*key) && self.is_signed(one))
        };
        let all: Vec<(&LoggedContribution, Option<bool>)> =
            contributions.iter().flat_map(|(_, all)| *all).map(|one| (one, signed(one))).collect();
        let forged = all.iter().find(|(_, signed)| *signed == Some(false)).and_then(|(one, _)| {
            let key = given.players.get(&one.from)?;
            Some(format!("{:?}: not signed by the key {}", one.from.as_str(), key.to_text()))
        });
        let is_mine = |one: &LoggedContribution, counts: fn(&Given) -> bool| {
            let mixed = |standing: &Standing| matches!(standing, Standing::Mixed);
            standings
                .iter()
                .any(|(own, standing)| own.from == one.from && mixed(standing) && counts(own))
        };
        // An operator that knows the seed can make the hash itself: that protects nobody.
        let is_blind = |one: &LoggedContribution, signed: bool| {
            let protects = signed || is_mine(one, |own| own.hash.is_some());
            protects && one.hash.is_some() && self.deal.is_some() && self.seed_of(one).is_some()
        };
        let whose = Whose {
            yours: (!standings.is_empty())
                .then(|| standings.iter().all(|(_, standing)| matches!(standing, Standing::Mixed))),
            authentic: !all.is_empty()
                && all.iter().all(|(one, signed)| *signed == Some(true) || is_mine(one, |_| true)),
            hashed: all.iter().any(|(one, signed)| is_blind(one, *signed == Some(true))),
        };
        let index = contributions.map(|(index, _)| index);
        if let Some(says) = differs.or(forged) {
            self.find(Code::ContributionMismatch, index, says);
        }
        whose
    }

    /// The round that is locked or dealt: a receipt is of one.
    fn locked_or_dealt(&self) -> Option<(Commitment, Nonce)> {
        let lock = self.lock.as_ref().map(|(_, lock)| (lock.commitment, lock.nonce));
        lock.or_else(|| self.deal.as_ref().map(|(_, deal)| (deal.commitment, deal.nonce)))
    }

    /// Whether a contribution is signed by its key, over this round.
    fn is_signed(&self, one: &LoggedContribution) -> bool {
        let Some((commitment, nonce)) = self.locked_or_dealt() else { return false };
        let round = RoundOf { origin: &self.origin, commitment, nonce };
        one.signature.is_some() && verify_contribution(&round, one).is_ok()
    }

    fn standing(&self, own: &Given) -> Standing {
        let differs = |says: String| Standing::Differs(says);
        let is_dealt = self.deal.is_some();
        // Neither locked nor dealt, or voided.
        let Some(round) = self.locked_or_dealt() else { return Standing::Waits };
        // A contribution without its seed cannot be compared: the reader has to add the seed.
        if own.seed.is_none() {
            return Standing::Waits;
        }
        if let Some((commitment, nonce)) = own.round().filter(|own| *own != round) {
            return differs(format!("it was for round {nonce} of {commitment}"));
        }
        let found =
            self.contributions().and_then(|(_, all)| all.iter().find(|one| one.from == own.from));
        let Some(one) = found else {
            let names: Vec<&str> = self
                .contributions()
                .iter()
                .flat_map(|(_, all)| all.iter())
                .map(|one| one.from.as_str())
                .collect();
            return differs(format!(
                "the round has no contribution of this name; its names are {}",
                names.join(", ")
            ));
        };
        let seed = self.seed_of(one);
        match seed {
            Some(_) if seed == own.seed => {}
            Some(_) => return differs("another seed was mixed".to_owned()),
            None if is_dealt => {
                return differs("its hash was not opened as it should be".to_owned());
            }
            None => {}
        }
        if one.seen != own.seen {
            return differs("it names another view of the log, or none".to_owned());
        }
        if own.hash.is_some() && one.hash != own.hash {
            return differs("another hash was locked".to_owned());
        }
        if own.key.is_some() && (one.key != own.key || (is_dealt && !self.is_signed(one))) {
            return differs("it is not signed by your key".to_owned());
        }
        if is_dealt { Standing::Mixed } else { Standing::Waits }
    }
}
