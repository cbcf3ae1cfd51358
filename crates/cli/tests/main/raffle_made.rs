//! A raffle as an organiser runs it, with the command alone: promised, drawn, and checked by others.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::beacon::ends;
use crate::relay::{Relay, seconds};

/// A folder with a ledger, a list, and the file of a relay's chain.
pub(crate) struct Club {
    dir: TempDir,
    pub(crate) relay: Relay,
}

impl Club {
    pub(crate) fn new() -> Self {
        let club = Self { dir: TempDir::new().expect("a folder"), relay: Relay::new() };
        club.write("own.json", &club.relay.chain.info().to_string());
        club.write("list.txt", "anna\nbob\ncarol\ndave\neve\n");
        club.ends("init fairdeal-ledger --origin club.example/raffle", 0);
        club
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a file")
    }

    /// Runs a command with `--json`. Returns its answer.
    pub(crate) fn ends(&self, line: &str, code: i32) -> Value {
        ends(self.path(), line, code)
    }

    /// The options that name the relay's chain.
    pub(crate) fn chain(&self) -> String {
        let hash = self.relay.chain.chain().hash();
        format!("--chain {hash} --beacon-chain own.json --beacon-relay {}", self.relay.url)
    }

    pub(crate) fn relays(&self) -> String {
        format!("--beacon-chain own.json --beacon-relay {}", self.relay.url)
    }

    /// What a command prints for people, on a machine whose clock is in this time zone, and its errors.
    pub(crate) fn told(&self, words: &[&str], zone: &str) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
            .current_dir(self.path())
            .env_remove("FAIRDEAL_LEDGER")
            .env("TZ", zone)
            .args(words)
            .output()
            .expect("fairdeal starts");
        String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
    }

    pub(crate) fn verified(&self, folder: &str, more: &str) -> Value {
        let line = format!(
            "raffle verify {folder}/raffle.json --list {folder}/list.txt --key {folder}/log.key --beacon-chain own.json{more}"
        );
        self.ends(&line, 0)
    }
}

fn lines(drawn: &Value) -> Vec<&str> {
    let drawn = drawn.as_array().expect("winners");
    drawn.iter().map(|one| one["line"].as_str().expect("a line")).collect()
}

#[test]
fn a_raffle_is_promised_drawn_and_checked() {
    let club = Club::new();
    let new = format!("raffle new list.txt --winners 2 --title Winter -o winter {}", club.chain());
    let promised = club.ends(&format!("{new} --in 12s"), 0);
    let commitment = promised["commitment"].as_str().expect("a commitment");
    assert_eq!(club.read("winter/list.txt"), club.read("list.txt"));
    let before = club.verified("winter", "");
    assert_eq!((&before["has_seed"], &before["drawn"]), (&json!(true), &Value::Null));
    fs::copy(club.path().join("winter/raffle.json"), club.path().join("kept.json")).expect("kept");
    fs::copy(club.path().join("winter/raffle.html"), club.path().join("kept.html")).expect("kept");
    // It waits for its number, and nobody is asked before.
    let draw = format!("raffle draw {commitment} -o winter {}", club.relays());
    let early = club.ends(&draw, 3);
    assert_eq!(early["error"]["code"], "awaits-beacon", "{early}");
    assert_eq!(club.relay.asked(), 0);

    let drawn = club.ends(&format!("{draw} --wait-for-draw"), 0);
    let winners = lines(&drawn["drawn"]);
    assert_eq!(winners.len(), 2);
    // The number to announce stays.
    let page = club.ends(&format!("raffle page {commitment} -o winter {}", club.relays()), 0);
    let number = promised["number"].as_str().expect("a number");
    assert_eq!([&page["number"], &drawn["number"]], [number; 2]);
    let words = format!(
        "raffle verify winter/raffle.json --list winter/list.txt --key winter/log.key {}",
        "--beacon-chain own.json"
    );
    let told = club.told(&words.split(' ').collect::<Vec<_>>(), "UTC");
    assert!(told.contains(&format!("number      {number}\n")), "{told}");
    for kept in ["kept.json", "kept.html"] {
        let after = club.verified("winter", &format!(" --mine {kept}"));
        assert_eq!(
            (after["state"].as_str(), lines(&after["drawn"])),
            (Some("fair"), winners.clone())
        );
    }
    let audit = club.ends("audit fairdeal-ledger --key winter/log.key --beacon-chain own.json", 0);
    assert_eq!((&audit["deals"], &audit["unverified"]["beacons"]), (&json!(1), &json!(0)));
    assert_eq!(club.ends("list", 0)["commitments"][0]["state"], "revealed");
    // Another promise of the same list is counted by whoever audits the log.
    let log = " --mine kept.json --log fairdeal-ledger";
    assert_eq!(club.verified("winter", log)["same_list"], 1);
    let other = format!("raffle new list.txt --winners 1 --in 1h -o other {}", club.chain());
    let refused = club.ends(&other, 2);
    let says = refused["error"]["says"].as_str().expect("a text");
    assert!(says.contains(&format!("already, in raffle {}", &commitment[..12])), "{says}");
    club.ends(&format!("{other} --as-is"), 0);
    let twice = club.verified("winter", log);
    assert_eq!((&twice["same_list"], &twice["state"]), (&json!(2), &json!("fair")));
    // Again: nothing more is logged.
    let again = club.ends(&draw, 0);
    assert_eq!(again["drawn"], drawn["drawn"]);
    assert!(club.relay.strange.lock().expect("paths").is_empty());
}

