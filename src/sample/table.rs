//! One table of a sample log: a commitment, its rounds, its reveal, and the next commitment after
//! it.

use super::{SampleError, SampleTerms, Step, drawn};
use crate::deal::{
    ClientSeed, Commitment, Contribution, Contributions, Deck, Label, Nonce, SeedMac, ServerSeed,
};
use crate::record::entry::{
    self, Commit, Deal, Entry, Int, LoggedContribution, MAX_REVEAL_IN, Origin, Reason, Reveal,
    Terms, Void,
};
use crate::record::replay::deal_round;

#[derive(Debug)]
pub(super) struct Table {
    name: String,
    terms: SampleTerms,
    seed: u64,
    /// The number of commitments that were made.
    made: u64,
    last: Option<Commitment>,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    commit: Box<Commit>,
    server_seed: ServerSeed,
    mac: SeedMac,
    logged: Vec<LoggedContribution>,
    players: Contributions,
    next: u64,
}

type Made = Result<String, SampleError>;

impl Table {
    pub(super) fn new(number: u64, terms: &SampleTerms, seed: u64) -> Result<Self, SampleError> {
        Origin::new(terms.origin.as_str()).map_err(SampleError::of)?;
        let name = format!("table {number}");
        Ok(Self { name, terms: terms.clone(), seed, made: 0, last: None, open: None })
    }

    /// The table's next entry.
    pub(super) fn next(&mut self, time: u64) -> (Made, Step) {
        match &mut self.open {
            None => (self.commit(time), Step::Committed),
            Some(open) if open.next < self.terms.rounds => {
                let void_every = self.terms.void_every;
                let is_void = void_every > 0 && open.next % void_every == void_every - 1;
                let made = if is_void { open.void(time) } else { open.deal(time) };
                open.next += 1;
                (made, if is_void { Step::Voided } else { Step::Dealt })
            }
            Some(_) => (
                self.end(time).unwrap_or_else(|| Err(SampleError("nothing to reveal".to_owned()))),
                Step::Revealed,
            ),
        }
    }

    /// Reveals, if a commitment is open.
    pub(super) fn end(&mut self, time: u64) -> Option<Made> {
        self.open.take().map(|open| open.reveal(time))
    }

    fn commit(&mut self, time: u64) -> Made {
        let number = self.made.to_string();
        let words = [self.name.as_str(), &number];
        let server_seed = ServerSeed::from_bytes(&mut drawn(self.seed, &words));
        self.made += 1;
        let origin = Origin::new(self.terms.origin.as_str()).map_err(SampleError::of)?;
        let table = entry::Table::new(self.name.as_str()).map_err(SampleError::of)?;
        let terms =
            Terms { rounds: int(self.terms.rounds)?, ..Terms::new(table, Deck::standard()) };
        let reveal_by = int(time.saturating_add(MAX_REVEAL_IN))?;
        let commit = Commit::new(server_seed.commitment(), origin, terms, int(time)?, reveal_by);
        let commit = Commit { after: self.last, ..commit };
        let mut logged = Vec::new();
        let mut clients = Vec::new();
        for player in 0..self.terms.players {
            let who = format!("player {player:02}");
            let digits = hex::encode(drawn(self.seed, &[self.name.as_str(), &number, &who]));
            let (name, seed) = (&digits[..8], &digits[8..24]);
            let from = Label::new(format!("{player:02}-{name}")).map_err(SampleError::of)?;
            let seed = ClientSeed::new(seed).map_err(SampleError::of)?;
            clients.push(Contribution { from: from.clone(), seed: seed.clone(), seen: None });
            logged.push(LoggedContribution::clear(from, seed, None));
        }
        let players = Contributions::of_clients(clients).map_err(SampleError::of)?;
        self.last = Some(commit.commitment);
        let commit = Box::new(commit);
        let made = written(&Entry::Commit(commit.clone()));
        let mac = server_seed.mac();
        self.open = Some(Open { commit, server_seed, mac, logged, players, next: 0 });
        made
    }
}

impl Open {
    fn nonce(&self) -> Result<Nonce, SampleError> {
        Nonce::new(self.next).map_err(SampleError::of)
    }

    fn deal(&self, time: u64) -> Made {
        let nonce = self.nonce()?;
        let result = deal_round(&self.commit, &self.mac, nonce, &self.players)
            .map_err(SampleError::of)?
            .form;
        let (commitment, logged) = (self.commit.commitment, self.logged.clone());
        written(&Deal::in_clear(commitment, nonce, logged, result, int(time)?).into())
    }

    fn void(&self, time: u64) -> Made {
        let reason = Reason::new("a player left before the deal").map_err(SampleError::of)?;
        written(&Void::round(self.commit.commitment, self.nonce()?, reason, int(time)?).into())
    }

    fn reveal(&self, time: u64) -> Made {
        written(&Reveal::new(&self.server_seed, int(time)?).into())
    }
}

fn int(value: u64) -> Result<Int, SampleError> {
    Int::try_from(value).map_err(SampleError::of)
}

fn written(entry: &Entry) -> Made {
    entry.to_text().map_err(SampleError::of)
}
