//! A raffle's document (spec/raffle.md, section 37).

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::deal::{Deck, Digest, Method};
use crate::record::Entry;
use crate::record::as_json::{Int, object, present, read};
use crate::record::entry::{Caption, Commit, Link, Mixing, RevealedSeed, word};
use crate::record::field_error::{FieldError, wrong};
use crate::record::json::to_canonical;
use crate::record::receipt::{Document, Receipt, ReceiptError, to_text, without_mark};

/// The rules of a raffle. Its commit has their SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct RaffleRules {
    /// The prizes of the first winners, in order.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub prizes: Option<Vec<Caption>>,
    /// What the raffle is called.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub title: Option<Caption>,
    /// The number of winners: 1 to [`RaffleRules::MOST`].
    pub winners: Int,
}

word!(RaffleWord, "fairdeal/raffle/v1", "`\"format\":\"fairdeal/raffle/v1\"`.");

/// A raffle in one file: before the draw and after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct RaffleDocument {
    format: RaffleWord,
    rules: RaffleRules,
    receipt: Receipt,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    server_seed: Option<RevealedSeed>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    list: Option<Link>,
}

object!(RaffleRules, RaffleDocument);

/// Bytes are no raffle's document: there is no verdict on them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a raffle's document: {0}")]
pub struct RaffleDocumentError(String);

impl RaffleDocumentError {
    pub(super) fn new(says: impl Into<String>) -> Self {
        Self(says.into())
    }

    /// Which member was expected to be what, without the words before it: rules alone are no document.
    #[must_use]
    pub fn says(&self) -> &str {
        &self.0
    }
}

impl From<FieldError> for RaffleDocumentError {
    fn from(error: FieldError) -> Self {
        Self(error.into())
    }
}

impl From<ReceiptError> for RaffleDocumentError {
    fn from(error: ReceiptError) -> Self {
        Self(error.to_string())
    }
}

impl RaffleRules {
    /// The most winners.
    pub const MOST: u32 = 1000;

    /// Rules without a title and prizes.
    #[must_use]
    pub fn new(winners: u32) -> Self {
        Self { prizes: None, title: None, winners: winners.into() }
    }

    /// Reads rules.
    ///
    /// # Errors
    /// [`RaffleDocumentError`], which says which member was expected to be what.
    pub fn parse(bytes: &[u8]) -> Result<Self, RaffleDocumentError> {
        read::<Self>(bytes)?.checked()
    }

    /// These rules, if they are within the limits.
    ///
    /// # Errors
    /// [`RaffleDocumentError`].
    pub fn checked(self) -> Result<Self, RaffleDocumentError> {
        self.check()?;
        Ok(self)
    }

    /// The number of winners.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.winners.value()).unwrap_or(u32::MAX) // checked when it was read
    }

    /// Their canonical form.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "JSON can say all that these rules hold")]
    pub fn to_canonical(&self) -> String {
        to_canonical(&serde_json::to_value(self).expect("JSON can say all that these rules hold"))
    }

    /// SHA-256 of their canonical form, which the commit's `rules` is.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::from_bytes(Sha256::digest(self.to_canonical()).into())
    }

    fn check(&self) -> Result<(), FieldError> {
        let (winners, most) = (self.winners, Self::MOST);
        if !(1..=u64::from(most)).contains(&winners.value()) {
            return wrong(format!("rules.winners: expected 1 to {most}, found {winners}"));
        }
        match self.prizes.as_ref().map(|prizes| u64::try_from(prizes.len()).unwrap_or(u64::MAX)) {
            Some(found) if !(1..=winners.value()).contains(&found) => wrong(format!(
                "rules.prizes: expected 1 to {winners}, one for each winner, found {found}"
            )),
            _ => Ok(()),
        }
    }
}

impl RaffleDocument {
    /// The most bytes of a document.
    pub const MOST: usize = 4_194_304;
    /// The most bytes of its policy.
    const MOST_OF_POLICY: usize = 1_048_576;

    /// A document of rules and the receipt of their round.
    ///
    /// # Errors
    /// [`RaffleDocumentError`], if the receipt shows no raffle with these rules, or the seed does
    /// not open its commitment.
    pub fn new(
        rules: RaffleRules,
        receipt: Receipt,
        server_seed: Option<RevealedSeed>,
    ) -> Result<Self, RaffleDocumentError> {
        let document =
            Self { format: RaffleWord, rules, receipt, server_seed, policy: None, list: None };
        document.check()?;
        Ok(document)
    }

    /// Whether bytes name the format of a raffle's document.
    #[must_use]
    pub fn is_meant(bytes: &[u8]) -> bool {
        let format = Document::readable(without_mark(bytes)).ok().flatten();
        format.is_some_and(|format| format == RaffleWord.to_string())
    }

