//! An audit as one page for people who were not there: a regulator, a journalist, a player.
//!
//! [`html()`] gives a page that needs nothing else: no scripts, nothing from a network, colours for light, dark and paper.
//! It forbids itself to load anything, every text of the log is escaped, and however large the log is the page stays
//! within a few megabytes. Pure: the same verdict gives the same page, so two who audit one log can compare theirs.
//!
//! [`heat_map`] and [`heat_map_exact`] are the page's map of positions and items as pictures of their own.
//!
//! Not for machines: `fairdeal audit --json` says the same, whole.

mod canvas;
mod findings;
mod heat;
mod limits;
mod meaning;
mod numbers;
mod page;
mod passed_over;
mod plots;
mod statistics;
mod tests_in_words;
mod words;

use maud::{PreEscaped, html};

use crate::audit::AuditVerdict;
use crate::stats::Counts;
use heat::Heat;

pub use passed_over::{overdue_by_clock, passed_over};

/// What a verdict does not say: what was audited, under which key, and how to do it again.
#[derive(Clone, Copy, Debug)]
pub struct PageContext<'a> {
    /// The log as it was given to the audit: a folder or an address.
    pub log: &'a str,
    /// The origin that the log must have: the key's name.
    pub origin: &'a str,
    /// The verifier key's text.
    pub key: &'a str,
    /// [`AuditVerdict::as_of`] as people write it.
    pub as_of: Option<&'a str>,
    /// [`AuditVerdict::clock`] as people write it.
    pub clock: Option<&'a str>,
    /// The older checkpoints that the log was held against, as they were given.
    pub since: &'a [String],
    /// How many entries those of them have that the log is shown to continue.
    pub continued: &'a [u64],
    /// The version that judged it.
    pub version: &'a str,
}

/// Colours and strokes of plots, in light and in dark.
const PLOT_CSS: &str = include_str!("report/plot.css");

/// The page.
#[must_use]
pub fn html(verdict: &AuditVerdict, about: &PageContext<'_>) -> String {
    page::page(verdict, about).into_string()
}

/// How often each item stood at each position, as an SVG file of its own. Empty decks give none.
#[must_use]
pub fn heat_map(title: &str, counts: &Counts) -> Option<String> {
    Heat::counted(counts).map(|heat| alone(title, &heat))
}

/// The probability of each item (column) at each position (row), as an SVG file of its own. None without any, or over
/// 104 items.
#[must_use]
pub fn heat_map_exact(title: &str, positions: &[Vec<f64>]) -> Option<String> {
    Heat::exact(positions).map(|heat| alone(title, &heat))
}

/// A picture with its colours in it.
fn alone(title: &str, heat: &Heat) -> String {
    let picture = heat.draw_titled(&words::spelled(title)).into_string();
    let style = html! { style { (PreEscaped(PLOT_CSS)) } }.into_string();
    // A picture has a description, and its title comes first.
    let picture = picture.replacen("<svg ", "<svg class=\"alone\" ", 1);
    picture.replacen("</desc>", &format!("</desc>{style}"), 1) + "\n"
}
