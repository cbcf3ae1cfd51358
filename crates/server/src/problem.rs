//! Errors as RFC 9457 problems: a stable `code`, what was expected and what came. Nothing of the
//! inside leaks.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

#[allow(clippy::wildcard_imports, reason = "the schemas that the derives name")]
use super::schema::*;
use super::shapes::TableState;
use fairdeal::record::Finding;
use fairdeal::utc::utc;
use fairdeal_ledger::{ErrorKind, LedgerError};

/// The media type of a problem (RFC 9457, section 3).
pub(super) const MEDIA_TYPE: &str = "application/problem+json";

/// Why a request was not done.
#[derive(Clone, Debug)]
pub(super) struct Problem(Box<Shape>);

/// A problem's members (RFC 9457, section 3.1, and our own).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(super) struct Shape {
    /// `urn:fairdeal:problem:` and the code.
    #[serde(rename = "type")]
    kind: String,
    /// The code in words.
    title: String,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// The error in words: what was expected, what was found, and where.
    detail: String,
    /// A stable name for programs.
    code: &'static str,
    /// The rules of the log that forbid it (spec/ledger.md, section 9.3).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
    /// The index of the entry that is committed, where only its publication or its answer failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    /// The players whom it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from: Vec<String>,
    /// The rounds that are in play, where they are why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    in_play: Vec<u64>,
    /// The table's present state, if the request did not fit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableState>,
    #[serde(skip)]
    #[schema(ignore)]
    retry_after: Option<u32>,
    #[serde(skip)]
    #[schema(ignore)]
    challenge: bool,
}

impl Problem {
    pub(super) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self(Box::new(Shape {
            kind: format!("urn:fairdeal:problem:{code}"),
            title: code.replace('-', " "),
            status: status.as_u16(),
            detail: detail.into(),
            code,
            findings: Vec::new(),
            index: None,
            from: Vec::new(),
            in_play: Vec::new(),
            table: None,
            retry_after: None,
            challenge: false,
        }))
    }

    /// 400: the request cannot be read.
    pub(super) fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-request", detail)
    }

    /// 404.
    pub(super) fn not_found(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, detail)
    }

    /// 401: who asks is not known.
    pub(super) fn unauthorized(detail: impl Into<String>) -> Self {
        let mut problem = Self::new(StatusCode::UNAUTHORIZED, "unauthorized", detail);
        problem.0.challenge = true;
        problem
    }

    /// 403: who asks may not.
    pub(super) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    /// 503, to be tried again after so many seconds.
    pub(super) fn unavailable(
        code: &'static str,
        detail: impl Into<String>,
        retry_after: u32,
    ) -> Self {
        let mut problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail);
        problem.0.retry_after = Some(retry_after);
        problem
    }

    /// 429: who asks has too much under way.
    pub(super) fn too_many(detail: impl Into<String>) -> Self {
        let mut problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", detail);
        problem.0.retry_after = Some(1);
        problem
    }

    pub(super) fn is_conflict(&self) -> bool {
        self.0.status == StatusCode::CONFLICT.as_u16()
    }

    /// Says that the request's entry is committed all the same.
    pub(super) fn committed(mut self, index: u64) -> Self {
        self.0.index = Some(index);
        if self.0.status == StatusCode::SERVICE_UNAVAILABLE.as_u16() {
            let says = "the entry is committed, and its answer cannot be made at present: ask again with the same \
                        idempotency key, or read its receipt";
            self.0.detail = says.into();
        }
        self
    }

    /// Says when a beacon's round is out, and not to ask again before. Both in Unix milliseconds.
    pub(super) fn awaits(mut self, out: u64, now: u64) -> Self {
        let seconds = out.saturating_sub(now).div_ceil(1000).max(1);
        self.0.retry_after = Some(u32::try_from(seconds).unwrap_or(u32::MAX));
        if out > now {
            self.0.detail = format!("the round waits for its beacon, which is out at {}", utc(out));
        }
        self
    }

    /// Adds the table's present state.
    pub(super) fn at(mut self, table: Option<TableState>) -> Self {
        self.0.table = table;
        self
    }

    /// Names players.
    pub(super) fn about(mut self, from: Vec<String>) -> Self {
        self.0.from.extend(from);
        self
    }
}

