//! Prints the verdict on a raffle.

use super::audited::{self, Other};
use super::kept::Kept;
use super::page::RELAY;
use crate::accused::{About, print_accused};
use crate::beacon::{QUICKNET, chain_name};
use crate::out::{BAD, GOOD, Out, STRONG, UNSURE, columns_beside, count, plain, wrapped};
use crate::time::{day_and_time, now};
use crate::verify;
use fairdeal::raffle::{Entrant, FoundLine, RaffleGiven, RaffleVerdict};
use fairdeal::record::receipt::{NotShown, Shown, VerdictState};

/// The most winners that are printed; `--json` has all.
const MOST: usize = 100;

/// What is told with a verdict.
pub(super) struct Told<'a> {
    /// The raffle's number.
    pub(super) number: String,
    /// Whether each line has the form of a hashed one: nobody finds an address in the list.
    pub(super) is_hashed: bool,
    /// The lines that a reader may mean, whose line is not in the list.
    pub(super) alike: Vec<&'a str>,
    /// The documents that the reader kept, and that are not this promise before its draw; and messages.
    pub(super) kept: Vec<Kept>,
    /// The other promises of the list in the log that was audited.
    pub(super) others: Vec<Other>,
}

pub(super) fn print(
    name: &str,
    (verdict, told): (&RaffleVerdict, &Told),
    given: &RaffleGiven,
    out: &mut Out,
) {
    let receipt = &verdict.receipt;
    let wrong = || verify::wrong(receipt, &given.reader).to_owned();
    // Only the reader knows when they got their copy (spec/raffle.md, 38).
    let if_copy = if verdict.shows(Shown::LockedBeforeBeacon) {
        ""
    } else {
        ", if your copy is from before the draw"
    };
    let out_at = verdict.beacon.and_then(|beacon| beacon.out);
    let out_at = out_at.map_or(u64::MAX, |out| out.saturating_mul(1000));
    let (style, word, says) = match receipt.state {
        Some(VerdictState::Fair)
            if let Some(all) = verdict.same_list
                && all > 1
                && !audited::are_given_up_in_time(all, &told.others, out_at) =>
        {
            (UNSURE, "fair", format!(": but this log has {all} raffles of this list"))
        }
        Some(VerdictState::Fair) => (GOOD, "fair", format!("{if_copy}: {}", drawn_blind(verdict))),
        Some(VerdictState::Unproved) if is_fair_by_message(verdict, told) => (
            GOOD,
            "fair",
            format!(", if your message is from before the draw: {}", drawn_blind(verdict)),
        ),
        Some(VerdictState::Unproved) => (UNSURE, "unproved", format!(": {UNPROVED}")),
        Some(VerdictState::Caught) => (BAD, "caught", format!(": {}", wrong())),
        None if receipt.holds => (STRONG, "holds", format!(", but {}", missing(verdict))),
        None => (BAD, "does not hold", format!(": {}", wrong())),
    };
    say!(out, "{STRONG}{}{STRONG:#}  {style}{word}{style:#}{says}", plain(name));
    told.kept.iter().for_each(|kept| kept.print(out));
    let is_told = is_fair_by_message(verdict, told)
        || !told.kept.is_empty() && verdict.does_not_show(NotShown::KeptBeforeBeacon);
    if receipt.state == Some(VerdictState::Unproved) && !is_told {
        for line in wrapped(why(verdict), columns_beside(2)) {
            say!(out, "  {line}");
        }
    }
    verify::print_findings(&receipt.findings, out);
    print_accused(receipt.findings.iter().map(|one| one.accuses), About::File, out);
    if let Some(title) = &verdict.rules.title {
        out.field("raffle", plain(title.as_str()));
    }
    if verdict.shows(Shown::Logged) {
        out.field("number", &told.number);
    }
    let lines = count(verdict.count, "line", "lines");
    out.field("list", list(&lines, verdict.count, verdict.different));
    out.long_field("draw", &draw(verdict));
    if let Some(void) = verdict.void {
        out.long_field("given up", &given_up(verdict, void.value()));
    }
    print_winners(verdict, &[], out);
    if let Some(line) = &verdict.line {
        out.long_field("your line", &own_line(line, verdict, told));
    }
    if let Some(witnessed) = &receipt.witnessed {
        verify::print_witnessed(witnessed, out);
    }
    if let Some(before) = receipt.before_beacon {
        field!(out, "beacon", "locked {before} s before it was out");
    }
    let shown = receipt.shown.iter().map(|one| (says_shown(*one), one.as_str()));
    print_shown("shown", shown, out);
    let not_shown = receipt.not_shown.iter().map(|one| (says_not_shown(*one), one.as_str()));
    print_shown("not shown", not_shown, out);
    let only = if receipt.state == Some(VerdictState::Fair) {
        if verdict.shows(Shown::KeptBeforeBeacon) || verdict.same_list.is_some() {
            "this shows that this draw was fair, not that it was the only one"
        } else {
            "this shows that this draw was fair if an audit of the log finds nothing, and not that it was the only one"
        }
    } else {
        "nothing here shows that this draw is the only one"
    };
    let others = match verdict.same_list {
        None => "the organiser may have promised others of the same list".to_owned(),
        Some(0) => "the log that was audited does not have it".to_owned(),
        Some(1) => {
            "this log has no other promise of the same list; nothing shows those of other logs"
                .to_owned()
        }
        Some(all) => audited::told(all, &told.others),
    };
    out.long_field("", &format!("{only}: {others}"));
    out.field("table", plain(verdict.table.as_str()));
    if let Some(commitment) = receipt.commitment {
        out.field("commitment", commitment);
    }
}

