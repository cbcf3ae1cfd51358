//! Views of the log that nobody published: what an operator with its signing key can show to one
//! player. The ledger has no part in it.

use axum::http::StatusCode;
use serde_json::Value;

use super::hand::Brought;
use super::{Dealer, LONGEST, Refused};
use fairdeal::deal::{
    Commitment, Contribution, Contributions, Nonce, Plan, SealKey, Sealed, ServerSeed,
};
use fairdeal::log::{MemoryLog, SignerKey};
use fairdeal::record::Entry;
use fairdeal::record::entry::{Commit, Deal, Int, Lock, Opened, ResultForm};
use fairdeal::record::receipt::{OpenedCard, Opening, Receipt, Salt};
use fairdeal_ledger::entropy::random;

/// The house's cards in a forged hand: the four aces, and a king.
const BEST: [u32; 5] = [12, 25, 38, 51, 11];

/// A log in memory that begins as the published one.
pub(super) struct View<'a> {
    log: MemoryLog,
    key: &'a SignerKey,
    _one_at_a_time: tokio::sync::MutexGuard<'a, ()>,
}

impl<'a> View<'a> {
    /// The published log, or as much of it as is before an entry.
    pub(super) async fn of(dealer: &'a Dealer, before: Option<u64>) -> Result<Self, Refused> {
        let one_at_a_time = dealer.forging.lock().await;
        let size = dealer.ledger.published_size().await?;
        if size > LONGEST {
            let says = format!(
                "the log has {size} entries, the dealer forges views of at most {LONGEST}: \
                 start the table again"
            );
            return Err(Refused::new(StatusCode::CONFLICT, "log-too-long", says));
        }
        let (mut log, size) = (MemoryLog::new(), before.unwrap_or(size).min(size));
        while log.size() < size {
            let most = u32::try_from(size - log.size()).unwrap_or(u32::MAX);
            let entries = dealer.ledger.entries(log.size(), most).await?;
            if entries.is_empty() {
                return Err(Refused::stuck("the published log ends early"));
            }
            for (_, entry) in entries {
                log.append(entry);
            }
        }
        Ok(Self { log, key: &dealer.key, _one_at_a_time: one_at_a_time })
    }

    fn add(&mut self, entry: impl Into<Entry>) -> Result<u64, Refused> {
        let text = entry.into().to_text().map_err(Refused::stuck)?;
        Ok(self.log.append(text))
    }

    fn receipt(&self, indices: impl IntoIterator<Item = u64>) -> Result<Receipt, Refused> {
        Receipt::of(&self.log, indices, self.key).map_err(Refused::stuck)
    }

    /// Another promise at the table of one that is open: each says that it is the first there.
    pub(super) fn another_promise(
        mut self,
        promise: &Receipt,
        now: u64,
    ) -> Result<(Commitment, Receipt), Refused> {
        let Some(Entry::Commit(terms)) = entry_of(promise, 0) else {
            return Err(Refused::stuck("a promise begins with a commit"));
        };
        let commitment = new_seed()?.commitment();
        let time = now.max(terms.time.value());
        let open_for = terms.reveal_by.value().saturating_sub(terms.time.value());
        let int = |value| Int::try_from(value).map_err(Refused::stuck);
        let other = Commit {
            after: None,
            commitment,
            time: int(time)?,
            reveal_by: int(time.saturating_add(open_for))?,
            ..*terms
        };
        let index = self.add(other)?;
        Ok((commitment, self.receipt([index])?))
    }

