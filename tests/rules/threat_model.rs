//! The proofs that spec/threat-model.md names for its claims.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use fairdeal::record::finding::Code;
use serde_json::Value;

use tools::explore::table::{FREEDOMS, THREAT_MODEL_TABLE};

/// Words of a verdict that are written like findings.
const TOKENS: [&str; 3] = ["committed-first", "locked-before-beacon", "no-collusion"];

fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

fn read(relative: &str) -> String {
    fs::read_to_string(path(relative)).unwrap_or_else(|error| panic!("{relative}: {error}"))
}

fn model() -> String {
    read("spec/threat-model.md")
}

/// The proofs that a text names: `[fixtures/…]`, `[tests/….rs::name]`, `[src/….rs::name]` and
/// `[crates/….rs::name]`.
fn proofs(text: &str) -> Vec<&str> {
    let bracketed = text.split('[').skip(1).filter_map(|rest| Some(rest.split_once(']')?.0));
    bracketed
        .filter(|name| {
            ["fixtures/", "tests/", "src/", "crates/"].iter().any(|room| name.starts_with(room))
        })
        .collect()
}

/// The texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The file of an attack, or of a log's folder.
fn case_path(case: &str) -> PathBuf {
    let file = if case.starts_with("fixtures/attacks/") { ".json" } else { "/case.json" };
    path(&format!("{case}{file}"))
}

/// Why a proof is not one.
fn fault(proof: &str) -> Option<String> {
    let Some((file, name)) = proof.split_once("::") else {
        return (!case_path(proof).is_file()).then(|| format!("{proof}: no such case"));
    };
    let Ok(source) = fs::read_to_string(path(file)) else {
        return Some(format!("{proof}: no such file"));
    };
    // A property test has arguments, other tests have none: the name always ends at the
    // parenthesis.
    (!source.contains(&format!("fn {name}("))).then(|| format!("{proof}: no such test"))
}

/// The verdict that a case expects; null if it expects none, or does not exist.
fn expected(case: &str) -> Value {
    let text = fs::read_to_string(case_path(case)).unwrap_or_else(|_| "null".to_owned());
    let case: Value = serde_json::from_str(&text).expect("JSON");
    case.get("verdict").cloned().unwrap_or(Value::Null)
}

/// All values of members with this name, however deep.
fn members<'a>(name: &str, value: &'a Value) -> Vec<&'a Value> {
    match value {
        Value::Object(members_of) => {
            let own = members_of.get(name).into_iter();
            own.chain(members_of.values().flat_map(|value| members(name, value))).collect()
        }
        Value::Array(values) => values.iter().flat_map(|value| members(name, value)).collect(),
        _ => Vec::new(),
    }
}

fn is_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_u64() != Some(0),
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

/// The cells of all tables: the column's heading and the text.
fn cells(text: &str) -> Vec<(&str, &str)> {
    let mut heading: Vec<&str> = Vec::new();
    let mut cells = Vec::new();
    for line in text.lines() {
        let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) else {
            heading.clear();
            continue;
        };
        let row: Vec<&str> = row.split('|').map(str::trim).collect();
        if heading.is_empty() {
            heading = row;
        } else {
            assert_eq!(
                row.len(),
                heading.len(),
                "a row has as many cells as its table's heading: {line}"
            );
            cells.extend(
                heading.iter().copied().zip(row).filter(|(_, cell)| !cell.starts_with("---")),
            );
        }
    }
    cells
}

/// The claims of a cell without a proof. Each part of the cell, up to a semicolon, has its own
/// claims and proofs.
fn unproved(
    cell: &str,
    is_claim: impl Fn(&str) -> bool,
    shows: impl Fn(&Value, &str) -> bool,
) -> Vec<String> {
    let mut faults = Vec::new();
    for part in cell.split(';') {
        let proofs = proofs(part);
        let is_tested = proofs.iter().any(|proof| proof.contains("::"));
        let verdicts: Vec<Value> = proofs.into_iter().map(expected).collect();
        let is_shown =
            |claim: &str| is_tested || verdicts.iter().any(|verdict| shows(verdict, claim));
        let claims = quoted(part).filter(|word| is_claim(word) && !is_shown(word));
        faults.extend(claims.map(|claim| format!("nothing shows {claim:?} in: {}", part.trim())));
    }
    faults
}

#[test]
fn every_proof_that_the_threat_model_names_exists() {
    let model = model();
    let named: BTreeSet<&str> = proofs(&model).into_iter().collect();
    assert!(named.len() > 50, "only {} proofs were read", named.len());
    let faults: Vec<String> = named.into_iter().filter_map(fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_attacker_has_a_section_and_a_proof_in_it() {
    let model = model();
    for number in 1..=8 {
        let start = format!("## {number}. ");
        let section =
            model.split("\n## ").find(|section| format!("## {section}").starts_with(&start));
        let section = section.unwrap_or_else(|| panic!("there is a section {number}"));
        assert!(!proofs(section).is_empty(), "section {number} names no proof");
    }
}

#[test]
fn what_the_threat_model_says_is_found_or_counted_is_in_the_verdict_that_it_names() {
    let model = model();
    let audit = read("spec/audit.md");
    let mut faults = Vec::new();
    for (column, cell) in cells(&model) {
        if column == "finding" {
            let is_code = |word: &str| Code::parse(word).is_some();
            let is_found = |verdict: &Value, code: &str| {
                members("code", verdict).into_iter().any(|found| found == code)
            };
            faults.extend(unproved(cell, is_code, is_found));
        } else if column == "counted" {
            for part in quoted(cell).flat_map(|name| name.split('.')) {
                let is_known =
                    audit.contains(&format!("`{part}`")) || audit.contains(&format!("\"{part}\""));
                assert!(is_known, "{part} is no number of spec/audit.md");
            }
            let is_counted = |verdict: &Value, name: &str| {
                let name = name.rsplit('.').next().unwrap_or(name);
                members(name, verdict).into_iter().any(is_something)
            };
            faults.extend(unproved(cell, |_| true, is_counted));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_threat_model_names_every_finding_there_is_and_no_other() {
    let model = model().replace("```", "");
    let words: BTreeSet<&str> = quoted(&model).collect();
    let is_kebab = |word: &&&str| {
        word.contains('-') && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let unknown: Vec<_> = words
        .iter()
        .filter(is_kebab)
        .filter(|word| {
            !word.starts_with('-') && Code::parse(word).is_none() && !TOKENS.contains(word)
        })
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let silent: Vec<_> =
        Code::ALL.iter().copied().filter(|code| !words.contains(code.as_str())).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

/// The first cells of the table under a heading.
fn first_cells(model: &str, heading: &str) -> Vec<String> {
    let (_, under) =
        model.split_once(heading).unwrap_or_else(|| panic!("{heading}: no such heading"));
    let rows = under
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    let cell = |row: &str| row.split('|').nth(1).unwrap_or_default().trim().to_owned();
    rows.skip(2).map(cell).collect()
}

#[test]
fn the_freedoms_that_every_short_log_leaves_are_the_rows_of_the_threat_model_and_no_others() {
    let model = model();
    let named: BTreeSet<String> = first_cells(&model, THREAT_MODEL_TABLE).into_iter().collect();
    let left: BTreeSet<String> = FREEDOMS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(named, left);
    let alone = first_cells(&model, "Each choice alone");
    for (choice, _) in FREEDOMS.iter().flat_map(|(.., choices)| *choices) {
        assert!(alone.iter().any(|cell| cell.starts_with(choice.row())), "{choice:?}: {alone:?}");
    }
}
