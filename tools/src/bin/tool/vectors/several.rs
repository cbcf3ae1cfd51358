//! Several files, judged together (spec/receipt.md, 11.6).

mod brought;
mod kept;
mod since;
mod unheard;

use fairdeal::deal::{Deck, Digest, Method};
use fairdeal::record::entry::{Commit, Entry, SeenCheckpoint};
use serde_json::{Value, json};

use crate::vectors::File;
use crate::vectors::judged::{Reader, changed, paper, several};
use crate::vectors::sealed::{Sealed, dealt};
use crate::vectors::verdicts::CLIENTS;
use tools::brought::with;
use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients, seeing};

pub fn files() -> Vec<File> {
    vec![File {
        name: "several.json",
        about: "spec/receipt.md, 11.6: several files, each alone and all together",
        vectors: vectors(),
    }]
}

struct Cases(Vec<Value>);

impl Cases {
    fn add(&mut self, name: &str, files: &[&str], between: &[&str]) {
        self.add_for(&Reader::default(), name, files, between);
    }

    fn add_for(&mut self, reader: &Reader, name: &str, files: &[&str], between: &[&str]) {
        self.add_kept(reader, name, (files, &[]), between);
    }

    /// With the files that the reader kept, after the others.
    fn add_kept(
        &mut self,
        reader: &Reader,
        name: &str,
        (given, kept): (&[&str], &[&str]),
        between: &[&str],
    ) {
        let names = ["a.json", "b.json", "c.json"].into_iter();
        let given = given.iter().map(|text| json!({ "text": text }));
        let kept = kept.iter().map(|text| json!({ "text": text, "kept": true }));
        let files: Vec<Value> = names
            .zip(given.chain(kept))
            .map(|(name, file)| with(file, &json!({ "name": name })))
            .collect();
        self.0.push(several(reader, name, &files, paper().key(), between));
    }

    /// Two receipts of one log.
    fn log(
        &mut self,
        name: &str,
        between: &[&str],
        write: impl FnOnce(&mut PaperLog) -> [Vec<u64>; 2],
    ) {
        let mut log = paper();
        let [a, b] = write(&mut log).map(|indices| log.receipt(&indices).to_text());
        self.add(name, &[&a, &b], between);
    }
}

const FORK: &[&str] = &["inconsistent"];

fn vectors() -> Vec<Value> {
    let mut cases = Cases(Vec::new());
    honest(&mut cases);
    forks(&mut cases);
    courses(&mut cases);
    tables(&mut cases);
    openings(&mut cases);
    unheard::judged(&mut cases);
    brought::judged(&mut cases);
    kept::judged(&mut cases);
    since::judged(&mut cases);
    cases.0
}

fn honest(cases: &mut Cases) {
    let (mut log, seed) = (paper(), counting_seed(0));
    let (c, commit) = log.commit(&seed, |_| {});
    let first = log.deal(&commit, &seed.mac(), 0, CLIENTS);
    let early = log.receipt(&[c, first]).to_text();
    let second = log.deal(&commit, &seed.mac(), 1, CLIENTS);
    let r = log.reveal(&seed);
    log.append_bytes(b"later");
    let late = log.receipt(&[c, first, r]).to_text();
    let other = log.receipt(&[c, second, r]).to_text();
    let alone = log.receipt(&[c, r]).to_text();
    cases.add("one receipt before the reveal and one after", &[&early, &late], &[]);
    cases.add("one file twice", &[&late, &late], &[]);
    cases.add("two rounds of one commitment", &[&late, &other], &[]);
    cases.add("three files, one without a round", &[&other, &early, &alone], &[]);
    cases.log("two tables", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let other = counting_seed(1);
        let table = |commit: &mut Commit| {
            commit.table = fairdeal::record::entry::Table::new("table 2").expect("a table");
        };
        let (c2, commit2) = log.commit(&other, table);
        let d2 = log.deal(&commit2, &other.mac(), 0, CLIENTS);
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        [vec![c, d], vec![c2, d2]]
    });
    cases.log("a lock that is answered in neither file", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let lock = |log: &mut PaperLog, n| log.lock(commit.commitment, n, logged_clients(CLIENTS));
        let l = lock(log, 0);
        log.void(commit.commitment, Some(0), None);
        let l2 = lock(log, 1);
        [vec![c, l], vec![c, l2]]
    });
}

