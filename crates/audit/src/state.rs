//! A log, judged from its first entry on, by the same state machine that the operator runs.

mod beacons;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::claim::{AnchorClaim, RootClaim};
use super::drawn::Counting;
use super::findings::FindingList;
use super::kept::{Kept, Replays, Spare};
use super::read::{Fact, Facts, Other, Under};
use super::reported::{Reported, more};
use super::rows::{Collected, add};
use super::tallies::Tallies;
use super::turns::Turns;
use super::witnesses::Witnesses;
use beacons::OfBeacon;
use fairdeal::beacon::Chains;
use fairdeal::deal::{Commitment, Digest, Label, Nonce};
use fairdeal::log::{Hash, VerifierKey};
use fairdeal::record::as_json::object;
use fairdeal::record::entry::{
    Anchor, Entry, LoggedContribution, PlainDeal, PlainForm, SeenCheckpoint,
};
use fairdeal::record::life::{Cosigned, Effect, Extent, Remembered, TOLERANCE};
use fairdeal::record::{Code, Finding, Judge, Life, View};
use fairdeal::utc::moment;

/// The judge's view of signatures. They were checked when the entry was parsed, see [`Other`].
#[derive(Clone, Debug)]
pub(super) struct Checked {
    key: VerifierKey,
    /// Checkpoints in the current entry that the log did not sign.
    unsigned: Vec<SeenCheckpoint>,
    /// Contributors in the current entry whose signature does not verify.
    forged: Vec<Label>,
    /// The quorum that has signed the current entry, if it is an anchor.
    cosigned: Option<Cosigned>,
    chains: Chains,
}

impl Checked {
    fn under(Under { key, chains, .. }: Under<'_>) -> Self {
        let (key, chains) = (key.clone(), chains.clone());
        Self { key, unsigned: Vec::new(), forged: Vec::new(), cosigned: None, chains }
    }
}

impl View for Checked {
    fn origin(&self) -> &str {
        self.key.name().as_str()
    }

    fn key(&self) -> Option<&VerifierKey> {
        Some(&self.key)
    }

    fn is_signed(&self, seen: &SeenCheckpoint) -> bool {
        !self.unsigned.contains(seen)
    }

    fn cosigned(&self, _: &Anchor) -> Option<Cosigned> {
        self.cosigned.clone()
    }

    fn chains(&self) -> Option<&Chains> {
        Some(&self.chains)
    }

    fn check_signature(&self, _: Commitment, _: Nonce, contribution: &LoggedContribution) -> bool {
        !self.forged.contains(&contribution.from)
    }
}

/// Everything that is known of a log up to some entry.
#[derive(Debug)]
pub(super) struct State {
    pub(super) judge: Judge<Checked, Kept>,
    pub(super) claims: Vec<RootClaim>,
    pub(super) replays: Vec<Replays>,
    pub(super) spare: Spare,
    pub(super) findings: FindingList,
    /// Findings that count only if the log has roots.
    pub(super) rooted: FindingList,
    /// Whether the log has roots (spec/audit.md, 13.2).
    pub(super) has_roots: bool,
    /// The times that witnesses show, if the reader has a policy.
    pub(super) witnesses: Option<Witnesses>,
    /// The quorum that has signed the log's checkpoint, and its size.
    pub(super) head: Option<(u64, Cosigned)>,
    pub(super) reported: Reported,
    pub(super) counted: Counted,
    /// The deals as numbers, if they are counted.
    pub(super) tallies: Option<Tallies>,
    /// The first entry with the greatest time.
    pub(super) latest: Option<Latest>,
    /// Rows for tables, if they are collected.
    pub(super) collected: Option<Collected>,
    /// The turns of tables, if this is a share of a log.
    pub(super) turns: Option<Turns>,
    /// Commitments that the reader's earlier audits found overdue, each with the clock of the first
    /// such audit (spec/audit.md, 13.5).
    pub(super) missed: Missed,
    /// The clock of this audit: what was missed by a later one does not count.
    pub(super) now: Option<u64>,
}

