//! Openings of sealed deals: cards that no deal has, and cards that are somebody else's.

use fairdeal::deal::{Method, SealKey, ServerSeed};
use fairdeal::record::entry::Commit;
use fairdeal::record::receipt::{OpenedCard, Opening, Salt};

use crate::attacks::case::{Attack, Verified, verify};
use crate::logs::write::{BOTH, append, holdem, list, log, seats};
use tools::paper::{PaperLog, counting_seed, int, logged_clients, mixed, nonce, opening};

pub fn attacks() -> Vec<Attack> {
    let mut attacks = vec![item_twice(), short_cycle()];
    attacks.extend(places());
    attacks.extend(forged());
    attacks
}

/// Appends a sealed deal of items that the operator chooses, and opens those at these places.
pub fn sealed(
    log: &mut PaperLog,
    seed: &ServerSeed,
    commit: &Commit,
    items: &[u32],
) -> impl Fn(&PaperLog, &[u32]) -> String + use<> {
    let contributions = mixed(&logged_clients(BOTH));
    let key = SealKey::derive(&seed.mac(), nonce(0), &contributions);
    let sealed = key.seal(&commit.commitment, nonce(0), items);
    let mut deal = log.deal_entry(commit, &seed.mac(), 0, BOTH);
    deal.result.seal = Some(sealed.seal());
    append(log, deal);
    let items = items.to_vec();
    move |log, places| {
        let card = |&t: &u32| OpenedCard {
            t: int(u64::from(t)),
            item: int(u64::from(items[usize::try_from(t).expect("small")])),
            salt: Salt(*sealed.salt(t).expect("a card of the deal")),
        };
        let cards = places.iter().map(card).collect();
        Opening::new(log.receipt(&[0, 1]), sealed.card_seals().to_vec(), cards).to_text()
    }
}

fn item_twice() -> Attack {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(4);
        c.sealed = true;
    });
    let open = sealed(&mut log, &seed, &commit, &[51, 3, 51, 4]);
    verify("opened-item-twice", "the ace of spades is opened to two", log.key())
        .file("opening.json", open(&log, &[0, 2]))
        .not(&["replayed", "opened", "committed-first", "authentic", "no-collusion"])
        .finds(["result-mismatch 1"])
}

fn short_cycle() -> Attack {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        (c.deck, c.draw) = (list(6), int(6));
        c.method = Method::Cycle;
        c.sealed = true;
    });
    let open = sealed(&mut log, &seed, &commit, &[1, 0, 3, 4, 5, 2]);
    verify("opened-short-cycle", "two of six give to each other", log.key())
        .file("opening.json", open(&log, &[0, 1]))
        .not(&["replayed", "opened", "committed-first", "authentic", "no-collusion"])
        .finds(["result-mismatch 1"])
}

/// An honest deal of two hands and a board; alice is shown some of its cards.
fn shown_to_alice(name: &'static str, about: &'static str, places: &[u32]) -> Verified {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(13);
        c.sealed = true;
        c.layout = Some(holdem());
    });
    let mut deal = log.deal_entry(&commit, &seed.mac(), 0, BOTH);
    deal.seats = Some(seats(&["alice", "bob"]));
    append(&mut log, deal);
    let shown = opening(log.receipt(&[0, 1]), &commit, &seed.mac(), 0, BOTH, places);
    verify(name, about, log.key())
        .file("opening.json", shown.to_text())
        .seat("alice")
        .shows(&["logged", "opened"])
}

fn places() -> Vec<Attack> {
    let found = ["placed-mismatch 1"];
    vec![
        shown_to_alice(
            "opened-own-card",
            "alice's two cards, the flop and the turn",
            &[0, 2, 5, 6, 7, 9],
        )
        .holds(),
        shown_to_alice("opened-for-another-seat", "bob's first card is opened as alice's", &[1])
            .finds(found),
        shown_to_alice("opened-burnt-card", "a burnt card is opened to alice", &[0, 4])
            .finds(found),
        shown_to_alice(
            "opened-nobodys-card",
            "a card that belongs to nobody is opened to alice",
            &[0, 12],
        )
        .finds(found),
    ]
}

/// Anybody can write an opening with other cards around a signed deal: that accuses nobody.
fn forged() -> Vec<Attack> {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(5);
        c.sealed = true;
    });
    log.deal(&commit, &seed.mac(), 0, BOTH);
    let file = |log: &PaperLog, entries: &[u64]| {
        opening(log.receipt(entries), &commit, &seed.mac(), 0, BOTH, &[0, 3])
    };
    let honest = file(&log, &[0, 1]);
    let forge = |mut opening: Opening| {
        opening.opened[0].item = int((opening.opened[0].item.value() + 1) % 52);
        opening.to_text()
    };
    let early = forge(honest.clone());
    log.reveal(&seed);
    let late = forge(file(&log, &[0, 1, 2]));
    let beside = |name, about, forged: String| {
        verify(name, about, log.key())
            .file("hers.json", forged)
            .file("his.json", honest.to_text())
            .finds(["hers.json: opening-mismatch 1"])
    };
    vec![
        beside("opening-forged", "another card in an opening, beside the true one", early),
        beside("opening-forged-after-the-reveal", "the same when everybody can deal it", late),
    ]
}
