//! The page of an audit: what it says, that it loads nothing, and that no log can change its
//! structure.

use std::collections::BTreeSet;

use fairdeal::deal::Commitment;
use fairdeal::log::leaf_hash;
use fairdeal::record::{Code, Finding};
use fairdeal_audit::{AuditVerdict, Signed, ToldFindings};
use fairdeal_schemes::lab::{Shuffle, sample};
use fairdeal_schemes::report::{
    EntryBytes, PageContext, entries_to_show, heat_map, heat_map_exact, html,
};
use html5ever::tendril::TendrilSink as _;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use tools::pages::{self, ABOUT, CODES, HOSTILE};

/// The page as a browser parses it, and the parser's errors.
fn parsed(page: &str) -> (RcDom, Vec<String>) {
    let dom =
        html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(page);
    let errors = dom.errors.borrow().iter().map(ToString::to_string).collect();
    (dom, errors)
}

/// An element's name and its attributes.
type Element = (String, Vec<(String, String)>);

/// Every element, with its attributes, and all text.
fn walk(node: &Handle, elements: &mut Vec<Element>, text: &mut String) {
    match &node.data {
        NodeData::Element { name, attrs, .. } => {
            let attributes = attrs.borrow();
            let attributes =
                attributes.iter().map(|a| (a.name.local.to_string(), a.value.to_string()));
            elements.push((name.local.to_string(), attributes.collect()));
        }
        NodeData::Text { contents } => text.push_str(&contents.borrow()),
        _ => {}
    }
    node.children.borrow().iter().for_each(|child| walk(child, elements, text));
}

fn read(page: &str) -> (Vec<Element>, String) {
    let (dom, errors) = parsed(page);
    assert_eq!(errors, [""; 0], "a browser's parser finds errors");
    let (mut elements, mut text) = (Vec::new(), String::new());
    walk(&dom.document, &mut elements, &mut text);
    (elements, text)
}

/// An entry at each index, of a log behind a URL.
fn entries(length: usize) -> Vec<EntryBytes> {
    let wanted = entries_to_show(&pages::at_fault());
    let entry = |index| {
        let bytes =
            format!("{{\"entry\":{index},\"text\":\"{}\"}}", "\"<".repeat(length / 2)).into_bytes();
        let place = "https://cards.example/log/tile/entries/000".to_owned();
        EntryBytes { index, leaf: leaf_hash(&bytes), bytes, place, offset: 2 }
    };
    wanted.into_iter().map(entry).collect()
}

fn all() -> Vec<(&'static str, String)> {
    vec![
        ("honest", html(&pages::honest(300), &ABOUT)),
        ("biased", html(&pages::biased(600), &ABOUT)),
        ("at fault", html(&pages::at_fault(), &ABOUT)),
        (
            "at fault, with entries",
            html(&pages::at_fault(), &PageContext { entries: &entries(900), ..ABOUT }),
        ),
        ("empty", html(&pages::empty(), &PageContext { as_of: None, ..ABOUT })),
        (
            "hostile",
            html(
                &pages::hostile(2_000),
                &PageContext { log: HOSTILE[0], origin: HOSTILE[3], ..ABOUT },
            ),
        ),
    ]
}

