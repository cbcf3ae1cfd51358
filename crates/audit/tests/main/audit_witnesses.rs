//! Audits under a reader's policy: honest logs are never accused, and the verdict is the same
//! however it is computed.

use std::collections::BTreeMap;
use std::sync::Arc;

use fairdeal::log::{EMPTY_ROOT, Frontier, Hash, Policy, SignedCheckpoint, VerifierKey, leaf_hash};
use fairdeal::record::life::Cosigned;
use fairdeal_audit::{Partial, Times, Under};
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use tools::attack::{attacks, log_files};
use tools::paper::{PaperLog, counting_seed, policy, witness};
use tools::question::folders;

const ALICE: &[(&str, &str)] = &[("alice", "lucky")];

/// A log's entries, and what it is judged under.
struct Judged {
    key: VerifierKey,
    policy: Arc<Policy>,
    note: String,
    entries: Vec<Vec<u8>>,
}

impl Judged {
    fn under(&self) -> Under<'_> {
        let (key, policy) = (&self.key, Some(&self.policy));
        Under { policy, ..Under::key(key) }
    }

    fn roots(&self) -> Vec<Hash> {
        let mut tree = Frontier::new();
        let root = |entry: &Vec<u8>| {
            tree.push(leaf_hash(entry)).expect("room");
            tree.root()
        };
        let roots: Vec<Hash> = self.entries.iter().map(root).collect();
        [EMPTY_ROOT].into_iter().chain(roots).collect()
    }

    fn range(&self, from: usize, to: usize) -> Partial {
        let first = u64::try_from(from).expect("small");
        Partial::of(self.under(), first, &self.entries[from..to]).expect("room")
    }

    fn start(&self) -> Partial {
        Partial::start_under(self.under())
    }

    fn head(&self) -> Option<Cosigned> {
        let by = SignedCheckpoint::parse(&self.note).ok()?.witnessed(&self.policy).ok()?;
        let witnesses = by.names(&self.policy);
        Some(Cosigned { quorum: by.quorum?, witnesses })
    }

    /// The verdict as JSON, without what needs the files.
    fn finish(&self, mut partial: Partial) -> String {
        if let Some(cosigned) = self.head() {
            partial.head_cosigned(partial.ends().1, cosigned);
        }
        serde_json::to_string(&partial.finish(Times::default())).expect("JSON")
    }
}

/// Compares what is claimed with the roots, and replays.
fn settle(partial: &mut Partial, roots: &[Hash]) {
    for claim in partial.take_claims() {
        let own = |size| Some((size, *roots.get(usize::try_from(size).ok()?)?));
        let roots: BTreeMap<u64, Hash> = claim.sizes().filter_map(own).collect();
        partial.settle(&claim, &roots);
    }
    for replays in partial.take_replays() {
        partial.replayed(replays.run());
    }
}

/// The fixtures with a policy: attacks, and whole logs.
fn fixtures() -> Vec<(String, Judged)> {
    let judged = |key: &str, policy: &str, files: &BTreeMap<String, Vec<u8>>| {
        let bundles = files.iter().filter(|(path, _)| path.starts_with("tile/entries/"));
        let mut bundles: Vec<_> = bundles.collect();
        bundles.sort();
        let entries = bundles.into_iter().flat_map(|(path, bytes)| {
            let width = fairdeal::log::TilePath::parse(path).expect("a path").width();
            let bundle = fairdeal::log::EntryBundle::parse(bytes, width).expect("a bundle");
            bundle.entries().to_vec()
        });
        let note = files.get("checkpoint").cloned().unwrap_or_default();
        Judged {
            key: VerifierKey::parse(key.trim()).expect("a key"),
            policy: Arc::new(Policy::parse(policy.as_bytes()).expect("a policy")),
            note: String::from_utf8(note).expect("UTF-8"),
            entries: entries.collect(),
        }
    };
    let mut all = Vec::new();
    for (name, case) in attacks() {
        let (Some(key), Some(policy)) = (case["key"].as_str(), case["policy"].as_str()) else {
            continue;
        };
        if case["command"] == "audit" {
            all.push((name, judged(key, policy, &log_files(&case))));
        }
    }
    for (name, folder) in folders() {
        let Ok(policy) = std::fs::read_to_string(folder.join("policy")) else { continue };
        let key = std::fs::read_to_string(folder.join("key")).expect("a key");
        let mut files = BTreeMap::new();
        for path in [
            "checkpoint",
            "tile/entries/000",
            "tile/entries/001",
            "tile/entries/002.p/102",
            "tile/entries/000.p/4",
        ] {
            files.extend(
                std::fs::read(folder.join(path)).ok().map(|bytes| (path.to_owned(), bytes)),
            );
        }
        all.push((name, judged(&key, &policy, &files)));
    }
    all
}

