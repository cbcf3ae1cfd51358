//! HTTP to others: to witnesses, and to relays of beacons. Blocking, so each request needs a thread of
//! its own.

use std::io::Read as _;
use std::time::Duration;

use ureq::http::Response;
use ureq::{Agent, Body};

/// An agent that follows no redirect and gives up after a while.
pub(crate) fn agent(url: &str, timeout: Duration) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("fairdeal/", env!("CARGO_PKG_VERSION")))
        .accept_encoding("identity")
        .timeout_global(Some(timeout))
        .max_idle_connections_per_host(1);
    let host = url.split("://").last().unwrap_or_default();
    // The environment's proxy cannot reach this machine's loopback.
    let is_own = ["127.", "localhost", "[::1]"].iter().any(|own| host.starts_with(own));
    let config = if is_own { config.proxy(None) } else { config };
    config.build().into()
}

/// Reads an answer of at most so many bytes. The error is in words.
pub(crate) fn read(answer: Response<Body>, longest: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut body = answer.into_body().into_reader().take(longest + 1);
    body.read_to_end(&mut bytes).map_err(|error| format!("its answer broke off: {error}"))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > longest) {
        return Err(format!("its answer has more than {longest} bytes"));
    }
    Ok(bytes)
}
