//! Publishes what is committed: the tree, its files, and the callers that wait for them.

pub(crate) mod backlog;
pub(crate) mod clean_up;
pub(crate) mod memory;
pub(crate) mod outbox;
pub(crate) mod publisher;
pub(crate) mod right_edge;
pub(crate) mod tree;
