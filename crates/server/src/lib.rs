//! An operator's ledger over HTTP, with the pages for players (spec/http.md, docs/operators.md).
//!
//! [`Service::start`] takes an open [`Ledger`] and reveals every commitment in time by itself.
//! [`Service::public`] has what anyone may read and cache: the log's files, commitments, rounds,
//! receipts, events, and the pages. [`Service::operator`] adds the calls that need a token: commit,
//! lock, deal, void, reveal, and the openings of sealed cards. Both are [`axum::Router`]s, so that
//! a program can add routes of its own; [`Service::listen`] answers on an address within
//! [`ServiceLimits`], without TLS, which is for a reverse proxy.
//!
//! Handlers only translate: the ledger decides inside its transaction what a request does, as it
//! does for the command line. [`openapi()`] describes the calls for programs, [`told`] has their
//! answers.
//!
//! ```
//! use fairdeal_ledger::{Ledger, LedgerOptions};
//! use fairdeal_server::{Service, ServiceOptions};
//! use tokio::net::TcpListener;
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let folder = tempfile::tempdir()?;
//!     Ledger::init(folder.path(), &"cards.example/log".parse()?).await?;
//!     let ledger = Ledger::open(folder.path(), LedgerOptions::default()).await?;
//!     let mut service = Service::start(ledger, ServiceOptions::default()).await?;
//!     let listener = TcpListener::bind("127.0.0.1:0").await?;
//!     let checkpoint = format!("http://{}/checkpoint", listener.local_addr()?);
//!     service.listen(listener, service.public());
//!     let read = move || ureq::get(checkpoint).call()?.body_mut().read_to_string();
//!     let note = tokio::task::spawn_blocking(read).await??;
//!     assert!(note.starts_with("cards.example/log\n0\n"), "an empty log: {note}");
//!     Ok(service.stop().await?)
//! }
//! ```

#![warn(clippy::indexing_slicing, clippy::as_conversions)]

mod auth;
mod beacons;
mod body;
mod budget;
mod events;
mod feed;
mod files;
mod health;
mod keeper;
mod known;
mod metrics;
mod openapi;
mod openings;
mod pages;
mod policy;
mod problem;
mod published;
mod raffles;
mod reads;
mod receipts;
mod routes;
mod schema;
mod shapes;
pub mod told;
mod turns;
mod world;
mod writes;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use self::auth::{Caller, Tokens};
use self::beacons::Beacons;
use self::budget::Budget;
use self::feed::Feed;
use self::keeper::Keeper;
use self::known::{Known, Memory};
use self::problem::Problem;
use self::published::Published;
use self::receipts::Receipts;
use self::turns::Turns;
use self::world::World;
use fairdeal::deal::Commitment;
use fairdeal::record::{Entry, Finding};
use fairdeal_ledger::clock::{Clock, SystemClock};
use fairdeal_ledger::tokens::Right;
use fairdeal_ledger::{Done, Ledger, LedgerError};
use fairdeal_listen::ConnectionLimits;

pub use self::metrics::batch_observer;
pub use self::openapi::openapi;
#[doc(hidden)]
pub use self::pages::{WEB_FILES, hash_source, web_file};
#[doc(hidden)]
pub use self::routes::for_browsers;

/// The limits of a service. A request over a limit is refused at once, with a time to retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceLimits {
    /// The most bytes of a body. Default: 64 KiB.
    pub body: usize,
    /// The most bytes of a request's line and headers. Default: 16 KiB; at least 8 KiB.
    pub header: usize,
    /// The time within which the headers must have come. Default: 10 s.
    pub header_time: Duration,
    /// The time within which the body must have come, and a public read be answered. Default: 10 s.
    pub request: Duration,
    /// Connections on one address. Default: 20,000.
    pub connections: usize,
    /// Writes that are under way at once. Default: 2,048.
    pub writes: usize,
    /// Public reads that are under way at once. Default: 256.
    pub reads: usize,
    /// Open streams of events. Default: 16,384.
    pub streams: usize,
    /// The longest age of a stream of events: then its client comes back. Default: 1 h.
    pub stream_age: Duration,
    /// Bytes of public answers that are made or written at once. Default: 32 MiB.
    pub answers: usize,
    /// How long a stop waits for answers under way. Default: 20 s.
    pub stop: Duration,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self {
            body: 64 * 1024,
            header: 16 * 1024,
            header_time: Duration::from_secs(10),
            request: Duration::from_secs(10),
            connections: 20_000,
            writes: 2_048,
            reads: 256,
            streams: 16_384,
            stream_age: Duration::from_hours(1),
            answers: 32 * 1024 * 1024,
            stop: Duration::from_secs(20),
        }
    }
}

