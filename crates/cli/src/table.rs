//! Rows and columns of text, in a terminal's width where there is one.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};

use super::out::{Out, terminal_width};

/// Rows under a header, which may be printed in several parts.
pub(super) struct Rows {
    part: Table,
    /// The widths of the columns that were printed, outside of a terminal.
    printed: Vec<u16>,
}

impl Rows {
    pub(super) fn new<const N: usize>(header: [&str; N]) -> Self {
        let mut part = part();
        part.set_header(header);
        Self { part, printed: Vec::new() }
    }

    pub(super) fn add<const N: usize>(&mut self, row: [String; N]) {
        self.part.add_row(row);
    }

    /// Prints them. The columns in `whole`, from 0, are never folded. Rows that are added later
    /// have no header, and outside of a terminal the columns get no narrower.
    pub(super) fn print(&mut self, whole: &[usize], out: &mut Out) {
        let mut part = std::mem::replace(&mut self.part, self::part());
        for (number, column) in part.column_iter_mut().enumerate() {
            column.set_padding((0, PADDING));
            if whole.contains(&number) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
            if let Some(width) = self.printed.get(number) {
                column
                    .set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width + PADDING)));
            }
        }
        if terminal_width().is_none() {
            let widest = |(number, width): (usize, u16)| {
                self.printed.get(number).map_or(width, |before| width.max(*before))
            };
            self.printed =
                part.column_max_content_widths().into_iter().enumerate().map(widest).collect();
        }
        for line in part.lines() {
            out.line(line.trim_end());
        }
    }
}

/// Columns between two columns.
const PADDING: u16 = 2;

fn part() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    match terminal_width().and_then(|columns| u16::try_from(columns).ok()) {
        Some(columns) => {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns)
        }
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_later_stands_in_the_same_columns_or_in_wider_ones() {
        let (mut rows, mut out) = (Rows::new(["name", "n"]), Out::new(false));
        for part in [
            [["alice", "1"], ["bob", "2"]],
            [["al", "3"], ["b", "4"]],
            [["alexander", "5"], ["c", "6"]],
        ] {
            for row in part {
                rows.add(row.map(str::to_owned));
            }
            rows.print(&[], &mut out);
        }
        let expected =
            "name   n\nalice  1\nbob    2\nal     3\nb      4\nalexander  5\nc          6\n";
        assert_eq!(out.collected(), expected);
    }
}
