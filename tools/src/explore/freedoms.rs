//! The choices that an operator still has once it knows a player's seed. Tried at every state of
//! every log without findings, and compared with a table of all choices.

use std::collections::BTreeMap;

use fairdeal::deal::ClientSeed;
use fairdeal::record::entry::{Deal, Entry, Lock, LoggedContribution, Mixing, Opened};
use fairdeal::record::receipt::{Document, Given, ReaderGiven, Shown, verify_with};
use fairdeal::record::{Judge, Life, replay};

use super::table::{
    CLEAR, CLEAR_SEEN, CLEAR_SIGNED, Choice, FREEDOMS, HASHED, HASHED_SIGNED, Notice, Row,
};
use super::walk::{Limits, Log, explore};
use super::world::{
    How, MOST, Move, Named, Scope, Step, Terms, World, commit, contribution, player, sign,
};
use crate::paper::{ORIGIN, PaperLog, int, logged_clients, mixed, nonce};

/// The rows that were found: for each choice the least notice over all states.
pub type Left = BTreeMap<(&'static str, bool), BTreeMap<Choice, Notice>>;

/// A log that continues as long as nothing is found in it.
#[derive(Clone)]
struct Play<'a> {
    world: &'a World,
    entries: Vec<Entry>,
    judge: Judge<Named>,
    /// The round that mixed the player's contribution.
    mixed: Option<(usize, u64)>,
}

/// One player's contribution to one round.
struct Case<'a> {
    play: Play<'a>,
    c: usize,
    n: u64,
    given: LoggedContribution,
    own: Given,
}

/// The rows of the table.
pub fn freedoms() -> Left {
    let row = |(name, locked, choices): &Row| ((*name, *locked), choices.iter().copied().collect());
    FREEDOMS.iter().map(row).collect()
}

/// Tries every choice at every state within this many entries; also returns how many were tried.
///
/// # Errors
/// The findings of the walk itself.
pub fn compute(world: &World, length: usize) -> Result<(Left, usize), String> {
    let (mut left, mut count) = (Left::new(), 0);
    for (names, hashed, signed) in [
        (&[CLEAR, CLEAR_SEEN][..], false, false),
        (&[CLEAR_SIGNED], false, true),
        (&[HASHED], true, false),
        (&[HASHED_SIGNED], true, true),
    ] {
        let mixing = if hashed { Mixing::Hashes } else { Mixing::Seeds };
        let own = (mixing, signed);
        let plain = (Mixing::Seeds, false);
        let terms = if own == plain { vec![own] } else { vec![own, plain] };
        let scope = Scope { commitments: MOST - 1, terms, times: false };
        let limits = Limits { length, audit_one_in: usize::MAX, excerpts: 0, past_findings: false };
        let states = explore(world, &scope, limits)?;
        for log in states.logs(world, &scope) {
            for (name, case, locked) in cases(world, &log, names, own) {
                count += 1;
                let row = left.entry((name, locked)).or_default();
                for (choice, notice) in case.choices(own, locked) {
                    let most = row.entry(choice).or_insert(notice);
                    *most = notice.max(*most);
                }
            }
        }
    }
    Ok((left, count))
}

/// The rounds of a log whose contribution the operator knows.
fn cases<'a>(
    world: &'a World,
    log: &Log,
    names: &[&'static str],
    (mixing, signed): Terms,
) -> Vec<(&'static str, Case<'a>, bool)> {
    let mut cases = Vec::new();
    let (entries, judge) = (log.entries.clone(), log.judge.clone());
    let play = Play { world, entries, judge, mixed: None };
    for c in 0..log.course.made() {
        let Some(life) = log.judge.life(&world.commitments[c]).filter(|life| !life.closed()) else {
            continue;
        };
        if (life.commit.mixing, life.commit.signed) != (mixing, signed) {
            continue;
        }
        let (n, hashed) = (life.next, mixing == Mixing::Hashes);
        let small = u8::try_from(n).expect("few");
        let given = contribution(&life.commit.commitment, c, small, hashed, signed);
        for name in names {
            let mut case = Case {
                play: play.clone(),
                c,
                n,
                own: own(&given, c, n, world),
                given: given.clone(),
            };
            match &life.open {
                // The lock has another kind of contribution, which belongs to another row.
                Some(open) if open.lock.contributions() != std::slice::from_ref(&given) => {}
                Some(_) if *name != CLEAR_SEEN => cases.push((*name, case, true)),
                Some(_) => {}
                // Until the lock, only the player knows the seed behind a hash.
                None if hashed => {}
                None if *name == CLEAR_SEEN => {
                    let seen = case.play.written().seen();
                    case.given.seen = Some(seen.clone());
                    case.own.seen = Some(seen);
                    let mut locked = case.clone_of();
                    let lock = locked.play.lock(c, n, vec![case.given.clone()]);
                    assert!(locked.play.write(lock), "it may be locked");
                    cases.extend([(*name, case, false), (*name, locked, true)]);
                }
                None => cases.push((*name, case, false)),
            }
        }
    }
    cases
}

