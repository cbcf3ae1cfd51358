//! A raffle's number, which its organiser announces before the draw (spec/raffle.md, section 38).

use fairdeal::raffle::RaffleDocument;
use fairdeal::record::entry::{Entry, Lock};
use sha2::{Digest as _, Sha256};

/// The groups of a number: each is two bytes, in four digits.
const GROUPS: usize = 10;
/// The most characters of a message that are read.
const MOST: usize = 20_000;
/// Characters that nobody sees: soft hyphens, and those without a width.
const UNSEEN: [char; 8] =
    ['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{2060}', '\u{feff}'];
const HYPHENS: [char; 8] =
    ['-', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}'];
/// A number after one of these is in an address, where people do not read it.
const BEFORE: [char; 9] = ['/', '=', '#', '?', '&', '%', '_', '.', '@'];

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
        Sha256::digest(promise).chunks(2).take(GROUPS).map(hex::encode).collect();
    groups.join("-")
}

/// The different raffle numbers in a message (spec/raffle.md, section 38): groups of four digits with
/// hyphens between them, ten or more. More than ten give each number that they may have.
pub(super) fn in_message(message: &[u8]) -> Vec<String> {
    let end = message.len().min(4 * MOST);
    let text = String::from_utf8_lossy(message.get(..end).unwrap_or_default());
    let text: String = text.chars().take(MOST).filter(|c| !UNSEEN.contains(c)).collect();
    let text = text.to_ascii_lowercase();
    let mut found: Vec<String> = Vec::new();
    let (mut before, mut next) = (' ', 0);
    for (at, first) in text.char_indices() {
        let is_inside = before.is_alphanumeric() || BEFORE.contains(&before);
        before = first;
        if at < next || is_inside {
            continue;
        }
        let (groups, length) = run(text.get(at..).unwrap_or_default());
        if groups.len() < GROUPS {
            continue;
        }
        next = at.saturating_add(length);
        for number in groups.windows(GROUPS).map(|ten| ten.join("-")) {
            if !found.contains(&number) {
                found.push(number);
            }
        }
    }
    found
}

/// The groups at the beginning of a text, and how many bytes they are. A hyphen may end a line, and a
/// program for mail quotes the next one.
fn run(text: &str) -> (Vec<&str>, usize) {
    let (mut groups, mut rest, mut length) = (Vec::new(), text, 0);
    while let Some((group, after)) = rest.split_at_checked(4)
        && group.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !after.starts_with(char::is_alphanumeric)
    {
        groups.push(group);
        length = text.len().saturating_sub(after.len());
        let Some(between) = after.strip_prefix(HYPHENS) else { break };
        rest = after_line(between);
    }
    (groups, length)
}

/// The text after at most two blanks, and after the end of a line with at most eight blanks and signs
/// of quoting.
fn after_line(text: &str) -> &str {
    let text = after_some(text, 2, b" \t");
    let line = text.strip_prefix('\r').unwrap_or(text).strip_prefix('\n');
    line.map_or(text, |line| after_some(line, 8, b" \t>"))
}

/// The text after at most so many of these ASCII characters.
fn after_some<'a>(text: &'a str, most: usize, of: &[u8]) -> &'a str {
    let some = text.bytes().take(most).take_while(|byte| of.contains(byte)).count();
    text.get(some..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_numbers_that_the_page_finds_in_it() {
        let file = std::fs::read("../../fixtures/raffle-messages.json").expect("a file");
        let file: serde_json::Value = serde_json::from_slice(&file).expect("JSON");
        let messages = file["messages"].as_array().expect("messages");
        assert!(messages.len() > 20);
        for message in messages {
            let text = message["text"].as_str().expect("a text");
            assert_eq!(
                serde_json::json!(in_message(text.as_bytes())),
                message["numbers"],
                "{message}"
            );
        }
        // Of a file that is not in UTF-8 the rest is read.
        let latin = b"M\xfcller: dfcc-14c2-695a-987f-3195-05f9-d35d-a4a2-0c88-4b9f";
        assert_eq!(in_message(latin).len(), 1);
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
