//! Tiles: the specification's own example, the tree read back from them, and strict parsing.

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::{BTreeMap, BTreeSet};

use fairdeal::log::{
    BundleError, EntryBundle, Frontier, Hash, HashTile, Level, MAX_SIZE, Node, ProofPlan,
    TILE_WIDTH, TileError, TilePath, TilePathError, leaf_hash, tiles, tiles_between,
    verify_consistency, verify_inclusion,
};
use proptest::prelude::*;

use crate::log_support::Tree;

const ENTRIES: u64 = 70_000;

/// A log's tiles as a publisher writes them, and a reader that makes proofs from them alone.
struct Published {
    size: u64,
    tiles: BTreeMap<TilePath, HashTile>,
}

impl Published {
    /// Takes the hashes of a growing tree; only every eighth level is stored.
    fn of(tree: &Tree, size: u64) -> Self {
        let tile = |path: TilePath| {
            let Level::Hashes(level) = path.level() else { return None };
            let first = path.index() * u64::from(TILE_WIDTH);
            let nodes = (first..first + u64::from(path.width()))
                .map(|at| Node::new(u32::from(level) * 8, at));
            let hashes = nodes.map(|node| tree.nodes[&node.expect("in the tree")]).collect();
            Some((path, HashTile::new(hashes).expect("1 to 256")))
        };
        Self { size, tiles: tiles(size).filter_map(tile).collect() }
    }

    fn hash(&self, node: Node) -> Result<Hash, TileError> {
        let path = TilePath::holding(node, self.size).expect("in the tree");
        self.tiles[&path].node(node)
    }
}

#[test]
fn a_tree_of_70_000_has_the_tiles_that_the_specification_says() {
    let mut full = BTreeMap::new();
    let mut partial = Vec::new();
    for path in tiles(ENTRIES) {
        if path.width() == TILE_WIDTH {
            *full.entry(path.level()).or_insert(0) += 1;
        } else {
            partial.push(path.to_text());
        }
    }
    let expected = [(Level::Entries, 273), (Level::Hashes(0), 273), (Level::Hashes(1), 1)];
    assert_eq!(full, BTreeMap::from(expected));
    assert_eq!(
        partial,
        ["tile/entries/273.p/112", "tile/0/273.p/112", "tile/1/001.p/17", "tile/2/000.p/1"]
    );
}

#[test]
fn a_tree_of_256_has_a_full_tile_and_one_of_width_1_over_it() {
    let texts: Vec<_> = tiles(256).map(TilePath::to_text).collect();
    assert_eq!(texts, ["tile/entries/000", "tile/0/000", "tile/1/000.p/1"]);
}

#[test]
fn a_tree_without_leaves_has_no_tiles() {
    assert_eq!(tiles(0).next(), None);
}

#[test]
fn the_roots_and_proofs_of_70_000_entries_come_out_of_their_tiles() {
    let tree = Tree::numbered(ENTRIES);
    let published = Published::of(&tree, ENTRIES);
    for size in [0, 1, 255, 256, 257, 65_535, 65_536, 65_537, ENTRIES - 1, ENTRIES] {
        let nodes = Frontier::nodes(size).unwrap().into_iter();
        let hashes = nodes.map(|node| published.hash(node)).collect::<Result<_, _>>().unwrap();
        assert_eq!(Frontier::from_parts(size, hashes).unwrap().root(), *tree.root(size), "{size}");

        let proof = ProofPlan::consistency(size, ENTRIES)
            .unwrap()
            .prove(|node| published.hash(node))
            .unwrap();
        verify_consistency(size, tree.root(size), ENTRIES, tree.root(ENTRIES), &proof).unwrap();
    }
    for index in (0..ENTRIES).step_by(997).chain([255, 256, 65_535, 65_536, ENTRIES - 1]) {
        let proof = ProofPlan::inclusion(index, ENTRIES)
            .unwrap()
            .prove(|node| published.hash(node))
            .unwrap();
        verify_inclusion(tree.leaf(index), index, ENTRIES, &proof, tree.root(ENTRIES)).unwrap();
    }
}

