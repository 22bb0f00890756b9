package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/recovery"
)

// A NOTES.md that is refused is said to be so by every command, in the words of one table, and stays as it is.
func TestLedgerRefused(t *testing.T) {
	t.Parallel()
	const size = 50 << 20
	for name, tt := range map[string]struct {
		text   string
		size   int64
		says   string
		remedy string
	}{
		"binary":     {text: "## Session Continuity\n\x00\x01", says: "is not a text file", remedy: "git log -- " + notesFile},
		"not UTF-8":  {text: "## Session Continuity\n\xff\xfe", says: "is not a text file", remedy: "git log -- " + notesFile},
		"all zero":   {size: 1 << 20, says: "is not a text file", remedy: "git log -- " + notesFile},
		"50 MB":      {text: "## Session Continuity\n", size: size, says: "is longer than 16 MB", remedy: "Move old entries"},
		"50 MB zero": {size: size, says: "is longer than 16 MB", remedy: "Move old entries"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newNoteWorld(t)
			w.write(notesFile, tt.text)
			if tt.size > 0 {
				if err := os.Truncate(w.path(notesFile), tt.size); err != nil {
					t.Fatal(err)
				}
			}
			was := w.notes()
			for _, args := range [][]string{{"recover", "1"}, {"recover", "3"}, {"ledger"}, {"notes", "lint"}, {"note", "next", "x", "--yes"}} {
				said := strings.Join(strings.Fields(w.run(out.ExitFailed, args...)), " ")
				if !strings.Contains(said, "NOTES.md "+tt.says+", so it is ") || !strings.Contains(said, tt.remedy) {
					t.Errorf("%v says %q", args, said)
				}
			}
			if w.notes() != was {
				t.Error("the file was changed")
			}
		})
	}
}

// The browser says of a recovery what the command says of it.
func TestRecoverBrowser(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "## Session Continuity\n\n- one\n")
	w.write(".loa.config.yaml", "session_continuity:\n  tiered_recovery: false\n")
	w.write(".beads/issues.jsonl/x", "")
	d := w.deps()
	look, err := browse.Ledgers{Env: d.Env, O: d.Output, Logs: nil}.Recall(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	w.write(notesFile, "") // the levels are of what was looked at
	r, err := look.Recover(t.Context(), recovery.Ask{Level: recovery.Where})
	if r.Text != "one\n" {
		t.Errorf("%q", r.Text)
	}
	said := strings.Join(r.Notes, " ")
	if err != nil || !strings.Contains(said, "tiered_recovery is off") || !strings.Contains(said, "The beads of ") {
		t.Errorf("%q, %v", said, err)
	}
}

// A start says of its recovery what `recover` says of it, and of the beads only what their own step says.
func TestStartRemarks(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "## Session Continuity\n\n- one\n")
	w.write(".loa.config.yaml", "session_continuity:\n  tiered_recovery: false\n")
	w.write(".beads/issues.jsonl/x", "")
	said := w.run(out.ExitDone, "start", "--json")
	if n := strings.Count(said, "tiered_recovery is off"); n != 2 { // in the step, and in the notes of the recovery
		t.Errorf("%d times:\n%s", n, said)
	}
	if n := strings.Count(said, "The beads of "); n != 1 {
		t.Errorf("the beads are told of %d times:\n%s", n, said)
	}
}

// Where --json prints, the clipboard is not set through it.
func TestRecoverCopyJSON(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	d := w.deps()
	d.JSON, d.Out.Terminal, d.Err.Terminal = true, true, false
	r := recovery.Result{Level: recovery.Where, Text: "x\n"}
	if err := ledgers.CopyRecovered(t.Context(), d.Env, d.Output, &r); err == nil || w.out.Len() > 0 {
		t.Errorf("%v, %q", err, w.out)
	}
	both := w.out
	said := &bytes.Buffer{}
	d.Err.W, d.Err.Terminal = said, true
	if err := ledgers.CopyRecovered(t.Context(), d.Env, d.Output, &r); err != nil || !json.Valid(both.Bytes()) || !strings.Contains(said.String(), "\x1b]52;") {
		t.Errorf("%v, %q, %q", err, both, said)
	}
}

// Ends of lines of another system, and a Session Continuity that is there twice: they are read, and an entry leaves every
// other byte as it was.
func TestLedgerOdd(t *testing.T) {
	t.Parallel()
	const twice = "## Session Continuity\n\n- State: first\n\n## Session Continuity\n\n- State: second\n"
	for name, tt := range map[string]struct{ text, eol string }{
		"CRLF":       {strings.ReplaceAll("# Notes\n\n## Session Continuity\n\n- State: first\n\n## Next Steps\n\n1. one\n", "\n", "\r\n"), "\r\n"},
		"twice":      {twice, "\n"},
		"CRLF twice": {strings.ReplaceAll(twice, "\n", "\r\n"), "\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newNoteWorld(t)
			w.write(notesFile, tt.text)
			for _, args := range [][]string{{"recover", "1"}, {"ledger"}} {
				said := w.run(out.ExitDone, args...)
				if !strings.Contains(said, "first") || strings.Contains(said, "\r") {
					t.Errorf("%v says %q", args, said)
				}
			}
			if got := w.run(out.ExitDone, "recover", "3"); !strings.HasPrefix(got, tt.text) {
				t.Errorf("level 3 is %q", got)
			}
			if w.notes() != tt.text {
				t.Fatal("reading changed the file")
			}
			w.run(out.ExitDone, "note", "next", "two", "--yes")
			now := w.notes()
			if rest := without(tt.text, now); rest == "" || !strings.Contains(rest, "two") {
				t.Fatalf("the file is %q, which is more than an insertion", now)
			}
			if tt.eol == "\r\n" && strings.Count(now, "\n") != strings.Count(now, "\r\n") {
				t.Errorf("the ends of lines are mixed: %q", now)
			}
			w.run(out.ExitDone, "undo", "--yes")
			if w.notes() != tt.text {
				t.Errorf("undo leaves %q", w.notes())
			}
		})
	}
}

// without is what one insertion added to a text; "" where it is something else.
func without(was, now string) string {
	for i := 0; i <= len(was) && i <= len(now); i++ {
		if now[:i] != was[:i] {
			break
		}
		if more := len(now) - len(was); more > 0 && now[i+more:] == was[i:] {
			return now[i : i+more]
		}
	}
	return ""
}
