//! A log behind a URL, and servers that misbehave.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fairdeal::log::VerifierKey;
use fairdeal_audit::AuditVerdict;
use fairdeal_audit::source::{
    AuditOptions, Files as _, Http, HttpLimits, LogSource, ReadError, Wanted,
};

use crate::server::{Server, drip, folder, log, raw, send};

/// Fast enough for a test, slow enough for a busy machine.
fn limits() -> HttpLimits {
    HttpLimits { backoff: Duration::from_millis(1), ..HttpLimits::default() }
}

/// Limits with one of the three timeouts short.
const SHORT: Duration = Duration::from_millis(150);

fn http(server: &Server) -> Http {
    Http::new(server.url(), limits()).expect("a URL")
}

fn read(server: &Server) -> Result<Vec<u8>, ReadError> {
    http(server).read("checkpoint", 1000)
}

/// Why a file could not be read, without an answer of the log.
fn unreadable(read: Result<Vec<u8>, ReadError>) -> String {
    match read {
        Err(ReadError::Unreadable(says)) => says,
        other => panic!("expected it to be unreadable: {other:?}"),
    }
}

fn server(answer: fn(&str, &mut TcpStream) -> bool) -> Server {
    Server::new(answer)
}

fn audit(files: Http, key: &VerifierKey) -> AuditVerdict {
    let options = AuditOptions::under(key);
    LogSource::open(Box::new(files))
        .expect("a log")
        .audit(&options, |_, _| {})
        .expect("judged")
        .verdict
}

#[test]
fn a_log_is_the_same_behind_a_url_with_a_path_and_with_a_slash() {
    let (log, dir) = (log(300), tempfile::tempdir().expect("a folder"));
    log.publish(&dir.path().join("some/where"));
    let server = Server::new(folder(dir.path()));
    for path in ["/some/where", "/some/where/"] {
        let files = Http::new(&format!("{}{path}", server.url()), limits()).expect("a URL");
        assert_eq!(files.name(), format!("{}/some/where", server.url()));
        let verdict = audit(files, log.key());
        assert!(verdict.holds, "{:?}", verdict.findings);
        assert_eq!(verdict.size, 301);
    }
}

#[test]
fn a_connection_is_used_again() {
    let server = server(|_, stream| send(stream, "200 OK", "", b"x"));
    let files = http(&server);
    for _ in 0..5 {
        assert_eq!(files.read("checkpoint", 10), Ok(b"x".to_vec()));
    }
    assert_eq!((server.requests().len(), server.connections()), (5, 1));
}

#[test]
fn it_says_who_reads_and_that_it_takes_the_bytes_as_they_are() {
    // The server of the other tests ignores the request's head; this one answers once, with that
    // head.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/log", listener.local_addr().expect("an address"));
    let echo = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a reader");
        let mut head = vec![0; 4096];
        let read = std::io::Read::read(&mut stream, &mut head).expect("a request");
        send(&mut stream, "200 OK", "", &head[..read]);
    });
    let head =
        Http::new(&url, limits()).expect("a URL").read("tile/0/000", 8192).expect("an answer");
    echo.join().expect("it answered");
    let head = String::from_utf8(head).expect("text").to_lowercase();
    assert!(head.starts_with("get /log/tile/0/000 http/1.1\r\n"), "{head}");
    assert!(
        head.contains(&format!("\r\nuser-agent: fairdeal/{}\r\n", env!("CARGO_PKG_VERSION"))),
        "{head}"
    );
    assert!(head.contains("\r\naccept-encoding: identity\r\n"), "{head}");
}

#[test]
fn what_is_not_there_is_missing_and_what_is_refused_is_unreadable() {
    for (status, tries) in
        [("404 Not Found", 1), ("410 Gone", 1), ("403 Forbidden", 1), ("418 I'm a teapot", 1)]
    {
        let server = Server::new(move |_, stream| send(stream, status, "", b"no"));
        let read = read(&server);
        if status.starts_with("403") || status.starts_with("418") {
            let says = unreadable(read);
            assert!(says.contains(&status[..3]), "{says}");
        } else {
            assert_eq!(read, Err(ReadError::Missing));
        }
        assert_eq!(server.requests().len(), tries, "{status}");
    }
    let empty = server(|_, stream| raw(stream, b"HTTP/1.1 204 No Content\r\n\r\n"));
    assert!(unreadable(read(&empty)).contains("204"));
    let part = server(|_, stream| send(stream, "206 Partial Content", "", b"x"));
    assert!(unreadable(read(&part)).contains("206"));
}

#[test]
fn a_busy_server_is_asked_again_but_not_for_ever() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let busy_twice = server(|_, stream| match ASKED.fetch_add(1, Ordering::SeqCst) {
        0 => send(stream, "503 Service Unavailable", "", b""),
        1 => send(stream, "429 Too Many Requests", "Retry-After: 0\r\n", b""),
        _ => send(stream, "200 OK", "", b"x"),
    });
    assert_eq!(read(&busy_twice), Ok(b"x".to_vec()));
    let always = server(|_, stream| send(stream, "500 Internal Server Error", "", b""));
    let says = unreadable(read(&always));
    assert!(says.contains("500 Internal Server Error") && says.contains("tried 4 times"), "{says}");
    assert_eq!(always.requests().len(), 4);
    let for_an_hour =
        server(|_, stream| send(stream, "503 Service Unavailable", "Retry-After: 3600\r\n", b""));
    let says = unreadable(read(&for_an_hour));
    assert!(says.contains("3600 seconds"), "{says}");
    assert_eq!(for_an_hour.requests().len(), 1);
}

