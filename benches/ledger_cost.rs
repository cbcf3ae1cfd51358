//! The cost of a ledger as its log grows: the curves of docs/ledger-cost.md.
//!
//! `cargo bench --bench ledger_cost -- 1000000` goes up to a million entries; 100,000 where nothing
//! is said. Each log is the one before it with more deals, by 1,024 callers: the last two columns say
//! what such a deal costs there.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a bench prints times and ratios"
)]

#[path = "disk.rs"]
mod disk;
#[path = "processor.rs"]
mod processor;
#[path = "served.rs"]
mod served;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fairdeal::deal::{Commitment, Deck, Nonce};
use fairdeal::record::entry::Terms;
use fairdeal_ledger::{Given, Ledger, LedgerError, LedgerOptions, NewCommit, NewDeal, Reader};
use mimalloc::MiMalloc;
use processor::processor_time;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Tables at which is dealt, and callers at once.
const TABLES: usize = 64;
const CALLERS: u64 = 1024;

/// How often each thing is timed; the median is printed.
const TIMES: usize = 15;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Fallible<()> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let is_measured = asked.iter().any(|word| word == "--bench");
    let most = asked.iter().find_map(|word| word.parse().ok()).unwrap_or(100_000);
    let dir = disk::folder()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(curves(dir.path(), if is_measured { most } else { 1000 }))
}

async fn curves(dir: &Path, most: u64) -> Fallible<()> {
    Ledger::init(dir, &"cost.example/log".parse()?).await?;
    println!(
        "entries     open ms  serve ms  deal ms  show ms  receipt ms  state bytes/entry  public bytes/entry  load us  processor us"
    );
    let mut commitments = Vec::new();
    let mut size = 1000;
    while size <= most {
        let (load, processor) = grow(dir, &mut commitments, size).await?;
        println!("{}{load:>9.1}{processor:>14.1}", row(dir, &commitments, size).await?);
        size *= 10;
    }
    Ok(())
}

/// Deals until the log has so many entries. Returns the microseconds of a deal: by the clock, and of
/// all processors.
async fn grow(dir: &Path, commitments: &mut Vec<Commitment>, size: u64) -> Fallible<(f64, f64)> {
    let ledger = Arc::new(Ledger::open(dir, LedgerOptions::default()).await?);
    while commitments.len() < TABLES {
        let table = format!("table {}", commitments.len()).parse()?;
        let terms = Terms { rounds: 1_000_000_u32.into(), ..Terms::new(table, Deck::standard()) };
        commitments.push(ledger.commit(NewCommit::new(terms), None).await?.commitment);
    }
    let there = entries(dir)?;
    let (began, before) = (Instant::now(), processor_time());
    let callers = (0..CALLERS).map(|caller| {
        let (ledger, commitment) =
            (Arc::clone(&ledger), commitments[usize::try_from(caller).unwrap_or(0) % TABLES]);
        let share = size.saturating_sub(there + 1).saturating_sub(caller).div_ceil(CALLERS);
        tokio::spawn(async move {
            for _ in 0..share {
                ledger.deal(commitment, round(), None).await?;
            }
            Ok::<_, LedgerError>(())
        })
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await??;
    }
    let deals = size.saturating_sub(there) as f64;
    let each = (began.elapsed().as_secs_f64() * 1e6 / deals, (processor_time() - before) / deals);
    Arc::into_inner(ledger).ok_or("a caller still has the ledger")?.close().await?;
    Ok(each)
}

fn round() -> NewDeal {
    let (from, seed) = ("alice".parse().expect("a label"), "lucky".parse().expect("a seed"));
    NewDeal { contributions: vec![Given::with_seed(from, seed)], ..NewDeal::default() }
}

/// The published size: the checkpoint's second line.
fn entries(dir: &Path) -> Fallible<u64> {
    let note = fs::read_to_string(dir.join("public/checkpoint"))?;
    Ok(note.lines().nth(1).ok_or("a checkpoint has a size")?.parse()?)
}

async fn row(dir: &Path, commitments: &[Commitment], size: u64) -> Fallible<String> {
    let (mut opened, mut dealt, mut shown, mut proved) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut served = Vec::new();
    for nth in 0..TIMES {
        let commitment = commitments[nth % TABLES];
        let start = Instant::now();
        let ledger = Ledger::open(dir, LedgerOptions::default()).await?;
        opened.push(start.elapsed());
        let start = Instant::now();
        ledger.deal(commitment, round(), None).await?;
        dealt.push(start.elapsed());
        ledger.close().await?;
        let reader = Reader::open(dir, LedgerOptions::default()).await?;
        let start = Instant::now();
        reader.show(commitment).await?;
        shown.push(start.elapsed());
        let start = Instant::now();
        reader.receipt(commitment, Some(Nonce::new(3)?)).await?;
        proved.push(start.elapsed());
        reader.close().await?;
        served.push(until_it_listens(dir)?);
    }
    let per_entry = |bytes: u64| bytes as f64 / size as f64;
    Ok(format!(
        "{size:<10}{:>9.1}{:>10.1}{:>9.1}{:>9.2}{:>12.2}{:>19.1}{:>20.1}",
        median(opened),
        median(served),
        median(dealt),
        median(shown),
        median(proved),
        per_entry(bytes(&dir.join("private"))?),
        per_entry(bytes(&dir.join("public"))?)
    ))
}

/// How long the service needs, in a process of its own, until it listens.
fn until_it_listens(dir: &Path) -> Fallible<Duration> {
    let start = Instant::now();
    let (mut child, _) = served::serve(dir)?;
    let took = start.elapsed();
    child.kill()?;
    child.wait()?;
    Ok(took)
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

fn bytes(folder: &Path) -> Fallible<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        sum += if metadata.is_dir() { bytes(&entry.path())? } else { metadata.len() };
    }
    Ok(sum)
}
