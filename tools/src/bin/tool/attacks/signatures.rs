//! Signed contributions, moved and changed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fairdeal::deal::ServerSeed;
use fairdeal::record::entry::{Commit, LoggedContribution, PlayerKey};

use crate::attacks::case::{Attack, audit};
use crate::logs::write::{clear, deal_of, log, signed};
use tools::paper::{PaperLog, counting_seed, int, seeing};

/// A deal under a commitment with signed contributions: its contribution is the one that `make`
/// gives, with alice's key and signature.
fn dealt(
    name: &'static str,
    about: &'static str,
    found: &str,
    make: impl FnOnce(&PaperLog, &Commit) -> LoggedContribution,
) -> Attack {
    let mut log = log();
    let seed: ServerSeed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(5);
        c.signed = true;
    });
    let alice = signed(&log, commit.commitment, 0, 1, clear("alice", "lucky"));
    deal_of(&mut log, &commit, &seed.mac(), 0, vec![alice]);
    let contribution = make(&log, &commit);
    deal_of(&mut log, &commit, &seed.mac(), 1, vec![contribution]);
    log.reveal(&seed);
    audit(name, about, &log).finds([found])
}

pub fn attacks() -> Vec<Attack> {
    let found = "contribution-signature 2";
    vec![
        dealt(
            "signature-moved-round",
            "a contribution to round 0 is dealt in round 1",
            found,
            |log, commit| signed(log, commit.commitment, 0, 1, clear("alice", "lucky")),
        ),
        dealt(
            "signature-moved-commitment",
            "a contribution to another commitment's round",
            found,
            |log, _| signed(log, counting_seed(40).commitment(), 1, 1, clear("alice", "lucky")),
        ),
        dealt(
            "signature-moved-log",
            "a contribution to this round of a log of the same name under another key",
            found,
            |_, commit| {
                let rotated = PaperLog::new("cards.example/log", 8);
                signed(&rotated, commit.commitment, 1, 1, clear("alice", "lucky"))
            },
        ),
        dealt(
            "signature-seen-attached",
            "a checkpoint is attached to a contribution that was signed without one",
            found,
            |log, commit| {
                let alice = signed(log, commit.commitment, 1, 1, clear("alice", "lucky"));
                LoggedContribution { seen: Some(log.seen()), ..alice }
            },
        ),
        dealt(
            "signature-seen-replaced",
            "a contribution that was signed with an older checkpoint",
            found,
            |log, commit| {
                let older = seeing("alice", "lucky", &crate::logs::write::game().seen());
                let alice = signed(log, commit.commitment, 1, 1, older);
                LoggedContribution { seen: Some(log.seen()), ..alice }
            },
        ),
        dealt(
            "signature-seed-changed",
            "another seed under alice's signature",
            found,
            |log, commit| {
                let alice = signed(log, commit.commitment, 1, 1, clear("alice", "lucky"));
                LoggedContribution { seed: clear("alice", "chosen").seed, ..alice }
            },
        ),
        dealt(
            "signature-small-order",
            "a key and a signature of small order, which verify over anything where nobody is strict",
            found,
            |_, _| {
                let mut signature = [0; 64];
                signature[0] = 1; // R is the neutral element, and S is 0
                LoggedContribution {
                    key: PlayerKey::parse(&format!("01{}", "00".repeat(31))).ok(),
                    signature: serde_json::from_value(STANDARD.encode(signature).into()).ok(),
                    ..clear("alice", "lucky")
                }
            },
        ),
        dealt(
            "unsigned-under-signed",
            "a contribution without a signature, where each is to have one",
            "weak-mixing 2",
            |_, _| clear("alice", "lucky"),
        ),
    ]
}
