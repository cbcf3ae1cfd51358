//! The schemas of the library's types in the document of the API. Each has the members of the
//! library's type: build.rs names the pairs.

use std::borrow::Cow;

use serde::Deserialize;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, KnownFormat, ObjectBuilder, OneOfBuilder, Schema,
    SchemaFormat, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use fairdeal::deal::{Blind, ClientSeed, Commitment, DeckName, Digest, Label, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::entry::{
    Cards, Face, Game, Int, LogSignature, PlayerKey, PlayerSignature, SeenCheckpoint,
};
use fairdeal::record::finding::Code;
use fairdeal::record::receipt::{Included, OpenedCard, Receipt, Salt, SeenProof};

/// A text with a pattern.
fn text(says: &str, pattern: &str) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(says))
        .pattern(Some(pattern))
        .into()
}

/// A text of so many bytes, without control characters.
fn label(says: &str, most: usize, example: &str) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(says));
    let object = object.pattern(Some(r"^[^\u0000-\u001f\u007f-\u009f]+$"));
    object.min_length(Some(1)).max_length(Some(most)).examples([example]).into()
}

/// One of these words.
fn words(says: &str, all: &[&str]) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(says));
    object.enum_values(Some(all.iter().copied())).into()
}

/// A whole number up to 2^53-1.
pub(super) fn integer(says: &str) -> ObjectBuilder {
    let format = SchemaFormat::KnownFormat(KnownFormat::Int64);
    let object = ObjectBuilder::new().schema_type(Type::Integer).format(Some(format));
    object.description(Some(says)).minimum(Some(0)).maximum(Some(fairdeal::record::entry::Int::MAX))
}

const HEX_32: &str = "^[0-9a-f]{64}$";

macro_rules! leaf {
    ($($type:ident, $name:literal => $schema:expr;)+) => {$(
        #[doc = concat!("The schema of `", $name, "`.")]
        pub(super) struct $type;

        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                $schema
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($name)
            }
        }
    )+};
}

leaf! {
    CommitmentSchema, "Commitment" => text("SHA-256 of the server seed, in hex.", HEX_32);
    DigestSchema, "Digest" => text("A SHA-256 in hex.", HEX_32);
    BlindSchema, "Blind" => text("32 bytes in hex, which hide a seed in its hash.", HEX_32);
    PlayerKeySchema, "PlayerKey" => text("A player's Ed25519 public key in hex.", HEX_32);
    PlayerSignatureSchema, "PlayerSignature" => text("An Ed25519 signature in base64.", "^[A-Za-z0-9+/]{85}[AQgw]==$");
    LogSignatureSchema, "LogSignature" => text("A note signature's 68 bytes in base64.", "^[A-Za-z0-9+/]{90}[AEIMQUYcgkosw048]=$");
    SaltSchema, "Salt" => text("16 bytes in hex.", "^[0-9a-f]{32}$");
    HashSchema, "Hash" => text("32 bytes in base64.", "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$");
    CardsSchema, "Cards" => text("Cards in deal order, two characters each.", "^([2-9TJQKAX][cdhs12])+$");
    BeaconSignatureSchema, "BeaconSignature" => text("A signature of a beacon's round in hex.", "^[0-9a-f]{96}$");
    LabelSchema, "Label" => label("A player's name: 1 to 64 bytes.", 64, "alice");
    ClientSeedSchema, "ClientSeed" => label("A player's seed: 1 to 256 bytes.", 256, "lucky");
    TableSchema, "Table" => label("A table's name: 1 to 128 bytes.", 128, "main");
    CaptionSchema, "Caption" => label("A title or a prize: 1 to 200 bytes.", 200, "Winter raffle");
    ReasonSchema, "Reason" => label("Why, for the log: 1 to 256 bytes.", 256, "misdeal");
    MethodSchema, "Method" => words("How the items are ordered.", &["shuffle", "cycle"]);
    MixingSchema, "Mixing" => words("The least that every round must mix.", &["seeds", "hashes", "beacon"]);
    NonceSchema, "Nonce" => integer("A round's number, from 0.").into();
    IntSchema, "Int" => integer("A whole number.").into();
    DeckSchema, "Deck" => deck();
    LayoutSchema, "Layout" => layout();
    GivenLayoutSchema, "GivenLayout" => given_layout();
    FaceSchema, "Face" => face();
}

fn of<T: ToSchema>() -> RefOr<Schema> {
    Ref::from_schema_name(T::name()).into()
}

fn deck() -> RefOr<Schema> {
    let names: Vec<&str> = DeckName::ALL.iter().map(|name| name.as_str()).collect();
    OneOfBuilder::new()
        .item(words("A named deck.", &names))
        .item(of::<ListSchema>())
        .description(Some("What is shuffled: a named deck or a list."))
        .into()
}

fn layout() -> RefOr<Schema> {
    let number = || integer("1 to 64.").minimum(Some(1)).maximum(Some(64));
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some("Which seat gets which card (spec/ledger.md, section 8.7)."))
        .property("hand", number())
        .property("board", ArrayBuilder::new().items(number()))
        .property("burn", ObjectBuilder::new().schema_type(Type::Boolean))
        .required("hand")
        .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(false)))
        .into()
}

