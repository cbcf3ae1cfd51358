//! The page of an audit in a real browser: nothing from a hostile log runs, nothing is loaded, and
//! no column is wider than a phone.

use std::io::Read as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fairdeal_schemes::report::{PageContext, html};

use tools::pages::{self, ABOUT, HOSTILE};

/// Chromium's document of a page, after everything has been loaded and run.
fn dump(folder: &Path, page: &str) -> String {
    std::fs::write(folder.join("page.html"), page).expect("a file");
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args([
            "--disable-dev-shm-usage",
            "--disable-breakpad",
            "--dump-dom",
            "--virtual-time-budget=2000",
        ])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", folder.join("page.html").display()))
        .stderr(Stdio::null())
        .output()
        .expect("chromium is needed; ./check installs it");
    assert!(output.status.success(), "chromium ended with {}", output.status);
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn in_a_browser_nothing_of_a_hostile_log_runs_or_is_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let about = PageContext { log: HOSTILE[0], origin: HOSTILE[1], version: HOSTILE[5], ..ABOUT };
    let page = html(&pages::hostile(60), &about);
    let document = dump(folder.path(), &page);
    assert_eq!(document.matches("<h1>").count(), 1);
    assert!(document.trim_end().ends_with("</body></html>"), "the whole page is there");
    // The browser's document, serialised, is what we wrote: it repaired nothing.
    assert_eq!(document.matches('<').count(), page.matches('<').count());
}

/// Even if a page had a script or a picture, its policy would stop them. The same page without the
/// policy shows that this test would see them.
#[test]
fn the_policy_stops_what_escaping_would_have_let_through() {
    let asked = Arc::new(AtomicUsize::new(0));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let count = asked.clone();
    // It waits for requests that should not come, and ends with the process.
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            count.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 64]);
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let injected = format!(
        "<img src=\"http://127.0.0.1:{port}/\"><script>document.title = 'it ran'</script></body>"
    );
    let page = html(&pages::empty(), &ABOUT).replace("</body>", &injected);
    let document = dump(folder.path(), &page);
    assert!(!document.contains("<title>it ran"), "a script ran");
    assert_eq!(asked.load(Ordering::SeqCst), 0, "something was loaded");
    let open = page.replace("Content-Security-Policy", "x-nothing");
    assert!(dump(folder.path(), &open).contains("<title>it ran"));
    assert_ne!(asked.load(Ordering::SeqCst), 0);
}

/// Our script measures a copy without the policy in a frame, because Chromium's windows are never
/// that narrow.
#[test]
fn on_a_phone_no_page_is_wider_than_the_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let measure = "<script>const wide = [...document.querySelectorAll('body *')].filter(e => \
                   e.getBoundingClientRect().right > innerWidth && !e.parentElement.closest('.scroll, pre'));
                   parent.postMessage(innerWidth + ': ' + wide.map(e => e.tagName + '.' + e.className), '*')</script></body>";
    for verdict in [pages::at_fault(), pages::biased(200), pages::hostile(100)] {
        let page = html(&verdict, &PageContext { log: HOSTILE[1], ..ABOUT });
        let page = page.replace("Content-Security-Policy", "x-nothing").replace("</body>", measure);
        std::fs::write(folder.path().join("inner.html"), page).expect("a file");
        let frame = "<!doctype html><title></title><script>onmessage = e => document.title = e.data</script>\
                     <iframe src=inner.html width=390 height=844 style=border:0></iframe>";
        let document = dump(folder.path(), frame);
        let title = document.split("<title>").nth(1).and_then(|rest| rest.split('<').next());
        assert_eq!(title, Some("390: "));
    }
}
