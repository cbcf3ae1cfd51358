//! The `--json` output: one shape for one file and for several (spec/receipt.md, 11.5; spec/schema/verify.json).

use serde::Serialize;

use super::{File, Judged};
use crate::cli::exit::Beside;
use crate::cli::known::{KnownForm, KnownLog};
use crate::deal::{Card, Label};
use crate::record::entry::{Cards, Int};
use crate::record::receipt::{Claim, Document, ReceiptFinding, ReceiptVerdict, Shown};

/// All of it.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    /// Whether every file was read and holds, and they do not contradict each other: exit code 0.
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<KnownForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    continues: Option<u64>,
    findings: &'a [ReceiptFinding],
    receipts: Vec<OneFile<'a>>,
    /// What players' programs say in evidence. It shows nothing.
    #[serde(skip_serializing_if = "<[Claim]>::is_empty")]
    says: &'a [Claim],
}

/// A file of the command line.
#[derive(Serialize)]
#[serde(untagged)]
enum OneFile<'a> {
    Judged(Box<JudgedFile<'a>>),
    Unread { file: &'a str, error: Beside<'a> },
}

#[derive(Serialize)]
struct JudgedFile<'a> {
    file: &'a str,
    #[serde(flatten)]
    verdict: &'a ReceiptVerdict,
    /// Of a sealed deal that was replayed, the cards beside their seal.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    under_seal: Option<UnderSeal<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opened: Option<Vec<Opened>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Int>,
}

#[derive(Serialize)]
struct UnderSeal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<&'a Cards>,
    #[serde(skip_serializing_if = "Option::is_none")]
    indices: Option<&'a [Int]>,
}

/// A card of an opening.
#[derive(Serialize)]
struct Opened {
    t: Int,
    item: Int,
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<Card>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<Label>,
}

impl<'a> Answer<'a> {
    pub(super) fn of(
        files: &'a [File],
        findings: &'a [ReceiptFinding],
        known: Option<&KnownLog>,
        continues: Option<u64>,
        says: &'a [Claim],
    ) -> Self {
        let holds = |file: &File| matches!(file, File::Judged(file) if file.verdict.holds);
        Self {
            holds: findings.is_empty() && files.iter().all(holds),
            known: known.map(KnownLog::form),
            continues,
            findings,
            receipts: files.iter().map(OneFile::of).collect(),
            says,
        }
    }
}

impl<'a> OneFile<'a> {
    fn of(file: &'a File) -> Self {
        match file {
            File::Judged(file) => Self::Judged(Box::new(JudgedFile::of(file))),
            File::Unread { name, failure } => Self::Unread { file: name, error: failure.into() },
        }
    }
}

impl<'a> JudgedFile<'a> {
    fn of(file: &'a Judged) -> Self {
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
fn opened(file: &Judged) -> Option<Vec<Opened>> {
    let Some(Document::Opening(opening)) = &file.document else { return None };
    if !file.shows(Shown::Opened) {
        return None;
    }
    let deck = file.commit().map(|commit| commit.deck);
    let one = |card: &crate::record::receipt::OpenedCard| {
        let text = u32::try_from(card.item.value()).ok().and_then(|item| deck?.text_of(&[item]).ok());
        let placed = file.verdict.placed.iter().flatten().find(|placed| placed.t() == card.t.value());
        let seat = placed.and_then(|placed| match placed {
            crate::record::receipt::Placed::Seat { seat, .. } => Some(seat.clone()),
            _ => None,
        });
        Opened { t: card.t, item: card.item, card: text.and_then(|text| text.parse().ok()), seat }
    };
    Some(opening.opened.iter().map(one).collect())
}
