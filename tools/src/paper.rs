//! A log on paper: entries, tree and signatures in memory, so that tests and vectors can write any
//! log, honest or not.

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use fairdeal::deal::{
    Blind, ClientSeed, Commitment, Contribution, Contributions, Deck, Digest, Label, Nonce,
    SealKey, SeedMac, ServerSeed,
};
use fairdeal::log::{
    Checkpoint, EntryBundle, Frontier, Hash, KeyName, Level, MemoryLog, Signature, SignerKey,
    TileBuilder, TilePath, VerifierKey, WitnessSigner, leaf_hash,
};
use fairdeal::record::entry::{
    Anchor, Commit, Deal, Entry, Int, Lock, LogSignature, LoggedContribution, Opened, Origin,
    Reason, Reveal, RoundOf, SeenCheckpoint, Table, Terms, Void,
};
use fairdeal::record::receipt::{OpenedCard, Opening, Receipt, Salt, SeenProof};
use fairdeal::record::replay;

/// The time at which paper logs begin: a round number of milliseconds.
pub const START: u64 = 1_760_000_000_000;

pub fn int(value: u64) -> Int {
    Int::new(value).expect("at most 2^53-1")
}

pub fn nonce(value: u64) -> Nonce {
    Nonce::new(value).expect("at most 2^53-1")
}

pub fn label(text: &str) -> Label {
    Label::new(text).expect("a label")
}

/// The server seed whose bytes count up from `first`.
pub fn counting_seed(first: u8) -> ServerSeed {
    let mut bytes: [u8; 32] =
        std::array::from_fn(|at| first.wrapping_add(u8::try_from(at).expect("under 32")));
    ServerSeed::from_bytes(&mut bytes)
}

/// A log in memory and the key that signs it.
pub struct PaperLog {
    pub signer: SignerKey,
    log: MemoryLog,
    pub time: u64,
}

impl PaperLog {
    pub fn new(origin: &str, key: u8) -> Self {
        let signer = SignerKey::from_seed(KeyName::parse(origin).expect("a key name"), &[key; 32]);
        Self { signer, log: MemoryLog::new(), time: START }
    }

    pub fn key(&self) -> &VerifierKey {
        self.signer.verifier()
    }

    pub fn origin(&self) -> Origin {
        Origin::new(self.key().name().as_str()).expect("a key name is an origin")
    }

    pub fn entries(&self) -> &[Vec<u8>] {
        self.log.entries()
    }

    pub fn append_bytes(&mut self, bytes: &[u8]) -> u64 {
        self.log.append(bytes)
    }

    pub fn append(&mut self, entry: &Entry) -> u64 {
        let text = entry.to_text().expect("a legal entry");
        self.append_bytes(text.as_bytes())
    }

    /// The time for the next entry: a second later than the one before.
    pub fn tick(&mut self) -> Int {
        self.time += 1000;
        int(self.time)
    }

    pub fn size(&self) -> u64 {
        self.log.size()
    }

    pub fn checkpoint_text(&self) -> String {
        let name = self.key().name().as_str();
        Checkpoint::new(name, self.size(), self.log.root()).expect("legal").to_text()
    }

    pub fn checkpoint(&self) -> String {
        self.log.checkpoint(&self.signer).expect("our own name").to_text()
    }

    /// The checkpoint as a player names it in a contribution.
    pub fn seen(&self) -> SeenCheckpoint {
        let signature = self.signer.sign(self.checkpoint_text().as_bytes());
        SeenCheckpoint {
            root: Digest::from_bytes(*self.log.root().as_bytes()),
            signature: LogSignature::new(self.key().id().to_bytes(), &signature),
            size: int(self.size()),
        }
    }

    pub fn proof(&self, index: u64) -> Vec<Hash> {
        self.log.inclusion_proof(index).expect("an index in the tree")
    }

    pub fn receipt(&self, indices: &[u64]) -> Receipt {
        Receipt::of(&self.log, indices.iter().copied(), &self.signer)
            .expect("entries of the log, in UTF-8")
    }

