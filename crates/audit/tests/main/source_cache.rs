//! The cache of a log: it keeps full tiles and bundles, and never uses a damaged one.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fairdeal::log::VerifierKey;
use fairdeal_audit::AuditVerdict;
use fairdeal_audit::source::{
    AuditOptions, Cache, CacheState, Files as _, Http, HttpLimits, LogSource, Wanted,
};
use tempfile::TempDir;

use crate::server::{Server, folder, log};
use tools::paper::PaperLog;

/// A published log behind a server, and a folder for the cache.
struct Setup {
    log: PaperLog,
    dir: TempDir,
    server: Server,
    kept: TempDir,
}

impl Setup {
    fn new(rounds: u64) -> Self {
        let (log, dir) = (log(rounds), tempfile::tempdir().expect("a folder"));
        log.publish(dir.path());
        let server = Server::new(folder(dir.path()));
        Self { log, dir, server, kept: tempfile::tempdir().expect("a folder") }
    }

    fn cache(&self) -> Cache {
        let limits = HttpLimits { backoff: Duration::from_millis(1), ..HttpLimits::default() };
        let http = Http::new(self.server.url(), limits).expect("a URL");
        let name = format!("{}\n{}", http.name(), self.log.key().to_text());
        Cache::new(Box::new(http), self.kept.path(), &name)
    }

    fn audit(&self) -> (AuditVerdict, CacheState) {
        let cache = self.cache();
        let state = cache.state();
        (audit(cache, self.log.key()), state)
    }
}

fn audit(cache: Cache, key: &VerifierKey) -> AuditVerdict {
    let options = AuditOptions::under(key);
    LogSource::open(Box::new(cache))
        .expect("a log")
        .audit(&options, |_, _| {})
        .expect("judged")
        .verdict
}

/// Every file below a folder.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).expect("readable").map(|entry| entry.expect("readable").path()) {
        if entry.is_dir() { found.extend(files(&entry)) } else { found.push(entry) }
    }
    found.sort();
    found
}

#[test]
fn full_tiles_and_bundles_are_asked_for_once_and_all_else_every_time() {
    let setup = Setup::new(600);
    assert!(setup.audit().0.holds);
    let kept: Vec<String> = files(setup.kept.path())
        .iter()
        .map(|file| {
            file.to_string_lossy().into_owned().split_off(setup.kept.path().as_os_str().len() + 34)
        })
        .collect();
    assert_eq!(kept, ["tile/0/000", "tile/0/001", "tile/entries/000", "tile/entries/001"]);
    let before = setup.server.requests().len();
    let (verdict, state) = setup.audit();
    assert!(verdict.holds);
    assert_eq!(state.served(), 4);
    let mut again = setup.server.requests().split_off(before);
    again.sort();
    assert_eq!(
        again,
        ["/checkpoint", "/tile/0/002.p/89", "/tile/1/000.p/2", "/tile/entries/002.p/89"]
    );
}

#[test]
fn files_that_are_kept_and_files_that_are_not_come_in_the_order_asked_for() {
    let setup = Setup::new(600);
    let cache = setup.cache();
    let wanted = |path: &str| Wanted { path: path.to_owned(), at_most: 1 << 20 };
    cache.read("tile/0/001", 1 << 20).expect("read");
    let all = ["checkpoint", "tile/0/001", "tile/0/000", "tile/0/007", "tile/0/001"].map(wanted);
    let read = cache.read_all(&all);
    let file = |path: &str| {
        fs::read(setup.dir.path().join(path))
            .map_err(|_| fairdeal_audit::source::ReadError::Missing)
    };
    assert_eq!(read, all.map(|one| file(&one.path)));
    assert_eq!(cache.state().served(), 2);
}

#[test]
fn a_damaged_file_is_read_again_from_the_log_and_mended() {
    let setup = Setup::new(300);
    assert!(setup.audit().0.holds);
    let kept = files(setup.kept.path());
    let damage: [fn(&mut Vec<u8>); 5] = [
        |bytes| bytes[40] ^= 1,
        |bytes| bytes[0] ^= 1,
        |bytes| bytes.truncate(20),
        Vec::clear,
        |bytes| bytes.extend(vec![b'x'; 20 << 20]),
    ];
    for damage in damage {
        for file in &kept {
            let mut bytes = fs::read(file).expect("kept");
            damage(&mut bytes);
            fs::write(file, bytes).expect("writable");
        }
        let (verdict, state) = setup.audit();
        assert!(verdict.holds, "{:?}", verdict.findings);
        assert_eq!((state.served(), state.warning()), (0, None));
        assert_eq!(setup.audit().1.served(), 2);
    }
    // A file in another file's place is damage too.
    fs::copy(&kept[0], &kept[1]).expect("copied");
    let (verdict, state) = setup.audit();
    assert!(verdict.holds);
    assert_eq!(state.served(), 1);
}

#[test]
fn what_a_faulty_mirror_sent_once_is_replaced_when_it_is_distrusted() {
    let setup = Setup::new(300);
    let bundle = setup.dir.path().join("tile/entries/000");
    let honest = fs::read(&bundle).expect("published");
    let mut wrong = honest.clone();
    wrong[1000] ^= 1;
    fs::write(&bundle, wrong).expect("writable");
    assert!(!setup.audit().0.holds);
    fs::write(&bundle, honest).expect("writable");
    let (verdict, state) = setup.audit();
    assert!(!verdict.holds && state.served() > 0);
    assert!(state.distrust() && !state.distrust());
    assert!(audit(setup.cache().with_state(&state), setup.log.key()).holds);
    assert_eq!(state.settle(true), ["tile/entries/000"]);
    let (verdict, state) = setup.audit();
    assert!(verdict.holds);
    assert_eq!(state.served(), 2);
}

#[test]
fn two_logs_in_one_folder_never_mix() {
    let (setup, other) = (Setup::new(300), Setup::new(400));
    assert!(setup.audit().0.holds);
    let cache = |name: &str| {
        let http = Http::new(other.server.url(), HttpLimits::default()).expect("a URL");
        Cache::new(Box::new(http), setup.kept.path(), name)
    };
    for name in ["", "another", "another\nkey"] {
        assert!(audit(cache(name), other.log.key()).holds);
    }
    let (verdict, state) = setup.audit();
    assert!(verdict.holds);
    assert_eq!(state.served(), 2);
}

#[test]
fn a_cache_that_cannot_be_written_is_named_and_the_audit_goes_on() {
    let setup = Setup::new(300);
    // A file where the folder should be: it stops root too, who may write everything else.
    let blocked = setup.kept.path().join("blocked");
    fs::write(&blocked, "").expect("writable");
    let http = Http::new(setup.server.url(), HttpLimits::default()).expect("a URL");
    let cache = Cache::new(Box::new(http), &blocked, "log");
    let state = cache.state();
    assert!(audit(cache, setup.log.key()).holds);
    let warning = state.warning().expect("a warning");
    assert!(warning.contains("blocked") && warning.contains("nothing more is kept"), "{warning}");
}

#[cfg(unix)]
#[test]
fn the_cache_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let setup = Setup::new(300);
    assert!(setup.audit().0.holds);
    for entry in fs::read_dir(setup.kept.path()).expect("readable") {
        let mode = entry.and_then(|entry| entry.metadata()).expect("readable").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
