//! Published files in a real S3 service: moto's, which checks signatures and keeps the conditions
//! of a request. Its data is in its memory.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fairdeal_ledger::store::{Bucket, Fault, Step, Tiles};
use fairdeal_ledger::{Ledger, LedgerError, LedgerOptions, NewReveal, Parts};
use futures::future::join_all;
use tokio::time::Instant;

use super::bucket_server::{Server, python};
use crate::ledger_support::*;
use crate::store_tiles::conforms;

/// A way to the service that can be cut.
struct Proxy {
    address: SocketAddr,
    is_cut: Arc<AtomicBool>,
}

impl Proxy {
    async fn to(service: SocketAddr) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Self { address: listener.local_addr().unwrap(), is_cut: Arc::default() };
        let is_cut = Arc::clone(&proxy.is_cut);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let is_cut = Arc::clone(&is_cut);
                tokio::spawn(async move {
                    let cut = async {
                        while !is_cut.load(Ordering::Relaxed) {
                            tokio::time::sleep(Duration::from_millis(5)).await;
                        }
                    };
                    let both = async {
                        let mut server = tokio::net::TcpStream::connect(service).await?;
                        tokio::io::copy_bidirectional(&mut client, &mut server).await
                    };
                    // Whichever ends first closes both.
                    tokio::select! { () = cut => {}, _ = both => {} }
                });
            }
        });
        proxy
    }

    fn cut(&self, is_cut: bool) {
        self.is_cut.store(is_cut, Ordering::Relaxed);
    }
}

