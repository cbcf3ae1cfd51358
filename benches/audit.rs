//! Auditing a log, beside the primitives that every audit needs, and beside a plain implementation.
//!
//! The floor of one deal: SHA-256 of its seed (shared by the rounds under it), the HMAC of its
//! message, 256 bytes of keystream, the leaf's hash and one node's, by the same crates' plain API.
//! Everything else is what an audit adds: reading the entry, the rules, the draws, comparing the
//! cards. The figures are for one entry of a sample log, which nearly all are deals.

#[path = "memory_log.rs"]
mod memory_log;
#[path = "support.rs"]
mod support;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use fairdeal::deal::{Contribution, Contributions, Nonce, message};
use fairdeal::log::{Checkpoint, Frontier, KeyError, Policy, WitnessSigner, leaf_hash, node_hash};
use fairdeal::record::entry::{Anchor, Entry, Int, PlayerSigner, RoundOf, signed_message};
use fairdeal::record::life::{Effect, Extent};
use fairdeal::record::receipt::SignedBy;
use fairdeal::record::{Judge, replay};
use fairdeal::sample::SampleTerms;
use fairdeal_audit::{Partial, Times, Under};
use hmac::{Hmac, KeyInit, Mac};
use memory_log::{MemoryLog, one_core, two_cores};
use rayon::ThreadPool;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use support::{Outcome, Table};

fn main() -> Outcome {
    let table = Table::new("audit, an entry", 200);
    let log = Log::new(4_000)?;
    let count = u32::try_from(log.of.entries.len())?;
    table.row_of("in memory, one core", count, || log.audit(), || log.floor());
    table.row_of("the plain way, one core", count, || log.plainly(), || log.floor());
    whole(&table)?;
    signed()?;
    anchored()?;
    million()
}

/// Half a million deals, a hundred each second, with an anchor of three witnesses each minute,
/// judged under a policy; beside the same deals without.
fn anchored() -> Outcome {
    let table = Table::new("audit with anchors each minute, an entry", 10);
    if !table.is_chosen(ANCHORED) {
        return Ok(());
    }
    let log = Log::of(&SampleTerms { deals: 500_000, ..SampleTerms::default() })?;
    let with = log.anchored(6_000)?;
    let count = u32::try_from(with.entries.len())?;
    let (files, bare) = (with.files()?, log.of.files()?);
    let two = two_cores()?;
    let without = || two.install(|| log.of.audit(&bare, false));
    table.row_of(ANCHORED, count, || two.install(|| with.audit(&files, false)), without);
    Ok(())
}

const ANCHORED: &str = "anchors of three witnesses, a hundred deals a second, by none";

/// Deals with all contributions signed, on all cores, beside the bare verification of as many
/// signatures.
fn signed() -> Outcome {
    let table = Table::new("audit of signed contributions, an entry", 10);
    if !table.is_chosen(SIGNED) {
        return Ok(());
    }
    let log = Log::signed(2_000)?;
    let count = u32::try_from(log.of.entries.len())?;
    let files = log.of.files()?;
    let bare = log.signatures()?;
    let two = two_cores()?;
    let floor = || {
        let verifies =
            |(key, message, signature): &Signed| key.verify_strict(message, signature).is_ok();
        two.install(|| bare.par_iter().all(verifies))
    };
    table.row_of(SIGNED, count, || two.install(|| log.of.audit(&files, false)), floor);
    Ok(())
}

/// A signature, its key and its message.
type Signed = (VerifyingKey, Vec<u8>, Signature);

const SIGNED: &str = "every contribution signed, two cores";

/// A log of a million deals, as from `fairdeal generate`: few rounds of measuring, each of a
/// second.
fn million() -> Outcome {
    let table = Table::new("audit of a million deals, an entry", 5);
    if !table.is_chosen(MILLION) && !table.is_chosen(BY_ONE) {
        return Ok(());
    }
    let log = Log::of(&SampleTerms { deals: 1_000_000, ..SampleTerms::default() })?;
    let count = u32::try_from(log.of.entries.len())?;
    let files = log.of.files()?;
    let [one, two] = [one_core(), two_cores()];
    let (one, two) = (one?, two?);
    let audit = |pool: &ThreadPool| pool.install(|| log.of.audit(&files, false));
    table.row_of(MILLION, count, || audit(&two), || log.floor());
    table.row_of(BY_ONE, count, || audit(&two), || audit(&one));
    Ok(())
}

