//! The pages for players: the files of `web/`, as they are.
//!
//! They are in the program, so that a service has nothing to install. [`mod@export`] writes the pages that need no service as one
//! file each.

mod export;
mod files;

pub use self::export::{PagesExportError, PagesExported, export, export_names};
pub use self::files::WEB_FILES;

use axum::body::Bytes;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::response::Response;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

use super::files::{tag, tagged};

/// What a page may do: its own scripts and styles, and questions to this service.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
);

/// Whose windows a page shares: none.
const OPENER: (HeaderName, HeaderValue) = (
    HeaderName::from_static("cross-origin-opener-policy"),
    HeaderValue::from_static("same-origin"),
);

/// How long a page is kept: it is asked for again each time, and rarely sent again.
const KEPT: &str = "no-cache";

/// The page at `/`.
const HOME: &str = "verify.html";

fn bytes(path: &str) -> Option<&'static [u8]> {
    let nth = WEB_FILES.binary_search_by_key(&path, |(path, _)| path).ok()?;
    WEB_FILES.get(nth).map(|(_, bytes)| *bytes)
}

fn text(path: &str) -> Option<&'static str> {
    bytes(path).and_then(|bytes| str::from_utf8(bytes).ok())
}

/// How a policy names an inline script or style (Content Security Policy Level 3, section 2.3.1).
pub(super) fn hash_source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

fn ending(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, ending)| ending)
}

fn kind(path: &str) -> &'static str {
    match ending(path) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        _ => "text/plain; charset=utf-8",
    }
}

/// The file of a page at this address, if there is one.
pub(super) fn page(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return None;
    }
    let path = uri.path().strip_prefix('/')?;
    let path = if path.is_empty() { HOME } else { path };
    Some(web_file(headers, path, Bytes::from_static(bytes(path)?)))
}

/// The answer with a file of the pages, or 304 if the caller has it.
#[must_use]
pub fn web_file(asked: &HeaderMap, path: &str, bytes: Bytes) -> Response {
    let mut response = tagged(asked, &tag(&bytes), bytes, kind(path), KEPT);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, POLICY);
    response.headers_mut().insert(OPENER.0, OPENER.1);
    response
}
