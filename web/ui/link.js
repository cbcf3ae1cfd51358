// A receipt as part of a link. The part after `#` is never sent to a server.

/** Many programs cut longer links. */
export const MOST_LINK = 8000;

const MOST_BYTES = 16 * 1024 * 1024;

/** What a link may say of the key. */
const NAME = /^[^\s+]+\+[0-9a-f]{8}$/;

/**
 * @param {Uint8Array<ArrayBuffer>} bytes of a receipt
 * @param {string} [name] of the key that is meant, without the key: the reader takes the key from
 *   another place
 * @returns {Promise<string>} the part after `#`
 */
export async function toFragment(bytes, name = "") {
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const receipt = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `receipt=${receipt}${NAME.test(name) ? `&key=${encodeURIComponent(name)}` : ""}`;
}

/**
 * @typedef {object} Linked
 * @property {Uint8Array<ArrayBuffer>} receipt
 * @property {string | null} key a whole key, as older links have it
 * @property {string | null} name of the key that is meant
 */

/**
 * The receipt of a link, and what the link says of the key.
 * @param {string} fragment with or without `#`
 * @returns {Promise<Linked | null>} null if the link has no receipt
 * @throws if the receipt cannot be read
 */
export async function fromFragment(fragment) {
  const members = new Map(
    fragment
      .replace(/^#/, "")
      .split("&")
      .map((member) => {
        const at = member.indexOf("=");
        return [member.slice(0, at), member.slice(at + 1)];
      }),
  );
  const text = members.get("receipt");
  if (text === undefined) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const receipt = await through(
    Uint8Array.from(binary, (char) => char.charCodeAt(0)),
    new DecompressionStream("deflate-raw"),
  );
  const key = members.has("key") ? decodeURIComponent(members.get("key") ?? "") : null;
  const isName = key !== null && NAME.test(key);
  return { receipt, key: isName ? null : key, name: isName ? key : null };
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  /** @type {BlobPart[]} */
  const pieces = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST_BYTES) throw new Error("the link holds more than 16 MB");
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
