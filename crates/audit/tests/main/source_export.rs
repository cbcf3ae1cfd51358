//! A log as one file: written, read, and cut off at every byte.

use std::io::Cursor;
use std::path::Path;

use fairdeal::log::{Level, TilePath, VerifierKey};
use fairdeal_audit::AuditVerdict;
use fairdeal_audit::source::{
    AuditOptions, Export, ExportError, Exported, Files, LogFolder, LogSource, ReadError,
    SourceError, export,
};

use crate::server::log;
use tools::paper::PaperLog;

fn write(folder: &Path, key: Option<&VerifierKey>) -> Result<(Exported, Vec<u8>), ExportError> {
    let mut bytes = Vec::new();
    let exported = export(Box::new(LogFolder::open(folder)), key, &mut bytes, |_, _| {})?;
    Ok((exported, bytes))
}

/// The export of a published log, after `change` to its folder.
fn exported(
    log: &PaperLog,
    change: impl FnOnce(&Path),
) -> Result<(Exported, Vec<u8>), ExportError> {
    let folder = tempfile::tempdir().expect("a folder");
    log.publish(folder.path());
    change(folder.path());
    write(folder.path(), Some(log.key()))
}

fn bytes_of(log: &PaperLog) -> Vec<u8> {
    exported(log, |_| {}).expect("honest").1
}

/// The format of section 10.5, written independently of the code under test.
fn by_hand(log: &PaperLog) -> Vec<u8> {
    let note = log.checkpoint();
    let mut bytes = b"fairdeal/export/v1\n".to_vec();
    bytes.extend(u32::try_from(note.len()).expect("short").to_be_bytes());
    bytes.extend(note.as_bytes());
    for entry in log.entries() {
        bytes.extend(u16::try_from(entry.len()).expect("short").to_be_bytes());
        bytes.extend(entry);
    }
    bytes
}

fn open(bytes: Vec<u8>) -> Result<Export, ReadError> {
    Export::open("log.export", Cursor::new(bytes))
}

fn audit(bytes: Vec<u8>, key: &VerifierKey) -> Result<AuditVerdict, SourceError> {
    let options = AuditOptions::under(key);
    LogSource::open(Box::new(open(bytes).expect("an export")))?
        .audit(&options, |_, _| {})
        .map(|audited| audited.verdict)
}

fn unreadable<T: std::fmt::Debug>(read: Result<T, ReadError>) -> String {
    match read {
        Err(ReadError::Unreadable(says)) => says,
        other => panic!("expected it to be unreadable: {other:?}"),
    }
}

/// Every bundle in order, as the audit reads them, until one cannot be read.
fn drain(bytes: Vec<u8>, size: u64) -> Result<(), ReadError> {
    let file = open(bytes)?;
    let at = |bundle| TilePath::at_size(Level::Entries, bundle, size).ok();
    let mut paths = (0..size.div_ceil(256)).filter_map(at);
    paths.try_for_each(|path| file.read(&path.to_text(), u64::MAX).map(drop))
}

#[test]
fn an_export_is_what_the_specification_says_and_its_audit_holds() {
    for rounds in [0, 1, 254, 255, 256, 600] {
        let log = log(rounds);
        let (exported, bytes) = exported(&log, |_| {}).expect("honest");
        assert_eq!(bytes, by_hand(&log));
        assert_eq!(
            (exported.size, exported.bytes),
            (rounds + 1, u64::try_from(bytes.len()).expect("fits"))
        );
        assert_eq!(exported.origin, "cards.example/log");
        let verdict = audit(bytes, log.key()).expect("judged");
        assert!(verdict.holds, "{:?}", verdict.findings);
        assert_eq!((verdict.size, verdict.root), (exported.size, exported.root));
    }
}

