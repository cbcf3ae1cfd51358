//! Requests and answers (spec/http.md). Their members have the names of the log's entries and of
//! the command's `--json`.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::policy::{RevealWhen, Span};
#[allow(clippy::wildcard_imports, reason = "the schemas that the derives name")]
use super::schema::*;
use crate::told::{EntryTold, NextTold, RoundTold, Standing};
use fairdeal::deal::{Commitment, Deck, Digest, Label, Method, Nonce};
use fairdeal::record::as_json::present;
use fairdeal::record::entry::{BeaconSignature, GivenLayout, Int, Mixing, Reason, Table};
use fairdeal::record::receipt::{OpenedCard, Receipt};
use fairdeal_ledger::{Given, ToOpen};

/// The terms of a new commitment. Only `table` is needed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"table": "main", "mixing": "seeds"}))]
pub(super) struct CommitmentRequest {
    /// The table. It has one open commitment at a time.
    pub(super) table: Table,
    /// The items that are shuffled: a named deck, or a list by its length and its digest. Default:
    /// standard-52.
    #[serde(default, deserialize_with = "present")]
    pub(super) deck: Option<Deck>,
    /// The order of the items. Default: shuffle.
    #[serde(default, deserialize_with = "present")]
    pub(super) method: Option<Method>,
    /// How many items a round deals. Default: all.
    #[serde(default, deserialize_with = "present")]
    #[schema(minimum = 1, maximum = 1_048_576)]
    pub(super) draw: Option<u32>,
    /// The least that every round mixes. Default: seeds.
    #[serde(default, deserialize_with = "present")]
    pub(super) mixing: Option<Mixing>,
    /// With mixing beacon: the chain and the margin of its rounds.
    #[serde(default, deserialize_with = "present")]
    pub(super) beacon: Option<BeaconRequest>,
    /// Seal each card, so that it can be opened alone. Default: false. With a layout it must be
    /// given: without seals every seat's cards are public.
    #[serde(default, deserialize_with = "present")]
    pub(super) sealed: Option<bool>,
    /// Every contribution must be signed by its player.
    #[serde(default)]
    pub(super) signed: bool,
    /// Whose each card is. A game's name has a deck too.
    #[serde(default, deserialize_with = "present")]
    pub(super) layout: Option<GivenLayout>,
    /// The maximum number of rounds. Default: 1000.
    #[serde(default, deserialize_with = "present")]
    #[schema(minimum = 1, maximum = 1_000_000)]
    pub(super) rounds: Option<u64>,
    /// Latest time of the reveal, from now: a number and s, m, h or d, at most 366d. Default: 24h.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, pattern = "^[1-9][0-9]{0,3}[smhd]$", example = "24h")]
    pub(super) reveal_in: Option<Span>,
    /// SHA-256 of the game's rules.
    #[serde(default, deserialize_with = "present")]
    pub(super) rules: Option<Digest>,
    /// SHA-256 of anything else that the operator binds.
    #[serde(default, deserialize_with = "present")]
    pub(super) ext: Option<Digest>,
    /// When the service reveals by itself. Default: done.
    #[serde(default, deserialize_with = "present")]
    pub(super) reveal: Option<RevealWhen>,
    /// How long before its reveal the last round may begin: the length of a hand or a shoe.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, pattern = "^[1-9][0-9]{0,3}[smhd]$", example = "2h")]
    pub(super) last_deal_before: Option<Span>,
    /// Whether the table's next commitment follows by itself. Default: true.
    #[serde(default, deserialize_with = "present")]
    pub(super) next: Option<bool>,
}

/// The beacon of a new commitment.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BeaconRequest {
    /// The chain's hash. Default: quicknet.
    #[serde(default, deserialize_with = "present")]
    pub(super) chain: Option<Digest>,
    /// The milliseconds between a lock and its round: the first one that is out later is taken.
    /// Default: 20000.
    #[serde(default, deserialize_with = "present")]
    pub(super) margin: Option<Int>,
}

