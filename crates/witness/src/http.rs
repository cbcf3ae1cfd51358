//! The witness over HTTP: C2SP tlog-witness.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use fairdeal::log::AddCheckpoint;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::Face;
use crate::group::Waiting;
use crate::judge::{Asked, Verdict, signed_by};
use crate::store::Fault;

/// The most bytes of a body.
///
/// The longest that the specifications let a client expect to be read: 63 hashes are 2.8 KB, and a
/// reader of notes must accept 16 signatures (C2SP signed-note), of "nearly 5 kB" each if they are
/// post-quantum: 6.7 KB in base64, with a name. That is 110 KB.
pub const MAX_BODY: usize = 128 * 1024;

/// The media type of a size (C2SP tlog-witness).
const SIZE: &str = "text/x.tlog.size";

const TEXT: &str = "text/plain; charset=utf-8";

/// The answer to a request for a cosignature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The media type of the body.
    pub content_type: &'static str,
    /// After how many seconds to try again.
    pub retry_after: Option<u64>,
    /// For 200 the cosignature's line; for 409 with a size, that; else why not, in words.
    pub body: String,
}

impl WitnessAnswer {
    fn refused(status: StatusCode, says: impl std::fmt::Display) -> Self {
        let body = format!("{says}\n");
        Self { status: status.as_u16(), content_type: TEXT, retry_after: None, body }
    }

    fn later(status: StatusCode, seconds: u64, says: impl std::fmt::Display) -> Self {
        // An hour at most: by then somebody may have set a clock that is years behind.
        Self { retry_after: Some(seconds.clamp(1, 3_600)), ..Self::refused(status, says) }
    }

    fn stopped() -> Self {
        Self::later(StatusCode::SERVICE_UNAVAILABLE, 60, "the witness is not available")
    }
}

impl IntoResponse for WitnessAnswer {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let head = [(header::CONTENT_TYPE, self.content_type), (header::CACHE_CONTROL, "no-store")];
        let mut response = (status, head, self.body).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// What everybody may call.
pub(crate) fn public(face: &Arc<Face>) -> Router {
    Router::new()
        .route("/add-checkpoint", post(add_checkpoint))
        .route("/healthz", get(health))
        .with_state(Arc::clone(face))
}

/// The same, with the numbers.
pub(crate) fn operator(face: &Arc<Face>) -> Router {
    public(face).merge(Router::new().route("/metrics", get(metrics)).with_state(Arc::clone(face)))
}

async fn health(State(face): State<Arc<Face>>) -> WitnessAnswer {
    match face.shared.stopped() {
        Some(_) => WitnessAnswer::stopped(),
        None => WitnessAnswer::refused(StatusCode::OK, "ok"),
    }
}

async fn metrics(State(face): State<Arc<Face>>) -> Response {
    let shared = &face.shared;
    let text = shared.numbers.to_text(shared.logs().len(), shared.stopped().is_some());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

async fn add_checkpoint(State(face): State<Arc<Face>>, request: Request) -> WitnessAnswer {
    let began = Instant::now();
    let answer = match body(request, face.body_time).await {
        Ok(body) => face.add_checkpoint(&body).await,
        Err(answer) => answer,
    };
    face.shared.numbers.answered(answer.status, began.elapsed());
    answer
}

async fn body(request: Request, within: Duration) -> Result<Vec<u8>, WitnessAnswer> {
    let too_long = || {
        let says = format!("expected a body of at most {MAX_BODY} bytes");
        WitnessAnswer::refused(StatusCode::PAYLOAD_TOO_LARGE, says)
    };
    let (parts, body) = request.into_parts();
    // Nobody waits for a body that is refused.
    let length = parts.headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| usize::try_from(length).map_or(true, |n| n > MAX_BODY)) {
        return Err(too_long());
    }
    match tokio::time::timeout(within, read(body)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(true)) => Err(too_long()),
        Ok(Err(false)) => {
            Err(WitnessAnswer::refused(StatusCode::BAD_REQUEST, "the body ended too early"))
        }
        Err(_) => {
            let says = format!("expected the whole body within {} seconds", within.as_secs());
            Err(WitnessAnswer::refused(StatusCode::REQUEST_TIMEOUT, says))
        }
    }
}

/// The whole body, or whether it is too long.
async fn read(body: Body) -> Result<Vec<u8>, bool> {
    use std::error::Error as _;
    to_bytes(body, MAX_BODY).await.map(Into::into).map_err(|error| {
        error.source().is_some_and(<dyn std::error::Error>::is::<http_body_util::LengthLimitError>)
    })
}

