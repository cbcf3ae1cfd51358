//! Published files in a bucket of an object store that speaks S3's protocol.
//!
//! The store must keep the conditions `If-None-Match: *` and `If-Match`: a file is created once,
//! and the checkpoint is replaced only where it is still the one that its replacement was made for.
//! So a publisher that was overtaken, by whatever path, can never move the checkpoint back.
//! [`Tiles::tidy`], which every ledger calls when it opens, tries both conditions out.
//!
//! Everybody may read such a bucket: each file carries its headers.

mod client;
mod crypto;
mod fault;
mod url;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures::{FutureExt as _, StreamExt as _, TryStreamExt as _, stream};
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions,
    PutPayload, UpdateVersion,
};

pub use self::url::{BucketUrl, BucketUrlError};

use self::client::Clients;
use super::StoreFuture;
use super::error::{Fault, StoreError};
use super::tiles::{NewFile, Served, Step, Tiles};

/// Requests at once.
const AT_ONCE: usize = 16;

/// The name of a file that [`Tiles::tidy`] writes and removes.
const TRIAL: &str = ".trial";

/// A bucket, or the part of it under a prefix.
#[derive(Clone)]
pub struct Bucket {
    inner: Arc<Inner>,
}

struct Inner {
    store: Arc<dyn ObjectStore>,
    /// The same for reads, with a client that waits less.
    reader: Arc<dyn ObjectStore>,
    url: BucketUrl,
    /// The checkpoint that was read or written last, and its version: who replaces it need not read
    /// it again.
    known: Mutex<Option<(Vec<u8>, UpdateVersion)>>,
}

impl fmt::Debug for Bucket {
    /// Nothing that holds a key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bucket({})", self.inner.url)
    }
}

