//! State in PostgreSQL: the sentences of every store, a ledger on it, two nodes, and a server that
//! comes and goes.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fairdeal::record::entry::Entry;
use fairdeal_ledger::store::{Fault, Growth, Head, Postgres, State, StoreError};
use fairdeal_ledger::{
    Ledger, LedgerError, LedgerOptions, Location, NewLock, NewReveal, Parts, StatePlace, StateUrl,
};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use super::postgres_server::{PASSWORD, Server};
use crate::ledger_copy::{amid_a_round, copy_to, goes_on, without_state};
use crate::ledger_faulty::{Plan, Truth};
use crate::ledger_races::rounds_are_listed_amid_deals;
use crate::ledger_support::*;
use crate::store_conformance::{Made, WAIT, first_head};

async fn postgres() -> Made {
    let url = Server::shared().new_url();
    let one = Postgres::create(&url, WAIT, &first_head()).await.expect("made");
    let other = Postgres::open(&url, WAIT).await.expect("opens");
    Made { one: Arc::new(one), other: Arc::new(other), kept: Box::new(()) }
}

mod opening;

mod conformance {
    crate::store_conformance::conformance! { super::postgres() }
}

/// A ledger whose keys and tiles are in a folder, and whose state is in PostgreSQL.
struct Node {
    home: Home,
    url: String,
}

impl Node {
    async fn on(server: &Server) -> Self {
        let (home, url) = (Home::quick().await, server.new_url());
        // The first head that `init` has signed.
        let parts = Parts::of_folder(home.path(), options()).await.expect("a ledger");
        let first = parts.state.read().await.expect("reads").head().await.expect("a head");
        Postgres::create(&url, options().wait, &first).await.expect("made");
        Self { home, url }
    }

    async fn parts(&self, options: LedgerOptions) -> Parts {
        let state = Postgres::open(&self.url, options.wait).await.expect("opens");
        Parts {
            state: Arc::new(state),
            ..Parts::of_folder(self.home.path(), options).await.expect("a ledger")
        }
    }

    async fn open(&self) -> Ledger {
        self.open_with(options()).await
    }

    async fn open_with(&self, options: LedgerOptions) -> Ledger {
        Ledger::open_on(self.parts(options).await).await.expect("opens")
    }

