"""Checks every file of fixtures/dialects, and the rules that no row there covers.

Rows are judged as they are, as JSON lines and as CSV.
"""

import csv
import io
import json
import os
import unittest.mock

import deal
import dialects
import schemes
import rows

REASONS = {
    "commitment_mismatch": "commitment-mismatch",
    "chain_mismatch": "chain-mismatch",
    "cards_mismatch": "result-mismatch",
    "result_mismatch": "result-mismatch",
}


#: A server seed in the form of an operator's.
SEEDS = {"duel": "00" * 32, "liqd": "00" * 16}


def _fed(digests: dict, default):
    """A `digest` that answers from a case; an unknown message raises KeyError."""
    known = {name.encode("utf-8"): bytes.fromhex(digest) for name, digest in digests.items()}
    rest = None if default is None else bytes.fromhex(default)
    return lambda message: known[message] if rest is None else known.get(message, rest)


def _check_case(case: dict) -> list:
    """The faults of one digest case."""
    shape = {"dialect", "what", "digests", "default", "client_seed", "nonce"}
    is_game = isinstance(case, dict) and "row" in case
    more = {"row"} if is_game else {"cards"}
    if not isinstance(case, dict) or set(case) - more - {"error"} != shape:
        return ["its shape is not known"]
    if is_game:
        return _check_game(case)
    try:
        count = len(case.get("cards", [])) or 52
        found = schemes.DEALERS[case["dialect"]](
            _fed(case["digests"], case["default"]), case["client_seed"], case["nonce"], count
        )
    except schemes.NoAnswer:
        return [] if case.get("error") == "no-answer" else ["expected cards, found no-answer"]
    except KeyError as error:
        return [f"it asks for {error}"]
    if "error" in case:
        return [f"expected {case['error']}, found cards"]
    return [] if found == case["cards"] else [f"expected {case['cards'][:60]}, found {found[:60]}"]


def _check_game(case: dict) -> list:
    """The faults of one digest case of a game: `row` has its choices and what it shows."""
    seeds = {"server_seed": SEEDS.get(case["dialect"].partition("-")[0], "a text")}
    row = {**seeds, "client_seed": case["client_seed"], "nonce": case["nonce"], **case["row"]}
    digest = _fed(case["digests"], case["default"])
    refuses = case.get("error") == "no-answer"
    with unittest.mock.patch.object(schemes, "hmac_under", lambda key: digest):
        try:
            dialects.DIALECTS[case["dialect"]]().judge(rows.parse_json(json.dumps(row)))
        except dialects.Differs as wrong:
            return [] if refuses and "refused" in str(wrong) else [str(wrong)]
        except KeyError as error:
            return [f"it asks for {error}"]
    return ["expected no answer"] if refuses else []


