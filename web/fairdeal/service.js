// The form of the service's requests and answers: the schemas of spec/openapi.json as types.

/**
 * A text of which some values are known. A newer service may send others.
 * @template {string} Known
 * @typedef {Known | (string & {})} Open
 */

/**
 * @typedef {import("./findings.js").FindingCode} FindingCode
 * @typedef {"commit" | "lock" | "deal" | "void" | "reveal"} EntryKind
 * @typedef {{count: number, sha256: string}} List
 * @typedef {"standard-52" | "standard-52x2" | "standard-52x4" | "standard-52x6" | "standard-52x8"
 *   | "short-36" | "jokers-54"} NamedDeck
 * @typedef {NamedDeck | List} Deck
 * @typedef {{hand: number, board?: number[], burn?: boolean}} Layout
 */

/**
 * A receipt, as `verifyReceipt` takes it.
 * @typedef {object} Receipt
 * @property {"fairdeal/receipt/v1"} format
 * @property {{index: number, entry: string, proof: string[]}[]} entries
 * @property {string} checkpoint a signed note
 * @property {{size: number, root: string, proof: string[]}[]} [seen]
 */

/** @typedef {{t: number, item: number, salt: string}} OpenedCard */

/**
 * An opening, as `verifyReceipt` takes it.
 * @typedef {object} Opening
 * @property {"fairdeal/opening/v1"} format
 * @property {Receipt} receipt
 * @property {string[]} card_seals
 * @property {OpenedCard[]} opened
 */

/**
 * A card's text, or a list's item, from 0; null is a card that is neither in the log nor opened.
 * @typedef {string | number | null} Face
 * @typedef {{seats: Record<string, Face[]>, board?: Face[][], burnt?: Face[]}} Hands
 */

/**
 * A rule of the log that forbids a request.
 * @typedef {object} BrokenRule
 * @property {Open<FindingCode>} code
 * @property {string} says
 * @property {number} [index]
 * @property {string} [commitment]
 * @property {number} [nonce]
 */

/**
 * The state of a commitment, as in a list.
 * @typedef {object} Standing
 * @property {string} commitment
 * @property {number} index
 * @property {string} table
 * @property {"unused" | "open" | "locked" | "used-up" | "revealed" | "voided"} state
 * @property {Deck} deck
 * @property {number} draw
 * @property {"shuffle" | "cycle"} method
 * @property {"seeds" | "hashes" | "beacon"} mixing
 * @property {{chain: string, margin: number}} [beacon] the chain whose rounds are mixed in, and the
 *   margin in milliseconds
 * @property {boolean} sealed
 * @property {boolean} signed
 * @property {Layout} [layout]
 * @property {string} [rules] SHA-256 of the game's rules
 * @property {number} rounds the most
 * @property {number} next the next round, or the locked round if there is one
 * @property {number} [locked]
 * @property {number} time when it was made, in Unix milliseconds
 * @property {number} reveal_by
 * @property {boolean} overdue
 * @property {string} [after] the table's commitment before it
 */

/**
 * The state of one commitment, with its rounds in play, which a list does not have.
 * @typedef {Standing & {in_play: number[]}} CommitmentAnswer
 */

/**
 * The state of a table.
 * @typedef {object} TableState
 * @property {string} table
 * @property {CommitmentAnswer} commitment its last commitment
 */

/**
 * A page of a list. `next` is the `from`, or the `after`, of the next page; absent at the end.
 * @typedef {{commitments: Standing[], next?: number}} CommitmentsAnswer
 * @typedef {{tables: {table: string, commitment: string}[], next?: string}} TablesPage `commitment`:
 *   the last one of the table
 * @typedef {{commitment: string, done: number, rounds: RoundTold[], next?: number}} RoundsAnswer
 *   `done`: how many rounds are locked, dealt or voided
 * @typedef {{commitment: string, openings: OpenedTold[], next?: string}} OpeningsAnswer
 */

/**
 * Receipts of some rounds. `next` is the first round that did not fit.
 * @typedef {{receipts: Receipt[], next?: number}} ReceiptsAnswer
 */

/**
 * Who opened a card first, and who first opened it for everybody: tokens, and Unix milliseconds.
 * @typedef {{by: string, at: number}} OpenedBy
 * @typedef {{nonce: number, t: number, first: OpenedBy, public?: OpenedBy}} OpenedTold
 */

/**
 * The log. A host can show any key: compare it with the printed one. `policy` is the operator's own
 * policy of witnesses, for information: choose your own.
 * @typedef {{origin: string, key: string, printed_at?: string, policy?: string}} LogAnswer
 */

/**
 * A deal's result, in the one form that the commitment asks for.
 * @typedef {{cards?: string, indices?: number[], digest?: string, seal?: string}} Result
 */

/** @typedef {{index: number, time: number}} EntryAt */

