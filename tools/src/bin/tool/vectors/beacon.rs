//! Chains of beacons, their rounds and signatures (spec/beacon.md).

use fairdeal::beacon::Chain;
use serde_json::{Value, json};
use tools::beacons::{OwnChain, QUICKNET_KEY, RECORDED, recorded};

use crate::vectors::File;

pub fn files() -> Vec<File> {
    vec![File {
        name: "beacon.json",
        about: "spec/beacon.md: of kind \"chain\" a file, with its hash or an error; of \"round\" the first round of a chain that is out after time + margin, and the second at which it is; of \"signature\" whether it is that of a round",
        vectors: [chains(), rounds(), signatures()].into_iter().flatten().collect(),
    }]
}

const OWN: OwnChain = OwnChain { secret: 7, genesis: 1_700_000_000, period: 30 };

fn chains() -> Vec<Value> {
    let mut vectors = Vec::new();
    let mut add = |name: &str, file: &str, holds: bool| {
        let said = Chain::parse(file.as_bytes());
        assert_eq!(said.is_ok(), holds, "{name}: {said:?}");
        let mut vector = json!({ "kind": "chain", "name": name, "file": file });
        match said {
            Ok(chain) => vector["hash"] = json!(chain.hash()),
            Err(_) => vector["error"] = json!("chain"),
        }
        vectors.push(vector);
    };
    let quicknet = json!({
        "public_key": QUICKNET_KEY,
        "period": 3, "genesis_time": 1_692_803_367,
        "hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        "groupHash": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
        "schemeID": "bls-unchained-g1-rfc9380", "metadata": { "beaconID": "quicknet" },
    });
    let own = OWN.info();
    add("quicknet", &quicknet.to_string(), true);
    add("quicknet, in lines", &format!("{quicknet:#}\n"), true);
    add("another chain", &own.to_string(), true);
    let mut with = |name: &str, of: &Value, member: &str, value: Option<Value>, holds: bool| {
        let mut file = of.clone();
        let object = file.as_object_mut().expect("an object");
        match value {
            Some(value) => drop(object.insert(member.to_owned(), value)),
            None => drop(object.remove(member)),
        }
        add(name, &file.to_string(), holds);
    };
    with("a further member", &own, "more", Some(json!([1])), true);
    with("no metadata", &own, "metadata", None, true);
    with("metadata without an ID", &own, "metadata", Some(json!({})), true);
    with("the ID default", &own, "metadata", Some(json!({ "beaconID": "default" })), true);
    with("the empty ID", &own, "metadata", Some(json!({ "beaconID": "" })), true);
    with("an ID of other letters", &own, "metadata", Some(json!({ "beaconID": "é" })), true);
    with("an ID that is a number", &own, "metadata", Some(json!({ "beaconID": 1 })), false);
    with("metadata that are a text", &own, "metadata", Some(json!("own")), false);
    with("quicknet without its hash", &quicknet, "hash", None, true);
    for (member, value) in [
        ("period", json!(4)),
        ("genesis_time", json!(1_692_803_368)),
        ("groupHash", json!("f5".repeat(32))),
        ("public_key", json!(hex::encode(OWN.key()))),
        ("metadata", json!({ "beaconID": "quicknot" })),
    ] {
        let name = format!("quicknet's hash, with another {member}");
        with(&name, &quicknet, member, Some(value), false);
    }
    for (member, value) in [
        ("schemeID", json!("bls-unchained-on-g1")),
        ("schemeID", json!(null)),
        ("period", json!(0)),
        ("period", json!(4_294_967_296_u64)),
        ("period", json!("3")),
        ("period", json!(3.5)),
        ("genesis_time", json!(0)),
        ("genesis_time", json!(253_402_300_800_u64)),
        ("genesis_time", json!(-1)),
        ("groupHash", json!("ab".repeat(31))),
        ("groupHash", json!("AB".repeat(32))),
        ("groupHash", json!(7)),
        ("hash", json!("ab".repeat(32))),
        ("hash", json!("ab")),
        ("public_key", json!("")),
        ("public_key", json!(hex::encode(OWN.key()).to_uppercase())),
        ("public_key", json!(identity(96))),
        ("public_key", json!("ab".repeat(96))),
        ("public_key", json!("00".repeat(96))),
        ("public_key", json!(hex::encode(&OWN.key()[..48]))),
    ] {
        with(&format!("{member} {value}"), &own, member, Some(value), false);
    }
    with("the greatest period", &own, "period", Some(json!(u32::MAX)), true);
    with("the greatest genesis", &own, "genesis_time", Some(json!(253_402_300_799_u64)), true);
    for member in ["public_key", "period", "genesis_time", "groupHash", "schemeID"] {
        with(&format!("without {member}"), &own, member, None, false);
    }
    let text = own.to_string();
    add("a member twice", &format!("{{\"period\":30,{}", &text[1..]), false);
    let nested = text.replace("{\"beaconID\":", "{\"beaconID\":\"own\",\"beaconID\":");
    add("a member twice inside of metadata", &nested, false);
    add("an array", "[]", false);
    add("no JSON", "drand", false);
    add("nothing", "", false);
    vectors
}

/// The compressed identity.
fn identity(bytes: usize) -> String {
    format!("c0{}", "00".repeat(bytes - 1))
}

