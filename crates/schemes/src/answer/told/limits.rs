//! The limits of a scheme, as labelled lines: the bias first, then the statements.

use super::line::Line;
use crate::dialect::limits::{DrawBias, MultiplierBias, RangeBias, Ratio};
use crate::dialect::{Bias, Column, Limits, Standing, find};

/// The lines, not wrapped.
#[must_use]
pub fn lines(limits: &Limits) -> Vec<Line> {
    let mut lines = vec![
        Line::new("scheme", format!("{}: {}", limits.dialect, limits.title)),
        Line::new("covers", limits.covers),
    ];
    match &limits.bias {
        Bias::Draws(bias) => {
            let has_cards = find(limits.dialect).is_some_and(|of| of.reads(Column::Cards));
            draws(bias, if has_cards { "cards" } else { "values" }, &mut lines);
        }
        Bias::Multiplier(bias) => multipliers(bias, &mut lines),
    }
    for statement in &limits.statements {
        let text = match statement.standing {
            Standing::Property => statement.says.to_string(),
            standing => format!("{standing}: {}", statement.says),
        };
        lines.push(Line::new(label(statement.code), text));
    }
    lines.push(Line::new("source", limits.source));
    lines
}

/// The label of a statement: at most eleven characters.
fn label(code: &'static str) -> &'static str {
    match code {
        "committed-first" => "before",
        "client-seed" => "client",
        "last-speaker" => "last word",
        "completeness" => "complete",
        "same-for-all" => "one for all",
        code => code,
    }
}

fn draws(bias: &DrawBias, what: &str, lines: &mut Vec<Line>) {
    let (first, last) = (&bias.ranges[0], &bias.ranges[bias.ranges.len() - 1]);
    if !bias.biased {
        let most = bias.ranges.iter().map(|one| one.words_refused).max().unwrap_or(0);
        lines.push(Line::new(
            "bias",
            format!(
                "none: in each draw, of one of {}, every value has equally many of the 2^{} words; {}",
                if first.range == last.range {
                    first.range.to_string()
                } else {
                    format!("{} to {}", first.range, last.range)
                },
                bias.word_bits,
                match most {
                    0 => "no word is refused".to_owned(),
                    most => format!("up to {most} words are refused and another one is taken"),
                }
            ),
        ));
        return;
    }
    let worst = bias.worst();
    lines.push(Line::new("bias", one_draw(worst, bias.word_bits, what)));
    lines.push(Line::more(format!(
        "the furthest from 1/{} is off by {} of it, {:.1e}{}",
        worst.range,
        worst.deviation,
        worst.deviation.decimal(),
        if bias.ranges.len() > 1 { ", the most of any draw of a round" } else { "" }
    )));
    // Rounded up, since these are bounds.
    let (over, under) = (bias.likeliest.decimal() * 1.05, bias.least_likely.decimal() * 1.05);
    lines.push(Line::more(format!(
        "the likeliest {} less than {over:.1e} over an equal share, the least likely less than {under:.1e} under it; \
         in fewer than {:.0e} {} no counting would show it",
        if bias.draws == 1 { "is".to_owned() } else { format!("{} {what} are", bias.draws) },
        bias.unseen_rounds.expect("a bias is seen at last"),
        if bias.ranges.len() > 1 || bias.draws == 1 { "rounds" } else { what }
    )));
}

fn one_draw(one: &RangeBias, bits: u32, what: &str) -> String {
    let others = u64::from(one.range) - one.values_with_most;
    let has = |values: u64| if values == 1 { "has" } else { "have" };
    let refused =
        if one.words_refused == 0 { "no".to_owned() } else { one.words_refused.to_string() };
    format!(
        "of {} {what}, {} {} {} of the 2^{bits} words and {others} {} {}; {refused} word is refused",
        one.range,
        one.values_with_most,
        has(one.values_with_most),
        one.most,
        has(others),
        one.least
    )
}

fn percent(ratio: Ratio) -> f64 {
    ratio.decimal() * 100.0
}

fn multipliers(bias: &MultiplierBias, lines: &mut Vec<Line>) {
    let at = |multiplier: &str| bias.points.iter().find(|point| point.multiplier == multiplier);
    lines.push(Line::new(
        "edge",
        format!(
            "{} of what is staked, {:.2} %; {} comes in {} of 2^{} cases, {:.4} %; the largest result is {}",
            bias.house_edge,
            percent(bias.house_edge),
            if at("1.00").is_none_or(|point| point.at_least == bias.cases) { "1.00" } else { "1.00 or less" },
            bias.lowest.numerator(),
            bias.bits,
            percent(bias.lowest),
            bias.largest
        ),
    ));
    let chances = ["1.01", "1.10", "1.50", "2.00", "10.00", "100.00", "1000.00", "10000.00"];
    let chances = chances
        .into_iter()
        .filter_map(at)
        .map(|point| format!("{} {:.6} %", point.multiplier, percent(point.probability)));
    lines.push(Line::new(
        "chances",
        format!("of so much or more: {}", chances.collect::<Vec<_>>().join(" · ")),
    ));
    lines.push(Line::new(
        "bias",
        format!(
            "by rounding only: each chance is less than the formula's by under 2^-{}; up to 10000.00 by {:.3e} at most, at {}, \
             and at 10000.00 by {:.1e} of itself{}",
            bias.bits,
            bias.largest_deviation_to_10000.deviation.decimal(),
            bias.largest_deviation_to_10000.multiplier,
            at("10000.00").map_or(0.0, |point| point.relative.decimal()),
            bias.first_impossible
                .as_ref()
                .map_or_else(String::new, |first| format!("; from {first} on some results cannot come"))
        ),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_one_line_with_a_short_label() {
        for dialect in crate::dialect::ALL {
            for line in lines(&Limits::of(dialect)) {
                assert!(
                    line.label.len() < 12 && !line.text.is_empty() && !line.text.contains('\n'),
                    "{line:?}"
                );
            }
        }
    }
}
