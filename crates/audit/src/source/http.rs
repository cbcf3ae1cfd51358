//! A log behind `http://` or `https://`, as any static file server serves it.
//!
//! Every read is bounded in bytes, time and connections. An error that may pass (a lost connection,
//! a busy server) is retried. A redirect is followed within the named origin, or from `http` to
//! `https` on the same host; a log elsewhere is not the log that was asked for. TLS shows only who
//! answers; the log's signature shows what the answer is worth.

mod gate;
mod origin;

use std::io::Read as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ureq::http::{HeaderMap, Response, header};
use ureq::{Agent, Body, Error, Timeout};
use url::Url;

use self::gate::Gate;
use super::files::{Files, ReadError, Wanted};

pub use self::origin::UrlError;

/// Limits on time, tries and connections.
#[derive(Clone, Debug)]
pub struct HttpLimits {
    /// The longest time to connect, with the name lookup and the TLS handshake.
    pub connect: Duration,
    /// The longest time to send the request, and to receive the response's headers.
    pub answer: Duration,
    /// The longest time for a whole file, with all tries, waits and redirects, however slowly the
    /// bytes come.
    pub file: Duration,
    /// The number of attempts to get a file if the error may pass; at least one.
    pub tries: u32,
    /// The wait before the second try; it doubles for each further try.
    pub backoff: Duration,
    /// The longest `Retry-After` that is obeyed.
    pub longest_wait: Duration,
    /// The number of files that are requested at the same time; at least one.
    pub connections: usize,
}

impl HttpLimits {
    /// The default of [`file`](Self::file). A service that sleeps until it is called answers within
    /// half a minute, and within a minute the largest file comes over a slow line.
    pub const FILE: Duration = Duration::from_mins(1);
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(20),
            file: Self::FILE,
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

/// Why a try failed.
enum Failed {
    /// It would fail again.
    Final(ReadError),
    /// The next try may succeed.
    Passing {
        says: String,
        /// The time that the server asks us to wait.
        wait: Duration,
    },
}

impl Failed {
    fn unreadable(says: impl Into<String>) -> Self {
        Self::Final(ReadError::Unreadable(says.into()))
    }
}

impl Http {
    /// The log whose files are below `url`, which may end with a slash. Nothing is read yet.
    ///
    /// # Errors
    /// [`UrlError`] unless it is `http` or `https`, without user, query and fragment.
    pub fn new(url: &str, limits: HttpLimits) -> Result<Self, UrlError> {
        let base = origin::base(url)?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("fairdeal/", env!("CARGO_PKG_VERSION")))
            .accept("*/*")
            // No decoder, so that the bound is on the received bytes.
            .accept_encoding("identity")
            .timeout_resolve(Some(limits.connect))
            .timeout_connect(Some(limits.connect))
            .timeout_send_request(Some(limits.answer))
            .timeout_recv_response(Some(limits.answer))
            .max_idle_connections(limits.connections.max(1))
            .max_idle_connections_per_host(limits.connections.max(1));
        // The environment's proxy cannot reach this machine's loopback.
        let config = if origin::is_loopback(&base) { config.proxy(None) } else { config };
        let gate = Gate::new(limits.connections);
        Ok(Self { base, agent: config.build().into(), limits, gate })
    }

