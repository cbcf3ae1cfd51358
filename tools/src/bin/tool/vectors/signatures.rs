//! Ed25519 signatures on either side of the strict rule, made with the group itself (spec/ledger.md, section 10.3).

use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::IsIdentity as _;
use fairdeal::log::{KeyName, VerifierKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha512};

use crate::vectors::File;

pub fn files() -> Vec<File> {
    vec![File {
        name: "signatures.json",
        about: "RFC 8032 as spec/ledger.md, section 10.3, has it: strictly, without the cofactor",
        vectors: signatures(),
    }]
}

/// The group's order, little-endian.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// A key and a signature, valid or not.
pub struct Signed {
    pub key: [u8; 32],
    pub r: [u8; 32],
    pub s: [u8; 32],
}

impl Signed {
    pub fn bytes(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.r);
        bytes[32..].copy_from_slice(&self.s);
        bytes
    }
}

fn point(bytes: [u8; 32]) -> EdwardsPoint {
    curve25519_dalek::edwards::CompressedEdwardsY(bytes).decompress().expect("a point")
}

fn bytes(point: &EdwardsPoint) -> [u8; 32] {
    point.compress().to_bytes()
}

/// The scalar k of RFC 8032.
fn challenge(r: &[u8; 32], key: &[u8; 32], message: &[u8]) -> Scalar {
    let hash = Sha512::new().chain_update(r).chain_update(key).chain_update(message).finalize();
    Scalar::from_bytes_mod_order_wide(&hash.into())
}

fn secret(byte: u8) -> Scalar {
    Scalar::from_bytes_mod_order([byte; 32])
}

/// Whether S·B = R + k·A, and whether 8·S·B = 8·R + 8·k·A; nothing else is checked.
fn equation(signed: &Signed, message: &[u8]) -> (bool, bool) {
    let (key, r) = (point(signed.key), point(signed.r));
    let s = Scalar::from_bytes_mod_order(signed.s);
    let k = challenge(&signed.r, &signed.key, message);
    let left = ED25519_BASEPOINT_POINT * s - key * k - r;
    (left.is_identity(), left.mul_by_cofactor().is_identity())
}

/// A key a·B + T and a signature whose R is r·B + U, with the S that follows from a and r.
pub fn sign(a: Scalar, t: EdwardsPoint, r: Scalar, u: EdwardsPoint, message: &[u8]) -> Signed {
    let key = bytes(&(ED25519_BASEPOINT_POINT * a + t));
    let r_bytes = bytes(&(ED25519_BASEPOINT_POINT * r + u));
    let scalar = r + challenge(&r_bytes, &key, message) * a;
    Signed { key, r: r_bytes, s: scalar.to_bytes() }
}

/// An honest signature with S raised by the group's order.
pub fn raised(signed: &Signed) -> Signed {
    let mut carry = 0_u16;
    let mut s = signed.s;
    for (byte, order) in s.iter_mut().zip(ORDER) {
        carry += u16::from(*byte) + u16::from(order);
        *byte = u8::try_from(carry & 0xff).expect("a byte");
        carry >>= 8;
    }
    assert_eq!(carry, 0);
    Signed { s, ..*signed }
}

/// The first message, of a counted series, for which a condition holds.
fn first(prefix: &str, make: impl Fn(&[u8]) -> Signed, is: impl Fn(bool, bool) -> bool) -> (Vec<u8>, Signed) {
    for count in 0_u32..10_000 {
        let message = format!("{prefix} {count}").into_bytes();
        let signed = make(&message);
        let (exact, times_eight) = equation(&signed, &message);
        if is(exact, times_eight) {
            return (message, signed);
        }
    }
    panic!("{prefix}: none found")
}

/// A signature that verifies only with the cofactor: an honest key, and an R that is off by a point of order 8.
pub fn cofactor_only(byte: u8, message: &[u8]) -> Signed {
    let signed = sign(secret(byte), EIGHT_TORSION[0], secret(77), EIGHT_TORSION[1], message);
    assert_eq!(equation(&signed, message), (false, true));
    signed
}

/// The honest signature of the same key.
pub fn honest(byte: u8, message: &[u8]) -> Signed {
    let signed = sign(secret(byte), EIGHT_TORSION[0], secret(77), EIGHT_TORSION[0], message);
    assert_eq!(equation(&signed, message), (true, true));
    signed
}

/// A small-order key under which this message's signature satisfies the equation.
pub fn small_key(message: &[u8]) -> Signed {
    // The identity: k·A is the identity for every k.
    let signed = sign(Scalar::ZERO, EIGHT_TORSION[0], secret(77), EIGHT_TORSION[0], message);
    assert_eq!(equation(&signed, message), (true, true));
    signed
}

