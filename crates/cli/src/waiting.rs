//! Says on stderr what is waited for, where it takes long.

use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::out::plain;

/// So long nothing is said: who waits longer asks whether it goes on.
const SILENT: Duration = Duration::from_secs(3);

/// Something that is waited for, until it is dropped.
#[derive(Debug)]
pub(super) struct Waiting {
    /// Dropping it ends the watch.
    over: Option<Sender<()>>,
    watch: Option<JoinHandle<()>>,
}

impl Waiting {
    /// `says`: what is waited for, and for how long. It is said once, and only if it takes long.
    pub(super) fn new(says: impl Into<String>) -> Self {
        let (over, is_over) = channel();
        let says = says.into();
        let watch = move || {
            if is_over.recv_timeout(SILENT) == Err(RecvTimeoutError::Timeout) {
                say(&says);
            }
        };
        // If the system has no thread left, nothing is said.
        let watch = thread::Builder::new().spawn(watch).ok();
        Self { over: Some(over), watch }
    }

    /// Waits until there is progress, and passes that on.
    pub(super) fn until<A, B>(self, mut progress: impl FnMut(A, B)) -> impl FnMut(A, B) {
        let mut waiting = Some(self);
        move |done, all| {
            drop(waiting.take());
            progress(done, all);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.over.take());
        // Nothing is said after what was waited for.
        if let Some(watch) = self.watch.take() {
            let _ = watch.join();
        }
    }
}

fn say(says: &str) {
    let mut stderr = std::io::stderr().lock();
    // A progress bar may be in the line; it draws itself again below.
    let begin = if stderr.is_terminal() { "\r\u{1b}[2K" } else { "" };
    // If it cannot be written, it is not missed.
    let _ = stderr.write_all(format!("{begin}waiting for {}\n", plain(says)).as_bytes());
}
