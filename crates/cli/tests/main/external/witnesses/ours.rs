//! Witnesses of this project in the test's own process, which can be slow, go away, and have wrong
//! clocks.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use fairdeal::log::{Policy, VerifierKey};
use fairdeal_witness::{Rate, WitnessOptions, WitnessService, init, serve};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A witness with a thread and a folder of its own.
pub(crate) struct Ours {
    dir: PathBuf,
    pub(crate) key: String,
    pub(crate) address: SocketAddr,
    /// By how many seconds its clock is ahead.
    pub(crate) clock: Arc<AtomicI64>,
    /// The milliseconds before each answer.
    pub(crate) delay: Arc<AtomicU64>,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Ours {
    /// A witness of this number below a folder, for a log.
    pub(crate) fn start(home: &Path, number: u8, log: &VerifierKey) -> Self {
        let mut ours = Self {
            dir: home.join(format!("witness {number}")),
            key: String::new(),
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            clock: Arc::default(),
            delay: Arc::default(),
            running: None,
        };
        let name = format!("witness.example/w{number}").parse().expect("a name");
        let (dir, seed) = (ours.dir.clone(), [number; 32]);
        // Also where a test has a runtime already.
        let made = std::thread::spawn(move || runtime().block_on(init(&dir, name, &seed)));
        made.join().expect("no panic").expect("a new folder");
        std::fs::write(ours.dir.join("logs"), log.to_text()).expect("written");
        ours.start_again();
        ours
    }

    /// Three of them.
    pub(crate) fn three(home: &Path, log: &VerifierKey) -> [Self; 3] {
        [1, 2, 3].map(|number| Self::start(home, number, log))
    }

    /// Starts it after [`stop`](Self::stop), at the same address.
    pub(crate) fn start_again(&mut self) {
        let (dir, address) = (self.dir.clone(), self.address);
        let (ahead, delay) = (Arc::clone(&self.clock), Arc::clone(&self.delay));
        let (stop, stopped) = oneshot::channel::<()>();
        let (ready, is_ready) = mpsc::channel();
        let options = WitnessOptions {
            clock: Arc::new(move || now().saturating_add_signed(ahead.load(Ordering::Relaxed))),
            rate: Rate { second: f64::INFINITY, burst: 1.0 },
            ..WitnessOptions::default()
        };
        let thread = std::thread::spawn(move || {
            runtime().block_on(async {
                let witness = WitnessService::open(&dir, options).await.expect("opens");
                let listener = TcpListener::bind(address).await.expect("a port");
                let address = listener.local_addr().expect("bound");
                ready.send((witness.key().to_text(), address)).expect("it waits");
                let router =
                    witness.router().layer(from_fn(move |request: Request, next: Next| {
                        let delay = Duration::from_millis(delay.load(Ordering::Relaxed));
                        async move {
                            tokio::time::sleep(delay).await;
                            next.run(request).await
                        }
                    }));
                let stopped = async { drop(stopped.await) };
                serve(witness, vec![(listener, router)], stopped).await.expect("it ends well");
            });
        });
        (self.key, self.address) = is_ready.recv().expect("it started");
        self.running = Some((stop, thread));
    }

    /// Ends it; its address refuses connections.
    pub(crate) fn stop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            // A panic of it was printed.
            drop(thread.join());
        }
    }

    /// How often it was asked to sign another view of a log.
    pub(crate) async fn evidence(&self) -> usize {
        fairdeal_witness::evidence(&self.dir).await.expect("its state").len()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        self.stop();
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

#[expect(clippy::disallowed_methods, reason = "a witness has a clock of its own")]
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_secs()
}

/// The lines of a policy that needs `k` of these witnesses, each a key and a URL.
pub(crate) fn policy_of(k: usize, members: &[(String, String)]) -> String {
    let (mut text, mut names) = (String::new(), String::new());
    for (at, (key, url)) in members.iter().enumerate() {
        writeln!(text, "witness w{at} {key} {url}").expect("in memory");
        write!(names, " w{at}").expect("in memory");
    }
    format!("{text}group g {k}{names}\nquorum g\n")
}

/// The policy of an operator that asks for two of three.
pub(crate) fn two_of(three: &[Ours; 3]) -> String {
    policy_of(2, &three.each_ref().map(|one| (one.key.clone(), one.url())))
}

pub(crate) fn parsed(policy: &str) -> Arc<Policy> {
    Arc::new(Policy::parse(policy.as_bytes()).expect("a policy"))
}
