//! Other operators' rounds: every shared row has its stated verdict (spec/dialects.md).

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use fairdeal_schemes::dialect::{
    self, Checker, Column, Dialect, DialectOutcome, Digests, GameValue, PlayError, Rotation, Round,
    RowVerdict,
};
use fairdeal_schemes::rows::{Names, Rows, Value};
use serde_json::Value as Json;
use tools::agree::Corpus;
use tools::dice::Dice;
use tools::tables::Listed;

fn fixtures() -> PathBuf {
    tools::root().join("fixtures/dialects")
}

pub(crate) fn slug(name: &str) -> String {
    name.replace('/', "-")
}

fn value(json: &Json) -> Value<'_> {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Number(number.to_string().into()),
        Json::String(text) => Value::Text(text.into()),
        Json::Array(items) => list(items).unwrap_or_else(|| Value::Json(json.to_string().into())),
        Json::Object(_) => Value::Other("an object"),
    }
}

fn list(items: &[Json]) -> Option<Value<'_>> {
    let texts = items.iter().map(|one| one.as_str().map(Into::into)).collect::<Option<_>>();
    texts.map(Value::List)
}

pub(crate) fn round(row: &Json) -> Round<'_> {
    let mut round = Round::default();
    put(row, &mut round);
    round
}

fn put<'r>(row: &'r Json, round: &mut Round<'r>) {
    for (name, content) in row.as_object().expect("an object") {
        if let Some(column) = Column::named(name) {
            value(content).put(column, round).expect("a column as it should be");
        }
    }
}

pub(crate) fn rows(name: &str) -> Vec<Json> {
    let path = fixtures().join(format!("{}.json", slug(name)));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!(file.get("dialect").and_then(Json::as_str), Some(name));
    file.get("rows").and_then(Json::as_array).expect("rows").clone()
}

#[test]
fn every_row_is_valid_or_refused_for_the_reason_it_states() {
    for dialect in dialect::ALL {
        let mut checker = Checker::new(dialect);
        let mut verdicts = BTreeSet::new();
        for (at, row) in rows(dialect.name).iter().enumerate() {
            let found = checker.check(&round(row));
            let expected = match (
                row.get("valid").and_then(Json::as_bool),
                row.get("reason").and_then(Json::as_str),
            ) {
                (Some(true), None) => "valid".to_owned(),
                (Some(false), Some("cards_mismatch")) => "result-mismatch".to_owned(),
                (Some(false), Some(reason)) => reason.replace('_', "-"),
                other => panic!("{} row {at}: {other:?}", dialect.name),
            };
            assert_eq!(
                found.verdict.as_str(),
                expected,
                "{} row {at}: {}",
                dialect.name,
                found.says
            );
            verdicts.insert(found.verdict);
        }
        assert!(verdicts.contains(&RowVerdict::Valid), "{}", dialect.name);
    }
}

fn changed_row(row: &Json, changes: &Json) -> Json {
    let mut other = row.clone();
    for (name, content) in changes.as_object().expect("columns") {
        other.as_object_mut().expect("an object").insert(name.clone(), content.clone());
    }
    other
}

#[test]
fn a_row_that_is_changed_has_the_verdict_that_the_change_makes() {
    let text = std::fs::read_to_string(fixtures().join("changes.json")).expect("a file");
    let file: Json = serde_json::from_str(&text).expect("JSON");
    let changes = file.get("changes").and_then(Json::as_array).expect("changes");
    assert!(changes.len() > 50);
    let mut checkers = BTreeMap::new(); // a chain is computed once
    for change in changes {
        let text = |name| change.get(name).and_then(Json::as_str).expect("a text");
        let name = text("dialect");
        let rows = rows(name);
        let row = changed_row(
            rows.first().expect("a row"),
            change.get("changed").expect("what is changed"),
        );
        let mut round = Round::default();
        let mut columns = row
            .as_object()
            .expect("an object")
            .iter()
            .filter_map(|(name, content)| Column::named(name).map(|column| (column, content)));
        let read = columns.try_for_each(|(column, content)| value(content).put(column, &mut round));
        let made = || Checker::new(dialect::find(name).expect("known"));
        let checker = checkers.entry(name).or_insert_with(made);
        let found = read.map_or(RowVerdict::Unreadable, |()| checker.check(&round).verdict);
        assert_eq!(found.as_str(), text("verdict"), "{name}: {}", text("what"));
    }
}

/// Given digests in the place of HMACs.
struct Fed<'a> {
    digests: &'a serde_json::Map<String, Json>,
    otherwise: Option<&'a str>,
}

impl Digests for Fed<'_> {
    fn digest(&mut self, message: &[u8]) -> [u8; 32] {
        let message = std::str::from_utf8(message).expect("text");
        let hex = self.digests.get(message).and_then(Json::as_str).or(self.otherwise);
        let hex = hex.unwrap_or_else(|| panic!("no digest is fed for {message}"));
        hex::decode(hex).expect("hex").try_into().expect("32 bytes")
    }
}

