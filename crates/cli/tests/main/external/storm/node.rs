//! Nodes as processes of their own, which are killed, stopped and started again behind an address
//! that stays.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::wire::Wire;

/// How long a stop may take (spec/http.md).
const STOP: Duration = Duration::from_secs(20);

/// A process that ends with this value.
pub(super) struct Process(Child);

impl Process {
    /// Starts it. Returns its first lines too: so many.
    pub(super) fn start(command: &mut Command, lines: usize) -> Option<(Self, Vec<String>)> {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
        let mut process = Self(child);
        let said = BufReader::new(process.0.stdout.take().unwrap());
        let said: Vec<String> = said.lines().take(lines).map_while(Result::ok).collect();
        (said.len() == lines).then_some((process, said))
    }

    /// Says something to it.
    pub(super) fn tell(&mut self, line: &str) {
        use std::io::Write as _;
        writeln!(self.0.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    pub(super) fn signal(&self, name: &str) {
        signal(self.0.id(), name);
    }

    /// Ends it with SIGTERM. Returns how long that took.
    pub(super) fn stop(mut self) -> Duration {
        let start = now();
        self.signal("-TERM");
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                assert_eq!(status.code(), Some(0), "it ends well");
                return start.elapsed();
            }
            assert!(start.elapsed() < STOP + Duration::from_secs(10), "it does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _code = self.0.wait();
    }
}

/// Sends a signal to a process of this test.
pub(super) fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

#[expect(clippy::disallowed_methods, reason = "how long something outside took")]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// The program, with the variables that name a ledger's parts.
pub(super) fn fairdeal(variables: &[(String, String)]) -> Command {
    within(env!("CARGO_BIN_EXE_fairdeal"), variables)
}

/// A command that knows of no other ledger.
pub(super) fn within(program: &str, variables: &[(String, String)]) -> Command {
    let mut command = Command::new(program);
    for inherited in ["FAIRDEAL_LEDGER", "FAIRDEAL_STATE", "FAIRDEAL_TILES"] {
        command.env_remove(inherited);
    }
    command.envs(variables.iter().cloned()).env("NO_COLOR", "1");
    command
}

/// Runs it, and returns what it prints.
pub(super) fn run(variables: &[(String, String)], words: &[&str]) -> String {
    let output = fairdeal(variables).args(words).output().expect("starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{words:?}: {}{error}",
        String::from_utf8_lossy(&output.stdout)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// A node of the ledger, running or not. Clients reach it at the wire's address.
pub(super) struct Node {
    dir: PathBuf,
    variables: Vec<(String, String)>,
    /// Its own words of the command line.
    pub(super) options: Vec<&'static str>,
    pub(super) wire: Wire,
    pub(super) log: PathBuf,
    process: Option<Process>,
    pub(super) kills: u32,
    pub(super) stops: Vec<Duration>,
}

impl Node {
    pub(super) fn new(dir: &Path, variables: Vec<(String, String)>) -> Self {
        let (wire, log) = (Wire::new(), dir.with_extension("log"));
        let (dir, process, kills, stops) = (dir.to_owned(), None, 0, Vec::new());
        Self { dir, variables, options: Vec::new(), wire, log, process, kills, stops }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.wire.address)
    }

    /// Starts it; tries again where what it needs is not there yet.
    pub(super) fn start(&mut self) {
        let start = now();
        while !self.start_with(&[]) {
            assert!(
                start.elapsed() < Duration::from_mins(1),
                "{}",
                std::fs::read_to_string(&self.log).unwrap()
            );
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    /// Starts it with these variables too, as its first process or after the last one. Returns
    /// whether it listens: what it needs may not be there yet, and a fault may end it before.
    pub(super) fn start_with(&mut self, variables: &[(&str, &str)]) -> bool {
        let log = File::options().append(true).create(true).open(&self.log).unwrap();
        let mut serve = fairdeal(&self.variables);
        serve.arg("serve").arg(&self.dir).args(["--listen", "127.0.0.1:0", "--log-format", "json"]);
        let max_lag = format!("{}s", super::MAX_LAG.as_secs());
        serve.args(["--publish-wait", "3s", "--max-lag", &max_lag]).args(&self.options);
        serve.envs(variables.iter().copied()).stderr(log);
        let Some((process, said)) = Process::start(&mut serve, 1) else { return false };
        let address: SocketAddr =
            said[0].strip_prefix("listening on http://").unwrap().parse().unwrap();
        self.wire.lead_to(Some(address));
        self.process = Some(process);
        true
    }

    /// Whether something has ended its process.
    pub(super) fn has_died(&mut self) -> bool {
        self.process.as_mut().is_none_or(|process| process.0.try_wait().unwrap().is_some())
    }

    /// Kills it amid its work.
    pub(super) fn kill(&mut self) {
        self.kills += 1;
        drop(self.process.take());
        self.wire.lead_to(None);
    }

    /// Ends it as an operator does.
    pub(super) fn stop(&mut self) {
        let took = self.process.take().expect("it runs").stop();
        self.wire.lead_to(None);
        assert!(took < STOP, "a stop took {took:?}");
        self.stops.push(took);
    }
}
