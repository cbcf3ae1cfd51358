//! A running service in a folder of its own, and real requests to it.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use fairdeal::log::VerifierKey;
use fairdeal::record::receipt::{Document, verify};
use fairdeal_ledger::tokens::{Right, Scope, Token};
use fairdeal_ledger::{Ledger, LedgerOptions, Memos, Parts};
use fairdeal_server::{Service, ServiceOptions, batch_observer};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::ledger_support::{origin, quick_folder, terms};

/// An answer.
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Got {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {:?}", self.text()))
    }

    /// Its JSON, after checking the status.
    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }

    /// A problem of this status and code.
    #[track_caller]
    pub(crate) fn refuses(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], format!("urn:fairdeal:problem:{code}"));
        problem
    }
}

/// A service that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) url: String,
    pub(crate) operator_url: Option<String>,
    pub(crate) key: VerifierKey,
    pub(crate) dir: tempfile::TempDir,
    /// For all tables, with all rights.
    pub(crate) token: String,
    agent: ureq::Agent,
    service: Option<Service>,
    runtime: Runtime,
}

impl Running {
    pub(crate) fn new() -> Self {
        Self::with(ServiceOptions::default())
    }

    pub(crate) fn with(options: ServiceOptions) -> Self {
        Self::on(quick_folder(), options)
    }

    /// In a folder that has a ledger already, or gets one.
    pub(crate) fn on(dir: tempfile::TempDir, options: ServiceOptions) -> Self {
        Self::on_stores(dir, options, |parts| parts)
    }

    /// The same on stores that are put before those of the folder.
    pub(crate) fn on_stores(
        dir: tempfile::TempDir,
        options: ServiceOptions,
        wrap: impl FnOnce(Parts) -> Parts,
    ) -> Self {
        Self::on_ledger(dir, LedgerOptions::default(), options, wrap)
    }

