//! Lines of a list that mean something else than one ticket: a line with a count, the number or sign
//! in front of each line, a line with a total. The draw takes each line as it is.

/// The words of a last line with a total.
const TOTALS: &str = "total,sum,sums,summe,gesamt,insgesamt,gesamtsumme,totals";

/// A line that asks for several tickets: `Anna x3`, `3 x Anna`, `Anna (3)`, `Anna,3`, `Anna; 3`, or
/// with a tab. Returns the name and the count.
pub(super) struct Counted<'a> {
    pub(super) count: u32,
    name: &'a str,
}

const TIMES: [char; 4] = ['x', 'X', '×', '*'];

pub(super) fn counted(line: &str) -> Option<Counted<'_>> {
    let line = line.trim();
    let one = before_times(line).or_else(|| after_times(line)).or_else(|| apart(line))?;
    one.name.contains(char::is_alphabetic).then_some(one)
}

/// `3 x Anna`, `3x Anna`.
fn before_times(line: &str) -> Option<Counted<'_>> {
    let (count, rest) = line.split_at_checked(digits_before(line))?;
    let name = rest.trim_start().strip_prefix(TIMES)?;
    let is_word = !name.starts_with(char::is_whitespace);
    Some(Counted { count: several(count)?, name }).filter(|_| !is_word)
}

/// `Anna x3`, `Anna x 3`, `Anna 3x`, `Anna (x3)`.
fn after_times(line: &str) -> Option<Counted<'_>> {
    let times =
        |word: &str| several(word.strip_prefix(TIMES).or_else(|| word.strip_suffix(TIMES))?);
    let is_sign = |word: &str| word.strip_prefix(TIMES) == Some("");
    if let Some((name, inside)) = line.strip_suffix(')').and_then(|line| line.rsplit_once('(')) {
        return Some(Counted { count: times(inside.trim())?, name });
    }
    let (name, last) = line.rsplit_once(char::is_whitespace)?;
    if let Some(count) = times(last) {
        return Some(Counted { count, name });
    }
    // The sign stands apart from its number.
    let (name, before) = name.trim_end().rsplit_once(char::is_whitespace)?;
    let count = match (is_sign(before), is_sign(last)) {
        (true, false) => last,
        (false, true) => before,
        _ => return None,
    };
    Some(Counted { count: several(count)?, name })
}

/// `Anna (3)`, `Anna,3`, `Anna; 3`, and `Anna`, a tab and `3`.
fn apart(line: &str) -> Option<Counted<'_>> {
    let (name, number) = number_at_end(line)?;
    Some(Counted { count: several(number)?, name })
}

/// A line's last cell, if it is a number of any length.
fn number_at_end(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (name, number) = match line.strip_suffix(')') {
        Some(line) => line.rsplit_once('(')?,
        None => line.rsplit_once([',', ';', '\t'])?,
    };
    let number = number.trim();
    (!number.is_empty() && digits_before(number) == number.len()).then_some((name, number))
}

/// A count from 2 to 99. One ticket is what the line is, and a greater number is hardly a count: it
/// may be a year, or that of a house.
fn several(digits: &str) -> Option<u32> {
    let is_count = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let is_count = is_count && !digits.starts_with('0');
    digits.parse().ok().filter(|count| is_count && *count > 1)
}

/// What stands after the number or sign in front of a line: `1. Anna`, `2) Bob`, `- Carla`.
pub(super) fn enumerated(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = match line.split_at_checked(digits_before(line))? {
        ("", rest) => rest.strip_prefix(['-', '–', '—', '•', '*', '·', '‣', '▪'])?,
        (_, rest) => rest.strip_prefix(['.', ')'])?,
    };
    let name = rest.trim_start();
    (name.len() < rest.len() && !name.is_empty()).then_some(name)
}

/// Whether a line is that of a total: `Total: 3`, `Summe 60`, `Sum`.
pub(super) fn is_total(line: &str) -> bool {
    let word = line.trim_end_matches(|c: char| !c.is_alphabetic()).trim_start().to_lowercase();
    TOTALS.split(',').any(|total| total == word)
}

