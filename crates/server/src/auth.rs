//! Authentication and rights: bearer tokens of 256 bits (spec/http.md, tokens). Only their SHA-256
//! is kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;

use super::Shared;
use super::problem::Problem;
use fairdeal::record::entry::Table;
use fairdeal_ledger::tokens::{Right, Token, TokenHash};
use fairdeal_ledger::{IdempotencyKey, LedgerError, Reader};

/// How long the tokens in memory may be behind those of the ledger: so long does a revoked one
/// still work.
pub(super) const FRESH: Duration = Duration::from_secs(1);

/// The tokens, as last read from the ledger.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    /// Replaced whole by [`Tokens::refresh`] alone.
    known: RwLock<HashMap<TokenHash, Arc<Token>>>,
    /// How many requests of each are under way, by its name. Written by [`Caller::hold`] and by the
    /// drop of what it returns.
    under_way: Mutex<HashMap<String, usize>>,
}

/// A request of a token that is under way.
pub(super) struct Held {
    app: Shared,
    pub(super) caller: Caller,
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(many) = self.app.tokens.under_way().get_mut(self.caller.name()) {
            *many -= 1;
        }
    }
}

impl Tokens {
    /// Reads them again.
    pub(super) async fn refresh(&self, reader: &Reader) -> Result<(), LedgerError> {
        let all = reader.tokens().await?;
        let all = all.into_iter().map(|(hash, token)| (hash, Arc::new(token))).collect();
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = all;
        Ok(())
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, hash: &TokenHash) -> Option<Arc<Token>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(hash).cloned()
    }
}

/// The caller of a request, by its token.
#[derive(Debug)]
pub(super) struct Caller(Arc<Token>);

impl FromRequestParts<Shared> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Problem> {
        let mut given = parts.headers.get_all(header::AUTHORIZATION).iter();
        let value = given.next().ok_or_else(|| {
            Problem::unauthorized("expected the header \"Authorization: Bearer TOKEN\", found none")
        })?;
        if given.next().is_some() {
            return Err(Problem::unauthorized("expected one Authorization header, found several"));
        }
        let text = value.to_str().ok().and_then(|text| text.split_once(' '));
        let Some((_, token)) = text.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        else {
            return Err(Problem::unauthorized("Authorization: expected \"Bearer TOKEN\""));
        };
        // A digest in place of the token: how long the search takes tells nothing of it.
        let hash = TokenHash::of(token);
        let found = if let Some(found) = app.tokens.find(&hash) {
            Some(found)
        } else {
            // It may be new.
            let turn = app.turns.stranger().await;
            let _turn = turn.ok_or_else(|| {
                Problem::unavailable(
                    "overloaded",
                    "as many unknown tokens are looked up as this service takes",
                    1,
                )
            })?;
            app.ledger.token(&hash).await?.map(Arc::new)
        };
        match found {
            Some(token) if !token.is_revoked() => Ok(Self(token)),
            _ => Err(Problem::unauthorized("the token is unknown or revoked")),
        }
    }
}

impl Caller {
    /// Counts a request. A problem where its token has half of all places already: one game server
    /// that runs wild stops no other.
    pub(super) fn hold(self, app: &Shared) -> Result<Held, Problem> {
        let most = (app.options.limits.writes / 2).max(1);
        let mut under_way = app.tokens.under_way();
        match under_way.get_mut(self.name()) {
            Some(many) if *many >= most => {
                let says = format!(
                    "the token {:?} has half of all requests under way, the most of one",
                    self.name()
                );
                return Err(Problem::too_many(says));
            }
            Some(many) => *many += 1,
            None => drop(under_way.insert(self.name().to_owned(), 1)),
        }
        drop(under_way);
        Ok(Held { app: Arc::clone(app), caller: self })
    }

    /// The token's name.
    pub(super) fn name(&self) -> &str {
        self.0.name()
    }

    /// The ledger's name for an idempotency key: no caller can take the keys of another one.
    pub(super) fn key(&self, key: Option<IdempotencyKey>) -> Option<IdempotencyKey> {
        Some(key?.of_caller(self.name()))
    }

    /// Checks a right.
    pub(super) fn may(&self, right: Right) -> Result<(), Problem> {
        if self.0.has(right) {
            return Ok(());
        }
        let says =
            format!("the token {:?} does not have the right to {}", self.name(), right.as_str());
        Err(Problem::forbidden(says))
    }

    /// Whether it is for some tables alone.
    pub(super) fn is_limited(&self) -> bool {
        self.0.is_limited()
    }

    /// Checks a table.
    pub(super) fn at(&self, table: &Table) -> Result<(), Problem> {
        if self.0.covers(table) {
            return Ok(());
        }
        let says = format!("the token {:?} is not for table {:?}", self.name(), table.as_str());
        Err(Problem::forbidden(says))
    }
}
