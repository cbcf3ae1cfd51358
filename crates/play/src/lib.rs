//! A table to play at against a dealer who cheats when the player asks for it: `fairdeal play`.
//!
//! A demonstration (`web/play.md` describes its calls). The dealer holds the log's signing key and
//! forges with it, so nobody may rely on this log: each [`PlayTable`] makes its own, in a temporary
//! folder, and deletes it at the end. It listens on loopback alone.
//!
//! For everything honest the dealer is a client of [`Service`], as any game server is. Only the
//! forged views of the log go around it.
//!
//! ```no_run
//! # async fn play() -> Result<(), fairdeal_play::PlayTableError> {
//! let table = fairdeal_play::PlayTable::open("127.0.0.1:0".parse().unwrap()).await?;
//! println!("play at {}", table.url());
//! table.close().await
//! # }
//! ```

#![warn(clippy::indexing_slicing, clippy::as_conversions)]

mod body;
mod forge;
mod hand;
mod pages;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, io};

use axum::body::{Body, to_bytes};
use axum::extract::{Path, State};
use axum::http::{Method, Request, StatusCode, header};
use axum::middleware::map_response;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tower::ServiceExt as _;

use self::body::{Asked, Refused};
use self::hand::{Hand, Step};
use fairdeal::deal::Digest;
use fairdeal::log::SignerKey;
use fairdeal_ledger::clock::{Clock as _, SystemClock};
use fairdeal_ledger::entropy::random;
use fairdeal_ledger::tokens::{Right, Token};
use fairdeal_ledger::{Ledger, LedgerError, LedgerOptions};
use fairdeal_server::{Service, ServiceError, ServiceOptions, for_browsers};

/// The origin of the log.
const ORIGIN: &str = "play.example/log";

/// The seats, in their order.
const SEATS: [&str; 2] = ["you", "house"];

/// The most hands that begin in a second: each writes five entries.
const PACE: usize = 20;

/// The longest log of which the dealer forges views: it builds each view entry by entry.
const LONGEST: u64 = 50_000;

/// The longest answer of the service that the dealer reads, in bytes: receipts and openings.
const ANSWER: usize = 1 << 20;

/// Why a table does not open.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayTableError {
    /// The address is not of this machine alone.
    #[error("{0}: expected an address on loopback: the dealer cheats, and is for one player here")]
    NotLoopback(SocketAddr),
    /// Nothing can listen on the address.
    #[error("{0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The temporary folder cannot be made or read.
    #[error("the temporary folder: {0}")]
    Folder(#[from] io::Error),
    /// The ledger cannot be made or opened.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The service does not start.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// A running table. It ends when it is [closed](PlayTable::close) or dropped.
#[derive(Debug)]
pub struct PlayTable {
    service: Service,
    at: SocketAddr,
    /// The ledger's folder. It is deleted after the service has ended.
    _folder: TempDir,
}

impl PlayTable {
    /// Makes a ledger in a temporary folder, and serves the pages, its log and the game. It needs a
    /// tokio runtime with all drivers.
    ///
    /// # Errors
    /// [`PlayTableError`].
    pub async fn open(at: SocketAddr) -> Result<Self, PlayTableError> {
        if !at.ip().is_loopback() {
            return Err(PlayTableError::NotLoopback(at));
        }
        let listen = |error| PlayTableError::Listen(at, error);
        let listener = TcpListener::bind(at).await.map_err(listen)?;
        let at = listener.local_addr().map_err(listen)?;
        let folder = tempfile::Builder::new().prefix("fairdeal-play-").tempdir()?;
        let origin = ORIGIN.parse().map_err(io::Error::other)?;
        Ledger::init(folder.path(), &origin).await?;
        let key = fs::read_to_string(folder.path().join("private/signing.key"))?;
        let key = SignerKey::parse(key.trim_end()).map_err(io::Error::other)?;
        let ledger = Ledger::open(folder.path(), LedgerOptions::default()).await?;
        let clock = SystemClock::start();
        let rights = [Right::Write, Right::Open];
        let (token, id, kept) = Token::generate("dealer", &rights, vec![], clock.read().unix)?;
        ledger.write_memos(vec![kept.memo(id)]).await?;
        let mut service = Service::start(ledger.clone(), ServiceOptions::default()).await?;
        let dealer = Dealer {
            ledger,
            clock,
            service: service.operator(),
            authorization: format!("Bearer {}", token.as_str()),
            key,
            rules: Digest::from_bytes(Sha256::digest(pages::RULES).into()),
            hands: Mutex::default(),
            begun: Mutex::default(),
            forging: tokio::sync::Mutex::default(),
        };
        let router = Router::new()
            .route("/play", get(about))
            .route("/play/rounds", post(begin))
            .route("/play/rounds/{round}/hash", post(hash))
            .route("/play/rounds/{round}/open", post(open))
            .route("/play/rounds/{round}/show", post(show))
            .fallback(pages::other)
            .layer(map_response(for_browsers))
            .with_state(Arc::new(dealer));
        service.listen(listener, router);
        Ok(Self { service, at, _folder: folder })
    }

    /// The address of the page to play on.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/play.html", self.at)
    }

    /// Finishes what is under way, and deletes the ledger.
    ///
    /// # Errors
    /// [`PlayTableError::Ledger`] where the ledger cannot be closed.
    pub async fn close(self) -> Result<(), PlayTableError> {
        Ok(self.service.stop().await?)
    }
}

/// A way to cheat.
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

