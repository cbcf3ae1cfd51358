//! Files of fixtures, written once: what exists with other contents is a change of the protocol.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use tools::paper::write_files;

use crate::Fixtures;

/// Files by their paths in a folder.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Writes files below a folder. Only with `--overwrite` does it change or remove files. `what`
/// names what it makes.
pub fn write(
    what: &str,
    to: &Fixtures,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> ExitCode {
    let Fixtures { folder, overwrite } = to;
    let mut made = Files::new();
    for (path, bytes) in files {
        let twice = made.insert(path.clone(), bytes);
        assert!(twice.is_none(), "{path}: two cases have this name");
    }
    let mut old = BTreeSet::new();
    files_below(folder, "", &mut old);
    let mut kept = true;
    for path in old.iter().filter(|path| !made.contains_key(*path)) {
        if *overwrite {
            std::fs::remove_file(folder.join(path)).expect("removable");
            remove_if_empty(folder, path);
        } else {
            eprintln!("error: {path}: is not made now; the {what} are frozen");
            kept = false;
        }
    }
    let differs = |path: &String, bytes: &Vec<u8>| {
        std::fs::read(folder.join(path)).is_ok_and(|old| old != *bytes) && !*overwrite
    };
    for (path, _) in made.iter().filter(|(path, bytes)| differs(path, bytes)) {
        eprintln!("error: {path}: differs from what is made now; the {what} are frozen");
        kept = false;
    }
    if kept {
        write_files(folder, &made);
    }
    println!("{what}: {} files, {} bytes", made.len(), made.values().map(Vec::len).sum::<usize>());
    ExitCode::from(u8::from(!kept))
}

/// The files below a folder, by their paths.
fn files_below(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let entry = entry.expect("a readable folder");
        let name = format!("{prefix}{}", entry.file_name().to_str().expect("UTF-8"));
        if entry.path().is_dir() {
            files_below(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name);
        }
    }
}

/// Removes the folders that are empty without a file.
fn remove_if_empty(folder: &Path, path: &str) {
    let above = Path::new(path).ancestors().skip(1).filter(|above| *above != Path::new(""));
    for empty in above.map(|above| folder.join(above)) {
        if std::fs::remove_dir(empty).is_err() {
            return; // something else is in it
        }
    }
}
