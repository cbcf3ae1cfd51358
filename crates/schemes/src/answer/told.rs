//! A check of another operator's rounds: its report in words, and as a page.

mod habits;
mod limits;
mod line;
mod page;

pub use habits::lines as habits_lines;
pub use limits::lines as limits_lines;
pub use line::Line;
pub use page::{CheckContext, InvalidRow, page};
