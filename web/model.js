import { Game, planOf } from "./test/model/game.js";
import { CHEATS } from "./test/model/cheats.js";
const [games = "300", first = "1"] = process.argv.slice(2);
const tally = {};
for (let i = 0; i < Number(games); i++) {
  const plan = planOf(BigInt(first) + BigInt(i));
  const game = new Game(plan);
  try { const r = await game.play();
   const t = tally[game.cheats.join(" + ")] ??= {n:0};
   t.n++; const k = (r.kit.length ? "KIT "+r.kit : r.files.length ? "files "+r.files : r.sent.length ? "lost "+r.sent : "none " + game.alice.state.state); t[k] ??= []; t[k].push(String(plan.seed));
 }
  catch (e) { console.log(String(plan.seed), game.cheats.join(), String(e.stack).split("\n").slice(0,4).join(" "), game.done.join(", ")); }
}
for (const [k,{n,...v}] of Object.entries(tally).sort()) if (!k.includes(" + ")) console.log(k, n, Object.entries(v).map(([a,b])=>`\n      ${b.length} ${a} ${b.slice(0,2)}`).join(""));
