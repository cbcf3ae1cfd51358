//! The audit of a whole log: what no receipt shows, and that splitting and merging changes nothing.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::similar_names,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use std::collections::BTreeMap;

use fairdeal::deal::{Commitment, ServerSeed};
use fairdeal::log::{EMPTY_ROOT, Frontier, Hash, leaf_hash};
use fairdeal::record::entry::{Cards, Commit, Entry, Table};
use fairdeal::record::json::to_canonical;
use fairdeal::record::life::{Effect, Extent};
use fairdeal::record::receipt::SignedBy;
use fairdeal::record::replay::Waiting;
use fairdeal::record::{Code, Judge};
use fairdeal::sample::{Sample, SampleTerms};
use fairdeal_audit::{AuditVerdict, Partial, TallyWork, Times, Under, Unjudged};
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients};

const ALICE: &[(&str, &str)] = &[("alice", "lucky")];

/// The log's root at each size.
pub(crate) fn roots(log: &PaperLog) -> Vec<Hash> {
    let mut tree = Frontier::new();
    let mut roots = vec![EMPTY_ROOT];
    for entry in log.entries() {
        tree.push(leaf_hash(entry)).expect("room");
        roots.push(tree.root());
    }
    roots
}

fn range(log: &PaperLog, from: usize, to: usize) -> Partial {
    let first = u64::try_from(from).expect("small");
    Partial::of(Under::key(log.key()), first, &log.entries()[from..to]).expect("room")
}

/// Compares what players have seen with the roots, and finishes.
fn finish(log: &PaperLog, mut partial: Partial, as_of: Option<u64>) -> AuditVerdict {
    let roots = roots(log);
    for claim in partial.take_claims() {
        let own = |size| (size, roots[usize::try_from(size).expect("small")]);
        let roots = claim.sizes().map(own).collect();
        partial.settle(&claim, &roots);
    }
    partial.finish(Times { as_of, clock: None }).expect("from the first entry on")
}

pub(crate) fn audit(log: &PaperLog, as_of: Option<u64>) -> AuditVerdict {
    let whole = joined(Partial::start(log.key().clone()), range(log, 0, log.entries().len()));
    finish(log, whole, as_of)
}

fn joined(mut left: Partial, right: Partial) -> Partial {
    left.merge(right).expect("neighbours");
    left
}

/// The findings, as `code@index`.
fn codes(verdict: &AuditVerdict) -> Vec<String> {
    verdict
        .findings
        .iter()
        .map(|f| {
            format!("{}@{}", f.code, f.index.map_or_else(|| "-".to_owned(), |i| i.to_string()))
        })
        .collect()
}

#[test]
fn an_honest_log_holds_and_its_numbers_are_counted() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let (seed, unused) = (counting_seed(0), counting_seed(1));
    let (_, commit) = log.commit(&seed, |_| {});
    let seen = log.seen();
    for n in 0..3 {
        log.deal(&commit, &seed.mac(), n, ALICE);
    }
    let mut bob = Player::new("bob", "seven", 2);
    bob.seen = Some(seen);
    let lock = log.lock(commit.commitment, 3, vec![bob.hashed(&commit.commitment, 3)]);
    log.deal_locked(&commit, &seed.mac(), 3, lock, &[bob]);
    log.lock(commit.commitment, 4, logged_clients(ALICE));
    log.void(commit.commitment, Some(4), Some("alice"));
    log.reveal(&seed);
    let (_, second) = log.commit(&unused, |c| c.after = Some(seed.commitment()));
    log.void(second.commitment, None, None);
    let verdict = audit(&log, None);
    assert_eq!(codes(&verdict), [""; 0]);
    assert!(verdict.holds);
    let counted =
        (verdict.size, verdict.commitments, verdict.deals, verdict.voids, verdict.reveals);
    assert_eq!(counted, (11, 2, 4, 2, 1));
    assert_eq!(verdict.root, *roots(&log).last().expect("a root"));
    let reported = serde_json::to_value(&verdict.reported).expect("JSON");
    assert_eq!(reported["rounds_per_commitment"], json!({"0": 1, "5": 1}));
    assert_eq!(reported["never_used"], 1);
    assert_eq!(reported["ended_early"], 1);
    assert_eq!(
        reported["tables"]["table 1"],
        json!({
            "commitments": 2, "deals": 4, "voided_rounds": 1, "voided_locks": 1,
            "voided_commitments": 1,
        })
    );
    assert_eq!(reported["voided_locks"], 1);
    assert_eq!(reported["commitments_per_table"], json!({"2": 1}));
    assert_eq!(verdict.last_time, Some(log.time));
    assert_eq!(reported["blamed"], json!({"alice": 1}));
    assert_eq!(reported["rounds_without_committed_first"], 3);
    assert_eq!(reported["reveal_delays"]["count"], 1);
}

