//! The `fairdeal` command.
fn main() {}
