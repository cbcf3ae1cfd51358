//! Verifying a receipt or an opening (spec/receipt.md, verification), step by step.

use std::collections::{BTreeMap, BTreeSet};

use super::form::{Document, Opening, Receipt};
use super::verdict::{NotShown, ReceiptFinding, Shown, Verdict};
use crate::deal::{Nonce, Sealed, seal_of};
use crate::log::{Checkpoint, Frontier, Hash, SignedCheckpoint, VerifierKey, leaf_hash, verify_inclusion};
use crate::record::entry::{
    Commit, Deal, Entry, Int, Lock, LoggedContribution, Mixing, ResultForm, SeenCheckpoint,
};
use crate::record::finding::{Code, Finding};
use crate::record::life::{Effect, Extent, Judge, Judged, SeenVerdict, View, opened_by};
use crate::record::replay::Waiting;

/// A log known by its key alone: signatures can be checked, the tree cannot.
#[derive(Clone, Copy, Debug)]
pub struct SignedBy<'a>(pub &'a VerifierKey);

impl View for SignedBy<'_> {
    fn origin(&self) -> &str {
        self.0.name().as_str()
    }

    fn check_seen(&self, seen: &SeenCheckpoint) -> SeenVerdict {
        let signed = Checkpoint::new(self.origin(), seen.size.value(), seen.root()).is_ok_and(|checkpoint| {
            seen.signature.key_id() == self.0.id().to_bytes()
                && self
                    .0
                    .verify_signature(checkpoint.to_text().as_bytes(), &seen.signature.signature())
                    .is_ok()
        });
        if signed { SeenVerdict::Holds } else { SeenVerdict::NotSigned }
    }
}

/// What a receipt lets one know of the log: its key, and the roots that its own entries give or that players name.
struct Excerpted<'a> {
    key: SignedBy<'a>,
    roots: BTreeMap<u64, Hash>,
}

impl<'a> Excerpted<'a> {
    fn new(receipt: &Receipt, key: &'a VerifierKey) -> Self {
        let mut roots = BTreeMap::new();
        let mut tree = Frontier::new();
        for one in &receipt.entries {
            let leaf = leaf_hash(one.entry.as_bytes());
            if one.index.value() != tree.size() || tree.push(leaf).is_err() {
                break; // from here on something is left out
            }
            roots.insert(tree.size(), tree.root());
        }
        let key = SignedBy(key);
        for one in &receipt.entries {
            let Ok(entry) = Entry::parse(one.entry.as_bytes()) else { continue };
            for seen in entry.contributions().iter().filter_map(|one| one.seen.as_ref()) {
                if seen.size.value() <= one.index.value() && key.check_seen(seen) == SeenVerdict::Holds {
                    roots.entry(seen.size.value()).or_insert_with(|| seen.root());
                }
            }
        }
        Self { key, roots }
    }
}

impl View for Excerpted<'_> {
    fn origin(&self) -> &str {
        self.key.origin()
    }

    fn check_seen(&self, seen: &SeenCheckpoint) -> SeenVerdict {
        let known = self.roots.get(&seen.size.value());
        match self.key.check_seen(seen) {
            SeenVerdict::Holds if known.is_some_and(|root| *root != seen.root()) => SeenVerdict::Contradicted,
            verdict => verdict,
        }
    }
}

