//! A ledger whose checkpoints real witnesses sign, killed at every point and at any moment.
//!
//! In publish mode whatever anybody sees of the log must have a quorum: the published file, which is
//! read all the time, and each receipt.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fairdeal::record::entry::Entry;
use fairdeal_ledger::store::{Sqlite, State as _};
use fairdeal_ledger::{FAULT_POINTS, WITNESS_POINTS};
use serde_json::{Value, json};

use super::clients::{Client, Over, Table, World, until};
use super::node::{Node, fairdeal, run};
use super::told::Told;
use super::wire::scattered;
use super::{SOON, checker, print_why};
use crate::external::witnesses::OF_FULL_BUNDLES;
use crate::external::witnesses::ours::{Ours, parsed, two_of};
use crate::ledger_support::{Audit, quick_folder};

/// One ledger, its nodes on one folder, and three witnesses of which two must sign.
pub(super) struct Scene {
    pub(super) home: tempfile::TempDir,
    is_publish: bool,
    witnesses: [Ours; 3],
    pub(super) nodes: Vec<Node>,
    pub(super) world: World,
}

impl Scene {
    pub(super) fn new(mode: &'static str, count: usize) -> Self {
        let home = quick_folder();
        let dir = home.path().join("ledger");
        let ledger = dir.to_str().unwrap();
        run(&[], &["init", ledger, "--origin", "cards.example/log"]);
        let key: fairdeal::log::VerifierKey =
            run(&[], &["log-key", "--ledger", ledger]).trim().parse().unwrap();
        let added = run(&[], &["token", "add", "load", "--json", "--ledger", ledger]);
        let added: Value = serde_json::from_str(&added).unwrap();
        let witnesses = Ours::three(home.path(), &key);
        let policy = two_of(&witnesses);
        std::fs::write(home.path().join("policy"), &policy).unwrap();
        std::fs::write(home.path().join("log.key"), format!("{key}\n")).unwrap();
        let path = home.path().join("policy").display().to_string();
        let variables = vec![("FAIRDEAL_POLICY".to_owned(), path)];
        let node = |number| {
            let mut node = Node::new(&dir, variables.clone());
            node.log = home.path().join(format!("node {number}.log"));
            node.options =
                vec!["--witness-mode", mode, "--witness-every", "0s", "--anchor-every", "0s"];
            node
        };
        let nodes: Vec<Node> = (0..count).map(node).collect();
        let is_publish = mode == "publish";
        let told = Told::new(key);
        let told = if is_publish { told.witnessed(parsed(&policy)) } else { told };
        let world = World {
            nodes: nodes.iter().map(|node| node.wire.address).collect(),
            token: added["token"].as_str().unwrap().to_owned(),
            told,
            ready: nodes.iter().map(|_| AtomicBool::new(false)).collect(),
            followed: nodes.iter().map(|_| AtomicU64::new(0)).collect(),
            is_over: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
        };
        Self { home, is_publish, witnesses, nodes, world }
    }

    /// Deals at two tables and locks at a third, while something goes wrong; then waits until each
    /// request has its answer.
    fn storm(
        &mut self,
        dealers: usize,
        fails: impl FnOnce(&mut [Node], &mut [Ours; 3], &Seen<'_>),
    ) {
        let dir = self.home.path().join("ledger");
        let Self { witnesses, nodes, world, .. } = self;
        nodes.iter_mut().for_each(Node::start);
        let seen = Seen { world, dir: &dir };
        let mut setup = Client::new(world, 0);
        // One of the tables goes on from commitment to commitment, so that seeds are revealed too.
        let shared = [
            setup.make_table("short", json!({"rounds": 40, "draw": 5})),
            setup.make_table("long", json!({"rounds": 5000, "draw": 5})),
        ];
        let own = setup.make_table("own", json!({"rounds": 100, "draw": 5}));
        std::thread::scope(|scope| {
            let over = Over(world);
            scope.spawn(|| seen.watch());
            let mut clients = Vec::new();
            for number in 0..dealers {
                let (world, shared): (&World, &[Table]) = (world, &shared);
                let at = number.checked_rem(world.nodes.len()).unwrap();
                clients.push(scope.spawn(move || {
                    Client::new(world, at).deal(&format!("dealer {number}"), shared);
                }));
            }
            clients.push(scope.spawn(|| Client::new(world, 0).lock_and_deal("locker", &own)));
            fails(nodes, witnesses, &seen);
            world.is_over.store(true, Ordering::Relaxed);
            for client in clients {
                client.join().unwrap();
            }
            drop(over);
        });
    }

    /// Ends the nodes, and judges what is left.
    #[expect(clippy::print_stdout, reason = "how much was tried")]
    fn judge(mut self) {
        let public = self.home.path().join("ledger/public");
        let (is_publish, told) = (self.is_publish, &self.world.told);
        // The last entry is witnessed too: in anchor mode by an anchor over it.
        let last = told.inner().answers.values().map(|one| one.index).max().unwrap();
        until("an anchor over the last deal", SOON, || {
            let audit = Audit::of(&public, told.key());
            anchors(&audit.entries).last().is_some_and(|size| *size > last)
        });
        self.nodes.iter_mut().for_each(Node::stop);
        let found = checker::check(&public, told.key(), told);
        let entries = Audit::of(&public, told.key()).entries;
        let sizes = anchors(&entries);
        assert!(sizes.is_sorted_by(|one, next| one < next), "{sizes:?}");
        let verdict = audits_under_the_policy(self.home.path());
        let report = &verdict["witnesses"];
        assert_eq!(report["anchors"], report["proving"], "{report}");
        assert_eq!(report["anchors"], sizes.len(), "{report}");
        if is_publish {
            assert_eq!(report["not_covered"], 0, "{report}");
            assert_eq!(report["size"], entries.len(), "{report}");
        }
        println!("{found} {:#?} {} anchors", told.inner().figures, sizes.len());
        for node in &self.nodes {
            println!("kills {}, {:#?}", node.kills, checker::said(&node.log));
        }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        print_why(&self.nodes);
    }
}

/// What is there to see of the ledger besides its answers.
struct Seen<'a> {
    world: &'a World,
    dir: &'a Path,
}

