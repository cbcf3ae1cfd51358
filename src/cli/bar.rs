//! How far a long reading has come: a bar on a terminal, and now and then a plain line elsewhere.

use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

/// Between two plain lines; work that takes less says nothing.
const BETWEEN: Duration = Duration::from_secs(5);

/// How far it has come.
#[derive(Debug)]
pub(super) struct Bar {
    bar: ProgressBar,
    /// When the last plain line was written, since the start; none on a terminal.
    said: Option<Mutex<Duration>>,
}

impl Bar {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new(0);
        let template = "{bar:30} {human_pos} of {human_len} entries, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        let said = (!std::io::stderr().is_terminal()).then(Mutex::default);
        Self { bar, said }
    }

    pub(super) fn at(&self, done: u64, size: u64) {
        self.bar.set_length(size);
        self.bar.set_position(done);
        let Some(said) = &self.said else { return };
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        let since = self.bar.elapsed();
        if since.saturating_sub(*said) >= BETWEEN {
            *said = since;
            let line = format!(
                "{} of {} entries, {:.0} a second, {} left\n",
                HumanCount(done),
                HumanCount(size),
                self.bar.per_sec(),
                HumanDuration(self.bar.eta())
            );
            // A line that can't be written is not missed.
            let _ = std::io::stderr().lock().write_all(line.as_bytes());
        }
    }

    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
