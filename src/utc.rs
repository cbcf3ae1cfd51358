//! Times as people read them: Unix milliseconds as a date in UTC (RFC 3339). Pure.

/// `2026-01-31T12:00:00Z`; the milliseconds are left out.
#[must_use]
pub fn utc(milliseconds: u64) -> String {
    format!("{}T{}Z", day(milliseconds), clock(milliseconds))
}

/// As a command line takes it: `2026-01-31T12:00:00.811Z`; after the year 9999 in Unix milliseconds.
#[must_use]
pub fn typed(milliseconds: u64) -> String {
    match milliseconds % 1000 {
        _ if milliseconds >= 253_402_300_800_000 => milliseconds.to_string(),
        0 => utc(milliseconds),
        fraction => format!("{}T{}.{fraction:03}Z", day(milliseconds), clock(milliseconds)),
    }
}

/// `2026-01-31 12:00:00.811 UTC`; whole seconds without a fraction.
#[must_use]
pub fn moment(milliseconds: u64) -> String {
    format!("{} {}", day(milliseconds), time_of_day(milliseconds))
}

/// A moment after `first`: its time of day, and its date if that is another one.
#[must_use]
pub fn later_moment(first: u64, milliseconds: u64) -> String {
    if day(first) == day(milliseconds) { time_of_day(milliseconds) } else { moment(milliseconds) }
}

/// A span of time in its largest fitting unit: `1.1 s`, `12 h`. 60 minutes, also rounded, are `1 h`.
#[must_use]
pub fn span(milliseconds: u64) -> String {
    // Each unit with half of the next smaller one.
    let units = [
        (31_557_600_000, 43_200_000, "y"),
        (86_400_000, 1_800_000, "d"),
        (3_600_000, 30_000, "h"),
        (60_000, 500, "min"),
        (1000, 0, "s"),
    ];
    let (unit, name) = units
        .into_iter()
        .find(|(unit, half, _)| milliseconds.saturating_add(*half) >= *unit)
        .map_or((1, "ms"), |(unit, _, name)| (unit, name));
    let rounded = |parts: u64| {
        let times = u128::from(milliseconds) * u128::from(parts);
        (times + u128::from(unit / 2)) / u128::from(unit)
    };
    let tenths = rounded(10);
    if tenths < 100 && tenths % 10 > 0 {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    } else {
        format!("{} {name}", rounded(1))
    }
}

fn time_of_day(milliseconds: u64) -> String {
    match milliseconds % 1000 {
        0 => format!("{} UTC", clock(milliseconds)),
        fraction => format!("{}.{fraction:03} UTC", clock(milliseconds)),
    }
}

fn day(milliseconds: u64) -> String {
    let (year, month, day) = civil(milliseconds / 86_400_000);
    format!("{year:04}-{month:02}-{day:02}")
}

fn clock(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{hour:02}:{minute:02}:{second:02}")
}

/// The date of a day counted from 1970-01-01 (Howard Hinnant, chrono-Compatible Low-Level Date
/// Algorithms).
fn civil(days: u64) -> (u64, u64, u64) {
    // Counted from 0000-03-01, so that the leap day is a year's last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let in_year = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * in_year + 2) / 153;
    let day = in_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (400 * era + year + u64::from(month <= 2), month, day)
}

/// Reads `90s`, `30m`, `24h` or `7d`, as milliseconds.
///
/// # Errors
/// The expected text.
pub fn parse_span(text: &str) -> Result<u64, String> {
    let expected = || "expected a number and s, m, h or d, such as 30m, 24h or 7d".to_owned();
    let (number, unit) = match text.split_at_checked(text.len().saturating_sub(1)) {
        Some((number, "s")) => (number, 1000),
        Some((number, "m")) => (number, 60 * 1000),
        Some((number, "h")) => (number, 60 * 60 * 1000),
        Some((number, "d")) => (number, 24 * 60 * 60 * 1000),
        _ => return Err(expected()),
    };
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let number: u64 =
        if digits { number.parse().map_err(|_| expected())? } else { return Err(expected()) };
    number.checked_mul(unit).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_the_calendars() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_709_251_199_999), "2024-02-29T23:59:59Z");
        assert_eq!(utc(4_107_542_400_000), "2100-03-01T00:00:00Z");
        assert_eq!(utc((1 << 53) - 1), "287396-10-12T08:59:00Z");
        assert_eq!(utc(u64::MAX), "584556019-04-03T14:25:51Z");
        assert_eq!(moment(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(moment(951_782_400_007), "2000-02-29 00:00:00.007 UTC");
    }

    #[test]
    fn a_later_moment_has_its_date_only_on_another_day() {
        assert_eq!(later_moment(951_782_400_000, 951_782_401_127), "00:00:01.127 UTC");
        assert_eq!(later_moment(951_782_399_999, 951_782_400_000), "2000-02-29 00:00:00 UTC");
    }

    #[test]
    fn a_span_has_its_largest_unit_and_a_decimal_under_ten() {
        let spans = [0, 5, 999, 1000, 1127, 9_949, 9_950, 65_536, 86_400_000, 33_554_432, u64::MAX]
            .map(span);
        assert_eq!(
            spans,
            [
                "0 ms",
                "5 ms",
                "999 ms",
                "1 s",
                "1.1 s",
                "9.9 s",
                "10 s",
                "1.1 min",
                "1 d",
                "9.3 h",
                "584542046 y"
            ]
        );
    }

    #[test]
    fn a_span_has_its_largest_unit_also_if_it_is_rounded_up_to_that() {
        for (milliseconds, says) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (1_140, "1.1 s"),
            (59_499, "59 s"),
            (59_500, "1 min"),
            (3_569_999, "59 min"),
            (3_599_000, "1 h"),
            (5_400_000, "1.5 h"),
            (84_599_999, "23 h"),
            (84_600_000, "1 d"),
            (31_557_500_000, "1 y"),
        ] {
            assert_eq!(span(milliseconds), says, "{milliseconds}");
        }
        assert!(span(u64::MAX).ends_with(" y"));
    }

    #[test]
    fn a_span_is_read_from_a_number_and_a_unit() {
        assert_eq!(parse_span("24h"), Ok(86_400_000));
        assert_eq!(parse_span("90s"), Ok(90_000));
        assert_eq!(parse_span("30m"), Ok(1_800_000));
        assert_eq!(parse_span("7d"), Ok(604_800_000));
        for wrong in
            ["", "h", "24", "-1h", "+1h", "1.5h", "24 h", "1w", "é", "99999999999999999999h"]
        {
            assert!(parse_span(wrong).is_err(), "{wrong:?}");
        }
        assert!(parse_span("18446744073709551615d").is_err());
    }
}
