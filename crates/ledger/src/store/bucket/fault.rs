//! An object store's errors, by what to do next.
//!
//! A message is put together from parts that hold no secret: the service answers a wrong signature
//! with the key's name, and the text that was signed.

use std::error::Error as StdError;

use object_store::Error;

use crate::store::error::{Fault, StoreError};

/// The message for a file that is not there.
pub(super) const NO_SUCH_FILE: &str = "there is no such file";

/// The paths at which a machine of Amazon's asks for its credentials.
const METADATA: [&str; 2] = ["/latest/api/token", "/latest/meta-data"];

/// The service's answer.
#[derive(Debug, Default)]
struct Answer {
    status: Option<u16>,
    /// The error's name, such as `NoSuchBucket`.
    code: Option<String>,
}

impl Answer {
    /// Finds it in the text of an error: the library has no other way to ask.
    fn of(text: &str) -> Self {
        let after = |mark: &str| text.split_once(mark).map(|(_, rest)| rest);
        let status = after("status code: ").and_then(|rest| rest.get(..3)?.parse().ok());
        let code =
            after("<Code>").and_then(|rest| rest.split_once("</Code>")).map(|(code, _)| code);
        let is_name =
            |code: &&str| code.len() <= 64 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Self { status, code: code.filter(is_name).map(str::to_owned) }
    }

    fn is(&self, names: &[&str]) -> bool {
        self.code.as_deref().is_some_and(|code| names.contains(&code))
    }
}

/// The error about the file or the bucket `what`.
pub(super) fn said(what: String, error: &Error) -> StoreError {
    let text = error.to_string();
    let answer = Answer::of(&text);
    let (fault, says) = kind(error, &text, &answer);
    let named = match (&answer.status, &answer.code) {
        (_, Some(code)) => format!("{says} ({code})"),
        (Some(status), None) => format!("{says} (status {status})"),
        (None, None) => says,
    };
    let says = if fault == Fault::Missing && !answer.is(&["NoSuchBucket"]) {
        NO_SUCH_FILE.to_owned()
    } else {
        named
    };
    StoreError::new(fault, what, says)
}

fn kind(error: &Error, text: &str, answer: &Answer) -> (Fault, String) {
    let is = |fault, says: &str| (fault, says.to_owned());
    if answer.is(&["NoSuchBucket"]) {
        return is(Fault::Missing, "there is no such bucket");
    }
    if answer.is(&["QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"])
        || answer.status == Some(507)
    {
        return is(Fault::NoSpace, "no space is left");
    }
    if METADATA.iter().any(|path| text.contains(path)) {
        let says = "no credentials: AWS_ACCESS_KEY_ID is not set, and the machine has no role";
        return is(Fault::Denied, says);
    }
    match error {
        Error::NotFound { .. } => is(Fault::Missing, NO_SUCH_FILE),
        Error::AlreadyExists { .. } | Error::Precondition { .. } | Error::NotModified { .. } => {
            is(Fault::Raced, "another writer was first")
        }
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            is(Fault::Denied, "not allowed")
        }
        Error::InvalidPath { .. }
        | Error::NotSupported { .. }
        | Error::NotImplemented { .. }
        | Error::UnknownConfigurationKey { .. } => (Fault::Denied, text.to_owned()),
        _ => match answer.status {
            Some(401 | 403) => is(Fault::Denied, "not allowed"),
            Some(501) => is(Fault::Denied, "the object store does not know this request"),
            Some(408 | 429 | 500..) => {
                is(Fault::Unreachable, "the object store asks to try again later")
            }
            Some(300..400) => is(Fault::Denied, "the bucket is elsewhere: is AWS_REGION right?"),
            Some(400..500) => is(Fault::Denied, "the object store refuses the request"),
            _ if text.contains("without LOCATION") => {
                is(Fault::Denied, "the bucket is elsewhere: is AWS_REGION right?")
            }
            // Every write may be repeated, so that an unknown effect is no harm.
            _ => (Fault::Unreachable, format!("no answer: {}", root(error))),
        },
    }
}

/// The first cause, which says what happened in the system's words.
fn root(error: &Error) -> String {
    let mut cause: &dyn StdError = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    // An address may hold a password.
    let text = cause.to_string();
    if text.contains("://") { "the request failed".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(text: &str) -> Error {
        Error::Generic { store: "S3", source: text.to_owned().into() }
    }

    fn status(line: &str, body: &str) -> Error {
        generic(&format!(
            "Error performing PUT https://host/b/c in 1ms - Server returned non-2xx status code: {line}: {body}"
        ))
    }

    #[test]
    fn what_may_pass_is_temporary_and_what_must_be_mended_is_not() {
        for (error, fault) in [
            (generic("connection refused"), Fault::Unreachable),
            (status("503 Service Unavailable", "<Code>SlowDown</Code>"), Fault::Unreachable),
            (status("429 Too Many Requests", ""), Fault::Unreachable),
            (status("507 Insufficient Storage", "<Code>XMinioStorageFull</Code>"), Fault::NoSpace),
            (status("400 Bad Request", "<Code>ExpiredToken</Code>"), Fault::Denied),
            (status("501 Not Implemented", "<Code>NotImplemented</Code>"), Fault::Denied),
            (status("301 Moved Permanently", ""), Fault::Denied),
            (
                generic("Error performing PUT http://169.254.169.254/latest/api/token in 1s"),
                Fault::Denied,
            ),
        ] {
            assert_eq!(said("s3://b/c".to_owned(), &error).fault, fault, "{error}");
        }
    }

    #[test]
    fn a_bucket_that_is_not_there_is_not_a_file_that_is_not_there() {
        let missing = |body: &str| {
            let source = status("404 Not Found", body).to_string().into();
            said("s3://b/c".to_owned(), &Error::NotFound { path: "c".to_owned(), source })
        };
        assert_eq!(missing("<Code>NoSuchKey</Code>").says, NO_SUCH_FILE);
        assert_eq!(
            missing("<Code>NoSuchBucket</Code>").says,
            "there is no such bucket (NoSuchBucket)"
        );
    }

    #[test]
    fn a_message_shows_neither_a_key_nor_what_was_signed() {
        let body = "<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>AKIASECRET</AWSAccessKeyId>\
                    <StringToSign>AWS4-HMAC-SHA256 SECRET</StringToSign></Error>";
        let source = status("403 Forbidden", body).to_string().into();
        let denied =
            said("s3://b/c".to_owned(), &Error::PermissionDenied { path: "c".to_owned(), source });
        assert_eq!(denied.to_string(), "s3://b/c: not allowed (SignatureDoesNotMatch)");
        let url = said("s3://b/c".to_owned(), &generic("bad url http://me:SECRET@host"));
        assert!(!url.to_string().contains("SECRET"), "{url}");
    }
}
