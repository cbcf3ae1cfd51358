//! An hour on a command line as people write it: in the time zone of the machine, if it names none.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};

use crate::time::parse_time;

/// A moment, and the machine's time zone if it was written in that.
#[derive(Clone, Debug)]
pub(super) struct Hour {
    /// In Unix milliseconds.
    pub(super) at: u64,
    zone: Option<TimeZone>,
}

const EXPECTED: &str = "\
expected a time as in 2026-12-24T18:00:00Z (UTC), 2026-12-24T19:00:00+01:00, or '2026-12-24 19:00' in the time zone of this machine";

const NO_ZONE: &str = "\
the time zone of this machine is not known: TZ or /etc/localtime has none that can be read. Give the time with its zone, as in 2026-12-24T19:00:00+01:00";

const WITHOUT_ZONE: &str = "%Y-%m-%d %H:%M:%S";

/// Reads what [`parse_time`] reads, and a time without a zone.
/// The error says what was expected, or which times may be meant.
pub(super) fn parse_hour(text: &str) -> Result<Hour, String> {
    let Some(local) = without_zone(text) else {
        let at = parse_time(text).map_err(|_| EXPECTED.to_owned())?;
        return Ok(Hour { at, zone: None });
    };
    // Another zone than the one that is meant would be found out after the promise.
    let zone = TimeZone::try_system().map_err(|_| NO_ZONE)?;
    in_zone(local, zone)
}

/// A time with or without seconds.
fn without_zone(text: &str) -> Option<DateTime> {
    let mut whole = text.replacen('T', " ", 1);
    if whole.len() == "2026-12-24 19:00".len() {
        whole.push_str(":00");
    }
    let local: DateTime = whole.parse().ok()?;
    // The library reads other forms too, and 60 seconds as 59.
    (local.strftime(WITHOUT_ZONE).to_string() == whole).then_some(local)
}

fn in_zone(local: DateTime, zone: TimeZone) -> Result<Hour, String> {
    let (why, offsets) = match zone.to_ambiguous_timestamp(local).offset() {
        AmbiguousOffset::Unambiguous { offset } => ("", [offset; 2]),
        AmbiguousOffset::Gap { before, after } => ("does not exist", [after, before]),
        AmbiguousOffset::Fold { before, after } => ("comes twice", [before, after]),
    };
    let [first, second] = offsets.map(|offset| offset.to_timestamp(local));
    let (first, second) = first.and_then(|first| Ok((first, second?))).map_err(|_| EXPECTED)?;
    if why.is_empty() {
        let at = u64::try_from(first.as_millisecond()).map_err(|_| EXPECTED)?;
        return Ok(Hour { at, zone: Some(zone) });
    }
    let (local, name) = (local.strftime(WITHOUT_ZONE), name_of(&zone));
    let [first, second] = [first, second].map(|one| {
        one.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    });
    Err(format!("{local} {why} in {name}, where clocks change then: expected {first} or {second}"))
}

impl Hour {
    /// A moment in the zone in which this one was written, if that is the machine's; in Unix
    /// milliseconds.
    pub(super) fn local(&self, milliseconds: u64) -> Option<String> {
        let zone = self.zone.clone()?;
        let name = name_of(&zone);
        let moment = Timestamp::from_millisecond(i64::try_from(milliseconds).ok()?).ok()?;
        Some(format!(
            "{} in {name}",
            moment.to_zoned_datetime(zone).strftime("%Y-%m-%d %H:%M:%S %:z")
        ))
    }
}

fn name_of(zone: &TimeZone) -> String {
    let machine = "the time zone of this machine";
    zone.iana_name().map_or_else(|| machine.to_owned(), |name| format!("{machine}, {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in Vienna.
    fn zone() -> TimeZone {
        TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()
    }

    #[test]
    fn an_hour_without_a_zone_is_read_with_and_without_seconds() {
        for (text, in_utc) in [
            ("2026-12-24 19:00", "2026-12-24T18:00:00Z"),
            ("2026-12-24T19:00", "2026-12-24T18:00:00Z"),
            ("2026-06-24 19:00:05", "2026-06-24T17:00:05Z"),
            ("2026-06-24T19:00:05", "2026-06-24T17:00:05Z"),
        ] {
            let hour = in_zone(without_zone(text).unwrap(), zone()).unwrap();
            assert_eq!(Ok(hour.at), parse_time(in_utc), "{text}");
        }
        for other in [
            "2026-12-24",
            "2026-12-24 19",
            "2026-12-24 19:00Z",
            "2026-12-24T19:00+01:00",
            "2026-12-24  19:00",
            "2026-12-24 19:00:60",
            "2026-12-24 24:00",
            "2026-02-29 19:00",
            "20261224T190000",
            "2026-12-24 19:00:00.5",
            "24.12.2026 19:00",
            "",
        ] {
            assert!(without_zone(other).is_none(), "{other}");
        }
    }

    #[test]
    fn an_hour_with_a_zone_is_read_as_before_and_has_no_local_time() {
        let hour = parse_hour("2026-12-24T19:00:00+01:00").unwrap();
        assert_eq!((Ok(hour.at), hour.local(hour.at)), (parse_time("2026-12-24T18:00:00Z"), None));
        assert!(parse_hour("24.12.2026 19:00").unwrap_err().contains("'2026-12-24 19:00'"));
    }

    #[test]
    fn an_hour_that_is_missing_or_comes_twice_is_refused_with_both_times() {
        let refused = |text: &str| {
            in_zone(without_zone(text).unwrap(), zone()).map(|hour| hour.at).unwrap_err()
        };
        let missing = refused("2027-03-28 02:30");
        let twice = refused("2026-10-25 02:30");
        for (says, why, times) in [
            (missing, "does not exist", ["2027-03-28T01:30:00+01:00", "2027-03-28T03:30:00+02:00"]),
            (twice, "comes twice", ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"]),
        ] {
            assert!(says.contains(why) && says.ends_with(&times.join(" or ")), "{says}");
            assert!(times.iter().all(|time| parse_hour(time).is_ok()));
        }
    }

    #[test]
    fn a_moment_is_told_in_the_zone_in_which_the_hour_was_written() {
        let hour = in_zone(without_zone("2026-12-24 19:00").unwrap(), zone()).unwrap();
        assert_eq!(
            hour.local(hour.at + 2000).unwrap(),
            "2026-12-24 19:00:02 +01:00 in the time zone of this machine"
        );
    }
}
