//! Published files in a folder, for any static file server.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::path::Path as FsPath;

use bytes::Bytes;
use futures::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt as _, PutMode};

use super::StoreFuture;
use super::error::{Fault, StoreError, fault_of};
use super::tiles::{Created, Tiles};

/// A folder of published files.
#[derive(Debug)]
pub struct TileFolder {
    files: LocalFileSystem,
}

impl TileFolder {
    /// Opens an existing folder.
    ///
    /// # Errors
    /// [`StoreError`] where there is none.
    pub fn open(path: &FsPath) -> Result<Self, StoreError> {
        let files =
            LocalFileSystem::new_with_prefix(path).map_err(|e| said(&path.display().to_string(), &e))?;
        // Files and folders are synced before a call returns.
        Ok(Self { files: files.with_fsync(true).with_automatic_cleanup(true) })
    }
}

fn at(path: &str) -> Result<Path, StoreError> {
    Path::parse(path).map_err(|e| StoreError::new(Fault::Missing, path, e.to_string()))
}

/// The innermost I/O error in the chain decides the kind.
fn said(path: &str, error: &Error) -> StoreError {
    let mut fault = if matches!(error, Error::NotFound { .. }) { Fault::Missing } else { Fault::Unknown };
    let mut says = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        if let Some(io) = inner.downcast_ref::<std::io::Error>() {
            fault = fault_of(io);
            says = io.to_string();
        }
        source = inner.source();
    }
    StoreError::new(fault, path, says)
}

impl Tiles for TileFolder {
    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Bytes>> {
        async move {
            let found = match self.files.get(&at(path)?).await {
                Ok(found) => found,
                Err(Error::NotFound { .. }) => return Ok(None),
                Err(error) => return Err(said(path, &error)),
            };
            found.bytes().await.map(Some).map_err(|e| said(path, &e))
        }
        .boxed()
    }

    fn create<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, Created> {
        async move {
            match self.files.put_opts(&at(path)?, bytes.into(), PutMode::Create.into()).await {
                Ok(_) => Ok(Created::New),
                Err(Error::AlreadyExists { .. }) => Ok(Created::Exists),
                Err(error) => Err(said(path, &error)),
            }
        }
        .boxed()
    }

    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()> {
        async move { self.files.put(&at(path)?, bytes.into()).await.map(|_| ()).map_err(|e| said(path, &e)) }
            .boxed()
    }

    fn list(&self) -> StoreFuture<'_, BTreeMap<String, u64>> {
        async move {
            let found = self.files.list(Some(&at("tile")?));
            let named = found.map_ok(|file| (file.location.to_string(), file.size));
            named.try_collect().await.map_err(|e| said("tile", &e))
        }
        .boxed()
    }

    fn remove_partials<'a>(&'a self, full: &'a str) -> StoreFuture<'a, ()> {
        async move {
            let folder = at(&format!("{full}.p"))?;
            let partials = self.files.list(Some(&folder)).map_ok(|found| found.location).boxed();
            let removed: Result<Vec<Path>, Error> = self.files.delete_stream(partials).try_collect().await;
            match removed {
                Ok(_) | Err(Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(said(full, &error)),
            }
        }
        .boxed()
    }
}
