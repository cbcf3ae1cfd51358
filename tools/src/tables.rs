//! Files of rows as people have them: other names of columns, other forms and separators, numbers
//! and cards in other spellings, and faults of each of these.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use serde_json::{Map, Value, json};

use crate::dice::Dice;

/// A column of spec/dialects.md, section 16.2.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its own name.
    pub column: String,
    /// Its other names.
    pub others: Vec<String>,
    /// Those that it has only on a chain.
    pub on_a_chain: Vec<String>,
}

/// The columns and names of the table in the specification.
pub fn listed() -> Vec<Listed> {
    let spec = std::fs::read_to_string(crate::root().join("spec/dialects.md"));
    let spec = spec.expect("spec/dialects.md");
    let (_, table) = spec.split_once("| column | other names | value |\n").expect("the table");
    let quoted = |text: &str| -> Vec<String> {
        text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let of_line = |line: &str| -> Vec<Listed> {
        let cells: Vec<&str> = line.split('|').collect();
        let (others, chain) = cells[2].split_once(';').unwrap_or((cells[2], ""));
        let of = |column| Listed { column, others: quoted(others), on_a_chain: quoted(chain) };
        quoted(cells[1]).into_iter().map(of).collect()
    };
    table.lines().skip(1).take_while(|line| line.starts_with('|')).flat_map(of_line).collect()
}

/// A file of a dialect's rows.
pub fn file(dialect: &str, rows: &[Value], listed: &[Listed], dice: &mut Dice) -> Vec<u8> {
    let mut columns: Vec<String> = Vec::new();
    let kept: Vec<&Value> = (0..=dice.below(3)).map(|_| dice.of(rows)).collect();
    for name in kept.iter().flat_map(|row| row.as_object().expect("an object").keys()) {
        // Without a commitment no chain is walked.
        let is_walk = dialect.starts_with("bustabit") && name == "commitment";
        if listed.iter().any(|one| one.column == *name) && !columns.contains(name) && !is_walk {
            columns.push(name.clone());
        }
    }
    if dice.one_in(6) {
        columns.push(dice.of(listed).column.clone());
    }
    if dice.one_in(6) {
        columns.remove(dice.below(columns.len()));
    }
    if dice.one_in(8) {
        columns.push(dice.of(&columns).clone());
    }
    if dialect.starts_with("bustabit") {
        columns.retain(|column| column != "commitment");
    }
    let mut names: Vec<String> = columns.iter().map(|name| spelled(name, listed, dice)).collect();
    let mut values: Vec<Vec<Value>> = Vec::new();
    for row in kept {
        values.push(columns.iter().map(|name| value(name, &row[name], row, dice)).collect());
    }
    if dice.one_in(4) {
        names.push((*dice.of(&["x", "note", "signature", "\u{17f}eed", "rows"])).to_owned());
        for row in &mut values {
            row.push(json!("y"));
        }
    }
    let text = match dice.below(8) {
        0 => json!(objects(&names, &values)).to_string(),
        1 => objects(&names, &values)
            .iter()
            .fold(String::new(), |text, row| text + &row.to_string() + "\n"),
        2 => wrapped(&objects(&names, &values), dice),
        _ => table(&names, &values, dice),
    };
    let mut text = if dice.one_in(8) { format!("\u{feff}{text}") } else { text };
    if dice.one_in(6) {
        text = changed(&text, dice);
    }
    text.into_bytes()
}

/// A name that means a column, or nearly.
fn spelled(column: &str, listed: &[Listed], dice: &mut Dice) -> String {
    let known = listed.iter().find(|one| one.column == column);
    let others: Vec<&String> =
        known.iter().flat_map(|one| one.others.iter().chain(&one.on_a_chain)).collect();
    let name = if others.is_empty() || dice.one_in(2) { column } else { dice.of(&others) };
    match dice.below(12) {
        0 => name.to_uppercase(),
        1 => name.replace('_', ""),
        2 => name.replace('_', " "),
        3 => name.replace('_', "-"),
        4 => format!(" {name}"),
        5 => name.replacen('s', "\u{17f}", 1),
        6 => name.replace('_', "."),
        _ => name.to_owned(),
    }
}

/// A value of a row, as it may come in another file.
fn value(column: &str, value: &Value, row: &Value, dice: &mut Dice) -> Value {
    if dice.one_in(3) || value.is_null() {
        return value.clone();
    }
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match column {
        "result" => match dice.below(8) {
            0 => json!(text.replace('.', ",")),
            1 => json!(format!("{}0", text.replace('.', ","))),
            2 => json!(format!("{text}{}", dice.of(&["x", "X", "×", " x", "0", "00x"]))),
            3 => json!(format!("1,{text}")),
            4 => json!(format!("0,00{text}")),
            5 => json!(dice.of(&["1,234", "1,234,567", "1.234,5", ",5", "5,", "1,2,3", "7,7400"])),
            _ => json!(text),
        },
        "cards" | "held" | "final" => {
            let items: Vec<&str> = match value {
                Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
                _ => vec![&text],
            };
            let between = dice.of(&["", " ", ",", ", ", "  "]);
            let cards = match dice.below(5) {
                0 => items.join(between).to_lowercase(),
                1 => joined(&items),
                2 => {
                    format!("{}{}", dice.of(&["X1", "x1", "x2", "X3", "x1X2"]), items.join(between))
                }
                _ => items.join(between),
            };
            json!(format!(
                "{}{cards}{}",
                dice.of(&["", "", " ", ","]),
                dice.of(&["", "", " ", ","])
            ))
        }
        "server_seed" => match dice.below(10) {
            0 => row.get("commitment").unwrap_or(value).clone(),
            1 => json!(dice.of(&[
                "***",
                "Not revealed yet",
                "1.2E+31",
                "1,2e+31",
                "ab…",
                " a ",
                "E+1"
            ])),
            2 => json!(format!("{text} ")),
            3 => json!(text.to_uppercase()),
            _ => json!(text),
        },
        "numbers" | "rolls" | "symbols" | "path" | "floors" => listed_value(value, &text, dice),
        "risk" | "difficulty" => match dice.below(5) {
            0 => json!(text.to_uppercase()),
            1 => json!(format!("{text} ")),
            2 => json!(dice.of(&["low", "medium", "High", "expert", "easy", "master", "3", "5"])),
            _ => json!(text),
        },
        "nonce" | "game_id" | "chain_steps" | "rows" | "segments" | "mine_count" | "slot" => {
            match dice.below(4) {
                0 => json!(format!("{text}{}", dice.of(&[".0", "e0", " ", ""]))),
                _ => json!(text),
            }
        }
        _ => value.clone(),
    }
}

/// A list in another form, or changed.
fn listed_value(value: &Value, text: &str, dice: &mut Dice) -> Value {
    let Value::Array(items) = value else {
        let digits: Vec<u32> = text.chars().filter_map(|one| one.to_digit(10)).collect();
        return match dice.below(4) {
            0 => json!(digits),
            1 => json!(format!("{text}1")),
            2 => value.clone(),
            _ => json!(text.chars().rev().collect::<String>()),
        };
    };
    let plain = |item: &Value| match item {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    };
    let mut items = items.clone();
    match dice.below(6) {
        0 => items.reverse(),
        1 => drop(items.pop()),
        2 => items.push(
            dice.of(&[json!(1), json!("T"), json!("heads"), json!([1]), json!(null)]).clone(),
        ),
        _ => {}
    }
    let texts: Vec<String> = items.iter().map(plain).collect();
    match dice.below(8) {
        0 => json!(texts.join(*dice.of(&[",", ", ", " ", ";", "; ", ",,"]))),
        1 => json!(texts.join(", ").to_uppercase()),
        2 => json!(Value::Array(items).to_string()),
        3 => json!(
            texts.iter().map(|one| one.chars().take(1).collect::<String>()).collect::<Vec<_>>()
        ),
        4 => json!(texts),
        _ => Value::Array(items),
    }
}

/// Cards of two characters, as shuffle.md writes them.
fn joined(cards: &[&str]) -> String {
    let short = |card: &&str| {
        let card = card.replace("10", "T");
        let (rank, suit) = card.split_at_checked(1).unwrap_or((&card, ""));
        format!("{rank}{}", suit.to_lowercase())
    };
    cards.iter().map(short).collect()
}

fn objects(names: &[String], values: &[Vec<Value>]) -> Vec<Value> {
    let object = |row: &Vec<Value>| {
        Value::Object(names.iter().cloned().zip(row.iter().cloned()).collect::<Map<_, _>>())
    };
    values.iter().map(object).collect()
}

/// Rows as a member of an object, among others.
fn wrapped(rows: &[Value], dice: &mut Dice) -> String {
    let name = *dice.of(&["rows", "bets", "data"]);
    let mut members = vec![format!("\"{name}\":{}", json!(rows))];
    for _ in 0..dice.below(3) {
        let others = [
            "\"dialect\":\"x\"".to_owned(),
            "\"players\":[{\"name\":\"a\"}]".to_owned(),
            "\"next\":[]".to_owned(),
            "\"hash\":\"a\"".to_owned(),
            "\"\\ud800\":1".to_owned(),
            "\"rows\":[]".to_owned(),
            format!("\"more\":{}", json!(rows)),
        ];
        members.insert(dice.below(members.len() + 1), dice.of(&others).clone());
    }
    format!("{{{}}}{}", members.join(", "), dice.of(&["", "\n"]))
}

fn table(names: &[String], values: &[Vec<Value>], dice: &mut Dice) -> String {
    let separator = *dice.of(&[",", ",", ";", "\t"]);
    let end = *dice.of(&["\n", "\r\n"]);
    let mut text = String::new();
    if dice.one_in(6) {
        text += &["sep=", *dice.of(&[separator, separator, ",", "|"]), end].concat();
    }
    let cells = |row: &[Value]| -> Vec<String> {
        let text = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        row.iter().map(text).collect()
    };
    let records = [names.to_vec()].into_iter().chain(values.iter().map(|row| cells(row)));
    for mut record in records {
        if dice.one_in(30) {
            record.pop();
        }
        let cell = |cell: String, dice: &mut Dice| {
            if cell.contains(['"', '\r', '\n']) || cell.contains(separator) || dice.one_in(5) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell
            }
        };
        let record: Vec<String> = record.into_iter().map(|one| cell(one, dice)).collect();
        text += &(record.join(separator) + end);
        if dice.one_in(12) {
            text += end;
        }
    }
    if dice.one_in(4) {
        text.truncate(text.trim_end_matches(['\r', '\n']).len());
    }
    text
}

/// A text with one or two characters more, fewer or others.
fn changed(text: &str, dice: &mut Dice) -> String {
    let mut all: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(2) {
        let at = dice.below(all.len() + 1);
        if dice.one_in(3) && at < all.len() {
            all.remove(at);
        } else {
            all.insert(at, *dice.of(&['"', ',', ';', '\t', '\r', '\n', ' ', '{', ']', '0', '•']));
        }
    }
    all.into_iter().collect()
}
