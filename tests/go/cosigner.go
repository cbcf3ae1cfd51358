// A witness built on Go's own note, tlog and ed25519 packages, which know nothing of fairdeal (C2SP tlog-witness and
// tlog-cosignature, type 4). It signs for one log, and remembers its last tree in memory alone.
//
//	cosigner NAME LOG-KEY    prints its address and its key, then a line for each request: the status and the size
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A refusal is an answer that is no cosignature.
type refusal struct {
	status int
	kind   string
	text   string
}

func (r refusal) Error() string { return r.text }

func refuse(status int, format string, values ...any) error {
	return refusal{status, "text/plain", fmt.Sprintf(format, values...)}
}

// A witness of one log.
type witness struct {
	name string
	id   []byte
	key  ed25519.PrivateKey
	log  note.Verifier

	mutex sync.Mutex
	last  tlog.Tree
}

// request is the body of add-checkpoint.
type request struct {
	old   int64
	proof tlog.TreeProof
	note  []byte
}

// number reads a decimal number without leading zeros.
func number(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != text {
		return 0, fmt.Errorf("not a size: %q", text)
	}
	return n, nil
}

func hash(text string) (tlog.Hash, error) {
	bytes, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(bytes) != tlog.HashSize {
		return tlog.Hash{}, fmt.Errorf("not a hash: %q", text)
	}
	var read tlog.Hash
	copy(read[:], bytes)
	return read, nil
}

func parse(body []byte) (request, error) {
	head, checkpoint, found := strings.Cut(string(body), "\n\n")
	lines := strings.Split(head, "\n")
	if !found || !strings.HasPrefix(lines[0], "old ") || len(lines) > 64 {
		return request{}, errors.New("expected \"old\" and its size, at most 63 hashes, an empty line, and a checkpoint")
	}
	size, err := number(strings.TrimPrefix(lines[0], "old "))
	if err != nil {
		return request{}, err
	}
	parsed := request{old: size, note: []byte(checkpoint)}
	for _, line := range lines[1:] {
		one, err := hash(line)
		if err != nil {
			return request{}, err
		}
		parsed.proof = append(parsed.proof, one)
	}
	return parsed, nil
}

// tree reads the text of a checkpoint: its origin, and its tree.
func tree(text string) (string, tlog.Tree, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[0] == "" {
		return "", tlog.Tree{}, errors.New("expected three lines")
	}
	size, err := number(lines[1])
	if err != nil {
		return "", tlog.Tree{}, err
	}
	root, err := hash(lines[2])
	if err == nil && size == 0 && root != sha256.Sum256(nil) {
		err = errors.New("a tree without leaves has another root")
	}
	return lines[0], tlog.Tree{N: size, Hash: root}, err
}

// judge remembers the checkpoint's tree and returns the note's text, or says why not.
func (w *witness) judge(body []byte) (string, tlog.Tree, error) {
	asked, err := parse(body)
	if err != nil {
		return "", tlog.Tree{}, refuse(http.StatusBadRequest, "%v", err)
	}
	text, _, _ := strings.Cut(string(asked.note), "\n\n")
	origin, new, err := tree(text + "\n")
	if err != nil {
		return "", new, refuse(http.StatusBadRequest, "checkpoint: %v", err)
	}
	if origin != w.log.Name() {
		return "", new, refuse(http.StatusNotFound, "not the log %s", origin)
	}
	opened, err := note.Open(asked.note, note.VerifierList(w.log))
	if err != nil {
		return "", new, refuse(http.StatusForbidden, "%v", err)
	}
	if asked.old > new.N {
		return "", new, refuse(http.StatusBadRequest, "the old size is the larger one")
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if asked.old != w.last.N {
		return "", new, refusal{http.StatusConflict, "text/x.tlog.size", fmt.Sprintf("%d\n", w.last.N)}
	}
	if asked.old == new.N && new.N > 0 && new.Hash != w.last.Hash {
		return "", new, refuse(http.StatusConflict, "another root of this size was signed")
	}
	if asked.old == 0 || asked.old == new.N {
		if len(asked.proof) > 0 {
			return "", new, refuse(http.StatusUnprocessableEntity, "nothing is to be proved")
		}
	} else if err := tlog.CheckTree(asked.proof, new.N, new.Hash, asked.old, w.last.Hash); err != nil {
		return "", new, refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	w.last = new
	return opened.Text, new, nil
}

// cosign returns the line of a cosignature.
func (w *witness) cosign(text string) string {
	now := uint64(time.Now().Unix())
	signed := ed25519.Sign(w.key, []byte(fmt.Sprintf("cosignature/v1\ntime %d\n%s", now, text)))
	line := append(binary.BigEndian.AppendUint64(append([]byte{}, w.id...), now), signed...)
	return fmt.Sprintf("— %s %s\n", w.name, base64.StdEncoding.EncodeToString(line))
}

func (w *witness) ServeHTTP(answer http.ResponseWriter, asked *http.Request) {
	if asked.Method != http.MethodPost || asked.URL.Path != "/add-checkpoint" {
		http.NotFound(answer, asked)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(answer, asked.Body, 1<<16))
	if err != nil {
		return
	}
	text, tree, err := w.judge(body)
	if refused := (refusal{}); errors.As(err, &refused) {
		fmt.Println(refused.status, tree.N)
		answer.Header().Set("Content-Type", refused.kind)
		answer.WriteHeader(refused.status)
		io.WriteString(answer, refused.text)
		return
	}
	fmt.Println(http.StatusOK, tree.N)
	io.WriteString(answer, w.cosign(text))
}

func main() {
	if len(os.Args) != 3 {
		check(errors.New("usage: cosigner NAME LOG-KEY"))
	}
	log, err := note.NewVerifier(os.Args[2])
	check(err)
	public, key, err := ed25519.GenerateKey(rand.Reader)
	check(err)
	name, typed := os.Args[1], append([]byte{4}, public...)
	sum := sha256.Sum256(append([]byte(name+"\n"), typed...))
	w := &witness{name: name, id: sum[:4], key: key, log: log}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Printf("http://%s %s+%x+%s\n", listener.Addr(), name, w.id, base64.StdEncoding.EncodeToString(typed))
	check(http.Serve(listener, w))
}
