//! What the cosignatures of a checkpoint show under a policy (spec/witness.md, section 26).

use super::policy::Policy;

/// The last second that is a time: 9999-12-31T23:59:59Z.
const LAST: u64 = 253_402_300_799;

/// The times of a quorum, in Unix seconds (spec/witness.md, section 26).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quorum {
    /// Everything under the size existed by then.
    pub by: Option<u64>,
    /// Nothing that contains these signatures was written before.
    pub since: Option<u64>,
}

/// The witnesses that have signed, and the quorum if it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witnessed {
    /// For each witness of the policy, in its order, the time of the line that counts.
    pub signed: Vec<Option<u64>>,
    /// The quorum.
    pub quorum: Option<Quorum>,
}

impl Witnessed {
    /// The names of the witnesses whose cosignatures make the quorum, in the policy's order. A
    /// witness on which the quorum does not depend is not among them.
    #[must_use]
    pub fn names(&self, policy: &Policy) -> String {
        let needed = policy.needed();
        let signed = policy.witnesses().iter().zip(&self.signed).enumerate();
        signed
            .filter(|(at, (_, time))| time.is_some() && needed.contains(at))
            .map(|(_, (witness, _))| witness.name())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Whether a time is a second, and not infinite.
#[must_use]
pub(crate) fn is_second(time: u64) -> bool {
    (1..=LAST).contains(&time)
}
