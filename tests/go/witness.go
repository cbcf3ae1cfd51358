// A log built on Go's own note and tlog packages, which know nothing of fairdeal, that asks a witness for
// cosignatures (C2SP tlog-witness) and opens its checkpoints with them (C2SP tlog-cosignature, type 4).
//
//	witness key LOG-NAME                              makes the log's keys: the signer's, then the verifier's
//	witness run URL SIGNER-KEY WITNESS-KEY SIZE...    grows the log to each size in turn
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

// A witness is a verifier of cosignatures. It keeps the time of the last one that it verified.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
	time uint64
}

func (w *witness) Name() string    { return w.name }
func (w *witness) KeyHash() uint32 { return w.hash }

func (w *witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	w.time = binary.BigEndian.Uint64(signature)
	head := fmt.Sprintf("cosignature/v1\ntime %d\n", w.time)
	return ed25519.Verify(w.key, append([]byte(head), text...), signature[8:])
}

func parseWitness(text string) *witness {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 {
		fail("a witness's key: %s", text)
	}
	id, err := strconv.ParseUint(parts[1], 16, 32)
	check(err)
	key, err := base64.StdEncoding.DecodeString(parts[2])
	check(err)
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	if len(key) != 33 || key[0] != 4 || binary.BigEndian.Uint32(sum[:]) != uint32(id) {
		fail("not the key of a witness: %s", text)
	}
	return &witness{name: parts[0], hash: uint32(id), key: key[1:]}
}

// A tree is all stored hashes of a log, in tlog's order.
type tree struct {
	size   int64
	hashes []tlog.Hash
}

func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		found = append(found, t.hashes[index])
	}
	return found, nil
}

func (t *tree) growTo(size int64) {
	for ; t.size < size; t.size++ {
		stored, err := tlog.StoredHashes(t.size, []byte(fmt.Sprintf("entry %d", t.size)), t)
		check(err)
		t.hashes = append(t.hashes, stored...)
	}
}

func (t *tree) checkpoint(signer note.Signer) []byte {
	root, err := tlog.TreeHash(t.size, t)
	check(err)
	text := fmt.Sprintf("%s\n%d\n%s\n", signer.Name(), t.size, base64.StdEncoding.EncodeToString(root[:]))
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	check(err)
	return signed
}

// post asks for a cosignature, with the proof from an old size.
func (t *tree) post(url string, signer note.Signer, old int64) (int, string, string) {
	var body bytes.Buffer
	fmt.Fprintf(&body, "old %d\n", old)
	if old > 0 && old < t.size {
		proof, err := tlog.ProveTree(t.size, old, t)
		check(err)
		for _, hash := range proof {
			fmt.Fprintln(&body, base64.StdEncoding.EncodeToString(hash[:]))
		}
	}
	body.WriteString("\n")
	body.Write(t.checkpoint(signer))
	response, err := http.Post(url+"/add-checkpoint", "", &body)
	check(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	check(err)
	return response.StatusCode, response.Header.Get("Content-Type"), string(answer)
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "key" {
		signer, verifier, err := note.GenerateKey(rand.Reader, os.Args[2])
		check(err)
		fmt.Println(signer)
		fmt.Println(verifier)
		return
	}
	if len(os.Args) < 6 || os.Args[1] != "run" {
		fail("usage: witness key LOG-NAME | witness run URL SIGNER-KEY WITNESS-KEY SIZE...")
	}
	url := os.Args[2]
	signer, err := note.NewSigner(os.Args[3])
	check(err)
	verifier := parseWitness(os.Args[4])
	log := &tree{}
	for _, text := range os.Args[5:] {
		size, err := strconv.ParseInt(text, 10, 64)
		check(err)
		log.growTo(size)
		// The specification's way to learn the last size: ask with 0.
		status, kind, answer := log.post(url, signer, 0)
		if status == http.StatusConflict && kind == "text/x.tlog.size" {
			old, err := strconv.ParseInt(strings.TrimSuffix(answer, "\n"), 10, 64)
			check(err)
			status, _, answer = log.post(url, signer, old)
		}
		if status != http.StatusOK {
			fail("size %d: status %d: %s", size, status, answer)
		}
		signed := append(log.checkpoint(signer), answer...)
		opened, err := note.Open(signed, note.VerifierList(verifier))
		check(err)
		if len(opened.Sigs) != 1 || len(opened.UnverifiedSigs) != 1 {
			fail("size %d: %d cosignatures", size, len(opened.Sigs))
		}
		fmt.Printf("%s %d\n", strings.Split(opened.Text, "\n")[1], verifier.time)
	}
}
