//! A field that breaks a rule: which one, what was expected and what came.

/// The text of [`EntryError::Invalid`](super::EntryError::Invalid) and
/// [`ReceiptError::Invalid`](super::receipt::ReceiptError::Invalid).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct FieldError(String);

impl FieldError {
    pub(crate) fn new(says: impl Into<String>) -> Self {
        Self(says.into())
    }
}

impl From<FieldError> for String {
    fn from(error: FieldError) -> Self {
        error.0
    }
}

/// Refuses a field.
pub(crate) fn wrong<T>(says: impl Into<String>) -> Result<T, FieldError> {
    Err(FieldError::new(says))
}
