//! The reader's own contribution, and the one that the operator mixed instead: spec/receipt.md,
//! 11.8.

use fairdeal::deal::Commitment;
use fairdeal::record::entry::{LoggedContribution, Mixing, PlayerSigner};
use serde_json::{Value, json};

use crate::attacks::case::{Attack, Verified, verify};
use crate::logs::write::{clear, deal_of, log, signed};
use tools::brought::{kept, round_of, with};
use tools::paper::{PaperLog, Player, counting_seed, int, seeing};

/// A revealed round 1 with these contributions, and its receipt to verify.
fn of_round(
    name: &'static str,
    about: &'static str,
    make: impl FnOnce(&PaperLog) -> Vec<LoggedContribution>,
) -> Verified {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
    log.deal(&commit, &seed.mac(), 0, &[("alice", "lucky")]);
    let logged = make(&log);
    deal_of(&mut log, &commit, &seed.mac(), 1, logged);
    log.reveal(&seed);
    verify(name, about, log.key()).file("receipt.json", log.receipt(&[0, 2, 3]).to_text())
}

fn lucky() -> Value {
    json!({ "from": "alice", "seed": "lucky" })
}

pub fn attacks() -> Vec<Attack> {
    let mut attacks = compared();
    attacks.extend(second_lock());
    attacks
}

fn compared() -> Vec<Attack> {
    let found = ["contribution-mismatch 2"];
    let c = counting_seed(0).commitment();
    let for_round = |nonce| with(lucky(), &round_of(&c, nonce));
    let key = |player: u8| PlayerSigner::from_seed(&[player; 32]).key().to_text();
    let signed_by =
        |player: u8| move |log: &PaperLog| vec![signed(log, c, 1, player, clear("alice", "lucky"))];
    vec![
        of_round("seed-swapped", "alice's seed is another than she gave", |_| {
            vec![clear("alice", "unlucky")]
        })
        .mine(&for_round(1))
        .shows(&["logged", "replayed"])
        .not(&["committed-first", "yours", "authentic", "no-collusion"])
        .is("caught")
        .finds(found),
        of_round("seed-mistyped", "alice typed another seed than she gave", |_| {
            vec![clear("alice", "unlucky")]
        })
        .mine(&lucky())
        .shows(&["logged", "replayed"])
        .not(&["committed-first", "yours", "authentic", "no-collusion"])
        .finds(found),
        of_round("seen-attached", "a checkpoint is attached to alice's seed", |log| {
            vec![seeing("alice", "lucky", &log.seen())]
        })
        .mine(&for_round(1))
        .shows(&["logged", "replayed", "committed-first"])
        .not(&["yours", "authentic", "no-collusion"])
        .is("caught")
        .finds(found),
        of_round("left-out", "alice is left out of her round", |_| vec![clear("bob", "seven")])
            .mine(&for_round(1))
            .shows(&["logged", "replayed"])
            .not(&["committed-first", "yours", "authentic", "no-collusion"])
            .is("caught")
            .finds(found),
        of_round("moved-round", "alice's seed for round 0 is mixed into round 1", |_| {
            vec![clear("alice", "lucky")]
        })
        .mine(&for_round(0))
        .shows(&["logged", "replayed"])
        .not(&["committed-first", "yours", "authentic", "no-collusion"])
        .is("unproved")
        .holds(),
        of_round("player-key-differs", "alice's label, seed and somebody else's key", signed_by(9))
            .player("alice", key(1))
            .shows(&["logged", "replayed"])
            .not(&["committed-first", "authentic", "no-collusion"])
            .finds(found),
        of_round("player-key-agrees", "alice's seed, under the key that she gave", signed_by(1))
            .player("alice", key(1))
            .shows(&["logged", "replayed", "authentic"])
            .not(&["committed-first", "no-collusion"])
            .holds(),
        hashed(
            "invented-players",
            "two players with keys and hashes of their own, whom the operator made up",
            |_| None,
        )
        .shows(&["logged", "replayed", "committed-first"])
        .not(&["authentic", "no-collusion"])
        .holds(),
        hashed(
            "hashed-by-the-operator",
            "alice gave her seed in the clear, and the operator hashed it",
            |_| Some(lucky()),
        )
        .shows(&["logged", "replayed", "committed-first", "yours"])
        .not(&["authentic", "no-collusion"])
        .holds(),
        hashed(
            "one-hash-among-invented",
            "alice's own hash, in a round with an invented player",
            |alice| Some(opened(alice, &c)),
        )
        .shows(&["logged", "replayed", "committed-first", "yours"])
        .not(&["authentic"])
        .is("fair")
        .holds(),
        hashed(
            "given-by-the-page",
            "alice's own hash of a seed that the operator's page gave to her program",
            |alice| Some(with(opened(alice, &c), &json!({ "given": true }))),
        )
        .shows(&["logged", "replayed", "committed-first", "yours"])
        .not(&["authentic", "no-collusion"])
        .is("unproved")
        .holds(),
        hashed(
            "two-hashes-one-key",
            "alice hashed and signed two seeds for one round, and kept the other one",
            |_| Some(another(&c, 1)),
        )
        .shows(&["logged", "replayed", "committed-first"])
        .not(&["yours", "authentic", "no-collusion"])
        .is("unproved")
        .holds(),
        hashed(
            "two-hashes-two-keys",
            "another hash under alice's label, signed by another key: before the lock, by anybody",
            |_| Some(another(&c, 9)),
        )
        .shows(&["logged", "replayed", "committed-first"])
        .not(&["yours", "authentic", "no-collusion"])
        .is("unproved")
        .holds(),
        hashed(
            "one-hash-two-keys",
            "alice's own hash; her key and signature were exchanged on its way",
            |_| {
                Some(opened(
                    &signed(&log(), c, 0, 9, Player::new("alice", "lucky", 1).hashed(&c, 0)),
                    &c,
                ))
            },
        )
        .shows(&["logged", "replayed", "committed-first"])
        .not(&["yours", "authentic", "no-collusion"])
        .is("unproved")
        .holds(),
        hashed("late-hash", "carol's hash came after the lock, and was never opened", |_| {
            Some(kept(&Player::new("carol", "clover", 3), &c, 0))
        })
        .shows(&["logged", "replayed", "committed-first"])
        .not(&["yours", "authentic", "no-collusion"])
        .is("unproved")
        .holds(),
        hashed("late-seed", "carol's seed, which the operator knew, was left out", |_| {
            Some(with(json!({ "from": "carol", "seed": "clover" }), &round_of(&c, 0)))
        })
        .shows(&["logged", "replayed", "committed-first"])
        .not(&["yours", "authentic", "no-collusion"])
        .is("caught")
        .finds(["receipt.json: contribution-mismatch 1", "lock.json: contribution-mismatch 1"]),
    ]
}

