//! Shared by the operator's commands: opening the ledger, running a command, printing its answer or
//! its error.

use std::env;
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::again::Again;
use super::exit::Failure;
use super::hints::failure;
use super::out::{BAD, FAINT, Out, pasted, plain, shown};
use super::vault::VaultArgs;
use super::waiting::Waiting;
use super::witnesses::WitnessArgs;
use super::{cards, files, time};
use fairdeal::deal::{Label, Nonce};
use fairdeal::record::entry::{Commit, Hands, Layout, Table};
use fairdeal_ledger::{
    BeaconOptions, Done, IdempotencyKey, Ledger, LedgerError, LedgerOptions, Location, Reader,
    StateUrl,
};
use fairdeal_server::told::{EntryTold, NextTold};

/// The ledger's folder where none is named.
pub(super) const DEFAULT_LEDGER: &str = "./fairdeal-ledger";

/// The ledger that the variable names.
pub(super) fn named_ledger() -> Option<PathBuf> {
    env::var_os("FAIRDEAL_LEDGER").filter(|dir| !dir.is_empty()).map(PathBuf::from)
}

/// The option `--ledger`.
#[derive(Debug, clap::Args)]
pub(super) struct LedgerDir {
    /// The ledger's folder
    #[arg(
        long,
        value_name = "DIR",
        env = "FAIRDEAL_LEDGER",
        hide_env_values = true,
        default_value = DEFAULT_LEDGER
    )]
    pub(super) ledger: PathBuf,

    #[command(flatten)]
    pub(super) vault: VaultArgs,
}

/// The ledger's folder as the command's own argument, or as `--ledger`: who comes from another
/// command types that.
#[derive(Debug, clap::Args)]
pub(super) struct LedgerPath {
    #[arg(value_name = "LEDGER", help = LEDGER)]
    dir: Option<PathBuf>,

    /// The same, in place of LEDGER
    #[arg(long, value_name = "DIR", conflicts_with = "dir")]
    ledger: Option<PathBuf>,

    #[command(flatten)]
    elsewhere: Elsewhere,

    #[command(flatten)]
    pub(super) vault: VaultArgs,
}

const LEDGER: &str = "The ledger's folder [env: FAIRDEAL_LEDGER] [default: ./fairdeal-ledger]";

/// The options `--state` and `--tiles`.
#[derive(Debug, clap::Args)]
pub(super) struct Elsewhere {
    #[arg(long, value_name = "URL", env = "FAIRDEAL_STATE", hide_env_values = true, value_parser = state_url, help = STATE)]
    state: Option<StateUrl>,

    #[arg(long, value_name = "URL", env = "FAIRDEAL_TILES", hide_env_values = true, help = TILES)]
    tiles: Option<String>,
}

const STATE: &str = "\
Where the ledger's state is, if not in its folder: postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME. \
Other users of the machine see a password in an argument; not in the variable, PGPASSWORD or ~/.pgpass";
const TILES: &str =
    "Where the published files are, if not in the ledger's folder: s3://BUCKET/PREFIX";

/// Takes any text: an error here would repeat it, and it may have a password.
#[expect(clippy::unnecessary_wraps, reason = "the form of a parser of arguments")]
fn state_url(text: &str) -> Result<StateUrl, std::convert::Infallible> {
    Ok(StateUrl::new(text))
}

impl Elsewhere {
    /// The parts of the ledger in this folder.
    pub(super) fn of(&self, dir: &Path) -> Location {
        Location { dir: dir.to_owned(), state: self.state.clone(), tiles: self.tiles.clone() }
    }
}

impl LedgerPath {
    /// The ledger's folder. The parser would take the variable for a second folder, in conflict
    /// with the typed one.
    pub(super) fn dir(&self) -> PathBuf {
        let typed = self.dir.as_ref().or(self.ledger.as_ref());
        typed.cloned().or_else(named_ledger).unwrap_or_else(|| DEFAULT_LEDGER.into())
    }

    /// The places of its parts.
    pub(super) fn location(&self) -> Location {
        self.elsewhere.of(&self.dir())
    }

    /// The same, for a printed command.
    pub(super) fn again(&self) -> Again {
        Again::new(&self.location(), self.vault.is_command())
    }
}

