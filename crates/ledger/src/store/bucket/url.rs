//! The name of a bucket and of a prefix in it.

use std::fmt;
use std::str::FromStr;

use object_store::path::Path;

/// `s3://BUCKET` or `s3://BUCKET/PREFIX`. The prefix is taken as it is written: nothing in it is
/// decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketUrl {
    bucket: String,
    /// Without a slash at either end.
    prefix: String,
}

/// A text that names no bucket.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected s3://BUCKET or s3://BUCKET/PREFIX: {0}")]
pub struct BucketUrlError(String);

impl FromStr for BucketUrl {
    type Err = BucketUrlError;

    fn from_str(text: &str) -> Result<Self, BucketUrlError> {
        // Not the text itself: it may hold a password.
        let rest = text
            .strip_prefix("s3://")
            .ok_or_else(|| BucketUrlError("it does not begin with s3://".to_owned()))?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        if bucket.is_empty() || bucket.len() > 255 || !bucket.bytes().all(is_name) {
            let says =
                "a bucket's name has 1 to 255 letters, digits, dots, hyphens and underscores";
            return Err(BucketUrlError(says.to_owned()));
        }
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        if prefix.starts_with('/') {
            return Err(BucketUrlError("the prefix has an empty part".to_owned()));
        }
        Path::parse(prefix).map_err(|e| BucketUrlError(e.to_string()))?;
        Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }
}

impl BucketUrl {
    /// The bucket's name.
    #[must_use]
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// A file's whole name in the bucket.
    pub(super) fn key(&self, path: &str) -> String {
        if self.prefix.is_empty() { path.to_owned() } else { format!("{}/{path}", self.prefix) }
    }
}

impl fmt::Display for BucketUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3://{}", self.bucket)?;
        if self.prefix.is_empty() { Ok(()) } else { write!(f, "/{}", self.prefix) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_a_bucket_and_a_prefix_as_it_is_written() {
        for (text, key) in [
            ("s3://logs", "checkpoint"),
            ("s3://logs/", "checkpoint"),
            ("s3://logs/a", "a/checkpoint"),
            ("s3://logs/a/b c%20+é/", "a/b c%20+é/checkpoint"),
        ] {
            let url: BucketUrl = text.parse().expect("a bucket");
            assert_eq!((url.bucket(), url.key("checkpoint").as_str()), ("logs", key));
            assert_eq!(url.to_string(), text.strip_suffix('/').unwrap_or(text));
        }
        for text in [
            "logs",
            "https://logs/a",
            "s3://",
            "s3:///a",
            "s3://me:secret@host/a",
            "s3://logs//a",
            "s3://logs/a//b",
            "s3://logs/../a",
        ] {
            let error = text.parse::<BucketUrl>().expect_err("no bucket").to_string();
            assert!(error.starts_with("expected s3://BUCKET"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
