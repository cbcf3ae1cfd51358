//! Faults as they come, to real processes under load: docs/testing.md, "The service in a storm".
//!
//! Clients repeat what was not answered, at the other node, until it is. Afterwards a checker that
//! knows none of the nodes reads the published files, and holds against them all that anybody was
//! told.
//!
//! `FAIRDEAL_STORM_SECONDS=300` makes the storm as long as this; without it, it is short.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

mod checker;
mod clients;
mod disk;
mod node;
mod told;
mod wire;
mod witnessed;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fairdeal::log::VerifierKey;
use fairdeal_ledger::store::{Bucket, Tiles as _};
use serde_json::{Value, json};

use self::clients::{Client, Over, World, until};
use self::node::{Node, fairdeal, now, run, signal};
use self::told::Told;
use self::wire::Wire;
use super::{bucket_server, postgres_server};
use crate::ledger_support::{copy, quick_folder};

/// How long an outage is, and a pause between two.
const OUTAGE: Duration = Duration::from_millis(1500);
/// The nodes' `--max-lag`.
const MAX_LAG: Duration = Duration::from_secs(8);
/// How soon a node must be ready again.
const SOON: Duration = Duration::from_mins(2);

type Variables = Vec<(String, String)>;

/// Two nodes on a database and a bucket.
struct Storm {
    database: postgres_server::Server,
    bucket: bucket_server::Server,
    /// The nodes' way to the bucket.
    wire: Wire,
    nodes: [Node; 2],
    /// The second node's clock, in the words of faketime.
    clock: std::path::PathBuf,
    faults: std::collections::BTreeMap<&'static str, u32>,
}

