//! Request bodies and headers, read strictly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;

use super::problem::Problem;
use super::{Shared, raffles};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::as_json::Objects;
use fairdeal::record::{json_in_words, json_located};
use fairdeal_ledger::IdempotencyKey;

/// Whether a request's body was read to its end. If not, the connection must end with the answer:
/// the rest of the body would be read as the next request (RFC 9112, section 9.3).
#[derive(Clone, Debug, Default)]
pub(super) struct ReadToEnd(Arc<AtomicBool>);

impl ReadToEnd {
    pub(super) fn holds(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A JSON object as the request's body. Unknown members are refused. No body at all reads as `{}`.
#[derive(Debug)]
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Shared) -> Result<Self, Problem> {
        let limits = &app.options.limits;
        object(request, limits.body, limits.request).await.map(Self)
    }
}

/// The same with a raffle's list in it. It may take six times as long.
#[derive(Debug)]
pub(super) struct LongJson<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Shared> for LongJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Shared) -> Result<Self, Problem> {
        let within = app.options.limits.request.saturating_mul(6);
        object(request, raffles::MOST, within).await.map(Self)
    }
}

/// Reads the object of a request's body, of at most so many bytes.
async fn object<T: DeserializeOwned>(
    request: Request,
    most: usize,
    within: Duration,
) -> Result<T, Problem> {
    let (parts, body) = request.into_parts();
    // Nobody waits for a body that is refused.
    let length = parts.headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > most) {
        return Err(too_long(most));
    }
    let bytes = read(body, most, within).await?;
    if let Some(ReadToEnd(read)) = parts.extensions.get() {
        read.store(true, Ordering::Relaxed);
    }
    if bytes.is_empty() {
        return parse(b"{}");
    }
    is_json(&parts.headers)?;
    parse(&bytes)
}

async fn read(body: Body, most: usize, within: Duration) -> Result<Vec<u8>, Problem> {
    let late = |_| {
        let says = format!("expected the whole body within {} seconds", within.as_secs());
        Problem::new(StatusCode::REQUEST_TIMEOUT, "request-timeout", says)
    };
    match tokio::time::timeout(within, to_bytes(body, most)).await.map_err(late)? {
        Ok(bytes) => Ok(bytes.into()),
        Err(error) if is_too_long(&error) => Err(too_long(most)),
        Err(_) => Err(Problem::bad_request(
            "the body cannot be read: it ended too early, or its chunks are wrong",
        )),
    }
}

fn too_long(most: usize) -> Problem {
    let says = format!("expected a body of at most {most} bytes");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body-too-large", says)
}

/// Whether reading a body ended at its limit.
fn is_too_long(error: &axum::Error) -> bool {
    use std::error::Error as _;
    error.source().is_some_and(<dyn std::error::Error>::is::<http_body_util::LengthLimitError>)
}

fn is_json(headers: &HeaderMap) -> Result<(), Problem> {
    if let Some(given) = headers.get(header::CONTENT_ENCODING) {
        let says = format!("Content-Encoding: expected no such header, found {given:?}");
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported-media-type",
            says,
        ));
    }
    let given =
        headers.get(header::CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let essence = given.as_deref().and_then(|given| given.split(';').next()).map(str::trim);
    let has_charset = |given: &str| {
        let mut parameters = given.split(';').skip(1).map(str::trim);
        parameters.any(|one| {
            let (name, value) = one.split_once('=').unwrap_or((one, ""));
            let value = value.trim_matches('"');
            name.eq_ignore_ascii_case("charset") && !value.eq_ignore_ascii_case("utf-8")
        })
    };
    if essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"))
        && !given.as_deref().is_some_and(has_charset)
    {
        return Ok(());
    }
    let found = given.map_or_else(|| "no such header".to_owned(), |given| format!("{given:?}"));
    let says = format!("Content-Type: expected application/json, found {found}");
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", says))
}

