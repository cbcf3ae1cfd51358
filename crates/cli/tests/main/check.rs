//! `fairdeal check` as a process: every shared row, pipes, truncated files, and its JSON.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use fairdeal_schemes::dialect::{self, Column, Round, find};
use fairdeal_schemes::rows::{Names, Rows};
use proptest::prelude::*;
use serde_json::{Value, json};

fn fixture(dialect: &str) -> PathBuf {
    let folder = tools::root().join("fixtures/dialects");
    folder.join(format!("{}.json", dialect.replace('/', "-")))
}

fn check(words: &[&str], stdin: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.env("NO_COLOR", "1").arg("check").args(words);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut running = piped.expect("fairdeal starts");
    let mut pipe = running.stdin.take().expect("piped");
    let stdin = stdin.to_vec();
    // It may end before it has read everything.
    let writing = std::thread::spawn(move || drop(pipe.write_all(&stdin)));
    let output = running.wait_with_output().expect("fairdeal ends");
    writing.join().expect("written");
    output
}

/// The JSON for rows on stdin, and the exit code.
fn judged(dialect: &str, rows: &[u8]) -> (Value, Option<i32>) {
    let output = check(&[dialect, "--file", "-", "--json"], rows);
    let error = String::from_utf8_lossy(&output.stderr);
    let answer = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("one JSON object: {error}"));
    (answer, output.status.code())
}

fn verdicts(answer: &Value) -> Vec<&str> {
    let rows = answer["rows"].as_array().expect("a list");
    rows.iter().map(|row| row["verdict"].as_str().expect("a text")).collect()
}

/// The stated verdict of each row of a shared file.
fn stated(file: &Value) -> Vec<String> {
    let verdict = |row: &Value| match (row["valid"].as_bool(), row["reason"].as_str()) {
        (Some(true), None) => "valid".to_owned(),
        (Some(false), Some("cards_mismatch")) => "result-mismatch".to_owned(),
        (_, reason) => reason.expect("a reason").replace('_', "-"),
    };
    file["rows"].as_array().expect("rows").iter().map(verdict).collect()
}

#[test]
fn every_shared_file_gets_the_verdicts_that_its_rows_state_in_every_form() {
    for dialect in dialect::ALL {
        let name = dialect.name;
        let text = std::fs::read_to_string(fixture(name)).expect("readable");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        let expected = stated(&file);
        let invalid = expected.iter().filter(|verdict| *verdict != "valid").count();
        let rows = file["rows"].as_array().expect("rows");
        let lines: Vec<String> = rows.iter().map(ToString::to_string).collect();
        for form in [&text, &lines.join("\n"), &format!("[{}]", lines.join(",")), &table(rows)] {
            let (answer, code) = judged(name, form.as_bytes());
            assert_eq!(verdicts(&answer), expected, "{name}");
            assert_eq!(code, Some(i32::from(invalid > 0)), "{name}");
            assert_eq!(answer["dialect"], name);
            assert_eq!(
                (&answer["invalid"], &answer["unreadable"]),
                (&json!(invalid), &json!(0)),
                "{name}"
            );
            assert_eq!(answer["valid"], expected.len() - invalid, "{name}");
            assert_eq!(answer["would_verify"]["failing"], invalid, "{name}");
            assert_eq!(answer["rows_show"]["rows"], expected.len(), "{name}");
            assert_eq!(answer["cannot_show"]["dialect"], name);
            for (at, row) in answer["rows"].as_array().expect("a list").iter().enumerate() {
                assert_eq!(row["row"], at);
                assert!(row["says"].as_str().is_some_and(|says| !says.is_empty()));
            }
        }
    }
}

/// The Python reference is checked with the same files.
#[test]
fn odd_files_are_read_as_the_shared_list_says() {
    let path = tools::root().join("fixtures/dialects/changes.json");
    let file: Value =
        serde_json::from_slice(&std::fs::read(path).expect("readable")).expect("JSON");
    let files = file["files"].as_array().expect("files");
    assert!(files.len() > 20);
    for odd in files {
        let what = odd["what"].as_str().expect("what");
        let text = odd["text"].as_str().expect("a text");
        let (answer, code) = judged("stake-video-poker", text.as_bytes());
        match odd["verdicts"].as_str() {
            None => assert_eq!(code, Some(3), "{what}"),
            Some(letters) => {
                let found: String = verdicts(&answer).iter().map(|verdict| &verdict[..1]).collect();
                assert_eq!(found, letters, "{what}");
                let all = |letter| letters.bytes().all(|one| one == letter);
                // No row can be read from a file without rows either.
                let expected = if all(b'u') { 3 } else { i32::from(!all(b'v')) };
                assert_eq!(code, Some(expected), "{what}");
            }
        }
    }
}

/// The same rows as CSV, with lists as texts.
fn table(rows: &[Value]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = Column::ALL.map(Column::as_str);
    writer.write_record(names).expect("writable");
    let field = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    };
    for row in rows {
        writer.write_record(names.map(|name| field(&row[name]))).expect("writable");
    }
    String::from_utf8(writer.into_inner().expect("whole")).expect("UTF-8")
}