#[test]
fn a_changed_card_is_found_at_the_deal_once_the_seed_is_out() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    log.deal(&commit, &seed.mac(), 0, ALICE);
    let mut deal = log.deal_entry(&commit, &seed.mac(), 1, ALICE);
    deal.result = log_result(&log, &commit, &seed);
    log.append(&Entry::Deal(Box::new(deal)));
    assert_eq!(codes(&audit(&log, None)), [""; 0], "nobody can tell before the reveal");
    log.reveal(&seed);
    assert_eq!(codes(&audit(&log, None)), ["result-mismatch@2"]);
}

/// The result of round 0, which differs from that of round 1.
fn log_result(
    _log: &PaperLog,
    commit: &Commit,
    seed: &ServerSeed,
) -> fairdeal::record::entry::ResultForm {
    let mixed = tools::paper::mixed(&logged_clients(ALICE));
    fairdeal::record::replay::deal_round(commit, &seed.mac(), tools::paper::nonce(0), &mixed)
        .expect("legal")
        .form
}

#[test]
fn a_commitment_that_is_not_revealed_in_time_is_overdue_as_of_then_and_not_before() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let (first, second) = (counting_seed(0), counting_seed(1));
    let (_, commit) = log.commit(&first, |_| {});
    let by = commit.reveal_by.value();
    log.commit(&second, |c| c.table = Table::new("table 2").expect("a table"));
    log.void(second.commitment(), None, None);
    assert_eq!(codes(&audit(&log, Some(by))), [""; 0]);
    assert_eq!(codes(&audit(&log, Some(by + 1))), ["overdue@0"]);
    assert_eq!(codes(&audit(&log, None)), [""; 0], "as of the last entry");
}

#[test]
fn a_fork_that_one_player_was_shown_is_found_once_the_roots_are_compared() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    let mut fork = PaperLog::new("cards.example/log", 7);
    fork.commit(&counting_seed(9), |_| {});
    let mut bob = Player::new("bob", "seven", 2);
    bob.seen = Some(fork.seen());
    let lock = log.lock(commit.commitment, 0, vec![bob.hashed(&commit.commitment, 0)]);
    log.deal_locked(&commit, &seed.mac(), 0, lock, &[bob]);
    assert_eq!(codes(&audit(&log, None)), ["split-view@1"]);
}

#[test]
fn a_checkpoint_that_the_log_never_signed_leaves_its_entry_without_effect() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    let mut stranger = PaperLog::new("cards.example/log", 8);
    stranger.append_bytes(b"x");
    let mut bob = Player::new("bob", "seven", 2);
    bob.seen = Some(stranger.seen());
    log.lock(commit.commitment, 0, vec![bob.hashed(&commit.commitment, 0)]);
    log.deal(&commit, &seed.mac(), 0, ALICE);
    assert_eq!(codes(&audit(&log, None)), ["invalid-entry@1"]);
}

#[test]
fn ranges_that_are_no_neighbours_or_of_other_logs_do_not_merge() {
    let mut log = PaperLog::new("cards.example/log", 7);
    for n in 0..4_u8 {
        log.append_bytes(&[n]);
    }
    assert!(range(&log, 0, 2).merge(range(&log, 3, 4)).is_err());
    let other = PaperLog::new("cards.example/log", 8);
    let foreign = Partial::of(Under::key(other.key()), 2, &log.entries()[2..]).expect("room");
    assert!(range(&log, 0, 2).merge(foreign).is_err());
    assert!(
        range(&log, 1, 4).finish(Times::default()).is_none(),
        "what lies before it is not known"
    );
}

