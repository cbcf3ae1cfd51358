//! The operating system's random source. The only place that asks it.

use std::time::Duration;

use zeroize::Zeroizing;

/// The operating system gave no random bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the operating system gave no random bytes: {0}")]
pub struct EntropyError(String);

/// `N` random bytes, zeroized on drop.
///
/// # Errors
/// [`EntropyError`], with the system's reason.
pub fn random<const N: usize>() -> Result<Zeroizing<[u8; N]>, EntropyError> {
    let mut bytes = Zeroizing::new([0; N]);
    fill(bytes.as_mut())?;
    Ok(bytes)
}

/// Fills these bytes, where they are: what is returned and moved may leave a copy behind.
///
/// # Errors
/// [`EntropyError`], with the system's reason.
pub fn fill(bytes: &mut [u8]) -> Result<(), EntropyError> {
    getrandom::fill(bytes).map_err(|e| EntropyError(e.to_string()))
}

/// A random part of a pause, at least half: many nodes that were cut off together do not come back
/// together.
pub(crate) fn jittered(pause: Duration) -> Duration {
    let share = random::<1>().map_or(u8::MAX, |byte| byte[0]);
    pause / 2 + pause / 2 * u32::from(share) / u32::from(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_draws_are_the_same() {
        let draws: std::collections::BTreeSet<[u8; 32]> =
            (0..100).map(|_| *random().unwrap()).collect();
        assert_eq!(draws.len(), 100);
    }
}
