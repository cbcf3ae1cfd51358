//! Tables and those who play there.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::connection::Connection;
use super::{LoadError, LoadPlan};
use fairdeal::log::verify_checkpoint;
use fairdeal::record::receipt::{Document, verify};

/// How often one deal is sent anew because its commitment was used up meanwhile.
const TRIES: u32 = 8;

/// The longest latency that is told apart, in microseconds.
const LONGEST: u64 = 120_000_000;

/// A table: its name, and its commitment at the moment.
pub(super) struct Table {
    commitment: Mutex<String>,
}

/// The members of an answer that matter here.
#[derive(Deserialize)]
struct Answer<'a> {
    commitment: String,
    #[serde(borrow)]
    next: Option<Next<'a>>,
    #[serde(borrow)]
    receipt: &'a RawValue,
}

#[derive(Deserialize)]
struct Next<'a> {
    commitment: &'a str,
}

/// The members of a problem that matter here.
#[derive(Deserialize)]
struct Problem {
    code: String,
    table: Option<At>,
}

#[derive(Deserialize)]
struct At {
    commitment: Named,
}

#[derive(Deserialize)]
struct Named {
    commitment: String,
}

impl Table {
    /// Makes a table's first commitment.
    pub(super) async fn make(
        plan: &LoadPlan,
        number: u32,
        connection: &mut Connection,
    ) -> Result<Self, LoadError> {
        let table = format!("{}{number}", plan.prefix);
        let terms = json!({"table": table, "reveal_in": "24h", "rounds": 1000}).to_string();
        let posted =
            connection.post("/v1/commitments", &plan.token, &format!("table {table}"), terms).await;
        let (status, body) = posted.map_err(|error| LoadError::Unreachable {
            url: plan.url.clone(),
            says: error.to_string(),
        })?;
        match serde_json::from_slice::<Answer<'_>>(&body) {
            Ok(answer) if (200..300).contains(&status) => {
                is_of(plan, answer.receipt.get())?;
                Ok(Self { commitment: Mutex::new(answer.commitment) })
            }
            _ => {
                let says = String::from_utf8_lossy(&body).chars().take(500).collect();
                Err(LoadError::Refused { url: plan.url.clone(), status, says })
            }
        }
    }

    fn commitment(&self) -> String {
        self.commitment.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn moved(&self, from: &str, to: &str) {
        let mut commitment = self.commitment.lock().unwrap_or_else(PoisonError::into_inner);
        if *commitment == from {
            to.clone_into(&mut commitment);
        }
    }
}

/// The part of a receipt that its log has signed.
#[derive(Deserialize)]
struct Noted {
    checkpoint: String,
}

/// Refuses a receipt of another log than the key's: none of its deals would hold, and none would be
/// at fault.
fn is_of(plan: &LoadPlan, receipt: &str) -> Result<(), LoadError> {
    let Some(key) = &plan.key else { return Ok(()) };
    let note =
        serde_json::from_str::<Noted>(receipt).map(|noted| noted.checkpoint).unwrap_or_default();
    verify_checkpoint(&note, key).map(drop).map_err(|error| LoadError::OtherKey {
        url: plan.url.clone(),
        key: key.to_text(),
        says: error.to_string(),
    })
}

/// The work of one connection.
pub(super) struct Counts {
    /// In microseconds.
    pub(super) latency: Histogram<u64>,
    pub(super) deals: u64,
    pub(super) verified: u64,
    pub(super) wrong: u64,
    /// By code.
    pub(super) refused: BTreeMap<String, u64>,
    pub(super) broken: u64,
    /// How one of them broke.
    pub(super) how: Option<String>,
}

/// One connection's work.
pub(super) struct Worker {
    plan: Arc<LoadPlan>,
    tables: Arc<Vec<Table>>,
    connection: Connection,
    counts: Counts,
}

