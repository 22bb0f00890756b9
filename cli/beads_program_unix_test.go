//go:build unix

package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// These scripts imitate br and bd with recorded output. $R is the folder of the recordings.
const (
	// bd 0.44 doesn't write a new comment to issues.jsonl.
	bd044 = `case "$*" in *--include*) echo 'Error: unknown flag: --include-comments' >&2; exit 1;; esac
case "$*" in
"list --all --limit 0 --json --readonly --sandbox") cat $R/bd-0.44-list.json;;
"show nope --json") echo 'Error fetching nope: no issue found matching "nope"' >&2;;
"show "*) if [ -e said ]; then sed "s/NEXT STEP: Buy a lid/$(cat said)/" $R/bd-0.44-show.json; else cat $R/bd-0.44-show.json; fi;;
"comments add tea-dw6 "*) printf %s "$4" >said; touch .beads/beads.db;;
*) echo "Error: unknown command \"$1\" for \"bd\"" >&2; exit 1;;
esac`
	// bd 1.3 has no sync --flush-only. Its show omits comments.
	bd13 = `case "$*" in
"export --readonly --sandbox --include-memories") if [ -e said ]; then sed "s/NEXT STEP: Buy a lid/$(cat said)/" $R/bd-1.3-export.jsonl; else cat $R/bd-1.3-export.jsonl; fi;;
"show tea-dw6 --json") cat $R/bd-1.3-show.json;;
"show tea-dw6 --json --include-comments") sed 's/"comments_omitted": true/"comments": [{"id": "a4125d4c", "issue_id": "tea-dw6", "author": "ada", "text": "NEXT STEP: Buy a lid", "created_at": "2026-11-20T10:59:24Z"}]/' $R/bd-1.3-show.json;;
"show nope --json --include-comments") echo 'Issue nope not found' >&2; echo '{"error": "no issues found matching the provided IDs", "schema_version": 1}'; exit 1;;
"comments add tea-dw6 "*) printf %s "$4" >said;;
*--flush-only*) echo 'Error: unknown flag: --flush-only' >&2; exit 1;;
*) echo "Error: unknown command \"$1\" for \"bd\"" >&2; exit 1;;
esac`
	// br writes a new comment to issues.jsonl, unless auto-flush is off.
	br = `case "$*" in
"sync --status --json") if [ -e said ]; then echo '{"dirty_count":1}'; else echo '{"dirty_count":0}'; fi;;
"list --all --limit 0 --json --no-auto-import --no-auto-flush") cat $R/bd-0.44-list.json;;
"show nope --json") echo '{"error":{"code":"ISSUE_NOT_FOUND","message":"Issue not found: nope"}}' >&2; exit 3;;
"show "*) if [ -e said ]; then sed "s/NEXT STEP: Buy a lid/$(cat said)/" $R/bd-0.44-show.json; else cat $R/bd-0.44-show.json; fi;;
"comments add tea-dw6 "*) printf %s "$4" >said; touch .beads/beads.db;;
*) exit 1;;
esac`
)

// beadsFile is an issues.jsonl that is older than the recordings.
const beadsFile = `{"id":"tea-7vk","title":"Wash the old cup","status":"closed","priority":2,"issue_type":"task","created_at":"2026-11-20T09:01:02.143445579Z","updated_at":"2026-11-20T09:01:02.477729284Z","comments":[{"id":9,"issue_id":"tea-7vk","author":"ada","text":"DECISION: Use soap","created_at":"2026-11-20T09:01:01Z"}]}
{"id":"tea-dw6","title":"Keep the kettle warm","status":"in_progress","priority":1,"issue_type":"task","created_at":"2026-11-20T09:59:23.025669042Z","updated_at":"2026-11-20T10:59:23.950875368Z"}
`

