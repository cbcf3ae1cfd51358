//! The client of an S3 service: settings from variables, and HTTP with the TLS that the other
//! clients of this crate use.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::{HttpClient, HttpConnector};
use object_store::{BackoffConfig, ClientConfigKey, ClientOptions, Error, Result, RetryConfig};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::crypto::RustCrypto;
use super::url::BucketUrl;
use crate::store::error::{Fault, StoreError};

/// The timeout of a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// The timeout of a request: the largest bundle, 16 MiB, at a megabyte a second.
const REQUEST: Duration = Duration::from_secs(16);
/// The time in which a request is retried. After that the publisher retries.
const RETRY: Duration = Duration::from_secs(5);
const RETRIES: usize = 3;
/// The timeout of a read between bytes. It is not retried after that: the caller can.
const SILENCE: Duration = Duration::from_secs(4);
/// The time in which a read is retried.
const READ_RETRY: Duration = Duration::from_secs(3);

/// A bucket's two clients.
pub(super) struct Clients {
    /// For all but reads.
    pub(super) writer: AmazonS3,
    /// For reads: it waits less.
    pub(super) reader: AmazonS3,
}

/// Opens a bucket with the variables of `AWS_*`.
pub(super) fn open(
    url: &BucketUrl,
    variables: impl IntoIterator<Item = (String, String)>,
) -> std::result::Result<Clients, StoreError> {
    let denied = |says: String| StoreError::new(Fault::Denied, url.to_string(), says);
    let mut builder = AmazonS3Builder::new();
    let mut roots = None;
    for (name, value) in variables.into_iter().filter(|(name, _)| name.starts_with("AWS_")) {
        if name == "AWS_CA_BUNDLE" {
            roots = Some(value);
        } else if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    let allow_http =
        builder.get_config_value(&AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp));
    for key in [AmazonS3ConfigKey::Endpoint, AmazonS3ConfigKey::S3Endpoint] {
        let Some(endpoint) = builder.get_config_value(&key) else { continue };
        if endpoint.starts_with("http://") && allow_http.as_deref() != Some("true") {
            return Err(denied(
                "the endpoint begins with http://, and AWS_ALLOW_HTTP is not true".to_owned(),
            ));
        }
        if endpoint.contains('@') {
            return Err(denied("the endpoint holds a user's name or a password".to_owned()));
        }
    }
    let has = |key: AmazonS3ConfigKey| builder.get_config_value(&key).is_some();
    let [key, secret, token] = [
        AmazonS3ConfigKey::AccessKeyId,
        AmazonS3ConfigKey::SecretAccessKey,
        AmazonS3ConfigKey::Token,
    ]
    .map(has);
    if !key && (secret || token) {
        return Err(denied("AWS_ACCESS_KEY_ID is missing".to_owned()));
    }
    if key && !secret {
        return Err(denied("AWS_SECRET_ACCESS_KEY is missing".to_owned()));
    }
    let tls = tls(roots.as_deref()).map_err(denied)?;
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(100),
        max_backoff: Duration::from_secs(2),
        ..BackoffConfig::default()
    };
    let builder = builder.with_bucket_name(url.bucket()).with_crypto_provider(Arc::new(RustCrypto));
    let built = |silence, retry_timeout| {
        let retry = RetryConfig { backoff: backoff.clone(), max_retries: RETRIES, retry_timeout };
        let connector = Connector { tls: tls.clone(), silence };
        builder.clone().with_http_connector(connector).with_retry(retry).build()
    };
    let both =
        || Ok(Clients { writer: built(REQUEST, RETRY)?, reader: built(SILENCE, READ_RETRY)? });
    // The library's error has the value: it may be a secret.
    both().map_err(|_: Error| denied("an AWS_ variable has a wrong value".to_owned()))
}

/// TLS with rustls and ring. `roots` is a file of more certificates to trust, in PEM.
fn tls(roots: Option<&str>) -> std::result::Result<rustls::ClientConfig, String> {
    let mut trusted = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = roots {
        let wrong = |e: &dyn std::fmt::Display| {
            format!("AWS_CA_BUNDLE, {path}: expected certificates in PEM: {e}")
        };
        for certificate in CertificateDer::pem_file_iter(path).map_err(|e| wrong(&e))? {
            trusted.add(certificate.map_err(|e| wrong(&e))?).map_err(|e| wrong(&e))?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config =
        rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(config.map_err(|e| e.to_string())?.with_root_certificates(trusted).with_no_client_auth())
}

#[derive(Debug)]
struct Connector {
    tls: rustls::ClientConfig,
    /// The timeout between bytes of an answer.
    silence: Duration,
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> Result<HttpClient> {
        let allow_http =
            options.get_config_value(&ClientConfigKey::AllowHttp).as_deref() == Some("true");
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(self.tls.clone())
            .https_only(!allow_http)
            // A redirect would take a signed request to another host.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .timeout(REQUEST)
            .read_timeout(self.silence)
            .user_agent(concat!("fairdeal/", env!("CARGO_PKG_VERSION")))
            .build();
        let client = client.map_err(|e| Error::Generic { store: "S3", source: Box::new(e) })?;
        Ok(HttpClient::new(client))
    }
}
