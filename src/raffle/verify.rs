//! Verifying a raffle (spec/raffle.md, section 38), step by step.

use super::beacon::GivenBeacon;
use super::document::{RaffleDocument, RaffleDocumentError};
use super::tickets::Tickets;
use super::verdict::{FoundLine, LockedBeacon, RaffleVerdict, RaffleWinner};
use crate::deal::{Contribution, Contributions, Deck, DrandRandomness, Nonce, ServerSeed};
use crate::log::VerifierKey;
use crate::record::entry::{BeaconSignature, Commit, Int, Lock, RevealedSeed};
use crate::record::finding::Accused;
use crate::record::life::{LockedTo, locked_to};
use crate::record::receipt::{
    Compared, Document, GivenFile, NotShown, ReaderGiven, ReceiptFinding, ReceiptVerdict, Shown,
    VerdictState, verify_several,
};
use crate::record::replay::deal_round;

/// What a reader brings to a document and a list.
#[derive(Clone, Debug, Default)]
pub struct RaffleGiven {
    /// The inputs of a receipt's verification; seat, evidence and seeds are ignored.
    pub reader: ReaderGiven,
    /// Documents that the reader had before the beacon's round was out.
    pub kept: Vec<RaffleDocument>,
    /// A signature of the lock's round, from anywhere.
    pub beacon: Option<GivenBeacon>,
    /// A line to look for.
    pub line: Option<String>,
    /// What an audit of the whole log shows, in which nothing was found.
    pub audited: Option<AuditedRaffle>,
}

/// What a log that was audited has of a raffle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditedRaffle {
    /// How many commits have this list.
    pub same_list: u64,
    /// The time of the raffle's void, if it has one.
    pub void: Option<Int>,
}

/// A document and what was given with it do not go together: there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RaffleError {
    /// The document and its list make no raffle: it cannot be read.
    #[error(transparent)]
    Document(#[from] RaffleDocumentError),
    /// Another list.
    #[error(
        "expected the list of the promise, {expected}, found {found}: it was changed after the promise, or is of another raffle"
    )]
    #[expect(missing_docs, reason = "the message names the fields")]
    List { expected: Deck, found: Deck },
    /// A signature that is said to be of another round.
    #[error("the draw waits for the beacon's round {expected}, this answer is of round {found}")]
    #[expect(missing_docs, reason = "the message names the fields")]
    Round { expected: u64, found: u64 },
    /// A signature that does not verify.
    #[error("expected the signature of the beacon's round {round}, found {found}")]
    #[expect(missing_docs, reason = "the message names the fields")]
    Signature { round: u64, found: BeaconSignature },
}

/// Judges a raffle under the operator's key.
///
/// # Errors
/// [`RaffleError`], where there is no verdict. It accuses nobody.
pub fn verify_raffle(
    document: &RaffleDocument,
    tickets: &Tickets,
    key: &VerifierKey,
    given: &RaffleGiven,
) -> Result<RaffleVerdict, RaffleError> {
    let (mut receipt, is_kept, void) = judge(document, key, given);
    let void = void.or(given.audited.and_then(|audited| audited.void));
    let commit = document.commit()?;
    of_the_promise(document, &commit, tickets)?;

    let (chains, lock) = (&given.reader.chains, receipt.lock.clone().map(|(_, lock)| lock));
    let locked = lock.as_ref().and_then(|lock| locked_to(&commit, lock, Some(chains)));
    let locked = locked.filter(LockedTo::is_right);
    let signature = match &locked {
        Some(locked) => signature(locked, &receipt, given)?,
        None => None,
    };
    let published = published_seeds(document, given);
    let seed = published.iter().find(|seed| seed.opens(&commit.commitment));
    let seed = seed.or(receipt.revealed.as_ref());
    let has_seed = seed.is_some();
    let drawn = match (&lock, &signature, seed) {
        (Some(lock), Some(signature), Some(seed)) => {
            let winners = document.rules().count();
            draw(&commit, lock, signature, &seed.seed())
                .map(|dealt| tickets.winners(&dealt, winners))
        }
        _ => None,
    };
    let drawn: Option<Vec<RaffleWinner>> = drawn.map(|items| {
        let line = |item| tickets.line(item).unwrap_or_default().to_owned();
        items.into_iter().map(|item| RaffleWinner { item, line: line(item) }).collect()
    });
    let line = given.line.as_ref().map(|line| {
        let (count, item) = tickets.find(line);
        let place = drawn.iter().flatten().position(|winner| winner.line == *line);
        FoundLine { line: line.clone(), tickets: count, item, place }
    });
    let beacon = lock.as_ref().and_then(|lock| {
        let out = locked.map(|locked| locked.out());
        let (round, chain) = (lock.beacon?, commit.beacon.as_ref()?.chain);
        Some(LockedBeacon { chain, round, out, signature })
    });
    conclude(&mut receipt, (drawn.is_some(), signature.is_some(), void.is_some()), is_kept);
    Ok(RaffleVerdict {
        table: commit.table.clone(),
        rules: document.rules().clone(),
        count: tickets.count(),
        different: tickets.different(),
        beacon,
        has_seed,
        drawn,
        void,
        line,
        same_list: given.audited.map(|audited| audited.same_list),
        receipt,
    })
}

