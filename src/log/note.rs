//! Signed notes: a text, an empty line, and a line for each signature (C2SP signed-note).
//!
//! A note's text is not trustworthy before [`Note::verify`].

use super::{
    key::{KeyError, KeyId, KeyName, SignerKey, VerifierKey, WrongSignature},
    notation::{find_control, list, parse_base64, quote, to_base64},
};

/// A text and the signatures under it, not verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<Signature>,
}

/// One signature line: the name and the id of a key, and at least one byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    name: KeyName,
    id: KeyId,
    bytes: Vec<u8>,
}

/// A verified note: a text, and the keys that signed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedNote<'note> {
    text: &'note str,
    signers: Vec<&'note VerifierKey>,
}

/// A text is not a signed note.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum NoteError {
    /// Longer than [`Note::MAX_LENGTH`].
    #[error("a note: expected at most {max} bytes, found {0}", max = Note::MAX_LENGTH)]
    TooLong(usize),
    /// An ASCII control character.
    #[error(
        "byte {at} of the note is {character:?}; it may hold no control characters but newline"
    )]
    Control { at: usize, character: char },
    /// No empty line, so no signatures.
    #[error("a note has an empty line between its text and its signatures; this has none")]
    NoEmptyLine,
    /// The text or the last signature line has no newline at its end.
    #[error("the note's {0} does not end in a newline")]
    NoNewline(&'static str),
    /// No signatures, or more than [`Note::MAX_SIGNATURES`].
    #[error("a note: expected 1 to {max} signatures, found {0}", max = Note::MAX_SIGNATURES)]
    Signatures(usize),
    /// A signature line is malformed.
    #[error("signature line {line} of the note: {error}")]
    Signature {
        line: usize,
        #[source]
        error: SignatureError,
    },
}

/// A text is not a signature line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum SignatureError {
    /// Not of the form `— <name> <base64>`.
    #[error(
        "a signature: expected an em dash, a space, the key's name, a space and base64, found {0}"
    )]
    Form(String),
    /// The name is not a key's name.
    #[error(transparent)]
    Name(#[from] KeyError),
    /// Fewer than five bytes.
    #[error(
        "the signature of {name} has {found} bytes, the key's id and at least one more are needed"
    )]
    Short { name: String, found: usize },
}

/// A note is not signed by a key that is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum VerifyNoteError {
    /// A known key's signature does not hold: somebody changed the text or forged the signature.
    #[error("signature line {line} of the note: {error}")]
    Wrong {
        line: usize,
        #[source]
        error: WrongSignature,
    },
    /// There is no signature by a known key.
    #[error("expected a note signed by {expected}, found one signed by {found}")]
    Unknown { expected: String, found: String },
}

impl Signature {
    /// A signature line begins with an em dash and a space.
    const DASH: &str = "— ";

    /// The signature of this name and id, of at least one byte.
    ///
    /// # Errors
    /// [`SignatureError::Short`] if `bytes` is empty.
    pub fn new(name: KeyName, id: KeyId, bytes: Vec<u8>) -> Result<Self, SignatureError> {
        if bytes.is_empty() {
            return Err(SignatureError::Short { name: quote(name.as_str()), found: 4 });
        }
        Ok(Self { name, id, bytes })
    }

    /// Reads a signature line, without its newline.
    ///
    /// # Errors
    /// [`SignatureError`] for anything that [`to_text`](Self::to_text) does not print.
    pub fn parse(text: &str) -> Result<Self, SignatureError> {
        let form = || SignatureError::Form(quote(text));
        let (name, base64) =
            text.strip_prefix(Self::DASH).and_then(|line| line.split_once(' ')).ok_or_else(form)?;
        let name = KeyName::parse(name)?;
        let bytes = parse_base64(base64).ok_or_else(form)?;
        match bytes.split_first_chunk() {
            Some((id, signature)) => Self::new(name, KeyId::from_bytes(*id), signature.to_vec()),
            None => Err(SignatureError::Short { name: quote(name.as_str()), found: bytes.len() }),
        }
    }

    /// The signature line, without its newline.
    #[must_use]
    pub fn to_text(&self) -> String {
        let bytes = [self.id.to_bytes().as_slice(), &self.bytes].concat();
        format!("{}{} {}", Self::DASH, self.name, to_base64(bytes))
    }

    /// The key's name.
    #[must_use]
    pub const fn name(&self) -> &KeyName {
        &self.name
    }

    /// The key's id.
    #[must_use]
    pub const fn id(&self) -> KeyId {
        self.id
    }

    /// The signature itself, without the id: 64 bytes if it is Ed25519.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether it names this key.
    #[must_use]
    pub fn names(&self, key: &VerifierKey) -> bool {
        (&self.name, self.id) == (key.name(), key.id())
    }

    fn verify(&self, key: &VerifierKey, text: &str) -> Result<(), WrongSignature> {
        // A signature of another length is a wrong one too.
        let bytes = self.bytes.as_slice().try_into().map_err(|_| key.wrong())?;
        key.verify_signature(text.as_bytes(), bytes)
    }
}

impl Note {
    /// The longest note that is read or made, in bytes.
    pub const MAX_LENGTH: usize = 1_000_000;

    /// The most signatures of a note that is read or made.
    pub const MAX_SIGNATURES: usize = 100;

