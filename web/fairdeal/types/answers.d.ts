/**
 * The contribution that a player gives, without the other members of the answer.
 * @param {unknown} answer
 * @param {string} player
 * @param {RoundFacts} round
 * @returns {Promise<Given | null>} null if it is not this player's for this round
 */
export function givenBy(answer: unknown, player: string, { commitment, nonce, signed, origin, key }: RoundFacts): Promise<Given | null>;
/**
 * The opening of a player's hash.
 * @param {unknown} answer
 * @param {Given} given
 * @param {{commitment: string, nonce: number}} round
 * @returns {Given | null} null if it does not open this hash
 */
export function openedBy(answer: unknown, { from, hash, seed: clear, seen }: Given, { commitment, nonce }: {
    commitment: string;
    nonce: number;
}): Given | null;
export type Given = import("./client.js").Given;
/**
 * The known facts of the round.
 */
export type RoundFacts = {
    commitment: string;
    nonce: number;
    /**
     * whether every contribution must be signed
     */
    signed: boolean;
    /**
     * of the log
     */
    origin: string;
    /**
     * of the log; without the key only the service finds
     * a forged `seen`
     */
    key: import("./key.js").Key | null;
};
