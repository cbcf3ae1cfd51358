//! Nodes of one ledger on PostgreSQL with three witnesses: they make one log, and from an older dump
//! of their state they deal nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fairdeal::deal::Commitment;
use fairdeal_ledger::store::{NewFile, Postgres, State as _, Step, StoreFuture, Tiles};
use fairdeal_ledger::{Ledger, LedgerError, LedgerOptions, Parts};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
use tokio::sync::Mutex;

use super::ours::{Ours, parsed, two_of};
use super::{anchors, audits, note, quick, until};
use crate::external::postgres_server::Server;
use crate::ledger_support::*;

/// A ledger whose state is in PostgreSQL and whose files are in a folder.
pub(super) struct Shared {
    pub(super) home: Home,
    url: String,
    witnesses: [Ours; 3],
    pub(super) policy: String,
}

impl Shared {
    pub(super) async fn new() -> Self {
        let (home, url) = (Home::quick().await, Server::shared().new_url());
        let parts = Parts::of_folder(home.path(), options()).await.expect("a ledger");
        let first = parts.state.read().await.expect("reads").head().await.expect("a head");
        Postgres::create(&url, options().wait, &first).await.expect("made");
        let witnesses = Ours::three(home.path(), &home.key);
        let policy = two_of(&witnesses);
        Self { home, url, witnesses, policy }
    }

    pub(super) async fn parts(&self, options: LedgerOptions) -> Parts {
        let state = Arc::new(Postgres::open(&self.url, options.wait).await.expect("opens"));
        let parts = Parts::of_folder(self.home.path(), options).await.expect("a ledger");
        Parts { state, ..parts }
    }

    async fn node(&self, publish_wait: u64) -> Ledger {
        let parts = self.parts(quick(&parsed(&self.policy), publish_wait)).await;
        Ledger::open_on(parts).await.expect("opens")
    }

    /// A node that waits a second for the right to publish, and then does without it: its store
    /// checks each step.
    async fn node_without_lease(&self, publishing: &Arc<Mutex<()>>) -> Ledger {
        let options = quick(&parsed(&self.policy), 20);
        let parts = self.parts(LedgerOptions { wait: Duration::from_secs(1), ..options }).await;
        let tiles = Conditional { folder: parts.tiles, publishing: Arc::clone(publishing) };
        Ledger::open_on(Parts { tiles: Arc::new(tiles), ..parts }).await.expect("opens")
    }

    /// A connection to the schema, and its tables.
    async fn sql(&self) -> (PgConnection, Vec<String>) {
        let (base, query) = self.url.split_once('?').expect("a schema");
        let schema = query.split('&').find_map(|one| one.strip_prefix("schema="));
        let mut sql = PgConnection::connect(&format!("{base}?sslmode=disable")).await.expect("it");
        let path = sqlx::query("SELECT set_config('search_path', $1, false)").bind(schema);
        path.execute(&mut sql).await.expect("set");
        let tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() \
                      AND tablename NOT LIKE 'saved%' ORDER BY 1";
        let tables = sqlx::query_scalar(tables).fetch_all(&mut sql).await.expect("asked");
        (sql, tables)
    }

    /// Saves the state in tables of its own, and the published files in a folder.
    async fn save(&self, name: &str) -> tempfile::TempDir {
        let (mut sql, tables) = self.sql().await;
        let mut transaction = sql.begin().await.expect("begun");
        transaction.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ").await.expect("set");
        for table in tables {
            let saved = format!("CREATE TABLE saved_{name}_{table} AS TABLE {table}");
            transaction.execute(AssertSqlSafe(saved)).await.expect("saved");
        }
        transaction.commit().await.expect("committed");
        let files = quick_folder();
        copy(&self.home.public(), files.path());
        files
    }

    /// Puts the state back, under nodes that run, and the files if there are some.
    async fn put_back(&self, name: &str, files: Option<&Path>) {
        let (mut sql, tables) = self.sql().await;
        let mut transaction = sql.begin().await.expect("begun");
        transaction.execute("SET session_replication_role = replica").await.expect("set");
        for table in tables {
            let back = format!(
                "LOCK {table}; DELETE FROM {table}; \
                 INSERT INTO {table} SELECT * FROM saved_{name}_{table}"
            );
            transaction.execute(AssertSqlSafe(back)).await.expect("put back");
        }
        transaction.commit().await.expect("committed");
        let Some(files) = files else { return };
        let public = self.home.public();
        for entry in std::fs::read_dir(&public).expect("a folder").flatten() {
            if entry.file_type().expect("a type").is_dir() {
                std::fs::remove_dir_all(entry.path()).expect("removed");
            } else {
                std::fs::remove_file(entry.path()).expect("removed");
            }
        }
        copy(files, &public);
    }
}

