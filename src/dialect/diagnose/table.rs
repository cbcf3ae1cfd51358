//! The table of changes: what makes sense of a dialect, the likeliest first. Where several explain the same rows, the first
//! is told.

use std::borrow::Cow;

use super::chance;
use super::change::touches::{DEALING, OPENING, SCHEME, SHOWN};
use super::change::{Apply, Change, Likely};
use super::near::{Case, Place};
use super::shown::{self, Held};
use super::trial::Trial;
use crate::dialect::card::{Ace, DeckOrder, Inner, SuitOrder};
use crate::dialect::cents::Cents;
use crate::dialect::law::Law;
use crate::dialect::play::RoundOutcome;
use crate::dialect::round::Round;
use crate::dialect::scheme::{Committed, Cursor, CursorCounts, HexForm, Mapping, Scheme, Walk};
use crate::dialect::{ALL, Dialect};
use crate::stats::number::real_len;

const PLACES: [(Place, &str, &str); 4] = [
    (Place::Before, "row-before", "the row before"),
    (Place::After, "row-after", "the row after"),
    (Place::OtherBefore, "other-before", "the nearest row before that has another one"),
    (Place::OtherAfter, "other-after", "the nearest row after that has another one"),
];

/// Writes a text otherwise.
type Write = fn(&str) -> String;

/// How a seed's text may be written otherwise.
const WRITTEN: [(&str, &str, Write); 4] = [
    ("lower", "is written in lower case", |text| text.to_lowercase()),
    ("upper", "is written in upper case", |text| text.to_uppercase()),
    ("trimmed", "has no white space around it", |text| text.trim().to_owned()),
    ("line", "has a line feed behind it", with_line_feed),
];

const OFF: [(&str, i64); 2] = [("less", -1), ("more", 1)];

/// As `echo` writes it.
fn with_line_feed(text: &str) -> String {
    format!("{}\n", text.trim_end_matches('\n'))
}

/// The changes that are tried on rows of a dialect.
pub(super) fn of(dialect: &'static Dialect) -> Vec<Change> {
    let mut table = Table(Vec::new());
    table.commitments(dialect.scheme.committed);
    table.writing();
    table.dialects(dialect);
    table.keys(dialect);
    match dialect.law {
        Law::Draws(_) => table.cards(dialect),
        Law::Multiplier(_) => table.multipliers(dialect.scheme.cursor),
    }
    table.neighbours();
    if let Committed::Chain(_) = dialect.scheme.committed {
        table.chain();
    }
    table.0
}

struct Table(Vec<Change>);

impl Table {
    fn push(
        &mut self,
        code: impl Into<Cow<'static, str>>,
        says: impl Into<Cow<'static, str>>,
        touches: u8,
        apply: impl Fn(&mut Trial, &Case) -> Option<()> + 'static,
    ) -> &mut Change {
        let likely = if touches & OPENING == 0 { Likely::AsShown } else { Likely::AsHash };
        let apply = Apply::Before(Box::new(apply));
        self.0.push(Change { code: code.into(), says: says.into(), touches, likely, apply });
        self.0.last_mut().expect("one was pushed")
    }

    /// Another choice of the scheme, where what is dealt may differ.
    fn choice(
        &mut self,
        code: impl Into<Cow<'static, str>>,
        says: impl Into<Cow<'static, str>>,
        choose: impl Fn(&mut Scheme) + 'static,
    ) {
        self.push(code, says, DEALING | SCHEME, move |trial, _| {
            choose(&mut trial.scheme);
            Some(())
        });
    }

    /// What the row shows, read otherwise.
    fn shown(
        &mut self,
        code: impl Into<Cow<'static, str>>,
        says: impl Into<Cow<'static, str>>,
        likely: Likely,
        apply: impl Fn(&Held<'_>) -> Option<(RoundOutcome, Round<'static>)> + 'static,
    ) {
        let (code, says, apply) = (code.into(), says.into(), Apply::Shown(Box::new(apply)));
        self.0.push(Change { code, says, touches: SHOWN, likely, apply });
    }

