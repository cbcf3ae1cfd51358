use std::fmt::Write as _;

use super::*;
use crate::dialect::{Round, find};

type Found = (u64, Result<String, String>);

/// The rows, each as its line and its client seed or its fault, and what ended them.
fn read(bytes: &[u8], chunk: usize) -> (Vec<Found>, Option<String>) {
    let mut rows = Rows::in_chunks(bytes, Names::of(find("duel-crash").unwrap()), chunk);
    let mut found = Vec::new();
    loop {
        match rows.next_batch() {
            Ok(Some(batch)) => {
                for row in batch.rows(0..batch.len()) {
                    assert_eq!(row.number, u64::try_from(found.len()).unwrap());
                    let seed =
                        |round: Round<'_>| round.client_seed.unwrap_or_default().into_owned();
                    found.push((row.line, row.round.map(seed)));
                }
            }
            Ok(None) => return (found, None),
            Err(error) => {
                assert!(rows.next_batch().is_ok_and(|next| next.is_none()), "once");
                return (found, Some(error.to_string()));
            }
        }
    }
}

/// The rows and the fault of a text, which are the same in chunks of any size.
#[track_caller]
fn all(text: &str) -> (Vec<Found>, Option<String>) {
    let whole = read(text.as_bytes(), CHUNK);
    for chunk in [1, 2, 3, 5, 17, 64] {
        assert_eq!(read(text.as_bytes(), chunk), whole, "in chunks of {chunk}: {text}");
    }
    whole
}

/// The rows of a file that is whole, or faults of rows in it.
#[track_caller]
fn rows(text: &str) -> Vec<(u64, String)> {
    let (rows, ended) = all(text);
    assert_eq!(ended, None, "{text}");
    rows.into_iter()
        .map(|(line, row)| (line, row.unwrap_or_else(|fault| format!("! {fault}"))))
        .collect()
}

#[track_caller]
fn is(text: &str, expected: &[(u64, &str)]) {
    let found = rows(text);
    let same = found.len() == expected.len()
        && found.iter().zip(expected).all(|(a, b)| {
            a.0 == b.0 && (a.1 == b.1 || b.1.starts_with('!') && a.1.contains(&b.1[2..]))
        });
    assert!(same, "{text}\nfound {found:?}\nexpected {expected:?}");
}

/// The rows before it breaks off, and how.
#[track_caller]
fn breaks(text: &str, before: usize, says: &str) {
    let (rows, ended) = all(text);
    let ended = ended.unwrap_or_else(|| panic!("whole: {text}"));
    assert!(rows.len() == before && ended.contains(says), "{text}\nfound {rows:?} and {ended}");
}

#[test]
fn every_form_is_read_and_each_row_knows_its_line() {
    let two = [(1, "a"), (2, "b")];
    is("[{\"client_seed\":\"a\"},\n{\"client_seed\":\"b\"}]", &two);
    is("[{\"client_seed\":\"a\"},\r\n{\"client_seed\":\"b\"}]\r\n", &two);
    is("{\"client_seed\":\"a\"}\n{\"client_seed\":\"b\"}", &two);
    is("{\"client_seed\":\"a\"}\r\n\r\n \t{\"client_seed\":\"b\"}\n\n", &[(1, "a"), (3, "b")]);
    is("\u{feff}\n{\n \"client_seed\":\n\"a\"\n}\n", &[(2, "a")]);
    is("{\"rows\":[{\"client_seed\":\"a\"},\n{\"client_seed\":\"b\"}]}", &two);
    is("client_seed\na\nb\n", &[(2, "a"), (3, "b")]);
    is("\u{feff}id,client_seed\r\n1,a\r\n\r\n2,b", &[(2, "a"), (4, "b")]);
    is("id;client_seed\n1;a,1\n2;\"b;\"\n", &[(2, "a,1"), (3, "b;")]);
    is(
        "id\tclient_seed\n1\t\"say \"\"a\"\"\"\n2\t\"b\nc\"\n3\td\n",
        &[(2, "say \"a\""), (3, "b\nc"), (5, "d")],
    );
    is("\n\r\nclient_seed,id\na,1\n", &[(4, "a")]);
    is("[]", &[]);
    is(" [ ] ", &[]);
    is("{\"rows\":[]}", &[]);
    is("client_seed\n", &[]);
    is("client_seed,id", &[]);
    is("{}", &[(1, "")]);
}

