//! Each MUST of C2SP tlog-witness, in the order of its text.

use fairdeal::log::{Checkpoint, EMPTY_ROOT, Hash, Note, SignerKey, leaf_hash};
use fairdeal_witness::MAX_BODY;

use crate::client::{Log, NOW, Running, body, raw, send};

#[test]
fn the_request_is_a_post_and_other_paths_have_nothing() {
    let log = Log::of(5, 9);
    let witness = Running::of(&[&log]);
    for method in ["GET", "PUT", "DELETE"] {
        send(witness.address, method, "/add-checkpoint", b"").unwrap().is(405);
    }
    send(witness.address, "POST", "/", log.body(0).as_bytes()).unwrap().is(404);
    send(witness.address, "GET", "/healthz", b"").unwrap().is(200);
}

#[test]
fn a_checkpoint_is_cosigned_with_the_time_and_then_the_next_one() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    let got = witness.ask(log.body(0)).is(200);
    assert_eq!(witness.time_of(&got, &log.text()), NOW);
    assert_eq!(got.body.lines().count(), 1);
    assert!(got.body.starts_with("— witness.example/w1 "));
    witness.clock.set(NOW + 60);
    let larger = Log::of(70, 99);
    let got = witness.ask(larger.body(5)).is(200);
    assert_eq!(witness.time_of(&got, &larger.text()), NOW + 60);
    // The same once more: a new time.
    witness.clock.set(NOW + 61);
    let got = witness.ask(larger.body(70)).is(200);
    assert_eq!(witness.time_of(&got, &larger.text()), NOW + 61);
}

#[test]
fn one_connection_takes_several_requests() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    let one = log.body(0);
    let head =
        format!("POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: {}\r\n", one.len());
    let both = format!("{head}\r\n{one}{head}Connection: close\r\n\r\n{one}");
    let answer = raw(witness.address, both.as_bytes()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(answer.matches("HTTP/1.1 409 ").count(), 1, "{answer}");
}

#[test]
fn a_malformed_body_is_a_400() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    let (note, hash) = (log.note(), leaf_hash(b"x"));
    let many = vec![hash; 64];
    for wrong in [
        String::new(),
        "old 0\n".to_owned(),
        note.clone(),
        body("old", &[], &note),
        body("old 00", &[], &note),
        body("old 05", &[], &note),
        body("old -1", &[], &note),
        body("old 18446744073709551616", &[], &note),
        body("old 0 ", &[], &note),
        body("old 0\r", &[], &note),
        body("old 0\nAA==", &[], &note),
        body("old 0", &many, &note),
        body("old 0", &[], note.trim_end()),
        body("old 0", &[], &format!("{note}\n")),
        body("old 0", &[], &note.replacen("\n5\n", "\n05\n", 1)),
        body("old 0", &[], &note.replacen("\n5\n", "\n9223372036854775808\n", 1)),
        body("old 0", &[], &note.replace('\n', "\r\n")),
        body("old 0", &[], &log.text()),
    ] {
        witness.ask(&wrong).is(400);
    }
    witness.ask(b"old 0\n\n\xff\n").is(400);
    witness.ask(log.body(0)).is(200);
}

#[test]
fn sixty_three_lines_of_proof_are_read_and_judged() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    witness.ask(log.body(0)).is(200);
    let larger = Log::of(9, 99);
    witness.ask(body("old 5", &[leaf_hash(b"x"); 63], &larger.note())).is(422);
}

#[test]
fn an_unknown_origin_is_a_404_and_no_trusted_signature_a_403() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    let mut other = Log::new("other.example/log", 7);
    other.tree.append("x");
    witness.ask(other.body(0)).is(404);
    // The known name with another key, and the known key under a text that it did not sign.
    let forged = SignerKey::from_seed("cards.example/log".parse().unwrap(), &[8; 32]);
    let note = Note::sign(&log.text(), &[&forged]).unwrap().to_text();
    witness.ask(body("old 0", &[], &note)).is(403);
    let changed = log.note().replacen("\n5\n", "\n6\n", 1);
    witness.ask(body("old 0", &[], &changed)).is(403);
    // 403 before 400: what nobody has signed says nothing.
    witness.ask(body("old 7", &[], &changed)).is(403);
    witness.ask(log.body(0)).is(200);
}

