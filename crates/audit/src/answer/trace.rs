//! Every draw of a deal.

use serde::Serialize;

use fairdeal::deal::Observer;

/// One word, and its use.
#[derive(Debug, Serialize)]
pub struct TraceStep {
    /// The word.
    pub word: u32,
    /// The choice has values 0 to range − 1.
    pub range: u32,
    /// Whether it was rejected, so that the next word decides.
    pub rejected: bool,
    /// The value chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<u32>,
    /// The positions swapped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap: Option<[usize; 2]>,
    /// The deck after the swap, from position 0: cards or item numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck: Option<Order>,
}

/// A deck's order.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Order {
    Cards(String),
    Indices(Vec<u32>),
}

/// Records the steps.
pub(super) struct Tracer<F> {
    pub(super) steps: Vec<TraceStep>,
    cards: F,
}

impl<F: Fn(&[u32]) -> Option<String>> Tracer<F> {
    pub(super) fn new(cards: F) -> Self {
        Self { steps: Vec::new(), cards }
    }
}

impl<F: Fn(&[u32]) -> Option<String>> Observer for Tracer<F> {
    fn word(&mut self, word: u32, range: u32, value: Option<u32>) {
        self.steps.push(TraceStep {
            word,
            range,
            rejected: value.is_none(),
            value,
            swap: None,
            deck: None,
        });
    }

    fn swap(&mut self, at: usize, with: usize, deck: &[u32]) {
        // The last item has one place left: it takes no word, so it has no step.
        let Some(step) = self.steps.last_mut().filter(|step| step.swap.is_none()) else { return };
        step.swap = Some([at, with]);
        step.deck =
            Some((self.cards)(deck).map_or_else(|| Order::Indices(deck.to_vec()), Order::Cards));
    }
}
