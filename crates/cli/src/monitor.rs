//! `fairdeal monitor`: follows logs, and tells what it finds (spec/audit.md, section 29).

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};

use super::exit::Failure;
use super::known;
use super::logs::{self, Log};
use super::out::{BAD, FAINT, GOOD, Out, STRONG, UNSURE, plain};
use super::policy::ReadersPolicy;
use super::serve::address;
use super::time;
use fairdeal_monitor::{
    ComparedWith, EventKind, FollowedLog, Monitor, MonitorEvent, MonitorOptions, Outcome, Webhook,
    WebhookLimits,
};

/// Follow logs, and tell what does not hold
///
/// A monitor shows that each new checkpoint continues those before, audits the entries as they come,
/// and compares the log with what others were given. Of a fork it writes evidence that anybody can
/// verify.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The logs: URLs, or folders (a ledger's, or its public part)
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<String>,

    /// The log's verifier key, or a file with it; for several logs once for each, in their order
    /// [default: the known key of each log's origin, see fairdeal trust]
    #[arg(long, value_name = "VKEY")]
    key: Vec<String>,

    /// Your witnesses: a tlog-policy file, for every log [default: the policy that is kept with a
    /// known key, see fairdeal trust]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// The folder where it keeps what it knows, its events and the evidence
    #[arg(long, value_name = "DIR")]
    state: PathBuf,

    /// What others were given: another URL or folder of a log, a saved checkpoint, a receipt; may be
    /// repeated
    #[arg(long, value_name = "LOG-OR-FILE")]
    compare: Vec<String>,

    /// Look once, and end: for cron
    #[arg(long, conflicts_with_all = ["every", "metrics"])]
    once: bool,

    /// The time between two looks at a log, give or take a tenth
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = every)]
    every: Duration,

    /// How long before a reveal is due to warn of it
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time::parse_duration)]
    warn_before: Duration,

    /// With a policy: how long your witnesses may see nothing of new entries before a warning
    #[arg(long, value_name = "TIME", default_value = "15m", value_parser = time::parse_duration)]
    witness_within: Duration,

    /// How long a fault must last before a warning, so that a restart is none [default: twice
    /// --every; with --once 0s]
    #[arg(long, value_name = "TIME", value_parser = time::parse_duration)]
    patience: Option<Duration>,

    /// Post each event to this URL, as JSON
    #[arg(long, value_name = "URL")]
    webhook: Option<String>,

    /// Serve numbers for Prometheus at /metrics on this address
    #[arg(long, value_name = "ADDR", value_parser = address)]
    metrics: Option<SocketAddr>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal monitor https://cards.example/log --key log.key --state ~/monitor
  fairdeal monitor https://a.example/log https://b.example/log \\
      --key a.key --key b.key --state ~/monitor
  fairdeal monitor casino --key log.key --state watch --once --json
  fairdeal monitor https://cards.example/log --key log.key --state watch \\
      --compare https://mirror.example/log --compare receipt.json

Events: fork and finding accuse the operator; warning and over accuse nobody. Each is told at least once, also if the \
monitor is killed: one that is told again has the same id. With --json each is an object on a line of its own.

Exit codes of --once: 1 if something accuses an operator, 3 if a log could not be judged, 0 otherwise. Without --once \
SIGTERM and SIGINT end it with 0.

The evidence of a fork is a file in --state, named in the event: fairdeal verify FILE --key VKEY.";

