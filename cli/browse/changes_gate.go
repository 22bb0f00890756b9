package browse

import (
	"bytes"
	"context"
	"strings"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// gateOf repeats a passed gate. If the gate fails now, the error says why.
func (c Changes) gateOf(ctx context.Context, ask *tui.Change) (*ledgers.GateLook, error) {
	how := ledgers.GateAsk{GateAsk: survey.GateAsk{Full: ask.Gate.Mode != gate.Simplified, Agent: ask.Gate.Judged, Day: ask.Gate.Day}, Dir: ask.Dir}
	if len(ask.Rows) == 1 && ask.Rows[0].Kind == sessions.KindSession {
		how.Session = ask.Rows[0].ID
	}
	look, err := ledgers.LookGate(ctx, c.Env, how)
	if err != nil {
		return nil, err
	}
	if r := &look.Report; r.Verdict != gate.Passed && (r.Verdict != gate.Unsure || r.Enforcement == ledger.Strict) {
		f := &out.Failure{What: "The gate does not pass any more. Run the gate again."}
		for _, reason := range r.Reasons() {
			f.Facts = append(f.Facts, strings.TrimSpace(transcript.CleanLine(reason)))
		}
		return nil, f
	}
	return &look, nil
}

// planEvidence plans to fix one reference in NOTES.md.
func (c Changes) planEvidence(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	f := plan.Change.Finding
	if f == nil || !ledgerlines.CanFix(f) {
		return nil, &out.Failure{What: "There is no automatic fix. Edit the file yourself."}
	}
	fix := *f
	project, err := place.LedgerOf(c.Env, plan.Change.Dir)
	if err != nil {
		return nil, err
	}
	if fix.File != project.Notes {
		return nil, &out.Failure{What: c.Env.Tilde(fix.File) + " is not the NOTES.md of this project. Run the gate again."}
	}
	was, _, err := ledger.ReadText(ctx, project.Root, project.Notes, ledger.MaxNotes)
	if err != nil {
		return nil, entries.NotesFailure(c.Env, &project, err)
	}
	now, err := mended(was, &fix)
	if err != nil {
		return nil, err
	}
	plan.Title, plan.About, plan.Verb = "Fix the evidence", transcript.CleanLine(fix.Title), "write"
	p := &writing.Plan{}
	p.Add("Touched", change.Line{Text: "1 identifier in line " + words.Count(fix.Line) + " of NOTES.md"},
		change.Line{Tone: change.Muted, Text: c.Env.Tilde(project.Notes), Whole: true},
		change.Line{Text: inRoot(fix.Was) + " → " + inRoot(fix.Now)}) // the diff below may be cut
	p.Add("Diff", change.Diff(was, now)...)
	p.Add("Stays", change.Line{Mark: change.Good, Text: "every other byte, including later changes by others"})
	p.Add("Undo", change.Line{Text: c.undoKey() + " restores the file unless it is changed later."})
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) {
		_, but, err := entries.RewriteNotes(ctx, c.Env, &project, "Fixed evidence: "+words.Cut(transcript.CleanLine(fix.Title), entries.NoteCells), func(was []byte) ([]byte, error) {
			return mended(was, &fix)
		})
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: "Line " + words.Count(fix.Line) + " of NOTES.md names " + transcript.CleanLine(fix.Now) + " now. " + c.undoKey() + " undoes that.", But: but}, nil
	})
	return p, nil
}

// inRoot returns a reference with a path relative to the root.
func inRoot(id string) string {
	return transcript.CleanLine(strings.TrimPrefix(id, "${PROJECT_ROOT}/"))
}

// mended replaces a reference in its line, and returns the new text. The line must contain the old reference
// exactly once.
func mended(text []byte, f *gate.Finding) ([]byte, error) {
	gone := &out.Failure{What: "Line " + words.Count(f.Line) + " of NOTES.md does not name " + transcript.CleanLine(f.Was) + " any more. Run the gate again."}
	if !gate.Writable(f.Now) {
		return nil, &out.Failure{What: "The new file name for " + transcript.CleanLine(f.Was) + " can't be written as a reference. Rename the file."}
	}
	from := 0
	for n := 1; n < f.Line; n++ {
		i := bytes.IndexByte(text[from:], '\n')
		if i < 0 {
			return nil, gone
		}
		from += i + 1
	}
	line := text[from:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	at := -1
	for i := 0; i < len(line); {
		k := bytes.Index(line[i:], []byte(f.Was))
		if k < 0 {
			break
		}
		k += i
		i = k + len(f.Was)
		if goesOn(line, k, i) {
			continue
		}
		if at >= 0 {
			return nil, &out.Failure{What: "Line " + words.Count(f.Line) + " of NOTES.md names " + transcript.CleanLine(f.Was) + " twice. Edit the right one yourself."}
		}
		at = k
	}
	if at < 0 {
		return nil, gone
	}
	at += from
	return append(append(append([]byte{}, text[:at]...), f.Now...), text[at+len(f.Was):]...), nil
}

// goesOn reports whether the reference continues beyond line[from:to].
func goesOn(line []byte, from, to int) bool {
	isPart := func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '/' || c >= 0x80
	}
	if from > 0 && isPart(line[from-1]) {
		return true
	}
	if to == len(line) {
		return false
	}
	next := line[to]
	return isPart(next) || (next == '-' || next == '.') && to+1 < len(line) && line[to+1] >= '0' && line[to+1] <= '9'
}