    /// Reads a document.
    ///
    /// # Errors
    /// [`RaffleDocumentError`], which says which member was expected to be what.
    pub fn parse(bytes: &[u8]) -> Result<Self, RaffleDocumentError> {
        if bytes.len() > Self::MOST {
            let says = format!("at most {} bytes, found {}", Self::MOST, bytes.len());
            return Err(RaffleDocumentError(says));
        }
        let bytes = without_mark(bytes);
        Document::readable(bytes)?;
        let document: Self = read(bytes)?;
        document.check()?;
        Ok(document)
    }

    /// The same document with the organiser's policy, for information.
    ///
    /// # Errors
    /// [`RaffleDocumentError`], if the policy is empty or too long.
    pub fn with_policy(mut self, policy: String) -> Result<Self, RaffleDocumentError> {
        self.policy = Some(policy);
        self.check_policy()?;
        Ok(self)
    }

    /// The same document with a URL of the list, for information.
    #[must_use]
    pub fn with_list(mut self, list: Link) -> Self {
        self.list = Some(list);
        self
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &RaffleRules {
        &self.rules
    }

    /// The receipt of the raffle's round.
    #[must_use]
    pub const fn receipt(&self) -> &Receipt {
        &self.receipt
    }

    /// The server seed, if the organiser has published it here. It opens the commitment.
    #[must_use]
    pub const fn server_seed(&self) -> Option<&RevealedSeed> {
        self.server_seed.as_ref()
    }

    /// The text of the organiser's policy. It is the organiser's word: a reader chooses their own.
    #[must_use]
    pub fn policy(&self) -> Option<&str> {
        self.policy.as_deref()
    }

    /// A URL of the list. Whoever wrote the document chose it.
    #[must_use]
    pub const fn list(&self) -> Option<&Link> {
        self.list.as_ref()
    }

    /// The file's text: JSON with a line for each member, ended by a newline.
    #[must_use]
    pub fn to_text(&self) -> String {
        to_text(self)
    }

    /// The raffle's commit: the first entry.
    ///
    /// # Errors
    /// [`RaffleDocumentError`], if it is another entry: never in a document that was read.
    pub fn commit(&self) -> Result<Box<Commit>, RaffleDocumentError> {
        let first = self.receipt.entries.first().map(|one| Entry::parse(one.entry.as_bytes()));
        if let Some(Ok(Entry::Commit(commit))) = first {
            return Ok(commit);
        }
        let says = "receipt: expected a commit of fairdeal/v1 first, found another entry";
        Err(RaffleDocumentError(says.to_owned()))
    }

    fn check(&self) -> Result<(), RaffleDocumentError> {
        self.rules.check()?;
        self.check_policy()?;
        let of_receipt = |says: String| RaffleDocumentError(format!("receipt: {says}"));
        self.receipt.commitment().map_err(of_receipt)?;
        let commit = self.commit()?;
        is_raffle(&commit, &self.rules).map_err(of_receipt)?;
        let is_lock = |entry| matches!(entry, Ok(Entry::Lock(lock)) if lock.beacon.is_some());
        let mut entries = self.receipt.entries.iter();
        if !entries.any(|one| is_lock(Entry::parse(one.entry.as_bytes()))) {
            let says = "expected a lock that names a beacon's round, found none";
            return Err(of_receipt(says.to_owned()));
        }
        if let Some(seed) = &self.server_seed
            && let Err(error) = commit.commitment.verify_opening(&seed.seed())
        {
            return Err(RaffleDocumentError(format!("server_seed: {error}")));
        }
        Ok(())
    }

    fn check_policy(&self) -> Result<(), RaffleDocumentError> {
        let most = Self::MOST_OF_POLICY;
        match self.policy.as_ref().map(String::len) {
            Some(found) if !(1..=most).contains(&found) => {
                let says = format!("policy: expected 1 to {most} bytes, found {found}");
                Err(RaffleDocumentError(says))
            }
            _ => Ok(()),
        }
    }
}

/// Why a commit is not a raffle's commit with these rules (35.2, without `draw`).
fn is_raffle(commit: &Commit, rules: &RaffleRules) -> Result<(), String> {
    let expected = |what: &str, expected: &str| Err(format!("{what}: expected {expected}"));
    if commit.method != Method::Shuffle {
        return expected("method", "\"shuffle\"");
    }
    if !matches!(commit.deck, Deck::List { .. }) {
        return expected("deck", "a list");
    }
    if commit.sealed {
        return expected("sealed", "false");
    }
    if commit.mixing != Mixing::Beacon {
        return expected("mixing", "\"beacon\"");
    }
    if commit.rounds != Int::ONE {
        return expected("rounds", "1");
    }
    if commit.layout.is_some() {
        return expected("layout", "none");
    }
    if commit.rules != Some(rules.digest()) {
        let expected = rules.digest();
        let found = commit.rules.map_or_else(|| "none".to_owned(), |found| found.to_string());
        return Err(format!(
            "rules: expected the SHA-256 of the document's rules, {expected}, found {found}"
        ));
    }
    Ok(())
}
