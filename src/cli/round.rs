//! One round, in the output of `show` and `rounds`.

use serde::Serialize;

use super::out::{FAINT, Out, plain};
use super::{cards, time};
use crate::deal::{Commitment, Deck, Digest, Label, Nonce};
use crate::ledger::{Round, Summary};
use crate::record::Entry;
use crate::record::entry::{LoggedContribution, Reason, ResultForm, Table};

/// The `--json` output of `show C NONCE`.
#[derive(Serialize)]
pub(super) struct Answer {
    #[serde(flatten)]
    pub(super) of: Of,
    #[serde(flatten)]
    pub(super) round: Row,
}

/// The commitment of a round.
#[derive(Serialize)]
pub(super) struct Of {
    commitment: Commitment,
    table: Table,
    #[serde(skip)]
    deck: Deck,
}

/// A round.
#[derive(Serialize)]
pub(super) struct Row {
    nonce: Nonce,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    locked: Option<At>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealt: Option<At>,
    #[serde(skip_serializing_if = "Option::is_none")]
    voided: Option<At>,
    players: Vec<Player>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seats: Option<Vec<Label>>,
    #[serde(flatten)]
    result: Option<ResultForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blame: Option<Label>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    Locked,
    Dealt,
    Voided,
}

/// An entry.
#[derive(Clone, Copy, Serialize)]
struct At {
    index: u64,
    time: u64,
}

/// What somebody brought, as far as the log shows it.
#[derive(Serialize)]
struct Player {
    from: Label,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<Digest>,
    signed: bool,
}

impl From<&LoggedContribution> for Player {
    fn from(one: &LoggedContribution) -> Self {
        let seed = one.seed.as_ref().map(|seed| seed.as_str().to_owned());
        Self { from: one.from.clone(), seed, hash: one.hash, signed: one.signature.is_some() }
    }
}

impl From<&Summary> for Of {
    fn from(summary: &Summary) -> Self {
        let terms = &summary.terms;
        Self { commitment: summary.commitment, table: terms.table.clone(), deck: terms.deck }
    }
}

impl From<Round> for Row {
    fn from(round: Round) -> Self {
        let mut row = Self {
            nonce: round.nonce,
            state: State::Locked,
            locked: None,
            dealt: None,
            voided: None,
            players: Vec::new(),
            seats: None,
            result: None,
            items: round.items,
            reason: None,
            blame: None,
        };
        for (index, entry) in round.entries {
            row.players.extend(entry.contributions().iter().map(Player::from));
            let at = Some(At { index, time: entry.time() });
            match entry {
                Entry::Lock(lock) => (row.locked, row.seats) = (at, lock.seats),
                Entry::Deal(deal) => {
                    for opened in deal.opened() {
                        if let Some(player) = row.players.iter_mut().find(|player| player.from == opened.from)
                        {
                            player.seed = Some(opened.seed.as_str().to_owned());
                        }
                    }
                    row.seats = row.seats.or(deal.seats);
                    (row.state, row.dealt, row.result) = (State::Dealt, at, Some(deal.result));
                }
                Entry::Void(void) => {
                    (row.state, row.voided) = (State::Voided, at);
                    (row.reason, row.blame) = (Some(void.reason), void.blame);
                }
                Entry::Commit(_) | Entry::Reveal(_) | Entry::Other(_) => {}
            }
        }
        row
    }
}

impl Row {
    pub(super) fn nonce(&self) -> Nonce {
        self.nonce
    }

    pub(super) fn state(&self) -> &'static str {
        match self.state {
            State::Locked => "locked",
            State::Dealt => "dealt",
            State::Voided => "voided",
        }
    }

    /// The index and the time of its last entry.
    pub(super) fn last(&self) -> Option<(u64, u64)> {
        self.dealt.or(self.voided).or(self.locked).map(|at| (at.index, at.time))
    }

    /// `alice, bob`.
    pub(super) fn players(&self) -> String {
        let names: Vec<String> = self.players.iter().map(|player| plain(player.from.as_str())).collect();
        names.join(", ")
    }

    /// What came of it, in a few words: at most so many cards.
    pub(super) fn outcome(&self, most: usize) -> String {
        if let Some(reason) = &self.reason {
            return plain(reason.as_str());
        }
        let Some(result) = &self.result else { return String::new() };
        let list = |all: Vec<String>| {
            let more = if all.len() > most { " …" } else { "" };
            format!("{}{more}", all.into_iter().take(most).collect::<Vec<_>>().join(" "))
        };
        match (&result.cards, &result.indices) {
            (Some(text), _) => list(cards::each(text.as_str())),
            (None, Some(indices)) => list(indices.iter().map(ToString::to_string).collect()),
            (None, None) if result.seal.is_some() => "sealed".to_owned(),
            (None, None) => "see its digest".to_owned(),
        }
    }
}

impl Player {
    fn spoken(&self) -> String {
        let from = plain(self.from.as_str());
        let signed = if self.signed { ", signed" } else { "" };
        let hashed = if self.hash.is_some() { ", hashed first" } else { "" };
        match (&self.seed, &self.hash) {
            (Some(seed), _) => format!("{from}={}{FAINT}{hashed}{signed}{FAINT:#}", plain(seed)),
            (None, Some(hash)) => format!("{from} {FAINT}hash {hash}, not opened{signed}{FAINT:#}"),
            (None, None) => from,
        }
    }
}

impl Answer {
    pub(super) fn print(&self, out: &mut Out) {
        let Self { of, round } = self;
        out.field("commitment", of.commitment);
        out.field("table", plain(of.table.as_str()));
        out.field("round", format_args!("{}, {}", round.nonce, round.state()));
        for (label, at) in [("locked", round.locked), ("dealt", round.dealt), ("voided", round.voided)] {
            if let Some(At { index, time }) = at {
                out.field(label, format_args!("{}, entry {index}", time::utc(time)));
            }
        }
        out.fields("players", round.players.iter().map(Player::spoken));
        if let Some(seats) = &round.seats {
            let names: Vec<String> = seats.iter().map(|seat| plain(seat.as_str())).collect();
            out.field("seats", names.join(", "));
        }
        if let Some(result) = &round.result {
            cards::result(out, result);
        }
        if let Some(items) = &round.items {
            match of.deck.text_of(items) {
                Ok(text) => cards::field(out, "cards", &text),
                Err(_) => cards::indices(out, items),
            }
        }
        if let Some(reason) = &round.reason {
            let blame = round.blame.as_ref().map(|blame| format!(", blames {}", plain(blame.as_str())));
            out.field("reason", format_args!("{}{}", plain(reason.as_str()), blame.unwrap_or_default()));
        }
        let digits: String = of.commitment.to_text().chars().take(12).collect();
        out.field("receipt", format_args!("fairdeal receipt {digits} {} -o receipt.json", round.nonce));
    }
}