#[test]
fn a_void_that_the_document_leaves_out_is_found_in_the_log() {
    let club = Club::new();
    let new = format!("raffle new list.txt --winners 1 -o one {} --in 3s", club.chain());
    let promised = club.ends(&new, 0);
    let commitment = promised["commitment"].as_str().expect("a commitment");
    club.ends(&format!("void {commitment} --reason rain"), 0);
    let round = promised["beacon"].as_u64().expect("a round");
    let signature = hex::encode(club.relay.chain.sign(round));
    let given = format!(" --mine one/raffle.html --beacon {signature}");
    assert_eq!(club.verified("one", &given)["state"], "fair");
    let audited = club.verified("one", &format!("{given} --log fairdeal-ledger"));
    assert_eq!((&audited["state"], &audited["same_list"]), (&Value::Null, &json!(1)));
    assert!(audited["void"].is_u64(), "{audited}");
}

#[test]
fn a_draw_that_no_relay_helped_is_finished_by_the_next_call_or_by_a_signature() {
    let club = Club::new();
    let new = format!("raffle new list.txt --winners 1 -o one {} --in 2s", club.chain());
    let promised = club.ends(&new, 0);
    let commitment = promised["commitment"].as_str().expect("a commitment");
    club.relay.has.store(false, Ordering::SeqCst);
    let draw = format!("raffle draw {commitment} -o one");
    let silent = club.ends(&format!("{draw} {} --wait-for-draw", club.relays()), 3);
    assert_eq!(silent["error"]["code"], "awaits-beacon", "{silent}");
    let round = promised["beacon"].as_u64().expect("a round");
    let (url, hash) = (&club.relay.url, club.relay.chain.chain().hash());
    let hint = silent["error"]["hint"].as_str().expect("a hint");
    assert!(hint.contains(&format!("open {url}/{hash}/public/{round} in a browser")), "{hint}");
    assert!(hint.contains(" -o one --beacon round.json"), "{hint}");
    let signature = |round: u64| hex::encode(club.relay.chain.sign(round));
    let answer = json!({ "round": round, "signature": signature(round) });
    club.write("round.json", &answer.to_string());
    let wrong = format!("{draw} --beacon-chain own.json --beacon {}", signature(round + 1));
    assert_eq!(club.ends(&wrong, 1)["error"]["code"], "beacon-signature");
    let asked = club.relay.asked();
    let drawn = club.ends(&format!("{draw} --beacon-chain own.json --beacon round.json"), 0);
    assert_eq!((lines(&drawn["drawn"]).len(), club.relay.asked()), (1, asked));
}