/// A log of three tables with honest and dishonest rounds, from a number.
pub(crate) fn random_log(number: u64) -> PaperLog {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    let mut dice = ChaCha20Rng::from_seed(bytes);
    let mut below = |ways: usize| usize::try_from(dice.next_u64()).expect("64 bits") % ways;
    let mut log = PaperLog::new("cards.example/log", 7);
    let mut open: Vec<(ServerSeed, Box<Commit>, u64)> = Vec::new();
    let mut last: [Option<fairdeal::deal::Commitment>; 3] = [None; 3];
    let faulty = below(3) > 0;
    for step in 0..40_u8 {
        let choice = below(20);
        if open.is_empty() || (choice < 2 && open.len() < 3) {
            let seed = counting_seed(step.wrapping_mul(37));
            // A table has one open commitment, so there is a table for each.
            let is_open = |table: &usize| {
                let name = format!("table {table}");
                open.iter().any(|(_, commit, _)| commit.table.as_str() == name)
            };
            let drawn = below(3);
            let free = (0..3).map(|n| (drawn + n) % 3).find(|table| faulty || !is_open(table));
            let table = free.expect("at most two are open");
            let after = last[table];
            let (_, commit) = log.commit(&seed, |c| {
                c.after = after;
                c.rounds = int(4);
                c.table = Table::new(format!("table {table}")).expect("a table");
            });
            last[table] = Some(commit.commitment);
            open.push((seed, commit, 0));
            continue;
        }
        let at = if faulty { below(open.len()) } else { 0 };
        let (seed, commit, next) = &mut open[at];
        let n = if faulty && below(8) == 0 { *next + 1 } else { *next };
        let used_up = n > 3 && !faulty;
        match choice {
            _ if used_up || choice > 17 => {
                log.reveal(seed);
                open.remove(at);
            }
            16 if faulty => drop(log.append_bytes(b"{}")),
            17 if faulty => {
                let place = below(log.entries().len());
                let mut value: Value =
                    serde_json::from_slice(&log.entries()[place]).unwrap_or(json!(0));
                if let Some(members) = value.as_object_mut() {
                    members.insert("time".to_owned(), json!(below(5)));
                }
                log.append_bytes(to_canonical(&value).as_bytes());
            }
            13 | 14 => {
                let bob = Player { seen: Some(log.seen()), ..Player::new("bob", "seven", 2) };
                let lock = log.lock(commit.commitment, n, vec![bob.hashed(&commit.commitment, n)]);
                if !faulty || below(3) > 0 {
                    log.deal_locked(commit, &seed.mac(), n, lock, &[bob]);
                    *next += 1;
                }
            }
            15 => {
                log.void(commit.commitment, Some(n), None);
                *next += 1;
            }
            11 | 12 if faulty => {
                let mut deal = log.deal_entry(commit, &seed.mac(), n, ALICE);
                let cards = deal.result.cards.as_ref().expect("cards").as_str();
                let other =
                    if choice == 11 { cards[2..].to_owned() } else { format!("{}2c", &cards[2..]) };
                deal.result.cards = Some(Cards::new(other).expect("cards"));
                log.append(&Entry::Deal(Box::new(deal)));
                *next += u64::from(choice == 12);
            }
            _ => {
                log.deal(commit, &seed.mac(), n, ALICE);
                *next += 1;
            }
        }
        if faulty && below(10) == 0 {
            log.time -= 2500;
        }
    }
    log
}

/// Merges neighbours in a random order until one is left.
fn merge_in_any_order(mut parts: Vec<Partial>, order: &[prop::sample::Index]) -> Partial {
    for pick in order {
        if parts.len() == 1 {
            break;
        }
        let at = pick.index(parts.len() - 1);
        let right = parts.remove(at + 1);
        let left = parts.remove(at);
        parts.insert(at, joined(left, right));
    }
    let mut parts = parts.into_iter();
    let first = parts.next().expect("one at least");
    parts.fold(first, joined)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_log_cut_anywhere_and_merged_in_any_order_gives_the_same_report_byte_for_byte(
        number in any::<u64>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        order in prop::collection::vec(any::<prop::sample::Index>(), 10),
        judged_first in any::<bool>(),
    ) {
        let log = random_log(number);
        let size = log.entries().len();
        let whole = serde_json::to_string(&audit(&log, None)).expect("JSON");
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(size + 1)).collect();
        ends.extend([0, size]);
        ends.sort_unstable();
        let mut parts: Vec<Partial> = ends.windows(2).map(|pair| range(&log, pair[0], pair[1])).collect();
        if judged_first {
            parts.insert(0, Partial::start(log.key().clone()));
        }
        let merged = merge_in_any_order(parts, &order);
        let cut = serde_json::to_string(&finish(&log, joined(start_of(&log), merged), None)).expect("JSON");
        prop_assert_eq!(cut, whole);
    }
}

