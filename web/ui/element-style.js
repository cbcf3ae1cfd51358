// The style of <fairdeal-verify>, in its own tree: the page around it needs no style sheet of ours,
// and no exception in its policy.

const RULES = `
:host {
  --paper: light-dark(#ffffff, #18211c); --sunk: light-dark(#e9ede8, #0b100d); --ink: light-dark(#15201a, #e8efea);
  --soft: light-dark(#4a5850, #adbab2); --line: light-dark(#c3ccc5, #3a4840); --edge: light-dark(#707d75, #7f8e86);
  --accent: light-dark(#0a5c48, #77d8b6); --on-accent: light-dark(#ffffff, #06130e);
  --good: light-dark(#0a6638, #74d797); --bad: light-dark(#a51c17, #ff968c); --unsure: light-dark(#6d4a00, #f1c667);
  --card: light-dark(#ffffff, #f4f2ea); --black: #15191c; --red: #bf1d1d;
  display: block; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 14px;
  font: 16px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; text-align: start;
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
.verdict { display: flex; gap: 12px; align-items: center; }
.word { font-weight: 700; }
.says { font-size: 14px; }
.theirs { display: inline-block; max-width: 100%; overflow: clip; overflow-clip-margin: .3em; vertical-align: top; }
.sign { flex: none; width: 44px; height: 44px; fill: none; stroke: var(--soft); stroke-width: 4.5; stroke-linecap: round; stroke-linejoin: round; }
.fair .sign, .shown > summary .sign { stroke: var(--good); }
.caught .sign, .wrong > summary .sign { stroke: var(--bad); }
.unreadable .sign, .unproved .sign { stroke: var(--unsure); }
.missing > summary .outline { stroke-dasharray: 7 6; }
summary { cursor: pointer; min-height: 44px; display: flex; align-items: center; gap: 8px; }
summary::before { content: "›"; font-weight: 700; width: 12px; text-align: center; }
details[open] > summary::before { content: "⌄"; }
summary .sign { width: 22px; height: 22px; }
.cards { display: flex; flex-wrap: wrap; gap: 4px; }
.card { display: block; width: 36px; height: 50px; }
.face { fill: var(--card); stroke: #8d978f; }
.c, .s { fill: var(--black); } .d, .h { fill: var(--red); } .x { fill: #5a3d8a; }
.back { fill: var(--accent); } .weave { stroke: var(--on-accent); fill: none; }
.card text { font: 700 24px system-ui, sans-serif; }
.item { border: 1px solid var(--edge); border-radius: 5px; padding: 1px 8px; }
.panel { display: flex; flex-direction: column; gap: 6px; padding-top: 6px; }
.cards li { position: relative; }
.differs::after { content: "✗"; position: absolute; right: -4px; top: -7px; width: 18px; height: 18px; border-radius: 50%; background: var(--bad); color: var(--paper); font-size: 12px; font-weight: 700; line-height: 18px; text-align: center; }
.differs .face { stroke: var(--bad); stroke-width: 4; }
.place { display: block; text-align: center; font-size: 12px; color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 14px; }
dt, .soft { color: var(--soft); }
.who { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(200px, 100%), 1fr)); gap: 8px; }
.from { font-weight: 700; }
.small { font-size: 14px; }
.note, p.wrong { border-inline-start: 4px solid var(--unsure); padding-inline-start: 8px; }
.bytes, .shell { background: var(--sunk); border-radius: 5px; padding: 8px; font: inherit; font-size: 13px; white-space: pre-wrap; max-height: 220px; overflow: auto; }
.shell { display: flex; gap: 8px; } .shell code { flex: 1; font: inherit; font-size: 13px; }
.escape { border: 1px solid var(--edge); border-radius: 3px; font-size: 0.8em; color: var(--unsure); }
.inside { padding-bottom: 8px; }
.silent { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
button { font: inherit; min-height: 44px; min-width: 44px; color: var(--accent); background: none; border: 1px solid var(--edge); border-radius: 8px; cursor: pointer; }
`;

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** @returns {CSSStyleSheet} one sheet for all elements of a page */
export function elementStyle() {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES);
  }
  return sheet;
}
