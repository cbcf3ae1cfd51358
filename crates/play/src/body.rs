//! Bodies of calls, and why a call is refused.

use std::fmt::Display;

use axum::Json;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use fairdeal_ledger::LedgerError;

/// The JSON body of a call. A query is refused: a player who wrote something there believes that it
/// counts. The content type must be JSON, so that no page of another site can call.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Asked<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refused> {
        let bad = |says: String| Refused::new(StatusCode::BAD_REQUEST, "bad-request", says);
        if request.uri().query().is_some_and(|query| !query.is_empty()) {
            return Err(bad("the query: expected none".to_owned()));
        }
        let Json(body) =
            Json::from_request(request, state).await.map_err(|error| bad(error.body_text()))?;
        Ok(Self(body))
    }
}

/// A call that was not done: a problem (RFC 9457) of the dealer, or of the service and passed on.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) status: StatusCode,
    pub(super) problem: Value,
}

impl Refused {
    pub(super) fn new(status: StatusCode, code: &str, says: impl Display) -> Self {
        let problem = json!({
            "type": format!("urn:fairdeal:problem:{code}"),
            "title": code.replace('-', " "),
            "status": status.as_u16(),
            "detail": says.to_string(),
            "code": code,
        });
        Self { status, problem }
    }

    /// The dealer cannot go on.
    pub(super) fn stuck(error: impl Display) -> Self {
        tracing::error!(%error, "the dealer is stuck");
        let says = "the dealer cannot go on; its log says why";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "stuck", says)
    }
}

impl From<LedgerError> for Refused {
    fn from(error: LedgerError) -> Self {
        Self::stuck(error)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        let mut response = (self.status, kind, self.problem.to_string()).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, 1_u16.into());
        }
        response
    }
}
