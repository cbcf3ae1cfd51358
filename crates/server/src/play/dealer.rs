//! The dealer's side of a hand. What a service's caller would ask for, it asks for by the same handlers.

use std::sync::Arc;
use std::time::Duration;

use axum::Json as JsonAnswer;
use axum::extract::State;
use serde::Serialize;
use serde_json::Value;

use super::forge::{self, View};
use super::{Cheat, Play, SEATS, Step, TABLES, seats};
use crate::body::{At, Json, Key};
use crate::policy::{RevealWhen, Span};
use crate::problem::Problem;
use crate::shapes::{
    CommitmentRequest, DealRequest, EntryAnswer, LockRequest, RevealRequest, VoidRequest,
};
use crate::writes::{self, Made};
use crate::{Shared, openings};
use fairdeal::deal::{Blind, ClientSeed, Commitment, Contribution, Deck, Label, Nonce};
use fairdeal::record::entry::{
    Int, Layout, LoggedContribution, Mixing, Opened, PlayerSigner, Reason, RoundOf, Table,
};
use fairdeal::record::receipt::{Opening, Receipt};
use fairdeal_ledger::entropy::random;
use fairdeal_ledger::{Given, IdempotencyKey, LedgerError, Named};

/// The places of the visitor's cards and of the house's, in deal order.
const YOURS: [u32; 5] = [0, 2, 4, 6, 8];
const HOUSES: [u32; 5] = [1, 3, 5, 7, 9];

/// A promise is used again only if a hand under it has this long, in milliseconds.
const TIME_FOR_A_HAND: u64 = 60_000;

/// The one round of each commitment.
const ROUND: Nonce = Nonce::FIRST;

/// A hand that somebody plays.
pub(super) type HandOf = Arc<tokio::sync::Mutex<Hand>>;

/// A hand, as far as it has come.
#[derive(Debug)]
pub(super) struct Hand {
    pub(super) id: String,
    pub(super) table: Table,
    pub(super) commitment: Commitment,
    pub(super) promise: Receipt,
    pub(super) step: Step,
    /// What was said at each step, and answered.
    pub(super) told: Vec<(Step, Option<Given>, Value)>,
    cheat: Option<Cheat>,
    house: Option<Brought>,
    lock: Option<Receipt>,
    /// All cards of a hand that only its visitor was shown.
    forged: Option<Opening>,
}

/// What the house brings to a round, and what opens it.
#[derive(Clone, Debug)]
pub(super) struct Brought {
    pub(super) hashed: LoggedContribution,
    pub(super) opened: Opened,
}

impl Hand {
    fn cheats(&self, cheat: Cheat) -> bool {
        self.cheat == Some(cheat)
    }

    /// A name for one request of this hand: who comes again, because an answer was lost, gets the same one.
    fn key(&self, request: &str) -> Result<Key, Problem> {
        let key = IdempotencyKey::new(format!("{} {request}", self.id));
        key.map(|key| Key(Some(key))).map_err(|error| Problem::bad_request(error.to_string()))
    }
}

/// An answer to its visitor, and the step that comes then.
type Told = Result<(Value, Step), Problem>;

fn told(answer: impl Serialize, next: Step) -> Told {
    let value = serde_json::to_value(answer).map_err(|error| forge::stuck(&error))?;
    Ok((value, next))
}

fn made((.., JsonAnswer(answer)): Made) -> EntryAnswer {
    answer
}

/// A hand with a promise: the open one of the visitor's table, or one at a new table.
pub(super) async fn promise(
    app: &Shared,
    play: &Play,
    id: String,
    table: Option<Table>,
    cheat: Option<Cheat>,
) -> Result<Hand, Problem> {
    let open = match table {
        Some(table) => open_promise(app, table).await?,
        None => None,
    };
    let (table, commitment, promise) = match open {
        Some(open) => open,
        None => new_promise(app, play, cheat).await?,
    };
    Ok(Hand {
        id,
        table,
        commitment,
        promise,
        step: Step::Hash,
        told: Vec::new(),
        cheat,
        house: None,
        lock: None,
        forged: None,
    })
}

type Promise = (Table, Commitment, Receipt);

