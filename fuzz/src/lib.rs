//! Helpers of the fuzz targets that `../tools` does not have.

#[path = "../../crates/server/tests/main/service_requests/request.rs"]
pub mod request;

/// libFuzzer's, where cargo-fuzz compiles the target.
#[cfg(fuzzing)]
pub use libfuzzer_sys::fuzz_target;

/// Elsewhere a target is compiled and does nothing: `./check` needs no libFuzzer, which is C++.
#[cfg(not(fuzzing))]
#[macro_export]
macro_rules! fuzz_target {
    (|$bytes:ident: &[u8]| $body:block) => {
        fn main() {
            let _: fn(&[u8]) = |$bytes| $body;
        }
    };
}
