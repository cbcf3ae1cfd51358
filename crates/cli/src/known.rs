//! Logs whose keys the reader knows: a text file that `fairdeal trust` edits, and the look-up where
//! `--key` is left out.
//!
//! A key is never learnt from what it should verify: an unknown log is an error.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::exit::Failure;
use super::logs::Log;
use super::out::{Out, plain};
use super::{args, files, time};
use fairdeal::log::{SignedCheckpoint, VerifierKey};
use fairdeal_audit::answer::KnownForm;

/// The first lines of a new file.
const HEAD: &str = "\
# Logs whose keys I know. fairdeal trust edits this file; so may you.
# Each line: a verifier key, the day on which it was added, and where it is from.
";

/// A log whose key the reader knows.
#[derive(Clone, Debug)]
pub(super) struct KnownLog {
    pub(super) key: VerifierKey,
    /// The day on which it was added, `2026-01-31`; `None` if the line does not say.
    pub(super) added: Option<String>,
    /// The source of the key, in the reader's words; empty if the line does not say.
    pub(super) from: String,
    /// Its line in the file, from 0.
    line: usize,
}

impl KnownLog {
    /// A key that was added today.
    pub(super) fn today(key: VerifierKey, from: &str, now: u64) -> Self {
        let added = time::utc(now).split('T').next().map(str::to_owned);
        Self { key, added, from: from.to_owned(), line: 0 }
    }

    /// Reads a line: a key, perhaps a day, perhaps where it is from.
    fn parse(text: &str, line: usize) -> Result<Self, String> {
        let (key, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let key = VerifierKey::parse(key).map_err(|error| error.to_string())?;
        let rest = rest.trim_start();
        let (first, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (added, from) = if first.len() == "2026-01-31".len() && time::parse_date(first).is_ok()
        {
            (Some(first.to_owned()), after)
        } else {
            (None, rest)
        };
        Ok(Self { key, added, from: from.trim().to_owned(), line })
    }

    fn to_line(&self) -> String {
        let parts = [Some(self.key.to_text()), self.added.clone(), Some(self.from.clone())];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ")
    }

    pub(super) fn form(&self) -> KnownForm {
        KnownForm {
            name: name_of(&self.key),
            key: self.key.to_text(),
            added: self.added.clone(),
            from: Some(self.from.clone()).filter(|from| !from.is_empty()),
        }
    }

    /// `known since 2026-01-31, from the club's notice board`.
    pub(super) fn since(&self) -> String {
        let since = self.added.as_ref().map_or_else(String::new, |day| format!(" since {day}"));
        if self.from.is_empty() {
            return format!("known{since}, nobody wrote down where it is from");
        }
        format!("known{since}, from {}", plain(&self.from))
    }
}

/// A key's name and id, as logs are called: `cards.example/log+9924e1cd`.
pub(super) fn name_of(key: &VerifierKey) -> String {
    format!("{}+{}", key.name(), key.id())
}

/// The file of known logs.
#[derive(Debug)]
pub(super) struct KnownLogs {
    pub(super) path: PathBuf,
    lines: Vec<String>,
    pub(super) logs: Vec<KnownLog>,
}

impl KnownLogs {
    /// Reads the file. A file that is not there has no logs.
    /// Exit 2 for a line that is wrong or if no folder is known, 3 for a file that cannot be read.
    pub(super) fn read() -> Result<Self, Failure> {
        let path = path()?;
        if !path.try_exists().unwrap_or(true) {
            return Ok(Self { path, lines: Vec::new(), logs: Vec::new() });
        }
        let bytes = files::read(&path)?;
        Self::parse(path, bytes)
    }

    /// Exit 2 for a line that is wrong, with its number.
    fn parse(path: PathBuf, bytes: Vec<u8>) -> Result<Self, Failure> {
        let wrong = |line: usize, says: &dyn fmt::Display| {
            usage!("{}: line {line}: {says}", path.display()).hint(
                "Each line is a verifier key, a day, and where it is from; or a comment after #.",
            )
        };
        let text = String::from_utf8(bytes).map_err(|error| {
            let text = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            wrong(memchr::memchr_iter(b'\n', text).count() + 1, &"expected UTF-8")
        })?;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut logs: Vec<KnownLog> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let log = KnownLog::parse(text, at).map_err(|says| wrong(at + 1, &says))?;
            if let Some(other) = logs.iter().find(|other| other.key.name() == log.key.name()) {
                let says = format!(
                    "expected one key for {}, line {} has one",
                    log.key.name(),
                    other.line + 1
                );
                return Err(wrong(at + 1, &says));
            }
            logs.push(log);
        }
        Ok(Self { path, lines, logs })
    }

    /// The log of this origin.
    pub(super) fn of_origin(&self, origin: &str) -> Option<&KnownLog> {
        self.logs.iter().find(|log| log.key.name().as_str() == origin)
    }

    /// Adds a log, in the place of the one with its name if there is one.
    pub(super) fn put(&mut self, mut log: KnownLog) {
        let there = self.logs.iter().position(|one| one.key.name() == log.key.name());
        if self.lines.is_empty() {
            self.lines.extend(HEAD.lines().map(str::to_owned));
        }
        if let Some(at) = there {
            log.line = self.logs[at].line;
            self.lines[log.line] = log.to_line();
            self.logs[at] = log;
        } else {
            log.line = self.lines.len();
            self.lines.push(log.to_line());
            self.logs.push(log);
        }
    }

    /// Removes a log. Comments stay.
    pub(super) fn remove(&mut self, origin: &str) -> Option<KnownLog> {
        let at = self.logs.iter().position(|log| log.key.name().as_str() == origin)?;
        let log = self.logs.remove(at);
        self.lines.remove(log.line);
        for later in self.logs.iter_mut().filter(|later| later.line > log.line) {
            later.line -= 1;
        }
        Some(log)
    }

    fn to_text(&self) -> String {
        self.lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    /// Replaces the file.
    pub(super) fn save(&self) -> Result<(), Failure> {
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|error| files::unwritable(&self.path, &error))?;
        }
        let text = self.to_text();
        // A link stays a link: its target is replaced.
        let target = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        files::save(&target, &text)
    }
}

