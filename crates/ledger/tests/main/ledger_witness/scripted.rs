//! Witnesses on loopback that do what a test wants.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use fairdeal::log::{
    AddCheckpoint, EMPTY_ROOT, Hash, KeyName, Policy, SignedCheckpoint, VerifierKey, WitnessSigner,
    verify_consistency,
};
use fairdeal_ledger::{WitnessMode, Witnessing};

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
    /// The time before each byte of the body.
    pub(crate) drip: Duration,
}

impl Reply {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: String::new(), body: body.into(), drip: Duration::ZERO }
    }

    pub(crate) fn size(body: impl std::fmt::Display) -> Self {
        let headers = "Content-Type: text/x.tlog.size\r\n".to_owned();
        Self { headers, ..Self::new(409, format!("{body}\n")) }
    }
}

/// A witness that keeps to the protocol.
#[derive(Debug)]
pub(crate) struct Honest {
    signer: WitnessSigner,
    pub(crate) size: u64,
    pub(crate) root: Hash,
    /// By how many seconds its clock is ahead.
    pub(crate) clock: i64,
}

impl Honest {
    /// The witness of this number.
    pub(crate) fn new(number: u8) -> Self {
        let name = KeyName::parse(&format!("w{number}.example")).expect("a name");
        let signer = WitnessSigner::from_seed(name, &[100 + number; 32]);
        Self { signer, size: 0, root: EMPTY_ROOT, clock: 0 }
    }

    /// The line for a checkpoint, whatever it says.
    pub(crate) fn sign(&self, checkpoint: &SignedCheckpoint) -> String {
        #[expect(clippy::disallowed_methods, reason = "a witness has a clock of its own")]
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
        let time = now.as_secs().saturating_add_signed(self.clock);
        let line = self.signer.cosign(checkpoint.note().text(), time).expect("a time");
        format!("{}\n", line.to_text())
    }

    pub(crate) fn answer(&mut self, request: &AddCheckpoint, log: &VerifierKey) -> Reply {
        let Ok(new) = request.checkpoint.verify(log) else { return Reply::new(403, "") };
        if request.old_size > new.size() {
            return Reply::new(400, "");
        }
        if request.old_size != self.size {
            return Reply::size(self.size);
        }
        if new.size() == self.size && self.size > 0 && *new.root() != self.root {
            return Reply::new(409, "");
        }
        let is_new = self.size == 0 || self.size == new.size();
        if !is_new
            && verify_consistency(self.size, &self.root, new.size(), new.root(), &request.proof)
                .is_err()
        {
            return Reply::new(422, "");
        }
        (self.size, self.root) = (new.size(), *new.root());
        Reply::new(200, self.sign(&request.checkpoint))
    }
}

type Answer = dyn FnMut(&AddCheckpoint, &mut Honest) -> Option<Reply> + Send;

/// A running witness. Its thread ends with the test's process.
pub(crate) struct Scripted {
    pub(crate) url: String,
    key: String,
    pub(crate) honest: Arc<Mutex<Honest>>,
    requests: Arc<Mutex<Vec<AddCheckpoint>>>,
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Scripted {
    /// The witness of this number, for this log. Where the script answers nothing, it is honest.
    pub(crate) fn start(
        number: u8,
        log: &VerifierKey,
        script: impl FnMut(&AddCheckpoint, &mut Honest) -> Option<Reply> + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let honest = Arc::new(Mutex::new(Honest::new(number)));
        let key = locked(&honest).signer.key().to_text();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let script: Arc<Mutex<Box<Answer>>> = Arc::new(Mutex::new(Box::new(script)));
        let (state, seen, log) = (Arc::clone(&honest), Arc::clone(&requests), log.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (state, seen) = (Arc::clone(&state), Arc::clone(&seen));
                let (script, log) = (Arc::clone(&script), log.clone());
                std::thread::spawn(move || {
                    serve(stream, |body| {
                        let request = AddCheckpoint::parse(body).expect("a request");
                        locked(&seen).push(request.clone());
                        let scripted = locked(&script)(&request, &mut locked(&state));
                        scripted.unwrap_or_else(|| locked(&state).answer(&request, &log))
                    });
                });
            }
        });
        Self { url, key, honest, requests }
    }

    /// An honest one.
    pub(crate) fn honest(number: u8, log: &VerifierKey) -> Self {
        Self::start(number, log, |_, _| None)
    }

    pub(crate) fn requests(&self) -> Vec<AddCheckpoint> {
        locked(&self.requests).clone()
    }
}

/// Answers the requests of one connection.
fn serve(mut stream: TcpStream, mut answer: impl FnMut(&str) -> Reply) {
    loop {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            if !matches!(stream.read(&mut byte), Ok(1)) {
                return;
            }
            head.extend(byte);
        }
        let head = String::from_utf8(head).expect("ASCII").to_ascii_lowercase();
        assert!(head.starts_with("post /add-checkpoint http/1.1\r\n"), "{head}");
        let length = head.split_once("content-length: ").expect("a length").1;
        let length = length.split_once("\r\n").expect("a line").0.parse().expect("a number");
        let mut body = vec![0; length];
        if stream.read_exact(&mut body).is_err() {
            return;
        }
        let reply = answer(&String::from_utf8(body).expect("a text"));
        let (status, headers, length) = (reply.status, &reply.headers, reply.body.len());
        let head = format!("HTTP/1.1 {status} X\r\n{headers}Content-Length: {length}\r\n\r\n");
        if stream.write_all(head.as_bytes()).is_err() {
            return;
        }
        if reply.drip.is_zero() {
            if stream.write_all(&reply.body).is_err() {
                return;
            }
            continue;
        }
        for byte in reply.body {
            std::thread::sleep(reply.drip);
            if stream.write_all(&[byte]).is_err() {
                return;
            }
        }
    }
}

/// The file of the policy of an operator that asks for `k` of these witnesses.
pub(crate) fn policy_text(k: usize, witnesses: &[&Scripted]) -> String {
    let mut text = String::new();
    let mut names = Vec::new();
    for (at, one) in witnesses.iter().enumerate() {
        writeln!(text, "witness w{at} {} {}", one.key, one.url).expect("in memory");
        names.push(format!("w{at}"));
    }
    writeln!(text, "group g {k} {}\nquorum g", names.join(" ")).expect("in memory");
    text
}

/// The same policy, read.
pub(crate) fn policy(k: usize, witnesses: &[&Scripted]) -> Arc<Policy> {
    Arc::new(Policy::parse(policy_text(k, witnesses).as_bytes()).expect("a policy"))
}

/// No wait between rounds, and an anchor as soon as one is due.
pub(crate) fn quick(policy: &Arc<Policy>, mode: WitnessMode) -> Witnessing {
    Witnessing {
        mode,
        every: Duration::ZERO,
        anchor_every: Duration::ZERO,
        ..Witnessing::new(Arc::clone(policy))
    }
}
