//! The files that were read last, up to so many bytes.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// See the module.
pub(super) struct Recent {
    files: Mutex<Files>,
    most: usize,
}

#[derive(Default)]
struct Files {
    by_path: HashMap<Arc<str>, File>,
    /// The paths by their last use, the oldest first.
    by_use: BTreeMap<u64, Arc<str>>,
    uses: u64,
    bytes: usize,
}

struct File {
    bytes: Arc<[u8]>,
    used: u64,
}

impl Recent {
    pub(super) fn new(most: usize) -> Self {
        Self { files: Mutex::default(), most }
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, path: &str) -> Option<Arc<[u8]>> {
        let mut files = self.files();
        let (path, file) = files.by_path.remove_entry(path)?;
        files.by_use.remove(&file.used);
        let bytes = Arc::clone(&file.bytes);
        files.put(path, file.bytes);
        Some(bytes)
    }

    pub(super) fn insert(&self, path: &str, bytes: Arc<[u8]>) {
        let mut files = self.files();
        files.remove(path);
        files.bytes += bytes.len();
        files.put(path.into(), bytes);
        while files.bytes > self.most
            && let Some((_, oldest)) = files.by_use.first_key_value()
        {
            let oldest = Arc::clone(oldest);
            files.remove(&oldest);
        }
    }

    pub(super) fn forget(&self, path: &str) {
        self.files().remove(path);
    }
}

impl Files {
    fn put(&mut self, path: Arc<str>, bytes: Arc<[u8]>) {
        self.uses += 1;
        self.by_use.insert(self.uses, Arc::clone(&path));
        self.by_path.insert(path, File { bytes, used: self.uses });
    }

    fn remove(&mut self, path: &str) {
        if let Some(file) = self.by_path.remove(path) {
            self.by_use.remove(&file.used);
            self.bytes -= file.bytes.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_longest_ago_goes_first_and_the_bytes_stay_under_the_limit() {
        let recent = Recent::new(10);
        let has = |path| recent.get(path).map(|bytes| bytes.len());
        recent.insert("a", [1; 4].as_slice().into());
        recent.insert("b", [2; 4].as_slice().into());
        assert_eq!(has("a"), Some(4));
        recent.insert("c", [3; 4].as_slice().into());
        assert_eq!((has("a"), has("b"), has("c")), (Some(4), None, Some(4)));
        recent.insert("c", [3; 6].as_slice().into());
        assert_eq!((has("a"), has("c")), (Some(4), Some(6)));
        recent.forget("a");
        assert_eq!((has("a"), recent.files().bytes), (None, 6));
        recent.insert("too large", [4; 11].as_slice().into());
        assert_eq!((has("c"), has("too large"), recent.files().bytes), (None, None, 0));
    }
}