/// The data that the player keeps.
fn own(given: &LoggedContribution, c: usize, n: u64, world: &World) -> Given {
    let player = player(c);
    let mut own = Given {
        blind: given.hash.map(|_| player.blind),
        commitment: None,
        from: given.from.clone(),
        given: false,
        hash: given.hash,
        key: given.key,
        log: None,
        nonce: None,
        seed: Some(player.seed),
        seen: None,
        signature: given.signature,
    };
    if given.hash.is_some() || given.key.is_some() {
        (own.commitment, own.nonce) = (Some(world.commitments[c]), Some(nonce(n)));
        own.log = Some(world.key.clone());
    }
    own
}

impl Case<'_> {
    fn clone_of(&self) -> Self {
        let (play, given, own) = (self.play.clone(), self.given.clone(), self.own.clone());
        Self { play, c: self.c, n: self.n, given, own }
    }

    /// Every choice that leaves no finding in the log, and how it is noticed.
    fn choices(&self, terms: Terms, locked: bool) -> Vec<(Choice, Notice)> {
        let (c, n) = (self.c, self.n);
        let suited = self.suited(terms);
        let mut tried: Vec<(Choice, Notice, Vec<Play<'_>>)> = vec![
            (Choice::Deal, Notice::Nothing, self.mix(&self.play, c, n)),
            (Choice::Add, Notice::Nothing, self.instead(&[self.given.clone(), suited.clone()])),
            (Choice::LeaveOut, Notice::Nothing, self.instead(&[suited])),
        ];
        let dropped = self.dropped(locked);
        let counted = if locked { Notice::Counted } else { Notice::Nothing };
        let voided = self.play.and(|play| play.void(c, Some(n)));
        let later = voided.iter().flat_map(|play| self.mix(play, c, n + 1)).collect();
        let ended = dropped.iter().flat_map(|play| play.ended(c));
        let ended: Vec<Play<'_>> = ended.flat_map(|play| self.fresh(&play, terms, true)).collect();
        let others: Vec<Play<'_>> = dropped.iter().flat_map(|play| self.others(play)).collect();
        let fresh: Vec<Play<'_>> =
            dropped.iter().flat_map(|play| self.fresh(play, terms, false)).collect();
        tried.push((Choice::LaterRound, Notice::Counted, later));
        tried.push((Choice::EndEarly, Notice::Counted, ended));
        tried.push((Choice::OtherTable, counted, others));
        tried.push((Choice::NewCommitment, counted, fresh));
        if self.given != self.copied().given {
            let weakest = (Mixing::Seeds, false);
            let copied = self.copied();
            let copy = |play| [copied.others(play), copied.fresh(play, weakest, false)].concat();
            let all = dropped.iter().flat_map(copy).collect();
            tried.push((Choice::Copy, counted, all));
        }
        tried.push((Choice::Void, Notice::Counted, voided));
        let mut found: Vec<(Choice, Notice)> = tried
            .into_iter()
            .flat_map(|(choice, best, plays)| {
                plays.into_iter().map(move |play| (choice, best, play))
            })
            .map(|(choice, best, play)| (choice, self.notice(&play).min(best)))
            .collect();
        let can_end = !self.play.ended(c).is_empty();
        found.push((Choice::Nothing, if can_end { Notice::Nothing } else { Notice::Overdue }));
        found
    }

    /// Whether the player's own receipt says that something is wrong, or does not show what it should.
    fn notice(&self, play: &Play<'_>) -> Notice {
        let Some((c, n)) = play.mixed else { return Notice::Nothing };
        let commitment = play.world.commitments[c];
        let of_it = |entry: &Entry| {
            entry.commitment() == Some(commitment)
                && entry.nonce().is_none_or(|other| other.value() == n)
        };
        let indices =
            (0..).zip(&play.entries).filter(|(_, entry)| of_it(entry)).map(|(index, _)| index);
        let receipt = play.written().receipt(&indices.collect::<Vec<u64>>());
        let given = ReaderGiven { mine: vec![self.own.clone()], ..ReaderGiven::default() };
        let verdict = verify_with(&Document::Receipt(receipt), &play.world.key, &given);
        let first = self.own.seen.is_none() && self.own.hash.is_none();
        let shows = |token| verdict.shown.contains(&token);
        if verdict.holds && shows(Shown::Yours) && (first || shows(Shown::CommittedFirst)) {
            Notice::Nothing
        } else {
            Notice::Receipt
        }
    }

    /// A contribution that the operator makes to suit; it copies the player's `seen`.
    fn suited(&self, (_, signed): Terms) -> LoggedContribution {
        let mut one = logged_clients(&[("bob", "made to suit")]).remove(0);
        one.seen.clone_from(&self.given.seen);
        if signed { sign(2, &self.play.world.commitments[self.c], self.n, one) } else { one }
    }

    fn seed(&self) -> ClientSeed {
        self.own.seed.clone().expect("a player keeps the seed")
    }

    /// A contribution with only the same name and seed.
    fn copied(&self) -> Self {
        let clear = LoggedContribution::clear(self.given.from.clone(), self.seed(), None);
        Self { given: clear, ..self.clone_of() }
    }

    /// Drops the round: voids it if it is locked, otherwise writes nothing.
    fn dropped(&self, locked: bool) -> Vec<Play<'_>> {
        if locked {
            self.play.and(|play| play.void(self.c, Some(self.n)))
        } else {
            vec![self.play.clone()]
        }
    }

    /// Deals the round with these in the place of the player's contribution, even against the lock.
    fn instead(&self, contributions: &[LoggedContribution]) -> Vec<Play<'_>> {
        let (c, n) = (self.c, self.n);
        let clear: Vec<LoggedContribution> = contributions
            .iter()
            .map(|one| if one.hash.is_some() { self.copied().given } else { one.clone() })
            .collect();
        let open = self.play.open(c);
        let mut plays = self.play.and(|play| play.deal(c, n, &clear, None));
        if open.is_none() {
            plays.extend(self.play.and(|play| play.lock(c, n, clear.clone())).iter().flat_map(
                |play| {
                    play.and(|play| {
                        play.deal(c, n, &clear, play.open(c).map(|open| (open, Vec::new())))
                    })
                },
            ));
        } else {
            // It names the lock, but opens nothing, or too much; or a second lock comes first.
            let bob = player(c);
            let opened = contributions.iter().map(|one| Opened {
                blind: bob.blind,
                from: one.from.clone(),
                seed: bob.seed.clone(),
            });
            let opened: Vec<Opened> = opened.collect();
            for opened in [Vec::new(), opened] {
                // With a lock in the clear, a deal without `opened` mixes the player's
                // contribution.
                if self.given.seed.is_some() && opened.is_empty() {
                    continue;
                }
                let lock = open.map(|open| (open, opened));
                plays.extend(self.play.and(|play| play.deal(c, n, &clear, lock.clone())));
            }
            plays.extend(self.play.and(|play| play.lock(c, n, clear.clone())));
        }
        plays.into_iter().map(|play| Play { mixed: Some((c, n)), ..play }).collect()
    }

    /// Mixes the contribution into a round, locked or not.
    fn mix<'b>(&self, play: &Play<'b>, c: usize, n: u64) -> Vec<Play<'b>> {
        let seen = self.given.seen.clone();
        let clear = LoggedContribution::clear(self.given.from.clone(), self.seed(), seen);
        let given = std::slice::from_ref(&self.given);
        let mut plays = Vec::new();
        let locked = if play.open(c).is_some() {
            vec![play.clone()]
        } else {
            if self.given.seed.is_some() {
                plays.extend(play.and(|play| play.deal(c, n, given, None)));
            }
            play.and(|play| play.lock(c, n, given.to_vec()))
        };
        for play in locked {
            let blind = self.own.blind.filter(|_| self.given.hash.is_some());
            let seed = self.seed();
            let opened = blind.map(|blind| Opened { blind, from: self.given.from.clone(), seed });
            let lock = play.open(c).map(|open| (open, opened.into_iter().collect()));
            plays.extend(play.and(|play| play.deal(c, n, std::slice::from_ref(&clear), lock)));
        }
        plays.into_iter().map(|play| Play { mixed: Some((c, n)), ..play }).collect()
    }

    /// Mixes it under an existing commitment.
    fn others<'b>(&self, play: &Play<'b>) -> Vec<Play<'b>> {
        let free = |c: &usize| *c != self.c && play.open(*c).is_none();
        let known = (0..MOST).filter(free).filter_map(|c| Some((c, play.life(c)?.next)));
        known.flat_map(|(c, n)| self.mix(play, c, n)).collect()
    }

    /// Mixes it under a new commitment, at this table or at the other one.
    fn fresh<'b>(&self, play: &Play<'b>, terms: Terms, at_this: bool) -> Vec<Play<'b>> {
        let Some(c) = (0..MOST).find(|c| play.life(*c).is_none()) else { return Vec::new() };
        let here = play.life(self.c).map(|life| life.commit.table.clone());
        let known = play.judge.remembered().tables;
        let mut plays = Vec::new();
        for table in 0..2 {
            let mut one = commit(c, &play.world.commitments, table, terms, 0);
            one.after = known.iter().find(|(name, _)| *name == one.table).map(|(_, last)| *last);
            if (Some(&one.table) == here.as_ref()) == at_this {
                let made = play.and(|_| Entry::Commit(Box::new(one)));
                plays.extend(made.iter().flat_map(|play| self.mix(play, c, 0)));
            }
        }
        plays
    }
}