impl Face {
    /// Answers the body of a request.
    pub(crate) async fn add_checkpoint(&self, body: &[u8]) -> WitnessAnswer {
        match self.judged(body).await {
            Ok((text, time)) => self.signed(&text, time),
            Err(answer) => answer,
        }
    }

    /// Everything that keeps the witness from signing. Returns the text and the time to sign, once
    /// it is on the disk that they are signed.
    async fn judged(&self, body: &[u8]) -> Result<(String, u64), WitnessAnswer> {
        let bad =
            |says: &dyn std::fmt::Display| WitnessAnswer::refused(StatusCode::BAD_REQUEST, says);
        let text = std::str::from_utf8(body).map_err(|error| bad(&error))?;
        let request = AddCheckpoint::parse(text).map_err(|error| bad(&error))?;
        let checkpoint = request.checkpoint.unverified();
        let (origin, size) = (checkpoint.origin().to_owned(), checkpoint.size());
        let logs = self.shared.logs();
        let keys = logs.keys(&origin).ok_or_else(|| {
            WitnessAnswer::refused(StatusCode::NOT_FOUND, "this witness does not sign for this log")
        })?;
        let note = signed_by(&request.checkpoint, keys).ok_or_else(|| {
            let says = "no key that this witness knows of the log has signed the checkpoint";
            WitnessAnswer::refused(StatusCode::FORBIDDEN, says)
        })?;
        if request.old_size > size {
            return Err(bad(&"the old size is larger than the checkpoint's"));
        }
        let text = request.checkpoint.note().text().to_owned();
        let (old_size, checkpoint) = (request.old_size, checkpoint.clone());
        let asked = Asked { old_size, proof: request.proof, checkpoint, note };
        let kind = match asked.at_once(&self.shared.last(&origin), (self.shared.clock)()) {
            Ok(_) if self.is_closed() => return Err(WitnessAnswer::stopped()),
            Ok(verdict) => return answer_to(verdict).map(|time| (text, time)),
            Err(kind) => kind,
        };
        self.rates.take(&origin, kind).map_err(|wait| {
            let seconds = wait.as_secs().saturating_add(1);
            WitnessAnswer::later(
                StatusCode::TOO_MANY_REQUESTS,
                seconds,
                "too many requests for this log",
            )
        })?;
        Ok((text, self.ask(asked).await?))
    }

    async fn ask(&self, asked: Asked) -> Result<u64, WitnessAnswer> {
        let (told, verdict) = oneshot::channel();
        let busy = |says| WitnessAnswer::later(StatusCode::SERVICE_UNAVAILABLE, 1, says);
        let queue = self.queue().ok_or_else(WitnessAnswer::stopped)?;
        queue.try_send(Waiting { asked, told }).map_err(|_| busy("too many requests wait"))?;
        drop(queue);
        match verdict.await {
            Ok(Ok(verdict)) => answer_to(verdict),
            Ok(Err(Fault::NoSpace)) => {
                Err(WitnessAnswer::later(StatusCode::SERVICE_UNAVAILABLE, 60, "no space is left"))
            }
            Ok(Err(Fault::Busy)) => Err(busy("the database is busy")),
            Ok(Err(Fault::Unknown)) | Err(_) => Err(WitnessAnswer::stopped()),
        }
    }

    /// Whether it signs nothing any more.
    fn is_closed(&self) -> bool {
        self.queue().is_none() || self.shared.stopped().is_some()
    }

    /// The cosignature of what is on the disk as signed.
    fn signed(&self, text: &str, time: u64) -> WitnessAnswer {
        match self.signer.cosign(text, time) {
            Some(line) => WitnessAnswer {
                status: StatusCode::OK.as_u16(),
                content_type: TEXT,
                retry_after: None,
                body: format!("{}\n", line.to_text()),
            },
            None => WitnessAnswer::stopped(),
        }
    }
}

/// The time to sign, or the refusal.
fn answer_to(verdict: Verdict) -> Result<u64, WitnessAnswer> {
    let refused = |says| WitnessAnswer::refused(StatusCode::CONFLICT, says);
    Err(match verdict {
        Verdict::Sign(time) => return Ok(time),
        Verdict::Old(size) => WitnessAnswer { content_type: SIZE, ..refused(size.to_string()) },
        Verdict::Root => {
            refused("this size was signed with another root: the log has two views".to_owned())
        }
        Verdict::Proof(says) => WitnessAnswer::refused(StatusCode::UNPROCESSABLE_ENTITY, says),
        Verdict::Clock(seconds) => {
            tracing::warn!(seconds, "the clock is behind what was signed: nothing is signed");
            let says = "the witness's clock is behind what it has signed";
            WitnessAnswer::later(StatusCode::SERVICE_UNAVAILABLE, seconds, says)
        }
    })
}
