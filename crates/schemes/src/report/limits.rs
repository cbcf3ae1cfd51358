//! What no audit can show, and how anybody can repeat this one.

use maud::{Markup, html};

use super::PageContext;
use super::words::spelled;
use fairdeal::spelled::quoted;
use fairdeal_audit::AuditVerdict;

/// The most older checkpoints in the command.
const SINCE: usize = 50;

pub(super) fn limits(statistics: bool) -> Markup {
    html! {
        p { "A log that holds proves much, but not everything. This page cannot show:" }
        dl class="limits" {
            dt { "That everybody was given this log" }
            dd {
                "An operator could show one history to you and another to someone else. Save signed checkpoints as you play, compare them with "
                "other people’s, and pass them to the audit (" code { "--since" } "): two that do not fit together are proof."
            }
            dt { "When anything happened" }
            dd { "The order of the entries is certain; their times are the operator’s word." }
            dt { "That the operator does not play too" }
            dd {
                "Whoever knows the secret knows the cards. An operator, or someone who was told, can sit at the table and play well. "
                "The deal is still exactly the promised one."
            }
            dt { "What was never promised, or happened off the log" }
            dd {
                "Cards shown at the table that differ from those recorded, bets, payouts, and rounds that never reached the log: compare your "
                "own receipts with it."
            }
            dt { "Folded hands" }
            dd {
                "Once the secret is out every card of an open deal is public, those that players folded too. Deals that are sealed show only "
                "the cards that were opened, and only these can be checked by everybody."
            }
            dt { "Deals whose secret is not out yet" }
            dd { "They rest on the promise. They can be computed again once the secret is revealed." }
            dt { "Who the players’ seeds come from" }
            dd {
                "The names are the operator’s word. It could invent players and their seeds, or leave a player out. Anyone who played can compare "
                "their receipt with the seed that they gave (" code { "fairdeal verify --mine" } ")."
            }
            @if statistics {
                dt { "What no statistic sees" }
                dd {
                    "A good generator whose secret somebody knows deals perfect decks. A tiny bias needs more deals than anyone plays: that of a "
                    "32-bit number reduced to 52 cards, some 10" sup { "17" } ". Selecting deals is harder to see the rarer it is: a tenth as often "
                    "takes a hundred times as many deals. That is why the commitments exist."
                }
            } @else {
                dt { "Whether the cards look shuffled" }
                dd { "This audit did not count them. " code { "fairdeal stats" } " does." }
            }
        }
    }
}

pub(super) fn repeat(verdict: &AuditVerdict, about: &PageContext<'_>) -> Markup {
    // The command must be the one that was typed: only characters that could harm a terminal are spelled out.
    let word = |text: &str| spelled(&quoted(text));
    let mut audit =
        vec![format!("fairdeal audit {}", word(about.log)), format!("--key {}", word(about.key))];
    audit.extend(verdict.as_of.map(|as_of| format!("--as-of {as_of}")));
    audit.extend(verdict.clock.map(|clock| format!("--clock {clock}")));
    audit.extend((verdict.unverified.signatures > 0).then(|| "--skip-signatures".to_owned()));
    audit.extend(about.since.iter().take(SINCE).map(|since| format!("--since {}", word(since))));
    let audit = audit.join(" \\\n  ");
    html! {
        p {
            "You need the log, the key and the " code { "fairdeal" } " tool. Take the key from a source that you trust, not from this page. The same log "
            "gives the same verdict, the same numbers and this same page, byte for byte, on every machine."
        }
        ol class="steps" {
            li { p { "Judge the whole log, as it was judged here:" } pre tabindex="0" { code { (audit) } } }
            li { p { "See every finding and every number, for a program to read:" } pre tabindex="0" { code { (audit) " \\\n  --json" } } }
            li { p { "Check one deal against its receipt, without the log:" }
                pre tabindex="0" { code { "fairdeal verify receipt.json --key " (word(about.key)) } } }
        }
        @if verdict.size > 0 || verdict.holds { p {
            "The audit was of " b { (verdict.size) } " " (if verdict.size == 1 { "entry. Its" } else { "entries. Their" }) " root, " span class="code" { (verdict.root.to_hex()) }
            ", is a fingerprint of all of them in order: if yours is the same, so is your log."
        } }
    }
}
