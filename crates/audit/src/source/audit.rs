//! Audits a log: judges every entry, compares every tile, and compares the checkpoint with both.

use std::path::Path;
use std::sync::Arc;

use super::aside::{Aside, Before, missed_in};
use super::files::{Files, LogFolder};
use super::observer::{AuditObserver, Progress, StopAudit};
use super::run::{Ended, Run, Stopped};
use super::tiles::Tiles;
use crate::{
    AuditVerdict, DueReveal, Missed, Partial, SavedError, Signatures, Signed, Times, Under,
};
use fairdeal::beacon::Chains;
use fairdeal::log::{Checkpoint, Policy, SignedCheckpoint, SignedCheckpointError, VerifierKey};
use fairdeal::record::life::Cosigned;
use fairdeal::record::{Code, Finding};

/// A log and its checkpoint.
#[derive(Debug)]
pub struct LogSource {
    tiles: Tiles,
    note: String,
}

/// The options of an audit.
#[derive(Debug)]
pub struct AuditOptions<'a> {
    /// The operator's key, whose name is the log's origin.
    pub key: &'a VerifierKey,
    /// The reader's witnesses. It is for this log ([`Policy::is_for`]).
    pub policy: Option<&'a Arc<Policy>>,
    /// The chains of beacons that the reader knows.
    pub chains: &'a Chains,
    /// The times at which it is judged.
    pub times: Times,
    /// Whether the signatures of contributions are verified.
    pub signatures: Signatures,
    /// Older checkpoints: their names and texts. Each must be of a prefix of the log.
    pub since: &'a [(String, String)],
    /// Commitments that earlier audits of this reader found overdue, besides those in the state.
    pub missed: Missed,
    /// Whether its deals are counted for the statistics, which takes longer.
    pub statistics: bool,
    /// If given, only deals after the entry of this index are counted.
    pub statistics_after: Option<u64>,
    /// [`Audited::state`] of an earlier audit, to resume from, or an empty text to start at the
    /// first entry. If given, this audit returns one.
    pub state: Option<&'a str>,
}

impl<'a> AuditOptions<'a> {
    /// Under this key, as of the last entry's time, without the rest.
    #[must_use]
    pub fn under(key: &'a VerifierKey) -> Self {
        let times = Times { as_of: None, clock: None };
        let signatures = Signatures::Verified;
        Self {
            key,
            policy: None,
            chains: Chains::usual(),
            times,
            signatures,
            since: &[],
            missed: Missed::new(),
            statistics: false,
            statistics_after: None,
            state: None,
        }
    }

    pub(super) const fn judged_under(&self) -> Under<'a> {
        let Self { key, policy, chains, signatures, .. } = *self;
        Under { key, policy, chains, signatures }
    }
}

/// A finished audit.
#[derive(Debug)]
pub struct Audited {
    /// The verdict.
    pub verdict: AuditVerdict,
    /// The state to resume from with later entries; `None` if not asked for, if the log's files
    /// contradict each other, or if the key did not sign its checkpoint.
    pub state: Option<String>,
    /// The number of first entries that the audit of the given state judged, and this one did not.
    /// Full bundles of them were not read either.
    pub judged_before: u64,
    /// Why the given state was not used, and the audit began at the first entry.
    pub anew: Option<StateUnused>,
    /// The commitments that wait for their reveal: the first hundred that are due, in this order.
    pub due: Vec<DueReveal>,
    /// The names and sizes of the older checkpoints that are shown to be of prefixes of this log.
    pub continued: Vec<(String, u64)>,
    /// Whether all entries that the signed checkpoint promises were read, and they give another
    /// root: they are not those that were signed.
    pub is_another_tree: bool,
}

/// The most of [`Audited::due`].
const DUE: usize = 100;

/// Why an audit does not go on from a state, although nothing is wrong with the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateUnused {
    /// The key did not sign the state's checkpoint.
    Unsigned,
    /// The state's audit was under another policy, or under none.
    OtherPolicy,
}

