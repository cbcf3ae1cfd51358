//! The alphabet: the entries that may come next in a log.

use fairdeal::deal::{Commitment, Contributions, Deck, SeedMac, ServerSeed};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::{
    self, Commit, Deal, Entry, Lock, LoggedContribution, Mixing, Opened, Origin, PlayerSigner,
    Reason, ResultForm, Reveal, RoundOf, SeenCheckpoint, Table, Void,
};
use fairdeal::record::life::{End, Remembered};
use fairdeal::record::{Life, View, replay};

use super::course::Course;
use crate::paper::{
    ORIGIN, Player, START, counting_seed, int, label, logged_clients, nonce, paper_key,
};

/// The most commitments of a log.
pub const MOST: usize = 3;
/// The rounds of each.
pub const ROUNDS: u8 = 2;
/// Times are START plus this many steps. A seed is due one step after its commit; exactly on time
/// is not late.
pub const LAST_TICK: u8 = 2;
/// A time after every `reveal_by`.
pub const FAR: u64 = START + 1_000_000;

const TABLES: [&str; 2] = ["table 1", "table 2"];
const SEEDS: [&str; MOST] = ["lucky", "seven", "clover"];

/// The limits of what is tried.
#[derive(Clone, Debug)]
pub struct Scope {
    /// How many commitments.
    pub commitments: usize,
    /// The promises that a commit may make.
    pub terms: Vec<Terms>,
    /// Whether time passes; if not, every entry has the same time.
    pub times: bool,
}

/// A commit's promise about its rounds: a mixing, and whether every contribution is signed.
pub type Terms = (Mixing, bool);

/// An entry to write, without its time and, for a deal, its lock's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    Commit { c: usize, table: usize, after: Option<usize>, terms: usize },
    Lock { c: usize, n: u8, hashed: bool },
    Deal { c: usize, n: u8, how: How },
    Void { c: usize, n: u8, blames: bool },
    WholeVoid { c: usize },
    Reveal { c: usize, right: bool },
}

/// How a deal names its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum How {
    /// Not at all: the deal brings clear seeds.
    Clear,
    /// By its index, with exactly the lock's hashes opened.
    Opened,
    /// By its index; hashes stay closed, or something is opened that is not a hash.
    Unopened,
    /// By another index.
    Misnamed,
}

/// An entry to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    pub what: Move,
    pub tick: u8,
}

/// The facts about the log that a deal needs.
pub type OpenLock = Option<(u64, bool)>;

impl Move {
    pub fn c(self) -> usize {
        match self {
            Self::Commit { c, .. }
            | Self::Lock { c, .. }
            | Self::Deal { c, .. }
            | Self::Void { c, .. }
            | Self::WholeVoid { c }
            | Self::Reveal { c, .. } => c,
        }
    }

    pub fn n(self) -> Option<u8> {
        match self {
            Self::Lock { n, .. } | Self::Deal { n, .. } | Self::Void { n, .. } => Some(n),
            _ => None,
        }
    }
}

/// Logs of this alphabet have no `seen`.
#[derive(Clone, Copy, Debug)]
pub struct Named;

impl View for Named {
    fn origin(&self) -> &str {
        ORIGIN
    }

    fn key(&self) -> Option<&VerifierKey> {
        Some(paper_key())
    }

    fn is_signed(&self, _: &SeenCheckpoint) -> bool {
        true
    }
}

/// The seeds, and values derived from them.
pub struct World {
    pub key: VerifierKey,
    pub seeds: Vec<ServerSeed>,
    pub macs: Vec<SeedMac>,
    pub commitments: Vec<Commitment>,
    results: Vec<Vec<ResultForm>>,
}

pub fn player(c: usize) -> Player {
    Player::new("alice", SEEDS[c], 1)
}

/// Alice's contribution to a round: her seed in the clear or its hash, and signed or not.
pub fn contribution(
    commitment: &Commitment,
    c: usize,
    n: u8,
    hashed: bool,
    signed: bool,
) -> LoggedContribution {
    let n = u64::from(n);
    let clear = || logged_clients(&[("alice", SEEDS[c])]).remove(0);
    let one = if hashed { player(c).hashed(commitment, n) } else { clear() };
    if signed { sign(1, commitment, n, one) } else { one }
}