fn rounds() -> Vec<Value> {
    let mut vectors = Vec::new();
    let largest = (1_u64 << 53) - 1;
    for (genesis, period) in
        [(1_692_803_367, 3), (1_700_000_000, 30), (1, 1), (1, u64::from(u32::MAX))]
    {
        let own = OwnChain { secret: 7, genesis, period };
        let chain = own.chain();
        let (begin, step) = (genesis * 1000, period * 1000);
        let mut times = vec![
            (0, 0),
            (begin - 1, 0),
            (begin, 0),
            (begin + step - 1, 0),
            (begin + step, 0),
            (begin, step - 1),
            (begin, step),
            (begin + 998 * step, 0),
            (largest, 0),
            (largest - 20_000, 20_000),
            (largest - 20_000, 20_001),
            (largest, largest),
        ];
        times.retain(|(time, _)| *time <= largest);
        for (time, margin) in times {
            let round = chain.round_after(time + margin);
            let out = round.map(|round| chain.out(round));
            vectors.push(json!({
                "kind": "round", "genesis": genesis, "period": period, "time": time, "margin": margin,
                "round": round, "out": out,
            }));
        }
    }
    vectors
}

fn signatures() -> Vec<Value> {
    let mut vectors = Vec::new();
    let mut add = |name: &str, key: &str, round: u64, signature: &[u8], verifies: bool| {
        vectors.push(json!({
            "kind": "signature", "name": name, "public_key": key, "round": round,
            "signature": hex::encode(signature), "verifies": verifies,
        }));
    };
    let quicknet = QUICKNET_KEY;
    let chain = Chain::quicknet();
    for (round, _) in RECORDED {
        assert!(chain.verifies(round, &recorded(round)));
        add(&format!("quicknet, round {round}"), quicknet, round, &recorded(round), true);
    }
    // The pairing takes both for equal: only the check of the subgroup refuses it.
    let order_3 = "abbaa2cd356c8b543308abe2c07d92facb092294f841b0c295786b635167aba148d4e2e86fedf3cf2c04c43b68a5aaee";
    let order_3 = hex::decode(order_3).expect("hex").try_into().expect("48 bytes");
    assert!(!chain.verifies(1000, &order_3));
    add("round 1000's, plus a point of order 3", quicknet, 1000, &order_3, false);
    add("the round before", quicknet, 999, &recorded(1000), false);
    add("the round after", quicknet, 1001, &recorded(1000), false);
    let own = hex::encode(OWN.key());
    add("another chain's key", &own, 1000, &recorded(1000), false);
    for round in [1, 2, (1 << 53) - 1] {
        add(&format!("another chain, round {round}"), &own, round, &OWN.sign(round), true);
    }
    let mut wrong = |name: &str, signature: [u8; 48]| {
        assert!(!OWN.chain().verifies(1, &signature), "{name}");
        add(name, &own, 1, &signature, false);
    };
    let flipped = |bit: u8| {
        let mut signature = OWN.sign(1);
        signature[0] ^= bit;
        signature
    };
    wrong("the other point of the same x", flipped(0x20));
    wrong("marked as the identity", flipped(0x40));
    wrong("marked as not compressed", flipped(0x80));
    wrong(
        "hashed to the curve under fastnet's tag",
        OWN.sign_under(1, b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_"),
    );
    let bytes = |text: &str| hex::decode(text).expect("hex").try_into().expect("48 bytes");
    wrong("the identity", bytes(&identity(48)));
    wrong("the identity, with another bit", bytes(&format!("{}01", &identity(48)[..94])));
    wrong("zeros", [0; 48]);
    wrong("no point of the curve", bytes(&format!("80{}04", "00".repeat(46))));
    wrong(
        "a point of the curve that is in no subgroup of prime order",
        bytes(&format!("80{}", "00".repeat(47))),
    );
    // The same x in another encoding: as x + p, of a round whose x is small enough.
    let (round, signature) = (1..)
        .map(|round| (round, OWN.sign(round)))
        .find(|(_, signature)| signature[0] & 0x1f < 0x05)
        .expect("one in five");
    add("a small x", &own, round, &signature, true);
    let mut larger = signature;
    larger[0] &= 0x1f;
    let mut carry = 0_u16;
    for (byte, of_p) in larger.iter_mut().zip(P).rev() {
        let sum = u16::from(*byte) + u16::from(of_p) + carry;
        (*byte, carry) = (sum.to_le_bytes()[0], sum >> 8);
    }
    larger[0] |= signature[0] & 0xe0;
    assert!(!OWN.chain().verifies(round, &larger));
    add("the same x, plus the field's modulus", &own, round, &larger, false);
    for (name, key) in [
        ("the identity as a key, and as a signature", identity(96)),
        ("no key", "00".repeat(96)),
        ("half a key", own[..96].to_owned()),
    ] {
        add(name, &key, 1, &hex::decode(identity(48)).expect("hex"), false);
    }
    add("a recorded signature, cut short", quicknet, 1000, &recorded(1000)[..47], false);
    vectors
}

/// The modulus of the field of BLS12-381.
const P: [u8; 48] = [
    0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b, 0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7,
    0x64, 0x77, 0x4b, 0x84, 0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0, 0xf6, 0x24,
    0x1e, 0xab, 0xff, 0xfe, 0xb1, 0x53, 0xff, 0xff, 0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab,
];
