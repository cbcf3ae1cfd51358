//! `fairdeal web`: the pages for players, without a service.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use url::Url;

use super::exit::Failure;
use super::files;
use super::out::{Out, shown};
use super::raffle::RELAY;
use fairdeal::log::VerifierKey;
use fairdeal::raffle::RaffleDocument;
use fairdeal_server::{WEB_FILES, hash_source};

/// Write the pages for players into a folder or onto a stick
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write the pages that need no service, each as one file that opens without a network
    #[command(after_help = EXAMPLES)]
    Export(Export),
}

#[derive(Debug, clap::Args)]
struct Export {
    /// The folder to write to
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// Replace pages that are there
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal web export pages      then open pages/verify.html in a browser";

/// Loads the modules in the browser.
const LOADER: &str = include_str!("page_loader.js");

/// The `--json` output.
#[derive(Serialize)]
struct Answer {
    /// The pages, by their names.
    pages: Vec<&'static str>,
    /// How many bytes they have together.
    bytes: usize,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let Command::Export(Export { dir, force }) = &args.command;
    if fs::metadata(dir).is_ok_and(|found| !found.is_dir()) {
        return Err(unavailable!("{}: expected a folder, found a file", dir.display()));
    }
    for (page, _) in pages().filter(|_| !force) {
        files::check_free(Some(&dir.join(page)))
            .map_err(|failure| failure.hint("With --force all pages are replaced."))?;
    }
    let unwritable = |error| unavailable!("{}: {}", dir.display(), files::reason(&error));
    fs::create_dir_all(dir).map_err(unwritable)?;
    let modules = in_html(&modules());
    let mut written = Answer { pages: Vec::new(), bytes: 0 };
    for (name, html) in pages() {
        // It asks for a raffle's number, which needs no service of ours.
        let servers = (name == "raffle.html").then(|| RELAY.to_owned());
        let brought = Brought { servers: servers.into_iter().collect(), ..Brought::default() };
        let page = whole(html, &modules, &brought);
        files::save_new(&dir.join(name), &page, *force)?;
        written.pages.push(name);
        written.bytes += page.len();
    }
    out.show(&written, |out| {
        out.field("pages", written.pages.join(", "));
        out.field("bytes", written.bytes);
        field!(out, "next", "open {} in a browser", shown(&dir.join("verify.html")));
    });
    Ok(())
}

/// The texts of the files of the pages, by their paths.
fn texts(ending: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let texts = WEB_FILES.iter().filter(move |(path, _)| path.ends_with(ending));
    texts.filter_map(|(path, bytes)| Some((*path, str::from_utf8(bytes).ok()?)))
}

/// The pages that need no service.
fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    texts(".html").filter(|(_, text)| !text.contains("<meta name=\"needs\" content=\"service\">"))
}

/// Every module by its path.
fn modules() -> Value {
    let texts = texts(".js").map(|(path, text)| (path.to_owned(), Value::from(text)));
    Value::Object(texts.collect::<Map<_, _>>())
}

/// JSON that neither ends a script nor begins a comment of HTML.
fn in_html(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// What a page brings with it besides its code.
#[derive(Debug, Default)]
struct Brought {
    /// An element with data.
    data: String,
    /// The origins of the servers that it may ask.
    servers: BTreeSet<String>,
}

/// The beginning of the element with a raffle's data.
const RAFFLE: &str = "<script type=\"application/json\" id=\"raffle\">";
/// The attribute of that element, and of no other one. In the page's code the quotes are escaped.
const ID: &str = "id=\"raffle\"";

/// The document in a raffle's page, for a reader who saved the page. Other bytes stay as they are, also
/// a page with two such elements: a browser and this command could read another one.
/// Returns the log's key in the page too.
pub(super) fn document_in_page(bytes: Vec<u8>) -> (Vec<u8>, Option<VerifierKey>) {
    let found = in_page(&bytes).and_then(|InPage { document, key, .. }| {
        let key = key.and_then(|key| VerifierKey::parse(&key).ok());
        Some((document?.get().into(), key))
    });
    found.unwrap_or((bytes, None))
}

/// The list in a raffle's page. Other bytes stay as they are.
pub(super) fn list_in_page(bytes: Vec<u8>) -> Vec<u8> {
    in_page(&bytes).and_then(|data| data.list).map_or(bytes, String::into_bytes)
}

/// What a raffle's page brings with it. A member that comes twice is refused, as by a browser.
#[derive(Deserialize)]
struct InPage<'a> {
    #[serde(borrow)]
    document: Option<&'a RawValue>,
    list: Option<String>,
    key: Option<String>,
}

