//! The output of an audit while it runs: findings as lines, and three tables.

#![allow(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use fairdeal::record::entry::{Cards, Entry, Table};
use fairdeal_audit::source::{AuditObserver, AuditOptions, LogSource, SourceError, StopAudit};
use fairdeal_audit::{AuditRows, Keep};
use serde_json::Value;
use tempfile::TempDir;

use tools::paper::{PaperLog, Player, counting_seed, logged_clients};

const ALICE: &[(&str, &str)] = &[("alice", "lucky"), ("bob", "seven")];
const TABLE: &str = "=cmd|'/C calc'!A0, \"x\"";

/// Rounds of every kind at a table with a hostile name, 5,000 rounds out of order, a wrong deal,
/// bytes that are no entry, and a commitment that is left open.
fn log() -> PaperLog {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) =
        log.commit(&seed, |commit| commit.table = Table::new(TABLE).expect("a table"));
    log.deal(&commit, &seed.mac(), 0, ALICE);
    let mut wrong = log.deal_entry(&commit, &seed.mac(), 1, ALICE);
    let text = wrong.result.cards.as_ref().expect("cards").as_str().to_owned();
    let (first, rest) = text.split_at(2);
    wrong.result.cards = Some(Cards::new(format!("{rest}{first}")).expect("cards"));
    log.append(&Entry::Deal(Box::new(wrong)));
    let bob = Player::new("+bob", "seven", 2);
    let lock = log.lock(commit.commitment, 2, vec![bob.hashed(&commit.commitment, 2)]);
    log.deal_locked(&commit, &seed.mac(), 2, lock, &[bob]);
    log.lock(commit.commitment, 3, logged_clients(&[("+bob", "x"), ("carol", "y"), ("dave", "z")]));
    log.void(commit.commitment, Some(3), Some("+bob"));
    log.append_bytes(b"=HYPERLINK(\"http://example.com\")");
    let early = log.deal_entry(&commit, &seed.mac(), 9, ALICE);
    let early = Entry::Deal(Box::new(early)).to_text().expect("legal");
    for _ in 0..5000 {
        log.append_bytes(early.as_bytes());
    }
    log.deal(&commit, &seed.mac(), 4, ALICE);
    log.reveal(&seed);
    let unused = counting_seed(1);
    log.commit(&unused, |commit| commit.after = Some(seed.commitment()));
    log
}

fn published(log: &PaperLog) -> TempDir {
    let dir = TempDir::new().expect("a folder");
    log.publish(&dir.path().join("log"));
    fs::write(dir.path().join("log.key"), log.key().to_text()).expect("writable");
    dir
}