#[test]
fn a_list_from_windows_is_put_right_before_the_promise_and_this_is_told() {
    let club = Club::new();
    let new = |list: &str, folder: &str| {
        club.ends(&format!("raffle new {list} --winners 1 --in 1h -o {folder}"), 0)
    };
    assert_eq!(new("list.txt", "usual").get("changed"), None);
    club.write("windows.txt", "\u{feff}anna\r\nbob\r\n\r\n");
    let changed = new("windows.txt", "windows");
    let expected =
        ["byte order mark removed", "line ends of Windows replaced", "1 empty line removed"];
    assert_eq!(changed["changed"], json!(expected));
    assert_eq!(club.read("windows/list.txt"), "anna\nbob\n");
    club.write("unended.txt", "anna\nbob\ncarol");
    assert_eq!(
        new("unended.txt", "unended")["changed"],
        json!(["line end added to the last line"])
    );
    let verified =
        "raffle verify windows/raffle.json --list windows/list.txt --key windows/log.key";
    assert_eq!(club.ends(verified, 0)["count"], 2);
    club.write("gap.txt", "anna\n\n \ncarol\n");
    assert_eq!(new("gap.txt", "gap")["changed"], json!(["2 empty lines removed"]));
    assert_eq!(club.read("gap/list.txt"), "anna\ncarol\n");
    for (name, text) in [("mac.txt", "anna\rbob\n"), ("none.txt", "\n")] {
        club.write(name, text);
        club.ends(&format!("raffle new {name} --winners 1 --in 1h -o no --as-is"), 2);
    }
    // A list of 100,000 lines is read in one pass.
    let long: Vec<String> = (0..100_000).map(|n| format!("Ticket {n}\r\n")).collect();
    club.write("long.txt", &long.concat());
    let start = seconds();
    new("long.txt", "long");
    let took = seconds().saturating_sub(start);
    assert!(took < 20, "{took} s");
}

#[test]
fn an_hour_without_a_zone_is_that_of_the_machine_and_is_told_so() {
    let club = Club::new();
    let new = |at: &str, zone: &str| {
        let words = ["raffle", "new", "list.txt", "--winners", "1", "-o", "one", "--at", at];
        club.told(&words, zone)
    };
    let vienna = "CET-1CEST,M3.5.0,M10.5.0/3";
    for (at, zone, expected) in [
        (
            "2098-03-30 02:30",
            vienna,
            "expected 2098-03-30T01:30:00+01:00 or 2098-03-30T03:30:00+02:00",
        ),
        (
            "2098-10-26 02:30",
            vienna,
            "expected 2098-10-26T02:30:00+02:00 or 2098-10-26T02:30:00+01:00",
        ),
        ("2098-12-24 19:00", "No/Where", "the time zone of this machine is not known"),
        ("24.12.2098", vienna, "'2026-12-24 19:00' in the time zone of this machine"),
    ] {
        let told = new(at, zone);
        assert!(told.contains(expected), "{told}");
    }
    assert_eq!(club.ends("list", 0)["commitments"], json!([]));
    // The day after tomorrow, in a zone without summer time.
    let day = fairdeal::utc::utc((seconds() + 172_800) * 1000);
    let (day, _) = day.split_once('T').expect("a day");
    let told = new(&format!("{day} 19:00"), "<+0530>-5:30");
    for line in [
        format!("draw        {day} 13:30:00 UTC (in "),
        format!("            {day} 19:00:00 +05:30 in the time zone of this machine\n"),
        "            send it to everybody with the hour. After the draw, another number is another raffle\n".to_owned(),
    ] {
        assert!(told.contains(&line), "{line:?} is not in {told}");
    }
}

#[test]
fn a_list_in_another_encoding_is_refused_with_its_line() {
    let club = Club::new();
    fs::write(club.path().join("latin.txt"), b"\xef\xbb\xbfanna\r\nbob\r\nM\xfcller\r\n")
        .expect("written");
    for words in [
        "raffle new latin.txt --winners 1 --in 1h -o one",
        "raffle hash latin.txt --page https://club.example/ -o list --links links",
        "commit --table main --list latin.txt",
    ] {
        let error = &club.ends(words, 2)["error"];
        assert_eq!(error["says"], "latin.txt: line 3: not UTF-8, found the byte fc", "{words}");
        assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("Save it as UTF-8")));
    }
}

