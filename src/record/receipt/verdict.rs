//! The verdict on a receipt: properties that are shown, properties that are not shown, and
//! findings.

use serde::{Serialize, Serializer};

use super::whose::Compared;
use super::witnessed::{WitnessedRound, policy_hash};
use crate::deal::{ClientSeed, Commitment, Digest, Label, Nonce};
use crate::log::Policy;
use crate::named::named;
use crate::record::entry::{Deal, Int, Lock, PlayerKey, ResultForm, RevealedSeed, Void};
use crate::record::finding::{Accused, Class, Code, Finding};

named! {
    /// A thing that was shown.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    Shown {
        /// The checkpoint is signed by the key, and every entry is included under it.
        Logged = "logged",
        /// Of a raffle: the winners were computed (spec/raffle.md, section 38).
        Drawn = "drawn",
        /// The revealed seed opens the commitment, and the result follows from it and the
        /// contributions.
        Replayed = "replayed",
        /// Every card opened belongs to the logged seal.
        Opened = "opened",
        /// Every contribution of the round was made by somebody who knew the commitment.
        CommittedFirst = "committed-first",
        /// All that the reader brought was mixed.
        Yours = "yours",
        /// Every contribution is the reader's, or signed by the key given for it.
        Authentic = "authentic",
        /// A quorum of the reader's witnesses had seen every entry.
        Witnessed = "witnessed",
        /// The witnesses' times show that of the deal.
        Timed = "timed",
        /// A quorum of the reader's witnesses had seen the lock before the beacon's round was out.
        LockedBeforeBeacon = "locked-before-beacon",
        /// Of a raffle: the reader kept its document before the beacon's round was out.
        KeptBeforeBeacon = "kept-before-beacon",
    }
}

named! {
    /// A thing that was not shown.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    NotShown {
        /// The commitment is of another protocol.
        Judged = "judged",
        /// Of a raffle: its winners.
        Drawn = "drawn",
        /// No deal, no reveal yet, an unverified beacon, or a deal that does not replay.
        Replayed = "replayed",
        /// The cards opened do not belong to the logged seal.
        Opened = "opened",
        /// That the maker of some contribution knew the commitment.
        CommittedFirst = "committed-first",
        /// That what the reader brought was mixed.
        Yours = "yours",
        /// Each contribution is the reader's, or signed by a key that the reader knows.
        Authentic = "authentic",
        /// That the seats were given before the cards were known.
        Seats = "seats",
        /// A beacon's signature: its chain is not known, or it is not there yet.
        Beacon = "beacon",
        /// That the operator and a contributor did not choose the result together.
        NoCollusion = "no-collusion",
        /// That a quorum of the reader's witnesses had seen every entry.
        Witnessed = "witnessed",
        /// That the time of the deal is right, if the reader has a policy.
        Timed = "timed",
        /// That the round was locked before its beacon was out.
        LockedBeforeBeacon = "locked-before-beacon",
        /// Of a raffle: that the reader kept its document before the beacon's round was out.
        KeptBeforeBeacon = "kept-before-beacon",
        /// That the log withholds nothing, which only an audit shows.
        Complete = "complete",
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for NotShown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

named! {
    /// What a person should think of a round (spec/receipt.md, 11.4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    VerdictState {
        /// A finding accuses the operator.
        Caught = "caught",
        /// Nothing was found, and the reader's own seed was mixed, hashed; or a beacon that was still
        /// to come when the round was locked.
        Fair = "fair",
        /// The cards follow from the seeds, but nothing shows that the operator did not choose
        /// them.
        Unproved = "unproved",
    }
}

impl VerdictState {
    /// The state in a sentence; of `Caught` and `Fair` its first word.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Fair => "fair",
            Self::Unproved => {
                "the cards follow from the seeds, but nothing here shows that the operator did not choose them"
            }
        }
    }

    /// The state of several files, of which `None` has none; `found`: there is a finding among
    /// them.
    #[must_use]
    pub fn of_several(found: bool, states: &[Option<Self>]) -> Option<Self> {
        if found || states.contains(&Some(Self::Caught)) {
            return Some(Self::Caught);
        }
        if states.is_empty() || states.contains(&None) {
            return None;
        }
        let unproved = states.contains(&Some(Self::Unproved));
        Some(if unproved { Self::Unproved } else { Self::Fair })
    }
}

