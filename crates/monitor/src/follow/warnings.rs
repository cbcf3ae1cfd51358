//! Warnings: what begins and what is over.

use super::Follower;
use crate::event::{EventKind, MonitorEvent, code};
use crate::memory::Lasting;
use fairdeal::utc::{moment, span};

/// Warnings because of which a look has no verdict. Their time counts together: a host that fails in
/// another way in each look is told as soon as one that always fails in the same way.
const UNJUDGED: [&str; 4] =
    [code::UNREACHABLE, code::BAD_SIGNATURE, code::ROLLED_BACK, code::DAMAGED];

impl Follower<'_> {
    /// Warns of reveals that are due soon, and of those that are due by the clock, but not by what the
    /// log shows of itself.
    pub(super) fn due_soon(&mut self) {
        let until = self.now.saturating_add(self.common.options.warn_before);
        for due in self.due.iter().filter(|due| due.by < until) {
            if self.memory.is_overdue(&due.index.to_string()) {
                continue;
            }
            let (is, and) = if due.by < self.now {
                ("was", ": this copy of the log does not show it")
            } else {
                ("is", "")
            };
            let says = format!(
                "the reveal of entry {} (table {:?}) {is} due at {}{and}",
                due.index,
                due.table,
                moment(due.by)
            );
            let what = format!("{} {}", code::REVEAL_DUE, due.index);
            self.active.insert(what, (code::REVEAL_DUE, says));
        }
    }

    /// Warns if the reader's witnesses have seen nothing new for too long.
    pub(super) fn witness_late(&mut self) {
        if self.log.policy.is_none() || self.not_covered == 0 {
            return;
        }
        let quorum = self.memory.quorum.map(|by| by.saturating_mul(1000));
        let since = quorum.or(self.last_time);
        let late = since.map(|since| self.now.saturating_sub(since)).unwrap_or_default();
        if late > self.common.options.witness_within {
            let says = format!(
                "{} entries are not covered, the last quorum of your witnesses was {} ago",
                self.not_covered,
                span(late)
            );
            self.warn(code::WITNESS_LATE, says);
        }
    }

    /// Warns if more entries were signed than the log shows, and were known in an earlier look.
    pub(super) fn behind(&mut self, size: u64) {
        let known = self.heads.all().iter().filter(|known| known.since < self.now);
        let sizes = known.map(|known| (known.head.size(), known.since));
        if let Some((more, since)) = sizes.filter(|(more, _)| *more > size).max() {
            let says = format!(
                "{size} entries, and {more} are known to be signed since {}",
                span(self.now.saturating_sub(since))
            );
            self.warn(code::BEHIND, says);
        }
    }

    /// Something to look at.
    pub(super) fn warn(&mut self, code: &'static str, says: String) {
        self.active.insert(code.to_owned(), (code, says));
    }

    /// Tells the warnings that begin and end.
    pub(super) fn settle(&mut self) {
        let is_unjudged = |what: &str| UNJUDGED.contains(&what);
        let unjudged = self.memory.warnings.iter().filter(|(what, _)| is_unjudged(what));
        let unjudged = unjudged.map(|(_, lasting)| lasting.since).min();
        for (what, (code, says)) in &self.active {
            let since = unjudged.filter(|_| is_unjudged(what)).unwrap_or(self.now);
            let new = Lasting { since, told: false };
            let lasting = self.memory.warnings.entry(what.clone()).or_insert(new);
            let is_ripe = self.now.saturating_sub(lasting.since) >= self.common.options.patience;
            if !lasting.told && is_ripe {
                lasting.told = true;
                let what = format!("{what} {}", lasting.since);
                let event = MonitorEvent::new(EventKind::Warning, code, &self.called, &what);
                self.events.push(event.saying(says.clone()));
            }
        }
        // Only a judged log shows that a warning is over. The files of others are compared in each
        // look, also where the log is not judged.
        let is_over = |what: &str| {
            let is_seen = self.status.is_judged || code_of(what) == code::NOT_COMPARED;
            is_seen && !self.active.contains_key(what)
        };
        let over = self.memory.warnings.iter().filter(|(what, _)| is_over(what));
        let over: Vec<(String, Lasting)> =
            over.map(|(what, lasting)| (what.clone(), *lasting)).collect();
        for (what, lasting) in over {
            self.memory.warnings.remove(&what);
            // A reveal that is overdue now is not over.
            let due = what.strip_prefix(code::REVEAL_DUE).map(str::trim_start);
            let is_overdue = due.is_some_and(|index| self.memory.is_overdue(index));
            if lasting.told && !is_overdue {
                let for_long = span(self.now.saturating_sub(lasting.since));
                let (code, id) = (code_of(&what), format!("{what} {}", lasting.since));
                let event = MonitorEvent::new(EventKind::Over, code, &self.called, &id);
                self.events.push(event.saying(format!("{what}: over after {for_long}")));
            }
        }
        self.status.warnings = self.memory.warnings.keys().map(|what| code_of(what)).collect();
    }
}

/// The code of a warning, by what it is about.
fn code_of(what: &str) -> &'static str {
    let all = [
        code::UNREACHABLE,
        code::DAMAGED,
        code::BAD_SIGNATURE,
        code::ROLLED_BACK,
        code::QUORUM_LOST,
        code::WITNESS_LATE,
        code::REVEAL_DUE,
        code::BEHIND,
        code::NOT_COMPARED,
    ];
    let first = what.split(' ').next().unwrap_or_default();
    all.into_iter().find(|code| *code == first).unwrap_or_default()
}