/// Commitments that were not revealed when they were due, by the reader's own clock, with the clock
/// of the audit that found it, in Unix milliseconds.
pub type Missed = BTreeMap<Commitment, u64>;

/// An entry that had an effect.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub(super) struct Latest {
    pub(super) time: u64,
    pub(super) index: u64,
    pub(super) commitment: Option<Commitment>,
    pub(super) nonce: Option<Nonce>,
}

object!(Latest, Counted);

/// The counts of entries.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub(super) struct Counted {
    pub(super) commitments: u64,
    pub(super) deals: u64,
    pub(super) voids: u64,
    pub(super) reveals: u64,
    pub(super) not_judged: u64,
    /// Signatures that were not verified.
    pub(super) signatures: u64,
    /// Deals with a beacon whose chain is not known.
    #[serde(default)]
    pub(super) beacons: u64,
}

impl State {
    /// Nothing is known yet.
    pub(super) fn under(under: Under<'_>) -> Self {
        Self {
            judge: Judge::noting(Checked::under(under), Extent::Whole),
            claims: Vec::new(),
            replays: Vec::new(),
            spare: Spare::default(),
            findings: FindingList::default(),
            rooted: FindingList::default(),
            has_roots: true,
            witnesses: under.policy.map(|policy| Witnesses::under(policy)),
            head: None,
            reported: Reported::default(),
            counted: Counted::default(),
            tallies: None,
            latest: None,
            collected: None,
            turns: None,
            missed: Missed::new(),
            now: None,
        }
    }

    /// The state of an audit of some commitments, each with all its entries.
    pub(super) fn of_some(key: &VerifierKey) -> Self {
        let reported = Reported { firsts: Some(Box::default()), ..Reported::default() };
        let under = Under::key(key);
        let (judge, turns) = (Judge::of_some(Checked::under(under)), Some(Turns::default()));
        Self { judge, reported, turns, ..Self::under(under) }
    }

    /// Resumes from what was known.
    pub(super) fn knowing(under: Under<'_>, known: Remembered<(Life, Kept)>) -> Self {
        Self { judge: Judge::remembering(Checked::under(under), known), ..Self::under(under) }
    }

    /// The hashes of the chains that are known.
    pub(super) fn chains(&self) -> Vec<Digest> {
        self.judge.view().chains.hashes().collect()
    }

    pub(super) fn known(&self) -> Remembered<(&Life, &Kept)> {
        self.judge.remembered()
    }

    /// The time of the last entry that had an effect.
    pub(super) fn last_time(&self) -> Option<u64> {
        self.judge.last_time()
    }

    /// Judges entries in order.
    pub(super) fn judge_all(&mut self, first: u64, facts: &Facts, key: &VerifierKey) {
        for (index, (fact, bytes)) in (first..).zip(facts.each()) {
            match fact {
                Fact::Plain(deal, ..) => {
                    if !self.plain(index, deal, bytes) {
                        // No contribution of it is signed.
                        self.judge(index, &Other::read(bytes, Under::key(key)));
                    }
                }
                Fact::Other(other) => self.judge(index, other),
            }
        }
    }

    /// Adds a finding.
    pub(super) fn find(&mut self, finding: Finding) {
        add(finding, &mut self.findings, self.collected.as_mut());
    }

    /// Judges a plain deal; false if it needs the general judge.
    pub(super) fn plain(&mut self, index: u64, deal: &PlainDeal, bytes: &[u8]) -> bool {
        let cards = match deal.form {
            PlainForm::Cards => deal.result(bytes).as_chunks::<2>().0.len(),
            PlainForm::Seal | PlainForm::Digest => 0,
        };
        let Some((life, kept)) = self.judge.apply_plain(deal, cards) else { return false };
        if let Some(turns) = &mut self.turns {
            turns.look(index, life);
            self.reported.at(index);
        }
        if let Some(collected) = &mut self.collected {
            collected.plain(index, deal, bytes, life);
        }
        let (commitment, nonce) = (Some(deal.commitment), Some(deal.nonce));
        was_at(
            &mut self.latest,
            &mut self.witnesses,
            Latest { time: deal.time, index, commitment, nonce },
        );
        more(&mut self.counted.deals);
        self.tallies.iter_mut().for_each(|tallies| tallies.dealt(index));
        self.reported.plain_deal();
        if kept.plain(index, deal, bytes, &mut self.spare) {
            self.reported.plain_seeds(deal.contributions(bytes));
        }
        true
    }

