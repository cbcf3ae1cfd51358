//! Checkpoints: the size and the root of a log's tree, signed (C2SP tlog-checkpoint).
//!
//! Not for showing that two checkpoints belong to one tree: that takes a consistency proof.

use super::{
    hash::{EMPTY_ROOT, Hash, ParseHashError},
    key::{KeyName, SignerKey, VerifierKey, WrongSignature},
    merkle::MAX_SIZE,
    notation::{find_control, parse_decimal, quote},
    note::{Note, NoteError, VerifyNoteError},
    policy::Policy,
    quorum::Witnessed,
};

/// The text of a checkpoint: whose log, how many leaves, which root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    origin: String,
    size: u64,
    root: Hash,
    extensions: Vec<String>,
}

/// A note whose text is a checkpoint. Its signatures are not verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedCheckpoint {
    note: Note,
    checkpoint: Checkpoint,
}

/// A text is not a checkpoint's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum CheckpointError {
    /// Not at least three lines, each with a newline at its end.
    #[error(
        "a checkpoint: expected lines of origin, size and root, each with a newline at its end, found {0}"
    )]
    Form(String),
    /// A line that may not be empty is.
    #[error("line {0} of the checkpoint is empty")]
    EmptyLine(usize),
    /// An ASCII control character.
    #[error("the checkpoint has {character:?} at byte {at}; it may hold no control characters")]
    Control { at: usize, character: char },
    /// The size is not a decimal number up to [`MAX_SIZE`].
    #[error(
        "line 2 of the checkpoint: expected the size, 0 to {MAX_SIZE} without leading zeros, found {0}"
    )]
    Size(String),
    /// The root is not a hash.
    #[error("line 3 of the checkpoint is the root: {0}")]
    Root(#[from] ParseHashError),
    /// The root is not that of a tree without leaves.
    #[error("the checkpoint of a tree without leaves: expected root {}, found {}", EMPTY_ROOT.to_hex(), .0.to_hex())]
    EmptyRoot(Hash),
}

/// A text is not a checkpoint signed by the log's key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum SignedCheckpointError {
    /// Not a note.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// Not signed by the key.
    #[error(transparent)]
    Signature(#[from] VerifyNoteError),
    /// Not a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A checkpoint of another log, which the key did not sign.
    #[error("this log is {log}; your key is {key}")]
    AnotherLog { log: String, key: String },
    /// A checkpoint of the log of this name, signed by another key.
    #[error("this log is {log}; your key is {key}: the name is the same, the key is another")]
    AnotherKey { log: String, key: String },
    /// A checkpoint of another log, though signed by the key.
    #[error("the checkpoint is of the log {}, the key is of {key}", quote(origin))]
    Origin { origin: String, key: KeyName },
}

impl Checkpoint {
    /// The checkpoint of a log's tree, without extension lines.
    ///
    /// # Errors
    /// [`CheckpointError`] if the origin is empty or has control characters, the size is over
    /// [`MAX_SIZE`], or it is 0 and the root not the empty tree's.
    pub fn new(origin: &str, size: u64, root: Hash) -> Result<Self, CheckpointError> {
        if origin.is_empty() {
            return Err(CheckpointError::EmptyLine(1));
        }
        if let Some((at, character)) = origin.char_indices().find(|&(_, character)| character < ' ')
        {
            return Err(CheckpointError::Control { at, character });
        }
        if size > MAX_SIZE {
            return Err(CheckpointError::Size(size.to_string()));
        }
        if size == 0 && root != EMPTY_ROOT {
            return Err(CheckpointError::EmptyRoot(root));
        }
        Ok(Self { origin: origin.to_owned(), size, root, extensions: Vec::new() })
    }

    /// Reads the text of a checkpoint's note, its last newline included.
    ///
    /// # Errors
    /// [`CheckpointError`] for anything that [`to_text`](Self::to_text) does not print.
    pub fn parse(text: &str) -> Result<Self, CheckpointError> {
        if let Some((at, character)) = find_control(text) {
            return Err(CheckpointError::Control { at, character });
        }
        let form = || CheckpointError::Form(quote(text));
        let mut lines = text.strip_suffix('\n').ok_or_else(form)?.split('\n');
        let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next())
        else {
            return Err(form());
        };
        let size = parse_decimal(size)
            .filter(|&size| size <= MAX_SIZE)
            .ok_or_else(|| CheckpointError::Size(quote(size)))?;
        let root = Hash::parse_base64(root)?;
        let extensions: Vec<String> = lines.map(str::to_owned).collect();
        if let Some((line, _)) =
            (4_usize..).zip(&extensions).find(|(_, extension)| extension.is_empty())
        {
            return Err(CheckpointError::EmptyLine(line));
        }
        Ok(Self { extensions, ..Self::new(origin, size, root)? })
    }

    /// The text to sign: a line each for origin, size, root and extensions.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n{}\n", self.origin, self.size, self.root.to_base64());
        for extension in &self.extensions {
            text.push_str(extension);
            text.push('\n');
        }
        text
    }

    /// The log's origin: the name of its key.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The tree's number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The tree's root.
    #[must_use]
    pub const fn root(&self) -> &Hash {
        &self.root
    }

    /// The lines after the root; they have no meaning here.
    #[must_use]
    pub fn extensions(&self) -> &[String] {
        &self.extensions
    }

    /// Signs the checkpoint with the log's key.
    ///
    /// # Errors
    /// [`SignedCheckpointError::Origin`] if the key is another log's,
    /// [`SignedCheckpointError::Note`] if extensions make it longer than a note can be.
    pub fn sign(&self, key: &SignerKey) -> Result<Note, SignedCheckpointError> {
        self.has_origin(key.verifier().name())?;
        Ok(Note::sign(&self.to_text(), &[key])?)
    }

    fn has_origin(&self, key: &KeyName) -> Result<(), SignedCheckpointError> {
        if self.origin == key.as_str() {
            Ok(())
        } else {
            Err(SignedCheckpointError::Origin { origin: self.origin.clone(), key: key.clone() })
        }
    }
}

