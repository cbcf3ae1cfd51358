//! Receipts and openings, judged: one shape for one file and for several (spec/receipt.md, 11.5;
//! spec/schema/verify.json).

use serde::Serialize;

use super::Beside;
use super::reading::{Content, ReadFile, Reading};
use super::revealed::Revealed;
use fairdeal::deal::{Card, Label};
use fairdeal::log::{SignedCheckpoint, VerifierKey};
use fairdeal::record::Code;
use fairdeal::record::Entry;
use fairdeal::record::entry::{Cards, Commit, Int, ResultForm};
use fairdeal::record::receipt::{
    Claim, Document, GivenFile, NotShown, ReaderGiven, ReceiptFinding, ReceiptVerdict, Shown,
    VerdictState, verify_several,
};

/// A file and its verdict.
#[derive(Debug)]
pub struct VerifiedFile {
    pub name: String,
    pub document: Option<Document>,
    /// Whether the reader kept it (spec/receipt.md, 11.8).
    pub is_kept: bool,
    /// Whether nothing joins it with the view that the reader saved (11.9).
    pub is_apart: bool,
    pub verdict: ReceiptVerdict,
    /// The cards under the seal, if a sealed deal was replayed.
    pub under_seal: Option<ResultForm>,
}

/// A file after the judging.
#[derive(Debug)]
pub enum JudgedFile {
    /// It has a verdict.
    Judged(Box<VerifiedFile>),
    /// It has none.
    Unread {
        /// Its name.
        name: String,
        /// Why.
        says: String,
    },
}

/// Files after the judging, in the order in which they were given.
#[derive(Debug)]
pub struct JudgedFiles {
    pub files: Vec<JudgedFile>,
    /// Findings that several files show together and none alone.
    pub together: Vec<ReceiptFinding>,
    /// Statements of players' programs in evidence.
    pub claims: Vec<Claim>,
}

/// A key that the reader keeps, for the answer.
#[derive(Clone, Debug, Serialize)]
pub struct KnownForm {
    pub name: String,
    pub key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

impl VerifiedFile {
    #[must_use]
    pub fn is_opening(&self) -> bool {
        matches!(self.document, Some(Document::Opening(_)))
    }

    /// The commit at the start of the file, if the verdict is about it.
    pub fn commit(&self) -> Option<Box<Commit>> {
        self.verdict.commitment?;
        self.document.as_ref().and_then(commit_of)
    }

    #[must_use]
    pub fn shows(&self, what: Shown) -> bool {
        self.verdict.shown.contains(&what)
    }

    /// Whether it, a logged file, shows the log's root at this size: by its checkpoint, or by a
    /// `seen`, each of which a logged file proves (spec/receipt.md, 11.9).
    fn is_joined_at(&self, size: u64) -> bool {
        let Some(receipt) = self.document.as_ref().map(Document::receipt) else { return false };
        let signed = SignedCheckpoint::parse(&receipt.checkpoint);
        signed.is_ok_and(|signed| signed.unverified().size() == size)
            || receipt.seen().iter().any(|one| one.size.value() == size)
    }

    /// Whether only the log can show that it is of the tree of a saved view of this size.
    #[must_use]
    pub fn takes_the_log_at(&self, size: u64) -> bool {
        self.shows(Shown::Logged) && !self.is_kept && !self.is_joined_at(size)
    }

    /// Whether it holds, is judged, and shows no deal: the state of several files does not depend
    /// on it (spec/receipt.md, 11.4).
    #[must_use]
    pub fn is_passed_over(&self) -> bool {
        let is_judged = !self.does_not_show(NotShown::Judged);
        self.verdict.holds && self.verdict.deal.is_none() && is_judged && !self.is_apart
    }

    /// Nothing joins it with the view that the reader saved: it has no state, unless it is caught.
    pub fn set_apart(&mut self) {
        self.is_apart = true;
        self.verdict.state = self.verdict.state.filter(|state| *state == VerdictState::Caught);
    }

