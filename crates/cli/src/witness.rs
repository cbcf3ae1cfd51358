//! `fairdeal witness`: a witness of anybody's logs.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

use super::exit::Failure;
use super::operator;
use super::out::{FAINT, Out, STRONG, pasted, plain, shown};
use super::serve::{LogFormat, address, bind, log, public_url, stopped, take_descriptors, url};
use fairdeal::log::{KeyName, WitnessKey};
use fairdeal::utc::utc;
use fairdeal_ledger::entropy::random;
use fairdeal_witness::{
    Contradiction, Rate, WitnessError, WitnessOptions, WitnessService, evidence, init, key, serve,
};

/// Be a witness: cosign other people's logs, with the time
///
/// A witness signs a checkpoint of a log, with the time, and never two that contradict each other: no
/// two views of a log that do have its signature (docs/witness.md). It speaks C2SP tlog-witness, and
/// signs for any log whose key is Ed25519.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, subcommand_required = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal witness init /srv/witness --name witness.example/w1
  cat log.key >> /srv/witness/logs
  fairdeal witness serve /srv/witness --listen 127.0.0.1:8090
  fairdeal witness key /srv/witness
  fairdeal witness evidence /srv/witness     has a log shown two views?

DIR/logs has a verifier key on each line, and after a space the log's origin if it is not the key's name. A line that \
begins with # is a comment. SIGHUP reads it again.

Never restore DIR from a backup, and never run a copy of it: it would sign a second time what it has signed. A lost DIR is \
a new witness with a new key.";

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a witness: a folder with a new key
    Init {
        /// The folder: new, or empty
        dir: PathBuf,

        /// The witness's name: a host and a path of yours, without "https://"
        #[arg(long, value_name = "NAME", value_parser = KeyName::parse)]
        name: KeyName,
    },
    /// Sign the checkpoints of the logs in DIR/logs, over HTTP
    ///
    /// TLS is for a reverse proxy in front. SIGTERM finishes what is under way.
    Serve(ServeArgs),
    /// Print the witness's verifier key, and its line for a policy
    Key {
        /// The folder of the witness
        dir: PathBuf,

        /// The address for the line
        #[arg(long, value_name = "URL", value_parser = public_url)]
        public_url: Option<String>,
    },
    /// Print the checkpoints that contradict what the witness had signed
    ///
    /// Both of a pair are signed by keys of one log, and no log can have both: it has shown two views.
    /// The witness may be running.
    Evidence {
        /// The folder of the witness
        dir: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
struct ServeArgs {
    /// The folder of the witness
    dir: PathBuf,

    /// The address to listen on: an IP address or localhost, with a port; port 0 is any free one
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8090", value_parser = address)]
    listen: SocketAddr,

    /// Answer /metrics on this address alone
    #[arg(long, value_name = "ADDR", value_parser = address)]
    operator_listen: Option<SocketAddr>,

    /// The public address of this witness, for the line that it prints
    #[arg(long, value_name = "URL", value_parser = public_url)]
    public_url: Option<String>,

    /// Requests a second of each log; repeats of old checkpoints are counted apart
    #[arg(long, value_name = "N", default_value_t = Rate::default().second, value_parser = positive)]
    rate: f64,

    /// Requests at once of each log
    #[arg(long, value_name = "N", default_value_t = Rate::default().burst, value_parser = positive)]
    burst: f64,

    /// Connections
    #[arg(long, value_name = "N", default_value_t = WitnessOptions::default().connections.connections)]
    max_connections: usize,

    /// The format of the service's log, on stderr
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number >= 1.0);
    number.ok_or_else(|| "expected a number from 1".to_owned())
}

/// The key, as everybody needs it.
#[derive(Serialize)]
struct Known {
    key: String,
    /// Its line for a policy (C2SP tlog-policy).
    policy: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    listening: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<String>,
}

impl Known {
    fn of(key: &WitnessKey, url: Option<&str>) -> Self {
        let url = url.map(|url| format!(" {url}")).unwrap_or_default();
        let policy = format!("witness {} {}{url}", key.as_verifier().name(), key.to_text());
        Self { key: key.to_text(), policy, listening: None, operator: None }
    }

    fn print(&self, out: &mut Out) {
        out.field("key", plain(&self.key));
        out.field("policy", plain(&self.policy));
    }
}

#[derive(Serialize)]
struct Kept {
    evidence: Vec<Pair>,
}

/// Two checkpoints that contradict each other.
#[derive(Serialize)]
struct Pair {
    log: String,
    /// When the second one came, in Unix seconds.
    time: u64,
    /// What the witness had signed: a note.
    signed: String,
    /// The other one.
    note: String,
    /// The proof that leads from another root of the first one's size to the second one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proof: Vec<String>,
}

