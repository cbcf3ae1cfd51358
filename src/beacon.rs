//! Beacons: chains of drand, their rounds and signatures (spec/beacon.md).
//!
//! Not for fetching rounds, and not for what a round does to a deal: see [`crate::deal`] and
//! [`crate::record`].

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use drand_verify::{G2PubkeyRfc, Pubkey as _};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::deal::Digest;
use crate::readable::Readable;

/// The one scheme: signatures in G1, hashed as RFC 9380 says, keys in G2.
const SCHEME: &str = "bls-unchained-g1-rfc9380";
/// The most bytes of a chain's file.
const MOST: usize = 65_536;
/// The greatest time in seconds: 9999-12-31T23:59:59Z.
const LAST_SECOND: u64 = 253_402_300_799;
/// The greatest integer of an entry (spec/ledger.md, 8.1).
const LARGEST: u64 = (1 << 53) - 1;
/// The most answers that [`Chains`] remembers.
const REMEMBERED: usize = 4_096;

/// The file of the chain `quicknet`, from <https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/info>.
const QUICKNET: &[u8] = br#"{"public_key":"83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a","period":3,"genesis_time":1692803367,"hash":"52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971","groupHash":"f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e","schemeID":"bls-unchained-g1-rfc9380","metadata":{"beaconID":"quicknet"}}"#;

/// A chain of rounds, each with a signature that nobody knows before its time.
#[derive(Clone, PartialEq, Eq)]
pub struct Chain {
    hash: Digest,
    key: [u8; 96],
    /// Seconds since 1970 at which round 1 is out.
    genesis: u64,
    /// Seconds.
    period: u64,
}

/// A file describes no chain that a reader can know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{member}: expected {expected}, found {found}")]
pub struct ChainError {
    member: &'static str,
    expected: String,
    found: String,
}

impl ChainError {
    fn new(member: &'static str, expected: impl Into<String>, found: impl fmt::Display) -> Self {
        // The file may be anything.
        let found = found.to_string().chars().take(200).collect();
        Self { member, expected: expected.into(), found }
    }
}

impl Chain {
    /// The chain `quicknet`, of which each reader knows.
    ///
    /// # Panics
    /// Never: a test reads its file.
    #[must_use]
    #[expect(clippy::expect_used, reason = "the file is a constant, and tested")]
    pub fn quicknet() -> Self {
        Self::parse(QUICKNET).expect("a chain's file")
    }

    /// Reads a chain's file, as drand's `/info` answers (spec/beacon.md, section 30).
    ///
    /// # Errors
    /// [`ChainError`], which says which member was expected to be what.
    pub fn parse(bytes: &[u8]) -> Result<Self, ChainError> {
        if bytes.len() > MOST {
            let found = format!("{} bytes", bytes.len());
            return Err(ChainError::new("file", format!("at most {MOST} bytes"), found));
        }
        let no_object = |error| ChainError::new("file", "a JSON object", error);
        let _: Readable = serde_json::from_slice(bytes).map_err(no_object)?;
        let object: Map<String, Value> = serde_json::from_slice(bytes).map_err(no_object)?;
        let scheme = object.get("schemeID");
        if scheme.and_then(Value::as_str) != Some(SCHEME) {
            return Err(ChainError::new("schemeID", format!("{SCHEME:?}"), shown(scheme)));
        }
        let key = bytes_of::<96>(&object, "public_key")?;
        if !is_key(&key) {
            let found = hex::encode(key);
            return Err(ChainError::new("public_key", "a point of G2 that is a key", found));
        }
        let period = seconds(&object, "period", u64::from(u32::MAX))?;
        let genesis = seconds(&object, "genesis_time", LAST_SECOND)?;
        let group = bytes_of::<32>(&object, "groupHash")?;
        let id = beacon_id(&object)?;
        let mut hash = Sha256::new();
        hash.update(u32::try_from(period).unwrap_or(u32::MAX).to_be_bytes());
        hash.update(genesis.to_be_bytes());
        hash.update(key);
        hash.update(group);
        hash.update(if id == "default" { "" } else { id });
        let hash = Digest::from_bytes(hash.finalize().into());
        if object.contains_key("hash") {
            let named = bytes_of::<32>(&object, "hash")?;
            if named != *hash.as_bytes() {
                let expected = format!("{hash}, which follows from the other members");
                return Err(ChainError::new("hash", expected, hex::encode(named)));
            }
        }
        Ok(Self { hash, key, genesis, period })
    }

    /// The hash by which commits name it.
    #[must_use]
    pub fn hash(&self) -> Digest {
        self.hash
    }

    /// The first round that is out after a time in Unix milliseconds (section 31); `None` if that
    /// is over 2^53 − 1.
    #[must_use]
    pub fn round_after(&self, time: u64) -> Option<u64> {
        if time > LARGEST {
            return None;
        }
        let Some(since) = time.checked_sub(self.genesis.saturating_mul(1000)) else {
            return Some(1);
        };
        since.checked_div(self.period.saturating_mul(1000))?.checked_add(2)
    }

    /// The second since 1970 at which a round is out, counted from 1; at most 2^64 − 1.
    #[must_use]
    pub fn out(&self, round: u64) -> u64 {
        self.genesis.saturating_add(round.saturating_sub(1).saturating_mul(self.period))
    }

    /// Whether a signature is that of a round (section 32).
    #[must_use]
    pub fn verifies(&self, round: u64, signature: &[u8; 48]) -> bool {
        // The key was checked when the chain was read.
        !is_identity(signature)
            && G2PubkeyRfc::from_fixed_unchecked(self.key)
                .is_ok_and(|key| key.verify(round, &[], signature).is_ok_and(|holds| holds))
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hash, genesis, period, .. } = self;
        write!(f, "Chain({hash}, from {genesis}, each {period} s)")
    }
}

