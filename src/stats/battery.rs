//! The battery: every test of a whole log, adjusted for how many there are (Holm, 1 % family-wise).

mod digits;
mod gates;
mod orders;
mod seats;
mod tables;

use serde::Serialize;

use super::counts::{Counts, Tally};
use super::number::{count, real};

/// The chance that fair deals raise an alarm, at most: 99 % confidence, as test laboratories ask.
pub const FAMILY: f64 = 0.01;

/// What the battery says of many deals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Deals that were counted.
    pub decks: u64,
    /// Whether any adjusted p is under [`FAMILY`].
    pub alarm: bool,
    /// Every test that was run.
    pub tests: Vec<Test>,
    /// Every test that was not, and why.
    pub skipped: Vec<Skipped>,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Test {
    /// Its name in `docs/statistics.md`.
    pub name: String,
    /// Its statistic: a count, a z or an X², as the name's line there says.
    pub statistic: f64,
    /// The chance of a statistic at least as extreme if every order is equally likely.
    pub p: f64,
    /// The same, for the most extreme of all the tests (Holm 1979).
    pub p_adjusted: f64,
}

/// A test that was not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Its name.
    pub name: String,
    /// What it needs and what there is.
    pub why: String,
}

/// A statistic and its p, or why there is none.
type Outcome = Result<(f64, f64), String>;

impl Counts {
    /// Runs the battery. Time: once over the cells.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut bench = Bench { tests: Vec::new(), skipped: Vec::new() };
        gates::run(&self.tally, &mut bench);
        orders::run(&self.tally, &mut bench);
        tables::run(&self.tally, &mut bench);
        digits::run(&self.tally, &mut bench);
        seats::run(&self.tally, &mut bench);
        bench.report(self.decks())
    }
}

/// Tests so far.
struct Bench {
    tests: Vec<Test>,
    skipped: Vec<Skipped>,
}

impl Bench {
    fn note(&mut self, name: impl Into<String>, outcome: Outcome) {
        let name = name.into();
        match outcome {
            // A statistic that is not a number would hide in every comparison.
            Ok((statistic, p)) if p.is_finite() && statistic.is_finite() => {
                self.tests.push(Test { name, statistic, p, p_adjusted: p });
            }
            Ok(_) => self.skipped.push(Skipped { name, why: "the statistic is not finite".to_owned() }),
            Err(why) => self.skipped.push(Skipped { name, why }),
        }
    }

    fn report(mut self, decks: u64) -> Report {
        adjust(&mut self.tests);
        let alarm = alarms(&self.tests);
        Report { decks, alarm, tests: self.tests, skipped: self.skipped }
    }
}

/// Adjusts the tests of several reports as one family: fair deals then raise an alarm in any of them in at most 1 % of all
/// logs. Doing it again changes nothing.
pub fn adjust_together<'a>(reports: impl IntoIterator<Item = &'a mut Report>) {
    let mut reports: Vec<&mut Report> = reports.into_iter().collect();
    adjust(reports.iter_mut().flat_map(|report| report.tests.iter_mut()));
    for report in reports {
        report.alarm = alarms(&report.tests);
    }
}

fn alarms(tests: &[Test]) -> bool {
    tests.iter().any(|test| test.p_adjusted < FAMILY)
}

/// Holm's step-down: the i-th smallest of m is multiplied by m − i, and no p may fall under the one before.
fn adjust<'a>(tests: impl IntoIterator<Item = &'a mut Test>) {
    let mut ascending: Vec<&mut Test> = tests.into_iter().collect();
    ascending.sort_by(|a, b| a.p.total_cmp(&b.p));
    let mut left = count(ascending.len());
    let mut least = 0.0_f64;
    for test in ascending {
        least = least.max((test.p * real(left)).min(1.0));
        test.p_adjusted = least;
        left -= 1;
    }
}

/// Holds the limits that a test's approximation was measured within.
fn at_least(tally: &Tally, decks: u64) -> Result<(), String> {
    if tally.decks < decks { Err(format!("needs {decks} deals, there are {}", tally.decks)) } else { Ok(()) }
}

/// Twenty deals, and in short decks five for each of `ways` (in long ones many cells make up for it).
fn enough(tally: &Tally, ways: u32) -> Result<(), String> {
    at_least(tally, if ways < 20 { (5 * u64::from(ways)).max(20) } else { 20 })
}

/// Only whole decks say this.
fn whole(tally: &Tally) -> Result<(), String> {
    let (draw, items) = (tally.shape.draw(), tally.shape.items());
    if tally.shape.is_whole() {
        Ok(())
    } else {
        Err(format!("needs whole decks, {draw} of {items} cards are dealt"))
    }
}

/// Shorter decks leave nothing to vary.
fn items(tally: &Tally, least: u32) -> Result<(), String> {
    let items = tally.shape.items();
    if items < least { Err(format!("needs a deck of {least} items, this one has {items}")) } else { Ok(()) }
}

/// Longer decks would need too large a table.
fn counted(cells: &[u64], tally: &Tally) -> Result<(), String> {
    if cells.is_empty() {
        Err(format!("not counted for {} of {} items", tally.shape.draw(), tally.shape.items()))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
