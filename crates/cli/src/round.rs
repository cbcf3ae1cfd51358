//! One round, in the output of `show` and `rounds`.

use serde::Serialize;

use super::again::Again;
use super::hints::first_digits;
use super::out::{FAINT, Out, plain};
use super::{beacon, cards, time};
use fairdeal::deal::{Commitment, Deck};
use fairdeal::record::entry::Table;
use fairdeal_ledger::Summary;
use fairdeal_server::told::{EntryAt, PlayerTold, RoundTold};

/// The `--json` output of `show C NONCE`.
#[derive(Serialize)]
pub(super) struct Answer {
    #[serde(flatten)]
    pub(super) of: Of,
    #[serde(flatten)]
    pub(super) round: RoundTold,
}

/// The commitment of a round.
#[derive(Serialize)]
pub(super) struct Of {
    commitment: Commitment,
    table: Table,
    #[serde(skip)]
    deck: Deck,
}

impl From<&Summary> for Of {
    fn from(summary: &Summary) -> Self {
        let terms = &summary.terms;
        Self { commitment: summary.commitment, table: terms.table.clone(), deck: terms.deck }
    }
}

/// The index and the time of its last entry.
pub(super) fn last(round: &RoundTold) -> Option<EntryAt> {
    round.dealt.or(round.voided).or(round.locked)
}

/// `alice, bob`.
pub(super) fn players(round: &RoundTold) -> String {
    let names: Vec<String> =
        round.players.iter().map(|player| plain(player.from.as_str())).collect();
    names.join(", ")
}

/// The result in a few words: at most so many cards.
pub(super) fn outcome(round: &RoundTold, most: usize) -> String {
    if let Some(reason) = &round.reason {
        return plain(reason.as_str());
    }
    let result = &round.result;
    let list = |all: Vec<String>| {
        let more = if all.len() > most { " …" } else { "" };
        format!("{}{more}", all.into_iter().take(most).collect::<Vec<_>>().join(" "))
    };
    match (&result.cards, &result.indices) {
        (Some(text), _) => list(cards::each(text.as_str())),
        (None, Some(indices)) => {
            list(indices.iter().map(|item| cards::from_one(item.value()).to_string()).collect())
        }
        (None, None) if result.seal.is_some() => "sealed".to_owned(),
        (None, None) if result.digest.is_some() => "see its digest".to_owned(),
        (None, None) => String::new(),
    }
}

fn spoken(player: &PlayerTold) -> String {
    let from = plain(player.from.as_str());
    let signed = if player.signed { ", signed" } else { "" };
    let hashed = if player.hash.is_some() { ", hashed first" } else { "" };
    match (&player.seed, &player.hash) {
        (Some(seed), _) => format!("{from}={}{FAINT}{hashed}{signed}{FAINT:#}", plain(seed)),
        (None, Some(hash)) => format!("{from} {FAINT}hash {hash}, not opened{signed}{FAINT:#}"),
        (None, None) => from,
    }
}

impl Answer {
    pub(super) fn print(&self, again: &Again, out: &mut Out) {
        let Self { of, round } = self;
        out.field("commitment", of.commitment);
        out.field("table", plain(of.table.as_str()));
        field!(out, "round", "{}, {}", round.nonce, round.state.as_str());
        for (label, at) in
            [("locked", round.locked), ("dealt", round.dealt), ("voided", round.voided)]
        {
            if let Some(EntryAt { index, time }) = at {
                field!(out, label, "{}, entry {index}", time::utc(time));
            }
        }
        if let Some(beacon) = round.beacon {
            out.field("beacon", beacon::round(beacon, round.out));
        }
        if let Some(signature) = &round.signature {
            out.field("signature", signature);
        }
        out.fields("players", round.players.iter().map(spoken));
        if let Some(seats) = &round.seats {
            let names: Vec<String> = seats.iter().map(|seat| plain(seat.as_str())).collect();
            out.field("seats", names.join(", "));
        }
        cards::result(out, &round.result);
        if let Some(items) = &round.items {
            match of.deck.text_of(items) {
                Ok(text) => cards::field(out, "cards", &text),
                Err(_) => cards::indices(out, items.iter().copied()),
            }
        }
        if let Some(hands) = &round.hands {
            cards::hands(out, hands);
        }
        if let Some(reason) = &round.reason {
            let blame =
                round.blame.as_ref().map(|blame| format!(", blames {}", plain(blame.as_str())));
            field!(out, "reason", "{}{}", plain(reason.as_str()), blame.unwrap_or_default());
        }
        let digits = first_digits(&of.commitment);
        let line = format_args!("fairdeal receipt {digits} {} -o receipt.json{again}", round.nonce);
        out.field("receipt", line);
    }
}
