package backup

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestPending(t *testing.T) {
	t.Parallel()
	const exit, compact = "raw/20260115_143000_exit.jsonl", "raw/20260115_120000_compact.jsonl"
	for label, tt := range map[string]struct {
		markers map[string]string // name → text; M is the memory directory
		want    int
		problem string
	}{
		"none":                     {},
		"of the spec":              {markers: map[string]string{"": "M/" + exit + "\n"}, want: 1},
		"two":                      {markers: map[string]string{"-exit": "M/" + exit, "-compact": "M/" + compact}, want: 2},
		"three, two of one backup": {markers: map[string]string{"-exit": "M/" + exit, "-compact": "M/" + compact, "": "M/./" + exit}, want: 2},
		"relative":                 {markers: map[string]string{"": ".claude/memory/" + exit}, want: 1},
		"stale":                    {markers: map[string]string{"": "M/raw/gone.jsonl", "-exit": "M/" + exit}, want: 1},
		"empty":                    {markers: map[string]string{"": " \n"}},
		"outside":                  {markers: map[string]string{"": "M/../../precious.jsonl", "-exit": "M/elsewhere/20260115_143000_exit.jsonl"}},
		"no path at all": {
			markers: map[string]string{"": strings.Repeat("x", maxTarget+1), "-exit": "M/" + exit}, want: 1,
			problem: "read M/.pending-backup: 8193 bytes, too long for a path",
		},
	} {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.write("precious.jsonl", "")
			for _, b := range []string{exit, compact, "elsewhere/20260115_143000_exit.jsonl"} {
				p.write(".claude/memory/"+b, "{}\n")
			}
			for name, text := range tt.markers {
				p.write(".claude/memory/.pending-backup"+name, strings.ReplaceAll(text, "M", p.memory("")))
			}
			got, err := Pending(t.Context(), p.dir)
			problem := ""
			if err != nil {
				problem = strings.ReplaceAll(err.Error(), p.memory(""), "M")
			}
			if got != tt.want || problem != tt.problem {
				t.Errorf("%d, %q; want %d, %q", got, problem, tt.want, tt.problem)
			}
			n := 0
			for _, b := range p.find().Backups {
				if b.Pending {
					n++
				}
			}
			if n != got {
				t.Errorf("Find calls %d pending", n)
			}
		})
	}
}

func TestPendingNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, project := range []string{dir, filepath.Join(dir, "gone")} {
		if n, err := Pending(t.Context(), project); n != 0 || err != nil {
			t.Errorf("%s: %d, %v", project, n, err)
		}
	}
	if _, err := Pending(t.Context(), "relative"); err == nil {
		t.Error("a relative project was accepted")
	}
	p := newProject(t)
	p.write(".claude/memory/raw/a.jsonl", "")
	p.write(".claude/memory/.pending-backup", p.memory("raw/a.jsonl"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Pending(ctx, p.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
}
