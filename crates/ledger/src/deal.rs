//! Commands in, entries out: the queue, the batch that commits, and the judging of each command.

pub(crate) mod batch;
pub(crate) mod command;
mod committing;
pub(crate) mod contribution;
pub(crate) mod dealing;
pub(crate) mod in_doubt;
pub(crate) mod in_play;
pub(crate) mod judging;
pub(crate) mod observer;
pub(crate) mod sequencer;
pub(crate) mod working_set;
