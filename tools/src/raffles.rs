//! Raffles on paper logs (spec/raffle.md), and what a command says of a case with one.

use fairdeal::beacon::{Chain, Chains};
use fairdeal::deal::{Contributions, DrandRandomness, ServerSeed};
use fairdeal::raffle::{
    Entrant, GivenBeacon, RaffleDocument, RaffleError, RaffleGiven, RaffleRules, Tickets,
    TicketsError, verify_raffle,
};
use fairdeal::record::entry::{
    BeaconTerms, Commit, Lock, LoggedContribution, Mixing, RevealedSeed, Table, Terms,
};
use fairdeal::record::json::to_canonical;
use fairdeal::record::receipt::{ReaderGiven, Receipt};
use fairdeal::record::replay::{RoundResult, deal_round};
use serde_json::{Value, json};

use crate::answers::without_says;
use crate::brought::{given, key_of};
use crate::paper::{ORIGIN, PaperLog, counting_seed, int, nonce};

/// How long before its round the promise of a paper raffle is: ten minutes, in milliseconds.
const BEFORE: u64 = 600_000;

/// A raffle of a paper log.
pub struct PaperRaffle {
    pub log: PaperLog,
    pub seed: ServerSeed,
    pub commit: Box<Commit>,
    pub rules: RaffleRules,
    pub list: String,
    /// The index of the lock.
    pub lock: u64,
    /// The entries of a receipt.
    pub entries: Vec<u64>,
    pub contributions: Vec<LoggedContribution>,
    /// The lock's round, and the second at which it is out.
    pub round: u64,
    pub out: u64,
}

/// What a raffle is promised with.
#[derive(Clone)]
pub struct Promise<'a> {
    pub list: &'a str,
    pub rules: RaffleRules,
    pub chain: &'a Chain,
    /// The round that decides.
    pub round: u64,
    /// The first byte of the server seed.
    pub seed: u8,
    pub contributions: Vec<LoggedContribution>,
}

impl PaperRaffle {
    /// Writes commit and lock at one time, as honest organisers do; `change` may alter the commit.
    pub fn promise(promise: Promise<'_>, change: impl FnOnce(&mut Commit)) -> Self {
        let Promise { list, rules, chain, round, seed, contributions } = promise;
        let (mut log, seed, out) =
            (PaperLog::new(ORIGIN, 7), counting_seed(seed), chain.out(round));
        log.time = out * 1000 - BEFORE;
        let tickets = Tickets::parse(list.as_bytes()).expect("a list");
        let table = Table::new("raffle-1").expect("a table");
        let (_, commit) = log.commit(&seed, |commit| {
            commit.terms = Terms {
                draw: tickets.draw(rules.count()).unwrap_or(1).into(),
                mixing: Mixing::Beacon,
                beacon: Some(BeaconTerms {
                    chain: chain.hash(),
                    margin: int(out * 1000 - commit.time.value() - 1),
                }),
                rules: Some(rules.digest()),
                ..Terms::new(table, tickets.deck())
            };
            change(commit);
        });
        let mixed = Some(contributions.clone()).filter(|one| !one.is_empty());
        let lock = Lock {
            beacon: Some(int(round)),
            contributions: mixed,
            ..Lock::new(commit.commitment, nonce(0), vec![], commit.time)
        };
        let lock = log.append(&lock.into());
        let (list, entries) = (list.to_owned(), vec![0, lock]);
        Self { log, seed, commit, rules, list, lock, entries, contributions, round, out }
    }

    /// What the signature gives.
    pub fn result(&self, signature: &[u8; 48]) -> RoundResult {
        let drand = DrandRandomness::of_signature(signature);
        let clear = |one: &LoggedContribution| one.with_seed(one.seed.clone().expect("clear"));
        let clients = self.contributions.iter().map(clear).collect();
        let mixed = Contributions::with_drand(clients, drand).expect("legal");
        deal_round(&self.commit, &self.seed.mac(), nonce(0), &mixed).expect("legal")
    }

