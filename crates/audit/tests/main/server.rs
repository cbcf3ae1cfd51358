//! A small web server on loopback, which misbehaves as a test asks.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tools::paper::{PaperLog, counting_seed};

/// Answers a request for a path: writes the whole answer, and returns whether the connection stays
/// open.
pub(crate) type Answer = dyn Fn(&str, &mut TcpStream) -> bool + Send + Sync;

/// Serves until it is dropped.
pub(crate) struct Server {
    url: String,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    stopped: AtomicBool,
    open: AtomicUsize,
    most_open: AtomicUsize,
    connections: AtomicUsize,
    requests: Mutex<Vec<String>>,
}

impl Server {
    pub(crate) fn new(
        answer: impl Fn(&str, &mut TcpStream) -> bool + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (seen, answer): (Arc<Seen>, Arc<Answer>) = (Arc::default(), Arc::new(answer));
        let all = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if all.stopped.load(Ordering::SeqCst) {
                    break;
                }
                let (Ok(stream), all, answer) = (stream, Arc::clone(&all), Arc::clone(&answer))
                else {
                    break;
                };
                thread::spawn(move || all.serve(stream, answer.as_ref()));
            }
        });
        Self { url, seen }
    }

    /// Its URL, without a slash at the end.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The requested paths, in order.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.requests.lock().expect("nobody panicked").clone()
    }

    /// The most requests that were being answered at one time.
    pub(crate) fn most_at_once(&self) -> usize {
        self.seen.most_open.load(Ordering::SeqCst)
    }

    /// The number of connections that were made.
    pub(crate) fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.seen.stopped.store(true, Ordering::SeqCst);
        // One more connection wakes the listener, which then sees that it must end.
        let _ = TcpStream::connect(self.url.trim_start_matches("http://"));
    }
}

impl Seen {
    fn serve(&self, mut stream: TcpStream, answer: &Answer) {
        self.connections.fetch_add(1, Ordering::SeqCst);
        let mut lines = BufReader::new(stream.try_clone().expect("a second handle"));
        loop {
            let mut request = String::new();
            if lines.read_line(&mut request).is_err() || request.is_empty() {
                return;
            }
            let mut line = String::new();
            while lines.read_line(&mut line).is_ok_and(|read| read > 2) {
                line.clear();
            }
            let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
            let open = self.open.fetch_add(1, Ordering::SeqCst) + 1;
            self.most_open.fetch_max(open, Ordering::SeqCst);
            self.requests.lock().expect("nobody panicked").push(path.clone());
            let stays = answer(&path, &mut stream);
            self.open.fetch_sub(1, Ordering::SeqCst);
            if !stays {
                return;
            }
        }
    }
}

/// An answer with its length; whether the connection stays open.
pub(crate) fn send(stream: &mut TcpStream, status: &str, headers: &str, body: &[u8]) -> bool {
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    stream.write_all(&[head.as_bytes(), body].concat()).is_ok()
}

/// These bytes exactly, and then the end.
pub(crate) fn raw(stream: &mut TcpStream, bytes: &[u8]) -> bool {
    let _ = stream.write_all(bytes);
    false
}

/// A byte every few milliseconds until the reader has enough.
pub(crate) fn drip(stream: &mut TcpStream) -> bool {
    while stream.write_all(b"x").and_then(|()| stream.flush()).is_ok() {
        thread::sleep(Duration::from_millis(5));
    }
    false
}

/// The files of a folder; 404 for others.
pub(crate) fn folder(
    dir: &std::path::Path,
) -> impl Fn(&str, &mut TcpStream) -> bool + Send + Sync + 'static + use<> {
    let dir = dir.to_owned();
    move |path, stream| match std::fs::read(dir.join(path.trim_start_matches('/'))) {
        Ok(bytes) => send(stream, "200 OK", "", &bytes),
        Err(_) => send(stream, "404 Not Found", "", b"no such file"),
    }
}

/// A log of one commitment and its deals.
pub(crate) fn log(rounds: u64) -> PaperLog {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    for n in 0..rounds {
        log.deal(&commit, &seed.mac(), n, &[("alice", "lucky")]);
    }
    log
}
