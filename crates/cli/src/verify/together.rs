//! The verdict on several files together. Only files whose entries are in the signed log are
//! compared.

use crate::out::{BAD, FAINT, GOOD, Out, plain};
use fairdeal::record::receipt::{Claim, ReceiptFinding, Shown};
use fairdeal_audit::answer::{JudgedFile, VerifiedFile};

/// Prints first what several files show together against the operator: each alone may hold.
pub(super) fn print_findings(
    files: &[JudgedFile],
    findings: &[ReceiptFinding],
    has_heads: bool,
    out: &mut Out,
) {
    if findings.is_empty() {
        return;
    }
    let compared = judged(files).filter(|file| file.shows(Shown::Logged)).count();
    let who = match compared {
        _ if has_heads => "Together with what the player saw they show",
        // One file can contradict itself.
        0 | 1 => "One of them alone shows",
        _ => "Together they show",
    };
    say!(out, "{BAD}{who} that the operator broke the rule, or signed two logs:{BAD:#}");
    for finding in findings {
        super::verdict::print_finding(finding, out);
    }
    out.line("");
}

fn judged(files: &[JudgedFile]) -> impl Iterator<Item = &VerifiedFile> {
    files.iter().filter_map(JudgedFile::judged)
}

/// Prints what several files come to. A file that does not hold, or was not read, is named in the
/// last lines.
pub(super) fn print(files: &[JudgedFile], findings: &[ReceiptFinding], out: &mut Out) {
    let judged: Vec<&VerifiedFile> = judged(files).collect();
    let wrong: Vec<&VerifiedFile> =
        judged.iter().copied().filter(|file| !file.verdict.holds).collect();
    let sound = judged.len() - wrong.len();
    let all = wrong.is_empty() && judged.len() == files.len();
    match (findings, sound) {
        ([], _) if all => {
            let both = if sound == 2 { "Both files hold" } else { "All files hold" };
            say!(out, "{GOOD}{both}{GOOD:#}, and they do not contradict each other.");
        }
        ([], 2..) => {
            say!(out, "The {sound} files that hold do not contradict each other.");
        }
        ([], 1) => out.line("One file holds. No other was compared with it."),
        _ => {}
    }
    for file in wrong {
        say!(out, "{} {BAD}does not hold{BAD:#}.", plain(&file.name));
    }
    for file in files {
        if let JudgedFile::Unread { name, .. } = file {
            say!(out, "{} {BAD}was not checked{BAD:#}: it can't be read.", plain(name));
        }
    }
}

/// Prints what players' programs say in evidence, apart from what is shown here.
pub(super) fn print_claims(claims: &[Claim], out: &mut Out) {
    for Claim { code, says } in claims {
        out.line("");
        say!(out, "The player's program says {}: {}", plain(code), plain(says));
        say!(out, "{FAINT}That is its word. Only the lines above are shown here.{FAINT:#}");
    }
}
