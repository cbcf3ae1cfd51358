//! Contributions to a round (spec/shuffle.md, section 2).
//!
//! The log keeps all of it forever. A `from` should be a pseudonym for the round or the session,
//! never an account's name.

use std::collections::BTreeSet;
use std::fmt;

use super::beacon::DrandRandomness;
use super::digest::HexError;

/// A contributor's name: 1 to 64 bytes of UTF-8 without control characters. A pseudonym: it is
/// public forever.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(String);

/// A client's seed: 1 to 256 bytes of UTF-8 without control characters, hashed exactly as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSeed(String);

/// A checkpoint that the contributor verified before choosing the seed. It becomes part of the
/// deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The log's size then, in entries.
    pub size: u64,
    /// The log's root then.
    pub root: [u8; 32],
}

/// One client's part in a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The contributor; not hashed into the deal.
    pub from: Label,
    /// The seed itself.
    pub seed: ClientSeed,
    /// The checkpoint seen before; `None` if there was none.
    pub seen: Option<Seen>,
}

/// 32 random bytes that hide a contribution until it is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Blind([u8; 32]);

/// All that is mixed with the server seed in one round: 1 to 64 clients, or with a drand round 0 to
/// 64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributions {
    clients: Vec<Contribution>,
    drand: Option<DrandRandomness>,
}

/// A contribution or a set of them is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContributionError {
    /// `from` has another length.
    #[error("\"from\": expected 1 to 64 bytes, found {0}")]
    FromLength(usize),
    /// `from` holds a control character.
    #[error("\"from\" holds no control characters, found {0:?}")]
    FromControl(char),
    /// `seed` has another length.
    #[error("a client's \"seed\": expected 1 to 256 bytes, found {0}")]
    SeedLength(usize),
    /// `seed` holds a control character.
    #[error("a client's \"seed\" holds no control characters, found {0:?}")]
    SeedControl(char),
    /// Two contributions from one label.
    #[error("{0:?} contributes twice; each \"from\" is given once in a round")]
    Repeated(String),
    /// Too few or too many clients.
    #[error("expected 1 to 64 contributions to a round, found {0}")]
    Count(usize),
}

/// Unicode category Cc, which is what `char::is_control` tests.
fn control_character(text: &str) -> Option<char> {
    text.chars().find(|c| c.is_control())
}

impl Label {
    /// # Errors
    /// [`ContributionError::FromLength`] or [`ContributionError::FromControl`].
    pub fn new(text: impl Into<String>) -> Result<Self, ContributionError> {
        let text = text.into();
        if !(1..=64).contains(&text.len()) {
            return Err(ContributionError::FromLength(text.len()));
        }
        match control_character(&text) {
            Some(found) => Err(ContributionError::FromControl(found)),
            None => Ok(Self(text)),
        }
    }

