// Checks that several tests of pages share: axe, a narrow window, long tasks.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

import { settled } from "./harness.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** No violation of axe's rules, in either theme. */
export async function accessible(page, about) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    assert.deepEqual(await violations(page), [], `${about}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/**
 * In this window and theme: nothing is wider than the window, everything to press is 44 pixels or
 * more, also in a player's seat, and axe finds nothing.
 */
export async function sound(page, about) {
  await settled(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${about}: ${wide} pixels too wide`);
  const small = await page.evaluate(() =>
    [
      document,
      ...[...document.querySelectorAll("fairdeal-seat")].map(({ shadowRoot }) => shadowRoot),
    ]
      .flatMap((root) => [
        ...root.querySelectorAll("button, select, summary, nav a, .button, .cheat"),
      ])
      .filter((each) => each.checkVisibility())
      .map((each) => [each.getBoundingClientRect(), each.outerHTML.slice(0, 80)])
      .filter(([{ width, height }]) => width < 43.9 || height < 43.9)
      .map(([, html]) => html),
  );
  assert.deepEqual(small, [], `${about}: targets under 44 pixels`);
  assert.deepEqual(await violations(page), [], about);
}

/** The findings of axe in the page as it is. */
async function violations(page) {
  // The pages' policy forbids scripts that are put into them; the protocol's own do not count as
  // such.
  await page.evaluate(AXE);
  return page.evaluate(async () =>
    (await globalThis.axe.run(document, { resultTypes: ["violations"] })).violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`)
          .join(" | ")}`,
    ),
  );
}

/** No element is wider than a narrow window, nor than a wide one. */
export async function fits(page, about) {
  for (const width of [320, 768, 1600]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.ok(over <= 0, `${about}: ${over} px too wide at ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Every thing to press is large enough for a finger: 44 px, or 24 in running text. */
export async function pressable(page, about) {
  const small = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        "button, .button, select, summary, input:not([type=checkbox], [type=radio], [type=file])",
      ),
    ]
      .filter((each) => each.checkVisibility() && !each.closest(".silent"))
      .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect().height])
      .filter(([, height]) => height > 0 && height < 43.5),
  );
  assert.deepEqual(small, [], about);
}

/** Notes every task that keeps the page from drawing for 50 ms or more. */
export async function watchTasks(page) {
  await page.evaluate(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) =>
      globalThis.longTasks.push(
        ...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration })),
      ),
    ).observe({ type: "longtask" });
  });
}

/**
 * How much other work on the machine slows this test: many equal pieces of work, the slowest
 * compared with the quickest.
 */
const slowness = (page) =>
  page.evaluate(async () => {
    const took = [];
    for (let piece = 0; piece < 150; piece++) {
      const start = performance.now();
      let sum = 0;
      for (let i = 0; i < 3_000_000; i++) sum = (sum + i) | 0;
      took.push(performance.now() - start + (sum & 0));
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    // The first pieces are slower for reasons of their own.
    const rest = took.slice(20);
    return Math.max(...rest) / Math.min(...rest);
  });

/**
 * A slow page is slow repeatedly, so the second longest task counts, divided by the machine's
 * slowdown.
 * @param {{duration: number}[]} tasks
 */
export async function noLag(page, tasks) {
  const [, second = 0] = tasks.map(({ duration }) => duration).sort((a, b) => b - a);
  if (second < 100) return;
  const slow = await slowness(page);
  assert.ok(
    second < 100 * slow,
    `tasks of ${tasks.map(({ duration }) => duration).join(", ")} ms, on a machine that is ${slow.toFixed(1)} times slower than it can`,
  );
}

export const longTasks = (page) => page.evaluate(() => globalThis.longTasks);
