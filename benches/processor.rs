//! The processor's time of this process.

use rustix::time::{ClockId, clock_gettime};

/// The microseconds that all processors have spent on this process.
pub(crate) fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}
