//! Receipts under a policy: what anchors and the checkpoint's cosignatures show of a round.

use serde_json::{Value, json};

use crate::attacks::case::{Attack, verify};
use crate::attacks::witnesses::{dealt, three};
use crate::logs::write::{ALICE, BOTH, log as empty};
use tools::paper::{PaperLog, START, counting_seed, int, policy};

/// The facts that no receipt here shows: there is no reveal.
const OPEN: [&str; 2] = ["replayed", "committed-first"];

pub fn attacks() -> Vec<Attack> {
    let (mut log, _) = dealt();
    let deal = START / 1000 + 2;
    let key = log.key().clone();
    log.anchor(2, &three(deal));
    let text = |log: &PaperLog, entries: &[u64]| log.receipt(entries).to_text();
    let both = text(&log, &[0, 1, 3]);
    let alone = text(&log, &[0, 1]);
    let parsed = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    let mut unproved = parsed(&both);
    unproved.as_object_mut().expect("an object").remove("seen");
    let cosigned_at = |seconds: u64| {
        let mut file = parsed(&alone);
        file["checkpoint"] = json!(log.cosigned_checkpoint(&[(1, seconds), (3, seconds)]));
        file.to_string()
    };
    // Fork B repeats what witnesses have signed for A.
    let mut fork = log_with(&[BOTH]);
    fork.anchor_of(2, log.root_at(2), &three(deal));
    let forked = text(&fork, &[0, 1, 2]);
    let mut fork_unproved = parsed(&forked);
    fork_unproved.as_object_mut().expect("an object").remove("seen");
    let mut own = log_with(&[BOTH]);
    own.anchor(2, &three(deal));
    let mut index = dealt().0;
    index.anchor(1, &three(deal));
    let open = |more: &[&'static str]| -> Vec<&'static str> {
        OPEN.into_iter().chain(["authentic", "no-collusion"]).chain(more.iter().copied()).collect()
    };
    let case = |name, about, file: &str| {
        verify(name, about, &key).file("receipt.json", file).policy(&policy(2, 3))
    };
    let shown = ["logged", "witnessed", "timed"];
    let untimed = ["witnessed", "timed"];
    let limit = |name, about, ms: i64, is_shown: bool| {
        // The deal is at START + 2 s.
        let (mut log, seed) = (empty(), counting_seed(0));
        let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
        log.time = (START + 1_000_000).checked_add_signed(ms).expect("a time") - 1000;
        log.deal(&commit, &seed.mac(), 0, ALICE);
        let by = (START + 1_000_000) / 1000;
        let mut file = parsed(&log.receipt(&[0, 1]).to_text());
        file["checkpoint"] = json!(log.cosigned_checkpoint(&[(1, by), (2, by)]));
        let one = case(name, about, &file.to_string());
        if is_shown {
            one.shows(&shown).not(&open(&[])).holds()
        } else {
            one.shows(&["logged", "witnessed"]).not(&open(&["timed"])).holds()
        }
    };
    let mut headless = parsed(&both);
    headless["entries"].as_array_mut().expect("an array").remove(0);
    vec![
        case(
            "receipt-of-an-anchor-alone",
            "a receipt without its commit is none, whatever its anchor",
            &headless.to_string(),
        )
        .finds(["invalid-receipt"]),
        case("receipt-by-anchor", "an anchor covers the deal, and its root is proved", &both)
            .shows(&shown)
            .not(&open(&[]))
            .holds(),
        verify("receipt-by-anchor-without-policy", "the same for a reader without a policy", &key)
            .file("receipt.json", &both)
            .shows(&["logged"])
            .not(&open(&[]))
            .holds(),
        case(
            "receipt-by-checkpoint",
            "two witnesses have signed the checkpoint",
            &cosigned_at(deal),
        )
        .shows(&shown)
        .not(&open(&[]))
        .holds(),
        case(
            "receipt-anchor-not-proved",
            "the receipt does not prove the anchor's root: it shows nothing",
            &unproved.to_string(),
        )
        .shows(&["logged"])
        .not(&open(&untimed))
        .holds(),
        case(
            "receipt-anchor-at-the-index",
            "the anchor's size is the deal's index: it does not cover it",
            &text(&index, &[0, 1, 3]),
        )
        .shows(&["logged"])
        .not(&open(&untimed))
        .holds(),
        case(
            "receipt-fork-with-anchor",
            "fork B has the anchor of log A: the proved root is another one",
            &forked,
        )
        .shows(&["logged"])
        .finds(["split-view 2"]),
        case(
            "receipt-fork-not-proved",
            "fork B has the anchor of log A, and does not prove a root: nothing is timed",
            &fork_unproved.to_string(),
        )
        .shows(&["logged"])
        .not(&open(&untimed))
        .holds(),
        verify(
            "receipts-of-two-anchors",
            "two receipts have anchors of one size with two roots",
            &key,
        )
        .file("hers.json", &both)
        .file("his.json", text(&own, &[0, 1, 2]))
        .policy(&policy(2, 3))
        .is("caught")
        .finds(["inconsistent", "inconsistent", "invalid-entry 3"]),
        case("receipt-of-another-policy", "the witnesses of another reader have not signed", &both)
            .policy(
                &policy(9, 9)
                    .replace("9 w1 w2 w3 w4 w5 w6 w7 w8 w9", "2 w4 w5 w6")
                    .lines()
                    .skip(3)
                    .collect::<Vec<_>>()
                    .join("\n"),
            )
            .shows(&["logged"])
            .not(&open(&untimed))
            .holds(),
        case(
            "receipt-quorum-none",
            "under a policy whose quorum is none nothing is witnessed",
            &both,
        )
        .policy("quorum none\n")
        .shows(&["logged"])
        .not(&open(&untimed))
        .holds(),
        limit(
            "receipt-timed-before",
            "the deal's time is 300 s before the witnesses'",
            -300_000,
            true,
        ),
        limit("receipt-not-timed-before", "a millisecond more than 300 s before", -300_001, false),
        limit("receipt-timed-after", "300 s after", 300_000, true),
        limit("receipt-not-timed-after", "a millisecond more than 300 s after", 300_001, false),
    ]
}

/// A log of one commitment with deals of these players.
fn log_with(deals: &[&[(&str, &str)]]) -> PaperLog {
    let mut log = empty();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
    for (nonce, players) in (0..).zip(deals) {
        log.deal(&commit, &seed.mac(), nonce, players);
    }
    log
}
