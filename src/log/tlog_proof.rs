//! Proofs of one entry for verifiers of any transparency log (C2SP tlog-proof).
//!
//! Not for judging a round: that takes a receipt.

use super::checkpoint::{Checkpoint, SignedCheckpoint, SignedCheckpointError};
use super::hash::{Hash, leaf_hash};
use super::key::VerifierKey;
use super::notation::{parse_base64, parse_decimal, quote, to_base64};
use super::proof::{InclusionError, verify_inclusion};

/// The first line.
const HEAD: &str = "c2sp.org/tlog-proof@v1";

/// A proof that an entry is in a log. Nothing of it is verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlogProof {
    /// Data that nobody has signed.
    pub extra: Option<Vec<u8>>,
    /// The entry's index in the log.
    pub index: u64,
    /// The inclusion proof, from the leaf's sibling upwards.
    pub proof: Vec<Hash>,
    /// The log's checkpoint as it is published, a signed note.
    pub checkpoint: String,
}

/// A text is not a tlog-proof, or it does not prove an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum TlogProofError {
    /// A line is not what it should be.
    #[error("line {line} of the proof: expected {expected}, found {found}")]
    Line { line: usize, expected: &'static str, found: String },
    /// The checkpoint is not signed by the log's key.
    #[error(transparent)]
    Checkpoint(#[from] SignedCheckpointError),
    /// The proof does not lead to the checkpoint's root.
    #[error(transparent)]
    Inclusion(#[from] InclusionError),
}

impl TlogProof {
    /// Reads a proof.
    ///
    /// # Errors
    /// [`TlogProofError::Line`], for anything that [`to_text`](Self::to_text) does not print.
    pub fn parse(text: &str) -> Result<Self, TlogProofError> {
        let error = |line, expected, found: &str| TlogProofError::Line {
            line,
            expected,
            found: quote(found),
        };
        let (lines, checkpoint) = text.split_once("\n\n").ok_or_else(|| {
            error(text.lines().count(), "an empty line before the checkpoint", "the end")
        })?;
        let mut lines = (1_usize..).zip(lines.split('\n')).peekable();
        let head = lines.next().map_or("", |(_, head)| head);
        if head != HEAD {
            return Err(error(1, "c2sp.org/tlog-proof@v1", head));
        }
        let extra = lines.next_if(|(_, line)| line.starts_with("extra "));
        let extra = extra.map(|(at, line)| {
            let bytes = line.strip_prefix("extra ").and_then(parse_base64);
            bytes.ok_or_else(|| error(at, "\"extra\" and base64", line))
        });
        let (at, line) = lines.next().unwrap_or((2, ""));
        let index = line.strip_prefix("index ").and_then(parse_decimal);
        let index = index.ok_or_else(|| error(at, "\"index\" and a decimal number", line))?;
        let hash =
            |(at, line)| Hash::parse_base64(line).map_err(|_| error(at, "base64 of a hash", line));
        let (extra, proof) = (extra.transpose()?, lines.map(hash).collect::<Result<_, _>>()?);
        Ok(Self { extra, index, proof, checkpoint: checkpoint.to_owned() })
    }

    /// The proof as a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let extra = self.extra.as_ref().map(|extra| format!("extra {}\n", to_base64(extra)));
        let proof: String = self.proof.iter().map(|hash| hash.to_base64() + "\n").collect();
        let (extra, index) = (extra.unwrap_or_default(), self.index);
        format!("{HEAD}\n{extra}index {index}\n{proof}\n{}", self.checkpoint)
    }

    /// Shows that an entry is in the log of this key. Returns the checkpoint that proves it.
    ///
    /// # Errors
    /// [`TlogProofError::Checkpoint`] and [`TlogProofError::Inclusion`].
    pub fn verify(&self, entry: &[u8], key: &VerifierKey) -> Result<Checkpoint, TlogProofError> {
        let signed = SignedCheckpoint::parse(&self.checkpoint)?;
        let log = signed.verify(key)?;
        verify_inclusion(&leaf_hash(entry), self.index, log.size(), &self.proof, log.root())?;
        Ok(log.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{MemoryLog, SignerKey};

    #[test]
    fn a_proof_reads_back_and_proves_its_entry_alone() {
        let signer = SignerKey::from_seed("cards.example/log".parse().unwrap(), &[7; 32]);
        let mut log = MemoryLog::new();
        for entry in 0..5_u8 {
            log.append([entry]);
        }
        for (index, extra) in [(0, None), (3, Some(b"who asked".to_vec())), (4, Some(vec![]))] {
            let proof = log.inclusion_proof(index).unwrap();
            let checkpoint = log.checkpoint(&signer).unwrap().to_text();
            let made = TlogProof { extra, index, proof, checkpoint };
            let read = TlogProof::parse(&made.to_text()).unwrap();
            assert_eq!(read, made);
            let entry = u8::try_from(index).unwrap();
            assert_eq!(read.verify(&[entry], signer.verifier()).unwrap().size(), 5);
            assert!(read.verify(&[entry + 1], signer.verifier()).is_err());
            let other = SignerKey::from_seed("cards.example/log".parse().unwrap(), &[8; 32]);
            assert!(read.verify(&[entry], other.verifier()).is_err());
        }
    }

    #[test]
    fn what_is_no_proof_is_refused_with_its_line() {
        let end = "\n\na\n0\n";
        for (text, line) in [
            ("", 0),
            ("c2sp.org/tlog-proof@v1\nindex 0\n", 2),
            (&format!("c2sp.org/tlog-proof@v2\nindex 0{end}"), 1),
            (&format!("c2sp.org/tlog-proof@v1{end}"), 2),
            (&format!("c2sp.org/tlog-proof@v1\nindex 01{end}"), 2),
            (&format!("c2sp.org/tlog-proof@v1\nextra ?\nindex 0{end}"), 2),
            (&format!("c2sp.org/tlog-proof@v1\nindex 0\nextra AA=={end}"), 3),
            (&format!("c2sp.org/tlog-proof@v1\nindex 0\nAA=={end}"), 3),
        ] {
            match TlogProof::parse(text) {
                Err(TlogProofError::Line { line: found, .. }) => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
