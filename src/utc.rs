//! Times as people read them: Unix milliseconds as a date in UTC (RFC 3339). Pure.

/// `2026-01-31T12:00:00Z`; the milliseconds are left out.
#[must_use]
pub(crate) fn utc(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// A length of time in its largest unit, or its two largest where the first is small: `1.1 s`, `42 s`, `1 min 30 s`, `23 h`.
#[must_use]
pub(crate) fn span(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let two = |whole: u64, unit: &str, rest: u64, smaller: &str| match (whole, rest) {
        (10.., _) | (_, 0) => format!("{whole} {unit}"),
        _ => format!("{whole} {unit} {rest} {smaller}"),
    };
    match seconds {
        0..10 => format!("{seconds}.{} s", milliseconds % 1000 / 100),
        10..60 => format!("{seconds} s"),
        60..3600 => two(seconds / 60, "min", seconds % 60, "s"),
        3600..172_800 => two(seconds / 3600, "h", seconds / 60 % 60, "min"),
        _ => two(seconds / 86_400, "days", seconds / 3600 % 24, "h"),
    }
}

/// The date of a day counted from 1970-01-01 (Howard Hinnant, chrono-Compatible Low-Level Date Algorithms).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_its_largest_units() {
        for (milliseconds, says) in [
            (0, "0.0 s"),
            (1_127, "1.1 s"),
            (42_900, "42 s"),
            (90_000, "1 min 30 s"),
            (3_600_000, "1 h"),
            (5_430_000, "1 h 30 min"),
            (86_400_000, "24 h"),
            (176_400_000, "2 days 1 h"),
            (31_536_000_000, "365 days"),
        ] {
            assert_eq!(span(milliseconds), says);
        }
        assert_eq!(span(u64::MAX), "213503982334 days");
    }

    #[test]
    fn times_are_the_calendars() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_709_251_199_999), "2024-02-29T23:59:59Z");
        assert_eq!(utc(4_107_542_400_000), "2100-03-01T00:00:00Z");
        assert_eq!(utc((1 << 53) - 1), "287396-10-12T08:59:00Z");
        assert_eq!(utc(u64::MAX), "584556019-04-03T14:25:51Z");
    }
}
