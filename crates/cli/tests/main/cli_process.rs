//! Commands as processes: tests that a file in `tests/cmd` cannot express, with a pipe, a lock, or
//! another command's answer.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const SEED: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn fairdeal(dir: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.current_dir(dir).env_remove("FAIRDEAL_LEDGER").env("NO_COLOR", "1").args(words);
    command.output().expect("fairdeal starts")
}

/// The answer of a command that must exit with this code.
fn json(dir: &Path, words: &[&str], code: i32) -> Value {
    let output = fairdeal(dir, &[words, &["--json"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{words:?}: {error}");
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn error(dir: &Path, words: &[&str], code: i32) -> String {
    let output = fairdeal(dir, words);
    assert_eq!(output.status.code(), Some(code), "{words:?}");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.starts_with("error: "), "{words:?}: {error}");
    error
}

fn text<'a>(value: &'a Value, at: &str) -> &'a str {
    value.pointer(at).and_then(Value::as_str).expect("a text")
}

/// Writes to files of over 0 bytes fail, as on a full disk.
#[cfg(unix)]
#[test]
fn a_private_file_that_cannot_be_written_whole_leaves_nothing_behind() {
    let dir = TempDir::new().expect("a temporary folder");
    let mut command = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" contribution alice -o alice.json";
    command.current_dir(dir.path()).args(["-c", script, env!("CARGO_BIN_EXE_fairdeal")]);
    let output = command.output().expect("sh starts");
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let left: Vec<_> = std::fs::read_dir(dir.path()).expect("the folder").collect();
    assert!(left.is_empty(), "{left:?}");

    json(dir.path(), &["contribution", "alice", "-o", "alice.json"], 0);
    let first = std::fs::read(dir.path().join("alice.json")).expect("the file");
    let refused = error(dir.path(), &["contribution", "alice", "-o", "alice.json"], 2);
    assert!(refused.contains("it exists already"), "{refused}");
    assert_eq!(std::fs::read(dir.path().join("alice.json")).expect("the file"), first);
    let left: Vec<_> = std::fs::read_dir(dir.path()).expect("the folder").collect();
    assert_eq!(left.len(), 2, "one to keep, one to give: {left:?}");
}

/// Also as Windows' editors and shells save it.
#[test]
fn a_file_of_another_kind_than_a_receipt_is_named() {
    let dir = TempDir::new().expect("a temporary folder");
    let path = dir.path().join("receipt.json");
    let fixtures = tools::root().join("fixtures/receipts");
    let key = std::fs::read_to_string(fixtures.join("log.key")).expect("its key");
    for (bytes, kind) in [
        (b"\xff\xfe{\0}\0".as_slice(), "UTF-16: save it again as UTF-8"),
        (b"\x1f\x8b\x08", "a compressed file: gunzip it first"),
        (b"\x89PNG\r\n", "a picture"),
        (b"", "an empty file"),
        (key.as_bytes(), "a log's key: give it with --key"),
    ] {
        std::fs::write(&path, bytes).expect("written");
        let said = error(dir.path(), &["verify", "receipt.json", "--key", key.trim()], 3);
        assert!(said.contains(&format!("found {kind}")), "{said}");
    }
}

/// Under the smallest limits the program itself does not start.
#[cfg(target_os = "linux")]
#[test]
fn where_memory_is_used_up_a_command_says_so_and_ends_with_3() {
    let dir = TempDir::new().expect("a temporary folder");
    let under = |limit: u32, words: &[&str]| {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {limit}; exec \"$0\" \"$@\"");
        command.current_dir(dir.path()).env_remove("RUST_BACKTRACE").args(["-c", &script]);
        command.arg(env!("CARGO_BIN_EXE_fairdeal")).args(words).output().expect("sh starts")
    };
    let seed = format!("--server-seed={SEED}");
    let replay =
        ["replay", &seed, "--client=a=b", "--nonce=0", "--items=1000000", "--draw=1000000"];
    let starts = |limit: &u32| under(*limit, &["--version"]).status.success();
    for (ended_so, limit) in (40_000..400_000).step_by(8_000).filter(starts).enumerate() {
        let output = under(limit, &replay);
        if output.status.success() {
            assert!(ended_so > 0, "no limit under {limit} KiB is too low");
            return;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{limit} KiB: {said}");
        assert!(said.starts_with("memory allocation of"), "{limit} KiB: {said}");
    }
    panic!("no limit is enough");
}

/// A ledger with one commitment; returns the commitment.
fn ledger(terms: &[&str]) -> (TempDir, String) {
    let dir = TempDir::new().expect("a temporary folder");
    json(dir.path(), &["init", "fairdeal-ledger", "--origin", "cards.example/log"], 0);
    let committed =
        json(dir.path(), &[&["commit", "--table", "main", "--draw", "5"], terms].concat(), 0);
    let commitment = text(&committed, "/commitment").to_owned();
    (dir, commitment)
}

#[test]
fn the_demo_catches_every_attempt_and_names_it() {
    let dir = TempDir::new().unwrap();
    let story = json(dir.path(), &["demo"], 0);
    let attempts: Vec<(&str, &str)> = story["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!(one["caught"], true, "{one}");
            (text(one, "/name"), text(one, "/code"))
        })
        .collect();
    assert_eq!(
        attempts,
        [
            ("changed card", "result-mismatch"),
            ("swapped commitment", "tree-mismatch"),
            ("edited entry", "tree-mismatch"),
            ("forked log", "inconsistent"),
            ("skipped round", "nonce-gap"),
            ("held-back commitment", "out-of-turn"),
        ]
    );
}

