//! One suite of tests for all stores of published files.

use std::collections::BTreeMap;

use fairdeal_ledger::store::{Fault, NewFile, Step, StoreError, TileFolder, Tiles};

use super::ledger_support::quick_folder;

fn file(path: &str, bytes: &[u8]) -> NewFile {
    (path.to_owned(), bytes.to_vec().into())
}

fn step(from: &str, to: &str) -> Step {
    Step { from: from.as_bytes().to_vec(), to: to.as_bytes().to_vec() }
}

async fn text(tiles: &dyn Tiles, path: &str) -> Option<String> {
    tiles.get(path).await.expect("is asked").map(|bytes| String::from_utf8(bytes).expect("UTF-8"))
}

/// Runs the suite on an empty store.
pub(crate) async fn conforms(tiles: &dyn Tiles) {
    tiles.tidy().await.expect("tidied");
    what_is_missing_is_none(tiles).await;
    creating_never_overwrites(tiles).await;
    only_the_checkpoint_that_was_meant_is_replaced(tiles).await;
    a_large_file_comes_back_as_it_was(tiles).await;
    many_files_are_listed_and_partial_ones_are_removed(tiles).await;
    tiles.tidy().await.expect("tidied");
    assert_eq!(text(tiles, "checkpoint").await.as_deref(), Some("three"));
}

async fn what_is_missing_is_none(tiles: &dyn Tiles) {
    for path in ["checkpoint", "tile/0/000", "tile/entries/000.p/7"] {
        assert_eq!(tiles.get(path).await.expect("is asked"), None, "{path}");
    }
    assert_eq!(tiles.list("tile").await.expect("listed"), BTreeMap::new());
    tiles.remove_partials(vec!["tile/0/000".to_owned()]).await.expect("there is nothing to remove");
}

async fn creating_never_overwrites(tiles: &dyn Tiles) {
    let files = vec![file("tile/0/000.p/1", b"one"), file("tile/entries/000.p/1", b"entry")];
    for _ in 0..2 {
        assert_eq!(tiles.create(files.clone()).await.expect("created"), None);
    }
    let other = tiles.create(vec![file("tile/0/000.p/1", b"two")]).await.expect("asked");
    assert_eq!(other.as_deref(), Some("tile/0/000.p/1"));
    assert_eq!(text(tiles, "tile/0/000.p/1").await.as_deref(), Some("one"));
    tiles.replace("tile/0/000.p/1", b"mended".to_vec()).await.expect("replaced");
    assert_eq!(text(tiles, "tile/0/000.p/1").await.as_deref(), Some("mended"));
}

async fn only_the_checkpoint_that_was_meant_is_replaced(tiles: &dyn Tiles) {
    let raced = |result: Result<Option<String>, StoreError>| match result {
        Err(error) => assert_eq!(error.fault, Fault::Raced, "{error}"),
        Ok(done) => panic!("expected a lost race, found {done:?}"),
    };
    raced(tiles.publish(Vec::new(), step("", "one")).await);
    assert_eq!(text(tiles, "checkpoint").await, None);
    assert_eq!(tiles.create(vec![file("checkpoint", b"one")]).await.expect("created"), None);
    // The first checkpoint of another log does not overwrite this one.
    let other = tiles.create(vec![file("checkpoint", b"another log's")]).await.expect("asked");
    assert_eq!(other.as_deref(), Some("checkpoint"));
    let new = || vec![file("tile/0/000.p/2", b"two")];
    assert_eq!(tiles.publish(new(), step("one", "two")).await.expect("published"), None);
    assert_eq!(text(tiles, "tile/0/000.p/2").await.as_deref(), Some("two"));
    // A publisher that was overtaken.
    raced(tiles.publish(new(), step("one", "late")).await);
    let differs = vec![file("tile/0/000.p/2", b"of another log")];
    let other = tiles.publish(differs, step("two", "three")).await.expect("asked");
    assert_eq!(other.as_deref(), Some("tile/0/000.p/2"));
    assert_eq!(text(tiles, "checkpoint").await.as_deref(), Some("two"));
    assert_eq!(tiles.publish(Vec::new(), step("two", "three")).await.expect("published"), None);
    assert_eq!(text(tiles, "checkpoint").await.as_deref(), Some("three"));
}

async fn a_large_file_comes_back_as_it_was(tiles: &dyn Tiles) {
    // 256 entries of 64 KiB each, behind their lengths: the largest bundle.
    let bytes: Vec<u8> = (0_u32..256 * 65_537)
        .map(|at| at.to_le_bytes()[usize::from(at.is_multiple_of(7))])
        .collect();
    tiles.create(vec![file("tile/entries/001", &bytes)]).await.expect("created");
    assert!(tiles.get("tile/entries/001").await.expect("read").as_deref() == Some(&bytes));
}

