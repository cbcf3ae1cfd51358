//! A round in one line: its table, who brought what, and when.

use super::out::plain;
use super::time;
use fairdeal::deal::{ClientSeed, Label};
use fairdeal::record::entry::{Int, Table};

/// Players that are named.
const MOST: usize = 6;

/// Longer seeds are cut.
const SHORT: usize = 20;

/// The length of a cut seed.
const CUT: usize = 8;

/// `evening · alice=lucky, bob=seven · dealt 2026-11-22 16:55:11 UTC`. A player without a seed
/// brought a hash.
pub(super) fn of<'a>(
    table: &Table,
    players: impl Iterator<Item = (&'a Label, Option<&'a ClientSeed>)>,
    what: &str,
    time: Int,
) -> String {
    let mut parts = vec![plain(table.as_str())];
    let players: Vec<String> = players.map(|(from, seed)| player(from, seed)).collect();
    if !players.is_empty() {
        let more = players.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        parts.push(format!("{}{more}", players[..players.len().min(MOST)].join(", ")));
    }
    parts.push(format!("{what} {}", time::day_and_time(time.value())));
    parts.join(" · ")
}

fn player(from: &Label, seed: Option<&ClientSeed>) -> String {
    let from = plain(from.as_str());
    match seed.map(|seed| plain(seed.as_str())) {
        None => format!("{from} (hashed)"),
        Some(seed) if seed.chars().count() <= SHORT => format!("{from}={seed}"),
        Some(seed) => format!("{from}={}…", seed.chars().take(CUT).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_one_line_however_many_play_and_however_long_their_seeds_are() {
        let label = |text: &str| Label::new(text).expect("a label");
        let seed = |text: &str| ClientSeed::new(text).expect("a seed");
        let (table, time) =
            (Table::new("evening").expect("a table"), Int::new(1_700_000_000_000).expect("a time"));
        let (alice, bob, carl) = (label("alice"), label("bob\u{202e}"), label("carl"));
        let (lucky, long) = (seed("lucky"), seed(&"0123456789".repeat(5)));
        let players = [(&alice, Some(&lucky)), (&bob, Some(&long)), (&carl, None)];
        assert_eq!(
            of(&table, players.into_iter(), "dealt", time),
            "evening · alice=lucky, bob\\u{202e}=01234567…, carl (hashed) · dealt 2023-11-14 22:13:20 UTC"
        );
        let many = (0..8).map(|_| (&alice, None));
        assert!(of(&table, many, "dealt", time).contains("alice (hashed) and 2 more · dealt"));
        assert_eq!(
            of(&table, std::iter::empty(), "promised", time),
            "evening · promised 2023-11-14 22:13:20 UTC"
        );
    }
}
