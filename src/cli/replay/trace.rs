//! `--trace`: every draw of a deal.

use serde::Serialize;

use crate::cli::cards;
use crate::cli::out::{BAD, FAINT, Out, STRONG, width};
use crate::deal::{Method, Observer, Plan};

/// One word, and its use.
#[derive(Serialize)]
pub(super) struct Step {
    /// The word.
    word: u32,
    /// The choice has values 0 to range − 1.
    range: u32,
    /// Whether it was rejected, so that the next word decides.
    rejected: bool,
    /// The value chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<u32>,
    /// The positions swapped.
    #[serde(skip_serializing_if = "Option::is_none")]
    swap: Option<[usize; 2]>,
    /// The deck after the swap, from position 0: cards or item numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    deck: Option<Order>,
}

/// A deck's order.
#[derive(Serialize)]
#[serde(untagged)]
enum Order {
    Cards(String),
    Indices(Vec<u32>),
}

/// Records the steps.
pub(super) struct Tracer<F> {
    pub(super) steps: Vec<Step>,
    cards: F,
}

impl<F: Fn(&[u32]) -> Option<String>> Tracer<F> {
    pub(super) fn new(cards: F) -> Self {
        Self { steps: Vec::new(), cards }
    }
}

impl<F: Fn(&[u32]) -> Option<String>> Observer for Tracer<F> {
    fn word(&mut self, word: u32, range: u32, value: Option<u32>) {
        self.steps.push(Step { word, range, rejected: value.is_none(), value, swap: None, deck: None });
    }

    fn swap(&mut self, at: usize, with: usize, deck: &[u32]) {
        // The last item has one place left: it takes no word, so it has no step.
        let Some(step) = self.steps.last_mut().filter(|step| step.swap.is_none()) else { return };
        step.swap = Some([at, with]);
        step.deck = Some((self.cards)(deck).map_or_else(|| Order::Indices(deck.to_vec()), Order::Cards));
    }
}

/// Prints each draw, and the deck after it.
pub(super) fn print(steps: &[Step], plan: Plan, out: &mut Out) {
    for (number, step) in steps.iter().enumerate() {
        let Step { word, range, .. } = step;
        let head = format!("{STRONG}draw {:<3}{STRONG:#} word {word:>10} of range {range}", number + 1);
        let (Some(value), Some([at, with])) = (step.value, step.swap) else {
            out.line(format_args!("{head}: {BAD}rejected{BAD:#}, the next word decides"));
            continue;
        };
        let swap = if at == with { format!("{at} stays") } else { format!("swap {at} and {with}") };
        out.line(format_args!("{head}: {STRONG}{value}{STRONG:#}, {swap}"));
        match &step.deck {
            Some(Order::Cards(text)) => {
                for line in cards::lines(text, width().saturating_sub(2)) {
                    out.line(format_args!("  {line}"));
                }
            }
            Some(Order::Indices(items)) => {
                let numbers: Vec<String> = items.iter().map(u32::to_string).collect();
                out.line(format_args!("  {}", numbers.join(" ")));
            }
            None => {}
        }
    }
    let dealt = match plan.method() {
        Method::Shuffle => "The cards settle from the last position down, and are dealt in that order.",
        Method::Cycle => "Position p is assigned the item that ended there: one single cycle.",
    };
    out.line(format_args!("{FAINT}{dealt}{FAINT:#}"));
}
