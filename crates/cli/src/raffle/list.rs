//! An organiser's list before it is promised: its form is put right, and what looks like a mistake
//! is found. Nothing of it can be changed after the promise.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Place;

use super::{shapes, spelling};
use crate::exit::Failure;
use crate::out::count;
use fairdeal::deal::{Deck, Nonce};
use fairdeal::record::entry::Entry;
use fairdeal::record::life::End;
use fairdeal_ledger::{Choice, LedgerError, Reader, Summary, raffle_rules};

/// The words of a first cell that is the heading of a table's column.
const HEADINGS: &str = "\
name,names,full name,first name,last name,surname,e-mail,email,mail,e-mail address,email address,address,\
ticket,tickets,number,no,no.,id,entrant,entrants,member,members,participant,participants,\
vorname,nachname,adresse,los,lose,losnummer,nummer,nr,nr.,mitglied,mitglieder,teilnehmer";

/// The most mistakes of a kind that are named.
const MOST: usize = 5;

/// The most characters of a line that are quoted.
const QUOTED: usize = 40;

/// Commitments that are read at once.
const PAGE: u32 = 1_000;

/// A file in the form of a list.
pub(super) struct Right {
    pub(super) bytes: Vec<u8>,
    /// What was changed, in words.
    pub(super) changed: Vec<String>,
    /// How many lines stand before each empty line that was removed.
    empty: Vec<usize>,
}

impl Right {
    /// The number in the organiser's own file of a line at this place, from 0: there people look for
    /// it.
    pub(super) fn number(&self, place: usize) -> usize {
        let empty = self.empty.partition_point(|before| *before <= place);
        place.saturating_add(empty).saturating_add(1)
    }
}

/// Brings a file into the form of a list (spec/raffle.md, 35.1), as far as no ticket changes by it.
pub(super) fn put_right(mut bytes: Vec<u8>) -> Right {
    let mut changed = Vec::new();
    let mut did = |what: &str| changed.push(what.to_owned());
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(.."\u{feff}".len());
        did("byte order mark removed");
    }
    let length = bytes.len();
    let mut rest = bytes.into_iter().peekable();
    let mut bytes = Vec::with_capacity(length);
    while let Some(byte) = rest.next() {
        if byte != b'\r' || rest.peek() != Some(&b'\n') {
            bytes.push(byte);
        }
    }
    if bytes.len() < length {
        did("line ends of Windows replaced");
    }
    let mut empty = Vec::new();
    // What is no list stays as it is, so that its errors name the right lines.
    if let Ok(text) = str::from_utf8(&bytes)
        && !text.contains('\r')
    {
        let (mut all, mut right) = (0_usize, String::with_capacity(bytes.len()));
        for line in text.split_inclusive('\n') {
            if line.trim().is_empty() {
                empty.push(all);
            } else {
                all = all.saturating_add(1);
                right.push_str(line);
            }
        }
        bytes = right.into_bytes();
    }
    if !empty.is_empty() {
        did(&format!("{} removed", count(empty.len(), "empty line", "empty lines")));
    }
    if bytes.last().is_some_and(|last| *last != b'\n') {
        did("line end added to the last line");
        bytes.push(b'\n');
    }
    Right { bytes, changed, empty }
}

/// Refuses a list with what looks like a mistake, each named with its line.
/// Exit 2.
pub(super) fn look(name: &str, lines: &[String], right: &Right) -> Result<(), Failure> {
    let mut found = Found::of_heading(lines, right);
    found.add_shapes(lines, right);
    for (place, line) in lines.iter().enumerate().filter(|(_, line)| shapes::has_mail(line)) {
        let number = right.number(place);
        found.public.push(|| {
            format!(
                "line {number}: {} has an e-mail address, and everybody will read it: fairdeal raffle hash hides it",
                quoted(line)
            )
        });
    }
    let mut seen: HashMap<String, (usize, &str)> = HashMap::with_capacity(lines.len());
    for (place, line) in lines.iter().enumerate() {
        let number = right.number(place);
        if line.trim() != line {
            let blank = if line.trim_matches('\t') == line { "blank" } else { "tab" };
            found
                .blanks
                .push(|| format!("line {number}: {} has a {blank} at an end", quoted(line)));
        }
        match seen.entry(spelling::alike(line)) {
            Place::Vacant(vacant) => drop(vacant.insert((number, line))),
            Place::Occupied(first) if first.get().1 != line => {
                let (first, other) = *first.get();
                found.alike.push(|| {
                    let (other, line) = (quoted(other), quoted(line));
                    format!(
                        "lines {first} and {number}: {other} and {line} differ only in {}",
                        spelling::HOW
                    )
                });
            }
            Place::Occupied(_) => {}
        }
    }
    found.refuse(name)
}

