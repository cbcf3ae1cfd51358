//! spec/schema is true: every command is run with `--json`, where it answers and where it fails,
//! and Debian's own validator holds what it prints against its schema.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use super::readme::fairdeal_first;

/// The commands, in order, in one folder: `$C` is the commitment of the table "main". Each line has
/// its exit code.
const STORY: &str = "\
0 init casino --origin cards.example/log
0 log-key
0 log-key -o log.key
2 log-key -o log.key
0 list
0 commit --table main --sealed --mixing hashes --layout hand=2,board=3+1+1,burn --rounds 3 --draw 14 --rules log.key
1 commit --table main
2 commit --table other --draw 53
0 show $C
0 contribution alice
2 contribution alice --for $C:0 -o alice.json
0 contribution alice --for $C:0 --key log.key -o alice.json
0 contribution alice --for $C:1 --sign alice.key --key log.key
3 contribution alice --for $C:1 --seen nowhere --key log.key
2 lock $C --contributions alice.json --seats alice
0 lock $C --contributions alice.give.json --seats alice
0 show $C 0
0 rounds $C
2 deal $C --client alice=other
0 deal $C --contributions alice.json
0 show $C 0
0 open $C 0 --place 1 2
0 open $C 0 --place 1 2 -o alice-cards.json
2 open $C 0 --place 99
0 receipt $C 0 -o sealed.json
0 verify alice-cards.json --key log.key --seat alice
0 verify sealed.json --key log.key
1 void $C 1 --reason why --blame carl
0 void $C 1 --reason why
2 reveal $C --next
0 reveal $C --next --force
1 reveal $C
0 show $C
0 show $C 0
0 list
0 list --due
0 receipt $C 0 -o receipt.json
0 receipt $C
2 receipt $C 2
0 verify receipt.json --key log.key
0 verify receipt.json alice-cards.json --key log.key --mine alice.json
0 verify evidence.json --key evidence.key
0 raffle verify raffle.json --list raffle.txt --key raffle.key --line anna
0 raffle hash raffle.txt --page https://club.example/raffle -o hashed.txt --links links.txt
2 raffle hash raffle.txt --page https://club.example/raffle -o hashed.txt --links more.txt
3 raffle verify raffle.txt --list raffle.txt --key raffle.key
0 commit --table plain --draw 5 --rounds 2
0 deal --table plain --client alice=lucky --client bob=seven --seats bob,alice
2 deal 000000 --client alice=lucky
1 deal --table plain --client alice=lucky --nonce 7
0 rounds --table plain --most 1
0 void --table main --reason closed
2 void --table main --reason closed
0 commit --table wheel --draw 5 --mixing beacon
0 show --table wheel
0 lock --table wheel
0 show --table wheel 0
0 rounds --table wheel
3 deal --table wheel
0 checkpoint casino --key log.key -o saved.note
0 checkpoint casino --key log.key --since saved.note
3 checkpoint nowhere --key log.key
0 audit casino --key log.key
0 monitor casino --key log.key --state watch --once
3 monitor nowhere --state watch --once
0 export casino -o log.export
3 export nowhere -o other.export
0 generate --deals 2000 -o sample
2 generate --deals 2000 -o sample
0 audit sample --key sample/log.key
1 audit sample --key log.key
0 stats sample
0 stats sample --after 1000
0 audit sample --key sample/log.key --html page.html
0 stats casino
0 lab
0 lab swap-any --items 3
0 lab modulo-8 --items 52 --decks 100
0 fsck casino
0 republish casino --against saved.note
0 backup saved --with-keys --ledger casino
2 backup saved --ledger casino
0 restore saved again --against saved/checkpoint
3 restore nowhere third --against saved/checkpoint
0 rekey again
3 rekey again --vault-key-command false
3 fsck sample
0 replay --server-seed abababababababababababababababababababababababababababababababab --client alice=lucky --nonce 0
0 replay --server-seed abababababababababababababababababababababababababababababababab --client alice=lucky --nonce 0 --draw 3 --sealed --trace
1 replay --server-seed abababababababababababababababababababababababababababababababab --client alice=lucky --nonce 0 --commitment cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd
0 demo game
1 verify game/cheats/changed-card.json --key game/log.key
1 checkpoint game/cheats/forked-log --key game/log.key --since game/saved.note
1 audit game/cheats/skipped-round --key game/log.key
3 verify nowhere.json --key log.key
0 trust list
0 trust add log.key --from the-notice-board
2 trust add log.key
0 trust list
0 verify receipt.json
1 verify receipt.json nowhere.json --key game/log.key
3 verify receipt.json nowhere.json
0 replay receipt.json --trace
0 trust remove cards.example/log
2 trust remove cards.example/log
2 verify receipt.json
0 check --list
0 check stake-crash --limits
0 check stake-crash --server-seed 6c6a9d9ee8d1d9a6d5e9fc4e1d6bd28e5a2f3d5d0a3bd0b5bfb1f6ea0d5a9d7e --client-seed 0000000000000000001b34dc6a1e86083f95500b096231436e9b25cbdd0075c4
2 check no-such-scheme
0 token add op --open --tables bench-
0 token list
0 token revoke op
2 token revoke op
0 token list
3 serve nowhere
0 serve
0 play
2 play --listen 0.0.0.0:0
0 witness init w --name witness.example/w1
2 witness init w --name witness.example/w1
0 witness key w --public-url https://witness.example/w1
0 witness evidence w
0 witness serve w
3 witness serve nowhere
0 web export pages
3 web export log.key
0 state copy casino moved
3 state copy casino elsewhere
2 state copy moved casino
3 state copy nowhere moved
0 completions bash
0 man verify
0 man -o pages
2 man shuffle
2 shuffle
2 commit
";