    /// The text, exactly as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

from_str! {
    Label, ContributionError, Label::new;
    ClientSeed, ContributionError, ClientSeed::new;
    Blind, HexError, Blind::parse;
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ClientSeed {
    /// # Errors
    /// [`ContributionError::SeedLength`] or [`ContributionError::SeedControl`].
    pub fn new(text: impl Into<String>) -> Result<Self, ContributionError> {
        let text = text.into();
        if !(1..=256).contains(&text.len()) {
            return Err(ContributionError::SeedLength(text.len()));
        }
        match control_character(&text) {
            Some(found) => Err(ContributionError::SeedControl(found)),
            None => Ok(Self(text)),
        }
    }

    /// The text, exactly as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ClientSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Blind {
    /// From 32 bytes of a source of randomness.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads 64 lowercase hex digits.
    ///
    /// # Errors
    /// [`HexError`].
    pub fn parse(text: &str) -> Result<Self, HexError> {
        super::digest::parse_hex32(text).map(Self)
    }

    /// 64 lowercase hex digits.
    #[must_use]
    pub fn to_text(&self) -> String {
        hex::encode(self.0)
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Blind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Blind(…)")
    }
}

impl Contribution {
    /// A client's seed under a label, with no checkpoint seen.
    ///
    /// # Errors
    /// [`ContributionError`] when either has the wrong length or a control character.
    pub fn new(
        from: impl Into<String>,
        seed: impl Into<String>,
    ) -> Result<Self, ContributionError> {
        Ok(Self { from: Label::new(from)?, seed: ClientSeed::new(seed)?, seen: None })
    }

    /// `encode(contribution)`, in pieces: kind 1, or kind 2 if a checkpoint was seen.
    fn encode(&self, out: &mut impl FnMut(&[u8])) {
        let seed = self.seed.0.as_bytes();
        let [kind, high, low] = head_of_seed(seed);
        out(&[if self.seen.is_some() { 2 } else { kind }, high, low]);
        out(seed);
        if let Some(seen) = &self.seen {
            out(&seen.size.to_be_bytes());
            out(&seen.root);
        }
    }

    /// `encode(contribution)` of spec/shuffle.md, section 2.
    #[must_use]
    pub fn encoded(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode(&mut |piece| bytes.extend_from_slice(piece));
        bytes
    }

    /// Sorts as the encoded bytes do, field by field.
    fn encoding_order(&self) -> impl Ord {
        (
            self.seen.is_some(),
            self.seed.0.len(),
            &self.seed.0,
            self.seen.as_ref().map(|s| (s.size, &s.root)),
        )
    }
}

/// The encoding of a clear seed without a checkpoint begins with its kind and its length.
pub(super) fn head_of_seed(seed: &[u8]) -> [u8; 3] {
    let [high, low] = length(seed);
    [1, high, low]
}

/// A length as u16, big-endian.
fn length(bytes: &[u8]) -> [u8; 2] {
    u16::try_from(bytes.len()).expect("labels and seeds have at most 256 bytes").to_be_bytes()
}

impl Contributions {
    /// The most clients in one round.
    pub const MAX: usize = 64;

    /// Clients alone.
    ///
    /// # Errors
    /// [`ContributionError::Count`] unless there are 1 to 64; [`ContributionError::Repeated`].
    pub fn of_clients(clients: Vec<Contribution>) -> Result<Self, ContributionError> {
        if clients.is_empty() {
            return Err(ContributionError::Count(0));
        }
        Self::checked(clients, None)
    }

    /// A drand round, whose signature the caller has verified, with 0 to 64 clients.
    ///
    /// # Errors
    /// [`ContributionError::Count`] over 64 clients; [`ContributionError::Repeated`].
    pub fn with_drand(
        clients: Vec<Contribution>,
        drand: DrandRandomness,
    ) -> Result<Self, ContributionError> {
        Self::checked(clients, Some(drand))
    }

    fn checked(
        clients: Vec<Contribution>,
        drand: Option<DrandRandomness>,
    ) -> Result<Self, ContributionError> {
        if clients.len() > Self::MAX {
            return Err(ContributionError::Count(clients.len()));
        }
        // As a log has them, in ascending order, each is there once.
        let labels = || clients.iter().map(|client| &client.from);
        if labels().is_sorted_by(|before, after| before < after) {
            return Ok(Self { clients, drand });
        }
        let mut labels = BTreeSet::new();
        for client in &clients {
            if !labels.insert(client.from.as_str()) {
                return Err(ContributionError::Repeated(client.from.0.clone()));
            }
        }
        Ok(Self { clients, drand })
    }

    /// The clients, in the order given.
    #[must_use]
    pub fn clients(&self) -> &[Contribution] {
        &self.clients
    }

    /// The drand round, if one is mixed.
    #[must_use]
    pub const fn drand(&self) -> Option<DrandRandomness> {
        self.drand
    }

    /// The number of contributions that are mixed, the drand round included.
    pub(super) fn count(&self) -> u16 {
        let all = self.clients.len() + usize::from(self.drand.is_some());
        u16::try_from(all).expect("64 clients and one drand round at most")
    }

    /// The encoded contributions in ascending byte order, so that nobody can choose the order.
    pub(super) fn encode(&self, mut out: impl FnMut(&[u8])) {
        if self.clients.is_sorted_by_key(Contribution::encoding_order) {
            for client in &self.clients {
                client.encode(&mut out);
            }
        } else {
            let mut sorted: Vec<&Contribution> = self.clients.iter().collect();
            sorted.sort_unstable_by(|a, b| a.encoding_order().cmp(&b.encoding_order()));
            for client in sorted {
                client.encode(&mut out);
            }
        }
        // Its kind is the highest, so it comes last.
        if let Some(drand) = self.drand {
            out(&[3, 0, 0x20]);
            out(drand.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_label_has_1_to_64_bytes_and_no_control_characters() {
        assert_eq!(Label::new(""), Err(ContributionError::FromLength(0)));
        assert!(Label::new("é".repeat(32)).is_ok());
        assert_eq!(Label::new("é".repeat(33)), Err(ContributionError::FromLength(66)));
        for control in ['\0', '\n', '\u{1f}', '\u{7f}', '\u{9f}'] {
            assert_eq!(
                Label::new(format!("a{control}")),
                Err(ContributionError::FromControl(control))
            );
        }
        assert!(Label::new("\u{a0}\u{feff}").is_ok(), "other odd characters are kept as they are");
    }

    #[test]
    fn a_seed_has_1_to_256_bytes_and_no_control_characters() {
        assert_eq!(ClientSeed::new(""), Err(ContributionError::SeedLength(0)));
        assert!(ClientSeed::new("x".repeat(256)).is_ok());
        assert_eq!(ClientSeed::new("x".repeat(257)), Err(ContributionError::SeedLength(257)));
        assert_eq!(ClientSeed::new("a\tb"), Err(ContributionError::SeedControl('\t')));
    }

    #[test]
    fn a_round_takes_1_to_64_clients_each_once() {
        let clients =
            |n: usize| (0..n).map(|i| Contribution::new(format!("p{i}"), "s").unwrap()).collect();
        assert_eq!(Contributions::of_clients(vec![]), Err(ContributionError::Count(0)));
        assert!(Contributions::of_clients(clients(64)).is_ok());
        assert_eq!(Contributions::of_clients(clients(65)), Err(ContributionError::Count(65)));
        assert!(Contributions::with_drand(vec![], DrandRandomness::from_bytes([1; 32])).is_ok());
        let twice =
            vec![Contribution::new("a", "1").unwrap(), Contribution::new("a", "2").unwrap()];
        assert_eq!(Contributions::of_clients(twice), Err(ContributionError::Repeated("a".into())));
    }

    #[test]
    fn neither_labels_nor_order_change_what_is_mixed() {
        let mixed = |clients: &[(&str, &str)]| {
            let clients = clients.iter().map(|(f, s)| Contribution::new(*f, *s).unwrap()).collect();
            let mut bytes = Vec::new();
            Contributions::of_clients(clients)
                .unwrap()
                .encode(|piece| bytes.extend_from_slice(piece));
            bytes
        };
        assert_eq!(mixed(&[("a", "x"), ("b", "yy")]), mixed(&[("d", "yy"), ("c", "x")]));
        assert_ne!(mixed(&[("a", "x"), ("b", "yy")]), mixed(&[("a", "xy"), ("b", "y")]));
    }

    proptest! {
        #[test]
        fn contributions_are_mixed_in_the_order_of_their_encoded_bytes(
            seeds in prop::collection::vec(("[a-c]{1,3}|.{1,64}", prop::option::of((0..3_u64, 0..3_u8))), 1..9),
        ) {
            let encoded = |client: &Contribution| {
                let mut bytes = Vec::new();
                client.encode(&mut |piece| bytes.extend_from_slice(piece));
                bytes
            };
            let clients = seeds.into_iter().enumerate().filter_map(|(at, (seed, seen))| {
                let mut client = Contribution::new(format!("p{at}"), seed).ok()?;
                client.seen = seen.map(|(size, root)| Seen { size: size << 60, root: [root; 32] });
                Some(client)
            });
            let clients: Vec<_> = clients.collect();
            let mut expected: Vec<_> = clients.iter().map(encoded).collect();
            expected.sort_unstable();
            let mut mixed = Vec::new();
            Contributions { clients, drand: None }.encode(|piece| mixed.extend_from_slice(piece));
            prop_assert_eq!(mixed, expected.concat());
        }
    }
}
