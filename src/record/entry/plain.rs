//! Most deals of a log, read in place: canonical, with clear ASCII seeds, without checkpoints and
//! without a lock.
//!
//! Not a second grammar: this reads an entry as [`Entry::parse`](super::Entry::parse) does, or
//! returns `None`, and then `Entry::parse` decides. A fuzzer compares the two.

use std::fmt::Write as _;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::fields::{DealWord, LoggedContribution, ResultForm};
use super::forms::Deal;
use crate::deal::{Commitment, Contributions, Nonce, RANKS, decode_hex};

/// A deal with clear seeds, and the places of its parts in the entry's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainDeal {
    /// Its commitment.
    pub commitment: Commitment,
    /// Its round.
    pub nonce: Nonce,
    /// Unix milliseconds.
    pub time: u64,
    /// The form of its result.
    pub form: PlainForm,
    /// An entry has at most 65,535 bytes, so u16 holds its offsets.
    contributions: Range<u16>,
    result: Range<u16>,
}

/// The form of a plain deal's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlainForm {
    /// Cards of a named deck, two characters each.
    Cards,
    /// The seal of a sealed deal, in hex.
    Seal,
    /// The digest of a long list, in hex.
    Digest,
}

impl PlainDeal {
    /// Reads an entry; `None` if it is not such a deal.
    #[must_use]
    pub fn read(entry: &[u8]) -> Option<Self> {
        let mut rest = Rest { all: entry, at: 0 };
        rest.eat(b"{\"commitment\":\"")?;
        let commitment = Commitment::from_bytes(hex32(rest.take(64)?)?);
        rest.eat(b"\",\"contributions\":[")?;
        let contributions = short(&rest.contributions()?)?;
        Self::end(rest, commitment, contributions)
    }

    /// The same after another entry was read. If both have the same bytes up to the end of the
    /// contributions, reading goes on from there.
    #[must_use]
    pub fn read_after(entry: &[u8], before: &Self, its_entry: &[u8]) -> Option<Self> {
        let begun = usize::from(before.contributions.end).saturating_add(1); // with the bracket
        match (entry.get(..begun), its_entry.get(..begun)) {
            (Some(own), Some(its)) if own == its => {
                let rest = Rest { all: entry, at: begun };
                Self::end(rest, before.commitment, before.contributions.clone())
            }
            _ => Self::read(entry),
        }
    }

    /// Reads what comes after the contributions.
    #[inline]
    fn end(mut rest: Rest<'_>, commitment: Commitment, contributions: Range<u16>) -> Option<Self> {
        rest.eat(b",\"entry\":\"deal\",\"nonce\":")?;
        let nonce = Nonce::new(rest.integer()?).ok()?;
        rest.eat(b",\"result\":{\"")?;
        let (form, result) = rest.result()?;
        rest.eat(b"\"},\"time\":")?;
        let time = Nonce::new(rest.integer()?).ok()?.value(); // as large as an integer of an entry may be
        rest.eat(b"}")?;
        let result = short(&result)?;
        (rest.at == rest.all.len()).then_some(Self {
            commitment,
            nonce,
            time,
            form,
            contributions,
            result,
        })
    }

    /// Its contributions in the entry that it was read from: the members of a JSON array.
    #[must_use]
    pub fn contributions<'a>(&self, entry: &'a [u8]) -> &'a [u8] {
        within(entry, &self.contributions)
    }

    /// Its result in the entry that it was read from: the text of the form.
    #[must_use]
    pub fn result<'a>(&self, entry: &'a [u8]) -> &'a [u8] {
        within(entry, &self.result)
    }
}

/// Most entries have room at once.
pub(super) const ROOM: usize = 512;

/// The text of a deal as serde writes it, piece by piece; `None` for a deal that is not plain.
/// Whether it is legal, [`PlainDeal::read`] says.
pub(super) fn plain_text(deal: &Deal) -> Option<String> {
    // Every field is named: a new one cannot be left out.
    let Deal {
        beacon: None,
        commitment,
        contributions,
        entry: DealWord,
        ext: None,
        lock: None,
        nonce,
        opened: None,
        result,
        seats: None,
        time,
    } = deal
    else {
        return None;
    };
    let mut text = String::with_capacity(ROOM);
    text.extend(["{\"commitment\":\"", &commitment.to_text(), "\",\"contributions\":["]);
    let mut start = "{\"from\":\"";
    for one in contributions.as_deref()? {
        let LoggedContribution { from, hash: None, key: None, seed, seen: None, signature: None } =
            one
        else {
            return None;
        };
        let (from, seed) = (unescaped(from.as_str())?, unescaped(seed.as_ref()?.as_str())?);
        text.extend([start, from, "\",\"seed\":\"", seed, "\"}"]);
        start = ",{\"from\":\"";
    }
    write!(text, "],\"entry\":\"deal\",\"nonce\":{nonce},\"result\":{{\"").ok()?;
    match result {
        ResultForm { cards: Some(cards), digest: None, indices: None, seal: None } => {
            text.extend(["cards\":\"", cards.as_str()]);
        }
        ResultForm { cards: None, digest: Some(digest), indices: None, seal: None } => {
            text.extend(["digest\":\"", &digest.to_text()]);
        }
        ResultForm { cards: None, digest: None, indices: None, seal: Some(seal) } => {
            text.extend(["seal\":\"", &seal.to_text()]);
        }
        _ => return None,
    }
    write!(text, "\"}},\"time\":{time}}}").ok()?;
    Some(text)
}

