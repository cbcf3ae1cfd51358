//! The shuffles: each with a name, a description, and the divisibility argument why it cannot be uniform, if there is
//! one.

use std::fmt;
use std::str::FromStr;

/// A way to bring items into order, right or wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Shuffle {
    /// Backward Fisher–Yates, as in `spec/shuffle.md`.
    FisherYates,
    /// Forward Fisher–Yates.
    Forward,
    /// Inside-out Fisher–Yates.
    InsideOut,
    /// The first five of a backward Fisher–Yates.
    Partial,
    /// Draw from all items until a new one comes.
    VisitedSet,
    /// Fisher–Yates that starts from the last result.
    FromLast,
    /// Sattolo's cycle, taken for a shuffle.
    Sattolo,
    /// Sort by random 8-bit keys.
    SortKeys,
    /// Quicksort with a comparator that answers at random.
    CompareQuick,
    /// Merge sort with a comparator that answers at random.
    CompareMerge,
    /// Insertion sort with a comparator that answers at random.
    CompareInsertion,
    /// Timsort with a comparator that answers at random.
    CompareTim,
    /// Each position swapped with any position.
    SwapAny,
    /// Each position swapped with any other position.
    NeverSelf,
    /// n swaps of two random positions.
    RandomSwaps,
    /// Fisher–Yates with the XOR swap.
    XorSwap,
    /// Fisher–Yates without the last choice.
    StopsEarly,
    /// Fisher–Yates without the first choice.
    LastStays,
    /// Fisher–Yates, 8-bit words modulo the range.
    Modulo8,
    /// Fisher–Yates, 16-bit words modulo the range.
    Modulo16,
    /// Fisher–Yates, 16-bit fractions times the range.
    Float16,
    /// Fisher–Yates under one of 2^16 seeds.
    Seed16,
    /// Fisher–Yates under one of 2^20 seeds.
    Seed20,
    /// Five riffles (Gilbert, Shannon, Reeds).
    Riffle5,
    /// Six riffles.
    Riffle6,
    /// Seven riffles.
    Riffle7,
    /// Eight riffles.
    Riffle8,
    /// The better of two shuffles for the first seat, every time.
    AceOfTwo,
    /// The same in one deal of twenty.
    AceOfTwoRarely,
}

/// Whether a shuffle is uniform over all orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every order is equally likely, given uniform choices.
    Right,
    /// It is not.
    Wrong,
}

