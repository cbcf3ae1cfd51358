//! The purpose of each test of the battery, for readers who are not statisticians.

/// By the test's name in `docs/statistics.md`; empty for an unknown name.
pub(super) fn looks_at(name: &str) -> &'static str {
    let kind = name.split([',', ' ']).next().unwrap_or(name);
    match (kind, name) {
        (_, "permutation") => "every card comes exactly once",
        (_, "no deal twice") => "no deal is dealt again",
        (_, "parity") => "as many even as odd orders",
        (_, "inversions") => "as many pairs out of order as in order",
        (_, "largest cell") => "the one card that comes most often at one place",
        (_, "position by card") => "every card equally often at every place",
        (_, "adjacent pairs") => "which card follows which",
        (_, "8-bit modulo" | "16-bit modulo" | "16-bit float") => {
            "the fingerprint of a well-known programming mistake"
        }
        ("descents", _) => "how often a lower card follows",
        ("rising", _) => "how many runs of the old order are left",
        ("overlap", _) => "cards that stay where they were in the deal before",
        ("digits", _) => "the shuffle’s own choices, worked out backwards",
        ("seat", _) if name.ends_with("ace") => "aces at one seat",
        ("seat", _) => "high and low cards at one seat",
        ("hand", _) => "the strength of one hand of five",
        _ => "",
    }
}

/// The tests that laboratories commonly require of a shuffle, and the tests here that do the same.
pub(super) const ASKED: [(&str, &str); 6] = [
    ("chi-square, equal frequencies", "position by card, digits, seats’ ranks"),
    ("overlaps, serial correlation", "overlap, adjacent pairs"),
    ("runs", "descents, rising sequences, inversions"),
    ("duplicates", "no deal twice, permutation"),
    ("coupon collector", "none: position by card sees a card that fails to come"),
    (
        "numbers used in order, none discarded",
        "no statistic: every deal is computed again from its seeds",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Shuffle, sample};

    #[test]
    fn every_test_there_is_has_its_words() {
        for source in [Shuffle::FisherYates, Shuffle::Partial] {
            let report = sample(source, 52, 60, 1).expect("a deck").report();
            let names = report
                .tests
                .iter()
                .map(|test| &test.name)
                .chain(report.skipped.iter().map(|one| &one.name));
            for name in names {
                assert_ne!(looks_at(name), "", "{name}");
            }
        }
    }
}
