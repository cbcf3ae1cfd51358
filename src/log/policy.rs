//! Policies: the witnesses that a reader has chosen, and how many of them are enough
//! (spec/witness.md, sections 24 and 26; C2SP tlog-policy, read strictly).

use sha2::{Digest as _, Sha256};

use super::checkpoint::Checkpoint;
use super::key::{KeyError, VerifierKey, WitnessKey, WrongSignature};
use super::note::Signature;
use super::quorum::{Quorum, Witnessed, is_second};
use crate::named::named;

/// The longest policy, in bytes.
const MAX_LENGTH: usize = 1 << 20;

/// The most lines that are not ignored.
const MAX_LINES: usize = 1024;

/// A reader's policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    logs: Vec<Log>,
    witnesses: Vec<Witness>,
    groups: Vec<Group>,
    /// `None`: the quorum `none`.
    quorum: Option<Member>,
    hash: [u8; 32],
}

/// A log that a policy is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Its key.
    pub key: VerifierKey,
    /// The URL, as the policy has it.
    pub url: Option<Vec<u8>>,
}

/// A witness of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Its name in the policy, in octets.
    pub name: Vec<u8>,
    /// Its key.
    pub key: WitnessKey,
    /// The URL, as the policy has it.
    pub url: Option<Vec<u8>>,
}

/// Witnesses and groups, of which at least `k` must have signed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    name: Vec<u8>,
    k: usize,
    members: Vec<Member>,
}

/// A witness or a group, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Witness(usize),
    Group(usize),
}

named! {
    /// A fault of a policy (spec/witness.md, 24.1).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    PolicyFault {
        /// The file is longer than a policy may be.
        TooLong = "too-long",
        /// An octet that no policy has.
        Octet = "octet",
        /// More lines than a policy may have, without those that are ignored.
        TooMany = "too-many",
        /// The first word of a line is unknown.
        Word = "word",
        /// A line has too few words or too many.
        Count = "count",
        /// No verifier key of the type that the line needs.
        Key = "key",
        /// A key that a line before has.
        DuplicateKey = "duplicate-key",
        /// The name `none` for a witness or a group.
        Name = "name",
        /// A name that a line before defines.
        Repeated = "repeated",
        /// No number from 1 to the number of members.
        Threshold = "threshold",
        /// A name that no line before defines.
        Undefined = "undefined",
        /// A member that is one already.
        MemberTwice = "member-twice",
        /// A second quorum.
        QuorumTwice = "quorum-twice",
        /// No quorum.
        NoQuorum = "no-quorum",
    }
}

/// A policy that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the policy: {says}")]
pub struct PolicyError {
    /// The number of the line, from 1. For a fault of the whole file, how many there are.
    pub line: usize,
    /// The fault.
    pub fault: PolicyFault,
    /// What was expected and what was found.
    says: String,
}

impl Witness {
    /// Its name in the policy. An octet that is no UTF-8 is U+FFFD.
    #[must_use]
    pub fn name(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }
}

impl Policy {
    /// Reads a policy.
    ///
    /// # Errors
    /// [`PolicyError`], the first fault and its line.
    pub fn parse(bytes: &[u8]) -> Result<Self, PolicyError> {
        let lines = || bytes.split_inclusive(|octet| *octet == b'\n');
        let count = lines().count();
        let whole = |fault, says: String| PolicyError { line: count, fault, says };
        if bytes.len() > MAX_LENGTH {
            let says = format!("expected at most {MAX_LENGTH} bytes, found {}", bytes.len());
            return Err(whole(PolicyFault::TooLong, says));
        }
        let mut reading = Reading::default();
        for (line, text) in (1..).zip(lines()) {
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            reading.line(text).map_err(|(fault, says)| PolicyError { line, fault, says })?;
        }
        let Reading { logs, witnesses, groups, quorum, .. } = reading;
        let Some(Chosen(quorum)) = quorum else {
            let says = "expected a line \"quorum\", found none".to_owned();
            return Err(whole(PolicyFault::NoQuorum, says));
        };
        Ok(Self { logs, witnesses, groups, quorum, hash: Sha256::digest(bytes).into() })
    }

    /// The logs that it is for. None: for any log.
    #[must_use]
    pub fn logs(&self) -> &[Log] {
        &self.logs
    }

