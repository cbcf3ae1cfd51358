//! A raffle's list, and its winners (spec/raffle.md, section 35).

use std::collections::HashSet;

use crate::deal::{Deck, List, ListError, index};

/// The lines of a raffle's list: each is a ticket.
#[derive(Clone, Debug)]
pub struct Tickets {
    list: List,
    /// The number of different lines.
    different: u32,
}

/// A file is not a raffle's list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TicketsError {
    /// Too long.
    #[error("a raffle's list: expected at most {most} bytes, found {0}", most = Tickets::MOST)]
    TooLong(usize),
    /// No list.
    #[error(transparent)]
    List(#[from] ListError),
}

impl Tickets {
    /// The most bytes of a list: 64 MiB.
    pub const MOST: usize = 67_108_864;

    /// Reads a raffle's list (35.1).
    ///
    /// # Errors
    /// [`TicketsError`], which names the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, TicketsError> {
        if bytes.len() > Self::MOST {
            return Err(TicketsError::TooLong(bytes.len()));
        }
        let list = List::parse(bytes)?;
        let mut seen = HashSet::with_capacity(list.items().len());
        seen.extend(list.items().iter().map(String::as_str));
        let different = u32::try_from(seen.len()).unwrap_or(u32::MAX); // at most 2^20
        Ok(Self { list, different })
    }

    /// The deck that the list is.
    #[must_use]
    pub const fn deck(&self) -> Deck {
        self.list.deck()
    }

    /// The lines, in order, without their LF.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        self.list.items()
    }

    /// The number of lines.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.list.deck().items()
    }

    /// The number of different lines.
    #[must_use]
    pub const fn different(&self) -> u32 {
        self.different
    }

    /// How many items a raffle's commit draws (35.2); `None` if the list has fewer than so many
    /// different lines.
    #[must_use]
    pub const fn draw(&self, winners: u32) -> Option<u32> {
        if winners > self.different {
            return None;
        }
        Some(if self.different == self.count() { winners } else { self.count() })
    }

    /// The line with this number, from 0.
    #[must_use]
    pub fn line(&self, item: u32) -> Option<&str> {
        self.lines().get(index(item)).map(String::as_str)
    }

    /// The winners (35.3): of items in the order of their deal, the first `winners` with different
    /// lines.
    #[must_use]
    pub fn winners(&self, dealt: &[u32], winners: u32) -> Vec<u32> {
        let mut won = HashSet::new();
        let is_new = |item: &u32| self.line(*item).is_some_and(|line| won.insert(line));
        dealt.iter().copied().filter(is_new).take(index(winners)).collect()
    }

    /// How many tickets a line has, and its first item, from 0.
    #[must_use]
    pub fn find(&self, line: &str) -> (u32, Option<u32>) {
        let mut items = (0_u32..).zip(self.lines()).filter(|(_, one)| *one == line);
        let first = items.next().map(|(item, _)| item);
        let more = u32::try_from(items.count()).unwrap_or(u32::MAX);
        (first.map_or(0, |_| more.saturating_add(1)), first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tickets(text: &str) -> Tickets {
        Tickets::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_list_of_different_lines_draws_its_winners_and_another_one_all() {
        let different = tickets("a\nb\nc\n");
        assert_eq!([0, 1, 3, 4].map(|w| different.draw(w)), [Some(0), Some(1), Some(3), None]);
        let repeated = tickets("a\nb\na\n");
        assert_eq!([1, 2, 3].map(|w| repeated.draw(w)), [Some(3), Some(3), None]);
        assert_eq!(tickets("a\n").draw(1), Some(1));
        // Lines are bytes: nothing is folded.
        assert_eq!(tickets("a\nA\n a\na \n").different(), 4);
    }

    #[test]
    fn nobody_wins_twice() {
        let list = tickets("a\nb\na\na\nc\n");
        assert_eq!(list.winners(&[3, 0, 1, 2, 4], 2), [3, 1]);
        assert_eq!(list.winners(&[3, 0, 1, 2, 4], 3), [3, 1, 4]);
        assert_eq!(list.winners(&[4, 1, 0], 2), [4, 1]);
        assert_eq!(list.find("a"), (3, Some(0)));
        assert_eq!(list.find("c"), (1, Some(4)));
        assert_eq!(list.find("d"), (0, None));
    }

    #[test]
    fn a_list_ends_at_64_mib() {
        let line = "x".repeat(Tickets::MOST - 1);
        assert!(Tickets::parse(format!("{line}\n").as_bytes()).is_ok());
        let long = Tickets::parse(format!("{line}x\n").as_bytes());
        assert_eq!(long.unwrap_err(), TicketsError::TooLong(Tickets::MOST + 1));
    }
}
