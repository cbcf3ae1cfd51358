//! The meaning of each finding, for readers who do not know the specification. The texts are in
//! `meaning.json`.

use std::sync::LazyLock;

use fairdeal::record::Code;
use serde::Deserialize;

/// A finding in plain words.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Meaning {
    code: &'static str,
    pub(super) touches: Touches,
    /// In a few words.
    pub(super) title: &'static str,
    /// The meaning for the players.
    pub(super) means: &'static str,
    /// A hint: what to look at, and possible explanations.
    pub(super) look: &'static str,
}

/// The subject of a finding; the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Touches {
    /// The cards, and the seeds that give them.
    Cards,
    /// Whether there is one log, signed and unchanged.
    History,
    /// The order in which things must happen.
    Course,
    /// The form of entries and files.
    Form,
}

impl Touches {
    /// As a heading.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Cards => "The cards and the seeds",
            Self::History => "The log itself",
            Self::Course => "The order of events",
            Self::Form => "How it is written",
        }
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
