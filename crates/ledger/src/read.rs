//! Questions that change nothing: receipts, openings, rounds, and the state of commitments.

pub(crate) mod find;
pub(crate) mod openings;
pub(crate) mod published;
pub(crate) mod queries;
pub(crate) mod reader;
pub(crate) mod receipts;
pub(crate) mod rounds;
