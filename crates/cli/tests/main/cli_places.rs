//! Places that commands write to: inside a ledger, a device, a folder that two want, and what was
//! interrupted.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn command(dir: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.current_dir(dir).env_remove("FAIRDEAL_LEDGER").env("NO_COLOR", "1").args(words);
    command
}

fn run(dir: &Path, words: &[&str]) -> Output {
    command(dir, words).output().expect("fairdeal starts")
}

fn ends(dir: &Path, words: &[&str], code: i32) -> String {
    let output = run(dir, words);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {error}");
    error + &String::from_utf8_lossy(&output.stdout)
}

/// A ledger A with one commitment.
fn ledger() -> TempDir {
    let dir = TempDir::new().expect("a folder");
    ends(dir.path(), &["init", "A", "--origin", "a.example/log"], 0);
    ends(
        dir.path(),
        &["commit", "--ledger", "A", "--table", "t", "--draw", "5", "--rounds", "99"],
        0,
    );
    dir
}

#[test]
fn a_backup_a_restored_ledger_and_a_copied_state_are_refused_inside_a_ledger() {
    let dir = ledger();
    let at = dir.path();
    symlink("A/public", at.join("link")).expect("linked");
    ends(at, &["backup", "bk", "--ledger", "A", "--with-keys"], 0);
    for inside in ["A/public/bk", "A/private/bk", "link/bk", "A"] {
        let words = ["backup", inside, "--ledger", "A", "--with-keys"];
        let says = ends(at, &words, 2);
        assert!(inside == "A" || says.contains("inside the ledger"), "{inside}: {says}");
        ends(at, &["restore", "bk", inside, "--against", "A/public/checkpoint"], 2);
    }
    for inside in ["A/private", "A/public", "link/x", "A"] {
        ends(at, &["state", "copy", "A", inside], 2);
    }
    ends(at, &["deal", "--ledger", "A", "--table", "t", "--client", "a=1"], 0);
    assert!(!at.join("A/public/bk").exists() && !at.join("A/private/bk").exists());
}

#[test]
fn what_has_keys_is_refused_in_a_published_log_wherever_that_is() {
    let dir = ledger();
    let at = dir.path();
    fs::rename(at.join("A/public"), at.join("www")).expect("moved");
    symlink("../www", at.join("A/public")).expect("linked");
    ends(at, &["deal", "--ledger", "A", "--table", "t", "--client", "a=1"], 0);
    ends(at, &["backup", "bk", "--ledger", "A", "--with-keys"], 0);
    for inside in ["www/bk", "www/tile/bk", "A/public/bk"] {
        let says = ends(at, &["backup", inside, "--ledger", "A", "--with-keys"], 2);
        assert!(says.contains("inside the published log"), "{inside}: {says}");
        ends(at, &["restore", "bk", inside, "--against", "www/checkpoint"], 2);
        ends(at, &["init", inside, "--origin", "b.example/log"], 2);
        ends(at, &["state", "copy", "A", inside], 2);
    }
    ends(at, &["state", "copy", "A", "www"], 2);
    assert_eq!(
        fs::read_dir(at.join("www")).expect("a folder").count(),
        3,
        "checkpoint, tile and .new"
    );
    ends(at, &["deal", "--ledger", "A", "--table", "t", "--client", "a=1"], 0);
}

#[test]
fn a_backup_that_was_killed_is_named_by_the_next_one_and_is_no_ledger_and_no_backup() {
    let dir = ledger();
    let at = dir.path();
    let words = ["backup", "bk", "--ledger", "A", "--with-keys"];
    let killed =
        command(at, &words).env("FAIRDEAL_FAULT", "backup-copied").status().expect("starts");
    assert!(!killed.success());
    let says = ends(at, &words, 2);
    assert!(says.contains(".backup-") && says.contains("delete the folder"), "{says}");
    let says = ends(at, &["restore", "bk", "R", "--against", "A/public/checkpoint"], 3);
    assert!(says.contains("not finished"), "{says}");
    let says = ends(at, &["deal", "--ledger", "bk", "--table", "t", "--client", "a=1"], 3);
    assert!(says.contains("interrupted"), "{says}");
    fs::remove_dir_all(at.join("bk")).expect("removed");
    ends(at, &words, 0);
    let mut names: Vec<_> = fs::read_dir(at.join("bk"))
        .expect("a folder")
        .map(|e| e.expect("read").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["checkpoint", "private", "public"]);
}

