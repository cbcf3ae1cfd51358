//! Pages of made-up audits, to look at.

use std::path::Path;
use std::process::ExitCode;

use fairdeal_schemes::lab::{Shuffle, sample};
use fairdeal_schemes::report::{PageContext, heat_map, html};
use tools::pages::{self, ABOUT};

pub fn run(folder: &Path) -> ExitCode {
    match write(folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path) -> std::io::Result<()> {
    let empty = PageContext { as_of: None, ..ABOUT };
    for (name, verdict, about) in [
        ("honest", pages::honest(5_000), ABOUT),
        ("at-fault", pages::at_fault(), ABOUT),
        ("empty", pages::empty(), empty),
        ("biased", pages::biased(5_000), ABOUT),
        ("hostile", pages::hostile(20_000), ABOUT),
    ] {
        std::fs::write(folder.join(format!("{name}.html")), html(&verdict, &about))?;
    }
    let counts = sample(Shuffle::CompareQuick, 52, 5_000, 1).map_err(std::io::Error::other)?;
    let picture = heat_map("compare-quick: 5,000 deals of 52", &counts).unwrap_or_default();
    std::fs::write(folder.join("compare-quick.svg"), picture)
}
