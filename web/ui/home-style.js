// The style of the home page's parts that need a log.

export const HOME = `
/* Find my hand. */
.find { display: grid; grid-template-columns: minmax(0, 1.2fr) minmax(0, 1.2fr) minmax(0, 1fr) auto; gap: 10px; align-items: end; }
.start .find input, .start .find select { border-color: var(--thread); background-color: rgb(0 0 0 / 22%); color: var(--on-cloth); color-scheme: dark; }
.find option { color: initial; }
.find .field { font-size: var(--small); }
.find input, .find select { font-size: var(--body); }
.found { margin-top: var(--space-2); display: flex; flex-direction: column; gap: 4px; }
.found .hands { max-height: 330px; overflow: auto; }

/* Hands in a short list. */
.latest { min-width: 0; min-height: 420px; }
.latest-head { display: flex; justify-content: space-between; align-items: baseline; gap: 12px; padding-bottom: 10px; }
.latest .live { font-size: var(--small); color: var(--on-soft); display: flex; gap: 8px; align-items: baseline; text-align: end; }
.latest[data-connection="live"] .live::before { content: ""; width: 9px; height: 9px; border-radius: 50%; background: #7fe0a8; align-self: center; }
.hands li { border-top: 1px solid var(--thread); }
.hands .fresh { animation: fresh 320ms ease-out; }
@keyframes fresh { from { opacity: 0; transform: translateY(-12px); } }
.start .hand-row { width: 100%; min-height: 62px; border: 0; border-radius: 8px; padding: 6px 4px; justify-content: space-between; gap: 12px; text-align: start; }
.hand-row .about { min-width: 0; }
.hand-row .about > strong { display: flex; white-space: pre; overflow-wrap: normal; }
.hand-row strong > bdi.theirs { flex: 0 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: pre; }
.hand-row .about > * { display: block; }
.hand-row .about .soft { font-size: var(--small); }
.hand-row[data-state="caught"] .soft { color: #ffc9c2; font-weight: 700; }
.minis { display: flex; gap: 4px; flex: none; }
.minis .mini { width: 26px; height: 36px; filter: none; }
.mini .back { fill: #0b5c46; }
.mini .weave { stroke: #ffffff; }
.mini text { font: 800 15px system-ui, sans-serif; }
.mini-item { border: 1px solid var(--thread); border-radius: 6px; padding: 0 8px; font-size: var(--small); }
.judged { border-top: 1px solid var(--thread); padding-top: 10px; }
.judged:empty { display: none; }
.told { grid-column: 1 / -1; }
.told:empty { display: none; }

/* Three numbers. */
.numbers { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--space-3) var(--space-4); padding: 28px 0 var(--space-3); }
.figure strong { display: block; font-size: 40px; line-height: 1.15; letter-spacing: -0.01em; }
.figure strong:empty { display: none; }
.figure[data-overdue="true"] .soft { color: var(--bad); font-weight: 700; }
.audited { display: flex; flex-direction: column; align-items: flex-start; gap: 4px; }
.audited progress { width: 100%; height: 6px; margin-top: 6px; appearance: none; border: 0; border-radius: 3px; background: var(--line); overflow: hidden; }
.audited progress::-webkit-progress-bar { background: var(--line); }
.audited progress::-webkit-progress-value { background: var(--good); border-radius: 3px; }
.audited progress::-moz-progress-bar { background: var(--good); }
.audited button.plain { padding: 8px 0; }
.audited[data-state="caught"] .figure { color: var(--bad); }
.audited a { min-height: var(--target); display: inline-flex; align-items: center; }

@media (max-width: 1000px) {
  .latest { min-height: 0; }
}

@media (max-width: 640px) {
  .find { grid-template-columns: 1fr 1fr; }
  .find .which, .find > button { grid-column: 1 / -1; }
  .minis .mini { width: 22px; height: 31px; }
  .minis { gap: 3px; }
  .numbers { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 20px; }
  .numbers .audited { grid-column: 1 / -1; }
  .figure strong { font-size: 32px; }
}
`;
