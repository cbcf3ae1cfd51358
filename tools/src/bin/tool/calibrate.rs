//! Makes the figures of `docs/statistics.md`.
//!
//! With the name of a part it makes only that part: `nulls`, `power`, `weak`, `watch`, `exact`.
//! Everything is seeded, so the same figures come out everywhere.

mod exact;
mod nulls;
mod power;
mod watch;

pub fn run(part: Option<&str>) {
    let wanted = |name: &str| part.is_none_or(|part| part == name);
    if wanted("exact") {
        exact::print();
    }
    if wanted("nulls") {
        nulls::print();
    }
    if wanted("power") {
        power::print();
    }
    if wanted("watch") {
        watch::print();
    }
    if wanted("weak") {
        power::print_weak();
    }
}
