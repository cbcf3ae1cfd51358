//! What needs Go, Python, Node, strace, Chromium: turned on by ./check, where a missing tool is a failure.

mod dialects;
mod go;
mod ledger;
mod logs;
mod million;
mod page;
mod python;
mod readme;
mod reference_agrees;