impl Serialize for VerdictState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The verdict on a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiptVerdict {
    /// Whether there are no findings.
    pub holds: bool,
    /// What a person should think of the round; `None` where nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<VerdictState>,
    /// The properties that were shown, in the specification's order.
    pub shown: Vec<Shown>,
    /// The properties that were not shown, in the specification's order.
    pub not_shown: Vec<NotShown>,
    /// The contributors who are shown to have known the commitment, in ascending byte order.
    pub committed_first: Vec<String>,
    /// The broken rules.
    pub findings: Vec<ReceiptFinding>,
    /// The commitment of the first entry; `None` for an invalid file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The round; `None` if the receipt is about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    /// The round's contributions, as they are logged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contributions: Vec<MixedContribution>,
    /// The logged result: `cards`, `indices`, `digest` or `seal`.
    #[serde(flatten)]
    pub result: ResultForm,
    /// The receivers of the cards; `None` without a layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placed: Option<Vec<Placed>>,
    /// SHA-256 of the reader's policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Digest>,
    /// The entries that the policy's witnesses had seen; `None` if they had seen none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witnessed: Option<WitnessedRound>,
    /// The seconds between the time by which witnesses had seen the lock, and the beacon's round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_beacon: Option<u64>,
    /// The deal's index and the deal, for a caller that shows more of it.
    #[serde(skip)]
    pub deal: Option<(u64, Box<Deal>)>,
    /// The lock's index and the lock that had effect.
    #[serde(skip)]
    pub lock: Option<(u64, Box<Lock>)>,
    /// The round's void that had effect.
    #[serde(skip)]
    pub void: Option<Box<Void>>,
    /// The server seed of a reveal that had effect.
    #[serde(skip)]
    pub revealed: Option<RevealedSeed>,
    /// The reader's contributions, by label, and what comparing each with the round gave.
    #[serde(skip)]
    pub compared: Vec<(Label, Compared)>,
}

/// A contribution of the round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MixedContribution {
    /// The contributor, as the operator says.
    pub from: Label,
    /// The seed; `None` if its hash is not opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<ClientSeed>,
    /// The hash that was given first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
    /// The checkpoint that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenRoot>,
    /// The key that signed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<PlayerKey>,
    /// Whether its maker is shown to have known the commitment.
    pub committed_first: bool,
}

/// A checkpoint without its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SeenRoot {
    /// The log's size.
    pub size: Int,
    /// Its root.
    pub root: Digest,
}

/// The receiver of a card (spec/receipt.md, 12.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[expect(
    missing_docs,
    reason = "the fields are those of spec/receipt.md, 12.2, under the same names"
)]
pub enum Placed {
    /// To a seat.
    Seat { t: u64, seat: Label, card: u64 },
    /// To a street.
    Street { t: u64, street: u64 },
    /// Burnt before a street.
    Burnt { t: u64, burnt: u64 },
    /// To nobody: `nobody` is true.
    Nobody { t: u64, nobody: bool },
}

/// A finding of a verdict, which says commitment and nonce once for all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiptFinding {
    /// The broken rule.
    pub code: Code,
    /// What the rule protects.
    pub class: Class,
    /// The entry's index; `None` for what concerns the file or the checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The one whom it accuses.
    pub accuses: Accused,
    /// The expected and the found value.
    pub says: String,
}

impl ReceiptFinding {
    /// A finding of a file, or among files; `logged`: whether the log's key signed what it is
    /// about.
    #[must_use]
    pub fn new(finding: Finding, logged: bool) -> Self {
        let Finding { code, index, says, .. } = finding;
        Self { code, class: code.class(), index, accuses: code.accuses(logged), says }
    }
}

impl ReceiptVerdict {
    /// Whether the reader gave contributions, and all of them are of other rounds or logs (11.9).
    #[must_use]
    pub fn is_of_another_round(&self) -> bool {
        let mut compared = self.compared.iter().peekable();
        compared.peek().is_some() && compared.all(|(_, how)| *how == Compared::OfAnotherRound)
    }

    /// Adds a finding that the reader's other inputs show: last of those without an index, which
    /// come first (spec/receipt.md, 11.3).
    pub fn add(&mut self, finding: Finding) {
        let finding = ReceiptFinding::new(finding, self.shown.contains(&Shown::Logged));
        self.holds = false;
        self.state = if finding.accuses == Accused::Operator {
            Some(VerdictState::Caught)
        } else {
            self.state.filter(|state| *state == VerdictState::Caught)
        };
        let at = self.findings.partition_point(|one| one.index.is_none());
        self.findings.insert(at, finding);
    }

    /// The same verdict of a reader with a policy.
    #[must_use]
    pub fn under(self, policy: Option<&Policy>) -> Self {
        Self { policy: policy.map(policy_hash), ..self }
    }

    /// The verdict on JSON that is no receipt. Nothing else of it is judged.
    #[must_use]
    pub fn invalid(says: impl Into<String>) -> Self {
        let finding = Finding::about_the_log(Code::InvalidReceipt, says);
        let finding = ReceiptFinding::new(finding, false);
        Self {
            holds: false,
            state: None,
            shown: Vec::new(),
            not_shown: vec![
                NotShown::Replayed,
                NotShown::NoCollusion,
                NotShown::Witnessed,
                NotShown::Complete,
            ],
            committed_first: Vec::new(),
            findings: vec![finding],
            commitment: None,
            nonce: None,
            contributions: Vec::new(),
            result: ResultForm::EMPTY,
            placed: None,
            policy: None,
            witnessed: None,
            before_beacon: None,
            deal: None,
            lock: None,
            void: None,
            revealed: None,
            compared: Vec::new(),
        }
    }
}