#[test]
fn the_command_that_init_prints_for_the_key_works_beside_another_ledgers_key() {
    let dir = TempDir::new().expect("a folder");
    let at = dir.path();
    for (ledger, file) in [("first", "log.key"), ("second one", "'second one.key'")] {
        let says = ends(at, &["init", ledger, "--origin", "a.example/log"], 0);
        let line = says.lines().find(|line| line.contains("log-key")).expect("printed").trim();
        assert!(line.ends_with(&format!("-o {file}")), "{line}");
        let program =
            format!("fairdeal() {{ '{}' \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_fairdeal"));
        let done = Command::new("bash")
            .args(["-c", &program])
            .current_dir(at)
            .env_remove("FAIRDEAL_LEDGER")
            .status();
        assert!(done.expect("bash").success(), "{line}");
    }
}

#[test]
fn of_restores_at_once_into_one_folder_one_wins_and_its_ledger_stays_whole() {
    let dir = ledger();
    let at = dir.path();
    ends(at, &["backup", "bk", "--ledger", "A", "--with-keys"], 0);
    for round in 0..4 {
        let to = format!("R{round}");
        let words = ["restore", "bk", &to, "--against", "A/public/checkpoint"];
        let all: Vec<_> = (0..6)
            .map(|_| {
                command(at, &words)
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .expect("starts")
            })
            .collect();
        let ended = all.into_iter().map(|one| one.wait_with_output().expect("ends").status.code());
        let won = ended.filter(|code| *code == Some(0)).count();
        assert_eq!(won, 1, "of all, one makes the ledger");
        ends(at, &["deal", "--ledger", &to, "--table", "t", "--client", "a=1"], 0);
        assert_eq!(fs::read_dir(at.join(&to)).expect("a folder").count(), 2);
    }
}

#[test]
fn an_output_never_takes_the_place_of_what_is_no_regular_file() {
    let dir = ledger();
    let at = dir.path();
    ends(at, &["log-key", "--ledger", "A", "-o", "k"], 0);
    // A socket takes no file; a pipe and a device take what is written.
    let _socket = std::os::unix::net::UnixListener::bind(at.join("socket")).expect("bound");
    let made = Command::new("mkfifo").arg(at.join("pipe")).status().expect("mkfifo");
    assert!(made.success());
    symlink("/dev/null", at.join("null")).expect("linked");
    symlink("socket", at.join("to-socket")).expect("linked");
    symlink("nothing", at.join("to-nothing")).expect("linked");
    for place in ["socket", "to-socket", "to-nothing"] {
        for words in [
            &["audit", "A", "--key", "k", "--state", place][..],
            &["audit", "A", "--key", "k", "--html", place, "--no-statistics"],
            &["export", "A", "--key", "k", "-o", place],
        ] {
            let says = ends(at, words, 2);
            assert!(says.contains(place), "{says}");
        }
    }
    assert!(at.join("socket").symlink_metadata().expect("there").file_type().is_socket());
    ends(at, &["audit", "A", "--key", "k", "--html", "null", "--no-statistics"], 0);
    ends(at, &["export", "A", "--key", "k", "-o", "null"], 0);
    assert_eq!(fs::read_link(at.join("null")).expect("a link"), Path::new("/dev/null"));
    let reader =
        Command::new("cat").arg(at.join("pipe")).stdout(Stdio::piped()).spawn().expect("cat");
    ends(at, &["export", "A", "--key", "k", "-o", "pipe"], 0);
    assert!(at.join("pipe").symlink_metadata().expect("there").file_type().is_fifo());
    assert!(
        !reader.wait_with_output().expect("ends").stdout.is_empty(),
        "who reads the pipe gets the log"
    );
    // A link to a file stays one, and its file is written.
    symlink("state", at.join("link")).expect("linked");
    fs::write(at.join("state"), "").expect("written");
    ends(at, &["audit", "A", "--key", "k", "--state", "link"], 0);
    assert_eq!(fs::read_link(at.join("link")).expect("a link"), Path::new("state"));
    assert!(fs::metadata(at.join("state")).expect("there").len() > 0);
}