    /// Its witnesses.
    #[must_use]
    pub fn witnesses(&self) -> &[Witness] {
        &self.witnesses
    }

    /// SHA-256 of its bytes.
    #[must_use]
    pub const fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// Whether it is for the log of this key.
    #[must_use]
    pub fn is_for(&self, log: &VerifierKey) -> bool {
        self.logs.is_empty() || self.logs.iter().any(|one| one.key == *log)
    }

    /// How many witnesses must lie together so that a time can be false: q.
    #[must_use]
    pub fn liars_for_times(&self) -> u64 {
        self.liars(|k, _| k)
    }

    /// How many witnesses must lie together so that two readers can be shown two logs: v.
    #[must_use]
    pub fn liars_for_two_views(&self) -> u64 {
        self.liars(|k, members| k.saturating_mul(2).saturating_sub(members))
    }

    /// One for a witness; for a group the sum of its members' least, so many as `count` says of its
    /// k and the number of its members.
    fn liars(&self, count: impl Fn(usize, usize) -> usize) -> u64 {
        let of_group = |k: usize, mut each: Vec<u64>| {
            each.sort_unstable();
            let count = count(k, each.len());
            each.into_iter().take(count).fold(0, u64::saturating_add)
        };
        self.quorum.map_or(0, |quorum| self.fold(quorum, &|_| 1, &of_group))
    }

    /// The witnesses whose keys have one name, and that are not both in one group of which any is
    /// enough: one operator would count twice.
    #[must_use]
    pub fn counted_twice(&self) -> Vec<(&Witness, &Witness)> {
        let shared = |a: usize, b: usize| {
            let has = |group: &Group, one| group.members.contains(&Member::Witness(one));
            self.groups.iter().any(|group| group.k == 1 && has(group, a) && has(group, b))
        };
        let mut pairs = Vec::new();
        for (a, one) in self.witnesses.iter().enumerate() {
            for (b, other) in self.witnesses.iter().enumerate().skip(a.saturating_add(1)) {
                let name = |one: &Witness| one.key.as_verifier().name().clone();
                if name(one) == name(other) && !shared(a, b) {
                    pairs.push((one, other));
                }
            }
        }
        pairs
    }

    /// The places of the witnesses on which the quorum depends.
    pub(super) fn needed(&self) -> Vec<usize> {
        let all = |_, members: Vec<Vec<usize>>| members.concat();
        self.quorum.map_or_else(Vec::new, |quorum| self.fold(quorum, &|one| vec![one], &all))
    }

    /// The fewest of these witnesses that make the quorum, by their places; `None` if all of them do
    /// not.
    #[must_use]
    pub fn fewest(&self, signed: &[Option<u64>]) -> Option<Vec<usize>> {
        let one = |one: usize| signed.get(one).copied().flatten().map(|_| vec![one]);
        let of_group = |k: usize, each: Vec<Option<Vec<usize>>>| {
            let mut each: Vec<Vec<usize>> = each.into_iter().flatten().collect();
            each.sort_by_key(Vec::len);
            (each.len() >= k).then(|| each.into_iter().take(k).flatten().collect())
        };
        self.fold(self.quorum?, &one, &of_group)
    }

    /// Who of the witnesses has signed a checkpoint. Lines that are not a witness's are ignored; of
    /// several lines of one witness the first that verifies counts.
    ///
    /// # Errors
    /// [`WrongSignature`] of the first line that names a witness and does not verify, if
    /// `refuses_wrong`: so in a published checkpoint. In an anchor such a line is ignored.
    pub fn witnessed(
        &self,
        checkpoint: &Checkpoint,
        lines: &[Signature],
        refuses_wrong: bool,
    ) -> Result<Witnessed, WrongSignature> {
        let text = &checkpoint.to_text();
        let mut signed = vec![None; self.witnesses.len()];
        for line in lines {
            for (witness, time) in self.witnesses.iter().zip(&mut signed) {
                if !witness.key.is_named_by(line) {
                    continue;
                }
                match witness.key.verify_cosignature(line, text) {
                    Ok(found) => *time = time.or(Some(found)),
                    Err(wrong) if refuses_wrong => return Err(wrong),
                    Err(_) => {}
                }
            }
        }
        Ok(Witnessed { quorum: self.quorum(&signed), signed })
    }

