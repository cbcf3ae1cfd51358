//! The schemes that are known.

use serde::Serialize;

use crate::dialect::{self, Dialect};

/// Every scheme.
#[derive(Debug, Serialize)]
pub struct DialectList {
    pub(crate) dialects: Vec<ListedDialect>,
}

/// One scheme.
#[derive(Debug, Serialize)]
pub(crate) struct ListedDialect {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) covers: &'static str,
    pub(crate) source: &'static str,
}

impl DialectList {
    /// All that there are.
    #[must_use]
    pub fn all() -> Self {
        let listed = |dialect: &Dialect| {
            let Dialect { name, title, covers, source, .. } = *dialect;
            ListedDialect { name, title, covers, source }
        };
        Self { dialects: dialect::ALL.map(listed).into() }
    }
}
