//! The rooms of the house: what may know what, how long a file may be, and what a pure room may not do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;

/// What each room may use of ours.
const ROOMS: &[(&str, &[&str])] = &[
    ("sha256", &[]),
    ("deal", &["sha256"]),
    ("log", &["sha256"]),
    ("spelled", &[]),
    ("clock", &[]),
    ("entropy", &[]),
    ("record", &["deal", "log"]),
    ("stats", &["deal"]),
    ("lab", &["deal", "stats"]),
    ("dialect", &["deal", "stats"]),
    ("sample", &["deal", "log", "record"]),
    ("store", &["record", "log", "deal"]),
    ("audit", &["record", "log", "deal", "stats", "dialect"]),
    ("source", &["log", "record", "audit", "dialect", "clock"]),
    ("report", &["audit", "stats", "lab", "record", "deal", "spelled"]),
    ("ledger", &["store", "record", "log", "deal", "clock", "entropy"]),
    (
        "cli",
        &[
            "deal", "log", "clock", "entropy", "record", "audit", "source", "report", "store", "ledger",
            "stats", "lab", "dialect", "sample", "spelled",
        ],
    ),
];

/// Rooms that compute and nothing else.
const PURE: &[&str] =
    &["sha256", "deal", "log", "record", "audit", "stats", "lab", "dialect", "sample", "report", "spelled"];

/// What a pure room may not touch.
const IMPURE: &[&str] = &[
    "fs",
    "net",
    "io",
    "process",
    "thread",
    "time",
    "env",
    "os",
    "tokio",
    "async_std",
    "futures",
    "sqlx",
    "object_store",
];

const LONGEST: usize = 500;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries.map(|entry| entry.expect("a readable folder").path()) {
        if entry.is_dir() {
            found.extend(files_below(&entry, ending));
        } else if entry.extension().is_some_and(|e| e == ending) {
            found.push(entry);
        }
    }
    found.sort();
    found
}

/// The room that a file belongs to: `src/deal/seed.rs` and `src/deal.rs` to `deal`.
fn room(file: &Path) -> String {
    let inside = file.strip_prefix(root().join("src")).expect("below src");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// Every path that a file's code mentions, tests left out, as its segments.
#[derive(Default)]
struct Mentions {
    paths: BTreeSet<Vec<String>>,
    is_async: bool,
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        a.path().is_ident("cfg") && a.parse_args::<syn::Path>().is_ok_and(|what| what.is_ident("test"))
    })
}

fn use_paths(tree: &syn::UseTree, before: &[String], found: &mut BTreeSet<Vec<String>>) {
    let with = |name: &syn::Ident| {
        let mut path = before.to_vec();
        path.push(name.to_string());
        path
    };
    match tree {
        syn::UseTree::Path(path) => use_paths(&path.tree, &with(&path.ident), found),
        syn::UseTree::Name(name) => drop(found.insert(with(&name.ident))),
        syn::UseTree::Rename(rename) => drop(found.insert(with(&rename.ident))),
        syn::UseTree::Glob(_) => drop(found.insert(before.to_vec())),
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| use_paths(tree, before, found)),
    }
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes: &[syn::Attribute] = match item {
            syn::Item::Mod(one) => &one.attrs,
            syn::Item::Fn(one) => &one.attrs,
            syn::Item::Impl(one) => &one.attrs,
            syn::Item::Use(one) => &one.attrs,
            _ => &[],
        };
        if !is_test(attributes) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        use_paths(&item.tree, &[], &mut self.paths);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.insert(path.segments.iter().map(|s| s.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.is_async |= signature.asyncness.is_some();
        syn::visit::visit_signature(self, signature);
    }
}

fn mentions(file: &Path) -> Mentions {
    let text = std::fs::read_to_string(file).expect("readable");
    let syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut found = Mentions::default();
    found.visit_file(&syntax);
    found
}

