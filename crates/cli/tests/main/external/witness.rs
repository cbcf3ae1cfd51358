//! A witness beside somebody else's log, and on a disk that is full.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::go::go_program;
use crate::witness::{Log, Running, agent, ask, text_of, verify};

/// Makes a witness in a folder.
fn made(dir: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.args(["witness", "init", "w", "--name", "witness.example/w1"]).current_dir(dir);
    assert!(command.output().expect("it runs").status.success());
}

fn start(dir: &Path) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.args(["witness", "serve", "w", "--listen", "127.0.0.1:0", "--json"]).current_dir(dir);
    Running::of(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts"))
}

#[test]
fn a_log_of_go_s_own_packages_gets_cosignatures_that_go_s_note_opens() {
    let home = tempfile::tempdir().expect("a folder");
    let here = home.path();
    made(here);
    let program = go_program(here, "witness");
    let go = |words: &[&str]| {
        let output = Command::new(&program).args(words).output().expect("it was built");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        said
    };
    let keys = go(&["key", "go.example/log"]);
    let [signer, verifier] = keys.lines().collect::<Vec<_>>()[..] else { panic!("{keys}") };
    std::fs::write(here.join("w/logs"), verifier).expect("written");
    let witness = start(here);
    let key = witness.key.to_text();
    let sizes = ["1", "2", "3", "64", "65", "1000", "1000", "4097"];
    let said = go(&[&["run", &witness.url, signer, &key], &sizes[..]].concat());
    let (opened, times): (Vec<&str>, Vec<u64>) = said
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(size, time)| (size, time.parse::<u64>().expect("a time")))
        .unzip();
    assert_eq!(opened, sizes);
    assert!(times.is_sorted() && times[0] > 1_700_000_000, "{times:?}");
    // Go really checks: a key of another witness opens nothing.
    let other = fairdeal::log::WitnessSigner::from_seed("w".parse().expect("a name"), &[1; 32]);
    let words = ["run", &witness.url, signer, &other.key().to_text(), "4097"];
    assert!(!Command::new(&program).args(words).output().expect("built").status.success());
}

/// A disk of its own. What the process is told is run beside the witness.
const ON_A_SMALL_DISK: &str = r#"mount -t tmpfs -o size=1m,mode=700 tmpfs "$1" && cd "$1" || exit
"$0" witness init w --name witness.example/w1 >&2 && printf '%s\n' "$2" >w/logs || exit
exec 3<&0
(while read -r line <&3; do sh -c "$line" 2>/dev/null; done) &
exec "$0" witness serve w --listen 127.0.0.1:0 --json"#;

fn tell(child: &mut Child, line: &str) {
    let input = child.stdin.as_mut().expect("piped");
    writeln!(input, "{line}").and_then(|()| input.flush()).expect("it reads");
}

#[test]
fn on_a_full_disk_nothing_is_signed_and_nothing_is_lost() {
    const LAST: u64 = 3_000;
    let home = tempfile::tempdir().expect("a folder");
    let log = Log::new(1, LAST);
    let mut shell = Command::new("unshare");
    shell.args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_A_SMALL_DISK]);
    shell.arg(env!("CARGO_BIN_EXE_fairdeal")).arg(home.path());
    shell.arg(log.signer.verifier().to_text());
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut witness = Running::of(shell.spawn().expect("unshare is needed for this test"));
    let agent = agent();
    let mut old = 0;
    // Signs until it cannot, or so often. Returns how it ended.
    let mut sign = |witness: &Running, most: u32| {
        for _ in 0..most {
            let body = log.body(0, old, old + 1);
            let (status, kind, answer) = ask(&agent, &witness.url, &body).expect("an answer");
            match status {
                200 => {
                    verify(&witness.key, &answer, &text_of(&body));
                    old += 1;
                }
                503 => return false,
                _ => panic!("{status} {kind}: {answer}"),
            }
        }
        true
    };
    assert!(sign(&witness, 20));
    for _ in 0..3 {
        // Everything that is left; a second write takes what the first one's buffer left.
        tell(&mut witness.child, "cat /dev/zero >ballast; cat /dev/zero >more");
        let mut refused = 0;
        for _ in 0..400 {
            refused += u32::from(!sign(&witness, 1));
        }
        assert!(refused > 0, "the disk was never full");
        tell(&mut witness.child, "rm -f ballast more");
        let signs = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            sign(&witness, 1)
        });
        assert!(signs, "it never signed again");
        assert!(sign(&witness, 20));
    }
}

