//! The log as the world sees it. A state that was restored from a backup signs a fork, and nothing
//! local can see that.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{App, ServiceError};
use fairdeal::log::SignedCheckpoint;
use fairdeal_audit::source::{Files as _, Http, HttpLimits};
use fairdeal_ledger::LedgerError;

/// The interval of looks.
const LOOK: Duration = Duration::from_mins(1);

/// The first interval, while nobody has answered yet.
const SOON: Duration = Duration::from_secs(1);

/// Why nothing is dealt.
const WRONG: &str = "the world has another log than this state";

/// The longest checkpoint, in bytes.
const LONGEST: u64 = 64 * 1024;

/// How long to wait for it.
const WAIT: Duration = Duration::from_secs(10);

/// The result of comparing the state with the published log.
#[derive(Debug, Default)]
pub(super) struct World {
    /// Set once, by [`watch`].
    wrong: OnceLock<&'static str>,
    /// Whether somebody answered at the public address. Set by [`look`], never unset.
    answered: AtomicBool,
}

impl World {
    /// In a few words, once it is known.
    pub(super) fn wrong(&self) -> Option<&'static str> {
        self.wrong.get().copied()
    }

    /// Whether the world was seen: before that, this state may be an old one.
    pub(super) fn answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }
}

/// The result of a look.
enum Look {
    /// The world has a part of this log, or nothing.
    Fits,
    /// Nobody answered, or not with a checkpoint. It may be this service that is to answer.
    Silent(String),
    /// The world has more, or another log: the state must not go on.
    Wrong(LedgerError),
}

/// Reads the checkpoint at the public address, and holds it against the state.
async fn look(app: &App, url: &str) -> Look {
    let address = url.to_owned();
    let limits = HttpLimits { tries: 1, file: WAIT, ..HttpLimits::default() };
    let fetch = move || {
        let log = Http::new(&address, limits).map_err(|e| e.to_string())?;
        let bytes = log.read("checkpoint", LONGEST).map_err(|e| e.to_string())?;
        String::from_utf8(bytes).map_err(|e| e.to_string())
    };
    let note = match tokio::task::spawn_blocking(fetch).await {
        Ok(Ok(note)) => note,
        Ok(Err(error)) => return Look::Silent(error),
        Err(error) => return Look::Silent(error.to_string()),
    };
    if let Err(error) = SignedCheckpoint::parse(&note) {
        // A proxy's page, say.
        return Look::Silent(format!("this is no checkpoint: {error}"));
    }
    match app.ledger.holds_against(&note).await {
        Ok(()) => {
            app.world.answered.store(true, Ordering::Release);
            Look::Fits
        }
        Err(
            error @ (LedgerError::OlderState { .. }
            | LedgerError::OtherTree { .. }
            | LedgerError::ForeignNote { .. }
            | LedgerError::ForeignCheckpoint { .. }),
        ) => Look::Wrong(error),
        Err(error) => Look::Silent(error.to_string()),
    }
}

/// Looks once, before anything is dealt.
pub(super) async fn before_start(app: &App) -> Result<(), ServiceError> {
    let Some(url) = app.options.public_url.as_deref() else {
        app.world.answered.store(true, Ordering::Release);
        return Ok(());
    };
    match look(app, url).await {
        Look::Fits => Ok(()),
        Look::Silent(why) => {
            tracing::warn!(
                url,
                why,
                "no checkpoint of this log was read at the public address yet"
            );
            Ok(())
        }
        Look::Wrong(error) => {
            Err(ServiceError::World { url: url.to_owned(), error: Box::new(error) })
        }
    }
}

/// Looks now and then. Ends when the world has what this state does not.
pub(super) async fn watch(app: &App) {
    let Some(url) = app.options.public_url.as_deref() else { return };
    // Soon at first: it may be this service that is to answer.
    let mut wait = SOON;
    loop {
        tokio::time::sleep(if app.world.answered() { LOOK } else { wait }).await;
        wait = LOOK.min(wait * 2);
        match look(app, url).await {
            Look::Fits => {}
            Look::Silent(why) => {
                tracing::warn!(
                    url,
                    why,
                    "no checkpoint of this log was read at the public address"
                );
            }
            // That address is another log's now. It says nothing of this one.
            Look::Wrong(
                error @ (LedgerError::ForeignNote { .. } | LedgerError::ForeignCheckpoint { .. }),
            ) => {
                tracing::warn!(url, %error, "the public address has another log");
            }
            Look::Wrong(error) => {
                tracing::error!(url, %error, "the world has another log: nothing more is dealt");
                // Nothing is signed any more, also not by the keeper.
                app.ledger.stop(WRONG);
                let _first = app.world.wrong.set(WRONG);
                return;
            }
        }
    }
}
