//! A day of a real service leaves its secrets nowhere: not in the database, the published files,
//! the log of the service, its answers, nor, but for those that it works with, in its memory.
//!
//! The test opens the vault itself, so that it knows every seed that is not revealed, and searches
//! for each of them as bytes, as hex and as base64.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "in a test, a panic is a failure with a place"
)]

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use fairdeal::deal::{Blind, ClientSeed, Label};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::{LoggedContribution, RoundOf};
use fairdeal_ledger::store::{Choice, Sqlite, State as _};
use memchr::memmem::Finder;
use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fairdeal");

/// A secret, and all the ways in which it could be written.
struct Secret {
    name: String,
    forms: Vec<(&'static str, Finder<'static>)>,
}

impl Secret {
    fn new(name: impl Into<String>, bytes: &[u8]) -> Self {
        let decimals = |between: &str| {
            let numbers: Vec<String> = bytes.iter().take(12).map(u8::to_string).collect();
            numbers.join(between).into_bytes()
        };
        // The last digit of base64 depends on what follows.
        let base64 = |text: String| text.as_bytes()[..bytes.len() * 4 / 3].to_vec();
        let forms = [
            ("bytes", bytes.to_vec()),
            ("hex", hex::encode(bytes).into_bytes()),
            ("HEX", hex::encode_upper(bytes).into_bytes()),
            ("base64", base64(STANDARD.encode(bytes))),
            ("base64url", base64(URL_SAFE.encode(bytes))),
            ("a list", decimals(", ")),
            ("a JSON list", decimals(",")),
        ];
        Self {
            name: name.into(),
            forms: forms
                .into_iter()
                .map(|(form, some)| (form, Finder::new(&some).into_owned()))
                .collect(),
        }
    }

    /// In which forms it stands there, and how often.
    fn count(&self, place: &[u8]) -> Vec<(&'static str, usize)> {
        let count = |(form, finder): &(&'static str, Finder<'static>)| {
            (*form, finder.find_iter(place).count())
        };
        self.forms.iter().map(count).filter(|(_, count)| *count > 0).collect()
    }
}

/// A service in a process of its own.
struct Service {
    child: Child,
    url: String,
    log: PathBuf,
    key: VerifierKey,
    agent: ureq::Agent,
    /// All that it ever answered, headers too.
    answers: Vec<u8>,
}

