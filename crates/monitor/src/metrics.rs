//! What a monitor knows as text for Prometheus (docs/monitor.md).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::event::MonitorEvent;
use super::follow::Status;
use super::lock;

/// The numbers of a monitor.
#[derive(Debug, Default)]
pub struct MonitorMetrics {
    numbers: Mutex<Numbers>,
}

#[derive(Debug, Default)]
struct Numbers {
    logs: BTreeMap<String, Status>,
    events: BTreeMap<(String, &'static str, &'static str), u64>,
    failed: u64,
    waiting: u64,
    lost: u64,
}

/// A number of a log.
type OfLog = (&'static str, &'static str, fn(&Status, u64) -> Option<u64>);

/// Seconds from a time in milliseconds to now.
fn age(then: Option<u64>, now: u64) -> Option<u64> {
    then.map(|then| now.saturating_sub(then) / 1000)
}

/// The value of a label, which Prometheus reads in quotes.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

const OF_LOGS: &[OfLog] = &[
    ("entries", "Entries under the last checkpoint that was read.", |log, _| log.size),
    (
        "checkpoint_age_seconds",
        "Since this monitor first saw a checkpoint of this size.",
        |log, now| age(log.since, now),
    ),
    ("quorum_age_seconds", "Since the last quorum of your witnesses.", |log, now| {
        age(log.quorum.map(|quorum| quorum.saturating_mul(1000)), now)
    }),
    ("last_success_seconds", "When the log was last judged, in Unix seconds.", |log, _| {
        log.succeeded.map(|time| time / 1000)
    }),
    ("judged", "1: the last look ended with a verdict.", |log, _| Some(u64::from(log.is_judged))),
    ("forks", "Forks that were found.", |log, _| Some(log.forks)),
];

impl MonitorMetrics {
    pub(crate) fn looked(&self, log: &str, status: &Status) {
        lock(&self.numbers).logs.insert(label(log), status.clone());
    }

    pub(crate) fn told(&self, event: &MonitorEvent) {
        let key = (label(&event.log), event.event.as_str(), event.code);
        *lock(&self.numbers).events.entry(key).or_default() += 1;
    }

    pub(crate) fn posting(&self, failed: u64, waiting: u64, lost: u64) {
        let mut numbers = lock(&self.numbers);
        numbers.failed += failed;
        (numbers.waiting, numbers.lost) = (waiting, lost);
    }

    /// The numbers at a time in Unix milliseconds.
    #[must_use]
    pub fn text(&self, now: u64) -> String {
        let numbers = lock(&self.numbers);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let head = |text: &mut String, name: &str, kind: &str, help: &str| {
            let name = format!("fairdeal_monitor_{name}");
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            name
        };
        for (name, help, value) in OF_LOGS {
            let name = head(&mut text, name, "gauge", help);
            for (log, status) in &numbers.logs {
                if let Some(value) = value(status, now) {
                    let _ = writeln!(text, "{name}{{log=\"{log}\"}} {value}");
                }
            }
        }
        let name =
            head(&mut text, "findings", "gauge", "Findings that accuse the operator, by code.");
        for (log, status) in &numbers.logs {
            for (code, many) in &status.counts {
                let _ = writeln!(text, "{name}{{log=\"{log}\",code={code:?}}} {many}");
            }
        }
        let name = head(&mut text, "warnings", "gauge", "Warnings that last, by code.");
        for (log, status) in &numbers.logs {
            let mut by_code: BTreeMap<&str, u64> = BTreeMap::new();
            status.warnings.iter().for_each(|code| *by_code.entry(code).or_default() += 1);
            for (code, many) in by_code {
                let _ = writeln!(text, "{name}{{log=\"{log}\",code={code:?}}} {many}");
            }
        }
        let name = head(&mut text, "events_total", "counter", "Events that were told.");
        for ((log, kind, code), many) in &numbers.events {
            let _ = writeln!(text, "{name}{{log=\"{log}\",event={kind:?},code={code:?}}} {many}");
        }
        let posts = [
            ("webhook_failures_total", "counter", "Posts that failed.", numbers.failed),
            ("webhook_waiting", "gauge", "Events that wait to be posted.", numbers.waiting),
            (
                "webhook_lost_total",
                "counter",
                "Events never posted: too many waited.",
                numbers.lost,
            ),
        ];
        for (name, kind, help, value) in posts {
            let name = head(&mut text, name, kind, help);
            let _ = writeln!(text, "{name} {value}");
        }
        text
    }

    /// Serves the numbers at `/metrics` until the process ends.
    ///
    /// # Errors
    /// The system's, if it gives no thread.
    pub fn serve(self: &Arc<Self>, listener: TcpListener, now: fn() -> u64) -> io::Result<()> {
        let numbers = Arc::clone(self);
        std::thread::Builder::new().name("metrics".to_owned()).spawn(move || {
            // One after the other: each has at most a few seconds.
            for stream in listener.incoming().flatten() {
                let _ = answer(stream, || numbers.text(now()));
            }
        })?;
        Ok(())
    }
}

/// Answers one request. A client that is slow, or sends more than a scraper does, is cut off.
fn answer(mut stream: TcpStream, text: impl FnOnce() -> String) -> io::Result<()> {
    const READS: usize = 8;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    stream.set_write_timeout(Some(Duration::from_secs(2)))?;
    let (mut asked, mut some) = (Vec::new(), [0; 2048]);
    for _ in 0..READS {
        let read = stream.read(&mut some)?;
        asked.extend_from_slice(some.get(..read).unwrap_or_default());
        if read == 0 || asked.windows(4).any(|end| end == b"\r\n\r\n") {
            break;
        }
    }
    let is_asked = asked.starts_with(b"GET /metrics ") || asked.starts_with(b"GET /metrics?");
    let (status, body) =
        if is_asked { ("200 OK", text()) } else { ("404 Not Found", String::new()) };
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}
