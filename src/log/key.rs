//! The keys of signed notes: names, ids, and Ed25519 keys (C2SP signed-note, "Signatures"). A log's
//! has type 0x01, a witness's 0x04 (C2SP tlog-cosignature).
//!
//! The text forms are those of Go's `note` package, which C2SP's tools share:
//! `<name>+<id>+<base64>` to verify, and `PRIVATE+KEY+<name>+<id>+<base64>` to sign.
//!
//! Not for making keys: the caller brings the randomness. What a witness signs is in
//! [`cosignature`](super::cosignature).

use std::fmt;

use ed25519_dalek::{Signature as Ed25519Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::notation::{parse_base64, quote, to_base64};

/// The signature type of Ed25519 over the note's text, in front of a log's key.
const ED25519: u8 = 0x01;

/// The signature type of a cosignature with a time, in front of a witness's key.
pub(super) const COSIGNATURE: u8 = 0x04;

/// The beginning of a signer key's text form.
const PRIVATE: &str = "PRIVATE+KEY+";

/// A key's name: not empty, without Unicode white space, plus signs or ASCII control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyName(String);

/// The first four bytes of SHA-256(name || 0x0A || type || public key): it tells keys of one name
/// apart and proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId([u8; 4]);

/// A public key and its name, which identify a log.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: KeyName,
    id: KeyId,
    /// The signature type.
    kind: u8,
    key: VerifyingKey,
}

/// A witness's public key and its name (spec/witness.md, 24.2).
#[derive(Clone, PartialEq, Eq)]
pub struct WitnessKey(VerifierKey);

/// The secret key of a log. Leaves memory when dropped; never cloned, and printed only by
/// [`to_secret_text`](Self::to_secret_text).
pub struct SignerKey {
    // Zeroized by ed25519-dalek when dropped. On the heap, so that moving a signer leaves no copy.
    key: Box<SigningKey>,
    verifier: VerifierKey,
}

/// A text is not a key or a key's name. Never quotes a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum KeyError {
    /// The name is empty or has a character that no name may have.
    #[error(
        "a key's name is not empty and has no white space, no + and no control characters, unlike {0}"
    )]
    Name(String),
    /// Not of the form `<name>+<id>+<base64>`. The text is not repeated: it may be a secret key.
    #[error(
        "expected a verifier key, <name>+<8 lowercase hexadecimal digits>+<base64>, found a text of {0} characters"
    )]
    VerifierForm(usize),
    /// A secret key instead of a public one.
    #[error(
        "this is a signing key, which must stay secret; expected the verifier key that belongs to it"
    )]
    Secret,
    /// Not of the form `PRIVATE+KEY+<name>+<id>+<base64>`.
    #[error(
        "expected a signer key, PRIVATE+KEY+<name>+<8 lowercase hexadecimal digits>+<base64>, found another text"
    )]
    SignerForm,
    /// A key of another type.
    #[error("the key of {name} has type {found:#04x}; expected {expected:#04x}")]
    Type { name: String, expected: u8, found: u8 },
    /// An Ed25519 key has 32 bytes.
    #[error("the key of {name} has {found} bytes after its type, not 32")]
    Length { name: String, found: usize },
    /// The bytes are no point of the curve, or one of the few points for which anybody can make
    /// signatures.
    #[error("the key of {name} is not an Ed25519 public key that can be trusted")]
    Point { name: String },
    /// The id is another key's.
    #[error("the key of {name} has id {found}; its text says {written}")]
    Id { name: String, found: KeyId, written: KeyId },
}

/// A signature is not the key's over this text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the signature is not by {name}+{id} over this text")]
pub struct WrongSignature {
    name: KeyName,
    id: KeyId,
}

impl KeyName {
    /// Reads a name.
    ///
    /// # Errors
    /// [`KeyError::Name`] if it is empty, or has Unicode white space, a plus sign or a control
    /// character (spec/ledger.md, conventions: U+007F to U+009F are some too).
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let illegal = |character: char| {
            character.is_whitespace() || character.is_control() || character == '+'
        };
        if text.is_empty() || text.contains(illegal) {
            return Err(KeyError::Name(quote(text)));
        }
        Ok(Self(text.to_owned()))
    }

    /// The name as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl KeyId {
    /// An id read from a signature.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 4]) -> Self {
        Self(bytes)
    }

    /// The four bytes that precede a signature.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 4] {
        self.0
    }

    /// Reads eight lowercase hexadecimal digits.
    fn parse_hex(text: &str) -> Option<Self> {
        let mut id = [0; 4];
        hex::decode_to_slice(text, &mut id).ok()?;
        let id = Self(id);
        (id.to_string() == text).then_some(id)
    }

    fn of(name: &KeyName, kind: u8, key: &VerifyingKey) -> Self {
        let hash = Sha256::new()
            .chain_update(name.as_str())
            .chain_update([b'\n', kind])
            .chain_update(key.as_bytes())
            .finalize();
        let [a, b, c, d, ..]: [u8; 32] = hash.into();
        Self([a, b, c, d])
    }
}

