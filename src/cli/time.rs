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
