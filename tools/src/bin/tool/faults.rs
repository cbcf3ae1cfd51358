//! Attacks the built `fairdeal` from outside: kills, power cuts, errors of system calls.
//!
//! docs/testing.md says what is tried, what must hold, and what is not covered. It exits with 1 if
//! anything does not hold, and prints the case.

#![expect(clippy::disallowed_methods, reason = "how long a part took")]

mod cuts;
mod disk;
mod errors;
mod home;
mod judge;
mod kills;
mod trace;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use tools::dice::Dice;

use self::home::Home;
use self::judge::{Broken, Case, settle};

/// Cases of one kind of failure that are printed.
const SHOWN: usize = 3;

#[derive(clap::Args)]
pub struct Arguments {
    /// How many plans are killed; four images of a disk are tried for each
    #[arg(long, default_value_t = 300)]
    rounds: usize,
    /// Try a sample, in a minute or two: 10 plans, 10 images, and one in eight of the errors
    #[arg(long, conflicts_with = "rounds")]
    short: bool,
    /// Another seed makes other choices
    #[arg(long, default_value_t = 1)]
    seed: u8,
    /// The program to attack [default: `fairdeal` beside this tool]
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Only one part: `kills`, `cuts` or `errors`
    #[arg(long)]
    only: Option<String>,
    /// Keep the ledgers of the printed cases in this folder, as they were before the repeat
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// The counts and findings of a part.
#[derive(Default)]
pub struct Report {
    pub figures: BTreeMap<&'static str, usize>,
    /// By rule and by kind of message: how many, and the first cases.
    broken: BTreeMap<String, (usize, Vec<String>)>,
    kept: usize,
}

impl Report {
    pub fn count(&mut self, what: &'static str, more: usize) {
        *self.figures.entry(what).or_default() += more;
    }

    /// Settles a case, and keeps its ledger as it was before.
    pub fn settle(&mut self, name: &str, case: &Case<'_>) {
        let (_place, kept) = case.home.copied(case.ledger);
        self.note(name, settle(case), |name| case.home.keep(&kept, name));
    }

    /// Notes whether a case holds. `keep` saves the case under a name, if it is to be printed.
    pub fn note(&mut self, case: &str, held: Result<(), Broken>, keep: impl FnOnce(&str)) {
        if let Err(Broken { rule, says }) = held {
            let (count, cases) = self.broken.entry(format!("{rule}: {}", kind(&says))).or_default();
            *count += 1;
            if cases.len() < SHOWN {
                self.kept += 1;
                let name = format!("{}-{}", rule.replace(' ', "-"), self.kept);
                keep(&name);
                cases.push(format!("{case}\n    {says}\n    kept as {name}"));
            }
        }
    }

    fn print(&self, name: &str, start: Instant) -> bool {
        let figures: Vec<String> =
            self.figures.iter().map(|(what, n)| format!("{n} {what}")).collect();
        let broken: usize = self.broken.values().map(|(count, _)| count).sum();
        println!("{name}: {}; {broken} do not hold; {:.0?}", figures.join(", "), start.elapsed());
        for (rule, (count, cases)) in &self.broken {
            println!("  {rule}: {count}");
            for case in cases {
                println!("  - {case}");
            }
        }
        broken == 0
    }
}

/// A message without what differs from case to case: numbers, and paths.
fn kind(says: &str) -> String {
    let after = says.rsplit_once("/ledger: ").or_else(|| says.rsplit_once("error: "));
    let after = after.map_or(says, |(_, after)| after);
    let after = after.split_once(": {").map_or(after, |(before, _)| before);
    let mut kind = String::new();
    for character in after.trim().chars().take(120) {
        match (character.is_ascii_digit(), kind.ends_with('N')) {
            (true, true) => {}
            (true, false) => kind.push('N'),
            _ => kind.push(character),
        }
    }
    kind
}

pub fn run(how: &Arguments) -> ExitCode {
    let beside =
        || std::env::current_exe().expect("a program has a path").with_file_name("fairdeal");
    let binary = how.binary.clone().unwrap_or_else(beside);
    if !binary.is_file() {
        eprintln!("{}: no such program; build it, or name it with --binary", binary.display());
        return ExitCode::FAILURE;
    }
    let home = Home::new(binary, how.keep.clone());
    let mut dice = Dice::new(how.seed);
    let (rounds, images, one_in) =
        if how.short { (10, 10, 8) } else { (how.rounds, 4 * how.rounds, 1) };
    let wanted = |part: &str| how.only.as_deref().is_none_or(|only| only == part);
    let mut held = true;
    if wanted("kills") {
        let start = Instant::now();
        held &= kills::run(&home, &mut dice, rounds).print("kills", start);
    }
    if wanted("cuts") {
        let start = Instant::now();
        held &= cuts::run(&home, &mut dice, images).print("power cuts", start);
    }
    if wanted("errors") {
        let start = Instant::now();
        held &= errors::run(&home, &mut dice, one_in).print("errors", start);
    }
    ExitCode::from(u8::from(!held))
}
