//! `fairdeal show`: shows one commitment.

use anstyle::Style;
use serde::Serialize;

use super::exit::Failure;
use super::operator::{self, ReadArgs};
use super::out::{BAD, FAINT, GOOD, Out, plain};
use super::which::Which;
use super::{layout, round, time};
use crate::deal::{Commitment, Deck, Digest, Method, Nonce};
use crate::ledger::Summary;
use crate::record::entry::{Layout, Mixing, Table};
use crate::record::life::End;

/// Show one commitment: its terms and its state; or one of its rounds
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

/// One commitment, in the `--json` output here and in `list`.
#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) commitment: Commitment,
    pub(super) index: u64,
    pub(super) table: Table,
    pub(super) state: State,
    pub(super) deck: Deck,
    draw: u64,
    method: Method,
    mixing: Mixing,
    sealed: bool,
    signed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<Layout>,
    pub(super) rounds: u64,
    pub(super) next: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    locked: Option<Nonce>,
    time: u64,
    pub(super) reveal_by: u64,
    /// Neither revealed nor voided, and its time is over.
    pub(super) overdue: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Commitment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Digest>,
}

/// A commitment's state.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum State {
    /// No round yet.
    Unused,
    /// Some rounds are done, and some are left.
    Open,
    /// A round is locked; its deal or its void comes next.
    Locked,
    /// No round is left; the reveal is due.
    UsedUp,
    /// The seed is public.
    Revealed,
    /// Voided as a whole.
    Voided,
}

impl State {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::Open => "open",
            Self::Locked => "locked",
            Self::UsedUp => "used up",
            Self::Revealed => "revealed",
            Self::Voided => "voided",
        }
    }
}

impl Answer {
    /// As it is at this moment.
    pub(super) fn at(summary: Summary, now: u64) -> Self {
        let state = match (summary.ended, &summary.open) {
            (Some(End::Revealed), _) => State::Revealed,
            (Some(End::Voided), _) => State::Voided,
            (None, Some(_)) => State::Locked,
            (None, None) if summary.used_up => State::UsedUp,
            (None, None) if summary.next == 0 => State::Unused,
            (None, None) => State::Open,
        };
        let terms = summary.terms;
        Self {
            commitment: summary.commitment,
            index: summary.index,
            table: terms.table,
            state,
            deck: terms.deck,
            draw: terms.draw.value(),
            method: terms.method,
            mixing: terms.mixing,
            sealed: terms.sealed,
            signed: terms.signed.is_some(),
            layout: terms.layout,
            rounds: terms.rounds.value(),
            next: summary.next,
            locked: summary.open.map(|open| open.lock.nonce),
            time: terms.time.value(),
            reveal_by: terms.reveal_by.value(),
            overdue: summary.ended.is_none() && terms.reveal_by.value() < now,
            after: terms.after,
            rules: terms.rules,
        }
    }

    /// Whether a reveal or a void is still to come.
    pub(super) fn is_due(&self) -> bool {
        !matches!(self.state, State::Revealed | State::Voided)
    }

    /// `open`; `used up, OVERDUE by 2 s`.
    pub(super) fn state_at(&self, now: u64) -> String {
        let state = self.state.as_str();
        if self.overdue {
            return format!("{state}, OVERDUE by {}", time::span(now - self.reveal_by));
        }
        state.to_owned()
    }

    fn style(&self) -> Style {
        match self.state {
            _ if self.overdue => BAD,
            State::Revealed => GOOD,
            State::Voided => BAD,
            State::Unused | State::Open | State::Locked | State::UsedUp => Style::new(),
        }
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let (named, nonce) = args.which.with_round(args.nonce.as_deref())?;
    let (summary, round) = operator::read(&args.ledger, async |ledger| {
        let commitment = ledger.find(&named).await?;
        let round = match nonce {
            Some(nonce) => Some(ledger.round(commitment, nonce).await?),
            None => None,
        };
        Ok((ledger.show(commitment).await?, round))
    })?;
    if let Some(round) = round {
        let answer = round::Answer { of: round::Of::from(&summary), round: round::Row::from(round) };
        out.show(&answer, |out| answer.print(out));
        return Ok(());
    }
    let now = time::now();
    let answer = Answer::at(summary, now);
    out.show(&answer, |out| print(&answer, now, out));
    Ok(())
}

fn print(answer: &Answer, now: u64, out: &mut Out) {
    out.field("commitment", answer.commitment);
    out.field("table", plain(answer.table.as_str()));
    let style = answer.style();
    out.field("state", format_args!("{style}{}{style:#}", answer.state_at(now)));
    if let Some(after) = answer.after {
        out.field("after", after);
    }
    out.field("deals", format_args!("{} of {}, by {}", answer.draw, answer.deck, answer.method));
    let sealed = if answer.sealed { ", each card sealed" } else { "" };
    let signed = if answer.signed { ", each contribution signed" } else { "" };
    out.field("mixing", format_args!("{}{signed}{sealed}", answer.mixing.as_str()));
    if let Some(given) = &answer.layout {
        out.field("layout", layout::spoken(given));
    }
    let next = match answer.locked {
        Some(nonce) => format!("round {nonce} is locked"),
        None if answer.next >= answer.rounds => "none is left".to_owned(),
        None => format!("the next is {}", answer.next),
    };
    out.field("rounds", format_args!("{} at most, {next}", answer.rounds));
    out.field("entry", answer.index);
    out.field("committed", time::utc(answer.time));
    let left = answer.reveal_by.checked_sub(now).filter(|_| answer.is_due());
    let left = left.map(|left| format!(" {FAINT}(in {}){FAINT:#}", time::span(left))).unwrap_or_default();
    out.field("reveal by", format_args!("{}{left}", time::utc(answer.reveal_by)));
    if let Some(rules) = answer.rules {
        out.field("rules", format_args!("{rules} {FAINT}(SHA-256){FAINT:#}"));
    }
}
