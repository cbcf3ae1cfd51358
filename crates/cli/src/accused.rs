//! Whom findings accuse, in words.

use std::collections::BTreeSet;

use super::out::Out;
use fairdeal::record::finding::Accused;

/// The thing that findings are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// One file, which the operator need not have written.
    File,
    /// A copy of a log. One from the operator's own address can be incomplete because the operator
    /// withholds a part.
    Copy,
}

/// Says whom findings accuse.
pub(super) fn print_accused(accused: impl Iterator<Item = Accused>, about: About, out: &mut Out) {
    let mut all: BTreeSet<Accused> = accused.collect();
    if all.contains(&Accused::Writer) {
        // An unsigned part has a writer too, who is named already.
        all.remove(&Accused::Nobody);
    }
    let writer = match about {
        About::Copy => {
            "whoever wrote or sent this copy of the log: the operator, if it publishes it here, and nothing shows whether a \
             part is damaged or withheld"
        }
        About::File if all.contains(&Accused::Operator) => "whoever wrote or sent this file",
        About::File => "whoever wrote or sent this file; not the operator",
    };
    let says = |one| match one {
        Accused::Operator => "the operator, whose key signed this",
        Accused::Writer => writer,
        Accused::Nobody => "nobody: nothing here shows whose fault it is",
    };
    let all: Vec<&str> = all.into_iter().map(says).collect();
    if !all.is_empty() {
        out.long_field("accuses", &all.join("; "));
    }
}