#[test]
fn an_empty_log_is_a_line_and_a_checkpoint() {
    let log = PaperLog::new("cards.example/log", 7);
    let bytes = bytes_of(&log);
    assert_eq!(bytes, by_hand(&log));
    assert!(audit(bytes.clone(), log.key()).expect("judged").holds);
    assert!(unreadable(open([bytes, vec![0]].concat())).contains("after 0 entries"));
}

#[test]
fn an_export_of_an_export_is_the_same_file() {
    let bytes = bytes_of(&log(300));
    let mut again = Vec::new();
    export(Box::new(open(bytes.clone()).expect("an export")), None, &mut again, |_, _| {})
        .expect("honest");
    assert_eq!(again, bytes);
}

#[test]
fn the_bundles_of_an_export_are_those_of_the_log_and_come_in_order_once() {
    let (log, folder) = (log(600), tempfile::tempdir().expect("a folder"));
    log.publish(folder.path());
    let (file, folder) = (open(bytes_of(&log)).expect("an export"), LogFolder::open(folder.path()));
    let same = |path: &str| {
        let read = file.read(path, 1 << 24);
        assert!(read.is_ok() && read == folder.read(path, 1 << 24), "{path}");
    };
    assert!(!file.has_tiles() && folder.has_tiles());
    assert!(
        unreadable(file.read("tile/entries/001", 1 << 24)).contains("the next is tile/entries/000")
    );
    same("checkpoint");
    same("tile/entries/000");
    assert!(
        unreadable(file.read("tile/entries/000", 1 << 24)).contains("the next is tile/entries/001")
    );
    same("checkpoint");
    same("tile/entries/001");
    assert!(unreadable(file.read("tile/entries/002", 1 << 24)).contains("tile/entries/002.p/89"));
    assert!(unreadable(file.read("tile/0/000", 1 << 24)).contains("holds entries only"));
    same("tile/entries/002.p/89");
    assert!(
        unreadable(file.read("tile/entries/002.p/89", 1 << 24)).contains("all 601 entries were")
    );
    assert_eq!(file.read("checkpoint", 3), Err(ReadError::TooLong { at_most: 3 }));
}

#[test]
fn a_file_that_ends_anywhere_before_its_end_is_cut_off() {
    let log = log(3);
    let bytes = bytes_of(&log);
    for end in 0..bytes.len() {
        let says = unreadable(drain(bytes[..end].to_vec(), 4));
        let expected =
            if end < 19 { "expected an exported log" } else { "cut off: it ends at byte" };
        assert!(says.contains(expected), "{end}: {says}");
    }
    assert_eq!(drain(bytes.clone(), 4), Ok(()));
    let at = bytes.len() - 1;
    let says = unreadable(drain(bytes[..at].to_vec(), 4));
    assert_eq!(says, format!("cut off: it ends at byte {at}, inside entry 3 of 4"));
    for error in
        [audit(bytes[..at].to_vec(), log.key()), audit([bytes, b"\n".to_vec()].concat(), log.key())]
    {
        assert!(matches!(error, Err(SourceError::Unreadable { .. })), "{error:?}");
    }
}

#[test]
fn a_file_that_goes_on_after_its_end_is_refused() {
    for rounds in [3, 255] {
        let bytes = bytes_of(&log(rounds));
        let end = bytes.len();
        let says = unreadable(drain([bytes, vec![0, 0]].concat(), rounds + 1));
        assert_eq!(
            says,
            format!("expected its end after {} entries, at byte {end}, and it goes on", rounds + 1)
        );
    }
}

#[test]
fn what_is_no_export_says_so() {
    for bytes in [
        b"".as_slice(),
        b"fairdeal/export/v2\n",
        b"fairdeal/export/v1\r\n",
        b"<!doctype html><title>Log</title>",
    ] {
        assert!(unreadable(open(bytes.to_vec())).contains("expected an exported log"));
    }
    let with = |length: u32, rest: &[u8]| {
        unreadable(open([b"fairdeal/export/v1\n".as_slice(), &length.to_be_bytes(), rest].concat()))
    };
    assert!(with(1_000_001, b"").contains("at most 1000000 bytes"));
    assert!(with(u32::MAX, b"").contains("found 4294967295"));
    assert!(with(1_000_000, b"short").contains("cut off"));
    assert!(with(5, b"hello, and more").contains("expected its end after 0 entries"));
    assert!(with(0, b"and more").contains("expected its end after 0 entries"));
}

