//! A real S3 service for the tests: moto's, which checks signatures and keeps the conditions of a
//! request. Its data is in its memory.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use fairdeal_ledger::store::Bucket;

pub(crate) fn python(program: &str) -> PathBuf {
    tools::root().join("target/python/bin").join(program)
}

/// An S3 service with the bucket `logs`, which one pair of keys may use.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    scheme: &'static str,
    pub(crate) key: String,
    pub(crate) secret: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _code = self.child.wait();
    }
}

impl Server {
    /// It takes every signature.
    pub(crate) fn start() -> Self {
        let server = Self::start_with("http", &[], None);
        ureq::put(format!("http://{}/logs", server.address)).send_empty().expect("a bucket");
        server
    }

    /// It checks signatures. Where a request has `%2F` or the like in it, it finds boto's wrong
    /// too: it decodes it first.
    pub(crate) fn strict() -> Self {
        // As many requests as `prepare` makes need no keys.
        let mut server = Self::start_with("http", &[], Some("4"));
        server.prepare();
        server
    }

    /// The system gives moto its port, and moto writes it: a port that was chosen for it could be
    /// taken by somebody else before moto listens.
    pub(crate) fn start_with(scheme: &'static str, args: &[&str], unsigned: Option<&str>) -> Self {
        let mut child = Command::new(python("moto_server"))
            .args(["-H", "127.0.0.1", "-p", "0"])
            .args(args)
            .envs(unsigned.map(|count| ("INITIAL_NO_AUTH_ACTION_COUNT", count)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("moto is needed; ./check installs it");
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let running = format!(" * Running on {scheme}://");
        let address = lines
            .by_ref()
            .find_map(|line| line.unwrap().strip_prefix(&running)?.parse().ok())
            .expect("moto says where it listens");
        // moto writes a line for each request; it would stop at a full pipe.
        std::thread::spawn(move || lines.count());
        Self {
            child,
            address,
            scheme,
            key: "some key".to_owned(),
            secret: "some secret".to_owned(),
        }
    }

    /// Makes the bucket, and a user who may do everything in it.
    fn prepare(&mut self) {
        let url = format!("http://{}/", self.address);
        ureq::put(format!("{url}logs")).send_empty().expect("a bucket");
        let policy = r#"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#;
        let actions: [&[(&str, &str)]; 3] = [
            &[("Action", "CreateUser")],
            &[("Action", "PutUserPolicy"), ("PolicyName", "all"), ("PolicyDocument", policy)],
            &[("Action", "CreateAccessKey")],
        ];
        for action in actions {
            let form =
                action.iter().chain(&[("UserName", "log"), ("Version", "2010-05-08")]).copied();
            let scope = "Credential=x/20200101/us-east-1/iam/aws4_request";
            let answer = ureq::post(&url)
                .header(
                    "Authorization",
                    format!("AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=x"),
                )
                .send_form(form)
                .expect("an answer");
            let answer = answer.into_body().read_to_string().expect("text");
            let value = |name: &str| {
                let (_, rest) = answer.split_once(&format!("<{name}>"))?;
                Some(rest.split_once('<')?.0.to_owned())
            };
            if let (Some(key), Some(secret)) = (value("AccessKeyId"), value("SecretAccessKey")) {
                (self.key, self.secret) = (key, secret);
            }
        }
        assert_ne!(self.secret, "some secret", "the service made keys");
    }

    pub(crate) fn variables(&self, at: SocketAddr) -> Vec<(String, String)> {
        let all = [
            ("AWS_ENDPOINT_URL", format!("{}://{at}", self.scheme)),
            ("AWS_ALLOW_HTTP", (self.scheme == "http").to_string()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", self.key.clone()),
            ("AWS_SECRET_ACCESS_KEY", self.secret.clone()),
        ];
        all.map(|(name, value)| (name.to_owned(), value)).into()
    }

    pub(crate) fn bucket(&self, url: &str) -> Bucket {
        Bucket::open_with(url, self.variables(self.address)).expect("opens")
    }
}
