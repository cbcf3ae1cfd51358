//! Why a document that a reader kept is not the promise that they are shown. The strongest of it is
//! another raffle's: an organiser who draws again has two. It is no finding, because they may have
//! two with good reason (spec/raffle.md, section 39).

use super::number;
use crate::known::Named;
use crate::out::{Out, STRONG, UNSURE, plain};
use crate::time::{day_and_time, now};
use fairdeal::beacon::Chains;
use fairdeal::deal::Digest;
use fairdeal::log::VerifierKey;
use fairdeal::raffle::{RaffleDocument, RaffleWinner};
use fairdeal::record::entry::Entry;
use fairdeal::record::life::locked_to;
use fairdeal::record::receipt::{Document, Shown, verify};

/// What the reader kept from before the draw.
#[derive(Default)]
pub(super) struct Own {
    pub(super) files: Vec<KeptFile>,
    pub(super) messages: Vec<Message>,
}

/// A file with a message that has a raffle's number.
pub(super) struct Message {
    pub(super) name: String,
    pub(super) number: String,
    pub(super) text: String,
}

impl Message {
    /// Whether it names the winners, as a page copies them: then it is from after the draw. Of a hashed
    /// line the page copies the beginning.
    fn names(&self, drawn: &[RaffleWinner]) -> bool {
        let mut places = (1_u64..).zip(drawn);
        let is_named = |(place, winner): (u64, &RaffleWinner)| {
            let is_hashed = Digest::parse(&winner.line).is_ok();
            let beginning = winner.line.get(..SHORT).filter(|_| is_hashed);
            self.text.contains(&format!("{place}. {}", beginning.unwrap_or(&winner.line)))
        };
        !drawn.is_empty() && places.all(is_named)
    }
}

/// The characters of a hashed line that a page copies.
const SHORT: usize = 12;

/// A document that the reader kept.
pub(super) struct KeptFile {
    /// The file's name.
    pub(super) name: String,
    pub(super) document: RaffleDocument,
    /// The key of its page, if it is one.
    pub(super) of_page: Option<VerifierKey>,
    /// The key that the reader keeps for its log.
    pub(super) known: Option<VerifierKey>,
}

impl KeptFile {
    fn is_in_log_of(&self, key: &VerifierKey) -> bool {
        let named = Named::in_checkpoint(&self.document.receipt().checkpoint);
        named.is_some_and(|named| named.origin == key.name().as_str())
    }
}

/// What is told of the documents that do not help.
pub(super) enum Kept {
    Another {
        file: String,
        yours: Told,
        this: Told,
        is_same_list: bool,
    },
    /// Another raffle's, that anybody can have written.
    Unsigned {
        file: String,
        number: String,
    },
    /// The same promise, as it stood after this.
    Late {
        file: String,
        after: &'static str,
    },
    /// A message with a raffle's number.
    Message {
        file: String,
        number: String,
        this: String,
        /// Whether it names the winners.
        is_late: bool,
    },
}

/// By what people know a raffle.
pub(super) struct Told {
    number: String,
    about: String,
    is_given_up: bool,
}

/// Compares what the reader kept with the document that is verified, under this key.
pub(super) fn compare(
    (document, key): (&RaffleDocument, &VerifierKey),
    own: &Own,
    (drawn, chains): (&[RaffleWinner], &Chains),
) -> Vec<Kept> {
    let this = number::of(document);
    let differs = |one: &KeptFile| {
        let KeptFile { name, document: kept, .. } = one;
        let (file, number) = (name.clone(), number::of(kept));
        if number == this {
            return after(kept).map(|after| Kept::Late { file, after });
        }
        // Where the reader has the log's key, that of a page does not count: anybody can write one.
        let of_log = Some(key).filter(|key| one.is_in_log_of(key));
        let key = one.known.as_ref().or(of_log).or(one.of_page.as_ref());
        let signed = key.map(|key| verify(&Document::Receipt(kept.receipt().clone()), key));
        let Some(signed) = signed.filter(|one| one.shown.contains(&Shown::Logged)) else {
            return Some(Kept::Unsigned { file, number });
        };
        let [mut yours, shown] = [kept, document].map(|one| told(one, chains));
        yours.is_given_up &= signed.findings.is_empty();
        let deck = |one: &RaffleDocument| one.commit().ok().map(|commit| commit.deck);
        let is_same_list = deck(kept) == deck(document);
        Some(Kept::Another { file, yours, this: shown, is_same_list })
    };
    let messages = own.messages.iter().map(|message| Kept::Message {
        file: message.name.clone(),
        number: message.number.clone(),
        this: this.clone(),
        is_late: message.names(drawn),
    });
    own.files.iter().filter_map(differs).chain(messages).collect()
}

fn entries(document: &RaffleDocument) -> impl Iterator<Item = Entry> {
    let entries = document.receipt().entries.iter();
    entries.filter_map(|one| Entry::parse(one.entry.as_bytes()).ok())
}

/// What had happened when a document was saved, if it was too late.
fn after(document: &RaffleDocument) -> Option<&'static str> {
    entries(document).find_map(|entry| match entry {
        Entry::Deal(_) => Some("the draw"),
        Entry::Void(_) => Some("the organiser gave it up"),
        _ => None,
    })
}

