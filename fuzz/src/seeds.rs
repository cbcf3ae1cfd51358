//! Writes the inputs to start from into `corpus/`, with a folder for each target, as libFuzzer reads them.

fn main() -> std::io::Result<()> {
    for target in tools::fuzz::TARGETS {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number:03}")), seed)?;
        }
    }
    Ok(())
}
