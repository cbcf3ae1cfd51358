//! The cost of witnesses for a ledger, in publish mode, where two of three must sign.
//!
//! The first table has deals under load, next to the same ledger without witnesses. The witnesses
//! are ours, durable, on loopback, and share the cores with the ledger and its callers.
//!
//! The line below has publications: one caller deals, and each deal is published alone. The witnesses
//! answer after 50, 80 and 120 ms. The floor is 80 ms: no quorum has signed earlier.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a bench prints times, and a place in a list is small"
)]

#[path = "disk.rs"]
mod disk;
#[path = "floors.rs"]
mod floors;
#[path = "support.rs"]
mod support;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use fairdeal::log::Policy;
use fairdeal::record::entry::Origin;
use fairdeal_ledger::{Ledger, LedgerOptions, Witnessing};
use fairdeal_witness::{Rate, WitnessOptions, WitnessService, init, serve};
use floors::{Fallible, LOADS, ORIGIN, Tables, quantile};
use mimalloc::MiMalloc;
use support::{Asked, Outcome, Table};
use tokio::net::TcpListener;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const ROUNDS: u32 = 8;
/// Milliseconds before a witness answers.
const DELAYS: [u64; 3] = [50, 80, 120];
/// Publications that are timed.
const PUBLICATIONS: u32 = 50;

fn main() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let dir = disk::folder()?;
    let plain = runtime.block_on(Tables::open(&dir.path().join("plain")))?;
    let delays: [Arc<AtomicU64>; 3] = Default::default();
    let witnessed = runtime.block_on(witnessed(dir.path(), &delays))?;
    let measured = Asked::new().rounds(2) > 1;
    let table = Table::new("a deal with witnesses, and without", ROUNDS);
    for (callers, deals) in LOADS {
        let deals = if measured { deals } else { callers };
        table.row_of(
            &format!("deals of {callers} callers"),
            deals,
            || runtime.block_on(witnessed.load(callers, deals, None)).expect("dealt"),
            || runtime.block_on(plain.load(callers, deals, None)).expect("dealt"),
        );
    }
    for (delay, milliseconds) in delays.iter().zip(DELAYS) {
        delay.store(milliseconds, Ordering::Relaxed);
    }
    let count = if measured { PUBLICATIONS } else { 1 };
    let started = Instant::now();
    let waits = runtime.block_on(witnessed.load(1, count, None))?;
    let rate = f64::from(count) / started.elapsed().as_secs_f64();
    let [_, second, _] = DELAYS;
    let floor = 1e3 / f64::from(u32::try_from(second)?);
    println!(
        "publications, witnesses at {DELAYS:?} ms: {rate:.2} a second, {:.2} of one for each {second} ms; p50 {:?}",
        rate / floor,
        quantile(&waits, 0.5)
    );
    Ok(())
}

/// A ledger that publishes only what two of three witnesses have signed.
async fn witnessed(dir: &Path, delays: &[Arc<AtomicU64>; 3]) -> Fallible<Tables> {
    let path = dir.join("witnessed");
    let key = Ledger::init(&path, &Origin::new(ORIGIN)?).await?.to_text();
    let mut policy = format!("log {key}\n");
    for (number, delay) in delays.iter().enumerate() {
        let folder = dir.join(format!("witness {number}"));
        let seed = [u8::try_from(number)? + 1; 32];
        init(&folder, format!("witness.example/w{number}").parse()?, &seed).await?;
        std::fs::write(folder.join("logs"), &key)?;
        let rate = Rate { second: f64::INFINITY, burst: 1.0 };
        let options = WitnessOptions { rate, ..WitnessOptions::default() };
        let witness = WitnessService::open(&folder, options).await?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let (key, address) = (witness.key().to_text(), listener.local_addr()?);
        writeln!(policy, "witness w{number} {key} http://{address}")?;
        let delay = Arc::clone(delay);
        let router = witness.router().layer(from_fn(move |request: Request, next: Next| {
            let delay = Duration::from_millis(delay.load(Ordering::Relaxed));
            async move {
                tokio::time::sleep(delay).await;
                next.run(request).await
            }
        }));
        tokio::spawn(serve(witness, vec![(listener, router)], std::future::pending()));
    }
    policy.push_str("group g 2 w0 w1 w2\nquorum g\n");
    let policy = Arc::new(Policy::parse(policy.as_bytes())?);
    let witnesses = Witnessing { every: Duration::ZERO, ..Witnessing::new(policy) };
    let options = LedgerOptions { witnesses: Some(witnesses), ..LedgerOptions::default() };
    Tables::of(Ledger::open(&path, options).await?).await
}
