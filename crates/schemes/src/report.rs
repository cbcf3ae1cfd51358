//! An audit as one page, for people who were not there: a regulator, a journalist, a player.
//!
//! [`html()`] returns a page that needs no other file: no scripts, nothing from a network, colours
//! for light, dark and paper. Its policy forbids it to load anything, every text from the log is
//! escaped, and it has at most two megabytes, however large the log is. Each finding has its rule,
//! in the specification's words, and the bytes of its entry. Pure: the same verdict gives the same
//! page, so two auditors of one log can compare theirs.
//!
//! [`heat_map`] and [`heat_map_exact`] draw the map of positions and items as a separate file.
//!
//! Programs read `fairdeal audit --json`, which has everything.

mod entry_bytes;
mod findings;
mod followers;
mod heat;
mod limits;
mod meaning;
mod numbers;
mod page;
mod passed_over;
mod plots;
mod rules;
mod statistics;
mod svg;
mod tests_in_words;
mod words;

pub(crate) use page::{Section, shell};
pub(crate) use words::{many, number, shown, spelled};

use maud::{PreEscaped, html};

use fairdeal_audit::AuditVerdict;
use fairdeal_audit::stats::Counts;
use heat::Heat;

pub use entry_bytes::{EntryBytes, entries_to_show};
pub use followers::followers;
pub use passed_over::{behind, found_by_class, overdue_by_clock, passed_over};

/// The facts that the page needs besides the verdict: the log, the key, and how to repeat the
/// audit.
#[derive(Clone, Copy, Debug)]
pub struct PageContext<'a> {
    /// The log as given to the audit: a folder or an address.
    pub log: &'a str,
    /// The origin that the log must have: the key's name.
    pub origin: &'a str,
    /// The verifier key's text.
    pub key: &'a str,
    /// The times of the first and of the last entry, as text for people; `None` if the first one
    /// could not be read.
    pub period: Option<(&'a str, &'a str)>,
    /// [`AuditVerdict::as_of`], as text for people.
    pub as_of: Option<&'a str>,
    /// [`AuditVerdict::clock`], as text for people.
    pub clock: Option<&'a str>,
    /// The older checkpoints that the log was compared with, as given to the audit.
    pub since: &'a [String],
    /// The sizes of those that the log continues.
    pub continued: &'a [u64],
    /// The number of entries at the beginning that only an earlier audit judged, which this one
    /// continued.
    pub judged_before: u64,
    /// Files that came from a cache, and not from the log.
    pub cached: u64,
    /// Whether the entries are not those that were signed: the findings are about this copy.
    pub is_another_tree: bool,
    /// The entries of [`entries_to_show`], as far as they could be read again.
    pub entries: &'a [EntryBytes],
    /// The version of the auditing program.
    pub version: &'a str,
}

/// Colours and strokes of plots, in light and in dark.
const PLOT_CSS: &str = include_str!("report/plot.css");

/// The page as HTML.
#[must_use]
pub fn html(verdict: &AuditVerdict, about: &PageContext<'_>) -> String {
    page::page(verdict, about).into_string()
}

/// Whether these bytes begin as such a page does, of this version or of another one.
#[must_use]
pub fn is_page(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(bytes);
    start.starts_with("<!DOCTYPE html>")
        && start.contains("<meta name=\"generator\" content=\"fairdeal ")
}

/// A heat map of counts, as an SVG file: how often each item was at each position. `None` without
/// deals.
#[must_use]
pub fn heat_map(title: &str, counts: &Counts) -> Option<String> {
    Heat::counted(counts).map(|heat| alone(title, &heat))
}

/// The probability of each item (column) at each position (row), as an SVG file. `None` without
/// items, or with more than 104.
#[must_use]
pub fn heat_map_exact(title: &str, positions: &[Vec<f64>]) -> Option<String> {
    Heat::exact(positions).map(|heat| alone(title, &heat))
}

/// A picture that contains its colours.
fn alone(title: &str, heat: &Heat) -> String {
    let title = words::spelled(title);
    let picture = heat.draw(&title, Some(&title)).into_string();
    let style = html! { style { (PreEscaped(PLOT_CSS)) } }.into_string();
    // The title and the description come first in a picture; the style follows them.
    let picture = picture.replacen("<svg ", "<svg class=\"alone\" ", 1);
    picture.replacen("</desc>", &format!("</desc>{style}"), 1) + "\n"
}
