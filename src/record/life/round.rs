//! One round: whether it kept the promised mixing, and what it mixed.

use super::beacon::{self, MixedBeacon};
use super::judge::Findings;
use super::{Open, View};
use crate::deal::{
    Blind, ClientSeed, Contribution, Contributions, Deck, Impossible, check_cards, check_items,
};
use crate::log::VerifierKey;
use crate::record::entry::{
    Cards, Commit, Deal, Int, Lock, LoggedContribution, Mixing, Opened, ResultForm, ResultKind,
    RoundOf,
};
use crate::record::finding::Code;
use crate::record::replay::Mixed;

/// `weak-mixing`, if a contribution has no signature and the commitment asks for one.
fn unsigned(commit: &Commit, contributions: &[LoggedContribution], findings: &mut Findings) {
    if commit.signed
        && let Some(one) = contributions.iter().find(|one| one.signature.is_none())
    {
        let says =
            format!("every contribution is signed here; that of {:?} is not", one.from.as_str());
        findings.add(Code::WeakMixing, says);
    }
}

/// `weak-mixing` of a lock.
pub(super) fn weak_lock(commit: &Commit, lock: &Lock, findings: &mut Findings) {
    unsigned(commit, lock.contributions(), findings);
    let hashed = |one: &LoggedContribution| one.hash.is_some();
    match commit.mixing {
        Mixing::Seeds => {}
        Mixing::Hashes => {
            if let Some(clear) = lock.contributions().iter().find(|one| !hashed(one)) {
                let says =
                    format!("mixing \"hashes\": {:?} brings a clear seed", clear.from.as_str());
                findings.add(Code::WeakMixing, says);
            }
        }
        Mixing::Beacon => {
            if lock.beacon.is_none() {
                findings.add(
                    Code::WeakMixing,
                    "mixing \"beacon\": the lock names no round of the chain",
                );
            }
            if let Some(one) = lock.contributions().iter().find(|one| hashed(one)) {
                let says = format!("mixing \"beacon\": {:?} brings a hash", one.from.as_str());
                findings.add(Code::WeakMixing, says);
            }
        }
    }
}

/// Whether each round must be locked before it is dealt.
pub(super) fn needs_lock(commit: &Commit) -> bool {
    commit.mixing != Mixing::Seeds
}

/// Judges a deal against its lock. Returns what is mixed with the server seed; `None` where
/// findings leave that open.
pub(super) fn mixed(
    deal: &Deal,
    commit: &Commit,
    open: Option<&Open>,
    view: &impl View,
    findings: &mut Findings,
) -> Option<Mixed> {
    if deal.lock.is_none() && needs_lock(commit) {
        let says = format!("mixing {:?}: the deal names no lock", commit.mixing.as_str());
        findings.add(Code::WeakMixing, says);
    }
    unsigned(commit, deal.contributions(), findings);
    match open {
        Some(open) => mixed_by_lock(deal, commit, open, view, findings),
        None => mixed_in_clear(deal, findings),
    }
}

fn mixed_in_clear(deal: &Deal, findings: &mut Findings) -> Option<Mixed> {
    if let Some(lock) = deal.lock {
        findings.add(
            Code::LockMismatch,
            format!("the deal names entry {lock} as its lock, but no round is locked"),
        );
        return None;
    }
    let clients = deal
        .contributions()
        .iter()
        .filter_map(|one| one.seed.clone().map(|seed| one.with_seed(seed)))
        .collect();
    Contributions::of_clients(clients).ok().map(Mixed::Verified)
}

fn mixed_by_lock(
    deal: &Deal,
    commit: &Commit,
    open: &Open,
    view: &impl View,
    findings: &mut Findings,
) -> Option<Mixed> {
    let beacon = beacon::mixed(deal, commit, &open.lock, view.chains(), findings);
    if deal.lock.map(Int::value) != Some(open.index) {
        let found = deal.lock.map_or_else(|| "none".to_owned(), |lock| format!("entry {lock}"));
        let says = format!("the round's lock is entry {}, the deal names {found}", open.index);
        findings.add(Code::LockMismatch, says);
        return None;
    }
    let clients = open_lock(deal, &open.lock, view.key(), findings)?;
    match beacon? {
        MixedBeacon::None => Contributions::of_clients(clients).ok().map(Mixed::Verified),
        MixedBeacon::Verified(drand) => {
            Contributions::with_drand(clients, drand).ok().map(Mixed::Verified)
        }
        MixedBeacon::Unknown(drand) => {
            Contributions::with_drand(clients, drand).ok().map(Mixed::UnverifiedBeacon)
        }
    }
}

