//! The evidence of a monitor, judged alone by the Python reference and by the JavaScript package.

use std::process::Command;

use serde_json::Value;

use crate::monitor::{ends, equivocating, evidence};

/// Prints the codes of the findings among the files of evidence.
const JUDGE: &str = r#"
import { readFileSync } from "node:fs";
const [evidence, key, module] = process.argv.slice(1);
const { verifyEvidence } = await import(module);
const verdict = await verifyEvidence(readFileSync(evidence), { key });
console.log(JSON.stringify(verdict));
"#;

#[test]
fn every_verifier_finds_the_fork_in_a_monitors_evidence_alone() {
    for (ours, theirs) in [(2, 2), (2, 5), (5, 2)] {
        let dir = equivocating(ours, theirs);
        let at = dir.path();
        let line = "monitor ours --key log.key --state st --once --json --compare theirs";
        let told: Vec<Value> =
            ends(at, line, 1).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let file = at.join(evidence(&told).remove(0));
        let key = std::fs::read_to_string(at.join("log.key")).unwrap().trim().to_owned();
        let root = tools::root();
        let python = Command::new("python3")
            .arg(root.join("spec/reference/fairdeal.py"))
            .args(["verify", file.to_str().unwrap(), "--key", &key, "--json"])
            .output()
            .expect("python3 is needed for this test");
        let node = Command::new("node")
            .args(["--input-type=module", "-e", JUDGE])
            .args([file.to_str().unwrap(), &key])
            .arg(root.join("web/fairdeal/evidence.js"))
            .output()
            .expect("node is needed for this test");
        assert_eq!(python.status.code(), Some(1), "{}", String::from_utf8_lossy(&python.stderr));
        for (who, said) in [("python", python), ("node", node)] {
            let error = String::from_utf8_lossy(&said.stderr).into_owned();
            let verdict: Value = serde_json::from_slice(&said.stdout).expect(&error);
            assert_eq!(verdict["findings"][0]["code"], "inconsistent", "{who}: {verdict}");
            assert_eq!(verdict["state"], "caught", "{who}: {verdict}");
        }
    }
}
