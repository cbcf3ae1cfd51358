//! A hand, from its promise to its reveal: what a game server does, and where the dealer cheats.

use serde_json::{Value, json};

use super::forge::{self, View};
use super::{Cheat, Dealer, Refused, SEATS};
use fairdeal::deal::{Blind, ClientSeed, Commitment, Contribution, Label, Nonce};
use fairdeal::record::entry::{Int, LoggedContribution, Opened, PlayerSigner, RoundOf, Table};
use fairdeal::record::receipt::{Opening, Receipt};
use fairdeal_ledger::Named;
use fairdeal_ledger::entropy::random;

/// The places of the player's cards and of the house's, in deal order.
const YOURS: [u32; 5] = [0, 2, 4, 6, 8];
const HOUSES: [u32; 5] = [1, 3, 5, 7, 9];

/// A promise is used again only if a hand under it has this long, in milliseconds. The service
/// reveals a minute before the promise's end.
const TIME_FOR_A_HAND: u64 = 120_000;

/// The one round of each commitment.
pub(super) const ROUND: Nonce = Nonce::FIRST;

/// The steps of a hand, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Hash,
    Open,
    Show,
    Over,
}

impl Step {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Open => "open",
            Self::Show => "show",
            Self::Over => "nothing more",
        }
    }
}

/// A hand, as far as it has come.
#[derive(Debug)]
pub(super) struct Hand {
    id: String,
    pub(super) table: Table,
    pub(super) commitment: Commitment,
    pub(super) promise: Receipt,
    pub(super) step: Step,
    /// The steps that are done: each with its body and its answer.
    pub(super) answers: Vec<(Step, Value, Value)>,
    cheat: Option<Cheat>,
    house: Option<Brought>,
    lock: Option<Receipt>,
    /// All cards of a hand of another log.
    forged: Option<Opening>,
}

/// The house's contribution to a round, and its opening.
#[derive(Clone, Debug)]
pub(super) struct Brought {
    pub(super) hashed: LoggedContribution,
    pub(super) opened: Opened,
}

/// The answer of a step, and the step that comes next.
type Stepped = Result<(Value, Step), Refused>;

impl Hand {
    /// A hand with a promise: the open one of the player's table, or one at a new table.
    pub(super) async fn promised(
        dealer: &Dealer,
        id: String,
        table: Option<Table>,
        cheat: Option<Cheat>,
    ) -> Result<Self, Refused> {
        let open = match table {
            Some(table) => open_promise(dealer, table).await?,
            None => None,
        };
        let (table, commitment, promise) = match open {
            Some(open) => open,
            None => new_promise(dealer, cheat).await?,
        };
        Ok(Self {
            id,
            table,
            commitment,
            promise,
            step: Step::Hash,
            answers: Vec::new(),
            cheat,
            house: None,
            lock: None,
            forged: None,
        })
    }

    /// Calls the service under this hand's commitment. A player who comes again because an answer
    /// was lost gets the same answer.
    async fn call(&self, dealer: &Dealer, path: &str, body: Value) -> Result<Value, Refused> {
        let key = format!("{} {}", self.id, self.step.name());
        dealer.call(&format!("/{}/{path}", self.commitment), Some(key), body).await
    }

    /// Opens cards of the round.
    async fn opening(&self, dealer: &Dealer, t: &[u32], public: bool) -> Result<Opening, Refused> {
        let path = format!("/{}/rounds/{ROUND}/openings", self.commitment);
        let opening = dealer.call(&path, None, json!({"t": t, "public": public})).await?;
        serde_json::from_value(opening).map_err(Refused::stuck)
    }

    /// Locks the player's hash and the house's. Answers with the lock, or with another promise.
    pub(super) async fn hash(&mut self, dealer: &Dealer, given: &Value) -> Stepped {
        if self.cheat == Some(Cheat::PickCommitment) {
            let view = View::of(dealer, None).await?;
            let (commitment, promise) = view.another_promise(&self.promise, dealer.now())?;
            let picked = json!({"promise": promise, "commitment": commitment, "nonce": ROUND});
            return Ok((picked, Step::Over));
        }
        // Kept when the call fails: the lock may be in the log all the same.
        let house = match self.house.take() {
            Some(house) => house,
            None => brought(dealer, self.commitment)?,
        };
        let theirs = json!(house.hashed);
        self.house = Some(house);
        let drops = self.cheat == Some(Cheat::DropSeed);
        let given = if drops { vec![theirs] } else { vec![given.clone(), theirs] };
        let body = json!({"nonce": ROUND, "contributions": given, "seats": SEATS});
        self.call(dealer, "locks", body).await?;
        let lock = dealer.ledger.receipt(self.commitment, Some(ROUND)).await?;
        self.lock = Some(lock.clone());
        Ok((json!({"lock": lock}), Step::Open))
    }

