//! One function for each parser. It takes any bytes, and panics only if the parser breaks a
//! promise.
//!
//! Each says whether it accepted the bytes. libFuzzer calls them from `fuzz_targets/`, and
//! `tests/search/fuzz.rs` with fixed cases, so this file knows neither. The common promises: no
//! input makes a parser panic, and what parses prints back byte for byte if the format has one
//! spelling, or to the same meaning if it has many.

pub mod corpus;
mod rows;

pub use rows::rows;

use std::sync::LazyLock;

use fairdeal::beacon::Chains;
use fairdeal::deal::{Contributions, List, Nonce, message};
use fairdeal::log::{
    AddCheckpoint, Checkpoint, EntryBundle, HashTile, Level, Note, Policy, Quorum, Signature,
    SignedCheckpoint, SignerKey, TilePath, TlogProof, VerifierKey, verify_checkpoint,
};
use fairdeal::raffle::{Entrant, GivenBeacon, RaffleDocument, RaffleGiven, Tickets, verify_raffle};
use fairdeal::record::Entry;
use fairdeal::record::entry::{LoggedContribution, PlainDeal, PlainForm, plain_seeds};
use fairdeal::record::json::{parse_canonical, to_canonical};
use fairdeal::record::life::{Extent, Judge};
use fairdeal::record::receipt::{
    Document, Evidence, ReaderGiven, ReceiptVerdict, SignedBy, verify,
};
use fairdeal_audit::source::{Export, Files as _};

/// A parser under test: its name, its function, and the inputs to start from.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]) -> bool,
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them, each also a file of `fuzz_targets/`.
pub const TARGETS: [Target; 20] = [
    Target { name: "note", run: note, seeds: corpus::notes },
    Target { name: "verifier_key", run: verifier_key, seeds: corpus::verifier_keys },
    Target { name: "signer_key", run: signer_key, seeds: corpus::signer_keys },
    Target { name: "checkpoint", run: checkpoint, seeds: corpus::checkpoints },
    Target { name: "tile_path", run: tile_path, seeds: corpus::tile_paths },
    Target { name: "hash_tile", run: hash_tile, seeds: corpus::hash_tiles },
    Target { name: "entry_bundle", run: entry_bundle, seeds: corpus::entry_bundles },
    Target { name: "export", run: export, seeds: corpus::exports },
    Target { name: "canonical_json", run: canonical_json, seeds: corpus::entries },
    Target { name: "entry", run: entry, seeds: corpus::entries },
    Target { name: "document", run: document, seeds: corpus::documents },
    Target { name: "evidence", run: evidence, seeds: corpus::evidence },
    Target { name: "raffle", run: raffle, seeds: corpus::raffles },
    Target { name: "entrant_link", run: entrant_link, seeds: corpus::entrant_links },
    Target { name: "list", run: list, seeds: corpus::lists },
    Target { name: "contributions", run: contributions, seeds: corpus::contributions },
    Target { name: "rows", run: rows, seeds: corpus::rows },
    Target { name: "policy", run: policy, seeds: corpus::policies },
    Target { name: "tlog_proof", run: tlog_proof, seeds: corpus::tlog_proofs },
    Target { name: "add_checkpoint", run: add_checkpoint, seeds: corpus::add_checkpoints },
];

/// A policy: two views take no more liars than a time, and all witnesses together are a quorum.
pub fn policy(bytes: &[u8]) -> bool {
    let Ok(policy) = Policy::parse(bytes) else { return false };
    let (times, views) = (policy.liars_for_times(), policy.liars_for_two_views());
    assert!(views <= times);
    let count = policy.witnesses().len();
    let all = policy.quorum(&vec![Some(7); count]);
    let times_of_all = Quorum { by: Some(7), since: Some(7) };
    assert_eq!(all, (times > 0).then_some(times_of_all));
    assert_eq!(policy.quorum(&vec![None; count]), None);
    true
}

/// A request to a witness prints back.
pub fn add_checkpoint(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(request) = AddCheckpoint::parse(text) else { return false };
    assert_eq!(request.to_text(), text);
    assert!(request.proof.len() <= AddCheckpoint::MAX_PROOF);
    true
}

/// A tlog-proof prints back.
pub fn tlog_proof(bytes: &[u8]) -> bool {
    static KEY: LazyLock<VerifierKey> = LazyLock::new(corpus::key);
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(proof) = TlogProof::parse(text) else { return false };
    assert_eq!(proof.to_text(), text);
    drop(proof.verify(b"an entry", &KEY));
    true
}

