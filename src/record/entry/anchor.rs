//! The entry `anchor`: a checkpoint of the log, with the cosignatures of witnesses (spec/ledger.md,
//! 8.2).

use serde::{Deserialize, Serialize};

use super::fields::AnchorWord;
use crate::deal::Digest;
use crate::log::{Checkpoint, Hash, Policy, Signature, Witnessed};
use crate::record::as_json::{Int, object};
use crate::record::field_error::{FieldError, wrong};
use crate::record::life::Cosigned;

/// The most cosignatures of an anchor.
const MOST: usize = 16;

/// The longest name of a witness's key, in bytes.
const LONGEST_NAME: usize = 255;

/// The bytes of a cosignature: a key ID, a time and a signature, by Ed25519 or by ML-DSA-44.
const LENGTHS: [usize; 2] = [76, 2432];

/// A checkpoint that witnesses have signed, as an entry of its log. It belongs to no commitment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Anchor {
    /// 1 to 16, ascending by their bytes.
    pub cosignatures: Vec<Signature>,
    /// `"entry":"anchor"`.
    pub entry: AnchorWord,
    /// The checkpoint's root.
    pub root: Digest,
    /// The checkpoint's size, at least 1.
    pub size: Int,
    /// Unix milliseconds.
    pub time: Int,
}

object!(Anchor);

impl Anchor {
    /// An anchor of a checkpoint. The cosignatures are put in their order.
    #[must_use]
    pub fn new(size: Int, root: Digest, mut cosignatures: Vec<Signature>, time: Int) -> Self {
        cosignatures.sort_by_cached_key(Signature::to_text);
        Self { cosignatures, entry: AnchorWord, root, size, time }
    }

    /// The root, as a hash of the log.
    #[must_use]
    pub const fn root(&self) -> Hash {
        Hash::from_bytes(*self.root.as_bytes())
    }

    /// The witnesses of a policy that have signed it, in the log of this origin.
    #[must_use]
    pub fn witnessed(&self, policy: &Policy, origin: &str) -> Option<Witnessed> {
        let checkpoint = Checkpoint::new(origin, self.size.value(), self.root()).ok()?;
        policy.witnessed(&checkpoint, &self.cosignatures, false).ok()
    }

    /// The quorum that has signed it, if there is one.
    #[must_use]
    pub fn cosigned(&self, policy: &Policy, origin: &str) -> Option<Cosigned> {
        Cosigned::of(&self.witnessed(policy, origin)?, policy)
    }

    pub(super) fn check(&self) -> Result<(), FieldError> {
        if self.size.value() == 0 {
            return wrong("size: expected at least 1, found 0");
        }
        let found = self.cosignatures.len();
        if !(1..=MOST).contains(&found) {
            return wrong(format!("cosignatures: expected 1 to {MOST}, found {found}"));
        }
        let mut before = String::new();
        for (at, line) in self.cosignatures.iter().enumerate() {
            let (name, bytes) = (line.name().as_str().len(), line.bytes().len().saturating_add(4));
            if name > LONGEST_NAME {
                return wrong(format!(
                    "cosignatures[{at}]: expected a name of at most {LONGEST_NAME} bytes, found {name}"
                ));
            }
            if !LENGTHS.contains(&bytes) {
                let [short, long] = LENGTHS;
                return wrong(format!(
                    "cosignatures[{at}]: expected base64 of {short} or {long} bytes, found {bytes}"
                ));
            }
            let text = line.to_text();
            if before >= text {
                return wrong(format!(
                    "cosignatures[{at}]: expected each once, in ascending byte order"
                ));
            }
            before = text;
            let key = |one: &Signature| (one.name().clone(), one.id());
            if self.cosignatures.iter().take(at).any(|one| key(one) == key(line)) {
                return wrong(format!(
                    "cosignatures[{at}]: one before it has the same name and key ID, {}+{}",
                    line.name(),
                    line.id()
                ));
            }
        }
        Ok(())
    }
}
