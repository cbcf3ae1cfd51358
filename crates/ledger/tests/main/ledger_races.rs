//! Two handles on one ledger that want different things at the same moment.

use std::collections::BTreeSet;

use fairdeal::deal::{Blind, ClientSeed, Commitment, Contribution, Nonce};
use fairdeal::record::entry::{Entry, Int, LoggedContribution};
use fairdeal_ledger::{
    Done, ErrorKind, Given, Ledger, LedgerError, NewDeal, NewLock, NewReveal, Parts,
};

use super::ledger_faulty::Plan;
use super::ledger_support::*;

/// How often each race is run. Each time both start at once, and either may be first.
const RACES: usize = 40;

struct Handles {
    home: Home,
    one: Ledger,
    other: Ledger,
    /// The commitments that are to be revealed.
    open: Vec<Commitment>,
}

impl Handles {
    async fn new() -> Self {
        let home = Home::quick().await;
        let (one, other) = (home.open().await, home.open().await);
        Self { home, one, other, open: Vec::new() }
    }

    async fn commit(&mut self, race: usize) -> Commitment {
        let done = self.one.commit(terms(&format!("table {race}")), None).await.expect("committed");
        self.open.push(done.commitment);
        // The other handle knows of it too: both start equal.
        self.other.show(done.commitment).await.expect("is there").commitment
    }

    /// Gives each handle something to do, at once on two threads. Every other race, the second has
    /// a head start of the scheduler's choice.
    async fn both<A, B>(
        &self,
        race: usize,
        one: impl FnOnce(Ledger) -> A,
        other: impl FnOnce(Ledger) -> B,
    ) -> (A::Output, B::Output)
    where
        A: Future<Output: Send + 'static> + Send + 'static,
        B: Future<Output: Send + 'static> + Send + 'static,
    {
        let (one, other) = (one(self.one.clone()), other(self.other.clone()));
        let (one, other) = if race.is_multiple_of(2) {
            let one = tokio::spawn(one);
            (one, tokio::spawn(other))
        } else {
            let other = tokio::spawn(other);
            (tokio::spawn(one), other)
        };
        (one.await.expect("ended"), other.await.expect("ended"))
    }

    /// Every commitment is revealed, so that each deal is replayed, and nobody finds anything.
    async fn end(self) -> Audit {
        for c in self.open {
            let shown = self.one.show(c).await.expect("is there");
            if shown.open.is_some() {
                self.one.deal(c, NewDeal::default(), None).await.expect("dealt");
            }
            if shown.ended.is_none() {
                self.other.reveal(c, NewReveal::default(), None).await.expect("revealed");
            }
        }
        let audit = self.home.audit();
        assert_eq!(audit.findings, []);
        let deals = audit.entries.iter().filter(|entry| entry.kind() == "deal");
        let rounds: Vec<_> = deals.map(|entry| (entry.commitment(), entry.nonce())).collect();
        assert_eq!(
            rounds.iter().collect::<BTreeSet<_>>().len(),
            rounds.len(),
            "a round was dealt twice"
        );
        audit
    }
}

fn nonce(value: u64) -> Nonce {
    Nonce::new(value).expect("a small number")
}