#[test]
fn every_node_of_a_tree_comes_out_of_its_tile_and_out_of_the_full_one() {
    let tree = Tree::numbered(1024);
    let (now, later) = (Published::of(&tree, 600), Published::of(&tree, 1024));
    for (&node, hash) in tree.nodes.iter().filter(|(node, _)| node.leaves().end <= 600) {
        assert_eq!(now.hash(node).as_ref(), Ok(hash), "{node:?}");
        let path = TilePath::holding(node, 600).unwrap();
        if let Some(full) = later.tiles.get(&path.full()) {
            assert_eq!(full.node(node).as_ref(), Ok(hash), "{node:?}");
        }
    }
}

#[test]
fn a_node_that_is_not_complete_in_the_tree_is_in_no_tile() {
    for (level, index, size) in
        [(0, 600, 600), (3, 75, 600), (8, 2, 600), (0, 0, 0), (62, 0, (1 << 62) - 1)]
    {
        let error = TilePath::holding(Node::new(level, index).unwrap(), size).unwrap_err();
        assert!(
            matches!(error, TilePathError::NotInTree { size: found, .. } if found == size),
            "{error}"
        );
    }
    let top = TilePath::holding(Node::new(62, 0).unwrap(), MAX_SIZE).unwrap();
    assert_eq!(top.to_text(), "tile/7/000.p/127");
}

#[test]
fn a_tile_too_narrow_for_a_node_is_an_error() {
    let tile = HashTile::new(vec![leaf_hash(b""); 5]).unwrap();
    for (level, index) in [(0, 5), (0, 255), (2, 1), (7, 0)] {
        let narrow = TileError::TooNarrow { width: 5, level, index };
        assert_eq!(tile.node(Node::new(level, index).unwrap()), Err(narrow));
    }
}

#[test]
fn an_index_is_written_in_groups_of_three_digits() {
    let paths = [
        (0, "tile/0/000"),
        (67, "tile/0/067"),
        (999, "tile/0/999"),
        (1000, "tile/0/x001/000"),
        (1_234_067, "tile/0/x001/x234/067"),
        (u64::MAX, "tile/0/x018/x446/x744/x073/x709/x551/615"),
    ];
    for (index, text) in paths {
        let path = TilePath::new(Level::Hashes(0), index, TILE_WIDTH).unwrap();
        assert_eq!(path.to_text(), text);
        assert_eq!(TilePath::parse(text), Ok(path));
    }
}

#[test]
fn a_path_that_is_spelled_in_any_other_way_is_refused() {
    let form = ["", "tile", "tile/", "tile/0", "/tile/0/000", "tiles/0/000", "checkpoint"];
    let level = [
        "tile/64/000",
        "tile/00/000",
        "tile/+1/000",
        "tile/-1/000",
        "tile//000",
        "tile/Entries/000",
    ];
    let index = [
        "tile/0/",
        "tile/0/0",
        "tile/0/00",
        "tile/0/0000",
        "tile/0/x000",
        "tile/0/x000/000",
        "tile/0/001/000",
        "tile/0/x001/x000",
        "tile/0/000/",
        "tile/0//000",
        "tile/0/00a",
        "tile/0/+01",
        "tile/0/٠٠٠",
        "tile/0/000.p",
        "tile/0/xx01/000",
        "tile/0/000 ",
        "tile/0/x018/x446/x744/x073/x709/x551/616",
        "tile/0/.p/1",
    ];
    let width = [
        "tile/0/000.p/",
        "tile/0/000.p/0",
        "tile/0/000.p/01",
        "tile/0/000.p/256",
        "tile/0/000.p/+1",
        "tile/0/000.p/1.p/1",
        "tile/0/000.p/1/",
        "tile/0/000.p/65537",
    ];
    for text in form {
        assert!(matches!(TilePath::parse(text), Err(TilePathError::Form(_))), "{text}");
    }
    for text in level {
        assert!(matches!(TilePath::parse(text), Err(TilePathError::Level(_))), "{text}");
    }
    for text in index {
        assert!(matches!(TilePath::parse(text), Err(TilePathError::Index(_))), "{text}");
    }
    for text in width {
        assert!(matches!(TilePath::parse(text), Err(TilePathError::Width(_))), "{text}");
    }
}

