//! Writes the inputs to start from into `corpus/`, with a folder for each target, as libFuzzer
//! reads them.

use std::path::Path;

fn main() -> std::io::Result<()> {
    for target in tools::fuzz::TARGETS {
        write(target.name, &(target.seeds)())?;
    }
    write("request", &fairdeal_fuzz::request::seeds())
}

fn write(name: &str, seeds: &[Vec<u8>]) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    std::fs::create_dir_all(&folder)?;
    for (number, seed) in seeds.iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number:03}")), seed)?;
    }
    Ok(())
}