fn in_page(bytes: &[u8]) -> Option<InPage<'_>> {
    let text = str::from_utf8(bytes).ok().filter(|text| text.contains("<html"))?;
    text.matches(ID).nth(1).is_none().then_some(())?;
    let (_, data) = text.split_once(RAFFLE)?;
    let (data, _) = data.split_once("</script>")?;
    serde_json::from_str(data).ok()
}

/// The page of a raffle as one file, with its document, its list, the log's key, and the relays that it
/// may ask for the beacon's signature.
pub(super) fn raffle_page(
    document: &RaffleDocument,
    list: &str,
    key: &VerifierKey,
    relays: &[String],
) -> Result<String, Failure> {
    let document: Value = serde_json::from_str(&document.to_text())
        .map_err(|error| unavailable!("the raffle's document: {error}"))?;
    let data =
        json!({ "document": document, "list": list, "key": key.to_text(), "relays": relays });
    let data = format!("{RAFFLE}{}</script>", in_html(&data));
    let origin = |relay: &String| Url::parse(relay).map(|url| url.origin().ascii_serialization());
    let servers = relays.iter().map(origin).collect::<Result<_, _>>();
    let servers = servers.map_err(|error| usage!("--beacon-relay: {error}"))?;
    let pages = texts(".html").find(|(name, _)| *name == "raffle.html");
    let (_, html) = pages.ok_or_else(|| unavailable!("this build has no page raffle.html"))?;
    Ok(whole(html, &in_html(&modules()), &Brought { data, servers }))
}

/// A page with all that it loads, as one file. Next to a published log it reads that log.
fn whole(html: &str, modules: &str, brought: &Brought) -> String {
    let (mut page, mut styles, mut scripts) = (String::new(), Vec::new(), String::new());
    for line in html.lines() {
        // Writing to a string cannot fail.
        let _ = if let Some(path) = named(line, "<link rel=\"stylesheet\" href=\"") {
            let (_, sheet) = texts(".css").find(|(name, _)| *name == path).unwrap_or_default();
            let sheet = sheet.replace("</style", "<\\/style");
            styles.push(hash_source(&sheet));
            writeln!(page, "<style>{sheet}</style>")
        } else if let Some(path) = named(line, "<script type=\"module\" src=\"") {
            let script =
                format!("const modules = {modules};\n{LOADER}\nimport(urlOf(\"{path}\"));\n");
            scripts = hash_source(&script);
            writeln!(page, "{}<script type=\"module\">{script}</script>", brought.data)
        } else {
            writeln!(page, "{line}")
        };
    }
    let head = format!(
        "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"\
         default-src 'none'; script-src blob: {scripts}; style-src {}; img-src data:; \
         connect-src 'self'{}; worker-src blob:; base-uri 'none'; form-action 'none'\">",
        styles.join(" "),
        brought.servers.iter().fold(String::new(), |all, one| all + " " + one)
    );
    page.replacen("<meta charset=\"utf-8\">", &head, 1)
}

/// The path in an element of a page that begins so. A test holds the pages to this form.
fn named<'a>(line: &'a str, element: &str) -> Option<&'a str> {
    line.trim_start().strip_prefix(element)?.split_once('"').map(|(path, _)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_page_names_no_other_file() {
        let names: Vec<&str> = pages().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            ["check.html", "explore.html", "raffle.html", "verify.html", "watch.html"]
        );
        for (name, html) in pages() {
            let page = whole(html, "{}", &Brought::default());
            assert!(
                !page.contains(" src=\"") && !page.contains("<link rel=\"stylesheet"),
                "{name}"
            );
            let parts = ["connect-src 'self'", "<style>", "import(urlOf(\"pages/"];
            assert!(parts.iter().all(|part| page.contains(part)), "{page}");
        }
    }
}