    /// The same with options of the ledger.
    pub(crate) fn on_ledger(
        dir: tempfile::TempDir,
        ledger: LedgerOptions,
        options: ServiceOptions,
        wrap: impl FnOnce(Parts) -> Parts,
    ) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let apart = options.operator_apart;
        let (service, token, key, url, operator_url) = runtime.block_on(async {
            if !dir.path().join("private").exists() {
                Ledger::init(dir.path(), &origin()).await.unwrap();
            }
            let observed = LedgerOptions { observer: Some(batch_observer()), ..ledger };
            let parts = Parts::open(dir.path(), observed).await.unwrap();
            let ledger = Ledger::open_on(wrap(parts)).await.unwrap();
            let key = ledger.verifier_key().clone();
            let (token, hash, kept) =
                Token::generate("all", &[Right::Write, Right::Open], Vec::new(), 1).unwrap();
            ledger.write_memos(vec![kept.memo(hash)]).await.unwrap();
            let mut service = Service::start(ledger, options).await.unwrap();
            let (listener, url) = listener().await;
            let router = service.public();
            service.listen(listener, router);
            let mut operator_url = None;
            if apart {
                let (listener, url) = self::listener().await;
                let router = service.operator();
                service.listen(listener, router);
                operator_url = Some(url);
            }
            (service, token.as_str().to_owned(), key, url, operator_url)
        });
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)))
            .build()
            .new_agent();
        Self { url, operator_url, key, dir, token, agent, service: Some(service), runtime }
    }

    /// Makes a token with these rights for these tables.
    pub(crate) fn token(&self, name: &str, rights: &[Right], scopes: Vec<Scope>) -> String {
        let (token, hash, kept) = Token::generate(name, rights, scopes, 1).unwrap();
        self.write(vec![kept.memo(hash)]);
        token.as_str().to_owned()
    }

    pub(crate) fn write(&self, memos: Vec<fairdeal_ledger::Memo>) {
        self.runtime.block_on(async {
            let other = Memos::open(self.dir.path(), LedgerOptions::default()).await.unwrap();
            other.write(memos).await.unwrap();
            other.close().await.unwrap();
        });
    }

    /// The memos of a kind.
    pub(crate) fn memos(&self, kind: &str) -> Vec<(String, Value)> {
        let kept = self.runtime.block_on(async {
            let other = Memos::open(self.dir.path(), LedgerOptions::default()).await.unwrap();
            let kept = other.memos(kind, "", None, 1000).await.unwrap();
            other.close().await.unwrap();
            kept
        });
        kept.into_iter().map(|(key, text)| (key, serde_json::from_str(&text).unwrap())).collect()
    }

    /// Keeps the service from publishing, until it is dropped.
    pub(crate) fn hold_publishing(&self) -> std::fs::File {
        let lock = self.dir.path().join("private/publisher.lock");
        let lock = std::fs::File::options().write(true).open(lock).unwrap();
        lock.lock().unwrap();
        lock
    }

    /// Another handle on the ledger, which makes an entry.
    pub(crate) fn commit_beside(&self, table: &str) {
        self.runtime.block_on(async {
            let other = Ledger::open(self.dir.path(), LedgerOptions::default()).await.unwrap();
            other.commit(terms(table), None).await.unwrap();
            other.close().await.unwrap();
        });
    }

    pub(crate) fn get(&self, path: &str) -> Got {
        self.get_with(path, &[])
    }

    pub(crate) fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Got {
        let mut request = self.agent.get(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.call().unwrap())
    }

    /// As the operator.
    pub(crate) fn ask(&self, path: &str) -> Got {
        self.get_with(path, &[("authorization", &format!("Bearer {}", self.token))])
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Got {
        self.post_as(&self.token, path, &[], body.to_string().as_bytes())
    }

    /// Under an idempotency key.
    pub(crate) fn post_under(&self, key: &str, path: &str, body: &Value) -> Got {
        self.post_as(&self.token, path, &[("idempotency-key", key)], body.to_string().as_bytes())
    }

    pub(crate) fn post_as(
        &self,
        token: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Got {
        let base = self.operator_url.as_ref().unwrap_or(&self.url);
        let mut request = self.agent.post(format!("{base}{path}"));
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        read(request.send(body).unwrap())
    }

    /// Commits. Returns the path of the commitment.
    pub(crate) fn commit(&self, terms: &Value) -> String {
        let answer = self.post("/v1/commitments", terms).is(201);
        format!("/v1/commitments/{}", answer["commitment"].as_str().unwrap())
    }

    /// Checks an answer's receipt.
    #[track_caller]
    pub(crate) fn holds(&self, receipt: &Value) {
        let document: Document = receipt.to_string().parse().unwrap();
        let verdict = verify(&document, &self.key);
        assert!(verdict.holds, "{verdict:?}");
    }

    /// Opens a stream of events.
    pub(crate) fn stream(&self, path: &str, headers: &str) -> Events {
        let host = self.url.strip_prefix("http://").unwrap();
        let mut socket = TcpStream::connect(host).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").unwrap();
        let mut events = Events(BufReader::new(socket));
        assert_eq!(events.line(), "HTTP/1.1 200 OK");
        while !events.line().is_empty() {}
        events
    }

    /// Waits until the service has done something by itself.
    #[track_caller]
    pub(crate) fn until<T>(&self, what: &str, mut done: impl FnMut(&Self) -> Option<T>) -> T {
        for _ in 0..600 {
            if let Some(found) = done(self) {
                return found;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("it never came to this: {what}");
    }

    /// Stops the service, and returns the folder.
    pub(crate) fn stop(mut self) -> tempfile::TempDir {
        let service = self.service.take().unwrap();
        self.runtime.block_on(service.stop()).unwrap();
        std::mem::replace(&mut self.dir, tempfile::tempdir().unwrap())
    }
}

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

fn read(mut answer: ureq::http::Response<ureq::Body>) -> Got {
    let headers = answer.headers().iter();
    let headers = headers
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    let status = answer.status().as_u16();
    let mut body = Vec::new();
    answer.body_mut().as_reader().read_to_end(&mut body).unwrap();
    Got { status, headers, body }
}

/// A stream of events, as it comes in.
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    /// The bytes until the service ends the stream.
    pub(crate) fn rest(mut self) -> String {
        let mut rest = String::new();
        self.0.read_to_string(&mut rest).unwrap();
        rest
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The next event: its id, its kind, its data.
    pub(crate) fn next(&mut self) -> (u64, String, Value) {
        let (mut id, mut kind, mut data) = (None, None, None);
        loop {
            let line = self.line();
            match line.split_once(": ") {
                Some(("id", value)) => id = Some(value.parse().unwrap()),
                Some(("event", value)) => kind = Some(value.to_owned()),
                Some(("data", value)) => data = Some(serde_json::from_str(value).unwrap()),
                // A chunk's length, a comment, an empty line.
                _ => {}
            }
            if line.is_empty()
                && let (Some(id), Some(kind), Some(data)) = (id, kind.clone(), data.clone())
            {
                return (id, kind, data);
            }
        }
    }
}

/// A clear contribution.
pub(crate) fn seed(from: &str, seed: &str) -> Value {
    json!({"contributions": [{"from": from, "seed": seed}]})
}
