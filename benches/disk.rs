//! The disk that is measured.

use tempfile::TempDir;

/// A new folder, which is removed again. `/tmp` may be in memory, where durability costs nothing, so
/// it is in `/var/tmp`; `FAIRDEAL_BENCH_DIR` names another disk.
pub(crate) fn folder() -> std::io::Result<TempDir> {
    let disk = std::env::var_os("FAIRDEAL_BENCH_DIR").unwrap_or_else(|| "/var/tmp".into());
    tempfile::tempdir_in(disk)
}
