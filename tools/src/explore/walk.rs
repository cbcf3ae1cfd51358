//! The walk: breadth first, each state once, with the number of sequences that lead to it.

use std::collections::HashMap;

use fairdeal::record::entry::{Entry, Mixing};
use fairdeal::record::life::Extent;
use fairdeal::record::{Code, Judge, Judged};

use super::course::Course;
use super::excerpts::every_excerpt_holds;
use super::invariants::{audited, judged_alike};
use super::world::{Named, OpenLock, Scope, Step, World};

/// How far, and how thoroughly.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most entries of a log.
    pub length: usize,
    /// One in this many entries with findings is audited too; of the accepted ones, each state
    /// once.
    pub audit_one_in: usize,
    /// Excerpts are judged of logs of up to this many entries.
    pub excerpts: usize,
    /// Whether a log with findings is continued too. Then only the judges are compared with one
    /// another.
    pub past_findings: bool,
}

/// The explored part.
#[derive(Debug, Default)]
pub struct Explored {
    /// By length: new states, sequences of entries that the ledger accepts, and of those the ones
    /// with one more entry of any kind that were judged.
    pub levels: Vec<(usize, u128, u128)>,
    /// Logs that were audited from their bytes.
    pub audited: usize,
    /// Excerpts that were judged.
    pub excerpts: usize,
    /// Whether nothing was left to explore: these are all logs, of any length.
    pub complete: bool,
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    before: Option<(u32, Step)>,
    next: Vec<u32>,
    tried: u32,
}

/// A log so far.
#[derive(Clone)]
pub struct Log {
    pub steps: Vec<Step>,
    pub entries: Vec<Entry>,
    pub judge: Judge<Named>,
    /// A judge that has forgotten everything about ended commitments but how they ended.
    pub forgetful: Judge<Named>,
    pub course: Course,
    /// Whether anything but a late reveal was found.
    pub found: bool,
}

/// One more entry, judged.
pub struct Tried {
    pub step: Step,
    pub entry: Entry,
    pub judge: Judge<Named>,
    pub course: Course,
    pub found: bool,
    /// Whether the ledger would write it.
    pub accepted: bool,
    /// Whether it has no effect.
    pub refused: bool,
}

/// The result for one node.
#[derive(Default)]
struct Grown {
    tried: u32,
    audited: usize,
    excerpts: usize,
    children: Vec<(Step, Vec<u8>)>,
}

impl Log {
    pub fn new() -> Self {
        let judge = Judge::new(Named, Extent::Whole);
        let forgetful = judge.clone();
        let (steps, entries, course) = (Vec::new(), Vec::new(), Course::default());
        Self { steps, entries, judge, forgetful, course, found: false }
    }

    pub fn index(&self) -> u64 {
        u64::try_from(self.entries.len()).expect("few")
    }

    /// The lock that a deal of this step's round would name.
    pub fn open(&self, world: &World, step: Step) -> OpenLock {
        let open = self.judge.life(&world.commitments[step.what.c()])?.open.as_ref()?;
        Some((open.index, open.lock.contributions().iter().any(|one| one.hash.is_some())))
    }

    /// The result of one more entry.
    ///
    /// # Errors
    /// The broken promise.
    pub fn tried(&self, world: &World, scope: &Scope, step: Step) -> Result<Tried, String> {
        let entry = world.entry(scope, step, self.open(world, step), self.signed(scope, step));
        let (mut judge, mut course) = (self.judge.clone(), self.course);
        let judged = judged_alike(world, self, &mut judge, &entry)?;
        let accepted = accepted(&judged);
        if judged.effect.is_some() {
            let kept = course.take(step, |terms| scope.terms[terms].0 == Mixing::Hashes);
            if accepted && !self.found {
                kept?;
                let late = course.commitments[step.what.c()].is_some_and(|made| made.late);
                if late == judged.findings.is_empty() {
                    return Err("a late reveal is found, and no other".to_owned());
                }
            }
        } else if accepted {
            return Err("an entry without findings has no effect".to_owned());
        }
        let (found, refused) = (self.found || !accepted, judged.effect.is_none());
        Ok(Tried { step, entry, judge, course, found, accepted, refused })
    }

    /// The log with that entry.
    pub fn and(&self, tried: Tried) -> Self {
        let (mut steps, mut entries) = (self.steps.clone(), self.entries.clone());
        steps.push(tried.step);
        entries.push(tried.entry);
        let Tried { judge, course, found, .. } = tried;
        let mut log = Self { steps, entries, forgetful: judge.clone(), judge, course, found };
        log.forget();
        log
    }

    fn forget(&mut self) {
        self.forgetful = self.judge.clone();
        for (life, ()) in self.judge.remembered().lives {
            self.forgetful.forget_ended(&life.commit.commitment);
        }
    }

    /// Whether the contributions of a step's commitment are signed.
    fn signed(&self, scope: &Scope, step: Step) -> bool {
        self.course.commitments[step.what.c()].is_some_and(|made| scope.terms[made.terms].1)
    }
}

impl Tried {
    fn memory(&self, world: &World) -> Vec<u8> {
        let mut bytes = world.memory(&self.judge.remembered());
        bytes.push(u8::from(self.found));
        // The promises hold only for logs without findings.
        if !self.found {
            bytes.extend(self.course.memory());
        }
        bytes
    }
}

impl Explored {
    fn steps_of(&self, mut node: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some((before, step)) = self.nodes[node].before {
            steps.push(step);
            node = usize::try_from(before).expect("a node");
        }
        steps.reverse();
        steps
    }

