//! A look at the published files: at the start, and one an hour. A damaged full tile keeps nobody
//! from dealing, so nothing else would notice it before an auditor does.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{App, metrics};

/// The interval of looks.
const LOOK: Duration = Duration::from_hours(1);

/// The interval while files are damaged: until somebody has mended them.
const SOON: Duration = Duration::from_mins(1);

/// The files that a log line names.
const NAMED: usize = 5;

/// The number of published files that are damaged or missing and could not be made again. Set by
/// [`watch`] alone.
#[derive(Debug, Default)]
pub(super) struct Published(AtomicU64);

impl Published {
    pub(super) fn damaged(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

/// Reads every published file now and then, and writes a damaged one again if its bytes are still
/// known.
pub(super) async fn watch(app: &App) {
    loop {
        match app.ledger.check_tiles().await {
            Ok(faults) => {
                let (made, lost): (Vec<_>, Vec<_>) =
                    faults.into_iter().partition(|fault| fault.rebuilt);
                for fault in made.iter().take(NAMED) {
                    tracing::warn!(
                        path = fault.path,
                        says = fault.says,
                        "a published file was written again"
                    );
                }
                for fault in lost.iter().take(NAMED) {
                    tracing::error!(
                        path = fault.path,
                        says = fault.says,
                        "a published file is lost: fairdeal fsck"
                    );
                }
                let lost = u64::try_from(lost.len()).unwrap_or(u64::MAX);
                app.published.0.store(lost, Ordering::Release);
                metrics::damaged_files(lost);
            }
            Err(error) => tracing::warn!(%error, "the published files could not be read"),
        }
        tokio::time::sleep(if app.published.damaged() > 0 { SOON } else { LOOK }).await;
    }
}
