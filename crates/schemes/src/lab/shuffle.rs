//! The shuffles, and what is right or wrong with each: the texts are in `shuffles.json`.

use std::str::FromStr;
use std::sync::LazyLock;

use fairdeal::named;
use serde::Deserialize;

named! {
    /// A way to bring items into order, right or wrong. The right ones come first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[non_exhaustive]
    Shuffle {
        /// Backward Fisher–Yates, as in `spec/shuffle.md`.
        FisherYates = "fisher-yates",
        /// Forward Fisher–Yates.
        Forward = "forward",
        /// Inside-out Fisher–Yates.
        InsideOut = "inside-out",
        /// The first five of a backward Fisher–Yates.
        Partial = "partial",
        /// Draw from all items until a new one comes.
        VisitedSet = "visited-set",
        /// Fisher–Yates that starts from the last result.
        FromLast = "from-last",
        /// Sattolo's cycle, taken for a shuffle.
        Sattolo = "sattolo",
        /// Sort by random 8-bit keys.
        SortKeys = "sort-keys",
        /// Quicksort with a comparator that answers at random.
        CompareQuick = "compare-quick",
        /// Merge sort with a comparator that answers at random.
        CompareMerge = "compare-merge",
        /// Insertion sort with a comparator that answers at random.
        CompareInsertion = "compare-insertion",
        /// Timsort with a comparator that answers at random.
        CompareTim = "compare-tim",
        /// Each position swapped with any position.
        SwapAny = "swap-any",
        /// Each position swapped with any other position.
        NeverSelf = "never-self",
        /// n swaps of two random positions.
        RandomSwaps = "random-swaps",
        /// Fisher–Yates with the XOR swap.
        XorSwap = "xor-swap",
        /// Fisher–Yates without the last choice.
        StopsEarly = "stops-early",
        /// Fisher–Yates without the first choice.
        LastStays = "last-stays",
        /// Fisher–Yates, 8-bit words modulo the range.
        Modulo8 = "modulo-8",
        /// Fisher–Yates, 16-bit words modulo the range.
        Modulo16 = "modulo-16",
        /// Fisher–Yates, 16-bit fractions times the range.
        Float16 = "float-16",
        /// Fisher–Yates under one of 2^16 seeds.
        Seed16 = "seed-16",
        /// Fisher–Yates under one of 2^20 seeds.
        Seed20 = "seed-20",
        /// Five riffles (Gilbert, Shannon, Reeds).
        Riffle5 = "riffle-5",
        /// Six riffles.
        Riffle6 = "riffle-6",
        /// Seven riffles.
        Riffle7 = "riffle-7",
        /// Eight riffles.
        Riffle8 = "riffle-8",
        /// The better of two shuffles for the first seat, every time.
        AceOfTwo = "ace-of-two",
        /// The same in one deal of twenty.
        AceOfTwoRarely = "ace-of-two-rarely",
    }
}

/// Whether a shuffle is uniform over all orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every order is equally likely, given uniform choices.
    Right,
    /// Some orders are likelier than others.
    Wrong,
}

/// The texts of a shuffle.
#[derive(Deserialize)]
struct Words {
    name: &'static str,
    says: &'static str,
    divisibility: Option<&'static str>,
}

/// No shuffle has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no shuffle is called {0:?}; there are {names}", names = Shuffle::ALL.map(Shuffle::as_str).join(", "))]
pub struct ShuffleError(String);

impl FromStr for Shuffle {
    type Err = ShuffleError;

    fn from_str(name: &str) -> Result<Self, ShuffleError> {
        Self::named(name).ok_or_else(|| ShuffleError(name.to_owned()))
    }
}

impl Shuffle {
    /// A description of the shuffle: what it does, and why it is right or wrong.
    #[must_use]
    pub fn says(self) -> &'static str {
        self.words().says
    }

    /// Why the shuffle cannot be uniform, by counting paths (docs/proofs.md, B.7); `None` if that
    /// is not the reason.
    #[must_use]
    pub fn divisibility(self) -> Option<&'static str> {
        self.words().divisibility
    }

    /// Right or wrong.
    #[must_use]
    pub fn kind(self) -> Kind {
        if self <= Self::FromLast { Kind::Right } else { Kind::Wrong }
    }

    /// The number of `items` that it deals.
    #[must_use]
    pub fn draw(self, items: u32) -> u32 {
        if self == Self::Partial { items.min(5) } else { items }
    }

    fn words(self) -> &'static Words {
        static WORDS: LazyLock<Vec<Words>> = LazyLock::new(|| {
            serde_json::from_str(include_str!("shuffles.json")).expect("a list of texts")
        });
        WORDS.iter().find(|one| one.name == self.as_str()).expect("every shuffle has its texts")
    }
}
