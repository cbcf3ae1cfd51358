//! `fairdeal token`: who may deal over HTTP.

use serde::Serialize;

use super::again::Again;
use super::exit::Failure;
use super::hints;
use super::operator::{self, Parts};
use super::out::{FAINT, Out, pasted, plain};
use super::table::Rows;
use super::time;
use fairdeal::record::entry::Table;
use fairdeal_ledger::Memos;
use fairdeal_ledger::tokens::{Right, Scope, Token};

/// Make, list and revoke the tokens of the service's callers
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal token add poker-server                         all tables
  fairdeal token add blackjack --tables blackjack/ --open
  fairdeal token add prometheus --read-only
  fairdeal token revoke blackjack";

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Make a token. It is shown once: only its SHA-256 is kept
    Add(AddArgs),
    /// List all tokens: names, rights and tables, never the tokens themselves
    List {
        #[command(flatten)]
        ledger: Parts,
    },
    /// Revoke every token of this name. A running service takes a second to know
    Revoke {
        /// The token's name
        name: String,

        #[command(flatten)]
        ledger: Parts,
    },
}

#[derive(Debug, clap::Args)]
struct AddArgs {
    /// A name for it, for you: in lists, and in the service's log
    name: String,

    /// Only for this table; may be given again
    #[arg(long, value_name = "TABLE", value_parser = |text: &str| Table::new(text))]
    table: Vec<Table>,

    /// Only for the tables whose names begin so; may be given again
    #[arg(long, value_name = "PREFIX")]
    tables: Vec<String>,

    /// May only read what is not public: the numbers for Prometheus
    #[arg(long, conflicts_with = "open")]
    read_only: bool,

    /// May also open sealed cards
    #[arg(long)]
    open: bool,

    #[command(flatten)]
    ledger: Parts,
}

#[derive(Serialize)]
struct Added<'a> {
    name: &'a str,
    token: &'a str,
}

#[derive(Serialize)]
struct Listed {
    tokens: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    rights: Vec<Right>,
    tables: Vec<Scope>,
    made: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked: Option<u64>,
}

#[derive(Serialize)]
struct Revoked<'a> {
    name: &'a str,
    revoked: u64,
}

impl From<Token> for Row {
    fn from(token: Token) -> Self {
        Self {
            name: token.name().to_owned(),
            rights: token.rights().to_vec(),
            tables: token.tables().to_vec(),
            made: token.made(),
            revoked: token.revoked(),
        }
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    match &args.action {
        Action::Add(new) => add(new, out),
        Action::List { ledger } => list(ledger, out),
        Action::Revoke { name, ledger } => revoke(name, ledger, out),
    }
}

/// Opens the ledger for its memos: a service may be running on it.
fn ask<T>(
    ledger: &Parts,
    work: impl AsyncFnOnce(&Memos) -> Result<T, fairdeal_ledger::LedgerError>,
) -> Result<T, Failure> {
    let location = ledger.location();
    let asked = operator::block_on(async {
        let memos = Memos::open(location.clone(), ledger.vault().options()).await?;
        let answer = work(&memos).await?;
        memos.close().await?;
        Ok(answer)
    })?;
    asked.map_err(|error| hints::failure(error, &ledger.again()))
}

fn add(new: &AddArgs, out: &mut Out) -> Result<(), Failure> {
    let mut rights = vec![Right::Read];
    if !new.read_only {
        rights.push(Right::Write);
    }
    if new.open {
        rights.push(Right::Open);
    }
    let tables = new.table.iter().cloned().map(Scope::Table);
    let scopes = tables.chain(new.tables.iter().cloned().map(Scope::Prefix)).collect();
    let made = Token::generate(&new.name, &rights, scopes, time::now());
    let (text, hash, kept) = made.map_err(|error| Failure::usage(error.to_string()))?;
    let is_kept = ask(&new.ledger, async |memos| memos.add_token(hash, &kept).await)?;
    let revoke = format!("fairdeal token revoke {}{}", pasted(&new.name), new.ledger.again());
    if !is_kept {
        return Err(usage!("expected a new name, found {:?}, which a token has already", new.name)
            .hint(format!("{revoke} makes its name free.")));
    }
    out.did(format!("the token is made, and nobody has it. {revoke} removes it"));
    out.show(&Added { name: &new.name, token: text.as_str() }, |out| {
        out.line(text.as_str());
    });
    Ok(())
}

fn list(ledger: &Parts, out: &mut Out) -> Result<(), Failure> {
    let mut tokens: Vec<Row> = ask(ledger, async |memos| memos.tokens().await)?
        .into_iter()
        .map(|(_, one)| one.into())
        .collect();
    tokens.sort_by(|a, b| (a.made, &a.name).cmp(&(b.made, &b.name)));
    let answer = Listed { tokens };
    out.show(&answer, |out| print(&answer.tokens, &ledger.again(), out));
    Ok(())
}

fn print(tokens: &[Row], again: &Again, out: &mut Out) {
    if tokens.is_empty() {
        say!(out, "No tokens yet. fairdeal token add NAME{again} makes one.");
        return;
    }
    let mut rows = Rows::new(["name", "may", "tables", "made", "revoked"]);
    for token in tokens {
        let rights: Vec<&str> = token.rights.iter().map(|right| right.as_str()).collect();
        let tables: Vec<String> = token.tables.iter().map(scope).collect();
        let tables = if tables.is_empty() { "all".to_owned() } else { tables.join(", ") };
        let revoked = token.revoked.map(time::utc).unwrap_or_default();
        rows.add([plain(&token.name), rights.join(", "), tables, time::utc(token.made), revoked]);
    }
    rows.print(&[3, 4], out);
}

fn scope(scope: &Scope) -> String {
    match scope {
        Scope::Table(table) => plain(table.as_str()),
        Scope::Prefix(prefix) => format!("{}…", plain(prefix)),
    }
}

fn revoke(name: &str, ledger: &Parts, out: &mut Out) -> Result<(), Failure> {
    let now = time::now();
    let revoked = ask(ledger, async |memos| {
        let all = memos.tokens().await?;
        let named = all.into_iter().filter(|(_, one)| one.name() == name && !one.is_revoked());
        let revoked: Vec<_> = named.map(|(hash, one)| one.revoked_at(now).memo(hash)).collect();
        let any = !revoked.is_empty();
        if any {
            memos.write(revoked).await?;
        }
        Ok(any)
    })?;
    if !revoked {
        let says = format!("expected the name of a token, found {name:?}");
        return Err(
            Failure::usage(says).hint(format!("fairdeal token list{} shows them.", ledger.again()))
        );
    }
    out.did("the token is revoked");
    out.show(&Revoked { name, revoked: now }, |out| {
        out.field("revoked", plain(name));
        more!(out, "{FAINT}A running service takes a second to know.{FAINT:#}");
    });
    Ok(())
}