/// The same for a list of addresses, whose case and blanks do not count. Where most lines have an
/// "@", each gets a mail.
pub(super) fn look_at_addresses(
    name: &str,
    lines: &[String],
    right: &Right,
) -> Result<(), Failure> {
    let mut found = Found::of_heading(lines, right);
    let is_mail = lines.iter().filter(|line| line.contains('@')).count() > lines.len() / 2;
    let rest = lines.iter().enumerate().skip(found.heading.all);
    for (place, line) in rest.filter(|(_, line)| is_mail && !shapes::is_mail(line)) {
        let number = right.number(place);
        found.mails.push(|| {
            let line = quoted(line);
            format!(
                "line {number}: {line} does not look like one e-mail address: its owner may not get the link"
            )
        });
    }
    found.refuse(name)
}

/// The lines of a list that look like mistakes.
#[derive(Default)]
struct Found {
    one: Kind,
    heading: Kind,
    public: Kind,
    mails: Kind,
    enumerated: Kind,
    counted: Kind,
    total: Kind,
    blanks: Kind,
    alike: Kind,
}

/// Mistakes of one kind: how many, and the first of them in words.
#[derive(Default)]
struct Kind {
    all: usize,
    says: Vec<String>,
}

impl Kind {
    fn push(&mut self, says: impl FnOnce() -> String) {
        self.all = self.all.saturating_add(1);
        if self.says.len() < MOST {
            self.says.push(says());
        }
    }

    fn into_lines(mut self, of: &str) -> Vec<String> {
        let more = self.all.saturating_sub(self.says.len());
        if more > 0 {
            self.says.push(format!("and {more} more {of}"));
        }
        self.says
    }
}

impl Found {
    fn of_heading(lines: &[String], right: &Right) -> Self {
        let mut found = Self::default();
        if let Some(line) =
            lines.first().filter(|line| is_heading(line) || is_heading_of_year(lines))
        {
            let number = right.number(0);
            found.heading.push(|| {
                format!("line {number}: {} looks like the heading of a table", quoted(line))
            });
        }
        found
    }

    /// Adds the lines that mean something else than one ticket.
    fn add_shapes(&mut self, lines: &[String], right: &Right) {
        if let [line] = lines
            && line.contains([',', ';'])
        {
            let number = right.number(0);
            self.one.push(|| {
                format!(
                    "line {number}: {} is the only line, and so the only ticket: put each entrant on a line of their own",
                    quoted(line)
                )
            });
        }
        let is_most = |some: usize| some > lines.len() / 2;
        let enumerated = || {
            lines
                .iter()
                .enumerate()
                .filter_map(|(place, line)| Some((place, line, shapes::enumerated(line)?)))
        };
        let all = enumerated().count();
        if let Some((place, line, name)) = enumerated().next().filter(|_| all > 1 && is_most(all)) {
            let number = right.number(place);
            let (line, name) = (quoted(line), quoted(name));
            self.enumerated.push(|| {
                format!(
                    "line {number}: {line} is the ticket, and not {name}: {all} lines have a number or a sign in front"
                )
            });
        }
        let last = lines.len().saturating_sub(1);
        if let Some(line) = lines.last().filter(|line| last > 0 && shapes::is_total(line)) {
            let number = right.number(last);
            self.total.push(|| {
                format!("line {number}: {} looks like a total. It would be a ticket", quoted(line))
            });
        }
        for (place, line) in lines.iter().enumerate() {
            let Some(one) = shapes::counted(line) else { continue };
            if place == last && shapes::is_total(line) {
                continue;
            }
            let (number, count) = (right.number(place), one.count);
            self.counted.push(|| {
                format!(
                    "line {number}: {} is ONE ticket: for {count}, write the line {count} times",
                    quoted(line)
                )
            });
        }
    }

