//! Readers without a token who never read, or read all at once: the service stays small, and deals
//! are answered (spec/http.md, section 11).

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

/// The most memory of the service, in KiB.
const MOST: u64 = 300 * 1024;

/// A running service that ends with this value.
struct Service {
    child: Child,
    public: String,
    operator: String,
    token: String,
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _code = self.child.wait();
    }
}

fn fairdeal(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.env("FAIRDEAL_LEDGER", dir).env("NO_COLOR", "1");
    command
}

fn run(dir: &Path, words: &[&str]) -> Value {
    let output = fairdeal(dir).args(words).arg("--json").output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

impl Service {
    /// A new ledger, served under so many file descriptors.
    fn start(dir: &Path, descriptors: u32, flags: &[&str]) -> Self {
        run(dir, &["init", dir.to_str().unwrap(), "--origin", "x.example/log"]);
        let token = run(dir, &["token", "add", "table"])["token"].as_str().unwrap().to_owned();
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -n $0 && exec \"$@\"", &descriptors.to_string()])
            .arg(env!("CARGO_BIN_EXE_fairdeal"))
            .args(["serve", "--json", "--listen", "127.0.0.1:0", "--operator-listen"])
            .arg("127.0.0.1:0")
            .args(flags)
            .env("FAIRDEAL_LEDGER", dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let started: Value = serde_json::from_str(&line).unwrap();
        let [public, operator] =
            ["listening", "operator"].map(|name| started[name].as_str().unwrap().to_owned());
        Self { child, public, operator, token }
    }

    /// A field of the system's report on the process, in KiB.
    fn memory(&self, field: &str) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let line = status.lines().find(|line| line.starts_with(field)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let answer = ureq::post(format!("{}{path}", self.operator))
            .header("Authorization", format!("Bearer {}", self.token))
            .header("Content-Type", "application/json")
            .send(body.to_string());
        let answer = answer.expect("answered").into_body().read_to_string().unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    /// Sends a request for a path, and reads nothing.
    fn ask(&self, path: &str) -> std::io::Result<TcpStream> {
        let mut stream = TcpStream::connect(self.public.trim_start_matches("http://"))?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n")?;
        Ok(stream)
    }
}

/// A deal of 64 players: about 21 KB.
fn deal(service: &Service, commitment: &str) {
    let players: Vec<Value> =
        (0..64).map(|n| json!({"from": format!("{n:0>64}"), "seed": "s".repeat(250)})).collect();
    let dealt = service
        .post(&format!("/v1/commitments/{commitment}/deals"), &json!({"contributions": players}));
    assert!(dealt["cards"].is_string(), "{dealt}");
}

#[test]
fn readers_who_never_read_take_neither_the_memory_nor_the_deals() {
    let dir = tempfile::tempdir().unwrap();
    let service = Service::start(&dir.path().join("ledger"), 20_000, &[]);
    let terms = json!({"table": "t", "draw": 5, "rounds": 100_000, "reveal": "manual"});
    let made = service.post("/v1/commitments", &terms);
    let c = made["commitment"].as_str().unwrap();
    // A page of 1,000 such entries would have 21 MB.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..125).for_each(|_| deal(&service, c)));
        }
    });
    let receipts = format!("/v1/commitments/{c}/receipts?rounds=0-99");
    let rounds = format!("/v1/commitments/{c}/rounds?most=1000");
    let events = "/v1/events?after=0".to_owned();
    let has_ended = AtomicBool::new(false);
    let dealt = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !has_ended.load(Ordering::Relaxed) {
                deal(&service, c);
                dealt.fetch_add(1, Ordering::Relaxed);
            }
        });
        let silent = |path: &str, count: usize| -> Vec<TcpStream> {
            (0..count).filter_map(|_| service.ask(path).ok()).collect()
        };
        let wait = || std::thread::sleep(Duration::from_secs(5));
        let paths = [events.as_str(), &receipts, &rounds, "/tile/entries/000"];
        for path in paths {
            let held = silent(path, 100);
            assert_eq!(held.len(), 100, "{path}");
            wait();
        }
        let held = silent(&receipts, 2_500);
        assert_eq!(held.len(), 2_500);
        wait();
        drop(held);
        let answered = AtomicUsize::new(0);
        std::thread::scope(|readers| {
            for n in 0..128 {
                let (service, path, answered) = (&service, paths[n % paths.len()], &answered);
                readers.spawn(move || {
                    for _ in 0..4 {
                        let mut stream = service.ask(path).unwrap();
                        let mut status = [0; 12];
                        stream.read_exact(&mut status).unwrap();
                        if &status == b"HTTP/1.1 200" {
                            answered.fetch_add(1, Ordering::Relaxed);
                        } else {
                            assert_eq!(&status, b"HTTP/1.1 503");
                        }
                    }
                });
            }
        });
        has_ended.store(true, Ordering::Relaxed);
        assert!(answered.load(Ordering::Relaxed) > 0, "readers are answered too");
    });
    let (dealt, most) = (dealt.into_inner(), service.memory("VmHWM"));
    assert!(dealt >= 100, "{dealt} deals while others did not read");
    assert!(most < MOST, "{most} KiB; {dealt} deals");
}

#[test]
fn idle_streams_leave_descriptors_for_the_operators_deals() {
    let dir = tempfile::tempdir().unwrap();
    let service = Service::start(&dir.path().join("ledger"), 256, &["--max-stream-age", "3s"]);
    let made = service.post("/v1/commitments", &json!({"table": "t", "draw": 5}));
    let c = made["commitment"].as_str().unwrap();
    let mut idle: Vec<TcpStream> = Vec::new();
    for _ in 0..400 {
        let Ok(mut stream) = TcpStream::connect(service.public.trim_start_matches("http://"))
        else {
            break;
        };
        let _refused = stream.write_all(b"GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n");
        idle.push(stream);
    }
    assert!(idle.len() > 128, "{} connections", idle.len());
    for _ in 0..20 {
        deal(&service, c);
    }
    // Each stream ends by itself: its client comes back.
    let mut first = idle.swap_remove(0);
    first.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut text = String::new();
    first.read_to_string(&mut text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert!(text.starts_with("HTTP/1.1 200") && text.ends_with("0\r\n\r\n"), "{text}");
}
