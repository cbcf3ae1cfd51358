//! The pages: those of the service, and the one to play on.

use axum::extract::{Request, State};
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use tower::ServiceExt as _;

use super::Shared;
use fairdeal_server::{WEB_FILES, web_file};

macro_rules! files {
    ($($path:literal)+) => {
        /// The files of `web/` that only this page uses, by their paths.
        const FILES: &[(&str, &[u8])] = &[$(($path, include_bytes!(concat!("../../../web/", $path)))),+];
    };
}

files! {
    "pages/play-game.js" "pages/play.js" "play-rules.txt" "play.css" "play.html"
    "strings/de-play.js" "strings/en-play.js" "ui/felt.js" "ui/play-parts.js" "ui/play-steps.js"
}

/// The game's rules: each commitment has their SHA-256.
pub(super) const RULES: &str = include_str!("../../../web/play-rules.txt");

/// The beginning of a page; and the same with the mark that makes the menu offer to play
/// (web/ui/page.js).
const BEGINS: [&str; 2] = ["<html lang=\"en\"", "<html lang=\"en\" data-offers=\"play\""];

/// Answers whatever is no call of the game: with a file, or as the service does.
pub(super) async fn other(State(dealer): State<Shared>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { "verify.html" } else { path };
    let found = FILES.iter().chain(WEB_FILES).find(|(name, _)| *name == path);
    match found {
        Some((_, bytes)) if matches!(*request.method(), Method::GET | Method::HEAD) => {
            let text = str::from_utf8(bytes).unwrap_or_default();
            web_file(request.headers(), path, text.replacen(BEGINS[0], BEGINS[1], 1).into())
        }
        _ => dealer.service.clone().oneshot(request).await.into_response(),
    }
}
