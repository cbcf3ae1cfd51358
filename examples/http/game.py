"""One hand with Python's standard library. Two players give hashes first,
so that nobody chooses a seed after seeing another one.

Usage: FAIRDEAL_URL=http://… FAIRDEAL_TOKEN=… FAIRDEAL_KEY=… python3 game.py RECEIPT
"""

import base64
import hashlib
import json
import os
import secrets
import sys
import urllib.error
import urllib.request

GAME = secrets.token_hex(8)
# The log's verifier key. Players know it from elsewhere, not from the service, which could
# tell each of them another one. It is NAME+ID+BASE64, with the key itself after a byte 0x01.
ORIGIN, _, LOG_KEY = os.environ["FAIRDEAL_KEY"].split("+", 2)


def post(step, path, body):
    """One step of the game. Its idempotency key makes a retry safe: nothing is done twice."""
    request = urllib.request.Request(os.environ["FAIRDEAL_URL"] + path, json.dumps(body).encode(), {
        "Authorization": "Bearer " + os.environ["FAIRDEAL_TOKEN"],
        "Content-Type": "application/json",
        "Idempotency-Key": f"{GAME} {step}",
    })
    try:
        return json.load(urllib.request.urlopen(request, timeout=60))
    except urllib.error.HTTPError as error:
        sys.exit(f"{step}: {error.code}: {json.load(error)['detail']}")


def text(value):
    return len(value.encode()).to_bytes(2, "big") + value.encode()


def hash_of(commitment, nonce, player):
    """The hash of a contribution (spec/ledger.md, section 8.3). Numbers are big-endian."""
    log = text(ORIGIN) + base64.b64decode(LOG_KEY)[1:]
    return hashlib.sha256(
        b"fairdeal/v1/contribution\0" + log + bytes.fromhex(commitment) + nonce.to_bytes(8, "big")
        + text(player["from"]) + bytes.fromhex(player["blind"]) + b"\1" + text(player["seed"])
    ).hexdigest()


# The dealer promises a secret seed. After that, only the players' seeds are undecided.
terms = {"table": "http/python", "mixing": "hashes", "draw": 5}
round_of = "/v1/commitments/" + (
    commitment := post("commit", "/v1/commitments", terms)["commitment"]
)

# Each player makes a seed and a blind, and gives only the hash of both.
players = [
    {"from": name, "seed": secrets.token_hex(32), "blind": secrets.token_hex(32)}
    for name in ("alice", "bob")
]
hashes = [{"from": player["from"], "hash": hash_of(commitment, 0, player)} for player in players]
post("lock", round_of + "/locks", {"nonce": 0, "contributions": hashes})

# The lock is in the log. Now the players open their hashes, and the cards follow.
print(post("deal", round_of + "/deals", {"nonce": 0, "contributions": players})["cards"])

# After the game the seed becomes public: anyone can deal the hand again from the receipt.
post("reveal", round_of + "/reveal", {"nonce": 1, "next": False})
with urllib.request.urlopen(
    os.environ["FAIRDEAL_URL"] + round_of + "/rounds/0/receipt", timeout=60
) as answer:
    with open(sys.argv[1], "wb") as file:
        file.write(answer.read())
