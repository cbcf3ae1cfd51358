//! The rooms of `src/`: what each may use, how long a file may be, what a pure room may not do, and
//! the links of the docs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;

/// The page with the table of rooms.
const PAGE: &str = "docs/architecture.md";

/// A row of the table of rooms.
struct Room {
    name: String,
    is_pure: bool,
    may_use: BTreeSet<String>,
}

/// The texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// The rooms, from the table in docs/architecture.md.
fn rooms() -> Vec<Room> {
    let text = read(PAGE);
    let heading = "| room | | crate | what | may use |";
    let (_, table) = text.split_once(heading).expect("the table of rooms");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let everything: BTreeSet<String> = rows.iter().flat_map(|row| quoted(row[0])).collect();
    let room = |row: Vec<&str>| Room {
        name: quoted(row[0]).next().expect("a name"),
        is_pure: row[1] == "pure",
        may_use: if row[4] == "everything" { everything.clone() } else { quoted(row[4]).collect() },
    };
    rows.into_iter().map(room).collect()
}

/// Modules that a pure room may not touch.
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
    tools::root()
}

fn read(relative: &str) -> String {
    std::fs::read_to_string(root().join(relative))
        .unwrap_or_else(|error| panic!("{relative}: {error}"))
}

fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    // Generated and downloaded files are not ours.
    if ["target", "node_modules"].iter().any(|name| folder.ends_with(name)) {
        return Vec::new();
    }
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

/// The folders with library code: the top crate's, and those of the crates.
fn source_folders() -> Vec<PathBuf> {
    let mut folders = vec![root().join("src")];
    for entry in std::fs::read_dir(root().join("crates")).expect("a readable folder") {
        folders.push(entry.expect("an entry").path().join("src"));
    }
    folders
}

/// The crate of a file, `fairdeal` or a folder of `crates`, and the first name below its `src`.
fn place(file: &Path) -> (String, String) {
    let inside = file.strip_prefix(root()).expect("below the root");
    let parts: Vec<String> =
        inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    let name = |at: usize| parts[at].trim_end_matches(".rs").to_owned();
    if parts[0] == "src" { ("fairdeal".to_owned(), name(1)) } else { (name(1), name(3)) }
}

/// The room of a module at the top of a crate: the module itself, or the crate if only the crate is
/// a room.
fn room_of(crate_name: &str, module: &str) -> String {
    let room = match (crate_name, module) {
        ("schemes", "answer") => "checked",
        ("fairdeal" | "schemes", _)
        | ("audit", "stats" | "source" | "answer")
        | ("ledger", "store") => module,
        _ => crate_name,
    };
    room.to_owned()
}

/// The room of a file: `deal` for `src/deal/seed.rs`, `store` for `crates/ledger/src/store/sum.rs`,
/// and `ledger` for all other files of that crate.
fn room(file: &Path) -> String {
    let (crate_name, module) = place(file);
    room_of(&crate_name, &module)
}

/// Every path in a file's code, without tests, as its segments.
#[derive(Default)]
struct Mentions {
    paths: BTreeSet<Vec<String>>,
    is_async: bool,
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        a.path().is_ident("cfg")
            && a.parse_args::<syn::Path>().is_ok_and(|what| what.is_ident("test"))
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
        syn::UseTree::Group(group) => {
            group.items.iter().for_each(|tree| use_paths(tree, before, found));
        }
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
    let files = source_folders().into_iter().flat_map(|folder| files_below(&folder, "rs"));
    files.filter(|file| !is_test_file(file)).collect()
}

/// The room that a path names, from inside the file `from`.
fn room_named(path: &[String], from: &Path) -> Option<String> {
    let module = path.get(1).map_or("", String::as_str);
    match path.first()?.as_str() {
        "crate" if path.len() > 1 => Some(room_of(&place(from).0, module)),
        "fairdeal" => Some(room_of("fairdeal", module)),
        other => Some(room_of(other.strip_prefix("fairdeal_")?, module)),
    }
}

