//! The table to play at (web/play.md): hands against the house for whoever comes, and a dealer who cheats when it is asked to.
//!
//! A demonstration. The dealer has the log's signing key and forges with it, so that nobody may rely on such a log.

mod dealer;
mod forge;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Json as JsonAnswer;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use self::dealer::{Hand, HandOf};
use super::auth::Caller;
use super::body::{Json, Path};
use super::problem::Problem;
use super::shapes::Empty;
use super::{Shared, pages};
use fairdeal::deal::{Commitment, Digest, Label, Nonce};
use fairdeal::log::SignerKey;
use fairdeal::record::as_json::present;
use fairdeal::record::entry::Table;
use fairdeal::record::receipt::Receipt;
use fairdeal_ledger::clock::Clock as _;
use fairdeal_ledger::entropy::random;
use fairdeal_ledger::tokens::{Right, Scope, Token};
use fairdeal_ledger::{Choice, Given, LedgerError, Reader};

/// What the name of each of its tables begins with.
const TABLES: &str = "play/";

/// The game's rules, among the files of the pages.
const RULES: &str = "play-rules.txt";

/// The seats, in their order.
const SEATS: [&str; 2] = ["you", "house"];

/// The most hands in memory, and how long each stays there.
const HANDS: usize = 1000;
const KEPT: Duration = Duration::from_mins(10);

/// The most hands that begin in a second.
const PACE: usize = 20;

/// The longest log that the dealer forges views of: each is built anew, entry by entry.
const LONGEST: u64 = 50_000;

/// How a hand is cheated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Cheat {
    SwapCard,
    DropSeed,
    PickCommitment,
    ForkView,
    NeverReveal,
}

impl Cheat {
    const ALL: [Self; 5] =
        [Self::SwapCard, Self::DropSeed, Self::PickCommitment, Self::ForkView, Self::NeverReveal];

    /// Whether it needs a view of the log that nobody published.
    const fn forges(self) -> bool {
        matches!(self, Self::PickCommitment | Self::ForkView)
    }
}

/// The steps of a hand, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Hash,
    Open,
    Show,
    Over,
}

impl Step {
    const fn name(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Open => "open",
            Self::Show => "show",
            Self::Over => "nothing more",
        }
    }
}

