//! Explores every log of a small alphabet of entries, and holds each against what the rules are for:
//! `cargo run --release --example explore -- --length 9`
//!
//! What is explored, what is held, and how long it takes is in docs/explore.md. It exits with 1 at the first log in which
//! something does not hold, and says which.

#![allow(unreachable_pub, missing_docs, reason = "shared with the tests")]
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a program that is run by hand"
)]

#[path = "../../tests/support/explore.rs"]
#[allow(dead_code, unused_imports, reason = "shared with the tests, which use the rest")]
mod explore;
#[path = "../../tests/support/paper.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod paper;

use std::process::ExitCode;
use std::time::Instant;

use explore::{Limits, Scope, Terms, World};
use fairdeal::record::entry::Mixing;

const SEEDS: Terms = (Mixing::Seeds, false);
const HASHES: Terms = (Mixing::Hashes, false);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(says) => {
            eprintln!("does not hold: {says}");
            ExitCode::FAILURE
        }
    }
}

/// `--name N`, or what it is without.
fn asked(name: &str, usual: usize) -> Result<usize, String> {
    let all: Vec<String> = std::env::args().collect();
    let Some(at) = all.iter().position(|one| one == name) else { return Ok(usual) };
    let found = all.get(at + 1).map_or("", String::as_str);
    found.parse().map_err(|_| format!("{name}: expected a number, found {found:?}"))
}

fn run() -> Result<(), String> {
    let (length, receipts) = (asked("--length", 9)?, asked("--receipts", 4)?);
    let (leaves, excerpts) = (asked("--audit-one-in", 100)?, asked("--excerpts", 8)?);
    let world = World::new();
    let limits = Limits { length, audit_one_in: leaves, excerpts, past_findings: false };
    let both = vec![SEEDS, HASHES];
    let whole = Limits { length: usize::MAX, ..limits };
    let scope = |commitments, terms, times| Scope { commitments, terms, times };
    walk(&world, "two commitments, seeds or hashes, one time", &scope(2, both.clone(), false), whole)?;
    let name = "two commitments, seeds or hashes, three times";
    walk(&world, name, &scope(2, both.clone(), true), Limits { length: length.saturating_sub(1), ..limits })?;
    walk(&world, "three commitments, seeds, one time", &scope(3, vec![SEEDS], false), limits)?;
    let past = Limits { length: length.div_ceil(2), past_findings: true, ..limits };
    walk(&world, "two commitments, past findings", &scope(2, both.clone(), true), past)?;

    let start = Instant::now();
    let compared = explore::compare(&world, &scope(2, both, false), receipts)?;
    println!("receipts, up to {receipts} entries: {compared:?}, {:?}", start.elapsed());

    let start = Instant::now();
    let (left, cases) = explore::compute(&world, receipts + 2)?;
    println!("freedoms, up to {} entries: {cases} rounds, {:?}", receipts + 2, start.elapsed());
    for ((given, locked), choices) in &left {
        println!("  {given}, {}: {choices:?}", if *locked { "locked" } else { "not locked" });
    }
    if left == explore::freedoms() { Ok(()) } else { Err("the table of freedoms says otherwise".to_owned()) }
}

fn walk(world: &World, name: &str, scope: &Scope, limits: Limits) -> Result<(), String> {
    let start = Instant::now();
    let all = explore::explore(world, scope, limits)?;
    println!("{name}:");
    for (length, (new, logs, judged)) in all.levels.iter().enumerate() {
        println!("  {length:2} entries: {new} new states for {logs} logs; after them {judged} entries tried");
    }
    let complete = if all.complete { "all that there are" } else { "up to this length" };
    let (states, audited, excerpts) = (all.states(), all.audited, all.excerpts);
    println!("  {complete}: {states} states, {audited} audits, {excerpts} excerpts, {:?}", start.elapsed());
    Ok(())
}
