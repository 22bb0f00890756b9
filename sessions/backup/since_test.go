package backup

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSince: Since is the older of two times: .gitignore and the first backup with a sum.
func TestSince(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".claude/memory/raw/20260110_120000Z_exit.jsonl", `{"sessionId":"one"}`)
	p.write(".claude/memory/raw/copy of it.jsonl", `{"sessionId":"two"}`)
	p.write(".claude/memory/raw/.sums", "")
	p.write(".claude/memory/raw/.continuo-00.tmp", "")
	p.write(".claude/memory/sessions/raw/20260111_120000Z.jsonl", `{"sessionId":"three"}`)
	p.write(".claude/memory/trash/20260112_120000Z-discard/sessions/raw/20260109_120000Z_exit.jsonl", `{"sessionId":"four"}`)
	p.write(".claude/memory/trash/20260112_130000Z-prune-2/raw/20260108_120000Z_exit.jsonl", `{"sessionId":"five"}`)
	p.write(".claude/memory/trash/20260112_130000Z-prune-2/deed.json", `{}`)
	old := at(t, "2026-01-01T00:00:00Z")
	if err := os.Chtimes(p.memory("raw/copy of it.jsonl"), old, old); err != nil {
		t.Fatal(err)
	}
	look := func() (found, stock Found) {
		t.Helper()
		found, err := Find(t.Context(), p.dir, east())
		if err != nil {
			t.Fatal(err)
		}
		stock, err = Stock(t.Context(), p.dir, east())
		if err != nil || !stock.Since.Equal(found.Since) {
			t.Fatalf("%v since %v, found %v", err, stock.Since, found.Since)
		}
		return found, stock
	}
	if found, stock := look(); !found.Since.IsZero() || len(found.Discarded)+len(stock.Backups) != 0 {
		t.Errorf("without a .gitignore: %+v, %+v", found, stock)
	}
	p.write(".claude/memory/.gitignore", "raw/\n")
	anew := at(t, "2026-01-15T00:00:00Z")
	if err := os.Chtimes(p.memory(".gitignore"), anew, anew); err != nil {
		t.Fatal(err)
	}
	sum := strings.Repeat("0", 64) + "  "
	for sums, want := range map[string]string{
		"":                                  "2026-01-15T00:00:00Z", // all backups are from other programs
		"x":                                 "2026-01-15T00:00:00Z",
		sum + "20260110_120000Z_exit.jsonl": "2026-01-15T00:00:00Z", // the last line is incomplete
		sum + "20260110_120000Z_exit.jsonl\n" + sum + "20260109_120000Z_exit.jsonl\n": "2026-01-10T12:00:00Z",
		sum + "20260116_120000Z_exit.jsonl\n":                                         "2026-01-15T00:00:00Z",
		sum + "copy of it.jsonl\n":                                                    "2026-01-15T00:00:00Z",
		sum + "20260110_120000Z_" + strings.Repeat("x", sumLine) + ".jsonl\n":         "2026-01-15T00:00:00Z",
		strings.Repeat("0", 64) + " *20260108_120000Z_exit-2.jsonl\n":                 "2026-01-08T12:00:00Z", // discarded
	} {
		p.write(".claude/memory/raw/.sums", sums)
		if found, _ := look(); !found.Since.Equal(at(t, want)) {
			t.Errorf("%.100q: since %v, want %s", sums, found.Since, want)
		}
	}
	begun := at(t, "2026-01-02T00:00:00Z")
	if err := os.Chtimes(p.memory(".gitignore"), begun, begun); err != nil {
		t.Fatal(err)
	}
	found, stock := look()
	if !found.Since.Equal(begun) {
		t.Errorf("since %v", found.Since)
	}
	if len(found.Discarded) != 2 || found.Discarded[0].SessionID != "four" || found.Discarded[1].SessionID != "five" ||
		!found.Discarded[1].Made.Equal(at(t, "2026-01-08T12:00:00Z")) {
		t.Errorf("in the trash: %+v", found.Discarded)
	}
	if len(stock.Discarded) != 2 || len(stock.Backups) != len(found.Backups) {
		t.Fatalf("%+v", stock)
	}
	for i := range stock.Backups {
		want := found.Backups[i]
		if got := Owner(&stock.Backups[i]); got != want.SessionID || got == "" {
			t.Errorf("session of %s: %q, want %q", want.Path, got, want.SessionID)
		}
		want.SessionID = ""
		if stock.Backups[i] != want {
			t.Errorf("got %+v\nwant %+v", stock.Backups[i], want)
		}
	}
}

func TestOwner(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	pad := `{"type":"summary","summary":"` + string(slices.Repeat([]byte("x"), 10<<10)) + "\"}\n"
	p.write("near.jsonl", pad+`{"sessionId":"near"}`)
	p.write("far.jsonl", pad+pad+pad+pad+pad+pad+pad+`{"sessionId":"far"}`)
	p.mkdir("dir.jsonl")
	for name, want := range map[string]string{"near.jsonl": "near", "far.jsonl": "", "dir.jsonl": "", "gone.jsonl": ""} {
		if got := Owner(&Backup{Path: filepath.Join(p.dir, name)}); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if _, err := Stock(t.Context(), "relative", nil); err == nil {
		t.Error("a relative project")
	}
}

func TestActiveContext(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	if _, ok, err := ActiveContext(t.Context(), p.dir, east()); ok || err != nil {
		t.Errorf("none: %v, %v", ok, err)
	}
	p.write(".claude/memory/active-context.md", "# Active\n> Last Updated: 2026-01-18 00:00:00\n")
	d, ok, err := ActiveContext(t.Context(), p.dir, east())
	if found := p.find(); !ok || err != nil || len(found.Documents) != 1 || !reflect.DeepEqual(d, found.Documents[0]) {
		t.Errorf("%v, %v: %+v, found %+v", ok, err, d, found.Documents)
	}
	if _, _, err := ActiveContext(t.Context(), "relative", nil); err == nil {
		t.Error("a relative project")
	}
}
