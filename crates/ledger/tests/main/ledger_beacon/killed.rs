//! A ledger that is killed between a beacon's lock, its cosignatures, its anchor and its deal: the
//! next process finishes the round, and the lock keeps the time at which witnesses had seen it.
//!
//! The child process is this test program again, running [`child`].

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use fairdeal::log::{SignedCheckpoint, verify_checkpoint};
use fairdeal::record::entry::{Anchor, Lock};
use fairdeal_ledger::{FAULT_POINTS, WITNESS_POINTS};

use super::*;

const SIGKILL: i32 = 9;

/// Milliseconds: witnesses need ten seconds, and the process after a kill some more.
const MARGIN: u32 = 16_000;

/// How often a run passes a point at most: the start, the lock, its anchor and the deal each publish.
const TIMES: u32 = 4;

/// The program that locks the round and finishes it.
fn spawn(scene: &Scene, fault: &str) -> Child {
    let args =
        ["--exact", "ledger_beacon::killed::child", "--ignored", "--nocapture", "--test-threads=1"];
    Command::new(std::env::current_exe().expect("this program"))
        .args(args)
        .env("FAIRDEAL_DIR", scene.home.path())
        .env("FAIRDEAL_COMMITMENT", scene.commitment.to_text())
        .env("FAIRDEAL_GENESIS", scene.own.genesis.to_string())
        .env("FAIRDEAL_RELAY", &scene.relay)
        .env("FAIRDEAL_FAULT", fault)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

#[test]
#[ignore = "this is the child that the other tests run"]
fn child() {
    let Ok(dir) = std::env::var("FAIRDEAL_DIR") else { return };
    let variable = |name| std::env::var(name).expect("it is set");
    let genesis = variable("FAIRDEAL_GENESIS").parse().expect("a second");
    let c = Commitment::parse(&variable("FAIRDEAL_COMMITMENT")).expect("a commitment");
    let own = OwnChain { genesis, ..chain() };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let dir = Path::new(&dir);
        let policy = Policy::parse(&std::fs::read(dir.join("policy")).expect("a file"));
        let options =
            options_of(&Arc::new(policy.expect("a policy")), &own, variable("FAIRDEAL_RELAY"));
        let ledger = Ledger::open(dir, options).await.expect("opens");
        ledger.lock(c, NewLock::default(), key("lock")).await.expect("locked");
        // The process before may have finished it.
        if ledger.show(c).await.expect("shown").open.is_some() {
            ledger.finish(c, NewDeal::default()).await.expect("finished");
        }
        ledger.close().await.expect("closed");
    });
}

/// Anchors come for a beacon's lock alone: no other one is due within the test.
fn options_of(policy: &Arc<Policy>, own: &OwnChain, relay: String) -> LedgerOptions {
    let witnesses =
        Witnessing { anchor_every: Duration::from_hours(1), ..quick(policy, WitnessMode::Publish) };
    LedgerOptions { witnesses: Some(witnesses), ..with_relays(own, vec![relay]) }
}

/// A ledger with a table whose round 0 is to be locked.
struct Scene {
    home: Home,
    own: OwnChain,
    relay: String,
    policy: Arc<Policy>,
    commitment: Commitment,
    _witnesses: [Scripted; 3],
}

impl Scene {
    async fn new() -> Self {
        let (home, own) = (Home::quick().await, chain());
        let witnesses = [1, 2, 3].map(|number| Scripted::honest(number, &home.key));
        let text = policy_text(2, &witnesses.each_ref());
        std::fs::write(home.path().join("policy"), &text).expect("written");
        let policy = Arc::new(Policy::parse(text.as_bytes()).expect("a policy"));
        let relay = honest(&own);
        let options = options_of(&policy, &own, relay.clone());
        let ledger = Ledger::open(home.path(), options).await.expect("opens");
        // The log's first anchor needs no time since one before.
        let other = ledger.commit(terms("other"), None).await.expect("committed").index;
        until("an anchor", || anchors(&home).last().is_some_and(|one| one.size.value() > other))
            .await;
        let commitment =
            ledger.commit(waits_for(&own, MARGIN), None).await.expect("committed").commitment;
        ledger.close().await.expect("closed");
        Self { home, own, relay, policy, commitment, _witnesses: witnesses }
    }

    fn entries(&self) -> Vec<Entry> {
        let audit = self.home.audit();
        assert_eq!(audit.findings, []);
        audit.entries
    }

    /// The lock's index, if it is published.
    fn lock(&self) -> Option<(u64, Lock)> {
        let mut locks = (0..).zip(self.entries()).filter_map(|(index, entry)| match entry {
            Entry::Lock(lock) => Some((index, *lock)),
            _ => None,
        });
        let first = locks.next();
        assert!(locks.next().is_none(), "it is locked once");
        first
    }

