//! Files as they were read. Evidence is replaced by the files in it (spec/receipt.md, 11.10).

use fairdeal::log::VerifierKey;
use fairdeal::record::receipt::{Claim, Document, Evidence, InEvidence, ReaderGiven, ReceiptError};

/// A file as it was read.
#[derive(Debug)]
pub enum Content {
    /// A receipt or an opening.
    Document(Document),
    /// Readable, and no receipt.
    Invalid(String),
    /// Not readable, and why: there is no verdict.
    Unread(String),
}

/// A file with its name.
#[derive(Debug)]
pub struct ReadFile {
    pub name: String,
    pub content: Content,
    /// Whether the reader kept it (spec/receipt.md, 11.8).
    pub is_kept: bool,
}

/// Files, in the order in which they were given.
#[derive(Debug, Default)]
pub struct Reading {
    pub files: Vec<ReadFile>,
    /// Statements of players' programs in evidence. They show nothing.
    pub claims: Vec<Claim>,
}

impl From<Result<Document, String>> for Content {
    fn from(read: Result<Document, String>) -> Self {
        read.map_or_else(Self::Invalid, Self::Document)
    }
}

impl Reading {
    /// Adds a file that could not be read, and why.
    pub fn unread(&mut self, name: &str, says: String) {
        self.push(name, Content::Unread(says), false);
    }

    fn push(&mut self, name: &str, content: Content, is_kept: bool) {
        self.files.push(ReadFile { name: name.to_owned(), content, is_kept });
    }

    /// Adds a file's bytes; `is_kept`: the reader kept it. The contributions and checkpoints in
    /// evidence are added to what the reader gives.
    pub fn add(&mut self, name: &str, bytes: &[u8], is_kept: bool, given: &mut ReaderGiven) {
        if let Some(kind) = kind_of(bytes) {
            let says = format!("{name}: expected a receipt, an opening or evidence, found {kind}");
            return self.unread(name, says);
        }
        let content = match Evidence::parse(bytes) {
            Ok(Some(evidence)) => return self.take(name, evidence, is_kept, given),
            Ok(None) => {
                Document::parse(bytes).map_or_else(|error| refused(name, &error), Content::Document)
            }
            Err(error) => refused(name, &error),
        };
        self.push(name, content, is_kept);
    }

    fn take(&mut self, name: &str, evidence: Evidence, is_kept: bool, given: &mut ReaderGiven) {
        let Evidence { files, mine, since, findings } = evidence;
        for (inner, file) in files {
            self.push(&format!("{name}: {inner}"), Content::from(file), is_kept);
        }
        let mine = mine.into_iter().map(|contribution| InEvidence { contribution, is_kept });
        given.in_evidence.extend(mine);
        let heads =
            since.into_iter().enumerate().map(|(at, note)| (format!("{name}: since[{at}]"), note));
        given.heads.extend(heads);
        self.claims.extend(findings);
    }
}

/// The kind of a file that people take for a receipt, by its first bytes.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], &str); 7] = [
        (b"\xff\xfe", "UTF-16: save it again as UTF-8"),
        (b"\xfe\xff", "UTF-16: save it again as UTF-8"),
        (b"\x1f\x8b", "a compressed file: gunzip it first"),
        (b"PK\x03\x04", "a ZIP archive: unpack it first"),
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"%PDF", "a PDF"),
    ];
    if bytes.is_empty() {
        return Some("an empty file");
    }
    let kind = kinds.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| kind);
    kind.or_else(|| {
        let text = str::from_utf8(bytes).ok()?.trim_end();
        VerifierKey::parse(text).is_ok().then_some("a log's key: give it with --key")
    })
}

fn refused(name: &str, error: &ReceiptError) -> Content {
    match error {
        ReceiptError::Unreadable(says) => Content::Unread(format!(
            "{name}: expected a receipt, an opening or evidence, found no readable JSON: {says}"
        )),
        ReceiptError::NoFiles => Content::Unread(format!("{name}: {error}")),
        _ => Content::Invalid(error.to_string()),
    }
}