/// The floor uses one core, so the second core can bring the ratio under 1.
const MILLION: &str = "a million deals on two cores, by one core's floor";
const BY_ONE: &str = "a million deals, two cores by one";

/// The audit of the command, with every file read and every tile compared, on one core and on two.
fn whole(table: &Table) -> Outcome {
    let log = Log::new(40_000)?;
    let count = u32::try_from(log.of.entries.len())?;
    let files = log.of.files()?;
    let [one, two] = [one_core(), two_cores()];
    let (one, two) = (one?, two?);
    let audit = |pool: &ThreadPool| pool.install(|| log.of.audit(&files, false));
    table.row_of("files and tiles, one core", count, || audit(&one), || log.floor());
    table.row_of("files and tiles, two cores by one", count, || audit(&two), || audit(&one));
    Ok(())
}

struct Log {
    of: MemoryLog,
    /// The floor's input for a deal: its message, made beforehand.
    message: Vec<u8>,
}

impl Log {
    fn new(deals: u64) -> Result<Self, Box<dyn std::error::Error>> {
        Self::of(&SampleTerms { deals, rounds: 250, ..SampleTerms::default() })
    }

    fn of(terms: &SampleTerms) -> Result<Self, Box<dyn std::error::Error>> {
        let players =
            ["8768f051da99c8b5", "7409f54fd1434d37"].map(|seed| Contribution::new(seed, seed));
        let players = players.into_iter().collect::<Result<_, _>>()?;
        let message = message(Nonce::new(7)?, &Contributions::of_clients(players)?);
        Ok(Self { of: MemoryLog::of(terms)?, message })
    }

    /// The same log, with each contribution signed by a player's key.
    fn signed(deals: u64) -> Result<Self, Box<dyn std::error::Error>> {
        let mut log = Self::new(deals)?;
        let signer = PlayerSigner::from_seed(&[7; 32]);
        for text in &mut log.of.entries {
            let Entry::Deal(mut deal) = Entry::parse(text.as_bytes())? else { continue };
            let round =
                RoundOf { log: &log.of.key, commitment: deal.commitment, nonce: deal.nonce };
            let all = deal.contributions.take().unwrap_or_default();
            deal.contributions =
                Some(all.into_iter().map(|one| signer.sign(&round, one)).collect());
            *text = Entry::Deal(deal).to_text()?;
        }
        log.of.bundle()?;
        Ok(log)
    }

    /// The same log with an anchor after each so many entries, and a policy of two of three.
    fn anchored(&self, every: usize) -> Result<MemoryLog, Box<dyn std::error::Error>> {
        let origin = self.of.key.name();
        let witness = |number: u8| {
            let name = format!("w{number}.example").parse()?;
            Ok(WitnessSigner::from_seed(name, &[number; 32]))
        };
        let witnesses = (1..=3).map(witness).collect::<Result<Vec<_>, KeyError>>()?;
        let (mut tree, mut entries) = (Frontier::new(), Vec::new());
        for chunk in self.of.entries.chunks(every) {
            for entry in chunk {
                tree.push(leaf_hash(entry.as_bytes()))?;
            }
            entries.extend_from_slice(chunk);
            let time = chunk.last().map(|entry| Entry::parse(entry.as_bytes())).transpose()?;
            let time = time.map_or(0, |entry| entry.time());
            let checkpoint = Checkpoint::new(origin.as_str(), tree.size(), tree.root())?;
            let line = |one: &WitnessSigner| one.cosign(&checkpoint.to_text(), time / 1000);
            let lines = witnesses.iter().filter_map(line).collect();
            let root = fairdeal::deal::Digest::from_bytes(*tree.root().as_bytes());
            let size = Int::try_from(tree.size())?;
            let anchor = Entry::from(Anchor::new(size, root, lines, Int::try_from(time)?));
            let text = anchor.to_text()?;
            tree.push(leaf_hash(text.as_bytes()))?;
            entries.push(text);
        }
        let line = |(number, one): (u8, &WitnessSigner)| {
            format!("witness w{number} {}\n", one.key().to_text())
        };
        let mut policy: String = (1..).zip(&witnesses).map(line).collect();
        policy.push_str("group all 2 w1 w2 w3\nquorum all\n");
        let policy = Some(Arc::new(Policy::parse(policy.as_bytes())?));
        let mut log = MemoryLog { key: self.of.key.clone(), entries, bundles: Vec::new(), policy };
        log.bundle()?;
        Ok(log)
    }

