package beads

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

// Program reads the beads in the database of br or bd.
type Program interface {
	// Lines returns all beads as lines of issues.jsonl. It returns nil if issues.jsonl has the same beads. An error is
	// a sentence without a full stop.
	//
	// For a closed bead, Lines can pass its JSON to known. known returns the bead's line in issues.jsonl; nil if that
	// line differs.
	Lines(ctx context.Context, known func(bead []byte) []byte) ([]byte, error)
}

// database describes the database in a .beads directory. br and older versions of bd have a SQLite file. Newer
// versions of bd have Dolt, and export issues.jsonl.
type database struct {
	dolt    bool
	written time.Time // last write to the SQLite files; zero if there are none
}

// IsDolt reports whether a directory has a Dolt database. Only bd can read it.
func IsDolt(dir string) bool {
	root, err := disk.Open(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	return databaseOf(root).dolt
}

// databaseOf finds the database of a directory by metadata.json and the names of the files.
func databaseOf(root *disk.Root) (db database) {
	const most = 64 << 10 // bytes; a real metadata.json has 300
	var meta struct {
		Database string `json:"database"`
		Backend  string `json:"backend"`
	}
	if data, err := readFile(root, "metadata.json", most); err == nil {
		_ = json.Unmarshal(data, &meta) // metadata.json may be missing
	}
	fi, err := root.Stat("embeddeddolt")
	if db.dolt = meta.Backend == "dolt" || err == nil && fi.IsDir(); db.dolt {
		return db
	}
	if !filepath.IsLocal(meta.Database) {
		meta.Database = "beads.db"
	}
	for _, name := range []string{meta.Database, meta.Database + "-wal"} {
		fi, err := root.Stat(name)
		if err == nil && fi.Mode().IsRegular() && fi.Size() > 0 && fi.ModTime().After(db.written) { // an empty -wal has no changes
			db.written = fi.ModTime()
		}
	}
	return db
}

// Stamp returns the sizes and times of the files that hold the beads, as text.
func Stamp(dir string) string {
	root, err := disk.Open(dir)
	if err != nil {
		return ""
	}
	defer root.Close()
	names := []string{"metadata.json", "issues.jsonl", "beads.jsonl", "beads.db", "beads.db-wal"}
	databases, _ := root.Names("embeddeddolt") // an error means that there is no Dolt database
	for _, name := range databases {
		names = append(names, filepath.Join("embeddeddolt", name, ".dolt", "noms", "manifest"))
	}
	var text strings.Builder
	for _, name := range names {
		if fi, err := root.Stat(name); err == nil {
			fmt.Fprintf(&text, "%s %d %d\n", name, fi.Size(), fi.ModTime().UnixNano())
		}
	}
	return text.String()
}

// isOlder reports whether a file may be older than the database of its directory. file is "" if it is missing.
func isOlder(root *disk.Root, file string) bool {
	db := databaseOf(root)
	if db.dolt || db.written.IsZero() {
		return db.dolt
	}
	fi, err := root.Stat(filepath.Base(file))
	return file == "" || err != nil || db.written.After(fi.ModTime())
}

// ask reads the beads with the program. It returns their directory and lines. If the program can't answer or has no
// newer beads, ask returns file and data. The error is ctx.Err().
func (g *Graph) ask(ctx context.Context, program Program, file string, data []byte, dir string) (string, []byte, error) {
	lines, err := program.Lines(ctx, unchanged(data))
	switch {
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case err != nil && file == "":
		g.Note = "The beads are only in a database that could not be read: " + err.Error() + "."
	case err != nil:
		g.Note = "The beads are read from " + filepath.Base(file) + ", which may be older than the database: " + err.Error() + "."
	case lines != nil:
		g.Database = true
		return dir, lines, nil
	}
	return file, data, nil
}

// unchanged returns the function known for Program.Lines. A bead is unchanged if its status and time are those in
// data.
func unchanged(data []byte) func(bead []byte) []byte {
	closed := map[string][]byte{}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if id, _, ok := glance(line); ok {
			closed[id] = line
		}
	}
	return func(bead []byte) []byte {
		var now, was issue
		if walk(bead, now.take) != nil {
			return nil
		}
		line := closed[now.id]
		if walk(line, was.take) != nil || was.status != now.status || was.updated != now.updated {
			return nil
		}
		return line
	}
}

// memory decodes a line of bd remember. ok is false for any other line.
func memory(line []byte) (m Memory, ok bool) {
	if !bytes.Contains(line, []byte(`"memory"`)) {
		return m, false
	}
	var kind string
	err := walk(line, func(key, value []byte) error {
		switch string(key) {
		case "_type":
			return take(value, &kind)
		case "key":
			return take(value, &m.Key)
		case "value":
			return take(value, &m.Text)
		}
		return nil
	})
	return m, err == nil && kind == "memory"
}
