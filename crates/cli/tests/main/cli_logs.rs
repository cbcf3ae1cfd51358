//! Commands on logs that are not folders: a URL, a pipe.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::server::{Server, folder, log};

/// A published log of 300 rounds in `log/`, its key in `log.key`, and an older view of it in
/// `old.note`.
fn published() -> TempDir {
    let (log, old, dir) = (log(300), log(20), TempDir::new().expect("a folder"));
    log.publish(&dir.path().join("log"));
    fs::write(dir.path().join("log.key"), log.key().to_text()).expect("writable");
    fs::write(dir.path().join("old.note"), old.checkpoint()).expect("writable");
    dir
}

fn fairdeal(dir: &Path, words: &[&str], stdin: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.current_dir(dir).env_remove("FAIRDEAL_LEDGER").env("NO_COLOR", "1").args(words);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut running = piped.expect("fairdeal starts");
    // It may end before it has read everything.
    let _ = running.stdin.take().expect("piped").write_all(stdin);
    running.wait_with_output().expect("fairdeal ends")
}

pub(crate) fn ends(dir: &Path, words: &[&str], stdin: &[u8], code: i32) -> (Vec<u8>, String) {
    let Output { status, stdout, stderr } = fairdeal(dir, words, stdin);
    let stderr = String::from_utf8(stderr).expect("UTF-8");
    assert_eq!(status.code(), Some(code), "{words:?}: {stderr}");
    (stdout, stderr)
}

pub(crate) fn json(dir: &Path, words: &[&str], code: i32) -> Value {
    let (stdout, _) = ends(dir, &[words, &["--key", "log.key", "--json"]].concat(), b"", code);
    serde_json::from_slice(&stdout).expect("one JSON object")
}

/// A live log is judged at the time of the clock, which runs. This time is after the first entry of
/// the tests' logs, and before a reveal is due.
pub(crate) const TIMES: [&str; 4] = ["--as-of", "1760000060000", "--clock", "2100-01-01T00:00:00Z"];

#[test]
fn the_newest_checkpoint_is_a_file_a_folder_or_a_mirror_by_either_url() {
    let dir = TempDir::new().expect("a folder");
    let dir = dir.path();
    ends(dir, &["init", "ledger", "--origin", "cards.example/log"], b"", 0);
    let public = dir.join("ledger/public");
    fs::create_dir(dir.join("mirror")).expect("made");
    fs::copy(public.join("checkpoint"), dir.join("mirror/checkpoint")).expect("copied");
    let server = Server::new(folder(&dir.join("mirror")));
    let checkpoint = format!("{}/checkpoint", server.url());
    ends(dir, &["log-key", "--ledger", "ledger", "-o", "log.key"], b"", 0);
    json(dir, &["checkpoint", &checkpoint], 0);
    for against in ["mirror", "mirror/checkpoint", server.url(), &checkpoint] {
        fs::remove_file(public.join("checkpoint")).expect("removed");
        ends(dir, &["republish", "ledger", "--against", against], b"", 0);
        assert!(public.join("checkpoint").exists(), "{against}");
    }
}

/// The line comes while the server is silent; then the command has nothing left to wait for.
#[test]
fn who_waits_for_a_server_is_told_for_what_and_for_how_long() {
    let dir = published();
    let commands: [&[&str]; 3] = [&["audit"], &["checkpoint"], &["export", "-o", "out"]];
    for words in commands {
        let silent = Server::new(|_, stream| {
            let _ = std::io::Read::read(stream, &mut [0]);
            false
        });
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.current_dir(dir.path()).args(words).args([silent.url(), "--key", "log.key"]);
        let mut running =
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("fairdeal starts");
        let mut line = String::new();
        let mut lines = BufReader::new(running.stderr.take().expect("piped"));
        lines.read_line(&mut line).expect("a line");
        running.kill().expect("it waits still");
        running.wait().expect("it ended");
        let says = format!(
            "waiting for {}: a file that does not come is given up after 60 s\n",
            silent.url()
        );
        assert_eq!(line, says, "{words:?}");
    }
}

