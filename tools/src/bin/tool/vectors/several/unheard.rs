//! Files that contradict no other.

use fairdeal::log::Note;
use serde_json::json;
use tools::paper::{PaperLog, counting_seed};

use super::{Cases, forked};
use crate::vectors::judged::changed;

/// Files that contradict nobody.
pub(super) fn judged(cases: &mut Cases) {
    let text = |log: &PaperLog| log.receipt(&[0, 2]).to_text();
    let (log, other) = forked(2, 0);
    let edited = changed(&other.receipt(&[0, 2]), |f| {
        let note = f["checkpoint"].as_str().expect("text").replacen("\n4\n", "\n5\n", 1);
        f["checkpoint"] = json!(note);
    });
    cases.add("a checkpoint that is not signed contradicts nobody", &[&text(&log), &edited], &[]);
    let unproved = changed(&other.receipt(&[0, 2]), |f| f["entries"][0]["proof"] = json!([]));
    cases.add(
        "an entry that is not in its tree contradicts nobody, its checkpoint does",
        &[&text(&log), &unproved],
        &["inconsistent"],
    );
    let foreign = changed(&log.receipt(&[0, 2]), |f| {
        f["entries"] = json!(other.receipt(&[0, 2]).entries);
    });
    cases.add("an entry that is not in its tree contradicts nobody", &[&text(&log), &foreign], &[]);
    let note =
        Note::sign(&format!("{}x\n", other.checkpoint_text()), &[&other.signer]).expect("legal");
    let extended = changed(&other.receipt(&[0, 2]), |f| f["checkpoint"] = json!(note.to_text()));
    cases.add(
        "a checkpoint with extension lines is signed all the same",
        &[&text(&log), &extended],
        &["inconsistent"],
    );
    let proof = crate::vectors::judged::value_of(&log.seen_proof(2));
    let unproved = |f: &mut serde_json::Value| {
        f["seen"] = json!([proof]);
        f["seen"][0]["proof"] = json!([]);
    };
    let seen = changed(&other.receipt(&[0, 2]), unproved);
    cases.add(
        "a size that is not proved: of the file, only the checkpoint counts",
        &[&text(&log), &seen],
        &["inconsistent"],
    );
    let seen = changed(&log.receipt(&[0, 2]), unproved);
    cases.add("a size that is not proved contradicts nobody", &[&text(&log), &seen], &[]);
    let invalid = changed(&other.receipt(&[0, 2]), |f| f["x"] = json!(1));
    cases.add("a file that is no receipt contradicts nobody", &[&text(&log), &invalid], &[]);
    cases.add(
        "three, the second no receipt",
        &[&text(&log), "[]", &text(&other)],
        &["inconsistent", "inconsistent"],
    );
    cases.add("one file that cannot be read: the other is judged", &[&text(&log), "{"], &[]);
    cases.add("no file can be read", &["{", ""], &["unreadable"]);
    cases.add(
        "two files that contradict each other, and one that cannot be read",
        &[&text(&log), "{", &text(&other)],
        &["inconsistent", "inconsistent"],
    );
    cases.add("one file alone", &[&text(&log)], &[]);
    let stranger = PaperLog::new("cards.example/log", 8);
    assert_ne!(stranger.key(), log.key());
    let mut foreign = PaperLog::new("cards.example/log", 8);
    foreign.commit(&counting_seed(0), |_| {});
    cases.add(
        "another key's receipt contradicts nobody",
        &[&text(&log), &foreign.receipt(&[0]).to_text()],
        &[],
    );
}
