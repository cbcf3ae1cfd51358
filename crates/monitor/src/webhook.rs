//! Posts the events of the journal, in order, and each at least once. A receiver that hangs or fails
//! holds up nothing but the later events.

use std::sync::Mutex;
use std::time::Duration;

use ureq::Agent;

use super::journal::{Journal, Waiting};
use super::metrics::MonitorMetrics;
use super::{MonitorError, lock};

/// Where events are posted.
#[derive(Debug)]
pub struct Webhook {
    url: String,
    agent: Agent,
    limits: WebhookLimits,
}

/// Limits on time and tries.
#[derive(Clone, Copy, Debug)]
pub struct WebhookLimits {
    /// The longest time for a whole post.
    pub post: Duration,
    /// The wait after the first failure; it doubles with each further one.
    pub least: Duration,
    /// The longest wait between two tries.
    pub most: Duration,
    /// How often an event is tried before it is given up; with the other defaults, for a day.
    pub tries: u32,
}

impl Default for WebhookLimits {
    fn default() -> Self {
        Self {
            post: Duration::from_secs(10),
            least: Duration::from_secs(1),
            most: Duration::from_mins(5),
            tries: 300,
        }
    }
}

/// How many events after a refused one are tried.
const PASSED: u64 = 100;

/// A post that was not taken.
struct NotTaken {
    says: String,
    /// Whether the receiver refuses this request, and not only now.
    is_refused: bool,
}

impl Webhook {
    /// Posts to this URL. Redirects are not followed: an event goes where its reader said.
    ///
    /// # Errors
    /// [`MonitorError`] unless it is `http` or `https`.
    pub fn new(url: &str, limits: WebhookLimits) -> Result<Self, MonitorError> {
        let parsed: Result<ureq::http::Uri, _> = url.parse();
        let parsed = parsed.ok().filter(|url| matches!(url.scheme_str(), Some("http" | "https")));
        let host = parsed.as_ref().and_then(|url| url.host()).unwrap_or_default().to_owned();
        if host.is_empty() {
            return Err(MonitorError(format!("expected an http or https URL, found {url:?}")));
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("fairdeal/", env!("CARGO_PKG_VERSION")))
            .timeout_global(Some(limits.post));
        // The environment's proxy cannot reach this machine's loopback.
        let is_loopback =
            ["localhost", "[::1]"].contains(&host.as_str()) || host.starts_with("127.");
        let config = if is_loopback { config.proxy(None) } else { config };
        Ok(Self { url: url.to_owned(), agent: config.build().into(), limits })
    }

    fn post(&self, line: &str) -> Result<(), NotTaken> {
        let request = self.agent.post(&self.url).header("Content-Type", "application/json");
        let answer = request.send(line);
        let answer =
            answer.map_err(|error| NotTaken { says: error.to_string(), is_refused: false })?;
        let status = answer.status();
        if status.is_success() {
            return Ok(());
        }
        // The statuses 408, 425 and 429 ask for another try.
        let is_refused = status.is_client_error() && ![408, 425, 429].contains(&status.as_u16());
        Err(NotTaken { says: format!("it answers {status}"), is_refused })
    }

    /// The first event after a refused one that is taken, of a few. A receiver that takes others
    /// refuses this one for what is in it, and it is given up.
    fn passed_over(&self, journal: &Mutex<Journal>, refused: &Waiting) -> Option<(Waiting, u64)> {
        let mut next = lock(journal).after(refused)?;
        for passed in 1..=PASSED {
            if self.post(&next.line).is_ok() {
                return Some((next, passed));
            }
            next = lock(journal).after(&next)?;
        }
        None
    }

    /// Posts what waits, until nothing does or a post fails. The error says why it failed; `tries`
    /// is how often this event was tried before.
    pub(crate) fn drain(
        &self,
        journal: &Mutex<Journal>,
        metrics: &MonitorMetrics,
        tries: u32,
    ) -> Result<(), String> {
        let mut tries = tries;
        loop {
            let (one, waiting, lost) = {
                let journal = lock(journal);
                (journal.next(), journal.waiting(), journal.lost)
            };
            metrics.posting(0, waiting, lost);
            let Some(one) = one else { return Ok(()) };
            // The journal is free meanwhile.
            let posted = self.post(&one.line);
            metrics.posting(u64::from(posted.is_err()), waiting, lost);
            let (done, given_up) = match posted {
                Ok(()) => (one, None),
                Err(NotTaken { says, is_refused }) => {
                    let taken = is_refused.then(|| self.passed_over(journal, &one)).flatten();
                    match taken {
                        Some((taken, passed)) => {
                            lock(journal).lost += passed;
                            (taken, None)
                        }
                        None if tries.saturating_add(1) < self.limits.tries => return Err(says),
                        None => (one, Some(says)),
                    }
                }
            };
            lock(journal).posted(&done).map_err(|error| error.to_string())?;
            given_up.map_or(Ok(()), Err)?;
            tries = 0;
        }
    }

    /// Posts until `stopped`, which waits for so long, says so.
    pub(crate) fn run(
        &self,
        journal: &Mutex<Journal>,
        metrics: &MonitorMetrics,
        stopped: impl Fn(Duration) -> bool,
        trouble: impl Fn(&str),
    ) {
        const IDLE: Duration = Duration::from_millis(500);
        let (mut tries, mut wait) = (0_u32, self.limits.least);
        loop {
            let pause = match self.drain(journal, metrics, tries) {
                Ok(()) => {
                    (tries, wait) = (0, self.limits.least);
                    IDLE
                }
                Err(says) => {
                    if tries == 0 {
                        trouble(&format!("--webhook: {says}; it is tried again"));
                    }
                    tries = if tries.saturating_add(1) < self.limits.tries { tries + 1 } else { 0 };
                    let pause = wait;
                    wait = wait.saturating_mul(2).min(self.limits.most);
                    pause
                }
            };
            if stopped(pause) {
                return;
            }
        }
    }
}
