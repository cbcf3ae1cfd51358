//! Honest logs that are served badly: nobody is accused, and afterwards all is well.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use fairdeal_monitor::{EventKind, Monitor, Outcome};
use tools::paper::counting_seed;

use crate::server::{Server, raw, send};
use crate::{Watch, dealt, pass};

/// The fault of a request for a path; `false`: none.
type Fault = fn(&str, &mut TcpStream, &[u8]) -> Option<bool>;

const FAULTS: &[(&str, Fault)] = &[
    ("404 for the checkpoint", |path, stream, _| {
        (path == "/checkpoint").then(|| send(stream, "404 Not Found", "", b""))
    }),
    ("404 for tiles", |path, stream, _| {
        path.contains("/tile/").then(|| send(stream, "404 Not Found", "", b""))
    }),
    ("404 for bundles", |path, stream, _| {
        path.contains("/entries/").then(|| send(stream, "404 Not Found", "", b""))
    }),
    ("half of each file", |_, stream, bytes| {
        Some(send(stream, "200 OK", "", &bytes[..bytes.len() / 2]))
    }),
    ("a page", |_, stream, _| Some(send(stream, "200 OK", "Content-Type: text/html\r\n", b"<p>"))),
    ("an error", |_, stream, _| Some(send(stream, "403 Forbidden", "", b""))),
    ("no note", |path, stream, _| {
        (path == "/checkpoint").then(|| send(stream, "200 OK", "", b"Sign in"))
    }),
    ("zeros", |path, stream, bytes| {
        path.contains("/tile/").then(|| send(stream, "200 OK", "", &vec![0; bytes.len()]))
    }),
    ("nonsense", |_, stream, _| Some(raw(stream, b"SSH-2.0-\r\n"))),
];

#[derive(Default)]
struct Served {
    files: BTreeMap<String, Vec<u8>>,
    fault: Option<Fault>,
    slow: bool,
}

