//! An e-process: evidence that may be looked at after every deal without more false alarms.
//!
//! Each part is a bet against "every order is equally likely": a running product of predicted over
//! fair probabilities, where the prediction comes from the deals before. Fair deals multiply a bet
//! by 1 on average, whatever came before; so they do with an average of bets. By Ville's
//! inequality, the probability that it *ever* reaches 100 is at most 1 %. So the evidence is valid
//! at every look. See Ramdas, Grünwald, Vovk, Shafer, *Game-theoretic statistics and safe
//! anytime-valid inference*, 2023.
//!
//! A bet that has learnt from a million fair deals notices late that deals have become unfair. So
//! new copies keep starting. Half of the stake is on the copy that starts with the first deal. Six
//! rungs hold a twelfth each: on rung k, from 0, copies follow one another, each over 4^k·256
//! deals. The m-th copy has 1/(m(m+1)) of the rung's stake, and its evidence is kept when it ends.
//! All weights are fixed in advance and sum to 1, so the whole is a bet too.

mod bets;
mod fair;
#[cfg(test)]
mod plain;
mod product;

use serde::{Deserialize, Serialize};

use super::number::{count, index, item, real};
use super::order::Scratch;
use super::shape::Shape;
use bets::Bets;
use fair::{Fair, Seen};
use product::{LANES, Lanes};

/// The evidence that raises the alarm, which then stays. At most 1 % of all e-processes over fair
/// deals ever reach it.
pub const ALARM: f64 = 100.0;

/// The number of deals that a copy on each rung takes.
const RUNGS: [i32; 6] = [1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18];

/// Each rung's part of the stake. The copy that starts with the first deal holds one half.
const RUNG_STAKE: f64 = 1.0 / 12.0;

/// Deals that are taken together; no rung's copy ends within a block.
const BLOCK: usize = 16;

/// Nobody bets on a block that starts later, so that every count stays under 2^31.
const LAST_BLOCK: i32 = i32::MAX - 16;

/// An e-process over deals, in order.
///
/// It cannot be merged: each bet depends on all deals before it. It serialises, so that it can
/// resume. It bets on 2^31 deals; later ones are looked at, but change the evidence no more.
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
    /// The copy that started with the first deal, and after it the current copy of each rung.
    bets: Bets,
    deals: u64,
    /// For each rung ln of the weighted evidence of the copies that have ended; `None` before the
    /// first ends.
    kept: Vec<Option<f64>>,
    last: Option<Vec<u32>>,
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

/// One kind of bet and its evidence, of the copy that started with the first deal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// The event that the bet is on.
    pub name: &'static str,
    /// log10 of its evidence.
    pub log10: f64,
}

impl EProcess {
    /// Before the first deal; evidence 1.
    #[must_use]
    pub fn of(shape: Shape) -> Self {
        let fair = Fair::of(&shape);
        let bets = Bets::of(&shape, &fair);
        let state =
            State { alarm: None, bets, deals: 0, kept: vec![None; RUNGS.len()], last: None, shape };
        Self { state, fair, scratch: Scratch::default() }
    }

    /// Takes the next deal; returns the alarm, if it was raised.
    pub fn add(&mut self, dealt: &[u32]) -> Option<Alarm> {
        self.add_each([dealt])
    }

