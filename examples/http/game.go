// One hand with Go's standard library. Two players give hashes first, so that nobody chooses a seed
// after seeing another one.
// Usage: FAIRDEAL_URL=http://… FAIRDEAL_TOKEN=… FAIRDEAL_KEY=… go run game.go RECEIPT
package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

type object = map[string]any

func random() string {
	bytes := make([]byte, 32)
	rand.Read(bytes)
	return hex.EncodeToString(bytes)
}

// call asks for one step of the game. The idempotency key makes a retry safe: nothing is done twice.
func call(method, path, key string, body object) (said struct{ Commitment, Cards, Detail string }, raw json.RawMessage) {
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, os.Getenv("FAIRDEAL_URL")+path, bytes.NewReader(text))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {key},
		"Authorization": {"Bearer " + os.Getenv("FAIRDEAL_TOKEN")}}
	answer, err := (&http.Client{Timeout: 60e9}).Do(request)
	if err == nil && json.NewDecoder(answer.Body).Decode(&raw) == nil {
		err = json.Unmarshal(raw, &said)
	}
	if err != nil || answer.StatusCode >= 400 {
		log.Fatalln(path, said.Detail, err)
	}
	return said, raw
}

func main() { // Neither dealer nor players choose alone: the dealer's seed is promised before the players' are fixed.
	// The log's verifier key. Players know it from elsewhere, not from the service, which could
	// tell each of them another one. It is NAME+ID+BASE64, with the key itself after a byte 0x01.
	named := strings.SplitN(os.Getenv("FAIRDEAL_KEY"), "+", 3)
	origin := named[0]
	logKey, _ := base64.StdEncoding.DecodeString(named[2])

	terms, game := object{"table": "http/go", "mixing": "hashes", "draw": 5}, random()[:16]
	promise, _ := call("POST", "/v1/commitments", game+" commit", terms)
	var hashes, players []object
	for _, from := range []string{"alice", "bob"} { // each gives away only a hash: spec/ledger.md, section 8.3
		seed, blind := random(), random()
		message, _ := hex.DecodeString(fmt.Sprintf("%x00%04x%x%x%s%016x%04x%x%s01%04x%x",
			"fairdeal/v1/contribution", len(origin), origin, logKey[1:], promise.Commitment, 0,
			len(from), from, blind, len(seed), seed))
		hashes = append(hashes, object{"from": from, "hash": fmt.Sprintf("%x", sha256.Sum256(message))})
		players = append(players, object{"from": from, "seed": seed, "blind": blind})
	}
	at := "/v1/commitments/" + promise.Commitment
	call("POST", at+"/locks", game+" lock", object{"nonce": 0, "contributions": hashes})
	deal, _ := call("POST", at+"/deals", game+" deal", object{"nonce": 0, "contributions": players})
	fmt.Println(deal.Cards)
	call("POST", at+"/reveal", game+" reveal", object{"nonce": 1, "next": false})
	_, receipt := call("GET", at+"/rounds/0/receipt", "", nil)
	os.WriteFile(os.Args[1], receipt, 0o644)
}
