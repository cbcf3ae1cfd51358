//! Invalid entries: wrong seats under a layout, and other JSON where an object is required.

use serde_json::{Value, json};

use fairdeal::record::entry::Commit;

use crate::attacks::case::{Attack, audit};
use crate::logs::write::{ALICE, BOTH, append, clear, holdem, list, log, seats};
use tools::paper::{PaperLog, counting_seed, int, seeing};

pub fn attacks() -> Vec<Attack> {
    [seated(), shaped()].into_iter().flatten().collect()
}

/// An entry, changed as JSON.
fn changed(entry: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut value = serde_json::from_slice(entry).expect("JSON");
    change(&mut value);
    value.to_string().into_bytes()
}

/// A commitment whose layout has room for two seats, continued by the caller.
fn under_layout(
    name: &'static str,
    about: &'static str,
    found: &str,
    write: impl FnOnce(&mut PaperLog, &Commit),
) -> Attack {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(12); // two hands of two, three burnt cards and five on the board
        c.layout = Some(holdem());
    });
    write(&mut log, &commit);
    audit(name, about, &log).finds([found])
}

fn seated() -> Vec<Attack> {
    let seed = || counting_seed(0).mac();
    vec![
        under_layout(
            "seats-missing",
            "a deal that does not say who is dealt to, though the commitment says what each gets",
            "invalid-entry 1",
            |log, commit| {
                log.deal(commit, &seed(), 0, ALICE);
            },
        ),
        under_layout(
            "seats-too-many",
            "a third seat, for which the draw has no cards",
            "invalid-entry 1",
            |log, commit| {
                let mut deal = log.deal_entry(commit, &seed(), 0, BOTH);
                deal.seats = Some(seats(&["alice", "bob", "carol"]));
                append(log, deal);
            },
        ),
        under_layout(
            "seats-without-a-player",
            "a lock that takes alice's seed and gives her seat to another",
            "invalid-entry 1",
            |log, commit| {
                log.lock(commit.commitment, 0, vec![clear("alice", "lucky")]);
                *log = with_last(log, |lock| lock["seats"] = json!(["mallory"]));
            },
        ),
    ]
}

/// A log whose last entry is changed as JSON.
fn with_last(log: &PaperLog, change: impl FnOnce(&mut Value)) -> PaperLog {
    let mut other = crate::logs::write::log();
    let (last, before) = log.entries().split_last().expect("an entry");
    for entry in before {
        other.append_bytes(entry);
    }
    other.append_bytes(&changed(last, change));
    other
}

/// Replaces an object by the array of its members' values.
fn as_array(value: &mut Value) {
    *value = value.as_object().expect("an object").values().cloned().collect();
}

fn shaped() -> Vec<Attack> {
    let mut dealt = log();
    let seed = counting_seed(0);
    let (_, commit) = dealt.commit(&seed, |c| c.draw = int(5));
    let seen = dealt.seen();
    let deal = dealt.deal_entry_of(&commit, &seed.mac(), 0, vec![seeing("alice", "lucky", &seen)]);
    append(&mut dealt, deal);
    let mut committed = log();
    committed.commit(&seed, |c| {
        c.draw = int(4096);
        c.deck = list(1 << 20);
        c.sealed = true;
    });
    vec![
        audit(
            "array-for-object-seen",
            "a checkpoint seen as an array",
            &with_last(&dealt, |deal| as_array(&mut deal["contributions"][0]["seen"])),
        )
        .finds(["invalid-entry 1"]),
        audit(
            "array-for-object-result",
            "a result as an array",
            &with_last(&dealt, |deal| as_array(&mut deal["result"])),
        )
        .finds(["invalid-entry 1"]),
        audit(
            "mixing-as-object",
            "a mixing with something in it",
            &with_last(&committed, |commit| commit["mixing"] = json!({ "seeds": null })),
        )
        .finds(["invalid-entry 0"]),
        audit(
            "sealed-million",
            "a sealed deal of a million items, which would cost whoever checks it minutes",
            &with_last(&committed, |commit| commit["draw"] = json!(1 << 20)),
        )
        .finds(["invalid-entry 0"]),
        audit(
            "sealed-most",
            "a sealed deal of 4,096 items, which is as many as there may be",
            &committed,
        )
        .holds(),
    ]
}
