//! A log, and a client that asks a witness for cosignatures of it.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fairdeal::log::{
    AddCheckpoint, Checkpoint, Hash, MemoryLog, Signature, SignedCheckpoint, SignerKey, WitnessKey,
};
use fairdeal_witness::{WitnessClock, WitnessOptions, WitnessService, init, serve};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub(crate) const NOW: u64 = 1_760_000_000;

/// A log, and its key.
pub(crate) struct Log {
    pub(crate) signer: SignerKey,
    pub(crate) tree: MemoryLog,
}

impl Log {
    pub(crate) fn new(origin: &str, seed: u8) -> Self {
        let signer = SignerKey::from_seed(origin.parse().unwrap(), &[seed; 32]);
        Self { signer, tree: MemoryLog::new() }
    }

    /// The same log with so many entries; those from `fork` on are others.
    pub(crate) fn of(size: u64, fork: u64) -> Self {
        let mut log = Self::new("cards.example/log", 7);
        for entry in 0..size {
            log.tree.append(format!("{entry} {}", entry >= fork));
        }
        log
    }

    pub(crate) fn vkey(&self) -> String {
        self.signer.verifier().to_text()
    }

    pub(crate) fn note(&self) -> String {
        self.tree.checkpoint(&self.signer).unwrap().to_text()
    }

    /// A request for its present checkpoint, with the proof from an old size.
    pub(crate) fn body(&self, old_size: u64) -> String {
        let proof = self.tree.consistency_proof(old_size).unwrap();
        let checkpoint = SignedCheckpoint::parse(&self.note()).unwrap();
        AddCheckpoint { old_size, proof, checkpoint }.to_text()
    }

    pub(crate) fn text(&self) -> String {
        let origin = self.signer.verifier().name().as_str();
        Checkpoint::new(origin, self.tree.size(), self.tree.root()).unwrap().to_text()
    }
}

/// A request body of parts that need not fit.
pub(crate) fn body(old: &str, proof: &[Hash], note: &str) -> String {
    let proof: String = proof.iter().map(|hash| hash.to_base64() + "\n").collect();
    format!("{old}\n{proof}\n{note}")
}

/// An answer over HTTP.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Got {
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Sends bytes on a new connection, and reads to its end.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8]) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    // A witness that has answered reads no further.
    let _refused = stream.write_all(bytes);
    let mut text = Vec::new();
    let read = stream.read_to_end(&mut text);
    if text.is_empty() {
        read?;
    }
    Ok(String::from_utf8(text).unwrap())
}

pub(crate) fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    body: &[u8],
) -> std::io::Result<Got> {
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: w\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    );
    let answer = raw(address, &[head.as_bytes(), body].concat())?;
    let broken = || std::io::Error::other(format!("no answer: {answer:?}"));
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(broken)?;
    let status = head.get(9..12).and_then(|status| status.parse().ok()).ok_or_else(broken)?;
    Ok(Got { status, head: head.to_owned(), body: body.to_owned() })
}

/// A clock that a test sets.
#[derive(Clone, Debug)]
pub(crate) struct Hands(Arc<AtomicU64>);

impl Hands {
    pub(crate) fn at(now: u64) -> Self {
        Self(Arc::new(AtomicU64::new(now)))
    }

    pub(crate) fn set(&self, now: u64) {
        self.0.store(now, Ordering::Relaxed);
    }

    pub(crate) fn clock(&self) -> WitnessClock {
        let hands = Arc::clone(&self.0);
        Arc::new(move || hands.load(Ordering::Relaxed))
    }
}

/// A running witness.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) key: WitnessKey,
    pub(crate) dir: tempfile::TempDir,
    pub(crate) clock: Hands,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    pub(crate) fn of(logs: &[&Log]) -> Self {
        Self::with(logs, |options| options)
    }

    pub(crate) fn with(
        logs: &[&Log],
        change: impl FnOnce(WitnessOptions) -> WitnessOptions,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let folder = dir.path().join("w");
        let made = init(&folder, "witness.example/w1".parse().unwrap(), &[9; 32]);
        runtime.block_on(made).unwrap();
        let lines: String = logs.iter().map(|log| log.vkey() + "\n").collect();
        std::fs::write(dir.path().join("w/logs"), lines).unwrap();
        Self::open(dir, Hands::at(NOW), change)
    }

    pub(crate) fn open(
        dir: tempfile::TempDir,
        clock: Hands,
        change: impl FnOnce(WitnessOptions) -> WitnessOptions,
    ) -> Self {
        let options = change(WitnessOptions { clock: clock.clock(), ..WitnessOptions::default() });
        let (folder, (stop, stopped)) = (dir.path().join("w"), oneshot::channel::<()>());
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_multi_thread();
            let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let witness = WitnessService::open(&folder, options).await.unwrap();
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send((listener.local_addr().unwrap(), witness.key().clone())).unwrap();
                let router = witness.operator();
                serve(witness, vec![(listener, router)], async { drop(stopped.await) })
                    .await
                    .unwrap();
            });
        });
        let (address, key) = told.recv().unwrap();
        Self { address, key, dir, clock, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn ask(&self, body: impl AsRef<[u8]>) -> Got {
        send(self.address, "POST", "/add-checkpoint", body.as_ref()).unwrap()
    }

    /// The time of a cosignature, which must verify.
    pub(crate) fn time_of(&self, got: &Got, text: &str) -> u64 {
        time_of(&self.key, &got.body, text)
    }

    /// Stops it, and returns its folder.
    pub(crate) fn stop(mut self) -> tempfile::TempDir {
        self.end();
        std::mem::replace(&mut self.dir, tempfile::tempdir().unwrap())
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.end();
        }
    }
}

/// The time of the cosignature in a body, which must verify.
pub(crate) fn time_of(key: &WitnessKey, body: &str, text: &str) -> u64 {
    let line = Signature::parse(body.strip_suffix('\n').unwrap()).unwrap();
    key.verify_cosignature(&line, text).unwrap()
}
