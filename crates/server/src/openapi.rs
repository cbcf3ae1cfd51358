//! The document of the API, from the handlers (`OpenAPI` 3.1). It is committed as
//! `spec/openapi.json`.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde_json::Value;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ContentBuilder, RefOr, Response, ResponseBuilder};
use utoipa::{IntoParams, IntoResponses, Modify, OpenApi, ToSchema};

use super::problem::{MEDIA_TYPE, Shape as Problem};
#[allow(clippy::wildcard_imports, reason = "the schemas that the derives name")]
use super::schema::*;
use super::{beacons, events, files, health, openings, raffles, reads, shapes, writes};
use crate::told::{EntryAt, PlayerTold, RoundState, StandingState};

/// The header of every request that makes an entry.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct IdempotencyKeyHeader {
    /// A name for this request. A retry under the same name gets the same answer for 24 hours, and
    /// nothing is done twice
    #[param(
        rename = "Idempotency-Key",
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]([ -~]*[!-~])?$"
    )]
    idempotency_key: Option<String>,
}

/// A commitment in a path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct OfCommitment {
    /// SHA-256 of the server seed, in hex
    #[param(pattern = "^[0-9a-f]{64}$")]
    commitment: String,
}

/// A round in a path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct OfRound {
    /// SHA-256 of the server seed, in hex
    #[param(pattern = "^[0-9a-f]{64}$")]
    commitment: String,
    /// The round, from 0
    #[param(maximum = 9_007_199_254_740_991_u64)]
    nonce: u64,
}

/// A beacon's round in a path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct OfBeacon {
    /// The chain's hash, in hex
    #[param(pattern = "^[0-9a-f]{64}$")]
    chain: String,
    /// The beacon's round, from 1
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    round: u64,
}

/// A list in a path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct OfList {
    /// SHA-256 of the list's file, in hex
    #[param(pattern = "^[0-9a-f]{64}$")]
    digest: String,
}

/// Cards of a round in a path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct OfCards {
    /// SHA-256 of the server seed, in hex
    #[param(pattern = "^[0-9a-f]{64}$")]
    commitment: String,
    /// The round, from 0
    #[param(maximum = 9_007_199_254_740_991_u64)]
    nonce: u64,
    /// The cards by their places in deal order, as in `0,1,2`
    #[param(pattern = "^[0-9]{1,4}(,[0-9]{1,4})*$")]
    t: String,
}

/// A tile's path.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct OfTile {
    /// Level and place, as in `0/000` or `entries/x001/234.p/56`
    #[param(pattern = "^[a-z0-9./]+$", allow_reserved)]
    path: String,
}

/// The event after which a stream resumes.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct LastEventId {
    /// The last event that was received
    #[param(rename = "Last-Event-ID", maximum = 9_007_199_254_740_991_u64)]
    last_event_id: Option<u64>,
}

type Responses = BTreeMap<String, RefOr<Response>>;

fn with<T: ToSchema>(says: &str, media_type: &str) -> RefOr<Response> {
    let schema = utoipa::openapi::Ref::from_schema_name(T::name());
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(says).content(media_type, content).build().into()
}

/// The description of each status.
const SAYS: &[(&str, &str)] = &[
    ("400", "The request cannot be read."),
    ("401", "There is no valid token."),
    ("403", "The token is not for this."),
    ("404", "There is no such thing: commitment, round, card, table, beacon or tile."),
    ("405", "Writes are not for this address, but for the operator's."),
    ("408", "The body came too slowly."),
    ("409", "A rule of the log, or the state, forbids it."),
    ("413", "The body is too large."),
    ("415", "The body is not JSON."),
    ("422", "The idempotency key belongs to another request."),
    ("429", "The token has too many requests under way; Retry-After says when to ask again."),
    ("503", "The service cannot do it now; Retry-After says when to ask again."),
];

fn problems(statuses: &[&str]) -> Responses {
    let named = SAYS.iter().filter(|(status, _)| statuses.contains(status));
    named.map(|(status, says)| ((*status).to_owned(), with::<Problem>(says, MEDIA_TYPE))).collect()
}