func beadsWorld(t *testing.T, name, script string, files map[string]string) (d *deps, root string) {
	t.Helper()
	recordings, err := filepath.Abs("testdata/beads")
	if err != nil {
		t.Fatal(err)
	}
	d, root = fakeBr(t, name, "R='"+recordings+"'\n"+script)
	d.Home, d.Now = d.Host.Getenv("HOME"), now
	for name, text := range files {
		path := filepath.Join(root, ".beads", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "issues.jsonl" {
			if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return d, root
}

// beadsPrograms returns the files of a project for each supported program.
func beadsPrograms() map[string]struct {
	name, script, flush string
	files               map[string]string
} {
	sqlite := map[string]string{"issues.jsonl": beadsFile, "beads.db": "x", "metadata.json": `{"database":"beads.db","jsonl_export":"issues.jsonl"}`}
	dolt := map[string]string{
		"issues.jsonl": beadsFile, "embeddeddolt/tea/x": "",
		"metadata.json": `{"database":"dolt","backend":"dolt","dolt_mode":"embedded","dolt_database":"tea"}`,
	}
	return map[string]struct {
		name, script, flush string
		files               map[string]string
	}{
		"bd 0.44": {"bd", bd044, "bd sync --flush-only", sqlite},
		"bd 1.3":  {"bd", bd13, "bd export -o .beads/issues.jsonl", dolt},
		"br":      {"br", br, "br sync --flush-only", sqlite},
	}
}

// TestBeadsGate: the program has just written a comment.
func TestBeadsGate(t *testing.T) {
	t.Parallel()
	for name, c := range beadsPrograms() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, root := beadsWorld(t, c.name, c.script, c.files)
			bead := func() gate.Step {
				t.Helper()
				g, err := ledgers.LookGate(t.Context(), d.Env, ledgers.GateAsk{GateAsk: survey.GateAsk{Full: true}, Dir: root})
				if err != nil {
					t.Fatal(err)
				}
				return g.Report.Steps[3]
			}
			if s := bead(); s.Status != gate.Warning || !strings.HasPrefix(s.Note, "no decisions") || len(s.More) != 0 {
				t.Errorf("before: %+v", s)
			}
			if err := programOf(d, root).Comment(t.Context(), "tea-dw6", "DECISION: Use a thermos"); err != nil {
				t.Fatal(err)
			}
			if s := bead(); s.Status != gate.Warning || s.Note != "no next steps in it" {
				t.Errorf("after: %+v", s)
			}
		})
	}
}

func TestBeadsRead(t *testing.T) {
	t.Parallel()
	for name, c := range beadsPrograms() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, root := beadsWorld(t, c.name, c.script, c.files)
			program := programOf(d, root)
			if c.name == "br" { // otherwise, issues.jsonl would be current
				if err := program.Comment(t.Context(), "tea-dw6", "NEXT STEP: Buy a lid"); err != nil {
					t.Fatal(err)
				}
			}
			g, err := beads.Read(t.Context(), filepath.Join(root, ".beads"), program)
			if err != nil || !g.Database || g.Note != "" || len(g.Problems) != 0 || len(g.Beads) != 2 || g.CountClosed() != 1 {
				t.Fatalf("%+v, %v", g, err)
			}
			kettle, _ := g.Find("tea-dw6")
			cup, _ := g.Find("tea-jtw")
			if strings.Join(kettle.Next, "|") != "Buy a lid" || strings.Join(g.WaitsFor(cup), "|") != "tea-dw6" || strings.Join(cup.Labels, "|") != "evening" {
				t.Errorf("%+v, %+v", kettle, cup)
			}
			old, _ := g.Find("tea-7vk") // the recording of bd 1.3 has no comments; issues.jsonl has them
			if want := map[bool]int{true: 0, false: 1}[name == "bd 1.3"]; len(old.Decisions) != want {
				t.Errorf("closed bead is %+v", old)
			}
			if want := map[bool]int{true: 1, false: 0}[name == "bd 1.3"]; len(g.Memories) != want {
				t.Errorf("memories are %+v", g.Memories)
			}
			if b, err := program.Show(t.Context(), "tea-dw6"); err != nil || len(b.Next) != 1 {
				t.Errorf("shown: %+v, %v", b, err)
			}
			if _, err := program.Show(t.Context(), "nope"); err == nil || out.AsFailure(err).ExitCode() != out.ExitNone {
				t.Errorf("error is %v", err)
			}
			if n, err := program.Unwritten(t.Context()); err != nil || n == 0 {
				t.Errorf("%d beads are not in the file, %v", n, err)
			}
			if got := program.Flush(); got != c.flush {
				t.Errorf("flush is %q, want %q", got, c.flush)
			}
		})
	}
}