#[test]
fn every_page_nests_as_html_must_and_loads_nothing() {
    for (name, page) in all() {
        let (elements, _) = read(&page);
        let ids: Vec<&String> =
            elements.iter().flat_map(|(_, a)| a).filter(|a| a.0 == "id").map(|a| &a.1).collect();
        assert_eq!(
            ids.iter().collect::<BTreeSet<_>>().len(),
            ids.len(),
            "{name}: an id stands twice"
        );
        for (element, attributes) in &elements {
            let fine = ![
                "script", "link", "img", "iframe", "object", "embed", "form", "base", "image",
                "use", "audio", "video",
            ]
            .contains(&element.as_str());
            assert!(fine, "{name}: <{element}>");
            for (attribute, value) in attributes {
                assert!(
                    !attribute.starts_with("on")
                        && !["src", "srcset", "xlink:href", "action"].contains(&attribute.as_str()),
                    "{name}: {element} {attribute}"
                );
                let is_elsewhere = value.starts_with("https://cards.example/");
                if attribute == "href" && is_elsewhere {
                    // A link to the log's own file: nothing is loaded unless somebody follows it.
                    assert!(
                        element == "a" && attributes.iter().any(|one| one.1 == "noreferrer"),
                        "{name}: {value}"
                    );
                } else if attribute == "href" {
                    let id = value
                        .strip_prefix('#')
                        .unwrap_or_else(|| panic!("{name}: a link to {value}"));
                    assert!(ids.iter().any(|one| *one == id), "{name}: {value} leads nowhere");
                }
                if attribute == "style" {
                    let grow = value
                        .strip_prefix("flex-grow:")
                        .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
                    assert!(grow, "{name}: {value}");
                }
            }
        }
        let style = page
            .split("<style>")
            .nth(1)
            .and_then(|rest| rest.split("</style>").next())
            .expect("a style");
        assert!(!style.contains("url(") && !style.contains("@import"), "{name}");
        assert!(
            page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"),
            "{name}"
        );
    }
}

#[test]
fn headings_go_down_one_step_at_a_time_and_pictures_and_tables_say_what_they_are() {
    for (name, page) in all() {
        let (elements, _) = read(&page);
        let mut level = 0;
        for (element, attributes) in &elements {
            let has = |wanted: &str| {
                attributes.iter().any(|(attribute, value)| attribute == wanted && !value.is_empty())
            };
            if let Some(next) = element.strip_prefix('h').and_then(|n| n.parse::<u8>().ok()) {
                assert!(next <= level + 1, "{name}: h{next} after h{level}");
                level = next;
            }
            match element.as_str() {
                "svg" => assert!(has("role") && has("aria-label"), "{name}"),
                "th" => assert!(has("scope"), "{name}"),
                _ => {}
            }
        }
        let count = |wanted: &str| elements.iter().filter(|(element, _)| element == wanted).count();
        assert_eq!(count("h1"), 1, "{name}");
        assert_eq!(count("svg"), count("desc"), "{name}");
        assert_eq!(count("table"), count("thead"), "{name}");
    }
}

#[test]
fn what_a_hostile_log_says_is_text_and_cannot_turn_or_hide_other_text() {
    let about = PageContext {
        log: HOSTILE[0],
        origin: HOSTILE[3],
        key: HOSTILE[1],
        period: Some((HOSTILE[2], HOSTILE[3])),
        as_of: Some(HOSTILE[2]),
        clock: Some(HOSTILE[2]),
        since: &[HOSTILE[5].to_owned()],
        continued: &[3],
        judged_before: 0,
        cached: 0,
        is_another_tree: false,
        entries: &[],
        version: HOSTILE[4],
    };
    let page = html(&pages::hostile(60), &about);
    let (elements, text) = read(&page);
    assert_eq!(elements.iter().filter(|(element, _)| element == "h1").count(), 1);
    for hostile in HOSTILE.iter().filter(|text| !text.contains('\u{202e}')) {
        assert!(text.contains(hostile), "{hostile:?} is shown as it is written");
    }
    assert!(text.contains(r"safe\u{202e}dlo\u{2066}h\u{0}\u{1b}[31m\u{200b}"));
    let odd = page.chars().find(|c| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    });
    assert_eq!(odd, None);
}

#[test]
fn however_much_a_log_holds_the_page_stays_small() {
    let page = html(&pages::hostile(100_000), &ABOUT);
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    let entries = entries(65_000);
    let faults = html(&pages::at_fault(), &PageContext { entries: &entries, ..ABOUT });
    assert!(page.len() + faults.len() < 2_000_000, "together: {} bytes", page.len() + faults.len());
    let (_, text) = read(&page);
    assert!(text.contains("and 99,960 more tables"));
    assert!(text.contains("and 4,960 more seeds"));
    assert!(text.contains("and 980 more"), "of each code");
}

