// The signatures inside entries: the log's signature of a `seen`, players' signatures, and those of
// witnesses in anchors (spec/ledger.md, sections 8.2 and 8.3).

import { Beacons } from "./beacon.js";
import { base64OrNull, fromHex, toHex, utf8 } from "./bytes.js";
import { checkpointText } from "./checkpoint.js";
import { signedMessage } from "./contribution.js";
import { anchorCosigned } from "./cosignature.js";
import { verify } from "./ed25519.js";
import { contributionsOf, nonceOf } from "./entry.js";

/**
 * @typedef {import("./key.js").Key} Key
 * @typedef {import("./contribution.js").Contribution} Contribution
 * @typedef {import("./contribution.js").Seen} Seen
 */

/**
 * The results of verifying the signatures of an entry, for each contribution: null if there is no
 * signature, if it is skipped, or if this platform cannot verify it.
 * @typedef {object} Checks
 * @property {(boolean | null)[]} seen
 * @property {(boolean | null)[]} signatures
 * @property {import("./cosignature.js").Cosigned | null} [cosigned] of an anchor, with a policy
 * @property {boolean} unknown whether this platform could not verify one of them
 */

/** @type {Checks} */
const NOTHING = { seen: [], signatures: [], unknown: false };

/**
 * Whether the log signed the checkpoint that a player saw.
 * @param {Key} key of the log
 * @param {Seen} seen
 * @returns {Promise<boolean | null>}
 */
export async function verifySeen(key, { size, root, signature }) {
  const bytes = base64OrNull(signature);
  if (bytes === null || bytes.length !== 68 || toHex(bytes.subarray(0, 4)) !== key.id) return false;
  return verify(
    key.publicKey,
    utf8(checkpointText(key.name, size, fromHex(root))),
    bytes.subarray(4),
  );
}

/**
 * Whether a player signed a contribution to this round.
 * @param {Key} log
 * @param {string} commitment
 * @param {number} nonce
 * @param {Contribution} contribution
 * @returns {Promise<boolean | null>} false if there is no signature
 */
export async function verifyContribution(log, commitment, nonce, contribution) {
  const signature = base64OrNull(contribution.signature);
  if (contribution.key === undefined || signature === null) return false;
  return verify(
    fromHex(contribution.key),
    signedMessage(log, commitment, nonce, contribution),
    signature,
  );
}

/**
 * Verifies the signatures of entries under one key. It remembers the checkpoints that players saw,
 * because many players saw the same one.
 */
export class Verifier {
  /**
   * @param {Key} key of the log
   * @param {boolean} [skip] whether to leave out the signatures of players
   * @param {import("./policy.js").Policy | null} [policy] without it, anchors have no signatures
   * @param {Beacons} [beacons] chains, which meet each commit here
   */
  constructor(key, skip = false, policy = null, beacons = new Beacons(null)) {
    this.key = key;
    this.skip = skip;
    this.policy = policy;
    this.beacons = beacons;
    /** @type {Map<string, Promise<boolean | null>>} */
    this.known = new Map();
  }

  /**
   * @param {Seen} seen
   * @returns {Promise<boolean | null>}
   */
  seen(seen) {
    const name = `${seen.size} ${seen.root} ${seen.signature}`;
    let coming = this.known.get(name);
    if (coming === undefined) {
      if (this.known.size >= 4096) this.known.clear();
      coming = verifySeen(this.key, seen);
      this.known.set(name, coming);
    }
    return coming;
  }

  /**
   * The result of verifying an entry; not a promise if the entry has no signatures.
   * @param {import("./entry.js").Entry} entry
   * @returns {Checks | Promise<Checks>}
   */
  check({ entry }) {
    if (entry === null) return NOTHING;
    if (entry.entry === "anchor") return this.policy === null ? NOTHING : this.anchor(entry);
    if (entry.entry === "commit") return this.beacons.meet(entry)?.then(() => NOTHING) ?? NOTHING;
    const contributions = contributionsOf(entry);
    if (!contributions.some(({ seen, key }) => seen !== undefined || key !== undefined))
      return NOTHING;
    return this.verify(entry.commitment, nonceOf(entry) ?? 0, contributions);
  }

  /**
   * @param {import("./entry.js").Anchor} entry
   * @returns {Promise<Checks>}
   */
  async anchor(entry) {
    const { policy, key } = this;
    const cosigned = policy === null ? null : await anchorCosigned(policy, key.name, entry);
    return { ...NOTHING, cosigned, unknown: cosigned === null };
  }

  /**
   * @param {string} commitment
   * @param {number} nonce
   * @param {readonly Contribution[]} contributions
   * @returns {Promise<Checks>}
   */
  async verify(commitment, nonce, contributions) {
    const [seen, signatures] = await Promise.all([
      Promise.all(
        contributions.map((each) => (each.seen === undefined ? true : this.seen(each.seen))),
      ),
      Promise.all(
        contributions.map((each) =>
          each.key === undefined || this.skip
            ? true
            : verifyContribution(this.key, commitment, nonce, each),
        ),
      ),
    ]);
    return { seen, signatures, unknown: seen.includes(null) || signatures.includes(null) };
  }
}
