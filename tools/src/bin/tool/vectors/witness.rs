//! Policies, cosignatures and the times of a quorum (spec/witness.md).

use std::fmt::Write as _;

use fairdeal::log::{Checkpoint, Hash, KeyName, Note, Policy, Signature, SignerKey, WitnessSigner};
use serde_json::{Value, json};
use tools::brought::policy_in_json;
use tools::dice::Dice;

use crate::vectors::File;

const ORIGIN: &str = "cards.example/log";
/// 2026-01-01, in Unix seconds.
const TIME: u64 = 1_767_225_600;

pub fn files() -> Vec<File> {
    vec![
        File {
            name: "policy.json",
            about: "spec/witness.md, section 24: policies, in text or in hex; the first fault and its line, or what the policy says",
            vectors: policies(),
        },
        File {
            name: "cosignature.json",
            about: "spec/witness.md, section 25: which witnesses of a policy have signed a note, and when",
            vectors: cosignatures(),
        },
        File {
            name: "quorum.json",
            about: "spec/witness.md, section 26: a policy, the time of each witness's line in the policy's order, and the times of the quorum",
            vectors: quorums(),
        },
    ]
}

fn name(text: &str) -> KeyName {
    KeyName::parse(text).expect("a name")
}

fn log(seed: u8) -> SignerKey {
    SignerKey::from_seed(name(ORIGIN), &[seed; 32])
}

/// A witness whose key's name is that of its seed.
fn witness(seed: u8) -> WitnessSigner {
    WitnessSigner::from_seed(name(&format!("witness.example/w{seed}")), &[seed; 32])
}

/// The lines of witnesses named w1, w2 and so on.
fn witnesses(seeds: impl IntoIterator<Item = u8>) -> String {
    let line = |seed| format!("witness w{seed} {}\n", witness(seed).key());
    seeds.into_iter().map(line).collect::<Vec<_>>().concat()
}

/// A group of some of them, which is the quorum.
fn of(seeds: std::ops::RangeInclusive<u8>, threshold: &str) -> String {
    let names: Vec<String> = seeds.clone().map(|seed| format!("w{seed}")).collect();
    format!("{}group g {threshold} {}\nquorum g\n", witnesses(seeds), names.join(" "))
}

fn said(policy: &[u8]) -> Value {
    match Policy::parse(policy) {
        Err(error) => json!({ "error": error.fault.as_str(), "line": error.line }),
        Ok(policy) => policy_in_json(&policy),
    }
}