    fn refuse(self, name: &str) -> Result<(), Failure> {
        let Self { one, heading, public, mails, enumerated, counted, total, blanks, alike } = self;
        let alike_more = format!("that differ only in {}", spelling::HOW);
        let kinds = [
            (one, ""),
            (heading, ""),
            (public, "with an e-mail address"),
            (mails, "that do not look like one e-mail address"),
            (enumerated, ""),
            (counted, "with a count"),
            (total, ""),
            (blanks, "with a blank at an end"),
            (alike, &*alike_more),
        ];
        let all = kinds.iter().fold(0_usize, |all, (kind, _)| all.saturating_add(kind.all));
        if all == 0 {
            return Ok(());
        }
        let mut lines: Vec<String> =
            kinds.into_iter().flat_map(|(kind, of)| kind.into_lines(of)).collect();
        lines.push(format!(
            "Nothing is promised yet, and a promise cannot be changed. Correct {name}, or give --as-is if the list is meant so."
        ));
        let mistakes = count(all, "line looks like a mistake", "lines look like mistakes");
        Err(usage!("{name}: {mistakes}").hint(lines.join("\n")))
    }
}

/// Whether a list's first line is a heading: it, or its first cell, is a word for a column.
fn is_heading(line: &str) -> bool {
    is_word_of_column(first_cell(line))
}

/// Whether a list's first line is a heading with a year. "Ticket 2001" above "Ticket 2002" is none.
fn is_heading_of_year(lines: &[String]) -> bool {
    let is_one = |line: &String| {
        first_cell(line).rsplit_once(char::is_whitespace).is_some_and(|(word, year)| {
            let is_year = year.len() == 4 && (year.starts_with("19") || year.starts_with("20"));
            is_year
                && year.bytes().all(|b| b.is_ascii_digit())
                && is_word_of_column(word.trim_end())
        })
    };
    lines.first().is_some_and(is_one) && !lines.get(1).is_some_and(is_one)
}

fn first_cell(line: &str) -> &str {
    let cell = line.split([',', ';', '\t']).next().unwrap_or_default();
    cell.trim_matches(|c: char| c.is_whitespace() || c == '"')
}

fn is_word_of_column(word: &str) -> bool {
    let word = word.to_lowercase();
    HEADINGS.split(',').any(|heading| heading == word)
}

/// The beginning of a line in quotes, which show its blanks. Few people know `\t`.
fn quoted(line: &str) -> String {
    let mut rest = line.chars();
    let begins: String = rest.by_ref().take(QUOTED).collect();
    let more = if rest.next().is_some() { "…" } else { "" };
    format!("{:?}{more}", begins.replace('\t', "[a tab]"))
}

/// The first raffle of this ledger with this list, unless it was given up.
pub(super) async fn promised_before(
    ledger: &Reader,
    deck: Deck,
) -> Result<Option<Summary>, LedgerError> {
    // The ledger keeps each raffle's list: most lists are new, and no commitment is read for them.
    let Deck::List { sha256, .. } = &deck else { return Ok(None) };
    if ledger.kept_file(sha256).await?.is_none() {
        return Ok(None);
    }
    let mut from = 0;
    loop {
        let page = ledger.list(&Choice::default(), from, PAGE).await?;
        let Some(last) = page.last() else { return Ok(None) };
        from = last.index.saturating_add(1);
        for one in page {
            let is_of_list = one.terms.deck == deck && raffle_rules(&one.terms).is_some();
            if is_of_list && !is_given_up(ledger, &one).await? {
                return Ok(Some(one));
            }
        }
    }
}

