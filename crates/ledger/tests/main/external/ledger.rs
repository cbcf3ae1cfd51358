//! A ledger that is killed, or fails: at a named point in the code, in a system call, by SIGKILL,
//! by a full disk.
//!
//! The child process is this test program again, running [`child`]. The parent judges only by what
//! the child printed and what is published.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "in a test, a panic is a failure with a place; a child prints what it was told"
)]

mod syncs;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use fairdeal::deal::Commitment;
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::Entry;
use fairdeal_ledger::{
    Done, ErrorKind, FAULT_POINTS, Ledger, LedgerError, LedgerOptions, NewReveal,
};

use crate::ledger_support::*;

const SIGKILL: i32 = 9;

/// The task of a child.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// One deal, under the idempotency key "once".
    Once,
    /// Deals in four lanes until it is killed.
    Load,
    /// Fifty deals, one after the other.
    Fifty,
    /// A new ledger.
    Init,
    /// Deals until the disk is full, then makes room.
    FullDisk,
}

impl Part {
    const ALL: [Self; 5] = [Self::Once, Self::Load, Self::Fifty, Self::Init, Self::FullDisk];
}

/// The child's command line, to put after the command that makes it fail.
fn child_args() -> Vec<String> {
    let exe = std::env::current_exe().unwrap();
    let args =
        ["--exact", "external::ledger::child", "--ignored", "--nocapture", "--test-threads=1"];
    std::iter::once(exe.display().to_string()).chain(args.map(str::to_owned)).collect()
}

fn spawn(
    before: &[&str],
    part: Part,
    dir: &Path,
    c: Option<Commitment>,
    env: &[(&str, &str)],
) -> Child {
    let mut args: Vec<String> = before.iter().map(|arg| (*arg).to_owned()).collect();
    args.extend(child_args());
    Command::new(&args[0])
        .args(&args[1..])
        .env("FAIRDEAL_CHILD", format!("{part:?}"))
        .env("FAIRDEAL_DIR", dir)
        .env("FAIRDEAL_COMMITMENT", c.map(|c| c.to_text()).unwrap_or_default())
        .envs(env.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{}: {e}", args[0]))
}

/// A deal that was acknowledged to a child: its index, its round, its cards.
type Told = (u64, u64, String);

struct Ended {
    status: ExitStatus,
    told: Vec<Told>,
    errors: Vec<String>,
    output: String,
}

fn wait(mut child: Child) -> Ended {
    let mut output = String::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        output.push_str(&line.unwrap());
        output.push('\n');
    }
    child.stderr.take().unwrap().read_to_string(&mut output).unwrap();
    let told = output.lines().filter_map(|line| {
        // A line that the kill cut off was not acknowledged.
        let line = line.strip_prefix("told ")?.strip_suffix(" end")?;
        let mut words = line.split(' ');
        Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?, words.next()?.to_owned()))
    });
    let errors = output.lines().filter_map(|line| line.strip_prefix("error ").map(str::to_owned));
    let (told, errors) = (told.collect(), errors.collect());
    Ended { status: child.wait().unwrap(), told, errors, output }
}

fn tell(done: &Done) {
    let nonce = done.nonce.unwrap().value();
    println!("told {} {nonce} {} end", done.index, cards(done));
    std::io::stdout().flush().unwrap();
}

#[test]
#[ignore = "this is the child that the other tests run"]
fn child() {
    let Ok(name) = std::env::var("FAIRDEAL_CHILD") else { return };
    let part = Part::ALL.into_iter().find(|part| format!("{part:?}") == name).unwrap();
    let dir = std::env::var("FAIRDEAL_DIR").unwrap();
    let c = Commitment::parse(&std::env::var("FAIRDEAL_COMMITMENT").unwrap()).ok();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    // The test harness has begun a line.
    println!();
    runtime.block_on(async {
        let dir = Path::new(&dir);
        match (part, c) {
            (Part::Init, _) => drop(Ledger::init(dir, &origin()).await.unwrap()),
            (Part::FullDisk, _) => full_disk(dir).await,
            (Part::Once, Some(c)) => match once(dir, c).await {
                Ok(done) => tell(&done),
                Err(error) => println!("error {error}"),
            },
            (Part::Fifty, Some(c)) => fifty(dir, c).await,
            (Part::Load, Some(c)) => load(dir, c).await,
            (part, None) => panic!("{part:?} needs a commitment"),
        }
    });
}

