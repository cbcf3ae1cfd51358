//! Warnings: what begins and what is over.

use super::Follower;
use crate::event::{EventKind, MonitorEvent, code};
use crate::memory::Lasting;
use fairdeal::record::life::TOLERANCE;
use fairdeal::utc::{moment, span};

impl Follower<'_> {
    /// Warns of reveals that are due.
    pub(super) fn due_soon(&mut self) {
        let until = self.now.saturating_add(self.options.warn_before);
        let late = |by: u64| by.saturating_add(TOLERANCE) < self.now;
        for due in self.due.iter().filter(|due| due.by < until && !late(due.by)) {
            let says = format!(
                "the reveal of entry {} (table {:?}) is due at {}",
                due.index,
                due.table,
                moment(due.by)
            );
            let what = format!("{} {}", code::REVEAL_DUE, due.index);
            self.active.insert(what, (code::REVEAL_DUE, says));
        }
    }

    /// Something to look at. Returns nothing of any kind.
    pub(super) fn warn(&mut self, code: &'static str, says: String) {
        self.active.insert(code.to_owned(), (code, says));
    }

    /// Tells the warnings that begin and end.
    pub(super) fn settle(&mut self) {
        for (what, (code, says)) in std::mem::take(&mut self.active) {
            let new = Lasting { since: self.now, told: false };
            let lasting = self.memory.warnings.entry(what.clone()).or_insert(new);
            let is_ripe = self.now.saturating_sub(lasting.since) >= self.options.patience;
            if !lasting.told && is_ripe {
                lasting.told = true;
                let what = format!("{what} {}", lasting.since);
                let event = MonitorEvent::new(EventKind::Warning, code, &self.called, &what);
                self.events.push(event.saying(says.clone()));
            }
            self.active.insert(what, (code, says));
        }
        // What cannot be seen now is not over: only a judged log shows that.
        let reading = [code::UNREACHABLE, code::BAD_SIGNATURE, code::ROLLED_BACK, code::DAMAGED];
        let is_judged = self.status.is_judged;
        let active = &self.active;
        let is_over =
            |what: &str| !active.contains_key(what) && (is_judged || reading.contains(&what));
        let over: Vec<(String, Lasting)> = self
            .memory
            .warnings
            .iter()
            .filter(|(what, _)| is_over(what))
            .map(|(what, lasting)| (what.clone(), *lasting))
            .collect();
        for (what, lasting) in over {
            self.memory.warnings.remove(&what);
            if lasting.told {
                let for_long = span(self.now.saturating_sub(lasting.since));
                let (code, id) = (code_of(&what), format!("{what} {}", lasting.since));
                let event = MonitorEvent::new(EventKind::Over, code, &self.called, &id);
                self.events.push(event.saying(format!("{what}: over after {for_long}")));
            }
        }
        self.status.warnings = self.memory.warnings.keys().map(|what| code_of(what)).collect();
        self.status.quorum = self.memory.quorum;
        let forks = self.memory.told.iter().filter(|told| told.starts_with("fork ")).count();
        self.status.forks = u64::try_from(forks).unwrap_or(u64::MAX);
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