fn signatures() -> Vec<Value> {
    let mut vectors = Vec::new();
    let mut add = |name: &str, signed: &Signed, message: &[u8], holds: bool| {
        let name_of_key = KeyName::parse("k").expect("legal");
        let found = VerifierKey::new(name_of_key, &signed.key)
            .is_ok_and(|key| key.verify_signature(message, &signed.bytes()).is_ok());
        assert_eq!(found, holds, "{name}");
        let mut vector = json!({ "name": name, "public_key": hex::encode(signed.key), "message": hex::encode(message),
            "signature": hex::encode(signed.bytes()) });
        if holds {
            vector["ok"] = json!(true);
        } else {
            vector["error"] = json!("signature");
        }
        vectors.push(vector);
    };
    let message = b"cards.example/log\n1\n";
    let none = EIGHT_TORSION[0];
    let good = honest(3, message);
    add("an honest signature", &good, message, true);
    add("of nothing", &honest(3, b""), b"", true);
    add("of a thousand bytes", &honest(3, &[0x61; 1000]), &[0x61; 1000], true);
    add("of another message", &good, b"cards.example/log\n2\n", false);
    add("of a message that goes on", &good, b"cards.example/log\n1\n\n", false);
    add("by another key", &Signed { key: honest(4, message).key, ..good }, message, false);
    add("another R", &Signed { r: honest(4, b"x").key, ..good }, message, false);
    add("another S", &Signed { s: honest(3, b"x").s, ..good }, message, false);
    add("S raised by the group's order", &raised(&good), message, false);
    add("S raised twice by the group's order", &raised(&raised(&good)), message, false);
    add("S is the group's order", &Signed { s: ORDER, ..good }, message, false);
    add(
        "S with its highest bit set",
        &Signed {
            s: {
                let mut s = good.s;
                s[31] |= 0x80;
                s
            },
            ..good
        },
        message,
        false,
    );
    add("R negated", &Signed { r: bytes(&-point(good.r)), ..good }, message, false);
    add("the key negated", &Signed { key: bytes(&-point(good.key)), ..good }, message, false);
    let is_exact = |exact: bool, _: bool| exact;
    let is_cofactored = |exact: bool, times_eight: bool| !exact && times_eight;
    for (at, small) in EIGHT_TORSION.iter().enumerate() {
        // S·B = R + k·A holds when U = -k·T: R cancels what the key adds.
        let own = -*small;
        let (text, signed) =
            first(&format!("key {at}"), |m| sign(Scalar::ZERO, *small, secret(9), own, m), is_exact);
        add(&format!("a key of small order, point {at}, and the equation holds"), &signed, &text, false);
        let (text, signed) =
            first(&format!("R {at}"), |m| sign(secret(9), own, Scalar::ZERO, *small, m), is_exact);
        add(&format!("an R of small order, point {at}, and the equation holds"), &signed, &text, false);
        let both = sign(Scalar::ZERO, *small, Scalar::ZERO, *small, b"both");
        add(&format!("key and R of small order, point {at}"), &both, b"both", false);
        if at == 0 {
            continue;
        }
        // Mixed order: neither the key nor R has small order.
        let (text, signed) =
            first(&format!("mixed key {at}"), |m| sign(secret(9), *small, secret(8), none, m), is_exact);
        add(&format!("a key of mixed order, point {at}, and the equation holds"), &signed, &text, true);
        let (text, signed) =
            first(&format!("both mixed {at}"), |m| sign(secret(9), *small, secret(8), own, m), is_exact);
        add(&format!("key and R of mixed order, point {at}, and the equation holds"), &signed, &text, true);
        let (text, signed) =
            first(&format!("mixed key {at}"), |m| sign(secret(9), *small, secret(8), none, m), is_cofactored);
        add(&format!("a key of mixed order, point {at}, times the cofactor only"), &signed, &text, false);
        let signed = sign(secret(9), none, secret(8), *small, b"R");
        assert_eq!(equation(&signed, b"R"), (false, true));
        add(&format!("an R of mixed order, point {at}, times the cofactor only"), &signed, b"R", false);
        let signed = sign(secret(9), none, Scalar::ZERO, *small, b"R");
        assert_eq!(equation(&signed, b"R"), (false, true));
        add(&format!("an R of small order, point {at}, times the cofactor only"), &signed, b"R", false);
    }
    for (what, encoded) in odd_encodings() {
        let as_key = Signed { key: encoded, ..sign(Scalar::ZERO, none, secret(8), none, message) };
        add(&format!("as a key: {what}"), &as_key, message, false);
        let key = good.key;
        let s = (challenge(&encoded, &key, message) * secret(3)).to_bytes();
        add(&format!("as R: {what}"), &Signed { key, r: encoded, s }, message, false);
    }
    vectors
}

/// Encodings that RFC 8032, section 5.1.3, does not decode.
pub fn odd_encodings() -> Vec<(&'static str, [u8; 32])> {
    let at_least_p = |low: u8, high: u8| {
        let mut bytes = [0xff; 32];
        (bytes[0], bytes[31]) = (low, high);
        bytes
    };
    let mut one_negative = [0; 32];
    (one_negative[0], one_negative[31]) = (1, 0x80);
    let mut two = [0; 32];
    two[0] = 2;
    vec![
        ("y = p, which is 0 again", at_least_p(0xed, 0x7f)),
        ("y = p and x negative", at_least_p(0xed, 0xff)),
        ("y = p + 1, the identity again", at_least_p(0xee, 0x7f)),
        ("y = p + 1 and x negative", at_least_p(0xee, 0xff)),
        ("y = p + 3, a point of large order", at_least_p(0xf0, 0x7f)),
        ("y = 2^255 - 1", at_least_p(0xff, 0x7f)),
        ("x = 0 and negative, y = 1", one_negative),
        ("x = 0 and negative, y = -1", at_least_p(0xec, 0xff)),
        ("no point has y = 2", two),
    ]
}
