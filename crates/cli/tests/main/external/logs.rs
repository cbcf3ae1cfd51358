//! The Python audit compared with this implementation's: on every log of the fixtures, and on
//! hundreds of generated logs, with entries changed, dropped, swapped and repeated and then signed
//! again, and with damaged files.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};

use fairdeal_audit::Signatures;

use tools::dice::Dice;
use tools::paper::{PaperLog, START, counting_seed, int, policy, seeing, write_files};
use tools::question::{CODES, Question, folders};
use tools::random_log::Writer;

const LOGS: usize = 500;

fn python(arguments: &[&str]) -> Output {
    let program = tools::root().join("spec/reference/fairdeal.py");
    let run = Command::new("python3").arg(program).args(arguments).output();
    run.expect("python3 is needed for this test")
}

/// A verdict's text without `says`.
fn without_says(text: &str) -> String {
    const SAYS: &str = ",\"says\":\"";
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(SAYS) {
        kept.push_str(&rest[..at]);
        rest = &rest[at + SAYS.len()..];
        let mut escaped = false;
        let end = rest.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        rest = &rest[end.expect("a string that ends") + 1..];
    }
    kept + rest
}

#[test]
fn on_every_log_of_the_fixtures_both_print_the_same_bytes_but_for_what_says_holds() {
    for (name, folder) in folders() {
        let (mut question, _) = Question::read(&folder);
        // A command always has a clock.
        question.times.clock = question.times.clock.or(Some(START));
        let verdict = question.audit(&folder);
        let file = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
        let log = file(if folder.join("export").exists() { "export" } else { "" });
        let key = file("key");
        let [as_of, clock] =
            [question.times.as_of, question.times.clock].map(|time| time.map(|t| t.to_string()));
        let since: Vec<String> = question.since.iter().map(|(name, _)| file(name)).collect();
        let mut arguments = vec!["audit", &log, "--key", &key, "--json"];
        arguments.extend(as_of.iter().flat_map(|as_of| ["--as-of", as_of]));
        arguments.extend(clock.iter().flat_map(|clock| ["--clock", clock]));
        arguments
            .extend((question.signatures == Signatures::Skipped).then_some("--skip-signatures"));
        arguments.extend(since.iter().flat_map(|note| ["--since", note]));
        let policy = question.policy.as_ref().map(|_| file("policy"));
        arguments.extend(policy.iter().flat_map(|policy| ["--policy", policy]));
        let output = python(&arguments);
        let ours = serde_json::to_string(&verdict).expect("JSON");
        let theirs = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(without_says(theirs.trim_end()), without_says(&ours), "{name}");
        assert_eq!(output.status.code(), Some(i32::from(!verdict.holds)), "{name}");
    }
}

#[test]
fn where_there_is_no_log_the_reference_has_no_verdict() {
    let key = counting_key();
    assert_eq!(python(&["audit", "no-such-folder", "--key", &key]).status.code(), Some(3));
    assert_eq!(python(&["audit", "no-such-folder", "--key", "no key"]).status.code(), Some(3));
    assert_eq!(python(&["audit", "no-such-folder", "--key", "no+key"]).status.code(), Some(2));
}

fn counting_key() -> String {
    PaperLog::new("cards.example/log", 7).key().to_text()
}

/// The inputs of an audit, and the log's files, some of them damaged.
fn asked(
    log: &PaperLog,
    saved: &[String],
    dice: &mut Dice,
) -> (Question, BTreeMap<String, Vec<u8>>) {
    let mut files = log.files();
    let mut question = Question::new(log.key());
    if dice.one_in(3) {
        question.times.as_of = Some(*dice.of(&[0, START + 5000, log.time, log.time + 200_000_000]));
    }
    if dice.one_in(2) {
        question.times.clock =
            Some(*dice.of(&[0, log.time - 300_000, log.time - 300_001, log.time + 200_000_000]));
    }
    if dice.one_in(5) {
        question.signatures = Signatures::Skipped;
    }
    if dice.one_in(12) {
        question.key = PaperLog::new("cards.example/log", 8).key().clone();
    }
    // A checkpoint that the audit's key did not sign is refused, without a verdict.
    if question.key == *log.key() && dice.one_in(3) {
        let mut longer = PaperLog::new("cards.example/log", 7);
        for _ in 0..60 {
            longer.append_bytes(b"x");
        }
        let longer = longer.checkpoint();
        for _ in 0..=dice.below(3) {
            let note = if dice.one_in(5) { &longer } else { dice.of(saved) };
            question.hold_against(note.clone());
        }
    }
    if dice.below(3) > 0 {
        question.policy = Some(match dice.below(8) {
            0 => "quorum none\n".to_owned(),
            1 => policy(1, 1),
            2 => policy(3, 3),
            _ => policy(2, 3),
        });
        if dice.one_in(3) {
            let now = log.time / 1000;
            let lines = [(1, now - 301), (2, now), (3, now)];
            let note = log.cosigned_checkpoint(&lines[dice.below(3)..]);
            files.insert("checkpoint".to_owned(), note.into_bytes());
        }
    }
    if dice.below(3) > 1 {
        damage(&mut files, dice);
    }
    (question, files)
}