fn every(text: &str) -> Result<Duration, String> {
    let every = time::parse_duration(text)?;
    if every.is_zero() { Err("expected more than 0s".to_owned()) } else { Ok(every) }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let logs = followed(args)?;
    let webhook = args.webhook.as_deref().map(|url| Webhook::new(url, WebhookLimits::default()));
    let webhook = webhook.transpose().map_err(|error| usage!("--webhook: {error}"))?;
    let patience = args.patience.unwrap_or(if args.once {
        Duration::ZERO
    } else {
        args.every.saturating_mul(2)
    });
    let options = MonitorOptions {
        state: args.state.clone(),
        now: time::now,
        warn_before: milliseconds(args.warn_before),
        witness_within: milliseconds(args.witness_within),
        patience: milliseconds(patience),
    };
    let unusable = |error: fairdeal_monitor::MonitorError| unavailable!("--state {error}");
    let mut monitor = Monitor::open(&logs, &options, webhook).map_err(unusable)?;
    let out = Mutex::new(out);
    let tell = |event: &MonitorEvent| {
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        print(event, &mut out);
        // Before the state says that it was told.
        if let Err(failure) = out.flush() {
            logs::warn(&failure.into_says());
        }
    };
    let trouble = |says: &str| logs::warn(says);
    if args.once {
        let outcome = monitor.once(&tell, &trouble).map_err(unusable)?;
        let out = out.into_inner().unwrap_or_else(PoisonError::into_inner);
        match outcome {
            Outcome::Holds => {}
            Outcome::NotJudged => out.could_not_be_checked(),
            Outcome::Accuses => out.does_not_hold(),
        }
        return Ok(());
    }
    if let Some(address) = args.metrics {
        let bound = TcpListener::bind(address);
        let served = bound.and_then(|listener| monitor.metrics().serve(listener, time::now));
        served.map_err(|error| unavailable!("--metrics {address}: {error}"))?;
    }
    for signal in [SIGTERM, SIGINT] {
        signal_hook::flag::register(signal, monitor.stop())
            .map_err(|error| unavailable!("the system: no signals can be received: {error}"))?;
    }
    monitor.follow(args.every, &tell, &trouble);
    Ok(())
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The logs, each with its key and policy.
/// Exit 2 for a wrong key, URL or policy, and for a number of keys that is not that of the logs; 3
/// for what cannot be read.
fn followed(args: &Args) -> Result<Vec<FollowedLog>, Failure> {
    if !args.key.is_empty() && args.key.len() != args.logs.len() {
        let (logs, keys) = (args.logs.len(), args.key.len());
        return Err(usage!("--key: expected one for each of {logs} logs, or none, found {keys}"));
    }
    let compare = args.compare.iter().map(|name| compared(name));
    let compare = compare.collect::<Result<Vec<_>, _>>()?;
    let mut followed: Vec<FollowedLog> = Vec::new();
    for (at, name) in args.logs.iter().enumerate() {
        check_log(name)?;
        let chosen = known::key_of_log(args.key.get(at).map(String::as_str), name)?;
        let policy = ReadersPolicy::of(args.policy.as_deref(), &chosen)?;
        if followed.iter().any(|other| other.key == chosen.key) {
            let says =
                format!("{name}: expected a log for each key, found a second one of this key");
            return Err(
                Failure::usage(says).hint("Another place of the same log is for --compare.")
            );
        }
        followed.push(FollowedLog {
            name: name.clone(),
            key: chosen.key,
            policy: policy.map(|policy| policy.policy),
            compare: compare.clone(),
        });
    }
    Ok(followed)
}

/// Refuses what is neither a URL nor a folder.
fn check_log(name: &str) -> Result<(), Failure> {
    let log = Log::new(name, None, None)?;
    if log.is_live() {
        return log.open().map(drop);
    }
    if log.is_stdin() || Path::new(name).is_file() {
        return Err(usage!("{name}: expected a URL or a folder: a file or stdin does not grow"));
    }
    Ok(())
}

fn compared(name: &str) -> Result<ComparedWith, Failure> {
    let log = Log::new(name, None, None)?;
    if log.is_live() {
        log.open()?;
        return Ok(ComparedWith::Log(name.to_owned()));
    }
    let path = Path::new(name);
    if path.is_dir() {
        return Ok(ComparedWith::Log(name.to_owned()));
    }
    if !path.is_file() {
        return Err(unavailable!("--compare {name}: expected a log or a file, found none"));
    }
    Ok(ComparedWith::File(path.to_owned()))
}

fn print(event: &MonitorEvent, out: &mut Out) {
    if out.json() {
        out.line(event.to_line());
        return;
    }
    let style = match (event.event, event.code) {
        (EventKind::Fork | EventKind::Finding, _) => BAD,
        (EventKind::Warning, _) => UNSURE,
        (EventKind::Judged, "does-not-hold") => STRONG,
        (EventKind::Over | EventKind::Judged, _) => GOOD,
    };
    let (time, log) = (time::utc(event.time), plain(&event.log));
    let (kind, code) = (event.event.as_str(), event.code);
    let at = event.index.map_or_else(String::new, |index| format!(" at entry {index}"));
    say!(
        out,
        "{FAINT}{time}{FAINT:#}  {STRONG}{log}{STRONG:#}  {style}{kind} {code}{style:#}{at}: {}",
        plain(&event.says)
    );
    if let Some(evidence) = &event.evidence {
        out.field("evidence", plain(evidence));
    }
}