/// A text that JSON writes without escapes.
fn unescaped(text: &str) -> Option<&str> {
    (plain_length(text.as_bytes()) == text.len()).then_some(text)
}

fn short(range: &Range<usize>) -> Option<Range<u16>> {
    Some(range.start.try_into().ok()?..range.end.try_into().ok()?)
}

fn within<'a>(entry: &'a [u8], range: &Range<u16>) -> &'a [u8] {
    entry.get(usize::from(range.start)..usize::from(range.end)).unwrap_or_default()
}

/// The labels and seeds in the bytes that [`PlainDeal::contributions`] returned.
pub fn plain_seeds(contributions: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = Rest { all: contributions, at: 0 };
    std::iter::from_fn(move || {
        let one = rest.contribution()?;
        let _ = rest.eat(b",");
        Some(one)
    })
}

/// The bytes that are left to read.
struct Rest<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Rest<'a> {
    #[inline]
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.all.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// With a length that the compiler knows, it compares without a call.
    #[inline]
    fn eat<const N: usize>(&mut self, expected: &[u8; N]) -> Option<()> {
        let found: &[u8; N] = self.all.get(self.at..)?.first_chunk()?;
        let differs = found.iter().zip(expected).fold(0, |differs, (a, b)| differs | (a ^ b));
        (differs == 0).then(|| self.at = self.at.wrapping_add(N))
    }

    /// 1 to `most` characters without escapes, and the quote after them.
    #[inline]
    fn text(&mut self, most: usize) -> Option<&'a [u8]> {
        let length = plain_length(self.all.get(self.at..)?);
        let text = self.take(length)?;
        self.eat(b"\"")?;
        (1..=most).contains(&length).then_some(text)
    }

    #[inline]
    fn contribution(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        self.eat(b"{\"from\":\"")?;
        let from = self.text(64)?;
        self.eat(b",\"seed\":\"")?;
        let seed = self.text(256)?;
        self.eat(b"}")?;
        Some((from, seed))
    }

    /// 1 to 64 contributions, in ascending order of `from`, and the bracket after them.
    fn contributions(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let mut before = None;
        for _ in 0..Contributions::MAX {
            let (from, _) = self.contribution()?;
            if before.is_some_and(|before| !is_before(before, from)) {
                return None;
            }
            before = Some(from);
            let end = self.at;
            match self.take(1)? {
                b"," => {}
                b"]" => return Some(start..end),
                _ => return None,
            }
        }
        None
    }

    /// An integer of at most 16 digits, as 2^53 has, without a leading zero.
    fn integer(&mut self) -> Option<u64> {
        let rest = self.all.get(self.at..)?;
        let mut value = 0_u64;
        let mut length = 0_usize;
        for digit in rest.iter().map(|byte| byte.wrapping_sub(b'0')).take_while(|&digit| digit <= 9)
        {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit)); // 16 digits do not overflow
            length = length.wrapping_add(1);
        }
        let leading_zero = length > 1 && rest.first() == Some(&b'0');
        self.at = self.at.checked_add(length)?;
        ((1..=16).contains(&length) && !leading_zero).then_some(value)
    }

    fn result(&mut self) -> Option<(PlainForm, Range<usize>)> {
        if self.eat(b"cards\":\"").is_some() {
            let start = self.at;
            let (pairs, _) = self.all.get(start..)?.as_chunks::<2>();
            let count = pairs.iter().take_while(|[rank, suit]| is_card(*rank, *suit)).count();
            self.take(count.checked_mul(2)?)?;
            return (count > 0).then_some((PlainForm::Cards, start..self.at));
        }
        let form = if self.eat(b"seal\":\"").is_some() {
            PlainForm::Seal
        } else {
            self.eat(b"digest\":\"")?;
            PlainForm::Digest
        };
        let start = self.at;
        hex32(self.take(64)?)?;
        Some((form, start..self.at))
    }
}

