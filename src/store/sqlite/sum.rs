//! Checksums of rows: a bit that changes on the disk is found where the row is read.
//!
//! Not against a forger: whoever can write the database can write its checksums.

use sha2::{Digest as _, Sha256};

/// The checksum's length in bytes.
pub(super) const LENGTH: usize = 8;

/// The first 8 bytes of SHA-256 over a table's name and a row's fields, each behind its length.
pub(super) struct Sum(Sha256);

impl Sum {
    pub(super) fn of(table: &str) -> Self {
        Self(Sha256::new()).bytes(table.as_bytes())
    }

    pub(super) fn bytes(self, field: &[u8]) -> Self {
        let length = u64::try_from(field.len()).unwrap_or(u64::MAX);
        Self(self.0.chain_update(length.to_be_bytes()).chain_update(field))
    }

    pub(super) fn int(self, field: u64) -> Self {
        self.bytes(&field.to_be_bytes())
    }

    /// A field that may be null.
    pub(super) fn optional(self, field: Option<&[u8]>) -> Self {
        match field {
            Some(field) => self.int(1).bytes(field),
            None => self.int(0),
        }
    }

    pub(super) fn optional_int(self, field: Option<u64>) -> Self {
        self.optional(field.map(u64::to_be_bytes).as_ref().map(<[u8; 8]>::as_slice))
    }

    pub(super) fn end(self) -> [u8; LENGTH] {
        let digest = self.0.finalize();
        *digest.first_chunk().expect("SHA-256 has 32 bytes")
    }
}
