//! The vectors of witnesses: policies, cosignatures, and the times of a quorum.

use fairdeal::log::{Policy, SignedCheckpoint};
use serde_json::{Value, json};
use tools::brought::policy_in_json;

use crate::vectors::{check, number, text};

fn policy(vector: &Value) -> Policy {
    Policy::parse(text(vector, "policy").as_bytes()).expect("a policy")
}

/// Times, those over 2^53 as strings of digits.
fn times(list: &Value) -> Vec<Option<u64>> {
    let one = |time: &Value| match time {
        Value::String(digits) => Some(digits.parse().expect("digits")),
        time => time.as_u64(),
    };
    list.as_array().expect("an array").iter().map(one).collect()
}

#[test]
fn policies_agree() {
    let seen = check("policy.json", |vector| {
        let bytes = match (vector["hex"].as_str(), vector["repeat"].as_str()) {
            (Some(digits), _) => hex::decode(digits).expect("hex"),
            (None, Some(again)) => {
                let times = usize::try_from(number(vector, "times")).expect("small");
                (again.repeat(times) + text(vector, "policy")).into_bytes()
            }
            (None, None) => text(vector, "policy").as_bytes().to_vec(),
        };
        let policy = Policy::parse(&bytes).map_err(|error| {
            assert_eq!(
                Some(error.line),
                vector["line"].as_u64().and_then(|line| usize::try_from(line).ok())
            );
            error.fault.as_str()
        })?;
        Ok(policy_in_json(&policy))
    });
    assert_eq!(seen, 87);
}

#[test]
fn cosignatures_agree() {
    let seen = check("cosignature.json", |vector| {
        let policy = policy(vector);
        let signed = SignedCheckpoint::parse(text(vector, "note")).map_err(|_| "refused")?;
        let (checkpoint, lines) = (signed.unverified(), signed.note().signatures());
        let of = |refuses| policy.witnessed(checkpoint, lines, refuses);
        let ignoring = of(false).expect("nothing is refused");
        assert_eq!(times(&vector["signed_in_anchor"]), ignoring.signed, "{}", vector["name"]);
        let found = of(true).map_err(|_| "refused")?;
        assert_eq!(times(&vector["signed"]), found.signed, "{}", vector["name"]);
        Ok(json!({}))
    });
    assert_eq!(seen, 28);
}

#[test]
fn the_times_of_quorums_agree() {
    let seen = check("quorum.json", |vector| {
        let quorum = policy(vector).quorum(&times(&vector["signed"]));
        Ok(json!({ "quorum": quorum.map(|one| json!({ "by": one.by, "since": one.since })) }))
    });
    assert_eq!(seen, 69);
}
