//! The conditions that must hold after a fault: docs/testing.md, "Kills, power cuts and errors".

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use fairdeal::log::{
    EntryBundle, HashTile, Level, MemoryLog, Node, TILE_WIDTH, TilePath, VerifierKey,
    verify_checkpoint,
};
use fairdeal_audit::source::{AuditOptions, LogSource};
use serde_json::Value;

use super::home::{Home, Plan, command, ran, restarted};

/// How many files are removed by hand in one case.
const HELPED: usize = 8;

/// A command of a plan.
#[derive(Clone)]
pub struct Asked {
    pub args: Vec<String>,
    /// Its output before the fault, if any.
    pub told: Option<String>,
}

/// A rule that does not hold, and how.
#[derive(Debug)]
pub struct Broken {
    pub rule: &'static str,
    pub says: String,
}

/// A ledger after a fault.
pub struct Case<'a> {
    /// Whether the power was cut: its published files may be lost or torn until a command opens it
    /// to write, and every command runs on a machine that was started again.
    pub is_cut: bool,
    pub home: &'a Home,
    pub plan: &'a Plan,
    pub ledger: &'a Path,
    /// The plan's commands, in order, and what they told.
    pub asked: &'a [Asked],
    /// Checkpoints that somebody may have read before the fault.
    pub seen: &'a [String],
}

fn broken<T>(rule: &'static str, says: &impl ToString) -> Result<T, Broken> {
    Err(Broken { rule, says: says.to_string() })
}

/// The published checkpoint, as it is.
pub fn checkpoint(ledger: &Path) -> Option<String> {
    fs::read_to_string(ledger.join("public/checkpoint")).ok()
}

/// Reads and audits a published log.
fn read(rule: &'static str, ledger: &Path, key: &VerifierKey) -> Result<MemoryLog, Broken> {
    let public = ledger.join("public");
    let mut source = LogSource::folder(&public).or_else(|e| broken(rule, &e))?;
    let audited =
        source.audit(&AuditOptions::under(key), |_, _| ()).or_else(|e| broken(rule, &e))?;
    if !audited.verdict.holds {
        return broken(rule, &format!("{:?}", audited.verdict.findings));
    }
    let note = source.note();
    let head = verify_checkpoint(note, key).or_else(|e| broken(rule, &e))?;
    let mut log = MemoryLog::new();
    for index in 0..head.size().div_ceil(u64::from(TILE_WIDTH)) {
        let path =
            TilePath::at_size(Level::Entries, index, head.size()).or_else(|e| broken(rule, &e))?;
        let full =
            TilePath::new(Level::Entries, index, TILE_WIDTH).or_else(|e| broken(rule, &e))?;
        let read = |path: TilePath| {
            let bytes = fs::read(public.join(path.to_text())).ok()?;
            EntryBundle::parse(&bytes, path.width()).ok()
        };
        let Some(bundle) = read(path).or_else(|| read(full)) else {
            return broken(rule, &format!("{} cannot be read", path.to_text()));
        };
        for entry in bundle.into_entries().into_iter().take(usize::from(path.width())) {
            log.append(entry);
        }
    }
    if log.root() == *head.root() {
        Ok(log)
    } else {
        broken(rule, &"the entries have another root")
    }
}

/// The index in an answer, and whether the entry there is the one that it tells of.
fn entry_told(log: &MemoryLog, told: &str) -> Result<u64, String> {
    let answer: Value = serde_json::from_str(told).map_err(|e| format!("{told}: {e}"))?;
    let index = answer["index"].as_u64().ok_or_else(|| format!("{told}: no index"))?;
    let Some(bytes) = log.entry(index) else {
        return Err(format!("entry {index} was told of, and the log has {}: {told}", log.size()));
    };
    let entry: Value = serde_json::from_slice(bytes).map_err(|e| format!("entry {index}: {e}"))?;
    for member in ["commitment", "nonce", "cards", "server_seed", "reveal_by"] {
        let both = (answer.get(member), entry.get(member));
        let must = member == "commitment" || matches!(both, (Some(_), Some(_)));
        if must && both.0 != both.1 {
            return Err(format!("entry {index} has another {member} than was told: {both:?}"));
        }
    }
    Ok(index)
}

/// Runs a command on the ledger.
fn run(case: &Case<'_>, args: &[String]) -> Output {
    let mut command = command(&case.home.binary, case.ledger, args);
    if case.is_cut { ran(&mut restarted(&command)) } else { ran(&mut command) }
}

/// Opens a ledger to write, by a command that writes nothing.
fn open(case: &Case<'_>) -> Result<(), Broken> {
    let nobody = "0".repeat(64);
    let args = ["deal", nobody.as_str(), "--client", "alice=x"].map(str::to_owned);
    let says = text(&run(case, &args).stderr);
    if says.contains(&format!("no commit of {nobody}")) {
        return Ok(());
    }
    broken("the ledger opens", &says)
}

