//! Pages of made-up audits, to look at: `cargo run --release --no-default-features --features report --example pages -- FOLDER`.

#[path = "../tests/support/pages.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the tests, which use the rest")]
mod pages;

use fairdeal::lab::{Shuffle, sample};
use fairdeal::report::{PageContext, heat_map, html};
use pages::ABOUT;

fn main() -> std::io::Result<()> {
    let folder = std::path::PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
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
