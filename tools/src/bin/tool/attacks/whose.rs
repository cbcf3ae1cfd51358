//! The reader's own contribution, and the one that the operator mixed instead: spec/receipt.md,
//! 11.8.

use fairdeal::record::entry::{LoggedContribution, Mixing, PlayerSigner};
use serde_json::{Value, json};

use crate::attacks::case::{Attack, Verified, verify};
use crate::logs::write::{clear, deal_of, log, signed};
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
    let found = ["contribution-mismatch 2"];
    let c = counting_seed(0).commitment();
    let mut for_round_0 = lucky();
    (for_round_0["commitment"], for_round_0["nonce"]) = (json!(c.to_text()), json!(0));
    let key = |player: u8| PlayerSigner::from_seed(&[player; 32]).key().to_text();
    let signed_by =
        |player: u8| move |log: &PaperLog| vec![signed(log, c, 1, player, clear("alice", "lucky"))];
    vec![
        of_round("seed-swapped", "alice's seed is another than she gave", |_| {
            vec![clear("alice", "unlucky")]
        })
        .mine(&lucky())
        .shows(&["logged", "replayed"])
        .not(&["committed-first", "yours", "authentic", "no-collusion"])
        .finds(found),
        of_round("seen-attached", "a checkpoint is attached to alice's seed", |log| {
            vec![seeing("alice", "lucky", &log.seen())]
        })
        .mine(&lucky())
        .shows(&["logged", "replayed", "committed-first"])
        .not(&["yours", "authentic", "no-collusion"])
        .finds(found),
        of_round("left-out", "alice is left out of her round", |_| vec![clear("bob", "seven")])
            .mine(&lucky())
            .shows(&["logged", "replayed"])
            .not(&["committed-first", "yours", "authentic", "no-collusion"])
            .finds(found),
        of_round("moved-round", "alice's seed for round 0 is mixed into round 1", |_| {
            vec![clear("alice", "lucky")]
        })
        .mine(&for_round_0)
        .shows(&["logged", "replayed"])
        .not(&["committed-first", "yours", "authentic", "no-collusion"])
        .finds(found),
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
            |alice| {
                let mut own = serde_json::to_value(alice).expect("JSON");
                own["seed"] = json!("lucky");
                own["blind"] = json!("01".repeat(32));
                (own["commitment"], own["nonce"]) = (json!(c.to_text()), json!(0));
                Some(own)
            },
        )
        .shows(&["logged", "replayed", "committed-first", "yours"])
        .not(&["authentic"])
        .holds(),
    ]
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
    let deal = log.deal_locked(&commit, &seed.mac(), 0, lock, &players);
    let reveal = log.reveal(&seed);
    let verified = verify(name, about, log.key())
        .file("receipt.json", log.receipt(&[0, lock, deal, reveal]).to_text());
    match mine {
        Some(own) => verified.mine(&own),
        None => verified,
    }
}