fn published_seeds(document: &RaffleDocument, given: &RaffleGiven) -> Vec<RevealedSeed> {
    let all = std::iter::once(document).chain(&given.kept);
    all.filter_map(RaffleDocument::server_seed).cloned().collect()
}

/// Step 2. The document's verdict, with the findings of the kept documents and those among all of
/// them; whether one of the kept documents is the same promise, `None` if there are none; and the
/// time of the void that one of all of them shows.
fn judge(
    document: &RaffleDocument,
    key: &VerifierKey,
    given: &RaffleGiven,
) -> (ReceiptVerdict, Option<bool>, Option<Int>) {
    let seeds = published_seeds(document, given);
    let reader = ReaderGiven { seat: None, in_evidence: Vec::new(), seeds, ..given.reader.clone() };
    let of = |document: &RaffleDocument| Document::Receipt(document.receipt().clone());
    let (this, kept) = (of(document), given.kept.iter().map(of).collect::<Vec<_>>());
    let kept_file =
        |document| GivenFile { name: "the document that you kept", document, is_kept: true };
    let files: Vec<GivenFile<'_>> = std::iter::once(GivenFile::new("the document", &this))
        .chain(kept.iter().map(kept_file))
        .collect();
    let (verdicts, together) = verify_several(&files, key, &reader);
    let mut verdicts = verdicts.into_iter();
    let mut receipt =
        verdicts.next().unwrap_or_else(|| ReceiptVerdict::invalid("nothing was judged"));
    let is_same = |kept: &ReceiptVerdict| {
        let is_open = kept.deal.is_none() && kept.void.is_none();
        let is_sound = kept.holds && kept.shown.contains(&Shown::Logged);
        is_open && is_sound && kept.lock.is_some() && kept.lock == receipt.lock
    };
    let kept: Vec<ReceiptVerdict> = verdicts.collect();
    let is_kept = (!kept.is_empty()).then(|| kept.iter().any(is_same));
    let logged: Vec<ReceiptVerdict> =
        kept.into_iter().filter(|one| one.shown.contains(&Shown::Logged)).collect();
    let of_raffle = logged.iter().filter(|one| one.commitment == receipt.commitment);
    let void = std::iter::once(&receipt).chain(of_raffle).find_map(|one| one.void.as_ref());
    let void = void.map(|void| void.time);
    for finding in logged.into_iter().flat_map(|one| one.findings) {
        let is_listed = |one: &ReceiptFinding| {
            (one.code, one.index, one.accuses) == (finding.code, finding.index, finding.accuses)
        };
        if !receipt.findings.iter().any(is_listed) {
            receipt.findings.push(finding);
        }
    }
    receipt.findings.extend(together);
    (receipt, is_kept, void)
}

/// Step 3.
fn of_the_promise(
    document: &RaffleDocument,
    commit: &Commit,
    tickets: &Tickets,
) -> Result<(), RaffleError> {
    if tickets.deck() != commit.deck {
        return Err(RaffleError::List { expected: commit.deck, found: tickets.deck() });
    }
    let winners = document.rules().count();
    let Some(draw) = tickets.draw(winners) else {
        let found = tickets.different();
        let says = format!("its list: expected at least {winners} different lines, found {found}");
        return Err(RaffleDocumentError::new(says).into());
    };
    if commit.draw != draw.into() {
        let (count, different) = (tickets.count(), tickets.different());
        let says = format!(
            "receipt: draw: expected {draw}, for {winners} winners of {count} lines, {different} of them different, found {}",
            commit.draw
        );
        return Err(RaffleDocumentError::new(says).into());
    }
    Ok(())
}

