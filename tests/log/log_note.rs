//! Notes and keys: the published examples, another implementation, and every kind of change.

use fairdeal::log::{
    KeyError, KeyId, KeyName, Note, NoteError, Signature, SignatureError, SignerKey, VerifierKey,
    WitnessKey, WitnessSigner,
};
use proptest::{prelude::*, sample::Index};

// The examples of Go's note package, from which the format comes.
const PETER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const PETER_SECRET: &str =
    "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
const ENOCH: &str = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop";
const TEXT: &str = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const PETER_LINE: &str = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";
const ENOCH_LINE: &str = "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=";

// The examples of C2SP signed-note: the first with the key, the second without.
const FOO: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const FOO_NOTE: &str = "This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
const QUASIMODO_NOTE: &str = "Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n";

fn note(lines: &[&str]) -> String {
    format!("{TEXT}\n{}\n", lines.join("\n"))
}

fn verify(note: &str, keys: &[&str]) -> Result<Vec<String>, String> {
    let keys: Vec<VerifierKey> =
        keys.iter().map(|key| VerifierKey::parse(key).expect("a key")).collect();
    let note = Note::parse(note).map_err(|error| error.to_string())?;
    let verified =
        note.verify(&keys.iter().collect::<Vec<_>>()).map_err(|error| error.to_string())?;
    assert_eq!(verified.text(), note.text());
    Ok(verified.signers().iter().map(|key| key.name().to_string()).collect())
}

fn signer(name: &str, seed: u8) -> SignerKey {
    SignerKey::from_seed(KeyName::parse(name).expect("a name"), &[seed; 32])
}

#[test]
fn the_published_keys_parse_and_print_back() {
    for text in [PETER, ENOCH, FOO] {
        assert_eq!(VerifierKey::parse(text).unwrap().to_text(), text);
    }
    let secret = SignerKey::parse(PETER_SECRET).unwrap();
    assert_eq!(*secret.to_secret_text(), PETER_SECRET);
    assert_eq!(secret.verifier().to_text(), PETER);
    assert_eq!(secret.verifier().id().to_bytes(), [0xc7, 0x4f, 0x20, 0xa3]);
    assert_eq!(secret.verifier().id().to_string(), "c74f20a3");
}

#[test]
fn the_published_notes_parse_and_print_back() {
    for (text, signed) in [
        (TEXT, &*note(&[PETER_LINE])),
        (TEXT, &note(&[PETER_LINE, ENOCH_LINE])),
        ("This is an example message.\n", FOO_NOTE),
        (QUASIMODO_NOTE.split("\n— ").next().unwrap().strip_suffix('\n').unwrap(), QUASIMODO_NOTE),
    ] {
        let note = Note::parse(signed).unwrap();
        assert_eq!(note.to_text(), signed);
        assert_eq!(note.text().trim_end(), text.trim_end());
        assert!(note.text().ends_with(".\n"));
    }
}

#[test]
fn the_published_signature_is_made_again_byte_for_byte() {
    let secret = SignerKey::parse(PETER_SECRET).unwrap();
    assert_eq!(Note::sign(TEXT, &[&secret]).unwrap().to_text(), note(&[PETER_LINE]));
}

#[test]
fn the_published_notes_verify_under_their_keys() {
    assert_eq!(verify(FOO_NOTE, &[FOO]).unwrap(), ["example.com/foo"]);
    let both = note(&[PETER_LINE, ENOCH_LINE]);
    assert_eq!(verify(&both, &[PETER]).unwrap(), ["PeterNeumann"]);
    assert_eq!(verify(&both, &[ENOCH, PETER]).unwrap(), ["PeterNeumann", "EnochRoot"]);
    assert_eq!(
        verify(&note(&[ENOCH_LINE, PETER_LINE]), &[PETER, ENOCH]).unwrap(),
        ["EnochRoot", "PeterNeumann"]
    );
}