/// Damages one file of a log.
fn damage(files: &mut BTreeMap<String, Vec<u8>>, dice: &mut Dice) {
    let path = (*dice.of(&files.keys().collect::<Vec<_>>())).clone();
    let bytes = files.get_mut(&path).expect("one of them");
    let at = dice.below(bytes.len());
    if path == "checkpoint" {
        bytes[at] = if dice.one_in(3) { bytes[at] ^ 0x80 } else { *dice.of(b"0193AZaz+/= \n") };
        return;
    }
    match dice.below(5) {
        0 => drop(files.remove(&path)),
        1 => bytes.truncate(at),
        2 => bytes.push(0),
        _ => bytes[at] ^= 1 << dice.below(8),
    }
}

/// A log with more findings of one code than are kept, and a log of several bundles with many
/// `seen` checkpoints.
fn large() -> Vec<PaperLog> {
    let mut junk = PaperLog::new("cards.example/log", 7);
    for n in 0..1100_u32 {
        junk.append_bytes(if n % 10 == 0 { b"{}" } else { b"x" });
    }
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(1));
    let mut checkpoint = log.seen();
    for n in 0..600 {
        let deal =
            log.deal_entry_of(&commit, &seed.mac(), n, vec![seeing("alice", "lucky", &checkpoint)]);
        log.append(&fairdeal::record::entry::Entry::Deal(Box::new(deal)));
        if n % 17 == 0 {
            checkpoint = log.seen();
        }
    }
    log.reveal(&seed);
    vec![junk, log]
}

/// Writes a log and the inputs of its audit, and returns the codes that are found in it. `None` if
/// its checkpoint is no note, so that there is no verdict: then nothing is written.
fn write(
    folder: &Path,
    question: &Question,
    files: &BTreeMap<String, Vec<u8>>,
) -> Option<Vec<&'static str>> {
    write_files(folder, files);
    let Ok(verdict) = question.try_audit(folder) else {
        std::fs::remove_dir_all(folder).expect("written before");
        return None;
    };
    write_files(folder, &question.files("random", &verdict));
    Some(verdict.counts.keys().copied().collect())
}

#[test]
fn the_python_reference_agrees_on_hundreds_of_logs_that_nobody_wrote_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut dice = Dice::new(43);
    let (mut reached, mut held) = (BTreeSet::new(), 0);
    for number in 0..LOGS {
        let (log, saved) = Writer::with_anchors(&mut dice).write();
        let (question, files) = asked(&log, &saved, &mut dice);
        let found = write(&folder.path().join(format!("{number}")), &question, &files);
        let Some(codes) = found else { continue };
        held += usize::from(codes.is_empty());
        reached.extend(codes);
    }
    for (name, log) in ["junk", "bundles"].into_iter().zip(large()) {
        let found = write(&folder.path().join(name), &Question::new(log.key()), &log.files());
        assert!(found.is_some(), "{name}");
    }
    let missed: Vec<&str> = CODES.into_iter().filter(|code| !reached.contains(code)).collect();
    assert!(missed.is_empty(), "no random log has {missed:?}");
    assert!(held > LOGS.div_ceil(20) && held < LOGS.div_ceil(2), "{held} of {LOGS} hold");
    let output = python(&["logs", folder.path().to_str().expect("UTF-8")]);
    let said = String::from_utf8_lossy(&output.stdout);
    let first: Vec<&str> = said.lines().take(10).collect();
    assert!(
        output.status.success(),
        "{}\n{}",
        first.join("\n"),
        String::from_utf8_lossy(&output.stderr)
    );
}