#[test]
fn what_looks_like_a_mistake_is_not_promised_unless_it_is_meant() {
    let club = Club::new();
    for (text, mistake) in [
        ("Name;Los\nanna\nbob\n", "line 1: \"Name;Los\" looks like the heading of a table"),
        ("Members 2023\nanna\n", "line 1: \"Members 2023\" looks like the heading of a table"),
        ("Hans Müller\nbob\nMu\u{308}ller, Hans\n", "lines 1 and 3: \"Hans Müller\""),
        ("anna\nbob \n", "line 2: \"bob \" has a blank at an end"),
        ("Anna Berg\nbob\nanna  berg\n", "lines 1 and 3: \"Anna Berg\" and \"anna  berg\" differ"),
    ] {
        club.write("wrong.txt", text);
        let new = "raffle new wrong.txt --winners 1 --in 1h -o wrong";
        let refused = club.ends(new, 2);
        let error = &refused["error"];
        assert_eq!(
            (error["code"].as_str(), error["says"].as_str()),
            (Some("usage"), Some("wrong.txt: 1 line looks like a mistake"))
        );
        let hint = error["hint"].as_str().expect("a hint");
        assert!(hint.contains(mistake) && hint.contains("--as-is"), "{hint}");
        assert!(!club.path().join("wrong").exists());
    }
    assert_eq!(club.ends("list", 0)["commitments"], json!([]));
    club.ends("raffle new wrong.txt --winners 1 --in 1h -o wrong --as-is", 0);
    assert_eq!(club.read("wrong/list.txt"), club.read("wrong.txt"));
}

#[test]
fn a_raffle_is_given_up_before_its_draw_and_promised_again() {
    let club = Club::new();
    let in_two_days = fairdeal::utc::utc((seconds() + 2 * 86_400) * 1000);
    let day = in_two_days.get(..10).expect("a day");
    let new = |folder: &str| {
        let at = format!("{day}T18:00:00+01:00");
        format!("raffle new list.txt --winners 1 --at {at} -o {folder} {}", club.chain())
    };
    let promised = club.ends(&new("one"), 0);
    let out = promised["out"].as_u64().expect("a time");
    assert_eq!(fairdeal::utc::utc(out), format!("{day}T17:00:00Z"));
    let commitment = promised["commitment"].as_str().expect("a commitment");
    club.ends(&new("two"), 2);
    let void = format!("void {commitment} --reason rain --idempotency-key one");
    let voided = club.ends(&void, 0);
    assert_eq!(voided["nonce"], 0);
    assert_eq!(club.ends(&void, 0)["index"], voided["index"]);
    club.ends(&format!("raffle page {commitment} -o one {}", club.relays()), 0);
    for file in ["raffle.json", "raffle.html"] {
        let verify = format!("raffle verify one/{file} --list one/list.txt --key one/log.key");
        let after = club.ends(&format!("{verify} --beacon-chain own.json"), 0);
        assert!(after["void"].is_u64() && after.get("state").is_none(), "{after}");
    }
    club.ends(&new("two"), 0);
    // The draw of the raffle that was given up logs its seed, so that only the new one is due.
    club.ends(&format!("raffle draw {commitment} -o one {}", club.relays()), 0);
    assert_eq!(club.ends("list --due", 0)["commitments"].as_array().map(Vec::len), Some(1));
}

#[test]
fn others_bring_seeds_to_an_open_raffle() {
    let club = Club::new();
    let new = format!("raffle new list.txt --winners 1 --open --in 2s -o open {}", club.chain());
    let promised = club.ends(&new, 0);
    assert!(promised.get("folder").is_none(), "{promised}");
    let commitment = promised["commitment"].as_str().expect("a commitment");
    let page = format!("raffle page {commitment} -o open {}", club.relays());
    let early = club.ends(&page, 2);
    let says = early["error"]["says"].as_str().expect("a text");
    assert!(says.contains("it is not locked yet"), "{early}");
    club.ends("log-key -o log.key", 0);
    let sign = "contribution carol --clear --sign carol.key --key log.key -o carol.json";
    let signed = club.ends(&format!("{sign} --for {commitment}:0"), 0);
    let key = signed["key"].as_str().expect("a key");
    let lock = "--client bob=lucky --contributions carol.give.json --beacon-chain own.json";
    club.ends(&format!("lock {commitment} {lock}"), 0);
    club.ends(&page, 0);
    let own = format!(" --client bob=lucky --player carol={key}");
    let before = club.verified("open", &own);
    assert_eq!(before["has_seed"], true);
    // The key of RFC 8032, 7.1, test 1.
    let other = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    let verify = "raffle verify open/raffle.json --list open/list.txt --key log.key";
    let wrong = club.ends(&format!("{verify} --beacon-chain own.json --player carol={other}"), 1);
    assert_eq!(wrong["findings"][0]["code"], "contribution-mismatch", "{wrong}");
    club.ends(&format!("{verify}{own} --player carol={other}"), 2);
    let draw = format!("raffle draw {commitment} -o open {} --wait-for-draw", club.relays());
    club.ends(&draw, 0);
    let after = club.verified("open", &own);
    let shown = after["shown"].as_array().expect("tokens");
    assert!(shown.contains(&json!("yours")) && shown.contains(&json!("authentic")), "{after}");
    // Carol's seed is signed: it is hers only for a reader who has her key.
    let without = club.verified("open", " --client bob=lucky");
    assert!(!without["shown"].as_array().expect("tokens").contains(&json!("authentic")));
}

