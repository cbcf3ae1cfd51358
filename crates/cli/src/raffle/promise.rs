//! `fairdeal raffle new`: promises a raffle, and writes its page.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::page::{FilesArgs, RaffleFiles};
use super::verify::tickets_of;
use super::{list, words};
use crate::again::Again;
use crate::beacon::{self, ChainArgs};
use crate::exit::Failure;
use crate::hints::first_digits;
use crate::local::{self, Hour};
use crate::operator::{self, LedgerArgs};
use crate::out::{FAINT, Out, count, pasted, plain};
use crate::{files, time};
use fairdeal::beacon::Chains;
use fairdeal::deal::{Commitment, Digest};
use fairdeal::raffle::{RaffleRules, Tickets};
use fairdeal::record::entry::{Caption, Table};
use fairdeal::record::life::locked_to;
use fairdeal_ledger::{DrawTime, NewRaffle, Summary};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("when").required(true))]
pub(super) struct Args {
    /// The list that is drawn from: a line for each ticket. It is public
    #[arg(value_name = "LIST")]
    list: PathBuf,

    /// Promise the list also if it looks like a mistake: a first line that is a heading, a line with
    /// a count or with a blank at an end, two spellings of one name, a list that was promised before
    #[arg(long)]
    as_is: bool,

    /// How many lines win. No line wins twice
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=i64::from(RaffleRules::MOST)))]
    winners: u32,

    /// What the raffle is called
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| Caption::new(text))]
    title: Option<Caption>,

    /// The first winner's prize; given again, the second's, and so on
    #[arg(long = "prize", value_name = "TEXT", value_parser = |text: &str| Caption::new(text))]
    prizes: Vec<Caption>,

    /// When it is drawn, as in '2026-12-24 19:00' in the time zone of this machine,
    /// 2026-12-24T19:00:00+01:00 or 2026-12-24T18:00:00Z (UTC)
    #[arg(long, value_name = "TIME", group = "when", value_parser = local::parse_hour)]
    at: Option<Hour>,

    /// When it is drawn, from now: a number and s, m, h or d
    #[arg(long = "in", value_name = "TIME", group = "when", value_parser = time::parse_duration)]
    after: Option<Duration>,

    /// Others bring seeds, in a lock that you write later: it is drawn the time of --in after that
    #[arg(long, requires = "after")]
    open: bool,

    /// Its own table [default: a name that nobody has]
    #[arg(long, value_name = "TABLE", value_parser = |text: &str| Table::new(text))]
    table: Option<Table>,

    /// The hash of the beacon's chain [default: quicknet]
    #[arg(long, value_name = "HASH", value_parser = |text: &str| Digest::parse(text))]
    chain: Option<Digest>,

    #[command(flatten)]
    chains: ChainArgs,

    #[command(flatten)]
    files: FilesArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  fairdeal raffle new guests.txt --winners 3 --in 1h -o winter
  fairdeal raffle new guests.txt --winners 2 --at '2026-12-24 19:00' \\
      --title 'Winter raffle' --prize 'a weekend for two' --prize 'a bicycle' \\
      -o winter
  fairdeal raffle new guests.txt --winners 1 --in 10m --open -o winter
      others bring seeds, with fairdeal lock
  fairdeal void 630dcd --reason 'a name was missing'
      gives a raffle up before its draw, to promise it again

Put the page on the web before the draw: who has it then can tell later that there was no other list, and no other draw. \
A list of names can be guessed from its digest for ever, also if it was taken down: fairdeal raffle hash hides them.";

