//! How the texts and numbers of the log stand in the document of the API. The structures derive theirs; these are the leaves.

use std::borrow::Cow;

use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use fairdeal::deal::DeckName;
use fairdeal::record::finding::Code;

/// A text with a pattern.
fn text(says: &str, pattern: &str) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(says))
        .pattern(Some(pattern))
        .into()
}

/// A text of so many bytes.
fn bounded(says: &str, most: usize) -> ObjectBuilder {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(says));
    object.min_length(Some(1)).max_length(Some(most))
}

/// A text of so many bytes, without control characters.
fn label(says: &str, most: usize, example: &str) -> RefOr<Schema> {
    let object = bounded(says, most).pattern(Some(r"^[^\u0000-\u001f\u007f-\u009f]+$"));
    object.examples([example]).into()
}

/// One of these words.
fn words(says: &str, all: &[&str]) -> RefOr<Schema> {
    let object = ObjectBuilder::new().schema_type(Type::String).description(Some(says));
    object.enum_values(Some(all.iter().copied())).into()
}

/// What a new commitment may ask for: this version deals no beacon rounds.
pub(super) fn mixing_here() -> RefOr<Schema> {
    words("The least that every round mixes. Default: seeds.", &["seeds", "hashes"])
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
    LabelSchema, "Label" => label("A player's name: 1 to 64 bytes.", 64, "alice");
    ClientSeedSchema, "ClientSeed" => label("A player's seed: 1 to 256 bytes.", 256, "lucky");
    TableSchema, "Table" => label("A table's name: 1 to 128 bytes.", 128, "main");
    ReasonSchema, "Reason" => label("Why, for the log: 1 to 256 bytes.", 256, "misdeal");
    MethodSchema, "Method" => words("How the items are ordered.", &["shuffle", "cycle"]);
    MixingSchema, "Mixing" => words("The least that every round must mix.", &["seeds", "hashes", "beacon"]);
    NonceSchema, "Nonce" => integer("A round's number, from 0.").into();
    IntSchema, "Int" => integer("A whole number.").into();
    DeckSchema, "Deck" => deck();
    ListSchema, "List" => list();
    LayoutSchema, "Layout" => layout();
    SeenCheckpointSchema, "SeenCheckpoint" => seen();
    GivenSchema, "Contribution" => contribution();
    ReceiptSchema, "Receipt" => receipt();
    IncludedSchema, "Included" => included();
    SeenProofSchema, "SeenProof" => seen_proof();
    OpeningSchema, "Opening" => opening();
    OpenedCardSchema, "OpenedCard" => opened_card();
    FindingSchema, "Finding" => finding();
}

fn of<T: ToSchema>() -> RefOr<Schema> {
    Ref::from_schema_name(T::name()).into()
}

fn many<T: ToSchema>() -> RefOr<Schema> {
    ArrayBuilder::new().items(of::<T>()).into()
}

fn object(says: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Object).description(Some(says))
}

/// An object with these members and no others.
fn closed(object: ObjectBuilder) -> RefOr<Schema> {
    use utoipa::openapi::schema::AdditionalProperties;
    object.additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(false))).into()
}

fn deck() -> RefOr<Schema> {
    let names: Vec<&str> = DeckName::ALL.iter().map(|name| name.as_str()).collect();
    OneOfBuilder::new()
        .item(words("A named deck.", &names))
        .item(of::<ListSchema>())
        .description(Some("What is shuffled: a named deck or a list."))
        .into()
}

fn list() -> RefOr<Schema> {
    closed(
        object("A list: how many items, and the SHA-256 of its file.")
            .property(
                "count",
                integer("How many items.")
                    .minimum(Some(1))
                    .maximum(Some(fairdeal::deal::MAX_ITEMS)),
            )
            .property("sha256", of::<DigestSchema>())
            .required("count")
            .required("sha256"),
    )
}

fn layout() -> RefOr<Schema> {
    let number = || integer("1 to 64.").minimum(Some(1)).maximum(Some(64));
    closed(
        object("Which seat gets which card (spec/ledger.md, section 8.7).")
            .property("hand", number())
            .property("board", ArrayBuilder::new().items(number()))
            .property("burn", ObjectBuilder::new().schema_type(Type::Boolean))
            .required("hand"),
    )
}

fn seen() -> RefOr<Schema> {
    closed(
        object("The checkpoint that a player had verified (spec/ledger.md, section 8.3).")
            .property("root", of::<DigestSchema>())
            .property("signature", of::<LogSignatureSchema>())
            .property("size", of::<IntSchema>())
            .required("root")
            .required("signature")
            .required("size"),
    )
}

fn contribution() -> RefOr<Schema> {
    closed(
        object("What a player brings, in the form of the player's own file (spec/receipt.md, section 11.8).")
            .property("from", of::<LabelSchema>())
            .property("seed", of::<ClientSeedSchema>())
            .property("hash", of::<DigestSchema>())
            .property("blind", of::<BlindSchema>())
            .property("seen", of::<SeenCheckpointSchema>())
            .property("key", of::<PlayerKeySchema>())
            .property("signature", of::<PlayerSignatureSchema>())
            .property("commitment", of::<CommitmentSchema>())
            .property("nonce", of::<NonceSchema>())
            .required("from"),
    )
}

fn receipt() -> RefOr<Schema> {
    closed(
        object("A receipt (spec/receipt.md): anyone can verify it offline, with the log's key.")
            .property("format", words("The format.", &["fairdeal/receipt/v1"]))
            .property("entries", many::<IncludedSchema>())
            .property("checkpoint", bounded("A signed note (C2SP signed-note).", 65_536))
            .property("seen", many::<SeenProofSchema>())
            .required("format")
            .required("entries")
            .required("checkpoint"),
    )
}

fn included() -> RefOr<Schema> {
    closed(
        object("An entry, and the proof that it is in the log.")
            .property("index", of::<IntSchema>())
            .property("entry", bounded("Its exact bytes.", 65_535))
            .property("proof", many::<HashSchema>())
            .required("index")
            .required("entry")
            .required("proof"),
    )
}

fn seen_proof() -> RefOr<Schema> {
    closed(
        object("An earlier root of the log, and the proof that the log has grown from it.")
            .property("size", of::<IntSchema>())
            .property("root", of::<DigestSchema>())
            .property("proof", many::<HashSchema>())
            .required("size")
            .required("root")
            .required("proof"),
    )
}

fn opening() -> RefOr<Schema> {
    closed(
        object("Some cards of a sealed deal, each provable alone (spec/receipt.md, section 12).")
            .property("format", words("The format.", &["fairdeal/opening/v1"]))
            .property("receipt", of::<ReceiptSchema>())
            .property("card_seals", many::<DigestSchema>())
            .property("opened", many::<OpenedCardSchema>())
            .required("format")
            .required("receipt")
            .required("card_seals")
            .required("opened"),
    )
}

fn opened_card() -> RefOr<Schema> {
    closed(
        object("One card of a sealed deal, shown.")
            .property("t", of::<IntSchema>())
            .property("item", of::<IntSchema>())
            .property("salt", of::<SaltSchema>())
            .required("t")
            .required("item")
            .required("salt"),
    )
}

fn finding() -> RefOr<Schema> {
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    closed(
        object("What is wrong, and where (spec/ledger.md, section 9.3).")
            .property("code", words("What kind of thing.", &codes))
            .property("index", of::<IntSchema>())
            .property("commitment", of::<CommitmentSchema>())
            .property("nonce", of::<NonceSchema>())
            .property("says", ObjectBuilder::new().schema_type(Type::String))
            .required("code")
            .required("says"),
    )
}
