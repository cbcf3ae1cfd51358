//! Makes text from outside harmless to read: no character moves, hides or reverses another. Pure.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Spells out, as `\u{202e}`, every character that moves the cursor, or hides or turns the text
/// next to it. So no text looks like something that it does not say. Two different texts may still
/// look alike.
#[must_use]
pub fn spelled(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for c in text.chars() {
        spell(c, &mut spelled);
    }
    spelled
}

/// JSON in which no character turns the direction of the text next to it, or steers a terminal: such
/// a character, which only a string can have, is written as `\u202e`. It means the same to a program.
#[must_use]
pub fn legible<'a>(json: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
    let json = json.into();
    let is_spelled = |c: char| turns(c) || ('\u{7f}'..='\u{9f}').contains(&c);
    if !json.chars().any(is_spelled) {
        return json;
    }
    let mut legible = String::with_capacity(json.len());
    for c in json.chars() {
        if is_spelled(c) {
            // Writing to a string cannot fail.
            let _ = write!(legible, "\\u{:04x}", u32::from(c));
        } else {
            legible.push(c);
        }
    }
    legible.into()
}

/// The characters that change the direction of text: Unicode's property `Bidi_Control`.
fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A word for a shell, in quotes if needed, so that a printed command can be copied.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+=@,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Adds one character, spelled out if needed.
pub fn spell(c: char, into: &mut String) {
    match c {
        // These have well-known short names.
        '\n' | '\r' | '\t' => into.extend(c.escape_default()),
        c if is_odd(c) => into.extend(c.escape_unicode()),
        c => into.push(c),
    }
}

/// Control characters, line ends, and the format characters (general category Cf) and default
/// ignorables of Unicode 17: joiners, direction marks, soft hyphens, invisible operators, fillers,
/// variation selectors, tags.
fn is_odd(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}'
            | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1345f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_text_is_escaped_in_json_and_means_the_same() {
        let json = serde_json::to_string("a\u{202e}b\u{2066}é").unwrap();
        assert_eq!(legible(json), r#""a\u202eb\u2066é""#);
        assert_eq!(serde_json::from_str::<String>(r#""a\u202eb""#).unwrap(), "a\u{202e}b");
        assert_eq!(legible("{}"), "{}");
    }

    #[test]
    fn what_moves_hides_or_turns_text_is_spelled_out() {
        assert_eq!(spelled("a\nb\u{1b}[31m é\u{9b}"), "a\\nb\\u{1b}[31m é\\u{9b}");
        assert_eq!(spelled("a\u{202e}b\u{0}c\u{200d}é"), "a\\u{202e}b\\u{0}c\\u{200d}é");
        let odd =
            ['\u{ad}', '\u{61c}', '\u{feff}', '\u{2028}', '\u{2029}', '\u{180e}', '\u{e0041}']
                .into_iter()
                .chain('\u{200b}'..='\u{200f}')
                .chain('\u{202a}'..='\u{202e}')
                .chain('\u{2060}'..='\u{2064}')
                .chain('\u{2066}'..='\u{2069}');
        for c in odd {
            assert_eq!(spelled(&format!("a{c}b")), format!("a\\u{{{:x}}}b", u32::from(c)));
        }
    }

    #[test]
    fn letters_of_every_script_and_signs_stay_as_they_are() {
        let text = "Ünal Ґ שלום سلام 测试 🂡 ♠ e\u{301} a-b_c \"x\" \\ \u{a0}";
        assert_eq!(spelled(text), text);
    }

    #[test]
    fn a_shell_reads_back_the_word() {
        assert_eq!(quoted("cards.example/log+1f+AY"), "cards.example/log+1f+AY");
        assert_eq!(quoted("it's $x"), r"'it'\''s $x'");
        assert_eq!(quoted("my folder/x"), "'my folder/x'");
        assert_eq!(quoted(""), "''");
    }
}
