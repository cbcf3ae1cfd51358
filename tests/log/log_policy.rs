//! Policies against their definitions, by trying every set of witnesses.

#![expect(
    clippy::integer_division_remainder_used,
    reason = "a place in a list; nothing random is reduced"
)]

use std::fmt::Write as _;

use fairdeal::log::{KeyName, Policy, Quorum, WitnessSigner, Witnessed};
use proptest::prelude::*;

/// A tree of witnesses: the shape of a policy.
#[derive(Clone, Debug)]
enum Tree {
    Witness(usize),
    Group(usize, Vec<Tree>),
}

impl Tree {
    /// Whether it has signed, if these witnesses have: the definition.
    fn has_signed(&self, signed: u32) -> bool {
        match self {
            Self::Witness(one) => signed & (1 << one) != 0,
            Self::Group(k, members) => {
                members.iter().filter(|one| one.has_signed(signed)).count() >= *k
            }
        }
    }

    /// Writes its lines, the members' first, and returns its name.
    fn lines(&self, text: &mut String) -> String {
        match self {
            Self::Witness(one) => format!("w{one}"),
            Self::Group(k, members) => {
                let names: Vec<String> = members.iter().map(|one| one.lines(text)).collect();
                let name = format!("g{}", text.lines().count());
                writeln!(text, "group {name} {k} {}", names.join(" ")).expect("in memory");
                name
            }
        }
    }

    /// The policy of this tree with its witnesses 0 to `count` - 1.
    fn policy(&self, count: usize) -> Policy {
        let mut text = String::new();
        for one in 0..count {
            let name = KeyName::parse(&format!("w.example/{one}")).expect("a name");
            let signer = WitnessSigner::from_seed(name, &[u8::try_from(one).expect("few") + 1; 32]);
            writeln!(text, "witness w{one} {}", signer.key()).expect("in memory");
        }
        let quorum = self.lines(&mut text);
        writeln!(text, "quorum {quorum}").expect("in memory");
        Policy::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

/// A tree over these witnesses, each once.
fn tree(mut shape: impl FnMut(usize) -> usize, count: usize) -> Tree {
    let mut free: Vec<Tree> = (0..count).map(Tree::Witness).collect();
    while free.len() > 1 {
        let size = 1 + shape(free.len());
        let members: Vec<Tree> = (0..size).map(|_| free.swap_remove(shape(free.len()))).collect();
        free.push(Tree::Group(1 + shape(size), members));
    }
    free.pop().expect("one is left")
}

fn trees() -> impl Strategy<Value = (Tree, usize)> {
    (1_usize..=7, prop::collection::vec(any::<u16>(), 64)).prop_map(|(count, choices)| {
        let mut choices = choices.into_iter().cycle();
        (tree(|ways| usize::from(choices.next().expect("endless")) % ways, count), count)
    })
}

fn few(set: u32) -> u64 {
    u64::from(set.count_ones())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_times_of_a_quorum_are_those_of_the_definition(
        (tree, count) in trees(),
        times in prop::collection::vec(prop::option::of(0_u64..12), 7),
    ) {
        let signed = &times[..count];
        let set = |holds: &dyn Fn(u64) -> bool| {
            let of = |(one, time): (usize, &Option<u64>)| u32::from(time.is_some_and(holds)) << one;
            signed.iter().enumerate().map(of).sum::<u32>()
        };
        // 0 is no time. By: the least B for which the lines with a time up to it are a quorum.
        let by = (1..12).find(|by| tree.has_signed(set(&|time| time >= 1 && time <= *by)));
        let since = (1..12).rev().find(|since| tree.has_signed(set(&|time| time >= *since)));
        let expected = tree.has_signed(set(&|_| true)).then_some(Quorum { by, since });
        prop_assert_eq!(tree.policy(count).quorum(signed), expected);
    }

    #[test]
    fn the_numbers_of_liars_are_the_least_that_can_deceive((tree, count) in trees()) {
        let policy = tree.policy(count);
        let sets = || 0..1_u32 << count;
        // Times: the liars alone are a quorum.
        let q = sets().filter(|liars| tree.has_signed(*liars)).map(few).min();
        prop_assert_eq!(Some(policy.liars_for_times()), q);
        // Two views: two quorums have none but liars in common.
        let quorums: Vec<u32> = sets().filter(|set| tree.has_signed(*set)).collect();
        let v = quorums.iter().flat_map(|a| quorums.iter().map(move |b| few(a & b))).min();
        prop_assert_eq!(Some(policy.liars_for_two_views()), v);
    }

    #[test]
    fn reading_a_policy_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _read = Policy::parse(&bytes);
    }
}

#[test]
fn a_witness_outside_the_quorum_is_not_named() {
    let two = Tree::Group(1, vec![Tree::Witness(2), Tree::Witness(0)]);
    let policy = two.policy(3);
    let signed = vec![Some(5), Some(5), Some(6)];
    let witnessed = Witnessed { quorum: policy.quorum(&signed), signed };
    assert_eq!(witnessed.names(&policy), "w0, w2");
}

#[test]
fn a_deep_policy_ends() {
    let name = KeyName::parse("w.example/0").expect("a name");
    let mut text = format!("witness g0 {}\n", WitnessSigner::from_seed(name, &[1; 32]).key());
    for n in 1..1000 {
        writeln!(text, "group g{n} all g{}", n - 1).expect("in memory");
    }
    text.push_str("quorum g999\n");
    let policy = Policy::parse(text.as_bytes()).expect("a policy");
    assert_eq!(policy.quorum(&[Some(5)]), Some(Quorum { by: Some(5), since: Some(5) }));
    assert_eq!((policy.liars_for_times(), policy.liars_for_two_views()), (1, 1));
}
