//! Rounds that wait for a beacon (spec/beacon.md, section 34): relays that lie, voids in time, and
//! locks that keep their time over a restart.

mod attacked;
#[cfg(all(unix, feature = "faults"))]
mod killed;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use fairdeal::beacon::Chains;
use fairdeal::deal::{Commitment, Digest, Nonce};
use fairdeal::log::Policy;
use fairdeal::record::entry::{BeaconSignature, BeaconTerms, Entry, Mixing};
use fairdeal::record::receipt::{
    Document, NotShown, ReaderGiven, ReceiptVerdict, Shown, verify_with,
};
use fairdeal_ledger::{
    BeaconOptions, Ledger, LedgerError, LedgerOptions, NewCommit, NewDeal, NewLock, NewReveal,
    WitnessMode, Witnessing,
};
use tools::beacons::OwnChain;

use crate::ledger_support::*;
#[cfg(all(unix, feature = "faults"))]
use crate::ledger_witness::scripted::policy_text;
use crate::ledger_witness::scripted::{Reply, Scripted, policy, quick};

/// A chain with a round each second, since an hour ago.
fn chain() -> OwnChain {
    OwnChain { secret: 11, genesis: now() - 3_600, period: 1 }
}

fn now() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a relay has a clock of its own")]
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.expect("after 1970").as_secs()
}

/// A relay on loopback: answers what the script says for a round's number. Returns its URL.
fn relay(script: impl Fn(u64) -> Vec<u8> + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let script = Arc::new(script);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let script = Arc::clone(&script);
            std::thread::spawn(move || {
                let (mut head, mut byte) = (Vec::new(), [0]);
                while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n == 1) {
                    head.push(byte[0]);
                }
                let head = String::from_utf8(head).expect("a text");
                let path = head.split(' ').nth(1).expect("a path");
                let round = path.rsplit('/').next().expect("a round").parse().expect("a number");
                // The ledger may have given up.
                let _gone = stream.write_all(&script(round));
            });
        }
    });
    url
}

fn answer(status: u16, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status} x\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
        .into_bytes()
}

fn signed(number: u64, signature: [u8; 48]) -> Vec<u8> {
    let signature = hex::encode(signature);
    answer(200, &format!("{{\"round\":{number},\"signature\":\"{signature}\",\"more\":1}}"))
}

/// One that does what drand's does, also for rounds that are still to come.
fn honest(own: &OwnChain) -> String {
    let OwnChain { secret, genesis, period } = *own;
    relay(move |round| signed(round, OwnChain { secret, genesis, period }.sign(round)))
}

fn with_relays(own: &OwnChain, relays: Vec<String>) -> LedgerOptions {
    let beacons = BeaconOptions { chains: Chains::with([own.chain()]).expect("one key"), relays };
    LedgerOptions { beacons, ..options() }
}

fn waits_for(own: &OwnChain, margin: u32) -> NewCommit {
    with(terms("main"), |terms| {
        terms.mixing = Mixing::Beacon;
        terms.beacon = Some(BeaconTerms { chain: own.chain().hash(), margin: int(margin) });
    })
}

async fn verdict(
    ledger: &Ledger,
    c: Commitment,
    own: &OwnChain,
    policy: Option<&Policy>,
) -> ReceiptVerdict {
    let nonce = Some(Nonce::new(0).expect("a nonce"));
    let receipt = ledger.receipt(c, nonce).await.expect("a receipt");
    let chains = Chains::with([own.chain()]).expect("one key");
    let given = ReaderGiven { chains, policy: policy.cloned(), ..ReaderGiven::default() };
    verify_with(&Document::Receipt(receipt), ledger.verifier_key(), &given)
}

