//! A transparency log: entries in a Merkle tree that only grows, and a signature over its root.
//!
//! With a log's key anybody can check that an entry is in it, and that a later tree continues an
//! earlier one, without trusting who serves it. The formats are C2SP's, so that other people's
//! tools can read and witness the log:
//!
//! | module | what | spec |
//! |---|---|---|
//! | [`hash`], [`merkle`] | the tree, growing | RFC 6962 section 2.1 |
//! | [`proof`] | inclusion and consistency | RFC 6962 sections 2.1.1, 2.1.2 |
//! | [`path`], [`tile`] | the tree as files | C2SP tlog-tiles |
//! | [`key`], [`note`] | signed texts | C2SP signed-note |
//! | [`checkpoint`] | size and root, signed | C2SP tlog-checkpoint |
//! | [`cosignature`] | a witness's signature of a checkpoint | C2SP tlog-cosignature |
//! | [`add_checkpoint`] | a request to a witness | C2SP tlog-witness |
//! | [`policy`] | the witnesses that a reader has chosen | C2SP tlog-policy |
//! | [`memory`] | a small log, all in memory | |
//!
//! Bytes in, bytes out: nothing here reads files, writes files, waits or knows what an entry says.
//!
//! ```
//! use fairdeal::log::{MemoryLog, SignerKey, leaf_hash, verify_checkpoint, verify_inclusion};
//!
//! // The operator appends entries, signs the tree, and proves that the deal is in it.
//! // A real key is of 32 secret random bytes.
//! let signer = SignerKey::from_seed("cards.example/log".parse()?, &[7; 32]);
//! let mut log = MemoryLog::new();
//! for entry in ["a commitment", "a deal", "a reveal"] {
//!     log.append(entry);
//! }
//! let note = log.checkpoint(&signer)?.to_text();
//! let proof = log.inclusion_proof(1)?;
//!
//! // A player has the operator's public key, the entry, the note and the proof.
//! let head = verify_checkpoint(&note, signer.verifier())?;
//! verify_inclusion(&leaf_hash(b"a deal"), 1, head.size(), &proof, head.root())?;
//! let another = leaf_hash(b"another deal");
//! assert!(verify_inclusion(&another, 1, head.size(), &proof, head.root()).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Bytes, sizes and indices come from outside. Tests may overflow: then they fail.
#![warn(clippy::as_conversions, clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

/// `FromStr` and `Display`, which read and print what the type's own `parse` and `to_text` do.
macro_rules! text_forms {
    ($($type:ty, $error:ty;)+) => {$(
        impl std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                Self::parse(text)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.to_text())
            }
        }
    )+};
}

pub mod add_checkpoint;
mod builder;
pub mod checkpoint;
pub mod cosignature;
pub mod hash;
pub mod key;
pub mod memory;
pub mod merkle;
mod notation;
pub mod note;
pub mod path;
pub mod policy;
pub mod proof;
pub mod quorum;
pub mod tile;
pub mod tlog_proof;

text_forms! {
    AddCheckpoint, AddCheckpointError;
    Checkpoint, CheckpointError;
    Note, NoteError;
    Signature, SignatureError;
    SignedCheckpoint, SignedCheckpointError;
    TilePath, TilePathError;
    TlogProof, TlogProofError;
    VerifierKey, KeyError;
    WitnessKey, KeyError;
}

impl std::str::FromStr for KeyName {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        Self::parse(text)
    }
}

/// A secret: read, and never printed.
impl std::str::FromStr for WitnessSigner {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        Self::parse(text)
    }
}

/// A secret: read, and never printed.
impl std::str::FromStr for SignerKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        Self::parse(text)
    }
}

pub(crate) use self::quorum::is_second;
pub use self::{
    add_checkpoint::{AddCheckpoint, AddCheckpointError},
    builder::TileBuilder,
    checkpoint::{
        Checkpoint, CheckpointError, SignedCheckpoint, SignedCheckpointError, sign_checkpoint,
        verify_checkpoint,
    },
    cosignature::WitnessSigner,
    hash::{EMPTY_ROOT, Hash, ParseHashError, leaf_hash, leaf_hashes, node_hash},
    key::{KeyError, KeyId, KeyName, SignerKey, VerifierKey, WitnessKey, WrongSignature},
    memory::MemoryLog,
    merkle::{CompactRange, Frontier, MAX_SIZE, Node, RangeError},
    note::{Note, NoteError, Signature, SignatureError, VerifiedNote, VerifyNoteError},
    path::{Level, TILE_WIDTH, TilePath, TilePathError, tiles, tiles_between},
    policy::{Policy, PolicyError, PolicyFault, Witness},
    proof::{
        ConsistencyError, InclusionError, ProofPlan, ProofPlanError, verify_consistency,
        verify_inclusion,
    },
    quorum::{Quorum, Witnessed},
    tile::{BundleError, EntryBundle, HashTile, TileError, TileNodes},
    tlog_proof::{TlogProof, TlogProofError},
};
