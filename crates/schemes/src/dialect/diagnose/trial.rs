//! A row read under a change of what is opened and dealt from, never of what the row shows.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::chance::Likely;
use super::near::{self, Case, Place};
use super::shown::{self, Held, Reread};
use super::{MOST_HASHES, MOST_HASHES_A_ROW, NamedChange};
use crate::dialect::check;
use crate::dialect::{
    Checker, CommitmentOpening, Committed, Dialect, DialectOutcome, Keyed, Round, Scheme,
};
use fairdeal_audit::stats::number::count;

/// Hashes that may be made to reach a link that another row passed.
const NEAR: u64 = 2_048;

/// The change may decide whether the commitment opens.
pub(super) const OPENING: u8 = 1;
/// The change may change what the seeds give.
pub(super) const DEALING: u8 = 1 << 1;
/// The change is one of the scheme; the row stays as it is.
pub(super) const SCHEME: u8 = 1 << 2;

/// One thing that differs from what the scheme or the row says: a row of the table of changes.
pub(super) struct Change {
    pub(super) named: NamedChange,
    /// [`OPENING`], [`DEALING`], [`SCHEME`].
    pub(super) touches: u8,
    pub(super) likely: Likely,
    pub(super) apply: Apply,
}

/// Changes a row's seeds or its scheme; `None` if nothing changes.
type Alter = dyn Fn(&mut Trial, &Case) -> Option<()>;