async fn open_promise(app: &Shared, table: Table) -> Result<Option<Promise>, Problem> {
    let commitment = app.ledger.find(&Named::LastOf(table.clone())).await?;
    let summary = app.ledger.show(commitment).await?;
    // A visitor who comes back late must not run into the deadline.
    let is_late = app.last_round_by(&*app.known.of(&app.ledger, commitment).await?)
        < app.now() + TIME_FOR_A_HAND;
    if summary.used || summary.ended.is_some() || is_late {
        return Ok(None);
    }
    Ok(Some((table, commitment, app.ledger.receipt(commitment, None).await?)))
}

async fn new_promise(app: &Shared, play: &Play, cheat: Option<Cheat>) -> Result<Promise, Problem> {
    let name = format!("{TABLES}{}", hex::encode(*random::<8>().map_err(LedgerError::from)?));
    let table = Table::new(name).map_err(|error| forge::stuck(&error))?;
    let never = cheat == Some(Cheat::NeverReveal);
    let request = CommitmentRequest {
        table: table.clone(),
        deck: Some(Deck::standard()),
        method: None,
        draw: Some(10),
        mixing: Some(Mixing::Hashes),
        sealed: true,
        signed: true,
        layout: Some(Layout { board: None, burn: None, hand: Int::from(5_u32) }),
        rounds: Some(1),
        reveal_in: Some(Span(if never { Duration::from_secs(8) } else { Duration::from_mins(10) })),
        rules: Some(play.rules),
        ext: None,
        reveal: Some(if never { RevealWhen::Manual } else { RevealWhen::Deadline }),
        last_deal_before: None,
        // A deal asks for the next promise. A table that nobody comes back to has none.
        next: Some(false),
    };
    let answer =
        writes::commit(State(Arc::clone(app)), play.caller.clone(), Key(None), Json(request))
            .await?;
    let EntryAnswer { told, receipt, .. } = made(answer);
    Ok((table, told.commitment, receipt))
}

/// What is told after a hash: the lock, or another promise instead.
#[derive(Serialize)]
#[serde(untagged)]
enum Hashed {
    Locked { lock: Receipt },
    Picked { promise: Receipt, commitment: Commitment, nonce: Nonce },
}

pub(super) async fn hash(app: &Shared, play: &Play, hand: &mut Hand, given: &Given) -> Told {
    if hand.cheats(Cheat::PickCommitment) {
        let view = View::of(app, play, None).await?;
        let (commitment, promise) = view.another_promise(&hand.promise, app.now())?;
        return told(Hashed::Picked { promise, commitment, nonce: ROUND }, Step::Over);
    }
    // Who comes again finds what was locked.
    let house = match hand.house.take() {
        Some(house) => house,
        None => brought(app.ledger.origin().as_str(), hand.commitment)?,
    };
    let theirs = Given::from(house.hashed.clone());
    hand.house = Some(house);
    let yours = (!hand.cheats(Cheat::DropSeed)).then(|| given.clone());
    let request = LockRequest {
        nonce: Some(ROUND),
        contributions: yours.into_iter().chain([theirs]).collect(),
        seats: Some(seats()?),
        void: None,
        ext: None,
    };
    let (at, key) = (At(hand.commitment), hand.key("hash")?);
    let locked =
        writes::lock(State(Arc::clone(app)), play.caller.clone(), at, key, Json(request)).await?;
    let lock = made(locked).receipt;
    hand.lock = Some(lock.clone());
    told(Hashed::Locked { lock }, Step::Open)
}

/// A seed of the house for a round, hashed, and signed with a key of its own.
fn brought(origin: &str, commitment: Commitment) -> Result<Brought, Problem> {
    let secret = || random::<32>().map_err(LedgerError::from);
    let [_, house] = SEATS;
    let from = Label::new(house).map_err(|error| forge::stuck(&error))?;
    let seed = ClientSeed::new(hex::encode(*secret()?)).map_err(|error| forge::stuck(&error))?;
    let (blind, signer) = (Blind::from_bytes(*secret()?), PlayerSigner::from_seed(&*secret()?));
    let contribution = Contribution { from: from.clone(), seed: seed.clone(), seen: None };
    let hash = contribution.hash(&commitment, ROUND, &blind);
    let round = RoundOf { origin, commitment, nonce: ROUND };
    let hashed = signer.sign(&round, LoggedContribution::promised(from.clone(), hash, None));
    Ok(Brought { hashed, opened: Opened { blind, from, seed } })
}