fn policies() -> Vec<Value> {
    let mut vectors = Vec::new();
    let mut add = |name: &str, policy: &[u8]| {
        let mut vector = said(policy);
        vector["name"] = json!(name);
        match std::str::from_utf8(policy) {
            Ok(text) => vector["policy"] = json!(text),
            Err(_) => vector["hex"] = json!(hex::encode(policy)),
        }
        vectors.push(vector.clone());
        vector
    };
    let mut holds = |name: &str, policy: &str, q: u64, v: u64| {
        let said = add(name, policy.as_bytes());
        assert_eq!((&said["q"], &said["v"]), (&json!(q), &json!(v)), "{name}: {said}");
    };
    let own = |seed| log(seed).verifier().to_text();
    holds("no witness", "quorum none\n", 0, 0);
    holds("one witness", &format!("{}quorum w1\n", witnesses([1])), 1, 1);
    holds("none, with witnesses", &format!("{}quorum none\n", witnesses(1..=3)), 0, 0);
    holds("2 of 3", &of(1..=3, "2"), 2, 1);
    holds("3 of 4", &of(1..=4, "3"), 3, 2);
    holds("any of 3", &of(1..=3, "any"), 1, 0);
    holds("all of 3", &of(1..=3, "all"), 3, 3);
    holds("a group of one", &of(1..=1, "1"), 1, 1);
    let nested = "group a 2 w1 w2 w3\ngroup b any w4 w5\ngroup c all a b\nquorum c\n";
    holds("groups in a group", &format!("{}{nested}", witnesses(1..=5)), 3, 1);
    let nested = "group a 3 w1 w2 w3 w4\ngroup b all w5 w6\ngroup c 2 a b w7\nquorum c\n";
    holds("a group of unlike members", &format!("{}{nested}", witnesses(1..=7)), 3, 1);
    let text =
        format!("log {}\nlog {} https://cards.example/\n{}", own(100), own(101), of(1..=3, "2"));
    holds("two logs of one name, one with a URL", &text, 2, 1);
    let text =
        of(1..=3, "2").replace(' ', "\t ").replace("quorum", " \t quorum").replace('\n', " \t\n");
    holds("tabs and spaces", &text, 2, 1);
    let text = format!("\n# who\n \t# sees us\n{}\t\n#", of(1..=3, "2"));
    holds("comments and empty lines; the last line without its end", &text, 2, 1);
    let text = witnesses([1]).replace("w1 ", "w#1 ").replace('\n', " https://w.example/#x\n")
        + "quorum w#1\n";
    holds("# within words", &text, 1, 1);
    let text = witnesses([1])
        .replace("witness w1", "witness ẘ")
        .replace('\n', " https://wítness.example/\n");
    holds("names and URLs of other letters", &format!("{text}quorum ẘ\n"), 1, 1);
    holds(
        "a witness named quorum",
        &(witnesses([1]).replace("s w1 ", "s quorum ") + "quorum quorum\n"),
        1,
        1,
    );
    let same = |seed: u8| WitnessSigner::from_seed(name("witness.example/w1"), &[seed; 32]);
    let two = format!("{}witness w2 {}\n", witnesses([1]), same(2).key());
    holds("two keys of one operator", &format!("{two}group g all w1 w2\nquorum g\n"), 2, 2);
    holds(
        "an old and a new key, of which any is enough",
        &format!("{two}group g any w1 w2\nquorum g\n"),
        1,
        0,
    );
    let three = format!("{two}witness w3 {}\n", same(3).key());
    holds("three keys of one operator in no group", &format!("{three}quorum w1\n"), 1, 1);
    let text = format!("{three}group g any w1 w2\ngroup h any g w3\nquorum h\n");
    holds("a group of any in a group of any", &text, 1, 0);
    let text = witnesses([1]).replace("s w1 ", "s \u{e0}x ") + "#x\nquorum \u{e0}x\n";
    holds("an octet that is white space elsewhere", &text, 1, 1);
    let mut many = "group g1 1 w1\n".to_owned();
    for n in 2..=32 {
        writeln!(many, "group g{n} 1 g{}", n - 1).expect("in memory");
    }
    holds("32 groups, each in the next", &format!("{}{many}quorum g32\n", witnesses([1])), 1, 1);
    holds("32 witnesses", &of(1..=32, "22"), 22, 12);
    let logs = (100..132).map(|seed| format!("log {}\n", own(seed))).collect::<Vec<_>>().concat();
    holds("32 logs", &format!("{logs}quorum none\n"), 0, 0);

    let mut fails = |name: &str, policy: &[u8], fault: &str, line: usize| {
        let said = add(name, policy);
        assert_eq!(
            (&said["error"], &said["line"]),
            (&json!(fault), &json!(line)),
            "{name}: {said}"
        );
    };
    let mut with = |name: &str, lines: &str, fault: &str, line: usize| {
        fails(name, format!("{}{lines}", witnesses(1..=3)).as_bytes(), fault, line);
    };
    with("an unknown word", "groups g any w1\nquorum g\n", "word", 4);
    with("a word in capitals", "Quorum none\n", "word", 4);
    with("a return before the line's end", "quorum w1\r\n", "octet", 4);
    with("a group without members", "group g any\nquorum g\n", "count", 4);
    with("a group with its name alone", "group g\nquorum g\n", "count", 4);
    with("two words after quorum", "quorum w1 w2\n", "count", 4);
    with("nothing after quorum", "quorum\n", "count", 4);
    with("a group named none", "group none any w1\nquorum w1\n", "name", 4);
    with("a group with a witness's name", "group w1 any w2\nquorum w1\n", "repeated", 4);
    with("a group twice", "group g any w1\ngroup g any w2\nquorum g\n", "repeated", 5);
    with("0 of 3", "group g 0 w1 w2 w3\nquorum g\n", "threshold", 4);
    with("4 of 3", "group g 4 w1 w2 w3\nquorum g\n", "threshold", 4);
    with("02 of 3", "group g 02 w1 w2 w3\nquorum g\n", "threshold", 4);
    with("+2 of 3", "group g +2 w1 w2 w3\nquorum g\n", "threshold", 4);
    with("most of 3", "group g most w1 w2 w3\nquorum g\n", "threshold", 4);
    with(
        "18446744073709551617 of 3",
        "group g 18446744073709551617 w1 w2 w3\nquorum g\n",
        "threshold",
        4,
    );
    with("a member that is not there", "group g any w1 w4\nquorum g\n", "undefined", 4);
    with("a member that comes later", "group g any h\ngroup h any w1\nquorum g\n", "undefined", 4);
    with("a group in itself", "group g any w1 g\nquorum g\n", "undefined", 4);
    with("none as a member", "group g any w1 none\nquorum g\n", "undefined", 4);
    with("a member in other letters", "group g any W1\nquorum g\n", "undefined", 4);
    with("a member twice in a group", "group g any w1 w1\nquorum g\n", "member-twice", 4);
    with(
        "a member of two groups",
        "group g any w1 w2\ngroup h any w2 w3\nquorum g\n",
        "member-twice",
        5,
    );
    with("a quorum that is not there", "quorum g\n", "undefined", 4);
    with("a quorum before its group", "quorum g\ngroup g any w1\n", "undefined", 4);
    with("two quorums", "quorum w1\nquorum w1\n", "quorum-twice", 5);
    with("none twice", "quorum none\nquorum none\n", "quorum-twice", 5);
    with("a name and a number that are wrong", "group w1 9 w2\nquorum w1\n", "repeated", 4);
    with("a number and a member that are wrong", "group g 9 w4\nquorum g\n", "threshold", 4);
    with(
        "a member twice, and one that is not there",
        "group g any w1 w1 w4\nquorum g\n",
        "undefined",
        4,
    );
    with("3 of two, one of them twice", "group g 3 w1 w2 w2\nquorum g\n", "member-twice", 4);
    with(
        "a number of many digits",
        &format!("group g {} w1\nquorum g\n", "9".repeat(5000)),
        "threshold",
        4,
    );
    with("a log without a key", "log\nquorum w1\n", "count", 4);
    with("a witness without a key", "witness w4\nquorum w1\n", "count", 4);
    with("the octet 0x1F in a comment", "#\x1f\nquorum w1\n", "octet", 4);
    with("two quorums, and the second is nobody", "quorum w1\nquorum w4\n", "undefined", 5);
    with("no quorum", "", "no-quorum", 3);
    with("no quorum, and an empty line at the end", "\n", "no-quorum", 4);
    fails("an empty file", b"", "no-quorum", 0);
    let bad = format!("{}witness none w\nquorum w1\n", witnesses([1]));
    fails("a bad key and the name none", bad.as_bytes(), "key", 2);
    let both = format!("{}witness w1 {}\nquorum w1\n", witnesses([1]), witness(1).key());
    fails("a key and a name that were there", both.as_bytes(), "duplicate-key", 2);
    let log = format!("log {} https://cards.example/ more\nquorum none\n", own(7));
    fails("a word after a log's URL", log.as_bytes(), "count", 1);
    // Found by trying 153,390 keys: both have the ID e20c4dc7.
    let seed = |number: u32| {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&number.to_be_bytes());
        WitnessSigner::from_seed(name("witness.example/w1"), &seed)
    };
    let (one, other) = (seed(59_301), seed(153_389));
    assert_eq!(one.key().as_verifier().id(), other.key().as_verifier().id());
    let text = format!("witness a {}\nwitness b {}\nquorum a\n", one.key(), other.key());
    fails("two keys of one name and ID", text.as_bytes(), "duplicate-key", 2);
    fails("a zero", b"quorum none\n\0", "octet", 2);
    fails("a delete", b"# \x7f\nquorum none\n", "octet", 1);
    let one = witness(1).key().to_text();
    let text = format!("witness none {one}\nquorum none\n");
    fails("a witness named none", text.as_bytes(), "name", 1);
    let text = format!("witness w1 {one} https://w.example/ more\nquorum none\n");
    fails("a word after the URL", text.as_bytes(), "count", 1);
    let text = format!("witness w1 {}\nquorum w1\n", own(1));
    fails("a witness with a log's kind of key", text.as_bytes(), "key", 1);
    let text = format!("log {one}\nquorum none\n");
    fails("a log with a witness's kind of key", text.as_bytes(), "key", 1);
    let text = format!("witness w1 {}\nquorum w1\n", one.replace("w1+", "w2+"));
    fails("a key whose ID is another name's", text.as_bytes(), "key", 1);
    fails("a key that is none", b"witness w1 w1\nquorum w1\n", "key", 1);
    fails("a key that is no text", b"witness w1 \xff\nquorum w1\n", "key", 1);
    let small = "witness.example/w1+00000000+BAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    fails("a key of small order", format!("witness w1 {small}\nquorum w1\n").as_bytes(), "key", 1);
    let text = format!("{}witness v {}\nquorum w1\n", witnesses([1]), witness(1).key());
    fails("a witness's key twice", text.as_bytes(), "duplicate-key", 2);
    let other = WitnessSigner::from_seed(name("witness.example/v"), &[1; 32]);
    let text = format!("{}witness v {}\nquorum w1\n", witnesses([1]), other.key());
    fails("a witness's key twice, under two names", text.as_bytes(), "duplicate-key", 2);
    let text = format!("log {}\nlog {}\nquorum none\n", own(7), own(7));
    fails("a log's key twice", text.as_bytes(), "duplicate-key", 2);
    let text = format!("{}log {}\nquorum w1\n", witnesses([1]), own(1));
    fails("a log's key that is a witness's", text.as_bytes(), "duplicate-key", 2);
    let text = "#\n".repeat(1 << 19) + "quorum none\n";
    let error = Policy::parse(text.as_bytes()).expect_err("too long");
    assert_eq!((error.fault.as_str(), error.line), ("too-long", (1 << 19) + 1));
    vectors.push(json!({
        "name": "over a mebibyte", "repeat": "#\n", "times": 1 << 19, "policy": "quorum none\n",
        "error": "too-long", "line": (1 << 19) + 1,
    }));
    // Exactly as long as a policy may be, and one octet more.
    for (times, error) in [((1 << 20) - 12, None), ((1 << 20) - 11, Some(json!("too-long")))] {
        let text = "#".repeat(times) + "\nquorum none";
        let mut vector = said(text.as_bytes());
        assert_eq!(vector.get("error"), error.as_ref());
        vector["name"] = json!(format!("{} bytes", text.len()));
        vector["repeat"] = json!("#");
        vector["times"] = json!(times);
        vector["policy"] = json!("\nquorum none");
        vectors.push(vector);
    }
    for (times, error) in [(1023, None), (1024, Some(json!("too-many")))] {
        let mut text = witnesses([1]) + "group g1 1 w1\n";
        for n in 2..times {
            writeln!(text, "group g{n} 1 g{}", n - 1).expect("in memory");
        }
        writeln!(text, "\n#\nquorum g{}", times - 1).expect("in memory");
        let mut vector = said(text.as_bytes());
        assert_eq!(vector.get("error"), error.as_ref(), "{times}");
        vector["name"] = json!(format!("{} lines that are not ignored", times + 1));
        vector["policy"] = json!(text);
        vectors.push(vector);
    }
    let octets = [b"witness \xff ".as_slice(), one.as_bytes(), b" \xfe\nquorum \xff\n"].concat();
    let mut vector = said(&octets);
    vector["name"] = json!("names and URLs that are no text");
    vector["hex"] = json!(hex::encode(&octets));
    assert_eq!(vector["q"], json!(1), "{vector}");
    vectors.push(vector);
    vectors
}

