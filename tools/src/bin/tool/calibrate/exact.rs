//! How far each source is from uniform on short decks, exactly.

use fairdeal_schemes::lab::{Paths, Shuffle, decimal, enumerate};

pub fn print() {
    println!("## Total variation distance from uniform, exactly\n");
    println!("| source | paths for 6 items | 3 items | 4 items | 5 items | 6 items |");
    println!("|---|---|---|---|---|---|");
    for source in Shuffle::ALL {
        let shown: Vec<String> = (3..=6)
            .map(|items| {
                let distance = enumerate(source, items).expect("1 to 6").total_variation();
                if *distance.denom() < 10_000 {
                    distance.to_string()
                } else {
                    format!("{:.6}", decimal(distance))
                }
            })
            .collect();
        let paths = match enumerate(source, 6).expect("6").paths {
            Paths::Counted(count) => count.to_string(),
            Paths::Endless => "no longest".to_owned(),
        };
        println!("| {} | {paths} | {} |", source.as_str(), shown.join(" | "));
    }
    println!();
}
