// Hashed lines of a raffle: how an entrant finds their own line (spec/raffle.md, section 36).

import { concat, fromHex, isHex, textOrNull, toHex, utf8, utf8Length } from "./bytes.js";
import { isText } from "./contribution.js";
import { Refused, plain, shown } from "./refused.js";
import { hmacSha256, sha256 } from "./sha256.js";

/**
 * What an entrant knows of their own line.
 * @typedef {object} Entrant
 * @property {string} address in the form in which it is hashed
 * @property {string} salt 16 bytes in hexadecimal
 * @property {string} line 32 bytes in hexadecimal, as it stands in the list
 */

const TAG = utf8("fairdeal/raffle/v1/entrant\0");
const LONGEST_ADDRESS = 256;
const LONGEST_LINK = 4096;
const SECRET = 32;
const SALT = 16;

/**
 * An address in the form in which it is hashed: without white space of ASCII at its ends, and with
 * small letters of ASCII.
 * @param {string} address
 * @returns {string}
 * @throws {Refused} `address`, if it is empty, over 256 bytes, or has control characters
 */
export function addressForm(address) {
  const form = address
    .replace(/^[\t-\r ]+|[\t-\r ]+$/g, "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (!isText(form, LONGEST_ADDRESS))
    throw new Refused(
      "address",
      `an address has 1 to ${LONGEST_ADDRESS} bytes and no control characters; found ${shown(address)}`,
    );
  return form;
}

/**
 * The entrant with an address and a salt.
 * @param {string} address
 * @param {string} salt 32 lowercase hexadecimal digits
 * @returns {Entrant}
 * @throws {Refused} `address`
 */
function entrantOf(address, salt) {
  const form = addressForm(address);
  return { address: form, salt, line: toHex(sha256(concat(TAG, fromHex(salt), utf8(form)))) };
}

/**
 * The salt and the line of an address.
 * @param {Uint8Array} secret the raffle secret, 32 bytes
 * @param {string} address any text by which the organiser knows the entrant
 * @returns {Entrant}
 * @throws {Refused} `address`; `secret`, if it has not 32 bytes
 */
export function entrant(secret, address) {
  if (!(secret instanceof Uint8Array) || secret.length !== SECRET)
    throw new Refused("secret", `a raffle secret is a Uint8Array of ${SECRET} bytes`);
  const form = addressForm(address);
  return entrantOf(form, toHex(hmacSha256(secret, utf8(form)).subarray(0, SALT)));
}

/**
 * An entrant's link to the page of a raffle. What follows its `#` is not sent by a browser.
 * @param {string} page its URL; salt and address come after what it may have behind a `#`
 * @param {Pick<Entrant, "salt" | "address">} entrant
 * @returns {string}
 * @throws {Refused} `link`, if it has over 4,096 bytes
 */
export function entrantLink(page, { salt, address }) {
  const before = !page.includes("#") ? "#" : page.endsWith("#") ? "" : "&";
  const link = `${page}${before}salt=${salt}&address=${encoded(address)}`;
  expectLength(link);
  return link;
}

/**
 * @param {string} link
 * @throws {Refused} `link`
 */
function expectLength(link) {
  const length = utf8Length(link);
  if (length > LONGEST_LINK)
    throw new Refused("link", `a link has at most ${LONGEST_LINK} bytes; found ${length}`);
}

/**
 * @param {string} text
 * @returns {string}
 */
function encoded(text) {
  return Array.from(utf8(text), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

/**
 * The entrant of a link.
 * @param {string} link
 * @returns {Entrant}
 * @throws {Refused} `link`, if it has no salt or no address, or one of them twice, or is too long
 */
export function readEntrantLink(link) {
  expectLength(link);
  const at = link.indexOf("#");
  const parts = at < 0 ? [] : link.slice(at + 1).split("&");
  const salt = valueOf(parts, "salt");
  if (!isHex(salt, SALT))
    throw new Refused(
      "link",
      `in a link "salt" is ${2 * SALT} lowercase hexadecimal digits; found ${shown(salt)}`,
    );
  try {
    return entrantOf(valueOf(parts, "address"), salt);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "address") throw error;
    throw new Refused("link", `in a link, ${error.message}`, { cause: error });
  }
}

/**
 * The value of the one part with a name.
 * @param {readonly string[]} parts
 * @param {string} name
 * @returns {string}
 * @throws {Refused} `link`
 */
function valueOf(parts, name) {
  const found = parts.flatMap((part) => {
    const at = part.indexOf("=");
    return (at < 0 ? part : part.slice(0, at)) === name ? [at < 0 ? "" : part.slice(at + 1)] : [];
  });
  if (found.length !== 1)
    throw new Refused(
      "link",
      `a link has exactly one part "${name}" after its first "#"; found ${found.length}`,
    );
  return decoded(found[0], name);
}

/**
 * @param {string} value
 * @param {string} name
 * @returns {string}
 * @throws {Refused} `link`
 */
function decoded(value, name) {
  const bad = /%(?![0-9a-fA-F]{2})/.exec(value);
  if (bad !== null)
    throw new Refused(
      "link",
      `in a link "%" stands before two hexadecimal digits; found "${plain(value.slice(bad.index, bad.index + 3))}" in "${name}"`,
    );
  if (/\p{Cs}/u.test(value))
    throw new Refused("link", `in a link "${name}" is UTF-8; found half a surrogate pair`);
  const bytes = value
    .split(/(%[0-9a-fA-F]{2})/)
    .map((part, i) => (i % 2 === 1 ? [parseInt(part.slice(1), 16)] : utf8(part)));
  const text = textOrNull(concat(...bytes));
  if (text === null)
    throw new Refused("link", `in a link "${name}" is UTF-8; found ${shown(value)}`);
  return text;
}