/// A contribution, signed for a round.
pub fn sign(
    key: u8,
    commitment: &Commitment,
    n: u64,
    one: LoggedContribution,
) -> LoggedContribution {
    let round = RoundOf { log: paper_key(), commitment: *commitment, nonce: nonce(n) };
    PlayerSigner::from_seed(&[key; 32]).sign(&round, one)
}

pub fn commit(
    c: usize,
    commitments: &[Commitment],
    table: usize,
    terms: Terms,
    tick: u8,
) -> Commit {
    let (mixing, signed) = terms;
    let terms = entry::Terms {
        draw: int(2),
        mixing,
        rounds: int(u64::from(ROUNDS)),
        signed,
        ..entry::Terms::new(Table::new(TABLES[table]).expect("a table"), Deck::standard())
    };
    let origin = Origin::new(ORIGIN).expect("an origin");
    Commit::new(commitments[c], origin, terms, int(time(tick)), int(time(tick + 1)))
}

pub fn time(tick: u8) -> u64 {
    START + 1000 * u64::from(tick)
}

fn tick(time: u64) -> u8 {
    u8::try_from((time - START) / 1000).expect("few")
}

impl World {
    pub fn new() -> Self {
        let seeds: Vec<ServerSeed> = [0, 50, 100].map(counting_seed).into();
        let macs: Vec<SeedMac> = seeds.iter().map(ServerSeed::mac).collect();
        let commitments: Vec<Commitment> = seeds.iter().map(ServerSeed::commitment).collect();
        let rounds = || (0..=ROUNDS).map(u64::from);
        let results = |c: usize| {
            let commit = commit(c, &commitments, 0, (Mixing::Seeds, false), 0);
            let mixed = Contributions::of_clients(vec![player(c).contribution()]).expect("one");
            let result =
                |n| replay::deal_round(&commit, &macs[c], nonce(n), &mixed).expect("legal").form;
            rounds().map(result).collect()
        };
        let results = (0..MOST).map(results).collect();
        let key = paper_key().clone();
        Self { key, seeds, macs, commitments, results }
    }

    pub fn slot(&self, commitment: &Commitment) -> usize {
        self.commitments.iter().position(|one| one == commitment).expect("one of ours")
    }

    /// The entry of a step, given the index of its commitment's open lock and whether contributions
    /// are signed.
    pub fn entry(&self, scope: &Scope, step: Step, open: OpenLock, signed: bool) -> Entry {
        let (at, c) = (int(time(step.tick)), step.what.c());
        let alice = |n, hashed| contribution(&self.commitments[c], c, n, hashed, signed);
        let commitment = self.commitments[c];
        match step.what {
            Move::Commit { table, after, terms, .. } => {
                let commit = commit(c, &self.commitments, table, scope.terms[terms], step.tick);
                let after = after.map(|after| self.commitments[after]);
                Entry::Commit(Box::new(Commit { after, ..commit }))
            }
            Move::Lock { n, hashed, .. } => {
                Lock::new(commitment, nonce(u64::from(n)), vec![alice(n, hashed)], at).into()
            }
            Move::Deal { n, how, .. } => {
                let (index, hashed) = open.unwrap_or((0, false));
                let opens = match how {
                    How::Clear => false,
                    How::Unopened => !hashed,
                    How::Opened | How::Misnamed => hashed,
                };
                let player = player(c);
                let opened = Opened { blind: player.blind, from: player.from, seed: player.seed };
                let lock = match how {
                    How::Clear => None,
                    How::Opened | How::Unopened => Some(int(index)),
                    How::Misnamed => Some(int(index + 1)),
                };
                let result = self.results[c][usize::from(n)].clone();
                let deal = Deal {
                    contributions: lock.is_none().then(|| vec![alice(n, false)]),
                    lock,
                    opened: opens.then(|| vec![opened]),
                    ..Deal::in_clear(commitment, nonce(u64::from(n)), Vec::new(), result, at)
                };
                deal.into()
            }
            Move::Void { n, blames, .. } => {
                Self::void(commitment, Some(u64::from(n)), blames, step.tick)
            }
            Move::WholeVoid { .. } => Self::void(commitment, None, false, step.tick),
            Move::Reveal { right, .. } => {
                let seed = if right { &self.seeds[c] } else { &self.seeds[(c + 1) % MOST] };
                Reveal { commitment, ..Reveal::new(seed, at) }.into()
            }
        }
    }