/// The path of the policy that is kept with a key: a file in the folder `known-logs.policies`, beside
/// the file of known logs. Its name is the key's, with each byte that may not be in a file's name
/// as `%` and two digits.
pub(super) fn policy_path(key: &VerifierKey) -> Result<PathBuf, Failure> {
    let mut folder = path()?.into_os_string();
    folder.push(".policies");
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let name: String = name_of(key)
        .bytes()
        .map(|byte| match byte {
            byte if is_plain(byte) => char::from(byte).to_string(),
            byte => format!("%{byte:02x}"),
        })
        .collect();
    Ok(PathBuf::from(folder).join(name))
}

/// The path of the file: `$FAIRDEAL_TRUST`, else `fairdeal/known-logs` in `$XDG_CONFIG_HOME` or
/// `~/.config`.
fn path() -> Result<PathBuf, Failure> {
    let named = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
    if let Some(file) = named("FAIRDEAL_TRUST") {
        return Ok(file.into());
    }
    // The XDG specification ignores a relative path.
    let config = named("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let config = config.or_else(|| std::env::home_dir().map(|home| home.join(".config")));
    config.map(|folder| folder.join("fairdeal/known-logs")).ok_or_else(|| {
        Failure::usage("known logs: expected a home folder, found none")
            .hint("Name a file in FAIRDEAL_TRUST.")
    })
}

/// The key that verifies, and the known log that it is from; `None` where `--key` gave it.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) key: VerifierKey,
    pub(super) known: Option<KnownLog>,
}

/// The log that a checkpoint names. Nothing of it is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) origin: String,
    /// Its name and id in the line of its signature; without one the origin alone.
    pub(super) signed: String,
}

impl Named {
    /// `None` if the text is no checkpoint.
    pub(super) fn in_checkpoint(text: &str) -> Option<Self> {
        let signed = SignedCheckpoint::parse(text).ok()?;
        let origin = signed.unverified().origin().to_owned();
        let by = signed.note().signatures().iter().find(|one| one.name().as_str() == origin);
        let signed = by.map_or_else(|| origin.clone(), |by| format!("{}+{}", by.name(), by.id()));
        Some(Self { origin, signed })
    }
}

/// `--key`, or else the key of the log that `what` names, if it is known.
/// Exit 2 for a key that is none and for a log that is not known.
pub(super) fn key_of(
    given: Option<&str>,
    what: &str,
    named: impl FnOnce() -> Result<Named, Failure>,
) -> Result<Chosen, Failure> {
    if let Some(given) = given {
        return Ok(Chosen { key: args::verifier_key(given)?, known: None });
    }
    let Named { origin, signed } = named()?;
    let logs = KnownLogs::read()?;
    match logs.of_origin(&origin) {
        Some(known) => Ok(Chosen { key: known.key.clone(), known: Some(known.clone()) }),
        None => Err(usage!("{what} names the log {signed}, whose key is not known here").hint(
            "Give it with --key, or keep it: fairdeal trust add KEY --from WHERE\n\
             Take the key from a place where the operator prints it, or from other players,\n\
             not from whoever gave you this.",
        )),
    }
}

