package document

import (
	"bytes"
	"strings"
	"testing"
)

func exitNote() BackupNote {
	return BackupNote{Heading: "Session Exit", Lead: "- Last exit:", Text: "NOW (reason: clear)", Backup: "/p/new.jsonl"}
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
		got := string(exitNote().Write([]byte(tt.text)))
		if got != tt.want {
			t.Errorf("%s:\ngot  %q\nwant %q", label, got, tt.want)
		}
		if again := string(exitNote().Write([]byte(got))); again != got {
			t.Errorf("%s: written again it is %q", label, again)
		}
	}
}

// FuzzContextNote: other lines stay in order, and the text doesn't grow with each note.
func FuzzContextNote(f *testing.F) {
	f.Add([]byte("# A\n\n## Session Exit\n\n- Last exit: x\n- Transcript backup: y\n"))
	f.Add([]byte("```\n<!--\n~~~\r\n## session exit"))
	f.Add([]byte("<!--\n## Session Exit\n```\n-->\n```\n## B\n- Last exit: z"))
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		got := exitNote().Write(text)
		if !bytes.Equal(text, before) {
			t.Fatal("the input was modified")
		}
		if again := exitNote().Write(got); !bytes.Equal(again, got) {
			t.Errorf("the second result differs: %q, then %q", got, again)
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
		if got := exitNote().Write(text); !bytes.HasPrefix(got, text) { // in quadratic time, this would take too long
			t.Errorf("%q: changed", opener)
		}
	}
}
