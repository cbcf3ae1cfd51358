//! Prints shuffles: exact fractions, or a heat map of items and positions.

use anstyle::{Color, RgbColor, Style};

use crate::out::{BAD, FAINT, GOOD, Out, STRONG, terminal_width, width, wrapped};
use fairdeal_audit::stats::Report;
use fairdeal_schemes::lab::{Exact, Kind, Paths, Shuffle};

/// Orders printed. Six items have 720.
const PRINTED: usize = 24;

pub(super) fn list(out: &mut Out) {
    for (title, kind) in [("Right", Kind::Right), ("Wrong", Kind::Wrong)] {
        say!(out, "{STRONG}{title}{STRONG:#}");
        for source in Shuffle::ALL.iter().copied().filter(|source| source.kind() == kind) {
            let columns = width().saturating_sub(22).max(30);
            let mut lines = wrapped(source.says(), columns).into_iter();
            say!(out, "  {:<19} {}", source.name(), lines.next().expect("at least one line"));
            lines.for_each(|line| say!(out, "  {:<19} {line}", ""));
        }
    }
}

fn title(source: Shuffle, out: &mut Out) {
    let style = if source.kind() == Kind::Right { GOOD } else { BAD };
    say!(out, "{style}{}{style:#}", source.name());
    let says = [Some(source.says()), source.divisibility()];
    for text in says.into_iter().flatten() {
        for line in wrapped(text, width()) {
            out.line(line);
        }
    }
}

pub(super) fn walked(source: Shuffle, items: u32, exact: &Exact, out: &mut Out) {
    title(source, out);
    match exact.paths {
        Paths::Counted(paths) => out.field("paths", paths),
        Paths::Endless => out.field("paths", "infinitely many; the limit is exact"),
    }
    out.field("orders", exact.orders.len());
    if exact.is_uniform() {
        field!(out, "uniform", "{GOOD}yes, exactly{GOOD:#}");
    } else {
        field!(out, "uniform", "{BAD}no{BAD:#}");
    }
    if let Some(distance) = exact.total_variation() {
        field!(out, "distance", "{distance} from uniform, in total variation");
    }
    for (order, probability) in exact.orders.iter().take(PRINTED) {
        let order: Vec<String> = order.iter().map(ToString::to_string).collect();
        say!(out, "  {}   {probability}", order.join(" "));
    }
    if let Some(more) = exact.orders.len().checked_sub(PRINTED).filter(|&more| more > 0) {
        say!(out, "{FAINT}  and {more} more of {items} items, in --json{FAINT:#}");
    }
}

pub(super) fn sampled(source: Shuffle, report: &Report, positions: &[Vec<u64>], out: &mut Out) {
    title(source, out);
    crate::stats::print(source.name(), report, out);
    heat_map(positions, report.decks, out);
}

/// Shades from far too rare to far too often.
const SHADES: [&str; 5] = ["·", "░", "▒", "▓", "█"];

/// The columns of a row's number and the space after it.
const NUMBER: usize = 6;

/// Prints the map if it fits: two columns for each item, or one where there is no room for two.
fn heat_map(positions: &[Vec<u64>], decks: u64, out: &mut Out) {
    let columns = width().saturating_sub(NUMBER);
    let items = positions.first().map_or(0, Vec::len);
    if items > columns || items < 2 {
        let needed = items + NUMBER;
        say!(out, "{FAINT}The map of {items} items needs {needed} columns.{FAINT:#}");
        return;
    }
    let each = if 2 * items > columns { 1 } else { 2 };
    say!(out, "{FAINT}How often each item (across) is at each position (down){FAINT:#}");
    let expected = real(decks) / real(items as u64);
    for (position, row) in positions.iter().enumerate() {
        let cells: String = row.iter().map(|count| cell(real(*count), expected, each)).collect();
        say!(out, "{FAINT}{position:>4}{FAINT:#}  {cells}");
    }
}

/// One cell, by standard deviations. In colour on a terminal: blue for too rare, red for too often.
fn cell(count: f64, expected: f64, columns: usize) -> String {
    let off = (count - expected) / expected.max(f64::MIN_POSITIVE).sqrt();
    let step = off.clamp(-4.0, 4.0);
    if terminal_width().is_none() {
        let shade = SHADES.iter().zip([-2.0, -0.7, 0.7, 2.0]).find(|(_, under)| step < *under);
        return shade.map_or(SHADES[4], |(shade, _)| *shade).repeat(columns);
    }
    let strength = shade_of(step.abs() / 4.0);
    let fade = 255 - strength;
    let colour = if step < 0.0 { RgbColor(fade, fade, 255) } else { RgbColor(255, fade, fade) };
    let style = Style::new().bg_color(Some(Color::Rgb(colour)));
    format!("{style}{:columns$}{style:#}", "")
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a count, for a shade on a screen"
)]
fn real(count: u64) -> f64 {
    count as f64
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a part of one, for a shade on a screen"
)]
fn shade_of(part: f64) -> u8 {
    (part.clamp(0.0, 1.0) * 230.0) as u8
}