impl Seen<'_> {
    /// Reads the published file all the time.
    fn watch(&self) {
        let (file, mut last) = (self.dir.join("public/checkpoint"), String::new());
        while !self.world.is_closed.load(Ordering::Relaxed) {
            let note = std::fs::read_to_string(&file).unwrap();
            if note != last {
                self.world.told.checkpoint(&note);
                self.world.told.count("checkpoints published");
                last = note;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Looks at the state as a dead process has left it. What is committed is no longer undone: its
    /// root must be one of the log, with all anchors under it.
    fn committed(&self) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let file = self.dir.join("private/state.sqlite");
            let state = Sqlite::open(&file, Duration::from_secs(20)).await.unwrap();
            let mut read = state.read().await.unwrap();
            self.world.told.root(&read.head().await.unwrap().note);
            drop(read);
            state.close().await.unwrap();
        });
    }

    fn answered(&self) -> usize {
        self.world.told.inner().answers.len()
    }

    /// Waits until the ledger deals again.
    fn goes_on(&self, after: &str) {
        let before = self.answered();
        until(&format!("deals are answered after {after}"), SOON, || self.answered() > before + 9);
    }
}

/// The sizes of a log's anchors.
fn anchors(entries: &[Entry]) -> Vec<u64> {
    let sizes = entries.iter().filter_map(|entry| match entry {
        Entry::Anchor(anchor) => Some(anchor.size.value()),
        _ => None,
    });
    sizes.collect()
}

/// The program finds nothing wrong with the log under the policy.
fn audits_under_the_policy(home: &Path) -> Value {
    let files: [PathBuf; 3] = ["ledger/public", "log.key", "policy"].map(|name| home.join(name));
    let [public, key, policy] = files.each_ref().map(|file| file.to_str().unwrap());
    let mut audit = fairdeal(&[]);
    audit.args(["audit", public, "--key", key, "--policy", policy, "--json"]);
    let output = audit.output().unwrap();
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(verdict["findings"], json!([]), "{verdict}");
    assert_eq!(output.status.code(), Some(0), "{verdict}");
    verdict
}

/// Kills a served ledger at each of these points, the first time and later.
fn killed_at(mode: &'static str, points: &[&str]) {
    let mut scene = Scene::new(mode, 1);
    scene.storm(6, |nodes, _, seen| {
        let node = &mut nodes[0];
        for point in points.iter().filter(|point| !OF_FULL_BUNDLES.contains(point)) {
            for nth in [1, 5] {
                let fault = format!("{point}:{nth}");
                node.kill();
                // A fault may end it before it listens.
                if node.start_with(&[("FAIRDEAL_FAULT", &fault)]) {
                    until(&format!("{fault} is passed"), SOON, || node.has_died());
                }
                node.kill();
                seen.committed();
                node.start();
                seen.goes_on(&fault);
            }
        }
    });
    scene.judge();
}

#[test]
fn killed_at_any_point_in_publish_mode_nothing_is_lost_and_nothing_is_seen_without_a_quorum() {
    killed_at("publish", &[FAULT_POINTS, WITNESS_POINTS].concat());
}

#[test]
fn killed_at_any_point_in_anchor_mode_nothing_is_lost_and_no_anchor_either() {
    killed_at("anchor", FAULT_POINTS);
}

/// Kills one of two nodes on one folder, both, or a witness, again and again.
fn killed_at_any_moment(mode: &'static str) {
    let mut scene = Scene::new(mode, 2);
    scene.storm(8, |nodes, witnesses, seen| {
        for number in 0..tools::cases(30, 300) {
            let chance = scattered(u64::try_from(number).unwrap());
            let wait = |shift: u32| {
                std::thread::sleep(Duration::from_millis((chance >> shift) & 0xff));
            };
            wait(8);
            // A quorum is left.
            let away = number.checked_rem(3).unwrap();
            let is_away = number.is_multiple_of(4);
            if is_away {
                witnesses[away].stop();
            }
            wait(16);
            let killed = if number.is_multiple_of(5) { 0..2 } else { number & 1..(number & 1) + 1 };
            killed.clone().for_each(|at| nodes[at].kill());
            wait(24);
            seen.committed();
            killed.for_each(|at| nodes[at].start());
            if is_away {
                witnesses[away].start_again();
            }
            if number.is_multiple_of(6) {
                seen.goes_on(&format!("kill {number}"));
            }
        }
        seen.goes_on("the last kill");
    });
    scene.judge();
}

#[test]
fn two_processes_that_are_killed_at_any_moment_in_publish_mode_make_one_witnessed_log() {
    killed_at_any_moment("publish");
}

#[test]
fn two_processes_that_are_killed_at_any_moment_in_anchor_mode_make_one_log() {
    killed_at_any_moment("anchor");
}