    /// A text with signatures, which are not verified here.
    ///
    /// # Errors
    /// [`NoteError`] if it would not parse back: the text ends in a newline and holds no other
    /// control characters, and there are 1 to 100 signatures.
    pub fn new(text: &str, signatures: Vec<Signature>) -> Result<Self, NoteError> {
        if let Some((at, character)) = find_control(text) {
            return Err(NoteError::Control { at, character });
        }
        if !text.ends_with('\n') {
            return Err(NoteError::NoNewline("text"));
        }
        if !(1..=Self::MAX_SIGNATURES).contains(&signatures.len()) {
            return Err(NoteError::Signatures(signatures.len()));
        }
        let note = Self { text: text.to_owned(), signatures };
        match note.to_text().len() {
            length if length > Self::MAX_LENGTH => Err(NoteError::TooLong(length)),
            _ => Ok(note),
        }
    }

    /// Signs a text with each of the keys.
    ///
    /// # Errors
    /// [`NoteError`] if the text can't be a note's, or there is no key, or there are over 100.
    pub fn sign(text: &str, signers: &[&SignerKey]) -> Result<Self, NoteError> {
        let sign = |signer: &&SignerKey| {
            let key = signer.verifier();
            Signature {
                name: key.name().clone(),
                id: key.id(),
                bytes: signer.sign(text.as_bytes()).to_vec(),
            }
        };
        Self::new(text, signers.iter().map(sign).collect())
    }

    /// Reads a note. Its signatures are not verified: that is [`verify`](Self::verify).
    ///
    /// # Errors
    /// [`NoteError`] for anything that [`to_text`](Self::to_text) does not print.
    pub fn parse(note: &str) -> Result<Self, NoteError> {
        if note.len() > Self::MAX_LENGTH {
            return Err(NoteError::TooLong(note.len()));
        }
        if let Some((at, character)) = find_control(note) {
            return Err(NoteError::Control { at, character });
        }
        // The last empty line: the text may have others.
        let (text, lines) = note.rsplit_once("\n\n").ok_or(NoteError::NoEmptyLine)?;
        let lines = match lines.strip_suffix('\n') {
            Some(lines) => lines,
            None if lines.is_empty() => return Err(NoteError::Signatures(0)),
            None => return Err(NoteError::NoNewline("last signature")),
        };
        let signatures = (1_usize..).zip(lines.split('\n')).map(|(line, signature)| {
            Signature::parse(signature).map_err(|error| NoteError::Signature { line, error })
        });
        Self::new(&format!("{text}\n"), signatures.collect::<Result<_, _>>()?)
    }

    /// The note as it is stored and sent.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut note = format!("{}\n", self.text);
        for signature in &self.signatures {
            note.push_str(&signature.to_text());
            note.push('\n');
        }
        note
    }

    /// The text that is signed, its last newline included. It means nothing until it is verified.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The signatures, in the note's order.
    #[must_use]
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Whether one of its signatures is by this key, whatever the others are.
    #[must_use]
    pub fn is_signed_by(&self, key: &VerifierKey) -> bool {
        let by_key = |one: &Signature| one.names(key) && one.verify(key, &self.text).is_ok();
        self.signatures.iter().any(by_key)
    }

    /// The note with one signature alone: the first one that one of these keys made. Of the
    /// signatures that name one of the keys, `at_most` so many are verified. `None` if none of them
    /// holds.
    #[must_use]
    pub fn alone(&self, keys: &[VerifierKey], at_most: usize) -> Option<Self> {
        let named = self
            .signatures
            .iter()
            .flat_map(|one| keys.iter().filter(|key| one.names(key)).map(move |key| (one, key)));
        let (one, _) =
            named.take(at_most).find(|(one, key)| one.verify(key, &self.text).is_ok())?;
        Some(Self { text: self.text.clone(), signatures: vec![one.clone()] })
    }

    /// Shows that the text is signed by at least one of the keys.
    ///
    /// Signatures by other keys are ignored, whatever they hold, so that new kinds of them can come
    /// into use.
    ///
    /// # Errors
    /// [`VerifyNoteError::Wrong`] if any signature that names one of the keys does not hold,
    /// even if others do; [`VerifyNoteError::Unknown`] if none names one.
    pub fn verify<'note>(
        &'note self,
        keys: &[&'note VerifierKey],
    ) -> Result<VerifiedNote<'note>, VerifyNoteError> {
        let mut signers: Vec<&VerifierKey> = Vec::new();
        for (line, signature) in (1_usize..).zip(&self.signatures) {
            for key in keys.iter().copied().filter(|key| signature.names(key)) {
                signature
                    .verify(key, &self.text)
                    .map_err(|error| VerifyNoteError::Wrong { line, error })?;
                if !signers.contains(&key) {
                    signers.push(key);
                }
            }
        }
        if signers.is_empty() {
            let expected = list(keys.iter().map(|key| format!("{}+{}", key.name(), key.id())));
            let found = list(self.signatures.iter().map(|by| format!("{}+{}", by.name, by.id)));
            return Err(VerifyNoteError::Unknown { expected, found });
        }
        Ok(VerifiedNote { text: &self.text, signers })
    }
}

impl VerifiedNote<'_> {
    /// The text that is signed, its last newline included.
    #[must_use]
    pub const fn text(&self) -> &str {
        self.text
    }

    /// The keys that signed it, each once, in the order of their first signatures.
    #[must_use]
    pub fn signers(&self) -> &[&VerifierKey] {
        &self.signers
    }
}
