//! Plots: bars, p-values compared with fair decks, evidence over time.

use std::ops::Range;

use maud::{Markup, html};

use super::svg::{Point, boxes, line, picture, text};
use super::words::{grouped, many, number, raised};
use fairdeal_audit::EProcessTrace;
use fairdeal_audit::stats::number::{count, real, real_len};
use fairdeal_audit::stats::{FAMILY, Report};

/// The width of pictures, in units of which a label is 12 high.
const WIDE: f64 = 640.0;
/// Room above, to the right of and below the axes.
const TOP: f64 = 30.0;
const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 46.0;
/// The most points of a line, and the most ranks that are drawn.
const POINTS: usize = 600;
/// The most bars of a plot.
pub(super) const BARS: usize = 40;
/// Probabilities under 1 in 10^18 are drawn as that.
pub(super) const RAREST: f64 = 18.0;

/// The ranges, titles and labels of the axes. Labels are at whole numbers.
struct Axes<'f> {
    x: Range<f64>,
    y: Range<f64>,
    high: f64,
    /// Room for the labels of the vertical axis.
    left: f64,
    x_says: &'f str,
    y_says: &'f str,
    x_label: fn(f64) -> String,
    y_label: fn(f64) -> String,
    /// The most labels of the horizontal axis.
    x_labels: f64,
}

impl Axes<'_> {
    /// The place of a point in the picture.
    fn at(&self, (x, y): Point) -> Point {
        let share =
            |value: f64, range: &Range<f64>| (value - range.start) / (range.end - range.start);
        let (wide, high) = (WIDE - RIGHT - self.left, self.high - BOTTOM - TOP);
        (self.left + share(x, &self.x) * wide, TOP + (1.0 - share(y, &self.y)) * high)
    }

    fn line(&self, class: &str, points: impl IntoIterator<Item = Point>) -> Markup {
        line(class, points.into_iter().map(|point| self.at(point)))
    }

    fn word(&self, class: &str, anchor: &str, at: Point, says: &str) -> Markup {
        text(class, anchor, self.at(at), says)
    }

    /// The picture of the axes and what is inside them.
    fn draw(&self, title: &str, says: &str, inside: &Markup) -> Markup {
        let (left, top) = self.at((self.x.start, self.y.end));
        let (right, bottom) = self.at((self.x.end, self.y.start));
        let marks = html! {
            @for (tick, y) in ticks(&self.y, 6.0).map(|tick| (tick, self.at((0.0, tick)).1)) {
                (line("gr", [(left, y), (right, y)]))
                (text("lb", "end", (left - 8.0, y), &(self.y_label)(tick)))
            }
            (line("ax", [(left, top), (left, bottom), (right, bottom)]))
            @for (tick, x) in ticks(&self.x, self.x_labels).map(|tick| (tick, self.at((tick, 0.0)).0)) {
                (line("ax", [(x, bottom), (x, bottom + 4.0)]))
                // A label at the end of the axis would not fit beside it.
                @let (anchor, at) = if right - x < RIGHT { ("end", WIDE - 2.0) } else { ("middle", x) };
                (text("lb", anchor, (at, bottom + 13.0), &(self.x_label)(tick)))
            }
            (inside)
            (text("tt", "start", (4.0, 12.0), self.y_says))
            (text("tt", "end", (WIDE - RIGHT, self.high - 9.0), self.x_says))
        };
        picture((WIDE, self.high), title, says, &marks)
    }
}

/// Whole numbers of a range, in steps of 1, 2 or 5 times a power of ten: about `most` at most.
fn ticks(range: &Range<f64>, most: f64) -> impl Iterator<Item = f64> {
    let mut steps = (0..18).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)));
    let step = steps.find(|step| (range.end - range.start) / step <= most).unwrap_or(f64::INFINITY);
    let (first, end) = ((range.start / step).ceil() + 0.0, range.end);
    (0_u32..).map(move |at| (first + f64::from(at)) * step).take_while(move |tick| *tick <= end)
}

/// A bar for each name, at most [`BARS`] of them.
pub(super) fn bars(
    title: &str,
    says: &str,
    named: &[(String, u64)],
    x_says: &str,
    y_says: &str,
) -> Markup {
    let most = named.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let length = real_len(named.len().max(1));
    let axes = Axes {
        x: 0.0..length,
        y: 0.0..real(most.max(1)) * 1.06,
        high: 260.0,
        left: real_len(number(most).len()) * 8.0 + 14.0,
        x_says,
        y_says,
        x_label: |_| String::new(),
        y_label: whole,
        x_labels: 0.0,
    };
    let bar = |(from, (_, count)): (f64, &(String, u64))| {
        let ((left, top), (right, bottom)) =
            (axes.at((from + 0.12, real(*count))), axes.at((from + 0.88, 0.0)));
        ((left, top), (right - left, bottom - top))
    };
    let numbered = || (0_u32..).map(f64::from).zip(named);
    // Names that fit: some seven units a character.
    let longest = named.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(1);
    let needed = real_len(longest) * 7.0 + 8.0;
    let every = (1..BARS).find(|every| real_len(*every) * 570.0 / length >= needed).unwrap_or(BARS);
    let inside = html! {
        (boxes("da", numbered().filter(|(_, (_, count))| *count > 0).map(bar)))
        @for (at, (name, _)) in numbered().step_by(every) {
            @let (x, y) = axes.at((at + 0.5, 0.0));
            (text("lb", "middle", (x, y + 13.0), name))
        }
    };
    axes.draw(title, says, &inside)
}

