//! Entries, rounds and findings as rows of tables: collected on request, and taken while the audit
//! runs.

use super::findings::FindingList;
use super::read::Other;
use fairdeal::deal::{Commitment, Deck, Nonce};
use fairdeal::record::Finding;
use fairdeal::record::entry::{Entry, EntryError, PlainDeal, PlainForm, ResultForm, plain_seeds};
use fairdeal::record::life::{Effect, Life};

/// The kinds of rows to collect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Findings.
    Findings,
    /// Findings, entries and rounds.
    All,
}

/// The rows since they were last taken, each kind in order.
#[derive(Clone, Debug, Default)]
pub struct AuditRows {
    /// Every entry, judged or not.
    pub entries: Vec<EntryRow>,
    /// Every round that was dealt or voided, if the entry had an effect.
    pub rounds: Vec<RoundRow>,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryRow {
    /// Its index in the log.
    pub index: u64,
    /// Its kind, the value of `entry`; `None` if it cannot be read.
    pub kind: Option<&'static str>,
    /// Its time in Unix milliseconds.
    pub time: Option<u64>,
    /// Its commitment.
    pub commitment: Option<Commitment>,
    /// Its round.
    pub nonce: Option<Nonce>,
    /// The deck of a commit.
    pub deck: Option<Deck>,
    /// Whether it had an effect: false if a finding refused it, or its protocol is not judged.
    pub effect: bool,
}

/// A round that was dealt or voided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRow {
    /// Its commitment.
    pub commitment: Commitment,
    /// The commitment's table.
    pub table: String,
    /// Its number.
    pub nonce: Nonce,
    /// The index of its deal or void.
    pub index: u64,
    /// The time of that entry in Unix milliseconds.
    pub time: u64,
    /// The number of contributors in its lock, or in its deal if there is no lock.
    pub contributors: usize,
    /// Its outcome.
    pub outcome: RoundOutcome,
}

/// The outcome of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundOutcome {
    /// It was dealt.
    Dealt {
        /// `cards`, `indices`, `digest` or `seal`.
        form: &'static str,
        /// The result as in the deal: hex, or cards or indices separated by spaces.
        result: String,
    },
    /// It was voided.
    Voided {
        /// The label of the player whom the operator blames.
        blame: Option<String>,
        /// Why, in the operator's words.
        reason: String,
    },
}

/// The kinds of rows to collect, and the rows collected so far.
#[derive(Debug)]
pub(super) struct Collected {
    keep: Keep,
    rows: AuditRows,
}

/// Adds a finding to the list, and to the rows.
pub(super) fn add(finding: Finding, list: &mut FindingList, collected: Option<&mut Collected>) {
    if let Some(collected) = collected {
        collected.rows.findings.push(finding.clone());
    }
    list.add(finding);
}

impl Collected {
    pub(super) fn new(keep: Keep) -> Self {
        Self { keep, rows: AuditRows::default() }
    }

    pub(super) fn take(&mut self) -> AuditRows {
        std::mem::take(&mut self.rows)
    }

    /// Adds the kept findings of a list.
    pub(super) fn found(&mut self, list: &FindingList) {
        self.rows.findings.extend(list.kept().into_iter().cloned());
    }

    /// Adds a plain deal that had an effect.
    pub(super) fn plain(&mut self, index: u64, deal: &PlainDeal, bytes: &[u8], life: &Life) {
        if self.keep == Keep::Findings {
            return;
        }
        let (nonce, time) = (deal.nonce, deal.time);
        self.rows.entries.push(EntryRow {
            index,
            kind: Some("deal"),
            time: Some(time),
            commitment: Some(deal.commitment),
            nonce: Some(nonce),
            deck: None,
            effect: true,
        });
        let text = String::from_utf8_lossy(deal.result(bytes));
        let (form, result) = match deal.form {
            PlainForm::Cards => ("cards", spaced(&text)),
            PlainForm::Seal => ("seal", text.into_owned()),
            PlainForm::Digest => ("digest", text.into_owned()),
        };
        self.rows.rounds.push(RoundRow {
            commitment: deal.commitment,
            table: life.commit.table.as_str().to_owned(),
            nonce,
            index,
            time,
            contributors: plain_seeds(deal.contributions(bytes)).count(),
            outcome: RoundOutcome::Dealt { form, result },
        });
    }

    /// Adds any other entry, and whether it had an effect.
    pub(super) fn entry(&mut self, index: u64, other: &Other, effect: bool) {
        if self.keep == Keep::Findings {
            return;
        }
        self.rows.entries.push(match &other.entry {
            Ok(entry) => EntryRow {
                index,
                kind: Some(entry.kind()),
                time: Some(entry.time()),
                commitment: entry.commitment(),
                nonce: entry.nonce(),
                deck: match entry {
                    Entry::Commit(commit) => Some(commit.deck),
                    _ => None,
                },
                effect,
            },
            Err(error) => {
                let commitment = match error {
                    EntryError::Invalid { commitment, .. } => *commitment,
                    _ => None,
                };
                EntryRow {
                    index,
                    kind: None,
                    time: None,
                    commitment,
                    nonce: None,
                    deck: None,
                    effect,
                }
            }
        });
    }

    /// Adds the round that an entry dealt or voided, if it did; `locked` is how many contributions
    /// its lock has.
    pub(super) fn round(
        &mut self,
        index: u64,
        entry: &Entry,
        effect: &Effect,
        life: &Life,
        locked: Option<usize>,
    ) {
        if self.keep == Keep::Findings {
            return;
        }
        let Some(commitment) = entry.commitment() else { return };
        let (nonce, outcome) = match (effect, entry) {
            (Effect::Dealt(nonce, _), Entry::Deal(deal)) => {
                let (form, result) = result_of(&deal.result);
                (*nonce, RoundOutcome::Dealt { form, result })
            }
            (Effect::Voided(Some(nonce)), Entry::Void(void)) => {
                let blame = void.blame.as_ref().map(|blame| blame.as_str().to_owned());
                (*nonce, RoundOutcome::Voided { blame, reason: void.reason.as_str().to_owned() })
            }
            _ => return,
        };
        self.rows.rounds.push(RoundRow {
            commitment,
            table: life.commit.table.as_str().to_owned(),
            nonce,
            index,
            time: entry.time(),
            contributors: locked.unwrap_or_else(|| entry.contributions().len()),
            outcome,
        });
    }
}

/// The one form of a result, and its text.
fn result_of(result: &ResultForm) -> (&'static str, String) {
    match result {
        ResultForm { cards: Some(cards), .. } => ("cards", spaced(cards.as_str())),
        ResultForm { indices: Some(indices), .. } => {
            let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
            ("indices", indices.join(" "))
        }
        ResultForm { seal: Some(seal), .. } => ("seal", seal.to_string()),
        ResultForm { digest, .. } => {
            let digest = digest.as_ref().expect("a parsed deal has exactly one form");
            ("digest", digest.to_string())
        }
    }
}

/// Puts a space between cards of two characters each.
fn spaced(cards: &str) -> String {
    let mut text = String::with_capacity(cards.len().saturating_mul(2));
    for (at, character) in cards.chars().enumerate() {
        if at > 0 && at.is_multiple_of(2) {
            text.push(' ');
        }
        text.push(character);
    }
    text
}
