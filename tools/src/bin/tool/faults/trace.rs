//! Reads what strace has written: the calls that change a ledger's files, make them durable, or
//! answer.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// The calls to trace.
pub const CALLS: &str = "trace=open,openat,creat,write,pwrite64,writev,pwritev,ftruncate,truncate,fallocate,lseek,\
rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync,syncfs,sync,sync_file_range,\
copy_file_range,sendfile";

/// A call on the ledger's files, or an answer.
#[derive(Debug)]
pub enum Call {
    Open {
        path: PathBuf,
        fd: i32,
        create: bool,
        truncate: bool,
        append: bool,
        mode: u32,
    },
    /// `at` is `None` at the file's own position.
    Write {
        fd: i32,
        at: Option<u64>,
        bytes: Vec<u8>,
    },
    Seek {
        fd: i32,
        to: u64,
    },
    Length {
        fd: i32,
        length: u64,
    },
    Link {
        from: PathBuf,
        to: PathBuf,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Remove {
        path: PathBuf,
    },
    Folder {
        path: PathBuf,
        mode: u32,
    },
    Sync {
        fd: i32,
    },
    SyncAll,
    Told {
        bytes: Vec<u8>,
    },
}

/// A call with the lines of its beginning and its end, which differ if other threads made calls
/// meanwhile.
#[derive(Debug)]
pub struct Event {
    pub start: usize,
    pub end: usize,
    pub call: Call,
}

/// Wraps a command: strace runs it, and writes to a file.
pub fn traced(command: &Command, to: &Path, more: &[&str]) -> Command {
    // A command that hangs is a failure, not the end of the search.
    let mut strace = Command::new("timeout");
    strace
        .args(["--signal=KILL", "60", "strace", "-f", "-y", "-xx", "-s", "16777216", "-qq", "-o"])
        .arg(to)
        .args(more);
    strace.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => strace.env(name, value),
            None => strace.env_remove(name),
        };
    }
    strace.stdin(std::process::Stdio::null());
    strace.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    strace
}

