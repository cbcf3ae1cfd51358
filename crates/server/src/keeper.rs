//! Reveals in time, without anybody's help (spec/http.md, the end of a commitment).
//!
//! Every node does this. The second one is refused, and knows then that it is done.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use tokio::sync::Notify;

use super::feed::{Event, News};
use super::known::Known;
use super::policy::RevealWhen;
use super::{App, metrics, milliseconds};
use crate::told::out;
use fairdeal::deal::Commitment;
use fairdeal::record::entry::Reason;
use fairdeal_ledger::{Choice, LedgerError, NewReveal, NewVoid, Reader, Summary};

/// The longest time between two looks.
const LOOK: Duration = Duration::from_secs(1);

/// The shortest time between two looks.
const LEAST: Duration = Duration::from_millis(10);

/// How many are looked at together: they are committed and published together.
const TOGETHER: usize = 64;

/// How long to leave alone what failed, in milliseconds.
const AGAIN: u64 = 1_000;

/// The interval of reports that a reveal still fails, in milliseconds.
const TOLD: u64 = 60_000;

/// The number of immediate retries after another node was faster: that can happen at the void, and
/// again at the reveal.
const FASTER: u32 = 3;

/// The interval of asking whether the last hand of a commitment is over, in milliseconds. The end
/// of a hand wakes the keeper; this is for a hand that ended on another node.
const IN_PLAY: u64 = 5_000;

/// Marks a commitment that is being processed: it is never due.
const LOOKING: u64 = u64::MAX;

/// How many commitments are read at once at the start.
const PAGE: u32 = 1000;

/// Why a locked round is voided.
const TIME_IS_OVER: &str = "the commitment's time is over";

/// A commitment that is neither revealed nor voided.
#[derive(Clone, Copy, Debug)]
struct Open {
    reveal_by: u64,
    rounds: u64,
    /// When to look at it at the latest, in Unix milliseconds.
    deadline: u64,
    /// When to look at it next.
    due: u64,
    /// Whether its operator reveals it: then the service is not late.
    manual: bool,
}

#[derive(Debug, Default)]
struct Schedule {
    open: HashMap<Commitment, Open>,
    due: BTreeSet<(u64, Commitment)>,
    by: BTreeSet<(u64, Commitment)>,
    deadlines: BTreeSet<(u64, Commitment)>,
}

impl Schedule {
    fn add(&mut self, commitment: Commitment, open: Open) {
        self.remove(&commitment);
        self.due.insert((open.due, commitment));
        self.by.insert((open.reveal_by, commitment));
        if !open.manual {
            self.deadlines.insert((open.deadline, commitment));
        }
        self.open.insert(commitment, open);
    }

    fn remove(&mut self, commitment: &Commitment) {
        if let Some(open) = self.open.remove(commitment) {
            self.due.remove(&(open.due, *commitment));
            self.by.remove(&(open.reveal_by, *commitment));
            self.deadlines.remove(&(open.deadline, *commitment));
        }
    }

    fn at(&mut self, commitment: Commitment, due: u64) {
        if let Some(open) = self.open.get(&commitment).copied() {
            self.add(commitment, Open { due, ..open });
        }
    }

    /// Its operator reveals this one.
    fn manual(&mut self, commitment: Commitment) {
        if let Some(open) = self.open.get(&commitment).copied() {
            self.add(commitment, Open { manual: true, ..open });
        }
    }

    /// The clock went back to `now`: what was put off by a time that never came is looked at as if
    /// it had not been.
    fn went_back(&mut self, now: u64) {
        let late = |(commitment, open): (&Commitment, &Open)| {
            let due = open.deadline.max(now);
            (open.due > due && open.due != LOOKING).then_some((*commitment, due))
        };
        for (commitment, due) in self.open.iter().filter_map(late).collect::<Vec<_>>() {
            self.at(commitment, due);
        }
    }
}

