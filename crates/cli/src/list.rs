//! `fairdeal list`: lists a ledger's commitments.

use super::exit::Failure;
use super::operator::{self, ReadArgs};
use super::out::{Out, plain, terminal_width};
use super::table::Rows;
use super::{show, time};
use fairdeal::record::entry::Table;
use fairdeal_audit::answer::Beside;
use fairdeal_ledger::{Choice, Named};
use fairdeal_server::told::Standing;

/// List all commitments, in log order
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Only those of this table
    #[arg(long, value_name = "TABLE", value_parser = |text: &str| Table::new(text))]
    table: Option<Table>,

    /// Only those that must still be revealed or voided, the most urgent first
    #[arg(long)]
    due: bool,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal list
  fairdeal list --due                 what to reveal, and by when
  fairdeal list --table main
  fairdeal list --json \\
      | jq -r '.commitments[] | select(.state == \"open\") | .commitment'";

/// Terminals this wide have room for whole commitments.
const WIDE: usize = 150;

/// The digits of a commitment where there is no room for all. The commands take them too.
const DIGITS: usize = 12;

/// The `--json` output before the first commitment.
const BEGIN: &str = "{\"commitments\":[";

/// Commitments that are read and printed at once.
const PAGE: u16 = 1_000;

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let choice = Choice { table: args.table.clone(), open: args.due, between: None };
    let now = time::now();
    let mut listing = Listing::new(now, out);
    let listed = operator::read(&args.ledger, async |ledger| {
        let (mut from, mut due) = (0, Vec::new());
        if let Some(table) = &args.table {
            // An alarm on a misspelt table would never ring.
            ledger.find(&Named::LastOf(table.clone())).await?;
        }
        loop {
            let page = ledger.list(&choice, from, PAGE.into()).await?;
            let Some(last) = page.last() else { break };
            from = last.index + 1;
            let mut page: Vec<_> = page.into_iter().map(|one| Standing::at(one, now)).collect();
            if args.due {
                due.append(&mut page);
            } else if let Err(failure) = listing.print(&page) {
                return Ok(Err(failure));
            }
        }
        // The most urgent one is known when all are read.
        due.sort_by_key(|one| one.reveal_by);
        Ok(due.chunks(PAGE.into()).try_for_each(|page| listing.print(page)))
    });
    listing.end(args, listed.flatten())
}

/// A list that is printed as it is read.
struct Listing<'o> {
    out: &'o mut Out,
    now: u64,
    rows: Rows,
    /// Whether a commitment was printed.
    begun: bool,
}

impl<'o> Listing<'o> {
    fn new(now: u64, out: &'o mut Out) -> Self {
        let rows = Rows::new(["entry", "table", "state", "rounds", "reveal by", "commitment"]);
        Self { out, now, rows, begun: false }
    }

    /// Prints the next commitments.
    fn print(&mut self, page: &[Standing]) -> Result<(), Failure> {
        let narrow = terminal_width().is_some_and(|columns| columns < WIDE);
        for one in page {
            if self.out.json() {
                self.out.text(if self.begun { "," } else { BEGIN });
                self.out
                    .text(&serde_json::to_string(one).expect("a plain struct with text for keys"));
                self.begun = true;
                continue;
            }
            self.begun = true;
            let mut commitment = one.commitment.to_text();
            if narrow {
                commitment.truncate(DIGITS);
            }
            self.rows.add([
                one.index.to_string(),
                plain(one.table.as_str()),
                show::state_at(one, self.now),
                format!("{}/{}", one.next, one.rounds),
                time::utc(one.reveal_by),
                commitment,
            ]);
        }
        if !self.out.json() {
            // A time and a commitment can be copied.
            self.rows.print(&[4, 5], self.out);
        }
        self.out.flush()
    }

    /// Ends the JSON object, or says why there is nothing. An error after some commitments is a
    /// member of the object.
    fn end(self, args: &Args, listed: Result<(), Failure>) -> Result<(), Failure> {
        let Self { out, begun, .. } = self;
        match &listed {
            Err(failure) if out.json() && begun => {
                let error = serde_json::to_string(&Beside::from(failure)).expect("two texts");
                say!(out, "],\"error\":{error}}}");
            }
            Err(_) => {}
            Ok(()) if out.json() => say!(out, "{}]}}", if begun { "" } else { BEGIN }),
            Ok(()) if begun => {}
            Ok(()) => out.line(match (&args.table, args.due) {
                (None, true) => "Nothing is due.".to_owned(),
                (Some(table), _) => format!("Nothing is due at table {}.", plain(table.as_str())),
                (None, false) => {
                    let again = args.ledger.again();
                    format!("No commitments yet. fairdeal commit --table main{again} makes one.")
                }
            }),
        }
        listed
    }
}
