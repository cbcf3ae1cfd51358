//! Other implementations on rows of other operators' schemes: the Python reference on generated
//! rows, and the verifiers with node:crypto of the benchmark.

use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};

use tools::dice::{Dice, change};

#[test]
fn the_bench_is_held_against_verifiers_that_judge_the_shared_rows_rightly() {
    let root = tools::root();
    for dialect in fairdeal_schemes::dialect::ALL {
        let name = dialect.name;
        let text = std::fs::read_to_string(
            root.join(format!("fixtures/dialects/{}.json", name.replace('/', "-"))),
        )
        .expect("rows");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        let rows: Vec<&Value> = file
            .get("rows")
            .and_then(Value::as_array)
            .expect("rows")
            .iter()
            .filter(|row| row.get("reason").and_then(Value::as_str) != Some("chain_mismatch"))
            // Only shuffles of 52 cards.
            .filter(|row| {
                ["deck", "method", "contributions"].iter().all(|column| row.get(*column).is_none())
            })
            .collect();
        let expected: Vec<bool> = rows
            .iter()
            .map(|row| row.get("valid").and_then(Value::as_bool).expect("valid"))
            .collect();
        let given = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(given.path(), serde_json::to_vec(&rows).expect("JSON")).expect("written");
        let ran = Command::new("node")
            .arg(root.join("benches/dialects.mjs"))
            .args([name.as_ref(), given.path().as_os_str(), "0".as_ref()])
            .output()
            .expect("node is there: ./check installs it");
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        let found: Vec<bool> = serde_json::from_slice(&ran.stdout).expect("a list of verdicts");
        assert_eq!(found, expected, "{name}");
        assert!(found.contains(&true));
    }
}

/// The exit code, and each row's verdict.
fn verdicts(command: &mut Command) -> (Option<i32>, Vec<String>) {
    let ran = command.output().expect("it starts");
    let answer: Option<Value> = serde_json::from_slice(&ran.stdout).ok();
    let rows = answer.as_ref().and_then(|answer| answer.get("rows")).and_then(Value::as_array);
    let verdict =
        |row: &Value| row.get("verdict").and_then(Value::as_str).unwrap_or("none").to_owned();
    (ran.status.code(), rows.map(|rows| rows.iter().map(verdict).collect()).unwrap_or_default())
}

/// Rows of a dialect's file, many of them changed in one place or two, at random.
fn changed_rows(path: &Path, dice: &mut Dice, count: usize) -> Vec<Value> {
    let file: Value = serde_json::from_slice(&std::fs::read(path).expect("rows")).expect("JSON");
    let rows = file.get("rows").and_then(Value::as_array).expect("rows");
    let one = |_| {
        let mut row = dice.of(rows).clone();
        for _ in 0..dice.below(3) {
            if dice.one_in(2) {
                change(&mut row, dice);
            } else if let (Some(row), Value::Object(other)) = (row.as_object_mut(), dice.of(rows)) {
                // A column of another row: seeds and results in the wrong place.
                let columns: Vec<(&String, &Value)> = other.iter().collect();
                let (name, content) = *dice.of(&columns);
                row.insert(name.clone(), content.clone());
            }
        }
        row
    };
    // The first row is an object, so that the file is recognised as JSON lines.
    rows.first().cloned().into_iter().chain((1..count).map(one)).collect()
}

#[test]
fn the_python_reference_gives_the_same_verdict_on_rows_changed_at_random() {
    let root = tools::root();
    let (mut dice, count) = (Dice::new(31), tools::cases(100, 400));
    for dialect in fairdeal_schemes::dialect::ALL {
        let name = dialect.name;
        let path = root.join(format!("fixtures/dialects/{}.json", name.replace('/', "-")));
        let rows = changed_rows(&path, &mut dice, count);
        let folder = tempfile::tempdir().expect("a folder");
        let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
        let forms = [
            ("array", Value::Array(rows.clone()).to_string()),
            (
                "object",
                Value::Object(Map::from_iter([("rows".to_owned(), json!(rows))])).to_string(),
            ),
            ("lines", lines.join("\n")),
        ];
        let mut first: Option<Vec<String>> = None;
        for (form, text) in forms {
            let file = folder.path().join(form);
            std::fs::write(&file, text).expect("written");
            let words = [
                "check".as_ref(),
                name.as_ref(),
                "--file".as_ref(),
                file.as_os_str(),
                "--json".as_ref(),
            ];
            let ours = verdicts(Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(words));
            let script = root.join("spec/reference/fairdeal.py");
            let theirs = verdicts(Command::new("python3").arg(script).args(words));
            for (at, (ours, theirs)) in ours.1.iter().zip(&theirs.1).enumerate() {
                assert_eq!(
                    ours,
                    theirs,
                    "{name} as {form}, row {at}: {}",
                    lines.get(at).expect("a row")
                );
            }
            assert_eq!(ours, theirs, "{name} as {form}");
            assert_eq!(ours.1.len(), count, "{name} as {form}");
            assert_eq!(first.get_or_insert_with(|| ours.1.clone()), &ours.1, "{name} as {form}");
        }
        let all = first.expect("verdicts");
        for verdict in ["valid", "unreadable", "result-mismatch"] {
            assert!(all.iter().any(|one| one == verdict), "{name}: no row is {verdict}");
        }
    }
}

