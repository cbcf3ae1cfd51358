//! Cuts the power at each point of some commands, and goes on from what the disk may then hold.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use tools::dice::Dice;

use super::Report;
use super::disk::{Change, Disk, Id, Node, Op, difference, is_mapped, make_change, sectors, write};
use super::home::{Home, Plan, command, ran, restarted};
use super::judge::{Asked, Case};
use super::trace::{CALLS, events, traced};

/// How much of what is not synced a disk holds.
#[derive(Clone, Copy, Debug)]
enum Holds {
    Nothing,
    Everything,
    /// The names, and no bytes: files are empty.
    Names,
    /// The bytes, and no names.
    Bytes,
    /// The first changes in order, and a part of the next.
    Beginning,
    /// The first changes of each file and each folder.
    EachBeginning,
    /// Each sector and each name by itself.
    Any,
}

const ALL: [Holds; 7] = [
    Holds::Nothing,
    Holds::Everything,
    Holds::Names,
    Holds::Bytes,
    Holds::Beginning,
    Holds::EachBeginning,
    Holds::Any,
];

/// The content that a disk may have after a cut.
struct Image {
    nodes: Vec<Node>,
    /// The changes that are lost, or torn.
    lost: Vec<String>,
}

/// A plan whose commands were traced.
struct Recorded<'a> {
    plan: &'a Plan,
    name: String,
    disk: Disk,
    asked: Vec<Asked>,
    /// Checkpoints that were seen before the plan.
    seen: Vec<String>,
}

pub fn run(home: &Home, dice: &mut Dice, images: usize) -> Report {
    let mut report = Report::default();
    let mut plans = Vec::new();
    for snapshot in &home.snapshots {
        plans.extend(snapshot.plans().into_iter().map(|plan| (snapshot, plan)));
    }
    let each = images.div_ceil(plans.len());
    for _ in 0..images.min(plans.len()) {
        let (snapshot, plan) = plans.swap_remove(dice.below(plans.len()));
        let begin = Recorded {
            plan: &plan,
            name: plan.name.clone(),
            disk: Disk::of(&snapshot.ledger).expect("a snapshot can be read"),
            asked: plan.asked(),
            seen: Vec::new(),
        };
        match record(home, &snapshot.ledger, begin) {
            Ok(recorded) => {
                report.count("traces", 1);
                cut(home, dice, &recorded, each, 2, &mut report);
            }
            Err(says) => {
                report.note(
                    &plan.name,
                    Err(super::Broken { rule: "a plan can be traced", says }),
                    |_| (),
                );
            }
        }
    }
    report
}

/// Runs the commands under strace on a copy of a ledger, and reads what they did.
fn record<'a>(home: &Home, ledger: &Path, begin: Recorded<'a>) -> Result<Recorded<'a>, String> {
    let (place, copied) = home.copied(ledger);
    let mut recorded = begin;
    recorded.disk = Disk::of(&copied).map_err(|e| e.to_string())?;
    for asked in &recorded.asked {
        let to = place.path().join("trace");
        let command = restarted(&command(&home.binary, &copied, &asked.args));
        let strace = &mut traced(&command, &to, &["-e", CALLS]);
        let done = ran(strace);
        if !done.status.success() {
            return Err(format!(
                "{}: {}",
                asked.args.join(" "),
                String::from_utf8_lossy(&done.stderr)
            ));
        }
        let trace = fs::read_to_string(&to).map_err(|e| e.to_string())?;
        recorded.disk.add(events(&trace, &copied)?, trace.lines().count())?;
    }
    // The model must have followed: else its images say nothing.
    let real = Disk::of(&copied).map_err(|e| e.to_string())?;
    match difference(&recorded.disk.live, 0, &real.live, 0) {
        Some(differs) => Err(format!("the trace does not explain the folder: {differs}")),
        None => Ok(recorded),
    }
}