/// A folder that replaces the checkpoint for one node at a time, as a bucket does.
#[derive(Debug)]
struct Conditional {
    folder: Arc<dyn Tiles>,
    publishing: Arc<Mutex<()>>,
}

impl Tiles for Conditional {
    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Vec<u8>>> {
        self.folder.get(path)
    }

    fn create(&self, files: Vec<NewFile>) -> StoreFuture<'_, Option<String>> {
        self.folder.create(files)
    }

    fn publish(&self, files: Vec<NewFile>, checkpoint: Step) -> StoreFuture<'_, Option<String>> {
        Box::pin(async move {
            let _alone = self.publishing.lock().await;
            self.folder.publish(files, checkpoint).await
        })
    }

    fn is_conditional(&self) -> bool {
        true
    }

    fn sync(&self) -> StoreFuture<'_, ()> {
        self.folder.sync()
    }

    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()> {
        self.folder.replace(path, bytes)
    }

    fn list<'a>(&'a self, folder: &'a str) -> StoreFuture<'a, BTreeMap<String, u64>> {
        self.folder.list(folder)
    }

    fn remove_partials(&self, full: Vec<String>) -> StoreFuture<'_, ()> {
        self.folder.remove_partials(full)
    }

    fn tidy(&self) -> StoreFuture<'_, ()> {
        self.folder.tidy()
    }
}

/// Asks again where no connection to the database became free in time: on a machine that does a lot
/// else, some nodes wait only a second.
async fn unless_busy<T, F: Future<Output = Result<T, LedgerError>>>(
    ask: impl Fn() -> F,
) -> Result<T, LedgerError> {
    loop {
        match ask().await {
            Err(error) if error.code() == "busy" => {}
            done => return done,
        }
    }
}

