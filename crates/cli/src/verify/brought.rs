//! Prints a round's contributions. Only the dealer says who brought them, so each line says what
//! ties the seed to its player.

use crate::out::{FAINT, GOOD, LABEL, Out, columns_beside, count, plain, wrapped};
use fairdeal::record::receipt::{Compared, MixedContribution, ReceiptVerdict};

/// Prints each contribution.
pub(super) fn print(verdict: &ReceiptVerdict, out: &mut Out) {
    let mut label = "brought";
    for one in &verdict.contributions {
        let from = plain(one.from.as_str());
        let seed = one
            .seed
            .as_ref()
            .map_or_else(|| "hashed, not opened".to_owned(), |s| plain(s.as_str()));
        field!(out, label, "{from}: {seed}");
        for line in wrapped(&about(one, verdict), columns_beside(LABEL + 2)) {
            say!(out, "{:LABEL$}  {}", "", styled(&line));
        }
        label = "";
    }
}

/// The texts in colour.
const YOURS: &str = "yours";
const NOT_TIED: &str = "not tied to the promise";

/// A line in colour: after the wrapping, which counts characters.
fn styled(line: &str) -> String {
    if let Some(rest) = line.strip_prefix(YOURS) {
        return format!("{GOOD}{YOURS}{GOOD:#}{rest}");
    }
    match line.strip_prefix(NOT_TIED) {
        Some(rest) => format!("{FAINT}{NOT_TIED}{FAINT:#}{rest}"),
        None => line.to_owned(),
    }
}

/// Whether a contribution is the reader's and was mixed.
fn is_yours(one: &MixedContribution, verdict: &ReceiptVerdict) -> bool {
    verdict.compared.iter().any(|(from, how)| *from == one.from && *how == Compared::Mixed)
}

fn about(one: &MixedContribution, verdict: &ReceiptVerdict) -> String {
    let mut parts = Vec::new();
    if is_yours(one, verdict) {
        parts.push(YOURS.to_owned());
    }
    parts.push(if one.committed_first {
        "its maker knew the promise".to_owned()
    } else {
        NOT_TIED.to_owned()
    });
    if one.hash.is_some() {
        parts.push("hashed first".to_owned());
    }
    if let Some(seen) = &one.seen {
        parts.push(format!("saw the log of {}", count(seen.size.value(), "entry", "entries")));
    }
    if let Some(key) = &one.key {
        parts.push(format!("key {}…", key.to_text().chars().take(8).collect::<String>()));
    }
    parts.join(", ")
}
