//! The battery: every test of a whole log, adjusted for the number of tests (Holm, 1 %
//! family-wise).

mod digits;
mod gates;
mod orders;
mod seats;
mod tables;

use serde::Serialize;

use super::counts::{Counts, Tally};
use super::number::{count, real};

/// The highest probability of an alarm over fair deals: 99 % confidence, as test laboratories
/// require.
pub const FAMILY: f64 = 0.01;

/// The battery's result over many deals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Deals that were counted.
    pub decks: u64,
    /// Whether any adjusted p is under [`FAMILY`].
    pub alarm: bool,
    /// Every test that was run.
    pub tests: Vec<Test>,
    /// Every test that was not run, and why.
    pub skipped: Vec<Skipped>,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Test {
    /// Its name in `docs/statistics.md`.
    pub name: String,
    /// Its statistic: a count, a z or an X², as listed there.
    pub statistic: f64,
    /// The probability of a statistic at least as extreme if every order is equally likely.
    pub p: f64,
    /// p, adjusted for the number of tests (Holm 1979).
    pub p_adjusted: f64,
}

/// A test that was not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Its name.
    pub name: String,
    /// The deals that it needs, and those that there are.
    pub why: String,
}

/// A statistic and its p, or why the test was not run.
pub(super) type Outcome = Result<(f64, f64), Why>;

/// Why a test was not run.
#[derive(Debug)]
pub struct Why(pub String);

impl Counts {
    /// Runs the battery. Time: linear in the cells.
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

impl Report {
    /// A test that is not of the battery.
    #[must_use]
    pub fn of(decks: u64, outcomes: Vec<(String, Outcome)>) -> Self {
        let mut bench = Bench { tests: Vec::new(), skipped: Vec::new() };
        for (name, outcome) in outcomes {
            bench.note(name, outcome);
        }
        bench.report(decks)
    }
}

/// The tests so far.
struct Bench {
    tests: Vec<Test>,
    skipped: Vec<Skipped>,
}

impl Bench {
    fn note(&mut self, name: impl Into<String>, outcome: Outcome) {
        let name = name.into();
        match outcome {
            // Every comparison with NaN is false, which would hide it.
            Ok((statistic, p)) if p.is_finite() && statistic.is_finite() => {
                self.tests.push(Test { name, statistic, p, p_adjusted: p });
            }
            Ok(_) => {
                self.skipped.push(Skipped { name, why: "the statistic is not finite".to_owned() });
            }
            Err(Why(why)) => self.skipped.push(Skipped { name, why }),
        }
    }

    fn report(mut self, decks: u64) -> Report {
        adjust(&mut self.tests);
        let alarm = alarms(&self.tests);
        Report { decks, alarm, tests: self.tests, skipped: self.skipped }
    }
}

/// Adjusts the tests of several reports as one family: of fair logs, at most 1 % then have an alarm
/// in any report. Adjusting twice changes nothing.
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

/// Holm's step-down: with i from 0, the i-th smallest of m is multiplied by m − i; no p may be less
/// than the one before.
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

/// The least number of deals for which a test's approximation was measured.
fn at_least(tally: &Tally, decks: u64) -> Result<(), Why> {
    if tally.decks < decks {
        Err(Why(format!("needs {decks} deals, there are {}", tally.decks)))
    } else {
        Ok(())
    }
}

/// At least 20 deals, and for fewer than 20 `ways` five for each (in longer decks the many cells
/// make up for it).
fn enough(tally: &Tally, ways: u32) -> Result<(), Why> {
    at_least(tally, if ways < 20 { (5 * u64::from(ways)).max(20) } else { 20 })
}

/// The statistic needs whole decks.
fn whole(tally: &Tally) -> Result<(), Why> {
    let (draw, items) = (tally.shape.draw(), tally.shape.items());
    if tally.shape.is_whole() {
        Ok(())
    } else {
        Err(Why(format!("needs whole decks, {draw} of {items} cards are dealt")))
    }
}

/// In shorter decks the statistic cannot vary.
fn items(tally: &Tally, least: u32) -> Result<(), Why> {
    let items = tally.shape.items();
    if items < least {
        Err(Why(format!("needs a deck of {least} items, this one has {items}")))
    } else {
        Ok(())
    }
}

/// For longer decks the table would be too large, so it is empty.
fn counted(cells: &[u64], tally: &Tally) -> Result<(), Why> {
    if cells.is_empty() {
        Err(Why(format!("not counted for {} of {} items", tally.shape.draw(), tally.shape.items())))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
