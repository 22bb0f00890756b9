package hook

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// markedWorld returns a world with backups and markers. markers maps kinds to paths or names of backups. $P is the
// project.
func markedWorld(t *testing.T, backups []string, markers map[string]string) *world {
	t.Helper()
	w := newWorld(t)
	for _, name := range backups {
		w.write(w.memory("raw", name), name)
	}
	for kind, target := range markers {
		if target != "" && !strings.Contains(target, "/") {
			target = w.memory("raw", target)
		}
		w.mark(kind, strings.ReplaceAll(target, "$P", w.project)+"\n")
	}
	return w
}

// left returns the kinds of the remaining markers.
func (w *world) left() []string {
	w.t.Helper()
	paths, err := filepath.Glob(w.memory(".pending-backup*"))
	if err != nil {
		w.t.Fatal(err)
	}
	var kinds []string
	for _, path := range paths {
		kinds = append(kinds, strings.TrimPrefix(filepath.Base(path), ".pending-backup"))
	}
	return kinds
}

func TestStart(t *testing.T) {
	t.Parallel()
	const (
		one  = "SESSION_BACKUP_PENDING: A previous session backup exists at $R/%\nUser should run /resume-latest to restore context, or /discard-backup to discard.\n"
		next = "User should run /resume-latest to restore context, or /discard-backup to discard.\n"
	)
	spec := func(name string) string { return strings.Replace(one, "%", name, 1) }
	each := func(kind, name string) string {
		return "SESSION_BACKUP_PENDING (" + kind + "): Backup exists at $R/" + name + "\n"
	}
	var many []string
	numbered, listed := map[string]string{}, ""
	for n := 2; n < 15; n++ {
		name := fmt.Sprintf("20261120_1200%02dZ_other.jsonl", n)
		many, numbered[fmt.Sprint("-exit-", n)] = append(many, name), name
		if n < 2+maxListed {
			listed += each("exit", name)
		}
	}
	for _, tt := range []struct {
		name    string
		backups []string
		markers map[string]string
		out     string // $R is the raw directory
		left    []string
		failed  string // part of the error
	}{
		{name: "nothing pending", backups: []string{backupClear}},
		{name: "one", backups: []string{backupClear}, markers: map[string]string{"": backupClear}, out: spec(backupClear), left: []string{""}},
		{name: "one with a type", backups: []string{backupClear}, markers: map[string]string{"-exit": backupClear}, out: spec(backupClear), left: []string{"-exit"}},
		{
			name: "three", backups: []string{"20261120_120000Z_other.jsonl", backupClear, backupCompact},
			markers: map[string]string{"": "20261120_120000Z_other.jsonl", "-exit": backupClear, "-compact": backupCompact},
			out:     each("exit", backupClear) + each("compact", backupCompact) + each("exit", "20261120_120000Z_other.jsonl") + next,
			left:    []string{"", "-compact", "-exit"},
		},
		{
			name: "a compaction first", backups: []string{"20261120_120000Z_compact-2.jsonl", backupClear},
			markers: map[string]string{"": "20261120_120000Z_compact-2.jsonl", "-exit": backupClear},
			out:     each("exit", backupClear) + each("compact", "20261120_120000Z_compact-2.jsonl") + next, left: []string{"", "-exit"},
		},
		{
			name: "a name without a reason", backups: []string{"20260115_100000.jsonl", backupClear},
			markers: map[string]string{"": "20260115_100000.jsonl", "-exit": backupClear},
			out:     each("exit", backupClear) + each("compact", "20260115_100000.jsonl") + next, left: []string{"", "-exit"},
		},
		{
			name: "a name with an empty reason", backups: []string{"20260115_100000_.jsonl", backupClear},
			markers: map[string]string{"": "20260115_100000_.jsonl", "-exit": backupClear},
			out:     each("exit", backupClear) + each("exit", "20260115_100000_.jsonl") + next, left: []string{"", "-exit"},
		},
		{
			name: "a name that says nothing", backups: []string{"mine.jsonl", backupClear},
			markers: map[string]string{"": "mine.jsonl", "-exit": backupClear},
			out:     each("exit", backupClear) + each("legacy", "mine.jsonl") + next, left: []string{"", "-exit"},
		},
		{
			name: "two for one backup", backups: []string{backupClear}, markers: map[string]string{"": backupClear, "-exit": backupClear},
			out: spec(backupClear), left: []string{"", "-exit"},
		},
		{
			name: "with a number", backups: []string{backupClear, backupCompact, "x.jsonl"},
			markers: map[string]string{"-exit": backupClear, "-exit-2": "x.jsonl", "-compact": backupCompact},
			out:     each("exit", backupClear) + each("compact", backupCompact) + each("exit", "x.jsonl") + next, left: []string{"-compact", "-exit", "-exit-2"},
		},
		{
			name: "more than are listed", backups: many, markers: numbered, out: listed + "And 3 more.\n" + next,
			left: slices.Sorted(maps.Keys(numbered)),
		},
		{
			name: "stale and empty go, valid stays", backups: []string{backupCompact}, markers: map[string]string{"": "gone.jsonl", "-exit": "", "-compact": backupCompact},
			out: spec(backupCompact), left: []string{"-compact"},
		},
		{
			name: "outside stays, and is not listed", backups: []string{backupCompact}, markers: map[string]string{"": "/etc/hostname", "-exit": "$P/../x.jsonl", "-compact": backupCompact},
			out: spec(backupCompact), left: []string{"", "-compact", "-exit"}, failed: "does not point to a raw backup of this project",
		},
		{name: "only outside", markers: map[string]string{"": "/etc/hostname"}, left: []string{""}, failed: "does not point to a raw backup of this project"},
		{
			name: "blanks and control characters", backups: []string{"a  b\x1b[31m\x07c.jsonl"}, markers: map[string]string{"": "$P/.claude/memory/raw/a  b\x1b[31m\x07c.jsonl"},
			out: spec("a  bc.jsonl"), left: []string{""},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := markedWorld(t, tt.backups, tt.markers)
			r := w.handle(EventStart, "")
			if want := strings.ReplaceAll(tt.out, "$R", w.memory("raw")); r.Out != want {
				t.Errorf("output\n%s, want\n%s", r.Out, want)
			}
			if got := w.left(); !slices.Equal(got, tt.left) {
				t.Errorf("markers left: %q, want %q", got, tt.left)
			}
			want := ResultNothing
			switch {
			case tt.out != "":
				want = ResultTold
			case tt.failed != "":
				want = ResultFailed
			}
			if r.Run.Result != want || !strings.Contains(r.Run.Error, tt.failed) || (r.Run.Error == "") != (tt.failed == "") {
				t.Errorf("noted %+v", r.Run)
			}
			if got := len(w.backups()); got != len(tt.backups) {
				t.Errorf("%d backups of %d are left", got, len(tt.backups))
			}
		})
	}
}

// TestStartMarkers: directories and pipes have the names of markers. The start doesn't block.
func TestStartMarkers(t *testing.T) {
	t.Parallel()
	w := markedWorld(t, []string{backupClear}, map[string]string{"-exit": backupClear})
	w.write(w.memory(".pending-backup"), "\x00\x01\xff")
	f, err := os.Create(w.memory(".pending-backup-compact"))
	if err == nil {
		err = f.Truncate(1 << 30)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := w.handle(EventStart, "")
	if r.Out != startText(nil, maxOutput)+strings.ReplaceAll("SESSION_BACKUP_PENDING: A previous session backup exists at $\n", "$", w.memory("raw", backupClear))+msgNext {
		t.Errorf("output %q", r.Out)
	}
	if got := w.left(); len(got) != 3 {
		t.Errorf("markers left: %q", got)
	}
	if r.Run.Error == "" {
		t.Error("the other markers are not recorded")
	}
}
