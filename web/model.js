import { Game, planOf } from "./test/model/game.js";
const [games = "300", first = "1"] = process.argv.slice(2);
for (let i = 0; i < Number(games); i++) {
  const plan = planOf(BigInt(first) + BigInt(i));
  const game = new Game(plan);
  const t = performance.now();
  try { const r = await game.play(); console.log(String(plan.seed), game.cheats.join(), JSON.stringify(r), Math.round(performance.now()-t)); }
  catch (e) { console.log(String(plan.seed), game.cheats.join(), String(e.stack).split("\n").slice(0,4).join(" "), game.done.join(", ")); }
}
