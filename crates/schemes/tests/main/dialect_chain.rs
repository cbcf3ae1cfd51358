//! Hash chains walked from any link, and the message of `duel-crash`, whose bytes need not be text.

use fairdeal_schemes::dialect::{
    self, Digests, HashChain, HashChainError, HexForm, Published, Round,
};
use sha2::{Digest as _, Sha256};

/// A chain of so many links, and the links, the end first.
fn chain(length: u64, form: HexForm) -> (HashChain, Vec<[u8; 32]>) {
    let mut links = vec![[7; 32]];
    for _ in 0..length {
        let last = links.last().expect("one is there");
        links.push(match form {
            HexForm::Decoded => Sha256::digest(last).into(),
            HexForm::Text => Sha256::digest(hex::encode(last)).into(),
        });
    }
    links.reverse();
    let published = Published {
        end: links[0],
        end_game: 0,
        first_game: 0,
        last_game: u64::MAX,
        longest: length,
        salt: "",
    };
    (HashChain::new(published, form), links)
}

#[test]
fn links_open_in_any_order_with_or_without_their_place() {
    for form in [HexForm::Decoded, HexForm::Text] {
        for order in [[5_000, 3_000, 4_999, 0, 1], [1, 1_024, 1_025, 5_000, 4_000]] {
            let (mut with, links) = chain(5_000, form);
            let (mut without, _) = chain(5_000, form);
            for steps in order {
                let link = links[usize::try_from(steps).expect("small")];
                assert_eq!(with.opens(link, Some(steps), u64::MAX), Ok(steps));
                assert_eq!(without.opens(link, None, u64::MAX), Ok(steps));
            }
        }
    }
}

#[test]
fn a_hash_that_is_no_link_or_stands_elsewhere_is_told_before_and_after_others_opened() {
    let (mut chain, links) = chain(3_000, HexForm::Decoded);
    let mut other = links[2_000];
    other[31] ^= 1;
    for _ in 0..2 {
        let mut opens = |hash, steps| chain.opens(hash, steps, u64::MAX);
        assert!(matches!(opens(other, Some(2_000)), Err(HashChainError::Elsewhere { .. })));
        assert!(matches!(opens(other, None), Err(HashChainError::Nowhere { longest: 3_000, .. })));
        assert!(matches!(opens(links[2_000], Some(1_999)), Err(HashChainError::Elsewhere { .. })));
        assert!(matches!(opens(links[2_000], Some(2_001)), Err(HashChainError::Elsewhere { .. })));
        assert!(matches!(opens(links[0], Some(3_001)), Err(HashChainError::TooFar { .. })));
        assert_eq!(opens(links[3_000], Some(3_000)), Ok(3_000));
    }
}

#[test]
fn shifted_links_are_walked_once_and_known_links_are_near() {
    let (mut chain, links) = chain(200_000, HexForm::Decoded);
    let mut walk = |steps: u64, shift: u64, most: u64| {
        let before = chain.hashes();
        let link = links[usize::try_from(steps + shift).expect("small")];
        (chain.opens(link, Some(steps), most), chain.hashes() - before)
    };
    assert_eq!(walk(150_000, 1, 149_999), (Err(HashChainError::NotWalked), 0));
    let (first, walked) = walk(150_000, 1, 150_000);
    assert!(matches!(first, Err(HashChainError::Elsewhere { walked: 150_000, .. })), "{first:?}");
    assert_eq!(walked, 150_000);
    for steps in [150_001, 149_000, 150_000, 150_700] {
        let (again, walked) = walk(steps, 1, u64::MAX);
        let Err(HashChainError::Elsewhere { walked: said, found, .. }) = again else {
            panic!("{again:?}")
        };
        assert_eq!((said, found), (steps, hex::encode(links[1])));
        assert!(walked <= 2_048, "{walked}");
    }
    assert_eq!(walk(150_000, 0, u64::MAX), (Ok(150_000), 150_000));
    assert_eq!(walk(140_000, 0, 1_024), (Ok(140_000), 140_000 % 1_024));
}

/// The last message.
struct Heard(Vec<u8>);

impl Digests for Heard {
    fn digest(&mut self, message: &[u8]) -> [u8; 32] {
        self.0 = message.to_vec();
        [0; 32]
    }
}

/// The message of a drand value that begins with these bytes is what the standard library reads in
/// it.
#[track_caller]
fn is_read_as_text(bytes: &[u8]) {
    let dialect = dialect::find("duel-crash").expect("known");
    let mut drand = [b'.'; 48];
    drand[..bytes.len()].copy_from_slice(bytes);
    let mut round = Round::default();
    round.client_seed = Some(hex::encode(drand).into());
    let mut heard = Heard(Vec::new());
    dialect.play(&dialect.scheme, &mut heard, &round, 0).expect("48 bytes");
    let expected = format!("{}:0", String::from_utf8_lossy(&drand));
    assert_eq!(heard.0, expected.as_bytes(), "{bytes:?}");
}

/// Every string of two bytes, and of four with bytes that decide something; and one that is cut off
/// by the end.
#[test]
fn bytes_that_are_no_text_are_replaced_as_the_standard_library_does() {
    for first in 0..=u8::MAX {
        for second in 0..=u8::MAX {
            is_read_as_text(&[first, second]);
        }
    }
    let edges = [
        0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef,
        0xf0, 0xf1, 0xf4, 0xf5, 0xff,
    ];
    for (a, b) in edges.iter().flat_map(|a| edges.map(|b| (*a, b))) {
        for (c, d) in edges.iter().flat_map(|c| edges.map(|d| (*c, d))) {
            is_read_as_text(&[a, b, c, d]);
        }
    }
    for end in [&b"\xe2\x82"[..], b"\xf0\x9f\x98", b"\xff", b"\xc3"] {
        is_read_as_text(&[&[b'a'; 48][end.len()..], end].concat());
    }
}
