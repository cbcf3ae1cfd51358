//! Times on a command line: durations such as `24h`, and moments in UTC. The log has Unix
//! milliseconds.

use std::time::Duration;

use fairdeal::utc::parse_span;
pub(super) use fairdeal::utc::{span, utc};
use fairdeal_ledger::clock::{Clock as _, SystemClock};

/// The time now, in Unix milliseconds.
pub(super) fn now() -> u64 {
    SystemClock::start().read().unix
}

/// `2026-01-31 12:00:00 UTC`.
pub(super) fn day_and_time(milliseconds: u64) -> String {
    utc(milliseconds).replace('T', " ").replace('Z', " UTC")
}

/// Reads `90s`, `30m`, `24h` or `7d`.
/// The error says what was expected.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    parse_span(text).map(Duration::from_millis)
}

/// A moment on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// The time when the command runs.
    Now,
    /// In Unix milliseconds.
    At(u64),
    /// The end of a day, in Unix milliseconds. Today is not over: its end is still to come.
    EndOf(u64),
}

const EXPECTED_WHEN: &str = "\
expected now, a day as in 2026-01-31 for its end in UTC, a time as in 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00, or Unix milliseconds as in 1769860800000";

/// Fewer digits are no milliseconds of this century: they are seconds, or a day without hyphens.
const LEAST_DIGITS: usize = 12;

/// The greatest time of an entry: 2^53 - 1 (spec/ledger.md, section 8.1).
const MAX_TIME: u64 = (1 << 53) - 1;

/// Reads `now`, a day for its end, or what [`parse_time`] reads.
/// The error says what was expected.
pub(super) fn parse_when(text: &str) -> Result<When, String> {
    if text == "now" {
        return Ok(When::Now);
    }
    if text.len() == "2026-01-31".len() && text.contains('-') {
        return parse_time(&format!("{text}T23:59:59.999Z"))
            .map(When::EndOf)
            .map_err(|_| EXPECTED_WHEN.to_owned());
    }
    parse_time(text).map(When::At).map_err(|_| EXPECTED_WHEN.to_owned())
}

/// Reads a date such as `2026-11-28`, as the milliseconds at its start, or what [`parse_time`]
/// reads.
/// The error says what was expected.
pub(super) fn parse_date(text: &str) -> Result<u64, String> {
    let time =
        if text.len() == 10 { parse_time(&format!("{text}T00:00:00Z")) } else { parse_time(text) };
    time.map_err(|_| {
        "expected a date as in 2026-01-31, or a time as in 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00".to_owned()
    })
}

/// Reads Unix milliseconds of 12 digits or more, or a time as [`utc`] prints it, with up to three
/// decimals of a second, and `Z` or an offset from UTC such as `+01:00` (RFC 3339).
/// The error says what was expected.
pub(super) fn parse_time(text: &str) -> Result<u64, String> {
    let expected = || {
        "expected a time as in 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00, or Unix milliseconds as in 1769860800000"
            .to_owned()
    };
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        let time = text.parse().ok().filter(|&time| time <= MAX_TIME);
        return time.filter(|_| text.len() >= LEAST_DIGITS).ok_or_else(expected);
    }
    let (moment, ahead) = text
        .strip_suffix('Z')
        .map(|moment| (moment, 0))
        .or_else(|| with_offset(text))
        .ok_or_else(expected)?;
    let (second, fraction) = moment.split_once('.').unwrap_or((moment, "0"));
    if !(1..=3).contains(&fraction.len()) || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return Err(expected());
    }
    let thousandths = format!("{fraction:0<3}").parse::<u64>().map_err(|_| expected())?;
    // A binary search for the inverse of `utc`, which is tested against the calendar.
    let wanted = format!("{second}Z");
    let (mut low, mut high) = (0_u64, 253_402_300_800);
    while low < high {
        let middle = low.midpoint(high);
        if utc(1000 * middle) < wanted { low = middle + 1 } else { high = middle }
    }
    let local = Some(1000 * low + thousandths).filter(|_| utc(1000 * low) == wanted);
    local.and_then(|local| local.checked_add_signed(-ahead)).ok_or_else(expected)
}

/// A time before its offset, and how far that is ahead of UTC in milliseconds.
fn with_offset(text: &str) -> Option<(&str, i64)> {
    let (moment, offset) = text.split_at_checked(text.len().checked_sub("+01:00".len())?)?;
    let sign = if offset.starts_with('+') { 1 } else { -1 };
    let (hours, minutes) = offset.strip_prefix(['+', '-'])?.split_once(':')?;
    let number = |digits: &str, most: i64| {
        let is_number = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse::<i64>().ok().filter(|number| is_number && *number <= most)
    };
    Some((moment, sign * (number(hours, 23)? * 60 + number(minutes, 59)?) * 60_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairdeal::utc::typed;

    #[test]
    fn a_day_is_meant_to_its_end() {
        let end = parse_time("2026-01-31T23:59:59.999Z");
        assert_eq!(parse_when("2026-01-31"), end.map(When::EndOf));
        assert_eq!(parse_when("1767225720000"), Ok(When::At(1_767_225_720_000)));
        assert_eq!(parse_when("now"), Ok(When::Now));
        for wrong in ["2026-02-30", "2026-1-31", "today", "", "31-01-2026"] {
            assert!(parse_when(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_time_is_read_as_it_is_printed_and_no_other_day_is() {
        for milliseconds in
            [0, 1000, 951_782_400_000, 951_868_799_000, 1_767_225_600_000, 4_102_444_799_000]
        {
            assert_eq!(parse_time(&utc(milliseconds)), Ok(milliseconds));
        }
        for milliseconds in [0, 811, 1_767_225_600_006, 253_402_300_799_999, 253_402_300_800_000] {
            assert_eq!(parse_time(&typed(milliseconds)), Ok(milliseconds));
        }
        for milliseconds in [951_782_400_000, 4_102_444_799_000, MAX_TIME] {
            assert_eq!(parse_time(&milliseconds.to_string()), Ok(milliseconds));
        }
        assert_eq!(parse_time("1970-01-01T00:00:00.5Z"), Ok(500));
        assert_eq!(parse_time("1970-01-01T00:00:00.123Z"), Ok(123));
        for (local, in_utc) in [
            ("2026-12-24T18:00:00+01:00", "2026-12-24T17:00:00Z"),
            ("2026-12-24T18:00:00.5-09:30", "2026-12-25T03:30:00.5Z"),
            ("2027-01-01T00:00:00+00:00", "2027-01-01T00:00:00Z"),
        ] {
            assert_eq!(parse_time(local), parse_time(in_utc));
        }
        for wrong in [
            "2026-12-24T18:00:00+24:00",
            "2026-12-24T18:00:00+01:60",
            "2026-12-24T18:00:00+1:00",
            "2026-12-24T18:00:00+0100",
            "2026-12-24T18:00:00 01:00",
            "2026-12-24T18:00:00++1:00",
            "2026-12-24T18:00:00",
            "1970-01-01T00:00:00+01:00",
            "+01:00",
            "é01:00",
            "",
            "yesterday",
            "2026-02-29T00:00:00Z",
            "2026-01-01",
            "2026-01-01T24:00:00Z",
            "2026-1-1T0:0:0",
            "-1",
            "0",
            "20280229",
            "1764172800",
            "9007199254740992",
        ] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
