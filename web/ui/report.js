// The page's report on the given files.

import { isWithoutDeal } from "../fairdeal/findings.js";
import { drawMore } from "./more.js";
import { headlineOf, headlineOfAll } from "./sentence.js";
import { drawSteps, wrongList } from "./steps.js";
import { t, time } from "./strings.js";
import { el, plain, theirs } from "./text.js";
import { drawBrought, drawFacts, drawHeadline, drawResult } from "./verdict.js";

/**
 * @typedef {import("./sentence.js").Headline} Headline
 * @typedef {import("./inputs.js").GivenKey} GivenKey
 * @typedef {import("../workers/dossier.js").Dossier} Dossier
 * @typedef {import("../fairdeal/index.js").Verdicts} Verdicts
 * @typedef {import("../fairdeal/index.js").Kept} Kept
 */

/**
 * @typedef {object} Answer
 * @property {Verdicts} verdicts
 * @property {import("./sentence.js").Compared[]} compared
 * @property {(Dossier | null)[]} dossiers
 * @property {string[] | null} items
 * @property {Kept[]} mine what the reader brought, also in evidence that the reader kept
 * @property {import("./drop.js").GivenFile[]} files that were judged
 */

/**
 * @typedef {object} Given
 * @property {string[]} names of the files that were given
 * @property {GivenKey} key
 * @property {string} more options of `fairdeal verify` for the inputs other than the files
 * @property {(key: string) => void} forget
 */

/** The maximum number of files with findings that are open at first. */
const MOST_OPENED = 10;

/**
 * @param {Answer} answer
 * @param {Given} given
 * @returns {{found: Headline, drawn: Node}}
 */
export function drawReport({ verdicts, compared, dossiers, items, mine, files }, given) {
  const found = headlineOfAll(verdicts, dossiers, mine);
  const several = verdicts.receipts.length > 1 || verdicts.findings.length > 0;
  const drawn = el(
    "div",
    { class: "stack" },
    drawKey(given),
    verdicts.continues === undefined
      ? null
      : el("p", { class: "panel" }, t("v.continues", { n: verdicts.continues })),
  );
  if (several && verdicts.findings.length > 0) {
    const shell = {
      files: given.names,
      key: given.key.text,
      more: given.more,
    };
    drawn.append(wrongList(t("file.together"), verdicts.findings, null, shell));
  }
  const asked = verdicts.receipts.filter(
    (each) => !("holds" in each && isWithoutDeal(each)),
  ).length;
  let opened = 0;
  verdicts.receipts.forEach((receipt, i) => {
    const inside = () =>
      "holds" in receipt
        ? drawOne(receipt, dossiers[i], items, files[i], { ...given, mine, compared: compared[i] })
        : [];
    if (!several) return drawn.append(...inside());
    const hasNoPart = "holds" in receipt && isWithoutDeal(receipt);
    // The headline of the page is then about this file.
    const isAsked = asked === 1 && !hasNoPart && verdicts.findings.length === 0;
    const own = headlineOf(receipt, dossiers[i], mine);
    const file = el(
      "details",
      { class: "one-file" },
      el(
        "summary",
        {},
        el(
          "span",
          { class: `state ${own.state}` },
          // The kept lock has no verdict of its own to know.
          hasNoPart && files[i].kept === true
            ? t("kind.kept")
            : t(/** @type {"file.none"} */ (`file.${own.state}`)),
        ),
        theirs(receipt.file, 80),
      ),
    );
    // Each of hundreds of files is drawn only when it is opened.
    const draw = () =>
      file.append(
        el("div", { class: "stack" }, isAsked ? null : drawHeadline(own, "h2"), ...inside()),
      );
    const wrong = "findings" in receipt && receipt.findings.length > 0;
    if ((wrong || isAsked) && opened++ < MOST_OPENED) {
      draw();
      file.open = true;
    } else {
      const first = () => {
        file.removeEventListener("toggle", first);
        draw();
      };
      file.addEventListener("toggle", first);
    }
    drawn.append(file);
  });
  return { found, drawn };
}

/**
 * @param {Verdicts["receipts"][0] & {holds: boolean}} verdict
 * @param {Dossier | null} dossier
 * @param {string[] | null} items
 * @param {{name: string, bytes: Uint8Array}} file
 * @param {Given & {mine: Kept[], compared: import("./sentence.js").Compared}} given
 * @returns {Node[]}
 */
function drawOne(verdict, dossier, items, file, { key, mine, more, compared }) {
  const judged = /** @type {import("./sentence.js").Verdict} */ (/** @type {unknown} */ (verdict));
  return [
    drawFacts(judged, dossier),
    drawResult(judged, dossier, items),
    drawBrought(judged, dossier, mine, compared),
    drawSteps(judged, dossier, { files: [file.name], key: key.text, more }),
    drawMore(file, dossier),
  ].filter((each) => each !== null);
}

/**
 * The key and its source.
 * @param {Given} given
 * @returns {HTMLElement}
 */
function drawKey({ key: { text, source }, forget }) {
  const from = {
    typed: () => t("key.typed"),
    example: () => t("key.example"),
    link: () => t("key.link"),
    file: () => t("key.file", { name: "name" in source ? plain(source.name) : "" }),
    kept: () =>
      source.how !== "kept"
        ? ""
        : source.from === ""
          ? t("key.kept", { when: time(source.when) })
          : t("key.kept-from", { when: time(source.when), from: plain(source.from) }),
  }[source.how]();
  return el(
    "div",
    { class: `key-line${source.how === "link" || source.how === "example" ? " note" : ""}` },
    el("p", { class: "small" }, t("key.is"), " ", theirs(text, 300)),
    el("p", { class: "small soft" }, from),
    source.how === "kept"
      ? el("button", { type: "button", class: "plain", click: () => forget(text) }, t("key.forget"))
      : null,
  );
}
