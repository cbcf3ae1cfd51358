//! Compares a ledger's state, its published files and its checkpoint, entry by entry.
//!
//! The look-up tables, the state of commitments and the tiles follow from the log, so that they can
//! be made again. A backup alone has the rest: server seeds, answers to keys, memos but those of
//! anchors, and entries that are neither in a file nor in the database.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::core::Core;
use crate::error::{LedgerError, TileFault};
use crate::operate::derived::{FromLog, RoundSum, TAIL, not_signed};
use crate::operate::dump::Commitments;
use crate::operate::memos;
use crate::operate::recover;
use crate::operate::tile_check;
use crate::publish::publisher::{lease, read_checkpoint};
use crate::publish::tree::Tree;
use crate::read::rounds::round_entry;
use crate::setup::folder;
use crate::setup::location::Location;
use crate::store::{Anew, Fault, Growth, Head, Read, StoreError, StoredLife, Transaction};
use crate::witness::anchors::repairs;
use crate::{Ledger, LedgerOptions};
use fairdeal::deal::Commitment;
use fairdeal::log::{Checkpoint, Hash, Level, TILE_WIDTH, TilePath};
use fairdeal::record::entry::Entry;

/// Rows that are read at once, and written at once.
const PAGE: u32 = 1000;
const ROWS: usize = PAGE as usize;

/// The checks that were made, and the faults found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fsck {
    /// The number of entries in the state.
    pub entries: u64,
    /// The number of published entries.
    pub published: u64,
    /// The number of commitments.
    pub commitments: u64,
    /// Why nothing could be written in the ledger's folder, if so. Then others may have written
    /// meanwhile.
    pub read_only: Option<String>,
    /// Where the damaged file of the state is kept, if a new one has its name.
    pub kept: Option<PathBuf>,
    /// Whether the state could not be repaired, and only a backup has what is damaged.
    pub needs_backup: bool,
    /// All that is wrong.
    pub faults: Vec<FsckFault>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FsckFault {
    /// A file under `public`, or a table of the database.
    pub what: String,
    /// The expected value, and the value found.
    pub says: String,
    /// Whether it was made again.
    pub repaired: bool,
}

