//! A PostgreSQL server of the tests' own: on loopback, on a free port, in a folder of its own.
//!
//! Debian's package `postgresql` has the programs. As root they run as the user `postgres`, since
//! they refuse root.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The password of the server's only user. No error and no log of ours may have it.
pub(crate) const PASSWORD: &str = "s3cret-of-the-tests";

/// A running server. It ends with this value, and at the latest with this process: also if that is
/// killed.
#[derive(Debug)]
pub(crate) struct Server {
    dir: tempfile::TempDir,
    port: u16,
    guard: Child,
}

/// A shell script that stops the server when the process that started it ends: its input ends then.
const GUARD: &str = "dir=$1; shift; cat >/dev/null; \"$@\" stop -D \"$dir/data\" -m immediate >/dev/null 2>&1; rm -rf \"$dir\"";

fn bin(name: &str) -> PathBuf {
    let found = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let found = found
        .map(|version| version.path().join("bin").join(name))
        .filter(|path| path.exists())
        .max();
    found.unwrap_or_else(|| panic!("{name} is missing: apt-get install postgresql"))
}

/// A command as a user that PostgreSQL runs under.
fn as_postgres(program: &Path) -> Command {
    let is_root = fs::metadata("/proc/self").expect("Linux").uid() == 0;
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    command
}

fn succeeds(command: &mut Command) {
    // No pipes: the server would keep them open.
    let log = tempfile::tempfile().expect("a file");
    let both = || Stdio::from(log.try_clone().expect("a handle"));
    let status =
        command.stdin(Stdio::null()).stdout(both()).stderr(both()).status().expect("starts");
    if !status.success() {
        use std::io::{Read as _, Seek as _};
        let (mut log, mut said) = (log, String::new());
        log.rewind().and_then(|()| log.read_to_string(&mut said)).expect("read");
        panic!("{command:?}: {said}");
    }
}

impl Server {
    /// The server that tests share. Each takes a schema of its own.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// A server of one's own, to be stopped and started again.
    pub(crate) fn start() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("fairdeal-postgres-")
            .tempdir_in("/tmp")
            .expect("a folder");
        let (data, password) = (dir.path().join("data"), dir.path().join("password"));
        fs::write(&password, PASSWORD).expect("written");
        // Others may pass, and `postgres` may put its data there.
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).expect("set");
        let mut initdb = as_postgres(&bin("initdb"));
        initdb.args([
            "--username=fairdeal",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
        ]);
        succeeds(initdb.arg("--no-sync").arg("--pwfile").arg(&password).arg("-D").arg(&data));
        let port =
            TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").port();
        let pg_ctl = as_postgres(&bin("pg_ctl"));
        let mut guard = Command::new("sh");
        guard
            .args(["-c", GUARD, "sh"])
            .arg(dir.path())
            .arg(pg_ctl.get_program())
            .args(pg_ctl.get_args());
        let guard = guard.stdin(Stdio::piped()).spawn().expect("starts");
        let server = Self { dir, port, guard };
        server.start_again();
        server
    }

    fn pg_ctl(&self, words: &[&str]) -> Command {
        let mut command = as_postgres(&bin("pg_ctl"));
        command.arg("-D").arg(self.dir.path().join("data")).args(words);
        command
    }

    /// Starts it after [`stop`](Self::stop).
    pub(crate) fn start_again(&self) {
        // Nothing here is about the disk.
        let options = format!(
            "-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c max_connections=200 -p {}",
            self.port
        );
        let log = self.dir.path().join("data/log");
        let log = log.to_str().expect("a name");
        succeeds(&mut self.pg_ctl(&["start", "-w", "-l", log, "-o", &options]));
    }

    /// Stops it at once: sessions are cut, and what is not committed is gone.
    pub(crate) fn stop(&self) {
        succeeds(&mut self.pg_ctl(&["stop", "-w", "-m", "immediate"]));
    }

    /// The URL of a schema in its database.
    pub(crate) fn url(&self, schema: &str) -> String {
        format!(
            "postgres://fairdeal:{PASSWORD}@127.0.0.1:{}/postgres?schema={schema}&sslmode=disable",
            self.port
        )
    }

    /// The URL of a schema that nobody has used.
    pub(crate) fn new_url(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        self.url(&format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// All that the server has logged.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("data/log")).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The guard's input ends, and it stops the server.
        drop(self.guard.stdin.take());
        let _ended = self.guard.wait();
    }
}
