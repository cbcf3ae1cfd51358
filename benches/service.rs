//! The service under load, beside the library's own ledger, a bare insert, bare HTTP and a static
//! file server, in one run.
//!
//! Bare HTTP is axum with one route: it reads the same requests and answers each with the bytes of
//! one recorded deal. HTTP and the ledger share two cores, so a service is no faster than both one
//! after the other.
//!
//! The load generator, the service and the ledger share the machine's cores, as docs/costs.md says.
//! The service is the real program, in a process of its own.
//!
//! `cargo bench --bench service -- 1000000` starts it on a log of a million entries; 100,000 where
//! nothing is said.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a bench prints times, and a place in a list is small"
)]

#[path = "disk.rs"]
mod disk;
#[path = "floors.rs"]
mod floors;
#[path = "served.rs"]
mod served;
#[path = "support.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::serve::ListenerExt as _;
use floors::{BARE, Bare, Fallible, Tables, quantile, sync_time};
use load::{LoadPlan, LoadReport};
use mimalloc::MiMalloc;
use serde_json::{Value, json};
use support::{Asked, Outcome};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tower_http::services::ServeDir;
use zeroizing_alloc::ZeroAlloc;

/// That of the command, for the library and the load generator too.
#[global_allocator]
static ALLOCATOR: ZeroAlloc<MiMalloc> = ZeroAlloc(MiMalloc);

/// Connections of the load, and how many deals the library's callers make in a round.
const LOADS: [(u32, u32); 3] = [(512, 20_480), (64, 10_240), (1, 200)];
const ROUNDS: u32 = 5;
/// Idle readers of events.
const STREAMS: usize = 10_000;

fn main() -> Outcome {
    let asked = Asked::new();
    let is_measured = asked.rounds(2) > 1;
    let entries = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(100_000);
    let dir = disk::folder()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let bench = Bench { dir: dir.path().to_owned(), is_measured };
        let mut served = Served::new(&dir.path().join("served"))?;
        bench.deals(&served).await?;
        bench.files(&served).await?;
        served.stop()?;
        let mut quiet = Served::new(&dir.path().join("quiet"))?;
        bench.streams(&quiet).await?;
        quiet.stop()?;
        bench.starts(if is_measured { entries } else { 1000 }).await
    })
}

struct Bench {
    dir: PathBuf,
    is_measured: bool,
}

impl Bench {
    fn time(&self) -> Duration {
        if self.is_measured { Duration::from_secs(4) } else { Duration::from_millis(200) }
    }

    /// Receipted deals over HTTP, beside deals of the library and rows of a bare insert.
    async fn deals(&self, served: &Served) -> Fallible<()> {
        let library = Tables::open(&self.dir.join("library")).await?;
        let mut bare = Bare::create(&self.dir.join("bare")).await?;
        let http = Http::answering(served.deal().await?).await?;
        println!(
            "deals a second, the best of {ROUNDS} rounds    service   library  bare HTTP      bare  of library  of HTTP and library  of bare"
        );
        for (connections, deals) in LOADS {
            let deals = if self.is_measured { deals } else { connections };
            let (mut over_http, mut directly, mut rows) = (Vec::new(), Vec::new(), Vec::new());
            let mut bare_http = Vec::new();
            for _ in 0..if self.is_measured { ROUNDS } else { 1 } {
                over_http.push(
                    load(&served.address, &served.token, connections, None, self.time())
                        .await?
                        .rate,
                );
                bare_http
                    .push(load(&http.address, "none", connections, None, self.time()).await?.rate);
                let start = Instant::now();
                library.load(connections, deals, None).await?;
                directly.push(f64::from(deals) / start.elapsed().as_secs_f64());
                let start = Instant::now();
                bare.append(deals, BARE).await?;
                rows.push(f64::from(deals) / start.elapsed().as_secs_f64());
            }
            let best = |rates: &[f64]| rates.iter().copied().fold(0.0, f64::max);
            let (service, library, bare) = (best(&over_http), best(&directly), best(&rows));
            let http = best(&bare_http);
            println!(
                "{:<40}{service:>9.0}{library:>10.0}{http:>11.0}{bare:>10.0}{:>12.2}{:>21.2}{:>9.3}{:>6} MiB",
                format!("{connections} connections"),
                service / library,
                service * (1.0 / http + 1.0 / library),
                service / bare,
                served.resident()? >> 10
            );
        }
        http.stop();
        println!(
            "a caller waits, in syncs of this disk                   one sync, us     p50     p99  half load: p50     p99"
        );
        for (connections, _) in LOADS {
            let sync = sync_time(&self.dir)?;
            let (address, token) = (&served.address, &served.token);
            let full = load(address, token, connections, None, self.time()).await?;
            let half =
                load(address, token, connections, Some(full.rate / 2.0), self.time()).await?;
            let in_syncs = |milliseconds: f64| milliseconds / 1e3 / sync.as_secs_f64();
            println!(
                "{:<54}{:>14}{:>8.1}{:>8.1}{:>16.1}{:>8.1}",
                format!("{connections} connections"),
                sync.as_micros(),
                in_syncs(full.latency.p50),
                in_syncs(full.latency.p99),
                in_syncs(half.latency.p50),
                in_syncs(half.latency.p99)
            );
        }
        let ledger = Arc::into_inner(library.ledger).ok_or("a caller still has the ledger")?;
        ledger.close().await?;
        Ok(())
    }

