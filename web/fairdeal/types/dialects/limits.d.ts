/**
 * The limits of a dialect's rows: the JSON of `fairdeal check DIALECT --limits --json`.
 * @param {Dialect} dialect
 */
export function limitsOf(dialect: Dialect): {
    dialect: string;
    title: string;
    covers: string;
    bias: {
        unseen_rounds?: number | undefined;
        kind: string;
        biased: boolean;
        word_bits: number;
        ranges: {
            words?: number[] | undefined;
            range: number;
            words_refused: number;
            least: number;
            most: number;
            values_with_most: number;
            biased: boolean;
            probability_least: Ratio;
            probability_most: Ratio;
            deviation: Ratio;
        }[];
        draws: number;
        likeliest: Ratio;
        least_likely: Ratio;
    } | {
        points: {
            multiplier: string;
            exactly: number;
            at_least: number;
            probability: Ratio;
            ideal: Ratio;
            deviation: Ratio;
            relative: Ratio;
        }[];
        largest_deviation: {
            multiplier: string;
            deviation: Ratio;
        };
        largest_deviation_to_10000: {
            multiplier: string;
            deviation: Ratio;
        };
        first_impossible?: string | undefined;
        kind: string;
        bits: number;
        cases: number;
        house_edge: Ratio;
        lowest: Ratio;
        largest: string;
    };
    seed: {
        result_bits?: number | undefined;
        bits?: number | undefined;
    };
    statements: import("./statements.js").Statement[];
    source: string;
};
/**
 * A dialect's own description of its limits.
 */
export type Limits = {
    /**
     * the server seed, in words
     */
    seed: string;
    /**
     * absent if the scheme fixes no length
     */
    seedBits?: number | undefined;
    /**
     * absent if a round has any number of draws
     */
    resultBits?: number | undefined;
    lastSpeaker: string;
    also: string[];
    /**
     * of each draw of a round, for schemes of cards
     */
    ways?: number[] | undefined;
    /**
     * for schemes of multipliers
     */
    law?: import("./multiplier.js").Law | undefined;
};
export type Dialect = import("./round.js").Dialect;
export type Law = import("./multiplier.js").Law;
export type Ratio = {
    exact: string;
    decimal: number;
};
