// Tells a policy from other files.

/**
 * Whether each line of a file begins like one of a policy, and one names a witness or the quorum.
 * @param {Uint8Array} bytes
 * @returns {boolean}
 */
export function isPolicy(bytes) {
  // Its names may have octets that are not UTF-8.
  const lines = new TextDecoder("latin1").decode(bytes.subarray(0, 1_048_576)).split("\n");
  const words = lines
    .map((line) => line.trim().split(/[ \t]/, 1)[0])
    .filter((word) => word !== "" && !word.startsWith("#"));
  return (
    words.every((word) => /^(log|witness|group|quorum)$/.test(word)) &&
    words.some((word) => word === "witness" || word === "quorum")
  );
}