    fn commitments(&mut self, own: Committed) {
        let hashed = "the commitment is the SHA-256 of the server seed's";
        let linked = "each link of the chain is the SHA-256 of the next one's";
        let (code, of, other) = match own {
            Committed::Hash(HexForm::Decoded) | Committed::Chain(HexForm::Decoded) => {
                ("text", "text", HexForm::Text)
            }
            _ => ("decoded", "decoded bytes", HexForm::Decoded),
        };
        match own {
            Committed::Hash(_) => {
                let not = if other == HexForm::Text { "decoded bytes" } else { "text" };
                let says = format!("{hashed} {of}, not of its {not}");
                self.push(format!("commitment-of-{code}"), says, OPENING | SCHEME, move |trial, _| {
                    trial.committed(Committed::Hash(other))
                });
                let says = format!("{hashed} text and a line feed");
                self.push("commitment-of-line", says, OPENING | SCHEME, |trial, _| {
                    let line = with_line_feed(trial.opened.server_seed.as_deref()?);
                    trial.scheme.committed = Committed::Hash(HexForm::Text);
                    trial.opened.commitment?;
                    shown::change(&mut trial.opened.server_seed, Some(line.into()))
                });
            }
            Committed::Chain(_) => {
                let of = if other == HexForm::Text { "hex text" } else { of };
                let says = format!("{linked} {of}");
                self.push(format!("chain-of-{code}"), says, OPENING | SCHEME, move |trial, _| {
                    trial.committed(Committed::Chain(other))
                });
            }
            Committed::Unknown => {}
        }
    }

    fn writing(&mut self) {
        for (code, says, write) in WRITTEN {
            let says = format!("the server seed {says}");
            let change =
                self.push(format!("server-seed-{code}"), says, OPENING | DEALING, move |trial, _| {
                    let seed = write(trial.played.server_seed.as_deref()?);
                    trial.server_seed(seed)
                });
            change.likely = Likely::AsHashOfText;
        }
        for (code, says, write) in WRITTEN {
            let says = format!("the client seed {says}");
            self.push(format!("client-seed-{code}"), says, DEALING, move |trial, _| {
                let seed = write(trial.played.client_seed.as_deref()?);
                shown::change(&mut trial.played.client_seed, Some(seed.into()))
            });
        }
        for (code, off) in OFF {
            let says = format!("the nonce is one {code}");
            self.push(format!("nonce-{code}"), says, DEALING, move |trial, _| {
                trial.played.nonce = Some(trial.played.nonce?.checked_add_signed(off)?);
                Some(())
            });
        }
    }

    fn dialects(&mut self, own: &'static Dialect) {
        let kind = std::mem::discriminant(&own.law);
        let others = ALL.into_iter().filter(|other| std::mem::discriminant(&other.law) == kind);
        for other in others.filter(|other| other.name != own.name) {
            let (code, says) =
                (format!("dialect-{}", other.name), format!("the round is of the dialect {}", other.name));
            let change = self.push(code, says, OPENING | DEALING | SCHEME, move |trial, _| {
                (trial.dialect, trial.scheme) = (other, other.scheme);
                Some(())
            });
            change.likely = Likely::Under(other);
        }
    }

    fn keys(&mut self, dialect: &'static Dialect) {
        let keys: [(_, _, HexForm, Write); 4] = [
            ("text", "as its text, not decoded", HexForm::Text, str::to_owned),
            ("decoded", "decoded, not as its text", HexForm::Decoded, str::to_owned),
            ("lower", "as its text in lower case", HexForm::Text, str::to_lowercase),
            ("upper", "as its text in upper case", HexForm::Text, str::to_uppercase),
        ];
        for (code, says, form, write) in keys {
            let says = format!("the server seed enters the HMAC {says}");
            self.push(format!("key-{code}"), says, DEALING | SCHEME, move |trial, _| {
                let seed = write(trial.played.server_seed.as_deref()?);
                let is_other = trial.scheme.seed != form;
                trial.scheme.seed = form;
                let is_rewritten = shown::change(&mut trial.played.server_seed, Some(seed.into())).is_some();
                (is_other || is_rewritten).then_some(())
            });
        }
        let says = "server seed and client seed are exchanged in the HMAC, as key and as message";
        let is_multiplier = matches!(dialect.law, Law::Multiplier(_));
        self.push("roles-exchanged", says, DEALING | SCHEME, move |trial, _| {
            if is_multiplier {
                trial.scheme.role = trial.scheme.role.other();
                return Some(());
            }
            // The message has more in it than a seed: the two change places and the rest stays.
            trial.scheme.seed = HexForm::Text;
            std::mem::swap(&mut trial.played.server_seed, &mut trial.played.client_seed);
            trial.played.server_seed.as_ref().map(drop)
        });
    }

