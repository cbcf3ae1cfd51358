//! Tokens of the service's callers: 256 random bits each, of which only the SHA-256 is kept.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::entropy::random;
use crate::error::LedgerError;
use crate::operate::memos::{self, Chosen, Memos};
use crate::read::reader::Reader;
use crate::store::{Memo, Read};
use fairdeal::named;
use fairdeal::record::as_json::{object, present};
use fairdeal::record::entry::Table;

/// The kind of the memos with tokens: their key is the hash in hex.
const TOKEN: &str = "token";

/// The prefix of every token, so that a search for leaked secrets finds it.
const PREFIX: &str = "fairdeal_";

/// The longest name, in bytes.
const NAME: usize = 64;

named! {
    /// The rights of a token.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[non_exhaustive]
    Right {
        /// Read what is not public: the service's numbers.
        Read = "read",
        /// Commit, lock, deal, void and reveal.
        Write = "write",
        /// Open sealed cards.
        Open = "open",
    }
}

/// The tables that a token is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// This table.
    Table(Table),
    /// All tables whose names begin so.
    Prefix(String),
}

/// The stored part of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Token {
    name: String,
    rights: Vec<Right>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tables: Vec<Scope>,
    made: u64,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    revoked: Option<u64>,
}

object!(Token);

/// SHA-256 of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenHash([u8; 32]);

/// A new token. It is shown once, and prints nothing of itself in `Debug`.
pub struct TokenText(Zeroizing<String>);

impl TokenText {
    /// The token, to be handed to its user.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for TokenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenText(…)")
    }
}

impl TokenHash {
    /// The hash of a token's text.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    fn parse(key: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(key, &mut bytes).ok()?;
        Some(Self(bytes))
    }

    fn to_key(self) -> String {
        hex::encode(self.0)
    }
}

impl Token {
    /// Makes a token. `tables` empty: for all. `now` is in Unix milliseconds.
    ///
    /// # Errors
    /// [`LedgerError::Invalid`] for a name or a prefix that is empty, too long or has control
    /// characters; [`LedgerError::System`].
    pub fn generate(
        name: &str,
        rights: &[Right],
        tables: Vec<Scope>,
        now: u64,
    ) -> Result<(TokenText, TokenHash, Self), LedgerError> {
        let wrong =
            |text: &str| !(1..=NAME).contains(&text.len()) || text.chars().any(char::is_control);
        if wrong(name) {
            let says = format!("a token's name has 1 to {NAME} bytes without control characters");
            return Err(LedgerError::Invalid(says));
        }
        let mut prefixes = tables.iter().filter_map(|scope| match scope {
            Scope::Prefix(prefix) => Some(prefix),
            Scope::Table(_) => None,
        });
        if prefixes.any(|prefix| {
            prefix.is_empty() || prefix.len() > 128 || prefix.chars().any(char::is_control)
        }) {
            let says =
                "a prefix of tables has 1 to 128 bytes without control characters".to_owned();
            return Err(LedgerError::Invalid(says));
        }
        let text = TokenText(Zeroizing::new(format!(
            "{PREFIX}{}",
            *Zeroizing::new(hex::encode(*random::<32>()?))
        )));
        let hash = TokenHash::of(text.as_str());
        let mut rights = rights.to_vec();
        rights.sort_unstable();
        rights.dedup();
        Ok((text, hash, Self { name: name.to_owned(), rights, tables, made: now, revoked: None }))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its rights.
    #[must_use]
    pub fn rights(&self) -> &[Right] {
        &self.rights
    }

    /// The tables that it is for; empty for all.
    #[must_use]
    pub fn tables(&self) -> &[Scope] {
        &self.tables
    }

    /// When it was made, in Unix milliseconds.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.made
    }

    /// When it was revoked, in Unix milliseconds.
    #[must_use]
    pub fn revoked(&self) -> Option<u64> {
        self.revoked
    }

    /// Whether it is revoked.
    #[must_use]
    pub fn is_revoked(&self) -> bool {
        self.revoked.is_some()
    }