/// The options of a service.
#[derive(Clone, Debug)]
pub struct ServiceOptions {
    /// The public address of this log. The service compares its state with the checkpoint there.
    /// Default: none.
    pub public_url: Option<String>,
    /// Whether the operator's calls have an address of their own: then the public one has none of
    /// them. Default: no.
    pub operator_apart: bool,
    /// How long before its time is over a commitment is revealed at the latest; never more than a
    /// tenth of that time. Default: 60 s.
    pub reveal_ahead: Duration,
    /// Where the log's key is printed, in the operator's words, for players who compare it. Default:
    /// none.
    pub key_printed_at: Option<String>,
    /// The operator's policy of witnesses, for readers: a tlog-policy file without URLs. Default:
    /// none.
    pub policy: Option<String>,
    /// The limits.
    pub limits: ServiceLimits,
}

impl Default for ServiceOptions {
    fn default() -> Self {
        Self {
            public_url: None,
            operator_apart: false,
            reveal_ahead: Duration::from_mins(1),
            key_printed_at: None,
            policy: None,
            limits: ServiceLimits::default(),
        }
    }
}

/// Why a service does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The ledger cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The world has entries that this state does not have, or another log.
    #[error("{url}: {error}")]
    World {
        /// The public address of the log.
        url: String,
        /// The difference.
        error: Box<LedgerError>,
    },
}

/// The state that all handlers share.
#[derive(Debug)]
struct App {
    ledger: Ledger,
    clock: SystemClock,
    options: ServiceOptions,
    tokens: Tokens,
    known: Memory,
    feed: Feed,
    keeper: Keeper,
    beacons: Beacons,
    receipts: Receipts,
    world: World,
    published: Published,
    metrics: PrometheusHandle,
    streams: Arc<Semaphore>,
    writes: Arc<Semaphore>,
    reads: Arc<Semaphore>,
    budget: Budget,
    turns: Turns,
    readiness: health::Readiness,
    stopping: watch::Sender<bool>,
}

type Shared = Arc<App>;

/// A running service: its tasks run until it is dropped or [stopped](Service::stop).
#[derive(Debug)]
pub struct Service {
    app: Shared,
    tasks: JoinSet<()>,
    listening: JoinSet<()>,
}

