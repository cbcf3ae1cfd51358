//! Verdicts to make pages from: honest, with every fault, empty, hostile, and one with a biased
//! shuffle.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::field_reassign_with_default,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use std::collections::BTreeMap;

use fairdeal::deal::{Commitment, Nonce, ServerSeed};
use fairdeal::log::{EMPTY_ROOT, leaf_hash};
use fairdeal::record::{Code, Finding};
use fairdeal_audit::stats::{Counts, EProcess};
use fairdeal_audit::{
    AuditVerdict, DealGroup, EProcessTrace, LogStatistics, Reported, RevealDelays, Signed,
    TableCounts, ToldFindings, Unverified,
};
use fairdeal_schemes::lab::{Sampler, Shuffle};
use fairdeal_schemes::report::PageContext;

/// Every code. (`report::meaning` does not compile without an explanation of each.)
pub const CODES: [Code; 26] = [
    Code::NotCanonical,
    Code::InvalidEntry,
    Code::NoCommitment,
    Code::DuplicateCommitment,
    Code::AfterReveal,
    Code::AfterVoid,
    Code::VoidAfterUse,
    Code::OpenRound,
    Code::NonceGap,
    Code::TooManyRounds,
    Code::SeedMismatch,
    Code::OutOfTurn,
    Code::TimeRunsBack,
    Code::SplitView,
    Code::WeakMixing,
    Code::BeaconRound,
    Code::BeaconSignature,
    Code::LockMismatch,
    Code::UnopenedHash,
    Code::ResultMismatch,
    Code::LateReveal,
    Code::Overdue,
    Code::TreeMismatch,
    Code::BadSignature,
    Code::Inconsistent,
    Code::InvalidReceipt,
];

pub const ABOUT: PageContext<'static> = PageContext {
    log: "public",
    origin: "cards.example/log",
    key: "cards.example/log+1d2c3b4a+AYyT5Vg0lUX1P0Yb9yEbR2d8r9Cj0lNfT1aTqYV0mJtR",
    period: Some(("2026-01-01T00:00:00Z", "2026-01-31T11:59:00Z")),
    as_of: Some("2026-01-31T12:00:00Z"),
    clock: Some("2026-01-31T13:00:00Z"),
    since: &[],
    judged_before: 0,
    cached: 0,
    is_another_tree: false,
    continued: &[],
    entries: &[],
    version: "0.1.0",
};

/// Counts and evidence of seeded deals.
pub fn group(source: Shuffle, items: u32, deals: u64) -> DealGroup {
    let mut sampler = Sampler::new(source, items, 7).expect("a deck");
    let shape = sampler.shape().clone();
    let (mut counts, mut watch) = (Counts::of(shape.clone()), EProcess::of(shape.clone()));
    let mut points = Vec::new();
    for deal in 1..=deals {
        let cards = sampler.deal();
        counts.add(&cards);
        watch.add(&cards);
        if deal.is_multiple_of(deals.div_ceil(200).max(1)) {
            points.push((deal, watch.log10()));
        }
    }
    DealGroup {
        deck: shape
            .deck()
            .map_or_else(|| format!("list of {items}"), |deck| deck.as_str().to_owned()),
        draw: u64::from(shape.draw()),
        report: counts.report(),
        watch: Some(EProcessTrace {
            deals,
            alarm: watch.alarm(),
            log10: watch.log10(),
            parts: watch.parts(),
            points,
        }),
        counts,
    }
}

fn verdict(findings: Vec<Finding>, reported: Reported) -> AuditVerdict {
    let mut counts = BTreeMap::new();
    for finding in &findings {
        *counts.entry(finding.code.as_str()).or_insert(0) += 1;
    }
    AuditVerdict {
        holds: findings.is_empty(),
        size: 5_312,
        root: leaf_hash(b"a log"),
        commitments: 104,
        deals: 5_000,
        voids: 109,
        reveals: 98,
        not_judged: 0,
        last_time: Some(1_769_860_800_000),
        as_of: Some(1_769_860_800_000),
        clock: Some(1_769_864_400_000),
        overdue_by_clock: Some(0),
        unverified: Unverified::default(),
        findings: ToldFindings::new(findings, Signed::Entries),
        counts,
        reported,
        witnesses: None,
        statistics: None,
    }
}

fn table(deals: u64, voided_rounds: u64, voided_commitments: u64) -> TableCounts {
    let commitments = 1;
    TableCounts {
        commitments,
        deals,
        voided_rounds,
        voided_locks: voided_rounds,
        voided_commitments,
    }
}

/// Numbers of a log after some time of play.
fn played() -> Reported {
    let mut reported = Reported::default();
    reported.rounds_per_commitment =
        [(0, 6), (12, 2), (35, 5), (44, 9), (47, 11), (48, 15), (49, 18), (50, 31), (60, 7)].into();
    reported.never_used = 6;
    reported.tables =
        [("evening", 2_410, 31, 1), ("high stakes", 640, 48, 2), ("ラウンジ", 1_950, 25, 1)]
            .map(|(name, deals, rounds, whole)| (name.to_owned(), table(deals, rounds, whole)))
            .into();
    reported.blamed =
        [("alice", 9), ("bob", 41), ("carol", 3)].map(|(n, c)| (n.to_owned(), c)).into();
    reported.reveal_delays = RevealDelays {
        count: 98,
        shortest: Some(600_000),
        longest: Some(90_000_000),
        total: 2_940_000_000,
        by_doubling: [
            (1 << 19, 4),
            (1 << 20, 11),
            (1 << 21, 22),
            (1 << 22, 9),
            (1 << 25, 40),
            (1 << 26, 12),
        ]
        .into(),
    };
    reported.weak_seeds =
        [("12345", 17), ("lucky", 6), ("password", 4)].map(|(s, c)| (s.to_owned(), c)).into();
    reported.rounds_without_committed_first = 1_204;
    reported
}

