//! Finds the column that a name in a file means (spec/dialects.md, rows).
//!
//! There are three ranks of names: the column's own name, or the name that it was mapped to; the
//! same without regard to case, `_`, `-` and spaces (`serverSeed`, `Server Seed`); and the names
//! that operators use ([`ALIASES`], [`CHAIN`]). A name of a higher rank counts before a lower one.

use crate::dialect::{Column, Dialect, Rotation};

/// Names that operators use for a column, without `_`.
const ALIASES: [(Column, &[&str]); 5] = [
    (
        Column::Commitment,
        &["serverseedhash", "hashedserverseed", "serverseedhashed", "serverhash", "seedhash"],
    ),
    (Column::ServerSeed, &["unhashedserverseed", "revealedserverseed"]),
    (
        Column::ClientSeed,
        &[
            "salt",
            "playerseed",
            "drand",
            "drandvalue",
            "drandsignature",
            "drandrandomness",
            "randomness",
        ],
    ),
    (Column::Result, &["multiplier", "crashpoint", "bust", "bustedat"]),
    (Column::GameId, &["gamenumber"]),
];

/// The same for `server_seed` if games are links of a chain. Elsewhere a hash is a commitment.
const CHAIN: [&str; 2] = ["gamehash", "hash"];

/// The columns' names, and the names that are read as them.
#[derive(Clone, Debug)]
pub struct Names {
    /// The columns that are read, each with the name that it was mapped to.
    columns: Vec<(Column, Option<String>)>,
    chain: bool,
}

/// A column, and the rank of the name that means it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) column: Column,
    /// Its place among the columns that are read.
    pub(super) slot: usize,
    /// One bit; a higher one counts first.
    pub(super) rank: u8,
}

const EXACT: u8 = 4;
const FOLDED: u8 = 2;
const ALIAS: u8 = 1;

/// A column cannot be mapped to a name: the dialect does not read the column, the column was mapped
/// before, or another column was mapped to the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MapError(String);

impl Names {
    /// The names of a dialect's columns.
    #[must_use]
    pub fn of(dialect: &Dialect) -> Self {
        let read = Column::ALL.into_iter().filter(|column| dialect.reads(*column));
        let chain = dialect.rotation == Rotation::Chain;
        Self { columns: read.map(|column| (column, None)).collect(), chain }
    }

    /// Reads a column from exactly this name, and from no other.
    ///
    /// # Errors
    /// [`MapError`].
    pub fn map(&mut self, dialect: &Dialect, column: Column, name: &str) -> Result<(), MapError> {
        let shares = |(first, taken): &(Column, &str)| *taken == name && *first != column;
        if let Some((first, _)) = self.mapped().find(shares) {
            return Err(MapError(format!("{name:?} is mapped to {first} and to {column}")));
        }
        match self.columns.iter_mut().find(|(read, _)| *read == column) {
            Some((_, taken @ None)) => *taken = Some(name.to_owned()),
            Some(_) => return Err(MapError(format!("{column} is mapped twice"))),
            None => {
                let reads: Vec<&str> = self.columns.iter().map(|(read, _)| read.as_str()).collect();
                let (dialect, reads) = (dialect.name, reads.join(", "));
                return Err(MapError(format!(
                    "{dialect} does not read {column}; it reads {reads}"
                )));
            }
        }
        Ok(())
    }

    /// The names that columns were mapped to.
    pub(super) fn mapped(&self) -> impl Iterator<Item = (Column, &str)> {
        self.columns.iter().filter_map(|(column, name)| Some((*column, name.as_deref()?)))
    }

    /// The column that a name means. Time: some comparisons with each column.
    pub(super) fn target(&self, name: &str) -> Option<Target> {
        let mapped = self.columns.iter().position(|(_, taken)| taken.as_deref() == Some(name));
        let free = |column: Column| {
            let at =
                self.columns.iter().position(|(read, taken)| *read == column && taken.is_none());
            at.filter(|_| mapped.is_none())
        };
        let target = |slot: usize, rank: u8| {
            self.columns.get(slot).map(|(column, _)| Target { column: *column, slot, rank })
        };
        if let Some(slot) = mapped.or_else(|| free(Column::named(name)?)) {
            return target(slot, EXACT);
        }
        let folded = fold(name);
        let same = Column::ALL.into_iter().find(|column| fold(column.as_str()) == folded);
        if let Some(slot) = same.and_then(free) {
            return target(slot, FOLDED);
        }
        let chain = (self.chain && CHAIN.contains(&folded.as_str())).then_some(Column::ServerSeed);
        let known = ALIASES.iter().find(|(_, names)| names.contains(&folded.as_str()));
        target(chain.or(known.map(|(column, _)| *column)).and_then(free)?, ALIAS)
    }
}

fn fold(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::find;

    fn names(dialect: &str) -> Names {
        Names::of(find(dialect).unwrap())
    }

    fn read(names: &Names, name: &str) -> Option<(Column, u8)> {
        names.target(name).map(|target| (target.column, target.rank))
    }

    #[test]
    fn a_column_is_known_by_its_name_however_spelled_and_by_what_operators_call_it() {
        let names = names("stake-crash");
        for (name, expected) in [
            ("server_seed", Some((Column::ServerSeed, EXACT))),
            ("serverSeed", Some((Column::ServerSeed, FOLDED))),
            ("Server-Seed ", Some((Column::ServerSeed, FOLDED))),
            ("game_hash", Some((Column::ServerSeed, ALIAS))),
            ("hash", Some((Column::ServerSeed, ALIAS))),
            ("Hashed Server Seed", Some((Column::Commitment, ALIAS))),
            ("crashPoint", Some((Column::Result, ALIAS))),
            ("salt", Some((Column::ClientSeed, ALIAS))),
            ("cards", None),
            ("game_id", None),
            ("", None),
        ] {
            assert_eq!(read(&names, name), expected, "{name}");
        }
        assert_eq!(read(&super::tests::names("liqd-blackjack"), "hash"), None);
        assert_eq!(read(&super::tests::names("liqd-blackjack"), "result"), None);
    }

    #[test]
    fn what_is_mapped_is_read_from_there_alone() {
        let dialect = find("stake-crash").unwrap();
        let mut names = names("stake-crash");
        names.map(dialect, Column::Result, "Salt").unwrap();
        assert_eq!(read(&names, "Salt"), Some((Column::Result, EXACT)));
        assert_eq!(read(&names, "salt"), Some((Column::ClientSeed, ALIAS)));
        assert_eq!(read(&names, "result"), None);
        assert_eq!(read(&names, "multiplier"), None);
        for (column, name, says) in [
            (Column::Result, "x", "result is mapped twice"),
            (Column::Nonce, "Salt", "\"Salt\" is mapped to result and to nonce"),
            (
                Column::Held,
                "x",
                "stake-crash does not read held; it reads server_seed, commitment, client_seed, result",
            ),
        ] {
            assert_eq!(names.map(dialect, column, name).unwrap_err().to_string(), says);
        }
    }
}