    #[must_use]
    pub fn does_not_show(&self, what: NotShown) -> bool {
        self.verdict.not_shown.contains(&what)
    }
}

impl JudgedFile {
    #[must_use]
    pub fn judged(&self) -> Option<&VerifiedFile> {
        match self {
            Self::Judged(file) => Some(file),
            Self::Unread { .. } => None,
        }
    }
}

/// The commit at the start of a file.
#[must_use]
pub fn commit_of(document: &Document) -> Option<Box<Commit>> {
    let first = document.receipt().entries.first()?;
    match Entry::parse(first.entry.as_bytes()) {
        Ok(Entry::Commit(commit)) => Some(commit),
        _ => None,
    }
}

impl JudgedFiles {
    /// Judges each file that was read alone, then all of them together. Without a key nothing is
    /// compared; then no file may be a document.
    ///
    /// # Panics
    /// If a file is a document and there is no key.
    #[must_use]
    pub fn of(read: Reading, key: Option<&VerifierKey>, given: &ReaderGiven) -> Self {
        let Reading { files: read, claims } = read;
        let documents: Vec<GivenFile<'_>> = read
            .iter()
            .filter_map(|ReadFile { name, content, is_kept }| match content {
                Content::Document(document) => {
                    Some(GivenFile { name, document, is_kept: *is_kept })
                }
                _ => None,
            })
            .collect();
        let (verdicts, together) =
            key.map(|key| verify_several(&documents, key, given)).unwrap_or_default();
        let mut verdicts = verdicts.into_iter();
        let file = |ReadFile { name, content, is_kept }| match content {
            Content::Document(document) => {
                let verdict = verdicts.next().expect("every document is judged");
                let under_seal = under_seal(&document, &verdict);
                JudgedFile::Judged(Box::new(VerifiedFile {
                    name,
                    document: Some(document),
                    is_kept,
                    is_apart: false,
                    verdict,
                    under_seal,
                }))
            }
            Content::Invalid(says) => {
                let verdict = ReceiptVerdict::invalid(says).under(given.policy.as_ref());
                JudgedFile::Judged(Box::new(VerifiedFile {
                    name,
                    document: None,
                    is_kept,
                    is_apart: false,
                    verdict,
                    under_seal: None,
                }))
            }
            Content::Unread(says) => JudgedFile::Unread { name, says },
        };
        Self { files: read.into_iter().map(file).collect(), together, claims }
    }

    /// What a person should think of all files together.
    #[must_use]
    pub fn state(&self) -> Option<VerdictState> {
        let is_passed_over =
            |file: &JudgedFile| file.judged().is_some_and(VerifiedFile::is_passed_over);
        let left = self.files.iter().filter(|file| !is_passed_over(file));
        let states: Vec<Option<VerdictState>> =
            left.map(|file| file.judged()?.verdict.state).collect();
        VerdictState::of_several(!self.together.is_empty(), &states)
    }

    /// The files with a verdict.
    pub fn judged(&self) -> impl Iterator<Item = &VerifiedFile> {
        self.files.iter().filter_map(JudgedFile::judged)
    }

    /// Whether the reader gave contributions that are all of other rounds, or logs, than every file
    /// that the reader did not keep (spec/receipt.md, 11.9).
    #[must_use]
    pub fn is_of_another_round(&self) -> bool {
        let mut others = self.judged().filter(|file| !file.is_kept).peekable();
        others.peek().is_some() && others.all(|file| file.verdict.is_of_another_round())
    }

