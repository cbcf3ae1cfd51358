//! What a reader kept from before the draw, and gives to `fairdeal raffle verify --mine`.

use serde_json::{Value, json};

use crate::raffle_made::Club;

#[test]
fn a_kept_file_of_another_raffle_is_told_with_both_numbers_and_is_no_finding() {
    let club = Club::new();
    let new = |folder: &str, more: &str| {
        let new = format!("raffle new list.txt --winners 1 --in 1h -o {folder}{more}");
        club.ends(&format!("{new} {}", club.chain()), 0)
    };
    let first = new("first", " --title Winter");
    let second = new("second", " --as-is");
    // The promise of a log with another key, as those that a page makes.
    club.ends("init other --origin other.example/raffle", 0);
    let third = new("third", " --ledger other");
    let round = second["beacon"].as_u64().expect("a round");
    let signature = hex::encode(club.relay.chain.sign(round));
    let verify = "raffle verify second/raffle.json --list second/list.txt --key second/log.key";
    for (file, kept) in [("first/raffle.html", &first), ("third/raffle.html", &third)] {
        for (more, state) in [("", "holds, but"), (&*signature, "unproved: the winners follow")] {
            let beacon = if more.is_empty() { "" } else { " --beacon " };
            let line = format!("{verify} --beacon-chain own.json --mine {file}{beacon}{more}");
            assert_eq!(club.ends(&line, 0)["findings"], json!([]));
            let told = club.told(&line.split(' ').collect::<Vec<_>>(), "UTC");
            let number = |one: &Value| one["number"].as_str().expect("a number").to_owned();
            let title = if file.starts_with("first") { "Winter" } else { "no title" };
            for expected in [
                format!("second/raffle.json  {state}"),
                format!(
                    "ANOTHER RAFFLE  your file is of another raffle: number {}; this one has {}.\n",
                    number(kept),
                    number(&second)
                ),
                format!("your file   {file}: {title}, to be drawn 20"),
                "this one    no title, to be drawn 20".to_owned(),
                " UTC, with the same list\n".to_owned(),
                "Compare both with the message that the organiser sent before the draw, and ask the organiser.\n".to_owned(),
            ] {
                assert!(told.contains(&expected), "{expected:?} is not in {told}");
            }
        }
        // Beside a file that is of this raffle.
        let both = format!("--mine second/raffle.html --mine {file} --beacon {signature}");
        let line = format!("{verify} --beacon-chain own.json {both}");
        assert_eq!(club.ends(&line, 0)["state"], "fair");
        let told = club.told(&line.split(' ').collect::<Vec<_>>(), "UTC");
        assert!(told.contains("ANOTHER RAFFLE  "), "{told}");
    }
    // Anybody can write what no key signed that the reader has, also a page of the same log with a key
    // of their own: it makes no second raffle.
    club.ends("init false --origin club.example/raffle", 0);
    new("fourth", " --ledger false");
    for kept in ["third/raffle.json", "fourth/raffle.html"] {
        let line = format!("{verify} --beacon-chain own.json --mine {kept}");
        assert_eq!(club.ends(&line, 0)["findings"], json!([]));
        let told = club.told(&line.split(' ').collect::<Vec<_>>(), "UTC");
        let says = "but no key that you have signed it: anybody can write such a file";
        assert!(told.contains(says) && !told.contains("ANOTHER RAFFLE"), "{told}");
    }
}

#[test]
fn a_message_with_the_number_is_compared_and_a_raffle_that_was_given_up_is_named_so() {
    let club = Club::new();
    let new = format!("raffle new list.txt --winners 1 --in 1h {} -o", club.chain());
    let first = club.ends(&format!("{new} first"), 0);
    let commitment = first["commitment"].as_str().expect("a commitment");
    club.ends(&format!("void {commitment} --reason rain"), 0);
    club.ends(&format!("raffle page {commitment} -o first {}", club.relays()), 0);
    let second = club.ends(&format!("{new} second"), 0);
    let signature = hex::encode(club.relay.chain.sign(second["beacon"].as_u64().expect("a round")));
    let number = second["number"].as_str().expect("a number");
    club.write("mine.txt", &format!("The draw is at 7. Raffle number\r\n{number}. Keep this.\r\n"));
    club.write("other.txt", first["number"].as_str().expect("a number"));
    let told = |kept: &str| {
        let line = format!(
            "raffle verify second/raffle.json --list list.txt --key second/log.key --beacon-chain own.json --beacon {signature} --mine {kept}"
        );
        let answer = club.ends(&line, 0);
        // What a program does not see has no token.
        assert_eq!((&answer["state"], &answer["findings"]), (&json!("unproved"), &json!([])));
        club.told(&line.split(' ').collect::<Vec<_>>(), "UTC")
    };
    let same = told("mine.txt");
    assert!(same.contains("fair, if your message is from before the draw: drawn by"), "{same}");
    assert!(same.contains("mine.txt has the number of this raffle"), "{same}");
    let verified = club.verified("second", &format!(" --beacon {signature}"));
    let winner = verified["drawn"][0]["line"].as_str().expect("a line");
    club.write("late.txt", &format!("The winners:\n1. {winner}\nRaffle number {number}.\n"));
    let late = told("late.txt");
    assert!(late.contains("but it names the winners, so it is from after the draw"), "{late}");
    assert!(late.contains("unproved: the winners follow"), "{late}");
    let other = told("other.txt");
    assert!(other.contains("ANOTHER NUMBER  your message other.txt has "), "{other}");
    assert!(other.contains("unproved: the winners follow"), "{other}");
    let given_up = told("first/raffle.html");
    assert!(given_up.contains("ANOTHER RAFFLE"), "{given_up}");
    assert!(given_up.contains("The organiser gave up the raffle of your file: "), "{given_up}");
    let both = told("mine.txt --mine other.txt");
    assert!(both.contains("unproved: the winners follow"), "{both}");
    club.write("none.txt", "The draw is at 7.");
    club.write("two.txt", &format!("{number} {}", first["number"].as_str().expect("a number")));
    // A byte order mark makes no message of JSON.
    club.write("mark.json", "\u{feff}{}");
    let mark =
        "raffle verify second/raffle.json --list list.txt --key second/log.key --mine mark.json";
    let says = club.ends(mark, 2)["error"]["says"].as_str().expect("a text").to_owned();
    assert!(says.contains("expected what you kept: a contribution"), "{says}");
    for (file, found) in [("none.txt", "none"), ("two.txt", "several")] {
        let line = format!(
            "raffle verify second/raffle.json --list list.txt --key second/log.key --mine {file}"
        );
        let says = club.ends(&line, 2)["error"]["says"].as_str().expect("a text").to_owned();
        assert!(says.ends_with(&format!("one raffle number, found {found}")), "{says}");
    }
}