#[test]
fn what_is_beside_the_rows_of_an_object_is_passed_over() {
    let before = r#"{"a":{"rows":[1]},"b":"rows\":[","c":[[],{}],"d":1.5,"e":null,"rows":"#;
    is(&format!(r#"{before}[{{"client_seed":"a"}}],"f":{{"g":[1,"]}}"]}},"h":2}}"#), &[(1, "a")]);
    is(&format!("{before}[\n\n{{\"client_seed\":\"a\"}}\n]\n}}\n"), &[(3, "a")]);
    let half = r#""\ud800":1"#;
    is(&format!(r#"{{{half},"rows":[{{"client_seed":"a"}}],{half}}}"#), &[(1, "a")]);
    // No list: it is a row that has such a column.
    is(r#"{"rows":7,"client_seed":"a"}"#, &[(1, "a")]);
    let dialect = |text: &str| {
        let mut rows = Rows::new(text.as_bytes(), Names::of(find("duel-crash").unwrap()));
        while let Ok(Some(_)) = rows.next_batch() {}
        rows.dialect().map(str::to_owned)
    };
    assert_eq!(dialect(r#"{"dialect":"x","rows":[]}"#).as_deref(), Some("x"));
    assert_eq!(dialect(r#"{"rows":[],"dialect":"x"}"#).as_deref(), Some("x"));
    assert_eq!(dialect(r#"{"rows":[],"dialect":["x"]}"#), None);
    assert_eq!(dialect(r#"{"dialect":7,"rows":[]}"#), None);
}

#[test]
fn a_row_that_cannot_be_read_is_its_own_matter() {
    let good = "{\"client_seed\":\"b\"}";
    for (bad, says) in [
        ("{\"nonce\":-1}", "! nonce: expected a whole number from 0 to 2^53 - 1, found -1"),
        ("{\"Nonce\":\"x\"}", "! \"Nonce\" as nonce: expected a whole number"),
        ("{\"nonce\":1.5}", "! found 1.5"),
        ("{\"commitment\":\"ab\"}", "! commitment: expected 64 hex digits, found \"ab\""),
        ("{\"result\":{}}", "! found an object"),
        ("{\"nonce\":1,\"nonce\":1}", "! expected one value, found a second one in \"nonce\""),
        ("{\"nonce\":null,\"nonce\":1}", "! found a second one"),
        ("{\"x\":1,\"x\":2}", "! expected one value, found a second one in \"x\""),
        ("{\"client_seed\":\"\\ud800\"}", "! found a text with half a character"),
        ("{\"\\ud800\":1,\"\\uD800\":1}", "! expected one value, found a second one"),
    ] {
        is(&format!("[{good},\n{bad},\n{good}]"), &[(1, "b"), (2, says), (3, "b")]);
        is(&format!("{good}\n{bad}\n{good}"), &[(1, "b"), (2, says), (3, "b")]);
    }
    is(r#"[{"\ud800":1,"\ud801":"\ud800","client_seed":"b"}]"#, &[(1, "b")]);
    let many: Vec<String> = (0..100).map(|name| format!("\"{name}\":0,")).collect();
    let many = many.concat();
    is(&format!("[{{{many}\"client_seed\":\"b\"}}]"), &[(1, "b")]);
    is(&format!("[{{{many}\"99\":0}}]"), &[(1, "! found a second one in \"99\"")]);
    // In a line or an array, what is no object.
    for bad in ["7", "null", "\"x\"", "[1,[2]]", "true"] {
        is(&format!("[{good},{bad},\n{good}]"), &[(1, "b"), (1, "! expected an object"), (2, "b")]);
        is(&format!("{good}\n{bad}\n{good}"), &[(1, "b"), (2, "! expected an object"), (3, "b")]);
    }
    // A name may come twice among the members next to the rows.
    is(&format!("{{\"x\":1,\"x\":2,\"rows\":[{good}],\"x\":3}}"), &[(1, "b")]);
}

/// Rows that are no JSON, and why.
const NO_JSON: [(&str, &str); 11] = [
    ("{\"nonce\":}", "expected a value"),
    ("{\"nonce\":1,}", "expected a member's name in quotes"),
    ("{'nonce':1}", "expected a member's name in quotes"),
    ("{\"nonce\":[1}}", "expected \",\" or \"]\""),
    ("{\"x\":{\"y\" 1}}", "expected"),
    ("{\"nonce\":1", ""),
    ("{\"client_seed\":\"x}", "control character"),
    ("{\"cards\":[\"x\"}", "expected \",\" or \"]\""),
    ("{\"nonce\":1,", ""),
    ("{", ""),
    ("{\"x\":{\"y\":1}", ""),
];

#[test]
fn a_line_that_is_no_json_is_its_own_matter_unless_the_file_was_cut_in_it() {
    let good = "{\"client_seed\":\"b\"}";
    for (bad, _) in NO_JSON {
        is(&format!("{good}\n{bad}\n{good}\n"), &[(1, "b"), (2, "! no JSON"), (3, "b")]);
        is(&format!("{good}\n{bad}\n"), &[(1, "b"), (2, "! no JSON")]);
        breaks(&format!("{good}\n{bad}"), 1, "line 2, after 1 row: the last line is no JSON");
    }
    for bad in [format!("{good} x"), format!("{good},"), format!("{good}{good}")] {
        is(&format!("{good}\n{bad}\n{good}"), &[(1, "b"), (2, "! no JSON"), (3, "b")]);
    }
    is(
        &format!("{good}\nnonsense\n"),
        &[(1, "b"), (2, "! expected an object, found \"nonsense\"")],
    );
}

#[test]
fn what_is_no_whole_json_is_no_file_of_rows_from_there_on() {
    let good = "{\"client_seed\":\"b\"}";
    for (bad, says) in NO_JSON {
        for array in [
            format!("[{good},\n{bad},\n{good}\n]"),
            format!("{{\"rows\":[{good},\n{bad}\n,{good}]}}"),
        ] {
            let (rows, ended) = all(&array);
            assert_eq!(rows, [(1, Ok("b".to_owned()))], "{array}");
            let ended = ended.unwrap_or_default();
            assert!(ended.contains(says) && ended.contains("after 1 row: "), "{array}: {ended}");
        }
    }
    for bad in ["x", "'x'", "01", "nul", "NaN", "\u{c}1"] {
        breaks(&format!("[{good},{bad},{good}]"), 1, "line 1, after 1 row: ");
    }
    // By its first line it is neither lines nor a table, and it is not one object.
    breaks(&format!("{good}{good}\n"), 1, "expected the end of the file after");
    breaks(
        "{\"nonce\":1\n{}\n",
        0,
        "line 1, after 0 rows: expected the row that begins here to end",
    );
    breaks("{\"nonce\":1\n{}}\n", 0, "line 2, after 0 rows: no JSON");
    breaks(
        &format!("{{\n\"client_seed\":\"a\"}}\n{good}"),
        1,
        "expected the end of the file after",
    );
    breaks(&format!("\u{c}[{good}]"), 0, "expected JSON objects, or a header");
}

#[test]
fn what_is_no_utf_8_is_no_file_of_rows_from_there_on() {
    for (text, before) in [
        (&b"client_seed,x\nb,1\nc,\xff\nd,1\n"[..], 1),
        (b"client_seed\nb\n\xc3", 1),
        (b"{\"client_seed\":\"b\"}\n{\"x\":\"\xe2\x82\"}\n", 1),
        (b"[{\"client_seed\":\"b\"},{\"x\":\"\xc3(\"}]", 1),
        (b"[{\"client_seed\":\"b\"}]\xc3(", 1),
        (b"\xff", 0),
        (b"\xef\xbb", 0),
    ] {
        let whole = read(text, CHUNK);
        assert_eq!(whole.0.len(), before, "{text:?}");
        assert!(
            whole
                .1
                .as_ref()
                .is_some_and(|says| says.ends_with("expected UTF-8, found other bytes"))
        );
        for chunk in [1, 2, 3, 5] {
            assert_eq!(read(text, chunk), whole, "{text:?}");
        }
    }
    let utf16: Vec<u8> = "[]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [b"\xff\xfe".as_slice(), &utf16].concat();
    for chunk in [1, CHUNK] {
        assert!(
            read(&marked, chunk)
                .1
                .is_some_and(|says| says.ends_with("expected UTF-8, found UTF-16"))
        );
    }
}

#[test]
fn csv_rows_that_cannot_be_read_are_their_own_matter() {
    is("client_seed,nonce\na\nb,1\n", &[(2, "! expected 2 fields, found 1"), (3, "b")]);
    is("client_seed,nonce\na,1,2\nb,1\n", &[(2, "! expected 2 fields, found 3"), (3, "b")]);
    is("client_seed,nonce\na,x\nb,\n", &[(2, "! nonce: expected a whole number"), (3, "b")]);
    is("client_seed,nonce\na\"x,1\nb,1\n", &[(2, "! client_seed: expected quotes"), (3, "b")]);
    is("client_seed,nonce\na,1\rb,1\nb,1\n", &[(2, "! nonce: expected quotes"), (3, "b")]);
    is(
        "client_seed,nonce\n\"a\"x,1\nb,1\n",
        &[(2, "! client_seed: expected quotes around the whole field"), (3, "b")],
    );
}

#[test]
fn a_file_that_breaks_off_says_where_after_the_rows_before() {
    let good = "{\"client_seed\":\"b\"}";
    breaks("", 0, "expected rows, found none");
    breaks(" \n", 0, "expected rows, found none");
    breaks("[", 0, "line 1, after 0 rows: expected a row or \"]\", found the end of the file");
    breaks(
        &format!("[{good},\n"),
        1,
        "line 2, after 1 row: expected a row after \",\", found the end of the file",
    );
    breaks(
        &format!("[{good}\n"),
        1,
        "expected \",\" or \"]\" after a row, found the end of the file",
    );
    breaks(&format!("[{good},]"), 1, "expected a row after \",\", found \"]\"");
    breaks(&format!("[{good} {good}]"), 1, "after a row, found \"{\"");
    breaks(&format!("[{good}}}]"), 1, "found \"}\"");
    breaks(
        &format!("[{good},\n{{\"client_seed\":\"b"),
        1,
        "line 2, after 1 row: expected the row that begins here",
    );
    breaks(
        &format!("[{good}]\n x"),
        1,
        "line 2, after 1 row: expected the end of the file after the rows, found \"x\"",
    );
    breaks(&format!("[{good}][{good}]"), 1, "expected the end of the file");
    breaks(
        &format!("{good}\n{{\"client_seed\":\"b\""),
        1,
        "line 2, after 1 row: the last line is no JSON",
    );
    breaks(&format!("{{\"rows\":[{good}"), 1, "expected \",\" or \"]\"");
    breaks(
        &format!("{{\"rows\":[{good}]"),
        1,
        "after the rows: expected the rest of an object, found the end",
    );
    breaks(
        &format!("{{\"rows\":[{good}]\n,\n\"x\":}}"),
        1,
        "line 3, after 1 row: after the rows: expected a value, found none",
    );
    breaks(&format!("{{\"rows\":[{good}],\"rows\":[]}}"), 1, "found a second \"rows\"");
    breaks(&format!("{{\"rows\":[{good}]}}}}"), 1, "after the rows: expected the end, found more");
    breaks(
        &format!("{{\"x\":01,\"rows\":[{good}]}}"),
        0,
        "before the rows: expected a number as JSON writes it, found another",
    );
    breaks("{\"dialect\":\"x\",\"ro", 0, "expected the row that begins here");
    breaks(
        "client_seed,id\na,1\n\"b\n,2\n",
        1,
        "line 3, after 1 row: expected the quote that opens here",
    );
    for last in ["b", "\"b\"x", "b\"\"", "b\r"] {
        let says = "line 3, after 1 row: expected 2 fields, found 1 and the end of the file";
        breaks(&format!("client_seed,id\na,1\n{last}"), 1, says);
        is(
            &format!("client_seed,id\na,1\n{last}\"x,1"),
            &[(2, "a"), (3, "! client_seed: expected quotes")],
        );
    }
    breaks("hello", 0, "expected JSON objects, or CSV with a header");
    breaks("client_seed,client_seed\n", 0, "expected each column once");
    breaks("server_seed_hash,hashed_server_seed\n", 0, "commitment: expected one name");
    breaks("null", 0, "found \"null\"");
    breaks("client_seed,x,x\n", 0, "expected each column once");
    is("{\"\\u0072ows\":7}", &[(1, "")]);
}

#[test]
fn of_two_names_for_a_column_none_counts() {
    let says = "client_seed: expected one name for it, found \"salt\" and \"client_seed\"; \
                choose one with --map client_seed=NAME";
    let fault = format!("! {says}");
    for row in [r#"{"salt":"c","client_seed":"a"}"#, r#"{"salt":null,"x":1,"client_seed":"a"}"#] {
        is(&format!("[{row},{{\"salt\":\"c\"}}]"), &[(1, &fault), (1, "c")]);
    }
    breaks("salt,x,client_seed\nc,1,a\n", 0, says);
    breaks("client_seed, Client-Seed\na,a\n", 0, "found \"client_seed\" and \" Client-Seed\"");
    // duel-crash reads no cards.
    is("client_seed,cards,Cards\na,1,2\n", &[(2, "a")]);
}

#[test]
fn a_list_of_rows_is_found_by_a_server_seed_in_its_first_row() {
    let rows = r#"[{"serverSeed":"s","client_seed":"a"},{"client_seed":"b"}]"#;
    let two = [(1, "a"), (1, "b")];
    is(&format!(r#"{{"ok":true,"x":[{{"y":1}}],"bets":{rows},"next":[]}}"#), &two);
    is(&format!(r#"{{"bets":{rows}, "bets":[]}}"#), &two);
    is(&format!(r#"{{"bets":[{{"server_seed":"s"}}],"rows":{rows}}}"#), &two);
    is(&format!(r#"{{"data":{{"bets":{rows}}},"client_seed":"c"}}"#), &[(1, "c")]);
    is(r#"{"client_seed":"c","bets":[{"nonce":1}]}"#, &[(1, "c")]);
    is(&"{\"client_seed\":\"c\",\"x\":[{\"y\":1}]}\n".repeat(2), &[(1, "c"), (2, "c")]);
    breaks(
        &format!(r#"{{"bets":{rows},"won":{rows}}}"#),
        0,
        "expected one list of rows, found \"bets\" and \"won\"",
    );
    breaks(&format!("{{\"bets\":{rows}}}\n{{\"bets\":{rows}}}\n"), 2, "expected the end");
    breaks(&format!("{{\"x\":01,\"bets\":{rows}}}"), 0, "before the rows: expected a number");
}

#[test]
fn a_line_that_names_the_separator_is_no_record() {
    is("sep=;\nid;client_seed\n1;a,1\n", &[(3, "a,1")]);
    is("\u{feff}\r\nsep=\t\r\n\r\nclient_seed\r\na\r\n", &[(5, "a")]);
    is("sep=,\na;b,client_seed\n1,c\n", &[(3, "c")]);
    for none in ["sep=|\nclient_seed|x\n", "sep=; \nclient_seed;x\n", "sep=;", "\rclient_seed\n"] {
        breaks(none, 0, "expected JSON objects, or");
    }
}

#[test]
fn numbers_are_read_as_they_are_written_and_are_no_text() {
    is(
        r#"[{"client_seed":12345678901234567890123}]"#,
        &[(1, "! client_seed: expected a text, found 12345678901234567890123")],
    );
    let names = || Names::of(find("duel-crash").unwrap());
    let mut rows =
        Rows::new(&br#"[{"result":1.50},{"result":1.5000000000000000001}]"#[..], names());
    let batch = rows.next_batch().unwrap().unwrap();
    let found: Vec<_> = batch.rows(0..2).map(|row| row.round.unwrap()).collect();
    assert_eq!(found[0].result, Some(crate::dialect::Cents(150)));
    assert_eq!(found[1].finer.as_deref(), Some("1.5000000000000000001"));
}

#[test]
fn a_mapped_name_that_is_not_there_is_told_at_once() {
    let dialect = find("duel-crash").unwrap();
    let mapped = |text: &str| {
        let mut names = Names::of(dialect);
        names.map(dialect, Column::ClientSeed, "beacon").unwrap();
        let mut rows = Rows::new(text.as_bytes(), names);
        match rows.next_batch() {
            Ok(Some(batch)) => Ok(batch
                .rows(0..1)
                .next()
                .unwrap()
                .round
                .unwrap()
                .client_seed
                .map(std::borrow::Cow::into_owned)),
            Ok(None) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    };
    assert_eq!(mapped("beacon,client_seed\na,b\n"), Ok(Some("a".to_owned())));
    assert_eq!(mapped("[{\"client_seed\":\"b\"},{\"beacon\":\"a\"}]"), Ok(None));
    for text in ["x,client_seed\n1,b\n", "[{\"x\":1,\"client_seed\":\"b\"}]"] {
        let says = mapped(text).unwrap_err();
        assert!(says.starts_with("client_seed is mapped to \"beacon\""), "{says}");
        assert!(says.contains("\"x\"") && says.contains("\"client_seed\""), "{says}");
    }
}

#[test]
fn what_is_too_long_is_refused() {
    let long = "x".repeat(LONGEST);
    for text in [
        format!("[{{\"client_seed\":\"{long}\"}}]"),
        format!("{{\"client_seed\":\"{long}\"}}"),
        format!("client_seed\n{long}y\n"),
        format!("{{\"x\":\"{long}\",\"rows\":[]}}"),
        format!("{{\"rows\":[],\"x\":\"{long}\"}}"),
    ] {
        let (rows, ended) = read(text.as_bytes(), CHUNK);
        assert!(
            rows.is_empty() && ended.is_some_and(|says| says.contains("at most 16777216 bytes")),
            "{text:.30}"
        );
    }
}

#[test]
fn nesting_takes_no_stack() {
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    is(
        &format!("[{{\"x\":{deep}}},\n{{\"result\":{deep}}}]"),
        &[(1, ""), (2, "! found a list of something else")],
    );
    is(&format!("{{\"x\":{deep},\"rows\":[],\"y\":{deep}}}"), &[]);
}

#[test]
fn what_is_made_to_be_slow_is_not() {
    let many = 200_000;
    for text in [
        format!("{{\"a\":\n{}1\n{{}}\n", "{\"a\":\n".repeat(many)),
        format!("{{{}\n{{}}", "{".repeat(many)),
        format!("[\n{}{{}}\n]", "{\n".repeat(many)),
        format!("[{}]", "{\"a\":\"\n".repeat(many)),
    ] {
        // Read again from every line, this would take hours.
        let _ = read(text.as_bytes(), CHUNK);
    }
}

#[test]
fn many_rows_are_given_out_in_batches() {
    let mut text = String::from("client_seed,nonce\n");
    for row in 0..20_000 {
        let _ = writeln!(text, "{row},{row}");
    }
    let mut rows = Rows::in_chunks(text.as_bytes(), Names::of(find("duel-crash").unwrap()), 4096);
    let mut next = 0;
    while let Some(batch) = rows.next_batch().unwrap() {
        assert!(batch.len() < 1_000);
        for row in batch.rows(0..batch.len()) {
            assert_eq!((row.number, row.line), (next, next + 2));
            assert_eq!(row.round.unwrap().nonce, Some(next));
            next += 1;
        }
    }
    assert_eq!((next, rows.read()), (20_000, u64::try_from(text.len()).unwrap()));
}
