//! The audit as an HTML page: adds what only the command line knows.

use crate::audit::AuditVerdict;
use crate::cli::{files, time};
use crate::log::VerifierKey;
use crate::report::{PageContext, html};

pub(super) fn of(
    args: &super::Args,
    log: &str,
    key: &VerifierKey,
    continued: &[(String, u64)],
    verdict: &AuditVerdict,
) -> String {
    let since: Vec<String> = args.since.iter().map(|path| files::name(path)).collect();
    let (text, as_of, clock) = (key.to_text(), verdict.as_of.map(time::utc), verdict.clock.map(time::utc));
    let continued: Vec<u64> = continued.iter().map(|(_, size)| *size).collect();
    let about = PageContext {
        log,
        origin: key.name().as_str(),
        key: &text,
        as_of: as_of.as_deref(),
        clock: clock.as_deref(),
        since: &since,
        continued: &continued,
        version: env!("CARGO_PKG_VERSION"),
    };
    html(verdict, &about)
}