/// What is told after the opening of a hash: the visitor's cards.
#[derive(Serialize)]
struct Dealt {
    opening: Opening,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Receipt>,
}

pub(super) async fn open(app: &Shared, play: &Play, hand: &mut Hand, opened: &Given) -> Told {
    if hand.cheats(Cheat::ForkView) {
        let opening = fork(app, play, hand, opened).await?;
        return told(Dealt { opening: of_places(opening, &YOURS), next: None }, Step::Show);
    }
    let theirs = hand.house.as_ref().map(|house| Given::from(house.opened.clone()));
    let request = DealRequest {
        nonce: Some(ROUND),
        contributions: [opened.clone()].into_iter().chain(theirs).collect(),
        seats: None,
        open: Vec::new(),
        public: false,
        next: Some(hand.cheat.is_none()),
        ext: None,
    };
    let (at, key) = (At(hand.commitment), hand.key("open")?);
    let dealt =
        writes::deal(State(Arc::clone(app)), play.caller.clone(), at, key, Json(request)).await?;
    let mut opening =
        openings::open(app, &play.caller, (hand.commitment, ROUND), &YOURS, false).await?;
    if hand.cheats(Cheat::SwapCard) {
        let all: Vec<u32> = YOURS.into_iter().chain(HOUSES).collect();
        let dealt = app.ledger.opening(hand.commitment, ROUND, &all).await?;
        let is_nobodys =
            |item: &u32| dealt.opened.iter().all(|card| card.item.value() != u64::from(*item));
        if let (Some(card), Some(item)) =
            (opening.opened.first_mut(), forge::shuffled()?.into_iter().find(is_nobodys))
        {
            card.item = Int::from(item);
        }
    }
    told(Dealt { opening, next: made(dealt).next.map(|next| next.receipt) }, Step::Show)
}

/// A hand of another log. The honest one ends, so that nothing stays locked.
async fn fork(
    app: &Shared,
    play: &Play,
    hand: &mut Hand,
    opened: &Given,
) -> Result<Opening, Problem> {
    let lock = hand.lock.as_ref().ok_or_else(|| forge::stuck(&"the hand has no lock"))?;
    // Who comes again sees the same hand.
    let opening = if let Some(opening) = hand.forged.take() {
        opening
    } else {
        let house = brought(app.ledger.origin().as_str(), hand.commitment)?;
        let at = lock.entries.last().map(|lock| lock.index.value());
        View::of(app, play, at).await?.another_hand(lock, opened, house, app.now())?
    };
    hand.forged = Some(opening.clone());
    let reason = Reason::new("misdeal").map_err(|error| forge::stuck(&error))?;
    let request =
        VoidRequest { nonce: Some(ROUND), reason, blame: None, next: Some(false), ext: None };
    let (at, key) = (At(hand.commitment), hand.key("open")?);
    let _voided =
        writes::void(State(Arc::clone(app)), play.caller.clone(), at, key, Json(request)).await?;
    Ok(opening)
}

fn of_places(mut opening: Opening, places: &[u32]) -> Opening {
    opening.opened.retain(|card| places.iter().any(|t| card.t.value() == u64::from(*t)));
    opening
}

/// What is told at the showdown: the house's cards, and the whole round.
#[derive(Serialize)]
struct Shown {
    opening: Opening,
    #[serde(skip_serializing_if = "Option::is_none")]
    reveal: Option<Receipt>,
}

pub(super) async fn show(app: &Shared, play: &Play, hand: &mut Hand) -> Told {
    if let Some(forged) = hand.forged.clone() {
        return told(Shown { opening: of_places(forged, &HOUSES), reveal: None }, Step::Over);
    }
    let round = (hand.commitment, ROUND);
    let opening = openings::open(app, &play.caller, round, &HOUSES, true).await?;
    if hand.cheats(Cheat::NeverReveal) {
        return told(Shown { opening, reveal: None }, Step::Over);
    }
    app.ledger.round_done(hand.commitment, ROUND).await?;
    let request = RevealRequest { nonce: None, force: false, next: Some(false), ext: None };
    let (at, key) = (At(hand.commitment), hand.key("show")?);
    let _revealed =
        writes::reveal(State(Arc::clone(app)), play.caller.clone(), at, key, Json(request)).await?;
    let reveal = Some(app.ledger.receipt(hand.commitment, Some(ROUND)).await?);
    told(Shown { opening, reveal }, Step::Over)
}
