//! Reading and writing files. `-` is stdin or stdout. A file is written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::exit::Failure;
use super::kinds;
use super::out::Out;
pub(super) use fairdeal_ledger::store::reason;

/// The longest input in bytes. A list of 2^20 items is shorter; `/dev/zero` is not.
const MOST: u64 = 256 << 20;

/// A file's name, for errors.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() }
}

/// The bytes of a file, or of stdin for `-`.
/// Exit 3, with the file's name and the system's reason; 2 for an empty name.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if path.as_os_str().is_empty() {
        return Err(Failure::usage("expected the name of a file, found an empty one"));
    }
    let unreadable = |error: io::Error| unavailable!("{}: {}", name(path), reason(&error));
    let mut bytes = Vec::new();
    let most = MOST + 1;
    if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let file = File::open(path).map_err(unreadable)?;
        check_ends(path, &file)?;
        file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if bytes.len() as u64 > MOST {
        return Err(unavailable!("{}: expected at most {MOST} bytes, found more", name(path)));
    }
    Ok(bytes)
}

/// Refuses a device that has no end. A pipe may come from a shell, a terminal from a person.
#[cfg(unix)]
fn check_ends(path: &Path, file: &File) -> Result<(), Failure> {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = file.metadata().map(|about| about.file_type());
    let is_device = kind.is_ok_and(|kind| kind.is_char_device() || kind.is_block_device());
    if is_device && !io::IsTerminal::is_terminal(file) && path != Path::new("/dev/null") {
        return Err(unavailable!("{}: expected a file, found a device", name(path)));
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_ends(_path: &Path, _file: &File) -> Result<(), Failure> {
    Ok(())
}

/// The text of a file, or of stdin for `-`.
/// Exit 3 if it cannot be read or is not UTF-8.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        unavailable!("{}: expected UTF-8, byte {at} is not", name(path))
    })
}

/// Whether an output is stdout.
pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Refuses early what would fail at the end: a folder, or two outputs on one stdout.
/// Exit 2 for `-` with `--json`, 3 for a folder.
pub(super) fn check_output(option: &str, path: &Path, out: &Out) -> Result<(), Failure> {
    if is_stdout(path) && out.json() {
        return Err(usage!("{option} -: expected a file: with --json stdout has the JSON"));
    }
    if path.is_dir() {
        return Err(unavailable!("{}: expected a file, found a folder", path.display()));
    }
    Ok(())
}

/// Refuses early a file that cannot be written: its folder must take a new file. Stdout is always
/// fine.
/// Exit 2 if the path has no file name, or is something that takes no file; 3 if it cannot be
/// written.
pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    if is_stdout(path) {
        return Ok(());
    }
    match target(path)? {
        // Opened only once: who reads a pipe would take the end of this for the end of all.
        Target::Stream => Ok(()),
        Target::File(path) => NewFile::aside(&path, &mut OpenOptions::new()).map(drop),
    }
}

/// Refuses early what does not keep what is written, so that it cannot be read again.
pub(super) fn check_keeps(option: &str, path: &Path) -> Result<(), Failure> {
    match target(path)? {
        Target::File(_) => Ok(()),
        Target::Stream => {
            let says = "expected a file that keeps what is written, found a device or a pipe";
            Err(usage!("{option} {}: {says}", path.display()))
        }
    }
}

/// The kind of thing that an output is written to.
enum Target {
    /// A regular file, without the links that lead to it; or a new one.
    File(PathBuf),
    /// A device or a pipe, which takes what is written as it comes.
    Stream,
}

/// The target of a path. Only a regular file is ever replaced by another one.
fn target(path: &Path) -> Result<Target, Failure> {
    let refused = |found: &str| {
        Err(usage!("{}: expected a file, a device or a pipe, found {found}", path.display()))
    };
    // `/dev/stdout` may be a file, which its other writers keep open.
    let is_open_file = path.starts_with("/dev/fd")
        || path.starts_with("/proc")
        || path == Path::new("/dev/stdout");
    match fs::metadata(path) {
        Ok(found) if found.is_file() && is_open_file => Ok(Target::Stream),
        // The target of the link is written, and the link stays.
        Ok(found) if found.is_file() && path.is_symlink() => {
            Ok(Target::File(fs::canonicalize(path).map_err(|error| unwritable(path, &error))?))
        }
        // A folder cannot be replaced by a file: the system refuses.
        Ok(found) if found.is_file() || found.is_dir() => Ok(Target::File(path.to_owned())),
        Ok(found) if is_stream(found.file_type()) => Ok(Target::Stream),
        Ok(_) => refused("something else"),
        Err(_) if path.is_symlink() => refused("a symbolic link to nothing"),
        Err(_) => Ok(Target::File(path.to_owned())),
    }
}

#[cfg(unix)]
fn is_stream(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_char_device() || kind.is_fifo()
}

#[cfg(not(unix))]
fn is_stream(_kind: fs::FileType) -> bool {
    false
}