impl Ledger {
    /// Compares the state, the published files and the checkpoint, entry by entry. With `repair` it
    /// writes again what follows from the log. `progress` gets the number of entries done, and of
    /// all. Others deal while it reads files, and wait while it compares the state.
    ///
    /// # Errors
    /// [`LedgerError`] if the folder, its keys or its head cannot be read.
    pub async fn fsck(
        at: impl Into<Location>,
        options: LedgerOptions,
        repair: bool,
        progress: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Fsck, LedgerError> {
        let dir: &Location = &at.into();
        let (core, read_only) = open(dir, options, repair).await?;
        let mut from_log = FromLog::new(&core);
        let mut wrong = from_log.read_ahead(&core, progress).await?;
        let right = lease(&core, None).await?;
        if repair {
            // What it cannot mend has a fault of its own below.
            let _mended = recover::recover(&core).await;
        }
        let (lock, mut read) = hold(&core, read_only.is_some()).await?;
        let head = read.head().await?;
        core.check_head(&head)?;
        core.check_signed(&head)?;
        Core::check_open(&head)?;
        let mut faults = Vec::new();
        let mut size = 0;
        let published = match read_checkpoint(&core).await {
            // The files are the log's, and the state is an older one: the files are not compared
            // with it.
            Ok((_, checkpoint)) if checkpoint.size() > head.frontier.size() => {
                let (state, public) = (head.frontier.size(), checkpoint.size());
                faults.push(fault("checkpoint", &LedgerError::OlderState { state, public }));
                size = public;
                None
            }
            Ok((_, checkpoint)) => {
                size = checkpoint.size();
                Some(checkpoint)
            }
            Err(error) => {
                faults.push(fault("checkpoint", &error));
                None
            }
        };
        let entries = head.frontier.size();
        let mut report = Fsck {
            entries,
            published: size,
            commitments: 0,
            read_only,
            kept: None,
            needs_backup: false,
            faults: Vec::new(),
        };
        if wrong.is_none() {
            let (tree, signed) = (core.tree(&mut *read, &head), &head.frontier);
            wrong =
                from_log.read(tree, signed, signed.size(), published.as_ref(), progress).await?;
        }
        if wrong.is_none() && from_log.root() != head.frontier.root() {
            wrong = Some(not_signed(head.frontier.size(), from_log.root(), head.frontier.root()));
        }
        // If the files are of another tree, nothing here shows what their bytes must be.
        let has_files = match &published {
            Some(_) if wrong.is_none() => true,
            Some(public) => has_root(core.tree(&mut *read, &head), &head, public).await,
            None => false,
        };
        if let Some((what, says)) = wrong {
            // Nothing follows from entries that do not lead to the roots that the log has signed.
            faults.push(fault(&what, &says));
            drop(lock);
        } else {
            report.commitments = u64::try_from(from_log.rounds.len()).unwrap_or(u64::MAX);
            faults.extend(
                compare_and_mend(&core, (lock, repair), (read, &head), &from_log, &mut report)
                    .await,
            );
            report.needs_backup &= repair;
        }
        drop(right);
        if has_files {
            let mend =
                if repair { tile_check::Mend::RewriteEach } else { tile_check::Mend::Nothing };
            match tile_check::all(&core, mend).await {
                Ok(files) => faults.extend(files.into_iter().map(of_file)),
                Err(error) => faults.push(fault("public", &error)),
            }
        }
        if let Err(error) = core.state.close().await {
            faults.push(fault("database", &error));
        }
        report.faults = faults;
        Ok(report)
    }
}

/// Opens a ledger. If nothing can be written, or it is a copy, and nothing must be written, it is
/// opened to read, with the reason.
async fn open(
    dir: &Location,
    options: LedgerOptions,
    repair: bool,
) -> Result<(Arc<Core>, Option<String>), LedgerError> {
    let opened = async {
        let core = Core::new(folder::open(dir, options.clone()).await?)?;
        // The right to publish is written where the state is.
        drop(core.state.lease().await?);
        Ok(core)
    };
    match opened.await {
        Err(
            error @ (LedgerError::Store(StoreError { fault: Fault::Denied, .. })
            | LedgerError::Copied(_)),
        ) if !repair => {
            let core = Core::new(folder::open_to_read(dir, options).await?)?;
            Ok((Arc::new(core), Some(error.to_string())))
        }
        opened => Ok((Arc::new(opened?), None)),
    }
}

/// Takes the tree's head, and a second connection that reads: a transaction that has met a damaged
/// page writes nothing any more. If nothing can be written, one transaction reads the state of one
/// moment.
async fn hold(
    core: &Core,
    reads_only: bool,
) -> Result<(Option<Box<dyn Transaction>>, Box<dyn Read>), LedgerError> {
    let mut lock = core.state.begin().await?;
    if reads_only {
        return Ok((None, lock));
    }
    lock.take_long().await?;
    Ok((Some(lock), core.state.read().await?))
}

fn of_file(TileFault { path, says, rebuilt }: TileFault) -> FsckFault {
    FsckFault { what: path, says, repaired: rebuilt }
}

/// Whether a published checkpoint, which is not larger than the state, is of the state's own tree.
async fn has_root(mut tree: Tree<'_>, head: &Head, public: &Checkpoint) -> bool {
    if public.size() == head.frontier.size() {
        return *public.root() == head.frontier.root();
    }
    tree.root_at(public.size()).await.is_ok_and(|root| root == *public.root())
}

/// Compares the state with what follows from the log, and makes it again if asked. `lock` has the
/// tree's head.
async fn compare_and_mend(
    core: &Core,
    (lock, repair): (Option<Box<dyn Transaction>>, bool),
    (mut read, head): (Box<dyn Read>, &Head),
    from_log: &FromLog,
    report: &mut Fsck,
) -> Vec<FsckFault> {
    let mut faults = Vec::new();
    for finding in &from_log.findings {
        let what = format!("entry {}", finding.index.unwrap_or(0));
        faults.push(fault(&what, &format!("{}: {}", finding.code, finding.says)));
    }
    let mut wrong = check_store(&mut *read).await;
    wrong.extend(from_log.lost.iter().map(|says| fault(TAIL, says)));
    wrong.extend(compare(core, &mut *read, head, from_log).await);
    let follows = wrong.iter().any(|fault| !OWN.contains(&fault.what.as_str()));
    let Some(lock) = lock.filter(|_| repair && follows) else {
        report.needs_backup = !wrong.is_empty();
        faults.extend(wrong);
        return faults;
    };
    // No connection to the damaged file may be open.
    drop(read);
    let rebuilt = rebuild(core, lock, head, from_log).await;
    for fault in &mut wrong {
        fault.repaired = rebuilt.is_ok();
    }
    faults.extend(wrong);
    match rebuilt {
        Ok(kept) => report.kept = kept,
        Err(error) => {
            report.needs_backup = !error.is_temporary();
            let is_known = !matches!(&error, LedgerError::Store(error) if !error.fault.is_known());
            let says = if is_known {
                "nothing of the state was made again"
            } else {
                "whether the state was made again, the next fsck tells"
            };
            faults.push(fault("database", &format!("{says}: {error}")));
        }
    }
    faults
}

async fn check_store(read: &mut dyn Read) -> Vec<FsckFault> {
    match read.check().await {
        Ok(lines) => lines.iter().map(|says| fault("database", says)).collect(),
        Err(error) => vec![fault("database", &error)],
    }
}

fn fault(what: &str, says: &impl ToString) -> FsckFault {
    FsckFault { what: what.to_owned(), says: says.to_string(), repaired: false }
}

/// The tables whose rows nothing else holds.
const OWN: [&str; 3] = ["commitment", "answer", "memo"];

/// The faults of the state's tables.
async fn compare(
    core: &Core,
    read: &mut dyn Read,
    head: &Head,
    from_log: &FromLog,
) -> Vec<FsckFault> {
    let mut faults: Vec<FsckFault> = Vec::new();
    if let Err(error) = compare_lives(core, read, from_log, &mut faults).await {
        // A page that cannot be read is no row: the store's own check names it too.
        let table = match &error {
            LedgerError::Store(error) => error.table.unwrap_or("database"),
            _ => "database",
        };
        faults.push(fault(table, &error));
    }
    let tables = from_log.judge.remembered().tables;
    for some in tables.chunks(100) {
        let names: Vec<_> = some.iter().map(|(table, _)| table.clone()).collect();
        match read.tables(&names).await {
            Ok(found) if found == some => {}
            Ok(_) => {
                faults.push(fault("chain", &"a table's last commitment is another one in the log"));
            }
            Err(error) => faults.push(fault("chain", &error)),
        }
    }
    match sum_rounds(read).await {
        Ok(found) => {
            let expected: BTreeMap<u64, RoundSum> = from_log
                .rounds
                .iter()
                .filter(|(_, sum)| sum.count > 0)
                .map(|(under, sum)| (*under, *sum))
                .collect();
            if found != expected {
                faults.push(fault("round", &"the rows are not those of the log's rounds"));
            }
        }
        Err(error) => faults.push(fault("round", &error)),
    }
    if let Err(error) = compare_nodes(read, head, from_log, &mut faults).await {
        faults.push(fault("node", &error));
    }
    match repairs(read, &from_log.anchors).await {
        Ok(repairs) if repairs.is_empty() => {}
        Ok(_) => faults.push(fault("anchor", &"the places of anchors are not those of the log")),
        // The memos have this fault.
        Err(_) => {}
    }
    if let Err(error) = memos::check_all(read).await {
        faults.push(fault("memo", &error));
    }
    read_answers(read, head, &mut faults).await;
    faults
}

async fn compare_lives(
    core: &Core,
    read: &mut dyn Read,
    from_log: &FromLog,
    faults: &mut Vec<FsckFault>,
) -> Result<(), LedgerError> {
    let mut expected: BTreeMap<u64, StoredLife> =
        from_log.lives().into_iter().map(|stored| (stored.life.index, stored)).collect();
    let mut pages = Commitments::default();
    while let Some(page) = pages.next(read).await? {
        for found in page {
            let commitment: Commitment = found.life.commit.commitment;
            let wanted = expected.remove(&found.life.index);
            if wanted
                .is_none_or(|wanted| wanted.life != found.life || wanted.ended_at != found.ended_at)
            {
                let says = format!(
                    "commitment {commitment} of entry {} is different in the log",
                    found.life.index
                );
                faults.push(fault("life", &says));
            }
            if let Err(error) = core.keys.vault.open(&found.seed, &commitment) {
                faults.push(fault("commitment", &error));
            }
        }
    }
    for (index, StoredLife { life, .. }) in expected {
        let commitment = life.commit.commitment;
        let says =
            format!("commitment {commitment} of entry {index} is missing, and its seed with it");
        faults.push(fault("commitment", &says));
    }
    Ok(())
}

async fn sum_rounds(read: &mut dyn Read) -> Result<BTreeMap<u64, RoundSum>, LedgerError> {
    let mut found: BTreeMap<u64, RoundSum> = BTreeMap::new();
    let mut after = None;
    loop {
        let page = read.rounds_after(after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = Some(*last);
        for one in &page {
            found.entry(one.under).or_default().add(one);
        }
    }
}

/// Answers to keys do not follow from the log either. Each damaged one is named: near it, rows are
/// read one by one.
async fn read_answers(read: &mut dyn Read, head: &Head, faults: &mut Vec<FsckFault>) {
    let (mut after, mut most, mut steps) = (None, PAGE, 0);
    loop {
        match read.answers_after(after, most).await {
            Ok(page) => {
                let Some(last) = page.last() else { return };
                (after, steps) = (Some(last.index), 0);
            }
            Err(_) if most > 1 => most = 1,
            Err(error) => {
                let found = fault("answer", &error);
                if faults.last() != Some(&found) {
                    faults.push(found);
                }
                // A page that cannot be read has no row to step over.
                (after, steps) = (Some(after.map_or(0, |after| after + 1)), steps + 1);
                if steps > PAGE || after >= Some(head.frontier.size()) {
                    return;
                }
            }
        }
    }
}

async fn compare_nodes(
    read: &mut dyn Read,
    head: &Head,
    from_log: &FromLog,
    faults: &mut Vec<FsckFault>,
) -> Result<(), LedgerError> {
    let mut levels: BTreeMap<u32, Vec<(u64, Hash)>> = BTreeMap::new();
    for (node, hash) in &from_log.nodes {
        levels.entry(node.level()).or_default().push((node.index(), *hash));
    }
    for level in
        (8..64).step_by(8).take_while(|level| head.frontier.size().unbounded_shr(*level) > 0)
    {
        let expected = levels.remove(&level).unwrap_or_default();
        for some in expected.chunks(1000) {
            let (Some((first, _)), Some((last, _))) = (some.first(), some.last()) else { continue };
            if read.nodes(level, *first..*last + 1).await? != some {
                faults.push(fault(
                    "node",
                    &format!("hashes of level {level} are not those of the log"),
                ));
                break;
            }
        }
    }
    Ok(())
}

/// Makes a state again, from the rows that nothing else holds and from the log. Without its commit
/// nothing is done. Returns where the damaged file is kept.
async fn rebuild(
    core: &Core,
    lock: Box<dyn Transaction>,
    head: &Head,
    from_log: &FromLog,
) -> Result<Option<PathBuf>, LedgerError> {
    let Anew { mut transaction, keeps } = lock.anew().await?;
    if let Err(error) = derive(core, &mut *transaction, head, from_log).await {
        transaction.roll_back().await?;
        return Err(error);
    }
    transaction.commit().await?;
    Ok(keeps)
}

/// Writes all that follows from the log, and checks that the new state has no fault.
async fn derive(
    core: &Core,
    transaction: &mut dyn Transaction,
    head: &Head,
    from_log: &FromLog,
) -> Result<(), LedgerError> {
    if transaction.head().await? != *head {
        let says = "somebody has written meanwhile: ask again";
        return Err(StoreError::new(Fault::Busy, "the state", says).into());
    }
    let growth = || Growth::of_head(head.clone());
    let lives = from_log.lives();
    for lives in lives.chunks(ROWS) {
        transaction.write(&Growth { lives: lives.to_vec(), ..growth() }).await?;
    }
    for tables in from_log.judge.remembered().tables.chunks(ROWS) {
        transaction.write(&Growth { tables: tables.to_vec(), ..growth() }).await?;
    }
    for nodes in from_log.nodes.chunks(ROWS) {
        transaction.write(&Growth { nodes: nodes.to_vec(), ..growth() }).await?;
    }
    transaction.write(&Growth { segments: from_log.tail.clone(), ..growth() }).await?;
    for memos in repairs(&mut *transaction, &from_log.anchors).await?.chunks(ROWS) {
        transaction.write(&Growth { memos: memos.to_vec(), ..growth() }).await?;
    }
    let size = head.frontier.size();
    let lives: BTreeMap<Commitment, &StoredLife> =
        lives.iter().map(|stored| (stored.life.commit.commitment, stored)).collect();
    for bundle in 0..size.div_ceil(u64::from(TILE_WIDTH)) {
        let path = TilePath::at_size(Level::Entries, bundle, size)?;
        let entries = core.tree(&mut *transaction, head).bundle(path).await?;
        let first = bundle * u64::from(TILE_WIDTH);
        let rounds = (first..).zip(entries).filter_map(|(index, bytes)| {
            let entry = Entry::parse(&bytes).ok()?;
            let stored = lives.get(&entry.commitment()?)?;
            round_entry(stored.life.index, stored.ended_at, (index, &entry))
        });
        transaction.write(&Growth { rounds: rounds.collect(), ..growth() }).await?;
    }
    match compare(core, transaction, head, from_log).await.first() {
        Some(left) => Err(LedgerError::Damaged(format!("{}: {}", left.what, left.says))),
        None => Ok(()),
    }
}