/// The operator locks alice's hash again, when she has opened it, beside a seed that it searched
/// for. A receipt of the second lock alone breaks no rule.
fn second_lock() -> Vec<Attack> {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        (c.draw, c.mixing) = (int(5), Mixing::Hashes);
    });
    let c = commit.commitment;
    let players = [Player::new("alice", "lucky", 1), Player::new("house", "searched for", 2)];
    let first = log.lock(c, 0, vec![players[0].hashed(&c, 0)]);
    let lock = log.receipt(&[0, first]).to_text();
    let second = log.lock(c, 0, players.iter().map(|player| player.hashed(&c, 0)).collect());
    let deal = log.deal_locked(&commit, &seed.mac(), 0, second, &players);
    let reveal = log.reveal(&seed);
    let whole = log.receipt(&[0, second, deal, reveal]).to_text();
    let mine = kept(&players[0], &c, 0);
    let case =
        |name, about| verify(name, about, log.key()).file("receipt.json", &whole).mine(&mine);
    let shown = ["logged", "replayed", "committed-first", "yours"];
    let about = "alice's opened hash, locked again beside a seed that the operator searched for";
    let evidence = json!({
        "format": "fairdeal/evidence/v1", "key": "", "mine": [mine], "since": [], "findings": [],
        "files": [
            { "name": "lock", "file": log.receipt(&[0, second]) },
            { "name": "deal", "file": log.receipt(&[0, second, deal, reveal]) },
        ],
    });
    let by_operator = "evidence of an invented player, which the operator gives to somebody";
    vec![
        case("two-locks-without-the-kept-one", about)
            .shows(&shown)
            .not(&["authentic", "no-collusion"])
            .is("unproved")
            .holds(),
        case("two-locks-and-the-kept-one", about)
            .kept("lock.json", lock)
            .is("caught")
            .finds([format!("open-round {second}"), format!("lock-mismatch {deal}")]),
        verify("evidence-by-the-operator", by_operator, log.key())
            .file("evidence.json", evidence.to_string())
            .is("unproved")
            .holds(),
    ]
}

/// What alice keeps of her hashed contribution.
fn opened(alice: &LoggedContribution, c: &Commitment) -> Value {
    let own = serde_json::to_value(alice).expect("JSON");
    let secret = json!({ "seed": "lucky", "blind": "01".repeat(32) });
    with(with(own, &secret), &round_of(c, 0))
}

/// Another contribution of alice to the same round, hashed and signed by the key of this number.
fn another(c: &Commitment, key: u8) -> Value {
    let alice = Player::new("alice", "another", 4);
    let own = signed(&log(), *c, 0, key, alice.hashed(c, 0));
    with(kept(&alice, c, 0), &json!({ "key": own.key, "signature": own.signature }))
}

/// A revealed round with two signed hashes, alice's and bob's; its receipt is compared with what
/// alice brought.
fn hashed(
    name: &'static str,
    about: &'static str,
    brought: impl FnOnce(&LoggedContribution) -> Option<Value>,
) -> Verified {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(5);
        c.mixing = Mixing::Hashes;
    });
    let c = commit.commitment;
    let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    let [alice, bob] =
        [(0, 1), (1, 2)].map(|(at, key)| signed(&log, c, 0, key, players[at].hashed(&c, 0)));
    let mine = brought(&alice);
    let lock = log.lock(c, 0, vec![alice, bob]);
    let kept = log.receipt(&[0, lock]).to_text();
    let deal = log.deal_locked(&commit, &seed.mac(), 0, lock, &players);
    let reveal = log.reveal(&seed);
    let verified = verify(name, about, log.key())
        .file("receipt.json", log.receipt(&[0, lock, deal, reveal]).to_text())
        .kept("lock.json", kept);
    match mine {
        Some(own) => verified.mine(&own),
        None => verified,
    }
}
