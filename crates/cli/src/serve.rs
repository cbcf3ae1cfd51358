//! `fairdeal serve`: the ledger over HTTP.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use clap::ValueEnum;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::Serialize;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Handle};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

use super::beacon::BeaconArgs;
use super::exit::Failure;
use super::hints;
use super::operator::LedgerPath;
use super::out::Out;
use super::time;
use super::witnesses::WitnessArgs;
use fairdeal_audit::source::{Http, HttpLimits};
use fairdeal_ledger::{Ledger, LedgerOptions};
use fairdeal_server::{Service, ServiceError, ServiceLimits, ServiceOptions, batch_observer};

/// Serve the ledger over HTTP: deals, the log and the pages
///
/// Writes need a token, made by `fairdeal token add`. TLS is for a reverse proxy in front
/// (docs/operators.md). SIGTERM finishes what is under way.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    dir: LedgerPath,

    /// The address to listen on: an IP address or localhost, with a port; port 0 is any free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,

    /// Answer what needs a token on this address alone
    #[arg(long, value_name = "ADDR", value_parser = address)]
    operator_listen: Option<SocketAddr>,

    /// The public address of this log: serve stops if the state is older than the log there
    #[arg(long, value_name = "URL", value_parser = public_url)]
    public_url: Option<String>,

    /// Where the log's key is printed, for players who compare it with the one that this host shows
    #[arg(long, value_name = "TEXT", value_parser = printed_at)]
    key_printed_at: Option<String>,

    /// How long before its time is over a commitment is revealed at the latest; never more than a
    /// tenth of that time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time::parse_duration)]
    reveal_ahead: Duration,

    /// The format of the service's log, on stderr
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,

    #[command(flatten)]
    witnesses: WitnessArgs,

    #[command(flatten)]
    beacons: BeaconArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// How long the first request of a batch waits for others, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    max_batch_delay: u64,

    /// How long a caller waits for the publication of a committed entry, before the answer is "ask
    /// again"
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time::parse_duration)]
    publish_wait: Duration,

    /// How long an entry may stay unpublished, before nothing new is dealt
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time::parse_duration)]
    max_lag: Duration,

    /// How long to wait for another process that uses the ledger
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    wait: u64,

    /// Go on although the clock jumped: today's date in UTC, typed by a person. A wrong time cannot
    /// be removed from the log
    #[arg(long, value_name = "DATE", value_parser = time::parse_date)]
    accept_time: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal serve    ./fairdeal-ledger on 127.0.0.1:8080
  fairdeal serve /srv/cards --listen 0.0.0.0:8080 \\
      --operator-listen 10.0.0.5:8081
  fairdeal serve /srv/cards --public-url https://cards.example/log \\
      --log-format json
  fairdeal serve /srv/cards --beacon-relay https://api.drand.sh
      deals rounds that wait for a beacon by itself";

/// The limits of the service.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// Bytes of a body
    #[arg(long, value_name = "BYTES", default_value_t = ServiceLimits::default().body)]
    max_body: usize,

    /// Bytes of a request's line and headers
    #[arg(long, value_name = "BYTES", default_value_t = ServiceLimits::default().header, value_parser = at_least_8_kib)]
    max_header: usize,

    /// Seconds within which the headers, then the body, and a public read's answer must be there
    #[arg(long, value_name = "SECONDS", default_value_t = ServiceLimits::default().request.as_secs())]
    request_time: u64,

    /// Connections
    #[arg(long, value_name = "N", default_value_t = ServiceLimits::default().connections)]
    max_connections: usize,

    /// Writes under way at once; further ones are refused, with a time to retry
    #[arg(long, value_name = "N", default_value_t = ServiceLimits::default().writes)]
    max_writes: usize,

    /// Reads under way at once
    #[arg(long, value_name = "N", default_value_t = ServiceLimits::default().reads)]
    max_reads: usize,

    /// Open streams of events
    #[arg(long, value_name = "N", default_value_t = ServiceLimits::default().streams)]
    max_streams: usize,

    /// The longest age of a stream of events: then its client comes back
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = time::parse_duration)]
    max_stream_age: Duration,

    /// Bytes of public answers that are made or written at once; reads wait for them
    #[arg(long, value_name = "BYTES", default_value_t = ServiceLimits::default().answers)]
    max_answers: usize,
}

