//! The life of a commitment and its table in a whole log: the sentences of spec/ledger.md, section
//! 9, one by one.

use fairdeal::deal::ServerSeed;
use fairdeal::log::{Hash, VerifierKey};
use fairdeal::record::entry::{Entry, Mixing, PlainDeal, PlainForm, SeenCheckpoint, Table};
use fairdeal::record::life::Extent;
use fairdeal::record::receipt::SignedBy;
use fairdeal::record::{Code, Effect, Judge, View};

use tools::dice::Dice;
use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients};
use tools::random_log::Writer;

const ALICE: &[(&str, &str)] = &[("alice", "lucky")];

/// A log with its roots.
#[derive(Clone)]
struct Whole {
    key: VerifierKey,
    roots: Vec<Hash>,
}

impl View for Whole {
    fn origin(&self) -> &str {
        self.key.name().as_str()
    }

    fn key(&self) -> Option<&VerifierKey> {
        Some(&self.key)
    }

    fn is_signed(&self, seen: &SeenCheckpoint) -> bool {
        SignedBy(&self.key).is_signed(seen)
    }

    fn has_another_root(&self, size: u64, root: &Hash) -> bool {
        let ours = usize::try_from(size).ok().and_then(|size| self.roots.get(size));
        ours.is_some_and(|ours| ours != root)
    }
}

/// The findings of a whole log, as `code@index`.
fn findings(log: &PaperLog) -> Vec<String> {
    let mut roots = vec![fairdeal::log::EMPTY_ROOT];
    let mut tree = fairdeal::log::Frontier::new();
    for entry in log.entries() {
        tree.push(fairdeal::log::leaf_hash(entry)).expect("room");
        roots.push(tree.root());
    }
    let mut judge = Judge::new(Whole { key: log.key().clone(), roots }, Extent::Whole);
    let mut forgetful = judge.clone();
    let mut all = Vec::new();
    for (index, entry) in (0..).zip(log.entries()) {
        let judged = judge.apply_bytes(index, entry);
        assert_eq!(
            forgetful.apply_bytes(index, entry).findings,
            judged.findings,
            "what ended is forgotten"
        );
        if let Ok(entry) = Entry::parse(entry) {
            entry.commitment().and_then(|one| forgetful.forget_ended(&one));
        }
        all.extend(
            judged.findings.iter().map(|f| format!("{}@{}", f.code, f.index.expect("an entry's"))),
        );
    }
    all
}

fn log() -> PaperLog {
    PaperLog::new("cards.example/log", 7)
}

fn seeds() -> [ServerSeed; 3] {
    [counting_seed(0), counting_seed(50), counting_seed(100)]
}

#[test]
fn an_honest_life_has_no_findings() {
    let mut log = log();
    let [seed, next, _] = seeds();
    let (_, commit) = log.commit(&seed, |c| c.rounds = int(4));
    let c = commit.commitment;
    log.deal(&commit, &seed.mac(), 0, ALICE);
    let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    let lock = log.lock(c, 1, players.iter().map(|p| p.hashed(&c, 1)).collect());
    log.deal_locked(&commit, &seed.mac(), 1, lock, &players);
    log.lock(c, 2, logged_clients(ALICE));
    log.void(c, Some(2), Some("alice"));
    log.void(c, Some(3), None);
    // Used up: the table's next commitment may be used before this one is revealed.
    let (_, second) = log.commit(&next, |n| n.after = Some(c));
    log.deal(&second, &next.mac(), 0, ALICE);
    log.reveal(&seed);
    log.reveal(&next);
    assert_eq!(findings(&log), [""; 0]);
}

#[test]
fn a_skipped_round_is_a_gap_and_so_is_one_dealt_twice() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |_| {});
    let mac = seed.mac();
    log.deal(&commit, &mac, 0, ALICE);
    log.deal(&commit, &mac, 2, ALICE); // no effect: the next is still 1
    log.deal(&commit, &mac, 0, ALICE);
    log.deal(&commit, &mac, 1, ALICE);
    assert_eq!(findings(&log), ["nonce-gap@2", "nonce-gap@3"]);
}