    /// The root that the log had at a size.
    pub fn root_at(&self, size: u64) -> Hash {
        self.log.root_at(size).expect("a size of the tree")
    }

    /// The proof from the log's root at a size to its checkpoint.
    pub fn seen_proof(&self, size: u64) -> SeenProof {
        let proof = self.log.consistency_proof(size).expect("a size of the tree");
        SeenProof {
            size: int(size),
            root: Digest::from_bytes(*self.root_at(size).as_bytes()),
            proof,
        }
    }

    /// A commit of `seed` with the usual terms, which `change` may alter.
    pub fn commit(
        &mut self,
        seed: &ServerSeed,
        change: impl FnOnce(&mut Commit),
    ) -> (u64, Box<Commit>) {
        let time = self.tick();
        let table = Table::new("table 1").expect("a table");
        let terms = Terms { rounds: Int::from(1000_u32), ..Terms::new(table, Deck::standard()) };
        let reveal_by = int(time.value() + 24 * 60 * 60 * 1000);
        let mut commit = Commit::new(seed.commitment(), self.origin(), terms, time, reveal_by);
        change(&mut commit);
        let commit = Box::new(commit);
        (self.append(&Entry::Commit(commit.clone())), commit)
    }

    /// A lock of contributions, in ascending order of their labels.
    pub fn lock(&mut self, c: Commitment, n: u64, contributions: Vec<LoggedContribution>) -> u64 {
        self.lock_with(c, n, contributions, None)
    }

    /// A lock with seats.
    pub fn lock_with(
        &mut self,
        c: Commitment,
        n: u64,
        mut contributions: Vec<LoggedContribution>,
        seats: Option<Vec<Label>>,
    ) -> u64 {
        contributions.sort_by(|a, b| a.from.cmp(&b.from));
        let time = self.tick();
        let lock = Lock { seats, ..Lock::new(c, nonce(n), contributions, time) };
        self.append(&lock.into())
    }

    /// A deal without a lock, its result computed honestly.
    pub fn deal(
        &mut self,
        commit: &Commit,
        seed: &SeedMac,
        n: u64,
        clients: &[(&str, &str)],
    ) -> u64 {
        let deal = self.deal_entry(commit, seed, n, clients);
        self.append(&Entry::Deal(Box::new(deal)))
    }

    pub fn deal_entry(
        &mut self,
        commit: &Commit,
        seed: &SeedMac,
        n: u64,
        clients: &[(&str, &str)],
    ) -> Deal {
        self.deal_entry_of(commit, seed, n, logged_clients(clients))
    }

    /// A deal of clear seeds, with or without `seen`, its result computed honestly.
    pub fn deal_entry_of(
        &mut self,
        commit: &Commit,
        seed: &SeedMac,
        n: u64,
        logged: Vec<LoggedContribution>,
    ) -> Deal {
        let time = self.tick();
        replay::deal_in_clear(commit, seed, nonce(n), logged, time)
            .expect("legal terms, clear seeds")
    }

    /// A deal after a lock of the players' hashed contributions, all opened.
    pub fn deal_locked(
        &mut self,
        commit: &Commit,
        seed: &SeedMac,
        n: u64,
        lock: u64,
        players: &[Player],
    ) -> u64 {
        let mut players: Vec<&Player> = players.iter().collect();
        players.sort_by(|a, b| a.from.cmp(&b.from));
        let contributions = players.iter().map(|p| p.contribution()).collect();
        let contributions = Contributions::of_clients(contributions).expect("1 to 64");
        let result =
            replay::deal_round(commit, seed, nonce(n), &contributions).expect("legal terms").form;
        let opened = players.iter().map(|p| Opened {
            blind: p.blind,
            from: p.from.clone(),
            seed: p.seed.clone(),
        });
        let (opened, time) = (opened.collect(), self.tick());
        self.append(
            &Deal::of_lock(commit.commitment, nonce(n), int(lock), opened, result, time).into(),
        )
    }

