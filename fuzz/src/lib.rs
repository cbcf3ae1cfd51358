//! What a fuzz target needs and `../tools` does not have.

pub mod request;
