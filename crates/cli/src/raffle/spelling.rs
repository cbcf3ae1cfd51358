//! Two spellings of one name. A list's organiser, and a reader who looks for a line, do not see that
//! they differ.

use std::borrow::Cow;

use icu_normalizer::{
    ComposingNormalizerBorrowed as Composing, DecomposingNormalizerBorrowed as Decomposing,
};
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};

/// The most lines that are offered for a text that is not in the list.
const MOST: usize = 5;

/// The fewest characters of a text that is looked for inside of lines.
const LEAST: usize = 3;

/// The fewest characters of a text in which two letters may be wrong.
const LONG: usize = 8;

/// One text for all lines that differ only in [`HOW`].
pub(super) fn alike(line: &str) -> String {
    in_order(&evened(line)).into_owned()
}

pub(super) const HOW: &str = "case, blanks, the coding of letters or the order of words";

/// The lines that a reader may mean, who looked for this text and did not find it: those that are
/// alike, then those with another letter or two, then those that have it inside. The signs over
/// letters do not count.
pub(super) fn lines_like<'a>(text: &str, lines: &'a [String]) -> Vec<&'a str> {
    let wanted = bare(text);
    let ordered = in_order(&wanted);
    let length = evened(text).chars().count();
    let wrong = if length < LONG { 1 } else { 2 };
    let (mut same, mut slips, mut inside) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        let form = bare(line);
        let other = in_order(&form);
        let found = if other == ordered {
            &mut same
        } else if length < LEAST {
            continue;
        } else if is_slip(&wanted, &form, wrong) || is_slip(&ordered, &other, wrong) {
            &mut slips
        } else if form.contains(&wanted) {
            &mut inside
        } else {
            continue;
        };
        if found.len() < MOST && !found.contains(&line.as_str()) {
            found.push(line.as_str());
        }
    }
    same.append(&mut slips);
    same.append(&mut inside);
    same.truncate(MOST);
    same
}

/// Whether one text becomes the other by so many letters that are missing, wrong or too many. A
/// ticket of another number is another ticket.
fn is_slip(one: &str, other: &str, wrong: usize) -> bool {
    // Most lines are told apart by this, and a list can be long.
    if one.len().abs_diff(other.len()) > wrong.saturating_mul(4) {
        return false;
    }
    let digits = |text: &str| text.chars().filter(|c| c.is_numeric()).collect::<String>();
    strsim::levenshtein(one, other) <= wrong && digits(one) == digits(other)
}

/// A text in one form of its letters, in small ones, without invisible characters and runs of
/// blanks.
fn evened(text: &str) -> String {
    // The usual line has one form, and a list can be long.
    let seen = if text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        let is_invisible = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let text = Composing::new_nfkc().normalize(text);
        Cow::Owned(text.chars().filter(|c| !is_invisible.contains(*c)).collect())
    };
    seen.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same without the signs over letters. "ä" is also written "ae".
fn bare(text: &str) -> String {
    let even = evened(text);
    let letters: String = if even.is_ascii() {
        even
    } else {
        let category = CodePointMapData::<GeneralCategory>::new();
        let is_mark = |c: &char| GeneralCategoryGroup::Mark.contains(category.get(*c));
        Decomposing::new_nfkd().normalize(&even).chars().filter(|c| !is_mark(c)).collect()
    };
    let pairs = [("ß", "ss"), ("ae", "a"), ("oe", "o"), ("ue", "u")];
    pairs.iter().fold(letters, |text, (long, short)| text.replace(long, short))
}

/// The words of a name in one order, without commas. Where a line has digits, the order counts: row 3,
/// seat 12 is not row 12, seat 3.
fn in_order(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_numeric) {
        return Cow::Borrowed(text);
    }
    let words = text.split([' ', ',', ';']).filter(|word| !word.is_empty());
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    Cow::Owned(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_are_alike_and_other_names_are_not() {
        for spelling in [
            "Hans Mu\u{308}ller",
            "HANS  M\u{dc}LLER ",
            "Müller, Hans",
            "müller,hans",
            "Ｈans Müller",
            "Hans\u{a0}Müller\u{200b}",
        ] {
            assert_eq!(alike(spelling), alike("Hans Müller"), "{spelling}");
        }
        for other in ["Hans Muller", "Hans Mueller", "Hans Müller jr.", "HansMüller", "Müller"] {
            assert_ne!(alike(other), alike("Hans Müller"), "{other}");
        }
        assert_ne!(alike("row 3 seat 12"), alike("row 12 seat 3"));
        assert_ne!(alike("Hans, 2"), alike("2, Hans"));
    }

    #[test]
    fn near_lines_are_offered_once_the_likest_first_and_five_at_most() {
        let list = ["Johanna Berg", "Müller, Hans", "anna", "anna", "Zoë", "Li", "ticket 118"];
        let list = list.map(str::to_owned);
        let like = |text: &str| lines_like(text, &list);
        assert_eq!(like("ANNA "), ["anna", "Johanna Berg"]);
        for typed in ["hans mueller", "Hans Muller", "Mu\u{308}ller"] {
            assert_eq!(like(typed), ["Müller, Hans"], "{typed}");
        }
        assert_eq!(like("zoe"), ["Zoë"]);
        assert_eq!(like("li"), ["Li"], "two letters stand inside of too many lines");
        assert_eq!(like("Ticket  118"), ["ticket 118"]);
        for none in ["Bert", "an", "811 ticket", ""] {
            assert!(like(none).is_empty(), "{none}");
        }
        let many: Vec<String> = (0..9).map(|number| format!("ticket {number}")).collect();
        assert_eq!(lines_like("Ticket", &many).len(), MOST);
    }

    #[test]
    fn a_line_with_a_letter_too_few_or_a_wrong_one_is_offered() {
        let list = ["Anna Berg", "Bob Stein", "Rob", "ticket 118", "Anna Maria Bergmann"];
        let list = list.map(str::to_owned);
        let like = |text: &str| lines_like(text, &list);
        for typed in ["Ana Berg", "Anne Berg", "Berg Anna", "Berg, Ana", "Annna Burg", "ana  bergg"]
        {
            assert_eq!(like(typed), ["Anna Berg"], "{typed}");
        }
        assert_eq!(like("Bob"), ["Rob", "Bob Stein"]);
        for none in ["ticket 117", "ticket 18", "Ina Bork", "Bib Stain Xu", "Eva"] {
            assert!(like(none).is_empty(), "{none}");
        }
    }
}
