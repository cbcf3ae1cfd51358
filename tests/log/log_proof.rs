//! Proofs against the reference proofs, another implementation, and every kind of change.

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use fairdeal::log::{
    ConsistencyError, EMPTY_ROOT, Hash, InclusionError, MAX_SIZE, ProofPlan, ProofPlanError,
    verify_consistency, verify_inclusion,
};
use proptest::{prelude::*, sample::Index};
use sha2::Sha256;

use crate::log_support::{Tree, flip};

const N01: &str = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const N04: &str = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const N06: &str = "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f";
const N10: &str = "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125";
const N11: &str = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const N12: &str = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
const N13: &str = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const N20: &str = "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7";
const N21: &str = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";
const N00: &str = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d";

fn hex(proof: &[Hash]) -> Vec<String> {
    proof.iter().map(Hash::to_hex).collect()
}

fn concat(proof: &[Hash]) -> Vec<u8> {
    proof.iter().flat_map(Hash::as_bytes).copied().collect()
}

#[test]
fn the_inclusion_proofs_are_the_reference_ones() {
    let tree = Tree::reference();
    let proofs: [(u64, u64, &[&str]); 5] = [
        (0, 1, &[]),
        (0, 8, &[N01, N11, N21]),
        (5, 8, &[N04, N13, N20]),
        (2, 3, &[N10]),
        (1, 5, &[N00, N11, N04]),
    ];
    for (index, size, proof) in proofs {
        assert_eq!(hex(&tree.inclusion(index, size)), proof, "{index} in {size}");
    }
}

#[test]
fn the_consistency_proofs_are_the_reference_ones() {
    let tree = Tree::reference();
    let proofs: [(u64, u64, &[&str]); 6] = [
        (1, 1, &[]),
        (1, 8, &[N01, N11, N21]),
        (2, 8, &[N11, N21]),
        (6, 8, &[N12, N13, N20]),
        (2, 5, &[N11, N04]),
        (6, 7, &[N12, N06, N20]),
    ];
    for (old_size, size, proof) in proofs {
        assert_eq!(hex(&tree.consistency(old_size, size)), proof, "{old_size} to {size}");
    }
}

#[test]
fn every_proof_of_every_size_is_another_implementation_s_and_verifies() {
    let tree = Tree::numbered(140);
    let mut other = MemoryBackedTree::<Sha256, Vec<u8>>::new();
    for size in 1..=140_u64 {
        other.push((size - 1).to_be_bytes().to_vec());
        for index in 0..size {
            let proof = tree.inclusion(index, size);
            let expected = other.prove_inclusion(usize::try_from(index).unwrap());
            assert_eq!(concat(&proof), expected.as_bytes(), "{index} in {size}");
            verify_inclusion(tree.leaf(index), index, size, &proof, tree.root(size)).unwrap();
        }
        for old_size in 1..=size {
            let proof = tree.consistency(old_size, size);
            let expected = other.prove_consistency(usize::try_from(size - old_size).unwrap());
            assert_eq!(concat(&proof), expected.as_bytes(), "{old_size} to {size}");
            verify_consistency(old_size, tree.root(old_size), size, tree.root(size), &proof)
                .unwrap();
        }
    }
}

#[test]
fn every_tree_continues_the_one_without_leaves_and_itself_with_an_empty_proof_only() {
    let tree = Tree::numbered(5);
    for size in 0..=5 {
        let root = tree.root(size);
        for old_size in [0, size] {
            assert_eq!(tree.consistency(old_size, size), []);
            verify_consistency(old_size, tree.root(old_size), size, root, &[]).unwrap();
            assert_eq!(
                verify_consistency(old_size, tree.root(old_size), size, root, &[*root]),
                Err(ConsistencyError::Length { old_size, size, expected: 0, found: 1 })
            );
        }
    }
}

#[test]
fn a_tree_without_leaves_has_one_root() {
    let other = flip(&EMPTY_ROOT, 0);
    let root = *Tree::numbered(5).root(5);
    let wrong = ConsistencyError::OldRoot { old_size: 0, expected: other, found: EMPTY_ROOT };
    assert_eq!(verify_consistency(0, &other, 5, &root, &[]), Err(wrong.clone()));
    assert_eq!(verify_consistency(0, &other, 0, &other, &[]), Err(wrong));
    let wrong = ConsistencyError::Root { size: 0, expected: other, found: EMPTY_ROOT };
    assert_eq!(verify_consistency(0, &EMPTY_ROOT, 0, &other, &[]), Err(wrong));
}

