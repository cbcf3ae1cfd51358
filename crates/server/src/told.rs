//! The ledger's state and its answers as JSON, for the command line and the service (spec/cli.md,
//! spec/http.md).

use serde::Serialize;

#[allow(clippy::wildcard_imports, reason = "the schemas that the derives name")]
use super::schema::*;
use fairdeal::beacon::Chains;
use fairdeal::deal::{Commitment, Deck, Digest, Label, Method, Nonce};
use fairdeal::named;
use fairdeal::record::Finding;
use fairdeal::record::entry::{
    BeaconSignature, BeaconTerms, Commit, Entry, Face, Hands, Int, Layout, Lock,
    LoggedContribution, Mixing, Reason, ResultForm, Table, Terms,
};
use fairdeal::record::life::{End, locked_to};
use fairdeal::record::receipt::OpenedCard;
use fairdeal_ledger::{Done, LedgerError, LoggedRound, Reader, Summary};

/// A commitment's state at a moment.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Standing {
    /// The commitment.
    pub commitment: Commitment,
    /// The index of the commit in the log.
    pub index: u64,
    /// The table.
    pub table: Table,
    /// The state in a word.
    pub state: StandingState,
    /// The items that are shuffled.
    pub deck: Deck,
    /// How many items a round deals.
    pub draw: u64,
    /// The order of the items.
    pub method: Method,
    /// The least that every round mixes.
    pub mixing: Mixing,
    /// The chain whose rounds are mixed in, and the margin in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon: Option<BeaconTerms>,
    /// Whether each card is sealed.
    pub sealed: bool,
    /// Whether every contribution must be signed.
    pub signed: bool,
    /// The cards of each seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    /// The most rounds.
    pub rounds: u64,
    /// The next round; while one is locked, that one.
    pub next: u64,
    /// The locked round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked: Option<Nonce>,
    /// When it was made, in Unix milliseconds.
    pub time: u64,
    /// The latest time of its reveal, in Unix milliseconds.
    pub reveal_by: u64,
    /// Neither revealed nor voided, and its time is over.
    pub overdue: bool,
    /// The table's commitment before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Commitment>,
    /// SHA-256 of the game's rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Digest>,
}

named! {
    /// A commitment's state.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    #[derive(utoipa::ToSchema)]
    #[non_exhaustive]
    StandingState {
        /// No round yet.
        Unused = "unused",
        /// Some rounds are done, and some are left.
        Open = "open",
        /// A round is locked; its deal or its void comes next.
        Locked = "locked",
        /// No round is left; the reveal is due.
        UsedUp = "used up",
        /// The seed is public.
        Revealed = "revealed",
        /// Voided as a whole.
        Voided = "voided",
    }
}

impl Standing {
    /// As it is at this moment, in Unix milliseconds.
    #[must_use]
    pub fn at(summary: Summary, now: u64) -> Self {
        let state = match (summary.ended, &summary.open) {
            (Some(End::Revealed), _) => StandingState::Revealed,
            (Some(End::Voided), _) => StandingState::Voided,
            (None, Some(_)) => StandingState::Locked,
            (None, None) if summary.used_up => StandingState::UsedUp,
            (None, None) if summary.next == 0 => StandingState::Unused,
            (None, None) => StandingState::Open,
        };
        let Commit { after, time, reveal_by, terms, .. } = summary.terms;
        Self {
            commitment: summary.commitment,
            index: summary.index,
            table: terms.table,
            state,
            deck: terms.deck,
            draw: terms.draw.value(),
            method: terms.method,
            mixing: terms.mixing,
            beacon: terms.beacon,
            sealed: terms.sealed,
            signed: terms.signed,
            layout: terms.layout,
            rounds: terms.rounds.value(),
            next: summary.next,
            locked: summary.open.map(|open| open.lock.nonce),
            time: time.value(),
            reveal_by: reveal_by.value(),
            overdue: summary.ended.is_none() && reveal_by.value() < now,
            after,
            rules: terms.rules,
        }
    }

    /// Whether a reveal or a void is still to come.
    #[must_use]
    pub fn is_due(&self) -> bool {
        !matches!(self.state, StandingState::Revealed | StandingState::Voided)
    }
}

