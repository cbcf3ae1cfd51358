//! Pages of the state's file that go back: the disk has lost a write, and an older page is in its
//! place, with its own checksums.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fmt, fs};

use sqlx::Connection as _;

use super::fields::{connect, query};
use super::{World, damaged, runtime};

const PAGE: usize = 4096;

/// The state's file at this moment, with all that is committed.
pub(super) async fn now(dir: &Path) -> Vec<u8> {
    let mut state = connect(dir).await;
    query("PRAGMA wal_checkpoint(TRUNCATE)")
        .build()
        .execute(&mut state)
        .await
        .expect("nobody writes");
    state.close().await.expect("closed");
    fs::read(World::state(dir)).expect("read")
}

/// A page's place in the file, and what it held.
struct Older {
    nth: usize,
    bytes: Vec<u8>,
}

impl fmt::Debug for Older {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "page {}", self.nth + 1)
    }
}

#[test]
fn a_page_that_goes_back_forks_nothing_and_deals_nothing_twice() {
    let mut world = runtime().block_on(World::new());
    // Commitments whose page went back are not listed. No round is dealt from them.
    world.free = &["list"];
    let path = World::state(world.dir.path());
    let newest = fs::read(&path).expect("read");
    let changed = |older: &[u8], nth: usize| {
        let place = nth * PAGE..(nth + 1) * PAGE;
        older.get(place.clone()).filter(|page| newest.get(place) != Some(page)).map(<[u8]>::to_vec)
    };
    let mut all = BTreeSet::new();
    for older in &world.older {
        all.extend((0..newest.len() / PAGE).filter_map(|nth| Some((nth, changed(older, nth)?))));
    }
    let all: Vec<Older> = all.into_iter().map(|(nth, bytes)| Older { nth, bytes }).collect();
    assert!(all.len() > 30, "{} pages have changed", all.len());
    let (_, wrong) = damaged(&world, &all, |dir, Older { nth, bytes: older }| {
        let mut bytes = newest.clone();
        bytes[nth * PAGE..(nth + 1) * PAGE].copy_from_slice(older);
        fs::write(World::state(dir), bytes).expect("written");
        true
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}
