//! The verdict on evidence, as a command gives it (spec/receipt.md, 11.10).

use fairdeal::log::VerifierKey;
use fairdeal::record::receipt::ReaderGiven;
use fairdeal_audit::answer::{Content, JudgedFiles, Reading, ReceiptsAnswer};
use serde_json::{Value, json};

use crate::answers::without_says;

/// The file's name.
pub const NAME: &str = "evidence.json";

/// The verdict, without what a command may add to it and the `says` of its findings; `None` where
/// it cannot be read.
pub fn judged(text: &str, key: &VerifierKey) -> Option<Value> {
    let (mut given, mut reading) = (ReaderGiven::default(), Reading::default());
    reading.add(NAME, text.as_bytes(), &mut given);
    if reading.files.iter().any(|(_, content)| matches!(content, Content::Unread(_))) {
        return None;
    }
    let judged = JudgedFiles::of(reading, Some(key), &given);
    let mut verdict = without_says(json!(ReceiptsAnswer::of(&judged)));
    verdict.as_object_mut()?.remove("says");
    for receipt in verdict["receipts"].as_array_mut()? {
        *receipt = without_says(receipt.take());
        for added in ["table", "time", "opened"] {
            receipt.as_object_mut()?.remove(added);
        }
    }
    Some(verdict)
}