/// A round, as the log shows it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct RoundTold {
    /// The round.
    pub nonce: Nonce,
    /// Its state.
    pub state: RoundState,
    /// Its lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked: Option<EntryAt>,
    /// Its deal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealt: Option<EntryAt>,
    /// Its void.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voided: Option<EntryAt>,
    /// The beacon's round that the lock names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon: Option<u64>,
    /// When that round is out, in Unix milliseconds, where its chain is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<u64>,
    /// The beacon's signature that the deal mixes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<BeaconSignature>,
    /// The players' contributions.
    pub players: Vec<PlayerTold>,
    /// The players in the order of the seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<Label>>,
    /// A deal's result, in the form of the log; absent without a deal.
    #[serde(flatten)]
    pub result: ResultForm,
    /// The items dealt, where the log has their digest or their seal and the server seed is public.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<u32>>,
    /// Under a layout, whose each card is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<Hands>,
    /// Why it was voided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The player who is blamed for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blame: Option<Label>,
}

named! {
    /// A round's state.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    #[derive(utoipa::ToSchema)]
    #[non_exhaustive]
    RoundState {
        /// Its contributions are fixed.
        Locked = "locked",
        /// It has a result.
        Dealt = "dealt",
        /// It will have none.
        Voided = "voided",
    }
}

/// An entry's place and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct EntryAt {
    /// Its index in the log.
    pub index: u64,
    /// Its time in Unix milliseconds.
    pub time: u64,
}

/// A player's contribution, as far as the log shows it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct PlayerTold {
    /// The player.
    pub from: Label,
    /// The seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The hash that came before the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
    /// Whether it is signed.
    pub signed: bool,
}

impl From<&LoggedContribution> for PlayerTold {
    fn from(one: &LoggedContribution) -> Self {
        let seed = one.seed.as_ref().map(|seed| seed.as_str().to_owned());
        Self { from: one.from.clone(), seed, hash: one.hash, signed: one.signature.is_some() }
    }
}

impl RoundTold {
    /// A round of a commitment, to who knows these chains of beacons; of a sealed one, these cards
    /// are opened.
    #[must_use]
    pub fn of(round: LoggedRound, terms: &Terms, chains: &Chains, opened: &[OpenedCard]) -> Self {
        let hands = hands(&round, terms, opened);
        let mut told = Self {
            nonce: round.nonce,
            state: RoundState::Locked,
            locked: None,
            dealt: None,
            voided: None,
            beacon: None,
            out: None,
            signature: None,
            players: Vec::new(),
            seats: None,
            result: ResultForm::EMPTY,
            items: round.items,
            hands,
            reason: None,
            blame: None,
        };
        for (index, entry) in round.entries {
            told.players.extend(entry.contributions().iter().map(PlayerTold::from));
            let at = Some(EntryAt { index, time: entry.time() });
            match entry {
                Entry::Lock(lock) => {
                    (told.beacon, told.out) =
                        (lock.beacon.map(Int::value), out(&lock, terms, chains));
                    (told.locked, told.seats) = (at, lock.seats);
                }
                Entry::Deal(deal) => {
                    for opened in deal.opened() {
                        let player =
                            told.players.iter_mut().find(|player| player.from == opened.from);
                        if let Some(player) = player {
                            player.seed = Some(opened.seed.as_str().to_owned());
                        }
                    }
                    told.seats = told.seats.or(deal.seats);
                    told.signature = deal.beacon;
                    (told.state, told.dealt) = (RoundState::Dealt, at);
                    told.result = deal.result;
                }
                Entry::Void(void) => {
                    (told.state, told.voided) = (RoundState::Voided, at);
                    (told.reason, told.blame) = (Some(void.reason), void.blame);
                }
                Entry::Commit(_) | Entry::Reveal(_) | Entry::Anchor(_) | Entry::Other(_) => {}
            }
        }
        told
    }
}

/// When the beacon's round that a lock names is out, in Unix milliseconds; `None` if it names none, or
/// its chain is not among these.
#[must_use]
pub fn out(lock: &Lock, terms: &Terms, chains: &Chains) -> Option<u64> {
    Some(locked_to(terms, lock, Some(chains))?.out().saturating_mul(1000))
}