    /// The same, revoked at this time.
    #[must_use]
    pub fn revoked_at(self, now: u64) -> Self {
        Self { revoked: self.revoked.or(Some(now)), ..self }
    }

    /// Whether it has a right. Every token may read.
    #[must_use]
    pub fn has(&self, right: Right) -> bool {
        right == Right::Read || self.rights.contains(&right)
    }

    /// Whether it is for some tables alone.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Whether it is for this table.
    #[must_use]
    pub fn covers(&self, table: &Table) -> bool {
        let covers = |scope: &Scope| match scope {
            Scope::Table(one) => one == table,
            Scope::Prefix(prefix) => table.as_str().starts_with(prefix),
        };
        !self.is_limited() || self.tables.iter().any(covers)
    }

    /// The memo that keeps it.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a plain struct is always written")]
    pub fn memo(&self, hash: TokenHash) -> Memo {
        let text = serde_json::to_string(self).expect("a plain struct");
        Memo::keep(TOKEN, hash.to_key(), text)
    }

    fn read(key: &str, text: &str) -> Result<(TokenHash, Self), LedgerError> {
        let damaged = |says: String| LedgerError::Damaged(format!("a token's memo: {says}"));
        let hash = TokenHash::parse(key).ok_or_else(|| damaged("its key is no hash".to_owned()))?;
        Ok((hash, serde_json::from_str(text).map_err(|e| damaged(e.to_string()))?))
    }
}

impl Reader {
    /// All tokens, revoked ones too, by their hashes.
    pub async fn tokens(&self) -> Result<Vec<(TokenHash, Token)>, LedgerError> {
        self.core.is_open()?;
        all(&mut *self.core.state.read().await?).await
    }

    /// One token.
    pub async fn token(&self, hash: &TokenHash) -> Result<Option<Token>, LedgerError> {
        let found = self.memos(TOKEN, &hash.to_key(), None, 1).await?;
        found.first().map(|(key, text)| Token::read(key, text).map(|(_, token)| token)).transpose()
    }
}

impl Memos {
    /// Keeps a new token, unless another one that is not revoked has its name: the name is what
    /// idempotency keys belong to. Returns whether it is kept.
    pub async fn add_token(&self, hash: TokenHash, token: &Token) -> Result<bool, LedgerError> {
        let mut chosen = Chosen::begin(&self.core).await?;
        let all = all(&mut *chosen.transaction).await?;
        let is_taken = all.iter().any(|(_, one)| one.name == token.name && !one.is_revoked());
        chosen.write(&self.core, if is_taken { Vec::new() } else { vec![token.memo(hash)] }).await
    }
}

async fn all(read: &mut dyn Read) -> Result<Vec<(TokenHash, Token)>, LedgerError> {
    memos::all(read, TOKEN, "").await?.iter().map(|(key, text)| Token::read(key, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_for_its_tables_and_for_what_it_may() {
        let scopes =
            vec![Scope::Prefix("poker/".to_owned()), Scope::Table(Table::new("main").unwrap())];
        let (text, hash, token) = Token::generate("pit boss", &[Right::Write], scopes, 5).unwrap();
        assert_eq!(TokenHash::of(text.as_str()), hash);
        assert_eq!(text.as_str().len(), "fairdeal_".len() + 64);
        assert!(!format!("{text:?}").contains(&text.as_str()[9..]));
        for (table, covered) in
            [("poker/1", true), ("main", true), ("main2", false), ("poker", false)]
        {
            assert_eq!(token.covers(&Table::new(table).unwrap()), covered, "{table}");
        }
        assert!(token.has(Right::Write) && token.has(Right::Read) && !token.has(Right::Open));
        let memo = token.memo(hash);
        assert!(!memo.value.as_ref().unwrap().contains(text.as_str()));
        assert_eq!(Token::read(&memo.key, &memo.value.unwrap()).unwrap(), (hash, token));
    }

    #[test]
    fn a_name_is_refused_that_nobody_could_read() {
        for wrong in ["", "a\nb", &"x".repeat(65)] {
            assert!(Token::generate(wrong, &[], Vec::new(), 0).is_err(), "{wrong:?}");
        }
    }
}
