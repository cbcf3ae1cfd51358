#![cfg_attr(fuzzing, no_main)]

use std::sync::LazyLock;

use fairdeal_fuzz::request::Target;

/// Its folder stays until the process ends.
static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    Target::of(folder.keep())
});

fairdeal_fuzz::fuzz_target!(|bytes: &[u8]| {
    TARGET.ask(bytes);
});
