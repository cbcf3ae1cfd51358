//! Generated logs: random tables, commitments and rounds, honest or with faults.

#![allow(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use fairdeal::deal::{Commitment, Deck, Digest, Label, ServerSeed};
use fairdeal::record::entry::{
    BeaconTerms, Commit, Entry, LoggedContribution, Mixing, PlayerSigner, RoundOf, SeenCheckpoint,
    Table,
};
use fairdeal::record::json::to_canonical;
use serde_json::{Value, json};

use crate::dice::{Dice, change};
use crate::paper::{ORIGIN, PaperLog, Player, int, logged_clients, paper_key, seeing};

const CLIENTS: [(&str, &str); 5] = [
    ("alice", "lucky"),
    ("bob", "seven"),
    ("carol", "lucky"),
    ("dave", "lucky"),
    ("élodie", "sept ♥"),
];

/// A commitment that has not ended.
struct Open {
    seed: ServerSeed,
    commit: Box<Commit>,
    next: u64,
    locked: Option<(u64, Locked)>,
    used: bool,
}

enum Locked {
    Hashed(Vec<Player>),
    Clear(Vec<LoggedContribution>),
}

/// A log, the checkpoints that players and others have seen, and the dice.
pub struct Writer<'a> {
    dice: &'a mut Dice,
    log: PaperLog,
    saved: Vec<String>,
    looks: Vec<SeenCheckpoint>,
    open: Vec<Open>,
    last: [Option<Commitment>; 2],
    faulty: bool,
    /// The size of the last anchor, if there are anchors.
    anchored: Option<u64>,
}

impl<'a> Writer<'a> {
    pub fn new(dice: &'a mut Dice) -> Self {
        let log = PaperLog::new(ORIGIN, 7);
        let faulty = !dice.one_in(4);
        let saved = vec![log.checkpoint()];
        let (looks, open, last, anchored) = (Vec::new(), Vec::new(), [None; 2], None);
        Self { dice, log, saved, looks, open, last, faulty, anchored }
    }

    /// Of a log with anchors.
    pub fn with_anchors(dice: &'a mut Dice) -> Self {
        Self { anchored: Some(0), ..Self::new(dice) }
    }

    /// Writes some random entries. Returns the log, and the checkpoints that somebody saved.
    pub fn write(mut self) -> (PaperLog, Vec<String>) {
        let (mut fork, mut stranger) = (PaperLog::new(ORIGIN, 7), PaperLog::new(ORIGIN, 8));
        fork.append_bytes(b"fork");
        stranger.append_bytes(b"stranger");
        for _ in 0..self.dice.below(30) + 5 {
            if self.log.size() > 0 && self.dice.one_in(4) {
                self.saved.push(self.log.checkpoint());
                self.looks.push(self.log.seen());
            }
            if self.faulty && self.dice.one_in(60) {
                self.looks.push(self.dice.of(&[fork.seen(), stranger.seen()]).clone());
            }
            if self.faulty && self.dice.one_in(25) {
                self.log.time -= 2500;
            }
            if self.faulty && self.dice.one_in(40) {
                self.log.time += 90_000_000;
            }
            if let Some(last) = self.anchored.filter(|last| *last < self.log.size())
                && self.dice.one_in(6)
            {
                self.anchor(last, &fork);
            }
            if self.open.is_empty() || (self.faulty && self.dice.one_in(6)) {
                self.commit();
            } else {
                let at = self.dice.below(self.open.len());
                let mut life = self.open.remove(at);
                if self.act(&mut life) {
                    self.open.insert(at, life);
                }
            }
        }
        if self.faulty {
            (0..self.dice.below(4)).for_each(|_| self.tamper());
        }
        (self.log, self.saved)
    }

    /// An anchor of a size over `last`, by some of three witnesses. Faulty ones are of another root, or
    /// have times of minutes before or after.
    fn anchor(&mut self, last: u64, fork: &PaperLog) {
        let most = self.dice.below(usize::try_from(self.log.size() - last).expect("small"));
        let mut size = last + 1 + u64::try_from(most).expect("small");
        let mut root = self.log.root_at(size);
        if self.faulty && self.dice.one_in(10) {
            (size, root) = *self.dice.of(&[
                (last.max(1), root),
                (1, fork.root_at(1)),
                (size, fork.root_at(1)),
            ]);
        }
        let now = self.log.time / 1000;
        let mut lines = Vec::new();
        for one in 1..=3 {
            let time = match self.dice.below(12) {
                0 => continue,
                1 if self.faulty => {
                    *self.dice.of(&[0, now - 302, now - 301, now + 301, now + 302, now + 4000])
                }
                _ => now - 2 + u64::try_from(self.dice.below(5)).expect("small"),
            };
            lines.push((one, time));
        }
        if !lines.is_empty() {
            self.log.anchor_of(size, root, &lines);
            self.anchored = Some(last.max(size));
        }
    }