/// The number of printable ASCII characters before a quote, a backslash or any other byte.
#[inline]
fn plain_length(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks();
    let mut length = 0_usize;
    for word in words {
        let others = others(u64::from_le_bytes(*word));
        if others != 0 {
            let before = usize::try_from(others.trailing_zeros() / 8).expect("under 8");
            return length.wrapping_add(before);
        }
        length = length.wrapping_add(8);
    }
    let is_plain = |byte: &&u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    length.wrapping_add(rest.iter().take_while(is_plain).count())
}

/// Looks at eight bytes at once. The lowest bit set is the top bit of the first byte that is not
/// plain; a borrow or a carry reaches only the bytes after it.
#[inline]
const fn others(bytes: u64) -> u64 {
    const fn each(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let quote = (bytes ^ each(b'"')).wrapping_sub(each(1));
    let backslash = (bytes ^ each(b'\\')).wrapping_sub(each(1));
    let control = bytes.wrapping_sub(each(b' '));
    let delete = bytes.wrapping_add(each(1));
    (quote | backslash | control | delete | bytes) & each(0x80)
}

/// Whether a label comes before another. Mostly their first eight bytes decide.
#[inline]
fn is_before(label: &[u8], other: &[u8]) -> bool {
    let first = |label: &[u8]| label.first_chunk().map(|first| u64::from_be_bytes(*first));
    match (first(label), first(other)) {
        (Some(a), Some(b)) if a != b => a < b,
        _ => label < other,
    }
}

/// Bits of a card's first and second character: 1 for a rank and a suit, 2 for the X and the number
/// of a joker. A card has a bit that both characters share.
static FIRST: [u8; 256] = classes(RANKS, b"X");
static SECOND: [u8; 256] = classes(b"cdhs", b"12");

#[expect(clippy::indexing_slicing, clippy::as_conversions, reason = "evaluated by the compiler")]
const fn classes(one: &[u8], two: &[u8]) -> [u8; 256] {
    let mut classes = [0; 256];
    let mut at = 0;
    while at < one.len() {
        classes[one[at] as usize] |= 1;
        at += 1;
    }
    at = 0;
    while at < two.len() {
        classes[two[at] as usize] |= 2;
        at += 1;
    }
    classes
}

#[expect(clippy::indexing_slicing, reason = "a byte is under 256")]
#[inline]
fn is_card(rank: u8, suit: u8) -> bool {
    FIRST[usize::from(rank)] & SECOND[usize::from(suit)] != 0
}

/// 32 bytes of lowercase hex.
#[inline]
fn hex32(text: &[u8]) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    decode_hex(text, &mut bytes)?;
    let uppercase = text.iter().fold(false, |any, byte| any | byte.is_ascii_uppercase());
    (!uppercase).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Entry;

    const DEAL: &str = concat!(
        r#"{"commitment":"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd","contributions":"#,
        r#"[{"from":"alice","seed":"lucky"},{"from":"bob","seed":"7 of 9"}],"entry":"deal","nonce":7,"#,
        r#""result":{"cards":"Td3hX1X2"},"time":1760000000000}"#
    );

    #[test]
    fn the_parts_are_found_where_they_stand() {
        let plain = PlainDeal::read(DEAL.as_bytes()).unwrap();
        assert_eq!(
            (plain.nonce.value(), plain.time, plain.form),
            (7, 1_760_000_000_000, PlainForm::Cards)
        );
        assert_eq!(plain.result(DEAL.as_bytes()), b"Td3hX1X2");
        let seeds: Vec<_> = plain_seeds(plain.contributions(DEAL.as_bytes())).collect();
        assert_eq!(seeds, [(&b"alice"[..], &b"lucky"[..]), (b"bob", b"7 of 9")]);
        let Entry::Deal(deal) = Entry::parse(DEAL.as_bytes()).unwrap() else { panic!("a deal") };
        assert_eq!(deal.commitment, plain.commitment);
    }

    #[test]
    fn a_plain_deal_is_written_as_serde_writes_it_and_no_other_is() {
        let deal = |text: &str| match Entry::parse(text.as_bytes()) {
            Ok(Entry::Deal(deal)) => *deal,
            other => panic!("{text}: {other:?}"),
        };
        let hash = |form: &str| {
            DEAL.replace(
                "{\"cards\":\"Td3hX1X2\"}",
                &format!("{{\"{form}\":\"{}\"}}", "0f".repeat(32)),
            )
        };
        let lone = DEAL.replace(",{\"from\":\"bob\",\"seed\":\"7 of 9\"}", "");
        for plain in [DEAL, &hash("seal"), &hash("digest"), &lone] {
            assert_eq!(plain_text(&deal(plain)).as_deref(), Some(plain));
            assert_eq!(serde_json::to_string(&deal(plain)).unwrap(), plain);
        }
        let hex = format!("\"{}\"", "0f".repeat(32));
        for (from, to) in [
            ("lucky", r#"l\"cky"#),
            ("lucky", "l\u{e9}cky"),
            ("bob", r"b\\b"),
            ("\"nonce\"", &format!("\"ext\":{hex},\"nonce\"")),
            ("\"time\"", "\"seats\":[\"bob\",\"alice\"],\"time\""),
            ("{\"cards\":\"Td3hX1X2\"}", "{\"indices\":[0]}"),
        ] {
            let other = DEAL.replacen(from, to, 1);
            assert_eq!(plain_text(&deal(&other)), None, "{other}");
            assert_eq!(Entry::Deal(Box::new(deal(&other))).to_text().unwrap(), other);
        }
        let mut both = deal(DEAL);
        both.result.seal = Some(crate::deal::Digest::from_bytes([0; 32]));
        assert_eq!(plain_text(&both), None);
    }

    #[test]
    fn what_is_not_plain_or_not_legal_is_left_to_the_full_grammar() {
        let before = PlainDeal::read(DEAL.as_bytes()).unwrap();
        for (from, to) in [
            ("\"alice\"", "\"carol\""), // not ascending
            ("lucky", "l\u{e9}ck"),
            ("lucky", "a\\nb"),
            ("lucky", ""),
            ("\"nonce\":7", "\"nonce\":07"),
            ("\"nonce\":7", "\"nonce\":9007199254740992"),
            ("\"nonce\":7", "\"nonce\":-7"),
            ("\"nonce\":7", "\"lock\":1,\"nonce\":7"),
            ("630d", "630D"),
            ("630d", "630g"),
            ("Td3h", "Td3"),
            ("Td3h", "Td13"),
            ("Td3h", "XdX3"),
            ("Td3hX1X2", ""),
            ("000}", "000} "),
            ("000}", "000.0}"),
            ("}],", "}, ],"),
        ] {
            let other = DEAL.replacen(from, to, 1);
            assert_ne!(other, DEAL);
            assert_eq!(PlainDeal::read(other.as_bytes()), None, "{from} as {to}");
        }
        for length in 0..DEAL.len() {
            assert_eq!(PlainDeal::read(&DEAL.as_bytes()[..length]), None);
            assert_eq!(
                PlainDeal::read_after(&DEAL.as_bytes()[..length], &before, DEAL.as_bytes()),
                None
            );
        }
    }

    #[test]
    fn a_text_ends_at_the_first_byte_that_is_another_wherever_it_stands() {
        let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
        for at in 0..20 {
            for (byte, next) in
                (0..=u8::MAX).flat_map(|byte| [0, b' ', 0x7f, 0xff].map(|next| (byte, next)))
            {
                let mut text = *b"twenty one characters";
                text[at] = byte;
                text[at + 1] = next;
                let expected = text.iter().position(|&byte| !is_plain(byte)).unwrap_or(text.len());
                assert_eq!(plain_length(&text), expected, "{byte} and {next} at {at}");
            }
        }
    }

    #[test]
    fn a_plain_deal_is_a_deal_whatever_byte_is_changed() {
        let mut bytes = DEAL.as_bytes().to_vec();
        let before = PlainDeal::read(&bytes).unwrap();
        let mut read = 0;
        for at in 0..bytes.len() {
            let own = bytes[at];
            for byte in 0..=u8::MAX {
                bytes[at] = byte;
                let plain = PlainDeal::read(&bytes);
                assert_eq!(PlainDeal::read_after(&bytes, &before, DEAL.as_bytes()), plain);
                let Some(plain) = plain else { continue };
                read += 1;
                let Ok(Entry::Deal(deal)) = Entry::parse(&bytes) else {
                    panic!("byte {at} as {byte}")
                };
                assert_eq!((deal.nonce, deal.time.value()), (plain.nonce, plain.time));
                let seeds: Vec<_> = plain_seeds(plain.contributions(&bytes)).collect();
                let text =
                    |one: &crate::record::entry::LoggedContribution| one.seed.clone().unwrap();
                for (one, (from, seed)) in deal.contributions().iter().zip(&seeds) {
                    assert_eq!(
                        (one.from.as_str().as_bytes(), text(one).as_str().as_bytes()),
                        (*from, *seed)
                    );
                }
                assert_eq!(deal.contributions().len(), seeds.len());
            }
            bytes[at] = own;
        }
        assert!(read > 3_000, "{read}");
    }
}
