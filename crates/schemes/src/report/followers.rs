//! Findings that follow from another finding: if a round is missing, every later round of its
//! commitment is out of order.

use std::collections::BTreeSet;

use fairdeal::record::{Code, Finding};

/// A clause on the findings of one code that are not printed: the number that follow from another
/// finding. `more`: the number that are not printed; `of_code` may have only the first of them.
#[must_use]
pub fn followers(of_code: &[&Finding], printed: usize, more: u64) -> String {
    let known = follow(of_code).skip(printed).filter(|&follows| follows).count() as u64;
    if known == 0 {
        String::new()
    } else if known == more {
        ", each of which follows from an earlier one of its commitment".to_owned()
    } else {
        let at_least =
            if (of_code.len().saturating_sub(printed) as u64) < more { "at least " } else { "" };
        format!(", {at_least}{known} of which follow from an earlier one of the same commitment")
    }
}

/// The same for all findings, as a clause. `None` if no finding follows from another. `counted`:
/// the number of all gaps.
pub(super) fn among(findings: &[Finding], counted: u64) -> Option<String> {
    let gaps: Vec<&Finding> =
        findings.iter().filter(|finding| finding.code == Code::NonceGap).collect();
    let known = follow(&gaps).filter(|&follows| follows).count() as u64;
    let at_least = if (gaps.len() as u64) < counted { "at least " } else { "" };
    let follow = if known == 1 { "follows" } else { "follow" };
    (known > 0)
        .then(|| format!("{at_least}{known} {follow} from an earlier one of the same commitment"))
}

/// For each finding in order: whether it follows from an earlier finding.
fn follow(of_code: &[&Finding]) -> impl Iterator<Item = bool> {
    let mut met = BTreeSet::new();
    of_code
        .iter()
        .map(move |finding| finding.code == Code::NonceGap && !met.insert(finding.commitment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairdeal::deal::Commitment;

    fn gap(index: u64, of: u8) -> Finding {
        Finding {
            code: Code::NonceGap,
            index: Some(index),
            commitment: Some(Commitment::from_bytes([of; 32])),
            nonce: None,
            says: String::new(),
        }
    }

    #[test]
    fn gaps_that_follow_from_an_earlier_one_are_told_apart() {
        let of_one: Vec<Finding> = (0..9).map(|index| gap(index, 1)).collect();
        let told = |gaps: &[Finding], more| followers(&gaps.iter().collect::<Vec<_>>(), 5, more);
        assert_eq!(
            told(&of_one, 4),
            ", each of which follows from an earlier one of its commitment"
        );
        let of_two = [&of_one[..], &[gap(9, 2)]].concat();
        assert_eq!(
            told(&of_two, 5),
            ", 4 of which follow from an earlier one of the same commitment"
        );
        assert_eq!(
            told(&of_one, 50),
            ", at least 4 of which follow from an earlier one of the same commitment"
        );
        let of_many: Vec<Finding> = (0..9).map(|at| gap(at.into(), at)).collect();
        assert_eq!(told(&of_many, 4), "");
    }

    #[test]
    fn a_sentence_about_all_findings_counts_those_that_follow() {
        let of_two: Vec<Finding> =
            [1, 1, 2, 1].into_iter().zip(0..).map(|(of, at)| gap(at, of)).collect();
        let told = |findings: &[Finding], counted| among(findings, counted);
        let says = "2 follow from an earlier one of the same commitment";
        assert_eq!(told(&of_two, 4).as_deref(), Some(says));
        assert_eq!(told(&of_two, 9).as_deref(), Some(&*format!("at least {says}")));
        assert_eq!(told(&of_two[1..3], 2), None);
        let other = Finding { code: Code::ResultMismatch, ..gap(0, 1) };
        assert_eq!(told(&[other.clone(), other], 0), None);
    }
}