/// A file of two rows in some form, with bytes removed, doubled or moved.
fn damaged_file(dice: &mut Dice, lines: &[String]) -> Vec<u8> {
    const PIECES: [&[u8]; 16] = [
        b"\n",
        b"\r\n",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\"",
        b"\\",
        b" 7",
        b"null",
        b"\"rows\":",
        b"\xff",
        b"\x0c",
        b"{}",
    ];
    let two = lines.get(..2).expect("two rows");
    let rows = two.join(",\n");
    let text = match dice.below(6) {
        0 => format!("[{rows}]"),
        1 => format!("{{\"x\":1,\"rows\":[{rows}],\"x\":[{{}}]}}"),
        2 => two.join("\n"),
        3 => two.join("\n") + "\n",
        4 => two.concat().replacen(',', ",\n", 2),
        _ => "nonce,x,server_seed\n1,\"a\nb\",c\r\n2,,\n".to_owned(),
    };
    let mut bytes = text.into_bytes();
    for _ in 0..dice.below(3) {
        let places: Vec<usize> = (0..=bytes.len()).collect();
        let (a, b) = (*dice.of(&places), *dice.of(&places));
        match dice.below(4) {
            0 => bytes.truncate(a),
            1 => drop(bytes.drain(a.min(b)..(a.min(b) + 3).min(a.max(b)))),
            2 => {
                let piece = bytes.get(a.min(b)..a.max(b)).unwrap_or_default().to_vec();
                bytes.splice(a..a, piece);
            }
            _ => drop(bytes.splice(a..a, dice.of(&PIECES).iter().copied())),
        }
    }
    bytes
}

#[test]
fn the_python_reference_reads_the_same_files_of_rows() {
    let root = tools::root();
    let path = root.join("fixtures/dialects/stake-video-poker.json");
    let mut dice = Dice::new(16);
    let lines: Vec<String> =
        changed_rows(&path, &mut dice, 2).iter().map(Value::to_string).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<_> = (0..1500)
        .map(|n| (folder.path().join(n.to_string()), damaged_file(&mut dice, &lines)))
        .collect();
    for (path, bytes) in &files {
        std::fs::write(path, bytes).expect("written");
    }
    // One Python process for all of them.
    let script = "import sys, dialects, rows\n\
        scheme = dialects.dialect('stake-video-poker')\n\
        for path in sys.argv[1:]:\n\
        \x20   try: print(''.join('u' if isinstance(row, rows.Unreadable) else 'r' for row in dialects.read(scheme, open(path, 'rb').read())))\n\
        \x20   except rows.NotRead: print('-')\n";
    let theirs = Command::new("python3")
        .current_dir(root.join("spec/reference"))
        .args(["-B", "-c", script])
        .args(files.iter().map(|(path, _)| path))
        .output()
        .expect("python3 is there");
    assert!(theirs.status.success(), "{}", String::from_utf8_lossy(&theirs.stderr));
    let theirs = String::from_utf8(theirs.stdout).expect("text");
    let (mut whole, mut none) = (0, 0);
    for ((path, bytes), theirs) in files.iter().zip(theirs.lines()) {
        let names = fairdeal_schemes::rows::Names::of(
            fairdeal_schemes::dialect::find("stake-video-poker").expect("known"),
        );
        let mut rows = fairdeal_schemes::rows::Rows::new(bytes.as_slice(), names);
        let mut ours = String::new();
        let read = loop {
            match rows.next_batch() {
                Ok(Some(batch)) => ours.extend(
                    batch.rows(0..batch.len()).map(|row| if row.round.is_ok() { 'r' } else { 'u' }),
                ),
                other => break other.map(|_| ()),
            }
        };
        let shown = String::from_utf8_lossy(bytes);
        assert_eq!(read.is_err(), theirs == "-", "{}: {read:?}, {theirs}\n{shown}", path.display());
        if read.is_ok() {
            whole += 1;
            // A stream reads a row's columns later.
            assert_eq!(ours.len(), theirs.len(), "{ours}, {theirs}\n{shown}");
            assert!(
                ours.chars().zip(theirs.chars()).all(|(a, b)| a == b || a == 'u'),
                "{ours}, {theirs}\n{shown}"
            );
        } else {
            none += 1;
        }
    }
    assert!(whole > 50 && none > 50, "{whole} and {none}");
}
