//! The reason why no row of a file can be read: a column that its dialect needs and no row gives.

use super::judge::{Collect, JudgedRow};
use super::rows::Totals;
use crate::dialect::{Checker, Column, Dialect, PlayError, Round, RowVerdict};

/// The columns of the rows that could not be read, and the reason of the first row.
#[derive(Debug, Default)]
pub(super) struct Missing {
    /// The first one that could be read as columns and values.
    first: Option<Round<'static>>,
    /// The line of the first row, and the reason why it could not be read.
    reason: Option<(u64, String)>,
    given: Vec<Column>,
}

impl Collect for Missing {
    fn row(&mut self, row: &JudgedRow<'_>) {
        if row.checked.verdict != RowVerdict::Unreadable {
            return;
        }
        if self.reason.is_none() {
            self.reason = Some((row.line, row.checked.says.to_string()));
        }
        let Some(round) = &row.round else { return };
        for column in CORE {
            if !self.given.contains(&column) && gives(round, column) {
                self.given.push(column);
            }
        }
        self.first.get_or_insert_with(|| round.clone().into_owned());
    }
}

/// The columns that a dialect may need.
const CORE: [Column; 15] = [
    Column::ServerSeed,
    Column::ClientSeed,
    Column::Nonce,
    Column::Cards,
    Column::Result,
    Column::Numbers,
    Column::Rolls,
    Column::Symbols,
    Column::Floors,
    Column::Slot,
    Column::Path,
    Column::Rows,
    Column::Segments,
    Column::Risk,
    Column::Difficulty,
];

fn gives(round: &Round<'_>, column: Column) -> bool {
    match column {
        Column::ServerSeed => round.server_seed.is_some(),
        Column::ClientSeed => round.client_seed.is_some() || round.contributions.is_some(),
        Column::Nonce => round.nonce.is_some(),
        Column::Cards => round.cards.is_some(),
        Column::Result => round.result.is_some() || round.finer.is_some(),
        other => round.cell(other).is_some(),
    }
}

impl Missing {
    /// The message for a file of which no row could be read. `names` are those of the file.
    pub(super) fn says(
        &self,
        name: &str,
        totals: &Totals,
        names: &[(String, Option<Column>)],
        checker: &Checker,
    ) -> String {
        if totals.rows() == 0 {
            return format!("{name}: expected rows, found none");
        }
        let column = self.first.as_ref().and_then(|round| self.column(round, checker));
        let Some(column) = column else {
            let (line, says) = self.reason.clone().unwrap_or_default();
            let rows = if totals.rows() == 1 {
                "its one row".to_owned()
            } else {
                format!("any of its {} rows", totals.rows())
            };
            return format!("{name}: can't read {rows}; line {line}: {says}");
        };
        if let Some((named, _)) = names.iter().find(|(_, of)| *of == Some(column)) {
            return format!("{name}: no row has a {column}: {named:?} is always empty");
        }
        let found: Vec<&str> = names.iter().take(MOST).map(|(name, _)| name.as_str()).collect();
        let more = names.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let parts = parts(column, checker.dialect());
        let tried = likeliest(parts, names).unwrap_or("NAME");
        let found = if found.is_empty() { "no column".to_owned() } else { found.join(", ") };
        let pair = format!("{column}={tried}");
        let pair = if pair.contains(' ') { format!("{pair:?}") } else { pair };
        format!("{name}: no {column} column; found {found}{more}. Try --map {pair}")
    }

    /// The first column that the dialect needs and that no row gives.
    fn column(&self, round: &Round<'_>, checker: &Checker) -> Option<Column> {
        let mut checker = checker.clone();
        let dialect: &Dialect = checker.dialect();
        let played = checker.outcome(round, 1).err();
        let errors = [dialect.asks(round).err(), played];
        errors.into_iter().flatten().find_map(|error| match error {
            PlayError::Missing { column, .. } if !self.given.contains(&column) => Some(column),
            _ => None,
        })
    }
}

/// Names that a message lists.
const MOST: usize = 12;

/// Parts of names that a column may have in an operator's export.
fn parts(column: Column, dialect: &Dialect) -> &'static [&'static str] {
    match column {
        Column::Result if !dialect.is_multiplier() => {
            &["result", "roll", "outcome", "position", "pocket", "number"]
        }
        Column::ServerSeed => &["server", "secret", "hash", "seed"],
        Column::ClientSeed => &["client", "player", "salt", "beacon", "drand", "public", "seed"],
        Column::Nonce => &["nonce", "round", "number", "index", "game", "bet", "id"],
        Column::Cards => &["card", "hand", "deck", "dealt", "result", "outcome"],
        Column::Result => {
            &["result", "crash", "mult", "bust", "outcome", "coefficient", "odds", "point"]
        }
        _ => &[],
    }
}

/// The likeliest name for a column with these parts, among the names that are no column yet.
fn likeliest<'n>(parts: &[&str], names: &'n [(String, Option<Column>)]) -> Option<&'n str> {
    let free = || names.iter().filter(|(_, of)| of.is_none()).map(|(name, _)| name.as_str());
    let with = |part: &&str| free().find(|name| name.to_lowercase().contains(*part));
    let only = || free().next().filter(|_| free().count() == 1);
    parts.iter().find_map(with).or_else(only)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::find;

    #[test]
    fn the_likeliest_name_is_one_that_is_no_column_yet() {
        let names = |all: &[(&str, Option<Column>)]| -> Vec<(String, Option<Column>)> {
            all.iter().map(|(name, of)| ((*name).to_owned(), *of)).collect()
        };
        let crash = names(&[
            ("game_hash", Some(Column::ServerSeed)),
            ("salt", Some(Column::ClientSeed)),
            ("crash", None),
        ]);
        let of = |column, dialect| parts(column, find(dialect).expect("a dialect"));
        let (result, nonce) = (of(Column::Result, "stake-crash"), of(Column::Nonce, "stake-crash"));
        assert_eq!(likeliest(result, &crash), Some("crash"));
        assert_eq!(likeliest(nonce, &crash), Some("crash"), "the only one that is left");
        let several = names(&[("when", None), ("who", None)]);
        assert_eq!(likeliest(result, &several), None);
        let paid = names(&[("amount", None), ("multiplier", None)]);
        assert_eq!(likeliest(of(Column::Result, "stake-dice"), &paid), None, "what was paid");
    }
}