#[test]
fn entries_of_any_length_go_through() {
    let mut log = log(1);
    log.append_bytes(&vec![b'x'; 65_535]);
    log.append_bytes(b"");
    for _ in 0..300 {
        log.append_bytes(&vec![b'y'; 65_535]);
    }
    let bytes = bytes_of(&log);
    assert_eq!(bytes, by_hand(&log));
    assert_eq!(drain(bytes, log.size()), Ok(()));
}

#[test]
fn a_changed_entry_is_the_logs_fault() {
    let log = log(3);
    let mut bytes = bytes_of(&log);
    let at = bytes.len() - 20;
    bytes[at] ^= 1;
    let verdict = audit(bytes, log.key()).expect("judged");
    let codes: Vec<&str> = verdict.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert!(codes.contains(&"tree-mismatch"), "{codes:?}");
}

#[test]
fn a_log_at_fault_is_not_exported() {
    let log = log(300);
    let code = |change: fn(&Path)| match exported(&log, change) {
        Err(ExportError::Fault(finding)) => finding.code.as_str(),
        other => panic!("expected a fault: {other:?}"),
    };
    let flip = |folder: &Path, path: &str| {
        let mut bytes = std::fs::read(folder.join(path)).expect("published");
        bytes[500] ^= 1;
        std::fs::write(folder.join(path), bytes).expect("writable");
    };
    assert_eq!(
        code(|folder| std::fs::remove_file(folder.join("tile/entries/000")).expect("there")),
        "tree-mismatch"
    );
    assert_eq!(
        code(|folder| std::fs::write(folder.join("tile/entries/000"), "x").expect("writable")),
        "tree-mismatch"
    );
    let no_note = exported(&log, |folder| {
        std::fs::write(folder.join("checkpoint"), "trust me").expect("writable");
    });
    assert!(matches!(no_note, Err(ExportError::Unreadable { .. })), "{no_note:?}");
    let folder = tempfile::tempdir().expect("a folder");
    log.publish(folder.path());
    flip(folder.path(), "tile/entries/001.p/45");
    assert!(
        matches!(write(folder.path(), None), Err(ExportError::Fault(found)) if found.code.as_str() == "tree-mismatch")
    );
}

#[test]
fn somebody_elses_log_is_exported_without_a_key_and_never_under_another() {
    let (log, folder) = (log(3), tempfile::tempdir().expect("a folder"));
    log.publish(folder.path());
    let other = PaperLog::new("cards.example/log", 8);
    let refused = write(folder.path(), Some(other.key()));
    assert!(
        matches!(refused, Err(ExportError::Fault(found)) if found.code.as_str() == "bad-signature")
    );
    let (_, bytes) = write(folder.path(), None).expect("whole");
    let verdict = audit(bytes, other.key()).expect("judged");
    assert_eq!(
        verdict.findings.first().map(|finding| finding.code.as_str()),
        Some("bad-signature")
    );
    let nothing = tempfile::tempdir().expect("a folder");
    assert!(matches!(write(nothing.path(), None), Err(ExportError::Unreadable { .. })));
}

#[test]
fn a_disk_that_is_full_ends_an_export() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (log, folder) = (log(3), tempfile::tempdir().expect("a folder"));
    log.publish(folder.path());
    for room in [0, 20, 100, 600] {
        let written =
            export(Box::new(LogFolder::open(folder.path())), None, &mut Full(room), |_, _| {});
        assert!(matches!(written, Err(ExportError::Write(_))), "{room}");
    }
}
