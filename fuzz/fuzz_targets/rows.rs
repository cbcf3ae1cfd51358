#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fairdeal_fuzz::rows(bytes);
});
