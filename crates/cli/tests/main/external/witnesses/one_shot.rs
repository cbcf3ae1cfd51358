//! `fairdeal deal --policy`, killed at every point.

use std::process::{Command, Output};
use std::time::Duration;

use fairdeal::deal::Commitment;
use fairdeal::log::SignedCheckpoint;
use fairdeal::record::entry::Entry;
use fairdeal_ledger::{
    FAULT_POINTS, Ledger, LedgerOptions, WITNESS_POINTS, WitnessMode, Witnessing,
};
use serde_json::Value;

use super::ours::{Ours, parsed, two_of};
use super::{OF_FULL_BUNDLES, anchors, audits, fairdeal, quick, until};
use crate::ledger_support::*;

/// Longer than a test: after the first anchor there is no other one.
const HOUR: Duration = Duration::from_hours(1);

/// A ledger with a table, and three witnesses of which two must sign.
struct Scene {
    home: Home,
    mode: WitnessMode,
    _witnesses: [Ours; 3],
    policy: String,
    commitment: Commitment,
    /// What was published when somebody looked last.
    entries: Vec<Entry>,
    /// The deals so far.
    deals: u32,
}

impl Scene {
    async fn new(mode: WitnessMode) -> Self {
        let home = Home::quick().await;
        let witnesses = Ours::three(home.path(), &home.key);
        let policy = two_of(&witnesses);
        std::fs::write(home.path().join("policy"), &policy).expect("written");
        let mut scene = Self {
            home,
            mode,
            _witnesses: witnesses,
            policy,
            commitment: Commitment::from_bytes([0; 32]),
            entries: Vec::new(),
            deals: 0,
        };
        let ledger = scene.open(HOUR).await;
        scene.commitment = commit(&ledger).await;
        ledger.close().await.expect("closed");
        scene.look();
        scene
    }

    /// The ledger in this process.
    async fn open(&self, anchor_every: Duration) -> Ledger {
        let options = quick(&parsed(&self.policy), 20);
        let witnesses = options.witnesses.clone().map(|witnesses| Witnessing {
            mode: self.mode,
            anchor_every,
            ..witnesses
        });
        let options = LedgerOptions { witnesses, ..options };
        Ledger::open(self.home.path(), options).await.expect("opens")
    }

    /// Waits until an anchor covers the last deal. In anchor mode a command ends before the witnesses
    /// have answered.
    async fn anchor(&mut self) {
        let ledger = self.open(Duration::ZERO).await;
        until("an anchor over the last deal", || {
            self.look();
            let is_other = |entry: &Entry| !matches!(entry, Entry::Anchor(_));
            let last = self.entries.iter().rposition(is_other).expect("a commit");
            let size = anchors(&self.home).last().map_or(0, |one| one.size.value());
            usize::try_from(size).is_ok_and(|size| size > last)
        })
        .await;
        ledger.close().await.expect("closed");
        self.look();
    }

    /// Deals until the next entry fills a bundle.
    async fn fill(&mut self) {
        let ledger = self.open(HOUR).await;
        while self.entries.len() & 255 < 255 {
            // Anchors may come with them.
            let before = self.entries.len();
            ledger.deal(self.commitment, round("x"), None).await.expect("dealt");
            self.deals += 1;
            self.look();
            assert!(self.entries.len() > before);
        }
        ledger.close().await.expect("closed");
    }

    /// What is published has a quorum in publish mode, and goes on from what was there.
    fn look(&mut self) {
        let file = self.home.public().join("checkpoint");
        let note = std::fs::read_to_string(file).expect("a checkpoint");
        let signed = SignedCheckpoint::parse(&note).expect("a checkpoint");
        let found = signed.witnessed(&parsed(&self.policy)).expect("each line verifies");
        assert!(self.mode == WitnessMode::Anchor || found.quorum.is_some(), "{note}");
        let audit = self.home.audit();
        assert_eq!(audit.findings, []);
        assert!(audit.entries.starts_with(&self.entries), "what was published is there");
        self.entries = audit.entries;
    }

    fn run(&self, words: &[&str], fault: &str) -> Output {
        let mode = if self.mode == WitnessMode::Publish { "publish" } else { "anchor" };
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(words).args(["--ledger", ".", "--policy", "policy", "--witness-mode", mode]);
        command.args(["--witness-every", "0s", "--anchor-every", "0s", "--json"]);
        command.current_dir(self.home.path()).env("FAIRDEAL_FAULT", fault);
        command.output().expect("it runs")
    }

    /// Kills a deal at a point; then it is there once or not at all, and again the same. Returns
    /// whether it was killed.
    fn kill(&mut self, fault: &str) -> bool {
        let c = self.commitment.to_text();
        let deal = ["deal", &c, "--client", "alice=lucky", "--idempotency-key", fault];
        let output = self.run(&deal, fault);
        let told: Option<Value> = serde_json::from_slice(&output.stdout).ok();
        for _ in 0..2 {
            // As the kill left it, and after the next process.
            self.look();
            if let Some(told) = &told {
                let index = told["index"].as_u64().and_then(|index| usize::try_from(index).ok());
                assert!(index.is_some_and(|index| index < self.entries.len()), "{fault}: {told}");
            }
            let again = self.run(&deal, "");
            let said = String::from_utf8_lossy(&again.stderr);
            assert!(again.status.success(), "{fault}: {said}");
            let again: Value = serde_json::from_slice(&again.stdout).expect("JSON");
            assert_eq!(again["nonce"], self.deals, "{fault}: dealt once");
            if let Some(told) = &told {
                assert_eq!(again["cards"], told["cards"], "{fault}");
            }
        }
        self.deals += 1;
        output.status.code().is_none()
    }

    /// Reveals, and judges all of it.
    fn ends(mut self, with_anchors: bool) {
        let c = self.commitment.to_text();
        let output = self.run(&["reveal", &c, "--force"], "");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self.look();
        let sizes: Vec<u64> = anchors(&self.home).iter().map(|one| one.size.value()).collect();
        assert!(sizes.is_sorted_by(|one, next| one < next), "{sizes:?}");
        assert!(!with_anchors || sizes.len() > 4, "{sizes:?}");
        audits(&self.home, &self.policy, self.mode == WitnessMode::Publish);
        let (code, fsck) = fairdeal(self.home.path(), &["fsck", "--ledger", "."]);
        assert_eq!(code, Some(0), "{fsck}");
    }
}

/// Kills deals at each of these points, the first and the second time that it is passed.
async fn killed_at(mode: WitnessMode, points: &[&str]) {
    let mut scene = Scene::new(mode).await;
    for point in points.iter().filter(|point| !OF_FULL_BUNDLES.contains(point)) {
        scene.anchor().await;
        assert!(scene.kill(&format!("{point}:1")), "{point} is passed");
        scene.kill(&format!("{point}:2"));
    }
    scene.ends(true);
    // The next process leaves these to a later one, so each has a ledger of its own.
    for point in OF_FULL_BUNDLES {
        let mut scene = Scene::new(mode).await;
        scene.fill().await;
        assert!(scene.kill(point), "{point} is passed");
        scene.ends(false);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_is_killed_at_any_point_in_publish_mode_publishes_nothing_without_a_quorum()
{
    killed_at(WitnessMode::Publish, &[FAULT_POINTS, WITNESS_POINTS].concat()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_is_killed_at_any_point_in_anchor_mode_deals_once_and_keeps_its_anchors() {
    killed_at(WitnessMode::Anchor, FAULT_POINTS).await;
}
