//! The effects of entries on their commitment's life.

use super::Findings;
use crate::beacon::Chains;
use crate::record::entry::{Deal, Lock, ResultForm, Reveal, Void};
use crate::record::finding::Code;
use crate::record::life::{Effect, End, Life, Open, View, beacon, round};
use crate::record::replay::Waiting;
use crate::utc::{later_moment, moment, span};

pub(super) fn lock_round(
    index: u64,
    lock: &Lock,
    chains: Option<&Chains>,
    life: &mut Life,
    findings: &mut Findings,
) -> Effect {
    round::weak_lock(&life.commit, lock, findings);
    beacon::wrong_round(&life.commit, lock, chains, findings);
    life.next = lock.nonce.value();
    life.open = Some(Open { index, lock: Box::new(lock.clone()) });
    Effect::Locked(lock.nonce)
}

pub(super) fn deal_round(
    (index, deal): (u64, &Deal),
    is_dealt: bool,
    view: &impl View,
    life: &mut Life,
    findings: &mut Findings,
) -> Effect {
    // In an excerpt the lock of another round may still be open, because its answer was left out.
    let open = life.open.take().filter(|open| open.lock.nonce == deal.nonce);
    let mixed = round::mixed(deal, &life.commit, open.as_ref(), view, findings);
    let is_possible = !is_dealt || round::is_possible(&life.commit, &deal.result, findings);
    let waiting = mixed.filter(|_| is_possible).map(|mixed| {
        let result = if is_dealt { deal.result.clone() } else { ResultForm::EMPTY };
        Waiting { index, nonce: deal.nonce, mixed, result }
    });
    life.next = deal.nonce.value().saturating_add(1);
    Effect::Dealt(deal.nonce, waiting.map(Box::new))
}

pub(super) fn void_round(void: &Void, life: &mut Life) -> Effect {
    if let Some(nonce) = void.nonce {
        life.open = None;
        life.next = nonce.value().saturating_add(1);
    } else {
        life.end = Some(End::Voided);
    }
    Effect::Voided(void.nonce)
}

pub(super) fn reveal_seed(reveal: &Reveal, life: &mut Life, findings: &mut Findings) -> Effect {
    let (time, by) = (reveal.time, life.commit.reveal_by);
    if time > by {
        let (time, by) = (time.value(), by.value());
        let came = later_moment(by, time);
        let says =
            format!("due {}, came {came}, {} later", moment(by), span(time.saturating_sub(by)));
        findings.add(Code::LateReveal, says);
    }
    life.end = Some(End::Revealed);
    life.open = None; // in an excerpt a lock may still be open
    Effect::Revealed(Box::new(reveal.server_seed.clone()))
}
