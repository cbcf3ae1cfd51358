//! Every short log, not some: the short form of `cargo tool explore`, with the same invariants.
//! docs/testing.md says what they are.

use fairdeal::record::entry::Mixing;

use tools::explore::{Explored, Limits, Scope, Terms, World, compare, compute, explore, freedoms};

const SEEDS: Terms = (Mixing::Seeds, false);
const HASHES: Terms = (Mixing::Hashes, false);
const LIMITS: Limits = Limits { length: 0, audit_one_in: 100, excerpts: 6, past_findings: false };

fn walk(scope: &Scope, limits: Limits) -> Explored {
    explore(&World::new(), scope, limits).unwrap_or_else(|says| panic!("{says}"))
}

#[test]
fn every_log_of_one_commitment_keeps_the_promises() {
    let scope = Scope { commitments: 1, terms: vec![SEEDS, HASHES], times: true };
    let all = walk(&scope, Limits { length: usize::MAX, ..LIMITS });
    assert!(all.complete, "there is an end to them");
    assert_eq!(all.states(), 383);
}

#[test]
fn every_short_log_of_two_commitments_keeps_the_promises() {
    let scope = Scope { commitments: 2, terms: vec![SEEDS, HASHES], times: true };
    let length = tools::cases(4, 5);
    assert!(walk(&scope, Limits { length, ..LIMITS }).states() > tools::cases(1_000, 6_000));
}

#[test]
fn every_short_log_of_three_commitments_keeps_the_promises() {
    let scope = Scope { commitments: 3, terms: vec![SEEDS], times: false };
    let length = tools::cases(5, 6);
    assert!(walk(&scope, Limits { length, ..LIMITS }).states() > tools::cases(500, 2_000));
}

#[test]
fn a_log_with_findings_is_judged_alike_by_all_who_judge() {
    let scope = Scope { commitments: 2, terms: vec![SEEDS, HASHES], times: true };
    assert!(walk(&scope, Limits { length: 4, past_findings: true, ..LIMITS }).states() > 1_000);
}

#[test]
fn receipts_of_one_log_agree_and_those_of_two_need_not() {
    let scope = Scope { commitments: 2, terms: vec![SEEDS], times: false };
    let compared = compare(&World::new(), &scope, 3).unwrap_or_else(|says| panic!("{says}"));
    assert!(compared.pairs > 100 && compared.forks > 100 && compared.views > 100, "{compared:?}");
    // If both receipts end before the difference, nothing shows it (docs/testing.md).
    assert_eq!(compared.blind.1, 0, "{compared:?}");
}

#[test]
fn what_an_operator_can_still_choose_is_what_the_table_says_and_nothing_else() {
    let (left, _) = compute(&World::new(), 4).unwrap_or_else(|says| panic!("{says}"));
    assert_eq!(left, freedoms());
}