#[test]
fn a_voided_round_keeps_its_nonce() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |_| {});
    log.void(commit.commitment, Some(0), None);
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.deal(&commit, &seed.mac(), 1, ALICE);
    assert_eq!(findings(&log), ["nonce-gap@2"]);
}

#[test]
fn a_locked_round_is_answered_before_anything_else_happens_under_its_commitment() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |_| {});
    let c = commit.commitment;
    log.lock(c, 0, logged_clients(ALICE));
    log.lock(c, 0, logged_clients(ALICE));
    log.lock(c, 1, logged_clients(ALICE));
    log.void(c, Some(1), None);
    log.reveal(&seed);
    log.void(c, Some(0), None);
    log.reveal(&seed);
    assert_eq!(findings(&log), ["open-round@2", "open-round@3", "open-round@4", "open-round@5"]);
}

#[test]
fn a_void_cannot_bury_a_seed_that_was_used() {
    let mut log = log();
    let [locked, dealt, voided] = seeds();
    let (_, commit) = log.commit(&locked, |_| {});
    log.lock(commit.commitment, 0, logged_clients(ALICE));
    log.void(commit.commitment, None, None);
    let (_, commit) = log.commit(&dealt, |c| c.table = Table::new("table 2").expect("a table"));
    log.deal(&commit, &dealt.mac(), 0, ALICE);
    log.void(commit.commitment, None, None);
    let (_, commit) = log.commit(&voided, |c| c.table = Table::new("table 3").expect("a table"));
    log.void(commit.commitment, Some(0), None);
    log.void(commit.commitment, None, None); // a voided round counts as use too
    assert_eq!(findings(&log), ["void-after-use@2", "void-after-use@5", "void-after-use@8"]);
}

#[test]
fn nothing_stands_after_the_reveal_or_after_a_whole_void() {
    let mut log = log();
    let [revealed, voided, _] = seeds();
    let (_, first) = log.commit(&revealed, |_| {});
    log.reveal(&revealed);
    log.deal(&first, &revealed.mac(), 0, ALICE);
    log.reveal(&revealed);
    let (_, second) = log.commit(&voided, |c| c.after = Some(revealed.commitment()));
    log.void(second.commitment, None, None);
    log.lock(second.commitment, 0, logged_clients(ALICE));
    log.reveal(&voided);
    assert_eq!(
        findings(&log),
        ["after-reveal@2", "after-reveal@3", "after-void@6", "after-void@7"]
    );
}

#[test]
fn entries_before_their_commit_and_second_commits_have_no_effect() {
    let mut log = log();
    let [seed, other, _] = seeds();
    log.reveal(&seed);
    let (_, commit) = log.commit(&seed, |_| {});
    log.commit(&seed, |c| c.after = Some(seed.commitment()));
    log.reveal(&other);
    log.deal(&commit, &seed.mac(), 0, ALICE);
    assert_eq!(findings(&log), ["no-commitment@0", "duplicate-commitment@2", "no-commitment@3"]);
}

#[test]
fn a_table_has_one_open_commitment() {
    let mut log = log();
    let [first, second, third] = seeds();
    log.commit(&first, |_| {});
    let (_, b) = log.commit(&second, |c| c.after = Some(first.commitment())); // the first is open
    log.deal(&b, &second.mac(), 0, ALICE);
    log.commit(&third, |c| c.after = Some(first.commitment())); // the table's last is the second
    log.reveal(&first);
    log.reveal(&third);
    assert_eq!(findings(&log), ["out-of-turn@1", "out-of-turn@3"]);
}