/// Name, description, and the divisibility argument.
struct Words(&'static str, &'static str, Option<&'static str>);

const SEEDS: &str =
    "n! divides no power of two for n ≥ 3, and 2^16 or 2^20 seeds are less than 9! or 10! orders.";

const COINS: &str = "Every path of k answers has probability 1/2^k, so every order has a multiple of 1/2^K for the longest path K; \
     n! has the factor 3 for n ≥ 3, and 1/n! is no such multiple.";

/// No shuffle has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no shuffle is called {0:?}; there are {names}", names = names())]
pub struct ShuffleError(String);

fn names() -> String {
    Shuffle::ALL.iter().map(|shuffle| shuffle.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Shuffle {
    type Err = ShuffleError;

    fn from_str(name: &str) -> Result<Self, ShuffleError> {
        let found = Self::ALL.iter().find(|shuffle| shuffle.name() == name);
        found.copied().ok_or_else(|| ShuffleError(name.to_owned()))
    }
}

impl fmt::Display for Shuffle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Shuffle {
    /// All shuffles, the right ones first.
    pub const ALL: &[Self] = &[
        Self::FisherYates,
        Self::Forward,
        Self::InsideOut,
        Self::Partial,
        Self::VisitedSet,
        Self::FromLast,
        Self::Sattolo,
        Self::SortKeys,
        Self::CompareQuick,
        Self::CompareMerge,
        Self::CompareInsertion,
        Self::CompareTim,
        Self::SwapAny,
        Self::NeverSelf,
        Self::RandomSwaps,
        Self::XorSwap,
        Self::StopsEarly,
        Self::LastStays,
        Self::Modulo8,
        Self::Modulo16,
        Self::Float16,
        Self::Seed16,
        Self::Seed20,
        Self::Riffle5,
        Self::Riffle6,
        Self::Riffle7,
        Self::Riffle8,
        Self::AceOfTwo,
        Self::AceOfTwoRarely,
    ];

    /// Its name: lowercase words joined by hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// What it is, and where it goes wrong or why it does not.
    #[must_use]
    pub const fn says(self) -> &'static str {
        self.words().1
    }

    /// Why it cannot be uniform, by counting paths (spec/shuffle.md, B.7); `None` if that is not the reason.
    #[must_use]
    pub const fn divisibility(self) -> Option<&'static str> {
        self.words().2
    }

    /// Right or wrong.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::FisherYates
            | Self::Forward
            | Self::InsideOut
            | Self::Partial
            | Self::VisitedSet
            | Self::FromLast => Kind::Right,
            _ => Kind::Wrong,
        }
    }

    /// How many of `items` it deals.
    #[must_use]
    pub fn draw(self, items: u32) -> u32 {
        if matches!(self, Self::Partial) { items.min(5) } else { items }
    }

    #[expect(clippy::too_many_lines, reason = "a table of words")]
    const fn words(self) -> Words {
        match self {
            Self::FisherYates => Words(
                "fisher-yates",
                "From the last position down, each is swapped with one at or under it, chosen uniformly. \
                 Its n! paths lead to n! different orders, one each, so every order is equally likely.",
                None,
            ),
            Self::Forward => Words(
                "forward",
                "From the first position up, each is swapped with one at or above it, chosen uniformly. \
                 It is Fisher–Yates in the other direction, and as exact.",
                None,
            ),
            Self::InsideOut => Words(
                "inside-out",
                "Each item in turn is put at a uniform place among those before it, and what was there goes to the end. \
                 It fills a new list while it shuffles, and has n! paths to n! orders.",
                None,
            ),
            Self::Partial => Words(
                "partial",
                "Fisher–Yates that stops when five items are dealt. \
                 Each ordered draw of k has probability (n−k)!/n!, because the choices left out move none of the dealt cards.",
                None,
            ),
            Self::VisitedSet => Words(
                "visited-set",
                "Draws from all items until one comes that was not dealt before. \
                 Each new one is uniform over those left, so it is right. But the last of n items takes n draws on average, and \
                 there is no longest path.",
                None,
            ),
            Self::FromLast => Words(
                "from-last",
                "Fisher–Yates that starts from the order in which the last deal ended. \
                 It is right, because the proof needs no fixed start. In a wrong shuffle this also makes deals depend on one another.",
                None,
            ),
            Self::Sattolo => Words(
                "sattolo",
                "Fisher–Yates with `<` for `≤`: each position is swapped with one strictly under it. \
                 Only the (n−1)! cyclic orders come up, no card ever stays where it was, and all decks have one parity.",
                Some("(n−1)! paths are fewer than n! orders."),
            ),
            Self::SortKeys => Words(
                "sort-keys",
                "Every card gets a random 8-bit key, and a stable sort orders the cards by key. \
                 Cards with equal keys keep their old order. With 52 cards, all but a few deals of a thousand have equal keys.",
                Some("256^n paths: n! has the factor 3 for n ≥ 3, and a power of two has not."),
            ),
            Self::CompareQuick => Words(
                "compare-quick",
                "Quicksort with a comparator that flips a coin. \
                 A card that is seldom compared seldom moves, so the order depends on the algorithm and on where a card started.",
                Some(COINS),
            ),
            Self::CompareMerge => Words(
                "compare-merge",
                "Merge sort with a comparator that flips a coin. \
                 When one half runs out early, the rest of the other half stays together at the end.",
                Some(COINS),
            ),
            Self::CompareInsertion => Words(
                "compare-insertion",
                "Insertion sort with a comparator that flips a coin, as some browsers did for short lists. \
                 Each card moves one place on average, so most stay near where they began.",
                Some(COINS),
            ),
            Self::CompareTim => Words(
                "compare-tim",
                "Timsort with a comparator that flips a coin, as `sort(() => Math.random() - 0.5)` runs today: a first run, then \
                 binary insertion. Halving an interval at random is uniform only among 2^k places.",
                Some(COINS),
            ),
            Self::SwapAny => Words(
                "swap-any",
                "Each position in turn is swapped with one of all n positions. \
                 The commonest wrong shuffle: n^n paths for n! orders, and for three items some orders have 4 paths, others 5.",
                Some("n − 1 divides n! and, for n ≥ 3, has no factor in common with n^n."),
            ),
            Self::NeverSelf => Words(
                "never-self",
                "Each position in turn is swapped with one of the n − 1 others. \
                 Every swap changes the parity, so after n swaps half of all orders cannot come up.",
                Some("n divides n! and has no factor in common with (n − 1)^n."),
            ),
            Self::RandomSwaps => Words(
                "random-swaps",
                "n times, two positions chosen from all n change places. \
                 A card is left alone with probability (1 − 1/n)^2n, about one in seven, where one in n would be right.",
                Some("n − 1 divides n! and, for n ≥ 3, has no factor in common with n^(2n)."),
            ),
            Self::XorSwap => Words(
                "xor-swap",
                "Fisher–Yates with the swap a ^= b, b ^= a, a ^= b. \
                 A position swapped with itself becomes 0, so cards vanish and the first card of the deck multiplies.",
                None,
            ),
            Self::StopsEarly => Words(
                "stops-early",
                "Fisher–Yates whose loop ends one step early, so the choice between the last two positions is missing. \
                 Only half of all orders can come up.",
                Some("n!/2 paths are fewer than n! orders."),
            ),
            Self::LastStays => Words(
                "last-stays",
                "Fisher–Yates whose loop begins one step late, at the last position but one. \
                 The card that begins last is never moved and is always dealt first.",
                Some("(n−1)! paths are fewer than n! orders."),
            ),
            Self::Modulo8 => Words(
                "modulo-8",
                "Fisher–Yates that takes a byte modulo the range. \
                 The first 256 mod s values of a range s are more likely by one part in 256/s: a quarter too much at 52.",
                Some("256^k paths: n! has the factor 3 for n ≥ 3, and a power of two has not."),
            ),
            Self::Modulo16 => Words(
                "modulo-16",
                "Fisher–Yates that takes 16 bits modulo the range. \
                 The same bias as with a byte, 256 times weaker: it takes some 65,536 times the deals to see it.",
                Some("65536^k paths: n! has the factor 3 for n ≥ 3, and a power of two has not."),
            ),
            Self::Float16 => Words(
                "float-16",
                "Fisher–Yates that multiplies a 16-bit fraction by the range and rounds down. \
                 As biased as modulo, with the likelier values spread over the range.",
                Some("65536^k paths: n! has the factor 3 for n ≥ 3, and a power of two has not."),
            ),
            Self::Seed16 => Words(
                "seed-16",
                "A right shuffle with a good generator, seeded with one of 65,536 numbers. \
                 At most 65,536 decks exist, so they repeat after some 300 deals, and whoever sees a few cards knows the rest.",
                Some(SEEDS),
            ),
            Self::Seed20 => Words(
                "seed-20",
                "A right shuffle with a good generator, seeded with one of 1,048,576 numbers, a clock's for instance. \
                 The decks repeat after some 1,200 deals.",
                Some(SEEDS),
            ),
            Self::Riffle5 => Words("riffle-5", RIFFLE, Some(BITS)),
            Self::Riffle6 => Words("riffle-6", RIFFLE, Some(BITS)),
            Self::Riffle7 => Words("riffle-7", RIFFLE, Some(BITS)),
            Self::Riffle8 => Words("riffle-8", RIFFLE, Some(BITS)),
            Self::AceOfTwo => Words(
                "ace-of-two",
                "Two right shuffles are made, and the second is dealt if the first deals no ace to the first seat. \
                 Each deal replays from its seed; only the number of aces at the first seat shows it.",
                None,
            ),
            Self::AceOfTwoRarely => Words(
                "ace-of-two-rarely",
                "The same choice of two shuffles, made in one deal of twenty. \
                 Cheating in a fraction f of the deals takes 1/f² times as many deals to see.",
                None,
            ),
        }
    }
}

const RIFFLE: &str = "Riffles by the model of Gilbert, Shannon and Reeds: a binomial cut, then cards fall in proportion to what each hand holds. \
     k riffles make at most 2^k rising sequences; seven is where 52 cards begin to look shuffled.";

const BITS: &str =
    "2^(kn) paths for k riffles: n! has the factor 3 for n ≥ 3, and a power of two has not.";
