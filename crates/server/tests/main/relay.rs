//! A relay of a chain whose key is known, on a port of its own.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use fairdeal_ledger::clock::{Clock as _, SystemClock};
use tools::beacons::OwnChain;

/// A round each second.
pub(crate) struct Relay {
    pub(crate) url: String,
    pub(crate) chain: Arc<OwnChain>,
    /// Whether it has the signatures of rounds that are out. Else it answers 404.
    pub(crate) has: Arc<AtomicBool>,
    /// How often it was asked.
    pub(crate) asked: Arc<AtomicUsize>,
    /// The paths that it does not serve.
    pub(crate) strange: Arc<Mutex<Vec<String>>>,
}

/// Unix seconds.
pub(crate) fn seconds() -> u64 {
    SystemClock::start().read().unix / 1000
}

impl Relay {
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let relay = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            chain: Arc::new(OwnChain { secret: 7, genesis: seconds() - 100, period: 1 }),
            has: Arc::new(AtomicBool::new(true)),
            asked: Arc::default(),
            strange: Arc::default(),
        };
        let (chain, has) = (Arc::clone(&relay.chain), Arc::clone(&relay.has));
        let (asked, strange) = (Arc::clone(&relay.asked), Arc::clone(&relay.strange));
        std::thread::spawn(move || {
            let of_chain = format!("/{}/public/", chain.chain().hash());
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut head = BufReader::new(stream.try_clone().unwrap());
                let mut line = String::new();
                head.read_line(&mut line).unwrap();
                let mut rest = String::new();
                while head.read_line(&mut rest).is_ok_and(|read| read > 2) {
                    rest.clear();
                }
                asked.fetch_add(1, Ordering::SeqCst);
                let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
                let round = path.strip_prefix(&of_chain).and_then(|round| round.parse().ok());
                if round.is_none() {
                    strange.lock().unwrap().push(path);
                }
                let is_out = |round: &u64| chain.chain().out(*round) <= seconds();
                let answer = match round.filter(is_out).filter(|_| has.load(Ordering::SeqCst)) {
                    Some(round) => {
                        let signature = hex::encode(chain.sign(round));
                        let body = format!("{{\"round\":{round},\"signature\":\"{signature}\"}}");
                        format!(
                            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                            body.len()
                        )
                    }
                    None => {
                        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                            .to_owned()
                    }
                };
                let _gone = stream.write_all(answer.as_bytes());
            }
        });
        relay
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}