/// The answer.
#[derive(Serialize)]
struct Promised<'a> {
    commitment: Commitment,
    index: u64,
    table: Table,
    /// What was changed in the list's form, in words.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    changed: &'a [String],
    /// The beacon's round that decides, and when it is out in Unix milliseconds; none in an open
    /// raffle.
    #[serde(skip_serializing_if = "Option::is_none")]
    beacon: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<u64>,
    /// To announce before the draw; none in an open raffle.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<String>,
    /// The folder of its files; none in an open raffle.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<&'a Path>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let right = list::put_right(files::read(&args.list)?);
    let tickets = tickets_of(&args.list, &right.bytes)?;
    if !args.as_is {
        list::look(&files::name(&args.list), tickets.lines(), &right)?;
    }
    let (list, changed) = (right.bytes, right.changed);
    let rules = RaffleRules {
        prizes: Some(args.prizes.clone()).filter(|prizes| !prizes.is_empty()),
        title: args.title.clone(),
        ..RaffleRules::new(args.winners)
    };
    if args.prizes.len() > usize::try_from(args.winners).unwrap_or(usize::MAX) {
        let (winners, found) = (args.winners, args.prizes.len());
        return Err(usage!(
            "--prize: expected at most one for each of {winners} winners, found {found}"
        ));
    }
    if tickets.draw(args.winners).is_none() {
        let (different, winners) = (tickets.different(), args.winners);
        return Err(usage!(
            "--winners: expected at most {different}, the number of different lines of the list, found {winners}"
        ));
    }
    let (options, policy) = (args.chains.options()?, args.ledger.policy_for_readers()?);
    let _made = args.files.check(None)?;
    let table = args.table.clone().map_or_else(|| NewRaffle::own_table(None), Ok);
    let table = table.map_err(|error| unavailable!("{error}").code("system"))?;
    let new = NewRaffle {
        table: table.clone(),
        list,
        rules,
        chain: args.chain,
        draw: draw_time(args),
        policy: None,
    };
    let again = args.ledger.again();
    let (done, raffle, out_at) = operator::ask_with(&args.ledger, options, async |ledger| {
        if !args.as_is
            && let Some(before) = list::promised_before(ledger, tickets.deck()).await?
        {
            let at = draw_of(&before, &ledger.beacons().chains).map(|(_, at)| at);
            return Ok(Err(promised_before(&before, at, &again, args)));
        }
        let done = ledger.raffle(new, None).await?;
        if args.open {
            return Ok(Ok((done, None, None)));
        }
        let raffle = RaffleFiles::read(ledger, done.commitment, policy).await?;
        let out_at = draw_of(&ledger.show(done.commitment).await?, &ledger.beacons().chains);
        Ok(Ok((done, Some(raffle), out_at)))
    })??;
    let digits = first_digits(&done.commitment);
    let dir = pasted(args.files.dir());
    out.did(operator::Answer::new(&done, again.clone()).done());
    if let Some(raffle) = &raffle {
        args.files.write(raffle)?;
    }
    let answer = Promised {
        commitment: done.commitment,
        index: done.index,
        table: table.clone(),
        changed: &changed,
        beacon: out_at.map(|(round, _)| round),
        out: out_at.map(|(_, out)| out),
        number: raffle.as_ref().map(RaffleFiles::number),
        folder: raffle.as_ref().map(|_| args.files.dir()),
    };
    out.show(&answer, |out| {
        out.field("promised", done.commitment);
        out.field("table", plain(table.as_str()));
        for (label, line) in promised_list(&tickets, args) {
            out.field(label, line);
        }
        if !changed.is_empty() {
            field!(
                out,
                "changed",
                "{}: list.txt beside the page is the list that counts",
                changed.join(", ")
            );
        }
        if let Some(draw) = out_at {
            print_draw(draw, args.at.as_ref(), out);
        }
        if let Some(number) = &answer.number {
            out.field("number", number);
            more!(out, "send it to everybody with the hour. After the draw, another number is another raffle");
        }
        if let Some(raffle) = &raffle {
            args.files.print(raffle, out);
            field!(out, "next", "fairdeal raffle draw {digits}{again} -o {dir}");
        } else {
            field!(out, "next", "fairdeal lock {digits}{again} --client FROM=SEED");
            more!(out, "then fairdeal raffle page {digits}{again} -o {dir}");
        }
        field!(out, "a mistake?", "fairdeal void {digits}{again} --reason TEXT");
        more!(out, "gives the raffle up before its draw. Then promise it again, in another folder");
    });
    Ok(())
}

const NO_TITLE: &str = "none: --title names a raffle on its page and in messages";

/// The round that a raffle waits for, and when that is out in Unix milliseconds; `None` unless it is
/// locked.
fn draw_of(raffle: &Summary, chains: &Chains) -> Option<(u64, u64)> {
    let open = raffle.open.as_ref()?;
    let locked = locked_to(&raffle.terms, &open.lock, Some(chains))?;
    Some((locked.round, locked.out().saturating_mul(1000)))
}

/// Exit 2.
fn promised_before(before: &Summary, at: Option<u64>, again: &Again, args: &Args) -> Failure {
    let digits = first_digits(&before.commitment);
    let at = at.map_or_else(String::new, |at| format!(", to be drawn {}", time::day_and_time(at)));
    let name = files::name(&args.list);
    usage!("{name}: this list was promised already, in raffle {digits}{at}").hint(format!(
        "Whoever audits the log would see two raffles of one list. Give --as-is to promise it once more.\n\
         fairdeal raffle page {digits}{again} -o DIR writes the files of that raffle again.\n\
         fairdeal void {digits}{again} --reason TEXT gives it up, before its draw."
    ))
}

/// The draw in UTC, and in the time zone in which the organiser wrote it: another hour than the one
/// that is meant is seen while the raffle can be given up.
fn print_draw((round, at): (u64, u64), hour: Option<&Hour>, out: &mut Out) {
    let left = time::span(at.saturating_sub(time::now()));
    field!(out, "draw", "{} {FAINT}(in {left}){FAINT:#}", time::day_and_time(at));
    if let Some(local) = hour.and_then(|hour| hour.local(at)) {
        more!(out, "{local}");
    }
    more!(out, "by {} of the beacon", beacon::round(round, None));
}

/// The title, the list, the winners and the prizes, which nobody can change any more.
fn promised_list(tickets: &Tickets, args: &Args) -> Vec<(&'static str, String)> {
    let all = count(tickets.count(), "ticket", "tickets");
    let lines = tickets.lines();
    let ends = lines.first().zip(lines.last());
    let ends = ends.map_or_else(String::new, |(first, last)| {
        format!("from {:?} to {:?}", plain(first), plain(last))
    });
    let (winners, prizes) = (args.winners, args.prizes.len());
    let is_short = usize::try_from(winners).is_ok_and(|winners| prizes < winners);
    let none = if is_short { ": the last winners get none" } else { "" };
    let prizes = match prizes {
        0 => String::new(),
        _ => format!(", {}{none}", count(prizes, "prize", "prizes")),
    };
    let title = args.title.as_ref();
    vec![
        ("title", title.map_or_else(|| NO_TITLE.into(), |title| plain(title.as_str()))),
        ("list", words::list(&all, tickets.count(), tickets.different())),
        ("", ends),
        ("winners", format!("{winners}{prizes}")),
    ]
}

fn draw_time(args: &Args) -> DrawTime {
    match args.after {
        Some(after) if args.open => DrawTime::AfterLock(milliseconds(after)),
        Some(after) => DrawTime::At(time::now().saturating_add(milliseconds(after)).div_ceil(1000)),
        None => DrawTime::At(args.at.as_ref().map_or(0, |hour| hour.at).div_ceil(1000)),
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