const VALIDATE: &str = r#"
import json, sys, pathlib, jsonschema
folder = pathlib.Path(sys.argv[1])
schemas = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
for schema in schemas.values():
    jsonschema.Draft202012Validator.check_schema(schema)
for line in sys.stdin:
    said = json.loads(line)
    name, answer = said["schema"], said["answer"]
    errors = jsonschema.Draft202012Validator(schemas[name]).iter_errors(answer)
    for error in errors:
        deeper = [f"{list(one.absolute_path)}: {one.message[:300]}" for one in error.context or []]
        print(f"{said['line']}: {name}: {list(error.absolute_path)}: {error.message[:300]} {deeper}")
"#;

fn fairdeal(folder: &Path, words: &[String]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(words)
        .arg("--json")
        .current_dir(folder)
        .env("PATH", fairdeal_first())
        .env("FAIRDEAL_LEDGER", "casino")
        .env("FAIRDEAL_TRUST", "known-logs")
        .output()
        .expect("our own binary");
    (
        output.status.code().expect("it ends by itself"),
        String::from_utf8(output.stdout).expect("text"),
    )
}

/// The first line of a command that listens.
fn served(folder: &Path, line: &str) -> serde_json::Value {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let ledger = if line == "serve" { " casino" } else { "" };
    let mut service = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(words(&format!("{line}{ledger} --listen 127.0.0.1:0 --json")))
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("our own binary");
    let mut first = String::new();
    BufReader::new(service.stdout.take().expect("piped")).read_line(&mut first).expect("a line");
    let listening: serde_json::Value = serde_json::from_str(&first).expect("an object");
    let stopped = Command::new("kill").arg(service.id().to_string()).status().expect("kill");
    assert!(
        stopped.success() && service.wait().expect("it ends").success(),
        "SIGTERM ends it with 0"
    );
    listening
}

#[test]
fn every_command_answers_as_its_schema_says() {
    let folder = tempfile::tempdir().expect("a folder");
    for (from, to) in [("evidence.json", "evidence.json"), ("log.key", "evidence.key")] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/evidence.in").join(from);
        std::fs::copy(from, folder.path().join(to)).expect("it is there");
    }
    for (from, to) in
        [("document.json", "raffle.json"), ("list.txt", "raffle.txt"), ("log.key", "raffle.key")]
    {
        let from = tools::root().join("fixtures/raffles/drawn").join(from);
        std::fs::copy(from, folder.path().join(to)).expect("it is there");
    }
    let mut answers = Vec::new();
    let mut commitment = String::new();
    let (mut answered, mut failed) = (BTreeSet::new(), BTreeSet::new());
    for line in STORY.lines() {
        let (expected, line) = line.split_once(' ').expect("an exit code first");
        let words: Vec<String> =
            line.split(' ').map(|word| word.replace("$C", &commitment)).collect();
        if ["serve", "play", "witness serve w"].contains(&line) {
            let answer = served(folder.path(), line);
            let schema = words[0].as_str();
            answers.push(
                serde_json::json!({"line": line, "schema": schema, "answer": answer}).to_string(),
            );
            answered.insert(schema.to_owned());
            continue;
        }
        let (exit, said) = fairdeal(folder.path(), &words);
        assert_eq!(exit.to_string(), expected, "{line}: {said}");
        let answer: serde_json::Value =
            serde_json::from_str(&said).unwrap_or_else(|e| panic!("{line}: {e}: {said:?}"));
        if line.starts_with("commit --table main --sealed") {
            commitment = answer["commitment"].as_str().expect("a text").to_owned();
        }
        let is_error = answer.get("error").is_some();
        assert!(!is_error || exit > 0, "{line}: an error ends with an exit code");
        let schema = if is_error { "error" } else { words[0].as_str() };
        (if is_error { &mut failed } else { &mut answered }).insert(words[0].clone());
        answers.push(
            serde_json::json!({"line": line, "schema": schema, "answer": answer}).to_string(),
        );
    }
    let pages = fairdeal(folder.path(), &["man".to_owned()]).1;
    let pages: serde_json::Value = serde_json::from_str(&pages).expect("the manual");
    for page in pages["pages"].as_array().expect("the pages") {
        let name = page["name"].as_str().expect("a name");
        if let Some(command) = name.strip_prefix("fairdeal-") {
            assert!(answered.contains(command), "{command} is not among those that answer here");
        }
    }
    assert!(failed.len() > 12, "{failed:?}");
    let schemas = tools::root().join("spec/schema");
    let mut python = Command::new("python3")
        .arg("-c")
        .arg(VALIDATE)
        .arg(&schemas)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed for this test");
    let mut input = python.stdin.take().expect("piped");
    for answer in &answers {
        writeln!(input, "{answer}").expect("it reads");
    }
    drop(input);
    let output = python.wait_with_output().expect("it ends");
    let wrong = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "python3-jsonschema is needed for this test");
    assert_eq!(wrong, "", "{wrong}");
}
