//! The pages for players: the files of `web/`, as they are.
//!
//! They are in the program, so that a service has nothing to install.

mod files;

pub use self::files::WEB_FILES;

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::response::Response;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

use super::files::{tag, tagged};

/// The policy of a page: only its own scripts and styles, and requests to this service.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
);

/// A page shares no window with pages of other origins.
const OPENER: (HeaderName, HeaderValue) = (
    HeaderName::from_static("cross-origin-opener-policy"),
    HeaderValue::from_static("same-origin"),
);

/// How long a page is kept: it is asked for again each time, and rarely sent again.
const KEPT: &str = "no-cache";

/// The page at `/`.
const HOME: &str = "verify.html";

/// The tag of each file, in the order of [`WEB_FILES`].
static TAGS: LazyLock<Vec<String>> =
    LazyLock::new(|| WEB_FILES.iter().map(|(_, bytes)| tag(bytes)).collect());

/// The name of an inline script or style in a policy (Content Security Policy Level 3, section
/// 2.3.1).
#[must_use]
pub fn hash_source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        _ => "text/plain; charset=utf-8",
    }
}

/// The beginning of a page, where the service writes its log's origin (web/ui/page.js).
const BEGINS: &str = "<html lang=\"en\"";

/// The file of a page at this address, if there is one. A page has the log's origin in it.
pub(super) fn page(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    origin: &str,
) -> Option<Response> {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return None;
    }
    let path = uri.path().strip_prefix('/')?;
    let path = if path.is_empty() { HOME } else { path };
    let nth = WEB_FILES.binary_search_by_key(&path, |(path, _)| path).ok()?;
    let ((_, bytes), tag) = WEB_FILES.get(nth).zip(TAGS.get(nth))?;
    if kind(path).starts_with("text/html") {
        let begins = format!("{BEGINS} data-origin=\"{}\"", attribute(origin));
        let text = str::from_utf8(bytes).unwrap_or_default().replacen(BEGINS, &begins, 1);
        return Some(web_file(headers, path, text.into()));
    }
    Some(answer(headers, path, tag, Bytes::from_static(bytes)))
}

/// A text as the value of an attribute.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// The answer with a file of other pages under the same policy, or 304 if the caller has it.
#[must_use]
pub fn web_file(asked: &HeaderMap, path: &str, bytes: Bytes) -> Response {
    answer(asked, path, &tag(&bytes), bytes)
}

fn answer(asked: &HeaderMap, path: &str, tag: &str, bytes: Bytes) -> Response {
    let mut response = tagged(asked, tag, bytes, kind(path), KEPT);
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, POLICY);
    response.headers_mut().insert(OPENER.0, OPENER.1);
    response
}
