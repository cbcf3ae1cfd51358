//! Pages as one file each, for a folder or a stick.
//!
//! A browser refuses to import modules from `file:`. So each module is a `data:` URL in the page's import map, under a bare
//! name; and a worker, which has no import map, makes blobs of its modules, one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::Serialize;

use super::{WEB_FILES, ending, hash_source, text};

/// What the bare names of modules begin with.
const NAMES: &str = "fairdeal-pages/";

/// The module that starts workers, and what names one there.
const STARTER: &str = "ui/worker.js";
const WORKER: (&str, &str) = (": () => new URL(\"", "\", import.meta.url)");

/// What stands before the path of a module that another one imports.
const IMPORTS: [&str; 3] = ["from \"", "import \"", "import(\""];

/// Runs in a worker, as a script: from `file:` no worker is a module. It gets modules, each after those that it imports, and
/// runs the last one. What it is asked meanwhile is kept for that one.
const BOOTSTRAP: &str = "\
const early = [];
const keep = (event) => { early.push(event); };
addEventListener('message', keep);
const urls = new Map();
for (const [name, parts] of modules) {
  const text = parts.map((part, nth) => nth % 2 ? urls.get(part) : part).join('');
  urls.set(name, URL.createObjectURL(new Blob([text], {type: 'text/javascript'})));
}
import(urls.get(modules.at(-1)[0])).then(() => {
  removeEventListener('message', keep);
  for (const event of early) dispatchEvent(new MessageEvent('message', {data: event.data, ports: event.ports}));
}, (error) => setTimeout(() => { throw error; }));
";

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PagesExported {
    /// The pages, by their names.
    pub pages: Vec<String>,
    /// How many bytes they have together.
    pub bytes: usize,
}

/// Pages could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}", path = path.display())]
pub struct PagesExportError {
    /// The folder or the file.
    pub path: PathBuf,
    /// The system's reason.
    pub error: std::io::Error,
}

/// The names of the pages that [`export`] writes.
pub fn export_names() -> impl Iterator<Item = &'static str> {
    WEB_FILES.iter().map(|(name, _)| *name).filter(|name| is_page(name))
}

/// Writes every page that works without a service into a folder, which is made if there is none. Pages of these names that are
/// there already are replaced.
///
/// # Errors
/// [`PagesExportError`].
pub fn export(dir: &Path) -> Result<PagesExported, PagesExportError> {
    let said = |path: &Path| {
        let path = path.to_owned();
        |error| PagesExportError { path, error }
    };
    fs::create_dir_all(dir).map_err(said(dir))?;
    let mut exported = PagesExported { pages: Vec::new(), bytes: 0 };
    for name in export_names() {
        let page = whole(name);
        let path = dir.join(name);
        fs::write(&path, &page).map_err(said(&path))?;
        exported.pages.push(name.to_owned());
        exported.bytes += page.len();
    }
    Ok(exported)
}

/// Whether a file is a page that works without a service.
fn is_page(name: &str) -> bool {
    let needs_service = |text: &str| text.contains("<meta name=\"needs\" content=\"service\">");
    ending(name) == Some("html") && !name.contains('/') && !text(name).is_some_and(needs_service)
}

