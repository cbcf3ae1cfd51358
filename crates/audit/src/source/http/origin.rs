//! The URL of a log, and which redirects are followed.

use ureq::http::{HeaderMap, header};
use url::{Host, Url};

/// The most redirects that are followed for a file.
pub(super) const MOST_REDIRECTS: usize = 3;

/// The most characters of an address that an error quotes.
const QUOTED: usize = 200;

/// The text is not the URL of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected http:// or https://, a host and a path, found {found}: {says}")]
pub struct UrlError {
    found: String,
    says: String,
}

/// The URL below which a log's files are; it ends with a slash.
pub(super) fn base(text: &str) -> Result<Url, UrlError> {
    let wrong = |says: &str| UrlError { found: quoted(text), says: says.to_owned() };
    let mut url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("another scheme"));
    }
    // A password in the log's name would be on every screen.
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("a user's name or password has no place in it"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("a log's files are below its path, so it has no query and no fragment"));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

/// The target of a redirect, if it may be followed.
pub(super) fn redirected(from: &Url, headers: &HeaderMap) -> Result<Url, String> {
    let to = headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
    let to = to.ok_or("expected the file, found a redirect that does not say where to")?;
    let elsewhere = || {
        let to = quoted(from.join(to).as_ref().map_or(to, Url::as_str));
        format!(
            "expected the file, found a redirect to {to}: another origin than the one that was named"
        )
    };
    let to = from.join(to).map_err(|_| elsewhere())?;
    let plain = to.username().is_empty() && to.password().is_none();
    if plain && (to.origin() == from.origin() || upgrades(from, &to)) {
        Ok(to)
    } else {
        Err(elsewhere())
    }
}

/// Whether it is the same host, now with TLS, each on the default port.
fn upgrades(from: &Url, to: &Url) -> bool {
    from.scheme() == "http"
        && to.scheme() == "https"
        && from.port().is_none()
        && to.port().is_none()
        && from.host() == to.host()
}

/// Whether the host is this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn quoted(text: &str) -> String {
    let short: String = text.chars().take(QUOTED).collect();
    format!("{short:?}{}", if short.len() < text.len() { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follows(from: &str, to: &str) -> Option<String> {
        let headers = [(header::LOCATION, to.parse().expect("a header"))].into_iter().collect();
        redirected(&Url::parse(from).expect("a URL"), &headers).ok().map(String::from)
    }

    #[test]
    fn a_base_ends_with_a_slash_and_holds_nothing_but_a_place() {
        for (text, expected) in [
            ("http://cards.example", "http://cards.example/"),
            ("https://cards.example/log", "https://cards.example/log/"),
            ("HTTPS://Cards.Example:443/log/", "https://cards.example/log/"),
            ("http://[::1]:8080", "http://[::1]:8080/"),
        ] {
            assert_eq!(base(text).map(String::from).as_deref(), Ok(expected));
        }
        for text in [
            "",
            "cards.example/log",
            "ftp://cards.example",
            "file:///etc/passwd",
            "http://",
            "http://a b/",
            "https://me@cards.example/",
            "https://me:secret@cards.example/",
            "https://cards.example/?q",
            "https://cards.example/#f",
        ] {
            assert!(base(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_redirect_stays_with_the_origin_or_adds_tls() {
        let from = "http://cards.example/log/checkpoint";
        for (to, expected) in [
            ("/other/checkpoint", "http://cards.example/other/checkpoint"),
            ("head", "http://cards.example/log/head"),
            ("https://cards.example/log/checkpoint", "https://cards.example/log/checkpoint"),
            ("http://CARDS.example:80/x", "http://cards.example/x"),
        ] {
            assert_eq!(follows(from, to).as_deref(), Some(expected));
        }
        for to in [
            "http://cards.example.evil/",
            "//evil.example/checkpoint",
            "https://cards.example:8443/",
            "http://cards.example:81/",
            "http://me@cards.example/",
            "https://www.cards.example/",
            "file:///etc/passwd",
            "http://[",
            "data:,x",
        ] {
            assert_eq!(follows(from, to), None, "{to}");
        }
        assert_eq!(follows("https://cards.example/", "http://cards.example/"), None);
        assert_eq!(
            follows("http://cards.example:80/", "https://cards.example:443/").as_deref(),
            Some("https://cards.example/")
        );
    }
}