    /// The quorum of these lines' times, in the order of the witnesses.
    #[must_use]
    pub fn quorum(&self, signed: &[Option<u64>]) -> Option<Quorum> {
        let quorum = self.quorum?;
        let time = |one: usize| signed.get(one).copied().flatten();
        let second = |one| time(one).filter(|time| is_second(*time));
        let has_signed = |k: usize, each: Vec<bool>| each.iter().filter(|one| **one).count() >= k;
        if !self.fold(quorum, &|one| time(one).is_some(), &has_signed) {
            return None;
        }
        // An infinite time is the last in both orders.
        let kth = |k: usize, each: Vec<Option<u64>>, is_least: bool| {
            let mut seconds: Vec<u64> = each.into_iter().flatten().collect();
            seconds.sort_unstable();
            if !is_least {
                seconds.reverse();
            }
            seconds.get(k.saturating_sub(1)).copied()
        };
        let by = self.fold(quorum, &second, &|k, each| kth(k, each, true));
        let since = self.fold(quorum, &second, &|k, each| kth(k, each, false));
        Some(Quorum { by, since })
    }

    /// A value of a witness or a group, from those of its members. Groups only have members before
    /// them, so this ends; as each member is one once, it visits each once.
    fn fold<T>(
        &self,
        member: Member,
        of_witness: &impl Fn(usize) -> T,
        of_group: &impl Fn(usize, Vec<T>) -> T,
    ) -> T {
        let group = match member {
            Member::Witness(one) => return of_witness(one),
            Member::Group(number) => self.groups.get(number),
        };
        let (k, members) = group.map_or((0, &[][..]), |group| (group.k, &group.members));
        let each = members.iter().map(|one| self.fold(*one, of_witness, of_group)).collect();
        of_group(k, each)
    }
}

/// A policy as far as it was read.
#[derive(Default)]
struct Reading {
    lines: usize,
    logs: Vec<Log>,
    witnesses: Vec<Witness>,
    groups: Vec<Group>,
    /// Those that are a member of a group.
    members: Vec<Member>,
    quorum: Option<Chosen>,
}

/// The member that must sign, if any.
struct Chosen(Option<Member>);

type Fault = (PolicyFault, String);

impl Reading {
    fn line(&mut self, line: &[u8]) -> Result<(), Fault> {
        let is_allowed = |octet: &u8| matches!(octet, b'\t' | b' '..=b'~' | 0x80..);
        if let Some(octet) = line.iter().find(|octet| !is_allowed(octet)) {
            let says = format!("the octet {octet:#04x} is in no policy");
            return Err((PolicyFault::Octet, says));
        }
        let words = line.split(|octet| matches!(octet, b' ' | b'\t'));
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
        let Some((first, words)) = words.split_first() else { return Ok(()) };
        if first.starts_with(b"#") {
            return Ok(());
        }
        self.lines = self.lines.saturating_add(1);
        if self.lines > MAX_LINES {
            let says = format!("expected at most {MAX_LINES} lines that are no comments");
            return Err((PolicyFault::TooMany, says));
        }
        match *first {
            b"log" => self.log(words),
            b"witness" => self.witness(words),
            b"group" => self.group(words),
            b"quorum" => self.quorum(words),
            other => {
                let says = format!(
                    "expected \"log\", \"witness\", \"group\" or \"quorum\", found {}",
                    quoted(other)
                );
                Err((PolicyFault::Word, says))
            }
        }
    }

    fn log(&mut self, words: &[&[u8]]) -> Result<(), Fault> {
        let (key, url) = match words {
            [key] => (key, None),
            [key, url] => (key, Some(url.to_vec())),
            _ => return Err(count("log VKEY [URL]", words)),
        };
        let key = key_of(key, VerifierKey::parse)?;
        self.is_new_key(&key)?;
        self.logs.push(Log { key, url });
        Ok(())
    }

    fn witness(&mut self, words: &[&[u8]]) -> Result<(), Fault> {
        let (name, key, url) = match words {
            [name, key] => (name, key, None),
            [name, key, url] => (name, key, Some(url.to_vec())),
            _ => return Err(count("witness NAME VKEY [URL]", words)),
        };
        let key = key_of(key, WitnessKey::parse)?;
        self.is_new_key(key.as_verifier())?;
        self.is_new_name(name)?;
        self.witnesses.push(Witness { name: name.to_vec(), key, url });
        Ok(())
    }

