// A stock client of a C2SP log, built on Go's own note and tlog packages: it opens the checkpoint with the verifier
// key, reads tiles and entry bundles over HTTP, and checks every record and every older tree against the newest.
//
// usage: client BASE-URL VERIFIER-KEY
package main

import (
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

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "error: "+format+"\n", args...)
	os.Exit(1)
}

func get(base, path string) []byte {
	response, err := http.Get(base + "/" + path)
	if err != nil {
		fail("%s: %v", path, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		fail("%s: status %d, %v", path, response.StatusCode, err)
	}
	return body
}

// parseBody reads the text of a C2SP tlog-checkpoint, which tlog.ParseTree does not know.
func parseBody(text string) (string, tlog.Tree) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[len(lines)-1] != "" {
		fail("checkpoint: expected three lines, found %q", text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || strconv.FormatInt(size, 10) != lines[1] {
		fail("checkpoint: size is %q", lines[1])
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		fail("checkpoint: root is %q", lines[2])
	}
	tree := tlog.Tree{N: size}
	copy(tree.Hash[:], root)
	return lines[0], tree
}

// path returns a tile's path by C2SP tlog-tiles.
func path(level string, n int64, width int64) string {
	name := fmt.Sprintf("%03d", n%1000)
	for n >= 1000 {
		n /= 1000
		name = fmt.Sprintf("x%03d/%s", n%1000, name)
	}
	suffix := ""
	if width != 256 {
		suffix = fmt.Sprintf(".p/%d", width)
	}
	return "tile/" + level + "/" + name + suffix
}

// tiles reads hash tiles of height 8 for tlog, which verifies them against the tree.
type tiles struct {
	base string
	read int
}

func (t *tiles) Height() int { return 8 }

func (t *tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		t.read++
		all = append(all, get(t.base, path(strconv.Itoa(tile.L), tile.N, int64(tile.W))))
	}
	return all, nil
}

func (t *tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func bundle(base string, n, width int64) [][]byte {
	data := get(base, path("entries", n, width))
	var entries [][]byte
	for len(data) > 0 {
		if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
			fail("bundle %d is cut short", n)
		}
		length := int(binary.BigEndian.Uint16(data))
		entries = append(entries, data[2:2+length])
		data = data[2+length:]
	}
	if int64(len(entries)) != width {
		fail("bundle %d: expected %d entries, found %d", n, width, len(entries))
	}
	return entries
}

func main() {
	if len(os.Args) != 3 {
		fail("usage: client BASE-URL VERIFIER-KEY")
	}
	base := os.Args[1]
	verifier, err := note.NewVerifier(os.Args[2])
	if err != nil {
		fail("key: %v", err)
	}
	opened, err := note.Open(get(base, "checkpoint"), note.VerifierList(verifier))
	if err != nil {
		fail("note.Open: %v", err)
	}
	origin, tree := parseBody(opened.Text)
	if origin != verifier.Name() {
		fail("origin is %q, the key's name %q", origin, verifier.Name())
	}
	source := &tiles{base: base}
	reader := tlog.TileHashReader(tree, source)

	var hashes []tlog.Hash // the tree rebuilt from the entries alone
	storage := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var found []tlog.Hash
		for _, index := range indexes {
			found = append(found, hashes[index])
		}
		return found, nil
	})
	for index := int64(0); index < tree.N; {
		width := tree.N - index
		if width > 256 {
			width = 256
		}
		for _, entry := range bundle(base, index/256, width) {
			proof, err := tlog.ProveRecord(tree.N, index, reader)
			if err != nil {
				fail("ProveRecord(%d): %v", index, err)
			}
			if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(entry)); err != nil {
				fail("CheckRecord(%d): %v", index, err)
			}
			stored, err := tlog.StoredHashes(index, entry, storage)
			if err != nil {
				fail("StoredHashes(%d): %v", index, err)
			}
			hashes = append(hashes, stored...)
			index++
		}
	}
	rebuilt, err := tlog.TreeHash(tree.N, storage)
	if err != nil || rebuilt != tree.Hash {
		fail("the entries give root %v, the checkpoint has %v (%v)", rebuilt, tree.Hash, err)
	}
	trees := 0
	for size := int64(1); size <= tree.N; size++ {
		old, err := tlog.TreeHash(size, storage)
		if err != nil {
			fail("TreeHash(%d): %v", size, err)
		}
		proof, err := tlog.ProveTree(tree.N, size, reader)
		if err != nil {
			fail("ProveTree(%d): %v", size, err)
		}
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, size, old); err != nil {
			fail("CheckTree(%d): %v", size, err)
		}
		trees++
	}
	fmt.Printf("%s: %d records and %d trees hold\n", origin, tree.N, trees)
}
