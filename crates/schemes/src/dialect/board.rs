//! Games that draw numbers and show them as a result, a set, symbols or a path (spec/dialects.md,
//! 18 to 21). Each game is a value: what is drawn, and what a row shows of it.

use std::collections::BTreeSet;

use super::game_value::{EITHER, GameValue, symbol};
use super::walks::{Draws, Refused, order};
use super::{
    Accepted, Cents, Column, Deals, DialectOutcome, Digests, Message, PlayError, Round, Scheme,
};
use fairdeal_audit::stats::number::{index, real, real_len};

/// The rule of a game.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub(super) drawn: Drawn,
    pub(super) shows: Shows,
}

/// The numbers that a game draws.
#[derive(Clone, Copy)]
pub(super) enum Drawn {
    /// So many numbers under a size: the size, then the count.
    Under(Size, Size),
    /// The first so many of a number of items, of which none comes twice.
    Of(u32, Size),
    /// The eggs of nine floors.
    Floors,
    /// So many words.
    Words(u32),
    /// The number under a size from the first word of the message that the dialect makes.
    OfMessage(u32, fn(&Round<'_>) -> Result<Vec<u8>, PlayError>),
}

/// A size that a game fixes, or that a row's column chooses.
#[derive(Clone, Copy)]
pub(super) enum Size {
    Is(u32),
    /// One of these numbers.
    In(Column, &'static [u32]),
    /// A name's number.
    Named(Column, &'static [(&'static str, u32)]),
    /// `mine_count`, 1 to 24; if it is not given, as many as the row shows.
    Mines,
}

/// The form in which a row shows the numbers.
#[derive(Clone, Copy)]
pub(super) enum Shows {
    /// One number, in units of so many hundredths.
    Result(u64),
    /// The multiplier that a table has for the sum of the numbers and the row.
    Table(fn(&Round<'_>, u32) -> Result<Accepted, PlayError>),
    /// The numbers as a set, counted from this one.
    Set(u64),
    /// The numbers in their order, counted from this one.
    Order(u64),
    /// The symbols with these numbers.
    Symbols(&'static [&'static str]),
    /// Heads or tails.
    Flips,
    /// Sums of two dice.
    Rolls,
    /// Lists, one for each floor.
    Floors,
    /// Left and right, and the number of rights.
    Path,
}

/// The number of rows of pins.
pub(super) const PINS: Size = Size::In(Column::Rows, &[8, 9, 10, 11, 12, 13, 14, 15, 16]);

/// The floors of a tower.
const FLOORS: u32 = 9;

/// Eggs and places of a floor, by difficulty.
const TOWER: [(&str, (u32, u32)); 5] = [
    ("easy", (3, 4)),
    ("medium", (2, 3)),
    ("hard", (1, 2)),
    ("expert", (1, 3)),
    ("master", (1, 4)),
];

impl Size {
    pub(super) fn of(self, round: &Round<'_>) -> Result<u32, PlayError> {
        match self {
            Self::Is(size) => Ok(size),
            Self::In(column, sizes) => {
                let found = number(round, column)?;
                let known = sizes.iter().find(|size| u64::from(**size) == found);
                known.copied().ok_or_else(|| {
                    let names: Vec<String> = sizes.iter().map(u32::to_string).collect();
                    PlayError::wrong(column, &format!("one of {}", names.join(", ")), found)
                })
            }
            Self::Named(column, names) => named(round, column, names).copied(),
            Self::Mines => {
                let shown = match round.cell(Column::Numbers) {
                    Some(GameValue::Numbers(numbers)) => numbers.len(),
                    _ => 0,
                };
                let count = match round.cell(Column::MineCount) {
                    Some(_) => number(round, Column::MineCount)?,
                    None => u64::try_from(shown).unwrap_or(u64::MAX),
                };
                let fits = u32::try_from(count).ok().filter(|count| (1..=24).contains(count));
                fits.ok_or_else(|| PlayError::wrong(Column::MineCount, "1 to 24", count))
            }
        }
    }
}

/// The number in a column.
fn number(round: &Round<'_>, column: Column) -> Result<u64, PlayError> {
    match round.cell(column) {
        Some(GameValue::Number(number)) => Ok(*number),
        _ => Err(PlayError::Missing { column, expected: "a whole number" }),
    }
}

/// Looks up the name in a column, and returns the value that belongs to it.
pub(super) fn named<'k, T>(
    round: &Round<'_>,
    column: Column,
    known: &'k [(&str, T)],
) -> Result<&'k T, PlayError> {
    let Some(GameValue::Name(found)) = round.cell(column) else {
        return Err(PlayError::Missing { column, expected: "a name" });
    };
    let meant = known.iter().find(|(name, _)| name == found).map(|(_, meant)| meant);
    meant.ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let expected = format!("one of {}", names.join(", "));
        PlayError::wrong(column, &expected, format_args!("{found:?}"))
    })
}

