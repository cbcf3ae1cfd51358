//! A ledger of ours with real witnesses: one of Go among them, three of ours on which hardships
//! come, and an operator who kills each command.

mod beacon;
mod hardships;
mod nodes;
mod one_shot;
pub(super) mod ours;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fairdeal::log::{Policy, SignedCheckpoint};
use fairdeal::record::entry::{Anchor, Entry};
use fairdeal_ledger::{Ledger, LedgerError, LedgerOptions, NewReveal, WitnessMode, Witnessing};
use serde_json::Value;

use self::ours::{Ours, parsed, policy_of};
use super::go::go_program;
use crate::ledger_support::*;

/// The points that are passed after a bundle is full, when its ledger closes.
pub(super) const OF_FULL_BUNDLES: &[&str] =
    &["publish-synced", "publish-read-back", "publish-dropped"];

/// No wait between rounds, and an anchor as soon as one is due.
fn quick(policy: &Arc<Policy>, publish_wait: u64) -> LedgerOptions {
    let witnesses = Witnessing {
        mode: WitnessMode::Publish,
        every: Duration::ZERO,
        anchor_every: Duration::ZERO,
        ..Witnessing::new(Arc::clone(policy))
    };
    let publish_wait = Duration::from_secs(publish_wait);
    LedgerOptions { witnesses: Some(witnesses), publish_wait, ..options() }
}

/// Waits until it holds.
async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = tokio::time::Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_mins(1), "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Runs the program in a folder.
fn fairdeal(dir: &Path, words: &[&str]) -> (Option<i32>, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    for inherited in ["FAIRDEAL_LEDGER", "FAIRDEAL_STATE", "FAIRDEAL_TILES", "FAIRDEAL_POLICY"] {
        command.env_remove(inherited);
    }
    let output = command.args(words).arg("--json").current_dir(dir).output().expect("it runs");
    let said = serde_json::from_slice(&output.stdout).unwrap_or_default();
    assert_ne!(said, Value::Null, "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), said)
}

/// The program finds nothing wrong with the log of a home under a policy, of which a quorum has
/// signed all that is published.
fn audits(home: &Home, policy: &str, all: bool) -> Value {
    std::fs::write(home.path().join("policy"), policy).expect("written");
    std::fs::write(home.path().join("log.key"), home.key.to_text()).expect("written");
    let words = ["audit", "public", "--key", "log.key", "--policy", "policy"];
    let (code, verdict) = fairdeal(home.path(), &words);
    assert_eq!((code, &verdict["findings"]), (Some(0), &serde_json::json!([])), "{verdict}");
    let report = verdict["witnesses"].clone();
    assert_eq!(report["anchors"], report["proving"], "{report}");
    assert!(!all || report["not_covered"] == 0, "{report}");
    report
}

fn anchors(home: &Home) -> Vec<Anchor> {
    let of = |entry| match entry {
        Entry::Anchor(anchor) => Some(*anchor),
        _ => None,
    };
    home.audit().entries.into_iter().filter_map(of).collect()
}

/// The published note.
fn note(home: &Home) -> SignedCheckpoint {
    let note = std::fs::read_to_string(home.public().join("checkpoint")).expect("a checkpoint");
    SignedCheckpoint::parse(&note).expect("a checkpoint")
}

/// A witness of Go's own packages. It is killed when dropped.
struct Gos {
    child: Child,
    url: String,
    key: String,
    /// The statuses and sizes of its answers.
    answers: Arc<Mutex<Vec<String>>>,
}

impl Gos {
    fn start(home: &Home) -> Self {
        let mut command = Command::new(go_program(home.path(), "cosigner"));
        command.args(["go.example/witness", &home.key.to_text()]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it was built");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let first = lines.next().expect("a line").expect("text");
        let (url, key) = first.split_once(' ').expect("an address and a key");
        let answers = Arc::<Mutex<Vec<String>>>::default();
        let (seen, url, key) = (Arc::clone(&answers), url.to_owned(), key.to_owned());
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                seen.lock().expect("no panic").push(line);
            }
        });
        Self { child, url, key, answers }
    }

    fn member(&self) -> (String, String) {
        (self.key.clone(), self.url.clone())
    }

    /// Whether it has signed an anchor.
    fn has_signed(&self, anchor: &Anchor) -> bool {
        let alone = parsed(&policy_of(1, &[self.member()]));
        let found = anchor.witnessed(&alone, origin().as_str());
        found.is_some_and(|witnessed| witnessed.quorum.is_some())
    }

    /// How often it has answered with this status.
    fn count(&self, status: &str) -> usize {
        let answers = self.answers.lock().expect("no panic");
        answers.iter().filter(|one| one.split(' ').next() == Some(status)).count()
    }
}

