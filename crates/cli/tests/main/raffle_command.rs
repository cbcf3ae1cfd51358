//! Every document of the raffles' vectors, judged by the command as by the library; and the words
//! for people.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tools::answers::without_says;
use tools::brought::text_of;

fn fairdeal(folder: &Path, words: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(["raffle", "verify"])
        .args(words)
        .current_dir(folder)
        .env("FAIRDEAL_TRUST", "known-logs")
        .output()
        .expect("fairdeal starts")
}

/// Writes a case's inputs into a folder. Returns the command's words.
fn words_of(case: &Value, folder: &Path) -> Vec<String> {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write("list.txt", text_of(case, "list"));
    write("document.json", text_of(case, "file"));
    write("log.key", text_of(case, "key"));
    let mut words: Vec<String> =
        ["document.json", "--list", "list.txt", "--key", "log.key"].map(str::to_owned).to_vec();
    let mut option = |option: &str, value: &str| words.extend([option, value].map(str::to_owned));
    if let Some(policy) = case["policy"].as_str() {
        write("policy", policy);
        option("--policy", "policy");
    }
    for (at, chain) in case["chains"].as_array().into_iter().flatten().enumerate() {
        let name = format!("chain-{at}.json");
        write(&name, &chain.to_string());
        option("--beacon-chain", &name);
    }
    let kept = case["kept"].as_array().into_iter().flatten();
    let kept = kept.map(|one| one.as_str().expect("text").to_owned());
    let mine = case["mine"].as_array().into_iter().flatten().map(Value::to_string);
    for (at, own) in kept.chain(mine).enumerate() {
        let name = format!("mine-{at}.json");
        write(&name, &own);
        option("--mine", &name);
    }
    if let Some(beacon) = case["beacon"].as_str() {
        write("beacon", beacon);
        option("--beacon", "beacon");
    }
    for name in ["line", "link"] {
        if let Some(text) = case[name].as_str() {
            option(&format!("--{name}"), text);
        }
    }
    words
}

#[test]
fn the_command_says_of_each_raffle_what_the_library_says() {
    let path = tools::root().join("fixtures/vectors/raffle.json");
    let text = std::fs::read_to_string(path).expect("the vectors");
    let content: Value = serde_json::from_str(&text).expect("JSON");
    let vectors = content["vectors"].as_array().expect("an array");
    let mut judged = 0;
    for case in vectors.iter().filter(|case| case["kind"] == "document") {
        let folder = tempfile::tempdir().expect("a folder");
        let mut words = words_of(case, folder.path());
        words.push("--json".to_owned());
        let output = fairdeal(folder.path(), &words);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer or an error");
        let verdict = Some(answer).filter(|answer| answer.get("error").is_none()).map(without_says);
        assert_eq!(json!(output.status.code()), case["exit"], "{}", case["name"]);
        assert_eq!(verdict.as_ref(), case.get("verdict"), "{}", case["name"]);
        judged += 1;
    }
    assert_eq!(judged, 145);
}