impl Worker {
    pub(super) fn new(
        plan: Arc<LoadPlan>,
        tables: Arc<Vec<Table>>,
        connection: Connection,
    ) -> Self {
        let latency = Histogram::new_with_bounds(1, LONGEST, 3).expect("bounds in order");
        let refused = BTreeMap::new();
        let counts =
            Counts { latency, deals: 0, verified: 0, wrong: 0, refused, broken: 0, how: None };
        Self { plan, tables, connection, counts }
    }

    /// Takes the next deal as long as there is time.
    pub(super) async fn work(
        mut self,
        start: Instant,
        sent: Arc<AtomicU64>,
        answered: Arc<AtomicU64>,
    ) -> Counts {
        loop {
            let number = sent.fetch_add(1, Ordering::Relaxed);
            let intended = match self.plan.rate {
                #[expect(
                    clippy::cast_precision_loss,
                    clippy::as_conversions,
                    reason = "a number of deals"
                )]
                Some(rate) => start + Duration::from_secs_f64(number as f64 / rate),
                None => Instant::now(),
            };
            if intended.duration_since(start) >= self.plan.time {
                return self.counts;
            }
            // A timer counts whole milliseconds: to wait for now would take one.
            if self.plan.rate.is_some() {
                tokio::time::sleep_until(intended).await;
            }
            if self.deal(number).await {
                let latency = u64::try_from(intended.elapsed().as_micros()).unwrap_or(LONGEST);
                self.counts.latency.saturating_record(latency.max(1));
                self.counts.deals += 1;
                answered.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Deals once. Whether it was dealt.
    async fn deal(&mut self, number: u64) -> bool {
        let tables = Arc::clone(&self.tables);
        let places = u64::try_from(tables.len()).unwrap_or(1).max(1);
        let place = usize::try_from(number.checked_rem(places).unwrap_or(0)).unwrap_or(0);
        let Some(table) = tables.get(place) else { return false };
        let players = (0..self.plan.players.max(1))
            .map(|player| json!({"from": format!("player-{player}"), "seed": format!("{number}-{player}")}));
        let body = json!({ "contributions": players.collect::<Vec<_>>() }).to_string();
        let key = format!("deal {}{number}", self.plan.prefix);
        for _ in 0..TRIES {
            let commitment = table.commitment();
            let path = format!("/v1/commitments/{commitment}/deals");
            let posted = self.connection.post(&path, &self.plan.token, &key, body.clone()).await;
            let (status, answer) = match posted {
                Ok(posted) => posted,
                Err(error) => {
                    self.counts.broken += 1;
                    self.counts.how.get_or_insert_with(|| error.to_string());
                    return false;
                }
            };
            if (200..300).contains(&status) {
                self.answered(&answer, table, &commitment);
                return true;
            }
            let problem = serde_json::from_slice::<Problem>(&answer).ok();
            let at = problem.as_ref().and_then(|problem| problem.table.as_ref());
            // It was used up meanwhile: the table goes on with another one.
            if let Some(now) =
                at.map(|at| &at.commitment.commitment).filter(|now| **now != commitment)
            {
                table.moved(&commitment, now);
                continue;
            }
            let code = problem.map_or_else(|| status.to_string(), |problem| problem.code);
            *self.counts.refused.entry(code).or_default() += 1;
            return false;
        }
        *self.counts.refused.entry("used-up".to_owned()).or_default() += 1;
        false
    }

    fn answered(&mut self, answer: &[u8], table: &Table, commitment: &str) {
        let Ok(answer) = serde_json::from_slice::<Answer<'_>>(answer) else {
            self.counts.wrong += 1;
            return;
        };
        if let Some(next) = answer.next {
            table.moved(commitment, next.commitment);
        }
        let Some(key) = &self.plan.key else { return };
        let every = u64::from(self.plan.verify_every);
        if self.counts.deals.checked_rem(every) == Some(0) {
            self.counts.verified += 1;
            let document = answer.receipt.get().parse::<Document>();
            if !document.is_ok_and(|document| verify(&document, key).holds) {
                self.counts.wrong += 1;
            }
        }
    }
}