async fn many_files_are_listed_and_partial_ones_are_removed(tiles: &dyn Tiles) {
    let before = tiles.list("tile").await.expect("listed");
    assert!(
        !before.contains_key("checkpoint") && before.contains_key("tile/entries/001"),
        "{before:?}"
    );
    let many: Vec<_> = (0..2_000_u32)
        .map(|n| file(&format!("tile/0/x001/{:03}.p/{}", n / 250, n % 250 + 1), &n.to_le_bytes()))
        .collect();
    assert_eq!(tiles.create(many.clone()).await.expect("created"), None);
    let mut listed = tiles.list("tile").await.expect("listed");
    listed.retain(|path, _| !before.contains_key(path));
    let wanted: BTreeMap<String, u64> = many.iter().map(|(path, _)| (path.clone(), 4)).collect();
    assert!(listed == wanted, "{} files", listed.len());
    // A name that begins as another one is another one.
    tiles
        .remove_partials(vec!["tile/0/x001/000".to_owned(), "tile/0/x001/00".to_owned()])
        .await
        .expect("removed");
    let left = tiles.list("tile").await.expect("listed");
    assert_eq!(left.len(), before.len() + 1_750);
    assert!(left.keys().all(|path| !path.starts_with("tile/0/x001/000.p/")));
}

#[tokio::test]
async fn a_folder_does_what_a_store_of_published_files_must() {
    let dir = quick_folder();
    conforms(&TileFolder::open(dir.path()).expect("opens")).await;
}

#[cfg(feature = "s3")]
mod bucket {
    use std::fmt;
    use std::sync::Arc;

    use fairdeal_ledger::store::{Bucket, Fault, Tiles};
    use futures::future::join_all;
    use futures::stream::BoxStream;
    use object_store::memory::InMemory;
    use object_store::path::Path;
    use object_store::{
        Attribute, CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
        ObjectStore, ObjectStoreExt as _, PutMode, PutMultipartOptions, PutOptions, PutPayload,
        PutResult, Result,
    };

    use super::*;

    fn on(store: &Arc<InMemory>, url: &str) -> Bucket {
        Bucket::on(Arc::<InMemory>::clone(store), url.parse().expect("a bucket"))
    }

    #[tokio::test]
    async fn a_bucket_does_what_a_store_of_published_files_must_whatever_its_prefix() {
        let store = Arc::new(InMemory::new());
        for url in ["s3://logs", "s3://logs/a", "s3://logs/a/b c/ü+&=%2F"] {
            conforms(&on(&store, url)).await;
        }
    }

