//! One request to one witness, and its answer (C2SP tlog-witness, add-checkpoint).

use std::time::Duration;

use ureq::Agent;
use ureq::http::{HeaderMap, header};

use crate::http;
use fairdeal::log::{AddCheckpoint, Signature, WitnessKey};

/// The longest time for one request and its answer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The longest answer, in bytes.
const LONGEST: u64 = 16 * 1024;

/// The shortest and the longest wait that a witness may ask for.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_mins(10)];

/// An answer of a witness.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Its cosignature, and the time in it in Unix seconds.
    Signed(Signature, u64),
    /// It has signed this size last, which is not the one that was named.
    Size(u64),
    /// It has signed, or believes in, another tree.
    AnotherTree(String),
    /// It asks to wait.
    Busy(String, Duration),
    /// It does not know this log, or refuses its requests.
    NotSetUp(String),
    /// Anything else.
    Failed(String),
}

/// A connection to the witness at a URL.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    agent: Agent,
    url: String,
}

impl Connection {
    /// For a witness's submission prefix.
    pub(super) fn new(prefix: &str) -> Self {
        let url = format!("{}/add-checkpoint", prefix.trim_end_matches('/'));
        Self { agent: http::agent(prefix, TIMEOUT), url }
    }

    /// Asks. Blocks its thread, for [`TIMEOUT`] at most.
    pub(super) fn ask(&self, request: &AddCheckpoint, key: &WitnessKey) -> Answer {
        let post = self.agent.post(&self.url).content_type("text/plain");
        let sent = post.send(request.to_text().as_bytes());
        let answer = match sent {
            Ok(answer) => answer,
            Err(error) => return Answer::Failed(error.to_string()),
        };
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let bytes = match http::read(answer, LONGEST) {
            Ok(bytes) => bytes,
            Err(says) => return Answer::Failed(says),
        };
        let text = request.checkpoint.note().text();
        Answer::of(status, &headers, &String::from_utf8_lossy(&bytes), key, text)
    }
}

impl Answer {
    /// Reads an answer to a request for a cosignature of this text by this key.
    fn of(status: u16, headers: &HeaderMap, body: &str, key: &WitnessKey, text: &str) -> Self {
        let of = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        match status {
            200 => Self::signed(body, key, text),
            409 if of(header::CONTENT_TYPE) == "text/x.tlog.size" => {
                let size = body.strip_suffix('\n').and_then(size);
                size.map_or_else(
                    || Self::Failed("status 409 without a size".to_owned()),
                    Self::Size,
                )
            }
            409 | 422 => Self::AnotherTree(format!("status {status}")),
            429 | 503 => {
                let seconds = of(header::RETRY_AFTER).parse().map_or(WAITS[0], Duration::from_secs);
                Self::Busy(format!("status {status}"), seconds.clamp(WAITS[0], WAITS[1]))
            }
            400 | 403 | 404 => Self::NotSetUp(format!("status {status}: this log is not set up")),
            _ => Self::Failed(format!("status {status}")),
        }
    }

    /// Lines of other keys, and those that do not verify, are ignored.
    fn signed(body: &str, key: &WitnessKey, text: &str) -> Self {
        let lines = body.lines().filter_map(|line| Signature::parse(line).ok());
        let mut times = lines.filter_map(|line| {
            let time = key.verify_cosignature(&line, text).ok()?;
            Some(Self::Signed(line, time))
        });
        times.next().unwrap_or_else(|| {
            Self::Failed(
                "status 200 without a cosignature of its key for this checkpoint".to_owned(),
            )
        })
    }
}

/// A size in decimal, without leading zeros.
fn size(text: &str) -> Option<u64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_short = text == "0" || !text.starts_with('0');
    (is_decimal && is_short).then(|| text.parse().ok()).flatten()
}