    fn cards(&mut self, dialect: &'static Dialect) {
        let own = dialect.scheme;
        if dialect.name == "fairdeal/v1" {
            for name in ["shuffle", "cycle"] {
                let (code, says) = (format!("method-{name}"), format!("the method is {name}"));
                self.push(code, says, OPENING | DEALING | SCHEME, move |trial, _| {
                    shown::change(&mut trial.played.method, Some(name.into()))
                });
            }
        }
        let counts = [
            CursorCounts::Digests,
            CursorCounts::Draws,
            CursorCounts::Positions,
            CursorCounts::Hands(4),
            CursorCounts::Hands(5),
        ];
        self.cursor(Cursor { from: own.cursor.from + 1, ..own.cursor });
        for counts in counts.into_iter().filter(|counts| *counts != own.cursor.counts) {
            self.cursor(Cursor { counts, ..own.cursor });
        }
        let multiplied = "floor(word × range / 2^32)";
        let from = "is refused from the largest multiple under";
        let mappings = [
            (Mapping::Multiply, "multiply", format!("{multiplied}, and none is refused")),
            (Mapping::Modulo(1 << 32), "modulo-2^32", format!("word mod range, and {from} 2^32 on")),
            (
                Mapping::Modulo((1 << 32) - 1),
                "modulo-2^32-1",
                format!("word mod range, and {from} 2^32 - 1 on"),
            ),
            (Mapping::Modulo(u64::MAX), "modulo", "word mod range, and none is refused".to_owned()),
            (Mapping::Exact, "exact", format!("{multiplied}, and those that would bias it are refused")),
        ];
        for (mapping, code, says) in mappings.into_iter().filter(|(mapping, ..)| *mapping != own.mapping) {
            let says = format!("a word becomes {says}");
            self.choice(format!("mapping-{code}"), says, move |scheme| scheme.mapping = mapping);
        }
        // Of a deck shuffled from its last position down the same as taking cards out, and plainer.
        let says = "the cards are dealt from the other end of the shuffled deck";
        self.shown("cards-from-end", says, Likely::AsShown, shown::from_end);
        let walks = [
            (Walk::Forward, "forward", "the deck is shuffled from the first position up"),
            (Walk::Backward, "backward", "the deck is shuffled from the last position down"),
            (Walk::Remove, "remove", "each number takes a card out and the later ones close the gap"),
            (Walk::Fill, "fill", "each number takes a card out and the last one fills the gap"),
            (Walk::Replace, "replace", "each number names a card of a full deck, with repeats"),
        ];
        for (walk, code, says) in walks.into_iter().filter(|(walk, ..)| *walk != own.walk) {
            self.choice(format!("walk-{code}"), says, move |scheme| scheme.walk = walk);
        }
        let says = "the row does not say that it shows the whole deck";
        self.shown("not-whole", says, Likely::AsShown, shown::not_whole);
        let says = "the cards beyond the deck's last are left out";
        self.shown("surplus-cards", says, Likely::AsShown, shown::surplus);
        let says = "two neighbouring cards of the row change places";
        let by = |_: &Dialect, case: &Case, base: f64| base * real_len(case.cards().saturating_sub(1));
        self.shown("cards-exchanged", says, Likely::By(by), |held| held.cards_if(shown::is_exchanged));
        self.shown("cards-reversed", "the row's cards are read last first", Likely::AsShown, |held| {
            held.cards_if(|dealt, shown| dealt != shown && shown.iter().rev().eq(dealt))
        });
        for order in decks(own.deck) {
            let (code, says) = named(order);
            self.shown(code, says, Likely::AsShown, move |held| shown::relabelled(held, order));
        }
        let says = "the row's cards stand in another order";
        let by =
            |_: &Dialect, case: &Case, base: f64| (1..=case.cards()).map(real_len).product::<f64>() * base;
        self.shown("cards-reordered", says, Likely::By(by), |held| held.cards_if(shown::is_reordered));
    }