/// A witness whose system calls strace writes down, with a fault if one is given.
fn traced(dir: &Path, fault: &[&str]) -> Running {
    let mut strace = Command::new("strace");
    // The witness is our child, and strace follows it: what ends it ends strace.
    strace.args(["-D", "-f", "-y", "-s", "32", "-o", "trace"]);
    strace.args(["-e", "trace=pwrite64,fsync,fdatasync,sendto,write,writev"]).args(fault);
    strace.arg(env!("CARGO_BIN_EXE_fairdeal"));
    strace.args(["witness", "serve", "w", "--listen", "127.0.0.1:0", "--json"]).current_dir(dir);
    let child = strace.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    Running::of(child.expect("strace is needed for this test"))
}

/// What a power cut can take is what was not synced.
#[test]
fn no_answer_leaves_before_what_it_says_is_synced() {
    let home = tempfile::tempdir().expect("a folder");
    let log = Log::new(1, 40);
    made(home.path());
    std::fs::write(home.path().join("w/logs"), log.signer.verifier().to_text()).expect("written");
    let (witness, agent) = (traced(home.path(), &[]), agent());
    for old in 0..40 {
        let got = ask(&agent, &witness.url, &log.body(0, old, old + 1)).expect("an answer");
        assert_eq!(got.0, 200, "{got:?}");
    }
    drop((agent, witness));
    let trace = loop {
        let trace = std::fs::read_to_string(home.path().join("trace")).expect("the trace");
        if trace.contains("+++ killed by SIGKILL") {
            break trace;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let (mut is_synced, mut answers, mut syncing) = (false, 0, None);
    for line in trace.lines() {
        let thread = line.split(' ').next();
        let is_of_log = line.contains("state.sqlite3-wal");
        if is_of_log && line.contains("pwrite64(") {
            is_synced = false;
        } else if is_of_log && line.contains("sync(") {
            is_synced = line.ends_with(" = 0");
            syncing = thread.filter(|_| line.ends_with("<unfinished ...>"));
        } else if syncing.is_some() && syncing == thread && line.contains("sync resumed>") {
            (is_synced, syncing) = (line.ends_with(" = 0"), None);
        } else if line.contains("\"HTTP/1.1 200 ") {
            assert!(is_synced, "{line}\n{trace}");
            (is_synced, answers) = (false, answers + 1);
        }
    }
    assert_eq!(answers, 40);
}

#[test]
fn after_a_sync_that_failed_nothing_is_signed_until_another_process_has_read_the_disk() {
    let home = tempfile::tempdir().expect("a folder");
    let log = Log::new(1, 40);
    made(home.path());
    std::fs::write(home.path().join("w/logs"), log.signer.verifier().to_text()).expect("written");
    let fault = ["-e", "inject=fsync,fdatasync:error=EIO:when=10"];
    let (mut witness, agent) = (traced(home.path(), &fault), agent());
    let mut signed = 0;
    let refused = loop {
        let got = ask(&agent, &witness.url, &log.body(0, signed, signed + 1)).expect("an answer");
        if got.0 != 200 {
            break got;
        }
        signed += 1;
    };
    assert_eq!((refused.0, refused.2.as_str()), (503, "the witness is not available\n"));
    assert!((1..30).contains(&signed), "{signed}");
    drop(agent);
    let ended = witness.child.wait().expect("it ends");
    assert_eq!(ended.code(), Some(3));
    let (witness, agent) = (start(home.path()), crate::witness::agent());
    let (status, _, last) = ask(&agent, &witness.url, &log.body(0, 40, 40)).expect("an answer");
    assert_eq!(status, 409);
    let last: u64 = last.trim_end().parse().expect("a size");
    // The transaction that failed may be there or not; what left is.
    assert!([signed, signed + 1].contains(&last), "{last} {signed}");
    let got = ask(&agent, &witness.url, &log.body(0, last, last + 1)).expect("an answer");
    assert_eq!(got.0, 200, "{got:?}");
}
