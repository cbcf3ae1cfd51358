//! One round, from what stands on the command line.

use serde::Serialize;

use super::Args;
use crate::cli::args;
use crate::cli::exit::Failure;
use crate::cli::out::{BAD, GOOD, Out, plain, width, wrapped};
use crate::dialect::{
    Checked, Checker, Column, CommitmentOpening, Dialect, DialectOutcome, Foreign, Law, PlayError, Round,
    RowVerdict,
};
use crate::source::text_value;

/// Cards that are printed where nobody says how many.
const CARDS: usize = 10;

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    dialect: &'static str,
    outcome: Shown,
    opens: &'static str,
    follows: Option<bool>,
    says: String,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Shown {
    Cards(Vec<String>),
    Result(String),
}

pub(super) fn run(dialect: &'static Dialect, seed: &str, args: &Args, out: &mut Out) -> Result<(), Failure> {
    let round = round(dialect, seed, args)?;
    let mut checker = Checker::new(dialect);
    let expected = round.cards.as_ref().map_or(0, Vec::len);
    let want = args.cards.map_or(CARDS, usize::from).max(expected);
    let mut outcome = checker.outcome(&round, want).map_err(wrong)?;
    if let DialectOutcome::Cards(cards) = &mut outcome {
        cards.truncate(want);
    }
    let opening = checker.opens(&round).map_err(wrong)?;
    let agrees = agrees(&mut checker, &round, &outcome);
    let follows = args.expect.as_ref().map(|_| agrees.verdict == RowVerdict::Valid);
    if agrees.verdict != RowVerdict::Valid || matches!(opening, CommitmentOpening::Mismatch(..)) {
        out.does_not_hold();
    }
    let answer = Answer {
        dialect: dialect.name,
        outcome: shown(&outcome),
        opens: match opening {
            CommitmentOpening::Opens => "yes",
            CommitmentOpening::NotShown => "not-shown",
            CommitmentOpening::NoRule => "no-rule",
            CommitmentOpening::Mismatch(..) => "no",
        },
        follows,
        says: match &opening {
            CommitmentOpening::Mismatch(_, says) => says.clone(),
            _ if follows.is_some() => checker.check(&round).says.into_owned(),
            _ if agrees.verdict != RowVerdict::Valid => agrees.says.clone().into_owned(),
            opening => says(opening).to_owned(),
        },
    };
    out.show(&answer, |out| print(dialect, &answer, &opening, &agrees, out));
    Ok(())
}

/// What the command line says of the round.
fn round(dialect: &'static Dialect, seed: &str, args: &Args) -> Result<Round<'static>, Failure> {
    let (seed, place) = args::server_seed(seed)?;
    let result = match dialect.law {
        Law::Multiplier(_) => Column::Result,
        Law::Draws(_) => Column::Cards,
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
            let reads = Column::ALL.into_iter().filter(|column| dialect.reads(*column)).map(Column::as_str);
            let reads = reads.collect::<Vec<_>>().join(", ");
            let says =
                format!("{}: {} does not read {column}; it reads {reads}", option(column), dialect.name);
            return Err(Failure::usage(says));
        }
        if taken.contains(&column) {
            return Err(Failure::usage(format!("{}: given twice", option(column))));
        }
        taken.push(column);
        round.put(column, text_value(text.into())).map_err(wrong)?;
    }
    let states = round.cards.is_some() || round.result.is_some() || round.finer.is_some();
    if args.expect.is_some() && !states {
        return Err(Failure::usage("--expect: expected cards or a multiplier, found nothing"));
    }
    // A game has its place on a chain that was published, whether or not that is said again.
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

/// Whether the result, and what else is said, follows from the seeds; where no result is expected, the one that they give
/// stands for it.
fn agrees(checker: &mut Checker, round: &Round<'_>, outcome: &DialectOutcome) -> Checked {
    let mut round = round.clone();
    round.commitment = None;
    match outcome {
        DialectOutcome::Cards(cards) if round.cards.is_none() => round.cards = Some(cards.clone()),
        DialectOutcome::Multiplier(cents) if round.result.is_none() && round.finer.is_none() => {
            round.result = Some(*cents);
        }
        _ => {}
    }
    checker.check(&round)
}

fn shown(outcome: &DialectOutcome) -> Shown {
    match outcome {
        DialectOutcome::Cards(cards) => {
            Shown::Cards(cards.iter().map(|card| Foreign(*card).to_string()).collect())
        }
        DialectOutcome::Multiplier(cents) => Shown::Result(cents.to_string()),
    }
}

fn says(opening: &CommitmentOpening) -> &'static str {
    match opening {
        CommitmentOpening::Opens => "the commitment opens",
        CommitmentOpening::NotShown => "no commitment was shown",
        CommitmentOpening::NoRule | CommitmentOpening::Mismatch(..) => {
            "how a commitment of this scheme opens is not in its sources, so the one given was not checked"
        }
    }
}

fn print(dialect: &Dialect, answer: &Answer, opening: &CommitmentOpening, agrees: &Checked, out: &mut Out) {
    out.field("dialect", format_args!("{}: {}", dialect.name, dialect.title));
    match &answer.outcome {
        Shown::Result(result) => out.field("result", result),
        Shown::Cards(cards) => {
            let lines = wrapped(&cards.join(" "), width().saturating_sub(crate::cli::out::LABEL));
            for (at, line) in lines.iter().enumerate() {
                if at == 0 { out.field("cards", line) } else { out.more(line) }
            }
        }
    }
    match opening {
        CommitmentOpening::Opens => out.field("commitment", format_args!("{GOOD}opens{GOOD:#}")),
        CommitmentOpening::NotShown => out.field("commitment", "none was shown"),
        CommitmentOpening::NoRule => out.field("commitment", says(opening)),
        CommitmentOpening::Mismatch(_, says) => {
            out.field("commitment", format_args!("{BAD}does not open:{BAD:#} {}", plain(says)));
        }
    }
    match (answer.follows, agrees.verdict) {
        (Some(true), _) => out.field("expected", format_args!("{GOOD}follows{GOOD:#}")),
        (Some(false), _) => {
            out.field("expected", format_args!("{BAD}does not follow:{BAD:#} {}", plain(&agrees.says)));
        }
        (None, RowVerdict::Valid) => {}
        (None, _) => out.field("but", format_args!("{BAD}{}{BAD:#}", plain(&agrees.says))),
    }
}

/// Where on the command line a column stands.
fn option(column: Column) -> String {
    match column {
        Column::ServerSeed => "--server-seed".to_owned(),
        Column::ClientSeed => "--client-seed".to_owned(),
        Column::Nonce => "--nonce".to_owned(),
        Column::Commitment => "--commitment".to_owned(),
        Column::Cards | Column::Result => "--expect".to_owned(),
        other => format!("--with {other}"),
    }
}

fn wrong(error: PlayError) -> Failure {
    match error {
        PlayError::Missing { column, expected } => {
            Failure::usage(format!("{}: expected {expected}, found nothing", option(column)))
        }
        PlayError::Wrong { column, expected, found } => {
            Failure::usage(format!("{}: expected {expected}, found {found}", option(column)))
        }
        PlayError::Refused { .. } => Failure::unavailable(error.to_string()),
    }
}
