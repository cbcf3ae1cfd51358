//! Other operators' shuffles.
//!
//! | module | what |
//! |---|---|
//! | [`dialect`] | other operators' schemes: checks one round, or a file of rounds |
//! | [`rows`] | reads such a file as a stream: JSON, JSON lines, CSV |
//! | [`lab`] | right and wrong shuffles, enumerated exactly or sampled |
//! | [`report`] | an audit as a page, heat maps as pictures |
//! | [`answer`] | the answers of `fairdeal check` and `fairdeal lab`, as the JSON that they print |

pub mod answer;
pub mod dialect;
pub mod lab;
pub mod report;
pub mod rows;
