//! What the log of a raffle has of it: other promises of its list, and voids.

use serde_json::json;

use crate::raffle_made::Club;

/// Promises the list for a draw in an hour. Returns the commitment and the signature of its round.
fn promised(club: &Club, folder: &str, more: &str) -> (String, String) {
    let new = format!("raffle new list.txt --winners 1 -o {folder} {}{more}", club.chain());
    let new =
        if more.contains("--in") || more.contains("--at") { new } else { format!("{new} --in 1h") };
    let answer = club.ends(&new, 0);
    let commitment = answer["commitment"].as_str().expect("a commitment").to_owned();
    let round = answer["beacon"].as_u64().expect("a round");
    (commitment, hex::encode(club.relay.chain.sign(round)))
}

#[test]
fn an_audit_names_the_other_promises_of_a_list_and_which_of_them_were_given_up() {
    let club = Club::new();
    let new = format!("raffle new list.txt --winners 1 -o first --in 1h {}", club.chain());
    let answer = club.ends(&new, 0);
    let first = answer["commitment"].as_str().expect("a commitment").to_owned();
    club.ends(&format!("void {first} --reason rain"), 0);
    // For the same hour: the order of the log shows that nobody knew who had won the first one.
    let hour = fairdeal::utc::utc(answer["out"].as_u64().expect("a time"));
    let (_, signature) = promised(&club, "second", &format!(" --at {hour}"));
    let audit = |log: &str| {
        let words = format!(
            "raffle verify second/raffle.json --list second/list.txt --key second/log.key --beacon-chain own.json --mine second/raffle.html --beacon {signature} --log {log}"
        );
        let told = club.told(&words.split(' ').collect::<Vec<_>>(), "UTC");
        (club.ends(&words, 0), told)
    };
    let (json, told) = audit("fairdeal-ledger");
    assert_eq!((&json["state"], &json["same_list"]), (&json!("fair"), &json!(2)));
    assert!(json.get("others").is_none(), "{json}");
    for expected in [
        "  fair, if your copy is from before the draw: drawn by a number",
        &format!("2 promises of the same list: this one; {} was given up at 20", &first[..12]),
        " before its number was out\n",
        " UTC by the organiser's own clock, ",
    ] {
        assert!(told.contains(expected), "{expected:?} is not in {told}");
    }
    // An exported log has no tiles to prove again what it had: then it is not known.
    club.ends("export fairdeal-ledger -o log.export", 0);
    let (_, told) = audit("log.export");
    assert!(told.contains("fair: but this log has 2 raffles of this list"), "{told}");
    assert!(told.contains("it is not known here when its number was out"), "{told}");

    let (third, _) = promised(&club, "third", " --as-is");
    let (json, told) = audit("fairdeal-ledger");
    assert_eq!((&json["state"], &json["same_list"]), (&json!("fair"), &json!(3)));
    assert!(told.contains("fair: but this log has 3 raffles of this list"), "{told}");
    let open = format!("; {} was NOT given up: its number will be out at 20", &third[..12]);
    assert!(told.contains(&open), "{told}");
    // The time of this void is the organiser's word alone: it may be from after the draw.
    club.ends(&format!("void {third} --reason rain"), 0);
    let (_, told) = audit("fairdeal-ledger");
    assert!(told.contains("fair: but this log has 3 raffles of this list"), "{told}");
    assert!(told.contains(&format!("; {} was given up at 20", &third[..12])), "{told}");
}

#[test]
fn a_raffle_whose_number_is_out_is_given_up_only_if_it_is_meant() {
    let club = Club::new();
    let told = |line: &str| club.told(&line.split(' ').collect::<Vec<_>>(), "UTC");
    let early = club.ends("raffle new list.txt --winners 1 --in 1h -o early", 0);
    let digits = |answer: &serde_json::Value| {
        answer["commitment"].as_str().expect("a commitment").to_owned()
    };
    let number = early["number"].as_str().expect("a number");
    let said = told(&format!("void {} --reason rain", digits(&early)));
    let expected = format!("tell people that raffle number {number} is given up\n");
    assert!(said.contains("pages that were sent already keep counting down"), "{said}");
    assert!(said.contains(&expected), "{said}");

    // With a chain that is known here, and with one of which void has no file.
    let (other, _) = promised(&club, "other", " --in 2s");
    let late = club.ends("raffle new list.txt --winners 1 --in 2s --as-is -o late", 0);
    let out = late["out"].as_u64().expect("a time");
    std::thread::sleep(std::time::Duration::from_millis(
        (out + 1000).saturating_sub(crate::relay::seconds() * 1000),
    ));
    for commitment in [digits(&late), other] {
        let void = format!("void {commitment} --reason rain --idempotency-key {commitment}");
        let refused = club.ends(&void, 2);
        let says = refused["error"]["says"].as_str().expect("a text");
        assert!(says.starts_with("the winners can be known since 20"), "{says}");
        assert!(says.ends_with("everybody will see that you stopped after it"), "{says}");
        assert!(refused["error"]["hint"].as_str().expect("a hint").contains("--force"), "{says}");
        let done = club.ends(&format!("{void} --force"), 0);
        assert_eq!(club.ends(&void, 0)["index"], done["index"]);
    }
    // Another commitment has no such hour.
    club.ends("commit --table main --rounds 2", 0);
    let plain = told("void --table main --reason rain");
    assert!(plain.contains("voided") && !plain.contains("pages"), "{plain}");
}