    /// Takes the next deals, one after another; returns the alarm, if it was raised. The result is
    /// that of [`add`](Self::add) for each, to the bit, in less time. Time for a deal: O(n²), for
    /// all copies together.
    pub fn add_each<'a>(&mut self, deals: impl IntoIterator<Item = &'a [u32]>) -> Option<Alarm> {
        let mut block = Block::default();
        for dealt in deals {
            let Self { state, fair, scratch } = self;
            let shape = &state.shape;
            if !scratch.place(dealt, shape.items(), shape.draw()) {
                self.take(&mut block);
                self.state.deals = self.state.deals.saturating_add(1);
                self.state.alarm = self.state.alarm.or(Some(Alarm::NotADeal(self.state.deals)));
                continue;
            }
            let last = block.last(shape).or(state.last.as_deref());
            let seen = Seen::of(dealt, last, shape, fair, scratch);
            if block.seen.is_empty() {
                // To the end of the block, wherever the last call ended.
                block.room = BLOCK - index(state.bets.deals()[0].cast_unsigned()) % BLOCK;
            }
            block.seen.push(seen);
            block.dealt.extend_from_slice(dealt);
            if block.seen.len() >= block.room {
                self.take(&mut block);
            }
        }
        self.take(&mut block);
        self.state.alarm
    }

    /// Takes a block of deals of the deck, and empties it.
    fn take(&mut self, block: &mut Block) {
        let Self { state, fair, .. } = self;
        let State { alarm, bets, deals, kept, last, shape } = state;
        let Some(now) = block.last(shape) else { return };
        if bets.deals()[0] > LAST_BLOCK {
            *deals = deals.saturating_add(count(block.seen.len()));
            block.clear();
            return;
        }
        *last = Some(now.to_vec());
        // The stake on the copies that play, and what the ended and the later copies hold.
        let (mut stakes, mut rest) = ([0.0; LANES], 0.0);
        stakes[0] = 0.5;
        for (rung, kept) in kept.iter().enumerate() {
            let number = number(bets, rung);
            stakes[rung + 1] = RUNG_STAKE / (number * (number + 1.0));
            rest += RUNG_STAKE * (kept.map_or(0.0, f64::exp) + 1.0 / (number + 1.0));
        }
        bets.take(&block.dealt, &block.seen, shape, fair, |evidence: Lanes| {
            *deals = deals.saturating_add(1);
            let playing: f64 =
                evidence.iter().zip(&stakes).take(1 + RUNGS.len()).map(|(e, s)| e * s).sum();
            if alarm.is_none() && playing + rest >= ALARM {
                *alarm = Some(Alarm::Evidence(*deals));
            }
        });
        for (rung, length) in RUNGS.iter().enumerate() {
            if bets.deals()[rung + 1] >= *length {
                // The evidence is kept, and the next copy starts. The first copy has counted this
                // deal already.
                let number = f64::from(bets.deals()[0] / length);
                let ended = bets.log(rung + 1) - (number * (number + 1.0)).ln();
                kept[rung] = Some(log_sum(kept[rung].into_iter().chain([ended])));
                bets.restart(rung + 1);
            }
        }
        block.clear();
    }

    /// log10 of the evidence. It may fall again; the alarm stays.
    #[must_use]
    pub fn log10(&self) -> f64 {
        self.log() / std::f64::consts::LN_10
    }

    fn log(&self) -> f64 {
        let State { bets, kept, .. } = &self.state;
        let mut all = vec![bets.log(0) - std::f64::consts::LN_2];
        // A rung has the ended copies, the current one, and 1 for each later one: Σ_{m>k}
        // 1/(m(m+1)) = 1/(k+1).
        for (rung, kept) in kept.iter().enumerate() {
            let number = number(bets, rung);
            let playing = bets.log(rung + 1) - (number * (number + 1.0)).ln();
            let copies = kept.iter().copied().chain([playing, -(number + 1.0).ln()]);
            all.extend(copies.map(|copy| RUNG_STAKE.ln() + copy));
        }
        log_sum(all.iter().copied())
    }

    /// The alarm, if it was raised.
    #[must_use]
    pub const fn alarm(&self) -> Option<Alarm> {
        self.state.alarm
    }

    /// The number of deals that were taken.
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
        let parts = self.state.bets.parts(&self.fair);
        parts
            .into_iter()
            .map(|(name, log)| Part { name, log10: log / std::f64::consts::LN_10 })
            .collect()
    }
}

impl State {
    /// Whether the counts, the evidence and the copies are such as deals of this shape leave.
    fn is_like(&self, fresh: &Self) -> bool {
        let deals = self.bets.deals();
        let copies = RUNGS.iter().zip(&deals[1..]).all(|(length, copy)| *copy == deals[0] % length);
        copies && deals[0] >= 0 && self.kept.len() == RUNGS.len() && self.bets.is_like(&fresh.bets)
    }
}

/// The number of a rung's current copy, from 1.
fn number(bets: &Bets, rung: usize) -> f64 {
    f64::from(bets.deals()[0] / RUNGS[rung] + 1)
}

/// Deals that are taken together.
#[derive(Debug, Default)]
struct Block {
    /// One after another.
    dealt: Vec<u32>,
    seen: Vec<Seen>,
    /// The most that there may be.
    room: usize,
}

impl Block {
    fn last(&self, shape: &Shape) -> Option<&[u32]> {
        self.dealt.rchunks_exact(index(shape.draw())).next()
    }

    fn clear(&mut self) {
        self.dealt.clear();
        self.seen.clear();
    }
}

/// ln Σ exp(x), without overflow; -∞ for no x.
fn log_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        most
    } else {
        most + logs.map(|log| (log - most).exp()).sum::<f64>().ln()
    }
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
        if state.is_like(&fresh.state) {
            Ok(Self { state, ..fresh })
        } else {
            Err(serde::de::Error::custom("the bets' tables are not those of this deck"))
        }
    }
}