/// Checks everything. It repeats the commands, so the ledger is changed.
pub fn settle(case: &Case<'_>) -> Result<(), Broken> {
    let key = &case.plan.key;
    if case.is_cut {
        open(case)?;
    }
    let before = read("the log is clean before the repeat", case.ledger, key)?;
    for told in case.asked.iter().filter_map(|asked| asked.told.as_deref()) {
        entry_told(&before, told).or_else(|e| broken("what was told is in the log", &e))?;
    }
    let mut helped = None;
    let mut places = Vec::new();
    let mut answers = Vec::new();
    for asked in case.asked {
        let mut done = run(case, &asked.args);
        for _ in 0..HELPED {
            let refused = text(&done.stderr);
            let Some(tile) = foreign_tile(&refused) else { break };
            // The case does not hold. With this help it shows whether the rest does.
            helped
                .get_or_insert_with(|| format!("{}: {}", asked.args.join(" "), refused.trim_end()));
            fs::remove_file(case.ledger.join("public").join(tile))
                .or_else(|e| broken("a named tile is there", &e))?;
            done = run(case, &asked.args);
        }
        let (printed, says) = (text(&done.stdout), text(&done.stderr));
        if !done.status.success() {
            return broken(
                "the repeat succeeds",
                &format!("{}: {}: {says}", asked.args.join(" "), done.status),
            );
        }
        if asked.told.as_ref().is_some_and(|told| *told != printed) {
            return broken(
                "the repeat gives the same answer",
                &format!("{:?}, then {printed}", asked.told),
            );
        }
        answers.push(printed);
    }
    let after = read("the log is clean after the repeat", case.ledger, key)?;
    if !after.entries().starts_with(before.entries()) {
        return broken(
            "the log only grows",
            &format!("{} entries, then {}", before.size(), after.size()),
        );
    }
    if after.size() != case.plan.size {
        let says = format!("expected {} entries, found {}", case.plan.size, after.size());
        return broken("every command is in the log once", &says);
    }
    for answer in &answers {
        places.push(
            entry_told(&after, answer).or_else(|e| broken("what was told is in the log", &e))?,
        );
    }
    if !places.is_sorted_by(|a, b| a < b) {
        return broken("every command is in the log once", &format!("at {places:?}"));
    }
    for note in case.seen {
        let rule = "every checkpoint is of a prefix";
        let seen =
            verify_checkpoint(note, key).or_else(|e| broken(rule, &format!("{e}: {note}")))?;
        if after.root_at(seen.size()) != Some(*seen.root()) {
            return broken(rule, &format!("of {} entries: {note}", seen.size()));
        }
    }
    litter(case.ledger, &after)?;
    match helped {
        Some(says) => broken("the repeat succeeds without help", &says),
        None => Ok(()),
    }
}

/// The file that a ledger refuses to go on from, as its error names it.
fn foreign_tile(says: &str) -> Option<&str> {
    let (before, _) = says.split_once(": is missing, or has other bytes than this log's")?;
    let (_, tile) = before.rsplit_once(": ")?;
    TilePath::parse(tile).ok().map(|_| tile)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Nothing is in `public` but the checkpoint, the log's own files, and an empty `.new`.
fn litter(ledger: &Path, log: &MemoryLog) -> Result<(), Broken> {
    let rule = "no litter is left";
    let public = ledger.join("public");
    let mut found = Vec::new();
    list(&public, "", &mut found).or_else(|e| broken(rule, &e))?;
    for (name, path) in found {
        if name == "checkpoint" {
            continue;
        }
        let Ok(tile) = TilePath::parse(&name) else { return broken(rule, &name) };
        let bytes = fs::read(&path).or_else(|e| broken(rule, &format!("{name}: {e}")))?;
        if wanted(tile, log).is_none_or(|wanted| wanted != bytes) {
            return broken(rule, &format!("{name}: {} bytes that are not the log's", bytes.len()));
        }
    }
    Ok(())
}

fn list(folder: &Path, name: &str, found: &mut Vec<(String, PathBuf)>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{name}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), found)?;
        } else {
            found.push((name, entry.path()));
        }
    }
    Ok(())
}

/// The bytes of a file of a log; `None` if the log is too small to have it.
fn wanted(tile: TilePath, log: &MemoryLog) -> Option<Vec<u8>> {
    let first = tile.index() * u64::from(TILE_WIDTH);
    let all = first..first + u64::from(tile.width());
    match tile.level() {
        Level::Entries => {
            let entries: Option<Vec<_>> =
                all.map(|index| log.entry(index).map(<[u8]>::to_vec)).collect();
            EntryBundle::new(entries?).ok().map(|bundle| bundle.to_bytes())
        }
        Level::Hashes(level) => {
            let node =
                |index| Node::new(u32::from(level) * 8, index).ok().and_then(|node| log.hash(node));
            let hashes: Option<Vec<_>> = all.map(node).collect();
            HashTile::new(hashes?).ok().map(|tile| tile.to_bytes())
        }
    }
}