    fn cursor(&mut self, cursor: Cursor) {
        let from = cursor.from;
        let plus = if from == 0 { String::new() } else { format!(" plus {from}") };
        let (code, says) = match cursor.counts {
            CursorCounts::Digests => (
                format!("digests-from-{from}"),
                format!(
                    "counts digests from {from}, and the eight words of each are used one after the other"
                ),
            ),
            CursorCounts::Hands(cards) => {
                (format!("again-after-{cards}"), format!("starts again after {cards} cards"))
            }
            CursorCounts::Draws => (
                format!("draws-from-{from}"),
                format!("counts draws upwards from {from}, and each draw has a digest of its own"),
            ),
            CursorCounts::Positions => (
                format!("positions-from-{from}"),
                format!("is the position that is settled{plus}, counted down"),
            ),
        };
        let (code, says) = (format!("cursor-{code}"), format!("the cursor {says}"));
        self.choice(code, says, move |scheme| scheme.cursor = cursor);
    }

    fn multipliers(&mut self, own: Cursor) {
        self.cursor(Cursor { from: own.from + 1, ..own });
        let by =
            |dialect: &Dialect, case: &Case, _: f64| chance::of_result(dialect, shown::cents(&case.round, 1));
        self.shown("cent-less", "the result is one cent more than the row states", Likely::By(by), |held| {
            held.result_if(|cents, row| shown::cents(row, 1) == Some(cents))
        });
        let by = |dialect: &Dialect, case: &Case, _: f64| {
            chance::of_result(dialect, shown::cents(&case.round, -1))
        };
        self.shown("cent-more", "the result is one cent less than the row states", Likely::By(by), |held| {
            held.result_if(|cents, row| shown::cents(row, -1) == Some(cents))
        });
        let by = |dialect: &Dialect, case: &Case, _: f64| chance::of_result(dialect, shown::cut(&case.round));
        self.shown("result-cut", "the result is cut to hundredths", Likely::By(by), |held| {
            held.result_if(|cents, row| shown::cut(row) == Some(cents))
        });
        let by = |_: &Dialect, case: &Case, _: f64| {
            if case.round.result == Some(Cents(100)) { 1.0 / 33.0 } else { 0.0 }
        };
        let says = "a number that is a multiple of 33 gives 1.00, as in older scripts";
        self.shown("every-33", says, Likely::By(by), shown::every_33rd);
    }

    fn neighbours(&mut self) {
        for (place, code, row) in PLACES {
            let says = format!("the server seed is that of {row}");
            self.push(format!("server-seed-of-{code}"), says, OPENING | DEALING, move |trial, case| {
                trial.server_seed(case.server_seed(place)?.to_owned())
            });
        }
        for (place, code, row) in PLACES {
            let says = format!("the commitment is that of {row}");
            self.push(format!("commitment-of-{code}"), says, OPENING, move |trial, case| {
                trial.opened.commitment?;
                shown::change(&mut trial.opened.commitment, Some(case.commitment(place)?))
            });
        }
        for (place, code, row) in PLACES {
            let says = format!("the client seed is that of {row}");
            self.push(format!("client-seed-of-{code}"), says, DEALING, move |trial, case| {
                trial.client_of(place, case)
            });
        }
        let [before, after, ..] = PLACES;
        for (place, code, row) in [before, after] {
            let says = format!("the record of seeds and commitment is that of {row}");
            let change =
                self.push(format!("seeds-of-{code}"), says, OPENING | DEALING, move |trial, case| {
                    let beside = case.beside(place)?;
                    // Where one of them is the same, the others alone are told.
                    trial.server_seed(beside.server_seed.as_deref()?.to_owned())?;
                    trial.client_of(place, case)?;
                    trial.played.client_seed.clone_from(&beside.client_seed);
                    trial.opened.commitment = beside.commitment;
                    Some(())
                });
            // A seed and a commitment that are both another row's open for that row's sake, and show nothing of this one.
            change.likely = Likely::AsShown;
        }
        for (place, code, row) in [before, after] {
            let says = format!("the nonce is that of {row}");
            self.push(format!("nonce-of-{code}"), says, DEALING, move |trial, case| {
                shown::change(&mut trial.played.nonce, Some(case.beside(place)?.nonce?))
            });
        }
        let likely: [fn(&Dialect, &Case, f64) -> f64; 2] = [
            |dialect, case, _| case.before.as_deref().map_or(0.0, |row| chance::of_shown(dialect, row)),
            |dialect, case, _| case.after.as_deref().map_or(0.0, |row| chance::of_shown(dialect, row)),
        ];
        for ((place, code, row), by) in [before, after].into_iter().zip(likely) {
            let says = format!("the result is that of {row}");
            self.shown(format!("result-of-{code}"), says, Likely::By(by), move |held| {
                shown::as_beside(held, held.case.beside(place)?)
            });
        }
        let says = "the columns of server seed and client seed change places";
        self.push("columns-exchanged", says, OPENING | DEALING, |trial, _| {
            let client = trial.played.client_seed.take()?;
            trial.played.client_seed.clone_from(&trial.played.server_seed);
            trial.server_seed(client.into_owned())
        });
    }