/// The lock's contributions with every hash opened; `None` if a finding leaves one open.
fn open_lock(
    deal: &Deal,
    lock: &Lock,
    log: Option<&VerifierKey>,
    findings: &mut Findings,
) -> Option<Vec<Contribution>> {
    let hashed: Vec<&LoggedContribution> =
        lock.contributions().iter().filter(|one| one.hash.is_some()).collect();
    let opened = deal.opened();
    let matched = opens_in_order(&hashed, opened);
    if !matched {
        findings.add(
            Code::LockMismatch,
            "the deal opens what was not hashed, or not in the lock's order, each once",
        );
    }
    let mut unopened = Vec::new();
    let mut clients = Vec::with_capacity(lock.contributions().len());
    for one in lock.contributions() {
        let contribution = match &one.seed {
            Some(seed) => Some(one.with_seed(seed.clone())),
            None => opened_by(log, deal, lock, one),
        };
        match contribution {
            Some(contribution) => clients.push(contribution),
            None => unopened.push(format!("{:?}", one.from.as_str())),
        }
    }
    if !unopened.is_empty() {
        let says =
            format!("not opened, or with something else: the hash of {}", unopened.join(", "));
        findings.add(Code::UnopenedHash, says);
    }
    (matched && unopened.is_empty()).then_some(clients)
}

/// The contribution behind a hash of the lock; `None` if the deal does not open it. Without the
/// log's key, whatever the deal opens.
#[must_use]
pub fn opened_by(
    log: Option<&VerifierKey>,
    deal: &Deal,
    lock: &Lock,
    one: &LoggedContribution,
) -> Option<Contribution> {
    let opening = deal.opened().iter().find(|opening| opening.from == one.from)?;
    opened_with(log, lock, one, &opening.seed, &opening.blind)
}

/// The contribution behind a hash of the lock; `None` if this seed and this blind do not open it.
pub(in crate::record) fn opened_with(
    log: Option<&VerifierKey>,
    lock: &Lock,
    one: &LoggedContribution,
    seed: &ClientSeed,
    blind: &Blind,
) -> Option<Contribution> {
    let contribution = one.with_seed(seed.clone());
    let opens = log.is_none_or(|log| {
        let round = RoundOf { log, commitment: lock.commitment, nonce: lock.nonce };
        one.hash == Some(round.hash(&contribution, blind))
    });
    opens.then_some(contribution)
}

/// Whether all that is opened was hashed, each once and in the lock's order. Leaving some out is
/// another finding.
fn opens_in_order(hashed: &[&LoggedContribution], opened: &[Opened]) -> bool {
    let mut rest = hashed.iter();
    opened.iter().all(|opening| rest.any(|one| one.from == opening.from))
}

/// Whether a result is possible at all: `result-mismatch` that needs no seed (spec/ledger.md,
/// section 8.5).
pub(super) fn is_possible(commit: &Commit, result: &ResultForm, findings: &mut Findings) -> bool {
    let draw = usize::try_from(commit.draw.value()).unwrap_or(usize::MAX);
    let (expected, count) = match commit.form() {
        ResultKind::Seal => ("seal", result.seal.as_ref().map(|_| draw)),
        ResultKind::Cards => ("cards", result.cards.as_ref().map(Cards::count)),
        ResultKind::Indices => ("indices", result.indices.as_ref().map(Vec::len)),
        ResultKind::Digest => ("digest", result.digest.as_ref().map(|_| draw)),
    };
    let says = match count {
        Some(count) if count == draw => match impossible(commit, result) {
            Ok(()) => return true,
            Err(impossible) => impossible.to_string(),
        },
        Some(count) => format!("the commitment draws {draw}, the result has {count}"),
        None => format!("the commitment's results are {expected}, found another form"),
    };
    findings.add(Code::ResultMismatch, says);
    false
}

fn impossible(commit: &Commit, result: &ResultForm) -> Result<(), Impossible> {
    if let (Deck::Named(deck), Some(cards)) = (commit.deck, &result.cards) {
        check_cards(commit.method, deck, cards.as_str().as_bytes().as_chunks::<2>().0)?;
    }
    if let Some(indices) = &result.indices {
        // No deck has item u32::MAX; the grammar keeps indices under 2^20.
        let item = |index: &Int| u32::try_from(index.value()).unwrap_or(u32::MAX);
        let items: Vec<u32> = indices.iter().map(item).collect();
        check_items(commit.method, commit.deck.items(), &items)?;
    }
    Ok(())
}
