use fairdeal::log::{MemoryLog, Note, SignerKey};

use super::*;

fn signer(seed: u8) -> SignerKey {
    SignerKey::from_seed("cards.example/log".parse().unwrap(), &[seed; 32])
}

/// A log of so many entries, whose entries from `fork` on are another log's.
fn log(size: u8, fork: u8) -> MemoryLog {
    let mut log = MemoryLog::new();
    for entry in 0..size {
        log.append([entry, u8::from(entry >= fork)]);
    }
    log
}

fn asked(log: &MemoryLog, old_size: u64) -> Asked {
    let note = log.checkpoint(&signer(7)).unwrap().to_text();
    let proof = log.consistency_proof(old_size).unwrap_or_default();
    let checkpoint = SignedCheckpoint::parse(&note).unwrap().unverified().clone();
    Asked { old_size, proof, checkpoint, note }
}

#[test]
fn a_clock_may_be_five_seconds_behind_what_was_signed_and_times_do_not_run_back() {
    let one = asked(&log(5, 9), 0);
    let last = one.signed_at(1_000);
    let again = asked(&log(5, 9), 5);
    for (now, verdict) in [
        (1_001, Verdict::Sign(1_001)),
        (1_000, Verdict::Sign(1_000)),
        (996, Verdict::Sign(1_000)),
        (995, Verdict::Sign(1_000)),
        (994, Verdict::Clock(1)),
        (900, Verdict::Clock(95)),
        (0, Verdict::Clock(60)),
    ] {
        assert_eq!(again.judge(&last, now), verdict, "{now}");
    }
    assert_eq!(one.judge(&Signed::default(), 0), Verdict::Clock(60), "a clock that is not set");
}

#[test]
fn two_trees_of_which_neither_continues_the_other_are_a_contradiction() {
    // A fork that the proof shows: sizes that are no powers of two, and the same for one size.
    for (size, larger, fork) in [(5, 9, 2), (6, 7, 5), (3, 200, 0), (5, 5, 4)] {
        let last = asked(&log(size, 255), 0).signed_at(1);
        let fork = asked(&log(larger, fork), u64::from(size));
        assert!(fork.contradicts(&Last::from(&last)), "{size} {larger}");
        assert!(!matches!(fork.judge(&last, 2), Verdict::Sign(_)));
    }
    let last = asked(&log(5, 255), 0).signed_at(1);
    assert!(!asked(&log(9, 255), 5).contradicts(&Last::from(&last)), "it continues");
    assert!(!asked(&log(9, 5), 5).contradicts(&Last::from(&last)), "it continues too");
    assert!(!asked(&log(4, 0), 4).contradicts(&Last::from(&last)), "a smaller tree shows nothing");
    let mut wrong = asked(&log(9, 255), 5);
    wrong.proof[0] = EMPTY_ROOT;
    assert!(!wrong.contradicts(&Last::from(&last)), "a wrong proof is the client's, not the log's");
    assert!(matches!(wrong.judge(&last, 2), Verdict::Proof(_)));
    let mut behind = asked(&log(5, 0), 3);
    behind.proof.clear();
    assert!(behind.contradicts(&Last::from(&last)), "one size, two roots, whatever the old size");
    assert_eq!(behind.judge(&last, 2), Verdict::Old(5));
}

#[test]
fn one_line_of_a_trusted_key_that_verifies_is_enough() {
    let text = Checkpoint::new("cards.example/log", 5, log(5, 9).root()).unwrap().to_text();
    let [old, new, other] = [1, 2, 3].map(signer);
    let note = Note::sign(&text, &[&other, &new]).unwrap();
    let wrong = Note::sign("another\n1\ntext\n", &[&old]).unwrap().signatures()[0].clone();
    let lines = [wrong].into_iter().chain(note.signatures().iter().cloned()).collect();
    let signed = SignedCheckpoint::parse(&Note::new(&text, lines).unwrap().to_text()).unwrap();
    let keys = |of: &[&SignerKey]| of.iter().map(|key| key.verifier().clone()).collect::<Vec<_>>();
    let alone = Note::sign(&text, &[&new]).unwrap().to_text();
    assert_eq!(signed_by(&signed, &keys(&[&old, &new])), Some(alone));
    assert_eq!(signed_by(&signed, &keys(&[&old])), None);
    assert_eq!(signed_by(&signed, &[]), None);
}
