// A raffle's page as one file. The command writes such files, with a raffle or without one; and such a
// file writes others, for an organiser who has no service and no command.

import { toBase64, utf8 } from "../../fairdeal/bytes.js";
import { sha256 } from "../../fairdeal/sha256.js";

/** The origin of a server, as a policy can have it: a host's name may have a semicolon. */
const SERVER = /^https?:\/\/[a-z0-9.:[\]-]+$/;
const MODULE = 'script[type="module"]:not([src])';

/** Whether this page is one file, with all its code. */
export const isWhole = () => document.querySelector(MODULE) !== null;

/**
 * The name of a raffle's page as a file: it may be saved beside others.
 * @param {import("../../workers/raffle.js").RaffleFacts} facts
 */
export const nameOf = ({ number }) => `raffle-${number.slice(0, 4)}.html`;

/**
 * The promise as a file: this page with it, if the page is one file, and otherwise the document.
 * @param {{facts: import("../../workers/raffle.js").RaffleFacts | null, file: string | null,
 *   relays: readonly string[]}} raffle `file`: the document
 * @param {Uint8Array | null} list the file of the list
 * @param {string | null} key
 * @returns {{name: string, content: string}}
 */
export function promiseFile({ facts, file, relays }, list, key) {
  const document = file ?? "";
  if (!isWhole() || facts === null || list === null || key === null)
    return { name: "raffle.json", content: document };
  const lines = new TextDecoder().decode(list);
  return { name: nameOf(facts), content: pageWith({ document, list: lines, key }, relays) };
}

/**
 * This page with a raffle in it. Of this page's head only what the content security policy names by
 * its hash is copied: an extension of the browser may have put more there.
 * @param {{document: string, list: string, key: string}} raffle the document is JSON
 * @param {readonly string[]} relays that the page may ask for the number
 * @returns {string}
 */
export function pageWith({ document: file, list, key }, relays) {
  const meta = document.head.querySelector('meta[http-equiv="Content-Security-Policy"]');
  const policy = meta?.getAttribute("content") ?? "";
  const texts = (/** @type {string} */ selector) =>
    [...document.head.querySelectorAll(selector)]
      .map(({ textContent }) => textContent ?? "")
      .filter((text) => policy.includes(`'sha256-${toBase64(sha256(utf8(text)))}'`));
  const known = relays.filter((relay) => URL.canParse(relay) && SERVER.test(new URL(relay).origin));
  const servers = [...new Set(known.map((relay) => new URL(relay).origin))].join(" ");
  const data = `{"document":${file},"list":${JSON.stringify(list)},"key":${JSON.stringify(key)},"relays":${JSON.stringify(known)}}`;
  const [script] = texts(MODULE);
  if (script === undefined) throw new Error("this page has no code that its policy names");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.replace(/connect-src [^;]*/, `connect-src 'self' ${servers}`)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Raffle · fairdeal</title>
<link rel="icon" href="data:,">
${texts("style")
  .map((style) => `<style>${style}</style>`)
  .join("\n")}
<script type="application/json" id="raffle">${data.replaceAll("<", "\\u003c")}</script>
<script type="module">${script}</script>
<body>
<main><noscript>This page checks a raffle in your browser. It needs JavaScript. If you see this in the preview of a message, save the file and open it in a browser.</noscript></main>
</body>
</html>
`;
}