    pub(super) fn judge(&mut self, index: u64, other: &Other) {
        let (entry, signed) = match &other.entry {
            Ok(entry) => (entry, &other.signed),
            Err(error) => {
                let judged = self.judge.refuse_unreadable(index, error);
                for finding in judged.findings {
                    self.find(finding);
                }
                if let Some(collected) = &mut self.collected {
                    collected.entry(index, other, false);
                }
                return;
            }
        };
        let Some(commitment) = entry.commitment() else { return self.anchor(index, other) };
        let seen = entry.contributions().iter().filter_map(|one| Some((one, one.seen.as_ref()?)));
        self.judge.view_mut().unsigned = seen
            .clone()
            .zip(signed)
            .filter(|(_, signed)| !**signed)
            .map(|((_, seen), _)| seen.clone())
            .collect();
        self.judge.view_mut().forged.clone_from(&other.forged);
        let committed_first = self
            .judge
            .life(&commitment)
            .is_none_or(|life| Reported::is_committed_first(entry, life));
        let known = self.judge.is_not_judged(&commitment);
        // Read before applying: a deal or void removes the lock.
        let open = self.judge.life(&commitment).and_then(|life| life.open.as_ref());
        let locked = open.map(|open| open.lock.contributions().len());
        let beacon = OfBeacon::of(index, entry, &self.judge);
        let judged = self.judge.apply(index, entry);
        let has = |code| judged.findings.iter().any(|finding| finding.code == code);
        let (split, is_late) = (has(Code::SplitView), has(Code::LateReveal));
        for finding in judged.findings {
            self.find(finding);
        }
        if let (Some(Effect::Revealed(_)), Some(clock), false) =
            (&judged.effect, self.missed.get(&commitment).copied(), is_late)
            && let Some(life) = self.judge.life(&commitment)
            && clock.saturating_sub(TOLERANCE) > life.commit.reveal_by.value()
        {
            self.revealed_after_missed(index, commitment, clock);
        }
        if let Some(collected) = &mut self.collected {
            collected.entry(index, other, judged.effect.is_some());
            if let Some((effect, life)) = judged.effect.as_ref().zip(self.judge.life(&commitment)) {
                collected.round(index, entry, effect, life, locked);
            }
        }
        if !known && self.judge.is_not_judged(&commitment) {
            more(&mut self.counted.not_judged);
        }
        let Some(effect) = judged.effect else { return };
        let (time, nonce) = (entry.time(), entry.nonce());
        was_at(
            &mut self.latest,
            &mut self.witnesses,
            Latest { time, index, commitment: Some(commitment), nonce },
        );
        self.counted.signatures = self.counted.signatures.saturating_add(other.skipped);
        if !split && !signed.is_empty() {
            let seen = seen.map(|(one, seen)| (one.from.clone(), seen.clone())).collect();
            self.claims.push(RootClaim::of_players(index, commitment, nonce, seen));
        }
        if let Some(life) = self.judge.life(&commitment) {
            if let Some(turns) = &mut self.turns {
                turns.look(index, life);
                self.reported.at(index);
            }
            self.reported.note(entry, life, committed_first, locked.is_some());
        }
        if let Some(beacon) = beacon {
            self.noted(beacon, index, entry);
        }
        self.took_effect(index, commitment, effect);
    }