#[test]
fn a_connection_that_breaks_is_tried_again() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let broken = server(|_, stream| match ASKED.fetch_add(1, Ordering::SeqCst) {
        0 => false,
        1 => raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"),
        2 => raw(stream, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha"),
        _ => send(stream, "200 OK", "", b"x"),
    });
    assert_eq!(read(&broken), Ok(b"x".to_vec()));
    assert_eq!(broken.requests().len(), 4);
    let always =
        server(|_, stream| raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
    assert!(unreadable(read(&always)).contains("tried 4 times"));
    let nobody = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|gone| gone.local_addr())
        .expect("a port");
    let files = Http::new(&format!("http://{nobody}"), limits()).expect("a URL");
    let says = unreadable(files.read("checkpoint", 10));
    assert!(says.contains("refused") && says.contains("tried 4 times"), "{says}");
}

#[test]
fn a_body_is_read_as_far_as_it_may_go() {
    let exact = server(|_, stream| send(stream, "200 OK", "", &[b'x'; 1000]));
    assert_eq!(read(&exact).map(|bytes| bytes.len()), Ok(1000));
    let too_long = Err(ReadError::TooLong { at_most: 1000 });
    let longer = server(|_, stream| send(stream, "200 OK", "", &[b'x'; 1001]));
    assert_eq!(read(&longer), too_long);
    // Refused by its length: no byte of it is sent.
    let boast = server(|_, stream| {
        raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\n")
    });
    assert_eq!(read(&boast), too_long);
    let endless = server(|_, stream| {
        let chunk = [b"3e8\r\n".as_slice(), &[b'x'; 1000], b"\r\n"].concat();
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        while stream.write_all(&chunk).is_ok() {}
        false
    });
    assert_eq!(read(&endless), too_long);
    let until_it_closes = server(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while stream.write_all(&[b'x'; 1000]).is_ok() {}
        false
    });
    assert_eq!(read(&until_it_closes), too_long);
    // A length that is too short: these bytes are the file, and its format decides whether it is
    // complete.
    let short =
        server(|_, stream| raw(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nlonger"));
    assert_eq!(read(&short), Ok(b"lo".to_vec()));
}

#[test]
fn a_stall_ends_and_is_named() {
    let impatient = |server: &Server, change: fn(&mut HttpLimits)| {
        let mut limits = HttpLimits { tries: 1, ..limits() };
        change(&mut limits);
        unreadable(Http::new(server.url(), limits).expect("a URL").read("checkpoint", 1000))
    };
    let silent = server(|_, stream| {
        // Until the reader disconnects.
        let _ = std::io::Read::read(stream, &mut [0]);
        false
    });
    let says = impatient(&silent, |limits| limits.answer = SHORT);
    assert!(says.contains("timeout: expected an answer within 150 ms"), "{says}");
    let slow_head = server(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nX-Slow: ");
        drip(stream)
    });
    let says = impatient(&slow_head, |limits| limits.answer = SHORT);
    assert!(says.contains("timeout: expected an answer within 150 ms"), "{says}");
    let slow_body = server(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
        drip(stream)
    });
    let says = impatient(&slow_body, |limits| limits.file = SHORT);
    assert!(says.contains("timeout: expected the whole file within 150 ms"), "{says}");
}

#[test]
fn a_file_that_drips_has_one_deadline_whatever_it_drips_and_is_not_asked_for_again() {
    static HEADS: [&str; 5] = [
        "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-Slow: ",
        // Each answer takes three quarters of the deadline.
        "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n",
    ];
    let deadline = SHORT * 4;
    for head in HEADS {
        let is_redirect = head.contains("Location");
        let server = Server::new(move |_, stream| {
            if is_redirect {
                std::thread::sleep(deadline * 3 / 4);
            }
            let sent = stream.write_all(head.as_bytes()).is_ok();
            if is_redirect { sent } else { drip(stream) }
        });
        let limits = HttpLimits { file: deadline, ..limits() };
        let read = Http::new(server.url(), limits).expect("a URL").read("checkpoint", 100_000);
        let says = unreadable(read);
        assert!(says.ends_with("timeout: expected the whole file within 600 ms"), "{head}: {says}");
        // On a busy machine the first answer alone may take too long, and the server may read the
        // request after the reader has given up.
        for _ in 0..100 {
            if server.requests().is_empty() {
                std::thread::sleep(deadline / 6);
            }
        }
        let asked = server.requests().len();
        assert!((1..=if is_redirect { 2 } else { 1 }).contains(&asked), "{head}: {asked} requests");
    }
}

