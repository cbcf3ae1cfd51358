//! The duties of every store of state, a test for each sentence: SQLite here, also behind stores that
//! may fail, and PostgreSQL in `external/postgres.rs`.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

mod memos;
mod rows;
mod together;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::{Frontier, Hash, leaf_hash};
use fairdeal::record::entry::{Entry, Table};
use fairdeal::record::life::Life;
use fairdeal_ledger::store::{Answer, Growth, Head, RoundEntry, Sqlite, State, StoredLife};
use serde_json::json;

use super::ledger_faulty::Plan;
use super::ledger_support::memo;

pub(crate) use memos::*;
pub(crate) use rows::*;
pub(crate) use together::*;

/// How long the stores under test wait for a lock.
pub(crate) const WAIT: Duration = Duration::from_secs(1);

/// An empty state, and a second handle on it, as another process would open it.
pub(crate) struct Made {
    pub(crate) one: Arc<dyn State>,
    pub(crate) other: Arc<dyn State>,
    /// The folder or server that is removed when the test ends.
    pub(crate) kept: Box<dyn Any + Send>,
}

/// A test of each sentence, for the states that an expression makes.
macro_rules! conformance {
    ($made:expr) => {
        $crate::store_conformance::conformance! { $made;
            the_first_head_is_what_was_written,
            entries_are_read_in_order_and_within_the_range_alone,
            what_is_written_by_a_batch_is_read_back_as_it_was,
            a_life_that_is_older_than_its_rounds_is_damaged,
            a_transaction_that_is_dropped_or_rolled_back_has_done_nothing,
            while_one_holds_the_head_another_waits_and_is_told_that_it_is_busy,
            who_waits_gets_the_head_as_the_other_left_it,
            reading_beside_a_writer_waits_for_nobody_and_sees_what_was_before,
            a_transaction_sees_what_it_has_written,
            commitments_are_chosen_by_table_by_openness_and_by_range_in_log_order,
            a_table_s_last_commitment_is_the_newest_and_an_unknown_table_has_none,
            rounds_are_listed_by_commit_nonce_and_index_page_by_page,
            nodes_are_read_by_level_and_range,
            an_answer_is_found_by_its_key_until_it_is_too_old,
            old_answers_are_forgotten_when_new_ones_are_written,
            a_key_that_is_too_old_can_be_used_anew_before_its_answer_is_removed,
            entries_are_dropped_once_and_the_head_says_from_where_they_are_kept,
            memos_are_found_by_kind_and_prefix_in_byte_order_page_by_page,
            of_two_memos_with_one_key_the_last_counts_and_none_removes,
            a_batch_s_memos_are_written_with_it_or_not_at_all,
            memos_of_all_kinds_are_listed_page_by_page,
            a_lease_excludes_another_until_it_is_dropped,
            what_follows_from_the_log_can_be_made_anew_and_what_does_not_stays,
            a_closed_head_is_kept_with_its_reason_and_takes_no_memos,
            many_rows_at_once_are_written_and_read,
            texts_of_every_script_and_length_come_back,
        }
    };
    ($made:expr; $($sentence:ident,)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $sentence() {
                let made = $made.await;
                $crate::store_conformance::$sentence(&made).await;
                made.other.close().await.expect("closes");
                made.one.close().await.expect("closes");
                drop(made.kept);
            }
        )*
    };
}
pub(crate) use conformance;

/// The head of an empty tree.
pub(crate) fn first_head() -> Head {
    Head {
        key: "log.example/1+abcd+key".to_owned(),
        vault: "0123456789abcdef".to_owned(),
        frontier: Frontier::new(),
        note: "a signed note\n".to_owned(),
        time: None,
        key_time: 0,
        kept: 0,
        clock: None,
        closed: None,
    }
}

/// The head of a tree of this many entries.
fn head(size: u64) -> Head {
    let mut frontier = Frontier::new();
    for index in 0..size {
        frontier.push(leaf_hash(&index.to_be_bytes())).unwrap();
    }
    let time = size.checked_sub(1).map(|last| 1_800_000_000_000 + last);
    Head { frontier, time, ..first_head() }
}

fn commitment(n: u8) -> Commitment {
    Commitment::from_bytes([n; 32])
}

/// A commitment of a table, by the index of its commit.
fn life(n: u8, table: &str, index: u64) -> StoredLife {
    let commit = json!({
        "commitment": commitment(n), "deck": "standard-52", "draw": 52, "entry": "commit", "method": "shuffle",
        "mixing": "seeds", "origin": "log.example/1", "protocol": "fairdeal/v1", "reveal_by": 1_800_086_401_000_u64,
        "rounds": 1_000_000, "sealed": false, "table": table, "time": 1_800_000_000_000_u64,
    });
    let Entry::Commit(commit) = Entry::parse(commit.to_string().as_bytes()).unwrap() else {
        panic!("a commit")
    };
    StoredLife { life: Life::new(commit, index), ended_at: None, seed: vec![n; 72].into() }
}

fn table(name: &str) -> Table {
    Table::new(name).unwrap()
}

fn nonce(n: u64) -> Nonce {
    Nonce::new(n).unwrap()
}

fn round(under: u64, n: u64, index: u64) -> RoundEntry {
    RoundEntry { under, nonce: nonce(n), index }
}

fn answer(key: &str, index: u64, at: u64) -> Answer {
    Answer { key: key.to_owned(), request: *leaf_hash(key.as_bytes()).as_bytes(), index, at }
}

fn hash(n: u64) -> Hash {
    leaf_hash(&n.to_le_bytes())
}

async fn write(state: &dyn State, growth: &Growth) {
    let mut transaction = state.begin().await.unwrap();
    transaction.write(growth).await.unwrap();
    transaction.commit().await.unwrap();
}

/// An SQLite file of its own.
async fn sqlite() -> Made {
    let dir = super::ledger_support::quick_folder();
    let path = dir.path().join("state.sqlite");
    let one = Sqlite::create(&path, WAIT, &first_head()).await.unwrap();
    let other = Sqlite::open(&path, WAIT).await.unwrap();
    Made { one: Arc::new(one), other: Arc::new(other), kept: Box::new(dir) }
}

/// The same behind stores that count calls, and of which none fails.
async fn faulty() -> Made {
    let Made { one, other, kept } = sqlite().await;
    let plan = Plan::default();
    Made { one: plan.wrap_state(one), other: plan.wrap_state(other), kept }
}

mod sqlite_file {
    super::conformance! { super::sqlite() }
}

mod behind_the_faulty {
    super::conformance! { super::faulty() }
}
