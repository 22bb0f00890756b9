package gate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger"
)

func TestReadSession(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	root := filepath.Join(home, "project")
	p := ledger.Project{Root: root, Notes: filepath.Join(root, "NOTES.md")}
	word := func(s string) string {
		text, _ := json.Marshal(s)
		return string(text)
	}
	n := 0
	parent := "null"
	var b strings.Builder
	record := func(kind, text string) {
		n++
		id := `"00000000-0000-4000-8000-0000000000` + string(rune('a'+n/26)) + string(rune('a'+n%26)) + `"`
		b.WriteString(`{"type":"` + kind + `","uuid":` + id + `,"parentUuid":` + parent + `,"sessionId":"s","cwd":` + word(root) + `,"timestamp":"2026-11-21T15:00:00Z",` + text + "}\n")
		parent = id
	}
	read := func(id, file string, size int) {
		record("assistant", `"message":{"id":"m`+id+`","role":"assistant","content":[{"type":"tool_use","id":"`+id+`","name":"Read","input":{"file_path":`+word(filepath.Join(root, file))+`}}]}`)
		record("user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","content":"`+strings.Repeat("x", size)+`"}]}`)
	}
	record("user", `"message":{"role":"user","content":"Go"}`)
	read("t1", "src/before.go", 9_000)
	record("system", `"subtype":"compact_boundary","content":"Conversation compacted"`)
	record("user", `"message":{"role":"user","content":"On"}`)
	read("t2", "src/clock.go", 3_000)
	read("t3", "src/other.go", 1_500)
	read("t4", "src/other.go", 1_500)
	read("t5", "src/small.go", 20)
	read("t6", "NOTES.md", 9_000)
	read("t7", "../elsewhere.go", 4_000)
	path := filepath.Join(home, "s.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSession(t.Context(), path, &p)
	if err != nil || len(s.Bodies) != 2 || s.Bodies[0].Path != "src/clock.go" && s.Bodies[1].Path != "src/clock.go" || s.Output != 4_000 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestLastRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"     1→package x\n   887→}\n": 887, "1\tx\n12\ty\n\n<system-reminder>\nMind it.\n</system-reminder>\n": 12, "": 0, "x\ny": 0, "→": 0, "-3→x": 0,
	} {
		if got := lastRead(text); got != want {
			t.Errorf("%q ends with line %d, want %d", text, got, want)
		}
	}
}