    /// For each state, one of the shortest logs that lead to it.
    pub fn logs<'a>(
        &'a self,
        world: &'a World,
        scope: &'a Scope,
    ) -> impl Iterator<Item = Log> + 'a {
        (0..self.nodes.len()).map(move |node| again(world, scope, &self.steps_of(node)))
    }

    pub fn states(&self) -> usize {
        self.nodes.len()
    }

    /// How many sequences of each length there are: a state stands for all that lead to it.
    fn count(&mut self) {
        let mut ways: HashMap<usize, u128> = HashMap::from([(0, 1)]);
        let news = std::mem::take(&mut self.levels);
        for level in 0..news.len() {
            let tried =
                ways.iter().map(|(node, ways)| ways * u128::from(self.nodes[*node].tried)).sum();
            let new = news.get(level).map_or(0, |(new, ..)| *new);
            if ways.is_empty() {
                break;
            }
            self.levels.push((new, ways.values().sum(), tried));
            let mut next = HashMap::new();
            for (node, ways) in ways {
                for to in &self.nodes[node].next {
                    *next.entry(usize::try_from(*to).expect("a node")).or_insert(0) += ways;
                }
            }
            ways = next;
        }
    }
}

/// The log of these steps, which are already judged.
fn again(world: &World, scope: &Scope, steps: &[Step]) -> Log {
    let mut log = Log::new();
    for step in steps {
        let entry = world.entry(scope, *step, log.open(world, *step), log.signed(scope, *step));
        let judged = log.judge.apply(log.index(), &entry);
        log.found |= !accepted(&judged);
        if judged.effect.is_some() {
            // The promises hold only for logs without findings.
            let kept = log.course.take(*step, |terms| scope.terms[terms].0 == Mixing::Hashes);
            assert!(kept.is_ok() || log.found, "it held before");
        }
        log.steps.push(*step);
        log.entries.push(entry);
    }
    log.forget();
    log
}

/// Whether the ledger would write it.
fn accepted(judged: &Judged) -> bool {
    judged.findings.iter().all(|finding| finding.code == Code::LateReveal)
}

/// Explores all logs within the limits.
///
/// # Errors
/// The first invariant that does not hold, with one of the shortest logs in which it does not.
pub fn explore(world: &World, scope: &Scope, limits: Limits) -> Result<Explored, String> {
    let mut known: HashMap<Vec<u8>, u32> = HashMap::from([(Vec::new(), 0)]);
    let mut all = Explored::default();
    all.nodes.push(Node { before: None, next: Vec::new(), tried: 0 });
    all.levels.push((1, 0, 0));
    let mut frontier = vec![0];
    for _ in 0..limits.length {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let chunk = frontier.len().div_ceil(threads).max(1);
        let grown: Vec<Result<Grown, String>> = std::thread::scope(|scope_of_threads| {
            let (all, limits) = (&all, &limits);
            let work = |nodes: &[usize]| {
                let grow = |node: &usize| grow(world, scope, limits, &all.steps_of(*node));
                nodes.iter().map(grow).collect::<Vec<_>>()
            };
            let threads: Vec<_> = frontier
                .chunks(chunk)
                .map(|nodes| scope_of_threads.spawn(move || work(nodes)))
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
        });
        let mut next = Vec::new();
        for (node, grown) in frontier.into_iter().zip(grown) {
            let grown = grown?;
            (all.audited, all.excerpts) =
                (all.audited + grown.audited, all.excerpts + grown.excerpts);
            all.nodes[node].tried = grown.tried;
            for (step, memory) in grown.children {
                let new = all.nodes.len();
                let at =
                    *known.entry(memory).or_insert_with(|| u32::try_from(new).expect("under 2^32"));
                all.nodes[node].next.push(at);
                if usize::try_from(at).expect("a node") == new {
                    let before = Some((u32::try_from(node).expect("under 2^32"), step));
                    all.nodes.push(Node { before, next: Vec::new(), tried: 0 });
                    next.push(new);
                }
            }
        }
        all.levels.push((next.len(), 0, 0));
        frontier = next;
        if frontier.is_empty() {
            all.complete = true;
            break;
        }
    }
    all.count();
    Ok(all)
}

/// Tries everything after one log.
fn grow(world: &World, scope: &Scope, limits: &Limits, steps: &[Step]) -> Result<Grown, String> {
    let log = again(world, scope, steps);
    let mut grown = Grown::default();
    let told = |step: Option<Step>, says: String| {
        let all: Vec<String> =
            log.steps.iter().copied().chain(step).map(|step| format!("\n  {step:?}")).collect();
        format!("{says}{}", all.concat())
    };
    if !log.found {
        audited(world, &log, true).map_err(|says| told(None, says))?;
        grown.audited += 1;
    }
    for what in World::moves(scope, &log.course) {
        for (at, tick) in log.course.ticks(scope.times).enumerate() {
            let step = Step { what, tick };
            let tried = log.tried(world, scope, step).map_err(|says| told(Some(step), says))?;
            grown.tried += 1;
            let (accepted, refused) = (tried.accepted, tried.refused);
            if accepted || limits.past_findings {
                grown.children.push((step, tried.memory(world)));
            }
            let number = usize::try_from(grown.tried).expect("few");
            if !accepted && number.is_multiple_of(limits.audit_one_in) {
                audited(world, &log.and(tried), false).map_err(|says| told(Some(step), says))?;
                grown.audited += 1;
            } else if accepted && !log.found && log.entries.len() < limits.excerpts {
                let excerpts = every_excerpt_holds(&log.and(tried));
                grown.excerpts += excerpts.map_err(|says| told(Some(step), says))?;
            }
            // The rules that end the judging come before the rule about time.
            if refused && at == 0 {
                break;
            }
        }
    }
    Ok(grown)
}
