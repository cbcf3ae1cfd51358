//! The log as the world sees it. A state that was restored from a backup signs a fork, and nothing local can see that.

use std::sync::OnceLock;
use std::time::Duration;

use super::{App, ServiceError};
use crate::ledger::LedgerError;
use crate::source::{Files as _, Http, HttpLimits};

/// How often to look.
const LOOK: Duration = Duration::from_mins(1);

/// The longest checkpoint, in bytes.
const LONGEST: u64 = 64 * 1024;

/// How long to wait for it.
const WAIT: Duration = Duration::from_secs(10);

/// What is wrong with the log as the world sees it.
#[derive(Debug, Default)]
pub(super) struct World {
    wrong: OnceLock<&'static str>,
}

impl World {
    /// In a few words, once it is known.
    pub(super) fn wrong(&self) -> Option<&'static str> {
        self.wrong.get().copied()
    }
}

/// How a look ended.
enum Look {
    /// The world has a part of this log, or nothing.
    Fits,
    /// Nobody answered. It may be this service that is to answer.
    Silent(String),
    /// The world has more, or another log: the state must not go on.
    Wrong(LedgerError),
}

/// Reads the checkpoint at the public address, and holds it against the state.
async fn look(app: &App, url: &str) -> Look {
    let address = url.to_owned();
    let limits = HttpLimits { tries: 1, request: WAIT, ..HttpLimits::default() };
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
    match app.ledger.holds_against(&note).await {
        Ok(()) => Look::Fits,
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
    let Some(url) = app.options.public_url.as_deref() else { return Ok(()) };
    match look(app, url).await {
        Look::Fits => Ok(()),
        Look::Silent(why) => {
            tracing::warn!(url, why, "the public address does not answer yet");
            Ok(())
        }
        Look::Wrong(error) => Err(ServiceError::World { url: url.to_owned(), error: Box::new(error) }),
    }
}

/// Looks now and then. Ends when the world has what this state does not.
pub(super) async fn watch(app: &App) {
    let Some(url) = app.options.public_url.as_deref() else { return };
    loop {
        tokio::time::sleep(LOOK).await;
        match look(app, url).await {
            Look::Fits => {}
            Look::Silent(why) => tracing::warn!(url, why, "the public address does not answer"),
            Look::Wrong(error) => {
                tracing::error!(url, %error, "the world has another log: nothing more is dealt");
                let _first = app.world.wrong.set("the world has another log than this state");
                return;
            }
        }
    }
}
