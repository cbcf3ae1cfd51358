//! Long work: without the interpreter's lock, with its progress, and stopped by Ctrl-C.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use fairdeal_audit::source::{AuditObserver, StopAudit};
use fairdeal_audit::{AuditRows, Keep};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How often signals are looked at, and progress is told.
pub(crate) const OFTEN: Duration = Duration::from_millis(50);

/// Messages from the worker, and to it.
#[derive(Debug, Default)]
pub(crate) struct Work {
    done: AtomicU64,
    size: AtomicU64,
    is_stopped: AtomicBool,
}

/// Watches an audit for the work that it is a part of.
pub(crate) struct Watch<'a>(pub(crate) &'a Work);

impl AuditObserver for Watch<'_> {
    fn progress(&mut self, done: u64, size: u64) {
        self.0.size.store(size, Ordering::Relaxed);
        self.0.done.store(done, Ordering::Relaxed);
    }

    /// Findings alone: they are few, and with them the audit asks whether to go on.
    fn wanted(&self) -> Option<Keep> {
        Some(Keep::Findings)
    }

    fn rows(&mut self, _: AuditRows) -> Result<(), StopAudit> {
        if self.0.is_stopped.load(Ordering::Relaxed) {
            return Err(StopAudit("interrupted".to_owned()));
        }
        Ok(())
    }
}

/// Runs the work on a thread of its own, while this one tells `progress` and waits for signals.
///
/// # Errors
/// The exception that `progress` or a signal's handler raised. Work that watches for it stops.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Work) -> T + Send,
) -> PyResult<T> {
    let state = Work::default();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (send, done) = channel();
            let state = &state;
            scope.spawn(move || {
                // The receiver goes away only where this result is not wanted.
                let _ = send.send(on_own_threads(|| work(state)));
            });
            let mut told = 0;
            loop {
                match done.recv_timeout(OFTEN) {
                    Ok(result) => {
                        tell(progress, state, &mut told)?;
                        return Ok(result);
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        let looked = Python::attach(|py| py.check_signals());
                        if let Err(error) = looked.and_then(|()| tell(progress, state, &mut told)) {
                            state.is_stopped.store(true, Ordering::Relaxed);
                            return Err(error);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(pyo3::exceptions::PyRuntimeError::new_err(
                            "the work ended without a result",
                        ));
                    }
                }
            }
        })
    })
}

/// Runs work without the interpreter's lock.
pub(crate) fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| on_own_threads(work))
}

/// The first process that worked: the library's threads are its own.
static FIRST: OnceLock<u32> = OnceLock::new();

/// The threads of a process that was forked from one that had worked, and its ID.
static FORKED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs work with threads of this process. A fork has none of its parent's threads, and would wait
/// for them for ever.
fn on_own_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let here = process::id();
    if *FIRST.get_or_init(|| here) == here {
        return work();
    }
    let mut forked = FORKED.lock().unwrap_or_else(PoisonError::into_inner);
    let own = match forked.take() {
        Some((of, own)) if of == here => own,
        _ => Arc::new(ThreadPoolBuilder::new().build().expect("this process may start threads")),
    };
    *forked = Some((here, Arc::clone(&own)));
    drop(forked);
    own.install(work)
}

fn tell(progress: Option<&Py<PyAny>>, state: &Work, told: &mut u64) -> PyResult<()> {
    let (done, size) = (state.done.load(Ordering::Relaxed), state.size.load(Ordering::Relaxed));
    let Some(progress) = progress.filter(|_| done != *told) else { return Ok(()) };
    *told = done;
    Python::attach(|py| progress.call1(py, (done, size)).map(drop))
}