    /// A connection that asks the schema itself.
    async fn sql(&self) -> PgConnection {
        let (base, query) = self.url.split_once('?').expect("a schema");
        let schema =
            query.split('&').next().and_then(|one| one.strip_prefix("schema=")).expect("a schema");
        let mut connection =
            PgConnection::connect(&format!("{base}?sslmode=disable")).await.expect("connects");
        let path = sqlx::query("SELECT set_config('search_path', $1, false)").bind(schema);
        path.execute(&mut connection).await.expect("set");
        connection
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ledger_on_postgresql_deals_reveals_and_is_whole() {
    let node = Node::on(Server::shared()).await;
    let ledger = node.open().await;
    let c = commit(&ledger).await;
    let deals = (0..600).map(|n| {
        let ledger = ledger.clone();
        async move { ledger.deal(c, round(&format!("{n}")), key(&format!("{n}"))).await }
    });
    let done = futures::future::try_join_all(deals).await.expect("dealt");
    let nonces: BTreeSet<_> = done.iter().filter_map(|one| one.nonce).collect();
    assert_eq!(nonces.len(), 600);
    ledger.receipt(c, done[599].nonce).await.expect("a receipt");
    assert!(ledger.deal(c, round("7"), key("7")).await.expect("the same").repeated);
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    ledger.close().await.expect("closes");
    let audit = node.home.audit();
    assert_eq!((audit.findings, audit.size), (vec![], 602));
    // Entries in full tiles have left the database.
    let state = Postgres::open(&node.url, WAIT).await.expect("opens");
    let mut read = state.read().await.expect("reads");
    assert_eq!(read.head().await.expect("a head").kept, 512);
    assert_eq!(read.segments(256..512).await.expect("reads"), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_make_one_order_and_no_nonce_twice() {
    let node = Node::on(Server::shared()).await;
    let (one, two) = (node.open().await, node.open().await);
    let c = commit(&one).await;
    let mut tasks = Vec::new();
    for ledger in [&one, &two] {
        for lane in 0..4 {
            let ledger = ledger.clone();
            tasks.push(tokio::spawn(async move {
                let mut nonces = Vec::new();
                for n in 0..40 {
                    let done =
                        ledger.deal(c, round(&format!("{lane}/{n}")), None).await.expect("dealt");
                    // An answer comes after its receipt can be read, on every node.
                    ledger.receipt(c, done.nonce).await.expect("a receipt");
                    nonces.push(done.nonce.expect("a round").value());
                }
                nonces
            }));
        }
    }
    let mut nonces: Vec<u64> = Vec::new();
    for task in tasks {
        nonces.extend(task.await.expect("ended"));
    }
    nonces.sort_unstable();
    assert_eq!(nonces, (0..320).collect::<Vec<u64>>());
    one.close().await.expect("closed");
    two.reveal(c, NewReveal::default(), None).await.expect("revealed");
    two.close().await.expect("closed");
    assert_eq!(node.home.audit().findings, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_call_of_a_deal_fails_it_is_done_once_or_not_at_all() {
    whatever_call_fails(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_call_of_a_lock_with_a_void_fails_both_are_done_once_or_neither() {
    whatever_call_fails(true).await;
}

async fn whatever_call_fails(with_void: bool) {
    let node = Node::on(Server::shared()).await;
    let setup = node.open().await;
    let c = commit(&setup).await;
    if with_void {
        setup.lock(c, locked("x"), None).await.expect("locked");
    }
    setup.close().await.expect("closes");
    let step = async |ledger: &Ledger, done, once| {
        if with_void {
            ledger.lock(c, NewLock { void: Some(void(Some(done))), ..locked("x") }, once).await
        } else {
            ledger.deal(c, round("x"), once).await
        }
    };
    let mut done = 0;
    for n in 0.. {
        let mut reached = false;
        for (truth, fault) in [
            (Truth::Nothing, Fault::Unknown),
            (Truth::Everything, Fault::Unknown),
            (Truth::Nothing, Fault::Busy),
        ] {
            let plan = Plan::default();
            let ledger =
                Ledger::open_on(plan.wrap(node.parts(options()).await)).await.expect("opens");
            plan.arm(Some((n, truth, fault)));
            let once = || key(&format!("{n} {truth:?} {fault:?}"));
            let first = step(&ledger, done, once()).await;
            drop(ledger.close().await);
            reached |= plan.calls().len() > n;
            let ledger = node.open().await;
            let again = step(&ledger, done, once()).await.expect("done");
            if let Ok(first) = first {
                assert_eq!((first.index, &first.entry), (again.index, &again.entry), "call {n}");
            }
            done += 1;
            assert_eq!(
                ledger.show(c).await.expect("is there").next,
                done,
                "call {n} of {:?}",
                plan.calls()
            );
            ledger.close().await.expect("closes");
        }
        if !reached {
            break;
        }
    }
    assert!(done > 30, "{done} cases are too few to have failed every call");
    assert_eq!(node.home.audit().findings, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_the_server_is_killed_amid_deals_none_is_lost_or_dealt_twice_and_the_same_handle_goes_on()
 {
    let server = Server::start();
    let node = Node::on(&server).await;
    // The callers of the moment of the cut are told while the server is still away, and nobody is
    // refused for that.
    let impatient = || LedgerOptions { publish_wait: Duration::from_secs(1), ..options() };
    let mut ledger = node.open_with(impatient()).await;
    let c = commit(&ledger).await;
    let mut acknowledged = Vec::new();
    for cut in 0..3 {
        let tasks: Vec<_> = (0..4)
            .map(|lane| {
                let ledger = ledger.clone();
                tokio::spawn(async move {
                    let mut answers = Vec::new();
                    for n in 0..10_000 {
                        let name = format!("{cut}/{lane}/{n}");
                        match ledger.deal(c, round(&name), key(&name)).await {
                            Ok(done) => answers.push((name, done.index)),
                            Err(error) => return (answers, name, error),
                        }
                    }
                    panic!("the server was not cut off");
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.stop();
        let mut unsettled = Vec::new();
        for task in tasks {
            let (answers, name, error) = task.await.expect("ended");
            assert!(!error.to_string().contains(PASSWORD), "{error}");
            acknowledged.extend(answers);
            unsettled.push(name);
        }
        server.start_again();
        // The same handle goes on, unless it was cut off in COMMIT and the server did not answer
        // when it was asked. It publishes when it tries the next time. What was not answered is done
        // once, now or then.
        for name in std::iter::once(format!("{cut}/alive")).chain(unsettled) {
            loop {
                match ledger.deal(c, round(&name), key(&name)).await {
                    Ok(_) => break,
                    Err(LedgerError::Unpublished { .. }) => {}
                    Err(LedgerError::Stopped(_)) => ledger = node.open_with(impatient()).await,
                    Err(error) => panic!("{error}"),
                }
            }
        }
        for (name, index) in &acknowledged {
            let again = ledger.deal(c, round(name), key(name)).await.expect("is there");
            assert_eq!((again.repeated, again.index), (true, *index), "{name}");
        }
    }
    assert!(acknowledged.len() > 20, "{} deals", acknowledged.len());
    let last = node.open().await;
    last.reveal(c, NewReveal::default(), None).await.expect("revealed");
    let audit = node.home.audit();
    assert_eq!(audit.findings, []);
    let rounds: Vec<_> = audit.entries.iter().filter_map(Entry::nonce).collect();
    assert_eq!(rounds.iter().collect::<BTreeSet<_>>().len(), rounds.len());
}

#[tokio::test]
async fn a_session_that_the_server_ends_before_commit_has_done_nothing_and_the_next_one_works() {
    let node = Node::on(Server::shared()).await;
    let state = Postgres::open(&node.url, options().wait).await.expect("opens");
    let (mut sql, before) =
        (node.sql().await, state.read().await.expect("reads").head().await.expect("a head"));
    let growth = |closed: &str| Growth {
        memos: vec![memo("token", closed, "x")],
        ..Growth::of_head(Head { closed: Some(closed.to_owned()), ..before.clone() })
    };
    let mut transaction = state.begin().await.expect("begins");
    transaction.write(&growth("cut off")).await.expect("written");
    // Whoever holds the lock on this schema's head.
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks \
               WHERE relation = 'ledger'::regclass AND mode = 'RowShareLock' AND pid <> pg_backend_pid()";
    let cut: i64 = sqlx::query_scalar(cut).fetch_one(&mut sql).await.expect("asked");
    assert_eq!(cut, 1);
    let error = transaction.commit().await.expect_err("cut off");
    assert_eq!(error.fault, Fault::Unknown, "what COMMIT did must be asked for: {error}");
    let mut read = state.read().await.expect("reads");
    assert_eq!(read.head().await.expect("a head"), before);
    assert_eq!(read.memos("token", "", None, 9).await.expect("reads"), []);
    state.write_memos(&[memo("token", "next", "x")]).await.expect("written");
    // An idle session that is gone is not noticed by whoever reads.
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
               WHERE application_name = 'fairdeal' AND query LIKE '%memo WHERE kind%' AND pid <> pg_backend_pid()";
    sqlx::query(cut).execute(&mut sql).await.expect("asked");
    assert_eq!(read.memos("token", "", None, 9).await.expect("reads").len(), 1);
}

#[tokio::test]
async fn a_lease_ends_with_its_session() {
    let node = Node::on(Server::shared()).await;
    let (one, other) = (
        Postgres::open(&node.url, options().wait).await.expect("opens"),
        Postgres::open(&node.url, options().wait).await.expect("opens"),
    );
    let lease = one.lease().await.expect("asked").expect("nobody has it");
    assert!(other.lease().await.expect("asked").is_none());
    let cut = "SELECT count(pg_terminate_backend(l.pid, 1000)) FROM pg_locks l WHERE l.locktype = 'advisory' \
               AND l.objid::bigint = ('ledger'::regclass::oid::bigint - 2147483648) & 4294967295";
    let cut: i64 = sqlx::query_scalar(cut).fetch_one(&mut node.sql().await).await.expect("asked");
    assert_eq!(cut, 1);
    let theirs = other.lease().await.expect("asked").expect("its session is gone");
    drop(lease);
    drop(theirs);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(one.lease().await.expect("asked").is_some(), "a new session is made");
}

#[tokio::test]
async fn who_waits_for_the_lease_has_it_when_it_is_let_go() {
    let node = Node::on(Server::shared()).await;
    let one = Postgres::open(&node.url, options().wait).await.expect("opens");
    let lease = one.lease().await.expect("asked").expect("nobody has it");
    let impatient = Postgres::open(&node.url, Duration::from_millis(100)).await.expect("opens");
    assert!(impatient.next_lease().await.expect("asked").is_none());
    let other = Postgres::open(&node.url, options().wait).await.expect("opens");
    let next = tokio::spawn(async move { other.next_lease().await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!next.is_finished());
    drop(lease);
    assert!(next.await.expect("ended").expect("asked").is_some());
}

#[tokio::test]
async fn a_node_that_hangs_amid_a_transaction_keeps_the_head_for_some_seconds_and_no_longer() {
    let node = Node::on(Server::shared()).await;
    node.open().await.close().await.expect("closes");
    let (short, long) = (Duration::from_secs(2), Duration::from_secs(30));
    let hung = Postgres::open(&node.url, short).await.expect("opens");
    let mut amid = hung.begin().await.expect("begins");
    let other = Postgres::open(&node.url, long).await.expect("opens");
    drop(other.begin().await.expect("begins, once the session that hung was ended"));
    let error = amid.head().await.expect_err("its session is gone");
    assert!(error.fault.is_temporary(), "{error}");
    // One that says so is left alone.
    let mut reads_long = hung.begin().await.expect("begins");
    reads_long.take_long().await.expect("said");
    tokio::time::sleep(Duration::from_secs(17)).await;
    reads_long.head().await.expect("goes on");
}

#[tokio::test]
async fn no_batch_reads_a_whole_table_however_little_the_server_knows_of_it() {
    let node = Node::on(Server::shared()).await;
    let ledger = node.open().await;
    let c = commit(&ledger).await;
    // The server has looked at no table yet. After some runs it keeps its plan of a query.
    for n in 0..10 {
        ledger.deal(c, round(&n.to_string()), key(&format!("k{n}"))).await.expect("dealt");
    }
    ledger.close().await.expect("closes");
    let mut sql = node.sql().await;
    // A session tells what it has read at its end, and no later than a second after it.
    tokio::time::sleep(Duration::from_secs(2)).await;
    // Each index of a new table is one.
    let whole = "SELECT coalesce(string_agg(relname || ' ' || seq_scan, ', '), '') FROM pg_stat_user_tables \
                 WHERE schemaname = current_schema() AND seq_scan > 3";
    let whole: String = sqlx::query_scalar(whole).fetch_one(&mut sql).await.expect("asked");
    assert_eq!(whole, "");
}

#[tokio::test]
async fn a_bit_that_changes_in_any_row_is_an_error_where_the_row_is_read() {
    let made = postgres().await;
    let node = Node::on(Server::shared()).await;
    let ledger = node.open().await;
    let c = commit(&ledger).await;
    ledger.deal(c, round("x"), key("k")).await.expect("dealt");
    ledger.write_memos(vec![memo("token", "a", "b")]).await.expect("written");
    ledger.close().await.expect("closes");
    drop(made);
    let state = Postgres::open(&node.url, options().wait).await.expect("opens");
    let mut sql = node.sql().await;
    for (change, undo) in [
        ("UPDATE ledger SET size = size + 1", "UPDATE ledger SET size = size - 1"),
        ("UPDATE ledger SET key_time = key_time + 1", "UPDATE ledger SET key_time = key_time - 1"),
        ("UPDATE life SET next = next + 1", "UPDATE life SET next = next - 1"),
        (
            "UPDATE tail SET bytes = bytes || '\\x00'",
            "UPDATE tail SET bytes = substr(bytes, 1, length(bytes) - 1)",
        ),
        ("UPDATE round SET nonce = nonce + 1", "UPDATE round SET nonce = nonce - 1"),
        ("UPDATE memo SET value = 'c'", "UPDATE memo SET value = 'b'"),
        ("UPDATE memo SET kind = 'other'", "UPDATE memo SET kind = 'token'"),
        ("UPDATE answer SET name = 'other'", "UPDATE answer SET name = 'k'"),
        ("UPDATE answer SET again = 'other'", "UPDATE answer SET again = 'k'"),
        ("UPDATE chain SET place = place + 1", "UPDATE chain SET place = place - 1"),
    ] {
        sqlx::query(change).execute(&mut sql).await.expect("changed");
        let mut read = state.read().await.expect("reads");
        let mut faults = Vec::new();
        faults.extend(read.head().await.err());
        faults.extend(read.lives(&[c]).await.err());
        faults.extend(read.segments(0..256).await.err());
        faults.extend(read.rounds_after(None, 9).await.err());
        faults.extend(read.memos("token", "", None, 9).await.err());
        faults.extend(
            read.tables(&[fairdeal::record::entry::Table::new("main").expect("short")]).await.err(),
        );
        faults.extend(read.answers(&["k".to_owned()], 0).await.err());
        assert!(!faults.is_empty(), "{change}: nobody noticed");
        assert!(faults.iter().all(|error| error.fault == Fault::Damaged), "{change}: {faults:?}");
        sqlx::query(undo).execute(&mut sql).await.expect("undone");
    }
    let mut read = state.read().await.expect("reads");
    read.head().await.expect("as before");
}

#[tokio::test]
async fn readers_take_no_connection_from_who_writes() {
    let node = Node::on(Server::shared()).await;
    let ledger = node.open().await;
    let c = commit(&ledger).await;
    let state = Postgres::open(&node.url, WAIT).await.expect("opens");
    let mut readers = Vec::new();
    let busy = loop {
        match state.read().await {
            Ok(read) => readers.push(read),
            Err(error) => break error,
        }
        assert!(readers.len() < 100, "there is no limit");
    };
    assert_eq!(busy.fault, Fault::Busy, "{busy}");
    state.begin().await.expect("a writer's own connection").roll_back().await.expect("undone");
    drop(readers);
    state.read().await.expect("free again").head().await.expect("a head");
    ledger.deal(c, round("x"), None).await.expect("dealt");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_state_moves_from_sqlite_to_postgresql_amid_a_round_and_back() {
    let (home, c) = amid_a_round().await;
    let url = Server::shared().new_url();
    let (folder, database) =
        (StatePlace::Folder(home.path().to_owned()), StatePlace::Url(StateUrl::new(&url)));
    let at = |dir: &Path, url: Option<&str>| Location {
        state: url.map(StateUrl::new),
        ..Location::folder(dir)
    };
    copy_to(&folder, &database).await.expect("copied");
    goes_on(&home, c, at(home.path(), None), at(home.path(), Some(&url))).await;
    let back = without_state(&home);
    copy_to(&database, &StatePlace::Folder(back.path().to_owned())).await.expect("copied");
    goes_on(&home, c, at(home.path(), Some(&url)), at(back.path(), None)).await;
    let error =
        Ledger::open(at(home.path(), None), options()).await.expect_err("closed").to_string();
    assert!(
        error.contains("it went to postgres://127.0.0.1") && !error.contains(PASSWORD),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rounds_are_listed_whatever_is_dealt_meanwhile() {
    let node = Node::on(Server::shared()).await;
    rounds_are_listed_amid_deals(&node.open().await, node.parts(options()).await).await;
}