    fn commit(&mut self) {
        let table = self.dice.below(2);
        let seed = match self.open.first() {
            Some(life) if self.dice.one_in(10) => copy_of(&life.seed),
            _ => self.dice.seed(),
        };
        let after = if self.faulty && self.dice.one_in(10) { None } else { self.last[table] };
        let mixing = match self.dice.below(10) {
            0 if self.faulty => Mixing::Beacon,
            1..4 => Mixing::Hashes,
            _ => Mixing::Seeds,
        };
        let (sealed, list, rounds) =
            (self.dice.one_in(5), self.dice.one_in(5), self.dice.below(4) + 1);
        let (signed, has_layout) = (self.dice.one_in(5), self.dice.one_in(5));
        let layout = r#"{"hand":1}"#;
        let (_, commit) = self.log.commit(&seed, |terms| {
            terms.after = after;
            terms.mixing = mixing;
            terms.sealed = sealed;
            terms.draw = int(3);
            terms.rounds = int(u64::try_from(rounds).expect("small"));
            terms.signed = signed;
            terms.layout = has_layout.then(|| serde_json::from_str(layout).expect("legal"));
            terms.table = Table::new(["low", "high ♠"][table]).expect("a table");
            if list {
                terms.deck = Deck::list(7, Digest::from_bytes([1; 32])).expect("legal");
            }
            if mixing == Mixing::Beacon {
                terms.beacon =
                    Some(BeaconTerms { chain: Digest::from_bytes([2; 32]), margin: int(0) });
            }
        });
        self.last[table] = Some(commit.commitment);
        self.open.push(Open { seed, commit, next: 0, locked: None, used: false });
    }

    /// Writes one entry under a commitment. Returns whether more may follow under it.
    fn act(&mut self, life: &mut Open) -> bool {
        let nonce = match self.dice.below(12) {
            0 if self.faulty => life.next + 1,
            1 if self.faulty => life.next.saturating_sub(1),
            _ => life.next,
        };
        if let Some((lock, locked)) = life.locked.take() {
            return self.answer(life, nonce, lock, locked);
        }
        let used_up = life.next >= life.commit.rounds.value();
        if used_up && !(self.faulty && self.dice.one_in(4)) {
            return self.reveal(life);
        }
        match self.dice.below(12) {
            0 => return self.reveal(life),
            1 if self.faulty || !life.used => {
                self.log.void(life.commit.commitment, None, None);
                return self.faulty && self.dice.one_in(3);
            }
            2 => self.void(life, nonce, None),
            3 if self.faulty => self.log_junk(life),
            4 | 5 => self.lock(life, nonce),
            _ if self.faulty && self.dice.one_in(4) || life.commit.mixing == Mixing::Seeds => {
                let clients = self.clients();
                let clients = self.signed(life, nonce, clients);
                self.deal(life, nonce, clients);
            }
            _ => self.lock(life, nonce),
        }
        true
    }

    fn clients(&mut self) -> Vec<LoggedContribution> {
        let first = self.dice.below(CLIENTS.len());
        let last = (first + self.dice.below(3)).min(CLIENTS.len() - 1);
        let mut clients = Vec::new();
        for client in &CLIENTS[first..=last] {
            if !self.looks.is_empty() && self.dice.one_in(3) {
                clients.push(seeing(client.0, client.1, self.dice.of(&self.looks)));
            } else {
                clients.extend(logged_clients(&[*client]));
            }
        }
        clients
    }