/// The owner of each card of a round; `None` without a layout, or without a deal. A card that is
/// neither in the round nor opened is `None`.
#[must_use]
pub fn hands(round: &LoggedRound, terms: &Terms, opened: &[OpenedCard]) -> Option<Hands> {
    let layout = terms.layout.as_ref()?;
    let result = round.entries.iter().find_map(|(_, entry)| match entry {
        Entry::Deal(deal) => Some(&deal.result),
        _ => None,
    })?;
    let text = result.cards.as_ref().map(|cards| cards.as_str().as_bytes().as_chunks::<2>().0);
    let face = |t: u64| {
        let at = usize::try_from(t).ok()?;
        if let Some(card) = text.and_then(|text| text.get(at)) {
            return Some(Face::Card(String::from_utf8_lossy(card).into_owned()));
        }
        let logged = result.indices.as_ref().and_then(|all| all.get(at)).map(|item| item.value());
        let dealt = round.items.as_ref().and_then(|all| all.get(at)).map(|item| u64::from(*item));
        let shown = opened.iter().find(|card| card.t.value() == t).map(|card| card.item.value());
        let item = u32::try_from(logged.or(dealt).or(shown)?).ok()?;
        Some(Face::of(&terms.deck, item))
    };
    Some(layout.hands(round.seats(), face))
}

/// The owner of each card of a round ([`EntryTold::hands`]).
///
/// # Errors
/// The errors of reading the ledger.
pub async fn hands_of(
    reader: &Reader,
    terms: &Terms,
    (commitment, nonce): (Commitment, Nonce),
    opened: &[OpenedCard],
) -> Result<Option<Hands>, LedgerError> {
    if terms.layout.is_none() {
        return Ok(None);
    }
    Ok(hands(&reader.round(commitment, nonce).await?, terms, opened))
}

/// The answer to a command that made an entry.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct EntryTold {
    /// The commitment.
    pub commitment: Commitment,
    /// The round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    /// The entry's index in the log.
    pub index: u64,
    /// The beacon's round that a lock names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon: Option<u64>,
    /// When that round is out, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<u64>,
    /// A deal's result, in the form of the log; absent without a deal.
    #[serde(flatten)]
    pub result: ResultForm,
    /// The items dealt, where the log has their digest alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<u32>>,
    /// Under a layout, whose each card of a deal is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<Hands>,
    /// A sealed deal's card seals, in deal order. Players need them before the first card is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_seals: Option<Vec<Digest>>,
    /// The server seed, which is public now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_seed: Option<String>,
    /// The findings that every audit will have of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

impl From<&Done> for EntryTold {
    fn from(done: &Done) -> Self {
        let (mut result, mut server_seed, mut beacon) = (ResultForm::EMPTY, None, None);
        match &done.entry {
            Entry::Lock(lock) => beacon = lock.beacon.map(Int::value),
            Entry::Deal(deal) => result = deal.result.clone(),
            Entry::Reveal(reveal) => server_seed = Some(reveal.server_seed.to_text()),
            Entry::Commit(_) | Entry::Void(_) | Entry::Anchor(_) | Entry::Other(_) => {}
        }
        // Only for a long list does the entry have a digest instead of the items.
        let items = done.items.as_ref().filter(|_| result.digest.is_some()).cloned();
        Self {
            commitment: done.commitment,
            nonce: done.nonce,
            index: done.index,
            beacon,
            out: None,
            result,
            items,
            hands: None,
            card_seals: done.card_seals.clone(),
            server_seed,
            findings: done.findings.clone(),
        }
    }
}

/// A table's next commitment, made together with another entry.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct NextTold {
    /// The commitment.
    pub commitment: Commitment,
    /// The index of its commit in the log.
    pub index: u64,
    /// The latest time of its reveal, in Unix milliseconds.
    pub reveal_by: u64,
}

impl NextTold {
    /// The commitment of this commit.
    #[must_use]
    pub fn of(index: u64, commit: &Commit) -> Self {
        Self { commitment: commit.commitment, index, reveal_by: commit.reveal_by.value() }
    }
}