/// Tries images at all cuts, each cut at least once if there are enough of them.
fn cut(
    home: &Home,
    dice: &mut Dice,
    recorded: &Recorded<'_>,
    images: usize,
    depth: usize,
    report: &mut Report,
) {
    let disk = &recorded.disk;
    // Between two cuts something changes, is synced, or is told.
    let mut cuts: Vec<usize> =
        disk.ops.iter().flat_map(|op| [Some(op.start), op.safe]).flatten().collect();
    cuts.extend(disk.told.iter().map(|(line, ..)| *line));
    cuts.extend(disk.ops.iter().filter_map(|op| op.safe).map(|line| line.saturating_sub(1)));
    cuts.sort_unstable();
    cuts.dedup();
    report.count("points of time", cuts.len());
    // Published files have names before they are synced, for a few calls: without favour these
    // would be missed.
    let naming: Vec<usize> = cuts.iter().copied().filter(|at| is_naming(disk, *at)).collect();
    let mut tried = HashSet::new();
    let mut order = Vec::new();
    for _ in 0..3 * images {
        if tried.len() >= images {
            break;
        }
        if order.is_empty() {
            order.clone_from(&cuts);
        }
        let at = if !naming.is_empty() && dice.one_in(3) {
            *dice.of(&naming)
        } else {
            order.swap_remove(dice.below(order.len()))
        };
        let holds = *dice.of(&ALL);
        let image = image(disk, at, holds, dice);
        if !tried.insert(digest(&image)) {
            continue;
        }
        report.count(if depth > 1 { "images" } else { "images of a second cut" }, 1);
        one(home, dice, recorded, (at, holds), &image, depth, report);
    }
}

/// Whether a published file has a name or bytes that are not synced.
fn is_naming(disk: &Disk, at: usize) -> bool {
    disk.ops.iter().any(|op| {
        let waits = op.start <= at && op.safe.is_none_or(|safe| safe > at);
        let makes = !matches!(op.change, Change::Name { to: None, .. });
        waits && makes && disk.live[op.node].path.starts_with("public")
    })
}

fn digest(image: &Image) -> u64 {
    let mut hasher = DefaultHasher::new();
    for node in &image.nodes {
        (node.names.iter().collect::<Vec<_>>(), &node.bytes).hash(&mut hasher);
    }
    hasher.finish()
}

/// Goes on from one image.
fn one(
    home: &Home,
    dice: &mut Dice,
    recorded: &Recorded<'_>,
    (at, holds): (usize, Holds),
    image: &Image,
    depth: usize,
    report: &mut Report,
) {
    let place = home.place();
    let ledger = place.path().join("ledger");
    write(&image.nodes, &ledger).expect("an image can be written");
    let disk = &recorded.disk;
    let mut asked = recorded.asked.clone();
    for (line, command, answer) in &disk.told {
        if *line <= at {
            asked[*command].told = Some(answer.clone());
        }
    }
    let known = disk.seen.iter().filter(|(line, _)| *line <= at).map(|(_, note)| note.clone());
    let seen: Vec<String> = recorded.seen.iter().cloned().chain(known).collect();
    let told = asked.iter().filter(|asked| asked.told.is_some()).count();
    report.count("answers told before", told);
    let lost = if image.lost.is_empty() { "nothing".to_owned() } else { image.lost.join("; ") };
    let name = format!(
        "{}, cut after line {at} of {}, {holds:?}, lost: {lost}",
        recorded.name, disk.lines
    );
    if depth > 1 && dice.one_in(8) {
        // The power is cut again while the commands are repeated.
        let again = Recorded {
            plan: recorded.plan,
            name: format!("{name}; then again"),
            disk: Disk::of(&ledger).expect("an image can be read"),
            asked: asked.clone(),
            seen: seen.clone(),
        };
        // Where the repeat fails, the case itself says so below.
        if let Ok(again) = record(home, &ledger, again) {
            report.count("second traces", 1);
            cut(home, dice, &again, 4, depth - 1, report);
        }
    }
    let case = Case {
        is_cut: true,
        home,
        plan: recorded.plan,
        ledger: &ledger,
        asked: &asked,
        seen: &seen,
    };
    report.settle(&name, &case);
}

/// How much of each node's changes a disk holds, in [`Holds::EachBeginning`] and
/// [`Holds::Beginning`].
struct Share {
    left: BTreeMap<Id, usize>,
    of_all: usize,
}