/// The dealer, and the hands that it remembers.
#[derive(Debug)]
pub(super) struct Play {
    key: Arc<SignerKey>,
    rules: Digest,
    caller: Caller,
    hands: Mutex<Hands>,
    /// One view is forged at a time: each takes the memory of the whole log.
    forging: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Hands {
    all: HashMap<String, HandOf>,
    /// When each began, on the monotonic clock; the oldest first.
    begun: VecDeque<(Duration, String)>,
}

impl Hands {
    /// Forgets the old ones. How many began in the last second?
    fn tidy(&mut self, now: Duration) -> usize {
        let is_old = |(begun, _): &(Duration, String)| now.saturating_sub(*begun) > KEPT;
        while self.begun.len() >= HANDS || self.begun.front().is_some_and(is_old) {
            if let Some((_, id)) = self.begun.pop_front() {
                self.all.remove(&id);
            }
        }
        let second = Duration::from_secs(1);
        self.begun.iter().rev().take_while(|(begun, _)| now.saturating_sub(*begun) < second).count()
    }
}

impl Play {
    /// A dealer with the log's key. The log must have no other tables than a dealer's.
    pub(super) async fn new(
        reader: &Reader,
        key: Arc<SignerKey>,
        now: u64,
    ) -> Result<Self, LedgerError> {
        only_played(reader).await?;
        let scope = vec![Scope::Prefix(TABLES.to_owned())];
        let (_, _, token) = Token::generate("play", &[Right::Write, Right::Open], scope, now)?;
        let rules = Sha256::digest(pages::text(RULES).unwrap_or_default());
        Ok(Self {
            key,
            rules: Digest::from_bytes(rules.into()),
            caller: Caller::of(token),
            hands: Mutex::default(),
            forging: tokio::sync::Mutex::default(),
        })
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.hands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hand(&self, id: &str) -> Result<HandOf, Problem> {
        let found = self.hands().all.get(id).cloned();
        found.ok_or_else(|| {
            Problem::not_found("no-such-round", "the round is unknown, or forgotten")
        })
    }

    /// The name of a new hand, which is a secret of its visitor. `now` is on the monotonic clock.
    fn begin(&self, now: Duration) -> Result<String, Problem> {
        let id = hex::encode(*random::<16>().map_err(LedgerError::from)?);
        let mut hands = self.hands();
        if hands.tidy(now) >= PACE {
            let says = format!("the dealer begins {PACE} hands a second");
            return Err(Problem::unavailable("overloaded", says, 1));
        }
        hands.begun.push_back((now, id.clone()));
        Ok(id)
    }

    fn remember(&self, hand: Hand) {
        self.hands().all.insert(hand.id.clone(), Arc::new(tokio::sync::Mutex::new(hand)));
    }
}

/// Refuses a ledger that somebody may rely on.
async fn only_played(reader: &Reader) -> Result<(), LedgerError> {
    let mut from = 0;
    loop {
        let page = reader.list(&Choice::default(), from, 1000).await?;
        let Some(last) = page.last() else { return Ok(()) };
        from = last.index + 1;
        if let Some(other) = page.iter().find(|one| !one.terms.table.as_str().starts_with(TABLES)) {
            return Err(LedgerError::Invalid(format!(
                "play: expected a log of its own, whose tables begin with {TABLES:?}, found the table {:?}: the dealer forges \
                 with this log's key when it is asked to cheat",
                other.terms.table.as_str()
            )));
        }
    }
}

/// The calls of the table, where there is one.
pub(super) fn routes(app: &Shared) -> Router<Shared> {
    if app.play.is_none() {
        return Router::new();
    }
    Router::new()
        .route("/play", get(about))
        .route("/play/rounds", post(begin))
        .route("/play/rounds/{round}/hash", post(hash))
        .route("/play/rounds/{round}/open", post(open))
        .route("/play/rounds/{round}/show", post(show))
}

fn table(app: &Shared) -> Result<&Play, Problem> {
    app.play
        .as_ref()
        .ok_or_else(|| Problem::not_found("no-such-path", "there is no table to play at"))
}

/// What the dealer says of itself.
#[derive(Debug, Serialize)]
struct About {
    key: String,
    log: &'static str,
    house: &'static str,
    rules: Digest,
    cheats: Vec<Cheat>,
}

async fn about(State(app): State<Shared>) -> Result<JsonAnswer<About>, Problem> {
    let play = table(&app)?;
    let forges = app.ledger.health().published <= LONGEST;
    let cheats = Cheat::ALL.into_iter().filter(|cheat| forges || !cheat.forges()).collect();
    let [_, house] = SEATS;
    Ok(JsonAnswer(About {
        key: play.key.verifier().to_text(),
        log: "/",
        house,
        rules: play.rules,
        cheats,
    }))
}

/// A hand to begin.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Beginning {
    /// The visitor's hand before.
    #[serde(default, deserialize_with = "present")]
    after: Option<String>,
    #[serde(default, deserialize_with = "present")]
    cheat: Option<Cheat>,
}

/// A hand that has begun.
#[derive(Debug, Serialize)]
struct Begun {
    round: String,
    table: Table,
    commitment: Commitment,
    nonce: Nonce,
    seats: Vec<Label>,
    promise: Receipt,
}

async fn begin(
    State(app): State<Shared>,
    Json(Beginning { after, cheat }): Json<Beginning>,
) -> Result<(StatusCode, JsonAnswer<Begun>), Problem> {
    let play = table(&app)?;
    let id = play.begin(app.clock.read().passed)?;
    let before = after.filter(|_| cheat.is_none()).and_then(|id| play.hand(&id).ok());
    let table = match before {
        Some(before) => Some(before.lock().await.table.clone()),
        None => None,
    };
    let hand = dealer::promise(&app, play, id, table, cheat).await?;
    let begun = Begun {
        round: hand.id.clone(),
        table: hand.table.clone(),
        commitment: hand.commitment,
        nonce: Nonce::FIRST,
        seats: seats()?,
        promise: hand.promise.clone(),
    };
    play.remember(hand);
    Ok((StatusCode::CREATED, JsonAnswer(begun)))
}

fn seats() -> Result<Vec<Label>, Problem> {
    let labels = SEATS.into_iter().map(Label::new).collect::<Result<_, _>>();
    labels.map_err(|error| Problem::bad_request(error.to_string()))
}

async fn hash(
    State(app): State<Shared>,
    Path(id): Path<String>,
    Json(given): Json<Given>,
) -> Answer {
    step(&app, &id, Step::Hash, Some(given)).await
}

async fn open(
    State(app): State<Shared>,
    Path(id): Path<String>,
    Json(given): Json<Given>,
) -> Answer {
    step(&app, &id, Step::Open, Some(given)).await
}

async fn show(
    State(app): State<Shared>,
    Path(id): Path<String>,
    Json(Empty {}): Json<Empty>,
) -> Answer {
    step(&app, &id, Step::Show, None).await
}

type Answer = Result<JsonAnswer<Value>, Problem>;

/// Goes one step. The same step with the same words has the same answer again; no other step is in its place.
async fn step(app: &Shared, id: &str, step: Step, said: Option<Given>) -> Answer {
    let play = table(app)?;
    let hand = play.hand(id)?;
    let mut hand = hand.lock().await;
    let told = hand.told.iter().find(|(at, before, _)| *at == step && *before == said);
    if let Some((_, _, answer)) = told {
        return Ok(JsonAnswer(answer.clone()));
    }
    if hand.step != step {
        let says = format!("expected {}, found {}", hand.step.name(), step.name());
        return Err(Problem::new(StatusCode::CONFLICT, "out-of-order", says));
    }
    let (answer, next) = match (step, &said) {
        (Step::Hash, Some(given)) => dealer::hash(app, play, &mut hand, given).await?,
        (Step::Open, Some(opened)) => dealer::open(app, play, &mut hand, opened).await?,
        _ => dealer::show(app, play, &mut hand).await?,
    };
    hand.told.push((step, said, answer.clone()));
    hand.step = next;
    Ok(JsonAnswer(answer))
}