async fn once(dir: &Path, c: Commitment) -> Result<Done, LedgerError> {
    let ledger = Ledger::open(dir, options()).await?;
    let done = ledger.deal(c, round("once"), key("once")).await;
    drop(ledger.close().await);
    done
}

async fn fifty(dir: &Path, c: Commitment) {
    let ledger = Ledger::open(dir, LedgerOptions { wait: Duration::from_secs(30), ..options() })
        .await
        .unwrap();
    for n in 0..50 {
        tell(&ledger.deal(c, round(&format!("{n}")), None).await.unwrap());
    }
    ledger.close().await.unwrap();
}

async fn load(dir: &Path, c: Commitment) {
    let ledger = Ledger::open(dir, options()).await.unwrap();
    let lanes = (0..4).map(|lane| {
        let ledger = ledger.clone();
        tokio::spawn(async move {
            for n in 0_u64.. {
                tell(&ledger.deal(c, round(&format!("{lane}/{n}")), None).await.unwrap());
            }
        })
    });
    futures::future::join_all(lanes).await;
}

/// Every acknowledged deal is in the published log, with the acknowledged cards.
fn assert_logged(audit: &Audit, told: &[Told]) {
    assert_eq!(audit.findings, []);
    for (index, nonce, cards) in told {
        let place = usize::try_from(*index).unwrap();
        let Some(Entry::Deal(deal)) = audit.entries.get(place) else {
            panic!("entry {index} was told of, and is not in the log of {}", audit.size)
        };
        assert_eq!(
            (deal.nonce.value(), deal.result.cards.as_ref().unwrap().as_str()),
            (*nonce, cards.as_str())
        );
    }
}

async fn prepared(entries: usize) -> (Home, Commitment) {
    let home = Home::new().await;
    let ledger = home.open().await;
    let many = with(terms("main"), |t| t.rounds = int(1_000_000));
    let c = ledger.commit(many, None).await.unwrap().commitment;
    let deals = (1..entries).map(|n| {
        let ledger = ledger.clone();
        async move { ledger.deal(c, round(&format!("{n}")), None).await }
    });
    futures::future::try_join_all(deals).await.unwrap();
    ledger.close().await.unwrap();
    (home, c)
}

/// After a child that tried one deal: the deal is there once or not at all, and a retry gives the
/// same one.
async fn assert_once(
    dir: &Path,
    vkey: &VerifierKey,
    c: Commitment,
    before: u64,
    ended: &Ended,
    case: &str,
) {
    // As the child left it: complete, with all acknowledged deals.
    assert_logged(&Audit::of(&dir.join("public"), vkey), &ended.told);
    let ledger = Ledger::open(dir, options()).await.unwrap_or_else(|e| panic!("{case}: {e}"));
    let audit = Audit::of(&dir.join("public"), vkey);
    assert_logged(&audit, &ended.told);
    let done = audit.size - before;
    assert!(done <= 1 && (ended.told.is_empty() || done == 1), "{case}: {done} deals");
    let again =
        ledger.deal(c, round("once"), key("once")).await.unwrap_or_else(|e| panic!("{case}: {e}"));
    assert_eq!(again.repeated, done == 1, "{case}");
    if let Some((index, _, told)) = ended.told.first() {
        assert_eq!((again.index, &cards(&again)), (*index, told), "{case}");
    }
    ledger.reveal(c, NewReveal::default(), None).await.unwrap_or_else(|e| panic!("{case}: {e}"));
    assert_eq!(Audit::of(&dir.join("public"), vkey).findings, [], "{case}: every deal replays");
    ledger.close().await.unwrap();
}

