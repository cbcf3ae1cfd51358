//! The output on a terminal, that of util-linux's `script`.

use std::path::Path;
use std::process::Command;

use super::readme::fairdeal_first;

/// Runs a command line on a terminal of so many columns. Returns its exit code and its lines,
/// without colours.
fn on_terminal(columns: usize, line: &str, folder: &Path) -> (Option<i32>, Vec<String>) {
    let output = Command::new("script")
        .args([
            "--quiet",
            "--return",
            "--command",
            &format!("stty rows 40 cols {columns}; {line}"),
            "/dev/null",
        ])
        .current_dir(folder)
        .env("PATH", fairdeal_first())
        .env("NO_COLOR", "1")
        .env_remove("FAIRDEAL_LEDGER")
        .output()
        .expect("script is needed for this test");
    let said = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    (output.status.code(), said.lines().map(str::to_owned).collect())
}

#[test]
fn a_manual_page_is_not_poured_over_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let (exit, lines) = on_terminal(80, "fairdeal man verify", folder.path());
    let wanted = "error: expected a pipe or -o DIR: the pages are not for a terminal as they are";
    assert_eq!(
        (exit, lines.as_slice()),
        (Some(2), &[wanted.to_owned(), "fairdeal man verify | man -l -".to_owned()][..])
    );
    let (exit, lines) = on_terminal(80, "fairdeal man verify | head -n 1", folder.path());
    assert_eq!((exit, lines.len()), (Some(0), 1), "{lines:?}");
}

#[test]
fn a_commitment_is_never_folded_and_what_is_shown_of_it_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (exit, _) =
        on_terminal(80, "fairdeal init fairdeal-ledger --origin cards.example/log", folder.path());
    assert_eq!(exit, Some(0));
    on_terminal(
        80,
        "fairdeal commit --table a-table-with-a-rather-long-name --reveal-in 1s",
        folder.path(),
    );
    std::thread::sleep(std::time::Duration::from_secs(2));
    for columns in [60, 80, 100, 120, 150, 200] {
        let (_, lines) = on_terminal(columns, "fairdeal list", folder.path());
        assert!(lines.iter().all(|line| line.chars().count() <= columns), "{columns}: {lines:#?}");
        let digits = lines.iter().flat_map(|line| line.split_whitespace()).find(|word| {
            [12, 64].contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        let digits = digits.unwrap_or_else(|| panic!("{columns}: {lines:#?}"));
        let (exit, shown) = on_terminal(columns, &format!("fairdeal show {digits}"), folder.path());
        assert_eq!(exit, Some(0), "{columns}: {shown:#?}");
    }
}