/// Each meaning, and its token in brackets.
fn print_shown<'a>(label: &str, all: impl Iterator<Item = (&'a str, &'a str)>, out: &mut Out) {
    let mut label = label;
    for (says, token) in all {
        out.long_field(label, &format!("{says} ({token})"));
        label = "";
    }
}

/// Whether the message takes the place of a document that the reader kept (spec/raffle.md, 38).
fn is_fair_by_message(verdict: &RaffleVerdict, told: &Told) -> bool {
    let is_other =
        [NotShown::KeptBeforeBeacon, NotShown::Yours].map(|one| verdict.does_not_show(one));
    // If the reader has something of two raffles, it decides for neither.
    let is_announced = told.kept.iter().any(Kept::is_announced);
    is_announced && !told.kept.iter().any(Kept::is_of_another) && is_other == [false; 2]
}

fn drawn_blind(verdict: &RaffleVerdict) -> String {
    format!("drawn by a number{} that nobody knew when the list was closed", of_chain(verdict))
}

const UNPROVED: &str = "the winners follow from the list and the number, but nothing here shows that the list was closed before the number was out";

/// A token's meaning for somebody who knows raffles, and neither rounds nor deals.
fn says_shown(shown: Shown) -> &'static str {
    match shown {
        Shown::Replayed => "the log has exactly these winners",
        Shown::LockedBeforeBeacon => {
            "your witnesses had seen the list before anybody could know the number"
        }
        Shown::KeptBeforeBeacon => "the promise that you saved before the draw is this one",
        other => verify::says_shown(other),
    }
}

fn says_not_shown(not_shown: NotShown) -> &'static str {
    match not_shown {
        NotShown::Replayed => "that the log has these winners",
        NotShown::Beacon => "that the number is the beacon's",
        NotShown::NoCollusion => {
            "that the organiser did not know the number when it closed the list"
        }
        NotShown::LockedBeforeBeacon => {
            "that witnesses whom you chose had seen the list before the number was out"
        }
        NotShown::KeptBeforeBeacon => "that the promise that you saved before the draw is this one",
        NotShown::Authentic => {
            "whose the seeds of others are: the organiser may have invented them"
        }
        NotShown::Complete => "that there was only this raffle",
        other => verify::says_not_shown(other),
    }
}

/// ` of chain …`, unless it is that which everybody knows.
fn of_chain(verdict: &RaffleVerdict) -> String {
    let chain = verdict.beacon.map(|beacon| chain_name(&beacon.chain));
    let other = chain.filter(|name| name != QUICKNET);
    other.map_or_else(String::new, |name| format!(" of the {name}"))
}

/// What would help.
fn why(verdict: &RaffleVerdict) -> &'static str {
    if verdict.does_not_show(NotShown::KeptBeforeBeacon) {
        "what you gave with --mine has this number too, but this log's key did not sign it, or something is wrong with it"
    } else if verdict.does_not_show(NotShown::Yours) {
        "nothing shows that your contribution was mixed"
    } else if verdict.receipt.policy.is_some() {
        "your witnesses had not seen the promise five seconds before the number was out. --mine takes the document that you saved before the draw"
    } else {
        "--mine takes the document that you saved before the draw; --policy takes your witnesses"
    }
}

