//! The places of a ledger's parts: its keys in a folder, its state and its published files there
//! too or elsewhere.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::LedgerOptions;
use crate::error::LedgerError;
use crate::store::{Head, Sqlite, State, TileFolder, Tiles};

/// The places of a ledger's parts. A path alone is a folder with all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The folder of the ledger, with its keys in `private/`.
    pub dir: PathBuf,
    /// The state's place, if not `private/state.sqlite`.
    pub state: Option<StateUrl>,
    /// The published files' place, if not `public/`: `s3://BUCKET/PREFIX`.
    pub tiles: Option<String>,
}

/// The URL of a state: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`. It is never
/// printed: it may have a password.
#[derive(Clone, PartialEq, Eq)]
pub struct StateUrl(String);

impl StateUrl {
    /// Any text. Whether it is a URL is said when it is opened.
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// The URL, with its password.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// Without user and password, and without what may be one.
impl fmt::Display for StateUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

impl fmt::Debug for StateUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StateUrl(…)")
    }
}

impl Location {
    /// A folder with all parts.
    pub fn folder(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), state: None, tiles: None }
    }

    /// The published files' place, to show: without what may be a password.
    #[must_use]
    pub fn shown_tiles(&self) -> String {
        let folder = || self.dir.join("public").display().to_string();
        self.tiles.as_deref().map_or_else(folder, shown)
    }
}

impl From<&Path> for Location {
    fn from(dir: &Path) -> Self {
        Self::folder(dir)
    }
}

impl From<&PathBuf> for Location {
    fn from(dir: &PathBuf) -> Self {
        Self::folder(dir)
    }
}

impl From<PathBuf> for Location {
    fn from(dir: PathBuf) -> Self {
        Self::folder(dir)
    }
}

impl From<&Self> for Location {
    fn from(at: &Self) -> Self {
        at.clone()
    }
}

/// The use of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Write,
    /// The folder may be a copy.
    WriteMoved,
    Read,
}

/// Opens a state, by its URL or in this file.
pub(crate) async fn open_state(
    url: Option<&StateUrl>,
    file: &Path,
    options: &LedgerOptions,
    as_what: Use,
) -> Result<Arc<dyn State>, LedgerError> {
    let wait = options.wait;
    let Some(StateUrl(url)) = url else {
        return Ok(Arc::new(match as_what {
            Use::Write | Use::WriteMoved => Sqlite::open(file, wait).await?,
            Use::Read => Sqlite::open_to_read(file, wait).await?,
        }));
    };
    #[cfg(feature = "postgres")]
    if is_postgres(url) {
        return Ok(Arc::new(crate::store::Postgres::open(url, wait).await?));
    }
    Err(no_state(url))
}

/// Makes a new state.
pub(crate) async fn create_state(
    url: Option<&StateUrl>,
    file: &Path,
    options: &LedgerOptions,
    first: &Head,
) -> Result<Arc<dyn State>, LedgerError> {
    let wait = options.wait;
    let Some(StateUrl(url)) = url else {
        return Ok(Arc::new(Sqlite::create(file, wait, first).await?));
    };
    #[cfg(feature = "postgres")]
    if is_postgres(url) {
        return match crate::store::Postgres::create(url, wait, first).await {
            Ok(state) => Ok(Arc::new(state)),
            Err(crate::store::StoreError {
                fault: crate::store::Fault::Taken, what, says, ..
            }) => Err(LedgerError::Taken { what, says }),
            Err(error) => Err(error.into()),
        };
    }
    let _ = (wait, first);
    Err(no_state(url))
}

/// Whether a state is in PostgreSQL, by the start of its URL.
pub(crate) fn is_postgres(url: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme))
}

fn no_state(url: &str) -> LedgerError {
    let says = if is_postgres(url) {
        "state: this build has no PostgreSQL: build it with --features postgres"
    } else {
        "state: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME"
    };
    LedgerError::Invalid(says.to_owned())
}

/// Opens where the published files are, by a URL or in this folder.
pub(crate) fn open_tiles(url: Option<&str>, folder: &Path) -> Result<Arc<dyn Tiles>, LedgerError> {
    let Some(url) = url else { return Ok(Arc::new(TileFolder::open(folder)?)) };
    #[cfg(feature = "s3")]
    {
        let checked: Result<crate::store::BucketUrl, _> = url.parse();
        checked.map_err(|error| {
            LedgerError::Invalid(format!("tiles: {error}, found {:?}", shown(url)))
        })?;
        Ok(Arc::new(crate::store::Bucket::open(url)?))
    }
    #[cfg(not(feature = "s3"))]
    Err(LedgerError::Invalid(format!(
        "tiles: {:?}: this build has no S3: build it with --features s3",
        shown(url)
    )))
}

/// A URL without its user and its password, and of its query the schema alone. A password may stand
/// in either, and may have any of the characters that divide a URL.
fn shown(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return "…".to_owned() };
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    if query.contains('@') {
        return format!("{scheme}://…");
    }
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    let part = query.split('&').find(|one| one.starts_with("schema="));
    part.map_or_else(|| format!("{scheme}://{place}"), |part| format!("{scheme}://{place}?{part}"))
}

#[cfg(test)]
mod tests {
    use super::StateUrl;

    #[test]
    fn a_url_is_shown_without_what_may_be_a_password() {
        for (url, shown) in [
            (
                "postgres://me:s3cret@host:5432/db?schema=main",
                "postgres://host:5432/db?schema=main",
            ),
            ("postgres://host/db?sslmode=disable&password=s3cret", "postgres://host/db"),
            ("postgres://host/db?password=s3cret@home&schema=main", "postgres://…"),
            ("postgres://me:s3cret?x@host/db", "postgres://…"),
            ("postgres://me:s3cret/x@host/db", "postgres://host/db"),
            ("s3cret", "…"),
        ] {
            assert_eq!(StateUrl::new(url).to_string(), shown, "{url}");
        }
    }
}
