//! A vault key that is kept elsewhere: in a key management service, say. A command prints it.

use std::fmt;
use std::io::{self, Read as _};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use zeroize::Zeroizing;

use crate::error::LedgerError;
use crate::setup::keys::Vault;

/// The most bytes that it may print: a key has 64 and a line's end.
const LONGEST: usize = 256;

/// The pause before it is asked again whether it has ended, once it has printed all.
const ASK: Duration = Duration::from_millis(5);

/// A command that prints the vault key on stdout: 64 hex digits. `sh -c` runs it, because the
/// client of a key service rarely prints hex by itself: `aws kms decrypt … | base64 -d`. It gets no
/// input, and its stderr is ours. Never printed: the key may stand in it.
#[derive(Clone, PartialEq, Eq)]
pub struct VaultKeyCommand(String);

impl VaultKeyCommand {
    /// The time that the command has to print the key, and then to end.
    pub const LIMIT: Duration = Duration::from_secs(10);

    /// A command line for `sh`.
    pub fn new(line: impl Into<String>) -> Self {
        Self(line.into())
    }

    /// Runs it. What it printed is in no error.
    pub(crate) fn key(&self) -> Result<Vault, LedgerError> {
        let text = self.output().map_err(LedgerError::VaultKey)?;
        let text = std::str::from_utf8(&text)
            .map_err(|_| LedgerError::VaultKey("printed bytes that are no text".to_owned()))?;
        Vault::parse(text).map_err(|says| LedgerError::VaultKey(format!("printed no key: {says}")))
    }

    fn output(&self) -> Result<Zeroizing<Vec<u8>>, String> {
        let failed = |error: io::Error| format!("could not be run: {error}");
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(&self.0).stdin(Stdio::null()).stdout(Stdio::piped());
        // A process group, so that all commands of a pipe are ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
        let ended = match child.stdout.take() {
            Some(stdout) => wait(&mut child, stdout),
            None => Err("has no output".to_owned()),
        };
        let (text, status) = ended.inspect_err(|_| end(&mut child))?;
        if status.success() { Ok(text) } else { Err(format!("failed: {status}")) }
    }
}

impl fmt::Debug for VaultKeyCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VaultKeyCommand(…)")
    }
}

type Ended = (Zeroizing<Vec<u8>>, ExitStatus);

/// Waits for all that the command prints, and for its end.
fn wait(child: &mut Child, stdout: ChildStdout) -> Result<Ended, String> {
    let late = || format!("took more than {} s, and was ended", VaultKeyCommand::LIMIT.as_secs());
    let (send, printed) = mpsc::channel();
    // A blocking read has no timeout: it runs in a separate thread.
    thread::spawn(move || drop(send.send(read(stdout))));
    let text = printed.recv_timeout(VaultKeyCommand::LIMIT).map_err(|_| late())?;
    let text = text.map_err(|error| format!("could not be read: {error}"))?;
    if text.len() > LONGEST {
        return Err(format!("printed more than {LONGEST} bytes"));
    }
    let mut waited = Duration::ZERO;
    while waited < VaultKeyCommand::LIMIT {
        if let Some(status) =
            child.try_wait().map_err(|error| format!("could not be waited for: {error}"))?
        {
            return Ok((text, status));
        }
        thread::sleep(ASK);
        waited += ASK;
    }
    Err(late())
}

/// Reads to the end, or one byte too many.
fn read(mut stdout: ChildStdout) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0; LONGEST + 1]);
    let mut length = 0;
    while length < bytes.len() {
        match stdout.read(&mut bytes[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// Ends the command, and all that it has started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(None) = child.try_wait() {
        let group = rustix::process::Pid::from_child(child);
        let _gone = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    // It may have ended by itself.
    drop(child.kill());
    drop(child.wait());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(line: &str) -> String {
        match VaultKeyCommand::new(line).key() {
            Ok(_) => panic!("{line}: expected an error"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_command_s_key_is_that_of_the_same_text_in_a_file() {
        let text = "1f".repeat(32);
        let found = VaultKeyCommand::new(format!("printf %s {text} | cat; echo")).key().unwrap();
        assert_eq!(found.to_secret_text().as_str(), text);
    }

    #[test]
    fn what_a_command_prints_or_is_stands_in_no_error() {
        let secret = "5ec12e75".repeat(7);
        for line in [
            format!("echo {secret}"),
            format!("echo {secret}; exit 7"),
            format!("echo {secret}{secret}"),
        ] {
            assert!(!says(&line).contains("5ec12e75"), "{}", says(&line));
            assert!(!format!("{:?}", VaultKeyCommand::new(&line)).contains("5ec12e75"));
        }
    }

    #[test]
    fn a_command_that_fails_is_told_with_its_exit_status() {
        assert!(says("exit 7").contains("exit status: 7"), "{}", says("exit 7"));
        assert!(says("kill -9 $$").contains("signal: 9"), "{}", says("kill -9 $$"));
        assert!(says("true").contains("found 0 characters"));
        assert!(says("printf '\\377'").contains("no text"), "{}", says("printf '\\377'"));
    }

    #[test]
    fn a_command_that_prints_without_end_is_ended() {
        assert!(says("yes").contains("more than 256 bytes"));
    }

    #[test]
    fn a_command_that_takes_too_long_is_ended_with_all_that_it_started() {
        let mark = format!("{}.5", 40_000 + std::process::id());
        assert!(says(&format!("sleep {mark} | cat")).contains("more than 10 s"));
        let runs = || {
            let running = Command::new("ps").arg("-eo").arg("args").output().expect("ps runs");
            String::from_utf8_lossy(&running.stdout).contains(&format!("sleep {mark}"))
        };
        // What was killed can be listed for a moment.
        assert!((0..100).any(|_| {
            thread::sleep(Duration::from_millis(50));
            !runs()
        }));
    }
}