fn serve(served: &Arc<Mutex<Served>>) -> Server {
    let served = Arc::clone(served);
    Server::new(move |path, stream| {
        let (bytes, fault, slow) = {
            let served = served.lock().unwrap();
            let bytes = served.files.get(path.trim_start_matches('/')).cloned();
            (bytes, served.fault, served.slow)
        };
        if slow {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let faulty =
            fault.and_then(|fault| fault(path, stream, &bytes.clone().unwrap_or_default()));
        faulty.unwrap_or_else(|| match bytes {
            Some(bytes) => send(stream, "200 OK", "", &bytes),
            None => send(stream, "404 Not Found", "", b""),
        })
    })
}

#[test]
fn an_honest_log_that_is_served_badly_accuses_nobody_and_the_warning_ends() {
    let served = Arc::new(Mutex::new(Served::default()));
    let host = serve(&served);
    let monitor = Watch::new(Some(host.url()));
    let mut rounds = 300;
    for (name, fault) in FAULTS {
        let log = dealt(&[("lucky", rounds)]);
        *served.lock().unwrap() = Served { files: log.files(), ..Served::default() };
        monitor.finds_nothing();
        // The log grows, and is served badly.
        rounds += 30;
        let log = dealt(&[("lucky", rounds)]);
        *served.lock().unwrap() =
            Served { files: log.files(), fault: Some(*fault), ..Served::default() };
        let (outcome, told) = monitor.look();
        assert_eq!(outcome, Outcome::NotJudged, "{name}: {told:?}");
        assert_eq!((told.len(), told[0].event), (1, EventKind::Warning), "{name}: {told:?}");
        assert_eq!(told[0].accuses, None, "{name}");
        assert!(matches!(told[0].code, "unreachable" | "damaged"), "{name}: {told:?}");
        let code = told[0].code;
        assert_eq!(monitor.look(), (Outcome::NotJudged, Vec::new()), "{name}: it is told once");
        served.lock().unwrap().fault = None;
        let over = monitor.tells(Outcome::Holds);
        assert_eq!((over.event, over.code), (EventKind::Over, code), "{name}");
    }
}

#[test]
fn a_short_fault_is_no_warning_where_patience_is_asked_for() {
    let mut monitor = Watch::new(None);
    monitor.options.patience = 100_000;
    monitor.serve(&dealt(&[("lucky", 3)]));
    monitor.finds_nothing();
    fs::remove_file(monitor.path("log").join("checkpoint")).unwrap();
    assert_eq!(monitor.look(), (Outcome::NotJudged, Vec::new()));
    pass(99_999);
    assert_eq!(monitor.look(), (Outcome::NotJudged, Vec::new()));
    pass(1);
    assert_eq!(monitor.tells(Outcome::NotJudged).code, "unreachable");
    monitor.serve(&dealt(&[("lucky", 3)]));
    assert_eq!(monitor.tells(Outcome::Holds).event, EventKind::Over);
}

/// A cache in front of the tiles has them as they were, and the checkpoint is new; or the other way
/// round. A proxy is slow.
#[test]
fn an_older_cache_and_a_slow_proxy_accuse_nobody() {
    let served = Arc::new(Mutex::new(Served { slow: true, ..Served::default() }));
    let host = serve(&served);
    let monitor = Watch::new(Some(host.url()));
    let (old, new) = (dealt(&[("lucky", 290)]).files(), dealt(&[("lucky", 300)]).files());
    served.lock().unwrap().files.clone_from(&old);
    monitor.finds_nothing();
    let mut mixed = old.clone();
    mixed.insert("checkpoint".to_owned(), new["checkpoint"].clone());
    served.lock().unwrap().files = mixed;
    assert_eq!(monitor.tells(Outcome::NotJudged).accuses, None);
    served.lock().unwrap().files.clone_from(&new);
    assert_eq!(monitor.tells(Outcome::Holds).event, EventKind::Over);
    let mut mixed = new.clone();
    mixed.insert("checkpoint".to_owned(), old["checkpoint"].clone());
    served.lock().unwrap().files = mixed;
    assert_eq!(monitor.tells(Outcome::NotJudged).code, "rolled-back");
    served.lock().unwrap().files = new;
    assert_eq!(monitor.tells(Outcome::Holds).event, EventKind::Over);
    monitor.finds_nothing();
}

#[test]
fn a_log_under_another_key_is_not_judged() {
    let mut other = tools::paper::PaperLog::new("cards.example/log", 8);
    other.commit(&counting_seed(0), |_| {});
    let monitor = Watch::new(None);
    monitor.serve(&other);
    let told = monitor.tells(Outcome::NotJudged);
    assert_eq!((told.code, told.accuses), ("bad-signature", None));
}

#[test]
fn a_damaged_state_is_an_error_and_is_not_replaced() {
    let monitor = Watch::new(None);
    monitor.serve(&dealt(&[("lucky", 3)]));
    monitor.finds_nothing();
    let folder = fs::read_dir(&monitor.options.state).unwrap().map(|one| one.unwrap().path());
    let state = folder.map(|path| path.join("state")).find(|path| path.exists()).unwrap();
    let text = fs::read_to_string(&state).unwrap();
    let logs = [monitor.log.clone()];
    for damaged in ["", "{}\n", &text[..text.find('\n').unwrap() / 2], &text.replace("/v1", "/v9")]
    {
        fs::write(&state, damaged).unwrap();
        let error = Monitor::open(&logs, &monitor.options, None).expect_err("it is damaged");
        assert!(error.to_string().contains("expected a monitor's state"), "{error}");
        assert_eq!(fs::read_to_string(&state).unwrap(), damaged);
    }
    fs::write(&state, text).unwrap();
    monitor.finds_nothing();
    let first = Monitor::open(&logs, &monitor.options, None).unwrap();
    let second = Monitor::open(&logs, &monitor.options, None).expect_err("it is in use");
    assert!(second.to_string().contains("another monitor"), "{second}");
    drop(first);
}