#[test]
fn the_next_commitment_comes_when_the_last_is_used_up_revealed_or_voided_whole() {
    for ended in 0..5 {
        let mut log = log();
        let [first, second, _] = seeds();
        let (_, a) = log.commit(&first, |c| c.rounds = int(1));
        match ended {
            0 => drop(log.deal_entry(&a, &first.mac(), 0, ALICE)), // not logged
            1 => _ = log.deal(&a, &first.mac(), 0, ALICE),
            2 => _ = log.void(a.commitment, Some(0), None),
            3 => _ = log.void(a.commitment, None, None),
            _ => _ = log.reveal(&first),
        }
        let (at, _) = log.commit(&second, |c| c.after = Some(first.commitment()));
        let expected = if ended == 0 { vec![format!("out-of-turn@{at}")] } else { Vec::new() };
        assert_eq!(findings(&log), expected, "{ended}");
    }
}

#[test]
fn a_voided_round_does_not_free_its_table_for_two_commitments() {
    // A is open. B's one round is voided, and C comes after it: two usable at once, and in the same
    // way fifty.
    let mut log = log();
    let [a, b, c] = seeds();
    log.commit(&a, |_| {});
    let (_, second) = log.commit(&b, |terms| {
        terms.after = Some(a.commitment());
        terms.rounds = int(1);
    });
    log.void(second.commitment, Some(0), None);
    log.commit(&c, |terms| terms.after = Some(b.commitment()));
    assert_eq!(findings(&log), ["out-of-turn@1"]);
}

#[test]
fn a_first_commit_that_names_one_before_it_is_out_of_turn() {
    let mut log = log();
    let [seed, other, third] = seeds();
    log.commit(&seed, |c| c.after = Some(other.commitment()));
    log.commit(&other, |c| c.table = Table::new("table 2").expect("a table"));
    log.commit(&third, |_| {});
    assert_eq!(findings(&log), ["out-of-turn@0", "out-of-turn@2"]);
}

#[test]
fn rounds_end_where_the_commit_says() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |c| c.rounds = int(1));
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.deal(&commit, &seed.mac(), 1, ALICE);
    log.deal(&commit, &seed.mac(), 5, ALICE);
    assert_eq!(findings(&log), ["too-many-rounds@2", "nonce-gap@3"]);
}

#[test]
fn time_is_held_against_the_last_entry_that_had_an_effect() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |_| {});
    log.time += 50_000;
    log.deal(&commit, &seed.mac(), 7, ALICE); // no effect, and a time far in the future
    log.time -= 50_000;
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.time -= 5000;
    log.deal(&commit, &seed.mac(), 1, ALICE);
    log.deal(&commit, &seed.mac(), 2, ALICE);
    assert_eq!(findings(&log), ["nonce-gap@1", "time-runs-back@3"]);
}

#[test]
fn a_late_reveal_still_reveals() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |_| {});
    log.time = commit.reveal_by.value() - 1000;
    log.reveal(&seed); // exactly on time
    assert_eq!(findings(&log), [""; 0]);
    let mut late = self::log();
    let (_, commit) = late.commit(&seed, |_| {});
    late.time = commit.reveal_by.value() - 999;
    late.reveal(&seed);
    late.deal(&commit, &seed.mac(), 0, ALICE);
    assert_eq!(findings(&late), ["late-reveal@1", "after-reveal@2"]);
}

#[test]
fn a_fork_shown_to_one_player_is_found_in_everybodys_log() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |_| {});
    // The operator shows Bob another log under the same key, and Bob's `seen` names it.
    let mut fork = self::log();
    fork.commit(&counting_seed(9), |_| {});
    let mut bob = Player::new("bob", "seven", 2);
    bob.seen = Some(fork.seen());
    let mut alice = Player::new("alice", "lucky", 1);
    alice.seen = Some(log.seen());
    let players = [alice, bob];
    let lock = log.lock(
        commit.commitment,
        0,
        players.iter().map(|p| p.hashed(&commit.commitment, 0)).collect(),
    );
    log.deal_locked(&commit, &seed.mac(), 0, lock, &players);
    assert_eq!(findings(&log), ["split-view@1"]);
}

