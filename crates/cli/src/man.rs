//! `fairdeal man`: prints the manual, from the same text as `--help`.

use std::fs;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap_mangen::Man;
use serde::Serialize;

use super::exit::Failure;
use super::files;
use super::out::{Out, plain};

/// Print the manual pages, or write them to a folder
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print only the page of this command
    #[arg(conflicts_with = "output")]
    command: Option<String>,

    /// Write a page for each command to this folder
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal man verify > fairdeal-verify.1 && man ./fairdeal-verify.1
  fairdeal man -o ~/.local/share/man/man1";

/// The `--json` output: the pages, or their files.
#[derive(Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pages: Vec<Page>,
}

#[derive(Serialize)]
struct Page {
    name: String,
    page: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let mut pages = pages()?;
    if let Some(command) = &args.command {
        pages.retain(|page| page.name == format!("fairdeal-{command}"));
        if pages.is_empty() {
            return Err(usage!("expected a fairdeal command, found {command:?}"));
        }
    }
    if args.output.is_none() && !out.json() && std::io::stdout().is_terminal() {
        let command = args.command.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
        return Err(Failure::usage(
            "expected a pipe or -o DIR: the pages are not for a terminal as they are",
        )
        .hint(format!("fairdeal man{command} | man -l -")));
    }
    let mut files = Vec::new();
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder)
            .map_err(|error| unavailable!("{}: {}", folder.display(), files::reason(&error)))?;
        for page in std::mem::take(&mut pages) {
            let path = folder.join(format!("{}.1", page.name));
            files::save(&path, &page.page)?;
            files.push(path.display().to_string());
        }
    }
    let answer = Answer { files, pages };
    out.show(&answer, |out| {
        for file in &answer.files {
            out.line(plain(file));
        }
        for page in &answer.pages {
            out.text(&page.page);
        }
    });
    Ok(())
}

/// The main page, then one for each command.
fn pages() -> Result<Vec<Page>, Failure> {
    let mut root = super::command();
    root.build();
    let mut pages = vec![page("fairdeal", root.clone())?];
    for command in
        root.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help")
    {
        let name = format!("fairdeal-{}", command.get_name());
        pages.push(page(&name, command.clone().display_name(&name))?);
    }
    Ok(pages)
}

fn page(name: &str, command: clap::Command) -> Result<Page, Failure> {
    let mut text = Vec::new();
    let source = concat!("fairdeal ", env!("CARGO_PKG_VERSION"));
    let rendered = Man::new(command).source(source).render(&mut text);
    rendered.map_err(|error| unavailable!("{name}: {error}"))?;
    Ok(Page { name: name.to_owned(), page: String::from_utf8_lossy(&text).into_owned() })
}
