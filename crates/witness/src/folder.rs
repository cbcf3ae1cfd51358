//! The folder of a witness: its key, its state, its logs.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use fairdeal::log::{KeyName, WitnessKey, WitnessSigner};
use zeroize::Zeroizing;

use crate::error::WitnessError;
use crate::logs::Logs;
use crate::store::{self, Contradiction, Store};

/// What a new file of logs says.
const NO_LOGS: &str = "\
# The logs that this witness signs for: a verifier key on each line, and after a space the log's
# origin if it is not the key's name. SIGHUP reads this file again.
";

/// The names of a witness's files.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(dir: &Path) -> Self {
        Self(dir.to_owned())
    }

    fn key(&self) -> PathBuf {
        self.0.join("witness.key")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.0.join("state.sqlite3")
    }

    pub(crate) fn logs(&self) -> PathBuf {
        self.0.join("logs")
    }

    /// Keeps other processes away for as long as the file is open: the system gives the lock back
    /// when this process ends, however it ends.
    pub(crate) fn lock(&self) -> Result<File, WitnessError> {
        let path = self.0.join("lock");
        let failed = |error| WitnessError::file(&path, &error);
        let file =
            private().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                Err(WitnessError::Locked(self.0.display().to_string()))
            }
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    pub(crate) fn signer(&self) -> Result<WitnessSigner, WitnessError> {
        let path = self.key();
        let failed = |error| WitnessError::file(&path, &error);
        let text = Zeroizing::new(fs::read_to_string(&path).map_err(failed)?);
        let is_exposed = is_exposed(&path).map_err(failed)?;
        let path = path.display().to_string();
        if is_exposed {
            return Err(WitnessError::Exposed(path));
        }
        WitnessSigner::parse(text.trim_end()).map_err(|error| WitnessError::Key { path, error })
    }

    pub(crate) fn read_logs(&self) -> Result<Logs, WitnessError> {
        let path = self.logs();
        let text = fs::read_to_string(&path).map_err(|error| WitnessError::file(&path, &error))?;
        let path = path.display().to_string();
        Logs::parse(&text).map_err(|(line, says)| WitnessError::Logs { path, line, says })
    }

    pub(crate) async fn open_state(&self, key: &WitnessKey) -> Result<Store, WitnessError> {
        Store::open(&self.state(), &key.to_text()).await
    }
}

/// Whether other users may read a file.
#[cfg(unix)]
fn is_exposed(path: &Path) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_exposed(_path: &Path) -> std::io::Result<bool> {
    Ok(false)
}

/// Options for a file with mode 0600.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a new file, durable. Its folder must be synced too.
fn write(path: &Path, text: &str) -> Result<(), WitnessError> {
    let made = private().create_new(true).write(true).open(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    made.map_err(|error| WitnessError::file(path, &error))
}

/// Makes the folder of a new witness: a key of this name and 32 secret random bytes, no logs, and
/// nothing signed. Returns its public key.
///
/// # Errors
/// [`WitnessError::NotEmpty`] where the folder has anything in it, [`WitnessError::File`] where it
/// cannot be written.
pub async fn init(dir: &Path, name: KeyName, seed: &[u8; 32]) -> Result<WitnessKey, WitnessError> {
    let failed = |error| WitnessError::file(dir, &error);
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(dir).map_err(failed)?;
    if fs::read_dir(dir).map_err(failed)?.next().is_some() {
        return Err(WitnessError::NotEmpty(dir.display().to_string()));
    }
    let (folder, signer) = (Folder::new(dir), WitnessSigner::from_seed(name, seed));
    let key = signer.key().clone();
    write(&folder.state(), "")?;
    Store::create(&folder.state(), &key.to_text()).await?;
    write(&folder.logs(), NO_LOGS)?;
    // Last: a folder with a key is whole.
    let secret = Zeroizing::new(format!("{}\n", *signer.to_secret_text()));
    write(&folder.key(), &secret)?;
    // The names in the folder, and its own name.
    let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
    for one in [dir, parent.unwrap_or(Path::new("."))] {
        File::open(one).and_then(|one| one.sync_all()).map_err(failed)?;
    }
    Ok(key)
}

/// The public key of the witness in a folder.
///
/// # Errors
/// [`WitnessError::File`] and [`WitnessError::Key`].
pub fn key(dir: &Path) -> Result<WitnessKey, WitnessError> {
    Ok(Folder::new(dir).signer()?.key().clone())
}

/// The contradictions that the witness in a folder keeps, in the order in which they came. The
/// witness may be running.
///
/// # Errors
/// [`WitnessError`].
pub async fn evidence(dir: &Path) -> Result<Vec<Contradiction>, WitnessError> {
    let folder = Folder::new(dir);
    let key = folder.signer()?.key().to_text();
    store::evidence(&folder.state(), &key).await
}