    fn group(&mut self, words: &[&[u8]]) -> Result<(), Fault> {
        let [name, threshold, names @ ..] = words else {
            return Err(count("group NAME all|any|K MEMBER...", words));
        };
        if names.is_empty() {
            return Err(count("group NAME all|any|K MEMBER...", words));
        }
        self.is_new_name(name)?;
        let k = match *threshold {
            b"all" => Some(names.len()),
            b"any" => Some(1),
            number => std::str::from_utf8(number)
                .ok()
                .and_then(super::notation::parse_decimal)
                .and_then(|k| usize::try_from(k).ok())
                .filter(|k| (1..=names.len()).contains(k)),
        };
        let k = k.ok_or_else(|| {
            let (most, found) = (names.len(), quoted(threshold));
            let says =
                format!("expected \"all\", \"any\" or a number from 1 to {most}, found {found}");
            (PolicyFault::Threshold, says)
        })?;
        let members = names.iter().map(|name| self.defined(name)).collect::<Result<Vec<_>, _>>()?;
        for (member, name) in members.iter().zip(names) {
            if self.members.contains(member) {
                let says = format!("{} is a member already", quoted(name));
                return Err((PolicyFault::MemberTwice, says));
            }
            self.members.push(*member);
        }
        self.groups.push(Group { name: name.to_vec(), k, members });
        Ok(())
    }

    fn quorum(&mut self, words: &[&[u8]]) -> Result<(), Fault> {
        let [name] = words else { return Err(count("quorum NAME", words)) };
        let quorum = if *name == NONE { None } else { Some(self.defined(name)?) };
        if self.quorum.is_some() {
            let says = "a line before is the quorum".to_owned();
            return Err((PolicyFault::QuorumTwice, says));
        }
        self.quorum = Some(Chosen(quorum));
        Ok(())
    }

    fn is_new_key(&self, key: &VerifierKey) -> Result<(), Fault> {
        let logs = self.logs.iter().map(|log| &log.key);
        let mut keys = logs.chain(self.witnesses.iter().map(|one| one.key.as_verifier()));
        let named = |key: &VerifierKey| (key.name().clone(), key.id());
        let is_same = |known: &&VerifierKey| {
            known.public_key() == key.public_key() || named(known) == named(key)
        };
        match keys.find(is_same) {
            None => Ok(()),
            Some(known) => {
                let says = format!(
                    "{}+{} has the key or the name and the ID of {}+{}",
                    key.name(),
                    key.id(),
                    known.name(),
                    known.id()
                );
                Err((PolicyFault::DuplicateKey, says))
            }
        }
    }

    fn is_new_name(&self, name: &[u8]) -> Result<(), Fault> {
        if name == NONE {
            return Err((PolicyFault::Name, "nothing can have the name \"none\"".to_owned()));
        }
        match self.named(name) {
            None => Ok(()),
            Some(_) => Err((PolicyFault::Repeated, format!("{} is defined already", quoted(name)))),
        }
    }

    fn named(&self, name: &[u8]) -> Option<Member> {
        let witness = self.witnesses.iter().position(|one| one.name == name).map(Member::Witness);
        witness.or_else(|| self.groups.iter().position(|one| one.name == name).map(Member::Group))
    }

    fn defined(&self, name: &[u8]) -> Result<Member, Fault> {
        self.named(name).ok_or_else(|| {
            let says = format!("no witness or group before is {}", quoted(name));
            (PolicyFault::Undefined, says)
        })
    }
}

/// The name of the quorum that nobody needs to sign.
const NONE: &[u8] = b"none";

fn quoted(octets: &[u8]) -> String {
    super::notation::quote(&String::from_utf8_lossy(octets))
}

fn count(form: &str, words: &[&[u8]]) -> Fault {
    let says = format!("expected \"{form}\", found {} words after the first", words.len());
    (PolicyFault::Count, says)
}

fn key_of<T>(text: &[u8], parse: impl Fn(&str) -> Result<T, KeyError>) -> Result<T, Fault> {
    let text = std::str::from_utf8(text).map_err(|_| {
        (PolicyFault::Key, format!("expected a verifier key, found {}", quoted(text)))
    })?;
    parse(text).map_err(|error| (PolicyFault::Key, error.to_string()))
}