/// A signed note: it and its lines print back, and no known key verifies a text that it did not
/// sign.
pub fn note(bytes: &[u8]) -> bool {
    static SIGNED: LazyLock<Vec<(VerifierKey, Vec<String>)>> = LazyLock::new(corpus::signed_texts);
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    if let Ok(line) = Signature::parse(text) {
        assert_eq!(line.to_text(), text);
    }
    let Ok(note) = Note::parse(text) else { return false };
    assert_eq!(note.to_text(), text);
    for (key, texts) in SIGNED.iter() {
        if let Ok(verified) = note.verify(&[key]) {
            assert!(
                texts.iter().any(|signed| signed == verified.text()),
                "{key:?} never signed {text:?}"
            );
        }
    }
    true
}

/// A verifier key: prints back.
pub fn verifier_key(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    VerifierKey::parse(text).is_ok_and(|key| {
        assert_eq!(key.to_text(), text);
        true
    })
}

/// A signer key: prints back; if it is refused, the message does not quote what may be the secret.
pub fn signer_key(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    match SignerKey::parse(text) {
        Ok(key) => {
            assert_eq!(*key.to_secret_text(), text);
            assert!(verifier_key(key.verifier().to_text().as_bytes()));
            true
        }
        Err(error) => {
            if let Some((rest, secret)) = text.rsplit_once('+')
                && secret.len() > 20
                && !rest.contains(secret)
            {
                assert!(!error.to_string().contains(secret), "the secret is quoted");
            }
            false
        }
    }
}

/// A checkpoint, alone or in its note: prints back, and no known key verifies one that it did not
/// sign.
pub fn checkpoint(bytes: &[u8]) -> bool {
    static SIGNED: LazyLock<Vec<(VerifierKey, Vec<String>)>> = LazyLock::new(corpus::signed_texts);
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let alone = Checkpoint::parse(text);
    if let Ok(checkpoint) = &alone {
        assert_eq!(checkpoint.to_text(), text);
    }
    let signed = SignedCheckpoint::parse(text);
    if let Ok(signed) = &signed {
        assert_eq!(signed.to_text(), text);
        assert_eq!(signed.unverified().to_text(), signed.note().text());
    }
    for (key, texts) in SIGNED.iter() {
        if let Ok(head) = verify_checkpoint(text, key) {
            assert!(texts.contains(&head.to_text()), "{key:?} never signed {text:?}");
        }
    }
    alone.is_ok() || signed.is_ok()
}

/// A tile's path: prints back.
pub fn tile_path(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    TilePath::parse(text).is_ok_and(|path| {
        assert_eq!(path.to_text(), text);
        true
    })
}

/// Two bytes of width, then a tile of hashes: prints back, with that width.
pub fn hash_tile(bytes: &[u8]) -> bool {
    let Some((width, bytes)) = bytes.split_first_chunk() else { return false };
    let width = u16::from_be_bytes(*width);
    HashTile::parse(bytes, width).is_ok_and(|tile| {
        assert_eq!(tile.to_bytes(), bytes);
        assert_eq!(tile.hashes().len(), usize::from(width));
        true
    })
}

/// Two bytes of width, then an entry bundle: prints back, with that many entries.
pub fn entry_bundle(bytes: &[u8]) -> bool {
    let Some((width, bytes)) = bytes.split_first_chunk() else { return false };
    let width = u16::from_be_bytes(*width);
    EntryBundle::parse(bytes, width).is_ok_and(|bundle| {
        assert_eq!(bundle.to_bytes(), bytes);
        assert_eq!(bundle.leaf_hashes().count(), usize::from(width));
        true
    })
}

/// A log as one file: its head and its bundles are exactly its bytes, and each bundle has the right
/// width.
pub fn export(bytes: &[u8]) -> bool {
    let Ok(file) = Export::open("fuzz", std::io::Cursor::new(bytes.to_vec())) else { return false };
    let note = file.read("checkpoint", u64::MAX).expect("it was read");
    // Without a checkpoint, no entries are promised.
    let signed =
        std::str::from_utf8(&note).ok().and_then(|note| SignedCheckpoint::parse(note).ok());
    let size = signed.map_or(0, |signed| signed.unverified().size());
    let length = u32::try_from(note.len()).expect("short");
    let mut whole = [b"fairdeal/export/v1\n".as_slice(), &length.to_be_bytes(), &note].concat();
    let at = |bundle| TilePath::at_size(Level::Entries, bundle, size).ok();
    for path in (0..size.div_ceil(256)).filter_map(at) {
        let Ok(bundle) = file.read(&path.to_text(), u64::MAX) else { return false };
        EntryBundle::parse(&bundle, path.width()).expect("a bundle of this width");
        whole.extend(bundle);
    }
    assert_eq!(whole, bytes);
    true
}

