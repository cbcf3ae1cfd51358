//! The body of a request to a witness: an old size, a consistency proof from it, and a checkpoint
//! (C2SP tlog-witness, add-checkpoint).
//!
//! Not for deciding whether a witness signs: that takes what it has signed before.

use super::checkpoint::{SignedCheckpoint, SignedCheckpointError};
use super::hash::Hash;
use super::notation::{parse_decimal, quote};

/// A request for a cosignature. Nothing of it is verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// The size of the tree that the witness signed last, as far as the client knows.
    pub old_size: u64,
    /// The consistency proof from the old size to the checkpoint's: at most
    /// [`MAX_PROOF`](Self::MAX_PROOF) hashes.
    pub proof: Vec<Hash>,
    /// The checkpoint, signed by its log.
    pub checkpoint: SignedCheckpoint,
}

/// A text is not the body of a request to a witness.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum AddCheckpointError {
    /// A line is not what it should be.
    #[error("line {line} of the request: expected {expected}, found {found}")]
    Line { line: usize, expected: &'static str, found: String },
    /// More hashes than any proof has.
    #[error("a request: expected at most {max} lines of proof, found {0}", max = AddCheckpoint::MAX_PROOF)]
    TooMany(usize),
    /// What follows the empty line is no signed checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] SignedCheckpointError),
}

impl AddCheckpoint {
    /// The most hashes of a proof.
    pub const MAX_PROOF: usize = 63;

    /// Reads a body.
    ///
    /// # Errors
    /// [`AddCheckpointError`], for anything that [`to_text`](Self::to_text) does not print.
    pub fn parse(text: &str) -> Result<Self, AddCheckpointError> {
        let error = |line, expected, found: &str| AddCheckpointError::Line {
            line,
            expected,
            found: quote(found),
        };
        let (lines, checkpoint) = text.split_once("\n\n").ok_or_else(|| {
            error(text.lines().count(), "an empty line before the checkpoint", "the end")
        })?;
        let mut lines = lines.split('\n');
        let old = lines.next().unwrap_or_default();
        let old_size = old.strip_prefix("old ").and_then(parse_decimal);
        let old_size = old_size.ok_or_else(|| error(1, "\"old\" and a decimal number", old))?;
        let hashes: Vec<&str> = lines.collect();
        if hashes.len() > Self::MAX_PROOF {
            return Err(AddCheckpointError::TooMany(hashes.len()));
        }
        let hash = |(at, line)| {
            Hash::parse_base64(line).map_err(|_| error(at, "base64 of a hash, or nothing", line))
        };
        let proof = (2_usize..).zip(hashes).map(hash).collect::<Result<_, _>>()?;
        Ok(Self { old_size, proof, checkpoint: SignedCheckpoint::parse(checkpoint)? })
    }

    /// The body as it is sent.
    #[must_use]
    pub fn to_text(&self) -> String {
        let proof: String = self.proof.iter().map(|hash| hash.to_base64() + "\n").collect();
        format!("old {}\n{proof}\n{}", self.old_size, self.checkpoint.to_text())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::log::{Checkpoint, SignerKey};

    fn note(size: u64) -> String {
        let signer = SignerKey::from_seed("cards.example/log".parse().unwrap(), &[7; 32]);
        let checkpoint = Checkpoint::new("cards.example/log", size, Hash::from_bytes([9; 32]));
        checkpoint.unwrap().sign(&signer).unwrap().to_text()
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(
            old_size in any::<u64>(),
            proof in prop::collection::vec(any::<[u8; 32]>(), 0..=63),
            size in 1_u64..1 << 63,
        ) {
            let proof = proof.into_iter().map(Hash::from_bytes).collect();
            let checkpoint = SignedCheckpoint::parse(&note(size)).unwrap();
            let made = AddCheckpoint { old_size, proof, checkpoint };
            prop_assert_eq!(AddCheckpoint::parse(&made.to_text()), Ok(made));
        }

        #[test]
        fn a_changed_body_is_refused_or_prints_itself(
            at in any::<prop::sample::Index>(),
            with in prop::sample::select(vec!["", "\n", " ", "0", "old ", "—", "\0", "\r", "é"]),
        ) {
            let hash = Hash::from_bytes([1; 32]).to_base64();
            let mut text = format!("old 5\n{hash}\n{hash}\n\n{}", note(9));
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let place = *at.get(&places);
            let character = text[place..].chars().next().unwrap();
            text.replace_range(place..place + character.len_utf8(), with);
            if let Ok(read) = AddCheckpoint::parse(&text) {
                prop_assert_eq!(read.to_text(), text);
            }
        }

        #[test]
        fn no_text_is_a_panic(text in "(old [0-9]{0,21}\n)?([A-Za-z0-9+/=]{0,50}\n){0,70}\n?.{0,99}") {
            drop(AddCheckpoint::parse(&text));
        }
    }

    #[test]
    fn what_is_no_request_is_refused_with_its_line() {
        let (note, hash) = (note(9), Hash::from_bytes([1; 32]).to_base64());
        for (head, line) in [
            ("", 1),
            ("old", 1),
            ("old ", 1),
            ("old  5", 1),
            ("old 05", 1),
            ("old +5", 1),
            ("old 5 ", 1),
            ("old 5\r", 1),
            ("Old 5", 1),
            ("old 18446744073709551616", 1),
            ("old 5\nAA==", 2),
            (&format!("old 5\n{hash}\n{hash} "), 3),
            (&format!("old 5\n{}", hash.trim_end_matches('=')), 2),
            (&format!("old 5\n{hash}\r"), 2),
        ] {
            match AddCheckpoint::parse(&format!("{head}\n\n{note}")) {
                Err(AddCheckpointError::Line { line: found, .. }) => {
                    assert_eq!(found, line, "{head:?}");
                }
                other => panic!("{head:?}: {other:?}"),
            }
        }
        let lines = |count: usize| format!("old 5\n{}\n{note}", format!("{hash}\n").repeat(count));
        assert!(AddCheckpoint::parse(&lines(63)).is_ok());
        assert_eq!(AddCheckpoint::parse(&lines(64)), Err(AddCheckpointError::TooMany(64)));
        let cut = &note[..note.len() - 1];
        assert!(AddCheckpoint::parse(&format!("old 5\n\n{cut}")).is_err(), "no last newline");
        assert!(AddCheckpoint::parse(&format!("old 5\n\n{note}\n")).is_err(), "a line too many");
        assert!(AddCheckpoint::parse(&format!("old 5\n\n\n{note}")).is_err(), "an empty origin");
        assert!(AddCheckpoint::parse(&format!("old 5\n{note}")).is_err(), "no empty line");
    }
}
