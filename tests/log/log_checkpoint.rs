//! Checkpoints: the specification's example, and strict parsing.

use fairdeal::log::{
    Checkpoint, CheckpointError, EMPTY_ROOT, Hash, KeyName, MAX_SIZE, Note, NoteError, Signature,
    SignedCheckpoint, SignedCheckpointError, SignerKey, VerifyNoteError, leaf_hash,
    sign_checkpoint, verify_checkpoint,
};
use proptest::{prelude::*, sample::Index};

const EXAMPLE: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";

// The checkpoint inside the example of C2SP tlog-proof.
const FANCY: &str = "example.com/fancylog\n109482\nsFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=\n";

fn signer(name: &str) -> SignerKey {
    SignerKey::from_seed(KeyName::parse(name).expect("a name"), &[1; 32])
}

#[test]
fn the_published_checkpoints_parse_and_print_back() {
    let signed = SignedCheckpoint::parse(EXAMPLE).unwrap();
    assert_eq!(signed.to_text(), EXAMPLE);
    let checkpoint = signed.unverified();
    assert_eq!(checkpoint.origin(), "example.com/behind-the-sofa");
    assert_eq!(checkpoint.size(), 20_852_163);
    let root = Hash::parse_base64("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=").unwrap();
    assert_eq!(*checkpoint.root(), root);
    assert!(checkpoint.extensions().is_empty());
    assert_eq!(Checkpoint::parse(FANCY).unwrap().to_text(), FANCY);
}

#[test]
fn a_checkpoint_that_its_log_signed_verifies_and_no_other() {
    let (ours, other) = (signer("ours.example"), signer("other.example"));
    let checkpoint = Checkpoint::new("ours.example", 3, leaf_hash(b"")).unwrap();
    let note = checkpoint.sign(&ours).unwrap();
    assert_eq!(verify_checkpoint(&note.to_text(), ours.verifier()), Ok(checkpoint.clone()));
    assert!(matches!(
        verify_checkpoint(&note.to_text(), other.verifier()),
        Err(SignedCheckpointError::AnotherLog { .. })
    ));
    let changed = note.to_text().replace("\n3\n", "\n4\n");
    assert!(matches!(
        verify_checkpoint(&changed, ours.verifier()),
        Err(SignedCheckpointError::Signature(VerifyNoteError::Wrong { .. }))
    ));
    assert_eq!(SignedCheckpoint::parse(&changed).unwrap().unverified().size(), 4);
}

#[test]
fn under_another_key_both_are_named_whether_the_name_is_the_same_or_not() {
    let (ours, other) = (signer("ours.example"), signer("other.example"));
    let renewed = SignerKey::from_seed(KeyName::parse("ours.example").unwrap(), &[99; 32]);
    let note = sign_checkpoint(&ours, 3, leaf_hash(b"")).unwrap().to_text();
    let name = |key: &SignerKey| format!("{}+{}", key.verifier().name(), key.verifier().id());
    let says = |note: &str, key: &SignerKey| {
        verify_checkpoint(note, key.verifier()).unwrap_err().to_string()
    };
    let another = format!("this log is {}; your key is {}", name(&ours), name(&other));
    assert_eq!(says(&note, &other), another);
    let same = "the name is the same, the key is another";
    let expected = format!("this log is {}; your key is {}: {same}", name(&ours), name(&renewed));
    assert_eq!(says(&note, &renewed), expected);
    // Signed by others alone: only the origin is known.
    let text = Checkpoint::new("ours.example", 3, leaf_hash(b"")).unwrap().to_text();
    let witnessed = Note::sign(&text, &[&signer("witness.example")]).unwrap().to_text();
    let expected = format!("this log is \"ours.example\"; your key is {}", name(&other));
    assert_eq!(says(&witnessed, &other), expected);
    assert!(matches!(
        verify_checkpoint(&witnessed, ours.verifier()),
        Err(SignedCheckpointError::Signature(VerifyNoteError::Unknown { .. }))
    ));
}

#[test]
fn a_key_neither_signs_nor_vouches_for_another_log_and_both_are_named() {
    let key = signer("ours.example");
    let checkpoint = Checkpoint::new("other.example", 3, leaf_hash(b"")).unwrap();
    let named = r#"the checkpoint is of the log "other.example", the key is of ours.example"#;
    assert_eq!(checkpoint.sign(&key).unwrap_err().to_string(), named);
    let note = Note::sign(&checkpoint.to_text(), &[&key]).unwrap().to_text();
    assert_eq!(verify_checkpoint(&note, key.verifier()).unwrap_err().to_string(), named);
}

#[test]
fn extension_lines_are_kept_as_they_are() {
    let text = format!("{FANCY}an extension\n  another \n");
    let checkpoint = Checkpoint::parse(&text).unwrap();
    assert_eq!(checkpoint.extensions(), ["an extension", "  another "]);
    assert_eq!(checkpoint.to_text(), text);
}