/// Canonical JSON: prints back; and the canonical form of any other JSON is canonical.
pub fn canonical_json(bytes: &[u8]) -> bool {
    if let Ok(value) = parse_canonical(bytes) {
        assert_eq!(to_canonical(&value).as_bytes(), bytes);
        return true;
    }
    if let Ok(value) = serde_json::from_slice(bytes) {
        let canonical = to_canonical(&value);
        let again = parse_canonical(canonical.as_bytes()).expect("the canonical form is canonical");
        assert_eq!(to_canonical(&again), canonical);
    }
    false
}

/// An entry: is canonical, prints back unless it is of another protocol, and can be judged.
pub fn entry(bytes: &[u8]) -> bool {
    static KEY: LazyLock<VerifierKey> = LazyLock::new(corpus::key);
    // A judge that has seen nothing may find anything, but must not panic.
    Judge::new(SignedBy(&KEY), Extent::Excerpt).apply_bytes(0, bytes);
    let plain = PlainDeal::read(bytes);
    let Ok(entry) = Entry::parse(bytes) else {
        assert_eq!(plain, None, "what is read in place is an entry");
        return false;
    };
    assert!(parse_canonical(bytes).is_ok());
    if let Some(plain) = plain {
        agrees(&plain, &entry, bytes);
        assert_eq!(
            PlainDeal::read_after(bytes, &plain, bytes).as_ref(),
            Some(&plain),
            "read on from a beginning"
        );
    }
    if !matches!(entry, Entry::Other(_)) {
        assert_eq!(entry.to_text().expect("it was read").as_bytes(), bytes);
    }
    true
}

/// Both readers find the same deal.
fn agrees(plain: &PlainDeal, entry: &Entry, bytes: &[u8]) {
    let Entry::Deal(deal) = entry else { panic!("a {} was read as a plain deal", entry.kind()) };
    let found = (plain.commitment, plain.nonce, plain.time);
    assert_eq!(found, (deal.commitment, deal.nonce, deal.time.value()));
    let seeds: Vec<_> = plain_seeds(plain.contributions(bytes)).collect();
    assert_eq!(deal.contributions().len(), seeds.len());
    for (one, (from, seed)) in deal.contributions().iter().zip(seeds) {
        assert_eq!((one.from.as_str().as_bytes(), one.seen.is_some()), (from, false));
        assert!(one.seed.as_ref().is_some_and(|own| own.as_str().as_bytes() == seed));
    }
    let result = match plain.form {
        PlainForm::Cards => deal.result.cards.as_ref().map(|cards| cards.as_str().to_owned()),
        PlainForm::Seal => deal.result.seal.map(|seal| seal.to_text()),
        PlainForm::Digest => deal.result.digest.map(|digest| digest.to_text()),
    };
    assert_eq!(result.as_deref().map(str::as_bytes), Some(plain.result(bytes)));
    assert_eq!((deal.lock, deal.ext, deal.opened().len()), (None, None, 0));
}

/// A receipt or an opening: prints to a file of the same meaning, and holds only if an honest one
/// says the same.
pub fn document(bytes: &[u8]) -> bool {
    static KEY: LazyLock<VerifierKey> = LazyLock::new(corpus::key);
    static HONEST: LazyLock<Vec<ReceiptVerdict>> = LazyLock::new(corpus::verdicts);
    let Ok(document) = Document::parse(bytes) else { return false };
    let text = match &document {
        Document::Receipt(receipt) => receipt.to_text(),
        Document::Opening(opening) => opening.to_text(),
    };
    assert_eq!(Document::parse(text.as_bytes()).as_ref(), Ok(&document));
    let verdict = verify(&document, &KEY);
    if verdict.holds {
        // An entry may be left out, so the deal may be missing; but the rest must be unchanged.
        let same = |honest: &&ReceiptVerdict| {
            honest.commitment == verdict.commitment
                && (verdict.deal.is_none()
                    || (honest.nonce, &honest.result) == (verdict.nonce, &verdict.result))
        };
        let honest: Vec<&ReceiptVerdict> = HONEST.iter().filter(same).collect();
        assert!(!honest.is_empty(), "no honest receipt says so: {verdict:?}");
        for shown in &verdict.shown {
            let known = honest.iter().any(|honest| honest.shown.contains(shown));
            assert!(known, "no honest receipt shows {shown:?}: {verdict:?}");
        }
    }
    true
}

