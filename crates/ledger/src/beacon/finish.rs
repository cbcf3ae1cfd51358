//! Finishes a round that waits for a beacon (spec/beacon.md, section 34).

use std::time::Duration;

use crate::core::Core;
use crate::deal::command::Command;
use crate::error::LedgerError;
use crate::read::queries::parse;
use crate::witness::anchors;
use crate::{Done, IdempotencyKey, Ledger, NewDeal, NewVoid, Reader};
use fairdeal::beacon::Chain;
use fairdeal::deal::{Commitment, Digest};
use fairdeal::record::Entry;
use fairdeal::record::entry::{BeaconSignature, Reason};
use fairdeal::record::life::{LockedTo, Open, locked_to};
use fairdeal::utc::utc;

/// How many seconds before its round is out a lock must have been signed (spec/beacon.md, section
/// 33).
const AHEAD: u64 = 5;

/// Why a round is voided that witnesses have not signed in time.
const NOT_WITNESSED: &str = "no quorum of witnesses has signed the lock in time";

/// How many anchors over a lock are read.
const ANCHORS: u32 = 16;

/// The longest pause between two looks at the clock: it may be set.
const LOOK: Duration = Duration::from_secs(1);

/// An open round, and the round of a known chain that it waits for.
struct Awaited {
    open: Open,
    chain: Chain,
    round: u64,
    /// When that round is out, in Unix seconds.
    out: u64,
    reveal_by: u64,
}

impl Reader {
    /// The signature of a beacon's round, from the relays, verified; each round is asked for once.
    ///
    /// # Errors
    /// [`LedgerError::Invalid`] for a chain that is not known; [`LedgerError::AwaitsBeacon`] if the
    /// round is not out by this ledger's clock, or no relay gives its signature.
    pub async fn beacon(&self, chain: &Digest, round: u64) -> Result<BeaconSignature, LedgerError> {
        let core = &self.core;
        let known = core.options.beacons.chains.get(chain).ok_or_else(|| {
            LedgerError::Invalid(format!("chain: expected one that is known, found {chain}"))
        })?;
        let out = known.out(round).saturating_mul(1000);
        let awaits = |says: String| LedgerError::AwaitsBeacon {
            says: format!("the signature of the beacon's round {round}: {says}"),
            out: Some(out),
        };
        if core.watch.unix() < out {
            return Err(awaits(format!("it is out at {}", utc(out))));
        }
        core.signature(known, round).await.map_err(awaits)
    }

    /// The open round of a commitment, if it waits for a beacon of a known chain.
    async fn awaited(&self, commitment: Commitment) -> Result<Option<Awaited>, LedgerError> {
        let summary = self.show(commitment).await?;
        let Some(open) = summary.open else { return Ok(None) };
        let chains = &self.core.options.beacons.chains;
        let locked = locked_to(&summary.terms, &open.lock, Some(chains));
        let reveal_by = summary.terms.reveal_by.value();
        Ok(locked.map(|locked: LockedTo<'_>| Awaited {
            chain: locked.chain.clone(),
            round: locked.round,
            out: locked.out(),
            open: open.clone(),
            reveal_by,
        }))
    }
}

impl Ledger {
    /// Deals a round.
    ///
    /// If the round waits for a beacon and the deal has no signature, the relays are asked, once.
    ///
    /// # Errors
    /// [`LedgerError::AwaitsBeacon`] if it is not out, or no relay gives its signature.
    pub async fn deal(
        &self,
        commitment: Commitment,
        mut round: NewDeal,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        if round.beacon.is_some() {
            self.verify_ahead(commitment, &round).await?;
            return self.deal_now(commitment, round, key).await;
        }
        match self.deal_now(commitment, round.clone(), key.clone()).await {
            Err(LedgerError::AwaitsBeacon { out: Some(_), .. })
                if !self.core.options.beacons.relays.is_empty()
                    && let Some(awaited) = self.awaited(commitment).await? =>
            {
                let signature = self.beacon(&awaited.chain.hash(), awaited.round).await?;
                round.beacon = Some(signature);
                self.deal_now(commitment, round, key).await
            }
            done => done,
        }
    }

    /// Verifies the signature before the tree's head is locked: that takes milliseconds, and the
    /// judge finds the answer remembered. The judge refuses a wrong one.
    async fn verify_ahead(
        &self,
        commitment: Commitment,
        deal: &NewDeal,
    ) -> Result<(), LedgerError> {
        let Some((awaited, signature)) = self.awaited(commitment).await?.zip(deal.beacon) else {
            return Ok(());
        };
        let core = std::sync::Arc::clone(&self.core);
        let verified = tokio::task::spawn_blocking(move || {
            let Awaited { chain, round, .. } = &awaited;
            core.options.beacons.chains.verifies(chain, *round, signature.as_bytes())
        });
        let _judged_again = verified.await.map_err(|e| LedgerError::System(e.to_string()))?;
        Ok(())
    }