#[test]
fn what_the_demo_says_to_try_next_works_when_it_is_pasted() {
    let dir = TempDir::new().unwrap();
    let story = json(dir.path(), &["demo", "a game's folder"], 0);
    let pasted = |command: &str| {
        let shell =
            Command::new("sh").current_dir(dir.path()).args(["-c", command]).output().unwrap();
        shell.status.code().unwrap()
    };
    let next =
        story["next"].as_array().unwrap().iter().map(|command| pasted(command.as_str().unwrap()));
    assert_eq!(next.collect::<Vec<_>>(), [0, 0, 0, 1, 0]);
    for attempt in story["attempts"].as_array().unwrap() {
        assert_eq!(pasted(text(attempt, "/command")), 1, "{attempt}");
    }
}

#[test]
fn a_players_contribution_is_what_lock_and_deal_take() {
    let (dir, c) = ledger(&["--mixing", "hashes"]);
    let dir = dir.path();
    json(dir, &["log-key", "-o", "log.key"], 0);
    for name in ["alice", "bob"] {
        let made =
            json(dir, &["contribution", name, "--for", &format!("{c}:0"), "--key", "log.key"], 0);
        let public = serde_json::json!({"from": name, "hash": made["hash"]});
        let secret =
            serde_json::json!({"from": name, "seed": made["seed"], "blind": made["blind"]});
        std::fs::write(dir.join(format!("{name}.lock")), public.to_string()).unwrap();
        std::fs::write(dir.join(format!("{name}.open")), secret.to_string()).unwrap();
        std::fs::write(dir.join(format!("{name}.json")), made.to_string()).unwrap();
    }
    json(dir, &["lock", &c, "--contributions", "alice.lock", "--contributions", "bob.lock"], 0);
    json(dir, &["receipt", &c, "0", "-o", "lock.json"], 0);
    let deal = [
        "deal",
        &c,
        "--contributions",
        "alice.open",
        "--contributions",
        "bob.open",
        "--idempotency-key",
        "k",
    ];
    let dealt = json(dir, &deal, 0);
    // The round is no longer open, but it is the same request.
    let again = json(dir, &deal, 0);
    assert_eq!(again, dealt);

    let revealed = json(dir, &["reveal", &c], 0);
    json(dir, &["receipt", &c, "0", "-o", "receipt.json"], 0);
    let key = json(dir, &["log-key"], 0);
    let verdict =
        &json(dir, &["verify", "receipt.json", "--key", text(&key, "/key")], 0)["receipts"][0];
    assert_eq!(verdict["shown"], serde_json::json!(["logged", "replayed", "committed-first"]));
    assert_eq!(verdict["committed_first"], serde_json::json!(["alice", "bob"]));

    let verify = ["verify", "receipt.json", "--key", text(&key, "/key"), "--mine", "alice.json"];
    let kept = ["--mine", "bob.json", "--mine", "lock.json"];
    let mine = &json(dir, &[verify.as_slice(), &kept].concat(), 0)["receipts"][0];
    let shown = serde_json::json!(["logged", "replayed", "committed-first", "yours", "authentic"]);
    assert_eq!(
        (&mine["shown"], mine["not_shown"].to_string().contains("no-collusion")),
        (&shown, false)
    );
    let other = json(dir, &[verify.as_slice(), &["--client", "bob=another"]].concat(), 1);
    assert_eq!(text(&other, "/receipts/0/findings/0/code"), "contribution-mismatch");

    let seed = text(&revealed, "/server_seed");
    let by_hand = [
        "replay",
        "--server-seed",
        seed,
        "--contributions",
        "alice.open",
        "--contributions",
        "bob.open",
    ];
    let by_hand = json(
        dir,
        &[by_hand.as_slice(), &["--nonce", "0", "--draw", "5", "--commitment", &c]].concat(),
        0,
    );
    assert_eq!(by_hand["cards"], verdict["cards"]);
}