/// An honest log, and another with the same key that parts from it after `common` entries.
fn forked(common: usize, more: usize) -> (PaperLog, PaperLog) {
    let (mut log, mut other) = (paper(), paper());
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    log.append_bytes(b"x");
    log.deal(&commit, &seed.mac(), 0, CLIENTS);
    log.append_bytes(b"y");
    for entry in log.entries().iter().take(common) {
        other.append_bytes(entry);
    }
    other.time = log.time;
    while other.size() < 4 {
        let entry = other.size();
        if entry == 2 {
            other.deal(&commit, &seed.mac(), 0, &[("alice", "other")]);
        } else {
            other.append_bytes(b"forked");
        }
    }
    for _ in 0..more {
        other.append_bytes(b"more");
    }
    (log, other)
}

fn forks(cases: &mut Cases) {
    let text = |log: &PaperLog, indices: &[u64]| log.receipt(indices).to_text();
    let (log, other) = forked(2, 0);
    let both = ["inconsistent", "inconsistent"];
    cases.add(
        "two deals at one index, and two roots at one size",
        &[&text(&log, &[0, 2]), &text(&other, &[0, 2])],
        &both,
    );
    let (log, other) = forked(2, 3);
    cases.add(
        "two deals at one index, under checkpoints of two sizes",
        &[&text(&log, &[0, 2]), &text(&other, &[0, 2])],
        FORK,
    );
    let (log, other) = forked(3, 0);
    cases.add(
        "two roots at one size, the same entries",
        &[&text(&log, &[0, 2]), &text(&other, &[0, 2])],
        FORK,
    );
    let (log, other) = forked(3, 1);
    cases.add(
        "two trees that nobody can hold against one another",
        &[&text(&log, &[0, 2]), &text(&other, &[0, 2])],
        &[],
    );
    let proving = |log: &PaperLog, size: u64| {
        let proof = crate::vectors::judged::value_of(&log.seen_proof(size));
        changed(&log.receipt(&[0, 2]), |f| f["seen"] = json!([proof]))
    };
    cases.add(
        "the same, where one proves the size of the other",
        &[&text(&log, &[0, 2]), &proving(&other, 4)],
        FORK,
    );
    cases.add(
        "the same, where both prove a size that they had",
        &[&proving(&log, 3), &proving(&other, 3)],
        &[],
    );
    let three =
        [text(&log, &[0, 2]), text(&forked(3, 0).1, &[0, 2]), text(&forked(2, 0).1, &[0, 2])];
    let three: Vec<&str> = three.iter().map(String::as_str).collect();
    cases.add("three trees of one size are found once", &three, &["inconsistent", "inconsistent"]);

    let seed = counting_seed(0);
    let seen_deal = |log: &mut PaperLog, n: u64, seen: &SeenCheckpoint, commit: &Commit| {
        let deal = log.deal_entry_of(commit, &seed.mac(), n, vec![seeing("alice", "lucky", seen)]);
        log.append(&Entry::Deal(Box::new(deal)))
    };
    let stranger = |size: u8| {
        let mut other = paper();
        for n in 0..size {
            other.append_bytes(&[n]);
        }
        other.seen()
    };
    let bare = |log: &PaperLog, indices: &[u64]| {
        changed(&log.receipt(indices), |f| {
            drop(f.as_object_mut().expect("an object").remove("seen"));
        })
    };
    let mut log = paper();
    let (c, commit) = log.commit(&seed, |_| {});
    let honest = log.seen();
    let d = seen_deal(&mut log, 0, &stranger(1), &commit);
    let d2 = seen_deal(&mut log, 1, &honest, &commit);
    cases.add(
        "two players saw two logs, and each file alone holds",
        &[&bare(&log, &[c, d]), &bare(&log, &[c, d2])],
        FORK,
    );
    cases.add(
        "one player saw another log than the other file proves",
        &[&bare(&log, &[c, d]), &log.receipt(&[c, d2]).to_text()],
        FORK,
    );
    cases.add(
        "a file that contradicts itself",
        &[&log.receipt(&[c, d]).to_text(), &bare(&log, &[c])],
        FORK,
    );
    let mut log = paper();
    let (c, commit) = log.commit(&seed, |_| {});
    let d = seen_deal(&mut log, 0, &stranger(3), &commit);
    log.append_bytes(b"x");
    cases.add(
        "a player saw a log larger than there was, of the other's checkpoint's size",
        &[&bare(&log, &[c, d]), &bare(&log, &[c])],
        FORK,
    );
}

