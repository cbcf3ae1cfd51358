//! One connection to a service, which is made anew when it breaks.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, header};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::Url;

/// How long an answer may take, or a connection.
pub const ANSWER: Duration = Duration::from_secs(30);

/// A URL is no address of a service.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected http://HOST or https://HOST, found {found:?}: {says}")]
pub struct TargetError {
    found: String,
    says: String,
}

/// A service's address.
pub(super) struct Target {
    host: String,
    port: u16,
    /// As it stands in the header `Host`.
    authority: String,
    /// The path before `/v1`.
    base: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

/// A request got no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    #[error("{0}")]
    Socket(#[from] std::io::Error),
    #[error("{0}")]
    Http(#[from] hyper::Error),
    #[error("no answer within {} seconds", ANSWER.as_secs())]
    Late,
    #[error("{0}")]
    Request(#[from] hyper::http::Error),
}

impl Target {
    pub(super) fn parse(url: &str) -> Result<Self, TargetError> {
        let wrong =
            |says: &dyn ToString| TargetError { found: url.to_owned(), says: says.to_string() };
        let parsed = Url::parse(url).map_err(|error| wrong(&error))?;
        let host = parsed.host_str().ok_or_else(|| wrong(&"it names no host"))?.to_owned();
        let port = parsed.port_or_known_default().ok_or_else(|| wrong(&"it names no port"))?;
        let tls = match parsed.scheme() {
            "http" => None,
            "https" => {
                let mut roots = RootCertStore::empty();
                roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
                let config =
                    ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
                let name = ServerName::try_from(host.clone()).map_err(|error| wrong(&error))?;
                Some((TlsConnector::from(Arc::new(config)), name))
            }
            other => return Err(wrong(&format!("{other} is another protocol"))),
        };
        let authority = parsed.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"));
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self {
            host,
            port,
            authority,
            base: parsed.path().trim_end_matches('/').to_owned(),
            tls,
        })
    }
}

/// A connection.
pub(super) struct Connection {
    target: Arc<Target>,
    sender: Option<SendRequest<Full<Bytes>>>,
}

impl Connection {
    pub(super) async fn open(target: Arc<Target>) -> Result<Self, Broken> {
        let connected = tokio::time::timeout(ANSWER, connect(&target)).await;
        let sender = Some(connected.unwrap_or(Err(Broken::Late))?);
        Ok(Self { target, sender })
    }

    /// Sends a POST, on a new connection if the old one is gone. Returns the status and the body.
    pub(super) async fn post(
        &mut self,
        path: &str,
        token: &str,
        key: &str,
        body: String,
    ) -> Result<(u16, Bytes), Broken> {
        let sent = tokio::time::timeout(ANSWER, self.exchange(path, token, key, body)).await;
        let answered = sent.unwrap_or(Err(Broken::Late));
        if answered.is_err() {
            self.sender = None;
        }
        answered
    }

    async fn exchange(
        &mut self,
        path: &str,
        token: &str,
        key: &str,
        body: String,
    ) -> Result<(u16, Bytes), Broken> {
        let request = Request::post(format!("{}{path}", self.target.base))
            .header(header::HOST, &self.target.authority)
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", key)
            .body(Full::new(Bytes::from(body)))?;
        let mut sender = match self.sender.take().filter(|sender| !sender.is_closed()) {
            Some(sender) => sender,
            None => connect(&self.target).await?,
        };
        sender.ready().await?;
        let answer = sender.send_request(request).await?;
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await?.to_bytes();
        self.sender = Some(sender);
        Ok((status, body))
    }
}

async fn connect(target: &Target) -> Result<SendRequest<Full<Bytes>>, Broken> {
    let stream = TcpStream::connect((target.host.as_str(), target.port)).await?;
    stream.set_nodelay(true)?;
    match &target.tls {
        None => handshake(stream).await,
        Some((connector, name)) => handshake(connector.connect(name.clone(), stream).await?).await,
    }
}

async fn handshake(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
) -> Result<SendRequest<Full<Bytes>>, Broken> {
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // It ends with the sender; what broke it, the next request says.
    tokio::spawn(async move { drop(connection.await) });
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_has_a_host_a_port_and_perhaps_a_path() {
        let target = Target::parse("http://localhost:8080/cards/").ok().unwrap();
        assert_eq!(
            (target.host.as_str(), target.port, target.base.as_str()),
            ("localhost", 8080, "/cards")
        );
        assert_eq!(target.authority, "localhost:8080");
        let six = Target::parse("http://[::1]:80").ok().unwrap();
        assert_eq!((six.host.as_str(), six.authority.as_str()), ("::1", "[::1]"));
        for wrong in ["", "localhost:8080", "ftp://host", "http://"] {
            assert!(Target::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
