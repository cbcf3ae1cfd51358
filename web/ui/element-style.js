// The style of <fairdeal-verify>, in its own tree: the page around it needs no style sheet of ours,
// and no exception in its policy.

import { ANSWER } from "./answer-style.js";

const RULES = `
:host {
  --paper: light-dark(#ffffff, #18211c); --sunk: light-dark(#e8e9e1, #0a0f0c); --ink: light-dark(#15201a, #e8efea);
  --soft: light-dark(#4d5a53, #a9b7ae); --line: light-dark(#d3d7cf, #2b3730); --edge: light-dark(#707d75, #7f8e86);
  --accent: light-dark(#0b5c46, #77d8b6); --on-accent: light-dark(#ffffff, #06130e);
  --good: light-dark(#0a6638, #74d797); --bad: light-dark(#a51c17, #ff968c); --unsure: light-dark(#6d4a00, #f1c667);
  --unsure-ground: light-dark(#fbf1d9, #33270a); --card: light-dark(#ffffff, #f4f2ea); --black: #15191c; --red: #bf1d1d;
  --cloth: light-dark(#4a5751, #28322d); --on-cloth: #ffffff; --on-soft: #e4ece7; --thread: rgb(255 255 255 / 34%);
  --hex: 13px; --small: 14px; --body: 16px; --verdict: 24px; --mono: ui-monospace, monospace;
  display: block; color-scheme: light dark; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 20px; padding: 12px;
  container-type: inline-size; font: 16px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; text-align: start;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
h2 { font-size: 19px; line-height: 1.3; }
h3, .part { font-size: 15px; margin-top: 8px; font-weight: 700; }
ul, ol { list-style: none; }
a { color: var(--accent); display: inline-flex; align-items: center; min-height: 44px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.all { display: flex; flex-direction: column; gap: 10px; }
.theirs { display: inline-block; max-width: 100%; overflow: clip; overflow-clip-margin: .3em; vertical-align: top; }
.cloth { border-radius: 14px; padding: 20px; color: var(--on-cloth); background: var(--cloth); }
.cloth.fair { --cloth: light-dark(#1b694a, #123f2e); } .cloth.unproved { --cloth: light-dark(#815a10, #523a0c); } .cloth.caught { --cloth: light-dark(#6f2620, #4a1a16); } .cloth.late { --cloth: light-dark(#815a10, #523a0c); }
.sign { flex: none; fill: none; stroke: var(--soft); stroke-width: 4.5; stroke-linecap: round; stroke-linejoin: round; }
summary { cursor: pointer; min-height: 44px; display: flex; align-items: center; gap: 8px; }
summary::before { content: ""; flex: none; width: 9px; height: 9px; border: solid var(--soft); border-width: 0 2.5px 2.5px 0; transform: rotate(-45deg); margin: 0 4px; }
details[open] > summary::before { transform: rotate(45deg); }
.cards { display: flex; flex-wrap: wrap; gap: 4px; }
.card { display: block; width: 36px; height: 50px; overflow: visible; }
.face { fill: var(--card); stroke: #8d978f; }
.c, .s { fill: var(--black); } .d, .h { fill: var(--red); } .x { fill: #5a3d8a; }
.back { fill: var(--accent); } .weave { stroke: var(--on-accent); fill: none; }
.card text { font: 700 24px system-ui, sans-serif; }
.item { border: 1px solid var(--edge); border-radius: 5px; padding: 1px 8px; }
.cards li { position: relative; }
li.differs::after { content: "×"; position: absolute; right: -8px; top: -9px; width: 22px; height: 22px; border-radius: 50%; font-size: 17px; font-weight: 700; text-align: center; }
dt, .soft { color: var(--soft); }
.small { font-size: 14px; }
.note { border-inline-start: 4px solid var(--unsure); padding-inline-start: 8px; }
.bytes, .shell { background: var(--sunk); border-radius: 5px; padding: 8px; font: inherit; font-size: 13px; white-space: pre-wrap; max-height: 220px; overflow: auto; }
.shell { display: flex; gap: 8px; } .shell code { flex: 1; font: inherit; font-size: 13px; }
.escape { border: 1px solid var(--edge); border-radius: 3px; font-size: 0.8em; color: var(--unsure); }
.silent { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
button { font: inherit; min-height: 44px; min-width: 44px; padding: 4px 12px; color: inherit; background: none; border: 1px solid var(--edge); border-radius: 22px; cursor: pointer; }
button.plain { border: 0; color: var(--accent); text-decoration: underline; }
`;

/** A page of others has several receipts: none of them moves. */
const STILL = ".answer, .answer * { animation: none !important; }";

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** @returns {CSSStyleSheet} one sheet for all elements of a page */
export function elementStyle() {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES + ANSWER + STILL);
  }
  return sheet;
}