#[test]
fn a_room_uses_only_the_rooms_that_it_may() {
    let allowed: BTreeMap<String, BTreeSet<String>> =
        rooms().into_iter().map(|room| (room.name, room.may_use)).collect();
    let mut wrong = Vec::new();
    for file in sources() {
        let room = room(&file);
        if room == "lib" || room == "main" {
            continue;
        }
        let Some(may) = allowed.get(&room) else {
            wrong.push(format!("{}: the room {room} is not in {PAGE}", file.display()));
            continue;
        };
        for path in mentions(&file).paths {
            if let Some(named) = room_named(&path, &file)
                && named != room
                && allowed.contains_key(&named)
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
fn the_table_has_the_rooms_that_there_are() {
    let mut there: BTreeSet<String> = sources().iter().map(|file| room(file)).collect();
    there.retain(|room| room != "lib");
    let rooms = rooms();
    assert!(rooms.len() > 15, "only {} rooms were read", rooms.len());
    let names: BTreeSet<&String> = rooms.iter().map(|room| &room.name).collect();
    for room in &rooms {
        assert!(there.remove(&room.name), "{PAGE}: there is no room {}", room.name);
        for used in &room.may_use {
            assert!(names.contains(used), "{PAGE}: {} may use {used}, which is no room", room.name);
        }
    }
    assert!(there.is_empty(), "{PAGE}: not in the table: {there:?}");
}

#[test]
fn only_the_server_and_the_table_to_play_at_mention_the_pages() {
    let mentions =
        |file: &PathBuf| std::fs::read_to_string(file).expect("readable").contains("web/");
    let is_of_pages = |file: &PathBuf| ["server", "play"].contains(&room(file).as_str());
    let wrong: Vec<_> =
        sources().into_iter().filter(|file| !is_of_pages(file)).filter(mentions).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_pure_room_does_no_input_no_output_and_waits_for_nothing() {
    let pure: BTreeSet<String> =
        rooms().into_iter().filter(|room| room.is_pure).map(|room| room.name).collect();
    let mut wrong = Vec::new();
    for file in sources() {
        if !pure.contains(&room(&file)) {
            continue;
        }
        let found = mentions(&file);
        if found.is_async {
            wrong.push(format!("{}: async", file.display()));
        }
        for path in found.paths {
            let outside = match path.first().map(String::as_str) {
                Some("std" | "core") => path.get(1),
                _ => path.first().filter(|_| path.len() > 1), // a single segment is a local name
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
    let folders = ["src", "crates", "tests", "examples", "tools", "benches", "fuzz", "spec", "web"];
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
    for file in source_folders().iter().flat_map(|folder| files_below(folder, "rs")) {
        let text = std::fs::read_to_string(&file).expect("readable");
        if !text.starts_with("//!") && !is_test_file(&file) {
            silent.push(file.display().to_string());
        }
    }
    assert!(silent.is_empty(), "no module documentation: {silent:?}");
}

#[test]
fn no_two_public_types_have_one_name() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in sources() {
        for line in std::fs::read_to_string(&file).expect("readable").lines() {
            let mut words = line
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .filter(|word| !word.is_empty());
            if let (Some("pub"), Some("struct" | "enum" | "trait" | "type"), Some(name)) =
                (words.next(), words.next(), words.next())
            {
                places.entry(name.to_owned()).or_default().push(file.clone());
            }
        }
    }
    assert!(places.len() > 100, "{places:?}");
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

/// The links of a page: what is linked, and where to.
fn links(text: &str) -> Vec<(&str, &str)> {
    let link = |at: usize| {
        let label = text[..at].rsplit_once('[').map_or("", |(_, label)| label);
        let (to, _) = text[at + 2..].split_once(')')?;
        Some((label, to))
    };
    text.match_indices("](").filter_map(|(at, _)| link(at)).collect()
}

/// A heading as a link names it.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    heading
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .chars()
        .filter(kept)
        .collect::<String>()
        .replace(' ', "-")
}

/// Whether a file defines an item of this name.
fn defines(code: &str, name: &str) -> bool {
    // An enum of `named!` has no `enum` before it.
    let is_named = code.contains("named! {") && code.contains(&format!("\n    {name} {{\n"));
    is_named
        || ["fn ", "struct ", "enum ", "trait ", "const ", "static "].into_iter().any(|kind| {
            let item = format!("{kind}{name}");
            let ends = |at: usize| {
                !code[at + item.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            };
            code.match_indices(&item).any(|(at, _)| ends(at))
        })
}

#[test]
fn every_item_that_the_page_links_stands_in_the_file_that_it_names() {
    let page = read(PAGE);
    let mut wrong = Vec::new();
    let mut items = 0;
    for (label, to) in links(&page) {
        let file = to
            .strip_prefix("../")
            .filter(|file| Path::new(file).extension().is_some_and(|ending| ending == "rs"));
        let (Some(file), Some(item)) = (file, quoted(label).next()) else { continue };
        if item.contains('/') {
            continue;
        }
        items += 1;
        let code = read(file);
        let (owner, name) = item.rsplit_once("::").unwrap_or(("", &item));
        if !defines(&code, name) || !code.contains(owner) {
            wrong.push(format!("{item} is not in {file}"));
        }
    }
    assert!(items > 40, "only {items} items were read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let mut pages: Vec<PathBuf> =
        ["docs", "spec", "fuzz", "fixtures", "bindings", "examples", "web"]
            .into_iter()
            .flat_map(|folder| files_below(&root().join(folder), "md"))
            .collect();
    pages.extend(
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
            .map(|page| root().join(page)),
    );
    let mut wrong = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("readable");
        for (_, to) in links(&text) {
            if to.contains("://") {
                continue;
            }
            let (file, heading) = to.split_once('#').unwrap_or((to, ""));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            let has_heading = || {
                let text = std::fs::read_to_string(&target).unwrap_or_default();
                text.lines().any(|line| line.starts_with('#') && anchor(line) == heading)
            };
            if !target.exists() || !(heading.is_empty() || has_heading()) {
                wrong.push(format!("{}: {to}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_dependency_says_why_it_is_here_in_one_place() {
    let mut manifests = vec![root().join("Cargo.toml")];
    for folder in ["crates", "tools", "fuzz", "bindings/python"] {
        let found = files_below(&root().join(folder), "toml");
        manifests.extend(found.into_iter().filter(|file| file.ends_with("Cargo.toml")));
    }
    assert!(manifests.len() > 8, "{manifests:?}");
    let mut silent = Vec::new();
    for manifest in manifests {
        let text = std::fs::read_to_string(&manifest).expect("readable");
        let mut in_dependencies = false;
        for line in text.lines() {
            // The root has the reasons of what the crates take from the workspace.
            let is_of_workspace =
                line.contains(".workspace = true") || line.contains("{ workspace = true");
            if line.starts_with('[') {
                in_dependencies = line.ends_with("dependencies]");
            } else if in_dependencies
                && line.contains(" = ")
                && !is_of_workspace
                && !line.contains('#')
            {
                silent.push(format!("{}: {line}", manifest.display()));
            }
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
    let from = root().join("src/deal.rs");
    let named: BTreeSet<String> =
        found.paths.iter().filter_map(|path| room_named(path, &from)).collect();
    assert_eq!(named, BTreeSet::from(["log", "record", "store"].map(str::to_owned)));
    assert!(found.paths.iter().any(|path| path[..2] == ["std", "fs"]));
}
