//! Plots: bars, p-values compared with fair decks, evidence over time.

use maud::Markup;
use plotters::chart::{ChartBuilder, ChartContext, LabelAreaPosition};
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::element::{Circle, PathElement, Rectangle, Text};
use plotters::style::Color as _;
use plotters::style::text_anchor::HPos;

use super::canvas::{Area, Canvas, Drawn, Ink, picture};
use super::heat::text;
use super::words::{grouped, many, number, raised};
use fairdeal_audit::EProcessTrace;
use fairdeal_audit::stats::number::{count, item, real, real_len};
use fairdeal_audit::stats::{FAMILY, Report};

type Chart<'a, 'c> = ChartContext<'a, Canvas<'c>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The size of pictures, in units of which a label is 12 high.
const WIDE: u32 = 640;
const HIGH: u32 = 300;
/// The most points of a line, and the most ranks that are drawn.
const POINTS: usize = 600;
/// The most bars of a plot.
pub(super) const BARS: usize = 40;
/// Probabilities under 1 in 10^18 are drawn as that.
pub(super) const RAREST: f64 = 18.0;

/// The ranges, titles and labels of the axes.
struct Axes<'f> {
    x: std::ops::Range<f64>,
    y: std::ops::Range<f64>,
    x_says: &'f str,
    y_says: &'f str,
    x_label: &'f dyn Fn(&f64) -> String,
    y_label: &'f dyn Fn(&f64) -> String,
    x_labels: usize,
    /// Room for the numbers of the vertical axis.
    left: u32,
}

impl Axes<'_> {
    fn draw(self, area: &Area<'_>, inside: impl FnOnce(&mut Chart<'_, '_>) -> Drawn) -> Drawn {
        let (width, height) = area.dim_in_pixel();
        let mut chart = ChartBuilder::on(area)
            .margin_top(30)
            .margin_right(18)
            .margin_bottom(22)
            .set_label_area_size(LabelAreaPosition::Left, self.left)
            .set_label_area_size(LabelAreaPosition::Bottom, 24)
            .build_cartesian_2d(self.x, self.y)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .axis_style(Ink::Axis.colour())
            .bold_line_style(Ink::Grid.colour())
            .light_line_style(Ink::None.colour())
            .set_all_tick_mark_size(4)
            .x_labels(self.x_labels)
            .y_labels(6)
            .x_label_formatter(self.x_label)
            .y_label_formatter(self.y_label)
            .label_style(text(Ink::Label, HPos::Center))
            .draw()?;
        inside(&mut chart)?;
        let end = i32::try_from(width).unwrap_or(i32::MAX).saturating_sub(18);
        let bottom = i32::try_from(height).unwrap_or(i32::MAX).saturating_sub(9);
        area.draw(&Text::new(self.y_says.to_owned(), (4, 12), text(Ink::Title, HPos::Left)))?;
        area.draw(&Text::new(self.x_says.to_owned(), (end, bottom), text(Ink::Title, HPos::Right)))
    }
}

/// Text at a point, which is its middle, start or end.
fn word(chart: &mut Chart<'_, '_>, says: &str, at: (f64, f64), ink: Ink, side: HPos) -> Drawn {
    let mark = Text::new(says.to_owned(), at, text(ink, side));
    chart.draw_series([mark]).map(drop)
}

fn line(chart: &mut Chart<'_, '_>, points: Vec<(f64, f64)>, ink: Ink) -> Drawn {
    chart.draw_series([PathElement::new(points, ink.colour())]).map(drop)
}