    fn void(commitment: Commitment, n: Option<u64>, blames: bool, tick: u8) -> Entry {
        let reason = Reason::new("a player left").expect("a reason");
        let blame = blames.then(|| label("alice"));
        Void { blame, nonce: n.map(nonce), ..Void::whole(commitment, reason, int(time(tick))) }
            .into()
    }

    /// All steps that may be tried after a log, at one time.
    ///
    /// Two reductions. Commitments come in one order: no rule compares seeds. The first table is
    /// the first one used: no rule compares the tables' names.
    pub fn moves(scope: &Scope, course: &Course) -> Vec<Move> {
        let made = course.made();
        let mut moves = Vec::new();
        let afters = || std::iter::once(None).chain((0..made).map(Some));
        // One more than exist: a commitment that nobody made.
        for c in 0..=made.min(scope.commitments - 1) {
            let tables = if made == 0 { 1 } else { TABLES.len() };
            for (table, terms) in
                (0..tables).flat_map(|t| (0..scope.terms.len()).map(move |m| (t, m)))
            {
                moves.extend(afters().map(|after| Move::Commit { c, table, after, terms }));
            }
            for n in 0..=ROUNDS {
                moves.extend([false, true].map(|hashed| Move::Lock { c, n, hashed }));
                let hows = [How::Clear, How::Opened, How::Unopened, How::Misnamed];
                moves.extend(hows.map(|how| Move::Deal { c, n, how }));
                moves.extend([false, true].map(|blames| Move::Void { c, n, blames }));
            }
            moves.push(Move::WholeVoid { c });
            moves.extend([true, false].map(|right| Move::Reveal { c, right }));
        }
        moves
    }

    /// A judge's whole memory in a few bytes, without two indices: that of a commit, which no rule
    /// reads, and that of an open lock, which a deal of this alphabet names by its place.
    pub fn memory(&self, known: &Remembered<(&Life, &())>) -> Vec<u8> {
        let small = |at: usize| u8::try_from(at).expect("few");
        let table =
            |name: &Table| small(TABLES.iter().position(|t| *t == name.as_str()).expect("ours"));
        let slot = |c: &Commitment| small(self.slot(c));
        let end = |end: Option<End>| end.map_or(0, |end| if end == End::Revealed { 1 } else { 2 });
        let mut bytes = Vec::with_capacity(64);
        let mut lives: Vec<&Life> = known.lives.iter().map(|(life, ())| *life).collect();
        lives.sort_by_key(|life| slot(&life.commit.commitment));
        for life in lives {
            let open = life.open.as_ref().map_or(0, |open| {
                let hashed = open.lock.contributions().iter().any(|one| one.hash.is_some());
                1 + 2 * small(usize::try_from(open.lock.nonce.value()).expect("few"))
                    + u8::from(hashed)
            });
            let commit = &life.commit;
            bytes.extend([
                slot(&commit.commitment),
                table(&commit.table),
                commit.after.as_ref().map_or(9, slot),
                u8::from(commit.mixing == Mixing::Hashes) + 2 * u8::from(commit.signed),
                tick(commit.reveal_by.value()),
                small(usize::try_from(life.next).expect("few")),
                open,
                end(life.end),
            ]);
        }
        bytes.push(255);
        bytes.extend(known.tables.iter().flat_map(|(name, last)| [table(name), slot(last)]));
        bytes.extend([255, known.last_time.map_or(9, tick)]);
        assert!(known.ended.is_empty() && known.not_judged.is_empty(), "nothing is forgotten here");
        bytes
    }
}