/// Whether a game's row shows what its seeds give.
fn follows(outcome: &DialectOutcome, round: &Round<'_>) -> bool {
    let is_either =
        |(dealt, shown): (&String, &String)| dealt == "heads or tails" || dealt == shown;
    let is = |(column, dealt): &(Column, GameValue)| match (dealt, round.cell(*column)) {
        (GameValue::Names(dealt), Some(GameValue::Names(shown))) => {
            dealt.iter().zip(shown).all(is_either)
        }
        (dealt, shown) => Some(dealt) == shown,
    };
    match outcome {
        DialectOutcome::Result(accepted) => round.result.is_some_and(|shown| accepted.has(shown)),
        DialectOutcome::Cells(cells) => !cells.is_empty() && cells.iter().all(is),
        DialectOutcome::Cards(_) => false,
    }
}

#[test]
fn words_at_a_limit_and_refused_digests_go_as_the_fed_cases_say() {
    let text = std::fs::read_to_string(fixtures().join("digests.json")).expect("a file");
    let file: Json = serde_json::from_str(&text).expect("JSON");
    let cases = file.get("cases").and_then(Json::as_array).expect("cases");
    assert_eq!(cases.len(), 80);
    for case in cases {
        let text = |name| case.get(name).and_then(Json::as_str);
        let what = text("what").expect("what");
        let dialect = dialect::find(text("dialect").expect("a dialect")).expect("known");
        let mut round = round(case);
        if let Some(row) = case.get("row") {
            put(row, &mut round);
        }
        let cards = round.cards.clone();
        let mut fed = Fed {
            digests: case.get("digests").and_then(Json::as_object).expect("digests"),
            otherwise: text("default"),
        };
        let want = cards.as_ref().map_or(0, Vec::len);
        let found = dialect.play(&dialect.scheme, &mut fed, &round, want);
        match (cards, text("error")) {
            (None, None) => assert!(follows(&found.expect("a result"), &round), "{what}"),
            (Some(cards), None) => {
                let Ok(DialectOutcome::Cards(mut dealt)) = found else {
                    panic!("{what}: {found:?}")
                };
                dealt.truncate(cards.len());
                assert_eq!(dealt, cards, "{what}");
            }
            (None, Some("no-answer")) => {
                assert!(matches!(found, Err(PlayError::Refused { .. })), "{what}: {found:?}");
            }
            other => panic!("{what}: {other:?}"),
        }
    }
}

/// The names of the files in a folder, without their endings.
fn stems(folder: &str, ending: &str) -> BTreeSet<String> {
    let folder = tools::root().join(folder);
    let files =
        std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").file_name());
    files.filter_map(|name| Some(name.to_str()?.strip_suffix(ending)?.to_owned())).collect()
}

#[test]
fn each_dialect_has_its_rows_and_its_place_in_the_specification_and_the_study() {
    let names: BTreeSet<String> = dialect::ALL.iter().map(|dialect| slug(dialect.name)).collect();
    assert_eq!(names.len(), dialect::ALL.len());
    let mut rows = stems("fixtures/dialects", ".json");
    assert!(rows.remove("digests") && rows.remove("changes"));
    assert_eq!(rows, names, "fixtures/dialects and the dialects there are");
    let spec = std::fs::read_to_string(tools::root().join("spec/dialects.md"));
    let spec = spec.expect("spec/dialects.md");
    let page = std::fs::read_to_string(tools::root().join("docs/dialects.md")).expect("a page");
    for Dialect { name, .. } in dialect::ALL {
        assert!(spec.contains(&format!("`{name}`")), "{name} is not in spec/dialects.md");
        assert!(page.contains(&format!("`{name}`")), "{name} is not in docs/dialects.md");
    }
}

/// The column that a dialect takes a name for.
fn meaning(dialect: &'static dialect::Dialect, name: &str) -> Option<Column> {
    let table = format!("{name}\n1\n");
    let mut rows = Rows::new(table.as_bytes(), Names::of(dialect));
    rows.next_batch().ok().flatten()?;
    rows.names().first()?.1
}

#[test]
fn the_names_of_columns_are_those_of_the_table_in_the_specification() {
    let listed = tools::tables::listed();
    assert_eq!(listed.len(), Column::ALL.len());
    for dialect in dialect::ALL {
        for Listed { column, others, on_a_chain } in &listed {
            let column = Column::named(column).expect("a column");
            let are = |names: &[String], expected: bool| {
                let expected = Some(column).filter(|_| expected);
                for name in names {
                    let spelled = name.to_uppercase().replace('_', " -");
                    for name in [name, &name.replace('_', ""), &spelled] {
                        assert_eq!(meaning(dialect, name), expected, "{}: {name}", dialect.name);
                    }
                }
            };
            are(&[column.to_string()], dialect.reads(column));
            let is_named = column != Column::Result || dialect.is_multiplier();
            are(others, dialect.reads(column) && is_named);
            are(on_a_chain, dialect.rotation == Rotation::Chain);
        }
    }
    let names = listed.iter().map(|one| one.others.len() + one.on_a_chain.len());
    assert_eq!(names.sum::<usize>(), 39);
}

#[test]
fn random_tables_are_read_alike_in_pieces_of_any_length_and_in_every_form() {
    let (corpus, mut dice) = (Corpus::read(), Dice::new(9));
    let mut whole = 0;
    for _ in 0..tools::cases(300, 3_000) {
        let case = corpus.rows(&mut dice);
        let file = case.get("hex").and_then(Json::as_str).expect("a file");
        whole += u32::from(tools::fuzz::rows(&hex::decode(file).expect("hex")));
    }
    assert!(whole > 30, "{whole}");
}
