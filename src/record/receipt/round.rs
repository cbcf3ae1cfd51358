//! Judging the entries of one receipt (spec/receipt.md, 11.3 and 11.4).

use std::collections::BTreeMap;

use super::form::Receipt;
use super::given::ReaderGiven;
use super::verdict::{
    MixedContribution, NotShown, Placed, ReceiptFinding, ReceiptVerdict, SeenRoot, Shown,
    VerdictState,
};
use super::verify::{Excerpted, SignedPart};
use super::whose::{ProtectedBy, Whose};
use super::witnessed::{Covering, WitnessedRound};
use crate::beacon::Chains;
use crate::deal::{ClientSeed, Commitment, Nonce, ServerSeed};
use crate::log::{Hash, VerifierKey, Witnessed};
use crate::record::entry::{
    Commit, Deal, Entry, Int, Lock, LoggedContribution, Mixing, ResultForm, Reveal, Void,
};
use crate::record::finding::{Accused, Code, Finding};
use crate::record::life::{Effect, Extent, Judge, Judged, LockedTo, locked_to, opened_by};
use crate::record::replay::Waiting;

/// The round that a receipt shows.
pub(super) struct Round {
    pub(super) log: VerifierKey,
    pub(super) findings: Vec<Finding>,
    pub(super) commit: Option<(u64, Box<Commit>)>,
    pub(super) commitment: Commitment,
    not_judged: bool,
    nonce: Option<Nonce>,
    pub(super) lock: Option<(u64, Box<Lock>)>,
    pub(super) deal: Option<(u64, Box<Deal>)>,
    pub(super) void: Option<(u64, Box<Void>)>,
    reveal: Option<(u64, Box<Reveal>)>,
    /// Anchors that had effect, each with the reader's witnesses that have signed it.
    anchors: Vec<(u64, Hash, Witnessed)>,
    pub(super) last: u64,
    /// The index of the last entry that is no anchor.
    last_own: u64,
    proved: BTreeMap<u64, Hash>,
    beacon: BeaconPart,
    pub(super) replayed: bool,
    pub(super) opened: Option<bool>,
    pub(super) placed: Option<Vec<Placed>>,
}

/// The beacon's part of a round (spec/beacon.md, section 33).
#[derive(Clone, Copy, Debug, Default)]
struct BeaconPart {
    /// Whether the lock names a round.
    is_locked: bool,
    /// Whether the deal has a signature.
    is_dealt: bool,
    /// Whether the chain is known.
    is_known: bool,
    /// The second at which the right round is out, if the lock names that.
    out: Option<u64>,
}

/// The seconds between the time of witnesses and a beacon's round that a claim needs.
const SLACK: u64 = 5;

impl BeaconPart {
    fn lock(&mut self, commit: Option<&(u64, Box<Commit>)>, lock: &Lock, chains: &Chains) {
        let locked = commit.and_then(|(_, commit)| locked_to(commit, lock, Some(chains)));
        self.is_locked = lock.beacon.is_some();
        self.is_known = locked.is_some();
        self.out = locked.filter(LockedTo::is_right).map(|locked| locked.out());
    }

    /// Whether there is a beacon whose signature nobody checked.
    const fn is_unjudged(self) -> bool {
        (self.is_locked || self.is_dealt) && !(self.is_locked && self.is_dealt && self.is_known)
    }

    /// How many seconds before the round witnesses had seen the lock, if that is enough.
    fn before(self, by: u64) -> Option<u64> {
        self.out?.checked_sub(by).filter(|before| *before >= SLACK)
    }
}