/// The options `--ledger`, `--state` and `--tiles`.
#[derive(Debug, clap::Args)]
pub(super) struct Parts {
    #[command(flatten)]
    dir: LedgerDir,

    #[command(flatten)]
    elsewhere: Elsewhere,
}

impl Parts {
    /// The places of the ledger's parts.
    pub(super) fn location(&self) -> Location {
        self.elsewhere.of(&self.dir.ledger)
    }

    /// The place of its vault key.
    pub(super) fn vault(&self) -> &VaultArgs {
        &self.dir.vault
    }

    /// The same, for a printed command.
    pub(super) fn again(&self) -> Again {
        Again::new(&self.location(), self.vault().is_command())
    }
}

/// The ledger to read, and how long to wait for it.
#[derive(Debug, clap::Args)]
pub(super) struct ReadArgs {
    #[command(flatten)]
    parts: Parts,

    /// How long to wait for another process that uses the ledger
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    wait: u64,
}

/// The ledger to write to.
#[derive(Debug, clap::Args)]
pub(super) struct LedgerArgs {
    #[command(flatten)]
    read: ReadArgs,

    /// Go on although the clock jumped: today's date in UTC, typed by a person. A wrong time cannot
    /// be removed from the log
    #[arg(long, value_name = "DATE", value_parser = time::parse_date)]
    accept_time: Option<u64>,

    #[command(flatten)]
    witnesses: WitnessArgs,
}

/// The options `-o` and `--force`.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Save it in this file [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    force: bool,
}

impl OutputArgs {
    /// The file, if it is not stdout.
    pub(super) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !files::is_stdout(path))
    }

    /// Refuses early to replace a file.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.force {
            return Ok(());
        }
        files::check_free(self.file()).map_err(|failure| failure.hint("With --force it is."))
    }

    /// Saves the file that a command made with [`files::save_new`] or [`files::save_private`], or
    /// prints it: it is JSON, with `--json` and without.
    pub(super) fn hand_over(
        &self,
        save: impl FnOnce(&Path, &str, bool) -> Result<(), Failure>,
        text: &str,
        saved: &impl Serialize,
        out: &mut Out,
    ) -> Result<(), Failure> {
        let Some(path) = self.file() else {
            out.text(text);
            return Ok(());
        };
        save(path, text, self.force)?;
        out.show(saved, |out| out.field("saved", shown(path)));
        Ok(())
    }

    /// Saves a line of text. Returns the file, unless the line is for stdout.
    pub(super) fn save_line(&self, line: &str) -> Result<Option<&Path>, Failure> {
        let Some(path) = self.file() else { return Ok(None) };
        files::save_new(path, &format!("{line}\n"), self.force)?;
        Ok(Some(path))
    }
}

/// The option `--next`.
#[derive(Debug, clap::Args)]
pub(super) struct NextArgs {
    /// If this uses up or ends the commitment, publish the table's next one at once, on the same
    /// terms. Players should see it before their round
    #[arg(long)]
    pub(super) next: bool,
}

/// The option `--idempotency-key`.
#[derive(Debug, clap::Args)]
pub(super) struct RetryArgs {
    /// A name for this request. A retry under the same name gets the same answer, and nothing is
    /// done twice
    #[arg(long, value_name = "KEY", value_parser = |text: &str| IdempotencyKey::new(text))]
    pub(super) idempotency_key: Option<IdempotencyKey>,
}

/// Opens the ledger, runs `work` on it, and closes it.
/// Exit 1 if a rule refuses, with the findings on stdout; else 2 or 3.
pub(super) fn ask<T>(
    args: &LedgerArgs,
    work: impl AsyncFnOnce(&Ledger) -> Result<T, LedgerError>,
) -> Result<T, Failure> {
    ask_with(args, BeaconOptions::default(), work)
}

