/**
 * Reads one entry.
 * @param {Uint8Array} bytes
 * @returns {Entry}
 */
export function readEntry(bytes: Uint8Array): Entry;
/**
 * The nonce of an entry, if its kind has one and it is given.
 * @param {Grammatical} entry
 * @returns {number | null}
 */
export function nonceOf(entry: Grammatical): number | null;
/**
 * The contributions that an entry itself has.
 * @param {Grammatical} entry
 * @returns {readonly Contribution[]}
 */
export function contributionsOf(entry: Grammatical): readonly Contribution[];
/** The maximum number of bytes of an entry. */
export const LONGEST: 65535;
export type Json = import("./json.js").Json;
export type Contribution = import("./contribution.js").Contribution;
export type Result = import("./result.js").Result;
export type Terms = import("./result.js").Terms;
export type Layout = import("./layout.js").Layout;
export type Commit = {
    entry: "commit";
    time: number;
    commitment: string;
    protocol: string;
    origin: string;
    table: string;
    mixing: "seeds" | "hashes" | "beacon";
    signed?: true;
    layout?: Layout;
    rounds: number;
    reveal_by: number;
    after?: string;
    beacon?: {
        chain: string;
        margin: number;
    };
} & Terms;
export type Lock = {
    entry: "lock";
    time: number;
    commitment: string;
    nonce: number;
    contributions?: Contribution[];
    beacon?: number;
    seats?: string[];
};
export type Opened = {
    blind: string;
    from: string;
    seed: string;
};
export type Deal = {
    entry: "deal";
    time: number;
    commitment: string;
    nonce: number;
    result: Result;
    contributions?: Contribution[];
    seats?: string[];
    lock?: number;
    opened?: Opened[];
    beacon?: string;
};
export type VoidEntry = {
    entry: "void";
    time: number;
    commitment: string;
    nonce?: number;
    reason: string;
    blame?: string;
};
export type Reveal = {
    entry: "reveal";
    time: number;
    commitment: string;
    server_seed: string;
};
export type Grammatical = Commit | Lock | Deal | VoidEntry | Reveal;
/**
 * An entry as far as its own bytes decide.
 */
export type Entry = {
    /**
     * the member of this name, if the entry is an object in which
     * it is a hash
     */
    commitment: string | null;
    /**
     * whether it is a commit of another protocol
     */
    foreign: boolean;
    /**
     * the entry, if it is grammatical
     */
    entry: Grammatical | null;
    /**
     * why it is not
     * grammatical
     */
    fault: {
        code: "not-canonical" | "invalid-entry";
        says: string;
    } | null;
};