def _lines(given: list) -> bytes:
    """Rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in given).encode()


def _table(given: list) -> bytes:
    """Rows as CSV: lists with spaces between items, other values as JSON."""
    names = sorted({name for row in given for name in row})
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)

    def cell(value):
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            return ("" if value and all(v in deal.CARDS for v in value) else " ").join(value)
        return "" if value is None else value if isinstance(value, str) else json.dumps(value)

    writer.writerows([cell(row.get(name)) for name in names] for row in given)
    return out.getvalue().encode()


def _check_rows(content: dict, data: bytes) -> list:
    """(row, form, what is wrong) of every row whose verdict is not the one in the file."""
    wrong = []
    for form, form_data in (
        ("as it is", data),
        ("as JSON lines", _lines(content["rows"])),
        ("as CSV", _table(content["rows"])),
    ):
        found = dialects.check(content["dialect"], form_data)["rows"]
        if len(found) != len(content["rows"]):
            return [(0, form, f"expected {len(content['rows'])} rows, found {len(found)}")]
        for n, (row, verdict) in enumerate(zip(content["rows"], found)):
            expected = "valid" if row["valid"] else REASONS[row["reason"]]
            if verdict["verdict"] != expected:
                wrong.append(
                    (n, form, f"expected {expected}, found {verdict['verdict']}: {verdict['says']}")
                )
    return wrong


LOSSY = [
    ("c0afe080bff0818241", 8 * "\ufffd" + "A"),
    ("eda080edbfbfedaf41", 8 * "\ufffd" + "A"),
    ("f4919293ff4180bf42", 5 * "\ufffd" + "A" + 2 * "\ufffd" + "B"),
    ("e180e2f09192f1bf41", 4 * "\ufffd" + "A"),
    ("efbbbf41", "\ufeffA"),
    ("e1", "\ufffd"),
]


def _check_changed(folder: str, changes: list) -> list:
    """What is wrong about the changed first rows."""
    wrong, made, firsts = [], {}, {}
    for change in changes:
        name, what, changed, expected = (
            change[of] for of in ("dialect", "what", "changed", "verdict")
        )
        if name not in made:
            made[name] = dialects.dialect(name)
            with open(os.path.join(folder, name.replace("/", "-") + ".json"), "rb") as file:
                firsts[name] = json.load(file)["rows"][0]
        data = json.dumps([{**firsts[name], **changed}]).encode("utf-8")
        row = dialects.read(made[name], data)[0]
        found = dialects.judge(made[name], row)
        told = dialects.NO_COMMITMENT in found.says
        none = {**firsts[name], **changed}["commitment"] is None
        if found.verdict != expected or expected == "valid" and told != none:
            wrong.append(
                f"{name}: {what}: expected {expected}, found {found.verdict}: {found.says}"
            )
    return wrong


def _check_files(files: list) -> list:
    """What is wrong about reading whole files."""
    wrong = []
    for file in files:
        try:
            found = dialects.check("stake-video-poker", file["text"].encode())["rows"]
            letters = "".join(row["verdict"][0] for row in found)
        except rows.NotRead:
            letters = None
        if letters != file["verdicts"]:
            wrong.append(f"{file['what']}: expected {file['verdicts']}, found {letters}")
    return wrong


def _check_reading() -> list:
    """What is wrong about reading numbers and lossy text."""
    wrong = []
    for data, text in LOSSY:
        if schemes.lossy_message(bytes.fromhex(data)) != (text + ":0").encode():
            wrong.append(f"lossy text of {data}")
    for text, holds in [
        ("1.5", 1),
        ("1.50", 1),
        ("1.500", 1),
        ("15e-1", 1),
        ("0.015e2", 1),
        ("1.501", 0),
        ("15", 0),
        ("1e999999999", 0),
        ("0", 0),
    ]:
        if rows.Decimal({"r": rows.Number(text)}, "r").is_cents(150) != bool(holds):
            wrong.append(f"{text} as 150 cents")
    return wrong


def run(folder: str, say) -> bool:
    """Check every file of a folder; prints each failure and the count."""
    passed = failed = 0

    def count(wrong: list, of: int, name: str) -> None:
        nonlocal passed, failed
        for what in wrong:
            say(f"FAILED {name}: {what}")
        failed += len(wrong)
        passed += max(0, of - len(wrong))

    count(_check_reading(), len(LOSSY) + 9, "reading")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    known = {name.replace("/", "-") + ".json" for name in dialects.DIALECTS} | {
        "changes.json",
        "digests.json",
    }
    count(
        [f"expected {name}" for name in sorted(known - set(names))]
        + [f"{name} is of no dialect" for name in sorted(set(names) - known)],
        1,
        folder,
    )
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        try:
            content = json.loads(data)
            if name == "digests.json":
                wrong = [
                    f"cases[{n}] ({c['what']}): {w}"
                    for n, c in enumerate(content["cases"])
                    for w in _check_case(c)
                ]
                count(wrong, len(content["cases"]), name)
            elif name == "changes.json":
                changes, files = content["changes"], content["files"]
                count(_check_changed(folder, changes), len(changes), "changed rows")
                count(_check_files(files), len(files), "files")
            else:
                wrong = [
                    f"rows[{n}] {form}: {what}" for n, form, what in _check_rows(content, data)
                ]
                count(wrong, 3 * len(content["rows"]), name)
        except (OSError, ValueError, KeyError, IndexError, TypeError, rows.NotRead) as error:
            count([f"{type(error).__name__}: {error}"], 1, name)
    say(f"{passed} passed, {failed} failed")
    return failed == 0
