//! The tree against RFC 6962's definition, the reference roots, and another implementation.

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use fairdeal::log::{
    CompactRange, EMPTY_ROOT, Frontier, Hash, MAX_SIZE, Node, RangeError, leaf_hash, node_hash,
};
use proptest::prelude::*;
use sha2::Sha256;

use crate::log_support::Tree;

/// MTH(D[n]) as RFC 6962 section 2.1 defines it, over the hashes of the leaves.
fn mth(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => EMPTY_ROOT,
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() >> 1);
            node_hash(&mth(left), &mth(right))
        }
    }
}

fn range(tree: &Tree, start: usize, end: usize) -> CompactRange {
    let mut range = CompactRange::empty(start.try_into().expect("small")).expect("in the tree");
    for leaf in &tree.leaves[start..end] {
        range.push(*leaf).expect("far from full");
    }
    range
}

#[test]
fn the_roots_of_the_first_eight_sizes_are_the_reference_ones() {
    let roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    assert_eq!(Tree::reference().roots.iter().map(Hash::to_hex).collect::<Vec<_>>(), roots);
}

#[test]
fn the_nodes_of_eight_leaves_are_the_reference_ones() {
    let levels: [&[&str]; 4] = [
        &[
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7",
            "07506a85fd9dd2f120eb694f86011e5bb4662e5c415a62917033d4a9624487e7",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "4271a26be0d8a84f0bd54c8c302e7cb3a3b5d1fa6780a40bcce2873477dab658",
            "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
            "46f6ffadd3d06a09ff3c5860d2755c8b9819db7df44251788c7d8e3180de8eb1",
        ],
        &[
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        ],
        &[
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
        &["5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
    ];
    let mut nodes = Vec::new();
    for (level, hashes) in (0..).zip(levels) {
        for (index, hash) in (0..).zip(hashes) {
            nodes.push((Node::new(level, index).unwrap(), Hash::parse_hex(hash).unwrap()));
        }
    }
    assert_eq!(Tree::reference().nodes.into_iter().collect::<Vec<_>>(), nodes);
}

#[test]
fn the_root_of_every_size_is_the_definition_s_and_another_implementation_s() {
    let tree = Tree::numbered(300);
    let mut other = MemoryBackedTree::<Sha256, Vec<u8>>::new();
    for (size, root) in tree.roots.iter().enumerate() {
        assert_eq!(*root, mth(&tree.leaves[..size]), "size {size}");
        if size > 0 {
            other.push(u64::try_from(size - 1).unwrap().to_be_bytes().to_vec());
            assert_eq!(
                root.as_bytes().as_slice(),
                other.root().as_bytes().as_slice(),
                "size {size}"
            );
        }
    }
}

#[test]
fn every_node_that_is_told_of_is_the_root_over_its_leaves() {
    let tree = Tree::numbered(100);
    for (node, hash) in &tree.nodes {
        let leaves = node.leaves();
        let leaves = usize::try_from(leaves.start).unwrap()..usize::try_from(leaves.end).unwrap();
        assert_eq!(*hash, mth(&tree.leaves[leaves]), "{node:?}");
    }
    // 100 leaves, 50 pairs of them, 25 fours, 12, 6, 3, 1.
    assert_eq!(tree.nodes.len(), 100 + 50 + 25 + 12 + 6 + 3 + 1);
}

#[test]
fn a_range_of_leaves_is_that_of_pushing_each_and_tells_of_the_same_nodes() {
    let tree = Tree::numbered(70);
    for start in 0..=70 {
        for end in start..=70 {
            let first = start.try_into().unwrap();
            let (mut pushed, mut one_by_one) = (CompactRange::empty(first).unwrap(), Vec::new());
            for leaf in &tree.leaves[start..end] {
                pushed.push_with(*leaf, |node, hash| one_by_one.push((node, hash))).unwrap();
            }
            one_by_one.retain(|(node, _)| node.level() > 0);
            one_by_one.sort_by_key(|(node, _)| *node);
            let mut at_once = Vec::new();
            let leaves = &tree.leaves[start..end];
            let range =
                CompactRange::of_leaves(first, leaves, |node, hash| at_once.push((node, hash)))
                    .unwrap();
            assert_eq!((range, at_once), (pushed, one_by_one), "{start}..{end}");
        }
    }
}

#[test]
fn two_ranges_that_touch_merge_into_the_range_of_both() {
    let tree = Tree::numbered(33);
    for start in 0..=33 {
        for end in start..=33 {
            let whole = range(&tree, start, end);
            for middle in start..=end {
                let mut left = range(&tree, start, middle);
                left.merge(&range(&tree, middle, end)).unwrap();
                assert_eq!(left, whole, "{start}..{middle}..{end}");
            }
        }
    }
}

#[test]
fn ranges_that_leave_a_gap_or_overlap_do_not_merge_and_stay_as_they_were() {
    let tree = Tree::numbered(9);
    for start in [0, 4, 6] {
        let mut left = range(&tree, 0, 5);
        let error = left.merge(&range(&tree, start, 9)).unwrap_err();
        assert_eq!(error, RangeError::Apart { end: 5, start: start.try_into().unwrap() });
        assert_eq!(left, range(&tree, 0, 5));
    }
}

#[test]
fn only_a_range_from_leaf_0_is_a_frontier() {
    let tree = Tree::numbered(9);
    let mut frontier = Frontier::try_from(range(&tree, 0, 5)).unwrap();
    frontier.merge(&range(&tree, 5, 9)).unwrap();
    assert_eq!(frontier.root(), *tree.root(9));
    assert_eq!(Frontier::try_from(range(&tree, 5, 9)), Err(RangeError::NotFromZero(5)));
}

#[test]
fn a_frontier_is_stored_and_read_back_and_grows_on() {
    let tree = Tree::numbered(70);
    let mut frontier = Frontier::new();
    for (leaf, root) in tree.leaves.iter().zip(&tree.roots[1..]) {
        frontier.push(*leaf).unwrap();
        let (size, hashes) = frontier.parts();
        let nodes = Frontier::nodes(size).unwrap().into_iter().map(|node| tree.nodes[&node]);
        assert_eq!(nodes.collect::<Vec<_>>(), hashes);
        frontier = Frontier::from_parts(size, hashes.to_vec()).unwrap();
        assert_eq!(frontier.root(), *root);
    }
}

#[test]
fn a_range_is_refused_with_too_few_or_too_many_hashes_or_too_large() {
    let hash = leaf_hash(b"");
    for (size, right) in [(0, 0_usize), (1, 1), (5, 2), (7, 3), (8, 1), (MAX_SIZE, 63)] {
        for found in [right + 1, right.wrapping_sub(1)].into_iter().filter(|&found| found < 100) {
            let error = Frontier::from_parts(size, vec![hash; found]).unwrap_err();
            assert_eq!(error, RangeError::Hashes { start: 0, end: size, expected: right, found });
        }
        assert!(Frontier::from_parts(size, vec![hash; right]).is_ok());
    }
    let large = MAX_SIZE + 1;
    assert_eq!(Frontier::from_parts(large, vec![hash]), Err(RangeError::TooLarge(large)));
    assert_eq!(Frontier::nodes(large), Err(RangeError::TooLarge(large)));
    assert_eq!(CompactRange::empty(large), Err(RangeError::TooLarge(large)));
    let backwards = CompactRange::from_parts(3, 2, vec![hash]);
    assert_eq!(backwards, Err(RangeError::Backwards { start: 3, end: 2 }));
}

#[test]
fn a_full_tree_takes_no_leaf_and_no_range() {
    let hash = leaf_hash(b"");
    let full = Frontier::from_parts(MAX_SIZE, vec![hash; 63]).unwrap();
    let mut frontier = full.clone();
    assert_eq!(frontier.push(hash), Err(RangeError::TooLarge(MAX_SIZE + 1)));
    let of_leaves = |count: usize| {
        CompactRange::of_leaves(MAX_SIZE - 1, &vec![hash; count], |_, _| ())
            .map(|range| range.end())
    };
    assert_eq!(of_leaves(1), Ok(MAX_SIZE));
    assert_eq!(of_leaves(2), Err(RangeError::TooLarge(MAX_SIZE + 1)));
    frontier.merge(&CompactRange::empty(MAX_SIZE).unwrap()).unwrap();
    assert_eq!(frontier, full);
}

#[test]
fn a_node_is_one_of_a_tree_of_at_most_2_to_the_63_minus_1_leaves() {
    assert_eq!(Node::new(62, 0).unwrap().leaves(), 0..1 << 62);
    assert_eq!(Node::new(0, MAX_SIZE - 1).unwrap().leaves(), MAX_SIZE - 1..MAX_SIZE);
    for (level, index) in
        [(0, MAX_SIZE), (0, u64::MAX), (1, MAX_SIZE >> 1), (62, 1), (63, 0), (64, 0), (u32::MAX, 0)]
    {
        assert_eq!(Node::new(level, index), Err(RangeError::NoSuchNode { level, index }));
    }
}

proptest! {
    #[test]
    fn what_covers_a_range_adjoins_and_has_at_most_two_nodes_of_a_level(start in 0..MAX_SIZE, length in 0..=MAX_SIZE) {
        let end = start.saturating_add(length).min(MAX_SIZE);
        // The hashes needed are counted by the nodes that cover it.
        let Err(RangeError::Hashes { expected, .. }) = CompactRange::from_parts(start, end, vec![EMPTY_ROOT; 200]) else {
            return Err(TestCaseError::fail("200 hashes are never right"));
        };
        prop_assert!(expected <= 126);
        prop_assert!(CompactRange::from_parts(start, end, vec![EMPTY_ROOT; expected]).is_ok());
        let nodes = Frontier::nodes(end).unwrap();
        prop_assert_eq!(u32::try_from(nodes.len()).unwrap(), end.count_ones());
        let mut at = 0;
        for node in nodes {
            prop_assert_eq!(node.leaves().start, at);
            at = node.leaves().end;
        }
        prop_assert_eq!(at, end);
    }
}