impl SignedCheckpoint {
    /// Reads a note that holds a checkpoint. Its signatures are not verified: that is
    /// [`verify`](Self::verify).
    ///
    /// # Errors
    /// [`SignedCheckpointError::Note`] or [`SignedCheckpointError::Checkpoint`] for anything that
    /// [`to_text`](Self::to_text) does not print.
    pub fn parse(note: &str) -> Result<Self, SignedCheckpointError> {
        let note = Note::parse(note)?;
        let checkpoint = Checkpoint::parse(note.text())?;
        Ok(Self { note, checkpoint })
    }

    /// The note as it is stored and sent.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.note.to_text()
    }

    /// The note, with every signature it has.
    #[must_use]
    pub const fn note(&self) -> &Note {
        &self.note
    }

    /// The checkpoint, not verified.
    #[must_use]
    pub const fn unverified(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Shows that the log of this key signed the checkpoint.
    ///
    /// # Errors
    /// If the key did not sign it: [`SignedCheckpointError::AnotherLog`] if the origin is not
    /// the key's name, [`SignedCheckpointError::AnotherKey`] if another key of that name signed it,
    /// else [`SignedCheckpointError::Signature`]. [`SignedCheckpointError::Origin`] if the key
    /// signed it and it is another log's: a key signs only for the log of its own name.
    pub fn verify(&self, key: &VerifierKey) -> Result<&Checkpoint, SignedCheckpointError> {
        match self.note.verify(&[key]) {
            Ok(_) => self.checkpoint.has_origin(key.name())?,
            Err(error) => return Err(self.not_signed(key, error)),
        }
        Ok(&self.checkpoint)
    }

    /// The witnesses of a policy that have signed the checkpoint.
    ///
    /// # Errors
    /// [`WrongSignature`] if a line names a witness and does not verify.
    pub fn witnessed(&self, policy: &Policy) -> Result<Witnessed, WrongSignature> {
        policy.witnessed(&self.checkpoint, self.note.signatures(), true)
    }

    /// Whether the key signed this root, as the log of its name: extension lines, and signature
    /// lines that do not verify, do not change that (spec/receipt.md, 11.3).
    #[must_use]
    pub fn is_signed_by(&self, key: &VerifierKey) -> bool {
        self.checkpoint.origin() == key.name().as_str() && self.note.is_signed_by(key)
    }

    fn not_signed(&self, key: &VerifierKey, error: VerifyNoteError) -> SignedCheckpointError {
        let (origin, of) = (self.checkpoint.origin(), format!("{}+{}", key.name(), key.id()));
        let own = self.note.signatures().iter().find(|one| one.name().as_str() == origin);
        let signer = own.map(|one| format!("{}+{}", one.name(), one.id()));
        match (origin == key.name().as_str(), signer, error) {
            (false, signer, _) => SignedCheckpointError::AnotherLog {
                log: signer.unwrap_or_else(|| quote(origin)),
                key: of,
            },
            (true, Some(log), VerifyNoteError::Unknown { .. }) => {
                SignedCheckpointError::AnotherKey { log, key: of }
            }
            (true, _, error) => error.into(),
        }
    }
}

/// Signs the size and the root of a log's tree with the log's key, without extension lines; the
/// pair of [`verify_checkpoint`].
///
/// # Errors
/// [`SignedCheckpointError::Checkpoint`], as of [`Checkpoint::new`].
pub fn sign_checkpoint(
    key: &SignerKey,
    size: u64,
    root: Hash,
) -> Result<Note, SignedCheckpointError> {
    Checkpoint::new(key.verifier().name().as_str(), size, root)?.sign(key)
}

/// Reads a note and shows that it is a checkpoint signed by the log of this key.
///
/// # Errors
/// [`SignedCheckpointError`], those of [`SignedCheckpoint::parse`] and
/// [`SignedCheckpoint::verify`].
pub fn verify_checkpoint(
    note: &str,
    key: &VerifierKey,
) -> Result<Checkpoint, SignedCheckpointError> {
    SignedCheckpoint::parse(note)?.verify(key).cloned()
}
