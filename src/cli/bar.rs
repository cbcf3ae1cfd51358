//! How far a long reading has come.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar, on a terminal only.
#[derive(Debug)]
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new(0);
        let template = "{bar:30} {human_pos} of {human_len} entries, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    pub(super) fn at(&self, done: u64, size: u64) {
        self.0.set_length(size);
        self.0.set_position(done);
    }

    pub(super) fn finish(self) {
        self.0.finish_and_clear();
    }
}