    /// Another hand: another lock at the same place, and a deal of cards that the dealer chose. A
    /// seal is not judged before the reveal, so no server seed is needed.
    pub(super) fn another_hand(
        mut self,
        honest: &Receipt,
        opened: &Value,
        house: Brought,
        now: u64,
    ) -> Result<Opening, Refused> {
        let (Some(Entry::Commit(terms)), Some(Entry::Lock(lock))) =
            (entry_of(honest, 0), entry_of(honest, 1))
        else {
            return Err(Refused::stuck("a lock's receipt has the commit and the lock"));
        };
        let commit_at = honest.entries.first().map_or(0, |commit| commit.index.value());
        let mut contributions = lock.contributions().to_vec();
        contributions.retain(|one| one.from != house.hashed.from);
        contributions.push(house.hashed);
        contributions.sort_by(|a, b| a.from.cmp(&b.from));
        let (commitment, nonce, time) = (lock.commitment, lock.nonce, now.max(lock.time.value()));
        let lock_at = self.add(Lock { contributions: Some(contributions), ..*lock })?;
        let draw = usize::try_from(terms.draw.value()).unwrap_or(0);
        let items = chosen(draw)?;
        let sealed = sealed(commitment, nonce, &items)?;
        let result = ResultForm { seal: Some(sealed.seal()), ..ResultForm::EMPTY };
        let int = |value| Int::try_from(value).map_err(Refused::stuck);
        let mut opened = vec![opened_by(opened)?, house.opened];
        opened.sort_by(|a, b| a.from.cmp(&b.from));
        let deal_at =
            self.add(Deal::of_lock(commitment, nonce, int(lock_at)?, opened, result, int(time)?))?;
        let receipt = self.receipt([commit_at, lock_at, deal_at])?;
        let card = |(t, (item, salt)): (u32, (u32, &[u8; 16]))| OpenedCard {
            t: Int::from(t),
            item: Int::from(item),
            salt: Salt(*salt),
        };
        let opened = (0..).zip(items.into_iter().zip(sealed.salts())).map(card).collect();
        Ok(Opening::new(receipt, sealed.card_seals().to_vec(), opened))
    }
}

fn entry_of(receipt: &Receipt, nth: usize) -> Option<Entry> {
    Entry::parse(receipt.entries.get(nth)?.entry.as_bytes()).ok()
}

/// The player's opening of its hash.
fn opened_by(given: &Value) -> Result<Opened, Refused> {
    let part = |name: &str| given.get(name).cloned().unwrap_or_default();
    let read = || -> Result<Opened, serde_json::Error> {
        Ok(Opened {
            blind: serde_json::from_value(part("blind"))?,
            from: serde_json::from_value(part("from"))?,
            seed: serde_json::from_value(part("seed"))?,
        })
    };
    let expected = |error| format!("expected the seed and the blind that open your hash: {error}");
    read().map_err(|error| Refused::new(StatusCode::BAD_REQUEST, "bad-request", expected(error)))
}

fn new_seed() -> Result<ServerSeed, Refused> {
    Ok(ServerSeed::from_bytes(&mut *random::<32>().map_err(Refused::stuck)?))
}

fn nobodys() -> Result<Contributions, Refused> {
    let one = Contribution::new("nobody", "nothing").map_err(Refused::stuck)?;
    Contributions::of_clients(vec![one]).map_err(Refused::stuck)
}

/// The deck in a random order.
pub(super) fn shuffled() -> Result<Vec<u32>, Refused> {
    let plan = Plan::shuffle(52, 52).map_err(Refused::stuck)?;
    Ok(plan.deal(&new_seed()?.mac(), Nonce::FIRST, &nobodys()?).items)
}

/// Cards that the dealer likes: every second card is one of the best.
fn chosen(draw: usize) -> Result<Vec<u32>, Refused> {
    let left = shuffled()?.into_iter().filter(|item| !BEST.contains(item));
    Ok(left.zip(BEST).flat_map(|(yours, houses)| [yours, houses]).take(draw).collect())
}

fn sealed(commitment: Commitment, nonce: Nonce, items: &[u32]) -> Result<Sealed, Refused> {
    let key = SealKey::derive(&new_seed()?.mac(), nonce, &nobodys()?);
    Ok(key.seal(&commitment, nonce, items))
}