#[test]
fn an_operators_ledger_is_an_argument_or_an_option_in_every_command_that_takes_one() {
    let dir = TempDir::new().expect("a folder");
    let dir = dir.path();
    ends(dir, &["init", "--ledger", "cards", "--origin", "cards.example/log"], b"", 0);
    ends(dir, &["log-key", "--ledger", "cards", "-o", "log.key"], b"", 0);
    fs::copy(dir.join("cards/public/checkpoint"), dir.join("saved.note")).expect("copied");
    let commands: [&[&str]; 7] = [
        &["fsck"],
        &["rekey"],
        &["audit", "--key", "log.key"],
        &["checkpoint", "--key", "log.key"],
        &["stats", "--key", "log.key"],
        &["export", "--key", "log.key", "-o", "out"],
        &["republish", "--against", "saved.note"],
    ];
    for words in commands {
        let code = |more: &[&str], ledger: Option<&str>| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
            command.current_dir(dir).env_remove("FAIRDEAL_LEDGER").args(words).args(more);
            ledger.map(|ledger| command.env("FAIRDEAL_LEDGER", ledger));
            let Output { status, stderr, .. } = command.output().expect("fairdeal ends");
            (status.code(), String::from_utf8(stderr).expect("UTF-8"))
        };
        let plain = code(&["cards"], None);
        assert_ne!(plain.0, Some(2), "{words:?}: {}", plain.1);
        assert_eq!(code(&["--ledger", "cards"], None).0, plain.0, "{words:?}");
        assert_eq!(code(&[], Some("cards")).0, plain.0, "{words:?}");
        // A typed argument wins over the variable.
        assert_eq!(code(&["--ledger", "cards"], Some("nowhere")).0, plain.0, "{words:?}");
        assert_eq!(code(&["cards"], Some("nowhere")).0, plain.0, "{words:?}");
        let (both, says) = code(&["cards", "--ledger", "cards"], None);
        assert!(
            both == Some(2) && says.contains("cannot be used with '--ledger <DIR>'"),
            "{words:?}: {says}"
        );
    }
}

#[test]
fn a_page_for_others_does_not_say_where_the_log_is_on_this_machine() {
    let dir = published();
    let (dir, log) = (dir.path(), dir.path().join("log"));
    let words = ["--since", dir.join("old.note").to_str().expect("UTF-8"), "--html", "page.html"]
        .map(str::to_owned);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let first = ["audit", log.to_str().expect("UTF-8"), "--clock", "2020-01-01T00:00:00Z"];
    json(dir, &[&first, words.as_slice()].concat(), 1);
    let page = fs::read_to_string(dir.join("page.html")).expect("a page");
    assert!(
        page.contains("tile/entries/") && page.contains("old.note"),
        "it shows where an entry is"
    );
    assert!(page.contains("<dt>Covers</dt>"), "it says which time the log covers: {page}");
    assert!(!page.contains(dir.to_str().expect("UTF-8")), "{page}");
}

#[test]
fn a_url_says_what_the_folder_says() {
    let dir = published();
    let server = Server::new(folder(&dir.path().join("log")));
    let dir = dir.path();
    for (command, times) in [("audit", TIMES.as_slice()), ("checkpoint", &[])] {
        let said = |log| json(dir, &[&[command, log], times].concat(), 0);
        assert_eq!(said(server.url()), said("log"), "{command}");
    }
    let since = json(dir, &["checkpoint", server.url(), "--since", "old.note"], 0);
    assert_eq!((&since["size"], &since["since"]), (&301.into(), &21.into()));
    json(dir, &["export", server.url(), "-o", "from-url"], 0);
    json(dir, &["export", "log", "-o", "from-folder"], 0);
    assert_eq!(fs::read(dir.join("from-url")).unwrap(), fs::read(dir.join("from-folder")).unwrap());
    // A page links a finding to the bundle that holds its entry.
    json(
        dir,
        &["audit", server.url(), "--clock", "2020-01-01T00:00:00Z", "--html", "page.html"],
        1,
    );
    let page = fs::read_to_string(dir.join("page.html")).unwrap();
    let bundle = format!("{}/tile/entries/001.p/45", server.url());
    assert!(
        page.contains(&format!("href=\"{bundle}\""))
            && page.contains(&format!("curl -s {bundle} | tail"))
    );
    let elsewhere = format!("{}/elsewhere", server.url());
    let (_, says) = ends(dir, &["audit", &elsewhere, "--key", "log.key"], b"", 3);
    assert!(says.contains("elsewhere/checkpoint") && says.contains("missing"), "{says}");
}

