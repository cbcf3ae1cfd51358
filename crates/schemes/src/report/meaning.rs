//! What each finding means, for readers who do not know the specification.

use fairdeal::record::Code;

/// A finding in plain words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    /// In a few words.
    pub(super) title: &'static str,
    /// What it means for those who played.
    pub(super) means: &'static str,
    /// Where to look, and what could explain it.
    pub(super) look: &'static str,
}

/// What a finding touches; the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touches {
    /// What was dealt, and from which seeds.
    Cards,
    /// Whether there is one log, signed and unchanged.
    History,
    /// The order in which things must happen.
    Course,
    /// How entries and files are written.
    Form,
}

impl Touches {
    /// What this code touches.
    pub(super) const fn of(code: Code) -> Self {
        match code {
            Code::SeedMismatch
            | Code::ResultMismatch
            | Code::UnopenedHash
            | Code::LockMismatch
            | Code::WeakMixing
            | Code::ContributionSignature
            | Code::ContributionMismatch
            | Code::PlacedMismatch
            | Code::BeaconRound
            | Code::BeaconSignature => Self::Cards,
            Code::SplitView | Code::TreeMismatch | Code::BadSignature | Code::Inconsistent => {
                Self::History
            }
            Code::NoCommitment
            | Code::DuplicateCommitment
            | Code::AfterReveal
            | Code::AfterVoid
            | Code::VoidAfterUse
            | Code::OpenRound
            | Code::NonceGap
            | Code::TooManyRounds
            | Code::OutOfTurn
            | Code::TimeRunsBack
            | Code::LateReveal
            | Code::Overdue
            | Code::TimeAhead => Self::Course,
            Code::NotCanonical | Code::InvalidEntry | Code::InvalidReceipt => Self::Form,
        }
    }

    /// As a heading.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Cards => "The cards and the seeds",
            Self::History => "The log itself",
            Self::Course => "The order of events",
            Self::Form => "How it is written",
        }
    }
}