    /// Waits for the beacon of the open round, and deals the round as `deal` says. With a policy of
    /// witnesses, a round whose lock no quorum has signed 5 seconds before its beacon is out is voided
    /// then, before anybody can know the result.
    ///
    /// # Errors
    /// [`LedgerError::AwaitsBeacon`] if no relay gives the signature: try again.
    /// [`LedgerError::Invalid`] if no round of the commitment waits for a beacon of a known chain.
    pub async fn finish(&self, commitment: Commitment, deal: NewDeal) -> Result<Done, LedgerError> {
        let Some(awaited) = self.awaited(commitment).await? else {
            let says = format!("no round of {commitment} waits for a beacon of a known chain");
            return Err(LedgerError::Invalid(says));
        };
        let nonce = awaited.open.lock.nonce;
        if self.core.witnesses.is_some() && !self.seen_in_time(&awaited).await? {
            let reason = Reason::new(NOT_WITNESSED)
                .map_err(|error| LedgerError::Invalid(error.to_string()))?;
            let void =
                NewVoid { nonce: Some(nonce), reason, blame: None, next: deal.next, ext: None };
            // It waits for witnesses or for a store: then it may be too late.
            let by = awaited.out.saturating_mul(1000).saturating_sub(1);
            match self.run(Command::Void(commitment, void, Some(by)), None).await {
                Err(LedgerError::Invalid(_)) => {}
                done => return done,
            }
        }
        while let Some(wait) = self.core.until(awaited.out) {
            tokio::time::sleep(wait.min(LOOK)).await;
            self.core.is_open()?;
        }
        // A round that nobody has finished is dealt, however late, as long as its reveal can be in
        // time.
        let late = deal.late || self.core.watch.unix() <= awaited.reveal_by;
        self.deal(commitment, NewDeal { nonce: Some(nonce), late, ..deal }, None).await
    }

    /// Waits until a quorum has signed the lock in time. `false` if none has, 5 seconds before the
    /// round is out, and the round is not out yet. After that nobody may void it for that reason: the
    /// result can be known.
    async fn seen_in_time(&self, awaited: &Awaited) -> Result<bool, LedgerError> {
        let Some(witnesses) = &self.core.witnesses else { return Ok(true) };
        let latest = awaited.out.saturating_sub(AHEAD);
        let mut answered = witnesses.subscribe();
        loop {
            answered.mark_unchanged();
            if self.core.is_witnessed(awaited.open.index, latest).await? {
                return Ok(true);
            }
            if self.core.until(awaited.out).is_none() {
                return Ok(true);
            }
            let Some(wait) = self.core.until(latest) else { return Ok(false) };
            let _woken = tokio::time::timeout(wait.min(LOOK), answered.changed()).await;
            self.core.is_open()?;
        }
    }
}

/// Whether an anchor in the log shows that a quorum of the ledger's own policy had signed an entry by
/// this second.
async fn anchored(core: &Core, index: u64, latest: u64) -> Result<bool, LedgerError> {
    let Some(witnesses) = &core.witnesses else { return Ok(false) };
    let mut read = core.state.read().await?;
    // The first one may have the line of a witness with a wrong time.
    let places = anchors::over(&mut *read, index, ANCHORS).await?;
    // Others write between two of these looks. The head comes last: it has those anchors.
    let head = read.head().await?;
    for (_, at) in places {
        let entry = parse(at, &core.tree(&mut *read, &head).entry(at).await?)?;
        let Entry::Anchor(anchor) = entry else { continue };
        let policy = &witnesses.options.policy;
        let quorum = anchor.witnessed(policy, core.origin.as_str()).and_then(|one| one.quorum);
        if quorum.and_then(|quorum| quorum.by).is_some_and(|by| by <= latest) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Core {
    /// Whether a quorum of the ledger's policy has signed an entry by this second, as far as is
    /// known. `true` without a policy.
    pub(crate) async fn is_witnessed(&self, index: u64, latest: u64) -> Result<bool, LedgerError> {
        let Some(witnesses) = &self.witnesses else { return Ok(true) };
        Ok(witnesses.has_signed(index, latest) || anchored(self, index, latest).await?)
    }

    /// The time until a second; `None` once it is there.
    fn until(&self, second: u64) -> Option<Duration> {
        let wait = second.saturating_mul(1000).saturating_sub(self.watch.unix());
        (wait > 0).then(|| Duration::from_millis(wait))
    }
}
