//! The routes, and the layers that every request passes first.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use tokio::sync::OwnedSemaphorePermit;
use tracing::{Instrument as _, Span};

use super::auth::{Caller, Held};
use super::body::ReadToEnd;
use super::budget::Need;
use super::problem::Problem;
use super::{
    Shared, beacons, events, files, health, metrics, openapi, openings, pages, raffles, reads,
    writes,
};

/// The page that shows the document of the API. It asks no other host for anything.
const DOCS: &str = include_str!("docs.html");

/// The policy of the page: its own script and style, and requests to this host.
static DOCS_POLICY: LazyLock<String> = LazyLock::new(|| {
    let source = |opened: &str, closed: &str| {
        let inside = DOCS.split_once(opened).and_then(|(_, rest)| rest.split_once(closed));
        pages::hash_source(inside.map_or("", |(inside, _)| inside))
    };
    format!(
        "default-src 'none'; connect-src 'self'; img-src data:; script-src {}; style-src {}; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        source("<script>", "</script>"),
        source("<style>", "</style>"),
    )
});

/// The public routes.
fn readable(app: &Shared) -> Router<Shared> {
    let in_turn = middleware::from_fn_with_state(Arc::clone(app), in_turn);
    let of_state = Router::new()
        .route("/v1/commitments", get(reads::commitments))
        .route("/v1/commitments/{commitment}", get(reads::commitment))
        .route("/v1/commitments/{commitment}/receipt", get(reads::commitment_receipt))
        .route("/v1/commitments/{commitment}/receipts", get(reads::receipts))
        .route("/v1/commitments/{commitment}/rounds", get(reads::rounds))
        .route("/v1/commitments/{commitment}/rounds/{nonce}", get(reads::round))
        .route("/v1/commitments/{commitment}/rounds/{nonce}/receipt", get(reads::receipt))
        .route("/v1/raffles/{commitment}", get(raffles::document))
        .route("/v1/tables", get(reads::tables))
        .route_layer(in_turn);
    let reads = of_state
        .route("/v1/events", get(events::events))
        .route("/v1/beacons/{chain}/{round}", get(beacons::beacon))
        .route("/v1/lists/{digest}", get(raffles::list))
        .route("/v1/log", get(reads::log))
        .route("/checkpoint", get(files::checkpoint))
        .route("/tile/{*path}", get(files::tile))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), few_reads));
    reads
        .route("/openapi.json", get(document))
        .route("/docs", get(docs))
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready))
}

/// The routes that need a token.
fn writable(app: &Shared) -> Router<Shared> {
    Router::new()
        .route("/v1/commitments", post(writes::commit))
        .route("/v1/commitments/{commitment}/locks", post(writes::lock))
        .route("/v1/commitments/{commitment}/deals", post(writes::deal))
        .route("/v1/commitments/{commitment}/voids", post(writes::void))
        .route("/v1/commitments/{commitment}/reveal", post(writes::reveal))
        .route("/v1/commitments/{commitment}/rounds/{nonce}/done", post(writes::done))
        .route("/v1/commitments/{commitment}/rounds/{nonce}/openings", post(openings::post))
        .route("/v1/commitments/{commitment}/rounds/{nonce}/openings/{t}", get(openings::get))
        .route("/v1/raffles", post(raffles::promise))
        .route("/metrics", get(health::numbers))
        .merge(records(app))
}

/// The operator's reads of the state: in turn with the other reads.
fn records(app: &Shared) -> Router<Shared> {
    Router::new()
        .route("/v1/commitments/{commitment}/openings", get(openings::list))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), in_turn))
        .route_layer(middleware::from_fn_with_state(Arc::clone(app), few_reads))
}

/// The ends of the paths of the operator's calls. `/v1/commitments` is also public: there only the
/// method tells.
const OPERATORS: [&str; 8] =
    ["/locks", "/deals", "/voids", "/reveal", "/done", "/openings", "/openings/{t}", "/metrics"];

