//! A saved view beside the files (spec/receipt.md, 11.9), and heads of files that are not logged.

use serde_json::json;
use tools::paper::{PaperLog, counting_seed};

use super::{Cases, forked};
use crate::vectors::judged::{Reader, changed, paper, value_of};
use crate::vectors::verdicts::CLIENTS;

pub(super) fn judged(cases: &mut Cases) {
    let (log, fork) = forked(3, 0);
    let text = log.receipt(&[0, 2]).to_text();
    let mut add = |name: &str, file: &str, note: String, found: &[&str]| {
        cases.add_for(&Reader::saved(note), name, &[file], found);
    };
    let prefix = |size: usize| {
        let mut early = paper();
        for entry in log.entries().iter().take(size) {
            early.append_bytes(entry);
        }
        early.checkpoint()
    };
    add("a saved view of the receipt's size", &text, log.checkpoint(), &[]);
    add("a saved view of another tree of this size", &text, fork.checkpoint(), &["inconsistent"]);
    add("a saved view of a smaller size, which no file proves", &text, prefix(3), &[]);
    let proving = changed(&log.receipt(&[0, 2]), |file| {
        file["seen"] = json!([value_of(&log.seen_proof(3))]);
    });
    add("a saved view of a size that the receipt proves", &proving, prefix(3), &[]);
    let (_, early_fork) = forked(1, 0);
    let small = {
        let mut other = paper();
        for entry in early_fork.entries().iter().take(3) {
            other.append_bytes(entry);
        }
        other.checkpoint()
    };
    add(
        "a saved view of another tree, of a size that the receipt proves",
        &proving,
        small,
        &["inconsistent"],
    );
    let stranger = PaperLog::new(log.origin().as_str(), 8);
    add("a saved view that another key signed", &text, stranger.checkpoint(), &["unreadable"]);
    add("a saved view that is no note", &text, "nothing".to_owned(), &["unreadable"]);
    add("a saved view of the empty log", &text, paper().checkpoint(), &["usage"]);
    let wrong = {
        let (mut log, seed) = (paper(), counting_seed(0));
        let (c, commit) = log.commit(&seed, |_| {});
        let r = log.reveal(&seed);
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        log.receipt(&[c, r, d]).to_text()
    };
    add("a finding, and a saved view that nothing joins", &wrong, prefix(2), &[]);

    // A file that is not logged counts by its signed checkpoint alone.
    let unlogged = changed(&fork.receipt(&[0, 2]), |file| {
        file["entries"][0]["proof"] = json!([]);
    });
    cases.add(
        "the signed checkpoint of a file whose entries are not in its tree",
        &[&text, &unlogged],
        &["inconsistent"],
    );
}