fn given_layout() -> RefOr<Schema> {
    const NUMBER: &str = "[1-9][0-9]?";
    let games = Game::ALL.map(Game::as_str).join("|");
    let text = text(
        "A game's name, which has a deck too, or `hand=2,board=3+1+1,burn` or its beginning.",
        &format!("^({games}|hand={NUMBER}(,board={NUMBER}([+]{NUMBER})*(,burn)?)?)$"),
    );
    OneOfBuilder::new()
        .item(of::<LayoutSchema>())
        .item(text)
        .description(Some("Whose each card is."))
        .into()
}

/// A street.
pub(super) fn street() -> RefOr<Schema> {
    OneOfBuilder::new()
        .item(words("Its name, where the board is 3, 1 and 1 cards.", &["flop", "turn", "river"]))
        .item(integer("Its number, from 1.").minimum(Some(1)).maximum(Some(64)))
        .description(Some("The cards of this street."))
        .into()
}

fn face() -> RefOr<Schema> {
    OneOfBuilder::new()
        .item(text("A card of a named deck.", "^([2-9TJQKA][cdhs]|X[12])$"))
        .item(integer("An item of a list, from 0."))
        .description(Some("A card that is in the log or opened."))
        .into()
}

fn receipt_format() -> RefOr<Schema> {
    words("The format.", &["fairdeal/receipt/v1"])
}

fn only_true() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::Boolean)
        .description(Some("`true`, or no such member. Only in the player's own file."))
        .enum_values(Some([true]))
        .into()
}

fn opening_format() -> RefOr<Schema> {
    words("The format.", &["fairdeal/opening/v1"])
}

fn code() -> RefOr<Schema> {
    words("What kind of thing.", &Code::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>())
}

/// A list: how many items, and the SHA-256 of its file.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = List)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct ListSchema {
    /// How many items.
    #[schema(minimum = 1, maximum = 1_048_576)]
    count: u64,
    sha256: Digest,
}

/// The chain of a beacon whose rounds are mixed in (spec/beacon.md), and the milliseconds between a
/// lock and its round.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = BeaconTerms)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct BeaconTermsSchema {
    chain: Digest,
    margin: Int,
}

/// The checkpoint that a player had verified (spec/ledger.md, section 8.3).
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SeenCheckpoint)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct SeenCheckpointSchema {
    root: Digest,
    signature: LogSignature,
    size: Int,
}

/// A player's contribution, in the form of the player's own file (spec/receipt.md, section 11.8).
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Contribution)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct GivenSchema {
    from: Label,
    seed: Option<ClientSeed>,
    hash: Option<Digest>,
    blind: Option<Blind>,
    seen: Option<SeenCheckpoint>,
    key: Option<PlayerKey>,
    signature: Option<PlayerSignature>,
    /// The verifier key of the log that it was made for.
    log: Option<String>,
    commitment: Option<Commitment>,
    nonce: Option<Nonce>,
    #[schema(schema_with = only_true)]
    given: Option<bool>,
}

/// A receipt (spec/receipt.md): anyone can verify it offline, with the log's key.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Receipt)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct ReceiptSchema {
    #[schema(schema_with = receipt_format)]
    format: (),
    entries: Vec<Included>,
    /// A signed note (C2SP signed-note).
    #[schema(min_length = 1, max_length = 65_536)]
    checkpoint: String,
    seen: Option<Vec<SeenProof>>,
}

/// An entry, and the proof that it is in the log.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Included)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct IncludedSchema {
    index: Int,
    /// Its exact bytes.
    #[schema(min_length = 1, max_length = 65_535)]
    entry: String,
    proof: Vec<Hash>,
}

/// An earlier root of the log, and the proof that the log has grown from it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SeenProof)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct SeenProofSchema {
    size: Int,
    root: Digest,
    proof: Vec<Hash>,
}

/// Some cards of a sealed deal, each provable alone (spec/receipt.md, section 12).
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Opening)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct OpeningSchema {
    #[schema(schema_with = opening_format)]
    format: (),
    receipt: Receipt,
    card_seals: Vec<Digest>,
    opened: Vec<OpenedCard>,
}

/// One card of a sealed deal, shown.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OpenedCard)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct OpenedCardSchema {
    t: Int,
    item: Int,
    salt: Salt,
}

/// A broken rule, and its place in the log (spec/ledger.md, section 9.3).
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Finding)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct FindingSchema {
    #[schema(schema_with = code)]
    code: (),
    index: Option<Int>,
    commitment: Option<Commitment>,
    nonce: Option<Nonce>,
    says: String,
}

/// A deal's result, in the one form that the commitment asks for.
#[derive(Deserialize, ToSchema)]
#[schema(as = Result)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct ResultFormSchema {
    /// A named deck's cards, in deal order.
    cards: Option<Cards>,
    /// SHA-256 of a long list's indices.
    digest: Option<Digest>,
    /// A list's item numbers, in deal order, where the log has them.
    indices: Option<Vec<Int>>,
    /// A sealed deal's seal.
    seal: Option<Digest>,
}

/// Whose each card of a round is. A card that is neither in the log nor opened is `null`.
#[derive(ToSchema)]
#[schema(as = Hands)]
#[expect(dead_code, reason = "read by utoipa alone")]
pub(super) struct HandsSchema {
    /// The hand of each seat.
    seats: std::collections::BTreeMap<String, Vec<Option<Face>>>,
    /// The cards of each street.
    board: Option<Vec<Vec<Option<Face>>>>,
    /// The card burnt before each street.
    burnt: Option<Vec<Option<Face>>>,
}