#[tokio::test]
async fn a_lock_names_the_round_and_the_deal_takes_its_signature_from_a_relay() {
    let (home, own) = (Home::quick().await, chain());
    let options = with_relays(&own, vec![honest(&own)]);
    let ledger = Ledger::open(home.path(), options).await.expect("opens");
    let c = ledger.commit(waits_for(&own, 2_000), None).await.expect("committed").commitment;
    // Nothing is dealt without a lock, and a lock needs no seed.
    let error = ledger.deal(c, NewDeal::default(), None).await.expect_err("it has no lock");
    assert!(matches!(error, LedgerError::Unlocked(_)), "{error}");
    let done = ledger.lock(c, NewLock::default(), None).await.expect("locked");
    let Entry::Lock(lock) = &done.entry else { panic!("{:?}", done.entry) };
    let round = lock.beacon.expect("a round").value();
    assert_eq!(Some(round), own.chain().round_after(lock.time.value() + 2_000));
    // The relay would give it already. The ledger does not ask before the round is out.
    let error = ledger.deal(c, NewDeal::default(), key("d")).await.expect_err("too early");
    let LedgerError::AwaitsBeacon { out, .. } = error else { panic!("{error}") };
    assert_eq!(out, Some(own.chain().out(round) * 1_000));
    assert_eq!((error.code(), error.status()), ("awaits-beacon", 503));
    let early = ledger.beacon(&own.chain().hash(), round).await.expect_err("too early");
    assert!(early.to_string().contains("it is out at"), "{early}");
    let dealt = ledger.finish(c, NewDeal::default()).await.expect("finished");
    let Entry::Deal(deal) = &dealt.entry else { panic!("{:?}", dealt.entry) };
    assert_eq!(deal.beacon.expect("a signature").as_bytes(), &own.sign(round));
    assert!(deal.time.value() >= own.chain().out(round) * 1_000);
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    let found = verdict(&ledger, c, &own, None).await;
    assert!(found.holds && found.shown.contains(&Shown::Replayed), "{found:?}");
    assert!(found.not_shown.contains(&NotShown::LockedBeforeBeacon), "no policy: {found:?}");
    ledger.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn relays_that_lie_stall_and_vanish_can_only_withhold() {
    let (home, own) = (Home::quick().await, chain());
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("one");
    let (one, two, three) = (chain(), chain(), chain());
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    let bad: Vec<(String, &str)> = vec![
        (format!("http://{nobody}"), "refused"),
        (relay(|_| answer(404, "not yet")), "status 404"),
        (relay(move |round| signed(round + 1, one.sign(round + 1))), "expected round"),
        (relay(move |round| signed(round, two.sign(round + 1))), "does not verify"),
        (
            relay(|round| signed(round, OwnChain { secret: 12, ..chain() }.sign(round))),
            "does not verify",
        ),
        (relay(|_| answer(200, "<html>")), "expected a round and its signature"),
        (relay(|_| answer(200, &" ".repeat(20_000))), "more than 16384 bytes"),
        (
            relay(|_| {
                b"HTTP/1.1 302 x\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
                    .to_vec()
            }),
            "status 302",
        ),
        (
            relay(|_| {
                std::thread::sleep(Duration::from_secs(10));
                Vec::new()
            }),
            "timeout",
        ),
    ];
    let relays: Vec<String> = bad.iter().map(|(url, _)| url.clone()).collect();
    let ledger = Ledger::open(home.path(), with_relays(&own, relays)).await.expect("opens");
    let c = ledger.commit(waits_for(&own, 0), None).await.expect("committed").commitment;
    ledger.lock(c, NewLock::default(), None).await.expect("locked");
    let error = ledger.finish(c, NewDeal::default()).await.expect_err("each of them withholds");
    let LedgerError::AwaitsBeacon { says, .. } = &error else { panic!("{error}") };
    for (url, why) in &bad {
        let (_, after) = says.split_once(url.as_str()).unwrap_or_else(|| panic!("{url}: {says}"));
        let said = after.split("; http").next().expect("a part");
        assert!(said.contains(why), "{url}: expected {why:?} in {said:?}");
    }
    assert_eq!(home.audit().entries.len(), 2, "nothing is dealt, and nothing voided");
    ledger.close().await.expect("closed");
    // Another relay has it, and is asked once for all who need the round.
    let good = relay(move |round| {
        count.fetch_add(1, Ordering::Relaxed);
        signed(round, three.sign(round))
    });
    let ledger = Ledger::open(home.path(), with_relays(&own, vec![good])).await.expect("opens");
    ledger.deal(c, NewDeal::default(), None).await.expect("dealt");
    let Entry::Lock(lock) = &home.audit().entries[1] else { panic!("a lock") };
    let round = lock.beacon.expect("a round").value();
    for _ in 0..3 {
        ledger.beacon(&own.chain().hash(), round).await.expect("known");
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    ledger.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_signature_by_hand_must_be_that_of_the_round() {
    let (home, own) = (Home::quick().await, chain());
    let ledger = Ledger::open(home.path(), with_relays(&own, Vec::new())).await.expect("opens");
    let c = ledger.commit(waits_for(&own, 0), None).await.expect("committed").commitment;
    let done = ledger.lock(c, NewLock::default(), None).await.expect("locked");
    let Entry::Lock(lock) = &done.entry else { panic!("{:?}", done.entry) };
    let round = lock.beacon.expect("a round").value();
    let deal = |round| NewDeal {
        beacon: Some(BeaconSignature::parse(&hex::encode(own.sign(round))).expect("a signature")),
        ..NewDeal::default()
    };
    let error = ledger.deal(c, deal(round + 1), key("d")).await.expect_err("another round's");
    assert_eq!(error.code(), "beacon-signature", "{error}");
    let done = ledger.deal(c, deal(round), key("d")).await.expect("dealt");
    // The same request, with the signature and without it.
    for again in [deal(round), NewDeal::default()] {
        let again = ledger.deal(c, again, key("d")).await.expect("the same");
        assert!(again.repeated && again.index == done.index);
    }
    // A round of another mixing takes no signature.
    let clear = ledger.commit(terms("other"), None).await.expect("committed").commitment;
    let error = ledger.deal(clear, NewDeal { beacon: deal(1).beacon, ..round_of("x") }, None).await;
    assert_eq!(error.expect_err("no beacon").status(), 400);
    ledger.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

fn round_of(seed: &str) -> NewDeal {
    crate::ledger_support::round(seed)
}

#[tokio::test]
async fn chains_and_margins_that_a_ledger_cannot_keep_are_refused() {
    let (home, own) = (Home::quick().await, chain());
    let ledger = Ledger::open(home.path(), options()).await.expect("opens");
    let error = ledger.commit(waits_for(&own, 20_000), None).await.expect_err("not known");
    assert!(error.to_string().contains("--beacon-chain"), "{error}");
    assert_eq!((error.code(), error.status()), ("invalid", 400));
    let plain = NewCommit { draw_at: Some(now() + 100), ..terms("main") };
    let error = ledger.commit(plain, None).await.expect_err("no beacon");
    assert!(error.to_string().contains("without mixing"), "{error}");
    ledger.close().await.expect("closed");
    // With a policy the witnesses need time.
    let witness = Scripted::honest(1, &home.key);
    let policy = policy(1, &[&witness]);
    let every = Duration::from_secs(2);
    let witnesses = Some(Witnessing { every, ..quick(&policy, WitnessMode::Anchor) });
    let options = LedgerOptions { witnesses, ..with_relays(&own, Vec::new()) };
    let ledger = Ledger::open(home.path(), options).await.expect("opens");
    let error = ledger.commit(waits_for(&own, 11_999), None).await.expect_err("too short");
    assert!(error.to_string().contains("at least 12000 ms"), "{error}");
    ledger.commit(waits_for(&own, 12_000), None).await.expect("long enough");
    let draw = |at| NewCommit {
        draw_at: Some(at),
        ..with(waits_for(&own, 0), |terms| terms.table = "draw".parse().expect("a table"))
    };
    for early in [now(), now() + 5] {
        let error = ledger.commit(draw(early), None).await.expect_err("too early");
        assert_eq!(error.code(), "invalid", "{error}");
    }
    ledger.close().await.expect("closed");
    // A ledger that lost the chain's file locks nothing.
    let options = LedgerOptions {
        witnesses: Some(quick(&policy, WitnessMode::Anchor)),
        ..crate::ledger_support::options()
    };
    let ledger = Ledger::open(home.path(), options).await.expect("opens");
    let audit = home.audit();
    let c = audit.entries.iter().find_map(Entry::commitment).expect("a commitment");
    let error = ledger.lock(c, NewLock::default(), None).await.expect_err("not known");
    assert!(error.to_string().contains("--beacon-chain"), "{error}");
    ledger.close().await.expect("closed");
}

#[tokio::test]
async fn a_draw_is_committed_and_locked_together_for_its_second() {
    let (home, own) = (Home::quick().await, chain());
    let options = with_relays(&own, vec![honest(&own)]);
    let ledger = Ledger::open(home.path(), options).await.expect("opens");
    let at = now() + 3;
    let draw = NewCommit { draw_at: Some(at), ..waits_for(&own, 0) };
    let done = ledger.commit(draw.clone(), key("draw")).await.expect("committed");
    let c = done.commitment;
    let entries = home.audit().entries;
    let [Entry::Commit(commit), Entry::Lock(lock)] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!((commit.time, lock.commitment), (lock.time, c));
    let margin = commit.beacon.as_ref().expect("terms").margin.value();
    assert_eq!(margin, at * 1_000 - commit.time.value() - 1);
    let round = lock.beacon.expect("a round").value();
    assert_eq!(own.chain().out(round), at, "the first one at that second or after");
    // The same request again is the same draw.
    let again = ledger.commit(draw, key("draw")).await.expect("the same");
    assert!(again.repeated && again.commitment == c);
    ledger.finish(c, NewDeal::default()).await.expect("finished");
    ledger.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

/// A ledger in this mode, three witnesses of which two must sign, and the options for it.
fn witnessed(
    home: &Home,
    own: &OwnChain,
    mode: WitnessMode,
    script: impl Fn() -> Option<Reply> + Clone + Send + 'static,
) -> (Arc<Policy>, LedgerOptions) {
    let witnesses = [1, 2, 3].map(|number| {
        let script = script.clone();
        Scripted::start(number, &home.key, move |_, _| script())
    });
    let policy = policy(2, &witnesses.each_ref());
    let witnesses = Some(quick(&policy, mode));
    let publish_wait = Duration::from_secs(3);
    (policy, LedgerOptions { witnesses, publish_wait, ..with_relays(own, vec![honest(own)]) })
}

#[tokio::test]
async fn what_witnesses_have_signed_in_time_is_fair_and_stays_so_over_a_restart() {
    for mode in [WitnessMode::Publish, WitnessMode::Anchor] {
        let (home, own) = (Home::quick().await, chain());
        let (policy, options) = witnessed(&home, &own, mode, || None);
        let ledger = Ledger::open(home.path(), options.clone()).await.expect("opens");
        let c = ledger.commit(waits_for(&own, 10_000), None).await.expect("committed").commitment;
        ledger.lock(c, NewLock::default(), None).await.expect("locked");
        // Another table goes on meanwhile.
        let other = ledger.commit(terms("other"), None).await.expect("committed").commitment;
        for seed in 0..20 {
            ledger.deal(other, round(&seed.to_string()), None).await.expect("dealt");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        ledger.close().await.expect("closed");
        let ledger = Ledger::open(home.path(), options).await.expect("opens");
        let dealt = ledger.finish(c, NewDeal::default()).await.expect("finished");
        assert_eq!(dealt.entry.kind(), "deal");
        ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
        let found = verdict(&ledger, c, &own, Some(&policy)).await;
        assert!(found.shown.contains(&Shown::LockedBeforeBeacon), "{mode:?}: {found:?}");
        assert!(found.before_beacon.is_some_and(|before| before >= 5), "{found:?}");
        ledger.close().await.expect("closed");
        assert_eq!(home.audit().findings, []);
    }
}

#[tokio::test]
async fn a_lock_that_no_quorum_signs_in_time_is_voided_before_its_round_is_out() {
    let (home, own) = (Home::quick().await, chain());
    let gone = Arc::new(AtomicU64::new(0));
    let is_gone = Arc::clone(&gone);
    let (_, options) = witnessed(&home, &own, WitnessMode::Anchor, move || {
        // After each failure witnesses wait longer; busy ones are asked again after a second.
        (is_gone.load(Ordering::Relaxed) > 0).then(|| Reply::new(503, "gone"))
    });
    let ledger = Ledger::open(home.path(), options).await.expect("opens");
    let c = ledger.commit(waits_for(&own, 10_000), None).await.expect("committed").commitment;
    gone.store(1, Ordering::Relaxed);
    let locked = ledger.lock(c, NewLock::default(), None).await.expect("locked");
    let Entry::Lock(lock) = &locked.entry else { panic!("{:?}", locked.entry) };
    let out = own.chain().out(lock.beacon.expect("a round").value());
    let done = ledger.finish(c, NewDeal::default()).await.expect("finished");
    let Entry::Void(void) = &done.entry else { panic!("expected a void: {:?}", done.entry) };
    assert!(((out - 5) * 1_000..out * 1_000).contains(&void.time.value()), "{void:?}, {out}");
    // The next round is dealt.
    gone.store(0, Ordering::Relaxed);
    ledger.lock(c, NewLock::default(), None).await.expect("locked");
    let done = ledger.finish(c, NewDeal::default()).await.expect("finished");
    assert_eq!((done.entry.kind(), done.nonce.map(Nonce::value)), ("deal", Some(1)));
    ledger.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn after_its_round_is_out_nothing_is_voided_for_want_of_witnesses() {
    let (home, own) = (Home::quick().await, chain());
    let (_, options) =
        witnessed(&home, &own, WitnessMode::Anchor, || Some(Reply::new(500, "gone")));
    // Without the policy it was locked, and the process ended.
    let without = LedgerOptions { witnesses: None, ..options.clone() };
    let ledger = Ledger::open(home.path(), without).await.expect("opens");
    let c = ledger.commit(waits_for(&own, 0), None).await.expect("committed").commitment;
    ledger.lock(c, NewLock::default(), None).await.expect("locked");
    ledger.close().await.expect("closed");
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let ledger = Ledger::open(home.path(), options).await.expect("opens");
    let done = ledger.finish(c, NewDeal::default()).await.expect("finished");
    assert_eq!(done.entry.kind(), "deal");
    ledger.close().await.expect("closed");
}

#[tokio::test]
async fn finishing_what_does_not_wait_for_a_beacon_is_refused() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let error = ledger.finish(c, NewDeal::default()).await.expect_err("nothing waits");
    assert_eq!(error.code(), "invalid", "{error}");
    let unknown = Digest::from_bytes([9; 32]);
    assert_eq!(ledger.beacon(&unknown, 1).await.expect_err("unknown").code(), "invalid");
    ledger.close().await.expect("closed");
}