fn copied(home: &Home) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy(home.path(), dir.path());
    dir
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_named_point_of_a_deal_nothing_is_lost_and_nothing_is_dealt_twice() {
    // The last entry of a bundle, so that reading back and dropping run too.
    let (home, c) = prepared(255).await;
    for point in FAULT_POINTS {
        for nth in 1..=2 {
            let dir = copied(&home);
            let fault = format!("{point}:{nth}");
            let ended =
                wait(spawn(&[], Part::Once, dir.path(), Some(c), &[("FAIRDEAL_FAULT", &fault)]));
            if nth == 1 {
                assert_eq!(
                    ended.status.signal(),
                    Some(SIGKILL),
                    "{point} is passed: {}",
                    ended.output
                );
            }
            assert_once(dir.path(), &home.key, c, 255, &ended, &fault).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_system_call_that_writes_nothing_is_lost_and_nothing_is_dealt_twice() {
    let (home, c) = prepared(3).await;
    let mut kills = 0;
    for call in
        ["pwrite64", "write", "fsync", "rename", "renameat2", "unlink", "ftruncate", "flock"]
    {
        for nth in 1.. {
            let dir = copied(&home);
            let (trace, inject) =
                (format!("trace={call}"), format!("inject={call}:signal=SIGKILL:when={nth}"));
            let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject];
            let ended = wait(spawn(&strace, Part::Once, dir.path(), Some(c), &[]));
            assert_once(dir.path(), &home.key, c, 3, &ended, &inject).await;
            if ended.status.success() {
                break;
            }
            kills += 1;
            assert!(nth < 200, "{inject}: {}", ended.output);
        }
    }
    assert!(kills > 20, "{kills} kills");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_system_call_that_fails_is_told_and_the_next_process_goes_on() {
    let (home, c) = prepared(3).await;
    let mut failed = BTreeSet::new();
    for (call, error) in [
        ("fsync", "EIO"),
        ("pwrite64", "EIO"),
        ("pwrite64", "ENOSPC"),
        ("rename", "EROFS"),
        ("renameat2", "EACCES"),
    ] {
        for nth in 1..=24 {
            let dir = copied(&home);
            let (trace, inject) =
                (format!("trace={call}"), format!("inject={call}:error={error}:when={nth}"));
            let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject];
            let ended = wait(spawn(&strace, Part::Once, dir.path(), Some(c), &[]));
            assert!(ended.status.success(), "{inject}: {}", ended.output);
            assert_eq!(ended.told.len() + ended.errors.len(), 1, "{inject}: {}", ended.output);
            assert_once(dir.path(), &home.key, c, 3, &ended, &inject).await;
            failed.extend((!ended.errors.is_empty()).then_some(call));
        }
    }
    for call in ["fsync", "pwrite64", "rename", "renameat2"] {
        assert!(failed.contains(call), "{call} is made, and its failure is told");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lack_of_space_that_passes_while_a_deal_is_published_fails_nobody() {
    let (home, c) = prepared(3).await;
    for call in ["renameat2", "rename"] {
        let dir = copied(&home);
        let trace = tempfile::NamedTempFile::new().unwrap();
        let inject = format!("inject={call}:error=ENOSPC:when=1");
        let to = trace.path().display().to_string();
        let strace =
            ["strace", "-f", "-qq", "-o", &to, "-e", &format!("trace={call}"), "-e", &inject];
        let ended = wait(spawn(&strace, Part::Once, dir.path(), Some(c), &[]));
        assert!(fs::read_to_string(trace.path()).unwrap().contains("INJECTED"), "{call} is made");
        assert_eq!((ended.told.len(), ended.errors.len()), (1, 0), "{inject}: {}", ended.output);
        assert_once(dir.path(), &home.key, c, 3, &ended, &inject).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_under_load_again_and_again_no_acknowledged_deal_is_lost() {
    let (home, c) = prepared(1).await;
    let mut told: Vec<Told> = Vec::new();
    for n in 0..12 {
        let mut child = spawn(&[], Part::Load, home.path(), Some(c), &[]);
        tokio::time::sleep(Duration::from_millis(150 + 37 * n)).await;
        child.kill().unwrap();
        let ended = wait(child);
        assert_eq!(ended.status.signal(), Some(SIGKILL), "{}", ended.output);
        told.extend(ended.told);
        // The checker sees only what is published, after the kill and after recovery.
        assert_logged(&home.audit(), &told);
        home.open().await.close().await.unwrap();
        assert_logged(&home.audit(), &told);
    }
    assert!(told.len() > 100, "{} deals in all", told.len());
    let ledger = home.open().await;
    assert_eq!(ledger.check_tiles().await.unwrap(), []);
    ledger.reveal(c, NewReveal::default(), None).await.unwrap();
    assert_eq!(home.audit().findings, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_on_one_ledger_make_one_order_and_no_nonce_twice() {
    let (home, c) = prepared(1).await;
    let children = [0, 1, 2].map(|_| spawn(&[], Part::Fifty, home.path(), Some(c), &[]));
    let mut told = Vec::new();
    for child in children {
        let ended = wait(child);
        assert!(ended.status.success(), "{}", ended.output);
        told.extend(ended.told);
    }
    let nonces: BTreeSet<u64> = told.iter().map(|(_, nonce, _)| *nonce).collect();
    assert_eq!((told.len(), nonces), (150, (0..150).collect()));
    assert_logged(&home.audit(), &told);
    assert_eq!(home.audit().size, 151);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_processes_may_be_killed_and_the_other_goes_on() {
    let (home, c) = prepared(1).await;
    let steady = spawn(&[], Part::Fifty, home.path(), Some(c), &[]);
    let mut told = Vec::new();
    for _ in 0..3 {
        let mut killed = spawn(&[], Part::Load, home.path(), Some(c), &[]);
        tokio::time::sleep(Duration::from_millis(150)).await;
        killed.kill().unwrap();
        told.extend(wait(killed).told);
    }
    let steady = wait(steady);
    assert!(steady.status.success(), "{}", steady.output);
    told.extend(steady.told);
    home.open().await.close().await.unwrap();
    assert_logged(&home.audit(), &told);
}

/// Runs the child in a namespace of its own, in which any user may call `mount`.
fn mounted(script: &str) -> Vec<String> {
    let script = format!("{script} && exec \"$@\"");
    ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"]
        .map(str::to_owned)
        .to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_the_error_is_clear_and_the_ledger_goes_on_when_space_returns() {
    let dir = tempfile::tempdir().unwrap();
    let before = mounted("mount -t tmpfs -o size=9000k,mode=700 tmpfs \"$FAIRDEAL_DIR\"");
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    let ended = wait(spawn(&before, Part::FullDisk, dir.path(), None, &[]));
    assert!(ended.status.success(), "{}", ended.output);
    assert!(ended.output.contains("went on"), "{}", ended.output);
}

async fn full_disk(mount: &Path) {
    let dir = mount.join("ledger");
    let ballast = mount.join("ballast");
    fs::write(&ballast, vec![1; 5_000_000]).unwrap();
    let vkey = Ledger::init(&dir, &origin()).await.unwrap();
    let impatient = LedgerOptions { publish_wait: Duration::from_secs(1), ..options() };
    let mut ledger = Ledger::open(&dir, impatient).await.unwrap();
    let c = commit(&ledger).await;
    let mut told = 0_u64;
    let error = loop {
        match ledger.deal(c, round(&"x".repeat(250)), key(&format!("{told}"))).await {
            Ok(done) => told = done.index,
            Err(error) => break error,
        }
    };
    println!("error {error}");
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    let says = error.to_string().to_lowercase();
    assert!(says.contains("full") || says.contains("no space"), "{error}");
    let audit = Audit::of(&dir.join("public"), &vkey);
    assert!(audit.size > told, "what was told of is published");
    fs::remove_file(&ballast).unwrap();
    let again = ledger.deal(c, round(&"x".repeat(250)), key(&format!("{told}"))).await.unwrap();
    assert_eq!(again.index, told + 1);
    for n in 0..20 {
        ledger.deal(c, round(&format!("{n}")), None).await.unwrap();
    }
    ledger.reveal(c, NewReveal::default(), None).await.unwrap();
    ledger.close().await.unwrap();
    ledger = Ledger::open(&dir, options()).await.unwrap();
    let audit = Audit::of(&dir.join("public"), &vkey);
    assert_eq!((audit.findings.as_slice(), audit.size), ([].as_slice(), told + 23));
    ledger.close().await.unwrap();
    println!("went on");
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_read_only_file_system_nothing_is_dealt_and_the_error_names_the_file() {
    let (home, c) = prepared(3).await;
    let before = mounted(
        "mount --bind \"$FAIRDEAL_DIR\" \"$FAIRDEAL_DIR\" && mount -o remount,bind,ro \"$FAIRDEAL_DIR\"",
    );
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    let ended = wait(spawn(&before, Part::Once, home.path(), Some(c), &[]));
    assert!(ended.told.is_empty(), "{}", ended.output);
    let [error] = ended.errors.as_slice() else { panic!("{}", ended.output) };
    assert!(error.contains("private/"), "{error}");
    assert_once(home.path(), &home.key, c, 3, &ended, "read-only").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_permission_to_publish_the_deal_waits_and_comes_out_the_same() {
    let (home, c) = prepared(3).await;
    let folders = ["public", "public/tile/entries/000.p"].map(|path| home.path().join(path));
    let set = |mode| {
        for folder in &folders {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set(0o500);
    // In a user namespace without a root, permissions hold for everybody.
    let ended = wait(spawn(&["unshare", "--user"], Part::Once, home.path(), Some(c), &[]));
    set(0o755);
    assert!(ended.told.is_empty(), "{}", ended.output);
    let [error] = ended.errors.as_slice() else { panic!("{}", ended.output) };
    assert!(error.contains("Permission denied") && error.contains("tile/"), "{error}");
    let ended = Ended { told: Vec::new(), ..ended };
    assert_once(home.path(), &home.key, c, 3, &ended, "permission denied").await;
}

#[test]
fn private_files_are_made_for_their_owner_alone_from_the_first_byte() {
    let (dir, trace) = (tempfile::tempdir().unwrap(), tempfile::NamedTempFile::new().unwrap());
    let out = trace.path().display().to_string();
    let calls = "trace=open,openat,creat,mkdir,mkdirat,chmod,fchmod,fchmodat,umask";
    let strace = ["strace", "-f", "-qq", "-o", &out, "-e", calls];
    let ended = wait(spawn(&strace, Part::Init, dir.path(), None, &[]));
    assert!(ended.status.success(), "{}", ended.output);
    let trace = fs::read_to_string(trace.path()).unwrap();
    let private: Vec<&str> = trace.lines().filter(|line| line.contains("/private")).collect();
    let made = |name: &str, mode: &str| {
        let made = private.iter().find(|line| {
            line.contains(name) && (line.contains("O_CREAT") || line.contains("mkdir"))
        });
        let made = made.unwrap_or_else(|| panic!("{name} is made: {trace}"));
        assert!(made.contains(mode), "{made}");
    };
    made("/private\"", "0700");
    made("signing.key\"", "0600");
    made("vault.key\"", "0600");
    made("state.sqlite\"", "0600");
    assert!(!private.iter().any(|line| line.contains("chmod")), "{private:?}");
}