#[test]
fn a_note_without_a_signature_by_a_known_key_is_refused_and_both_sides_are_named() {
    let error = verify(&note(&[PETER_LINE]), &[ENOCH, FOO]).unwrap_err();
    assert_eq!(
        error,
        r#"expected a note signed by "EnochRoot+af0cfe78", "example.com/foo+530d903a", found one signed by "PeterNeumann+c74f20a3""#
    );
    assert!(
        verify(&note(&[PETER_LINE]), &[])
            .unwrap_err()
            .starts_with("expected a note signed by no key")
    );
}

#[test]
fn signatures_by_unknown_keys_are_kept_and_ignored_whatever_they_hold() {
    // Another name with Peter's id, Peter's name with another id, another length, an unknown kind.
    let id_of_peter = PETER_LINE.replace("PeterNeumann", "Peter");
    let grease = ["— PeterNeumann AAAAAAA=", "— grease.example/ÿ 3q2+7wE=", &id_of_peter];
    let all = note(&[grease[0], grease[1], PETER_LINE, grease[2]]);
    assert_eq!(Note::parse(&all).unwrap().to_text(), all);
    assert_eq!(verify(&all, &[PETER]).unwrap(), ["PeterNeumann"]);
}

#[test]
fn one_wrong_signature_by_a_known_key_refuses_the_note_even_beside_a_right_one() {
    let text = TEXT.replace("your", "their");
    let wrong = Note::sign(&text, &[&SignerKey::parse(PETER_SECRET).unwrap()]).unwrap();
    let wrong = wrong.signatures()[0].to_text();
    // Peter's id, but a signature of one byte instead of 64.
    let short = "— PeterNeumann x08gowE=";
    for wrong in [&wrong, short] {
        for lines in [[wrong, PETER_LINE], [PETER_LINE, wrong], [ENOCH_LINE, wrong]] {
            let error = verify(&note(&lines), &[PETER, ENOCH]).unwrap_err();
            let line = lines.iter().position(|line| *line == wrong).unwrap() + 1;
            let expected = format!(
                "signature line {line} of the note: the signature is not by PeterNeumann+c74f20a3 over this text"
            );
            assert_eq!(error, expected);
        }
    }
}

#[test]
fn a_key_that_signed_twice_is_named_once() {
    assert_eq!(
        verify(&note(&[PETER_LINE, PETER_LINE]), &[PETER, PETER]).unwrap(),
        ["PeterNeumann"]
    );
}

#[test]
fn two_keys_of_one_name_are_two_signers() {
    let (one, two) = (signer("twin.example", 1), signer("twin.example", 2));
    let note = Note::sign(TEXT, &[&two, &one]).unwrap();
    let verified = note.verify(&[one.verifier(), two.verifier()]).unwrap();
    assert_eq!(verified.signers(), [two.verifier(), one.verifier()]);
}

#[test]
fn no_part_of_a_key_and_no_changed_key_is_a_key() {
    for key in [PETER, PETER_SECRET] {
        let parses =
            |text: &str| VerifierKey::parse(text).is_ok() || SignerKey::parse(text).is_ok();
        for start in 0..key.len() {
            for end in start + 1..=key.len() {
                assert!(
                    parses(&key[start..end]) == (end - start == key.len()),
                    "{}",
                    &key[start..end]
                );
            }
        }
        for at in 0..key.len() {
            let mut changed = key.as_bytes().to_vec();
            changed[at] += 1;
            assert!(!parses(&String::from_utf8(changed).unwrap()), "at {at}");
        }
        assert!(!parses(&key.replace("c74f20a3", "C74F20A3")));
        assert!(!parses(&format!("{key}\n")));
    }
}

