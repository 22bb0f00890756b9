//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/recovery"
)

const (
	startNotes = "# Notes\n\n## Session Continuity\n\n- **Current Bead**: tea-1 (the cranes)\n- **Last Checkpoint**: 2026-11-21T15:00:00Z\n- **Reasoning State**: Folding the second crane.\n\n" +
		"### Lightweight Identifiers\n\n| Identifier | Purpose | Last Verified |\n|---|---|---|\n| `${PROJECT_ROOT}/fold.go:1` | the fold | x |\n| `${PROJECT_ROOT}/gone.go:3` | the paper | x |\n\n" +
		"## Decision Log\n\n### 2026-11-20T10:00:00Z - Fold by hand\n\nMachines tear it.\n"
	startBeads = `{"id":"tea-1","title":"The cranes","status":"in_progress","priority":1,"issue_type":"task","created_at":"2026-11-20T10:00:00Z","updated_at":"2026-11-20T10:00:00Z"}
{"id":"tea-2","title":"The paper","status":"open","priority":2,"issue_type":"task","created_at":"2026-11-20T11:00:00Z","updated_at":"2026-11-20T11:00:00Z"}
`
	brWorks = `case "$1" in
ready) echo '[{"id":"tea-2","title":"The paper","status":"open","priority":2}]';;
show) printf '[{"id":"%s","title":"The cranes of br","status":"in_progress","priority":1}]' "$2";;
esac`
)

// startWorld returns a project with the given files, and with the shell script br. If br is "", no br is
// installed.
func startWorld(t *testing.T, br string, files map[string]string) (d *deps, root string) {
	t.Helper()
	d, root = fakeBr(t, "br", br)
	if br == "" {
		d.Host.Environ = []string{"HOME=" + t.TempDir(), "PATH=" + t.TempDir()}
	}
	d.Home, d.Now = d.Host.Getenv("HOME"), now
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return d, root
}

// TestStartSteps: each step names its source. A missing source affects only its own steps.
func TestStartSteps(t *testing.T) {
	t.Parallel()
	all := map[string]string{"grimoires/loa/NOTES.md": startNotes, ".beads/issues.jsonl": startBeads, "fold.go": "package fold\n"}
	without := func(names ...string) map[string]string {
		files := map[string]string{}
		for name, text := range all {
			files[name] = text
		}
		for _, name := range names {
			delete(files, name)
		}
		return files
	}
	const notesFile = "grimoires/loa/NOTES.md"
	for label, tt := range map[string]struct {
		br    string
		files map[string]string
		want  []string // for each step: name, source or "-", and a part of the reason
	}{
		"all is there": {brWorks, all, []string{
			"ready|br ready|", "bead|br show tea-1|", "recovery|NOTES.md|", "identifiers|NOTES.md|1 of 2 code references are broken", "state|NOTES.md|",
		}},
		"no br": {"", all, []string{
			"ready|.beads/issues.jsonl|neither br nor bd is installed; read from .beads/issues.jsonl.", "bead|.beads/issues.jsonl|neither br nor bd is installed; read from .beads/issues.jsonl.",
			"recovery|NOTES.md|", "identifiers|NOTES.md|1 of 2", "state|NOTES.md|",
		}},
		"br fails": {`echo '{"error":{"code":"X","message":"database is locked","hint":""}}' >&2; exit 2`, all, []string{
			"ready|.beads/issues.jsonl|br could not list the ready beads: database is locked; read from .beads/issues.jsonl.", "bead|.beads/issues.jsonl|database is locked",
			"recovery|NOTES.md|", "identifiers|NOTES.md|1 of 2", "state|NOTES.md|",
		}},
		"br knows no such bead": {`case "$1" in ready) echo '[]';; show) echo '{"error":{"code":"ISSUE_NOT_FOUND","message":"no"}}' >&2; exit 3;; esac`, all, []string{
			"ready|-|No bead is ready.", "bead|" + notesFile + "|tea-1, named in " + notesFile + ", is not a known bead.", "recovery|NOTES.md|", "identifiers|NOTES.md|1 of 2", "state|NOTES.md|",
		}},
		"no beads": {brWorks, without(".beads/issues.jsonl"), []string{
			"ready|-|the project has no beads: missing .beads.", "bead|" + notesFile + "|the project has no beads", "recovery|NOTES.md|", "identifiers|NOTES.md|1 of 2", "state|NOTES.md|",
		}},
		"no notes": {brWorks, without(notesFile), []string{
			"ready|br ready|", "bead|br show tea-1|", "recovery|bead tea-1|There is no " + notesFile, "identifiers|-|There is no " + notesFile, "state|-|There is no " + notesFile,
		}},
		"notes that are no text": {"", map[string]string{notesFile: "\x00\xff\x00\x01"}, []string{
			"ready|-|the project has no beads", "bead|-|the project has no beads", "recovery|-|is not a text file", "identifiers|-|is not a text file", "state|-|is not a text file",
		}},
		"nothing": {brWorks, map[string]string{"fold.go": "package fold\n"}, []string{
			"ready|-|the project has no beads", "bead|-|the project has no beads", "recovery|-|There is no", "identifiers|-|There is no", "state|-|There is no",
		}},
	} {
		d, root := startWorld(t, tt.br, tt.files)
		before := treeOf(t, root)
		p, err := ledgers.LookStart(t.Context(), d.Env, ledgers.StartAsk{Level: recovery.Where, Dir: root})
		if err != nil || len(p.Steps) != len(tt.want) {
			t.Errorf("%s: %v, %+v", label, err, p)
			continue
		}
		for i, s := range p.Steps {
			want := strings.SplitN(tt.want[i], "|", 3)
			source := want[1] != "-" && s.OK && strings.Contains(s.Source, want[1]) || want[1] == "-" && !s.OK
			if s.Name != want[0] || !source || !strings.Contains(s.Why, want[2]) || want[2] == "" && s.Why != "" {
				t.Errorf("%s: %+v, want %q", label, s, want)
			}
		}
		if after := treeOf(t, root); after != before {
			t.Errorf("%s: something was written: %s", label, after)
		}
	}
}