/// The events of a trace under a folder.
pub fn events(trace: &str, root: &Path) -> Result<Vec<Event>, String> {
    let mut begun: HashMap<&str, (usize, String)> = HashMap::new();
    let mut events = Vec::new();
    for (number, line) in trace.lines().enumerate() {
        let (pid, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim_start();
        let (start, whole) = if let Some(first) = rest.strip_suffix("<unfinished ...>") {
            begun.insert(pid, (number, first.trim_end().to_owned()));
            continue;
        } else if rest.starts_with("<... ") {
            let (_, last) =
                rest.split_once("resumed>").ok_or_else(|| format!("no such line: {line}"))?;
            let (start, first) =
                begun.remove(pid).ok_or_else(|| format!("what never began ends: {line}"))?;
            (start, format!("{first}{last}"))
        } else {
            (number, rest.to_owned())
        };
        if let Some(call) = call(&whole, root).map_err(|says| format!("{says}: {whole:.300}"))? {
            events.push(Event { start, end: number, call });
        }
    }
    Ok(events)
}

/// A file descriptor or a result with its path: `7<\x2f…>`.
fn described(text: &str) -> (Option<i32>, PathBuf) {
    let (number, path) = text.split_once('<').unwrap_or((text, ""));
    (number.trim().parse().ok(), PathBuf::from(String::from_utf8_lossy(&unhex(path)).into_owned()))
}

/// The bytes of `\x2f\x74…`, up to whatever else follows.
fn unhex(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches('"').split("\\x").skip(1);
    let byte = |two: &str| u8::from_str_radix(two.get(..2)?, 16).ok();
    digits.map_while(byte).collect()
}

/// All quoted strings of a call, together.
fn quoted(text: &str) -> Result<Vec<u8>, String> {
    if text.contains("\"...") {
        return Err("strace has shortened a string".to_owned());
    }
    Ok(text.split('"').skip(1).step_by(2).flat_map(unhex).collect())
}

fn call(text: &str, root: &Path) -> Result<Option<Call>, String> {
    // Signals and exits.
    let Some((name, rest)) = text.split_once('(') else { return Ok(None) };
    // Spaces align the results of calls that other threads have interrupted.
    let Some((arguments, result)) = rest.rsplit_once(" = ") else { return Ok(None) };
    let (arguments, result) = (arguments.trim_end(), result.trim());
    if result.starts_with('-') || result.starts_with('?') {
        return Ok(None);
    }
    let arguments: Vec<&str> = arguments.trim_end_matches(')').split(", ").collect();
    let argument = |nth: usize| arguments.get(nth).copied().ok_or("too few arguments");
    let number = |nth: usize| -> Result<u64, String> {
        argument(nth)?.parse().map_err(|e| format!("argument {nth}: {e}"))
    };
    let path = |nth: usize| -> Result<PathBuf, String> {
        Ok(PathBuf::from(String::from_utf8_lossy(&unhex(argument(nth)?)).into_owned()))
    };
    // A path relative to a folder.
    let path_at = |nth: usize| -> Result<PathBuf, String> {
        let joined = described(argument(nth)?).1.join(path(nth + 1)?);
        Ok(joined.components().filter(|part| *part != Component::CurDir).collect())
    };
    let mode = |nth: usize| {
        arguments.get(nth).and_then(|mode| u32::from_str_radix(mode, 8).ok()).unwrap_or(0)
    };
    let inside = |path: &Path| path.starts_with(root);
    // A call on a file descriptor of the ledger.
    let (fd, of) = described(arguments.first().copied().unwrap_or_default());
    let on_ledger = inside(&of);
    let fd = fd.unwrap_or(-1);
    let opened = |path: PathBuf, flags: &str, mode: u32| {
        let has = |flag| flags.split('|').any(|one| one == flag);
        let (create, truncate) = (has("O_CREAT"), has("O_TRUNC"));
        let fd = described(result).0.unwrap_or(-1);
        Call::Open { path, fd, create, truncate, append: has("O_APPEND"), mode }
    };
    let call = match name {
        "open" => opened(path(0)?, argument(1)?, mode(2)),
        "openat" => opened(path_at(0)?, argument(2)?, mode(3)),
        "creat" => opened(path(0)?, "O_CREAT|O_TRUNC", mode(1)),
        "write" | "writev" if fd == 1 => Call::Told { bytes: quoted(text)? },
        "write" | "writev" if on_ledger => {
            Call::Write { fd, at: None, bytes: written(text, result)? }
        }
        "pwrite64" | "pwritev" if on_ledger => {
            let last = arguments.len().saturating_sub(1);
            Call::Write { fd, at: Some(number(last)?), bytes: written(text, result)? }
        }
        "lseek" if on_ledger => {
            Call::Seek { fd, to: result.parse().map_err(|e| format!("the new position: {e}"))? }
        }
        "ftruncate" if on_ledger => Call::Length { fd, length: number(1)? },
        "rename" | "link" => linked(name, path(0)?, path(1)?),
        "renameat" | "renameat2" | "linkat" => linked(name, path_at(0)?, path_at(2)?),
        "unlink" | "rmdir" => Call::Remove { path: path(0)? },
        "unlinkat" => Call::Remove { path: path_at(0)? },
        "mkdir" => Call::Folder { path: path(0)?, mode: mode(1) },
        "mkdirat" => Call::Folder { path: path_at(0)?, mode: mode(2) },
        "fsync" | "fdatasync" if on_ledger => Call::Sync { fd },
        "syncfs" if on_ledger => Call::SyncAll,
        "sync" => Call::SyncAll,
        "truncate" if inside(&path(0)?) => return Err("a call that is not modelled".to_owned()),
        "fallocate" | "sync_file_range" | "copy_file_range" | "sendfile" if on_ledger => {
            return Err("a call that is not modelled".to_owned());
        }
        _ => return Ok(None),
    };
    let kept = match &call {
        Call::Open { path, .. } | Call::Remove { path } | Call::Folder { path, .. } => inside(path),
        Call::Link { from, to } | Call::Rename { from, to } => inside(from) || inside(to),
        _ => true,
    };
    Ok(kept.then_some(call))
}

fn linked(name: &str, from: PathBuf, to: PathBuf) -> Call {
    if name.starts_with("link") { Call::Link { from, to } } else { Call::Rename { from, to } }
}

/// The bytes that a write wrote, which may be fewer than it was given.
fn written(text: &str, result: &str) -> Result<Vec<u8>, String> {
    let mut bytes = quoted(text)?;
    bytes.truncate(result.parse().map_err(|e| format!("how many bytes were written: {e}"))?);
    Ok(bytes)
}