/// Judges a file under the operator's key.
#[must_use]
pub fn verify(document: &Document, key: &VerifierKey) -> Verdict {
    let receipt = document.receipt();
    let opened = SignedCheckpoint::parse(&receipt.checkpoint);
    let checkpoint = opened.as_ref().ok().map(SignedCheckpoint::unverified);
    if let Some(says) = impossible(receipt, checkpoint) {
        return Verdict::invalid(says);
    }
    let mut findings = Vec::new();
    let signature = opened.as_ref().map_err(ToString::to_string).and_then(|note| {
        note.verify(key).map_err(|e| e.to_string()).and_then(|checkpoint| match checkpoint.extensions() {
            [] => Ok(()),
            more => Err(format!("a checkpoint of this log has no extension lines, found {}", more.len())),
        })
    });
    if let Err(says) = signature {
        findings.push(finding(Code::BadSignature, None, says));
    }
    if let Some(checkpoint) = checkpoint {
        findings.extend(not_included(receipt, checkpoint));
    }
    let logged = findings.is_empty();
    let mut round = Round::judge(receipt, key);
    if let Document::Opening(opening) = document {
        match round.open(opening) {
            Ok(()) => {}
            Err(says) => return Verdict::invalid(says),
        }
    }
    findings.append(&mut round.findings);
    findings.sort_by_key(|f| (f.index, f.code != Code::TreeMismatch, f.code));
    round.verdict(logged, findings)
}

fn finding(code: Code, index: Option<u64>, says: impl Into<String>) -> ReceiptFinding {
    ReceiptFinding { code, index, says: says.into() }
}

/// What makes JSON of the right shape still no receipt.
fn impossible(receipt: &Receipt, checkpoint: Option<&Checkpoint>) -> Option<String> {
    if let (Some(checkpoint), Some(last)) = (checkpoint, receipt.entries.last())
        && last.index.value() >= checkpoint.size()
    {
        let size = checkpoint.size();
        return Some(format!(
            "entries: expected indices under the checkpoint's size, {size}, found {}",
            last.index
        ));
    }
    let entries: Vec<Option<Entry>> =
        receipt.entries.iter().map(|one| Entry::parse(one.entry.as_bytes()).ok()).collect();
    let nonces: BTreeSet<Nonce> = entries.iter().flatten().filter_map(Entry::nonce).collect();
    let not_judged = matches!(entries.first(), Some(Some(Entry::Other(_))));
    (nonces.len() > 1 && !not_judged).then(|| {
        let list: Vec<String> = nonces.iter().map(ToString::to_string).collect();
        format!("entries: expected those of one round, found rounds {}", list.join(", "))
    })
}

/// `tree-mismatch` for every entry that the checkpoint's root does not include.
fn not_included(receipt: &Receipt, checkpoint: &Checkpoint) -> Vec<ReceiptFinding> {
    let check = |one: &super::form::Included| {
        let leaf = leaf_hash(one.entry.as_bytes());
        let index = one.index.value();
        let proved = verify_inclusion(&leaf, index, checkpoint.size(), &one.proof, checkpoint.root());
        proved.err().map(|e| finding(Code::TreeMismatch, Some(index), e.to_string()))
    };
    receipt.entries.iter().filter_map(check).collect()
}

/// What the entries of one receipt came to.
struct Round<'a> {
    view: Excerpted<'a>,
    findings: Vec<ReceiptFinding>,
    commit: Option<(u64, Box<Commit>)>,
    commitment: Option<crate::deal::Commitment>,
    not_judged: bool,
    nonce: Option<Nonce>,
    lock: Option<(u64, Box<Lock>)>,
    deal: Option<(u64, Box<Deal>)>,
    /// The round's contributions, as logged, with the index of the entry that logged them.
    contributions: Option<(u64, Vec<LoggedContribution>)>,
    beacon: bool,
    replayed: bool,
    opened: Option<bool>,
}

