//! Explores every log of a small alphabet of entries, and checks each against what the rules are
//! for.
//!
//! docs/testing.md says what is explored and checked, and how long it takes. It exits with 1 at the
//! first log in which something does not hold, and prints it.

#![expect(clippy::disallowed_methods, reason = "how long a walk took")]

use std::process::ExitCode;
use std::time::Instant;

use fairdeal::record::entry::Mixing;
use tools::explore::{self, Limits, Scope, Terms, World};

const SEEDS: Terms = (Mixing::Seeds, false);
const HASHES: Terms = (Mixing::Hashes, false);

#[derive(clap::Args)]
pub struct Arguments {
    /// The longest log, in entries
    #[arg(long, default_value_t = 9)]
    length: usize,
    /// The longest log of which receipts are compared
    #[arg(long, default_value_t = 4)]
    receipts: usize,
    /// Audit one log in this many, too
    #[arg(long, default_value_t = 100)]
    audit_one_in: usize,
    /// Excerpts of a log that are judged
    #[arg(long, default_value_t = 8)]
    excerpts: usize,
}

pub fn run(how: &Arguments) -> ExitCode {
    match explored(how) {
        Ok(()) => ExitCode::SUCCESS,
        Err(says) => {
            eprintln!("does not hold: {says}");
            ExitCode::FAILURE
        }
    }
}

fn explored(how: &Arguments) -> Result<(), String> {
    let &Arguments { length, receipts, audit_one_in, excerpts } = how;
    let world = World::new();
    let limits = Limits { length, audit_one_in, excerpts, past_findings: false };
    let both = vec![SEEDS, HASHES];
    let whole = Limits { length: usize::MAX, ..limits };
    let scope = |commitments, terms, times| Scope { commitments, terms, times };
    walk(
        &world,
        "two commitments, seeds or hashes, one time",
        &scope(2, both.clone(), false),
        whole,
    )?;
    let name = "two commitments, seeds or hashes, three times";
    walk(
        &world,
        name,
        &scope(2, both.clone(), true),
        Limits { length: length.saturating_sub(1), ..limits },
    )?;
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
    if left == explore::freedoms() {
        Ok(())
    } else {
        Err("the table of freedoms says otherwise".to_owned())
    }
}

fn walk(world: &World, name: &str, scope: &Scope, limits: Limits) -> Result<(), String> {
    let start = Instant::now();
    let all = explore::explore(world, scope, limits)?;
    println!("{name}:");
    for (length, (new, logs, judged)) in all.levels.iter().enumerate() {
        println!(
            "  {length:2} entries: {new} new states for {logs} logs; after them {judged} entries tried"
        );
    }
    let complete = if all.complete { "all that there are" } else { "up to this length" };
    let (states, audited, excerpts) = (all.states(), all.audited, all.excerpts);
    println!(
        "  {complete}: {states} states, {audited} audits, {excerpts} excerpts, {:?}",
        start.elapsed()
    );
    Ok(())
}