/// A log could not be audited.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum SourceError {
    /// An older checkpoint that the key did not sign, or whose bytes were changed.
    #[error(
        "{name}: expected a checkpoint of this log, exactly as it was published: {says}. Save it as bytes, for example with `curl -o`: an editor or a mail program may change it"
    )]
    OlderCheckpoint { name: String, says: String },
    /// There is no log, or a file of it could not be read.
    #[error("{name}: expected a log with a checkpoint: {says}")]
    Unreadable { name: String, says: String },
    /// The saved state is of another log, or damaged.
    #[error(transparent)]
    State(#[from] SavedError),
    /// Only the audit of a log with tiles can be resumed.
    #[error("an exported log is audited from its first entry on: it has no tiles to resume from")]
    StateWithoutTiles,
    /// The log was not read from its first entry on.
    #[error("the log was not read from its first entry on")]
    NotFromTheStart,
    /// The observer stopped the audit.
    #[error(transparent)]
    Stopped(#[from] StopAudit),
}

impl LogSource {
    /// Opens a log and reads its checkpoint. The audit then reads the log of that size, even if it
    /// grows meanwhile.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] if there is no checkpoint, or no note in its place.
    pub fn open(files: Box<dyn Files>) -> Result<Self, SourceError> {
        let tiles = Tiles::new(files);
        let note = tiles.checkpoint().map_err(|error| {
            let name = format!("{}/checkpoint", tiles.files().name());
            SourceError::Unreadable { name, says: error.to_string() }
        })?;
        Ok(Self { tiles, note })
    }

    /// Opens a log's public folder, or a ledger's folder.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] if it is not there, or has no checkpoint.
    pub fn folder(dir: &Path) -> Result<Self, SourceError> {
        Self::open(Box::new(LogFolder::open(dir)))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        self.tiles.files().name()
    }

    pub(super) const fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// Its checkpoint as published, unverified: a note.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.note
    }

    /// Judges the log; `progress` is called with how many entries are judged, and of how many.
    ///
    /// One thread reads ahead; the rayon pool's threads judge what was read. Memory: the tables,
    /// the deals under open commitments, some 50 bytes for each commitment that has ended (none may
    /// be made twice), 64 bytes for each 256 entries, and some bundles of entries. A log without
    /// hash tiles takes 32 bytes more for each entry. With a policy, also a hundred bytes for each
    /// entry since the last anchor.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] if a file could not be read; a file that the log does not have
    /// is a finding. [`SourceError::State`], [`SourceError::StateWithoutTiles`].
    pub fn audit(
        &mut self,
        options: &AuditOptions<'_>,
        progress: impl FnMut(u64, u64) + Send,
    ) -> Result<Audited, SourceError> {
        self.audit_watched(options, &mut Progress(progress))
    }

    /// Judges the log as [`audit`](Self::audit) does, with an observer. It gets rows after each
    /// 2,048 entries and each 32,768 replayed deals, so that few are in memory.
    ///
    /// # Errors
    /// As [`audit`](Self::audit), and [`SourceError::Stopped`].
    pub fn audit_watched(
        &mut self,
        options: &AuditOptions<'_>,
        watch: &mut impl AuditObserver,
    ) -> Result<Audited, SourceError> {
        let key = options.key;
        if let Some(finding) = another_logs(&self.note, key) {
            return not_judged(finding, options, watch);
        }
        let since = options
            .since
            .iter()
            .map(|(name, note)| Ok((name, older(name, note, key)?)))
            .collect::<Result<Vec<_>, SourceError>>()?;
        let mut found = Vec::new();
        let promised = head(&self.note, key, &mut found);
        let cosigned = cosigned(&self.note, options.policy, &mut found);
        let signed = promised.clone().filter(|_| found.is_empty());
        let size = promised.as_ref().map_or(0, Checkpoint::size);
        let is_promise_signed = self.checkpoint().is_some_and(|one| one.is_signed_by(key));
        if options.state.is_some() && !self.tiles.files().has_tiles() {
            return Err(SourceError::StateWithoutTiles);
        }
        let (aside, departed, anew) = match self.resumed(options, size)? {
            Resumed::GoesOn(aside) => (Some(*aside), None, None),
            Resumed::Departed(before) => (None, Some(before), None),
            Resumed::OtherPolicy(before) => (None, Some(before), Some(StateUnused::OtherPolicy)),
            Resumed::Unsigned => (None, None, Some(StateUnused::Unsigned)),
            Resumed::None => (None, None, None),
        };
        let mut missed = options.missed.clone();
        for (commitment, clock) in missed_in(options.state.unwrap_or_default())? {
            let first = missed.entry(commitment).or_insert(clock);
            *first = clock.min(*first);
        }
        let mut run = Run::new(&self.tiles, options, promised, found, aside, missed);
        if let Some(keep) = watch.wanted() {
            run.keep_rows(keep);
        }
        run.read_all(watch).map_err(|error| self.stopped(error))?;
        run.compare_rest().map_err(|error| self.stopped(error))?;
        run.published_otherwise(self.tiles.files().changed());
        if let Some(before) = departed {
            run.departed(before, signed.is_some(), anew.is_some())
                .map_err(|error| self.stopped(error))?;
        }
        let mut continued = Vec::new();
        for (name, old) in since {
            let is_part = run.older(name, &old).map_err(|error| self.stopped(error))?;
            continued.extend(is_part.then(|| (name.clone(), old.size())));
        }
        let note = signed.is_some().then_some(self.note.as_str());
        let judged_before = run.judged_before();
        let ended = run.end(note, options.state, is_promise_signed, cosigned);
        let Ended { mut audit, state, signed: of } = ended.map_err(|error| self.stopped(error))?;
        let due = audit.due(DUE);
        let (mut verdict, rows) =
            audit.finish_with_rows(options.times).ok_or(SourceError::NotFromTheStart)?;
        verdict.findings.signed = of;
        watch.rows(rows)?;
        let is_another_tree = signed
            .is_some_and(|signed| signed.size() == verdict.size && *signed.root() != verdict.root);
        Ok(Audited { verdict, state, judged_before, anew, due, continued, is_another_tree })
    }

    /// The number of entries that its checkpoint promises, unverified; 0 if it is no checkpoint.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.checkpoint().map_or(0, |signed| signed.unverified().size())
    }

    /// Its checkpoint, whoever signed it.
    fn checkpoint(&self) -> Option<SignedCheckpoint> {
        SignedCheckpoint::parse(&self.note).ok()
    }

    /// Whether an audit resumes from a given state.
    fn resumed(&self, options: &AuditOptions<'_>, size: u64) -> Result<Resumed, SourceError> {
        let Some(text) = options.state.filter(|text| !text.is_empty()) else {
            return Ok(Resumed::None);
        };
        let aside = match Aside::take(text, options.judged_under())? {
            None => return Ok(Resumed::Unsigned),
            Some(Err(before)) => return Ok(Resumed::OtherPolicy(before)),
            Some(Ok(aside)) => aside,
        };
        match aside.continued(&self.tiles, size) {
            Ok(Ok(aside)) => Ok(Resumed::GoesOn(Box::new(aside))),
            Ok(Err(before)) => Ok(Resumed::Departed(before)),
            Err(error) => {
                Err(SourceError::Unreadable { name: self.name(), says: error.to_string() })
            }
        }
    }

    fn stopped(&self, why: Stopped) -> SourceError {
        match why {
            Stopped::Unreadable(says) => SourceError::Unreadable { name: self.name(), says },
            Stopped::ByObserver(stop) => SourceError::Stopped(stop),
        }
    }
}