    /// Requests a file, with retries.
    fn fetch(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        let _turn = self.gate.enter();
        #[expect(
            clippy::disallowed_methods,
            reason = "a time limit on the network; no verdict depends on it"
        )]
        let start = Instant::now();
        let left = || self.limits.file.saturating_sub(start.elapsed());
        let mut backoff = self.limits.backoff;
        let mut tries: u32 = 1;
        loop {
            let (says, wait) = match self.ask(path, at_most, left) {
                Ok(bytes) => return Ok(bytes),
                Err(Failed::Final(error)) => return Err(error),
                Err(Failed::Passing { says, wait }) => (says, wait),
            };
            if wait > self.limits.longest_wait {
                let says = format!("{says}, and asks for a wait of {} seconds", wait.as_secs());
                return Err(ReadError::Unreadable(says));
            }
            let pause = backoff.max(wait);
            if tries >= self.limits.tries || pause >= left() {
                let often = if tries == 1 { "once".to_owned() } else { format!("{tries} times") };
                return Err(ReadError::Unreadable(format!("{says} (tried {often})")));
            }
            thread::sleep(pause);
            backoff = backoff.saturating_mul(2);
            tries = tries.saturating_add(1);
        }
    }

    /// Requests a file once, and follows redirects.
    fn ask(
        &self,
        path: &str,
        at_most: u64,
        left: impl Fn() -> Duration,
    ) -> Result<Vec<u8>, Failed> {
        let mut url =
            self.base.join(path).map_err(|error| Failed::unreadable(error.to_string()))?;
        for _ in 0..=origin::MOST_REDIRECTS {
            let request =
                self.agent.get(url.as_str()).config().timeout_global(Some(left())).build();
            let response = request.call().map_err(|error| self.failed(error))?;
            let status = response.status();
            match status.as_u16() {
                200 => return self.body(response, at_most),
                301 | 302 | 303 | 307 | 308 => {
                    url =
                        origin::redirected(&url, response.headers()).map_err(Failed::unreadable)?;
                }
                404 | 410 => return Err(Failed::Final(ReadError::Missing)),
                429 | 500..=599 => {
                    let says = format!("expected the file, the server answers {status}");
                    return Err(Failed::Passing { says, wait: retry_after(response.headers()) });
                }
                _ => {
                    return Err(Failed::unreadable(format!(
                        "expected the file, the server answers {status}"
                    )));
                }
            }
        }
        let most = origin::MOST_REDIRECTS;
        Err(Failed::unreadable(format!(
            "expected at most {most} redirects, found one more, to {url}"
        )))
    }

    fn body(&self, response: Response<Body>, at_most: u64) -> Result<Vec<u8>, Failed> {
        let of = |name| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
        };
        let coding = of(header::CONTENT_ENCODING);
        if !coding.is_empty() && !coding.eq_ignore_ascii_case("identity") {
            return Err(Failed::unreadable(format!(
                "expected the bytes as they are, found them in {coding:?}"
            )));
        }
        // A sign-in page, or a server that answers everything with a page: neither comes from the
        // log.
        if is_a_page(of(header::CONTENT_TYPE)) {
            return Err(Failed::unreadable("expected a log's file, found a web page"));
        }
        let body = response.into_body();
        let too_long = || Failed::Final(ReadError::TooLong { at_most });
        if body.content_length().is_some_and(|length| length > at_most) {
            return Err(too_long());
        }
        let mut bytes = Vec::new();
        let mut bounded = body.into_reader().take(at_most.saturating_add(1));
        let read =
            bounded.read_to_end(&mut bytes).map_err(|error| self.failed(Error::from(error)))?;
        if u64::try_from(read).is_ok_and(|read| read <= at_most) {
            Ok(bytes)
        } else {
            Err(too_long())
        }
    }

    fn failed(&self, error: Error) -> Failed {
        let says = match error {
            Error::Timeout(Timeout::Global) => {
                let within = self.limits.file.as_millis();
                return Failed::unreadable(format!(
                    "timeout: expected the whole file within {within} ms"
                ));
            }
            Error::Timeout(timeout) => self.too_slow(timeout),
            // A wrong certificate stays wrong.
            Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                return Failed::unreadable(error.to_string());
            }
            Error::Io(error) => error.to_string(),
            Error::HostNotFound => "the host is not found".to_owned(),
            Error::ConnectionFailed => "no connection".to_owned(),
            error => return Failed::unreadable(format!("expected an HTTP answer: {error}")),
        };
        Failed::Passing { says, wait: Duration::ZERO }
    }

    fn too_slow(&self, timeout: Timeout) -> String {
        let (what, within) = match timeout {
            Timeout::Resolve => ("the host's address", self.limits.connect),
            Timeout::Connect => ("a connection", self.limits.connect),
            _ => ("an answer", self.limits.answer),
        };
        format!("timeout: expected {what} within {} ms", within.as_millis())
    }

    /// Reads the files that no other thread has taken, until none is left or one could not be read.
    fn work(
        &self,
        wanted: &[Wanted],
        next: &AtomicUsize,
        stop: &AtomicBool,
    ) -> Vec<(usize, Fetched)> {
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
            // If the system has no thread left, fewer threads do the work.
            let spawn = |_| {
                thread::Builder::new().spawn_scoped(scope, || self.work(wanted, &next, &stop)).ok()
            };
            let others: Vec<_> = others.filter_map(spawn).collect();
            let mut done = self.work(wanted, &next, &stop);
            done.extend(others.into_iter().filter_map(|other| other.join().ok()).flatten());
            done
        });
        let not_asked = || {
            Err(ReadError::Unreadable("not requested: a file before it was unreadable".to_owned()))
        };
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

/// The time that the server asks us to wait, if given in seconds; a date would need clocks that
/// agree.
fn retry_after(headers: &HeaderMap) -> Duration {
    let text = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
    text.and_then(|text| text.trim().parse().ok()).map_or(Duration::ZERO, Duration::from_secs)
}