#[test]
fn a_picture_of_any_counts_is_drawn_even_of_none() {
    for items in [1, 2, 3, 6, 9, 20, 36, 54, 104, 105, 416, 512] {
        let counts = sample(Shuffle::FisherYates, items, 3, 1).expect("a deck");
        assert_eq!(heat_map("x", &counts).is_some(), items > 1, "{items}");
    }
    assert_eq!(heat_map("x", &sample(Shuffle::FisherYates, 52, 0, 1).expect("a deck")), None);
    assert_eq!(heat_map_exact("x", &[]), None);
    let picture =
        heat_map_exact("<3 & more", &[vec![0.5, 0.5], vec![1.0, 0.0]]).expect("two by two");
    assert!(picture.contains("<title>&lt;3 &amp; more</title>"));
    assert!(picture.contains("off by 100.0 %"));
}

#[test]
fn the_same_verdict_gives_the_same_page_byte_for_byte() {
    assert_eq!(html(&pages::biased(200), &ABOUT), html(&pages::biased(200), &ABOUT));
}

#[test]
fn every_kind_of_finding_is_explained_and_the_verdict_comes_first() {
    let (_, text) = read(&html(&pages::at_fault(), &ABOUT));
    let codes: BTreeSet<&str> = CODES.iter().map(|code| code.as_str()).collect();
    assert_eq!(codes.len(), CODES.len());
    let articles: Vec<String> = html(&pages::at_fault(), &ABOUT)
        .split("<article class=\"finding ")
        .skip(1)
        .map(str::to_owned)
        .collect();
    assert_eq!(articles.len(), CODES.len());
    let titles: BTreeSet<&str> =
        articles.iter().filter_map(|a| a.split("<h3>").nth(1)?.split("</h3>").next()).collect();
    assert_eq!(titles.len(), CODES.len(), "each has a title of its own");
    let verdict = text.find(" findings of integrity, 9 of order, 93 of time").expect("the verdict");
    assert!(
        verdict
            < text.find("The cards are not the ones that the seeds give").expect("an explanation")
    );
    assert!(text.contains("and 71 more"), "late reveals beyond the first twenty");
    assert!(text.contains("the seeds give Td3h6d9d4c, the entry has As3h6d9d4c"));
}

#[test]
fn the_verdict_says_how_many_findings_follow_from_another_one() {
    let of = |bytes: [u8; 32], index| Finding {
        commitment: Some(Commitment::from_bytes(bytes)),
        index: Some(index),
        ..Finding::about_the_log(Code::NonceGap, "the next round is 1, found 2")
    };
    let findings = vec![of([1; 32], 4), of([1; 32], 5), of([1; 32], 6), of([2; 32], 7)];
    let told = |count| {
        let counts = [("nonce-gap", count)].into();
        let verdict = AuditVerdict {
            holds: false,
            findings: ToldFindings::new(findings.clone(), Signed::Entries),
            counts,
            size: 9,
            ..pages::empty()
        };
        read(&html(&verdict, &ABOUT)).1
    };
    let says = "2 follow from an earlier one of the same commitment";
    assert!(
        told(4).contains("does not hold: 4 findings of order")
            && told(4).contains(&format!("Of these, {says}.")),
        "{}",
        told(4)
    );
    assert!(
        told(9).contains("9 findings of order")
            && told(9).contains(&format!("Of these, at least {says}"))
    );
}

#[test]
fn the_page_says_how_to_repeat_it_and_what_it_cannot_show() {
    let since = ["my saved.note".to_owned()];
    let (_, text) = read(&html(&pages::honest(30), &PageContext { since: &since, ..ABOUT }));
    let command = format!(
        "fairdeal audit public \\\n  --key {} \\\n  --as-of 2026-01-31T12:00:00Z \\\n  --clock 2026-01-31T13:00:00Z \\\n  --since 'my saved.note'",
        ABOUT.key
    );
    assert!(text.contains(&command), "{text}");
    for said in [
        "That everybody was given this log",
        "When anything happened",
        "does not play too",
        "Folded hands",
        "What no statistic sees",
        "Reported, never a verdict",
    ] {
        assert!(text.contains(said), "{said}");
    }
}

