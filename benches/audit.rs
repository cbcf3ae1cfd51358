//! A log audited beside the primitives that no audit can do without, and beside the plain way of writing one.
//!
//! The floor of one deal: SHA-256 of its seed (shared by the rounds under it), the HMAC of its message, 256 bytes of
//! keystream, the leaf's hash and one node's, by the same crates' plain API. Everything else is what an audit adds: reading the entry, the
//! rules, the draws, comparing the cards. The figures are for one entry of a sample log, which nearly all are deals.

#[path = "support.rs"]
mod support;

use std::hint::black_box;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use fairdeal::audit::Partial;
use fairdeal::deal::{Contribution, Contributions, Nonce, message};
use fairdeal::log::{EntryBundle, Frontier, VerifierKey, leaf_hash, node_hash};
use fairdeal::record::entry::Entry;
use fairdeal::record::life::{Effect, Extent};
use fairdeal::record::receipt::SignedBy;
use fairdeal::record::{Judge, replay};
use fairdeal::sample::{Sample, Terms};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use support::{Outcome, Table};

fn main() -> Outcome {
    let table = Table::new("audit, an entry", 200);
    let log = Log::new(4_000)?;
    let count = u32::try_from(log.entries.len())?;
    table.row_of("in memory, one core", count, || log.audit(), || log.floor());
    table.row_of("the plain way, one core", count, || log.plainly(), || log.floor());
    Ok(())
}

struct Log {
    key: VerifierKey,
    entries: Vec<String>,
    bundles: Vec<Vec<u8>>,
    /// What the floor hashes for a deal: its message, made beforehand.
    message: Vec<u8>,
}

impl Log {
    fn new(deals: u64) -> Result<Self, Box<dyn std::error::Error>> {
        let terms = Terms { deals, rounds: 250, ..Terms::default() };
        let key = Sample::signer(&terms, 1)?.verifier().clone();
        let entries: Vec<String> = Sample::new(&terms, 1)?.collect::<Result<_, _>>()?;
        let bundle = |chunk: &[String]| {
            EntryBundle::new(chunk.iter().map(|entry| entry.clone().into_bytes()).collect())
        };
        let bundles = entries.chunks(256).map(|chunk| Ok(bundle(chunk)?.to_bytes()));
        let bundles = bundles.collect::<Result<_, Box<dyn std::error::Error>>>()?;
        let players = ["8768f051da99c8b5", "7409f54fd1434d37"].map(|seed| Contribution::new(seed, seed));
        let players = players.into_iter().collect::<Result<_, _>>()?;
        let message = message(Nonce::new(7)?, &Contributions::of_clients(players)?);
        Ok(Self { key, entries, bundles, message })
    }

    /// Ours, on the thread that calls.
    fn audit(&self) -> bool {
        let mut audit = Partial::start(self.key.clone());
        let mut first = 0;
        for (bundle, chunk) in self.bundles.iter().zip(self.entries.chunks(256)) {
            let width = u16::try_from(chunk.len()).unwrap_or_default();
            let right = Partial::of_bundle(&self.key, first, bundle.clone(), width, 0..chunk.len());
            let Ok((right, _)) = right else { return false };
            first = right.ends().1;
            if audit.merge(right).is_err() {
                return false;
            }
            for replays in audit.take_replays() {
                audit.replayed(replays.run());
            }
        }
        audit.finish(None).is_some_and(|verdict| verdict.holds)
    }

    /// As one would write it first: each entry parsed, judged, hashed; each deal kept and replayed on its own.
    fn plainly(&self) -> bool {
        let mut judge = Judge::new(SignedBy(&self.key), Extent::Whole);
        let mut tree = Frontier::new();
        let mut waiting = std::collections::BTreeMap::<_, Vec<_>>::new();
        let mut holds = true;
        for (index, entry) in (0..).zip(&self.entries) {
            holds &= tree.push(leaf_hash(entry.as_bytes())).is_ok();
            let Ok(parsed) = Entry::parse(entry.as_bytes()) else { return false };
            let judged = judge.apply(index, &parsed);
            holds &= judged.findings.is_empty();
            match judged.effect {
                Some(Effect::Dealt(_, Some(deal))) => {
                    waiting.entry(parsed.commitment()).or_default().push(deal)
                }
                Some(Effect::Revealed(seed)) => {
                    let Some(life) = judge.life(&parsed.commitment()) else { return false };
                    for deal in waiting.remove(&parsed.commitment()).unwrap_or_default() {
                        let replay::Mixed::Verified(players) = &deal.mixed else { return false };
                        let result =
                            replay::deal_round(&life.commit, &seed.seed().mac(), deal.nonce, players);
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
        for (index, entry) in (0..).zip(&self.entries) {
            sum = primitives(index, entry.as_bytes(), &self.message, sum);
        }
        sum
    }
}

fn primitives(index: u64, entry: &[u8], message: &[u8], sum: [u8; 32]) -> [u8; 32] {
    // One seed for a thousand rounds.
    let seed: [u8; 32] = if index & 1023 == 0 { Sha256::digest(sum).into() } else { sum };
    let Ok(mac) = Hmac::<Sha256>::new_from_slice(&seed) else { return sum };
    let key = mac.chain_update(message).finalize().into_bytes();
    let mut stream = [0; 256];
    ChaCha20::new(&key, &[0; 12].into()).apply_keystream(&mut stream);
    black_box(&stream);
    let leaf = leaf_hash(entry);
    *node_hash(&leaf, &leaf).as_bytes()
}
