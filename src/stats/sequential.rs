//! An e-process: evidence that may be looked at after every deal without more false alarms.
//!
//! Each part is a bet against "every order is equally likely": a running product of predicted over fair probabilities,
//! where the prediction comes from the deals before. Fair deals multiply a bet by 1 on average, whatever came before;
//! so they do with an average of bets. By Ville's inequality, the probability that it *ever* reaches 100 is at most 1
//! %. So the evidence is valid at every look. See Ramdas, Grünwald, Vovk, Shafer, *Game-theoretic statistics and safe
//! anytime-valid inference*, 2023.
//!
//! A bet that has learnt from a million fair deals notices late that deals have become unfair. So new copies keep
//! starting. Half of the stake is on the copy that starts with the first deal. Six rungs hold a twelfth each: on rung
//! k, from 0, copies follow one another, each over 4^k·256 deals. The m-th copy has 1/(m(m+1)) of the rung's stake, and
//! its evidence is kept when it ends. All weights are fixed in advance and sum to 1, so the whole is a bet too.

mod bets;
mod fair;

use serde::{Deserialize, Serialize};

use super::number::{count, real};
use super::order::Scratch;
use super::shape::Shape;
use bets::Bets;
use fair::{Fair, Seen};

/// The evidence that raises the alarm, which then stays. At most 1 % of all e-processes over fair deals ever reach it.
pub const ALARM: f64 = 100.0;

/// How many deals a copy on each rung takes.
const RUNGS: [u64; 6] = [1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18];

/// An e-process over deals, in order.
///
/// It cannot be merged: each bet depends on all deals before it. It serialises, so that it can resume.
#[derive(Clone, Debug)]
pub struct EProcess {
    state: State,
    fair: Fair,
    scratch: Scratch,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    alarm: Option<Alarm>,
    deals: u64,
    first: Bets,
    last: Option<Vec<u32>>,
    rungs: Vec<Rung>,
    shape: Shape,
}

/// When the alarm was raised, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alarm {
    /// The evidence reached [`ALARM`] with this deal, counted from 1.
    Evidence(u64),
    /// This deal, counted from 1, was not a deal of the deck, which no fair source gives.
    NotADeal(u64),
}

/// Copies that follow one another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rung {
    /// ln of the weighted evidence of the copies that have ended; `None` before the first ends.
    kept: Option<f64>,
    /// The number of the current copy, from 1.
    number: u64,
    now: Bets,
}

/// One kind of bet and its evidence, of the copy that started with the first deal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// What the bet is on.
    pub name: &'static str,
    /// log10 of its evidence.
    pub log10: f64,
}

impl EProcess {
    /// Before the first deal; evidence 1.
    #[must_use]
    pub fn of(shape: Shape) -> Self {
        let fair = Fair::of(&shape);
        let first = Bets::of(&shape, &fair);
        let rungs = RUNGS.map(|_| Rung { kept: None, number: 1, now: first.clone() }).to_vec();
        let state = State { alarm: None, deals: 0, first, last: None, rungs, shape };
        Self { state, fair, scratch: Scratch::default() }
    }

    /// Takes the next deal; returns the alarm, if it was raised. Time: O(n²) for each of seven copies.
    pub fn add(&mut self, dealt: &[u32]) -> Option<Alarm> {
        let Self { state, fair, scratch } = self;
        state.deals = state.deals.saturating_add(1);
        let shape = &state.shape;
        if !scratch.place(dealt, shape.items(), shape.draw()) {
            state.alarm = state.alarm.or(Some(Alarm::NotADeal(state.deals)));
            return state.alarm;
        }
        let seen = Seen::of(dealt, state.last.as_deref(), shape, fair, scratch);
        state.first.take(dealt, &seen, shape, fair);
        for (rung, length) in state.rungs.iter_mut().zip(RUNGS) {
            rung.now.take(dealt, &seen, shape, fair);
            if rung.now.deals() >= length {
                rung.end();
            }
        }
        state.last = Some(dealt.to_vec());
        if state.alarm.is_none() && self.log() >= ALARM.ln() {
            self.state.alarm = Some(Alarm::Evidence(self.state.deals));
        }
        self.state.alarm
    }

    /// log10 of the evidence. It may fall again; the alarm stays.
    #[must_use]
    pub fn log10(&self) -> f64 {
        self.log() / std::f64::consts::LN_10
    }

    fn log(&self) -> f64 {
        let rungs = count(self.state.rungs.len());
        let each = -(2.0 * real(rungs)).ln();
        let all = self.state.rungs.iter().map(|rung| each + rung.log());
        log_sum(all.chain([self.state.first.log() - std::f64::consts::LN_2]))
    }

    /// The alarm, if it was raised.
    #[must_use]
    pub const fn alarm(&self) -> Option<Alarm> {
        self.state.alarm
    }

    /// How many deals were taken.
    #[must_use]
    pub const fn deals(&self) -> u64 {
        self.state.deals
    }

    /// The shape of the deals.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.state.shape
    }

    /// The evidence of each kind of bet since the first deal: it shows where an alarm comes from.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let parts = self.state.first.parts(&self.fair);
        parts.into_iter().map(|(name, log)| Part { name, log10: log / std::f64::consts::LN_10 }).collect()
    }
}

impl Rung {
    /// ln of the rung's evidence: the ended copies, the current one, and 1 for each later one (Σ_{m>k} 1/(m(m+1)) =
    /// 1/(k+1)).
    fn log(&self) -> f64 {
        let number = real(self.number);
        let playing = self.now.log() - (number * (number + 1.0)).ln();
        log_sum(self.kept.into_iter().chain([playing, -(number + 1.0).ln()]))
    }

    /// Keeps the current copy's evidence and starts the next copy.
    fn end(&mut self) {
        let number = real(self.number);
        let ended = self.now.log() - (number * (number + 1.0)).ln();
        self.kept = Some(log_sum(self.kept.into_iter().chain([ended])));
        self.number = self.number.saturating_add(1);
        self.now.restart();
    }
}

/// ln Σ exp(x), without overflow; -∞ for no x.
fn log_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY { most } else { most + logs.map(|log| (log - most).exp()).sum::<f64>().ln() }
}

/// ln of the average of exp(x).
fn log_mean(logs: &[f64]) -> f64 {
    log_sum(logs.iter().copied()) - real(count(logs.len())).ln()
}

impl PartialEq for EProcess {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl Serialize for EProcess {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.state.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for EProcess {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let state = State::deserialize(deserializer)?;
        let fresh = Self::of(state.shape.clone());
        let alike = state.rungs.len() == RUNGS.len()
            && state.rungs.iter().all(|rung| rung.number > 0 && rung.now.is_like(&fresh.state.first))
            && state.first.is_like(&fresh.state.first);
        if alike {
            Ok(Self { state, ..fresh })
        } else {
            Err(serde::de::Error::custom("the bets' tables are not those of this deck"))
        }
    }
}
