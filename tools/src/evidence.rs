//! The verdict on evidence, as a command gives it (spec/receipt.md, 11.10).

use fairdeal::log::VerifierKey;
use fairdeal::record::receipt::{Document, Evidence, Given, ReceiptError, ReceiptVerdict, verify_several};
use serde_json::{Value, json};

use crate::answers::without_says;

/// The file's name.
pub const NAME: &str = "evidence.json";

/// The verdict, without the `says` of its findings; `None` where it cannot be read.
pub fn judged(text: &str, key: &VerifierKey) -> Option<Value> {
    let (files, given) = match Evidence::parse(text.as_bytes()) {
        Ok(Some(Evidence { files, mine, since, .. })) => {
            let heads = since.into_iter().map(|note| ("since".to_owned(), note)).collect();
            let named = files.into_iter().map(|(name, file)| (format!("{NAME}: {name}"), file));
            (named.collect(), Given { kept: mine, heads, ..Given::default() })
        }
        Ok(None) => (vec![(NAME.to_owned(), Err("no evidence".to_owned()))], Given::default()),
        Err(ReceiptError::Invalid(says)) => (vec![(NAME.to_owned(), Err(says))], Given::default()),
        Err(_) => return None,
    };
    let documents: Vec<(&str, &Document)> =
        files.iter().filter_map(|(name, file)| Some((name.as_str(), file.as_ref().ok()?))).collect();
    let (verdicts, between) = verify_several(&documents, key, &given);
    // One file alone is not held against itself.
    let between = if files.len() + given.heads.len() > 1 { between } else { Vec::new() };
    let mut verdicts = verdicts.into_iter();
    let mut receipts = Vec::new();
    for (name, file) in &files {
        let verdict = match file {
            Ok(_) => verdicts.next().expect("one for each document"),
            Err(says) => ReceiptVerdict::invalid(says.clone()),
        };
        let mut verdict = without_says(json!(verdict));
        verdict["file"] = json!(name);
        receipts.push(verdict);
    }
    let holds = between.is_empty() && receipts.iter().all(|verdict| verdict["holds"] == json!(true));
    Some(without_says(json!({ "holds": holds, "findings": between, "receipts": receipts })))
}