#[test]
fn a_rekey_from_a_command_to_a_file_that_was_killed_goes_on_and_other_commands_name_the_file() {
    let dir = TempDir::new().expect("a folder");
    let at = dir.path();
    let by_command = |words: &[&str]| {
        let mut command = command(at, words);
        command.env("FAIRDEAL_VAULT_KEY_COMMAND", "printf %064d 7");
        command
    };
    let code = |mut command: Command| {
        let output = command.output().expect("starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(code(by_command(&["init", "A", "--origin", "a.example/log"])).0, Some(0));
    let commit = ["commit", "--ledger", "A", "--table", "t", "--draw", "5", "--rounds", "9"];
    assert_eq!(code(by_command(&commit)).0, Some(0));
    let mut killed = by_command(&["rekey", "A"]);
    killed.env("FAIRDEAL_FAULT", "rekey-committed");
    assert_ne!(code(killed).0, Some(0));
    let deal = ["deal", "--ledger", "A", "--table", "t", "--client", "a=1"];
    let (ended, says) = code(by_command(&deal));
    assert_eq!(ended, Some(3));
    assert!(says.contains("vault.key.new") && says.contains("fairdeal rekey"), "{says}");
    let (ended, says) = code(by_command(&["rekey", "A"]));
    assert_eq!(ended, Some(0), "the same command goes on: {says}");
    assert!(
        at.join("A/private/vault.key").exists() && !at.join("A/private/vault.key.new").exists()
    );
    ends(at, &deal, 0);
}

#[test]
fn a_log_that_the_key_never_signed_leaves_no_state_that_accuses_the_honest_one() {
    let dir = ledger();
    let at = dir.path();
    ends(at, &["log-key", "--ledger", "A", "-o", "k"], 0);
    ends(at, &["init", "thief", "--origin", "a.example/log"], 0);
    ends(at, &["commit", "--ledger", "thief", "--table", "t", "--draw", "5", "--rounds", "99"], 0);
    for n in 1..3 {
        ends(at, &["deal", "--ledger", "A", "--table", "t", "--client", &format!("a={n}")], 0);
        ends(at, &["deal", "--ledger", "thief", "--table", "t", "--client", &format!("a=x{n}")], 0);
    }
    let audit = |log| ["audit", log, "--key", "k", "--state", "s"];
    assert!(ends(at, &audit("thief"), 1).contains("bad-signature"));
    ends(at, &audit("A"), 0);
    let kept = fs::read(at.join("s")).expect("saved");
    assert!(ends(at, &audit("thief"), 1).contains("bad-signature"));
    assert_eq!(fs::read(at.join("s")).expect("saved"), kept, "what was seen is not forgotten");
    // A state that was saved without a signature, by an older version.
    let text = String::from_utf8(kept).expect("UTF-8");
    let (tree, entries) = text.split_once('\n').expect("two lines");
    let mut tree: serde_json::Value = serde_json::from_str(tree).expect("JSON");
    tree.as_object_mut().expect("an object").remove("note").expect("the note");
    fs::write(at.join("s"), format!("{tree}\n{entries}")).expect("written");
    let says = ends(at, &audit("A"), 0);
    assert!(says.contains("not signed"), "{says}");
    assert!(fs::read_to_string(at.join("s")).expect("saved").contains("\"note\""));
}

#[test]
fn an_audit_that_goes_on_from_another_says_how_many_entries_it_did_not_judge() {
    let dir = ledger();
    let at = dir.path();
    ends(at, &["log-key", "--ledger", "A", "-o", "k"], 0);
    let audit = |more: &[&str]| {
        ends(at, &[&["audit", "A", "--key", "k", "--state", "s"], more].concat(), 0)
    };
    let first = audit(&[]);
    assert!(first.contains("holds") && !first.contains("earlier audit"), "{first}");
    ends(at, &["deal", "--ledger", "A", "--table", "t", "--client", "a=1"], 0);
    let again = audit(&["--html", "page.html"]);
    assert!(
        again.contains("holds, but the first entry was judged by an earlier audit only"),
        "{again}"
    );
    let page = fs::read_to_string(at.join("page.html")).expect("written");
    assert!(page.contains("but the first entry was judged by an earlier audit only"));
    let json: serde_json::Value = serde_json::from_str(&audit(&["--json"])).expect("JSON");
    assert_eq!((&json["judged_before"], &json["size"]), (&2.into(), &2.into()));
}
