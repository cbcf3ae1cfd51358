//! What a whole log has of a raffle (spec/raffle.md, section 39): it is audited.

use std::collections::{BTreeSet, HashMap};

use crate::bar::Bar;
use crate::exit::Failure;
use crate::hints::first_digits;
use crate::logs::Log;
use crate::time::{self, day_and_time, span};
use fairdeal::beacon::Chains;
use fairdeal::deal::{Commitment, Deck};
use fairdeal::log::{Hash, ProofPlan, SignedCheckpoint, VerifierKey, verify_inclusion};
use fairdeal::raffle::{AuditedRaffle, RaffleDocument, RaffleGiven};
use fairdeal::record::entry::{Entry, Int};
use fairdeal::record::life::locked_to;
use fairdeal_audit::source::{AuditObserver, AuditOptions, LogSource, Nodes, StopAudit};
use fairdeal_audit::{AuditRows, Keep, Times};

/// The most other promises of the list that are looked at.
const MOST: usize = 20;

/// Looks for a raffle while the log is audited.
struct Raffle {
    commitment: Commitment,
    deck: Deck,
    found: AuditedRaffle,
    others: Vec<Seen>,
    /// The place of each of the others.
    places: HashMap<Commitment, usize>,
    /// Whether its commit was read.
    is_promised: bool,
    bar: Bar,
}

/// Another promise of the list: where its entries are.
struct Seen {
    commitment: Commitment,
    commit: u64,
    lock: Option<u64>,
    /// Its time, and whether it is older than the promise of our raffle.
    void: Option<(u64, bool)>,
}

/// Another promise of the list in the same log.
pub(super) struct Other {
    commitment: Commitment,
    /// When it was given up, in Unix milliseconds.
    void: Option<u64>,
    /// Whether it was given up before our raffle was promised: the log has its entries in order.
    is_before: bool,
    draw: Draw,
}

/// When the number of a promise is out.
#[derive(Clone, Copy)]
enum Draw {
    /// It waits for a number, but no lock says for which.
    NotFixed,
    /// In Unix milliseconds.
    At(u64),
    Unknown,
}

