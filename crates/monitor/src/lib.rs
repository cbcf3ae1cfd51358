//! Follow logs as they grow (spec/audit.md, section 29).
//!
//! A monitor reads the checkpoint of each log again and again. It shows that each one continues
//! those before, compares it with what others were given, audits the new entries with
//! [`fairdeal_audit`], and tells what it finds as events. Of a fork it writes evidence, which any
//! verifier judges alone.
//!
//! Nothing is printed here, and the time comes from the caller. What a monitor knows is in a folder
//! ([`MonitorOptions::state`]); a monitor that is killed at any point goes on from there, and tells
//! every event at least once.

mod compare;
mod event;
mod evidence;
mod follow;
mod journal;
mod memory;
mod metrics;
mod run;
mod turn;
mod view;
mod webhook;

pub use event::{EventKind, MonitorEvent};
pub use follow::{ComparedWith, FollowedLog};
pub use metrics::MonitorMetrics;
pub use run::{Monitor, MonitorOptions, Outcome};
pub use webhook::{Webhook, WebhookLimits};

/// A monitor cannot go on: its own folder fails it, never the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MonitorError(pub(crate) String);

impl MonitorError {
    pub(crate) fn of(path: &std::path::Path, error: impl std::fmt::Display) -> Self {
        Self(format!("{}: {error}", path.display()))
    }
}

/// Locks a mutex whose value is never left half changed.
pub(crate) fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