/// The command in a folder of `fixtures/raffles`.
fn of_fixture(name: &str, words: &[&str]) -> (Option<i32>, String, String) {
    let folder = tools::root().join("fixtures/raffles").join(name);
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let output = fairdeal(&folder, &words);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const USUAL: [&str; 5] = ["document.json", "--list", "list.txt", "--key", "log.key"];
const POLICY: [&str; 2] = ["--policy", "policy"];

#[test]
fn a_fair_raffle_is_told_in_words() {
    let (exit, said, _) =
        of_fixture("drawn", &[&USUAL[..], &POLICY, &["--line", "ticket 12"]].concat());
    assert_eq!(exit, Some(0));
    for expected in [
        "document.json  fair: drawn by a number that nobody knew when the list was closed\n",
        "raffle      Winter raffle of the Rowing Club\n",
        "list        12 lines, all different\n",
        "draw        3 winners, by round 1000 of quicknet, out at 2023-08-23 15:59:24 UTC; the seed is public\n",
        "winners     1. ticket 05  (a weekend for two)\n            2. ticket 12  (a bicycle)\n            3. ticket 09\n",
        "your line   ticket 12: in the list, 1 ticket, the first is number 12; it has won: winner 2\n",
        "this shows that this draw was fair if an audit of the log finds nothing, and not that it was the only one",
    ] {
        assert!(said.contains(expected), "{expected:?} is not in {said}");
    }
}

#[test]
fn the_number_and_near_lines_are_told_and_the_verdict_has_neither() {
    let said = |words: &[&str]| of_fixture("drawn", &[&USUAL[..], words].concat()).1;
    let near = said(&["--line", "TICKET  12 "]);
    for expected in [
        "number      dfcc-14c2-695a-987f-3195-05f9-d35d-a4a2-0c88-4b9f\n",
        "your line   TICKET  12 : no line of the list is written like this. Do you mean \"ticket 12\"?\n",
    ] {
        assert!(near.contains(expected), "{expected:?} is not in {near}");
    }
    let several = said(&["--line", "ticket"]);
    let five = r#"Do you mean "ticket 01", "ticket 02", "ticket 03", "ticket 04", "ticket 05"?"#;
    assert!(several.contains(five), "{several}");
    assert!(
        said(&["--line", "nobody"]).contains("nobody: no line of the list is written like this\n")
    );
    let json: Value = serde_json::from_str(&said(&["--line", "ticket", "--json"])).expect("JSON");
    assert!(json.get("number").is_none() && json["line"].get("alike").is_none(), "{json}");
}

#[test]
fn what_is_missing_is_told_in_words() {
    let said = |name: &str, words: &[&str]| of_fixture(name, &[&USUAL[..], words].concat()).1;
    let before = said("before", &POLICY);
    assert!(
        before.contains("holds, but its number was not given. Round 1000 is out since 2023"),
        "{before}"
    );
    let no_policy = said("no-policy", &[]);
    assert!(no_policy.contains("unproved: the winners follow"), "{no_policy}");
    assert!(no_policy.contains("--policy takes your witnesses"), "{no_policy}");
    for unproved in [&before, &no_policy] {
        assert!(!unproved.contains("this draw was fair"), "{unproved}");
        assert!(
            unproved.contains("nothing here shows that this draw is the only one"),
            "{unproved}"
        );
    }
    let kept = said("no-policy", &["--mine", "../before/document.json"]);
    assert!(
        kept.contains("fair, if your copy is from before the draw: drawn by a number"),
        "{kept}"
    );
    let wrong = said("wrong-winners", &[]);
    assert!(wrong.contains("caught: ") && wrong.contains("result-mismatch"), "{wrong}");
    let link = "https://club.example/raffle#salt=9e5ae95e98e9f63e933e15b70041d0e4&address=bob%40example.org";
    let hashed = said("hashed", &["--link", link]);
    assert!(
        hashed.contains("in the list, 2 tickets, the first is number 4; not drawn yet"),
        "{hashed}"
    );
}

#[test]
fn a_kept_file_from_after_the_draw_is_told_to_be_late() {
    let (exit, late, _) = of_fixture("drawn", &[&USUAL[..], &["--mine", "document.json"]].concat());
    assert_eq!(exit, Some(0));
    let expected = "document.json is this raffle, but it was saved after the draw.";
    assert!(late.contains(expected) && !late.contains("ANOTHER RAFFLE"), "{late}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |words: &[&str]| {
        let (exit, said, error) = of_fixture("before", &[&USUAL[..], words].concat());
        assert_eq!(said, "");
        (exit, error)
    };
    let round = "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41";
    let (exit, error) = refused(&["--beacon", round]);
    assert_eq!(exit, Some(2));
    assert!(
        error.contains("--beacon: expected the signature of the beacon's round 1000"),
        "{error}"
    );
    let (exit, error) = refused(&["--beacon", "nowhere"]);
    assert!(exit == Some(3) && error.contains("--beacon nowhere"), "{error}");
    let (exit, error) = refused(&["--link", "https://club.example/"]);
    assert!(exit == Some(2) && error.contains("--link: a link: expected"), "{error}");
    let other = ["document.json", "--list", "../hashed/list.txt", "--key", "log.key"];
    let (exit, _, error) = of_fixture("before", &other);
    assert_eq!(exit, Some(2));
    assert!(error.contains("changed after the promise, or is of another raffle"), "{error}");
    let (exit, _, error) =
        of_fixture("before", &["list.txt", "--list", "list.txt", "--key", "log.key"]);
    assert!(exit == Some(3) && error.contains("expected a raffle's document"), "{error}");
    let (exit, _, error) = of_fixture("before", &["document.json", "--list", "list.txt"]);
    assert!(exit == Some(2) && error.contains("not known here"), "{error}");
}

#[test]
fn without_a_page_the_links_are_codes_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("names.txt"), "anna\nben@club\nbob\n").expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(["raffle", "hash", "names.txt", "-o", "list.txt", "--links", "codes.txt"])
        .current_dir(folder.path())
        .output()
        .expect("fairdeal starts");
    assert_eq!(output.status.code(), Some(0), "most lines are no e-mail addresses");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("an entrant pastes their own into the raffle's page\n"), "{said}");
    let codes = std::fs::read_to_string(path("codes.txt")).expect("saved");
    let (address, code) = codes.lines().nth(1).and_then(|line| line.split_once('\t')).expect("two");
    assert!(address == "ben@club" && code.starts_with("#salt="), "{codes}");
    let entrant: fairdeal::raffle::Entrant = code.parse().expect("a code");
    let list = std::fs::read_to_string(path("list.txt")).expect("saved");
    assert!(list.contains(&entrant.line()), "{list}");
}