    /// Whether an opening may be among them: a file that is no receipt may have been meant as one.
    #[must_use]
    pub fn may_have_an_opening(&self) -> bool {
        let is_invalid = |file: &VerifiedFile| {
            file.verdict.findings.iter().any(|found| found.code == Code::InvalidReceipt)
        };
        self.judged().any(|file| file.is_opening() || is_invalid(file))
    }
}

/// The cards of a sealed deal that was replayed.
fn under_seal(document: &Document, verdict: &ReceiptVerdict) -> Option<ResultForm> {
    verdict.result.seal.filter(|_| verdict.shown.contains(&Shown::Replayed))?;
    Revealed::of(document.receipt()).ok()?.in_clear()
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct ReceiptsAnswer<'a> {
    /// Whether every file was read and holds, and they do not contradict each other: exit code 0.
    holds: bool,
    /// What a person should think of all of them (spec/receipt.md, 11.4).
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<VerdictState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<KnownForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    continues: Option<u64>,
    findings: &'a [ReceiptFinding],
    receipts: Vec<OneFile<'a>>,
    /// Statements of players' programs in evidence. They show nothing.
    #[serde(skip_serializing_if = "<[Claim]>::is_empty")]
    says: &'a [Claim],
}

/// A file.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum OneFile<'a> {
    Judged(Box<OneJudged<'a>>),
    Unread { file: &'a str, error: Beside<'a> },
}

#[derive(Debug, Serialize)]
struct OneJudged<'a> {
    file: &'a str,
    #[serde(flatten)]
    verdict: &'a ReceiptVerdict,
    /// The cards and their seal, if a sealed deal was replayed.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    under_seal: Option<UnderSeal<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opened: Option<Vec<Opened>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Int>,
}

#[derive(Debug, Serialize)]
struct UnderSeal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<&'a Cards>,
    #[serde(skip_serializing_if = "Option::is_none")]
    indices: Option<&'a [Int]>,
}

/// A card of an opening.
#[derive(Debug, Serialize)]
struct Opened {
    t: Int,
    item: Int,
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<Card>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<Label>,
}

impl<'a> ReceiptsAnswer<'a> {
    /// The verdict on all files.
    #[must_use]
    pub fn of(judged: &'a JudgedFiles) -> Self {
        Self::with(judged, None, None)
    }

    /// With the log whose key the reader keeps, and the size of the saved view that all files
    /// continue.
    pub fn with(judged: &'a JudgedFiles, known: Option<KnownForm>, continues: Option<u64>) -> Self {
        let JudgedFiles { files, together, claims } = judged;
        let holds =
            |file: &JudgedFile| matches!(file, JudgedFile::Judged(file) if file.verdict.holds);
        Self {
            holds: together.is_empty() && files.iter().all(holds),
            state: judged.state(),
            known,
            continues,
            findings: together,
            receipts: files.iter().map(OneFile::of).collect(),
            says: claims,
        }
    }
}

impl<'a> OneFile<'a> {
    fn of(file: &'a JudgedFile) -> Self {
        match file {
            JudgedFile::Judged(file) => Self::Judged(Box::new(OneJudged::of(file))),
            JudgedFile::Unread { name, says } => {
                Self::Unread { file: name, error: Beside::unavailable(says) }
            }
        }
    }
}

impl<'a> OneJudged<'a> {
    fn of(file: &'a VerifiedFile) -> Self {
        let under_seal = file
            .under_seal
            .as_ref()
            .map(|form| UnderSeal { cards: form.cards.as_ref(), indices: form.indices.as_deref() });
        Self {
            file: &file.name,
            verdict: &file.verdict,
            under_seal,
            opened: opened(file),
            table: file.commit().map(|commit| commit.table.as_str().to_owned()),
            time: file.verdict.deal.as_ref().map(|(_, deal)| deal.time),
        }
    }
}

/// The cards of an opening that are the sealed ones.
fn opened(file: &VerifiedFile) -> Option<Vec<Opened>> {
    let Some(Document::Opening(opening)) = &file.document else { return None };
    if !file.shows(Shown::Opened) {
        return None;
    }
    let deck = file.commit().map(|commit| commit.deck);
    let one = |card: &fairdeal::record::receipt::OpenedCard| {
        let text =
            u32::try_from(card.item.value()).ok().and_then(|item| deck?.text_of(&[item]).ok());
        let placed =
            file.verdict.placed.iter().flatten().find(|placed| placed.t() == card.t.value());
        let seat = placed.and_then(|placed| match placed {
            fairdeal::record::receipt::Placed::Seat { seat, .. } => Some(seat.clone()),
            _ => None,
        });
        Opened { t: card.t, item: card.item, card: text.and_then(|text| text.parse().ok()), seat }
    };
    Some(opening.opened.iter().map(one).collect())
}