/// Evidence: each of its files is one by itself, and judging it ends in a verdict.
pub fn evidence(bytes: &[u8]) -> bool {
    static KEY: LazyLock<VerifierKey> = LazyLock::new(corpus::key);
    let Ok(Some(evidence)) = Evidence::parse(bytes) else { return false };
    assert!(!evidence.files.is_empty());
    let text = std::str::from_utf8(bytes).expect("JSON is UTF-8");
    let file = crate::brought::CaseFile::given("evidence.json", text);
    let (_, verdict) = crate::brought::verify(&[file], &KEY, ReaderGiven::default(), None);
    let verdict = verdict.expect("it was read");
    let receipts = verdict["receipts"].as_array().expect("an array");
    assert_eq!(receipts.len(), evidence.files.len());
    for ((_, file), receipt) in evidence.files.iter().zip(receipts) {
        let holds = file.as_ref().is_ok_and(|file| verify(file, &KEY).holds);
        assert!(
            holds || receipt["holds"] == false,
            "what was kept beside a file makes none hold: {receipt}"
        );
    }
    true
}

/// A raffle's document, or a beacon's signature: prints to the same, and judging a document under
/// its own log's key and without a number draws nothing that the log did not deal.
pub fn raffle(bytes: &[u8]) -> bool {
    static KEY: LazyLock<VerifierKey> = LazyLock::new(|| crate::paper::paper_key().clone());
    static TICKETS: LazyLock<Tickets> =
        LazyLock::new(|| Tickets::parse(corpus::TICKETS.as_bytes()).expect("a list"));
    if let Ok(beacon) = GivenBeacon::parse(bytes) {
        let alone = GivenBeacon::parse(beacon.signature.to_text().as_bytes());
        assert_eq!(alone, Ok(GivenBeacon { round: None, ..beacon }));
    }
    let Ok(document) = RaffleDocument::parse(bytes) else { return false };
    assert_eq!(RaffleDocument::parse(document.to_text().as_bytes()), Ok(document.clone()));
    let reader = ReaderGiven { chains: Chains::none(), ..ReaderGiven::default() };
    let given = RaffleGiven { reader, ..RaffleGiven::default() };
    if let Ok(verdict) = verify_raffle(&document, &TICKETS, &KEY, &given) {
        assert!(verdict.drawn.is_none(), "no chain is known");
        assert_eq!(verdict.receipt.holds, verdict.receipt.findings.is_empty());
    }
    true
}

/// An entrant's link: reads back.
pub fn entrant_link(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(entrant) = Entrant::parse_link(text) else { return false };
    assert_eq!(entrant.link("x").parse(), Ok(entrant));
    true
}

/// A list file: its lines print back.
pub fn list(bytes: &[u8]) -> bool {
    List::parse(bytes).is_ok_and(|list| {
        let text: String = list.items().iter().flat_map(|item| [item, "\n"]).collect();
        assert_eq!(text.as_bytes(), bytes);
        assert_eq!(usize::try_from(list.deck().items()), Ok(list.items().len()));
        true
    })
}

/// Contributions as JSON: print to the same, and what is clear can be mixed.
pub fn contributions(bytes: &[u8]) -> bool {
    let Ok(logged) = serde_json::from_slice::<Vec<LoggedContribution>>(bytes) else { return false };
    let text = serde_json::to_string(&logged).expect("it was read");
    assert_eq!(
        serde_json::from_str::<Vec<LoggedContribution>>(&text).expect("it was written"),
        logged
    );
    assert!(parse_canonical(text.as_bytes()).is_ok(), "the fields are in order: {text}");
    let clear = logged.iter().filter_map(|one| Some(one.with_seed(one.seed.clone()?))).collect();
    if let Ok(contributions) = Contributions::of_clients(clear) {
        let nonce = Nonce::new(0).expect("the first");
        assert!(message(nonce, &contributions).len() > contributions.clients().len());
    }
    true
}