#[test]
fn hashed_lines_are_found_by_their_links_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let addresses = " Bob@Example.org\nanna@example.org\nbob@example.org\n";
    std::fs::write(folder.path().join("addresses.txt"), addresses).expect("written");
    let hash = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
            .args(["raffle", "hash", "addresses.txt", "--page"])
            .args(words)
            .current_dir(folder.path())
            .output()
            .expect("fairdeal starts");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let page = "https://club.example/raffle";
    assert_eq!(hash(&[page, "-o", "list.txt", "--links", "links.txt"]).0, Some(0));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("saved");
    let (list, links) = (read("list.txt"), read("links.txt"));
    let mut found = Vec::new();
    for line in links.lines() {
        let (address, link) = line.split_once('\t').expect("an address and a link");
        let entrant: fairdeal::raffle::Entrant = link.parse().expect("a link");
        assert_eq!(entrant.address.as_str(), address);
        found.push((address, list.lines().filter(|line| *line == entrant.line()).count()));
    }
    assert_eq!(found, [("anna@example.org", 1), ("bob@example.org", 2)]);
    assert!(list.lines().is_sorted() && list.lines().count() == 3);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let about = std::fs::metadata(folder.path().join("links.txt")).expect("saved");
        assert_eq!(about.permissions().mode() & 0o777, 0o600);
    }
    // Nothing is replaced, and another run has another secret.
    let (exit, error) = hash(&[page, "-o", "list.txt", "--links", "more.txt"]);
    assert!(exit == Some(2) && error.contains("list.txt"), "{error}");
    assert_eq!(hash(&[page, "-o", "again.txt", "--links", "again-links.txt"]).0, Some(0));
    assert_ne!(read("again.txt"), list);
    let (exit, error) = hash(&["https://x/#y", "-o", "c.txt", "--links", "d.txt"]);
    assert!(exit == Some(2) && error.contains("begins with https"), "{error}");
    let write = |text: &str| {
        std::fs::write(folder.path().join("addresses.txt"), text).expect("written");
    };
    write("\u{feff}E-Mail\r\nanna@example.org\r\n");
    let (exit, error) = hash(&[page, "-o", "c.txt", "--links", "d.txt"]);
    assert!(exit == Some(2) && error.contains("the heading of a table"), "{error}");
    assert_eq!(hash(&[page, "-o", "as.txt", "--links", "is.txt", "--as-is"]).0, Some(0));
    assert_eq!(read("as.txt").lines().count(), 2);
    let mails = "anna@club.example\nben@club\n\nfelix@club,example\ncarla@club.example;\nCarla Berg <carla@club.example>\n";
    write(mails);
    let (exit, error) = hash(&[page, "-o", "c.txt", "--links", "d.txt"]);
    assert!(exit == Some(2) && error.contains("4 lines look like mistakes"), "{error}");
    for line in [
        "line 2: \"ben@club\" does not look like one e-mail address: its owner may not get the link\n",
        "line 4: \"felix@club,example\" ",
        "line 5: \"carla@club.example;\" ",
        "line 6: \"Carla Berg <carla@club.example>\" ",
    ] {
        assert!(error.contains(line), "{line:?} is not in {error}");
    }
    assert_eq!(hash(&[page, "-o", "m.txt", "--links", "n.txt", "--as-is"]).0, Some(0));
    write("anna\n\nbo\u{7}b\n");
    let (exit, error) = hash(&[page, "-o", "c.txt", "--links", "d.txt"]);
    assert!(exit == Some(2) && error.contains("line 3"), "{error}");
}
