//! An audit with a cache: no mirror makes it forget what it saw, and no cached file accuses
//! anybody.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::cli_logs::{TIMES, ends, json};
use crate::server::{Server, folder, log};
use tools::paper::{PaperLog, counting_seed};

/// A log behind a server, its key in `log.key`.
struct Published {
    dir: TempDir,
    server: Server,
}

impl Published {
    fn new(log: &PaperLog) -> Self {
        let dir = TempDir::new().expect("a folder");
        let server = Server::new(folder(&dir.path().join("log")));
        fs::write(dir.path().join("log.key"), log.key().to_text()).expect("writable");
        let published = Self { dir, server };
        published.publish(log);
        published
    }

    fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Publishes a log in the place of the one before.
    fn publish(&self, log: &PaperLog) {
        let _ = fs::remove_dir_all(self.dir().join("log"));
        log.publish(&self.dir().join("log"));
    }

    fn audit(&self, code: i32) -> Value {
        json(self.dir(), &[["audit", self.server.url(), "--cache", "kept"], TIMES].concat(), code)
    }

    /// The audit's stdout and stderr.
    fn says(&self, code: i32) -> (String, String) {
        let words = [["audit", self.server.url(), "--cache", "kept"], TIMES].concat();
        let words = [words, vec!["--key", "log.key"]].concat();
        let (out, error) = ends(self.dir(), &words, b"", code);
        (String::from_utf8(out).expect("text"), error)
    }

    /// The kept notes, by name.
    fn notes(&self) -> Vec<PathBuf> {
        let kept = fs::read_dir(self.dir().join("kept")).expect("a cache");
        let mut files: Vec<PathBuf> = kept.map(|entry| entry.expect("readable").path()).collect();
        files.retain(|path| path.is_file());
        files.sort();
        files
    }

    /// The path of a cached file.
    fn kept(&self, path: &str) -> PathBuf {
        let kept = fs::read_dir(self.dir().join("kept")).expect("a cache");
        let mut folders =
            kept.map(|entry| entry.expect("readable").path()).filter(|path| path.is_dir());
        folders.next().expect("a folder of the log").join(path)
    }

    fn published(&self, path: &str) -> PathBuf {
        self.dir().join("log").join(path)
    }
}

/// As [`log`], with another player: another history under the same key.
fn other_log(rounds: u64) -> PaperLog {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    for n in 0..rounds {
        log.deal(&commit, &seed.mac(), n, &[("alice", "unlucky")]);
    }
    log
}

fn codes(verdict: &Value) -> Vec<&str> {
    let findings = verdict["findings"].as_array().expect("findings");
    findings.iter().map(|one| one["code"].as_str().expect("a code")).collect()
}

#[test]
fn a_log_that_shows_less_than_was_verified_is_not_judged_and_nothing_is_forgotten() {
    let published = Published::new(&log(300));
    published.audit(0);
    let [note] = &published.notes()[..] else { panic!("one note") };
    let before = fs::read(note).unwrap();
    for size in [200, 0] {
        published.publish(&log(size));
        let (out, error) = published.says(3);
        assert_eq!(out, "");
        let (expected, found) =
            ("at least the 301 entries verified before", format!("found {}", size + 1));
        assert!(error.contains(expected) && error.contains(&found), "{error}");
    }
    assert_eq!((fs::read(note).unwrap(), published.notes().len()), (before.clone(), 1));
    // It grew: the cache remembers that, wherever the log is read from.
    published.publish(&log(310));
    published.audit(0);
    assert_ne!(fs::read(note).unwrap(), before);
    let mirror = Server::new(folder(&published.dir().join("log")));
    published.publish(&log(305));
    ends(published.dir(), &["audit", mirror.url(), "--cache", "kept", "--key", "log.key"], b"", 3);
}

#[test]
fn another_history_under_the_same_key_is_found_and_both_notes_are_kept() {
    for (size, other) in [(20, 20), (20, 40), (300, 300)] {
        let published = Published::new(&log(size));
        published.audit(0);
        let note = published.notes().remove(0);
        let before = fs::read(&note).unwrap();
        published.publish(&other_log(other));
        for _ in 0..2 {
            let verdict = published.audit(1);
            assert_eq!(codes(&verdict), ["inconsistent"], "{verdict}");
            let says = verdict["findings"][0]["says"].as_str().unwrap();
            let [kept, contradicting] = &published.notes()[..] else { panic!("two notes") };
            for file in [kept, contradicting] {
                let name = file.file_name().unwrap().to_str().unwrap();
                assert!(says.contains(name), "{says}");
            }
            assert_eq!(kept, &note);
            assert_eq!(fs::read(kept).unwrap(), before);
            assert_eq!(
                fs::read(contradicting).unwrap(),
                fs::read(published.published("checkpoint")).unwrap()
            );
        }
        published.publish(&log(size));
        published.audit(0);
    }
}

#[test]
fn what_is_remembered_and_cannot_be_read_is_not_passed_over() {
    let published = Published::new(&log(20));
    published.audit(0);
    let note = published.notes().remove(0);
    for wrong in
        ["", "no note\n", &other_log(5).checkpoint().replace("cards.example/log", "another")]
    {
        fs::write(&note, wrong).unwrap();
        let (_, error) = published.says(3);
        assert!(error.contains("expected the last verified checkpoint"), "{error}");
        assert_eq!(fs::read_to_string(&note).unwrap(), wrong);
    }
    fs::remove_file(&note).unwrap();
    published.audit(0);
}

#[test]
fn a_full_tile_that_is_published_otherwise_than_it_was_kept_is_found_and_the_cache_keeps_its_own() {
    for path in ["tile/entries/000", "tile/0/000"] {
        let published = Published::new(&log(300));
        let honest = published.audit(0);
        let kept = fs::read(published.kept(path)).unwrap();
        let file = published.published(path);
        let bytes = fs::read(&file).unwrap();
        let mut wrong = bytes.clone();
        wrong[1000] ^= 1;
        for change in [Some(wrong), None] {
            match change {
                Some(wrong) => fs::write(&file, wrong).unwrap(),
                None => fs::remove_file(&file).unwrap(),
            }
            let verdict = published.audit(1);
            assert!(codes(&verdict).contains(&"tree-mismatch"), "{verdict}");
            assert_eq!(fs::read(published.kept(path)).unwrap(), kept);
        }
        fs::write(&file, &bytes).unwrap();
        assert_eq!(published.audit(0), honest);
    }
}

#[test]
fn a_cache_says_that_it_keeps_its_own_or_that_its_own_did_not_fit() {
    let published = Published::new(&log(300));
    let file = published.published("tile/entries/000");
    let bytes = fs::read(&file).unwrap();
    let mut wrong = bytes.clone();
    wrong[1000] ^= 1;
    // A mirror that was wrong at first, and is then corrected.
    fs::write(&file, &wrong).unwrap();
    published.audit(1);
    fs::write(&file, &bytes).unwrap();
    let (_, error) = published.says(0);
    let expected = "warning: tile/entries/000: the cached bytes do not fit the log's tree; the published ones do";
    assert!(error.starts_with(expected), "{error}");
    let (out, error) = published.says(0);
    assert_eq!(error, "");
    let expected =
        "holds, but 3 files came from the cache, and whether the log serves them was not seen";
    assert!(out.contains(expected), "{out}");
    // A mirror that is wrong later.
    fs::write(&file, &wrong).unwrap();
    let (_, error) = published.says(1);
    let expected = "warning: tile/entries/000: the published bytes differ from the cached ones; the cache is unchanged";
    assert!(error.starts_with(expected), "{error}");
}
