//! Parts of rounds that paper logs lack: beacons, signatures, layouts, chosen results.

use fairdeal::deal::{
    Commitment, Contributions, Deck, Digest, DrandRandomness, Label, SeedMac, ServerSeed,
};
use fairdeal::record::entry::{
    BeaconTerms, Cards, Commit, Deal, Entry, Layout, Lock, LoggedContribution, Mixing,
    PlayerSigner, RoundOf, Table,
};
use fairdeal::record::replay;

use tools::paper::{PaperLog, counting_seed, int, label, logged_clients, nonce};

pub const ALICE: &[(&str, &str)] = &[("alice", "lucky")];
pub const BOTH: &[(&str, &str)] = &[("alice", "lucky"), ("bob", "seven")];

pub fn log() -> PaperLog {
    PaperLog::new("cards.example/log", 7)
}

pub fn table(name: &str) -> Table {
    Table::new(name).expect("a table")
}

pub fn list(count: u64) -> Deck {
    Deck::list(count, Digest::from_bytes([9; 32])).expect("legal")
}

/// A log of one commitment, dealt twice and revealed.
pub fn game() -> PaperLog {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.deal(&commit, &seed.mac(), 1, BOTH);
    log.reveal(&seed);
    log
}

/// Appends a commit of another protocol.
pub fn foreign(log: &mut PaperLog, c: &Commitment) {
    let protocol = "\"protocol\":\"fairdeal/v2\"";
    let text = format!("{{\"commitment\":\"{c}\",\"entry\":\"commit\",{protocol},\"time\":1}}");
    log.append_bytes(text.as_bytes());
}

/// A commitment of three rounds; round 0 is dealt, three cards with alice's seed.
pub fn dealt_once(log: &mut PaperLog) -> (ServerSeed, Box<Commit>) {
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(3);
        c.rounds = int(3);
    });
    log.deal(&commit, &seed.mac(), 0, ALICE);
    (seed, commit)
}

/// Appends a deal.
pub fn append(log: &mut PaperLog, deal: Deal) -> u64 {
    log.append(&Entry::Deal(Box::new(deal)))
}

/// A deal of these contributions.
pub fn deal_of(
    log: &mut PaperLog,
    commit: &Commit,
    seed: &SeedMac,
    n: u64,
    logged: Vec<LoggedContribution>,
) -> u64 {
    let deal = log.deal_entry_of(commit, seed, n, logged);
    append(log, deal)
}

/// A deal with alice's seed and these cards in the place of the right ones.
pub fn deal_cards(log: &mut PaperLog, commit: &Commit, seed: &SeedMac, n: u64, cards: &str) -> u64 {
    let mut deal = log.deal_entry(commit, seed, n, ALICE);
    deal.result.cards = Some(Cards::new(cards).expect("cards"));
    append(log, deal)
}

/// A deal with alice's seed and these item numbers in the place of the right ones.
pub fn deal_indices(
    log: &mut PaperLog,
    commit: &Commit,
    seed: &SeedMac,
    n: u64,
    indices: &[u64],
) -> u64 {
    let mut deal = log.deal_entry(commit, seed, n, ALICE);
    deal.result.indices = Some(indices.iter().copied().map(int).collect());
    append(log, deal)
}

/// A clear seed, alone.
pub fn clear(from: &str, seed: &str) -> LoggedContribution {
    logged_clients(&[(from, seed)]).remove(0)
}

/// A contribution signed by a player's key, which is made from one byte.
pub fn signed(
    log: &PaperLog,
    c: Commitment,
    n: u64,
    player: u8,
    one: LoggedContribution,
) -> LoggedContribution {
    let round = RoundOf { log: log.key(), commitment: c, nonce: nonce(n) };
    PlayerSigner::from_seed(&[player; 32]).sign(&round, one)
}

/// Two cards for each seat, a flop, a turn and a river, a card burnt before each.
pub fn holdem() -> Layout {
    Layout { board: Some([3, 1, 1].map(int).to_vec()), burn: Some(true), hand: int(2) }
}

pub fn seats(labels: &[&str]) -> Vec<Label> {
    labels.iter().map(|one| label(one)).collect()
}

/// Sets a commit to mixing `beacon`.
pub fn mixes_beacon(commit: &mut Commit) {
    commit.mixing = Mixing::Beacon;
    commit.beacon = Some(BeaconTerms { chain: Digest::from_bytes([0x52; 32]), margin: int(0) });
}

/// A lock, optionally with a beacon's round, clear seeds and seats.
pub fn lock_of(log: &mut PaperLog, c: Commitment, n: u64, change: impl FnOnce(&mut Lock)) -> u64 {
    let mut lock = Lock { contributions: None, ..Lock::new(c, nonce(n), Vec::new(), log.tick()) };
    change(&mut lock);
    log.append(&Entry::Lock(Box::new(lock)))
}

/// The deal of a round whose lock names a beacon's round, with the signature that the operator
/// claims; without one, some result is still dealt.
pub fn beacon_deal(
    log: &mut PaperLog,
    commit: &Commit,
    seed: &ServerSeed,
    lock: u64,
    (n, clients): (u64, &[(&str, &str)]),
    signature: Option<&str>,
) -> Deal {
    let clients = logged_clients(clients);
    let clients =
        clients.iter().map(|one| one.with_seed(one.seed.clone().expect("clear"))).collect();
    let bytes = hex::decode(signature.unwrap_or_default()).expect("hex");
    let mixed =
        Contributions::with_drand(clients, DrandRandomness::of_signature(&bytes)).expect("legal");
    let result =
        replay::deal_round(commit, &seed.mac(), nonce(n), &mixed).expect("legal terms").form;
    Deal {
        beacon: signature.map(|hex| serde_json::from_value(hex.into()).expect("a signature")),
        ..Deal::of_lock(commit.commitment, nonce(n), int(lock), Vec::new(), result, log.tick())
    }
}