impl<'a> Round<'a> {
    fn judge(receipt: &Receipt, key: &'a VerifierKey) -> Self {
        let mut round = Self {
            view: Excerpted::new(receipt, key),
            findings: Vec::new(),
            commit: None,
            commitment: None,
            not_judged: false,
            nonce: None,
            lock: None,
            deal: None,
            contributions: None,
            beacon: false,
            replayed: false,
            opened: None,
        };
        let mut judge = Judge::new(Excerpted::new(receipt, key), Extent::Excerpt);
        let mut waiting = BTreeMap::new();
        let mut findings = Vec::new();
        for (at, one) in receipt.entries.iter().enumerate() {
            let index = one.index.value();
            let parsed = Entry::parse(one.entry.as_bytes());
            if let Ok(entry) = &parsed {
                round.nonce = round.nonce.or(entry.nonce());
                if let (0, Entry::Commit(_) | Entry::Other(_)) = (at, entry) {
                    round.commitment = Some(entry.commitment());
                } else if round.commitment != Some(entry.commitment()) {
                    findings.push(of_another(index, entry, round.commitment));
                    continue;
                }
            }
            let judged = judge.apply_bytes(index, one.entry.as_bytes());
            if let (Ok(entry), Judged { effect: Some(effect), .. }) = (&parsed, &judged) {
                round.note(index, entry, effect);
            }
            findings.extend(judged.findings);
            match judged.effect {
                Some(Effect::Dealt(nonce, Some(deal))) => {
                    waiting.insert(nonce, deal);
                }
                Some(Effect::Revealed(seed)) => {
                    findings.extend(round.replay(&waiting, &seed.seed()));
                }
                _ => {}
            }
        }
        round.not_judged = round.commitment.is_some_and(|c| judge.is_not_judged(&c));
        round.findings.extend(findings.into_iter().map(ReceiptFinding::from));
        round
    }

    fn note(&mut self, index: u64, entry: &Entry, effect: &Effect) {
        match (entry, effect) {
            (Entry::Commit(commit), _) => self.commit = Some((index, commit.clone())),
            (Entry::Lock(lock), _) => {
                self.beacon |= lock.beacon.is_some();
                self.contributions = Some((index, lock.contributions().to_vec()));
                self.lock = Some((index, lock.clone()));
            }
            (Entry::Deal(deal), _) => {
                self.beacon |= deal.beacon.is_some();
                if self.contributions.is_none() {
                    self.contributions = Some((index, deal.contributions().to_vec()));
                }
                self.deal = Some((index, deal.clone()));
            }
            _ => {}
        }
    }

    fn replay(
        &mut self,
        waiting: &BTreeMap<Nonce, Box<Waiting>>,
        seed: &crate::deal::ServerSeed,
    ) -> Vec<Finding> {
        let Some((_, commit)) = &self.commit else { return Vec::new() };
        let mac = seed.mac();
        let findings: Vec<Finding> = waiting.values().filter_map(|deal| deal.replay(commit, &mac)).collect();
        self.replayed = findings.is_empty() && waiting.values().any(|deal| deal.is_verified());
        findings
    }

    /// Judges the cards opened; an error where the receipt has no sealed deal to open.
    fn open(&mut self, opening: &Opening) -> Result<(), String> {
        let sealed = |one: &super::form::Included| match Entry::parse(one.entry.as_bytes()) {
            Ok(Entry::Deal(deal)) => deal.result.seal.is_some(),
            _ => false,
        };
        if !opening.receipt.entries.iter().any(sealed) {
            return Err("receipt: expected one that holds a sealed deal".to_owned());
        }
        self.opened = Some(false);
        let (Some((_, commit)), Some((index, deal))) = (&self.commit, &self.deal) else { return Ok(()) };
        let Some(seal) = &deal.result.seal else { return Ok(()) };
        let mut wrong = Vec::new();
        let (draw, found) = (commit.draw.value(), opening.card_seals.len());
        if u64::try_from(found).ok() != Some(draw) {
            wrong.push(format!("card_seals: the commitment draws {draw}, found {found}"));
        } else if seal_of(&opening.card_seals) != *seal {
            wrong.push("card_seals: their seal is not the one that the deal logs".to_owned());
        }
        for card in &opening.opened {
            let place = usize::try_from(card.t.value()).ok().and_then(|t| opening.card_seals.get(t));
            let numbers = (u32::try_from(card.t.value()), u32::try_from(card.item.value()));
            let (Some(expected), (Ok(t), Ok(item))) = (place, numbers) else {
                wrong.push(format!("card {}: the list of card seals ends before it", card.t));
                continue;
            };
            if item >= commit.deck.items() {
                wrong.push(format!(
                    "card {t}: the deck has items 0 to {}, found {item}",
                    commit.deck.items().saturating_sub(1)
                ));
            }
            let opened =
                Sealed::verify_opening(&commit.commitment, deal.nonce, t, item, &card.salt.0, expected);
            if let Err(error) = opened {
                wrong.push(error.to_string());
            }
        }
        self.opened = Some(wrong.is_empty());
        let index = *index;
        let known = |f: &ReceiptFinding| f.code == Code::ResultMismatch && f.index == Some(index);
        if !wrong.is_empty() && !self.findings.iter().any(known) {
            self.findings.push(finding(Code::ResultMismatch, Some(index), wrong.join("; ")));
        }
        Ok(())
    }

