//! A Sigsum log whose tree heads our witnesses sign, as Sigsum's own verifier reads it.

use fairdeal::log::{
    Checkpoint, KeyName, MemoryLog, Signature, SignedCheckpoint, SignerKey, WitnessSigner,
};
use sha2::{Digest as _, Sha256};
use sigsum::policy::Policy;

fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn signer(name: &str, seed: u8) -> SignerKey {
    SignerKey::from_seed(KeyName::parse(name).expect("a name"), &[seed; 32])
}

/// A line of a Sigsum cosignature: the hash of the key, the time, the signature.
fn cosignature(witness: &WitnessSigner, line: &Signature) -> String {
    let (time, signature) = line.bytes().split_first_chunk().expect("a time");
    let hash = sha256(witness.key().as_verifier().public_key());
    let time = u64::from_be_bytes(*time);
    format!("cosignature={} {time} {}\n", hex::encode(hash), hex::encode(signature))
}

#[test]
fn sigsum_s_verifier_takes_our_cosignatures_and_a_quorum_of_them() {
    // The origin of a Sigsum log has its key's hash.
    let key = *signer("any", 1).verifier().public_key();
    let origin = format!("sigsum.org/v1/tree/{}", hex::encode(sha256(&key)));
    let log = signer(&origin, 1);
    let submitter = signer("any", 2);
    let message = sha256(b"a release");
    let checksum = sha256(&message);
    let leaf = submitter.sign(&[b"sigsum.org/v1/tree-leaf\0", &checksum[..]].concat());
    let hash = sha256(submitter.verifier().public_key());
    let mut tree = MemoryLog::new();
    for entry in 0..5_u8 {
        tree.append([entry; 128]);
    }
    let index = tree.append([&checksum[..], &leaf, &hash].concat());
    tree.append([9; 128]);
    let text = Checkpoint::new(&origin, tree.size(), tree.root()).unwrap().to_text();
    let witnesses = [3, 4, 5].map(|seed| {
        WitnessSigner::from_seed(KeyName::parse("witness.example").unwrap(), &[seed; 32])
    });
    let lines = witnesses.each_ref().map(|one| one.cosign(&text, 1_760_000_000).unwrap());

    let parts = |cosignatures: &str| {
        let note = tree.checkpoint(&log).unwrap().to_text();
        let head = SignedCheckpoint::parse(&note).unwrap();
        let signature = hex::encode(head.note().signatures()[0].bytes());
        let (size, root) = (tree.size(), tree.root().to_hex());
        let proof = tree.inclusion_proof(index).unwrap();
        let proof: Vec<_> = proof.iter().map(|one| format!("node_hash={}", one.to_hex())).collect();
        let proof = proof.join("\n");
        let text = format!(
            "version=2\nlog={}\nleaf={} {}\n\nsize={size}\nroot_hash={root}\nsignature={signature}\n{cosignatures}\nleaf_index={index}\n{proof}\n",
            hex::encode(sha256(&key)),
            hex::encode(hash),
            hex::encode(leaf),
        );
        sigsum::SigsumSignature::from_ascii(&text).unwrap()
    };
    let keys = witnesses.each_ref().map(|one| hex::encode(one.key().as_verifier().public_key()));
    let policy = Policy::parse(&format!(
        "log {}\nwitness a {}\nwitness b {}\nwitness c {}\ngroup g 2 a b c\nquorum g\n",
        hex::encode(key),
        keys[0],
        keys[1],
        keys[2]
    ))
    .unwrap();
    let submitters = [(*submitter.verifier().public_key()).into()];
    let verify = |cosignatures: &str| {
        sigsum::verify(&message.into(), &parts(cosignatures), &submitters, &policy)
            .map_err(|error| error.to_string())
    };
    let [a, b, c] = [0, 1, 2].map(|at| cosignature(&witnesses[at], &lines[at]));
    assert_eq!(verify(&format!("{a}{c}")), Ok(()));
    assert_eq!(verify(&format!("{a}{b}{c}")), Ok(()));
    assert!(verify(&b).is_err_and(|says| says.contains("not enough")));
    // It really checks them: one line under another witness's key.
    let wrong = cosignature(&witnesses[1], &lines[2]);
    assert!(verify(&format!("{a}{c}{wrong}")).is_err_and(|says| says.contains("bad witness")));
}
