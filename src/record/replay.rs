//! Replaying a logged deal after its seed is revealed (spec/ledger.md, result-mismatch).

use super::entry::{Cards, Commit, Deal, Int, LoggedContribution, ResultForm, ResultKind};
use super::finding::{Code, Finding};
use crate::deal::{
    ContributionError, Contributions, Deck, Label, Nonce, PlanError, SealKey, SeedMac,
    digest_of_items,
};

/// A deal that waits for its seed.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The deal's index in the log.
    pub index: u64,
    /// Its round.
    pub nonce: Nonce,
    /// The contributions that are mixed with the server seed.
    pub mixed: Mixed,
    /// The logged result.
    pub result: ResultForm,
}

/// The contributions that are mixed with the server seed.
#[derive(Clone, Debug)]
pub enum Mixed {
    /// Everything needed is in the log and holds.
    Verified(Contributions),
    /// With a beacon whose signature this version does not verify. The deal must follow from what
    /// it claims, but if it does, that shows nothing.
    UnverifiedBeacon(Contributions),
}

impl Mixed {
    /// The contributions, verified or only claimed.
    #[must_use]
    pub fn claimed(&self) -> &Contributions {
        let (Self::Verified(contributions) | Self::UnverifiedBeacon(contributions)) = self;
        contributions
    }
}

/// The result of a round.
#[derive(Debug)]
pub struct RoundResult {
    /// As the entry has it.
    pub form: ResultForm,
    /// Item numbers in deal order.
    pub items: Vec<u32>,
    /// The seals and salts; `None` if the deal is not sealed.
    pub sealed: Option<crate::deal::Sealed>,
}

/// Computes a round in the form that the commitment's entries have.
///
/// # Errors
/// [`PlanError`], if the terms do not go together; never for a commit that was parsed.
#[expect(clippy::missing_panics_doc, reason = "a named deck has a card for each of its items")]
pub fn deal_round(
    commit: &Commit,
    seed: &SeedMac,
    nonce: Nonce,
    contributions: &Contributions,
) -> Result<RoundResult, PlanError> {
    let items = commit.plan()?.deal(seed, nonce, contributions).items;
    let mut sealed = None;
    let form = match commit.form() {
        ResultKind::Seal => {
            let seals =
                SealKey::derive(seed, nonce, contributions).seal(&commit.commitment, nonce, &items);
            let form = ResultForm { seal: Some(seals.seal()), ..ResultForm::EMPTY };
            sealed = Some(seals);
            form
        }
        ResultKind::Cards => {
            let text = commit.deck.text_of(&items).expect("the plan has as many items as the deck");
            let cards = Cards::new(text).expect("a named deck's cards are cards");
            ResultForm { cards: Some(cards), ..ResultForm::EMPTY }
        }
        ResultKind::Indices => {
            let indices = items.iter().copied().map(Int::from).collect();
            ResultForm { indices: Some(indices), ..ResultForm::EMPTY }
        }
        ResultKind::Digest => {
            ResultForm { digest: Some(digest_of_items(&items)), ..ResultForm::EMPTY }
        }
    };
    Ok(RoundResult { form, items, sealed })
}

/// A round of clear seeds can't be dealt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InClearError {
    /// The commitment's terms do not go together.
    #[error("draw: {0}")]
    Plan(#[from] PlanError),
    /// The contributions do not go together.
    #[error(transparent)]
    Contribution(#[from] ContributionError),
    /// A contribution is a hash: its round takes a lock.
    #[error("{0} brings no clear seed")]
    NoSeed(Label),
}

/// Deals a round of clear seeds, and writes it down. The contributions may come in any order.
///
/// # Errors
/// [`InClearError`].
pub fn deal_in_clear(
    commit: &Commit,
    seed: &SeedMac,
    nonce: Nonce,
    mut contributions: Vec<LoggedContribution>,
    time: Int,
) -> Result<Deal, InClearError> {
    contributions.sort_unstable_by(|a, b| a.from.cmp(&b.from));
    let clear = |one: &LoggedContribution| match &one.seed {
        Some(seed) => Ok(one.with_seed(seed.clone())),
        None => Err(InClearError::NoSeed(one.from.clone())),
    };
    let clients = contributions.iter().map(clear).collect::<Result<_, _>>()?;
    let result = deal_round(commit, seed, nonce, &Contributions::of_clients(clients)?)?.form;
    Ok(Deal::in_clear(commit.commitment, nonce, contributions, result, time))
}

impl Waiting {
    /// Replays the deal with what it says was mixed. `None` if the result follows.
    #[must_use]
    pub fn replay(&self, commit: &Commit, seed: &SeedMac) -> Option<Finding> {
        let says = match deal_round(commit, seed, self.nonce, self.mixed.claimed()) {
            Ok(replayed) if replayed.form == self.result => return None,
            Ok(replayed) => mismatch(&replayed.form, &self.result, &commit.deck),
            Err(error) => error.to_string(),
        };
        Some(Finding {
            code: Code::ResultMismatch,
            index: Some(self.index),
            commitment: Some(commit.commitment),
            nonce: Some(self.nonce),
            says,
        })
    }

    /// Whether a replay shows anything.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        matches!(self.mixed, Mixed::Verified(_))
    }
}

/// The first place where the replay and the log differ.
fn mismatch(replayed: &ResultForm, logged: &ResultForm, deck: &Deck) -> String {
    if let (Some(ours), Some(theirs)) = (&replayed.cards, &logged.cards) {
        let (ours, theirs) = (
            ours.as_str().as_bytes().as_chunks::<2>().0,
            theirs.as_str().as_bytes().as_chunks::<2>().0,
        );
        if let Some(at) = ours.iter().zip(theirs).position(|(a, b)| a != b) {
            let card = |cards: &[[u8; 2]]| {
                cards.get(at).map(|c| String::from_utf8_lossy(c).into_owned()).unwrap_or_default()
            };
            return format!(
                "card {}, counted from 1: the seeds give {}, the log has {}",
                at.saturating_add(1),
                card(ours),
                card(theirs)
            );
        }
    }
    if let (Some(ours), Some(theirs)) = (&replayed.indices, &logged.indices)
        && let Some((at, (a, b))) = ours.iter().zip(theirs).enumerate().find(|(_, (a, b))| a != b)
    {
        let [at, a, b] = [u64::try_from(at).unwrap_or(u64::MAX), a.value(), b.value()]
            .map(|number| number.saturating_add(1));
        return format!("place {at}, counted from 1: the seeds give item {a}, the log has {b}");
    }
    format!("the seeds give another result than the log has, from {deck}")
}
