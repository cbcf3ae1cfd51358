// Cosignatures: which witnesses of a policy have signed a checkpoint, and when (spec/witness.md,
// section 25).

import { fromHex, utf8 } from "./bytes.js";
import {
  LARGEST,
  checkpointText,
  openCheckpoint,
  readCheckpoint,
  refusalOf,
} from "./checkpoint.js";
import { verify } from "./ed25519.js";
import { readNote, readSignature } from "./note.js";
import { quorumNames, quorumOf } from "./policy.js";
import { Refused, shown } from "./refused.js";

/**
 * What a witness signs.
 * @param {bigint} time in seconds since 1970
 * @param {string} text of the checkpoint, with its extension lines
 * @returns {string}
 */
export function cosignedText(time, text) {
  return `cosignature/v1\ntime ${time}\n${text}`;
}

/**
 * The time of a cosignature, if it verifies.
 * @param {import("./key.js").Key} key of the witness
 * @param {string} text of the checkpoint
 * @param {Uint8Array} bytes of the signature line, after the key ID
 * @returns {Promise<bigint | false | null>} in seconds since 1970; false if it does not verify; null
 * if this platform cannot say
 */
export async function verifyCosignature(key, text, bytes) {
  if (bytes.length !== 72) return false;
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  // The largest time is that of a tree's size.
  if (time > LARGEST) return false;
  const message = utf8(cosignedText(time, text));
  const holds = await verify(key.publicKey, message, bytes.subarray(8));
  return holds === true ? time : holds;
}

/**
 * What the witnesses of a policy signed.
 * @typedef {object} Cosigned
 * @property {(bigint | null)[]} signed for each witness the time of the line that counts, in seconds
 * since 1970, or null if it has not signed
 * @property {import("./policy.js").Times | null} times of the quorum; null if none is there
 * @property {string} names of the witnesses that make the quorum, for messages
 */

/**
 * @param {import("./policy.js").Policy} policy
 * @param {(bigint | null)[]} signed
 * @returns {Cosigned}
 */
function cosigned(policy, signed) {
  const names = quorumNames(policy, signed).map((name) => shown(name));
  return { signed, times: quorumOf(policy, signed), names: names.join(", ") };
}

/**
 * Which witnesses of a policy have signed a text.
 * @param {import("./policy.js").Policy} policy
 * @param {import("./note.js").Note} note
 * @param {boolean} anchor whether a line of a witness that does not verify is ignored, instead of
 * refusing the note
 * @returns {Promise<(bigint | null)[] | null>}
 * @throws {Refused} `note-unverified`
 */
async function timesOf({ witnesses }, { text, signatures }, anchor) {
  /** @type {(bigint | null)[]} */
  const times = witnesses.map(() => null);
  let unknown = false;
  for (const { name, id, bytes: signature } of signatures) {
    const place = witnesses.findIndex(({ key }) => key.name === name && key.id === id);
    if (place < 0) continue;
    const time = await verifyCosignature(witnesses[place].key, text, signature);
    if (time === null) unknown = true;
    else if (time !== false) times[place] ??= time;
    else if (!anchor)
      throw new Refused(
        "note-unverified",
        `the cosignature of ${shown(name)} (${id}) does not verify`,
      );
  }
  return unknown ? null : times;
}

/**
 * Which witnesses of a policy have signed a checkpoint. The log's own signature is not verified.
 * @param {import("./policy.js").Policy} policy
 * @param {Uint8Array} bytes a note
 * @param {{anchor?: boolean}} [options] `anchor`: whether a line of a witness that does not verify
 * is ignored, instead of refusing the note
 * @returns {Promise<(bigint | null)[] | null>} for each witness the time of the line that counts, in
 * seconds since 1970, or null if it has not signed; null for all if this platform cannot verify
 * signatures
 * @throws {Refused} `note-malformed`, `checkpoint-malformed`, or `note-unverified`
 */
export async function signedTimes(policy, bytes, { anchor = false } = {}) {
  const note = readNote(bytes);
  readCheckpoint(note.text);
  return timesOf(policy, note, anchor);
}

/**
 * What the witnesses of a policy signed of an anchor.
 * @param {import("./policy.js").Policy} policy
 * @param {string} origin of the log
 * @param {import("./entry.js").Anchor} entry
 * @returns {Promise<Cosigned | null>} null if this platform cannot verify signatures
 */
export async function anchorCosigned(policy, origin, { size, root, cosignatures }) {
  const text = checkpointText(origin, size, fromHex(root));
  const signed = await timesOf(policy, { text, signatures: cosignatures.map(readSignature) }, true);
  return signed === null ? null : cosigned(policy, signed);
}

/**
 * Opens a checkpoint with the log's key, and with the keys of a policy's witnesses.
 * @param {Uint8Array} bytes
 * @param {import("./key.js").Key} key
 * @param {import("./policy.js").Policy | null} policy
 * @returns {Promise<import("./checkpoint.js").Opened & {cosigned: Cosigned | null}>} `cosigned` is
 * null without a policy, and if the note is refused
 */
export async function openCosigned(bytes, key, policy) {
  const opened = await openCheckpoint(bytes, key);
  if (policy === null || opened.checkpoint === null) return { ...opened, cosigned: null };
  try {
    const signed = await signedTimes(policy, bytes);
    if (opened.bad !== null) return { ...opened, cosigned: null };
    if (signed === null) return { ...opened, signed: null, cosigned: null };
    return { ...opened, cosigned: cosigned(policy, signed) };
  } catch (error) {
    return { ...opened, bad: opened.bad ?? refusalOf(error), cosigned: null };
  }
}
