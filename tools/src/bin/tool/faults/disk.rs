//! The content that a disk may have after a power cut.
//!
//! Each change of a file's bytes or of a folder's names waits until it is synced: by fsync or
//! fdatasync of the file, by fsync of the folder, or by syncfs. Until then the disk may hold all, a
//! part or nothing of it, in any order.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::trace::{Call, Event};

/// A file or a folder, whatever its names.
pub type Id = usize;

/// The umask that tests run with; private files have modes that it does not change.
const UMASK: u32 = 0o022;

#[derive(Clone, Debug, Default)]
pub struct Node {
    pub is_folder: bool,
    pub mode: u32,
    pub bytes: Vec<u8>,
    pub names: BTreeMap<String, Id>,
    /// One of its names, to tell of it.
    pub path: PathBuf,
}

#[derive(Clone, Debug)]
pub enum Change {
    Write {
        at: u64,
        bytes: Vec<u8>,
    },
    Length(u64),
    /// A name in a folder. What a rename leaves goes only if what it makes is there: `after` is
    /// that change.
    Name {
        name: String,
        to: Option<Id>,
        after: Option<usize>,
    },
}

/// A change of one node, between two lines of the trace, and the line after which it is on the
/// disk.
#[derive(Clone, Debug)]
pub struct Op {
    pub start: usize,
    pub end: usize,
    pub node: Id,
    pub change: Change,
    pub safe: Option<usize>,
}

/// A folder's history: what was there, every change since, and what was told meanwhile.
#[derive(Debug)]
pub struct Disk {
    root: PathBuf,
    /// As they were before the first change; the root is the first.
    pub first: Vec<Node>,
    /// As a running system sees them.
    pub live: Vec<Node>,
    pub ops: Vec<Op>,
    /// The answers, with the line from which they may be known, and the command.
    pub told: Vec<(usize, usize, String)>,
    /// The checkpoints, with the line from which they may have been read.
    pub seen: Vec<(usize, String)>,
    /// The lines where the commands begin, and the end of the last one.
    pub begins: Vec<usize>,
    pub lines: usize,
}

impl Disk {
    /// A folder whose contents are all on the disk.
    pub fn of(root: &Path) -> std::io::Result<Self> {
        let mut nodes = Vec::new();
        load(root, &mut nodes, &mut HashMap::new())?;
        for node in &mut nodes {
            node.path = node.path.strip_prefix(root).unwrap_or(&node.path).to_owned();
        }
        // After a cut it may be empty or zeros: nobody keeps that.
        let note = super::judge::checkpoint(root).filter(|note| note.contains('\n'));
        let seen = note.into_iter().map(|note| (0, note)).collect();
        Ok(Self {
            root: root.to_owned(),
            live: nodes.clone(),
            first: nodes,
            ops: Vec::new(),
            told: Vec::new(),
            seen,
            begins: Vec::new(),
            lines: 0,
        })
    }

    /// Adds the trace of the next command.
    pub fn add(&mut self, events: Vec<Event>, lines: usize) -> Result<(), String> {
        let (offset, command) = (self.lines, self.begins.len());
        self.begins.push(offset);
        let mut fds = HashMap::new();
        let mut told = String::new();
        for Event { start, end, call } in events {
            let span = (start + offset, end + offset);
            if let Call::Told { bytes } = &call {
                told.push_str(&String::from_utf8_lossy(bytes));
                if told.ends_with('\n') {
                    self.told.push((span.0, command, std::mem::take(&mut told)));
                }
                continue;
            }
            self.apply(span, call, &mut fds)?;
        }
        self.lines += lines;
        Ok(())
    }

