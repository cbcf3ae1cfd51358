//! The reader's own contributions, compared with each of several files.

use tools::paper::counting_seed;

use super::Cases;
use crate::vectors::judged::{Reader, paper};
use crate::vectors::readers::of;
use crate::vectors::verdicts::CLIENTS;
use tools::brought::{own, with};

pub(super) fn judged(cases: &mut Cases) {
    let (mut log, seed) = (paper(), counting_seed(0));
    let (c, commit) = log.commit(&seed, |_| {});
    let first = log.deal(&commit, &seed.mac(), 0, CLIENTS);
    let second = log.deal(&commit, &seed.mac(), 1, &[("alice", "again"), ("bob", "seven")]);
    let files = [log.receipt(&[c, first]).to_text(), log.receipt(&[c, second]).to_text()];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let bare = log.receipt(&[c]).to_text();
    let alice = |seed: &str, n: u64| with(own("alice", seed), &of(&commit, n));
    let each = Reader::brought([alice("lucky", 0), alice("again", 1)]);
    cases.add_for(&each, "what the reader brought is held against its round alone", &files, &[]);
    let crossed = Reader::brought([alice("lucky", 1), alice("again", 0)]);
    cases.add_for(&crossed, "what the reader brought was mixed in the other round", &files, &[]);
    let one = Reader::brought([alice("lucky", 0)]);
    cases.add_for(&one, "the reader brought something to one of two rounds", &files, &[]);
    let third = Reader::brought([alice("lucky", 2)]);
    cases.add_for(
        &third,
        "what the reader brought to a third round is compared with neither",
        &files,
        &[],
    );
    let remembered = Reader::brought([own("bob", "seven")]);
    cases.add_for(
        &remembered,
        "a seed that the reader remembers is held against both",
        &files,
        &[],
    );
    let remembered = Reader::brought([own("alice", "lucky")]);
    cases.add_for(&remembered, "a seed that the reader remembers of one round", &files, &[]);
    let with_bare = [files[0], &bare];
    cases.add_for(&one, "a file without a round is of another round", &with_bare, &[]);
    let keys = Reader::knows([("alice", crate::vectors::readers::signer(1).key())]);
    cases.add_for(&keys, "a player's key is held against each file", &files, &[]);
    let twice = [files[0], files[0]];
    cases.add_for(&one, "two files of the reader's round", &twice, &[]);
}
