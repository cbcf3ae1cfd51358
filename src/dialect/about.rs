//! What a scheme is in words, and what it cannot show whatever its rounds say.

/// What a dialect is, for people.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Whose it is and which game.
    pub title: &'static str,
    /// Which rounds it covers and which it does not.
    pub covers: &'static str,
    /// What a server seed is, and how much of it can be chance.
    pub seed: &'static str,
    /// When a new server seed begins.
    pub rotation: Rotation,
    /// Who speaks last before the result is fixed, and what that one can choose.
    pub last: &'static str,
    /// What else its description gives away.
    pub also: &'static [&'static str],
    /// Where the description comes from.
    pub source: &'static str,
}

/// When a new server seed begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// Whenever the player or the operator wants, at nonce 0 again.
    AtWill,
    /// With every round.
    EachRound,
    /// Never: all games are links of one chain that was made before the first.
    Chain,
    /// As a log says: each commitment states its rounds, and a log shows whether they were dealt.
    Logged,
}