    fn apply(
        &mut self,
        span: (usize, usize),
        call: Call,
        fds: &mut HashMap<i32, (Id, u64)>,
    ) -> Result<(), String> {
        let unknown = |fd: i32| format!("file descriptor {fd} was never opened");
        match call {
            Call::Open { path, fd, create, truncate, append, mode } => {
                let id = match self.find(&path) {
                    Some(id) => id,
                    None if create => self.make(span, &path, false, mode)?,
                    None => return Err(format!("{}: opened, and is not there", path.display())),
                };
                if truncate && !self.live[id].bytes.is_empty() {
                    self.change(span, id, Change::Length(0));
                }
                let at = if append { self.live[id].bytes.len() as u64 } else { 0 };
                fds.insert(fd, (id, at));
            }
            Call::Write { fd, at, bytes } => {
                let (id, place) = fds.get_mut(&fd).ok_or_else(|| unknown(fd))?;
                let (id, at) = (
                    *id,
                    at.unwrap_or_else(|| std::mem::replace(place, *place + bytes.len() as u64)),
                );
                self.change(span, id, Change::Write { at, bytes });
            }
            Call::Seek { fd, to } => fds.get_mut(&fd).ok_or_else(|| unknown(fd))?.1 = to,
            Call::Length { fd, length } => {
                let (id, _) = *fds.get(&fd).ok_or_else(|| unknown(fd))?;
                self.change(span, id, Change::Length(length));
            }
            Call::Link { from, to } => {
                let id =
                    self.find(&from).ok_or_else(|| format!("{}: is not there", from.display()))?;
                self.name(span, &to, Some(id), None)?;
            }
            Call::Rename { from, to } => {
                let id =
                    self.find(&from).ok_or_else(|| format!("{}: is not there", from.display()))?;
                if to.strip_prefix(&self.root).is_ok_and(|to| to == Path::new("public/checkpoint"))
                {
                    let note = String::from_utf8_lossy(&self.live[id].bytes).into_owned();
                    self.seen.push((span.0, note));
                }
                let made = self.name(span, &to, Some(id), None)?;
                self.name(span, &from, None, Some(made))?;
            }
            Call::Remove { path } => drop(self.name(span, &path, None, None)?),
            Call::Folder { path, mode } => drop(self.make(span, &path, true, mode)?),
            Call::Sync { fd } => {
                let (id, _) = *fds.get(&fd).ok_or_else(|| unknown(fd))?;
                self.sync(span, Some(id));
            }
            Call::SyncAll => self.sync(span, None),
            Call::Told { .. } => {}
        }
        Ok(())
    }

    /// A sync covers what was complete when it began, once it has ended.
    fn sync(&mut self, (start, end): (usize, usize), only: Option<Id>) {
        for op in &mut self.ops {
            if op.safe.is_none() && op.end < start && only.is_none_or(|id| id == op.node) {
                op.safe = Some(end);
            }
        }
    }

    fn find(&self, path: &Path) -> Option<Id> {
        let inside = path.strip_prefix(&self.root).ok()?;
        inside.iter().try_fold(0, |id, name| self.live[id].names.get(name.to_str()?).copied())
    }

    fn make(
        &mut self,
        span: (usize, usize),
        path: &Path,
        is_folder: bool,
        mode: u32,
    ) -> Result<Id, String> {
        let id = self.live.len();
        let node =
            Node { is_folder, mode: mode & !UMASK, path: self.inside(path), ..Node::default() };
        self.live.push(node.clone());
        self.first.push(node);
        self.name(span, path, Some(id), None)?;
        Ok(id)
    }

    fn inside(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root).unwrap_or(path).to_owned()
    }

    /// Changes what a name stands for, and returns the number of the change.
    fn name(
        &mut self,
        span: (usize, usize),
        path: &Path,
        to: Option<Id>,
        after: Option<usize>,
    ) -> Result<usize, String> {
        let folder = path.parent().and_then(|folder| self.find(folder));
        let (Some(folder), Some(name)) = (folder, path.file_name()) else {
            return Err(format!("{}: its folder is not there", path.display()));
        };
        let name = name.to_string_lossy().into_owned();
        if let Some(id) = to {
            let inside = self.inside(path);
            self.live[id].path.clone_from(&inside);
            self.first[id].path = inside;
        }
        self.change(span, folder, Change::Name { name, to, after });
        Ok(self.ops.len() - 1)
    }

    fn change(&mut self, (start, end): (usize, usize), node: Id, change: Change) {
        make_change(&mut self.live[node], &change, |_| true);
        // A file that is mapped into memory changes without calls too.
        if self.live[node].path.to_str().is_some_and(is_mapped) {
            return;
        }
        self.ops.push(Op { start, end, node, change, safe: None });
    }
}