    /// The memory of a service to which many listen, while nothing happens.
    async fn streams(&self, served: &Served) -> Fallible<()> {
        let before = served.resident()?;
        let many = if self.is_measured { STREAMS } else { 10 };
        let mut streams = Vec::new();
        for _ in 0..many {
            let mut stream = TcpStream::connect(&served.address).await?;
            stream.write_all(b"GET /v1/events HTTP/1.1\r\nHost: bench.example\r\n\r\n").await?;
            streams.push(stream);
        }
        for stream in &mut streams {
            let mut status = [0; 12];
            stream.read_exact(&mut status).await?;
            if &status != b"HTTP/1.1 200" {
                return Err(
                    format!("a stream of events: {}", String::from_utf8_lossy(&status)).into()
                );
            }
        }
        let after = served.resident()?;
        println!("{many} idle streams of events: {after} KiB resident, {before} KiB without them");
        Ok(())
    }

    /// Full tiles over HTTP, beside a static file server on the same files.
    async fn files(&self, served: &Served) -> Fallible<()> {
        let public = ServeDir::new(served.ledger.join("public"));
        let peer = Http::serving(Router::new().fallback_service(public)).await?;
        println!(
            "reads a second, 64 connections                            service  file server  ratio"
        );
        for path in ["/checkpoint", "/tile/0/000", "/tile/entries/000"] {
            let (mut ours, mut theirs) = (0.0_f64, 0.0_f64);
            for _ in 0..if self.is_measured { ROUNDS } else { 1 } {
                ours = ours.max(reads(&served.address, path, self.time()).await?);
                theirs = theirs.max(reads(&peer.address, path, self.time()).await?);
            }
            println!("{path:<57}{ours:>9.0}{theirs:>13.0}{:>7.2}", ours / theirs);
        }
        peer.stop();
        Ok(())
    }

    /// How soon the program listens, on a log of this length and on a new one.
    async fn starts(&self, entries: u32) -> Fallible<()> {
        let grown = self.dir.join("grown");
        let ledger = Tables::open(&grown).await?;
        let callers = 1024.min(entries);
        ledger.load(callers, entries, None).await?;
        Arc::into_inner(ledger.ledger).ok_or("a caller still has the ledger")?.close().await?;
        let empty = self.dir.join("empty");
        Served::new(&empty)?.stop()?;
        let mut medians = Vec::new();
        for ledger in [&grown, &empty] {
            let mut times = Vec::new();
            for _ in 0..if self.is_measured { 9 } else { 1 } {
                let start = Instant::now();
                let mut served = Served::on(ledger, "none")?;
                times.push(start.elapsed());
                served.stop()?;
            }
            times.sort();
            medians.push(quantile(&times, 0.5).as_secs_f64() * 1e3);
        }
        if let [grown, empty] = medians[..] {
            println!(
                "it listens after {grown:.0} ms on a log of {entries} entries, after {empty:.0} ms on a new one"
            );
        }
        Ok(())
    }
}

/// Files read in a second by 64 connections, each of which asks again as soon as it is answered.
async fn reads(address: &str, path: &str, time: Duration) -> Fallible<f64> {
    let start = Instant::now();
    let readers = (0..64).map(|_| {
        let (address, path) = (address.to_owned(), path.to_owned());
        tokio::spawn(async move { read(&address, &path, start, time).await })
    });
    let mut many = 0;
    for reader in readers.collect::<Vec<_>>() {
        many += reader.await??;
    }
    Ok(f64::from(many) / start.elapsed().as_secs_f64())
}

