"""Checks every file of fixtures/dialects, and the rules for which no file there has a row.

Rows are judged as they stand, as JSON lines and as CSV.
"""

import csv
import io
import json
import os

import deal
import dialects
import rows
from dialectcases import digests, fairdeal_v1, fed

REASONS = {
    "commitment_mismatch": "commitment-mismatch",
    "chain_mismatch": "chain-mismatch",
    "cards_mismatch": "result-mismatch",
    "result_mismatch": "result-mismatch",
}


def _check_case(case: dict) -> list:
    """What is wrong about one digest case."""
    shape = {"dialect", "what", "digests", "default", "client_seed", "nonce"}
    if not isinstance(case, dict) or set(case) not in (shape | {"cards"}, shape | {"error"}):
        return ["its shape is not known"]
    try:
        count = len(case.get("cards", [])) or 52
        found = dialects.DEALERS[case["dialect"]](
            fed(case["digests"], case["default"]), case["client_seed"], case["nonce"], count
        )
    except dialects.NoAnswer:
        return [] if case.get("error") == "no-answer" else ["expected cards, found no-answer"]
    except KeyError as error:
        return [f"it asks for {error}"]
    if "error" in case:
        return [f"expected {case['error']}, found cards"]
    return [] if found == case["cards"] else [f"expected {case['cards'][:60]}, found {found[:60]}"]