impl Bucket {
    /// The bucket at `s3://BUCKET/PREFIX`. Region, endpoint and credentials come from the usual
    /// environment variables (`AWS_REGION`, `AWS_ENDPOINT_URL`, `AWS_ALLOW_HTTP`,
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_CA_BUNDLE`), or the
    /// credentials from the machine's role. Nothing is asked of the network.
    ///
    /// # Errors
    /// [`StoreError`] where the URL or a variable is wrong. It never shows a key.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(
            url,
            std::env::vars_os().filter_map(|(name, value)| {
                Some((name.into_string().ok()?, value.into_string().ok()?))
            }),
        )
    }

    /// The same with other variables than the environment's.
    ///
    /// # Errors
    /// [`StoreError`] where the URL or a variable is wrong. It never shows a key.
    pub fn open_with(
        url: &str,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, StoreError> {
        let parsed: BucketUrl = url
            .parse()
            .map_err(|e: BucketUrlError| StoreError::new(Fault::Denied, url, e.to_string()))?;
        let Clients { writer, reader } = client::open(&parsed, variables)?;
        Ok(Self::on_both(Arc::new(writer), Arc::new(reader), parsed))
    }

    /// Files in an object store of the caller's own.
    pub fn on(store: Arc<dyn ObjectStore>, url: BucketUrl) -> Self {
        Self::on_both(Arc::clone(&store), store, url)
    }

    fn on_both(store: Arc<dyn ObjectStore>, reader: Arc<dyn ObjectStore>, url: BucketUrl) -> Self {
        Self { inner: Arc::new(Inner { store, reader, url, known: Mutex::default() }) }
    }

    fn at(&self, path: &str) -> Result<Path, StoreError> {
        let whole = self.inner.url.key(path);
        Path::parse(&whole).map_err(|e| StoreError::new(Fault::Denied, whole, e.to_string()))
    }

    fn said(&self, path: &str, error: &Error) -> StoreError {
        fault::said(format!("{}/{path}", self.inner.url), error)
    }

    /// A file's bytes and version.
    async fn read(&self, path: &str) -> Result<Option<(Vec<u8>, UpdateVersion)>, StoreError> {
        let read = async {
            let found =
                self.inner.reader.get(&self.at(path)?).await.map_err(|e| self.said(path, &e))?;
            let version = UpdateVersion {
                e_tag: found.meta.e_tag.clone(),
                version: found.meta.version.clone(),
            };
            let bytes = found.bytes().await.map_err(|e| self.said(path, &e))?.to_vec();
            if path == CHECKPOINT {
                self.know(bytes.clone(), version.clone());
            }
            Ok((bytes, version))
        };
        match read.await {
            Ok(found) => Ok(Some(found)),
            Err(StoreError { fault: Fault::Missing, says, .. }) if says == fault::NO_SUCH_FILE => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    async fn write(
        &self,
        path: &str,
        bytes: PutPayload,
        mode: PutMode,
    ) -> Result<UpdateVersion, Written> {
        let Served { content_type, cache_control } = Served::of(path);
        let attributes = Attributes::from_iter([
            (Attribute::ContentType, content_type),
            (Attribute::CacheControl, cache_control),
        ]);
        let options = PutOptions { mode, attributes, ..PutOptions::default() };
        let at = self.at(path).map_err(Written::Failed)?;
        match self.inner.store.put_opts(&at, bytes, options).await {
            Ok(done) => Ok(done.into()),
            Err(
                Error::AlreadyExists { .. }
                | Error::Precondition { .. }
                | Error::NotModified { .. },
            ) => Err(Written::Refused),
            Err(error) => Err(Written::Failed(self.said(path, &error))),
        }
    }

    /// Creates a file. `false` if it is there with other bytes.
    async fn create_one(&self, path: &str, bytes: Bytes) -> Result<bool, StoreError> {
        match self.write(path, bytes.clone().into(), PutMode::Create).await {
            Ok(_) => Ok(true),
            Err(Written::Failed(error)) => Err(error),
            Err(Written::Refused) => {
                // Another writer's is on its way, or was just removed.
                let missing = || {
                    let says = "it was being written by another, and is not there yet";
                    StoreError::new(Fault::Unreachable, format!("{}/{path}", self.inner.url), says)
                };
                let (found, _) = self.read(path).await?.ok_or_else(missing)?;
                Ok(bytes == found)
            }
        }
    }

    /// The checkpoint that was seen last, and its version.
    fn known(&self) -> MutexGuard<'_, Option<(Vec<u8>, UpdateVersion)>> {
        self.inner.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn know(&self, checkpoint: Vec<u8>, version: UpdateVersion) {
        *self.known() = version.e_tag.is_some().then_some((checkpoint, version));
    }

    async fn create_all(&self, files: Vec<NewFile>) -> Result<Option<String>, StoreError> {
        let one = |(path, bytes): NewFile| async move {
            let same = self.create_one(&path, bytes).await?;
            Ok(if same { None } else { Some(path) })
        };
        let differs = stream::iter(files).map(one).buffer_unordered(AT_ONCE);
        let mut differs = differs.try_filter_map(|path| async move { Ok(path) }).boxed();
        differs.try_next().await
    }

    async fn step(&self, files: Vec<NewFile>, step: Step) -> Result<Option<String>, StoreError> {
        let raced = || {
            let says =
                "it is not the checkpoint that was to be replaced: another publisher was first";
            StoreError::new(Fault::Raced, format!("{}/{CHECKPOINT}", self.inner.url), says)
        };
        let known = self.known().take().filter(|(known, _)| *known == step.from);
        let (found, version) = match known {
            Some(known) => known,
            None => self.read(CHECKPOINT).await?.ok_or_else(raced)?,
        };
        if found != step.from {
            return Err(raced());
        }
        if let Some(other) = self.create_all(files).await? {
            return Ok(Some(other));
        }
        match self.write(CHECKPOINT, step.to.clone().into(), PutMode::Update(version)).await {
            Ok(version) => {
                self.know(step.to, version);
                Ok(None)
            }
            Err(Written::Failed(error)) => Err(error),
            // A request that was sent again finds the work of the first.
            Err(Written::Refused) => match self.read(CHECKPOINT).await? {
                Some((found, _)) if found == step.to => Ok(None),
                _ => Err(raced()),
            },
        }
    }

    /// Finds out whether the store keeps the conditions that everything here rests on.
    async fn try_conditions(&self) -> Result<(), StoreError> {
        let ignored = |condition: &str| {
            let says = format!(
                "this object store ignores {condition}: a log kept there could be overwritten"
            );
            StoreError::new(Fault::Denied, self.inner.url.to_string(), says)
        };
        let trial = || {
            PutPayload::from_static(
                b"fairdeal tries whether this store keeps If-None-Match and If-Match",
            )
        };
        // Left by another trial, it serves as well.
        if let Err(Written::Failed(error)) = self.write(TRIAL, trial(), PutMode::Create).await {
            return Err(error);
        }
        let foreign = UpdateVersion {
            e_tag: Some("\"00000000000000000000000000000000\"".to_owned()),
            version: None,
        };
        for (mode, condition) in
            [(PutMode::Create, "If-None-Match"), (PutMode::Update(foreign), "If-Match")]
        {
            match self.write(TRIAL, trial(), mode).await {
                Err(Written::Refused) => {}
                Err(Written::Failed(error)) => return Err(error),
                Ok(_) => return Err(ignored(condition)),
            }
        }
        let removed = self.inner.store.delete(&self.at(TRIAL)?).await;
        removed.map_err(|e| self.said(TRIAL, &e))
    }

    /// Removes what is under one folder.
    async fn remove_folder(&self, path: String) -> Result<(), StoreError> {
        let folder = self.at(&path)?;
        let found = self.inner.store.list(Some(&folder)).map_ok(|file| file.location).boxed();
        let removed =
            self.inner.store.delete_stream(found).try_for_each(|_| async { Ok(()) }).await;
        removed.map_err(|e| self.said(&path, &e))
    }
}

/// The path of the one file that changes.
const CHECKPOINT: &str = "checkpoint";

/// Why a file was not written.
enum Written {
    /// The store kept the condition: nothing was done.
    Refused,
    Failed(StoreError),
}

impl Tiles for Bucket {
    fn is_conditional(&self) -> bool {
        true
    }

    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Vec<u8>>> {
        async move { Ok(self.read(path).await?.map(|(bytes, _)| bytes)) }.boxed()
    }

    fn create(&self, files: Vec<NewFile>) -> StoreFuture<'_, Option<String>> {
        self.create_all(files).boxed()
    }

    fn publish(&self, files: Vec<NewFile>, checkpoint: Step) -> StoreFuture<'_, Option<String>> {
        self.step(files, checkpoint).boxed()
    }

    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()> {
        async move {
            match self.write(path, bytes.into(), PutMode::Overwrite).await {
                Ok(_) => Ok(()),
                Err(Written::Failed(error)) => Err(error),
                Err(Written::Refused) => {
                    let says = "another was writing it at the same moment";
                    Err(StoreError::new(Fault::Raced, format!("{}/{path}", self.inner.url), says))
                }
            }
        }
        .boxed()
    }

    fn is_durable(&self) -> bool {
        true
    }

    fn sync(&self) -> StoreFuture<'_, ()> {
        async { Ok(()) }.boxed()
    }

    fn list<'a>(&'a self, folder: &'a str) -> StoreFuture<'a, BTreeMap<String, u64>> {
        async move {
            let at = self.at(folder)?;
            let before = at.as_ref().len() - folder.len();
            let files = self.inner.store.list(Some(&at));
            let named =
                files.map_ok(|file| (file.location.as_ref()[before..].to_owned(), file.size));
            named.try_collect().await.map_err(|e| self.said(folder, &e))
        }
        .boxed()
    }

    fn remove_partials(&self, full: Vec<String>) -> StoreFuture<'_, ()> {
        async move {
            let folders = stream::iter(full).map(|path| Ok(format!("{path}.p")));
            folders.try_for_each_concurrent(AT_ONCE, |folder| self.remove_folder(folder)).await
        }
        .boxed()
    }

    fn tidy(&self) -> StoreFuture<'_, ()> {
        self.try_conditions().boxed()
    }
}
