#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    tools::fuzz::evidence(bytes);
});