/// Whether any page may read the answer. The operator's answers are for no page of another site.
fn is_public(method: &Method, path: Option<&MatchedPath>) -> bool {
    let reads = [Method::GET, Method::HEAD].contains(method);
    reads && !path.is_some_and(|path| OPERATORS.iter().any(|end| path.as_str().ends_with(end)))
}

/// The answer to a page that asks which requests it may send: reads of the public face, without a
/// token.
fn preflight(request: &Request) -> Option<Response> {
    if request.method() != Method::OPTIONS {
        return None;
    }
    let wanted = request.headers().get(header::ACCESS_CONTROL_REQUEST_METHOD)?;
    let wanted = Method::from_bytes(wanted.as_bytes()).ok()?;
    is_public(&wanted, request.extensions().get()).then(|| {
        let headers = [
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
            (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "last-event-id, if-none-match"),
            (header::ACCESS_CONTROL_MAX_AGE, "3600"),
        ];
        (StatusCode::NO_CONTENT, headers).into_response()
    })
}

fn finished(app: &Shared, router: Router<Shared>) -> Router {
    router
        .fallback(other)
        .method_not_allowed_fallback(other_method)
        // Outside of the routes, or they would take OPTIONS for a method that they do not know.
        .layer(middleware::from_fn(every))
        .with_state(Arc::clone(app))
}

pub(super) fn public(app: &Shared) -> Router {
    if app.options.operator_apart { finished(app, readable(app)) } else { operator(app) }
}

pub(super) fn operator(app: &Shared) -> Router {
    finished(app, readable(app).merge(writable(app)))
}

async fn docs() -> impl IntoResponse {
    ([(header::CONTENT_SECURITY_POLICY, DOCS_POLICY.clone())], Html(DOCS))
}

async fn document() -> impl IntoResponse {
    static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| openapi().into());
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.clone())
}

/// Answers a path that is no call: it may be a page.
async fn other(State(app): State<Shared>, request: Request) -> Response {
    let origin = app.ledger.verifier_key().name().as_str();
    let page = pages::page(request.method(), request.uri(), request.headers(), origin);
    page.unwrap_or_else(|| {
        let says = format!("nothing is at {}{}", request.uri().path(), elsewhere(&app, &request));
        Problem::not_found("no-such-path", says).into_response()
    })
}

async fn other_method(State(app): State<Shared>, request: Request) -> Problem {
    let path = request.uri().path();
    let says = format!("{} is not for {path}{}", request.method(), elsewhere(&app, &request));
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", says)
}

/// Where an operator's call belongs that came to the public address.
fn elsewhere(app: &Shared, request: &Request) -> &'static str {
    if app.options.operator_apart && request.headers().contains_key(header::AUTHORIZATION) {
        " here: calls with a token go to the address of --operator-listen"
    } else {
        ""
    }
}

/// A caller whose request has a place among the writes until it is answered. There are as many as
/// the limits allow; the others come again. No layer gives it: each costs a deal some microseconds.
pub(super) struct Dealer {
    held: Held,
    _permit: OwnedSemaphorePermit,
}

impl Deref for Dealer {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.held.caller
    }
}

impl FromRequestParts<Shared> for Dealer {
    type Rejection = Problem;

    /// Authenticates before it takes a permit: anonymous requests cannot starve token holders.
    /// A log that the world contradicts takes no write.
    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, app).await?;
        without_query(&parts.uri)?;
        let held = caller.hold(app)?;
        if let Some(why) = app.world.wrong() {
            return Err(Problem::unavailable("stopped", why, 60));
        }
        let permit = Arc::clone(&app.writes).try_acquire_owned();
        Ok(Self { held, _permit: permit.map_err(|_| overloaded("requests"))? })
    }
}