/// An image after a cut: what was synced, and of the rest what `holds` says.
fn image(disk: &Disk, at: usize, holds: Holds, dice: &mut Dice) -> Image {
    let begun: Vec<(usize, &Op)> =
        disk.ops.iter().enumerate().filter(|(_, op)| op.start <= at).collect();
    let is_safe = |op: &Op| op.safe.is_some_and(|safe| safe <= at);
    let mut nodes = disk.first.clone();
    let mut share = shares(&begun, is_safe, dice);
    let mut made = HashSet::new();
    let mut lost = Vec::new();
    let odds = 1 + dice.below(5);
    for (number, op) in begun {
        let node = &mut nodes[op.node];
        let is_name = matches!(op.change, Change::Name { .. });
        let whole = match holds {
            _ if is_safe(op) => Some(true),
            Holds::Nothing => Some(false),
            Holds::Everything => Some(true),
            Holds::Names => Some(is_name),
            Holds::Bytes => Some(!is_name),
            Holds::Beginning => next(&mut share.of_all),
            Holds::EachBeginning => next(share.left.entry(op.node).or_default()),
            Holds::Any if is_name => Some(!dice.one_in(1 + odds)),
            Holds::Any => None,
        };
        let waits =
            matches!(op.change, Change::Name { after: Some(after), .. } if !made.contains(&after));
        let whole = if waits && !is_safe(op) { Some(false) } else { whole };
        match (&op.change, whole) {
            (change, Some(true)) => {
                make_change(node, change, |_| true);
                made.insert(number);
                continue;
            }
            (_, Some(false)) | (Change::Name { .. }, None) => {}
            (change @ Change::Write { .. }, None) => {
                make_change(node, change, |_| !dice.one_in(1 + odds));
            }
            (Change::Length(length), None) => {
                if dice.one_in(2) {
                    make_change(node, &Change::Length(*length), |_| true);
                }
            }
        }
        lost.push(told(&disk.live[op.node], op, whole));
    }
    scramble(&mut nodes, dice);
    if lost.len() > 24 {
        let more = lost.len() - 24;
        lost.truncate(24);
        lost.push(format!("and {more} more"));
    }
    Image { nodes, lost }
}

/// Takes one from a share. The last one taken is in part.
fn next(left: &mut usize) -> Option<bool> {
    *left = left.saturating_sub(1);
    match *left {
        0 => Some(false),
        1 => {
            *left = 0;
            None
        }
        _ => Some(true),
    }
}

fn shares(begun: &[(usize, &Op)], is_safe: impl Fn(&Op) -> bool, dice: &mut Dice) -> Share {
    let mut waiting: BTreeMap<Id, usize> = BTreeMap::new();
    for (_, op) in begun.iter().filter(|(_, op)| !is_safe(op)) {
        *waiting.entry(op.node).or_default() += 1;
    }
    let all: usize = waiting.values().sum();
    let of_all = dice.below(all + 1) + 1;
    let left = waiting.into_iter().map(|(id, all)| (id, dice.below(all + 2) + 1)).collect();
    Share { left, of_all }
}

/// The file that SQLite maps may hold anything.
fn scramble(nodes: &mut [Node], dice: &mut Dice) {
    let way = dice.below(3);
    for node in nodes.iter_mut().filter(|node| is_mapped(&node.path.to_string_lossy())) {
        match way {
            0 => node.bytes.clear(),
            1 => node.bytes = vec![0; 32768],
            _ => node.bytes = (0..32768).map(|_| dice.below(256) as u8).collect(),
        }
    }
}

fn told(node: &Node, op: &Op, whole: Option<bool>) -> String {
    let path = node.path.display();
    let part = if whole.is_none() { " in part" } else { "" };
    match &op.change {
        Change::Write { at, bytes } => {
            let sectors = sectors(*at, bytes.len()).count();
            format!("{path} {} bytes at {at} ({sectors} sectors){part}", bytes.len())
        }
        Change::Length(length) => format!("{path} length {length}{part}"),
        Change::Name { name, to: Some(_), .. } => format!("the name {path}/{name}"),
        Change::Name { name, to: None, .. } => format!("the removal of {path}/{name}"),
    }
}
