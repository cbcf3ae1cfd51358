//! The library as its users get it: the package builds in a crate outside of this workspace, and
//! brings few dependencies.

#![allow(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The most crates that the library may bring, itself included.
const MOST: usize = 60;

/// The folder for what this test builds.
const TARGET: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/package");

/// Runs cargo without the network: the sources of all dependencies are here, since this test was
/// compiled. Returns its output.
fn cargo(folder: &Path, words: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(words)
        .current_dir(folder)
        .env("CARGO_NET_OFFLINE", "true")
        // Kept between two runs, so that the dependencies are compiled once.
        .env("CARGO_TARGET_DIR", TARGET)
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {words:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_package_builds_for_a_user_and_verifies_a_receipt() {
    let root = tools::root();
    let folder = tempfile::tempdir().unwrap();
    let user = folder.path();

    let package = ["package", "--quiet", "--allow-dirty", "--no-verify", "--package", "fairdeal"];
    cargo(&root, &package);
    let name = format!("fairdeal-{}", env!("CARGO_PKG_VERSION"));
    let packed = Path::new(TARGET).join(format!("package/{name}.crate"));
    let unpacked = Command::new("tar").arg("xzf").arg(&packed).current_dir(user).status().unwrap();
    assert!(unpacked.success());

    // A program outside of this workspace: the example, with the versions that are tested here.
    let manifest = format!(
        "[package]\nname = \"user\"\nedition = \"2024\"\n\n\
         [dependencies]\nfairdeal = {{ path = \"{name}\" }}\n\n[workspace]\n"
    );
    fs::write(user.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), user.join("Cargo.lock")).unwrap();
    fs::create_dir(user.join("src")).unwrap();
    fs::copy(root.join("examples/verify_receipt.rs"), user.join("src/main.rs")).unwrap();
    let [receipt, key] = ["round.json", "log.key"]
        .map(|file| user.join(&name).join("fixtures/receipts").join(file).display().to_string());
    let said = cargo(user, &["run", "--quiet", "--", &receipt, &key]);
    assert!(said.ends_with("\nholds\n"), "{said}");
}

#[test]
fn the_package_has_the_specification_and_nothing_of_other_crates() {
    let list =
        cargo(&tools::root(), &["package", "--list", "--allow-dirty", "--package", "fairdeal"]);
    for wanted in ["src/lib.rs", "spec/ledger.md", "fixtures/receipts/round.json"] {
        assert!(list.lines().any(|file| file == wanted), "{wanted} is not in {list}");
    }
    for other in ["crates/", "tools/", "web/", "tests/", "benches/"] {
        assert!(!list.lines().any(|file| file.starts_with(other)), "{list}");
    }
}

#[test]
fn the_library_brings_few_crates() {
    let tree = ["tree", "--edges", "normal", "--prefix", "none", "--format", "{p}"];
    let tree = cargo(&tools::root(), &[&tree[..], &["--package", "fairdeal"]].concat());
    // A crate that was shown before has a mark.
    let crates: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    assert!(crates.len() <= MOST, "{} crates: {crates:#?}", crates.len());
}