#[test]
fn signatures_of_unknown_keys_are_ignored_and_one_of_several_trusted_keys_is_enough() {
    let log = Log::of(5, 99);
    let mut second = Log::of(5, 99);
    second.signer = SignerKey::from_seed("cards.example/log".parse().unwrap(), &[8; 32]);
    let witness = Running::of(&[&log, &second]);
    let unknown = SignerKey::from_seed("cards.example/log".parse().unwrap(), &[3; 32]);
    let text = second.text();
    let lines = Note::sign(&text, &[&unknown, &second.signer]).unwrap();
    let got = witness.ask(body("old 0", &[], &lines.to_text())).is(200);
    witness.time_of(&got, &text);
    witness.ask(body("old 5", &[], &log.note())).is(200);
}

#[test]
fn an_old_size_over_the_checkpoint_s_is_a_400() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    witness.ask(body("old 6", &[], &log.note())).is(400);
    witness.ask(log.body(0)).is(200);
    witness.ask(body("old 6", &[], &log.note())).is(400);
}

#[test]
fn another_old_size_is_a_409_with_the_last_one() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    let last = |old: u64, log: &Log, size: &str| {
        let got = witness.ask(log.body(old)).is(409);
        assert_eq!(got.header("content-type"), Some("text/x.tlog.size"));
        assert_eq!(got.body, format!("{size}\n"));
    };
    last(5, &log, "0");
    last(3, &log, "0");
    witness.ask(log.body(0)).is(200);
    last(0, &log, "5");
    last(4, &log, "5");
    let larger = Log::of(9, 99);
    last(0, &larger, "5");
    last(9, &larger, "5");
    witness.ask(larger.body(5)).is(200);
    // What is smaller than the last one cannot be signed any more.
    last(5, &log, "9");
}

#[test]
fn a_proof_that_does_not_hold_is_a_422_and_nothing_is_signed() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    witness.ask(body("old 0", &[leaf_hash(b"x")], &log.note())).is(422);
    witness.ask(log.body(0)).is(200);
    let larger = Log::of(9, 99);
    let proof = larger.tree.consistency_proof(5).unwrap();
    let mut changed = proof.clone();
    changed[1] = leaf_hash(b"x");
    let longer = [proof.clone(), vec![leaf_hash(b"x")]].concat();
    let wrong: [&[Hash]; 4] = [&[], &changed, &proof[1..], &longer];
    for proof in wrong {
        witness.ask(body("old 5", proof, &larger.note())).is(422);
    }
    // A fork that its log has signed, with the proof of its own.
    witness.ask(Log::of(9, 2).body(5)).is(422);
    // The same size needs no proof, and takes none.
    witness.ask(body("old 5", &[leaf_hash(b"x")], &log.note())).is(422);
    witness.ask(larger.body(5)).is(200);
}

#[test]
fn another_root_of_the_last_size_is_a_409_without_a_size_and_is_kept() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    witness.ask(log.body(0)).is(200);
    let fork = Log::of(5, 2);
    let got = witness.ask(fork.body(5)).is(409);
    assert_ne!(got.header("content-type"), Some("text/x.tlog.size"));
    witness.ask(fork.body(5)).is(409);
    let larger = Log::of(9, 2);
    witness.ask(larger.body(5)).is(422);
    let metrics = send(witness.address, "GET", "/metrics", b"").unwrap().is(200).body;
    assert!(metrics.contains("\nfairdeal_witness_contradictions_total 3\n"), "{metrics}");
    assert!(metrics.contains("requests_total{status=\"409\"} 2\n"), "{metrics}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // While it runs.
    let folder = witness.dir.path().join("w");
    let kept = runtime.block_on(fairdeal_witness::evidence(&folder)).unwrap();
    let notes: Vec<_> = kept.iter().map(|one| (one.signed.clone(), one.note.clone())).collect();
    assert_eq!(notes, [(log.note(), fork.note()), (log.note(), larger.note())]);
    assert_eq!(kept[0].proof, "");
    let proof = larger.tree.consistency_proof(5).unwrap();
    assert_eq!(kept[1].proof, body("", &proof, "").trim_start().trim_end().to_owned() + "\n");
}