    pub fn void(&mut self, c: Commitment, n: Option<u64>, blame: Option<&str>) -> u64 {
        let time = self.tick();
        let whole = Void::whole(c, Reason::new("a player left").expect("a reason"), time);
        self.append(&Void { blame: blame.map(label), nonce: n.map(nonce), ..whole }.into())
    }

    /// The text of the checkpoint of this log of a size and a root.
    pub fn text_of(&self, size: u64, root: Hash) -> String {
        Checkpoint::new(self.key().name().as_str(), size, root).expect("legal").to_text()
    }

    /// An anchor of the log's own root at a size, signed by these witnesses at these seconds.
    pub fn anchor(&mut self, size: u64, by: &[(u8, u64)]) -> u64 {
        let root = self.root_at(size);
        self.anchor_of(size, root, by)
    }

    /// An anchor of any root.
    pub fn anchor_of(&mut self, size: u64, root: Hash, by: &[(u8, u64)]) -> u64 {
        let text = self.text_of(size, root);
        let lines = by.iter().map(|(one, time)| cosigned(*one, &text, *time)).collect();
        let (root, time) = (Digest::from_bytes(*root.as_bytes()), self.tick());
        self.append(&Anchor::new(int(size), root, lines, time).into())
    }

    /// The checkpoint with the cosignatures of these witnesses.
    pub fn cosigned_checkpoint(&self, by: &[(u8, u64)]) -> String {
        let text = self.checkpoint_text();
        let line = |(one, time): &(u8, u64)| cosigned(*one, &text, *time).to_text() + "\n";
        self.checkpoint() + &by.iter().map(line).collect::<String>()
    }

    pub fn reveal(&mut self, seed: &ServerSeed) -> u64 {
        let time = self.tick();
        self.append(&Reveal::new(seed, time).into())
    }
}

/// The witness of this number.
pub fn witness(number: u8) -> WitnessSigner {
    let name = KeyName::parse(&format!("w{number}.example")).expect("a key name");
    WitnessSigner::from_seed(name, &[100 + number; 32])
}

/// A witness's cosignature of the text of a checkpoint.
pub fn cosigned(number: u8, text: &str, time: u64) -> Signature {
    witness(number).cosign(text, time).expect("a time")
}

/// A policy of k of the first n witnesses.
pub fn policy(k: u8, n: u8) -> String {
    let line = |one: u8| format!("witness w{one} {}\n", witness(one).key().to_text());
    let names: Vec<String> = (1..=n).map(|one| format!("w{one}")).collect();
    let lines: String = (1..=n).map(line).collect();
    format!("{lines}group all {k} {}\nquorum all\n", names.join(" "))
}

/// The name of most paper logs.
pub const ORIGIN: &str = "cards.example/log";

/// The key of most paper logs.
pub fn paper_key() -> &'static VerifierKey {
    static KEY: LazyLock<VerifierKey> = LazyLock::new(|| PaperLog::new(ORIGIN, 7).key().clone());
    &KEY
}

/// A player who hashes first and opens later.
pub struct Player {
    pub from: Label,
    pub seed: ClientSeed,
    pub blind: Blind,
    pub seen: Option<SeenCheckpoint>,
}

impl Player {
    pub fn new(from: &str, seed: &str, blind: u8) -> Self {
        let (from, seed) = (label(from), ClientSeed::new(seed).expect("a seed"));
        Self { from, seed, blind: Blind::from_bytes([blind; 32]), seen: None }
    }

    pub fn contribution(&self) -> Contribution {
        let seen = self.seen.as_ref().map(SeenCheckpoint::mixed);
        Contribution { from: self.from.clone(), seed: self.seed.clone(), seen }
    }

