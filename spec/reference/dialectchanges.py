"""Makes fixtures/dialects/changes.json: changed rows and unusual files, with the verdict on each."""

import json

import schemes

STAKE = '{"server_seed":"51b5258b38fef00c9887b7ad6c728035","client_seed":"6ec29c0c4180fd3f802534e6c98810ff","nonce":0,"cards":%s}'
GOOD = STAKE % '"5s As,js  QS HEART:11"'

# (what, the file, the first letter of each row's verdict, or None if it cannot be read); of stake-video-poker
READING = [
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
    ("CSV without a seed", "nonce,cards\n0,2C\n", "u"),
    ("CSV without a column that is known", "a,b\n0,2C\n", None),
]


# (dialect, what, the changes in the first row of its file, the expected verdict)
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
        {"commitment": schemes.sha256(bytes.fromhex("51b5258b38fef00c9887b7ad6c728035")).hex()},
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
    ("duel-video-poker", "cards joined", {"cards": "4sQs3d6sQh"}, "valid"),
    ("duel-video-poker", "cards joined in capitals", {"cards": "4SQS3D6SQH"}, "unreadable"),
    ("duel-video-poker", "signs of suits", {"cards": ["4♠", "Q♠", "3♦"]}, "valid"),
    ("duel-video-poker", "a joker", {"cards": ["4S", "X1"]}, "unreadable"),
    ("duel-video-poker", "no cards", {"cards": []}, "unreadable"),
    ("duel-video-poker", "a nonce with a zero before it", {"nonce": "033"}, "unreadable"),
    ("duel-video-poker", "a nonce as text", {"nonce": "33"}, "valid"),
    ("duel-video-poker", "a nonce over 2^53 - 1", {"nonce": 1 << 53}, "unreadable"),
    ("duel-video-poker", "an empty client seed", {"client_seed": ""}, "unreadable"),
    ("duel-video-poker", "a client seed that is a number", {"client_seed": 7}, "unreadable"),
    ("duel-video-poker", "no server seed", {"server_seed": None}, "unreadable"),
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
    ("duel-crash", "an x after the result", {"result": "2.81x"}, "valid"),
    ("duel-crash", "a sign after the result", {"result": "2.81×"}, "valid"),
    ("duel-crash", "further zeros", {"result": "2.8100"}, "valid"),
    ("duel-crash", "another result in groups of three", {"result": "2,810.00"}, "result-mismatch"),
    ("duel-crash", "groups of two", {"result": "28,10"}, "unreadable"),
    ("duel-crash", "a sign before the result", {"result": "+2.81"}, "unreadable"),
    ("duel-crash", "a result of more than can be", {"result": "1" * 40}, "result-mismatch"),
    ("duel-crash", "no result", {"result": None}, "unreadable"),
    ("duel-crash", "a result that is no number", {"result": "NaN"}, "unreadable"),
    ("bustabit", "no steps, no game", {"chain_steps": None, "game_id": None}, "valid"),
    ("bustabit", "steps alone", {"game_id": None}, "valid"),
    ("bustabit", "a game alone", {"chain_steps": None}, "valid"),
    ("bustabit", "no salt", {"client_seed": None, "commitment": None}, "valid"),
    ("bustabit", "another salt", {"client_seed": "00"}, "result-mismatch"),
    ("bustabit", "no commitment: nothing is walked", {"commitment": None, "chain_steps": 2306895}, "valid"),
    (
        "bustabit",
        "no commitment, and a game that is not covered",
        {"commitment": None, "chain_steps": None, "game_id": 12279450},
        "unreadable",
    ),
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
        {"chain_steps": None, "game_id": None, "server_seed": schemes.BUSTABIT_END.hex()},
        "unreadable",
    ),
    ("stake-crash", "any commitment is left alone", {"commitment": "00" * 32}, "valid"),
    ("stake-crash", "but it can be read", {"commitment": "00"}, "unreadable"),
    ("fairdeal/v1", "a card of another deck", {"cards": "X1", "full": None}, "result-mismatch"),
    ("fairdeal/v1", "cards as others write them", {"cards": ["10D", "3h", "6♦"], "full": None}, "valid"),
    ("fairdeal/v1", "full in capitals, and one card alone", {"cards": "Td", "full": "TRUE"}, "result-mismatch"),
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


def changes() -> str:
    """fixtures/dialects/changes.json"""
    names = ("dialect", "what", "changed", "verdict")
    return json.dumps(
        {
            "about": "changes: the first row of a dialect's file, changed, and its verdict. files: whole files of"
            " stake-video-poker, and the first letter of each row's verdict, or null where a file cannot be read.",
            "changes": [dict(zip(names, change)) for change in CHANGED],
            "files": [dict(zip(("what", "text", "verdicts"), file)) for file in READING],
        },
        ensure_ascii=False,
        indent=1,
    ) + "\n"
