//! A monitor of logs on paper, whose clock stands still: what it is given, and what it tells.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place"
)]

mod attacked;
mod faults;
mod forks;
#[path = "../../../audit/tests/main/server.rs"]
#[allow(dead_code, reason = "shared with that crate's tests, which use all of it")]
mod server;
mod warnings;

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fairdeal::log::Policy;
use fairdeal::record::receipt::{Evidence, GivenFile, ReaderGiven, verify_several};
use fairdeal_monitor::{
    ComparedWith, EventKind, FollowedLog, Monitor, MonitorEvent, MonitorOptions, Outcome,
};
use tempfile::TempDir;
use tools::paper::{PaperLog, START, counting_seed, paper_key};

thread_local! {
    /// An hour after the first entry of a paper log: no reveal is due.
    static NOW: Cell<u64> = const { Cell::new(START + 3_600_000) };
}

fn now() -> u64 {
    NOW.get()
}

/// Time passes.
pub(crate) fn pass(milliseconds: u64) {
    NOW.set(NOW.get() + milliseconds);
}

/// A monitor of one log, and its folder. Each look is a process of its own: only the folder stays.
pub(crate) struct Watch {
    dir: TempDir,
    pub(crate) log: FollowedLog,
    /// Others that are followed too.
    pub(crate) others: Vec<FollowedLog>,
    pub(crate) options: MonitorOptions,
}

impl Watch {
    /// Of the log in this place; without one, of the folder `log` below its own.
    pub(crate) fn new(place: Option<&str>) -> Self {
        let dir = TempDir::new().unwrap();
        let folder = || dir.path().join("log").display().to_string();
        let name = place.map_or_else(folder, str::to_owned);
        let log = FollowedLog { name, key: paper_key().clone(), policy: None, compare: Vec::new() };
        let options = MonitorOptions::new(dir.path().join("state"), now);
        Self { dir, log, others: Vec::new(), options }
    }

    /// A monitor that has looked once at this log, and found it in order.
    pub(crate) fn seen(log: &PaperLog) -> Self {
        let watch = Self::new(None);
        watch.serve(log);
        watch.finds_nothing();
        watch
    }

    pub(crate) fn under(mut self, policy: &str) -> Self {
        self.log.policy = Some(Arc::new(Policy::parse(policy.as_bytes()).unwrap()));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The log is this one from now on.
    pub(crate) fn serve(&self, log: &PaperLog) {
        publish(log, &self.path("log"));
    }

    pub(crate) fn compare(&mut self, with: ComparedWith) {
        self.log.compare.push(with);
    }

    /// One look: the outcome, and what was told but `judged`.
    pub(crate) fn look(&self) -> (Outcome, Vec<MonitorEvent>) {
        let mut logs = vec![self.log.clone()];
        logs.extend(self.others.iter().cloned());
        let told = Mutex::new(Vec::new());
        let tell = |event: &MonitorEvent| told.lock().unwrap().push(event.clone());
        let mut monitor = Monitor::open(&logs, &self.options, None).unwrap();
        let outcome = monitor.once(&tell, &|says| panic!("{says}")).unwrap();
        let mut told = told.into_inner().unwrap();
        told.retain(|event: &MonitorEvent| event.event != EventKind::Judged);
        (outcome, told)
    }

    /// A look that finds nothing.
    pub(crate) fn finds_nothing(&self) {
        assert_eq!(self.look(), (Outcome::Holds, Vec::new()));
    }

    /// A look that tells one thing.
    pub(crate) fn tells(&self, outcome: Outcome) -> MonitorEvent {
        let (found, mut told) = self.look();
        assert_eq!((found, told.len()), (outcome, 1), "{told:?}");
        told.remove(0)
    }
}

/// Replaces the files of a log.
pub(crate) fn publish(log: &PaperLog, place: &Path) {
    let _ = fs::remove_dir_all(place);
    log.publish(place);
}

/// A log of a commit, and for each word so many deals with it. The same words give the same log.
pub(crate) fn dealt(words: &[(&str, u64)]) -> PaperLog {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    let all = words.iter().flat_map(|(word, rounds)| (0..*rounds).map(move |_| word));
    for (nonce, word) in (0..).zip(all) {
        log.deal(&commit, &seed.mac(), nonce, &[("alice", word)]);
    }
    log
}

/// The codes that a verifier finds in an evidence file alone.
pub(crate) fn judged_alone(event: &MonitorEvent) -> Vec<&'static str> {
    let bytes = fs::read(event.evidence.as_ref().expect("evidence")).unwrap();
    let evidence = Evidence::parse(&bytes).unwrap().expect("evidence");
    // An empty object is in the place of a receipt where no view was at hand.
    let file =
        |(name, file): &(String, Result<_, String>)| Some((name.clone(), file.clone().ok()?));
    let files: Vec<_> = evidence.files.iter().filter_map(file).collect();
    let given: Vec<GivenFile<'_>> =
        files.iter().map(|(name, document)| GivenFile { name, document, is_kept: false }).collect();
    let heads = evidence.since.iter().map(|head| ("since".to_owned(), head.clone())).collect();
    let given_too = ReaderGiven { heads, ..ReaderGiven::default() };
    let (alone, together) = verify_several(&given, paper_key(), &given_too);
    let all = alone.iter().flat_map(|verdict| &verdict.findings).chain(&together);
    all.map(|found| found.code.as_str()).collect()
}