    #[tokio::test]
    async fn a_read_that_gets_no_answer_ends_long_before_a_write_would() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = silent.local_addr().expect("an address");
        let set = [
            ("AWS_ENDPOINT_URL", format!("http://{address}")),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "here".to_owned()),
            ("AWS_ACCESS_KEY_ID", "a".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "b".to_owned()),
        ];
        let set = set.map(|(name, value)| (name.to_owned(), value));
        let bucket = Bucket::open_with("s3://logs", set).expect("opens");
        let read = bucket.get("checkpoint");
        let read = tokio::time::timeout(std::time::Duration::from_secs(8), read).await;
        let error = read.expect("it ends within half of a write's time").expect_err("no answer");
        assert_eq!(error.fault, Fault::Unreachable, "{error}");
    }

    #[tokio::test]
    async fn of_many_publishers_at_once_exactly_one_replaces_the_checkpoint() {
        let store = Arc::new(InMemory::new());
        let first = on(&store, "s3://logs/log");
        first.create(vec![file("checkpoint", b"0")]).await.expect("created");
        for round in 0..20 {
            let from = text(&first, "checkpoint").await.expect("is there");
            let racers = (0..8).map(|n| {
                let (bucket, step) =
                    (on(&store, "s3://logs/log"), step(&from, &format!("{round} by {n}")));
                async move { bucket.publish(Vec::new(), step).await }
            });
            let won = join_all(racers).await;
            assert_eq!(won.iter().filter(|result| result.is_ok()).count(), 1);
        }
    }

    #[tokio::test]
    async fn each_file_carries_the_headers_that_a_reader_needs() {
        let store = Arc::new(InMemory::new());
        let bucket = on(&store, "s3://logs/log");
        bucket
            .create(vec![file("checkpoint", b"0"), file("tile/0/000.p/1", b"1")])
            .await
            .expect("created");
        bucket
            .publish(vec![file("tile/entries/000", b"2")], step("0", "1"))
            .await
            .expect("published");
        for (path, kind, cache) in [
            ("checkpoint", "text/plain; charset=utf-8", "public, max-age=1"),
            ("tile/0/000.p/1", "application/octet-stream", "public, max-age=31536000, immutable"),
            ("tile/entries/000", "application/octet-stream", "public, max-age=31536000, immutable"),
        ] {
            let found =
                store.get(&Path::from(format!("log/{path}"))).await.expect("is there").attributes;
            assert_eq!(found.get(&Attribute::ContentType).map(AsRef::as_ref), Some(kind));
            assert_eq!(found.get(&Attribute::CacheControl).map(AsRef::as_ref), Some(cache));
        }
    }

    #[test]
    fn a_wrong_setting_is_named_and_no_key_is_shown() {
        for (variables, says) in [
            (&[("AWS_ACCESS_KEY_ID", "hunter2")][..], "AWS_SECRET_ACCESS_KEY is missing"),
            (&[("AWS_SECRET_ACCESS_KEY", "hunter2")], "AWS_ACCESS_KEY_ID is missing"),
            (&[("AWS_ENDPOINT_URL", "http://host")], "AWS_ALLOW_HTTP is not true"),
            (&[("AWS_ENDPOINT_URL", "https://me:hunter2@host")], "a user's name or a password"),
            (
                &[("AWS_CA_BUNDLE", "/missing.pem")],
                "AWS_CA_BUNDLE, /missing.pem: expected certificates in PEM",
            ),
        ] {
            let variables =
                variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let error = Bucket::open_with("s3://logs/a", variables).expect_err("a wrong setting");
            assert!(error.to_string().contains(says), "{error}");
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
        let keys = [("AWS_ACCESS_KEY_ID", "hunter2"), ("AWS_SECRET_ACCESS_KEY", "hunter2")];
        let keys = keys.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let bucket = Bucket::open_with("s3://logs/a", keys).expect("opens");
        assert_eq!(format!("{bucket:?}"), "Bucket(s3://logs/a)");
    }

    /// An object store that ignores one of the two conditions, or that does everything twice, as
    /// when an answer was lost and the request was sent again.
    #[derive(Debug)]
    struct Careless {
        inner: InMemory,
        ignores: &'static str,
        repeats: bool,
    }

    impl fmt::Display for Careless {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("careless")
        }
    }

    #[async_trait::async_trait]
    impl ObjectStore for Careless {
        async fn put_opts(
            &self,
            at: &Path,
            bytes: PutPayload,
            options: PutOptions,
        ) -> Result<PutResult> {
            let ignored = match options.mode {
                PutMode::Overwrite => false,
                PutMode::Create => self.ignores == "If-None-Match",
                PutMode::Update(_) => self.ignores == "If-Match",
            };
            let mode = if ignored { PutMode::Overwrite } else { options.mode };
            let options = PutOptions { mode, ..options };
            if self.repeats {
                let _lost = self.inner.put_opts(at, bytes.clone(), options.clone()).await;
            }
            self.inner.put_opts(at, bytes, options).await
        }
        async fn put_multipart_opts(
            &self,
            at: &Path,
            options: PutMultipartOptions,
        ) -> Result<Box<dyn MultipartUpload>> {
            self.inner.put_multipart_opts(at, options).await
        }
        async fn get_opts(&self, at: &Path, options: GetOptions) -> Result<GetResult> {
            self.inner.get_opts(at, options).await
        }
        fn delete_stream(
            &self,
            paths: BoxStream<'static, Result<Path>>,
        ) -> BoxStream<'static, Result<Path>> {
            self.inner.delete_stream(paths)
        }
        fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
            self.inner.list(prefix)
        }
        async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
            self.inner.list_with_delimiter(prefix).await
        }
        async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
            self.inner.copy_opts(from, to, options).await
        }
    }

    #[tokio::test]
    async fn an_object_store_that_ignores_a_condition_is_refused_when_the_ledger_opens() {
        for ignores in ["If-None-Match", "If-Match"] {
            let store = Careless { inner: InMemory::new(), ignores, repeats: false };
            let bucket = Bucket::on(Arc::new(store), "s3://logs/log".parse().expect("a bucket"));
            for _ in 0..2 {
                let error = bucket.tidy().await.expect_err("is refused");
                assert_eq!(error.fault, Fault::Denied);
                assert!(error.to_string().contains(ignores), "{error}");
            }
        }
    }

    #[tokio::test]
    async fn a_write_that_was_done_and_is_sent_again_is_done() {
        let store = Careless { inner: InMemory::new(), ignores: "", repeats: true };
        conforms(&Bucket::on(Arc::new(store), "s3://logs/log".parse().expect("a bucket"))).await;
    }
}