    /// The contributions, with their players' signatures if the commitment demands them.
    fn signed(
        &mut self,
        life: &Open,
        nonce: u64,
        all: Vec<LoggedContribution>,
    ) -> Vec<LoggedContribution> {
        if !life.commit.signed && !self.dice.one_in(8) {
            return all;
        }
        let commitment = life.commit.commitment;
        let sign = |one: LoggedContribution| {
            let wrong = self.faulty && self.dice.one_in(12);
            let nonce = crate::paper::nonce(nonce + u64::from(wrong));
            let signer = PlayerSigner::from_seed(
                &[u8::try_from(one.from.as_str().len()).expect("short"); 32],
            );
            if self.faulty && self.dice.one_in(12) {
                return one;
            }
            signer.sign(&RoundOf { log: paper_key(), commitment, nonce }, one)
        };
        all.into_iter().map(sign).collect()
    }

    /// The seats, if the commitment has a layout; its draw has room for three.
    fn seats(&mut self, life: &Open, all: &[LoggedContribution]) -> Option<Vec<Label>> {
        let is_wrong = self.faulty && self.dice.one_in(10);
        if life.commit.layout.is_some() == is_wrong {
            return None;
        }
        let mut seats: Vec<Label> = all.iter().map(|one| one.from.clone()).collect();
        if seats.len() < 3 && self.dice.one_in(3) {
            seats.insert(0, crate::paper::label("zoë"));
        }
        Some(seats)
    }

    fn deal(&mut self, life: &mut Open, nonce: u64, clients: Vec<LoggedContribution>) {
        let seats = self.seats(life, &clients);
        let mut deal = self.log.deal_entry_of(&life.commit, &life.seed.mac(), nonce, clients);
        deal.seats = seats;
        self.log.append(&Entry::Deal(Box::new(deal)));
        life.next = life.next.max(nonce + 1);
        life.used = true;
    }

    fn lock(&mut self, life: &mut Open, nonce: u64) {
        let c = life.commit.commitment;
        life.used = true;
        if life.commit.mixing == Mixing::Beacon {
            let time = self.log.tick();
            self.log_json(
                &json!({"beacon": 5, "commitment": c.to_text(), "entry": "lock", "nonce": nonce, "time": time}),
            );
            let time = self.log.tick();
            let mut deal = json!({"commitment": c.to_text(), "entry": "deal", "nonce": nonce, "time": time,
                "lock": self.log.size() - 1, "result": {"cards": "2c3c4c"}});
            if self.dice.one_in(2) {
                deal["beacon"] = json!("ab".repeat(48));
            }
            self.log_json(&deal);
            life.next = life.next.max(nonce + 1);
            return;
        }
        let clients = self.clients();
        let clear = life.commit.mixing == Mixing::Seeds && self.dice.one_in(2);
        if clear || (self.faulty && self.dice.one_in(8)) {
            let clients = self.signed(life, nonce, clients);
            let seats = self.seats(life, &clients);
            let index = self.log.lock_with(c, nonce, clients.clone(), seats);
            life.locked = Some((index, Locked::Clear(clients)));
            return;
        }
        let players: Vec<Player> = clients
            .into_iter()
            .zip(1..)
            .map(|(one, blind)| {
                let seed = one.seed.clone().expect("a clear one");
                Player { seen: one.seen, ..Player::new(one.from.as_str(), seed.as_str(), blind) }
            })
            .collect();
        let hashed =
            self.signed(life, nonce, players.iter().map(|p| p.hashed(&c, nonce)).collect());
        let seats = self.seats(life, &hashed);
        let index = self.log.lock_with(c, nonce, hashed, seats);
        life.locked = Some((index, Locked::Hashed(players)));
    }

    /// The entry after a lock: mostly its deal.
    fn answer(&mut self, life: &mut Open, nonce: u64, lock: u64, locked: Locked) -> bool {
        let lock_named =
            if self.faulty && self.dice.one_in(8) { lock.saturating_sub(1) } else { lock };
        match self.dice.below(10) {
            0 | 1 => {
                let blamed = match &locked {
                    Locked::Hashed(players) => players[0].from.as_str().to_owned(),
                    Locked::Clear(clients) => clients[0].from.as_str().to_owned(),
                };
                let blamed = if self.faulty && self.dice.one_in(4) { "nobody" } else { &blamed };
                self.void(life, nonce, Some(blamed));
            }
            2 if self.faulty => {
                life.locked = Some((lock, locked));
                match self.dice.below(3) {
                    0 => return self.reveal(life),
                    1 => {
                        self.log.lock(life.commit.commitment, nonce, logged_clients(&CLIENTS[..1]));
                    }
                    _ => {
                        let clients = self.clients();
                        self.deal(life, nonce, clients);
                    }
                }
            }
            _ => match locked {
                Locked::Hashed(mut players) => {
                    if self.faulty && self.dice.one_in(6) {
                        players[0].blind = fairdeal::deal::Blind::from_bytes([9; 32]);
                    }
                    let opened = if self.faulty && self.dice.one_in(6) { 1 } else { players.len() };
                    let (commit, mac) = (&life.commit, life.seed.mac());
                    self.log.deal_locked(commit, &mac, nonce, lock_named, &players[..opened]);
                    life.next = life.next.max(nonce + 1);
                }
                Locked::Clear(clients) => {
                    let mut deal =
                        self.log.deal_entry_of(&life.commit, &life.seed.mac(), nonce, clients);
                    deal.contributions = None;
                    deal.lock = Some(int(lock_named));
                    self.log.append(&Entry::Deal(Box::new(deal)));
                    life.next = life.next.max(nonce + 1);
                }
            },
        }
        true
    }

