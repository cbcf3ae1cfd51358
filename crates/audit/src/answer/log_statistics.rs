//! The statistics of a log. Its deals may be of several decks; all their tests are one family.

use serde::Serialize;

use crate::stats::{Alarm, Report, Skipped, Test, adjust_together};
use crate::{EProcessTrace, LogStatistics};

/// The answer: `decks`, `alarm` and `tests` as for a file of decks, and each deck by itself in
/// `groups`.
#[derive(Debug, Serialize)]
pub struct LogStatisticsAnswer<'a> {
    /// The log's number of entries.
    pub size: u64,
    /// Only deals after this entry are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    pub decks: u64,
    /// Any test (at most 1 % of fair logs), or any watch (at most 1 % for each deck).
    pub alarm: bool,
    pub tests: Vec<Test>,
    pub skipped: Vec<Skipped>,
    pub not_counted: u64,
    pub groups: Vec<OfDeck<'a>>,
}

#[derive(Debug, Serialize)]
pub struct OfDeck<'a> {
    pub deck: &'a str,
    pub draw: u64,
    /// Adjusted over all decks' tests.
    #[serde(flatten)]
    pub report: Report,
    pub watch: Option<&'a EProcessTrace>,
}

impl OfDeck<'_> {
    pub fn watch_alarm(&self) -> Option<Alarm> {
        self.watch.and_then(|watched| watched.alarm)
    }
}

impl<'a> LogStatisticsAnswer<'a> {
    /// The statistics of a log of `size` entries. The deals after the entry `after` were counted,
    /// or all.
    #[must_use]
    pub fn of(found: &'a LogStatistics, size: u64, after: Option<u64>) -> Self {
        let mut groups: Vec<OfDeck<'a>> = found
            .groups
            .iter()
            .map(|group| OfDeck {
                deck: &group.deck,
                draw: group.draw,
                report: group.report.clone(),
                watch: group.watch.as_ref(),
            })
            .collect();
        adjust_together(groups.iter_mut().map(|group| &mut group.report));
        let several = groups.len() > 1;
        let named = |group: &OfDeck<'_>, name: &str| {
            if several { format!("{}/{}: {name}", group.deck, group.draw) } else { name.to_owned() }
        };
        let (mut tests, mut skipped) = (Vec::new(), Vec::new());
        for group in &groups {
            let test = |test: &Test| Test { name: named(group, &test.name), ..test.clone() };
            tests.extend(group.report.tests.iter().map(test));
            let one = |one: &Skipped| Skipped { name: named(group, &one.name), ..one.clone() };
            skipped.extend(group.report.skipped.iter().map(one));
        }
        Self {
            size,
            after,
            decks: groups.iter().map(|group| group.report.decks).sum(),
            alarm: groups.iter().any(|group| group.report.alarm || group.watch_alarm().is_some()),
            tests,
            skipped,
            not_counted: found.not_counted,
            groups,
        }
    }

    /// Whether any test, or any watch, raised an alarm.
    #[must_use]
    pub fn is_alarm(&self) -> bool {
        self.alarm
    }
}