impl Round {
    /// Judges the entries of a sound receipt, whose first entry is a commit of `commitment`.
    pub(super) fn judge(receipt: &Receipt, commitment: Commitment, view: Excerpted<'_>) -> Self {
        let (key, proved, given) = (view.key.0, view.proved.clone(), view.given);
        let mut round = Self {
            log: key.clone(),
            findings: Vec::new(),
            commit: None,
            commitment,
            not_judged: false,
            nonce: None,
            lock: None,
            deal: None,
            void: None,
            reveal: None,
            anchors: Vec::new(),
            last_own: 0,
            last: receipt.entries.last().map_or(0, |last| last.index.value()),
            proved,
            beacon: BeaconPart::default(),
            replayed: false,
            opened: None,
            placed: None,
        };
        let mut judge = Judge::new(view, Extent::Excerpt);
        let mut waiting = BTreeMap::new();
        let mut findings = Vec::new();
        for one in &receipt.entries {
            let index = one.index.value();
            let parsed = Entry::parse(one.entry.as_bytes());
            if let Ok(entry) = &parsed {
                round.nonce = round.nonce.or(entry.nonce());
            }
            let judged = judge.apply_bytes(index, one.entry.as_bytes());
            if let (Ok(entry), Judged { effect: Some(_), .. }) = (&parsed, &judged) {
                round.note(index, entry, given);
            }
            if !matches!(parsed, Ok(Entry::Anchor(_))) {
                round.last_own = index;
            }
            findings.extend(judged.findings);
            match judged.effect {
                Some(Effect::Dealt(nonce, Some(deal))) => {
                    waiting.insert(nonce, deal);
                }
                Some(Effect::Revealed(seed)) => {
                    findings.extend(round.replay(&waiting, &seed.seed()));
                }
                _ => {}
            }
        }
        let published = given.seeds.iter().find(|seed| seed.opens(&commitment));
        if let Some(seed) = published.filter(|_| round.reveal.is_none()) {
            findings.extend(round.replay(&waiting, &seed.seed()));
        }
        round.not_judged = judge.is_not_judged(&commitment);
        round.findings = findings;
        round.place_result();
        round
    }

    fn note(&mut self, index: u64, entry: &Entry, given: &ReaderGiven) {
        match entry {
            Entry::Commit(commit) => self.commit = Some((index, commit.clone())),
            Entry::Lock(lock) => {
                self.beacon.lock(self.commit.as_ref(), lock, &given.chains);
                self.lock = Some((index, lock.clone()));
            }
            Entry::Deal(deal) => {
                self.beacon.is_dealt = deal.beacon.is_some();
                self.deal = Some((index, deal.clone()));
            }
            Entry::Void(void) => self.void = Some((index, void.clone())),
            Entry::Reveal(reveal) => self.reveal = Some((index, reveal.clone())),
            Entry::Anchor(anchor) => {
                let origin = self.log.name().as_str();
                let policy = given.policy.as_ref();
                let witnessed = policy.and_then(|policy| anchor.witnessed(policy, origin));
                let of = |by| (anchor.size.value(), anchor.root(), by);
                self.anchors.extend(witnessed.map(of));
            }
            Entry::Other(_) => {}
        }
    }

    fn replay(
        &mut self,
        waiting: &BTreeMap<Nonce, Box<Waiting>>,
        seed: &ServerSeed,
    ) -> Vec<Finding> {
        let Some((_, commit)) = &self.commit else { return Vec::new() };
        let mac = seed.mac();
        let findings: Vec<Finding> =
            waiting.values().filter_map(|deal| deal.replay(commit, &mac)).collect();
        self.replayed = findings.is_empty() && waiting.values().any(|deal| deal.is_verified());
        findings
    }

    /// The round's contributions, and the index of the entry that has them: the lock, or else the
    /// deal. `None` if there are none.
    pub(super) fn contributions(&self) -> Option<(u64, &[LoggedContribution])> {
        let of_lock = self.lock.as_ref().map(|(index, lock)| (*index, lock.contributions()));
        let own = of_lock
            .or_else(|| self.deal.as_ref().map(|(index, deal)| (*index, deal.contributions())));
        own.filter(|(_, contributions)| !contributions.is_empty())
    }

