//! Everything that anybody was told, held together at once where it contradicts itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use fairdeal::log::{Checkpoint, Policy, SignedCheckpoint, VerifierKey, verify_checkpoint};
use fairdeal::record::receipt::{Document, verify};
use serde_json::Value;

/// The answers to one idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answered {
    pub(super) commitment: String,
    pub(super) nonce: u64,
    pub(super) index: u64,
    /// The result, as it was told.
    pub(super) result: String,
}

/// See the module.
pub(super) struct Told {
    key: VerifierKey,
    /// Whose quorum each checkpoint must have.
    policy: Option<Arc<Policy>>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    /// By their index, the exact bytes.
    pub(super) entries: BTreeMap<u64, String>,
    /// Every root that was signed for a size.
    pub(super) checkpoints: BTreeMap<u64, BTreeSet<String>>,
    pub(super) answers: BTreeMap<String, Answered>,
    /// Requests that were refused for good: no entry may have them.
    pub(super) refused: BTreeSet<String>,
    pub(super) figures: BTreeMap<String, u64>,
    /// The answers that must never come.
    pub(super) wrong: Vec<String>,
}

impl Told {
    pub(super) fn new(key: VerifierKey) -> Self {
        Self { key, policy: None, inner: Mutex::default() }
    }

    /// The same, where no checkpoint may be seen that no quorum of a policy has signed.
    pub(super) fn witnessed(self, policy: Arc<Policy>) -> Self {
        Self { policy: Some(policy), ..self }
    }

    pub(super) fn key(&self) -> &VerifierKey {
        &self.key
    }

    pub(super) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }

    pub(super) fn count(&self, what: &str) {
        *self.inner().figures.entry(what.to_owned()).or_default() += 1;
    }

    /// How often all that begins so was counted.
    pub(super) fn figure(&self, what: &str) -> u64 {
        let inner = self.inner();
        inner
            .figures
            .iter()
            .filter(|(name, _)| name.starts_with(what))
            .map(|(_, count)| count)
            .sum()
    }

    pub(super) fn wrong(&self, what: String) {
        self.inner().wrong.push(what);
    }

    /// An entry, from a receipt or an event.
    pub(super) fn entry(&self, index: u64, bytes: &str) {
        let mut inner = self.inner();
        let known = inner.entries.entry(index).or_insert_with(|| bytes.to_owned()).clone();
        if known != bytes {
            inner.wrong.push(format!("entry {index} was told as {known} and as {bytes}"));
        }
    }

    /// A checkpoint, from a receipt or from the log's own address.
    pub(super) fn checkpoint(&self, note: &str) -> Option<Checkpoint> {
        if let Some(policy) = &self.policy {
            let signed = SignedCheckpoint::parse(note).ok();
            let witnessed = signed.as_ref().and_then(|signed| signed.witnessed(policy).ok());
            let is_first = signed.is_some_and(|signed| signed.unverified().size() == 0);
            if !is_first && witnessed.is_none_or(|witnessed| witnessed.quorum.is_none()) {
                self.wrong(format!("no quorum has signed {note}"));
            }
        }
        self.root(note)
    }

    /// A checkpoint that the log has signed, wherever it was found.
    pub(super) fn root(&self, note: &str) -> Option<Checkpoint> {
        match verify_checkpoint(note, &self.key) {
            Ok(checkpoint) => {
                let root = checkpoint.root().to_hex();
                self.inner().checkpoints.entry(checkpoint.size()).or_default().insert(root);
                Some(checkpoint)
            }
            Err(error) => {
                self.wrong(format!("{error}: {note}"));
                None
            }
        }
    }

    pub(super) fn receipt(&self, receipt: &Value) {
        let document: Document = receipt.to_string().parse().unwrap();
        let verdict = serde_json::to_value(verify(&document, &self.key)).unwrap();
        let findings = verdict["findings"].as_array().unwrap();
        // An outage may cover a deadline. Then the receipt says so.
        if findings.iter().any(|one| one["code"] != "late-reveal") {
            return self.wrong(format!("a receipt does not hold: {findings:?} {receipt}"));
        }
        self.count("receipts verified");
        self.checkpoint(receipt["checkpoint"].as_str().unwrap());
        for one in receipt["entries"].as_array().unwrap() {
            self.entry(one["index"].as_u64().unwrap(), one["entry"].as_str().unwrap());
        }
    }

    /// An answer to a request under a key, with its receipt.
    pub(super) fn answer(&self, key: &str, answer: &Value) {
        self.receipt(&answer["receipt"]);
        if let Some(next) = answer.get("next") {
            self.receipt(&next["receipt"]);
        }
        let answered = Answered {
            commitment: answer["commitment"].as_str().unwrap().to_owned(),
            nonce: answer["nonce"].as_u64().unwrap(),
            index: answer["index"].as_u64().unwrap(),
            result: answer["cards"].to_string(),
        };
        let mut inner = self.inner();
        let first = inner.answers.entry(key.to_owned()).or_insert_with(|| answered.clone()).clone();
        if first != answered {
            inner
                .wrong
                .push(format!("the key {key} was answered with {first:?} and with {answered:?}"));
        }
    }
}
