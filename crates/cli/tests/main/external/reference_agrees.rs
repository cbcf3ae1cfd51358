//! Two implementations on generated documents: hundreds here, a hundred thousand by
//! `cargo tool agree`.

use tools::agree::{Corpus, disagreements};
use tools::dice::Dice;

#[test]
fn both_give_the_same_verdict_on_many_documents_changed_in_their_structure_or_both_none() {
    let (corpus, mut dice) = (Corpus::read(), Dice::new(19));
    let cases: Vec<_> = (0..tools::cases(600, 3000)).map(|_| corpus.case(&mut dice)).collect();
    let differ = disagreements(&cases);
    for (case, ours, theirs) in differ.iter().take(10) {
        println!("{case}\n  here          {ours}\n  the reference {theirs}");
    }
    assert!(differ.is_empty(), "{} of {} differ", differ.len(), cases.len());
}