/// Why nothing was drawn, or no state follows.
fn missing(verdict: &RaffleVerdict) -> String {
    let out = verdict.beacon.and_then(|beacon| beacon.out);
    match (verdict.void, verdict.beacon, out) {
        (Some(_), ..) => "the organiser gave up this draw".to_owned(),
        (_, None, _) => "no lock fixes this draw".to_owned(),
        (_, Some(beacon), None) => format!(
            "its number cannot be checked: the chain {} is not known here. --beacon-chain takes its file, from those who run it and not from the organiser: they can choose the winners",
            beacon.chain
        ),
        (_, Some(beacon), Some(out)) if beacon.signature.is_none() => {
            let (round, at) = (beacon.round, out.saturating_mul(1000));
            let when = day_and_time(at);
            if at > now() {
                format!("it is not drawn yet: its number, round {round} of the beacon, is out at {when}")
            } else {
                let chain = beacon.chain;
                format!("its number was not given. Round {round} is out since {when}: --beacon takes the answer of {RELAY}/{chain}/public/{round}")
            }
        }
        _ => "the organiser has not published its seed: it alone can compute the winners, and it can still stop".to_owned(),
    }
}

/// `5 lines, all different`; `all` is the number with its word.
pub(super) fn list(all: &str, count: u32, different: u32) -> String {
    if different == count {
        format!("{all}, all different")
    } else {
        format!("{all}, {different} of them different")
    }
}

fn draw(verdict: &RaffleVerdict) -> String {
    let winners = count(verdict.rules.count(), "winner", "winners");
    let seed = if verdict.has_seed { "the seed is public" } else { "the seed is still secret" };
    let Some(beacon) = verdict.beacon else { return format!("{winners}; {seed}") };
    let out = beacon.out.map_or_else(String::new, |out| {
        format!(", out at {}", day_and_time(out.saturating_mul(1000)))
    });
    let chain = chain_name(&beacon.chain);
    format!("{winners}, by round {} of {chain}{out}; {seed}", beacon.round)
}

pub(super) fn given_up(verdict: &RaffleVerdict, void: u64) -> String {
    let out = verdict.beacon.and_then(|beacon| beacon.out);
    let is_after = out.is_some_and(|out| void >= out.saturating_mul(1000));
    let when =
        if is_after { "when the winners could be known" } else { "before the number was out" };
    format!("{}, {when}, by the organiser's own clock", day_and_time(void))
}

/// Nobody won by a document that the log's key did not sign.
pub(super) fn print_winners(verdict: &RaffleVerdict, entrants: &[Entrant], out: &mut Out) {
    let Some(drawn) = verdict.drawn.as_ref().filter(|_| verdict.shows(Shown::Logged)) else {
        return;
    };
    let label = if verdict.void.is_some() { "would win" } else { "winners" };
    let prizes = verdict.rules.prizes.as_deref().unwrap_or_default();
    let line = |(place, winner): (usize, &fairdeal::raffle::RaffleWinner)| {
        let prize = prizes
            .get(place)
            .map_or_else(String::new, |prize| format!("  ({})", plain(prize.as_str())));
        let entrant = entrants.iter().find(|one| one.line() == winner.line);
        let name = entrant.map_or(winner.line.as_str(), |one| one.address.as_str());
        format!("{}. {}{prize}", place.saturating_add(1), plain(name))
    };
    out.fields(label, drawn.iter().enumerate().take(MOST).map(line));
    if drawn.len() > MOST {
        more!(out, "and {} more: --json has all", drawn.len().saturating_sub(MOST));
    }
}

fn own_line(found: &FoundLine, verdict: &RaffleVerdict, told: &Told) -> String {
    let line = plain(&found.line);
    let Some(item) = found.item else {
        return if told.is_hashed {
            format!(
                "{line}: not found. The lines of this list are hashed: an address alone finds nothing, even if it entered. --link takes the link that you got"
            )
        } else if told.alike.is_empty() {
            format!("{line}: no line of the list is written like this")
        } else {
            let quoted: Vec<String> =
                told.alike.iter().map(|line| format!("\"{}\"", plain(line))).collect();
            format!(
                "{line}: no line of the list is written like this. Do you mean {}?",
                quoted.join(", ")
            )
        };
    };
    let tickets = count(found.tickets, "ticket", "tickets");
    let is_drawn = verdict.drawn.is_some() && verdict.shows(Shown::Logged);
    let is_sound =
        matches!(verdict.receipt.state, Some(VerdictState::Fair | VerdictState::Unproved));
    let won = match found.place.map(|place| place.saturating_add(1)) {
        _ if verdict.void.is_some() => "the draw was given up".to_owned(),
        _ if !is_drawn => "not drawn yet".to_owned(),
        Some(place) if is_sound => format!("it has won: winner {place}"),
        Some(place) => format!("by the list, the seed and the number it is winner {place}"),
        None => "it has not won".to_owned(),
    };
    format!("{line}: in the list, {tickets}, the first is number {}; {won}", u64::from(item) + 1)
}
