//! The place of a ledger's state: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`.

use std::fmt;
use std::str::FromStr;

use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;

use crate::store::error::{Fault, StoreError};

/// The schema where the URL names none.
const SCHEMA: &str = "fairdeal";

/// PostgreSQL's longest name, in bytes.
const LONGEST: usize = 63;

/// The parameters of a URL besides its schema. Others are refused: they may be a password with an
/// unescaped `?`.
const KNOWN: [&str; 5] = ["host", "sslcert", "sslkey", "sslmode", "sslrootcert"];

/// A database and a schema in it. It is shown without its password.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) options: PgConnectOptions,
    pub(super) schema: String,
}

impl Place {
    /// Parses a URL. No error repeats any of it: it may be the password.
    pub(super) fn parse(url: &str) -> Result<Self, StoreError> {
        let wrong = |says: &str| {
            let says =
                format!("expected postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME: {says}");
            StoreError::new(Fault::Missing, "the state's URL", says)
        };
        if !is_postgres(url) {
            return Err(wrong("it begins otherwise"));
        }
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let mut schema = SCHEMA;
        let mut rest = Vec::new();
        for one in query.split('&').filter(|one| !one.is_empty()) {
            match one.split_once('=') {
                Some(("schema", name)) => schema = name,
                Some((name, _)) if KNOWN.contains(&name) => rest.push(one),
                _ => {
                    let known = KNOWN.join(", ");
                    return Err(wrong(&format!(
                        "after \"?\" it may have schema, {known}, and nothing else"
                    )));
                }
            }
        }
        let starts = |c: char| c.is_ascii_lowercase() || c == '_';
        if schema.len() > LONGEST
            || !schema.starts_with(starts)
            || !schema.chars().all(|c| starts(c) || c.is_ascii_digit())
            || schema.starts_with("pg_")
        {
            return Err(wrong(
                "a schema has up to 63 characters a-z, 0-9 and _, and no digit first",
            ));
        }
        let options = PgConnectOptions::from_str(&format!("{base}?{}", rest.join("&")));
        let options = options
            .map_err(|_| wrong("it cannot be read; %-escape what is special in a password"))?;
        let options = options.application_name("fairdeal").disable_statement_logging();
        Ok(Self { options, schema: schema.to_owned() })
    }
}

/// Whether a state is in PostgreSQL, by the start of its URL.
pub(crate) fn is_postgres(url: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { options, schema } = self;
        let database = options.get_database().unwrap_or(options.get_username());
        match options.get_socket() {
            Some(socket) => {
                write!(f, "postgres:///{database}?host={}&schema={schema}", socket.display())
            }
            None => write!(
                f,
                "postgres://{}:{}/{database}?schema={schema}",
                options.get_host(),
                options.get_port()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_user_and_its_password() {
        let place = Place::parse(
            "postgres://me:s3cr%2Ft@db.example:5433/cards?schema=evening&sslmode=disable",
        );
        let place = place.expect("a URL");
        assert_eq!(place.to_string(), "postgres://db.example:5433/cards?schema=evening");
        assert_eq!(place.schema, "evening");
        let plain = Place::parse("postgresql://db.example/cards").expect("a URL");
        assert_eq!(plain.to_string(), "postgres://db.example:5432/cards?schema=fairdeal");
    }

    #[test]
    fn what_is_no_url_of_a_state_is_refused_and_never_repeated() {
        for url in [
            "mysql://me:s3cret@host/db",
            "postgres://me:s3cret?x@host/db",
            "postgres://me:s3cret/x@host/db",
            "postgres://me:s3cret@host/db?schema=Upper",
            "postgres://me:s3cret@host/db?schema=",
            "postgres://me:s3cret@host/db?schema=pg_catalog",
            "postgres://me:s3cret@host/db?schema=a;drop",
            "postgres://me:s3cret@host/db?password=s3cret",
            "postgres://me:s3cret@host:port/db",
        ] {
            let error =
                Place::parse(url).err().unwrap_or_else(|| panic!("{url} was taken")).to_string();
            assert!(
                !error.contains("s3cret") && error.contains("expected postgres://"),
                "{url}: {error}"
            );
        }
    }
}
