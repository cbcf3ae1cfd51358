//! The heat map: how often each item was at each position, compared with what is expected.

use maud::{Markup, html};

use super::svg::{boxes, picture, text};
use super::words::{many, number};
use fairdeal::deal::DeckName;
use fairdeal_audit::stats::Counts;
use fairdeal_audit::stats::number::{index, item, real, real_len};

/// The most rows and columns that are drawn; for longer decks, adjacent ones are joined.
const MOST: usize = 104;
/// The least average count of a cell for which its standard deviation means anything: the
/// usual rule of chi-square tests.
const ENOUGH: f64 = 5.0;
/// One shade for exact probabilities: an eighth of the right probability.
const EXACT_STEP: f64 = 0.125;

/// The cells of a heat map: how far each is from the expected value.
#[derive(Debug)]
pub(super) struct Heat {
    /// A row for each position; shades from 0 to 8, of which 4 is as expected.
    rows: Vec<Vec<u8>>,
    /// The number of positions in one row, and of items in one column.
    block: usize,
    deck: Option<DeckName>,
    /// The meaning of one shade.
    pub(super) step: &'static str,
    /// The map in a sentence.
    pub(super) says: String,
    /// Whether the deals are too few for the shades to say anything.
    pub(super) is_sparse: bool,
}

/// The shade of a cell that is off by `steps`; under one step is as expected.
fn shade(steps: f64) -> u8 {
    [-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0].iter().map(|limit| u8::from(steps > *limit)).sum()
}

impl Heat {
    /// The map of counts, in standard deviations.
    pub(super) fn counted(counts: &Counts) -> Option<Self> {
        let items = index(counts.shape().items());
        if counts.decks() == 0 || items < 2 {
            return None;
        }
        let block = items.div_ceil(MOST).max(1);
        let all: Vec<&[u64]> = counts.positions().collect();
        let (n, decks) = (real_len(items), real(counts.decks()));
        let (mut rows, mut cells, mut far) = (Vec::new(), 0_u64, 0_u64);
        for band in all.chunks(block) {
            let mut row = Vec::new();
            for from in (0..items).step_by(block) {
                let to = from.saturating_add(block).min(items);
                let found: u64 = band.iter().flat_map(|one| &one[from..to]).sum();
                // A deal puts hypergeometrically many of `b` items at `a` positions.
                let (a, b) = (real_len(band.len()), real_len(to.saturating_sub(from)));
                let variance = decks * a * (b / n) * (1.0 - b / n) * (n - a) / (n - 1.0);
                let off =
                    (real(found) - decks * a * b / n) / variance.sqrt().max(f64::MIN_POSITIVE);
                cells = cells.saturating_add(1);
                far = far.saturating_add(u64::from(off.abs() > 3.0));
                row.push(shade(off));
            }
            rows.push(row);
        }
        let expected = decks / n * real_len(block) * real_len(block);
        let is_sparse = expected < ENOUGH;
        let says = if is_sparse {
            format!(
                "{} each cell {expected:.2} on average, too few to compare cells one by one; from {ENOUGH:.0} on it is not.",
                many(counts.decks(), "fair deal gives", "fair deals give")
            )
        } else {
            format!(
                "Of {}, {} more than three standard deviations away from the {expected:.1} that fair deals \
             give on average; fair deals have about {:.0} of these.",
                many(cells, "cell", "cells"),
                if far == 1 { "1 is".to_owned() } else { format!("{} are", number(far)) },
                real(cells) * 0.0027,
            )
        };
        let (deck, step) = (counts.shape().deck(), "one standard deviation");
        Some(Self { rows, block, deck, step, says, is_sparse })
    }

    /// The map of exact probabilities of each item (column) at each position (row).
    pub(super) fn exact(rows: &[Vec<f64>]) -> Option<Self> {
        let items = rows.first().map(Vec::len).filter(|items| (1..=MOST).contains(items))?;
        let even = 1.0 / real_len(items);
        let step = |p: &f64| (p / even - 1.0) / EXACT_STEP;
        let most = rows.iter().flatten().map(|p| (p / even - 1.0).abs()).fold(0.0, f64::max);
        let says = if most < 1e-9 {
            "Every item is equally likely at every position, exactly.".to_owned()
        } else {
            format!(
                "The cell that is furthest away is off by {:.1} % of the right probability.",
                100.0 * most
            )
        };
        let rows = rows
            .iter()
            .map(|row| row.iter().map(|p| shade(step(p) * 1.000_001)).collect())
            .collect();
        let step = "an eighth of the right probability";
        Some(Self { rows, block: 1, deck: None, step, says, is_sparse: false })
    }

