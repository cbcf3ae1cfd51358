//! A judge's knowledge, to be stored and given back.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::anchors::Anchors;
use super::excerpt::Left;
use super::{Judge, Known};
use crate::deal::Commitment;
use crate::record::as_json::object;
use crate::record::entry::Table;
use crate::record::life::{End, Extent, Life, View};

/// The facts that are kept about a commitment that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Ended {
    /// Its end.
    pub end: End,
    /// Whether its mixing named a beacon.
    pub has_beacon: bool,
    /// The number of seats that its layout had room for; `None` without a layout.
    pub most_seats: Option<u64>,
}

object!(Ended);

/// All that a judge of a whole log knows.
#[derive(Debug)]
pub struct Remembered<L> {
    /// Lives that were not forgotten, with their notes, in the order of their commitments' bytes.
    pub lives: Vec<L>,
    /// Commitments of which only their end is kept, in the same order.
    pub ended: Vec<(Commitment, Ended)>,
    /// Commitments of other protocols, in the same order.
    pub not_judged: Vec<Commitment>,
    /// Each table's last commitment.
    pub tables: Vec<(Table, Commitment)>,
    /// The time of the last entry that had an effect.
    pub last_time: Option<u64>,
    /// What the anchors so far mean for later entries.
    pub anchors: Anchors,
}

impl<V: View, N: Default> Judge<V, N> {
    /// Everything it knows.
    pub fn remembered(&self) -> Remembered<(&Life, &N)> {
        let (mut lives, mut ended, mut not_judged) = (Vec::new(), Vec::new(), Vec::new());
        for (commitment, known) in &self.lives {
            match known {
                Known::Judged(known) => lives.push((&known.0, &known.1)),
                Known::Ended(end) => ended.push((*commitment, *end)),
                Known::NotJudged => not_judged.push(*commitment),
            }
        }
        lives.sort_unstable_by_key(|(life, _)| life.commit.commitment);
        ended.sort_unstable_by_key(|(commitment, _)| *commitment);
        not_judged.sort_unstable();
        let tables = self.tables.iter().map(|(table, last)| (table.clone(), *last)).collect();
        let (last_time, anchors) = (self.last_time, self.anchors.clone());
        Remembered { lives, ended, not_judged, tables, last_time, anchors }
    }

    /// A judge of a whole log that knows this.
    pub fn remembering(view: V, known: Remembered<(Life, N)>) -> Self {
        let Remembered { lives, ended, not_judged, tables, last_time, anchors } = known;
        let judged = |known: (Life, N)| (known.0.commit.commitment, Known::Judged(Box::new(known)));
        let mut all: HashMap<Commitment, Known<N>> = lives.into_iter().map(judged).collect();
        all.extend(ended.into_iter().map(|(commitment, end)| (commitment, Known::Ended(end))));
        all.extend(not_judged.into_iter().map(|commitment| (commitment, Known::NotJudged)));
        let (tables, left) = (tables.into_iter().collect(), Left::default());
        let extent = Extent::Whole;
        Self { view, extent, lives: all, tables, last_time, anchors, left, turns: true }
    }
}
