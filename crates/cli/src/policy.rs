//! The reader's policy: given with `--policy`, or kept with a log's key (`fairdeal trust`).

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::exit::Failure;
use super::known::Chosen;
use super::out::{Out, count, plain};
use super::{files, known};
use fairdeal::log::{Policy, VerifierKey, Witness};

/// The most pairs of witnesses that are named.
const PAIRS: usize = 100;

/// The most that are named to people.
const SHOWN: usize = 3;

/// A policy, and the place where the reader has it.
#[derive(Clone, Debug)]
pub(super) struct ReadersPolicy {
    pub(super) policy: Arc<Policy>,
    /// The file of `--policy`; `None` for the policy that is kept with the key.
    file: Option<PathBuf>,
}

/// The numbers that say what a policy is worth, for `--json` (spec/witness.md, 24.3).
#[derive(Debug, Serialize)]
pub(super) struct PolicyForm {
    /// SHA-256 of its bytes.
    policy: String,
    witnesses: usize,
    /// How many witnesses must lie together so that a time can be false.
    liars_for_times: u64,
    /// How many must lie together so that two readers can be shown two logs.
    liars_for_two_views: u64,
    /// Pairs of witnesses whose keys have one name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counted_twice: Vec<[String; 2]>,
}

impl PolicyForm {
    pub(super) fn of(policy: &Policy) -> Self {
        let pair = |(a, b): (&Witness, &Witness)| [a.name(), b.name()];
        Self {
            policy: hex::encode(policy.hash()),
            witnesses: policy.witnesses().len(),
            liars_for_times: policy.liars_for_times(),
            liars_for_two_views: policy.liars_for_two_views(),
            counted_twice: policy.counted_twice().into_iter().take(PAIRS).map(pair).collect(),
        }
    }

    /// The two numbers, and what to beware of, each in a sentence.
    fn in_words(&self) -> Vec<String> {
        if self.liars_for_times == 0 {
            return vec![
                "its quorum is none: nothing is witnessed, and nothing is timed".to_owned(),
            ];
        }
        let witnesses = count(self.witnesses, "witness", "witnesses");
        let lie = |liars: u64| match liars {
            1 => "one of them lies".to_owned(),
            liars => format!("{liars} of them lie together"),
        };
        let views = match self.liars_for_two_views {
            0 => "even if none of them lies (weak)".to_owned(),
            1 => format!("if {} (weak)", lie(1)),
            liars => format!("if {}", lie(liars)),
        };
        let mut words = vec![
            format!("{witnesses}; a time can be false if {}", lie(self.liars_for_times)),
            format!("two readers can be shown two logs {views}"),
        ];
        words.extend(self.counted_twice.iter().take(SHOWN).map(|[a, b]| {
            format!(
                "{} and {} have keys of one name: one operator may count twice",
                plain(a),
                plain(b)
            )
        }));
        words
    }

    /// Prints these sentences, the first after the policy's place if there is one.
    pub(super) fn print(&self, place: Option<&str>, out: &mut Out) {
        let mut before = place.map_or_else(String::new, |place| format!("{place}: "));
        let mut label = "policy";
        for line in self.in_words() {
            out.long_field(label, &format!("{before}{line}"));
            (label, before) = ("", String::new());
        }
    }
}

impl ReadersPolicy {
    /// `--policy`, or else the one that is kept with a known log's key.
    /// Exit 2 for a faulty policy and for one of other logs, 3 for a file that cannot be read.
    pub(super) fn of(given: Option<&Path>, chosen: &Chosen) -> Result<Option<Self>, Failure> {
        let Chosen { key, known } = chosen;
        if let Some(path) = given {
            let (policy, _) = read(path, "--policy", key)?;
            return Ok(Some(Self { policy: Arc::new(policy), file: Some(path.to_owned()) }));
        }
        if known.is_none() {
            return Ok(None);
        }
        Ok(kept(key)?.map(|policy| Self { policy: Arc::new(policy), file: None }))
    }

    /// Says which policy it is, and what it is worth.
    pub(super) fn print(&self, out: &mut Out) {
        let kept = || "kept with the key".to_owned();
        let place = self.file.as_ref().map_or_else(kept, |path| plain(&files::name(path)));
        PolicyForm::of(&self.policy).print(Some(&place), out);
    }
}

/// The policy that is kept with a key.
/// Exit 2 for a faulty one, 3 for a file that cannot be read.
pub(super) fn kept(key: &VerifierKey) -> Result<Option<Policy>, Failure> {
    let path = known::policy_path(key)?;
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        _ => read(&path, "the policy", key).map(|(policy, _)| Some(policy)),
    }
}

/// Reads a policy, which must be for the log of this key; returns the file's bytes too.
/// Exit 2 for a faulty policy and for one of other logs, 3 for a file that cannot be read.
pub(super) fn read(
    path: &Path,
    option: &str,
    key: &VerifierKey,
) -> Result<(Policy, Vec<u8>), Failure> {
    let (policy, bytes) = parse(path, option)?;
    if !policy.is_for(key) {
        return Err(usage!(
            "{option} {}: expected a policy with a line \"log\" for {}, found one for other logs",
            files::name(path),
            known::name_of(key)
        ));
    }
    Ok((policy, bytes))
}

/// Reads a policy for any log. As [`read`].
pub(super) fn parse(path: &Path, option: &str) -> Result<(Policy, Vec<u8>), Failure> {
    let bytes = files::read(path).map_err(|failure| failure.of(option))?;
    let policy =
        Policy::parse(&bytes).map_err(|error| usage!("{option} {}: {error}", files::name(path)))?;
    Ok((policy, bytes))
}