/// Eight lowercase hexadecimal digits.
impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

/// A public key that is a point, and not of small order (spec/ledger.md, 10.3).
pub(crate) fn point(public_key: &[u8; 32]) -> Option<VerifyingKey> {
    let key = VerifyingKey::from_bytes(public_key).ok()?;
    // RFC 8032, section 5.1.3, decodes only one encoding of each point.
    (!key.is_weak() && key.to_edwards().compress().as_bytes() == public_key).then_some(key)
}

impl VerifierKey {
    /// The verifier of a name and the 32 bytes of an Ed25519 public key.
    ///
    /// # Errors
    /// [`KeyError::Point`] if the bytes are no public key, or a weak one, under which signatures
    /// prove nothing.
    pub fn new(name: KeyName, public_key: &[u8; 32]) -> Result<Self, KeyError> {
        Self::of_kind(name, ED25519, public_key)
    }

    fn of_kind(name: KeyName, kind: u8, public_key: &[u8; 32]) -> Result<Self, KeyError> {
        match point(public_key) {
            Some(key) => Ok(Self { id: KeyId::of(&name, kind, &key), name, kind, key }),
            None => Err(KeyError::Point { name: quote(name.as_str()) }),
        }
    }

    /// Reads `<name>+<id>+<base64 of 0x01 and the key>`.
    ///
    /// # Errors
    /// [`KeyError`] for anything that [`to_text`](Self::to_text) does not print.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        Self::parse_kind(text, ED25519)
    }

    fn parse_kind(text: &str, kind: u8) -> Result<Self, KeyError> {
        if text.starts_with(PRIVATE) {
            return Err(KeyError::Secret);
        }
        let form = || KeyError::VerifierForm(text.chars().count());
        let (name, written, key) = split(text).ok_or_else(form)?;
        let name = KeyName::parse(name)?;
        let key = parse_base64(key).ok_or_else(form)?;
        let key = Self::of_kind(name.clone(), kind, key_of(&name, kind, &key)?)?;
        key.has_id(written)?;
        Ok(key)
    }

    /// The text form, to be given to everyone who verifies.
    #[must_use]
    pub fn to_text(&self) -> String {
        let key = [&[self.kind], self.key.as_bytes().as_slice()].concat();
        format!("{}+{}+{}", self.name, self.id, to_base64(key))
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

    /// The 32 bytes of the Ed25519 public key.
    #[must_use]
    pub fn public_key(&self) -> &[u8; 32] {
        self.key.as_bytes()
    }

    /// Shows that the 64 bytes are this key's Ed25519 signature over `text`.
    ///
    /// RFC 8032 without cofactor. S must be reduced, and neither key nor R may be of small order,
    /// so that every verifier comes to the same verdict.
    ///
    /// # Errors
    /// [`WrongSignature`], which names the key.
    pub fn verify_signature(
        &self,
        text: &[u8],
        signature: &[u8; 64],
    ) -> Result<(), WrongSignature> {
        self.key
            .verify_strict(text, &Ed25519Signature::from_bytes(signature))
            .map_err(|_| self.wrong())
    }

    pub(super) fn wrong(&self) -> WrongSignature {
        WrongSignature { name: self.name.clone(), id: self.id }
    }

    pub(super) fn has_id(&self, written: KeyId) -> Result<(), KeyError> {
        if self.id == written {
            Ok(())
        } else {
            Err(KeyError::Id { name: quote(self.name.as_str()), found: self.id, written })
        }
    }
}

impl fmt::Debug for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifierKey({})", self.to_text())
    }
}

impl WitnessKey {
    /// The key of a name and the 32 bytes of an Ed25519 public key.
    ///
    /// # Errors
    /// As of [`VerifierKey::new`].
    pub fn new(name: KeyName, public_key: &[u8; 32]) -> Result<Self, KeyError> {
        VerifierKey::of_kind(name, COSIGNATURE, public_key).map(Self)
    }

