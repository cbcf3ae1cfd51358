//! `fairdeal web`: the pages for players, without a service.

use std::fs;
use std::path::PathBuf;

use super::exit::Failure;
use super::files;
use super::out::{Out, shown};
use fairdeal_server::{export_pages, exported_pages};

/// The pages for players, which `serve` serves: for a folder or a stick
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

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let Command::Export(Export { dir, force }) = &args.command;
    if fs::metadata(dir).is_ok_and(|found| !found.is_dir()) {
        return Err(Failure::unavailable(format!(
            "{}: expected a folder, found a file",
            dir.display()
        )));
    }
    for page in exported_pages().filter(|_| !force) {
        files::check_free(Some(&dir.join(page)))
            .map_err(|failure| failure.hint("With --force all pages are replaced."))?;
    }
    let written = export_pages(dir).map_err(|error| {
        Failure::unavailable(format!("{}: {}", error.path.display(), files::reason(&error.error)))
    })?;
    out.show(&written, |out| {
        out.field("pages", written.pages.join(", "));
        out.field("bytes", written.bytes);
        out.field("next", format_args!("open {} in a browser", shown(&dir.join("verify.html"))));
    });
    Ok(())
}