#[test]
fn opened_cards_verify_before_the_reveal_and_changed_ones_do_not() {
    let (dir, c) = ledger(&["--sealed"]);
    let dir = dir.path();
    json(dir, &["deal", &c, "--client", "alice=lucky"], 0);
    json(dir, &["open", &c, "0", "--place", "1", "5", "-o", "opening.json"], 0);
    json(dir, &["log-key", "-o", "log.key"], 0);
    let verdict = json(dir, &["verify", "opening.json", "--key", "log.key"], 0);
    assert_eq!(verdict["receipts"][0]["shown"], serde_json::json!(["logged", "opened"]));

    let mut opening: Value =
        serde_json::from_slice(&std::fs::read(dir.join("opening.json")).unwrap()).unwrap();
    let item = opening["opened"][0]["item"].as_u64().unwrap();
    opening["opened"][0]["item"] = (item ^ 1).into();
    std::fs::write(dir.join("changed.json"), opening.to_string()).unwrap();
    let verdict = json(dir, &["verify", "changed.json", "--key", "log.key"], 1);
    assert_eq!(text(&verdict, "/receipts/0/findings/0/code"), "opening-mismatch");
    assert_eq!(text(&verdict, "/receipts/0/findings/0/accuses"), "writer");
}

#[test]
fn a_reader_that_goes_away_is_no_error_and_a_full_disk_is() {
    let words = ["replay", "--server-seed", SEED, "--client", "a=b", "--nonce", "0", "--trace"];
    let run = |stdout: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(words).stdout(stdout).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut gone = run(Stdio::piped());
    drop(gone.stdout.take());
    let gone = gone.wait_with_output().unwrap();
    assert_eq!((gone.status.code(), gone.stderr.as_slice()), (Some(0), b"".as_slice()));

    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else { return };
    let full = run(full.into()).wait_with_output().unwrap();
    assert_eq!(full.status.code(), Some(3));
    assert!(full.stderr.starts_with(b"error: stdout: can't be written: "));
}

#[test]
fn who_cannot_be_told_is_told_that_it_is_done_all_the_same() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else { return };
    let (dir, c) = ledger(&[]);
    let mut deal = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    deal.args(["deal", &c, "--client", "alice=lucky"]).current_dir(dir.path());
    let told = deal.stdout(full).output().unwrap();
    assert_eq!(told.status.code(), Some(3));
    let says = String::from_utf8(told.stderr).unwrap();
    let show = format!("fairdeal show {c} 0 tells it");
    assert!(
        says.contains("It is done all the same: entry 1 is in the log.") && says.contains(&show),
        "{says}"
    );
    assert_eq!(json(dir.path(), &["show", &c, "0"], 0)["dealt"]["index"], 1);
}