/// How a change is made.
pub(super) enum Apply {
    /// Before anything is opened or dealt.
    Before(Box<Alter>),
    /// To what the row shows. The opening and the deal stay.
    Shown(Box<dyn Fn(&Held<'_>) -> Reread>),
}

impl Change {
    pub(super) fn touches(&self, what: u8) -> bool {
        self.touches & what != 0
    }

    pub(super) fn is_of_shown(&self) -> bool {
        matches!(self.apply, Apply::Shown(_))
    }
}

/// A row under a change.
#[derive(Clone)]
pub(super) struct Trial {
    pub(super) dialect: &'static Dialect,
    pub(super) scheme: Scheme,
    /// The commitment is opened with this row's seed, commitment and place on the chain.
    pub(super) opened: Round<'static>,
    /// The round is dealt from this row's seeds, nonce, deck and method.
    pub(super) played: Round<'static>,
}

impl Trial {
    /// Sets another rule by which the commitment opens.
    pub(super) fn committed(&mut self, rule: Committed) -> Option<()> {
        self.scheme.committed = rule;
        self.opened.commitment.map(drop)
    }

    /// Sets another server seed; `None` if it is the same.
    pub(super) fn server_seed(&mut self, seed: String) -> Option<()> {
        self.played.server_seed = Some(seed.clone().into());
        shown::change(&mut self.opened.server_seed, Some(seed.into()))
    }

    /// Sets what the client of another row brought; `None` if it is the same.
    pub(super) fn client_of(&mut self, place: Place, case: &Case) -> Option<()> {
        match case.beside(place).and_then(|beside| beside.contributions.as_ref()) {
            Some(theirs) => shown::change(&mut self.played.contributions, Some(theirs.clone())),
            None => {
                shown::change(&mut self.played.client_seed, Some(case.client_seed(place)?.into()))
            }
        }
    }
}

/// What all rows share: keys, chains, and how much work is left.
pub(super) struct Shared {
    dialect: &'static Dialect,
    /// One for each dialect and rule by which commitments open.
    openers: HashMap<(&'static str, Committed), Checker>,
    keyed: Keyed,
    /// Hashes that walks along chains may still make.
    hashes: u64,
    /// Digests that were made, each as often as its message has blocks, and 8 for each round.
    pub(super) work: u64,
}

impl Shared {
    pub(super) fn new(dialect: &'static Dialect, checker: &Checker) -> Self {
        let openers = HashMap::from([((dialect.name, dialect.scheme.committed), checker.clone())]);
        Self { dialect, openers, keyed: Keyed::default(), hashes: MOST_HASHES, work: 0 }
    }

    fn opener(&mut self, dialect: &'static Dialect, committed: Committed) -> &mut Checker {
        let made = || Checker::reading(dialect, Scheme { committed, ..dialect.scheme });
        self.openers.entry((dialect.name, committed)).or_insert_with(made)
    }
}

/// A row under several changes. What a change does not touch is computed once.
pub(super) struct Reading<'c> {
    case: &'c Case,
    unchanged: Trial,
    opens: Option<bool>,
    outcome: OnceCell<Option<DialectOutcome>>,
    /// The most cards that are compared.
    want: usize,
    /// SHA-256 blocks of the texts that a digest is made of.
    blocks: u64,
    /// The chains on which the row's own hash was looked for.
    located: Vec<Committed>,
}

impl<'c> Reading<'c> {
    pub(super) fn new(dialect: &'static Dialect, case: &'c Case) -> Self {
        let rows = [Some(&case.round), case.before.as_ref(), case.after.as_ref()];
        let most = rows.into_iter().flatten().map(|round| round.shown().len()).max();
        let (opened, played) = (case.round.clone(), case.round.clone());
        Self {
            case,
            unchanged: Trial { dialect, scheme: dialect.scheme, opened, played },
            opens: case.opens,
            outcome: OnceCell::new(),
            want: most.unwrap_or(0).max(10),
            blocks: count(near::texts(&case.round) >> 6) + 1,
            located: Vec::new(),
        }
    }

    /// The row under a change; `None` if nothing changes.
    fn trial(&self, change: &Change) -> Option<Trial> {
        let mut trial = self.unchanged.clone();
        if let Apply::Before(apply) = &change.apply {
            apply(&mut trial, self.case)?;
        }
        Some(trial)
    }

    /// Whether the row verifies under a change.
    pub(super) fn verifies(&mut self, shared: &mut Shared, change: &Change) -> bool {
        let Some(trial) = self.trial(change) else { return false };
        if !self.opens(shared, change, &trial) {
            return false;
        }
        let Some(outcome) = self.outcome(shared, change, &trial) else { return false };
        let held = Held { case: self.case, trial: &trial, outcome: &outcome };
        let read = match &change.apply {
            Apply::Shown(apply) => apply(&held),
            Apply::Before(_) => held.unchanged(),
        };
        read.is_some_and(|(outcome, row)| held.agrees(&outcome, row))
    }

    /// Whether a change of the scheme has no effect on the row: the same opening, and the same outcome or none.
    pub(super) fn is_idle(&self, shared: &mut Shared, change: &Change) -> bool {
        let Some(trial) = self.trial(change) else { return true };
        let opens = change.touches(OPENING) && trial.opened.commitment.is_some();
        if !change.touches(SCHEME) || opens {
            return false;
        }
        let before = self.base(shared);
        let after = self.outcome(shared, change, &trial);
        after.is_none() || after == before
    }

    /// What the row's seeds give without a change.
    fn base(&self, shared: &mut Shared) -> Option<DialectOutcome> {
        self.outcome.get_or_init(|| self.play(shared, &self.unchanged)).clone()
    }

    fn outcome(
        &self,
        shared: &mut Shared,
        change: &Change,
        trial: &Trial,
    ) -> Option<DialectOutcome> {
        if change.touches(DEALING) { self.play(shared, trial) } else { self.base(shared) }
    }

    fn play(&self, shared: &mut Shared, trial: &Trial) -> Option<DialectOutcome> {
        let before = shared.keyed.made();
        let outcome = check::outcome(
            trial.dialect,
            &trial.scheme,
            &mut shared.keyed,
            &trial.played,
            self.want,
        );
        let made = shared.keyed.made() - before + 8;
        shared.work = shared.work.saturating_add(made.saturating_mul(self.blocks));
        outcome.ok()
    }

    /// Whether the commitment opens, or none is shown.
    fn opens(&mut self, shared: &mut Shared, change: &Change, trial: &Trial) -> bool {
        if trial.opened.commitment.is_none() {
            return true;
        }
        if change.touches(OPENING) {
            return self.walk(shared, trial);
        }
        let unchanged = self.opens.unwrap_or_else(|| self.walk(shared, trial));
        self.opens = Some(unchanged);
        unchanged
    }

    /// Along a chain only to a link that another row passed. If there is none near, the row's own hash is
    /// looked for on the chain, once: its place tells the places of its neighbours.
    fn walk(&mut self, shared: &mut Shared, trial: &Trial) -> bool {
        let (dialect, committed) = (trial.dialect, trial.scheme.committed);
        let (own, own_rule) = (shared.dialect, shared.dialect.scheme.committed);
        let mut opening = shared.opener(dialect, committed).opens_within(&trial.opened, NEAR);
        if matches!(opening, Ok(None)) && !self.located.contains(&committed) {
            // A chain from which a row opened needs no other reading of its links.
            let is_walked =
                shared.opener(own, own_rule).chain().is_some_and(|chain| chain.is_walked());
            if committed == own_rule || !is_walked {
                self.located.push(committed);
                self.locate(shared, dialect, committed);
                opening = shared.opener(dialect, committed).opens_within(&trial.opened, NEAR);
            }
        }
        matches!(opening, Ok(Some(opening)) if !matches!(opening, CommitmentOpening::Mismatch(..)))
    }

    /// Looks for the row's hash on a chain, a little further than the row says.
    fn locate(&self, shared: &mut Shared, dialect: &'static Dialect, committed: Committed) {
        let row = &self.unchanged.opened;
        let by_game = || row.game_id?.checked_sub(dialect.published?.end_game);
        let said = row.chain_steps.or_else(by_game);
        let most =
            said.map_or(MOST_HASHES_A_ROW, |steps| steps.saturating_add(NEAR)).min(shared.hashes);
        let anywhere = Round { chain_steps: None, game_id: None, ..row.clone() };
        let opener = shared.opener(dialect, committed);
        let made = |opener: &Checker| opener.chain().map_or(0, |chain| chain.hashes());
        let before = made(opener);
        drop(opener.opens_within(&anywhere, most));
        let made = made(opener) - before;
        shared.hashes -= made;
    }
}