fn courses(cases: &mut Cases) {
    let seed = counting_seed(0);
    cases.log("one round dealt twice", &["nonce-gap"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        let d2 = log.deal(&commit, &seed.mac(), 0, &[("alice", "other")]);
        [vec![c, d2], vec![c, d]]
    });
    cases.log("rounds dealt in another order", &["nonce-gap"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 1, CLIENTS);
        let d2 = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        [vec![c, d], vec![c, d2]]
    });
    cases.log("a deal whose seed is in the other file", &["result-mismatch"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &counting_seed(9).mac(), 0, CLIENTS);
        let r = log.reveal(&seed);
        [vec![c, d], vec![c, r]]
    });
    cases.log("an honest deal whose seed is in the other file", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        let r = log.reveal(&seed);
        [vec![c, d], vec![c, r]]
    });
    cases.log("a deal that does not replay is told of its own file", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &counting_seed(9).mac(), 0, CLIENTS);
        let r = log.reveal(&seed);
        [vec![c, d, r], vec![c, d]]
    });
    cases.log("a deal after the other file's reveal", &["after-reveal"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let r = log.reveal(&seed);
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        [vec![c, d], vec![c, r]]
    });
    cases.log("a whole void of what the other file dealt", &["void-after-use"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        let v = log.void(commit.commitment, None, None);
        [vec![c, v], vec![c, d]]
    });
    cases.log("a deal after the other file's whole void", &["after-void"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let v = log.void(commit.commitment, None, None);
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        [vec![c, v], vec![c, d]]
    });
    cases.log("one round locked twice", &["open-round"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(commit.commitment, 0, logged_clients(CLIENTS));
        let l2 = log.lock(commit.commitment, 0, logged_clients(&[("alice", "other")]));
        [vec![c, l], vec![c, l2]]
    });
    cases.log("an earlier round dealt while one is locked", &["open-round"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(commit.commitment, 1, logged_clients(CLIENTS));
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        [vec![c, l], vec![c, d]]
    });
    cases.log("a deal that ignores the other file's lock", &["lock-mismatch"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(commit.commitment, 0, logged_clients(CLIENTS));
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        [vec![c, l], vec![c, d]]
    });
    cases.log("a locked round voided in the other file, and dealt", &["nonce-gap"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let alice = [Player::new("alice", "lucky", 1)];
        let l = log.lock(commit.commitment, 0, vec![alice[0].hashed(&commit.commitment, 0)]);
        let v = log.void(commit.commitment, Some(0), None);
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &alice);
        [vec![c, l, d], vec![c, v]]
    });
    cases.log("time runs back between the files", &["time-runs-back"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        log.time += 60_000;
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        log.time -= 30_000;
        let d2 = log.deal(&commit, &seed.mac(), 1, CLIENTS);
        [vec![c, d], vec![c, d2]]
    });
    cases.log("what one file has a finding of is not told again", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        log.time -= 30_000;
        let d2 = log.deal(&commit, &seed.mac(), 1, CLIENTS);
        [vec![c, d], vec![c, d2]]
    });
    cases.log("a second commit of one commitment", &["duplicate-commitment"], |log| {
        let (c, _) = log.commit(&seed, |_| {});
        let (again, _) = log.commit(&seed, |_| {});
        [vec![c], vec![again]]
    });
    cases.log("a file without its commit is no receipt, and contradicts nobody", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        let d2 = log.deal(&commit, &seed.mac(), 0, &[("alice", "other")]);
        [vec![d2], vec![c, d]]
    });
    cases.log("one round dealt twice", &["nonce-gap"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        let d2 = log.deal(&commit, &seed.mac(), 0, &[("alice", "other")]);
        [vec![c, d2], vec![c, d]]
    });
}

/// One table's commitments, each with its `after`.
fn chain(log: &mut PaperLog, afters: &[Option<u8>]) -> Vec<(u64, Box<Commit>)> {
    let commit = |log: &mut PaperLog, (at, after): (usize, &Option<u8>)| {
        let seed = counting_seed(u8::try_from(at).expect("small"));
        log.commit(&seed, |c| c.after = after.map(|after| counting_seed(after).commitment()))
    };
    afters.iter().enumerate().map(|one| commit(log, one)).collect()
}