/// Whether a line has an e-mail address, perhaps beside a name.
pub(super) fn has_mail(line: &str) -> bool {
    let between = |c: char| c.is_whitespace() || ",;:<>()[]\"".contains(c);
    line.contains('@') && line.split(between).any(is_mail)
}

/// Whether a text looks like one e-mail address, with nothing around it.
pub(super) fn is_mail(text: &str) -> bool {
    let text = text.trim();
    let strange = |c: char| c.is_whitespace() || ",;:<>()[]\"\\".contains(c);
    let Some((name, host)) = text.split_once('@').filter(|_| !text.contains(strange)) else {
        return false;
    };
    let is_host =
        !host.contains('@') && host.contains('.') && host.split('.').all(|part| !part.is_empty());
    is_host && !name.is_empty()
}

fn digits_before(line: &str) -> usize {
    line.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_a_count_is_told_from_a_name_with_a_number() {
        let count = |line: &str| counted(line).map(|one| one.count);
        for line in [
            "Anna Berg x3",
            "Anna Berg X 3",
            "Anna Berg ×3",
            "Anna Berg 3x",
            "Anna Berg 3 x",
            "Anna Berg (x3)",
            "Anna (3x)",
            "3 x Anna",
            "3x Anna",
            "3× Anna",
            "Anna *3",
        ] {
            assert_eq!(count(line), Some(3), "{line}");
        }
        for line in
            ["Anna Berg (3)", "Anna Berg,3", "Anna; 3", "Anna\t3", "Anna , 3 ", "Berg, Anna, 3"]
        {
            assert_eq!(count(line), Some(3), "{line}");
        }
        for line in [
            "ticket 118",
            "Anna 3",
            "Anna, 1",
            "Anna, 007",
            "Berg, Anna",
            "Anna (Berg)",
            "x3",
            "3 x",
            "Anna, 1987",
            "Max",
            "Maxx3",
            "3 xaver",
            "12,3",
            "(3)",
            "",
            "x",
            "Felix",
            "é",
            "Anna x",
            "Anna x0",
            "3",
            "Anna ()",
            "Anna,",
            "12 x 3",
            "Anna 3 4x5",
        ] {
            assert_eq!(count(line), None, "{line}");
        }
    }

    #[test]
    fn a_number_or_sign_before_a_name_and_a_total_are_seen() {
        for line in ["1. Anna", "12) Anna", "- Anna", "• Anna", " *  Anna", "– Anna"] {
            assert_eq!(enumerated(line), Some("Anna"), "{line}");
        }
        for line in ["Anna", "1 Anna", "1.5", "-Anna", "-", "1. ", "- ", "", "Anna - Berg", "2)"] {
            assert_eq!(enumerated(line), None, "{line}");
        }
        for line in ["Total: 3", "Summe 60", "Sum", "TOTAL;3", "Gesamt\t12", "total = 12"] {
            assert!(is_total(line), "{line}");
        }
        for line in ["Sumi 3", "Total Anna", "Anna", "60", "", "Sum Wong"] {
            assert!(!is_total(line), "{line}");
        }
    }

    #[test]
    fn one_e_mail_address_has_a_name_and_a_host_with_a_dot() {
        for mail in ["anna@club.example", " Anna.Berg+x@a.b-c.example ", "ö'x@müller.example"] {
            assert!(is_mail(mail), "{mail}");
        }
        for line in ["anna@club.example", "Anna Berg <anna@club.example>", "Anna;anna@club.example"]
        {
            assert!(has_mail(line), "{line}");
        }
        for line in ["Anna @ the door", "@anna", "Anna", "anna@club"] {
            assert!(!has_mail(line), "{line}");
        }
        for other in [
            "ben@club",
            "felix@club,example",
            "carla@club.example;",
            "Carla <carla@club.example>",
            "anna",
            "@club.example",
            "a@b@club.example",
            "anna@.example",
            "anna@club.",
            "anna@club..ex",
            "a b@club.example",
            "a@c.example, b@c.example",
            "",
            "@",
        ] {
            assert!(!is_mail(other), "{other}");
        }
    }
}