/// Copies a bucket's files to a folder.
async fn download(bucket: &Bucket, to: &Path) {
    let mut paths: Vec<String> = bucket.list("tile").await.expect("listed").into_keys().collect();
    paths.push("checkpoint".to_owned());
    for path in paths {
        let bytes = bucket.get(&path).await.expect("read").expect("is there");
        let file = to.join(&path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
}

/// A ledger in a folder whose published files are in a bucket.
async fn open(home: &Home, bucket: &Bucket, options: LedgerOptions) -> Result<Ledger, LedgerError> {
    let parts = Parts::of_folder(home.path(), options).await?;
    let first = std::fs::read(home.public().join("checkpoint")).unwrap();
    bucket.create(vec![("checkpoint".to_owned(), first.into())]).await?;
    Ledger::open_on(Parts { tiles: Arc::new(bucket.clone()), ..parts }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bucket_of_a_real_service_does_what_a_store_of_published_files_must() {
    let server = Server::start();
    for url in ["s3://logs", "s3://logs/a b/ü+&=%2F"] {
        conforms(&server.bucket(url)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_checks_signatures_takes_ours() {
    let server = Server::strict();
    for prefix in ["", "/log", "/a b"] {
        let bucket = server.bucket(&format!("s3://logs{prefix}"));
        bucket.tidy().await.expect("tidied");
        let files = vec![
            ("checkpoint".to_owned(), b"1".to_vec().into()),
            ("tile/0/000".to_owned(), b"x".to_vec().into()),
        ];
        assert_eq!(bucket.create(files).await.expect("created"), None);
        let step = Step { from: b"1".into(), to: b"2".into() };
        assert_eq!(bucket.publish(Vec::new(), step).await.expect("published"), None);
        assert_eq!(bucket.get("checkpoint").await.expect("read").as_deref(), Some(&b"2"[..]));
        assert_eq!(bucket.get("tile/0/001").await.expect("asked"), None);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_publisher_does_not_move_the_checkpoint_of_a_real_service_back() {
    let server = Server::start();
    let (late, other) = (server.bucket("s3://logs/log"), server.bucket("s3://logs/log"));
    other.create(vec![("checkpoint".to_owned(), b"1".to_vec().into())]).await.expect("created");
    let step = |from: &str, to: &str| Step { from: from.into(), to: to.into() };
    // Many files give the other one time to come first.
    let files = (0..200_u8).map(|n| (format!("tile/0/{n:03}"), vec![n].into())).collect();
    let publishing = tokio::spawn(async move { late.publish(files, step("1", "2")).await });
    while other.get("tile/0/000").await.expect("asked").is_none() {}
    assert_eq!(other.publish(Vec::new(), step("1", "3")).await.expect("published"), None);
    let error = publishing.await.unwrap().expect_err("came late");
    assert_eq!(error.fault, Fault::Raced, "{error}");
    assert_eq!(other.get("checkpoint").await.expect("read").as_deref(), Some(&b"3"[..]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_fault_of_a_service_has_its_kind_and_no_message_shows_a_key() {
    let (server, strict) = (Server::start(), Server::strict());
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut wrong = strict.variables(strict.address);
    wrong.retain(|(name, _)| name != "AWS_SECRET_ACCESS_KEY");
    wrong.push(("AWS_SECRET_ACCESS_KEY".to_owned(), "wrong".to_owned()));
    let mut none = server.variables(server.address);
    none.retain(|(name, _)| !name.contains("KEY"));
    none.push(("AWS_METADATA_ENDPOINT".to_owned(), format!("http://{nobody}")));
    for (url, variables, fault, says) in [
        ("s3://logs/a", none, Fault::Denied, "no credentials: AWS_ACCESS_KEY_ID is not set"),
        (
            "s3://missing/a",
            server.variables(server.address),
            Fault::Missing,
            "there is no such bucket (NoSuchBucket)",
        ),
        (
            "s3://logs/a",
            server.variables(nobody),
            Fault::Unreachable,
            "no answer: Connection refused",
        ),
        ("s3://logs/a", wrong, Fault::Denied, "not allowed (SignatureDoesNotMatch)"),
    ] {
        let bucket = Bucket::open_with(url, variables).expect("opens");
        let file = ("tile/0/000".to_owned(), b"x".to_vec().into());
        let step = Step { from: b"1".into(), to: b"2".into() };
        for error in [
            bucket.get("checkpoint").await.expect_err("fails"),
            bucket.create(vec![file]).await.expect_err("fails"),
            bucket.publish(Vec::new(), step).await.expect_err("fails"),
            bucket.replace("checkpoint", b"1".to_vec()).await.expect_err("fails"),
            bucket.list("tile").await.expect_err("fails"),
            bucket.tidy().await.expect_err("fails"),
        ] {
            assert_eq!(error.fault, fault, "{error}");
            let error = error.to_string();
            assert!(error.starts_with(url) && error.contains(says), "{error}");
            for server in [&server, &strict] {
                assert!(!error.contains(&server.key) && !error.contains(&server.secret), "{error}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_with_a_certificate_of_its_own_is_trusted_only_if_the_bundle_has_it() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    let program = "import sys, datetime, ipaddress
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization as s
from cryptography.hazmat.primitives.asymmetric import ec
key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, 'test')])
now = datetime.datetime.now(datetime.timezone.utc)
made = (x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address('127.0.0.1'))]), False)
        .sign(key, hashes.SHA256()))
open(sys.argv[1], 'wb').write(made.public_bytes(s.Encoding.PEM))
open(sys.argv[2], 'wb').write(key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption()))";
    let made = Command::new(python("python"))
        .args(["-c", program, &at("cert.pem"), &at("key.pem")])
        .status();
    assert!(made.unwrap().success());
    let server = Server::start_with("https", &["-c", &at("cert.pem"), "-k", &at("key.pem")], None);
    let mut variables = server.variables(server.address);
    let stranger = Bucket::open_with("s3://logs/a", variables.clone()).expect("opens");
    let error = stranger.get("checkpoint").await.expect_err("is not trusted");
    assert!(error.to_string().contains("certificate"), "{error}");
    variables.push(("AWS_CA_BUNDLE".to_owned(), at("cert.pem")));
    let known = Bucket::open_with("s3://logs/a", variables).expect("opens");
    let error = known.get("checkpoint").await.expect_err("there is no bucket");
    assert_eq!(error.says, "there is no such bucket (NoSuchBucket)");
}

/// Waits until so many entries are published.
async fn until_published(ledger: &Ledger, entries: u64) {
    let start = Instant::now();
    while ledger.health().published < entries {
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", ledger.health());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ledger_on_a_bucket_stops_dealing_when_the_service_is_gone_and_catches_up_when_it_is_back()
 {
    let server = Server::start();
    let proxy = Proxy::to(server.address).await;
    let bucket =
        Bucket::open_with("s3://logs/log", server.variables(proxy.address)).expect("opens");
    let home = Home::quick().await;
    let (publish_wait, max_lag) = (Duration::from_secs(1), Duration::from_secs(3));
    let ledger = open(&home, &bucket, LedgerOptions { publish_wait, max_lag, ..options() })
        .await
        .expect("opens");
    let c = commit(&ledger).await;
    let deals = |count: u32| {
        let deals = (0..count).map(|n| {
            let ledger = ledger.clone();
            tokio::spawn(async move { ledger.deal(c, round(&n.to_string()), None).await })
        });
        join_all(deals)
    };
    // On a busy machine an answer may come before its entry is published.
    let is_logged = |dealt: &Result<_, LedgerError>| {
        matches!(dealt, Ok(_) | Err(LedgerError::Unpublished { .. }))
    };
    for _ in 0..10 {
        for dealt in deals(100).await {
            let answer = dealt.unwrap();
            assert!(is_logged(&answer), "{answer:?}");
        }
    }
    until_published(&ledger, 1_001).await;

    proxy.cut(true);
    let mut committed = 0;
    let refused = loop {
        let start = Instant::now();
        match ledger.deal(c, round("x"), None).await.expect_err("nobody could see it") {
            LedgerError::Unpublished { why, .. } => {
                assert!(
                    matches!(&*why, LedgerError::Store(error) if error.fault == Fault::Unreachable),
                    "{why}"
                );
                assert!(
                    (publish_wait..max_lag).contains(&start.elapsed()),
                    "{:?}",
                    start.elapsed()
                );
                committed += 1;
            }
            refused => break refused,
        }
    };
    assert!(
        matches!(refused, LedgerError::PublishingBehind { entries, .. } if entries == committed),
        "{refused}"
    );
    assert!((2..=3).contains(&committed), "{committed} in three seconds");
    let health = ledger.health();
    assert_eq!((health.head, health.published, health.behind), (1_001 + committed, 1_001, true));

    proxy.cut(false);
    until_published(&ledger, 1_001 + committed).await;
    for dealt in deals(300).await {
        let answer = dealt.unwrap();
        assert!(is_logged(&answer), "{answer:?}");
    }
    until_published(&ledger, 1_301 + committed).await;
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    ledger
        .receipt(c, Some(fairdeal::deal::Nonce::new(7).unwrap()))
        .await
        .expect("from the bucket's tiles");
    ledger.close().await.expect("closes");
    let copy = tempfile::tempdir().unwrap();
    download(&bucket, copy.path()).await;
    let audit = Audit::of(copy.path(), &home.key);
    assert_eq!((audit.size, audit.findings), (1_302 + committed, vec![]));
    assert!(!copy.path().join("tile/entries/000.p").exists(), "partial files went");

    let again = open(&home, &bucket, options()).await.expect("opens again");
    assert_eq!(
        (again.health().head, again.health().published),
        (1_302 + committed, 1_302 + committed)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_on_one_bucket_make_one_log() {
    let server = Server::start();
    let bucket = server.bucket("s3://logs/log");
    let home = Home::quick().await;
    let nodes = [
        open(&home, &bucket, options()).await.expect("opens"),
        open(&home, &server.bucket("s3://logs/log"), options()).await.expect("opens"),
    ];
    let c = commit(&nodes[0]).await;
    let deals = (0..600_usize).map(|n| {
        let node = nodes[n % 2].clone();
        tokio::spawn(async move { node.deal(c, round(&n.to_string()), None).await })
    });
    for dealt in join_all(deals).await {
        dealt.unwrap().expect("dealt");
    }
    nodes[1].reveal(c, NewReveal::default(), None).await.expect("revealed");
    for node in nodes {
        node.close().await.expect("closes");
    }
    let copy = tempfile::tempdir().unwrap();
    download(&bucket, copy.path()).await;
    let audit = Audit::of(copy.path(), &home.key);
    assert_eq!((audit.size, audit.findings), (602, vec![]));
}
