//! A row read otherwise: changes are made to what is opened and to what is played, never to what the row shows.

use std::borrow::Cow;

use super::change::{Change, Key, Off, Place, Written};
use super::near::Case;
use crate::dialect::law::Law;
use crate::dialect::round::Round;
use crate::dialect::scheme::{Committed, Form, Role, Scheme};
use crate::dialect::{self, Dialect};

/// A row as it is read under some changes.
#[derive(Clone, Debug)]
pub(super) struct Trial<'c> {
    /// The dialect.
    pub(super) dialect: &'static dyn Dialect,
    /// Its choices.
    pub(super) scheme: Scheme,
    /// What must open: seed, commitment, place on the chain.
    pub(super) opened: Round<'c>,
    /// What is played: seeds, nonce, deck, method.
    pub(super) played: Round<'c>,
}

impl<'c> Trial<'c> {
    /// The row as it is.
    pub(super) fn of(dialect: &'static dyn Dialect, case: &'c Case) -> Self {
        let round = &case.round;
        let server_seed = round.server_seed.as_deref().map(Cow::Borrowed);
        let opened = Round {
            server_seed: server_seed.clone(),
            commitment: round.commitment,
            chain_steps: round.chain_steps,
            game_id: round.game_id,
            ..Round::default()
        };
        let played = Round {
            server_seed,
            client_seed: round.client_seed.as_deref().map(Cow::Borrowed),
            nonce: round.nonce,
            contributions: round.contributions.clone(),
            deck: round.deck.as_deref().map(Cow::Borrowed),
            method: round.method.as_deref().map(Cow::Borrowed),
            ..Round::default()
        };
        Self { dialect, scheme: dialect.scheme(), opened, played }
    }

    /// Makes a change; none where it does not apply to the row, or changes nothing of it.
    pub(super) fn apply(mut self, change: Change, case: &'c Case) -> Option<Self> {
        match change {
            Change::Hashed(_) | Change::HashedLine | Change::Chained(_) | Change::Commitment(_) => {
                self.promise(change, case)?;
            }
            Change::Steps(off) => {
                let steps = self.opened.chain_steps?;
                self.opened.chain_steps = Some(moved(steps, off)?);
            }
            Change::Game(off) => {
                self.opened.game_id = Some(moved(self.opened.game_id?, off)?);
                // The steps follow from the game.
                self.opened.chain_steps = None;
            }
            Change::ServerSeed(place) => self.server(Cow::Borrowed(case.server(place)?))?,
            Change::ServerWritten(written) => {
                let seed = rewritten(self.played.server_seed.as_deref()?, written);
                self.server(Cow::Owned(seed))?;
            }
            Change::ClientSeed(place) => self.client(place, case)?,
            Change::Record(place) => {
                let beside = case.beside(place)?;
                let (server, client) = (beside.server_seed.as_deref()?, beside.client_seed.as_deref());
                // Where one of them is the same, the others alone are told.
                self.server(Cow::Borrowed(server))?;
                self.client(place, case)?;
                self.played.client_seed = client.map(Cow::Borrowed);
                self.opened.commitment = beside.commitment;
            }
            Change::ClientWritten(written) => {
                let seed = rewritten(self.played.client_seed.as_deref()?, written);
                self.played.client_seed = Some(other(Cow::Owned(seed), self.played.client_seed.as_deref())?);
            }
            Change::Salt => {
                self.dialect.published()?;
                self.played.client_seed.take()?;
            }
            Change::Columns => {
                let client = self.played.client_seed.clone()?;
                self.played.client_seed = self.played.server_seed.clone();
                self.server(client)?;
            }
            Change::Nonce(off) => self.played.nonce = Some(moved(self.played.nonce?, off)?),
            Change::NonceOf(place) => {
                let nonce = case.beside(place)?.nonce?;
                self.played.nonce = (self.played.nonce != Some(nonce)).then_some(Some(nonce))?;
            }
            Change::Dialect(name) => {
                self.dialect = dialect::find(name)?;
                self.scheme = self.dialect.scheme();
            }
            Change::Method(name) => {
                self.played.method = Some(other(Cow::Borrowed(name), self.played.method.as_deref())?);
            }
            Change::Key(key) => self.key(key)?,
            Change::Roles => self.roles()?,
            Change::Cursor(cursor) => self.scheme.cursor = cursor,
            Change::Mapping(mapping) => self.scheme.mapping = mapping,
            Change::Walk(walk) => self.scheme.walk = walk,
            // Of what is shown: held against an outcome, not made here.
            Change::Deck(_)
            | Change::Exchanged
            | Change::Reversed
            | Change::FromEnd
            | Change::Reordered
            | Change::NotWhole
            | Change::Surplus
            | Change::Cent(_)
            | Change::Cut
            | Change::Every33
            | Change::Shown(_) => return None,
        }
        Some(self)
    }

