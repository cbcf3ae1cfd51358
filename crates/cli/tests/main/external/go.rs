//! The published log, read by somebody else's client from a plain static file server and from the
//! service: Go's `note` opens the checkpoint, Go's `tlog` checks every record and every older tree.
//! Go also checks tlog-proofs and cosignatures.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use fairdeal::log::{EntryBundle, TlogProof};
use serde_json::Value;
use tools::paper::{PaperLog, cosigned, witness};

/// A process that is killed when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn fairdeal(folder: &Path, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(arguments)
        .arg("--json")
        .env("FAIRDEAL_LEDGER", folder.join("ledger"))
        .current_dir(folder)
        .output()
        .expect("our own binary");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Starts a server, and returns the first line that it prints.
fn start(server: &mut Command) -> (Running, String) {
    let server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut server = server.expect("it is needed for this test");
    let mut line = String::new();
    let stdout = server.stdout.take().expect("piped");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    (Running(server), line)
}

/// Serves a folder on loopback, on a port that the system chooses.
fn serve(folder: &Path) -> (Running, String) {
    let mut server = Command::new("python3");
    server.args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory"]).arg(folder);
    let (server, line) = start(&mut server);
    let port = line.split("port ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a port");
    (server, format!("http://127.0.0.1:{port}"))
}

/// Starts the service of a ledger.
fn service(ledger: &Path) -> (Running, String) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    server.arg("serve").arg(ledger).args(["--listen", "127.0.0.1:0"]);
    let (server, line) = start(&mut server);
    let base = line.trim_end().strip_prefix("listening on ").expect("its address").to_owned();
    (server, base)
}

/// Builds a program of `tests/go`, once in a folder.
pub(super) fn go_program(folder: &Path, name: &str) -> PathBuf {
    let program = folder.join(name);
    if !program.exists() {
        let built = Command::new("go")
            .args(["build", "-o"])
            .arg(&program)
            .arg(tools::root().join(format!("tests/go/{name}.go")))
            .env("GO111MODULE", "off")
            .env("GOPATH", "/usr/share/gocode")
            .output()
            .expect("go is needed for this test");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    }
    program
}

fn go_client(folder: &Path, base: &str, key: &str) -> Output {
    let client = go_program(folder, "client");
    Command::new(client).args([base, key]).output().expect("the client was built")
}

#[test]
fn go_checks_a_tlog_proof_of_any_entry_and_the_cosignatures_under_its_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let key = fairdeal(here, &["init", "ledger", "--origin", "cards.example/log"])["key"].clone();
    let key = key.as_str().expect("text");
    let committed = fairdeal(here, &["commit", "--table", "table 1", "--draw", "5"]);
    let commitment = committed["commitment"].as_str().expect("text");
    for round in 0..5 {
        fairdeal(here, &["deal", commitment, "--client", &format!("alice=lucky {round}")]);
    }
    let bundle = std::fs::read(here.join("ledger/public/tile/entries/000.p/6")).expect("a bundle");
    let entries = EntryBundle::parse(&bundle, 6).expect("a bundle");
    let check = |proof: &str, entry: &[u8], keys: &[&str]| {
        std::fs::write(here.join("entry"), entry).expect("writable");
        let program = go_program(here, "proof");
        let output = Command::new(program)
            .args([proof, "entry"])
            .args(keys)
            .current_dir(here)
            .output()
            .expect("it was built");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    for (index, entry) in entries.entries().iter().enumerate() {
        let file = format!("{index}.tlog-proof");
        let index = index.to_string();
        fairdeal(here, &["receipt", "--tlog-proof", &index, "-o", &file]);
        let said = check(&file, entry, &[key]);
        assert_eq!(said, Some(format!("entry {index} of 6, 1 signatures\n")));
        assert_eq!(check(&file, b"another entry", &[key]), None);
    }
    // The same under the note of a log whose witnesses have signed.
    let mut log = PaperLog::new("cards.example/log", 7);
    for entry in 0..9_u8 {
        log.append_bytes(&[entry]);
    }
    let checkpoint = log.cosigned_checkpoint(&[(1, 1_760_000_000), (2, 0), (3, u64::MAX >> 1)]);
    let proof = TlogProof { extra: None, index: 4, proof: log.proof(4), checkpoint };
    std::fs::write(here.join("cosigned"), proof.to_text()).expect("writable");
    let witnesses = [1, 2, 3].map(|number| witness(number).key().to_text());
    let key = log.key().to_text();
    let keys: Vec<&str> = [&key].into_iter().chain(&witnesses).map(String::as_str).collect();
    assert_eq!(check("cosigned", &[4], &keys), Some("entry 4 of 9, 4 signatures\n".to_owned()));
    // A line of a witness that does not verify: Go refuses the note too.
    let wrong = cosigned(1, "another text\n", 1_760_000_000).to_text();
    let checkpoint = format!("{}{wrong}\n", log.cosigned_checkpoint(&[(2, 1)]));
    let forged = TlogProof { checkpoint, ..proof }.to_text();
    std::fs::write(here.join("forged"), forged).expect("writable");
    assert_eq!(check("forged", &[4], &keys), None);
}

#[test]
fn a_stock_client_reads_the_published_log_over_http_and_every_record_and_tree_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let key = fairdeal(here, &["init", "ledger", "--origin", "cards.example/log"])["key"]
        .as_str()
        .expect("text")
        .to_owned();
    let committed = fairdeal(here, &["commit", "--table", "table 1", "--draw", "5"]);
    let commitment = committed["commitment"].as_str().expect("text");
    for round in 0..300 {
        fairdeal(here, &["deal", commitment, "--client", &format!("alice=lucky {round}")]);
    }
    fairdeal(here, &["reveal", commitment]);
    let public = here.join("ledger/public");
    let (_server, base) = serve(&public);
    let (_service, live) = service(&here.join("ledger"));
    for base in [&base, &live] {
        let output = go_client(here, base, &key);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(said.trim(), "cards.example/log: 302 records and 302 trees hold");
    }

    // The client really checks: it refuses another key, and one changed byte.
    let other = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    assert!(!go_client(here, &base, other).status.success());
    let bundle = public.join("tile/entries/000");
    let mut bytes = std::fs::read(&bundle).expect("a full bundle");
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    std::fs::write(&bundle, bytes).expect("writable");
    for base in [&base, &live] {
        assert!(!go_client(here, base, &key).status.success());
    }
}
