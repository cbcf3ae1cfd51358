//! Progress: a bar on a terminal, a plain line now and then elsewhere.

use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressStyle};

/// Time between two plain lines. Shorter work prints none.
const BETWEEN: Duration = Duration::from_secs(5);

/// A progress bar.
#[derive(Debug)]
pub(super) struct Bar {
    bar: ProgressBar,
    /// When the last plain line was written, counted from the start. `None` on a terminal.
    said: Option<Mutex<Duration>>,
}

impl Bar {
    /// Counts a log's entries.
    pub(super) fn new() -> Self {
        Self::with("{bar:30} {human_pos} of {human_len} entries, {per_sec}, {eta} left")
    }

    /// Counts a file's rows. Their number is not known in advance; the file's size may be.
    pub(super) fn of_rows(size: Option<u64>) -> Self {
        Self::with(match size {
            Some(_) => "{bar:30} {bytes} of {total_bytes}, {msg}, {eta} left",
            None => "{bytes}, {msg}",
        })
    }

    fn with(template: &str) -> Self {
        let bar = ProgressBar::new(0);
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
        self.say(|| {
            format!(
                "{} of {} entries, {:.0} a second, {} left",
                HumanCount(done),
                HumanCount(size),
                self.bar.per_sec(),
                HumanDuration(self.bar.eta())
            )
        });
    }

    /// Sets the progress: rows done, bytes read, and the file's size if known.
    pub(super) fn at_row(&self, rows: u64, read: u64, size: Option<u64>) {
        let seconds = self.bar.elapsed().as_secs_f64();
        let rate = u32::try_from(rows).map_or(f64::INFINITY, f64::from) / seconds.max(0.001);
        let counted = format!("{} rows, {rate:.0} a second", HumanCount(rows));
        self.bar.set_length(size.unwrap_or(read));
        self.bar.set_position(read);
        self.bar.set_message(counted.clone());
        self.say(|| match size {
            Some(size) => {
                let (read, size, left) = (HumanBytes(read), HumanBytes(size), HumanDuration(self.bar.eta()));
                format!("{read} of {size}, {counted}, {left} left")
            }
            None => format!("{}, {counted}", HumanBytes(read)),
        });
    }

    fn say(&self, line: impl FnOnce() -> String) {
        let Some(said) = &self.said else { return };
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        let since = self.bar.elapsed();
        if since.saturating_sub(*said) >= BETWEEN {
            *said = since;
            // Progress that cannot be written is not missed.
            let _ = std::io::stderr().lock().write_all((line() + "\n").as_bytes());
        }
    }

    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