fn is_key(key: &[u8; 96]) -> bool {
    !is_identity(key) && G2PubkeyRfc::from_fixed(*key).is_ok()
}

/// Whether a compressed point is the identity: of the first byte's three flags, the second.
fn is_identity(point: &[u8]) -> bool {
    point.first().is_some_and(|first| first & 0x40 != 0)
}

fn shown(found: Option<&Value>) -> String {
    found.map_or_else(|| "none".to_owned(), Value::to_string)
}

fn seconds(
    object: &Map<String, Value>,
    member: &'static str,
    most: u64,
) -> Result<u64, ChainError> {
    let found = object.get(member);
    let number = found.and_then(Value::as_u64).filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| {
        ChainError::new(member, format!("an integer from 1 to {most}"), shown(found))
    })
}

fn bytes_of<const N: usize>(
    object: &Map<String, Value>,
    member: &'static str,
) -> Result<[u8; N], ChainError> {
    let found = object.get(member);
    let text = found.and_then(Value::as_str);
    let is_lower = |text: &&str| text.bytes().all(|byte| !byte.is_ascii_uppercase());
    let bytes = text.filter(is_lower).and_then(|text| hex::decode(text).ok());
    bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
        let expected = format!("{N} bytes in lowercase hexadecimal");
        ChainError::new(member, expected, shown(found))
    })
}

fn beacon_id(object: &Map<String, Value>) -> Result<&str, ChainError> {
    let found = match object.get("metadata") {
        None => return Ok(""),
        Some(Value::Object(metadata)) => metadata.get("beaconID"),
        other => return Err(ChainError::new("metadata", "an object", shown(other))),
    };
    match found {
        None => Ok(""),
        Some(Value::String(id)) => Ok(id),
        other => Err(ChainError::new("metadata.beaconID", "a text", shown(other))),
    }
}

/// The chains that a reader knows. Clones are cheap, and share what was verified.
#[derive(Clone, Debug)]
pub struct Chains(Arc<KnownChains>);

#[derive(Debug)]
struct KnownChains {
    by_hash: BTreeMap<[u8; 32], Chain>,
    /// Whether a signature of a chain's round verifies: a check takes milliseconds, and many tables
    /// wait for one round.
    verified: Mutex<HashMap<Signed, bool>>,
}

/// The chain's hash, the round and the signature.
type Signed = ([u8; 32], u64, [u8; 48]);

impl Chains {
    fn of(all: impl IntoIterator<Item = Chain>) -> Self {
        let by_hash = all.into_iter().map(|chain| (*chain.hash.as_bytes(), chain)).collect();
        Self(Arc::new(KnownChains { by_hash, verified: Mutex::default() }))
    }

    /// No chain: signatures of beacons are not verified.
    #[must_use]
    pub fn none() -> Self {
        Self::of([])
    }

    /// `quicknet` and further ones.
    ///
    /// # Errors
    /// [`ChainError`], if two different chains have one key: then one signature would be of rounds
    /// that are out at different times.
    pub fn with(further: impl IntoIterator<Item = Chain>) -> Result<Self, ChainError> {
        let mut by_key = BTreeMap::new();
        for chain in [Chain::quicknet()].into_iter().chain(further) {
            let hash = chain.hash;
            let other = by_key.insert(chain.key, chain).filter(|other| other.hash != hash);
            if let Some(other) = other {
                let expected = format!("another key than that of the chain {}", other.hash);
                return Err(ChainError::new("public_key", expected, format!("it in {hash}")));
            }
        }
        Ok(Self::of(by_key.into_values()))
    }

    /// The chains of a reader who was given none.
    #[must_use]
    pub fn usual() -> &'static Self {
        static USUAL: LazyLock<Chains> = LazyLock::new(|| Chains::of([Chain::quicknet()]));
        &USUAL
    }

    /// A chain by its hash, if it is known.
    #[must_use]
    pub fn get(&self, hash: &Digest) -> Option<&Chain> {
        self.0.by_hash.get(hash.as_bytes())
    }

    /// The hashes of the known chains, in ascending order.
    pub fn hashes(&self) -> impl Iterator<Item = Digest> {
        self.0.by_hash.values().map(|chain| chain.hash)
    }

    /// [`Chain::verifies`], computed once for each signature.
    #[must_use]
    pub fn verifies(&self, chain: &Chain, round: u64, signature: &[u8; 48]) -> bool {
        let signed = (*chain.hash.as_bytes(), round, *signature);
        let verified = || self.0.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = verified().get(&signed) {
            return *known;
        }
        // Not under the lock: others verify at the same time.
        let holds = chain.verifies(round, signature);
        let mut verified = verified();
        if verified.len() >= REMEMBERED {
            verified.clear();
        }
        verified.insert(signed, holds);
        holds
    }
}

impl Default for Chains {
    fn default() -> Self {
        Self::usual().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quicknet_is_a_chain_and_its_recorded_rounds_verify() {
        let chain = Chain::quicknet();
        assert_eq!(
            chain.hash().to_string(),
            "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
        );
        let signature = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
        let signature: [u8; 48] = hex::decode(signature).unwrap().try_into().unwrap();
        let chains = Chains::default();
        for _ in 0..2 {
            assert!(chains.verifies(&chain, 1000, &signature));
            assert!(!chains.verifies(&chain, 1001, &signature));
        }
    }
}
