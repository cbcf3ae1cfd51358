//! The vectors of beacons: chains, rounds, signatures.

use fairdeal::beacon::Chain;
use serde_json::{Value, json};
use tools::beacons::OwnChain;

use crate::vectors::{check, number, text};

/// A chain of these members.
fn chain(members: &[(&str, Value)]) -> Option<Chain> {
    let mut file = OwnChain { secret: 7, genesis: 1, period: 1 }.info();
    for (name, value) in members {
        file[*name] = value.clone();
    }
    Chain::parse(file.to_string().as_bytes()).ok()
}

#[test]
fn beacons_agree() {
    let seen = check("beacon.json", |vector| {
        Ok(match text(vector, "kind") {
            "chain" => {
                let chain = Chain::parse(text(vector, "file").as_bytes()).map_err(|_| "chain")?;
                json!({ "hash": chain.hash() })
            }
            "round" => {
                let members = [
                    ("genesis_time", vector["genesis"].clone()),
                    ("period", vector["period"].clone()),
                ];
                let chain = chain(&members).expect("a chain");
                let round = chain.round_after(number(vector, "time") + number(vector, "margin"));
                let out = round.map(|round| chain.out(round));
                json!({ "round": round, "out": out })
            }
            _ => {
                let chain = chain(&[("public_key", vector["public_key"].clone())]);
                let signature = hex::decode(text(vector, "signature")).expect("hex").try_into();
                let verifies = chain.zip(signature.ok()).is_some_and(|(chain, signature)| {
                    chain.verifies(number(vector, "round"), &signature)
                });
                json!({ "verifies": verifies })
            }
        })
    });
    assert_eq!(seen, 123);
}
