//! One round, given on the command line.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Args, report};
use crate::args;
use crate::exit::Failure;
use crate::out::{BAD, GOOD, LABEL, Out, STRONG, columns_beside, plain, width, wrapped};
use fairdeal_schemes::answer::Closing;
use fairdeal_schemes::dialect::diagnose::meant;
use fairdeal_schemes::dialect::{
    Checked, Checker, Column, CommitmentOpening, Diagnoses, Diagnosis, Dialect, DialectOutcome,
    Failures, Foreign, GameValue, PlayError, Round, RowVerdict,
};
use fairdeal_schemes::rows::text_value;

/// How many cards are printed by default.
const CARDS: usize = 10;

/// The round as a row of `--json`.
#[derive(Serialize)]
struct OneRow {
    row: u64,
    verdict: &'static str,
    says: String,
    outcome: Shown,
    opens: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    follows: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The output of `--json`: the shape of a file of one row.
#[derive(Serialize)]
struct Answer<'a> {
    dialect: &'static str,
    rows: [OneRow; 1],
    #[serde(flatten)]
    closing: Closing<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Shown {
    Cards(Vec<String>),
    Result(String),
    /// The columns of a game of numbers and symbols.
    #[serde(untagged)]
    Cells(BTreeMap<&'static str, GameValue>),
}

/// So many digits 0 and 1 are a path, and no slot.
const FEWEST_PINS: usize = 8;

/// The verdict on a round without an expected result.
const NOT_COMPARED: &str = "not-compared";

pub(super) fn run(
    dialect: &'static Dialect,
    seed: &str,
    args: &Args,
    out: &mut Out,
) -> Result<(), Failure> {
    let round = round(dialect, seed, args)?;
    let mut checker = Checker::new(dialect);
    let expected = round.cards.as_ref().map_or(0, Vec::len);
    let want = args.cards.map_or(CARDS, usize::from).max(expected);
    let outcome = played(&mut checker, &round, want);
    let outcome = outcome.map_err(|error| unreadable(wrong(&error), &mut checker, &round))?;
    // Without an expected result, the round is judged with what its seeds give.
    let judged = settled(&round, &outcome);
    let found = checker.check(&judged);
    if found.verdict == RowVerdict::Unreadable {
        return Err(unreadable(Failure::usage(by_option(&found.says)), &mut checker, &round));
    }
    let opening = checker.opens(&round).map_err(|error| wrong(&error))?;
    let mut without = judged.clone();
    without.commitment = None;
    let agrees = checker.check(&without);
    let shows = |(column, _): &(Column, String)| dialect.shows.contains(column);
    let is_compared = args.expect.is_some() || args.with.iter().any(shows);
    let follows = is_compared.then_some(agrees.verdict == RowVerdict::Valid);
    let (verdict, says) = if found.verdict == RowVerdict::Valid && !is_compared {
        (NOT_COMPARED, self::says(&opening).to_owned())
    } else {
        (found.verdict.as_str(), found.says.into_owned())
    };
    let is_sound = verdict == NOT_COMPARED || verdict == RowVerdict::Valid.as_str();
    if !is_sound {
        out.does_not_hold();
    }
    let diagnoses = (!is_sound && is_compared).then(|| {
        let mut failures = Failures::new(dialect);
        failures.push(0, &round, found.verdict);
        failures.finish(&checker)
    });
    // Without an expected result, no search can say which form of a seed was meant.
    let notes = if is_compared { Vec::new() } else { notes(&mut checker, &round, want) };
    let row = OneRow {
        row: 0,
        verdict,
        says,
        outcome: shown(&outcome),
        opens: match opening {
            CommitmentOpening::Opens => "yes",
            CommitmentOpening::NotShown => "not-shown",
            CommitmentOpening::NoRule => "no-rule",
            CommitmentOpening::Mismatch(..) => "no",
        },
        follows,
        notes,
    };
    let closing = Closing {
        holds: is_sound,
        valid: u64::from(verdict == RowVerdict::Valid.as_str()),
        invalid: u64::from(!is_sound),
        unreadable: u64::from(verdict == RowVerdict::Unreadable.as_str()),
        would_verify: diagnoses.as_ref(),
        rows_show: None,
        cannot_show: None,
        error: None,
    };
    let answer = Answer { dialect: dialect.name, rows: [row], closing };
    out.show(&answer, |out| {
        let [row] = &answer.rows;
        print(dialect, row, &opening, &agrees, out);
        let hints = hints(diagnoses.as_ref());
        out.fields("hint", broken(&hints));
        out.fields("note", broken(&row.notes));
        out.line(report::what_no_row_shows(dialect.name));
    });
    Ok(())
}

/// Changes that would make the round verify, a line each.
fn hints(diagnoses: Option<&Diagnoses>) -> Vec<String> {
    let Some(diagnoses) = diagnoses.filter(|diagnoses| diagnoses.tried > 0) else {
        return Vec::new();
    };
    if diagnoses.diagnoses.is_empty() {
        return vec!["none of the usual confusions would make it verify".to_owned()];
    }
    let line = |one: &Diagnosis| format!("it would verify if {}{}", one.says, one.but());
    diagnoses.diagnoses.iter().map(line).collect()
}

/// The result: the first `want` cards, or the multiplier.
fn played(
    checker: &mut Checker,
    round: &Round<'_>,
    want: usize,
) -> Result<DialectOutcome, PlayError> {
    let mut outcome = checker.outcome(round, want)?;
    if let DialectOutcome::Cards(cards) = &mut outcome {
        cards.truncate(want);
    }
    Ok(outcome)
}

/// The round's result with its seeds written in another way, a line each.
fn notes(checker: &mut Checker, round: &Round<'_>, want: usize) -> Vec<String> {
    let mut tried = |round: &Round<'_>| {
        let opens = checker.opens(round).ok()? == CommitmentOpening::Opens;
        Some((played(checker, round, want).ok()?, opens))
    };
    let Some((outcome, opens)) = tried(round) else { return Vec::new() };
    let note = |(says, round): (_, Round<'static>)| {
        let (other, opens_then) = tried(&round)?;
        let result = (other != outcome).then(|| format!("the result is {other}"));
        let opening = (opens_then && !opens).then(|| "the commitment opens".to_owned());
        let then: Vec<String> = result.into_iter().chain(opening).collect();
        (!then.is_empty()).then(|| format!("if {says}, {}", then.join(" and ")))
    };
    meant(round).into_iter().filter_map(note).collect()
}

/// Adds a hint to the refusal of a seed, if it can be read when it is written in another way.
fn unreadable(failure: Failure, checker: &mut Checker, round: &Round<'_>) -> Failure {
    match meant(round).into_iter().find(|(_, round)| checker.outcome(round, 1).is_ok()) {
        Some((says, _)) => failure.hint(format!("Look at it: it can be read if {says}.")),
        None => failure,
    }
}

/// Lines that fit next to a label.
fn broken(lines: &[String]) -> Vec<String> {
    lines.iter().flat_map(|line| wrapped(&plain(line), width().saturating_sub(LABEL))).collect()
}

/// The round that the command line gives.
fn round(dialect: &'static Dialect, seed: &str, args: &Args) -> Result<Round<'static>, Failure> {
    let (seed, place) = args::server_seed(seed)?;
    let is_path = |text: &str| {
        text.len() >= FEWEST_PINS && text.bytes().all(|bit| matches!(bit, b'0' | b'1'))
    };
    let result = match &args.expect {
        Some(text) if dialect.shows.contains(&Column::Path) && is_path(text) => Column::Path,
        _ => dialect.shows[0],
    };
    let given = [
        (Column::ServerSeed, Some(seed)),
        (Column::ClientSeed, args.client_seed.clone()),
        (Column::Nonce, args.nonce.clone()),
        (Column::Commitment, args.commitment.clone()),
        (result, args.expect.clone()),
    ];
    if seed_is_empty(&given) {
        return Err(Failure::usage(format!("{place}: expected a server seed, found nothing")));
    }
    let given = given.into_iter().filter_map(|(column, text)| Some((column, text?)));
    let mut round = Round::default();
    let mut taken = Vec::new();
    for (column, text) in given.chain(args.with.iter().cloned()) {
        if !dialect.reads(column) {
            let reads =
                Column::ALL.into_iter().filter(|column| dialect.reads(*column)).map(Column::as_str);
            let reads = reads.collect::<Vec<_>>().join(", ");
            let says = format!(
                "{}: {} does not read {column}; it reads {reads}",
                option(column),
                dialect.name
            );
            return Err(Failure::usage(says));
        }
        if taken.contains(&column) {
            return Err(Failure::usage(format!("{}: given twice", option(column))));
        }
        taken.push(column);
        text_value(text.into()).put(column, &mut round).map_err(|error| wrong(&error))?;
    }
    if args.expect.as_deref() == Some("") {
        return Err(Failure::usage(format!(
            "--expect: expected {}, found nothing",
            result.example()
        )));
    }
    // A game's number or steps claim a place on the published chain.
    if let (None, Some(published)) = (round.commitment, dialect.published)
        && (round.game_id.is_some() || round.chain_steps.is_some())
    {
        round.commitment = Some(published.end);
    }
    Ok(round)
}

fn seed_is_empty(given: &[(Column, Option<String>)]) -> bool {
    given.iter().any(|(column, text)| *column == Column::ServerSeed && text.as_deref() == Some(""))
}

/// The round with the result that its seeds give, if none is expected.
fn settled(round: &Round<'static>, outcome: &DialectOutcome) -> Round<'static> {
    let mut round = round.clone();
    match outcome {
        DialectOutcome::Cards(cards) if round.cards.is_none() => round.cards = Some(cards.clone()),
        DialectOutcome::Result(one) if round.result.is_none() && round.finer.is_none() => {
            round.result = Some(one.first);
        }
        DialectOutcome::Cells(cells)
            if !cells.iter().any(|(column, _)| round.cell(*column).is_some()) =>
        {
            round.cells.extend(cells.iter().cloned());
        }
        _ => {}
    }
    round
}

fn shown(outcome: &DialectOutcome) -> Shown {
    match outcome {
        DialectOutcome::Cards(cards) => {
            Shown::Cards(cards.iter().map(|card| Foreign(*card).to_string()).collect())
        }
        DialectOutcome::Result(one) => Shown::Result(one.first.to_string()),
        DialectOutcome::Cells(cells) => {
            let cell = |(column, cell): &(Column, GameValue)| (column.as_str(), cell.clone());
            Shown::Cells(cells.iter().map(cell).collect())
        }
    }
}

fn says(opening: &CommitmentOpening) -> &'static str {
    match opening {
        CommitmentOpening::Opens => "the commitment opens",
        CommitmentOpening::NotShown => "no commitment was shown",
        CommitmentOpening::NoRule | CommitmentOpening::Mismatch(..) => {
            "the sources of this scheme do not say how a commitment opens, so the one given was \
             not checked"
        }
    }
}

fn print(
    dialect: &Dialect,
    answer: &OneRow,
    opening: &CommitmentOpening,
    agrees: &Checked,
    out: &mut Out,
) {
    headline(dialect, answer, opening, out);
    out.field("dialect", dialect.title);
    match &answer.outcome {
        Shown::Result(result) => out.field("result", result),
        Shown::Cards(cards) => out.fields("cards", broken(&[cards.join(" ")])),
        Shown::Cells(cells) => {
            for (column, cell) in cells {
                out.fields(column, broken(&[cell.to_string()]));
            }
        }
    }
    match opening {
        CommitmentOpening::Opens => out.field("commitment", format_args!("{GOOD}opens{GOOD:#}")),
        CommitmentOpening::NotShown => out.field("commitment", "none was shown"),
        CommitmentOpening::NoRule => out.field("commitment", says(opening)),
        CommitmentOpening::Mismatch(_, says) => {
            bad("commitment", "does not open:", says, out);
        }
    }
    match (answer.follows, agrees.verdict) {
        (Some(true), _) => out.field("expected", format_args!("{GOOD}follows{GOOD:#}")),
        (Some(false), _) => {
            bad("expected", "does not follow:", &agrees.says, out);
        }
        (None, RowVerdict::Valid) => {}
        (None, _) => bad("but", "does not agree:", &agrees.says, out),
    }
}

/// The first line: `stake-crash  holds, but no commitment was shown`.
fn headline(dialect: &Dialect, answer: &OneRow, opening: &CommitmentOpening, out: &mut Out) {
    let (style, verdict, words) = match (answer.verdict, opening) {
        (NOT_COMPARED, _) => (STRONG, "nothing to compare", ": give the result with --expect"),
        (_, CommitmentOpening::Mismatch(..)) => {
            (BAD, "does not hold", ": the commitment does not open")
        }
        _ if answer.follows == Some(false) => {
            (BAD, "does not hold", ": the seeds do not give this result")
        }
        _ if answer.follows.is_none() => {
            (BAD, "does not hold", ": the seeds do not agree with the rest")
        }
        (_, CommitmentOpening::Opens) => {
            (GOOD, "holds", ": the seeds give this result, and the commitment opens")
        }
        (_, CommitmentOpening::NotShown) => (GOOD, "holds", ", but no commitment was shown"),
        (_, CommitmentOpening::NoRule) => {
            (GOOD, "holds", ", but the commitment could not be checked")
        }
    };
    out.line(format_args!("{STRONG}{}{STRONG:#}  {style}{verdict}{style:#}{words}", dialect.name));
}

/// A field that says what does not hold, wrapped on a terminal only.
fn bad(label: &str, what: &str, says: &str, out: &mut Out) {
    let mut lines = wrapped(&format!("{what} {}", plain(says)), columns_beside(LABEL));
    if let Some(rest) = lines[0].strip_prefix(what) {
        lines[0] = format!("{BAD}{what}{BAD:#}{rest}");
    }
    out.fields(label, lines);
}

/// The option that gives a column.
fn option(column: Column) -> String {
    match column {
        Column::ServerSeed => "--server-seed".to_owned(),
        Column::ClientSeed => "--client-seed".to_owned(),
        Column::Nonce => "--nonce".to_owned(),
        Column::Commitment => "--commitment".to_owned(),
        Column::Cards
        | Column::Result
        | Column::Numbers
        | Column::Rolls
        | Column::Symbols
        | Column::Floors
        | Column::Slot => "--expect".to_owned(),
        other => format!("--with {other}"),
    }
}

fn wrong(error: &PlayError) -> Failure {
    match error {
        PlayError::Refused { .. } => Failure::unavailable(error.to_string()),
        _ => Failure::usage(by_option(&error.to_string())),
    }
}

/// What is said of a column, said of the option that gives it.
fn by_option(says: &str) -> String {
    let column = says.split_once(": ").and_then(|(name, rest)| Some((Column::named(name)?, rest)));
    column.map_or_else(|| says.to_owned(), |(column, rest)| format!("{}: {rest}", option(column)))
}
