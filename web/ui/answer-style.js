// The style of an answer: the cloth's cards, the time line, what follows. It is a module, because
// the page verify.html loads it only with the first file, and because <fairdeal-verify> has its own
// tree. The widths are those of the container: the page's main part, or the element.

export const ANSWER = `
.answer { display: grid; grid-template-columns: 332px minmax(0, 1fr); gap: 60px; align-items: center; }
.answer.wide { grid-template-columns: minmax(0, 1fr); }
.cloth-hand, .cloth-side { min-width: 0; }
.cloth-side { display: flex; flex-direction: column; gap: 24px; }
.answer .verdict { display: flex; flex-direction: column; gap: 12px; }
.answer .meta, .answer .word { font-size: var(--small); color: var(--on-soft); font-weight: 400; }
.answer .sentence-line { display: flex; gap: 16px; align-items: center; }
.answer .sentence-line .sign { align-self: flex-start; width: 42px; height: 42px; }
.answer h1, .answer h2 { font-size: var(--verdict); line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
.answer .long { font-size: calc(var(--verdict) * .76); }
.answer .says { font-size: var(--body); color: var(--on-soft); max-width: 62ch; line-height: 1.45; text-wrap: pretty; }
.answer .sign .outline { fill: var(--on-cloth-sign); stroke: var(--on-cloth-sign); }
.answer .sign .mark { stroke: var(--cloth); stroke-width: 6; }
.cloth { --on-cloth-sign: #e4ece7; }
.cloth.fair, .cloth.holds { --on-cloth-sign: #b4f0c6; }
.cloth.unproved { --on-cloth-sign: #ffd77a; --on-soft: #f7ead0; }
.cloth.caught { --on-cloth-sign: #ffb3ac; --on-soft: #f8dedb; }
.cloth.late { --on-cloth-sign: #ffd77a; --on-soft: #f7ead0; }
.cloth.none .outline, .cloth.pending .outline { fill: none; stroke-width: 3; }
.cloth.none .mark, .cloth.pending .mark { stroke: var(--on-cloth-sign); stroke-width: 4; }

/* The hand. */
.whose, .duel { display: flex; flex-direction: column; align-items: center; gap: 20px; text-align: center; }
.fan { display: flex; flex-wrap: nowrap; justify-content: center; gap: 0; --large: 162px; }
.fan[data-n="3"] { --large: 128px; } .fan[data-n="4"] { --large: 108px; } .fan[data-n="5"] { --large: 98px; }
.fan .card { width: var(--large); height: calc(var(--large) * 1.4); }
.fan li { transform: rotate(var(--lean, 0deg)); }
.fan li + li { margin-left: calc(var(--large) * -.12); }
.fan:not([data-n="2"]) li + li { margin-left: calc(var(--large) * -.38); }
.fan[data-n="2"] li:nth-child(1), .fan[data-n="3"] li:nth-child(1) { --lean: -4deg; }
.fan[data-n="2"] li:nth-child(2), .fan[data-n="3"] li:nth-child(3) { --lean: 4deg; }
.fan[data-n="4"] li, .fan[data-n="5"] li { --lean: 2deg; }
.fan[data-n="4"] li:nth-child(-n+2), .fan[data-n="5"] li:nth-child(-n+2) { --lean: -2deg; }
.whose-hand strong { display: block; font-size: 19px; }
.whose-hand span { color: var(--on-soft); }
.choice { display: flex; flex-wrap: wrap; justify-content: center; border: 1px solid var(--thread); border-radius: 23px; overflow: hidden; }
.cloth .choice button { border: 0; border-radius: 0; padding: 8px 18px; }
.cloth .choice button[aria-pressed="true"] { background: #ffffff; color: #15201a; font-weight: 700; }
.duel { flex-direction: row; justify-content: center; gap: 22px; align-items: flex-start; }
.duel figure { display: flex; flex-direction: column; align-items: center; gap: 18px; margin: 0; position: relative; }
.duel .card { width: 148px; height: 207px; }
.duel .item { font-size: 19px; min-height: 90px; max-width: 148px; }
.duel figcaption { color: var(--on-soft); line-height: 1.35; }
.duel figcaption strong { display: block; font-size: 20px; color: var(--on-cloth); }
.unequal { align-self: flex-start; margin-top: 84px; font-size: 30px; font-weight: 700; color: var(--on-cloth-sign); }
.duel .differs::after { content: "×"; position: absolute; right: -16px; top: -16px; width: 38px; height: 38px; border-radius: 50%; border: 3px solid #ffffff; background: #b3261e; color: #ffffff; font-size: 26px; font-weight: 700; line-height: 30px; text-align: center; }
.cloth .differs .face { stroke: #e0443a; stroke-width: 5; }
.cloth .cards li.differs::after { background: #b3261e; color: #ffffff; border: 2px solid #ffffff; line-height: 15px; }

/* The other cards. */
.cloth-actions { display: flex; flex-direction: column; gap: 12px; }
.cloth-actions > * { display: flex; flex-direction: column; gap: 12px; }
.cloth .icon { width: 18px; height: 18px; }
.what-now { list-style: decimal; padding-inline-start: 22px; display: flex; flex-direction: column; gap: 6px; color: var(--on-soft); max-width: 62ch; }
.cloth-board > *, .cloth-board > div > div:not(.folded, .cards, .beside) { display: flex; flex-direction: column; gap: 20px; }
.beside { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; }
.groups { display: flex; flex-wrap: wrap; gap: 16px 24px; align-items: flex-end; }
.groups > div { display: flex; flex-direction: column-reverse; gap: 4px; min-width: 0; }
.groups dt { font-size: var(--small); color: var(--on-soft); font-weight: 400; max-width: 180px; }
.groups .cards { gap: 5px; }
.groups .card { width: 50px; height: 70px; }
.groups.large .card { width: 86px; height: 120px; }
.groups.hands.large .card { width: 72px; height: 101px; }
.groups.large .cards { gap: 8px; }
.folded { display: flex; flex-wrap: wrap; gap: 4px 24px; }
.folded summary { font-size: var(--small); color: var(--on-soft); padding-inline-end: 8px; flex-direction: row-reverse; justify-content: flex-end; }
.folded summary::before { border-color: var(--on-soft); transform: rotate(45deg) translate(-2px, -2px); }
.folded details[open] > summary::before { transform: rotate(225deg) translate(-2px, -2px); }
.folded .card { width: 42px; height: 59px; }
.cloth .item { color: #15201a; background: #ffffff; border-color: transparent; border-radius: 10px; padding: 4px 14px; font-weight: 600; }
.listed { counter-reset: place; }
.answer.wide .cards > li .card { width: 60px; height: 84px; }
.listed > li { display: flex; align-items: center; gap: 6px; counter-increment: place; margin-inline-end: 8px; }
.listed > li::before { content: counter(place); color: var(--on-soft); font-size: var(--small); }
.cloth .cards .place { color: var(--on-soft); }

/* Cards come in, and then the sentence. */
@keyframes card-in { from { opacity: 0; transform: translateY(-18px) rotate(0); } }
@keyframes said { from { opacity: 0; } }
.answer:not(.pending) .cards li, .duel figure { animation: card-in 320ms ease-out backwards; }
.answer .cards li:nth-child(2), .duel figure:last-child { animation-delay: 90ms; }
.answer .cards li:nth-child(3) { animation-delay: 180ms; }
.answer .cards li:nth-child(n+4) { animation-delay: 270ms; }
.answer:not(.pending) .verdict, .answer:not(.pending) .cloth-actions { animation: said 420ms ease-out 420ms backwards; }
.cloth { transition: background-color 400ms; }

/* How it was dealt. */
.timeline { display: flex; flex-direction: column; }
.timeline > li { position: relative; }
.timeline > li:not(:last-child)::before { content: ""; position: absolute; left: 104px; top: 34px; bottom: -8px; width: 2px; background: var(--line); }
.step.step, .finding.finding { border: 0; background: none; padding: 0; }
.step > summary { display: grid; grid-template-columns: 78px 28px minmax(0, 1fr) 20px; column-gap: 13px; align-items: start; padding: 6px 0 12px; list-style: none; cursor: pointer; position: relative; min-height: 44px; }
.step > summary::before { grid-column: 4; grid-row: 1; justify-self: end; margin-top: 5px; transform: rotate(45deg); }
.step[open] > summary::before { transform: rotate(225deg); margin-top: 11px; }
.step .at { grid-column: 1; grid-row: 1; color: var(--soft); font-size: var(--small); text-align: end; line-height: 26px; white-space: nowrap; }
.step > summary .sign { width: 27px; height: 27px; grid-row: 1; }
.step-text { grid-row: 1; display: flex; flex-direction: column; gap: 2px; line-height: 26px; }
.step-says { color: var(--soft); font-size: var(--small); line-height: 1.5; }
.step.wrong strong { color: var(--bad); }
.step.missing strong { color: var(--soft); }
.step.unclear strong, .step.missing:is([data-step="lock"], [data-step="seeds"]) strong { color: var(--unsure); }
.step .inside { padding: 0 0 20px 132px; display: flex; flex-direction: column; gap: 10px; font-size: var(--small); }
.step .sign .outline, .together .sign .outline { fill: var(--sign, var(--good)); stroke: var(--sign, var(--good)); }
.step .sign .mark { stroke: var(--paper); stroke-width: 6; }
.step.wrong { --sign: var(--bad); } .step.unclear { --sign: var(--unsure); }
.step.missing { --sign: var(--soft); --within: none; }
.step.missing:is([data-step="lock"], [data-step="seeds"]) { --sign: var(--unsure); --within: var(--unsure-ground); }
.step.missing .sign .outline { fill: var(--within); stroke: var(--sign); stroke-width: 2.5; }
.step.missing .sign .mark { stroke: var(--sign); stroke-width: 5; }
.who > li, .bytes-rows > div { display: grid; grid-template-columns: 108px minmax(0, 1fr); column-gap: 12px; align-items: center; border-bottom: 1px solid var(--line); min-height: 44px; }
.who > li:first-child, .bytes-rows > div:first-child { border-top: 1px solid var(--line); }
.who .mine .from { font-weight: 700; }
.who .about { grid-column: 2; color: var(--soft); padding-bottom: 8px; margin-top: -6px; }
.bytes-rows dt { color: var(--soft); }
.bytes-rows:empty { display: none; }
.hex-line { display: flex; align-items: center; gap: 8px; min-width: 0; }
.hex-line > .seed { flex: 1; min-width: 0; font: var(--hex)/1.6 var(--mono); overflow: clip; text-overflow: ellipsis; white-space: nowrap; color: var(--soft); }
.hex-line.whole > .seed { white-space: pre-wrap; overflow-wrap: anywhere; }
.copy { font-size: var(--small); flex: none; }
.findings-list { display: flex; flex-direction: column; gap: 14px; }
.finding { display: flex; flex-direction: column; gap: 6px; }

.finding .says { overflow-wrap: anywhere; }
.finding .accuses { color: var(--ink); }

/* How to go on. */
.key-line { display: flex; flex-wrap: wrap; align-items: center; gap: 0 12px; font-size: var(--small); color: var(--soft); padding-inline: 4px; margin-top: -10px; }
.key-line p { padding-inline-start: 18px; position: relative; padding-block: 10px; }
.key-line p::before { content: ""; position: absolute; left: 0; top: 17px; width: 10px; height: 10px; border-radius: 50%; background: var(--soft); }
.key-line strong { color: var(--ink); margin-inline-end: 6px; }
.key-line.kept strong { color: var(--good); } .key-line.kept p::before { background: var(--good); }
.key-line.open strong { color: var(--unsure); } .key-line.open p::before { background: #d99a20; }
.report-body { display: flex; flex-direction: column; gap: 24px; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 336px); gap: 40px 74px; align-items: start; }
.how-dealt, .go-on { display: flex; flex-direction: column; }
.how-dealt > h2, .go-on > h2 { margin-bottom: 12px; }
.side-column { display: flex; flex-direction: column; gap: 32px; }
.go-on-row, button.go-on-row { display: flex; align-items: center; justify-content: flex-start; gap: 14px; min-height: 50px; width: 100%; padding: 0 6px; color: var(--ink); text-decoration: none; background: none; border: 0; border-radius: 0; border-bottom: 1px solid var(--line); text-align: start; }
.go-on h2 + .go-on-row { border-top: 1px solid var(--line); }
.go-on-row:hover, button.go-on-row:hover { background: var(--sunk); border-color: var(--line); }
.go-on > .button { margin-bottom: 20px; }
.go-on > .button + .go-on-row { border-top: 1px solid var(--line); }
.go-on > [role="status"]:not(:empty) { padding-block: 12px; font-size: var(--small); }
.icon { width: 18px; height: 18px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
.go-on-row .icon { color: var(--accent); }
.folds { display: flex; flex-direction: column; border-top: 1px solid var(--line); }
.fold { border-bottom: 1px solid var(--line); min-width: 0; }
.fold > summary { min-height: 53px; gap: 12px; }
.fold-count { margin-inline-start: auto; color: var(--soft); font-size: var(--small); padding-inline-end: 4px; }
.fold > .inside, .fold > .inputs { padding: 0 0 20px; font-size: var(--small); display: flex; flex-direction: column; gap: 12px; }
.missing-list { display: flex; flex-direction: column; gap: 12px; line-height: 1.45; }
.the-key { font: var(--hex)/1.6 var(--mono); overflow-wrap: anywhere; }

@container (max-width: 860px) {
  .answer { grid-template-columns: minmax(0, 1fr); gap: 20px; }
  .cloth-hand { justify-self: start; }
  .whose { display: grid; grid-template-columns: auto minmax(0, 1fr); text-align: start; }
  .choice { grid-column: 1 / -1; justify-self: start; }
  .columns { grid-template-columns: minmax(0, 1fr); }
}
@container (max-width: 610px) {
  .answer, .cloth-side { gap: 16px; }
  .cloth-hand { max-width: 100%; }
  .cloth .row .button, .cloth .row button { padding-inline: 14px; font-size: 16px; }
  .answer .verdict { gap: 10px; }
  .answer .long { font-size: 22px; }
  .answer .sentence-line { gap: 12px; }
  .answer .sentence-line .sign { width: 32px; height: 32px; }
  .answer .meta { order: 3; }
  .answer .says { font-size: 16px; }
  .whose { gap: 16px; }
  .whose:not(:has(.fan:is([data-n="1"], [data-n="2"]))) { grid-template-columns: minmax(0, 1fr); }
  .fan { --large: min(96px, 25vw); }
  .fan[data-n="3"] { --large: 80px; } .fan[data-n="4"], .fan[data-n="5"] { --large: 68px; }
  .duel { gap: 14px; } .duel .card { width: min(108px, 29vw); height: min(151px, 40.6vw); } .unequal { margin-top: 52px; }
  .groups { gap: 14px 12px; }
  .groups .card { width: 40px; height: 56px; }
  .groups.large .card { --large: min(56px, (100vw - 116px) / 5); width: var(--large); height: calc(var(--large) * 1.4); }
  .groups.hands.large .card { width: min(46px, 13vw); height: min(64px, 18.2vw); }
  .groups.large .cards { gap: 4px; }
  .answer.wide .cards > li .card { width: 38px; height: 53px; }
  .folded .card { width: 38px; height: 53px; }
  .timeline > li:not(:last-child)::before { left: 12px; }
  .step > summary { grid-template-columns: 28px minmax(0, 1fr) auto 20px; column-gap: 12px; }
  .step > summary .sign { grid-column: 1; }
  .step .at { grid-column: 3; }
  .step-text { grid-column: 2 / 4; }
  .step-text strong { padding-inline-end: 84px; }
  .step .inside { padding-left: 40px; }
  .who > li, .bytes-rows > div { grid-template-columns: 84px minmax(0, 1fr); }
}
@media (prefers-reduced-motion: reduce) { .answer * { animation: none !important; transition: none !important; } }
`;