/// Every code has one: a new code does not compile until it is explained here.
#[expect(clippy::too_many_lines, reason = "one arm for each code, nothing to follow")]
pub(super) const fn meaning(code: Code) -> Meaning {
    let (title, means, look) = match code {
        Code::NotCanonical => (
            "An entry is not written in the one form that is allowed",
            "Every entry has exactly one spelling, so that nobody can hide a second meaning in it. This one is spelled otherwise and counts as if it were not there.",
            "Read the bytes of the entry. A broken writer is likelier than a cheat, but a deal recorded this way is a deal that cannot be checked.",
        ),
        Code::InvalidEntry => (
            "An entry cannot be understood",
            "It breaks the grammar of the log, so nothing that it claims can be checked and it counts as if it were not there.",
            "See what was expected and which field came instead; then ask the operator what the entry was meant to record.",
        ),
        Code::NoCommitment => (
            "Something was done under a promise that nobody had made",
            "A deal only proves something if its secret was fixed first. Here the log shows a deal, lock, void or reveal without the commitment that must come before it.",
            "Look for the commitment in the entries after this one: a commitment published after its deal proves nothing.",
        ),
        Code::DuplicateCommitment => (
            "The same promise was published twice",
            "Two commitments to one secret: whoever has seen the first one revealed knows the cards of the second.",
            "Compare the two entries, and whether the secret was already out when the second one appeared.",
        ),
        Code::AfterReveal => (
            "Something was done after the secret was out",
            "Once the secret is published, anyone can compute every card in advance. Whatever happens under the commitment afterwards is not a fair deal.",
            "Look at the reveal and at what follows it under the same commitment.",
        ),
        Code::AfterVoid => (
            "Something was done under a promise that had been withdrawn",
            "The commitment was declared void before it was used; nothing may happen under it any more.",
            "Look at the void and at what follows it under the same commitment.",
        ),
        Code::VoidAfterUse => (
            "A promise was withdrawn after it had been used",
            "A commitment under which rounds were locked, dealt or voided must be revealed. Withdrawing it would bury the proof of what was dealt.",
            "Look at the deals under this commitment: they can never be checked unless the secret is revealed.",
        ),
        Code::OpenRound => (
            "A round was left open while something else happened",
            "After the players’ seeds are locked, the deal or a void must follow at once. Doing something else in between would let an operator wait and choose.",
            "Look at the lock before this entry, and whether its round was ever dealt.",
        ),
        Code::NonceGap => (
            "A round is missing, repeated or out of order",
            "Rounds are numbered without gaps. A number that was skipped may be a deal that did not suit somebody; one that comes twice may be a deal tried again.",
            "Compare the number that came with the one that was due, and ask for the rounds in between.",
        ),
        Code::TooManyRounds => (
            "More rounds were dealt than had been promised",
            "The commitment says for how many rounds it is good. This entry is beyond them.",
            "Compare the round with the number of rounds in the commitment.",
        ),
        Code::SeedMismatch => (
            "The secret that was revealed is not the one that was promised",
            "This is the heart of the scheme: the revealed secret does not fit the published commitment. None of the deals under it can be shown to be fair.",
            "Compute SHA-256 of the revealed secret yourself and compare it with the commitment. There is no innocent explanation but a broken system.",
        ),
        Code::OutOfTurn => (
            "A promise was made before its turn",
            "A table has one open commitment at a time, so that nobody can hold several and pick the one that suits the players’ seeds. This one was made while another was open, or does not continue the table’s last.",
            "Look at the commitment before this one at the same table: was it used up, revealed or voided by then?",
        ),
        Code::TimeRunsBack => (
            "An entry says it is older than the one before it",
            "The order of the log is certain; the times are the operator’s word, and here they contradict the order.",
            "A clock that was set back may explain a single case; many cases make every time in the log doubtful.",
        ),
        Code::SplitView => (
            "A player was shown another log",
            "A player kept a signed view of the log that is not part of this one. Different people were shown different histories.",
            "Keep the player’s saved checkpoint: with the operator’s own signature it is proof of the fork.",
        ),
        Code::ContributionSignature => (
            "A player’s signature does not fit what was recorded",
            "A player signs a seed for one round of one commitment. Here the recorded seed, round or view is not what the key signed: it was changed, moved from elsewhere, or never signed.",
            "Ask the player whose name it is. The operator must check each signature before it records a round.",
        ),
        Code::ContributionMismatch => (
            "The round did not mix what the player brought",
            "The round was dealt with another seed, another number or another key than the player kept.",
            "Compare what the player kept with the contributions of the round.",
        ),
        Code::PlacedMismatch => (
            "A card was shown for the wrong seat",
            "The commitment settles which place of the deal goes to whom. This card belongs to another seat, was burnt, or is nobody’s.",
            "Compare the card’s place in the deal with the layout and the seats of the round.",
        ),
        Code::WeakMixing => (
            "The players’ part in the shuffle was weaker than promised",
            "The commitment promised how players’ seeds are mixed in, for example hidden until all are fixed. This round was dealt with less than that.",
            "Compare the commitment’s mixing with what the lock or the deal contains.",
        ),
        Code::BeaconRound => (
            "The wrong public random number was used",
            "The rule says which round of the public beacon must be used. Taking another one lets whoever picks it choose the cards.",
            "Compare the round that is named with the first one after the lock’s time and margin.",
        ),
        Code::BeaconSignature => (
            "The public random number is not shown to be genuine",
            "A beacon signs its numbers. Here the signature is missing, does not verify, or stands where no beacon was promised.",
            "Fetch the round from the beacon’s own site and compare.",
        ),
        Code::LockMismatch => (
            "A deal does not continue what had been locked",
            "The players’ seeds were fixed in a lock. The deal names another lock or none, or opens a seed that was not in it.",
            "Compare the contributions of the deal with those of the lock.",
        ),
        Code::UnopenedHash => (
            "A player’s hidden seed was left out or changed",
            "A player fixed a hidden seed before the deal. The deal does not open it, or opens it to another seed.",
            "Ask the player for the seed and blind, and compute the hash yourself.",
        ),
        Code::ResultMismatch => (
            "The cards are not the ones that the seeds give",
            "With the secret out, the deal was computed again from the seeds. Other cards were recorded than come out.",
            "Replay the round with `fairdeal replay`. The computation is exact: any difference means that the recorded cards were not dealt by the rule.",
        ),
        Code::LateReveal => (
            "The secret was revealed after its deadline",
            "The commitment says until when its secret is revealed. Until then nobody can check the deals; here that took longer than promised.",
            "See how late it was, by the operator’s own times.",
        ),
        Code::Overdue => (
            "A secret that should be out is still missing",
            "The deadline has passed, and there is neither a reveal nor a withdrawal. The deals under this commitment cannot be checked.",
            "Ask for the reveal. A secret that is never revealed may be one that would show something.",
        ),
        Code::TimeAhead => (
            "The log is ahead of time",
            "By the clock of this audit, the time of the latest entry is in the future. Times in the log may not be made up in advance.",
            "Check your own clock first. If it is right, the operator’s is not, or the times were chosen.",
        ),
        Code::TreeMismatch => (
            "The log does not add up",
            "Entries, hash tree and signed summary contradict each other, or something that the signature promises is not there. What is shown is not what was signed.",
            "Fetch the log again to rule out a damaged copy. If it stays, the log was changed after it was signed.",
        ),
        Code::BadSignature => (
            "The log is not signed with the right key",
            "Without the signature nobody stands behind this log: it may be anybody’s.",
            "Check that the right key was used, from a source other than this log.",
        ),
        Code::Inconsistent => (
            "The log was rewritten, or there are two of them",
            "A summary that was signed earlier is not a beginning of this log. An honest log only ever grows.",
            "Keep both signed checkpoints: together they are proof.",
        ),
        Code::InvalidReceipt => (
            "A file is not a receipt",
            "The file that was handed in does not have the form of a receipt or of an opening, so nothing could be checked with it.",
            "Ask for the file again.",
        ),
    };
    Meaning { title, means, look }
}