    fn chain(&mut self) {
        let says = "the client seed is the published salt, not what the row says";
        self.push("published-salt", says, DEALING, |trial, _| trial.played.client_seed.take().map(drop));
        for (code, off) in OFF {
            let says = format!("the steps down to the chain's end are one {code}");
            self.push(format!("chain-steps-{code}"), says, OPENING | SCHEME, move |trial, _| {
                trial.opened.chain_steps = Some(trial.opened.chain_steps?.checked_add_signed(off)?);
                Some(())
            });
        }
        for ((code, off), word) in OFF.into_iter().zip(["before", "after"]) {
            let says = format!("the game is the one {word}");
            self.push(format!("game-{code}"), says, OPENING | SCHEME, move |trial, _| {
                trial.opened.game_id = Some(trial.opened.game_id?.checked_add_signed(off)?);
                // The steps follow from the game.
                trial.opened.chain_steps = None;
                Some(())
            });
        }
    }
}

/// Orders of a fresh deck, all but this one: first those that a dialect has, then those that differ in their suits alone.
fn decks(own: DeckOrder) -> Vec<DeckOrder> {
    let mut all = vec![own];
    let inner = if own.inner == Inner::Suit { Inner::Rank } else { Inner::Suit };
    let ace = if own.ace == Ace::Low { Ace::High } else { Ace::Low };
    let known = ALL.into_iter().map(|other| other.scheme.deck);
    let made = [(own.inner, own.ace), (own.inner, ace), (inner, own.ace), (inner, ace)]
        .into_iter()
        .flat_map(|(inner, ace)| suits().map(move |suits| DeckOrder { suits, inner, ace }));
    for order in known.chain(made) {
        if !all.contains(&order) {
            all.push(order);
        }
    }
    all.split_off(1)
}

/// The 24 orders of four suits.
fn suits() -> impl Iterator<Item = SuitOrder> {
    let all = || b"cdhs".iter().copied();
    let orders = all().flat_map(move |a| {
        all().flat_map(move |b| all().flat_map(move |c| all().map(move |d| SuitOrder([a, b, c, d]))))
    });
    orders.filter(|order| b"cdhs".iter().all(|suit| order.0.contains(suit)))
}

/// A deck's code and clause.
fn named(deck: DeckOrder) -> (String, String) {
    let suits = deck.suits;
    let (ace, ranks) = if deck.ace == Ace::Low { ("low", "A to K") } else { ("high", "2 to A") };
    let (by, says) = match deck.inner {
        Inner::Suit => ("rank", format!("rank {ranks}, in each the suits {suits}")),
        Inner::Rank => ("suit", format!("suit {suits}, in each the ranks {ranks}")),
    };
    let suits = suits.to_string().to_ascii_lowercase();
    (format!("deck-{suits}-by-{by}-ace-{ace}"), format!("a fresh deck is ordered by {says}"))
}
