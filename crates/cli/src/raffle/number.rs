//! A raffle's number, which its organiser announces before the draw (spec/raffle.md, section 38).

use fairdeal::raffle::RaffleDocument;
use fairdeal::record::entry::{Entry, Lock};
use sha2::{Digest as _, Sha256};

/// The number's length in bytes.
const LENGTH: usize = 20;

/// The raffle's lock, and its bytes in the log. A document that was read has one.
pub(super) fn lock_of(document: &RaffleDocument) -> Option<(Lock, &[u8])> {
    let mut entries = document.receipt().entries.iter().map(|one| one.entry.as_bytes());
    entries.find_map(|bytes| match Entry::parse(bytes) {
        Ok(Entry::Lock(lock)) if lock.beacon.is_some() => Some((*lock, bytes)),
        _ => None,
    })
}

/// The number of a raffle, in groups of four digits.
pub(crate) fn of(document: &RaffleDocument) -> String {
    let commit = document.receipt().entries.first().map(|one| one.entry.as_bytes());
    let lock = lock_of(document).map(|(_, bytes)| bytes);
    let promise = [commit.unwrap_or_default(), b"\n", lock.unwrap_or_default()].concat();
    let groups: Vec<String> =
        Sha256::digest(promise).chunks(2).take(LENGTH / 2).map(hex::encode).collect();
    groups.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_of_the_promise_alone_and_stays_after_the_draw() {
        let numbers = ["before", "drawn"].map(|name| {
            let path = format!("../../fixtures/raffles/{name}/document.json");
            of(&RaffleDocument::parse(&std::fs::read(path).unwrap()).unwrap())
        });
        // As the page computes it.
        assert_eq!(numbers, ["dfcc-14c2-695a-987f-3195-05f9-d35d-a4a2-0c88-4b9f"; 2]);
    }
}
