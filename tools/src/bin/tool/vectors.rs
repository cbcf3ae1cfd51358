//! Makes the test vectors of signed files, and the receipts beside them. The other vectors are data
//! alone.
//!
//! Every implementation reads these files (the shapes are in fixtures/README.md). They are frozen:
//! a file that exists with other contents is a change of the protocol, so it is only overwritten
//! with `--overwrite`.

mod beacon;
mod cheats;
mod corners;
mod evidence;
mod exports;
mod judged;
mod raffle;
mod readers;
mod results;
mod sealed;
mod seen;
mod several;
mod verdicts;
mod witness;

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::Fixtures;

/// One file of vectors.
struct File {
    name: &'static str,
    about: &'static str,
    vectors: Vec<Value>,
}

impl File {
    /// Its path below the fixtures, and its contents.
    fn named(&self) -> (String, String) {
        (format!("vectors/{}", self.name), self.text())
    }

    fn text(&self) -> String {
        let file = json!({ "about": self.about, "vectors": self.vectors });
        let mut text = serde_json::to_string_pretty(&file).expect("JSON");
        text.push('\n');
        text
    }
}

pub fn run(to: &Fixtures) -> ExitCode {
    let vectors = [
        verdicts::files(),
        several::files(),
        evidence::files(),
        exports::files(),
        witness::files(),
        beacon::files(),
        raffle::files(),
    ];
    let files = vectors
        .iter()
        .flatten()
        .map(File::named)
        .chain(verdicts::example_files())
        .chain(raffle::example_files());
    let mut kept = true;
    for (name, text) in files {
        let path = to.folder.join(&name);
        match std::fs::read_to_string(&path) {
            Ok(old) if old == text => println!("{name}: unchanged"),
            Ok(_) if !to.overwrite => {
                eprintln!(
                    "error: {}: differs from what is made now; the vectors are frozen",
                    path.display()
                );
                kept = false;
            }
            _ => {
                let parent = path.parent().expect("below the folder");
                std::fs::create_dir_all(parent).expect("the folder is writable");
                std::fs::write(&path, text).expect("the folder is writable");
                println!("{name}: written");
            }
        }
    }
    ExitCode::from(u8::from(!kept))
}
