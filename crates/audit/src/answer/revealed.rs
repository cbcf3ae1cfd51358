//! The round of a receipt, ready to be dealt again. Whether a log has it is not asked here: that is
//! `verify`.

use fairdeal::deal::{Contributions, Nonce, ServerSeed};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::{Commit, Deal, Entry, ResultForm, SeenCheckpoint};
use fairdeal::record::life::{Effect, Extent, Judge, View};
use fairdeal::record::receipt::Receipt;
use fairdeal::record::replay::{Waiting, deal_round};

/// A log of which nothing is known, not even its key: the receipt's statements about it are not
/// verified.
struct Unchecked(String);

impl View for Unchecked {
    fn origin(&self) -> &str {
        &self.0
    }

    fn key(&self) -> Option<&VerifierKey> {
        None
    }

    fn is_signed(&self, _: &SeenCheckpoint) -> bool {
        true
    }
}

/// A round whose seed is out.
pub struct Revealed {
    pub commit: Box<Commit>,
    pub seed: ServerSeed,
    pub deal: Box<Deal>,
    waiting: Box<Waiting>,
}

/// A round cannot be dealt again.
#[derive(Debug, thiserror::Error)]
pub enum NotRevealed {
    #[error("expected a commitment of fairdeal/v1 as its first entry, found none")]
    NoCommit,
    #[error("expected a deal whose contributions are all known, found none")]
    NoDeal,
    #[error("its seed is not revealed yet, so nobody can deal it again")]
    Secret,
    #[error("seed-mismatch: {0}")]
    WrongSeed(String),
}

impl Revealed {
    /// The round.
    ///
    /// # Errors
    /// [`NotRevealed`].
    pub fn of(receipt: &Receipt) -> Result<Self, NotRevealed> {
        let entries = receipt
            .entries
            .iter()
            .map(|one| (one.index.value(), Entry::parse(one.entry.as_bytes())));
        let entries: Vec<_> = entries.filter_map(|(at, entry)| Some((at, entry.ok()?))).collect();
        let Some((_, Entry::Commit(commit))) = entries.first() else {
            return Err(NotRevealed::NoCommit);
        };
        let mut judge = Judge::new(Unchecked(commit.origin.as_str().to_owned()), Extent::Excerpt);
        let (mut dealt, mut seed) = (None, None);
        for (index, entry) in &entries {
            match (judge.apply(*index, entry).effect, entry) {
                (Some(Effect::Dealt(_, Some(waiting))), Entry::Deal(deal)) => {
                    dealt = Some((waiting, deal.clone()));
                }
                (Some(Effect::Revealed(revealed)), _) => seed = Some(revealed.seed()),
                _ => {}
            }
        }
        let wrong = entries.iter().find_map(|(_, entry)| match entry {
            Entry::Reveal(reveal) => {
                commit.commitment.verify_opening(&reveal.server_seed.seed()).err()
            }
            _ => None,
        });
        match (dealt, seed) {
            (_, None) if wrong.is_some() => Err(NotRevealed::WrongSeed(
                wrong.map(|error| error.to_string()).unwrap_or_default(),
            )),
            (Some((waiting, deal)), Some(seed)) => {
                Ok(Self { commit: commit.clone(), seed, deal, waiting })
            }
            (None, _) => Err(NotRevealed::NoDeal),
            (Some(_), None) => Err(NotRevealed::Secret),
        }
    }

    #[must_use]
    pub fn nonce(&self) -> Nonce {
        self.waiting.nonce
    }

    /// The contributions that are mixed with the seed.
    #[must_use]
    pub fn mixed(&self) -> &Contributions {
        self.waiting.mixed.claimed()
    }

    /// Why the logged result is not what the seeds give; `None` if it is.
    #[must_use]
    pub fn differs(&self) -> Option<String> {
        self.waiting.replay(&self.commit, &self.seed.mac()).map(|finding| finding.says)
    }

    /// The result in the clear, even if the log has a seal.
    #[must_use]
    pub fn in_clear(&self) -> Option<ResultForm> {
        let mut clear = Commit::clone(&self.commit);
        clear.terms.sealed = false;
        deal_round(&clear, &self.seed.mac(), self.nonce(), self.mixed())
            .ok()
            .map(|dealt| dealt.form)
    }
}
