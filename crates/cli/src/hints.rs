//! A ledger's error as a command's, and what to do about it.

use std::path::Path;

use super::again::Again;
use super::exit::Failure;
use super::out::pasted;
use super::time;
use fairdeal::deal::Commitment;
use fairdeal::record::{Code, Finding};
use fairdeal_ledger::store::{Fault, StoreError};
use fairdeal_ledger::{ErrorKind, LedgerError};

/// The hint for `out-of-turn`.
const ONE_OPEN: &str = "\
A table has one open commitment at a time. Deal its rounds, reveal it, or void it if it was never used.
With --next, the deal, reveal or void that uses it up or ends it publishes the next one.";

/// Turns a ledger's error into a command's.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
pub(super) fn failure(error: LedgerError, again: &Again) -> Failure {
    failure_at(&error, again, &[])
}

/// The same for a command that was given other places than the ledger too: a message about one of
/// them begins with it.
pub(super) fn failure_at(error: &LedgerError, again: &Again, places: &[&Path]) -> Failure {
    let (code, kind, hint, says) =
        (error.code(), error.kind(), hint(error, again), error.to_string());
    let is_named = names_its_place(error)
        || says.contains(&again.dir.display().to_string())
        || places.iter().any(|place| says.starts_with(&place.display().to_string()));
    let failure = match error {
        _ if kind == ErrorKind::Refused => {
            let findings = error.findings().to_vec();
            if let [Finding { code: Code::NoCommitment, commitment: Some(commitment), .. }] =
                findings[..]
            {
                return failure(LedgerError::UnknownCommitment(commitment), again);
            }
            let commitment = findings.iter().find_map(|finding| finding.commitment);
            let about =
                commitment.map_or_else(|| "refused".to_owned(), |c| format!("commitment {c}"));
            Failure::refused(&about, findings)
        }
        _ if kind != ErrorKind::Unavailable => Failure::usage(says),
        // The message names the path already, or the hint says where to look.
        _ if hint.is_some() || is_named => Failure::unavailable(says),
        _ => unavailable!("{}: {says}", again.dir.display()),
    };
    match hint {
        Some(hint) => failure.code(code).hint(hint),
        None => failure.code(code),
    }
}

/// Whether a message begins with the path that it is about.
fn names_its_place(error: &LedgerError) -> bool {
    matches!(
        error,
        LedgerError::NoLedger { .. }
            | LedgerError::NotALedger { .. }
            | LedgerError::NoSigningKey { .. }
            | LedgerError::NotEmpty { .. }
            | LedgerError::Copied(_)
            | LedgerError::Exposed { .. }
    )
}

/// The operator's next step after an error. Its commands work when they are pasted.
fn hint(error: &LedgerError, again: &Again) -> Option<String> {
    let hint = match error {
        LedgerError::Overdue { commitment, .. } => {
            return Some(format!(
                "fairdeal reveal {}{again} reveals it. Or give --late to lock or deal all the same.",
                first_digits(commitment)
            ));
        }
        LedgerError::UnknownCommitment(_)
        | LedgerError::UnknownDigits(_)
        | LedgerError::UnknownTable(_) => {
            return Some(format!(
                "fairdeal list{again} shows those of this ledger. --ledger DIR names another one."
            ));
        }
        LedgerError::NoLedger { path, .. } if !path.exists() && *path == again.dir => {
            return Some(format!(
                "fairdeal init {} --origin NAME makes one. FAIRDEAL_LEDGER names one for all commands.",
                pasted(path)
            ));
        }
        error if error.is_damage() => {
            return Some(format!(
                "fairdeal fsck{} names all that is wrong; --repair makes again what can be made.",
                again.as_argument()
            ));
        }
        error if error.is_unfinished() => {
            "An init, a restore or a backup was not finished there. If none is running, delete the folder and retry."
        }
        LedgerError::Refused(findings)
            if findings.iter().any(|one| one.code == Code::OutOfTurn) =>
        {
            ONE_OPEN
        }
        LedgerError::Refused(findings)
            if findings.iter().any(|one| one.code == Code::TooManyRounds) =>
        {
            return Some(format!(
                "fairdeal commit --table TABLE{again} publishes the table's next commitment."
            ));
        }
        LedgerError::AwaitsBeacon { out, .. } => {
            let wait = out.and_then(|out| out.checked_sub(time::now()));
            let soon = wait.map(|wait| format!("Come again in {}. ", time::span(wait)));
            return Some(format!(
                "{}--beacon HEX gives the signature. --beacon-relay URL names a server to ask for it, such as https://api.drand.sh.",
                soon.unwrap_or_default()
            ));
        }
        LedgerError::Unlocked(_) => {
            return Some(format!(
                "fairdeal lock{again} locks the round first: with the hash of each seed, unless the round waits for a beacon."
            ));
        }
        LedgerError::Secret { .. } => {
            "Those are the player's secret until the lock. `fairdeal contribution -o` makes the file to give."
        }
        LedgerError::NotOneSeat(_) => {
            "Each seat's cards belong in a file of their own. --mixed opens these all the same."
        }
        LedgerError::Clock(_) => {
            "A wrong time stays in the log. Set the clock. If it is right, give today's date: --accept-time DATE."
        }
        LedgerError::NoCheckpoint => {
            return Some(format!(
                "fairdeal republish{} --against NOTE-or-URL publishes it again, with the newest checkpoint that anybody has seen: docs/operators.md.",
                again.as_argument()
            ));
        }
        LedgerError::Copied(_) => {
            return Some(format!(
                "If this folder shall deal, and no other: fairdeal republish{} --against NOTE-or-URL, with the newest checkpoint that anybody has seen: docs/operators.md.",
                again.as_argument()
            ));
        }
        LedgerError::OlderState { .. } | LedgerError::OtherTree { .. } => {
            "Find the newest checkpoint that anybody has seen. docs/operators.md says what to do with it."
        }
        LedgerError::ForeignCheckpoint { .. } => {
            "After a power cut, the next command that deals writes a torn checkpoint again. If the file is another log's, put back the newest checkpoint that anybody has seen: docs/operators.md."
        }
        LedgerError::Store(StoreError { fault: Fault::Busy, .. }) => {
            "Another process uses the ledger just now: ask again in a moment. If none does, the file system gives no locks: a ledger needs a local disk."
        }
        LedgerError::Moved(_) => "Name the state that it went to: --state URL, or --ledger DIR.",
        LedgerError::WrongVault { .. } => {
            "The key at hand is another one: that of --vault-key-command, or private/vault.key. After `fairdeal rekey` each \
             machine needs the new one: docs/operators.md."
        }
        _ => return None,
    };
    Some(hint.to_owned())
}

/// So many digits of a commitment as name it in a printed command.
pub(super) fn first_digits(commitment: &Commitment) -> String {
    commitment.to_text().chars().take(12).collect()
}