fn is_test_file(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem == "tests")
        || file.components().any(|part| part.as_os_str() == "tests")
}

/// Library files, without the tests beside them.
fn sources() -> Vec<PathBuf> {
    files_below(&root().join("src"), "rs").into_iter().filter(|file| !is_test_file(file)).collect()
}

/// Rooms of ours that a path names, from inside `room`.
fn rooms_named(path: &[String]) -> Option<&str> {
    match path.first().map(String::as_str) {
        Some("crate" | "fairdeal") => path.get(1).map(String::as_str),
        _ => None,
    }
}

#[test]
fn a_room_uses_only_the_rooms_that_it_may() {
    let allowed: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let mut wrong = Vec::new();
    for file in sources() {
        let room = room(&file);
        if room == "lib" || room == "main" {
            continue;
        }
        let Some(may) = allowed.get(room.as_str()) else {
            wrong.push(format!("{}: the room {room} is not in the plan", file.display()));
            continue;
        };
        for path in mentions(&file).paths {
            if let Some(named) = rooms_named(&path)
                && named != room
                && allowed.contains_key(named)
                && !may.contains(&named)
            {
                wrong.push(format!(
                    "{}: {} (the room {room} may not use {named})",
                    file.display(),
                    path.join("::")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pure_room_does_no_input_no_output_and_waits_for_nothing() {
    let mut wrong = Vec::new();
    for file in sources() {
        if !PURE.contains(&room(&file).as_str()) {
            continue;
        }
        let found = mentions(&file);
        if found.is_async {
            wrong.push(format!("{}: async", file.display()));
        }
        for path in found.paths {
            let outside = match path.first().map(String::as_str) {
                Some("std" | "core") => path.get(1),
                _ => path.first().filter(|_| path.len() > 1), // a lone name is a local one
            };
            if outside.is_some_and(|name| IMPURE.contains(&name.as_str())) {
                wrong.push(format!("{}: {}", file.display(), path.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_file_is_longer_than_it_may_be() {
    let folders = ["src", "tests", "examples", "benches", "fuzz", "spec", "web"];
    let mut long = Vec::new();
    for folder in folders {
        for ending in ["rs", "py", "js"] {
            for file in files_below(&root().join(folder), ending) {
                let lines = std::fs::read_to_string(&file).expect("readable").lines().count();
                if lines > LONGEST {
                    long.push(format!("{}: {lines} lines, at most {LONGEST}", file.display()));
                }
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_file_opens_with_what_it_is() {
    let mut silent = Vec::new();
    for file in files_below(&root().join("src"), "rs") {
        let text = std::fs::read_to_string(&file).expect("readable");
        if !text.starts_with("//!") && !is_test_file(&file) {
            silent.push(file.display().to_string());
        }
    }
    assert!(silent.is_empty(), "no module documentation: {silent:?}");
}

#[test]
fn every_dependency_says_why_it_is_here() {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).expect("readable");
    let mut in_dependencies = false;
    let mut silent = Vec::new();
    for line in text.lines() {
        if line.starts_with('[') {
            in_dependencies = line.ends_with("dependencies]");
        } else if in_dependencies && line.contains(" = ") && !line.starts_with('#') && !line.contains('#') {
            silent.push(line.to_owned());
        }
    }
    assert!(silent.is_empty(), "no reason given for: {silent:?}");
}

#[test]
fn the_test_itself_sees_a_forbidden_edge() {
    let code: syn::File = syn::parse_str(
        "use crate::{record::Entry, log}; fn f() { crate::store::open(); std::fs::read(\"x\"); }",
    )
    .expect("code");
    let mut found = Mentions::default();
    found.visit_file(&code);
    let named: BTreeSet<&str> = found.paths.iter().filter_map(|path| rooms_named(path)).collect();
    assert_eq!(named, BTreeSet::from(["log", "record", "store"]));
    assert!(found.paths.iter().any(|path| path[..2] == ["std", "fs"]));
}
