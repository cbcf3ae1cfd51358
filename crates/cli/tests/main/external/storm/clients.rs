//! The clients that deal, watch and follow. They retry until they get an answer.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::node::now;
use super::told::Told;
use super::wire::scattered;

/// How long a request is repeated: far longer than any outage here.
const PATIENCE: Duration = Duration::from_secs(90);

/// State that all clients share.
pub(super) struct World {
    /// Where the nodes are reached.
    pub(super) nodes: Vec<SocketAddr>,
    pub(super) token: String,
    pub(super) told: Told,
    /// Whether a node said that it is ready, when it was asked last.
    pub(super) ready: Vec<AtomicBool>,
    /// The index of the last event from each node.
    pub(super) followed: Vec<AtomicU64>,
    /// No new deals.
    pub(super) is_over: AtomicBool,
    /// The followers and the watcher end too.
    pub(super) is_closed: AtomicBool,
}

/// Ends the clients when it goes: also when a test fails.
pub(super) struct Over<'a>(pub(super) &'a World);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
        self.0.is_closed.store(true, Ordering::Relaxed);
    }
}

/// A table, and its commitment at the moment.
pub(super) struct Table {
    commitment: Mutex<String>,
}

/// One caller: it asks the other node where one does not answer.
pub(super) struct Client<'a> {
    world: &'a World,
    agent: ureq::Agent,
    at: usize,
    asked: u64,
}