/**
 * @typedef {object} ToldInList
 * @property {number} nonce
 * @property {"locked" | "dealt" | "voided"} state
 * @property {{from: string, seed?: string, hash?: string, signed: boolean}[]} players
 * @property {string[]} [seats]
 * @property {EntryAt} [locked]
 * @property {EntryAt} [dealt]
 * @property {EntryAt} [voided]
 * @property {string} [reason] why it was voided
 * @property {string} [blame]
 * @property {number} [beacon] the round of the beacon that the lock names
 * @property {number} [out] when that round is out, in Unix milliseconds
 * @property {string} [signature] of that round, which the deal mixes
 * @property {number[]} [items] if the log has their digest or seal, and the seed is public
 * @property {Hands} [hands] under a layout, whose each card is
 */

/**
 * A round, as in a list.
 * @typedef {Result & ToldInList} RoundTold
 */

/**
 * One round. `opened` are the cards that were opened for everybody.
 * @typedef {RoundTold & {commitment: string, table: string, in_play: boolean,
 *   card_seals?: string[], opened?: OpenedCard[]}} RoundAnswer
 */

/** @typedef {{commitment: string, nonce: number, in_play: number[]}} DoneAnswer */

/**
 * Whether the service can deal.
 * @typedef {object} ReadyAnswer
 * @property {boolean} ready
 * @property {number} published entries
 * @property {number} unpublished entries
 * @property {number} overdue commitments
 * @property {number} late_beacons rounds whose beacon is out, and that are not dealt
 * @property {number} damaged_files as of the last look
 * @property {number} [next_reveal] the next one that is due, in Unix milliseconds
 * @property {string[]} [problems]
 * @property {WitnessAnswer[]} [witnesses] of the operator's policy
 * @property {string} [unanchored] why the last anchor that was due is not in the log
 */

/**
 * A witness, as its last answers to this node show it.
 * @typedef {object} WitnessAnswer
 * @property {string} name in the operator's policy
 * @property {number} [signed] the size that it has signed last for this node
 * @property {string} [answer] its last one, in words
 * @property {string} [claim] of this log, if the ledger contradicts it
 * @property {number} rolled_back how often it named less than before
 */

/** @typedef {{events: import("./events.js").LogEvent[], last?: number}} EventsAnswer */

/**
 * The members that the answers to all requests that make an entry have.
 * @typedef {object} EntryMembers
 * @property {string} commitment
 * @property {number} index of the entry in the log
 * @property {number} [nonce]
 * @property {number} reveal_by
 * @property {Receipt} receipt
 * @property {BrokenRule[]} [findings]
 * @property {number} [beacon] the round of the beacon that a lock names
 * @property {number} [out] when that round is out, in Unix milliseconds
 * @property {number[]} [items]
 * @property {string[]} [card_seals]
 * @property {OpenedCard[]} [opened]
 * @property {Hands} [hands] under a layout, whose each card of a deal is
 * @property {string} [server_seed]
 * @property {{commitment: string, index: number, reveal_by: number, receipt: Receipt}} [next] the
 *   table's next commitment
 */

/**
 * The answer to a request that made an entry.
 * @typedef {Result & EntryMembers} EntryAnswer
 */

/**
 * A player's contribution as sent to the dealer: a part of the result of `contribution`.
 * @typedef {Partial<import("./mine.js").Kept> & {from: string}} Given
 */

/**
 * The terms of a commitment. Only `table` is needed.
 * @typedef {object} Terms
 * @property {string} table
 * @property {Open<NamedDeck> | List} [deck]
 * @property {number} [draw]
 * @property {"shuffle" | "cycle"} [method]
 * @property {"seeds" | "hashes" | "beacon"} [mixing]
 * @property {{chain?: string, margin?: number}} [beacon] with mixing `beacon`
 * @property {boolean} [sealed]
 * @property {boolean} [signed]
 * @property {Layout | string} [layout] or a game's name, such as `holdem`, which has a deck too
 * @property {number} [rounds]
 * @property {string} [reveal_in] a number and `s`, `m`, `h` or `d`
 * @property {"done" | "deadline" | "manual"} [reveal]
 * @property {string} [last_deal_before]
 * @property {boolean} [next]
 * @property {string} [rules] SHA-256 of the game's rules
 * @property {string} [ext]
 */

/**
 * @typedef {{nonce?: number, reason: string, blame?: string, ext?: string,
 *   next?: boolean}} VoidRequest
 * @typedef {{nonce: number, reason: string, blame?: string, ext?: string}} RoundVoid of the round
 * before, which goes with a lock
 * @typedef {{nonce?: number, contributions?: Given[], seats?: string[], void?: RoundVoid,
 *   ext?: string}} LockRequest
 * @typedef {{nonce?: number, contributions?: Given[], beacon?: string, seats?: string[], open?: number[],
 *   public?: boolean, force?: boolean, next?: boolean, ext?: string}} DealRequest `force`: for
 *   places in `open` that are of several seats, burnt, or nobody's
 * @typedef {{nonce?: number, force?: boolean, next?: boolean, ext?: string}} RevealRequest
 */

/**
 * The cards to open: of a seat, of a street, or at places from 0. One of these at least.
 * @typedef {{seat: string} | {street: Street} | {t: number[]}} Opened
 * @typedef {"flop" | "turn" | "river" | number} Street or its number from 1
 * @typedef {Opened & {seat?: string, street?: Street, t?: number[], force?: boolean,
 *   public?: boolean}} OpeningRequest `force`: also if they are of several seats, burnt, or nobody's
 */

export {};
