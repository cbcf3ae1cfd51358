//! A damaged state is mended, so that it answers all that it answered before, or is left as it is.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use fairdeal_ledger::Ledger;

use super::super::ledger_support::*;
use super::{World, anywhere, copy, damaged, flip, runtime, use_all};

/// Repairs a ledger. Returns whether all of it was repaired.
fn repair(dir: &Path) -> bool {
    let mut progress = |_, _| ();
    let found = runtime().block_on(Ledger::fsck(dir, options(), true, &mut progress));
    found.is_ok_and(|found| {
        !found.faults.is_empty() && found.faults.iter().all(|fault| fault.repaired)
    })
}

#[test]
fn a_state_with_a_changed_bit_is_mended_and_answers_as_before_or_stays_as_it_is() {
    let world = runtime().block_on(World::new());
    let all = anywhere(&world, tools::cases(60, 100));
    let mended = AtomicUsize::new(0);
    let (_, wrong) = damaged(&world, &all, |dir, bit| {
        flip(dir, *bit);
        if repair(dir) {
            mended.fetch_add(1, Ordering::Relaxed);
            let copied = quick_folder();
            copy(dir, copied.path());
            let told = runtime().block_on(use_all(&world, copied.path()));
            assert!(told.as_ref() == Some(&world.calm), "{bit:?}: it answers otherwise");
        }
        // Also what is not mended forks nothing, and deals nothing twice.
        true
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    assert!(mended.into_inner() > tools::cases(2, 5), "bits in rows that follow from the log");
}
