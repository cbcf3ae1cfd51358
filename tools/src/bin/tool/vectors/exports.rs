//! Logs exported to one file (spec/ledger.md, 10.5), complete and not.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fairdeal::log::Note;
use fairdeal::record::entry::Entry;
use serde_json::{Value, json};

use crate::vectors::File;
use crate::vectors::judged::{paper, put};
use crate::vectors::verdicts::CLIENTS;
use tools::paper::{PaperLog, counting_seed, seeing};
use tools::question::audit_export as audit;

pub fn files() -> Vec<File> {
    vec![File {
        name: "exports.json",
        about: "spec/ledger.md, 10.5: a log in one file, and what an audit of it comes to",
        vectors: exports(),
    }]
}

const HEADER: &[u8] = b"fairdeal/export/v1\n";

fn export_of(note: &str, entries: &[Vec<u8>]) -> Vec<u8> {
    let length = u32::try_from(note.len()).expect("short").to_be_bytes();
    let mut file = [HEADER, &length, note.as_bytes()].concat();
    for entry in entries {
        file.extend(u16::try_from(entry.len()).expect("an entry").to_be_bytes());
        file.extend(entry);
    }
    file
}

fn export(log: &PaperLog) -> Vec<u8> {
    export_of(&log.checkpoint(), log.entries())
}

fn played() -> PaperLog {
    let (mut log, seed) = (paper(), counting_seed(0));
    let (_, commit) = log.commit(&seed, |_| {});
    log.deal(&commit, &seed.mac(), 0, CLIENTS);
    log.reveal(&seed);
    log
}