/// Why a request was not done: a type for each set of statuses.
macro_rules! refusals {
    ($($(#[$about:meta])* $name:ident $statuses:expr;)*) => {$(
        $(#[$about])*
        pub(super) struct $name;

        impl IntoResponses for $name {
            fn responses() -> Responses {
                problems(&$statuses)
            }
        }
    )*};
}

refusals! {
    /// Refusals of a call that makes an entry under a commitment.
    Refusals ["400", "401", "403", "404", "408", "409", "413", "415", "422", "429", "503"];
    /// Refusals of a new commitment. Its path is also public: there only the method is wrong.
    CommitRefusals ["400", "401", "403", "405", "408", "409", "413", "415", "422", "429", "503"];
    /// Refusals of a call that makes no entry, and so has no idempotency key.
    UnkeyedRefusals ["400", "401", "403", "404", "408", "409", "413", "415", "429", "503"];
    /// Refusals of a read that needs the right to open.
    OpeningRefusals ["400", "401", "403", "404", "409", "429", "503"];
    /// Refusals of a read of opened cards.
    RecordRefusals ["400", "401", "403", "404", "503"];
    /// Refusals of a read that needs a token.
    TokenRefusals ["400", "401", "503"];
    /// Refusals of a read of a named thing.
    ReadRefusals ["400", "404", "503"];
    /// Refusals of a read that always has an answer.
    ListRefusals ["400", "503"];
    /// Refusals of a call that does not use the ledger.
    Unreadable ["400"];
}

/// The client has the file already.
pub(super) struct Unchanged;

impl IntoResponses for Unchanged {
    fn responses() -> Responses {
        let says = "The file still has the tag that If-None-Match names.";
        BTreeMap::from([(
            "304".to_owned(),
            ResponseBuilder::new().description(says).build().into(),
        )])
    }
}

/// An entry was made, or had been made under the same idempotency key.
pub(super) struct Made<T>(PhantomData<T>);

impl<T: ToSchema> IntoResponses for Made<T> {
    fn responses() -> Responses {
        let json = "application/json";
        BTreeMap::from([
            ("200".to_owned(), with::<T>("The answer to the same request under this key.", json)),
            ("201".to_owned(), with::<T>("The entry is made and published.", json)),
        ])
    }
}

struct Token;

impl Modify for Token {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("Made by fairdeal token add."))
            .build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "fairdeal",
        description = "Provably fair deals over HTTP. spec/http.md explains it.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    paths(
        writes::commit, writes::lock, writes::deal, writes::void, writes::reveal, writes::done,
        openings::get, openings::post, openings::list,
        reads::commitments, reads::commitment, reads::commitment_receipt, reads::tables, reads::rounds,
        reads::round, reads::receipt, reads::receipts, reads::log, beacons::beacon, raffles::promise, raffles::document, raffles::list, events::events,
        files::checkpoint, files::tile, health::live, health::ready, health::numbers,
    ),
    components(schemas(
        Problem, raffles::RaffleRequest, raffles::RaffleRulesShape, raffles::RaffleAnswer, shapes::CommitmentRequest, shapes::LockRequest, shapes::RoundVoid, shapes::DealRequest, shapes::VoidRequest,
        shapes::BeaconRequest, shapes::BeaconAnswer, shapes::RevealRequest, shapes::OpeningRequest, shapes::Empty, shapes::EntryAnswer, shapes::DoneAnswer,
        shapes::CommitmentAnswer, shapes::CommitmentsAnswer, shapes::TableState, shapes::TablesAnswer, shapes::OpeningsAnswer, shapes::RoundAnswer,
        shapes::RoundsAnswer, shapes::ReceiptsAnswer, shapes::LogAnswer, shapes::EventsAnswer, health::ReadyAnswer, health::WitnessAnswer,
        StandingState, RoundState, EntryAt, PlayerTold,
        BeaconSignatureSchema, BeaconTermsSchema, CommitmentSchema, DigestSchema, BlindSchema, PlayerKeySchema, PlayerSignatureSchema, LogSignatureSchema, SaltSchema, HashSchema, CardsSchema, LabelSchema,
        ClientSeedSchema, TableSchema, CaptionSchema, ReasonSchema, MethodSchema, MixingSchema, NonceSchema, IntSchema, DeckSchema, ListSchema, LayoutSchema, GivenLayoutSchema, FaceSchema, HandsSchema, SeenCheckpointSchema, GivenSchema, ReceiptSchema,
        IncludedSchema, SeenProofSchema, OpeningSchema, OpenedCardSchema, FindingSchema, ResultFormSchema,
    )),
    tags(
        (name = "operator", description = "Dealing: behind tokens."),
        (name = "public", description = "What anyone may read."),
        (name = "log", description = "The log itself, as C2SP tlog-tiles."),
        (name = "health", description = "For who runs it."),
    ),
    modifiers(&Token),
)]
struct Document;

/// The document, as JSON with two spaces of indentation and a newline at its end.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a plain structure with text for keys")]
pub fn openapi() -> String {
    let mut document =
        serde_json::to_value(Document::openapi()).expect("a plain structure with text for keys");
    never_null(&mut document);
    let text = serde_json::to_string_pretty(&document).expect("a JSON value");
    text + "\n"
}

/// A member without a value is absent, never null (spec/ledger.md, section 8.2): takes out what
/// utoipa says of an `Option`.
fn never_null(value: &mut Value) {
    let null = |one: &Value| one == "null" || one.get("type").is_some_and(|kind| kind == "null");
    match value {
        Value::Array(all) => all.iter_mut().for_each(never_null),
        Value::Object(members) => {
            if let Some(Value::Array(types)) = members.get_mut("type") {
                types.retain(|one| !null(one));
                if let [one] = &mut types[..] {
                    let one = one.take();
                    members.insert("type".to_owned(), one);
                }
            }
            if let Some(Value::Array(forms)) = members.get_mut("oneOf") {
                forms.retain(|one| !null(one));
                if let [Value::Object(one)] = &mut forms[..] {
                    let one = std::mem::take(one);
                    members.remove("oneOf");
                    members.extend(one);
                }
            }
            members.values_mut().for_each(never_null);
        }
        _ => {}
    }
}
