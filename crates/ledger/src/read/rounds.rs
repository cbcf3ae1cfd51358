//! The rounds of a commitment in the log.

use crate::error::LedgerError;
use crate::publish::memory::File;
use crate::publish::tree::Tree;
use crate::read::queries::{life, parse};
use crate::read::reader::Reader;
use crate::store::RoundEntry;
use fairdeal::deal::{Commitment, Label, Nonce};
use fairdeal::log::{Level, TILE_WIDTH, TilePath};
use fairdeal::record::entry::Entry;
use fairdeal::record::life::Life;

/// A round in the log.
#[derive(Clone, Debug)]
pub struct LoggedRound {
    /// Its nonce.
    pub nonce: Nonce,
    /// Its entries with their indices, in log order: a lock, a deal, a void.
    pub entries: Vec<(u64, Entry)>,
    /// The items dealt, where the log has their digest or their seal and the server seed is public.
    pub items: Option<Vec<u32>>,
}

impl LoggedRound {
    /// Whether it has a deal.
    #[must_use]
    pub fn is_dealt(&self) -> bool {
        self.entries.iter().any(|(_, entry)| matches!(entry, Entry::Deal(_)))
    }

    /// The players in the order of the seats: those of the lock, or of a deal without one; empty if
    /// the round has no seats.
    #[must_use]
    pub fn seats(&self) -> &[Label] {
        let mut all = self.entries.iter().filter_map(|(_, entry)| match entry {
            Entry::Lock(lock) => lock.seats.as_deref(),
            Entry::Deal(deal) => deal.seats.as_deref(),
            _ => None,
        });
        all.next().unwrap_or_default()
    }
}

/// Reads entries whose indices mostly ascend: the last bundle is kept.
#[derive(Default)]
struct Bundle(Option<File>);

impl Bundle {
    async fn entry(&mut self, tree: &mut Tree<'_>, index: u64) -> Result<Entry, LedgerError> {
        let damaged = |says: String| LedgerError::Damaged(format!("entry {index}: {says}"));
        let path = TilePath::at_size(Level::Entries, index / u64::from(TILE_WIDTH), tree.size);
        let path = path.map_err(|e| damaged(e.to_string()))?;
        let file = match self.0.take().filter(|file| file.path == path) {
            Some(known) => known,
            None => tree.file(path).await?,
        };
        let place = usize::try_from(index % u64::from(TILE_WIDTH)).expect("under 256");
        let entries = file.entries()?;
        let missing = || damaged("it is not in its bundle".to_owned());
        let entry = parse(index, entries.get(place).ok_or_else(missing)?)?;
        self.0 = Some(file);
        Ok(entry)
    }
}

impl Reader {
    /// The first `most` rounds of a commitment from the round `from` on, in order.
    pub async fn rounds(
        &self,
        commitment: Commitment,
        from: u64,
        most: u32,
    ) -> Result<Vec<LoggedRound>, LedgerError> {
        self.core.is_open()?;
        let mut read = self.core.state.read().await?;
        // Others may write between two of these looks. So the life comes first: the tree that is
        // read next has all of its rounds.
        let Life { index: under, next, open, .. } = life(&mut *read, commitment).await?.life;
        let head = read.head().await?;
        let size = head.frontier.size();
        let mut rounds: Vec<LoggedRound> = Vec::new();
        let mut after = before(under, from);
        let mut places = Vec::new();
        // A round has two entries at most. One more shows that the last round is whole.
        let wanted = usize::try_from(most).unwrap_or(usize::MAX).saturating_mul(2);
        while places.len() <= wanted {
            let page = read.rounds_after(after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = Some(*last);
            let ended = last.under != under;
            // Entries after the tree was read are for the next caller.
            let is_ours =
                |one: &RoundEntry| one.under == under && !one.is_end() && one.index < size;
            places.extend(page.into_iter().filter(is_ours));
            if ended {
                break;
            }
        }
        let mut bundle = Bundle::default();
        let memory = Some(&self.core.memory);
        let mut tree = Tree { memory, ..self.core.tree(&mut *read, &head) };
        for RoundEntry { nonce, index, .. } in places {
            let known = rounds.last().is_some_and(|round| round.nonce == nonce);
            if !known && u32::try_from(rounds.len()).unwrap_or(u32::MAX) >= most {
                break;
            }
            let entry = bundle.entry(&mut tree, index).await;
            let entry = entry.inspect_err(|error| self.core.memory.forget_damaged(error))?;
            if entry.commitment() != Some(commitment) || entry.nonce() != Some(nonce) {
                let says = format!("entry {index} is not about the round that it is kept for");
                return Err(LedgerError::Damaged(says));
            }
            match rounds.last_mut().filter(|_| known) {
                Some(round) => round.entries.push((index, entry)),
                None => {
                    rounds.push(LoggedRound { nonce, entries: vec![(index, entry)], items: None });
                }
            }
        }
        // A row whose numbers have changed is found under another round.
        let done = next + u64::from(open.is_some());
        let expected = done.saturating_sub(from).min(u64::from(most));
        let is_settled = |round: &LoggedRound| {
            let lock = round.entries.first().map(|(index, _)| *index);
            match round.entries.last() {
                Some((_, Entry::Deal(deal))) => {
                    deal.lock.is_none_or(|wanted| Some(wanted.value()) == lock)
                }
                Some((_, Entry::Void(_))) => true,
                _ => round.nonce.value() >= next,
            }
        };
        let is_whole = rounds.iter().all(is_settled)
            && rounds.iter().map(|round| round.nonce.value()).eq((from..).take(rounds.len()));
        if !is_whole || u64::try_from(rounds.len()).unwrap_or(u64::MAX) < expected {
            let says = format!(
                "the rounds of {commitment} from {from} on: some of the {done} are not found"
            );
            return Err(LedgerError::Damaged(says));
        }
        Ok(rounds)
    }
}

/// The row of an entry in the table of rounds.
pub(crate) fn round_entry(
    under: u64,
    ended_at: Option<u64>,
    (index, entry): (u64, &Entry),
) -> Option<RoundEntry> {
    match entry.nonce() {
        Some(nonce) => Some(RoundEntry { under, nonce, index }),
        None => (ended_at == Some(index)).then(|| RoundEntry::end(under, index)),
    }
}

/// Places that are read at once.
const PAGE: u32 = 1024;

/// The last possible entry before a round.
fn before(under: u64, from: u64) -> Option<RoundEntry> {
    let last = |under, nonce| RoundEntry { under, nonce, index: i64::MAX.unsigned_abs() };
    match from.checked_sub(1) {
        Some(nonce) => Some(last(under, Nonce::new(nonce.min(Nonce::MAX)).ok()?)),
        None => Some(last(under.checked_sub(1)?, Nonce::LAST)),
    }
}
