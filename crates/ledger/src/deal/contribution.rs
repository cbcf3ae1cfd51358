//! The parts of a player's contribution that a caller has. The ledger decides inside its
//! transaction which of them an entry has: only there is it known whether the round is locked.

use serde::{Deserialize, Serialize};

use crate::error::LedgerError;
use fairdeal::deal::{Blind, ClientSeed, Commitment, Digest, Label, Nonce};
use fairdeal::record::as_json::{object, present};
use fairdeal::record::entry::{
    Lock, LoggedContribution, Opened, PlayerKey, PlayerSignature, SeenCheckpoint,
};

/// The members of one contribution that are at hand: in JSON, the form that a player's own file
/// has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Given {
    /// The player.
    pub from: Label,
    /// The seed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seed: Option<ClientSeed>,
    /// The hash of seed and blind, for a lock.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
    /// The blind that hid the seed, for the deal after a lock. It is not logged before.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub blind: Option<Blind>,
    /// The checkpoint that its giver had verified.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenCheckpoint>,
    /// The giver's Ed25519 public key; with `signature`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub key: Option<PlayerKey>,
    /// The signature of `key` over the contribution and its round.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub signature: Option<PlayerSignature>,
    /// The commitment that it was made for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The round that it was made for.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
}

object!(Given);

impl Given {
    /// Nothing of it yet.
    #[must_use]
    pub const fn of(from: Label) -> Self {
        Self {
            from,
            seed: None,
            hash: None,
            blind: None,
            seen: None,
            key: None,
            signature: None,
            commitment: None,
            nonce: None,
        }
    }

    /// A seed, and nothing else of it.
    #[must_use]
    pub fn with_seed(from: Label, seed: ClientSeed) -> Self {
        Self { seed: Some(seed), ..Self::of(from) }
    }

    /// Its clear seed, for a deal without a lock.
    ///
    /// # Errors
    /// [`LedgerError::Invalid`] where there is no seed.
    pub fn clear(&self) -> Result<LoggedContribution, LedgerError> {
        let seed =
            self.seed.clone().ok_or_else(|| self.lacks("its \"seed\"", self.without_seed()))?;
        let clear = LoggedContribution::clear(self.from.clone(), seed, self.seen.clone());
        Ok(LoggedContribution { key: self.key, signature: self.signature, ..clear })
    }

    /// Refuses what its player must keep until the lock is in the log: with the seed that a hash
    /// hides, the operator would know the cards before it locks, and could choose.
    ///
    /// # Errors
    /// [`LedgerError::Secret`] where a hash comes with its seed or its blind.
    pub fn without_secret(&self) -> Result<(), LedgerError> {
        if self.hash.is_some() && (self.seed.is_some() || self.blind.is_some()) {
            return Err(LedgerError::Secret { from: self.from.clone() });
        }
        Ok(())
    }

    /// Its part in a lock: the hash if there is one, else the clear seed.
    pub(crate) fn locked(&self) -> Result<LoggedContribution, LedgerError> {
        self.without_secret()?;
        let (from, saw) = (self.from.clone(), self.seen.clone());
        let locked = match (self.hash, &self.seed) {
            (Some(hash), _) => LoggedContribution::promised(from, hash, saw),
            // A player with a blind has hashed the seed, and wants to keep it until the lock.
            (None, Some(_)) if self.blind.is_some() => {
                return Err(self.lacks("the \"hash\" to lock (a \"blind\" opens it later)", "none"));
            }
            (None, Some(seed)) => LoggedContribution::clear(from, seed.clone(), saw),
            (None, None) => return Err(self.lacks("a \"seed\" or a \"hash\"", "none")),
        };
        Ok(LoggedContribution { key: self.key, signature: self.signature, ..locked })
    }

    /// Whether it opens this contribution of a lock.
    #[must_use]
    pub fn opens(&self, lock: &Lock, one: &LoggedContribution) -> bool {
        let (Some(seed), Some(blind)) = (&self.seed, &self.blind) else { return false };
        let found = one.with_seed(seed.clone()).hash(&lock.commitment, lock.nonce, blind);
        one.hash == Some(found)
    }

    /// The opening of its hash in a lock. `None` if the lock has its seed in clear.
    pub(crate) fn opened(&self, lock: &Lock) -> Result<Option<Opened>, LedgerError> {
        let seed =
            self.seed.clone().ok_or_else(|| self.lacks("its \"seed\"", self.without_seed()))?;
        let logged = lock.contributions().iter().find(|logged| logged.from == self.from);
        if logged.is_some_and(|logged| logged.seed.as_ref() == Some(&seed)) {
            return Ok(None);
        }
        match self.blind {
            Some(blind) => Ok(Some(Opened { blind, from: self.from.clone(), seed })),
            None => Err(self.wrong(
                "the round is locked, expected the \"seed\" that it has, or the \"seed\" and \"blind\" that open its hash; \
                 found another seed",
            )),
        }
    }

    /// The words for what was given instead of a seed.
    fn without_seed(&self) -> &'static str {
        if self.hash.is_some() { "a hash alone" } else { "none" }
    }

    fn lacks(&self, expected: &str, found: &str) -> LedgerError {
        self.wrong(format!("expected {expected}, found {found}"))
    }

    fn wrong(&self, says: impl Into<String>) -> LedgerError {
        LedgerError::Contribution { from: self.from.clone(), says: says.into() }
    }
}

impl From<LoggedContribution> for Given {
    fn from(logged: LoggedContribution) -> Self {
        let LoggedContribution { from, hash, key, seed, seen, signature } = logged;
        Self { seed, hash, seen, key, signature, ..Self::of(from) }
    }
}

impl From<Opened> for Given {
    fn from(opened: Opened) -> Self {
        let Opened { blind, from, seed } = opened;
        Self { blind: Some(blind), seed: Some(seed), ..Self::of(from) }
    }
}

/// The round that contributions name. They must agree on it, with the round asked for and with the
/// commitment.
pub(crate) fn round_of(
    all: &[Given],
    commitment: &Commitment,
    wanted: Option<Nonce>,
) -> Result<Option<Nonce>, LedgerError> {
    let mut round = wanted;
    for one in all {
        if let Some(other) = one.commitment.filter(|other| other != commitment) {
            return Err(one.wrong(format!(
                "expected one for commitment {commitment}, found one for {other}"
            )));
        }
        let Some(nonce) = one.nonce else { continue };
        if let Some(round) = round.filter(|round| *round != nonce) {
            return Err(one.wrong(format!("expected one for round {round}, found one for {nonce}")));
        }
        round = Some(nonce);
    }
    Ok(round)
}
