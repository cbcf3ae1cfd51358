//! The receipt of a promise: it names the log, and shows that the log has the commitment.

use std::path::Path;

use crate::exit::Failure;
use crate::files;
use crate::known::{self, Chosen, Named};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::VerifierKey;
use fairdeal::record::receipt::{Document, verify};

/// The key of the log that a promise names: `--key`, or else the known one.
/// Exit 1 if the receipt does not hold under it, 2 if it is no receipt of this commitment, or the
/// log is not known; 3 if it cannot be read.
pub(super) fn key(
    path: &Path,
    given: Option<&str>,
    round: Option<(Commitment, Nonce)>,
) -> Result<VerifierKey, Failure> {
    let name = files::name(path);
    let receipt = Document::parse(&files::read(path)?)
        .map_err(|error| usage!("--promise {name}: expected a receipt: {error}"))?;
    let named = || {
        Named::in_checkpoint(&receipt.receipt().checkpoint)
            .ok_or_else(|| usage!("--promise {name}: its checkpoint names no log: give --key"))
    };
    let Chosen { key, .. } = known::key_of(given, &name, named)?;
    let verdict = verify(&receipt, &key);
    if let Some(found) = verdict.findings.first() {
        let says = format!("--promise {name}: it does not hold: {}: {}", found.code, found.says);
        return Err(Failure::unsound(says));
    }
    match (verdict.commitment, round) {
        (Some(found), Some((expected, _))) if found != expected => {
            Err(usage!("--promise {name}: expected a receipt of {expected}, found one of {found}"))
        }
        _ => Ok(key),
    }
}
