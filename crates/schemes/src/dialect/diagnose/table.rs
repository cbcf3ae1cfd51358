//! The changes that make sense for a dialect, the likeliest first. Of several that explain a row, the first is told.

use std::borrow::Cow;

use super::NamedChange;
use super::chance::{self, Likely};
use super::near::{Case, Place};
use super::shown::{self, Held, Reread};
use super::trial::{Apply, Change, DEALING, OPENING, SCHEME, Trial};
use crate::dialect::CursorCounts::{Digests, Draws, Hands, Positions};
use crate::dialect::{
    ALL, Ace, Cents, Committed, Cursor, DeckOrder, Dialect, HexForm, Inner, Law, Mapping,
    Multiplier, Role, Round, Scheme, SuitOrder, Walk,
};
use fairdeal_audit::stats::number::real_len;

type Text = Cow<'static, str>;

/// Reads the result of a row.
type Read = fn(&Round<'_>) -> Option<Cents>;

/// Writes a seed in another way.
type Write = fn(&str) -> String;

/// The places of a value that another row has, each with its code and its clause.
const PLACES: [(Place, &str, &str); 4] = [
    (Place::Before, "row-before", "the row before"),
    (Place::After, "row-after", "the row after"),
    (Place::OtherBefore, "other-before", "the nearest row before that has another one"),
    (Place::OtherAfter, "other-after", "the nearest row after that has another one"),
];

const WRITTEN: [(&str, &str, Write); 4] = [
    ("lower", "is written in lower case", str::to_lowercase),
    ("upper", "is written in upper case", str::to_uppercase),
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
    table.keys(matches!(dialect.law, Law::Multiplier(_)));
    match dialect.law {
        Law::Draws(_) => table.cards(dialect),
        Law::Multiplier(law) => table.multipliers(law, dialect.scheme.cursor),
    }
    table.neighbours(dialect);
    if let Committed::Chain(_) = dialect.scheme.committed {
        table.chain();
    }
    table.0
}

struct Table(Vec<Change>);

impl Table {
    /// A change of the row's seeds or its scheme.
    fn push(
        &mut self,
        code: impl Into<Text>,
        says: impl Into<Text>,
        touches: u8,
        apply: impl Fn(&mut Trial, &Case) -> Option<()> + 'static,
    ) -> &mut Change {
        let likely = if touches & OPENING == 0 { Likely::AsShown } else { Likely::AsHash };
        let apply = Apply::Before(Box::new(apply));
        let named = NamedChange { code: code.into(), says: says.into() };
        self.0.push(Change { named, touches, likely, apply });
        self.0.last_mut().expect("one was pushed")
    }

    /// Another choice of the scheme that may change the deal.
    fn choice(
        &mut self,
        code: impl Into<Text>,
        says: impl Into<Text>,
        choose: impl Fn(&mut Scheme) + 'static,
    ) {
        self.push(code, says, DEALING | SCHEME, move |trial, _| {
            choose(&mut trial.scheme);
            Some(())
        });
    }

    /// Another reading of what the row shows.
    fn shown(
        &mut self,
        code: impl Into<Text>,
        says: impl Into<Text>,
        likely: Likely,
        apply: impl Fn(&Held<'_>) -> Reread + 'static,
    ) {
        let named = NamedChange { code: code.into(), says: says.into() };
        self.0.push(Change { named, touches: 0, likely, apply: Apply::Shown(Box::new(apply)) });
    }

    fn commitments(&mut self, own: Committed) {
        let hashed = "the commitment is the SHA-256 of the server seed's";
        let is_decoded = own.form() == Some(HexForm::Decoded);
        let (form, code, of, not) = if is_decoded {
            (HexForm::Text, "text", "text", "decoded bytes")
        } else {
            (HexForm::Decoded, "decoded", "decoded bytes", "text")
        };
        match own {
            Committed::Hash(_) => {
                let says = format!("{hashed} {of}, not of its {not}");
                self.push(
                    format!("commitment-of-{code}"),
                    says,
                    OPENING | SCHEME,
                    move |trial, _| trial.committed(Committed::Hash(form)),
                );
                let says = format!("{hashed} text and a line feed");
                self.push("commitment-of-line", says, OPENING | SCHEME, |trial, _| {
                    let line = with_line_feed(trial.opened.server_seed.as_deref()?);
                    trial.committed(Committed::Hash(HexForm::Text))?;
                    shown::change(&mut trial.opened.server_seed, Some(line.into()))
                });
            }
            Committed::Chain(_) => {
                let of = if is_decoded { "hex text" } else { of };
                let says = format!("each link of the chain is the SHA-256 of the next one's {of}");
                self.push(format!("chain-of-{code}"), says, OPENING | SCHEME, move |trial, _| {
                    trial.committed(Committed::Chain(form))
                });
            }
            Committed::Unknown => {}
        }
    }

    fn writing(&mut self) {
        for (code, says, write) in WRITTEN {
            let (code, says) = (format!("server-seed-{code}"), format!("the server seed {says}"));
            let change = self.push(code, says, OPENING | DEALING, move |trial, _| {
                let seed = write(trial.played.server_seed.as_deref()?);
                trial.server_seed(seed)
            });
            change.likely = Likely::AsHashOfText;
        }
        for (code, says, write) in WRITTEN {
            let (code, says) = (format!("client-seed-{code}"), format!("the client seed {says}"));
            self.push(code, says, DEALING, move |trial, _| {
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
            let (code, says) = (
                format!("dialect-{}", other.name),
                format!("the round is of the dialect {}", other.name),
            );
            let change = self.push(code, says, OPENING | DEALING | SCHEME, move |trial, _| {
                (trial.dialect, trial.scheme) = (other, other.scheme);
                Some(())
            });
            change.likely = Likely::Under(other);
        }
    }

    fn keys(&mut self, is_multiplier: bool) {
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
                let form = shown::change(&mut trial.scheme.seed, form);
                let text = shown::change(&mut trial.played.server_seed, Some(seed.into()));
                form.or(text)
            });
        }
        let says = "server seed and client seed are exchanged in the HMAC, as key and as message";
        self.push("roles-exchanged", says, DEALING | SCHEME, move |trial, _| {
            if is_multiplier {
                trial.scheme.role =
                    if trial.scheme.role == Role::Key { Role::Message } else { Role::Key };
                return Some(());
            }
            // The message also holds nonce and cursor. They stay, and only the seeds are swapped.
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
        self.cursor(Cursor { from: own.cursor.from + 1, ..own.cursor });
        let all = [Digests, Draws, Positions, Hands(4), Hands(5)];
        for counts in all.into_iter().filter(|counts| *counts != own.cursor.counts) {
            self.cursor(Cursor { counts, ..own.cursor });
        }
        let multiplied = "floor(word × range / 2^32)";
        let refused = |from| {
            format!("word mod range, and is refused from the largest multiple under {from} on")
        };
        let mappings = [
            (Mapping::Multiply, "multiply", format!("{multiplied}, and none is refused")),
            (Mapping::Modulo(1 << 32), "modulo-2^32", refused("2^32")),
            (Mapping::Modulo((1 << 32) - 1), "modulo-2^32-1", refused("2^32 - 1")),
            (Mapping::Modulo(u64::MAX), "modulo", "word mod range, and none is refused".to_owned()),
            (
                Mapping::Exact,
                "exact",
                format!("{multiplied}, and those that would bias it are refused"),
            ),
        ];
        for (mapping, code, says) in
            mappings.into_iter().filter(|(mapping, ..)| *mapping != own.mapping)
        {
            let says = format!("a word becomes {says}");
            self.choice(format!("mapping-{code}"), says, move |scheme| scheme.mapping = mapping);
        }
        // After a shuffle from the last position down this is the same as taking cards out, and plainer.
        let says = "the cards are dealt from the other end of the shuffled deck";
        self.shown("cards-from-end", says, Likely::AsShown, shown::from_end);
        let walks = [
            (Walk::Forward, "forward", "the deck is shuffled from the first position up"),
            (Walk::Backward, "backward", "the deck is shuffled from the last position down"),
            (
                Walk::Remove,
                "remove",
                "each number takes a card out and the later ones close the gap",
            ),
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
        let likely = Likely::By(Box::new(|case, base| {
            base * real_len(case.round.shown().len().saturating_sub(1))
        }));
        self.shown("cards-exchanged", says, likely, |held| held.cards_if(shown::is_exchanged));
        self.shown(
            "cards-reversed",
            "the row's cards are read last first",
            Likely::AsShown,
            |held| held.cards_if(|dealt, shown| dealt != shown && shown.iter().rev().eq(dealt)),
        );
        for order in decks(own.deck) {
            let (code, says) = named(order);
            self.shown(code, says, Likely::AsShown, move |held| shown::relabelled(held, order));
        }
        let orders = |case: &Case| (1..=case.round.shown().len()).map(real_len).product::<f64>();
        let likely = Likely::By(Box::new(move |case, base| orders(case) * base));
        let says = "the row's cards stand in another order";
        self.shown("cards-reordered", says, likely, |held| held.cards_if(shown::is_reordered));
    }

    fn cursor(&mut self, cursor: Cursor) {
        let from = cursor.from;
        let plus = if from == 0 { String::new() } else { format!(" plus {from}") };
        let each = "each draw has a digest of its own";
        let words = "the eight words of each are used one after the other";
        let (code, says) = match cursor.counts {
            Digests => {
                (format!("digests-from-{from}"), format!("counts digests from {from}, and {words}"))
            }
            Hands(cards) => {
                (format!("again-after-{cards}"), format!("starts again after {cards} cards"))
            }
            Draws => (
                format!("draws-from-{from}"),
                format!("counts draws upwards from {from}, and {each}"),
            ),
            Positions => (
                format!("positions-from-{from}"),
                format!("is the position that is settled{plus}, counted down"),
            ),
        };
        let (code, says) = (format!("cursor-{code}"), format!("the cursor {says}"));
        self.choice(code, says, move |scheme| scheme.cursor = cursor);
    }

    fn multipliers(&mut self, law: Multiplier, own: Cursor) {
        self.cursor(Cursor { from: own.from + 1, ..own });
        let read_as: [(_, _, Read); 3] = [
            ("cent-less", "the result is one cent more than the row states", |row| {
                shown::cents(row, 1)
            }),
            ("cent-more", "the result is one cent less than the row states", |row| {
                shown::cents(row, -1)
            }),
            ("result-cut", "the result is cut to hundredths", shown::cut),
        ];
        for (code, says, read) in read_as {
            let likely =
                Likely::By(Box::new(move |case, _| chance::of_result(law, read(&case.round))));
            self.shown(code, says, likely, move |held| {
                held.result_if(|cents, row| read(row) == Some(cents))
            });
        }
        let is_lowest = |case: &Case| case.round.result == Some(Cents(100));
        let likely =
            Likely::By(Box::new(move |case, _| if is_lowest(case) { 1.0 / 33.0 } else { 0.0 }));
        let says = "a number that is a multiple of 33 gives 1.00, as in older scripts";
        self.shown("every-33", says, likely, shown::every_33rd);
    }

    /// What is another row's: one change for each place.
    fn of_places(
        &mut self,
        places: &'static [(Place, &str, &str)],
        (code, says): (&str, &str),
        touches: u8,
        apply: fn(&mut Trial, &Case, Place) -> Option<()>,
    ) -> &mut [Change] {
        let first = self.0.len();
        for (place, of, row) in places {
            let (code, says) = (format!("{code}-of-{of}"), format!("the {says} is that of {row}"));
            self.push(code, says, touches, move |trial, case| apply(trial, case, *place));
        }
        &mut self.0[first..]
    }

    fn neighbours(&mut self, dialect: &'static Dialect) {
        let (all, beside) = (&PLACES, &PLACES[..2]);
        let server_seed = ("server-seed", "server seed");
        self.of_places(all, server_seed, OPENING | DEALING, |trial, case, place| {
            trial.server_seed(case.server_seed(place)?)
        });
        self.of_places(all, ("commitment", "commitment"), OPENING, |trial, case, place| {
            trial.opened.commitment?;
            shown::change(&mut trial.opened.commitment, Some(case.commitment(place)?))
        });
        let client_seed = ("client-seed", "client seed");
        self.of_places(all, client_seed, DEALING, |trial, case, place| {
            trial.client_of(place, case)
        });
        let seeds = ("seeds", "record of seeds and commitment");
        let changes = self.of_places(beside, seeds, OPENING | DEALING, |trial, case, place| {
            let beside = case.beside(place)?;
            // If one of them is the same, the others alone are told.
            trial.server_seed(beside.server_seed.as_deref()?.to_owned())?;
            trial.client_of(place, case)?;
            trial.played.client_seed.clone_from(&beside.client_seed);
            trial.opened.commitment = beside.commitment;
            Some(())
        });
        for change in changes {
            // Seed and commitment are both the other row's: that they open says nothing about this row.
            change.likely = Likely::AsShown;
        }
        self.of_places(beside, ("nonce", "nonce"), DEALING, |trial, case, place| {
            shown::change(&mut trial.played.nonce, Some(case.beside(place)?.nonce?))
        });
        for &(place, of, row) in beside {
            let by = move |case: &Case, _| {
                case.beside(place).map_or(0.0, |beside| chance::of_shown(dialect, beside))
            };
            let (code, says) = (format!("result-of-{of}"), format!("the result is that of {row}"));
            self.shown(code, says, Likely::By(Box::new(by)), move |held| {
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
        self.push("published-salt", says, DEALING, |trial, _| {
            trial.played.client_seed.take().map(drop)
        });
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

/// All other orders of a fresh deck: first those of a dialect, then those that differ in their suits alone.
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
    // The four base-4 digits of a number name four suits, each once in 24 of 256.
    let orders =
        (0..256_usize).map(|n| SuitOrder([6, 4, 2, 0].map(|shift| b"cdhs"[n >> shift & 3])));
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