/// Refuses early to replace a file that is not of the kind to be written: `is_ours` is asked about
/// its first kilobyte. An earlier one of this kind is replaced.
/// Exit 2; 3 if it cannot be read.
pub(super) fn check_replaces(
    option: &str,
    path: &Path,
    what: &str,
    is_ours: impl FnOnce(&[u8]) -> bool,
) -> Result<(), Failure> {
    if is_stdout(path) || matches!(target(path)?, Target::Stream) || !path.is_file() {
        return Ok(());
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1024).read_to_end(&mut start));
    read.map_err(|error| unwritable(path, &error))?;
    // An empty file has nothing to lose.
    if start.is_empty() || is_ours(&start) {
        return Ok(());
    }
    let found = kinds::kind(&start).filter(|kind| *kind != "no JSON").unwrap_or("another file");
    let expected = format!("expected no file, or {what}, which is replaced");
    Err(usage!("{option} {}: {expected}; found {found}, which is not", path.display())
        .code("exists")
        .hint("Name another file, or remove this one."))
}

/// Writes a temporary file, syncs it, then renames it.
/// Exit 3; the file is then unchanged.
pub(super) fn save(path: &Path, text: &str) -> Result<(), Failure> {
    save_bytes(path, text.as_bytes())
}

/// The same for bytes.
pub(super) fn save_bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes).map_err(|error| unwritable(path, &error))?;
    file.keep()
}

/// Writes a new file, whole or not at all. Replaces an existing one only with `force`.
/// Exit 3; the file is then unchanged.
pub(super) fn save_new(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    if force {
        return save(path, text);
    }
    let mut file = NewFile::aside(path, &mut OpenOptions::new())?;
    file.write_all(text.as_bytes()).map_err(|error| unwritable(path, &error))?;
    file.keep_new()
}

/// Refuses early to replace a file.
pub(super) fn check_free(path: Option<&Path>) -> Result<(), Failure> {
    match path {
        Some(path) if !is_stdout(path) && path.symlink_metadata().is_ok() => {
            Err(usage!("{}: it exists already, and is not replaced", path.display()).code("exists"))
        }
        _ => Ok(()),
    }
}

/// Writes a new file with mode 0600, whole or not at all. Replaces an existing one only with `force`.
pub(super) fn save_private(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = NewFile::aside(path, &mut options)?;
    // Past the buffer, which would keep a copy of the secret.
    file.file.get_mut().write_all(text.as_bytes()).map_err(|error| unwritable(path, &error))?;
    if force { file.keep() } else { file.keep_new() }
}

/// Writes evidence next to a file, as `saved.note.contradicts`, or with a number if that name is
/// taken. Existing evidence is neither replaced nor written twice.
pub(super) fn save_beside(path: &Path, text: &str) -> Result<PathBuf, Failure> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".contradicts");
    let first = path.with_file_name(name);
    for number in 1_u32.. {
        let mut file = first.clone().into_os_string();
        if number > 1 {
            file.push(format!(".{number}"));
        }
        let file = PathBuf::from(file);
        match fs::read(&file) {
            Ok(there) if there == text.as_bytes() => return Ok(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                save(&file, text)?;
                return Ok(file);
            }
            _ => {}
        }
    }
    Err(unavailable!("{}: no free name for the evidence next to it", path.display()))
}

/// A temporary file in the folder of its final name. [`NewFile::keep`] renames it; otherwise it is
/// removed. A device or a pipe is written directly.
#[derive(Debug)]
pub(super) struct NewFile {
    file: BufWriter<File>,
    /// The temporary file; none for a device or a pipe.
    beside: Option<PathBuf>,
    path: PathBuf,
}

impl NewFile {
    /// Exit 2 if the path has no file name, or is something that takes no file; 3 if it cannot be
    /// written.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        match target(path)? {
            Target::File(path) => Self::aside(&path, &mut OpenOptions::new()),
            Target::Stream => {
                let file = OpenOptions::new().append(true).open(path);
                let file = BufWriter::new(file.map_err(|error| unwritable(path, &error))?);
                Ok(Self { file, beside: None, path: path.to_owned() })
            }
        }
    }

    fn aside(path: &Path, options: &mut OpenOptions) -> Result<Self, Failure> {
        let Some(file_name) = path.file_name() else {
            return Err(usage!("{}: expected the name of a file", path.display()));
        };
        let mut beside = file_name.to_os_string();
        beside.push(format!(".new-{}", std::process::id()));
        let beside = path.with_file_name(beside);
        let file = options.write(true).create_new(true).open(&beside);
        let file = file.map_err(|error| unwritable(path, &error))?;
        Ok(Self { file: BufWriter::new(file), beside: Some(beside), path: path.to_owned() })
    }

    /// Exit 3; the file is then unchanged.
    pub(super) fn keep(mut self) -> Result<(), Failure> {
        let flushed = self.file.flush();
        let written = match &self.beside {
            Some(beside) => flushed
                .and_then(|()| self.file.get_ref().sync_all())
                .and_then(|()| fs::rename(beside, &self.path)),
            None => flushed,
        };
        written.map_err(|error| unwritable(&self.path, &error))
    }

    /// The same, and never in place of another file.
    fn keep_new(self) -> Result<(), Failure> {
        let path = self.path.clone();
        // Claim the name: a rename alone would replace a file that is there.
        File::create_new(&path).map_err(|error| unwritable(&path, &error))?;
        self.keep().inspect_err(|_| drop(fs::remove_file(&path)))
    }
}

impl io::Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After a rename there is nothing to remove. If this fails, nothing more can be done.
        let _ = self.beside.as_ref().map(fs::remove_file);
    }
}

/// Exit 3.
pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    unavailable!("{}: can't be written: {}", path.display(), reason(error))
}
