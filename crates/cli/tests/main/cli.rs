//! Commands tested as files: each file in `tests/cmd` is a transcript.

use std::path::Path;

/// A commitment, a key, a seed or a time differs in every run: the files have `[..]` there.
#[test]
fn commands_do_what_their_files_say() {
    let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/support");
    let cases = trycmd::TestCases::new();
    cases.env("FAIRDEAL", env!("CARGO_BIN_EXE_fairdeal"));
    cases.env("NO_COLOR", "1");
    for name in ["fairdeal", "damage", "remove", "sleep"] {
        cases.register_bin(name, support.join(name));
    }
    cases.case("tests/cmd/*.trycmd");
}
