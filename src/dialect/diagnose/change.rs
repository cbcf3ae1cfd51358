//! One thing that is otherwise than the scheme or the row has it.

use std::borrow::Cow;
use std::fmt;

use super::near::Case;
use super::shown::Held;
use super::trial::Trial;
use crate::dialect::Dialect;
use crate::dialect::play::RoundOutcome;
use crate::dialect::round::Round;

/// What a change can make a difference to, as bits.
pub(super) mod touches {
    /// Whether the commitment opens.
    pub(in super::super) const OPENING: u8 = 1;
    /// What the seeds give.
    pub(in super::super) const DEALING: u8 = 1 << 1;
    /// It changes the scheme and leaves the row as it is.
    pub(in super::super) const SCHEME: u8 = 1 << 2;
    /// It changes what the row shows; what is opened and dealt stays.
    pub(in super::super) const SHOWN: u8 = 1 << 3;
}

/// Reads a row's seeds or the scheme otherwise; `None` where that changes nothing.
type Reread = dyn Fn(&mut Trial, &Case) -> Option<()>;

/// The outcome and the row where the one follows from the other, once what is shown is read otherwise.
type Reshow = dyn Fn(&Held<'_>) -> Option<(RoundOutcome, Round<'static>)>;

/// How a change is made.
pub(super) enum Apply {
    /// Before anything is opened or dealt.
    Before(Box<Reread>),
    /// To an outcome and the row that it is held against.
    Shown(Box<Reshow>),
}

/// How likely a row agrees with a change that is wrong.
#[derive(Clone, Copy)]
pub(super) enum Likely {
    /// As likely as what the row shows.
    AsShown,
    /// As likely as another hash is the one that was promised, where one was.
    AsHash,
    /// The same, where the same bytes cannot stand in both cases.
    AsHashOfText,
    /// As likely as under the other dialect.
    Under(&'static Dialect),
    /// As likely as this says: of the dialect, the row, and how likely what the row shows is.
    By(fn(&Dialect, &Case, f64) -> f64),
}

/// A row of the table of changes.
pub(super) struct Change {
    /// A short name that stays.
    pub(super) code: Cow<'static, str>,
    /// What is otherwise, as a clause after "would if".
    pub(super) says: Cow<'static, str>,
    pub(super) touches: u8,
    pub(super) likely: Likely,
    pub(super) apply: Apply,
}

impl Change {
    pub(super) fn touches(&self, what: u8) -> bool {
        self.touches & what != 0
    }
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code)
    }
}