#[test]
fn two_roots_of_one_size_are_not_consistent() {
    let tree = Tree::numbered(5);
    let (root, other) = (tree.root(5), tree.root(4));
    let wrong = ConsistencyError::Root { size: 5, expected: *other, found: *root };
    assert_eq!(verify_consistency(5, root, 5, other, &[]), Err(wrong));
}

#[test]
fn what_is_not_in_the_tree_has_no_proof() {
    let hash = EMPTY_ROOT;
    for (index, size) in [(0, 0), (5, 5), (6, 5), (u64::MAX, 5), (u64::MAX, 0)] {
        assert_eq!(
            ProofPlan::inclusion(index, size),
            Err(ProofPlanError::NoSuchLeaf { index, size })
        );
        let wrong = InclusionError::NoSuchLeaf { index, size };
        assert_eq!(verify_inclusion(&hash, index, size, &[], &hash), Err(wrong));
    }
    for (old_size, size) in [(1, 0), (6, 5), (u64::MAX, 5)] {
        assert_eq!(
            ProofPlan::consistency(old_size, size),
            Err(ProofPlanError::Shrunk { old_size, size })
        );
        let wrong = ConsistencyError::Shrunk { old_size, size };
        assert_eq!(verify_consistency(old_size, &hash, size, &hash, &[]), Err(wrong));
    }
    assert_eq!(ProofPlan::inclusion(0, MAX_SIZE + 1), Err(ProofPlanError::TooLarge(MAX_SIZE + 1)));
    assert_eq!(ProofPlan::consistency(0, u64::MAX), Err(ProofPlanError::TooLarge(u64::MAX)));
}

#[test]
fn an_inclusion_proof_does_not_tell_sizes_of_one_shape_apart() {
    // Size and root must come from one checkpoint: nothing else connects them.
    let tree = Tree::numbered(7);
    let proof = tree.inclusion(0, 7);
    verify_inclusion(tree.leaf(0), 0, 7, &proof, tree.root(7)).unwrap();
    verify_inclusion(tree.leaf(0), 0, 8, &proof, tree.root(7)).unwrap();
}

#[test]
fn the_first_hash_that_can_t_be_read_is_the_error() {
    let plan = ProofPlan::inclusion(3, 100).unwrap();
    let second = plan.nodes().nth(1).unwrap();
    let found = plan.prove(|node| if node == second { Err(node) } else { Ok(EMPTY_ROOT) });
    assert_eq!(found, Err(second));
}

/// Every change to a list of hashes after which it is no longer the proof.
fn changes(proof: &[Hash], at: Index, other: Index, bit: u8) -> Vec<Vec<Hash>> {
    let longer = [proof, &[EMPTY_ROOT]].concat();
    if proof.is_empty() {
        return vec![longer];
    }
    let (at, other) = (at.index(proof.len()), other.index(proof.len()));
    let mut flipped = proof.to_vec();
    flipped[at] = flip(&flipped[at], bit);
    let mut dropped = proof.to_vec();
    dropped.remove(at);
    let mut repeated = proof.to_vec();
    repeated.insert(at, proof[at]);
    let mut changed = vec![longer, flipped, dropped, repeated];
    if at != other {
        let mut swapped = proof.to_vec();
        swapped.swap(at, other);
        let mut copied = proof.to_vec();
        copied[at] = proof[other];
        changed.extend([swapped, copied]);
    }
    changed
}