    /// The seed of one of them, clear or opened; `None` if its hash is not opened.
    pub(super) fn seed_of(&self, one: &LoggedContribution) -> Option<ClientSeed> {
        match (&one.seed, &self.lock, &self.deal) {
            (Some(seed), ..) => Some(seed.clone()),
            (None, Some((at, lock)), Some((_, deal))) if deal.lock.map(Int::value) == Some(*at) => {
                opened_by(Some(&self.log), deal, lock, one).map(|contribution| contribution.seed)
            }
            _ => None,
        }
    }

    /// Whether a contribution's maker is shown to have known the commitment: by a proved `seen`
    /// that covers it, or by a hash, which names it, once the deal has opened the hash.
    fn is_committed_first(&self, logged: u64, one: &LoggedContribution) -> bool {
        let Some((committed, _)) = &self.commit else { return false };
        let saw = one.seen.as_ref().is_some_and(|seen| {
            let size = seen.size.value();
            size > *committed && size <= logged && self.proved.get(&size) == Some(&seen.root())
        });
        saw || (one.hash.is_some() && self.seed_of(one).is_some())
    }

    /// The round's contributions. If the receipt is not logged, nobody is shown to have known the
    /// commitment.
    fn mixed(&self, is_logged: bool) -> Vec<MixedContribution> {
        let Some((logged, contributions)) = self.contributions() else { return Vec::new() };
        let mixed = |one: &LoggedContribution| MixedContribution {
            from: one.from.clone(),
            seed: self.seed_of(one),
            hash: one.hash,
            seen: one.seen.as_ref().map(|seen| SeenRoot { size: seen.size, root: seen.root }),
            key: one.key,
            committed_first: is_logged && self.is_committed_first(logged, one),
        };
        contributions.iter().map(mixed).collect()
    }

    /// The lock that is not answered yet, and its index.
    pub(super) fn open_lock(&self) -> Option<(u64, &Lock)> {
        let (index, lock) = self.lock.as_ref()?;
        (self.deal.is_none() && self.void.is_none()).then_some((*index, lock))
    }

    /// The round of the verdict, if it has one.
    pub(super) fn named(&self) -> Option<(Commitment, Nonce)> {
        Some((self.commitment, self.commit.as_ref().and(self.nonce)?))
    }

    /// Adds the sizes of the anchors whose roots are proved.
    pub(super) fn covered(&self, covering: &mut Covering<'_>) {
        for (size, root, witnessed) in &self.anchors {
            if self.proved.get(size) == Some(root) {
                covering.add(*size, witnessed.clone());
            }
        }
    }

    /// The entries that witnesses have seen; `None` if they have seen none.
    fn witnessed(&self, covering: &Covering<'_>) -> Option<WitnessedRound> {
        let lock = self.lock.as_ref().and_then(|(index, _)| covering.seen(*index));
        let deal = self.deal.as_ref().and_then(|(index, _)| covering.seen(*index));
        let reveal = self.reveal.as_ref().and_then(|(index, _)| covering.seen(*index));
        let is_any = lock.is_some() || deal.is_some() || reveal.is_some();
        is_any.then_some(WitnessedRound { lock, deal, reveal, of: covering.of() })
    }