    fn promise(&mut self, change: Change, case: &Case) -> Option<()> {
        self.opened.commitment?;
        match (change, self.scheme.committed) {
            (Change::Hashed(form), Committed::Hash(before)) if form != before => {
                self.scheme.committed = Committed::Hash(form);
            }
            (Change::HashedLine, Committed::Hash(_)) => {
                self.scheme.committed = Committed::Hash(Form::Text);
                let seed = rewritten(self.opened.server_seed.as_deref()?, Written::Line);
                self.opened.server_seed = Some(other(Cow::Owned(seed), self.opened.server_seed.as_deref())?);
            }
            (Change::Chained(form), Committed::Chain(before)) if form != before => {
                self.scheme.committed = Committed::Chain(form);
            }
            (Change::Commitment(place), _) => {
                let there = case.commitment(place)?;
                self.opened.commitment = (self.opened.commitment != Some(there)).then_some(Some(there))?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Another server seed, opened and played.
    fn server(&mut self, seed: Cow<'c, str>) -> Option<()> {
        let seed = other(seed, self.opened.server_seed.as_deref())?;
        self.opened.server_seed = Some(seed.clone());
        self.played.server_seed = Some(seed);
        Some(())
    }

    fn client(&mut self, place: Place, case: &'c Case) -> Option<()> {
        if let Some(theirs) = case.beside(place).and_then(|beside| beside.contributions.as_ref()) {
            let ours = self.played.contributions.as_ref();
            self.played.contributions = (ours != Some(theirs)).then_some(Some(theirs.clone()))?;
            return Some(());
        }
        let seed = Cow::Borrowed(case.client(place)?);
        self.played.client_seed = Some(other(seed, self.played.client_seed.as_deref())?);
        Some(())
    }

    fn key(&mut self, key: Key) -> Option<()> {
        let form = if key == Key::Decoded { Form::Decoded } else { Form::Text };
        let seed = self.played.server_seed.as_deref()?;
        let written = match key {
            Key::Upper => Some(rewritten(seed, Written::Upper)),
            Key::Lower => Some(rewritten(seed, Written::Lower)),
            Key::Text | Key::Decoded => None,
        };
        let written = written.filter(|written| written != seed);
        if form == self.scheme.seed && written.is_none() {
            return None;
        }
        self.scheme.seed = form;
        if let Some(written) = written {
            self.played.server_seed = Some(Cow::Owned(written));
        }
        Some(())
    }

    fn roles(&mut self) -> Option<()> {
        match self.dialect.law() {
            Law::Multiplier(_) => {
                self.scheme.role = match self.scheme.role {
                    Role::Key => Role::Message,
                    Role::Message => Role::Key,
                };
            }
            // The message has more in it than a seed: the two change places and the rest stays.
            Law::Draws(_) => {
                self.scheme.seed = Form::Text;
                std::mem::swap(&mut self.played.server_seed, &mut self.played.client_seed);
                self.played.server_seed.as_ref()?;
            }
        }
        Some(())
    }
}

/// The text, where it is another than there was.
fn other<'t>(text: Cow<'t, str>, before: Option<&str>) -> Option<Cow<'t, str>> {
    (before != Some(&*text)).then_some(text)
}

const fn moved(number: u64, off: Off) -> Option<u64> {
    match off {
        Off::Less => number.checked_sub(1),
        Off::More => number.checked_add(1),
    }
}

fn rewritten(text: &str, written: Written) -> String {
    match written {
        Written::Lower => text.to_lowercase(),
        Written::Upper => text.to_uppercase(),
        Written::Trimmed => text.trim().to_owned(),
        Written::Line => format!("{}\n", text.trim_end_matches('\n')),
    }
}