// TestBeadsWithoutProgram: br doesn't count as the program of a Dolt database.
func TestBeadsWithoutProgram(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ program, note string }{
		"bd 0.44": {"other", "neither br nor bd is installed"},
		"bd 1.3":  {"br", "bd isn't installed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, root := beadsWorld(t, c.program, "exit 1", beadsPrograms()[name].files)
			d.Host.Environ = append(d.Host.Environ, "PATH="+strings.Split(d.Host.Getenv("PATH"), ":")[0])
			l, err := survey.LedgerOf(t.Context(), d.LookFrom(root), survey.LedgerHow{})
			want := "The beads are read from issues.jsonl, which may be older than the database: " + c.note + "."
			if err != nil || len(l.Beads.Beads) != 1 || len(l.Problems) != 1 || l.Problems[0] != want {
				t.Errorf("%+v, %q, %v", l.Beads, l.Problems, err)
			}
			g, err := ledgers.LookGate(t.Context(), d.Env, ledgers.GateAsk{GateAsk: survey.GateAsk{Full: true}, Dir: root})
			if err != nil || len(g.Report.Steps[3].More) != 1 || g.Report.Steps[3].More[0] != want {
				t.Errorf("step is %+v, %v", g.Report.Steps[3], err)
			}
			run := func(args ...string) (code int, text string) {
				var printed strings.Builder
				code = Run(t.Context(), Program{
					Args: append(args, "--project", root), Dir: root, Env: d.Host.Environ, Now: now, Stdin: strings.NewReader(""), Stdout: &printed, Stderr: &printed,
				})
				return code, strings.Join(strings.Fields(printed.String()), " ")
			}
			if code, text := run("fork-check", "--decision", "Use a pot"); code != out.ExitFailed || !strings.Contains(text, want) {
				t.Errorf("fork-check exits with %d: %s", code, text)
			}
			if code, text := run("beads"); code != out.ExitDone || !strings.Contains(text, want) {
				t.Errorf("beads exits with %d: %s", code, text)
			}
			if err := os.Remove(filepath.Join(root, ".beads", "issues.jsonl")); err != nil {
				t.Fatal(err)
			}
			if code, text := run("beads"); code != out.ExitFailed || !strings.Contains(text, "The beads are only in a database that could not be read: "+c.note+".") {
				t.Errorf("without a file, beads exits with %d: %s", code, text)
			}
			if err := os.WriteFile(filepath.Join(root, "NOTES.md"), []byte("# Notes\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			g, err = ledgers.LookGate(t.Context(), d.Env, ledgers.GateAsk{GateAsk: survey.GateAsk{Full: true}, Dir: root})
			if err != nil || g.Report.Steps[3].Status != gate.Unknown {
				t.Errorf("without a file the step is %+v, %v", g.Report.Steps[3], err)
			}
		})
	}
}

// TestBeadsMemory: bd remember has stored a note.
func TestBeadsMemory(t *testing.T) {
	t.Parallel()
	c := beadsPrograms()["bd 1.3"]
	d, root := beadsWorld(t, c.name, c.script, c.files)
	r, _, err := ledgers.Recover(t.Context(), d.Env, &ledgers.RecoverAsk{Ask: recovery.Ask{Level: recovery.Topic, Query: "drawer"}, Dir: root})
	if err != nil || !strings.Contains(r.Text, "- lids-are-in-the-left-drawer: Lids are in the left drawer [B]\n") {
		t.Errorf("%s, %v", r.Text, err)
	}
}

