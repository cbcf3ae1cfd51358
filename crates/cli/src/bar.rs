//! Progress: a bar on a terminal, a plain line now and then elsewhere.
//!
//! A line of at most 80 columns: what is done, how far it is, how fast it goes, and how long it
//! takes yet. The bar takes what the rest leaves of the terminal.

use std::fmt::Write;
use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressState, ProgressStyle};

/// Time between two plain lines. Shorter work prints none.
const BETWEEN: Duration = Duration::from_secs(5);

const OF_MANY: &str =
    "{prefix}  {wide_bar} {percent} % of {human_len} {msg}  {rate}/s  {left} left";
const OF_A_FILE: &str = "{wide_bar} {percent} % of {total_bytes}  {msg}  {left} left";
const OF_A_STREAM: &str = "{bytes}  {msg}";

/// A progress bar.
#[derive(Debug)]
pub(super) struct Bar {
    drawn: ProgressBar,
    what: &'static str,
    /// The name of the things that are counted.
    unit: &'static str,
    /// When the last plain line was written, counted from the start. `None` on a terminal.
    said: Option<Mutex<Duration>>,
}

impl Bar {
    /// Counts a log's entries. `what` says in a word or two what is done with them.
    pub(super) fn new(what: &'static str) -> Self {
        Self::of(what, "entries")
    }

    /// Counts other things, which `unit` names.
    pub(super) fn of(what: &'static str, unit: &'static str) -> Self {
        // Until the first are done there is nothing to count.
        Self { unit, ..Self::with(what, "{prefix}") }
    }

    /// Counts a file's rows. Their number is not known in advance; the file's size may be.
    pub(super) fn of_rows(size: Option<u64>) -> Self {
        Self::with("", if size.is_some() { OF_A_FILE } else { OF_A_STREAM })
    }

    fn with(what: &'static str, template: &str) -> Self {
        let drawn = ProgressBar::new(0).with_style(style(template)).with_prefix(what);
        drawn.enable_steady_tick(Duration::from_millis(200));
        let said = (!std::io::stderr().is_terminal()).then(Mutex::default);
        Self { drawn, what, unit: "", said }
    }

    pub(super) fn at(&self, done: u64, size: u64) {
        if self.drawn.length() != Some(size) {
            self.drawn.set_length(size);
            self.drawn.set_style(style(OF_MANY));
            self.drawn.set_message(self.unit);
        }
        self.drawn.set_position(done);
        self.say(|| {
            let (done, size) = (HumanCount(done), HumanCount(size));
            let (rate, left) = (whole(self.drawn.per_sec()), span(self.drawn.eta()));
            format!("{}: {done} of {size} {}, {rate} a second, {left} left", self.what, self.unit)
        });
    }

    /// Sets the progress: rows done, bytes read, and the file's size if known.
    pub(super) fn at_row(&self, rows: u64, read: u64, size: Option<u64>) {
        let seconds = self.drawn.elapsed().as_secs_f64();
        let rows_a_second =
            u32::try_from(rows).map_or(f64::INFINITY, f64::from) / seconds.max(0.001);
        let (rows, rate) = (HumanCount(rows), whole(rows_a_second));
        self.drawn.set_length(size.unwrap_or(read));
        self.drawn.set_position(read);
        self.drawn.set_message(format!("{rows} rows  {rate}/s"));
        self.say(|| {
            let counted = format!("{rows} rows, {rate} a second");
            match size {
                Some(size) => {
                    let (read, size, left) =
                        (HumanBytes(read), HumanBytes(size), span(self.drawn.eta()));
                    format!("{read} of {size}, {counted}, {left} left")
                }
                None => format!("{}, {counted}", HumanBytes(read)),
            }
        });
    }

    fn say(&self, line: impl FnOnce() -> String) {
        let Some(said) = &self.said else { return };
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        let since = self.drawn.elapsed();
        if since.saturating_sub(*said) >= BETWEEN {
            *said = since;
            // Progress that cannot be written is not missed.
            let _ = std::io::stderr().lock().write_all((line() + "\n").as_bytes());
        }
    }

    pub(super) fn finish(self) {
        self.drawn.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the templates above are sound");
    // A screen that cannot be written to is not missed.
    let rate = |state: &ProgressState, to: &mut dyn Write| {
        let _ = write!(to, "{}", whole(state.per_sec()));
    };
    let left = |state: &ProgressState, to: &mut dyn Write| {
        let _ = to.write_str(&span(state.eta()));
    };
    style.with_key("rate", rate).with_key("left", left)
}

/// A rate in whole numbers, with separators.
fn whole(rate: f64) -> HumanCount {
    HumanCount(format!("{rate:.0}").parse().unwrap_or(0))
}

/// A time in its largest unit of which there are at least two.
fn span(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use indicatif::{ProgressDrawTarget, TermLike};

    /// A terminal that keeps what is written last.
    #[derive(Clone, Debug)]
    struct Screen(u16, Arc<Mutex<String>>);

    impl Screen {
        fn text(&self) -> String {
            self.1.lock().unwrap().trim_end().to_owned()
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            self.0
        }
        fn move_cursor_up(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> std::io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> std::io::Result<()> {
            if !text.trim().is_empty() {
                text.clone_into(&mut self.1.lock().unwrap());
            }
            Ok(())
        }
        fn clear_line(&self) -> std::io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// The line on a terminal of so many columns.
    fn line_of(bar: &Bar, columns: u16, show: impl Fn(&Bar)) -> String {
        let screen = Screen(columns, Arc::default());
        bar.drawn.set_draw_target(ProgressDrawTarget::term_like(Box::new(screen.clone())));
        show(bar);
        bar.drawn.force_draw();
        let line = screen.text();
        assert!(line.chars().count() <= usize::from(columns), "{line}");
        line
    }

    #[test]
    fn a_line_fits_80_columns_and_its_rate_is_a_whole_number() {
        for (what, size) in
            [("audit", 20), ("audit, statistics", 1_000_000), ("audit, statistics", 90_000_000)]
        {
            let bar = Bar::new(what);
            for columns in [80, 120] {
                let line = line_of(&bar, columns, |bar| bar.at(size / 2, size));
                assert!(
                    line.starts_with(what) && line.contains(" 50 % of ") && line.ends_with(" left"),
                    "{line}"
                );
                let (_, after) = line.split_once("entries  ").expect("the rate comes after");
                let (rate, _) = after.split_once("/s").expect("a rate");
                assert!(rate.chars().all(|c| c.is_ascii_digit() || c == ','), "{line}");
            }
        }
        for size in [Some(200_000_000), None] {
            let bar = Bar::of_rows(size);
            let line = line_of(&bar, 80, |bar| bar.at_row(123_456_789, 123_456_789, size));
            assert!(line.contains("123,456,789 rows"), "{line}");
        }
        assert_eq!(
            (span(Duration::from_secs(119)), span(Duration::from_secs(7_199))),
            ("119 s".into(), "119 min".into())
        );
    }
}
