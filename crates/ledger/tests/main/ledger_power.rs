//! A power cut: the state is on the disk, and what was published after the last sync may be lost,
//! empty, torn or old.

#![expect(
    clippy::unwrap_used,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fairdeal::deal::{Commitment, Nonce};
use fairdeal_ledger::clock::{Clock, ClockReading};
use fairdeal_ledger::{Ledger, LedgerError, LedgerOptions, Parts};

use super::ledger_support::*;

/// What a disk may hold of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cut {
    Lost,
    Empty,
    /// The length, and no bytes.
    Zeros,
    /// The first half.
    Half,
}

impl Cut {
    pub(crate) const ALL: [Self; 4] = [Self::Lost, Self::Empty, Self::Zeros, Self::Half];

    pub(crate) fn at(self, path: &Path) {
        let bytes = fs::read(path).unwrap();
        match self {
            Self::Lost => fs::remove_file(path),
            Self::Empty => fs::write(path, b""),
            Self::Zeros => fs::write(path, vec![0; bytes.len()]),
            Self::Half => fs::write(path, bytes.get(..bytes.len() / 2).unwrap()),
        }
        .unwrap();
    }
}

pub(crate) async fn deals(ledger: &Ledger, c: Commitment, count: u32) {
    let deals =
        (0..count).map(|n| async move { ledger.deal(c, round(&format!("{n}")), None).await });
    futures::future::try_join_all(deals).await.unwrap();
}

/// A ledger of 300 entries that was closed, and dealt then to `size`, some rounds one by one. The
/// copy is of a moment at which it is open: the first bundle is durable, and nothing after it.
async fn open_at_size(size: u32) -> (Home, Home, Commitment) {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = ledger.commit(terms("main"), None).await.unwrap().commitment;
    deals(&ledger, c, 299).await;
    ledger.close().await.unwrap();
    let ledger = home.open().await;
    deals(&ledger, c, size - 303).await;
    for n in 0..3 {
        ledger.deal(c, round(&format!("last {n}")), None).await.unwrap();
    }
    let copied = Home { dir: quick_folder(), key: home.key.clone() };
    copy(home.path(), copied.path());
    ledger.close().await.unwrap();
    (home, copied, c)
}

/// The files below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

pub(crate) fn is_durable(path: &Path) -> bool {
    path.ends_with("tile/entries/000") || path.ends_with("tile/0/000")
}

async fn after_the_cut(dir: &Path) -> Result<Ledger, LedgerError> {
    open_after(dir, options()).await
}

/// Opens a ledger after the machine has started again.
pub(crate) async fn open_after(dir: &Path, options: LedgerOptions) -> Result<Ledger, LedgerError> {
    let parts = Parts::of_folder(dir, options).await?;
    let reading = ClockReading { boot: None, ..parts.clock.read() };
    Ledger::open_on(Parts { clock: Arc::new(Restarted(reading)), ..parts }).await
}

/// A clock that does not say when the machine was started.
#[derive(Debug)]
struct Restarted(ClockReading);

impl Clock for Restarted {
    fn read(&self) -> ClockReading {
        self.0.clone()
    }
}

