//! Holds a ledger's state, its published files and its checkpoint against each other, entry by entry.
//!
//! What follows from the log can be made again: look-ups, the state of commitments, tiles. Entries that are in no file and
//! not in the database, and server seeds, can not.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::LedgerOptions;
use crate::core::Core;
use crate::error::{LedgerError, TileFault};
use crate::operate::derived::{FromLog, RoundSum, TAIL, not_signed};
use crate::operate::dump::Commitments;
use crate::operate::tile_check;
use crate::publish::publisher::{lease, read_checkpoint};
use crate::publish::tree::Tree;
use crate::read::rounds::round_entry;
use crate::setup::folder;
use crate::setup::location::Location;
use crate::store::{Derived, Fault, Head, Read, StoredLife, Transaction};
use fairdeal::deal::Commitment;
use fairdeal::log::{Checkpoint, Hash, Level, TILE_WIDTH, TilePath};
use fairdeal::record::entry::Entry;

/// Rows that are read at once.
const PAGE: u32 = 1000;

/// What was checked, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fsck {
    /// How many entries the state has.
    pub entries: u64,
    /// How many of them are published.
    pub published: u64,
    /// How many commitments there are.
    pub commitments: u64,
    /// Why nothing could be written where the ledger is, if so: then nothing kept others from writing meanwhile.
    pub read_only: Option<String>,
    /// All that is wrong.
    pub faults: Vec<FsckFault>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FsckFault {
    /// A file under `public`, or a table of the database.
    pub what: String,
    /// What was expected and what was found.
    pub says: String,
    /// Whether it was made again.
    pub repaired: bool,
}