fn tables(cases: &mut Cases) {
    let turn: &[&str] = &["out-of-turn"];
    let none = None;
    for (name, afters, shown, between) in [
        ("two commitments of a table in turn", vec![none, Some(0)], [0, 1], &[][..]),
        (
            "two commitments of a table, one between them left out",
            vec![none, Some(0), Some(1)],
            [0, 2],
            &[],
        ),
        ("a table's first commitment twice", vec![none, none], [0, 1], turn),
        ("two commitments after one", vec![none, Some(0), Some(0)], [1, 2], turn),
        ("two commitments after one that nobody shows", vec![Some(9), Some(9)], [0, 1], turn),
        ("a commitment after what nobody shows", vec![Some(9), Some(8)], [0, 1], &[]),
        ("the second of a table again as its first", vec![none, Some(0), none], [1, 2], turn),
    ] {
        cases.log(name, between, |log| {
            let commits = chain(log, &afters);
            shown.map(|at: usize| vec![commits[at].0])
        });
    }
    let mut log = paper();
    let commits = chain(&mut log, &[None, Some(0), Some(0)]);
    let texts: Vec<String> = commits.iter().map(|(c, _)| log.receipt(&[*c]).to_text()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    cases.add("a commitment after one that is not the table's last", &texts, turn);
    let mut log = paper();
    let commits = chain(&mut log, &[Some(9), Some(8), Some(0)]);
    let texts: Vec<String> = commits.iter().map(|(c, _)| log.receipt(&[*c]).to_text()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    cases.add("a commitment after one shown, with another since", &texts, turn);
    let seed = counting_seed(0);
    for (name, kind, between) in [
        ("a deal under a commitment that the table has left", 0, turn),
        ("a lock under a commitment that the table has left", 1, turn),
        ("a void under a commitment that the table has left", 2, turn),
        ("a whole void of a commitment that the table has left", 3, turn),
        ("a reveal of a commitment that the table has left", 4, &[]),
    ] {
        cases.log(name, between, |log| {
            let commits = chain(log, &[None, Some(0)]);
            let (c, commit) = &commits[0];
            let last = match kind {
                0 => log.deal(commit, &seed.mac(), 0, CLIENTS),
                1 => log.lock(commit.commitment, 0, logged_clients(CLIENTS)),
                2 => log.void(commit.commitment, Some(0), None),
                3 => log.void(commit.commitment, None, None),
                _ => log.reveal(&seed),
            };
            [vec![*c, last], vec![commits[1].0]]
        });
    }
}

fn openings(cases: &mut Cases) {
    let nine = |commit: &mut Commit| commit.draw = int(9);
    let mut log = paper();
    let twice = |commit: &Commit| {
        let mut items = dealt(commit, 0);
        items[8] = items[0];
        items
    };
    let sealed = Sealed::deal(&mut log, nine, &[], twice);
    let open = |places: &[usize]| sealed.open(&log, places);
    let wrong: &[&str] = &["result-mismatch"];
    cases.add("one item opened at two places, in two files", &[&open(&[0]), &open(&[8])], wrong);
    cases.add("openings of other cards", &[&open(&[0, 1]), &open(&[2])], &[]);
    cases.add("openings of the same card", &[&open(&[0, 1]), &open(&[1])], &[]);
    cases.add("told of the file that has both", &[&open(&[0, 8]), &open(&[8])], &[]);
    let mut forged: Value = serde_json::from_str(&open(&[8])).expect("JSON");
    forged["opened"][0]["salt"] = json!("00".repeat(16));
    cases.add(
        "an opening that is wrong alone counts for nothing",
        &[&open(&[0]), &forged.to_string()],
        &[],
    );
    cases.add(
        "a receipt beside its opening",
        &[&open(&[0]), &log.receipt(&sealed.entries).to_text()],
        &[],
    );
    let mut log = paper();
    let cycle = |commit: &mut Commit| {
        commit.deck = Deck::list(6, Digest::from_bytes([9; 32])).expect("legal");
        commit.draw = int(6);
        commit.method = Method::Cycle;
    };
    let sealed = Sealed::deal(&mut log, cycle, &[], |_| vec![3, 2, 4, 0, 1, 5]);
    let open = |places: &[usize]| sealed.open(&log, places);
    cases.add("a short cycle in three files", &[&open(&[1]), &open(&[2]), &open(&[4])], wrong);
    cases.add(
        "a short cycle, one edge of it not opened",
        &[&open(&[1]), &open(&[2]), &open(&[0])],
        &[],
    );
    let seats = ["alice", "bob"];
    let mut log = paper();
    let table = |commit: &mut Commit| {
        nine(commit);
        commit.layout = Some(serde_json::from_value(json!({ "hand": 2 })).expect("a layout"));
    };
    let sealed = Sealed::deal(&mut log, table, &seats, |commit| dealt(commit, 0));
    let open = |places: &[usize]| sealed.open(&log, places);
    let alice = Reader::sits("alice");
    cases.add_for(&alice, "a seat is held against each opening", &[&open(&[0]), &open(&[1])], &[]);
}