def _lines(given: list) -> bytes:
    """Rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in given).encode()


def _table(given: list) -> bytes:
    """Rows as CSV: lists with spaces between, other values as JSON."""
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
    """(row, form, what is wrong) of every row of a file that is not judged as it says."""
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
                wrong.append((n, form, f"expected {expected}, found {verdict['verdict']}: {verdict['says']}"))
    return wrong


STAKE = '{"server_seed":"51b5258b38fef00c9887b7ad6c728035","client_seed":"6ec29c0c4180fd3f802534e6c98810ff","nonce":0,"cards":%s}'
GOOD = STAKE % '"5s As,js  QS HEART:11"'
READING = [
    # (what, the file, its verdicts by their first letters, or None where it cannot be read)
    ("one object", GOOD, "v"),
    ("an array with something else in it", f"[{GOOD}, 7, null, {GOOD}]", "vuuv"),
    ("JSON lines with a line that is none, and an empty one", f"{GOOD}\nnonsense\n\n{GOOD}", "vuv"),
    ("an array without rows", "[]", ""),
    ("no commitment, given as null", f'[{GOOD[:-1]},"commitment":null}}]', "v"),
    ("a commitment that is no hex", f'[{GOOD[:-1]},"commitment":"no"}}]', "u"),
    ("a name twice", f'[{GOOD[:-1]},"nonce":1}}]', "u"),
    ("no card", "[" + STAKE % "[]" + "]", "u"),
    ("a card that is none", "[" + STAKE % '["1S"]' + "]", "u"),
    ("a nonce with a fraction", f"[{GOOD.replace('0,', '0.0,')}]", "u"),
    ("53 cards", "[" + STAKE % json.dumps(["5S"] * 53) + "]", "r"),
    ("an array that breaks off", f"[{GOOD},", None),
    ("an array that breaks off in a row", f"[{GOOD[:40]}", None),
    ("an object of rows that breaks off", '{\n  "rows": [\n' + GOOD, None),
    ("JSON lines that break off", f"{GOOD}\n{GOOD[:40]}", None),
    ("rows that are no array", '{"rows": 1}', None),
    ("an empty file", " \n", None),
    ("CSV", "nonce,server_seed,client_seed,cards\r\n0,a,b,2C\r\n", "r"),
    ("CSV with a row too short", "nonce,server_seed,client_seed,cards\n0,a\n0,a,b,2C\n", "ur"),
    ("CSV that breaks off between cells", "nonce,server_seed,client_seed,cards\n0,a", None),
    ("CSV that breaks off in a quoted cell", 'nonce,server_seed,client_seed,cards\n0,a,b,"2C', None),
    ("CSV with text after a quoted cell", 'nonce,server_seed,client_seed,cards\n0,a,"b"b,2C\n', "u"),
    ("CSV without a seed", "nonce,cards\n0,2C\n", None),
]

LOSSY = [
    ("c0afe080bff0818241", 8 * "\ufffd" + "A"),
    ("eda080edbfbfedaf41", 8 * "\ufffd" + "A"),
    ("f4919293ff4180bf42", 5 * "\ufffd" + "A" + 2 * "\ufffd" + "B"),
    ("e180e2f09192f1bf41", 4 * "\ufffd" + "A"),
    ("efbbbf41", "\ufeffA"),
    ("e1", "\ufffd"),
]


# (dialect, what, what is changed in the first row of its file, the verdict expected)
CHANGED = [
    (
        "stake-video-poker",
        "the commitment is SHA-256 of the text",
        {"commitment": "0A052860225B83FBDA782CD0FF0F491CD19B45D3496CDB5A2ECD5AF9CAEF26D0"},
        "valid",
    ),
    (
        "stake-video-poker",
        "a commitment to the decoded bytes",
        {"commitment": dialects.sha256(bytes.fromhex("51b5258b38fef00c9887b7ad6c728035")).hex()},
        "commitment-mismatch",
    ),
    (
        "stake-video-poker",
        "a seed used as text is another one in another case",
        {"server_seed": "51B5258B38FEF00C9887B7AD6C728035"},
        "result-mismatch",
    ),
    ("stake-replace", "a stream has no last card", {"full": True}, "valid"),
    ("duel-video-poker", "cards of the hand and its pool", {"cards": "4s qs 3d 6s qh 5c 8c"}, "valid"),
    ("duel-video-poker", "a hand is not a whole deck", {"full": True}, "result-mismatch"),
    ("duel-video-poker", "held is not in the hand", {"held": ["4S", "3D", "6H"]}, "result-mismatch"),
    ("duel-video-poker", "something else is held than final says", {"held": ["4S", "3D"]}, "result-mismatch"),
    ("duel-video-poker", "final has only four cards", {"final": ["4S", "5C", "3D", "6S"]}, "result-mismatch"),
    ("duel-video-poker", "final without held is not checked", {"final": ["4S"], "held": None}, "valid"),
    ("duel-video-poker", "a seed that is too short", {"server_seed": "2424d436"}, "unreadable"),
    ("duel-video-poker", "a commitment that is not given", {"commitment": None}, "valid"),
    ("liqd-blackjack", "the form of the source", {"cards": ["HEART:7", "club:10"]}, "valid"),
    ("liqd-blackjack", "no rank 14", {"cards": ["HEART:14"]}, "unreadable"),
    ("duel-crash", "another nonce", {"nonce": 1}, "result-mismatch"),
    (
        "duel-crash",
        "another nonce, and another commitment",
        {"nonce": 1, "commitment": "00" * 32},
        "commitment-mismatch",
    ),
    ("duel-crash", "no nonce", {"nonce": None}, "valid"),
    (
        "duel-crash",
        "a lost byte does not count",
        {
            "client_seed": "a08fa6dc92304844fc4e868d708953e6b628b3f88d4381249d32264df1bfe5bc20aa0905e57fe54063010881767fd56d"
        },
        "valid",
    ),
    ("duel-crash", "a beacon value of another length", {"client_seed": "b18f"}, "unreadable"),
    ("duel-crash", "no hundredths", {"result": "2.815"}, "result-mismatch"),
    ("duel-crash", "an x after the result", {"result": "2.81x"}, "unreadable"),
    ("bustabit", "no steps, no game", {"chain_steps": None, "game_id": None}, "valid"),
    ("bustabit", "steps alone", {"game_id": None}, "valid"),
    ("bustabit", "a game alone", {"chain_steps": None}, "valid"),
    ("bustabit", "no salt", {"client_seed": None, "commitment": None}, "valid"),
    ("bustabit", "another salt", {"client_seed": "00"}, "result-mismatch"),
    ("bustabit", "one step more", {"chain_steps": 2306895, "game_id": None}, "chain-mismatch"),
    ("bustabit", "one step fewer", {"chain_steps": 2306893, "game_id": None}, "chain-mismatch"),
    ("bustabit", "game and steps disagree", {"game_id": 12306895}, "chain-mismatch"),
    ("bustabit", "another commitment", {"commitment": "00" * 32}, "chain-mismatch"),
    ("bustabit", "more steps than are walked", {"chain_steps": 20000001, "game_id": None}, "chain-mismatch"),
    ("bustabit", "a game that is not covered", {"chain_steps": None, "game_id": 12279450}, "unreadable"),
    (
        "bustabit",
        "steps to a game that is not covered",
        {"chain_steps": 2279450, "game_id": None},
        "unreadable",
    ),
    (
        "bustabit",
        "no steps, no game: the terminating hash itself",
        {"chain_steps": None, "game_id": None, "server_seed": dialects.BUSTABIT_END.hex()},
        "unreadable",
    ),
    ("stake-crash", "any commitment is left alone", {"commitment": "00" * 32}, "valid"),
    ("stake-crash", "but it can be read", {"commitment": "00"}, "unreadable"),
    ("fairdeal/v1", "a card of another deck", {"cards": "X1", "full": None}, "result-mismatch"),
    ("fairdeal/v1", "cards are case-sensitive", {"cards": "tD", "full": None}, "unreadable"),
    ("fairdeal/v1", "no contribution", {"client_seed": None}, "unreadable"),
    (
        "fairdeal/v1",
        "two contributions of one label",
        {"client_seed": "alice=lucky\nalice=seven"},
        "unreadable",
    ),
    (
        "fairdeal/v1",
        "both forms of contributions",
        {"contributions": [{"from": "alice", "seed": "lucky"}]},
        "unreadable",
    ),
    (
        "fairdeal/v1",
        "contributions as JSON text",
        {"client_seed": None, "contributions": '[{"from":"alice","seed":"lucky"}]'},
        "valid",
    ),
    ("fairdeal/v1", "an unknown deck", {"deck": "piquet-32"}, "unreadable"),
]


def _check_changed(folder: str) -> list:
    """What is wrong about the first row of each file, changed."""
    wrong, schemes, firsts = [], {}, {}
    for name, what, changed, expected in CHANGED:
        if name not in schemes:
            schemes[name] = dialects.dialect(name)
            with open(os.path.join(folder, name.replace("/", "-") + ".json"), "rb") as file:
                firsts[name] = json.load(file)["rows"][0]
        row = rows.read(json.dumps([{**firsts[name], **changed}]).encode("utf-8"))[0]
        found = dialects.judge(schemes[name], row)
        told = dialects.NO_COMMITMENT in found.says
        none = {**firsts[name], **changed}["commitment"] is None
        if found.verdict != expected or expected == "valid" and told != none:
            wrong.append(f"{name}: {what}: expected {expected}, found {found.verdict}: {found.says}")
    return wrong


def _check_reading() -> list:
    """What is wrong about reading files, numbers and lossy text."""
    wrong = []
    for what, text, expected in READING:
        try:
            found = "".join(
                row["verdict"][0] for row in dialects.check("stake-video-poker", text.encode())["rows"]
            )
        except rows.NotRead:
            found = None
        if found != expected:
            wrong.append(f"{what}: expected {expected}, found {found}")
    for data, text in LOSSY:
        if dialects.duel_crash_message(bytes.fromhex(data)) != (text + ":0").encode():
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

    count(_check_reading(), len(READING) + len(LOSSY) + 9, "reading")
    try:
        count(_check_changed(folder), len(CHANGED), "changed rows")
    except (OSError, ValueError, KeyError, IndexError) as error:
        count([f"{type(error).__name__}: {error}"], 1, "changed rows")
    made = {"fairdeal-v1.json": fairdeal_v1, "digests.json": digests}
    names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    known = {name.replace("/", "-") + ".json" for name in dialects.DIALECTS} | {"digests.json"}
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
            else:
                wrong = [f"rows[{n}] {form}: {what}" for n, form, what in _check_rows(content, data)]
                count(wrong, 3 * len(content["rows"]), name)
            if name in made:
                count(
                    [] if made[name]().encode("utf-8") == data else ["it is not what is made today"], 1, name
                )
        except (ValueError, KeyError, TypeError, rows.NotRead) as error:
            count([f"{type(error).__name__}: {error}"], 1, name)
    say(f"{passed} passed, {failed} failed")
    return failed == 0
