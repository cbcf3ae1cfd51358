/**
 * @typedef {import("./entry.js").Commit} Commit
 * @typedef {import("./entry.js").Deal} Deal
 * @typedef {import("./receipt.js").OpenedCard} OpenedCard
 */
/**
 * The place of a card: a seat, a street, or the burnt cards.
 * @typedef {{t: number, seat: string, card: number} | {t: number, street: number} | {t: number, burnt: number}} Placed
 */
/**
 * Why the cards of an opening do not belong to its deal; null if they do belong to it.
 * @param {Commit} commit
 * @param {Deal} deal
 * @param {{cardSeals: Uint8Array, opened: OpenedCard[]}} opening
 * @returns {string | null}
 */
export function judgeCards(commit: Commit, deal: Deal, { cardSeals, opened }: {
    cardSeals: Uint8Array;
    opened: OpenedCard[];
}): string | null;
/**
 * Step 4: why no deal has these cards at these places; null if some deal may.
 * @param {Commit} commit
 * @param {ReadonlyMap<number, number>} pairs of places and items
 * @returns {string | null}
 */
export function judgePossible({ method, deck }: Commit, pairs: ReadonlyMap<number, number>): string | null;
/**
 * Who gets the cards at some places, without the cards that belong to nobody.
 * @param {Commit} commit
 * @param {readonly string[]} seats
 * @param {Iterable<number>} places
 * @returns {Placed[]}
 */
export function placed({ layout }: Commit, seats: readonly string[], places: Iterable<number>): Placed[];
/**
 * The cards of an opening in the form of a verdict.
 * @param {Commit} commit
 * @param {readonly OpenedCard[]} opened
 * @param {readonly Placed[] | undefined} places
 * @returns {{t: number, item: number, card?: string, seat?: string}[]}
 */
export function openedCards({ deck }: Commit, opened: readonly OpenedCard[], places: readonly Placed[] | undefined): {
    t: number;
    item: number;
    card?: string;
    seat?: string;
}[];
export type Commit = import("./entry.js").Commit;
export type Deal = import("./entry.js").Deal;
export type OpenedCard = import("./receipt.js").OpenedCard;
/**
 * The place of a card: a seat, a street, or the burnt cards.
 */
export type Placed = {
    t: number;
    seat: string;
    card: number;
} | {
    t: number;
    street: number;
} | {
    t: number;
    burnt: number;
};