    pub(super) fn verdict(
        self,
        signed: SignedPart,
        whose: Whose,
        findings: Vec<Finding>,
        covering: Option<&Covering<'_>>,
    ) -> ReceiptVerdict {
        let witnessed = covering.and_then(|covering| self.witnessed(covering));
        let seen_deal = witnessed.as_ref().and_then(|round| round.deal.as_ref());
        let is_timed = self
            .deal
            .as_ref()
            .zip(seen_deal)
            .is_some_and(|((_, deal), seen)| seen.shows(deal.time.value()));
        let is_witnessed = covering.is_some_and(|covering| covering.covers(self.last_own));
        let logged = signed == SignedPart::Logged;
        let contributions = self.mixed(logged);
        let first = contributions.iter().filter(|one| one.committed_first);
        let committed_first: Vec<String> = first.map(|one| one.from.as_str().to_owned()).collect();
        let has_any = !contributions.is_empty();
        let all_first = has_any && committed_first.len() == contributions.len();
        let replayed = self.replayed;
        let hashes =
            self.commit.as_ref().is_some_and(|(_, commit)| commit.mixing == Mixing::Hashes);
        let seen_lock = witnessed.as_ref().and_then(|round| round.lock.as_ref()?.by);
        let before_beacon = seen_lock.and_then(|by| self.beacon.before(by));
        // One hash is of somebody whom the reader knows, or the beacon's round was still to come: so
        // nobody knew the cards when the round was locked.
        let is_protected = hashes && whose.protected_by.is_some();
        let is_mixed_blind = logged && (is_protected || before_beacon.is_some());
        let shown = [
            (logged, Shown::Logged),
            (replayed, Shown::Replayed),
            (self.opened == Some(true), Shown::Opened),
            (all_first, Shown::CommittedFirst),
            (whose.yours == Some(true), Shown::Yours),
            (whose.authentic, Shown::Authentic),
            (is_witnessed, Shown::Witnessed),
            (is_timed, Shown::Timed),
            (before_beacon.is_some(), Shown::LockedBeforeBeacon),
        ];
        let not_shown = [
            (self.not_judged, NotShown::Judged),
            (!replayed, NotShown::Replayed),
            (self.opened == Some(false), NotShown::Opened),
            (has_any && !all_first, NotShown::CommittedFirst),
            (whose.yours == Some(false), NotShown::Yours),
            (has_any && !whose.authentic, NotShown::Authentic),
            (self.placed.is_some() && !is_mixed_blind, NotShown::Seats),
            (self.beacon.is_unjudged(), NotShown::Beacon),
            (!(replayed && is_mixed_blind), NotShown::NoCollusion),
            (!is_witnessed, NotShown::Witnessed),
            (covering.is_some() && self.deal.is_some() && !is_timed, NotShown::Timed),
            (self.beacon.is_locked && before_beacon.is_none(), NotShown::LockedBeforeBeacon),
            (true, NotShown::Complete),
        ];
        let is_claim = |code| code == Code::ContributionMismatch && whose.is_mismatch_claimed;
        let findings: Vec<ReceiptFinding> = findings
            .into_iter()
            .map(|found| {
                let is_signed = signed >= SignedPart::Entries && !is_claim(found.code);
                ReceiptFinding::new(found, is_signed)
            })
            .collect();
        let is_caught = findings.iter().any(|found| found.accuses == Accused::Operator);
        let state = if is_caught {
            Some(VerdictState::Caught)
        } else if !(findings.is_empty() && logged && replayed) {
            None
        } else if (before_beacon.is_some() && whose.yours != Some(false))
            || (is_protected
                && whose.protected_by == Some(ProtectedBy::Reader)
                && whose.yours == Some(true))
        {
            Some(VerdictState::Fair)
        } else {
            Some(VerdictState::Unproved)
        };
        let result = self.deal.as_ref().map_or(ResultForm::EMPTY, |(_, deal)| deal.result.clone());
        ReceiptVerdict {
            holds: findings.is_empty(),
            state,
            shown: shown.into_iter().filter_map(|(is, token)| is.then_some(token)).collect(),
            not_shown: not_shown
                .into_iter()
                .filter_map(|(is, token)| is.then_some(token))
                .collect(),
            committed_first,
            findings,
            commitment: Some(self.commitment),
            nonce: self.commit.as_ref().and(self.nonce),
            contributions,
            result,
            placed: self.placed,
            policy: covering.map(Covering::policy),
            witnessed,
            before_beacon,
            deal: self.deal,
            lock: self.lock,
            void: self.void.map(|(_, void)| void),
            revealed: self.reveal.map(|(_, reveal)| reveal.server_seed),
            compared: whose.compared,
        }
    }

    /// Adds a finding, unless that entry has one of the same code already.
    pub(super) fn find(&mut self, code: Code, index: Option<u64>, says: String) {
        if !self.findings.iter().any(|found| found.code == code && found.index == index) {
            self.findings.push(Finding::at(code, index, says));
        }
    }
}
