//! Lets each system call fail, one after the other, and repeats the command.

use std::fs;
use std::process::Command;

use tools::dice::Dice;

use super::Report;
use super::home::{Home, Plan, Snapshot, command, ran};
use super::judge::{Asked, Broken, Case, checkpoint};
use super::trace::traced;

const CALLS: [&str; 10] = [
    "fsync",
    "fdatasync",
    "syncfs",
    "pwrite64",
    "write",
    "renameat2",
    "rename",
    "openat",
    "unlink",
    "ftruncate",
];

/// The most calls of one kind that a thread of a command makes.
const MOST: usize = 200;

/// The errors to try, and whether each lasts.
type Ways<'a> = &'a [(&'a str, bool)];

/// An error of one call, or of it and of every later one.
struct Fault<'a> {
    call: &'a str,
    error: &'a str,
    nth: usize,
    lasts: bool,
}

/// Tries each error in each call of each plan, or one in so many of these.
pub fn run(home: &Home, dice: &mut Dice, one_in: usize) -> Report {
    let mut report = Report::default();
    let of_size = |size: u64| home.snapshots.iter().find(move |snapshot| snapshot.size == size);
    let once = [("EIO", false)];
    let ways = [("EIO", false), ("ENOSPC", false), ("ENOSPC", true)];
    // The last one fills a bundle.
    let (deal, reveal) = ("deal C --client alice=x", "reveal C --next");
    let plans: [(u64, &str, Ways); 3] = [(3, deal, &ways), (3, reveal, &ways), (255, deal, &once)];
    for (size, line, ways) in plans {
        let snapshot = of_size(size).expect("a snapshot of this size");
        let plan = snapshot.plan(&[line]);
        for call in CALLS {
            for (error, lasts) in ways.iter().filter(|_| dice.one_in(one_in)) {
                all(home, snapshot, &plan, (call, error, *lasts), &mut report);
            }
        }
    }
    report
}

/// The same command as the first process in a namespace of its own.
fn first_process(command: &Command) -> Command {
    let mut first = Command::new("unshare");
    first.args(["--user", "--map-root-user", "--pid", "--fork"]);
    first.arg(command.get_program()).args(command.get_args());
    first
}

/// Lets the first call fail, then the second, until there are no more.
fn all(
    home: &Home,
    snapshot: &Snapshot,
    plan: &Plan,
    (call, error, lasts): (&str, &str, bool),
    report: &mut Report,
) {
    for nth in 1..=MOST {
        if !one(home, snapshot, plan, &Fault { call, error, nth, lasts }, report) {
            break;
        }
    }
}

/// Tries one fault. `false` if no call failed.
fn one(
    home: &Home,
    snapshot: &Snapshot,
    plan: &Plan,
    fault: &Fault<'_>,
    report: &mut Report,
) -> bool {
    let &Fault { call, error, nth, lasts } = fault;
    let (place, ledger) = home.copied(&snapshot.ledger);
    let (trace, to) = (format!("trace={call}"), place.path().join("trace"));
    let inject = format!("inject={call}:error={error}:when={nth}{}", if lasts { "+" } else { "" });
    let args = &plan.commands[0];
    let mut more = vec!["-e".to_owned(), trace, "-e".to_owned(), inject.clone()];
    let mut command = command(&home.binary, &ledger, args);
    if call == "write" {
        // Its threads wake each other by writes: only those to the files that it writes aside may
        // fail. They are named by its process, which is the first one in a namespace of its own.
        let asides =
            (0..16).map(|nth| ledger.join(format!("public/.new/1-{nth}")).display().to_string());
        more.extend(asides.flat_map(|path| ["-P".to_owned(), path]));
        command = first_process(&command);
    }
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let done = ran(&mut traced(&command, &to, &more));
    let trace = fs::read_to_string(&to).expect("strace writes its file");
    let failed: Vec<&str> = trace.lines().filter(|line| line.ends_with("(INJECTED)")).collect();
    if failed.is_empty() {
        return false;
    }
    // In the trace, paths are hexadecimal.
    let digits = ledger
        .to_string_lossy()
        .bytes()
        .fold(String::new(), |all, byte| format!("{all}\\x{byte:02x}"));
    if !failed.iter().any(|line| line.contains(&digits)) {
        report.count("outside the ledger", 1);
        return true;
    }
    report.count("on the ledger's files", 1);
    let printed = String::from_utf8_lossy(&done.stdout).into_owned();
    // With --json an error is on stdout too: it answers nothing.
    let told =
        Some(printed).filter(|said| said.ends_with('\n') && !said.starts_with("{\"error\":"));
    let is_sync = ["fsync", "fdatasync", "syncfs"].contains(&call);
    let answered = if is_sync { "answered though a sync failed" } else { "answered all the same" };
    report.count(if told.is_some() { answered } else { "told as an error" }, 1);
    let name = format!("{}, {inject}", plan.name);
    if told.is_none() && done.stderr.is_empty() {
        let says = format!("no answer, no error: {}", done.status);
        report.note(&name, Err(Broken { rule: "an error is told", says }), |_| ());
    }
    let asked = [Asked { args: args.clone(), told }];
    let seen: Vec<String> =
        checkpoint(&snapshot.ledger).into_iter().chain(checkpoint(&ledger)).collect();
    let case = Case { is_cut: false, home, plan, ledger: &ledger, asked: &asked, seen: &seen };
    report.settle(&name, &case);
    true
}
