//! Pictures as SVG. Colours are classes, so that one picture fits light, dark and paper: the
//! colours are in `plot.css`.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};

/// A point of a picture, in its units: to the right, and down.
pub(super) type Point = (f64, f64);

/// A picture: its size, its title, its description and its marks.
pub(super) fn picture((wide, high): Point, title: &str, says: &str, marks: &Markup) -> Markup {
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {wide:.0} {high:.0}"))
            width=(format!("{wide:.0}")) height=(format!("{high:.0}")) role="img" aria-label=(title) {
            title { (title) }
            desc { (says) }
            (marks)
        }
    }
}

/// A text whose start, middle or end is at a point.
pub(super) fn text(class: &str, anchor: &str, (x, y): Point, says: &str) -> Markup {
    html! {
        text class=(class) x=(format!("{x:.0}")) y=(format!("{y:.0}")) dy="0.35em"
            text-anchor=(anchor) { (says) }
    }
}

/// A line through points.
pub(super) fn line(class: &str, points: impl IntoIterator<Item = Point>) -> Markup {
    let points: Vec<String> = points.into_iter().map(|(x, y)| format!("{x:.0},{y:.0}")).collect();
    html! { polyline class=(class) points=(points.join(" ")) {} }
}

/// Rectangles, each by its upper left corner, width and height, as one path: a heat map of 2,704
/// cells takes some 40 kB.
pub(super) fn boxes(class: &str, boxes: impl IntoIterator<Item = (Point, Point)>) -> Markup {
    let mut path = String::new();
    for ((x, y), (wide, high)) in boxes {
        // Writing to a string cannot fail.
        let _ = write!(path, "M{x:.0} {y:.0}h{wide:.0}v{high:.0}h-{wide:.0}z");
    }
    if path.is_empty() {
        PreEscaped(path)
    } else {
        html! { path class=(class) d=(path) {} }
    }
}