/// A library that shows a process another time, as a file says.
fn another_clock(says: &Path) -> Variables {
    let found = std::fs::read_dir("/usr/lib").unwrap().flatten();
    let found =
        found.map(|dir| dir.path().join("faketime/libfaketimeMT.so.1")).find(|path| path.exists());
    let library =
        found.expect("faketime is needed: apt-get install faketime").display().to_string();
    let all = [
        ("LD_PRELOAD", library),
        ("FAKETIME_TIMESTAMP_FILE", says.display().to_string()),
        ("FAKETIME_CACHE_DURATION", "1".to_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
    ];
    all.map(|(name, value)| (name.to_owned(), value)).into()
}

impl Storm {
    /// Makes the ledger, two nodes of it, and a token.
    fn new(home: &Path) -> (Self, Told, String) {
        let (database, bucket, wire) =
            (postgres_server::Server::start(), bucket_server::Server::start(), Wire::new());
        wire.lead_to(Some(bucket.address));
        let mut variables = bucket.variables(wire.address);
        variables.push(("FAIRDEAL_STATE".to_owned(), database.new_url()));
        variables.push(("FAIRDEAL_TILES".to_owned(), "s3://logs/log".to_owned()));
        let dirs = ["one", "two"].map(|name| home.join(name));
        let first = dirs[0].to_str().unwrap();
        run(&variables, &["init", first, "--origin", "cards.example/log"]);
        std::fs::create_dir(&dirs[1]).unwrap();
        copy(&dirs[0], &dirs[1]);
        let key = run(&variables, &["log-key", "--ledger", first]).trim().parse().unwrap();
        let added = run(&variables, &["token", "add", "load", "--json", "--ledger", first]);
        let added: Value = serde_json::from_str(&added).unwrap();
        let clock = home.join("clock");
        std::fs::write(&clock, "+0").unwrap();
        let shifted: Variables = variables.iter().cloned().chain(another_clock(&clock)).collect();
        let nodes = [Node::new(&dirs[0], variables.clone()), Node::new(&dirs[1], shifted)];
        let faults = std::collections::BTreeMap::new();
        let token = added["token"].as_str().unwrap().to_owned();
        (Self { database, bucket, wire, nodes, clock, faults }, Told::new(key), token)
    }

    fn set_clock(&self, offset: &str) {
        // Replaced as a whole: it is read at any moment.
        let new = self.clock.with_extension("new");
        std::fs::write(&new, offset).unwrap();
        std::fs::rename(new, &self.clock).unwrap();
    }

    /// One fault, until it is over.
    fn fault(&mut self, number: usize, world: &World) {
        let node = number.checked_div(FAULTS.len()).unwrap() & 1;
        let fault = FAULTS[number.checked_rem(FAULTS.len()).unwrap()];
        *self.faults.entry(fault).or_default() += 1;
        let ready = |at: usize| world.ready[at].load(Ordering::Relaxed);
        match fault {
            "a node is killed" => {
                for at in [node, node ^ 1] {
                    self.nodes[at].kill();
                    std::thread::sleep(OUTAGE / 4);
                    self.nodes[at].start();
                    until("the node is ready", SOON, || ready(at));
                }
            }
            "the database is killed" => {
                self.database.stop();
                until("no node is ready", SOON, || !ready(0) && !ready(1));
                if node == 1 {
                    // In a long storm every other time for longer than a COMMIT in doubt is asked
                    // about.
                    std::thread::sleep(MAX_LAG + OUTAGE);
                }
                self.database.start_again();
            }
            "the bucket's server stands still" => {
                signal(self.bucket.child.id(), "-STOP");
                std::thread::sleep(OUTAGE * 2);
                signal(self.bucket.child.id(), "-CONT");
            }
            "the bucket's server refuses" => {
                self.wire.lead_to(None);
                until("no node is ready", SOON, || !ready(0) && !ready(1));
                std::thread::sleep(OUTAGE);
                self.wire.lead_to(Some(self.bucket.address));
            }
            "the bucket's answers are cut" => {
                self.wire.cut_one_of(3);
                std::thread::sleep(OUTAGE);
                self.wire.cut_one_of(0);
            }
            "the nodes' answers are cut" => {
                self.nodes.iter().for_each(|node| node.wire.cut_one_of(2));
                std::thread::sleep(OUTAGE);
                self.nodes.iter().for_each(|node| node.wire.cut_one_of(0));
            }
            "a node's clock jumps" => {
                self.set_clock(if node == 0 { "+3h" } else { "-3h" });
                until("the node says so", SOON, || !ready(1));
                std::thread::sleep(OUTAGE);
                self.set_clock("+0");
            }
            "a node is stopped" => {
                self.nodes[node].stop();
                self.nodes[node].start();
            }
            other => panic!("{other}"),
        }
        until(&format!("both nodes are ready again after {fault:?}"), SOON, || {
            ready(0) && ready(1)
        });
    }
}

/// Prints the nodes' last lines if the test fails.
#[expect(clippy::print_stdout, reason = "a failing test says why")]
fn print_why(nodes: &[Node]) {
    if std::thread::panicking() {
        for node in nodes {
            let said = std::fs::read_to_string(&node.log).unwrap_or_default();
            let lines: Vec<&str> = said.lines().rev().take(40).collect();
            println!("{}:", node.log.display());
            lines.iter().rev().for_each(|line| println!("{line}"));
        }
    }
}

impl Drop for Storm {
    fn drop(&mut self) {
        print_why(&self.nodes);
    }
}

const FAULTS: [&str; 8] = [
    "a node is killed",
    "the nodes' answers are cut",
    "the database is killed",
    "the bucket's server refuses",
    "a node's clock jumps",
    "the bucket's server stands still",
    "a node is stopped",
    "the bucket's answers are cut",
];

/// The program finds nothing wrong with the log at this address, but what an outage made late.
fn audits(url: &str, key: &VerifierKey, home: &Path) {
    let file = home.join("log.key");
    std::fs::write(&file, format!("{}\n", key.to_text())).unwrap();
    let output = fairdeal(&[]).args(["audit", url, "--json", "--key"]).arg(file).output().unwrap();
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = verdict["findings"].as_array().unwrap();
    assert!(findings.iter().all(|one| one["code"] == "late-reveal"), "{verdict}");
    assert_eq!(output.status.code(), Some(i32::from(!findings.is_empty())), "{verdict}");
}

/// Copies the bucket's files to a folder.
fn download(bucket: &Bucket, to: &Path) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut paths: Vec<String> = bucket.list("tile").await.unwrap().into_keys().collect();
        paths.push("checkpoint".to_owned());
        for path in paths {
            let file = to.join(&path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, bucket.get(&path).await.unwrap().unwrap()).unwrap();
        }
    });
}

