//! The raffles of the vectors.

use fairdeal::beacon::Chain;
use fairdeal::raffle::{Address, Entrant, RaffleRules};
use fairdeal::record::entry::{Caption, LoggedContribution};
use serde_json::{Value, json};
use tools::beacons::{OwnChain, recorded};
use tools::paper::policy;
use tools::raffles::{PaperRaffle, Promise};

use super::{OWN, secret};

/// Twelve tickets, all different.
pub const TICKETS: &str = "ticket 01\nticket 02\nticket 03\nticket 04\nticket 05\nticket 06\nticket 07\nticket 08\nticket 09\nticket 10\nticket 11\nticket 12\n";
/// Nine tickets of five entrants.
pub const REPEATED: &str = "anna\nbob\nanna\ncleo\nanna\ndora\nbob\nanna\nemil\n";

/// Three winners, a title and two prizes.
pub fn rules() -> RaffleRules {
    let caption = |text: &str| Caption::new(text).expect("a caption");
    RaffleRules {
        title: Some(caption("Winter raffle of the Rowing Club")),
        prizes: Some(vec![caption("a weekend for two"), caption("a bicycle")]),
        ..RaffleRules::new(3)
    }
}

/// A promise that waits for round 1000 of `quicknet`.
pub fn of_quicknet(chain: &Chain) -> Promise<'_> {
    let (rules, contributions) = (rules(), vec![]);
    Promise { list: TICKETS, rules, chain, round: 1000, seed: 0, contributions }
}

/// The usual raffle.
pub fn usual() -> PaperRaffle {
    PaperRaffle::promise(of_quicknet(&Chain::quicknet()), |_| {})
}

/// A raffle with another list.
pub fn with_list(list: &str, winners: u32) -> PaperRaffle {
    let (chain, rules) = (Chain::quicknet(), RaffleRules::new(winners));
    PaperRaffle::promise(Promise { list, rules, ..of_quicknet(&chain) }, |_| {})
}

/// A raffle that waits for another chain's round.
pub fn of_own(round: u64) -> PaperRaffle {
    let chain = OWN.chain();
    PaperRaffle::promise(Promise { round, ..of_quicknet(&chain) }, |_| {})
}

/// A raffle with contributions in its lock.
pub fn open(contributions: Vec<LoggedContribution>) -> PaperRaffle {
    let chain = Chain::quicknet();
    PaperRaffle::promise(Promise { contributions, ..of_quicknet(&chain) }, |_| {})
}

/// The signature of the usual raffle's round.
pub fn signature() -> [u8; 48] {
    recorded(1000)
}

/// The links of five entrants, and the list of their lines: bob has two tickets.
pub fn hashed() -> (Vec<Entrant>, String) {
    let (_, secret) = secret();
    let addresses = ["anna", "bob", "bob", "cleo", "dora", "emil"];
    let entrant = |name: &&str| {
        let address = Address::new(&format!("{name}@example.org")).expect("an address");
        Entrant::new(&secret, address)
    };
    let entrants: Vec<Entrant> = addresses.iter().map(entrant).collect();
    let mut lines: Vec<String> = entrants.iter().map(|one| one.line() + "\n").collect();
    lines.sort_unstable();
    (entrants, lines.concat())
}

/// A case of a raffle: its key, its list and its document.
pub fn case(raffle: &PaperRaffle, document: &Value) -> Value {
    json!({
        "kind": "document", "key": raffle.log.key().to_text(), "list": raffle.list,
        "file": document.to_string(),
    })
}

/// The case of a raffle's document with the server seed, whose checkpoint two of three witnesses
/// have signed so many seconds before the round is out.
pub fn seen_before(raffle: &PaperRaffle, seconds: u64) -> Value {
    let by = raffle.out - seconds;
    let document = raffle.document(raffle.receipt(&[(1, by), (2, by)]));
    with(case(raffle, &document), [("policy", json!(policy(2, 3)))])
}

/// A case with further members.
pub fn with<const N: usize>(mut case: Value, members: [(&str, Value); N]) -> Value {
    for (name, value) in members {
        case[name] = value;
    }
    case
}

/// A case whose document is changed.
pub fn changed(case: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut document: Value =
        serde_json::from_str(case["file"].as_str().expect("text")).expect("JSON");
    change(&mut document);
    with(case.clone(), [("file", json!(document.to_string()))])
}

/// The chain of [`OWN`], as a case has it.
pub fn chains(own: &OwnChain) -> Value {
    json!([own.info()])
}