#[test]
fn an_export_goes_through_a_pipe_and_a_broken_one_is_not_judged() {
    let dir = published();
    let dir = dir.path();
    let (file, _) = ends(dir, &["export", "log", "-o", "-", "--key", "log.key"], b"", 0);
    let audit = ["audit", "-", "--key", "log.key"];
    let (says, _) = ends(dir, &audit, &file, 0);
    assert!(says.starts_with(b"stdin  holds\n"));
    let (again, _) = ends(dir, &["export", "-", "-o", "-"], &file, 0);
    assert_eq!(again, file);
    let (_, says) = ends(dir, &audit, &file[..file.len() - 1], 3);
    assert!(says.starts_with("error: stdin: ") && says.contains("cut off"), "{says}");
    let mut changed = file.clone();
    let at = changed.len() - 50;
    changed[at] ^= 1;
    ends(dir, &audit, &changed, 1);
    let (_, says) = ends(dir, &audit, b"", 3);
    assert!(says.starts_with("error: stdin: expected an exported log"), "{says}");
    // When the export goes to stdout, a fault is named only on stderr.
    let (out, says) = ends(dir, &["export", "-", "-o", "-"], &changed, 1);
    assert!(says.starts_with("error: stdin: tree-mismatch: "), "{says}");
    assert_eq!(out, changed);
}

#[test]
fn a_cache_saves_reading_and_accuses_nobody() {
    let dir = published();
    log(900).publish(&dir.path().join("log"));
    let server = Server::new(folder(&dir.path().join("log")));
    let dir = dir.path();
    let audit = [["audit", server.url(), "--cache", "kept"], TIMES].concat();
    let first = json(dir, &audit, 0);
    let asked = server.requests().len();
    assert_eq!(json(dir, &audit, 0), first);
    // Three full bundles and three full tiles are cached by now. The last of each is compared, and
    // perhaps another one; and a tile is read again for the root that is remembered.
    let saved = asked - (server.requests().len() - asked);
    assert!((1..=3).contains(&saved), "{saved} of {asked}");
    // A mirror's error is reported once, and no longer after it is corrected.
    let bundle = dir.join("log/tile/entries/000");
    let honest = fs::read(&bundle).unwrap();
    let mut wrong = honest.clone();
    wrong[1000] ^= 1;
    fs::remove_dir_all(dir.join("kept")).unwrap();
    fs::write(&bundle, wrong).unwrap();
    json(dir, &audit, 1);
    json(dir, &["export", server.url(), "--cache", "kept", "-o", "x"], 1);
    assert!(!dir.join("x").exists());
    fs::write(&bundle, honest).unwrap();
    json(dir, &["export", server.url(), "--cache", "kept", "-o", "x"], 0);
    fs::remove_file(dir.join("x")).unwrap();
    assert_eq!(json(dir, &audit, 0), first);
    let left: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

#[test]
fn a_cache_that_cannot_be_written_is_a_warning() {
    let dir = published();
    let server = Server::new(folder(&dir.path().join("log")));
    let words = [["audit", server.url(), "--cache", "log.key"], TIMES].concat();
    let words = [words, vec!["--key", "log.key"]].concat();
    let (_, says) = ends(dir.path(), &words, b"", 0);
    assert!(
        says.starts_with("warning: log.key/") && says.contains("nothing more is kept"),
        "{says}"
    );
}