fn tower(round: &Round<'_>) -> Result<(u32, u32), PlayError> {
    named(round, Column::Difficulty, &TOWER).copied()
}

impl Board {
    /// A dialect's way to deal by this rule.
    pub(super) const fn deals(drawn: Drawn, shows: Shows, refused: Refused) -> Deals {
        Deals::Board { board: Self { drawn, shows }, refused }
    }

    /// Plays a round.
    pub(super) fn play(
        &self,
        scheme: &Scheme,
        refused: Refused,
        digests: &mut dyn Digests,
        round: &Round<'_>,
    ) -> Result<DialectOutcome, PlayError> {
        self.knows(round)?;
        let numbers = self.numbers(scheme, refused, digests, round)?;
        let wide = |first: u64| numbers.iter().map(|one| u64::from(*one) + first).collect();
        let symbols = |of: &dyn Fn(&u32) -> &'static str| {
            let names = numbers.iter().map(|number| of(number).to_owned()).collect();
            vec![(Column::Symbols, GameValue::Names(names))]
        };
        let cells = match self.shows {
            Shows::Result(unit) => {
                let number = numbers.first().copied().unwrap_or_default();
                return Ok(DialectOutcome::Result(Accepted::only(Cents(u64::from(number) * unit))));
            }
            Shows::Table(table) => {
                return table(round, numbers.iter().sum()).map(DialectOutcome::Result);
            }
            Shows::Set(first) | Shows::Order(first) => {
                vec![(Column::Numbers, GameValue::Numbers(wide(first)))]
            }
            Shows::Symbols(names) => symbols(&|at| names.get(index(*at)).copied().unwrap_or("")),
            Shows::Flips => symbols(&|word| match *word {
                0..0x8000_0000 => "tails",
                // One source says heads, another one tails.
                0x8000_0000 => EITHER,
                _ => "heads",
            }),
            Shows::Rolls => {
                let (pairs, _) = numbers.as_chunks::<2>();
                let sums = pairs.iter().map(|[one, other]| u64::from(one + other + 2)).collect();
                vec![(Column::Rolls, GameValue::Numbers(sums))]
            }
            Shows::Floors => {
                let eggs = index(tower(round)?.0).max(1);
                let all: Vec<u64> = wide(0);
                let floors = all.chunks(eggs).map(<[u64]>::to_vec).collect();
                vec![(Column::Floors, GameValue::Lists(floors))]
            }
            Shows::Path => vec![
                (Column::Slot, GameValue::Number(numbers.iter().map(|bit| u64::from(*bit)).sum())),
                (Column::Path, GameValue::Numbers(wide(0))),
            ],
        };
        Ok(DialectOutcome::Cells(cells))
    }

    fn numbers(
        &self,
        scheme: &Scheme,
        refused: Refused,
        digests: &mut dyn Digests,
        round: &Round<'_>,
    ) -> Result<Vec<u32>, PlayError> {
        if let Drawn::OfMessage(under, message) = self.drawn {
            let [word, ..] = super::words(&digests.digest(&message(round)?));
            return Ok(scheme.mapping.settle(word, under).into_iter().collect());
        }
        let message = Message::of(round.client_seed()?, round.nonce()?);
        let mut source = Draws::new(scheme, message, digests, refused);
        match self.drawn {
            Drawn::Under(under, count) => {
                let (under, count) = (under.of(round)?, count.of(round)?);
                (0..count).map(|step| source.draw(under, step, step)).collect()
            }
            Drawn::Of(items, count) => {
                let count = count.of(round)?;
                is_whole(round, count)?;
                let mut all = order(scheme.walk, items, index(count), &mut source)?;
                all.truncate(index(count));
                Ok(all)
            }
            Drawn::Floors => {
                let (eggs, places) = tower(round)?;
                let mut all = Vec::new();
                for _ in 0..FLOORS {
                    all.extend(order(scheme.walk, places, index(eggs), &mut source)?);
                }
                Ok(all)
            }
            Drawn::Words(count) => (0..count).map(|_| Ok(source.raw())).collect(),
            Drawn::OfMessage(..) => unreachable!("drawn above"),
        }
    }

    /// Whether a table says what a result is.
    pub(super) const fn has_table(&self) -> bool {
        matches!(self.shows, Shows::Table(_))
    }

    /// Whether the numbers are a set.
    pub(super) const fn is_set(&self) -> bool {
        matches!(self.shows, Shows::Set(_))
    }

    /// Whether a row has the choices of the game, and no symbols of another one.
    fn takes(&self, round: &Round<'_>) -> bool {
        let has_sizes = match self.drawn {
            Drawn::Under(under, count) => under.of(round).and(count.of(round)).is_ok(),
            Drawn::Of(_, count) => {
                count.of(round).is_ok_and(|count| is_whole(round, count).is_ok())
            }
            Drawn::Floors => tower(round).is_ok(),
            Drawn::Words(_) | Drawn::OfMessage(..) => true,
        };
        let is_in_table = !matches!(self.shows, Shows::Table(of) if of(round, 0).is_err());
        has_sizes && is_in_table && self.knows(round).is_ok()
    }

    /// An upper bound of the probability of what a row shows; 0 if it shows no round of the game.
    pub(super) fn probability(&self, round: &Round<'_>) -> f64 {
        if !self.takes(round) {
            return 0.0;
        }
        let length = match round.cell(self.column()) {
            Some(GameValue::Numbers(shown)) => shown.len(),
            Some(GameValue::Lists(shown)) => shown.len(),
            Some(GameValue::Names(shown)) => shown.len(),
            _ => 0,
        };
        let each = |probability: f64| probability.powi(i32::try_from(length).unwrap_or(i32::MAX));
        let picked = |items: u32, count: usize| -> f64 {
            (1..=items).rev().take(count).map(|left| 1.0 / f64::from(left)).product()
        };
        let orders = |count: usize| -> f64 { (1..=count).map(real_len).product() };
        let items = if let Drawn::Of(items, _) = self.drawn { items } else { 1 };
        let share = match self.shows {
            Shows::Result(_) => match self.drawn {
                Drawn::OfMessage(under, _) | Drawn::Under(Size::Is(under), _) => {
                    1.0 / f64::from(under)
                }
                _ => 1.0,
            },
            Shows::Table(table) => self.of_table(table, round),
            Shows::Set(_) => picked(items, length) * orders(length),
            Shows::Order(_) => picked(items, length),
            Shows::Symbols(names) => each(1.0 / real_len(names.len())),
            Shows::Flips => each(0.5),
            // Seven is the likeliest sum.
            Shows::Rolls => each(1.0 / 6.0),
            Shows::Floors => {
                tower(round).map_or(1.0, |(eggs, places)| each(picked(places, index(eggs))))
            }
            Shows::Path if length > 0 => each(0.5),
            Shows::Path => {
                let shown = (number(round, Column::Rows), number(round, Column::Slot));
                if let (Ok(rows), Ok(slot)) = shown { of_slot(rows, slot) } else { 1.0 }
            }
        };
        // No value comes more often by this than its share (spec/dialects.md 17.2).
        share * (1.0 + 1e-5)
    }

    /// The share of a table that has the row's result.
    fn of_table(
        &self,
        table: fn(&Round<'_>, u32) -> Result<Accepted, PlayError>,
        round: &Round<'_>,
    ) -> f64 {
        let Drawn::Under(under, count) = self.drawn else { return 1.0 };
        let (Ok(under), Ok(count)) = (under.of(round), count.of(round)) else { return 1.0 };
        let shows = |at: &u32| {
            round.result.is_some_and(|shown| table(round, *at).is_ok_and(|one| one.has(shown)))
        };
        if count == 1 {
            let places = (0..under).filter(shows).count();
            real_len(places) / f64::from(under)
        } else {
            let slots = (0..=count).filter(shows);
            slots.map(|slot| of_slot(u64::from(count), u64::from(slot))).sum()
        }
    }

    /// The symbols that a row may show.
    pub(super) const fn symbols(&self) -> &'static [&'static str] {
        match self.shows {
            Shows::Symbols(names) => names,
            Shows::Flips => &["heads", "tails"],
            _ => &[],
        }
    }

    /// Refuses values that no round of the game can show: they are something else than its result.
    pub(super) fn knows(&self, round: &Round<'_>) -> Result<(), PlayError> {
        let most = match self.drawn {
            Drawn::Under(_, Size::Is(count)) | Drawn::Words(count) => count,
            _ => u32::MAX,
        };
        match self.shows {
            Shows::Result(unit) => self.knows_result(round, unit),
            Shows::Table(_) => Ok(()),
            Shows::Set(first) | Shows::Order(first) => {
                let items = if let Drawn::Of(items, _) = self.drawn { items } else { 0 };
                let last = first + u64::from(items) - 1;
                let expected = || format!("numbers from {first} to {last}");
                fits(round, Column::Numbers, expected, |shown| match shown {
                    GameValue::Numbers(shown) => shown.iter().all(|n| (first..=last).contains(n)),
                    _ => true,
                })
            }
            Shows::Symbols(_) | Shows::Flips => {
                let Some(GameValue::Names(shown)) = round.cell(Column::Symbols) else {
                    return Ok(());
                };
                if let Some(other) = shown.iter().find(|one| symbol(self.symbols(), one).is_none())
                {
                    let expected = format!("symbols of {}", self.symbols().join(", "));
                    return Err(PlayError::wrong(
                        Column::Symbols,
                        &expected,
                        format_args!("{other:?}"),
                    ));
                }
                let expected = || format!("at most {most} symbols");
                fits(round, Column::Symbols, expected, |_| shown.len() <= index(most))
            }
            Shows::Rolls => {
                let rolls = index(most >> 1);
                let expected = || format!("at most {rolls} sums of two dice, 2 to 12");
                fits(round, Column::Rolls, expected, |shown| match shown {
                    GameValue::Numbers(shown) => {
                        shown.len() <= rolls && shown.iter().all(|sum| (2..=12).contains(sum))
                    }
                    _ => true,
                })
            }
            Shows::Floors => {
                let (eggs, places) = tower(round)?;
                let expected = || {
                    let last = places - 1;
                    format!("at most {FLOORS} floors, each with {eggs} of the places 0 to {last}")
                };
                fits(round, Column::Floors, expected, |shown| match shown {
                    GameValue::Lists(shown) => {
                        let is_floor = |floor: &Vec<u64>| {
                            floor.len() == index(eggs)
                                && floor.iter().all(|place| *place < u64::from(places))
                                && floor.iter().collect::<BTreeSet<_>>().len() == floor.len()
                        };
                        shown.len() <= index(FLOORS) && shown.iter().all(is_floor)
                    }
                    _ => true,
                })
            }
            Shows::Path => {
                let rows = PINS.of(round)?;
                let path = || format!("{rows} of 0 and 1");
                fits(round, Column::Path, path, |shown| match shown {
                    GameValue::Numbers(shown) => shown.len() == index(rows),
                    _ => true,
                })?;
                let slot = || format!("a slot from 0 to {rows}");
                fits(round, Column::Slot, slot, |shown| match shown {
                    GameValue::Number(slot) => *slot <= u64::from(rows),
                    _ => true,
                })
            }
        }
    }

    fn knows_result(&self, round: &Round<'_>, unit: u64) -> Result<(), PlayError> {
        let under = match self.drawn {
            Drawn::Under(Size::Is(under), _) | Drawn::OfMessage(under, _) => u64::from(under),
            _ => return Ok(()),
        };
        let fits = |result: Cents| result.0 < under * unit && result.0.is_multiple_of(unit);
        if round.finer.is_none() && round.result.is_none_or(fits) {
            return Ok(());
        }
        let found = round
            .result
            .map(|result| result.to_string())
            .or(round.finer.as_deref().map(str::to_owned));
        let expected = match unit {
            1 => format!("a number from 0.00 to {}", Cents(under - 1)),
            _ => format!("a whole number from 0 to {}", under - 1),
        };
        Err(PlayError::wrong(Column::Result, &expected, found.unwrap_or_default()))
    }

    /// The first column that it shows.
    pub(super) const fn column(&self) -> Column {
        self.shows.columns()[0]
    }
}

