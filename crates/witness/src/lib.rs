//! A witness of transparency logs (C2SP tlog-witness; spec/witness.md, section 27): it signs
//! checkpoints of the logs in its list, with the time, and never two of one log that contradict
//! each other.
//!
//! It knows nothing of cards: any C2SP log whose key is Ed25519 can be in its list. A cosignature
//! leaves after the COMMIT that remembers it: a kill, a power cut or a full disk loses none that
//! somebody has. Requests that wait are committed together.
//!
//! ```
//! use fairdeal_witness::{WitnessService, WitnessOptions, init, serve};
//! use tokio::net::TcpListener;
//! use tokio::sync::oneshot;
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let folder = tempfile::tempdir()?;
//!     // A real key is of 32 secret random bytes.
//!     init(&folder.path().join("w"), "witness.example/w1".parse()?, &[7; 32]).await?;
//!     let witness = WitnessService::open(&folder.path().join("w"), WitnessOptions::default()).await?;
//!     let listener = TcpListener::bind("127.0.0.1:0").await?;
//!     let (stop, stopped) = oneshot::channel::<()>();
//!     let router = witness.router();
//!     let serving = tokio::spawn(serve(witness, vec![(listener, router)], async { drop(stopped.await) }));
//!     drop(stop);
//!     Ok(serving.await??)
//! }
//! ```

#![warn(clippy::indexing_slicing, clippy::as_conversions)]

mod error;
mod folder;
mod group;
mod http;
mod judge;
mod logs;
mod numbers;
mod rate;
mod store;

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use fairdeal::log::{WitnessKey, WitnessSigner};
use fairdeal_listen::ConnectionLimits;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};

use self::folder::Folder;
use self::group::Waiting;
use self::judge::Last;
use self::numbers::{Numbers, count};
use self::rate::Rates;
use self::store::Fault;

pub use self::error::WitnessError;
pub use self::folder::{evidence, init, key};
pub use self::http::{MAX_BODY, WitnessAnswer};
pub use self::logs::Logs;
pub use self::rate::Rate;
pub use self::store::Contradiction;

/// Requests that may wait for a transaction. Further ones are refused, with a time to retry.
const WAITING: usize = 8 * group::MOST;

/// The time in Unix seconds.
pub type WitnessClock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// How a witness is opened.
#[derive(Clone)]
pub struct WitnessOptions {
    /// Default: the system's clock.
    pub clock: WitnessClock,
    /// How often each log may ask.
    pub rate: Rate,
    /// The time within which a body must have come. Default: 10 s.
    pub body_time: Duration,
    /// The limits of its connections. Default: 2,048 of them, 16 KiB of headers within 10 s.
    pub connections: ConnectionLimits,
}

impl Default for WitnessOptions {
    fn default() -> Self {
        let time = Duration::from_secs(10);
        Self {
            clock: Arc::new(now),
            rate: Rate::default(),
            body_time: time,
            connections: ConnectionLimits {
                connections: 2_048,
                header: 16 * 1024,
                header_time: time,
                write_time: time,
                stop: Duration::from_secs(20),
            },
        }
    }
}

impl fmt::Debug for WitnessOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rate, body_time, connections, .. } = self;
        let mut all = f.debug_struct("WitnessOptions");
        all.field("rate", rate).field("body_time", body_time).field("connections", connections);
        all.finish_non_exhaustive()
    }
}

/// The system's clock.
#[expect(clippy::disallowed_methods, reason = "the only place of a witness that asks for the time")]
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// An open witness. One process at a time has a folder.
#[derive(Debug)]
pub struct WitnessService {
    face: Arc<Face>,
    folder: Folder,
    limits: ConnectionLimits,
    committing: JoinHandle<()>,
    /// Given back when the database is closed.
    lock: File,
}

/// What answers requests.
#[derive(Debug)]
struct Face {
    shared: Arc<Shared>,
    signer: WitnessSigner,
    rates: Rates,
    body_time: Duration,
    /// `None` once the witness is closed.
    queue: Mutex<Option<mpsc::Sender<Waiting>>>,
}

/// What the requests and the committing task share.
struct Shared {
    clock: WitnessClock,
    logs: RwLock<Arc<Logs>>,
    /// What was signed last for each log, as far as this process has committed. Nothing new is
    /// signed by it.
    last: Mutex<HashMap<String, Last>>,
    numbers: Numbers,
    /// Why nothing is signed any more.
    stopped: watch::Sender<Option<String>>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("logs", &self.logs().len()).finish_non_exhaustive()
    }
}

