//! Rows of other operators.

use std::fs::File;
use std::io::{Cursor, Read};

use fairdeal_schemes::answer::{DialectList, RowsCheck};
use fairdeal_schemes::dialect::{self, Column, Dialect, Limits};
use fairdeal_schemes::rows::Names;
use pyo3::prelude::*;

use crate::failure::{Failure, json};
use crate::waiting::detach;

fn known(name: &str) -> Result<&'static Dialect, Failure> {
    dialect::find(name).ok_or_else(|| {
        let all = dialect::ALL.map(|dialect| dialect.name).join(", ");
        Failure::usage("dialect", format_args!("expected one of {all}; found {name:?}"))
    })
}

fn names(dialect: &Dialect, columns: &[(String, String)]) -> Result<Names, Failure> {
    let mut names = Names::of(dialect);
    for (column, name) in columns {
        let column = Column::named(column).ok_or_else(|| {
            let all = Column::ALL.map(Column::as_str).join(", ");
            Failure::usage("columns", format_args!("expected one of {all}; found {column:?}"))
        })?;
        names.map(dialect, column, name).map_err(|error| Failure::usage("columns", error))?;
    }
    Ok(names)
}

fn check(
    dialect: &str,
    columns: &[(String, String)],
    check: RowsCheck<'_>,
    stream: impl Read + Send,
) -> Result<String, Failure> {
    let dialect = known(dialect)?;
    check
        .run(dialect, names(dialect, columns)?, stream)
        .map_err(|error| Failure::usage("columns", error))
}

/// Checks rows that are JSON or CSV in memory. Returns JSON.
#[pyfunction]
#[pyo3(signature = (dialect, rows, name, columns, *, statistics, brief))]
pub(crate) fn check_rows(
    py: Python<'_>,
    dialect: &str,
    rows: &[u8],
    name: &str,
    columns: Vec<(String, String)>,
    statistics: bool,
    brief: bool,
) -> PyResult<String> {
    let how = RowsCheck { name, statistics, brief };
    Ok(detach(py, || check(dialect, &columns, how, Cursor::new(rows)))?)
}

/// Checks a file of rows, as a stream. Returns JSON.
#[pyfunction]
#[pyo3(signature = (dialect, path, columns, *, statistics, brief))]
pub(crate) fn check_file(
    py: Python<'_>,
    dialect: &str,
    path: &str,
    columns: Vec<(String, String)>,
    statistics: bool,
    brief: bool,
) -> PyResult<String> {
    let how = RowsCheck { name: path, statistics, brief };
    Ok(detach(py, || {
        let file = File::open(path)
            .map_err(|error| Failure::unavailable(format_args!("{path}: {error}")))?;
        check(dialect, &columns, how, file)
    })?)
}

/// The schemes that are known, as JSON.
#[pyfunction]
pub(crate) fn dialects() -> PyResult<String> {
    Ok(json(&DialectList::all())?)
}

/// The limits of a scheme, as JSON: facts that no row shows.
#[pyfunction]
pub(crate) fn limits(dialect: &str) -> PyResult<String> {
    Ok(json(&Limits::of(known(dialect)?))?)
}