pub fn honest(deals: u64) -> AuditVerdict {
    let groups = vec![group(Shuffle::FisherYates, 52, deals)];
    let statistics = Some(LogStatistics { groups, not_counted: 12 });
    AuditVerdict { statistics, ..verdict(Vec::new(), played()) }
}

pub fn biased(deals: u64) -> AuditVerdict {
    let groups = vec![group(Shuffle::Modulo8, 52, deals), group(Shuffle::Partial, 52, 400)];
    let statistics = Some(LogStatistics { groups, not_counted: 0 });
    AuditVerdict { statistics, ..verdict(Vec::new(), played()) }
}

/// Every kind of finding, one of them many times.
pub fn at_fault() -> AuditVerdict {
    let seed = ServerSeed::parse(&"5a".repeat(32)).expect("a seed");
    let commitment: Commitment = seed.commitment();
    let mut findings: Vec<Finding> = CODES
        .into_iter()
        .zip(100_u64..)
        .map(|(code, index)| Finding {
            code,
            index: (!matches!(code, Code::TreeMismatch | Code::BadSignature | Code::Inconsistent)).then_some(index),
            commitment: Some(commitment).filter(|_| code != Code::TreeMismatch),
            nonce: Nonce::new(index).ok().filter(|_| code == Code::NonceGap || code == Code::ResultMismatch),
            says: match code {
                Code::NonceGap => "the next round is 7, found 9".to_owned(),
                Code::ResultMismatch => {
                    "the seeds give Td3h6d9d4c, the entry has As3h6d9d4c: card 1 differs".to_owned()
                }
                Code::Overdue => "due 2026-01-30 12:00:00 UTC; at 2026-01-31 12:00:00 UTC, 1 d later, there is neither the reveal nor a void of the whole commitment".to_owned(),
                _ => format!("what was expected by the rule {code}, and what came"),
            },
        })
        .collect();
    findings.extend((0..90).map(|at| Finding {
        code: Code::LateReveal,
        index: Some(2_000 + at),
        commitment: Some(commitment),
        nonce: None,
        says: "due 2026-01-30 12:00:00 UTC, came 12:00:01 UTC, 1 s later".to_owned(),
    }));
    verdict(findings, played())
}

pub fn empty() -> AuditVerdict {
    AuditVerdict {
        size: 0,
        root: EMPTY_ROOT,
        commitments: 0,
        deals: 0,
        voids: 0,
        reveals: 0,
        as_of: None,
        statistics: Some(LogStatistics::default()),
        ..verdict(Vec::new(), Reported::default())
    }
}

/// Texts of an operator who wants the page to run, load or hide something, or to overflow.
pub const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=https://evil.example/x onerror=alert(1)>",
    "</style></title></td></table><h1>holds</h1>",
    "safe\u{202e}dlo\u{2066}h\u{0}\u{1b}[31m\u{200b}",
    "&lt;b&gt; &#x3c;script&#x3e; ]]> --> <!-- <![CDATA[",
    "' style='background:url(https://evil.example/)' x='",
];

/// As many tables, names, seeds, decks and rounds as an audit accepts, and more, with such names.
pub fn hostile(many: u64) -> AuditVerdict {
    let text = |at: u64| format!("{}{at}", HOSTILE[usize::try_from(at % 6).expect("under 6")]);
    let mut reported = played();
    reported.tables = (0..many).map(|at| (text(at), table(at, at, at))).collect();
    reported.blamed = (0..many.min(5_000)).map(|at| (text(at), at)).collect();
    reported.weak_seeds = (0..many.min(5_000)).map(|at| (text(at), at)).collect();
    reported.rounds_per_commitment = (0..many).map(|at| (at * at, u64::MAX)).collect();
    reported.reveal_delays.by_doubling = (0..64).map(|power| (1 << power, u64::MAX)).collect();
    reported.reveal_delays.longest = Some(u64::MAX);
    let findings = (0..many.min(26_000)).map(|at| Finding {
        code: CODES[usize::try_from(at % 26).expect("under 26")],
        index: Some(at),
        commitment: None,
        nonce: None,
        says: text(at).repeat(100),
    });
    let mut groups: Vec<DealGroup> = vec![group(Shuffle::FisherYates, 416, 20)];
    groups.extend((1..80).map(|at| DealGroup { deck: text(at), ..group(Shuffle::XorSwap, 8, at) }));
    if let Some(watched) = groups.last_mut().and_then(|group| group.watch.as_mut()) {
        watched.points = (0..50_000)
            .map(|at| {
                (at, [f64::NAN, f64::INFINITY, 1e300, -1e300][usize::try_from(at % 4).expect("4")])
            })
            .collect();
    }
    let statistics = Some(LogStatistics { groups, not_counted: u64::MAX });
    AuditVerdict { statistics, ..verdict(findings.collect(), reported) }
}