/// Every test's p, compared with the p of that rank among fair decks, both as "1 in N"; higher is
/// more surprising.
pub(super) fn p_values(reports: &[&Report]) -> Markup {
    let mut all: Vec<(f64, bool)> = reports
        .iter()
        .flat_map(|report| &report.tests)
        .map(|test| (test.p, test.p_adjusted < FAMILY))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tests = real_len(all.len());
    let rare = |p: f64| (-p.log10()).clamp(0.0, RAREST);
    let fair = |rank: f64| -(rank / (tests + 1.0)).log10();
    let alarm = |rank: f64| -(FAMILY / (tests - rank + 1.0).max(1.0)).log10();
    let most = all.first().map_or(0.0, |(p, _)| rare(*p)).max(alarm(1.0));
    let alarms = count(all.iter().filter(|(_, alarm)| *alarm).count());
    let says = format!(
        "{} tests: how rare each result is among fair decks (up), and how rare the result of that rank should be \
         (across). {} above the line of alarm.",
        number(count(all.len())),
        match alarms {
            0 => "None is".to_owned(),
            1 => "1 is".to_owned(),
            more => format!("{} are", number(more)),
        },
    );
    let axes = Axes {
        x: 0.0..fair(1.0) * 1.04 + 0.05,
        y: 0.0..most * 1.12,
        high: 340.0,
        left: 86.0,
        x_says: "how rare the result of this rank should be",
        y_says: "how rare it is among fair decks",
        x_label: one_in,
        y_label: one_in,
        x_labels: 4.0,
    };
    let ranks = || (1_u32..).map(f64::from).take(all.len().min(POINTS));
    let over = (fair(1.0), alarm(1.0) + most * 0.05);
    let inside = html! {
        (axes.line("ex", [(0.0, 0.0), (fair(1.0), fair(1.0))]))
        (axes.line("al", ranks().map(|rank| (fair(rank), alarm(rank)))))
        (axes.word("al", "end", over, "alarm above this line"))
        @for (rank, (p, alarm)) in ranks().zip(&all) {
            @let (x, y) = axes.at((fair(rank), rare(*p)));
            circle class=(if *alarm { "al" } else { "da" }) cx=(format!("{x:.0}")) cy=(format!("{y:.0}")) r="4" {}
        }
    };
    axes.draw("p-values of all tests against what fair decks give", &says, &inside)
}

/// A whole number in groups of three.
fn whole(value: f64) -> String {
    grouped(&format!("{value:.0}"))
}

/// `1 in 1,000` for 3.
fn one_in(power: f64) -> String {
    format!("1 in {}", ten_to(power))
}

/// A power of ten as text.
fn ten_to(power: f64) -> String {
    if power < 5.0 {
        return grouped(&format!("{:.0}", 10_f64.powf(power)));
    }
    format!("10{}", raised(&format!("{power:.0}")))
}

/// Evidence against fair decks after each deal, and the line of alarm.
pub(super) fn evidence(watched: &EProcessTrace) -> Markup {
    let every = watched.points.len().div_ceil(POINTS).max(1);
    let finite = watched.points.iter().filter(|(_, log)| log.is_finite());
    let points: Vec<(f64, f64)> =
        finite.step_by(every).map(|(deals, log)| (real(*deals), *log)).collect();
    let least = points.iter().map(|point| point.1).fold(-1.0, f64::min);
    let most = points.iter().map(|point| point.1).fold(2.0, f64::max);
    let end = points.iter().map(|point| point.0).fold(real(watched.deals).max(1.0), f64::max);
    let says = format!(
        "Evidence over {}; it ends at 10 to the power of {:.1}. The alarm is raised at 100.",
        many(watched.deals, "deal", "deals"),
        watched.log10
    );
    let spread = most - least;
    let axes = Axes {
        x: 0.0..end,
        y: least - spread * 0.05..most + spread * 0.15,
        high: 300.0,
        left: 56.0,
        x_says: "deals",
        y_says: "evidence against fair decks (bets multiplied)",
        x_label: whole,
        y_label: |power| {
            if power < 0.0 { format!("1/{}", ten_to(-power)) } else { ten_to(power) }
        },
        x_labels: 6.0,
    };
    let inside = html! {
        (axes.line("ex", [(0.0, 0.0), (end, 0.0)]))
        (axes.line("al", [(0.0, 2.0), (end, 2.0)]))
        (axes.word("al", "start", (end * 0.01, 2.0 + spread * 0.05), "alarm at 100"))
        (axes.word("tt", "end", (end * 0.99, spread * 0.05), "no evidence"))
        (axes.line("da", points))
    };
    axes.draw("Evidence against fair decks over time", &says, &inside)
}