/// Refuses a column's value that does not fit.
fn fits(
    round: &Round<'_>,
    column: Column,
    expected: impl FnOnce() -> String,
    fits: impl FnOnce(&GameValue) -> bool,
) -> Result<(), PlayError> {
    match round.cell(column) {
        Some(shown) if !fits(shown) => Err(PlayError::wrong(column, &expected(), shown)),
        _ => Ok(()),
    }
}

/// Refuses a set that is not whole: the tiles that a player opened are not the mines.
fn is_whole(round: &Round<'_>, count: u32) -> Result<(), PlayError> {
    let Some(GameValue::Numbers(shown)) = round.cell(Column::Numbers) else { return Ok(()) };
    let wrong = |found| Err(PlayError::wrong(Column::Numbers, &format!("all {count}"), found));
    if shown.len() != index(count) {
        return wrong(format!("{}", shown.len()));
    }
    let mut sorted = shown.clone();
    sorted.sort_unstable();
    match sorted.array_windows::<2>().find(|[one, other]| one == other) {
        Some([twice, _]) => wrong(format!("{twice} twice")),
        None => Ok(()),
    }
}

/// The probability of a slot under so many rows of pins.
fn of_slot(rows: u64, slot: u64) -> f64 {
    let ways: f64 = (0..slot.min(rows)).map(|at| real(rows - at) / real(at + 1)).product();
    ways * 0.5_f64.powi(i32::try_from(rows).unwrap_or(i32::MAX))
}

impl Shows {
    /// The columns that a row may show.
    pub(super) const fn columns(self) -> &'static [Column] {
        match self {
            Self::Result(_) | Self::Table(_) => &[Column::Result],
            Self::Set(_) | Self::Order(_) => &[Column::Numbers],
            Self::Symbols(_) | Self::Flips => &[Column::Symbols],
            Self::Rolls => &[Column::Rolls],
            Self::Floors => &[Column::Floors],
            Self::Path => &[Column::Path, Column::Slot],
        }
    }
}
