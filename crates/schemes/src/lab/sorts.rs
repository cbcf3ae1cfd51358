//! Sorts whose comparator flips a coin. Each ends, because none needs consistent answers.

use super::choose::Choose;

fn coin(choose: &mut impl Choose) -> bool {
    choose.below(2) == 0
}

/// Quicksort with Lomuto's partition; the last item is the pivot.
pub(super) fn quick(list: &mut [u32], choose: &mut impl Choose) {
    let mut open = vec![(0, list.len())];
    while let Some((start, end)) = open.pop() {
        if end - start < 2 {
            continue;
        }
        let mut middle = start;
        for at in start..end - 1 {
            if coin(choose) {
                list.swap(at, middle);
                middle += 1;
            }
        }
        list.swap(middle, end - 1);
        open.push((start, middle));
        open.push((middle + 1, end));
    }
}

/// Top-down merge sort.
pub(super) fn merge(list: &mut [u32], choose: &mut impl Choose) {
    if list.len() < 2 {
        return;
    }
    let (left, right) = list.split_at_mut(list.len() / 2);
    merge(left, choose);
    merge(right, choose);
    let merged = merged(left, right, choose);
    list.copy_from_slice(&merged);
}

fn merged(left: &[u32], right: &[u32], choose: &mut impl Choose) -> Vec<u32> {
    let mut all = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    while left.peek().is_some() && right.peek().is_some() {
        all.extend(if coin(choose) { left.next() } else { right.next() });
    }
    all.extend(left.chain(right));
    all
}

/// Insertion sort: each item moves down while the comparator says so.
pub(super) fn insertion(list: &mut [u32], choose: &mut impl Choose) {
    for at in 1..list.len() {
        let mut place = at;
        while place > 0 && coin(choose) {
            list.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// Timsort without galloping: finds a run, extends it to the least length by binary insertion, and
/// merges runs. Fewer than 64 items make one run, so nothing is merged.
pub(super) fn tim(list: &mut [u32], choose: &mut impl Choose) {
    let least = least_run(list.len());
    let mut runs: Vec<Vec<u32>> = Vec::new();
    let mut rest = list.to_vec();
    while !rest.is_empty() {
        let counted = count_run(&mut rest, choose);
        let length = counted.max(least).min(rest.len());
        let after = rest.split_off(length);
        for at in counted..length {
            insert(&mut rest, at, choose);
        }
        runs.push(std::mem::replace(&mut rest, after));
        collapse(&mut runs, choose);
    }
    while let Some(right) = runs.pop() {
        match runs.pop() {
            Some(left) => runs.push(merged(&left, &right, choose)),
            None => list.copy_from_slice(&right),
        }
    }
}

/// 32 to 64, or all of a shorter list.
fn least_run(mut length: usize) -> usize {
    let mut odd = 0;
    while length >= 64 {
        odd |= length % 2;
        length /= 2;
    }
    length + odd
}

/// The length of the run at the start of the list; a descending run is reversed.
fn count_run(list: &mut [u32], choose: &mut impl Choose) -> usize {
    if list.len() < 2 {
        return list.len();
    }
    let descends = coin(choose);
    let mut length = 2;
    while length < list.len() && coin(choose) == descends {
        length += 1;
    }
    if descends {
        list[..length].reverse();
    }
    length
}

/// Puts item `at` into the sorted part before it.
fn insert(list: &mut [u32], at: usize, choose: &mut impl Choose) {
    let (mut low, mut high) = (0, at);
    while low < high {
        let middle = usize::midpoint(low, high);
        if coin(choose) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    list[low..=at].rotate_right(1);
}

/// Merges runs until each is longer than the next two together.
fn collapse(runs: &mut Vec<Vec<u32>>, choose: &mut impl Choose) {
    loop {
        let uneven = match runs.as_slice() {
            [.., a, b, c] => a.len() <= b.len() + c.len() || b.len() <= c.len(),
            [b, c] => b.len() <= c.len(),
            _ => false,
        };
        if !uneven {
            return;
        }
        if let (Some(right), Some(left)) = (runs.pop(), runs.pop()) {
            runs.push(merged(&left, &right, choose));
        }
    }
}
