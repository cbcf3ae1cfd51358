//! Rounds of beacons for paper logs: recorded ones of `quicknet`, and a chain whose key is known.

use bls12_381::hash_to_curve::{ExpandMsgXmd, HashToCurve};
use bls12_381::{G1Affine, G1Projective, G2Affine, Scalar};
use fairdeal::beacon::Chain;
use fairdeal::deal::{Contributions, DrandRandomness, ServerSeed};
use fairdeal::record::entry::{BeaconTerms, Commit, Mixing};
use fairdeal::record::json::to_canonical;
use fairdeal::record::replay::deal_round;
use serde_json::{Value, json};
use sha2_of_bls12_381::{Digest as _, Sha256};

use crate::paper::{PaperLog, int, nonce};

/// Rounds of `quicknet` and their signatures. 123: from the documentation of the crate
/// `drand-verify`; the others: from the tests of `ideal-lab5/pallets` on GitHub. Each verifies.
pub const RECORDED: [(u64, &str); 4] = [
    (
        123,
        "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
    ),
    (
        1000,
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    ),
    (
        1001,
        "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41",
    ),
    (
        1002,
        "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e",
    ),
];

/// The signature of a recorded round.
pub fn recorded(round: u64) -> [u8; 48] {
    let (_, signature) = RECORDED.iter().find(|(one, _)| *one == round).expect("recorded");
    hex::decode(signature).expect("hex").try_into().expect("48 bytes")
}

/// The public key of `quicknet`.
pub const QUICKNET_KEY: &str = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";

/// The millisecond at which a round of `quicknet` is out.
pub fn out(round: u64) -> u64 {
    Chain::quicknet().out(round) * 1000
}

/// A chain whose secret key is a small number.
pub struct OwnChain {
    pub secret: u64,
    pub genesis: u64,
    pub period: u64,
}

impl OwnChain {
    /// Its public key, compressed.
    pub fn key(&self) -> [u8; 96] {
        G2Affine::from(G2Affine::generator() * Scalar::from(self.secret)).to_compressed()
    }

    /// Its file, as drand's `/info` answers.
    pub fn info(&self) -> Value {
        json!({
            "public_key": hex::encode(self.key()), "period": self.period,
            "genesis_time": self.genesis, "groupHash": "ab".repeat(32),
            "schemeID": "bls-unchained-g1-rfc9380", "metadata": { "beaconID": "own" },
        })
    }

    /// The chain.
    pub fn chain(&self) -> Chain {
        Chain::parse(self.info().to_string().as_bytes()).expect("a chain")
    }

    /// The signature of a round, hashed to the curve under this tag.
    pub fn sign_under(&self, round: u64, tag: &[u8]) -> [u8; 48] {
        let message = Sha256::digest(&round.to_be_bytes());
        let point =
            <G1Projective as HashToCurve<ExpandMsgXmd<Sha256>>>::hash_to_curve(message, tag);
        G1Affine::from(point * Scalar::from(self.secret)).to_compressed()
    }

    /// The signature of a round.
    pub fn sign(&self, round: u64) -> [u8; 48] {
        self.sign_under(round, b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_")
    }
}

/// Makes a commitment's rounds wait for a beacon.
pub fn waits(commit: &mut Commit, chain: &Chain, margin: u64) {
    commit.mixing = Mixing::Beacon;
    commit.draw = int(5);
    commit.beacon = Some(BeaconTerms { chain: chain.hash(), margin: int(margin) });
}

/// Appends a lock without contributions at the log's next moment. Returns its index.
pub fn lock(log: &mut PaperLog, commit: &Commit, n: u64, round: u64) -> u64 {
    let (commitment, time) = (commit.commitment.to_text(), log.tick().value());
    let lock = json!({"beacon": round, "commitment": commitment, "entry": "lock", "nonce": n, "time": time});
    log.append_bytes(to_canonical(&lock).as_bytes())
}

/// Appends the deal that follows from this signature.
pub fn deal(
    log: &mut PaperLog,
    (commit, seed): (&Commit, &ServerSeed),
    n: u64,
    lock: u64,
    signature: &[u8; 48],
) -> u64 {
    let mixed = Contributions::with_drand(vec![], DrandRandomness::of_signature(signature));
    let result = deal_round(commit, &seed.mac(), nonce(n), &mixed.expect("legal")).expect("legal");
    let (commitment, time) = (commit.commitment.to_text(), log.tick().value());
    let deal = json!({
        "beacon": hex::encode(signature), "commitment": commitment, "entry": "deal", "lock": lock,
        "nonce": n, "result": { "cards": result.form.cards.expect("cards") }, "time": time,
    });
    log.append_bytes(to_canonical(&deal).as_bytes())
}
