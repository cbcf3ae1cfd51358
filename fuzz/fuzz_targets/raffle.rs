#![cfg_attr(fuzzing, no_main)]

fairdeal_fuzz::fuzz_target!(|bytes: &[u8]| {
    tools::fuzz::raffle(bytes);
});