impl From<Contradiction> for Pair {
    fn from(kept: Contradiction) -> Self {
        let Contradiction { origin, time, signed, note, proof } = kept;
        Self { log: origin, time, signed, note, proof: proof.lines().map(str::to_owned).collect() }
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    match &args.action {
        Action::Init { dir, name } => make(dir, name, out),
        Action::Serve(args) => run_service(args, out),
        Action::Key { dir, public_url } => {
            let known =
                Known::of(&key(dir).map_err(|error| failure(&error))?, public_url.as_deref());
            out.show(&known, |out| known.print(out));
            Ok(())
        }
        Action::Evidence { dir } => show_evidence(dir, out),
    }
}

fn failure(error: &WitnessError) -> Failure {
    let (code, says) = (error.code(), error.to_string());
    let failure = if error.is_usage() { Failure::usage(says) } else { Failure::unavailable(says) };
    failure.code(code)
}

fn make(dir: &Path, name: &KeyName, out: &mut Out) -> Result<(), Failure> {
    let seed = random().map_err(|error| unavailable!("{error}").code("system"))?;
    let key =
        operator::block_on(init(dir, name.clone(), &seed))?.map_err(|error| failure(&error))?;
    let known = Known::of(&key, None);
    out.did(format!("the witness is made. fairdeal witness key {} prints its key", pasted(dir)));
    out.show(&known, |out| {
        known.print(out);
        let (logs, secret) = (shown(&dir.join("logs")), shown(&dir.join("witness.key")));
        say!(out, "{FAINT}Give the key to readers and logs. Keep {secret} secret.{FAINT:#}");
        out.line("Next:");
        say!(out, "  fairdeal witness serve {}", pasted(dir));
        say!(out, "      {FAINT}once {logs} has the logs' keys{FAINT:#}");
    });
    Ok(())
}

fn run_service(args: &ServeArgs, out: &mut Out) -> Result<(), Failure> {
    log(args.log_format);
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| unavailable!("the system: {error}"))?;
    runtime.block_on(async {
        // Bind first: a service that cannot listen must not open the database.
        let public = bind(args.listen)?;
        let operator = args.operator_listen.map(bind).transpose()?;
        let stopped = stopped()?;
        let hang_up = signal(SignalKind::hangup());
        let mut hang_up =
            hang_up.map_err(|error| unavailable!("the system: no signals: {error}"))?;
        let mut options = WitnessOptions {
            rate: Rate { second: args.rate, burst: args.burst },
            ..WitnessOptions::default()
        };
        options.connections.connections = take_descriptors(args.max_connections);
        let witness =
            WitnessService::open(&args.dir, options).await.map_err(|error| failure(&error))?;
        let known = Known {
            listening: Some(url(&public)?),
            operator: operator.as_ref().map(url).transpose()?,
            ..Known::of(witness.key(), args.public_url.as_deref())
        };
        out.show(&known, |out| {
            say!(out, "listening on {}", known.listening.as_deref().unwrap_or_default());
            if let Some(operator) = &known.operator {
                say!(out, "operators on {operator}");
            }
            known.print(out);
        });
        out.flush()?;
        let reload = witness.reload();
        let reloading = tokio::spawn(async move {
            while hang_up.recv().await.is_some() {
                match reload() {
                    Ok(logs) => tracing::info!(logs, "the list of logs is read again"),
                    Err(error) => tracing::error!(%error, "the list of logs stays what it was"),
                }
            }
        });
        let listeners = match operator {
            None => vec![(public, witness.operator())],
            Some(operator) => vec![(public, witness.router()), (operator, witness.operator())],
        };
        tracing::info!(listening = known.listening, "witnessing by {}", args.dir.display());
        let served = serve(witness, listeners, stopped).await;
        reloading.abort();
        served.map_err(|error| failure(&error))
    })
}

fn show_evidence(dir: &Path, out: &mut Out) -> Result<(), Failure> {
    let kept = operator::block_on(evidence(dir))?.map_err(|error| failure(&error))?;
    let kept = Kept { evidence: kept.into_iter().map(Pair::from).collect() };
    out.show(&kept, |out| {
        if kept.evidence.is_empty() {
            out.line("No log has contradicted what this witness signed.");
        }
        for pair in &kept.evidence {
            field!(out, "log", "{STRONG}{}{STRONG:#}", plain(&pair.log));
            out.field("came", utc(pair.time.saturating_mul(1_000)));
            for (label, note) in [("signed", &pair.signed), ("other", &pair.note)] {
                out.fields(label, note.lines().map(plain));
            }
            out.fields("proof", pair.proof.iter().map(|line| plain(line)));
        }
    });
    Ok(())
}