/// The findings when every entry is parsed in full and judged in order: code, index and text.
fn in_full(log: &PaperLog) -> Vec<(Code, Option<u64>, String)> {
    let mut judge = Judge::new(SignedBy(log.key()), Extent::Whole);
    let mut waiting: BTreeMap<Commitment, Vec<Waiting>> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, bytes) in (0..).zip(log.entries()) {
        let judged = judge.apply_bytes(index, bytes);
        found.extend(judged.findings);
        let Some(commitment) = Entry::parse(bytes).ok().and_then(|entry| entry.commitment()) else {
            continue;
        };
        match judged.effect {
            Some(Effect::Dealt(_, Some(deal))) => {
                waiting.entry(commitment).or_default().push(*deal);
            }
            Some(Effect::Revealed(seed)) => {
                let commit = &judge.life(&commitment).expect("judged").commit;
                let mac = seed.seed().mac();
                let deals = waiting.remove(&commitment).unwrap_or_default();
                found.extend(deals.iter().filter_map(|deal| deal.replay(commit, &mac)));
            }
            _ => {}
        }
    }
    let mut found: Vec<_> = found.into_iter().map(|f| (f.code, f.index, f.says)).collect();
    found.sort();
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_audit_put_aside_anywhere_goes_on_to_the_same_report(
        number in any::<u64>(),
        cut in any::<prop::sample::Index>(),
        counted in any::<bool>(),
    ) {
        let log = random_log(number);
        let (size, roots) = (log.entries().len(), roots(&log));
        let mut parts = [Partial::start(log.key().clone()), Partial::start(log.key().clone())];
        let at = cut.index(size + 1);
        let settle = |partial: &mut Partial| {
            for claim in partial.take_claims() {
                let own = |size| (size, roots[usize::try_from(size).expect("small")]);
                let roots = claim.sizes().map(own).collect();
                partial.settle(&claim, &roots);
            }
            for replays in partial.take_replays() {
                partial.replayed(replays.run());
            }
        };
        for partial in &mut parts {
            if counted {
                partial.count_deals(None);
            }
            partial.merge(range(&log, 0, at)).expect("neighbours");
            settle(partial);
        }
        let [whole, first] = parts;
        let saved = first.save().expect("nothing is under way");
        let restored = Partial::restore(Under::key(log.key()), &saved).expect("it was saved");
        prop_assert_eq!(restored.save().expect("as before"), saved.clone());
        let reports = [whole, restored].map(|mut partial| {
            partial.merge(range(&log, at, size)).expect("neighbours");
            settle(&mut partial);
            serde_json::to_string(&partial.finish(Times::default())).expect("JSON")
        });
        prop_assert_eq!(&reports[0], &reports[1]);
        let other = PaperLog::new("cards.example/log", 8);
        prop_assert!(Partial::restore(Under::key(other.key()), &saved).is_err(), "it is another log's");
    }

    #[test]
    fn what_is_judged_in_place_is_judged_as_in_full(number in any::<u64>()) {
        let log = random_log(number);
        let verdict = audit(&log, None);
        let findings = verdict.findings.into_iter().filter(|f| f.code != Code::Overdue);
        let mut found: Vec<_> = findings.map(|f| (f.code, f.index, f.says.clone())).collect();
        found.sort();
        prop_assert_eq!(found, in_full(&log));
    }
}

#[test]
fn the_statistics_do_not_depend_on_how_their_work_is_divided() {
    let terms = SampleTerms { deals: 4_000, rounds: 700, tables: 2, ..SampleTerms::default() };
    let key = Sample::signer(&terms, 1).expect("terms").verifier().clone();
    let entries: Vec<String> =
        Sample::new(&terms, 1).expect("terms").collect::<Result<_, _>>().expect("entries");
    let counted = |bundle: usize, taken: bool| {
        let mut partial = Partial::start(key.clone());
        partial.count_deals(None);
        let (mut first, mut pieces) = (0, 0);
        for entries in entries.chunks(bundle) {
            partial
                .merge(Partial::of(Under::key(&key), first, entries).expect("room"))
                .expect("neighbours");
            first += entries.len() as u64;
            for replays in partial.take_replays() {
                partial.replayed(replays.run());
            }
            let work = if taken { partial.take_tally_work() } else { Vec::new() };
            pieces += work.len();
            assert!(work.is_empty() || partial.save().is_err(), "the work is under way");
            // The last piece is done first, as another thread may do.
            let mut done: Vec<_> = work.into_iter().rev().map(TallyWork::run).collect();
            done.drain(..).rev().for_each(|one| partial.tallied(one));
            assert!(partial.save().is_ok());
        }
        let verdict = partial.finish(Times::default()).expect("from the first entry on");
        (serde_json::to_string(&verdict.statistics).expect("JSON"), pieces)
    };
    let (expected, none) = counted(entries.len(), false);
    assert_eq!(none, 0);
    for bundle in [1_000, entries.len()] {
        let (found, pieces) = counted(bundle, true);
        assert!(pieces > 2, "{pieces}");
        assert_eq!(found, expected);
    }
    let mut unjudged = Unjudged::default();
    for entry in &entries {
        unjudged.take(entry.as_bytes());
    }
    let unjudged = unjudged.finish();
    assert_eq!((unjudged.groups[0].report.decks, unjudged.not_counted), (4_000, 0));
}

fn start_of(log: &PaperLog) -> Partial {
    Partial::start(log.key().clone())
}

#[test]
fn random_logs_are_not_all_honest_and_not_all_broken() {
    let found: Vec<usize> =
        (0..40).map(|number| audit(&random_log(number), None).findings.len()).collect();
    assert!(found.iter().filter(|&&n| n == 0).count() > 5, "{found:?}");
    assert!(found.iter().filter(|&&n| n > 5).count() > 5, "{found:?}");
}