/// A lock: fixes a round's contributions, and with mixing beacon the beacon's round.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"nonce": 0, "contributions": [{"from": "alice", "seed": "lucky"}]}))]
pub(super) struct LockRequest {
    /// The round that the caller expects to be next.
    #[serde(default, deserialize_with = "present")]
    pub(super) nonce: Option<Nonce>,
    /// The players' contributions: a seed each, or a hash without its seed and its blind. With mixing
    /// beacon there may be none.
    #[serde(default)]
    #[schema(max_items = 64)]
    pub(super) contributions: Vec<Given>,
    /// The players in the order of the seats.
    #[serde(default, deserialize_with = "present")]
    #[schema(min_items = 1, max_items = 64)]
    pub(super) seats: Option<Vec<Label>>,
    /// The void of the round before: it is made with the lock, or neither is.
    #[serde(default, deserialize_with = "present")]
    pub(super) void: Option<RoundVoid>,
    /// SHA-256 of anything else that the operator binds.
    #[serde(default, deserialize_with = "present")]
    pub(super) ext: Option<Digest>,
}

/// A deal of the next round.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"nonce": 0, "contributions": [{"from": "alice", "seed": "lucky"}]}))]
pub(super) struct DealRequest {
    /// The round that the caller expects to be next.
    #[serde(default, deserialize_with = "present")]
    pub(super) nonce: Option<Nonce>,
    /// The players' contributions; after a lock, the openings of its hashes.
    #[serde(default)]
    #[schema(max_items = 64)]
    pub(super) contributions: Vec<Given>,
    /// After a lock that names a beacon's round: its signature. Without it the service asks a relay.
    #[serde(default, deserialize_with = "present")]
    pub(super) beacon: Option<BeaconSignature>,
    /// Without a lock: who sits where.
    #[serde(default, deserialize_with = "present")]
    #[schema(min_items = 1, max_items = 64)]
    pub(super) seats: Option<Vec<Label>>,
    /// Cards of a sealed deal to open at once, by their places in deal order. Needs the right to
    /// open.
    #[serde(default)]
    pub(super) open: Vec<u32>,
    /// Whether everybody may see the cards that `open` names.
    #[serde(default)]
    pub(super) public: bool,
    /// Open the cards that `open` names although they are of several seats, burnt, or nobody's.
    #[serde(default)]
    pub(super) force: bool,
    /// Whether the table's next commitment follows, if this uses up the current one. Default: as
    /// the commitment says.
    #[serde(default, deserialize_with = "present")]
    pub(super) next: Option<bool>,
    /// SHA-256 of anything else that the operator binds.
    #[serde(default, deserialize_with = "present")]
    pub(super) ext: Option<Digest>,
}

impl DealRequest {
    /// SHA-256 of the request's members that are not part of the deal: the idempotency key covers
    /// them too.
    pub(super) fn beside(&self) -> Option<Digest> {
        let Self { open, public, force, .. } = self;
        (*public || *force || !open.is_empty()).then(|| digest_of(&(open, public, force)))
    }
}

/// SHA-256 of a part of a request.
fn digest_of(part: &impl Serialize) -> Digest {
    let text = serde_json::to_vec(part).expect("texts and numbers");
    Digest::from_bytes(Sha256::digest(&text).into())
}

/// A void.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"nonce": 0, "reason": "misdeal"}))]
pub(super) struct VoidRequest {
    /// The round. Without it, the whole commitment, if it was never used.
    #[serde(default, deserialize_with = "present")]
    pub(super) nonce: Option<Nonce>,
    /// Why, for everyone to read.
    pub(super) reason: Reason,
    /// The player to blame, one of those in the round's lock. It is the operator's word, not proof.
    #[serde(default, deserialize_with = "present")]
    pub(super) blame: Option<Label>,
    /// Whether the table's next commitment follows, if this uses up or ends the current one.
    #[serde(default, deserialize_with = "present")]
    pub(super) next: Option<bool>,
    /// SHA-256 of anything else that the operator binds.
    #[serde(default, deserialize_with = "present")]
    pub(super) ext: Option<Digest>,
}

