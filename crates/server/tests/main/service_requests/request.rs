//! A service that gets any bytes as a request. Its promises: it answers, with a status under 500; a
//! refusal is a problem with a code (RFC 9457), and quotes no token.
//!
//! The fuzzer `request` shares this file.

#![allow(unreachable_pub, reason = "in the fuzzers' crate it is public, in the tests' it is not")]

use std::path::PathBuf;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use axum::{Router, response::Response};
use fairdeal::deal::Deck;
use fairdeal::record::entry::{Origin, Table, Terms};
use fairdeal_ledger::tokens::{Right, Token};
use fairdeal_ledger::{Ledger, LedgerOptions, NewCommit};
use fairdeal_server::{Service, ServiceOptions};
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

/// The placeholders of a request: the commitment that the service has, and its token.
const COMMITMENT: &str = "{commitment}";
const TOKEN: &str = "{token}";

/// A running service, without a network.
#[derive(Debug)]
pub struct Target {
    router: Router,
    commitment: String,
    token: String,
    // Dropped before the runtime that its tasks run on.
    _service: Service,
    runtime: Runtime,
}

impl Target {
    /// In a folder that has a ledger.
    pub fn of(folder: PathBuf) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (service, commitment, token) = runtime.block_on(async {
            if !folder.join("private").exists() {
                let origin = Origin::new("fuzz.example/log").expect("a name");
                Ledger::init(folder.clone(), &origin).await.expect("a ledger");
            }
            let ledger = Ledger::open(folder, LedgerOptions::default()).await.expect("opens");
            let (token, hash, kept) =
                Token::generate("all", &[Right::Write, Right::Open], Vec::new(), 1)
                    .expect("a token");
            ledger.write_memos(vec![kept.memo(hash)]).await.expect("written");
            let table = Table::new("fuzz").expect("a name");
            let terms = Terms { sealed: true, ..Terms::new(table, Deck::standard()) };
            let done = ledger.commit(NewCommit::new(terms), None).await;
            let commitment = done.expect("committed").commitment;
            let service = Service::start(ledger, ServiceOptions::default()).await.expect("starts");
            (service, commitment.to_string(), token.as_str().to_owned())
        });
        Self { router: service.operator(), commitment, token, _service: service, runtime }
    }

    /// Asks, and checks the answer. `None` where the bytes are no request, else whether it was
    /// granted.
    pub fn ask(&self, bytes: &[u8]) -> Option<bool> {
        let request = self.request(bytes)?;
        // Its answer has no end.
        let is_stream = request.uri().path() == "/v1/events";
        self.runtime.block_on(async {
            let response: Response =
                self.router.clone().oneshot(request).await.expect("it always answers");
            let (status, kind) =
                (response.status(), response.headers().get("content-type").cloned());
            assert!(status.as_u16() < 500, "{status}: {:?}", String::from_utf8_lossy(bytes));
            if is_stream && status.is_success() {
                return Some(true);
            }
            let body = to_bytes(response.into_body(), usize::MAX).await.expect("a whole answer");
            if status.is_client_error() {
                assert_eq!(
                    kind.as_ref().map(HeaderValue::as_bytes),
                    Some(&b"application/problem+json"[..])
                );
                let problem: serde_json::Value =
                    serde_json::from_slice(&body).expect("a problem is JSON");
                assert!(problem["code"].as_str().is_some_and(|code| !code.is_empty()), "{problem}");
                assert!(!String::from_utf8_lossy(&body).contains(&self.token), "{problem}");
            }
            Some(status.is_success())
        })
    }

    /// `METHOD PATH`, header lines, an empty line, and the body.
    fn request(&self, bytes: &[u8]) -> Option<Request<Body>> {
        let end = bytes.windows(2).position(|two| two == b"\n\n")?;
        let (head, body) = (bytes.get(..end)?, bytes.get(end + 2..)?);
        let head = std::str::from_utf8(head).ok()?.replace(COMMITMENT, &self.commitment);
        let mut lines = head.split('\n');
        let (method, path) = lines.next()?.split_once(' ')?;
        let mut request = Request::new(Body::from(body.to_vec()));
        *request.method_mut() = Method::from_bytes(method.as_bytes()).ok()?;
        *request.uri_mut() = path.parse::<Uri>().ok()?;
        request.headers_mut().insert("host", HeaderValue::from_static("fuzz.example"));
        for line in lines {
            let (name, value) = line.split_once(": ")?;
            let value = value.replace(TOKEN, &self.token);
            request.headers_mut().append(
                HeaderName::from_bytes(name.as_bytes()).ok()?,
                HeaderValue::from_bytes(value.as_bytes()).ok()?,
            );
        }
        Some(request)
    }
}

/// The requests to start from: every call, and what it may be told.
pub fn seeds() -> Vec<Vec<u8>> {
    let hash = "ab".repeat(32);
    let post = |path: &str, body: &str| {
        let head =
            format!("POST {path}\ncontent-type: application/json\nauthorization: Bearer {TOKEN}");
        format!("{head}\nidempotency-key: one\n\n{body}").into_bytes()
    };
    let under = |path: &str| format!("/v1/commitments/{COMMITMENT}{path}");
    let mut all = vec![
        post(
            "/v1/commitments",
            r#"{"table":"a","deck":"standard-52","draw":5,"rounds":3,"reveal_in":"1h"}"#,
        ),
        post(
            "/v1/commitments",
            r#"{"table":"b","deck":["a","b","c"],"mixing":"hashed","sealed":true}"#,
        ),
        post(
            &under("/locks"),
            &format!(r#"{{"nonce":0,"contributions":[{{"from":"bob","hash":"{hash}"}}]}}"#),
        ),
        post(
            &under("/deals"),
            r#"{"contributions":[{"from":"bob","seed":"lucky"}],"open":[0,1],"public":true}"#,
        ),
        post(&under("/voids"), r#"{"nonce":9,"reason":"a player left","blame":"bob"}"#),
        post(&under("/rounds/0/openings"), r#"{"t":[0,1],"public":true}"#),
        post(&under("/rounds/0/done"), "{}"),
        post(&under("/reveal"), r#"{"nonce":9,"next":true}"#),
    ];
    let reads = [
        "/",
        "/checkpoint",
        "/tile/0/000.p/1",
        "/tile/entries/000.p/1",
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/docs",
        "/metrics",
        "/v1/commitments?table=fuzz&open=true&from=0&most=3",
        "/v1/tables?table=fuzz",
        "/v1/events?table=fuzz",
    ];
    let under_it = [
        "",
        "/receipt",
        "/rounds?from=0&most=2",
        "/rounds/0",
        "/rounds/0/receipt",
        "/receipts?rounds=0-3",
        "/rounds/0/openings/0,1",
    ];
    let paths =
        reads.iter().map(|&path| path.to_owned()).chain(under_it.iter().map(|&path| under(path)));
    all.extend(paths.map(|path| {
        format!("GET {path}\nauthorization: Bearer {TOKEN}\nlast-event-id: 0\n\n").into_bytes()
    }));
    all
}
