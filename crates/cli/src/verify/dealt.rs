//! Prints what was dealt, and with a layout to whom.

use std::collections::BTreeMap;

use crate::cards;
use crate::out::{Out, plain};
use fairdeal::deal::{List, Method};
use fairdeal::record::entry::{Commit, Layout, ResultForm};
use fairdeal::record::receipt::{Document, Opening, Placed, ReaderGiven, ReceiptVerdict, Shown};
use fairdeal_audit::answer::{VerifiedFile, commit_of};

/// Prints the result, or an opening's cards: first who got what, then the deal's order.
pub(super) fn print(file: &VerifiedFile, given: &ReaderGiven, list: Option<&List>, out: &mut Out) {
    let VerifiedFile { document, verdict, under_seal, .. } = file;
    let commit = document.as_ref().and_then(commit_of);
    let result = under_seal.as_ref().unwrap_or(&verdict.result);
    if let Some(Document::Opening(opening)) = document {
        opened(commit.as_deref(), opening, verdict, list, out);
    } else {
        let texts = texts(result, list);
        laid_out(commit.as_deref(), verdict, &texts, (given, list), out);
    }
    match (&result.indices, list) {
        (Some(indices), Some(list)) => {
            let method = commit.as_ref().map_or(Method::Shuffle, |commit| commit.method);
            let items = indices.iter().filter_map(|index| u32::try_from(index.value()).ok());
            cards::items(out, method, list, items);
        }
        _ => cards::result(out, result),
    }
    if under_seal.is_some() {
        cards::result(out, &verdict.result);
    }
}

/// Prints the cards of an opening.
fn opened(
    commit: Option<&Commit>,
    opening: &Opening,
    verdict: &ReceiptVerdict,
    list: Option<&List>,
    out: &mut Out,
) {
    let layout = commit.and_then(|commit| commit.layout.as_ref());
    for card in &opening.opened {
        let number = u32::try_from(card.item.value()).ok();
        let named = commit.zip(number).and_then(|(commit, item)| commit.deck.text_of(&[item]).ok());
        let item = match (named, list) {
            (Some(text), _) => cards::lines(&text, 80).concat(),
            (None, Some(list)) => cards::item(list, number),
            (None, None) => format!("item {}", cards::from_one(card.item.value())),
        };
        let placed = verdict.placed.iter().flatten().find(|placed| placed.t() == card.t.value());
        let whose =
            placed.map_or_else(String::new, |placed| format!("  {}", whose(placed, layout)));
        let place = cards::from_one(card.t.value());
        field!(out, &format!("card {place}"), "{item}{whose}");
    }
}

/// `alice's second card`, `the turn`, `burnt before the turn`.
fn whose(placed: &Placed, layout: Option<&Layout>) -> String {
    match placed {
        Placed::Seat { seat, card, .. } => {
            format!("{}'s {} card", plain(seat.as_str()), nth(*card))
        }
        Placed::Street { street, .. } => format!("the {}", name_of(*street, layout)),
        Placed::Burnt { burnt, .. } => format!("burnt before the {}", name_of(*burnt, layout)),
        Placed::Nobody { .. } => "nobody's".to_owned(),
    }
}

/// An ordinal, counted from 0.
fn nth(number: u64) -> String {
    match number {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        3 => "fourth".to_owned(),
        4 => "fifth".to_owned(),
        more => format!("{}th", more + 1),
    }
}

fn name_of(street: u64, layout: Option<&Layout>) -> String {
    layout.map_or_else(String::new, |layout| layout.street_name(street))
}

/// Prints a result by seats and streets.
fn laid_out(
    commit: Option<&Commit>,
    verdict: &ReceiptVerdict,
    texts: &[String],
    (given, list): (&ReaderGiven, Option<&List>),
    out: &mut Out,
) {
    let Some(placed) = &verdict.placed else { return };
    let layout = commit.and_then(|commit| commit.layout.as_ref());
    let text =
        |t: u64| usize::try_from(t).ok().and_then(|t| texts.get(t)).cloned().unwrap_or_default();
    let (mut seats, mut streets) =
        (Vec::<(&str, Vec<String>)>::new(), BTreeMap::<u64, Vec<String>>::new());
    let (mut burnt, mut nobody) = (Vec::new(), Vec::new());
    for one in placed {
        match one {
            Placed::Seat { t, seat, .. } => {
                match seats.iter_mut().find(|(name, _)| *name == seat.as_str()) {
                    Some((_, cards)) => cards.push(text(*t)),
                    None => seats.push((seat.as_str(), vec![text(*t)])),
                }
            }
            Placed::Street { t, street } => streets.entry(*street).or_default().push(text(*t)),
            Placed::Burnt { t, .. } => burnt.push(text(*t)),
            Placed::Nobody { t, .. } => nobody.push(text(*t)),
        }
    }
    let join = |cards: &[String]| cards.join(if list.is_some() { ", " } else { " " });
    let mixed = verdict.shown.contains(&Shown::Yours);
    let is_yours = |name: &str| mixed && given.mine.iter().any(|own| own.from.as_str() == name);
    let seat = |(name, cards): &(&str, Vec<String>)| {
        let you = if is_yours(name) { " (you)" } else { "" };
        format!("{}{you}: {}", plain(name), join(cards))
    };
    out.fields("seats", seats.iter().map(seat));
    let street = |(street, cards): (&u64, &Vec<String>)| {
        format!("{}: {}", name_of(*street, layout), join(cards))
    };
    let burnt = (!burnt.is_empty()).then(|| format!("burnt: {}", join(&burnt)));
    let nobody = (!nobody.is_empty()).then(|| format!("nobody's: {}", join(&nobody)));
    out.fields("board", streets.iter().map(street).chain(burnt).chain(nobody));
}

/// The names of the result's items, in deal order.
fn texts(result: &ResultForm, list: Option<&List>) -> Vec<String> {
    if let Some(text) = &result.cards {
        let (pairs, _) = text.as_str().as_bytes().as_chunks::<2>();
        let one = |pair: &[u8; 2]| cards::lines(&String::from_utf8_lossy(pair), 80).concat();
        return pairs.iter().map(one).collect();
    }
    let item = |number: u64| match list {
        Some(list) => cards::item(list, u32::try_from(number).ok()),
        None => number.to_string(),
    };
    result.indices.iter().flatten().map(|index| item(index.value())).collect()
}