fn at_least_8_kib(text: &str) -> Result<usize, String> {
    let bytes = text.parse().map_err(|_| "expected a number of bytes".to_owned())?;
    if bytes < 8 * 1024 { Err("expected at least 8192".to_owned()) } else { Ok(bytes) }
}

/// An address to listen on. No name is looked up: it may have several addresses, and change them.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let (host, port) = text.rsplit_once(':').unwrap_or((text, ""));
    let text = if host == "localhost" { format!("127.0.0.1:{port}") } else { text.to_owned() };
    text.parse().map_err(|_| {
        "expected an IP address or localhost, and a port: 127.0.0.1:8080, 0.0.0.0:8080, [::1]:8080".to_owned()
    })
}

/// The URL of a service, unchanged.
pub(super) fn public_url(text: &str) -> Result<String, String> {
    let read = Http::new(text, HttpLimits::default());
    read.map(|_| text.to_owned()).map_err(|error| error.to_string())
}

/// A few words for a page.
fn printed_at(text: &str) -> Result<String, String> {
    match text.chars().count() {
        1..=200 if !text.chars().any(char::is_control) => Ok(text.to_owned()),
        found => Err(format!("expected 1 to 200 characters, none of control, found {found}")),
    }
}

/// The format of the service's log.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LogFormat {
    /// A line for people
    Text,
    /// A JSON object a line
    Json,
}

impl LimitArgs {
    fn limits(&self) -> ServiceLimits {
        let time = Duration::from_secs(self.request_time);
        ServiceLimits {
            body: self.max_body,
            header: self.max_header,
            header_time: time,
            request: time,
            connections: self.max_connections,
            writes: self.max_writes,
            reads: self.max_reads,
            streams: self.max_streams,
            stream_age: self.max_stream_age,
            answers: self.max_answers,
            ..ServiceLimits::default()
        }
    }
}

/// The first line of `--json`; the service runs on.
#[derive(Serialize)]
struct Started {
    listening: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    log(args.log_format);
    let system = |error: io::Error| unavailable!("the system: {error}");
    let requests = Builder::new_multi_thread().enable_all().build().map_err(system)?;
    // The ledger's tasks have a thread of their own: among those of thousands of requests, each
    // step of a batch would wait for its turn.
    let ledger = Builder::new_current_thread().enable_all().build().map_err(system)?;
    let handle = ledger.handle().clone();
    let (end, ended) = oneshot::channel::<()>();
    let running = std::thread::Builder::new().name("ledger".to_owned());
    let running = running.spawn(move || ledger.block_on(ended)).map_err(system)?;
    let served = requests.block_on(serve(args, out, &handle));
    drop(end);
    let _ended = running.join();
    served
}

/// File descriptors that public connections leave to the store, to publishing and to the operator's
/// listener.
const LEFT: u64 = 512;

/// Takes as many file descriptors as the system grants: each connection needs one, and the usual
/// limit is 1,024. Returns how many connections the public may have.
pub(super) fn take_descriptors(connections: usize) -> usize {
    let granted = getrlimit(Resource::Nofile);
    let taken =
        setrlimit(Resource::Nofile, Rlimit { current: granted.maximum, maximum: granted.maximum });
    let most = if taken.is_ok() { granted.maximum } else { granted.current };
    let Some(most) = most else { return connections };
    let room = usize::try_from(most - LEFT.min(most / 2)).unwrap_or(usize::MAX);
    if room < connections {
        tracing::warn!(
            "the system grants {most} file descriptors: the public has {room} connections in place of the {connections} of \
             --max-connections. Raise the limit (LimitNOFILE, ulimit -Hn)"
        );
    }
    room.min(connections)
}

