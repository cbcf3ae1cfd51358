// Checks a C2SP tlog-proof with Go's note and tlog, which know nothing of fairdeal, and the
// cosignatures under its checkpoint (C2SP tlog-cosignature, type 4).
//
//	proof PROOF ENTRY LOGKEY [WITNESSKEY...]
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A witness is a verifier of cosignatures.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }

func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	head := fmt.Sprintf("cosignature/v1\ntime %d\n", binary.BigEndian.Uint64(signature))
	return ed25519.Verify(w.key, append([]byte(head), text...), signature[8:])
}

func parseWitness(text string) witness {
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
	return witness{parts[0], uint32(id), key[1:]}
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func main() {
	proof, err := os.ReadFile(os.Args[1])
	check(err)
	entry, err := os.ReadFile(os.Args[2])
	check(err)
	log, err := note.NewVerifier(os.Args[3])
	check(err)
	verifiers := []note.Verifier{log}
	for _, text := range os.Args[4:] {
		verifiers = append(verifiers, parseWitness(text))
	}

	head, checkpoint, found := bytes.Cut(proof, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !found || len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" {
		fail("not a tlog-proof")
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64)
	check(err)
	var path tlog.RecordProof
	for _, line := range lines[2:] {
		hash, err := tlog.ParseHash(line)
		check(err)
		path = append(path, hash)
	}
	opened, err := note.Open(checkpoint, note.VerifierList(verifiers...))
	check(err)
	text := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(text[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(text[2])
	check(err)
	check(tlog.CheckRecord(path, size, root, index, tlog.RecordHash(entry)))
	fmt.Printf("entry %d of %d, %d signatures\n", index, size, len(opened.Sigs))
}
