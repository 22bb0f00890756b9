package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/place"
)

// TestStatusUnseen: status counts unreviewed backups of all known projects. An opened backup, or one older than
// a document, isn't counted.
func TestStatusUnseen(t *testing.T) {
	t.Parallel()
	e := newEndings(t)
	tea, pantry := e.project("tea"), e.project("pantry")
	d := newDeps(Program{Env: []string{"HOME=" + e.home}, Dir: e.home, Now: now, Stdin: strings.NewReader(""), Stdout: new(strings.Builder), Stderr: new(strings.Builder)})
	place.RememberProjects(d.Env, []string{tea, pantry})
	e.file("tea/.claude/memory/raw/20261120_100000Z_exit.jsonl", "{}\n", noon())
	e.file("tea/.claude/memory/raw/20261120_110000Z_exit.jsonl", "{}\n", noon())
	e.file("pantry/.claude/memory/raw/20261120_100000Z_exit.jsonl", "{}\n", noon())
	is := func(want string, n int) {
		t.Helper()
		out, _, _ := runStatus(t, e.home, e.home, true)
		if got, _, _ := strings.Cut(out, "  continuo"); strings.TrimSpace(got) != want {
			t.Errorf("%q, want %q", strings.TrimSpace(got), want)
		}
		if out, _, _ := runStatus(t, e.home, e.home, true, "--line"); out != "" {
			t.Errorf("line %q", out)
		}
		var got struct{ Unseen int }
		if out, _, _ := runStatus(t, e.home, e.home, true, "--json"); json.Unmarshal([]byte(out), &got) != nil || got.Unseen != n {
			t.Errorf("%d unseen, want %d: %s", got.Unseen, n, out)
		}
	}
	is("· unseen      3 backups of tea and pantry, not reviewed", 3)
	place.MarkSeen(d.Env, filepath.Join(tea, ".claude", "memory", "raw", "20261120_110000Z_exit.jsonl"))
	is("· unseen      2 backups of pantry and tea, not reviewed", 2)
	e.file("tea/.claude/memory/session-2026-11-20-1030Z.md", "", noon())
	is("· unseen      1 backup of pantry, not reviewed", 1)
	place.MarkSeen(d.Env, filepath.Join(pantry, ".claude", "memory", "raw", "20261120_100000Z_exit.jsonl"))
	is("· pending     nothing, 3 backups reviewed", 0)
}

func TestStatusDocuments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want, json string }{
		{"status: in-progress\n---\n## Remaining Todos\n- [ ] a\n- [x] b\n- [ ] c\n- [ ] d\n", "· documents   2, the newest from Nov 14, in progress, 3 open todos\n", `"status":"in-progress","open":3}`},
		{"status: blocked\n---\n## Remaining Todos\n- [ ] a\n", "· documents   2, the newest from Nov 14, blocked, 1 open todo\n", `"status":"blocked","open":1}`},
		{"---\n", "· documents   2, the newest from Nov 14\n", `"status":"","open":0}`},
	} {
		e := newEndings(t)
		tea := e.project("tea")
		e.file("tea/.claude/memory/sessions/session-2026-11-14-0900.md", "---\ndate: 2026-11-14T09:00:00Z\n"+tt.text, noon())
		e.file("tea/.claude/memory/session-2026-11-12-0900.md", "---\nstatus: completed\n---\n", noon())
		e.file("tea/.claude/memory/project-memory.md", "# Project Memory\n", noon())
		if out, _, _ := runStatus(t, e.home, tea, true); !strings.Contains(out, tt.want) {
			t.Errorf("no %q in\n%s", tt.want, out)
		}
		if out, _, _ := runStatus(t, e.home, tea, true, "--json"); !strings.Contains(out, `"documents":{"count":2,`) || !strings.Contains(out, tt.json) {
			t.Errorf("no %s in %s", tt.json, out)
		}
		if out, _, _ := runStatus(t, e.home, e.home, true, "--json"); !strings.Contains(out, `"documents":null`) {
			t.Errorf("elsewhere: %s", out)
		}
	}
}