    /// Reads `<name>+<id>+<base64 of 0x04 and the key>`.
    ///
    /// # Errors
    /// [`KeyError`] for anything that [`to_text`](Self::to_text) does not print.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        VerifierKey::parse_kind(text, COSIGNATURE).map(Self)
    }

    /// The text form, to be given to everyone who verifies.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.0.to_text()
    }

    /// Its name, its id, and its 32 bytes, as a key of notes.
    #[must_use]
    pub const fn as_verifier(&self) -> &VerifierKey {
        &self.0
    }
}

impl fmt::Debug for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WitnessKey({})", self.to_text())
    }
}

impl SignerKey {
    /// The signer of a name and 32 secret random bytes.
    #[must_use]
    pub fn from_seed(name: KeyName, seed: &[u8; 32]) -> Self {
        let key = Box::new(SigningKey::from_bytes(seed));
        // Made from a secret scalar, so a point of large order: nothing for `VerifierKey::new` to
        // refuse.
        let public_key = key.verifying_key();
        let id = KeyId::of(&name, ED25519, &public_key);
        let verifier = VerifierKey { id, name, kind: ED25519, key: public_key };
        Self { key, verifier }
    }

    /// Reads `PRIVATE+KEY+<name>+<id>+<base64 of 0x01 and the seed>`.
    ///
    /// # Errors
    /// [`KeyError`] for anything that [`to_secret_text`](Self::to_secret_text) does not print; it
    /// quotes none of it but the name.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let (name, written, seed) = Self::parse_kind(text, ED25519)?;
        let signer = Self::from_seed(name, &seed);
        signer.verifier.has_id(written)?;
        Ok(signer)
    }

    /// The name, the id and the seed in the text form of a signer of this type.
    pub(super) fn parse_kind(
        text: &str,
        kind: u8,
    ) -> Result<(KeyName, KeyId, Zeroizing<[u8; 32]>), KeyError> {
        let rest = text.strip_prefix(PRIVATE).ok_or(KeyError::SignerForm)?;
        let (name, written, key) = split(rest).ok_or(KeyError::SignerForm)?;
        let name = KeyName::parse(name).map_err(|_| KeyError::SignerForm)?;
        let key = Zeroizing::new(parse_base64(key).ok_or(KeyError::SignerForm)?);
        let seed = Zeroizing::new(*key_of(&name, kind, &key)?);
        Ok((name, written, seed))
    }

    /// The text form, to be stored where nobody else reads it.
    #[must_use]
    pub fn to_secret_text(&self) -> Zeroizing<String> {
        self.to_secret_text_of(&self.verifier)
    }

    /// The text form with the name, the id and the type of this public key.
    pub(super) fn to_secret_text_of(&self, verifier: &VerifierKey) -> Zeroizing<String> {
        let VerifierKey { name, id, kind, .. } = verifier;
        let key = Zeroizing::new([&[*kind], self.key.as_bytes().as_slice()].concat());
        let key = Zeroizing::new(to_base64(&*key));
        Zeroizing::new([PRIVATE, name.as_str(), "+", &id.to_string(), "+", &key].concat())
    }

    /// The public key, under the same name.
    #[must_use]
    pub const fn verifier(&self) -> &VerifierKey {
        &self.verifier
    }

    /// The 64 bytes of the Ed25519 signature over `text`.
    ///
    /// [`Note::sign`](super::note::Note::sign) makes a whole note.
    #[must_use]
    pub fn sign(&self, text: &[u8]) -> [u8; 64] {
        self.key.sign(text).to_bytes()
    }
}

impl fmt::Debug for SignerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignerKey({}, …)", self.verifier.name)
    }
}

/// `<name>+<id>+<base64>`: only the base64 can have a plus sign.
fn split(text: &str) -> Option<(&str, KeyId, &str)> {
    let (name, rest) = text.split_once('+')?;
    let (id, key) = rest.split_once('+')?;
    Some((name, KeyId::parse_hex(id)?, key))
}

/// The 32 bytes after the type, which must be this one.
fn key_of<'key>(name: &KeyName, kind: u8, key: &'key [u8]) -> Result<&'key [u8; 32], KeyError> {
    let name = || quote(name.as_str());
    match key.split_first() {
        Some((&found, key)) if found == kind => {
            key.try_into().map_err(|_| KeyError::Length { name: name(), found: key.len() })
        }
        Some((&found, _)) => Err(KeyError::Type { name: name(), expected: kind, found }),
        None => Err(KeyError::Length { name: name(), found: 0 }),
    }
}
