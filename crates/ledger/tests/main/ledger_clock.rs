//! When a ledger believes its clock, and how long it remembers an idempotency key.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fairdeal::deal::Commitment;
use fairdeal_ledger::{
    ClockFault, ErrorKind, Ledger, LedgerError, LedgerOptions, NewCommit, NewDeal, Parts,
};

use super::ledger_faulty::Plan;
use super::ledger_support::*;

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A closed ledger whose last entry was written at `TestClock::START`, on a machine that calls its
/// start "first".
async fn closed() -> (Home, Arc<TestClock>, Commitment) {
    let home = Home::quick().await;
    let clock = TestClock::on_boot("first");
    let ledger = at(&home, &clock, None).await;
    let terms = NewCommit { reveal_in: Duration::from_hours(24 * 30), ..terms("main") };
    let c = ledger.commit(terms, None).await.expect("committed").commitment;
    ledger.deal(c, round("x"), key("deal")).await.expect("dealt");
    ledger.close().await.expect("closed");
    (home, clock, c)
}

async fn at(home: &Home, clock: &Arc<TestClock>, accept_time: Option<u64>) -> Ledger {
    let options = LedgerOptions { accept_time, ..options() };
    open_at(home.path(), clock, options).await.expect("opens")
}

/// Every file of a ledger that another process can see, but for SQLite's own beside the state.
fn files(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if !["state.sqlite-wal", "state.sqlite-shm", "publisher.lock"]
            .iter()
            .any(|own| path.ends_with(own))
        {
            let bytes = std::fs::read(&path).expect("read");
            found.push((path, bytes));
        }
    }
    found.sort();
    found
}

/// The answer of a new process to a deal. It must write nothing.
async fn refused(
    home: &Home,
    clock: &Arc<TestClock>,
    accept_time: Option<u64>,
    c: Commitment,
) -> LedgerError {
    let before = files(home.path());
    let ledger = at(home, clock, accept_time).await;
    let unready = ledger.ready().await.expect_err("it says so before anybody deals");
    let error = ledger.deal(c, round("y"), key("another")).await.expect_err("the clock is wrong");
    assert_eq!(error.to_string(), unready.to_string());
    let again = ledger
        .deal(c, round("y"), key("another"))
        .await
        .expect_err("it is no better the second time");
    assert_eq!(error.to_string(), again.to_string());
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    ledger.close().await.expect("closed");
    assert!(files(home.path()) == before, "nothing was written");
    error
}