    fn void(&mut self, life: &mut Open, nonce: u64, blame: Option<&str>) {
        self.log.void(life.commit.commitment, Some(nonce), blame);
        life.used = true;
        life.next = life.next.max(nonce + 1);
    }

    fn reveal(&mut self, life: &mut Open) -> bool {
        if self.faulty && self.dice.one_in(8) {
            let (c, time) = (life.commit.commitment.to_text(), self.log.tick());
            let zeros = "00".repeat(32);
            self.log_json(
                &json!({"commitment": c, "entry": "reveal", "server_seed": zeros, "time": time}),
            );
        }
        self.log.reveal(&life.seed);
        self.faulty && self.dice.one_in(3)
    }

    fn log_json(&mut self, value: &Value) {
        self.log.append_bytes(to_canonical(value).as_bytes());
    }

    /// No entry, an entry of another protocol, or one under such a commitment.
    fn log_junk(&mut self, life: &Open) {
        let other = "ab".repeat(32);
        let commit = |c: &str| json!({"commitment": c, "entry": "commit", "protocol": "other/v1", "time": 1});
        match self.dice.below(6) {
            0 => {
                self.log.append_bytes(b"{ \"entry\": 1}");
            }
            1 => self.log_json(&json!([1, 2])),
            2 | 3 => self.log_json(&commit(&other)),
            4 => self.log_json(&commit(&life.commit.commitment.to_text())),
            _ => self.log_json(&json!({"commitment": other, "entry": "reveal", "time": 5})),
        }
    }

    /// Changes, drops, swaps or repeats entries, and signs the log anew.
    fn tamper(&mut self) {
        let mut entries = self.log.entries().to_vec();
        let at = self.dice.below(entries.len());
        match self.dice.below(6) {
            0 => drop(entries.remove(at)),
            1 => entries.push(entries[at].clone()),
            2 => entries.swap(0, at),
            3 => {
                // Swap two cards or indices of a deal.
                let deal = |bytes: &Vec<u8>| bytes.windows(9).any(|part| part == b"\"result\":");
                let Some(bytes) = entries.iter_mut().rev().find(|bytes| deal(bytes)) else {
                    return;
                };
                let mut value: Value = serde_json::from_slice(bytes).unwrap_or_default();
                if let Some(cards) =
                    value["result"].get_mut("cards").filter(|cards| cards.is_string())
                {
                    let text = cards.as_str().unwrap_or_default();
                    if text.is_ascii() && text.len() >= 4 {
                        *cards = json!(format!("{}{}{}", &text[2..4], &text[..2], &text[4..]));
                    }
                } else if let Some(indices) =
                    value["result"].get_mut("indices").and_then(Value::as_array_mut)
                {
                    indices.reverse();
                }
                *bytes = to_canonical(&value).into_bytes();
            }
            _ => {
                let Ok(mut value) = serde_json::from_slice::<Value>(&entries[at]) else { return };
                change(&mut value, self.dice);
                entries[at] = to_canonical(&value).into_bytes();
            }
        }
        let mut log = PaperLog::new(ORIGIN, 7);
        for entry in &entries {
            log.append_bytes(entry);
        }
        log.time = self.log.time;
        self.log = log;
    }
}

/// A copy of a secret, for tests only.
fn copy_of(seed: &ServerSeed) -> ServerSeed {
    let text = fairdeal::record::entry::RevealedSeed::of(seed);
    text.seed()
}