/// Makes a change. Of a write only those sectors are made that `keeps` says.
pub fn make_change(node: &mut Node, change: &Change, mut keeps: impl FnMut(u64) -> bool) {
    match change {
        Change::Length(length) => {
            node.bytes.resize(usize::try_from(*length).expect("a small file"), 0);
        }
        Change::Name { name, to: Some(id), .. } => drop(node.names.insert(name.clone(), *id)),
        Change::Name { name, to: None, .. } => drop(node.names.remove(name)),
        Change::Write { at, bytes } => {
            for (range, sector) in sectors(*at, bytes.len()) {
                if keeps(sector) {
                    let to = usize::try_from(*at).expect("a small file") + range.start;
                    let end = to + range.len();
                    if node.bytes.len() < end {
                        node.bytes.resize(end, 0);
                    }
                    node.bytes[to..end].copy_from_slice(&bytes[range]);
                }
            }
        }
    }
}

/// The parts of a write that lie in one sector each, with the sector's number.
pub fn sectors(at: u64, length: usize) -> impl Iterator<Item = (std::ops::Range<usize>, u64)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let place = at + done as u64;
        let left = 512 - usize::try_from(place % 512).expect("under 512");
        let range = done..(done + left).min(length);
        done = range.end;
        (!range.is_empty()).then_some((range, place / 512))
    })
}

fn load(path: &Path, nodes: &mut Vec<Node>, links: &mut HashMap<u64, Id>) -> std::io::Result<Id> {
    let about = fs::symlink_metadata(path)?;
    if let Some(id) = links.get(&about.ino()) {
        return Ok(*id);
    }
    let id = nodes.len();
    links.insert(about.ino(), id);
    let mode = about.permissions().mode() & 0o7777;
    nodes.push(Node { is_folder: about.is_dir(), mode, path: path.to_owned(), ..Node::default() });
    if about.is_dir() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let inner = load(&entry.path(), nodes, links)?;
            nodes[id].names.insert(entry.file_name().to_string_lossy().into_owned(), inner);
        }
    } else {
        nodes[id].bytes = fs::read(path)?;
    }
    Ok(id)
}

/// Whether SQLite maps this file into memory. It is made anew after a power cut, whatever it holds.
pub fn is_mapped(name: &str) -> bool {
    name.ends_with("-shm")
}

/// Writes nodes to a new folder. In its place the ledger's old one is forgotten: the disk is the same.
pub fn write(nodes: &[Node], to: &Path) -> std::io::Result<()> {
    write_node(nodes, 0, to, &mut HashMap::new())
}

fn write_node(
    nodes: &[Node],
    id: Id,
    to: &Path,
    written: &mut HashMap<Id, PathBuf>,
) -> std::io::Result<()> {
    let node = &nodes[id];
    if node.is_folder {
        fs::create_dir(to)?;
        for (name, inner) in node.names.iter().filter(|(name, _)| *name != "place") {
            write_node(nodes, *inner, &to.join(name), written)?;
        }
    } else if let Some(first) = written.get(&id) {
        return fs::hard_link(first, to);
    } else {
        fs::write(to, &node.bytes)?;
        written.insert(id, to.to_owned());
    }
    fs::set_permissions(to, fs::Permissions::from_mode(node.mode))
}

/// Where two histories of a folder differ: the one that was read from the trace, and the one that
/// happened.
pub fn difference(nodes: &[Node], id: Id, other: &[Node], of: Id) -> Option<String> {
    let (a, b) = (&nodes[id], &other[of]);
    if !a.names.keys().eq(b.names.keys()) {
        return Some(format!(
            "{}: {:?}, not {:?}",
            a.path.display(),
            a.names.keys(),
            b.names.keys()
        ));
    }
    if a.bytes != b.bytes || a.mode != b.mode || a.is_folder != b.is_folder {
        let lengths = (a.bytes.len(), b.bytes.len());
        return Some(format!(
            "{}: {lengths:?} bytes, modes {:o} and {:o}",
            a.path.display(),
            a.mode,
            b.mode
        ));
    }
    a.names
        .iter()
        .filter(|(name, _)| !is_mapped(name))
        .find_map(|(name, inner)| difference(nodes, *inner, other, b.names[name]))
}