#[test]
fn winners_of_hashed_lines_are_named_by_the_file_of_links_alone() {
    let club = Club::new();
    club.write("addresses.txt", "Anna@example.org\nbob@example.org\n");
    let hash = "raffle hash addresses.txt -o hashed.txt --links links.txt --page";
    club.ends(&format!("{hash} club.example/raffle"), 2);
    club.ends(&format!("{hash} https://club.example/raffle"), 0);
    let new = format!("raffle new hashed.txt --winners 2 --in 2s -o hidden {}", club.chain());
    let promised = club.ends(&new, 0);
    let commitment = promised["commitment"].as_str().expect("a commitment");
    let draw = format!("raffle draw {commitment} -o hidden {}", club.relays());
    club.ends(&format!("{draw} --links hashed.txt"), 2);
    club.ends(&format!("{draw} --wait-for-draw"), 0);
    let told = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
            .current_dir(club.path())
            .env_remove("FAIRDEAL_LEDGER")
            .args(draw.split(' '))
            .args(more)
            .output()
            .expect("fairdeal starts");
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(!told(&[]).contains("example.org"), "{}", told(&[]));
    let named = told(&["--links", "links.txt"]);
    assert!(
        named.contains(". anna@example.org\n") && named.contains(". bob@example.org\n"),
        "{named}"
    );
    // An address that is in the list is not told to be missing.
    let verify = "raffle verify hidden/raffle.json --list hidden/list.txt --key hidden/log.key";
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .current_dir(club.path())
        .args(format!("{verify} --line anna@example.org").split(' '))
        .output()
        .expect("fairdeal starts");
    let says = String::from_utf8_lossy(&output.stdout);
    assert!(says.contains("an address alone finds nothing"), "{says}");
}

#[test]
fn the_page_is_one_file_with_the_raffle_and_asks_the_named_relays_alone() {
    let club = Club::new();
    club.write("list.txt", "</script><!--\n<b>bob</b>\n");
    let new = format!("raffle new list.txt --winners 1 --in 1h -o one {}", club.chain());
    club.ends(&format!("{new} --beacon-relay https://relay.example/drand/"), 0);
    let page = club.read("one/raffle.html");
    let policy = format!("connect-src 'self' {} https://relay.example;", club.relay.url);
    assert!(page.contains(&policy), "{}", &page[..2000]);
    let (_, data) = page.split_once("id=\"raffle\">").expect("the raffle");
    let (data, _) = data.split_once("</script>").expect("its end");
    let data: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["list"], "</script><!--\n<b>bob</b>\n");
    assert_eq!(data["key"], club.read("one/log.key").trim_end());
    let document: Value = serde_json::from_str(&club.read("one/raffle.json")).expect("JSON");
    assert_eq!(data["document"], document);
}

#[test]
fn files_of_others_are_not_replaced_and_nothing_is_promised_then() {
    let club = Club::new();
    let new = |folder: &str| {
        format!("raffle new list.txt --winners 1 --in 1h -o {folder} {}", club.chain())
    };
    club.ends(&new("one"), 0);
    let other = club.ends(&new("one"), 2);
    assert_eq!(other["error"]["code"], "exists", "{other}");
    club.ends(&new("list.txt"), 3);
    club.ends(&format!("raffle new list.txt --winners 6 --in 1h -o two {}", club.chain()), 2);
    club.ends(&format!("raffle new none.txt --winners 1 --in 1h -o two {}", club.chain()), 3);
    club.ends("raffle new list.txt --winners 1 -o two", 2);
    club.ends("raffle new list.txt --winners 1 -o two --in 1h --at 2026-12-24T18:00:00Z", 2);
    club.ends("raffle new list.txt --winners 1 -o two --open --at 2099-12-24T18:00:00Z", 2);
    assert_eq!(club.ends("list", 0)["commitments"].as_array().map(Vec::len), Some(1));
    club.ends("commit --table main", 0);
    let none = club.ends("raffle draw --table main -o three", 2);
    assert_eq!(none["error"]["code"], "no-raffle", "{none}");
}
