//! What needs Go, Python, Node, strace, Chromium: turned on by ./check, where a missing tool is a failure.

#[path = "support/agree.rs"]
#[allow(unreachable_pub, reason = "shared with a program for maintainers")]
mod agree;
#[path = "support/answers.rs"]
#[allow(unreachable_pub, reason = "shared with a program for maintainers")]
mod answers;
#[path = "support/dice.rs"]
#[allow(unreachable_pub, reason = "shared by the tests")]
mod dice;
#[path = "suite/external_agree.rs"]
mod external_agree;
#[path = "suite/external_dialects.rs"]
mod external_dialects;
#[path = "suite/external_go.rs"]
mod external_go;
#[path = "suite/external_ledger.rs"]
mod external_ledger;
#[path = "suite/external_logs.rs"]
mod external_logs;
#[path = "suite/external_million.rs"]
mod external_million;
#[path = "suite/external_page.rs"]
mod external_page;
#[path = "suite/external_python.rs"]
mod external_python;
#[path = "suite/external_readme.rs"]
mod external_readme;
#[path = "suite/ledger_support.rs"]
mod ledger_support;
#[path = "support/mutation.rs"]
#[allow(unreachable_pub, reason = "shared with a program for maintainers")]
mod mutation;
#[path = "support/pages.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "shared with the tests that need no browser, which use the rest"
)]
mod pages;
#[path = "support/paper.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the maker of the vectors, which uses the rest")]
mod paper;
#[path = "support/question.rs"]
#[allow(dead_code, unreachable_pub, reason = "shared with the maker of the logs, which uses the rest")]
mod question;
#[path = "support/random_log.rs"]
#[allow(unreachable_pub, reason = "shared by the tests")]
mod random_log;
