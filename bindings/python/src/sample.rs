//! Honest logs of any length, for tests and measurements.

use std::fs;
use std::path::Path;

use fairdeal::sample::{Sample, SampleError, SampleTerms};
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::waiting::detach;

/// Why no log was made.
enum Stopped {
    Failed(Failure),
    /// A signal's handler raised this, for example because of Ctrl-C.
    Raised(PyErr),
}

impl From<SampleError> for Stopped {
    fn from(error: SampleError) -> Self {
        Self::Failed(Failure::usage("generate", error))
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Stopped> for PyErr {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Failed(failure) => failure.into(),
            Stopped::Raised(error) => error,
        }
    }
}

/// Writes the files of a log, and its verifier key in `log.key`. Returns how many entries it has.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    folder: &str,
    deals: u64,
    tables: u64,
    rounds: u64,
    players: u64,
    seed: u64,
) -> PyResult<u64> {
    Ok(detach(py, || {
        let terms = SampleTerms { deals, tables, rounds, players, ..SampleTerms::default() };
        let signer = Sample::signer(&terms, seed)?;
        let sample = Sample::new(&terms, seed)?;
        let folder = Path::new(folder);
        if fs::read_dir(folder).is_ok_and(|mut inside| inside.next().is_some()) {
            let says =
                format!("expected a new or empty folder, found files in {}", folder.display());
            return Err(Failure::usage("folder", says).into());
        }
        let write = |path: &str, bytes: &[u8]| -> Result<(), Stopped> {
            Python::attach(|py| py.check_signals()).map_err(Stopped::Raised)?;
            let file = folder.join(path);
            let parent = file.parent().unwrap_or(folder);
            let written = fs::create_dir_all(parent).and_then(|()| fs::write(&file, bytes));
            Ok(written.map_err(|error| {
                Failure::unavailable(format_args!("{}: {error}", file.display()))
            })?)
        };
        write("log.key", format!("{}\n", signer.verifier().to_text()).as_bytes())?;
        sample.publish(&signer, write).map(|tree| tree.size())
    })?)
}
