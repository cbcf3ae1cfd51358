//! The entries that findings name: their bytes, their place in the log, and a command that prints
//! them.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::words::{many, number, spelled};
use fairdeal::log::Hash;
use fairdeal::record::Finding;
use fairdeal::spelled::quoted;
use fairdeal::spelled::spell;
use fairdeal_audit::AuditVerdict;
use fairdeal_audit::stats::number::count;

/// An entry of the log, read again for the page.
#[derive(Clone, Debug)]
pub struct EntryBytes {
    /// Its index.
    pub index: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Its hash in the tree.
    pub leaf: Hash,
    /// The file that holds it: a path, or an address.
    pub place: String,
    /// The offset in that file, in bytes.
    pub offset: u64,
}

/// The most findings of each code that are shown with their entry.
pub(super) const OF_EACH: usize = 5;
/// The most characters of an entry that are shown. Most entries have some three hundred.
const CHARACTERS: usize = 2_000;
/// The most HTML that all entries together may take.
const BUDGET: usize = 500_000;

/// The indices of the entries that the page shows with its findings: those of the first five of
/// each code.
#[must_use]
pub fn entries_to_show(verdict: &AuditVerdict) -> BTreeSet<u64> {
    let mut of_code: BTreeMap<&str, usize> = BTreeMap::new();
    let first = |finding: &&Finding| {
        let so_far = of_code.entry(finding.code.as_str()).or_default();
        *so_far = so_far.saturating_add(1);
        *so_far <= OF_EACH
    };
    verdict.findings.iter().filter(first).filter_map(|finding| finding.index).collect()
}

/// The entries while the page is written: each is shown once, and all together in a bounded space.
#[derive(Debug)]
pub(super) struct Shelf<'a> {
    entries: BTreeMap<u64, &'a EntryBytes>,
    shown: BTreeSet<u64>,
    left: usize,
}

impl<'a> Shelf<'a> {
    pub(super) fn of(entries: &'a [EntryBytes]) -> Self {
        let entries = entries.iter().map(|entry| (entry.index, entry)).collect();
        Self { entries, shown: BTreeSet::new(), left: BUDGET }
    }

    /// The entry at an index, or a link to it if it was shown before. `None` if there is no room
    /// for it.
    pub(super) fn take(&mut self, index: u64) -> Option<Markup> {
        let id = format!("entry-{index}");
        if self.shown.contains(&index) {
            return Some(
                html! { div class="under" { a href=(format!("#{id}")) { "its bytes are shown above" } } },
            );
        }
        let shown = details(self.entries.get(&index)?, &id);
        self.left = self.left.checked_sub(shown.0.len())?;
        self.shown.insert(index);
        Some(shown)
    }
}

fn details(entry: &EntryBytes, id: &str) -> Markup {
    let EntryBytes { index, bytes, leaf, place, offset } = entry;
    let is_address = place.starts_with("https://") || place.starts_with("http://");
    let (text, cut) = readable(bytes);
    let command = command(place, is_address, *offset, bytes.len());
    html! {
        details id=(id) {
            summary { "Entry " (number(*index)) " as it was logged" }
            pre tabindex="0" { code { (text) } }
            @if cut > 0 { p class="more" { "and " (many(cut, "more byte", "more bytes")) ", which the command prints" } }
            dl {
                dt { "In" } dd { @if is_address { a href=(place) rel="noreferrer" { (spelled(place)) } } @else { (spelled(place)) } }
                dt { "Leaf hash" } dd class="code" { (leaf.to_hex()) }
            }
            p class="under" { "Print the bytes, then their leaf hash:" }
            pre tabindex="0" { code { (command) "\n{ printf '\\0'; " (command) "; } | sha256sum" } }
        }
    }
}

/// The bytes as text, or in hex if they are no UTF-8, and the number of bytes that are left out.
fn readable(bytes: &[u8]) -> (String, u64) {
    let Ok(utf8) = std::str::from_utf8(bytes) else {
        let shown = &bytes[..bytes.len().min(CHARACTERS / 2)];
        return (hex::encode(shown), count(bytes.len() - shown.len()));
    };
    let (mut text, mut rest) = (String::new(), utf8.chars());
    while text.len() < CHARACTERS
        && let Some(character) = rest.next()
    {
        spell(character, &mut text);
    }
    (text, count(rest.as_str().len()))
}

/// A shell command that prints the entry.
fn command(place: &str, is_address: bool, offset: u64, length: usize) -> String {
    let (from, place) = (offset.saturating_add(1), spelled(&quoted(place)));
    if is_address {
        format!("curl -s {place} | tail -c +{from} | head -c {length}")
    } else {
        format!("tail -c +{from} {place} | head -c {length}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairdeal::log::leaf_hash;

    fn entry(index: u64, bytes: &[u8]) -> EntryBytes {
        let place = "public/tile/entries/000.p/4".to_owned();
        EntryBytes { index, bytes: bytes.to_vec(), leaf: leaf_hash(bytes), place, offset: 700 }
    }

    #[test]
    fn an_entry_is_shown_once_and_then_linked_until_there_is_no_room() {
        let long = entry(2, &vec![b'"'; 60_000]);
        let mut entries = vec![entry(1, b"{\"a\":1}")];
        entries.extend((2..400).map(|index| EntryBytes { index, ..long.clone() }));
        let mut shelf = Shelf::of(&entries);
        let first = shelf.take(1).map(Markup::into_string).unwrap_or_default();
        assert!(first.contains("{&quot;a&quot;:1}"), "{first}");
        assert!(
            first.contains("tail -c +701 public/tile/entries/000.p/4 | head -c 7\n"),
            "{first}"
        );
        assert!(shelf.take(1).is_some_and(|again| again.0.contains("href=\"#entry-1\"")));
        let second = shelf.take(2).map(Markup::into_string).unwrap_or_default();
        assert!(
            second.contains("and 58,000 more bytes") && second.len() < 14_000,
            "{}",
            second.len()
        );
        assert!(shelf.take(500).is_none());
        let all: usize =
            (3..400).filter_map(|index| shelf.take(index)).map(|shown| shown.0.len()).sum();
        assert!(all > BUDGET / 2 && all <= BUDGET, "{all}");
    }

    #[test]
    fn bytes_that_are_no_text_are_hex_and_what_hides_is_spelled_out() {
        assert_eq!(readable(&[0xff, 0x00, 0x41]), ("ff0041".to_owned(), 0));
        assert_eq!(readable("a\u{202e}b".as_bytes()), ("a\\u{202e}b".to_owned(), 0));
        assert_eq!(readable(&vec![0xff; 1_500]).1, 500);
        let curl = command("https://cards.example/a b", true, 0, 9);
        assert_eq!(curl, "curl -s 'https://cards.example/a b' | tail -c +1 | head -c 9");
    }
}
