//! Rows and columns of text, in a terminal's width where there is one.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, presets};

use super::out::{Out, terminal_width};

/// Rows under a header.
pub(super) struct Rows(Table);

impl Rows {
    pub(super) fn new<const N: usize>(header: [&str; N]) -> Self {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(header);
        match terminal_width().and_then(|columns| u16::try_from(columns).ok()) {
            Some(columns) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns),
            None => table.set_content_arrangement(ContentArrangement::Disabled),
        };
        Self(table)
    }

    pub(super) fn add<const N: usize>(&mut self, row: [String; N]) {
        self.0.add_row(row);
    }

    /// Prints them. The columns in `whole`, from 0, are never folded.
    pub(super) fn print(mut self, whole: &[usize], out: &mut Out) {
        for (number, column) in self.0.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if whole.contains(&number) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        for line in self.0.lines() {
            out.line(line.trim_end());
        }
    }
}