/// The void of a round, which goes with the lock of the next.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RoundVoid {
    /// The round.
    pub(super) nonce: Nonce,
    /// Why, for everyone to read.
    pub(super) reason: Reason,
    /// The player to blame, one of those in the round's lock. It is the operator's word, not proof.
    #[serde(default, deserialize_with = "present")]
    pub(super) blame: Option<Label>,
    /// SHA-256 of anything else that the operator binds.
    #[serde(default, deserialize_with = "present")]
    pub(super) ext: Option<Digest>,
}

/// A reveal.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"nonce": 1}))]
pub(super) struct RevealRequest {
    /// Reveal only if this is the next round: a round that the caller does not know of is not given
    /// away.
    #[serde(default, deserialize_with = "present")]
    pub(super) nonce: Option<Nonce>,
    /// Reveal even while a sealed hand is in play: its hidden cards become public.
    #[serde(default)]
    pub(super) force: bool,
    /// Whether the table's next commitment follows. Default: as the commitment says.
    #[serde(default, deserialize_with = "present")]
    pub(super) next: Option<bool>,
    /// SHA-256 of anything else that the operator binds.
    #[serde(default, deserialize_with = "present")]
    pub(super) ext: Option<Digest>,
}

/// Cards of a sealed deal to open: at least one of `seat`, `street` and `t`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"street": "flop", "public": true}))]
pub(super) struct OpeningRequest {
    /// The cards of this seat.
    #[serde(default, deserialize_with = "present")]
    pub(super) seat: Option<Label>,
    /// The cards of this street: `flop`, `turn`, `river`, or its number from 1.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = super::schema::street)]
    pub(super) street: Option<Street>,
    /// The cards at these places in deal order, from 0.
    #[serde(default)]
    #[schema(max_items = 4096)]
    pub(super) t: Vec<u32>,
    /// Open them although they are of several seats, burnt, or nobody's.
    #[serde(default)]
    pub(super) force: bool,
    /// Whether everybody may see them.
    #[serde(default)]
    pub(super) public: bool,
}

/// A street's name, or its number from 1.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a street's name or its number from 1")]
pub(super) enum Street {
    Name(String),
    Number(u64),
}

impl OpeningRequest {
    /// The cards that it names.
    pub(super) fn cards(&self) -> Vec<ToOpen> {
        let street = self.street.as_ref().map(|street| match street {
            Street::Name(name) => name.clone(),
            Street::Number(number) => number.to_string(),
        });
        let named = self.seat.clone().map(ToOpen::Seat).into_iter();
        let named = named.chain(street.map(ToOpen::Street));
        named.chain(self.t.iter().copied().map(ToOpen::Place)).collect()
    }
}

/// The answer to the end of a hand.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DoneAnswer {
    /// The commitment.
    pub(super) commitment: Commitment,
    /// The round.
    pub(super) nonce: Nonce,
    /// The rounds of the commitment that are still in play.
    pub(super) in_play: Vec<u64>,
}

/// Nothing.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Empty {}

/// The answer to a request that made an entry.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EntryAnswer {
    #[serde(flatten)]
    pub(super) told: EntryTold,
    /// The latest time of the commitment's reveal, in Unix milliseconds.
    pub(super) reveal_by: u64,
    /// The table's next commitment, where one was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<NextAnswer>,
    /// Cards that were opened at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) opened: Option<Vec<OpenedCard>>,
    /// The entry's receipt, which anyone can verify offline.
    pub(super) receipt: Receipt,
}

/// A table's next commitment.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NextAnswer {
    #[serde(flatten)]
    pub(super) told: NextTold,
    /// The receipt of its commit.
    pub(super) receipt: Receipt,
}