#[test]
fn what_is_no_http_or_another_coding_or_a_web_page_is_not_the_log_speaking() {
    for (answer, expected) in [
        ("SSH-2.0-OpenSSH_9.9\r\n\r\n", "HTTP"),
        ("HTTP/1.1 OK 200\r\n\r\n", "HTTP"),
        ("HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\nx", "HTTP"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP"),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx", "gzip"),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: text/HTML; charset=utf-8\r\nContent-Length: 1\r\n\r\nx",
            "web page",
        ),
        ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "does not say where to"),
    ] {
        let server = Server::new(move |_, stream| raw(stream, answer.as_bytes()));
        let says = unreadable(read(&server));
        assert!(says.contains(expected), "{answer:?}: {says}");
    }
    let large_head = server(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        while stream.write_all(b"X-More: and more\r\n").is_ok() {}
        false
    });
    assert!(unreadable(read(&large_head)).contains("HTTP"));
}

#[test]
fn a_page_without_a_type_in_the_place_of_the_checkpoint_is_unreadable() {
    let server =
        server(|_, stream| send(stream, "200 OK", "", b"<!doctype html><title>Welcome</title>"));
    let opened = LogSource::open(Box::new(http(&server)));
    let says = opened.expect_err("a page").to_string();
    assert!(says.contains("expected a signed note, found \"<!doctype html>"), "{says}");
}

#[test]
fn a_redirect_is_followed_at_home_and_nowhere_else() {
    let moved = |to: String| {
        Server::new(move |path, stream| match path {
            "/new" => send(stream, "200 OK", "", b"x"),
            _ => send(stream, "302 Found", &format!("Location: {to}\r\n"), b""),
        })
    };
    assert_eq!(read(&moved("/new".to_owned())), Ok(b"x".to_vec()));
    let other = server(|_, stream| send(stream, "200 OK", "", b"not the log"));
    let elsewhere = moved(format!("{}/new", other.url()));
    let says = unreadable(read(&elsewhere));
    assert!(says.contains(other.url()) && says.contains("another origin"), "{says}");
    assert_eq!((elsewhere.requests().len(), other.requests().len()), (1, 0));
    let in_a_circle = moved("/old".to_owned());
    let says = unreadable(read(&in_a_circle));
    assert!(says.contains("at most 3 redirects"), "{says}");
    assert_eq!(in_a_circle.requests().len(), 4);
}

fn tiles(count: usize) -> Vec<Wanted> {
    (0..count).map(|n| Wanted { path: format!("tile/0/{n:03}"), at_most: 100 }).collect()
}

#[test]
fn files_come_in_the_order_asked_for_over_so_many_connections_and_no_more() {
    let slow = server(|path, stream| {
        std::thread::sleep(Duration::from_millis(10));
        send(stream, "200 OK", "", path.as_bytes())
    });
    let files = Http::new(slow.url(), HttpLimits { connections: 3, ..limits() }).expect("a URL");
    let (here, there) = std::thread::scope(|scope| {
        let there = scope.spawn(|| files.read_all(&tiles(12)));
        (files.read_all(&tiles(12)), there.join().expect("read"))
    });
    let expected: Vec<_> =
        tiles(12).into_iter().map(|one| Ok(format!("/{}", one.path).into_bytes())).collect();
    assert_eq!(here, expected);
    assert_eq!(there, expected);
    assert!((2..=3).contains(&slow.most_at_once()), "{}", slow.most_at_once());
}

#[test]
fn after_a_file_that_nobody_can_read_the_others_are_not_asked_for() {
    let server = server(|path, stream| match path {
        "/tile/0/001" => send(stream, "403 Forbidden", "", b""),
        "/tile/0/000" => send(stream, "404 Not Found", "", b""),
        _ => send(stream, "200 OK", "", b"x"),
    });
    let alone = Http::new(server.url(), HttpLimits { connections: 1, ..limits() }).expect("a URL");
    let read = alone.read_all(&tiles(5));
    assert_eq!(read.len(), 5);
    assert_eq!(read[0], Err(ReadError::Missing));
    assert!(unreadable(read[1].clone()).contains("403"));
    assert!(unreadable(read[4].clone()).contains("not requested"));
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_log_that_grows_while_it_is_read_is_judged_as_it_was() {
    let (small, large) = (log(260), log(520));
    let dir = tempfile::tempdir().expect("a folder");
    small.publish(dir.path());
    let server = Server::new(folder(dir.path()));
    let mut source = LogSource::open(Box::new(http(&server))).expect("a log");
    large.publish(dir.path());
    // Partial tiles that have become full are gone.
    for partial in ["tile/0/001.p", "tile/entries/001.p"] {
        std::fs::remove_dir_all(dir.path().join(partial)).expect("removable");
    }
    let options = AuditOptions::under(small.key());
    let verdict = source.audit(&options, |_, _| {}).expect("judged").verdict;
    assert!(verdict.holds, "{:?}", verdict.findings);
    assert_eq!(verdict.size, 261);
    assert_eq!(audit(http(&server), small.key()).size, 521);
}
