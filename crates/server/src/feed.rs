//! Follows the published log as it grows, whichever node makes it grow.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::Entry;
use fairdeal::record::entry::{BeaconSignature, Commit, PlainDeal};
use fairdeal_ledger::{LedgerError, Reader};

/// The interval of looking for entries that other nodes published.
const LOOK: Duration = Duration::from_millis(250);

/// The newest entries in memory, for everybody who follows: so many, and so many bytes.
const RECENT: usize = 4096;
const RECENT_BYTES: usize = 16 * 1024 * 1024;

/// The most entries that are read at once.
pub(super) const AT_ONCE: u32 = 256;

/// An entry of the published log.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) index: u64,
    /// `None` for an anchor.
    pub(super) commitment: Option<Commitment>,
    /// Its kind.
    pub(super) kind: &'static str,
    /// Its exact bytes.
    pub(super) bytes: String,
    pub(super) news: News,
}

/// The part of an entry that the service needs.
#[derive(Debug)]
pub(super) enum News {
    Made(Box<Commit>),
    /// A round was locked that waits for a beacon.
    Awaits,
    /// A round was dealt, perhaps with a beacon's signature, or voided.
    Round(Nonce, Option<BeaconSignature>),
    Ended,
    Nothing,
}

impl News {
    fn of(entry: Entry) -> Self {
        let nonce = entry.nonce();
        match (entry, nonce) {
            (Entry::Commit(commit), _) => Self::Made(commit),
            (Entry::Lock(lock), _) if lock.beacon.is_some() => Self::Awaits,
            (Entry::Deal(deal), Some(nonce)) => Self::Round(nonce, deal.beacon),
            (Entry::Void(_), Some(nonce)) => Self::Round(nonce, None),
            (Entry::Reveal(_) | Entry::Void(_), _) => Self::Ended,
            (Entry::Lock(_) | Entry::Deal(_) | Entry::Anchor(_) | Entry::Other(_), _) => {
                Self::Nothing
            }
        }
    }
}

impl Event {
    fn read(index: u64, bytes: Vec<u8>) -> Result<Self, LedgerError> {
        let damaged = |says: String| LedgerError::Damaged(format!("entry {index}: {says}"));
        // Most entries are plain deals, and are read in place.
        let (commitment, kind, news) = if let Some(deal) = PlainDeal::read(&bytes) {
            (Some(deal.commitment), "deal", News::Round(deal.nonce, None))
        } else {
            let entry = Entry::parse(&bytes).map_err(|e| damaged(e.to_string()))?;
            (entry.commitment(), entry.kind(), News::of(entry))
        };
        let bytes = String::from_utf8(bytes).map_err(|e| damaged(e.to_string()))?;
        Ok(Self { index, commitment, kind, bytes, news })
    }
}

/// The log's newest entries, and how many it has.
#[derive(Debug)]
pub(super) struct Feed {
    /// Sent by [`Feed::follow`] alone, after `recent` has the entries.
    size: watch::Sender<u64>,
    /// Written by [`Feed::follow`] alone.
    recent: RwLock<Recent>,
    woken: Notify,
}

/// The newest entries.
#[derive(Debug, Default)]
struct Recent {
    events: VecDeque<Arc<Event>>,
    bytes: usize,
}

impl Recent {
    fn extend(&mut self, events: Vec<Arc<Event>>) {
        self.bytes += events.iter().map(|event| event.bytes.len()).sum::<usize>();
        self.events.extend(events);
        while self.events.len() > RECENT || self.bytes > RECENT_BYTES {
            let Some(oldest) = self.events.pop_front() else { break };
            self.bytes -= oldest.bytes.len();
        }
    }
}

impl Feed {
    /// A feed that begins after so many entries.
    pub(super) fn after(size: u64) -> Self {
        Self { size: watch::Sender::new(size), recent: RwLock::default(), woken: Notify::new() }
    }

    /// How many entries the published log has; and when that changes.
    pub(super) fn size(&self) -> watch::Receiver<u64> {
        self.size.subscribe()
    }

    /// Looks at once: this node has published something.
    pub(super) fn wake(&self) {
        self.woken.notify_one();
    }

    /// Follows the log until it is dropped. `each` gets every new entry in order.
    pub(super) async fn follow(&self, reader: &Reader, mut each: impl FnMut(&Arc<Event>)) {
        loop {
            let woken = tokio::time::timeout(LOOK, self.woken.notified()).await.is_ok();
            if let Err(error) = self.catch_up(reader, woken, &mut each).await {
                tracing::warn!(%error, "the published log cannot be read");
                tokio::time::sleep(LOOK).await;
            }
        }
    }

    async fn catch_up(
        &self,
        reader: &Reader,
        woken: bool,
        each: &mut impl FnMut(&Arc<Event>),
    ) -> Result<(), LedgerError> {
        // This node knows the size that it published.
        let published = if woken { reader.known_size() } else { reader.published_size().await? };
        let mut next = *self.size.borrow();
        while next < published {
            let events = self.read(reader, next, AT_ONCE).await?;
            let Some(last) = events.last() else { break };
            next = last.index + 1;
            events.iter().for_each(&mut *each);
            let mut recent = self.recent.write().unwrap_or_else(PoisonError::into_inner);
            recent.extend(events);
            drop(recent);
            self.size.send_replace(next);
        }
        Ok(())
    }

    async fn read(
        &self,
        reader: &Reader,
        from: u64,
        most: u32,
    ) -> Result<Vec<Arc<Event>>, LedgerError> {
        let found = reader.entries(from, most).await?;
        found.into_iter().map(|(index, bytes)| Event::read(index, bytes).map(Arc::new)).collect()
    }

    /// Entries from an index on, from memory or from the published files: at most [`AT_ONCE`].
    pub(super) async fn from(
        &self,
        reader: &Reader,
        from: u64,
    ) -> Result<Vec<Arc<Event>>, LedgerError> {
        if let Some(events) = self.remembered(from) {
            return Ok(events);
        }
        self.read(reader, from, AT_ONCE).await
    }

    /// The events from an index on, if they are in memory.
    pub(super) fn remembered(&self, from: u64) -> Option<Vec<Arc<Event>>> {
        let recent = &self.recent.read().unwrap_or_else(PoisonError::into_inner).events;
        let first = recent.front()?.index;
        let skip = usize::try_from(from.checked_sub(first)?).ok()?;
        let most = usize::try_from(AT_ONCE).unwrap_or(usize::MAX);
        (skip < recent.len()).then(|| recent.iter().skip(skip).take(most).cloned().collect())
    }
}