#[test]
fn a_key_of_another_type_or_length_is_refused_and_the_reason_named() {
    // Go's examples: the right id for a wrong key.
    let long = VerifierKey::parse(
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
    );
    assert!(matches!(long, Err(KeyError::VerifierForm(_))), "its base64 has spare bits");
    let long = VerifierKey::parse(
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEQ==",
    );
    assert!(matches!(long, Err(KeyError::Length { found: 36, .. })), "{long:?}");
    let other =
        VerifierKey::parse("PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
    assert!(matches!(other, Err(KeyError::Type { found: 0x65, .. })), "{other:?}");
    let empty = VerifierKey::parse("PeterNeumann+173116ae+");
    assert!(matches!(empty, Err(KeyError::Length { found: 0, .. })), "{empty:?}");
    let id = VerifierKey::parse(&PETER.replace("c74f20a3", "c74f20a4"));
    assert!(matches!(id, Err(KeyError::Id { .. })), "{id:?}");
}

#[test]
fn a_public_key_off_the_curve_or_of_small_order_is_refused() {
    let name = KeyName::parse("weak.example").unwrap();
    let mut identity = [0; 32];
    identity[0] = 1;
    let mut order_2 = [0xff; 32];
    (order_2[0], order_2[31]) = (0xec, 0x7f);
    let mut off_the_curve = [0; 32];
    off_the_curve[0] = 2;
    for key in [identity, order_2, [0; 32], off_the_curve] {
        let error = VerifierKey::new(name.clone(), &key).unwrap_err();
        assert_eq!(error, KeyError::Point { name: "\"weak.example\"".to_owned() });
    }
}

#[test]
fn a_signature_with_an_unreduced_s_or_an_r_of_small_order_is_refused() {
    let secret = signer("strict.example", 3);
    let signature = secret.sign(b"text");
    secret.verifier().verify_signature(b"text", &signature).unwrap();
    // S + L: the same number modulo the group's order L, and so the same equation.
    let order =
        hex::decode("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010").unwrap();
    let mut malleated = signature;
    let mut carry = 0;
    for (byte, add) in malleated[32..].iter_mut().zip(&order) {
        let sum = u16::from(*byte) + u16::from(*add) + carry;
        (*byte, carry) = (sum.to_le_bytes()[0], sum >> 8);
    }
    assert_ne!(malleated, signature);
    assert!(secret.verifier().verify_signature(b"text", &malleated).is_err());
    // R = 0 and S = k × the secret scalar, computed elsewhere: the equation of RFC 8032 holds.
    let small = "0100000000000000000000000000000000000000000000000000000000000000\
                 2902e0afa636dfcb34633f60cb5da16b96cd87ddd20537e2f2f30a7b32d8fd0d";
    let small = hex::decode(small).unwrap().try_into().unwrap();
    assert!(secret.verifier().verify_signature(b"text", &small).is_err());
}

#[test]
fn a_signer_key_is_never_printed_by_debug_nor_by_an_error() {
    let secret = SignerKey::parse(PETER_SECRET).unwrap();
    assert_eq!(format!("{secret:?}"), "SignerKey(PeterNeumann, …)");
    let key = PETER_SECRET.rsplit('+').next().unwrap();
    for broken in [
        PETER_SECRET.replace("c74f20a3", "c74f20a4"),
        PETER_SECRET.replace("c74f20a3", "C74F20A3"),
        PETER_SECRET.replace("PRIVATE+KEY+", ""),
        PETER_SECRET.replace("PeterNeumann", "Peter Neumann"),
        PETER_SECRET.replace("+AYE", "+ZYE"),
        format!("{PETER_SECRET}AAAA"),
        format!("{PETER_SECRET}!"),
    ] {
        let error = SignerKey::parse(&broken).unwrap_err();
        for printed in [error.to_string(), format!("{error:?}")] {
            // Not even four consecutive characters of the secret may appear.
            for part in key.as_bytes().windows(4) {
                assert!(!printed.contains(std::str::from_utf8(part).unwrap()), "{printed}");
            }
        }
    }
}

#[test]
fn a_key_s_name_is_not_empty_and_has_no_white_space_plus_or_control_character() {
    let white = "\u{9}\u{a}\u{b}\u{c}\u{d} \u{85}\u{a0}\u{1680}\u{2000}\u{2005}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";
    for bad in white.chars().chain(['+', '\0', '\u{1f}', '\u{7f}', '\u{80}', '\u{9f}']) {
        for name in [format!("{bad}a"), format!("a{bad}b"), format!("a{bad}"), bad.to_string()] {
            assert!(matches!(KeyName::parse(&name), Err(KeyError::Name(_))), "{name:?}");
        }
    }
    assert!(KeyName::parse("").is_err());
    for good in ["a", "example.com/log", "—", "\u{200b}", "ÿ"] {
        assert_eq!(KeyName::parse(good).unwrap().as_str(), good);
    }
}

#[test]
fn what_is_not_a_note_is_refused_and_the_place_named() {
    let line = PETER_LINE;
    let parse = |text: &str| Note::parse(text).unwrap_err();
    assert_eq!(parse(""), NoteError::NoEmptyLine);
    assert_eq!(parse(TEXT), NoteError::NoEmptyLine);
    assert_eq!(parse(&format!("{TEXT}{line}\n")), NoteError::NoEmptyLine);
    assert_eq!(parse(&format!("\n{line}\n")), NoteError::NoEmptyLine);
    assert_eq!(parse(&format!("{TEXT}\n")), NoteError::Signatures(0));
    assert_eq!(parse(&format!("{TEXT}\n{line}")), NoteError::NoNewline("last signature"));
    assert_eq!(parse(&format!("{TEXT}\n{line}\n\n")), NoteError::Signatures(0));
    assert_eq!(
        parse(&note(&[line]).replace("you ", "you\t")),
        NoteError::Control { at: 6, character: '\t' }
    );
    assert_eq!(
        parse(&note(&[line]).replacen('\n', "\r\n", 1)),
        NoteError::Control { at: 56, character: '\r' }
    );
    for (bad, error) in [
        (line.replace('—', "-"), "form"),
        (line.replace("— ", "—"), "form"),
        (line.replace(" x08", "  x08"), "form"),
        (line.replace(" x08", ""), "form"),
        (line.replace("M=", "M"), "form"),
        (line.replace("M=", "N="), "form"),
        (format!("{line} "), "form"),
        (line.replace("PeterNeumann", "Peter+Neumann"), "name"),
        (line.replace("PeterNeumann", ""), "name"),
        (line.replace("PeterNeumann", "Peter\u{a0}Neumann"), "name"),
        ("— PeterNeumann ".to_owned(), "short"),
        ("— PeterNeumann AAAAAA==".to_owned(), "short"),
    ] {
        let NoteError::Signature { line: 2, error: found } = parse(&note(&[line, &bad])) else {
            panic!("{bad} is not named as signature line 2");
        };
        let found = match found {
            SignatureError::Form(_) => "form",
            SignatureError::Name(_) => "name",
            SignatureError::Short { .. } => "short",
            _ => "other",
        };
        assert_eq!(found, error, "{bad}");
    }
}

#[test]
fn a_note_has_at_most_100_signatures_and_1_000_000_bytes() {
    let secret = signer("limits.example", 4);
    let hundred = Note::sign(TEXT, &[&secret; 100]).unwrap();
    assert_eq!(Note::parse(&hundred.to_text()).as_ref(), Ok(&hundred));
    assert_eq!(Note::sign(TEXT, &[&secret; 101]), Err(NoteError::Signatures(101)));
    let line = hundred.signatures()[0].to_text();
    assert_eq!(
        Note::parse(&format!("{}{line}\n", hundred.to_text())),
        Err(NoteError::Signatures(101))
    );

    let rest = Note::sign("\n", &[&secret]).unwrap().to_text().len();
    let longest = "a".repeat(1_000_000 - rest) + "\n";
    let note = Note::sign(&longest, &[&secret]).unwrap();
    assert_eq!(note.to_text().len(), 1_000_000);
    assert_eq!(Note::parse(&note.to_text()).as_ref(), Ok(&note));
    let longer = format!("a{longest}");
    assert_eq!(Note::sign(&longer, &[&secret]), Err(NoteError::TooLong(1_000_001)));
    assert_eq!(Note::parse(&format!("a{}", note.to_text())), Err(NoteError::TooLong(1_000_001)));
}

#[test]
fn only_a_text_that_a_note_can_hold_is_signed() {
    let secret = signer("sign.example", 5);
    assert_eq!(Note::sign("no newline", &[&secret]), Err(NoteError::NoNewline("text")));
    assert_eq!(Note::sign("", &[&secret]), Err(NoteError::NoNewline("text")));
    assert_eq!(Note::sign("a\0\n", &[&secret]), Err(NoteError::Control { at: 1, character: '\0' }));
    assert_eq!(Note::sign(TEXT, &[]), Err(NoteError::Signatures(0)));
    let none = Signature::new(KeyName::parse("a").unwrap(), KeyId::from_bytes([0; 4]), Vec::new());
    assert!(matches!(none, Err(SignatureError::Short { found: 4, .. })));
}

/// Whether another implementation parses the note, and the signers that it names.
fn other_verifies(note: &str, key: &str) -> Option<bool> {
    let note = signed_note::Note::from_bytes(note.as_bytes()).ok()?;
    let key = signed_note::StandardVerifier::new(key).expect("a key");
    Some(note.verify(&signed_note::VerifierList::new(vec![Box::new(key)])).is_ok())
}

/// A witness's key (C2SP tlog-cosignature) on another implementation's key IDs and Ed25519.
struct OtherWitness {
    name: String,
    ed25519: signed_note::StandardVerifier,
    id: u32,
}

impl OtherWitness {
    fn new(key: &WitnessKey) -> Self {
        let name = key.as_verifier().name().as_str().to_owned();
        let bytes = key.as_verifier().public_key();
        let id = signed_note::key_id(&name, &[&[4][..], bytes].concat());
        let plain = VerifierKey::new(key.as_verifier().name().clone(), bytes).expect("a key");
        let ed25519 = signed_note::StandardVerifier::new(&plain.to_text()).expect("a key");
        Self { name, ed25519, id }
    }
}

impl signed_note::Verifier for OtherWitness {
    fn name(&self) -> &str {
        &self.name
    }

    fn key_id(&self) -> u32 {
        self.id
    }

    fn verify(&self, text: &[u8], signature: &[u8]) -> bool {
        let Some((time, signature)) = signature.split_first_chunk() else { return false };
        let head = format!("cosignature/v1\ntime {}\n", u64::from_be_bytes(*time));
        self.ed25519.verify(&[head.as_bytes(), text].concat(), signature)
    }
}

fn any_text() -> impl Strategy<Value = String> {
    "([^\\x00-\\x1f]{0,10}\n){1,4}"
}

proptest! {
    #[test]
    fn cosignatures_under_a_note_are_verified_by_another_implementation(
        text in any_text(), times in [0..=u64::MAX >> 1, 0..=u64::MAX >> 1], at in 0..72_usize,
    ) {
        use signed_note::Verifier as _;
        let log = signer("log.example", 7);
        let witnesses = [1, 2].map(|seed| {
            WitnessSigner::from_seed(KeyName::parse("witness.example/w").unwrap(), &[seed; 32])
        });
        let lines: Vec<Signature> = witnesses.iter().zip(times).map(|(one, time)| {
            one.cosign(&text, time).unwrap()
        }).collect();
        let own = Note::sign(&text, &[&log]).unwrap();
        let all = own.signatures().iter().chain(&lines).cloned().collect();
        let note = Note::new(&text, all).unwrap().to_text();

        let theirs = signed_note::Note::from_bytes(note.as_bytes()).unwrap();
        let key = signed_note::StandardVerifier::new(&log.verifier().to_text()).unwrap();
        let others = witnesses.each_ref().map(|one| Box::new(OtherWitness::new(one.key())));
        let [first, second] = others;
        prop_assert!(!second.verify(text.as_bytes(), lines[0].bytes()));
        let list = signed_note::VerifierList::new(vec![Box::new(key), first, second]);
        let (verified, unverified) = theirs.verify(&list).unwrap();
        prop_assert_eq!((verified.len(), unverified.len()), (3, 0));
        prop_assert_eq!(theirs.to_bytes(), note.into_bytes());
        // Each byte of time and signature counts.
        let mut changed = lines[0].bytes().to_vec();
        changed[at] ^= 1;
        prop_assert!(!OtherWitness::new(witnesses[0].key()).verify(text.as_bytes(), &changed));
    }

    #[test]
    fn notes_and_keys_are_another_implementation_s_byte_for_byte(
        text in any_text(), name in "[^\\s+\\p{Cc}]{1,20}", seed: [u8; 32],
    ) {
        let signer = SignerKey::from_seed(KeyName::parse(&name).unwrap(), &seed);
        let ours = Note::sign(&text, &[&signer]).unwrap().to_text();

        let secret = signer.to_secret_text();
        let other = signed_note::StandardSigner::new(&secret).unwrap();
        let mut theirs = signed_note::Note::new(text.as_bytes(), &[]).unwrap();
        theirs.add_sigs(&[&other]).unwrap();
        prop_assert_eq!(ours.as_bytes(), theirs.to_bytes());

        let key = signer.verifier().to_text();
        prop_assert_eq!(other_verifies(&ours, &key), Some(true));
        prop_assert_eq!(verify(&ours, &[&key]), Ok(vec![name]));
        prop_assert_eq!(&*SignerKey::parse(&secret).unwrap().to_secret_text(), &*secret);
        prop_assert_eq!(VerifierKey::parse(&key).unwrap().to_text(), key);
    }

    #[test]
    fn a_note_changed_anywhere_is_not_verified_and_is_judged_as_another_implementation_judges(
        text in any_text(), at: Index, with in "[a-z \n—+=\u{a0}]{0,2}",
    ) {
        let secret = signer("changed.example", 6);
        let note = Note::sign(&text, &[&secret]).unwrap().to_text();
        let starts: Vec<usize> = note.char_indices().map(|(start, _)| start).collect();
        let start = starts[at.index(starts.len())];
        let mut changed = note.clone();
        changed.replace_range(start..start + note[start..].chars().next().unwrap().len_utf8(), &with);

        let key = secret.verifier().to_text();
        let parsed = Note::parse(&changed);
        let verified = verify(&changed, &[&key]).is_ok();
        prop_assert_eq!(verified, changed == note);
        prop_assert_eq!(parsed.as_ref().ok().map(|_| verified), other_verifies(&changed, &key));
        if let Ok(parsed) = parsed {
            prop_assert_eq!(parsed.to_text(), changed);
        }
    }

    #[test]
    fn a_note_that_parses_prints_back(
        text in "[a\n]{0,6}", lines in prop::collection::vec("(— )?[ab+ ]{0,2} [A-D]{0,12}={0,2}", 0..3), end in "\n{0,2}",
    ) {
        let note = format!("{text}\n\n{}{end}", lines.join("\n"));
        match Note::parse(&note) {
            Ok(parsed) => prop_assert_eq!(parsed.to_text(), note),
            Err(error) => prop_assert!(!matches!(error, NoteError::TooLong(_))),
        }
    }

    #[test]
    fn a_changed_key_parses_only_where_it_prints_back(at: Index, with in "[A-Za-z0-9+/= ]{0,2}") {
        for key in [PETER, PETER_SECRET] {
            let mut changed = key.to_owned();
            let at = at.index(key.len());
            changed.replace_range(at..=at, &with);
            let printed = VerifierKey::parse(&changed).ok().map(|key| key.to_text());
            let printed = printed.or_else(|| SignerKey::parse(&changed).ok().map(|key| key.to_secret_text().to_string()));
            prop_assert!(printed.is_none_or(|printed| printed == changed));
        }
    }

    #[test]
    fn one_changed_bit_of_text_or_signature_is_a_wrong_signature(bit in 0..512_usize, text_bit in 0..80_usize) {
        let secret = signer("bits.example", 7);
        let (mut text, mut signature) = (*b"ten bytes.", secret.sign(b"ten bytes."));
        prop_assert_eq!(secret.verifier().verify_signature(&text, &signature), Ok(()));
        signature[bit >> 3] ^= 1 << (bit & 7);
        prop_assert!(secret.verifier().verify_signature(&text, &signature).is_err());
        signature[bit >> 3] ^= 1 << (bit & 7);
        text[text_bit >> 3] ^= 1 << (text_bit & 7);
        prop_assert!(secret.verifier().verify_signature(&text, &signature).is_err());
    }
}