/// The same on a ledger with these beacons.
pub(super) fn ask_with<T>(
    args: &LedgerArgs,
    beacons: BeaconOptions,
    work: impl AsyncFnOnce(&Ledger) -> Result<T, LedgerError>,
) -> Result<T, Failure> {
    let options = LedgerOptions { accept_time: args.accept_time, beacons, ..args.read.options() };
    let (options, _) = args.witnesses.add(options)?;
    let asked = block_on(async {
        let waiting = args.read.waiting();
        let ledger = Ledger::open(args.read.location(), options).await?;
        drop(waiting);
        let answer = work(&ledger).await;
        let closed = ledger.close().await;
        let answer = answer?;
        closed.map(|()| answer)
    })?;
    asked.map_err(|error| failure(error, &args.again()))
}

/// Opens the ledger for reading, asks it, and closes it.
pub(super) fn read<T>(
    args: &ReadArgs,
    work: impl AsyncFnOnce(&Reader) -> Result<T, LedgerError>,
) -> Result<T, Failure> {
    let asked = block_on(async {
        let waiting = args.waiting();
        let reader = Reader::open(args.location(), args.options()).await?;
        drop(waiting);
        let answer = work(&reader).await?;
        reader.close().await?;
        Ok(answer)
    })?;
    asked.map_err(|error| failure(error, &args.again()))
}

impl LedgerArgs {
    /// The policy of the ledger's witnesses, as readers get it.
    pub(super) fn policy_for_readers(&self) -> Result<Option<String>, Failure> {
        self.witnesses.add(LedgerOptions::default()).map(|(_, policy)| policy)
    }

    /// The ledger, to read it first.
    pub(super) fn read(&self) -> &ReadArgs {
        &self.read
    }

    /// The ledger, for a printed command.
    pub(super) fn again(&self) -> Again {
        self.read.again()
    }
}

impl ReadArgs {
    /// The ledger, for a printed command.
    pub(super) fn again(&self) -> Again {
        self.parts.again()
    }

    fn location(&self) -> Location {
        self.parts.location()
    }

    /// Says that it takes long to open the ledger.
    fn waiting(&self) -> Waiting {
        self.parts.vault().waiting(&self.parts.dir.ledger, Some(self.wait))
    }

    fn options(&self) -> LedgerOptions {
        let wait = Duration::from_secs(self.wait);
        LedgerOptions { wait, one_shot: true, ..self.parts.dir.vault.options() }
    }
}

/// Runs a future to its end on this thread.
pub(super) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| unavailable!("the system: {error}"))?;
    Ok(runtime.block_on(work))
}

/// Tells an operator how to deal hidden hands. A table has one open commitment at a time.
pub(super) fn hidden_hands(table: &Table, again: &Again) -> String {
    let table = pasted(table.as_str());
    format!(
        "For hidden hands, when this commitment has ended: fairdeal commit --table {table} --sealed{again}"
    )
}

/// When a commitment must be revealed, as of a new entry.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    table: Table,
    /// The commitment's time.
    made: u64,
    reveal_by: u64,
    /// The new entry's time.
    now: u64,
}

impl Deadline {
    /// The deadline under these terms.
    pub(super) fn at(terms: &Commit, done: &Done) -> Self {
        let (made, reveal_by) = (terms.time.value(), terms.reveal_by.value());
        Self { table: terms.table.clone(), made, reveal_by, now: done.entry.time() }
    }

    /// Warns in the last tenth of the time, and after it.
    fn print(&self, out: &mut Out) {
        let Self { made, reveal_by, now, .. } = *self;
        if now > reveal_by {
            let late = time::span(now - reveal_by);
            field!(out, "reveal", "{BAD}OVERDUE{BAD:#} by {late}; every audit will say so");
        } else if reveal_by - now <= (reveal_by - made) / 10 {
            let (by, left) = (time::utc(reveal_by), time::span(reveal_by - now));
            field!(
                out,
                "reveal by",
                "{by}, {BAD}in {left}{BAD:#}; a later reveal stays a finding in every audit"
            );
        }
    }
}

/// The `--json` output for a new entry.
#[derive(Serialize)]
pub(super) struct Answer {
    #[serde(flatten)]
    told: EntryTold,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextTold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reveal_by: Option<u64>,
    #[serde(skip)]
    deadline: Option<Deadline>,
    /// The owner of each card, in words, in deal order.
    #[serde(skip)]
    owners: Vec<String>,
    #[serde(skip)]
    repeated: bool,
    #[serde(skip)]
    again: Again,
}

