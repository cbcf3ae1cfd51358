// The style of the page watch.html. It is a module, so that the other pages do not load it.

export const WATCH = `
.player { gap: 12px; }
.sentence { font-size: 20px; line-height: 1.35; min-height: 2.7em; font-weight: 600; }
.stage-box { width: 100%; border-radius: 6px; }
.stage { display: block; width: 100%; overflow: visible; }
.stage .zone-name { font-size: 14px; fill: var(--soft); }
.stage .line { stroke: var(--edge); stroke-width: 2; }
.stage .face { fill: var(--card); stroke: var(--card-edge); }
.stage .c { fill: var(--suit-c); }
.stage .d { fill: var(--suit-d); }
.stage .h { fill: var(--suit-h); }
.stage .s { fill: var(--suit-s); }
.stage .x { fill: #5a3d8a; }
.stage .piece text { font: 700 24px system-ui, sans-serif; }
.stage .piece.name text { font: 600 15px system-ui, sans-serif; fill: var(--ink); }
.stage .box { fill: var(--paper); stroke: var(--edge); }
.stage .moves .face, .stage .moves .box { stroke: var(--accent); stroke-width: 4; }
.stage .settled .box { fill: var(--good-ground); }
.word-box { display: flex; flex-direction: column; gap: 10px; min-height: 216px; }
.bars { display: flex; flex-direction: column; gap: 4px; }
.bar { display: block; width: 100%; height: 30px; }
.bar .ground { fill: var(--sunk); stroke: var(--edge); }
.bar .tick { stroke: var(--line); vector-effect: non-scaling-stroke; }
.bar .chosen { fill: var(--accent); }
.bar .chosen-not { fill: var(--bad); opacity: 0.5; }
.bar .needle { stroke: var(--ink); stroke-width: 3px; vector-effect: non-scaling-stroke; }
.bar .hatch-ground { fill: var(--bad-ground); }
.bar .hatch { stroke: var(--bad); stroke-width: 4; }
.word-facts dd { font-weight: 600; }
.accepted dd { color: var(--good); }
.refused dd { color: var(--bad); }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 24px; border-top: 1px solid var(--line); padding-top: 12px; }
.controls button { min-width: 48px; }
.icon { width: 20px; height: 20px; fill: currentColor; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
#play { min-width: 112px; }
.slide { display: flex; align-items: center; gap: 12px; flex: 1 1 220px; }
.slide span { white-space: nowrap; }
.lab-row { align-items: flex-end; }
.lab-row .field { flex: 1 1 240px; max-width: 420px; }
.heats { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr)); gap: 24px; }
.heat { display: flex; flex-direction: column; gap: 8px; }
.heat canvas { width: 100%; max-width: 560px; image-rendering: pixelated; border: 1px solid var(--edge); }
.heat-says { min-height: 3em; }
.heat-says.even { color: var(--good); }
.heat-says.uneven { color: var(--bad); }
.counter { font-size: 20px; font-weight: 700; }
.legend { display: grid; grid-template-columns: repeat(3, 1fr); max-width: 420px; gap: 2px; }
.legend canvas { grid-column: 1 / -1; width: 100%; height: 12px; border: 1px solid var(--edge); }
.legend span:nth-of-type(2) { text-align: center; }
.legend span:nth-of-type(3) { text-align: end; }

@media (max-width: 520px) {
  .sentence { font-size: 17px; min-height: 4.5em; }
  .controls .row { gap: 3px; flex-wrap: nowrap; }
  .controls button { padding: 8px 4px; min-width: 44px; }
  #play { min-width: 72px; font-size: 15px; }
}
`;
