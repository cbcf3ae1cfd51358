// Judges the files of rows of other operators that the program `tool` makes and judges.

import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";

import { fromHex } from "./fairdeal/bytes.js";
import { checkRows } from "./fairdeal/dialects/index.js";
import { dialectNamed } from "./fairdeal/dialects/registry.js";
import { FileFault, fileRows } from "./fairdeal/dialects/rows-file.js";

/**
 * The first letters of the verdicts on a file's rows.
 * @param {string} dialect
 * @param {Uint8Array} bytes
 * @returns {string | null} null if the file cannot be read
 */
function lettersOf(dialect, bytes) {
  try {
    // A file of which no row can be read has an error too, but not this one.
    for (const _row of fileRows(bytes, dialectNamed(dialect)));
  } catch (error) {
    if (error instanceof FileFault) return null;
    throw error;
  }
  return checkRows(dialect, bytes, { brief: true })
    .rows.map(({ verdict }) => verdict[0])
    .join("");
}

/**
 * The files that this package judges in another way than `tool`, which is beside the command.
 * @param {string} program the command
 * @param {number} count
 * @param {string} seed
 * @returns {{dialect: string, file: string, here: string | null, there: string | null}[]}
 */
export function disagreeingRows(program, count, seed) {
  const tool = join(dirname(program), "tool");
  const { stdout, stderr } = spawnSync(tool, ["agree", "--print-rows", String(count), seed], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const cases = (stdout ?? "").split("\n").filter((line) => line !== "");
  if (cases.length !== count)
    throw new Error(`${tool}: expected ${count} files, found ${cases.length}: ${stderr}`);
  return cases.flatMap((line) => {
    const { dialect, hex, answer } = JSON.parse(line);
    const bytes = fromHex(hex);
    const [here, there] = [lettersOf(dialect, bytes), answer.rows];
    return here === there ? [] : [{ dialect, file: new TextDecoder().decode(bytes), here, there }];
  });
}