    /// Who is known to have chosen after the commitment: a `seen` that covers it, or a hash, which names it, unless
    /// the deal does not open that hash as it should.
    fn committed_first(&self) -> Vec<String> {
        let (Some((committed, _)), Some((logged, contributions))) = (&self.commit, &self.contributions)
        else {
            return Vec::new();
        };
        let saw = |one: &LoggedContribution| {
            let Some(seen) = &one.seen else { return false };
            let covers = seen.size.value() > *committed && seen.size.value() <= *logged;
            covers && self.view.check_seen(seen) == SeenVerdict::Holds
        };
        let hashed = |one: &LoggedContribution| match (&self.lock, &self.deal) {
            (Some((at, lock)), Some((_, deal))) => {
                deal.lock.map(Int::value) == Some(*at) && opened_by(deal, lock, one).is_some()
            }
            _ => true,
        };
        let counts = |one: &&LoggedContribution| saw(one) || (one.hash.is_some() && hashed(one));
        contributions.iter().filter(counts).map(|one| one.from.as_str().to_owned()).collect()
    }

    fn verdict(self, logged: bool, findings: Vec<ReceiptFinding>) -> Verdict {
        let committed_first = self.committed_first();
        let contributors = self.contributions.as_ref().map_or(0, |(_, all)| all.len());
        let all_first = contributors > 0 && committed_first.len() == contributors;
        let seeds = self.commit.as_ref().is_some_and(|(_, commit)| commit.mixing == Mixing::Seeds);
        let replayed = self.replayed;
        let shown = [
            (logged, Shown::Logged),
            (replayed, Shown::Replayed),
            (self.opened == Some(true), Shown::Opened),
            (all_first, Shown::CommittedFirst),
        ];
        let not_shown = [
            (self.not_judged, NotShown::Judged),
            (!replayed, NotShown::Replayed),
            (self.opened == Some(false), NotShown::Opened),
            (contributors > 0 && !all_first, NotShown::CommittedFirst),
            (self.beacon, NotShown::Beacon),
            (seeds, NotShown::NoCollusion),
            (true, NotShown::Witnessed),
            (true, NotShown::Complete),
        ];
        let (deal, result) = match self.deal {
            Some((_, deal)) => (Some(deal.clone()), deal.result),
            None => (None, ResultForm::EMPTY),
        };
        Verdict {
            holds: findings.is_empty(),
            shown: shown.into_iter().filter_map(|(is, token)| is.then_some(token)).collect(),
            not_shown: not_shown.into_iter().filter_map(|(is, token)| is.then_some(token)).collect(),
            committed_first,
            findings,
            commitment: self.commitment,
            nonce: self.commit.as_ref().and(self.nonce),
            result,
            deal,
        }
    }
}

fn of_another(index: u64, entry: &Entry, expected: Option<crate::deal::Commitment>) -> Finding {
    let says = match expected {
        Some(expected) => {
            format!("the receipt is about {expected}, this {} is under {}", entry.kind(), entry.commitment())
        }
        None => format!("a receipt starts with its commit; found a {} without one", entry.kind()),
    };
    Finding {
        code: Code::NoCommitment,
        index: Some(index),
        commitment: Some(entry.commitment()),
        nonce: entry.nonce(),
        says,
    }
}
