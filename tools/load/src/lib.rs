//! A load generator: deals against any running service, at a rate that does not wait for the
//! answers.
//!
//! A deal's latency counts from the moment at which it was meant to be sent. So a service that
//! stalls for a second is seen to stall for all who would have come in that second (coordinated
//! omission).
//!
//! Not for judging a log: it verifies receipts on the way, and no more.

mod connection;
mod players;
mod report;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use self::connection::{Connection, Target};
use self::players::{Table, Worker};

pub use self::connection::{ANSWER, TargetError};
pub use self::report::{Latency, LoadReport};
use fairdeal::log::VerifierKey;

/// The load to make.
#[derive(Clone, Debug)]
pub struct LoadPlan {
    /// The service: `http://…` or `https://…`.
    pub url: String,
    /// A token with the right to write.
    pub token: String,
    /// The log's key, to verify receipts with. `None`: they are not verified.
    pub key: Option<VerifierKey>,
    /// The prefix of the tables' names.
    pub prefix: String,
    /// How many tables.
    pub tables: u32,
    /// How many players bring a seed to each deal.
    pub players: u32,
    /// How many deals are to be sent in a second. `None`: each connection sends the next as soon as
    /// it is answered.
    pub rate: Option<f64>,
    /// For how long.
    pub time: Duration,
    /// How many connections.
    pub connections: u32,
    /// One of so many receipts is verified; 0 for none.
    pub verify_every: u32,
}

/// Why no load could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The URL is none.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The service does not answer.
    #[error("{url}: {says}")]
    Unreachable {
        /// The service.
        url: String,
        /// Why.
        says: String,
    },
    /// The key is another log's.
    #[error("{url}: expected a log that signs with {key}: {says}")]
    OtherKey {
        /// The service.
        url: String,
        /// The key that was given.
        key: String,
        /// The value that was found.
        says: String,
    },
    /// The service did not make a table's commitment.
    #[error("{url}: a commitment was refused with {status}: {says}")]
    Refused {
        /// The service.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The problem.
        says: String,
    },
}

/// Makes the load. `progress` gets how much of the time is over, and how many deals are answered,
/// ten times a second.
///
/// # Errors
/// [`LoadError`], before the first deal is sent.
pub async fn run(
    plan: LoadPlan,
    mut progress: impl FnMut(Duration, u64),
) -> Result<LoadReport, LoadError> {
    let target = Arc::new(Target::parse(&plan.url)?);
    let unreachable = |error: connection::Broken| LoadError::Unreachable {
        url: plan.url.clone(),
        says: error.to_string(),
    };
    let mut first = Connection::open(Arc::clone(&target)).await.map_err(unreachable)?;
    let mut tables = Vec::new();
    for number in 0..plan.tables.max(1) {
        tables.push(Table::make(&plan, number, &mut first).await?);
    }
    let mut connections = vec![first];
    for _ in 1..plan.connections.max(1) {
        connections.push(Connection::open(Arc::clone(&target)).await.map_err(unreachable)?);
    }
    let (plan, tables) = (Arc::new(plan), Arc::new(tables));
    let (sent, answered) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let start = Instant::now();
    let mut workers = JoinSet::new();
    for connection in connections {
        let worker = Worker::new(Arc::clone(&plan), Arc::clone(&tables), connection);
        workers.spawn(worker.work(start, Arc::clone(&sent), Arc::clone(&answered)));
    }
    let mut report = LoadReport::new(&plan);
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    loop {
        tokio::select! {
            done = workers.join_next() => match done {
                Some(Ok(one)) => report.add(one),
                // A worker never panics; if it did, its deals are missing in the count, and said to
                // be.
                Some(Err(_)) => report.lost_worker(),
                None => break,
            },
            _ = tick.tick() => progress(start.elapsed().min(plan.time), answered.load(Ordering::Relaxed)),
        }
    }
    progress(plan.time, answered.load(Ordering::Relaxed));
    report.took(start.elapsed());
    Ok(report)
}