/// `--key`, or else the known key of a log.
/// As [`key_of`]; 3 for a log that cannot be read.
pub(super) fn key_of_log(given: Option<&str>, log: &str) -> Result<Chosen, Failure> {
    key_of(given, log, || {
        if log == "-" {
            let says =
                "--key: expected a key: what comes through stdin can't be read twice to look it up";
            return Err(Failure::usage(says));
        }
        let (_, checkpoint) = Log::new(log, None, None)?.with_checkpoint()?;
        Named::in_checkpoint(&checkpoint)
            .ok_or_else(|| usage!("{log}: its checkpoint names no log: give --key"))
    })
}

/// Says which known key verified.
pub(super) fn print(known: &KnownLog, out: &mut Out) {
    out.long_field("key", &format!("{}, {}", plain(&name_of(&known.key)), known.since()));
}

/// A path of the file, for messages.
pub(super) fn shown(path: &Path) -> String {
    plain(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairdeal::log::SignerKey;

    fn key(name: &str, seed: u8) -> VerifierKey {
        SignerKey::from_seed(name.parse().expect("a name"), &[seed; 32]).verifier().clone()
    }

    fn read(text: &str) -> Result<KnownLogs, String> {
        KnownLogs::parse(PathBuf::from("known"), text.as_bytes().to_vec())
            .map_err(Failure::into_says)
    }

    #[test]
    fn a_day_and_a_place_may_be_left_out() {
        let key = key("cards.example/log", 1).to_text();
        for (line, added, from) in [
            (key.clone(), None, ""),
            (format!("  {key} \t2026-11-22 "), Some("2026-11-22"), ""),
            (format!("{key} the club"), None, "the club"),
            (
                format!("{key} 2026-11-22  the club, by  post"),
                Some("2026-11-22"),
                "the club, by  post",
            ),
            (format!("{key} 2026-13-41 the club"), None, "2026-13-41 the club"),
        ] {
            let known = read(&format!("# mine\n\n{line}\n")).expect(&line);
            let log = known.of_origin("cards.example/log").expect("it is known");
            assert_eq!((log.added.as_deref(), log.from.as_str()), (added, from), "{line}");
        }
    }

    #[test]
    fn what_a_person_wrote_stays_where_it_is() {
        let (a, b, c) = (key("a.example", 1), key("b.example", 2), key("c.example", 3));
        let text = format!(
            "# mine\n{}  2026-11-22  here\n\n# theirs\n{} there\n",
            a.to_text(),
            b.to_text()
        );
        let mut known = read(&text).expect("two logs");
        assert_eq!(known.to_text(), text);
        known.put(KnownLog::today(c.clone(), "elsewhere", 1_700_000_000_000));
        known.put(KnownLog::today(key("a.example", 9), "again", 1_700_000_000_000));
        let removed = known.remove("b.example").expect("it was there");
        assert_eq!((removed.key, known.remove("b.example").is_none()), (b, true));
        let a = key("a.example", 9).to_text();
        let c = c.to_text();
        let left =
            format!("# mine\n{a}  2023-11-14  again\n\n# theirs\n{c}  2023-11-14  elsewhere\n");
        assert_eq!(known.to_text(), left);
        // Written keys read back the same, each on the line that it says.
        let again = read(&left).expect("two logs");
        let lines = |known: &KnownLogs| known.logs.iter().map(|log| log.line).collect::<Vec<_>>();
        assert_eq!((lines(&again), lines(&known)), (vec![1, 4], vec![1, 4]));
    }

    #[test]
    fn a_wrong_line_is_named_by_its_number() {
        let (one, other) = (key("a.example", 1).to_text(), key("a.example", 2).to_text());
        let twice = read(&format!("{one}\n# x\n{other}\n")).expect_err("one name, two keys");
        assert_eq!(twice, "known: line 3: expected one key for a.example, line 1 has one");
        assert!(
            read(&format!("{one}\nnonsense here\n"))
                .is_err_and(|says| says.starts_with("known: line 2: "))
        );
        let bytes = [one.as_bytes(), b"\n\xff"].concat();
        let error = KnownLogs::parse(PathBuf::from("known"), bytes).expect_err("not UTF-8");
        assert_eq!(error.into_says(), "known: line 2: expected UTF-8");
    }
}