/// A commitment's present state.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct CommitmentAnswer {
    #[serde(flatten)]
    pub(super) standing: Standing,
    /// The rounds whose sealed cards are still in play: a reveal would show them.
    pub(super) in_play: Vec<u64>,
}

/// A page of commitments.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CommitmentsAnswer {
    /// In log order.
    pub(super) commitments: Vec<Standing>,
    /// The `from` of the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<u64>,
}

/// A table's present state.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct TableState {
    /// The table.
    pub(super) table: Table,
    /// Its last commitment.
    pub(super) commitment: CommitmentAnswer,
}

/// A table of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TableTold {
    /// The table.
    pub(super) table: Table,
    /// Its last commitment.
    pub(super) commitment: Commitment,
}

/// A page of tables.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TablesPage {
    /// The tables, by the bytes of their names.
    pub(super) tables: Vec<TableTold>,
    /// The `after` of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<Table>,
}

/// With `table`, its present state; without it, a page of all tables.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(super) enum TablesAnswer {
    /// One table.
    One(Box<TableState>),
    /// A page.
    Page(TablesPage),
}

/// The caller who opened a card, and the time.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OpenedBy {
    /// The name of the token.
    pub(super) by: String,
    /// The time in Unix milliseconds.
    pub(super) at: u64,
}

/// A card that was opened.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OpenedTold {
    /// The round.
    pub(super) nonce: u64,
    /// The place in deal order.
    pub(super) t: u64,
    /// The first opening.
    pub(super) first: OpenedBy,
    /// The first opening for everybody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) public: Option<OpenedBy>,
}

/// A page of opened cards.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OpeningsAnswer {
    /// The commitment.
    pub(super) commitment: Commitment,
    /// The cards, by round and place.
    pub(super) openings: Vec<OpenedTold>,
    /// The `after` of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<String>,
}

/// One round.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RoundAnswer {
    /// Its commitment.
    pub(super) commitment: Commitment,
    /// Its table.
    pub(super) table: Table,
    #[serde(flatten)]
    pub(super) round: RoundTold,
    /// Whether its sealed cards are still in play.
    pub(super) in_play: bool,
    /// A sealed deal's card seals, where one of its cards is opened for everybody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) card_seals: Option<Vec<Digest>>,
    /// The cards that were opened for everybody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) opened: Vec<OpenedCard>,
}

/// A page of rounds.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RoundsAnswer {
    /// Their commitment.
    pub(super) commitment: Commitment,
    /// How many are locked, dealt or voided.
    pub(super) done: u64,
    /// In order.
    pub(super) rounds: Vec<RoundTold>,
    /// The `from` of the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<u64>,
}

/// The log of this service.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LogAnswer {
    /// Its origin: the name of its key.
    pub(super) origin: String,
    /// The verifier key that this host shows. Compare it with the one that the operator printed.
    pub(super) key: String,
    /// Where the key is printed, in the operator's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) printed_at: Option<String>,
    /// The operator's policy of witnesses, a tlog-policy file, for information: readers choose their
    /// own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) policy: Option<String>,
}

/// Receipts of several rounds.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReceiptsAnswer {
    /// A receipt for each round, in order.
    pub(super) receipts: Vec<Receipt>,
    /// The first round that was asked for and is not here, since an answer has about 1 MB at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<u64>,
}

/// A beacon's round.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BeaconAnswer {
    /// Its number in its chain, from 1.
    pub(super) round: u64,
    /// Its signature, which was verified.
    pub(super) signature: BeaconSignature,
}

/// A page of the log.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EventsAnswer {
    /// The entries, in order.
    pub(super) events: Vec<EventShape>,
    /// The last index that was looked at: what to ask for as `after` next. Absent in an empty log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last: Option<u64>,
}

/// An entry of the log.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EventShape {
    /// Its index.
    pub(super) index: u64,
    /// Its kind: commit, lock, deal, void, reveal or anchor.
    pub(super) event: String,
    /// Its exact bytes.
    pub(super) entry: String,
}
