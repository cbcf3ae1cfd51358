// Verifies and deals again, away from the page. The pages use the protocol only through this
// worker.

import { utf8 } from "../fairdeal/bytes.js";
import { example } from "../example.js";
import { replay } from "../fairdeal/index.js";
import { deckCards, readList } from "../fairdeal/deck.js";
import { evidence } from "../fairdeal/evidence.js";
import { judgeFiles } from "../fairdeal/verify.js";
import { dossier, dossierOf } from "./dossier.js";
import "./beacons.js";
import { readFor } from "./policy.js";
import { sortFile } from "./sort.js";

/**
 * @typedef {import("../fairdeal/index.js").VerifyOptions} VerifyOptions
 * @typedef {import("../fairdeal/index.js").ReplayInput} ReplayInput
 */

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The answer to each question. @type {Record<string, (question: any) => unknown>} */
const ANSWERS = {
  /** @param {{files: {name: string, bytes: Uint8Array}[]}} question */
  sort: ({ files }) => Promise.all(files.map(({ name, bytes }) => sortFile(name, bytes))),

  /**
   * @param {{files: {name: string, bytes: Uint8Array, kept: boolean}[], options: VerifyOptions,
   *   policy?: Uint8Array}} question
   */
  async verify({ files, options: given, policy: bytes }) {
    const started = performance.now();
    const believed = readFor(bytes, given.key);
    const options = believed === null ? given : { ...given, policy: believed.policy };
    const judged = await judgeFiles(
      files.map(({ name, bytes, kept }) => ({ name, file: bytes, kept })),
      options,
    );
    const took = performance.now() - started;
    const items = options.list === undefined ? null : readList(options.list);
    return {
      verdicts: judged.verdicts,
      compared: judged.compared,
      mine: judged.mine,
      took,
      // Of evidence, each file in it.
      files: judged.files.map(({ name, file, kept }) => ({
        name,
        kept,
        bytes: typeof file === "string" ? utf8(file) : file,
      })),
      dossiers: judged.files.map(({ value }) => dossierOf(value, options.key)),
      items,
      policy: believed?.facts ?? null,
    };
  },

  /**
   * @param {{input: ReplayInput, list?: Uint8Array, most?: number}} question `most` items: a trace
   *   of a million steps would not fit into a page. A longer deck is only counted
   */
  replay({ input, list, most = Infinity }) {
    const items = list === undefined ? null : readList(list);
    const deck = items?.length ?? input.deck ?? "standard-52";
    const first = typeof deck === "string" ? deckCards(deck) : null;
    const count = first?.length ?? Number(deck);
    if (count > most) return { replayed: null, items: null, first: null, count };
    return { replayed: replay({ ...input, deck }), items, first, count };
  },

  /**
   * The judged files as evidence for others, without what the reader brought.
   * @param {{key: string, files: {name: string, bytes: Uint8Array}[], since?: Uint8Array}} question
   */
  evidence: ({ key, files, since }) =>
    evidence(
      key,
      {
        files: files
          .filter(({ bytes }) => dossier(bytes) !== null)
          .map(({ name, bytes }) => ({ name, text: decoder.decode(bytes) })),
        mine: [],
        since: since === undefined ? [] : [{ checkpoint: decoder.decode(since) }],
      },
      [],
    ),

  example: () => example,

  /** @param {{files: {bytes: Uint8Array}[]}} question */
  dossier: ({ files }) => files.map(({ bytes }) => dossier(bytes)),
};

addEventListener("message", async ({ data }) => {
  try {
    postMessage({ id: data.id, answer: await ANSWERS[data.ask](data) });
  } catch (error) {
    const { code = "fault", message } = /** @type {Error & {code?: string}} */ (error);
    postMessage({ id: data.id, error: { code, says: message } });
  }
});
