//! Other operators' rounds: every shared row is what it is said to be (spec/dialects.md).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fairdeal::dialect::{self, Checker, Column, Round, Value, Verdict};
use serde_json::Value as Json;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/dialects")
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
        Json::Array(items) => {
            list(items).or_else(|| pairs(items)).unwrap_or(Value::Other("a list of something else"))
        }
        Json::Object(_) => Value::Other("an object"),
    }
}

fn list(items: &[Json]) -> Option<Value<'_>> {
    let texts = items.iter().map(|one| one.as_str().map(Into::into)).collect::<Option<_>>();
    texts.map(Value::List)
}

fn pairs(items: &[Json]) -> Option<Value<'_>> {
    let text = |one: &Json, name| one.get(name).and_then(Json::as_str).map(str::to_owned);
    let pair = |one: &Json| text(one, "from").zip(text(one, "seed"));
    items.iter().map(pair).collect::<Option<_>>().map(Value::Pairs)
}

fn round(row: &Json) -> Round<'_> {
    let mut round = Round::default();
    for (name, content) in row.as_object().expect("an object") {
        if let Some(column) = Column::named(name) {
            round.put(column, value(content)).expect("a column as it should be");
        }
    }
    round
}

fn rows(name: &str) -> Vec<Json> {
    let path = fixtures().join(format!("{}.json", slug(name)));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!(file.get("dialect").and_then(Json::as_str), Some(name));
    file.get("rows").and_then(Json::as_array).expect("rows").clone()
}

#[test]
fn every_row_is_valid_or_refused_for_the_reason_it_states() {
    for dialect in dialect::ALL {
        let mut checker = Checker::new(dialect);
        let mut verdicts = BTreeSet::new();
        for (at, row) in rows(dialect.name()).iter().enumerate() {
            let found = checker.check(&round(row));
            let expected =
                match (row.get("valid").and_then(Json::as_bool), row.get("reason").and_then(Json::as_str)) {
                    (Some(true), None) => "valid".to_owned(),
                    (Some(false), Some("cards_mismatch")) => "result-mismatch".to_owned(),
                    (Some(false), Some(reason)) => reason.replace('_', "-"),
                    other => panic!("{} row {at}: {other:?}", dialect.name()),
                };
            assert_eq!(found.verdict.as_str(), expected, "{} row {at}: {}", dialect.name(), found.says);
            verdicts.insert(found.verdict);
        }
        assert!(verdicts.contains(&Verdict::Valid), "{}", dialect.name());
    }
}
