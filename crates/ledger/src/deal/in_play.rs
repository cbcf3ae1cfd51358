//! Hands in play: sealed rounds that are dealt and not over. A reveal would show their hidden
//! cards.
//!
//! Nothing of it is in the log. A round is in play from its deal, in the same transaction, until
//! somebody says that it is over, or its commitment is revealed.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::Core;
use crate::deal::batch::Waiting;
use crate::deal::command::Command;
use crate::error::LedgerError;
use crate::operate::memos;
use crate::read::queries;
use crate::store::{Memo, Read};
use fairdeal::deal::{Commitment, Nonce};

/// The kind of the memos: `COMMITMENT/NONCE`, the number in 16 digits.
const IN_PLAY: &str = "in-play";

/// The rounds in play of each commitment that a batch may reveal.
pub(crate) type InPlay = BTreeMap<Commitment, BTreeSet<u64>>;

fn prefix(commitment: &Commitment) -> String {
    format!("{commitment}/")
}

fn key(commitment: &Commitment, nonce: u64) -> String {
    format!("{commitment}/{nonce:016}")
}

/// The memo of a round that is in play now.
pub(crate) fn begun(commitment: &Commitment, nonce: Nonce) -> Memo {
    Memo::keep(IN_PLAY, key(commitment, nonce.value()), "")
}

/// Removes the memo of a round that is over.
pub(crate) fn over(commitment: &Commitment, nonce: u64) -> Memo {
    Memo::remove(IN_PLAY, key(commitment, nonce))
}

/// A commitment's rounds in play.
pub(crate) async fn rounds(
    read: &mut dyn Read,
    commitment: &Commitment,
) -> Result<BTreeSet<u64>, LedgerError> {
    let prefix = prefix(commitment);
    let nonce = |key: &str| {
        let nonce = key.strip_prefix(&prefix).and_then(|nonce| nonce.parse().ok());
        nonce.ok_or_else(|| LedgerError::Damaged(format!("{IN_PLAY} {key}: no round")))
    };
    memos::all(read, IN_PLAY, &prefix).await?.iter().map(|(key, _)| nonce(key)).collect()
}

/// The rounds in play of all commitments that a batch may reveal.
pub(crate) async fn of_batch(
    read: &mut dyn Read,
    waiting: &[Waiting],
) -> Result<InPlay, LedgerError> {
    let mut all = InPlay::new();
    for one in waiting {
        if let Command::Reveal(commitment, _) = &one.command
            && !all.contains_key(commitment)
        {
            all.insert(*commitment, rounds(read, commitment).await?);
        }
    }
    Ok(all)
}

/// Refuses a reveal that would show the cards of a hand in play, unless it is forced.
pub(crate) fn check(command: &Command, in_play: &InPlay) -> Result<(), LedgerError> {
    match command {
        Command::Reveal(commitment, reveal) if !reveal.force => {
            match in_play.get(commitment).filter(|rounds| !rounds.is_empty()) {
                Some(rounds) => {
                    let rounds = rounds.iter().copied().collect();
                    Err(LedgerError::RoundInPlay { commitment: *commitment, rounds })
                }
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Ends a round's play. The round must be dealt.
pub(crate) async fn done(
    core: &Core,
    commitment: Commitment,
    nonce: Nonce,
) -> Result<(), LedgerError> {
    let mut read = core.state.read().await?;
    let life = queries::life(&mut *read, commitment).await?.life;
    let next = life.next;
    if nonce.value() >= next {
        return Err(LedgerError::UnknownRound { commitment, nonce, next });
    }
    drop(read);
    memos::write(core, &[over(&commitment, nonce.value())]).await
}
