//! Logs with honest entries, and with wrong files, checkpoints or older checkpoints.

use fairdeal::log::{Checkpoint, Note};

use crate::logs::case::Case;
use crate::logs::write::{game, log};
use tools::paper::{PaperLog, counting_seed, int};

const BUNDLE: &str = "tile/entries/000.p/4";
const TILE: &str = "tile/0/000.p/4";

pub fn cases() -> Vec<Case> {
    [trees(), signatures(), older()].into_iter().flatten().collect()
}

fn game_with(name: &'static str, about: &'static str, finds: &'static [&'static str]) -> Case {
    Case::new(name, about, &game(), finds)
}

/// Flips a bit of the byte at a place.
fn flipped(at: usize) -> impl FnOnce(Vec<u8>) -> Option<Vec<u8>> {
    move |mut bytes| {
        bytes[at] ^= 1;
        Some(bytes)
    }
}

fn with_text(change: impl FnOnce(String) -> String) -> impl FnOnce(Vec<u8>) -> Option<Vec<u8>> {
    move |bytes| Some(change(String::from_utf8(bytes).expect("UTF-8")).into_bytes())
}

/// A signed checkpoint with any text.
fn signed(log: &PaperLog, text: &str) -> Vec<u8> {
    Note::sign(text, &[&log.signer]).expect("a note").to_text().into_bytes()
}

/// A tree of two bundles with short entries: those under another protocol's commitment are ignored.
fn two_bundles() -> PaperLog {
    let mut log = game();
    let c = "ab".repeat(32);
    let commit = format!(
        "{{\"commitment\":\"{c}\",\"entry\":\"commit\",\"protocol\":\"fairdeal/v2\",\"time\":1}}"
    );
    log.append_bytes(commit.as_bytes());
    while log.size() < 260 {
        log.append_bytes(format!("{{\"commitment\":\"{c}\"}}").as_bytes());
    }
    log
}

fn trees() -> Vec<Case> {
    let found: &[&str] = &["tree-mismatch"];
    let swap = |bytes: Vec<u8>| {
        // Swap two cards of the last deal: the entry stays canonical and keeps its length.
        let text =
            bytes.windows(10).rposition(|part| part.starts_with(b"\"cards\":\"")).expect("cards")
                + 9;
        let mut bytes = bytes;
        bytes.swap(text, text + 2);
        bytes.swap(text + 1, text + 3);
        Some(bytes)
    };
    let mut other = log();
    other.append_bytes(b"x");
    let other =
        fairdeal::log::verify_checkpoint(&other.checkpoint(), other.key()).expect("our own");
    let root = Checkpoint::new("cards.example/log", 4, *other.root()).expect("legal").to_text();
    let another_root = signed(&game(), &root);
    let second = Case::new(
        "tree-mismatch-second-bundle-missing",
        "what a second bundle held is not shown",
        &two_bundles(),
        found,
    );
    vec![
        game_with(
            "tree-mismatch-entry-edited",
            "two cards swapped in the bundle",
            &["tree-mismatch", "result-mismatch"],
        )
        .with(BUNDLE, swap),
        game_with("tree-mismatch-tile-edited", "one bit of a hash tile", found).with(TILE, flipped(40)),
        game_with("tree-mismatch-tile-missing", "a hash tile is withheld", found).with(TILE, |_| None),
        game_with("tree-mismatch-tile-short", "a hash tile is cut off", found)
            .with(TILE, |bytes| Some(bytes[..100].to_vec())),
        game_with("tree-mismatch-tile-long", "a hash follows the last one of a hash tile", found)
            .with(TILE, |bytes| Some([&bytes, &bytes[..32]].concat())),
        game_with("tree-mismatch-bundle-missing", "the entries are withheld", found).with(BUNDLE, |_| None),
        game_with("tree-mismatch-bundle-short", "the last entry is cut off", found)
            .with(BUNDLE, |bytes| Some(bytes[..bytes.len() - 1].to_vec())),
        game_with("tree-mismatch-bundle-long", "a byte follows the last entry", found)
            .with(BUNDLE, |bytes| Some([bytes, vec![0]].concat())),
        game_with("tree-mismatch-root", "a signed checkpoint of another root", found)
            .with("checkpoint", |_| Some(another_root)),
        second.with("tile/entries/001.p/4", |_| None),
        // Three: the bundle, and two tiles whose hashes all follow from the entries before it.
        // About the tile over the bundle nothing is known.
        Case::new(
            "tree-mismatch-tiles-before-bundle",
            "a second bundle missing, two tiles over the first one edited, the one over the second one missing",
            &two_bundles(),
            found,
        )
        .with("tile/entries/001.p/4", |_| None)
        .with("tile/0/000", flipped(5000))
        .with("tile/1/000.p/1", flipped(5))
        .with("tile/0/001.p/4", |_| None),
        Case::new("tree-mismatch-export", "an entry edited in a log as one file", &game(), &[
            "tree-mismatch",
            "result-mismatch",
        ])
        .exported(&game())
        .with("export", swap),
    ]
}