/// Step 4.
fn signature(
    locked: &LockedTo<'_>,
    receipt: &ReceiptVerdict,
    given: &RaffleGiven,
) -> Result<Option<BeaconSignature>, RaffleError> {
    let verifies = |signature: &BeaconSignature| {
        given.reader.chains.verifies(locked.chain, locked.round, signature.as_bytes())
    };
    if let Some(GivenBeacon { round, signature }) = &given.beacon {
        let expected = locked.round;
        if let Some(found) = round.filter(|round| *round != expected) {
            return Err(RaffleError::Round { expected, found });
        }
        if !verifies(signature) {
            return Err(RaffleError::Signature { round: expected, found: *signature });
        }
    }
    let of_deal = receipt.deal.as_ref().and_then(|(_, deal)| deal.beacon).filter(verifies);
    Ok(of_deal.or(given.beacon.map(|given| given.signature)))
}

/// Step 5. The items in the order of their deal; `None` if the lock has a hash.
fn draw(
    commit: &Commit,
    lock: &Lock,
    signature: &BeaconSignature,
    seed: &ServerSeed,
) -> Option<Vec<u32>> {
    let clear = lock.contributions().iter().map(|one| Some(one.with_seed(one.seed.clone()?)));
    let clients: Vec<Contribution> = clear.collect::<Option<_>>()?;
    let randomness = DrandRandomness::of_signature(signature.as_bytes());
    let mixed = Contributions::with_drand(clients, randomness).ok()?;
    let dealt = deal_round(commit, &seed.mac(), Nonce::new(0).ok()?, &mixed).ok()?;
    Some(dealt.items)
}

/// Whether what the reader contributed is mixed by a draw of this lock.
fn is_mixed_with_yours(verdict: &ReceiptVerdict) -> bool {
    let compared = verdict.compared.iter().map(|(_, how)| how);
    let mut counted = compared.filter(|how| **how != Compared::OfAnotherRound).peekable();
    let is_any = counted.peek().is_some();
    is_any && counted.all(|how| matches!(how, Compared::Locked | Compared::Mixed))
}

/// The tokens and the state.
fn conclude(
    verdict: &mut ReceiptVerdict,
    (is_drawn, is_beacon_verified, is_void): (bool, bool, bool),
    is_kept: Option<bool>,
) {
    let is_mixed = is_drawn && !is_void && is_mixed_with_yours(verdict);
    let ReceiptVerdict { holds, state, shown, not_shown, findings, nonce, .. } = verdict;
    let is_logged = shown.contains(&Shown::Logged);
    let is_closed_before = shown.contains(&Shown::LockedBeforeBeacon) || is_kept == Some(true);
    let is_blind = is_logged && is_drawn && is_closed_before;
    set(shown, Shown::Drawn, is_drawn);
    set(shown, Shown::KeptBeforeBeacon, is_kept == Some(true));
    set(not_shown, NotShown::Drawn, !is_drawn);
    set(not_shown, NotShown::Beacon, !is_beacon_verified);
    set(not_shown, NotShown::NoCollusion, !is_blind);
    set(not_shown, NotShown::KeptBeforeBeacon, is_kept == Some(false));
    if is_mixed {
        set(shown, Shown::Yours, true);
        set(not_shown, NotShown::Yours, false);
    }
    *nonce = None;
    *holds = findings.is_empty();
    let is_yours_missing = not_shown.contains(&NotShown::Yours);
    *state = if findings.iter().any(|found| found.accuses == Accused::Operator) {
        Some(VerdictState::Caught)
    } else if !(*holds && is_logged && is_drawn && !is_void) {
        None
    } else if is_blind && !is_yours_missing && is_kept != Some(false) {
        Some(VerdictState::Fair)
    } else {
        Some(VerdictState::Unproved)
    };
}

/// Puts a token into its place, or takes it out.
fn set<T: Ord>(tokens: &mut Vec<T>, token: T, is: bool) {
    tokens.retain(|one| *one != token);
    if is {
        tokens.push(token);
        tokens.sort_unstable();
    }
}