#[test]
fn a_tile_s_level_is_at_most_63_and_its_width_1_to_256() {
    assert!(TilePath::new(Level::Hashes(63), 0, 256).is_ok());
    assert_eq!(TilePath::new(Level::Hashes(64), 0, 1), Err(TilePathError::Level("64".to_owned())));
    for width in [0, 257] {
        assert_eq!(
            TilePath::new(Level::Entries, 0, width),
            Err(TilePathError::Width(width.to_string()))
        );
        let width = usize::from(width);
        assert_eq!(HashTile::new(vec![leaf_hash(b""); width]), Err(TileError::Width(width)));
        assert_eq!(EntryBundle::new(vec![Vec::new(); width]), Err(BundleError::Width(width)));
    }
    for width in [0, 257] {
        assert!(HashTile::parse(&vec![0; 32 * usize::from(width)], width).is_err());
        assert!(EntryBundle::parse(&vec![0; 2 * usize::from(width)], width).is_err());
    }
}

#[test]
fn a_bundle_is_each_entry_behind_its_length() {
    let bundle = EntryBundle::new(vec![b"ab".to_vec(), Vec::new(), b"c".to_vec()]).unwrap();
    let bytes = b"\x00\x02ab\x00\x00\x00\x01c";
    assert_eq!(bundle.to_bytes(), bytes);
    assert_eq!(EntryBundle::parse(bytes, 3), Ok(bundle.clone()));
    let hashes = [leaf_hash(b"ab"), leaf_hash(b""), leaf_hash(b"c")];
    assert_eq!(bundle.leaf_hashes().collect::<Vec<_>>(), hashes);

    assert_eq!(
        EntryBundle::parse(bytes, 2),
        Err(BundleError::Trailing { width: 2, extra: 3, at: 6 })
    );
    assert_eq!(
        EntryBundle::parse(bytes, 4),
        Err(BundleError::CutOff { entry: 3, width: 4, end: 9 })
    );
    assert_eq!(
        EntryBundle::parse(&bytes[..8], 3),
        Err(BundleError::CutOff { entry: 2, width: 3, end: 8 })
    );
    assert_eq!(
        EntryBundle::parse(&bytes[..5], 3),
        Err(BundleError::CutOff { entry: 1, width: 3, end: 5 })
    );
}

#[test]
fn an_entry_has_at_most_65_535_bytes() {
    let longest = EntryBundle::new(vec![vec![7; 65_535]]).unwrap();
    assert_eq!(EntryBundle::parse(&longest.to_bytes(), 1), Ok(longest));
    let longer = EntryBundle::new(vec![Vec::new(), vec![7; 65_536]]);
    assert_eq!(longer, Err(BundleError::TooLong { entry: 1, length: 65_536 }));
}

fn any_path() -> impl Strategy<Value = TilePath> {
    let level = prop_oneof![Just(Level::Entries), (0..=63_u8).prop_map(Level::Hashes)];
    // Indices of 1 to 20 digits, equally often.
    let index = (any::<u64>(), 0..64_u32).prop_map(|(index, bits)| index >> bits);
    (level, index, 1..=256_u16)
        .prop_map(|(level, index, width)| TilePath::new(level, index, width).expect("in range"))
}

