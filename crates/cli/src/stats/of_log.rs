//! The statistics of a log. Its deals may be of several decks; all their tests are one family.

use super::Args;
use crate::args;
use crate::bar::Bar;
use crate::exit::Failure;
use crate::logs::Log;
use crate::out::{BAD, FAINT, Out, count, pasted, plain};
use fairdeal_audit::answer::LogStatisticsAnswer;
use fairdeal_audit::source::{AuditOptions, ExportError, LogSource, entries};
use fairdeal_audit::stats::{Alarm, Report};
use fairdeal_audit::{LogStatistics, Unjudged};

/// The log that was read.
#[derive(Clone, Copy, Debug)]
struct About<'a> {
    /// As it was typed.
    name: &'a str,
    /// The key's option as it was typed, if it was given.
    key: Option<&'a str>,
    size: u64,
    after: Option<u64>,
}

/// Tests a log's deals: with a key those that the audit replays, without one all; or only those
/// after an entry.
pub(super) fn run(args: &Args, log: &str, out: &mut Out) -> Result<(), Failure> {
    let key = args.key.as_deref().map(args::verifier_key).transpose()?;
    let (key, after) = (key.as_ref(), args.after);
    let log = Log::new(log, None, key)?;
    let bar = Bar::new("statistics");
    let (found, size) = if let Some(key) = key {
        let unavailable =
            |error: fairdeal_audit::source::SourceError| Failure::unavailable(error.to_string());
        let mut source = LogSource::open(log.open()?).map_err(unavailable)?;
        let options =
            AuditOptions { statistics: true, statistics_after: after, ..AuditOptions::under(key) };
        let audited =
            source.audit(&options, |done, size| bar.at(done, size)).map_err(unavailable)?;
        (audited.verdict.statistics.expect("the options ask for it"), audited.verdict.size)
    } else {
        let mut deals = Unjudged::after(after);
        let read =
            entries(log.open()?, None, |entry| deals.take(entry), |done, size| bar.at(done, size));
        let read = read.map_err(|error| match error {
            ExportError::Fault(finding) => Failure::findings(log.name(), &[finding]),
            error => Failure::unavailable(error.to_string()),
        })?;
        (deals.finish(), read.size)
    };
    bar.finish();
    if let Some(after) = after.filter(|_| found.groups.is_empty()) {
        let last = size.saturating_sub(1);
        let says =
            format!("--after {after}: no deal to count after it, the log's last entry is {last}");
        return Err(unavailable!("{}: {says}", log.name()));
    }
    show(About { name: log.name(), key: args.key.as_deref(), size, after }, &found, out);
    Ok(())
}

/// Prints the statistics. Exit 1 on an alarm.
fn show(about: About<'_>, found: &LogStatistics, out: &mut Out) {
    let answer = LogStatisticsAnswer::of(found, about.size, about.after);
    out.show(&answer, |out| {
        print(about.name, &answer, out);
        if answer.alarm {
            explain(about, &answer, out);
        }
    });
    if answer.alarm {
        out.does_not_hold();
    }
}

fn print(name: &str, answer: &LogStatisticsAnswer<'_>, out: &mut Out) {
    let LogStatisticsAnswer { decks, alarm, ref tests, ref skipped, .. } = *answer;
    let report = Report { decks, alarm, tests: tests.clone(), skipped: skipped.clone() };
    super::print(name, &report, out);
    for group in &answer.groups {
        let what = format!("{}, {} drawn", plain(group.deck), group.draw);
        let Some(watched) = group.watch else {
            say!(out, "{what}: {}", count(group.report.decks, "deal", "deals"));
            continue;
        };
        let log10 = watched.log10;
        match watched.alarm {
            None => {
                let deals = count(group.report.decks, "deal", "deals");
                say!(out, "{what}: {deals}, evidence 10^{log10:.1}");
            }
            Some(Alarm::Evidence(deal)) => {
                say!(
                    out,
                    "{what}: {BAD}evidence 100 at deal {deal}{BAD:#}, 10^{log10:.1} at the end"
                );
            }
            Some(Alarm::NotADeal(deal)) => {
                say!(out, "{what}: {BAD}deal {deal} is not of this deck{BAD:#}");
            }
        }
    }
    if answer.not_counted > 0 {
        let why = "cycles, long lists, or sealed deals before their reveal";
        say!(out, "{FAINT}not counted: {} deals: {why}{FAINT:#}", answer.not_counted);
    }
}