fn note(text: &str, lines: Vec<Signature>) -> Note {
    let own = Note::sign(text, &[&log(100)]).expect("signed").signatures().to_vec();
    Note::new(text, own.into_iter().chain(lines).collect()).expect("a note")
}

/// A line whose bytes are changed.
fn changed(line: &Signature, change: impl Fn(&mut Vec<u8>)) -> Signature {
    let mut bytes = line.bytes().to_vec();
    change(&mut bytes);
    Signature::new(line.name().clone(), line.id(), bytes).expect("not empty")
}

fn cosignatures() -> Vec<Value> {
    let policy = of(1..=3, "2");
    let read = Policy::parse(policy.as_bytes()).expect("a policy");
    let root = Hash::from_bytes([9; 32]);
    let checkpoint = Checkpoint::new(ORIGIN, 42, root).expect("a checkpoint");
    let text = checkpoint.to_text();
    let by = |seed: u8, time: u64| witness(seed).cosign(&text, time).expect("under 2^63");
    let mut vectors = Vec::new();
    let mut add =
        |name: &str, text: &str, lines: Vec<Signature>, expected: Option<[Option<u64>; 3]>| {
            let note = note(text, lines);
            let checkpoint = Checkpoint::parse(note.text()).expect("a checkpoint");
            let found = read.witnessed(&checkpoint, note.signatures(), true);
            assert_eq!(found.clone().ok().map(|one| one.signed), expected.map(Vec::from), "{name}");
            let mut vector = json!({ "name": name, "policy": policy, "note": note.to_text() });
            // In an anchor, a line that does not verify is ignored.
            let lenient =
                read.witnessed(&checkpoint, note.signatures(), false).expect("never refused");
            vector["signed_in_anchor"] = shown(&lenient.signed);
            match found {
                Ok(found) => vector["signed"] = shown(&found.signed),
                Err(_) => vector["error"] = json!("refused"),
            }
            vectors.push(vector);
        };
    add("none", &text, vec![], Some([None; 3]));
    add("one", &text, vec![by(2, TIME)], Some([None, Some(TIME), None]));
    let all = vec![by(3, TIME + 3), by(1, TIME), by(2, TIME + 1)];
    add("all, in another order", &text, all, Some([Some(TIME), Some(TIME + 1), Some(TIME + 3)]));
    add("a witness that is not of the policy", &text, vec![by(4, TIME)], Some([None; 3]));
    let twice = vec![by(1, TIME + 9), by(1, TIME)];
    add(
        "two lines of one witness: the first counts",
        &text,
        twice,
        Some([Some(TIME + 9), None, None]),
    );
    for time in [0, 1, 253_402_300_799, 253_402_300_800, (1 << 63) - 1] {
        add(&format!("the time {time}"), &text, vec![by(1, time)], Some([Some(time), None, None]));
    }
    let good = by(1, TIME);
    // No witness signs this: its key signs it as a log's would.
    let secret = SignerKey::from_seed(good.name().clone(), &[1; 32]);
    let message = format!("cosignature/v1\ntime {}\n{text}", 1_u64 << 63);
    let bytes = [(1_u64 << 63).to_be_bytes().as_slice(), &secret.sign(message.as_bytes())].concat();
    let late = Signature::new(good.name().clone(), good.id(), bytes).expect("a line");
    add("the time 2^63", &text, vec![late], None);
    let other = changed(&good, |bytes| bytes[7] ^= 1);
    add("another time than was signed", &text, vec![other], None);
    add("a changed signature", &text, vec![changed(&good, |bytes| bytes[20] ^= 1)], None);
    add("71 bytes", &text, vec![changed(&good, |bytes| bytes.truncate(71))], None);
    add("73 bytes", &text, vec![changed(&good, |bytes| bytes.push(0))], None);
    let plus = changed(&good, |bytes| add_order(&mut bytes[40..72]));
    add("S with the group's order added", &text, vec![plus], None);
    let wrong_then_right = vec![changed(&good, |bytes| bytes[20] ^= 1), good.clone()];
    add("a wrong line before a right one", &text, wrong_then_right, None);
    let right_then_wrong = vec![good.clone(), changed(&good, |bytes| bytes[20] ^= 1)];
    add("a wrong line after a right one", &text, right_then_wrong, None);
    let renamed = Signature::new(name("witness.example/x"), good.id(), good.bytes().to_vec());
    add("another name", &text, vec![renamed.expect("a line")], Some([None; 3]));
    let id = Signature::new(good.name().clone(), by(2, TIME).id(), good.bytes().to_vec());
    add("another key ID", &text, vec![id.expect("a line")], Some([None; 3]));
    let of = |origin: &str, size, root| {
        let other = Checkpoint::new(origin, size, root).expect("a checkpoint").to_text();
        witness(1).cosign(&other, TIME).expect("under 2^63")
    };
    add("of another origin", &text, vec![of("cards.example/other", 42, root)], None);
    add("of another size", &text, vec![of(ORIGIN, 43, root)], None);
    add("of another root", &text, vec![of(ORIGIN, 42, Hash::from_bytes([8; 32]))], None);
    let extended = format!("{text}an extension\n");
    let line = witness(1).cosign(&extended, TIME).expect("under 2^63");
    add("with an extension line", &extended, vec![line.clone()], Some([Some(TIME), None, None]));
    add("of a note with an extension line", &text, vec![line], None);
    add("without the note's extension line", &extended, vec![good], None);
    let zero = text.replace("\n42\n", "\n042\n");
    for (name, text) in [("no checkpoint", "a letter\n"), ("a size with a zero before it", &zero)] {
        let line = witness(1).cosign(text, TIME).expect("under 2^63");
        vectors.push(json!({
            "name": name, "policy": policy, "note": note(text, vec![line]).to_text(),
            "error": "refused", "signed_in_anchor": null,
        }));
    }
    vectors
}

