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

func exitNote() contextNote {
	return contextNote{heading: "Session Exit", lead: "- Last exit:", text: "NOW (reason: clear)", backup: "/p/new.jsonl"}
}

func TestContextNote(t *testing.T) {
	t.Parallel()
	const lines = "- Last exit: NOW (reason: clear)\n- Transcript backup: /p/new.jsonl\n"
	const added = "## Session Exit\n\n" + lines
	for label, tt := range map[string]struct{ text, want string }{
		"empty":                {"", added},
		"appended":             {"# A\n\ntext\n", "# A\n\ntext\n\n" + added},
		"appended, blank end":  {"# A\n\n", "# A\n\n" + added},
		"appended, no end":     {"# A", "# A\n\n" + added},
		"appended, CR LF":      {"# A\r\ntext", "# A\r\ntext\r\n\r\n" + strings.ReplaceAll(added, "\n", "\r\n")},
		"in place":             {"# A\n## Session Exit\n- Last exit: OLD (reason: x)\n- Transcript backup: /p/old.jsonl\n## B\n- b\n", "# A\n## Session Exit\n" + lines + "## B\n- b\n"},
		"in place, at the end": {"## Session Exit\n- Last exit: OLD\n- Transcript backup: /p/old.jsonl", strings.TrimSuffix("## Session Exit\n"+lines, "\n")},
		"in place, CR LF": {
			"# A\r\n## Session Exit\r\n- Last exit: OLD\r\n- Transcript backup: /p/old.jsonl\r\n\r\n# B\r\n",
			"# A\r\n## Session Exit\r\n" + strings.ReplaceAll(lines, "\n", "\r\n") + "\r\n# B\r\n",
		},
		"backups that piled up": {
			"## session exit \n\nWords.\n- Transcript backup: /p/1.jsonl\n- Last exit: OLD\n- other\n- Transcript backup: /p/2.jsonl\n- Transcript backup: /p/3.jsonl\n\n## C\n- Transcript backup: /p/4.jsonl\n",
			"## session exit \n\nWords.\n" + lines + "- other\n\n## C\n- Transcript backup: /p/4.jsonl\n",
		},
		"another section of ours": {
			"## Compaction\n- Last compaction: X\n- Transcript backup: /p/1.jsonl\n", "## Compaction\n- Last compaction: X\n- Transcript backup: /p/1.jsonl\n\n" + added,
		},
		"below a heading of it":     {"## Session Exit\n### Why\n- Last exit: OLD\n# B\n", "## Session Exit\n### Why\n" + lines + "# B\n"},
		"a section with words":      {"## Session Exit\n\nWords.\n", "## Session Exit\n\n" + lines + "\nWords.\n"},
		"a section with words next": {"## Session Exit\nWords.\n## B\n", "## Session Exit\n" + lines + "\nWords.\n## B\n"},
		"an empty section":          {"## Session Exit\n## B\n", "## Session Exit\n" + lines + "\n## B\n"},
		"a blank section":           {"## Session Exit\n\n\n## B\n", "## Session Exit\n\n" + lines + "\n## B\n"},
		"a section that ends it":    {"# A\n## Session Exit", "# A\n## Session Exit\n" + strings.TrimSuffix(lines, "\n")},
		"another level":             {"# Session Exit\n### Session Exit\n", "# Session Exit\n### Session Exit\n\n" + added},
		"in code":                   {"```md\n## Session Exit\n```\n", "```md\n## Session Exit\n```\n\n" + added},
		"in a comment":              {"<!--\n## Session Exit\n-->\n", "<!--\n## Session Exit\n-->\n\n" + added},
		"after a comment":           {"<!-- x -->\n## Session Exit\n", "<!-- x -->\n## Session Exit\n" + lines},
		"code inside":               {"## Session Exit\n~~~\n## B\n~~~\n- Last exit: OLD\n## B\n", "## Session Exit\n~~~\n## B\n~~~\n" + lines + "## B\n"},
		"code that never ends":      {"```\nx\n## Session Exit\n", "```\nx\n## Session Exit\n" + lines},
		"twice":                     {"## Session Exit\n- Last exit: OLD\n\n## Session Exit\n- Last exit: OLD\n", "## Session Exit\n" + lines + "\n## Session Exit\n- Last exit: OLD\n"},
	} {
		got := string(exitNote().write([]byte(tt.text)))
		if got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", label, got, tt.want)
		}
		if again := string(exitNote().write([]byte(got))); again != got {
			t.Errorf("%s: written again it is %q", label, again)
		}
	}
}

// Whatever the file says, its other lines stay in order, it does not grow with every backup, and the time is linear.
func FuzzContextNote(f *testing.F) {
	f.Add([]byte("# A\n\n## Session Exit\n\n- Last exit: x\n- Transcript backup: y\n"))
	f.Add([]byte("```\n<!--\n~~~\r\n## session exit"))
	f.Add([]byte("<!--\n## Session Exit\n```\n-->\n```\n## B\n- Last exit: z"))
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		got := exitNote().write(text)
		if !bytes.Equal(text, before) {
			t.Fatal("the text itself was changed")
		}
		if again := exitNote().write(got); !bytes.Equal(again, got) {
			t.Errorf("not the same again: %q, then %q", got, again)
		}
		rest := bytes.Lines(got)
		var left [][]byte
		for line := range rest {
			left = append(left, bytes.TrimRight(line, "\r\n"))
		}
		for line := range bytes.Lines(text) {
			line = bytes.TrimRight(line, "\r\n")
			if exitNote().isOurs(line) {
				continue
			}
			for len(left) > 0 && !bytes.Equal(left[0], line) {
				left = left[1:]
			}
			if len(left) == 0 {
				t.Fatalf("line %q of %q is lost: %q", line, text, got)
			}
			left = left[1:]
		}
	})
}

func TestContextOpenersAreCheap(t *testing.T) {
	t.Parallel()
	for _, opener := range []string{"<!--\n", "```\n~~~ x\n", "~~~x\n"} {
		text := []byte(strings.Repeat(opener, 200_000/len(opener)))
		if got := exitNote().write(text); !bytes.HasPrefix(got, text) { // in quadratic time it would never end
			t.Errorf("%q: changed", opener)
		}
	}
}

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

// A context that is none is a problem, and stays as it is; the rest of the backup is made.
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

// The client writes the same file, and what it writes is never lost.
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
		t.Errorf("made anew, %v", err)
	}
	for _, name := range p.names("") {
		if disk.IsTemp(name) {
			t.Errorf("left over: %s", name)
		}
	}
}
