//! Other operators' schemes, the lab and the report.

mod dialect_chain;
mod dialect_confusions;
mod dialect_diagnose;
mod dialect_habits;
mod dialect_limits;
mod dialect_rows;
mod dialect_statistics;
mod dialect_values;
mod dialects;
mod lab;
mod report;
