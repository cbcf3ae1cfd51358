//! A raffle's number, which its organiser announces before the draw (spec/raffle.md, section 38).

use fairdeal::raffle::RaffleDocument;
use fairdeal::record::entry::{Entry, Lock};
use sha2::{Digest as _, Sha256};

/// The number's length in bytes.
const LENGTH: usize = 20;
/// The most bytes of a message with a number.
const MOST: usize = 20_000;

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

/// The number in a message: programs for mail break lines and replace signs. `None` if it has none, or
/// more than one.
pub(super) fn in_message(message: &[u8]) -> Option<String> {
    let text = str::from_utf8(message).ok().filter(|text| text.len() <= MOST)?;
    let text = text.to_ascii_lowercase();
    let mut before = ' ';
    let mut found: Vec<String> = Vec::new();
    for (at, digit) in text.char_indices() {
        let is_first = !std::mem::replace(&mut before, digit).is_alphanumeric();
        let number = text.get(at..).filter(|_| is_first).and_then(at_start);
        found.extend(number.filter(|number| !found.contains(number)));
    }
    found.pop().filter(|_| found.is_empty())
}

fn at_start(mut text: &str) -> Option<String> {
    let is_between =
        |c: char| c.is_whitespace() || "-\u{2010}\u{2011}\u{2012}–—\u{2015}".contains(c);
    let mut groups = Vec::with_capacity(LENGTH / 2);
    for _ in 0..LENGTH / 2 {
        let (group, rest) = text.split_at_checked(4)?;
        groups.push(group);
        text = rest.trim_start_matches(is_between);
        if !group.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        if groups.len() == LENGTH / 2 {
            return (!rest.starts_with(char::is_alphanumeric)).then(|| groups.join("-"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_one_number_however_it_is_broken() {
        let number = "dfcc-14c2-695a-987f-3195-05f9-d35d-a4a2-0c88-4b9f";
        let plain = number.replace('-', "");
        for message in [
            number.to_owned(),
            plain.clone(),
            number.to_uppercase(),
            format!(
                "Winter raffle: draw at 7. Raffle number {number}. Keep this message; {number}"
            ),
            number.replace('-', "\u{2011}"),
            number.replace("-3195-", "-\r\n> 3195 - ").replace("> ", ""),
        ] {
            assert_eq!(in_message(message.as_bytes()).as_deref(), Some(number), "{message:?}");
        }
        for other in [
            "",
            "no number",
            "dfcc-14c2-695a",
            &format!("{plain}0"),
            &format!("x{plain}"),
            &format!("{number} or {}", number.replace("dfcc", "0000")),
            &plain.repeat(2)[..64],
        ] {
            assert_eq!(in_message(other.as_bytes()), None, "{other:?}");
        }
    }

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
