//! A sample log with all its files in memory, for the benches that audit.

use std::collections::BTreeMap;
use std::sync::Arc;

use fairdeal::log::{
    Checkpoint, EntryBundle, Frontier, Level, Policy, TileBuilder, TilePath, VerifierKey, leaf_hash,
};
use fairdeal::sample::{Sample, SampleTerms};
use fairdeal_audit::source::{AuditOptions, Files, LogSource, ReadError};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// A log's files, by their paths.
pub(crate) type LogFiles = Arc<BTreeMap<String, Vec<u8>>>;

#[derive(Debug)]
struct Memory(LogFiles);

impl Files for Memory {
    fn name(&self) -> String {
        "memory".to_owned()
    }

    fn read(&self, path: &str, _at_most: u64) -> Result<Vec<u8>, ReadError> {
        self.0.get(path).cloned().ok_or(ReadError::Missing)
    }
}

/// A log's entries, as they are and in bundles.
pub(crate) struct MemoryLog {
    pub(crate) key: VerifierKey,
    pub(crate) entries: Vec<String>,
    pub(crate) bundles: Vec<Vec<u8>>,
    /// The policy of its auditor.
    pub(crate) policy: Option<Arc<Policy>>,
}

impl MemoryLog {
    pub(crate) fn of(terms: &SampleTerms) -> Result<Self, Box<dyn std::error::Error>> {
        let key = Sample::signer(terms, 1)?.verifier().clone();
        let entries = Sample::new(terms, 1)?.collect::<Result<_, _>>()?;
        let mut log = Self { key, entries, bundles: Vec::new(), policy: None };
        log.bundle()?;
        Ok(log)
    }

    /// Makes the bundles of the entries.
    pub(crate) fn bundle(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        let bundle = |chunk: &[String]| {
            EntryBundle::new(chunk.iter().map(|entry| entry.clone().into_bytes()).collect())
        };
        let bundles = self.entries.chunks(256).map(|chunk| Ok(bundle(chunk)?.to_bytes()));
        self.bundles = bundles.collect::<Result<_, Box<dyn std::error::Error>>>()?;
        Ok(())
    }

    pub(crate) fn files(&self) -> Result<LogFiles, Box<dyn std::error::Error>> {
        let (mut tree, mut tiles, mut made) = (Frontier::new(), TileBuilder::default(), Vec::new());
        for entry in &self.entries {
            tree.push_with(leaf_hash(entry.as_bytes()), |node, hash| {
                made.extend(tiles.add(node, hash));
            })?;
        }
        made.extend(tiles.partial());
        let mut files: BTreeMap<String, Vec<u8>> =
            made.into_iter().map(|(path, tile)| (path.to_text(), tile.to_bytes())).collect();
        for (index, bundle) in (0..).zip(&self.bundles) {
            let path = TilePath::at_size(Level::Entries, index, tree.size())?;
            files.insert(path.to_text(), bundle.clone());
        }
        let signer = Sample::signer(&SampleTerms::default(), 1)?;
        let note = Checkpoint::new(signer.verifier().name().as_str(), tree.size(), tree.root())?
            .sign(&signer)?;
        files.insert("checkpoint".to_owned(), note.to_text().into_bytes());
        Ok(Arc::new(files))
    }

    /// The audit of the command, with every file read and every tile compared.
    pub(crate) fn audit(&self, files: &LogFiles, statistics: bool) -> bool {
        let source = LogSource::open(Box::new(Memory(Arc::clone(files))));
        source.is_ok_and(|mut source| {
            let options = AuditOptions {
                statistics,
                policy: self.policy.as_ref(),
                ..AuditOptions::under(&self.key)
            };
            source.audit(&options, |_, _| {}).is_ok_and(|audited| audited.verdict.holds)
        })
    }
}

/// Only one core: the thread that reads ahead is started by a thread on this core, and so stays on
/// it too.
pub(crate) fn one_core() -> Result<ThreadPool, ThreadPoolBuildError> {
    let core = core_affinity::get_core_ids().and_then(|cores| cores.first().copied());
    let stay = move |_| {
        core.map(core_affinity::set_for_current);
    };
    ThreadPoolBuilder::new().num_threads(1).start_handler(stay).build()
}

pub(crate) fn two_cores() -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(2).build()
}