/// Checks a ledger, and with `repair` makes again what can be made. `progress` gets how many entries are done, of how many.
///
/// While the state is compared it holds the tree's head and the right to publish. What is in published files alone is read before,
/// and the files are looked at afterwards: meanwhile others deal and publish. Where nothing can be written, it only reads.
pub(crate) async fn fsck(
    dir: &Location,
    options: LedgerOptions,
    repair: bool,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Fsck, LedgerError> {
    let (core, read_only) = open(dir, options, repair).await?;
    let mut from_log = FromLog::new(&core);
    let mut wrong = from_log.read_ahead(&core, progress).await?;
    let right = lease(&core, None).await?;
    let (lock, mut read) = hold(&core, read_only.is_some()).await?;
    let head = read.head().await?;
    core.check_head(&head)?;
    core.check_signed(&head)?;
    Core::check_open(&head)?;
    let mut faults = Vec::new();
    let mut size = 0;
    let published = match read_checkpoint(&core).await {
        // The files are the log's, and this state is not: they are not held against it.
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
    let mut report =
        Fsck { entries, published: size, commitments: 0, read_only, faults: Vec::new() };
    if wrong.is_none() {
        let (tree, signed) = (core.tree(&mut *read, &head), &head.frontier);
        wrong = from_log.read(tree, signed, signed.size(), published.as_ref(), progress).await?;
    }
    if wrong.is_none() && from_log.root() != head.frontier.root() {
        wrong = Some(not_signed(head.frontier.size(), from_log.root(), head.frontier.root()));
    }
    // Files of another tree are the world's: nothing here tells what is right in them.
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
        compare_and_mend(&core, lock, (&mut *read, &head), &from_log, repair, &mut faults).await;
    }
    drop((read, right));
    if has_files {
        let mend = if repair { tile_check::Mend::RewriteEach } else { tile_check::Mend::Nothing };
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

/// Opens a ledger. Where nothing can be written, and nothing need be, it is opened to read, and the reason is told.
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
        Err(LedgerError::Store(error)) if error.fault == Fault::Denied && !repair => {
            let core = Core::new(folder::open_to_read(dir, options).await?)?;
            Ok((Arc::new(core), Some(error.to_string())))
        }
        opened => Ok((Arc::new(opened?), None)),
    }
}

/// Holds the tree's head, and reads beside it: a transaction that has met a damaged page writes nothing any more. Where nothing can
/// be written, it only reads, all of it of one moment.
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

/// Holds the state against what follows from the log, while the head is held.
async fn compare_and_mend(
    core: &Core,
    lock: Option<Box<dyn Transaction>>,
    (read, head): (&mut dyn Read, &Head),
    from_log: &FromLog,
    repair: bool,
    faults: &mut Vec<FsckFault>,
) {
    for finding in &from_log.findings {
        let what = format!("entry {}", finding.index.unwrap_or(0));
        faults.push(fault(&what, &format!("{}: {}", finding.code, finding.says)));
    }
    let store = check_store(read).await;
    let mut wrong: Vec<FsckFault> = from_log.lost.iter().map(|says| fault(TAIL, says)).collect();
    wrong.extend(compare(core, read, head, from_log).await);
    let is_wrong = store.iter().chain(&wrong).any(|fault| is_derived(&fault.what));
    let Some(transaction) = lock.filter(|_| repair && is_wrong) else {
        faults.extend(store.into_iter().chain(wrong));
        return;
    };
    match rebuild(core, transaction, head, from_log).await {
        Ok(left) => {
            faults.extend(marked(store, check_store(read).await));
            faults.extend(marked(wrong, left));
        }
        Err(error) => {
            faults.extend(store.into_iter().chain(wrong));
            let is_known = !matches!(&error, LedgerError::Store(error) if !error.fault.is_known());
            let says = if is_known {
                "nothing of the state was made again"
            } else {
                "whether the state was made again, the next fsck tells"
            };
            faults.push(fault("database", &format!("{says}: {error}")));
        }
    }
}

/// Faults, of which those are repaired that are not left; and what is left beside them.
fn marked(mut faults: Vec<FsckFault>, left: Vec<FsckFault>) -> Vec<FsckFault> {
    for fault in &mut faults {
        fault.repaired = !left.contains(fault);
    }
    let more = left.into_iter().filter(|one| !faults.iter().any(|fault| fault.says == one.says));
    let more: Vec<FsckFault> = more.collect();
    faults.into_iter().chain(more).collect()
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

/// The tables that follow from the log and its files, and the indexes.
fn is_derived(what: &str) -> bool {
    ["database", TAIL, "life", "chain", "round", "node"].contains(&what)
}

/// What of the state does not follow from the log.
async fn compare(
    core: &Core,
    read: &mut dyn Read,
    head: &Head,
    from_log: &FromLog,
) -> Vec<FsckFault> {
    let mut faults: Vec<FsckFault> = Vec::new();
    if let Err(error) = compare_lives(core, read, from_log, &mut faults).await {
        faults.push(fault(table_of(&error), &error));
    }
    let tables = from_log.judge.remembered().tables;
    for some in tables.chunks(100) {
        let names: Vec<_> = some.iter().map(|(table, _)| table.clone()).collect();
        match read.tables(&names).await {
            Ok(found) if found == some => {}
            Ok(_) => {
                faults.push(fault("chain", &"a table's last commitment is another one in the log"))
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
    if let Err(error) = read_memos(read).await {
        faults.push(fault("memo", &error));
    }
    read_answers(read, head, &mut faults).await;
    faults
}

/// The table that an error of `lives_from` is about.
fn table_of(error: &LedgerError) -> &'static str {
    let says = error.to_string();
    // A page that cannot be read is no row: the store's own check names it too.
    if says.contains("malformed") {
        "database"
    } else if says.contains("life ") || says.contains("in life") {
        "life"
    } else {
        "commitment"
    }
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
                    "commitment {commitment} of entry {} stands otherwise in the log",
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

/// Nothing follows from memos: each is only held against its checksum.
async fn read_memos(read: &mut dyn Read) -> Result<(), LedgerError> {
    let mut last = None;
    loop {
        last = read.memos_after(last.as_ref(), PAGE).await?.pop();
        if last.is_none() {
            return Ok(());
        }
    }
}

/// Nothing follows from answers to keys either. Each damaged one is named: rows are asked for one by one around it.
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

/// Makes the tables that follow from the log again. Returns what of the state still does not follow from it. Without its commit none of
/// it is done.
async fn rebuild(
    core: &Core,
    mut transaction: Box<dyn Transaction>,
    head: &Head,
    from_log: &FromLog,
) -> Result<Vec<FsckFault>, LedgerError> {
    transaction.clear_derived().await?;
    let derived = Derived {
        lives: from_log.lives(),
        tables: from_log.judge.remembered().tables,
        nodes: from_log.nodes.clone(),
        rounds: Vec::new(),
        tail: from_log.tail.clone(),
    };
    transaction.derive(&derived).await?;
    let size = head.frontier.size();
    let lives: BTreeMap<Commitment, &StoredLife> =
        derived.lives.iter().map(|stored| (stored.life.commit.commitment, stored)).collect();
    for bundle in 0..size.div_ceil(u64::from(TILE_WIDTH)) {
        let path = TilePath::at_size(Level::Entries, bundle, size);
        let path = path.map_err(|e| LedgerError::Damaged(e.to_string()))?;
        let entries = core.tree(&mut *transaction, head).bundle(path).await?;
        let first = bundle * u64::from(TILE_WIDTH);
        let rounds = (first..).zip(entries).filter_map(|(index, bytes)| {
            let entry = Entry::parse(&bytes).ok()?;
            let stored = lives.get(&entry.commitment())?;
            round_entry(stored.life.index, stored.ended_at, (index, &entry))
        });
        transaction.derive(&Derived { rounds: rounds.collect(), ..Derived::default() }).await?;
    }
    let left = compare(core, &mut *transaction, head, from_log).await;
    transaction.commit().await?;
    Ok(left)
}