impl Service {
    /// Starts on an open ledger: reads its tokens and what is to be revealed, and follows the log.
    /// It needs a tokio runtime with all drivers.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub async fn start(ledger: Ledger, options: ServiceOptions) -> Result<Self, ServiceError> {
        let limits = options.limits;
        let size = ledger.published_size().await?;
        let clock = SystemClock::start();
        let turns = Turns::new(ledger.readers());
        let app = Arc::new(App {
            ledger,
            clock,
            options,
            tokens: Tokens::default(),
            known: Memory::default(),
            feed: Feed::after(size),
            keeper: Keeper::default(),
            beacons: Beacons::default(),
            receipts: Receipts::new(limits.writes),
            world: World::default(),
            published: Published::default(),
            metrics: metrics::handle(),
            streams: Arc::new(Semaphore::new(limits.streams)),
            writes: Arc::new(Semaphore::new(limits.writes)),
            reads: Arc::new(Semaphore::new(limits.reads)),
            budget: Budget::new(limits.answers),
            turns,
            readiness: health::Readiness::default(),
            stopping: watch::Sender::new(false),
        });
        world::before_start(&app).await?;
        if let Err(error) = app.ledger.believes_clock().await {
            tracing::warn!(%error, "nothing is dealt or revealed until the clock is set, or confirmed with --accept-time DATE");
        }
        app.tokens.refresh(&app.ledger).await?;
        let awaits = app.keeper.load(&app.ledger, |time, by| app.deadline(time, by)).await?;
        app.beacons.locked(awaits);
        let mut tasks = JoinSet::new();
        let follower = Arc::clone(&app);
        tasks.spawn(async move {
            let learn = |event: &Arc<feed::Event>| {
                follower.keeper.learn(event, |a, b| follower.deadline(a, b));
                follower.beacons.learn(event);
            };
            follower.feed.follow(&follower.ledger, learn).await;
        });
        for _ in 0..receipts::MAKERS {
            let maker = Arc::clone(&app);
            tasks.spawn(async move { maker.receipts.make(&maker.ledger).await });
        }
        let keeper = Arc::clone(&app);
        tasks.spawn(async move { keeper::keep(&keeper).await });
        let finisher = Arc::clone(&app);
        tasks.spawn(async move { beacons::finish(&finisher).await });
        let watcher = Arc::clone(&app);
        tasks.spawn(async move { world::watch(&watcher).await });
        let checker = Arc::clone(&app);
        tasks.spawn(async move { published::watch(&checker).await });
        let counter = Arc::clone(&app);
        tasks.spawn(async move { metrics::keep_up(&counter.metrics).await });
        let reader = Arc::clone(&app);
        tasks.spawn(async move {
            loop {
                tokio::time::sleep(auth::FRESH).await;
                if let Err(error) = reader.tokens.refresh(&reader.ledger).await {
                    tracing::warn!(%error, "the tokens cannot be read");
                }
            }
        });
        Ok(Self { app, tasks, listening: JoinSet::new() })
    }

    /// The public face: the log, the reads, the documents. With [`ServiceOptions::operator_apart`]
    /// unset, the operator's too.
    pub fn public(&self) -> Router {
        routes::public(&self.app)
    }

    /// The operator's face, with the public one.
    pub fn operator(&self) -> Router {
        routes::operator(&self.app)
    }

    /// Answers on an address.
    pub fn listen(&mut self, listener: TcpListener, router: Router) {
        let (limits, stopping) = (self.app.options.limits, self.app.stopping());
        let connections = ConnectionLimits {
            connections: limits.connections,
            header: limits.header,
            header_time: limits.header_time,
            write_time: limits.request,
            stop: limits.stop,
        };
        let refused = || metrics::refused("too-many-connections");
        self.listening.spawn(fairdeal_listen::serve(
            listener,
            router,
            connections,
            refused,
            stopping,
        ));
    }

    /// Stops: accepts nothing new, finishes what is under way, and closes the ledger.
    ///
    /// # Errors
    /// [`LedgerError`] where a committed entry could not be published.
    pub async fn stop(mut self) -> Result<(), LedgerError> {
        self.app.stopping.send_replace(true);
        while self.listening.join_next().await.is_some() {}
        self.tasks.shutdown().await;
        self.app.ledger.clone().close().await
    }
}

impl App {
    /// Now, in Unix milliseconds.
    fn now(&self) -> u64 {
        self.clock.read().unix
    }

    fn stopping(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// A commitment that the caller may write to.
    async fn writable(
        &self,
        caller: &Caller,
        commitment: Commitment,
    ) -> Result<Arc<Known>, Problem> {
        self.granted(caller, Right::Write, commitment).await
    }

    /// A commitment for which the caller has a right.
    async fn granted(
        &self,
        caller: &Caller,
        right: Right,
        commitment: Commitment,
    ) -> Result<Arc<Known>, Problem> {
        caller.may(right)?;
        let known = self.known.of(&self.ledger, commitment).await;
        if let (Err(LedgerError::UnknownCommitment(_)), true) = (&known, caller.is_limited()) {
            // Whether it exists is no business of who may not use it.
            return Err(Problem::forbidden(format!(
                "the token {:?} is not for its table",
                caller.name()
            )));
        }
        let known = known?;
        caller.at(&known.terms.table)?;
        Ok(known)
    }
}

/// Warns of what every audit will say of a new entry.
fn note(done: &Done) {
    if let Entry::Reveal(_) | Entry::Void(_) = done.entry {
        for Finding { code, .. } in &done.findings {
            tracing::warn!(commitment = %done.commitment, %code, "an entry has a finding");
        }
    }
}

/// A span in milliseconds.
fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
