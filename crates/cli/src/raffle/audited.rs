//! What a whole log has of a raffle (spec/raffle.md, section 39): it is audited.

use crate::bar::Bar;
use crate::exit::Failure;
use crate::logs::Log;
use crate::time;
use fairdeal::deal::{Commitment, Deck};
use fairdeal::log::{SignedCheckpoint, VerifierKey};
use fairdeal::raffle::{AuditedRaffle, RaffleDocument, RaffleGiven};
use fairdeal::record::entry::Int;
use fairdeal_audit::source::{AuditObserver, AuditOptions, LogSource, StopAudit};
use fairdeal_audit::{AuditRows, Keep, Times};

/// Looks for a raffle while the log is audited.
struct Raffle {
    commitment: Commitment,
    deck: Deck,
    found: AuditedRaffle,
    bar: Bar,
}

impl AuditObserver for Raffle {
    fn progress(&mut self, done: u64, size: u64) {
        self.bar.at(done, size);
    }

    fn wanted(&self) -> Option<Keep> {
        Some(Keep::All)
    }

    fn rows(&mut self, rows: AuditRows) -> Result<(), StopAudit> {
        for row in rows.entries {
            if row.deck == Some(self.deck) {
                self.found.same_list = self.found.same_list.saturating_add(1);
            }
            let is_ours = row.commitment == Some(self.commitment) && row.effect;
            if is_ours && row.kind == Some("void") && self.found.void.is_none() {
                self.found.void = row.time.and_then(|time| Int::try_from(time).ok());
            }
        }
        Ok(())
    }
}

/// Audits the log, which must continue the checkpoints of the document and of those that the reader
/// kept. `None` if something is found.
/// Exit 3 if the log cannot be read.
pub(super) fn look(
    log: &str,
    document: &RaffleDocument,
    key: &VerifierKey,
    given: &RaffleGiven,
) -> Result<Option<AuditedRaffle>, Failure> {
    let commit = document.commit().map_err(|error| unavailable!("{error}"))?;
    let reader = &given.reader;
    let log = Log::new(log, None, Some(key))?;
    let unavailable = |error: fairdeal_audit::source::SourceError| {
        Failure::unavailable(error.to_string()).of("--log")
    };
    let mut source = LogSource::open(log.open()?).map_err(unavailable)?;
    let policy = reader.policy.clone().map(std::sync::Arc::new);
    // A checkpoint that this key did not sign is of another log: the verdict says so.
    let signed =
        |note: &str| SignedCheckpoint::parse(note).is_ok_and(|note| note.verify(key).is_ok());
    let all = std::iter::once(("the document", document))
        .chain(given.kept.iter().map(|kept| ("the document that you kept", kept)));
    let since: Vec<(String, String)> = all
        .map(|(name, one)| (name.to_owned(), one.receipt().checkpoint.clone()))
        .filter(|(_, note)| signed(note))
        .collect();
    let options = AuditOptions {
        policy: policy.as_ref(),
        chains: &reader.chains,
        times: Times { as_of: None, clock: Some(time::now()) },
        since: &since,
        ..AuditOptions::under(key)
    };
    let found = AuditedRaffle::default();
    let (commitment, deck) = (commit.commitment, commit.deck);
    let mut raffle = Raffle { commitment, deck, found, bar: Bar::new("audit") };
    let audited = source.audit_watched(&options, &mut raffle).map_err(unavailable)?;
    raffle.bar.finish();
    Ok(audited.verdict.holds.then_some(raffle.found))
}
