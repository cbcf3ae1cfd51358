//! The meaning of each finding, for readers who do not know the specification. The texts are in
//! `meaning.json`.

use std::sync::LazyLock;

use fairdeal::record::Code;
use fairdeal::record::finding::Class;
use serde::Deserialize;

/// A finding in plain words.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Meaning {
    code: &'static str,
    /// In a few words.
    pub(super) title: &'static str,
    /// The meaning for the players.
    pub(super) means: &'static str,
    /// A hint: what to look at, and possible explanations.
    pub(super) look: &'static str,
}

/// A class of findings, as a heading.
pub(super) const fn title(class: Class) -> &'static str {
    match class {
        Class::Integrity => "What was promised, dealt and signed",
        Class::Order => "The order of events",
        Class::Time => "The times",
    }
}

/// The meaning of a finding.
pub(super) fn meaning(code: Code) -> &'static Meaning {
    static ALL: LazyLock<Vec<Meaning>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("meaning.json")).expect("a list of meanings")
    });
    ALL.iter().find(|one| one.code == code.as_str()).expect("every code has a meaning")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_meaning() {
        assert!(Code::ALL.into_iter().all(|code| !meaning(code).title.is_empty()));
    }
}