/// Explains an alarm, and names the next command.
fn explain(about: About<'_>, answer: &LogStatisticsAnswer<'_>, out: &mut Out) {
    // The tests of all decks are one family; each deck has its own watch.
    let percent = 1 + answer.groups.iter().filter(|group| group.watch.is_some()).count();
    let key = about.key.map_or_else(String::new, |key| format!(" --key {}", pasted(key)));
    let last = about.size.saturating_sub(1);
    super::explain(
        "log",
        percent,
        &answer.tests,
        "when the log has as many deals again, test those alone:",
        out,
    );
    // Unbroken on a separate line, so that it can be copied.
    say!(out, "  fairdeal stats {}{key} --after {last}", pasted(about.name));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;
    use fairdeal_audit::{DealGroup, EProcessTrace};
    use fairdeal_schemes::lab::{Shuffle, sample};

    fn group(source: Shuffle, deck: &str, alarm: Option<Alarm>) -> DealGroup {
        let counts = sample(source, 52, 60, 1).expect("a deck");
        let draw = u64::from(counts.shape().draw());
        let watch = Some(EProcessTrace {
            deals: 60,
            alarm,
            log10: -0.5,
            parts: Vec::new(),
            points: Vec::new(),
        });
        DealGroup { deck: deck.to_owned(), draw, report: counts.report(), watch, counts }
    }

    fn shown(groups: Vec<DealGroup>, json: bool) -> (String, Exit) {
        let mut out = Out::new(json);
        let about = About { name: "public", key: Some("log.key"), size: 65, after: None };
        show(about, &LogStatistics { groups, not_counted: 3 }, &mut out);
        (anstream::adapter::strip_str(out.collected()).to_string(), out.exit())
    }

    fn value(groups: Vec<DealGroup>) -> serde_json::Value {
        serde_json::from_str(&shown(groups, true).0).expect("JSON")
    }

    #[test]
    fn one_deck_gives_what_a_file_of_its_decks_gives_and_more() {
        let one = group(Shuffle::FisherYates, "standard-52", None);
        let alone = serde_json::to_value(&one.report).expect("JSON");
        let found = value(vec![one]);
        for member in ["decks", "alarm", "tests", "skipped"] {
            assert_eq!(found[member], alone[member], "{member}");
            assert_eq!(found["groups"][0][member], alone[member], "{member}");
        }
        assert_eq!(found["not_counted"], 3);
    }

    #[test]
    fn tests_of_several_decks_have_their_decks_name_and_are_one_family() {
        let both = || {
            vec![
                group(Shuffle::Sattolo, "standard-52", None),
                group(Shuffle::Partial, "standard-52", None),
            ]
        };
        let found = value(both());
        let tests = found["tests"].as_array().expect("tests");
        let parity =
            tests.iter().find(|test| test["name"] == "standard-52/52: parity").expect("parity");
        let family = u32::try_from(tests.len()).expect("few");
        let (p, adjusted) =
            (parity["p"].as_f64().expect("p"), parity["p_adjusted"].as_f64().expect("p"));
        assert!(
            (adjusted / p - f64::from(family)).abs() < 1e-6,
            "the smallest of {family}: {p} {adjusted}"
        );
        assert_eq!((&found["decks"], &found["alarm"]), (&120.into(), &true.into()));
        assert_eq!(found["groups"][1]["alarm"], false);
        let (text, exit) = shown(both(), false);
        assert_eq!(exit, Exit::DoesNotHold);
        assert!(text.starts_with("public  alarm\n"), "{text}");
        assert!(text.contains("standard-52, 5 drawn: 60 deals, evidence 10^-0.5\n"), "{text}");
        assert!(text.contains("not counted: 3 deals"), "{text}");
    }

    #[test]
    fn a_watch_alone_raises_the_alarm_and_no_deals_raise_none() {
        let (text, exit) =
            shown(vec![group(Shuffle::FisherYates, "a\u{1b}[2J", Some(Alarm::Evidence(7)))], false);
        assert_eq!(exit, Exit::DoesNotHold);
        assert!(text.contains("a\\u{1b}[2J, 52 drawn: evidence 100 at deal 7"), "{text}");
        assert!(text.contains("Chance alone raises one in at most 2 of 100 fair logs."), "{text}");
        assert!(
            text.ends_with("test those alone:\n  fairdeal stats public --key log.key --after 64\n"),
            "{text}"
        );
        let (text, exit) = shown(Vec::new(), true);
        assert_eq!(exit, Exit::Holds);
        assert_eq!(
            text,
            "{\"size\":65,\"decks\":0,\"alarm\":false,\"tests\":[],\"skipped\":[],\"not_counted\":3,\"groups\":[]}\n"
        );
    }
}
