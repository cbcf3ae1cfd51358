//! Counts a log's deals as they are recorded, without replaying them: statistics for a reader who
//! has no key.
//!
//! Not for judging a deal: the audit does that.

use std::collections::HashMap;
use std::mem;

use super::drawn::{Counting, Drawn};
use super::statistics::LogStatistics;
use super::tallies::Tallies;
use crate::stats::DeckLines;
use fairdeal::deal::{Commitment, Deck, DeckName};
use fairdeal::record::entry::{Commit, Entry, PlainDeal, PlainForm, ResultForm};

/// The number of deals that are gathered before they are counted.
const TOGETHER: usize = 512;

/// Counts a log's deals by the cards and indices in its entries. Deals behind seals and digests are
/// not counted.
#[derive(Debug)]
pub struct Unjudged {
    /// The open commitments; their terms say how deals are read.
    commits: HashMap<Commitment, Box<Commit>>,
    readers: HashMap<(DeckName, u64), DeckLines>,
    /// By deck and draw: deals in the log's order, and how many.
    gathered: HashMap<(String, u64), (usize, Drawn)>,
    tallies: Tallies,
    /// Entries and deals that were taken.
    entries: u64,
    deals: u64,
}

impl Default for Unjudged {
    fn default() -> Self {
        Self::after(None)
    }
}

impl Unjudged {
    /// Counts all deals, or those after the entry of this index.
    #[must_use]
    pub fn after(entry: Option<u64>) -> Self {
        let tallies = Tallies::new(entry.map_or(Counting::All, Counting::After));
        let (commits, readers, gathered) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { commits, readers, gathered, tallies, entries: 0, deals: 0 }
    }

    /// Takes the log's next entry. Skips bytes that are no entry, and deals without a commitment.
    pub fn take(&mut self, entry: &[u8]) {
        self.entries = self.entries.saturating_add(1);
        if let Some(deal) = PlainDeal::read(entry) {
            let cards = std::str::from_utf8(deal.result(entry))
                .ok()
                .filter(|_| deal.form == PlainForm::Cards);
            return self.deal(deal.commitment, |reader| reader.read(cards?.as_bytes()).ok());
        }
        match Entry::parse(entry) {
            Ok(Entry::Commit(commit)) => drop(self.commits.insert(commit.commitment, commit)),
            Ok(Entry::Reveal(reveal)) => drop(self.commits.remove(&reveal.commitment)),
            Ok(Entry::Deal(deal)) => match deal.result {
                ResultForm { indices: Some(indices), .. } => {
                    let items =
                        indices.iter().map(|index| u32::try_from(index.value()).ok()).collect();
                    self.items(deal.commitment, items);
                }
                ResultForm { cards: Some(cards), .. } => {
                    self.deal(deal.commitment, |reader| {
                        reader.read(cards.as_str().as_bytes()).ok()
                    });
                }
                _ => self.items(deal.commitment, None),
            },
            _ => {}
        }
    }

    /// Reads cards as item numbers of their deck.
    fn deal(
        &mut self,
        commitment: Commitment,
        read: impl FnOnce(&mut DeckLines) -> Option<Vec<u32>>,
    ) {
        let terms = self.commits.get(&commitment).map(|commit| (commit.deck, commit.draw.value()));
        let items = terms.and_then(|(deck, draw)| match deck {
            Deck::Named(name) => {
                read(self.readers.entry((name, draw)).or_insert_with(|| DeckLines::of(name)))
            }
            Deck::List { .. } => None,
        });
        self.items(commitment, items);
    }

    fn items(&mut self, commitment: Commitment, items: Option<Vec<u32>>) {
        let index = self.entries - 1;
        self.deals = self.deals.saturating_add(1);
        self.tallies.dealt(index);
        let (Some(items), Some(commit)) = (items, self.commits.get(&commitment)) else { return };
        let draw = commit.draw.value();
        if u64::try_from(items.len()) != Ok(draw) {
            return;
        }
        let counting = self.tallies.counting();
        let key = (commit.deck.to_string(), draw);
        let (count, drawn) =
            self.gathered.entry(key).or_insert_with(|| (0, Drawn::of(commit, counting)));
        drawn.add(index, || Some(items));
        *count += 1;
        if *count >= TOGETHER {
            *count = 0;
            self.tallies.take(mem::replace(drawn, Drawn::of(commit, counting)));
            for work in self.tallies.work(false) {
                self.tallies.tallied(work.run());
            }
        }
    }

    /// The statistics of all that was taken.
    #[must_use]
    pub fn finish(mut self) -> LogStatistics {
        for (_, drawn) in mem::take(&mut self.gathered).into_values() {
            self.tallies.take(drawn);
        }
        self.tallies.finish(self.deals)
    }
}
