//! A single round's seeds in another form: in lower case, or without white space at their ends.
//! Without an expected result, nothing more can be said.

use crate::exit::Failure;
use fairdeal_schemes::dialect::{Checker, CommitmentOpening, DialectOutcome, Round};

/// A seed in another form.
struct Form {
    /// `the server seed has capital letters`.
    has: String,
    /// `in lower case`.
    then: &'static str,
    round: Round<'static>,
}

/// Writes a seed in another form.
type Write = fn(&str) -> String;

/// The other forms of a round's seeds that differ from the ones given.
fn others(round: &Round<'_>) -> Vec<Form> {
    let is_hex = |text: &str| text.trim().bytes().all(|byte| byte.is_ascii_hexdigit());
    let writes: [(&str, &str, Write); 2] = [
        ("has white space at its ends", "without that", |text| text.trim().to_owned()),
        ("has hex digits in upper case", "in lower case", |text| text.to_ascii_lowercase()),
    ];
    let mut forms = Vec::new();
    for (has, then, write) in writes {
        for (name, of) in [("server", &round.server_seed), ("client", &round.client_seed)] {
            let Some(text) = of.as_deref().filter(|text| then == "without that" || is_hex(text))
            else {
                continue;
            };
            let written = write(text);
            if written == text || written.is_empty() {
                continue;
            }
            let mut other = round.clone().into_owned();
            let into =
                if name == "server" { &mut other.server_seed } else { &mut other.client_seed };
            *into = Some(written.into());
            forms.push(Form { has: format!("the {name} seed {has}"), then, round: other });
        }
    }
    forms
}

/// Other forms in which the seeds may have been meant, a line each.
pub(super) fn notes(
    checker: &mut Checker,
    round: &Round<'_>,
    outcome: &DialectOutcome,
    opening: &CommitmentOpening,
) -> Vec<String> {
    let want = shown(outcome);
    let mut notes = Vec::new();
    for Form { has, then, round } in others(round) {
        let (Ok(other), Ok(opens)) = (checker.outcome(&round, want), checker.opens(&round)) else {
            continue;
        };
        let other = cut(other, want);
        let opens_then = matches!(opens, CommitmentOpening::Opens)
            && matches!(opening, CommitmentOpening::Mismatch(..));
        let also = if opens_then { ", and the commitment opens" } else { "" };
        if other != *outcome {
            notes.push(format!(
                "{has}, and this scheme takes its text unchanged; {then} the result is {other}{also}"
            ));
        } else if opens_then {
            notes.push(format!("{has}; {then} the commitment opens"));
        }
    }
    notes
}

/// Adds to the refusal of a seed that another form of it is not refused.
pub(super) fn unreadable(failure: Failure, checker: &mut Checker, round: &Round<'_>) -> Failure {
    let readable = others(round).into_iter().find(|form| checker.outcome(&form.round, 1).is_ok());
    match readable {
        Some(Form { has, then, .. }) => {
            failure.hint(format!("Look at it: {has}, and {then} it can be read."))
        }
        None => failure,
    }
}

fn shown(outcome: &DialectOutcome) -> usize {
    match outcome {
        DialectOutcome::Cards(cards) => cards.len(),
        DialectOutcome::Multiplier(_) => 1,
    }
}

fn cut(outcome: DialectOutcome, want: usize) -> DialectOutcome {
    match outcome {
        DialectOutcome::Cards(mut cards) => {
            cards.truncate(want);
            DialectOutcome::Cards(cards)
        }
        multiplier @ DialectOutcome::Multiplier(_) => multiplier,
    }
}
