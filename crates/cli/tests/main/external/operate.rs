//! docs/operate.md is true: its commands are run in order, in one shell, and print what it says.
//!
//! With `FAIRDEAL_DOCS=overwrite` the file gets what they print now, but for blocks with `...`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::readme::fairdeal_first;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operate.md");
const MARK: &str = "fairdeal-docs-end-of-step";

/// A command as the page has it, and what it prints there.
#[derive(Debug)]
struct Step {
    command: String,
    expected: String,
}

/// The lines of the page, each alone or as a step of a console.
enum Part {
    Text(String),
    Step(Step),
}

fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut in_console = false;
    for line in page.lines() {
        if line == "```console" || (in_console && line == "```") {
            in_console = !in_console;
            parts.push(Part::Text(line.to_owned()));
        } else if !in_console {
            parts.push(Part::Text(line.to_owned()));
        } else if let Some(command) = line.strip_prefix("$ ") {
            parts.push(Part::Step(Step { command: command.to_owned(), expected: String::new() }));
        } else if let Some(Part::Step(step)) = parts.last_mut() {
            match line.strip_prefix("> ").filter(|_| step.expected.is_empty()) {
                Some(more) => write!(step.command, "\n{more}").expect("text"),
                None => writeln!(step.expected, "{line}").expect("text"),
            }
        }
    }
    parts
}

/// Runs all of them in one shell. Returns what each printed, errors too.
fn run(steps: &[&Step], folder: &Path) -> Vec<String> {
    let mut script = String::new();
    for step in steps {
        writeln!(script, "{{ {}\n}} 2>&1\necho {MARK}", step.command).expect("text");
    }
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder)
        .env("PATH", fairdeal_first())
        .env("NO_COLOR", "1")
        .env_remove("FAIRDEAL_LEDGER")
        .output()
        .expect("bash is needed for this test");
    let said = String::from_utf8(output.stdout).expect("text");
    let mut all: Vec<String> = said.split(&format!("{MARK}\n")).map(str::to_owned).collect();
    assert_eq!(all.pop().as_deref(), Some(""), "the shell ended early");
    all
}

/// The words without those that differ from run to run: keys, hashes, cards, times, numbers.
fn shape(text: &str) -> Vec<&str> {
    let moves = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_card = fairdeal::deal::Card::parse(bare.as_bytes().try_into().unwrap_or([0; 2])).is_some();
        !is_card && bare.len() < 40 && !bare.bytes().any(|byte| byte.is_ascii_digit())
    };
    // "972 ms" and "1.1 s" are both spans.
    text.split_whitespace()
        .filter(moves)
        .filter(|word| !["ms", "s", "min", "h", "d"].contains(word))
        .collect()
}

/// Whether a text has the expected words; a line of `...` stands for any lines.
fn is_as_expected(said: &str, expected: &str) -> bool {
    let parts: Vec<&str> = expected.split("...\n").collect();
    let said = shape(said);
    let mut rest = said.as_slice();
    for (nth, part) in parts.iter().enumerate() {
        let part = shape(part);
        let at = if nth == 0 {
            rest.starts_with(&part).then_some(0)
        } else if nth + 1 == parts.len() && parts.len() > 1 {
            rest.ends_with(&part).then(|| rest.len() - part.len())
        } else {
            (0..=rest.len()).find(|at| rest.get(*at..).is_some_and(|rest| rest.starts_with(&part)))
        };
        let Some(at) = at else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    rest.is_empty()
}

#[test]
fn an_operators_day_goes_as_its_page_says() {
    let page = fs::read_to_string(PAGE).expect("the page");
    let parts = parts(&page);
    let steps: Vec<&Step> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Step(step) => Some(step),
            Part::Text(_) => None,
        })
        .collect();
    assert!(steps.len() > 40, "the page has {} commands", steps.len());
    let folder = tempfile::tempdir().expect("a folder");
    let mut said = run(&steps, folder.path()).into_iter();
    if std::env::var_os("FAIRDEAL_DOCS").is_some_and(|word| word == "overwrite") {
        let mut written = String::new();
        for part in &parts {
            match part {
                Part::Text(line) => writeln!(written, "{line}").expect("text"),
                Part::Step(Step { command, expected }) => {
                    let said = said.next().expect("each step has its output");
                    let keep = expected.contains("...\n") && is_as_expected(&said, expected);
                    let command = command.replace('\n', "\n> ");
                    let shown = if keep { expected } else { &said };
                    write!(written, "$ {command}\n{shown}").expect("text");
                }
            }
        }
        fs::write(PAGE, written).expect("written");
        return;
    }
    for (step, said) in steps.iter().zip(said) {
        let Step { command, expected } = step;
        assert!(
            is_as_expected(&said, expected),
            "$ {command}\nexpected:\n{expected}\nfound:\n{said}\n{:?}\n{:?}",
            shape(expected),
            shape(&said)
        );
    }
}
