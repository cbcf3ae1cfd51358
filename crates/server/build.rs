//! Tells the derives of the `OpenAPI` document which schema a type of another crate has:
//! `Commitment` has `CommitmentSchema` of `src/schema.rs`. A trait of utoipa cannot be implemented
//! here for a type of another crate.

fn main() {
    let types = [
        "Blind",
        "Cards",
        "ClientSeed",
        "Commitment",
        "Deck",
        "Digest",
        "Face",
        "Finding",
        "Given",
        "GivenLayout",
        "Hands",
        "Hash",
        "Included",
        "Int",
        "Label",
        "Layout",
        "List",
        "LogSignature",
        "Method",
        "Mixing",
        "Nonce",
        "OpenedCard",
        "Opening",
        "PlayerKey",
        "PlayerSignature",
        "Reason",
        "Receipt",
        "ResultForm",
        "Salt",
        "SeenCheckpoint",
        "SeenProof",
        "Table",
    ];
    let schemas = types.map(|name| format!("{name}Schema"));
    let mut config = utoipa_config::Config::new();
    for (name, schema) in types.iter().zip(&schemas) {
        config = config.alias_for(name, schema.as_str());
    }
    config.write_to_file();
}
