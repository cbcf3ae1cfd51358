//! Harmless text from outside, and numbers for people.

use maud::{Markup, html};

use fairdeal::spelled::spell;
use fairdeal_audit::stats::number::real;

/// The most characters of a name or sentence that are printed; a log may hold longer ones.
const LONGEST: usize = 600;

/// Text from outside, cut to a length. Characters that move, hide or turn others are spelled out.
///
/// maud escapes it. `<bdi>` keeps right-to-left script from reordering the text around it.
pub(crate) fn shown(text: &str) -> Markup {
    html! { bdi { (spelled(text)) } }
}

/// The same text without the element, for attributes.
pub(crate) fn spelled(text: &str) -> String {
    let mut spelled = String::new();
    let mut characters = text.chars();
    characters.by_ref().take(LONGEST).for_each(|c| spell(c, &mut spelled));
    if characters.next().is_some() {
        spelled.push('…');
    }
    spelled
}

/// Whole numbers in groups of three.
pub(crate) fn number(count: u64) -> String {
    grouped(&count.to_string())
}

/// The digits of a whole number in groups of three.
pub(super) fn grouped(digits: &str) -> String {
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && digits.len().saturating_sub(at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number and its noun: `1 deal`, `2,000 deals`.
pub(crate) fn many(count: u64, one: &str, more: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { more })
}

/// A share of a whole in per cent; a dash if the whole is 0.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * real(part) / real(whole)) }
}

/// A probability: small ones by their exponent.
pub(super) fn probability(p: f64) -> String {
    if p >= 0.0001 {
        return format!("{p:.4}");
    }
    if p == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{p:.1e}");
    let (digits, power) = text.split_once("e-").unwrap_or((&text, "0"));
    format!("{digits} × 10⁻{}", raised(power))
}

/// Digits as an exponent.
pub(super) fn raised(digits: &str) -> String {
    let of = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(usize::try_from(c.to_digit(10)?).ok()?);
    digits.chars().filter_map(of).collect()
}

/// A statistic: three decimals, or an exponent if it has many digits.
pub(super) fn statistic(value: f64) -> String {
    if value < 0.0 {
        format!("−{}", statistic(-value))
    } else if value < 1e9 {
        format!("{value:.3}")
    } else {
        format!("{value:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_or_hides_text_is_spelled_out_and_the_rest_is_cut() {
        assert_eq!(spelled("a\u{202e}b\u{0}c\u{200d}é"), "a\\u{202e}b\\u{0}c\\u{200d}é");
        assert_eq!(shown("<script>\"&").into_string(), "<bdi>&lt;script&gt;&quot;&amp;</bdi>");
        assert_eq!(spelled(&"x".repeat(LONGEST + 1)), format!("{}…", "x".repeat(LONGEST)));
        assert_eq!(spelled(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [number(0), number(999), number(1000), number(1_234_567)],
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(
            [probability(0.25), probability(2.6e-132), probability(0.0)],
            ["0.2500", "2.6 × 10⁻¹³²", "0"]
        );
        assert_eq!([percent(1, 0), percent(1, 3)], ["–", "33.3 %"]);
    }
}