/// Times, those over 2^53 as strings of digits.
fn shown(signed: &[Option<u64>]) -> Value {
    let one = |time: &Option<u64>| match time {
        Some(time) if *time > 1 << 53 => json!(time.to_string()),
        time => json!(time),
    };
    signed.iter().map(one).collect()
}

/// Adds the order of Ed25519's group to S, little-endian.
fn add_order(s: &mut [u8]) {
    let order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";
    let mut carry = 0_u16;
    for (byte, more) in s.iter_mut().zip(hex::decode(order).expect("hex")) {
        let sum = u16::from(*byte) + u16::from(more) + carry;
        *byte = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
}

fn quorums() -> Vec<Value> {
    let mut vectors = Vec::new();
    let mut add = |name: String, policy: &str, signed: &[Option<u64>]| {
        let read = Policy::parse(policy.as_bytes()).unwrap_or_else(|e| panic!("{e}: {policy}"));
        let quorum = read.quorum(signed);
        let times = quorum.map(|quorum| json!({ "by": quorum.by, "since": quorum.since }));
        vectors.push(
            json!({ "name": name, "policy": policy, "signed": shown(signed), "quorum": times }),
        );
    };
    let (t, none) = (Some(TIME), None);
    let later = |seconds| Some(TIME + seconds);
    for (name, signed) in [
        ("nobody", vec![none, none, none]),
        ("one of 2 of 3", vec![t, none, none]),
        ("two of 2 of 3", vec![later(5), none, t]),
        ("three of 2 of 3", vec![later(5), t, later(9)]),
        ("one without a time", vec![Some(0), t, later(3)]),
        ("two without a time", vec![Some(0), t, Some(253_402_300_800)]),
        ("two without a time, and nobody else", vec![Some(0), none, Some((1 << 63) - 1)]),
    ] {
        add(name.to_owned(), &of(1..=3, "2"), &signed);
    }
    add("none".to_owned(), &format!("{}quorum none\n", witnesses([1])), &[t]);
    add("one witness".to_owned(), &format!("{}quorum w1\n", witnesses([1])), &[t]);
    let mut dice = Dice::new(37);
    for nth in 0..60 {
        let (policy, count) = random_policy(&mut dice);
        let mut signed = Vec::new();
        for _ in 0..count {
            signed.push(match dice.below(6) {
                0 | 1 => None,
                2 => Some(*dice.of(&[0, 1, 253_402_300_799, 253_402_300_800, (1 << 63) - 1])),
                _ => Some(TIME + dice.below(30) as u64),
            });
        }
        add(format!("random {nth}"), &policy, &signed);
    }
    vectors
}

/// A policy of up to nine witnesses in groups of groups, and how many witnesses it has.
fn random_policy(dice: &mut Dice) -> (String, usize) {
    let count = 1 + dice.below(9);
    let seeds = (1..=9_u8).take(count);
    let mut policy = witnesses(seeds.clone());
    let mut free: Vec<String> = seeds.map(|seed| format!("w{seed}")).collect();
    let mut groups = 0;
    while free.len() > 1 {
        let size = 1 + dice.below(free.len());
        let members: Vec<String> =
            (0..size).map(|_| free.swap_remove(dice.below(free.len()))).collect();
        let (name, k) = (format!("g{groups}"), 1 + dice.below(size));
        writeln!(policy, "group {name} {k} {}", members.join(" ")).expect("in memory");
        groups += 1;
        if dice.one_in(4) && groups > 1 {
            // What is left counts for nothing.
            free.clear();
        }
        free.push(name);
    }
    writeln!(policy, "quorum {}", free.first().expect("one is left")).expect("in memory");
    (policy, count)
}