    /// Deals. Answers with an opening of the player's cards.
    pub(super) async fn open(&mut self, dealer: &Dealer, opened: &Value) -> Stepped {
        if self.cheat == Some(Cheat::ForkView) {
            let opening = of_places(self.fork(dealer, opened).await?, &YOURS);
            return Ok((json!({"opening": opening}), Step::Show));
        }
        let theirs = self.house.as_ref().map(|house| json!(house.opened));
        let given: Vec<_> = [opened.clone()].into_iter().chain(theirs).collect();
        let next = self.cheat.is_none();
        let body = json!({"nonce": ROUND, "contributions": given, "next": next});
        let dealt = self.call(dealer, "deals", body).await?;
        let mut opening = self.opening(dealer, &YOURS, false).await?;
        if self.cheat == Some(Cheat::SwapCard) {
            let all = [YOURS, HOUSES].concat();
            let dealt = dealer.ledger.opening(self.commitment, ROUND, &all).await?;
            let is_nobodys =
                |item: &u32| dealt.opened.iter().all(|card| card.item.value() != u64::from(*item));
            if let (Some(card), Some(item)) =
                (opening.opened.first_mut(), forge::shuffled()?.into_iter().find(is_nobodys))
            {
                card.item = Int::from(item);
            }
        }
        let mut answer = json!({"opening": opening});
        if let (Some(next), Some(answer)) = (dealt.pointer("/next/receipt"), answer.as_object_mut())
        {
            answer.insert("next".to_owned(), next.clone());
        }
        Ok((answer, Step::Show))
    }

    /// Makes a hand of another log. The honest one is voided, so that nothing stays locked.
    async fn fork(&mut self, dealer: &Dealer, opened: &Value) -> Result<Opening, Refused> {
        // Kept when the void fails, so that a player who comes again sees the same hand.
        if self.forged.is_none() {
            let lock = self.lock.as_ref().ok_or_else(|| Refused::stuck("the hand has no lock"))?;
            let house = brought(dealer, self.commitment)?;
            let at = lock.entries.last().map(|lock| lock.index.value());
            let view = View::of(dealer, at).await?;
            self.forged = Some(view.another_hand(lock, opened, house, dealer.now())?);
        }
        let body = json!({"nonce": ROUND, "reason": "misdeal", "next": false});
        self.call(dealer, "voids", body).await?;
        self.forged.clone().ok_or_else(|| Refused::stuck("the hand has no forged cards"))
    }

    /// Opens the house's cards, and reveals.
    pub(super) async fn show(&self, dealer: &Dealer) -> Stepped {
        if let Some(forged) = self.forged.clone() {
            return Ok((json!({"opening": of_places(forged, &HOUSES)}), Step::Over));
        }
        let opening = self.opening(dealer, &HOUSES, true).await?;
        if self.cheat == Some(Cheat::NeverReveal) {
            return Ok((json!({"opening": opening}), Step::Over));
        }
        let done = format!("/{}/rounds/{ROUND}/done", self.commitment);
        dealer.call(&done, None, json!({})).await?;
        self.call(dealer, "reveal", json!({"next": false})).await?;
        let reveal = dealer.ledger.receipt(self.commitment, Some(ROUND)).await?;
        Ok((json!({"opening": opening, "reveal": reveal}), Step::Over))
    }
}

type Promise = (Table, Commitment, Receipt);

async fn open_promise(dealer: &Dealer, table: Table) -> Result<Option<Promise>, Refused> {
    let commitment = dealer.ledger.find(&Named::LastOf(table.clone())).await?;
    let summary = dealer.ledger.show(commitment).await?;
    // A player who comes back late must not run into the deadline.
    let is_late = summary.terms.reveal_by.value() < dealer.now() + TIME_FOR_A_HAND;
    if summary.used || summary.ended.is_some() || is_late {
        return Ok(None);
    }
    Ok(Some((table, commitment, dealer.ledger.receipt(commitment, None).await?)))
}

async fn new_promise(dealer: &Dealer, cheat: Option<Cheat>) -> Result<Promise, Refused> {
    let name = format!("play/{}", hex::encode(*random::<8>().map_err(Refused::stuck)?));
    let never = cheat == Some(Cheat::NeverReveal);
    let (reveal, reveal_in) = if never { ("manual", "8s") } else { ("deadline", "10m") };
    let terms = json!({
        "table": name, "deck": "standard-52", "draw": 10, "sealed": true, "signed": true,
        "mixing": "hashes", "layout": {"hand": 5}, "rounds": 1, "rules": dealer.rules,
        // A deal asks for the next promise, so that an abandoned table has none.
        "reveal_in": reveal_in, "reveal": reveal, "next": false,
    });
    let made = dealer.call("", None, terms).await?;
    let part = |name: &str| made.get(name).cloned().unwrap_or_default();
    let commitment = serde_json::from_value(part("commitment")).map_err(Refused::stuck)?;
    let promise = serde_json::from_value(part("receipt")).map_err(Refused::stuck)?;
    Ok((Table::new(name).map_err(Refused::stuck)?, commitment, promise))
}

/// A seed of the house for a round, hashed, and signed with a new key.
fn brought(dealer: &Dealer, commitment: Commitment) -> Result<Brought, Refused> {
    let secret = || random::<32>().map_err(Refused::stuck);
    let [_, house] = SEATS;
    let from = Label::new(house).map_err(Refused::stuck)?;
    let seed = ClientSeed::new(hex::encode(*secret()?)).map_err(Refused::stuck)?;
    let (blind, signer) = (Blind::from_bytes(*secret()?), PlayerSigner::from_seed(&*secret()?));
    let contribution = Contribution { from: from.clone(), seed: seed.clone(), seen: None };
    let round = RoundOf { log: dealer.ledger.verifier_key(), commitment, nonce: ROUND };
    let hash = round.hash(&contribution, &blind);
    let hashed = signer.sign(&round, LoggedContribution::promised(from.clone(), hash, None));
    Ok(Brought { hashed, opened: Opened { blind, from, seed } })
}

fn of_places(mut opening: Opening, places: &[u32]) -> Opening {
    opening.opened.retain(|card| places.iter().any(|t| card.t.value() == u64::from(*t)));
    opening
}