impl Answer {
    pub(super) fn new(done: &Done, again: Again) -> Self {
        Self {
            told: EntryTold::from(done),
            next: done.next.as_ref().map(|(index, commit)| NextTold::of(*index, commit)),
            reveal_by: None,
            deadline: None,
            owners: Vec::new(),
            repeated: done.repeated,
            again,
        }
    }

    /// Adds the owner of each card, under the layout of the commitment.
    pub(super) fn of(mut self, hands: Option<Hands>, layout: Option<&Layout>) -> Self {
        if let (Some(hands), Some(layout)) = (&hands, layout) {
            let seats: Vec<Label> = hands.seats.iter().map(|(seat, _)| seat.clone()).collect();
            self.owners = layout.owners(&seats);
        }
        self.told.hands = hands;
        self
    }

    /// The same with the time at which the beacon of a lock is out, in Unix milliseconds.
    pub(super) const fn waits(mut self, out: Option<u64>) -> Self {
        self.told.out = out;
        self
    }

    /// The same with its deadline.
    pub(super) fn by(self, deadline: Option<Deadline>) -> Self {
        Self { reveal_by: deadline.as_ref().map(|deadline| deadline.reveal_by), deadline, ..self }
    }

    /// Says that the entry is in the log.
    pub(super) fn done(&self) -> String {
        let EntryTold { commitment, nonce, index, .. } = &self.told;
        let show =
            nonce.map_or_else(|| commitment.to_text(), |nonce| format!("{commitment} {nonce}"));
        format!("entry {index} is in the log. fairdeal show {show}{} tells it", self.again)
    }

    /// Prints it as text.
    pub(super) fn print(&self, did: &str, out: &mut Out) {
        out.field(did, self.told.commitment);
        if let Some(nonce) = self.told.nonce {
            out.field("round", nonce);
        }
        let again = if self.repeated { ", the earlier answer to this idempotency key" } else { "" };
        field!(out, "entry", "{}{FAINT}{again}{FAINT:#}", self.told.index);
        cards::result(out, &self.told.result);
        if self.told.result.cards.is_some() && self.told.nonce == Some(Nonce::FIRST) {
            more!(out, "{FAINT}These cards are public now.{FAINT:#}");
            if let Some(Deadline { table, .. }) = &self.deadline {
                more!(out, "{FAINT}{}{FAINT:#}", hidden_hands(table, &self.again));
            }
        }
        if let Some(items) = &self.told.items {
            cards::indices(out, items.iter().copied());
        }
        if let Some(hands) = &self.told.hands {
            cards::hands(out, hands);
        }
        let owners = self.owners.iter().map(|owner| format!(" {FAINT}{}{FAINT:#}", plain(owner)));
        let owners = owners.chain(iter::repeat(String::new()));
        for ((seal, owner), card) in self.told.card_seals.iter().flatten().zip(owners).zip(1..) {
            field!(out, &format!("card {card}"), "sealed {seal}{owner}");
        }
        if let Some(seed) = &self.told.server_seed {
            out.field("server seed", seed);
        }
        if let Some(deadline) = &self.deadline {
            deadline.print(out);
        }
        for finding in &self.told.findings {
            field!(out, "finding", "{BAD}{}{BAD:#}: {}", finding.code, finding.says);
        }
        if let Some(NextTold { commitment, index, reveal_by }) = &self.next {
            field!(out, "next", "{commitment}, entry {index}");
            more!(out, "reveal by {}", time::utc(*reveal_by));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_told_in_the_last_tenth_of_its_time_and_after_it() {
        let told = |now| {
            let mut out = Out::new(false);
            let table = Table::new("main").expect("a name");
            Deadline { table, made: 1_000_000, reveal_by: 1_100_000, now }.print(&mut out);
            out.collected().to_owned()
        };
        assert_eq!(told(1_089_999), "");
        assert!(told(1_090_000).contains("in 10 s"), "{}", told(1_090_000));
        assert!(told(1_099_999).contains("a later reveal stays a finding in every audit"));
        assert!(told(1_103_000).contains("by 3 s; every audit will say so"), "{}", told(1_103_000));
    }
}