/// All commitments that must still be revealed, by when.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    /// Written by the keeper's task, by the feed's ([`Keeper::learn`]), and by requests that end a
    /// hand ([`Keeper::look_at`]). No lock is held while the ledger is asked.
    schedule: Mutex<Schedule>,
    /// The last report of each commitment with a failure: its code, and its time in Unix
    /// milliseconds. Written by the tasks of the keeper and of the beacons.
    told: Mutex<HashMap<Commitment, (&'static str, u64)>>,
    woken: Notify,
}

impl Keeper {
    fn schedule(&self) -> std::sync::MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether to tell that something failed by itself: at first, for another reason, and then once
    /// a minute.
    pub(super) fn is_news(&self, commitment: Commitment, code: &'static str, now: u64) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.retain(|_, (_, at)| now.abs_diff(*at) < TOLD);
        let is_news = told.get(&commitment).is_none_or(|(before, _)| *before != code);
        if is_news {
            told.insert(commitment, (code, now));
        }
        is_news
    }

    /// Looks at a commitment at once.
    pub(super) fn look_at(&self, commitment: Commitment) {
        self.schedule().at(commitment, 0);
        self.woken.notify_one();
    }

    /// Reads what is open. Returns the commitments with a round that waits for a beacon.
    pub(super) async fn load(
        &self,
        reader: &Reader,
        deadline: impl Fn(u64, u64) -> u64,
    ) -> Result<Vec<Commitment>, LedgerError> {
        let choice = Choice { open: true, ..Choice::default() };
        let (mut from, mut awaits) = (0, Vec::new());
        loop {
            let page = reader.list(&choice, from, PAGE).await?;
            let Some(last) = page.last() else { return Ok(awaits) };
            from = last.index + 1;
            let locked =
                |one: &&Summary| one.open.as_ref().is_some_and(|open| open.lock.beacon.is_some());
            awaits.extend(page.iter().filter(locked).map(|one| one.commitment));
            let mut schedule = self.schedule();
            for one in page {
                let terms = &one.terms;
                let (reveal_by, rounds) = (terms.reveal_by.value(), terms.rounds.value());
                let deadline = deadline(terms.time.value(), reveal_by);
                let due = if one.used_up { 0 } else { deadline };
                schedule
                    .add(one.commitment, Open { reveal_by, rounds, deadline, due, manual: false });
            }
        }
    }

    /// Learns of a new entry.
    pub(super) fn learn(&self, event: &Event, deadline: impl Fn(u64, u64) -> u64) {
        let Some(commitment) = event.commitment else { return };
        let mut schedule = self.schedule();
        let used_up = |nonce: u64, open: &Open| nonce + 1 >= open.rounds;
        match &event.news {
            News::Made(commit) => {
                let reveal_by = commit.reveal_by.value();
                let deadline = deadline(commit.time.value(), reveal_by);
                let rounds = commit.rounds.value();
                let due = deadline;
                schedule.add(commitment, Open { reveal_by, rounds, deadline, due, manual: false });
                drop(schedule);
                // It may be due before what the keeper waits for.
                self.woken.notify_one();
            }
            News::Round(nonce, _) => {
                if schedule.open.get(&commitment).is_some_and(|open| used_up(nonce.value(), open)) {
                    drop(schedule);
                    self.look_at(commitment);
                }
            }
            News::Ended => schedule.remove(&commitment),
            News::Awaits | News::Nothing => {}
        }
    }

    /// The next reveal that is due, in Unix milliseconds, and how many are overdue.
    pub(super) fn coming(&self, now: u64) -> (Option<u64>, u64) {
        let schedule = self.schedule();
        let next = schedule.by.first().map(|(by, _)| *by);
        let overdue = schedule.by.iter().take_while(|(by, _)| *by < now).count();
        (next, u64::try_from(overdue).unwrap_or(u64::MAX))
    }

    /// How long ago the first of those that are open should have been revealed.
    fn late(&self, now: u64) -> Duration {
        let first = self.schedule().deadlines.first().map_or(now, |(deadline, _)| *deadline);
        Duration::from_millis(now.saturating_sub(first))
    }
}

