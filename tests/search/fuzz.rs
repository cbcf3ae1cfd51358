//! The fuzz functions over fixed cases, so that they run on a stable toolchain, the same each time.

use tools::fuzz::{TARGETS, Target};

/// Weyl's sequence, mixed (`SplitMix64`): fixed cases need no better.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number under `end`, which is at most the length of an input; 0 if `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        let high = u128::from(self.next()).wrapping_mul(u128::try_from(end).expect("fits")) >> 64;
        usize::try_from(high).expect("under end")
    }

    /// A range within `length`, mostly short.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let most = if self.below(4) == 0 { length } else { length.min(8) };
        let start = self.below(length);
        let end = start.saturating_add(1).saturating_add(self.below(most)).min(length);
        start..end
    }

    fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        let at = self.below(among.len());
        among.get(at).expect("not empty")
    }
}

/// Bytes that parsers often get wrong.
const TOKENS: [&[u8]; 24] = [
    b"0",
    b"-1",
    b"01",
    b"1.0",
    b"1e3",
    b"9007199254740992",
    b"18446744073709551616",
    b"null",
    b"\"\"",
    b"{}",
    b"[]",
    b"\\u0000",
    b"\\ud800",
    b"\n",
    b"\r\n",
    b"\n\n",
    b" ",
    b"+",
    b"=",
    b"/",
    b".p/",
    b"\xff",
    b"\xe2\x80\x94 ",
    b"\xef\xbb\xbf",
];

/// Changes `input` in one to four ways.
fn mutate(input: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let length = input.len();
        let at = random.below(length);
        match random.below(9) {
            0 | 1 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
            2 => {
                // A printable byte: text formats accept it more often.
                if let Some(byte) = input.get_mut(at) {
                    *byte = u8::try_from(random.below(95)).expect("small").saturating_add(b' ');
                }
            }
            3 => drop(input.drain(random.range(length))),
            4 => {
                let copy = input.get(random.range(length)).unwrap_or_default().to_vec();
                input.splice(at..at, copy);
            }
            5 => {
                let token = *random.pick(&TOKENS);
                input.splice(at..at, token.iter().copied());
            }
            6 => {
                let token = *random.pick(&TOKENS);
                input.splice(random.range(length), token.iter().copied());
            }
            7 => {
                // The start of this input and the end of another.
                let other = random.pick(others);
                let from = random.below(other.len());
                input.truncate(at);
                input.extend_from_slice(other.get(from..).unwrap_or_default());
            }
            _ => {
                let other = random.pick(others);
                let part = other.get(random.range(other.len())).unwrap_or_default().to_vec();
                input.splice(random.range(length), part);
            }
        }
    }
}

/// Runs one function over its seeds and their mutations.
fn drive(name: &str) {
    let Target { run, seeds, .. } =
        TARGETS.iter().find(|target| target.name == name).expect("a target");
    let seeds = seeds();
    let legal: Vec<Vec<u8>> = seeds.iter().filter(|seed| run(seed)).cloned().collect();
    assert!(!legal.is_empty(), "{name}: no seed is accepted, so nothing is shown");
    let mut random = Random(u64::try_from(name.len()).expect("small"));
    let mut accepted = 0;
    // The number of mutated inputs for each function.
    let cases = tools::cases(12_000, 20_000);
    for case in 0..cases {
        // Mostly from legal inputs: near them the parsers get furthest.
        let from = if random.below(4) == 0 { &seeds } else { &legal };
        let mut input = random.pick(from).clone();
        mutate(&mut input, &seeds, &mut random);
        let outcome = std::panic::catch_unwind(|| run(&input));
        let Ok(parsed) = outcome else {
            panic!("{name}, case {case}: {:?}", String::from_utf8_lossy(&input))
        };
        accepted += usize::from(parsed);
    }
    // Some inputs must parse and some must fail, or the cases show nothing.
    assert!(
        (1..cases).contains(&accepted),
        "{name}: {accepted} of {cases} mutated inputs accepted"
    );
}

#[test]
fn every_target_has_its_file() {
    for target in TARGETS {
        let file = format!("{}/fuzz/fuzz_targets/{}.rs", env!("CARGO_MANIFEST_DIR"), target.name);
        let text = std::fs::read_to_string(&file).expect(&file);
        assert!(text.contains(&format!("tools::fuzz::{}(", target.name)), "{file}");
    }
}

macro_rules! driven {
    ($($test:ident: $name:literal,)*) => {
        $(#[test]
        fn $test() {
            drive($name);
        })*

        #[test]
        fn every_target_is_driven() {
            assert_eq!([$($name),*], TARGETS.map(|target| target.name));
        }
    };
}

driven! {
    a_note_prints_back_and_nobody_signs_another: "note",
    a_verifier_key_prints_back: "verifier_key",
    a_signer_key_prints_back_and_is_never_quoted: "signer_key",
    a_checkpoint_prints_back_and_nobody_signs_another: "checkpoint",
    a_tile_path_prints_back: "tile_path",
    a_tile_of_hashes_prints_back: "hash_tile",
    a_bundle_of_entries_prints_back: "entry_bundle",
    an_exported_log_is_its_bundles: "export",
    canonical_json_prints_back: "canonical_json",
    an_entry_prints_back: "entry",
    a_mutated_receipt_holds_only_with_an_honest_meaning: "document",
    evidence_ends_in_a_verdict_on_each_of_its_files: "evidence",
    a_raffle_prints_back_and_is_not_drawn_without_a_number: "raffle",
    an_entrants_link_reads_back: "entrant_link",
    a_list_prints_back: "list",
    contributions_print_back: "contributions",
    rows_are_the_same_in_every_form_and_in_pieces_of_any_length: "rows",
    a_policy_has_numbers_that_go_together: "policy",
    a_tlog_proof_prints_back: "tlog_proof",
    a_request_to_a_witness_prints_back: "add_checkpoint",
}
