#!/usr/bin/env bash
# One hand with curl and jq. Two players give hashes first, so that nobody chooses a seed after
# seeing another one.
# Usage: FAIRDEAL_URL=http://… FAIRDEAL_TOKEN=… FAIRDEAL_KEY=… ./game.sh RECEIPT
set -euo pipefail

game=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
# The log's verifier key. Players know it from elsewhere, not from the service, which could
# tell each of them another one. It is NAME+ID+BASE64, with the key itself after a byte 0x01.
origin=${FAIRDEAL_KEY%%+*} log_key=${FAIRDEAL_KEY#*+*+}

# post STEP PATH BODY: one step of the game. Its idempotency key makes a retry safe: nothing is done twice.
post() {
    local answer status
    answer=$(curl --silent --show-error --retry 3 --max-time 60 --write-out '\n%{http_code}' "$FAIRDEAL_URL$2" \
        --header "Authorization: Bearer $FAIRDEAL_TOKEN" --header "Idempotency-Key: $game $1" --json "$3")
    status=${answer##*$'\n'} answer=${answer%$'\n'*}
    if [ "$status" -ge 400 ]; then
        echo "$1: $status: $(jq -r .detail <<<"$answer")" >&2
        return 1
    fi
    printf '%s' "$answer"
}

# text VALUE: its length in two bytes, and the text.
text() {
    printf '%04x' "$(printf %s "$1" | wc -c)" | xxd -r -p
    printf %s "$1"
}

# hash_of COMMITMENT NONCE FROM SEED BLIND: the hash of a contribution (spec/ledger.md, 8.3).
hash_of() {
    {
        printf 'fairdeal/v1/contribution\0'
        text "$origin"
        printf %s "$log_key" | base64 -d | tail -c 32
        printf '%s%016x' "$1" "$2" | xxd -r -p
        text "$3"
        printf '%s01' "$5" | xxd -r -p
        text "$4"
    } | sha256sum | cut -d ' ' -f 1
}

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

# The dealer promises a secret seed. After that, only the players' seeds are undecided.
commitment=$(post commit /v1/commitments '{"table": "http/curl", "mixing": "hashes", "draw": 5}' | jq -r .commitment)

# Each player makes a seed and a blind, and gives only the hash of both.
seed_a=$(random) blind_a=$(random) seed_b=$(random) blind_b=$(random)
hash_a=$(hash_of "$commitment" 0 alice "$seed_a" "$blind_a")
hash_b=$(hash_of "$commitment" 0 bob "$seed_b" "$blind_b")
lock=$(jq -n --arg a "$hash_a" --arg b "$hash_b" \
    '{nonce: 0, contributions: [{from: "alice", hash: $a}, {from: "bob", hash: $b}]}')
post lock "/v1/commitments/$commitment/locks" "$lock" >/dev/null

# The lock is in the log. Now the players open their hashes, and the cards follow.
deal=$(jq -n --arg a "$seed_a" --arg x "$blind_a" --arg b "$seed_b" --arg y "$blind_b" \
    '{nonce: 0, contributions: [{from: "alice", seed: $a, blind: $x}, {from: "bob", seed: $b, blind: $y}]}')
post deal "/v1/commitments/$commitment/deals" "$deal" | jq -r .cards

# After the game the seed becomes public: anyone can deal the hand again from the receipt.
post reveal "/v1/commitments/$commitment/reveal" '{"nonce": 1, "next": false}' | jq .receipt >/dev/null
curl --silent --show-error --fail "$FAIRDEAL_URL/v1/commitments/$commitment/rounds/0/receipt" --output "$1"
