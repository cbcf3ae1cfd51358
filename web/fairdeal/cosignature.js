// Cosignatures: which witnesses of a policy have signed a checkpoint, and when (spec/witness.md,
// section 25).

import { utf8 } from "./bytes.js";
import { LARGEST, readCheckpoint } from "./checkpoint.js";
import { verify } from "./ed25519.js";
import { readNote } from "./note.js";
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
export async function signedTimes({ witnesses }, bytes, { anchor = false } = {}) {
  const { text, signatures } = readNote(bytes);
  readCheckpoint(text);
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