#[test]
fn whatever_fails_under_load_no_answered_deal_is_lost_or_dealt_twice_and_there_is_one_log() {
    let seconds: Option<u64> =
        std::env::var("FAIRDEAL_STORM_SECONDS").ok().map(|text| text.parse().unwrap());
    let home = quick_folder();
    let (mut storm, told, token) = Storm::new(home.path());
    let key = told.key().clone();
    storm.nodes.iter_mut().for_each(Node::start);
    let world = World {
        nodes: storm.nodes.iter().map(|node| node.wire.address).collect::<Vec<SocketAddr>>(),
        token,
        told,
        ready: [false, false].map(AtomicBool::new).into(),
        followed: [0, 0].map(AtomicU64::new).into(),
        is_over: AtomicBool::new(false),
        is_closed: AtomicBool::new(false),
    };
    let mut setup = Client::new(&world, 0);
    let shared = [
        setup.make_table("short", json!({"rounds": 20, "draw": 5})),
        setup.make_table("long", json!({"rounds": 2000, "draw": 5})),
        setup.make_table("timed", json!({"rounds": 2000, "draw": 5, "reveal_in": "12s"})),
    ];
    let own = setup.make_table("own", json!({"rounds": 30, "draw": 5}));
    let start = now();
    std::thread::scope(|scope| {
        // A test that fails here ends its clients too.
        let over = Over(&world);
        for at in 0..2 {
            let world = &world;
            scope.spawn(move || clients::follow(world, at));
        }
        scope.spawn(|| Client::new(&world, 0).watch());
        let mut dealers = Vec::new();
        for number in 0..24 {
            let (world, shared) = (&world, &shared);
            dealers.push(scope.spawn(move || {
                Client::new(world, number & 1).deal(&format!("dealer {number}"), shared);
            }));
        }
        dealers.push(scope.spawn(|| Client::new(&world, 1).lock_and_deal("locker", &own)));
        until("both nodes are ready", SOON, || {
            world.ready.iter().all(|ready| ready.load(Ordering::Relaxed))
        });
        for number in 0.. {
            storm.fault(number, &world);
            let enough = seconds.map_or(number + 1 >= FAULTS.len(), |seconds| {
                number + 1 >= 2 * FAULTS.len() && start.elapsed().as_secs() >= seconds
            });
            if enough {
                break;
            }
            std::thread::sleep(if seconds.is_some() { OUTAGE } else { OUTAGE / 8 });
        }
        world.is_over.store(true, Ordering::Relaxed);
        for dealer in dealers {
            dealer.join().unwrap();
        }
        // All that was made is in the events of both nodes.
        let last =
            world.told.inner().answers.values().map(|answered| answered.index).max().unwrap();
        for at in 0..2 {
            until("the events come", SOON, || world.followed[at].load(Ordering::Relaxed) >= last);
        }
        drop(over);
    });
    audits(&storm.nodes[1].url(), &key, home.path());
    storm.nodes.iter_mut().for_each(Node::stop);

    println!("{:.0?}, faults: {:#?}", start.elapsed(), storm.faults);
    {
        let told = world.told.inner();
        println!("{:#?}", told.figures);
        println!(
            "{} requests answered, {} checkpoints",
            told.answers.len(),
            told.checkpoints.len()
        );
    }
    for node in &storm.nodes {
        println!("kills {}, stops {:?}, answers cut {}", node.kills, node.stops, node.wire.cut());
        println!("{:#?}", checker::said(&node.log));
    }
    println!("bucket's answers cut {}", storm.wire.cut());
    let public = home.path().join("found");
    download(&storm.bucket.bucket("s3://logs/log"), &public);
    println!("{}", checker::check(&public, &key, &world.told));
}
