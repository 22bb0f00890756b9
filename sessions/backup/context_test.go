package backup

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

func TestSaveContext(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("t.jsonl", records(sessionA, 1))
	m := p.open()
	r := Request{Transcript: p.path("t.jsonl"), By: ByEnd, Reason: "exit", At: at(t, "2026-11-21T11:02:13Z")}
	p.save(m, r)
	if text := p.read("active-context.md"); text != "" {
		t.Errorf("made %q", text)
	}
	p.write(".claude/memory/active-context.md", "# Now\r\n")
	if err := os.Chmod(p.memory("active-context.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		p.save(m, r)
		p.save(m, Request{Transcript: r.Transcript, By: ByCompact, Reason: "auto", At: r.At})
		p.save(m, Request{Transcript: r.Transcript, By: ByPerson, At: r.At.Add(time.Hour)})
	}
	want := "# Now\r\n\r\n## Session Exit\r\n\r\n- Last exit: 2026-11-21T11:02:13Z (reason: exit)\r\n- Transcript backup: M/20261121_110213Z_exit-4.jsonl\r\n" +
		"\r\n## Compaction\r\n\r\n- Last compaction: 2026-11-21T11:02:13Z (trigger: auto)\r\n- Transcript backup: M/20261121_110213Z_compact-3.jsonl\r\n"
	if got := p.read("active-context.md"); got != strings.ReplaceAll(want, "M", p.memory("raw")) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if fi, err := os.Stat(p.memory("active-context.md")); err != nil || fi.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
}

func TestSaveForeignContext(t *testing.T) {
	t.Parallel()
	for label, text := range map[string]string{
		"binary": "# A\x00\n", "too long": strings.Repeat("x", maxContext+1),
	} {
		p := newProject(t)
		p.write("t.jsonl", records(sessionA, 1))
		p.write(".claude/memory/active-context.md", text)
		s, err := p.open().Save(t.Context(), Request{Transcript: p.path("t.jsonl"), By: ByEnd, At: time.Now()})
		if err != nil || len(s.Problems) != 1 || s.Marker == "" || p.read(".backup-log") == "" {
			t.Errorf("%s: %+v, %v", label, s, err)
		}
		if p.read("active-context.md") != text {
			t.Errorf("%s: changed", label)
		}
		p.hasNoTemps()
	}
}

// TestEditContextMeanwhile: Claude Code writes to the file during an edit.
func TestEditContextMeanwhile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write(".claude/memory/active-context.md", "0")
	m := p.open()
	tries := 0
	err := m.editContext(func(text []byte) []byte {
		if tries++; tries < 3 {
			p.write(".claude/memory/active-context.md", strings.Repeat("x", tries))
		}
		return append(bytes.Clone(text), '!')
	})
	if got := p.read("active-context.md"); err != nil || got != "xx!" || tries != 3 {
		t.Errorf("%q after %d tries, %v", got, tries, err)
	}
	err = m.editContext(func(text []byte) []byte {
		tries++
		p.write(".claude/memory/active-context.md", strings.Repeat("x", tries))
		return append(bytes.Clone(text), '!')
	})
	if got := p.read("active-context.md"); !errors.Is(err, errBusy) || got != strings.Repeat("x", tries) || tries != 3+contextTries {
		t.Errorf("%q after %d tries, %v", got, tries, err)
	}
	err = m.editContext(func([]byte) []byte {
		if err := os.Remove(p.memory("active-context.md")); err != nil {
			t.Error(err)
		}
		return []byte("x")
	})
	if err != nil || p.read("active-context.md") != "" {
		t.Errorf("created again, %v", err)
	}
	for _, name := range p.names("") {
		if disk.IsTemp(name) {
			t.Errorf("left over: %s", name)
		}
	}
}