impl Shared {
    fn logs(&self) -> Arc<Logs> {
        Arc::clone(&self.logs.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn all_last(&self) -> MutexGuard<'_, HashMap<String, Last>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last(&self, origin: &str) -> Last {
        self.all_last().get(origin).copied().unwrap_or_default()
    }

    fn stopped(&self) -> Option<String> {
        self.stopped.borrow().clone()
    }

    fn committed(&self, last: HashMap<String, Last>, contradictions: u64) {
        count(&self.numbers.groups);
        self.numbers.contradict(contradictions);
        if contradictions > 0 {
            tracing::error!(contradictions, "a log has signed two views: see the evidence");
        }
        self.all_last().extend(last);
    }

    fn failed(&self, fault: Fault, error: &sqlx::Error) {
        count(&self.numbers.faults);
        if fault == Fault::Unknown {
            tracing::error!(%error, "the database failed: nothing is signed any more");
            self.stopped.send_replace(Some(error.to_string()));
        } else {
            tracing::warn!(%error, "a transaction failed; nothing of it was signed");
        }
    }
}

impl Face {
    fn queue(&self) -> Option<mpsc::Sender<Waiting>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl WitnessService {
    /// Opens the witness in a folder, with the logs in its file. It needs a tokio runtime.
    ///
    /// # Errors
    /// [`WitnessError`]; [`WitnessError::Locked`] where another process has it open.
    pub async fn open(dir: &Path, options: WitnessOptions) -> Result<Self, WitnessError> {
        let folder = Folder::new(dir);
        let signer = folder.signer()?;
        let logs = folder.read_logs()?;
        let lock = folder.lock()?;
        let mut store = folder.open_state(signer.key()).await?;
        let last = store.last().await.map_err(|error| WitnessError::Database {
            path: folder.state().display().to_string(),
            error,
        })?;
        let shared = Arc::new(Shared {
            clock: options.clock,
            logs: RwLock::new(Arc::new(logs)),
            last: Mutex::new(last),
            numbers: Numbers::default(),
            stopped: watch::Sender::new(None),
        });
        let (queue, waiting) = mpsc::channel(WAITING);
        let committing = tokio::spawn(group::commit(Arc::clone(&shared), store, waiting));
        let face = Arc::new(Face {
            shared,
            signer,
            rates: Rates::new(options.rate),
            body_time: options.body_time,
            queue: Mutex::new(Some(queue)),
        });
        Ok(Self { face, folder, limits: options.connections, committing, lock })
    }

    /// The public key.
    #[must_use]
    pub fn key(&self) -> &WitnessKey {
        self.face.signer.key()
    }

    /// What everybody may call: `POST /add-checkpoint`, `GET /healthz`.
    pub fn router(&self) -> Router {
        http::public(&self.face)
    }

    /// The same, with `GET /metrics`.
    pub fn operator(&self) -> Router {
        http::operator(&self.face)
    }

    /// Answers the body of a request without HTTP.
    pub async fn add_checkpoint(&self, body: &[u8]) -> WitnessAnswer {
        self.face.add_checkpoint(body).await
    }

    /// Replaces the list of logs, until it is read again. What was signed for a log that is left out
    /// stays remembered.
    pub fn set_logs(&self, logs: Logs) {
        set_logs(&self.face, logs);
    }

    /// What reads the file of logs again, whenever it is called; and returns their number.
    ///
    /// # Errors
    /// [`WitnessError`], and the list stays what it was.
    pub fn reload(&self) -> impl Fn() -> Result<usize, WitnessError> + Send + 'static {
        let (face, folder) = (Arc::clone(&self.face), self.folder.clone());
        move || Ok(set_logs(&face, folder.read_logs()?))
    }

    /// Ends what is under way, and closes the database. Later requests are answered 503.
    pub async fn close(self) {
        drop(self.face.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        // It ends with the last request that waits.
        drop(self.committing.await);
        drop(self.lock);
    }
}

fn set_logs(face: &Face, logs: Logs) -> usize {
    let count = logs.len();
    *face.shared.logs.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(logs);
    count
}

/// Answers on each of the addresses until `stop` ends; then accepts nothing new, finishes what is
/// under way, and closes the witness.
///
/// # Errors
/// [`WitnessError::Stopped`] if the database failed: the witness must be opened again, by another
/// process.
pub async fn serve(
    witness: WitnessService,
    listeners: Vec<(TcpListener, Router)>,
    stop: impl Future<Output = ()>,
) -> Result<(), WitnessError> {
    let stopping = watch::Sender::new(false);
    let mut listening = JoinSet::new();
    for (listener, router) in listeners {
        let (limits, stopping, shared) =
            (witness.limits, stopping.subscribe(), Arc::clone(&witness.face.shared));
        let refused = move || count(&shared.numbers.refused_connections);
        listening.spawn(fairdeal_listen::serve(listener, router, limits, refused, stopping));
    }
    let mut failing = witness.face.shared.stopped.subscribe();
    tokio::select! {
        () = stop => {}
        _ = failing.wait_for(Option::is_some) => {}
    }
    stopping.send_replace(true);
    while listening.join_next().await.is_some() {}
    let failed = witness.face.shared.stopped();
    witness.close().await;
    failed.map_or(Ok(()), |says| Err(WitnessError::Stopped(says)))
}