fn signatures() -> Vec<Case> {
    let found: &[&str] = &["bad-signature"];
    let text = game().checkpoint_text();
    let elsewhere = signed(&game(), &text.replacen("cards.example", "other.example", 1));
    let extended = signed(&game(), &format!("{text}an extension\n"));
    let no_checkpoint = signed(&game(), "trust me\n");
    let mut stranger = PaperLog::new("other.example/log", 9);
    let seed = counting_seed(0);
    let (_, commit) = stranger.commit(&seed, |c| c.draw = int(5));
    stranger.deal(&commit, &seed.mac(), 0, &[("alice", "lucky")]);
    stranger.reveal(&seed);
    vec![
        game_with("bad-signature-flipped", "one character of the signature", found).with(
            "checkpoint",
            with_text(|note| {
                let at = note.len() - 10;
                let other = if &note[at..=at] == "A" { "B" } else { "A" };
                format!("{}{other}{}", &note[..at], &note[at + 1..])
            }),
        ),
        game_with("bad-signature-key", "another operator's key of the same name", found)
            .under(PaperLog::new("cards.example/log", 8).key()),
        game_with(
            "bad-signature-size",
            "a size changed by hand, over what there is",
            &["bad-signature", "tree-mismatch"],
        )
        .with("checkpoint", with_text(|note| note.replacen("\n4\n", "\n5\n", 1))),
        game_with(
            "bad-signature-origin",
            "a checkpoint of another log, signed by this one's key",
            found,
        )
        .with("checkpoint", |_| Some(elsewhere)),
        // Under this key each entry would be a finding: another log's are not judged.
        Case::new(
            "bad-signature-another-log",
            "another log, signed by its own key, and a checkpoint that the key's log signed",
            &stranger,
            found,
        )
        .under(game().key())
        .since(game().checkpoint()),
        Case::new(
            "bad-signature-another-log-exported",
            "another log as one file, signed by its own key",
            &stranger,
            found,
        )
        .exported(&stranger)
        .under(game().key()),
        game_with(
            "bad-signature-origin-unsigned",
            "the origin changed by hand, so that the key's signature fails",
            found,
        )
        .with("checkpoint", with_text(|note| note.replacen("cards.example", "other.example", 1))),
        game_with("bad-signature-extension", "a checkpoint with an extension line", found)
            .with("checkpoint", |_| Some(extended)),
        game_with("bad-signature-no-checkpoint", "a signed note that is no checkpoint", found)
            .with("checkpoint", |_| Some(no_checkpoint)),
    ]
}

/// Compared with checkpoints that the log signed, but that are not of its tree.
fn older() -> Vec<Case> {
    let whole = game();
    let mut fork = log();
    let seed = counting_seed(0);
    let (_, commit) = fork.commit(&seed, |c| c.draw = int(5));
    fork.deal(&commit, &seed.mac(), 0, &[("alice", "another")]);
    let mut short = log();
    for entry in &whole.entries()[..2] {
        short.append_bytes(entry);
    }
    let mut same_size = log();
    for _ in 0..4 {
        same_size.append_bytes(b"x");
    }
    let found: &[&str] = &["inconsistent"];
    assert_eq!(fork.entries()[0], whole.entries()[0], "they part at the deal");
    vec![
        game_with("inconsistent", "a checkpoint that somebody saved is of another log", found)
            .since(fork.checkpoint()),
        game_with("inconsistent-same-size", "two roots at one size", found)
            .since(same_size.checkpoint()),
        Case::new(
            "rolled-back",
            "a log that is shorter than it was: perhaps an old copy",
            &short,
            &["rolled-back"],
        )
        .since(whole.checkpoint())
        .since(short.checkpoint()),
        Case::new(
            "rolled-back-and-due",
            "an old copy, whose reveal is due: overdue accuses nobody",
            &short,
            &["rolled-back", "overdue"],
        )
        .since(whole.checkpoint())
        .at(2_000_000_000_000)
        .by_clock(2_000_000_000_000),
        // The root of the promised size is promised, whatever the files are.
        Case::new(
            "rolled-back-larger",
            "a log that is shorter than it was and misses a tile, and the checkpoint of a fork",
            &short,
            &["rolled-back", "tree-mismatch", "inconsistent"],
        )
        .with("tile/0/000.p/2", |_| None)
        .since(whole.checkpoint())
        .since(fork.checkpoint()),
    ]
}
