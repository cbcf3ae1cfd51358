//! The known schemes.

use serde::Serialize;

use crate::dialect::{self, Dialect};

/// Every scheme.
#[derive(Debug, Serialize)]
pub struct DialectList {
    pub dialects: Vec<ListedDialect>,
}

/// One scheme.
#[derive(Debug, Serialize)]
pub struct ListedDialect {
    pub name: &'static str,
    pub title: &'static str,
    pub covers: &'static str,
    pub source: &'static str,
}

impl DialectList {
    /// All of them.
    #[must_use]
    pub fn all() -> Self {
        let listed = |dialect: &Dialect| {
            let Dialect { name, title, covers, source, .. } = *dialect;
            ListedDialect { name, title, covers, source }
        };
        Self { dialects: dialect::ALL.map(listed).into() }
    }

    /// The schemes of an operator: their names begin with the operator's.
    #[must_use]
    pub fn of_operator(name: &str) -> Self {
        let is_of = |one: &ListedDialect| {
            one.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'))
        };
        Self { dialects: Self::all().dialects.into_iter().filter(is_of).collect() }
    }
}
