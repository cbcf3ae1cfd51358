//! Receipts: one JSON file that verifies offline (spec/receipt.md).