fn exports() -> Vec<Value> {
    let key = paper().key().clone();
    let mut vectors = Vec::new();
    // The expected codes, or `None` if the file cannot be read.
    let mut add = |name: &str, export: &[u8], expected: Option<&[&str]>| {
        let verdict = audit(export, &key);
        let codes = |verdict: &Value| -> Vec<String> {
            let findings = verdict["findings"].as_array().expect("an array").iter();
            findings.map(|found| found["code"].as_str().expect("a code").to_owned()).collect()
        };
        assert_eq!(
            verdict.as_ref().map(codes).as_deref(),
            expected.map(|all| all.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>()).as_deref(),
            "{name}"
        );
        let mut vector = json!({ "name": name, "export": STANDARD.encode(export), "key": key.to_text(), "exit": 3 });
        if let Some(verdict) = verdict {
            vector["exit"] = json!(i32::from(verdict["holds"] != json!(true)));
            vector["verdict"] = verdict;
        }
        vectors.push(vector);
    };
    let log = played();
    let whole = export(&log);
    let (note, entries) = (log.checkpoint(), log.entries());
    add("a log", &whole, Some(&[]));
    add("an empty log", &export(&paper()), Some(&[]));
    let mut many = paper();
    for n in 0..257_u32 {
        let of = hex::encode([&n.to_be_bytes()[..], &[0; 28]].concat());
        put(&mut many, &json!({ "commitment": of, "entry": "commit", "protocol": "x", "time": 1 }));
    }
    add("a log of a full bundle and one more", &export(&many), Some(&[]));
    add(
        "a log of a full bundle and one more, the last missing",
        &export_of(&many.checkpoint(), &many.entries()[..256]),
        None,
    );

    add("nothing", b"", None);
    add("the first line alone", HEADER, None);
    add("another first line", &[b"fairdeal/export/v2\n", &whole[19..]].concat(), None);
    add(
        "a carriage return in the first line",
        &[b"fairdeal/export/v1\r\n", &whole[19..]].concat(),
        None,
    );
    add("without the first line", &whole[19..], None);
    add("a checkpoint as it is served", note.as_bytes(), None);
    let note_ends = 23 + note.len();
    let first_ends = note_ends + 2 + entries[0].len();
    for (name, length) in [
        ("cut off in the first line", 18),
        ("cut off in the length of the checkpoint", 22),
        ("cut off before the checkpoint", 23),
        ("cut off in the checkpoint", note_ends - 1),
        ("cut off before the first entry", note_ends),
        ("cut off in the length of an entry", note_ends + 1),
        ("cut off before the bytes of an entry", note_ends + 2),
        ("cut off in an entry", first_ends - 1),
        ("cut off between two entries", first_ends),
        ("cut off before its last byte", whole.len() - 1),
    ] {
        add(name, &whole[..length], None);
    }
    add("a byte after the last entry", &[&whole[..], b"\n"].concat(), None);
    add("an entry after the last", &[&whole[..], b"\x00\x01x"].concat(), None);
    add("an empty entry after the last", &[&whole[..], b"\x00\x00"].concat(), None);
    add("an entry in an empty log", &export_of(&paper().checkpoint(), &[b"x".to_vec()]), None);
    add("two exports in one file", &[&whole[..], &whole[..]].concat(), None);
    let claimed = |length: u32| {
        [HEADER, &length.to_be_bytes(), note.as_bytes(), &whole[note_ends..]].concat()
    };
    add("a checkpoint that claims 1,000,001 bytes", &claimed(1_000_001), None);
    add("a checkpoint that claims 2^32 - 1 bytes", &claimed(u32::MAX), None);
    let mut padded = claimed(1_000_001);
    padded.truncate(23);
    add("a checkpoint's length that is over the most, and nothing else", &padded, None);

    let changed = note.replacen("\n3\n", "\n2\n", 1);
    add(
        "a size changed by hand, and the entries for it",
        &export_of(&changed, &entries[..2]),
        Some(&["tree-mismatch", "bad-signature"]),
    );
    let mut swapped = entries.to_vec();
    swapped.swap(1, 2);
    add(
        "two entries change places",
        &export_of(&note, &swapped),
        Some(&["tree-mismatch", "after-reveal"]),
    );
    let mut edited = entries.to_vec();
    let place = edited[1].len() - 3;
    edited[1][place] ^= 1;
    add("an entry edited", &export_of(&note, &edited), Some(&["tree-mismatch"]));
    let mut grown = played();
    grown.append_bytes(b"{}");
    add("an entry that is none", &export(&grown), Some(&["invalid-entry"]));
    let stranger = PaperLog::new("cards.example/log", 8);
    let strange = Note::sign(&log.checkpoint_text(), &[&stranger.signer]).expect("legal").to_text();
    add("signed by another key", &export_of(&strange, entries), Some(&["bad-signature"]));
    let extended =
        Note::sign(&format!("{}x\n", log.checkpoint_text()), &[&log.signer]).expect("legal");
    add(
        "a checkpoint with an extension line",
        &export_of(&extended.to_text(), entries),
        Some(&["bad-signature"]),
    );
    let elsewhere =
        Note::sign(&log.checkpoint_text().replacen("cards", "other", 1), &[&log.signer])
            .expect("legal");
    add(
        "a checkpoint of another origin",
        &export_of(&elsewhere.to_text(), entries),
        Some(&["bad-signature"]),
    );
    let text = Note::sign("a text\n", &[&log.signer]).expect("legal").to_text();
    add(
        "a signed note that is no checkpoint, and no entries",
        &export_of(&text, &[]),
        Some(&["bad-signature"]),
    );
    add(
        "a signed note that is no checkpoint, and an entry",
        &export_of(&text, &entries[..1]),
        None,
    );
    add("no note, and no entries", &export_of("trust me\n", &[]), None);
    add("a checkpoint of no bytes, and no entries", &export_of("", &[]), None);
    add("a checkpoint of no bytes, and an entry", &export_of("", &entries[..1]), None);

    let seed = counting_seed(0);
    let mut forked = paper();
    let (_, commit) = forked.commit(&seed, |_| {});
    let mut other = paper();
    other.append_bytes(b"x");
    let deal = forked.deal_entry_of(
        &commit,
        &seed.mac(),
        0,
        vec![seeing("alice", "lucky", &other.seen())],
    );
    forked.append(&Entry::Deal(Box::new(deal)));
    add("a player saw another log", &export(&forked), Some(&["split-view"]));
    let mut edited = forked.entries().to_vec();
    edited.push(b"{}".to_vec());
    let more = forked.checkpoint_text().replacen("\n2\n", "\n3\n", 1);
    let more = Note::sign(&more, &[&forked.signer]).expect("legal").to_text();
    add(
        "a player saw another log, and the entries are not the root's",
        &export_of(&more, &edited),
        Some(&["tree-mismatch", "invalid-entry"]),
    );
    vectors
}