/// A wrong row changes the exit code; a file without one holds.
#[test]
fn one_row_that_is_not_valid_is_enough() {
    for dialect in ["liqd-blackjack", "bustabit"] {
        let file: Value =
            serde_json::from_slice(&std::fs::read(fixture(dialect)).unwrap()).unwrap();
        let (good, traps): (Vec<_>, Vec<_>) =
            file["rows"].as_array().unwrap().iter().cloned().partition(|row| row["valid"] == true);
        let array = |rows: &[Value]| serde_json::to_vec(rows).unwrap();
        assert_eq!(judged(dialect, &array(&good)).1, Some(0));
        for trap in traps {
            assert_eq!(judged(dialect, &array(&[&good[..], &[trap]].concat())).1, Some(1));
        }
    }
}

#[test]
fn a_cut_file_is_named_as_cut_or_judged_as_far_as_it_goes() {
    let name = "duel-video-poker";
    let text = std::fs::read_to_string(fixture(name)).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let expected = stated(&file);
    let rows = file["rows"].as_array().unwrap();
    let lines: String = rows.iter().fold(String::new(), |mut all, row| {
        let _ = writeln!(all, "{row}");
        all
    });
    for (form, closed) in [(text, true), (lines, false), (table(rows), false)] {
        for cut in (1..form.len()).step_by(97) {
            let (answer, code) = judged(name, &form.as_bytes()[..cut]);
            let found = verdicts(&answer);
            assert!(answer.get("error").is_some() == (code == Some(3)), "cut at {cut}: {answer}");
            // The last field of the last row may be truncated without a trace.
            let sure = if closed { found.len() } else { found.len().saturating_sub(1) };
            assert!(
                found.iter().zip(&expected).take(sure).all(|(found, expected)| found == expected),
                "cut at {cut}"
            );
            if closed {
                assert_eq!(code, Some(3), "cut at {cut}");
            } else {
                let invalid = found.iter().any(|verdict| *verdict != "valid");
                assert!(
                    code == Some(3) || code == Some(i32::from(invalid)),
                    "cut at {cut}: {code:?}"
                );
            }
        }
    }
}

#[test]
fn rows_that_cannot_be_read_are_named_by_line_and_the_others_are_judged() {
    let name = "stake-crash";
    let file: Value = serde_json::from_slice(&std::fs::read(fixture(name)).unwrap()).unwrap();
    let good = file["rows"][0].to_string();
    let bad = [
        "{\"server_seed\":7,\"result\":\"x\"}",
        "{\"server_seed\":",
        "7",
        "{\"result\":\"1.00\"}",
        "{]}",
    ];
    let mut text = String::new();
    for bad in bad {
        let _ = writeln!(text, "{good}\n{bad}");
    }
    let (answer, code) = judged(name, format!("{text}{good}").as_bytes());
    assert_eq!(code, Some(1));
    assert_eq!(
        (&answer["valid"], &answer["invalid"], &answer["unreadable"]),
        (&json!(6), &json!(5), &json!(5))
    );
    for (at, row) in answer["rows"].as_array().unwrap().iter().enumerate() {
        let says = row["says"].as_str().unwrap();
        let bad = !at.is_multiple_of(2);
        assert_eq!(row["verdict"] == "unreadable", bad, "{row}");
        assert_eq!(says.starts_with(&format!("line {}: ", at + 1)), bad, "{says}");
    }
}

