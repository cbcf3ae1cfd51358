//! The published files, as C2SP tlog-tiles asks for them: a checkpoint that changes, and tiles that
//! never do.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use super::Shared;
use super::body::Path;
use super::problem::Problem;
use super::reads::FOR_EVER;
use fairdeal::log::TilePath;

/// The signed tree head
#[utoipa::path(
    get, path = "/checkpoint", tag = "log",
    responses(
        (status = 200, description = "The checkpoint, a signed note.", body = String, content_type = "text/plain"),
        super::openapi::Unchanged, super::openapi::ListRefusals,
    ),
)]
pub(super) async fn checkpoint(
    State(app): State<Shared>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let note = app.ledger.checkpoint().await?;
    Ok(file(&headers, note.into_bytes(), "text/plain; charset=utf-8", "no-cache"))
}

/// A tile of the tree, or a bundle of entries (C2SP tlog-tiles)
#[utoipa::path(
    get, path = "/tile/{path}", tag = "log", params(super::openapi::OfTile),
    responses(
        (status = 200, description = "The tile.", content_type = "application/octet-stream"),
        super::openapi::Unchanged, super::openapi::ReadRefusals,
    ),
)]
pub(super) async fn tile(
    State(app): State<Shared>,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let none = || Problem::not_found("no-such-tile", "this log has no such tile");
    let path: TilePath = format!("tile/{path}").parse().map_err(|_| none())?;
    let bytes = app.ledger.published_file(path).await?.ok_or_else(none)?;
    Ok(file(&headers, bytes, "application/octet-stream", FOR_EVER))
}

/// A file's tag: its digest.
pub(super) fn tag(bytes: &[u8]) -> String {
    format!("\"{}\"", hex::encode(Sha256::digest(bytes)))
}

fn file(asked: &HeaderMap, bytes: Vec<u8>, kind: &'static str, kept: &'static str) -> Response {
    tagged(asked, &tag(&bytes), bytes.into(), kind, kept)
}

/// A file with its tag; or 304 for who has it.
pub(super) fn tagged(
    asked: &HeaderMap,
    tag: &str,
    bytes: Bytes,
    kind: &'static str,
    kept: &'static str,
) -> Response {
    let has = asked.get_all(header::IF_NONE_MATCH).iter().any(|given| {
        let given = given.to_str().unwrap_or_default();
        given.split(',').any(
            |one| matches!(one.trim().trim_start_matches("W/"), one if one == tag || one == "*"),
        )
    });
    let mut response = if has {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut response = Response::new(Body::from(bytes));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        response
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}