proptest! {
    #[test]
    fn a_changed_inclusion_proof_never_verifies(
        size in 1..200_u64, at: Index, other: Index, [i, j]: [Index; 2], bit: u8,
    ) {
        let tree = Tree::numbered(200);
        let index = u64::try_from(i.index(usize::try_from(size).unwrap())).unwrap();
        let (leaf, root, proof) = (tree.leaf(index), tree.root(size), tree.inclusion(index, size));
        prop_assert_eq!(verify_inclusion(leaf, index, size, &proof, root), Ok(()));
        for changed in changes(&proof, at, other, bit) {
            prop_assert!(verify_inclusion(leaf, index, size, &changed, root).is_err());
        }
        prop_assert!(verify_inclusion(&flip(leaf, bit), index, size, &proof, root).is_err());
        prop_assert!(verify_inclusion(leaf, index, size, &proof, &flip(root, bit)).is_err());
        let elsewhere = u64::try_from(j.index(200)).unwrap();
        if elsewhere != index {
            prop_assert!(verify_inclusion(leaf, elsewhere, size, &proof, root).is_err());
            prop_assert!(verify_inclusion(tree.leaf(elsewhere), index, size, &proof, root).is_err());
        }
        // Another tree of the same log, at its own size or claimed to be this one.
        if elsewhere + 1 != size {
            let root = tree.root(elsewhere + 1);
            prop_assert!(verify_inclusion(leaf, index, elsewhere + 1, &proof, root).is_err());
            prop_assert!(verify_inclusion(leaf, index, size, &proof, root).is_err());
        }
    }

    #[test]
    fn a_changed_consistency_proof_never_verifies(
        size in 2..200_u64, at: Index, other: Index, [i, j]: [Index; 2], bit: u8,
    ) {
        let tree = Tree::numbered(200);
        let old_size = 1 + u64::try_from(i.index(usize::try_from(size - 1).unwrap())).unwrap();
        let (old_root, root) = (tree.root(old_size), tree.root(size));
        let proof = tree.consistency(old_size, size);
        prop_assert_eq!(verify_consistency(old_size, old_root, size, root, &proof), Ok(()));
        for changed in changes(&proof, at, other, bit) {
            prop_assert!(verify_consistency(old_size, old_root, size, root, &changed).is_err());
        }
        prop_assert!(verify_consistency(old_size, &flip(old_root, bit), size, root, &proof).is_err());
        prop_assert!(verify_consistency(old_size, old_root, size, &flip(root, bit), &proof).is_err());
        let elsewhere = u64::try_from(j.index(201)).unwrap();
        if elsewhere != old_size {
            prop_assert!(verify_consistency(elsewhere, old_root, size, root, &proof).is_err());
            // From size 0 and from `size` itself the empty proof is right instead.
            let right = tree.root(elsewhere);
            prop_assert!(verify_consistency(elsewhere, right, size, root, &proof).is_err());
        }
        if elsewhere != size {
            prop_assert!(verify_consistency(old_size, old_root, elsewhere, tree.root(elsewhere), &proof).is_err());
            prop_assert!(verify_consistency(old_size, old_root, size, tree.root(elsewhere), &proof).is_err());
        }
    }

    #[test]
    fn no_numbers_and_no_proof_from_outside_verify_by_chance_or_panic(
        [a, b] in any::<[u64; 2]>(), hashes in proptest::collection::vec(any::<[u8; 32]>(), 0..130),
    ) {
        prop_assume!(a != b && a != 0);
        let proof: Vec<Hash> = hashes.into_iter().map(Hash::from_bytes).collect();
        prop_assert!(verify_inclusion(&EMPTY_ROOT, a, b, &proof, &EMPTY_ROOT).is_err());
        prop_assert!(verify_consistency(a, &EMPTY_ROOT, b, &EMPTY_ROOT, &proof).is_err());
    }

    #[test]
    fn a_proof_from_the_largest_trees_has_the_length_that_is_verified(
        [a, b] in [0..MAX_SIZE, 0..MAX_SIZE],
    ) {
        prop_assume!(a != b && a != 0 && b != 0);
        let (small, large) = (a.min(b), a.max(b));
        let any_hash = |_| Ok::<_, ()>(EMPTY_ROOT);
        let proof = ProofPlan::inclusion(small, large).unwrap().prove(any_hash).unwrap();
        let error = verify_inclusion(&EMPTY_ROOT, small, large, &proof, &EMPTY_ROOT).unwrap_err();
        prop_assert!(matches!(error, InclusionError::Root { .. }), "{}", error);
        let proof = ProofPlan::consistency(small, large).unwrap().prove(any_hash).unwrap();
        let error = verify_consistency(small, &EMPTY_ROOT, large, &EMPTY_ROOT, &proof).unwrap_err();
        let right_length = matches!(error, ConsistencyError::OldRoot { .. } | ConsistencyError::Root { .. });
        prop_assert!(right_length, "{}", error);
    }
}
