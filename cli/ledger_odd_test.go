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
				output := strings.Join(strings.Fields(w.run(out.ExitFailed, args...)), " ")
				if !strings.Contains(output, "NOTES.md "+tt.says+", so it is ") || !strings.Contains(output, tt.remedy) {
					t.Errorf("%v says %q", args, output)
				}
			}
			if w.notes() != was {
				t.Error("the file was changed")
			}
		})
	}
}

// TestRecoverBrowser: a recovery in the browser has the remarks of the command.
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
	w.write(notesFile, "") // Recover uses the content read by Recall
	r, err := look.Recover(t.Context(), recovery.Ask{Level: recovery.Where})
	if r.Text != "State: one [N]\n[N NOTES.md]\n" {
		t.Errorf("%q", r.Text)
	}
	output := strings.Join(r.Notes, " ")
	if err != nil || !strings.Contains(output, "tiered_recovery is off") || !strings.Contains(output, "The beads of ") {
		t.Errorf("%q, %v", output, err)
	}
}

// TestStartRemarks: the remark about the beads is printed only once.
func TestStartRemarks(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "## Session Continuity\n\n- one\n")
	w.write(".loa.config.yaml", "session_continuity:\n  tiered_recovery: false\n")
	w.write(".beads/issues.jsonl/x", "")
	output := w.run(out.ExitDone, "start", "--json")
	if n := strings.Count(output, "tiered_recovery is off"); n != 2 { // once in the step, once in the remarks
		t.Errorf("%d times:\n%s", n, output)
	}
	if n := strings.Count(output, "The beads of "); n != 1 {
		t.Errorf("the note about the beads occurs %d times:\n%s", n, output)
	}
}

// TestRecoverCopyJSON: --json keeps the clipboard sequence out of stdout.
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
	output := &bytes.Buffer{}
	d.Err.W, d.Err.Terminal = output, true
	if err := ledgers.CopyRecovered(t.Context(), d.Env, d.Output, &r); err != nil || !json.Valid(both.Bytes()) || !strings.Contains(output.String(), "\x1b]52;") {
		t.Errorf("%v, %q, %q", err, both, output)
	}
}

// TestLedgerOdd: the file has CRLF line ends and a second Session Continuity.
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
				output := w.run(out.ExitDone, args...)
				if !strings.Contains(output, "first") || strings.Contains(output, "\r") {
					t.Errorf("%v says %q", args, output)
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

// without returns the text that now has and was lacks; "" if more has changed.
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