impl Drop for Gos {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Deals under a policy with Go's witness; then everything that witnesses show holds.
async fn dealt_with(home: &Home, go: &Gos, policy: &str) {
    let ledger = Ledger::open(home.path(), quick(&parsed(policy), 20)).await.expect("opens");
    let c = ledger.commit(terms("main"), None).await.expect("committed").commitment;
    let deals = (0..300).map(|n| {
        let ledger = ledger.clone();
        async move { ledger.deal(c, round(&format!("{n}")), None).await }
    });
    futures::future::try_join_all(deals).await.expect("dealt");
    let last = ledger.deal(c, round("last"), None).await.expect("dealt");
    until("an anchor over the last deal", || {
        anchors(home).last().is_some_and(|one| one.size.value() > last.index)
    })
    .await;
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    ledger.close().await.expect("closed");
    let lines = note(home).note().signatures().to_vec();
    assert!(lines.iter().filter(|line| !line.names(&home.key)).count() >= 2, "{lines:?}");
    let report = audits(home, policy, true);
    assert!(report["anchors"].as_u64().is_some_and(|count| count >= 1), "{report}");
    assert!(anchors(home).iter().any(|one| go.has_signed(one)), "its cosignatures are in the log");

    // One command as a process, and its receipt.
    let words = ["--policy", "policy", "--witness-every", "0s", "--ledger", "."];
    let table = ["commit", "--table", "other", "--draw", "5"];
    let (code, made) = fairdeal(home.path(), &[&table[..], &words].concat());
    assert_eq!(code, Some(0), "{made}");
    let c = made["commitment"].as_str().expect("a commitment");
    let deal = ["deal", c, "--client", "alice=lucky", "--anchor-every", "0s"];
    let (code, done) = fairdeal(home.path(), &[&deal[..], &words].concat());
    assert_eq!(code, Some(0), "{done}");
    let (code, _) = fairdeal(home.path(), &["receipt", c, "0", "-o", "receipt", "--ledger", "."]);
    assert_eq!(code, Some(0));
    let verify = ["verify", "receipt", "--key", "log.key", "--policy", "policy"];
    let (code, verdict) = fairdeal(home.path(), &verify);
    assert_eq!((code, &verdict["holds"]), (Some(0), &Value::Bool(true)), "{verdict}");
    let shown = verdict["receipts"][0]["shown"].as_array().expect("a list");
    assert!(shown.contains(&"witnessed".into()), "{verdict}");
    assert!(home.audit().findings.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ledger_that_a_witness_of_go_s_own_packages_signs_holds_under_the_policy() {
    let home = Home::quick().await;
    let go = Gos::start(&home);
    let ours = [1, 2].map(|number| Ours::start(home.path(), number, &home.key));
    let members = [&ours[0], &ours[1]].map(|one| (one.key.clone(), one.url()));
    let policy = policy_of(2, &[&[go.member()], &members[..]].concat());
    dealt_with(&home, &go, &policy).await;
    assert!(go.count("200") > 3, "{:?}", go.answers);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_one_of_ours_is_dead_go_s_cosignature_is_in_every_quorum() {
    let home = Home::quick().await;
    let go = Gos::start(&home);
    let mut ours = [1, 2].map(|number| Ours::start(home.path(), number, &home.key));
    ours[1].stop();
    let members = [&ours[0], &ours[1]].map(|one| (one.key.clone(), one.url()));
    let policy = policy_of(2, &[&[go.member()], &members[..]].concat());
    dealt_with(&home, &go, &policy).await;
    let alone = parsed(&policy_of(1, &[go.member()]));
    assert!(note(&home).witnessed(&alone).expect("it verifies").quorum.is_some());
    assert!(anchors(&home).iter().all(|one| go.has_signed(one)));
    // It refuses too: each process of ours asks from 0 first, and learns the size.
    assert!(go.count("409") > 1, "{:?}", go.answers);
    assert_eq!(go.count("422") + go.count("400") + go.count("403"), 0, "{:?}", go.answers);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_backup_deals_nothing_where_only_go_s_witness_knows_more() {
    let home = Home::quick().await;
    let go = Gos::start(&home);
    let policy = parsed(&policy_of(1, &[go.member()]));
    let ledger = Ledger::open(home.path(), quick(&policy, 3)).await.expect("opens");
    let c = ledger.commit(terms("main"), None).await.expect("committed").commitment;
    ledger.close().await.expect("closed");
    let saved = quick_folder();
    for part in ["public", "private"] {
        std::fs::create_dir(saved.path().join(part)).expect("made");
        copy(&home.path().join(part), &saved.path().join(part));
    }
    let ledger = Ledger::open(home.path(), quick(&policy, 3)).await.expect("opens");
    for seed in ["x", "y"] {
        ledger.deal(c, round(seed), None).await.expect("dealt");
    }
    ledger.close().await.expect("closed");
    // The same folders with their old files, as a disk's snapshot puts them back.
    for part in ["public", "private"] {
        for entry in std::fs::read_dir(home.path().join(part)).expect("a folder").flatten() {
            if entry.file_type().expect("a type").is_dir() {
                std::fs::remove_dir_all(entry.path()).expect("removed");
            } else if entry.file_name() != "place" {
                std::fs::remove_file(entry.path()).expect("removed");
            }
        }
        copy(&saved.path().join(part), &home.path().join(part));
    }
    let before = note(&home).unverified().size();
    let ledger = Ledger::open(home.path(), quick(&policy, 3)).await.expect("opens");
    let error = ledger.deal(c, round("z"), None).await.expect_err("Go's witness knows more");
    assert!(
        matches!(error, LedgerError::Unwitnessed(_) | LedgerError::WitnessesContradict(_)),
        "{error}"
    );
    assert!(error.to_string().contains("is it a restored backup?"), "{error}");
    drop(ledger.close().await);
    assert_eq!(note(&home).unverified().size(), before);
}
