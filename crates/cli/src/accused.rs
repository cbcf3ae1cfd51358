//! Whom findings accuse, in words.

use std::collections::BTreeSet;

use super::out::Out;
use fairdeal::record::finding::Accused;

/// The writer of one file.
pub(super) const OF_A_FILE: &str = "whoever wrote or sent this file";

/// The writer of a log's copy. A copy from the operator's own address can be incomplete because the
/// operator withholds a part.
pub(super) const OF_A_COPY: &str = "whoever wrote or sent this copy of the log: the operator, if it publishes it here, \
                                    and nothing shows whether a part is damaged or withheld";

/// Says whom findings accuse.
pub(super) fn print_accused(
    accused: impl Iterator<Item = Accused>,
    writer: &'static str,
    out: &mut Out,
) {
    let mut all: BTreeSet<Accused> = accused.collect();
    if all.contains(&Accused::Writer) {
        // An unsigned part has a writer too, who is named already.
        all.remove(&Accused::Nobody);
    }
    let only_writer = writer == OF_A_FILE && !all.contains(&Accused::Operator);
    let says = |one| match one {
        Accused::Operator => "the operator, whose key signed this",
        Accused::Writer if only_writer => "whoever wrote or sent this file; not the operator",
        Accused::Writer => writer,
        Accused::Nobody => "nobody: nothing here shows whose fault it is",
    };
    let all: Vec<&str> = all.into_iter().map(says).collect();
    if !all.is_empty() {
        out.long_field("accuses", &all.join("; "));
    }
}