func treeOf(t *testing.T, root string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			text, _ := os.ReadFile(path)
			all.WriteString(path + "\n" + string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestStartPrinted: the exit code is 1 only if every step is empty.
func TestStartPrinted(t *testing.T) {
	t.Parallel()
	d, root := startWorld(t, brWorks, map[string]string{"grimoires/loa/NOTES.md": startNotes, ".beads/issues.jsonl": startBeads, "fold.go": "package fold\n"})
	var printed bytes.Buffer
	d.Out.W = &printed
	if err := ledgers.RunStart(t.Context(), d.Env, d.Output, ledgers.StartAsk{Level: recovery.Where, Dir: root}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"ready\ttea-2\topen\tP2\tThe paper\n", "bead\ttea-1\tin_progress\tP1\tThe cranes of br\n", "recovery\t",
		"identifier\tholds\t${PROJECT_ROOT}/fold.go:1\t-\n", "identifier\tno-file\t${PROJECT_ROOT}/gone.go:3\tfile is gone\n",
		"state\tFolding the second crane.\n", "step\tready\tyes\tbr ready\t-\n",
	} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("no %q in\n%s", want, &printed)
		}
	}

	p, err := ledgers.LookStart(t.Context(), d.Env, ledgers.StartAsk{Level: recovery.Where, Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{100, 60, 24} {
		d.Out.Terminal, d.Out.Width = true, width
		text := ledgers.StartText(d.Env, d.Output, p)
		for line := range strings.Lines(text) {
			if got := ansi.StringWidth(line); got > width {
				t.Errorf("%d cells of %d: %s", got, width, line)
			}
		}
		if width < 100 {
			continue
		}
		for _, want := range []string{
			"\n\nReady  1  ", " br ready\n· The paper  ", "P2  tea-2\n", "\n\nBead  ", " br show tea-1\n· The cranes of br  ", "in progress  P1  tea-1\n",
			"\n\nRecovery  level 1, ", "\n\nIdentifiers  1 of 2 correct  ", "\n✗ gone.go:3  ", "file is gone\n✓ fold.go:1  ", "found\n", "\nnext  continuo recover 2\n",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		if strings.Count(text, "Folding the second crane.") != 1 {
			t.Errorf("the state occurs %d times:\n%s", strings.Count(text, "Folding the second crane."), text)
		}
	}

	d.Out.Terminal = false
	printed.Reset()
	d.JSON = true
	if err := ledgers.RunStart(t.Context(), d.Env, d.Output, ledgers.StartAsk{Level: recovery.Where, Dir: root}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"project":"` + place.RealPath(root) + `","steps":[{"name":"ready","ok":true,"why":"","source":"br ready"},`, `"ready":[{"id":"tea-2",`, `"bead":{"id":"tea-1","title":"The cranes of br",`,
		`"recovery":{"level":1,`, `{"ref":"${PROJECT_ROOT}/gone.go:3","status":"no-file","at":0,"to":"","purpose":"the paper",`, `"state":"Folding the second crane.",`,
	} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("no %s in\n%s", want, &printed)
		}
	}

	p.Ledger.Missing = []string{"trajectory is missing: NOTES.md names it."}
	d.Out.Terminal, d.Out.Width = true, 100
	if text := ledgers.StartText(d.Env, d.Output, p); !strings.Contains(text, "\n△ ledger: trajectory is missing: NOTES.md names it.\n\nnext  continuo heal   restores the missing parts of the ledger\n") {
		t.Error(text)
	}
	d.Out.Terminal = false

	d, root = startWorld(t, "", nil)
	d.Out.W = &printed
	printed.Reset()
	if err := ledgers.RunStart(t.Context(), d.Env, d.Output, ledgers.StartAsk{Level: recovery.Where, Dir: root}); out.AsFailure(err).ExitCode() != out.ExitNo || printed.Len() != 0 || len(out.AsFailure(err).Facts) != 5 {
		t.Errorf("%v, %q", err, &printed)
	}
	d.JSON = true
	if err := ledgers.RunStart(t.Context(), d.Env, d.Output, ledgers.StartAsk{Level: recovery.Where, Dir: root}); out.AsFailure(err).ExitCode() != out.ExitNo || !strings.Contains(printed.String(), `"bead":null`) {
		t.Errorf("%v, %q", err, &printed)
	}
	d.JSON = false
	if err := ledgers.RunStart(t.Context(), d.Env, d.Output, ledgers.StartAsk{Level: recovery.Where, Dir: filepath.Join(root, "gone")}); out.AsFailure(err).ExitCode() != out.ExitNone {
		t.Error(err)
	}
}

// TestStartAsksOnce: a failed br isn't run again.
func TestStartAsksOnce(t *testing.T) {
	t.Parallel()
	d, root := startWorld(t, `echo "$1" >>asked; exit 1`, map[string]string{".beads/issues.jsonl": startBeads})
	if _, err := ledgers.LookStart(t.Context(), d.Env, ledgers.StartAsk{Level: recovery.Where, Dir: root}); err != nil {
		t.Fatal(err)
	}
	if asked, err := os.ReadFile(filepath.Join(root, "asked")); string(asked) != "ready\n" {
		t.Errorf("%q, %v", asked, err)
	}
}

func TestStartClean(t *testing.T) {
	t.Parallel()
	evil := strings.ReplaceAll(startNotes, "crane", "cr\x1b[2Jane")
	d, root := startWorld(t, "", map[string]string{
		"grimoires/loa/NOTES.md": evil, ".beads/issues.jsonl": strings.ReplaceAll(startBeads, "The ", `\u001b]0;x\u0007The `),
	})
	p, err := ledgers.LookStart(t.Context(), d.Env, ledgers.StartAsk{Level: recovery.All, Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{ledgers.StartText(d.Env, d.Output, p), ledgers.StartRecord(p).Tabs()} {
		if strings.ContainsAny(text, "\x1b\x07") {
			t.Errorf("%q", text)
		}
	}
}
