//! Files as they were read. Evidence is replaced by the files in it (spec/receipt.md, 11.10).

use fairdeal::log::VerifierKey;
use fairdeal::record::receipt::{Claim, Document, Evidence, ReaderGiven, ReceiptError};

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

/// Files, in the order in which they were given.
#[derive(Debug, Default)]
pub struct Reading {
    /// By their names.
    pub files: Vec<(String, Content)>,
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
        self.files.push((name.to_owned(), Content::Unread(says)));
    }

    /// Adds a file's bytes. The contributions and checkpoints in evidence are added to the
    /// reader's.
    pub fn add(&mut self, name: &str, bytes: &[u8], given: &mut ReaderGiven) {
        if let Some(kind) = kind_of(bytes) {
            let says = format!("{name}: expected a receipt, an opening or evidence, found {kind}");
            return self.files.push((name.to_owned(), Content::Unread(says)));
        }
        match Evidence::parse(bytes) {
            Ok(Some(evidence)) => self.take(name, evidence, given),
            Ok(None) => {
                let read = Document::parse(bytes);
                let content = read.map_or_else(|error| refused(name, &error), Content::Document);
                self.files.push((name.to_owned(), content));
            }
            Err(error) => self.files.push((name.to_owned(), refused(name, &error))),
        }
    }

    fn take(&mut self, name: &str, evidence: Evidence, given: &mut ReaderGiven) {
        let Evidence { files, mine, since, findings } = evidence;
        let within = |(inner, file): (String, _)| (format!("{name}: {inner}"), Content::from(file));
        self.files.extend(files.into_iter().map(within));
        given.kept.extend(mine);
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