    /// The log's signatures, with their messages.
    fn signatures(&self) -> Result<Vec<Signed>, Box<dyn std::error::Error>> {
        let mut all = Vec::new();
        let signer = SigningKey::from_bytes(&[7; 32]);
        for text in &self.of.entries {
            let Entry::Deal(deal) = Entry::parse(text.as_bytes())? else { continue };
            let round =
                RoundOf { log: &self.of.key, commitment: deal.commitment, nonce: deal.nonce };
            for one in deal.contributions() {
                let message = signed_message(&round, one);
                let signature = signer.sign(&message);
                all.push((signer.verifying_key(), message, signature));
            }
        }
        Ok(all)
    }

    /// Our audit, on the calling thread.
    fn audit(&self) -> bool {
        let mut audit = Partial::start(self.of.key.clone());
        let mut first = 0;
        for (bundle, chunk) in self.of.bundles.iter().zip(self.of.entries.chunks(256)) {
            let width = u16::try_from(chunk.len()).unwrap_or_default();
            let right = Partial::of_bundle(
                Under::key(&self.of.key),
                first,
                bundle.clone(),
                width,
                0..chunk.len(),
            );
            let Ok((right, _)) = right else { return false };
            first = right.ends().1;
            if audit.merge(right).is_err() {
                return false;
            }
            for replays in audit.take_replays() {
                audit.replayed(replays.run());
            }
        }
        audit.finish(Times::default()).is_some_and(|verdict| verdict.holds)
    }

    /// A plain implementation: parse, judge and hash each entry; keep each deal and replay it
    /// alone.
    fn plainly(&self) -> bool {
        let mut judge = Judge::new(SignedBy(&self.of.key), Extent::Whole);
        let mut tree = Frontier::new();
        let mut waiting = BTreeMap::<_, Vec<_>>::new();
        let mut holds = true;
        for (index, entry) in (0..).zip(&self.of.entries) {
            holds &= tree.push(leaf_hash(entry.as_bytes())).is_ok();
            let Ok(parsed) = Entry::parse(entry.as_bytes()) else { return false };
            let judged = judge.apply(index, &parsed);
            holds &= judged.findings.is_empty();
            let Some(commitment) = parsed.commitment() else { continue };
            match judged.effect {
                Some(Effect::Dealt(_, Some(deal))) => {
                    waiting.entry(commitment).or_default().push(deal);
                }
                Some(Effect::Revealed(seed)) => {
                    let Some(life) = judge.life(&commitment) else { return false };
                    for deal in waiting.remove(&commitment).unwrap_or_default() {
                        let replay::Mixed::Verified(players) = &deal.mixed else { return false };
                        let result = replay::deal_round(
                            &life.commit,
                            &seed.seed().mac(),
                            deal.nonce,
                            players,
                        );
                        holds &= result.is_ok_and(|result| result.form == deal.result);
                    }
                }
                _ => {}
            }
        }
        black_box(tree.root());
        holds
    }

    fn floor(&self) -> [u8; 32] {
        let mut sum = [0; 32];
        for (index, entry) in (0..).zip(&self.of.entries) {
            sum = primitives(index, entry.as_bytes(), &self.message, sum);
        }
        sum
    }
}

fn primitives(index: u64, entry: &[u8], message: &[u8], sum: [u8; 32]) -> [u8; 32] {
    // One seed for a thousand rounds.
    let seed: [u8; 32] =
        if index.trailing_zeros() >= 10 { Sha256::digest(sum).into() } else { sum };
    let Ok(mac) = Hmac::<Sha256>::new_from_slice(&seed) else { return sum };
    let key = mac.chain_update(message).finalize().into_bytes();
    let mut stream = [0; 256];
    ChaCha20::new(&key, &[0; 12].into()).apply_keystream(&mut stream);
    black_box(&stream);
    let leaf = leaf_hash(entry);
    *node_hash(&leaf, &leaf).as_bytes()
}
