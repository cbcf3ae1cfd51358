//! The text under a command's help, broken anew for the terminal.
//!
//! In the source a paragraph is broken by hand, at the width of the source. A narrower terminal would break each of those
//! lines again, and leave a word or two on every other line. So a paragraph is joined here, and clap breaks it. A command
//! that is too long goes on in the next line, behind a backslash, so that it can still be pasted.

/// The widest help, in columns.
pub(super) const WIDEST: usize = 100;

/// How far the rest of a command is indented.
const INDENT: &str = "      ";

/// The columns that clap breaks help at, by the same rule.
pub(super) fn columns() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(columns).filter(|&columns| columns > 0).unwrap_or(WIDEST).min(WIDEST)
}

/// A command and its subcommands, with the text under their help laid out for so many columns.
pub(super) fn laid_out(command: clap::Command, columns: usize) -> clap::Command {
    let text = command.get_after_help().map(|text| lines(&text.to_string(), columns).join("\n"));
    let command = match text {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(|one| laid_out(one, columns))
}

/// The lines of a text: each paragraph in one, commands in lines that fit.
fn lines(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = text.lines().peekable();
    let mut in_paragraph = false;
    while let Some(line) = rest.next() {
        if line.starts_with(' ') {
            let mut whole = line.trim_end().to_owned();
            while let Some(begun) = whole.strip_suffix('\\') {
                whole = format!("{} {}", begun.trim_end(), rest.next().unwrap_or_default().trim());
            }
            lines.extend(example(&whole, columns));
        } else if in_paragraph && let Some(last) = lines.last_mut() {
            last.push(' ');
            last.push_str(line);
        } else {
            lines.push(line.to_owned());
        }
        let goes_on = rest.peek().is_some_and(|next| !next.is_empty() && !next.starts_with(' '));
        in_paragraph = goes_on && !line.is_empty() && !line.starts_with(' ');
    }
    lines
}

/// A command, perhaps with a remark behind two spaces, in lines that fit.
fn example(line: &str, columns: usize) -> Vec<String> {
    if line.chars().count() <= columns {
        return vec![line.to_owned()];
    }
    let (command, remark) = match line.trim_start().split_once("   ") {
        Some((command, remark)) => (command, Some(remark.trim_start())),
        None => (line.trim_start(), None),
    };
    let mut lines: Vec<String> = Vec::new();
    let mut now = "  ".to_owned();
    let fits = |indent: usize, part: &str| {
        indent + part.trim_end().chars().count() + " \\".len() <= columns
    };
    // An option whose value fits in no line beside it is broken in front of the value.
    let broken = |part| match str::find(part, ' ') {
        Some(at) if !fits(INDENT.len(), part) => [&part[..=at], &part[at + 1..]],
        _ => [part, ""],
    };
    for part in parts(command).into_iter().flat_map(broken) {
        let full = !fits(now.chars().count(), part);
        if full && !now.trim().is_empty() {
            lines.push(format!("{} \\", now.trim_end()));
            INDENT.clone_into(&mut now);
        }
        now.push_str(part);
    }
    lines.push(now.trim_end().to_owned());
    lines.extend(remark.map(|remark| format!("{INDENT}{remark}")));
    lines
}

/// The parts between which a command may be broken: before an option, a pipe or the next command.
fn parts(command: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (at, character) in command.char_indices() {
        match (character, quote) {
            ('\'' | '"', None) => quote = Some(character),
            (_, Some(open)) if open == character => quote = None,
            (' ', None) => {
                let rest = &command[at + 1..];
                if ["--", "| ", "&& ", "> "].iter().any(|mark| rest.starts_with(mark)) {
                    parts.push(&command[start..=at]);
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    parts.push(&command[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
Examples:
  tool short
  tool audit public --key log.key --since saved.note      a remark
  tool check \\
      --cards \"A S --x\" --nonce 0 --expect 5

One thought in
two lines.

Another.";

    #[test]
    fn a_paragraph_is_one_line_and_a_long_command_can_still_be_pasted() {
        assert_eq!(
            lines(TEXT, 40),
            [
                "Examples:",
                "  tool short",
                "  tool audit public --key log.key \\",
                "      --since saved.note",
                "      a remark",
                "  tool check --cards \"A S --x\" \\",
                "      --nonce 0 --expect 5",
                "",
                "One thought in two lines.",
                "",
                "Another."
            ]
        );
        assert_eq!(lines("  a    b", 8), ["  a    b"]);
    }

    #[test]
    fn no_example_of_any_help_is_wider_than_80_columns() {
        fn check(command: &clap::Command) {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in text.lines().filter(|line| line.starts_with(' ')) {
                assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        check(&laid_out(crate::command(), 80));
    }
}