    /// Its hash for a round of the paper log.
    pub fn hashed(&self, c: &Commitment, n: u64) -> LoggedContribution {
        let round = RoundOf { log: paper_key(), commitment: *c, nonce: nonce(n) };
        let hash = round.hash(&self.contribution(), &self.blind);
        LoggedContribution::promised(self.from.clone(), hash, self.seen.clone())
    }
}

pub fn logged_clients(clients: &[(&str, &str)]) -> Vec<LoggedContribution> {
    clients
        .iter()
        .map(|(from, seed)| {
            LoggedContribution::clear(label(from), ClientSeed::new(*seed).expect("a seed"), None)
        })
        .collect()
}

pub fn mixed(logged: &[LoggedContribution]) -> Contributions {
    let clients =
        logged.iter().map(|one| one.with_seed(one.seed.clone().expect("a clear seed"))).collect();
    Contributions::of_clients(clients).expect("1 to 64")
}

/// A clear seed with a `seen`.
pub fn seeing(from: &str, seed: &str, checkpoint: &SeenCheckpoint) -> LoggedContribution {
    LoggedContribution::clear(
        label(from),
        ClientSeed::new(seed).expect("a seed"),
        Some(checkpoint.clone()),
    )
}

/// An opening of some cards of the sealed deal of round `n`.
pub fn opening(
    receipt: Receipt,
    commit: &Commit,
    seed: &SeedMac,
    n: u64,
    clients: &[(&str, &str)],
    places: &[u32],
) -> Opening {
    let contributions = mixed(&logged_clients(clients));
    let items = commit.plan().expect("legal").deal(seed, nonce(n), &contributions).items;
    let sealed =
        SealKey::derive(seed, nonce(n), &contributions).seal(&commit.commitment, nonce(n), &items);
    let opened = places
        .iter()
        .map(|&t| OpenedCard {
            t: int(u64::from(t)),
            item: int(u64::from(items[usize::try_from(t).expect("small")])),
            salt: Salt(*sealed.salt(t).expect("a card of the deal")),
        })
        .collect();
    Opening::new(receipt, sealed.card_seals().to_vec(), opened)
}

impl PaperLog {
    /// The log's public files by their paths, as a static file server would serve them.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let (mut builder, mut tree) = (TileBuilder::default(), Frontier::new());
        let mut tiles = Vec::new();
        for entry in self.entries() {
            tree.push_with(leaf_hash(entry), |node, hash| tiles.extend(builder.add(node, hash)))
                .expect("room");
        }
        tiles.extend(builder.partial());
        let mut files: BTreeMap<String, Vec<u8>> =
            tiles.into_iter().map(|(path, tile)| (path.to_text(), tile.to_bytes())).collect();
        for (index, entries) in (0..).zip(self.entries().chunks(256)) {
            let path = TilePath::at_size(Level::Entries, index, self.size()).expect("in the tree");
            files.insert(
                path.to_text(),
                EntryBundle::new(entries.to_vec()).expect("legal").to_bytes(),
            );
        }
        files.insert("checkpoint".to_owned(), self.checkpoint().into_bytes());
        files
    }

    /// The log as one file (spec/ledger.md, section 10.5).
    pub fn exported(&self) -> Vec<u8> {
        let note = self.checkpoint();
        let mut bytes = b"fairdeal/export/v1\n".to_vec();
        bytes.extend(u32::try_from(note.len()).expect("short").to_be_bytes());
        bytes.extend(note.as_bytes());
        for entry in self.entries() {
            bytes.extend(u16::try_from(entry.len()).expect("short").to_be_bytes());
            bytes.extend(entry);
        }
        bytes
    }

    /// Writes the public files into a folder.
    pub fn publish(&self, folder: &std::path::Path) {
        write_files(folder, &self.files());
    }
}

/// Writes files below a folder.
pub fn write_files(folder: &std::path::Path, files: &BTreeMap<String, Vec<u8>>) {
    for (path, bytes) in files {
        let file = folder.join(path);
        std::fs::create_dir_all(file.parent().expect("below the folder")).expect("writable");
        std::fs::write(file, bytes).expect("writable");
    }
}