#[test]
fn a_busy_ledger_ends_with_3_after_the_wait() {
    use sqlx::{Connection as _, Executor as _, SqliteConnection};
    let (dir, c) = ledger(&[]);
    let state = dir.path().join("fairdeal-ledger/private/state.sqlite");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut other =
            SqliteConnection::connect(&format!("sqlite://{}", state.display())).await.unwrap();
        other.execute("BEGIN IMMEDIATE").await.unwrap();
        error(dir.path(), &["deal", &c, "--client", "alice=lucky", "--wait", "0"], 3);
        other.execute("ROLLBACK").await.unwrap();
    });
    let dealt = json(dir.path(), &["deal", &c, "--client", "alice=lucky"], 0);
    assert_eq!((&dealt["nonce"], &dealt["index"]), (&0.into(), &1.into()));
}

#[test]
fn another_ledgers_signing_key_is_refused_with_3() {
    let (dir, c) = ledger(&[]);
    json(dir.path(), &["init", "other", "--origin", "cards.example/log"], 0);
    let key = |name: &str| dir.path().join(name).join("private/signing.key");
    std::fs::copy(key("other"), key("fairdeal-ledger")).unwrap();
    let says = error(dir.path(), &["deal", &c, "--client", "alice=lucky"], 3);
    assert!(says.contains("signing.key"), "{says}");
}

#[test]
fn a_wrong_server_seed_is_never_repeated() {
    let dir = TempDir::new().unwrap();
    let nearly = &SEED[1..];
    let says = error(
        dir.path(),
        &["replay", "--server-seed", nearly, "--client", "a=b", "--nonce", "0"],
        2,
    );
    assert!(!says.contains(nearly), "{says}");
}

#[test]
fn control_characters_are_spelled_out_in_errors() {
    let (dir, c) = ledger(&[]);
    for words in [
        ["void", c.as_str(), "0", "--reason", "a\u{1b}[31mb"].as_slice(),
        &["deal", &c, "--client", "a\u{7}=b"],
        &["deal", &c, "--client", "a=\u{9b}b"],
        &["commit", "--table", "a\nb"],
        &["verify", "no\u{1b}file", "--key", "cards.example+00000000+AAAA"],
    ] {
        let says = error(dir.path(), words, 2);
        assert!(!says.trim_end().contains(|c: char| c.is_control() && c != '\n'), "{says:?}");
    }
}

