//! The consoles of the README and of the guides are true: the commands of a page are run in order,
//! in one shell, and print what the page says. A line of `...` in a page stands for any lines.
//!
//! With `FAIRDEAL_DOCS=overwrite` the pages get what the commands print now.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::readme::fairdeal_first;

/// Where the commands of a page run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a new folder: keys, hashes, cards and times differ from run to run.
    NewFolder,
    /// In the repository, on its fixtures: the output is the same each time.
    Repository,
}

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
        let is_card =
            fairdeal::deal::Card::parse(bare.as_bytes().try_into().unwrap_or([0; 2])).is_some();
        !is_card && bare.len() < 40 && !bare.bytes().any(|byte| byte.is_ascii_digit())
    };
    // "972 ms" and "1.1 s" are both spans.
    text.split_whitespace()
        .filter(moves)
        .filter(|word| !["ms", "s", "min", "h", "d"].contains(word))
        .collect()
}

/// The lines to compare: every line of a command that prints the same each time, of any other its
/// shape.
fn pieces(text: &str, is_fixed: bool) -> Vec<&str> {
    if is_fixed { text.lines().collect() } else { shape(text) }
}

/// Whether a text has the expected pieces; a line of `...` stands for any lines.
fn is_as_expected(said: &str, expected: &str, is_fixed: bool) -> bool {
    let parts: Vec<&str> = expected.split("...\n").collect();
    let said = pieces(said, is_fixed);
    let mut rest = said.as_slice();
    for (nth, part) in parts.iter().enumerate() {
        let part = pieces(part, is_fixed);
        let at = if nth == 0 {
            rest.starts_with(&part).then_some(0)
        } else if nth + 1 == parts.len() {
            rest.ends_with(&part).then(|| rest.len() - part.len())
        } else {
            (0..=rest.len()).find(|at| rest.get(*at..).is_some_and(|rest| rest.starts_with(&part)))
        };
        let Some(at) = at else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    rest.is_empty()
}

/// A command's output, with `...` where the page has it.
fn shortened(said: &str, expected: &str) -> String {
    let mut rest = said.lines();
    let mut shown = String::new();
    for line in expected.lines() {
        let same = |said: &&str| shape(said) == shape(line);
        let now = if line == "..." { "..." } else { rest.find(same).unwrap_or(line) };
        writeln!(shown, "{now}").expect("text");
    }
    shown
}

fn is_as_its_page_says(page: &str, place: Place, least: usize) {
    let root = tools::root();
    let path: PathBuf = root.join(page);
    let text = fs::read_to_string(&path).expect("the page");
    let parts = parts(&text);
    let steps: Vec<&Step> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Step(step) => Some(step),
            Part::Text(_) => None,
        })
        .collect();
    assert!(steps.len() >= least, "{page} has {} commands", steps.len());
    let empty = tempfile::tempdir().expect("a folder");
    let said = run(&steps, if place == Place::NewFolder { empty.path() } else { &root });
    if std::env::var_os("FAIRDEAL_DOCS").is_some_and(|word| word == "overwrite") {
        let mut said = said.into_iter();
        let mut written = String::new();
        for part in &parts {
            match part {
                Part::Text(line) => writeln!(written, "{line}").expect("text"),
                Part::Step(Step { command, expected }) => {
                    let said = said.next().expect("each step has its output");
                    let shown =
                        if expected.contains("...\n") { shortened(&said, expected) } else { said };
                    write!(written, "$ {}\n{shown}", command.replace('\n', "\n> ")).expect("text");
                }
            }
        }
        fs::write(path, written).expect("written");
        return;
    }
    for (Step { command, expected }, said) in steps.iter().zip(said) {
        let is_fixed = place == Place::Repository || command.starts_with("fairdeal check ");
        assert!(
            is_as_expected(&said, expected, is_fixed),
            "{page}\n$ {command}\nexpected:\n{expected}\nfound:\n{said}\n{:?}\n{:?}",
            pieces(expected, is_fixed),
            pieces(&said, is_fixed)
        );
    }
}

#[test]
fn the_minute_of_the_readme_goes_as_it_says() {
    is_as_its_page_says("README.md", Place::NewFolder, 10);
}

#[test]
fn an_operators_day_goes_as_its_page_says() {
    is_as_its_page_says("docs/operators.md", Place::NewFolder, 40);
}

#[test]
fn an_organisers_raffle_goes_as_its_page_says() {
    is_as_its_page_says("docs/raffle.md", Place::NewFolder, 6);
}

#[test]
fn what_players_type_prints_what_their_page_says() {
    is_as_its_page_says("docs/players.md", Place::Repository, 6);
}

#[test]
fn what_auditors_type_prints_what_their_page_says() {
    is_as_its_page_says("docs/auditors.md", Place::Repository, 3);
}