#[test]
fn what_a_commitment_promises_of_its_mixing_is_held() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |c| c.mixing = Mixing::Hashes);
    let c = commit.commitment;
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.lock(c, 1, logged_clients(ALICE));
    log.deal(&commit, &seed.mac(), 1, ALICE); // names no lock, though one is open
    assert_eq!(
        findings(&log),
        ["weak-mixing@1", "weak-mixing@2", "weak-mixing@3", "lock-mismatch@3"]
    );
}

#[test]
fn a_commitment_of_another_protocol_is_passed_over_whatever_stands_under_it() {
    let mut log = log();
    let [seed, other, _] = seeds();
    let (c, o) = (seed.commitment(), other.commitment());
    log.append_bytes(
        format!(
            r#"{{"commitment":"{o}","entry":"commit","protocol":"fairdeal/v2","time":9007199254740991}}"#
        )
        .as_bytes(),
    );
    log.append_bytes(format!(r#"{{"commitment":"{o}","entry":"spin","wheel":1.5}}"#).as_bytes());
    log.reveal(&other);
    let (_, commit) = log.commit(&seed, |_| {}); // its time is before that of the other protocol's
    // A second commit cannot make a judged commitment not judged.
    log.append_bytes(
        format!(r#"{{"commitment":"{c}","entry":"commit","protocol":"fairdeal/v2","time":1}}"#)
            .as_bytes(),
    );
    log.deal(&commit, &seed.mac(), 7, ALICE);
    assert_eq!(findings(&log), ["duplicate-commitment@4", "nonce-gap@5"]);
}

#[test]
fn bytes_that_are_no_entry_are_found_and_passed_over() {
    let mut log = log();
    log.append_bytes(b"");
    log.append_bytes(b"{\"a\": 1}");
    log.append_bytes(b"[]");
    log.append_bytes(b"\xff");
    assert_eq!(
        findings(&log),
        ["not-canonical@0", "not-canonical@1", "invalid-entry@2", "not-canonical@3"]
    );
}

#[test]
fn what_no_entry_may_say_is_invalid_even_after_the_end_of_its_commitment() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |_| {});
    log.reveal(&seed);
    log.void(commit.commitment, Some(0), Some("alice")); // no lock is open, so nobody can be blamed
    let (c, time) = (commit.commitment.to_text(), log.time);
    let lock = format!(
        "{{\"beacon\":1,\"commitment\":\"{c}\",\"entry\":\"lock\",\"nonce\":0,\"time\":{time}}}"
    );
    log.append_bytes(lock.as_bytes());
    log.void(commit.commitment, Some(0), None);
    assert_eq!(findings(&log), ["invalid-entry@2", "invalid-entry@3", "after-reveal@4"]);
}

#[test]
fn a_plain_deal_is_judged_as_apply_judges_it() {
    let (mut plain, mut others) = (0, 0);
    let dice = (0..=u8::MAX).map(Dice::new);
    let logs =
        dice.flat_map(|mut dice| [(); 3].map(|()| Writer::with_anchors(&mut dice).write().0));
    for (seed, log) in logs.enumerate() {
        let key = log.key();
        let mut judge = Judge::new(SignedBy(key), Extent::Whole);
        let known = |judge: &Judge<SignedBy<'_>>| format!("{:?}", judge.remembered());
        for (index, bytes) in (0..).zip(log.entries()) {
            let Some(deal) = PlainDeal::read(bytes) else {
                judge.apply_bytes(index, bytes);
                continue;
            };
            let mut fast = judge.clone();
            let is_cards = deal.form == PlainForm::Cards;
            let count = if is_cards { deal.result(bytes).as_chunks::<2>().0.len() } else { 0 };
            let is_plain = fast.apply_plain(&deal, count).is_some();
            if !is_plain {
                others += 1;
                let place = format!("log {seed}, entry {index}: refused, and yet changed");
                assert_eq!(known(&fast), known(&judge), "{place}");
            }
            let judged = judge.apply_bytes(index, bytes);
            if is_plain {
                plain += 1;
                assert_eq!(known(&fast), known(&judge), "log {seed}, entry {index}");
                assert!(
                    matches!(judged.effect, Some(Effect::Dealt(..))),
                    "log {seed}, entry {index}"
                );
                // Its caller judges whether the cards are possible; their form and their number are
                // judged here.
                for found in &judged.findings {
                    let left = found.code == Code::ResultMismatch
                        && !found.says.starts_with("the commitment");
                    assert!(left, "log {seed}: {found}");
                }
            }
        }
    }
    assert!(plain > 200 && others > 100, "{plain} plain deals, {others} that are not");
}

#[test]
fn a_deal_is_judged_before_and_after_its_result_as_it_is_judged_with_it() {
    let (mut dealt, mut impossible) = (0, 0);
    let dice = (0..=u8::MAX).map(Dice::new);
    let logs =
        dice.flat_map(|mut dice| [(); 3].map(|()| Writer::with_anchors(&mut dice).write().0));
    for (seed, log) in logs.enumerate() {
        let mut judge = Judge::new(SignedBy(log.key()), Extent::Whole);
        let known = |judge: &Judge<SignedBy<'_>>| format!("{:?}", judge.remembered());
        for (index, bytes) in (0..).zip(log.entries()) {
            let Ok(entry) = Entry::parse(bytes) else {
                judge.apply_bytes(index, bytes);
                continue;
            };
            let mut apart = judge.clone();
            let undealt = apart.apply_undealt(index, &entry);
            let judged = judge.apply(index, &entry);
            let mut findings = undealt.findings;
            if let (Entry::Deal(deal), Some(effect)) = (&entry, &undealt.effect) {
                dealt += 1;
                let Effect::Dealt(nonce, waiting) = effect else {
                    panic!("log {seed}: {effect:?}")
                };
                assert!(*nonce == deal.nonce && waiting.as_ref().is_none_or(|w| w.index == index));
                let found = apart.judge_result(index, deal);
                impossible += found.len();
                findings.extend(found);
            }
            assert_eq!(findings, judged.findings, "log {seed}, entry {index}");
            assert_eq!(
                undealt.effect.is_some(),
                judged.effect.is_some(),
                "log {seed}, entry {index}"
            );
            assert_eq!(known(&apart), known(&judge), "log {seed}, entry {index}");
        }
    }
    assert!(
        dealt > 300 && impossible > 10,
        "{dealt} deals, {impossible} with an impossible result"
    );
}

#[test]
fn a_revealed_commitment_is_no_longer_among_the_open_ones() {
    let mut log = log();
    let [seed, other, _] = seeds();
    let (_, commit) = log.commit(&seed, |_| {});
    log.reveal(&seed);
    let (_, open) = log.commit(&other, |c| c.after = Some(commit.commitment));
    let mut judge: Judge<SignedBy<'_>> = Judge::new(SignedBy(log.key()), Extent::Whole);
    for (index, entry) in (0..).zip(log.entries()) {
        judge.apply_bytes(index, entry);
    }
    let found: Vec<_> =
        judge.open_lives().iter().map(|(life, ())| life.commit.commitment).collect();
    assert_eq!(found, [open.commitment]);
}

#[test]
fn a_refusal_names_the_entry_that_came_and_its_round() {
    let mut log = log();
    let [seed, ..] = seeds();
    let (_, commit) = log.commit(&seed, |_| {});
    log.lock(commit.commitment, 0, logged_clients(ALICE));
    log.lock(commit.commitment, 0, logged_clients(ALICE));
    let mut judge: Judge<SignedBy<'_>> = Judge::new(SignedBy(log.key()), Extent::Whole);
    let judged =
        (0..).zip(log.entries()).map(|(index, entry)| judge.apply_bytes(index, entry)).last();
    let says = &judged.expect("three entries").findings[0].says;
    assert_eq!(says, "round 0 is locked: expected its deal or its void, found a lock of round 0");
}
