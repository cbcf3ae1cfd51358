//! The end of a commitment by the service: kept in a memo, not logged (spec/http.md, the end of a
//! commitment).

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::problem::Problem;
use fairdeal::record::as_json::{object, present};
use fairdeal::record::entry::MAX_REVEAL_IN;
use fairdeal::utc::parse_span;

/// When the service reveals by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum RevealWhen {
    /// As soon as it is used up and no hand is in play; at the latest shortly before its time is
    /// over.
    #[default]
    Done,
    /// Shortly before its time is over.
    Deadline,
    /// Never: the operator does.
    Manual,
}

/// The service's treatment of a commitment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub(super) struct Policy {
    /// When it reveals.
    #[serde(default)]
    pub(super) reveal: RevealWhen,
    /// How long before `reveal_by` the last round may begin, in milliseconds. `None`: as long as
    /// the service needs to reveal.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) last_deal_before: Option<u64>,
    /// Whether the table's next commitment follows.
    #[serde(default = "yes")]
    pub(super) next: bool,
}

object!(Policy);

fn yes() -> bool {
    true
}

impl Default for Policy {
    fn default() -> Self {
        Self { reveal: RevealWhen::Done, last_deal_before: None, next: true }
    }
}

impl Policy {
    /// As it is kept.
    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a plain struct")
    }

    /// Reads a kept policy. A commitment that another program made has the default; but that
    /// program does not say when its sealed hands are over.
    pub(super) fn of(kept: Option<&str>, sealed: bool) -> Self {
        let reveal = if sealed { RevealWhen::Deadline } else { RevealWhen::Done };
        let other = || Self { reveal, ..Self::default() };
        kept.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(other)
    }
}

/// A span of time as people write it: a number and s, m, h or d, such as `24h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span(pub(super) Duration);

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Span;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number and s, m, h or d, such as 24h")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Span, E> {
                parse_span(text).map(Duration::from_millis).map(Span).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

impl Span {
    /// Checks a commitment's time to its reveal.
    pub(super) fn to_reveal(self) -> Result<Duration, Problem> {
        if self.0.is_zero() || self.0 > Duration::from_millis(MAX_REVEAL_IN) {
            return Err(Problem::bad_request("reveal_in: expected 1s to 366d"));
        }
        Ok(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_reads_what_it_was_kept_as_and_what_is_unknown_is_the_default() {
        let policy = Policy { reveal: RevealWhen::Manual, last_deal_before: Some(7), next: false };
        assert_eq!(Policy::of(Some(&policy.to_text()), true), policy);
        assert_eq!(Policy::of(None, false), Policy::default());
        assert_eq!(Policy::of(Some("{}"), true), Policy::default());
        assert_eq!(Policy::of(None, true).reveal, RevealWhen::Deadline);
    }
}