/// The log is whole, every one of its files is right, and the ledger goes on.
async fn goes_on(dir: &Path, home: &Home, c: Commitment, size: u64, case: &str) {
    let ledger = after_the_cut(dir).await.unwrap_or_else(|e| panic!("{case}: {e}"));
    let audit = Audit::of(&dir.join("public"), &home.key);
    assert_eq!((audit.findings, audit.size), (vec![], size), "{case}");
    for nonce in [0, 255, 256, size - 2] {
        ledger.receipt(c, Some(Nonce::new(nonce).unwrap())).await.unwrap();
    }
    ledger.deal(c, round("after"), None).await.unwrap_or_else(|e| panic!("{case}: {e}"));
    ledger.close().await.unwrap();
    let found = Ledger::fsck(dir, options(), false, &mut |_, _| ()).await.unwrap();
    assert_eq!(found.faults, [], "{case}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_power_cut_leaves_of_files_after_the_mark_the_ledger_makes_them_again() {
    let (home, cut, c) = open_at_size(620).await;
    let all = files(&cut.public().join("tile"));
    assert!(all.iter().any(|path| is_durable(path)));
    let after: Vec<&PathBuf> = all.iter().filter(|path| !is_durable(path)).collect();
    assert!(after.iter().any(|path| path.ends_with("tile/entries/001")), "{after:?}");
    let again = |case: String, damage: &dyn Fn(&Path)| {
        let dir = quick_folder();
        copy(cut.path(), dir.path());
        damage(dir.path());
        let (home, case) = (&home, case);
        async move { goes_on(dir.path(), home, c, 620, &case).await }
    };
    let within = |dir: &Path, path: &Path| dir.join(path.strip_prefix(cut.path()).unwrap());
    again("nothing".to_owned(), &|_| ()).await;
    for how in Cut::ALL {
        again(format!("{how:?}: all files"), &|dir| {
            for path in &after {
                how.at(&within(dir, path));
            }
        })
        .await;
    }
    for (n, path) in after.iter().enumerate() {
        let how = Cut::ALL.into_iter().cycle().nth(n).unwrap();
        again(format!("{how:?}: {}", path.display()), &|dir| how.at(&within(dir, path))).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_torn_checkpoint_is_written_again_and_an_old_one_is_followed() {
    let (home, cut, c) = open_at_size(620).await;
    let old = fs::read(home.public().join("checkpoint")).unwrap();
    let ledger = Ledger::open(cut.path(), options()).await.unwrap();
    ledger.deal(c, round("one more"), None).await.unwrap();
    let (seen, dir) = (ledger.checkpoint().await.unwrap(), quick_folder());
    copy(cut.path(), dir.path());
    ledger.close().await.unwrap();
    for (case, bytes) in [("old", old), ("empty", vec![]), ("zeros", vec![0; 200])] {
        let again = quick_folder();
        copy(dir.path(), again.path());
        fs::write(again.path().join("public/checkpoint"), bytes).unwrap();
        fs::write(again.path().join("public/tile/entries/002.p/109"), "").unwrap();
        goes_on(again.path(), &home, c, 621, case).await;
        // The checkpoint that somebody saved before is of a prefix.
        let ledger = Ledger::open(again.path(), options()).await.unwrap();
        ledger.holds_against(&seen).await.unwrap();
        ledger.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_torn_checkpoint_does_not_let_an_older_state_sign_again() {
    let (_home, cut, _) = open_at_size(620).await;
    let older = Home::quick().await;
    let ledger = older.open().await;
    let c = ledger.commit(terms("main"), None).await.unwrap().commitment;
    deals(&ledger, c, 20).await;
    ledger.close().await.unwrap();
    let saved = quick_folder();
    copy(older.path(), saved.path());
    let ledger = older.open().await;
    deals(&ledger, c, 5).await;
    ledger.close().await.unwrap();
    fs::copy(saved.path().join("private/state.sqlite"), older.private().join("state.sqlite"))
        .unwrap();
    fs::write(older.public().join("checkpoint"), "").unwrap();
    match after_the_cut(older.path()).await {
        Err(LedgerError::OlderState { state: 21, public: 26 }) => {}
        other => panic!("{other:?}"),
    }
    // With an old checkpoint too: the files tell, and none of them is overwritten.
    fs::copy(saved.path().join("public/checkpoint"), older.public().join("checkpoint")).unwrap();
    let newest = older.public().join("tile/entries/000.p/26");
    let old = |path: &Path| saved.path().join(path.strip_prefix(older.path()).unwrap()).exists();
    for other_names_are_lost in [false, true] {
        if other_names_are_lost {
            let after = files(&older.public().join("tile")).into_iter();
            after
                .filter(|path| *path != newest && !old(path))
                .for_each(|path| fs::remove_file(path).unwrap());
        }
        match after_the_cut(older.path()).await {
            Err(LedgerError::OlderState { state: 21, public: 26 }) => {}
            other => panic!("{other:?}"),
        }
    }
    // A name that no log of today can have says the same.
    fs::write(older.public().join("checkpoint"), "").unwrap();
    let far = older.public().join("tile/63/x999/x999/999.p/255");
    fs::create_dir_all(far.parent().unwrap()).unwrap();
    fs::write(&far, "").unwrap();
    let error = after_the_cut(older.path()).await.unwrap_err();
    assert!(matches!(error, LedgerError::OlderState { state: 21, .. }), "{error}");
    // Another log's checkpoint, or a page, is not one that was torn.
    fs::copy(saved.path().join("public/checkpoint"), cut.public().join("checkpoint")).unwrap();
    let right = fs::read_to_string(cut.public().join("checkpoint")).unwrap();
    for other in [right.as_str(), "<html>404</html>", right.trim_end()] {
        fs::write(cut.public().join("checkpoint"), other).unwrap();
        let error = after_the_cut(cut.path()).await.unwrap_err();
        assert!(matches!(error, LedgerError::ForeignCheckpoint { .. }), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn receipts_are_made_of_remembered_files_and_a_damaged_one_is_not_remembered_for_long() {
    let (home, _, c) = open_at_size(620).await;
    let round = |nonce| Some(Nonce::new(nonce).unwrap());
    let ledger = home.open().await;
    let first = ledger.receipt(c, round(7)).await.unwrap();
    let tile = home.public().join("tile/0/000");
    let right = fs::read(&tile).unwrap();
    fs::write(&tile, "damaged").unwrap();
    assert_eq!(ledger.receipt(c, round(7)).await.unwrap(), first);
    ledger.close().await.unwrap();
    // A new process reads the damaged file, and then the mended one.
    let ledger = home.open().await;
    assert!(ledger.receipt(c, round(7)).await.is_err());
    fs::write(&tile, right).unwrap();
    assert_eq!(ledger.receipt(c, round(7)).await.unwrap(), first);
    // With the right length, only the proof shows it.
    ledger.close().await.unwrap();
    let mut other = fs::read(&tile).unwrap();
    other.rotate_left(1);
    fs::write(&tile, other).unwrap();
    let ledger = home.open().await;
    assert!(ledger.receipt(c, round(7)).await.is_err());
    assert_eq!(ledger.check_tiles().await.unwrap().len(), 1);
    assert_eq!(ledger.receipt(c, round(7)).await.unwrap(), first);
    ledger.close().await.unwrap();
}
