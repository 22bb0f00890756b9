package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

// session writes a session that has read a file. ago is the age of its records.
func (w *noteWorld) session(id, file string, ago time.Duration) {
	w.t.Helper()
	head := func(n, kind, parent string) string {
		return `{"type":"` + kind + `","uuid":"00000000-0000-4000-8000-00000000000` + n + `","parentUuid":` + parent + `,"sessionId":"` + id + `","cwd":` + jsonWord(w.project) +
			`,"timestamp":"` + now().Add(-ago).UTC().Format(time.RFC3339) + `","message":`
	}
	after := func(n string) string { return `"00000000-0000-4000-8000-00000000000` + n + `"` }
	putFile(w.t, filepath.Join(w.home, ".claude", "projects", sessions.Slug(w.project), id+".jsonl"),
		head("1", "user", "null")+`{"role":"user","content":"Read `+file+`"}}`+"\n"+
			head("2", "assistant", after("1"))+`{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":`+jsonWord(w.path(file))+`}}]}}`+"\n"+
			head("3", "user", after("2"))+`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"`+strings.Repeat("x", 3*gate.BigBody)+`"}]}}`+"\n")
}

// TestBrowserGate: without a requested session, the gate uses the newest.
func TestBrowserGate(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	w.write(gateFile, gateCited)
	const older, newer = "11111111-0000-4000-8000-000000000000", "22222222-0000-4000-8000-000000000000"
	w.session(older, "src/older.go", time.Hour)
	w.session(newer, "src/newer.go", time.Minute)
	b := browse.Ledgers{Env: w.deps().Env, O: w.deps().Output}
	for session, want := range map[string]string{older: "src/older.go", newer: "src/newer.go", "": "src/newer.go"} {
		r, err := b.Gate(t.Context(), w.project, tui.GateAsk{Full: true, Session: session})
		if err != nil {
			t.Fatal(err)
		}
		var output strings.Builder
		for i := range r.Steps {
			for _, f := range r.Steps[i].Findings {
				output.WriteString(f.Title + "\n")
			}
		}
		if got := output.String(); strings.Contains(got, "older.go") != (want == "src/older.go") || strings.Contains(got, "newer.go") != (want == "src/newer.go") {
			t.Errorf("session %q, want %s:\n%s", session, want, got)
		}
	}
	ask := tui.Change{Kind: tui.ChangeHandover, Dir: w.project, Gate: &gate.Report{Mode: gate.Full, Agent: survey.GateAgent, Day: gateDay}}
	of := row(older, "Read", func(r *sessions.Row) { r.Kind = sessions.KindSession })
	for id, rows := range map[string][]sessions.Row{older: {of}, newer: nil} {
		ask.Rows = rows
		plan, c := w.handover(ask)
		if _, err := c.Do(t.Context(), plan); err != nil || !strings.Contains(w.read(gateFile), `"session_id":"`+id+`"`) {
			t.Errorf("%v, the trajectory is\n%s", err, w.read(gateFile))
		}
	}
}