impl Play<'_> {
    /// The log with one more entry, if that has no findings.
    fn and(&self, entry: impl FnOnce(&Self) -> Entry) -> Vec<Self> {
        let mut more = self.clone();
        if more.write(entry(self)) { vec![more] } else { Vec::new() }
    }

    fn write(&mut self, entry: Entry) -> bool {
        let index = u64::try_from(self.entries.len()).expect("few");
        // This cannot be written as an entry.
        let holds = entry.to_text().is_ok() && self.judge.apply(index, &entry).findings.is_empty();
        self.entries.push(entry);
        holds
    }

    fn life(&self, c: usize) -> Option<&Life> {
        self.judge.life(&self.world.commitments[c])
    }

    fn open(&self, c: usize) -> Option<u64> {
        self.life(c)?.open.as_ref().map(|open| open.index)
    }

    fn written(&self) -> PaperLog {
        let mut paper = PaperLog::new(ORIGIN, 7);
        self.entries.iter().for_each(|entry| {
            paper.append(entry);
        });
        paper
    }

    /// The log after the commitment's reveal or whole void.
    fn ended(&self, c: usize) -> Vec<Self> {
        [self.and(|play| play.void(c, None)), self.and(|play| play.reveal(c))].concat()
    }

    fn step(&self, what: Move) -> Entry {
        let scope = Scope { commitments: MOST, terms: Vec::new(), times: false };
        self.world.entry(&scope, Step { what, tick: 0 }, None, false)
    }

    fn void(&self, c: usize, n: Option<u64>) -> Entry {
        let small = |n| u8::try_from(n).expect("few");
        self.step(n.map_or(Move::WholeVoid { c }, |n| Move::Void { c, n: small(n), blames: false }))
    }

    fn reveal(&self, c: usize) -> Entry {
        self.step(Move::Reveal { c, right: true })
    }

    fn lock(&self, c: usize, n: u64, contributions: Vec<LoggedContribution>) -> Entry {
        let small = u8::try_from(n).expect("few");
        let lock = self.step(Move::Lock { c, n: small, hashed: false });
        let Entry::Lock(lock) = lock else { unreachable!("a lock") };
        Entry::Lock(Box::new(Lock { contributions: Some(contributions), ..*lock }))
    }

    /// A deal of clear seeds; or one that names a lock and opens its hashes with these seeds.
    fn deal(
        &self,
        c: usize,
        n: u64,
        clear: &[LoggedContribution],
        lock: Option<(u64, Vec<Opened>)>,
    ) -> Entry {
        let small = u8::try_from(n).expect("few");
        let deal = self.step(Move::Deal { c, n: small, how: How::Clear });
        let Entry::Deal(deal) = deal else { unreachable!("a deal") };
        let result = self.life(c).map_or(deal.result.clone(), |life| {
            let mac = &self.world.macs[c];
            replay::deal_round(&life.commit, mac, nonce(n), &mixed(clear))
                .expect("legal terms")
                .form
        });
        let mut deal = Deal { result, contributions: Some(clear.to_vec()), ..*deal };
        if let Some((index, opened)) = lock {
            deal.contributions = None;
            deal.lock = Some(int(index));
            deal.opened = Some(opened).filter(|opened| !opened.is_empty());
        }
        Entry::Deal(Box::new(deal))
    }
}
