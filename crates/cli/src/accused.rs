//! Whom findings accuse, in words.

use std::collections::BTreeSet;

use super::out::Out;
use fairdeal::record::finding::Accused;

/// Says whom findings accuse.
pub(super) fn print_accused(accused: impl Iterator<Item = Accused>, out: &mut Out) {
    let mut all: BTreeSet<Accused> = accused.collect();
    if all.contains(&Accused::Writer) {
        // An unsigned part has a writer too, who is named already.
        all.remove(&Accused::Nobody);
    }
    let says = |one| match one {
        Accused::Operator => "the operator, whose key signed this",
        Accused::Writer => "whoever wrote or sent this file; not the operator",
        Accused::Nobody => "nobody: nothing here shows whose fault it is",
    };
    let all: Vec<&str> = all.into_iter().map(says).collect();
    if !all.is_empty() {
        out.long_field("accuses", &all.join("; "));
    }
}
