//! A player's evidence: the files that a program kept of its rounds (spec/receipt.md, 11.10).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::form::{Document, OPENING, RECEIPT, ReceiptError, SeenProof, without_mark};
use super::given::Given;
use super::verify::{joins, not_joined};
use crate::log::{Hash, SignedCheckpoint, VerifierKey};
use crate::record::as_json::{object, present, read};
use crate::record::entry::word;
use crate::record::field_error::{FieldError, wrong};

const EVIDENCE: &str = "fairdeal/evidence/v1";

word!(EvidenceWord, "fairdeal/evidence/v1", "`\"format\":\"fairdeal/evidence/v1\"`.");

/// Evidence, taken apart. A verifier gives its parts to [`verify_several`](super::verify_several).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Its files by their names; or why one is no receipt and no opening.
    pub files: Vec<(String, Result<Document, String>)>,
    /// The player's contributions.
    pub mine: Vec<Given>,
    /// The views of the log that the player saw.
    pub since: Vec<SeenHead>,
    /// Statements of the player's program. They show nothing.
    pub findings: Vec<Claim>,
}

/// A checkpoint that a player saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct SeenHead {
    /// A signed note, or anything else.
    pub checkpoint: String,
    /// Roots that the log had before, with the proofs that it grew from them to this checkpoint: in
    /// strictly ascending order of size.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seen: Option<Vec<SeenProof>>,
}

/// The word of a player's program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Claim {
    /// Its name for the file.
    pub code: String,
    /// Its words.
    pub says: String,
}

/// The file, unchanged.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    #[serde(rename = "format")]
    _format: EvidenceWord,
    #[serde(rename = "key")]
    _key: String,
    files: Vec<NamedFile>,
    mine: Vec<Value>,
    since: Vec<SeenHead>,
    findings: Vec<Claim>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct NamedFile {
    name: String,
    file: serde_json::Map<String, Value>,
}

object!(Claim, SeenHead, NamedFile);

/// Whether it names the format of a receipt, an opening or evidence, and is no contribution.
#[must_use]
pub fn is_to_judge(bytes: &[u8]) -> bool {
    let format = Document::readable(without_mark(bytes)).ok().flatten();
    format.is_some_and(|format| [RECEIPT, OPENING, EVIDENCE].contains(&format.as_str()))
}

impl Evidence {
    /// Reads evidence; `None` for JSON of another format.
    ///
    /// # Errors
    /// [`ReceiptError`], which says which member was expected to be what.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, ReceiptError> {
        let bytes = without_mark(bytes);
        if Document::readable(bytes)?.as_deref() != Some(EVIDENCE) {
            return Ok(None);
        }
        let Form { files, mine, since, findings, .. } = read(bytes)?;
        let document = |NamedFile { name, file }| {
            let text = Value::Object(file).to_string();
            (name, text.parse().map_err(|error: ReceiptError| error.to_string()))
        };
        let own = |(at, own): (usize, &Value)| {
            let wrong = |error| ReceiptError::Invalid(format!("mine[{at}]: {error}"));
            Given::parse_kept(own.to_string().as_bytes()).map_err(wrong)
        };
        let mine = mine.iter().enumerate().map(own).collect::<Result<_, _>>()?;
        for head in &since {
            head.check()?;
        }
        // Only evidence of the right shape can be without files.
        if files.is_empty() {
            return Err(ReceiptError::NoFiles);
        }
        Ok(Some(Self { files: files.into_iter().map(document).collect(), mine, since, findings }))
    }
}

impl SeenHead {
    /// A view that shows the root of its own size alone.
    #[must_use]
    pub const fn of(checkpoint: String) -> Self {
        Self { checkpoint, seen: None }
    }

    fn check(&self) -> Result<(), FieldError> {
        SeenProof::check(self.seen.as_deref())?;
        match SignedCheckpoint::parse(&self.checkpoint) {
            Ok(note) => joins(self.seen(), note.unverified().size()).or_else(wrong),
            Err(_) => Ok(()),
        }
    }

    fn seen(&self) -> &[SeenProof] {
        self.seen.as_deref().unwrap_or_default()
    }

    /// The sizes whose roots it shows, with these roots: its own, and those that its proofs prove.
    /// `None` if the log did not sign it.
    pub(super) fn roots(&self, key: &VerifierKey) -> Option<Vec<(u64, Hash)>> {
        let signed = SignedCheckpoint::parse(&self.checkpoint).ok()?;
        if !signed.is_signed_by(key) {
            return None;
        }
        let checkpoint = signed.unverified();
        let mut proved = BTreeMap::new();
        not_joined(self.seen(), checkpoint, &mut proved, &mut Vec::new());
        let own = (checkpoint.size(), *checkpoint.root());
        Some(std::iter::once(own).chain(proved).collect())
    }
}
