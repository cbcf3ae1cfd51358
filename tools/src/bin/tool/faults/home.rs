//! The program, the ledgers to begin from, and the plans of commands.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use fairdeal::log::VerifierKey;
use serde_json::Value;
use tempfile::TempDir;

use super::judge::Asked;

/// The sizes of the ledgers to begin from: the first entries, and those around the end of a bundle.
const SIZES: [u64; 6] = [1, 3, 253, 254, 255, 256];

/// The plans. Each is a list of commands; `C` stands for the open commitment.
const PLANS: [&[&str]; 6] = [
    &["deal C --client alice=x"],
    &["lock C --client alice=x --client bob=7", "deal C"],
    &["commit --table side", "deal C --client alice=y"],
    &["deal C --client alice=x", "reveal C"],
    &["deal C --client alice=1", "deal C --client alice=2", "deal C --client alice=3"],
    &["deal C --client alice=x", "reveal C --next"],
];

/// The program, and a temporary folder with everything.
pub struct Home {
    pub binary: PathBuf,
    pub snapshots: Vec<Snapshot>,
    folder: TempDir,
    keep: Option<PathBuf>,
}

/// A ledger to begin from.
pub struct Snapshot {
    pub name: String,
    pub ledger: PathBuf,
    pub size: u64,
    commitment: String,
    key: VerifierKey,
}

/// Commands to run on a snapshot, one after the other.
pub struct Plan {
    pub name: String,
    pub commands: Vec<Vec<String>>,
    /// The log's key.
    pub key: VerifierKey,
    /// The entries of the log after all of them.
    pub size: u64,
}

impl Plan {
    pub fn asked(&self) -> Vec<Asked> {
        self.commands.iter().map(|args| Asked { args: args.clone(), told: None }).collect()
    }
}

impl Snapshot {
    /// Every plan on this ledger.
    pub fn plans(&self) -> Vec<Plan> {
        PLANS.iter().map(|lines| self.plan(lines)).collect()
    }

    pub fn plan(&self, lines: &[&str]) -> Plan {
        let words = |(nth, line): (usize, &&str)| {
            let words = line
                .split(' ')
                .map(|word| if word == "C" { self.commitment.as_str() } else { word });
            let key = format!("plan-{nth}");
            let retry = ["--json", "--idempotency-key", &key];
            words.chain(retry).map(str::to_owned).collect()
        };
        // With --next, a command writes two entries.
        let entries: usize =
            lines.iter().map(|line| 1 + usize::from(line.contains("--next"))).sum();
        Plan {
            name: format!("{} then {}", self.name, lines.join("; ")),
            commands: lines.iter().enumerate().map(words).collect(),
            key: self.key.clone(),
            size: self.size + u64::try_from(entries).expect("few"),
        }
    }
}

/// A command of the program on a ledger.
pub fn command(binary: &Path, ledger: &Path, args: &[String]) -> Command {
    let mut command = Command::new(binary);
    command.args(args).arg("--ledger").arg(ledger);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("FAIRDEAL") {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The same command on a machine that was started again: it sees another name of its start.
pub fn restarted(command: &Command) -> Command {
    let script = "mount --bind /proc/sys/kernel/random/uuid /proc/sys/kernel/random/boot_id && exec \"$0\" \"$@\"";
    let mut again = Command::new("unshare");
    again.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
    again.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => again.env(name, value),
            None => again.env_remove(name),
        };
    }
    again.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    again
}

/// Runs a command to its end.
pub fn ran(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| panic!("{}: {e}", command.get_program().display()))
}

/// Copies a folder with its modes and hard links. The copy does not know that it is one.
pub fn copy(from: &Path, to: &Path) {
    let mut links = std::collections::HashMap::new();
    copy_linked(from, to, &mut links);
}

fn copy_linked(from: &Path, to: &Path, links: &mut std::collections::HashMap<u64, PathBuf>) {
    let expected = "a temporary folder can be read and written";
    fs::create_dir_all(to).expect(expected);
    for entry in fs::read_dir(from).expect(expected) {
        let entry = entry.expect(expected);
        if entry.file_name() == "place" {
            continue;
        }
        let (about, to) = (entry.metadata().expect(expected), to.join(entry.file_name()));
        if about.is_dir() {
            copy_linked(&entry.path(), &to, links);
        } else if let Some(first) = links.get(&about.ino()) {
            fs::hard_link(first, &to).expect(expected);
        } else {
            fs::copy(entry.path(), &to).expect(expected);
            links.insert(about.ino(), to);
        }
    }
    let mode = fs::metadata(from).expect(expected).permissions().mode();
    fs::set_permissions(to, fs::Permissions::from_mode(mode)).expect(expected);
}