/// A bar for each name, at most [`BARS`] of them.
pub(super) fn bars(
    title: &str,
    says: &str,
    named: &[(String, u64)],
    x_says: &str,
    y_says: &str,
) -> Markup {
    let most = real(named.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1));
    let length = real_len(named.len().max(1));
    picture((WIDE, 260), title, says, |area| {
        let axes = Axes {
            x: 0.0..length,
            y: 0.0..most * 1.06,
            x_says,
            y_says,
            x_label: &|_| String::new(),
            y_label: &|value| whole(*value),
            x_labels: 0,
            left: item(number(named.iter().map(|(_, count)| *count).max().unwrap_or(0)).len())
                .saturating_mul(8)
                .saturating_add(14),
        };
        axes.draw(area, |chart| {
            let bars = (0_u32..).map(f64::from).zip(named).filter(|(_, (_, count))| *count > 0);
            chart.draw_series(bars.map(|(from, (_, count))| {
                Rectangle::new(
                    [(from + 0.12, 0.0), (from + 0.88, real(*count))],
                    Ink::Data.colour().filled(),
                )
            }))?;
            // Names that fit: some seven units a character.
            let longest = named.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(1);
            let room = 570.0 / length;
            let needed = real_len(longest) * 7.0 + 8.0;
            let every = item(named.len().min(BARS)).max(1);
            let every =
                (1..every).find(|every| f64::from(*every) * room >= needed).unwrap_or(every);
            for (at, (name, _)) in (0_u32..).zip(named) {
                if at.is_multiple_of(every) {
                    let (x, y) = chart.plotting_area().map_coordinate(&(f64::from(at) + 0.5, 0.0));
                    area.draw(&Text::new(
                        name.clone(),
                        (x, y.saturating_add(13)),
                        text(Ink::Label, HPos::Center),
                    ))?;
                }
            }
            Ok(())
        })
    })
}

/// Every test's p, compared with the p of that rank among fair decks, both as "1 in N"; higher is more surprising.
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
    picture((WIDE, 340), "p-values of all tests against what fair decks give", &says, |area| {
        let end = fair(1.0) * 1.04 + 0.05;
        let axes = Axes {
            x: 0.0..end,
            y: 0.0..most * 1.12,
            x_says: "how rare the result of this rank should be",
            y_says: "how rare it is among fair decks",
            x_label: &|power| one_in(*power),
            y_label: &|power| one_in(*power),
            x_labels: 4,
            left: 72,
        };
        axes.draw(area, |chart| {
            line(chart, vec![(0.0, 0.0), (fair(1.0), fair(1.0))], Ink::Expected)?;
            let ranks = || (1_u32..).map(f64::from).take(all.len().min(POINTS));
            line(chart, ranks().map(|rank| (fair(rank), alarm(rank))).collect(), Ink::Alarm)?;
            let over = (fair(1.0), alarm(1.0) + most * 0.05);
            word(chart, "alarm above this line", over, Ink::Alarm, HPos::Right)?;
            chart.draw_series(ranks().zip(&all).map(|(rank, (p, alarm))| {
                let ink = if *alarm { Ink::Alarm } else { Ink::Data };
                Circle::new((fair(rank), rare(*p)), 4, ink.colour().filled())
            }))?;
            Ok(())
        })
    })
}

/// A whole number in groups of three; no text between two of them.
fn whole(value: f64) -> String {
    if (value - value.round()).abs() > 1e-6 {
        String::new()
    } else {
        grouped(&format!("{value:.0}"))
    }
}

/// `1 in 1,000` for 3; no text between whole powers of ten.
fn one_in(power: f64) -> String {
    if power.fract().abs() > 1e-9 { String::new() } else { format!("1 in {}", ten_to(power)) }
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
    picture((WIDE, HIGH), "Evidence against fair decks over time", &says, |area| {
        let spread = most - least;
        let axes = Axes {
            x: 0.0..end,
            y: least - spread * 0.05..most + spread * 0.15,
            x_says: "deals",
            y_says: "evidence against fair decks (bets multiplied)",
            // A short run has ticks between the deals: they have no number.
            x_label: &|deals| whole(*deals),
            y_label: &|power| match power {
                power if power.fract().abs() > 1e-9 => String::new(),
                power if *power < -0.5 => format!("1/{}", ten_to(-power)),
                power => ten_to(*power),
            },
            x_labels: 6,
            left: 56,
        };
        axes.draw(area, |chart| {
            line(chart, vec![(0.0, 0.0), (end, 0.0)], Ink::Expected)?;
            line(chart, vec![(0.0, 2.0), (end, 2.0)], Ink::Alarm)?;
            word(chart, "alarm at 100", (end * 0.01, 2.0 + spread * 0.05), Ink::Alarm, HPos::Left)?;
            word(chart, "no evidence", (end * 0.99, spread * 0.05), Ink::Title, HPos::Right)?;
            line(chart, points, Ink::Data)
        })
    })
}
