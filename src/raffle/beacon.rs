//! A signature of a beacon's round that the reader brings (spec/raffle.md, section 38).

use serde::Deserialize;

use crate::record::entry::{BeaconSignature, Int};
use crate::record::json_in_words;
use crate::record::receipt::{Document, without_mark};

/// The most bytes of a file with a signature.
const MOST: usize = 65_536;

/// A signature from anywhere. Nobody has checked it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenBeacon {
    /// The round that it is said to be of; `None` if it came alone.
    pub round: Option<u64>,
    /// The signature.
    pub signature: BeaconSignature,
}

/// Bytes are neither a signature nor an answer of drand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a beacon's signature: expected 96 lowercase hex digits, or drand's answer with \"round\" and \"signature\": {0}"
)]
pub struct GivenBeaconError(String);

/// An answer of drand; further members are ignored.
#[derive(Deserialize)]
struct Answer {
    round: Int,
    signature: BeaconSignature,
}

impl GivenBeacon {
    /// Reads 96 hex digits, perhaps with white space around them, or drand's answer.
    ///
    /// # Errors
    /// [`GivenBeaconError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, GivenBeaconError> {
        if bytes.len() > MOST {
            let found = format!("found {} bytes, more than {MOST}", bytes.len());
            return Err(GivenBeaconError(found));
        }
        let bytes = without_mark(bytes);
        let alone = std::str::from_utf8(bytes).map(str::trim_ascii);
        if let Ok(text) = alone
            && !text.starts_with('{')
        {
            let signature = BeaconSignature::parse(text);
            let signature = signature.map_err(|error| GivenBeaconError(error.to_string()))?;
            return Ok(Self { round: None, signature });
        }
        Document::readable(bytes).map_err(|error| GivenBeaconError(error.to_string()))?;
        let answer: Answer = serde_json::from_slice(bytes)
            .map_err(|error| GivenBeaconError(json_in_words(&error.to_string())))?;
        Ok(Self { round: Some(answer.round.value()), signature: answer.signature })
    }
}
