//! The rule behind each finding: its row in the specification's own table, so that the page needs
//! no network.

use maud::{Markup, html};

use fairdeal::record::Code;

/// The specification of the log, whose section 9.3 has a row for each finding.
const LEDGER: &str = include_str!("../../../../spec/ledger.md");
/// The address of the repository; empty if the package has none.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// A row of the table of spec/ledger.md, section 9.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) row: &'static str,
    /// When it is found, in the specification's words.
    pub(super) when: &'static str,
}

impl Rule {
    /// The rule of a finding; `None` only if the table has no row for it, which a test rules out.
    pub(super) fn of(code: Code) -> Option<Self> {
        let mut row = "";
        for line in LEDGER.lines().filter_map(|line| line.strip_prefix("| ")) {
            let mut cells = line.split('|').map(str::trim);
            let (number, name, when) = (cells.next()?, cells.next(), cells.next());
            // A row without a number has that of the row above.
            row = if number.is_empty() { row } else { number };
            let name = name.and_then(|name| name.strip_prefix('`')?.strip_suffix('`'));
            if let (Some(name), Some(when)) = (name, when)
                && name == code.as_str()
            {
                return Some(Self { row, when });
            }
        }
        None
    }

    /// The rule, quoted, with its place in the specification.
    pub(super) fn quoted(self) -> Markup {
        let place = || html! { "spec/ledger.md, section 9.3, row " (self.row) };
        html! {
            "“" (code_in(self.when)) "” ("
            @match address(REPOSITORY) {
                Some(address) => a href=(address) rel="noreferrer" { (place()) }
                None => (place())
            }
            @if self.when.contains("(8.") { "; numbers in brackets are its sections" }
            ")"
        }
    }
}

/// The address of the specification's table. `None` without a repository.
fn address(repository: &str) -> Option<String> {
    let repository = repository.strip_suffix(".git").unwrap_or(repository).trim_end_matches('/');
    repository
        .starts_with("https://")
        .then(|| format!("{repository}/blob/main/spec/ledger.md#93-findings"))
}

/// Text with `code` between backticks.
pub(super) fn code_in(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_has_its_row_in_the_specification() {
        for code in Code::ALL {
            let rule = Rule::of(code).unwrap_or_else(|| panic!("{code}"));
            assert!(rule.row.parse::<u8>().is_ok() && rule.when.len() > 10, "{code}: {rule:?}");
        }
        let when = "a lock, deal or void whose nonce is not the next one, or was used up";
        assert_eq!(Rule::of(Code::NonceGap), Some(Rule { row: "7", when }));
        assert_eq!(
            Rule::of(Code::TooManyRounds).map(|rule| rule.row),
            Some("7"),
            "the row above has the number"
        );
        assert!(LEDGER.contains("\n### 9.3 Findings\n"));
    }

    #[test]
    fn a_repository_gives_a_link_and_none_gives_the_name_alone() {
        let expected = "https://host.example/a/b/blob/main/spec/ledger.md#93-findings";
        assert_eq!(address("https://host.example/a/b.git").as_deref(), Some(expected));
        assert_eq!(address(""), None);
        assert_eq!(code_in("a `b` <c>").into_string(), "a <code>b</code> &lt;c&gt;");
    }
}
