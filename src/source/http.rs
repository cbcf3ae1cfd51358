//! A log behind `http://` or `https://`, as any static file server would serve it.
//!
//! What is read is bounded in bytes, in time and in connections. What passes (a lost connection, a busy server) is tried
//! again. A redirect is followed within the origin that was named, or from `http` to `https` on the same host: a log
//! that sends its reader elsewhere is not the log that was asked for. TLS shows only who answers; what the answer is
//! worth is for the log's signature to say.

mod gate;
mod origin;

use std::io::Read as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use ureq::http::{HeaderMap, Response, header};
use ureq::{Agent, Body, Error, Timeout};
use url::Url;

use self::gate::Gate;
use super::files::{Files, ReadError, Wanted};
use crate::clock::{Clock as _, SystemClock};

pub use self::origin::UrlError;

/// How long a server may take, how often it is asked, and over how many connections.
#[derive(Clone, Debug)]
pub struct HttpLimits {
    /// The longest until a connection stands, its name looked up and TLS agreed on included.
    pub connect: Duration,
    /// The longest until a request is answered, up to the end of the answer's head.
    pub answer: Duration,
    /// The longest for one request from its beginning to the end of the file, redirects included and however the bytes
    /// drip. Who takes that long is not asked again.
    pub request: Duration,
    /// How often a file is asked for where what went wrong may pass; at least once.
    pub tries: u32,
    /// The wait before the second try; it doubles for each one after that.
    pub backoff: Duration,
    /// The longest wait that a server may ask for with `Retry-After`.
    pub longest_wait: Duration,
    /// How many files are asked for at the same time; at least one.
    pub connections: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(20),
            request: Duration::from_mins(1),
            tries: 4,
            backoff: Duration::from_millis(250),
            longest_wait: Duration::from_secs(30),
            connections: 8,
        }
    }
}

/// A log behind a URL.
#[derive(Debug)]
pub struct Http {
    /// Ends with a slash.
    base: Url,
    agent: Agent,
    limits: HttpLimits,
    gate: Gate,
}

/// Why a try gave no file.
enum Failed {
    /// It would not do better another time.
    For(ReadError),
    /// It may.
    Now {
        says: String,
        /// How long the server asks to wait.
        wait: Duration,
    },
}

impl Failed {
    fn unreadable(says: impl Into<String>) -> Self {
        Self::For(ReadError::Unreadable(says.into()))
    }
}