impl Home {
    pub fn new(binary: PathBuf, keep: Option<PathBuf>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let mut home = Self { binary, snapshots: Vec::new(), folder, keep };
        home.make_snapshots();
        home
    }

    /// A new, empty place for a ledger.
    pub fn place(&self) -> TempDir {
        tempfile::tempdir_in(self.folder.path()).expect("a temporary folder can be made")
    }

    /// A copy of a ledger. It is removed with the handle.
    pub fn copied(&self, ledger: &Path) -> (TempDir, PathBuf) {
        let place = self.place();
        let to = place.path().join("ledger");
        copy(ledger, &to);
        (place, to)
    }

    /// Keeps a ledger for whoever looks into a failure.
    pub fn keep(&self, ledger: &Path, name: &str) {
        if let Some(keep) = &self.keep {
            let to = keep.join(name);
            let _removed = fs::remove_dir_all(&to);
            copy(ledger, &to);
        }
    }

    fn json(&self, ledger: &Path, line: &str) -> Value {
        let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let done = ran(&mut command(&self.binary, ledger, &args));
        let says = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{line}: {says}");
        serde_json::from_slice(&done.stdout).unwrap_or_else(|e| panic!("{line}: {e}"))
    }

    fn make_snapshots(&mut self) {
        let ledger = self.folder.path().join("growing");
        let made = ran(Command::new(&self.binary)
            .args(["init", "--json", "--origin", "faults.example/log"])
            .arg(&ledger));
        let made: Value = serde_json::from_slice(&made.stdout).expect("init answers in JSON");
        let key = made["key"]
            .as_str()
            .and_then(|key| VerifierKey::parse(key).ok())
            .expect("init tells the key");
        let committed = self.json(&ledger, "commit --table main --rounds 100000 --json");
        let commitment = committed["commitment"].as_str().expect("a commitment").to_owned();
        let last = SIZES.into_iter().max().expect("some sizes");
        for size in 1..=last {
            if size > 1 {
                let line = format!("deal {commitment} --client alice={size} --json");
                self.json(&ledger, &line);
            }
            if SIZES.contains(&size) {
                let saved = self.folder.path().join(format!("{size}"));
                copy(&ledger, &saved);
                let commitment = commitment.clone();
                let name = format!("{size} entries");
                self.snapshots.push(Snapshot {
                    name,
                    ledger: saved,
                    size,
                    commitment,
                    key: key.clone(),
                });
            }
        }
        self.add_killed(2);
    }

    /// The ledger as a killed process leaves it: with a log of changes, and perhaps a deal that is
    /// not published.
    fn add_killed(&mut self, nth: usize) {
        let Snapshot { ledger, commitment, key, size, .. } = &self.snapshots[nth];
        let saved = self.folder.path().join("killed");
        let log = saved.join("private/state.sqlite-wal");
        let is_written = || fs::metadata(&log).is_ok_and(|log| log.len() > 8192);
        for attempt in 1.. {
            let _removed = fs::remove_dir_all(&saved);
            copy(ledger, &saved);
            let args = ["deal", commitment, "--client", "alice=k", "--json"].map(str::to_owned);
            let mut child =
                command(&self.binary, &saved, &args).spawn().expect("the program starts");
            // The log is there for a moment only: a deal that ends removes it.
            while !is_written() && matches!(child.try_wait(), Ok(None)) {}
            let _ended = (child.kill(), child.wait());
            if is_written() {
                break;
            }
            assert!(attempt < 1000, "a deal writes to its log of changes");
        }
        // Whether the deal is in it shows when a copy is opened.
        let (_place, copied) = self.copied(&saved);
        let again = self.json(&copied, "commit --table other --json");
        let size = again["index"].as_u64().expect("an index").max(*size);
        let name = format!("{size} entries, killed");
        let (commitment, key) = (commitment.clone(), key.clone());
        self.snapshots.push(Snapshot { name, ledger: saved, size, commitment, key });
    }
}
