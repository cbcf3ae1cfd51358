//! A log as one file, cut off, made longer and edited: spec/ledger.md, 10.5. What is no log at all
//! gives no verdict: spec/audit.md, 13.1.

use crate::attacks::case::{Attack, audit};
use crate::logs::write::{ALICE, log};
use tools::paper::{PaperLog, counting_seed, int};

fn game() -> PaperLog {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.void(commit.commitment, Some(1), None);
    log.reveal(&seed);
    log
}

pub fn attacks() -> Vec<Attack> {
    let log = game();
    let file = log.exported();
    let cut = &file[..file.len() - 1];
    let longer = [&file[..], b"\n"].concat();
    let mut edited = file.clone();
    let at = edited.windows(6).position(|part| part == b"player").expect("the reason of the void");
    edited[at] = b'P';
    vec![
        audit("export-holds", "a log as one file", &log).export(&file).holds(),
        audit("export-cut", "a log as one file, without its last byte", &log)
            .export(cut)
            .not_judged(),
        audit("export-longer", "a log as one file, with a byte after its last entry", &log)
            .export(&longer)
            .not_judged(),
        audit("export-edited", "a log as one file, the reason of a void edited", &log)
            .export(&edited)
            .finds(["tree-mismatch"]),
        audit("captive-portal", "a page of the network in the place of the checkpoint", &log)
            .checkpoint("<!DOCTYPE html>\n<title>Sign in</title>\n\n<p>Accept our terms.</p>\n")
            .not_judged(),
        audit("captive-portal-redirect", "one line in the place of the checkpoint", &log)
            .checkpoint("Found. Redirecting to https://login.example/\n")
            .not_judged(),
        audit("checkpoint-empty", "an empty file in the place of the checkpoint", &log)
            .checkpoint("")
            .not_judged(),
    ]
}