/// Whether the commitment, or its first round, is void.
async fn is_given_up(ledger: &Reader, one: &Summary) -> Result<bool, LedgerError> {
    if one.ended == Some(End::Voided) {
        return Ok(true);
    }
    if !one.used_up {
        return Ok(false);
    }
    let round = ledger.round(one.commitment, Nonce::FIRST).await?;
    Ok(round.entries.iter().any(|(_, entry)| matches!(entry, Entry::Void(_))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairdeal::raffle::Tickets;

    fn refused(text: &str) -> Option<String> {
        let right = put_right(text.as_bytes().to_vec());
        let tickets = Tickets::parse(&right.bytes).unwrap();
        look("list.txt", tickets.lines(), &right).err().map(|failure| failure.to_json())
    }

    #[test]
    fn a_file_of_windows_becomes_a_list_and_a_list_stays() {
        let right = |text: &str| {
            let right = put_right(text.as_bytes().to_vec());
            (String::from_utf8(right.bytes).unwrap(), right.changed.len())
        };
        assert_eq!(right("anna\nbob\n"), ("anna\nbob\n".to_owned(), 0));
        assert_eq!(right("\u{feff}anna\r\nbob\r\n\r\n"), ("anna\nbob\n".to_owned(), 3));
        assert_eq!(right("anna\nbob"), ("anna\nbob\n".to_owned(), 1));
        assert_eq!(right("anna\n\n\n"), ("anna\n".to_owned(), 1));
        let gaps = put_right("\na\n\n \t\nb\n\n".into());
        assert_eq!((&*gaps.bytes, &*gaps.changed[0]), (&b"a\nb\n"[..], "4 empty lines removed"));
        assert_eq!([gaps.number(0), gaps.number(1)], [2, 5], "of the organiser's own file");
        // What is no list stays none, as where a line has a carriage return.
        for wrong in ["", "\n", "a\rb\n", "a\r", "\u{feff}\u{feff}a\n"] {
            assert!(Tickets::parse(&put_right(wrong.into()).bytes).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_heading_is_a_whole_first_cell() {
        for heading in ["Name", " E-Mail ", "name;ticket", "\"Nachname\",\"Vorname\"", "NR.\tLos"] {
            assert!(is_heading(heading), "{heading}");
        }
        for ticket in ["Anna Name", "ticket 118", "Nora", "anna,name", "1", "names of all"] {
            assert!(!is_heading(ticket), "{ticket}");
        }
        assert_eq!(refused("anna\nname\n"), None, "a heading is above its column");
    }

    #[test]
    fn a_heading_may_have_a_year_and_numbered_tickets_are_none() {
        for list in ["Members 2023\nanna\n", "Teilnehmer 2026;Los\nanna;1\n", "NAMES  1999\n"] {
            assert!(refused(list).unwrap().contains("the heading of a table"), "{list}");
        }
        for list in ["Ticket 2001\nTicket 2002\n", "ticket 118\nanna\n", "Anna 2026\nbob\n"] {
            assert_eq!(refused(list), None, "{list}");
        }
    }

    #[test]
    fn lines_that_only_look_different_are_named() {
        assert_eq!(refused("anna\nanna\nbob\nAnna Berg\nAnnaBerg\n"), None);
        let says = refused("Anna Berg\nbob\nanna  berg\nAnna Berg\n").unwrap();
        assert!(says.contains("1 line looks like a mistake"), "{says}");
        assert!(says.contains("lines 1 and 3:"), "{says}");
        let says = refused("Mu\u{308}ller, Hans\nHans Müller\n").unwrap();
        assert!(says.contains("or the order of words"), "{says}");
        let says = refused("a \nb \nc \nd \ne \nf \ng \nh \ni \n").unwrap();
        assert!(says.contains("line 5:") && !says.contains("line 6:"), "{says}");
        assert!(says.contains("and 4 more with a blank at an end"), "{says}");
    }

    #[test]
    fn lines_that_are_more_or_less_than_a_ticket_are_named_all_at_once() {
        let says =
            refused("Name\n\nAnna Berg x3\nBob, 2\nCarla \n\tDan\nEva\t2\nFay\nGil\nTotal: 7\n");
        let says = says.unwrap();
        for expected in [
            "7 lines look like mistakes",
            "line 1: \\\"Name\\\" looks like the heading",
            "line 3: \\\"Anna Berg x3\\\" is ONE ticket: for 3, write the line 3 times",
            "line 4: \\\"Bob, 2\\\" is ONE ticket",
            "line 5: \\\"Carla \\\" has a blank at an end",
            "line 6: \\\"[a tab]Dan\\\" has a tab at an end",
            "line 7: \\\"Eva[a tab]2\\\" is ONE ticket",
            "line 10: \\\"Total: 7\\\" looks like a total. It would be a ticket",
        ] {
            assert!(says.contains(expected), "{expected} is not in {says}");
        }
        let says = refused("1. Anna\n2) Bob\nCarla\n3. Dan\n").unwrap();
        assert!(says.contains("1 line looks") && says.contains("line 1: "), "{says}");
        assert!(says.contains("and not \\\"Anna\\\": 3 lines have a number"), "{says}");
        // Also where all lines have a number, as a spreadsheet saves two columns: the organiser knows
        // whether it is a count.
        for all in ["Anna x3\nBob x2\n", "Anna;3\nBob;1\nCarla;2\n", "row A, 12\nrow B, 13\n"] {
            assert!(refused(all).unwrap().contains("2 lines look like mistakes"), "{all}");
        }
        for plain in [
            "ticket 118\nticket 119\n",
            "Anna;1\nBob\nCarla;118\nDan\n",
            "Anna\nBob\nCarla\n- Dan\n",
            "Total\n",
            "Sum 3\nAnna\n",
        ] {
            assert_eq!(refused(plain), None, "{plain}");
        }
    }
}