/// A round as options, and as a row of a file.
#[test]
fn what_accuses_nobody_in_a_file_accuses_nobody_alone() {
    let file: Value = serde_json::from_slice(&std::fs::read(fixture("bustabit")).unwrap()).unwrap();
    let hash = file["rows"][0]["server_seed"].as_str().expect("a hash");
    let seed = "51b5258b38fef00c9887b7ad6c728035";
    let commitment = "0a052860225b83fbda782cd0ff0f491cd19b45d3496cdb5a2ecd5af9caef26d0";
    for (dialect, column, value, with, says) in [
        (
            "bustabit",
            "game_id",
            "12279450",
            json!({"server_seed": hash, "result": "1.83"}),
            "12279451 or later",
        ),
        (
            "bustabit",
            "chain_steps",
            "5",
            json!({"server_seed": hash, "result": "1.83"}),
            "12279451 or later",
        ),
        ("bustabit", "game_id", "9999999", json!({"server_seed": hash}), "12279451 or later"),
        (
            "stake-crash",
            "result",
            "7,740",
            json!({"server_seed": hash, "client_seed": "a"}),
            "7.740 or 7740",
        ),
        (
            "stake-video-poker",
            "commitment",
            commitment,
            json!({"server_seed": commitment, "client_seed": "a", "nonce": 1}),
            "the commitment itself",
        ),
        (
            "stake-video-poker",
            "cards",
            "X1",
            json!({"server_seed": seed, "client_seed": "a", "nonce": 1}),
            "without jokers",
        ),
    ] {
        let mut row = with.clone();
        row[column] = json!(value);
        let words: Vec<String> = row
            .as_object()
            .expect("an object")
            .iter()
            .map(|(name, value)| {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                match &**name {
                    "cards" | "result" => format!("--expect={value}"),
                    "game_id" | "chain_steps" => format!("--with={name}={value}"),
                    name => format!("--{}={value}", name.replace('_', "-")),
                }
            })
            .collect();
        let words: Vec<&str> =
            [dialect].into_iter().chain(words.iter().map(String::as_str)).collect();
        let alone = check(&words, b"");
        let error = String::from_utf8_lossy(&alone.stderr);
        assert_eq!(alone.status.code(), Some(2), "{words:?}: {error}");
        assert!(alone.stdout.is_empty() && error.contains(says), "{words:?}: {error}");
        let (cards, result) = (json!("5S"), json!("1.00"));
        let object = row.as_object_mut().expect("an object");
        let needed =
            if dialect == "stake-video-poker" { ("cards", cards) } else { ("result", result) };
        object.entry(needed.0).or_insert(needed.1);
        let (answer, code) = judged(dialect, row.to_string().as_bytes());
        assert_eq!((verdicts(&answer), code), (vec!["unreadable"], Some(3)));
        assert!(answer["rows"][0]["says"].as_str().expect("a text").contains(says), "{answer}");
    }
}

#[test]
fn what_an_editor_puts_around_the_seed_of_a_file_is_not_of_the_seed() {
    let seed = "51b5258b38fef00c9887b7ad6c728035";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("seed");
    for (text, code) in [
        (seed.to_owned(), 0),
        (format!("{seed}\r\n"), 0),
        (format!("\u{feff}{seed}\n\n"), 0),
        // This scheme uses a seed as text: a space makes it another one.
        (format!("{seed} \n"), 1),
        (format!("{seed}\n{seed}\n"), 2),
        ("\u{feff}\r\n".to_owned(), 2),
    ] {
        std::fs::write(&file, &text).expect("written");
        let given = format!("--server-seed=@{}", file.display());
        let words = [
            "stake-video-poker",
            &given,
            "--client-seed=6ec29c0c4180fd3f802534e6c98810ff",
            "--nonce=0",
            "--expect=5S AS JS QS JH",
        ];
        let output = check(&words, b"");
        assert_eq!(output.status.code(), Some(code), "{text:?}: {output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said.contains("has no white space around it"), code == 1, "{said}");
    }
}

#[test]
fn of_many_invalid_rows_a_thousand_are_printed_and_the_others_counted() {
    let row = "{\"server_seed\":\"ab\",\"client_seed\":\"cd\",\"result\":1.23}\n";
    let output = check(&["stake-crash", "--file", "-"], row.repeat(12_345).as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text.lines().filter(|line| line.starts_with("  row ")).count(), 1_000);
    assert!(text.contains("  and 11,345 more: 11,345 result-mismatch\n"), "{text}");
    assert!(text.contains("invalid     12,345: 12,345 result-mismatch\n"), "{text}");
    let (answer, _) = judged("stake-crash", row.repeat(12_345).as_bytes());
    let rows = answer["rows"].as_array().unwrap();
    assert!(rows.iter().enumerate().all(|(at, row)| row["row"] == at) && rows.len() == 12_345);
}

fn seeds(text: &[u8]) -> Vec<Option<String>> {
    let mut rows = Rows::in_chunks(text, Names::of(find("stake-crash").expect("known")), 7);
    let mut found = Vec::new();
    while let Some(batch) = rows.next_batch().expect("whole") {
        let seed = |round: Round<'_>| round.client_seed.map(std::borrow::Cow::into_owned);
        found.extend(batch.rows(0..batch.len()).map(|row| seed(row.round.expect("readable"))));
    }
    found
}

proptest! {
    #[test]
    fn a_table_that_another_library_wrote_is_read_as_it_was_meant(
        fields in proptest::collection::vec("[a\",;\t\r\n é]{0,6}", 1..8),
        delimiter in proptest::sample::select(vec![b',', b';', b'\t']),
        always in any::<bool>(),
        crlf in any::<bool>(),
    ) {
        let mut writer = csv::WriterBuilder::new();
        writer.delimiter(delimiter);
        writer.quote_style(if always { csv::QuoteStyle::Always } else { csv::QuoteStyle::Necessary });
        writer.terminator(if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') });
        let mut writer = writer.from_writer(Vec::new());
        writer.write_record(["id", "client_seed", "x"]).unwrap();
        for field in &fields {
            writer.write_record(["1", field, field]).unwrap();
        }
        let expected: Vec<_> = fields.iter().map(|field| Some(field.clone()).filter(|field| !field.is_empty())).collect();
        prop_assert_eq!(seeds(&writer.into_inner().unwrap()), expected);
    }
}
