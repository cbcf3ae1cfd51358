//! `fairdeal show`: shows one commitment.

use anstyle::Style;

use super::exit::Failure;
use super::operator::{self, ReadArgs};
use super::out::{BAD, FAINT, GOOD, Out, plain};
use super::which::Which;
use super::{beacon, round, time};
use fairdeal_server::told::{RoundTold, Standing, StandingState};

/// Show a commitment, its terms and state, or one of its rounds
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// A round: who brought what, who sat where, what was dealt, and when
    #[arg(value_name = "NONCE")]
    nonce: Option<String>,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal show 630dcd
  fairdeal show 630dcd 0          its first round
  fairdeal show --table main      the table's last commitment
  fairdeal show --table main 12";

/// `open`; `used up, OVERDUE by 2 s`.
pub(super) fn state_at(standing: &Standing, now: u64) -> String {
    let state = standing.state.as_str();
    if standing.overdue {
        return format!("{state}, OVERDUE by {}", time::span(now - standing.reveal_by));
    }
    state.to_owned()
}

fn style(standing: &Standing) -> Style {
    match standing.state {
        _ if standing.overdue => BAD,
        StandingState::Revealed => GOOD,
        StandingState::Voided => BAD,
        _ => Style::new(),
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let (named, nonce) = args.which.with_round(args.nonce.as_deref(), &args.ledger.again())?;
    let (summary, round, chains) = operator::read(&args.ledger, async |ledger| {
        let commitment = ledger.find(&named).await?;
        let round = match nonce {
            Some(nonce) => Some(ledger.round(commitment, nonce).await?),
            None => None,
        };
        Ok((ledger.show(commitment).await?, round, ledger.beacons().chains.clone()))
    })?;
    if let Some(round) = round {
        let told = RoundTold::of(round, &summary.terms, &chains, &[]);
        let answer = round::Answer { of: round::Of::from(&summary), round: told };
        out.show(&answer, |out| answer.print(&args.ledger.again(), out));
        return Ok(());
    }
    let now = time::now();
    let answer = Standing::at(summary, now);
    out.show(&answer, |out| print(&answer, now, out));
    Ok(())
}

fn print(answer: &Standing, now: u64, out: &mut Out) {
    out.field("commitment", answer.commitment);
    out.field("table", plain(answer.table.as_str()));
    let style = style(answer);
    field!(out, "state", "{style}{}{style:#}", state_at(answer, now));
    if let Some(after) = answer.after {
        out.field("after", after);
    }
    field!(out, "deals", "{} of {}, by {}", answer.draw, answer.deck, answer.method);
    let sealed = if answer.sealed { ", each card sealed" } else { "" };
    let signed = if answer.signed { ", each contribution signed" } else { "" };
    field!(out, "mixing", "{}{signed}{sealed}", answer.mixing.as_str());
    if let Some(terms) = &answer.beacon {
        out.field("beacon", beacon::in_words(terms));
    }
    if let Some(given) = &answer.layout {
        out.field("layout", given.in_words());
    }
    let next = match answer.locked {
        Some(nonce) => format!("round {nonce} is locked"),
        None if answer.next >= answer.rounds => "none is left".to_owned(),
        None => format!("the next is {}", answer.next),
    };
    field!(out, "rounds", "{} at most, {next}", answer.rounds);
    out.field("entry", answer.index);
    out.field("committed", time::utc(answer.time));
    let left = answer.reveal_by.checked_sub(now).filter(|_| answer.is_due());
    let left =
        left.map(|left| format!(" {FAINT}(in {}){FAINT:#}", time::span(left))).unwrap_or_default();
    field!(out, "reveal by", "{}{left}", time::utc(answer.reveal_by));
    if let Some(rules) = answer.rules {
        field!(out, "rules", "{rules} {FAINT}(SHA-256){FAINT:#}");
    }
}