/// Reads one JSON object. An error names the member that is wrong.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let text =
        std::str::from_utf8(bytes).map_err(|e| Problem::bad_request(format!("the body: {e}")))?;
    let mut json = serde_json::Deserializer::from_str(text);
    let mut track = serde_path_to_error::Track::new();
    let read =
        T::deserialize(Objects(serde_path_to_error::Deserializer::new(&mut json, &mut track)));
    let value = read.map_err(|error| {
        Problem::bad_request(json_located(&track.path().to_string(), &error.to_string()))
    })?;
    json.end().map_err(|error| {
        Problem::bad_request(format!("after the object: {}", json_in_words(&error.to_string())))
    })?;
    Ok(value)
}

/// The header `Idempotency-Key`.
#[derive(Debug)]
pub(super) struct Key(pub(super) Option<IdempotencyKey>);

impl FromRequestParts<Shared> for Key {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, Problem> {
        let mut given = parts.headers.get_all("idempotency-key").iter();
        let Some(first) = given.next() else { return Ok(Self(None)) };
        if given.next().is_some() {
            return Err(Problem::bad_request("Idempotency-Key: expected one, found several"));
        }
        // Clients and proxies do not agree on the encoding of other characters in a header.
        let text = first.to_str().map_err(|_| {
            Problem::bad_request("Idempotency-Key: expected ASCII without control characters")
        })?;
        let key = IdempotencyKey::new(text)
            .map_err(|e| Problem::bad_request(format!("Idempotency-Key: {e}")))?;
        Ok(Self(Some(key)))
    }
}

/// The query of a URL, without unknown or doubled parameters.
#[derive(Debug)]
pub(super) struct Query<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<Shared> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        // The reader of forms would put U+FFFD in its place, and so ask for another table.
        if percent_decode_str(parts.uri.query().unwrap_or_default()).decode_utf8().is_err() {
            return Err(Problem::bad_request("the query: expected UTF-8"));
        }
        let read = axum::extract::Query::<T>::from_request_parts(parts, app).await;
        read.map(|query| Self(query.0)).map_err(|error| {
            use std::error::Error as _;
            let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            let (member, why) = why.split_once(": ").unwrap_or((".", &why));
            Problem::bad_request(format!("the query: {}", json_located(member, why)))
        })
    }
}

/// The variable parts of a path.
#[derive(Debug)]
pub(super) struct Path<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Shared> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let read = axum::extract::Path::<T>::from_request_parts(parts, app).await;
        read.map(|path| Self(path.0))
            .map_err(|error| Problem::bad_request(format!("the path: {error}")))
    }
}

/// The commitment of a path.
#[derive(Debug)]
pub(super) struct At(pub(super) Commitment);

impl FromRequestParts<Shared> for At {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let Path(text) = Path::<String>::from_request_parts(parts, app).await?;
        commitment(&text).map(Self)
    }
}

/// The commitment and the round of a path.
#[derive(Debug)]
pub(super) struct AtRound(pub(super) Commitment, pub(super) Nonce);

impl FromRequestParts<Shared> for AtRound {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let Path((of, round)) = Path::<(String, String)>::from_request_parts(parts, app).await?;
        Ok(Self(commitment(&of)?, nonce(&round)?))
    }
}

/// A commitment in a path.
pub(super) fn commitment(text: &str) -> Result<Commitment, Problem> {
    text.parse().map_err(|error| Problem::bad_request(format!("commitment: {error}")))
}

/// A round in a path.
pub(super) fn nonce(text: &str) -> Result<Nonce, Problem> {
    // One name for each round: `01` is none.
    let digits = !text.is_empty()
        && text.len() <= 16
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    let value = digits.then(|| text.parse().ok()).flatten();
    let expected = || Problem::bad_request(format!("round: expected a number, found {text:?}"));
    Nonce::new(value.ok_or_else(expected)?)
        .map_err(|error| Problem::bad_request(format!("round: {error}")))
}