proptest! {
    #[test]
    fn a_path_that_prints_parses_back(path in any_path()) {
        prop_assert_eq!(TilePath::parse(&path.to_text()), Ok(path));
    }

    #[test]
    fn a_path_that_parses_prints_back(
        path in any_path(), at: prop::sample::Index, with in "[0-9x/.pe]{0,2}",
        random in "tile/([0-9]{1,2}|entries)(/x[0-9]{3}){0,7}/[0-9]{3}(\\.p/[0-9]{1,3})?",
    ) {
        let mut changed = path.to_text();
        let at = at.index(changed.len());
        changed.replace_range(at..=at, &with);
        for text in [changed, random] {
            if let Ok(path) = TilePath::parse(&text) {
                prop_assert_eq!(path.to_text(), text);
            }
        }
    }

    #[test]
    fn a_partial_tile_is_as_wide_as_the_specification_s_formula(size in 0..=MAX_SIZE, level in 0..=63_u8) {
        // floor(s / 256^l) mod 256
        let hashes = u128::from(size) >> (8 * u32::from(level)).min(127);
        let width = u16::try_from(hashes & 255).unwrap();
        let index = u64::try_from(hashes >> 8).unwrap();
        let partial = TilePath::at_size(Level::Hashes(level), index, size).map(TilePath::width);
        prop_assert_eq!(partial.ok(), (width > 0).then_some(width));
        if index > 0 {
            let before = TilePath::at_size(Level::Hashes(level), index - 1, size).map(TilePath::width);
            prop_assert_eq!(before.ok(), Some(256));
        }
        prop_assert!(TilePath::at_size(Level::Hashes(level), index + 1, size).is_err());
    }

    #[test]
    fn what_is_written_when_a_tree_grows_is_what_it_has_and_had_not(a in 0..200_000_u64, b in 0..200_000_u64) {
        let (old_size, size) = (a.min(b), a.max(b));
        let had: BTreeSet<TilePath> = tiles(old_size).collect();
        let written: Vec<TilePath> = tiles_between(old_size, size).collect();
        let new: Vec<TilePath> = tiles(size).filter(|path| !had.contains(path)).collect();
        prop_assert_eq!(written, new);
        prop_assert_eq!(tiles_between(size, old_size).count(), 0);
    }

    #[test]
    fn a_tile_parses_from_exactly_its_bytes(hashes in prop::collection::vec(any::<[u8; 32]>(), 1..=256), off in 1..32_usize) {
        let tile = HashTile::new(hashes.iter().copied().map(Hash::from_bytes).collect()).unwrap();
        let width = u16::try_from(hashes.len()).unwrap();
        let mut bytes = tile.to_bytes();
        prop_assert_eq!(&bytes, &hashes.concat());
        prop_assert_eq!(HashTile::parse(&bytes, width), Ok(tile));
        for other in [width - 1, width + 1] {
            prop_assert!(HashTile::parse(&bytes, other).is_err());
        }
        prop_assert!(HashTile::parse(&bytes[off..], width).is_err());
        bytes.resize(bytes.len() + off, 0);
        prop_assert!(HashTile::parse(&bytes, width).is_err());
    }

    #[test]
    fn a_bundle_that_prints_parses_back_and_one_that_parses_prints_back(
        entries in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..=256),
        at: prop::sample::Index, byte: u8, random in prop::collection::vec(0..4_u8, 0..40), width in 0..300_u16,
    ) {
        let bundle = EntryBundle::new(entries.clone()).unwrap();
        let full = u16::try_from(entries.len()).unwrap();
        let mut changed = bundle.to_bytes();
        prop_assert_eq!(EntryBundle::parse(&changed, full), Ok(bundle));
        let at = at.index(changed.len());
        changed[at] = byte;
        for (bytes, width) in [(changed, full), (random, width)] {
            if let Ok(bundle) = EntryBundle::parse(&bytes, width) {
                prop_assert_eq!(bundle.entries().len(), usize::from(width));
                prop_assert_eq!(bundle.to_bytes(), bytes);
            }
        }
    }
}
