//! Finds the column that a name in a file means (spec/dialects.md 16.2).
//!
//! A name means a column if it is the column's own name or one that operators use, without regard
//! to case, `_`, `-` and spaces. Two names of one column are refused: only the user knows which one
//! is meant, and says so by mapping the column to it.

use crate::dialect::{Column, Dialect, Rotation};

/// Names that operators use for a column, folded.
const ALIASES: [(Column, &[&str]); 15] = [
    (Column::ServerSeed, &["unhashedserverseed", "revealedserverseed"]),
    (
        Column::Commitment,
        &["serverseedhash", "hashedserverseed", "serverseedhashed", "serverhash", "seedhash"],
    ),
    (
        Column::ClientSeed,
        &[
            "playerseed",
            "salt",
            "drand",
            "drandvalue",
            "drandsignature",
            "drandrandomness",
            "randomness",
        ],
    ),
    (Column::Result, &["multiplier", "crashpoint", "bust", "bustedat"]),
    (Column::GameId, &["gamenumber"]),
    (Column::Numbers, &["minepositions", "minespositions", "minetiles"]),
    (Column::Rolls, &["rolltotals"]),
    (Column::Symbols, &["gems", "values"]),
    (Column::Floors, &["eggpositionsbyround"]),
    (Column::Slot, &["finalslot", "winningslot"]),
    (Column::Path, &["dropdetails"]),
    (Column::Rows, &["plinkorow", "numberofrows"]),
    (Column::Segments, &["wheelsegments"]),
    (Column::MineCount, &["minescount"]),
    (Column::Risk, &["plinkorisk", "wheelrisk", "risklevel"]),
];

/// The end of the names of `difficulty`: a game's name may come first.
const DIFFICULTY: [&str; 2] = ["difficulty", "difficultylevel"];

/// The same for `server_seed` if games are links of a chain. Elsewhere a hash is a commitment.
const CHAIN: [&str; 2] = ["gamehash", "hash"];

/// The columns' names, and the names that are read as them.
#[derive(Clone, Debug)]
pub struct Names {
    /// The columns that are read, each with the name that it was mapped to.
    columns: Vec<(Column, Option<String>)>,
    chain: bool,
    /// Names of this dialect alone.
    own: &'static [(&'static str, Column)],
    /// Whether a result is a multiplier: else `multiplier` is what was paid.
    multiplier: bool,
}

/// The column that a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) column: Column,
    /// Its place among the columns that are read.
    pub(super) slot: usize,
}

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
        let columns = read.map(|column| (column, None)).collect();
        Self { columns, chain, own: dialect.also_named, multiplier: dialect.is_multiplier() }
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
        let slot = mapped.or_else(|| {
            let column = self.meaning(&fold(name))?;
            self.columns.iter().position(|(read, taken)| *read == column && taken.is_none())
        })?;
        self.columns.get(slot).map(|(column, _)| Target { column: *column, slot })
    }

    /// Whether a name means `server_seed`.
    pub(super) fn means_seed(&self, name: &str) -> bool {
        self.target(name).is_some_and(|target| target.column == Column::ServerSeed)
    }

    /// The column that a folded name means in any dialect, or on a chain.
    fn meaning(&self, folded: &str) -> Option<Column> {
        let own = Column::ALL.into_iter().find(|column| fold(column.as_str()) == folded);
        let is_read = |column: Column| column != Column::Result || self.multiplier;
        let known = || ALIASES.iter().find(|(of, names)| is_read(*of) && names.contains(&folded));
        let of_dialect = || self.own.iter().find(|(name, _)| *name == folded);
        let is_difficulty = || DIFFICULTY.iter().any(|end| folded.ends_with(end));
        own.or_else(|| (self.chain && CHAIN.contains(&folded)).then_some(Column::ServerSeed))
            .or_else(|| known().map(|(column, _)| *column))
            .or_else(|| of_dialect().map(|(_, column)| *column))
            .or_else(|| is_difficulty().then_some(Column::Difficulty))
    }
}

/// What to do about two names of one column.
pub(super) fn two_names(column: Column, first: &str, second: &str) -> String {
    let (first, second) = (shown(first), shown(second));
    format!(
        "{column}: expected one name for it, found {first} and {second}; choose one with \
         --map {column}=NAME"
    )
}

/// A name as in the file, or its beginning.
pub(super) fn shown(name: &str) -> String {
    format!("{:?}", name.chars().take(60).collect::<String>())
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

    fn read(names: &Names, name: &str) -> Option<Column> {
        names.target(name).map(|target| target.column)
    }

    #[test]
    fn a_column_is_known_by_its_name_however_spelled_and_by_what_operators_call_it() {
        let names = names("stake-crash");
        for (name, expected) in [
            ("server_seed", Some(Column::ServerSeed)),
            ("serverSeed", Some(Column::ServerSeed)),
            ("Server-Seed ", Some(Column::ServerSeed)),
            ("game_hash", Some(Column::ServerSeed)),
            ("hash", Some(Column::ServerSeed)),
            ("Hashed Server Seed", Some(Column::Commitment)),
            ("crashPoint", Some(Column::Result)),
            ("salt", Some(Column::ClientSeed)),
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
        assert_eq!(read(&names, "Salt"), Some(Column::Result));
        assert_eq!(read(&names, "salt"), Some(Column::ClientSeed));
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