impl<'a> Client<'a> {
    pub(super) fn new(world: &'a World, at: usize) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(15)))
            .build()
            .new_agent();
        Self { world, agent, at, asked: 0 }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.world.nodes[self.at])
    }

    /// An answer that came whole; otherwise why it did not.
    pub(super) fn get(&self, path: &str) -> Result<(u16, String), String> {
        let answer = self.agent.get(self.url(path)).call().map_err(|e| e.to_string())?;
        let status = answer.status().as_u16();
        Ok((status, answer.into_body().read_to_string().map_err(|e| e.to_string())?))
    }

    /// A file's bytes.
    pub(super) fn bytes(&self, path: &str) -> Vec<u8> {
        self.agent.get(self.url(path)).call().unwrap().into_body().read_to_vec().unwrap()
    }

    fn post(&self, path: &str, key: &str, body: &str) -> Result<(u16, Value), String> {
        let request = self
            .agent
            .post(self.url(path))
            .header("authorization", format!("Bearer {}", self.world.token))
            .header("content-type", "application/json")
            .header("idempotency-key", key);
        let answer = request.send(body).map_err(|e| e.to_string())?;
        let status = answer.status().as_u16();
        let text = answer.into_body().read_to_string().map_err(|e| e.to_string())?;
        let value = serde_json::from_str(&text).map_err(|e| format!("{e}: {text}"))?;
        Ok((status, value))
    }

    pub(super) fn other_node(&mut self) {
        self.at = (self.at + 1).checked_rem(self.world.nodes.len()).unwrap();
    }

    /// Asks until there is an answer that is one: not a broken connection, nor "ask again".
    pub(super) fn ask(&mut self, path: &str, key: &str, body: &Value) -> (u16, Value) {
        let (start, body) = (now(), body.to_string());
        loop {
            let answer = self.post(path, key, &body);
            match answer {
                Ok((200 | 201 | 409, _)) => return answer.unwrap(),
                Ok((503 | 429 | 408, problem)) => {
                    let code = problem["code"].as_str().unwrap_or("?");
                    self.world.told.count(&format!("retries, 503 {code}"));
                }
                Ok((status, problem)) => {
                    self.world.told.wrong(format!("{path} under {key}: {status} {problem}"));
                    return (status, problem);
                }
                Err(_) => self.world.told.count("retries, no answer"),
            }
            if start.elapsed() > PATIENCE {
                self.world.told.wrong(format!("{path} under {key}: never answered"));
                return (0, Value::Null);
            }
            self.other_node();
            self.asked += 1;
            std::thread::sleep(Duration::from_millis(20 + (scattered(self.asked) & 127)));
        }
    }

    pub(super) fn make_table(&mut self, name: &str, terms: Value) -> Table {
        let mut terms = terms;
        terms["table"] = json!(name);
        let (status, answer) = self.ask("/v1/commitments", &format!("make {name}"), &terms);
        // 200: it was made when it was asked for first, and nobody was told in time.
        assert!(matches!(status, 200 | 201), "{answer}");
        self.world.told.receipt(&answer["receipt"]);
        Table { commitment: Mutex::new(answer["commitment"].as_str().unwrap().to_owned()) }
    }

    /// A step of a round under a key of its own. `None` where the table went on with another
    /// commitment meanwhile.
    fn step(&mut self, table: &Table, step: &str, key: &str, body: &Value) -> Option<Value> {
        let commitment = table.commitment.lock().unwrap().clone();
        let path = format!("/v1/commitments/{commitment}/{step}");
        let (status, answer) = self.ask(&path, key, body);
        if !matches!(status, 200 | 201) {
            self.world.told.inner().refused.insert(key.to_owned());
            self.world.told.count("refused: the table had gone on");
            let now = answer["table"]["commitment"]["commitment"].as_str().map(str::to_owned);
            match now.filter(|now| *now != commitment) {
                Some(now) => *table.commitment.lock().unwrap() = now,
                None => std::thread::sleep(Duration::from_millis(100)),
            }
            return None;
        }
        self.world.told.answer(key, &answer);
        if scattered(self.asked).is_multiple_of(8) {
            // The same at the other node is the same.
            self.other_node();
            let (status, again) = self.ask(&path, key, body);
            if status == 200 {
                self.world.told.answer(key, &again);
                self.world.told.count("answered again by the other node");
            } else {
                self.world
                    .told
                    .wrong(format!("{key} was answered, and then with {status}: {again}"));
            }
        } else if scattered(self.asked + 1).is_multiple_of(4) {
            self.other_node();
            self.read_receipt(&answer);
        }
        self.asked += 1;
        if let Some(next) = answer["next"]["commitment"].as_str() {
            let mut now = table.commitment.lock().unwrap();
            if *now == commitment {
                next.clone_into(&mut now);
            }
        }
        Some(answer)
    }

    /// The other node can read an answered entry at once.
    fn read_receipt(&self, answer: &Value) {
        let (commitment, nonce) = (answer["commitment"].as_str().unwrap(), &answer["nonce"]);
        match self.get(&format!("/v1/commitments/{commitment}/rounds/{nonce}/receipt")) {
            Ok((200, receipt)) => {
                self.world.told.receipt(&serde_json::from_str(&receipt).unwrap());
                self.world.told.count("receipts read at the other node");
            }
            Ok((503, _)) | Err(_) => {}
            Ok((status, problem)) => {
                self.world
                    .told
                    .wrong(format!("{commitment} {nonce}: its receipt is {status} {problem}"));
            }
        }
    }

    /// Deals as fast as it is answered.
    pub(super) fn deal(mut self, name: &str, tables: &[Table]) {
        for number in 0_usize.. {
            if self.world.is_over.load(Ordering::Relaxed) {
                return;
            }
            let table = &tables[number.checked_rem(tables.len()).unwrap()];
            let key = format!("{name} {number}");
            let body = json!({"contributions": [{"from": "alice", "seed": key}]});
            self.step(table, "deals", &key, &body);
        }
    }

    /// Locks each round before it deals it. Nobody else plays at its table.
    pub(super) fn lock_and_deal(mut self, name: &str, table: &Table) {
        for number in 0_usize.. {
            if self.world.is_over.load(Ordering::Relaxed) {
                return;
            }
            let (lock, deal) = (format!("{name} {number}"), format!("{name} {number}, dealt"));
            let body = json!({"contributions": [{"from": "alice", "seed": lock}]});
            if let Some(locked) = self.step(table, "locks", &lock, &body) {
                let body = json!({"nonce": locked["nonce"], "contributions": []});
                if self.step(table, "deals", &deal, &body).is_none() {
                    self.world
                        .told
                        .wrong(format!("{deal}: its round is locked, and was not dealt"));
                }
            }
        }
    }

    /// Reads the checkpoint and the readiness of the nodes by turns.
    pub(super) fn watch(mut self) {
        let mut last = 0;
        while !self.world.is_closed.load(Ordering::Relaxed) {
            if let Ok((200, note)) = self.get("/checkpoint")
                && let Some(checkpoint) = self.world.told.checkpoint(&note)
            {
                if checkpoint.size() < last {
                    self.world.told.wrong(format!(
                        "the checkpoint went back from {last} to {}",
                        checkpoint.size()
                    ));
                }
                last = checkpoint.size();
                self.world.told.count("checkpoints read");
            }
            let ready = matches!(self.get("/readyz"), Ok((200, _)));
            self.world.ready[self.at].store(ready, Ordering::Relaxed);
            self.other_node();
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Follows the events of one node, and resumes after the last one.
pub(super) fn follow(world: &World, at: usize) {
    let mut last = 0;
    while !world.is_closed.load(Ordering::Relaxed) {
        let _cut = follow_once(world, at, &mut last);
        world.told.count("streams of events that were opened");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn follow_once(world: &World, at: usize, last: &mut u64) -> std::io::Result<()> {
    let mut socket = TcpStream::connect(world.nodes[at])?;
    socket.set_read_timeout(Some(Duration::from_secs(20)))?;
    write!(socket, "GET /v1/events?after={last} HTTP/1.1\r\nHost: x\r\n\r\n")?;
    let (mut id, mut line) = (None, String::new());
    let mut reader = BufReader::new(socket);
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0
            || !line.ends_with('\n')
            || world.is_closed.load(Ordering::Relaxed)
        {
            return Ok(());
        }
        match line.trim_end().split_once(": ") {
            Some(("id", value)) => id = value.parse::<u64>().ok(),
            Some(("data", bytes)) => {
                let Some(index) = id.take() else { continue };
                world.told.entry(index, bytes);
                if index != *last + 1 {
                    world.told.wrong(format!("node {at}: the event after {last} is {index}"));
                }
                *last = index;
                world.followed[at].store(index, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

/// Waits until something is so.
#[track_caller]
pub(super) fn until(what: &str, most: Duration, mut so: impl FnMut() -> bool) -> Duration {
    let start: Instant = now();
    while !so() {
        assert!(start.elapsed() < most, "it did not come to this in {most:?}: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
    start.elapsed()
}
