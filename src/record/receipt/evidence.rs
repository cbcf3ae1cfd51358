//! A player's evidence: the files that a program kept of its rounds (spec/receipt.md, 11.10).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::form::{Document, ReceiptError};
use super::given::Given;
use crate::record::as_json::{object, read};
use crate::record::entry::word;

const EVIDENCE: &str = "fairdeal/evidence/v1";

word!(EvidenceWord, "fairdeal/evidence/v1", "`\"format\":\"fairdeal/evidence/v1\"`.");

/// Evidence, taken apart. A verifier gives its parts to [`verify_several`](super::verify_several).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Its files by their names; or why one is no receipt and no opening.
    pub files: Vec<(String, Result<Document, String>)>,
    /// The player's contributions.
    pub mine: Vec<Given>,
    /// The checkpoints that the player saw, as signed notes, or anything else.
    pub since: Vec<String>,
    /// Statements of the player's program. They show nothing.
    pub findings: Vec<Claim>,
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
    since: Vec<String>,
    findings: Vec<Claim>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct NamedFile {
    name: String,
    file: serde_json::Map<String, Value>,
}

object!(Claim, NamedFile);

impl Evidence {
    /// Reads evidence; `None` for JSON of another format.
    ///
    /// # Errors
    /// [`ReceiptError`], which says which member was expected to be what.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, ReceiptError> {
        if Document::readable(bytes)?.as_deref() != Some(EVIDENCE) {
            return Ok(None);
        }
        let Form { files, mine, since, findings, .. } = read(bytes)?;
        if files.is_empty() {
            return Err(ReceiptError::NoFiles);
        }
        let document = |NamedFile { name, file }| {
            let text = Value::Object(file).to_string();
            (name, text.parse().map_err(|error: ReceiptError| error.to_string()))
        };
        let own = |(at, own): (usize, &Value)| {
            let wrong = |error| ReceiptError::Invalid(format!("mine[{at}]: {error}"));
            Given::parse_kept(own.to_string().as_bytes()).map_err(wrong)
        };
        Ok(Some(Self {
            files: files.into_iter().map(document).collect(),
            mine: mine.iter().enumerate().map(own).collect::<Result<_, _>>()?,
            since,
            findings,
        }))
    }
}