/// Deals at both nodes at once: 200 rounds in one order.
async fn both_deal(shared: &Shared, one: Ledger, two: Ledger, c: Commitment) {
    let mut tasks = Vec::new();
    for ledger in [&one, &two] {
        for lane in 0..4 {
            let ledger = ledger.clone();
            tasks.push(tokio::spawn(async move {
                let mut nonces = Vec::new();
                for n in 0..25 {
                    let deal = || ledger.deal(c, round(&format!("{lane}/{n}")), None);
                    let nonce = unless_busy(deal).await.expect("dealt").nonce;
                    unless_busy(|| ledger.receipt(c, nonce)).await.expect("a receipt");
                    nonces.extend(nonce);
                }
                nonces
            }));
        }
    }
    let mut nonces = BTreeSet::new();
    for task in tasks {
        nonces.extend(task.await.expect("ended").into_iter().map(fairdeal::deal::Nonce::value));
    }
    assert_eq!(nonces, (0..200).collect());
    for ledger in [&one, &two] {
        let health = ledger.health().witnesses;
        assert!(health.each.iter().all(|one| one.claim.is_none()), "{health:?}");
    }
    // One of them ends, and the other has its answers and its anchors.
    one.close().await.expect("closed");
    let last = two.deal(c, round("last"), None).await.expect("dealt").index;
    until("an anchor over it", || {
        anchors(&shared.home).last().is_some_and(|one| one.size.value() > last)
    })
    .await;
    two.close().await.expect("closed");
    let sizes: Vec<u64> = anchors(&shared.home).iter().map(|one| one.size.value()).collect();
    assert!(sizes.is_sorted_by(|one, next| one < next), "{sizes:?}");
    assert_eq!(shared.home.audit().findings, []);
    audits(&shared.home, &shared.policy, true);
    for witness in &shared.witnesses {
        assert_eq!(witness.evidence().await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_that_ask_the_same_witnesses_without_the_right_to_publish_make_one_log() {
    let shared = Shared::new().await;
    let publishing = Arc::default();
    let one = shared.node_without_lease(&publishing).await;
    let two = shared.node_without_lease(&publishing).await;
    let c = one.commit(terms("main"), None).await.expect("committed").commitment;
    until("both have begun", || !one.health().witnesses.waits && !two.health().witnesses.waits)
        .await;
    // Somebody has it and hangs.
    let hung = Postgres::open(&shared.url, Duration::from_secs(5)).await.expect("opens");
    let lease = hung.next_lease().await.expect("asked").expect("it was let go");
    both_deal(&shared, one, two, c).await;
    drop(lease);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_on_postgresql_that_ask_the_same_witnesses_make_one_log() {
    let shared = Shared::new().await;
    let (one, two) = (shared.node(20).await, shared.node(20).await);
    let c = one.commit(terms("main"), None).await.expect("committed").commitment;
    both_deal(&shared, one, two, c).await;
}

/// A ledger whose older dump is back under its running nodes, while the witnesses have signed more.
struct Stale {
    shared: Shared,
    /// A node that has seen nothing of what came after the dump, and one that made it.
    idle: Ledger,
    busy: Ledger,
    commitment: Commitment,
    newest: tempfile::TempDir,
    /// The published note.
    note: String,
}

impl Stale {
    /// `with_files`: the published files are the older ones too.
    async fn new(with_files: bool) -> Self {
        let shared = Shared::new().await;
        let busy = shared.node(2).await;
        let c = busy.commit(terms("main"), None).await.expect("committed").commitment;
        let idle = shared.node(2).await;
        idle.deal(c, round("a"), None).await.expect("dealt");
        let old = shared.save("old").await;
        let mut last = 0;
        for seed in 0..9 {
            last = busy.deal(c, round(&format!("{seed}")), None).await.expect("dealt").index;
        }
        // Nothing more is written once an anchor is over the last deal.
        let anchored = || anchors(&shared.home).last().is_some_and(|one| one.size.value() > last);
        until("an anchor over the last deal", anchored).await;
        let size = note(&shared.home).unverified().size();
        let all_have = || busy.health().witnesses.each.iter().all(|one| one.signed >= Some(size));
        until("all have signed", all_have).await;
        let newest = shared.save("new").await;
        shared.put_back("old", with_files.then(|| old.path())).await;
        let note = note(&shared.home).to_text();
        Self { shared, idle, busy, commitment: c, newest, note }
    }

    /// Deals at a node, so many rounds at once, of which none is answered.
    async fn try_deals(&self, node: &Ledger, count: u32) {
        let deals = (0..count).map(|number| {
            let node = node.clone();
            async move { node.deal(self.commitment, round(&format!("z{number}")), None).await }
        });
        for dealt in futures::future::join_all(deals).await {
            dealt.expect_err("the witnesses know more");
        }
        assert_eq!(note(&self.shared.home).to_text(), self.note, "nothing is published");
    }

    /// The newest state comes back, and goes on. Returns the other views that each witness keeps.
    async fn ends(self) -> Vec<usize> {
        for node in [self.idle, self.busy] {
            drop(node.close().await);
        }
        assert_eq!(note(&self.shared.home).to_text(), self.note);
        self.shared.put_back("new", Some(self.newest.path())).await;
        let node = self.shared.node(20).await;
        node.deal(self.commitment, round("e"), None).await.expect("dealt");
        node.close().await.expect("closed");
        assert_eq!(self.shared.home.audit().findings, []);
        audits(&self.shared.home, &self.shared.policy, true);
        futures::future::join_all(self.shared.witnesses.iter().map(Ours::evidence)).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_an_older_dump_under_running_nodes_nothing_is_dealt_and_the_newest_one_goes_on() {
    let stale = Stale::new(true).await;
    let started = stale.shared.node(2).await;
    for node in [&stale.idle, &stale.busy, &started] {
        for _ in 0..3 {
            stale.try_deals(node, 1).await;
        }
    }
    drop(started.close().await);
    assert_eq!(stale.ends().await, [0; 3], "no other view of the log was shown to anybody");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_witness_sees_a_batch_that_is_larger_than_what_an_older_dump_lacks() {
    let stale = Stale::new(false).await;
    stale.try_deals(&stale.idle, 60).await;
    assert_eq!(stale.ends().await, [0; 3]);
}

/// Only the witnesses know that there was more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_older_files_and_an_older_dump_nothing_is_answered_but_witnesses_may_keep_another_view()
{
    let stale = Stale::new(true).await;
    stale.try_deals(&stale.idle, 60).await;
    let kept = stale.ends().await;
    assert!(kept.iter().all(|count| *count > 0), "{kept:?}");
}