    /// By which second witnesses had seen the lock, as the published checkpoint and the anchors show
    /// it.
    fn seen(&self) -> Option<u64> {
        let (index, _) = self.lock()?;
        let text = std::fs::read_to_string(self.home.public().join("checkpoint")).expect("a note");
        let size = verify_checkpoint(&text, &self.home.key).expect("ours").size();
        let note = SignedCheckpoint::parse(&text).expect("a note");
        let note = (size, note.witnessed(&self.policy).expect("each line verifies").quorum);
        let anchors = anchors(&self.home).into_iter().map(|anchor| {
            let witnessed = anchor.witnessed(&self.policy, origin().as_str());
            (anchor.size.value(), witnessed.and_then(|one| one.quorum))
        });
        let over = anchors.chain([note]).filter(|(size, _)| *size > index);
        over.filter_map(|(_, quorum)| quorum?.by).min()
    }

    /// Waits between the kill and the next process: a while in which the witnesses' clocks go on, or
    /// until the beacon's round is out.
    fn pass(&self, until_out: bool) {
        std::thread::sleep(Duration::from_millis(2_100));
        let Some((_, lock)) = self.lock().filter(|_| until_out) else { return };
        let out = self.own.chain().out(lock.beacon.expect("a round").value());
        while now() <= out {
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Kills a run at a point, and runs it again. Returns whether it was killed.
    async fn kill(self, fault: String, until_out: bool) -> bool {
        let ended = tokio::task::spawn_blocking(move || {
            let killed = spawn(&self, &fault).wait_with_output().expect("it ran");
            let is_killed = killed.status.signal() == Some(SIGKILL);
            let said = String::from_utf8_lossy(&killed.stderr).into_owned();
            assert!(is_killed || killed.status.success(), "{fault}: {said}");
            let seen = self.seen();
            // The anchor may be decided before the checkpoint is written.
            self.pass(until_out && seen.is_some());
            let again = spawn(&self, "").wait_with_output().expect("it ran");
            let said = String::from_utf8_lossy(&again.stderr).into_owned();
            assert!(again.status.success(), "{fault}: {said}");
            let kept =
                self.seen().unwrap_or_else(|| panic!("{fault}: no witness has seen the lock"));
            // What the world saw at the kill, it can see for ever.
            assert!(seen.is_none_or(|seen| kept <= seen), "{fault}: {seen:?}, then {kept}");
            let (_, lock) = self.lock().expect("a lock");
            let out = self.own.chain().out(lock.beacon.expect("a round").value());
            assert!(kept + 5 <= out, "{fault}: seen at {kept}, out at {out}");
            let entries = self.entries();
            let ends = entries.iter().filter(|entry| {
                entry.commitment() == Some(self.commitment) && entry.nonce().is_some()
            });
            let kinds: Vec<&str> = ends.map(Entry::kind).collect();
            assert_eq!(kinds, ["lock", "deal"], "{fault}: it is dealt once");
            (self, is_killed, fault)
        });
        let (scene, is_killed, fault) = ended.await.expect("no panic");
        // A reader sees it too.
        let options = options_of(&scene.policy, &scene.own, scene.relay.clone());
        let ledger = Ledger::open(scene.home.path(), options).await.expect("opens");
        ledger.reveal(scene.commitment, NewReveal::default(), None).await.expect("revealed");
        let found = verdict(&ledger, scene.commitment, &scene.own, Some(&scene.policy)).await;
        assert!(found.shown.contains(&Shown::LockedBeforeBeacon), "{fault}: {found:?}");
        ledger.close().await.expect("closed");
        is_killed
    }
}

fn anchors(home: &Home) -> Vec<Anchor> {
    let of = |entry| match entry {
        Entry::Anchor(anchor) => Some(*anchor),
        _ => None,
    };
    home.audit().entries.into_iter().filter_map(of).collect()
}

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = tokio::time::Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_mins(1), "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_keeps_its_time_and_its_round_is_dealt_wherever_the_ledger_is_killed() {
    let is_passed = |point: &&str| {
        // A bundle must be full for these.
        !["publish-synced", "publish-read-back", "publish-dropped"].contains(point)
    };
    let points: Vec<&str> = [FAULT_POINTS, WITNESS_POINTS]
        .concat()
        .into_iter()
        .filter(|point| is_passed(point))
        .collect();
    for times in points.chunks(3) {
        let mut runs = Vec::new();
        for point in times {
            for time in 1..=TIMES {
                let fault = format!("{point}:{time}");
                let scene = Scene::new().await;
                runs.push(tokio::spawn(async move {
                    (time, fault.clone(), scene.kill(fault, false).await)
                }));
            }
        }
        for run in runs {
            let (time, fault, is_killed) = run.await.expect("no panic");
            // The lock, its anchor and the deal each pass each point.
            assert!(is_killed || time == TIMES, "{fault} is passed");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_without_its_anchor_keeps_its_time_also_if_the_next_process_deals_at_once() {
    // After witnesses have signed the lock's checkpoint, and before its anchor is committed.
    let mut runs = Vec::new();
    for fault in ["publish-checkpoint:2", "batch-begun:2", "batch-written:2"] {
        let scene = Scene::new().await;
        runs.push(tokio::spawn(async move { scene.kill(fault.to_owned(), true).await }));
    }
    for run in runs {
        assert!(run.await.expect("no panic"), "it is killed");
    }
}
