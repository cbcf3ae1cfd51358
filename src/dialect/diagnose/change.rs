//! A change: one thing that differs from what the scheme or the row says.

use std::borrow::Cow;

use super::chance::Likely;
use super::near::Case;
use super::shown::Held;
use super::trial::Trial;
use crate::dialect::{DialectOutcome, Round};

/// The change may decide whether the commitment opens.
pub(super) const OPENING: u8 = 1;
/// The change may change what the seeds give.
pub(super) const DEALING: u8 = 1 << 1;
/// The change is one of the scheme; the row stays as it is.
pub(super) const SCHEME: u8 = 1 << 2;

/// Changes a row's seeds or its scheme; `None` if nothing changes.
type Reread = dyn Fn(&mut Trial, &Case) -> Option<()>;

/// An outcome and a row that agree, once what the row shows is read in another way.
type Reshow = dyn Fn(&Held<'_>) -> Option<(DialectOutcome, Round<'static>)>;

/// How a change is made.
pub(super) enum Apply {
    /// Before anything is opened or dealt.
    Before(Box<Reread>),
    /// To what the row shows. The opening and the deal stay.
    Shown(Box<Reshow>),
}

/// A row of the table of changes.
pub(super) struct Change {
    /// A short name that stays.
    pub(super) code: Cow<'static, str>,
    /// A clause that follows "would if".
    pub(super) says: Cow<'static, str>,
    /// [`OPENING`], [`DEALING`], [`SCHEME`].
    pub(super) touches: u8,
    pub(super) likely: Likely,
    pub(super) apply: Apply,
}

impl Change {
    pub(super) fn touches(&self, what: u8) -> bool {
        self.touches & what != 0
    }

    pub(super) fn is_of_shown(&self) -> bool {
        matches!(self.apply, Apply::Shown(_))
    }
}