#[test]
fn a_signed_checkpoint_that_is_not_one_is_refused() {
    let key = signer("ours.example");
    let note = Note::sign("ours.example\n3\n", &[&key]).unwrap().to_text();
    assert!(matches!(
        verify_checkpoint(&note, key.verifier()),
        Err(SignedCheckpointError::Checkpoint(CheckpointError::Form(_)))
    ));
    assert_eq!(
        verify_checkpoint(FANCY, key.verifier()),
        Err(SignedCheckpointError::Note(NoteError::NoEmptyLine))
    );
}

#[test]
fn what_is_not_a_checkpoint_is_refused_and_the_line_named() {
    let root = leaf_hash(b"").to_base64();
    let parse = |text: &str| Checkpoint::parse(text).unwrap_err();
    for text in ["", "\n", "a\n", "a\n1\n", &format!("a\n1\n{root}"), &format!("a\n1{root}\n")] {
        assert_eq!(parse(text), CheckpointError::Form(format!("{text:?}")), "{text:?}");
    }
    assert_eq!(parse(&format!("\n1\n{root}\n")), CheckpointError::EmptyLine(1));
    assert_eq!(parse(&format!("a\n1\n{root}\n\n")), CheckpointError::EmptyLine(4));
    assert_eq!(parse(&format!("a\n1\n{root}\nb\n\nc\n")), CheckpointError::EmptyLine(5));
    assert_eq!(
        parse(&format!("a\r\n1\n{root}\n")),
        CheckpointError::Control { at: 1, character: '\r' }
    );
    for size in
        ["", "01", "00", "+1", "-1", " 1", "1 ", "1.0", "0x1", "1e3", "٣", "9223372036854775808"]
    {
        let error = parse(&format!("a\n{size}\n{root}\n"));
        assert_eq!(error, CheckpointError::Size(format!("{size:?}")));
    }
    for root in
        ["", "AA==", &leaf_hash(b"").to_hex(), root.trim_end_matches('='), &format!("{root} ")]
    {
        assert!(matches!(parse(&format!("a\n1\n{root}\n")), CheckpointError::Root(_)), "{root}");
    }
}

#[test]
fn a_checkpoint_of_no_leaves_has_the_empty_root() {
    let other = leaf_hash(b"");
    assert!(Checkpoint::new("a", 0, EMPTY_ROOT).is_ok());
    assert_eq!(Checkpoint::new("a", 0, other), Err(CheckpointError::EmptyRoot(other)));
    let text = format!("a\n0\n{}\n", other.to_base64());
    assert_eq!(Checkpoint::parse(&text), Err(CheckpointError::EmptyRoot(other)));
}

#[test]
fn only_a_checkpoint_that_parses_back_is_made() {
    let root = leaf_hash(b"");
    let largest = Checkpoint::new("a b+c", MAX_SIZE, root).unwrap();
    assert_eq!(Checkpoint::parse(&largest.to_text()), Ok(largest));
    assert!(Checkpoint::new("a", MAX_SIZE + 1, root).is_err());
    assert_eq!(Checkpoint::new("", 1, root), Err(CheckpointError::EmptyLine(1)));
    assert_eq!(
        Checkpoint::new("a\nb", 1, root),
        Err(CheckpointError::Control { at: 1, character: '\n' })
    );
}

proptest! {
    #[test]
    fn a_checkpoint_that_prints_parses_back(origin in "[^\\x00-\\x1f]{1,20}", size in 1..=MAX_SIZE, root: [u8; 32]) {
        let checkpoint = Checkpoint::new(&origin, size, Hash::from_bytes(root)).unwrap();
        prop_assert_eq!(Checkpoint::parse(&checkpoint.to_text()), Ok(checkpoint));
    }

    #[test]
    fn a_checkpoint_that_parses_prints_back(
        at: Index, with in "[0-9A-Za-z\n=]{0,2}", random in "[a\n]{1,3}[0-9]{1,3}\n[A-E]{42,43}={0,2}\n[a\n]{0,4}",
    ) {
        let mut changed = FANCY.to_owned();
        let at = at.index(changed.len());
        changed.replace_range(at..=at, &with);
        for text in [changed, random] {
            if let Ok(checkpoint) = Checkpoint::parse(&text) {
                prop_assert_eq!(checkpoint.to_text(), text);
            }
        }
    }
}

#[test]
fn an_unknown_key_s_error_is_told_from_a_wrong_signature() {
    let (known, other) = (signer("known.example"), signer("other.example"));
    let key = known.verifier();
    let note = Note::sign(FANCY, &[&other]).expect("a note");
    assert!(matches!(note.verify(&[key]), Err(VerifyNoteError::Unknown { .. })));
    let forged = Signature::new(key.name().clone(), key.id(), vec![0; 64]).expect("a signature");
    let note = Note::new(FANCY, vec![forged]).expect("a note");
    assert!(matches!(note.verify(&[key]), Err(VerifyNoteError::Wrong { line: 1, .. })));
}