impl Service {
    fn start(dir: &Path, format: &str) -> Self {
        let log = dir.with_extension(format);
        let mut child = Command::new(PROGRAM)
            .args(["serve", "--listen", "127.0.0.1:0", "--json", "--log-format", format])
            .arg(dir)
            .env("RUST_BACKTRACE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)))
            // A body that is too long ends its connection.
            .max_idle_connections(0)
            .build()
            .new_agent();
        Self {
            child,
            url: said["listening"].as_str().unwrap().to_owned(),
            log,
            key: fairdeal(&["log-key", "--ledger", dir.to_str().unwrap()]).trim().parse().unwrap(),
            agent,
            answers: Vec::new(),
        }
    }

    fn note(&mut self, answer: &mut ureq::http::Response<ureq::Body>) -> (u16, Value) {
        for (name, value) in answer.headers() {
            self.answers.extend(name.as_str().as_bytes());
            self.answers.extend(value.as_bytes());
        }
        let mut body = Vec::new();
        answer.body_mut().as_reader().read_to_end(&mut body).unwrap();
        self.answers.extend(&body);
        (answer.status().as_u16(), serde_json::from_slice(&body).unwrap_or_default())
    }

    fn get(&mut self, token: &str, path: &str) -> (u16, Value) {
        let request = self.agent.get(format!("{}{path}", self.url));
        let request = request.header("accept", "application/json");
        let mut answer = request.header("authorization", format!("Bearer {token}")).call().unwrap();
        self.note(&mut answer)
    }

    fn post(&mut self, token: &str, path: &str, body: &str) -> (u16, Value) {
        let request = self.agent.post(format!("{}{path}", self.url));
        let request = request.header("content-type", "application/json");
        match request.header("authorization", format!("Bearer {token}")).send(body.as_bytes()) {
            Ok(mut answer) => self.note(&mut answer),
            // The service need not read a body that it refuses.
            Err(_) if body.len() > 65_536 => (413, Value::Null),
            Err(error) => panic!("{path}: {error}"),
        }
    }

    #[track_caller]
    fn made(&mut self, token: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(token, path, &body.to_string());
        assert_eq!(status, 201, "{path}: {answer}");
        answer
    }

    /// All that the process has in memory and could write to a core file.
    fn memory(&self) -> Vec<u8> {
        let process = PathBuf::from(format!("/proc/{}", self.child.id()));
        let memory = File::open(process.join("mem")).expect("a parent may read its child");
        let mut all = Vec::new();
        for line in fs::read_to_string(process.join("maps")).unwrap().lines() {
            let (range, rest) = line.split_once(' ').unwrap();
            if !rest.starts_with("rw") {
                continue;
            }
            let (start, end) = range.split_once('-').unwrap();
            let [start, end] = [start, end].map(|text| u64::from_str_radix(text, 16).unwrap());
            let mut bytes = vec![0; usize::try_from(end - start).unwrap()];
            // Some of the kernel's own maps cannot be read.
            if memory.read_exact_at(&mut bytes, start).is_ok() {
                all.extend(bytes);
            }
        }
        all
    }

    fn kill(mut self) -> (Vec<u8>, Vec<u8>) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        (std::mem::take(&mut self.answers), fs::read(&self.log).unwrap())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Killed already, or left by a test that failed.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn fairdeal(words: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn player(seed: &str) -> Value {
    json!([{"from": "alice", "seed": seed}])
}

/// A player's hash, and what opens it.
fn hashed(log: &VerifierKey, commitment: &str, nonce: u64) -> (Value, Value) {
    let (seed, blind) = (format!("alice's {nonce}"), Blind::parse(&"0a".repeat(32)).unwrap());
    let clear = LoggedContribution::clear(
        Label::new("alice").unwrap(),
        ClientSeed::new("x").unwrap(),
        None,
    );
    let (commitment, nonce) = (commitment.parse().unwrap(), nonce.try_into().unwrap());
    let round = RoundOf { log, commitment, nonce };
    let hash = round.hash(&clear.with_seed(ClientSeed::new(&seed).unwrap()), &blind);
    (
        json!([{"from": "alice", "hash": hash.to_string()}]),
        json!([{"from": "alice", "seed": seed, "blind": "0a".repeat(32)}]),
    )
}

fn plain_tables() -> usize {
    tools::cases(3, 12)
}

fn sealed_tables() -> usize {
    tools::cases(2, 5)
}

/// A day: plain tables and sealed ones, hashes and voids, openings, reveals, and all that goes
/// wrong.
fn day(service: &mut Service, tokens: &[String; 3], name: &str) {
    let [all, reader, other] = tokens.each_ref();
    for table in 0..plain_tables() {
        let terms = json!({"table": format!("{name}/plain-{table}"), "draw": 5, "rounds": 30});
        let path = format!(
            "/v1/commitments/{}",
            service.made(all, "/v1/commitments", &terms)["commitment"].as_str().unwrap()
        );
        // Every third is used up: it is revealed, and another one follows.
        for nonce in 0..if table % 3 == 0 { 30 } else { 14 } {
            let deal =
                json!({"nonce": nonce, "contributions": player(&format!("{table} {nonce}"))});
            service.made(all, &format!("{path}/deals"), &deal);
        }
        if table % 3 == 1 {
            service.made(all, &format!("{path}/reveal"), &json!({}));
        }
    }
    for table in 0..sealed_tables() {
        let terms = json!({"table": format!("{name}/sealed-{table}"), "sealed": true, "mixing": "hashes", "rounds": 40});
        let made = service.made(all, "/v1/commitments", &terms);
        let commitment = made["commitment"].as_str().unwrap();
        let path = format!("/v1/commitments/{commitment}");
        for nonce in 0..8 {
            let (hash, opened) = hashed(&service.key, commitment, nonce);
            service.made(
                all,
                &format!("{path}/locks"),
                &json!({"nonce": nonce, "contributions": hash}),
            );
            if nonce == 3 {
                service.made(
                    all,
                    &format!("{path}/voids"),
                    &json!({"nonce": 3, "reason": "a misdeal"}),
                );
                continue;
            }
            let deal = json!({"nonce": nonce, "contributions": opened, "open": [0, 1], "public": nonce == 0});
            service.made(all, &format!("{path}/deals"), &deal);
            assert_eq!(service.get(all, &format!("{path}/rounds/{nonce}/openings/2,3")).0, 200);
            if nonce < 6 {
                assert!(service.post(all, &format!("{path}/rounds/{nonce}/done"), "{}").0 < 300);
            }
        }
        refused(service, tokens, &path);
        for read in ["", "/rounds", "/rounds/0", "/rounds/0/receipt", "/receipt"] {
            assert_eq!(service.get(reader, &format!("{path}{read}")).0, 200, "{read}");
        }
    }
    for read in [
        "/v1/tables",
        "/v1/commitments",
        "/v1/events?after=0",
        "/checkpoint",
        "/metrics",
        "/healthz",
        "/readyz",
        "/openapi.json",
    ] {
        service.get(all, read);
        service.get(other, read);
    }
}

/// The errors of a day: each request is refused, and no error may tell a secret.
fn refused(service: &mut Service, [all, reader, other]: &[String; 3], path: &str) {
    let deals = format!("{path}/deals");
    let body = json!({"nonce": 0, "contributions": player("x")}).to_string();
    for (token, path, body) in [
        ("fairdeal_0000", &deals, body.as_str()),
        (reader, &deals, &body),
        (other, &deals, &body),
        (all, &deals, &body),
        (all, &deals, "{"),
        (all, &deals, "{\"nonce\": -1}"),
        (all, &deals, "{\"server_seed\": \"00\"}"),
        (all, &format!("{path}/reveal"), "{}"),
        (all, &format!("{path}/voids"), "{\"reason\": \"none\"}"),
        (all, &"/v1/commitments/0000/deals".to_owned(), &body),
        (all, &"/v1/nothing".to_owned(), &body),
        (all, &deals, &"x".repeat(70_000)),
    ] {
        let (status, answer) = service.post(token, path, body);
        assert!(status >= 400, "{path} {body:.80}: {status} {answer}");
    }
    for read in ["rounds/0/openings/99", "rounds/99/openings/0", "rounds/99", "rounds/x"] {
        assert!(service.get(all, &format!("{path}/{read}")).0 >= 400, "{read}");
    }
    assert!(service.get(reader, &format!("{path}/rounds/0/openings/0")).0 >= 400);
}

/// The seeds of the ledger: those that are revealed, and those that are not.
async fn seeds(dir: &Path, vault: &[u8; 32]) -> (Vec<Secret>, Vec<Secret>) {
    let state = Sqlite::open_to_read(&dir.join("private/state.sqlite"), Duration::from_secs(5))
        .await
        .unwrap();
    let lives =
        state.read().await.unwrap().lives_from(&Choice::default(), 0, 10_000).await.unwrap();
    state.close().await.unwrap();
    let cipher = XChaCha20Poly1305::new(&(*vault).into());
    let (mut revealed, mut hidden) = (Vec::new(), Vec::new());
    for stored in lives {
        let commitment = stored.life.commit.commitment;
        let (nonce, sealed) = stored.seed.split_first_chunk::<24>().unwrap();
        let payload = Payload { msg: sealed, aad: commitment.as_bytes() };
        let seed =
            cipher.decrypt(&XNonce::from(*nonce), payload).expect("it opens under the vault key");
        let secret = Secret::new(format!("the seed of {commitment}"), &seed);
        if stored.life.end.is_some() { revealed.push(secret) } else { hidden.push(secret) }
    }
    (revealed, hidden)
}

/// All files of a folder.
fn files(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push((path.clone(), fs::read(path).unwrap()));
        }
    }
}

/// Asserts that no secret stands anywhere.
#[track_caller]
fn nowhere(secrets: &[&Secret], places: &[(PathBuf, Vec<u8>)]) {
    for (path, bytes) in places {
        for secret in secrets {
            assert_eq!(secret.count(bytes), [], "{} stands in {}", secret.name, path.display());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_of_the_service_leaves_no_secret_in_its_files_its_log_its_answers_or_its_memory() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("casino");
    let at = dir.to_str().unwrap();
    fairdeal(&["init", at, "--origin", "cards.example/log"]);
    let token = |words: &[&str]| {
        let all: Vec<&str> =
            ["token", "add", "--ledger", at].iter().chain(words).copied().collect();
        fairdeal(&all).trim_end().to_owned()
    };
    let tokens = [
        token(&["all", "--open"]),
        token(&["reader", "--read-only"]),
        token(&["other", "--table", "other"]),
    ];

    let vault_text = fs::read_to_string(dir.join("private/vault.key")).unwrap();
    let vault: [u8; 32] = hex::decode(vault_text.trim_end()).unwrap().try_into().unwrap();
    let signing_text = fs::read_to_string(dir.join("private/signing.key")).unwrap();
    let signing = STANDARD.decode(signing_text.trim_end().splitn(5, '+').nth(4).unwrap()).unwrap();
    // The first byte is the kind of key.
    let keys = [
        Secret::new("the vault key", &vault),
        Secret::new("the signing key", &signing[1..]),
        Secret::new("the signing key with its kind", &signing),
    ];
    let of_token = |token: &String| {
        let bytes = hex::decode(token.strip_prefix("fairdeal_").unwrap()).unwrap();
        Secret::new("a token", &bytes)
    };
    let tokens_as_bytes: Vec<Secret> = tokens.iter().map(of_token).collect();

    let mut places = Vec::new();
    for format in ["text", "json"] {
        let mut service = Service::start(&dir, format);
        day(&mut service, &tokens, format);
        // A used-up commitment is revealed by itself.
        std::thread::sleep(Duration::from_secs(2));
        let (revealed, hidden) = seeds(&dir, &vault).await;
        // One plain table in three is left open, as are the sealed ones and what follows on those
        // used up.
        assert!(hidden.len() > plain_tables() / 3 + sealed_tables(), "{}", hidden.len());
        assert!(revealed.len() >= 2 * plain_tables() / 3, "{}", revealed.len());
        let memory = service.memory();
        assert_eq!(
            keys[0].count(&memory).iter().filter(|(form, _)| *form == "bytes").count(),
            1,
            "the search sees it"
        );
        // A seed is opened for its own rounds alone, and erased after them.
        for seed in &hidden {
            assert_eq!(seed.count(&memory), [], "{} is in memory while nobody deals", seed.name);
        }
        // The keys are needed at every moment, as bytes.
        for key in &keys {
            let found = key.count(&memory);
            // Once each; a little room for one that is at work.
            assert!(
                found.iter().all(|(form, count)| *form == "bytes" && *count <= 3),
                "{}: {found:?}",
                key.name
            );
        }
        // Its connections are closed: what they had read is erased.
        for token in &tokens_as_bytes {
            assert_eq!(token.count(&memory), [], "{} is in memory while nobody asks", token.name);
        }
        let (answers, log) = service.kill();
        assert!(!log.is_empty());
        assert!(
            revealed.iter().any(|seed| !seed.count(&answers).is_empty()),
            "the search finds what is public"
        );
        places.push((PathBuf::from(format!("the answers, {format}")), answers));
        places.push((PathBuf::from(format!("the log, {format}")), log));
        // As they are left by the kill, before anybody opens them.
        files(&dir, &mut places);
        places.retain(|(path, _)| !path.ends_with("signing.key") && !path.ends_with("vault.key"));
        assert!(places.iter().any(|(path, _)| path.ends_with("state.sqlite-wal")), "it was killed");
    }
    let (revealed, hidden) = seeds(&dir, &vault).await;
    let secrets: Vec<&Secret> = hidden.iter().chain(&keys).chain(&tokens_as_bytes).collect();
    nowhere(&secrets, &places);
    let public = |(path, _): &&(PathBuf, Vec<u8>)| path.starts_with(dir.join("public"));
    for seed in &revealed {
        assert!(
            places.iter().filter(public).any(|(_, bytes)| !seed.count(bytes).is_empty()),
            "{}",
            seed.name
        );
    }
}
