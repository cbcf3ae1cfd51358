//! Relays of beacons: servers that have the signatures of rounds that are out. What they say is
//! verified, so that a relay can only withhold.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::entropy::jittered;
use crate::http;
use fairdeal::beacon::{Chain, Chains};
use fairdeal::raffle::GivenBeacon;
use fairdeal::record::entry::BeaconSignature;

/// The longest time for one request and its answer.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The longest answer, in bytes.
const LONGEST: u64 = 16 * 1024;

/// The most rounds whose signatures are kept.
const KEPT: usize = 1_024;

/// A round: its chain's hash, and its number.
type Round = ([u8; 32], u64);

/// The pause after no relay gave a round, and the longest one: each further failure doubles it.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// One place for each round: who needs it while it is asked for waits for the same answer.
type Place = Arc<tokio::sync::Mutex<Asked>>;

/// What is known of a round.
#[derive(Debug, Default)]
struct Asked {
    signature: Option<BeaconSignature>,
    /// Why no relay gave it, and until when none is asked again: many tables wait for one round.
    failed: Option<(String, Instant)>,
    /// The last pause.
    pause: Duration,
}

/// The relays, and the signatures that they have given.
#[derive(Debug, Default)]
pub(crate) struct Relays {
    /// Held for no longer than a look. The places have locks of their own, each held by the task that
    /// asks for that round.
    known: Mutex<BTreeMap<Round, Place>>,
}

impl Relays {
    /// The signature of a round that is out, verified. Asks one relay after the other, and after a
    /// failure none for a while.
    ///
    /// # Errors
    /// In words, why none of them gave it.
    pub(crate) async fn signature(
        &self,
        urls: &[String],
        chains: &Chains,
        chain: &Chain,
        round: u64,
    ) -> Result<BeaconSignature, String> {
        let place = self.place((*chain.hash().as_bytes(), round));
        let mut asked = place.lock().await;
        if let Some(signature) = asked.signature {
            return Ok(signature);
        }
        if let Some((says, _)) = asked.failed.as_ref().filter(|(_, until)| Instant::now() < *until)
        {
            return Err(says.clone());
        }
        let mut says = Vec::new();
        for url in urls {
            match ask(url, chains.clone(), chain.clone(), round).await {
                Ok(signature) => {
                    asked.signature = Some(signature);
                    return Ok(signature);
                }
                Err(error) => says.push(format!("{url}: {error}")),
            }
        }
        let says = if says.is_empty() { "no relay is named".to_owned() } else { says.join("; ") };
        asked.pause = (asked.pause * 2).clamp(PAUSE, LONGEST_PAUSE);
        asked.failed = Some((says.clone(), Instant::now() + jittered(asked.pause)));
        Err(says)
    }

    fn place(&self, round: Round) -> Place {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KEPT && !known.contains_key(&round) {
            known.pop_first();
        }
        Arc::clone(known.entry(round).or_default())
    }
}

async fn ask(
    url: &str,
    chains: Chains,
    chain: Chain,
    round: u64,
) -> Result<BeaconSignature, String> {
    // Never `latest`: a relay could answer with any round.
    let url = format!("{}/{}/public/{round}", url.trim_end_matches('/'), chain.hash());
    let asked = tokio::task::spawn_blocking(move || {
        let answer = http::agent(&url, TIMEOUT).get(&url).call().map_err(|e| e.to_string())?;
        let status = answer.status().as_u16();
        if status != 200 {
            return Err(format!("status {status}"));
        }
        let answer = GivenBeacon::parse(&http::read(answer, LONGEST)?)
            .map_err(|error| format!("expected a round and its signature: {error}"))?;
        if answer.round != Some(round) {
            let found = answer.round.map_or_else(|| "none".to_owned(), |found| found.to_string());
            return Err(format!("expected round {round}, found {found}"));
        }
        // That takes milliseconds, and other tasks have this thread's runtime.
        if chains.verifies(&chain, round, answer.signature.as_bytes()) {
            Ok(answer.signature)
        } else {
            Err("its signature does not verify".to_owned())
        }
    });
    asked.await.map_err(|error| error.to_string())?
}