/// The dealer, and the hands that it remembers.
struct Dealer {
    ledger: Ledger,
    clock: SystemClock,
    /// The service with the operator's calls. The dealer is its one client with a token.
    service: Router,
    authorization: String,
    key: SignerKey,
    rules: Digest,
    /// The hands by their secret names. Each call locks the map shortly, and then its own hand.
    hands: Mutex<HashMap<String, Arc<tokio::sync::Mutex<Hand>>>>,
    /// When the hands of the last second began. Written by [`Dealer::pace`] alone.
    begun: Mutex<Vec<Instant>>,
    /// Held while a view is forged: each takes the memory of the whole log.
    forging: tokio::sync::Mutex<()>,
}

type Shared = Arc<Dealer>;

type Answer = Result<Json<Value>, Refused>;

impl Dealer {
    fn hands(&self) -> MutexGuard<'_, HashMap<String, Arc<tokio::sync::Mutex<Hand>>>> {
        self.hands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hand(&self, id: &str) -> Option<Arc<tokio::sync::Mutex<Hand>>> {
        self.hands().get(id).cloned()
    }

    /// Counts a new hand, and refuses it if too many began in the last second.
    #[expect(clippy::disallowed_methods, reason = "the pace of hands is no time of the log")]
    fn pace(&self) -> Result<(), Refused> {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.retain(|at| at.elapsed() < Duration::from_secs(1));
        if begun.len() >= PACE {
            let says = format!("the dealer begins {PACE} hands a second");
            return Err(Refused::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", says));
        }
        begun.push(Instant::now());
        Ok(())
    }

    /// Now, in Unix milliseconds.
    fn now(&self) -> u64 {
        self.clock.read().unix
    }

    /// Posts to the service. A repeated call with the same idempotency key gets the same answer.
    async fn call(&self, path: &str, key: Option<String>, body: Value) -> Result<Value, Refused> {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(format!("/v1/commitments{path}"))
            .header(header::HOST, "play")
            .header(header::AUTHORIZATION, &self.authorization)
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let request = request.body(Body::from(body.to_string())).map_err(Refused::stuck)?;
        let answer = self.service.clone().oneshot(request).await.map_err(Refused::stuck)?;
        let status = answer.status();
        let bytes = to_bytes(answer.into_body(), ANSWER).await.map_err(Refused::stuck)?;
        let answer = serde_json::from_slice(&bytes).map_err(Refused::stuck)?;
        if status.is_success() { Ok(answer) } else { Err(Refused { status, problem: answer }) }
    }
}

async fn about(State(dealer): State<Shared>) -> Json<Value> {
    let forges = dealer.ledger.health().published <= LONGEST;
    let cheats = Cheat::ALL.into_iter().filter(|cheat| forges || !cheat.forges());
    let [_, house] = SEATS;
    Json(json!({
        "key": dealer.key.verifier().to_text(),
        "log": "/",
        "house": house,
        "rules": dealer.rules,
        "cheats": cheats.collect::<Vec<_>>(),
    }))
}

/// A hand to begin.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Beginning {
    /// The player's hand before.
    after: Option<String>,
    cheat: Option<Cheat>,
}

async fn begin(
    State(dealer): State<Shared>,
    Asked(Beginning { after, cheat }): Asked<Beginning>,
) -> Result<(StatusCode, Json<Value>), Refused> {
    dealer.pace()?;
    let before = after.filter(|_| cheat.is_none()).and_then(|id| dealer.hand(&id));
    let table = match before {
        Some(before) => Some(before.lock().await.table.clone()),
        None => None,
    };
    // The name is a secret of the player: it gives the right to continue the hand.
    let id = hex::encode(*random::<16>().map_err(Refused::stuck)?);
    let hand = Hand::promised(&dealer, id.clone(), table, cheat).await?;
    let begun = json!({
        "round": id,
        "table": hand.table,
        "commitment": hand.commitment,
        "nonce": hand::ROUND,
        "seats": SEATS,
        "promise": hand.promise,
    });
    dealer.hands().insert(id, Arc::new(tokio::sync::Mutex::new(hand)));
    Ok((StatusCode::CREATED, Json(begun)))
}

async fn hash(dealer: State<Shared>, Path(id): Path<String>, said: Asked<Value>) -> Answer {
    step(dealer, &id, Step::Hash, said).await
}

async fn open(dealer: State<Shared>, Path(id): Path<String>, said: Asked<Value>) -> Answer {
    step(dealer, &id, Step::Open, said).await
}

async fn show(dealer: State<Shared>, Path(id): Path<String>, said: Asked<Value>) -> Answer {
    step(dealer, &id, Step::Show, said).await
}

/// Goes one step. The same call with the same body gets the same answer again; any other call is
/// refused if it is not the next one.
async fn step(
    State(dealer): State<Shared>,
    id: &str,
    step: Step,
    Asked(said): Asked<Value>,
) -> Answer {
    let hand = dealer.hand(id).ok_or_else(|| {
        Refused::new(StatusCode::NOT_FOUND, "no-such-round", "the round is unknown")
    })?;
    let mut hand = hand.lock().await;
    let answered = hand.answers.iter().find(|(at, before, _)| *at == step && *before == said);
    if let Some((_, _, answer)) = answered {
        return Ok(Json(answer.clone()));
    }
    if hand.step != step {
        let says = format!("expected {}, found {}", hand.step.name(), step.name());
        return Err(Refused::new(StatusCode::CONFLICT, "out-of-order", says));
    }
    let (answer, next) = match step {
        Step::Hash => hand.hash(&dealer, &said).await?,
        Step::Open => hand.open(&dealer, &said).await?,
        Step::Show | Step::Over => hand.show(&dealer).await?,
    };
    hand.answers.push((step, said, answer.clone()));
    hand.step = next;
    Ok(Json(answer))
}