    /// The picture. A page has a caption, and needs no heading.
    pub(super) fn draw(&self, title: &str, heading: Option<&str>) -> Markup {
        let (columns, lines) = (self.rows.first().map_or(0, Vec::len), self.rows.len());
        let cell = match columns {
            0..=8 => 36.0,
            9..=20 => 24.0,
            21..=54 => 10.0,
            _ => 5.0,
        };
        let top = if heading.is_some() { TOP + HEADING } else { TOP };
        let at = |row: usize, column: usize| {
            (LEFT + real_len(column) * cell, top + real_len(row) * cell)
        };
        let (wide, bottom) = at(lines, columns);
        // Shade by shade, so that each shade is one path.
        let of_shade = |shade: usize| {
            self.rows.iter().enumerate().flat_map(move |(y, row)| {
                let cells =
                    row.iter().enumerate().filter(move |(_, one)| usize::from(**one) == shade);
                cells.map(move |(x, _)| (at(y, x), (cell, cell)))
            })
        };
        let swatch = |shade: usize| LEFT + real_len(shade) * SWATCH;
        let marks = html! {
            @if let Some(heading) = heading { (text("hd", "start", (LEFT, 14.0), heading)) }
            @for (shade, class) in SHADES.iter().enumerate() { (boxes(class, of_shade(shade))) }
            @for (column, name) in self.columns(columns) {
                (text("lb", "middle", (at(0, column).0 + cell / 2.0, top - 8.0), &name))
            }
            @for (row, name) in self.numbered(lines) {
                (text("lb", "end", (LEFT - 8.0, at(row, 0).1 + cell / 2.0), &name))
            }
            (text("tt", "start", (LEFT, top - 30.0), "across: items of the deck · down: places in the deal"))
            @for (shade, class) in SHADES.iter().enumerate() {
                (boxes(class, [((swatch(shade), bottom + 14.0), (SWATCH, 10.0))]))
            }
            (text("lb", "start", (LEFT, bottom + 35.0), "too seldom"))
            (text("lb", "middle", (swatch(4) + SWATCH / 2.0, bottom + 35.0), "as expected"))
            (text("lb", "end", (swatch(9), bottom + 35.0), "too often"))
        };
        // The legend is wider than a short deck.
        picture(((wide + 16.0).max(400.0), bottom + LEGEND), title, &self.says, &marks)
    }

    /// Names for columns: cards for a named deck of up to 54, else numbers.
    fn columns(&self, columns: usize) -> Vec<(usize, String)> {
        let card = |column: usize| Some(self.deck?.card(item(column))?.to_string());
        let every = if columns <= 20 { 1 } else { 4 };
        if self.block == 1 && self.deck.is_some() && columns <= 54 {
            let names =
                (0..columns).step_by(every).filter_map(|column| Some((column, card(column)?)));
            return names.collect();
        }
        self.numbered(columns)
    }

    /// Numbers from 1, with gaps if there are many lines.
    fn numbered(&self, lines: usize) -> Vec<(usize, String)> {
        let every = match lines {
            0..=20 => 1,
            21..=54 => 5,
            _ => 10,
        };
        let number = |line: usize| line.saturating_mul(self.block).saturating_add(1).to_string();
        // 1, 5, 10, 15 …
        let marked =
            |line: &usize| *line == 0 || every == 1 || line.saturating_add(1).is_multiple_of(every);
        (0..lines).filter(marked).map(|line| (line, number(line))).collect()
    }
}

/// Room for the positions' numbers.
const LEFT: f64 = 56.0;
/// Room for the items' names.
const TOP: f64 = 40.0;
/// Room for a title.
const HEADING: f64 = 24.0;
/// Room for the legend.
const LEGEND: f64 = 50.0;
/// The width of a shade in the legend.
const SWATCH: f64 = 32.0;
/// The classes of the shades: the first is far too seldom, the last far too often.
const SHADES: [&str; 9] = ["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8"];
