//! Times as people write them: `24h` in, RFC 3339 in UTC out. The log has Unix milliseconds.

use std::time::Duration;

/// Reads `90s`, `30m`, `24h` or `7d`.
///
/// # Errors
/// What was expected.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a number and s, m, h or d, such as 30m, 24h or 7d".to_owned();
    let (number, seconds) = match text.split_at_checked(text.len().saturating_sub(1)) {
        Some((number, "s")) => (number, 1),
        Some((number, "m")) => (number, 60),
        Some((number, "h")) => (number, 60 * 60),
        Some((number, "d")) => (number, 24 * 60 * 60),
        _ => return Err(expected()),
    };
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let number: u64 = if digits { number.parse().map_err(|_| expected())? } else { return Err(expected()) };
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(expected)
}

/// A moment as a command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// When the command runs.
    Now,
    /// In Unix milliseconds.
    At(u64),
}

/// Reads `now`, or what [`parse_time`] reads.
///
/// # Errors
/// What was expected.
pub(super) fn parse_when(text: &str) -> Result<When, String> {
    if text == "now" {
        return Ok(When::Now);
    }
    parse_time(text).map(When::At).map_err(|says| says.replacen("expected", "expected now,", 1))
}

/// Reads Unix milliseconds, or a time in UTC as [`utc`] prints it, with up to three digits of a second more.
///
/// # Errors
/// What was expected.
pub(super) fn parse_time(text: &str) -> Result<u64, String> {
    let expected = || "expected Unix milliseconds, or a time in UTC as in 2026-01-31T12:00:00Z".to_owned();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().map_err(|_| expected());
    }
    let parts: Option<Vec<u64>> = text
        .strip_suffix('Z')
        .ok_or_else(expected)?
        .split(['-', 'T', ':', '.'])
        .map(|part| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok()).flatten())
        .collect();
    let (date, fraction) = match parts.as_deref() {
        Some([year, month, day, hour, minute, second]) => ([*year, *month, *day, *hour, *minute, *second], 0),
        Some([year, month, day, hour, minute, second, fraction]) if *fraction < 1000 => {
            let digits = text.rsplit('.').next().map_or(0, |rest| rest.len().saturating_sub(1));
            let scale = match digits {
                1 => 100,
                2 => 10,
                _ => 1,
            };
            ([*year, *month, *day, *hour, *minute, *second], fraction.saturating_mul(scale))
        }
        _ => return Err(expected()),
    };
    // Searched for, not computed: the one inverse of `utc`, which is tested against the calendar.
    let (mut low, mut high) = (0_u64, 253_402_300_800);
    let wanted = {
        let [year, month, day, hour, minute, second] = date;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    };
    while low < high {
        let middle = low.midpoint(high);
        if utc(middle.saturating_mul(1000)).as_str() < wanted.as_str() {
            low = middle.saturating_add(1);
        } else {
            high = middle;
        }
    }
    let found = low.saturating_mul(1000);
    if utc(found) == wanted { Ok(found.saturating_add(fraction)) } else { Err(expected()) }
}

/// `2026-01-31T12:00:00Z`; the milliseconds are left out.
pub(super) fn utc(milliseconds: u64) -> String {
    let seconds = milliseconds.div_euclid(1000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute) = (second.div_euclid(3600), second.rem_euclid(3600).div_euclid(60));
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z", second.rem_euclid(60))
}

/// The date of a day counted from 1970-01-01 (Howard Hinnant, chrono-Compatible Low-Level Date Algorithms).
fn civil(days: u64) -> (u64, u64, u64) {
    // Counted from 0000-03-01, so that the leap day is a year's last.
    let days = days.saturating_add(719_468);
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let leaps = day.div_euclid(1460).saturating_add(day.div_euclid(146_096));
    let year = day.saturating_sub(leaps).saturating_add(day.div_euclid(36_524)).div_euclid(365);
    let before =
        year.saturating_mul(365).saturating_add(year.div_euclid(4)).saturating_sub(year.div_euclid(100));
    let in_year = day.saturating_sub(before);
    let shifted = in_year.saturating_mul(5).saturating_add(2).div_euclid(153);
    let first = shifted.saturating_mul(153).saturating_add(2).div_euclid(5);
    let day = in_year.saturating_sub(first).saturating_add(1);
    let month = if shifted < 10 { shifted.saturating_add(3) } else { shifted.saturating_sub(9) };
    let year = era.saturating_mul(400).saturating_add(year).saturating_add(u64::from(month <= 2));
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_it_is_printed_and_no_other_day_is() {
        for milliseconds in [0, 1000, 951_782_400_000, 951_868_799_000, 1_767_225_600_000, 4_102_444_799_000]
        {
            assert_eq!(parse_time(&utc(milliseconds)), Ok(milliseconds));
            assert_eq!(parse_time(&milliseconds.to_string()), Ok(milliseconds));
        }
        assert_eq!(parse_time("1970-01-01T00:00:00.5Z"), Ok(500));
        assert_eq!(parse_time("1970-01-01T00:00:00.123Z"), Ok(123));
        for wrong in [
            "",
            "yesterday",
            "2026-02-29T00:00:00Z",
            "2026-01-01",
            "2026-01-01T24:00:00Z",
            "2026-1-1T0:0:0",
            "-1",
        ] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_duration_is_a_number_and_a_unit() {
        assert_eq!(parse_duration("24h"), Ok(Duration::from_hours(24)));
        assert_eq!(parse_duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("7d"), Ok(Duration::from_hours(168)));
        for wrong in ["", "h", "24", "-1h", "+1h", "1.5h", "24 h", "1w", "é", "99999999999999999999h"] {
            assert!(parse_duration(wrong).is_err(), "{wrong:?}");
        }
        assert!(parse_duration("18446744073709551615d").is_err());
    }

    #[test]
    fn times_are_the_calendars() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_709_251_199_999), "2024-02-29T23:59:59Z");
        assert_eq!(utc(4_107_542_400_000), "2100-03-01T00:00:00Z");
        assert_eq!(utc((1 << 53) - 1), "287396-10-12T08:59:00Z");
    }
}