async fn accepted(home: &Home, clock: &Arc<TestClock>, accept_time: Option<u64>, c: Commitment) {
    let ledger = at(home, clock, accept_time).await;
    ledger.ready().await.expect("ready");
    let done = ledger.deal(c, round("y"), None).await.expect("dealt");
    assert_eq!(done.entry.time(), clock.now().max(TestClock::START));
    ledger.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_clock_that_jumped_between_two_processes_of_one_boot_is_refused_with_both_times() {
    let start = TestClock::START;
    for (passed, jump) in
        [(0, 2 * DAY.cast_signed()), (HOUR, 2 * DAY.cast_signed()), (HOUR, -60_001), (0, 60_001)]
    {
        let (home, clock, c) = closed().await;
        clock.pass(passed);
        clock.set(clock.now().saturating_add_signed(jump));
        match refused(&home, &clock, None, c).await {
            LedgerError::Clock(ClockFault::Jumped { expected, found }) => {
                assert_eq!(
                    (expected, found),
                    (start + passed, (start + passed).saturating_add_signed(jump))
                );
            }
            error => panic!("{error}"),
        }
    }
    // As long as the machine has run, and no longer: a clock that keeps time is right after any
    // time.
    for (passed, drift) in [(9 * DAY, 0), (9 * DAY, 60_000), (HOUR, -60_000)] {
        let (home, clock, c) = closed().await;
        clock.pass(passed);
        clock.set(clock.now().saturating_add_signed(drift));
        accepted(&home, &clock, None, c).await;
    }
}

#[tokio::test]
async fn on_another_boot_a_clock_over_a_week_ahead_or_a_minute_behind_the_last_entry_is_refused() {
    let start = TestClock::START;
    for unix in [start + 7 * DAY + 1, start + 7 * DAY + 1000, start + 400 * DAY, u64::MAX] {
        let (home, clock, c) = closed().await;
        clock.reboot("second");
        clock.set(unix);
        match refused(&home, &clock, None, c).await {
            LedgerError::Clock(ClockFault::Ahead { last, found }) => {
                assert_eq!((last, found), (start, unix));
            }
            error => panic!("{error}"),
        }
    }
    for unix in [start - MINUTE - 1, start - DAY, 0] {
        let (home, clock, c) = closed().await;
        clock.reboot("second");
        clock.set(unix);
        match refused(&home, &clock, None, c).await {
            LedgerError::Clock(ClockFault::Behind { last, found }) => {
                assert_eq!((last, found), (start, unix));
            }
            error => panic!("{error}"),
        }
    }
    for unix in [start + 6 * DAY, start + 7 * DAY, start, start - MINUTE] {
        let (home, clock, c) = closed().await;
        clock.reboot("second");
        clock.set(unix);
        accepted(&home, &clock, None, c).await;
    }
}

#[tokio::test]
async fn a_time_typed_by_the_operator_lets_a_clock_within_a_day_of_it_go_on_and_no_other() {
    let start = TestClock::START;
    for boot in ["first", "second"] {
        for (ahead, typed) in [(2 * DAY, 2 * DAY), (30 * DAY, 29 * DAY), (30 * DAY, 31 * DAY)] {
            let (home, clock, c) = closed().await;
            if boot == "second" {
                clock.reboot(boot);
            }
            clock.set(start + ahead);
            accepted(&home, &clock, Some(start + typed), c).await;
        }
        for (ahead, typed) in [(2 * DAY, DAY - 1), (2 * DAY, 3 * DAY + 1), (0, 40 * DAY)] {
            let (home, clock, c) = closed().await;
            if boot == "second" {
                clock.reboot(boot);
            }
            clock.set(start + ahead);
            match refused(&home, &clock, Some(start + typed), c).await {
                LedgerError::Clock(ClockFault::NotTyped { typed: named, found }) => {
                    assert_eq!((named, found), (start + typed, start + ahead));
                }
                error => panic!("{error}"),
            }
        }
    }
}

#[tokio::test]
async fn a_typed_time_is_held_against_the_clock_at_the_start_and_not_a_day_later() {
    let (home, clock, c) = closed().await;
    let ledger = at(&home, &clock, Some(TestClock::START)).await;
    clock.pass(2 * DAY);
    ledger.ready().await.unwrap();
    ledger.deal(c, round("x"), None).await.unwrap();
}

#[tokio::test]
async fn small_steps_of_the_clock_add_up() {
    let (home, clock, c) = closed().await;
    let ledger = at(&home, &clock, None).await;
    ledger.deal(c, round("x"), None).await.expect("dealt");
    clock.set(clock.now() + 50_000);
    ledger.deal(c, round("x"), None).await.expect("a time server may set it by seconds");
    clock.set(clock.now() - 50_000);
    ledger.deal(c, round("x"), None).await.expect("and back");
    clock.set(clock.now() + 50_000);
    ledger.deal(c, round("x"), None).await.expect("dealt");
    clock.set(clock.now() + 50_000);
    let error = ledger.deal(c, round("x"), None).await.expect_err("100 s ahead");
    assert!(matches!(error, LedgerError::Clock(ClockFault::Stepped { .. })), "{error}");
    // A second in three hours is no fault: in ten days they are 80.
    clock.set(clock.now() - 100_000);
    for _ in 0..80 {
        clock.pass(3 * HOUR);
        clock.set(clock.now() + 1_000);
        ledger.deal(c, round("x"), None).await.expect("dealt");
    }
}

#[tokio::test]
async fn a_machine_that_slept_has_a_clock_that_is_right() {
    let (home, clock, c) = closed().await;
    let ledger = at(&home, &clock, None).await;
    ledger.deal(c, round("x"), None).await.unwrap();
    clock.sleep(2 * 60 * 60 * 1000);
    ledger.deal(c, round("x"), None).await.unwrap();
    clock.set(clock.now() + 120_000);
    let error = ledger.deal(c, round("x"), None).await.unwrap_err();
    assert!(matches!(error, LedgerError::Clock(ClockFault::Jumped { .. })), "{error}");
}

#[tokio::test]
async fn a_clock_that_was_let_through_is_what_the_next_process_expects() {
    let (home, clock, c) = closed().await;
    clock.set(TestClock::START + 2 * DAY);
    accepted(&home, &clock, Some(TestClock::START + 2 * DAY), c).await;
    accepted(&home, &clock, None, c).await;
}

#[tokio::test]
async fn a_jump_that_was_let_through_makes_nobody_forget_an_idempotency_key() {
    let (home, clock, c) = closed().await;
    // Each jump counts for an hour, however long it is.
    for jump in 1..=20 {
        clock.set(clock.now() + 2 * DAY / 20 * jump);
        let ledger = at(&home, &clock, Some(clock.now())).await;
        ledger.deal(c, round("later"), key(&format!("{jump}"))).await.expect("dealt");
        let again = ledger.deal(c, round("x"), key("deal")).await.expect("the same deal");
        assert_eq!((again.index, again.repeated), (1, true));
        ledger.close().await.expect("closed");
    }
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn keys_are_forgotten_after_a_day_of_the_log_s_time_in_steps_of_under_an_hour() {
    let (home, clock, c) = closed().await;
    let mut ledger = at(&home, &clock, None).await;
    for step in 0..32 {
        clock.pass(45 * MINUTE);
        ledger.deal(c, round("later"), key(&format!("{step}"))).await.expect("dealt");
        if step % 8 == 7 {
            ledger.close().await.expect("closed");
            ledger = at(&home, &clock, None).await;
        }
        let again = ledger.deal(c, round("x"), key("deal")).await.expect("the same deal");
        assert_eq!((again.index, again.repeated), (1, true), "after {step} steps");
    }
    clock.pass(1);
    let other = ledger
        .deal(c, NewDeal { nonce: None, ..round("x") }, key("deal"))
        .await
        .expect("a new deal");
    assert_eq!((other.index, other.repeated), (34, false));
    // The other keys are younger.
    let again = ledger.deal(c, round("later"), key("0")).await.expect("the same deal");
    assert_eq!((again.index, again.repeated), (2, true));
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn another_machine_is_held_against_the_clock_of_the_state_s_server() {
    let (home, clock, c) = closed().await;
    clock.reboot("another machine");
    let another = async |server: u64, accept_time: Option<u64>| {
        let plan = Plan::default();
        plan.server_time(server);
        let options = LedgerOptions { accept_time, ..options() };
        let parts = Parts::of_folder(home.path(), options).await.expect("a ledger");
        let parts = Parts { clock: Arc::<TestClock>::clone(&clock), ..parts };
        Ledger::open_on(plan.wrap(parts)).await.expect("opens")
    };
    clock.pass(5 * HOUR);
    let now = TestClock::START + 5 * HOUR;
    let ledger = another(TestClock::START + MINUTE, None).await;
    assert_eq!(ledger.ready().await.expect_err("says so").code(), "clock");
    let error = ledger.deal(c, round("y"), None).await.expect_err("the clock is wrong");
    assert!(
        matches!(error, LedgerError::Clock(ClockFault::Jumped { expected, found }) if expected < found),
        "{error}"
    );
    ledger.close().await.expect("closes");
    // The server's may be the wrong one: a person says so.
    let ledger = another(TestClock::START, Some(now)).await;
    ledger.deal(c, round("y"), None).await.expect("dealt");
    ledger.close().await.expect("closes");
    clock.reboot("a third machine");
    let ledger = another(now + 1000, None).await;
    ledger.deal(c, round("z"), None).await.expect("dealt");
}