fn audit(dir: &Path, words: &[&str], code: i32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command
        .current_dir(dir)
        .env("NO_COLOR", "1")
        .args(["audit", "log", "--key", "log.key"])
        .args(words);
    let Output { status, stdout, stderr } = command.output().expect("fairdeal runs");
    assert_eq!(status.code(), Some(code), "{words:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

/// The findings and the verdict of `--ndjson`.
fn lines(text: &str) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let last = lines.pop().expect("a verdict");
    let findings =
        lines.iter().map(|line| line.get("finding").expect("a finding").clone()).collect();
    (findings, last.get("verdict").expect("the verdict").clone())
}

fn table(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(path).expect("a table");
    assert_eq!(
        text.matches('\n').count(),
        text.matches("\r\n").count(),
        "RFC 4180 ends lines with CRLF"
    );
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    let row =
        |row: Result<csv::StringRecord, _>| row.expect("a row").iter().map(str::to_owned).collect();
    (header, reader.records().map(row).collect())
}

const LATER: &[&str] = &["--as-of", "2100-01-01T00:00:00Z", "--clock", "2100-01-01T00:00:00Z"];

#[test]
fn every_finding_is_a_line_once_and_the_verdict_is_the_last_one() {
    let dir = published(&log());
    let dir = dir.path();
    let (found, verdict) = lines(&audit(dir, &[LATER, &["--ndjson"]].concat(), 1));
    let usual: Value =
        serde_json::from_str(&audit(dir, &[LATER, &["--json"]].concat(), 1)).expect("JSON");
    assert_eq!(verdict, usual);
    let mut counts = BTreeMap::new();
    for finding in &found {
        *counts.entry(finding["code"].as_str().expect("a code").to_owned()).or_insert(0_u64) += 1;
    }
    assert_eq!(serde_json::to_value(&counts).expect("JSON"), verdict["counts"]);
    assert_eq!((counts["nonce-gap"], counts["result-mismatch"], counts["overdue"]), (5000, 1, 1));
    let once: std::collections::BTreeSet<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(once.len(), found.len());
    for kept in verdict["findings"].as_array().expect("a list") {
        // Only the end of an audit shows whom a finding accuses.
        let mut kept = kept.clone();
        kept.as_object_mut().expect("a finding").remove("accuses");
        assert!(once.contains(&kept.to_string()), "{kept}");
    }
    // In the order in which they are found: a deal is replayed after its reveal, and `overdue` is
    // judged at the end.
    let codes: Vec<&str> = found.iter().filter_map(|finding| finding["code"].as_str()).collect();
    assert_eq!(codes[codes.len() - 2..], ["result-mismatch", "overdue"]);
    let gaps: Vec<u64> = found
        .iter()
        .filter(|finding| finding["code"] == "nonce-gap")
        .filter_map(|finding| finding["index"].as_u64())
        .collect();
    assert!(gaps.is_sorted());
}

#[test]
fn the_tables_hold_every_entry_round_and_finding() {
    let log = log();
    let dir = published(&log);
    let dir = dir.path();
    let said = audit(dir, &[LATER, &["--csv", "out/tables", "--ndjson"]].concat(), 1);
    let (found, verdict) = lines(&said);
    let tables = dir.join("out/tables");
    let names =
        fs::read_dir(&tables).expect("a folder").map(|file| file.expect("a file").file_name());
    assert_eq!(names.count(), 3);

    let (header, entries) = table(&tables.join("entries.csv"));
    assert_eq!(header.join(","), "index,kind,time,commitment,nonce,effect");
    assert_eq!(entries.len(), log.entries().len());
    for (at, (row, bytes)) in entries.iter().zip(log.entries()).enumerate() {
        let entry = Entry::parse(bytes).ok();
        assert_eq!(row[0], at.to_string());
        assert_eq!(row[1], entry.as_ref().map(Entry::kind).unwrap_or_default());
        assert_eq!(row[2], entry.as_ref().map(|e| e.time().to_string()).unwrap_or_default());
        assert_eq!(
            row[3],
            entry.as_ref().and_then(Entry::commitment).map(|c| c.to_string()).unwrap_or_default()
        );
        assert_eq!(
            row[4],
            entry.and_then(|e| e.nonce()).map(|n| n.to_string()).unwrap_or_default()
        );
    }
    // The bytes that are no entry, and the rounds out of order, had no effect.
    assert_eq!(entries.iter().filter(|row| row[5] == "false").count(), 5001);

    let (header, rounds) = table(&tables.join("rounds.csv"));
    let names = "commitment,table,nonce,index,outcome,time,form,result,contributors,blame,reason";
    assert_eq!(header.join(","), names);
    assert_eq!(rounds.len(), 5);
    let dealt = rounds.iter().filter(|row| row[4] == "dealt").count();
    assert_eq!(verdict["deals"], dealt);
    let guarded = format!("'{TABLE}");
    for (nonce, row) in rounds.iter().enumerate() {
        assert_eq!((&row[1], &row[2]), (&guarded, &nonce.to_string()));
        let at: usize = row[3].parse().expect("an index");
        assert_eq!((&entries[at][2], &entries[at][3]), (&row[5], &row[0]));
    }
    let column = |at: usize| rounds.iter().map(|row| row[at].as_str()).collect::<Vec<_>>();
    assert_eq!(column(6), ["cards", "cards", "cards", "", "cards"]);
    assert_eq!(column(8), ["2", "2", "1", "3", "2"]);
    assert_eq!(column(9), ["", "", "", "'+bob", ""]);
    assert_eq!(column(10)[3], "a player left");
    for row in rounds.iter().filter(|row| row[4] == "dealt") {
        let at: usize = row[3].parse().expect("an index");
        let Ok(Entry::Deal(deal)) = Entry::parse(&log.entries()[at]) else { panic!("a deal") };
        assert_eq!(row[7].replace(' ', ""), deal.result.cards.expect("cards").as_str());
        assert_eq!(row[7].split(' ').count(), 52);
    }

    let (header, findings) = table(&tables.join("findings.csv"));
    assert_eq!(header.join(","), "code,class,index,commitment,nonce,says");
    assert_eq!(findings.len(), found.len());
    for (row, line) in findings.iter().zip(&found) {
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| line[name].as_u64().map(|n| n.to_string()).unwrap_or_default();
        let (code, class) = (text("code"), text("class"));
        let (index, nonce) = (number("index"), number("nonce"));
        assert_eq!(*row, [code, class, index, text("commitment"), nonce, text("says")]);
    }
}

#[test]
fn tables_take_their_places_at_the_end_or_not_at_all() {
    let dir = published(&log());
    let dir = dir.path();
    audit(dir, &["--csv", "tables"], 1);
    let before = fs::read(dir.join("tables/entries.csv")).expect("a table");
    let bundle = dir.join("log/tile/entries/000");
    fs::remove_file(&bundle).expect("removable");
    fs::create_dir(&bundle).expect("a folder, which is no file that could be missing");
    audit(dir, &["--csv", "tables"], 3);
    audit(dir, &["--csv", "others"], 3);
    assert_eq!(fs::read(dir.join("tables/entries.csv")).expect("as before"), before);
    assert_eq!(fs::read_dir(dir.join("tables")).expect("a folder").count(), 3);
    assert_eq!(fs::read_dir(dir.join("others")).expect("a folder").count(), 0);
    assert_eq!(audit(dir, &["--ndjson"], 3), "");
}

#[test]
fn an_audit_that_goes_on_lists_what_it_read() {
    let mut log = log();
    let dir = published(&log);
    let dir = dir.path();
    let words = ["--state", "state", "--csv", "tables", "--ndjson"];
    audit(dir, &words, 1);
    let size = log.size();
    log.append_bytes(b"{}");
    fs::remove_dir_all(dir.join("log")).expect("removable");
    log.publish(&dir.join("log"));
    let (found, verdict) = lines(&audit(dir, &words, 1));
    assert_eq!(
        found.iter().map(|finding| finding["index"].as_u64()).collect::<Vec<_>>(),
        [Some(size)]
    );
    assert_eq!(verdict["counts"]["nonce-gap"], 5000);
    let (_, entries) = table(&dir.join("tables/entries.csv"));
    assert_eq!(entries.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), [size.to_string()]);
}