/// Refuses a query of a write, and of every call with a token. A caller who wrote a member there
/// believes that it counts, and a deal cannot be taken back.
fn without_query(uri: &Uri) -> Result<(), Problem> {
    if uri.query().is_some_and(|query| !query.is_empty()) {
        let says = "the query: expected none; all parts of a request are in its path and its body";
        return Err(Problem::bad_request(says));
    }
    Ok(())
}

/// As many reads at once as the limits allow: they have a number of their own, so that they cannot
/// starve the writes. One that waits for files that do not come ends, and gives its place to
/// another. A stream has begun by then.
async fn few_reads(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let most = app.options.limits.request;
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let Some(reserved) = app.budget.reserve(Need::of(route)).await else {
        return overloaded("bytes of answers").into_response();
    };
    let answered = async {
        let Ok(_permit) = app.reads.try_acquire() else {
            return overloaded("reads").into_response();
        };
        next.run(request).await
    };
    let answer = tokio::time::timeout(most, answered).await;
    let answer = answer.unwrap_or_else(|_| {
        let says = format!("the answer was not there within {} seconds", most.as_secs());
        Problem::unavailable("too-slow", says, 5).into_response()
    });
    let held = app.budget.hold(reserved, answer).await;
    held.unwrap_or_else(|| overloaded("bytes of answers").into_response())
}

/// Lets requests that read the state take turns.
async fn in_turn(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let Some(_turn) = app.turns.public().await else {
        return overloaded("reads").into_response();
    };
    next.run(request).await
}

fn overloaded(what: &str) -> Problem {
    let says = format!("as many {what} are under way as this service takes");
    Problem::unavailable("overloaded", says, 1)
}

/// The header with the ID of a request, which a proxy or a client gave it.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The most bytes of a request's ID.
const MAX_REQUEST_ID: usize = 128;

/// Adds the headers for browsers and the request's ID to every answer, and refuses a request that
/// a proxy in front could read differently. Ends a connection whose request has a body that nobody
/// read. One layer, since each costs every request some
/// microseconds.
async fn every(mut request: Request, next: Next) -> Response {
    let read = (!request.body().is_end_stream()).then(ReadToEnd::default);
    if let Some(read) = &read {
        request.extensions_mut().insert(read.clone());
    }
    let id = request.headers().get(REQUEST_ID).filter(|id| id.len() <= MAX_REQUEST_ID).cloned();
    let span = id.as_ref().map_or_else(Span::none, |id| tracing::info_span!("request", ?id));
    let counted = metrics::Asked::of(&request);
    let is_public = is_public(request.method(), request.extensions().get());
    let mut response = match (unclear(&request), preflight(&request)) {
        (Some(says), _) => Problem::bad_request(says).into_response(),
        (None, Some(response)) => response,
        (None, None) => next.run(request).instrument(span).await,
    };
    let headers = response.headers_mut();
    if is_public {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        let exposed = HeaderValue::from_static("etag, retry-after");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    if read.is_some_and(|read| !read.holds()) {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    headers.extend(id.map(|id| (REQUEST_ID, id)));
    let response = for_browsers(response).await;
    counted.answered(&response);
    response
}

/// Adds the headers that every answer has for browsers: no guessing of its type, and no referrer.
pub async fn for_browsers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// The reason why two programs could read a request differently (RFC 9112, section 3.2). If a
/// request has a length and chunks, hyper takes the chunks, removes the length, and ends the
/// connection (section 6.1).
fn unclear(request: &Request) -> Option<&'static str> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || hosts == 0 && request.version() == Version::HTTP_11 {
        return Some("Host: expected one such header");
    }
    let mut codings = request.headers().get_all(header::TRANSFER_ENCODING).iter();
    let first = codings.next()?;
    let is_chunked = first.as_bytes().eq_ignore_ascii_case(b"chunked") && codings.next().is_none();
    (!is_chunked).then_some("Transfer-Encoding: expected chunked alone, or no such header")
}