async fn read(address: &str, path: &str, start: Instant, time: Duration) -> std::io::Result<u32> {
    let mut socket = tokio::io::BufReader::new(TcpStream::connect(address).await?);
    let request = format!("GET {path} HTTP/1.1\r\nHost: bench.example\r\n\r\n");
    let (mut many, mut line, mut body) = (0, String::new(), Vec::new());
    while start.elapsed() < time {
        socket.get_mut().write_all(request.as_bytes()).await?;
        let mut length = 0;
        loop {
            line.clear();
            socket.read_line(&mut line).await?;
            if let Some(digits) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = digits.trim().parse().map_err(std::io::Error::other)?;
            }
            if line == "\r\n" {
                break;
            }
            if line.starts_with("HTTP/1.1 ") && !line.starts_with("HTTP/1.1 200") {
                return Err(std::io::Error::other(line));
            }
        }
        body.resize(length, 0);
        socket.read_exact(&mut body).await?;
        many += 1;
    }
    Ok(many)
}

/// The program, serving a ledger.
struct Served {
    ledger: PathBuf,
    child: Child,
    address: String,
    token: String,
}

impl Served {
    /// On a new ledger.
    fn new(ledger: &Path) -> Fallible<Self> {
        let name = ledger.to_string_lossy();
        fairdeal(&["init", &name, "--origin", floors::ORIGIN])?;
        Self::on(ledger, fairdeal(&["token", "add", "bench", "--ledger", &name])?.trim())
    }

    fn on(ledger: &Path, token: &str) -> Fallible<Self> {
        let (child, address) = served::serve(ledger)?;
        Ok(Self { ledger: ledger.to_owned(), child, address, token: token.to_owned() })
    }

    /// The answer to a deal.
    async fn deal(&self) -> Fallible<Bytes> {
        let terms = json!({"table": "recorded"}).to_string();
        let commit: Value = serde_json::from_slice(&self.post("/v1/commitments", &terms).await?)?;
        let commitment = commit["commitment"].as_str().ok_or("no commitment")?;
        let round = json!({"contributions": [{"from": "player-0", "seed": "1000-0"}]}).to_string();
        self.post(&format!("/v1/commitments/{commitment}/deals"), &round).await
    }

    async fn post(&self, path: &str, body: &str) -> Fallible<Bytes> {
        let (address, token, length) = (&self.address, &self.token, body.len());
        let mut stream = TcpStream::connect(address).await?;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all((head + body).as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
        if head.starts_with("HTTP/1.1 201 ") {
            Ok(body.to_owned().into())
        } else {
            Err(answer.into())
        }
    }

    /// Its memory, in KiB.
    fn resident(&self) -> Fallible<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").trim().parse()?)
    }

    fn stop(&mut self) -> Fallible<()> {
        let stopped = Command::new("kill").arg(self.child.id().to_string()).status()?;
        if stopped.success() && self.child.wait()?.success() {
            Ok(())
        } else {
            Err("it did not stop".into())
        }
    }
}

/// Deals from some connections: at this rate, or each sends the next as soon as it is answered.
async fn load(
    address: &str,
    token: &str,
    connections: u32,
    rate: Option<f64>,
    time: Duration,
) -> Fallible<LoadReport> {
    let plan = LoadPlan {
        url: format!("http://{address}"),
        token: token.to_owned(),
        key: None,
        prefix: format!("{}-", unused()),
        tables: floors::TABLES as u32,
        players: 1,
        rate,
        time,
        connections,
        verify_every: 0,
    };
    let report = load::run(plan, |_, _| {}).await?;
    if !report.holds() {
        return Err(format!("{:?} {:?}", report.refused, report.how).into());
    }
    Ok(report)
}

/// A server in this process that gives every request one answer.
struct Http {
    address: String,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Http {
    async fn answering(answer: Bytes) -> Fallible<Self> {
        let handler = async move |_request: Bytes| {
            (StatusCode::CREATED, [(header::CONTENT_TYPE, "application/json")], answer.clone())
        };
        Self::serving(Router::new().fallback(handler)).await
    }

    async fn serving(router: Router) -> Fallible<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?.to_string();
        // Else it waits for the reader's delayed acknowledgements.
        let listener = listener.tap_io(|socket| drop(socket.set_nodelay(true)));
        let serving = tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, serving })
    }

    fn stop(self) {
        self.serving.abort();
    }
}

/// A name that was not used before.
fn unused() -> u128 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| time.as_nanos())
}

/// The program's output.
fn fairdeal(words: &[&str]) -> Fallible<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(words).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