fn is_refused(answer: &Result<Done, LedgerError>) -> bool {
    match answer {
        Ok(_) => false,
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Refused | ErrorKind::Usage), "{error}");
            true
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reveal_that_names_the_next_round_and_its_deal_are_never_both_done() {
    let mut handles = Handles::new().await;
    for race in 0..RACES {
        let c = handles.commit(race).await;
        handles.one.deal(c, round("before"), None).await.expect("dealt");
        let reveal = NewReveal { nonce: Some(nonce(1)), ..NewReveal::default() };
        let deal = |one: Ledger| async move { one.deal(c, round("x"), None).await };
        let reveal = |other: Ledger| async move { other.reveal(c, reveal, None).await };
        let (dealt, revealed) = handles.both(race, deal, reveal).await;
        assert_ne!(is_refused(&dealt), is_refused(&revealed), "{dealt:?} {revealed:?}");
        let shown = handles.other.show(c).await.expect("is there");
        assert_eq!(
            (shown.next, shown.ended.is_some()),
            if dealt.is_ok() { (2, false) } else { (1, true) }
        );
    }
    handles.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_idempotency_key_that_two_handles_use_at_once_makes_one_entry() {
    let mut handles = Handles::new().await;
    for race in 0..RACES {
        let c = handles.commit(race).await;
        let own = || key(&format!("deal {race}"));
        let (mine, theirs) = (own(), own());
        let (mine, theirs) = handles
            .both(
                race,
                |one| async move { one.deal(c, round("x"), mine).await },
                |other| async move { other.deal(c, round("x"), theirs).await },
            )
            .await;
        let (mine, theirs) = (mine.expect("dealt"), theirs.expect("dealt"));
        assert_eq!(
            (mine.index, &mine.entry, &mine.items),
            (theirs.index, &theirs.entry, &theirs.items)
        );
        assert_ne!(mine.repeated, theirs.repeated);

        // The same of a commit, which names no commitment that could show a second one.
        let table = format!("made at once {race}");
        let own = || (terms(&table), key(&format!("commit {race}")));
        let ((mine, my_key), (theirs, their_key)) = (own(), own());
        let (mine, theirs) = handles
            .both(
                race,
                |one| async move { one.commit(mine, my_key).await },
                |other| async move { other.commit(theirs, their_key).await },
            )
            .await;
        let (mine, theirs) = (mine.expect("committed"), theirs.expect("committed"));
        assert_eq!((mine.index, mine.commitment), (theirs.index, theirs.commitment));
        assert_ne!(mine.repeated, theirs.repeated);

        // Another request under the same key: one of the two is done.
        let own = || key(&format!("two requests {race}"));
        let (mine, theirs) = (own(), own());
        let (mine, theirs) = handles
            .both(
                race,
                |one| async move { one.deal(c, round("one"), mine).await },
                |other| async move { other.deal(c, round("two"), theirs).await },
            )
            .await;
        assert_ne!(mine.is_ok(), theirs.is_ok());
        let error = mine.err().or(theirs.err()).expect("one failed");
        assert!(matches!(error, LedgerError::KeyReused(_)), "{error}");
        assert_eq!(handles.one.show(c).await.expect("is there").next, 2);
    }
    let audit = handles.end().await;
    assert_eq!(audit.size, u64::try_from(RACES).expect("small") * 5);
}

/// Alice's seed in clear and bob's, hidden until the deal.
struct Hand {
    alice: ClientSeed,
    bob: ClientSeed,
    blind: Blind,
}

impl Hand {
    fn of(race: usize) -> Self {
        let seed = |who: &str| ClientSeed::new(format!("{who} {race}")).expect("short");
        let blind = Blind::from_bytes([u8::try_from(race).expect("few"); 32]);
        Self { alice: seed("alice"), bob: seed("bob"), blind }
    }

    fn lock(&self, ledger: &Ledger, c: Commitment) -> NewLock {
        let bob = Contribution::new("bob", self.bob.as_str()).expect("short");
        let hash = hash_in_round_0(ledger, c, &bob, &self.blind);
        let contributions = vec![
            Given::with_seed(label("alice"), self.alice.clone()),
            Given { hash: Some(hash), ..Given::of(label("bob")) },
        ];
        NewLock { contributions, ..NewLock::default() }
    }

    /// All that their seats know: right for a deal with the lock and without it.
    fn deal(&self) -> NewDeal {
        let contributions = vec![
            Given::with_seed(label("alice"), self.alice.clone()),
            Given { blind: Some(self.blind), ..Given::with_seed(label("bob"), self.bob.clone()) },
        ];
        NewDeal { contributions, ..NewDeal::default() }
    }
}

/// The seeds that a deal has mixed, by their players.
fn mixed(audit: &Audit, deal: &Entry) -> Vec<(String, String)> {
    let Entry::Deal(deal) = deal else { panic!("expected a deal, found a {}", deal.kind()) };
    let mut seeds: Vec<(String, String)> = Vec::new();
    let clear = |one: &LoggedContribution| {
        one.seed.as_ref().map(|seed| (one.from.as_str().to_owned(), seed.as_str().to_owned()))
    };
    if let Some(at) = deal.lock {
        let Entry::Lock(lock) = &audit.entries[usize::try_from(at.value()).expect("small")] else {
            panic!("entry {} is no lock", at.value())
        };
        assert_eq!((lock.commitment, lock.nonce), (deal.commitment, deal.nonce));
        seeds.extend(lock.contributions().iter().filter_map(clear));
    }
    seeds.extend(deal.contributions.iter().flatten().filter_map(clear));
    let opened = deal.opened.iter().flatten();
    seeds.extend(opened.map(|one| (one.from.as_str().to_owned(), one.seed.as_str().to_owned())));
    seeds.sort();
    seeds
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deal_uses_what_it_was_given_rightly_or_is_refused_when_its_lock_is_made_meanwhile() {
    let mut handles = Handles::new().await;
    let mut dealt = Vec::new();
    for race in 0..RACES {
        let c = handles.commit(race).await;
        let hand = Hand::of(race);
        let (deal, lock) =
            (hand.deal(), NewLock { nonce: Some(nonce(0)), ..hand.lock(&handles.one, c) });
        let (done, locked) = handles
            .both(
                race,
                |one| async move { one.deal(c, deal, None).await },
                |other| async move { other.lock(c, lock, None).await },
            )
            .await;
        let done = done.expect("what it was given is enough either way");
        let Entry::Deal(deal) = &done.entry else { panic!("{done:?}") };
        assert_eq!(deal.lock.map(Int::value), locked.as_ref().ok().map(|locked| locked.index));
        assert_eq!(is_refused(&locked), deal.lock.is_none());
        dealt.push((done, hand));
    }
    let audit = handles.end().await;
    for (done, hand) in dealt {
        let wanted = [("alice", hand.alice.as_str()), ("bob", hand.bob.as_str())];
        assert_eq!(
            mixed(&audit, &done.entry),
            wanted.map(|(who, seed)| (who.to_owned(), seed.to_owned()))
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deal_that_brings_other_seeds_than_a_lock_made_meanwhile_has_is_refused() {
    let mut handles = Handles::new().await;
    for race in 0..RACES {
        let c = handles.commit(race).await;
        let lock = NewLock { nonce: Some(nonce(0)), ..locked("one seed") };
        let (done, locked) = handles
            .both(
                race,
                |one| async move { one.deal(c, round("another"), None).await },
                |other| async move { other.lock(c, lock, None).await },
            )
            .await;
        assert_ne!(is_refused(&done), is_refused(&locked), "{done:?} {locked:?}");
    }
    handles.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_opens_one_round_s_lock_never_deals_the_next_when_the_lock_is_dealt_meanwhile() {
    let mut handles = Handles::new().await;
    for race in 0..RACES {
        let c = handles.commit(race).await;
        let hand = Hand::of(race);
        handles.one.lock(c, hand.lock(&handles.one, c), None).await.expect("locked");
        // Both name the round, one by itself and one by what its players sent.
        let mine = NewDeal { nonce: Some(nonce(0)), ..hand.deal() };
        let mut theirs = hand.deal();
        for one in &mut theirs.contributions {
            (one.commitment, one.nonce) = (Some(c), Some(nonce(0)));
        }
        let (mine, theirs) = handles
            .both(
                race,
                |one| async move { one.deal(c, mine, None).await },
                |other| async move { other.deal(c, theirs, None).await },
            )
            .await;
        assert_ne!(is_refused(&mine), is_refused(&theirs), "{mine:?} {theirs:?}");
        assert_eq!(handles.one.show(c).await.expect("is there").next, 1);

        // An empty deal needs a lock: it opens one of clear seeds, and no round without one.
        handles.other.lock(c, locked("x"), None).await.expect("locked");
        let (mine, theirs) = handles
            .both(
                race,
                |one| async move { one.deal(c, NewDeal::default(), None).await },
                |other| async move { other.deal(c, NewDeal::default(), None).await },
            )
            .await;
        assert_ne!(is_refused(&mine), is_refused(&theirs), "{mine:?} {theirs:?}");
        assert_eq!(handles.one.show(c).await.expect("is there").next, 2);
    }
    handles.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_handles_never_give_one_table_two_open_commitments() {
    let mut handles = Handles::new().await;
    for race in 0..RACES {
        let table = format!("table {race}");
        let new = || with(terms(&table), |t| t.rounds = int(1));
        let (mine, theirs) = (new(), new());
        let (mine, theirs) = handles
            .both(
                race,
                |one| async move { one.commit(mine, None).await },
                |other| async move { other.commit(theirs, None).await },
            )
            .await;
        assert_ne!(is_refused(&mine), is_refused(&theirs), "{mine:?} {theirs:?}");
        handles.open.push(mine.or(theirs).expect("one is made").commitment);
    }
    handles.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_busy_ledger_is_ready_and_holds_against_its_own_checkpoint_whoever_asks() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let note = ledger.checkpoint().await.expect("read");
    let asking = (0..4).map(|_| {
        let (ledger, note) = (ledger.clone(), note.clone());
        tokio::spawn(async move {
            for _ in 0..RACES * 20 {
                ledger.ready().await.expect("ready");
                ledger.holds_against(&note).await.expect("the world has a part of this log");
            }
        })
    });
    let asking: Vec<_> = asking.collect();
    while !asking.iter().all(tokio::task::JoinHandle::is_finished) {
        ledger.deal(c, round("x"), None).await.expect("dealt");
    }
    for one in asking {
        one.await.expect("it never finds its own state old");
    }
    ledger.close().await.expect("closed");
}

/// Lists rounds on these stores while the ledger beside them locks and deals, between any two looks
/// at the state.
pub(crate) async fn rounds_are_listed_amid_deals(dealer: &Ledger, stores: Parts) {
    let plan = Plan::default();
    let reader = Ledger::open_on(plan.wrap(stores)).await.expect("opens");
    let c = commit(dealer).await;
    dealer.deal(c, round("before"), None).await.expect("dealt");
    for call in ["head", "lives", "rounds_after", "segments"] {
        for step in 0..3 {
            let before = dealer.show(c).await.expect("is there");
            let dealer = dealer.clone();
            plan.before(call, async move {
                let done = match step {
                    0 => dealer.deal(c, round("x"), None).await,
                    1 => dealer.lock(c, locked("x"), None).await,
                    _ => dealer.deal(c, NewDeal::default(), None).await,
                };
                done.expect("done");
            });
            let rounds =
                reader.rounds(c, 0, 100).await.unwrap_or_else(|e| panic!("{call} {step}: {e}"));
            let begun = before.next + u64::from(before.open.is_some());
            let listed = u64::try_from(rounds.len()).expect("few");
            assert!((begun..=begun + 1).contains(&listed), "{call} {step}: {listed} of {begun}");
            assert!(rounds.iter().map(|round| round.nonce.value()).eq(0..listed));
        }
    }
    assert_eq!(dealer.show(c).await.expect("is there").next, 9, "it was dealt between all of them");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rounds_are_listed_whatever_is_dealt_between_two_looks_at_the_state() {
    let home = Home::quick().await;
    let stores = Parts::of_folder(home.path(), options()).await.expect("a ledger");
    rounds_are_listed_amid_deals(&home.open().await, stores).await;
}