/// Whether an audit resumes from a given state.
enum Resumed {
    /// There is none.
    None,
    /// The audit goes on from it.
    GoesOn(Box<Aside>),
    /// The log does not go on from its tree.
    Departed(Before),
    /// It is of another policy. Its tree is compared all the same.
    OtherPolicy(Before),
    /// The key did not sign its checkpoint: it counts as absent.
    Unsigned,
}

/// The finding on another log's checkpoint (spec/audit.md, section 13.2): with it the audit ends.
fn another_logs(note: &str, key: &VerifierKey) -> Option<Finding> {
    let error = SignedCheckpoint::parse(note).ok()?.verify(key).err()?;
    let is_another = matches!(error, SignedCheckpointError::AnotherLog { .. });
    is_another.then(|| Finding::about_the_log(Code::BadSignature, error.to_string()))
}

/// The verdict on a log of which nothing is read.
fn not_judged(
    finding: Finding,
    options: &AuditOptions<'_>,
    watch: &mut impl AuditObserver,
) -> Result<Audited, SourceError> {
    let mut audit = Partial::start_under(options.judged_under());
    if let Some(keep) = watch.wanted() {
        audit.keep_rows(keep);
    }
    audit.find(finding);
    let (mut verdict, rows) =
        audit.finish_with_rows(options.times).ok_or(SourceError::NotFromTheStart)?;
    verdict.findings.signed = Signed::Nothing;
    watch.rows(rows)?;
    Ok(Audited {
        verdict,
        state: None,
        judged_before: 0,
        anew: None,
        due: Vec::new(),
        continued: Vec::new(),
        is_another_tree: false,
    })
}

/// Reads an older checkpoint. It accuses nobody if it does not open: the reader's own file was
/// changed, or is of another log.
fn older(name: &str, note: &str, key: &VerifierKey) -> Result<Checkpoint, SourceError> {
    let mut found = Vec::new();
    match (head(note, key, &mut found), found.pop()) {
        (Some(old), None) => Ok(old),
        (_, why) => {
            let says = why.map_or_else(String::new, |finding| finding.says);
            Err(SourceError::OlderCheckpoint { name: name.to_owned(), says })
        }
    }
}

/// The quorum that has signed a checkpoint. A line of a witness that does not verify is a finding,
/// unless there is one already.
fn cosigned(
    note: &str,
    policy: Option<&Arc<Policy>>,
    found: &mut Vec<Finding>,
) -> Option<Cosigned> {
    let (policy, signed) = (policy?, SignedCheckpoint::parse(note).ok()?);
    if !found.is_empty() {
        return None;
    }
    match signed.witnessed(policy) {
        Ok(by) => Cosigned::of(&by, policy),
        Err(error) => {
            found.push(Finding::about_the_log(Code::BadSignature, error.to_string()));
            None
        }
    }
}

/// Reads a checkpoint. One that the key did not sign, or with extension lines, is a finding, and is
/// still audited against.
pub(super) fn head(note: &str, key: &VerifierKey, found: &mut Vec<Finding>) -> Option<Checkpoint> {
    let signed = match SignedCheckpoint::parse(note) {
        Ok(signed) => signed,
        Err(error) => {
            found.push(Finding::about_the_log(Code::BadSignature, error.to_string()));
            return None;
        }
    };
    if let Err(error) = signed.verify(key) {
        found.push(Finding::about_the_log(Code::BadSignature, error.to_string()));
    } else if !signed.unverified().extensions().is_empty() {
        found.push(Finding::about_the_log(
            Code::BadSignature,
            "a checkpoint of this log has no extension lines",
        ));
    }
    Some(signed.unverified().clone())
}
