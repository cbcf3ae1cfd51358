//! The course of a log, from its entries alone, and what must never happen in it. It uses no judge:
//! these are the promises that the rules exist for.

use super::world::{How, LAST_TICK, MOST, Move, ROUNDS, Step};

/// A round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Round {
    pub locks: u8,
    /// Whether the first lock has hashes.
    pub hashed: bool,
    pub deals: u8,
    pub voids: u8,
}

/// A commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Made {
    pub table: usize,
    pub after: Option<usize>,
    pub terms: usize,
    pub tick: u8,
    pub rounds: [Round; 3],
    pub reveals: u8,
    pub whole_voids: u8,
    pub late: bool,
}

/// A log: its entries with effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Course {
    pub commitments: [Option<Made>; MOST],
    /// Each table's last commitment.
    pub last: [Option<usize>; 2],
    pub tick: u8,
}

impl Round {
    pub fn over(self) -> bool {
        self.deals + self.voids > 0
    }

    pub fn open(self) -> bool {
        self.locks > 0 && !self.over()
    }
}

impl Made {
    pub fn used(&self) -> bool {
        self.rounds.iter().any(|round| round.locks + round.deals + round.voids > 0)
    }

    pub fn used_up(&self) -> bool {
        self.rounds[..usize::from(ROUNDS)].iter().all(|round| round.over())
    }

    pub fn ended(&self) -> bool {
        self.reveals + self.whole_voids > 0
    }

    pub fn open(&self) -> bool {
        !self.used_up() && !self.ended()
    }

    /// The next round, which may be one too many.
    pub fn next(&self) -> u8 {
        u8::try_from(self.rounds.iter().take_while(|round| round.over()).count()).expect("few")
    }
}

impl Course {
    pub fn made(&self) -> usize {
        self.commitments.iter().flatten().count()
    }

    /// Records a step with effect; an error if it breaks a promise.
    pub fn take(
        &mut self,
        step: Step,
        promised_hashes: impl Fn(usize) -> bool,
    ) -> Result<(), &'static str> {
        let before = std::mem::replace(&mut self.tick, step.tick);
        self.entry(step, promised_hashes)?;
        if step.tick < before { Err("time runs back") } else { Ok(()) }
    }

    fn entry(
        &mut self,
        step: Step,
        promised_hashes: impl Fn(usize) -> bool,
    ) -> Result<(), &'static str> {
        let c = step.what.c();
        if let Move::Commit { table, after, terms, .. } = step.what {
            let (tick, rounds) = (step.tick, [Round::default(); 3]);
            let made =
                Made { table, after, terms, tick, rounds, reveals: 0, whole_voids: 0, late: false };
            let twice = self.commitments[c].replace(made).is_some();
            if twice {
                return Err("a commitment is made twice");
            }
            if self.last[table].replace(c) != after {
                return Err("a table's commitments are no chain");
            }
            return self.one_open(table);
        }
        let Some(made) = &mut self.commitments[c] else {
            return Err("nobody made this commitment");
        };
        if made.ended() {
            return Err("something comes after the end");
        }
        let hashes = promised_hashes(made.terms);
        match step.what {
            Move::Lock { n, hashed, .. } => {
                if n != made.next() || n >= ROUNDS {
                    return Err("a round is locked that is not the next");
                }
                let round = &mut made.rounds[usize::from(n)];
                round.locks += 1;
                round.hashed = hashed;
                if round.locks > 1 {
                    return Err("a nonce has two locks");
                }
                if hashes && !hashed {
                    return Err("hashes were promised, and a clear seed is locked");
                }
            }
            Move::Deal { n, .. } | Move::Void { n, .. } => {
                let round = &mut made.rounds[usize::from(n)];
                if round.over() {
                    return Err("a nonce has two outcomes");
                }
                let (open, hashed) = (round.open(), round.hashed);
                if let Move::Deal { how, .. } = step.what {
                    if open != (how == How::Opened) {
                        return Err("what is dealt is not what was locked");
                    }
                    if hashes && !(open && hashed) {
                        return Err("hashes were promised, and a clear seed is dealt");
                    }
                }
                if n != made.next() || n >= ROUNDS {
                    return Err("a round comes out of order");
                }
                let round = &mut made.rounds[usize::from(n)];
                let dealt = matches!(step.what, Move::Deal { .. });
                *if dealt { &mut round.deals } else { &mut round.voids } += 1;
            }
            Move::WholeVoid { .. } => {
                if made.used() {
                    return Err("a used seed is buried");
                }
                made.whole_voids += 1;
            }
            Move::Reveal { right, .. } => {
                if !right {
                    return Err("the seed that comes out is another");
                }
                if made.rounds.iter().any(|round| round.open()) {
                    return Err("a seed comes out while its round is locked");
                }
                made.reveals += 1;
                made.late = step.tick > made.tick + 1;
            }
            Move::Commit { .. } => {}
        }
        Ok(())
    }

    fn one_open(&self, table: usize) -> Result<(), &'static str> {
        let open =
            self.commitments.iter().flatten().filter(|made| made.table == table && made.open());
        if open.count() > 1 { Err("a table has two open commitments") } else { Ok(()) }
    }

    /// The ticks at which something may be tried: the same time, a later and an earlier one.
    pub fn ticks(&self, times: bool) -> impl Iterator<Item = u8> + use<> {
        let (now, more) = (self.tick, times && self.made() > 0);
        let later = (more && now < LAST_TICK).then_some(now + 1);
        let earlier = if more { now.checked_sub(1) } else { None };
        std::iter::once(now).chain(later).chain(earlier)
    }

    pub fn memory(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(32);
        for made in self.commitments.iter().flatten() {
            for round in &made.rounds[..usize::from(ROUNDS)] {
                bytes.push(
                    round.locks + 4 * round.deals + 16 * round.voids + 64 * u8::from(round.hashed),
                );
            }
            bytes.push(made.reveals + 4 * made.whole_voids + 16 * u8::from(made.late));
        }
        bytes
    }
}
