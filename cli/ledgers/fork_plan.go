package ledgers

import (
	"context"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// PlanForks returns the plan of continuo fork-check. If session is "", it compares the project's newest session.
func PlanForks(ctx context.Context, env *place.Env, dir, session string) (*entries.Planned, error) {
	ask := &forkAsk{dir: dir, session: session, agent: survey.GateAgent}
	k, err := lookForks(ctx, env, ask)
	if err != nil {
		return nil, err
	}
	fresh := 0
	for _, known := range k.recorded {
		if !known {
			fresh++
		}
	}
	p := &entries.Planned{Parts: k.plan(env, fresh), Root: k.ledger.Project.Root, Command: []string{"fork-check"}}
	if session != "" {
		p.Command = append(p.Command, session)
	}
	if len(k.forks) > 0 {
		p.Command = append(p.Command, "--copy")
	}
	if fresh == 0 {
		return p, nil
	}
	p.Verb = "record " + words.Count(fresh)
	p.Write = func(ctx context.Context) (said, but string, err error) {
		wrote, err := k.write(ctx, env, ask.agent)
		if wrote == 0 {
			return "", "", err
		}
		if err != nil {
			but = out.AsFailure(err).What
		}
		return "Recorded " + out.Count(wrote, "fork") + " in " + place.BaseName(k.file) + ".", but, nil
	}
	return p, nil
}

// plan lists the forks, the prompt, and the new records. The argument fresh is the number of forks without a
// record.
func (k *forkLook) plan(env *place.Env, fresh int) []change.Part {
	p := &writing.Plan{}
	quoted := func(s string) string { return "“" + transcript.CleanLine(s) + "”" }
	var found []change.Line
	for i := range k.forks {
		f := &k.forks[i]
		where := "bead " + f.Bead
		if f.Bead == "" {
			where = "NOTES.md, line " + strconv.Itoa(f.Line)
		}
		found = append(found, change.Line{Mark: change.Bad, Text: "the session decided " + quoted(f.Statement.Text)},
			change.Line{Text: "the ledger has " + quoted(f.Decision) + ", and wins", Right: transcript.CleanLine(where)})
	}
	if len(k.forks) == 0 {
		found = append(found, change.Line{Mark: change.Good, Text: k.noFork()})
	}
	p.Add("Found", found...)
	var prompt []change.Line
	for line := range strings.Lines(k.prompt(k.ledger.Project.NotesName())) {
		prompt = append(prompt, change.Line{Tone: change.Code, Text: transcript.CleanLine(line)})
	}
	p.Add("Prompt", prompt...)
	if fresh > 0 {
		p.Add("Touched", change.Line{Text: out.Count(fresh, "record") + " at the end of " + place.BaseName(k.file)},
			change.Line{Tone: change.Muted, Text: env.Tilde(k.file), Whole: true})
	}
	var but []change.Line
	for _, s := range k.problems {
		but = append(but, writing.Warning(transcript.CleanLine(s)))
	}
	p.Add("But", but...)
	if fresh > 0 {
		p.Add("Stays", change.Line{Mark: change.Good, Text: "the session, NOTES.md and the beads"})
		p.Add("Undo", change.Line{Text: "A record can't be undone: the trajectory is a log."})
	}
	return p.Parts
}