// TestCheckpointBeads: the advice must name the installed program.
func TestCheckpointBeads(t *testing.T) {
	t.Parallel()
	all := beadsPrograms()
	for name, c := range map[string]struct {
		name, script, of string
		said             bool // a comment was written
		want, closes     string
	}{
		"bd 0.44":      {"bd", bd044, "bd 0.44", false, "△ [AUTO] Beads may need sync: 2 changes not written out. Run: bd sync --flush-only", "bd close <id>"},
		"bd 1.3":       {"bd", bd13, "bd 1.3", false, "△ [AUTO] Beads may need sync: 3 changes not written out. Run: bd export -o .beads/issues.jsonl", "bd close <id>"},
		"br":           {"br", br, "br", false, "✓ [AUTO] Beads synchronized", "br close <id>"},
		"br, comment":  {"br", br, "br", true, "△ [AUTO] Beads may need sync: 1 change not written out. Run: br sync --flush-only", "br close <id>"},
		"br fails":     {"br", "echo 'Error: database is locked' >&2; exit 2", "br", false, "· [AUTO] Beads not checked: br could not count its unwritten beads: database is locked", "br close <id>"},
		"br is other":  {"br", "echo '{}'", "br", false, "· [AUTO] Beads not checked: The output of br could not be parsed: dirty_count is missing. Run it yourself", "br close <id>"},
		"bd fails":     {"bd", "echo 'Error: no beads database found' >&2; exit 1", "bd 1.3", false, "· [AUTO] Beads not checked: bd could not export the beads: no beads database found", "bd close <id>"},
		"only br":      {"br", br, "bd 1.3", false, "· [AUTO] Beads not checked: bd isn't installed", "bd close <id>"},
		"no program":   {"other", "", "br", false, "· [AUTO] Beads not checked: neither br nor bd is installed", "br close <id>"},
		"no directory": {"br", br, "", false, "· [AUTO] No beads here - skipping", "br close <id>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, root := beadsWorld(t, c.name, c.script, all[c.of].files)
			if c.said {
				if err := programOf(d, root).Comment(t.Context(), "tea-dw6", "DECISION: Use a thermos"); err != nil {
					t.Fatal(err)
				}
			}
			if name == "no program" {
				d.Host.Environ = append(d.Host.Environ, "PATH="+t.TempDir())
			}
			var printed strings.Builder
			code := Run(t.Context(), Program{
				Args: []string{"context", "checkpoint"}, Dir: root, Env: d.Host.Environ, Now: now, Stdin: strings.NewReader(""), Stdout: &printed, Stderr: io.Discard,
			})
			text := printed.String()
			if code != out.ExitDone || !strings.Contains(text, "\n"+c.want+"\n") || !strings.Contains(text, "Close completed beads: "+c.closes) {
				t.Errorf("code %d:\n%s", code, text)
			}
			if strings.Contains(text, "not checked\n") != strings.HasPrefix(c.want, "·") {
				t.Errorf("the sum is wrong:\n%s", text)
			}
		})
	}
}

func TestBeadsCache(t *testing.T) {
	t.Parallel()
	c := beadsPrograms()["bd 1.3"]
	files := map[string]string{"embeddeddolt/tea/.dolt/noms/manifest": "1"}
	d, root := beadsWorld(t, c.name, "echo >>asked\n"+c.script, files)
	clock := now()
	b := browse.Ledgers{Env: d.Env, O: d.Output, Beads: &browse.Answers{Now: func() time.Time { return clock }}}
	asked := func() int {
		t.Helper()
		l, err := b.Ledger(t.Context(), root)
		if err != nil || len(l.Beads.Beads) != 2 || !l.Beads.Database {
			t.Fatalf("%+v, %v", l.Beads, err)
		}
		lines, err := os.ReadFile(filepath.Join(root, "asked"))
		if err != nil {
			t.Fatal(err)
		}
		return len(lines)
	}
	if first, again := asked(), asked(); first != 1 || again != 1 {
		t.Errorf("asked %d, then %d times", first, again)
	}
	if err := os.WriteFile(filepath.Join(root, ".beads", "embeddeddolt", "tea", ".dolt", "noms", "manifest"), []byte("22"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := asked(); n != 2 {
		t.Errorf("asked %d times after a change", n)
	}
	if clock = clock.Add(time.Minute); asked() != 3 {
		t.Error("not asked after a minute")
	}
}
