//! Kills the program at random moments, and repeats the command.

use std::process::Output;
use std::time::{Duration, Instant};

use tools::dice::Dice;

use super::Report;
use super::home::{Home, command, ran};
use super::judge::{Case, checkpoint};

pub fn run(home: &Home, dice: &mut Dice, rounds: usize) -> Report {
    let mut report = Report::default();
    for round in 0..rounds {
        let snapshot = dice.of(&home.snapshots);
        let plans = snapshot.plans();
        let plan = dice.of(&plans);
        let (_place, ledger) = home.copied(&snapshot.ledger);
        let mut asked = plan.asked();
        let mut seen: Vec<String> = checkpoint(&ledger).into_iter().collect();
        let mut delays = Vec::new();
        let last = asked.len() - 1;
        for (nth, one) in asked.iter_mut().enumerate() {
            let typical = if nth == 0 { timed(home, &snapshot.ledger, &one.args) } else { 30_000 };
            for _ in 0..=dice.below(2) {
                // A little longer than it takes, so that some kills come after the answer.
                let delay = dice.below(typical + typical / 5);
                delays.push(delay);
                let ended = killed(home, &ledger, &one.args, Duration::from_micros(delay as u64));
                let killed = ended.status.code().is_none();
                report.count(if killed { "killed" } else { "ended before the kill" }, 1);
                if ended.stdout.ends_with(b"\n") {
                    report.count("answered", 1);
                    one.told = Some(String::from_utf8_lossy(&ended.stdout).into_owned());
                }
                seen.extend(checkpoint(&ledger));
            }
            if nth < last {
                // The next command needs this one. Whether it succeeds is judged at the end.
                let done = ran(&mut command(&home.binary, &ledger, &one.args));
                if done.status.success() && one.told.is_none() {
                    one.told = Some(String::from_utf8_lossy(&done.stdout).into_owned());
                }
            }
        }
        let case = Case { is_cut: false, home, plan, ledger: &ledger, asked: &asked, seen: &seen };
        report.count("plans", 1);
        let name = format!("round {round}: {}, killed after {delays:?} microseconds", plan.name);
        report.settle(&name, &case);
    }
    report
}

/// How long a command takes when nobody kills it, in microseconds.
fn timed(home: &Home, ledger: &std::path::Path, args: &[String]) -> usize {
    let (_place, ledger) = home.copied(ledger);
    let start = Instant::now();
    ran(&mut command(&home.binary, &ledger, args));
    usize::try_from(start.elapsed().as_micros()).expect("not that long")
}

fn killed(home: &Home, ledger: &std::path::Path, args: &[String], delay: Duration) -> Output {
    let mut child = command(&home.binary, ledger, args).spawn().expect("the program starts");
    std::thread::sleep(delay);
    // It may have ended: then there is nothing to kill.
    let _gone = child.kill();
    child.wait_with_output().expect("a child can be waited for")
}