/// Reveals what is to be revealed, until it is dropped.
pub(super) async fn keep(app: &App) {
    let mut before = 0;
    // One may wait long until it is published; what is due meanwhile does not wait for it.
    let mut under_way = FuturesUnordered::new();
    loop {
        let now = app.now();
        if now < before {
            app.keeper.schedule().went_back(now);
        }
        before = now;
        // A log that the world contradicts signs nothing.
        if app.world.wrong().is_none() {
            let mut schedule = app.keeper.schedule();
            let room = TOGETHER.saturating_sub(under_way.len());
            let due = schedule.due.iter().take_while(|(due, _)| *due <= now).map(|(_, one)| *one);
            for one in due.take(room).collect::<Vec<_>>() {
                schedule.at(one, LOOKING);
                under_way.push(keep_one(app, one, now));
            }
        }
        let (next, overdue) = app.keeper.coming(now);
        let signed = |next: u64| Duration::from_millis(next.abs_diff(now)).as_secs_f64();
        metrics::reveals(
            next.map(|next| if next < now { -signed(next) } else { signed(next) }),
            overdue,
            app.keeper.late(now),
        );
        let next = app.keeper.schedule().due.first().map_or(u64::MAX, |(due, _)| *due);
        let wait = match app.world.wrong() {
            Some(_) => LOOK,
            None => Duration::from_millis(next.saturating_sub(app.now())).clamp(LEAST, LOOK),
        };
        tokio::select! {
            Some(()) = under_way.next() => {}
            () = app.keeper.woken.notified() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}

async fn keep_one(app: &App, commitment: Commitment, now: u64) {
    let mut looked = look(app, commitment, now).await;
    for _ in 0..FASTER {
        // Another node was faster. Look again at what is left to do.
        if !matches!(looked, Err(LedgerError::Refused(_))) {
            break;
        }
        looked = look(app, commitment, now).await;
    }
    let next = match looked {
        Ok(next) => next,
        // It is done: the next look finds that.
        Err(LedgerError::Unpublished { .. }) => Some(now + AGAIN),
        Err(error) => {
            if app.keeper.is_news(commitment, error.code(), now) {
                tracing::error!(%commitment, %error, "an automatic reveal failed");
            }
            metrics::reveal_failed(error.code());
            Some(now + AGAIN)
        }
    };
    let mut schedule = app.keeper.schedule();
    match next {
        // If `look_at` changed the time meanwhile, it knows something newer.
        Some(due) if schedule.open.get(&commitment).is_some_and(|open| open.due == LOOKING) => {
            schedule.at(commitment, due);
        }
        Some(_) => {}
        None => schedule.remove(&commitment),
    }
}

/// Looks at one commitment. Returns when to look again, in Unix milliseconds; `None` once it has
/// ended.
async fn look(app: &App, commitment: Commitment, now: u64) -> Result<Option<u64>, LedgerError> {
    let summary = app.ledger.show(commitment).await?;
    if summary.ended.is_some() {
        return Ok(None);
    }
    let known = app.known.of(&app.ledger, commitment).await?;
    let deadline = app.deadline(known.time, known.reveal_by);
    let hour = now + milliseconds(Duration::from_hours(1));
    if known.policy.reveal == RevealWhen::Manual {
        app.keeper.schedule().manual(commitment);
        return Ok(Some(hour));
    }
    let is_due = now >= deadline;
    if !is_due && !app.world.answered() {
        return Ok(Some(deadline.min(now + AGAIN)));
    }
    let in_play = app.ledger.in_play(commitment).await?;
    let is_done = summary.used_up && summary.open.is_none() && in_play.is_empty();
    if !(is_due || is_done && known.policy.reveal == RevealWhen::Done) {
        let used_up = summary.used_up && known.policy.reveal == RevealWhen::Done;
        return Ok(Some(if used_up { deadline.min(now + IN_PLAY) } else { deadline }));
    }
    if let Some(open) = summary.open.filter(|_| is_due) {
        let out = out(&open.lock, &known.terms, &app.ledger.beacons().chains);
        let half = deadline.midpoint(known.reveal_by);
        if app.beacons.is_finishing(&commitment) && out.is_some_and(|out| out <= now) && now < half
        {
            // Its result can be known: it is dealt if a relay answers in time.
            return Ok(Some(half.min(now + AGAIN)));
        }
        let reason = Reason::new(TIME_IS_OVER).expect("a short text");
        let void =
            NewVoid { nonce: Some(open.lock.nonce), reason, blame: None, next: false, ext: None };
        let done = app.ledger.void(commitment, void, None).await?;
        tracing::warn!(%commitment, nonce = %open.lock.nonce, index = done.index, "voided: {TIME_IS_OVER}");
    }
    // The request that used it up has decided whether a next one follows.
    let next = known.policy.next && !summary.used_up;
    let reveal = NewReveal { nonce: None, force: is_due, next, ext: None };
    let done = app.ledger.reveal(commitment, reveal, None).await?;
    tracing::info!(%commitment, index = done.index, in_play = in_play.len(), "revealed");
    super::note(&done);
    if let Some(late) = done.findings.first() {
        metrics::reveal_failed(late.code.as_str());
    }
    app.feed.wake();
    Ok(None)
}

impl App {
    /// When a commitment of this time is revealed at the latest, in Unix milliseconds: at most a
    /// tenth of its time early.
    pub(super) fn deadline(&self, time: u64, reveal_by: u64) -> u64 {
        let ahead =
            milliseconds(self.options.reveal_ahead).min(reveal_by.saturating_sub(time) / 10);
        reveal_by.saturating_sub(ahead)
    }

    /// The last moment at which a round may begin, in Unix milliseconds.
    pub(super) fn last_round_by(&self, known: &Known) -> u64 {
        let before = known.policy.last_deal_before.unwrap_or(0);
        self.deadline(known.time, known.reveal_by).min(known.reveal_by.saturating_sub(before))
    }
}

#[cfg(test)]
mod tests {
    use super::{Keeper, Open, Schedule};
    use fairdeal::deal::Commitment;

    #[test]
    fn a_reveal_that_fails_every_second_is_told_once_a_minute() {
        let (keeper, one) = (Keeper::default(), Commitment::from_bytes([1; 32]));
        let told = (0..180).filter(|second| keeper.is_news(one, "clock", second * 1_000)).count();
        assert_eq!(told, 3);
        assert!(keeper.is_news(one, "busy", 179_000), "for another reason");
        assert!(
            keeper.is_news(Commitment::from_bytes([2; 32]), "clock", 179_000),
            "another commitment"
        );
    }

    #[test]
    fn what_its_operator_reveals_is_not_late() {
        let (keeper, one) = (Keeper::default(), Commitment::from_bytes([1; 32]));
        let open =
            Open { reveal_by: 120_000, rounds: 1, deadline: 110_000, due: 110_000, manual: false };
        keeper.schedule().add(one, open);
        assert_eq!(keeper.late(115_000).as_secs(), 5);
        keeper.schedule().manual(one);
        keeper.schedule().at(one, 200_000);
        assert_eq!(keeper.late(115_000).as_secs(), 0);
        assert_eq!(keeper.coming(130_000), (Some(120_000), 1), "it is overdue all the same");
    }

    #[test]
    fn what_was_put_off_by_a_clock_that_went_back_is_due_when_it_was() {
        let mut schedule = Schedule::default();
        let (soon, far) = (Commitment::from_bytes([1; 32]), Commitment::from_bytes([2; 32]));
        let open =
            Open { reveal_by: 120_000, rounds: 1, deadline: 110_000, due: 110_000, manual: false };
        schedule.add(soon, open);
        schedule.add(far, Open { deadline: 90_000, due: 95_000, ..open });
        // An hour ahead nothing can be signed, and each is put off by a second.
        schedule.at(soon, 3_600_000);
        schedule.at(far, 3_600_000);
        schedule.went_back(100_000);
        let due: Vec<(u64, Commitment)> = schedule.due.iter().copied().collect();
        assert_eq!(due, [(100_000, far), (110_000, soon)]);
    }
}
