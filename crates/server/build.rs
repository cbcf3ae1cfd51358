//! Tells the derives of the `OpenAPI` document which schema a type of another crate has:
//! `Commitment` has `CommitmentSchema` of `src/schema.rs`. A trait of utoipa cannot be implemented
//! here for a type of another crate. And bundles what the pages take from npm.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    schemas();
    curves()
}

/// Bundles `web/curves.js` with the npm package that it names, where `npm ci` in `web/` has put it
/// and there is esbuild. Elsewhere pages have the file as it is: they know no chain of beacons, and
/// their verdicts say so.
fn curves() -> Result<(), Box<dyn Error>> {
    let web = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../web");
    let (file, package) = (web.join("curves.js"), web.join("node_modules/@noble/curves"));
    let made = PathBuf::from(std::env::var("OUT_DIR")?).join("curves.js");
    println!("cargo::rerun-if-changed={}", file.display());
    println!("cargo::rerun-if-changed=build.rs");
    if package.is_dir() {
        println!("cargo::rerun-if-changed={}", package.join("package.json").display());
        let mut esbuild = Command::new("esbuild");
        esbuild.arg(&file).args(["--bundle", "--format=esm", "--minify", "--legal-comments=eof"]);
        esbuild.args(["--log-level=warning"]).arg(format!("--outfile={}", made.display()));
        if esbuild.status().is_ok_and(|status| status.success()) {
            return Ok(());
        }
    } else {
        // It changes when npm puts packages there.
        println!("cargo::rerun-if-changed={}", web.display());
    }
    std::fs::copy(&file, &made)?;
    Ok(())
}

fn schemas() {
    let types = [
        "BeaconSignature",
        "BeaconTerms",
        "Blind",
        "Caption",
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
