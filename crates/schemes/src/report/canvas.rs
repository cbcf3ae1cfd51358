//! The canvas for plotters: SVG with class names as colours, so that one picture fits light, dark and paper.
//!
//! A colour in plotters is red, green and blue. Here red is the number of an [`Ink`], which is written as its class;
//! the colours are in `plot.css`. Consecutive rectangles of one ink become one path: a heat map of 2,704 cells takes
//! some 40 kB.

use std::convert::Infallible;
use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::style::RGBColor;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

/// What a line, a shape or a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// Nothing is drawn.
    None,
    /// The line at zero.
    Axis,
    /// Lines to read values by.
    Grid,
    /// Numbers at the axes.
    Label,
    /// The title of an axis.
    Title,
    /// The title of the picture.
    Heading,
    /// The data.
    Data,
    /// The expected values.
    Expected,
    /// The line of alarm, and data beyond it.
    Alarm,
    /// A cell of a heat map: 0 is far too seldom, 8 far too often.
    Shade(u8),
}

impl Ink {
    const ALL: [Self; 18] = [
        Self::None,
        Self::Axis,
        Self::Grid,
        Self::Label,
        Self::Title,
        Self::Heading,
        Self::Data,
        Self::Expected,
        Self::Alarm,
        Self::Shade(0),
        Self::Shade(1),
        Self::Shade(2),
        Self::Shade(3),
        Self::Shade(4),
        Self::Shade(5),
        Self::Shade(6),
        Self::Shade(7),
        Self::Shade(8),
    ];

    /// The colour that stands for it in plotters.
    pub(super) fn colour(self) -> RGBColor {
        let at = Self::ALL.iter().position(|ink| *ink == self).expect("shades are 0 to 8");
        RGBColor(u8::try_from(at).expect("there are 18"), 0, 0)
    }

    const fn class(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Axis => "ax",
            Self::Grid => "gr",
            Self::Label => "lb",
            Self::Title => "tt",
            Self::Heading => "hd",
            Self::Data => "da",
            Self::Expected => "ex",
            Self::Alarm => "al",
            Self::Shade(0) => "h0",
            Self::Shade(1) => "h1",
            Self::Shade(2) => "h2",
            Self::Shade(3) => "h3",
            Self::Shade(4) => "h4",
            Self::Shade(5) => "h5",
            Self::Shade(6) => "h6",
            Self::Shade(7) => "h7",
            Self::Shade(_) => "h8",
        }
    }
}

/// Where plots are drawn.
pub(super) type Area<'a> = DrawingArea<Canvas<'a>, Shift>;
/// The result of drawing; a canvas in memory never fails.
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<Infallible>>;

/// A picture: its size in its own units, its title, its description, and how it is drawn.
pub(super) fn picture(
    size: (u32, u32),
    title: &str,
    says: &str,
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> Markup {
    let mut marks = String::new();
    let drawn = draw(&Canvas { size, svg: &mut marks, cells: None }.into_drawing_area());
    let marks = if drawn.is_ok() { marks } else { String::new() };
    let (width, height) = size;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height)
            role="img" aria-label=(title) {
            title { (title) }
            desc { (says) }
            (PreEscaped(marks))
        }
    }
}

/// Consecutive cells of one ink, not written yet.
#[derive(Debug)]
struct Cells {
    ink: Ink,
    path: String,
}

/// SVG elements, one after another.
#[derive(Debug)]
pub(super) struct Canvas<'a> {
    size: (u32, u32),
    svg: &'a mut String,
    cells: Option<Cells>,
}

type Kept = Result<(), DrawingErrorKind<Infallible>>;

impl Canvas<'_> {
    /// The ink of a colour; `None` if it is invisible.
    fn ink(colour: BackendColor) -> Option<Ink> {
        let ink = Ink::ALL.get(usize::from(colour.rgb.0)).copied();
        ink.filter(|ink| colour.alpha > 0.0 && *ink != Ink::None)
    }

    fn write(&mut self, element: &Markup) {
        self.end_cells();
        self.svg.push_str(&element.0);
    }

    fn end_cells(&mut self) {
        if let Some(Cells { ink, path }) = self.cells.take() {
            let path = html! { path class=(ink.class()) d=(path) {} };
            self.svg.push_str(&path.0);
        }
    }

    fn cell(&mut self, ink: Ink, (left, top): BackendCoord, (right, bottom): BackendCoord) {
        if self.cells.as_ref().is_none_or(|cells| cells.ink != ink) {
            self.end_cells();
        }
        let cells = self.cells.get_or_insert_with(|| Cells { ink, path: String::new() });
        let (wide, high) = (right.saturating_sub(left), bottom.saturating_sub(top));
        // Writing to a string does not fail.
        let _ = write!(cells.path, "M{left} {top}h{wide}v{high}h-{wide}z");
    }
}

impl Drop for Canvas<'_> {
    fn drop(&mut self) {
        self.end_cells();
    }
}

fn points(path: impl IntoIterator<Item = BackendCoord>) -> String {
    let mut points = String::new();
    for (x, y) in path {
        let _ = write!(points, "{x},{y} ");
    }
    points.truncate(points.trim_end().len());
    points
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Kept {
        Ok(())
    }

    fn present(&mut self) -> Kept {
        self.end_cells();
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Kept {
        if let Some(ink) = Self::ink(colour) {
            self.cell(ink, (x, y), (x.saturating_add(1), y.saturating_add(1)));
        }
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Kept {
        if let Some(ink) = Self::ink(style.color()) {
            self.write(
                &html! { line class=(ink.class()) x1=(from.0) y1=(from.1) x2=(to.0) y2=(to.1) {} },
            );
        }
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        _fill: bool,
    ) -> Kept {
        if let Some(ink) = Self::ink(style.color()) {
            self.cell(
                ink,
                (from.0.min(to.0), from.1.min(to.1)),
                (from.0.max(to.0), from.1.max(to.1)),
            );
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Kept {
        if let Some(ink) = Self::ink(style.color()) {
            self.write(&html! { polyline class=(ink.class()) points=(points(path)) {} });
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        _fill: bool,
    ) -> Kept {
        if let Some(ink) = Self::ink(style.color()) {
            self.write(
                &html! { circle class=(ink.class()) cx=(centre.0) cy=(centre.1) r=(radius) {} },
            );
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Kept {
        if let Some(ink) = Self::ink(style.color()) {
            self.write(&html! { polygon class=(ink.class()) points=(points(path)) {} });
        }
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &T,
        (x, y): BackendCoord,
    ) -> Kept {
        let Some(ink) = Self::ink(style.color()) else { return Ok(()) };
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        let down = match style.anchor().v_pos {
            VPos::Top => "0.8em",
            VPos::Center => "0.35em",
            VPos::Bottom => "0",
        };
        self.write(&html! {
            text class=(ink.class()) x=(x) y=(y) dy=(down) text-anchor=(anchor) { (text) }
        });
        Ok(())
    }
}