/// The detail of an answer with status 503, and after how many seconds to try again. Paths and
/// system messages stay in the service's log.
fn outside(error: &LedgerError) -> (&'static str, u32) {
    match error.code() {
        "busy" => ("the ledger is busy", 1),
        "no-space" => ("the ledger has no space left", 60),
        "not-published" if matches!(error, LedgerError::Unpublished { .. }) => (
            "the entry is committed and not published yet: ask again with the same idempotency key",
            2,
        ),
        "not-published" => {
            ("the entry is committed and not published yet: ask again in a moment", 2)
        }
        "publishing-behind" => (
            "what is committed cannot be published at present, and nothing new is dealt meanwhile",
            5,
        ),
        "unwitnessed" => (
            "no quorum of witnesses has signed the log's newest checkpoint, and nothing is dealt before",
            5,
        ),
        "witnesses-contradict" => {
            ("witnesses contradict this ledger, and nothing is dealt until a quorum agrees", 30)
        }
        "awaits-beacon" => ("the signature of the round's beacon is not here yet", 1),
        "unsettled" => {
            ("unknown whether this was committed: retry with the same idempotency key", 5)
        }
        "clock" => (
            "the service's clock jumped: its operator must set it, or confirm it with --accept-time DATE",
            60,
        ),
        "closed" => ("the service is stopping", 5),
        _ => ("the ledger is not available; its operator's log says why", 30),
    }
}

impl From<LedgerError> for Problem {
    fn from(error: LedgerError) -> Self {
        if let [
            Finding {
                code: fairdeal::record::Code::NoCommitment,
                commitment: Some(commitment),
                ..
            },
        ] = *error.findings()
        {
            return LedgerError::UnknownCommitment(commitment).into();
        }
        let code = error.code();
        if error.kind() == ErrorKind::Unavailable {
            if code == "clock" {
                let says =
                    "the ledger refused: set the clock, or confirm it with --accept-time DATE";
                tracing::error!(code, error = %error, "{says}");
            } else if code == "awaits-beacon" {
                // Nothing is wrong before the beacon is out.
                tracing::info!(code, error = %error, "the ledger refused");
            } else if error.is_passing() {
                tracing::warn!(code, error = %error, "the ledger refused");
            } else {
                tracing::error!(code, error = %error, "the ledger refused");
            }
            let (says, retry_after) = outside(&error);
            let mut problem = Self::unavailable(code, says, retry_after);
            if let LedgerError::Unpublished { index, .. }
            | LedgerError::NotPublished { index, .. } = error
            {
                problem.0.index = Some(index);
            }
            return problem;
        }
        let says = match &error {
            // The ledger knows the key by another name.
            LedgerError::KeyReused(_) => {
                "the Idempotency-Key belongs to another request".to_owned()
            }
            error => error.to_string(),
        };
        let status = StatusCode::from_u16(error.status());
        let mut problem =
            Self::new(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), code, says);
        problem.0.findings = error.findings().to_vec();
        match error {
            LedgerError::RoundInPlay { rounds, .. } => problem.0.in_play = rounds,
            LedgerError::Contribution { from, .. } | LedgerError::Secret { from } => {
                problem.0.from = vec![from.as_str().to_owned()];
            }
            _ => {}
        }
        problem
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let shape = *self.0;
        let status =
            StatusCode::from_u16(shape.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let text = serde_json::to_string(&shape).expect("a plain struct with text for keys");
        let mut response = (status, [(header::CONTENT_TYPE, MEDIA_TYPE)], text).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = shape.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if shape.challenge {
            headers.insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static("Bearer realm=\"fairdeal\""),
            );
        }
        response.extensions_mut().insert(Told(shape.code));
        response
    }
}

/// The code of a problem, for the metrics.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told(pub(super) &'static str);
