//! What a witness counts, as text for Prometheus. Names and meanings: docs/witness.md.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The statuses that `add-checkpoint` answers with.
const STATUSES: [u16; 11] = [200, 400, 403, 404, 408, 409, 413, 422, 429, 503, 0];

/// The numbers of one witness, from its start.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    answers: [AtomicU64; STATUSES.len()],
    pub(crate) groups: AtomicU64,
    contradictions: AtomicU64,
    pub(crate) refused_connections: AtomicU64,
    pub(crate) faults: AtomicU64,
    micros: AtomicU64,
}

/// Adds one.
pub(crate) fn count(number: &AtomicU64) {
    number.fetch_add(1, Ordering::Relaxed);
}

impl Numbers {
    /// An answer to `add-checkpoint`, and how long it took.
    pub(crate) fn answered(&self, status: u16, took: Duration) {
        let at = STATUSES.iter().position(|known| *known == status);
        if let Some(number) = at.and_then(|at| self.answers.get(at)).or(self.answers.last()) {
            count(number);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// So many checkpoints that contradict what was signed.
    pub(crate) fn contradict(&self, many: u64) {
        self.contradictions.fetch_add(many, Ordering::Relaxed);
    }

    /// All of them, as Prometheus reads them.
    pub(crate) fn to_text(&self, logs: usize, stopped: bool) -> String {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let mut text = String::new();
        let head = |name: &str, kind: &str, help: &str| {
            format!(
                "# HELP fairdeal_witness_{name} {help}\n# TYPE fairdeal_witness_{name} {kind}\n"
            )
        };
        text.push_str(&head("requests_total", "counter", "Answers to add-checkpoint, by status."));
        for (status, number) in STATUSES.iter().zip(&self.answers) {
            let status = if *status == 0 { "other".to_owned() } else { status.to_string() };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "fairdeal_witness_requests_total{{status=\"{status}\"}} {}",
                read(number)
            );
        }
        let seconds = Duration::from_micros(read(&self.micros)).as_secs_f64();
        let name = "request_seconds_sum";
        text.push_str(&head(name, "counter", "Time to answer, all requests together."));
        let _ = writeln!(text, "fairdeal_witness_{name} {seconds}");
        for (name, kind, value, help) in [
            ("groups_total", "counter", read(&self.groups), "Transactions that were committed."),
            (
                "contradictions_total",
                "counter",
                read(&self.contradictions),
                "Checkpoints that contradict what was signed: see the evidence.",
            ),
            (
                "refused_connections_total",
                "counter",
                read(&self.refused_connections),
                "Connections that found all taken.",
            ),
            ("faults_total", "counter", read(&self.faults), "Transactions that failed."),
            ("logs", "gauge", logs.try_into().unwrap_or(u64::MAX), "Logs that it signs for."),
            ("stopped", "gauge", u64::from(stopped), "1: the disk failed, and it signs nothing."),
        ] {
            text.push_str(&head(name, kind, help));
            let _ = writeln!(text, "fairdeal_witness_{name} {value}");
        }
        text
    }
}