/// A page with all that it loads.
fn whole(name: &str) -> String {
    let html = text(name).unwrap_or_default();
    let (mut out, mut styles, mut scripts) = (String::new(), Vec::new(), Vec::new());
    for line in html.lines() {
        if let Some(href) = attribute(line, "<link rel=\"stylesheet\"", "href") {
            let style = text(href).unwrap_or_default().replace("</style", "<\\/style");
            out += &["<style>", &style, "</style>\n"].concat();
            styles.push(hash_source(&style));
        } else if let Some(src) = attribute(line, "<script type=\"module\"", "src") {
            let modules = reached(src);
            let map = import_map(&modules);
            let workers = if modules.contains(STARTER) { workers() } else { String::new() };
            let entry = format!("import \"{NAMES}{src}\";");
            out += &[
                "<script type=\"importmap\">",
                &map,
                "</script>\n<script>",
                &workers,
                "</script>\n",
            ]
            .concat();
            out += &["<script type=\"module\">", &entry, "</script>\n"].concat();
            scripts.extend([&map, &workers, &entry].map(|text| hash_source(text)));
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    let policy = format!(
        "default-src 'none'; script-src data: blob: {}; style-src {}; img-src data:; worker-src blob:; \
         base-uri 'none'; form-action 'none'",
        scripts.join(" "),
        styles.join(" ")
    );
    let head = format!(
        "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"
    );
    out.replacen("<meta charset=\"utf-8\">", &head, 1)
}

/// The value of an attribute of a line's element.
fn attribute<'a>(line: &'a str, element: &str, name: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix(element)?;
    let (_, value) = rest.split_once(&format!("{name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

/// A module's text, cut at the paths of the modules that it imports: text and module in turn, from text to text.
fn parts(module: &str) -> Vec<String> {
    let text = text(module).unwrap_or_default();
    let (mut parts, mut kept, mut from) = (Vec::new(), 0, 0);
    while let Some(rest) = text.get(from..)
        && let Some(at) =
            IMPORTS.iter().filter_map(|start| rest.find(start).map(|at| at + start.len())).min()
    {
        from += at;
        let path =
            text.get(from..).and_then(|rest| rest.split_once('"')).map_or("", |(path, _)| path);
        if let Some(found) = resolved(module, path).filter(|_| !is_in_comment(text, from)) {
            parts.extend([text.get(kept..from).unwrap_or_default().to_owned(), found]);
            kept = from + path.len();
        }
    }
    parts.push(text.get(kept..).unwrap_or_default().to_owned());
    parts
}

/// Whether a place is in a comment: what stands there imports types alone.
fn is_in_comment(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    line.starts_with("//") || before.rfind("/*") > before.rfind("*/")
}

/// The file that a module names by `./x.js` or `../y/x.js`, if there is one.
fn resolved(module: &str, path: &str) -> Option<String> {
    if !path.starts_with("./") && !path.starts_with("../") {
        return None;
    }
    let mut place: Vec<&str> = module.split('/').collect();
    place.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(place.pop()?),
            part => place.push(part),
        }
    }
    let found = place.join("/");
    text(&found).map(|_| found)
}

fn imported(module: &str) -> impl Iterator<Item = String> {
    parts(module).into_iter().skip(1).step_by(2)
}

/// A module, and all that it imports.
fn reached(entry: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![entry.to_owned()];
    while let Some(module) = waiting.pop() {
        if !reached.contains(&module) {
            waiting.extend(imported(&module));
            reached.insert(module);
        }
    }
    reached
}

fn import_map(modules: &BTreeSet<String>) -> String {
    let url = |module: &String| {
        let named = |(nth, part): (usize, String)| {
            if nth & 1 == 1 { format!("{NAMES}{part}") } else { part }
        };
        let text: String = parts(module).into_iter().enumerate().map(named).collect();
        (
            format!("{NAMES}{module}"),
            format!("data:text/javascript;base64,{}", BASE64_STANDARD.encode(text)),
        )
    };
    let imports: BTreeMap<String, String> = modules.iter().map(url).collect();
    serde_json::json!({ "imports": imports }).to_string()
}

/// The script that keeps every worker as a text, for the module that starts them.
fn workers() -> String {
    let starter = text(STARTER).unwrap_or_default();
    let mut made = String::from("globalThis.fairdealWorkers = {};\n");
    for (before, after) in starter.match_indices(WORKER.0).map(|(at, _)| starter.split_at(at)) {
        let name = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let path = after.strip_prefix(WORKER.0).and_then(|rest| rest.split_once(WORKER.1));
        let Some(entry) = path.and_then(|(path, _)| resolved(STARTER, path)) else { continue };
        let mut ordered = Vec::new();
        order(&entry, &mut BTreeSet::new(), &mut ordered);
        let modules: Vec<_> = ordered.iter().map(|module| (module, parts(module))).collect();
        // Inside of a script, a text ends neither the script nor a comment of HTML.
        let modules = serde_json::json!(modules).to_string().replace('<', "\\u003c");
        let source = serde_json::json!(BOOTSTRAP);
        let parts = format!("'const modules = ', JSON.stringify({modules}), ';\\n', {source}");
        made += &[
            "fairdealWorkers.",
            name,
            " = new Blob([",
            &parts,
            "], {type: 'text/javascript'});\n",
        ]
        .concat();
    }
    made
}

/// The modules that a module needs, each after those that it imports; the module itself is last.
fn order(module: &str, seen: &mut BTreeSet<String>, ordered: &mut Vec<String>) {
    if seen.insert(module.to_owned()) {
        imported(module).for_each(|one| order(&one, seen, ordered));
        ordered.push(module.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_cut_at_what_it_imports() {
        for (name, _) in WEB_FILES.iter().filter(|(name, _)| ending(name) == Some("js")) {
            let whole: String = parts(name)
                .into_iter()
                .enumerate()
                .map(|(nth, part)| {
                    if nth & 1 == 0 {
                        return part;
                    }
                    let depth = name.matches('/').count();
                    let from: Vec<&str> = name.split('/').collect();
                    let to: Vec<&str> = part.split('/').collect();
                    let shared = from
                        .iter()
                        .zip(&to)
                        .take(depth)
                        .take_while(|(one, other)| one == other)
                        .count();
                    let up = "../".repeat(depth - shared);
                    let up = if up.is_empty() { "./".to_owned() } else { up };
                    up + &to.get(shared..).unwrap_or_default().join("/")
                })
                .collect();
            assert_eq!(Some(whole.as_str()), text(name), "{name}");
        }
    }

    #[test]
    fn every_import_is_found_and_those_of_types_alone_are_not() {
        for (name, _) in WEB_FILES.iter().filter(|(name, _)| ending(name) == Some("js")) {
            let lines = text(name).unwrap_or_default().lines();
            let is_import = |line: &&str| {
                let begins =
                    ["import ", "export ", "} from "].iter().any(|start| line.starts_with(start));
                begins
                    && (line.contains(" from \"./")
                        || line.contains(" from \"../")
                        || line.starts_with("import \"."))
            };
            let (all, found) = (lines.filter(is_import).count(), imported(name).count());
            assert!(found >= all, "{name}: {found} of {all}");
        }
        assert!(is_in_comment("/** @type {import(", 18) && !is_in_comment("/* */ import(", 13));
    }

    #[test]
    fn no_module_of_a_worker_needs_itself() {
        for (name, _) in WEB_FILES.iter().filter(|(name, _)| name.starts_with("workers/")) {
            let mut ordered = Vec::new();
            order(name, &mut BTreeSet::new(), &mut ordered);
            for (nth, module) in ordered.iter().enumerate() {
                for one in imported(module) {
                    assert!(
                        ordered.get(..nth).is_some_and(|before| before.contains(&one)),
                        "{module} and {one}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_whole_page_names_no_other_file() {
        let pages: Vec<_> =
            WEB_FILES.iter().map(|(name, _)| *name).filter(|name| is_page(name)).collect();
        assert!(pages.contains(&super::super::HOME), "{pages:?}");
        for name in pages {
            let page = whole(name);
            assert!(
                !page.contains(" src=\"") && !page.contains("<link rel=\"stylesheet\""),
                "{name}"
            );
            assert!(
                page.contains("Content-Security-Policy") && page.contains("importmap"),
                "{name}"
            );
        }
    }
}
