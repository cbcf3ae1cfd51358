//! The logs that a witness signs for, and their keys.

use std::collections::HashMap;

use fairdeal::log::VerifierKey;

/// The keys of each log, by its origin.
#[derive(Clone, Debug, Default)]
pub struct Logs(HashMap<String, Vec<VerifierKey>>);

impl Logs {
    /// Reads a list of logs: on each line a verifier key, and after a space the log's origin if it
    /// is not the key's name. A line without words is ignored, and one that begins with `#`. Several
    /// keys of one origin are several lines: each of them is trusted.
    ///
    /// # Errors
    /// The number of the first wrong line, from 1, and what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut logs: HashMap<String, Vec<VerifierKey>> = HashMap::new();
        for (number, line) in (1_usize..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, origin) = line.split_once([' ', '\t']).unwrap_or((line, ""));
            let key = VerifierKey::parse(key).map_err(|error| (number, error.to_string()))?;
            let origin = match origin.trim() {
                "" => key.name().as_str().to_owned(),
                origin => origin.to_owned(),
            };
            let keys = logs.entry(origin).or_default();
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        Ok(Self(logs))
    }

    /// The number of logs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys of a log; `None` if it is not known.
    #[must_use]
    pub fn keys(&self, origin: &str) -> Option<&[VerifierKey]> {
        self.0.get(origin).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use fairdeal::log::SignerKey;

    use super::*;

    fn key(name: &str, seed: u8) -> VerifierKey {
        SignerKey::from_seed(name.parse().unwrap(), &[seed; 32]).verifier().clone()
    }

    #[test]
    fn a_log_has_the_keys_of_its_lines() {
        let (one, two, other) = (key("a.example/log", 1), key("a.example/log", 2), key("b", 3));
        let text = format!(
            "# logs\n\n{one}\n  {two}  \n{one}\n{other} go.sum database tree\n\t{other}\tc.example\n"
        );
        let logs = Logs::parse(&text).unwrap();
        assert_eq!(logs.len(), 3);
        assert_eq!(logs.keys("a.example/log").unwrap(), [one, two]);
        assert_eq!(logs.keys("go.sum database tree").unwrap(), std::slice::from_ref(&other));
        assert_eq!(logs.keys("c.example").unwrap(), [other]);
        assert!(logs.keys("b").is_none());
        assert!(Logs::parse("").unwrap().is_empty());
    }

    #[test]
    fn a_wrong_line_is_named() {
        let good = key("a", 1);
        let witness = fairdeal::log::WitnessKey::new("w".parse().unwrap(), good.public_key());
        for bad in ["no key", &witness.unwrap().to_text(), &format!("{good}#")] {
            assert_eq!(Logs::parse(&format!("{good}\n#\n{bad}\n")).unwrap_err().0, 3, "{bad}");
        }
    }
}
