//! `--trace`: every draw of a deal.

use crate::cards;
use crate::out::{BAD, FAINT, Out, STRONG, width};
use fairdeal::deal::{Method, Plan};
use fairdeal_audit::answer::{Order, TraceStep};

/// Prints each draw, and the deck after it.
pub(super) fn print(steps: &[TraceStep], plan: Plan, out: &mut Out) {
    for (number, step) in steps.iter().enumerate() {
        let TraceStep { word, range, .. } = step;
        let head =
            format!("{STRONG}draw {:<3}{STRONG:#} word {word:>10} of range {range}", number + 1);
        let (Some(value), Some([at, with])) = (step.value, step.swap) else {
            say!(out, "{head}: {BAD}rejected{BAD:#}, the next word decides");
            continue;
        };
        let swap = if at == with { format!("{at} stays") } else { format!("swap {at} and {with}") };
        say!(out, "{head}: {STRONG}{value}{STRONG:#}, {swap}");
        match &step.deck {
            Some(Order::Cards(text)) => {
                for line in cards::lines(text, width().saturating_sub(2)) {
                    say!(out, "  {line}");
                }
            }
            Some(Order::Indices(items)) => {
                let numbers: Vec<String> = items.iter().map(u32::to_string).collect();
                say!(out, "  {}", numbers.join(" "));
            }
            None => {}
        }
    }
    let dealt = match plan.method() {
        Method::Shuffle => {
            "The cards settle from the last position down, and are dealt in that order."
        }
        Method::Cycle => "Position p is assigned the item that ended there: one single cycle.",
    };
    say!(out, "{FAINT}{dealt}{FAINT:#}");
}