#[test]
fn every_command_has_help_with_examples() {
    let dir = TempDir::new().unwrap();
    let pages = json(dir.path(), &["man"], 0);
    for page in pages["pages"].as_array().unwrap().iter().skip(1) {
        let command = text(page, "/name").strip_prefix("fairdeal-").unwrap();
        let help = String::from_utf8(fairdeal(dir.path(), &[command, "--help"]).stdout).unwrap();
        assert!(help.contains("Examples:\n  fairdeal "), "{command}: {help}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = json(dir.path(), &["completions", shell], 0);
        assert!(text(&script, "/script").contains("contribution"), "{shell}");
    }
}

#[test]
fn an_audit_without_a_log_judges_the_public_part_of_the_ledger_that_the_environment_names() {
    let dir = TempDir::new().expect("a temporary folder");
    json(dir.path(), &["demo", "game"], 0);
    let audit = |ledger: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.current_dir(dir.path()).env("FAIRDEAL_LEDGER", ledger).env("NO_COLOR", "1");
        let output =
            command.args(["audit", "--key", "game/log.key"]).output().expect("fairdeal starts");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    let (code, says) = audit("game/ledger");
    assert_eq!((code, says.lines().next()), (Some(0), Some("game/ledger/public  holds")));
    assert_eq!(audit(""), (Some(2), String::new()));
    assert_eq!(audit("nowhere"), (Some(3), String::new()));
}

/// The page of a log at fault, as a folder and as one file: each command on it prints the entry
/// that it stands beside.
#[cfg(unix)]
#[test]
fn the_commands_on_an_audits_page_print_the_entry_and_its_leaf_hash() {
    let dir = TempDir::new().expect("a temporary folder");
    json(dir.path(), &["demo", "game"], 0);
    let folder = "game/cheats/skipped-round";
    json(dir.path(), &["export", folder, "-o", "one.export"], 0);
    for log in [folder, "one.export"] {
        json(dir.path(), &["audit", log, "--key", "game/log.key", "--html", "audit.html"], 1);
        let page = std::fs::read_to_string(dir.path().join("audit.html")).expect("the page");
        let details = page.split("<details").nth(1).expect("an entry");
        let code = |at: usize| {
            let part =
                details.split("<code>").nth(at).and_then(|rest| rest.split("</code>").next());
            let text = part
                .expect("a text")
                .replace("&quot;", "\"")
                .replace("&gt;", ">")
                .replace("&lt;", "<");
            text.replace("<bdi>", "").replace("</bdi>", "").replace("&amp;", "&")
        };
        let output =
            Command::new("sh").current_dir(dir.path()).args(["-c", &code(2)]).output().expect("sh");
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        let hash = printed.strip_prefix(&code(1)).unwrap_or_else(|| panic!("{log}: {printed}"));
        let hash = hash.split(' ').next().expect("a hash");
        assert!(hash.len() == 64 && details.contains(hash), "{log}: {hash}");
    }
}

/// Every option that takes a file, given one that holds a secret key.
#[test]
fn no_command_repeats_a_secret_key_that_it_is_given_in_place_of_another_file() {
    let (dir, commitment) = ledger(&[]);
    let round = format!("{commitment}:0");
    json(dir.path(), &["deal", &commitment, "--client", "alice=lucky"], 0);
    json(dir.path(), &["receipt", &commitment, "0", "-o", "round.json"], 0);
    json(dir.path(), &["log-key", "-o", "log.key"], 0);
    let ledger = dir.path().join("fairdeal-ledger/private");
    let read = |name: &str| {
        std::fs::read_to_string(ledger.join(name)).expect("a key").trim_end().to_owned()
    };
    let (signing, vault) = (read("signing.key"), read("vault.key"));
    // The base64 of the key may have plus signs of its own.
    let secrets = [signing.splitn(5, '+').nth(4).expect("a part"), vault.as_str()];
    for name in ["signing.key", "vault.key"] {
        let file = format!("fairdeal-ledger/private/{name}");
        let file = file.as_str();
        for words in [
            &["verify", "round.json", "--key", file][..],
            &["verify", file, "--key", "log.key"],
            &["verify", "round.json", "--key", "log.key", "--mine", file],
            &["verify", "round.json", "--key", "log.key", "--since", file],
            &["verify", "round.json", "--key", "log.key", "--list", file],
            &["audit", "fairdeal-ledger", "--key", file],
            &["audit", file, "--key", "log.key"],
            &["checkpoint", "fairdeal-ledger", "--key", file],
            &["checkpoint", file, "--key", "log.key"],
            &["checkpoint", "fairdeal-ledger", "--key", "log.key", "--since", file],
            &["export", "fairdeal-ledger", "--key", file, "-o", "log.export"],
            &["trust", "add", file],
            &["replay", file],
            &["check", "stake-crash", "--file", file],
            &["check", "fairdeal/v1", "--file", file],
            &["contribution", "alice", "--for", &round, "--sign", file, "--key", "log.key"],
            &["contribution", "alice", "--for", &round, "--seen", file, "--key", "log.key"],
            &["contribution", "alice", "--for", &round, "--sign", "alice.key", "--key", file],
        ] {
            let output = fairdeal(dir.path(), words);
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            let is_told = secrets.iter().any(|secret| said.contains(&secret[..12]));
            assert!(!is_told, "{words:?} repeats a secret");
        }
    }
}
