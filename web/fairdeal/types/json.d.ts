/**
 * A JSON value. An integer from 0 to 2^53 − 1 is a number, and every other number an {@link OtherNumber}.
 * @typedef {null | boolean | number | string | OtherNumber | JsonArray | JsonObject} Json
 * @typedef {{[name: string]: Json}} JsonObject
 */
/**
 * @typedef {Json[]} JsonArray
 */
/**
 * Whether a value is an object, and not an array or a number.
 * @param {Json | undefined} value
 * @returns {value is JsonObject}
 */
export function isObject(value: Json | undefined): value is JsonObject;
/**
 * The value of one JSON text and nothing else.
 * @param {Uint8Array | string} input UTF-8, or a text that is judged as its UTF-8
 * @returns {Json}
 * @throws {Refused} `json`
 */
export function readJson(input: Uint8Array | string): Json;
/** The maximum depth of nested arrays and objects. */
export const DEEPEST: 127;
/**
 * A number that is not an integer from 0 to 2^53 − 1 written in digits only.
 */
export class OtherNumber {
    /** @param {string} text as it was written */
    constructor(text: string);
    text: string;
    value: number;
}
/**
 * A JSON value. An integer from 0 to 2^53 − 1 is a number, and every other number an {@link OtherNumber}.
 */
export type Json = null | boolean | number | string | OtherNumber | JsonArray | JsonObject;
/**
 * A JSON value. An integer from 0 to 2^53 − 1 is a number, and every other number an {@link OtherNumber}.
 */
export type JsonObject = {
    [name: string]: Json;
};
export type JsonArray = Json[];