    /// A commitment is revealed that an earlier audit found overdue by this clock.
    fn revealed_after_missed(&mut self, index: u64, commitment: Commitment, clock: u64) {
        if self.now.is_some_and(|now| clock > now.saturating_add(TOLERANCE)) {
            // That clock was wrong.
            self.missed.remove(&commitment);
            return;
        }
        let says = format!(
            "your earlier audit at {}, after it was due, did not find it; whatever time it gives, it came later, or that audit was of an old copy",
            moment(clock)
        );
        let (at, commitment) = (Some(index), Some(commitment));
        let finding = Finding { code: Code::LateReveal, index: at, commitment, nonce: None, says };
        // The reader's witnesses may show that it was in time.
        match &mut self.witnesses {
            Some(witnesses) => witnesses.missed(index, finding),
            None => self.find(finding),
        }
    }

    /// Judges an anchor.
    fn anchor(&mut self, index: u64, other: &Other) {
        let Ok(Entry::Anchor(anchor)) = &other.entry else { return };
        self.judge.view_mut().cosigned.clone_from(&other.cosigned);
        let judged = self.judge.apply(index, &Entry::Anchor(anchor.clone()));
        let is_split = judged.findings.iter().any(|finding| finding.code == Code::SplitView);
        for finding in judged.findings {
            self.find(finding);
        }
        if let Some(collected) = &mut self.collected {
            collected.entry(index, other, judged.effect.is_some());
        }
        if judged.effect.is_none() {
            return;
        }
        let (size, root, time) = (anchor.size.value(), anchor.root(), anchor.time.value());
        was_at(
            &mut self.latest,
            &mut self.witnesses,
            Latest { time, index, commitment: None, nonce: None },
        );
        let first = self.witnesses.as_mut().and_then(|witnesses| witnesses.anchored(size));
        if !is_split {
            let cosigned = other.cosigned.clone();
            let claim = AnchorClaim { size, root, cosigned, first };
            self.claims.push(RootClaim::of_anchor(index, claim));
        }
    }

    /// Compares a claim with the roots that the log's own tree had at its sizes.
    pub(super) fn settle(&mut self, claim: &RootClaim, roots: &BTreeMap<u64, Hash>) {
        self.rooted.extend(claim.contradicted_by(roots));
        if let Some(AnchorClaim { size, cosigned: Some(cosigned), first, .. }) =
            claim.shown_by(roots)
            && let Some(witnesses) = &mut self.witnesses
        {
            self.rooted.extend(witnesses.anchor_proves(*size, cosigned, *first));
        }
    }

    fn took_effect(&mut self, index: u64, commitment: Commitment, effect: Effect) {
        match effect {
            Effect::Committed => more(&mut self.counted.commitments),
            Effect::Locked(_) | Effect::Anchored => {}
            Effect::Dealt(_, waiting) => {
                more(&mut self.counted.deals);
                self.tallies.iter_mut().for_each(|tallies| tallies.dealt(index));
                if let Some((_, kept)) = self.judge.noted(&commitment) {
                    kept.deals = kept.deals.saturating_add(1);
                    if let Some(waiting) = waiting {
                        kept.other(*waiting);
                    }
                }
            }
            Effect::Voided(nonce) => {
                more(&mut self.counted.voids);
                if nonce.is_none() {
                    self.ended(commitment);
                }
            }
            Effect::Revealed(revealed) => {
                more(&mut self.counted.reveals);
                if let Some((life, kept)) = self.ended(commitment) {
                    let due = life.commit.reveal_by.value();
                    self.witnesses.iter_mut().for_each(|witnesses| witnesses.revealed(index, due));
                    let counting = self.tallies.as_ref().map_or(Counting::No, Tallies::counting);
                    self.replays.extend(kept.revealed(life.commit, revealed.seed(), counting));
                }
            }
        }
    }

    fn ended(&mut self, commitment: Commitment) -> Option<(Life, Kept)> {
        let (life, kept) = self.judge.forget_ended(&commitment)?;
        self.reported.note_end(&life, kept.deals);
        Some((life, kept))
    }
}

/// Notes the time of an entry with effect.
fn was_at(latest: &mut Option<Latest>, witnesses: &mut Option<Witnesses>, now: Latest) {
    if latest.is_none_or(|latest| latest.time < now.time) {
        *latest = Some(now);
        if let Some(witnesses) = witnesses {
            witnesses.highest(now);
        }
    }
}
