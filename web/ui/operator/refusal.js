// A refusal of the service, in its own words, with what to do.

import { Problem } from "../../fairdeal/problem.js";
import { isKey, t } from "../strings.js";
import { el, theirs } from "../text.js";
import { NotTaken } from "./given.js";

/**
 * @param {unknown} error
 * @returns {HTMLElement}
 */
export function drawRefusal(error) {
  const problem = error instanceof Problem ? error : null;
  const says = problem?.detail ?? (error instanceof Error ? error.message : String(error));
  const about = (problem?.from ?? []).filter((name) => typeof name === "string");
  return el(
    "div",
    { class: "wrong stack", role: "alert", "data-code": problem?.code ?? "page" },
    error instanceof NotTaken ? null : el("strong", {}, t("operator.refused")),
    el("p", { class: "says" }, theirs(says)),
    about.length === 0
      ? null
      : el(
          "p",
          {},
          t("operator.about"),
          " ",
          about.slice(0, 64).flatMap((name, i) => [i === 0 ? "" : ", ", theirs(name, 64)]),
        ),
    problem === null ? null : el("p", {}, whatToDo(problem)),
  );
}

/** @param {Problem} problem */
function whatToDo({ code, status, passing }) {
  const key = `operator.do.${code}`;
  if (isKey(key)) return t(key);
  if (passing) return t("operator.do.again");
  return t(
    status === 409
      ? "operator.do.look"
      : status === 400
        ? "operator.do.change"
        : "operator.do.other",
  );
}