/// How many rows were handed over before each step, and after the last.
#[derive(Default)]
struct Steps {
    keep: Option<Keep>,
    now: (usize, usize, usize),
    at: Vec<(u64, (usize, usize, usize))>,
    most: usize,
}

impl AuditObserver for Steps {
    fn progress(&mut self, done: u64, _: u64) {
        self.at.push((done, self.now));
    }

    fn wanted(&self) -> Option<Keep> {
        self.keep
    }

    fn rows(&mut self, rows: AuditRows) -> Result<(), StopAudit> {
        let (entries, rounds, findings) = &mut self.now;
        *entries += rows.entries.len();
        *rounds += rows.rounds.len();
        *findings += rows.findings.len();
        self.most = self.most.max(rows.entries.len());
        if *findings > 4500 && self.keep == Some(Keep::Findings) {
            return Err(StopAudit("enough".to_owned()));
        }
        Ok(())
    }
}

#[test]
fn rows_are_handed_over_as_the_log_is_read_and_a_watcher_may_stop() {
    let log = log();
    let dir = published(&log);
    let audit = |keep| {
        let mut steps = Steps { keep, ..Steps::default() };
        let mut source = LogSource::folder(&dir.path().join("log")).expect("a log");
        (source.audit_watched(&AuditOptions::under(log.key()), &mut steps), steps)
    };
    let (audited, steps) = audit(Some(Keep::All));
    assert!(!audited.expect("judged").verdict.holds);
    let read: Vec<(u64, usize)> =
        steps.at.iter().map(|(done, (entries, ..))| (*done, *entries)).collect();
    assert_eq!(read, [(2048, 2048), (4096, 4096), (5011, 5011)]);
    assert!(steps.at[0].1.2 > 1900, "findings come with the stretch that they are in");
    assert_eq!(steps.most, 2048);

    let (audited, steps) = audit(None);
    assert!(audited.is_ok());
    assert_eq!(steps.now, (0, 0, 0));

    let (audited, steps) = audit(Some(Keep::Findings));
    assert!(matches!(audited, Err(SourceError::Stopped(stop)) if stop.0 == "enough"));
    assert_eq!((steps.now.0, steps.now.1), (0, 0));
}
