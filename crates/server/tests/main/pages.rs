//! The program has the files of `web/` that a browser asks for, and answers with them.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::service_support::Running;

/// The file that a build may bundle with a package of npm.
const BUNDLED: &str = "curves.js";

fn web() -> PathBuf {
    tools::root().join("web")
}

/// The files that only `fairdeal play` serves: those in the block `files!` of its pages.
fn of_play() -> Vec<String> {
    let pages = std::fs::read_to_string(tools::root().join("crates/play/src/pages.rs")).unwrap();
    let (_, block) = pages.split_once("files! {").expect("the list of its files");
    let (block, _) = block.split_once('}').expect("its end");
    let names: Vec<String> = block.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(names.contains(&"play.html".to_owned()), "{names:?}");
    names
}

/// The files that a browser requests: pages, styles and modules, without what only Node runs.
fn files_below(folder: &Path, except: &[String], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(web()).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let is_for_node = ["node_modules", "test", "bench"].contains(&name.as_str());
            if !is_for_node {
                files_below(&path, except, found);
            }
        } else if [".html", ".css", ".js", ".txt"].iter().any(|ending| name.ends_with(ending)) {
            let text = std::fs::read_to_string(&path).unwrap();
            if !text.contains("from \"node:") && !except.contains(&name) {
                found.push(name);
            }
        }
    }
}

fn files() -> Vec<String> {
    let mut found = Vec::new();
    files_below(&web(), &of_play(), &mut found);
    found.sort();
    found
}

#[test]
fn the_program_has_the_files_of_the_pages() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/pages/files.rs");
    let mut made = String::from(
        "//! The files of `web/` that a browser asks for. Written by crates/server/tests/main/pages.rs.\n\n\
         macro_rules! files {\n    ($($path:tt)+) => {\n        \
         /// Each file by its path, in the order of the paths.\n        \
         pub const WEB_FILES: &[(&str, &[u8])] = &[$(($path, bytes!($path))),+];\n    };\n}\n\n\
         macro_rules! bytes {\n    // build.rs makes it.\n    \
         (\"curves.js\") => {\n        \
         include_bytes!(concat!(env!(\"OUT_DIR\"), \"/curves.js\"))\n    };\n    \
         ($path:tt) => {\n        \
         include_bytes!(concat!(\"../../../../web/\", $path))\n    };\n}\n\nfiles! {",
    );
    let mut column = usize::MAX;
    for name in files() {
        column = column.saturating_add(name.len() + 3);
        if column > 100 {
            made.push_str("\n   ");
            column = name.len() + 6;
        }
        write!(made, " \"{name}\"").unwrap();
    }
    made.push_str("\n}\n");
    if std::env::var("FAIRDEAL_DOCS").is_ok_and(|mode| mode == "overwrite") {
        std::fs::write(path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(made == kept, "FAIRDEAL_DOCS=overwrite writes {path} anew");
}

fn read(name: &str) -> String {
    std::fs::read_to_string(web().join(name)).unwrap()
}

/// A page without what the service writes into it.
fn without_origin(body: &[u8]) -> String {
    String::from_utf8_lossy(body).replacen(" data-origin=\"test.example/log\"", "", 1)
}

#[test]
fn the_service_answers_with_the_pages_and_lets_them_do_nothing_else() {
    let service = Running::new();
    for name in files() {
        let got = service.get(&format!("/{name}"));
        assert_eq!(got.status, 200, "{name}");
        if name != BUNDLED {
            assert_eq!(without_origin(&got.body), read(&name), "{name}");
        }
        let kind = match name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("txt") => "text/plain; charset=utf-8",
            _ => "text/javascript; charset=utf-8",
        };
        assert_eq!(got.header("content-type"), Some(kind), "{name}");
        let policy = got.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        let tag = got.header("etag").unwrap().to_owned();
        assert_eq!(service.get_with(&format!("/{name}"), &[("if-none-match", &tag)]).status, 304);
    }
    // The tests in a browser try the pages under the same policy.
    let harness = std::fs::read_to_string(web().join("test/browser/harness.js")).unwrap();
    let policy = service.get("/").header("content-security-policy").unwrap().to_owned();
    let harness = harness.replace("\" +\n  \"", "").replace("=\n  \"", "= \"");
    assert!(harness.contains(&format!("POLICY = \"{policy}\"")), "{policy}");
    let home = service.get("/");
    assert_eq!(without_origin(&home.body), read("verify.html"));
    let body = home.text();
    assert!(body.contains("<html lang=\"en\" data-origin=\"test.example/log\""), "{body}");
    assert!(!body.contains("data-offers"), "there is no table to play at");
    for name in of_play() {
        service.get(&format!("/{name}")).refuses(404, "no-such-path");
    }
    service.get("/play").refuses(404, "no-such-path");
    service.post_as("", "/play/rounds", &[], b"{}").refuses(404, "no-such-path");
    service.get("/test/shuffle.test.js").refuses(404, "no-such-path");
    service.get("/fairdeal/package.json").refuses(404, "no-such-path");
    service.get("/pages/../verify.html").refuses(404, "no-such-path");
}