    /// Appends the deal, five seconds after the round; `change` may alter its result.
    pub fn deal(&mut self, signature: &[u8; 48], change: impl FnOnce(&mut Value)) {
        self.log.time = self.out * 1000 + 5000;
        let mut result = json!(self.result(signature).form);
        change(&mut result);
        let deal = json!({
            "beacon": hex::encode(signature), "commitment": self.commit.commitment,
            "entry": "deal", "lock": self.lock, "nonce": 0, "result": result,
            "time": self.log.tick(),
        });
        self.entries.push(self.log.append_bytes(to_canonical(&deal).as_bytes()));
    }

    pub fn reveal(&mut self) {
        self.entries.push(self.log.reveal(&self.seed));
    }

    /// Gives up the draw so many milliseconds after the round is out.
    pub fn void(&mut self, after: u64) {
        self.log.time = self.out * 1000 + after - 1000;
        self.entries.push(self.log.void(self.commit.commitment, Some(0), None));
    }

    /// The receipt; its checkpoint is signed by these witnesses at these seconds.
    pub fn receipt(&self, by: &[(u8, u64)]) -> Receipt {
        let mut receipt = self.log.receipt(&self.entries);
        receipt.checkpoint = self.log.cosigned_checkpoint(by);
        receipt
    }

    /// An anchor of the log's size, signed by these witnesses at these seconds, with the proof that
    /// a later receipt needs.
    pub fn anchor(&mut self, by: &[(u8, u64)]) -> u64 {
        let size = self.log.size();
        // The anchor comes after the signatures in it.
        let last = by.iter().map(|(_, time)| time * 1000).max().unwrap_or(0);
        self.log.time = self.log.time.max(last);
        self.entries.push(self.log.anchor(size, by));
        size
    }

    /// The document with the server seed, as JSON.
    pub fn document(&self, receipt: Receipt) -> Value {
        let seed = Some(RevealedSeed::of(&self.seed));
        let document = RaffleDocument::new(self.rules.clone(), receipt, seed).expect("a raffle");
        serde_json::from_str(&document.to_text()).expect("JSON")
    }
}

/// What a command says of a case: its exit code, and its verdict without free text, if there is
/// one. The members of a case are those of `raffle.json` (fixtures/README.md).
pub fn judged(case: &Value) -> (u8, Option<Value>) {
    match verdict(case) {
        Ok((verdict, is_compared)) => {
            let exit = match verdict["holds"] == true {
                false => 1,
                true if is_compared => 0,
                true => 3,
            };
            (exit, Some(without_says(verdict)))
        }
        Err(exit) => (exit, None),
    }
}

/// The same in the order of spec/raffle.md, section 39; and whether what the reader brought was
/// compared.
fn verdict(case: &Value) -> Result<(Value, bool), u8> {
    let text = |name: &str| case[name].as_str();
    let key = key_of(case);
    let list = text("list").expect("a list").as_bytes();
    let tickets = Tickets::parse(list).map_err(|error| match error {
        TicketsError::TooLong(_) => 3,
        _ => 2,
    })?;
    let chain = |info: &Value| Chain::parse(info.to_string().as_bytes());
    let chains = case["chains"].as_array().into_iter().flatten().map(chain);
    let chains = chains.collect::<Result<Vec<_>, _>>().and_then(Chains::with).map_err(|_| 2)?;
    let beacon = text("beacon").map(|text| GivenBeacon::parse(text.as_bytes()));
    let beacon = beacon.transpose().map_err(|_| 2)?;
    let of_link = text("link").map(Entrant::parse_link).transpose().map_err(|_| 2)?;
    let line = text("line").map(str::to_owned).or(of_link.map(|entrant| entrant.line()));
    let read = |text: &str, exit| RaffleDocument::parse(text.as_bytes()).map_err(|_| exit);
    let kept = case["kept"].as_array().into_iter().flatten();
    let kept = kept.map(|one| read(one.as_str().expect("text"), 2)).collect::<Result<_, _>>()?;
    let document = read(text("file").expect("a document"), 3)?;
    let reader = ReaderGiven { chains, ..given(case) };
    let given = RaffleGiven { reader, kept, beacon, line, audited: None };
    let verdict = verify_raffle(&document, &tickets, &key, &given);
    let verdict = verdict.map_err(|error| match error {
        RaffleError::Document(_) => 3,
        _ => 2,
    })?;
    let is_compared = !verdict.receipt.is_of_another_round();
    Ok((serde_json::to_value(verdict).expect("JSON"), is_compared))
}