/// Writes the service's log to stderr.
pub(super) fn log(format: LogFormat) {
    let builder = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false);
    let _only_once = match format {
        LogFormat::Text => builder.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).with_current_span(false).try_init(),
    };
}

async fn serve(args: &Args, out: &mut Out, ledgers: &Handle) -> Result<(), Failure> {
    let location = args.dir.location();
    let dir = &location.dir;
    // Bind first: a service that cannot listen must not open the ledger.
    let public = bind(args.listen)?;
    let operator = match args.operator_listen {
        Some(address) => Some(bind(address)?),
        None => None,
    };
    let stopped = stopped()?;
    let options = LedgerOptions {
        observer: Some(batch_observer()),
        wait: Duration::from_secs(args.wait),
        max_batch_delay: Duration::from_millis(args.max_batch_delay),
        accept_time: args.accept_time,
        publish_wait: args.publish_wait,
        max_lag: args.max_lag,
        beacons: args.beacons.options()?,
        one_shot: false,
        ..args.dir.vault.options()
    };
    let (options, policy) = args.witnesses.add(options)?;
    let opened = ledgers.spawn(Ledger::open(location.clone(), options)).await;
    let opened = opened.map_err(|error| unavailable!("the ledger: {error}"))?;
    let ledger = opened.map_err(|error| hints::failure(error, &args.dir.again()))?;
    let mut limits = args.limits.limits();
    limits.connections = take_descriptors(limits.connections);
    let options = ServiceOptions {
        public_url: args.public_url.clone(),
        operator_apart: operator.is_some(),
        reveal_ahead: args.reveal_ahead,
        key_printed_at: args.key_printed_at.clone(),
        policy,
        limits,
    };
    let mut service = Service::start(ledger, options).await.map_err(|error| match error {
        ServiceError::Ledger(error) => hints::failure(error, &args.dir.again()),
        error => Failure::unavailable(error.to_string()),
    })?;
    let listening =
        Started { listening: url(&public)?, operator: operator.as_ref().map(url).transpose()? };
    if let Some(listener) = operator {
        let router = service.operator();
        service.listen(listener, router);
    }
    let router = service.public();
    service.listen(public, router);
    out.show(&listening, |out| {
        say!(out, "listening on {}", listening.listening);
        if let Some(operator) = &listening.operator {
            say!(out, "operators on {operator}");
        }
    });
    out.flush()?;
    tracing::info!(
        listening = listening.listening,
        operator = listening.operator,
        "serving {}",
        dir.display()
    );
    if args.public_url.is_none() && !args.witnesses.guard() {
        tracing::warn!(
            "nothing outside of this machine guards against an old copy of the ledger: --public-url, where the world reads the log, does, and so do witnesses (--policy)"
        );
    }
    stopped.await;
    tracing::info!("stopping");
    service.stop().await.map_err(|error| hints::failure(error, &args.dir.again()))
}

/// Ends with the first SIGTERM or SIGINT from now on.
pub(super) fn stopped() -> Result<impl Future<Output = ()>, Failure> {
    let signals = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
    let [Ok(mut terminate), Ok(mut interrupt)] = signals else {
        return Err(Failure::unavailable("the system: no signals can be received"));
    };
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// How many connections the system may keep until they are accepted.
const BACKLOG: u32 = 1024;

pub(super) fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    let bound = || {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4(),
            SocketAddr::V6(_) => TcpSocket::new_v6(),
        }?;
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    bound().map_err(|error: io::Error| unavailable!("{address}: {error}"))
}

pub(super) fn url(listener: &TcpListener) -> Result<String, Failure> {
    let address = listener.local_addr();
    let address = address.map_err(|error| unavailable!("the system: {error}"))?;
    Ok(format!("http://{address}"))
}