#[test]
fn a_verdict_under_a_policy_is_the_same_wherever_the_audit_was_saved_or_cut() {
    let fixtures = fixtures();
    assert!(fixtures.len() > 30, "{}", fixtures.len());
    for (name, log) in fixtures {
        let (roots, size) = (log.roots(), log.entries.len());
        let mut whole = log.start();
        whole.merge(log.range(0, size)).expect("neighbours");
        settle(&mut whole, &roots);
        let expected = log.finish(whole);
        assert!(expected.contains("\"witnesses\":{\"policy\":"), "{name}");
        let step = size.div_ceil(40);
        for cut in (0..=size).step_by(step) {
            let mut first = log.start();
            first.merge(log.range(0, cut)).expect("neighbours");
            settle(&mut first, &roots);
            let saved = first.save().expect("nothing is under way");
            let mut restored = Partial::restore(log.under(), &saved).expect("it was saved");
            assert_eq!(restored.save().as_ref(), Ok(&saved), "{name}");
            let middle = cut.midpoint(size);
            let mut rest = log.range(cut, middle);
            rest.merge(log.range(middle, size)).expect("neighbours");
            for partial in [&mut first, &mut restored] {
                let again = log.range(cut, size);
                partial.merge(again).expect("neighbours");
                settle(partial, &roots);
            }
            assert_eq!(log.finish(first), expected, "{name} at {cut}");
            assert_eq!(log.finish(restored), expected, "{name} saved at {cut}");
            let mut read = log.range(0, cut);
            read.merge(rest).expect("neighbours");
            let mut joined = log.start();
            joined.merge(read).expect("neighbours");
            settle(&mut joined, &roots);
            assert_eq!(log.finish(joined), expected, "{name} joined at {cut}");
        }
        let none = Under { policy: None, ..log.under() };
        let saved = log.start().save().expect("nothing is under way");
        assert!(Partial::restore(none, &saved).is_err(), "another policy");
        let other = Partial::of(none, 0, &log.entries).expect("room");
        assert!(log.start().merge(other).is_err(), "another policy");
    }
}

/// A number from 0 to `most`.
fn up_to(random: &mut ChaCha20Rng, most: u64) -> u64 {
    random.next_u64() % (most + 1)
}

/// An honest operator's log: its clock and the witnesses' are wrong by less than `error` ms each,
/// in either direction. Witnesses are away for hours, answer late, and sign what they have seen.
/// The operator restarts, or goes on with another node whose clock is wrong in its own way.
fn honest(random: &mut ChaCha20Rng, error: u64, wild: Option<u8>) -> PaperLog {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let mut now = log.time; // the true time
    let skew = |random: &mut ChaCha20Rng| {
        i64::try_from(up_to(random, 2 * error)).expect("small")
            - i64::try_from(error).expect("small")
    };
    let at = |now: u64, skew: i64| now.checked_add_signed(skew).expect("a time");
    let nodes = [skew(random), skew(random)];
    let witnesses: Vec<i64> = (1..=4).map(|_| skew(random)).collect();
    let mut away = [0_u64; 4];
    let (_, commit) = log.commit(&seed, |commit| {
        commit.reveal_by = fairdeal::record::entry::Int::new(now + 86_400_000).expect("a time");
    });
    let mut node = 0;
    let mut anchored = 0;
    // What each witness has signed: the size and its second.
    let mut signed: Vec<(u64, Vec<(u8, u64)>)> = Vec::new();
    let mut n = 0;
    for _ in 0..up_to(random, 30) + 5 {
        now += 1 + up_to(random, 60_000);
        match up_to(random, 9) {
            0 => node = 1 - node,
            1 => now += up_to(random, 7_200_000),
            2 => {
                away[usize::try_from(up_to(random, 3)).expect("small")] =
                    now + up_to(random, 7_200_000);
            }
            _ => {}
        }
        // A ledger never writes an earlier time than its last one.
        let write =
            |log: &mut PaperLog, now: u64| log.time = log.time.max(at(now, nodes[node])) - 1000;
        if up_to(random, 1) == 0 {
            write(&mut log, now);
            log.deal(&commit, &seed.mac(), n, ALICE);
            n += 1;
        }
        if up_to(random, 2) == 0 {
            let mut lines = Vec::new();
            for (one, skew) in (1_u8..).zip(&witnesses) {
                if away[usize::from(one) - 1] > now || up_to(random, 4) == 0 {
                    continue;
                }
                let late = now + up_to(random, 2_000);
                let time =
                    if wild == Some(one) { up_to(random, 1 << 33) } else { at(late, *skew) / 1000 };
                lines.push((one, time));
            }
            now += 2_000;
            if !lines.is_empty() {
                signed.push((log.size(), lines));
            }
        }
        if up_to(random, 3) == 0
            && let Some((size, lines)) = signed.iter().rfind(|(size, _)| *size > anchored).cloned()
        {
            now += up_to(random, 600_000);
            write(&mut log, now);
            log.anchor(size, &lines);
            anchored = size;
        }
    }
    log
}