#[test]
fn an_alarm_of_the_statistics_is_named_at_the_head_and_changes_no_verdict() {
    let says = "No rule is broken. The statistics raise an alarm, as they do for about one in a hundred fair logs: see below.";
    let (_, biased) = read(&html(&pages::biased(600), &ABOUT));
    assert!(
        biased.find(says).expect("the alarm")
            < biased.find("What was found").expect("the findings")
    );
    for silent in [pages::honest(300), pages::at_fault(), pages::empty()] {
        assert!(!read(&html(&silent, &ABOUT)).1.contains(says));
    }
}

#[test]
fn beside_a_finding_stand_its_rule_and_the_bytes_of_its_entry() {
    let entries = entries(10);
    let page = html(&pages::at_fault(), &PageContext { entries: &entries, ..ABOUT });
    let (elements, text) = read(&page);
    let first = &entries[0];
    let bytes = std::str::from_utf8(&first.bytes).expect("UTF-8");
    assert!(text.contains(bytes) && text.contains(&first.leaf.to_hex()), "{bytes}");
    let command = format!("curl -s {} | tail -c +3 | head -c {}", first.place, bytes.len());
    assert!(text.contains(&format!("{{ printf '\\0'; {command}; }} | sha256sum")), "{command}");
    assert!(text.contains(
        "“the SHA-256 of the revealed seed is not the commitment” (spec/ledger.md, section 9.3, row 8"
    ));
    let links = |id: &str| {
        elements
            .iter()
            .any(|one| one.0 == "a" && one.1.contains(&("href".to_owned(), id.to_owned())))
    };
    assert!(links("#seed-mismatch-rule") && links(&first.place));
    // Five of the late reveals are shown with their entry, and twenty in all.
    let shown = elements.iter().filter(|one| one.0 == "details").count();
    assert_eq!(shown, entries.len());
    assert!(shown < 35, "{shown}");
}

#[test]
fn a_log_of_which_no_entry_was_judged_gives_no_numbers() {
    let findings =
        vec![Finding::about_the_log(Code::BadSignature, "this log is a+1; your key is b+2")];
    let counts = [("bad-signature", 1)].into();
    let findings = ToldFindings::new(findings, Signed::Nothing);
    let verdict = AuditVerdict { holds: false, findings, counts, ..pages::empty() };
    let (_, text) = read(&html(&verdict, &PageContext { as_of: None, ..ABOUT }));
    assert!(text.contains("public does not hold: 1 finding of integrity"));
    assert!(
        text.contains("No entry was judged.") && text.contains("this log is a+1; your key is b+2")
    );
    for absent in [
        "cards.example/log does not hold",
        "The life of each commitment",
        "rounds dealt",
        "0 entries",
    ] {
        assert!(!text.contains(absent), "{absent}");
    }
}

#[test]
fn a_few_deals_are_not_drawn_as_a_map_and_an_axis_counts_whole_deals() {
    let few = html(&pages::honest(2), &ABOUT);
    let (_, text) = read(&few);
    assert!(
        text.contains("2 fair deals give each cell 0.04 on average")
            && !text.contains("standard deviations away")
    );
    let plot = few.split("Evidence against fair decks over time").nth(1).expect("a plot");
    let plot = plot.split("</svg>").next().expect("its end");
    let labels: Vec<&str> = plot
        .split("<text class=\"lb\"")
        .skip(1)
        .filter_map(|rest| rest.split('>').nth(1)?.split('<').next())
        .filter(|label| label.bytes().all(|b| b.is_ascii_digit()))
        .collect();
    assert!(labels.windows(2).all(|two| two[0] != two[1]), "{labels:?}");
    let (_, text) = read(&html(&pages::honest(300), &ABOUT));
    assert!(text.contains("standard deviations away"));
}