/// The time of a void, in Unix milliseconds by the organiser's clock.
fn void_of(document: &RaffleDocument) -> Option<u64> {
    entries(document).find_map(|entry| match entry {
        Entry::Void(void) => Some(void.time.value()),
        _ => None,
    })
}

fn told(document: &RaffleDocument, chains: &Chains) -> Told {
    let title = document.rules().title.as_ref();
    let title = title.map_or_else(|| "no title".to_owned(), |title| plain(title.as_str()));
    let lock = number::lock_of(document);
    let lock_time = lock.as_ref().map(|(lock, _)| lock.time.value());
    let at = document.commit().ok().zip(lock).and_then(|(commit, (lock, _))| {
        Some(locked_to(&commit, &lock, Some(chains))?.out().saturating_mul(1000))
    });
    let hour = at.map_or_else(
        || "its hour is not known here".to_owned(),
        |at| {
            let to_be = if at > now() { "to be drawn" } else { "drawn" };
            format!("{to_be} {}", day_and_time(at))
        },
    );
    let closed = lock_time.unwrap_or(u64::MAX);
    // A void after the draw, or with an hour that cannot be, ends nothing.
    let void = void_of(document).filter(|void| (closed..at.unwrap_or(0)).contains(void));
    let given_up = void.map_or_else(String::new, |void| {
        format!(", given up {} by the organiser's own clock", day_and_time(void))
    });
    let about = format!("{title}, {hour}{given_up}");
    Told { number: number::of(document), about, is_given_up: void.is_some() }
}

impl Kept {
    /// Whether a message that may be from before the draw has the raffle's number.
    pub(super) fn is_announced(&self) -> bool {
        matches!(self, Self::Message { number, this, is_late: false, .. } if number == this)
    }

    /// Whether it is of another raffle.
    pub(super) fn is_of_another(&self) -> bool {
        matches!(self, Self::Another { .. })
            || matches!(self, Self::Message { number, this, .. } if number != this)
    }

    pub(super) fn print(&self, out: &mut Out) {
        match self {
            Self::Late { file, after } => {
                let says = format!(
                    "{} is this raffle, but it was saved after {after}. {LATE}",
                    plain(file)
                );
                out.long_field("your file", &says);
            }
            Self::Unsigned { file, number } => {
                let file = plain(file);
                let says = format!("{file} is of another raffle, number {number}, {UNSIGNED}");
                out.long_field("your file", &says);
            }
            Self::Another { file, yours, this, is_same_list } => {
                let (file, number) = (plain(file), &yours.number);
                say!(
                    out,
                    "\n{UNSURE}ANOTHER RAFFLE{UNSURE:#}  {STRONG}your file is of another raffle: number {number}; this one has {}.{STRONG:#}",
                    this.number
                );
                field!(out, "your file", "{file}: {}", yours.about);
                let list = if *is_same_list { "with the same list" } else { "with another list" };
                field!(out, "this one", "{}, {list}", this.about);
                if yours.is_given_up {
                    out.long_field("", GIVEN_UP);
                } else {
                    out.long_field("", ASK);
                    out.long_field("", MAY);
                }
                say!(out, "");
            }
            Self::Message { file, number, this, is_late } if number == this => {
                let file = plain(file);
                let late = if *is_late { NAMES_WINNERS } else { "" };
                out.long_field("message", &format!("{file} has the number of this raffle{late}"));
            }
            Self::Message { file, number, this, .. } => {
                say!(
                    out,
                    "\n{UNSURE}ANOTHER NUMBER{UNSURE:#}  {STRONG}your message {} has {number}; this raffle has {this}.{STRONG:#}",
                    plain(file)
                );
                out.long_field("", ASK_OTHERS);
                say!(out, "");
            }
        }
    }
}

const ASK: &str = "\
Compare both with the message that the organiser sent before the draw, and ask the organiser.";
const MAY: &str = "\
Anybody can make such a page, and an organiser may have two raffles: this alone is no fault. But if the message has the number of your file, this one does not count.";
const GIVEN_UP: &str = "\
The organiser gave up the raffle of your file: only the organiser's clock says when. If you got a message with the number of this one before the draw, this one counts. If not, ask the organiser.";
const ASK_OTHERS: &str = "\
Then this is not the raffle that was announced. Ask other members which number their message has, and then the organiser.";
const NAMES_WINNERS: &str = "\
, but it names the winners, so it is from after the draw: give the message that came before it";
const UNSIGNED: &str = "\
but no key that you have signed it: anybody can write such a file, and it shows nothing";
const LATE: &str = "\
It does not show that the promise is older than the number: only a file from before the draw does";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_from_after_the_draw_names_every_winner_at_their_place() {
        let message = |text: &str| Message {
            name: String::new(),
            number: String::new(),
            text: text.to_owned(),
        };
        let hashed = "5f7929e9d428".to_owned() + &"0".repeat(52);
        let drawn =
            [("anna".to_owned(), 0), (hashed, 7)].map(|(line, item)| RaffleWinner { item, line });
        assert!(message("The winners:\n1. anna: a cake\n2. 5f7929e9d428…\n").names(&drawn));
        for other in ["1. anna", "1. 5f7929e9d428… 2. anna", "anna, 5f7929e9d428", ""] {
            assert!(!message(other).names(&drawn), "{other}");
        }
        assert!(!message("1. anna").names(&[]));
    }
}
