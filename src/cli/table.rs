//! Rows and columns of text, in a terminal's width where there is one.

use comfy_table::{ContentArrangement, Table, presets};

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

    pub(super) fn print(mut self, out: &mut Out) {
        for column in self.0.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for line in self.0.lines() {
            out.line(line.trim_end());
        }
    }
}
