// The style of the card that shows a log's key. Its width is that of the place where it is put.

export const KEY = `
:has(> .key-card) { container-type: inline-size; }
.key-card { border-radius: 24px; padding: 28px 32px; background: var(--unsure-ground); display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 18px 40px; align-items: center; }
.key-card > * { grid-column: 1 / -1; }
.key-card h2 { display: flex; gap: 12px; color: var(--unsure); text-wrap: balance; }
.key-card[data-state="uncompared"] > .stack { grid-column: 1; max-width: 62ch; }
.key-card[data-state="uncompared"] > .key-text { grid-column: 2; grid-row: 1 / span 2; }
.key-card[data-state="uncompared"] > .row { grid-column: 1; }
.warning { width: 24px; height: 24px; flex: none; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; fill: var(--unsure); stroke: var(--unsure); }
.warning path:last-child { stroke: var(--unsure-ground); }
.key-card .button, .key-card button { border-color: var(--unsure); color: var(--unsure); background: none; font-weight: 600; }
.key-card button:hover { background: color-mix(in srgb, var(--unsure) 12%, transparent); }
.key-card button.first { background: var(--unsure); border-color: var(--unsure); color: var(--unsure-ground); }
.key-card button.first:hover { background: color-mix(in srgb, var(--unsure) 86%, var(--ink)); }
.key-card button.plain { justify-self: start; padding: 8px 0; border-color: transparent; color: var(--ink); font-weight: 400; }
.key-groups { display: grid; grid-template-columns: repeat(4, max-content); gap: 8px 22px; font: 700 var(--body)/1.5 var(--mono); }
.key-name { display: flex; align-items: center; gap: 4px; font: var(--hex)/1.4 var(--mono); color: var(--soft); margin-top: 4px; }
.key-name .line { width: 18px; height: 18px; }
.typed { max-width: 640px; }
.typed textarea { font-family: var(--mono); min-height: 72px; }
.key-card[data-state="kept"] { background: none; padding: 0 4px; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 24px; font-size: var(--small); }
.key-card[data-state="kept"] button.plain { color: var(--accent); padding: 8px 0; }
.key-state strong::before { content: ""; display: inline-block; width: 10px; height: 10px; border-radius: 50%; background: currentColor; margin-right: 8px; }
[data-compared="true"] .key-state strong { color: var(--good); }
.key-card[data-state="differs"] { background: var(--bad-ground); }
.key-card[data-state="differs"] h2, .key-card[data-state="differs"] .warning { color: var(--bad); fill: var(--bad); stroke: var(--bad); }
.key-card[data-state="differs"] .warning path:last-child { stroke: var(--bad-ground); }
.key-card[data-state="differs"] .key-groups { text-decoration: line-through; text-decoration-thickness: 1px; }
.key-card .facts code { font: var(--hex)/1.5 var(--mono); }
.key-card .key-form { background: none; padding: 8px 0; max-width: 640px; }
.key-card > .row { column-gap: 20px; }

@container (max-width: 640px) {
  .key-card { padding: 24px 20px; display: flex; flex-direction: column; align-items: stretch; }
  .key-groups { justify-content: space-between; column-gap: 8px; }
}
`;