impl Http {
    /// A log by the URL that its files are below, with a slash at its end or without. Nothing is read yet.
    ///
    /// # Errors
    /// [`UrlError`] unless it is `http` or `https` and has neither user, query nor fragment.
    pub fn new(url: &str, limits: HttpLimits) -> Result<Self, UrlError> {
        let base = origin::base(url)?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("fairdeal/", env!("CARGO_PKG_VERSION")))
            .accept("*/*")
            // No decoder: what is bounded is what is received.
            .accept_encoding("identity")
            .timeout_resolve(Some(limits.connect))
            .timeout_connect(Some(limits.connect))
            .timeout_send_request(Some(limits.answer))
            .timeout_recv_response(Some(limits.answer))
            .max_idle_connections(limits.connections.max(1))
            .max_idle_connections_per_host(limits.connections.max(1));
        // No proxy reaches this machine's own loopback; everywhere else the environment's is used.
        let config = if origin::is_loopback(&base) { config.proxy(None) } else { config };
        let gate = Gate::new(limits.connections);
        Ok(Self { base, agent: config.build().into(), limits, gate })
    }

    /// Asks until there is an answer that counts.
    fn fetch(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        let _turn = self.gate.enter();
        let mut backoff = self.limits.backoff;
        let mut tries: u32 = 1;
        loop {
            let (says, wait) = match self.ask(path, at_most) {
                Ok(bytes) => return Ok(bytes),
                Err(Failed::For(error)) => return Err(error),
                Err(Failed::Now { says, wait }) => (says, wait),
            };
            if wait > self.limits.longest_wait {
                let says = format!("{says}, and asks to wait {} seconds", wait.as_secs());
                return Err(ReadError::Unreadable(says));
            }
            if tries >= self.limits.tries {
                return Err(ReadError::Unreadable(format!("{says} (tried {tries} times)")));
            }
            thread::sleep(backoff.max(wait));
            backoff = backoff.saturating_mul(2);
            tries = tries.saturating_add(1);
        }
    }

    /// Asks once, and again where a redirect points.
    fn ask(&self, path: &str, at_most: u64) -> Result<Vec<u8>, Failed> {
        let mut url = self.base.join(path).map_err(|error| Failed::unreadable(error.to_string()))?;
        let clock = SystemClock::start();
        for _ in 0..=origin::MOST_REDIRECTS {
            let left = self.limits.request.saturating_sub(clock.read().passed);
            let request = self.agent.get(url.as_str()).config().timeout_global(Some(left)).build();
            let response = request.call().map_err(|error| self.failed(error))?;
            let status = response.status();
            match status.as_u16() {
                200 => return self.body(response, at_most),
                301 | 302 | 303 | 307 | 308 => {
                    url = origin::redirected(&url, response.headers()).map_err(Failed::unreadable)?;
                }
                404 | 410 => return Err(Failed::For(ReadError::Missing)),
                429 | 500..=599 => {
                    let says = format!("expected the file, the server answers {status}");
                    return Err(Failed::Now { says, wait: retry_after(response.headers()) });
                }
                _ => {
                    return Err(Failed::unreadable(format!(
                        "expected the file, the server answers {status}"
                    )));
                }
            }
        }
        let most = origin::MOST_REDIRECTS;
        Err(Failed::unreadable(format!("expected at most {most} redirects, found one more, to {url}")))
    }

    fn body(&self, response: Response<Body>, at_most: u64) -> Result<Vec<u8>, Failed> {
        let of =
            |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let coding = of(header::CONTENT_ENCODING);
        if !coding.is_empty() && !coding.eq_ignore_ascii_case("identity") {
            return Err(Failed::unreadable(format!(
                "expected the bytes as they are, found them in {coding:?}"
            )));
        }
        // A sign-in page, or a server that has a page for everything: neither is the log's word.
        if is_a_page(of(header::CONTENT_TYPE)) {
            return Err(Failed::unreadable("expected a log's file, found a web page"));
        }
        let body = response.into_body();
        let too_long = || Failed::For(ReadError::TooLong { at_most });
        if body.content_length().is_some_and(|length| length > at_most) {
            return Err(too_long());
        }
        let mut bytes = Vec::new();
        let mut bounded = body.into_reader().take(at_most.saturating_add(1));
        let read = bounded.read_to_end(&mut bytes).map_err(|error| self.failed(Error::from(error)))?;
        if u64::try_from(read).is_ok_and(|read| read <= at_most) { Ok(bytes) } else { Err(too_long()) }
    }

    fn failed(&self, error: Error) -> Failed {
        let says = match error {
            Error::Timeout(Timeout::Global) => {
                let within = self.limits.request.as_millis();
                return Failed::unreadable(format!("timeout: expected the whole file within {within} ms"));
            }
            Error::Timeout(timeout) => self.too_slow(timeout),
            // A certificate that is not the host's stays so.
            Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                return Failed::unreadable(error.to_string());
            }
            Error::Io(error) => error.to_string(),
            Error::HostNotFound => "the host is not found".to_owned(),
            Error::ConnectionFailed => "no connection".to_owned(),
            error => return Failed::unreadable(format!("expected an HTTP answer: {error}")),
        };
        Failed::Now { says, wait: Duration::ZERO }
    }

    fn too_slow(&self, timeout: Timeout) -> String {
        let (what, within) = match timeout {
            Timeout::Resolve => ("the host's address", self.limits.connect),
            Timeout::Connect => ("a connection", self.limits.connect),
            _ => ("an answer", self.limits.answer),
        };
        format!("timeout: expected {what} within {} ms", within.as_millis())
    }

    /// Takes the next file that nobody has taken, until there is none, or one could not be read.
    fn work(&self, wanted: &[Wanted], next: &AtomicUsize, stop: &AtomicBool) -> Vec<(usize, Fetched)> {
        let mut done = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = wanted.get(at) else { break };
            let fetched = self.fetch(&one.path, one.at_most);
            if matches!(fetched, Err(ReadError::Unreadable(_))) {
                stop.store(true, Ordering::Relaxed);
            }
            done.push((at, fetched));
        }
        done
    }
}

type Fetched = Result<Vec<u8>, ReadError>;

impl Files for Http {
    fn name(&self) -> String {
        self.base.as_str().trim_end_matches('/').to_owned()
    }

    fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        self.fetch(path, at_most)
    }

    fn read_all(&self, wanted: &[Wanted]) -> Vec<Result<Vec<u8>, ReadError>> {
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let done = thread::scope(|scope| {
            let others = 1..wanted.len().min(self.limits.connections);
            // Where the system has no thread left, this one does it alone.
            let spawn =
                |_| thread::Builder::new().spawn_scoped(scope, || self.work(wanted, &next, &stop)).ok();
            let others: Vec<_> = others.filter_map(spawn).collect();
            let mut done = self.work(wanted, &next, &stop);
            done.extend(others.into_iter().filter_map(|other| other.join().ok()).flatten());
            done
        });
        let not_asked =
            || Err(ReadError::Unreadable("not asked for: a file before it was unreadable".to_owned()));
        let mut all: Vec<Fetched> = wanted.iter().map(|_| not_asked()).collect();
        for (at, fetched) in done {
            if let Some(place) = all.get_mut(at) {
                *place = fetched;
            }
        }
        all
    }
}

fn is_a_page(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("text/html") || kind.eq_ignore_ascii_case("application/xhtml+xml")
}

/// What the server asks to wait, where it says so in seconds; a date would take a clock that agrees with its own.
fn retry_after(headers: &HeaderMap) -> Duration {
    let text = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
    text.and_then(|text| text.trim().parse().ok()).map_or(Duration::ZERO, Duration::from_secs)
}
