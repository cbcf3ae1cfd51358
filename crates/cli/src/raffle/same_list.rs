//! How many commits of a log have a raffle's list (spec/raffle.md, section 39): the whole log is
//! audited.

use crate::bar::Bar;
use crate::exit::Failure;
use crate::logs::Log;
use crate::time;
use fairdeal::deal::Deck;
use fairdeal::log::VerifierKey;
use fairdeal::raffle::RaffleDocument;
use fairdeal::record::receipt::ReaderGiven;
use fairdeal_audit::source::{AuditObserver, AuditOptions, LogSource, StopAudit};
use fairdeal_audit::{AuditRows, Keep, Times};

/// Counts commits while the log is audited.
struct Commits {
    deck: Deck,
    same: u64,
    bar: Bar,
}

impl AuditObserver for Commits {
    fn progress(&mut self, done: u64, size: u64) {
        self.bar.at(done, size);
    }

    fn wanted(&self) -> Option<Keep> {
        Some(Keep::All)
    }

    fn rows(&mut self, rows: AuditRows) -> Result<(), StopAudit> {
        let same = rows.entries.iter().filter(|row| row.deck == Some(self.deck)).count();
        self.same = self.same.saturating_add(u64::try_from(same).unwrap_or(u64::MAX));
        Ok(())
    }
}

/// Audits the log, which must continue the document's checkpoint. `None` if something is found.
/// Exit 3 if the log cannot be read.
pub(super) fn count(
    log: &str,
    (document, deck): (&RaffleDocument, Deck),
    key: &VerifierKey,
    reader: &ReaderGiven,
) -> Result<Option<u64>, Failure> {
    let log = Log::new(log, None, Some(key))?;
    let unavailable = |error: fairdeal_audit::source::SourceError| {
        Failure::unavailable(error.to_string()).of("--log")
    };
    let mut source = LogSource::open(log.open()?).map_err(unavailable)?;
    let policy = reader.policy.clone().map(std::sync::Arc::new);
    let since = [("the document".to_owned(), document.receipt().checkpoint.clone())];
    let options = AuditOptions {
        policy: policy.as_ref(),
        chains: &reader.chains,
        times: Times { as_of: None, clock: Some(time::now()) },
        since: &since,
        ..AuditOptions::under(key)
    };
    let mut commits = Commits { deck, same: 0, bar: Bar::new("audit") };
    let audited = source.audit_watched(&options, &mut commits).map_err(unavailable)?;
    commits.bar.finish();
    Ok(audited.verdict.holds.then_some(commits.same))
}