/// The codes found in a log under a policy, its checkpoint signed by these witnesses.
fn found(log: &PaperLog, policy: &str) -> Vec<String> {
    let policy = Policy::parse(policy.as_bytes()).expect("a policy");
    let judged = Judged {
        key: log.key().clone(),
        policy: Arc::new(policy),
        note: log.checkpoint(),
        entries: log.entries().to_vec(),
    };
    let mut partial = judged.start();
    partial.merge(judged.range(0, judged.entries.len())).expect("neighbours");
    settle(&mut partial, &judged.roots());
    let verdict = partial.finish(Times::default()).expect("from the first entry on");
    verdict.findings.iter().map(ToString::to_string).collect()
}

/// A policy of nested groups: the first, and one of the other two.
fn nested() -> String {
    let line = |one: u8| format!("witness w{one} {}\n", witness(one).key().to_text());
    let lines: String = (1..=3).map(line).collect();
    format!("{lines}group some any w2 w3\ngroup all all w1 some\nquorum all\n")
}

/// Two honest logs each: ten thousand in the long check.
fn cases() -> u32 {
    u32::try_from(tools::cases(64, 5_000)).expect("small")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn no_honest_log_is_accused_whatever_its_clocks_outages_and_restarts(number in any::<u64>()) {
        let mut random = ChaCha20Rng::seed_from_u64(number);
        let log = honest(&mut random, 149_000, None);
        for policy in [policy(1, 1), policy(2, 3), policy(3, 4), nested()] {
            prop_assert_eq!(found(&log, &policy), Vec::<String>::new());
        }
        // One of three witnesses has any clock at all.
        let log = honest(&mut random, 149_000, Some(2));
        prop_assert_eq!(found(&log, &policy(2, 3)), Vec::<String>::new());
    }
}

/// The logs above would be accused if their clocks were worse.
#[test]
fn logs_whose_clocks_are_ten_minutes_off_are_accused() {
    let log = |number| honest(&mut ChaCha20Rng::seed_from_u64(number), 600_000, None);
    let codes: String = (0..64).flat_map(|number| found(&log(number), &policy(2, 3))).collect();
    assert!(codes.contains("backdated at") && codes.contains("time-ahead at"), "{codes}");
}

#[test]
fn a_witness_alone_whose_clock_is_302_seconds_off_is_the_policys_fault_and_the_words_say_so() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    log.deal(&commit, &seed.mac(), 0, ALICE);
    // The anchor is a second later than the deal.
    let ahead = log.time / 1000 + 1 + 302;
    log.anchor(2, &[(1, ahead)]);
    let says = found(&log, &policy(1, 1));
    assert_eq!(says.len(), 1, "{says:?}");
    assert!(says[0].starts_with("backdated at entry 2: "), "{says:?}");
    assert!(says[0].contains("(w1, ") && says[0].ends_with("under your policy"), "{says:?}");
    assert_eq!(found(&log, &policy(2, 3)), Vec::<String>::new());
    let mut log = PaperLog::new("cards.example/log", 7);
    let (_, commit) = log.commit(&seed, |_| {});
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.anchor(2, &[(1, log.time / 1000 - 302)]);
    let says = found(&log, &policy(1, 1));
    assert_eq!(says.len(), 1, "{says:?}");
    assert!(
        says[0].starts_with("time-ahead at entry 1: ") && says[0].ends_with("under your policy"),
        "{says:?}"
    );
}