/// What a whole log has of a raffle, and of the others with its list.
pub(super) struct Looked {
    pub(super) raffle: AuditedRaffle,
    pub(super) others: Vec<Other>,
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
            let Some(commitment) = row.commitment else { continue };
            let is_ours = commitment == self.commitment;
            self.is_promised |= is_ours;
            if row.deck == Some(self.deck) {
                self.found.same_list = self.found.same_list.saturating_add(1);
                if !is_ours && self.others.len() < MOST {
                    self.places.insert(commitment, self.others.len());
                    let commit = row.index;
                    self.others.push(Seen { commitment, commit, lock: None, void: None });
                }
            }
            if is_ours && row.effect && row.kind == Some("void") && self.found.void.is_none() {
                self.found.void = row.time.and_then(|time| Int::try_from(time).ok());
            }
            let place = self.places.get(&commitment).filter(|_| row.effect);
            let Some(other) = place.and_then(|place| self.others.get_mut(*place)) else { continue };
            match row.kind {
                Some("lock") => other.lock = other.lock.or(Some(row.index)),
                Some("void") => {
                    other.void = other.void.or(row.time.map(|time| (time, !self.is_promised)));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Entries of the log that was audited. What is read again is shown to be in its tree: a log behind
/// a URL can answer otherwise the second time.
struct Again {
    source: LogSource,
    nodes: Nodes,
    size: u64,
    root: Hash,
}

impl Again {
    fn entry(&mut self, index: u64) -> Option<Entry> {
        let published = self.source.published(&BTreeSet::from([index])).pop()?;
        let (nodes, size) = (&mut self.nodes, self.size);
        let plan = ProofPlan::inclusion(index, size).ok()?;
        let proof = plan.prove(|node| nodes.node(node, size)).ok()?;
        verify_inclusion(&published.leaf, index, size, &proof, &self.root).ok()?;
        Entry::parse(&published.bytes).ok()
    }

    fn draw(&mut self, seen: &Seen, chains: &Chains) -> Draw {
        let Some(Entry::Commit(commit)) = self.entry(seen.commit) else { return Draw::Unknown };
        let Some(lock) = seen.lock else {
            return if commit.beacon.is_some() { Draw::NotFixed } else { Draw::Unknown };
        };
        let Some(Entry::Lock(lock)) = self.entry(lock) else { return Draw::Unknown };
        let locked = locked_to(&commit, &lock, Some(chains));
        locked.map_or(Draw::Unknown, |locked| Draw::At(locked.out().saturating_mul(1000)))
    }
}

impl Other {
    /// Whether it was given up before anybody could know its winners. The time of a void is the
    /// organiser's word, and so does not count: the order of the log does. Our promise is shown to be
    /// older than its own number, `out`; what was given up before it is older too.
    fn is_given_up_in_time(&self, out: u64) -> bool {
        self.is_before
            && match self.draw {
                Draw::NotFixed => true,
                Draw::At(other) => other >= out,
                Draw::Unknown => false,
            }
    }

    fn told(&self) -> String {
        let digits = first_digits(&self.commitment);
        let what = match (self.void, self.draw) {
            (Some(void), Draw::At(out)) => {
                let (apart, word) =
                    (span(void.abs_diff(out)), if void < out { "before" } else { "AFTER" });
                let known = if void < out { "" } else { ", when its winners could be known" };
                format!(
                    "given up at {} by the organiser's own clock, {apart} {word} its number was out{known}",
                    day_and_time(void)
                )
            }
            (Some(void), Draw::NotFixed) => {
                format!(
                    "given up at {} by the organiser's own clock, before it waited for a number",
                    day_and_time(void)
                )
            }
            (Some(void), Draw::Unknown) => format!(
                "given up at {} by the organiser's own clock; it is not known here when its number was out",
                day_and_time(void)
            ),
            (None, Draw::At(out)) => {
                let word = if out > time::now() { "will be" } else { "was" };
                format!("NOT given up: its number {word} out at {}", day_and_time(out))
            }
            (None, _) => "NOT given up".to_owned(),
        };
        format!("{digits} was {what}")
    }
}

/// Whether all promises of a list but one were given up before their winners could be known. `out`:
/// when the number of that one is out, in Unix milliseconds.
pub(super) fn are_given_up_in_time(all: u64, others: &[Other], out: u64) -> bool {
    let is_each = all.checked_sub(1) == u64::try_from(others.len()).ok();
    is_each && others.iter().all(|other| other.is_given_up_in_time(out))
}

/// `this log has 2 promises of the same list: this one, and …`
pub(super) fn told(all: u64, others: &[Other]) -> String {
    if others.is_empty() {
        return format!("this log has {all} promises of the same list");
    }
    let named: Vec<String> = others.iter().map(Other::told).collect();
    let more = all.saturating_sub(1).saturating_sub(named.len().try_into().unwrap_or(u64::MAX));
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("this log has {all} promises of the same list: this one; {}{more}", named.join("; "))
}

/// Audits the log, which must continue the checkpoints of the document and of those that the reader
/// kept. `None` if something is found.
/// Exit 3 if the log cannot be read.
pub(super) fn look(
    log: &str,
    document: &RaffleDocument,
    key: &VerifierKey,
    given: &RaffleGiven,
) -> Result<Option<Looked>, Failure> {
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
    let (commitment, deck) = (commit.commitment, commit.deck);
    let mut raffle = Raffle {
        commitment,
        deck,
        found: AuditedRaffle::default(),
        others: Vec::new(),
        places: HashMap::new(),
        is_promised: false,
        bar: Bar::new("audit"),
    };
    let verdict = source.audit_watched(&options, &mut raffle).map_err(unavailable)?.verdict;
    raffle.bar.finish();
    if !verdict.holds {
        return Ok(None);
    }
    let mut others = Vec::new();
    // A log on stdin is read once: nothing more is said of the others then.
    if !raffle.others.is_empty() && !log.is_stdin() {
        let source = LogSource::open(log.open()?).map_err(unavailable)?;
        let nodes = Nodes::new(log.open()?);
        let mut again = Again { source, nodes, size: verdict.size, root: verdict.root };
        for seen in &raffle.others {
            let draw = again.draw(seen, &reader.chains);
            let (void, is_before) = seen.void.unzip();
            let is_before = is_before.unwrap_or_default();
            others.push(Other { commitment: seen.commitment, void, is_before, draw });
        }
    }
    Ok(Some(Looked { raffle: raffle.found, others }))
}