#[test]
fn extension_lines_are_cosigned() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    let text = format!("{}an extension\nand another\n", log.text());
    let note = Note::sign(&text, &[&log.signer]).unwrap().to_text();
    let got = witness.ask(body("old 0", &[], &note)).is(200);
    witness.time_of(&got, &text);
    // The same tree without them.
    let got = witness.ask(log.body(5)).is(200);
    witness.time_of(&got, &log.text());
}

#[test]
fn a_tree_without_leaves_is_cosigned_with_the_one_root_that_it_has() {
    let log = Log::of(0, 99);
    let witness = Running::of(&[&log]);
    let got = witness.ask(log.body(0)).is(200);
    assert_eq!(log.tree.root(), EMPTY_ROOT);
    witness.time_of(&got, &log.text());
    let other = log.text().replace(&EMPTY_ROOT.to_base64(), &leaf_hash(b"x").to_base64());
    assert!(Checkpoint::parse(&other).is_err());
    let note = Note::sign(&other, &[&log.signer]).unwrap().to_text();
    witness.ask(body("old 0", &[], &note)).is(400);
    witness.ask(Log::of(5, 99).body(0)).is(200);
    witness.ask(log.body(0)).is(409);
}

#[test]
fn logs_do_not_know_each_other() {
    let (log, mut other) = (Log::of(5, 99), Log::new("other.example/log", 7));
    other.tree.append("x");
    let witness = Running::of(&[&log, &other]);
    witness.ask(log.body(0)).is(200);
    witness.ask(other.body(0)).is(200);
    let got = witness.ask(other.body(0)).is(409);
    assert_eq!(got.body, "1\n");
}

#[test]
fn the_longest_legal_body_is_read_and_a_longer_one_is_a_413() {
    let log = Log::of(5, 99);
    let witness = Running::of(&[&log]);
    witness.ask(log.body(0)).is(200);
    let larger = Log::of(9, 99);
    // 16 KiB and more: 15 post-quantum signatures beside the log's own, and 63 hashes.
    let mut note = larger.note();
    for number in 0..15 {
        let line = fairdeal::log::Signature::new(
            format!("witness.example/{number}/{}", "x".repeat(200)).parse().unwrap(),
            fairdeal::log::KeyId::from_bytes([number; 4]),
            vec![number; 5_000],
        );
        note += &line.unwrap().to_text();
        note.push('\n');
    }
    let longest = body("old 5", &[leaf_hash(b"x"); 63], &note);
    assert!(longest.len() > 100_000 && longest.len() < MAX_BODY, "{}", longest.len());
    witness.ask(&longest).is(422);
    let proof = larger.tree.consistency_proof(5).unwrap();
    witness.ask(body("old 5", &proof, &note)).is(200);
    // An extension line fills the rest.
    let filled = |length: usize| {
        let text = |fill: usize| format!("{}{}\n", larger.text(), "x".repeat(fill));
        let note = |fill| Note::sign(&text(fill), &[&larger.signer]).unwrap().to_text();
        let bare = body("old 9", &[], &note(1)).len() - 1;
        body("old 9", &[], &note(length - bare))
    };
    witness.ask(filled(16 * 1024)).is(200);
    witness.ask(filled(16 * 1024 + 1)).is(200);
    assert_eq!(filled(MAX_BODY).len(), MAX_BODY);
    witness.ask(filled(MAX_BODY)).is(200);
    witness.ask(filled(MAX_BODY + 1)).is(413);
    // Without a length in its head.
    let padding = "x".repeat(MAX_BODY + 1);
    let chunked = format!(
        "POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{padding}\r\n0\r\n\r\n",
        padding.len()
    );
    let answer = raw(witness.address, chunked.as_bytes()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}
