//! `fairdeal raffle page`: a raffle's files as it stands now. `raffle new` and `raffle draw` write
//! the same ones.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::number;
use crate::beacon::ChainArgs;
use crate::exit::Failure;
use crate::operator::{self, LedgerArgs};
use crate::out::{Out, shown};
use crate::which::Which;
use crate::{files, serve, web};
use fairdeal::beacon::Chains;
use fairdeal::deal::{Commitment, Deck};
use fairdeal::log::VerifierKey;
use fairdeal::raffle::{RaffleDocument, RaffleGiven, RaffleVerdict, Tickets, verify_raffle};
use fairdeal_ledger::{Ledger, LedgerError};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    files: FilesArgs,

    #[command(flatten)]
    chains: ChainArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  fairdeal raffle page 630dcd -o winter
  fairdeal raffle page --table raffle-winter -o winter

The files replace those of the same raffle in that folder, and no others. Write them again after the lock of an open \
raffle, and once your witnesses have signed: only then do they have the seed.";

/// The folder of a raffle's files.
#[derive(Debug, clap::Args)]
pub(super) struct FilesArgs {
    /// The folder for the raffle's files: raffle.html, which is a whole page, and raffle.json,
    /// list.txt and log.key for the command
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    #[arg(long, value_name = "URL", default_value = RELAY, value_parser = serve::public_url, help = RELAYS)]
    pub(super) beacon_relay: Vec<String>,
}

pub(crate) const RELAY: &str = "https://api.drand.sh";
const RELAYS: &str = "\
A server that has the beacon's signatures. The page asks it for the number once the draw is out, and so does raffle draw. \
May be repeated: they are asked one after the other";

/// What is written of a raffle.
pub(super) struct RaffleFiles {
    document: RaffleDocument,
    list: String,
    key: VerifierKey,
}

/// The `--json` output.
#[derive(Serialize)]
struct Answer<'a> {
    commitment: Commitment,
    number: String,
    folder: &'a Path,
    /// Whether the files have the server seed.
    has_seed: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let named = args.which.one(&args.ledger.again())?;
    let policy = args.ledger.policy_for_readers()?;
    let (commitment, raffle) =
        operator::ask_with(&args.ledger, args.chains.options()?, async |ledger| {
            let commitment = ledger.find(&named).await?;
            Ok((commitment, RaffleFiles::read(ledger, commitment, policy).await?))
        })?;
    let _made = args.files.check(Some(commitment))?;
    args.files.write(&raffle)?;
    let has_seed = raffle.document.server_seed().is_some();
    let (number, folder) = (raffle.number(), args.files.output.as_path());
    let answer = Answer { commitment, number, folder, has_seed };
    out.show(&answer, |out| {
        out.field("number", &answer.number);
        args.files.print(&raffle, out);
    });
    Ok(())
}

impl RaffleFiles {
    /// A raffle of a ledger; `policy` is the organiser's, for readers.
    pub(super) async fn read(
        ledger: &Ledger,
        commitment: Commitment,
        policy: Option<String>,
    ) -> Result<Self, LedgerError> {
        let mut document = ledger.raffle_document(commitment).await?;
        if let Some(policy) = policy {
            let with = document.with_policy(policy);
            document = with.map_err(|error| LedgerError::Invalid(error.to_string()))?;
        }
        let none = |says: &str| LedgerError::NoRaffle { commitment, says: says.to_owned() };
        let terms = ledger.show(commitment).await?.terms;
        let Deck::List { sha256, .. } = terms.deck else { return Err(none("it has no list")) };
        let list = ledger.kept_file(&sha256).await?.and_then(|list| String::from_utf8(list).ok());
        let list = list.ok_or_else(|| none("its list is not here"))?;
        Ok(Self { document, list, key: ledger.verifier_key().clone() })
    }

    pub(super) fn number(&self) -> String {
        number::of(&self.document)
    }

    /// The verdict of a reader without witnesses and without a saved document.
    pub(super) fn verdict(&self, chains: Chains) -> Result<RaffleVerdict, Failure> {
        let tickets = Tickets::parse(self.list.as_bytes());
        let tickets = tickets.map_err(|error| unavailable!("{LIST}: {error}"))?;
        let mut given = RaffleGiven::default();
        given.reader.chains = chains;
        verify_raffle(&self.document, &tickets, &self.key, &given)
            .map_err(|error| unavailable!("{DOCUMENT}: {error}"))
    }
}

/// A folder that this command made. It is removed again if nothing was written into it.
#[must_use]
pub(super) struct NewFolder(Option<PathBuf>);

impl Drop for NewFolder {
    fn drop(&mut self) {
        // A folder with files stays.
        let _ = self.0.as_ref().map(fs::remove_dir);
    }
}

impl FilesArgs {
    /// Refuses early a folder that takes no files, and one with other files of these names. Files of
    /// the raffle with this commitment are replaced.
    pub(super) fn check(&self, commitment: Option<Commitment>) -> Result<NewFolder, Failure> {
        let dir = &self.output;
        if fs::metadata(dir).is_ok_and(|found| !found.is_dir()) {
            return Err(unavailable!("{}: expected a folder, found a file", dir.display()));
        }
        let unwritable = |error| unavailable!("{}: {}", dir.display(), files::reason(&error));
        let made = NewFolder(Some(dir.clone()).filter(|dir| !dir.exists()));
        fs::create_dir_all(dir).map_err(unwritable)?;
        let there = fs::read(dir.join(DOCUMENT)).ok();
        let there = there.and_then(|bytes| RaffleDocument::parse(&bytes).ok());
        let there = there.and_then(|there| Some(there.commit().ok()?.commitment));
        for name in [PAGE, DOCUMENT, LIST, KEY] {
            let path = dir.join(name);
            if there.is_none() || there != commitment {
                files::check_free(Some(&path))
                    .map_err(|failure| failure.hint("Name another folder with --output."))?;
            }
            files::check_writable(&path)?;
        }
        Ok(made)
    }

    /// Writes them.
    pub(super) fn write(&self, raffle: &RaffleFiles) -> Result<(), Failure> {
        let RaffleFiles { document, list, key } = raffle;
        let save = |name: &str, text: &str| files::save(&self.output.join(name), text);
        save(LIST, list)?;
        save(KEY, &format!("{}\n", key.to_text()))?;
        save(DOCUMENT, &document.to_text())?;
        save(PAGE, &web::raffle_page(document, list, key, &self.beacon_relay)?)
    }

    pub(super) fn print(&self, raffle: &RaffleFiles, out: &mut Out) {
        out.field("saved", shown(&self.output.join(PAGE)));
        more!(out, "one file, with all that it needs: put it on the web, or send it");
        field!(out, "", "{DOCUMENT}, {LIST} and {KEY} beside it are for the command");
        if raffle.document.server_seed().is_none() {
            out.long_field("seed", STILL_SECRET);
        }
    }

    /// The folder, for a printed command.
    pub(super) fn dir(&self) -> &Path {
        &self.output
    }
}

const STILL_SECRET: &str = "\
not in the files yet: your witnesses have not signed the list. Write the files again before the draw, with fairdeal raffle page";

const PAGE: &str = "raffle.html";
const DOCUMENT: &str = "raffle.json";
const LIST: &str = "list.txt";
const KEY: &str = "log.key";
